"""Right-or-wrong items of two systems: a Dirichlet law on the paired table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.base.errors import UsageError
from outscore.significance.bayes import Evidence, PairMethod, Posterior, method, of_law, remarks
from outscore.significance.textbook.posteriors import paired_cells


@method("dirichlet")
@dataclass(frozen=True)
class PairedTable(PairMethod):
    """Items fall into four cells: both systems right, only one of them, both wrong; their shares have a Dirichlet law.

    Args:
        strength: what the prior counts for in each cell, in items; 1 makes all shares equally likely, 0.5 is that of
            Jeffreys.
    """

    model: ClassVar[str] = (
        "items fall independently into the four cells of right and wrong; better means that the system alone is right "
        "more often than the baseline alone, by more than the ROPE"
    )
    formula: ClassVar[str] = (
        "P(π_b - π_c > ROPE), (π_a, π_b, π_c, π_d) ~ Dirichlet(counts + prior) of items that both, only the system, "
        "only the baseline and neither gets right"
    )
    applies: ClassVar[str] = "right or wrong on each item, one run of each system, items that do not hang together"
    needs: ClassVar[str] = "items scored 0 or 1 by both systems"
    citation: ClassVar[str] = "Altham 1971"

    strength: float = 1.0

    def __post_init__(self) -> None:
        if not self.strength > 0:
            raise UsageError(f"dirichlet:strength={self.strength:g}: expected a number above 0")

    def prior(self, rope: float) -> str:
        even = "all shares of the four cells are equally likely" if self.strength == 1 else "the four cells are alike"
        return f"Dirichlet({', '.join([f'{self.strength:g}'] * 4)}): {even}"

    def refuses(self, evidence: Evidence) -> str | None:
        if not evidence.pair.binary:
            found = "has several runs" if evidence.pair.has_runs else "is not right or wrong on each item"
            return f"dirichlet: {evidence.pair.panel.name} {found}; use --method t or bootstrap"
        return self.refuses_items(evidence)

    def run(self, evidence: Evidence) -> Posterior:
        d = evidence.pair.differences
        b, c = int((d > 0).sum()), int((d < 0).sum())
        law = paired_cells(b, c, d.size, self.strength)
        said = (remarks.IDENTICAL,) if evidence.pair.identical else ()
        return of_law(law, evidence.rope, evidence.alpha, {"wins": b, "losses": c}, *said)
