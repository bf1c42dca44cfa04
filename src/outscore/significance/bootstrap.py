"""Paired bootstrap tests (Efron & Tibshirani 1993; Koehn 2004; Berg-Kirkpatrick et al. 2012)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.engine import extreme, intervals
from outscore.significance import EXACT, MONTE_CARLO, Outcome, ResamplingTest, make_outcome, notes, test
from outscore.significance.gain import GainContrast
from outscore.significance.laws import bootstrap_law
from outscore.significance.resamples import BOOTSTRAP, DrawRequest
from outscore.significance.statistics import MIRRORED, OBSERVED


@test("bootstrap")
@dataclass(frozen=True)
class Bootstrap(ResamplingTest):
    """Resample items (clusters) with replacement, the same for both systems, and see how the gain varies.

    Args:
        form: ``shift`` asks how often the resampled gain lies as far from the gain as the gain lies from 0 (the 2δ
            rule with ties counted); ``percentile`` how often the resampled gain has the other sign, i.e. inverts the
            percentile interval; ``studentized`` as shift, in units of each resample's own standard error; ``bbk``
            is the algorithm of Berg-Kirkpatrick et al. 2012, Figure 1, as printed: strict, one-sided for the
            observed winner, and s/b, so that identical systems get 0.
        centre: for ``shift``, where the resampled gains are centred: at the gain, or at their own mean, which corrects
            the bias of metrics that are not linear (footnote 3).
        exact: ``auto`` takes the law of infinitely many resamples where it is affordable: for means of whole numbers,
            and few items; ``never`` samples. The forms studentized and bbk sample always.
    """

    also: ClassVar[tuple[str, ...]] = ("paired_bootstrap", "bs", "paired_bs")
    null: ClassVar[str] = "the expected gain on new items is 0"
    formula: ClassVar[str] = (
        "p = P*(|δ* - δ| ≥ |δ|), δ* the gain of n items drawn with replacement from the n; percentile: p = 2 "
        "min(P*(δ* ≤ 0), P*(δ* ≥ 0)); studentized: p = P*(|δ* - δ|/se* ≥ |δ|/se); bbk, for the observed "
        "winner: p = P*(δ* > 2δ), nothing added"
    )
    applies: ClassVar[str] = (
        "any metric, with 200 items (clusters) or more, where a statement about the mean of new items is wanted; with"
        " few items it rejects too often, the studentized form least"
    )
    needs: ClassVar[str] = "two or more items (clusters) that both systems answered"
    citation: ClassVar[str] = "Efron & Tibshirani 1993; Koehn 2004; Berg-Kirkpatrick et al. 2012"

    form: Literal["shift", "percentile", "studentized", "bbk"] = "shift"
    centre: Literal["gain", "boot_mean"] = "gain"
    exact: Literal["auto", "never"] = "auto"

    def side(self, pair: GainContrast) -> str:
        return "one-sided for the observed winner, strict (>)" if self.form == "bbk" else super().side(pair)

    def refuses(self, pair: GainContrast) -> str | None:
        if self.centre == "boot_mean" and self.form != "shift":
            return f"bootstrap:centre=boot_mean belongs to form=shift, not to form={self.form}"
        if self.form == "studentized" and not pair.stats.of_sums:
            return f"bootstrap:form=studentized needs a score of sums, which {pair.stats.name} is not; use form=shift"
        return None

    def compute_directly(self, pair: GainContrast) -> Outcome | None:
        if pair.identical and self.form == "bbk":
            return Outcome(p_value=0.0, p_kind=MONTE_CARLO, notes=(notes.IDENTICAL, notes.BBK))
        if pair.identical:
            return Outcome(p_value=1.0, p_kind=MONTE_CARLO, p_min=1.0, notes=(notes.IDENTICAL,))
        if pair.n_units < 2:
            return Outcome(p_value=None, p_kind=MONTE_CARLO, notes=(notes.TOO_FEW,))
        return self._test_by_law(pair)

    def draws(self, pair: GainContrast) -> Sequence[DrawRequest]:
        return (BOOTSTRAP, pair.studentized_bootstrap) if self.form == "studentized" else (BOOTSTRAP,)

    def _test_by_law(self, pair: GainContrast) -> Outcome | None:
        """The p-value that infinitely many resamples would give, where their law is at hand and can show it."""
        lawful = self.exact == "auto" and self.form in ("shift", "percentile") and not pair.stratified
        law = bootstrap_law(pair) if lawful else None
        if law is None:
            return None

        def tail(at: float, side: extreme.Alternative) -> float:
            return extreme.tail_mass(law.support, law.mass, at, alternative=side, slack=pair.slack)

        low, high = sorted((0.0, 2 * pair.gain))
        if tail(low, "less") == 0.0 or tail(high, "greater") == 0.0:
            return None  # how small p is in an empty tail, no resampling can show
        side = pair.settings.alternative
        if self.form == "percentile":
            below, above = tail(0.0, "less"), tail(0.0, "greater")
            p = {"two-sided": min(1.0, 2 * min(below, above)), "greater": below, "less": above}[side]
        else:
            centre = pair.gain if self.centre == "gain" else law.mean()
            moved = law.support - centre
            p = extreme.tail_mass(moved, law.mass, pair.gain, alternative=side, slack=pair.slack)
        return Outcome(
            p_value=p,
            p_kind=EXACT,
            effect={"se": law.sd(), "bias": law.mean() - pair.gain},
            notes=tuple(self._notes(pair)),
        )

    def from_draws(self, pair: GainContrast) -> Outcome:
        draws, gain, side = pair.bootstrap_values, pair.gain, pair.settings.alternative
        doubled = False
        if self.form == "percentile":
            exceedances, doubled = pair.bootstrap_positions.smaller_tail(MIRRORED, side)
        elif self.form == "studentized":
            drawn = pair.studentized
            centre = pair.pooled_gain  # the resampled gains are those of all runs together
            exceedances = drawn.exceedances(
                intervals.studentized_extreme(centre, drawn.error, *drawn.values, alternative=side)
            )
        elif self.form == "bbk":
            positions = pair.bootstrap_positions
            exceedances = positions.count_above(OBSERVED) if gain >= 0 else positions.count_below(OBSERVED)
        elif self.centre == "boot_mean":
            moved = draws - draws.mean()
            extremes = extreme.is_as_extreme(moved, gain, alternative=side, slack=pair.slack)
            exceedances = pair.resamples.exceedances(extremes)
        else:
            exceedances = pair.bootstrap_positions.count_as_extreme(OBSERVED, MIRRORED, side, positive=gain >= 0)
        found = make_outcome(
            exceedances,
            doubled=doubled,
            effect={"se": float(draws.std(ddof=1)), "bias": float(draws.mean() - gain)},
            notes=self._notes(pair),
        )
        as_printed = exceedances.total / exceedances.drawn
        return replace(found, p_value=as_printed, p_min=None) if self.form == "bbk" else found

    def _notes(self, pair: GainContrast) -> list[Note]:
        found = [notes.BBK] if self.form == "bbk" else []
        if pair.has_runs:
            found.append(notes.ITEMS_ONLY)
        if np.ptp(pair.without_units) <= pair.slack:
            found.append(notes.ZERO_VARIANCE)
        if pair.n_units < 30:
            found.append(notes.FEW_CLUSTERS if pair.clustered else notes.FEW_ITEMS)
        elif pair.n_units < 200 and not pair.clustered and self.form != "studentized":
            found.append(notes.UNDER_200)
        if pair.n_different < 20:
            found.append(notes.RARE)
        if pair.stats.plain_mean and not pair.clustered:
            found += pair.shape_notes
        return found
