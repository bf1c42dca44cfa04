"""Pieces of reStructuredText: what docstrings are written in, so that they stand in the reference as they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sphinx.ext.napoleon import Config
from sphinx.ext.napoleon.docstring import GoogleDocstring

from outscore.cli.kinds import documentation, option_text
from outscore.cli.kinds import options as options_of

_LINES = ("=", "-", "~")
_NAPOLEON = Config(napoleon_use_param=False, napoleon_use_rtype=False, napoleon_use_ivar=True)


def page(title: str, *parts: str) -> str:
    """A whole page."""
    return "\n\n".join([heading(title, 0), *(part for part in parts if part)]) + "\n"


def heading(title: str, level: int) -> str:
    """A heading; 0 is the title of a page."""
    text = escaped(title)
    return f"{text}\n{_LINES[level] * max(4, len(text))}"


def escaped(text: str) -> str:
    """Text in which no character is markup."""
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def code(text: str) -> str:
    """Words to be typed, within a line."""
    return f"``{text}``" if text.strip() else ""


def block(text: str, language: str = "text") -> str:
    """Lines shown as they are."""
    body = "\n".join(f"   {line}" if line.strip() else "" for line in text.rstrip().splitlines())
    return f".. code-block:: {language}\n\n{body}"


def docstring(thing: Any) -> str:
    """What a docstring says, with its sections."""
    # it reads nothing but the settings of its own extension
    config: Any = _NAPOLEON
    return str(GoogleDocstring(documentation(thing), config, what="function"))


def facts(named: Mapping[str, str]) -> str:
    """What is known of a thing, each with its name; what is empty is left out."""
    return "\n".join(f":{name}: {value}" for name, value in named.items() if value)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are markup already."""
    lines = [".. list-table::", "   :header-rows: 1", ""]
    for row in (heads, *rows):
        lines += [f"   {'*' if first else ' '} - {cell}".rstrip() for first, cell in zip(_firsts(), row, strict=False)]
    return "\n".join(lines)


def contents(entries: Iterable[str], *, hidden: bool = False) -> str:
    """A table of contents."""
    lines = [".. toctree::", "   :maxdepth: 1", *["   :hidden:"] * hidden, "", *(f"   {each}" for each in entries)]
    return "\n".join(lines)


def options(thing: Any) -> str:
    """The options of something registered, as they are typed, with the values that they can have."""
    said = []
    for option in options_of(thing):
        choices = ", ".join(code(str(c)) for c in option["choices"] or () if c != option["default"])
        said.append(code(option_text(option)) + (f" (or {choices})" if choices else ""))
    return "; ".join(said)


def extra(thing: Any) -> str:
    """The command that installs what a thing needs beside this package."""
    needed = getattr(thing, "extra", "")
    return code(f"pip install 'outscore[{needed}]'") if needed else ""


def _firsts() -> Iterable[bool]:
    yield True
    while True:
        yield False
