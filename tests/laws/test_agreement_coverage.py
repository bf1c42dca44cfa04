"""Coverage of the intervals of agreement, 95 % nominal, over new units from known annotators.

Each must lie between binomial quantiles at 1e-6 of the levels named beside it
(false alarms: 2e-6 for each).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import outscore
from outscore.agreement import coefficients
from outscore.agreement.estimate import IntervalName, estimates
from outscore.engine.design import Design
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import Sampling
from tests.agreement.twins import drawn, ratings_of
from tests.examples import first
from tests.laws.support import least, most

NAMES = ("conger", "krippendorff", "gwet")
TRIALS = 1000
SETTINGS = {  # units, raters, shares of the labels, how often raters guess
    "three raters, 50 units": (50, 3, (0.6, 0.3, 0.1), 0.2),
    "two raters, 30 units": (30, 2, (0.6, 0.4), 0.3),
    "one label of ten, 100 units": (100, 2, (0.9, 0.1), 0.1),
}
COVERED: dict[IntervalName, tuple[float, float]] = {"bca": (0.935, 0.975), "percentile": (0.83, 0.955)}
"""Between which levels the coverage lies: percentiles cover too little where disagreements are few."""


@pytest.mark.slow
@pytest.mark.parametrize("setting", first(SETTINGS, "two raters, 30 units"))
def test_the_default_interval_covers_and_percentiles_are_short(setting: str) -> None:
    n, raters, shares, noise = SETTINGS[setting]
    labels = [str(k) for k in range(len(shares))]
    methods = [coefficients.make(name) for name in NAMES]
    large = [False] * len(methods)
    rng = np.random.default_rng(2024)
    many = ratings_of(drawn(rng, 200_000, raters, shares, noise), labels)
    truths = [e.value for e in estimates([m.measure(many) for m in methods], large, Design(200_000), None)[0]]
    held = {method: np.zeros(len(methods)) for method in COVERED}
    for trial in range(TRIALS):
        ratings = ratings_of(drawn(rng, n, raters, shares, noise), labels)
        sampling = Sampling(999, trial, Runtime(), "iid")
        found, _ = estimates([m.measure(ratings) for m in methods], large, Design(n), sampling)
        for method, counts in held.items():
            for i, (estimate, truth) in enumerate(zip(found, truths, strict=True)):
                ends, _ = estimate.interval(method, 0.95)
                counts[i] += ends is not None and ends[0] <= truth <= ends[1]
    for method, (low, high) in COVERED.items():
        for name, coverage in zip(NAMES, held[method] / TRIALS, strict=True):
            assert least(low, TRIALS) <= coverage <= most(high, TRIALS), (method, name, coverage)


@pytest.mark.slow
def test_clusters_that_are_ignored_make_intervals_too_narrow() -> None:
    """Documents of ten units that are all hard or all easy: told of them, the interval covers."""
    rng = np.random.default_rng(7)
    method = coefficients.make("krippendorff")

    def documents(count: int) -> tuple[list[list[int | None]], np.ndarray]:
        hard = rng.random(count) < 0.5
        rows = [row for each in hard for row in drawn(rng, 10, 2, (0.5, 0.5), 0.8 if each else 0.1)]
        return rows, np.repeat(np.arange(count), 10)

    rows, _ = documents(20_000)
    (truth,), _ = estimates([method.measure(ratings_of(rows, ["0", "1"]))], [False], Design(len(rows)), None)
    held = {"clusters": 0, "units": 0}
    for trial in range(TRIALS):
        rows, clusters = documents(30)
        measure = method.measure(ratings_of(rows, ["0", "1"]))
        for name, design in (("clusters", Design(300, clusters)), ("units", Design(300))):
            (found,), _ = estimates([measure], [False], design, Sampling(499, trial, Runtime(), "iid"))
            ends, _ = found.interval("bca", 0.95)
            held[name] += ends is not None and ends[0] <= truth.value <= ends[1]
    assert held["clusters"] / TRIALS >= least(0.925, TRIALS)
    assert held["units"] / TRIALS <= most(0.85, TRIALS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("coefficient", "n", "slips", "far"),
    [
        *(("cohen:weights=quadratic", 60, *slips) for slips in [(0.1, 0.5), (0.1, 1.0), (0.4, 1.0)]),
        ("gwet:weights=quadratic", 40, 0.1, 0.5),
    ],
)
def test_a_scale_is_covered_where_some_slips_go_far(coefficient: str, n: int, slips: float, far: float) -> None:
    """A scale of five, few units that differ, or many: t alone, of n - 1 degrees of freedom, covers .77 of kappa in the
    first case, .90 in the second; BCa .69 of AC2.
    """
    rng, trials = np.random.default_rng(5), 400

    def agreement(units: int, **how: Any) -> Any:
        first = rng.integers(5, size=units)
        near = np.where(first == 0, 1, np.where(first == 4, 3, first + rng.choice([-1, 1], units)))
        other = np.where(rng.random(units) < far, rng.integers(5, size=units), near)
        labels = {"a": first, "b": np.where(rng.random(units) < slips, other, first)}
        data = {name: list(map(str, row)) for name, row in labels.items()}
        return outscore.agree(data, coefficients=coefficient, labels=list("01234"), **how).coefficients[0]

    truth, held = agreement(100_000, interval="analytic").value, 0
    for trial in range(trials):
        low, high = agreement(n, n_resamples=200, seed=trial).ci or (1, -1)
        held += low <= truth <= high
    assert least(0.93, trials) <= held / trials


@pytest.mark.slow
def test_equal_groups_of_unequal_size_are_not_told_apart() -> None:
    """99 % of labels right in 300 units and in 60: the percentiles of both groups' resamples held 0 in .71."""
    rng, trials, held = np.random.default_rng(9), 300, 0
    for _ in range(trials):
        truth = rng.random(360) < 0.5
        data: dict[str, Any] = {name: np.where(rng.random(360) < 0.99, truth, ~truth).astype(str) for name in "ab"}
        frame = pd.DataFrame(data | {"genre": ["news"] * 300 + ["chat"] * 60})
        found = outscore.agree(
            frame, annotators="a,b", by="genre", coefficients="cohen", n_resamples=20, disputed=0
        ).coefficients[-1]
        low, high = found.gain_ci or (1, -1)
        held += low <= 0 <= high
    assert least(0.93, trials) <= held / trials


@pytest.mark.slow
def test_percent_agreement_is_covered_where_errors_come_in_some_documents() -> None:
    """Forty documents of ten units, few of them hard: BCa covers .88."""
    rng, trials, found = np.random.default_rng(11), 400, []
    place = np.repeat(np.arange(40), 10)
    for _ in range(trials):
        error, truth = rng.beta(0.015, 0.485, 40)[place], rng.random(400) < 0.5
        guessed = {r: np.where(rng.random(400) < error, rng.random(400) < 0.5, truth).astype(str) for r in "ab"}
        frame = pd.DataFrame(guessed | {"document": place.astype(str)})
        of_it = outscore.agree(
            frame, annotators="a,b", cluster="document", coefficients="percent", n_resamples=300, disputed=0
        )
        found += [of_it.coefficients[0].ci] if of_it.coefficients[0].ci else []
    # both right, or both guess alike: 1 - E e + E e² / 2
    held = np.mean([low <= 1 - 0.03 + (0.03 * 0.97 / 1.5 + 0.03**2) / 2 <= high for low, high in found])
    assert least(0.97, len(found)) <= held


def slipped(rng: np.random.Generator, n: int, slips: float, far: float) -> tuple[dict[str, list[str]], list[str]]:
    """Answers on a scale of five with slips, of which this proportion go to any label, and the gold."""
    gold = rng.integers(5, size=n)
    near = np.clip(gold + rng.choice([-1, 1], n), 0, 4)
    answers = np.where(rng.random(n) < slips, np.where(rng.random(n) < far, rng.integers(5, size=n), near), gold)
    return {"a": list(map(str, answers))}, list(map(str, gold))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "slips", "far"),
    first([(150, 0.05, 0.5), (60, 0.1, 0.5), (300, 0.05, 0.2), (1000, 0.02, 0.2)], (150, 0.05, 0.5)),
)
def test_a_score_of_weighted_kappa_is_covered_where_some_slips_go_far(n: int, slips: float, far: float) -> None:
    """By its own variance, and by BCa, .82, .78, .87 and .87."""
    rng, trials, held = np.random.default_rng(9), 300, 0

    def kappa(items: int, **how: Any) -> Any:
        answers, gold = slipped(rng, items, slips, far)
        return outscore.score(answers, references=gold, metrics="kappa:weights=quadratic", **how).scores[0]

    truth = kappa(100_000, interval="delta", n_resamples=2).score
    for trial in range(trials):
        low, high = kappa(n, n_resamples=200, seed=trial).ci or (1, -1)
        held += low <= truth <= high
    assert least(0.93, trials) <= held / trials


def test_a_score_of_weighted_kappa_allows_for_slips_as_agreement_does() -> None:
    """Ten near slips of 250 do not show how far slips go; of many slips the variance is their own."""
    gold = ["1", "2", "3", "4", "5"] * 50
    for slips, ratio in ((10, 0.7), (100, 0.85)):
        answers = [*("12"[label == "1"] if label in "12" else label for label in gold[: slips * 5 // 2])]
        answers += gold[len(answers) :]
        own = outscore.score({"a": answers}, references=gold, metrics="kappa:weights=quadratic").scores[0]
        beside = outscore.agree({"a": answers, "gold": gold}, coefficients="cohen:weights=quadratic").coefficients[0]
        assert own.score == pytest.approx(beside.value)
        assert own.ci is not None and beside.ci is not None
        assert ratio <= (own.ci[1] - own.ci[0]) / (beside.ci[1] - beside.ci[0]) <= 1 / ratio, slips
