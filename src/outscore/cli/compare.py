"""``outscore compare``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from outscore.cli.bundles import bundle
from outscore.cli.history_options import HistoryOptions
from outscore.cli.inputs import Inputs
from outscore.cli.options import all_options, correct_jointly
from outscore.cli.output import Output

EPILOG = """\b
Examples:
  outscore compare -r ref.txt baseline=base.txt new=new.txt -m bleu,chrf,ter
  outscore compare -r ref.txt base='hyps/base.opt*' sys1='hyps/sys1.opt*' -m bleu
  outscore compare scores.csv -m accuracy --cluster document
  outscore compare base=a.seg new=b.seg -o result.json
  outscore compare scores.csv -m accuracy --margin 0.02 --fail-unless not-worse
"""


@click.command("compare", epilog=EPILOG, no_args_is_help=True, params=correct_jointly(all_options()))
@bundle
def command(
    inputs: Inputs,
    output: Output,
    history_choice: HistoryOptions,
    metrics: list[str] | None,
    margins: tuple[str, ...],
    fail_unless: str | None,
    details: bool,
    **choices: Any,
) -> None:
    """Does a system really outscore the baseline?

    NAME=PATTERN names a system; the files that match the pattern are its runs. A bare FILE is a system named
    after it. FILE#PATTERN picks systems from a table that holds several. The first system is the baseline. Files hold
    one output a line, one number a line, a table (CSV, TSV, JSONL) with columns system, item, score [, run, cluster,
    domain, metric], or one of the formats that `outscore formats` lists; .gz and - (stdin) work too.
    """
    if not inputs.files:
        raise click.UsageError("no systems: give NAME=FILE for each, the baseline first")
    if fail_unless in ("not-worse", "equivalent") and not margins:
        raise click.UsageError(f"--fail-unless {fail_unless} needs to know what does not matter: add --margin NUMBER")
    history = history_choice.find_history()
    from outscore.api import compare
    from outscore.metrics import metrics as known

    stray = next((f for f in inputs.files if f.isidentifier() and not Path(f).exists() and known.knows(f)), None)
    if stray:
        raise click.UsageError(
            f"{stray!r} is a metric, not a file: join metrics by commas, -m {','.join([*(metrics or []), stray])}"
        )

    data = inputs.read()
    with output.progress() as tell:
        result = compare(
            data,
            metrics=metrics,
            margin=",".join(margins) or None,
            details=details or output.format.partition(":")[0] == "html",
            history=history,
            progress=tell,
            **choices,
        )
    output.write(result)
    if fail_unless and not (gate := result.gate(fail_unless)):
        from outscore.report.equivalence import gate_line

        click.echo(f"outscore: {gate_line(result, gate)}", err=True)
        sys.exit(1)
