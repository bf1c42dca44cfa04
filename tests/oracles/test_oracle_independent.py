"""The registered tests of independent samples against R (stats, coin) and exact fractions."""

from __future__ import annotations

import numpy as np
import pytest

from outscore.engine.extreme import Alternative
from outscore.significance import Outcome
from outscore.significance.independent import IndependentSamples, independent_tests
from outscore.significance.settings import Settings
from tests.oracles.support import Case, cases, close

SIDES: dict[str, Alternative] = {"two.sided": "two-sided", "greater": "greater", "less": "less"}


def found(name: str, x: object, y: object, alternative: Alternative = "two-sided") -> Outcome:
    system, baseline = (np.asarray(v, dtype=float) for v in (x, y))
    made = Settings(alternative=alternative)
    return independent_tests.make(name).run(
        IndependentSamples(system=system, baseline=baseline, unit="item", settings=made)
    )


def p_of(outcome: Outcome) -> float:
    assert outcome.p_value is not None
    return outcome.p_value


@cases("perm_unpaired_mean_exact")
def test_exact_permutation_of_the_mean(case: Case) -> None:
    x, y = case["input"]["x"], case["input"]["y"]
    for key, side in (("p_two_sided", "two-sided"), ("p_greater", "greater"), ("p_less", "less")):
        outcome = found("permutation:statistic=mean", x, y, side)  # type: ignore[arg-type]
        assert outcome.p_kind == "exact"
        assert close(p_of(outcome), case["expected"][key]["float"], 1e-12)


@cases("t_z_tests")
def test_welch_and_student(case: Case) -> None:
    a, b = case["input"]["a"], case["input"]["b"]
    for name in ("welch", "student"):
        outcome, expected = found(name, a, b), case["expected"][name]
        assert close(p_of(outcome), expected["p"], 1e-9)
        assert close(float(outcome.effect["statistic"] or 0), expected["t"], 1e-9)
        assert close(float(outcome.effect["df"] or 0), expected["df"], 1e-9)


@cases("mann_whitney")
def test_rank_sums(case: Case) -> None:
    x, y = case["input"]["x"], case["input"]["y"]
    for key, side in SIDES.items():
        outcome = found("mann-whitney:variant=exact", x, y, side)
        assert p_of(outcome) == pytest.approx(case["expected"]["exact"][key], rel=1e-9)


@cases("two_proportions")
def test_two_proportions(case: Case) -> None:
    x1, n1, x2, n2 = (case["input"][k] for k in ("x1", "n1", "x2", "n2"))
    x, y = ([1] * right + [0] * (n - right) for right, n in ((x1, n1), (x2, n2)))
    expected = case["expected"]
    for side, key in (("two-sided", "two.sided"), ("greater", "greater.x"), ("less", "less.x")):
        assert close(p_of(found("fisher", x, y, side)), expected["fisher"][key], 1e-9)  # type: ignore[arg-type]
    assert close(p_of(found("chi2", x, y)), expected["chi2_nocc"], 1e-9)
    assert close(p_of(found("chi2:yates=true", x, y)), expected["chi2_yates"], 1e-9)
    z = found("two-proportions", x, y, "greater")
    assert close(p_of(z), expected["p_z_greater"], 1e-9)
    assert found("two-proportions", x, y).ci == pytest.approx(expected["newcombe10_ci"], rel=1e-9)
