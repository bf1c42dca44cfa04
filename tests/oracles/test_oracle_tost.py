"""Equivalence and non-inferiority: the family ``tost`` (R's t.test)."""

from __future__ import annotations

import numpy as np

from outscore.significance.equivalence import tost_from
from outscore.significance.means import paired_t
from tests.oracles.support import Case, agree, cases


@cases("tost")
def test_two_one_sided_t_tests(case: Case) -> None:
    plain = paired_t(np.array(case["input"]["d"]))
    found = tost_from(plain.estimate, plain.se, plain.df, case["input"]["margin"])
    agree(
        case,
        {
            "t_lower": found.statistic_lower,
            "p_lower": found.p_lower,
            "t_upper": found.statistic_upper,
            "p_upper": found.p_upper,
            "p_tost": found.p,
            "ci90": [found.low, found.high],
            "equivalent_05": found.p <= 0.05,
            "noninferior_p": found.p_lower,
        },
    )
