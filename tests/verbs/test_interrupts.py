"""Ctrl-C reaches the caller of every verb, and the exception holds what had been done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import outscore

pandas = pytest.importorskip("pandas")

RNG = np.random.default_rng(5)
SCORES = {name: RNG.normal(size=300) for name in ("base", "new", "third")}
PAIR = {name: SCORES[name] for name in ("base", "new")}
LONG: dict[str, Any] = {"n_resamples": 200_000, "jobs": 1}
SAMPLED = {**LONG, "test": "bootstrap:exact=never"}
VERBS: dict[str, Callable[..., Any]] = {
    "compare": lambda **told: outscore.compare(SCORES, **SAMPLED, **told),
    "compare, its details": lambda **told: outscore.compare(PAIR, **LONG, test="t", flips="auto", **told),
    "rank": lambda **told: outscore.rank(SCORES, **SAMPLED, **told),
    "score": lambda **told: outscore.score(SCORES, interval="bca", **LONG, **told),
    "test": lambda **told: outscore.compare(PAIR, test="unpaired-bootstrap", **LONG, **told),
}


def test_an_interrupt_of_one_pair_ends_the_others_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of pairs on their own items, where there are more resamples to be had."""
    monkeypatch.setattr("outscore.verbs.shared.family.AUTO_SIZES", (300, 20_000))
    at = pandas.DataFrame(
        [(s, i, v) for s, of in SCORES.items() for i, v in enumerate(of[:60]) if (s, i) != ("new", 3)],
        columns=["system", "item", "score"],
    )
    told: list[int] = []

    def stop(what: str, done: int, of: int) -> None:
        told.extend([of] * (what == "bootstrap"))
        if what == "bootstrap" and len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(outscore.Interrupted):
        outscore.compare(
            at, missing="pairwise", n_resamples="auto", test="bootstrap:exact=never", progress=stop, jobs=1
        )


@pytest.mark.parametrize("verb", VERBS)
def test_an_interrupt_reaches_the_caller_with_what_was_done(verb: str) -> None:
    def stop(_: str, done: int, of: int) -> None:
        if of > 100_000 and done >= of / 8:  # of the resampling, not of the counting
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as stopped:
        VERBS[verb](progress=stop)
    assert isinstance(stopped.value, outscore.Interrupted)
    result = stopped.value.result
    assert "interrupted" in [note.code for note in result.notes]
    assert str(stopped.value) == "interrupted"
    assert "interrupted" in result.to("terminal")
