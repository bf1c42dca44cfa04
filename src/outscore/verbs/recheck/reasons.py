"""Reasons that rechecks of several programs have in common."""

from __future__ import annotations

import math

from outscore.data.printed.records import Number
from outscore.results import Pair, Reason

ERRORS = 4.0
"""Standard errors within which two sampled numbers agree: 6 in 100,000 lie farther apart by chance."""


def tolerate_chance(p: float, *resamples: int) -> float:
    """How far apart chance may bring p-values drawn so often, each counted with the one that is added."""
    spread = max(p * (1 - p), 1 / (min(resamples) + 1))
    return ERRORS * math.sqrt(spread * sum(1 / n for n in resamples)) + 1 / (min(resamples) + 1)


def explain_rest(like: float, pair: Pair, resamples: int, cluster: str | None) -> Reason | None:
    """Reason why our p-value differs from a sound one of the program's draws; None where they are the same.

    Args:
        like: two-sided, ties counted, from its draws.
        pair: ours.
        resamples: how many it drew.
        cluster: column of the clusters of ours.
    """
    if pair.p_value is None:
        return Reason(code="no_p", values={"test": pair.test})
    rest = pair.p_value - like
    if rest == 0:
        return None
    ours = () if pair.n_resamples is None else (pair.n_resamples,)
    if abs(rest) <= tolerate_chance(like, resamples, *ours):
        return Reason(code="drawing", values={"rest": rest, "resamples": resamples, "ours": pair.n_resamples})
    return Reason(code="other_test", values={"rest": rest, "test": pair.test, "null": pair.null, "cluster": cluster})


def decision(printed: Number, pair: Pair, alpha: float, correction: str, family: int) -> Reason | None:
    """Whether the reader of the printed number concludes otherwise than ours; None where both agree."""
    ours = pair.p_adjusted
    if ours is None or (printed.value <= alpha) == (pair.verdict in ("better", "worse")):
        return None
    return Reason(
        code="decision",
        values={
            "alpha": alpha, "theirs": "a difference" if printed.value <= alpha else "none", "p": ours,
            "correction": correction, "family": family,
        },
    )  # fmt: skip
