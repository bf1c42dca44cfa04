"""Judges that err: rare one-sided errors, few labels, errors that come by documents."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import outscore
from holds.cell import Cell

POINT = "judges"
World = Callable[[np.random.Generator], tuple[Any, ...]]
TRUE = 0.7


def _fooled(rng: np.random.Generator, *, n: int, labelled: int, errors: float) -> tuple[Any, ...]:
    """A judge that takes so many of all items for right that are wrong: right, judged, labelled, documents."""
    right = (rng.random(n) < TRUE).astype(float)
    judged = np.where((right == 0) & (rng.random(n) < errors / (1 - TRUE)), 1.0, right)
    return right, judged, rng.permutation(n) < labelled, np.arange(n)


def _documents(rng: np.random.Generator, *, documents: int, size: int, labelled: int) -> tuple[Any, ...]:
    """Documents that are hard or easy, in some of which the judge is fooled; whole documents are labelled."""
    place = np.repeat(np.arange(documents), size)
    right = (rng.random(len(place)) < np.where(rng.random(documents) < 0.5, TRUE - 0.2, TRUE + 0.2)[place]).astype(
        float
    )
    fooled = (rng.random(documents) < 0.4)[place] & (rng.random(len(place)) < 0.6)
    return right, np.where(fooled, 1 - right, right), place < labelled, place


def _probabilities(rng: np.random.Generator, judged: Any) -> Any:
    """The same judge, who says how sure it is in place of right or wrong."""
    return np.clip(0.05 + 0.9 * judged + rng.normal(0, 0.02, len(judged)), 0, 1)


def _found(system: str, world: tuple[Any, ...]) -> list[dict[str, Any]]:
    right, judged, labelled, place = world
    return [
        {
            "system": system,
            "item": str(i),
            "document": str(place[i]),
            "correct": right[i] if labelled[i] else None,
            "llm": judged[i],
        }
        for i in range(len(right))
    ]


def _asked(rows: list[dict[str, Any]], **options: Any) -> dict[tuple[str, bool], Any]:
    import pandas as pd

    found = outscore.judge(pd.DataFrame(rows), human="correct", judge="llm", **options)
    return {(e.method, e.baseline is None): e for e in found.estimates}


def _covered(rng: np.random.Generator, *, world: World, method: str, cluster: str | None = None) -> float:
    found = _asked(_found("a", world(rng)), cluster=cluster)[method, True]
    return float("nan") if found.ci is None else float(found.ci[0] <= TRUE <= found.ci[1])


def _rejected(rng: np.random.Generator, *, n: int, labelled: int, errors: float, sure: bool = False) -> float:
    """Two systems that are right as often; the judge is fooled by one of them, and may say how ``sure`` it is."""
    right = (rng.random(n) < TRUE).astype(float)
    other, judged, known, place = _fooled(rng, n=n, labelled=labelled, errors=errors)
    said = [_probabilities(rng, one) if sure else one for one in (right, judged)]
    rows = _found("a", (right, said[0], known, place)) + _found("b", (other, said[1], known, place))
    p = _asked(rows)["prediction-powered", False].p_value
    return float("nan") if p is None else float(p <= 0.05)


_METHODS = ("prediction-powered", "rogan-gladen")

CELLS = (
    *(
        Cell(
            point=POINT,
            name=f"{method}, {errors:.0%} one-sided errors, {labelled} of 500 labelled",
            measure="coverage",
            nominal=0.95,
            run=partial(_covered, world=partial(_fooled, n=500, labelled=labelled, errors=errors), method=method),
        )
        for method in _METHODS
        for errors, labelled in ((0.04, 50), (0.04, 100), (0.1, 50), (0.1, 100), (0.2, 100))
    ),
    Cell(
        point=POINT,
        name="prediction-powered gain of 0, 4% one-sided errors on one system, 50 of 500 labelled",
        measure="level",
        nominal=0.05,
        run=partial(_rejected, n=500, labelled=50, errors=0.04),
    ),
    Cell(
        point=POINT,
        name="prediction-powered gain of 0, 4% one-sided errors on one system, judged by probabilities, 100 of 500 "
        "labelled",
        measure="level",
        nominal=0.05,
        run=partial(_rejected, n=500, labelled=100, errors=0.04, sure=True),
        rounds=1000,
    ),
    *(
        Cell(
            point=POINT,
            name=f"{method}, errors by documents, {labelled} of {documents} documents of {size} labelled",
            measure="coverage",
            nominal=0.95,
            run=partial(
                _covered,
                world=partial(_documents, documents=documents, size=size, labelled=labelled),
                method=method,
                cluster="document",
            ),
        )
        for method in _METHODS
        for documents, size, labelled in ((60, 10, 20), (40, 20, 10))
    ),
)
