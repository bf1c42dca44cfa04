"""The records of gains on data sets, and of systems and their ranks over all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer
from outscore.results.details import describe_test
from outscore.results.result import Interval


@dataclass(frozen=True, kw_only=True)
class SetGain:
    """A system against the baseline on one data set.

    Attributes:
        n_items: items of the data set.
        gain: score of the system minus score of the baseline, signed so that positive is better.
        ci: one-sided interval of the gain, which holds with those of all data sets at level 1 - alpha; None where it is
            undefined. ``ci_method``: how it was made.
        test: name of the test; empty where the data set holds one number for each system, which cannot be tested.
        p_value: one-sided, on the side of the claim; None where there was no test.
        p_kind, p_error: as in ``Pair``.
        p_holm: adjusted by Holm over the data sets of this system and metric.
        p_adjusted: adjusted over all systems, metrics and data sets by the correction of the result.
        notes: codes of the notes that concern this gain.
    """

    data_set: Annotated[str, Shown("data set")]
    system: str
    baseline: str
    metric: str
    n_items: Annotated[int, Shown("items", "count")]
    baseline_score: Annotated[float, Shown("baseline", "score")]
    system_score: Annotated[float, Shown("system", "score")]
    gain: Annotated[float, Shown("gain", "gain", ci="ci", tested=True)]
    ci: Interval | None
    ci_method: str
    test: str
    p_value: Annotated[float | None, Shown("p, each by itself", "p", error="p_error")]
    p_kind: str
    p_error: float | None
    p_holm: Annotated[float | None, Shown("p Holm", "p")]
    p_adjusted: float | None
    notes: tuple[str, ...] = ()

    @property
    def named_test(self) -> Annotated[str, Shown("test", "prose", spare="footnote")]:
        """The test in words."""
        return describe_test(self.test, self.p_kind)


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
        gain: mean over the data sets, each with the same weight; ``ci``: its t interval at level 1 - alpha, for data
            sets that are a sample of all that are meant.
        count: K̂ by Bonferroni, which holds under any dependence; None where data sets could not be tested. Data sets
            of which p rejects and the interval holds 0, each by itself, are taken off; ``count_independent``: K̂ by
            Fisher, for independent data sets, likewise.
        p_counts: p-values of "the gain holds on fewer than u data sets", u = 1 ... n, by Bonferroni, each at least
            those before it; ``p_counts_independent``: by Fisher.
        holds_on: the data sets on which Holm's procedure finds the gain, but for those that are taken off; ``count``
            of them.
        overall: answers from all data sets together.
    """

    system: Annotated[str, Shown("")]
    baseline: str
    metric: str
    n_sets: int
    n_ahead: int
    gain: Annotated[float, Shown("mean gain", "gain", ci="ci", bar=True)]
    ci: Interval | None
    count: Annotated[int | None, Shown("holds on at least", "whole")]
    count_independent: Annotated[int | None, Shown("independent", "whole")]
    p_counts: tuple[float, ...]
    p_counts_independent: tuple[float, ...]
    holds_on: tuple[str, ...]
    overall: tuple[AcrossSets, ...]

    @property
    def ahead(self) -> str:
        """``2 of 3``."""
        return f"{self.n_ahead} of {self.n_sets}"

    def p_overall(self, test: str) -> float | None:
        """p of one test of all data sets together, after its correction."""
        return next((answer.p_adjusted for answer in self.overall if answer.test == test), None)


@dataclass(frozen=True, kw_only=True)
class MeanRank:
    """A system by its mean rank over data sets; rank 1 is the best.

    Attributes:
        gap: mean rank of the baseline minus that of the system: positive is better; None for the baseline itself.
        p_nemenyi: of the gap, adjusted over all pairs of systems; ``p_holm``: by Holm over the systems against the
            baseline.
    """

    system: Annotated[str, Shown("")]
    mean_rank: Annotated[float, Shown("mean rank", "fixed")]
    gap: Annotated[float | None, Shown("better by", "fixed")]
    p_nemenyi: Annotated[float | None, Shown("p Nemenyi", "p")]
    p_holm: Annotated[float | None, Shown("p Holm", "p")]


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """Three or more systems by their ranks on each data set, by Friedman's test.

    Attributes:
        null: the null hypothesis, in words.
        statistic: Friedman's χ², corrected for ties; ``f``: of Iman and Davenport, None where all data sets agree.
        df, df_blocks: degrees of freedom of F; ``df`` is that of χ² too.
        p_value: by all orders within data sets where they can be enumerated, else of F; ``p_kind`` says which.
        kendall_w: agreement of the data sets, between 0 and 1.
        critical_difference: of Nemenyi: mean ranks of any two systems that lie farther apart differ.
        ranks: in the order of the systems.
    """

    metric: str
    null: str
    n_sets: int
    statistic: float
    f: float | None
    df: int
    df_blocks: int
    p_value: float
    p_kind: str
    kendall_w: float
    critical_difference: float
    ranks: tuple[MeanRank, ...]

    def method(self, w: Writer) -> Iterator[str]:
        """Friedman's test, and how pairs of systems were compared."""
        law = "all orders" if self.p_kind == "exact" else f"F with {self.df} and {self.df_blocks} df"
        f = "" if self.f is None else f", Iman-Davenport F {w.number(self.f)}"
        yield (
            f"Mean ranks of {w.label(self.metric)}, Friedman: {w.p(self.p_value)} ({law}); χ² "
            f"{w.number(self.statistic)}{f}, Kendall's W {w.score(self.kendall_w)}. "
            f"Null hypothesis: {w.name(self.null)}. Nemenyi: any two systems differ whose mean ranks lie "
            f"{w.fixed(self.critical_difference)} or more apart. Holm: over the systems against the baseline."
        )


def table_of_ranks(rankings: Sequence[Ranking], w: Writer) -> Any:
    """Systems by their mean ranks on all data sets."""
    rows = [(rank, one) for one in rankings for rank in sorted(one.ranks, key=lambda rank: rank.mean_rank)]
    columns = ("system", "mean_rank", "gap", "p_nemenyi", "p_holm")
    return w.table(f"Mean ranks on {w.count(rankings[0].n_sets, 'data set')}", rows, columns)
