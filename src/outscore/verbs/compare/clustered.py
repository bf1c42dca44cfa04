"""The answer with clusters, beside one that ignored them although they matter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from outscore.data.dataset import Dataset
from outscore.results import Comparison
from outscore.results.pairs import Otherwise, Pair
from outscore.significance import notes
from outscore.significance.resamples import Resamples
from outscore.verbs.compare import Compare
from outscore.verbs.shared.judged import find_ignored

_MOST_PAIRS = 6
"""Pairs of which this is computed; a line of a note holds no more."""


def add_clustered(
    records: Sequence[Pair],
    asked: Compare,
    aligned: Dataset,
    drawn: Resamples,
    compare: Callable[[Dataset, Compare], Comparison],
) -> list[Pair]:
    """The records with what a note on ignored clusters leads to, where it is cheap: few pairs, means of items.

    ``compare`` is run again with the clusters, all else being equal, so that both answers are corrected alike.
    """
    used = drawn.interrupted or drawn.by_metric[0].design.cluster is not None
    column = None if used else find_ignored(drawn, aligned)
    cheap = len(records) <= _MOST_PAIRS and all(stats.plain_mean for stats in drawn.by_metric)
    if column is None or not cheap or asked.test != "auto":
        return list(records)
    other = compare(aligned, replace(asked, cluster=column, references=None, items=None, history=None, details=False))
    return [
        replace(one, otherwise=Otherwise(
            note=notes.CLUSTERS_IGNORED.code, how=f"--cluster {column}", gain=again.gain, ci=again.ci, p_value=again.p,
        ))
        for one, again in zip(records, other.pairs, strict=True)
    ]  # fmt: skip
