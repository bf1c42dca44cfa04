"""A result in words and tables, in the order in which a reader needs them; every text format draws this alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from outscore.base.installed import LIBRARIES
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.text import clean
from outscore.report.model import Table
from outscore.report.numbers import interval, p_text, to_fixed, to_given
from outscore.report.text import join_remedy
from outscore.report.writer import ReportWriter
from outscore.results.comparison import Comparison
from outscore.results.methods import IDLE
from outscore.results.pairs import Pair
from outscore.results.result import Gate, Result
from outscore.results.sentences import tell_taken_back
from outscore.results.sequences import InterimAnalysis, Sequence

_RANKS = ("answer", "claim", "record")


@dataclass(frozen=True, kw_only=True)
class Screen:
    """A result in words and tables.

    Attributes:
        verdict: sentences, what matters most first.
        tables: all of them; those of the first screen say so.
        how: how it was tested, on one line; ``method``: all that is to be said of it.
        notes: what a reader must know, what changes the answer first.
        computed: those of them that hold numbers computed in the other way.
    """

    verdict: tuple[str, ...]
    tables: tuple[Table, ...]
    how: str
    method: tuple[str, ...]
    notes: tuple[Note, ...]
    computed: frozenset[Note]

    @property
    def how_in_print(self) -> str:
        """``how`` for a paper, in which options mean nothing."""
        return self.how.removesuffix(IDLE)

    @property
    def first(self) -> tuple[Table, ...]:
        """The tables of the first screen."""
        return tuple(table for table in self.tables if table.first)

    @property
    def bare(self) -> tuple[Table, ...]:
        """The same without what stands below them, and without columns that would be told there."""
        return tuple(replace(table.shorten("footnote"), footnotes=()) for table in self.first)


def screen_of(result: Result, decimals: int | None = None) -> Screen:
    """All that a result says; ``decimals`` None for the custom of each metric."""
    w = ReportWriter(result, decimals)
    beside = {note: result.beside(note, w) for note in result.notes}
    found = sorted(beside, key=lambda note: (_RANKS.index(note.rank), not beside[note]))
    notes = tuple(replace(note, remedy=beside[note] or note.remedy) for note in found)
    return Screen(
        verdict=_verdict(result, w),
        tables=tuple(result.views(w)),
        how=result.how(w),
        method=(*result.method(w), *_describe_packages(result, w), *_describe_options(result, w)),
        notes=notes,
        computed=frozenset(note for note, said in zip(notes, map(beside.get, found), strict=True) if said),
    )


def sentence_of(result: Result, decimals: int | None = None, *, alone: bool = True) -> str:
    """The verdict for a paper, how it was tested, and what changes the answer; not ``alone`` if it says so."""
    screen = screen_of(result, decimals)
    how = screen.how_in_print.strip().rstrip(".")
    said = " ".join([*screen.verdict, *([f"({how}.)"] if how else [])])
    plain = re.sub(r", (BUT )?see !( on [\d,]+ pairs?)?", "", said)
    marked = [note for note in screen.notes if note.rank == "answer" and (alone or plain != said)]
    marked = [note for note in marked if note.code != "p_and_interval" or "p and interval disagree" not in plain]
    return " ".join([plain, *(f"But {join_remedy(note.text, '')}" for note in marked)]).strip()


def tell_in_brief(result: Result, decimals: int | None, brief: int) -> tuple[str, ...]:
    """The verdict for a screen with little room."""
    return _verdict(result, ReportWriter(result, decimals, brief=brief))


def _verdict(result: Result, w: ReportWriter) -> tuple[str, ...]:
    """The sentences of a result, which may be of another package: no terminal obeys a name in them."""
    return tuple(map(clean, (*result.verdict(w), *tell_taken_back(result, w))))


def _describe_packages(result: Result, w: ReportWriter) -> Iterator[str]:
    """The packages of others that had a part in the numbers, on one line."""
    of_others = {name: version for name, version in result.provenance.libraries.items() if name not in LIBRARIES}
    if of_others:
        yield f"Of other packages: {', '.join(w.name(f'{name} {version}') for name, version in of_others.items())}."


def _describe_options(result: Result, w: ReportWriter) -> Iterator[str]:
    """The options that differ from the defaults, on one line."""
    if result.changed_options:
        said = (f"{w.name(name)}={w.name(typed(result.options[name]))}" for name in result.changed_options)
        yield f"Options: {', '.join(said)}."


def typed(value: Any) -> object:
    """The value of an option as it is typed on the command line."""
    if isinstance(value, Mapping):
        return ",".join(f"{name}:{typed(one)}" for name, one in value.items())
    if value is None:
        return "none"
    return ",".join(map(str, value)) if isinstance(value, list) else value


def tables_of(result: Result, decimals: int | None = None) -> list[Table]:
    """Every table of a result, those of the first screen first."""
    return list(screen_of(result, decimals).tables)


def lists_asked(result: Result) -> list[str]:
    """The options that asked for tables, each once; nothing is written into their cells for that."""
    return list(dict.fromkeys(table.asked for table in result.views(_Untold(result, None)) if table.asked))


class _Untold(ReportWriter):
    """Tables without their rows."""

    def table(self, title: str, rows: Any, columns: Any, *, asked: str = "", **_: Any) -> Table:
        return Table(title=title, columns=(), blocks=(), asked=asked)


_MOST = 3


def gate_line(result: Comparison, gate: Gate[Pair]) -> str:
    """One line that names the first pairs for which a gate does not hold, and why."""
    w, failing = ReportWriter(result, None), gate.failing
    said = "; ".join(
        f"{result.name_of(p, w)} on {w.label(p.metric)}: {reason(w, p, gate.condition)}" for p in failing[:_MOST]
    )
    more = f"; and {len(failing) - _MOST} more" if len(failing) > _MOST else ""
    return f"gate {gate.condition!r} does not hold: {said}{more}"


def reason(w: ReportWriter, pair: Pair | Sequence, condition: str) -> str:
    """The numbers by which a gate is decided."""
    if isinstance(pair, Sequence):
        return pair.decision
    found = pair.equivalence
    if condition == "better" or found is None:
        p, name = pair.p, "p"
    elif condition == "not-worse":
        p, name = found.p_not_worse_adjusted, "p not worse"
    else:
        p, name = found.p_equivalent_adjusted, "p within"
    margin = "" if found is None else f", margin {to_given(found.margin)}"
    said = "not shown over all uses of the test set" if pair.verdict == condition == "better" else pair.verdict
    return f"{said}, gain {w.gain(pair.gain, pair.metric)}{margin}, {w.p(p, name)}"


def analysis_line(analysis: InterimAnalysis) -> str:
    """One interim analysis as it comes: ``n 200  gain +0.040 [-0.012, +0.093]  p .21  undecided``."""
    ends = interval(analysis.ci, 3, sign=True)
    gain, p = to_fixed(analysis.gain, 3, sign=True), p_text(analysis.p_value)
    return f"n {analysis.n}  gain {gain} {ends}  p {p}  {analysis.decision}"
