"""Translations of several test sets, a column for each stream of references and each system."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SETS = ["mt_multeval_opt", "mt_wmt21_en-de", "mt_wmt22_de-en", "mt_wmt24_en-de_domains"]


def columns(data_root: Path, name: str = SETS[0]) -> dict[str, list[str]]:
    """The texts of ``ref:0``, ``sys:baseline.opt0`` and so on."""
    with gzip.open(data_root / "data" / name / "segments.tsv.gz", "rt", encoding="utf-8", newline="\n") as lines:
        header, *rows = (line.rstrip("\n").split("\t") for line in lines)
    return dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))


def translations(data_root: Path, name: str) -> tuple[list[list[str]], list[list[str]]]:
    """Outputs of each system, and streams of references."""
    texts = columns(data_root, name)
    return [v for k, v in texts.items() if k.startswith("sys:")], [v for k, v in texts.items() if k.startswith("ref:")]


def without_missing(references: Sequence[Sequence[str]]) -> list[list[Any]]:
    """Streams in which an empty reference beside others is None, which is how sacrebleu leaves it out."""
    items = zip(*references, strict=True)
    kept = [[r or None for r in item] if any(item) else ["", *(None for _ in item[1:])] for item in items]
    return [list(stream) for stream in zip(*kept, strict=True)]
