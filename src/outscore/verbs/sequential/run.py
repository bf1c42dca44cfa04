"""The work of ``sequential``: how a finished evaluation would have gone, had somebody looked on and stopped in time."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.rng import stream
from outscore.engine.runtime import Runtime
from outscore.jobs import Progress
from outscore.results.comparison import Comparison
from outscore.results.sequences import Sequence, Sequences, StoppingTimes
from outscore.significance import notes
from outscore.significance.gain import GainContrast
from outscore.significance.sequential import Decision, decisions
from outscore.significance.sequential.mixture import Bounds, read_bounds, start
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from outscore.verbs.compare import compare
from outscore.verbs.sequential import Replay
from outscore.verbs.sequential.live import (
    GIVEN_ORDER,
    STEADY_GAIN,
    check_scores,
    find_final,
    make_analyses,
    marks_from,
    sequence_notes,
)
from outscore.verbs.shared.inputs import align_from
from outscore.verbs.shared.measured import Measurements

_OF_ANY_LAW = {"clusters_ignored", "few_items_decide", "identical_outputs", "never_gold", "one_run_only", "single_run"}
"""Notes on a fixed-n comparison that hold for a sequence, too."""
_OF_NORMAL_LAWS = {"few_clusters", "few_differences", "skewed", "unequal_clusters"}
"""Those that hold for a sequence that rests on the central limit theorem."""

_RUNS_FIXED = replace(notes.ITEMS_ONLY, remedy="use compare for a claim about methods")


def sequential(data: Any, asked: Replay) -> Sequences:
    """The evaluation that is asked for, item by item."""
    alpha, margin, bounds, method, population = (
        asked.alpha, asked.margin, read_bounds(asked.bounds), asked.method, asked.population
    )  # fmt: skip
    start(alpha=alpha, margin=margin, bounds=bounds, method=method, population=population)  # refuses before any work
    aligned = align_from(data, references=asked.references, items=asked.items, missing=asked.missing)
    if aligned.missing == "additive":
        raise UsageError("--missing additive scores each item by all, and a sequence knows those so far: use drop")
    fixed = compare(
        aligned,
        metrics=asked.metrics,
        baseline=asked.baseline,
        seed=asked.seed,
        alpha=alpha,
        correction="none",
        cluster=asked.cluster,
        by="none",
        progress=asked.progress,
    )
    counted = Measurements.of(
        aligned, asked.metrics, Runtime(progress=asked.progress), cluster=asked.cluster, as_read=asked.order == "given"
    )
    aligned, by_metric = counted.data, counted.by_metric
    first = aligned.systems.index(fixed.baseline)
    for stats in by_metric:
        _check_stats(stats, aligned.systems, bounds)
    if population is not None and population < len(aligned.items):
        raise UsageError(f"population={population}: there are {len(aligned.items)} items already")
    systems = counted.resamples(Settings(alpha=alpha, seed=asked.seed), first)
    pairs = [GainContrast(systems, p, *pair) for p in range(len(by_metric)) for pair in systems.pairs]
    units = _Units.of(pairs[0], asked.order, asked.seed)
    options: dict[str, Any] = {
        "alpha": alpha / len(pairs),
        "margin": margin,
        "bounds": bounds,
        "method": method,
        "largest": int(units.sizes.max()),
        "population": population,
    }
    made = [
        _sequence(pair, units, options | {"margin": None} if "never_gold" in same.notes else options, asked)
        for pair, same in zip(pairs, fixed.pairs, strict=True)
    ]
    fixed = _keep_notes(fixed, _OF_ANY_LAW | (_OF_NORMAL_LAWS if made[0][0].kind == "asymptotic" else set()))
    own = [note for _, found in made for note in found]
    if asked.order == "given":
        own.append(GIVEN_ORDER)
    return Sequences(
        seed=asked.seed,
        alpha=alpha,
        baseline=fixed.baseline,
        margin=margin,
        order=asked.order,
        correction="bonferroni" if len(pairs) > 1 else "none",
        scores=fixed.scores,
        sequences=tuple(sequence for sequence, _ in made),
        pairs=fixed.pairs,
        notes=(*fixed.notes, *dict.fromkeys(own)),
        provenance=replace(
            fixed.provenance, citations=tuple(dict.fromkeys((*fixed.provenance.citations, start(**options).citation)))
        ),
    )


def _keep_notes(fixed: Comparison, kept: set[str]) -> Comparison:
    """The fixed-n comparison with these of the notes on its pairs, and those that are for the record."""
    left_out = {code for pair in fixed.pairs for code in pair.notes} | {"family_out_of_reach"}
    left_out -= kept | {note.code for note in fixed.notes if note.rank == "record"}
    pairs = tuple(
        replace(pair, notes=tuple(code for code in pair.notes if code not in left_out)) for pair in fixed.pairs
    )
    return replace(fixed, pairs=pairs, notes=tuple(note for note in fixed.notes if note.code not in left_out))


def _check_stats(stats: Statistics, systems: tuple[str, ...], bounds: Bounds) -> None:
    """Refuses a metric that is no mean over items, and scores out of bounds."""
    if not stats.plain_mean:
        raise UsageError(
            f"{stats.name} is a score of all items together, and a sequence is the mean of a score for each item; "
            "give such scores (-m accuracy, -m mean), or finish the run and use compare"
        )
    for system, runs in zip(systems, stats.items, strict=True):
        for scores in runs[..., 0] * stats.steps[0]:
            check_scores(scores, bounds, who=system)


@dataclass(frozen=True)
class _Units:
    """Sampling units in the order in which they arrive.

    Attributes:
        members: ``(items,)`` the items, unit by unit.
        sizes: ``(units,)`` items of each.
    """

    members: Int
    sizes: Int

    @classmethod
    def of(cls, pair: GainContrast, order: str, seed: int) -> _Units:
        labels = pair.stats.design.labels
        if labels is None:
            labels = np.arange(pair.n_items)
        # a cluster stands where its first item does
        names, firsts = np.unique(labels, return_index=True)
        rank = np.empty_like(names)
        rank[np.argsort(firsts)] = np.arange(len(names))
        units = cls(np.argsort(rank[labels], kind="stable"), np.bincount(rank[labels]))
        return units.shuffle(seed, 0) if order == "random" else units

    def shuffle(self, seed: int, number: int) -> _Units:
        """The same units in a random order."""
        order = stream(seed, "sequential", number).permutation(len(self.sizes))
        parts = np.split(self.members, np.cumsum(self.sizes)[:-1])
        return _Units(np.concatenate([parts[i] for i in order]), self.sizes[order])

    def sums(self, differences: Float) -> Float:
        """``(units,)`` sums of ``(items,)`` differences."""
        return np.add.reduceat(differences[self.members], np.cumsum(self.sizes) - self.sizes)


def _sequence(
    pair: GainContrast,
    units: _Units,
    options: dict[str, Any],
    asked: Replay,
) -> tuple[Sequence, list[Note]]:
    """One pair of systems, item by item, and its notes."""
    running = start(**options)
    path = running.extend(units.sums(pair.differences), units.sizes.astype(np.float64))
    counts = np.cumsum(units.sizes)
    made = decisions(path)
    decision, decided_at = find_final(made, counts.tolist())
    due = marks_from(asked.every)
    last = len(counts) - 1 if not asked.stop or decided_at is None else int(np.searchsorted(counts, decided_at))
    at = [
        i
        for i in range(last + 1)
        if i == last or counts[i] == decided_at or due(int(counts[i] - units.sizes[i]), int(counts[i]))
    ]
    analyses = make_analyses(path, counts, made, at)
    found = sequence_notes(running.name, options["population"], analyses)
    if pair.has_runs:
        found.append(_RUNS_FIXED)
    if decided_at is None and running.name == "betting" and _too_steady(pair, options["bounds"]):
        found.append(STEADY_GAIN)
    sequence = Sequence(
        system=pair.resamples.systems[pair.system],
        baseline=pair.resamples.systems[pair.baseline],
        metric=pair.stats.name,
        method=running.name,
        kind=running.kind,
        null=running.null,
        alpha=options["alpha"],
        bounds=options["bounds"],
        population=options["population"],
        n_items=pair.n_items,
        n_units=len(counts),
        analyses=tuple(analyses),
        decision=decision,
        decided_at=decided_at,
        stops=_stops(pair, units, options, asked.orders, asked.progress) if asked.orders else None,
        notes=tuple(note.code for note in found),
    )
    return sequence, found


def _too_steady(pair: GainContrast, bounds: tuple[float, float]) -> bool:
    """Whether the best stake would be more than everything: gain × reach / variance is far above 1."""
    differences = pair.differences
    return abs(pair.gain) * (bounds[1] - bounds[0]) > 2 * float(differences.var())


def _stops(
    pair: GainContrast, units: _Units, options: dict[str, Any], orders: int, progress: Progress | None
) -> StoppingTimes:
    """When the decision falls in random orders of the same items."""
    found: list[Decision] = []
    times: list[int | None] = []
    for number in range(1, orders + 1):
        shuffled = units.shuffle(pair.settings.seed, number)
        path = start(**options, ends=False).extend(shuffled.sums(pair.differences), shuffled.sizes.astype(np.float64))
        decision, decided_at = find_final(decisions(path), np.cumsum(shuffled.sizes).tolist())
        if decided_at is not None:
            found.append(decision)
        times.append(decided_at)
        if progress is not None:
            progress("orders", number, orders)
    return StoppingTimes(
        orders=orders,
        decided=len(found),
        better=found.count("better"),
        worse=found.count("worse"),
        equivalent=found.count("equivalent"),
        n10=_find_end(times, 0.1),
        n50=_find_end(times, 0.5),
        n90=_find_end(times, 0.9),
    )


def _find_end(times: list[int | None], proportion: float) -> int | None:
    """The number of items by which so large a proportion has ended; None if it never has."""
    ended = sorted(time for time in times if time is not None)
    needed = math.ceil(proportion * len(times))
    return ended[needed - 1] if needed <= len(ended) else None
