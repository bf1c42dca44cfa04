"""``outscore coefficients``."""

from __future__ import annotations

from typing import Any

import click

from outscore.cli.listing import entry, option_text, print_entry, print_json, print_table

EPILOG = """\b
Examples:
  outscore coefficients
  outscore coefficients krippendorff
  outscore coefficients -f json
"""


@click.command("coefficients", epilog=EPILOG)
@click.argument("name", required=False)
@click.option(
    "-f", "--format", "format_", type=click.Choice(["terminal", "json"]), default="terminal", show_default=True
)
def command(name: str | None, format_: str) -> None:
    """List the coefficients of agreement with what each takes for chance; or show the coefficient NAME in full.

    Any of them can be given to `outscore agree` as -k NAME or -k NAME:option=value.
    """
    from outscore.agreement import coefficients

    found = [_entry(each) for each in ([name.partition(":")[0]] if name else coefficients.names())]
    if format_ == "json":
        print_json(found)
    elif name is None:
        rows = [(e["name"], e["description"], e["corrects"], ", ".join(map(option_text, e["options"]))) for e in found]
        print_table("Coefficients of agreement", ("Coefficient", "What it is", "Corrects for", "Options"), rows)
    else:
        (one,) = found
        facts = {
            "Corrects for": one["corrects"],
            "Formula": one["formula"],
            "Example": f"outscore agree -k {one['name']} FILE",
            "Source": one["citation"],
        }
        print_entry(coefficients.find(one["name"]), one, facts)


def _entry(name: str) -> dict[str, Any]:
    from outscore.agreement import coefficients

    cls = coefficients.find(name)
    return entry(cls, corrects=cls.corrects, formula=cls.formula, citation=cls.citation)
