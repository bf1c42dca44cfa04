"""``outscore compare``."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import click

from outscore.cli.output import emit, format_name, format_options

EPILOG = """\b
Examples:
  outscore compare -r ref.txt baseline=base.txt new=new.txt -m bleu,chrf,ter
  outscore compare -r ref.txt base='hyps/base.opt*' sys1='hyps/sys1.opt*' -m bleu
  outscore compare scores.csv -m accuracy --cluster document
  outscore compare base=a.seg new=b.seg -o result.json
"""


class Resamples(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A number of resamples of 2 or more, or ``auto``."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | Literal["auto"]:
        if value == "auto":
            return "auto"
        if not str(value).isdecimal() or int(value) < 2:
            self.fail(f"{value!r} is neither a number of 2 or more nor auto", param, ctx)
        return int(value)


@click.command("compare", epilog=EPILOG, no_args_is_help=True)
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option(
    "-r",
    "--reference",
    "references",
    multiple=True,
    metavar="FILE",
    help="References or gold labels; repeat for several.",
)
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME,...",
    help="bleu, chrf, ter, accuracy, f1, mean ... or a column; `outscore metrics` lists all; options as "
    "bleu:tokenize=intl.  "
    "[default: bleu for texts, accuracy for labels, mean for scores]",
)
@click.option("--baseline", metavar="NAME", default=None, help="The system compared against.  [default: the first]")
@click.option("--all-pairs", is_flag=True, help="Compare every two systems, not only all with the baseline.")
@click.option(
    "--test",
    metavar="auto|NAME",
    default="auto",
    show_default=True,
    help="auto, bootstrap, randomization, mcnemar, t, z, sign, wilcoxon, crossed, runs, multeval; "
    "options as bootstrap:form=percentile.",
)
@click.option(
    "-n",
    "--resamples",
    type=Resamples(),
    metavar="NUMBER|auto",
    default="10000",
    show_default=True,
    help="Resampled test sets, at least; auto: until chance in the drawing could hardly turn a decision.",
)
@click.option(
    "--engine",
    type=click.Choice(["cyclic", "iid"]),
    default="cyclic",
    show_default=True,
    help="How test sets are resampled: cyclic is fast; iid draws each by itself.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=12345,
    show_default=True,
    help="Seed of the resampling; 0 is a seed too.",
)
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="Level of the tests; intervals cover 1 - alpha."
)
@click.option(
    "--alternative",
    type=click.Choice(["two-sided", "greater", "less"]),
    default="two-sided",
    show_default=True,
    help="greater: the system is better than the baseline. Choose it before seeing the data.",
)
@click.option(
    "--correct",
    "correction",
    metavar="NAME",
    default="holm",
    show_default=True,
    help="Over all (system, metric) pairs: holm, bonferroni, hochberg, hommel, sidak, holm-sidak, bh, by, max-t, none.",
)
@click.option(
    "--cluster",
    metavar="COLUMN",
    default=None,
    help="Column of items that belong together: document ...; none to ignore.  [default: the column 'cluster', if any]",
)
@click.option(
    "--strata", metavar="COLUMN", default=None, help="Column of strata that a bootstrap redraws in fixed numbers."
)
@click.option(
    "--domain",
    metavar="COLUMN",
    default=None,
    help="Column to break results down by.  [default: the column 'domain', if any]",
)
@click.option("--items", metavar="FILE", default=None, help="Table that describes the items: document, domain ...")
@click.option(
    "--reader",
    metavar="NAME",
    default=None,
    help="lines, scores, table, jsonl ...; `outscore formats` lists all.  [default: by content]",
)
@click.option(
    "--missing",
    type=click.Choice(["error", "drop", "zero"]),
    default="error",
    show_default=True,
    help="Items that some system lacks, or that have no number: an error, dropped from all systems, or scored 0.",
)
@click.option(
    "-c",
    "--column",
    "columns",
    multiple=True,
    metavar="ROLE=NAME",
    help="What a column of a table is for, where its name does not say it: item=question_id, domain=category, "
    "item=task+id, label=length; item=@row numbers the rows, item=@columns takes headers as items.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    help="Cores to use; they change no result.  [default: all]",
)
@click.option("--cache", metavar="DIR", default=None, help="Keep counted statistics here for the next time.")
@format_options
def command(
    files: tuple[str, ...],
    references: tuple[str, ...],
    metrics: tuple[str, ...],
    output: Path | None,
    format_: str | None,
    width: int | None,
    cite: bool,
    quiet: bool,
    resamples: int | Literal["auto"],
    items: str | None,
    reader: str | None,
    columns: tuple[str, ...],
    missing: Any,
    **choices: Any,
) -> None:
    """Does a system really outscore the baseline?

    NAME=PATTERN names a system; the files that match the pattern are its runs. A bare FILE is a system named
    after it. FILE#PATTERN picks systems from a table that holds several. The first system is the baseline. Files hold
    one output a line, one number a line, a table (CSV, TSV, JSONL) with columns system, item, score [, run, cluster,
    domain, metric], or one of the formats that `outscore formats` lists; .gz and - (stdin) work too.
    """
    if not files:
        raise click.UsageError("no systems: give NAME=FILE for each, the baseline first")
    name = format_name(format_, output)
    from outscore.api import compare, read
    from outscore.cli.streams import progress
    from outscore.metrics import metrics as known

    stray = next((f for f in files if f.isidentifier() and not Path(f).exists() and known.knows(f)), None)
    if stray:
        raise click.UsageError(
            f"{stray!r} is a metric, not a file: join metrics by commas, -m {','.join(metrics)},{stray}"
        )

    data = read(files, references=references, items=items, reader=reader, columns=columns, missing=missing)
    with progress(quiet) as tell:
        result = compare(data, metrics=list(metrics) or None, n_resamples=resamples, progress=tell, **choices)
    emit(result, name, output, width, cite, quiet)
    if any(note.code == "interrupted" for note in result.notes):
        raise KeyboardInterrupt
