#!/usr/bin/env python3
"""Times every kind of work of outscore against a program that does it today, in one run and in turn.

Prints a table and keeps it as JSON. A row that fails is marked as failed, and the others go on.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import machine
from inputs import Inputs
from measure import Bench, Cost
from rows import ROWS, Row
from table import HEADER, Figure, markdown, terminal

T = TypeVar("T")

FOLDERS = ("paired-perm-test", "mt-metrics-eval")
"""Peers that are Python code without a package: their folders below that of the peers are put on the path."""


def figure(bench: Bench, row: Row) -> Figure:
    """Measures both sides of a row; without the peer, ours beside the figure that was recorded of it."""
    peer = row.peer
    try:
        if peer.found(bench.inputs):
            ours, theirs, ratio, runs = bench.in_turn(row.ours, peer.side)
            labels = ("peer run once",) if runs == 1 < bench.runs else ()
            return Figure(row, ours, theirs, ratio, runs, labels)
        ours = bench.alone(row.ours)
        if peer.recorded is None:
            return Figure(row, ours, labels=("peer absent",))
        old = peer.recorded
        label = f"peer absent: recorded figure ({old.settings}; 2 cores, Python 3.11)"
        return Figure(row, ours, Cost(old.wall_s, None, old.peak_mib), old.wall_s / ours.wall_s, 0, (label,))
    except (RuntimeError, OSError, ValueError) as error:
        return Figure(row, labels=(f"failed: {error}",))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=3, help="pairs of runs of each row (default 3)")
    parser.add_argument(
        "--only", metavar="KEY,...", help="rows by the beginnings of their keys; growth for the growth tables"
    )
    parser.add_argument(
        "--peers", type=Path, metavar="DIR", help="peers without a package: paired-perm-test, mt-metrics-eval, multeval"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures here")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables here")
    arguments = parser.parse_args()
    wanted = tuple(arguments.only.split(",")) if arguments.only else ("",)
    rows = [row for row in ROWS if row.key.startswith(wanted)]
    peers = arguments.peers and arguments.peers.resolve()
    _put_on_path(peers)
    about = machine.description()
    found: dict[str, Any] = {"machine": about}
    pages = [about]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Inputs.unpacked(Path(folder), peers), arguments.n)
        if rows:
            figures = [_told(row.key, partial(figure, bench, row)) for row in rows]
            cells = [each.cells for each in figures]
            print(f"{about}\n\n{terminal(HEADER, cells)}")
            found["rows"] = [each.plain for each in figures]
            pages.append(markdown(HEADER, cells))
            _keep(arguments, found, pages)
        if "growth".startswith(wanted):
            # numpy comes into this process only now: what a process starts with counts as memory of those it starts
            from growth import Growth

            growth = _told("growth", lambda: Growth.measured(bench.inputs))
            print(f"\n{growth.terminal}")
            found["growth"] = growth.plain
            pages.append(growth.markdown)
            _keep(arguments, found, pages)


def _told(key: str, work: Callable[[], T]) -> T:
    """The result of the work, which is named on stderr with the seconds that it took."""
    start = time.perf_counter()
    result = work()
    print(f"{key}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    return result


def _keep(arguments: argparse.Namespace, found: dict[str, Any], pages: list[str]) -> None:
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    if arguments.markdown:
        arguments.markdown.write_text("\n\n".join(pages) + "\n", encoding="utf-8")


def _put_on_path(peers: Path | None) -> None:
    """Lets this process find the peers, and the processes that it starts."""
    folders = [str(peers / name) for name in FOLDERS if peers is not None]
    sys.path += folders
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([*([before] if before else []), *folders])


if __name__ == "__main__":
    main()
