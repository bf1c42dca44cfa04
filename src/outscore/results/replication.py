"""The records of a comparison that is repeated on several data sets."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from outscore.base.errors import inflect
from outscore.results.result import Interval, Result, kinds


@dataclass(frozen=True, kw_only=True)
class SetGain:
    """A system against the baseline on one data set.

    Attributes:
        n_items: items of the data set.
        gain: score of the system minus score of the baseline, signed so that positive is better.
        ci: two-sided interval of the gain at level 1 - alpha; None where it is undefined. ``ci_method``: how it was
            made.
        test: name of the test; empty where the data set holds one number for each system, which cannot be tested.
        p_value: one-sided, on the side of the claim; None where there was no test.
        p_kind, p_error: as in ``Pair``.
        p_holm: adjusted by Holm over the data sets of this system and metric.
        p_adjusted: adjusted over all systems, metrics and data sets by the correction of the result.
        notes: codes of the notes that concern this gain.
    """

    data_set: str
    system: str
    baseline: str
    metric: str
    n_items: int
    baseline_score: float
    system_score: float
    gain: float
    ci: Interval | None
    ci_method: str
    test: str
    p_value: float | None
    p_kind: str
    p_error: float | None
    p_holm: float | None
    p_adjusted: float | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class AcrossSets:
    """One answer from all data sets together.

    Attributes:
        test: ``fisher``, ``stouffer`` and ``simes`` combine the p-values of the data sets; ``wilcoxon`` and ``sign``
            take the gain on each data set for one number.
        null: the null hypothesis, in words.
        alternative: the side.
        statistic: of the test; None where it is infinite.
        p_kind: ``exact`` or ``asymptotic``.
        p_min: smallest p-value that so many data sets could have given; None where there is no floor.
        p_adjusted: by Holm over the systems and metrics of the result.
    """

    test: str
    null: str
    alternative: str
    statistic: float | None
    p_value: float
    p_kind: str
    p_min: float | None
    p_adjusted: float


@dataclass(frozen=True, kw_only=True)
class Replicated:
    """On how many data sets a gain holds.

    Attributes:
        n_sets: data sets; ``n_ahead``: those on which the gain has the side of the claim, whatever its size.
        mean_gain: over the data sets, each with the same weight; ``ci``: its t interval at level 1 - alpha, for data
            sets that are a sample of all that are meant.
        count: K̂ by Bonferroni, which holds under any dependence; None where data sets could not be tested.
        count_independent: K̂ by Fisher, for independent data sets.
        p_counts: p-values of "the gain holds on fewer than u data sets", u = 1 ... n, by Bonferroni, each at least
            those before it; ``p_counts_independent``: by Fisher.
        holds_on: the data sets on which Holm's procedure finds the gain; ``count`` of them.
        across: answers from all data sets together.
    """

    system: str
    baseline: str
    metric: str
    n_sets: int
    n_ahead: int
    mean_gain: float
    ci: Interval | None
    count: int | None
    count_independent: int | None
    p_counts: tuple[float, ...]
    p_counts_independent: tuple[float, ...]
    holds_on: tuple[str, ...]
    across: tuple[AcrossSets, ...]


@dataclass(frozen=True, kw_only=True)
class MeanRank:
    """A system by its mean rank over data sets; rank 1 is the best.

    Attributes:
        gap: mean rank of the baseline minus that of the system: positive is better; None for the baseline itself.
        p_nemenyi: of the gap, adjusted over all pairs of systems; ``p_holm``: by Holm over the systems against the
            baseline.
    """

    system: str
    mean_rank: float
    gap: float | None
    p_nemenyi: float | None
    p_holm: float | None


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """Three or more systems by their ranks on each data set, by Friedman's test.

    Attributes:
        null: the null hypothesis, in words.
        chi2: Friedman's, corrected for ties; ``f``: of Iman and Davenport, None where all data sets agree.
        df, df_blocks: degrees of freedom of F; ``df`` is that of χ² too.
        p_value: by all orders within data sets where they can be enumerated, else of F; ``p_kind`` says which.
        kendall_w: agreement of the data sets, between 0 and 1.
        critical_difference: of Nemenyi: mean ranks of any two systems that lie farther apart differ.
        ranks: in the order of the systems.
    """

    metric: str
    null: str
    n_sets: int
    chi2: float
    f: float | None
    df: int
    df_blocks: int
    p_value: float
    p_kind: str
    kendall_w: float
    critical_difference: float
    ranks: tuple[MeanRank, ...]


@kinds.register("replicate")
@dataclass(frozen=True, kw_only=True, repr=False)
class Replication(Result):
    """Systems against a baseline on several data sets; ``scores`` are means over the data sets, of equal weight.

    Attributes:
        alternative: the side of the claim, ``greater`` (the system is better) or ``less``.
        correction: over all gains, see ``SetGain.p_adjusted``.
        data_sets: their names.
        replicated: one for each system and metric.
        set_gains: one for each data set, system and metric.
        rankings: one for each metric, where there are three systems or more.
    """

    baseline: str
    alternative: str
    correction: str
    data_sets: tuple[str, ...]
    replicated: tuple[Replicated, ...]
    set_gains: tuple[SetGain, ...]
    rankings: tuple[Ranking, ...] = ()
    command: str = "replicate"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each data set, system and metric."""
        rows = []
        for gain in self.set_gains:
            row = dataclasses.asdict(gain)
            del row["ci"]
            row["ci_low"], row["ci_high"] = gain.ci or (None, None)
            row["notes"] = " ".join(gain.notes)
            rows.append(row)
        return rows

    def check_whole(self) -> None:
        """Raises TypeError where gains belong to no data set or have no scores."""
        measured = {(score.system, score.metric) for score in self.scores}
        for gain in self.set_gains:
            known = {(gain.system, gain.metric), (gain.baseline, gain.metric)} <= measured
            if gain.data_set not in self.data_sets or not known:
                raise TypeError(f"no data set or no scores for the gain of {gain.system!r} on {gain.data_set!r}")

    def __repr__(self) -> str:
        systems = inflect(len({r.system for r in self.replicated}), "system")
        return f"<Replication on {inflect(len(self.data_sets), 'data set')}: {systems} against {self.baseline!r}>"
