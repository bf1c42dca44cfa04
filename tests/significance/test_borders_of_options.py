"""Where options of methods end, where methods step in for each other, and what has no variance but limits."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats as laws

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.engine.design import Design
from outscore.engine.exact import flip_law
from outscore.engine.extreme import ALTERNATIVES
from outscore.significance import tests
from outscore.significance.bayes import methods
from outscore.significance.contrast import ScoreContrast
from outscore.significance.correlation import williams
from outscore.significance.independent import IndependentSamples, independent_tests
from outscore.significance.independent.notes import SKEWED_SAMPLES
from outscore.significance.interval.unvarying import is_one_point, proportion_of, scale_ends
from outscore.significance.laws import saddlepoint_p, smallest_p
from outscore.significance.means import t_from
from outscore.significance.notes import BOOTSTRAP_OF_FEW_RUNS, FEW_RUNS
from outscore.significance.omnibus import PostHoc, anova
from outscore.significance.resamples import Resamples
from outscore.significance.runs import run_welch
from outscore.significance.sequential.start import start
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from outscore.significance.studentized import influences, resample_with_errors
from tests.laws.support import pairing, settings
from tests.run_tables import additive
from tests.significance.shapes import samples


@pytest.mark.parametrize(
    ("made", "bad"),
    [
        (methods.make, "beta:strength=0"),
        (methods.make, "dirichlet:strength=0"),
        (methods.make, "sign:strength=0"),
        (methods.make, "signed-rank:strength=0"),
        (methods.make, "t:rho=1"),
        (methods.make, "t:rho=-0.01"),
    ],
)
def test_options_that_are_no_numbers_of_their_kind_are_refused(made: Callable[[str], object], bad: str) -> None:
    with pytest.raises(UsageError, match=bad.partition(":")[2].partition("=")[0]):
        made(bad)
    name = bad.partition("=")[0]
    for good in ("0.001", "0.999", *(("0",) if "rho" in bad else ("1", "7"))):
        assert made(f"{name}={good}") is not None


@pytest.mark.parametrize(
    ("spec", "refused"),
    [
        *(("prob-better:threshold=0.5", True), ("prob-better:threshold=0.51", False)),
        *(("prob-better:threshold=0.99", False), ("prob-better:threshold=1", True)),
        *(("aso:tau=0", True), ("aso:tau=0.01", False), ("aso:tau=0.5", False), ("aso:tau=0.51", True)),
    ],
)
def test_thresholds_of_independent_tests_have_ends(spec: str, refused: bool) -> None:
    assert (independent_tests.make(spec).refuses(samples(9, 12, "real", "item")) is not None) == refused


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ({"alpha": 0.001}, {"alpha": 0.0}),
        ({"alpha": 0.999}, {"alpha": 1.0}),
        ({"n_resamples": 1}, {"n_resamples": 0}),
        ({"seed": 0}, {"seed": -1}),
        ({"alpha": 0.499, "alternative": "less"}, {"alpha": 0.5, "alternative": "less"}),
        ({"alpha": 0.5}, {"alpha": 0.5, "alternative": "greater"}),
    ],
)
def test_settings_have_ends(good: dict[str, object], bad: dict[str, object]) -> None:
    made = Settings(**good)  # type: ignore[arg-type]
    tails = 1 if made.alternative == "two-sided" else 2
    assert made.coverage == pytest.approx(1 - tails * made.alpha)
    with pytest.raises(UsageError):
        Settings(**bad)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ({"margin": 0.999}, {"margin": 1.0}),
        ({"margin": 0.001}, {"margin": 0.0}),
        ({"bounds": (0.0, 0.1)}, {"bounds": (0.1, 0.1)}),
        ({"largest": 1}, {"largest": 0}),
        ({"population": 1}, {"population": 0}),
        ({"alpha": 0.999}, {"alpha": 1.0}),
        ({"alpha": 0.001}, {"alpha": 0.0}),
    ],
)
def test_sequences_have_options_with_ends(good: dict[str, object], bad: dict[str, object]) -> None:
    assert start(**good) is not None  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        start(**bad)  # type: ignore[arg-type]


# where methods step in for each other


@pytest.mark.parametrize(("n", "found"), [(29, False), (30, True), (31, True)])
def test_a_saddlepoint_needs_thirty_items_that_differ(n: int, found: bool) -> None:
    d = np.concatenate([np.resize([1.1, 0.9, -1.0, 0.7], n), np.zeros(5)])
    p = saddlepoint_p(pairing(d[None], np.zeros((1, n + 5)), settings(99)), "greater")
    assert (p is not None) == found
    if p is not None:
        assert p == pytest.approx(float(laws.norm.sf(d.sum() / math.sqrt((d**2).sum()))), rel=0.2)


@pytest.mark.parametrize(("heaviest", "found"), [(math.sqrt(9.9), True), (math.sqrt(10.1), False)])
def test_a_saddlepoint_needs_items_none_of_which_has_a_fifth_of_the_variance(heaviest: float, found: bool) -> None:
    d = np.array([*np.resize([1.0, 1.0, 1.0, -1.0], 40), heaviest])
    assert (saddlepoint_p(pairing(d[None], np.zeros((1, 41)), settings(99)), "two-sided") is not None) == found


def test_a_gain_as_large_as_it_could_be_has_the_exact_p() -> None:
    for n in (1, 5, 40):
        pair = pairing(np.linspace(0.5, 2.0, n)[None], np.zeros((1, n)), settings(99))
        sides = {"greater": 1, "less": None, "two-sided": 2}
        for alternative in ALTERNATIVES:
            if sides[alternative]:
                expected = min(1.0, (sides[alternative] or 1) * 0.5**n)
                assert saddlepoint_p(pair, alternative) == pytest.approx(expected)


@pytest.mark.parametrize("d", [[3, 1, -2], [1, 1, 1, 1], [5, 0, 0], [2, -2, 0, 7]])
def test_the_smallest_p_of_exchanges_is_that_of_none_and_of_its_mirror_image(d: list[int]) -> None:
    x = np.array(d, dtype=float)
    pair = pairing(x[None], np.zeros((1, x.size)), settings(99))
    law = flip_law(x).scale(1 / x.size)
    for alternative in ALTERNATIVES:
        sides = 2 if alternative == "two-sided" else 1
        expected = min(1.0, sides * 0.5 ** int((x != 0).sum()))
        assert smallest_p(pair, law, alternative) == pytest.approx(expected)


# standard errors by derivatives


@pytest.mark.parametrize("units", [12, 160])
def test_every_resample_has_the_error_of_its_linear_part(units: int) -> None:
    draw = np.random.default_rng(units)
    rows = draw.integers(1, 9, (units, 2)).astype(float)

    def ratio(sums: Float) -> Float:
        return np.asarray(sums[..., 0] / sums[..., 1])

    drawn = resample_with_errors(rows, ratio, Design(units), Settings(n_resamples=40).sampling)
    theta = rows[:, 0].sum() / rows[:, 1].sum()
    adds = (rows[:, 0] - theta * rows[:, 1]) / rows[:, 1].sum()
    assert (drawn.centre, drawn.error) == pytest.approx((theta, math.sqrt((adds**2).sum())), rel=1e-6)
    np.testing.assert_allclose(influences(rows, ratio), adds, atol=1e-8)
    values, errors = drawn.values
    assert values.shape == errors.shape == (40,)
    # resamples vary as their own errors say, within the error of 40 of them
    assert values.std(ddof=1) == pytest.approx(drawn.error, rel=0.5)
    assert errors.mean() == pytest.approx(drawn.error, rel=0.3)
    same = resample_with_errors(
        np.tile([[2.0, 4.0]], (units, 1)), ratio, Design(units), Settings(n_resamples=40).sampling
    )
    assert same.error == 0.0
    assert (same.values[1] == 0.0).all()


# what does not vary


def constant_score(value: float, limits: tuple[float, float]) -> ScoreContrast:
    rows = [np.stack([np.full(9, v), np.ones(9)], axis=1)[None] for v in (value, value)]
    stats = Statistics("mean", rows, lambda sums: np.asarray(sums[..., 0] / sums[..., 1]), Design(9), limits=limits)
    return ScoreContrast(Resamples(("a", "b"), [stats], 0, Settings(n_resamples=20)), 0, 1)


@pytest.mark.parametrize("limits", [(-1.0, 1.0), (2.0, 5.0), (0.0, 100.0)])
def test_scores_are_shares_of_the_way_between_their_limits(limits: tuple[float, float]) -> None:
    low, high = limits
    for share in (0.0, 0.25, 1.0):
        estimate = constant_score(low + share * (high - low), limits)
        assert proportion_of(estimate) == pytest.approx((share, high - low))
        assert scale_ends(estimate, (0.1, 0.7)) == pytest.approx((low + 0.1 * (high - low), low + 0.7 * (high - low)))
        way = 1e-6 * (high - low)
        assert is_one_point(estimate, (low, low + 0.99 * way))
        assert not is_one_point(estimate, (low, low + 1.01 * way))


@pytest.mark.parametrize("compare", [anova.tukey, anova.games_howell])
def test_groups_without_variance_are_equal_or_have_no_answer(compare: Callable[..., list[PostHoc]]) -> None:
    same, apart, other = compare([np.full(3, 1.0), np.full(4, 1.0), np.full(2, 3.0)])
    assert (same.p_adjusted, same.ci, same.gain) == (1.0, None, 0.0)
    assert math.isnan(apart.p_adjusted)
    assert (apart.ci, apart.gain, other.gain) == (None, 2.0, 2.0)


@pytest.mark.parametrize("runs", [(4, 5), (5, 4), (5, 5), (4, 12), (9, 12), (12, 9), (10, 10), (10, 9)])
@pytest.mark.parametrize("form", ["t", "shift"])
def test_the_system_with_fewer_runs_decides_what_is_said_of_few(runs: tuple[int, int], form: str) -> None:
    draw = np.random.default_rng(2)
    pair = pairing(draw.normal(size=(runs[0], 30)), draw.normal(size=(runs[1], 30)), settings(99))
    codes = {note.code for note in tests.make(f"multibootstrap:form={form}").run(pair).notes}
    assert (FEW_RUNS.code in codes) == (min(runs) < 5)
    assert (BOOTSTRAP_OF_FEW_RUNS.code in codes) == (min(runs) < 10 and form != "t")


@pytest.mark.parametrize(("rare", "n", "said"), [(17, 170, True), (18, 180, False), (19, 190, False)])
def test_samples_are_skewed_for_their_size_by_cochrans_rule(rare: int, n: int, said: bool) -> None:
    # one in ten: a squared skewness of 0.8²/0.09 = 7.1, for which 178 numbers are wanted
    values = np.repeat([1.0, 0.0], [rare, n - rare])
    even = np.resize([0.0, 1.0], 40)
    for system, baseline in ((values, even), (even, values)):
        given = IndependentSamples(system=system, baseline=baseline, unit="item", settings=Settings())
        notes = independent_tests.make("welch").run(given).notes
        assert (SKEWED_SAMPLES in notes) == said


def test_runs_that_do_not_vary_have_no_error_however_many_there_are() -> None:
    for runs in ((2, 3), (3, 2), (4, 4)):
        a, b = (additive(np.full((r, 5), value)) for r, value in zip(runs, (1.0, 0.5), strict=True))
        assert run_welch(a, b).degenerate == "zero_variance"


def test_a_small_estimate_is_compared_with_its_own_rounding_unless_a_size_is_given() -> None:
    assert t_from(1e-14, 1e-15, 9).statistic == pytest.approx(10.0)
    assert t_from(1e-14, 1e-15, 9, scale=1.0).degenerate == "zero_variance"
    assert t_from(1e-15, 1e-15, 9, scale=1.0).degenerate == "identical_outputs"
    assert t_from(1e-14, 1e-15, 9, scale=0.1).statistic == pytest.approx(10.0)


@pytest.mark.parametrize(("sigma", "refused"), [("-1", True), ("0", True), ("0.001", False), ("inf", True)])
def test_a_known_deviation_is_above_0_and_finite(sigma: str, refused: bool) -> None:
    pair = pairing(np.arange(5.0)[None], np.zeros((1, 5)), settings(99))
    assert (tests.make(f"z:sigma={sigma}").refuses(pair) is not None) == refused


def test_two_measurements_that_are_the_same_have_nothing_between_them() -> None:
    same = williams(0.0, 0.0, 1.0, 9)
    assert (same.effect, same.p_value) == ({"statistic": 0.0, "df": 6}, 1.0)
