"""Options of the command line, made of those that are declared, and the words that a shell offers for them."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Literal

import click
from click.core import ParameterSource

from outscore.base import limits
from outscore.base.text import read_number
from outscore.verbs.declared import DeclaredOption, declared

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

BRIEF = 51
"""Characters of a line of the short help: there a default is named where it has room."""


class DeclaredClickOption(click.Option):
    """An option of click that knows how it was declared."""

    declared: DeclaredOption

    def text(self, *, whole: bool) -> str:
        """Its words in a help, in one line or whole."""
        said = self.declared.said
        shown = "required" if self.required else said.default or _shown(self.declared.default)
        if not whole:
            brief = f"{said.help} [{shown}]" if shown else said.help
            return brief if len(brief) <= BRIEF else said.help
        words = f"{said.help} {said.more}".strip()
        least = f"; x>={said.least}" if said.least is not None and not said.default else ""
        return f"{words}  [{'' if self.required else 'default: '}{shown}{least}]" if shown else words


class Word(click.Choice[str]):
    """One of several words; for another the one that was probably meant is named."""

    def __init__(self, declared: DeclaredOption) -> None:
        super().__init__(declared.choices)
        self._declared = declared

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        known = super().get_invalid_choice_message(value, ctx).rstrip(".")
        return known + (self._declared.suggest(str(value)) or ".")


class TypedNumber(click.types.FloatParamType):
    """A number, for which a percentage is mistaken at times."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        share = value.removesuffix("%").strip() if isinstance(value, str) and value.endswith("%") else ""
        if share.replace(".", "", 1).isdecimal():
            self.fail(f"{value!r} is written {float(share) / 100:g}", param, ctx)
        found = super().convert(value, param, ctx)
        try:
            return read_number(value) if isinstance(value, str) else found
        except ValueError as error:
            self.fail(str(error), param, ctx)


class WholeNumber(click.IntRange):
    """A whole number; of rounds, draws or whatever else it counts not more than the limit of resamples."""

    name = click.INT.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if found > limits.allowed("resamples") and param is not None and param.name not in _OTHERWISE:
            allowed = f"expected {limits.allowed('resamples'):,.0f} or fewer"
            self.fail(f"{found}: {allowed}; {limits.raised('resamples', found)} allows more", param, ctx)
        return found


_OTHERWISE = ("seed", "jobs", "n_resamples", "simulations")
"""Whole numbers with a range of their own."""


class NumberOrWord(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A number, or one of several words."""

    name = "number"

    def __init__(self, declared: DeclaredOption) -> None:
        self._declared = declared

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        least, words = self._declared.said.least, self._declared.choices
        if not isinstance(value, str) or value in words:
            return value
        kind = read_number if float in self._declared.kinds else int
        try:
            found = kind(value)
        except ValueError:
            found = None
        if found is None or (least is not None and found < least):
            number = "a number" if least is None else f"a number of {least} or more"
            self.fail(f"{value!r} is neither {number} nor {' nor '.join(words)}", param, ctx)
        return found


class MadeByOption(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A value that the option makes itself."""

    name = "text"

    def __init__(self, declared: DeclaredOption) -> None:
        self._declared = declared

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        assert self._declared.said.parse is not None
        if not isinstance(value, str):
            return value
        try:
            return self._declared.said.parse(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def on_command_line(cls: type[Any]) -> list[DeclaredOption]:
    """The options of a dataclass that the command line has."""
    return [one for one in declared(cls) if one.said.only != "python"]


def made_options(options: Iterable[DeclaredOption]) -> list[click.Option]:
    """The same as options of click."""
    return [_make(one) for one in options]


def value_of(one: DeclaredOption, typed: Mapping[str, Any]) -> Any:
    """The value of an option, of what was typed."""
    value = typed[one.variable]
    return one.said.parse(value) if one.said.repeat and one.said.parse else value


def values_of(cls: type[Any], typed: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the fields of a dataclass, of what was typed."""
    return {one.name: value_of(one, typed) for one in on_command_line(cls)}


def typed_options(context: click.Context) -> Iterator[DeclaredClickOption]:
    """The options that were typed."""
    for parameter in context.command.params:
        given = context.get_parameter_source(str(parameter.name))
        if isinstance(parameter, DeclaredClickOption) and given is ParameterSource.COMMANDLINE:
            yield parameter


def stray_flag(context: click.Context, options: Iterable[DeclaredOption]) -> str | None:
    """The first flag that was typed of these options."""
    flags = {one.flags for one in options}
    return next((one.opts[0] for one in typed_options(context) if one.declared.flags in flags), None)


def _make(one: DeclaredOption) -> click.Option:
    said = one.said
    flags = list(one.flags)
    flag, required = one.kind is bool, one.default is dataclasses.MISSING
    if flag and one.default is True:
        flags = [f"{name}/--no-{name.removeprefix('--')}" for name in flags]
    # a default of nothing, if named, is one to newer versions of click
    default: dict[str, Any] = {} if required else {"default": None if said.repeat else one.default}
    made = DeclaredClickOption(
        [*flags, one.variable],
        is_flag=flag,
        multiple=said.repeat,
        required=required,
        **default,
        metavar=said.metavar or (None if flag else _metavar(one)),
        type=None if flag else _type_of(one),
        envvar=said.envvar,
        shell_complete=None if flag or one.choices else complete,
        help=said.help,
    )
    made.declared = one
    return made


def _metavar(one: DeclaredOption) -> str:
    if int in one.kinds or float in one.kinds:
        return "NUMBER"
    return "WORD" if one.choices else "TEXT"


def _type_of(one: DeclaredOption) -> click.ParamType[Any]:
    said, kinds = one.said, one.kinds
    if said.parse is not None and not said.repeat:
        return MadeByOption(one)
    if one.choices and (int in kinds or float in kinds):
        return NumberOrWord(one)
    if one.choices and all(typing.get_origin(kind) is Literal for kind in kinds):
        return Word(one)
    if int in kinds:
        return WholeNumber(min=said.least)
    return TypedNumber() if kinds == (float,) else click.STRING


def _shown(default: Any) -> str:
    return "" if default in (None, False, True, (), "") or default is dataclasses.MISSING else str(default)


_HEAD = 1 << 16


def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of the things that an option takes, columns of the tables that were typed before it, or files.

    Several names may stand behind each other with commas; a file may follow the name of its system.
    """
    from click.shell_completion import CompletionItem

    from outscore.cli.kinds import KINDS

    role, equals, _ = incomplete.rpartition("=")
    before, comma, word = incomplete.rpartition(",")
    takes = param.metavar or ""
    names: list[str] = []
    if "ROLE=" in takes and equals:
        before, comma, word = role, equals, incomplete.removeprefix(role + equals)
        names = [*_columns(ctx)]
    elif "COLUMN" in takes or param.name == "by" or _follows_role(ctx, param):
        names = [*_columns(ctx)]
    elif kind := next((kind for kind in KINDS.values() if set(kind.given.split()) & {*param.opts}), None):
        names = [*kind.things(), *(_columns(ctx) if "-m" in param.opts else ())]
    if names:
        return [CompletionItem(f"{before}{comma}{name}") for name in names if name.startswith(word)]
    takes_files = any(word in takes for word in ("FILE", "PATH", "DIR", "PATTERN"))
    return [CompletionItem(incomplete, type="file")] if takes_files else []


def _follows_role(ctx: click.Context, param: click.Parameter) -> bool:
    """Whether bash, to which = ends a word, asks for the column behind ``-c ROLE=``, and click takes it for a file."""
    columns = ctx.params.get("columns") or ()
    return (
        param.name == "files" and _files(ctx)[-1:] == ["="] and bool(columns) and "=" not in columns[len(columns) - 1]
    )


def _files(ctx: click.Context) -> list[str]:
    """The files that were typed; an option without its value leaves them among the words that were not parsed."""
    return [*(ctx.params.get("files") or ctx.args)]


def _columns(ctx: click.Context) -> Iterator[str]:
    """The names of columns that need no quotes, of the tables that were typed."""
    found: dict[str, None] = {}
    for typed in _files(ctx):
        for name in (typed, typed.partition("=")[2]):
            found |= dict.fromkeys(_header(Path(name.partition("#")[0])))
    return (name for name in found if name and quote(name) == name)


def _header(path: Path) -> list[str]:
    """The names of the columns of a table; none where it is none."""
    import gzip  # every command imports this module, and few need these
    import json

    from outscore.data.readers.table import head_rows

    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            lines = file.read(_HEAD).decode("utf-8-sig", "ignore").splitlines()
        if lines and lines[0].startswith("{"):
            return [*json.loads(lines[0])]
    except (OSError, ValueError, EOFError):
        return []
    suffix = Path(path.stem).suffix if path.suffix == ".gz" else path.suffix
    return head_rows(lines)[0] if lines and suffix in (".csv", ".tsv") else []
