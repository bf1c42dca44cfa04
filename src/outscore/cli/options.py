"""The options that commands share, each written once: a command names those that it takes."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import click

from outscore.cli.output import store_plot, store_static

INPUTS = ("files", "references", "items", "reader", "missing", "exclude", "columns")
"""Options of the files to read, and how to read them."""
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
    click.Option(
        ["-r", "--reference", "references"],
        multiple=True,
        metavar="FILE",
        help="References or gold labels; repeat for several.",
    ),
    click.Option(
        ["-m", "--metric", "metrics"],
        multiple=True,
        metavar="NAME,...",
        callback=lambda ctx, _, names: list(names) or None,
        help="bleu, chrf, ter, accuracy, f1, mean ... or a column; `outscore list metrics` lists all; options as "
        "bleu:tokenize=intl.  "
        "[default: bleu for texts, accuracy for labels, mean for scores]",
    ),
    click.Option(
        ["--engine"],
        type=click.Choice(["cyclic", "iid"]),
        default="cyclic",
        show_default=True,
        help="How test sets are resampled: cyclic is fast; iid draws each by itself.",
    ),
    click.Option(
        ["--seed"],
        type=click.IntRange(min=0),
        default=12345,
        show_default=True,
        help="Seed of the resampling; 0 is a seed too.",
    ),
    click.Option(
        ["--alpha"], type=float, default=0.05, show_default=True, help="Level of the tests; intervals cover 1 - alpha."
    ),
    click.Option(
        ["--alternative"],
        type=click.Choice(["two-sided", "greater", "less"]),
        default="two-sided",
        show_default=True,
        help="greater: the system is better than the baseline. Choose it before seeing the data.",
    ),
    click.Option(
        ["--cluster"],
        metavar="COLUMN",
        default=None,
        help="Column of items that belong together: document ...; none to ignore.  [default: the column 'cluster', if "
        "any]",
    ),
    click.Option(["--strata"], metavar="COLUMN", default=None, help="Column of strata, resampled in fixed numbers."),
    click.Option(
        ["--items"], metavar="FILE", default=None, help="Table that describes the items: document, domain ..."
    ),
    click.Option(
        ["--reader"],
        metavar="NAME",
        default=None,
        help="lines, scores, table, jsonl ...; `outscore list readers` lists all.  [default: by content]",
    ),
    click.Option(
        ["--missing"],
        type=click.Choice(["error", "drop", "zero", "pairwise"]),
        default="error",
        show_default=True,
        help="Items that some system lacks, or that have no number: an error, dropped from all systems, or scored 0; "
        "pairwise (compare, correlate): each pair on the items that both have.",
    ),
    click.Option(
        ["--exclude"],
        multiple=True,
        metavar="SYSTEM",
        help="Leave a system out, by its name or a pattern, as if it had not been given; repeat for several.",
    ),
    click.Option(
        ["-c", "--column", "columns"],
        multiple=True,
        metavar="ROLE=NAME",
        help="What a column of a table is for, where its name does not say it: item=question_id, domain=category, "
        "item=task+id, label=length; item=@row numbers the rows, item=@columns takes headers as items.",
    ),
    click.Option(["--cache"], metavar="DIR", default=None, help="Keep counted statistics here for the next time."),
    _also(
        click.Option(
            ["-f", "--format", "format_"],
            metavar="NAME",
            default=None,
            help="markdown, latex, json, csv, html, sentence.  [default: by the suffix of -o, else terminal]",
        ),
        *("fmt", "json", "csv", "latex", "tex", "markdown", "html", "sentence", "output-format"),
    ),
    _also(
        click.Option(
            ["-o", "--output"],
            type=click.Path(path_type=Path),
            default=None,
            help="Write to this file instead of stdout.",
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
