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


def spending(n: int) -> Float:
    """The first ``n`` members of the sequence by which level is spent, ``(n,)``."""
    return np.arange(1, n + 1, dtype=np.float64) ** -1.6 / _ZETA


def alpha_spending(p: Float, alpha: float, gamma: Float) -> Float:
    """α γ_t: Bonferroni's inequality over an endless sequence (Tian & Ramdas 2021, §2)."""
    return alpha * gamma[: len(p)]


def lond(p: Float, alpha: float, gamma: Float) -> Float:
    """α γ_t max(D, 1), with D discoveries so far (Javanmard & Montanari 2015; Zrnic et al. 2021, §5).

    The maximum stands in place of D + 1, which needs independence.
    """
    levels, found = np.empty(len(p)), 0
    for t in range(len(p)):
        levels[t] = alpha * gamma[t] * max(found, 1)
        found += bool(p[t] <= levels[t])
    return levels


def lord(p: Float, alpha: float, gamma: Float) -> Float:
    """LORD++: every discovery at τ earns level, which is spent by γ_{t-τ} (Ramdas et al. 2017, §4)."""
    levels, found = np.empty(len(p)), np.empty(0, dtype=np.int64)
    for t in range(len(p)):
        levels[t] = _wealth(alpha, gamma, t, t - found - 1)
        if p[t] <= levels[t]:
            found = np.append(found, t)
    return levels


def saffron(p: Float, alpha: float, gamma: Float) -> Float:
    """LORD++ that spends nothing on p-values of at most λ, the candidates (Ramdas et al. 2018, eq. 4)."""
    return _adaptive(p, alpha, gamma, tau=1.0, candidate=_LAMBDA_SAFFRON)


def addis(p: Float, alpha: float, gamma: Float) -> Float:
    """SAFFRON that leaves p-values above τ out of account (Tian & Ramdas 2019, §4)."""
    return _adaptive(p, alpha, gamma, tau=_TAU_ADDIS, candidate=_LAMBDA_ADDIS)


@dataclass(frozen=True, kw_only=True)
class OnlineCorrection:
    """A correction over a sequence of tests.

    Attributes:
        levels: p-values ``(m,)`` in their order, alpha and γ ``(m,)`` to levels ``(m,)``.
        controls: the error that is held to alpha.
        dependence: of the p-values, under which that is proved: ``any``, ``positive`` or ``independent``.
        citation: the source.
    """

    levels: Callable[[Float, float, Float], Float]
    controls: str
    dependence: str
    citation: str


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
    "saffron": OnlineCorrection(levels=saffron, controls=_FDR, dependence="independent", citation="Ramdas et al. 2018"),
    "addis": OnlineCorrection(levels=addis, controls=_FDR, dependence="independent", citation="Tian & Ramdas 2019"),
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
    values = np.asarray(p, dtype=np.float64)
    return procedure(name).levels(values, alpha, spending(len(values)) if gamma is None else gamma)


def _wealth(alpha: float, gamma: Float, start: int, since: Array) -> float:
    """The level to spend now: of the first half of alpha, of the rest with the first discovery, of alpha with others.

    Args:
        start: steps since the beginning, from 0.
        since: steps since each discovery ``(found,)``, from 0.
    """
    first = alpha / 2
    earned = gamma[since]
    return float(first * gamma[start] + alpha * earned.sum() - (first * earned[0] if len(earned) else 0.0))


def _adaptive(p: Float, alpha: float, gamma: Float, tau: float, candidate: float) -> Float:
    """ADDIS, with ``tau`` 1 SAFFRON; time stands still at candidates and at what is left out."""
    levels, found = np.empty(len(p)), np.empty(0, dtype=np.int64)
    time = 0  # tests so far that are neither candidates nor left out
    for t in range(len(p)):
        levels[t] = min(candidate, (tau - candidate) * _wealth(alpha, gamma, time, time - found))
        if p[t] <= levels[t]:
            found = np.append(found, time)
        time += bool(candidate < p[t] <= tau)
    return levels
