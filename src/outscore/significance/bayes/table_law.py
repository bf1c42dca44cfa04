"""Items that fall into cells: a Dirichlet law of the paired table of right and wrong, and of wins, draws and losses."""

from __future__ import annotations

import math
from functools import cached_property
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.significance.bayes import (
    IDENTICAL,
    NOT_THE_MEAN,
    ONE_SIDED,
    Evidence,
    PairMethod,
    Posterior,
    PosteriorLaw,
    count_items,
    method,
    posterior_of_law,
)
from outscore.significance.bayes.gammas import largest_probabilities, positive_probability


@method("dirichlet")
@dataclass(frozen=True)
class PairedTable(PairMethod):
    """Items fall into four cells, by which systems are right; their proportions have a Dirichlet law.

    Args:
        strength: what the prior counts for in each cell, in items; 1 makes all proportions equally likely, 0.5 is that
            of Jeffreys.
    """

    model: ClassVar[str] = (
        "items fall independently into the four cells of right and wrong; better means that the system alone is right "
        "more often than the baseline alone, by more than the ROPE"
    )
    formula: ClassVar[str] = (
        "P(π_b - π_c > ROPE), (π_a, π_b, π_c, π_d) ~ Dirichlet(counts + prior) of items that both, only the system, "
        "only the baseline and neither gets right"
    )
    applies: ClassVar[str] = "right or wrong on independent items, one run of each system"
    needs: ClassVar[str] = "items scored 0 or 1 by both systems"
    citation: ClassVar[str] = "Altham 1971"

    strength: float = 1.0

    def __post_init__(self) -> None:
        if not self.strength > 0:
            raise UsageError(f"dirichlet:strength={self.strength:g}: expected a number above 0")

    def prior(self, rope: float) -> str:
        even = (
            "all proportions of the four cells are equally likely" if self.strength == 1 else "the four cells are alike"
        )
        return f"Dirichlet({', '.join([f'{self.strength:g}'] * 4)}): {even}"

    def refuses(self, evidence: Evidence) -> str | None:
        if not evidence.pair.binary:
            found = "has several runs" if evidence.pair.has_runs else "is not right or wrong on each item"
            return f"dirichlet: {evidence.pair.stats.name} {found}; use --posterior t or bootstrap"
        return self.refuses_items(evidence)

    def run(self, evidence: Evidence) -> Posterior:
        d = evidence.pair.differences
        b, c = int((d > 0).sum()), int((d < 0).sum())
        law = paired_table(b, c, d.size, self.strength)
        said = (IDENTICAL,) if evidence.pair.identical else ()
        return posterior_of_law(law, evidence.rope, evidence.alpha, {"wins": b, "losses": c}, *said)


@method("sign")
@dataclass(frozen=True)
class BayesianSign(PairMethod):
    """The chances of a better, a worse and an equivalent item have a Dirichlet law.

    A difference at the edge of the ROPE lies within it. Without a ROPE, items with no difference speak for neither
    side, and better means that a better item is likelier than a worse one.

    Args:
        strength: what the prior counts for, in items: within the ROPE, or half on either side where there is none.
    """

    model: ClassVar[str] = (
        "an item is better, within the ROPE or worse, each with an unknown chance; the three numbers are the chances "
        "that this outcome is the likeliest"
    )
    formula: ClassVar[str] = (
        "P(π_better is the largest), (π_better, π_within, π_worse) ~ Dirichlet(counts + prior); without a ROPE "
        "P(π_better > π_worse)"
    )
    applies: ClassVar[str] = "data sets, or items whose size of difference means little"
    needs: ClassVar[str] = "a score for each item, or each data set"
    citation: ClassVar[str] = "Benavoli et al. 2014; Benavoli et al. 2017"
    about: ClassVar[str] = "chance of a better item minus chance of a worse one"

    strength: float = 1.0

    def __post_init__(self) -> None:
        if not self.strength > 0:
            raise UsageError(f"sign:strength={self.strength:g}: expected a number above 0")

    def prior(self, rope: float) -> str:
        weight = f"worth {count_items(self.strength)}"
        return f"{weight} within the ROPE" if rope else f"{weight}, half of them better and half worse"

    def refuses(self, evidence: Evidence) -> str | None:
        return self.refuses_items(evidence)

    def run(self, evidence: Evidence) -> Posterior:
        d, rope, slack = evidence.pair.differences, evidence.rope, evidence.pair.slack
        better, worse = int((d > rope + slack).sum()), int((d < -rope - slack).sum())
        counts = {"wins": better, "draws": d.size - better - worse, "losses": worse}
        if not rope:
            law = TableLaw(better + self.strength / 2, worse + self.strength / 2, counts["draws"])
            said = (IDENTICAL,) if not d.any() else (NOT_THE_MEAN,)
            return posterior_of_law(law, evidence.rope, evidence.alpha, counts, *said)
        if not better and not worse:
            return Posterior.nothing_differs()
        law = TableLaw(better, worse, counts["draws"] + self.strength)
        chances = law.largest()
        one_sided = () if better and worse else (ONE_SIDED,)
        return Posterior(
            better=chances[0],
            within=chances[1],
            worse=chances[2],
            mean=law.mean,
            ci=law.interval(1 - evidence.alpha),
            effect=counts,
            notes=(NOT_THE_MEAN, *one_sided),
        )


@dataclass(frozen=True)
class TableLaw(PosteriorLaw):
    """Proportion of one cell minus proportion of another, where all cells have a Dirichlet law.

    Attributes:
        better, worse: parameters of the two cells; ``other``: of all other cells together, 0 where there is none.
    """

    better: float
    worse: float
    other: float

    @cached_property
    def shapes(self) -> Float:
        return np.array([self.better, self.worse, self.other], dtype=np.float64)

    @property
    def mean(self) -> float:
        return (self.better - self.worse) / float(self.shapes.sum())

    @property
    def spread(self) -> float:
        total = float(self.shapes.sum())
        return math.sqrt(((self.better + self.worse) / total - self.mean**2) / (total + 1))

    def above(self, c: float) -> float:
        held = self.shapes > 0
        return positive_probability(np.array([1 - c, -1 - c, -c])[held], self.shapes[held])

    def largest(self) -> tuple[float, float, float]:
        """The chances that ``better``, ``other`` and ``worse`` is the largest cell."""
        better, worse, other = largest_probabilities(self.shapes).tolist()
        return better, other, worse


def paired_table(b: int, c: int, n: int, strength: float = 1.0) -> TableLaw:
    """Posterior of π10 - π01, the gain in accuracy of two systems on the same n items.

    The prior is Dirichlet(strength, ...) on the four cells of the paired table.

    Args:
        b, c: items that the system alone has right, and that the baseline alone has right.
    """
    return TableLaw(b + strength, c + strength, n - b - c + 2 * strength)
