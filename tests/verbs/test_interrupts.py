"""Ctrl-C reaches the caller of every verb, and the exception holds what had been done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.multiplicity.joint import JointLaw

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
    if verb != "test":  # there the pair says it
        assert 1_000 < result.provenance.n_resamples < 100_000
    assert str(stopped.value) == "interrupted"
    assert "interrupted" in result.to("terminal")


FAMILIES: dict[str, Callable[..., Any]] = {
    "compare": lambda **told: outscore.compare(SCORES, n_resamples=20_000, **told),
    "compare, step-down": lambda **told: outscore.compare(
        SCORES, n_resamples=20_000, correction="max-t-step-down", **told
    ),
    "rank": lambda **told: outscore.rank(SCORES, n_resamples=20_000, **told),
    "auto": lambda **told: outscore.rank(SCORES, n_resamples="auto", **told),
    "replicate": lambda **told: outscore.replicate(
        {"one": SCORES, "two": SCORES}, n_resamples=20_000, correction="max-t", **told
    ),
}


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("verb", FAMILIES)
def test_an_interrupt_of_the_joint_law_leaves_what_was_drawn_of_it(verb: str, jobs: int) -> None:
    after: list[int] = []

    def stop(what: str, done: int, of: int) -> None:
        if after or (what == "joint law" and done >= 2_000):
            after.append(of)
            if len(after) == 1:
                raise KeyboardInterrupt

    with pytest.raises(outscore.Interrupted) as stopped:
        FAMILIES[verb](progress=stop, jobs=jobs)
    result = stopped.value.result
    assert "interrupted" in [note.code for note in result.notes]
    assert max(after[1:], default=0) <= 2_000  # whatever else is drawn is a thousand, in whole blocks
    if verb != "replicate":
        assert 1_000 < result.provenance.n_resamples <= 5_000  # blocks of the law that were done, and no 20,000
    if verb.startswith("compare"):
        assert all(pair.p_adjusted >= 1 / 2_305 for pair in result.pairs)  # of nine blocks, or fewer


def test_an_interrupt_before_the_first_draw_of_the_joint_law_leaves_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    scores, told = JointLaw._scores, list[int]()

    def stop(self: JointLaw, number: int) -> Any:
        told.append(number)
        if len(told) == 1:
            raise KeyboardInterrupt
        return scores(self, number)

    monkeypatch.setattr(JointLaw, "_scores", stop)
    systems = {name: np.tile(of, 6) for name, of in SCORES.items()}
    with pytest.raises(outscore.Interrupted) as stopped:
        outscore.compare(systems, test="t", n_resamples=20_000, jobs=1)
    assert told == [0, 0]
    assert all(pair.p_value <= pair.p_adjusted for pair in stopped.value.result.pairs)


def test_an_interrupt_before_any_draw_is_of_nothing() -> None:
    def stop(what: str, done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(outscore.Interrupted) as stopped:
        outscore.compare(PAIR, test="bootstrap:exact=never", n_resamples=500, jobs=1, progress=stop)
    assert stopped.value.result is None
