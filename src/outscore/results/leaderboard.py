"""The record of a leaderboard: which ranks systems can have, who beats whom, and mean ranks on blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer, flat_row
from outscore.results.details import describe_correction, describe_test
from outscore.results.history import SetHistory
from outscore.results.methods import coverage, describe_intervals, describe_samples, list_tests, tell_paragraph
from outscore.results.pairs import DECIDED, Numbers, Pair, name_described, read_numbers
from outscore.results.pictures import Chart
from outscore.results.places import (
    BoardPair,
    MeanRanks,
    Place,
    RankGap,
    chart_board,
    chart_mean_ranks,
    chart_wins,
    match_of,
    tables_of_mean_ranks,
)
from outscore.results.result import Result, kinds, table_of_runs
from outscore.results.sentences import outscores

__all__ = ["Leaderboard", "MeanRanks", "Place", "RankGap"]

MOST_PAIRS, MOST_SIGNS = 7, 24
"""Systems of which all pairs are listed with their gains, and signs in place of them."""

_MOST_METRICS = 4
_MOST_NAMES = 3
_NO_JOINT_LEVEL = "no_joint_level"
_SIGNS = {"better": "+", "worse": "−", "": "·"}


@dataclass(frozen=True, kw_only=True)
class Judgments:
    """Numbers of judgments; ``tie_parameter`` is Davidson's ν, where ties are an outcome of their own."""

    judgments: int
    ties: int
    tie_parameter: float | None


@kinds.register("rank")
@dataclass(frozen=True, kw_only=True, repr=False)
class Leaderboard(Result):
    """Systems in order, with the ranks that they can have.

    Attributes:
        kind: of the scores: ``scores``, or ``ratings`` of Bradley and Terry from preferences.
        unit: of one item: ``item``, ``data set``, or the name of the clusters of preferences.
        correction: over all pairs of systems and all metrics.
        places: best first, metric by metric.
        pairs: every two systems; ``system`` stands after ``baseline`` in the order of the data.
        mean_ranks: for each metric, where there are blocks.
        effect: named numbers of the ratings, with those of ``judgments``.
        history: earlier comparisons on the same test set; None where no history is kept.
    """

    pictures_need: ClassVar[Mapping[str, str]] = {"ranks": "name blocks with --blocks, or give several data sets"}

    kind: str
    unit: str
    correction: str
    places: tuple[Place, ...]
    pairs: tuple[Pair, ...]
    mean_ranks: tuple[MeanRanks, ...] = ()
    effect: Numbers = field(default_factory=dict)
    history: SetHistory | None = None
    command: str = "rank"

    @property
    def judgments(self) -> Judgments | None:
        """How many preferences and ratings a board of wins is of."""
        return read_numbers(Judgments, self.effect)

    def board(self, metric: str) -> tuple[Place, ...]:
        """The places under one metric, best first."""
        return tuple(place for place in self.places if place.metric == metric)

    def leaders(self, metric: str) -> tuple[str, ...]:
        """The systems that can have rank 1."""
        return tuple(place.system for place in self.board(metric) if place.best == 1)

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each system and metric, best first."""
        scores = {(score.system, score.metric): score for score in self.scores}
        rows = []
        for place in self.places:
            score = scores[place.system, place.metric]
            row = flat_row(place, bootstrap_ci=place.bootstrap, score=score.score, n_items=score.n_items, ci=score.ci)
            del row["bootstrap"]
            rows.append(row)
        return rows

    def to_dict(self) -> dict[str, Any]:
        """The public JSON contract as plain dictionaries; ``history`` is there only where one is kept."""
        plain = super().to_dict()
        return {key: value for key, value in plain.items() if key != "history" or value is not None}

    def check_whole(self) -> None:
        """Raises TypeError where a place or a pair has no scores."""
        measured = {(score.system, score.metric) for score in self.scores}
        named = {(place.system, place.metric) for place in self.places}
        named |= {(name, pair.metric) for pair in self.pairs for name in (pair.system, pair.baseline)}
        if not named <= measured:
            raise TypeError(f"no scores for {sorted(named - measured)[0]}")

    def matches(self, metric: str) -> tuple[BoardPair, ...]:
        """Every two systems under one metric, the one that stands higher first, in the order of the board."""
        order = {place.system: number for number, place in enumerate(self.board(metric))}
        pairs = [pair for pair in self.pairs if pair.metric == metric]
        found = (match_of(pair) for pair in pairs)
        found = (match if order[match.system] < order[match.other] else match.mirrored for match in found)
        return tuple(sorted(found, key=lambda match: (order[match.system], order[match.other])))

    # --- how it is told -----------------------------------------------------------------------------------

    @property
    def _tested(self) -> list[Pair]:
        return [pair for pair in self.pairs if pair.verdict != "described"]

    @property
    def _claimed(self) -> list[str]:
        """The metrics but those that describe beside others."""
        return list(dict.fromkeys(pair.metric for pair in self._tested))

    @property
    def contrasts(self) -> Sequence[Pair]:
        return self.pairs

    @property
    def joint(self) -> bool:
        """Whether the rank sets hold all true ranks together."""
        return all(note.code != _NO_JOINT_LEVEL for note in self.notes)

    def verdict(self, w: Writer) -> Iterator[str]:
        if len(self._claimed) > _MOST_METRICS:
            yield from self._sum_up(w)
        else:
            yield from (f"{self._lead(metric, w)} {self._decided(metric, w)}" for metric in self._claimed)
        # domains are blocks without being asked for
        if len(self._claimed) == 1:
            yield from (one.verdict(w, self.alpha) for one in self.mean_ranks if one.blocks != "domain")
        yield from self._alike(w)

    def _alike(self, w: Writer) -> Iterator[str]:
        """``Alike on every item: B and B2; C, C2 and C3.``"""
        times = Counter((p.system, p.baseline) for p in self._tested if "identical_outputs" in p.notes)
        same = {place.system: {place.system} for place in self.board(self.metrics[0])}
        for pair in (pair for pair, n in times.items() if n == len(self._claimed)):
            for name in pair:
                same[name].update(pair)
        groups = list(dict.fromkeys(tuple(s for s in same if s in of) for of in same.values() if len(of) > 1))
        if groups:
            more = f"; and {w.count(len(groups) - _MOST_NAMES, 'group')} more" if len(groups) > _MOST_NAMES else ""
            said = "; ".join(_join([w.name(name) for name in names], "systems") for names in groups[:_MOST_NAMES])
            yield f"Alike on every item: {said}{more}."

    def _lead(self, metric: str, w: Writer) -> str:
        """``ash (0.967 accuracy) leads 43 systems; 10 others may be first too.``"""
        board = self.board(metric)
        score = next(s.score for s in self.scores if (s.system, s.metric) == (board[0].system, metric))
        firsts = self._firsts(metric)
        leads = "lead" if len(firsts) > 1 else "leads"
        top = f"{_join([w.name(name) for name in firsts], 'others')} ({w.scored(score, metric)})"
        named = len(self.metrics) == 1 or w.label(metric) in w.scored(score, metric)
        by = "" if named else f" by {w.label(metric)}"
        of = w.count(len(board), "system") + by
        others = [system for system in self.leaders(metric) if system not in firsts]
        if others:
            return f"{top} {leads} {of}; {_join([w.name(name) for name in others], 'others')} may be first too."
        if len(firsts) == 1 and board[0].worst == 1:
            verb = outscores(self, metric)
            return f"{top} {verb} {'the other system' if len(board) == 2 else f'all {len(board) - 1} other systems'}."
        return f"{top} {leads} {of}; no other may be first."

    def _decided(self, metric: str | None, w: Writer) -> str:
        """``784 of 903 pairs differ (family-wise error 5%).``"""
        pairs = [pair for pair in self._tested if metric in (None, pair.metric)]
        differ = self._n_differ(metric)
        rate = "family-wise error" if self.joint else "false-discovery rate"
        held = "not corrected" if self.correction == "none" else f"{rate} {w.given(100 * self.alpha)}%"
        warned = [pair for pair in pairs if w.warned(pair.notes)]
        see = f", see ! on {w.count(len(warned), 'pair')}" if warned else ""
        if any({pair.system, pair.baseline} & {*self.leaders(pair.metric)} for pair in warned):
            see = ", BUT see !"  # it is about who may be first
        return f"{differ:,} of {w.count(len(pairs), 'pair')} {'differs' if differ == 1 else 'differ'} ({held}){see}."

    def _sum_up(self, w: Writer) -> Iterator[str]:
        """Who leads most often, and who may be first under every metric."""
        metrics = self._claimed
        firsts = Counter(place.system for place in self.places if place.rank == 1 and place.metric in metrics)
        most, n = max(firsts.values()), len(self.board(metrics[0]))
        leads = [w.name(system) for system, times in firsts.items() if times == most]
        verb = "lead" if len(leads) > 1 else "leads"
        often = f"by {most} of {len(metrics)} metrics"
        yield f"Of {w.count(n, 'system')} {_join(leads, 'systems')} {verb} most often: {often}."
        always = set.intersection(*(set(self.leaders(metric)) for metric in metrics))
        names = [w.name(place.system) for place in self.board(metrics[0]) if place.system in always]
        may = f"{_join(names, 'systems')} may be first by every metric" if names else "No system may be first by all"
        yield f"{may}. {self._decided(None, w)}"

    def charts(self, w: Writer) -> Iterator[Chart]:
        corrected = "" if self.correction == "none" else f", {describe_correction(self.correction)}"
        for metric in self._claimed:
            board, by = self.board(metric), f" by {w.label(metric)}" if len(self.metrics) > 1 else ""
            scores = {score.system: score for score in self.scores if score.metric == metric}
            yield chart_board(board, scores, self.leaders(metric), by, self.claim(w), w)
            yield chart_wins([place.system for place in board], self.matches(metric), by, corrected, self.alpha, w)
            yield from (chart_mean_ranks(r, by, self.alpha, w) for r in self.mean_ranks if r.metric == metric)

    def views(self, w: Writer) -> Iterator[Any]:
        scores = {(score.system, score.metric): score for score in self.scores}
        rows = [(place, scores[place.system, place.metric]) for place in self.places]
        many = len(self._claimed) > _MOST_METRICS
        if many:
            yield self._leaders(w)
        columns = ("rank", "system", "score", "rank_set")
        yield w.table("Scores, and the ranks that systems may have", rows, columns, first=not many, naming=2)
        tiers = ("tier",) if any(place.tier > 1 for place in self.places) else ()
        yield w.table(
            "Letters and resampled ranks", [place for place in self.places if place.metric in self._claimed],
            (Shown("", value=lambda place: w.name(place.system)), *tiers, "letters", "resampled", "first"),
        )  # fmt: skip
        for metric in self.metrics:
            on = f" ({w.label(metric)})" if len(self.metrics) > 1 else ""
            n = len(self.board(metric))
            if n <= MOST_PAIRS:
                yield self._pairs(metric, f"Every two systems{on}", w)
            elif n <= MOST_SIGNS and metric in self._claimed:
                yield self._signs(metric, f"Who beats whom{on}", w)
        yield from tables_of_mean_ranks(self.mean_ranks, w)
        if any(len(score.runs) > 1 for score in self.scores):
            yield table_of_runs(self.scores, w)
        if self.history is not None and self.history.procedure is not None:
            yield self.history.table(w, self.alpha)

    def _leaders(self, w: Writer) -> Any:
        """Who is first by each of many metrics, and how much of the order is known."""
        scores = {(score.system, score.metric): score for score in self.scores}
        tops = (self.board(metric)[0] for metric in self._claimed)
        rows = [(top, scores[top.system, top.metric]) for top in tops]
        columns = (
            Shown("metric", value=lambda row: w.label(row[0].metric)),
            Shown("first", value=lambda row: _join([w.name(name) for name in self._firsts(row[0].metric)], "systems")),
            Shown("score", "score", value=lambda row: row[1].score),
            Shown("may be first", "whole", value=lambda row: len(self.leaders(row[0].metric))),
            Shown("pairs differ", "count", value=lambda row: self._n_differ(row[0].metric)),
        )
        return w.table("First by each metric", rows, columns, first=True, by_metric=False)

    def _firsts(self, metric: str) -> list[str]:
        return [place.system for place in self.board(metric) if place.rank == 1]

    def _n_differ(self, metric: str | None) -> int:
        """Pairs that are decided under a metric, or under all."""
        return sum(pair.verdict in DECIDED for pair in self.pairs if metric in (None, pair.metric))

    def _pairs(self, metric: str, title: str, w: Writer) -> Any:
        rows = self.matches(metric)
        preferred = ("preferred",) if any(match.preferred is not None for match in rows) else ()
        columns = ("system", "other", "gain", *preferred, "p")
        return w.table(title, rows, columns, by_metric=len(self.metrics) == 1, naming=2, side=lambda m: m.verdict)

    def _signs(self, metric: str, title: str, w: Writer) -> Any:
        """A sign for every two systems: a row for each, and in it the others in the same order."""
        matches = self.matches(metric)
        found = {(one.system, one.other): one for match in matches for one in (match, match.mirrored)}
        board = self.board(metric)

        def signs(place: Place) -> str:
            return "".join(
                "o" if other is place else _SIGNS[found[place.system, other.system].verdict] for other in board
            )

        columns = (
            "rank",
            Shown("", value=lambda place: w.name(place.system)),
            Shown("over each, best first", value=signs),
        )
        below = "it is outscored" if (verb := outscores(self, metric)) == "outscores" else "lower than it"
        said = f"+: the row {verb} the column, −: {below}, ·: not shown to differ, o: itself."
        return w.table(title, board, columns, by_metric=False, footnotes=(said,), naming=2)

    def how(self, w: Writer) -> str:
        tests = "; ".join(list_tests(self, self.pairs, w))
        corrected = f"{w.count(len(self._tested), 'pair')}: {self._corrected(w)}; may be: ranks; {self.claim(w)}."
        return f"{tests[:1].upper()}{tests[1:]}. {corrected}{name_described(self.pairs, w)} {self._size(w)}."

    def _corrected(self, w: Writer) -> str:
        return (
            "p not corrected" if self.correction == "none" else f"p by {w.name(describe_correction(self.correction))}"
        )

    def claim(self, w: Writer) -> str:
        """Claim of the rank sets, with their level."""
        if not self.joint:
            return f"not corrected for the number of pairs ({w.name(describe_correction(self.correction))})"
        return f"together they hold all true ranks with {w.level()} confidence"

    def method(self, w: Writer) -> Iterator[str]:
        yield from self.describe_tests(w)
        yield (
            "May be: ranks from one plus the systems that are significantly better, to all but those that are worse; "
            f"{self.claim(w)}."
        )
        yield "Letters: systems that share one do not differ significantly."
        if any(place.tier > 1 for place in self.places):
            yield "Tier: ends only where every system above significantly beats every one below."
        yield (
            f"Resampled: ranks, and proportion of first places, in resampled sets of {self._units(w)}. Descriptive "
            "only: each system by itself, and too narrow where systems are equally good."
        )
        yield from self._describe_ratings(w)
        for one in self.mean_ranks:
            yield from one.method(w, self.alpha)
        yield f"{self._size(w)}; {self._drawn(w)}."
        yield from describe_samples(self, w)
        made = [score.ci_method for score in self.scores], [pair.ci_method for pair in self.pairs]
        yield from describe_intervals(self, {"scores, each by itself:": made[0], "gains": made[1]}, w)

    def paragraph(self, w: Writer) -> Iterator[str]:
        yield from tell_paragraph(self, self.pairs, self.correction, w)
        yield (
            "The rank of a system may be any from one plus the number of systems that are significantly better to the "
            f"number of all but those that are worse; {self.claim(w)}."
        )
        yield from self._describe_ratings(w)
        for one in self.mean_ranks:
            yield from one.method(w, self.alpha)

    def describe_tests(self, w: Writer) -> Iterator[str]:
        """How each two systems were compared, and corrected for how many there are."""
        for test, kind, null in dict.fromkeys((p.test, p.p_kind, p.null) for p in self._tested):
            said = w.name(describe_test(test, kind, clustered=self.provenance.n_clusters is not None))
            name = "" if test in said else f" ({w.name(test)})"
            yield f"Test of each pair: {said}, two-sided{name}. Null hypothesis: {w.name(null).rstrip('.')}."
        n = len(self._tested)
        under = f" under {len(self._claimed)} metrics" if len(self._claimed) > 1 else ""
        said = w.name(coverage(self.correction, self._tested)) if n > 1 else self._corrected(w)
        yield f"{w.count(n, 'pair')}{under}: {said}."

    def _size(self, w: Writer) -> str:
        provenance = self.provenance
        text = w.count(max(pair.n_items for pair in self.pairs), w.name(self.unit))
        if self.kind == "scores" and provenance.n_clusters is not None:
            text += f" in {w.count(provenance.n_clusters, 'cluster')} ({w.name(provenance.cluster or '')})"
        elif provenance.cluster:
            text += f" ({w.name(provenance.cluster)})"
        if self.judgments is not None:
            text = f"{w.count(self.judgments.judgments, 'judgment')} of {text}"
        if provenance.dropped:
            text += f", {len(provenance.dropped):,} of {provenance.n_items_read:,} dropped"
        return text

    def _units(self, w: Writer) -> str:
        clustered = self.kind == "scores" and self.provenance.n_clusters is not None
        return "clusters" if clustered else f"{w.name(self.unit)}s"

    def _drawn(self, w: Writer) -> str:
        provenance = self.provenance
        drawn = f"{w.count(provenance.n_resamples, 'resample')}, engine {w.name(provenance.engine)}"
        strata = f"; bootstrap within strata ({w.name(provenance.strata)})" if provenance.strata else ""
        return f"{drawn}{strata}; seed {self.seed}; alpha {self.alpha:g}"

    def _describe_ratings(self, w: Writer) -> Iterator[str]:
        found = self.judgments
        if found is None:
            return
        tie = found.tie_parameter
        counted_as = "half a win for each" if tie is None else f"an outcome of their own (Davidson), ν {w.number(tie)}"
        elo = any(score.unit == "Elo" for score in self.scores)
        means = "400 points are odds of 10 to 1" if elo else "a difference of 1 is odds of 2.72 to 1"
        yield f"Rating: Bradley-Terry, of wins over losses; {means}; the mean is {'1500' if elo else '0'}."
        yield f"{w.count(found.judgments, 'judgment')}, {found.ties} of them ties: {counted_as}."

    def __repr__(self) -> str:
        metrics = dict.fromkeys(score.metric for score in self.scores)
        systems = inflect(len({place.system for place in self.places}), "system")
        return f"<Leaderboard of {systems}: {', '.join(metrics)}>"


def _join(names: Sequence[str], noun: str) -> str:
    """``a, b and c``, or how many others."""
    if len(names) > _MOST_NAMES:
        return f"{len(names)} {noun}"
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
