"""Agreement between annotators: p of no agreement beyond chance, and intervals, where labels are rare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

import outscore
from holds.cell import Cell

POINT = "agreement"
Columns = dict[str, list[str | None]]
Draw = Callable[[np.random.Generator], Columns]


def _columns(labels: Any, missing: Any = None) -> Columns:
    """Labels ``(units, annotators)`` as columns of texts."""
    gone = np.zeros(labels.shape, dtype=bool) if missing is None else missing
    return {
        f"r{r}": [None if out else str(label) for label, out in zip(labels[:, r], gone[:, r], strict=True)]
        for r in range(labels.shape[1])
    }


def _guessed(rng: np.random.Generator, *, n: int, shares: Sequence[Sequence[float]], missing: float = 0.0) -> Columns:
    """Annotators who label by themselves, each with shares of their own."""
    labels = np.stack([rng.choice(len(each), n, p=each) for each in shares], axis=1)
    gone = rng.random(labels.shape) < missing
    gone[:, 0] = False
    return _columns(labels, gone)


def _noisy(rng: np.random.Generator, *, n: int, shares: Sequence[float], raters: int, kappa: float) -> Columns:
    """Annotators who see the true label with probability √κ, and guess otherwise: κ for every two of them."""
    truth, guess = rng.choice(len(shares), n, p=shares), rng.choice(len(shares), (n, raters), p=shares)
    return _columns(np.where(rng.random((n, raters)) < np.sqrt(kappa), truth[:, None], guess))


def _paired(rng: np.random.Generator, *, n: int, first: float, second: float, kappa: float) -> Columns:
    """Two annotators who give a label with these shares, and this kappa."""
    both = first * second + kappa * (first + second - 2 * first * second) / 2
    cells = rng.choice(4, n, p=[1 - first - second + both, second - both, first - both, both])
    return _columns(np.stack([cells // 2, cells % 2], axis=1))


def _in_documents(rng: np.random.Generator, *, documents: int, size: int, kappa: float) -> Columns:
    """Two annotators who guess at the rate of each document, whose rates vary so that κ is ``kappa``."""
    spread = (1 / kappa - 1) / 2
    place = np.repeat(np.arange(documents), size)
    rate = rng.beta(spread, spread, documents)[place]
    labels = (rng.random((len(place), 2)) < rate[:, None]).astype(int)
    return {**_columns(labels), "document": [f"d{number}" for number in place]}


def _slipped(rng: np.random.Generator, *, n: int, slips: float, far: float) -> Columns:
    """Two annotators of a scale of five: the second slips so often to the next label, a share of slips to any."""
    truth = rng.choice(5, n, p=_GRADES)
    step = np.where(truth == 0, 1, np.where(truth == 4, -1, rng.choice([-1, 1], n)))
    other = np.where(rng.random(n) < far, rng.integers(5, size=n), truth + step)
    return _columns(np.stack([truth, np.where(rng.random(n) < slips, other, truth)], axis=1))


def _quadratic(*, slips: float, far: float) -> float:
    """Quadratic κ of such annotators."""
    near = np.zeros((5, 5))
    for grade in range(5):
        beside = [each for each in (grade - 1, grade + 1) if 0 <= each < 5]
        near[grade, beside] = 1 / len(beside)
    joint = np.array(_GRADES)[:, None] * ((1 - slips) * np.eye(5) + slips * (far / 5 + (1 - far) * near))
    distance = np.subtract.outer(np.arange(5), np.arange(5)) ** 2
    return float(1 - (joint * distance).sum() / (joint.sum(axis=1) @ distance @ joint.sum(axis=0)))


def _asked(data: Columns, coefficient: str, labels: int) -> Any:
    names = [str(k) for k in range(labels)]
    asked: dict[str, Any] = {"coefficients": coefficient, "labels": names, "n_resamples": 999, "disputed": 0, "jobs": 1}
    if "document" not in data:
        return outscore.agree(data, **asked).coefficients[0]
    import pandas as pd

    annotators = [name for name in data if name != "document"]
    return outscore.agree(pd.DataFrame(data), annotators=annotators, cluster="document", **asked).coefficients[0]


def _rejected(rng: np.random.Generator, *, draw: Draw, coefficient: str, labels: int = 2) -> float:
    found = _asked(draw(rng), coefficient, labels)
    return float("nan") if found.p_value is None else float(found.p_value <= 0.05)


def _covered(rng: np.random.Generator, *, draw: Draw, coefficient: str, kappa: float, labels: int = 2) -> float:
    found = _asked(draw(rng), coefficient, labels)
    if found.value is None or found.ci is None:
        return float("nan")
    return float(found.ci[0] <= kappa <= found.ci[1])


_GRADES = (0.05, 0.1, 0.2, 0.4, 0.25)
_RARE, _RARER, _FOUR = (0.9, 0.1), (0.98, 0.02), (0.85, 0.08, 0.05, 0.02)
_GUESSES: tuple[tuple[str, str, int, Sequence[Sequence[float]], float], ...] = (
    ("two annotators, 10 % rare, 100 units: κ", "cohen", 100, [_RARE] * 2, 0),
    ("two annotators, 10 % rare, 100 units: π", "scott", 100, [_RARE] * 2, 0),
    ("two annotators, 10 % rare, 100 units: α", "krippendorff", 100, [_RARE] * 2, 0),
    ("two annotators, 5 % rare, 200 units: κ", "cohen", 200, [(0.95, 0.05)] * 2, 0),
    ("two annotators, 2 % rare, 500 units: κ", "cohen", 500, [_RARER] * 2, 0),
    ("two annotators, 10 and 30 %, 100 units: κ", "cohen", 100, [_RARE, (0.7, 0.3)], 0),
    ("two annotators, four labels, 100 units: quadratic κ", "cohen:weights=quadratic", 100, [_FOUR] * 2, 0),
    ("three annotators, 10 % rare, 100 units: Conger", "conger", 100, [_RARE] * 3, 0),
    ("three annotators, 10 % rare, 30 % missing: α", "krippendorff", 100, [_RARE] * 3, 0.3),
    ("two annotators, even labels, 100 units: κ", "cohen", 100, [(0.5, 0.5)] * 2, 0),
)
_PAIRS: tuple[tuple[int, float, float, float], ...] = (
    (100, 0.02, 0.02, 0.0),
    (100, 0.1, 0.1, 0.0),
    (30, 0.1, 0.1, 0.3),
    (100, 0.05, 0.05, 0.3),
    (100, 0.05, 0.05, 0.8),
    (500, 0.02, 0.02, 0.6),
    (100, 0.1, 0.2, 0.3),
    (100, 0.5, 0.5, 0.6),
)
_SEVERAL: tuple[tuple[int, Sequence[float], int, float], ...] = (
    (100, _RARE, 3, 0.0),
    (100, _RARE, 3, 0.6),
    (100, _FOUR, 2, 0.3),
    (100, _FOUR, 3, 0.0),
    (100, _FOUR, 3, 0.8),
    (500, _RARE, 3, 0.3),
    (100, (0.4, 0.3, 0.2, 0.1), 3, 0.3),
)

CELLS = (
    *(
        Cell(
            point=POINT,
            name=f"guessing, {name}",
            measure="level",
            nominal=0.05,
            run=partial(
                _rejected,
                draw=partial(_guessed, n=n, shares=shares, missing=missing),
                coefficient=coefficient,
                labels=len(shares[0]),
            ),
        )
        for name, coefficient, n, shares, missing in _GUESSES
    ),
    *(
        Cell(
            point=POINT,
            name=f"κ = {kappa:g}, two annotators, {first:.0%} and {second:.0%}, {n} units",
            measure="coverage",
            nominal=0.95,
            run=partial(
                _covered,
                draw=partial(_paired, n=n, first=first, second=second, kappa=kappa),
                coefficient="cohen",
                kappa=kappa,
            ),
        )
        for n, first, second, kappa in _PAIRS
    ),
    *(
        Cell(
            point=POINT,
            name=f"κ = {kappa:g}, {raters} annotators, {len(shares)} labels, rarest {shares[-1]:.0%}, {n} units",
            measure="coverage",
            nominal=0.95,
            run=partial(
                _covered,
                draw=partial(_noisy, n=n, shares=shares, raters=raters, kappa=kappa),
                coefficient="fleiss",
                kappa=kappa,
                labels=len(shares),
            ),
        )
        for n, shares, raters, kappa in _SEVERAL
    ),
    *(
        Cell(
            point=POINT,
            name=f"κ = {kappa:g}, two annotators, even labels, {documents} documents of 10 units",
            measure="coverage",
            nominal=0.95,
            run=partial(
                _covered,
                draw=partial(_in_documents, documents=documents, size=10, kappa=kappa),
                coefficient="cohen",
                kappa=kappa,
            ),
        )
        for documents, kappa in ((8, 0.2), (15, 0.6))
    ),
    *(
        Cell(
            point=POINT,
            name=f"quadratic κ, a scale of five, {slips:.0%} slips, {far:.0%} of them to any label, {n} units",
            measure="coverage",
            nominal=0.95,
            run=partial(
                _covered,
                draw=partial(_slipped, n=n, slips=slips, far=far),
                coefficient="cohen:weights=quadratic",
                kappa=_quadratic(slips=slips, far=far),
                labels=5,
            ),
        )
        for n, slips, far in ((30, 0.2, 1.0), (60, 0.1, 0.5), (60, 0.4, 1.0), (60, 0.4, 0.0), (150, 0.2, 0.5))
    ),
)
