"""The answer in the other way that a note advises, beside one that clusters or pooled runs make too sure."""

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


def add_otherwise(
    records: Sequence[Pair],
    asked: Compare,
    aligned: Dataset,
    drawn: Resamples,
    compare: Callable[[Dataset, Compare], Comparison],
) -> list[Pair]:
    """The records with what a note leads to on ignored clusters or on runs as items, where it is cheap: few pairs.

    ``compare`` is run again in the other way, all else being equal, so that both answers are corrected alike.
    """
    if drawn.interrupted or len(records) > _MOST_PAIRS:
        return list(records)
    alone = replace(asked, references=None, items=None, history=None, flips=0, posterior=None)
    pooled = any(notes.MULTEVAL_SIZE.code in one.notes for one in records)
    column = None if pooled or drawn.by_metric[0].design.cluster is not None else find_ignored(drawn, aligned)
    if pooled:
        other, code, how = compare(aligned, replace(alone, test="auto")), notes.MULTEVAL_SIZE.code, "--test auto"
    elif column is not None and asked.test == "auto" and all(stats.plain_mean for stats in drawn.by_metric):
        other, code, how = (
            compare(aligned, replace(alone, cluster=column)),
            notes.CLUSTERS_IGNORED.code,
            f"--cluster {column}",
        )
    else:
        return list(records)
    return [
        replace(one, otherwise=Otherwise(note=code, how=how, gain=again.gain, ci=again.ci, p_value=again.p))
        for one, again in zip(records, other.pairs, strict=True)
    ]
