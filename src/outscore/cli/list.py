"""``outscore list``: what there is, by kind; the things of a kind; one thing in full."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from outscore.base.errors import UsageError, suggestion
from outscore.base.text import clean
from outscore.cli.kinds import KINDS, Entry, Kind, documentation, option_text
from outscore.cli.streams import print_now
from outscore.report.layout import lines_of
from outscore.report.text import terminal_columns, wrap

EPILOG = """\b
Examples:
  outscore list
  outscore list metrics
  outscore list tests mcnemar
  outscore list readers -f json
"""


def _complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Kinds, or names of things of a kind, for the shell."""
    kind = ctx.params.get("kind")
    known = KINDS if kind is None else KINDS[kind].things() if kind in KINDS else ()
    return [name for name in known if name.startswith(incomplete)]


@click.command("list", epilog=EPILOG)
@click.argument("kind", required=False, shell_complete=_complete)
@click.argument("name", required=False, shell_complete=_complete)
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(["terminal", "json"]),
    default="terminal",
    show_default=True,
    help="For people, or for programs.",
)
def command(kind: str | None, name: str | None, format_: str) -> None:
    """List what there is: the kinds; all of one KIND; or the one with that NAME in full.

    Options of most of them follow a colon, as in -m bleu:tokenize=intl.
    """
    if kind is None:
        _list_kinds(format_)
    elif name is None:
        list_kind(kind, format_)
    else:
        _show_one(kind, name.partition(":")[0], format_)


def list_kind(name: str, format_: str = "terminal") -> None:
    """Prints all things of a kind."""
    kind = _find_kind(name)
    tables = {
        title: [kind.entry(*each) for each in things.items()]
        for title, things in kind.by_table().items()
    }  # fmt: skip
    if format_ == "json":
        print_json(entry for entries in tables.values() for entry in entries)
        return
    columns = [kind.column(key) for key in kind.columns]
    for number, (title, entries) in enumerate(tables.items()):
        heads = (kind.one.capitalize(), *(fact.title for fact in columns))
        rows = [(entry["name"], *(fact.words(entry) for fact in columns)) for entry in entries]
        print_table("\n" * bool(number) + title, heads, rows)


def _list_kinds(format_: str) -> None:
    found = [
        {"name": name, "number": len(kind.things()), "about": kind.about, "given": kind.given}
        for name, kind in KINDS.items()
    ]
    if format_ == "json":
        print_json(found)
    else:
        heads = ("Kind", "Number", "What they are", "Given as")
        print_table("What there is (outscore list KIND)", heads, [tuple(map(str, one.values())) for one in found])


def _show_one(kind: str, name: str, format_: str) -> None:
    held = _find_kind(kind)
    try:
        own, thing = held.find(name)
    except UsageError:
        having = next((other for other in KINDS if other != kind and name in KINDS[other].things()), None)
        if having is None:
            raise
        raise UsageError(f"{name!r} is no {held.one}; did you mean 'list {having} {name}'?") from None
    entry = held.entry(own, thing)
    if format_ == "json":
        print_json([entry])
    else:
        print_entry(thing, entry, {fact.title: fact.words(entry) for fact in held.facts if fact.title})


def _find_kind(name: str) -> Kind:
    """The kind of that name.

    Raises:
        UsageError: there is none; the kind that has a thing of that name is named.
    """
    if name in KINDS:
        return KINDS[name]
    bare = name.partition(":")[0]
    having = next((kind for kind in KINDS if bare in KINDS[kind].things()), None)
    near = f"; did you mean 'list {having} {bare}'?" if having else suggestion(name, KINDS)
    raise UsageError(f"no kind {name!r}{near} (there are: {', '.join(KINDS)})")


_NARROWEST = 40


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Prints a table, wrapped to the width of the terminal."""
    print_now("\n".join([*wrap(title, _width()), *lines_of(columns, rows, _width())]))


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
