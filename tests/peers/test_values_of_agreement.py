"""The values that irrCAC, krippendorff, statsmodels and R's irr give for agreement, put to ``outscore.agree``.

Sources: irrCAC 0.4.4 (its data sets ``raw_4raters`` and ``raw_5observers``, those of Gwet's handbook, and what it
computes of them); krippendorff 0.9.0 (``sample.py``); statsmodels 0.15 (``test_inter_rater``), with values of SAS and
of irr::kappa2. What differs, and why, is in ``docs/faults.md``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import outscore
from outscore.results.annotators import Coefficient

NAMES = {"bp": "bennett", "gwet": "gwet", "fleiss": "fleiss", "krippendorff": "krippendorff", "conger": "conger"}

RATERS = """
1 1 . 1/2 2 3 2/3 3 3 3/3 3 3 3/2 2 2 2/1 2 3 4/4 4 4 4/1 1 2 1/2 2 2 2/. 5 5 5/. . 1 1/. . 3 .
"""
OBSERVERS = """
1 1 2 . 2/1 1 0 1 ./2 3 3 3 ./. 0 0 . 0/0 0 0 . 0/0 0 0 . 0/1 0 2 . 1/1 . 2 0 ./2 2 2 . 2/2 1 1 1 ./. 1 0 0 ./0 0 0 0 .
/1 2 2 2 ./3 3 2 2 3/1 1 1 . 1
"""


def ratings(rows: str) -> dict[str, list[str | None]]:
    """The labels of each rater, a missing one as None."""
    units = [[None if label == "." else label for label in row.split()] for row in rows.split("/")]
    return {f"rater{k}": list(labels) for k, labels in enumerate(zip(*units, strict=True))}


def found(data: Any, coefficient: str, **options: Any) -> Coefficient:
    (one,) = outscore.agree(data, coefficients=coefficient, interval="analytic", **options).coefficients
    return one


VALUES = {  # of each coefficient: the value, its standard error, the observed and the expected agreement
    ("raters", "none"): {
        "bp": (0.77273, 0.14472, 0.81818, 0.2),
        "gwet": (0.77544, 0.14295, 0.81818, 0.19032),
        "fleiss": (0.76117, 0.15302, 0.81818, 0.23872),
        "krippendorff": (0.74342, 0.14557, 0.805, 0.24),
        "conger": (0.76282, 0.14917, 0.81818, 0.23343),
    },
    ("raters", "quadratic"): {
        "bp": (0.90152, 0.11089, 0.97538, 0.75),
        "gwet": (0.914, 0.10396, 0.97538, 0.7137),
        "fleiss": (0.86494, 0.14603, 0.97538, 0.81771),
        "krippendorff": (0.84911, 0.12913, 0.97359, 0.825),
        "conger": (0.85771, 0.14367, 0.97538, 0.82696),
    },
    ("raters", "linear"): {
        "bp": (0.84848, 0.12336, 0.93939, 0.6),
        "gwet": (0.85874, 0.11733, 0.93939, 0.57096),
        "fleiss": (0.81794, 0.1485, 0.93939, 0.6671),
        "krippendorff": (0.80038, 0.13548, 0.935, 0.67438),
        "conger": (0.81378, 0.14509, 0.93939, 0.67455),
    },
    ("observers", "none"): {
        "bp": (0.48741, 0.12089, 0.61556, 0.25),
        "gwet": (0.49662, 0.12197, 0.61556, 0.23627),
        "fleiss": (0.45762, 0.12045, 0.61556, 0.29119),
        "krippendorff": (0.48053, 0.11351, 0.62723, 0.2824),
        "conger": (0.46927, 0.11666, 0.61556, 0.27563),
    },
    ("observers", "quadratic"): {
        "bp": (0.80622, 0.0586, 0.94617, 0.72222),
        "gwet": (0.83043, 0.05825, 0.94617, 0.68256),
        "fleiss": (0.75072, 0.09732, 0.94617, 0.78407),
        "krippendorff": (0.77186, 0.08608, 0.94917, 0.77718),
        "conger": (0.76179, 0.0925, 0.94617, 0.77404),
    },
    ("observers", "linear"): {
        "bp": (0.66578, 0.08568, 0.86074, 0.58333),
        "gwet": (0.68964, 0.08769, 0.86074, 0.5513),
        "fleiss": (0.61185, 0.10974, 0.86074, 0.64122),
        "krippendorff": (0.63521, 0.10005, 0.86633, 0.63357),
        "conger": (0.62405, 0.10587, 0.86074, 0.62958),
    },
}


def spelled(peer: str, weights: str) -> str:
    """Our name of a coefficient of irrCAC."""
    if peer == "krippendorff":
        distance = {"none": "nominal", "linear": "linear", "quadratic": "interval"}[weights]
        return f"krippendorff:distance={distance}"
    return f"{NAMES[peer]}:weights={weights}"


@pytest.mark.parametrize(("data", "weights", "peer"), [(d, w, peer) for d, w in VALUES for peer in NAMES])
def test_irrcac(data: str, weights: str, peer: str) -> None:
    value, error, observed, chance = VALUES[data, weights][peer]
    one = found(ratings({"raters": RATERS, "observers": OBSERVERS}[data].strip()), spelled(peer, weights))
    assert one.value == pytest.approx(value, abs=6e-6)
    if peer == "krippendorff":  # irrCAC's error is that of alpha before its factor 1 - 1/N, N labels in pairs
        labels = {"raters": 40, "observers": 58}[data]
        assert one.se == pytest.approx(error * (1 - 1 / labels), rel=5e-4)
    else:
        assert one.se == pytest.approx(error, abs=6e-6)
    if peer != "krippendorff":
        assert (one.observed, one.expected) == pytest.approx((observed, chance), abs=6e-6)


SAMPLE = """
. . . . . 3 4 1 2 1 1 3 3 . 3
1 . 2 1 3 3 4 3 . . . . . . .
. . 2 1 3 4 4 . 2 1 1 3 3 . 4
"""


@pytest.mark.parametrize(("distance", "expected"), [("nominal", 0.691), ("interval", 0.811)])
def test_krippendorff(distance: str, expected: float) -> None:
    """``sample.py`` of the package krippendorff, Krippendorff's own example."""
    rows = [[None if label == "." else label for label in row.split()] for row in SAMPLE.strip().splitlines()]
    data = {f"rater{k}": row for k, row in enumerate(rows)}
    assert found(data, f"krippendorff:distance={distance}").value == pytest.approx(expected, abs=5e-4)


def of_table(table: list[list[int]]) -> dict[str, list[str]]:
    """The labels of two raters from the table of their pairs."""
    pairs = [(str(i), str(j)) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    return {"first": [i for i, _ in pairs], "second": [j for _, j in pairs]}


@pytest.mark.parametrize(
    ("weights", "value", "error", "ends"),
    [("none", 0.4842, 0.1380, (0.2137, 0.7547)), ("linear", 0.4701, 0.1457, (0.1845, 0.7558))],
)
def test_cohens_kappa_of_sas(weights: str, value: float, error: float, ends: tuple[float, float]) -> None:
    one = found(of_table([[0, 4, 1], [0, 8, 0], [0, 1, 5]]), f"cohen:weights={weights}", labels=["0", "1", "2"])
    assert (one.value, one.se) == pytest.approx((value, error), abs=5e-5)
    assert one.ci == pytest.approx(ends, abs=6e-5)


ANXIETY = np.array(
    [
        [3, 3, 3, 4, 5, 5, 2, 3, 5, 2, 2, 6, 1, 5, 2, 2, 1, 2, 4, 3],
        [3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4],
        [2, 1, 4, 4, 3, 2, 1, 6, 1, 1, 1, 2, 3, 3, 1, 1, 3, 3, 2, 2],
    ]
)


@pytest.mark.parametrize(
    ("weights", "value"), [("none", -0.006289308), ("linear", 0.1459075), ("quadratic", 0.2520325)]
)
def test_cohens_kappa_of_irr(weights: str, value: float) -> None:
    """irr::kappa2(anxiety[, 2:3]), which weighs by the places of the labels that occur: nobody gave a 5."""
    letters = dict(zip((1, 2, 3, 4, 6), "abcde", strict=True))  # of numbers ours would weigh the distances
    data = {f"rater{k}": [letters[label] for label in ANXIETY[k].tolist()] for k in (1, 2)}
    one = found(data, f"cohen:weights={weights}", labels=list("abcde"))
    assert one.value == pytest.approx(value, abs=1e-7)


@pytest.mark.parametrize(("weights", "z"), [("none", -0.0604067), ("linear", 1.282472), ("quadratic", 1.437451)])
def test_the_error_of_kappa_where_raters_guess(weights: str, z: float) -> None:
    """irr::kappa2: kappa over its error under the null hypothesis.

    Of so few units ours relabels; 144 copies of each take the error, which is then a twelfth. One rater of the table of
    SAS never gives a label, so that ours always relabels there.
    """
    letters = dict(zip((1, 2, 3, 4, 6), "abcde", strict=True))
    data = {f"rater{k}": 144 * [letters[c] for c in ANXIETY[k].tolist()] for k in (1, 2)}
    one = found(data, f"cohen:weights={weights}", labels=list("abcde"))
    assert one.value is not None and one.null_se is not None
    assert one.value / one.null_se / 12 == pytest.approx(z, rel=1e-6)
    assert one.p_value == pytest.approx(2 * stats.norm.sf(abs(one.value) / one.null_se), rel=1e-9)


@pytest.mark.parametrize(
    ("table", "fixed", "free"),
    [([[7, 1], [3, 5]], 0.161905, 0.214286), ([[6, 1, 0], [0, 7, 0]], 0.708333, 0.785714)],
)
def test_fleiss_and_randolph(table: list[list[int]], fixed: float, free: float) -> None:
    """Randolph's calculator, by statsmodels: fixed and free margins; units in rows, labels in columns."""
    rows = [np.repeat([str(k) for k in range(len(row))], row) for row in table]
    data = {f"slot{k}": list(labels) for k, labels in enumerate(zip(*rows, strict=True))}
    options: Any = {"exchangeable": True, "labels": [str(k) for k in range(len(table[0]))]}
    assert found(data, "fleiss", **options).value == pytest.approx(fixed, abs=6e-7)
    assert found(data, "bennett", **options).value == pytest.approx(free, abs=6e-7)
