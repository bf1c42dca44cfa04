"""Calibration on test sets that are resampled from the items given, which are taken for all there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError, inflect
from outscore.base.notes import Note
from outscore.base.rng import stream
from outscore.results.study import Finding, Value
from outscore.significance.nulls import DesignUnits
from outscore.significance.statistics import Statistics
from outscore.studies.shared.bins import PairTests, SignProportion, estimate_proportions
from outscore.studies.shared.judging import (
    How,
    compare_pairs,
    compute_gains,
    errors,
    grid_of_p,
    notes_on,
    proportion_row,
    right,
    signs,
    to_array,
)
from outscore.studies.shared.material import Material
from outscore.studies.shared.pools import NormalPool, Pool, bound_proportion

OWN, NORMAL = "law of this pool", "law of a normal pool"
FLAT = {"two-sided": "1 − p/2", "winner": "1 − p"}


def sizes_of(text: str, stats: Statistics) -> list[int]:
    """Units of the test sets from a list such as ``0.1,500``: proportions of all units, or numbers.

    Raises:
        UsageError: no such list, or fewer than two units.
    """
    n = stats.design.n_units
    try:
        given = [float(part) for part in text.split(",")]
    except ValueError:
        given = []
    if not given or any(not (0 < size < 1 or (size >= 2 and size == int(size))) for size in given):
        raise UsageError(f"--sizes {text!r}: expected proportions below 1 or numbers of items from 2 on, as 0.1,500")
    found = [round(size * n) if size < 1 else int(size) for size in given]
    few = next((text for text, size in zip(text.split(","), found, strict=True) if size < 2), None)
    if few is not None:
        raise UsageError(f"--sizes {few}: less than two of {inflect(n, 'unit')}")
    return sorted(set(found))


def run_round(material: Material, stats: Statistics, how: How, size: int, seed: int, number: int) -> dict[str, Any]:
    """p and right signs of every two systems on one resampled test set; whole clusters, strata in proportion."""
    draw = stream(seed, "redrawn test set", number)
    units = [draw.choice(units, n) for units, n in _allot(stats, size)]
    set_ = stats.replace_statistics(*_chosen(stats, np.concatenate(units)))
    p, ahead = compare_pairs(material, set_, how, int(draw.integers(2**31)))
    return {"p": p, "right": right(np.array(ahead), signs(stats)).tolist()}


def _chosen(stats: Statistics, units: Any) -> tuple[list[Float], Any]:
    items, design = DesignUnits(stats.design).chosen(units)
    return [whole[:, items] for whole in stats.items], design


def _allot(stats: Statistics, size: int) -> list[tuple[Any, int]]:
    """The units of each stratum, and how many of them are drawn: in proportion, one at least."""
    strata, n = stats.design.strata_of_units, stats.design.n_units
    return [(units, max(1, round(size * len(units) / n)) if len(strata) > 1 else size) for units in strata]


@dataclass(frozen=True)
class BootstrapTestSets:
    """All test sets of one size under one metric.

    Attributes:
        material: every run a system of its own; ``stats``: the metric on all items.
        how: what was tested; ``size``: units of a test set.
        judged: the tests.
    """

    material: Material
    stats: Statistics
    how: How
    size: int
    judged: PairTests

    @classmethod
    def of(
        cls, material: Material, stats: Statistics, how: How, size: int, rounds: Sequence[Mapping[str, Any]]
    ) -> BootstrapTestSets:
        """From what the cells found."""
        p, agreed = to_array([one["p"] for one in rounds]), np.array([one["right"] for one in rounds])
        return cls(material, stats, how, size, PairTests(len(material.systems), p, agreed, independent=True))

    @property
    def named(self) -> str:
        """As ``(bleu, 500 items)``; the metric only where there are several."""
        return f"({self.stats.name}, {self.where})" if len(self.material.by_metric) > 1 else f"({self.where})"

    @property
    def where(self) -> str:
        """As ``500 items``."""
        return f"{self.size} {'clusters' if self.stats.design.labels is not None else 'items'}"

    @cached_property
    def errors(self) -> Float:
        """Standard error of the gain of every two systems on a test set of this size ``(pairs,)``."""
        n = self.stats.design.n_units
        # that on all units, which are taken for a sample there, and for all there is here
        return errors(self.stats) * float(np.sqrt((n - 1) / self.size))

    @cached_property
    def pool(self) -> Pool | None:
        """The true gains; None where no two systems differ."""
        differ = self.errors > 0
        return Pool.of(compute_gains(self.stats)[differ], self.errors[differ], self.how.claim) if differ.any() else None

    @cached_property
    def normal(self) -> NormalPool | None:
        """A normal law with the same spread of true gains around 0."""
        differ = self.errors > 0
        if not differ.any():
            return None
        spread = float(np.sqrt((compute_gains(self.stats)[differ] ** 2).mean()))
        return NormalPool(spread, self.errors[differ], self.how.claim)

    @cached_property
    def window(self) -> SignProportion:
        """The tests in the window."""
        return self._proportions[-1]

    @cached_property
    def _proportions(self) -> list[SignProportion]:
        masks = [*self.judged.masks(self.how.bins), self.judged.select(self.how.low, self.how.high)]
        return estimate_proportions(self.judged, masks, 1 - self.material.settings.alpha)

    def rows(self) -> list[tuple[Value, ...]]:
        """The bins with their laws: ``share_fields``, normal, own, median p."""
        bins, found = self.how.bins, []
        for number, share in enumerate(self._proportions[:-1]):
            laws = [None if law is None else law.promise(*bins.ends(number)).right for law in (self.normal, self.pool)]
            found.append((*proportion_row(bins.name(number), share), *laws, share.middle))
        return found

    def curves(self) -> list[tuple[Value, ...]]:
        """The laws as curves: name, p, proportion of right signs."""
        at = grid_of_p(self.least, self.how.claim)
        half = 2 if self.how.claim == "two-sided" else 1
        laws = [(OWN, self.pool), (NORMAL, self.normal)]
        found: list[tuple[Value, ...]] = [
            (name, p, law.proportion_at(p)) for name, law in laws if law is not None for p in at
        ]
        return [*found, *((FLAT[self.how.claim], p, 1 - p / half) for p in at)]

    @property
    def least(self) -> float:
        """Where the axis of p begins."""
        known = self.judged.p[~np.isnan(self.judged.p)]
        return float(min([0.01, *known.tolist()]))

    def pool_row(self) -> tuple[Value, ...]:
        """Spread, typical standard error, ratio; the laws at the middle of the window, gains halved and doubled."""
        pool, normal = self.pool, self.normal
        if pool is None or normal is None:
            return (None,) * 7
        typical, middle = float(np.median(normal.errors)), (self.how.low + self.how.high) / 2
        scaled = [replace(pool, d=pool.d * by).proportion_at(middle) for by in (1.0, 0.5, 2.0)]
        return (normal.spread, typical, normal.spread / typical, normal.proportion_at(middle), *scaled)

    def findings(self) -> list[Finding]:
        """The right signs and the tests in the window, beside the law."""
        how, share, pool = self.how, self.window, self.pool
        if pool is None or share.right is None:
            return []
        promise = pool.promise(how.low, how.high)
        of, said = self.named, promise.right
        # over test sets, but no less than of as many independent tests: few tests may all be right
        least = 0.0 if said is None else (said * (1 - said) / share.n) ** 0.5
        error = max(least, share.error or 0.0)
        off = said is not None and abs(share.right - said) > 4 * error
        most = bound_proportion(how.low, how.high, how.claim)
        return [
            Finding(
                what=f"right signs at {how.window} {of}",
                value=share.right,
                kind="share",
                ci=share.ci,
                error=error,
                expected=said,
                verdict="" if said is None else "differs" if off else "agrees",
                reason="more than four standard errors over test sets from the law, which takes the test for a z test"
                if off
                else "",
            ),
            Finding(
                what=f"tests with {how.window} {of}",
                value=share.n / int((~np.isnan(self.judged.p)).sum()),
                kind="share",
                expected=promise.mass,
                reason=f"of z tests in no pool of systems more than {100 * most:.1f}% are expected there",
            ),
        ]

    def notes(self) -> list[Note]:
        """The notes on the tests."""
        return notes_on(self.material, self.how, self.judged.p, self.errors == 0)
