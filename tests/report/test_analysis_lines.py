"""One analysis of a comparison that is followed is one line, with the sign of the gain and both ends in their order."""

from __future__ import annotations

import pytest

from outscore.report.screen import analysis_line
from outscore.results.sequences import InterimAnalysis


@pytest.mark.parametrize(
    ("ci", "ends"),
    [((0.0121, 0.0713), "[+0.012, +0.071]"), ((-0.0713, 0.0121), "[-0.071, +0.012]"), (None, "[–]")],
)
def test_a_look_is_one_line_with_signs_and_ends(ci: tuple[float, float] | None, ends: str) -> None:
    analysis = InterimAnalysis(
        n=200, gain=0.0417, ci=ci, p_value=0.0211, e_value=3.0, decision="undecided", observed=0.04
    )
    assert analysis_line(analysis) == f"n 200  gain +0.042 {ends}  p .021  undecided"
