"""Critical regions: a test rejects where its statistic lies in the region, just where p is at most alpha."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from scipy import stats

import outscore

SIDES: tuple[Literal["two-sided", "greater", "less"], ...] = ("two-sided", "greater", "less")
OF_NUMBERS = ("t", "z:sigma=2", "welch", "student", "sign", "sign:variant=midp", "wilcoxon", "wilcoxon:zeros=pratt")
OF_RESAMPLES = ("randomization", "bootstrap", "bootstrap:centre=boot_mean")
OF_ANSWERS = ("mcnemar", "mcnemar:variant=exact", "mcnemar:variant=chi2", "mcnemar:variant=chi2-cc", "t", "sign")


def effect_of(base: Any, new: Any, test: str, metric: str = "mean", **options: Any) -> tuple[float | None, Any]:
    """p of the only pair, and its named numbers."""
    found = outscore.compare(
        {"base": base, "new": new}, metrics=metric, test=test, n_resamples=64, critical=True, **options
    )
    return found.pairs[0].p_value, found.pairs[0].effect


def lies_inside(effect: Any) -> bool:
    low, high, at = effect["critical_low"], effect["critical_high"], effect["critical_at"]
    slack = 1e-9
    return (low is not None and at <= low + slack) or (high is not None and at >= high - slack)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    ("test", "metric"),
    [*((name, "mean") for name in OF_NUMBERS + OF_RESAMPLES), *((n, "accuracy") for n in OF_ANSWERS)],
)
def test_the_region_decides_as_p_does(test: str, metric: str, side: Any) -> None:
    rng = np.random.default_rng(7)
    decided = set()
    for shift in (-2, -0.9, -0.5, 0, 0.5, 0.9, 2):
        n = 9 if test in OF_RESAMPLES else 24
        base = rng.integers(0, 5, n)
        new = np.clip(base + np.rint(rng.normal(shift, 1.2, n)), 0, 6).astype(int)
        if metric == "accuracy":
            base, new = (base > 2).astype(int), (new > 2).astype(int)
        p, effect = effect_of(base, new, test, metric, alternative=side, alpha=0.1)
        assert p is not None
        if test.startswith("bootstrap") and effect["critical"] is None:
            continue  # an empty tail is drawn
        assert lies_inside(effect) == (p <= 0.1), (shift, p, effect)
        assert 0 <= effect["critical_size"] <= 0.1 + 1e-12 or "midp" in test or "chi2" in test or test == "mcnemar"
        decided.add(p <= 0.1)
    assert decided == {True, False}


def test_the_size_of_a_discrete_statistic_lies_below_alpha() -> None:
    base, new = [0] * 12 + [1] * 8, [1] * 10 + [0] * 2 + [1] * 8
    _, effect = effect_of(base, new, "mcnemar:variant=exact", "accuracy")
    assert (effect["critical_low"], effect["critical_high"]) == (1, 9)
    assert effect["critical_size"] == pytest.approx(2 * stats.binom.cdf(1, 10, 0.5))
    _, effect = effect_of(np.arange(5.0), np.arange(5.0) * 2 + 1, "t")
    assert effect["critical_high"] == pytest.approx(stats.t.ppf(0.975, 4))
    assert effect["critical_size"] == 0.05


def test_five_items_cannot_reject_by_signs() -> None:
    p, effect = effect_of(np.zeros(5), np.ones(5), "sign")
    assert p == 0.0625
    assert (effect["critical_low"], effect["critical_high"], effect["critical_size"]) == (None, None, 0.0)


def test_what_has_no_law_at_hand_says_so() -> None:
    base, new = np.arange(9.0), np.arange(9.0)[::-1] + 0.5
    _, effect = effect_of(base, new, "randomization:exact=never")
    assert effect["critical"] is None
    found = outscore.compare(
        {"base": base, "new": new}, metrics="mean", test="randomization:exact=never", critical=True
    )
    assert "its law is not at hand" in found.to("terminal")
    assert "critical" not in outscore.compare({"base": base, "new": new}, metrics="mean", test="t").pairs[0].effect


@pytest.mark.parametrize(
    ("wins", "losses", "side", "alpha", "low", "high", "size"),
    [
        (9, 3, "two-sided", 0.1, 2, 10, 2 * 79 / 4096),
        (9, 3, "greater", 0.1, None, 9, 299 / 4096),
        (9, 3, "less", 0.1, 3, None, 299 / 4096),
        (3, 0, "greater", 0.125, None, 3, 0.125),  # p without losses is alpha to the last bit
        (11, 9, "greater", 0.45, None, 11, 431910 / 2**20),
        (1, 0, "greater", 0.4, None, None, 0.0),
    ],
)
def test_the_region_of_wins_is_that_of_binomial_sums(
    wins: int, losses: int, side: Any, alpha: float, low: int | None, high: int | None, size: float
) -> None:
    base = np.repeat([0, 1, 1], [wins, losses, 4])
    new = np.repeat([1, 0, 1], [wins, losses, 4])
    _, effect = effect_of(base, new, "mcnemar:variant=exact", "accuracy", alternative=side, alpha=alpha)
    assert (effect["critical_low"], effect["critical_high"]) == (low, high)
    assert effect["critical_size"] == pytest.approx(size)


@pytest.mark.parametrize(
    ("test", "side", "alpha", "low", "high", "size"),
    [
        # gains 1, 2, 4, 8, all of one sign: sums of all signs are the odd numbers to 15, each 1/16
        ("randomization", "two-sided", 0.125, -15, 15, 0.125),
        ("randomization", "two-sided", 0.12, None, None, 0.0),
        ("randomization", "two-sided", 0.3, -13, 13, 0.25),
        ("randomization", "greater", 0.125, None, 13, 0.125),
        ("randomization", "less", 0.125, -13, None, 0.125),
        # ranks 1 to 4: W+ - W- is 10, 8, 6 once each, and 4 twice
        ("wilcoxon", "two-sided", 0.125, -10, 10, 0.125),
        ("wilcoxon", "greater", 0.125, None, 8, 0.125),
        ("wilcoxon", "less", 0.25, -6, None, 0.1875),
        ("wilcoxon", "greater", 0.3125, None, 4, 0.3125),
    ],
)
def test_the_region_of_a_discrete_law_ends_where_its_sums_do(
    test: str, side: Any, alpha: float, low: float | None, high: float | None, size: float
) -> None:
    base, scale = np.zeros(4), 0.25 if test == "randomization" else 1.0
    _, effect = effect_of(base, base + np.array([1.0, 2.0, 4.0, 8.0]), test, alternative=side, alpha=alpha)
    ends = [None if end is None else pytest.approx(end * scale) for end in (low, high)]
    assert [effect["critical_low"], effect["critical_high"]] == ends
    assert effect["critical_size"] == pytest.approx(size)


@pytest.mark.parametrize(
    ("side", "low", "high", "size"), [("two-sided", -2, 2, 1), ("greater", None, 1, 7), ("less", -1, None, 8)]
)
def test_the_region_of_a_law_that_is_not_symmetric_lies_on_the_side_that_is_asked_for(
    side: Any, low: float | None, high: float | None, size: int
) -> None:
    """Gains 0, 0 and 3: means of resamples lie -1, 0, 1 and 2 from theirs in 8, 12, 6 and 1 of 27."""
    _, effect = effect_of(np.zeros(3), np.array([0.0, 0.0, 3.0]), "bootstrap", alternative=side, alpha=0.3)
    ends = [None if end is None else pytest.approx(end) for end in (low, high)]
    assert [effect["critical_low"], effect["critical_high"]] == ends
    assert effect["critical_size"] == pytest.approx(size / 27)


def test_sums_of_half_ranks_that_lie_one_apart_are_two_values() -> None:
    """Ranks 1.5, 1.5, 3.5 and 3.5: W+ - W- is 10, 7 twice, 4, 3 twice ... of 16."""
    gains = np.array([1.0, 1.0, 2.0, 2.0])
    _, effect = effect_of(np.zeros(4), gains, "wilcoxon", alternative="greater", alpha=0.25)
    assert (effect["critical_low"], effect["critical_high"], effect["critical_size"]) == (None, 4, 0.25)
