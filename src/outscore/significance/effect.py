"""Effect sizes: how large a gain is, whatever its p-value."""

from __future__ import annotations

import math

import numpy as np

from outscore.base.arrays import Float
from outscore.significance.gain import GainContrast

Effect = dict[str, float | int | str | None]


def standard_effect(pair: GainContrast) -> Effect:
    """Counts of wins, losses and ties where items have scores of their own, and the gain in standard deviations.

    ``d_z`` is the mean difference over the standard deviation of the differences; for a corpus score the differences
    are those of jackknife pseudo-values, so it is the gain over its jackknife error times the root of n.
    """
    if not pair.stats.plain_mean:
        return _corpus_effect(pair)
    d = pair.differences
    effect: Effect = {"wins": int((d > 0).sum()), "losses": int((d < 0).sum()), "ties": int((d == 0).sum())}
    if len(d) > 1 and np.ptp(d) > 0:
        effect |= {"d_z": cohen_dz(d), "hedges_gz": hedges_gz(d)}
    return effect


def _corpus_effect(pair: GainContrast) -> Effect:
    n = pair.n_units
    effect: Effect = {"n_different": pair.n_different}
    if n > 1:
        error = math.sqrt((n - 1) * float(pair.without_units.var()))
        if error > pair.slack:
            effect |= {"d_z": pair.gain / (error * math.sqrt(n)), "se_jackknife": error}
    return effect


def cohen_dz(differences: Float) -> float:
    """Standardised mean difference of pairs, d̄/s with ddof 1; NaN if it is undefined (n < 2, or no variance)."""
    sd = float(differences.std(ddof=1)) if differences.size > 1 else math.nan
    return float(differences.mean()) / sd if sd > 0 else math.nan


def hedges_gz(differences: Float) -> float:
    """d_z times J(n - 1), which makes it unbiased under normality (Hedges 1981); NaN for n < 3."""
    return cohen_dz(differences) * hedges_j(differences.size - 1) if differences.size > 2 else math.nan


def hedges_j(df: int) -> float:
    """J(m) = Γ(m/2) / (√(m/2) Γ((m - 1)/2)), exactly."""
    from scipy import special

    return math.exp(float(special.gammaln(df / 2) - special.gammaln((df - 1) / 2))) / math.sqrt(df / 2)
