"""The gate of sequences is decided by the last analysis, and by both of its ends where there is a margin."""

from __future__ import annotations

from dataclasses import replace

import pytest

from outscore.base.errors import UsageError
from outscore.results.sequences import Sequences
from tests.report.kinds import KINDS


def ended(ci: tuple[float, float] | None, decision: str, *, margin: float | None = 0.1) -> Sequences:
    """One sequence whose last analysis has this interval, and whose first one lies far off."""
    plain = KINDS["sequence"]()
    assert isinstance(plain, Sequences)
    (one,) = plain.sequences
    first, last = replace(one.analyses[0], ci=(-9.0, 9.0)), replace(one.analyses[-1], ci=ci)
    return replace(plain, margin=margin, sequences=(replace(one, analyses=(first, last), decision=decision),))


HOLDS = {  # the ends of the last analysis and the decision: better, not worse, equivalent
    ((0.02, 0.08), "better"): (True, True, True),
    ((0.02, 0.31), "better"): (True, True, False),
    ((-0.1, 0.31), "undecided"): (False, True, False),
    ((-0.11, 0.02), "undecided"): (False, False, False),
    ((-0.04, 0.1), "equivalent"): (False, True, True),
    ((-0.1, 0.1), "equivalent"): (False, True, True),
    ((-0.31, -0.2), "worse"): (False, False, False),
    ((0.15, 0.31), "undecided"): (False, True, False),
    (None, "better"): (True, True, True),
    (None, "undecided"): (False, False, False),
}


@pytest.mark.parametrize(("ci", "decision"), HOLDS)
def test_a_gate_holds_as_the_last_look_lies_to_the_margin(ci: tuple[float, float] | None, decision: str) -> None:
    result = ended(ci, decision)
    found = [result.gate(condition) for condition in ("better", "not-worse", "equivalent")]
    assert tuple(map(bool, found)) == HOLDS[ci, decision]
    for gate, condition in zip(found, ("better", "not-worse", "equivalent"), strict=True):
        assert gate.condition == condition
        assert gate.failing == (() if gate else result.sequences)


def test_without_a_margin_there_is_only_better() -> None:
    result = ended((0.02, 0.08), "better", margin=None)
    assert result.gate("better")
    with pytest.raises(UsageError, match="'equivalent' needs a margin"):
        result.gate("equivalent")
