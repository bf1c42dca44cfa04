"""Means of items, or of folds that hang together: the Bayesian t."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.beta import student_cdf, student_quantile
from outscore.significance import notes
from outscore.significance.bayes import (
    CONSTANT,
    CORRELATION_IS_GIVEN,
    SKEWED,
    TOO_FEW,
    Evidence,
    PairMethod,
    Posterior,
    PosteriorLaw,
    method,
    posterior_of_law,
)
from outscore.significance.means import shape_notes


@method("t")
@dataclass(frozen=True)
class BayesianT(PairMethod):
    """The mean difference of items has Student's law around the gain.

    Args:
        rho: correlation of the differences of any two items; 0 for independent items, n_test/n_total (0.1 for ten
            folds) where an item is a fold of a cross-validation.
    """

    model: ClassVar[str] = "differences of items are normal; better means that their expectation is above the ROPE"
    formula: ClassVar[str] = (
        "P(μ > ROPE), μ = d̄ + s_d √(1/n + ρ/(1 - ρ)) T, T of Student's law with n - 1 degrees of freedom"
    )
    applies: ClassVar[str] = "a mean of items that is near normal; with rho, scores of the folds of cross-validations"
    needs: ClassVar[str] = "a score for each item, two items or more that differ"
    citation: ClassVar[str] = "Corani & Benavoli 2015; Nadeau & Bengio 2003"

    rho: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.rho < 1:
            raise UsageError(f"t:rho={self.rho:g}: expected a number from 0 to below 1; of folds it is n_test/n_total")

    def prior(self, rope: float) -> str:
        return "every expectation and every logarithm of the standard deviation is equally likely"

    def refuses(self, evidence: Evidence) -> str | None:
        return self.refuses_items(evidence)

    def run(self, evidence: Evidence) -> Posterior:
        d = evidence.pair.differences
        if not d.any():
            return Posterior.nothing_differs()
        if d.size < 2:
            return Posterior.undefined(TOO_FEW)
        if np.ptp(d) <= evidence.pair.slack:
            return Posterior.undefined(CONSTANT)
        law = correlated_t(d, self.rho)
        said = [CORRELATION_IS_GIVEN] if self.rho else []
        said += [SKEWED] if notes.SKEWED in shape_notes(d) else []
        return posterior_of_law(law, evidence.rope, evidence.alpha, {"df": law.df, "scale": law.scale}, *said)


@dataclass(frozen=True)
class StudentLaw(PosteriorLaw):
    """centre + scale · T, T of Student's law with ``df`` degrees of freedom; ``scale`` above 0."""

    df: float
    centre: float
    scale: float

    @property
    def mean(self) -> float:
        return self.centre

    @property
    def spread(self) -> float:
        return self.scale

    def above(self, c: float) -> float:
        return student_cdf((self.centre - c) / self.scale, self.df)

    def quantile(self, level: float) -> float:
        # the middle that it ends has this probability; scipy would take as long to import as all the rest
        middle = abs(2 * level - 1)
        reach = student_quantile(middle, self.df) if middle else 0.0
        return self.centre + math.copysign(self.scale * reach, level - 0.5)


def correlated_t(differences: Float, rho: float = 0.0) -> StudentLaw:
    """Posterior of the expected difference of items whose differences have pairwise correlation ρ.

    μ ~ t_{n-1}(d̄, s² (1/n + ρ/(1 - ρ))) under the prior 1/σ on (μ, σ) (Corani & Benavoli 2015, eq. 8; Nadeau & Bengio
    2003 for ρ = n_test/n_total over the folds of cross-validations). With ρ = 0 it is the Bayesian t.

    Args:
        differences: ``(n,)``, not all the same.
        rho: between 0 and 1.

    Raises:
        UsageError: ρ is not in [0, 1).
    """
    if not 0 <= rho < 1:
        raise UsageError(f"rho={rho:g}: a correlation of folds lies between 0 and 1; it is n_test/n_total")
    n = differences.size
    scale = float(differences.std(ddof=1)) * math.sqrt(1 / n + rho / (1 - rho))
    return StudentLaw(n - 1, float(differences.mean()), scale)
