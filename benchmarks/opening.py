#!/usr/bin/env python3
"""Opens the report of 31 systems on 2,000 segments in a browser and measures how long it takes until it can be used.

Each opening is a browser of its own with a file of its own, so that nothing is kept from the one before. *Ready*: the
whole page can be read, sorted, filtered and searched. *Painted*: the first screen is; pictures stand in the page as it
is made. CPU seconds are of all processes of the browser until then, beyond what an empty page takes.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import machine

SYSTEMS, SEGMENTS, WORDS = 31, 2_000, 3_000
COUNTED = ("painted", "ready")
_PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def translations() -> tuple[dict[str, list[str]], list[str]]:
    """A reference, and systems of which each gets a share of its words right (fixed seed)."""
    draw = random.Random(1)
    words = ["".join(draw.choices("aeioubdfgklmnprst", k=draw.randint(2, 9))) for _ in range(WORDS)]
    gold = [draw.choices(words, k=draw.randint(5, 40)) for _ in range(SEGMENTS)]

    def output(right: float) -> list[str]:
        return [" ".join(w if draw.random() < right else draw.choice(words) for w in line) for line in gold]

    return {f"system-{k:02d}": output(0.6 + 0.008 * k) for k in range(SYSTEMS)}, [" ".join(line) for line in gold]


def report(command: str) -> str:
    """The page of ``outscore compare``, with items, clusters and domains, or of ``outscore rank``."""
    import outscore

    systems, gold = translations()
    items = {"document": [f"d{i // 10}" for i in range(SEGMENTS)], "domain": ["news", "talks", "mail", "law"] * 500}
    how: dict[str, Any] = {"references": [gold], "metrics": ["bleu", "chrf"], "items": items, "n_resamples": 1_000}
    if command == "rank":
        return outscore.rank(systems, cluster="document", blocks="domain", **how).to("html")
    return outscore.compare(systems, cluster="document", flips="auto", **how).to("html")


def opened(playwright: Any, program: str, path: Path) -> dict[str, tuple[float, float]]:
    """Seconds of the clock and of the processors from the beginning of the opening, by what is there then."""
    browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
    try:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto("about:blank")
        time.sleep(0.3)
        start, used = time.perf_counter(), children()

        def since() -> tuple[float, float]:
            return time.perf_counter() - start, children() - used

        found = {}
        page.goto(path.as_uri(), wait_until="load")
        # a click that changes the page shows that it can be used
        page.evaluate("document.querySelector('.sort').click()")
        assert page.locator("th[aria-sort]").count() == 1
        found["ready"] = since()
        page.wait_for_function(_PAINTED, timeout=60_000)
        found["painted"] = page.evaluate(_PAINTED) / 1000, math.nan
        return found
    finally:
        browser.close()


def children() -> float:
    """Processor seconds of the processes that this one started, and of theirs (Linux; elsewhere 0)."""
    if not Path("/proc/self/stat").exists():
        return 0.0
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        parents[int(folder.name)] = int(fields[1])
        ticks[int(folder.name)] = int(fields[11]) + int(fields[12])
    mine = {os.getpid()}
    while more := {child for child, parent in parents.items() if parent in mine} - mine:
        mine |= more
    return sum(ticks[one] for one in mine - {os.getpid()}) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=5, help="openings of each page (default 5)")
    parser.add_argument("--json", type=Path, help="keep the figures here")
    parser.add_argument("--keep", type=Path, help="keep the pages in this folder")
    given = parser.parse_args()
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        sys.exit("opening.py: chromium is not installed")
    from playwright.sync_api import sync_playwright

    print(machine.description())
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {machine.cores()} cores; medians of {given.n} openings")
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        for command in ("compare", "rank"):
            path = (given.keep or Path(folder)) / f"{command}.html"
            path.write_text(report(command), encoding="utf-8")
            runs = [opened(playwright, program, path) for _ in range(given.n)]
            size = path.stat().st_size
            print(f"\n{command}: {SYSTEMS} systems, {SEGMENTS:,} segments, two metrics, {size / 1e6:.2f} MB")
            print(f"{'':14} {'seconds':>8} {'CPU s':>8}")
            figures[command] = {"bytes": size}
            for what in COUNTED:
                wall, cpu = (statistics.median(run[what][i] for run in runs) for i in (0, 1))
                figures[command][what] = {"wall_s": wall} | ({} if math.isnan(cpu) else {"cpu_s": cpu})
                print(f"{what:14} {wall:8.2f}" + ("" if math.isnan(cpu) else f" {cpu:8.2f}"))
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
