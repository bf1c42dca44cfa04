"""The options that commands share, each written once: a command names those that it takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

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


class NumberOfResamples(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A number of resamples of 2 or more, or ``auto``."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | Literal["auto"]:
        if value == "auto":
            return "auto"
        if not str(value).isdecimal() or int(value) < 2:
            self.fail(f"{value!r} is neither a number of 2 or more nor auto", param, ctx)
        return int(value)


_ALL = (
    click.Argument(["files"], nargs=-1, metavar="FILE..."),
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
        help="bleu, chrf, ter, accuracy, f1, mean ... or a column; `outscore metrics` lists all; options as "
        "bleu:tokenize=intl.  "
        "[default: bleu for texts, accuracy for labels, mean for scores]",
    ),
    click.Option(
        ["--baseline"], metavar="NAME", default=None, help="The system compared against.  [default: the first]"
    ),
    click.Option(["--all-pairs"], is_flag=True, help="Compare every two systems, not only all with the baseline."),
    click.Option(
        ["--test"],
        metavar="auto|NAME",
        default="auto",
        show_default=True,
        help="auto, bootstrap, randomization, mcnemar, t, z, sign, wilcoxon, crossed, runs, multibootstrap, multeval; "
        "options as bootstrap:form=percentile.",
    ),
    click.Option(
        ["-n", "--resamples", "n_resamples"],
        type=NumberOfResamples(),
        metavar="NUMBER|auto",
        default="10000",
        show_default=True,
        help="Resampled test sets, at least; auto: until chance in the drawing could hardly turn a decision.",
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
        ["--interval"],
        metavar="auto|NAME",
        default="auto",
        show_default=True,
        help="auto, bca, percentile, t, delta, max-t, wilson, tango ...; `outscore intervals` lists all; options as "
        "percentile:quantile=7.",
    ),
    click.Option(
        ["--alternative"],
        type=click.Choice(["two-sided", "greater", "less"]),
        default="two-sided",
        show_default=True,
        help="greater: the system is better than the baseline. Choose it before seeing the data.",
    ),
    click.Option(
        ["--correct", "correction"],
        metavar="NAME",
        default="holm",
        show_default=True,
        help="Over all pairs: holm, bonferroni, hochberg, hommel, sidak, holm-sidak, bh, by, none.",
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
        ["--domain"],
        metavar="COLUMN",
        default=None,
        help="Column to break results down by.  [default: the column 'domain', if any]",
    ),
    click.Option(
        ["--items"], metavar="FILE", default=None, help="Table that describes the items: document, domain ..."
    ),
    click.Option(
        ["--reader"],
        metavar="NAME",
        default=None,
        help="lines, scores, table, jsonl ...; `outscore formats` lists all.  [default: by content]",
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
    click.Option(
        ["-j", "--jobs"],
        type=click.IntRange(min=1),
        default=None,
        help="Cores to use; they change no result.  [default: all]",
    ),
    click.Option(["--cache"], metavar="DIR", default=None, help="Keep counted statistics here for the next time."),
    click.Option(
        ["-f", "--format", "format_"],
        metavar="NAME",
        default=None,
        help="markdown, latex, json, csv, html, sentence.  [default: by the suffix of -o, else terminal]",
    ),
    click.Option(
        ["-o", "--output"], type=click.Path(path_type=Path), default=None, help="Write to this file instead of stdout."
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
    click.Option(
        ["--decimals"],
        type=click.IntRange(0, 15),
        default=None,
        help="Decimals of scores.  [default: the custom of each metric]",
    ),
    click.Option(["--plain"], is_flag=True, help="No pictures made of characters."),
    click.Option(
        ["--plot"],
        metavar="FILE",
        default=None,
        expose_value=False,
        callback=store_plot,
        help="Also a picture: .svg, .png, .pdf, .json (Vega-Lite).",
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
