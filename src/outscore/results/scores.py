"""The record of scores without a comparison."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.results.buckets import BucketScore, table_of_bucket_scores
from outscore.results.confusion import (
    Matrix,
    chart_of_matrices,
    check_square,
    describe_confusions,
    rows_of_matrices,
    tables_of_matrices,
)
from outscore.results.curves import Curve, charts_of_curves, rows_of_curves, tables_of_curves
from outscore.results.declared import Writer, flat_row
from outscore.results.methods import describe_design, describe_intervals, describe_scores, describe_scoring
from outscore.results.pictures import Bar, Chart, Intervals
from outscore.results.result import Result, kinds, table_of_runs
from outscore.results.sentences import arrow_of


@kinds.register("score")
@dataclass(frozen=True, kw_only=True, repr=False)
class Scores(Result):
    """The scores of one or more systems with their intervals; nothing is compared.

    Attributes:
        buckets: scores within the values of ``by``, where it was given.
        curves, matrices: of each run of each system, where they were asked for.
    """

    buckets: tuple[BucketScore, ...] = ()
    curves: tuple[Curve, ...] = ()
    matrices: tuple[Matrix, ...] = ()
    command: str = "score"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each system and metric; for each point or gold class, where those were asked for."""
        if self.curves or self.matrices:
            return [*rows_of_curves(self.curves), *rows_of_matrices(self.matrices)]
        rows = []
        for score in self.scores:
            row = flat_row(score, n_runs=len(score.runs))
            del row["runs"], row["run_scores"]
            rows.append(row)
        return rows

    def check_whole(self) -> None:
        """Raises TypeError where a matrix is not square."""
        check_square(self.matrices)

    def verdict(self, w: Writer) -> Iterator[str]:
        if self.matrices:
            yield from describe_confusions(self.matrices, self.scores, w)
        else:
            yield from describe_scores(self.scores, w)

    def views(self, w: Writer) -> Iterator[Any]:
        if self.curves:
            yield from tables_of_curves(self.curves, self.scores, w)
        elif self.matrices:
            yield from tables_of_matrices(self.matrices, self.scores, w)
        else:
            yield w.table("Scores", self.scores, ("system", "score"), first=True)
        if self.buckets:
            yield table_of_bucket_scores(self.buckets, bool(self.options.get("by")), w)
        if any(len(score.runs) > 1 for score in self.scores):
            yield table_of_runs(self.scores, w)

    def charts(self, w: Writer) -> Iterator[Chart]:
        if self.curves:
            yield from charts_of_curves(self.curves, self.scores, w)
            return
        if self.matrices:
            yield chart_of_matrices(self.matrices, w)
            return
        systems = inflect(len({s.system for s in self.scores}), "system")
        yield Chart(
            heading="Scores with their intervals",
            title=f"Scores of {systems}",
            under=(f"with {w.level()} intervals; overlap does not say that two systems are alike",),
            panels=tuple(self._draw(metric, w) for metric in self.metrics),
        )

    def _draw(self, metric: str, w: Writer) -> Intervals:
        """Points with intervals; single runs as ticks."""
        found = [score for score in self.scores if score.metric == metric]
        rows = tuple(
            Bar(
                name=w.name(s.system), value=s.score, ci=s.ci,
                written=f"{w.score(s.score, metric)} {w.interval(s.ci, metric, of='score')}",
                single=s.run_scores if len(s.run_scores) > 1 else (),
            )
            for s in found
        )  # fmt: skip
        axis = f"{w.label(metric)} {arrow_of(found[0])}".strip()
        return Intervals(names="system", values="score", axis=axis, rows=rows)

    def how(self, w: Writer) -> str:
        return describe_scoring(self, w)

    def method(self, w: Writer) -> Iterator[str]:
        if self.curves and self.curves[0].kind == "profile":
            yield "A performance profile is the proportion of items above each score; bands are for one score each."
        elif self.curves:
            yield (
                "An item is taken as positive where its number is above the threshold; bands are for one threshold "
                "each."
            )
        if self.matrices:
            yield "Precision: right ones of those predicted as the class; recall: of those that are of it; F1: of both."
        yield from describe_design(self, w)
        made = [*(s.ci_method for s in self.scores), *(one.ci_method for one in self.buckets)]
        yield from describe_intervals(self, {"scores": made}, w)

    def __repr__(self) -> str:
        systems = inflect(len({s.system for s in self.scores}), "system")
        return f"<Scores of {systems}: {', '.join(dict.fromkeys(s.metric for s in self.scores))}>"
