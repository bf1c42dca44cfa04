"""Skewed and rare gains, with the notes that go with them; p and interval as they decide together and alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

import outscore
from holds.cell import Cell

Float = npt.NDArray[np.float64]
Gains = Callable[[np.random.Generator, int], Float]
WARNS = {"few_differences", "skewed", "few_items_decide"}


def exponential(rng: np.random.Generator, n: int) -> Float:
    return rng.exponential(1.0, n) - 1.0


def rare(often: float, rest: float, rng: np.random.Generator, n: int) -> Float:
    """Gains of 9 in a share ``often`` of the items, losses of 1 in nine times as many; ``rest`` is how many differ."""
    u = rng.random(n)
    return np.where(u < often, 9.0, np.where(u < rest, -1.0, 0.0))


GAINS: Mapping[str, Gains] = {
    "exponential gains less their mean": exponential,
    "one in ten gains large": partial(rare, 0.1, 1.0),
    "one in a hundred gains large, one in ten differs": partial(rare, 0.01, 0.1),
}


def _pair(rng: np.random.Generator, gains: Gains, n: int) -> Any:
    base = rng.integers(0, 10, n).astype(float)
    return outscore.compare({"base": base, "new": base + gains(rng, n)}, n_resamples=999).pairs[0]


def rejected(gains: Gains, n: int, rng: np.random.Generator) -> float:
    p = _pair(rng, gains, n).p_value
    return float("nan") if p is None else float(p <= 0.05)


def without_a_word(gains: Gains, n: int, rng: np.random.Generator) -> float:
    """Whether the default rejects and no note says that skewness can be the reason."""
    pair = _pair(rng, gains, n)
    return float((pair.p_value or 1.0) <= 0.05 and not WARNS & set(pair.notes))


def apart_without_a_word(n: int, rng: np.random.Generator) -> float:
    """Whether Welch rejects equal means of systems measured apart, one in 50 scores of one of them large, unnoted."""
    scores = {"base": np.where(rng.random(n) < 0.02, 50.0, 0.0), "new": rng.normal(1, 0.1, n)}
    pair = outscore.compare(scores, test="welch", unit="item").pairs[0]
    return float((pair.p_value or 1.0) <= 0.05 and not {*WARNS, "few_items_apart", "skewed_samples"} & set(pair.notes))


def _answers(rng: np.random.Generator) -> Any:
    """Right or wrong answers of two systems as good to 100 items."""
    u = rng.random(100)
    both = {"base": (u < 0.7).astype(float), "new": ((u < 0.6) | (u > 0.9)).astype(float)}
    return outscore.compare(both, metrics="accuracy").pairs[0]


def _spans(rng: np.random.Generator) -> Any:
    """F1 of two systems as good on 60 sentences, by plain relabelling beside a BCa interval."""
    gold = rng.integers(1, 6, 60)
    outputs = {}
    for name in ("base", "new"):
        found, wrong = rng.binomial(gold, 0.7), rng.poisson(0.3 * gold)
        outputs[name] = {"tp2": 2.0 * found, "sizes": (gold + found + wrong).astype(float)}
    rows = [(name, i, outputs[name]["tp2"][i], outputs[name]["sizes"][i]) for name in outputs for i in range(60)]
    import pandas as pd

    data = pd.DataFrame(rows, columns=["system", "item", "tp2", "sizes"])
    return outscore.compare(
        data, metrics="ratio:num=tp2,den=sizes", test="randomization", interval="bca", n_resamples=999
    ).pairs[0]


def by_p(draw: Callable[[np.random.Generator], Any], rng: np.random.Generator) -> float:
    return float((draw(rng).p_value or 1.0) <= 0.05)


def by_verdict(draw: Callable[[np.random.Generator], Any], rng: np.random.Generator) -> float:
    return float(draw(rng).verdict in ("better", "worse"))


def disagree(draw: Callable[[np.random.Generator], Any], rng: np.random.Generator) -> float:
    pair = draw(rng)
    low, high = pair.ci
    return float(((pair.p_value or 1.0) <= 0.05) != (low > 0 or high < 0))


def over_sets(rng: np.random.Generator) -> float:
    """Whether ``replicate`` claims a gain over 12 data sets of one number each whose mean gain may be 0 by its ends."""
    gains = np.where(rng.random(12) < 0.1, -9.0, 1.0) * rng.exponential(1.0, 12)
    scores = {(name, i): 50 + gain * (name == "new") for i, gain in enumerate(gains) for name in ("base", "new")}
    import pandas as pd

    data = pd.DataFrame([(*key, value) for key, value in scores.items()], columns=["system", "item", "score"])
    found = outscore.replicate(data, column="item")
    low, high = found.replicated[0].ci
    return float(" outscores base" in found.sentence and low <= 0 <= high)


def one_sided(rng: np.random.Generator) -> float:
    """Whether p and the interval beside a one-sided t-test of six items say the same."""
    base = rng.normal(size=6)
    new = base + rng.normal(1, 1, 6)
    pair = outscore.compare({"base": base, "new": new}, test="t", alternative="greater").pairs[0]
    return float((pair.p_value <= 0.05) == (pair.ci[0] > 0))


_POINT = "skewed and rare gains"
_SIZES = (("exponential gains less their mean", 10), ("exponential gains less their mean", 24),
          ("one in ten gains large", 50), ("one in a hundred gains large, one in ten differs", 50),
          ("one in a hundred gains large, one in ten differs", 100),
          ("one in a hundred gains large, one in ten differs", 500))  # fmt: skip
_LAWS = {"0/1 answers to 100 items": _answers, "F1 of 60 sentences, plain relabelling beside BCa": _spans}

CELLS = (
    *(Cell(_POINT, f"{name}, {n} items", "level", 0.05, partial(rejected, GAINS[name], n)) for name, n in _SIZES),
    *(
        Cell(
            _POINT,
            f"{name}, {n} items: rejected without a note",
            "level",
            0.05,
            partial(without_a_word, GAINS[name], n),
        )
        for name, n in _SIZES
    ),
    Cell(
        _POINT,
        "one in 50 scores large, 100 items of each system, apart: rejected without a note",
        "level",
        0.05,
        partial(apart_without_a_word, 100),
    ),
    Cell(
        "p and interval",
        "12 data sets of one number each: claimed beside an interval that holds 0",
        "share",
        0.0,
        over_sets,
    ),
    *(Cell("p and interval", f"{name}: p alone", "level", 0.05, partial(by_p, draw)) for name, draw in _LAWS.items()),
    *(
        Cell("p and interval", f"{name}: the verdict", "level", 0.05, partial(by_verdict, draw))
        for name, draw in _LAWS.items()
    ),
    *(
        Cell(
            "p and interval", f"{name}: one leaves out 0 and the other does not", "share", None, partial(disagree, draw)
        )
        for name, draw in _LAWS.items()
    ),
    Cell("p and interval", "one-sided t, 6 items: p and interval agree", "share", 1.0, one_sided),
)
