"""Corrections for tests that come one after another, without end: each has a level before it is seen.

The level of a test depends on its place in the sequence and on what came before, never on what comes after, so a
decision stands for ever. All procedures spend their level by one sequence, γ_t = t^-1.6 / ζ(1.6) (Ramdas et al. 2018,
§3), which sums to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from outscore.base.arrays import Array, Float
from outscore.base.errors import UsageError, suggestion
from outscore.base.lazy import dataclass

_ZETA = 2.2857656656801293  # ζ(1.6)

_LAMBDA_SAFFRON, _LAMBDA_ADDIS, _TAU_ADDIS = 0.5, 0.25, 0.5  # Ramdas et al. 2018, §4; Tian & Ramdas 2019, §4


ALWAYS = (-1.0, 1.0)  # a time that passes at every test


def spending(n: int) -> Float:
    """The first ``n`` members of the sequence by which level is spent, ``(n,)``."""
    return np.arange(1, n + 1, dtype=np.float64) ** -1.6 / _ZETA


def alpha_spending(alpha: float, gamma: Float, place: Array, time: Array, found: Array) -> Float:
    """α γ_t: Bonferroni's inequality over an endless sequence (Tian & Ramdas 2021, §2)."""
    return np.asarray(alpha * gamma[place])


def lond(alpha: float, gamma: Float, place: Array, time: Array, found: Array) -> Float:
    """α γ_t max(D, 1), with D discoveries so far (Javanmard & Montanari 2015; Zrnic et al. 2021, §5).

    The maximum stands in place of D + 1, which needs independence.
    """
    return np.asarray(alpha * gamma[place] * max(found.shape[1], 1))


def lord(alpha: float, gamma: Float, place: Array, time: Array, found: Array) -> Float:
    """LORD++: every discovery at τ earns level, which is spent by γ_{t-τ} (Ramdas et al. 2017, §4)."""
    return _wealth(alpha, gamma, place, place[:, None] - found[0] - 1)


def saffron(alpha: float, gamma: Float, place: Array, time: Array, found: Array) -> Float:
    """LORD++ that spends nothing on p-values of at most λ, the candidates (Ramdas et al. 2018, eq. 4)."""
    wealth = _wealth(alpha, gamma, time, time[:, None] - found[1])
    return np.minimum(_LAMBDA_SAFFRON, (1.0 - _LAMBDA_SAFFRON) * wealth)


def addis(alpha: float, gamma: Float, place: Array, time: Array, found: Array) -> Float:
    """SAFFRON that leaves p-values above τ out of account (Tian & Ramdas 2019, §4)."""
    wealth = _wealth(alpha, gamma, time, time[:, None] - found[1])
    return np.minimum(_LAMBDA_ADDIS, (_TAU_ADDIS - _LAMBDA_ADDIS) * wealth)


@dataclass(frozen=True, kw_only=True)
class OnlineCorrection:
    """A correction over a sequence of tests.

    Attributes:
        levels: alpha, γ, the places and times ``(m,)`` of tests, and the places and times ``(2, d)`` of all discoveries
            before the first of them, to levels ``(m,)``; those after the next discovery are not meant.
        controls: the error that is held to alpha.
        dependence: of the p-values, under which that is proved: ``any``, ``positive`` or ``independent``.
        citation: the source.
        passing: time passes at p-values above the first of these and at most the second.
    """

    levels: Callable[[float, Float, Array, Array, Array], Float]
    controls: str
    dependence: str
    citation: str
    passing: tuple[float, float] = ALWAYS


_FDR, _FWER = "false-discovery rate", "family-wise error rate"

PROCEDURES = {
    "alpha-spending": OnlineCorrection(
        levels=alpha_spending, controls=_FWER, dependence="any", citation="Tian & Ramdas 2021"
    ),
    "lond": OnlineCorrection(
        levels=lond,
        controls=_FDR,
        dependence="positive",
        citation="Javanmard & Montanari 2018; Zrnic et al. 2021",
    ),
    "lord": OnlineCorrection(
        levels=lord,
        controls=_FDR,
        dependence="independent",
        citation="Javanmard & Montanari 2018; Ramdas et al. 2017",
    ),
    "saffron": OnlineCorrection(
        levels=saffron,
        controls=_FDR,
        dependence="independent",
        citation="Ramdas et al. 2018",
        passing=(_LAMBDA_SAFFRON, 1.0),
    ),
    "addis": OnlineCorrection(
        levels=addis,
        controls=_FDR,
        dependence="independent",
        citation="Tian & Ramdas 2019",
        passing=(_LAMBDA_ADDIS, _TAU_ADDIS),
    ),
}


def procedure(name: str) -> OnlineCorrection:
    """The procedure of this name.

    Raises:
        UsageError: there is none.
    """
    if name not in PROCEDURES:
        raise UsageError(
            f"unknown correction over a history {name!r}{suggestion(name, PROCEDURES)} "
            f"(there are: {', '.join(PROCEDURES)})"
        )
    return PROCEDURES[name]


def online_levels(p: Sequence[float] | Array, name: str, alpha: float, gamma: Float | None = None) -> Float:
    """The level ``(m,)`` of each of these tests, in the order in which they were made.

    Args:
        p: raw p-values ``(m,)``, the first test first; a test rejects where its p is at most its level.
        name: of the procedure.
        alpha: what the error rate over the whole sequence is held to.
        gamma: another sequence ``(m,)`` or longer to spend by; it may not sum to more than 1.

    Raises:
        UsageError: no procedure has that name.
    """
    return advance(np.asarray(p, dtype=np.float64), name, alpha, gamma=gamma)[0]


@dataclass(frozen=True)
class SequenceSoFar:
    """All of a sequence that later levels depend on.

    Attributes:
        n: tests so far.
        time: those at which the time of the procedure passed.
        found: places and times ``(2, d)`` of the discoveries, from 0.
    """

    n: int
    time: int
    found: Array


_BEGIN = SequenceSoFar(0, 0, np.empty((2, 0), dtype=np.int64))
_AT_ONCE = 2**18  # tests times discoveries


def advance(
    p: Float, name: str, alpha: float, before: SequenceSoFar | None = None, gamma: Float | None = None
) -> tuple[Float, SequenceSoFar]:
    """The levels ``(m,)`` of the next tests of a sequence, and what is then so far.

    Args:
        p: raw p-values ``(m,)`` of the next tests.
        name, alpha, gamma: as in ``online_levels``, for the whole sequence.
        before: the tests before these, if any.
    """
    before = before or _BEGIN
    rule, n, d = procedure(name), before.n + len(p), before.found.shape[1]
    gamma = spending(n) if gamma is None else gamma
    passes = (rule.passing[0] < p) & (p <= rule.passing[1])
    place, time = before.n + np.arange(len(p)), before.time + np.cumsum(passes) - passes
    found = np.empty((2, d + len(p)), dtype=np.int64)
    found[:, :d] = before.found
    levels = np.empty(len(p))
    start, size = 0, 64
    while start < len(p):  # as far as nothing is found the levels do not wait for one another
        here = slice(start, start + min(size, 1 + _AT_ONCE // (d + 1)))
        levels[here] = rule.levels(alpha, gamma, place[here], time[here], found[:, :d])
        hits = np.flatnonzero(p[here] <= levels[here])
        if len(hits) == 0:
            start, size = here.stop, 2 * size
            continue
        start, size = start + int(hits[0]) + 1, int(hits[0]) + 1
        found[:, d] = place[start - 1], time[start - 1]
        d += 1
    return levels, SequenceSoFar(n, before.time + int(passes.sum()), found[:, :d])


def earlier_levels(so_far: SequenceSoFar, name: str, alpha: float, places: Sequence[tuple[int, int]]) -> list[float]:
    """The levels of tests that are in a sequence, each known by its place and time, from 0."""
    rule, gamma = procedure(name), spending(so_far.n)
    return [
        float(rule.levels(alpha, gamma, np.array([n]), np.array([t]), so_far.found[:, so_far.found[0] < n])[0])
        for n, t in places
    ]


def _wealth(alpha: float, gamma: Float, start: Array, since: Array) -> Float:
    """The levels to spend: of the first half of alpha, of the rest with the first discovery, of alpha with others.

    Args:
        start: steps since the beginning ``(m,)``, from 0.
        since: steps since each discovery ``(m, d)``, from 0.
    """
    first = alpha / 2
    earned = gamma[since]
    return np.asarray(
        first * gamma[start] + alpha * earned.sum(axis=1) - (first * earned[:, 0] if earned.shape[1] else 0.0)
    )
