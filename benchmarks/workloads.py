"""Our engine on given statistics: what the rows in process and the growth tables call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from inputs import Inputs

from outscore.engine import resampling
from outscore.engine.design import Design
from outscore.engine.draws import Accumulator
from outscore.engine.extreme import tolerance
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import Engine, Sampling
from outscore.jobs import cores

Array = Any
Score = Callable[[Array], Array]


def bleu_statistics(inputs: Inputs, outputs: Sequence[Path]) -> tuple[list[Array], Score]:
    """Statistics ``(segments, 10)`` of each system, and the score of their sums."""
    from outscore.base.items import Items
    from outscore.metrics import metrics

    metric = metrics.make("bleu")
    reference, *texts = (f.read_text(encoding="utf-8").splitlines() for f in (inputs.reference, *outputs))
    items = [Items(n=len(text), outputs=text, references=(reference,)) for text in texts]
    return [metric.statistics(each) for each in items], metric.score


def segment_scores(inputs: Inputs) -> Array:
    """Sentence BLEU ``(31, segments)`` with four decimals, as a file of scores holds them; counted once."""
    kept = inputs.folder / "segments.npy"
    if not kept.exists():
        from outscore.metrics import metrics

        statistics, _ = bleu_statistics(inputs, inputs.systems)
        score = metrics.make("bleu:effective_order=true").score
        np.save(kept, np.round([score(rows) for rows in statistics], 4))
    return np.load(kept)


def pairing(
    a: Array, b: Array, score: Score, *, per_item: bool = False, ratio: tuple[Array, Array, float] | None = None
) -> Callable[[], Any]:
    """What a test sees of system b against a, whose statistics ``(items, k)`` are given: anew at every call."""
    from outscore.significance.gain import GainContrast
    from outscore.significance.resamples import Resamples
    from outscore.significance.settings import Settings
    from outscore.significance.statistics import Statistics

    statistics = [rows[None].astype(np.float64) for rows in (a, b)]
    stats = Statistics("metric", statistics, score, Design(len(a)), per_item=per_item, ratio=ratio)
    return lambda: GainContrast(Resamples(["a", "b"], [stats], 0, Settings()), 0, 1)


def exact_randomization(pair: Callable[[], Any]) -> Callable[[], float]:
    """The randomization test as ``compare`` makes it; the answer is its p-value, which has to be exact."""
    from outscore.significance import EXACT, tests

    test = tests.make("randomization")

    def work() -> float:
        outcome: Any = test.run(pair())
        assert outcome.p_kind == EXACT
        return float(outcome.p_value)

    return work


def bootstrap(
    groups: Sequence[Array], score: Score, resamples: int, engine: Engine = "cyclic", *, all_pairs: bool = True
) -> Callable[[], float]:
    """Tail and 95 % interval of gains; the answer is the share of gains of at most 0 of the last over the first system.

    Args:
        groups: statistics ``(units, k)`` of each system, whole numbers.
        score: sums ``(..., k)`` to scores ``(...)``.
        all_pairs: of the systems, else each against the first.
    """
    largest = max(abs(float(score(rows.sum(axis=0)))) for rows in groups)

    def scores(sums: Iterator[Array]) -> Array:
        return np.stack([score(each) for each in sums])

    def work() -> float:
        first, second = _pairs(len(groups), all_pairs)
        watch = _watch(len(groups), first, second, np.zeros((len(first), 1)), tolerance(largest))
        draws = resampling.bootstrap(groups, scores, Design(len(groups[0])), _sampling(resamples, engine), watch)
        np.quantile(draws.values[-1] - draws.values[0], (0.025, 0.975))
        return float(draws.series(len(groups) - 2).count_at_most(0).total / draws.sizes.sum())

    return work


def randomization(
    groups: Sequence[Array], score: Score, resamples: int, engine: Engine = "cyclic"
) -> Callable[[], float]:
    """All systems against the first; the answer is the two-sided p-value of the last."""
    totals = [rows.sum(axis=0) for rows in groups]
    observed = np.array([float(score(total)) for total in totals])

    def scores(exchanged: Iterator[Array]) -> Array:
        gains = []
        first = next(exchanged)
        for total, moved in zip(totals[1:], exchanged, strict=True):
            to_base = moved - first
            gains.append(score(total - to_base) - score(totals[0] + to_base))
        return np.stack(gains)

    gains = observed[1:] - observed[0]
    slack = tolerance(float(np.abs(observed).max()))

    def work() -> float:
        n = len(gains)
        watch = _watch(n, np.arange(n), np.full(n, -1), np.stack([gains, -gains], axis=1), slack)
        draws = resampling.randomize(groups, scores, _sampling(resamples, engine), watch)
        return _two_sided(draws, n - 1, gains[-1])

    return work


def mean_randomization(scores: Array, resamples: int, engine: Engine = "cyclic") -> Callable[[], float]:
    """All pairs of systems ``(systems, items)``; the answer is the two-sided p-value of the last pair."""
    whole = np.rint(scores * 1e4)
    groups = [row[:, None] for row in whole]
    totals = whole.sum(axis=1)

    def half_gains(exchanged: Iterator[Array]) -> Array:
        return np.stack([total - 2 * moved[:, 0] for total, moved in zip(totals, exchanged, strict=True)])

    first, second = _pairs(len(groups), True)
    gains = totals[first] - totals[second]

    def work() -> float:
        watch = _watch(len(groups), first, second, np.stack([gains, -gains], axis=1), 0.5)
        draws = resampling.randomize(groups, half_gains, _sampling(resamples, engine), watch)
        return _two_sided(draws, len(first) - 1, gains[-1])

    return work


def _pairs(systems: int, every: bool) -> tuple[Array, Array]:
    """Both sides of all pairs, or of those with the first system."""
    if every:
        second, first = np.triu_indices(systems, 1)
        return first, second
    return np.arange(1, systems), np.zeros(systems - 1, dtype=np.int64)


def _watch(columns: int, first: Array, second: Array, marks: Array, slack: float) -> Accumulator:
    return Accumulator(tuple(slice(i, i + 1) for i in range(columns)), first, second, marks, np.full(len(first), slack))


def _two_sided(draws: Any, series: int, gain: float) -> float:
    hits = draws.series(series).count_as_extreme(0, 1, "two-sided", positive=bool(gain > 0))
    return float((hits.total + 1) / (draws.sizes.sum() + 1))


def _sampling(resamples: int, engine: Engine) -> Sampling:
    return Sampling(resamples, 12345, Runtime(cores()), engine)
