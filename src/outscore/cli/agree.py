"""``outscore agree``."""

from __future__ import annotations

from typing import Any

import click

from outscore.cli.bundles import bundle
from outscore.cli.options import OUTPUTS, options
from outscore.cli.output import Output

EPILOG = """\b
Examples:
  outscore agree labels.csv
  outscore agree labels.tsv --annotators 'rater*' -c item=document+sentence --cluster document
  outscore agree anna=anna.txt ben=ben.txt -k cohen,krippendorff
  outscore agree labels.csv --labels bad,fair,good -k cohen:weights=quadratic,krippendorff:distance=ordinal
"""


@click.command("agree", epilog=EPILOG, no_args_is_help=True, params=options("files", "seed", "alpha", "jobs", *OUTPUTS))
@click.option(
    "-k",
    "--coefficient",
    "coefficients",
    multiple=True,
    metavar="NAME,...",
    help="percent, cohen, conger, scott, fleiss, krippendorff, gwet, bennett; options as "
    "krippendorff:distance=ordinal; `outscore coefficients` explains them.  [default: those that suit the number of "
    "annotators]",
)
@click.option(
    "-c",
    "--column",
    "columns",
    multiple=True,
    metavar="ROLE=NAME",
    help="What a column is for, where its name does not say it: item=question_id, annotator=worker, label=answer; "
    "item=document+sentence joins two.",
)
@click.option(
    "--annotators",
    metavar="COLUMN,...",
    default=None,
    help="Columns of a wide table, one for each annotator, or patterns: 'rater*'.",
)
@click.option("--exchangeable", is_flag=True, help="The columns are slots, in which different persons may stand.")
@click.option(
    "--labels",
    metavar="LABEL,...",
    default=None,
    help="Labels of the scheme, from the lowest to the highest if ordered.",
)
@click.option("--na", metavar="LABEL,...", default=None, help="Labels that stand for missing ones; empty cells do.")
@click.option("--cluster", metavar="COLUMN", default=None, help="Column of units that belong together: document ...")
@click.option(
    "--domain", metavar="COLUMN", default=None, help="Column of groups of units, each compared with the first."
)
@click.option(
    "--interval",
    type=click.Choice(["auto", "bca", "percentile", "analytic"]),
    default="auto",
    show_default=True,
    help="Bootstrap over units (clusters), or by the standard error; auto is bca, but a score interval of two "
    "annotators and two labels, and of rare labels.",
)
@click.option(
    "--test",
    type=click.Choice(["auto", "relabelling"]),
    default="auto",
    show_default=True,
    help="Of no agreement beyond chance: the null variance, relabelling where labels are rare; or relabelling always.",
)
@click.option(
    "-n",
    "--resamples",
    "n_resamples",
    type=click.IntRange(min=2),
    metavar="NUMBER",
    default=10_000,
    show_default=True,
    help="Resampled sets of units, and relabellings.",
)
@click.option(
    "--disputed",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="List so many of the units with most disagreement.",
)
@bundle
def command(
    output: Output,
    files: tuple[str, ...],
    coefficients: tuple[str, ...],
    annotators: str | None,
    labels: str | None,
    na: str | None,
    columns: tuple[str, ...],
    **choices: Any,
) -> None:
    """How well do annotators agree beyond chance, who disagrees with whom, and on what?

    Files are tables, long (item, annotator, label) or wide (a column for each annotator), or NAME=FILE for each
    annotator with one label a line. An empty cell is a missing label.
    """
    from outscore.api import agree, read_annotations

    data = read_annotations(files, annotators=_split(annotators), columns=columns)
    with output.progress() as tell:
        result = agree(
            data,
            coefficients=list(coefficients) or None,
            labels=_split(labels),
            na=_split(na),
            progress=tell,
            **choices,
        )
    output.write(result)


def _split(text: str | None) -> list[str]:
    return [] if text is None else [part.strip() for part in text.split(",")]
