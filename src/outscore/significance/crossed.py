"""The default for several runs: does the gain hold for new runs *and* new items?

Model y_sri = μ_s + a_sr + u_i + c_si + e_sri. A score that is a mean of item values enters as those values. A corpus
score, or a mean in clusters, enters as its run scores and the jackknife pseudo-values ψ_sri = n f(S_sr) -
(n - 1) f(S_sr - S_sri), from which a mean in unequal clusters has its CR2 variances.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar, Literal

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.engine.extreme import Alternative
from outscore.significance import ASYMPTOTIC, Outcome, Test, notes, test
from outscore.significance.contrast import Contrast
from outscore.significance.gain import GainContrast
from outscore.significance.means import OF_UNEQUAL_RUNS, TTest, freedom, pool_runs, satterthwaite, t_from

Variant = Literal["conservative", "satterthwaite"]
RunVariances = Literal["separate", "pooled"]


@dataclass(frozen=True, kw_only=True)
class RunTable:
    """One system with R runs on n items.

    Attributes:
        run_scores: shape ``(R,)``, the score of each run.
        values: shape ``(R, n)``, item values whose mean over items is (about) the run score: the item scores of an
            additive metric, the pseudo-values of a corpus metric, or of an additive one in clusters.
        shares: the proportion of the items that each cluster holds, of a mean in unequal ones; else None.
    """

    run_scores: Float
    values: Float
    shares: Float | None = None


@dataclass(frozen=True, kw_only=True)
class Components:
    """Variance components of one system, by the two-way ANOVA of runs × items.

    Attributes:
        ms_run: mean square of runs; NaN for one run. The other mean squares likewise.
        ms_item: mean square of items.
        ms_residual: mean square of the residual.
        var_run: (ms_run - ms_residual)/n, may be negative.
        var_item: (ms_item - ms_residual)/R, may be negative.
        run_variance: s² of the run scores, ddof 1.
    """

    ms_run: float
    ms_item: float
    ms_residual: float
    var_run: float
    var_item: float
    run_variance: float


@dataclass(frozen=True, kw_only=True)
class CrossedResult:
    """A test, or the uncertainty, over runs and items together.

    Attributes:
        test: estimate, se, df, p and interval.
        variant: conservative or satterthwaite.
        variance_runs: Σ_s s_s²/R_s.
        variance_items: s²/n of the run-averaged item values (of their difference, for two systems), or its CR2.
        variance_residual: Σ_s MSres_s/(R_s n), or CR2, which both of them contain; subtracted by ``satterthwaite``.
        share_runs: variance_runs over the sum of both, NaN if that is zero.
    """

    test: TTest
    variant: Variant
    variance_runs: float
    variance_items: float
    variance_residual: float
    share_runs: float


def components(system: RunTable) -> Components:
    """Mean squares and variance components of one system (Searle et al. 1992)."""
    y = system.values
    r, n = y.shape
    grand = float(y.mean())
    by_run, by_item = y.mean(axis=1), y.mean(axis=0)
    if r < 2 or n < 2:
        nan = math.nan
        return Components(ms_run=nan, ms_item=nan, ms_residual=nan, var_run=nan, var_item=nan, run_variance=nan)
    ms_run = n * float(((by_run - grand) ** 2).sum()) / (r - 1)
    ms_item = r * float(((by_item - grand) ** 2).sum()) / (n - 1)
    residual = y - by_run[:, None] - by_item[None, :] + grand
    ms_residual = float((residual**2).sum()) / ((r - 1) * (n - 1))
    return Components(
        ms_run=ms_run, ms_item=ms_item, ms_residual=ms_residual, var_run=(ms_run - ms_residual) / n,
        var_item=(ms_item - ms_residual) / r, run_variance=float(system.run_scores.var(ddof=1)),
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Variances:
    """Variance components of one system, in the squared unit of the score.

    Attributes:
        run: between runs, of the score on infinitely many items.
        item: between items, of what an item does to this system only.
        residual: what is left of a run on an item.
    """

    run: float
    item: float
    residual: float

    def __post_init__(self) -> None:
        if min(self.run, self.item, self.residual) < 0 or self.run + self.item + self.residual == 0:
            raise UsageError("variance components are 0 or more, and not all 0")

    @classmethod
    def of(cls, system: RunTable, baseline: RunTable) -> Variances:
        """The components of two systems, averaged; negative ones are 0. Of items it is that of their difference."""
        both = [components(one) for one in (system, baseline)]
        runs = [len(one.run_scores) for one in (system, baseline)]
        difference = system.values.mean(axis=0) - baseline.values.mean(axis=0)
        left = sum(part.ms_residual / r for part, r in zip(both, runs, strict=True))
        return cls(
            run=sum(max(part.var_run, 0.0) for part in both) / 2,
            item=max(float(difference.var(ddof=1)) - left, 0.0) / 2,
            residual=sum(part.ms_residual for part in both) / 2,
        )

    def error(self, runs: int, items: float) -> float:
        """Standard error of the gain."""
        return math.sqrt(2 * self.run / runs + 2 * self.item / items + 2 * self.residual / (runs * items))

    def df(self, runs: int, items: float) -> float:
        """Satterthwaite's degrees of freedom of the crossed t test, at least those of its poorest part."""
        of_runs = (self.run + self.residual / items) / runs
        of_items = (2 * self.item + 2 * self.residual / runs) / items
        below = 2 * of_runs**2 / (runs - 1) + of_items**2 / (items - 1)
        return max(self.error(runs, items) ** 4 / below, min(runs, items) - 1)


def crossed_t(
    a: RunTable,
    b: RunTable,
    *,
    variant: Variant = "satterthwaite",
    variances: RunVariances = "separate",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> CrossedResult:
    """Crossed t test.

    Null hypothesis H_cross: equal means over the populations of runs and of items.

    With V1 = Σ_s s_s²/R_s + s_d̄²/n, d̄ the run-averaged item differences, and V_res = Σ_s MSres_s/(R_s n),
    which V1 holds twice: ``conservative`` takes V1, ``satterthwaite`` max(V1 - V_res, s_d̄²/n). Degrees of
    freedom V²/(Σ_s (s_s²/R_s)²/(R_s - 1) + (s_d̄²/n)²/(n - 1)), at least those of the
    poorest part; fewer where numbers of runs differ, see ``freedom``. Runs are not paired. Of a mean of items in
    unequal clusters s_d̄²/n and V_res are CR2 variances, whose degrees of freedom stand for n - 1.

    Args:
        a: the system.
        b: the baseline, on the same items in the same order.
        variant: as above.
        variances: ``pooled`` takes s_s² of both systems for estimates of one variance, as a mixed model with one
            variance of runs does: Σ(R_s - 1)s_s²/Σ(R_s - 1), with Σ(R_s - 1) degrees of freedom.
        alternative: the side.
        level: level of the interval.

    Raises:
        UsageError: fewer than two runs or items, or different items.
    """
    if a.values.shape[1] != b.values.shape[1]:
        raise UsageError(f"{a.values.shape[1]} items against {b.values.shape[1]}: both systems need the same items")
    return _test((a, b), variant, variances, alternative, level)


def crossed_mean(a: RunTable, *, level: float = 0.95) -> CrossedResult:
    """Mean score of one system with its standard error, degrees of freedom and interval over runs and items.

    The one-system form of ``crossed_t``: V1 = s²/R + s_ȳ²/n, V_res = MSres/(R n). Its p is of a mean of zero.
    """
    return _test((a,), "satterthwaite", "separate", "two-sided", level)


def _test(
    systems: tuple[RunTable, ...],
    variant: Variant,
    variances: RunVariances,
    alternative: Alternative,
    level: float,
) -> CrossedResult:
    """The test from one system, or from two on the same items."""
    if variant not in ("conservative", "satterthwaite"):
        raise UsageError(f"variant={variant!r}: expected conservative or satterthwaite")
    if variances not in ("separate", "pooled"):
        raise UsageError(f"variances={variances!r}: expected separate or pooled")
    n, shares = systems[0].values.shape[1], systems[0].shares
    runs = [s.run_scores.size for s in systems]
    if min(runs) < 2 or n < 2:
        raise UsageError("a crossed test needs at least two runs of each system and two items")
    means = [float(s.run_scores.mean()) for s in systems]
    gain = means[0] - sum(means[1:])
    by_item = systems[0].values.mean(axis=0) - sum(s.values.mean(axis=0) for s in systems[1:])
    per_run = [float(s.run_scores.var(ddof=1)) / r for s, r in zip(systems, runs, strict=True)]
    if shares is None:
        units, items = float(n), float(by_item.var(ddof=1)) / n
        residual = sum(components(s).ms_residual / (r * n) for s, r in zip(systems, runs, strict=True))
    else:
        # a cluster adds r to a score, so that its pseudo-value lies (n - 1) r/(1 - share) off; CR2 is Σ r²/(1 - share)
        cr2 = (1 - shares) / (n - 1) ** 2
        units, items = satterthwaite(shares) + 1, float(cr2 @ (by_item - gain) ** 2)
        left = [s.values - s.run_scores[:, None] for s in systems]
        residual = sum(float(((y - y.mean(axis=0)) ** 2 @ cr2).sum()) / (len(y) * (len(y) - 1)) for y in left)
    if variances == "pooled":
        spread = pool_runs(per_run, runs)
        per_run, runs = [sum(spread / r for r in runs)], [1 + sum(r - 1 for r in runs)]
    whole = sum(per_run) + items
    twice = 0.0 if variant == "conservative" else residual
    df = freedom(per_run, runs, items, units, twice) if whole > 0 else units - 1
    return CrossedResult(
        test=t_from(
            gain,
            math.sqrt(max(whole - twice, items)),
            df,
            alternative=alternative,
            level=level,
            scale=max(abs(mean) for mean in means),
        ),
        variant=variant,
        variance_runs=sum(per_run),
        variance_items=items,
        variance_residual=residual,
        share_runs=sum(per_run) / whole if whole > 0 else math.nan,
    )


_UNEQUAL_RUNS = {2: (".05", ".05", ".09"), 3: (".05", ".06", ".07"), 4: (".05", ".05", ".06")}
"""Largest levels of a nominal .05 by the smaller number of runs, up to 20 on the other side: where the runs of that
system vary half as much as those of the other, alike, and twice as much."""

POOLED_RUNS = Note(
    code="pooled_runs",
    text=(
        "one variance of runs is taken for both systems: where runs of the system with fewer runs vary twice as much, "
        "a 5 % test rejects in 26 % of cases for 2 runs against 20, 9 % for 2 against 2"
    ),
    remedy="use --test crossed, which takes the variances apart",
)


def note_unequal_runs(runs: Sequence[int], *, pooled: bool = False) -> tuple[Note, ...]:
    """The notes on the level where the systems have different numbers of runs, few of one of them."""
    if pooled:
        return (POOLED_RUNS,)
    if len(set(runs)) == 1 or min(runs) not in _UNEQUAL_RUNS:
        return ()
    half, alike, twice = _UNEQUAL_RUNS[min(runs)]
    text = (
        f"different numbers of runs: the level of a 5 % test is at most {alike} where runs of both systems vary alike, "
        f"{half} where those of the system with fewer runs vary half as much, {twice} twice as much"
    )
    return (Note(code="unequal_runs", text=text, remedy="give as many runs of each system, or five of each at least"),)


@test("crossed")
@dataclass(frozen=True)
class Crossed(Test):
    """t over runs and items together; for a corpus metric the items enter by jackknife pseudo-values.

    The variance of the gain is what runs and what items (clusters) contribute, without counting twice what both hold;
    degrees of freedom are Satterthwaite's, and fewer where the numbers of runs differ. Runs are not paired.

    Args:
        variant: ``satterthwaite``, or ``conservative``, which leaves the doubly counted part in.
        variances: ``separate`` for each system, as Welch takes them, or ``pooled``: one variance of runs for both, as a
            mixed model with one such variance has it. Pooling has more power with few runs, and is wrong where the
            systems' runs vary by different amounts and their numbers differ.
    """

    null: ClassVar[str] = "the expected gain over new runs and new items is 0"
    formula: ClassVar[str] = (
        "t = δ/√V, V = s_A²/R_A + s_B²/R_B + s_d²/n - v: s_A² and s_B² between the scores of R runs, s_d² between the"
        " items' differences averaged over runs, v = MS_A/(R_A n) + MS_B/(R_B n) of what is left beside runs and "
        "items, V at least s_d²/n; conservative: v = 0; Satterthwaite's degrees of freedom, "
        f"{OF_UNEQUAL_RUNS}; a mean in unequal clusters: s_d²/n, v and its degrees of freedom are CR2's; "
        "pooled: s_A² and s_B² are their mean by degrees of freedom"
    )
    applies: ClassVar[str] = (
        "claims about methods, on new runs and new items: the default for several runs; runs and items are near "
        "normal or many"
    )
    needs: ClassVar[str] = "two or more runs of each system, better five, and 30 items or more"
    citation: ClassVar[str] = "Clark et al. 2011 (the question); Welch 1947; Aspin 1948; Miller 2024"

    variant: Literal["satterthwaite", "conservative"] = "satterthwaite"
    variances: Literal["separate", "pooled"] = "separate"

    def question(self, pair: GainContrast) -> str:
        units = "clusters of items" if pair.clustered else "items"
        return f"do the methods differ, on new runs and new {units}?"

    def refuses(self, pair: GainContrast) -> str | None:
        if min(pair.n_runs) < 2:
            a, b = pair.n_runs
            return f"crossed needs at least two runs of each system, but there are {a} and {b}; use --test auto"
        return None

    def run(self, pair: GainContrast) -> Outcome:
        if pair.identical:
            return Outcome(p_value=1.0, p_kind=ASYMPTOTIC, notes=(notes.IDENTICAL,))
        if pair.n_units < 2:
            return Outcome(p_value=None, p_kind=ASYMPTOTIC, notes=(notes.TOO_FEW,))
        found = crossed_t(
            *run_tables(pair),
            variant=self.variant,
            variances=self.variances,
            alternative=pair.settings.alternative,
            level=pair.settings.coverage,
        )
        said = []
        constant = found.test.degenerate == "zero_variance"
        if constant:
            said.append(notes.ZERO_VARIANCE)
        if min(pair.n_runs) < 5:
            said.append(notes.FEW_RUNS)
        said += note_unequal_runs(pair.n_runs, pooled=self.variances == "pooled")
        if pair.n_units < 30:
            said.append(notes.FEW_CLUSTERS if pair.clustered else notes.FEW_ITEMS)
        if pair.stats.plain_mean:
            said += pair.shape_notes
        return Outcome(
            p_value=None if constant else found.test.p,
            p_kind=ASYMPTOTIC,
            effect={
                "statistic": found.test.statistic,
                "df": found.test.df,
                "se": found.test.se,
                "share_of_variance_from_runs": found.share_runs,
            },
            ci=(found.test.low, found.test.high),
            ci_method="degenerate" if constant else "crossed t interval over runs and items",
            notes=tuple(said),
        )


def over_runs(estimate: Contrast) -> TTest:
    """The crossed t of a gain or a score over runs and items, two runs of each system or more."""
    tables = tuple(make_runs(estimate, system) for system, _ in estimate.signed)
    return _test(tables, "satterthwaite", "separate", "two-sided", estimate.level).test


def run_tables(pair: GainContrast) -> tuple[RunTable, RunTable]:
    """The system and the baseline of a pair."""
    return make_runs(pair, pair.system), make_runs(pair, pair.baseline)


def make_runs(estimate: Contrast, system: int) -> RunTable:
    """Run scores and (pseudo-)values of one system, those of a gain signed so that more is better."""
    stats, sign = estimate.stats, estimate.stats.sign if estimate.what == "gain" else 1.0
    shares = stats.shares[system] if estimate.clustered and stats.plain_mean else None
    return RunTable(
        run_scores=sign * stats.run_scores[system],
        values=sign * stats.pseudo_values[system],
        shares=None if shares is None or shares.min() == shares.max() else shares,
    )
