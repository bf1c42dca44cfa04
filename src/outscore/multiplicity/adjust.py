"""Adjusted p-values, in the order of the raw ones: monotone, at most 1.

Written out here because the library that has them costs seconds to import and each is a line or two; R's
``p.adjust`` is their oracle.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence

import numpy as np

from outscore.base.arrays import Array, Float
from outscore.base.errors import UsageError, suggestion
from outscore.engine.extreme import count, p_from_count
from outscore.significance.p_values import holm, step_down


def bonferroni(p: Float) -> Float:
    """m p: family-wise error of m tests under any dependence (Bonferroni)."""
    return np.minimum(1.0, len(p) * p)


def sidak(p: Float) -> Float:
    """1 - (1 - p)^m: family-wise error of independent tests (Šidák 1967)."""
    return _adjust_any(p, float(len(p)))


def holm_sidak(p: Float) -> Float:
    """Step-down Šidák: family-wise error of independent tests.

    With p₁ ≤ ... ≤ pₘ it is the largest 1 - (1 - pⱼ)^(m - j + 1) of j up to i.
    """
    return step_down(p, _adjust_any)


def hochberg(p: Float) -> Float:
    """Step-up Bonferroni: family-wise error under positive dependence (Hochberg 1988).

    With p₁ ≤ ... ≤ pₘ it is the smallest (m - j + 1) pⱼ of j from i on.
    """
    return _step_up(p, lambda ordered, left: left * ordered)


def hommel(p: Float) -> Float:
    """Closed Simes test: family-wise error under positive dependence (Hommel 1988).

    The worst set of s hypotheses around one of them holds the s - 1 largest others; the adjusted p is the largest Simes
    p over all s.
    """
    m = len(p)
    order = np.argsort(p, kind="stable")
    ordered = p[order]
    largest = np.zeros(m)
    for s in range(1, m + 1):
        simes = s * ordered[m - s :] / np.arange(1, s + 1)
        rest = simes[1:].min(initial=np.inf)
        largest[m - s :] = np.maximum(largest[m - s :], simes.min())
        largest[: m - s] = np.maximum(largest[: m - s], np.minimum(s * ordered[: m - s], rest))
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(1.0, largest)
    return adjusted


def benjamini_hochberg(p: Float) -> Float:
    """False-discovery rate under positive dependence (Benjamini & Hochberg 1995).

    With p₁ ≤ ... ≤ pₘ it is the smallest m pⱼ/j of j from i on.
    """
    m = len(p)
    return _step_up(p, lambda ordered, left: m / (m - left + 1) * ordered)


def benjamini_yekutieli(p: Float) -> Float:
    """False-discovery rate under any dependence (Benjamini & Yekutieli 2001): Σ 1/j, to m, times the above."""
    m = len(p)
    harmonic = float(np.sum(1 / np.arange(1, m + 1)))
    return _step_up(p, lambda ordered, left: harmonic * m / (m - left + 1) * ordered)


ALSO = {
    **dict.fromkeys(("holmbonferroni", "bonferroniholm", "holms"), "holm"),
    **dict.fromkeys(("bonf", "bon", "fwer"), "bonferroni"),
    **dict.fromkeys(("simeshochberg",), "hochberg"),
    **dict.fromkeys(("dunnsidak",), "sidak"),
    **dict.fromkeys(("fdr", "fdrbh", "benjaminihochberg"), "bh"),
    **dict.fromkeys(("fdrby", "benjaminiyekutieli"), "by"),
    **dict.fromkeys(("westfallyoung", "singlestep", "maxstatistic"), "max-t"),
    **dict.fromkeys(("stepdownmaxt", "maxtstepdown"), "max-t-step-down"),
    **dict.fromkeys(("no", "off", "false", "raw", "uncorrected"), "none"),
}
"""Names that others have for the corrections, folded."""


def leave(p: Float) -> Float:
    """The p-values as they are."""
    return p.copy()


CORRECTIONS: dict[str, Callable[[Float], Float]] = {
    "holm": holm,
    "bonferroni": bonferroni,
    "hochberg": hochberg,
    "hommel": hommel,
    "sidak": sidak,
    "holm-sidak": holm_sidak,
    "bh": benjamini_hochberg,
    "by": benjamini_yekutieli,
    "none": leave,
}

AUTO = "auto"
MAX_T, MAX_T_STEP_DOWN = "max-t", "max-t-step-down"
JOINT = {
    MAX_T: "Joint correction by resampling: the largest statistic of every resample, which uses how tests depend "
    "on each other.",
    MAX_T_STEP_DOWN: "As max-t, each against the largest of those not larger than it; no intervals go with it.",
}
"""Corrections that need the resamples, in words."""
EACH_BY_ITSELF = ("none", "bh", "by")
"""Corrections that do not bound the probability of any false claim."""


IN_WORDS = {name: inspect.cleandoc(function.__doc__ or "") for name, function in CORRECTIONS.items()} | JOINT
"""Every correction, in words."""


def names() -> list[str]:
    """The names of all corrections, the joint ones by resampling included."""
    return list(IN_WORDS)


def adjust(p: Sequence[float] | Array, correction: str) -> Float:
    """Adjusted p-values ``(m,)`` in the order of the raw ones.

    Raises:
        UsageError: no correction has that name.
    """
    if correction in JOINT:
        raise UsageError(f"--correct {correction} belongs to tests of pairs, which share their resamples; use holm")
    if correction not in CORRECTIONS:
        folded = re.sub("[^a-z]", "", correction.lower())
        if folded == "nemenyi":
            raise UsageError("nemenyi is about mean ranks and comes with their test: outscore compare --test friedman")
        meant = next((name for name in names() if name.replace("-", "") == folded), ALSO.get(folded))
        hint = f"; did you mean {meant!r}?" if meant else suggestion(correction, names())
        raise UsageError(f"unknown correction {correction!r}{hint} (there are: {', '.join(names())})")
    return CORRECTIONS[correction](np.asarray(p, dtype=np.float64))


def level_of_one(alpha: float, m: int, correction: str) -> float:
    """The level of each of m intervals that hold together as the correction's p-values do, by Bonferroni or Šidák.

    It is alpha where the correction does not bound the probability of any false claim.
    """
    if correction in EACH_BY_ITSELF or m < 2:
        return alpha
    return 1 - (1 - alpha) ** (1 / m) if "sidak" in correction else alpha / m


def _adjust_any(p: Float, m: Float | float) -> Float:
    """1 - (1 - p)^m, accurate for tiny p."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(m * np.log1p(-p)))


def _step_up(p: Float, bound: Callable[[Float, Float], Float]) -> Float:
    order = np.argsort(p, kind="stable")[::-1]
    left = np.arange(1, len(p) + 1, dtype=np.float64)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, np.minimum.accumulate(bound(p[order], left)))
    return adjusted


_TIE = 1e-12


def max_step_down(observed: Float, null_draws: Float, *, complete: bool = False) -> Float:
    """Adjusted p-values ``(m,)`` that use the dependence which Holm ignores (Westfall & Young 1993).

    How often the largest of the null statistics that are not more extreme than it reaches each observed one; monotone.

    Args:
        observed: statistics ``(m,)``, larger is more extreme, on a common scale.
        null_draws: the same under the null, jointly drawn ``(B, m)``.
        complete: the draws are the complete law, the observed labelling included: shares, without the added one.
    """
    order = np.argsort(-observed, kind="stable")
    successive = np.maximum.accumulate(null_draws[:, order[::-1]], axis=1)[:, ::-1]
    adjusted = np.empty(len(observed))
    adjusted[order] = np.maximum.accumulate(_p_of_largest(successive, observed[order], complete))
    return adjusted


def _p_of_largest(draws: Float, observed: Float, complete: bool) -> Float:
    exceedances = count(draws, observed, alternative="greater", slack=_TIE)
    if complete:
        return exceedances / len(draws)
    return np.array([p_from_count(int(h), len(draws)) for h in exceedances])
