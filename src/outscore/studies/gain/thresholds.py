"""The gain at which a test becomes sure: by a window of p-values, and by a curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.lazy import dataclass
from outscore.base.rng import stream
from outscore.significance.statistics import Statistics
from outscore.studies import Claim
from outscore.studies.shared.pairs import StudyPair, items_of, select_window, z_of

SURE = 0.05
"""The p-value at which a threshold stands."""

ENOUGH = 20
"""Pairs in a window that a high quantile of them needs: of fewer it is about the largest."""

_FIT = (1e-3, 0.5)  # two-sided p-values that tell the curve: smaller ones are saturated, larger ones say nothing
_HITS = 5  # resamples beyond the gain that a p-value must rest on to tell the curve
_DRAWS = 400
_BLOCKS = 20


@dataclass(frozen=True)
class ThresholdCurve:
    """Gain against confidence as a normal curve through the origin: ``z = gain / scale``.

    Attributes:
        scale: the gain that is worth one standard error, for the typical pair.
        threshold: the gain at which p is 5 %; ``low``, ``high``: its interval over other systems of this kind, by
            leaving out each system in turn; None with fewer than four systems.
        n: pairs that the curve rests on.
        first, last: gains at which 5 % and 95 % of these pairs are sure: the spread of the plot.
        error: standard error of the logarithm of the threshold over systems, None with fewer than four.
        without: logarithm of the scale without each system in turn.
    """

    scale: float
    threshold: float
    low: float | None
    high: float | None
    n: int
    first: float
    last: float
    error: float | None
    without: Mapping[str, float]


def window_threshold(
    pairs: Sequence[StudyPair], low: float = 0.04, high: float = 0.06, share: float = 0.95
) -> float | None:
    """A quantile of the gains among the pairs whose p lies in a window (Berg-Kirkpatrick et al. 2012, §3.1.1).

    Args:
        pairs: all that there are.
        low, high: ends of the window, which belong to it.
        share: the quantile, by linear interpolation (type 7).

    Returns:
        The gain, or None where no pair is in the window.
    """
    gains = [pair.gain for pair in select_window(pairs, low, high)]
    return float(np.quantile(gains, share)) if gains else None


def window_interval(
    pairs: Sequence[StudyPair], low: float, high: float, share: float, alpha: float, seed: int
) -> tuple[float, float] | None:
    """The interval of ``window_threshold`` over systems: these are resampled, each pair as often as both its systems.

    A percentile interval of the vertex bootstrap (Snijders & Borgatti 1999); pairs of a system with itself count for
    nothing.

    Returns:
        Its ends, or None with fewer than 20 pairs in the window: their high quantile is about the largest gain, which
        no resampling exceeds.
    """
    inside = select_window(pairs, low, high)
    if len(inside) < ENOUGH:
        return None
    gains = np.array([pair.gain for pair in inside])
    weights = _weigh_pairs(pairs, inside, seed)
    found = [float(np.quantile(np.repeat(gains, some), share)) for some in weights if some.any()]
    ends = np.quantile(found, [alpha / 2, 1 - alpha / 2])
    return float(ends[0]), float(ends[1])


def share_interval(
    pairs: Sequence[StudyPair], inside: Sequence[StudyPair], alpha: float, seed: int
) -> tuple[float, float] | None:
    """The interval over systems of the proportion of some pairs that are significant, as that of ``window_interval``.

    Returns:
        Its ends, or None where all or none of them are: resampled systems cannot show others then.
    """
    sure = np.array([pair.p is not None and pair.p <= alpha for pair in inside])
    if not sure.any() or sure.all():
        return None
    weights = _weigh_pairs(pairs, inside, seed)
    some = weights[weights.any(axis=1)]
    ends = np.quantile(some @ sure / some.sum(axis=1), [alpha / 2, 1 - alpha / 2])
    return float(ends[0]), float(ends[1])


def _weigh_pairs(pairs: Sequence[StudyPair], inside: Sequence[StudyPair], seed: int) -> Int:
    """How often some of the pairs come in each resample of the systems of all: as often as both their systems."""
    systems = sorted({name for pair in pairs for name in (pair.winner, pair.loser)})
    number = {name: i for i, name in enumerate(systems)}
    winners, losers = (np.array([number[getattr(p, side)] for p in inside]) for side in ("winner", "loser"))
    counts = stream(seed, "systems").multinomial(len(systems), np.full(len(systems), 1 / len(systems)), _DRAWS)
    return np.asarray(counts[:, winners] * counts[:, losers])


def p_at(gains: Float, scale: float, claim: Claim) -> Float:
    """p of a pair that is typical for these gains."""
    from scipy import special

    return np.asarray(special.ndtr(-gains / scale) * (2 if claim == "two-sided" else 1))


def select_informative(pairs: Sequence[StudyPair], claim: Claim, n_resamples: int | None = None) -> list[StudyPair]:
    """The pairs that tell the curve: two-sided p from .001 to .5, and not so small that resamples cannot tell it.

    Args:
        n_resamples: of the study, whatever its test draws, so that the curves of all tests rest on the same range of p;
            None for the whole range.
    """
    sides = 1 if claim == "two-sided" else 2
    low, high = (end / sides for end in _FIT)
    if n_resamples is not None:
        low = max(low, _HITS / (n_resamples + 1))
    return [pair for pair in pairs if pair.p is not None and low < pair.p < high and pair.gain > 0]


def fit_curve(
    pairs: Sequence[StudyPair], claim: Claim, alpha: float, n_resamples: int | None = None
) -> ThresholdCurve | None:
    """The curve that fits ``log gain = log scale + log z`` by least squares, and its threshold with an interval.

    In logarithms neither the gain nor p is taken for exact, and the scale of each pair counts the same.

    Args:
        alpha: 1 - level of the interval.
        n_resamples: of the test, see ``select_informative``.

    Returns:
        The curve, or None where no pair tells it.
    """
    from scipy import special

    used = select_informative(pairs, claim, n_resamples)
    if not used:
        return None
    own = np.log([pair.gain for pair in used]) - np.log(z_of(np.array([pair.p for pair in used], dtype=float), claim))
    at = float(z_of(SURE, claim))
    scale = float(np.exp(own.mean()))
    first, last = (at * float(end) for end in np.quantile(np.exp(own), [0.05, 0.95]))
    without = _leave_out(used, own)
    if len(without) < 4:
        return ThresholdCurve(scale, at * scale, None, None, len(used), first, last, None, without)
    error = jackknife_error(list(without.values()))
    wide = float(np.exp(special.stdtrit(len(without) - 1, 1 - alpha / 2) * error))
    return ThresholdCurve(
        scale, at * scale, at * scale / wide, at * scale * wide, len(used), first, last, error, without
    )


def jackknife_error(without: Sequence[float]) -> float:
    """Standard error of a number, from what it is without each of m systems, or blocks of items, in turn."""
    values = np.asarray(without)
    return float(np.sqrt((len(values) - 1) * values.var()))


def items_error(stats: Statistics, used: Sequence[tuple[int, int]]) -> float | None:
    """Standard error, over items, of the logarithm of the scale of some pairs: blocks of units are left out in turn.

    It is of the mean logarithm of their jackknife errors, which is what the items have to say about a scale.

    Args:
        used: the pairs, by the numbers of their systems.

    Returns:
        None without pairs, with fewer than four units, or where some pair has no error.
    """
    values = items_of(stats)
    if not used or values.shape[1] < 4:
        return None
    one, other = np.array(used).T
    found = []
    for block in np.array_split(np.arange(values.shape[1]), min(_BLOCKS, values.shape[1])):
        kept = np.delete(values, block, axis=1)
        kept = kept - kept.mean(axis=1, keepdims=True)
        products = kept @ kept.T
        own = np.diag(products)
        squares = own[one] + own[other] - 2 * products[one, other]
        if not (squares > 0).all():
            return None
        found.append(float(np.log(squares).mean() / 2))
    return jackknife_error(found)


def _leave_out(used: Sequence[StudyPair], own: Float) -> dict[str, float]:
    """The mean without the pairs of each system in turn, where any are left."""
    total, found = float(own.sum()), {}
    for name in sorted({name for pair in used for name in (pair.winner, pair.loser)}):
        of_system = [value for pair, value in zip(used, own, strict=True) if name in (pair.winner, pair.loser)]
        if len(of_system) < len(used):
            found[name] = (total - float(sum(of_system))) / (len(used) - len(of_system))
    return found
