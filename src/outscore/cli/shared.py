"""Options that commands have in common with ``compare``, so that they are said in one place."""

from __future__ import annotations

import click

from outscore.cli.compare import command as compare

_INPUTS = ("files", "references", "items", "reader", "columns", "missing")
_OF_TWO = ("baseline", "all_pairs", "test", "alternative", "correction")


def inputs_of_compare() -> list[click.Parameter]:
    """What ``compare`` reads."""
    return [parameter for parameter in compare.params if parameter.name in _INPUTS]


def all_but_tests(*others: str) -> list[click.Parameter]:
    """What ``compare`` takes, without what is about one system against another, and without ``others``."""
    return [parameter for parameter in compare.params if parameter.name not in (*_OF_TWO, *others)]
