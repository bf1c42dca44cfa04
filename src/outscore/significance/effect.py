"""Effect sizes: how large a gain is, whatever its p-value."""

from __future__ import annotations

import math

import numpy as np

from outscore.significance.experiment import PairedComparison
from outscore.significance.textbook.student import cohen_dz, hedges_gz

Effect = dict[str, float | int | str | None]


def standard_effect(pair: PairedComparison) -> Effect:
    """Counts of wins, losses and ties where items have scores of their own, and the gain in standard deviations.

    ``d_z`` is the mean difference over the standard deviation of the differences; for a corpus score the differences
    are those of jackknife pseudo-values, so it is the gain over its jackknife error times the root of n.
    """
    if not pair.panel.plain_mean:
        return _corpus_effect(pair)
    d = pair.differences
    effect: Effect = {"wins": int((d > 0).sum()), "losses": int((d < 0).sum()), "ties": int((d == 0).sum())}
    if len(d) > 1 and np.ptp(d) > 0:
        effect |= {"d_z": cohen_dz(d), "hedges_gz": hedges_gz(d)}
    return effect


def _corpus_effect(pair: PairedComparison) -> Effect:
    n = pair.n_units
    effect: Effect = {"n_different": pair.n_different}
    if n > 1:
        error = math.sqrt((n - 1) * float(pair.without_units.var()))
        if error > pair.slack:
            effect |= {"d_z": pair.gain / (error * math.sqrt(n)), "se_jackknife": error}
    return effect
