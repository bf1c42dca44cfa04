"""What R prints of fixed numbers, put to our public surface; most are in ``oracles/test_oracle_r.py``.

R 4.2.2 with coin 1.4-2 and exactRankTests 0.8-35. The calls stand beside the values.
"""

from __future__ import annotations

import pytest

from tests.peers.asked import apart, p, paired

S = [0.71, 0.55, 0.62, 0.80, 0.44, 0.69, 0.73, 0.58, 0.66, 0.91]
B = [0.65, 0.50, 0.66, 0.71, 0.40, 0.70, 0.61, 0.52, 0.66, 0.80]


@pytest.mark.parametrize(
    ("side", "expected"), [("two-sided", 0.02734375), ("greater", 0.013671875), ("less", 0.9921875)]
)
def test_randomization_of_pairs(side: str, expected: float) -> None:
    """exactRankTests::perm.test(100 s, 100 b, paired = TRUE, exact = TRUE)."""
    assert p(paired(S, B, "randomization", alternative=side)) == pytest.approx(expected, rel=1e-12)


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
