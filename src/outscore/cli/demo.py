"""``outscore demo``."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from outscore.base.errors import InputError, OutscoreError
from outscore.base.files import write_whole

ARGUMENTS = [
    "-r",
    "ref.txt",
    "baseline=baseline.run*.txt",
    "tuned=tuned.run*.txt",
    "larger=larger.run*.txt",
    "-m",
    "bleu,chrf",
]
SHELL = "outscore compare -r ref.txt baseline='baseline.run*.txt' tuned='tuned.run*.txt' larger='larger.run*.txt' -m bleu,chrf"


@click.command("demo", epilog="Example:  outscore demo example-data")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path("outscore-demo"))
def command(folder: Path) -> None:
    """Write the example files into FOLDER, compare them, and say which command did it.

    [default FOLDER: outscore-demo]
    """
    from outscore.api import compare, read
    from outscore.cli.output import emit

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot make the folder ({error.strerror})", file=str(folder), remedy="name another"
        ) from None
    for source in examples().iterdir():
        if source.name.endswith((".txt", ".csv", ".tsv")):
            write_whole(folder / source.name, source.read_text(encoding="utf-8"))
    names = [a if "=" not in a else "=".join((a.split("=")[0], str(folder / a.split("=")[1]))) for a in ARGUMENTS[2:5]]
    data = read(names, references=[str(folder / "ref.txt")])
    emit(compare(data, metrics=["bleu", "chrf"]), "terminal", None, None, False, False)
    click.echo(f"\nThe files are in {folder}. This was:\n  cd {folder}\n  {SHELL}")


def examples() -> Traversable:
    """The folder of example files: inside the installed package, or at the top of a source checkout."""
    packaged = files("outscore") / "examples"
    checkout = Path(__file__).parents[3] / "examples"
    for place in (packaged, checkout):
        if place.is_dir():
            return place
    raise OutscoreError("the example files are missing from this installation; install outscore again")
