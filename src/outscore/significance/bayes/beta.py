"""Right-or-wrong items that the systems do not share: two beta laws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from outscore.base.errors import UsageError
from outscore.significance.bayes import Posterior, SampleMethod, method, of_law, remarks
from outscore.significance.independent import IndependentSamples
from outscore.significance.textbook.posteriors import independent_shares


@method("beta")
@dataclass(frozen=True)
class TwoShares(SampleMethod):
    """Each system has a share of right answers of its own, and both shares have beta laws, independent of each other.

    Args:
        strength: what the prior counts for, in right and in wrong items each; 1 makes all shares equally likely.
    """

    model: ClassVar[str] = (
        "each system is right on its own items independently, with a share of its own; better means that the share of "
        "the system is above that of the baseline, by more than the ROPE"
    )
    formula: ClassVar[str] = (
        "P(π_A - π_B > ROPE), π_A ~ Beta(x + a, n - x + a) after x of n right items, π_B likewise; a the strength"
    )
    applies: ClassVar[str] = "right or wrong on items that the systems do not share and that do not hang together"
    needs: ClassVar[str] = "items scored 0 or 1, one run of each system"
    citation: ClassVar[str] = "Altham 1969"

    strength: float = 1.0

    def __post_init__(self) -> None:
        if not self.strength > 0:
            raise UsageError(f"beta:strength={self.strength:g}: expected a number above 0")

    def prior(self, rope: float) -> str:
        even = "all shares are equally likely" if self.strength == 1 else "shares lie alike about one half"
        return f"Beta({self.strength:g}, {self.strength:g}) for each system: {even}"

    def refuses(self, samples: IndependentSamples) -> str | None:
        if not samples.binary:
            return "beta: items are not right or wrong, once each; on shared items use --method t or bootstrap"
        return None

    def run(self, samples: IndependentSamples, rope: float) -> Posterior:
        (right, other_right), (n, m) = samples.right, samples.sizes
        law = independent_shares(right, n, other_right, m, self.strength)
        counts = {"right": right, "n_system": n, "baseline_right": other_right, "n_baseline": m}
        said = (remarks.PAIRED,) if samples.shared else ()
        return of_law(law, rope, samples.settings.alpha, counts, *said)
