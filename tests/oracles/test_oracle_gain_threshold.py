"""Threshold of Berg-Kirkpatrick et al. 2012: the family ``gain_threshold`` (R's quantile, type 7)."""

from __future__ import annotations

from outscore.studies.gain.thresholds import window_threshold
from outscore.studies.shared.pairs import DIFFERENT, StudyPair, select_window
from tests.oracles.support import Case, agree, cases


@cases("gain_threshold")
def test_the_quantile_of_the_gains_in_a_window_of_p(case: Case) -> None:
    given = case["input"]
    pairs = [StudyPair("a", "b", gain, p, DIFFERENT) for gain, p in zip(given["gain"], given["p_value"], strict=True)]
    low, high = given["window"]
    inside = select_window(pairs, low, high)
    agree(
        case,
        {
            "n_in_window": len(inside),
            "threshold95_type7": window_threshold(pairs, low, high, given["q"]),
            "max_gain": max(pair.gain for pair in inside),
        },
        # another convention: the source names none, the house takes R's default
        skip=("threshold95_type1",),
    )
