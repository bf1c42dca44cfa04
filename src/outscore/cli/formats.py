"""``outscore formats``."""

from __future__ import annotations

from typing import Any

import click

from outscore.cli.listing import entry, option_text, print_entry, print_json, print_table

EPILOG = """\b
Examples:
  outscore formats
  outscore formats table
  outscore formats -f json
"""


@click.command("formats", epilog=EPILOG)
@click.argument("name", required=False)
@click.option(
    "-f", "--format", "format_", type=click.Choice(["terminal", "json"]), default="terminal", show_default=True
)
def command(name: str | None, format_: str) -> None:
    """List the formats that can be read and those that can be written; or show the format NAME in full.

    A file is known by its content; --reader NAME overrules. Results are written as -f NAME.
    """
    from outscore.base.errors import UsageError, suggestion
    from outscore.data.readers import readers
    from outscore.results.result import formats

    classes = [cls for registry in (readers, formats) for _, cls in registry if name in (None, cls.name)]
    if not classes:
        known = [*readers.names(), *formats.names()]
        raise UsageError(f"unknown format {name!r}{suggestion(name or '', known)} (there are: {', '.join(known)})")
    found = [_entry(cls) for cls in classes]
    if format_ == "json":
        print_json(found)
    elif name is None:
        read = [(e["name"], e["description"], ", ".join(e["roles"])) for e in found if e["kind"] == "read"]
        print_table("What can be read (--reader)", ("Reader", "What it is", "Given as"), read)
        written = [(_spell(e), e["description"], " ".join(e["suffixes"])) for e in found if e["kind"] == "write"]
        print_table("\nWhat results are written as (-f)", ("Format", "What it is", "Suffix"), written)
    else:
        for cls, one in zip(classes, found, strict=True):
            facts = {"Given as": ", ".join(one.get("roles", ())), "Suffix": " ".join(one.get("suffixes", ()))}
            print_entry(cls, one, {**facts, "Example": one["example"]})


def _entry(cls: type[Any]) -> dict[str, Any]:
    """A reader has roles and an example file; an output format has suffixes."""
    if hasattr(cls, "roles"):
        made = entry(cls, kind="read", roles=list(cls.roles), example=cls.example)
        return {**made, "description": cls.description}
    return entry(cls, kind="write", suffixes=list(getattr(cls, "suffixes", ())), example=f"-f {cls.name}")


def _spell(found: dict[str, Any]) -> str:
    options = ",".join(map(option_text, found["options"]))
    return f"{found['name']}:{options}" if options else str(found["name"])
