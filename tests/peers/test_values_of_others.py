"""The values of scikit-posthocs, choix, mt-metrics-eval, ppi_py and baycomp, put to our public surface.

Sources: scikit-posthocs 0.17.1 (``tests/test_posthocs.py``, with values of R's PMCMRplus; seaborn's data set
``exercise``), choix (``tests/data``), mt-metrics-eval (``stats_test.py``), and what ppi_py 0.2.3 and baycomp 1.0.3
compute of the numbers below. What differs, and why, is in ``docs/faults.md``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import outscore
from outscore.results.comparison import Comparison
from tests.peers.asked import several


def adjusted(found: Comparison, one: int, other: int) -> float:
    """The adjusted p of two of the systems."""
    (pair,) = (k for k in found.pairs if {k.system, k.baseline} == {f"s{one}", f"s{other}"})
    assert pair.p_adjusted is not None
    return pair.p_adjusted


# --- scikit-posthocs ------------------------------------------------------------------------------------------------

BLOCKS = np.array([[4, 3, 4, 4, 5, 6, 3], [1, 2, 3, 5, 6, 7, 7], [1, 2, 6, 4, 1, 5, 1]])
NEMENYI = (
    (0.9999999,),
    (0.8414506, 0.8833015),
    (0.9177741, 0.9449086, 0.9999962),
    (0.9177741, 0.9449086, 0.9999962, 1.0000000),
    (0.2147827, 0.2597539, 0.9449086, 0.8833015, 0.8833015),
    (0.9976902, 0.9991770, 0.9888953, 0.9976902, 0.9976902, 0.5511935),
)


def test_nemenyis_pairs() -> None:
    _, found = several(BLOCKS.T, "friedman", all_pairs=True)
    for row, values in enumerate(NEMENYI, 1):
        for column, expected in enumerate(values):
            assert adjusted(found, row, column) == pytest.approx(expected, abs=6e-6)


def test_tukeys_pairs() -> None:
    _, found = several([[1, 2, 3, 4, 5], [35, 31, 75, 40, 21], [10, 6, 9, 6, 1]], "anova", unit="run")
    for pair, expected in {(0, 1): 0.000991287, (0, 2): 0.897449027, (1, 2): 0.00210909}.items():
        assert adjusted(found, *pair) == pytest.approx(expected, abs=1e-8, rel=1e-5)


EXERCISE = (  # pulse at rest, walking and running
    "85 85 88 90 92 93 97 97 94 80 82 83 91 92 91 83 83 84 87 88 90 92 94 95 97 99 96 100 97 100",
    "86 86 84 93 103 104 90 92 93 95 96 100 89 96 95 84 86 89 103 109 90 92 96 101 97 98 100 102 104 103",
    "93 98 110 98 104 112 98 105 99 87 132 120 94 110 116 95 126 143 100 126 140 103 124 140 94 135 130 99 111 150",
)


def test_dunns_pairs() -> None:
    rest, walking, running = ([int(k) for k in row.split()] for row in EXERCISE)
    _, found = several([rest, running, walking], "kruskal-wallis", unit="run")
    for pair, expected in {(0, 1): 9.570998e-09, (0, 2): 4.390066e-02, (1, 2): 1.873208e-04}.items():
        assert adjusted(found, *pair) == pytest.approx(expected, rel=1e-6)


# --- choix ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wins", "expected"),
    [  # item i won against item j
        (((0, 1), (1, 2), (2, 0)), (0.0, 0.0, 0.0)),
        (((0, 1), (0, 1), (1, 2), (2, 0)), (0.419617624, -0.419617624, 0.0)),
    ],
)
def test_bradley_and_terrys_ratings(
    wins: tuple[tuple[int, int], ...], expected: tuple[float, ...], tmp_path: Path
) -> None:
    rows = [("abc"[i], "abc"[j], "abc"[i]) for i, j in wins]
    frame = pd.DataFrame(rows, columns=["system1", "system2", "winner"]).assign(item=range(len(rows)))
    frame.to_csv(tmp_path / "votes.csv", index=False)
    board = outscore.rank(outscore.read_judgments(str(tmp_path / "votes.csv")), n_resamples=99)
    ratings = {score.system: score.score for score in board.scores}
    assert [ratings[name] for name in "abc"] == pytest.approx(expected, abs=1e-8)


# --- mt-metrics-eval ------------------------------------------------------------------------------------------------


def agreement(human: list[float], metric: list[float], systems: int, level: str, coefficient: str) -> float:
    """A correlation over outputs, the systems' items one after the other."""
    n = len(human) // systems
    frame = pd.DataFrame({
        "system": np.repeat([f"s{k}" for k in range(systems)], n), "item": np.tile(np.arange(n), systems),
        "human": human, "learned": metric,
    })  # fmt: skip
    found = outscore.correlate(
        frame, human="human", metrics="learned", levels=level, coefficients=coefficient, n_resamples=99, test="none"
    )
    (one,) = found.correlations
    assert one.value is not None
    return one.value


@pytest.mark.parametrize(
    ("level", "coefficient", "expected"),
    [
        ("segment", "pearson", 0.776),
        ("segment-by-system", "pearson", 0.760),
        ("segment", "kendall", 0.552),
        ("segment-by-system", "kendall", 0.575),
        ("segment", "kendall-c", 0.556),
        ("segment-by-system", "kendall-c", 0.611),
    ],
)
def test_correlations_over_outputs(level: str, coefficient: str, expected: float) -> None:
    """Correlation(2, ...): within items, ours asks for three systems, as two correlate by 1 or -1."""
    found = agreement([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 3, 7], 2, level, coefficient)
    assert found == pytest.approx(expected, abs=6e-4)


@pytest.mark.parametrize(
    ("coefficient", "expected"), [("kendall", 0.316227766), ("kendall-c", 0.32), ("accuracy", 0.7)]
)
def test_correlations_that_tie(coefficient: str, expected: float) -> None:
    """KendallVariants b and c, and the accuracy of KendallWithTiesOpt at its best threshold."""
    found = agreement([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3], 1, "segment", coefficient)
    assert found == pytest.approx(expected, abs=1e-9)


# --- ppi_py ---------------------------------------------------------------------------------------------------------

HUMAN = "61 101 97 45 51 44 77 58 82 5 107 57 80 56 49 74 85 54 55 81 34 15 72 40 2"
JUDGED = "59 104 89 33 62 67 84 57 98 26 112 75 106 63 47 89 99 80 46 81 31 -1 84 58 1"
UNLABELLED = (
    "116 97 91 83 102 26 90 90 12 81 62 96 56 69 81 41 90 67 86 53 106 90 64 91 112 129 18 99 85 67 37 111 28 89 113 "
    "17 60 27 78 120 137 11 51 93 122 84 45 80 69 63 46 83 80 67 63 28 54 110 64 22"
)


def hundredths(text: str) -> list[float]:
    return [int(number) / 100 for number in text.split()]


def test_prediction_powered_means() -> None:
    """ppi_mean_pointestimate and ppi_mean_ci with lam 0, 1 and tuned; the weight is read off the tuned mean.

    ppi_py divides squares and products of n labels by n and takes the normal law, ours by n - 1 and Student's and
    Welch's, as 25 labels ask for.
    """
    frame = pd.DataFrame({
        "system": "a", "item": range(85), "human": [*hundredths(HUMAN), *[None] * 60],
        "judge": hundredths(JUDGED) + hundredths(UNLABELLED),
    })  # fmt: skip
    found = {e.method: e for e in outscore.judge(frame, human="human", judge="judge").estimates}
    labelled, plain, tuned = (found[f"{k}"] for k in ("labelled", "prediction-powered:weight=1", "prediction-powered"))
    assert labelled.value == pytest.approx(0.5928, rel=1e-9)
    assert plain.value == pytest.approx(0.66646667, abs=5e-9)
    assert tuned.weight is not None and labelled.ci is not None
    assert tuned.weight * 24 / 25 == pytest.approx((0.63317028 - 0.5928) / (0.66646667 - 0.5928), abs=1e-4)
    wider = stats.t.ppf(0.975, 24) / stats.norm.ppf(0.975) * np.sqrt(25 / 24)
    assert labelled.ci[1] - 0.5928 == pytest.approx((0.69824254 - 0.5928) * wider, rel=1e-6)


# --- baycomp --------------------------------------------------------------------------------------------------------

FOLDS: Any = (
    [0.71, 0.55, 0.62, 0.80, 0.44, 0.69, 0.73, 0.58, 0.66, 0.91],
    [0.65, 0.50, 0.66, 0.71, 0.40, 0.70, 0.61, 0.52, 0.66, 0.80],
)


@pytest.mark.parametrize(
    ("rho", "better", "within", "worse"),
    [  # CorrelatedTTest.probs(x, y, rope=.02, runs): runs 1, 2 and 5 of 10 folds in all, rho = runs / 10
        (0.1, 0.8633172502655793, 0.12687116056346448, 0.009811589170956259),
        (0.2, 0.8057278626484164, 0.16661539968999706, 0.027656737661586495),
        (0.5, 0.6891940946747227, 0.18784096130682104, 0.12296494401845626),
    ],
)
def test_correlated_folds(rho: float, better: float, within: float, worse: float) -> None:
    found = outscore.compare(
        {"baseline": FOLDS[1], "system": FOLDS[0]}, posterior=f"t:rho={rho}", margin=0.02
    ).posteriors[0]
    assert (found.better, found.within, found.worse) == pytest.approx((better, within, worse), rel=1e-9)


def test_signs_of_folds() -> None:
    """SignTest.sample(x, y, rope=.02, prior=1), a million draws: the shares in which each outcome is the likeliest."""
    found = outscore.compare({"baseline": FOLDS[1], "system": FOLDS[0]}, posterior="sign", margin=0.02).posteriors[0]
    assert (found.better, found.within, found.worse) == pytest.approx((0.905291, 0.088691, 0.006018), abs=2e-3)
