"""Family ``agreement``: R's vcd::Kappa, krippendorff 0.9, irrCAC 0.4.4 and statsmodels, with published values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from outscore.agreement import RatingMeasure, coefficients
from outscore.agreement.chance import assess_by_variance, make_guessing
from outscore.agreement.estimate import AgreementEstimate, estimates
from outscore.agreement.ratings import LabelTable
from outscore.base.arrays import Float, Int
from outscore.engine.design import Design
from outscore.significance.p_values import normal_quantile, student_p
from outscore.verbs.agree.disagreements import kappa_max
from tests.oracles.support import Case, agree, cases, family

BY_KEY = {
    "percent_agreement": "percent",
    "cohen": "cohen",
    "cohen_linear": "cohen:weights=linear",
    "cohen_quadratic": "cohen:weights=quadratic",
    "scott_pi": "scott",
    "gwet_ac1": "gwet",
    "gwet_ac2_linear": "gwet:weights=linear",
    "gwet_ac2_quadratic": "gwet:weights=quadratic",
    "bennett_s": "bennett",
    "pabak_binary_or_S": "bennett",
    "fleiss": "fleiss",
    "conger": "conger",
    "bp": "bennett",
    "krippendorff_nominal": "krippendorff",
    "krippendorff_ordinal": "krippendorff:distance=ordinal",
    "krippendorff_interval": "krippendorff:distance=interval",
    "krippendorff_ratio": "krippendorff:distance=ratio",
    "krippendorff_weighted_linear_irrCAC": "krippendorff:distance=linear",
    "krippendorff_weighted_quadratic_irrCAC": "krippendorff:distance=interval",
}
"""What the family calls a coefficient, and what we call it."""


def ratings_of(given: dict[str, Any]) -> LabelTable:
    """The input of a case, in whichever of four ways it is written."""
    if "subject_by_category_counts" in given:
        rows = [np.repeat(np.arange(len(counts)), counts) for counts in given["subject_by_category_counts"]]
        labels = tuple(str(k) for k in range(len(given["subject_by_category_counts"][0])))
        return _ratings(np.stack(rows), labels)
    if "table" in given:
        cells = [(i, j) for i, row in enumerate(given["table"]) for j, n in enumerate(row) for _ in range(n)]
        return _ratings(np.array(cells), ("1", "2"))
    raters = given.get("raters_by_units") or [given["rater1"], given["rater2"]]
    known = given.get("categories") or sorted({v for rater in raters for v in rater if v is not None})
    codes = np.array([[-1 if v is None else known.index(v) for v in rater] for rater in raters]).T
    return _ratings(codes, tuple(map(str, known)))


def _ratings(codes: Int, labels: tuple[str, ...]) -> LabelTable:
    return LabelTable(codes=codes, labels=labels, raters=tuple(map(str, range(codes.shape[1]))))


def estimated(name: str, ratings: LabelTable) -> AgreementEstimate:
    coefficient = coefficients.make(name)
    measure: RatingMeasure = coefficient.measure(ratings)
    (found,), _ = estimates([measure], [coefficient.large_sample], Design(len(ratings.codes)), None)
    return found


@cases("agreement")
def test_coefficients_and_standard_errors(case: Case) -> None:
    ratings = ratings_of(case["input"])
    computed: dict[str, Any] = {}
    for key, wanted in case["expected"].items():
        name = BY_KEY.get(key.removesuffix("_ase"))
        if name is None:
            continue
        found = estimated(name, ratings)
        if isinstance(wanted, dict):
            ends, method = found.interval("analytic", 0.95)
            assert method == "t"
            # irrCAC gives one side of the p-value of Brennan and Prediger's kappa, and two of all others
            sides = 2 if key == "bp" else 1
            computed[key] = {
                "est": found.value,
                "se": found.error,
                "ci": ends,
                # by the variance at the estimate, which is no test of agreement by chance
                "p": student_p(found.value / found.error, found.df) / sides,
                "pa": found.observed,
                "pe": found.expected,
            }
        else:
            computed[key] = found.error if key.endswith("_ase") else found.value
    if "cohen_ci95_from_ase" in case["expected"]:
        computed["cohen_ci95_from_ase"] = estimated("cohen", ratings).interval("analytic", 0.95)[0]
    if "kappa_max" in case["expected"]:
        computed["kappa_max"] = kappa_max(table_of(ratings))
    if "se_under_H0_fleiss1979" in case["expected"]:
        fleiss = estimated("fleiss", ratings)
        error = null_error(ratings, fleiss)
        computed |= {"P_bar": fleiss.observed, "P_e": fleiss.expected, "z": fleiss.value / error}
        computed["se_under_H0_fleiss1979"] = error
    agree(case, computed, skip=("policy",))


def null_error(ratings: LabelTable, fleiss: AgreementEstimate) -> float:
    chance = make_guessing(ratings, coefficients.make("fleiss").measure(ratings), apart=False)
    assert chance is not None
    return assess_by_variance(chance, fleiss.value, 1 - fleiss.expected, None, centred=False).error


def table_of(ratings: LabelTable) -> Float:
    q = len(ratings.labels)
    return np.bincount(ratings.codes @ [q, 1], minlength=q * q).reshape(q, q).astype(float)


@pytest.mark.parametrize(
    ("distance", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_krippendorffs_own_example(distance: str, published: float) -> None:
    canonical = ratings_of(inputs("krippendorff_2011_canonical"))
    assert estimated(f"krippendorff:distance={distance}", canonical).value == pytest.approx(published, abs=5e-4)


def test_the_standard_error_of_cohen_is_that_of_a_large_sample() -> None:
    found = estimated("cohen", ratings_of(inputs("two_raters_k2_n50")))
    assert math.isinf(found.df)
    ends, method = found.interval("analytic", 0.95)
    assert method == "normal"
    assert ends is not None
    assert (ends[1] - ends[0]) / 2 == pytest.approx(normal_quantile(0.95) * found.error)


def inputs(name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(case["input"] for case in family("agreement")["cases"] if case["id"] == name)
    return found
