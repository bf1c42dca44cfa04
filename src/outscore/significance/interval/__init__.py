"""Named confidence intervals of gains and of scores, in families; ``confidence`` says which is the default.

An interval sees an ``Contrast``: a gain or a score, its units, runs and resamples. It says what it covers, when it is
the right one, and which estimates it refuses and why.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Literal

from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.registry import Registry, spell
from outscore.significance import notes
from outscore.significance.contrast import Contrast
from outscore.significance.resamples import DrawRequest

Covers = Literal["gain", "score", "both"]

Found = tuple[tuple[float, float] | None, str, tuple[Note, ...]]
"""An interval, or None where it is undefined; its name; and what must be said of it."""

UNDEFINED: Found = (None, "undefined", ())


@dataclass(frozen=True)
class IntervalMethod(ABC):
    """One named kind of interval, at level 1 - alpha unless it says otherwise.

    Class attributes:
        covers: ``gain``, ``score`` or ``both``.
        of_counts: it counts right and wrong items, and says something even where nothing varies.
        joint: it covers all gains, or all scores, of a comparison at once by itself.
        cautions: what must be said of it wherever it is shown.
        formula: what is computed; empty where an interval of another package says nothing.
        applies: when it is the right one, and what it assumes.
        needs: what the data must hold for it.
        citation: the source.
        also: what others call it, see ``Registry``.
    """

    name: ClassVar[str]
    covers: ClassVar[Covers] = "both"
    of_counts: ClassVar[bool] = False
    joint: ClassVar[bool] = False
    cautions: ClassVar[tuple[Note, ...]] = ()
    formula: ClassVar[str] = ""
    applies: ClassVar[str]
    needs: ClassVar[str]
    citation: ClassVar[str]
    also: ClassVar[tuple[str, ...]] = ()

    @property
    def label(self) -> str:
        """Its name with the options that differ from the defaults."""
        return spell(self)

    def holds_runs(self, estimate: Contrast) -> bool:
        """Whether it takes several runs as fixed, so that it speaks of these trained models only."""
        return max(estimate.n_runs) > 1

    def refuses(self, estimate: Contrast) -> str | None:
        """Why it cannot be had for this estimate, with what to use instead; None if it can, as by default."""
        return None

    def refuses_strata(self, estimate: Contrast, instead: str) -> str | None:
        """The refusal of strata by an interval whose formula has one variance of all items."""
        if not estimate.stratified:
            return None
        return f"{self.name} takes items as drawn from all strata together; use --interval {instead}"

    def refuses_all_but_sums(self, estimate: Contrast) -> str | None:
        """The refusal of scores that are no function of sums over items, which have no derivative by an item."""
        if estimate.stats.of_sums:
            return None
        return f"{self.name} needs a score of sums, which {estimate.stats.name} is not; use --interval jackknife"

    def compute(self, estimate: Contrast) -> Found:
        """The interval of an estimate that is not refused; what it needs drawn is drawn, unless it was before."""
        if not self.of_counts and estimate.identical:
            return (0.0, 0.0), "degenerate", ()
        if not self.of_counts and estimate.n_units < 2:
            return UNDEFINED
        ends, method, said = self.find(estimate.drawing(self.draws(estimate)))
        return ends, method, (*said, *self.cautions)

    def needed(self, estimate: Contrast) -> Sequence[DrawRequest]:
        """The draws for an estimate, whose interval may be one that needs nothing."""
        alike = estimate.identical or estimate.n_units < 2
        return () if alike and not self.of_counts else self.draws(estimate)

    def draws(self, estimate: Contrast) -> Sequence[DrawRequest]:
        """The draws that it needs for an estimate that varies, or might."""
        return ()

    @abstractmethod
    def find(self, estimate: Contrast) -> Found:
        """The interval of an estimate that varies, or might, from what was drawn."""


def finite(low: float, high: float, method: str, *said: Note) -> Found:
    """The ends with their name and notes, or ``UNDEFINED``."""
    return ((low, high), method, said) if math.isfinite(low) and math.isfinite(high) else UNDEFINED


def constant(estimate: Contrast) -> Found:
    """The interval of what is the same whichever units are drawn: one point, flagged."""
    said = (notes.ZERO_VARIANCE,) if estimate.what == "gain" else ()
    return (estimate.value, estimate.value), "degenerate", said


_FAMILIES = {
    "proportions": "wald wilson clopper-pearson jeffreys agresti-coull newcombe tango bonett-price",
    "bootstrap": "percentile basic bca studentized normal max-t oconnor",
    "student": "t delta jackknife logit",
}

intervals: Registry[IntervalMethod] = Registry(
    "interval",
    "outscore.significance.interval",
    "outscore.intervals",
    families={name: module for module, names in _FAMILIES.items() for name in names.split()},
    elsewhere=dict.fromkeys(
        ("hdi", "credible", "hpd", "posterior"), "credible intervals are made by outscore compare --posterior auto"
    ),
)
interval = intervals.register
