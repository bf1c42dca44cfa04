"""``outscore metrics``."""

from __future__ import annotations

from dataclasses import MISSING, replace
from typing import Any

import click

from outscore.base.registry import options_of
from outscore.cli.listing import entry, option_text, print_entry, print_json, print_table

EPILOG = """\b
Examples:
  outscore metrics
  outscore metrics bleu
  outscore metrics -f json
"""


@click.command("metrics", epilog=EPILOG)
@click.argument("name", required=False)
@click.option(
    "-f", "--format", "format_", type=click.Choice(["terminal", "json"]), default="terminal", show_default=True
)
def command(name: str | None, format_: str) -> None:
    """List the metrics with their units and options; or show the metric NAME in full.

    Any of them can be given as -m NAME or -m NAME:option=value,option=value.
    """
    from outscore.metrics import metrics

    found = [_entry(each) for each in ([name.partition(":")[0]] if name else metrics.names())]
    if format_ == "json":
        print_json(found)
    elif name is None:
        rows = [(e["name"], e["description"], _unit(e), ", ".join(map(option_text, e["options"]))) for e in found]
        print_table(
            "Metrics (↑ higher is better, ↓ lower is better)", ("Metric", "What it is", "Unit", "Options"), rows
        )
    else:
        (one,) = found
        facts = {"Unit": _unit(one), "Example": f"-m {one['example']}", "Source": one["citation"]}
        print_entry(metrics.find(one["name"]), one, facts)


def _entry(name: str) -> dict[str, Any]:
    from outscore.metrics import metrics

    cls = metrics.find(name)
    # its example, because some options have to be given, with all others as they are by default
    defaults = {f.name: f.default for f in options_of(cls) if f.default is not MISSING}
    made = replace(metrics.make(cls.example), **defaults)
    return entry(
        cls,
        unit=made.unit,
        higher_is_better=made.higher_is_better,
        reads=cls.reads,
        example=cls.example,
        citation=cls.citation,
    )


def _unit(found: dict[str, Any]) -> str:
    return f"{found['unit']} {'↑' if found['higher_is_better'] else '↓'}"
