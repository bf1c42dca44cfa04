"""Systems with gaps by an additive model: its estimates and errors, what is refused, and its level."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats
from scipy.stats import binom

import outscore
from outscore.base.errors import InputError, UsageError

Scores = Mapping[str, Mapping[str, float]]


def board(seed: int, present: Mapping[str, int], *, items: int = 120, gain: float = 0.0, hard: bool = False) -> Scores:
    """0/1 scores of items that differ much; ``present`` says how many each system has, ``hard``: of the easy ones."""
    rng = np.random.default_rng(seed)
    ease = rng.normal(size=items)
    order = np.argsort(-ease) if hard else None
    right = {name: ease + i * gain + rng.normal(size=items) > 0.3 for i, name in enumerate(present)}
    kept = {name: rng.permutation(items)[:n] if order is None else order[:n] for name, n in present.items()}
    return {name: {f"i{i}": float(right[name][i]) for i in sorted(kept[name].tolist())} for name in present}


def fitted(scores: Scores, systems: tuple[str, str]) -> tuple[float, float, int]:
    """The gain by least squares with a dummy for every system and item, its error clustered by item, and the items."""
    names, items = list(scores), sorted({item for of in scores.values() for item in of})
    rows = [(s, items.index(item), value) for s, name in enumerate(names) for item, value in scores[name].items()]
    design: npt.NDArray[np.float64] = np.zeros((len(rows), len(names) + len(items) - 1))
    for row, (s, i, _) in zip(design, rows, strict=True):
        row[i] = 1.0
        if s:
            row[len(items) + s - 1] = 1.0
    values = np.array([value for *_, value in rows])
    inverse = np.linalg.pinv(design.T @ design)
    beta = inverse @ design.T @ values
    left = values - design @ beta
    of_item = np.array([i for _, i, _ in rows])
    meat = [design[of_item == i].T @ left[of_item == i] for i in range(len(items))]
    covariance = inverse @ sum(np.outer(m, m) for m in meat) @ inverse
    pick = np.zeros(len(beta))
    for name, sign in zip(systems, (1, -1), strict=True):
        if s := names.index(name):
            pick[len(items) + s - 1] = sign
    n = len(items)
    return float(pick @ beta), float(np.sqrt(pick @ covariance @ pick * n / (n - 1))), n


def test_gain_and_error_are_those_of_least_squares_clustered_by_item() -> None:
    scores = board(1, {"a": 110, "b": 90, "c": 60}, gain=0.3)
    found = outscore.compare(scores, missing="additive", all_pairs=True, correction="none", test="t")
    for pair in found.pairs:
        gain, error, n = fitted(scores, (pair.system, pair.baseline))
        assert pair.gain == pytest.approx(gain, abs=1e-9)
        assert pair.p_value == pytest.approx(2 * stats.t.sf(abs(gain / error), n - 1), rel=1e-6)


def test_data_without_gaps_are_left_as_they_are() -> None:
    scores = board(2, {"a": 120, "b": 120}, gain=0.4)
    plain, modelled = (outscore.compare(scores, missing=how) for how in ("error", "additive"))
    assert [vars(pair) for pair in modelled.pairs] == [vars(pair) for pair in plain.pairs]
    assert not [note for note in modelled.notes if note.code == "additive_model"]


def test_easy_items_alone_do_not_help_a_system() -> None:
    scores = board(3, {"a": 400, "b": 150, "c": 400}, items=400, hard=True)
    means = {name: float(np.mean(list(of.values()))) for name, of in scores.items()}
    assert means["b"] - means["a"] > 0.2
    found = outscore.compare(scores, missing="additive")
    assert abs(found.pairs[0].gain) < 0.1
    (said,) = [note for note in found.notes if note.code == "additive_model"]
    assert said.text.startswith("of 400 items 'b' lacks 'score' of 250: ")


def span(start: int, end: int) -> Mapping[str, float]:
    return {f"i{i}": float(i % 3 > 0) for i in range(start, end)}


def test_systems_without_an_item_in_common_are_joined_through_others() -> None:
    chain = {"a": span(0, 100), "c": span(100, 200), "b": span(50, 150)}
    found = outscore.compare(chain, missing="additive")
    assert [pair.gain for pair in found.pairs] == pytest.approx([0.0, 0.0], abs=1e-9)


def test_what_nothing_joins_is_refused() -> None:
    with pytest.raises(InputError, match=r"system 'b' .* has no item id in common with system 'a'"):
        outscore.compare({"a": span(0, 60), "b": span(60, 120)}, missing="additive")
    gone = {**span(0, 60), **dict.fromkeys(span(60, 120), float("nan"))}
    with pytest.raises(InputError, match=r"no item joins system 'a' .* and system 'b' .* under 'score'"):
        outscore.compare(
            {"a": gone, "b": {**dict.fromkeys(span(0, 60), float("nan")), **span(60, 120)}}, missing="additive"
        )
    with pytest.raises(
        InputError, match=r"needs 50 items of each .*: system 'a' \(run '1'\) has 49, system 'b' .* has 49"
    ):
        outscore.compare({"a": span(0, 60), "b": span(11, 120)}, missing="additive")


def test_a_metric_that_is_no_mean_is_refused() -> None:
    scores = board(4, {"a": 120, "b": 100})
    with pytest.raises(UsageError, match=r"use -m mean"):
        outscore.compare(scores, metrics="accuracy", missing="additive")
    assert outscore.compare(scores, metrics="mean", missing="additive").pairs
    with pytest.raises(UsageError, match=r"belongs to tests of pairs"):
        outscore.compare(scores, test="welch", missing="additive")
    with pytest.raises(UsageError, match=r"a sequence knows those so far"):
        outscore.sequential(scores, missing="additive")


@pytest.mark.slow
@pytest.mark.parametrize("hard", [False, True])
def test_equal_systems_with_gaps_differ_as_rarely_as_asked(hard: bool) -> None:
    """Level .05 in 600 sets; false alarm 1e-5 by the binomial law."""
    sets = 600
    wrong = 0
    for seed in range(sets):
        scores = board(seed, {"a": 120, "b": 70, "c": 90}, hard=hard)
        found = outscore.compare(scores, missing="additive", test="t", correction="none")
        p = found.pairs[0].p_value
        assert p is not None
        wrong += p < 0.05
    assert wrong <= binom.isf(1e-5, sets, 0.05)
