"""The interval of a gain between independent samples, where the test brings none, and outcomes that tests share."""

from __future__ import annotations

import numpy as np

from outscore.base.notes import Note
from outscore.significance import Outcome, notes
from outscore.significance.independent import IndependentSamples
from outscore.significance.independent.notes import CONSTANT_SAMPLES, SKEWED_SAMPLES
from outscore.significance.textbook.proportions import newcombe
from outscore.significance.textbook.student import TTest, welch

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


def t_outcome(found: TTest, method: str, said: tuple[Note, ...] = ()) -> Outcome:
    """The outcome of a t-test of two samples; none where there is no variance to judge by.

    Args:
        said: notes on the samples.
    """
    if found.degenerate == "n_too_small":
        return Outcome(p_value=None, p_kind="asymptotic", notes=(notes.TOO_FEW,))
    constant = found.degenerate == "zero_variance"
    return Outcome(
        p_value=None if constant else found.p,  # that of an infinite t would be 0, however few the numbers
        p_kind="asymptotic",
        effect={"statistic": None if constant else found.statistic, "df": found.df, "se": found.se},
        ci=(found.low, found.high),
        ci_method="degenerate" if constant else method,
        notes=(CONSTANT_SAMPLES,) if constant else said,
    )
