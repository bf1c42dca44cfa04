"""``outscore convert``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from outscore.cli.shared import inputs_of_compare
from outscore.cli.streams import say

EPILOG = """\b
Examples:
  outscore convert -r ref.txt baseline='baseline.run*.txt' larger='larger.run*.txt' -o long.csv
  outscore convert base=base.seg new=new.seg --items items.csv -o long.jsonl
"""


@click.command("convert", epilog=EPILOG, no_args_is_help=True, params=inputs_of_compare())
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=None,
    help="Write to this file (.csv, .tsv, .jsonl, .parquet).  [default: CSV to stdout]",
)
@click.option("-q", "--quiet", is_flag=True, help="No messages on stderr.")
def command(files: tuple[str, ...], output: Path | None, quiet: bool, **choices: Any) -> None:
    """Write whatever can be read as the one long table that every command reads.

    A row for each item of each system and run: system, item, run, output, reference, numbers, and descriptions of the
    items. Cells are written as they are; a spreadsheet may take one that begins with =, +, - or @ for a formula.
    """
    from outscore.api import convert, read
    from outscore.base.files import write_whole
    from outscore.data.write import WRITERS

    format = "csv" if output is None else output.suffix.lower().removeprefix(".")
    if format not in WRITERS:
        raise click.UsageError(f"{output}: an output file ends in {', '.join(f'.{name}' for name in WRITERS)}")
    table = convert(read(files, **choices))
    content = table.to(format)
    if output is None:
        say(str(content), nl=False)
    else:
        write_whole(output, content)
    if not quiet:
        for note in table.notes_in(format):
            click.echo("; ".join(filter(None, (f"note: {note.text}", note.remedy))), err=True)
        if output is not None:
            click.echo(f"wrote {output}", err=True)
