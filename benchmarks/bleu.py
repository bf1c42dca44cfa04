#!/usr/bin/env python3
"""Counts BLEU's statistics of 2 and of all systems of WMT 2022, beside sacrebleu, and compares the time.

Both get the same texts and end with the same numbers, which is checked. Each prepares the references once. Seconds are
of the processor, of one core, the least of several rounds.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
from sacrebleu.metrics.bleu import BLEU

from outscore.base.arrays import Float
from outscore.base.items import Items
from outscore.metrics import metrics
from outscore.verbs.shared.extraction import extract

_T = TypeVar("_T")


def texts(data: str) -> tuple[list[list[str]], list[str]]:
    """Outputs of each system, and the first references."""
    root = Path(os.environ.get("OUTSCORE_DATA", Path(__file__).parents[2] / "shared")) / "data"
    with gzip.open(root / data / "segments.tsv.gz", "rt", encoding="utf-8", newline="\n") as lines:
        header, *rows = (line.rstrip("\n").split("\t") for line in lines)
    columns = dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))
    references = next(column for name, column in columns.items() if name.startswith("ref:"))
    return [column for name, column in columns.items() if name.startswith("sys:")], references


def least(rounds: int, work: Callable[[], _T]) -> tuple[float, _T]:
    """Seconds of the fastest round, and what the work gave."""
    seconds = []
    for _ in range(rounds):
        start = time.process_time()
        given = work()
        seconds.append(time.process_time() - start)
    return min(seconds), given


def theirs(systems: list[list[str]], references: list[str]) -> list[Float]:
    oracle = BLEU(force=True, references=[references])
    return [np.array(oracle._extract_corpus_statistics(outputs, None), dtype=float) for outputs in systems]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default="mt_wmt22_de-en", help="a data set of translations (default mt_wmt22_de-en)")
    parser.add_argument("--rounds", type=int, default=5, help="of each (default 5)")
    parser.add_argument("--json", type=Path, help="keep the figures here")
    arguments = parser.parse_args()
    systems, references = texts(arguments.data)
    metric = metrics.make("bleu")
    found = {}
    for some in (systems[:2], systems):
        cells = [Items(n=len(references), outputs=outputs, references=(references,)) for outputs in some]
        ours_s, ours = least(arguments.rounds, lambda cells=cells: extract(metric, cells))  # type: ignore[misc]
        theirs_s, expected = least(arguments.rounds, lambda some=some: theirs(some, references))  # type: ignore[misc]
        if not np.array_equal(ours, expected):
            sys.exit("the statistics differ")
        ratio = theirs_s / ours_s
        found[f"{len(some)} systems"] = {"ours_s": ours_s, "sacrebleu_s": theirs_s, "ratio": ratio}
        print(f"{len(some)} systems, {len(references)} segments of {arguments.data}, one core")
        print(
            f"outscore    {ours_s:.3f} s\nsacrebleu   {theirs_s:.3f} s\ntime: sacrebleu takes {ratio:.1f} times as long"
        )
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
