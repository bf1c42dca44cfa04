"""A check that every outcome passes, of whatever kind its test is."""

from __future__ import annotations

from collections.abc import Collection

from outscore.significance import MONTE_CARLO, Outcome


def check_whole(outcome: Outcome, gain: float, kinds: Collection[str]) -> None:
    """A p-value of one of these kinds above 0, its error where it was sampled, and an interval that holds the gain."""
    assert outcome.p_value is not None
    assert 0 < outcome.p_value <= 1
    assert outcome.p_kind in kinds
    assert (outcome.p_error is not None) == (outcome.p_kind == MONTE_CARLO)
    assert (outcome.n_resamples is not None) == (outcome.p_kind == MONTE_CARLO)
    if outcome.p_min is not None:
        assert 0 < outcome.p_min <= outcome.p_value * (1 + 1e-12)
    if outcome.ci is not None:
        assert outcome.ci[0] <= gain <= outcome.ci[1]
        assert outcome.ci_method
    assert len({note.code for note in outcome.notes}) == len(outcome.notes)
    for value in outcome.effect.values():
        assert value is None or isinstance(value, str | int | float)
