"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("script");
  const json = (id) => { const e = document.getElementById(id); return e ? JSON.parse(e.textContent) : null; };
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));

  // what goes on to the right fades there
  const edge = (box) => box.classList.toggle("more", box.scrollWidth - box.clientWidth - box.scrollLeft > 2);
  const sizes = new ResizeObserver((seen) => seen.forEach((e) => edge(e.target.closest(".scroll"))));
  all(".scroll").forEach((box) => {
    box.addEventListener("scroll", () => edge(box), { passive: true });
    [box, box.firstElementChild].forEach((part) => sizes.observe(part));
  });

  // sorting: rows keep to their block; the number that a cell begins with counts, else its text
  const value = (row, column) => {
    const text = (row.cells[column] || {}).textContent || "";
    const number = /^[<\s]*([+\-−]?[\d,]*\.?\d+(?:e[+-]?\d+)?)/i.exec(text);
    return number ? [0, parseFloat(number[1].replace(/,/g, "").replace("−", "-")), text] : [1, 0, text];
  };
  const compare = (a, b) => a[0] - b[0] || a[1] - b[1] || a[2].localeCompare(b[2]);
  all(".sort").forEach((button) => button.addEventListener("click", () => {
    const head = button.closest("th"), table = button.closest("table");
    const up = head.getAttribute("aria-sort") !== "ascending";
    all("thead th", table).forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const column = Number(button.dataset.column);
    all("tbody", table).forEach((body) => {
      const rows = all("tr:not(.block)", body).map((row) => [value(row, column), row]);
      rows.sort((a, b) => (up ? 1 : -1) * compare(a[0], b[0]));
      rows.forEach(([, row]) => body.appendChild(row));
    });
  }));

  // filters
  all(".filter").forEach((box) => box.addEventListener("input", () => {
    const words = box.value.toLowerCase(), rows = all(`#${box.dataset.table} tbody tr:not(.block)`);
    // the end of one cell and the beginning of the next make no word
    const said = (row) => Array.from(row.cells, (cell) => cell.textContent).join(" ").toLowerCase();
    rows.forEach((row) => row.classList.toggle("away", !said(row).includes(words)));
    const shown = rows.filter((row) => !row.classList.contains("away")).length;
    box.closest("p").querySelector(".count").textContent = words ? `${shown} of ${rows.length} rows` : "";
  }));

  // items: a search box and a choice of the pair
  const items = document.getElementById("item-list");
  if (items) {
    const search = document.getElementById("item-search"), pair = document.getElementById("item-pair");
    const count = document.getElementById("item-count");
    const show = () => {
      const words = search.value.toLowerCase();
      let shown = 0;
      all(".item", items).forEach((item) => {
        const fits = (!pair || item.dataset.pair === pair.value) && item.textContent.toLowerCase().includes(words);
        item.classList.toggle("away", !fits);
        shown += fits ? 1 : 0;
      });
      count.textContent = shown === 1 ? "1 item" : `${shown} items`;
    };
    search.addEventListener("input", show);
    if (pair) pair.addEventListener("change", show);
    show();
  }

  // what is packed into the page: the data, and the program that draws
  const unpacked = (id) => {
    const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
  };
  const download = document.getElementById("download");
  if (download) download.addEventListener("click", async () => {
    const a = document.createElement("a");
    a.href = URL.createObjectURL(await unpacked("packed").blob());
    a.download = download.dataset.name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 10000);
  });

  // pictures; all of them before the page is printed
  const charts = json("charts") || [], places = all("[data-chart]");
  const start = async () => {
    const program = document.createElement("script");
    program.textContent = await unpacked("program").text();
    document.head.append(program);
    const draw = (place) => {
      if (place.childElementCount) return null;
      place.append(document.createElement("div"));
      return window.outscoreEmbed(place.firstChild, charts[Number(place.dataset.chart)],
        // warnings, of empty panels and the like, are for who makes charts; errors are not held back
        { renderer: "svg", ast: true, logLevel: 1, actions: { export: true, source: false, compiled: false, editor: false } })
        .catch(() => { place.textContent = place.closest("figure").querySelector("figcaption").textContent; });
    };
    window.addEventListener("beforeprint", () => places.forEach(draw));
    // one by one, between what the reader does: those in view first, then the rest, so that a page is whole when printed
    const near = new Set(), left = [...places];
    const watch = new IntersectionObserver((seen) => seen.forEach((e) => near[e.isIntersecting ? "add" : "delete"](e.target)),
      { rootMargin: "600px" });
    places.forEach((place) => watch.observe(place));
    const idle = window.requestIdleCallback || ((f) => setTimeout(f, 20));
    while (left.length) {
      await new Promise((f) => idle(f, { timeout: 500 }));
      await draw(left.splice(Math.max(0, left.findIndex((place) => near.has(place))), 1)[0]);
    }
    watch.disconnect();
  };
  if (places.length) start().catch(() => places.filter((place) => !place.childElementCount).forEach((place) => {
    place.textContent = "This browser cannot draw the picture; -f html:static=true makes a page with drawn pictures.";
  }));
})();
