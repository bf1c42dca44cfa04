"""Wins, draws and losses over items or data sets: the Bayesian sign test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.base.errors import UsageError
from outscore.significance.bayes import Evidence, PairMethod, Posterior, counted_items, method, of_law, remarks
from outscore.significance.textbook.posteriors import CellsLaw


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
        weight = f"worth {counted_items(self.strength)}"
        return f"{weight} within the ROPE" if rope else f"{weight}, half of them better and half worse"

    def refuses(self, evidence: Evidence) -> str | None:
        return self.refuses_items(evidence)

    def run(self, evidence: Evidence) -> Posterior:
        d, rope, slack = evidence.pair.differences, evidence.rope, evidence.pair.slack
        better, worse = int((d > rope + slack).sum()), int((d < -rope - slack).sum())
        counts = {"wins": better, "draws": d.size - better - worse, "losses": worse}
        if not rope:
            law = CellsLaw(better + self.strength / 2, worse + self.strength / 2, counts["draws"])
            said = (remarks.IDENTICAL,) if not d.any() else (remarks.NOT_THE_MEAN,)
            return of_law(law, evidence.rope, evidence.alpha, counts, *said)
        if not better and not worse:
            return Posterior.nothing_differs()
        law = CellsLaw(better, worse, counts["draws"] + self.strength)
        chances = law.largest()
        one_sided = () if better and worse else (remarks.ONE_SIDED,)
        return Posterior(
            better=chances[0],
            within=chances[1],
            worse=chances[2],
            mean=law.mean,
            ci=law.interval(1 - evidence.alpha),
            effect=counts,
            notes=(remarks.NOT_THE_MEAN, *one_sided),
        )
