"""The joint law of several gains: its draws and adjusted p-values against plain loops, and what it must hold."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from scipy import stats as laws

from outscore.base.arrays import Float, Int
from outscore.base.rng import stream
from outscore.engine.design import Design
from outscore.engine.independent import resample
from outscore.engine.montecarlo import Exceedances
from outscore.metrics.ratio import Ratio
from outscore.multiplicity.joint import Adjusted, JointLaw, adjust_side_by_side
from outscore.significance import Outcome, tests
from outscore.significance.gain import GainContrast
from outscore.significance.randomization import Randomization
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from outscore.significance.student import StudentT
from tests.laws.support import mean_stats


def experiment(scores: Float, settings: Settings, design: Design | None = None) -> Resamples:
    """Systems ``(k, items)`` under their mean."""
    stats = mean_stats(list(scores[:, None]), design=design)
    return Resamples([str(s) for s in range(len(scores))], [stats], 0, settings, all_pairs=True)


def law_of(scores: Float, test: Any = None, design: Design | None = None, **options: Any) -> JointLaw:
    made = experiment(scores, Settings(**{"n_resamples": 200, **options}), design)
    pairs = [GainContrast(made, 0, *pair) for pair in made.pairs]
    return JointLaw(pairs, [(test or StudentT()).run(pair) for pair in pairs])


def normal(k: int, n: int, step: float = 0.3, seed: int = 1) -> Float:
    rng = np.random.default_rng(seed)
    return np.asarray(rng.normal(size=n) + rng.normal(size=(k, n)) + step * np.arange(k)[:, None])


def resamples(n: int, n_resamples: int, seed: int) -> Int:
    """How often each unit is drawn."""
    weights = resample([np.arange(n)], seed)
    return np.concatenate([weights(atom) for atom in range(-(-n_resamples // 16))])[:n_resamples].astype(np.int64)


def slow_largest(pairs: Sequence[GainContrast], n_resamples: int) -> list[float]:
    """Studentized resamples in loops, each t on the side that is asked for as the normal statistic with its p."""
    n, settings = pairs[0].n_units, pairs[0].settings
    sides: dict[str, Callable[[float], float]] = {"two-sided": abs, "greater": float, "less": lambda t: -t}
    side = sides[settings.alternative]
    found = []
    for row in resamples(n, n_resamples, settings.seed):
        largest = -math.inf
        for pair in pairs:
            again = np.repeat(pair.differences, row)
            t = side((again.mean() - pair.gain) / (again.std(ddof=1) / math.sqrt(n)))
            largest = max(largest, float(-laws.norm.ppf(laws.t.sf(t, n - 1))))
        found.append(largest)
    return found


@pytest.mark.parametrize(
    ("n", "alternative"),
    [
        (20, "two-sided"),
        pytest.param(30, "two-sided", marks=pytest.mark.slow),
        (30, "greater"),
        pytest.param(30, "less", marks=pytest.mark.slow),
    ],
)
def test_of_few_units_every_resample_has_its_own_standard_errors(n: int, alternative: str) -> None:
    law = law_of(normal(4, n), alternative=alternative)
    # the normal scale is read from a table
    np.testing.assert_allclose(law.largest, slow_largest(law.pairs, 200), rtol=1e-3)


def test_beside_them_gains_of_few_items_are_resampled_with_their_fixed_standard_error() -> None:
    scores = normal(2, 30)
    near = scores[0].copy()
    near[:4] += [1.0, 2.0, 3.0, 4.0]
    law = law_of(np.vstack([scores, near]))
    (few,) = (pair for pair in law.pairs if np.count_nonzero(pair.differences) == 4)
    error = few.differences.std() / math.sqrt(30)
    drawn = resamples(30, 200, few.settings.seed)
    fixed = [abs(np.repeat(few.differences, row).mean() - few.gain) / error for row in drawn]
    own = slow_largest([pair for pair in law.pairs if pair is not few], 200)
    # the normal scale is read from a table
    np.testing.assert_allclose(law.largest, np.maximum(fixed, own), rtol=1e-3)


def test_units_that_add_the_same_but_for_rounding_are_alike() -> None:
    """Four of thirty add otherwise, and one nothing: too few for standard errors of resamples."""
    scores = normal(2, 30)
    near = scores[0] + 0.3
    near[:4] += [1.0, 2.0, 3.0, 4.0]
    near[4] = scores[0, 4] + np.delete(near - scores[0], 4).mean()
    law = law_of(np.vstack([scores, near]))
    (few,) = (pair for pair in law.pairs if {pair.system, pair.baseline} == {0, 2})
    error = few.differences.std() / math.sqrt(30)
    drawn = resamples(30, 200, few.settings.seed)
    fixed = [abs(np.repeat(few.differences, row).mean() - few.gain) / error for row in drawn]
    own = slow_largest([pair for pair in law.pairs if pair is not few], 200)
    np.testing.assert_allclose(law.largest, np.maximum(fixed, own), rtol=1e-3)


def test_units_that_add_nothing_leave_each_resample_its_standard_error() -> None:
    scores = np.arange(32.0)[::-1] * 7 % 23
    law = law_of(np.stack([scores, scores + np.array([*range(-15, 16), 0])]))
    (pair,) = law.pairs
    assert (pair.influences == 0).sum() == 2
    np.testing.assert_allclose(law.largest, slow_largest([pair], 200), rtol=1e-3)


def test_a_gain_that_does_not_vary_is_drawn_by_itself_beside_those_that_do() -> None:
    scores = normal(2, 30)
    law = law_of(np.vstack([scores, scores[0]]))
    (still,) = (pair for pair in law.pairs if {pair.system, pair.baseline} == {0, 2})
    own = slow_largest([pair for pair in law.pairs if pair is not still], 200)
    alone = np.abs(stream(still.settings.seed, "still gains from 0", 0).normal(size=(1024, 1)))[:200, 0]
    np.testing.assert_allclose(law.largest, np.maximum(own, alone), rtol=1e-3)


@pytest.mark.parametrize("power", [-40, 40])
def test_the_size_of_a_unit_of_the_score_changes_nothing(power: int) -> None:
    scores = normal(3, 30)
    np.testing.assert_allclose(law_of(scores * 2.0**power).largest, law_of(scores).largest)


@pytest.mark.parametrize("seed", range(1, 7))
def test_p_values_of_few_hits_are_adjusted_as_those_that_were_sampled(seed: int) -> None:
    """Hits of one of two tails, of which each p is made."""
    sampled = law_of(normal(4, 30, step=0.2, seed=seed), tests.make("bootstrap:form=percentile"))
    np.testing.assert_allclose(sampled.adjust(sampled.own), sampled.single_step(0.05).p)


def test_of_many_units_draws_are_normal_with_the_covariance_of_the_scores() -> None:
    scores = normal(3, 1000)
    law = law_of(scores, n_resamples=20_000)
    differences = np.array([pair.differences for pair in law.pairs])
    exact = laws.multivariate_normal(np.zeros(3), np.corrcoef(differences), allow_singular=True)
    drawn = np.abs(exact.rvs(40_000, random_state=2)).max(axis=1)
    for share in (0.5, 0.9, 0.95):
        # five standard errors of both samples together: false alarms 2e-6
        at = float(np.quantile(drawn, share))
        error = 5 * math.sqrt(share * (1 - share) * (1 / 20_000 + 1 / 40_000))
        assert float((law.largest <= at).mean()) == pytest.approx(share, abs=error)


def test_adjusted_p_is_the_share_of_draws_that_reach_the_statistic_of_the_own_p() -> None:
    law = law_of(normal(4, 30))
    found = law.single_step(0.05)
    for pair, outcome, p in zip(law.pairs, law.outcomes, found.p, strict=True):
        own = outcome.p_value
        assert own is not None
        z = -laws.norm.ppf(own / 2)
        exceedances = sum(value >= z - 1e-12 for value in law.largest)
        assert p == pytest.approx(max((exceedances + 1) / 201, own)), pair


@pytest.mark.parametrize("n", [25, 500])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_p_alone_at_its_level_is_p_adjusted_at_alpha(n: int, alternative: str) -> None:
    for seed in range(6):
        law = law_of(normal(5, n, 10 / n, seed), alternative=alternative, n_resamples=999)
        found = law.single_step(0.05)
        assert found.alone is not None
        assert ((law.own < found.alone) == (found.p <= 0.05)).all()
        # p of 0.05 at most has at most 49 of the 999 draws beyond it, so that the level is the p of the 50th
        sides = 2 if alternative == "two-sided" else 1
        assert found.alone == pytest.approx(sides * laws.norm.sf(np.sort(law.largest)[-50]))


@pytest.mark.parametrize("n", [25, 1600])
def test_draws_of_a_gain_count_from_the_side_that_is_asked_for(n: int) -> None:
    less, greater, both = (law_of(normal(2, n), alternative=side).largest for side in ("less", "greater", "two-sided"))
    assert (less < 0).any() and (less > 0).any()
    np.testing.assert_array_equal(less, -greater)
    np.testing.assert_array_equal(both, np.abs(greater))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_a_board_by_rows_has_the_largest_gains_of_its_pairs_one_by_one(alternative: str) -> None:
    whole = law_of(normal(18, 1600), alternative=alternative, n_resamples=300)
    apart = JointLaw(whole.pairs[::-1], whole.outcomes[::-1])
    assert len(whole._stars) == 17
    assert not apart._stars, "no board in this order"
    np.testing.assert_array_equal(whole.largest, apart.largest)
    lacking = JointLaw([*whole.pairs[:3], *whole.pairs[4:]], [*whole.outcomes[:3], *whole.outcomes[4:]])
    assert (lacking.largest <= whole.largest).all()


@pytest.mark.parametrize(("n", "different"), [(1600, 0), (60, 3)])
def test_a_board_with_two_systems_alike_is_drawn_pair_by_pair(n: int, different: int) -> None:
    """Their gain does not vary, or too little to be divided by its standard error in each resample as the others."""
    scores = normal(18, n)
    scores[4, different:] = scores[3, different:]
    law = law_of(scores, n_resamples=300)
    apart = JointLaw(law.pairs[::-1], law.outcomes[::-1])
    assert not law._stars
    assert np.isfinite(law.largest).all()
    np.testing.assert_array_equal(law.largest, apart.largest)


@pytest.mark.parametrize("n", [40, 1600])
def test_more_draws_begin_with_those_that_are_known(n: int) -> None:
    few, many = (law_of(normal(18, n), n_resamples=size) for size in (300, 600))
    marked = JointLaw(many.pairs, many.outcomes, -few.largest).largest
    assert (marked < 0).tolist() == [True] * 256 + [False] * 344, "a block that was not whole is drawn again"
    np.testing.assert_array_equal(np.abs(marked), many.largest)


def test_steps_down_are_the_definition_and_lose_nothing() -> None:
    law = law_of(normal(4, 40))
    draws = np.concatenate(list(law._portions(0)), axis=1)[:200]
    order = sorted(range(len(law.pairs)), key=lambda j: -law.statistics[j])
    least, expected = 0.0, [0.0] * len(order)
    for rank, j in enumerate(order):
        exceedances = sum(max(row[k] for k in order[rank:]) >= law.statistics[j] - 1e-12 for row in draws.tolist())
        least = max(least, (exceedances + 1) / 201)
        expected[j] = max(least, float(law.own[j]))
    np.testing.assert_allclose(law.step_down(), expected)
    assert (law.step_down() <= law.single_step(0.05).p).all()


@pytest.mark.parametrize("n_units", [40, 1600])  # by standard errors of resamples, and by fixed ones
def test_steps_down_are_the_same_in_portions(n_units: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = law_of(normal(5, n_units), n_resamples=700).step_down()
    monkeypatch.setattr("outscore.multiplicity.joint._CELLS", 3 * 256)  # of ten pairs three at once
    widest = []
    law = law_of(normal(5, n_units), n_resamples=700)
    portions = JointLaw._portions

    def watched(self: JointLaw, number: int) -> Iterator[Float]:
        for part in portions(self, number):
            widest.append(part.shape[1])
            yield part

    monkeypatch.setattr(JointLaw, "_portions", watched)
    assert law.step_down().tolist() == whole.tolist()
    assert max(widest) == 3


def test_a_sampled_p_at_its_floor_gives_way_to_the_studentized_gain() -> None:
    scores = normal(14, 300, step=1.0)
    law = law_of(scores, Randomization(exact="never"), n_resamples=199)
    floors = [outcome.p_min for outcome in law.outcomes]
    assert (law.own == floors).all()
    assert (law.single_step(0.05).p == 1 / 200).all()  # 91 pairs, far beyond what 200 resamples can show of one


def test_a_sampled_p_of_many_resamples_keeps_its_own_law() -> None:
    law = law_of(normal(3, 300, step=0.05), Randomization(exact="never"), n_resamples=999)
    assert all(outcome.exceedances is not None and outcome.exceedances.total >= 10 for outcome in law.outcomes)
    np.testing.assert_allclose(law.statistics, -laws.norm.ppf(law.own / 2))


@pytest.mark.parametrize(("hits", "gives_way"), [(9, True), (10, False)])
def test_a_p_of_fewer_than_ten_hits_gives_way(hits: int, gives_way: bool) -> None:
    plain = law_of(normal(2, 30, step=3.0), Randomization(exact="never"), n_resamples=99)
    sampled = replace(plain.outcomes[0], p_value=0.1, exceedances=Exceedances(np.array([hits]), np.array([99])))
    (found,) = JointLaw(plain.pairs, [sampled]).statistics
    assert (found > -laws.norm.ppf(0.05) + 1) == gives_way
    assert (found == pytest.approx(-laws.norm.ppf(0.05))) != gives_way


def test_the_studentized_gain_is_students_t() -> None:
    law = law_of(normal(2, 12, step=9.0), Randomization(exact="never"), n_resamples=99)
    (pair,) = law.pairs
    t = pair.gain / (pair.differences.std(ddof=1) / math.sqrt(12))
    np.testing.assert_allclose(law.statistics, [-laws.norm.ppf(laws.t.sf(abs(t), 11))])


def test_with_too_few_draws_for_alpha_there_is_no_level() -> None:
    assert law_of(normal(3, 30), n_resamples=18).single_step(0.05).alone is None
    assert isinstance(law_of(normal(3, 30), n_resamples=19).single_step(0.05), Adjusted)


def test_the_studentized_gain_of_strata_has_the_variance_within_them() -> None:
    """Strata of two, of which each has a variance of its own."""
    labels = [f"s{i // 2}" for i in range(24)]
    law = law_of(normal(2, 24, step=9.0), Randomization(exact="never"), Design.named(24, strata=labels), n_resamples=99)
    (pair,) = law.pairs
    of_strata = pair.differences.reshape(12, 2)
    t = pair.gain / (math.sqrt((2 * of_strata.var(axis=1, ddof=1)).sum()) / 24)
    np.testing.assert_allclose(law.statistics, [-laws.norm.ppf(laws.t.sf(abs(t), 12))])


@pytest.mark.parametrize("alpha", [0.01, 0.05])
def test_with_statistics_without_bounds_there_is_no_level(alpha: float) -> None:
    """A third of the resamples lacks the one item that the gain is of: its standard error is next to nothing there."""
    scores = normal(2, 25)
    scores[1, 0] += 1e6
    law = law_of(scores, n_resamples=199)
    assert 20 < np.isinf(law.largest).sum() < 180
    assert law.single_step(alpha).alone is None


def test_gains_that_never_vary_are_as_extreme_as_their_own_p() -> None:
    scores = normal(3, 60)
    constant = np.stack([scores[0], scores[0] + 0.5, scores[2]])
    law = law_of(constant, Randomization(), n_resamples=999)
    assert np.isfinite(law.largest).all()
    assert law.single_step(0.05).p[0] == pytest.approx(0.001)


def test_systems_that_differ_on_few_items_cost_the_others_nothing() -> None:
    scores = normal(3, 200)
    near = scores[0].copy()
    near[:2] += 1.0  # many resamples hold neither item
    few, more = law_of(scores), law_of(np.vstack([scores, near]))
    assert np.isfinite(more.largest).all()
    assert np.quantile(more.largest, 0.9) < np.quantile(few.largest, 0.9) + 1


def test_contributions_of_a_ratio_are_those_of_its_linear_part() -> None:
    rng = np.random.default_rng(3)
    length = rng.integers(3, 12, size=50)
    systems = [np.stack([rng.binomial(length, 0.4), length], axis=-1).astype(float)[None] for _ in range(3)]
    metric = Ratio(num="x", den="y")
    stats = Statistics("ratio", systems, metric.score, Design(50), ratio=metric.ratio())
    for one, found in zip(systems, stats.contributions, strict=True):
        num, den = one[0].T
        share = num.sum() / den.sum()
        scale = metric.score(np.array([1.0, 1.0]))
        np.testing.assert_allclose(found, (num - share * den) / den.sum() * scale, rtol=1e-5)


@pytest.mark.parametrize("labels", [None, [f"c{i // 3}" for i in range(60)]])
def test_contributions_of_a_mean_sum_to_nothing_and_weigh_clusters_by_their_size(labels: list[str] | None) -> None:
    design = Design.named(60, labels)
    made = experiment(normal(2, 60), Settings(), design)
    stats = made.by_metric[0]
    for values, found in zip(stats.items, stats.contributions, strict=True):
        items = values[..., 0] * stats.steps[0]
        expected = (items - items.mean()) / 60
        assert found.sum() == pytest.approx(0, abs=1e-12)
        np.testing.assert_allclose(found, design.gather(expected[..., None])[0, :, 0], atol=1e-12)


def test_independent_samples_stand_side_by_side() -> None:
    laws = [law_of(normal(3, 50, seed=s), n_resamples=499) for s in (1, 1)]
    alone = laws[0].single_step(0.05).p
    for together in adjust_side_by_side(laws, seed=3):
        assert (together >= alone - 1e-12).all()
        # one more sample of the same law: 1 - (1 - p)², within five standard errors of 499 draws
        expected = 1 - (1 - alone) ** 2
        assert (np.abs(together - expected) <= 5 * np.sqrt(0.25 / 499)).all()


def test_side_by_side_as_many_draws_count_as_the_sample_of_the_fewest_has() -> None:
    many, few = (law_of(normal(2, 50, step=9.0), n_resamples=size) for size in (499, 99))
    for family in ([many, few], [few, many]):
        assert [p.tolist() for p in adjust_side_by_side(family, seed=3)] == [[1 / 100], [1 / 100]]


def test_threads_change_nothing() -> None:
    from outscore.engine.runtime import Runtime

    found = [law_of(normal(4, 100), n_resamples=3000, runtime=Runtime(jobs=jobs)).largest for jobs in (1, 2)]
    np.testing.assert_array_equal(found[0], found[1])


def pair_of(differences: Float, *, plain: bool = True, n_resamples: int = 32) -> GainContrast:
    stats = mean_stats([0 * differences[None], differences[None]], per_item=plain)
    return GainContrast(Resamples(("a", "b"), [stats], 0, Settings(n_resamples=n_resamples)), 0, 1)


def with_draws(p: list[float], draws: list[float]) -> JointLaw:
    """A family of pairs with these p-values, whose draws are given."""

    class Drawn(JointLaw):
        @cached_property
        def largest(self) -> Float:
            return np.array(draws)

    return Drawn([pair_of(np.arange(12.0))] * len(p), [outcome(one) for one in p])


def outcome(p: float) -> Outcome:
    return Outcome(p_value=p, p_kind="asymptotic")


@pytest.mark.parametrize(("infinite", "known"), [(0, True), (1, True), (2, False), (3, False)])
def test_a_level_whose_draw_is_without_bound_is_not_known(infinite: int, known: bool) -> None:
    # of 19 draws p of 0.1 at most has one draw beyond: the level is the p of the second largest
    law = with_draws([0.05], [*(0.1 * i for i in range(19 - infinite)), *[math.inf] * infinite])
    found = law.single_step(0.1)
    assert (found.alone is not None) == known
    if found.alone is not None:
        assert found.alone == pytest.approx(2 * laws.norm.sf(0.1 * 17))
    assert law.single_step(0.05).alone == (None if infinite else pytest.approx(2 * laws.norm.sf(0.1 * 18)))
    assert law.single_step(0.049).alone is None  # no draw may lie beyond, and there are too few to say so


def test_a_draw_as_large_as_the_statistic_counts_against_it() -> None:
    z = float(laws.norm.isf(0.025))
    law = with_draws([0.05, 0.5], [0.0, 1.0, 2.0, z, z, 3.0, 0.1])
    assert law.single_step(0.1).p.tolist() == pytest.approx([(4 + 1) / (7 + 1), (5 + 1) / (7 + 1)])


def own_errors(differences: Float, *, plain: bool = True, copies: int = 1) -> bool:
    """Whether the draws are those of resamples that are each divided by their own standard error."""
    pair = pair_of(differences, plain=plain)
    law = JointLaw([pair] * copies, [outcome(0.05)] * copies)
    return np.allclose(law.largest, slow_largest([pair], 32), rtol=2e-3)


def numbers(n: int) -> Float:
    return np.random.default_rng(n).normal(0.3, 1, n)


@pytest.mark.parametrize(("n", "own"), [(1498, True), (1499, True), (1500, False), (1501, False)])
def test_from_1500_units_on_draws_are_normal(n: int, own: bool) -> None:
    assert own_errors(numbers(n)) == own


@pytest.mark.parametrize(("copies", "own"), [(4096, True), (4097, False)])
def test_many_pairs_are_divided_by_fixed_standard_errors(copies: int, own: bool) -> None:
    # 2^22 numbers are units times pairs of one draw at most
    assert own_errors(numbers(1024), copies=copies) == own


@pytest.mark.parametrize(("different", "own"), [(19, False), (20, True), (21, True)])
def test_twenty_units_must_differ_from_most(different: int, own: bool) -> None:
    differences = np.concatenate([numbers(different), np.zeros(20)])
    assert own_errors(differences) == own


@pytest.mark.parametrize(("different", "own"), [(18, False), (19, False), (20, True)])
def test_two_units_that_are_alike_are_no_different_ones(different: int, own: bool) -> None:
    assert own_errors(np.concatenate([numbers(different), [5.0, 5.0]])) == own


@pytest.mark.parametrize(("values", "plain", "own"), [(9, False, False), (10, False, True), (9, True, True)])
def test_of_no_mean_of_items_ten_values_must_be_there(values: int, plain: bool, own: bool) -> None:
    assert own_errors(np.arange(60.0) % values, plain=plain) == own


def test_gains_that_do_not_vary_are_drawn_together_and_hang_together_with_no_other() -> None:
    law = JointLaw([pair_of(np.full(30, one)) for one in (0.5, 0.7)], [outcome(0.05)] * 2)
    drawn = stream(law.pairs[0].settings.seed, "still gains from 0", 0).normal(size=(256, 2))
    np.testing.assert_array_equal(law.largest, np.abs(drawn).max(axis=1)[:32])


def test_of_more_than_4096_pairs_each_portion_has_a_stream_of_its_own() -> None:
    law = JointLaw([pair_of(np.full(30, 0.5), n_resamples=256)] * 4097, [outcome(0.05)] * 4097)
    seed = law.pairs[0].settings.seed
    first = stream(seed, "still gains from 0", 0).normal(size=(256, 4096))
    rest = stream(seed, "still gains from 4096", 0).normal(size=(256, 1))
    np.testing.assert_array_equal(law.largest, np.abs(np.hstack([first, rest])).max(axis=1))
