"""The options that commands share, each written once: a command names those that it takes."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import click

from outscore.cli.output import store_plot, store_static

WRITTEN = (
    "format_",
    "output",
    "verbose",
    "quiet",
    "all_rows",
    "around",
    "strict",
    "width",
    "decimals",
    "plain",
    "cite",
)
"""Where a result goes that has no picture."""
OUTPUTS = (*WRITTEN, "plot", "static")
"""Where the result goes, and how it is drawn."""


P = TypeVar("P", bound=click.Parameter)


def _also(made: P, *names: str) -> P:
    """The same, with what others call it."""
    made.__dict__["also"] = names
    return made


_ALL = (
    _also(
        click.Argument(["files"], nargs=-1, metavar="FILE..."),
        *("system", "systems", "sys", "hyp", "hyps", "hypothesis", "hypotheses", "predictions", "input", "i", "s"),
    ),
    _also(
        click.Option(
            ["-f", "--format", "format_"],
            metavar="NAME",
            default=None,
            help="markdown, latex, methods, json, csv, html ...  [default: by the suffix of -o, else terminal]",
        ),
        *("fmt", "json", "csv", "latex", "tex", "markdown", "html", "sentence", "output-format"),
    ),
    _also(
        click.Option(
            ["-o", "--output"],
            type=click.Path(path_type=Path),
            default=None,
            help="Write to this file; .svg, .pdf, .png: a picture.",
        ),
        *("out", "outfile", "output-file", "save"),
    ),
    click.Option(["-v", "--verbose"], is_flag=True, help="All tables, all notes, and how it was done."),
    click.Option(["-q", "--quiet"], is_flag=True, help="Only the table; nothing on stderr."),
    click.Option(["--all", "all_rows"], is_flag=True, help="Every row of a long table."),
    click.Option(["--around"], metavar="NAME", default="", help="Of a long table also the rows around this system."),
    click.Option(["--strict"], is_flag=True, help="Exit code 1 where a note changes the answer (!)."),
    click.Option(
        ["-w", "--width"],
        type=click.IntRange(min=20),
        default=None,
        help="Columns of the text.  [default: the terminal's, 80 where there is none]",
    ),
    _also(
        click.Option(
            ["--decimals"],
            type=click.IntRange(0, 15),
            default=None,
            help="Decimals of scores.  [default: the custom of each metric]",
        ),
        *("precision", "digits", "round"),
    ),
    click.Option(["--plain"], is_flag=True, help="No pictures made of characters."),
    click.Option(
        ["--plot"],
        metavar="FILE",
        default=None,
        expose_value=False,
        callback=store_plot,
        help="Also a picture: .svg, .png, .pdf, .json, .html.",
    ),
    click.Option(
        ["--static"],
        is_flag=True,
        expose_value=False,
        callback=store_static,
        help="HTML without any script: for mail and print.",
    ),
    click.Option(["--cite"], is_flag=True, help="Add BibTeX for the metrics and methods used."),
)


def options(*names: str) -> list[click.Parameter]:
    """The options of these names, in the order of all."""
    strange = set(names) - {parameter.name for parameter in _ALL}
    if strange:
        raise ValueError(f"no option is shared that is called {', '.join(sorted(strange))}")
    return [parameter for parameter in _ALL if parameter.name in names]
