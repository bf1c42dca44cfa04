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


def clustered(seed: int, sizes: list[int]) -> dict[str, list[str]]:
    """Gold labels of three classes, two systems that err alike in the same documents, and the documents."""
    rng = np.random.default_rng(seed)
    place = np.repeat(np.arange(len(sizes)), sizes)
    gold = rng.choice(3, place.size, p=[0.55, 0.27, 0.18])
    made = {"gold": gold, "document": place}
    for name in ("many", "few"):
        skill = 1 / (1 + np.exp(-(np.array([1.7, 1.1, 0.85])[gold] + rng.normal(size=len(sizes))[place])))
        made[name] = np.where(rng.random(place.size) < skill, gold, (gold + rng.integers(1, 3, place.size)) % 3)
    return {name: list(map(str, values)) for name, values in made.items()}


def of_documents(made: dict[str, list[str]]) -> Comparison:
    systems = {name: made[name] for name in ("many", "few")}
    items, gold = {"document": made["document"]}, [made["gold"]]
    return outscore.compare(
        systems,
        references=gold,
        items=items,
        cluster="document",
        metrics="balanced_accuracy",
        n_resamples=9,
    )


def test_documents_of_unequal_size_have_cr2_variances_by_hand() -> None:
    made = clustered(3, [30, 3, 8, 12, 5, 20, 2, 9])
    place, gold = np.array(made["document"]).astype(int), np.array(made["gold"])
    held = np.stack([np.bincount(place[gold == c], minlength=8) for c in "012"], axis=1).astype(float)
    ratios, worth, weights, adds = [], [], [], []
    for name, sign in (("few", 1.0), ("many", -1.0)):
        right = gold == np.array(made[name])
        for k, c in enumerate("012"):
            of_class = np.bincount(place[(gold == c) & right], minlength=8)
            total = held[:, k].sum()
            p = of_class.sum() / total
            add = (of_class - p * held[:, k]) / total / np.sqrt(1 - held[:, k] / total)
            ratios.append(p)
            worth.append(min(p * (1 - p) / float((add**2).sum()), total))
            weights.append(sign / 3)
            adds.append(add)
    seen = np.tile((held > 0).sum(axis=0), 2)
    known = np.sqrt(seen / (seen + 2))
    r = np.eye(6)
    for i in range(6):
        for j in range(6):
            if i != j:
                norm = math.sqrt(float((adds[i] ** 2).sum() * (adds[j] ** 2).sum()))
                r[i, j] = known[i] * known[j] * float(adds[i] @ adds[j]) / norm
    sizes = held.sum(axis=1)
    n, u = sizes.sum(), sizes**2 / (sizes.sum() - sizes)
    df = n**2 / ((sizes**2).sum() + u.sum() ** 2 - (u**2).sum())
    below, above = reach_by_hand(ratios, worth, weights, r.tolist(), float(stats.t.isf(0.025, df)))
    (pair,) = of_documents(made).pairs
    assert pair.ci == pytest.approx((pair.gain - below, pair.gain + above), abs=1e-9)
    assert df < 5


@pytest.mark.slow
def test_equal_systems_on_documents_of_very_unequal_size_are_seldom_told_apart() -> None:
    """4 documents of 60 and 26 of 3: .06 of 800 sets; .13 with the variance and the df of documents all alike.

    A right program fails with probability 1e-6 over the choice of the seed.
    """
    found = [of_documents(clustered(seed, [60] * 4 + [3] * 26)).pairs[0].p_value for seed in range(800)]
    assert least(0.05, 800) <= float(np.mean([p is not None and p < 0.05 for p in found])) <= most(0.05, 800)
