"""The interval of a gain between independent samples, where the test brings none, and outcomes that tests share."""

from __future__ import annotations

import numpy as np

from outscore.base.notes import Note
from outscore.significance import Outcome, notes
from outscore.significance.independent import IndependentSamples
from outscore.significance.independent.notes import CONSTANT_SAMPLES, SKEWED_SAMPLES
from outscore.significance.means import welch
from outscore.significance.proportions import newcombe

Found = tuple[tuple[float, float] | None, str, tuple[Note, ...]]


def gain_interval(samples: IndependentSamples) -> Found:
    """Interval of a gain at level 1 - alpha, its name, and what must be said of it: Newcombe's, else Welch's t."""
    level = samples.settings.coverage
    if samples.binary:
        (right, base), (n, m) = samples.right, samples.sizes
        return newcombe(right, n, base, m, level), "Newcombe score interval", ()
    if min(samples.sizes) < 2:
        return None, "undefined", ()
    found = welch(samples.system, samples.baseline, level=level)
    if found.degenerate:
        same = found.degenerate == "identical_outputs"
        return (samples.gain, samples.gain), "degenerate", () if same else (CONSTANT_SAMPLES,)
    return (found.low, found.high), "Welch t interval", ()


def indifferent(p_kind: str) -> Outcome:
    """The outcome where there is nothing to test."""
    return Outcome(p_value=1.0, p_kind=p_kind, p_min=1.0, notes=(notes.IDENTICAL,))


def shape_notes(samples: IndependentSamples) -> tuple[Note, ...]:
    """A warning about samples whose means a test judges badly: skewed for their size (Cochran's rule)."""
    for values in (samples.system, samples.baseline):
        spread = float(values.std())
        if spread > 0 and values.size < 25 * float(np.mean(((values - values.mean()) / spread) ** 3)) ** 2:
            return (SKEWED_SAMPLES,)
    return ()
