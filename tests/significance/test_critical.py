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
