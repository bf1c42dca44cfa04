"""First sight of a file: which readers need not be asked about it, so that they are never imported."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from typing import Any

from outscore.data.columns import known
from outscore.data.readers import Sniffed

SIGNS: dict[str, tuple[str, ...]] = {
    "alpaca_eval": ("json",),
    "comet": ("json", "tab"),
    "conll": ("columns", "tab"),
    "conllu": ("tab", ".conllu", ".conllx"),
    "evalb": ("report",),
    "helm": ("json",),
    "inspect_log": ("json", "zip"),
    "jsonl": ("json", ".jsonl", ".ndjson", ".json"),
    "kaldi": ("marked",),
    "lm_eval": ("object",),
    "metricx": ("object",),
    "mt_metrics_eval": (".score",),
    "naacl": ("numbers", ".wa", ".naacl"),
    "nemo": ("object",),
    "parquet": ("parquet",),
    "pharaoh": ("numbers", ".talp"),
    "qrels": ("columns", "tab"),
    "sacrebleu": ("json", "bar"),
    "scores": ("columns", ".scores", ".score"),
    "squad_predictions": ("json",),
    "swe_bench": ("json",),
    "table": ("header", ".csv", ".tsv"),
    "trec": ("columns", "tab"),
    "trees": ("brackets", ".mrg", ".ptb"),
    "trn": ("ends", ".trn"),
}
"""For modules of readers: every file that the reader takes for its own shows one of these signs.

A reader that is not named here is asked about every file.
"""

_CELLS = re.compile(r"[,;|\t]")
_DIGIT = re.compile(rb"\d")
_COMMENTS = (b"# ", b"#begin ", b"#end ")


def out_of_question(head: Sniffed) -> set[str]:
    """Modules of readers that will not know a file with this name and these first bytes."""
    seen = _signs(head.start.removeprefix(codecs.BOM_UTF8)) | {head.suffix}
    return {module for module, signs in SIGNS.items() if seen.isdisjoint(signs)}


def _signs(start: bytes) -> set[str]:
    """Signs of formats at the beginning of a file, by name."""
    lines = [line for line in start.split(b"\n") if line and not line.isspace()]
    begins = Counter(line.lstrip()[:1] for line in lines)
    widths = Counter(len(line.split()) for line in lines if not line.startswith(_COMMENTS))
    header = lines[0].decode(errors="replace") if lines else ""
    shown = {
        "zip": start.startswith(b"PK\x03\x04"),
        "parquet": start.startswith(b"PAR1"),
        "json": start.lstrip()[:1] in (b"{", b"["),
        "object": any(line.lstrip().startswith(b"{") for line in lines[:20]),
        "tab": b"\t" in start,
        "bar": b"|" in start,
        "report": any(b"Matched" in line for line in lines[:20]),
        "header": any(known(cell.strip(' "\r')) for cell in _CELLS.split(header)),
        "numbers": _many(sum(begins[b"%d" % digit] for digit in range(10)), begins),
        "marked": _many(sum(_DIGIT.search(line.split()[0]) is not None for line in lines), begins),
        "ends": _many(sum(line.rstrip().endswith(b")") for line in lines), begins),
        "columns": _many(max(widths.values(), default=0), widths),
        "brackets": begins[b"("] > 0 and (_many(begins[b"("], begins) or any(line[:1].isspace() for line in lines)),
    }
    return {sign for sign, is_there in shown.items() if is_there}


def _many(count: int, lines: Counter[Any]) -> bool:
    """A quarter of the lines or more: readers want half of them, of those that are no comments."""
    return 4 * count >= lines.total()
