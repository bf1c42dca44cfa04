"""Confidence sequence of the gain of bounded scores, by betting against every gain that it might be."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.lazy import dataclass
from outscore.significance.sequential import ConfidenceSequence, Path

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)
STAKES: Float = (1 + _NODES) / 2
"""Proportions of the most that may be staked; with ``SHARES`` of the capital they stand for a uniform law on (0, 1)."""
SHARES: Float = _WEIGHTS / 2

_STEPS = 5000  # candidates on either side of 0
_EVERY = 200  # up to so many units candidates are tried after each of them, then whenever 1/200 more have come
_PIECE = 4096
_SLACK = 1e-12  # of the reach: rounding in sums of decimals
_FACTORS = 64  # products of more would leave the range of floats


class Betting(ConfidenceSequence):
    """Hedged capital, mixed over stakes (Waudby-Smith & Ramdas 2024, Theorem 3, with their diversified Kelly bets).

    Against each candidate m for the mean of x in [0, 1] someone bets that the mean is above, and someone that it is
    below; with the stake c in (0, 1) the first multiplies the capital by 1 + c (x / m - 1) on each item. Under m no
    stakes make the capital grow, so it ever reaches 2 / alpha with probability alpha / 2 at most (Ville 1939), for any
    number of items. The capital is spread over stakes once for all; for right-or-wrong items and a gain of 0 this is
    the beta-binomial mixture of the discordant items, on either side of one half.

    The mean of both capitals does not grow under m either: against 0 it is the e-value, and a mark is excluded where
    it reaches 1 / alpha. It is convex in m, and at the gain so far neither capital is above 1, so that all gains
    beyond the mark are excluded with it. The ends ask 2 / alpha of the larger capital alone: the other is then below 1.

    A cluster is one bet on its sum: 1 + c (sum / m - size) / largest. Items drawn without replacement are bets on the
    mean of those that are left (their §5).

    Args:
        alpha: level of the whole sequence, half of it on each side.
        reach: no difference is larger, either way.
        marks: ``(marks,)`` gains to decide about, which are tried after every unit; the first is 0.
        largest: items in the largest cluster that can come.
        population: items of the whole test set, where the gain on that set is meant; None for new items.
        steps: candidates on either side of 0 that the ends are read off from; 0 for the marks alone.
    """

    name: ClassVar[str] = "betting"
    kind: ClassVar[str] = "exact"
    citation: ClassVar[str] = "Waudby-Smith & Ramdas 2024"

    def __init__(
        self,
        *,
        alpha: float,
        reach: float,
        marks: Float,
        largest: int = 1,
        population: int | None = None,
        steps: int = _STEPS,
    ) -> None:
        self._reach, self._largest, self._marks = reach, largest, marks
        self._whole = None if population is None else population / largest
        self._threshold = math.log(2 / alpha)
        inner = np.arange(1 - steps, steps) * reach / max(steps, 1)
        # the baseline's side sees all of it mirrored
        self._grids = [self._capital(inner), self._capital(inner)]
        self._tried = [self._capital(marks), self._capital(-marks)]
        self._pending = _ScaledUnits.none()
        self._done, self._next, self._sum, self._weight = 0, 1, 0.0, 0.0
        self._ends = np.array([-reach, -reach])
        self._known = np.zeros((2, len(marks)), dtype=bool)

    def _capital(self, gains: Float) -> _Capital:
        return _Capital(gains, (gains + self._reach) / (2 * self._reach), np.zeros((len(STAKES), len(gains))))

    def _add_units(self, sums: Float, sizes: Float) -> Path:
        cuts = range(_PIECE, max(len(sums), 1), _PIECE)
        return Path.joined([self._piece(*p) for p in zip(np.split(sums, cuts), np.split(sizes, cuts), strict=True)])

    def _piece(self, sums: Float, sizes: Float) -> Path:
        weights = sizes / self._largest
        values = (sums / self._largest + weights * self._reach) / (2 * self._reach)
        totals = self._sum + np.cumsum(values)
        seen = self._weight + np.cumsum(weights)
        units = _ScaledUnits(values, weights, totals - values, seen - weights)
        sides = (units, units.mirrored)
        capitals = [_follow(tried, side, self._whole) for tried, side in zip(self._tried, sides, strict=True)]
        gained = 2 * self._reach * totals - seen * self._reach
        # what the items that are left cannot undo
        left = np.inf if self._whole is None else (self._whole - seen) * self._reach
        sure = np.stack([gained - left, -gained - left]) / (self._whole or 1)
        marks = np.stack([self._marks, -self._marks])[:, None, :]
        both = np.logaddexp(*capitals)
        larger = np.stack([capitals[0] >= capitals[1], capitals[0] < capitals[1]])
        known = (larger & (both >= self._threshold)) | (sure[:, :, None] > marks + _SLACK * self._reach)
        known = np.logical_or.accumulate(np.concatenate([self._known[:, None], known], axis=1), axis=1)[:, 1:]
        best = np.where(known, marks, -self._reach).max(axis=2)
        low, high = np.maximum.reduce([self._grid_ends(units), best, sure]) * [[1], [-1]]
        if len(sums):
            self._known, self._sum, self._weight = known[:, -1], float(totals[-1]), float(seen[-1])
        return Path(
            gain=gained / seen,
            low=low,
            high=high,
            # a gain of 0 that the items that are left cannot bring back has no chance at all
            log_e=np.where((sure > _SLACK * self._reach).any(axis=0), np.inf, both[:, 0] - math.log(2)),
            above=known[0],
            below=known[1],
        )

    def _grid_ends(self, units: _ScaledUnits) -> Float:
        """``(2, b)`` largest candidates that both sides have excluded, mirrored for the second."""
        if not any(side.gains.size for side in self._grids):
            return np.repeat(self._ends[:, None], len(units.values), axis=1)
        found = np.empty((2, len(units.values)))
        start = 0
        while start < len(units.values):
            stop = min(start + self._next - self._done, len(units.values))
            self._pending = self._pending.join(units.part(start, stop))
            self._done += stop - start
            found[:, start:stop] = self._ends[:, None]
            if self._done == self._next:
                self._try_candidates()
                found[:, stop - 1] = self._ends
                self._next += max(1, self._done // _EVERY)
            start = stop
        return found

    def _try_candidates(self) -> None:
        pending, self._pending = self._pending, _ScaledUnits.none()
        for number, units in enumerate((pending, pending.mirrored)):
            side = self._grids[number]
            if not side.gains.size:
                continue
            side.settle(units, self._whole)
            over = side.reaching(self._threshold)
            if over.size:
                self._ends[number] = max(self._ends[number], over[-1])
        low, high = self._ends[0], -self._ends[1]
        for side, (least, most) in zip(self._grids, ((low, high), (-high, -low)), strict=True):
            side.keep((side.gains > least) & (side.gains < most))


@dataclass(frozen=True)
class _ScaledUnits:
    """Units on the scale 0 to 1: sums and weights ``(b,)``, and the sums and weights of all before each of them."""

    values: Float
    weights: Float
    sums: Float
    seen: Float

    @classmethod
    def none(cls) -> _ScaledUnits:
        return cls(*np.empty((4, 0)))

    @property
    def mirrored(self) -> _ScaledUnits:
        return _ScaledUnits(self.weights - self.values, self.weights, self.seen - self.sums, self.seen)

    def part(self, start: int, stop: int) -> _ScaledUnits:
        return _ScaledUnits(*(a[start:stop] for a in (self.values, self.weights, self.sums, self.seen)))

    def join(self, other: _ScaledUnits) -> _ScaledUnits:
        if not len(self.values):
            return other
        mine, theirs = ((u.values, u.weights, u.sums, u.seen) for u in (self, other))
        return _ScaledUnits(*(np.concatenate(pair) for pair in zip(mine, theirs, strict=True)))

    def returns(self, means: Float, whole: float | None) -> Float:
        """``(b, m)`` what a bet of everything on more than each of ``means`` brings on each unit, -1 at the least."""
        if whole is None:
            return np.asarray(self.values[:, None] / means - self.weights[:, None])
        left = (whole * means - self.sums[:, None]) / np.maximum(whole - self.seen, 1e-12)[:, None]
        # a mean that the units before have ruled out, or leave nothing for, is not bet on
        open_ = left > 1e-9
        return np.where(open_, self.values[:, None] / np.where(open_, left, 1.0) - self.weights[:, None], 0.0)


@dataclass
class _Capital:
    """Log capital of the bets ``(stakes, m)`` that the gain is above each of ``gains (m,)``; ``means`` as 0 to 1."""

    gains: Float
    means: Float
    logs: Float

    def reaching(self, threshold: float) -> Float:
        """The gains against which the log of the whole capital is so large."""
        # no mix is larger than its largest part, and few come near
        near = self.logs.max(axis=0) >= threshold - _SLACK
        return self.gains[near][_mix(self.logs[:, near]) >= threshold] if near.any() else self.gains[:0]

    def settle(self, units: _ScaledUnits, whole: float | None) -> None:
        """Pays out the bets on some units."""
        for start in range(0, len(units.values), _FACTORS):
            returns = units.part(start, start + _FACTORS).returns(self.means, whole)
            self.logs += np.log(np.prod(1 + STAKES[:, None, None] * returns, axis=1))

    def keep(self, which: Bool) -> None:
        """Forgets all other candidates."""
        self.gains, self.means, self.logs = self.gains[which], self.means[which], self.logs[:, which]


def _follow(capital: _Capital, units: _ScaledUnits, whole: float | None) -> Float:
    """``(b, m)`` log of the whole capital after each unit, which is then the capital."""
    returns = units.returns(capital.means, whole)
    logs = capital.logs[:, None, :] + np.cumsum(np.log1p(STAKES[:, None, None] * returns), axis=1)
    if len(units.values):
        capital.logs = logs[:, -1]
    return _mix(logs)


def _mix(logs: Float) -> Float:
    """Log of the capital over all stakes ``(stakes, ...)``, which began with ``SHARES`` of 1."""
    most = logs.max(axis=0)
    return np.asarray(most + np.log(np.tensordot(SHARES, np.exp(logs - most), axes=1)))
