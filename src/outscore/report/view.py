"""View of a result that every part of a report shares: metrics, decimals, note numbers, labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from outscore.report.model import Block, Cell, Row
from outscore.report.numbers import P_KINDS, Decimals, decimals_for, p_with_error
from outscore.report.text import clean
from outscore.results import Comparison, Overall, Pair, Result, Score

if TYPE_CHECKING:
    from outscore.results import PairPosterior

_CORRECTIONS = {
    "bonferroni": "Bonferroni",
    "sidak": "Šidák",
    "holm": "Holm",
    "hochberg": "Hochberg",
    "hommel": "Hommel",
    "bh": "BH",
    "by": "BY",
    "max-t-step-down": "step-down max-T",
    "maxt": "max-T",
    "max-t": "max-T",
    "max_t": "max-T",
}

_MEAN = re.compile(r"mean:column=([^,]+)(?:,(?:lower|tested)=true)+")
_TESTS = {"mcnemar": "McNemar mid-p", "mcnemar:variant=exact": "McNemar", "wilcoxon": "Wilcoxon"}


class View:
    """A result as the tables need it; where nothing was compared there are no pairs and no baseline.

    Args:
        result: the record.
        width: decimals asked for, or None for the custom of each unit.
    """

    def __init__(self, result: Result, width: int | None) -> None:
        self.result, self.width = result, width
        compared = result if isinstance(result, Comparison) else None
        self.pairs: tuple[Pair, ...] = compared.pairs if compared else ()
        self.overall: tuple[Overall, ...] = compared.overall if compared else ()
        self.baseline = compared.baseline if compared else None
        self.correction = compared.correction if compared else "none"
        self.posteriors: tuple[PairPosterior, ...] = getattr(result, "posteriors", ())

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics, in the order of the scores."""
        return tuple(dict.fromkeys(s.metric for s in self.result.scores))

    def scores(self, metric: str) -> list[Score]:
        """Scores under one metric, the baseline first if there is one."""
        found = [s for s in self.result.scores if s.metric == metric]
        return sorted(found, key=lambda s: s.system != self.baseline)

    def pair(self, system: str, metric: str) -> Pair | None:
        """The pair of this system with the baseline, if there is one."""
        return self._of_baseline.get((system, metric))

    @property
    def pairs_with_baseline(self) -> Collection[Pair]:
        """The pairs of the baseline, which the main table shows."""
        return self._of_baseline.values()

    @cached_property
    def _of_baseline(self) -> dict[tuple[str, str], Pair]:
        return {(p.system, p.metric): p for p in self.pairs if p.baseline == self.baseline}

    @cached_property
    def other_pairs(self) -> tuple[Pair, ...]:
        """The pairs of which neither system is the baseline."""
        return tuple(p for p in self.pairs if p.baseline != self.baseline)

    def name_of(self, pair: Pair) -> str:
        """Name of a pair: its system alone, where all are compared with the baseline."""
        system = clean(pair.system)
        return f"{system} against {clean(pair.baseline)}" if self.other_pairs else system

    @cached_property
    def family(self) -> int:
        """How many p-values the correction was made over."""
        return sum(p.p_value is not None or p.p_adjusted is not None for p in self.pairs)

    @cached_property
    def corrected(self) -> bool:
        """Whether an adjusted p-value says more than the raw one."""
        if any(p.p_adjusted != p.p_value for p in self.pairs):
            return True
        return self.correction != "none" and self.family > 1

    @cached_property
    def several_runs(self) -> bool:
        """Whether any system has several runs."""
        return any(len(s.runs) > 1 for s in self.result.scores)

    def label(self, metric: str) -> str:
        """The metric as its unit spells it: ``BLEU`` for ``bleu`` in ``BLEU 0-100``, options kept.

        A mean of a column is called like the column; which way is better is said by its arrow.
        """
        mean = _MEAN.fullmatch(metric)
        if mean is not None and mean[1] not in self.metrics:
            return clean(mean[1])
        return spell_metric(metric, self.scores(metric)[0].unit)

    @property
    def p_header(self) -> str:
        """Name of the p-value that the daggers stand for."""
        return f"p {correction_label(self.correction)}" if self.corrected else "p"

    def decimals(self, metric: str) -> Decimals:
        """Decimals of the scores and gains of one metric, or of coefficients; the same in all tables."""
        return self._decimals[metric] if metric else decimals_for("0-1", width=self.width)

    @cached_property
    def _decimals(self) -> dict[str, Decimals]:
        return {
            m: decimals_for(
                self.scores(m)[0].unit,
                scores=[s.score for s in self.scores(m)],
                gains=[
                    number
                    for p in self.posteriors or self.result.contrasts
                    if p.metric == m
                    for number in (p.gain, *(getattr(p, "ci", None) or ()))
                ],
                width=self.width,
            )
            for m in self.metrics
        }

    @cached_property
    def common(self) -> frozenset[str]:
        """Codes of the notes that concern every pair or the whole result: they need no number in the rows."""
        of_pairs = [set(pair.notes) for pair in self.pairs or self.posteriors]
        shared = set.intersection(*of_pairs) if of_pairs else set()
        of_none = {note.code for note in self.result.notes}.difference(*of_pairs)
        return frozenset(shared | of_none)

    @cached_property
    def note_numbers(self) -> dict[str, int]:
        """Footnote numbers of the notes that concern some pairs only, in the order of the notes."""
        marked = [note.code for note in self.result.notes if note.code not in self.common]
        return {code: number for number, code in enumerate(dict.fromkeys(marked), 1)}

    def notes_of(self, pair: Pair | PairPosterior) -> tuple[int, ...]:
        """Footnote numbers of one pair."""
        return tuple(sorted({self.note_numbers[code] for code in pair.notes if code in self.note_numbers}))

    def decision(self, pair: Pair) -> Literal["better", "worse", ""]:
        """The side that a pair was decided for; where a saved result holds no verdict, what its p-value says."""
        if pair.verdict:
            return pair.verdict if pair.verdict in ("better", "worse") else ""  # type: ignore[return-value]
        p = pair.p_value if pair.p_adjusted is None else pair.p_adjusted
        if p is None or p > self.result.alpha or pair.gain == 0:
            return ""
        return "better" if pair.gain > 0 else "worse"

    def mark(self, pair: Pair | None) -> str:
        """``†`` for a difference that was decided, ``‡`` where its adjusted p is at most alpha / 5."""
        if pair is None or pair.p_adjusted is None or not self.decision(pair):
            return ""
        return "‡" if pair.p_adjusted <= self.result.alpha / 5 else "†"

    def p_cell(self, p: float | None, error: float | None = None) -> Cell:
        """A p-value with its Monte-Carlo error where that matters."""
        text, tail = p_with_error(p, error, self.result.alpha)
        return Cell(text=text, tail=tail)

    def blocks(self, rows_of: Callable[[str], Iterable[Row]]) -> tuple[Block, ...]:
        """The rows of each metric under its heading; one metric needs no heading, no rows make no block."""
        several = len(self.metrics) > 1
        found = []
        for metric in self.metrics:
            rows = tuple(rows_of(metric))
            name, arrow = (self.label(metric), arrow_of(self.scores(metric)[0])) if several else ("", "")
            if rows:
                found.append(Block(metric=name, arrow=arrow, rows=rows))
        return tuple(found)


def spell_metric(metric: str, unit: str) -> str:
    """The metric as its unit spells it, options kept."""
    name, colon, options = clean(metric).partition(":")
    spelled = clean(unit).partition(" ")[0]
    return (spelled if spelled.casefold() == name.casefold() else name) + colon + options


def arrow_of(score: Score) -> str:
    """The direction of the metric."""
    return "↑" if score.higher_is_better else "↓"


def correction_label(name: str) -> str:
    """How papers spell a correction."""
    return _CORRECTIONS.get(name.lower(), clean(name))


def test_label(name: str, kind: str) -> str:
    """``randomization, Monte Carlo``."""
    said = P_KINDS.get(kind, clean(kind))
    label = _TESTS.get(name, clean(name))
    return f"{label}, {said}" if said else label


def describe_coverage(correction: str, size: int) -> str:
    """Clause on the coverage of so many intervals, to be added to the name of the correction; empty where it is one."""
    if size < 2:
        return ""
    if correction in ("none", "bh", "by"):
        return "; intervals of gains each by itself"
    if correction in ("max-t", "max-t-step-down"):
        return "; intervals of gains by the same joint law, covering together"
    if correction in ("sidak", "holm-sidak"):
        return f"; intervals of gains at (1 - alpha)^(1/{size}), covering together"
    of_bonferroni = correction in ("holm", "bonferroni", "hochberg", "hommel")
    return f"; intervals of gains at 1 - alpha/{size}, covering together" if of_bonferroni else ""
