"""Outputs that are empty are said by every verb that scores texts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

import outscore
from tests.cli.commandline import outscore as command

FEW: dict[str, Any] = {"metrics": "bleu", "n_resamples": 99}
N = 300
WORDS = [f"w{i}" for i in range(3000)]
COMMON = list(accumulate(1 / (i + 1) for i in range(len(WORDS))))
"""How often each word stands in texts: by Zipf's law."""


def sentence(draw: random.Random, size: int | None = None) -> list[str]:
    return draw.choices(WORDS, cum_weights=COMMON, k=draw.randrange(5, 30) if size is None else size)


def texts(seed: int = 1, n: int = N, size: int | None = None) -> list[str]:
    draw = random.Random(seed)
    return [" ".join(sentence(draw, size)) for _ in range(n)]


def rendered(lines: Sequence[str], kept: float = 0.6, seed: int = 2) -> list[str]:
    """The lines as a system has them, with a share of their words."""
    draw = random.Random(seed)
    return [" ".join(word if draw.random() < kept else sentence(draw, 1)[0] for word in line.split()) for line in lines]


def said(code: str, found: Any) -> list[str]:
    return [note.text for note in found.notes if note.code == code]


def compare(outputs: Sequence[str], references: Sequence[str], **how: Any) -> Any:
    return outscore.compare({"base": list(references), "b": list(outputs)}, references=references, **{**FEW, **how})


def emptied(lines: Sequence[str], count: int) -> list[str]:
    return ["" if i < count else line for i, line in enumerate(lines)]


GOLD = texts()


@pytest.mark.parametrize(("count", "note"), [(0, False), (1, False), (2, False), (3, True), (75, True)])
def test_empty_outputs_are_counted_from_one_in_a_hundred_on(count: int, note: bool) -> None:
    expected = [f"outputs are empty where the references are not: {count} of 300 of 'b'"] if note else []
    assert said("many_empty", compare(emptied(GOLD, count), GOLD)) == expected


def test_empty_outputs_of_files_are_said_by_every_verb(tmp_path: Path) -> None:
    files = {"ref": GOLD[:40], "a": rendered(GOLD[:40]), "b": emptied(GOLD[:40], 10)}
    for name, lines in files.items():
        (tmp_path / f"{name}.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")
    for verb in ("compare", "rank", "score"):
        done = command(verb, "-r", tmp_path / "ref.txt", tmp_path / "a.txt", tmp_path / "b.txt", "-m", "chrf")
        assert done.code == 0
        assert "empty where the references are not: 10 of 40 of 'b'" in " ".join(done.out.split())


def test_outputs_may_be_empty_where_references_are_or_nothing_reads_them() -> None:
    gold = emptied(GOLD, 75)
    assert not said("many_empty", compare(gold, gold))
    frame = {
        "system": [*["a"] * 4, *["b"] * 4],
        "item": [1, 2, 3, 4] * 2,
        "output": ["x", "x", "x", "x", "x", "", "", ""],
        "reference": ["x"] * 8,
        "score": [0.1, 0.2, 0.3, 0.4] * 2,
    }
    pandas = pytest.importorskip("pandas")
    assert said("many_empty", outscore.compare(pandas.DataFrame(frame), metrics="exact_match"))
    assert not said("many_empty", outscore.compare(pandas.DataFrame(frame), metrics="mean:column=score"))


def test_those_with_most_empty_outputs_are_named() -> None:
    outputs = {f"s{k}": emptied(GOLD, k) for k in (2, 5, 9, 80, 7)}
    assert said("many_empty", outscore.score(outputs, references=GOLD, metrics="bleu")) == [
        "outputs are empty where the references are not: 80 of 300 of 's80', 9 of 300 of 's9', 7 of 300 of 's7', and "
        "some of 1 more system"
    ]


def test_all_runs_of_a_system_are_counted_together() -> None:
    runs = [rendered(GOLD), emptied(rendered(GOLD), 30)]
    found = outscore.score({"a": runs}, references=GOLD, metrics="bleu")
    assert said("many_empty", found) == ["outputs are empty where the references are not: 30 of 600 of 'a'"]
