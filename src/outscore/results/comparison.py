"""The comparison of systems: all that it found, and how that is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from outscore.base.errors import UsageError, inflect
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.results.buckets import add_buckets, drop_wins, table_of_buckets, table_of_interactions, tell_interactions
from outscore.results.declared import Shown, Writer, flat_row
from outscore.results.details import ItemList, describe_correction
from outscore.results.flips import EVERY_FLIP, Flip, choose_flips, describe_flips, table_of_flips
from outscore.results.gain_charts import Compared
from outscore.results.history import SetHistory
from outscore.results.methods import (
    coverage,
    describe_design,
    describe_intervals,
    describe_pairs_of_tests,
    describe_parts,
    describe_size,
    end_with_size,
    list_tests,
    tell_paragraph,
)
from outscore.results.overall import (
    WordGains,
    better_by,
    describe_overall,
    describe_overall_test,
    mean_rank,
    numbers_of,
    ranks_of,
    table_of_words,
    tell_difference,
    tell_words,
)
from outscore.results.pairs import (
    Answer,
    ConfidenceInterval,
    Equivalence,
    Overall,
    Pair,
    flatten_margin,
    flatten_overall,
    list_effects,
    name_described,
    tables_of_regions,
)
from outscore.results.posteriors import (
    PairPosterior,
    describe_posteriors,
    explain_posteriors,
    flatten_posterior,
    table_of_posteriors,
    tell_posteriors,
)
from outscore.results.result import Gate, Score, check_gate, kinds, table_of_runs
from outscore.results.sentences import INCONCLUSIVE, MOST_SYSTEMS, decision, describe_pairs, word_by, word_for

__all__ = ["Answer", "Comparison", "Equivalence", "Overall", "Pair"]

_FEW = 12
"""Pairs without the baseline that stand on the first screen."""
_SAID_OF_OPEN = "inconclusive: no difference is shown, and a {} as large as the margin is not ruled out."
_FLIPS = 10
"""Items of a pair that are listed where nobody said how many."""


@kinds.register("compare")
@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison(Compared):
    """All that a comparison found: scores, pairs against the baseline or of every two systems, notes and provenance.

    Attributes:
        alternative: side of the tests.
        overall: tests of all systems at once; empty where none was asked for.
        posteriors: of the same pairs, under a model and a prior; empty where not asked for.
        words: the n-grams that one system of a pair has right more often; empty where not asked for.
        history: what was compared on the same test set before; None where no history is kept.
        details: for reports, subsets of the test set and single items; None where not asked for.
    """

    alternative: str
    overall: tuple[Overall, ...] = ()
    posteriors: tuple[PairPosterior, ...] = ()
    words: tuple[WordGains, ...] = ()
    history: SetHistory | None = None
    command: str = "compare"

    @property
    def pvalue(self) -> float | None:
        """p of the one pair that was compared; so are ``statistic`` and ``confidence_interval()`` of scipy.

        Raises:
            UsageError: there are several pairs, or none.
        """
        return self._only.pvalue

    @property
    def statistic(self) -> float | None:
        """The test statistic of the one pair, see ``pvalue``."""
        return self._only.statistic

    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        """The interval of the one gain, see ``pvalue``, at 1 - alpha; a UsageError where another level is asked for."""
        return self._only.confidence_interval_at(confidence_level, self.alpha)

    @property
    def _only(self) -> Pair:
        if len(self.pairs) != 1:
            raise UsageError(
                f"the comparison holds {inflect(len(self.pairs), 'pair')}: ask one of them, as pairs[0].pvalue"
            )
        return self.pairs[0]

    def flips(self, n: int = _FLIPS) -> tuple[Flip, ...]:
        """So many items of each pair that decide: where systems differ most, those first that speak for the difference.

        Raises:
            UsageError: it holds no items.
        """
        if self.details is None:
            raise UsageError(f"the comparison keeps no items: compare with flips={n}")
        return tuple(choose_flips(self.details, n, self.pairs))

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each pair, baseline score and system score included; ready for a data frame.

        Where buckets were asked for, one for each bucket of each pair follows, with its name in ``bucket``.
        Where all systems were tested at once and no pairs were, it is one for each metric.
        """
        if not self.pairs:
            return [flatten_overall(overall) for overall in self.overall]
        scores = {(s.system, s.metric): s.score for s in self.scores}
        believed = {(one.system, one.baseline, one.metric): one for one in self.posteriors}
        rows = []
        for pair in self.pairs:
            more = {"baseline_score": scores[pair.baseline, pair.metric]}
            more |= {"system_score": scores[pair.system, pair.metric]} | flatten_margin(pair.equivalence)
            if (posterior := believed.get((pair.system, pair.baseline, pair.metric))) is not None:
                more |= flatten_posterior(posterior)
            row = flat_row(pair, **more)
            for name in ("effect", "also", "equivalence", "otherwise"):
                del row[name]
            rows.append(row)
        return add_buckets(rows, self.buckets, self.interactions) if self._in_buckets else rows

    def to_dict(self) -> dict[str, Any]:
        """The public JSON contract as plain dictionaries; what was not asked for is left out."""
        plain, spare = drop_wins(super().to_dict()), ("history", "details", "posteriors", "interactions", "words")
        return {key: value for key, value in plain.items() if key not in spare or value}

    def gate(self, condition: str) -> Gate[Pair]:
        """Whether a condition holds for all systems and metrics; ``failing`` are the pairs for which it does not.

        Metrics that describe have no part in it. Identical outputs are not worse, and equivalent, however few they are:
        where nothing has changed nothing fails; others that are never a gold label are neither.

        Args:
            condition: ``better`` (a significant gain, over all uses where their history is corrected), ``not-worse``
                (better, or worse by less than the margin) or ``equivalent`` (within it on both sides).

        Raises:
            UsageError: there is no such condition, or the comparison was made without what it needs.
        """
        check_gate(condition)
        pairs = [pair for pair in self.pairs if pair.verdict != "described"]
        if self.overall and not pairs:
            raise UsageError(f"a gate is about pairs of systems, and {self.overall[0].test} has none")
        if condition == "better" and not all(pair.verdict for pair in pairs):
            raise UsageError("this result was saved by a version that gave no verdicts: make it again")
        if condition != "better" and not all(pair.equivalence for pair in pairs):
            raise UsageError(f"the gate {condition!r} needs a margin: compare with --margin")
        return Gate.of(condition, pairs, lambda pair: self._holds(condition, pair))

    def _holds(self, condition: str, pair: Pair) -> bool:
        back = self.history and self.history.takes_back(pair.system, pair.baseline, pair.metric)
        better = pair.verdict == "better" and not back
        if condition == "better" or (found := pair.equivalence) is None:
            return better
        same = "identical_outputs" in pair.notes and "never_gold" not in pair.notes
        if same or (condition == "not-worse" and better):
            return True
        p = found.p_not_worse_adjusted if condition == "not-worse" else found.p_equivalent_adjusted
        return p is not None and p <= self.alpha

    def check_whole(self) -> None:
        """Raises TypeError where a pair has no scores."""
        measured = {(score.system, score.metric) for score in self.scores}
        pairs = [(one.system, one.baseline, one.metric) for one in self.pairs]
        pairs += [(one.system, one.baseline, one.metric) for one in self.posteriors]
        for system, baseline, metric in pairs:
            if not {(system, metric), (baseline, metric)} <= measured:
                raise TypeError(f"no scores for the pair {system!r} and {baseline!r}")

    # --- how it is told -----------------------------------------------------------------------------------

    def verdict(self, w: Writer) -> Iterator[str]:
        for overall in self.overall:
            yield describe_overall(self, overall, w)
        yield from describe_pairs(self, self.pairs, w)
        if self._asked_flips:
            yield from describe_flips(self.pairs, self.flips(self._asked_flips), w)
        yield from tell_posteriors(self.posteriors, self.baseline, w)
        if self._in_buckets:
            yield from tell_interactions(self.interactions, self.buckets, self.alpha, w)
        yield from tell_words(self.words, self.alpha, w)

    @property
    def _asked_flips(self) -> int:
        """How many items that decide were asked for; 0 where they are for a report alone."""
        asked = EVERY_FLIP if (asked := self.options.get("flips")) == "all" else asked
        return asked if isinstance(asked, int) and self.details is not None else 0

    def views(self, w: Writer) -> Iterator[Any]:
        others = self.other_pairs
        apart = ("baseline",) if others else ()
        naming = 1 + len(apart)
        yield self._main(w)
        if others:
            told = len(others) if len({(p.system, p.baseline) for p in self.pairs}) <= MOST_SYSTEMS else 0
            yield w.table(
                "Pairs without the baseline", others, ("system", "baseline", *self._gain_columns(others), "p"),
                first=told < len(others) <= _FEW, naming=2, side=self._side, codes=_codes,
            )  # fmt: skip
        if self.posteriors:
            yield table_of_posteriors(self.posteriors, self.baseline, w)
        if self.overall:
            test = Shown("test", "prose", value=describe_overall_test)
            numbers = Shown("numbers", "prose", value=lambda overall: numbers_of(overall, w))
            yield w.table("All systems at once", self.overall, (test, numbers, "p_value"), first=True)
        if any(pair.equivalence for pair in self.pairs):
            yield self._margins(w, apart)
        yield from self._break_down(w)
        asked = self._asked_flips
        if flips := self.flips(asked or _FLIPS) if self.details else ():
            yield table_of_flips(flips, (*self.pairs, *others), w, asked=bool(asked), apart=bool(others))
        if any(len(score.runs) > 1 for score in self.scores):
            yield table_of_runs(self._lineup, w)
        named = ("named_test",) if len({pair.named_test for pair in self.pairs if pair.test}) > 1 else ()
        # where it would say what the first table does, it is left out
        known = any(pair.p_value is not None for pair in self.pairs)
        if known and (self.corrected or named or any(pair.p_error for pair in self.pairs)):
            corrected = w.name(f"p {describe_correction(self.correction)}")
            adjusted = (Shown(corrected, "p", value=lambda p: p.p_adjusted),) if self.corrected else ()
            yield w.table("Tests", self.pairs, ("system", *apart, "p_value", *adjusted, *named), naming=naming)
        answers = [(pair, answer) for pair in self.pairs for answer in pair.also]
        if answers:
            raw = Shown("p", "p", error=lambda row: row[1].p_error, value=lambda row: row[1].p_value)
            yield w.table(
                "Other tests, each p by itself", answers,
                ("system", *apart, "named", "question", raw),
                naming=naming,
            )  # fmt: skip
        if any(pair.effect for pair in self.pairs):
            effects = Shown("effect", "prose", value=lambda pair: ", ".join(list_effects(pair, w)))
            noted = any("d_z" in pair.effect for pair in self.pairs)
            said = "d_z: the gain in standard deviations of the differences of items or clusters."
            rows = [pair for pair in self.pairs if pair.effect]
            yield w.table("Effect sizes and counts", rows, ("system", *apart, effects), footnotes=(said,) * noted,
                          naming=naming)  # fmt: skip
        yield from tables_of_regions(self.pairs, apart, w)
        if len(self.interactions) > 1:
            yield table_of_interactions(self.interactions, self.correction, w)
        if self.history is not None and self.history.procedure is not None:
            yield self.history.table(w, self.alpha)

    def _break_down(self, w: Writer) -> Iterator[Any]:
        """Where gains come from: buckets of items, and words."""
        if self.buckets:
            family = describe_parts(self.correction, self.buckets)
            yield table_of_buckets(
                self.buckets, self.interactions, family, self.correction, asked=self._in_buckets, w=w
            )
        if self.words:
            yield table_of_words(self.words, w)

    @property
    def _in_buckets(self) -> bool:
        """Whether buckets were asked for, and not merely found."""
        return bool(self.options.get("by")) and bool(self.buckets)

    @property
    def _lineup(self) -> list[Score]:
        """Scores, those of the baseline first."""
        return sorted(self.scores, key=lambda s: s.system != self.baseline)

    def _main(self, w: Writer) -> Any:
        pairs = {(p.system, p.metric): p for p in self.pairs if p.baseline == self.baseline}
        rows = [(score, pairs.get((score.system, score.metric))) for score in self._lineup]
        said = Shown("verdict", value=lambda row: word_for(self, row[1]) if row[1] else "")
        judged = (said,) if any(pair.equivalence for pair in pairs.values()) else ()
        is_open = judged and INCONCLUSIVE in [word_for(self, pair) for pair in pairs.values()]
        said_of_open = (_SAID_OF_OPEN.format(word_by(self, "loss", *self.metrics)),) if is_open else ()
        gains = (*self._gain_columns(list(pairs.values())), "p", *judged) if pairs else ()
        if ranks := ranks_of(self.overall):
            gains = (mean_rank(ranks), *gains)
        return w.table(
            f"Scores, and gains over {w.name(self.baseline)}" if pairs else "Scores", rows, ("system", "score", *gains),
            first=True, side=lambda row: self._side(row[1]), codes=lambda row: _codes(row[1]),
            footnotes=(*tell_difference(self.overall, self.correction, w), *said_of_open),
        )  # fmt: skip

    def _gain_columns(self, pairs: Sequence[Pair]) -> tuple[str | Shown, ...]:
        own = any(p.own_scores for p in self.pairs) and len({p.n_items for p in self.pairs}) > 1
        # p of a test of ranks says nothing of a gain of means
        return (*(("own_items",) if own else ()), better_by(self.pairs) or "gain")

    def _side(self, pair: Pair | None) -> str:
        found = "" if pair is None else decision(pair, self.alpha)
        return found if found in ("better", "worse") else ""

    def _margins(self, w: Writer, apart: tuple[str, ...]) -> Any:
        rows = [(pair, pair.equivalence) for pair in self.pairs if pair.equivalence]
        corrected = self.correction != "none" and len(self.pairs) > 1
        name = "Holm" if self.correction.startswith("max") else w.name(describe_correction(self.correction))
        gain = Shown("gain", "gain", value=lambda r: r[0].gain, ci=lambda r: r[1].ci, ci_title=f"[{w.level(2)} CI]")
        within = Shown(f"p {name}", "p", value=lambda r: r[1].p_equivalent_adjusted)
        not_worse = Shown(f"p {name}", "p", value=lambda r: r[1].p_not_worse_adjusted)
        columns = ("system", *apart, "margin", gain, "p_equivalent", *((within,) if corrected else ()), "p_not_worse",
                   *((not_worse,) if corrected else ()), "detectable_gain")  # fmt: skip
        power = "a power of 80% after the correction" if corrected else "a power of 80%"
        said = [
            *filter(None, [self._of_baseline(w)]),
            "p within: null hypothesis, the gain is as large as the margin, on either side (two one-sided tests).",
            "p not worse: null hypothesis, the system is worse by the margin or more.",
            f"By {', '.join(dict.fromkeys(w.name(e.method) for _, e in rows if e))}, the margin in the place of 0.",
            *[f"p {name}: corrected over the pairs, each claim a family of its own; the intervals are not."]
            * corrected,
            f"detects: the smallest true gain that the test of the difference would find with {power}.",
        ]
        return w.table("Against the margin", rows, columns, footnotes=said, naming=1 + len(apart))

    def _of_baseline(self, w: Writer) -> str:
        """A margin in per cent as it was given, and of what; empty where it was given in the metric's unit."""
        asked = self.options.get("margin")
        several = asked.items() if isinstance(asked, Mapping) else ()
        said = w.name(", ".join(f"{metric}={margin}" for metric, margin in several) or asked)
        of = f"of {w.name(self.baseline)}'s score."
        return "" if "%" not in said else f"Margin: {said}, per cent {of}" if "=" in said else f"Margin: {said} {of}"

    def listed_items(self) -> ItemList:
        if self.details is not None:
            return ItemList(gains=self.details.items, texts=self.details.texts)
        absent = "This result was saved without its items: compare with --show-flips keeps them." if self.pairs else ""
        return ItemList(absent=absent)

    def beside(self, note: Note, w: Writer) -> str:
        found = [(p, p.otherwise) for p in self.pairs if p.otherwise is not None and p.otherwise.note == note.code]
        found.sort(key=lambda one: len({p is not None and p <= self.alpha for p in (one[0].p, one[1].p_value)}) == 1)
        said = "; ".join(
            f"{w.name(pair.system)} {w.unit(pair.metric, one.gain, sign=True)} "
            f"({w.ends(w.bound(one.ci), pair.metric)}, {w.p(one.p_value)})"
            for pair, one in found
        )
        return f"With {found[0][1].how}: {said}." if found else ""

    def how(self, w: Writer) -> str:
        believed = f"{describe_posteriors(self.posteriors, w)} " if self.posteriors else ""
        believed += f"{self._of_baseline(w)} ".lstrip()
        tests = "; ".join(list_tests(self, self.pairs or self.overall, w))
        if not tests:
            return f"{believed}{describe_size(self, w)}"
        several = (
            f" {w.count(self.tested, 'test')}: {w.name(coverage(self.correction, self.pairs))}."
            if self.tested > 1
            else ""
        )
        found = f"{tests[:1].upper()}{tests[1:]}.{several}{name_described(self.pairs, w)}"
        return f"{found} {believed}{end_with_size(self, w)}"

    def method(self, w: Writer) -> Iterator[str]:
        yield from describe_pairs_of_tests(self, self.pairs, w)
        for overall in self.overall:
            test, asked, null = describe_overall_test(overall), w.name(overall.question), w.name(overall.null)
            yield f"All at once: {test}. Question: {asked} Null hypothesis: {null}."
        yield from explain_posteriors(self.posteriors, w)
        yield from describe_design(self, w)
        made = [score.ci_method for score in self.scores], [pair.ci_method for pair in self.pairs]
        yield from describe_intervals(self, {"scores": made[0], "gains": made[1]}, w)

    def paragraph(self, w: Writer) -> Iterator[str]:
        yield from tell_paragraph(self, self.pairs, self.correction, w, w.name(self.baseline))
        for overall in self.overall:
            yield f"All systems were tested at once by {describe_overall_test(overall)}: {w.name(overall.null)}."
        yield from explain_posteriors(self.posteriors, w)

    def __repr__(self) -> str:
        systems = len({s.system for s in self.scores})
        metrics = ", ".join(dict.fromkeys(s.metric for s in self.scores))
        pairs = inflect(len(self.pairs), "pair")
        against = f"against {self.baseline!r}" if {p.baseline for p in self.pairs} <= {self.baseline} else "in pairs"
        return f"<Comparison of {systems} systems {against}: {metrics}; {pairs}>"


def _codes(pair: Pair | None) -> Iterable[str]:
    return () if pair is None else (*pair.notes, "folds_overlap")
