"""The line that says why a gate does not hold names the pairs, their gains, and the p-value that it was decided by."""

from __future__ import annotations

import pytest

from outscore.report.screen import gate_line
from outscore.results.comparison import Comparison
from tests.report.kinds import KINDS

LINES = {
    ("margins_of_all", "better"): "gate 'better' does not hold: birch against ash on mean: equivalent, gain "
    "-0.0020, margin 0.05, p = .99",
    ("margins_of_many", "not-worse"): "gate 'not-worse' does not hold: dill on mean: worse, gain -0.1312, margin 0.05, "
    "p not worse = .87; elm on mean: worse, gain -0.0917, margin 0.05, p not worse = .77; fir on mean: "
    "inconclusive, gain +0.0113, margin 0.05, p not worse = .13; and 3 more",
    ("margins_of_all", "equivalent"): "gate 'equivalent' does not hold: cedar against ash on mean: better, gain "
    "+0.0590, margin 0.05, p within = .70; cedar against birch on mean: better, gain +0.0610, margin 0.05, p "
    "within = .72",
}


@pytest.mark.parametrize(("kind", "condition"), LINES)
def test_the_line_of_a_gate_says_who_fails_it_and_by_which_number(kind: str, condition: str) -> None:
    result = KINDS[kind]()
    assert isinstance(result, Comparison)
    assert gate_line(result, result.gate(condition)) == LINES[kind, condition]
