"""``outscore study``: a command for every registered study, made of its fields."""

import inspect
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import click

from outscore.base.errors import InputError
from outscore.base.lazy import dataclass
from outscore.cli.command import WHOLE, Around, Call, VerbCommand
from outscore.cli.inputs import Sets
from outscore.cli.list import list_kind
from outscore.studies import studies
from outscore.studies.shared.study import KINDS

EPILOG = """\b
Examples:
  outscore study
  outscore study gain -r ref.txt 'system*.txt' -m bleu --plot gain.svg
  outscore study toys --resume cells
  outscore study gain --help
"""

_WIDEST = 76  # letters of an example in one line
_KEPT = ("Source: ", "Files ")
"""Beginnings of the paragraphs that the short help has besides the question."""


class Studies(click.Group):
    """The subcommands are the registered studies; each is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return studies.names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _command(studies.find(cmd_name))


@click.group("study", cls=Studies, epilog=EPILOG, invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Empirical studies on your own systems, and on none: list them, or run one.

    Each is a grid of cells. With --resume DIR cells are kept as they are done, and those that are there are not done
    again; --jobs and --dask change no result.
    """
    if ctx.invoked_subcommand is None:
        list_kind("studies")


@dataclass(frozen=True, kw_only=True)
class AroundStudy(Around):
    """The study that is meant, in the place of a name."""

    lacks: ClassVar[tuple[str, ...]] = ("around", "decimals", "plain")

    def read(self, call: Call) -> tuple[Any, ...]:
        """The study, and its data."""
        return (call.own, *super().read(call))

    def answer(self, call: Call) -> Any:
        """The findings, with the groups of the file."""
        file = call.chosen.get("groups")
        if file is None:
            return super().answer(call)
        return super().answer(replace(call, chosen={**call.chosen, "groups": read_groups(Path(file))}))


@dataclass(frozen=True, kw_only=True)
class AroundSimulation(AroundStudy):
    """A study that takes nothing."""

    bare: ClassVar[bool] = True


@dataclass(frozen=True, kw_only=True)
class AroundSets(AroundStudy):
    """A study of several data sets."""

    sets: Sets = ()

    def check(self, call: Call) -> Call:
        """Takes tables for systems."""
        return call if self.sets else super().check(call)

    def read(self, call: Call) -> tuple[Any, ...]:
        """The study, and its data sets."""
        return (call.own, call.inputs.read_sets(self.sets)) if self.sets else super().read(call)


class StudyCommand(VerbCommand):
    """The command of a study; ``--help`` has its question and its source, ``--help-all`` what is done."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        first, *rest = (self.help or "").split("\n\n")
        kept = rest if ctx.meta.get(WHOLE) else [part for part in rest if part.startswith(_KEPT)]
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text("\n\n".join((first, *kept)))


def _command(cls: type[Any]) -> click.Command:
    """The command of one study."""
    around = {"nothing": AroundSimulation, "sets": AroundSets}.get(cls.takes, AroundStudy)
    about = inspect.cleandoc(cls.__doc__ or "").partition("\nAttributes:")[0].replace("``", "").rstrip()
    examples = (_break_lines(cls.example),) if cls.example else ()
    return StudyCommand(cls.name, KINDS[cls.takes], around, own=cls, about=about, examples=examples)


def _break_lines(example: str) -> str:
    """A command on lines that fit a page of help, to be pasted as it stands."""
    lines = [""]
    for part in re.split(r" (?=-)", example):
        if lines[-1] and len(lines[-1]) + len(part) > _WIDEST:
            lines.append("")
        lines[-1] += f" {part}" if lines[-1] else part
    return " \\\n    ".join(lines)


def read_groups(path: Path) -> dict[str, str]:
    """The group of each system: a line ``SYSTEM``, tab, ``GROUP`` for each; empty lines are passed over.

    Raises:
        InputError: the file cannot be read, a line is not of two columns, or a system stands there twice.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=str(path), remedy="check the path") from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8", file=str(path), remedy="save it as UTF-8") from None
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        system, tab, group = line.partition("\t")
        if not tab or not system.strip() or not group.strip() or "\t" in group:
            raise InputError(
                f"found {line[:60]!r}, expected SYSTEM, a tab, GROUP",
                file=str(path),
                line=number,
                remedy="mend the line",
            )
        if system in found:
            raise InputError(f"{system!r} stands here twice", file=str(path), line=number, remedy="remove one")
        found[system] = group.strip()
    return found
