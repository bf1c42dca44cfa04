"""Details that a report shows beside a comparison: resampled gains, gains on subsets of the test set, single items."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.data.dataset import Dataset
from outscore.data.specs import natural
from outscore.engine.design import Design
from outscore.results.details import Details, GainHistogram, ItemGain, ItemText, SubsetGain
from outscore.significance.confidence import plain_interval
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import Resamples
from outscore.significance.runs import median_run
from outscore.significance.statistics import Statistics
from outscore.verbs.shared.buckets import level_of_parts
from outscore.verbs.shared.criteria import Criterion
from outscore.verbs.shared.measured import Measured
from outscore.verbs.shared.reading import lengths_of, output_text, reference_text

_BINS = 40
_BY_LENGTH = Criterion("length")
_MOST_CLUSTERS = 40
_MOST_ITEMS, _FEWEST_ITEMS = 20, 3
"""Items of a pair that speak for the system, and as many that speak against it; fewer where there are many pairs."""

_ALL_ITEMS = 80

_MOST_PAIRS = 30
"""Pairs and metrics of which items, clusters and histograms are kept; those of the largest gains."""

_MOST_TEXT, _LONGEST = 40_000, 1_500
"""Characters of all texts together, and of one text; longer ones are cut."""


def details_of(
    resamples: Resamples,
    measured: Sequence[Measured],
    data: Dataset,
    design: Design,
    flips: int | Literal["auto", "all"],
    correction: str,
) -> Details:
    """Everything that a report shows beside the comparison of these systems, with so many items of each pair."""
    shown = _choose_pairs(resamples)
    some = max(_FEWEST_ITEMS, min(_MOST_ITEMS, _ALL_ITEMS // max(1, len(shown))))
    most = {"auto": some, "all": len(data.items)}[flips] if isinstance(flips, str) else flips
    items = [gain for pair in shown for gain in _items(resamples, pair, data, most)]
    clusters = design.n_units if design.cluster else 0
    return Details(
        histograms=tuple(drawn for pair in shown if (drawn := _histogram(resamples, pair)) is not None),
        parts=tuple(_split_gains(resamples, shown, data, design, correction)),
        items=tuple(items),
        texts=tuple(_texts(items, measured, resamples, data)),
        n_clusters_left_out=max(0, clusters - _MOST_CLUSTERS),
    )


def _choose_pairs(resamples: Resamples) -> list[GainContrast]:
    """The pairs of the largest gains, metric by metric in turn: gains in different units cannot be compared."""
    turns: list[tuple[int, int, GainContrast]] = []
    for p in range(len(resamples.by_metric)):
        pairs = [GainContrast(resamples, p, *pair) for pair in resamples.pairs]
        known = [pair for pair in pairs if not pair.identical and math.isfinite(pair.gain)]
        by_size = sorted(known, key=lambda pair: -abs(pair.gain))
        turns += [(turn, p, pair) for turn, pair in enumerate(by_size)]
    kept = sorted(turns, key=lambda one: one[:2])[:_MOST_PAIRS]
    return [pair for _, _, pair in sorted(kept, key=lambda one: (one[1], one[0]))]


def _names(resamples: Resamples, pair: GainContrast) -> dict[str, str]:
    systems = resamples.systems
    return {"system": systems[pair.system], "baseline": systems[pair.baseline], "metric": pair.stats.name}


def _histogram(resamples: Resamples, pair: GainContrast) -> GainHistogram | None:
    """None where hardly a resampled test set has a score."""
    known = pair.bootstrap_values[np.isfinite(pair.bootstrap_values)]
    if len(known) < 2:
        return None
    counts, edges = np.histogram(known, bins=_BINS)
    return GainHistogram(
        **_names(resamples, pair),
        edges=tuple(edges.tolist()),
        counts=tuple(counts.tolist()),
        resampled="clusters" if pair.clustered else "items",
    )


def _split_gains(
    resamples: Resamples, pairs: Sequence[GainContrast], data: Dataset, design: Design, correction: str
) -> Iterator[SubsetGain]:
    """The gains of all pairs on each part, pair by pair."""
    by_metric = {id(pair.stats): pair.stats for pair in pairs}
    parts = [(by, part, here) for by, parts in _partitions(data, design) for part, here in parts]
    within = {
        (key, number): _restrict(resamples, stats, here)
        for key, stats in by_metric.items()
        for number, (_, _, here) in enumerate(parts)
    }
    by_length = [design.restrict(here) for by, _, here in parts if by == "length"]
    level = level_of_parts(by_length, resamples.settings.alpha, correction)
    for pair in pairs:
        for number, (by, part, here) in enumerate(parts):
            one = GainContrast(within[id(pair.stats), number], 0, pair.system, pair.baseline)
            if math.isfinite(one.gain):
                ci = plain_interval(one, level) if by == "length" else None
                yield SubsetGain(**_names(resamples, pair), by=by, part=part, n_items=len(here), gain=one.gain, ci=ci)


def _restrict(resamples: Resamples, stats: Statistics, here: Int) -> Resamples:
    """The same systems on these items alone."""
    every = any(baseline != resamples.baseline for _, baseline in resamples.pairs)
    return Resamples(resamples.systems, [stats.restrict(here)], resamples.baseline, resamples.settings, all_pairs=every)


def _partitions(data: Dataset, design: Design) -> Iterator[tuple[str, list[tuple[str, Int]]]]:
    """The parts that the items fall into, by length and by cluster, with the numbers of their items."""
    lengths = np.asarray(lengths_of(data))
    if len(lengths) >= 2 * _BY_LENGTH.parts and len(np.unique(lengths)) >= _BY_LENGTH.parts:
        yield "length", _BY_LENGTH.cut(lengths, " words")
    if design.cluster is not None:
        names = np.asarray(data.labels[design.cluster], dtype=str)
        sizes = sorted(((int((names == name).sum()), name) for name in np.unique(names)), reverse=True)
        largest = [name for _, name in sizes[:_MOST_CLUSTERS]]
        yield design.cluster, [(name, np.flatnonzero(names == name)) for name in largest]


def _items(resamples: Resamples, pair: GainContrast, data: Dataset, most: int) -> Iterator[ItemGain]:
    """The items that speak most for the system, then those that speak most against it."""
    alone = {s: _score_items(pair, s) for s in (pair.system, pair.baseline)}
    influence = _influences(pair, alone[pair.system], alone[pair.baseline])
    differing = sorted(np.flatnonzero(influence).tolist(), key=lambda i: (-abs(influence[i]), natural(data.items[i])))
    best = [i for i in differing if influence[i] > 0][:most]
    worst = [i for i in differing if influence[i] < 0][:most]
    for i in [*best, *worst]:
        yield ItemGain(
            **_names(resamples, pair),
            item=data.items[i],
            influence=float(influence[i]),
            baseline_score=None if (b := alone[pair.baseline]) is None else float(b[i]),
            system_score=None if (s := alone[pair.system]) is None else float(s[i]),
        )


def _influences(pair: GainContrast, ours: Float | None, theirs: Float | None) -> Float:
    """The part of the gain of each item: of a mean its difference over n, else the gain minus that without the item.

    It is 0 where the systems do not differ, though leaving such an item out would weigh the others more.
    """
    stats, (system, baseline) = pair.stats, (pair.system, pair.baseline)
    if ours is not None and theirs is not None:
        influence = stats.sign * (ours - theirs) / len(ours)
    else:
        without = stats.leave_one_out(system).mean(axis=0) - stats.leave_one_out(baseline).mean(axis=0)
        influence = pair.gain - stats.sign * without
    sums = [stats.items[s].sum(axis=0) * stats.runs[other] for s, other in ((system, baseline), (baseline, system))]
    return np.where((sums[0] == sums[1]).all(axis=-1), 0.0, influence)


def _score_items(pair: GainContrast, system: int) -> Float | None:
    """The scores of single items, mean over runs, where the metric is a plain mean of them."""
    stats = pair.stats
    return stats.score(stats.items[system]).mean(axis=0) if stats.plain_mean else None


def _texts(
    items: Sequence[ItemGain], measured: Sequence[Measured], resamples: Resamples, data: Dataset
) -> Iterator[ItemText]:
    """The texts of these items, in turn the first of each pair, the second of each, and so on, while there is room."""
    place = {name: number for number, name in enumerate(data.items)}
    systems: dict[str, dict[str, None]] = {}
    for gain in _interleave(items):
        systems.setdefault(gain.item, {}).update({gain.baseline: None, gain.system: None})
    runs = _median_runs(measured[0], resamples)
    left = _MOST_TEXT
    for item, named in systems.items():
        number = place[item]
        cells = {system: data.by_run[system, runs.get(system, data.runs[system][0])] for system in named}
        first = next(iter(cells.values()))
        references = tuple(stream[number] for stream in first.references)
        gold = references[0] if references else ""
        text = ItemText(
            item=item,
            labels={name: column[number] for name, column in data.labels.items()},
            references=tuple(_shorten(reference_text(one, data.notation)) for one in references),
            outputs={
                s: _shorten(output_text(cell.outputs[number], gold, data.notation))
                for s, cell in cells.items()
                if cell.outputs is not None
            },
        )
        left -= sum(map(len, (*text.labels.values(), *text.references, *text.outputs.values()))) + len(item)
        if left < 0:
            return
        yield text


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def _interleave(items: Sequence[ItemGain]) -> list[ItemGain]:
    """The first item of each pair and metric, then the second of each, and so on."""
    seen: Counter[tuple[str, str, str]] = Counter()
    placed = []
    for gain in items:
        key = gain.system, gain.baseline, gain.metric
        placed.append((seen[key], gain))
        seen[key] += 1
    return [gain for _, gain in sorted(placed, key=lambda one: one[0])]


def _median_runs(measured: Measured, resamples: Resamples) -> dict[str, str]:
    """The median run of each system under the first metric (Clark et al. 2011, §5)."""
    scores = dict(zip(resamples.systems, resamples.by_metric[0].run_scores, strict=True))
    return {system: measured.runs[system][median_run(of_system)] for system, of_system in scores.items()}
