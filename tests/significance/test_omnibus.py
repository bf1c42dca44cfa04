"""Tests of several systems at once: slow twins from the definitions, scipy, special cases, policies, levels."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy import stats

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.registry import spell
from outscore.significance.discordant import DiscordantPairs
from outscore.significance.independent.t_tests import student
from outscore.significance.omnibus import Groups, OmnibusTest, anova, blocks, friedman, omnibus_tests
from outscore.significance.omnibus.kruskal_wallis import dunn, kruskal_wallis
from outscore.significance.settings import Settings
from tests.examples import first

NAMES = ["anova", "cochran-q", "friedman", "kruskal-wallis", "welch-anova"]
VARIANTS = [*NAMES, *(f"cochran-q:law={law}" for law in ("permutation", "chi2")),
            *(f"friedman:law={law}" for law in ("permutation", "f", "chi2")),
            "friedman:ties=uncorrected", "friedman:pairs=holm"]  # fmt: skip
UNPAIRED = ("anova", "kruskal-wallis", "welch-anova")


def of_runs(*runs: list[float], alpha: float = 0.05) -> Groups:
    values = tuple(np.array(r, dtype=float) for r in runs)
    names = tuple("abcdefgh"[: len(runs)])
    return Groups(names=names, values=values, unit="run", blocks=False, settings=Settings(alpha=alpha))


def of_items(matrix: Float, **options: int) -> Groups:
    names = tuple("abcdefghij"[: matrix.shape[1]])
    made = Settings(**options)  # type: ignore[arg-type]
    return Groups(names=names, values=tuple(matrix.T.astype(float)), unit="item", blocks=True, settings=made)


def some(name: str) -> Groups:
    rng = np.random.default_rng(4)
    if name.startswith(UNPAIRED):
        return of_runs(*(rng.normal(shift, 1, n).tolist() for shift, n in ((0, 5), (1, 4), (0.5, 6))))
    matrix = rng.random((12, 3)) < (0.4, 0.6, 0.8)
    return of_items(matrix.astype(float))


@pytest.mark.parametrize("name", VARIANTS)
def test_every_test_says_what_it_tests_and_answers(name: str) -> None:
    test: OmnibusTest = omnibus_tests.make(name)
    assert spell(test) == test.label == name
    for said in (test.null, test.applies, test.needs, type(test).__doc__ or ""):
        assert len(said.split()) >= 5
    assert re.search(r"\b(19|20)\d\d\b", test.citation)
    groups = some(name)
    assert test.refuses(groups) is None
    assert test.question(groups).endswith("?") or "?" in test.question(groups)
    found = test.run(groups)
    assert found.p_value is not None
    assert 0 < found.p_value <= 1
    assert (found.p_error is not None) == (found.p_kind == "monte-carlo") == (found.n_resamples is not None)
    assert all(v is None or isinstance(v, str) or math.isfinite(v) for v in found.effect.values())
    assert bool(found.pairs) == bool(found.pairs_method)
    assert found == test.run(groups)


def test_all_registered_tests_are_measured_here() -> None:
    assert omnibus_tests.names() == NAMES


@pytest.mark.parametrize("name", VARIANTS)
def test_equal_numbers_have_p_1(name: str) -> None:
    groups = of_runs([1.0] * 4, [1.0] * 4, [1.0] * 4) if name.startswith(UNPAIRED) else of_items(np.ones((5, 3)))
    found = omnibus_tests.make(name).run(groups)
    assert found.p_value == 1
    assert "identical_outputs" in {n.code for n in found.notes}


@pytest.mark.parametrize("name", VARIANTS)
def test_the_order_of_the_systems_does_not_matter(name: str) -> None:
    test, groups = omnibus_tests.make(name), some(name)
    turned = Groups(names=groups.names[::-1], values=groups.values[::-1], unit=groups.unit, blocks=groups.blocks,
                    settings=groups.settings)  # fmt: skip
    there, back = test.run(groups), test.run(turned)
    assert there.p_value is not None
    assert back.p_value == pytest.approx(there.p_value, rel=1e-9, abs=5 * (there.p_error or 0))
    last = len(groups.names) - 1
    mirrored = {(last - p.system, last - p.baseline): p for p in back.pairs}
    for pair in there.pairs:
        other = mirrored[pair.baseline, pair.system]
        assert other.gain == pytest.approx(-pair.gain)
        assert other.p_adjusted == pytest.approx(pair.p_adjusted)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_large_difference_is_found_and_the_pairs_point_to_the_better_system(name: str) -> None:
    rng = np.random.default_rng(5)
    if name.startswith(UNPAIRED):
        groups = of_runs(*(rng.normal(shift, 1, 8).tolist() for shift in (0.0, 0.0, 9.0)))
    else:
        groups = of_items((rng.random((40, 3)) < (0.3, 0.3, 0.98)).astype(float))
    found = omnibus_tests.make(name).run(groups)
    assert found.p_value is not None
    assert found.p_value < 0.001
    for pair in found.pairs:
        assert (pair.system == 2) == (pair.p_adjusted < 0.05 and pair.gain > 0)


def test_refusals_say_what_to_use() -> None:
    runs, items = of_runs([1.0, 2.0], [2.0, 3.0]), of_items(np.eye(3))
    for name in NAMES:
        refusal = omnibus_tests.make(name).refuses(items if name in UNPAIRED else runs)
        assert refusal is not None
        assert name in refusal
        assert "use " in refusal
    assert "friedman" in (omnibus_tests.make("cochran-q").refuses(of_items(np.full((3, 2), 0.5))) or "")
    single = of_runs([1.0], [2.0], [1.5])
    for name in UNPAIRED:
        assert omnibus_tests.make(name).refuses(single)
    assert "anova" in (omnibus_tests.make("welch-anova").refuses(of_runs([1.0], [2.0, 3.0])) or "")


def test_groups_that_do_not_vary_have_no_p() -> None:
    groups = of_runs([1.0, 1.0], [2.0, 2.0], [3.0, 3.0])
    for name in ("anova", "welch-anova"):
        found = omnibus_tests.make(name).run(groups)
        assert found.p_value is None
        assert "zero_variance" in {n.code for n in found.notes}
    one = of_runs([1.0, 1.0, 1.0], [2.0, 3.0, 4.0])
    assert omnibus_tests.make("welch-anova").run(one).p_value is None
    assert omnibus_tests.make("anova").run(one).p_value is not None


def test_very_different_variances_are_noted() -> None:
    codes = {n.code for n in omnibus_tests.make("anova").run(of_runs([1, 1.1, 1.2], [0, 5, 9])).notes}
    assert codes == {"unequal_spread"}


def test_anova_of_two_groups_is_students_t() -> None:
    rng = np.random.default_rng(6)
    a, b = rng.normal(size=5), rng.normal(size=7)
    t = student(a, b)
    found = anova.analyse_one_way([a, b])
    assert found.statistic == pytest.approx(t.statistic**2)
    assert found.p == pytest.approx(t.p)
    (pair,) = anova.tukey([b, a])
    assert pair.p_adjusted == pytest.approx(t.p, rel=1e-6)
    assert pair.ci == pytest.approx((t.low, t.high), rel=1e-6)


def test_one_way_statistics_are_scipys() -> None:
    rng = np.random.default_rng(7)
    groups = [rng.normal(s, 1 + s, n).round(1) for s, n in ((0, 4), (0.5, 6), (1, 9), (0, 3))]
    assert anova.analyse_one_way(groups).p == pytest.approx(stats.f_oneway(*groups).pvalue)
    assert kruskal_wallis(groups).p == pytest.approx(stats.kruskal(*groups).pvalue)
    theirs = stats.tukey_hsd(*groups)
    limits = theirs.confidence_interval(0.9)
    for d in anova.tukey(groups, 0.9):
        assert d.p_adjusted == pytest.approx(theirs.pvalue[d.system, d.baseline], rel=1e-5)
        ends = [np.asarray(end)[d.system, d.baseline] for end in (limits.low, limits.high)]
        assert d.ci == pytest.approx(tuple(ends), rel=1e-4)
    values = rng.normal(size=(9, 4)).round(1)
    assert friedman.friedman(values).p_chi2 == pytest.approx(stats.friedmanchisquare(*values.T).pvalue)


def test_games_howell_of_two_groups_is_welchs_t() -> None:
    rng = np.random.default_rng(8)
    a, b = rng.normal(size=5), rng.normal(1, 3, size=7)
    (pair,) = anova.games_howell([b, a])
    theirs = stats.ttest_ind(a, b, equal_var=False)
    assert pair.p_adjusted == pytest.approx(theirs.pvalue, rel=1e-6)
    assert pair.ci == pytest.approx(tuple(theirs.confidence_interval()), rel=1e-6)


def test_dunn_of_two_groups_is_the_rank_sum_test_without_continuity() -> None:
    rng = np.random.default_rng(9)
    a, b = rng.integers(0, 6, 8).astype(float), rng.integers(1, 8, 9).astype(float)
    (pair,) = dunn([a, b])
    theirs = stats.mannwhitneyu(a, b, method="asymptotic", use_continuity=False).pvalue
    assert pair.p_adjusted == pytest.approx(theirs, rel=1e-9)


def test_too_few_numbers_are_a_usage_error() -> None:
    with pytest.raises(UsageError, match="two of them"):
        anova.analyse_one_way([np.ones(3)])
    with pytest.raises(UsageError, match="two or more numbers"):
        anova.analyse_one_way([np.ones(1), np.ones(1)])
    with pytest.raises(UsageError, match="2 or more"):
        anova.welch_one_way([np.ones(1), np.arange(3.0)])
    with pytest.raises(UsageError, match="two blocks"):
        friedman.friedman(np.ones((1, 3)))


def looped_p(table: list[tuple[int, ...]]) -> Fraction:
    """Slow twin: every assignment of every block counts once."""
    observed = sum(sum(column) ** 2 for column in zip(*table, strict=True))
    reached = total = 0
    for orders in product(*(list(permutations(block)) for block in table)):
        total += 1
        reached += sum(sum(column) ** 2 for column in zip(*orders, strict=True)) >= observed
    return Fraction(reached, total)


block = st.integers(2, 3).flatmap(lambda k: st.lists(st.tuples(*[st.integers(0, 3)] * k), min_size=1, max_size=5))


@hypothesis_settings(max_examples=60)
@given(block)
def test_the_permutation_law_counts_all_exchanges(table: list[tuple[int, ...]]) -> None:
    found = blocks.permutation_p(np.array(table, dtype=np.int64))
    assert found == pytest.approx(float(looped_p(table)), rel=1e-12)


def test_sampled_exchanges_agree_with_the_enumeration() -> None:
    # 40,000 draws, five standard errors: false alarm 6e-7
    rng = np.random.default_rng(10)
    for table in (rng.integers(0, 2, (14, 4)), blocks.block_ranks(rng.normal(size=(7, 4)))):
        exact = blocks.permutation_p(table)
        assert exact is not None
        exceedances = blocks.permutation_exceedances(table, 40_000, 3)
        assert exceedances.total / exceedances.drawn == pytest.approx(
            exact, abs=5 * math.sqrt(exact * (1 - exact) / 40_000)
        )
        assert blocks.permutation_exceedances(table, 40_000, 3) == exceedances


def test_what_is_too_large_is_not_enumerated() -> None:
    rng = np.random.default_rng(11)
    assert blocks.permutation_p(rng.integers(0, 9, (5, 8))) is None
    assert blocks.permutation_p(blocks.block_ranks(rng.normal(size=(200, 5)))) is None
    agreed = np.tile(np.arange(9), (4, 1))
    assert blocks.permutation_p(agreed) == pytest.approx(math.factorial(9) ** -3.0)
    found = omnibus_tests.make("friedman:law=f").run(of_items(np.tile(np.arange(3.0), (5, 1))))
    assert found.p_value == pytest.approx(6.0**-4)
    assert found.p_kind == "exact"


def test_cochran_of_two_systems_is_mcnemar() -> None:
    rng = np.random.default_rng(12)
    table = (rng.random((30, 2)) < (0.5, 0.8)).astype(float)
    b, c = int((table[:, 1] > table[:, 0]).sum()), int((table[:, 1] < table[:, 0]).sum())
    for law, method in (("chi2", "chi2"), ("permutation", "exact")):
        found = omnibus_tests.make(f"cochran-q:law={law}").run(of_items(table))
        assert found.p_value == pytest.approx(DiscordantPairs(b, c).p(method), rel=1e-9)  # type: ignore[arg-type]


@given(st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=1, max_size=5))
def test_ranks_within_blocks_are_mid_ranks_from_the_best(rows: list[list[int]]) -> None:
    found = blocks.block_ranks(np.array(rows, dtype=float))
    expected = [2 * stats.rankdata(-np.array(row)) for row in rows]
    assert found.tolist() == np.array(expected).tolist()


def test_mean_ranks_and_gains_prefer_greater_values() -> None:
    values = np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0], [0.0, 5.0, 6.0], [2.0, 3.0, 3.0]])
    found = omnibus_tests.make("friedman").run(of_items(values))
    assert found.effect["mean_rank a"] == 3
    assert {(p.system, p.baseline): p.gain > 0 for p in found.pairs}[1, 0]
    assert {(p.system, p.baseline): p.gain > 0 for p in found.pairs}[2, 0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["anova", "welch-anova", "kruskal-wallis"])
@pytest.mark.parametrize("runs", [3, 5, 10])
def test_levels_over_normal_runs(name: str, runs: int) -> None:
    # 4,000 replicates; binomial quantile 1e-6 over the nominal level (Welch's F is approximate: .005 more)
    rng, rejected = np.random.default_rng(13), 0
    functions = {"anova": anova.analyse_one_way, "welch-anova": anova.welch_one_way, "kruskal-wallis": kruskal_wallis}
    for _ in range(4000):
        rejected += functions[name](list(rng.normal(size=(4, runs)))).p <= 0.05
    nominal = 0.06 if name == "welch-anova" else 0.05
    assert rejected <= stats.binom.isf(1e-6, 4000, nominal)


@pytest.mark.slow
def test_welchs_f_holds_its_level_where_the_plain_f_does_not() -> None:
    # runs of the smaller group vary four times as much: 4,000 replicates, binomial quantiles 1e-6
    rng, plain, welch = np.random.default_rng(14), 0, 0
    for _ in range(4000):
        groups = [rng.normal(0, s, n) for s, n in ((4, 5), (1, 15), (1, 15))]
        plain += anova.analyse_one_way(groups).p <= 0.05
        welch += anova.welch_one_way(groups).p <= 0.05
    assert welch <= stats.binom.isf(1e-6, 4000, 0.06)
    assert plain >= stats.binom.ppf(1e-6, 4000, 0.15)


@pytest.mark.slow
@pytest.mark.parametrize("method", first(["tukey", "games_howell", "dunn", "nemenyi"], "dunn", "nemenyi"))
def test_pairs_hold_the_family_wise_level_where_nothing_differs(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # 600 replicates of 5 systems; binomial quantile 1e-6 over the level (Games-Howell is known to reach .06 at n = 6)
    monkeypatch.setattr(anova, "range_quantile", lambda *_: 1.0)  # the intervals cost more than all else
    pairs = {"tukey": anova.tukey, "games_howell": anova.games_howell, "dunn": dunn}
    rng, some_rejected = np.random.default_rng(15), 0
    for _ in range(600):
        if method == "nemenyi":
            p = [g.p_nemenyi for g in friedman.rank_gaps(rng.normal(size=(10, 5)))]
        else:
            p = [d.p_adjusted for d in pairs[method](list(rng.normal(size=(5, 6))))]
        some_rejected += min(p) <= 0.05
    assert some_rejected <= stats.binom.isf(1e-6, 600, 0.06 if method == "games_howell" else 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("n", [10, 50])
def test_levels_of_friedman_and_cochran(n: int) -> None:
    # 1,500 replicates; binomial quantile 1e-6 over the nominal level (χ² of right or wrong answers: .055)
    rng, rejected = np.random.default_rng(16), dict.fromkeys(("friedman:law=f", "cochran-q:law=chi2"), 0)
    for _ in range(1500):
        skill = rng.normal(size=(n, 1))
        for name in rejected:
            values = skill + rng.normal(size=(n, 4))
            table = of_items(values if name.startswith("friedman") else (values > 0).astype(float))
            rejected[name] += (omnibus_tests.make(name).run(table).p_value or 1.0) <= 0.05
    assert rejected["friedman:law=f"] <= stats.binom.isf(1e-6, 1500, 0.055)
    assert rejected["cochran-q:law=chi2"] <= stats.binom.isf(1e-6, 1500, 0.055)


def test_pairs_come_in_order() -> None:
    rng = np.random.default_rng(17)
    groups = list(rng.normal(size=(4, 5)))
    expected = list(combinations(range(4), 2))
    for pairs in (anova.tukey(groups), anova.games_howell(groups), dunn(groups)):
        assert [(d.baseline, d.system) for d in pairs] == expected
    assert [(g.first, g.second) for g in friedman.rank_gaps(np.stack(groups, axis=1))] == expected


def test_rounding_is_that_of_the_largest_numbers() -> None:
    """A sum that is off by one last digit does not vary, though another group holds zeros only."""
    found = anova.analyse_one_way([np.zeros(2), np.array([0.1 + 0.2, 0.3])])
    assert (found.degenerate, found.statistic) == ("zero_variance", math.inf)
