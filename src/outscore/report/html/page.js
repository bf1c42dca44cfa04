"use strict";
(() => {
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));

  // what goes on to the right fades there
  const edge = (box) => box.classList.toggle("more", box.scrollWidth - box.clientWidth - box.scrollLeft > 2);
  const sizes = new ResizeObserver((seen) => seen.forEach((e) => edge(e.target.closest(".scroll"))));
  all(".scroll").forEach((box) => {
    box.addEventListener("scroll", () => edge(box), { passive: true });
    [box, box.firstElementChild].forEach((part) => sizes.observe(part));
  });

  // sorting: rows keep to their block; the number that a cell begins with counts, else its text; a row without a value,
  // such as the gain of the baseline, stays on top, and what is undefined at the end
  const value = (row, column) => {
    const text = ((row.cells[column] || {}).textContent || "").trim();
    const number = /^[<\s]*([+\-−]?[\d,]*\.?\d+(?:e[+-]?\d+)?)/i.exec(text);
    return number ? [0, parseFloat(number[1].replace(/,/g, "").replace("−", "-")), text] : [1, 0, text];
  };
  const compare = (a, b) => a[0] - b[0] || a[1] - b[1] || a[2].localeCompare(b[2]);
  const fixed = (a) => (a[2] === "" ? -1 : /^–/.test(a[2]) ? 1 : 0);
  const sort = (head) => {
    const table = head.closest("table"), up = head.getAttribute("aria-sort") !== "ascending";
    all("thead th", table).forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    all("tbody", table).forEach((body) => {
      const rows = all("tr:not(.block)", body).map((row) => [value(row, head.cellIndex), row]);
      rows.sort(([a], [b]) => fixed(a) - fixed(b) || (up ? 1 : -1) * compare(a, b));
      rows.forEach(([, row]) => body.appendChild(row));
    });
  };
  // no elements of forms: browsers do not repeat on paper a head that has one
  all(".table thead th").forEach((head) => {
    const button = document.createElement("span");
    Object.assign(button, { className: "sort", tabIndex: 0 });
    button.setAttribute("role", "button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(head));
    button.addEventListener("keydown", (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); sort(head); } });
  });

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
})();
