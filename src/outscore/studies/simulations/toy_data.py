"""The toy data of Søgaard et al. 2014, §3: two systems that are the same, and what may be chosen freely.

Each function simulates so many rounds and gives, for each free choice by name, the smallest p-value of each round
``(rounds,)``. All tests are two-sided.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from outscore.base.arrays import Float
from outscore.engine.extreme import count
from outscore.engine.weights import ATOM, bootstrap_counts

Found = Mapping[str, Float]

_TOGETHER = 50  # data sets that see the same resamples: so few that their p-values are as good as independent

COPIES: dict[str, tuple[float, Callable[[Float, np.random.Generator], Float]]] = {
    "multiplied by 0.9 to 1.1": (1 / math.sqrt(1 + 0.01 / 3), lambda x, draw: x * draw.uniform(0.9, 1.1, x.shape)),
    "noise of sd 0.1": (1 / math.sqrt(1.01), lambda x, draw: x + 0.1 * draw.standard_normal(x.shape)),
    "noise of variance 0.1": (1 / math.sqrt(1.1), lambda x, draw: x + math.sqrt(0.1) * draw.standard_normal(x.shape)),
    "10 % of values replaced": (
        0.9,
        lambda x, draw: np.where(draw.random(x.shape) < 0.1, draw.standard_normal(x.shape), x),
    ),
    "noise of sd 1": (math.sqrt(0.5), lambda x, draw: x + draw.standard_normal(x.shape)),
    "half of values replaced": (
        0.5,
        lambda x, draw: np.where(draw.random(x.shape) < 0.5, draw.standard_normal(x.shape), x),
    ),
}
"""Ways to distort a metric into another: the correlation of both, and how it is done."""

AUTO_SIZES = (2, 4, 5, 10)
"""Numbers of interim analyses of Armitage, McPherson & Rowe 1969, Table 2."""

ONE, INDEPENDENT = "one test", "two independent metrics"
HALVES, HALF_OR_WHOLE, ALL_PARTS = "two random halves", "the whole or one half", "the whole or either half"
SIZES = "four sample sizes"
SIZES_BOOTSTRAP = "four sample sizes, by the bootstrap"
FIXED, VARYING = "noise of one tenth", "noise of any size"
IGNORED, RESPECTED = "t, clusters ignored", "t over clusters"


def metrics(draw: np.random.Generator, rounds: int, n: int) -> Found:
    """A t test of two samples of n, and a second metric: a distorted copy of the first, or one of its own (§3.3)."""
    x = draw.standard_normal((rounds, 2, n))
    p = _test_two(x)
    found = {ONE: p, INDEPENDENT: np.minimum(p, _test_two(draw.standard_normal(x.shape)))}
    return found | {name: np.minimum(p, _test_two(distort(x, draw))) for name, (_, distort) in COPIES.items()}


def correlate_copies(draw: np.random.Generator, rounds: int, n: int) -> Mapping[str, float]:
    """How the correlation of a metric with its distorted copy goes with the smallest p of both, over rounds (§3.3).

    The noise has a standard deviation of a tenth of the scores' in all rounds, or of anything up to all of it.
    """
    found = {}
    for name, most in ((FIXED, None), (VARYING, 1.0)):
        x = draw.standard_normal((rounds, 2, n))
        level = 0.1 if most is None else draw.uniform(0.0, most, (rounds, 1, 1))
        copy = x + level * draw.standard_normal(x.shape)
        one, other = (values.reshape(rounds, -1) - values.mean(axis=(1, 2))[:, None] for values in (x, copy))
        rho = (one * other).sum(axis=1) / np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))
        found[name] = float(np.corrcoef(rho, np.minimum(_test_two(x), _test_two(copy)))[0, 1])
    return found


def simulate_subsets(draw: np.random.Generator, rounds: int, n: int) -> Found:
    """A random split into halves (§3.5), alone and with two independent metrics, in the three ways it may be meant."""
    ways: list[dict[str, Float]] = []
    for _ in range(2):
        x = draw.standard_normal((rounds, 2, n))
        whole, first, second = _test_two(x), _test_two(x[..., : n // 2]), _test_two(x[..., n // 2 :])
        halves = np.minimum(first, second)
        ways.append({HALVES: halves, HALF_OR_WHOLE: np.minimum(whole, first), ALL_PARTS: np.minimum(whole, halves)})
    one, other = ways
    return one | {f"{name}, two metrics": np.minimum(one[name], other[name]) for name in one}


def sizes(draw: np.random.Generator, rounds: int, n: int) -> Found:
    """A free choice among four sample sizes, quarter by quarter (§3.4), and among these and two metrics."""
    one, other = (_growing(draw.standard_normal((rounds, 2, n))) for _ in range(2))
    return {SIZES: one, f"{SIZES}, two metrics": np.minimum(one, other)}


def simulate_interim(draw: np.random.Generator, rounds: int, n: int) -> Found:
    """Equally spaced interim analyses of growing data of known variance (Armitage, McPherson & Rowe 1969)."""
    del n
    walk = draw.standard_normal((rounds, max(AUTO_SIZES))).cumsum(axis=1)
    z = np.abs(walk) / np.sqrt(np.arange(1, max(AUTO_SIZES) + 1))
    return {f"{k} looks": _normal_p(z[:, :k].max(axis=1)) for k in AUTO_SIZES}


def clusters(draw: np.random.Generator, rounds: int, n: int, *, size: int = 5, icc: float = 0.5) -> Found:
    """A paired t test of n items in clusters, and one over the means of clusters, which is CR2 where all are equal."""
    shared = draw.standard_normal((rounds, n // size, 1))
    own = draw.standard_normal((rounds, n // size, size))
    d = math.sqrt(icc) * shared + math.sqrt(1 - icc) * own
    return {IGNORED: _test_one(d.reshape(rounds, -1)), RESPECTED: _test_one(d.mean(axis=2))}


def grow(draw: np.random.Generator, rounds: int, at: Sequence[int], gain: float) -> Float:
    """p of a paired t test at several sizes of a growing sample ``(rounds, sizes)``; ``gain`` in sd of differences."""
    d = draw.standard_normal((rounds, max(at))) + gain
    return np.stack([_test_one(d[:, :n]) for n in at], axis=1)


def t_with_gain(draw: np.random.Generator, rounds: int, n: int, gain: float, *, paired: bool) -> Float:
    """p of a t test of n items (of each system) where the gain is so many standard deviations ``(rounds,)``."""
    if paired:
        return _test_one(draw.standard_normal((rounds, n)) + gain)
    x = draw.standard_normal((rounds, 2, n))
    x[:, 1] += gain
    return _test_two(x)


def simulate_bootstrap(draw: np.random.Generator, rounds: int, n: int, n_resamples: int, seed: int) -> Found:
    """The bootstrap of n normal differences, one metric and two independent ones, and the t test (§2)."""
    found: list[list[Float]] = [[], [], []]
    atoms = -(-n_resamples // ATOM)
    for place, first in enumerate(range(0, rounds, _TOGETHER)):
        d = draw.standard_normal((n, 2 * min(_TOGETHER, rounds - first)))
        weights = [bootstrap_counts(n, seed, place * atoms + atom) for atom in range(atoms)]
        p = _bootstrap_p(d, np.concatenate(weights)[:n_resamples] / n)
        one, other = np.split(p, 2)
        for held, new in zip(found, (one, np.minimum(one, other), _test_one(np.split(d.T, 2)[0])), strict=True):
            held.append(new)
    names = ("bootstrap", "bootstrap, two metrics", "t")
    return {name: np.concatenate(p) for name, p in zip(names, found, strict=True)}


def choose_bootstrap_size(draw: np.random.Generator, rounds: int, n: int, n_resamples: int, seed: int) -> Found:
    """A free choice among four sample sizes, quarter by quarter, by the bootstrap of differences (§3.4, Figure 2)."""
    d = draw.standard_normal((n, rounds))
    atoms = -(-n_resamples // ATOM)
    found: list[Float] = []
    for place, first in enumerate(range(0, rounds, _TOGETHER)):
        some = d[:, first : first + _TOGETHER]
        p = []
        for size in (n * quarter // 4 for quarter in (1, 2, 3, 4)):
            weights = [bootstrap_counts(size, seed, place * atoms + atom, f"{size} items") for atom in range(atoms)]
            p.append(_bootstrap_p(some[:size], np.concatenate(weights)[:n_resamples] / size))
        found.append(np.min(p, axis=0))
    return {SIZES_BOOTSTRAP: np.concatenate(found)}


def _bootstrap_p(d: Float, weights: Float) -> Float:
    """p of the shift bootstrap of each column of ``(n, columns)``, ties counted."""
    mean = d.mean(axis=0)
    hits = count(weights @ d, 2 * mean, centre=mean, alternative="two-sided", slack=1e-12)
    return np.asarray((hits + 1) / (len(weights) + 1))


def _growing(x: Float) -> Float:
    n = x.shape[-1]
    return np.asarray(np.min([_test_two(x[..., : n * quarter // 4]) for quarter in (1, 2, 3, 4)], axis=0))


def _test_two(x: Float) -> Float:
    """p of Student's t test of two independent samples ``(rounds, 2, n)``."""
    n = x.shape[-1]
    mean, variance = x.mean(axis=-1), x.var(axis=-1, ddof=1)
    return _student_p((mean[:, 0] - mean[:, 1]) / np.sqrt((variance[:, 0] + variance[:, 1]) / n), 2 * n - 2)


def _test_one(d: Float) -> Float:
    """p of the t test of paired differences ``(rounds, n)``."""
    n = d.shape[-1]
    return _student_p(d.mean(axis=-1) / np.sqrt(d.var(axis=-1, ddof=1) / n), n - 1)


def _student_p(t: Float, df: float) -> Float:
    from scipy import special

    return np.asarray(2 * special.stdtr(df, -np.abs(t)))


def _normal_p(z: Float) -> Float:
    from scipy import special

    return np.asarray(2 * special.ndtr(-z))
