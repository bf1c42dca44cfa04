"""The values that statsmodels' own tests expect, put to our public surface: equal, or the difference is explained.

Source: statsmodels 0.15, ``statsmodels/stats/tests`` (``test_nonparametric``, ``test_proportion``, ``test_tost``,
``test_multi``, ``test_inter_rater``, ``test_power``), which has most of them from R (PropCIs, binom, multtest,
equivalence, pwr), SAS and Vassar's calculator.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import outscore
from outscore.multiplicity.adjust import adjust
from outscore.results.pairs import Pair
from tests.peers.asked import apart, effect, p, paired, several


def table(both: int, system: int, baseline: int, neither: int) -> tuple[np.ndarray, np.ndarray]:
    """Right and wrong answers of two systems to the same items."""
    counts = [both, system, baseline, neither]
    return np.repeat([1, 1, 0, 0], counts), np.repeat([1, 0, 1, 0], counts)


@pytest.mark.parametrize(
    ("alone", "exact", "corrected", "plain"),
    [
        ((121, 59), 0.000004, 5.450095e-06, 3.815136e-06),
        ((70, 59), 0.378688, 0.3786151, 0.3327967),
        ((80, 59), 0.089452, 0.08981434, 0.07488031),
        ((30, 60), 0.00206, None, None),
        ((10, 30), 0.002221, None, None),
        ((10, 10), 1.0, None, None),
    ],
)
def test_mcnemar(alone: tuple[int, int], exact: float, corrected: float | None, plain: float | None) -> None:
    data = table(101, *alone, 33)
    for variant, expected, near in (("exact", exact, 5e-7), ("chi2-cc", corrected, 1e-8), ("chi2", plain, 1e-8)):
        if expected is not None:
            found = paired(*data, f"mcnemar:variant={variant}", metrics="accuracy")
            assert p(found) == pytest.approx(expected, abs=near, rel=1e-6)


COCHRAN = {  # the answers to the items, Q, p, and how near they are printed
    "Conover, p. 253": ("111 111 010 110 000 111 111 110 001 010 111 111", 2.8, 0.246597, 1e-6),
    "web": ("0001 0001 0001 1111 1001 0101 1001 0001 0100 0000 1001 0011", 13.2857143, 0.00405776, 1e-6),
    "SAS": (
        6 * " 000" + 2 * " 100" + 16 * " 001" + 4 * " 101" + 2 * " 010" + 6 * " 110" + 4 * " 011" + 6 * " 111",
        8.4706,
        0.0145,
        5e-3,
    ),
}


@pytest.mark.parametrize("name", COCHRAN)
def test_cochrans_q(name: str) -> None:
    rows, statistic, expected, near = COCHRAN[name]
    found, _ = several(
        np.array([[int(c) for c in row] for row in rows.split()]).T, "cochran-q:law=chi2", metrics="accuracy"
    )
    assert effect(found, "statistic") == pytest.approx(statistic, rel=near)
    assert p(found) == pytest.approx(expected, rel=near)


def test_brunner_and_munzel_with_its_interval() -> None:
    """Munzel & Hauschke 2003, by lawstat."""
    levels = [-2, -1, 0, 1, 2]
    new, active = np.repeat(levels, [24, 37, 21, 19, 6]), np.repeat(levels, [11, 51, 22, 21, 7])
    found = apart(active, new, "brunner-munzel:variant=t")
    assert p(found) == pytest.approx(0.2410606649547, rel=1e-12)
    for name, expected in (
        ("statistic", 1.1757561456582),
        ("df", 204.2984239868),
        ("superiority", 0.5442256341789052),
        ("superiority_ci_low", 0.4700629827705593),
        ("superiority_ci_high", 0.6183882855872511),
    ):
        assert effect(found, name) == pytest.approx(expected, rel=1e-12)


BINOMIAL = {  # R: binom.confint; agresti-coull, asymptotic, exact, wilson
    (18, 20): (
        (0.6867561125596077, 0.984343760998137),
        (0.768521618913513, 1.031478381086487),  # binom.confint does not cut, as here; statsmodels does
        (0.6830172859809176, 0.9876514728297052),
        (0.6989663547715128, 0.972133518786232),
    ),
    (4, 20): (
        (0.0749115102767071, 0.4217635845549845),
        (0.0246954918846837, 0.3753045081153163),
        (0.05733399705003284, 0.436614002996668),
        (0.0806576625797981, 0.4160174322518935),
    ),
    (190, 200): (
        (0.909307307911624, 0.973731898348837),
        (0.919794926420966, 0.980205073579034),
        (0.9099724622986486, 0.975765834527891),
        (0.910421851861224, 0.972617354399236),
    ),
    (4, 200): (
        (0.005991954548218395, 0.0520995587739575),
        (0.000597346459104517, 0.0394026535408955),
        (0.005475565879556443, 0.05041360908989634),
        (0.00780442641634947, 0.05028708690582643),
    ),
}


@pytest.mark.parametrize("counts", BINOMIAL)
def test_intervals_of_a_share(counts: tuple[int, int]) -> None:
    right, n = counts
    answers = {"a": np.repeat([1, 0], [right, n - right])}
    names = ("agresti-coull", "wald", "clopper-pearson", "wilson")
    for name, expected in zip(names, BINOMIAL[counts], strict=True):
        found = outscore.score(answers, metrics="accuracy", interval=name).scores[0].ci
        assert found is not None
        assert found == pytest.approx(expected, rel=1e-9)


def test_newcombes_interval_of_independent_shares() -> None:
    """Fagerland et al. 2015, Table: 7 of 34 against 1 of 34, printed to two digits."""
    found = apart(np.repeat([1, 0], [7, 27]), np.repeat([1, 0], [1, 33]), "fisher")
    assert found.ci == pytest.approx((0.019, 0.34), abs=0.005)


FIRST = [
    [2.84, 2.51, 2.41, 2.95, 3.14, 3.79, 4.14, 3.85, 3.02, 3.45, 5.37, 3.81, 4.19, 3.16, 3.84],
    [4.0, 3.26, 4.14, 3.42, 3.25, 4.34, 4.97, 4.31, 3.11, 3.41, 5.02, 4.21, 4.59, 5.3, 4.32],
]
SECOND = [
    [2.6, 2.82, 2.18, 3.46, 4.01, 3.04, 3.47, 4.06, 2.91, 3.59, 4.51, 3.16, 3.86, 3.31, 3.02],
    [3.76, 3.66, 3.65, 3.6, 3.48, 2.87, 3.24, 3.92, 3.99, 4.21, 4.21, 3.31, 3.61, 2.97, 2.73],
]


def equivalent(system: list[float], baseline: list[float]) -> Pair:
    return paired(system, baseline, "t", margin=0.6)


CLINIC = (
    (0.003166881489265175, (-0.0744336620516462, 0.4037669953849797), 0.1357514067862445),
    (0.4412034046017588, (0.1261653305099018, 0.999168002823431), 0.2478276410785118),
)


def test_equivalence_of_pairs() -> None:
    """R: equivalence::tost(..., eps=0.6): p and the interval at level 90 %."""
    for k, (expected, ends, error) in enumerate(CLINIC):
        found = equivalent(FIRST[k], SECOND[k])
        assert found.equivalence is not None
        assert found.equivalence.p_equivalent == pytest.approx(expected, rel=1e-10)
        assert found.equivalence.ci == pytest.approx(ends, rel=1e-10)
        assert effect(found, "se") == pytest.approx(error, rel=1e-10)


POWER = (  # R: pwr.t.test(d, n, sig.level=.05, type="one.sample", alternative)
    (1.0, 30, "two-sided", 0.9995636009612725),
    (0.2, 20, "two-sided", 0.1359562887679666),
    (1.0, 30, "greater", 0.999892010204909),
    (0.05, 20, "greater", 0.0764888785042198),
)


@pytest.mark.parametrize(("effect", "n", "side", "expected"), POWER)
def test_power_of_the_t_test(effect: float, n: int, side: Any, expected: float) -> None:
    (found,) = outscore.plan("t:sd=1", effect=effect, sizes=[n], alternative=side).points
    assert found.power == pytest.approx(expected, rel=1e-7)


FAMILIES = (  # R: multtest::mt.rawp2adjp; raw, Bonferroni, Holm, BH, BY
    (
        (0.002, 0.004, 0.006, 0.008, 0.01, 0.012),
        (0.012, 0.024, 0.036, 0.048, 0.06, 0.072),
        (0.012, 0.02, 0.024, 0.024, 0.024, 0.024),
        (0.012,) * 6,
        (0.0294,) * 6,
    ),
    (
        (0.001, 0.002, 0.003, 0.004, 0.005, 0.05, 0.06, 0.07, 0.08, 0.09),
        (0.01, 0.02, 0.03, 0.04, 0.05, 0.5, 0.6, 0.7, 0.8, 0.9),
        (0.01, 0.018, 0.024, 0.028, 0.03, 0.25, 0.25, 0.25, 0.25, 0.25),
        (0.01,) * 5 + (0.08333333333333334, 0.0857142857142857, 0.0875, 0.0888888888888889, 0.09),
        (0.02928968253968254,) * 5
        + (0.2440806878306878, 0.2510544217687075, 0.2562847222222222, 0.2603527336860670, 0.2636071428571428),
    ),
)


@pytest.mark.parametrize("family", FAMILIES, ids=["six", "ten"])
def test_corrections(family: tuple[tuple[float, ...], ...]) -> None:
    raw, *adjusted = family
    for name, expected in zip(("bonferroni", "holm", "bh", "by"), adjusted, strict=True):
        np.testing.assert_allclose(adjust(np.array(raw), name), expected, rtol=1e-12)
