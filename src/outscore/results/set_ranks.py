"""The records of systems by their ranks on several data sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from outscore.results.declared import Shown, Writer


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

    def method(self, w: Writer) -> Iterator[str]:
        """Friedman's test, and how pairs of systems were compared."""
        law = "all orders" if self.p_kind == "exact" else f"F with {self.df} and {self.df_blocks} df"
        f = "" if self.f is None else f", Iman-Davenport F {w.number(self.f)}"
        yield (
            f"Mean ranks of {w.label(self.metric)}, Friedman: {w.p(self.p_value)} ({law}); χ² {w.number(self.chi2)}{f}"
            f", Kendall's W {w.score(self.kendall_w)}. Null hypothesis: {w.name(self.null)}. Nemenyi: any two systems "
            f"differ whose mean ranks lie {w.fixed(self.critical_difference)} or more apart. Holm: over the systems "
            "against the baseline."
        )


def table_of_ranks(rankings: Sequence[Ranking], w: Writer) -> Any:
    """Systems by their mean ranks on all data sets."""
    rows = [(rank, one) for one in rankings for rank in sorted(one.ranks, key=lambda rank: rank.mean_rank)]
    columns = ("system", "mean_rank", "gap", "p_nemenyi", "p_holm")
    return w.table(f"Mean ranks on {w.count(rankings[0].n_sets, 'data set')}", rows, columns)
