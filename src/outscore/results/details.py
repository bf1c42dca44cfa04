"""The details of a report beside a comparison: resampled gains, gains on subsets of the test set, single items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from outscore.base.lazy import dataclass
from outscore.results.declared import Shown

DECIDING = "Items that differ most"
"""The table of the items that a page lists with their texts."""


@dataclass(frozen=True, kw_only=True)
class GainHistogram:
    """How the gain of a pair falls out on resampled test sets.

    Attributes:
        system, baseline, metric: the pair.
        edges: ends of the bins, one more than ``counts``.
        counts: resampled test sets in each bin.
        resampled: the units resampled: ``items`` or ``clusters``; runs stay as they are.
    """

    system: str
    baseline: str
    metric: str
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    resampled: str


@dataclass(frozen=True, kw_only=True)
class SubsetGain:
    """The gain on a subset of the test set, outside the family of the gains on all of it.

    Attributes:
        by: criterion of the subsets: ``length``, or the name of the column of the clusters.
        part: this one, such as ``5–12 words`` or the name of a document.
        n_items: its items.
        gain: there; ``ci``: its interval, which holds together with those of the other subsets by that criterion; None
            where it is undefined.
    """

    system: str
    baseline: str
    metric: str
    by: str
    part: str
    n_items: int
    gain: float
    ci: tuple[float, float] | None


@dataclass(frozen=True, kw_only=True)
class ItemGain:
    """The influence of one item on the gain of a pair.

    Attributes:
        item: its id.
        influence: what it adds to the gain, in the metric's unit: of a mean of items its difference by their number,
            of scores of sums the gain minus what it would be without the item.
        baseline_score, system_score: of the item alone, mean over runs; None where the metric has no such scores.
    """

    system: Annotated[str, Shown("system")]
    baseline: Annotated[str, Shown("baseline")]
    metric: str
    item: Annotated[str, Shown("item")]
    influence: Annotated[float, Shown("influence", "number")]
    baseline_score: float | None
    system_score: float | None


@dataclass(frozen=True, kw_only=True)
class ItemText:
    """One item in words.

    Attributes:
        item: its id; ``labels``: what describes it, such as its document.
        references: texts or gold labels; ``outputs``: of systems, each of its median run.
    """

    item: str
    labels: Mapping[str, str]
    references: tuple[str, ...]
    outputs: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class ItemList:
    """The items that a page lists.

    Attributes:
        gains: the influence of each, in the order in which they are listed.
        texts: of these items, as far as they are known.
        absent: said where there are none; empty where nothing is to be said.
    """

    gains: tuple[ItemGain, ...] = ()
    texts: tuple[ItemText, ...] = ()
    absent: str = ""


@dataclass(frozen=True, kw_only=True)
class Details:
    """All of it.

    Attributes:
        histograms, parts: as far as they could be made.
        items: those that speak most for the system and most against it, for each pair and metric, the largest first.
        texts: of these items, the most influential first, as long as there is room.
        n_clusters_left_out: the smallest clusters, which were too many to be listed.
    """

    histograms: tuple[GainHistogram, ...] = ()
    parts: tuple[SubsetGain, ...] = ()
    items: tuple[ItemGain, ...] = ()
    texts: tuple[ItemText, ...] = ()
    n_clusters_left_out: int = 0
