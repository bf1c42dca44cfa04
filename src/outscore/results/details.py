"""Names that papers use for tests, corrections and intervals, and the details of a report beside a comparison."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

from outscore.base.lazy import dataclass
from outscore.results.declared import Shown

P_KINDS = {"exact": "exact law", "monte-carlo": "", "saddlepoint": "saddlepoint", "asymptotic": ""}
"""How a p-value was computed, where that is worth a word; an exact law is that of the null hypothesis."""

_TESTS = {
    "t": "paired t",
    "z": "paired z",
    "crossed": "crossed t over runs and items",
    "randomization": "paired randomization",
    "randomization:form=studentized": "paired randomization, studentized",
    "bootstrap": "paired bootstrap",
    "mcnemar": "McNemar",
    "rao": "Rao's score test",
    "mcnemar:variant=midp": "McNemar mid-p",
    "mcnemar:variant=exact": "McNemar, exact",
    "wilcoxon": "Wilcoxon signed ranks",
    "sign": "sign test",
    "runs": "Welch t over runs",
    "multibootstrap": "multi-bootstrap",
    "multeval": "MultEval's stratified randomization",
    "perm-systems": "permutation of systems between metrics",
    "perm-items": "permutation of items between metrics",
    "perm-both": "permutation of outputs between metrics",
    "williams": "Williams",
    "friedman": "Friedman",
    "cochran-q": "Cochran Q",
    "kruskal-wallis": "Kruskal-Wallis",
    "anova": "one-way ANOVA",
    "welch-anova": "Welch ANOVA",
    "student": "Student t",
    "welch": "Welch t",
    "mann-whitney": "Mann-Whitney",
    "brunner-munzel": "Brunner-Munzel",
    "fisher": "Fisher, exact",
    "chi2": "chi-squared",
    "aso": "almost stochastic order",
}

_CORRECTIONS = {
    "bonferroni": "Bonferroni",
    "sidak": "Šidák",
    "holm": "Holm",
    "holm-sidak": "Holm-Šidák",
    "hochberg": "Hochberg",
    "hommel": "Hommel",
    "bh": "Benjamini-Hochberg",
    "by": "Benjamini-Yekutieli",
    "max-t-step-down": "step-down max-T",
    "max-t": "max-T",
    "maxt": "max-T",
}


_IN_CLUSTERS = {
    "t": "cluster-robust t (CR2)",
    "randomization": "randomization of whole clusters",
    "randomization:form=studentized": "randomization of whole clusters, studentized",
    "bootstrap": "bootstrap of whole clusters",
}


def describe_test(name: str, kind: str = "", *, clustered: bool = False) -> str:
    """A test in words, and how its p was computed where that is worth a word."""
    said = _IN_CLUSTERS.get(name, "") if clustered else ""
    said = said or _TESTS.get(name, name)
    extra = P_KINDS.get(kind, kind)
    # a mid-p is enumerated and yet no p of an exact test
    return f"{said} ({extra})" if extra and not re.search("exact|mid-?p", said) else said


def describe_interval(method: str) -> str:
    """An interval as papers call it, which spell BCa with one small letter."""
    return re.sub(r"^bca\b", "BCa", method)


def describe_correction(name: str) -> str:
    """How papers spell a correction."""
    return _CORRECTIONS.get(name.lower().replace("_", "-"), name)


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
