"""Boards of many systems by several metrics, and of 69 systems by BLEU: what is found of nothing, and of something."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import outscore
from holds.cell import Cell

_POINT = "large boards"
_ALPHA = 0.05
_VOCABULARY = 300


def _found(result: Any) -> float:
    """The share of pairs whose corrected p is at most alpha."""
    return float(np.mean([pair.p_adjusted is not None and pair.p_adjusted <= _ALPHA for pair in result.pairs]))


def _any(result: Any) -> float:
    return float(_found(result) > 0)


def _metrics(step: float, judge: Callable[[Any], float]) -> Callable[[np.random.Generator], float]:
    """23 systems by five metrics of 200 items, correlated .7 over metrics and .5 over systems, a step apart each."""

    def run(rng: np.random.Generator) -> float:
        import pandas

        own = np.sqrt(0.7) * rng.normal(size=(23, 200, 1)) + np.sqrt(0.3) * rng.normal(size=(23, 200, 5))
        scores = own + rng.normal(size=(200, 5)) - step * np.arange(23)[:, None, None]
        table = pandas.DataFrame(
            {
                "system": np.repeat([f"s{i:02}" for i in range(23)], 200),
                "item": np.tile(np.arange(200), 23),
                **{f"m{j}": scores[:, :, j].ravel() for j in range(5)},
            }
        )
        return judge(outscore.rank(table, metrics=[f"m{j}" for j in range(5)], progress=None))

    return run


def _texts(step: float, judge: Callable[[Any], float]) -> Callable[[np.random.Generator], float]:
    """69 outputs of 200 sentences of 4 to 20 words, of which each gets more words wrong than the last by a step."""

    def run(rng: np.random.Generator) -> float:
        lengths = rng.integers(4, 21, size=200)
        gold = [rng.integers(_VOCABULARY, size=n) for n in lengths]
        hard = rng.beta(2, 3, size=200)
        systems = {}
        for i in range(69):
            lines = []
            for words, share in zip(gold, hard, strict=True):
                wrong = rng.random(words.size) < share + step * i
                lines.append(
                    " ".join(f"w{w}" for w in np.where(wrong, rng.integers(_VOCABULARY, size=words.size), words))
                )
            systems[f"s{i:02}"] = lines
        reference = [" ".join(f"w{w}" for w in words) for words in gold]
        return judge(outscore.rank(systems, references=reference, metrics="bleu", n_resamples=999, progress=None))

    return run


CELLS = (
    Cell(point=_POINT, name="23 equal systems by five metrics, 200 items", measure="family-wise error", nominal=_ALPHA,
         run=_metrics(0, _any), rounds=300),
    Cell(point=_POINT, name="23 systems by five metrics, .1 sd apart each, 200 items", measure="share of pairs found",
         nominal=None, run=_metrics(0.1, _found), rounds=100),
    Cell(point=_POINT, name="69 equal systems by BLEU, 200 segments", measure="family-wise error", nominal=_ALPHA,
         run=_texts(0, _any), rounds=300),
    Cell(point=_POINT, name="69 systems by BLEU, each .005 more words wrong, 200 segments",
         measure="share of pairs found", nominal=None, run=_texts(0.005, _found), rounds=100),
)  # fmt: skip
