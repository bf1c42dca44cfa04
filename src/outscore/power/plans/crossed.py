"""Power over new runs and new items, from variance components, and how to divide a budget between them.

Null hypothesis: the methods do not differ over the populations of runs and of items. For two systems with R runs each
on n items the variance of the gain is 2 σ_a²/R + 2 σ_c²/n + 2 σ_e²/(R n): runs, items under either system, and what
is left of a run on an item.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import ClassVar

import numpy as np
from scipy import special

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.extreme import Alternative, tail_of
from outscore.power.plans import Closed, PowerAtSize, Question, plan, sign_gain, smallest_gain
from outscore.significance.crossed import Variances


def power_of(
    variances: Variances,
    effect: float,
    runs: int,
    items: float,
    alpha: float,
    alternative: Alternative,
    *,
    gains: bool = True,
) -> PowerAtSize:
    """The chance of a rejection by the crossed t test with R runs of each system on n items; ``gains`` as in
    ``t_power``.

    Degrees of freedom are estimated with the variances: by those of the true ones two runs would have a power of .53
    where it is .28. So critical gains are averaged over the laws of all variances (Gauss-Laguerre quadrature).

    Raises:
        UsageError: fewer than two runs or items.
    """
    if runs < 2 or items < 2:
        raise UsageError(f"{runs} runs on {items:g} items: the crossed test needs two of each, better five runs")
    error = variances.error(runs, items)
    critical, weights = _critical_gains(variances, runs, items, alpha, alternative)
    sides = [side for side, without in ((1, "less"), (-1, "greater")) if alternative != without]
    beyond = {side: (critical - side * effect) / error for side in sides}
    shown = {side: float(weights @ special.ndtr(-far)) for side, far in beyond.items()}
    power, wrong = sum(shown.values()), sum(power for side, power in shown.items() if side * effect < 0)
    size = None
    if gains and power > 0:  # the mean of a normal gain beyond a bound
        density = sum(float(weights @ np.exp(-far * far / 2)) for far in beyond.values()) / math.sqrt(2 * math.pi)
        size = (sum(side * effect * one for side, one in shown.items()) + error * density) / power
    return PowerAtSize(power=power, wrong=wrong, size=size)


def _critical_gains(
    variances: Variances, runs: int, items: float, alpha: float, alternative: Alternative
) -> tuple[Float, Float]:
    """Gains from which on the test rejects, at the nodes of the estimated variances, and how much each node weighs."""
    of_runs = (variances.run + variances.residual / items) / runs
    of_items = (2 * variances.item + 2 * variances.residual / runs) / items
    (x, x_weights), (y, y_weights) = (_chi2(n - 1, nodes) for n, nodes in zip((runs, items), _NODES, strict=True))
    a, b, c = np.meshgrid(of_runs * x, of_runs * x, of_items * y, indexing="ij")
    total = np.maximum(a + b + c - 2 * variances.residual / (runs * items), c)
    df = total**2 / ((a**2 + b**2) / (runs - 1) + c**2 / (items - 1))
    critical = -special.stdtrit(np.maximum(df, min(runs, items) - 1), tail_of(alpha, alternative)) * np.sqrt(total)
    weights = np.einsum("i,j,k->ijk", x_weights, x_weights, y_weights)
    # a quantile beyond all numbers is none
    return np.asarray(np.where(np.isnan(critical), np.inf, critical).ravel()), np.asarray(weights.ravel())


@lru_cache(maxsize=256)
def _chi2(df: float, nodes: int) -> tuple[Float, Float]:
    """Nodes and weights of χ²/df; of many degrees of freedom it is 1."""
    if df > _KNOWN:
        return np.ones(1), np.ones(1)
    at, weights = special.roots_genlaguerre(nodes, df / 2 - 1)
    return np.asarray(at * 2 / df), np.asarray(weights / weights.sum())


@dataclass(frozen=True, kw_only=True)
class Costs:
    """The costs of an evaluation of two systems: every run of each of them, and every item once.

    Attributes:
        run, item: in any one currency.
        budget: what may be spent; None to look for the cheapest way.
    """

    run: float
    item: float
    budget: float | None = None

    def __post_init__(self) -> None:
        if not (self.run >= 0 and self.item > 0 and (self.budget is None or self.budget > 0)):
            raise UsageError("a run costs 0 or more, an item and the budget are above 0")

    def compute(self, runs: int, items: int) -> float:
        """The cost of R runs of both systems and n items."""
        return 2 * runs * self.run + items * self.item

    def affordable(self, runs: int) -> int:
        """The items that the budget leaves beside R runs of both systems; 0 where it does not reach for them."""
        assert self.budget is not None, "asked for where there is a budget"
        return max(0, math.floor((self.budget - self.compute(runs, 0)) / self.item + _ROUNDING))


RUNS = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50)
"""Numbers of runs of each system that are weighed against items."""

_ROUNDING = 1e-9  # of a quotient of decimals


_FAR = 1e3  # standard errors
_NODES = (40, 10)  # of a variance between runs, and of that of items
_KNOWN = 100  # degrees of freedom of a variance that is as good as known


@plan("crossed")
@dataclass(frozen=True)
class CrossedPlan(Closed):
    """Power of the crossed t test with several runs of each system, from variance components.

    Args:
        run: variance between runs of the score of a system; ``item`` of what an item does to one system only;
            ``residual`` of what is left. A pilot with several runs gives them.
        runs: runs of each system.
    """

    null: ClassVar[str] = "the methods do not differ over new runs and new items"
    procedure: ClassVar[str] = "crossed t"
    unit: ClassVar[str] = "unit of the scores"
    citation: ClassVar[str] = "Clark et al. 2011 (the question); Welch 1947; Miller 2024"

    run: float
    item: float
    residual: float
    runs: int = 5

    @property
    def assumes(self) -> str:
        return (
            f"{self.runs} runs of each system; variance {self.run:.3g} between runs, {self.item:.3g} between items "
            f"within a system, {self.residual:.3g} left"
        )

    @property
    def variances(self) -> Variances:
        """The components."""
        return Variances(run=self.run, item=self.item, residual=self.residual)

    def power(self, n: float, question: Question) -> PowerAtSize:
        return power_of(self.variances, question.effect, self.runs, n, question.alpha, question.alternative)

    def detectable(self, n: float, question: Question) -> float | None:
        side = question.alternative

        def power(gain: float) -> float:
            signed = sign_gain(gain, side)
            return power_of(self.variances, signed, self.runs, n, question.alpha, side, gains=False).power

        return smallest_gain(power, question.target, _FAR * self.variances.error(self.runs, n))
