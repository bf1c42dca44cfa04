#!/usr/bin/env python3
"""Counts TER's statistics of a system of MultEval's example (2,489 segments), beside sacrebleu, and compares the time.

Both get the same texts and end with the same numbers, which is checked. Seconds are of the processor, of one core.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import time
from pathlib import Path

import numpy as np
from sacrebleu.metrics.ter import TER

from outscore.base.items import Items
from outscore.metrics import metrics


def texts(system: str) -> tuple[list[str], list[str]]:
    """Outputs of the system, and the references."""
    root = Path(os.environ.get("OUTSCORE_DATA", Path(__file__).parents[2] / "shared")) / "data"
    with gzip.open(root / "mt_multeval_opt" / "segments.tsv.gz", "rt", encoding="utf-8", newline="\n") as lines:
        header, *rows = (line.rstrip("\n").split("\t") for line in lines)
    output, reference = header.index(f"sys:{system}"), header.index("ref:0")
    return [row[output] for row in rows], [row[reference] for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--system", default="baseline.opt0", help="a system of the example (default baseline.opt0)")
    parser.add_argument("--json", type=Path, help="keep the figures here")
    arguments = parser.parse_args()
    outputs, references = texts(arguments.system)
    items = Items(n=len(outputs), outputs=outputs, references=(references,))
    metric, oracle = metrics.make("ter"), TER()
    start = time.process_time()
    ours = metric.statistics(items)
    between = time.process_time()
    theirs = oracle._extract_corpus_statistics(outputs, [references])
    end = time.process_time()
    if not np.array_equal(ours, theirs):
        sys.exit("the statistics differ")
    found = {"ours_s": between - start, "sacrebleu_s": end - between, "ratio": (end - between) / (between - start)}
    print(f"{len(outputs)} segments of {arguments.system}, one core")
    print(f"outscore    {found['ours_s']:.2f} s\nsacrebleu   {found['sacrebleu_s']:.2f} s")
    print(f"time: sacrebleu takes {found['ratio']:.1f} times as long (to reach: 10)")
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
