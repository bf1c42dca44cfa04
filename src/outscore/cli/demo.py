"""``outscore demo``."""

from __future__ import annotations

import glob
import shlex
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

import outscore
from outscore.base.errors import InputError, OutscoreError
from outscore.base.files import exists, is_folder, write_whole
from outscore.cli.output import Output

SYSTEMS = {"baseline": "baseline.run*.txt", "tuned": "tuned.run*.txt", "larger": "larger.run*.txt"}
METRICS = "bleu,chrf"
SHELL = " ".join(["outscore compare -r ref.txt", *(f"{n}='{p}'" for n, p in SYSTEMS.items()), "-m", METRICS])

_SUFFIXES = (".txt", ".csv", ".tsv", ".seg", ".conllu")


EPILOG = """\b
Examples:
  outscore demo
  outscore demo example-data
  outscore demo example-data > first-screen.txt
"""


@click.command("demo", epilog=EPILOG)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path("outscore-demo"))
def command(folder: Path) -> None:
    """Write the example files into FOLDER, compare them, and say which command did it.

    [default FOLDER: outscore-demo]
    """
    _write(folder)
    here = glob.escape(str(folder))
    data = outscore.read(
        [f"{name}={here}/{pattern}" for name, pattern in SYSTEMS.items()], references=[f"{here}/ref.txt"]
    )
    Output().write(outscore.compare(data, metrics=METRICS))
    click.echo(f"\nThe files are in {folder}. This was:\n  cd {shlex.quote(str(folder))}\n  {SHELL}")


def examples() -> Traversable:
    """The folder of example files: inside the installed package, or at the top of a source checkout."""
    packaged = files("outscore") / "examples"
    checkout = Path(__file__).parents[3] / "examples"
    for place in (packaged, checkout):
        if place.is_dir():
            return place
    raise OutscoreError("the example files are missing from this installation; install outscore again")


def _write(folder: Path) -> None:
    """The example files, in ``folder``; a file of the same name that holds something else is left alone.

    Raises:
        InputError: the folder cannot be made, or such a file is in the way.
    """
    texts = dict(_texts(examples()))
    for name, text in texts.items():
        there = folder / name
        if is_folder(there) or (exists(there) and there.read_bytes() != text.encode()):
            raise InputError("is in the way of an example file", file=str(there), remedy="name another folder")
    try:
        for name in texts:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot make the folder ({error.strerror})", file=str(folder), remedy="name another"
        ) from None
    for name, text in texts.items():
        write_whole(folder / name, text)


def _texts(place: Traversable, above: str = "") -> Iterator[tuple[str, str]]:
    """Path below the examples, and content, of every example file."""
    for entry in place.iterdir():
        if entry.is_dir():
            yield from _texts(entry, f"{above}{entry.name}/")
        elif entry.name.endswith(_SUFFIXES):
            yield f"{above}{entry.name}", entry.read_text(encoding="utf-8")
