"""Averages over many classes, weighted kappa as a score, and agreement of groups and in documents."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import outscore
from holds.cell import Cell

_CLASSES, _OF_EACH = 20, 50
_KAPPA = 0.97007
"""Quadratic kappa of five even labels of which one in twenty is wrong, half of these by a neighbour, half by any label.

Of 4 · 10⁶ drawn items.
"""


def different(metric: str, skill: float, rng: np.random.Generator) -> float:
    """Whether a system is said to differ from one that has 97 % of each class right; half of the items share luck."""
    gold, n = np.repeat(np.arange(_CLASSES), _OF_EACH), _CLASSES * _OF_EACH
    luck = rng.random(n)
    others, wrong = np.where(rng.random(n) < 0.5, luck, rng.random(n)), (gold + rng.integers(1, _CLASSES, n)) % _CLASSES
    made = {"base": np.where(luck < 0.97, gold, wrong), "new": np.where(others < skill, gold, wrong)}
    systems = {name: list(map(str, labels)) for name, labels in made.items()}
    (pair,) = outscore.compare(systems, references=list(map(str, gold)), metrics=metric, n_resamples=999).pairs
    return float(pair.verdict in ("better", "worse"))


def kappa(rng: np.random.Generator) -> float:
    """Whether the interval of a score by quadratic kappa holds the truth."""
    gold = rng.integers(5, size=150)
    near = np.clip(gold + rng.choice([-1, 1], 150), 0, 4)
    answers = np.where(rng.random(150) < 0.05, np.where(rng.random(150) < 0.5, rng.integers(5, size=150), near), gold)
    data, references = {"a": list(map(str, answers))}, list(map(str, gold))
    found = outscore.score(data, references=references, metrics="kappa:weights=quadratic", n_resamples=999).scores[0].ci
    return float(found is not None and found[0] <= _KAPPA <= found[1])


def _frame(labels: dict[str, Any]) -> Any:
    import pandas

    return pandas.DataFrame(labels)


def groups(rng: np.random.Generator) -> float:
    """Whether the interval of the difference between 300 units and 60, all of them 99 % right, holds 0."""
    truth = rng.random(360) < 0.5
    labels: dict[str, Any] = {name: np.where(rng.random(360) < 0.99, truth, ~truth).astype(str) for name in "ab"}
    frame = _frame(labels | {"genre": ["news"] * 300 + ["chat"] * 60})
    found = outscore.agree(frame, annotators="a,b", by="genre", coefficients="cohen", n_resamples=999).coefficients[-1]
    return float(found.gain_ci is not None and found.gain_ci[0] <= 0 <= found.gain_ci[1])


def documents(rng: np.random.Generator) -> float:
    """Whether percent agreement in 30 documents of 20 units, few of them hard, is covered."""
    place = np.repeat(np.arange(30), 20)
    error, truth = rng.beta(0.025, 0.475, 30)[place], rng.random(600) < 0.5
    labels: dict[str, Any] = {
        rater: np.where(rng.random(600) < error, rng.random(600) < 0.5, truth).astype(str) for rater in "ab"
    }
    frame = _frame(labels | {"document": place.astype(str)})
    found = outscore.agree(frame, annotators="a,b", cluster="document", coefficients="percent", n_resamples=999)
    # both right, or both guess alike: 1 - E e + E e² / 2
    expected = 1 - 0.05 + (0.05 * 0.95 / 1.5 + 0.05**2) / 2
    ends = found.coefficients[0].ci
    return float("nan") if ends is None else float(ends[0] <= expected <= ends[1])


CELLS = (
    *(
        Cell(
            point="averages",
            name=f"{name} of 20 classes of 50, {said}",
            measure=measure,
            nominal=nominal,
            run=partial(different, metric, skill),
        )
        for name, metric in (("macro recall", "recall:average=macro"), ("macro F1", "f1:average=macro"))
        for skill, said, measure, nominal in (
            (0.97, "two equal systems, 97 % right", "level", 0.05),
            (0.985, "97 and 98.5 % right", "power", None),
        )
    ),
    Cell(
        point="averages",
        name="quadratic κ as a score, 150 items, 1 slip in 20, half of them to any label",
        measure="coverage",
        nominal=0.95,
        run=kappa,
    ),
    Cell(
        point="averages",
        name="agree --by: difference of equal groups of 300 and 60 units, Cohen's κ",
        measure="coverage",
        nominal=0.95,
        run=groups,
    ),
    Cell(
        point="averages",
        name="percent agreement in 30 documents of 20 units, errors in few of them",
        measure="coverage",
        nominal=0.95,
        run=documents,
    ),
)
