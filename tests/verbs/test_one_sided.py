"""Beside a one-sided test stands the one-sided interval that belongs to it, in every format."""

from __future__ import annotations

import json
import math
from typing import Any, Literal

import numpy as np
import pytest
from scipy import stats

import outscore
from outscore.base.errors import UsageError
from outscore.report.plots import picture
from outscore.results.comparison import Comparison
from outscore.significance.interval import intervals

RNG = np.random.default_rng(4)
BASE = RNG.normal(10, 1, 60)
NEW = BASE + RNG.normal(0.2, 1, 60)
GOLD = ["yes", "no"] * 30
LABELS = {name: [gold if RNG.random() < 0.7 else "yes" for gold in GOLD] for name in ("base", "new")}
RIGHT = {"base": (RNG.random(60) < 0.6).astype(float), "new": (RNG.random(60) < 0.7).astype(float)}
SIDES: tuple[Literal["greater", "less"], ...] = ("greater", "less")


def compared(alternative: str, alpha: float = 0.05, data: Any = None, **choices: Any) -> Comparison:
    plain = {"base": BASE, "new": NEW} if data is None else data
    return outscore.compare(
        plain, **{"alternative": alternative, "alpha": alpha, "n_resamples": 999, "correction": "none", **choices}
    )


def ends(found: Comparison) -> tuple[float, float]:
    ci = found.pairs[0].ci
    assert ci is not None
    return ci


@pytest.mark.parametrize("side", SIDES)
def test_the_interval_of_a_t_test_is_that_of_scipy(side: Literal["greater", "less"]) -> None:
    """scipy.stats.ttest_rel(...).confidence_interval, and R's t.test: the other end is infinite."""
    gains = np.array([-8.0, -5, 1, -3, -6, 1])
    found = compared(side, data={"a": BASE[:6], "b": BASE[:6] + gains}, test="t")
    expected = stats.ttest_1samp(gains, 0, alternative=side)
    interval = expected.confidence_interval(0.95)
    assert found.pairs[0].p_value == pytest.approx(expected.pvalue)
    assert ends(found) == pytest.approx((interval.low, interval.high))
    assert (found.pairs[0].verdict in ("better", "worse")) == (expected.pvalue <= 0.05)


@pytest.mark.parametrize("name", [name for name, cls in intervals if cls.covers != "score"])
@pytest.mark.parametrize("side", SIDES)
def test_every_interval_of_a_gain_has_one_end(name: str, side: str) -> None:
    """It is one end of the two-sided interval at level 1 - 2 alpha."""
    of_shares = name in ("tango", "newcombe", "bonett-price", "wald")
    data: dict[str, Any] = {"data": RIGHT, "metrics": "accuracy"} if of_shares else {}
    if name == "rao":
        data = {"data": LABELS, "metrics": "f1", "references": GOLD}
    one, both = (compared(s, alpha, interval=name, **data) for s, alpha in ((side, 0.05), ("two-sided", 0.1)))
    edge = 1.0 if data else math.inf
    low, high = ends(both)
    assert ends(one) == ((low, edge) if side == "greater" else (-edge, high))


@pytest.mark.parametrize("test", ["auto", "t", "randomization", "bootstrap", "wilcoxon", "z:sigma=1"])
def test_every_test_brings_one_end(test: str) -> None:
    (low, high), (lower, infinite) = ends(compared("two-sided", 0.1, test=test)), ends(compared("greater", test=test))
    assert lower == low
    assert infinite == math.inf
    assert ends(compared("less", test=test)) == (-math.inf, high)


@pytest.mark.parametrize("test", ["auto", "runs", "multibootstrap", "multibootstrap:form=t"])
def test_runs_bring_one_end(test: str) -> None:
    runs = {"base": RNG.normal(10, 1, (4, 30)), "new": RNG.normal(10.3, 1, (4, 30))}
    both, one = (compared(side, alpha, runs, test=test) for side, alpha in (("two-sided", 0.1), ("greater", 0.05)))
    assert ends(one) == (ends(both)[0], math.inf)


@pytest.mark.parametrize("test", ["welch", "student", "permutation", "two-proportions", "fisher", "unpaired-bootstrap"])
def test_independent_samples_bring_one_end(test: str) -> None:
    shares = test in ("two-proportions", "fisher")
    data = RIGHT if shares else {"base": BASE, "new": NEW[:40]}
    levels: list[tuple[Any, float]] = [("two-sided", 0.1), ("greater", 0.05), ("less", 0.05)]
    made = {
        (side, alpha): outscore.compare(
            data, test=test, unit="item", metrics="accuracy" if shares else "mean", alternative=side, alpha=alpha,
            n_resamples=499,
        )
        for side, alpha in levels
    }  # fmt: skip
    low, high = ends(made["two-sided", 0.1])
    edge = 1.0 if shares else math.inf
    assert ends(made["greater", 0.05]) == (low, edge)
    assert ends(made["less", 0.05]) == (-edge, high)


@pytest.mark.parametrize(
    ("side", "low", "high"), [("two-sided", -3.520805, 3.020805), ("greater", -2.280611, 1), ("less", -1, 1.780611)]
)
def test_the_open_end_is_the_limit_also_where_a_formula_goes_beyond_it(side: Any, low: float, high: float) -> None:
    """Ends by scipy's ttest_ind([1, 0], [1, 0, 1, 1]), the infinite one 1 or -1, as gains of shares are."""
    data = {"a": {f"a{i}": v for i, v in enumerate([1.0, 0.0, 1.0, 1.0])}, "b": {"b1": 1.0, "b2": 0.0}}
    found = outscore.compare(data, test="welch", unit="item", alternative=side)
    assert ends(found) == pytest.approx((low, high), abs=1e-6)
    (note,) = [note for note in found.notes if note.code == "interval_beyond_limits"]
    assert "permutation and two-proportions keep to it" in note.remedy
    kept = outscore.compare(data, test="permutation", unit="item", alternative=side)
    assert "interval_beyond_limits" not in {note.code for note in kept.notes}


def test_gains_of_domains_have_the_side_of_the_comparison() -> None:
    found = compared("greater", items={"topic": ["a", "b"] * 30}, by="topic")
    for part in found.buckets:
        assert part.ci is not None
        assert part.ci[1] == math.inf


def test_an_infinite_end_in_every_format() -> None:
    found = compared("greater", test="t")
    low = ends(found)[0]
    assert f"[{low:+.4f}, ∞)" in found.to("terminal")
    assert f"(95% CI {low:.4f} or more, p" in found.sentence
    assert f"{low:+.4f}, ∞)" in found.to("markdown").replace("\\", "")
    assert "$\\infty$)" in found.to_latex()
    assert f"{low:+.4f}, ∞)" in found.to("html")
    assert json.loads(found.to_json())["pairs"][0]["ci"] == [low, None]
    assert Comparison.from_json(found.to_json()) == found
    assert found.rows()[0]["ci_high"] == math.inf
    less = compared("less", test="t")
    assert f"(95% CI {ends(less)[1]:.4f} or less, p" in less.sentence
    assert "(-∞, " in less.to("terminal")
    assert "($-$$\\infty$, " in less.to_latex()
    assert Comparison.from_json(less.to_json()) == less


@pytest.mark.parametrize("side", SIDES)
def test_pictures_draw_to_their_edge(side: str) -> None:
    found = compared(side, test="t", flips="auto", items={"topic": ["a", "b"] * 30}, by="topic")
    drawn = json.dumps(picture(found), allow_nan=False)
    assert "\\u221e" in drawn
    assert "Infinity" not in found.to("html")


def test_a_one_sided_test_needs_a_level_below_one_half() -> None:
    with pytest.raises(UsageError, match=r"below 0\.5"):
        compared("greater", alpha=0.5)


def test_scores_keep_both_ends() -> None:
    for score in compared("greater").scores:
        assert score.ci is not None
        assert all(map(math.isfinite, score.ci))


@pytest.mark.parametrize("alternative", SIDES)
def test_items_needed_are_told_of_a_gain_on_the_side_of_the_claim_alone(
    alternative: Literal["greater", "less"],
) -> None:
    gains = np.r_[np.tile([1.0, -1.0], 20), 2.0]  # above 0, and not shown
    for sign in (1, -1):
        (pair,) = compared(alternative, data={"base": np.zeros(41), "new": sign * gains}).pairs
        assert pair.detectable_gain is not None
        assert (pair.items_needed is not None) == ((pair.gain > 0) == (alternative == "greater"))
