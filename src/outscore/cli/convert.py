"""``outscore convert``."""

from __future__ import annotations

from pathlib import Path

import click

from outscore.cli.bundles import bundle
from outscore.cli.inputs import Inputs
from outscore.cli.options import INPUTS, options
from outscore.cli.readings import print_notes
from outscore.cli.streams import print_now

EPILOG = """\b
Examples:
  outscore convert -r ref.txt baseline='baseline.run*.txt' larger='larger.run*.txt' -o long.csv
  outscore convert base=base.seg new=new.seg --items items.csv -o long.jsonl
"""


@click.command("convert", epilog=EPILOG, no_args_is_help=True, params=options(*INPUTS))
@click.option(
    "-o",
    "--output",
    "file",
    type=click.Path(path_type=Path),
    default=None,
    help="Write to this file (.csv, .tsv, .jsonl, .parquet).  [default: CSV to stdout]",
)
@click.option("-q", "--quiet", is_flag=True, help="No messages on stderr.")
@bundle
def command(inputs: Inputs, file: Path | None, quiet: bool) -> None:
    """Write whatever can be read as the one long table that every command reads.

    A row for each item of each system and run: system, item, run, output, reference, numbers, and descriptions of the
    items. Cells are written as they are; a spreadsheet may take one that begins with =, +, - or @ for a formula.
    """
    from outscore.base.files import write_whole
    from outscore.data.write import WRITERS
    from outscore.verbs.convert import convert

    format = "csv" if file is None else file.suffix.lower().removeprefix(".")
    if format not in WRITERS:
        raise click.UsageError(f"{file}: an output file ends in {', '.join(f'.{name}' for name in WRITERS)}")
    table = convert(inputs.read())
    content = table.to(format)
    if file is None:
        print_now(str(content), nl=False)
    else:
        write_whole(file, content)
    if not quiet:
        print_notes(table.notes_in(format))
        if file is not None:
            click.echo(f"wrote {file}", err=True)
