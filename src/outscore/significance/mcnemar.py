"""McNemar's test of two systems that are right or wrong on each item (McNemar 1947; Fagerland et al. 2013)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from outscore.significance import ASYMPTOTIC, EXACT, Outcome, Test, notes, test
from outscore.significance.experiment import PairedComparison
from outscore.significance.textbook.binary import mcnemar


@test("mcnemar")
@dataclass(frozen=True)
class McNemar(Test):
    """Among the items that one system gets right and the other wrong, is either system right more often?

    Args:
        variant: ``midp`` is close to its level; ``exact`` never exceeds it, and is conservative; ``chi2`` and
            ``chi2-cc`` are the approximations of the textbooks.
    """

    null: ClassVar[str] = "each system is as likely to be right alone as the other"
    formula: ClassVar[str] = (
        "b items that the system alone gets right, c that the baseline alone does; exact: p = min(1, 2 P(X ≤ min(b, "
        "c))), X ~ Binomial(b + c, ½); midp: p - P(X = min(b, c)); chi2: (b - c)²/(b + c); chi2-cc: (|b - c| - 1)²/(b"
        " + c)"
    )
    applies: ClassVar[str] = "right or wrong answers to independent items, one run of each system"
    needs: ClassVar[str] = "items that are 1 or 0, one run of each system, no clusters"
    citation: ClassVar[str] = "McNemar 1947; Fagerland et al. 2013; interval: Tango 1998"

    variant: Literal["midp", "exact", "chi2", "chi2-cc"] = "midp"

    def refuses(self, pair: PairedComparison) -> str | None:
        if not pair.binary:
            return f"mcnemar needs one run of right or wrong (1 or 0) items: not {pair.panel.name}; use --test auto"
        return None

    def run(self, pair: PairedComparison) -> Outcome:
        better, worse = pair.discordant
        side, level = pair.settings.alternative, 1 - pair.settings.alpha
        found = mcnemar(better, worse, method=self.variant, alternative=side, level=level)
        exact = mcnemar(better, worse, method="exact", alternative=side, level=level)
        said = []
        if pair.identical:
            said.append(notes.IDENTICAL)
        elif self.variant == "midp":
            said.append(notes.MID_P)
        if pair.clustered:
            said.append(notes.TEST_IGNORES_CLUSTERS)
        return Outcome(
            p_value=1.0 if pair.identical else found.p,  # also one-sided, where a mid-p without any pair is one half
            p_kind=EXACT if self.variant in ("midp", "exact") else ASYMPTOTIC,
            p_min=found.min_p,
            effect={
                "odds_ratio": found.odds_ratio,
                "odds_ratio_low": found.odds_low,
                "odds_ratio_high": found.odds_high,
                "p_exact": exact.p,
            },
            notes=tuple(said),
        )
