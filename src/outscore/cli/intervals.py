"""``outscore intervals``."""

from __future__ import annotations

from typing import Any

import click

from outscore.cli.listing import entry, option_text, print_entry, print_json, print_table

EPILOG = """\b
Examples:
  outscore intervals
  outscore intervals bca
  outscore intervals -f json
"""

_COVERS = {"gain": "gains", "score": "scores", "both": "gains and scores"}


@click.command("intervals", epilog=EPILOG)
@click.argument("name", required=False)
@click.option(
    "-f", "--format", "format_", type=click.Choice(["terminal", "json"]), default="terminal", show_default=True
)
def command(name: str | None, format_: str) -> None:
    """List the confidence intervals with what they cover; or show the interval NAME in full.

    Any of them can be given to `outscore compare` and `outscore score` as --interval NAME or
    --interval NAME:option=value. Without it, the interval is chosen by metric, design and number of items.
    """
    from outscore.significance.interval import intervals

    found = [_entry(each) for each in ([name.partition(":")[0]] if name else intervals.names())]
    if format_ == "json":
        print_json(found)
    elif name is None:
        rows = [
            (e["name"], e["description"], _COVERS[e["covers"]], ", ".join(map(option_text, e["options"])))
            for e in found
        ]
        print_table("Confidence intervals", ("Interval", "What it is", "Covers", "Options"), rows)
    else:
        (one,) = found
        facts = {
            "Covers": _COVERS[one["covers"]],
            "Formula": one["formula"],
            "For": one["applies"],
            "Needs data": one["needs"],
            "Source": one["citation"],
        }
        print_entry(intervals.find(one["name"]), one, facts)


def _entry(name: str) -> dict[str, Any]:
    from outscore.significance.interval import intervals

    cls = intervals.find(name)
    said = {key: getattr(cls, key) for key in ("covers", "formula", "applies", "needs", "citation")}
    return entry(cls, **said)
