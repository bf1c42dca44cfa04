"""A command that there is not, or an option that a command does not have: what is meant, or what has it."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator

import click

from outscore.base.errors import UsageError, suggestion
from outscore.cli.kinds import KINDS
from outscore.cli.typed import DeclaredClickOption
from outscore.results.result import formats
from outscore.significance import tests
from outscore.significance.independent import independent_tests
from outscore.significance.omnibus import omnibus_tests
from outscore.studies import studies
from outscore.verbs.declared import is_called

_MOST = 3
_CALLED = {
    "power": ("sample-size", "samplesize"),
    "compare -f latex": ("table", "tex"),
    "compare": ("significance", "sig", "diff", "ab-test", "paired"),
    "COMMAND --help": ("help", "man", "usage"),
}
"""Names of others, by the command that does here what they say."""


def suggest_command(name: str, names: Iterable[str], find: Callable[[str], click.Command]) -> str:
    """``; did you mean 'x'?`` for what is no command: the list, option, test or format called so, or the nearest."""
    if name in KINDS:
        return f"; did you mean 'list {name}'?"
    options = [(command, one) for command, found in _loaded(names, find) for one in found.params]
    own = [f"{command} --{name}" for command, one in options if f"--{name}" in one.opts]
    meant = own or [f"{command} {_written(one)}" for command, one in options if _is_called(one, name)]
    if len(meant) == 1 or (own and own[0].startswith("compare ")):
        return f"; did you mean '{meant[0]}'?"
    value = _value(name)
    return f"; did you mean '{value}'?" if value else suggestion(name, names)


def _loaded(names: Iterable[str], find: Callable[[str], click.Command]) -> Iterator[tuple[str, click.Command]]:
    """Commands by name, without those of packages that cannot be loaded."""
    for name in names:
        with contextlib.suppress(UsageError):
            yield name, find(name)


def _value(name: str) -> str:
    """The command to type where the name is that of a test, a format or a study, or what others say."""
    registries = (tests, independent_tests, omnibus_tests)
    if any(registry.knows(name) for registry in registries):
        return f"compare --test {name}"
    if meant := [one for registry in registries for one in registry.meanings(name)]:
        return f"compare --test {meant[0]}"
    if formats.knows(name):
        return f"compare -f {name}"
    study = f"study {name}" if studies.knows(name) else ""
    return next((said for said, called in _CALLED.items() if name.lower() in called), study)


def explain(
    error: click.NoSuchOption, names: Iterable[str], find: Callable[[str], click.Command]
) -> click.NoSuchOption:
    """The same, which names the option that is meant, or the commands that have it.

    Args:
        error: as click found it.
        names: of all commands; ``find`` gives each of them.
    """
    typed, own = error.option_name, error.ctx.command.params if error.ctx else []
    begun = _begun(typed, own)
    there = _there(typed, dict(_loaded(names, find)))
    hint = (
        _here(typed, own)
        or f"{begun}{there.removeprefix(':') if begun else there}"
        or _valued(typed, own)
        or _near(typed, own)
    )
    return click.NoSuchOption(typed, f"No such option {typed!r}{hint or '.'}", ctx=error.ctx)


def explain_dash(typed: str, command: click.Command) -> str:
    """A name after one dash, ``-ref``, as it is written, as click would read ``-r ef``; empty for other words."""
    meant = [one for one in command.params if _begins(one, typed.lstrip("-"))]
    meant = meant or [one for one in command.params if _is_called(one, typed)]
    if not meant or "--" not in _written(meant[0]):
        return ""
    return f"{typed}: a name of several letters has two dashes; write {' or '.join(meant[0].opts)}"


def _begins(parameter: click.Parameter, letters: str) -> bool:
    return any(flag.startswith(f"--{letters}") for flag in parameter.opts)


def _here(typed: str, own: Iterable[click.Parameter]) -> str:
    """The option that is called so, with what its own help says of the name."""
    meant = [one for one in own if _is_called(one, typed)]
    helps = (one.declared.said.more for one in meant if isinstance(one, DeclaredClickOption))
    said = [part for more in helps for part in re.split(r"(?<=\.) ", more) if typed.lstrip("-") in part.split()]
    return " ".join([f": here it is {' or '.join(map(_written, meant))}.", *said]) if meant else ""


def _begun(typed: str, own: Iterable[click.Parameter]) -> str:
    """Options whose names begin with one letter that is no option here."""
    letter = typed.lstrip("-")
    meant = [_written(one) for one in own if len(letter) == 1 and _begins(one, letter)]
    return f"; did you mean {' or '.join(map(repr, meant[:_MOST]))}?" if meant else ""


def _there(typed: str, commands: dict[str, click.Command]) -> str:
    having = [name for name, command in commands.items() if any(typed in one.opts for one in command.params)]
    if having:
        most = ", ".join(f"`outscore {name}`" for name in having[:_MOST])
        more = (
            f" and {len(having) - _MOST} more have" if len(having) > _MOST else " has" if len(having) == 1 else " have"
        )
        return f": {most}{more} it."
    alike = {
        _written(one): name
        for name, command in reversed(commands.items())
        for one in command.params
        if _is_called(one, typed)
    }
    return f": `outscore {alike[next(iter(alike))]}` has it as {next(iter(alike))}." if len(alike) == 1 else ""


def _valued(typed: str, own: Iterable[click.Parameter]) -> str:
    """The option that takes the name of a test, a correction or the like, which was typed as one of its own."""
    flags, name = {flag for one in own for flag in one.opts}, typed.lstrip("-")
    asked = [flag for kind in KINDS.values() for flag in kind.given.split() if flag in flags and name in kind.things()]
    return f": here it is {asked[0]} {name}." if asked else ""


def _near(typed: str, own: Iterable[click.Parameter]) -> str:
    known = [flag.lstrip("-") for one in own if isinstance(one, click.Option) for flag in one.opts if flag[1] == "-"]
    return suggestion(typed.lstrip("-"), known).replace("'", "'--", 1)


def _is_called(parameter: click.Parameter, typed: str) -> bool:
    if isinstance(parameter, DeclaredClickOption):
        return parameter.declared.is_called(typed)
    return is_called(typed, getattr(parameter, "also", ()))


def _written(parameter: click.Parameter) -> str:
    if not isinstance(parameter, click.Option):
        return "an argument, NAME=FILE"
    endings = f" {parameter.metavar}" if (parameter.metavar or "").startswith("FILE.") else ""
    return max(parameter.opts, key=len) + endings
