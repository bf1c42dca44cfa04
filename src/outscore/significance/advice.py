"""Facts of the data that bear on the choice of a test: numbers of one pair, and why a test does not suit it.

Nothing here depends on which system is ahead, so that a test can be chosen before anybody knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from outscore.base.arrays import Float
from outscore.base.notes import Note
from outscore.base.registry import is_required, options_of
from outscore.significance import Test, notes
from outscore.significance.clusters import clusters_of_gain
from outscore.significance.crossed import Crossed, crossed_t, run_tables
from outscore.significance.discordant import NOT_EXACT
from outscore.significance.gain import GainContrast

UNPAIRED = Note(
    code="looks_unpaired",
    text="the systems hardly agree on which items are hard (correlation below .05), as if rows did not belong together",
    remedy="check that the files hold the same items in the same order, or give item ids",
)

LOOSE = 0.05
ENOUGH = 30  # units from which a correlation near 0 says something

_OF_THE_OUTCOME = {notes.UNSTABLE.code, notes.SADDLEPOINT.code, NOT_EXACT.code, notes.BCA_FALLBACK.code}
"""Notes that depend on what was found, or say how it was found, not what the data are like."""

EVIDENCE = {
    notes.FEW_ITEMS.code: ("items",),
    notes.UNDER_200.code: ("items",),
    notes.RARE.code: ("different",),
    notes.FEW_DIFFERENCES.code: ("different",),
    notes.SKEWED.code: ("skewness", "items"),
    notes.HEAVY.code: ("top_share",),
    notes.FEW_CLUSTERS.code: ("clusters",),
    notes.FEW_RUNS.code: ("runs",),
    notes.NOT_A_MEAN_TEST.code: ("skewness", "different"),
    notes.TEST_IGNORES_CLUSTERS.code: ("clusters", "icc", "design_effect"),
    notes.ITEMS_ONLY.code: ("runs", "share_of_variance_from_runs"),
    notes.RUNS_ONLY.code: ("items", "share_of_variance_from_runs"),
    notes.MULTEVAL_SIZE.code: ("runs",),
    notes.UNATTAINABLE.code: ("smallest_p", "different"),
    notes.TEST_IGNORES_STRATA.code: ("strata",),
}
"""The facts that stand behind a note."""

MEANING = {
    "items": "items that all systems answered",
    "clusters": "clusters, the units that count as independent",
    "icc": "intraclass correlation of the differences within clusters",
    "design_effect": "items count for so many times fewer, as those of a cluster go together",
    "strata": "strata, from which a bootstrap resamples fixed numbers",
    "runs": "runs of a system",
    "share_of_variance_from_runs": "variance of runs over that of runs and items; both hold their interaction",
    "different": "units (items or clusters) on which the systems differ at all; the others tell nothing",
    "skewness": "skewness of the differences, without its sign; a t-test asks for 25 times its square in items",
    "top_share": "proportion of the sum of squared differences that the largest 1 % of the units hold",
    "correlation": "correlation of the systems over the units: pairing uses it",
    "paired_variance": "variance of a paired difference over that of an unpaired one: what ignoring the pairing costs",
    "smallest_p": "smallest p-value that the test could give on these data",
}
"""The meaning of each number, in words."""


def kind_of(pair: GainContrast) -> str:
    """The sort of score that the metric is, in words."""
    if not pair.stats.of_sums:
        return "a score of a ranking of all items"
    if pair.binary:
        return "right or wrong on each item"
    if not pair.stats.plain_mean:
        return "a corpus score, no mean of items" if pair.stats.ratio is None else "a ratio of sums, no mean of items"
    return "a mean of items on a grid" if bool(pair.stats.exact[0]) else "a mean of real numbers"


def facts_of(pair: GainContrast) -> Iterator[tuple[str, float]]:
    """Names and numbers, the same for either order of the systems."""
    yield "items", pair.n_items
    clusters = clusters_of_gain(pair)
    if clusters is not None:
        numbers = {"clusters": clusters.n_clusters, "icc": clusters.icc, "design_effect": clusters.design_effect}
        yield from ((name, value) for name, value in numbers.items() if np.isfinite(value))
    if pair.stratified:
        yield "strata", len(pair.stats.design.strata_of_units)
    if pair.has_runs:
        yield from (("runs", runs) for runs in pair.n_runs)
        if Crossed().refuses(pair) is None and not pair.identical and pair.n_units > 1:
            share = crossed_t(*run_tables(pair)).share_runs
            if np.isfinite(share):
                yield "share_of_variance_from_runs", share
    yield "different", pair.n_different
    if pair.n_units > 2 and not pair.identical:
        yield from _shape(pair)


def warnings_of(pair: GainContrast, found: Sequence[Note]) -> Iterator[Note]:
    """The notes of a test that say something of these data, whatever the outcome."""
    yield from (n for n in found if n.code not in _OF_THE_OUTCOME and not n.code.startswith("auto_"))


def looks_unpaired(correlations: Sequence[float], n_units: int) -> bool:
    """Whether the rows of the systems look as if they did not belong together."""
    return n_units >= ENOUGH and bool(correlations) and max(correlations) < LOOSE


def required_options(test: type[Test]) -> str:
    """Names of the options that a test needs and no data tell, as z its standard deviation; empty for most tests."""
    return ", ".join(option.name for option in options_of(test) if is_required(option))


def _shape(pair: GainContrast) -> Iterator[tuple[str, float]]:
    """How the differences are distributed, by units; those of a corpus score are of jackknife pseudo-values."""
    n = pair.n_units
    d = n * pair.gain - (n - 1) * pair.without_units
    spread = float(d.std())
    if spread <= pair.slack:
        return
    yield "skewness", abs(float(np.mean(((d - d.mean()) / spread) ** 3)))
    squares = np.sort(d**2)[::-1]
    yield "top_share", float(squares[: max(1, n // 100)].sum() / squares.sum())
    a, b = (_sum_by_unit(pair, s) for s in (pair.system, pair.baseline))
    both = float(a.var() + b.var())
    if a.std() > 0 and b.std() > 0:
        yield "correlation", float(np.corrcoef(a, b)[0, 1])
        yield "paired_variance", spread**2 / both


def _sum_by_unit(pair: GainContrast, system: int) -> Float:
    return np.asarray(pair.stats.pseudo_values[system].mean(axis=0))
