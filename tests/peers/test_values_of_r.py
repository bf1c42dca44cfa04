"""What R prints of fixed numbers, put to our public surface: each value is equal, or its difference is explained.

R 4.2.2 with coin 1.4-2, exactRankTests 0.8-35, clubSandwich 0.5.8, survey 4.1-1, lme4 and lmerTest 3.1-3, multcomp
1.4-22. The calls stand beside the values.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import outscore
from outscore.results.pairs import Pair
from tests.peers.asked import apart, effect, p, paired

D = [3, 1, -1, 2, 2, 0, 0, -2, 4, 1, 1, -1, 5, 0]


@pytest.mark.parametrize(
    ("zeros", "side", "exact", "asymptotic"),
    [  # coin::wilcoxsign_test(d ~ 0, zero.method, alternative, distribution)
        ("pratt", "two-sided", 0.095703125, 0.08030860879692),
        ("pratt", "greater", 0.0478515625, 0.04015430439846),
        ("pratt", "less", 0.96826171875, 0.95984569560154),
        ("drop", "two-sided", 0.08984375, 0.0719103778683401),
        ("drop", "greater", 0.044921875, 0.03595518893417),
        ("drop", "less", 0.97216796875, 0.96404481106583),
    ],
)
def test_signed_ranks_with_zeros_and_ties(zeros: str, side: str, exact: float, asymptotic: float) -> None:
    for variant, expected in (("exact", exact), ("normal", asymptotic)):
        found = paired(D, [0] * 14, f"wilcoxon:variant={variant},zeros={zeros}", alternative=side)
        assert p(found) == pytest.approx(expected, rel=1e-10)


S = [0.71, 0.55, 0.62, 0.80, 0.44, 0.69, 0.73, 0.58, 0.66, 0.91]
B = [0.65, 0.50, 0.66, 0.71, 0.40, 0.70, 0.61, 0.52, 0.66, 0.80]
U, W = [12, 15, 9, 20, 17, 14], [10, 8, 11, 13, 9]


@pytest.mark.parametrize(
    ("side", "expected"), [("two-sided", 0.02734375), ("greater", 0.013671875), ("less", 0.9921875)]
)
def test_randomization_of_pairs(side: str, expected: float) -> None:
    """exactRankTests::perm.test(100 s, 100 b, paired = TRUE, exact = TRUE)."""
    assert p(paired(S, B, "randomization", alternative=side)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("side", "means", "ranks", "normal"),
    [  # coin::oneway_test and wilcox_test, distribution = "exact" and "asymptotic"
        ("two-sided", 0.0562770562770563, 0.0562770562770563, 0.0546812047325178),
        ("greater", 0.0303030303030303, 0.0281385281385281, 0.0273406023662589),
        ("less", 0.982683982683983, 0.976190476190476, 0.972659397633741),
    ],
)
def test_two_samples(side: str, means: float, ranks: float, normal: float) -> None:
    for test, expected in (
        ("permutation:statistic=mean", means),
        ("mann-whitney:variant=exact", ranks),
        ("mann-whitney:variant=normal", normal),
    ):
        assert p(apart(U, W, test, alternative=side)) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(
    ("numbers", "test", "expected"),
    [  # the samples are equal number by number
        ([1, 2, 3], "mann-whitney:variant=exact", 0.7),  # coin::wilcox_test, exact
        ([1, 2, 3], "permutation:statistic=mean", 0.7),  # coin::oneway_test, exact
        ([1, 2], "mann-whitney:variant=exact", 5 / 6),
        ([1, 2], "mann-whitney:variant=normal-cc", 0.6674972),  # stats::wilcox.test
        ([1, 2, 3], "mann-whitney:variant=normal-cc", 0.5902615),
    ],
)
def test_equal_samples(numbers: list[int], test: str, expected: float) -> None:
    assert p(apart(numbers, numbers, test, alternative="greater")) == pytest.approx(expected, abs=1e-7)


GAINS = [
    1.013, 2.031, 1.115, 1.249, 1.032, 0.053, 0.839, 0.125, -0.405, -0.112, 0.124, 0.62, 0.546, 0.479, 0.779, -0.568,
    0.763, 0.051, 0.335, 0.255, -0.533, -0.172, -0.47, 0.325, 0.021, -0.073, -0.244, 0.193, 0.973, -0.078, 0.144, 0.372,
    0.824, -0.135, 0.072,
]  # fmt: skip
CLUSTERS = np.repeat([f"d{k}" for k in range(8)], [3, 5, 2, 7, 4, 6, 3, 5])


def test_means_in_clusters() -> None:
    """clubSandwich::coef_test(lm(g ~ 1), vcovCR(type = "CR2"), test = "Satterthwaite") and conf_int."""
    data = {"baseline": np.zeros(35), "system": np.array(GAINS)}
    items = {"document": CLUSTERS.tolist()}
    found = outscore.compare(data, items=items, cluster="document", test="t").pairs[0]
    assert (effect(found, "se"), effect(found, "df")) == pytest.approx((0.145125979428459, 6.09807257411702), rel=1e-10)
    assert p(found) == pytest.approx(0.0627490461418822, rel=1e-9)
    assert found.ci == pytest.approx((-0.0239306811169504, 0.68353068111695), rel=1e-9)


RIGHT = "11111111001111101111000111011111101"


def test_shares_in_clusters() -> None:
    """clubSandwich: plogis(qlogis(p) ± t SE / (p (1 - p))), SE and df of vcovCR(lm(right ~ 1), type = "CR2").

    survey::svyciprop(method = "logit") takes the linearized error and G - 1 degrees of freedom: [0.5205, 0.9130].
    """
    found = outscore.score(
        {"a": list(map(int, RIGHT))}, items={"document": CLUSTERS.tolist()}, cluster="document", metrics="accuracy",
        interval="logit",
    ).scores[0]  # fmt: skip
    assert found.ci == pytest.approx((0.511858033505269, 0.915703294850496), rel=1e-9)
    assert found.ci == pytest.approx((0.520541336476713, 0.912980240945926), abs=0.01)


NUM = "36343030100221222011211100113001200"
DEN = "48664153311453334332334311345113521"


@pytest.mark.parametrize(
    ("cluster", "ends", "apart"),
    [  # survey::svyratio(~num, ~den), confint(df = degf), which takes units as equal: ours is CR2's, somewhat wider
        (None, (0.351333883520685, 0.523666116479315), 0.002),
        ("document", (0.306407929040948, 0.568592070959052), 0.012),
    ],
)
def test_ratios(cluster: str | None, ends: tuple[float, float], apart: float) -> None:
    frame = pd.DataFrame({
        "system": "a", "item": range(35), "num": list(map(int, NUM)), "den": list(map(int, DEN)), "document": CLUSTERS,
    })  # fmt: skip
    found = outscore.score(frame, metrics="ratio:num=num,den=den", cluster=cluster or "none", interval="delta")
    assert found.scores[0].score == pytest.approx(0.4375, rel=1e-12)
    assert found.scores[0].ci == pytest.approx(ends, abs=apart)


RUNS: Any = np.array([
    [-0.684, -0.934, 0.629, -0.32, -0.023, -0.289, 1.329, 1.182, -0.927, 0.412, -1.142, -1.634],
    [-2.06, 0.196, 0.485, -1.962, -0.192, -0.064, 0.41, 1.079, -1.157, 0.356, -1.329, -1.614],
    [-1.657, 0.138, 0.54, -0.806, 0.563, 0.14, 0.927, 1.806, -0.606, 1.318, -1.084, -1.64],
    [0.129, 0.142, 1.174, -0.153, 0.721, 0.277, 1.194, 1.263, -0.721, 0.957, -0.744, -1.783],
    [-1.22, 0.199, 0.789, -0.521, 0.197, 0.107, 1.173, 1.614, -0.358, 1.621, -0.098, -0.286],
    [-0.159, 0.203, 1.315, -1.208, 0.314, 0.304, 0.702, 1.806, -0.646, 2.859, -0.758, -0.587],
    [-0.992, -0.324, 0.974, -0.616, -0.424, -0.084, 0.861, 1.372, -0.433, 1.338, -0.536, -1.024],
    [-2.006, 0.001, 1.081, -0.664, 0.925, -1.229, 0.521, 0.267, -0.194, 1.134, -1.527, -1.276],
])  # fmt: skip


def crossed() -> Pair:
    return outscore.compare({"baseline": RUNS[:4], "system": RUNS[4:]}, test="crossed").pairs[0]


def test_runs_crossed_with_items() -> None:
    """lmerTest: lmer(y ~ s + (1|run) + (1|i) + (1|i:s)), by REML; its degrees of freedom pool the runs' variance.

    REML stops when it is near enough, so that the error agrees to six digits; ours are Welch's degrees of freedom.
    """
    found = crossed()
    assert found.gain == pytest.approx(0.2221875, rel=1e-10)
    assert effect(found, "se") == pytest.approx(0.209200288387181, rel=1e-5)
    assert effect(found, "df") == pytest.approx(7.01011869932857, abs=0.05)
    assert p(found) == pytest.approx(0.323412587754740, abs=2e-4)


FOUR: Any = np.array([
    [ -0.376, 1.144, -1.278, 0.639, 1.574, -0.434, -0.738, -0.773, -0.503, 0.117, 1.667, -0.745, -0.774, -0.335,
     -1.105, -0.416, -0.371, -2.218, 0.222, -0.189, 0.56, 1.198, 1.294, 0.856, 0.591, -0.396, 0.788, 1.408, -1.039,
     -0.937, 0.255, 1.042, 2.32, 1.227, 1.603, 0.905, -0.717, -1.964, -1.705, -0.311 ],
    [ -0.571, 0.982, -0.843, 0.183, 2.034, -0.696, 0.364, -0.657, -0.189, 0.102, 1.625, -1.001, -0.793, 0.233,
     -0.655, 0.096, -0.581, -2.226, 0.306, -0.157, 0.422, 1.402, 1.791, 0.889, 0.922, 0.095, 1.47, 1.029, -0.763,
     -0.349, 0.15, 1.716, 3.116, 1.379, 1.194, 1.311, -1.356, -1.741, -1.626, -0.083 ],
    [ -0.44, 1.7, -1.601, -0.373, 2.079, -0.466, -0.542, -0.212, -0.646, -0.244, 1.682, -1.345, -1.403, -0.139,
     -0.802, 0.048, -0.461, -2.456, 0.485, -0.12, 0.712, 0.983, 2.172, 1.044, 0.777, -0.369, 1.499, 1.48, -1.032,
     -0.921, 0.65, 1.385, 2.11, 1.51, 1.345, 1.373, -1.061, -1.592, -1.845, -0.037 ],
    [ -1.689, 2.483, -1.018, 0.921, 1.707, -0.667, -0.288, -0.483, -0.094, 0.144, 0.852, -0.544, -1.374, -0.659,
     -0.886, 0.194, 0.232, -2.412, 0.807, -0.297, 1.973, 0.868, 1.968, 1.297, 0.513, -0.204, 1.543, 1.545, -0.161,
     -1.12, 0.783, 1.456, 2.209, 1.597, 1.604, 1.687, -0.483, -1.768, -1.823, 0.348 ],
])  # fmt: skip


def test_a_family_of_gains() -> None:
    """multcomp::glht(parm(gains, cov(D) / 40, df = 39)), single-step, and confint at level .95.

    R takes the joint law of t with one df; here the law of the largest gain is redrawn, and every gain's own p and
    interval are taken at the level that it leaves. 20,000 resamples: p is known to 4 %, ends to 0.001.
    """
    data = {f"s{k}": values for k, values in enumerate(FOUR)}
    found = outscore.compare(data, test="t", correction="max-t", n_resamples=20_000, seed=1).pairs
    of_r = {
        "s1": (2.68637020907, 0.0294880229922, (0.0131852521157, 0.308714747884)),
        "s2": (1.17533770445, 0.5329102517219, (-0.0780120661595, 0.220062066159)),
        "s3": (2.63140349743, 0.0337088797954, (0.0136075854053, 0.420142414595)),
    }
    for pair in found:
        statistic, adjusted, ends = of_r[pair.system]
        assert effect(pair, "statistic") == pytest.approx(statistic, rel=1e-10)
        assert pair.p_adjusted == pytest.approx(adjusted, rel=0.08)
        assert pair.ci == pytest.approx(ends, abs=0.002)
