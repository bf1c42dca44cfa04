"""``outscore tests``."""

from __future__ import annotations

from typing import Any

import click

from outscore.cli.listing import entry, option_text, print_entry, print_json, print_table

EPILOG = """\b
Examples:
  outscore tests
  outscore tests welch
  outscore tests -f json
"""

_TITLES = {
    "paired": "Tests of pairs: systems that answered the same items (outscore compare --test NAME)",
    "independent": "Tests of independent samples: runs, or items that nobody shares (outscore test NAME)",
    "omnibus": "Tests of several systems at once (outscore test NAME)",
}


@click.command("tests", epilog=EPILOG)
@click.argument("name", required=False)
@click.option(
    "-f", "--format", "format_", type=click.Choice(["terminal", "json"]), default="terminal", show_default=True
)
def command(name: str | None, format_: str) -> None:
    """List the tests with their null hypotheses; or show the test NAME in full: what it is for, what it needs.

    Any of them can be given to `outscore test`, those of pairs to `outscore compare --test` too; options follow a colon
    as in NAME:option=value.
    """
    from outscore.significance.kinds import KINDS, all_tests, kind_of

    if name is None:
        found = [_entry(kind, cls) for kind, cls in all_tests().values()]
    else:
        bare = name.partition(":")[0]
        cls = KINDS[kind_of(bare)].find(bare)
        found = [_entry(kind_of(bare), cls)]
    if format_ == "json":
        print_json(found)
    elif name is None:
        for number, (kind, title) in enumerate(_TITLES.items()):
            rows = [
                (e["name"], e["null"], ", ".join(map(option_text, e["options"]))) for e in found if e["kind"] == kind
            ]
            print_table("\n" * bool(number) + title, ("Test", "Null hypothesis", "Options"), rows)
    else:
        (one,) = found
        facts = {
            "Null hypothesis": one["null"],
            "Formula": one["formula"],
            "When it applies": one["applies"],
            "What it needs": one["needs"],
            "Example": f"outscore test {one['name']} FILE...",
            "Source": one["citation"],
        }
        print_entry(cls, one, facts)


def _entry(kind: str, cls: type[Any]) -> dict[str, Any]:
    # tests of other packages may say less of themselves
    said = {key: getattr(cls, key, "") for key in ("null", "formula", "applies", "needs", "citation")}
    return entry(cls, kind=kind, **said)
