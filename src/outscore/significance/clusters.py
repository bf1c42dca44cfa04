"""How strongly clusters make items depend on each other, and whether somebody forgot them; their t is in ``means``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from shlex import quote

import numpy as np

from outscore.base.arrays import Float
from outscore.base.notes import Note
from outscore.significance.gain import GainContrast
from outscore.significance.means import Clusters, clusters_of
from outscore.significance.notes import CLUSTERS_IGNORED
from outscore.significance.resamples import Resamples
from outscore.significance.statistics import Statistics

CANDIDATES = (
    *("cluster", "document", "doc", "doc_id", "docid", "passage", "repository", "repo", "article", "topic", "dialog"),
    *("dialogue", "conversation", "context", "context_id", "passage_id", "story", "group", "pair", "pair_id"),
)
_SUBSETS = ("group", "topic")
"""Those of them that with few values are subsets, such as genres, and no sample of all there are."""
MATTERS = 1.1

OF_TEST = "the test ignores: p is too small"
OF_INTERVALS = "the intervals ignore: they are too narrow"
OF_PLAN = "the plan ignores: more items are needed"

_ENOUGH_EQUAL = 20
_MOST_NAMED = 3


def unequal(pair: GainContrast) -> Note | None:
    """A note where clusters are so unequal that they count like fewer than 20 equal ones: n²/Σm², m items of each.

    It names those with more than a twentieth of the items, of which there is one at least. Size of a 5 % test by CR2
    t: 8 % with 3 clusters of 100 and 60 of 5, 10 % with 2 of 300 and 100 of 3; 5.6 % with 3 of 50 and 60 of 5, which
    count like 22.5 (intraclass correlation .3, 1,500 sets).
    """
    design = pair.stats.design
    if design.labels is None:
        return None
    alike = design.n_alike
    if alike >= _ENOUGH_EQUAL:
        return None
    sizes, n = np.bincount(design.labels), design.n_items
    large = [i for i in np.argsort(-sizes, kind="stable").tolist() if sizes[i] * _ENOUGH_EQUAL > n]
    names = design.names or tuple(str(i + 1) for i in range(len(sizes)))
    said = ", ".join(f"{names[i]!r} {sizes[i]} ({sizes[i] / n:.0%})".replace("%", " %") for i in large[:_MOST_NAMED])
    more = f" and {len(large) - _MOST_NAMED} more" if len(large) > _MOST_NAMED else ""
    held = "holds" if len(large) == 1 else "hold"
    return Note(
        code="unequal_clusters",
        text=f"{len(large)} of {len(sizes)} clusters {held} {sizes[large].sum()} of {n} items: {said}{more}; all "
        f"together count like {alike:.1f} of equal size, and a 5 % test rejects in 6 to 10 % of cases where there are "
        "fewer than 20 and items in them are alike",
        remedy="collect more clusters, or fewer items of the largest",
    )


def clusters_of_gain(pair: GainContrast) -> Clusters | None:
    """How the gain of a clustered pair varies; None for items that are independent.

    Items of a corpus score enter by their jackknife influence on the gain.
    """
    labels = pair.stats.design.labels
    return None if labels is None else clusters_of(influences_on_gain(pair), labels)


def cluster_effect(pair: GainContrast) -> dict[str, float | int | str | None]:
    """Number of clusters, intraclass correlation, design effect and effective number of items of a clustered pair."""
    found = clusters_of_gain(pair)
    if found is None:
        return {}
    return {
        "n_clusters": found.n_clusters,
        "icc": found.icc,
        "design_effect": found.design_effect,
        "n_effective": found.n_effective,
    }


Contributions = tuple[Float, Mapping[str, Sequence[str]]]
"""The addends of an estimate ``(items,)``, and the columns that describe items."""


def find_clusters(groups: Iterable[Sequence[Contributions]]) -> list[tuple[str, float]]:
    """Columns that name clusters and matter: column and largest design effect, largest first.

    The effect of a group of estimates is the mean of theirs, which errs less the more there are.
    """
    groups = list(groups)
    found = []
    for column in CANDIDATES:
        fewest = _ENOUGH_EQUAL if column in _SUBSETS else 2
        each = [[_design_effect(values, labels.get(column, ()), fewest) for values, labels in of] for of in groups]
        known = [[effect for effect in group if np.isfinite(effect)] for group in each]
        largest = max((float(np.mean(effects)) for effects in known if effects), default=1.0)
        if largest > MATTERS:
            found.append((column, largest))
    return sorted(found, key=lambda f: -f[1])


def find_ignored_clusters(resamples: Resamples, labels: Mapping[str, Sequence[str]]) -> list[tuple[str, float]]:
    """Columns that name clusters, were not used, and matter for a gain: column and design effect, largest first.

    Of all pairs the effect is the mean over systems, each less the mean of all: the largest of so many pairs is large
    by chance, and which system comes first is nothing to it.
    """
    if not any(column in labels for column in CANDIDATES):
        return []
    if not resamples.all_pairs:
        numbers = [(metric, system) for metric in range(len(resamples.by_metric)) for system, _ in resamples.pairs]
        return find_clusters([[(influences_on_gain(GainContrast(resamples, *one)), labels)] for one in numbers])
    each = [np.array([_influences(stats, s) for s in range(len(resamples.systems))]) for stats in resamples.by_metric]
    return find_clusters([[(one, labels) for one in values - values.mean(axis=0)] for values in each])


def _design_effect(values: Float, names: Sequence[str], fewest: int) -> float:
    """NaN where the names tell no clusters, or fewer."""
    clusters = fewest <= len(set(names)) < len(values)
    return clusters_of(values, np.asarray(names, dtype=str)).design_effect if clusters else np.nan


def influences_on_gain(pair: GainContrast) -> Float:
    """``(items,)`` what each item contributes to the gain, whatever the units of resampling are."""
    return _influences(pair.stats, pair.system) - _influences(pair.stats, pair.baseline)


def _influences(stats: Statistics, system: int) -> Float:
    """``(items,)`` what each item contributes to the score of a system."""
    total = (stats.run_scores[system][:, None] - stats.leave_one_out(system)).mean(axis=0)
    return np.asarray(stats.sign * stats.design.n_items * total)


def note_clusters(found: Sequence[tuple[str, float]], what: str = OF_TEST) -> tuple[Note, ...]:
    """A note on the column of clusters that was not used and matters most, if there is one.

    Args:
        found: columns and design effects, the largest first (see ``find_clusters``).
        what: ignores them, and what follows.
    """
    return tuple(
        Note(
            code=CLUSTERS_IGNORED.code,
            text=f"items of one {column!r} are alike (design effect {effect:.2f}), which {what}",
            remedy=f"use --cluster {quote(column)}",
        )
        for column, effect in found[:1]
    )
