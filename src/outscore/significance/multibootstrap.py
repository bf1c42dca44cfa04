"""Multi-bootstrap: runs and items are resampled, so that the gain is judged over new runs and new items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.rng import stream
from outscore.engine import extreme
from outscore.engine.intervals import percentile, quantile
from outscore.significance import ASYMPTOTIC, Outcome, ResamplingTest, make_outcome, notes, test
from outscore.significance.crossed import crossed_t, note_unequal_runs, run_tables
from outscore.significance.gain import GainContrast
from outscore.significance.means import OF_UNEQUAL_RUNS, freedom, t_from
from outscore.significance.resamples import BOOTSTRAP, DrawRequest

_AT_ONCE = 2**16  # resamples whose runs are drawn from one random stream
_NOISY = 0.1  # of the variance of the gain, from which the level is below .035


@dataclass(frozen=True, kw_only=True)
class BootstrapSpread:
    """How a gain varies over resampled runs and items together.

    Attributes:
        draws: ``(kept,)`` gains of resampled runs on resampled test sets.
        se: their standard deviation, from the variances of the parts.
        df: degrees of freedom, see ``freedom``.
        share_runs: proportion of the variance that comes from runs.
    """

    draws: Float
    se: float
    df: float
    share_runs: float


@test("multibootstrap")
@dataclass(frozen=True)
class MultiBootstrap(ResamplingTest):
    """Resample runs of each system by themselves, and items (clusters) for both at once; how does the gain vary?

    A resample's gain is the gain of the mean scores of the resampled runs on the resampled test set, for any metric.

    Args:
        form: ``t`` takes the standard deviation of the resampled gains and Student's law, with degrees of freedom for
            runs and items, and holds its level with few runs, too; ``shift`` asks how often the resampled gain lies as
            far from the gain as the gain lies from 0, ``percentile`` how often it has the other sign.
        rescale: widen what the resampled runs add by √(R/(R - 1)), as R resampled runs vary less than new ones do.
        paired: the i-th runs of both systems belong together (one seed, one order of the data), so they are resampled
            together.
    """

    null: ClassVar[str] = "the expected gain over new runs and new items is 0"
    formula: ClassVar[str] = (
        "t = δ/√(v_A + v_B + v_n), v_A and v_B the variances of δ* over resampled runs times R/(R - 1), v_n that over "
        "resampled items; (v_A + v_B + v_n)²/(v_A²/(R_A - 1) + v_B²/(R_B - 1) + v_n²/(n - 1)) degrees of freedom, "
        f"{OF_UNEQUAL_RUNS}; "
        "shift: p = P*(|δ* - δ| ≥ |δ|); percentile: p = 2 min(P*(δ* ≤ 0), P*(δ* ≥ 0))"
    )
    applies: ClassVar[str] = (
        "several runs of each system on the same items, any metric; runs and items are samples of those that are meant"
    )
    needs: ClassVar[str] = "two runs of each system at least; ten for the forms shift and percentile"
    citation: ClassVar[str] = "Sellam et al. 2022; Owen 2007; Davison & Hinkley 1997, §3.8; Aspin 1948"

    form: Literal["t", "shift", "percentile"] = "t"
    rescale: bool = True
    paired: bool = False

    def question(self, pair: GainContrast) -> str:
        units = "clusters of items" if pair.clustered else "items"
        return f"do the methods differ, on new runs and new {units}?"

    def refuses(self, pair: GainContrast) -> str | None:
        a, b = pair.n_runs
        if min(a, b) < 2:
            return f"multibootstrap needs at least two runs of each system, but there are {a} and {b}; use --test auto"
        if self.paired and a != b:
            return f"multibootstrap:paired=true needs as many runs of both systems, not {a} and {b}; use paired=false"
        return None

    def compute_directly(self, pair: GainContrast) -> Outcome | None:
        if pair.identical:
            return Outcome(
                p_value=1.0, p_kind=ASYMPTOTIC, ci=(0.0, 0.0), ci_method="degenerate", notes=(notes.IDENTICAL,)
            )
        if pair.n_units < 2:
            return Outcome(p_value=None, p_kind=ASYMPTOTIC, notes=(notes.TOO_FEW,))
        return None

    def draws(self, pair: GainContrast) -> Sequence[DrawRequest]:
        return (BOOTSTRAP,)

    def from_draws(self, pair: GainContrast) -> Outcome:
        spread = self.spread(pair)
        if spread is None:
            return Outcome(p_value=None, p_kind=ASYMPTOTIC, notes=(notes.ZERO_VARIANCE,))
        return self._outcome(pair, spread)

    def spread(self, pair: GainContrast) -> BootstrapSpread | None:
        """How the gain varies over resampled runs and items, which were drawn; None where it does not."""
        of_runs = self._resample_runs(pair)
        of_items = pair.bootstrap_values
        parts = [float(part.var(ddof=1)) for part in of_runs]
        item_part = float(of_items.var(ddof=1))
        variance = sum(parts) + item_part
        error = math.sqrt(variance)
        if error <= pair.slack:
            return None
        return BootstrapSpread(
            draws=of_items + np.sum(of_runs, axis=0),
            se=error,
            df=freedom(parts, pair.n_runs[: len(parts)], item_part, pair.n_units),
            share_runs=sum(parts) / variance,
        )

    def _resample_runs(self, pair: GainContrast) -> list[Float]:
        """Terms that resampled runs add to each gain ``(kept,)``: of the system and of the baseline, or of both."""
        shares = []
        for side, number in ((1.0, pair.system), (-1.0, pair.baseline)):
            scores = pair.stats.sign * side * pair.resamples.bootstrap_scores(pair.metric_index, number)
            wide = math.sqrt(len(scores) / (len(scores) - 1)) if self.rescale else 1.0
            # a system's runs are resampled alike in all of its pairs
            purpose = "runs of all systems" if self.paired else f"runs of system {number}"
            shares.append(wide * _resample_runs_of(scores, pair.settings.seed, purpose))
        return [shares[0] + shares[1]] if self.paired else shares

    def _outcome(self, pair: GainContrast, spread: BootstrapSpread) -> Outcome:
        gain, side, level = pair.gain, pair.settings.alternative, pair.settings.coverage
        draws = spread.draws
        effect = {"se": spread.se, "df": spread.df, "share_of_variance_from_runs": spread.share_runs}
        said = self._notes(pair)
        if self.form == "t":
            found = t_from(gain, spread.se, spread.df, alternative=side, level=level)
            return Outcome(
                p_value=found.p,
                p_kind=ASYMPTOTIC,
                effect={"statistic": found.statistic, **effect, "n_resamples": draws.size},
                ci=(found.low, found.high),
                ci_method="t interval over resampled runs and items",
                notes=tuple(said),
            )
        if self.form == "percentile":
            below, above = (
                pair.resamples.exceedances(extreme.is_as_extreme(draws, 0.0, alternative=a, slack=pair.slack))
                for a in _SIDES
            )
            doubled = side == "two-sided"
            exceedances = min(below, above, key=lambda h: h.total) if doubled else below if side == "greater" else above
            ends = percentile(draws, level)
            ci, method = (ends.low, ends.high), "percentile interval over resampled runs and items"
        else:
            moved, doubled = draws - gain, False
            exceedances = pair.resamples.exceedances(
                extreme.is_as_extreme(moved, gain, alternative=side, slack=pair.slack)
            )
            half = float(quantile(np.abs(moved), level))
            ci, method = (gain - half, gain + half), "symmetric bootstrap interval over resampled runs and items"
        outcome = make_outcome(exceedances, doubled=doubled, effect=effect, notes=said)
        return replace(outcome, ci=ci, ci_method=method)

    def _notes(self, pair: GainContrast) -> list[Note]:
        said = []
        if min(pair.n_runs) < 5:
            said.append(notes.FEW_RUNS)
        said += note_unequal_runs(pair.n_runs)
        if min(pair.n_runs) < 10 and self.form != "t":
            said.append(notes.BOOTSTRAP_OF_FEW_RUNS)
        if pair.n_units < 30:
            said.append(notes.FEW_CLUSTERS if pair.clustered else notes.FEW_ITEMS)
        parts = crossed_t(*run_tables(pair))
        if parts.variance_residual > _NOISY * (parts.variance_runs + parts.variance_items):
            said.append(notes.NOISY_ITEMS)
        return said


_SIDES: tuple[extreme.Alternative, ...] = ("less", "greater")


def _resample_runs_of(scores: Float, seed: int, purpose: str) -> Float:
    """Mean score of resampled runs minus mean score of all runs, on each resampled test set.

    Args:
        scores: ``(runs, kept)`` of all runs on resampled test sets.
    """
    runs, kept = scores.shape
    added = np.empty(kept)
    for block, start in enumerate(range(0, kept, _AT_ONCE)):
        here = scores[:, start : start + _AT_ONCE]
        counts = stream(seed, purpose, block).multinomial(runs, np.full(runs, 1 / runs), size=here.shape[1])
        added[start : start + _AT_ONCE] = ((counts.T - 1) * here).sum(axis=0) / runs
    return added
