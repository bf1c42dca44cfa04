"""Gains of ratios that rest on few wrong or few right claims: test, interval and margin are one law."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import outscore
from outscore.base.errors import UsageError
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.results.comparison import Comparison
from tests.laws.support import least, most
from tests.significance.rao_by_hand import reach_by_hand

N = 300


def answers(seed: int, few: int, many: int, right: float, right_of_many: float | None = None) -> dict[str, list[str]]:
    """Gold labels, and two systems that say yes on so many items at random; as many of these are right."""
    rng = np.random.default_rng(seed)
    gold = rng.random(N) < right
    made = {"gold": gold.copy()}
    for name, claims in (("few", few), ("many", many)):
        made[name] = np.zeros(N, dtype=bool)
        made[name][rng.choice(N, claims, replace=False)] = True
    if right_of_many is not None:
        yes = np.flatnonzero(made["many"])
        made["gold"][yes] = made["gold"][yes] & (rng.random(yes.size) < right_of_many / right)
    return {name: ["yes" if one else "no" for one in values] for name, values in made.items()}


def compared(made: dict[str, list[str]], **options: object) -> Comparison:
    systems = {name: made[name] for name in ("many", "few")}
    return outscore.compare(systems, references=[made["gold"]], metrics="precision:of=yes", n_resamples=199, **options)  # type: ignore[arg-type]


def by_hand(made: dict[str, list[str]], quantile: float) -> tuple[float, float, float]:
    """The gain and its ends, item by item, claims being correlated."""
    ratios, worth, adds, seen = [], [], [], []
    for name in ("few", "many"):
        claims = [i for i in range(N) if made[name][i] == "yes"]
        n, p = len(claims), sum(made["gold"][i] == "yes" for i in claims) / len(claims)
        ratios.append(p)
        worth.append(n * (N - 1) / N if 0 < p < 1 else n)  # the variance of items has n - 1
        adds.append([(made["gold"][i] == "yes") - p if made[name][i] == "yes" else 0.0 for i in range(N)])
        seen.append(n)
    norm = math.sqrt(sum(x * x for x in adds[0]) * sum(x * x for x in adds[1]))
    known = math.sqrt(seen[0] / (seen[0] + 2) * seen[1] / (seen[1] + 2))
    r = known * sum(x * y for x, y in zip(*adds, strict=True)) / norm if norm else 0.0
    below, above = reach_by_hand(ratios, worth, [1.0, -1.0], [[1.0, r], [r, 1.0]], quantile)
    gain = ratios[0] - ratios[1]
    return gain, gain - below, gain + above


@pytest.mark.parametrize("seed", range(6))
def test_the_interval_is_that_of_both_ratios_by_hand(seed: int) -> None:
    made = answers(seed, 12, 120, 0.9)
    (pair,) = compared(made).pairs
    gain, low, high = by_hand(made, float(stats.t.ppf(0.975, N - 1)))
    assert (pair.test, pair.ci_method) == ("rao", "Rao score interval")
    assert pair.gain == pytest.approx(gain)
    assert pair.ci == pytest.approx((low, high))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("seed", range(4))
def test_p_is_where_the_interval_ends_at_0(seed: int, alternative: Alternative) -> None:
    made = answers(seed, 12, 120, 0.9, 0.6)
    (pair,) = compared(made, alternative=alternative).pairs
    assert pair.p_value is not None
    tail = {"two-sided": pair.p_value / 2, "greater": pair.p_value, "less": 1 - pair.p_value}[alternative]
    gain, low, high = by_hand(made, abs(float(stats.t.ppf(tail, N - 1))))
    assert (low if gain > 0 else high) == pytest.approx(0, abs=1e-6)


def test_systems_that_say_the_same_have_p_1() -> None:
    made = answers(1, 12, 12, 0.9)
    (pair,) = compared(made | {"many": made["few"]}).pairs
    assert (pair.p_value, pair.gain) == (1.0, 0.0)


def test_a_margin_is_judged_by_the_same_law() -> None:
    """Twelve claims, all of them right, show nothing of a loss of ten points."""
    made = answers(2, 12, 120, 0.9)
    made["few"] = ["no"] * N
    for i in [i for i, one in enumerate(made["gold"]) if one == "yes"][:12]:
        made["few"][i] = "yes"
    (pair,) = compared(made, margin=0.05).pairs
    assert pair.equivalence is not None
    assert pair.equivalence.method == "Rao score interval"
    assert pair.equivalence.p_not_worse is not None and pair.equivalence.p_not_worse > 0.05
    _, low, high = by_hand(made, float(stats.t.ppf(0.95, N - 1)))
    assert pair.equivalence.ci == pytest.approx((low, high))


@pytest.mark.parametrize(("few", "many", "right"), [(12, 120, 0.9), (20, 150, 0.95)])
def test_few_claims_that_are_all_right_are_told_apart_as_seldom_as_said(few: int, many: int, right: float) -> None:
    """Equal precisions; by permuted outputs in their standard errors 26 and 31 % of such sets differed.

    False alarm: 1e-6 for a true size of .05.
    """
    found = [compared(answers(seed, few, many, right)).pairs[0] for seed in range(400)]
    assert sum((pair.p_value or 1.0) <= 0.05 for pair in found) / 400 <= most(0.05, 400)
    assert sum(pair.ci is not None and pair.ci[0] <= 0 <= pair.ci[1] for pair in found) / 400 >= least(0.95, 400)


def test_many_right_and_wrong_ones_are_permuted_as_before() -> None:
    assert compared(answers(3, 60, 120, 0.7)).pairs[0].test == "randomization:form=studentized"


def test_in_clusters_they_are_judged_alike() -> None:
    made = answers(4, 12, 120, 0.9)
    (pair,) = compared(made, items={"doc": [f"d{i // 3}" for i in range(N)]}, cluster="doc").pairs
    assert (pair.test, pair.ci_method) == ("rao", "Rao score interval")


@pytest.mark.parametrize("option", ["test", "interval"])
def test_where_it_does_not_apply_its_own_option_is_the_remedy(option: str) -> None:
    texts = {"a": ["a b c d e"] * 9, "b": ["a b c d f"] * 9}
    with pytest.raises(UsageError, match=f"rao needs a ratio .*; use --{option} auto$"):
        outscore.compare(texts, references=[texts["a"]], metrics="bleu", **{option: "rao"})  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [4, 5])
def test_no_rounding_decides_what_few_wrong_claims_are(wrong: int) -> None:
    chosen = set()
    for claims in range(12, 24):
        made = {name: ["no"] * N for name in ("gold", "few", "many")}
        made["gold"][: claims - wrong] = ["yes"] * (claims - wrong)
        made["few"][:claims] = ["yes"] * claims
        made["gold"][100:140], made["many"][80:160] = ["yes"] * 40, ["yes"] * 80
        chosen.add(compared(made).pairs[0].test)
    assert chosen == ({"rao"} if wrong < 5 else {"randomization:form=studentized"})
