"""Tests of two metrics against humans, and effect sizes, clusters and margins of a pair, beside loops and formulas."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import optimize, stats

from outscore.base.arrays import Float, Int
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.significance import EXACT, MONTE_CARLO, tests
from outscore.significance.clusters import clusters_of_gain, find_ignored_clusters, unequal
from outscore.significance.correlation import (
    FEW_TO_EXCHANGE,
    CorrelationCoefficient,
    MetricMeasure,
    What,
    draw_all,
    draws,
    note_coefficient,
    permutation,
)
from outscore.significance.crossed import freedom
from outscore.significance.effect import standard_effect
from outscore.significance.equivalence import procedure
from outscore.significance.gain import GainContrast
from outscore.significance.multibootstrap import MultiBootstrap
from outscore.significance.settings import Settings
from tests.laws.support import experiment, f1_stats, mean_stats, pairing, settings

Three = tuple[MetricMeasure, MetricMeasure, MetricMeasure]


def measures(systems: int, items: int, seed: int = 0, labels: Int | None = None) -> Three:
    """Two metrics and the humans, on so many systems and items."""
    draw = np.random.default_rng(seed)
    truth = draw.normal(size=(systems, items)) + draw.normal(size=(systems, 1))
    noise = [draw.normal(0, wide, (systems, items)) for wide in (0.5, 1.5, 0.0)]
    first, second, human = (MetricMeasure(mean_stats([row[None] for row in truth + one], labels)) for one in noise)
    return first, second, human


def standardized(values: Float) -> Float:
    return np.asarray((values - values.mean()) / values.std())


def correlation(level: str, x: Float, y: Float) -> float:
    if level == "system":
        return float(np.corrcoef(x.mean(axis=1), y.mean(axis=1))[0, 1])
    if level == "segment":
        return float(np.corrcoef(x.ravel(), y.ravel())[0, 1])
    rows = zip(x, y, strict=True) if level == "segment-by-system" else zip(x.T, y.T, strict=True)
    return float(np.mean([np.corrcoef(a, b)[0, 1] for a, b in rows]))


@pytest.mark.parametrize("side", ALTERNATIVES)
@pytest.mark.parametrize("level", ["system", "segment", "segment-by-item", "segment-by-system"])
def test_whole_systems_are_exchanged_in_all_ways(level: str, side: Alternative) -> None:
    first, second, human = measures(5, 6)
    made = Settings(n_resamples=32, seed=1, alternative=side)
    (found,) = permutation(first, second, human, [CorrelationCoefficient(level, "pearson")], "systems", made)  # type: ignore[arg-type]
    h, raw = human.segments, (first.segments, second.segments)
    if level == "system":
        # scores of whole systems have a spread of their own
        x, y = (np.repeat(standardized(one.mean(axis=1))[:, None], 6, axis=1) for one in raw)
    else:
        x, y = (standardized(one) for one in raw)
    seen = correlation(level, x, h) - correlation(level, y, h)
    gains = []
    for swap in product((False, True), repeat=5):
        there = np.array(swap)[:, None]
        gains.append(correlation(level, np.where(there, y, x), h) - correlation(level, np.where(there, x, y), h))
    all_of = np.array(gains)
    hit = {
        "two-sided": np.abs(all_of) >= abs(seen) - 1e-12,
        "greater": all_of >= seen - 1e-12,
        "less": all_of <= seen + 1e-12,
    }[side]
    assert found.p_kind == EXACT and found.p_value == pytest.approx(float(hit.mean()))
    assert found.p_min == pytest.approx((2 if side == "two-sided" else 1) / 32)
    assert (FEW_TO_EXCHANGE in found.notes) == (side == "two-sided")


@pytest.mark.parametrize(
    ("what", "level", "labels", "exchanged"),
    [
        ("items", "system", None, 4), ("items", "segment", None, 4), ("items", "segment", [0, 0, 1, 2], 3),
        ("both", "segment", None, 12), ("both", "system", [0, 0, 1, 1], 6), ("systems", "segment", None, 3),
    ],
)  # fmt: skip
def test_the_floor_is_that_of_no_exchange(what: What, level: str, labels: list[int] | None, exchanged: int) -> None:
    given = measures(3, 4, 2, None if labels is None else np.array(labels))
    for side in ALTERNATIVES:
        made = Settings(n_resamples=7, seed=1, alternative=side)
        (found,) = permutation(*given, [CorrelationCoefficient(level, "pearson")], what, made)  # type: ignore[arg-type]
        twice = 2 if side == "two-sided" else 1
        least = twice * 0.5**exchanged if found.p_kind == EXACT else max(twice * 0.5**exchanged, 1 / 8)
        assert found.p_min == pytest.approx(least) or found.p_min == pytest.approx(twice * 0.5**exchanged)
        assert (FEW_TO_EXCHANGE in found.notes) == (twice * 0.5**exchanged > 0.05)


@pytest.mark.parametrize(
    ("systems", "items", "n", "kind"), [(4, 5, 16, EXACT), (4, 5, 15, MONTE_CARLO), (9, 1, 50, MONTE_CARLO)]
)
def test_systems_are_enumerated_where_that_is_no_more_than_was_asked(
    systems: int, items: int, n: int, kind: str
) -> None:
    given = measures(systems, items)
    of = [CorrelationCoefficient("system", "pearson"), CorrelationCoefficient("segment", "spearman")]
    for found in permutation(*given, of, "systems", Settings(n_resamples=n, seed=3)):
        assert found.p_kind == kind and found.p_value is not None and 0 < found.p_value <= 1


def test_random_exchanges_move_clusters_and_half_of_everything() -> None:
    labels = np.array([0, 0, 1, 2, 2, 2])
    chosen = list(draws(3, mean_stats([np.zeros((1, 6))] * 2, labels).design, "both", Settings(n_resamples=40)))
    for draw in chosen:
        assert draw.systems.size == 3 and {0, 1, 2} >= set(draw.systems.tolist())
        counts = np.bincount(draw.items, minlength=6)
        assert counts[0] == counts[1] and counts[3] == counts[4] == counts[5] and counts[[0, 2, 3]].sum() == 3
    fixed = list(draws(3, mean_stats([np.zeros((1, 6))] * 2).design, "items", Settings(n_resamples=5)))
    assert all(draw.systems.tolist() == [0, 1, 2] and draw.items.size == 6 for draw in fixed)


@pytest.mark.parametrize("what", ["items", "both"])
def test_exchanged_items_of_two_metrics_by_their_share(what: What) -> None:
    first, second, human = measures(4, 5, 3)
    (found,) = permutation(
        first, second, human, [CorrelationCoefficient("segment", "pearson")], what, Settings(n_resamples=1500, seed=5)
    )
    x, y, h = standardized(first.segments), standardized(second.segments), human.segments
    seen, draw, hits = correlation("segment", x, h) - correlation("segment", y, h), np.random.default_rng(1), 0
    for _ in range(1500):
        there = draw.random((1, 5) if what == "items" else (4, 5)) < 0.5
        other = correlation("segment", np.where(there, y, x), h) - correlation("segment", np.where(there, x, y), h)
        hits += abs(other) >= abs(seen) - 1e-12
    assert found.p_value == pytest.approx(hits / 1500, abs=0.06)


@pytest.mark.parametrize(("systems", "few"), [(9, True), (10, False)])
def test_fewer_than_ten_systems_are_few(systems: int, few: bool) -> None:
    codes = [n.code for n in note_coefficient(CorrelationCoefficient("system", "accuracy"), systems, 0)]
    assert codes == (["few_systems"] if few else [])
    assert not note_coefficient(CorrelationCoefficient("segment", "pearson"), 3, 0)
    of = CorrelationCoefficient("segment", "accuracy")
    assert [n.code for n in note_coefficient(of, 3, 1)] == ["undefined_groups", "calibrated_ties"]
    assert draw_all(measures(3, 4)[0]).items.tolist() == [0, 1, 2, 3]


# effect sizes, clusters and margins of a pair


def test_effects_count_items_and_divide_by_their_spread() -> None:
    d = np.array([[1.0, 0.0, -0.5, 2.0, 0.0, 0.25]])
    for sign in (1, -1):
        effect = standard_effect(pairing(sign * d, np.zeros_like(d), settings(9)))
        wins, losses = (3, 1) if sign > 0 else (1, 3)
        dz = sign * d.mean() / d.std(ddof=1)
        j = math.gamma(2.5) / (math.sqrt(2.5) * math.gamma(2.0))
        assert effect == {
            "wins": wins, "losses": losses, "ties": 2, "d_z": pytest.approx(dz), "hedges_gz": pytest.approx(j * dz),
        }  # fmt: skip
    assert standard_effect(pairing(d[:, :1], 0 * d[:, :1], settings(9))) == {"wins": 1, "losses": 0, "ties": 0}
    assert standard_effect(pairing(0 * d + 1, 0 * d, settings(9))) == {"wins": 6, "losses": 0, "ties": 0}


def f1(rows: Float) -> float:
    tp, fp, fn = rows.sum(axis=0)
    return float(2 * tp / (2 * tp + fp + fn))


@pytest.mark.parametrize("labels", [None, np.array([0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 5])])
def test_effects_and_margins_of_a_corpus_score_are_those_of_the_jackknife(labels: Int | None) -> None:
    counts = np.random.default_rng(9).integers(0, 5, (2, 1, 12, 3)).astype(float)
    pair = GainContrast(experiment(f1_stats(list(counts), labels), settings=settings(9)), 0, 1)
    units = np.arange(12) if labels is None else labels
    n, (base, new) = len(set(units.tolist())), counts[:, 0]
    without = np.array([f1(new[units != u]) - f1(base[units != u]) for u in range(n)])
    gain, error = f1(new) - f1(base), math.sqrt((n - 1) * without.var())
    effect = standard_effect(pair)
    assert effect["n_different"] == pair.n_different
    assert effect["se_jackknife"] == pytest.approx(error)
    assert effect["d_z"] == pytest.approx(gain / error / math.sqrt(n))
    held = procedure(pair, tests.make("randomization"))
    found = held.tost(0.3, 0.05)
    assert found is not None and held.method == "t over jackknife pseudo-values"
    law = stats.t(n - 1)
    assert (found.statistic_lower, found.statistic_upper) == pytest.approx(((gain + 0.3) / error, (gain - 0.3) / error))
    assert (found.p_lower, found.p_upper) == pytest.approx(
        (law.sf((gain + 0.3) / error), law.cdf((gain - 0.3) / error))
    )
    assert (found.low, found.high) == pytest.approx((gain - law.ppf(0.95) * error, gain + law.ppf(0.95) * error))
    for side, tail in (("two-sided", 0.025), ("greater", 0.05)):
        power = held.power(0.2, 0.05, side)  # type: ignore[arg-type]
        assert power == pytest.approx(float(law.sf(law.isf(tail) - 0.2 / error)))
        least = held.detectable(0.05, side)  # type: ignore[arg-type]
        assert least == pytest.approx(error * float(law.isf(tail) + law.ppf(0.8)))


@pytest.mark.parametrize(("b", "c", "n"), [(9, 4, 40), (0, 0, 40), (3, 12, 60)])
def test_power_of_right_or_wrong_items_is_connors(b: int, c: int, n: int) -> None:
    new, base = np.zeros((2, 1, n))
    new[0, :b], base[0, b : b + c] = 1.0, 1.0
    held = procedure(pairing(new, base, settings(9)), tests.make("mcnemar"))
    for side, tail in (("two-sided", 0.025), ("less", 0.05)):
        critical = float(stats.norm.isf(tail))

        def power(gain: float, critical: float = critical) -> float:
            share = max((b + c) / n, gain)
            at = (gain * math.sqrt(n) - critical * math.sqrt(share)) / math.sqrt(share - gain**2)
            return float(stats.norm.cdf(at))

        for gain in (0.05, 0.2, 0.6):
            assert held.power(gain, 0.05, side) == pytest.approx(power(gain))  # type: ignore[arg-type]
        root = optimize.brentq(lambda g: power(g) - 0.8, 1e-6, 1 - 1e-9)
        assert held.detectable(0.05, side) == pytest.approx(root, rel=1e-6)  # type: ignore[arg-type]


@pytest.mark.parametrize(("n", "answered"), [(3, False), (4, False), (5, True), (9, True)])
def test_units_that_never_differ_bound_how_often_they_do(n: int, answered: bool) -> None:
    d = np.linspace(0, 2, n)[None]
    held = procedure(pairing(d, d, settings(9)), tests.make("t"))
    for margin in (0.1, 0.7, 1.0, 1.5, 5.0):
        found = held.tost(margin, 0.05)
        assert (found is not None) == answered == (0.5**n <= 0.05)
        if found is not None:
            p = max(1 - margin / 2, 0.5) ** n
            most = 2 * (1 - 0.05 ** (1 / n))
            assert (found.p_lower, found.p_upper, found.low, found.high) == pytest.approx((p, p, -most, most))
    assert held.power(0.1, 0.05, "greater") is held.detectable(0.05, "less") is None


def test_clusters_of_a_gain_are_by_analysis_of_variance() -> None:
    labels = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 3])
    d = np.random.default_rng(1).normal(size=10) + labels
    found = clusters_of_gain(pairing(d[None], np.zeros((1, 10)), settings(9), labels))
    assert found is not None and clusters_of_gain(pairing(d[None], 0 * d[None], settings(9))) is None
    sizes = np.bincount(labels)
    means = np.array([d[labels == g].mean() for g in range(4)])
    between = float((sizes * (means - d.mean()) ** 2).sum()) / 3
    within = float(((d - means[labels]) ** 2).sum()) / 6
    typical = (10 - float((sizes**2).sum()) / 10) / 3
    icc = (between - within) / (between + (typical - 1) * within)
    effect = 1 + (float((sizes**2).sum()) / 10 - 1) * icc
    assert (found.n_clusters, found.icc, found.design_effect) == pytest.approx((4, icc, effect))
    assert found.n_effective == pytest.approx(10 / effect)


@pytest.mark.parametrize(
    ("sizes", "large"),
    [([10] * 20, None), ([10] * 19, 19), ([11, *[10] * 19], 1), ([20, *[10] * 19], 1), ([21, 20, *[1] * 400], None),
     ([100, 90, 80, 70, *[1] * 60], 4)],
)  # fmt: skip
def test_clusters_that_count_like_fewer_than_twenty_are_named(sizes: list[int], large: int | None) -> None:
    labels = np.repeat(np.arange(len(sizes)), sizes)
    n = len(labels)
    note = unequal(pairing(np.zeros((1, n)), np.ones((1, n)), settings(9), labels))
    alike = n**2 / sum(m * m for m in sizes)
    if alike >= 20:
        assert note is None
        return
    assert note is not None and f"count like {alike:.1f} of equal size" in note.text
    named = [m for m in sizes if m > n / 20]
    assert large == len(named)
    assert note.text.startswith(
        f"{large} of {len(sizes)} clusters hold{'s' * (large == 1)} {sum(named)} of {n} items: "
    )
    assert f"'1' {sizes[0]} ({100 * sizes[0] / n:.0f} %)" in note.text
    assert ("and 1 more" in note.text) == (large == 4)


def test_clusters_that_were_not_given_matter_by_the_largest_effect_of_all_systems() -> None:
    draw = np.random.default_rng(6)
    groups = np.repeat(np.arange(10), 4)
    alone, shared = draw.normal(size=(1, 40)), draw.normal(size=(1, 10)).repeat(4, axis=1)
    whole = experiment(mean_stats([np.zeros((1, 40)), alone, shared, alone]), settings=settings(9))
    own = [clusters_of_gain(pairing(d, 0 * d, settings(9), groups)) for d in (alone, shared)]
    assert own[0] is not None and own[1] is not None and own[1].design_effect > 3 > own[0].design_effect
    names = [str(g) for g in groups]
    columns = {"doc": names, "topic": ["one"] * 40, "article": [str(i) for i in range(40)], "size": names}
    ((column, largest),) = find_ignored_clusters(whole, columns)
    assert column == "doc" and largest == pytest.approx(own[1].design_effect)
    # two of each and one alone: n - 1 names are clusters still
    pairs = {"cluster": [*map(str, range(39)), "0"]}
    assert len(find_ignored_clusters(whole, pairs)) <= 1


@pytest.mark.parametrize(("runs", "items"), [((2, 2), 8), ((4, 5), 29), ((5, 9), 30), ((10, 10), 31)])
def test_redrawn_runs_have_satterthwaites_degrees_of_freedom(runs: tuple[int, int], items: int) -> None:
    draw = np.random.default_rng(items)
    a, b = (draw.normal(size=(r, items)) + draw.normal(size=(r, 1)) for r in runs)
    for form in ("t", "shift", "percentile"):
        found = MultiBootstrap(form=form).run(pairing(a, b, settings(199)))
        effect = found.effect
        shared = float(effect["share_of_variance_from_runs"])  # type: ignore[arg-type]
        se, df = float(effect["se"]), float(effect["df"])  # type: ignore[arg-type]
        assert 0 < shared < 1 and min(*runs, items) - 1 <= df <= sum(runs) + items - 3
        codes = {note.code for note in found.notes}
        assert ("few_runs" in codes) == (min(runs) < 5)
        assert ("few_items" in codes) == (items < 30)
        assert ("bootstrap_of_few_runs" in codes) == (form != "t" and min(runs) < 10)
        if form == "t":
            gain = float(a.mean() - b.mean())
            assert effect["statistic"] == pytest.approx(gain / se)
            assert found.p_value == pytest.approx(2 * float(stats.t(df).sf(abs(gain) / se)))
            assert found.ci == pytest.approx(
                (gain - float(stats.t(df).ppf(0.975)) * se, gain + float(stats.t(df).ppf(0.975)) * se)
            )


def test_degrees_of_freedom_are_those_of_satterthwaite_and_of_the_fewer_runs() -> None:
    parts, items = [0.3, 0.2], 0.4
    whole = (0.3 + 0.2 + 0.4) ** 2 / (0.3**2 / 4 + 0.2**2 / 4 + 0.4**2 / 19)
    assert freedom(parts, (5, 5), items, 20) == pytest.approx(whole)
    less = (0.9 - 0.1) ** 2 / (0.3**2 / 4 + 0.2**2 / 4 + 0.4**2 / 19)
    assert freedom(parts, (5, 5), items, 20, 0.1) == pytest.approx(less)
    assert freedom(parts, (5, 5)) == pytest.approx(0.5**2 / (0.3**2 / 4 + 0.2**2 / 4))
    assert freedom([0.3, 1e-9], (2, 20)) <= 2
