"""Two systems that are right or wrong on the same items."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from outscore.base.errors import UsageError
from outscore.power.chance import PowerAtSize
from outscore.power.mcnemar import ROUNDING, agreement_bounds, discordant_shares, mcnemar_power
from outscore.power.plans import Closed, Question, plan, signed, smallest_gain


@plan("mcnemar")
@dataclass(frozen=True)
class McNemarPlan(Closed):
    """Exact power of McNemar's test, from the disagreements or from accuracies and agreement.

    Args:
        p10: share of items that the system has right and the baseline wrong; ``p01`` the reverse. Their difference is
            the gain.
        baseline: accuracy of the baseline, where the gain is given by itself.
        agreement: share of items on which both are right or both wrong. Where it is not known the power is that of the
            least agreement that the accuracies allow, and the range goes to the most.
        variant: mid-p, exact, chi2 or chi2-cc, as in the test.
    """

    null: ClassVar[str] = "the systems are right equally often"
    kind: ClassVar[str] = "exact"
    unit: ClassVar[str] = "accuracy 0-1"
    citation: ClassVar[str] = "McNemar 1947; Connor 1987; Card et al. 2020"

    p10: float | None = None
    p01: float | None = None
    baseline: float | None = None
    agreement: float | None = None
    variant: Literal["midp", "exact", "chi2", "chi2-cc"] = "midp"

    def __post_init__(self) -> None:
        shares = (self.p10 is None) + (self.p01 is None)
        if shares == 1 or (shares == 0) != (self.baseline is None):
            raise UsageError(
                "mcnemar needs either p10 and p01, or baseline and --effect (and agreement, if it is known)"
            )
        if shares == 0 and self.agreement is not None:
            raise UsageError("mcnemar: p10 and p01 say the agreement; leave agreement out")

    @property
    def procedure(self) -> str:  # type: ignore[override]
        return {"midp": "McNemar mid-p", "exact": "McNemar exact", "chi2": "McNemar χ²"}.get(
            self.variant, "McNemar χ² with continuity correction"
        )

    @property
    def assumes(self) -> str:
        if self.p10 is not None:
            return f"independent items; the system alone is right on {self.p10:g}, the baseline alone on {self.p01:g}"
        known = f"the systems agree on {self.agreement:g}" if self.agreement is not None else "agreement is not known"
        return f"independent items; the baseline is right on {self.baseline:g} of them; {known}"

    def effect(self, given: float | None) -> float:
        if self.p10 is None or self.p01 is None:
            return super().effect(given)
        own = self.p10 - self.p01
        if given is not None and not math.isclose(given, own, abs_tol=1e-9):
            raise UsageError(f"mcnemar: p10 - p01 is {own:g}, but --effect is {given:g}; leave one of them out")
        return own

    def chance(self, n: float, question: Question) -> PowerAtSize:
        return self._chance(n, question, *self._shares(question.effect, most=False))

    def range(self, n: float, question: Question) -> tuple[float, float] | None:
        if self.p10 is not None or self.agreement is not None:
            return None
        found = [self._chance(n, question, *self._shares(question.effect, most=most)).power for most in (False, True)]
        return min(found), max(found)

    def detectable(self, n: float, question: Question) -> float | None:
        side = question.alternative

        def enough(gain: float) -> bool:
            effect = signed(gain, side)
            if not self._possible(effect):
                return False
            return self._chance(n, question, *self._shares(effect, most=False)).power >= question.target

        return smallest_gain(enough, self._largest(side == "less"))

    def _possible(self, effect: float) -> bool:
        """Whether systems that lie so far apart can agree as often as was said."""
        if self.agreement is None or self.baseline is None:
            return True
        least, most = agreement_bounds(self.baseline + effect, self.baseline)
        return least - ROUNDING <= self.agreement <= most + ROUNDING

    def _largest(self, less: bool) -> float:
        """The largest gain that the options leave room for."""
        if self.p10 is not None and self.p01 is not None:
            return self.p10 + self.p01
        assert self.baseline is not None, "checked when made"
        room = self.baseline if less else 1 - self.baseline
        if self.agreement is None:
            return room
        # systems that are both right, or both wrong, on many items must agree on some
        apart = self.agreement + (2 * self.baseline - 1) * (1 if less else -1)
        return min(room, 1 - self.agreement, apart)

    def _shares(self, effect: float, *, most: bool) -> tuple[float, float]:
        """p10 and p01 for a gain, with the most or the least agreement where it is not known."""
        if self.p10 is not None and self.p01 is not None:
            together = self.p10 + self.p01
            return (together + effect) / 2, (together - effect) / 2
        assert self.baseline is not None, "checked when made"
        accuracy = self.baseline + effect
        bounds = agreement_bounds(accuracy, self.baseline)
        return discordant_shares(accuracy, self.baseline, bounds[most] if self.agreement is None else self.agreement)

    def _chance(self, n: float, question: Question, p10: float, p01: float) -> PowerAtSize:
        found = mcnemar_power(
            p10, p01, int(n), method=self.variant, alternative=question.alternative, alpha=question.alpha
        )
        power, size = float(found.power[0]), float(found.size[0])
        wrong = power - float(found.right_side[0]) if p10 != p01 else 0.0
        return PowerAtSize(power=power, wrong=wrong, size=None if math.isnan(size) else size)
