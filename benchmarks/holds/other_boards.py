"""Boards that are not of normal scores: three systems on ten items, scores with ties, two kinds, unequal documents."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import outscore
from holds.cell import Cell
from outscore.base.arrays import Float

_POINT = "boards of other kinds"
_ALPHA = 0.05
_FEW: dict[str, Any] = {"n_resamples": 999, "progress": None}


def _erring(result: Any) -> float:
    """Whether any corrected p of equal systems is at most alpha beside an interval without 0."""
    return float(
        any(
            p.p_adjusted is not None and p.p_adjusted <= _ALPHA and not (p.ci and p.ci[0] <= 0 <= p.ci[1])
            for p in result.pairs
        )
    )


def _named(rows: Any) -> dict[str, Any]:
    return {f"s{i}": list(row) for i, row in enumerate(rows)}


def _few(rng: np.random.Generator) -> float:
    return _erring(outscore.rank(_named(rng.normal(size=(3, 10))), **_FEW))


def _ties(rng: np.random.Generator, *, systems: int, items: int) -> float:
    """Marks 0, ½ and 1 of items that are hard or easy, as rubrics and partial credit give them."""
    chance = rng.beta(1, 1, items)
    return _erring(outscore.rank(_named(rng.binomial(2, chance, (systems, items)) / 2), **_FEW))


def _words(rng: np.random.Generator, lengths: Any, hard: Float, systems: int) -> tuple[dict[str, Any], list[str]]:
    """Outputs that get each word wrong with the chance of their line, and the reference."""
    gold = [rng.integers(300, size=n) for n in lengths]
    made = [
        [
            np.where(rng.random(len(words)) < share, rng.integers(300, size=len(words)), words)
            for words, share in zip(gold, hard, strict=True)
        ]
        for _ in range(systems)
    ]
    return _named([[" ".join(f"w{w}" for w in line) for line in one] for one in made]), [
        " ".join(f"w{w}" for w in line) for line in gold
    ]


def _mixed(rng: np.random.Generator) -> float:
    """Three equal systems by BLEU and by whether the whole line is right."""
    systems, reference = _words(rng, rng.integers(4, 13, size=60), rng.beta(1, 6, size=60), 3)
    return _erring(outscore.rank(systems, references=reference, metrics="bleu,exact_match", **_FEW))


def _documents(rng: np.random.Generator, *, covers: bool = False) -> float:
    """Two equal systems by BLEU, in 25 documents of 1 to 40 lines that are hard or easy for each of them."""
    sizes = np.rint(np.geomspace(1, 40, 25)).astype(int)
    place = np.repeat(np.arange(25), sizes)
    lengths = rng.integers(4, 21, size=len(place))
    seed = int(rng.integers(2**31))  # both get the same words wrong where their documents are as hard
    made = [_words(np.random.default_rng(seed), lengths, rng.beta(2, 3, 25)[place], 1) for _ in range(2)]
    systems = {name: outputs["s0"] for name, (outputs, _) in zip("ab", made, strict=True)}
    items = {"doc": place.tolist()}
    found = outscore.compare(systems, references=made[0][1], metrics="bleu", items=items, cluster="doc", progress=None)
    pair = found.pairs[0]
    if covers:
        return float(pair.ci is not None and pair.ci[0] <= 0 <= pair.ci[1])
    return float("nan") if pair.p_value is None else float(pair.p_value <= _ALPHA)


def _cell(name: str, run: Any, measure: str = "family-wise error", nominal: float = _ALPHA) -> Cell:
    return Cell(point=_POINT, name=name, measure=measure, nominal=nominal, run=run, rounds=600)


CELLS = (
    _cell("all pairs of 3 equal systems, 10 normal items", _few),
    *(
        _cell(f"all pairs of 8 equal systems with marks 0, ½ and 1, {n} items", partial(_ties, systems=8, items=n))
        for n in (20, 50, 200)
    ),
    _cell("all pairs of 3 equal systems by BLEU and exact match, 60 lines", _mixed),
    _cell("equal BLEU in 25 documents of 1 to 40 lines", _documents, "level"),
    _cell("equal BLEU in 25 documents of 1 to 40 lines", partial(_documents, covers=True), "coverage", 0.95),
)  # fmt: skip
