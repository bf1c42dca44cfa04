"""``outscore convert``."""

from pathlib import Path
from typing import Any

import click

import outscore
from outscore.base.files import write_whole
from outscore.base.lazy import dataclass
from outscore.base.text import clean
from outscore.cli.inputs import Inputs
from outscore.cli.output import also, options
from outscore.cli.streams import print_notes, print_now
from outscore.cli.typed import made_options, on_command_line
from outscore.verbs.options import Missing, ReadingOptions

EPILOG = """\b
Examples:
  outscore convert -r ref.txt baseline='baseline.run*.txt' larger='larger.run*.txt' -o long.csv
  outscore convert baseline.run1.txt larger.run1.txt --items items.csv -o long.jsonl
  outscore convert scores.csv --exclude small -o others.tsv
"""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FilesRead(ReadingOptions):
    """The files that are read, besides those of systems."""

    missing: Missing = "error"


@click.command(
    "convert",
    epilog=EPILOG,
    no_args_is_help=True,
    params=[
        *options("files"),
        *made_options(on_command_line(FilesRead)),
        *made_options(on_command_line(Inputs)),
        *options("raw_csv"),
        also(
            click.Option(
                ["-o", "--output", "to"],
                type=click.Path(path_type=Path),
                multiple=True,
                metavar="FILE.csv|.tsv|.jsonl|.parquet",
                help="Write to this file.  [default: CSV to stdout]",
            ),
            *("f", "format", "out", "to"),
        ),
    ],
)
@click.option("-q", "--quiet", is_flag=True, help="No messages on stderr.")
def command(to: tuple[Path, ...], quiet: bool, raw_csv: bool, **read: Any) -> None:
    """Write whatever can be read as the one long table that every command reads.

    A row for each item of each system and run: system, item, run, output, reference, numbers, and descriptions of the
    items. In CSV an apostrophe stands before texts that a spreadsheet would take for formulas, such as =1+1 or +new;
    outscore reads them without it.
    """
    from outscore.data.write import WRITERS

    formats = {file: file.suffix.lower().removeprefix(".") for file in to}
    for file, format in formats.items():
        if format not in WRITERS:
            raise click.UsageError(f"{file}: an output file ends in {', '.join(f'.{name}' for name in WRITERS)}")
    table = outscore.convert(Inputs(**read).read())
    for file, format in formats.items():
        write_whole(file, table.to(format, raw_csv=raw_csv))
    if not to:
        print_now(str(table.to("csv", raw_csv=raw_csv)), nl=False)
    if not quiet:
        print_notes(dict.fromkeys(note for format in formats.values() or ["csv"] for note in table.notes_in(format)))
        for file in to:
            click.echo(f"wrote {clean(file)}", err=True)
