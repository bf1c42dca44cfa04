#!/usr/bin/env python3
"""Simulates what 0.1.0 got wrong, on the installed version, and writes docs/levels-mended.md.

The counts of a tree stay in its file beside the cells, round by round: what was interrupted goes on where it stopped,
and a cell whose topic was changed begins anew. With PYTHONPATH naming the sources of another version, that one is run.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import sys
import time
import warnings
import zlib
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from holds.cell import Cell
from table import markdown

import outscore
from outscore.base.errors import OutscoreError
from outscore.base.rng import stream

TOPICS = Path(__file__).parent / "holds"
PAGE = Path(__file__).parents[1] / "docs" / "levels-mended.md"
TREES = ("before", "after")
_SEED = 2026
_AT_ONCE = 20
_SAVED_EVERY = 5.0

Kept = dict[str, Any]

_ABOUT = """# Levels that were missed, and now

Made by `python benchmarks/before_after.py`. Where version {before} missed its level, its power or its coverage, the
same simulation was run on it and on what is described here: the same data sets, drawn with the same seeds and given to
the same public functions, with their defaults unless the row names an option. Each row is one simulated rate, in per
cent, with its Monte-Carlo error; *should be* is its nominal value, and a dash stands where rates are only compared.
The cells are in `benchmarks/holds/`. A dash for a version means that it has no such option or gave no answer; where it
gave none on some of the data sets, the share that was answered stands beside the rate. [Level, coverage and power of
every test](levels.md) has the grid of data on which every test is measured."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", choices=TREES, help="what is run; without it, only the page is made")
    parser.add_argument("--only", metavar="TEXT", default="", help="cells whose topic, point or name holds the text")
    parser.add_argument("--rounds", type=float, default=1.0, metavar="TIMES", help="as many times the rounds of a cell")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop after so long; the next call goes on")
    parser.add_argument("--afresh", action="store_true", help="begin the cells anew")
    parser.add_argument("--keep", type=Path, default=TOPICS, metavar="DIR", help="folder of before.json and after.json")
    parser.add_argument("--out", type=Path, default=PAGE, metavar="FILE", help="the page")
    options = parser.parse_args(arguments)
    if options.tree:
        file = options.keep / f"{options.tree}.json"
        measure({key: cell for key, cell in cells().items() if options.only.lower() in key.lower()}, file, options)
    trees = [_held(options.keep / f"{tree}.json") for tree in TREES]
    options.out.write_text(page(*trees), encoding="utf-8")
    return 0


def cells() -> dict[str, Cell]:
    """All cells, by topic and name."""
    found = {}
    for file in sorted(TOPICS.glob("*.py")):
        if file.stem not in ("__init__", "cell"):
            for cell in importlib.import_module(f"holds.{file.stem}").CELLS:
                key = f"{file.stem}: {cell.point}: {cell.name}: {cell.measure}"
                if key in found:
                    raise ValueError(f"two cells are called {key!r}")
                found[key] = cell
    return found


def measure(wanted: dict[str, Cell], file: Path, options: argparse.Namespace) -> None:
    """Rounds that are not kept yet, and the file after every few seconds of them."""
    from joblib import Parallel, delayed

    held = _held(file)
    held["version"] = outscore.__version__
    start = saved = time.perf_counter()

    def work() -> Iterator[Any]:
        for key, cell in wanted.items():
            one = held["cells"].get(key)
            if options.afresh or one is None or one["topic"] != _topic(key):
                held["cells"][key] = {"topic": _topic(key), "rounds": 0, "answered": 0, "sum": 0.0, "squares": 0.0}
            last = math.ceil(cell.rounds * options.rounds)
            for first in range(held["cells"][key]["rounds"], last, _AT_ONCE):
                if time.perf_counter() - start > 60 * options.minutes:
                    return
                yield delayed(_rounds)(key, first, min(first + _AT_ONCE, last))

    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        for key, first, last, values in Parallel(n_jobs=options.jobs, return_as="generator")(work()):
            one, answers = held["cells"][key], [value for value in values if not math.isnan(value)]
            one["rounds"], one["answered"] = last, one["answered"] + len(answers)
            one["sum"], one["squares"] = one["sum"] + sum(answers), one["squares"] + sum(v * v for v in answers)
            if first == 0 or time.perf_counter() - saved > _SAVED_EVERY:
                saved = time.perf_counter()
                _save(file, held)
                print(f"{saved - start:.0f} s: {key}: {last}/{wanted[key].rounds}: {rate(one)}", file=sys.stderr)
    finally:
        _save(file, held)


def _rounds(key: str, first: int, last: int) -> tuple[str, int, int, list[float]]:
    """Each data set has a stream of its own, the same whatever else is run; what is refused is not answered."""
    run = cells()[key].run
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(first, last):
            try:
                found.append(float(run(stream(_SEED, key, number))))
            except (OutscoreError, TypeError):  # an option that the version does not have, too
                found.append(math.nan)
    return key, first, last, found


def _topic(key: str) -> int:
    """The text of the cell's file: rounds of another text are not added to."""
    return zlib.crc32((TOPICS / f"{key.partition(':')[0]}.py").read_bytes())


def _held(file: Path) -> Kept:
    if not file.exists():
        return {"version": "", "cells": {}}
    kept: Kept = json.loads(file.read_text(encoding="utf-8"))
    return kept


def _save(file: Path, held: Kept) -> None:
    """A line for each cell, so that changes can be read."""
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(one)}" for key, one in sorted(held["cells"].items()))
    part = file.with_suffix(".part")
    part.write_text(f'{{"version": {json.dumps(held["version"])}, "cells": {{\n{lines}\n}}}}\n', encoding="utf-8")
    part.replace(file)


def page(before: Kept, after: Kept) -> str:
    """The table of each point; cells that neither tree has been asked are left out."""
    old = before["version"] or "0.1.0"
    parts = [_ABOUT.format(before=old)]
    header = ("data", "rate", "should be", "data sets", old, "now")
    measured = [(key, cell) for key, cell in cells().items() if key in before["cells"] or key in after["cells"]]
    by_point = sorted(measured, key=lambda each: each[1].point)
    for point, group in groupby(by_point, key=lambda each: each[1].point):
        rows = []
        for key, cell in group:
            both = [before["cells"].get(key), after["cells"].get(key)]
            sets = " and ".join(dict.fromkeys(f"{one['rounds']:,}" for one in both if one and one["rounds"]))
            nominal = "-" if cell.nominal is None else f"{100 * cell.nominal:.3g}"
            rows.append((cell.name, cell.measure, nominal, sets, *(rate(one) for one in both)))
        title = point.lstrip("0123456789. ")
        parts.append(f"## {title[0].upper()}{title[1:]}\n\n{markdown(header, rows)}")
    return "\n\n".join(parts) + "\n"


def rate(one: Kept | None) -> str:
    """Per cent with the error, which is that of one hit where there is none."""
    if not one or not one["answered"]:
        return "-"
    n = one["answered"]
    mean = one["sum"] / n
    variance = max(one["squares"] / n - mean**2, (n - 1) / n**2)
    silent = f" (of {n / one['rounds']:.0%})" if n < one["rounds"] else ""
    return f"{100 * mean:.1f} ± {100 * math.sqrt(variance / n):.1f}{silent}"


if __name__ == "__main__":
    sys.exit(main())
