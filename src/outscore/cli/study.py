"""``outscore study``: a command for every registered study, made of its fields."""

from __future__ import annotations

import dataclasses
import inspect
import re
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from outscore.cli.bundles import bundle
from outscore.cli.executor_options import executor_options
from outscore.cli.inputs import Inputs
from outscore.cli.listing import entry, print_json, print_table
from outscore.cli.options import INPUTS, OUTPUTS, options
from outscore.cli.output import Output
from outscore.cli.sets import sets_options

EPILOG = """\b
Examples:
  outscore study
  outscore study gain -r ref.txt 'system*.txt' -m bleu --plot gain.svg
  outscore study toys --resume cells
  outscore study gain --help
"""

_WIDEST = 88  # letters of an example in one line
_OF_COMPARE = (*INPUTS, "metrics", "engine", "seed", "alpha", "alternative", "cluster", "strata", "cache")
_OF_NOTHING = ("engine", "seed", "alpha", "alternative")


class Studies(click.Group):
    """The subcommands are the registered studies; each is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from outscore.studies import studies

        return studies.names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        from outscore.studies import studies

        return _command(studies.find(cmd_name))


@click.group("study", cls=Studies, epilog=EPILOG, invoke_without_command=True)
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(["terminal", "json"]),
    default="terminal",
    show_default=True,
    help="Of the list of studies.",
)
@click.pass_context
def command(ctx: click.Context, format_: str) -> None:
    """Empirical studies on your own systems, and on none: list them, or run one.

    Each is a grid of cells. With --resume DIR cells are kept as they are done, and those that are there are not done
    again; --jobs and --dask change no result.
    """
    if ctx.invoked_subcommand is not None:
        return
    from outscore.studies import studies

    found = [
        entry(cls, question=cls.question, takes=cls.takes, citation=cls.citation, example=cls.example)
        for _, cls in studies
    ]
    if format_ == "json":
        print_json(found)
    else:
        rows = [(e["name"], e["question"], e["citation"]) for e in found]
        print_table("Studies (outscore study NAME --help)", ("Study", "Question", "Source"), rows)


def _command(cls: type[Any]) -> click.Command:
    """The command of one study."""
    takes = cls.takes != "nothing"
    shared = options(*OUTPUTS, *(_OF_COMPARE if takes else _OF_NOTHING))
    own = [_option(field, hint) for field, hint in _fields(cls)]
    return click.Command(
        cls.name,
        params=[*shared, *(sets_options() if cls.takes == "sets" else []), *own, *_list_executor_options(takes)],
        callback=_runner(cls, takes),
        help=inspect.cleandoc(cls.__doc__ or "").partition("\nAttributes:")[0].replace("``", ""),
        epilog=f"\b\nExample:\n  {_break_lines(cls.example)}" if cls.example else None,
        no_args_is_help=takes,
    )


def _break_lines(example: str) -> str:
    """A command on lines that fit a page of help, to be pasted as it stands."""
    lines = [""]
    for part in re.split(r" (?=-)", example):
        if lines[-1] and len(lines[-1]) + len(part) > _WIDEST:
            lines.append("")
        lines[-1] += f" {part}" if lines[-1] else part
    return " \\\n    ".join(lines)


def _fields(cls: type[Any]) -> list[tuple[dataclasses.Field[Any], Any]]:
    hints = typing.get_type_hints(cls)
    return [(field, hints[field.name]) for field in dataclasses.fields(cls)]


def _option(field: dataclasses.Field[Any], hint: Any) -> click.Option:
    """An option of the command from a field of the study."""
    flag = f"--{field.name.replace('_', '-')}"
    said = field.metadata.get("help", "")
    if hint is bool:
        return click.Option(
            [f"{flag}/--no-{flag[2:]}", field.name], default=field.default, help=said, show_default=True
        )
    kind: Any = hint
    if typing.get_origin(hint) is typing.Literal:
        kind = click.Choice(list(typing.get_args(hint)))
    elif kind not in (int, float, str):
        kind = next((one for one in typing.get_args(hint) if one is not type(None)), str)
    return click.Option(
        [flag, field.name],
        type=kind,
        default=field.default,
        help=said,
        show_default=field.default not in (None, ""),
        metavar=field.metadata.get("metavar"),
    )


def _list_executor_options(takes: bool) -> list[click.Option]:
    """How the work is done."""
    groups = click.Option(
        ["--groups"],
        type=click.Path(path_type=Path),
        default=None,
        metavar="FILE",
        help="Groups of systems, as teams: a line SYSTEM, tab, GROUP for each.",
    )
    return [
        *([groups] if takes else []),
        click.Option(
            ["-n", "--resamples", "n_resamples"],
            type=click.IntRange(min=2),
            default=10_000,
            show_default=True,
            help="Resampled test sets of each test.",
        ),
        *executor_options(),
    ]


def _runner(cls: type[Any], takes: bool) -> Callable[..., None]:
    own = [field.name for field in dataclasses.fields(cls)]

    @bundle
    def run(output: Output, **choices: Any) -> None:
        from outscore.studies.shared.study import study

        with output.progress() as tell:
            meant = cls(**{field: choices.pop(field) for field in own})
            given = _read_inputs(choices) if takes else {}
            result = study(meant, progress=tell, checkpoint=Path(f"{cls.name}.cells"), **given, **choices)
        output.write(result)

    return run


def _read_inputs(choices: dict[str, Any]) -> dict[str, Any]:
    """The data and what is said of them."""
    from outscore.api import read_groups

    inputs = Inputs(**{name: choices.pop(name) for name in INPUTS})
    sets, groups = choices.pop("sets", ()), choices.pop("groups")
    data = inputs.read_sets(sets) if sets else inputs.read()
    return {"data": data, "groups": None if groups is None else read_groups(groups)}
