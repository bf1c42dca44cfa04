"""The common parts of tests of two independent proportions."""

from __future__ import annotations

from outscore.significance import ASYMPTOTIC, EXACT, Outcome
from outscore.significance.independent import IndependentSamples
from outscore.significance.independent.interval import indifferent
from outscore.significance.independent.notes import SMALL_EXPECTED
from outscore.significance.textbook.proportions import TwoMethod, fisher_p, two_proportions

NEEDS = "right or wrong (1 or 0) items of each system"


def not_binary(name: str, samples: IndependentSamples) -> str | None:
    """Why numbers that are not right or wrong are refused."""
    return (
        None if samples.binary else f"{name} needs numbers that are right or wrong (1 or 0); use welch or permutation"
    )


def compared(samples: IndependentSamples, method: TwoMethod) -> Outcome:
    """The outcome of a test of two proportions, with Newcombe's interval of their difference."""
    exact = method == "fisher"
    if samples.constant:
        return indifferent(EXACT if exact else ASYMPTOTIC)
    (right, base), (n, m) = samples.right, samples.sizes
    side, level = samples.settings.alternative, samples.settings.coverage
    found = two_proportions(right, n, base, m, method=method, alternative=side, level=level)
    share = (right + base) / (n + m)
    small = min(n, m) * min(share, 1 - share) < 5
    name = "odds_ratio" if exact else "statistic"
    return Outcome(
        p_value=found.p,
        p_kind=EXACT if exact else ASYMPTOTIC,
        p_min=_smallest(right + base, n, m, samples) if exact else None,
        effect={"right_system": right, "right_baseline": base, name: found.statistic},
        ci=(found.low, found.high),
        ci_method="Newcombe score interval",
        notes=(SMALL_EXPECTED,) if small and not exact else (),
    )


def _smallest(right: int, n: int, m: int, samples: IndependentSamples) -> float:
    """The smallest p of Fisher's test with these margins: that of one of the tables at either end."""
    ends = max(0, right - m), min(n, right)
    return min(fisher_p(x, n, right - x, m, samples.settings.alternative) for x in ends)
