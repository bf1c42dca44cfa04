"""Right-or-wrong items that the systems do not share: two beta laws."""

from __future__ import annotations

import math
from typing import ClassVar

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.significance.bayes import PAIRED, Posterior, PosteriorLaw, SampleMethod, method, posterior_of_law
from outscore.significance.independent import IndependentSamples


@method("beta")
@dataclass(frozen=True)
class BetaProportions(SampleMethod):
    """Each system has its own proportion of right answers; the two have independent beta laws.

    Args:
        strength: what the prior counts for, in right and in wrong items each; 1 makes all proportions equally likely.
    """

    model: ClassVar[str] = (
        "each system is right on its own items independently, with a proportion of its own; better means that the "
        "proportion of the system is above that of the baseline, by more than the ROPE"
    )
    formula: ClassVar[str] = (
        "P(π_A - π_B > ROPE), π_A ~ Beta(x + a, n - x + a) after x of n right items, π_B likewise; a the strength"
    )
    applies: ClassVar[str] = "right or wrong on independent items that the systems do not share"
    needs: ClassVar[str] = "items scored 0 or 1, one run of each system"
    citation: ClassVar[str] = "Altham 1969"

    strength: float = 1.0

    def __post_init__(self) -> None:
        if not self.strength > 0:
            raise UsageError(f"beta:strength={self.strength:g}: expected a number above 0")

    def prior(self, rope: float) -> str:
        even = "all proportions are equally likely" if self.strength == 1 else "proportions lie alike about one half"
        return f"Beta({self.strength:g}, {self.strength:g}) for each system: {even}"

    def refuses(self, samples: IndependentSamples) -> str | None:
        if not samples.binary:
            return "beta: items are not right or wrong, once each; on shared items use --posterior t or bootstrap"
        return None

    def run(self, samples: IndependentSamples, rope: float) -> Posterior:
        (right, other_right), (n, m) = samples.right, samples.sizes
        law = independent_proportions(right, n, other_right, m, self.strength)
        counts = {"right": right, "n_system": n, "baseline_right": other_right, "n_baseline": m}
        said = (PAIRED,) if samples.shared else ()
        return posterior_of_law(law, rope, samples.settings.alpha, counts, *said)


@dataclass(frozen=True)
class BetaDifferenceLaw(PosteriorLaw):
    """p_A - p_B of two independent shares with Beta laws.

    Attributes:
        first, second: the parameters of p_A and of p_B.
    """

    first: tuple[float, float]
    second: tuple[float, float]

    @property
    def mean(self) -> float:
        (a, b), (c, d) = self.first, self.second
        return a / (a + b) - c / (c + d)

    @property
    def spread(self) -> float:
        return math.sqrt(sum(a * b / ((a + b) ** 2 * (a + b + 1)) for a, b in (self.first, self.second)))

    def above(self, c: float) -> float:
        """P(p_A - p_B > c) = ∫ P(p_B < p_A - c), over p_A by its quantiles from the one that is c."""
        from scipy import integrate, special

        def below(v: float) -> float:
            p = float(special.betaincinv(*self.first, v)) - c
            return float(special.betainc(*self.second, min(max(p, 0.0), 1.0)))

        start = float(special.betainc(*self.first, min(max(c, 0.0), 1.0)))
        # above the quantile that is 1 + c everything is below
        end = float(special.betainc(*self.first, min(max(1 + c, 0.0), 1.0)))
        found = integrate.quad(below, start, end, epsabs=1e-12, epsrel=1e-10, limit=500)[0] if end > start else 0.0
        return min(1.0, float(found) + 1 - end)


def independent_proportions(x1: int, n1: int, x2: int, n2: int, strength: float = 1.0) -> BetaDifferenceLaw:
    """Posterior of p_1 - p_2 after x1 of n1 and x2 of n2, on items that the two do not share.

    The prior is Beta(strength, strength) for each.
    """
    return BetaDifferenceLaw((x1 + strength, n1 - x1 + strength), (x2 + strength, n2 - x2 + strength))
