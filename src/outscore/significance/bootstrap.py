"""Paired bootstrap tests (Efron & Tibshirani 1993; Koehn 2004; Berg-Kirkpatrick et al. 2012)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from outscore.base.notes import Note
from outscore.engine import extreme, intervals
from outscore.engine.montecarlo import standard_error_plus_one
from outscore.significance import MONTE_CARLO, Outcome, Test, notes, test
from outscore.significance.experiment import Pairing


@test("bootstrap")
@dataclass(frozen=True)
class Bootstrap(Test):
    """Redraw items (clusters) with replacement, the same for both systems, and see how the gain varies.

    Args:
        form: ``shift`` asks how often the redrawn gain lies as far from the gain as the gain lies from 0 (the 2δ
            rule with ties counted); ``percentile`` how often the redrawn gain has the other sign, i.e. inverts the
            percentile interval; ``studentized`` as shift, in units of each resample's own standard error; ``bbk``
            is the algorithm of Berg-Kirkpatrick et al. 2012, Figure 1, as printed: strict, one-sided for the
            observed winner.
        centre: for ``shift``, where the redrawn gains are centred: at the gain, or at their own mean, which corrects
            the bias of metrics that are not linear (footnote 3).
    """

    null: ClassVar[str] = "the expected gain on new items is 0"
    citation: ClassVar[str] = "Efron & Tibshirani 1993; Koehn 2004; Berg-Kirkpatrick et al. 2012"

    form: Literal["shift", "percentile", "studentized", "bbk"] = "shift"
    centre: Literal["gain", "boot_mean"] = "gain"

    def refuses(self, pair: Pairing) -> str | None:
        if self.centre == "boot_mean" and self.form != "shift":
            return f"bootstrap:centre=boot_mean belongs to form=shift, not to form={self.form}"
        if self.form == "studentized" and not pair.panel.of_sums:
            return f"bootstrap:form=studentized needs a score of sums, which {pair.panel.name} is not; use form=shift"
        return None

    def run(self, pair: Pairing) -> Outcome:
        if pair.identical:
            return Outcome(p_value=1.0, p_kind=MONTE_CARLO, p_min=1.0, notes=(notes.IDENTICAL,))
        if pair.n_units < 2:
            return Outcome(p_value=None, p_kind=MONTE_CARLO, notes=(notes.TOO_FEW,))
        draws, gain = pair.resampled, pair.gain
        side, slack, doubled = pair.settings.alternative, pair.slack, False
        if self.form == "percentile":
            hits, doubled = extreme.count_equal_tailed(draws, 0.0, alternative=side, slack=slack)
        elif self.form == "studentized":
            redrawn, errors, error0 = pair.studentized
            hits = intervals.studentized_test(gain, error0, redrawn, errors, alternative=side).exceedances
        elif self.form == "bbk":
            won = 1.0 if gain >= 0 else -1.0
            hits = extreme.count_beyond(won * draws, 2 * abs(gain), slack=slack)
        else:
            middle = gain if self.centre == "gain" else float(draws.mean())
            hits = int(extreme.count(draws - middle, gain, alternative=side, slack=slack))
        error = standard_error_plus_one(hits, len(draws))
        return Outcome(
            p_value=extreme.p_from_count(hits, len(draws), doubled=doubled),
            p_kind=MONTE_CARLO,
            p_error=2 * error if doubled else error,
            p_min=(2 if doubled else 1) / (len(draws) + 1),
            n_resamples=len(draws),
            effect={"exceedances": hits, "se": float(draws.std(ddof=1)), "bias": float(draws.mean() - gain)},
            notes=tuple(self._notes(pair)),
        )

    def _notes(self, pair: Pairing) -> list[Note]:
        found = [notes.BBK] if self.form == "bbk" else []
        if pair.has_runs:
            found.append(notes.ITEMS_ONLY)
        if np.ptp(pair.jackknife) <= pair.slack:
            found.append(notes.ZERO_VARIANCE)
        if pair.n_units < 30:
            found.append(notes.FEW_CLUSTERS if pair.clustered else notes.FEW_ITEMS)
        elif pair.n_units < 200 and not pair.clustered and self.form != "studentized":
            found.append(notes.UNDER_200)
        if pair.n_different < 20:
            found.append(notes.RARE)
        return found
