"""Listings of registries: as a table for a terminal, in full, or as JSON."""

from __future__ import annotations

import dataclasses
import inspect
import json
import typing
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from outscore.base.registry import options_of
from outscore.cli.streams import print_now
from outscore.report.layout import align, fit, records
from outscore.report.model import Block, Cell, Column, Table
from outscore.report.text import clean, terminal_columns, wrap

_NARROWEST = 40

Entry = Mapping[str, Any]
"""One registered thing: name, description, options and whatever else its kind has, as plain values."""


def entry(cls: type[Any], **more: Any) -> dict[str, Any]:
    """Name, description and options of a registered dataclass, and ``more``."""
    hints = typing.get_type_hints(cls)
    return {
        "name": cls.name,
        "description": inspect.cleandoc(cls.__doc__ or "").partition("\n")[0].replace("``", ""),
        **more,
        "options": [_option(field, hints[field.name]) for field in options_of(cls)],
        "extra": getattr(cls, "extra", "") or None,
    }


def option_text(option: Mapping[str, Any]) -> str:
    """``name=default``, as it is typed after the name and a colon; ``name=...`` where it has to be given."""
    if option["required"]:
        return f"{option['name']}=..."
    value = option["default"]
    plain = int(value) if isinstance(value, float) and value.is_integer() else value
    return f"{option['name']}={'none' if value is None else str(plain).lower() if isinstance(value, bool) else plain}"


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


def print_entry(cls: type[Any], found: Entry, facts: Mapping[str, str]) -> None:
    """Prints the documentation of one entry, its options, and further facts that are not empty."""
    lines = [clean(found["name"]), ""]
    for indent, text in _paragraphs(inspect.cleandoc(cls.__doc__ or "").replace("``", "")):
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


def _option(field: dataclasses.Field[Any], hint: Any) -> dict[str, Any]:
    required = field.default is dataclasses.MISSING
    choices = [c for c in typing.get_args(hint) if c is not None] if typing.get_origin(hint) is typing.Literal else None
    default = None if required else field.default
    return {"name": field.name, "required": required, "default": default, "choices": choices}


def _width() -> int:
    return max(_NARROWEST, terminal_columns())
