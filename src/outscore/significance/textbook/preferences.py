"""Wins and losses between systems (Koehn 2012; Bojar et al. 2013)."""

from __future__ import annotations

import numpy as np

from outscore.base.arrays import Float


def expected_wins(wins: Float) -> Float:
    """Expected wins ``(..., systems)``: the mean over the other systems of wins over wins and losses (Koehn 2012).

    Pairs without a decided judgment are left out; NaN where a system has no other pair.

    Args:
        wins: ``(..., systems, systems)``, how often the row is preferred to the column.
    """
    shares = win_shares(wins)
    known = np.isfinite(shares)
    number = known.sum(axis=-1)
    found = np.full(number.shape, np.nan)
    np.divide(np.where(known, shares, 0.0).sum(axis=-1), number, out=found, where=number > 0)
    return found


def win_shares(wins: Float) -> Float:
    """Wins over wins and losses ``(..., systems, systems)``; NaN where there are neither, and on the diagonal."""
    decided = wins + np.swapaxes(wins, -1, -2)
    shares = np.full(wins.shape, np.nan)
    np.divide(wins, decided, out=shares, where=decided > 0)
    diagonal = np.arange(wins.shape[-1])
    shares[..., diagonal, diagonal] = np.nan
    return shares
