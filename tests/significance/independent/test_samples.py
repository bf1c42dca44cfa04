"""What all tests of independent samples keep: equal, constant and least numbers, options, and notes."""

from __future__ import annotations

import numpy as np
import pytest

from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.significance import Outcome
from outscore.significance.independent import SKEWED_SAMPLES, IndependentSamples, Unit, independent_tests
from outscore.significance.settings import Settings
from tests.laws import support
from tests.laws.support import settings
from tests.significance.shapes import samples as samples_of_kind


def samples(
    x: object,
    y: object,
    *,
    unit: Unit = "item",
    shared: bool = False,
    alternative: Alternative = "two-sided",
    n_resamples: int = 999,
) -> IndependentSamples:
    made = Settings(alternative=alternative, n_resamples=n_resamples)
    system, baseline = (np.asarray(v, dtype=float) for v in (x, y))
    return IndependentSamples(system=system, baseline=baseline, unit=unit, settings=made, shared=shared)


def run(name: str, data: IndependentSamples) -> Outcome:
    made = independent_tests.make(name)
    assert made.refuses(data) is None
    return made.run(data)


def codes(found: Outcome) -> set[str]:
    return {note.code for note in found.notes}


EVERY = (
    *("welch", "student", "permutation", "permutation:statistic=mean", "unpaired-bootstrap", "mann-whitney"),
    *("brunner-munzel", "brunner-munzel:variant=t", "fisher", "chi2", "two-proportions"),
)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_where_nothing_differs_p_is_1(name: str, alternative: Alternative) -> None:
    found = run(name, samples([1.0] * 5, [1.0] * 4, alternative=alternative))
    assert found.p_value == 1
    assert codes(found) == {"identical_outputs"}


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("shared", [False, True])
def test_samples_equal_number_by_number_have_the_p_of_their_test(name: str, shared: bool) -> None:
    """The order of independent samples carries nothing: one file shuffled changes no p, also where it ties exactly."""
    x, y = [1.0, 0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 1.0]
    for alternative in ALTERNATIVES:
        equal, shuffled = (run(name, samples(x, other, shared=shared, alternative=alternative)) for other in (x, y))
        assert "identical_outputs" not in codes(equal)
        near = 0.1 if name == "unpaired-bootstrap" else 1e-12  # 999 draws, which go by position: five errors of p
        assert equal.p_value == pytest.approx(shuffled.p_value, abs=near)
        assert (equal.p_value == 1) == (alternative == "two-sided")


def test_equal_samples_have_the_one_sided_p_of_scipy_and_r() -> None:
    three, two = [1.0, 2.0, 3.0], [1.0, 2.0]
    for x, name, expected in (
        (three, "student", 0.5),  # scipy.stats.ttest_ind
        (three, "welch", 0.5),
        (three, "mann-whitney", 0.7),  # R: coin::wilcox_test, exact
        (three, "permutation", 0.7),
        (two, "mann-whitney", 5 / 6),
    ):
        for alternative in ("greater", "less"):
            found = run(name, samples(x, x, shared=True, alternative=alternative))
            assert found.p_value == pytest.approx(expected, rel=1e-12), name


@pytest.mark.parametrize("name", [n for n in EVERY if not n.startswith("permutation:")])
def test_numbers_that_do_not_vary_have_no_p_but_from_counts(name: str) -> None:
    found = run(name, samples([1.0] * 4, [0.0] * 4))
    counted = name in ("permutation", "mann-whitney", "brunner-munzel", "fisher", "chi2", "two-proportions")
    if counted:
        assert found.p_value is not None
        exact = {"permutation": 2 / 70, "mann-whitney": 2 / 70, "brunner-munzel": 2 / 70, "fisher": 2 / 70}
        assert found.p_value == pytest.approx(exact.get(name, found.p_value))
    else:
        assert found.p_value is None
        assert codes(found) & {"constant_samples", "no_overlap"}


@pytest.mark.parametrize("name", EVERY)
def test_one_number_of_a_system_has_no_variance(name: str) -> None:
    found = run(name, samples([1.0], [0.0, 1.0, 0.0, 0.0]))
    if name in ("welch", "unpaired-bootstrap", "brunner-munzel", "brunner-munzel:variant=t"):
        assert found.p_value is None
        assert codes(found) == {"n_too_small"}
    else:
        assert found.p_value is not None
    assert run("permutation", samples([1.0], [0.0, 0.5, 0.2, 0.1])).p_value == pytest.approx(1 / 5)


def test_decimals_that_are_equal_tie() -> None:
    """.1 + .2 is no .3: with their rounding left in, labellings as extreme as the observed one would not be counted."""
    x, y = [0.1 + 0.2, 0.7, 0.6], [0.3, 0.1 * 7, 0.2]
    exact = samples([3, 7, 6], [3, 7, 2])
    assert run("permutation:statistic=mean", samples(x, y)).p_value == run("permutation:statistic=mean", exact).p_value
    assert run("permutation", samples(x, y)).p_value == pytest.approx(run("permutation", exact).p_value)


@pytest.mark.parametrize(("system", "baseline"), [([0.1, -0.2], [0.0, 40.0]), ([1.0, -40.0], [0.5, 0.25])])
def test_means_are_ties_within_a_part_of_the_largest_number(system: list[float], baseline: list[float]) -> None:
    made = IndependentSamples(
        system=np.array(system), baseline=np.array(baseline), unit="item", settings=support.settings(9)
    )
    assert made.slack == pytest.approx(4e-11, rel=1e-9, abs=0)


@pytest.mark.parametrize(
    ("spec", "refused"),
    [
        *(("prob-better:threshold=0.5", True), ("prob-better:threshold=0.51", False)),
        *(("prob-better:threshold=0.99", False), ("prob-better:threshold=1", True)),
        *(("aso:tau=0", True), ("aso:tau=0.01", False), ("aso:tau=0.5", False), ("aso:tau=0.51", True)),
    ],
)
def test_thresholds_of_independent_tests_have_ends(spec: str, refused: bool) -> None:
    assert (independent_tests.make(spec).refuses(samples_of_kind(9, 12, "real", "item")) is not None) == refused


@pytest.mark.parametrize(("rare", "n", "said"), [(17, 170, True), (18, 180, False), (19, 190, False)])
def test_samples_are_skewed_for_their_size_by_cochrans_rule(rare: int, n: int, said: bool) -> None:
    # one in ten: a squared skewness of 0.8²/0.09 = 7.1, for which 178 numbers are wanted
    values = np.repeat([1.0, 0.0], [rare, n - rare])
    even = np.resize([0.0, 1.0], 40)
    for system, baseline in ((values, even), (even, values)):
        given = IndependentSamples(system=system, baseline=baseline, unit="item", settings=Settings())
        notes = independent_tests.make("welch").run(given).notes
        assert (SKEWED_SAMPLES in notes) == said


FEW = {"permutation": 30, "prob-better": 20, "unpaired-bootstrap:form=shift": 30, "aso": 200}


@pytest.mark.parametrize("unit", ["item", "run"])
@pytest.mark.parametrize("name", FEW)
def test_tests_of_independent_samples_say_more_of_one_fewer(name: str, unit: Unit) -> None:
    """The smaller sample decides; spreads differ by more than twice, which is told of few numbers alone."""
    few, draw = FEW[name], np.random.default_rng(3)
    x, y = np.sort(draw.normal(size=few + 5)), draw.normal(0.3, 5.0, few)
    said = []
    for n in (few - 1, few):
        given = IndependentSamples(system=x, baseline=y[:n], unit=unit, settings=settings(60))
        test = independent_tests.make(name)
        assert test.refuses(given) is None
        said.append({note.code for note in test.run(given).notes})
    assert len(said[0] - said[1]) == 1 and not said[1] - said[0]
