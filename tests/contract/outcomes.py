"""A check that every outcome passes, of whatever kind its test is."""

from __future__ import annotations

from collections.abc import Collection

from outscore.significance import MONTE_CARLO, Outcome


def check_whole(outcome: Outcome, gain: float, kinds: Collection[str], *, lawful: bool = True) -> None:
    """A p-value of one of these kinds above 0, its error where it was sampled, and an interval that holds the gain.

    Args:
        lawful: a sampled p counts what was observed, which the law of a published program may not.
    """
    assert outcome.p_value is not None
    assert 0 < outcome.p_value <= 1
    assert outcome.p_kind in kinds
    assert (outcome.p_error is not None) == (outcome.p_kind == MONTE_CARLO)
    assert (outcome.n_resamples is not None) == (outcome.p_kind == MONTE_CARLO)
    if lawful and outcome.exceedances is not None and outcome.p_kind == MONTE_CARLO:
        counted, drawn = outcome.exceedances.total, outcome.exceedances.drawn
        assert outcome.n_resamples == drawn
        assert outcome.p_value == min(1.0, outcome.tails * (counted + 1) / (drawn + 1))
    if outcome.p_min is not None:
        assert 0 < outcome.p_min <= outcome.p_value * (1 + 1e-12)
    if outcome.ci is not None:
        assert outcome.ci[0] <= gain <= outcome.ci[1]
        assert outcome.ci_method
    assert len({note.code for note in outcome.notes}) == len(outcome.notes)
    for value in outcome.effect.values():
        assert value is None or isinstance(value, str | int | float)
