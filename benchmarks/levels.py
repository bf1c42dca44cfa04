#!/usr/bin/env python3
"""Measures level, coverage and power of every registered test over a grid of data, writes docs/levels*.md and .json.

With --only or --families, what is measured takes its place among what is there. Ends with exit code 1 where a test
fails its level and no note says so.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grid.cell import Cell, Rounds, measured
from grid.family import Family
from grid.groups import GROUPS
from grid.page import outdone, pages, unnoted
from grid.pairs import PAIRS
from grid.peers import PEERS
from grid.procedures import procedures
from grid.samples import SAMPLES
from grid.uneven import UNEVEN

FAMILIES: tuple[Family, ...] = (*PAIRS, *UNEVEN, *SAMPLES, *GROUPS)
_EFFECT = 4
_QUICK = Rounds(40, 20)
_QUICK_SIZES = 2
_MANY = 100


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1500, help="data sets of a cell without an effect (default 1500)")
    parser.add_argument(
        "--few",
        type=int,
        metavar="ROUNDS",
        help=f"data sets where there are fewer than {_MANY} items (default: as many)",
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--resume", type=Path, metavar="DIR", help="keep cells here, and take those that are there")
    parser.add_argument(
        "--only", metavar="TEST,...", help="these tests, by name or with an option; auto is the default"
    )
    parser.add_argument("--families", metavar="TEXT,...", help="families of data whose names hold one of the texts")
    parser.add_argument("--quick", action="store_true", help="few data sets and few sizes, to see whether it runs")
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "docs", metavar="DIR", help="where to")
    options = parser.parse_args(arguments)
    rounds = _QUICK if options.quick else Rounds(options.rounds, max(1, options.rounds // _EFFECT))
    only = frozenset(options.only.split(",")) if options.only else frozenset()
    few = Rounds(options.few, max(1, options.few // _EFFECT)) if options.few else rounds
    named = tuple(options.families.split(",")) if options.families else ("",)
    families = [family for family in FAMILIES if any(text in f"{family.kind}: {family.name}" for text in named)]
    kept = _there(options.out / "levels.json") if only or options.families else None
    if kept and kept["rounds"] != [rounds.null, rounds.effect]:
        parser.error(f"what is there was measured with --rounds {kept['rounds'][0]}: give as many, or another --out")
    found = _rounded(grid(families, (few, rounds), only, options.jobs, options.resume, quick=options.quick))
    found = merged(kept["cells"] if kept else [], found)
    absent = sorted(peer.name for peer in PEERS.values() if peer.absent)
    options.out.mkdir(parents=True, exist_ok=True)
    for name, text in pages(found, FAMILIES, absent, (rounds.null, rounds.effect)).items():
        (options.out / f"{name}.md").write_text(text, encoding="utf-8")
    (options.out / "levels.json").write_text(_json(found, rounds, absent), encoding="utf-8")
    for cell, row, peer in outdone(found):
        apart, error = peer["difference"]
        print(f"less power: {_named(cell, row)}: {apart:+.3f} ± {error:.3f} beside {peer['peer']}", file=sys.stderr)
    silent = unnoted(found)
    for cell, row in silent:
        print(f"fails without a note: {_named(cell, row)}: {row['level_0.05'][0]:.3f}", file=sys.stderr)
    return 1 if silent else 0


def merged(kept: Sequence[Cell], found: Sequence[Cell]) -> list[Cell]:
    """Cells that were kept, with the rows that were found in place of theirs, and cells that are new.

    A family that is gone takes its cells with it; so do the rows of a cell that is measured with other numbers of data
    sets.
    """
    of_names = {(family.kind, family.name): order for order, family in enumerate(FAMILIES)}
    cells: dict[tuple[int, int], Cell] = {}
    for cell in (*kept, *found):
        order = of_names.get((cell["kind"], cell["family"]))
        if order is None:
            continue
        old = cells.get((order, cell["n"]))
        rows = {row["test"]: row for row in old["tests"]} if old and old["rounds"] == cell["rounds"] else {}
        rows |= {row["test"]: row for row in cell["tests"]}
        refused = {**(old["refused"] if old else {}), **cell["refused"]}
        cells[order, cell["n"]] = {
            **cell,
            "order": order,
            "tests": list(rows.values()),
            "refused": {test: why for test, why in refused.items() if test not in rows},
        }
    return [cells[key] for key in sorted(cells)]


def _there(file: Path) -> dict[str, Any] | None:
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def grid(
    families: Sequence[Family],
    rounds: tuple[Rounds, Rounds],
    only: frozenset[str],
    jobs: int,
    keep: Path | None,
    *,
    quick: bool,
) -> list[Cell]:
    """All cells, those of large data first to be measured; in the order of the families.

    ``rounds`` are those of cells with few items, and of the others.
    """
    from joblib import Parallel, delayed

    sizes = {
        family: family.sizes[1 :: len(family.sizes) // _QUICK_SIZES] if quick else family.sizes for family in families
    }
    cells = [(family, n) for family in families for n in sizes[family] if procedures(family, n, only)]
    wanted = sorted(cells, key=lambda each: -each[1])
    start = time.perf_counter()
    found = {}
    work = Parallel(n_jobs=jobs, return_as="generator_unordered")(
        delayed(_kept)(FAMILIES.index(family), n, rounds[n >= _MANY], only, keep) for family, n in wanted
    )
    for done, (order, cell) in enumerate(work, 1):
        found[order, cell["n"]] = cell
        passed = time.perf_counter() - start
        print(
            f"{done}/{len(wanted)} {cell['kind']}: {cell['family']}, n = {cell['n']}; {passed:.0f} s", file=sys.stderr
        )
    return [found[key] for key in sorted(found)]


def _kept(order: int, n: int, rounds: Rounds, only: frozenset[str], keep: Path | None) -> tuple[int, Cell]:
    """A cell, from its file where it has been measured in the same way."""
    family = FAMILIES[order]
    way = [rounds.null, rounds.effect, sorted(only)]
    file = None if keep is None else keep / f"{order:02d}-{n}.json"
    if file is not None and file.exists():
        held = json.loads(file.read_text(encoding="utf-8"))
        if held["way"] == way and held["cell"]["family"] == family.name:
            return order, held["cell"]
    cell = {"order": order, **measured(family, n, rounds, only)}
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        part.write_text(json.dumps({"way": way, "cell": cell}), encoding="utf-8")
        part.replace(file)
    return order, cell


def _json(cells: Sequence[Cell], rounds: Rounds, absent: Sequence[str]) -> str:
    """A line for each cell, so that changes can be read."""
    head: dict[str, Any] = {"rounds": [rounds.null, rounds.effect], "absent_peers": list(absent)}
    lines = ",\n".join(json.dumps(cell, allow_nan=False, separators=(",", ":")) for cell in cells)
    return f'{json.dumps(head)[:-1]}, "cells": [\n{lines}\n]}}\n'


def _rounded(value: Any) -> Any:
    """Five digits, in the page as in the JSON, so that either can be made of the other."""
    if isinstance(value, float):
        return round(value, 5)
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list) else value


def _named(cell: Cell, row: dict[str, Any]) -> str:
    return f"{row['test']} on {cell['kind']}: {cell['family']}, n = {cell['n']}"


if __name__ == "__main__":
    sys.exit(main())
