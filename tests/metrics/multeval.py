"""The translations of MultEval's example: 2489 segments, one reference, two systems with three runs."""

from __future__ import annotations

import gzip
from pathlib import Path


def columns(data_root: Path) -> dict[str, list[str]]:
    """The texts of ``ref:0``, ``sys:baseline.opt0`` and so on."""
    path = data_root / "data" / "mt_multeval_opt" / "segments.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        header, *rows = (line.rstrip("\n").split("\t") for line in lines)
    return dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))
