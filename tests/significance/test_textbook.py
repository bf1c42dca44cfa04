"""Closed forms equal their slow twins, written in plain loops from the definition, and their policies
hold.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from outscore.base.errors import UsageError
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.significance import crossed, discordant, effect, means, p_values, proportions, student, wilcoxon
from outscore.significance.discordant import DiscordantPairs
from outscore.significance.independent import proportions as shares
from outscore.significance.independent.mann_whitney import mann_whitney
from outscore.significance.independent.t_tests import student as pooled_t
from outscore.significance.omnibus.blocks import permutation_p
from outscore.significance.omnibus.cochran_q import cochran_q, informative
from outscore.significance.runs import median_run, run_permutation_p
from tests.run_tables import additive, corpus

sides = st.sampled_from(ALTERNATIVES)
counts = st.integers(0, 12)


def share(values: list[Fraction], observed: Fraction, centre: Fraction, alternative: Alternative) -> float:
    """Share of equally likely values at least as extreme as the observed one."""
    if alternative == "greater":
        exceedances = [v >= observed for v in values]
    elif alternative == "less":
        exceedances = [v <= observed for v in values]
    else:
        exceedances = [abs(v - centre) >= abs(observed - centre) for v in values]
    return sum(exceedances) / len(exceedances)


# --- tails -------------------------------------------------------------------------------------------------


@given(df=st.floats(0.5, 500), level=st.floats(0.01, 0.999))
def test_student_quantile_inverts_the_tail(df: float, level: float) -> None:
    assert p_values.student_p(p_values.student_quantile(level, df), df) == pytest.approx(1 - level, rel=1e-9)


@pytest.mark.parametrize("t", [-math.inf, -2.5, 0.0, 1.0, math.inf])
def test_one_sided_tails_add_to_one_and_double_to_the_two_sided(t: float) -> None:
    for p in (
        {s: p_values.student_p(t, 4.0, s) for s in ALTERNATIVES},
        {s: p_values.normal_p(t, s) for s in ALTERNATIVES},
    ):
        assert p["greater"] + p["less"] == pytest.approx(1.0)
        assert p["two-sided"] == pytest.approx(2 * min(p["greater"], p["less"]))


# --- t -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("d", "statistic", "p", "degenerate"),
    [
        ([0.0, 0.0, 0.0], 0.0, 1.0, "identical_outputs"),
        ([-0.3, -0.3, -0.3], -math.inf, 0.0, "zero_variance"),
        ([0.3 - 0.2, 0.2 - 0.1, 0.1], math.inf, 0.0, "zero_variance"),  # constant but for rounding
        ([0.5], math.nan, math.nan, "n_too_small"),
        ([], math.nan, math.nan, "n_too_small"),
    ],
)
def test_degenerate_t(d: list[float], statistic: float, p: float, degenerate: str) -> None:
    found = means.paired_t(np.array(d))
    assert (found.statistic, found.p) == pytest.approx((statistic, p), nan_ok=True)
    assert found.degenerate == degenerate


@pytest.mark.parametrize("test", [means.welch, pooled_t])
def test_degenerate_two_sample_t(test: object) -> None:
    same = test(np.ones(3), np.ones(4))  # type: ignore[operator]
    apart = test(np.ones(3), np.zeros(4), alternative="less")  # type: ignore[operator]
    alone = test(np.ones(1), np.zeros(1))  # type: ignore[operator]
    assert (same.statistic, same.p, same.degenerate) == (0.0, 1.0, "identical_outputs")
    assert (apart.statistic, apart.p, apart.degenerate) == (math.inf, 1.0, "zero_variance")
    assert alone.degenerate == "n_too_small"


def test_interval_and_test_agree_at_the_border() -> None:
    d = np.array([0.3, 1.0, -0.2, 0.7, 0.1])
    low = means.paired_t(d).low
    assert means.paired_t(d - low).p == pytest.approx(0.05, rel=1e-9)


def test_hedges_factor_of_large_samples_is_near_one() -> None:
    assert effect.hedges_j(1000) == pytest.approx(1 - 3 / (4 * 1000 - 1), rel=1e-6)


def test_z_needs_a_known_deviation() -> None:
    with pytest.raises(UsageError, match="sigma"):
        student.paired_z(np.ones(3), 0.0)


# --- discordant pairs --------------------------------------------------------------------------------------


@given(b=counts, c=counts, alternative=sides)
def test_exact_and_midp_by_summing_the_binomial(b: int, c: int, alternative: Alternative) -> None:
    n = b + c
    mass = [Fraction(math.comb(n, k), 2**n) for k in range(n + 1)]
    upper, lower = sum(mass[b:]), sum(mass[: b + 1])
    if alternative == "two-sided":
        exact = min(Fraction(1), 2 * min(upper, lower))
        mid = Fraction(1) if b == c else exact - mass[b]
    else:
        exact = upper if alternative == "greater" else lower
        mid = exact - mass[b] / 2
    assert DiscordantPairs(b, c).p("exact", alternative) == pytest.approx(float(exact))
    assert DiscordantPairs(b, c).p(alternative=alternative) == pytest.approx(float(mid))


@given(b=counts, c=counts, alternative=sides, method=st.sampled_from(["exact", "midp", "chi2", "chi2-cc"]))
def test_no_split_of_the_pairs_beats_the_attainable_p(
    b: int, c: int, alternative: Alternative, method: discordant.Method
) -> None:
    found = DiscordantPairs(b, c)
    every = [DiscordantPairs(k, b + c - k).p(method, alternative) for k in range(b + c + 1)]
    assert found.p_min(method, alternative) == pytest.approx(min(every), rel=1e-12)
    mirrored: Alternative = {"greater": "less", "less": "greater"}.get(alternative, "two-sided")  # type: ignore[assignment]
    assert DiscordantPairs(c, b).p(method, mirrored) == pytest.approx(found.p(method, alternative))


def test_point_mass_of_many_pairs() -> None:
    exact = float(Fraction(math.comb(2000, 950), 2**2000))
    two = DiscordantPairs(950, 1050).p("exact")
    assert two - DiscordantPairs(950, 1050).p() == pytest.approx(exact, rel=1e-9)


def test_odds_ratio_at_the_ends() -> None:
    assert DiscordantPairs(3, 0).odds_ratio()[0] == math.inf
    assert DiscordantPairs(3, 0).odds_ratio()[2] == math.inf
    assert DiscordantPairs(0, 3).odds_ratio()[0] == DiscordantPairs(0, 3).odds_ratio()[1] == 0.0
    assert math.isnan(DiscordantPairs(0, 0).odds_ratio()[0])
    ratio, low, high = DiscordantPairs(6, 2).odds_ratio()
    assert low < ratio == 3.0 < high


def test_mcnemar_refuses_nonsense() -> None:
    with pytest.raises(UsageError, match="negative"):
        DiscordantPairs(-1, 2)
    with pytest.raises(UsageError, match="method"):
        DiscordantPairs(1, 2).p("x")  # type: ignore[arg-type]


# --- proportions -------------------------------------------------------------------------------------------


@given(x=st.integers(0, 30), extra=st.integers(0, 30), name=st.sampled_from(list(proportions.PROPORTION_INTERVALS)))
def test_intervals_of_successes_mirror_those_of_failures(x: int, extra: int, name: str) -> None:
    n = x + extra
    assume(n > 0)
    method = proportions.PROPORTION_INTERVALS[name]
    low, high = method(x, n, 0.9)
    mirrored = method(n - x, n, 0.9)
    assert low - 1e-12 <= x / n <= high + 1e-12
    assert (1 - high, 1 - low) == pytest.approx(mirrored, abs=1e-12)


@given(b=st.integers(0, 9), c=st.integers(0, 9), rest=st.integers(0, 40))
def test_tango_ends_solve_the_score_equation(b: int, c: int, rest: int) -> None:
    n = b + c + rest
    assume(n > 0)
    z = p_values.normal_quantile(0.95)
    for end in proportions.tango(b, c, n):
        assert -1 <= end <= 1
        # restricted maximum likelihood on a fine grid of P(baseline only) = q, P(system only) = q + D
        grid = np.linspace(max(0.0, -end), (1 - end) / 2, 200_001)[1:-1] if abs(end) < 1 else np.array([])
        if not grid.size:
            continue
        zero = np.zeros_like(grid)
        loglik = (
            (b * np.log(grid + end) if b else zero)
            + (c * np.log(grid) if c else zero)
            + (rest * np.log1p(-2 * grid - end) if rest else zero)
        )
        q = float(grid[np.argmax(loglik)])
        score = (b - c - n * end) / math.sqrt(n * (2 * q + end * (1 - end)))
        assert abs(score) == pytest.approx(z, abs=2e-3)
    mirrored = proportions.tango(c, b, n)
    assert proportions.tango(b, c, n) == pytest.approx((-mirrored[1], -mirrored[0]))


@pytest.mark.parametrize("n", [1, 20, 500])
def test_tango_without_discordant_pairs_has_its_closed_form(n: int) -> None:
    z2 = p_values.normal_quantile(0.95) ** 2
    assert proportions.tango(0, 0, n) == pytest.approx((-z2 / (n + z2), z2 / (n + z2)), rel=1e-9)


@given(x1=st.integers(0, 8), n1=st.integers(1, 8), x2=st.integers(0, 8), n2=st.integers(1, 8), alternative=sides)
def test_fisher_by_enumerating_tables(x1: int, n1: int, x2: int, n2: int, alternative: Alternative) -> None:
    assume(x1 <= n1 and x2 <= n2)
    right = x1 + x2
    ways = {k: math.comb(n1, k) * math.comb(n2, right - k) for k in range(max(0, right - n2), min(n1, right) + 1)}
    kept = {
        "greater": [w for k, w in ways.items() if k >= x1],
        "less": [w for k, w in ways.items() if k <= x1],
        "two-sided": [w for w in ways.values() if w <= ways[x1]],
    }[alternative]
    assert shares.fisher_p(x1, n1, x2, n2, alternative) == pytest.approx(sum(kept) / sum(ways.values()), rel=1e-9)


@pytest.mark.parametrize("method", ["z", "chi2", "chi2-yates", "fisher"])
def test_equal_certain_proportions_have_p_one(method: shares.TwoMethod) -> None:
    statistic, p = shares.two_proportions(5, 5, 7, 7, method=method)
    assert p == pytest.approx(1.0)
    assert math.isnan(statistic)


@pytest.mark.parametrize(
    "call", [lambda: proportions.wilson(3, 2), lambda: proportions.tango(1, 1, 1), lambda: proportions.wald(0, 0)]
)
def test_counts_must_fit(call: object) -> None:
    with pytest.raises(UsageError):
        call()  # type: ignore[operator]


# --- ranks -------------------------------------------------------------------------------------------------


def midranks(values: list[int]) -> list[Fraction]:
    return [Fraction(sum(v < x for v in values)) + Fraction(sum(v == x for v in values) + 1, 2) for x in values]


@given(
    d=st.lists(st.integers(-4, 4), min_size=1, max_size=8),
    zeros=st.sampled_from(["drop", "pratt"]),
    alternative=sides,
)
def test_signed_rank_by_all_signs(d: list[int], zeros: wilcoxon.Zeros, alternative: Alternative) -> None:
    pool = d if zeros == "pratt" else [v for v in d if v]
    kept = [r for r, v in zip(midranks([abs(v) for v in pool]), pool, strict=True) if v]
    signs = [v > 0 for v in d if v]
    observed = sum((r for r, up in zip(kept, signs, strict=True) if up), Fraction(0))
    every = [
        sum((r for r, up in zip(kept, ups, strict=True) if up), Fraction(0))
        for ups in product((True, False), repeat=len(kept))
    ]
    found = wilcoxon.wilcoxon(np.array(d, dtype=float), method="exact", zeros=zeros, alternative=alternative)
    assert found.w_plus == float(observed)
    assert found.p == pytest.approx(share(every, observed, sum(kept, Fraction(0)) / 2, alternative))


samples = st.lists(st.integers(0, 4), min_size=1, max_size=5)


@given(x=samples, y=samples, alternative=sides)
def test_rank_sum_by_all_labellings(x: list[int], y: list[int], alternative: Alternative) -> None:
    ranked = midranks(x + y)
    every = [sum(chosen, Fraction(0)) for chosen in combinations(ranked, len(x))]
    centre = Fraction(len(x) * (len(x) + len(y) + 1), 2)
    found = mann_whitney(np.array(x, dtype=float), np.array(y, dtype=float), method="exact", alternative=alternative)
    assert found.p_value == pytest.approx(share(every, sum(ranked[: len(x)], Fraction(0)), centre, alternative))
    wins = sum(Fraction(a > b) + Fraction(a == b, 2) for a in x for b in y)
    assert found.effect["statistic"] == float(wins)


@pytest.mark.parametrize("method", ["normal", "normal-cc"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_normal_approximations_come_near_the_exact_p(method: wilcoxon.Method, alternative: Alternative) -> None:
    rng = np.random.default_rng(11)
    d = rng.integers(-6, 8, 150).astype(float)
    signed = wilcoxon.wilcoxon(d, method=method, alternative=alternative).p
    assert signed == pytest.approx(wilcoxon.wilcoxon(d, method="exact", alternative=alternative).p, abs=0.005)
    x, y = rng.integers(0, 9, 60).astype(float), rng.integers(0, 10, 70).astype(float)
    near = mann_whitney(x, y, method=method, alternative=alternative).p_value
    assert near == pytest.approx(mann_whitney(x, y, method="exact", alternative=alternative).p_value, abs=0.005)


def test_auto_is_exact_while_it_can_be() -> None:
    assert wilcoxon.wilcoxon(np.arange(1.0, 60.0)).p_kind == "exact"
    assert wilcoxon.wilcoxon(np.arange(1.0, 3000.0)).p_kind == "asymptotic"


# --- several systems ---------------------------------------------------------------------------------------


tables = st.integers(2, 3).flatmap(lambda k: st.lists(st.tuples(*[st.integers(0, 1)] * k), min_size=1, max_size=5))


@given(table=tables)
def test_exact_cochran_by_permuting_within_items(table: list[tuple[int, ...]]) -> None:
    def spread(rows: tuple[tuple[int, ...], ...]) -> int:
        return sum(sum(column) ** 2 for column in zip(*rows, strict=True))

    every = [spread(rows) for rows in product(*(list(permutations(row)) for row in table))]
    expected = sum(s >= spread(tuple(table)) for s in every) / len(every)
    assert permutation_p(np.array(table)) == pytest.approx(expected)


def test_cochran_of_two_systems_is_mcnemar() -> None:
    table = np.array([[1, 0]] * 8 + [[0, 1]] * 3 + [[1, 1]] * 4)
    q, two = cochran_q(table), DiscordantPairs(8, 3)
    assert (q, p_values.chi2_p(q, 1)) == pytest.approx((two.chi2(), two.p("chi2")))
    assert permutation_p(table) == pytest.approx(DiscordantPairs(8, 3).p("exact"))


def test_cochran_of_identical_systems() -> None:
    table = np.array([[1, 1, 1], [0, 0, 0]])
    assert math.isnan(cochran_q(table))
    assert (permutation_p(table), informative(table)) == (1.0, 0)
    with pytest.raises(UsageError):
        cochran_q(np.array([[2, 1]]))


# --- clusters ----------------------------------------------------------------------------------------------


clustered_values = st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 4)), min_size=4, max_size=14).filter(
    lambda rows: len({g for _, g in rows}) > 1
)


@given(rows=clustered_values)
def test_cr2_by_matrices(rows: list[tuple[int, int]]) -> None:
    d, labels = np.array([v for v, _ in rows], dtype=float), np.array([g for _, g in rows])
    n, hat = d.size, np.full((d.size, d.size), 1 / d.size)
    residual_maker = np.eye(n) - hat
    parts, total = [], 0.0
    for g in np.unique(labels):
        own = labels == g
        values, vectors = np.linalg.eigh(residual_maker[np.ix_(own, own)])
        adjust = vectors @ np.diag(values**-0.5) @ vectors.T
        weights = adjust @ np.ones(int(own.sum())) / n
        total += float(weights @ (d - d.mean())[own]) ** 2
        parts.append(residual_maker[:, own] @ weights)
    gram = np.array(parts) @ np.array(parts).T
    found = means.clusters_of(d, labels)
    assert found.se_cr2 == pytest.approx(math.sqrt(total), abs=1e-9)
    assert found.df_cr2 == pytest.approx(np.trace(gram) ** 2 / np.trace(gram @ gram))


@given(rows=clustered_values)
def test_cr0_by_pairs_of_items(rows: list[tuple[int, int]]) -> None:
    d, labels = [v for v, _ in rows], [g for _, g in rows]
    mean = sum(d) / len(d)
    pairs = product(range(len(d)), repeat=2)
    total = sum((d[i] - mean) * (d[j] - mean) for i, j in pairs if labels[i] == labels[j])
    found = means.clusters_of(np.array(d, dtype=float), np.array(labels))
    assert found.se_cr0 == pytest.approx(math.sqrt(max(total, 0)) / len(d), abs=1e-7)


def test_items_as_their_own_clusters_give_the_plain_t() -> None:
    d = np.array([0.4, -0.1, 0.9, 1.4, 0.2])
    plain = means.paired_t(d)
    for kind in ("CR1", "CR2"):
        found = means.cluster_t(d, np.arange(5), kind=kind)
        assert (found.statistic, found.df, found.p) == pytest.approx((plain.statistic, 4, plain.p))


def test_icc_of_copies_is_one_and_of_one_cluster_undefined() -> None:
    found = means.clusters_of(np.repeat([1.0, 4.0, 2.0], 3), np.repeat(["a", "b", "c"], 3))
    assert (found.icc, found.design_effect, found.n_effective) == pytest.approx((1.0, 3.0, 3.0))
    alone = means.clusters_of(np.array([1.0, 2.0]), np.array([0, 0]))
    assert math.isnan(alone.se_cr2)
    assert math.isnan(alone.icc)
    assert means.cluster_t(np.array([1.0, 2.0]), np.array([0, 0])).degenerate == "n_too_small"


# --- runs and items ----------------------------------------------------------------------------------------


def scores(runs: int, items: int, seed: int) -> crossed.RunTable:
    return additive(np.random.default_rng(seed).normal(size=(runs, items)))


@pytest.mark.parametrize(("runs_a", "runs_b"), [(3, 3), (2, 5)])
def test_mean_squares_split_the_sum_of_squares(runs_a: int, runs_b: int) -> None:
    for runs in (runs_a, runs_b):
        system = scores(runs, 7, runs)
        found = crossed.components(system)
        total = float(((system.values - system.values.mean()) ** 2).sum())
        parts = found.ms_run * (runs - 1) + found.ms_item * 6 + found.ms_residual * (runs - 1) * 6
        assert parts == pytest.approx(total)
        assert found.run_variance == pytest.approx(found.ms_run / 7)


@pytest.mark.parametrize("variant", ["conservative", "satterthwaite"])
@pytest.mark.parametrize("runs", [(2, 4), (4, 3), (3, 3)])
def test_crossed_t_by_loops(runs: tuple[int, int], variant: crossed.Variant) -> None:
    a, b = scores(runs[0], 6, 1), scores(runs[1], 6, 2)
    n, v1, residual, below, of_runs, squares = 6, 0.0, 0.0, 0.0, 0.0, 0.0
    for s in (a, b):
        y = s.values.tolist()
        r = len(y)
        run = [sum(row) / n for row in y]
        item = [sum(y[k][i] for k in range(r)) / r for i in range(n)]
        grand = sum(run) / r
        s2 = sum((m - grand) ** 2 for m in run) / (r - 1)
        left = sum((y[k][i] - run[k] - item[i] + grand) ** 2 for k in range(r) for i in range(n))
        v1 += s2 / r
        of_runs += s2 / r
        squares += s2 * (r - 1)
        below += (s2 / r) ** 2 / (r - 1)
        residual += left / ((r - 1) * (n - 1)) / (r * n)
    d = [float(x) for x in a.values.mean(axis=0) - b.values.mean(axis=0)]
    items = sum((x - sum(d) / n) ** 2 for x in d) / (n - 1) / n
    twice = 0.0 if variant == "conservative" else residual
    pooled = squares / (sum(runs) - 2) * (1 / runs[0] + 1 / runs[1])

    def df_of(run_part: float, below: float) -> float:
        return max(run_part + items - twice, items) ** 2 / (below + items**2 / (n - 1))

    df = df_of(of_runs, below)
    if runs[0] != runs[1]:
        most = 2 * (min(runs) - 1)
        df = min(df, df_of(of_runs, of_runs**2 / most), df_of(pooled, pooled**2 / most))
    found = crossed.crossed_t(a, b, variant=variant).test
    assert found.se == pytest.approx(math.sqrt(max(of_runs + items - twice, items)))
    assert found.df == pytest.approx(max(df, min(*runs, n) - 1))
    assert found.estimate == pytest.approx(sum(d) / n)
    together = crossed.crossed_t(a, b, variant=variant, variances="pooled").test
    assert together.se == pytest.approx(math.sqrt(max(pooled + items - twice, items)))
    floor = min(sum(runs) - 1, n) - 1
    assert together.df == pytest.approx(max(df_of(pooled, pooled**2 / (sum(runs) - 2)), floor))
    mirrored = crossed.crossed_t(b, a, variant=variant, alternative="less").test
    assert mirrored.p == pytest.approx(crossed.crossed_t(a, b, variant=variant, alternative="greater").test.p)


def test_crossed_variance_never_falls_below_that_of_the_items() -> None:
    # runs with equal scores and a large residual: V1 - V_res would be smaller than the item part
    noise = np.array([[1.0, -1.0, 2.0, -2.0, 3.0, -3.0], [-1.0, 1.0, -2.0, 2.0, -3.0, 3.0]])
    items = np.array([0.1, 0.2, 0.3, 0.2, 0.1, 0.4])
    found = crossed.crossed_mean(additive(items + noise))
    assert found.variance_residual > found.variance_runs
    assert found.test.se == pytest.approx(items.std(ddof=1) / math.sqrt(6))


def test_crossed_mean_is_crossed_t_against_a_constant_system() -> None:
    a = scores(3, 8, 4)
    nothing = additive(np.zeros((3, 8)))
    one, two = crossed.crossed_mean(a), crossed.crossed_t(a, nothing)
    assert (one.test.se, one.test.df, one.test.low) == pytest.approx((two.test.se, two.test.df, two.test.low))


def test_pseudo_values_of_a_mean_are_the_items() -> None:
    y = np.random.default_rng(9).normal(size=(2, 5))
    rows = np.stack([y, np.ones_like(y)], axis=-1)
    found = corpus(rows, lambda s: s[..., 0] / s[..., 1])
    np.testing.assert_allclose(found.values, y, rtol=1e-12)
    np.testing.assert_allclose(found.run_scores, y.mean(axis=1), rtol=1e-12)


def test_order_of_runs_never_matters() -> None:
    a, b = scores(4, 9, 5), scores(3, 9, 6)
    turned = crossed.RunTable(run_scores=a.run_scores[::-1], values=a.values[::-1])
    assert crossed.crossed_t(turned, b).test.p == pytest.approx(crossed.crossed_t(a, b).test.p)
    permuted = run_permutation_p(turned.run_scores, b.run_scores)
    assert permuted == run_permutation_p(a.run_scores, b.run_scores)


@given(x=samples, y=samples, alternative=sides)
def test_run_permutation_by_all_labellings(x: list[int], y: list[int], alternative: Alternative) -> None:
    pooled = x + y

    def gap(chosen: tuple[int, ...]) -> Fraction:
        return Fraction(sum(chosen), len(x)) - Fraction(sum(pooled) - sum(chosen), len(y))

    every = [gap(chosen) for chosen in combinations(pooled, len(x))]
    found = run_permutation_p(np.array(x) / 10, np.array(y) / 10, alternative)
    assert found == pytest.approx(share(every, gap(tuple(x)), Fraction(0), alternative))


def test_one_run_cannot_be_crossed() -> None:
    with pytest.raises(UsageError, match="two runs"):
        crossed.crossed_t(scores(1, 5, 1), scores(3, 5, 2))
    with pytest.raises(UsageError, match="same items"):
        crossed.crossed_t(scores(2, 5, 1), scores(3, 6, 2))
    assert math.isnan(crossed.components(scores(1, 5, 1)).ms_run)


def test_median_run_is_the_upper_middle_and_the_first_of_equals() -> None:
    assert median_run(np.array([3.0, 1.0, 2.0, 4.0])) == 0
    assert median_run(np.array([2.0, 1.0, 2.0])) == 0


def test_crossed_degrees_of_freedom_never_fall_below_those_of_the_poorest_part() -> None:
    # noise between items that runs do not share makes the subtracted part as large as the whole part of runs
    rng = np.random.default_rng(0)
    least = []
    for _ in range(200):
        a, b = (additive(rng.normal(size=(2, 12))) for _ in range(2))
        found = crossed.crossed_t(a, b).test
        least.append(found.df)
        assert found.high - found.low <= 2 * 12.7063 * found.se
    assert min(least) == 1.0
