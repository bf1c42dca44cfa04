"""Step-down max-statistic (Westfall & Young 1993): uses the dependence between hypotheses that Holm ignores."""

from __future__ import annotations

import numpy as np

from outscore.base.arrays import Float
from outscore.engine.extreme import count, p_from_count

_SLACK = 1e-12


def single_step(observed: Float, null_draws: Float, *, complete: bool = False) -> Float:
    """Adjusted p-values ``(m,)``: how often the largest of all null statistics reaches each observed one.

    Args:
        observed: statistics ``(m,)``, larger is more extreme, on a common scale.
        null_draws: the same under the null, jointly drawn ``(B, m)``.
        complete: the draws are the complete law, the observed labelling included: shares, without the added one.
    """
    largest = null_draws.max(axis=1, keepdims=True)
    return _p(largest, observed, complete)


def step_down(observed: Float, null_draws: Float, *, complete: bool = False) -> Float:
    """As ``single_step``, each hypothesis against the maximum over those not more extreme than itself; monotone."""
    order = np.argsort(-observed, kind="stable")
    successive = np.maximum.accumulate(null_draws[:, order[::-1]], axis=1)[:, ::-1]
    adjusted = np.empty(len(observed))
    adjusted[order] = np.maximum.accumulate(_p(successive, observed[order], complete))
    return adjusted


def _p(draws: Float, observed: Float, complete: bool) -> Float:
    exceedances = count(draws, observed, alternative="greater", slack=_SLACK)
    if complete:
        return exceedances / len(draws)
    return np.array([p_from_count(int(h), len(draws)) for h in exceedances])
