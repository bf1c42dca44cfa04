"""Words and n-grams of the references that one system has right more often than the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.notation import TEXT
from outscore.base.rng import stream
from outscore.data.dataset import Dataset
from outscore.engine.design import Design
from outscore.metrics.shared.ngrams import cut_13a
from outscore.results.overall import WordGain, WordGains
from outscore.significance.settings import Settings

_LONGEST = 4
_FEWEST_ITEMS = 5
"""Items whose references have an n-gram; and units in which systems differ, as fewer cannot reach a level of .05."""
_BLOCK = 500
_SAME = 1 - 1e-9

Counts = Sequence[Counter[str]]


def word_gains(data: Dataset, design: Design, baseline: int, settings: Settings, most: int) -> tuple[WordGains, ...]:
    """For each system the n-grams of which it has more, or fewer, right than the baseline; ``most`` of them.

    An n-gram of an output is right as often as a reference has it (Papineni et al. 2002), on the mean over runs. The
    sign of the difference is flipped for whole items, or clusters, which gives the joint law of all n-grams of a pair.

    Raises:
        UsageError: there are no texts, or no references.
    """
    if data.notation != TEXT or not data.references or any(one.outputs is None for one in data.by_run.values()):
        raise UsageError("--show-words needs texts and references: give texts, and -r")
    references = [_unite(map(_count, of_item)) for of_item in zip(*data.references, strict=True)]
    seen = Counter(ngram for counts in references for ngram in counts)
    frequent = {ngram: place for place, ngram in enumerate(sorted(g for g, n in seen.items() if n >= _FEWEST_ITEMS))}
    matches = [_match(data, system, references, frequent) for system in data.systems]
    totals = np.zeros(len(frequent))
    for counts in references:
        for ngram, count in counts.items():
            if ngram in frequent:
                totals[frequent[ngram]] += count
    found = []
    for s, system in enumerate(data.systems):
        if s != baseline:
            who = system, data.systems[baseline]
            found.append(_compare(who, matches[s], matches[baseline], list(frequent), totals, design, settings, most))
    return tuple(found)


def _count(text: str) -> Counter[str]:
    """The n-grams of a text, up to four words."""
    words = cut_13a(text)
    return Counter(
        " ".join(words[start : start + order])
        for order in range(1, _LONGEST + 1)
        for start in range(len(words) - order + 1)
    )


def _unite(counts: Iterable[Counter[str]]) -> Counter[str]:
    """Each n-gram as often as the text has it that has it most often."""
    united: Counter[str] = Counter()
    for one in counts:
        united |= one
    return united


def _match(data: Dataset, system: str, references: Counts, frequent: dict[str, int]) -> dict[tuple[int, int], float]:
    """How often an output has an n-gram right, by item and n-gram; where it does, on the mean over runs."""
    found: dict[tuple[int, int], float] = {}
    runs = data.runs[system]
    for run in runs:
        for i, (text, wanted) in enumerate(zip(data.by_run[system, run].outputs or (), references, strict=True)):
            for ngram, count in (_count(text) & wanted).items():
                if ngram in frequent:
                    key = i, frequent[ngram]
                    found[key] = found.get(key, 0.0) + count / len(runs)
    return found


def _compare(
    who: tuple[str, str],
    ours: dict[tuple[int, int], float],
    theirs: dict[tuple[int, int], float],
    ngrams: Sequence[str],
    totals: Float,
    design: Design,
    settings: Settings,
    most: int,
) -> WordGains:
    """The n-grams of one pair by the size of their statistics, with p-values and intervals that hold together."""
    from scipy import sparse

    keys = sorted(ours.keys() | theirs.keys())
    items, places = np.array(keys, dtype=np.int64).reshape(-1, 2).T
    values = np.array([ours.get(key, 0.0) - theirs.get(key, 0.0) for key in keys])
    units = items if design.labels is None else design.labels[items]
    table: Any = sparse.csr_matrix((values, (places, units)), shape=(len(ngrams), design.n_units))
    table.eliminate_zeros()
    tested = np.flatnonzero(np.diff(table.indptr) > _FEWEST_ITEMS)
    table = table[tested]
    sums = np.asarray(table.sum(axis=1)).ravel()
    squares = np.asarray(table.multiply(table).sum(axis=1)).ravel()
    errors = np.sqrt(squares)
    statistics = sums / errors
    largest = np.sort(np.concatenate([*_flip(table, errors, settings)])) if len(tested) else np.zeros(0)
    exceeded = len(largest) - np.searchsorted(largest, np.abs(statistics) * _SAME)
    adjusted = (exceeded + 1) / (len(largest) + 1)
    reach = _find_critical(largest, settings.alpha) * errors
    right = np.zeros((2, len(ngrams)))
    for side, matched in enumerate((ours, theirs)):
        for (_, place), count in matched.items():
            right[side, place] += count
    order = np.lexsort((tested, -np.abs(statistics)))
    better, worse = (order[(adjusted[order] <= settings.alpha) & (side * sums[order] > 0)] for side in (1, -1))
    half = max((most + 1) // 2, most - len(worse))
    shown = [*better[:half], *worse[: most - min(half, len(better))]]
    shown += [k for k in order if k not in shown][: most - len(shown)]
    order = order[np.isin(order, shown)]
    return WordGains(
        system=who[0],
        baseline=who[1],
        n_tested=len(tested),
        n_better=int(((adjusted <= settings.alpha) & (sums > 0)).sum()),
        n_worse=int(((adjusted <= settings.alpha) & (sums < 0)).sum()),
        words=tuple(
            WordGain(
                system=who[0],
                baseline=who[1],
                words=ngrams[tested[k]],
                n_references=round(totals[tested[k]]),
                baseline_right=float(right[1, tested[k]]),
                system_right=float(right[0, tested[k]]),
                gain=float(sums[k] / totals[tested[k]]),
                ci=(
                    max(-1.0, float((sums[k] - reach[k]) / totals[tested[k]])),
                    min(1.0, float((sums[k] + reach[k]) / totals[tested[k]])),
                ),
                p_adjusted=float(adjusted[k]),
            )
            for k in order
        ),
    )


def _find_critical(largest: Float, alpha: float) -> float:
    """The size of a statistic above which its p is at most alpha, from the sorted largest of permuted test sets.

    Intervals reach by so many of the standard errors that p is computed with, so that the two never disagree.
    """
    reached = np.arange(1, len(largest) + 1) / (len(largest) + 1)
    allowed = int((reached <= alpha).sum())
    return float(largest[-allowed]) / _SAME if allowed else np.inf


def _flip(table: Any, scale: Float, settings: Settings) -> Iterator[Float]:
    """The largest statistic of all n-grams, of permuted test sets: all of a unit has another sign."""
    for block, start in enumerate(range(0, settings.n_resamples, _BLOCK)):
        generator = stream(settings.seed, "words", block)
        size = min(_BLOCK, settings.n_resamples - start)
        signs = 2.0 * generator.integers(0, 2, (table.shape[1], size)) - 1
        yield np.abs((table @ signs) / scale[:, None]).max(axis=0)
