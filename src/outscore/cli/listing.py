"""Lists of named things: as a table for a terminal, one in full, or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from outscore.cli.kinds import Entry, documentation, option_text
from outscore.cli.streams import print_now
from outscore.report.layout import align, fit, records
from outscore.report.model import Block, Cell, Column, Table
from outscore.report.text import clean, terminal_columns, wrap

_NARROWEST = 40


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Prints a table, wrapped to the width of the terminal."""
    width = _width()
    body = tuple(tuple(Cell(text=clean(text)) for text in row) for row in rows)
    heads = tuple(Column(header=header, prose=True) for header in columns)
    table = Table(title=title, columns=heads, blocks=(Block(rows=body),))
    fitting = fit(table, width)
    if fitting is None:
        lines = list(records(table, width))
    else:
        fitted, widths, stacked = fitting
        lines = list(align(fitted, widths, stacked, lambda piece, cell: piece))
    print_now("\n".join([title, *lines]))


def print_entry(thing: Any, found: Entry, facts: Mapping[str, str]) -> None:
    """Prints the documentation of one entry, its options, and further facts that are not empty."""
    lines = [clean(found["name"]), ""]
    for indent, text in _paragraphs(documentation(thing).replace("``", "")):
        lines += [" " * indent + part for part in wrap(text, _width() - indent, hang=indent)]
    lines.append("")
    options = ", ".join(option_text(option) for option in found["options"])
    needs = f"pip install 'outscore[{found['extra']}]'" if found["extra"] else ""
    for name, text in {"Options": options, **facts, "Needs": needs}.items():
        if "\n" in text:
            lines += [f"{name}:", *(f"  {clean(line)}" for line in text.splitlines())]
        elif text:
            lines += wrap(f"{name}: {text}", _width(), hang=2)
    print_now("\n".join(lines))


def _paragraphs(text: str) -> list[tuple[int, str]]:
    """The paragraphs of a docstring, and each of its arguments, with their indent; broken lines are joined again."""
    found: list[tuple[int, str]] = []
    for line in text.splitlines():
        indent, words = len(line) - len(line.lstrip()), line.strip()
        before, said = found[-1] if found else (0, "")
        prose = indent == before == 0 and not said.endswith(":")
        if words and said and (prose or indent > before > 0):
            found[-1] = (before, f"{said} {words}")
        else:
            found.append((indent, words))
    return found


def print_json(found: Iterable[Entry]) -> None:
    """Prints a list of objects."""
    print_now(json.dumps(list(found), ensure_ascii=False, indent=1))


def _width() -> int:
    return max(_NARROWEST, terminal_columns())
