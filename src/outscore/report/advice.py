"""Advice as tables: the data, what to use, what to avoid, what to run."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from outscore.base.errors import inflect
from outscore.report.footnotes import format_note
from outscore.report.model import Block, Cell, Column, Footnote, Row, Table
from outscore.report.numbers import to_digits
from outscore.report.text import clean
from outscore.results import Advice, Avoid, Fact, Use

_ROW = 88
"""Characters of a line of a command; longer ones go on after a backslash, so that they can be pasted."""

_MOST_NAMES = 4


def tables(result: Advice, width: int | None) -> list[Table]:
    """The tables of an advice, if the result is one."""
    return [_data(result), _use_table(result), _avoid(result), _run(result)]


def sentence(advice: Advice, width: int | None) -> str:
    """Recommend a test and an interval for each metric, in words."""
    metrics: dict[tuple[str, str, str], list[str]] = {}
    for use in advice.use:
        metrics.setdefault((use.test, use.interval, use.reason), []).append(use.metric)
    said = [
        f"for {', '.join(dict.fromkeys(map(clean, names)))} use {clean(test)} with the {clean(interval)}, "
        f"as this is {clean(reason)}"
        for (test, interval, reason), names in metrics.items()
    ]
    return " ".join(_capital(clean(_sentence(text))) for text in ("; ".join(said), advice.correction_reason))


def _data(advice: Advice) -> Table:
    metrics = dict.fromkeys(fact.metric for fact in advice.facts)

    def rows(metric: str) -> Iterator[Row]:
        for fact in advice.facts:
            if fact.metric == metric:
                yield (
                    Cell(text=clean(fact.name).replace("_", " ")),
                    Cell(text=_number(fact)),
                    Cell(text=clean(fact.text)),
                )

    columns = (Column(header="Fact"), Column(header="Number", align="right"), Column(header="What it is", prose=True))
    blocks = tuple(Block(metric=clean(m) or "columns of the items", rows=tuple(rows(m))) for m in metrics)
    notes = tuple(format_note(note) for note in advice.notes)
    systems = inflect(len(advice.systems), "system")
    return Table(title=f"The data: {systems}, none of them ahead", columns=columns, blocks=blocks, footnotes=notes)


def _use_table(advice: Advice) -> Table:
    several = len({use.systems for use in advice.use}) > 1

    def row(use: Use) -> Row:
        others = [f"beside it: {', '.join(use.beside)}"] if use.beside else []
        others += [f"as good here: {', '.join(use.others)}"] if use.others else []
        return (
            Cell(text=clean(use.metric)),
            *((Cell(text=_names(use.systems)),) if several else ()),
            Cell(text=clean(use.test)),
            Cell(text=clean("; ".join([use.reason, *others]))),
            Cell(text=clean(use.interval)),
        )

    columns = (
        Column(header="Metric"),
        *((Column(header="Systems"),) if several else ()),
        Column(header="Test"),
        Column(header="Why", prose=True),
        Column(header="Interval", prose=True),
    )
    notes = [Footnote(text=f"Null hypothesis of {clean(u.test)}: {clean(_sentence(u.null))}") for u in advice.use]
    notes += [
        Footnote(text=f"Say with {clean(u.test)}: {clean(_sentence(caveat))}")
        for u in advice.use
        for caveat in u.caveats
    ]
    notes.append(Footnote(text=f"Correction: {clean(advice.correction)}; {clean(_sentence(advice.correction_reason))}"))
    rows = tuple(row(use) for use in advice.use)
    return Table(title="Use", columns=columns, blocks=(Block(rows=rows),), footnotes=tuple(dict.fromkeys(notes)))


def _avoid(advice: Advice) -> Table:
    metrics = dict.fromkeys(avoid.metric for avoid in advice.avoid)
    facts = {(fact.metric, fact.name): fact for fact in advice.facts}

    def is_here(avoid: Avoid) -> str:
        found = [facts[avoid.metric, name] for name in avoid.evidence if (avoid.metric, name) in facts]
        said = (f"{clean(fact.name).replace('_', ' ')} {_number(fact)}" for fact in found)
        return f" (here: {', '.join(said)})" if found else ""

    columns = (Column(header="Avoid"), Column(header="Because", prose=True))
    blocks = tuple(
        Block(
            metric=clean(m) if len(metrics) > 1 else "",
            rows=tuple(
                (Cell(text=clean(", ".join(a.tests))), Cell(text=clean(a.reason) + is_here(a)))
                for a in advice.avoid
                if a.metric == m
            ),
        )
        for m in metrics
    )
    return Table(title="Avoid here", columns=columns, blocks=blocks)


def _run(advice: Advice) -> Table:
    rows = [(Cell(text=clean(line)),) for step in advice.steps for line in _lines(step.command)]
    return Table(title="Run", columns=(Column(header="Command"),), blocks=(Block(rows=tuple(rows)),))


def _lines(command: str) -> list[str]:
    """A command in lines that a shell joins again; a call in Python stays whole."""
    if not command.startswith("outscore "):
        return [command]
    lines = [""]
    for word in map(shlex.quote, shlex.split(command)):
        if lines[-1].strip() and len(lines[-1]) + len(word) > _ROW:
            lines[-1] += " \\"
            lines.append("    " + word)
        else:
            lines[-1] += (" " if lines[-1] else "") + word
    return lines


def _names(systems: tuple[str, ...]) -> str:
    names = ", ".join(map(clean, systems))
    return names if len(systems) <= _MOST_NAMES else inflect(len(systems), "system")


def _number(fact: Fact) -> str:
    """``12``, or ``0.31 to 0.52`` where pairs differ."""
    if fact.low is None:
        return ""
    low, high = to_digits(fact.low), to_digits(fact.high)
    return low if low == high else f"{low} to {high}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."
