"""``outscore list``: what there is, by kind; the things of a kind; one thing in full."""

from __future__ import annotations

import click

from outscore.base.errors import UsageError, suggestion
from outscore.cli.kinds import KINDS, Kind
from outscore.cli.listing import print_entry, print_json, print_table

EPILOG = """\b
Examples:
  outscore list
  outscore list metrics
  outscore list tests mcnemar
  outscore list readers -f json
"""


@click.command("list", epilog=EPILOG)
@click.argument("kind", required=False)
@click.argument("name", required=False)
@click.option(
    "-f", "--format", "format_", type=click.Choice(["terminal", "json"]), default="terminal", show_default=True
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
    having = [other for other in KINDS if name in KINDS[other].things()]
    if having and kind not in having:
        raise UsageError(f"{name!r} is no {held.one}; did you mean 'list {having[0]} {name}'?")
    own, thing = held.find(name)
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
