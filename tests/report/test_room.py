"""What stands on a first screen with little room: whose lines go first, for all that is asked beside each other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import outscore
from outscore.base.notes import Note
from outscore.report.model import Table
from outscore.results.comparison import Comparison
from tests.report.builders import check_golden

LONG = ("a-system-with-a-name-of-forty-four-characters", "Meta-Llama-3-8B-Instruct", "Mistral-7B-Instruct-v0.2")
SHORT = ("ash", "birch", "cedar")
ANSWERS = ("few_to_exchange", "labels_joined", "looks_missing", "mixed_scale", "paired_data", "zero_variance")
CLAIMS = ("few_items", "few_runs", "small_pilot")
ASKED: dict[str, dict[str, Any]] = {
    "nothing": {},
    "margin": {"margin": 0.05, "all_pairs": True},
    "parts": {"by": "genre"},
    "posterior": {"posterior": "auto", "margin": 0.3},
    "all": {"posterior": "auto", "by": "genre", "flips": 4, "all_pairs": True},
}


def compared(names: tuple[str, ...], metrics: list[str], **asked: Any) -> Comparison:
    rng = np.random.default_rng(11)
    documents = np.repeat(rng.normal(size=12), 4)
    table = [
        {"system": name, "item": i, "document": i // 4, "genre": f"g{i % 3}", "fluency": v, "ok": float(v > -0.4)}
        for name, share in zip(names, np.linspace(0, 0.9, len(names)), strict=True)
        for i, v in enumerate((rng.normal(size=48) + documents * share).tolist())
    ]
    return outscore.compare(pd.DataFrame(table), metrics=metrics, test="t", **asked)


def noted(code: str, words: int) -> Note:
    said = " ".join(f"{code[:3]}{i}{',' * (i % 9 == 8)}" for i in range(words))
    return Note(code=code, text=f"{code} (in words): {said}", remedy="do otherwise")


def screens(made: Comparison) -> str:
    """The screens with notes of many lengths beside those that the data give."""
    shown = []
    for answers, claims, words in ((0, 0, 0), (0, 3, 30), (1, 3, 60), (2, 1, 9), (4, 2, 40), (6, 1, 60)):
        notes = [*(noted(code, words) for code in ANSWERS[:answers]), *(noted(code, words) for code in CLAIMS[:claims])]
        shown += [replace(made, notes=(*made.notes, *notes)).to(f"terminal:columns={c}") for c in (80, 100)]
    return "\n".join(shown)


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("names", [SHORT, LONG], ids=["short", "long"])
def test_three_systems_by_two_metrics_leave_what_matters_least(names: tuple[str, ...], asked: str) -> None:
    made = compared(names, ["fluency", "ok"], **ASKED[asked])
    check_golden(f"room.three.{len(names[0])}.{asked}.txt", screens(made))


@pytest.mark.parametrize(
    ("n", "asked"), [(5, "nothing"), (5, "parts"), (9, "nothing"), (9, "posterior"), (24, "parts")]
)
def test_boards_leave_what_matters_least(n: int, asked: str) -> None:
    names = tuple(f"{LONG[i % 3]}-{i}" if n == 9 else f"s{i:02}" for i in range(n))
    made = compared(names, ["fluency", "ok"][: 1 + (n in (5, 24))], **ASKED[asked])
    check_golden(f"room.{n}.{asked}.txt", screens(made))


def test_a_name_without_end_is_not_laid_out_in_every_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 6,000 characters that took a minute."""
    tried: set[int] = set()
    shorten = Table.shorten_names

    def count(table: Table, most: int) -> Table:
        tried.add(most)
        return shorten(table, most)

    monkeypatch.setattr(Table, "shorten_names", count)
    made = compared(("a" * 6000, "birch", "cedar", "dogwood", "elm"), ["fluency"])
    notes = (*made.notes, *(noted(code, 60) for code in ANSWERS))
    assert "aaa...aaa" in replace(made, notes=notes).to("terminal:columns=80")
    assert 0 < len(tried) <= 160
