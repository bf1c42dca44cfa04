"""Simulated comparisons that take the real way (Panel, Resamples, Pairing, Test.run), and bounds for their sizes.

False alarms: a bound made here fails a right program with probability 1e-6 (``RARE``) over the choice of seeds; the
seeds are fixed, so a test that passes once passes always.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, product
from typing import Any

import numpy as np
import pytest
from scipy import stats as laws

from outscore.base.arrays import Float, Int, ScoreFunction
from outscore.engine.design import Design
from outscore.engine.extreme import Alternative
from outscore.metrics.classes import FBeta
from outscore.metrics.mean import Mean
from outscore.significance import Outcome, Test, outcomes_of, tests
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import DrawRequest, Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics

RARE = 1e-6
ALPHA = 0.05
SLACK = 1e-9

Draw = Callable[[np.random.Generator, int], Float]
"""(generator, replicates) to differences ``(replicates, items)``."""


def repeated(few: int | None, many: int, most: int | None = None) -> pytest.MarkDecorator:
    """Runs a simulation with ``few`` replicates, as ``reps``, with ``many`` among the slow tests, ``most`` nightly;
    not by default where ``few`` is None, as they take a third of a second or say little.
    """
    marked = [pytest.param(many, marks=pytest.mark.slow)]
    if most is not None:
        marked.append(pytest.param(most, marks=pytest.mark.nightly))
    return pytest.mark.parametrize("reps", marked if few is None else [few, *marked])


def most(level: float, trials: int, chance: float = RARE) -> float:
    """Share of ``trials`` that a rate of at most ``level`` exceeds with probability ``chance``."""
    return float(laws.binom.isf(chance, trials, level)) / trials


def least(level: float, trials: int, chance: float = RARE) -> float:
    """Share of ``trials`` that a rate of at least ``level`` falls short of with probability ``chance``."""
    return float(laws.binom.ppf(chance, trials, level)) / trials


def with_weights(values: Float) -> Float:
    """Statistics of a mean, ``[value, 1]``."""
    return np.stack([values, np.ones_like(values)], axis=-1)


def mean_stats(
    systems: Sequence[Float],
    labels: Int | None = None,
    name: str = "mean",
    *,
    design: Design | None = None,
    per_item: bool = True,
    **options: Any,
) -> Statistics:
    """A mean over items: each system ``(runs, items)``; options of statistics, as limits."""
    made = design or Design(systems[0].shape[-1], labels)
    return Statistics(name, [with_weights(s) for s in systems], Mean().score, made, per_item=per_item, **options)


def ratio_stats(systems: Sequence[Float], design: Design | None = None, **options: Any) -> Statistics:
    """A quotient of two sums: each system ``(runs, items, 2)``."""
    over, under = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    made = design or Design(systems[0].shape[1])
    return Statistics("ratio", list(systems), Mean().score, made, ratio=(over, under, 1.0), **options)


def f1_stats(systems: Sequence[Float], labels: Int | None = None) -> Statistics:
    """Micro-F1: each system ``(runs, items, 3)`` counts of tp, fp, fn."""
    metric = FBeta()
    return Statistics("f1", list(systems), metric.score, Design(systems[0].shape[1], labels), ratio=metric.ratio())


def corpus_stats(systems: Sequence[Float], score: ScoreFunction, labels: Int | None = None) -> Statistics:
    """Any score of sums: each system ``(runs, items, k)``."""
    return Statistics("corpus", list(systems), score, Design(systems[0].shape[1], labels))


def experiment(*by_metric: Statistics, settings: Settings) -> Resamples:
    """The first system of each panel is the baseline."""
    names = [str(s) for s in range(len(by_metric[0].runs))]
    return Resamples(names, by_metric, 0, settings)


def pairing(system: Float, baseline: Float, settings: Settings, labels: Int | None = None) -> GainContrast:
    """Two systems ``(runs, items)`` under a mean."""
    return GainContrast(experiment(mean_stats([baseline, system], labels), settings=settings), 0, 1)


def replicates(
    draw: Draw,
    number: int,
    settings: Settings,
    labels: Int | None = None,
    batch: int = 100,
    drawn: Sequence[DrawRequest] = (),
) -> Iterator[GainContrast]:
    """Independent data sets, each the system of one pairing whose baseline is 0 on every item.

    The data sets of a batch share their resamples, as those of the oracle do: the Monte-Carlo errors of their p-values
    then hang together a little (correlation about 1/n), each batch with a seed of its own. What is in ``drawn`` they
    have drawn already.
    """
    rng = np.random.default_rng(settings.seed)
    for start in range(0, number, batch):
        d = draw(rng, min(batch, number - start))
        baseline = np.zeros((1, d.shape[1]))
        stats = mean_stats([baseline, *(row[None] for row in d)], labels)
        whole = experiment(stats, settings=replace(settings, seed=settings.seed + start)).draw(drawn)
        yield from (GainContrast(whole, 0, s) for s in range(1, len(d) + 1))


def p_of(test: Test, pair: GainContrast) -> float:
    """The p-value; these data always have one."""
    refusal = test.refuses(pair)
    assert refusal is None, refusal
    p = test.run(pair).p_value
    assert p is not None
    return p


def p_values(pairs: Iterator[GainContrast], *names: str) -> dict[str, Float]:
    """p-values ``(replicates,)`` of several tests on the same data sets; those that share resamples draw them once."""
    made = [tests.make(name) for name in names]
    found: list[float | None] = []
    for resamples, together in groupby(pairs, key=lambda pair: pair.resamples):
        questions = [(test, pair) for pair in together for test in made]
        refusals = {test.refuses(pair) for test, pair in questions}
        assert refusals == {None}, refusals
        found += [outcome.p_value for outcome in outcomes_of(questions, resamples)[0]]
    assert None not in found
    return dict(zip(names, np.array(found, dtype=float).reshape(-1, len(names)).T, strict=True))


def size(p: Float, alpha: float = ALPHA) -> float:
    """Share of p-values at or below alpha."""
    return float((p <= alpha + SLACK).mean())


def settings(
    n_resamples: int = 999, seed: int = 0, alternative: Alternative = "two-sided", alpha: float = ALPHA
) -> Settings:
    return Settings(n_resamples=n_resamples, seed=seed, alternative=alternative, alpha=alpha)


def normal(n: int) -> Draw:
    return lambda rng, number: rng.normal(size=(number, n))


def exponential(n: int) -> Draw:
    return lambda rng, number: rng.exponential(size=(number, n)) - 1.0


def rare_big_win(n: int) -> Draw:
    """+9 with probability .01, -1 with .09, else 0."""
    return lambda rng, number: np.asarray(rng.choice([9.0, -1.0, 0.0], p=[0.01, 0.09, 0.9], size=(number, n)))


def clustered(n: int, members: int = 5, icc: float = 0.5) -> Draw:
    """Normal differences in clusters of ``members`` with intraclass correlation ``icc``."""

    def draw(rng: np.random.Generator, number: int) -> Float:
        shared = rng.normal(size=(number, n // members)) * np.sqrt(icc)
        return np.asarray(np.repeat(shared, members, axis=1) + rng.normal(size=(number, n)) * np.sqrt(1 - icc))

    return draw


def cluster_labels(n: int, members: int = 5) -> Int:
    return np.arange(n, dtype=np.int64) // members


def replicated(rng: np.random.Generator, n: int, runs: int, rho: float, share: float = 0.5) -> tuple[Float, Float]:
    """Two systems ``(runs, items)`` without a difference, y = A_sr + C_si + e_sri (``sim_type1_multi_run``).

    Var C + var e = 1/2; ``share`` of it is C. The standard deviation of A is ``rho`` times the standard error of the
    paired difference of two runs.
    """
    a, b = (
        rng.normal(size=(runs, 1)) * rho / np.sqrt(n)
        + rng.normal(size=n) * np.sqrt(share / 2)
        + rng.normal(size=(runs, n)) * np.sqrt((1 - share) / 2)
        for _ in range(2)
    )
    return a, b


def replicated_pairs(
    number: int, made: Settings, *, n: int, runs: int, rho: float, share: float = 0.5
) -> Iterator[GainContrast]:
    """Independent comparisons of two systems with runs, each with resamples of its own."""
    rng = np.random.default_rng(made.seed)
    for k in range(number):
        a, b = replicated(rng, n, runs, rho, share)
        yield pairing(a, b, replace(made, seed=made.seed + k))


def binary_pairing(better: int, worse: int, n: int, made: Settings) -> GainContrast:
    """Right or wrong on n items: the system alone is right on ``better``, the baseline alone on ``worse``."""
    system, baseline = np.zeros((2, 1, n))
    system[:, :better] = 1.0
    baseline[:, better : better + worse] = 1.0
    return pairing(system, baseline, made)


def discordant(n: int, better: float, worse: float, negligible: float = 1e-9) -> list[tuple[int, int, float]]:
    """All (better, worse) counts of n items with their probability, down to ``negligible`` ones."""
    law = laws.multinomial(n, [better, worse, 1 - better - worse])
    top = int(laws.binom.isf(negligible, n, max(better, worse))) + 1
    counts = [(b, c) for b, c in product(range(top + 1), repeat=2) if b + c <= n]
    cells = np.array([(b, c, n - b - c) for b, c in counts])
    return [(b, c, float(p)) for (b, c), p in zip(counts, law.pmf(cells), strict=True) if p > negligible]


def binary_size(name: str, n: int, disagreement: float, made: Settings, alpha: float = ALPHA) -> float:
    """The size under no difference, summed over the trinomial law: no sampling but that of the test itself."""
    test = tests.make(name)
    cells = discordant(n, disagreement / 2, disagreement / 2)
    return sum(p for b, c, p in cells if p_of(test, binary_pairing(b, c, n, made)) <= alpha + SLACK)


def crossed_truth(rng: np.random.Generator, n: int, runs: int) -> Float:
    """Counts of tp, fp, fn ``(runs, n, 3)`` of a system whose skill varies from run to run and from item to item."""
    gold = 1 + rng.poisson(2.0, size=n)
    logit = 0.85 + 0.15 * rng.normal(size=(runs, 1)) + 0.5 * rng.normal(size=n)
    tp = rng.binomial(gold, 1 / (1 + np.exp(-logit)))
    return np.stack([tp, rng.poisson(0.6, size=(runs, n)), gold - tp], axis=-1).astype(float)


def ci_of(outcome: Outcome) -> tuple[float, float]:
    assert outcome.ci is not None
    return outcome.ci
