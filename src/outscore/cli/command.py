"""The command of a verb, made of the class that declares it: its options, its help, and its work."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import click
from click.core import ParameterSource

from outscore.base.files import exists
from outscore.base.lazy import dataclass
from outscore.cli.inputs import HistoryOptions, Inputs
from outscore.cli.output import OUTPUTS, Output, options
from outscore.cli.typed import DeclaredClickOption, made_options, on_command_line, stray_flag, values_of
from outscore.verbs.declared import GROUPS, DeclaredOption, Options, declared, find_verb

_AROUND = {
    "compare": ("outscore.cli.around", "AroundCompare"),
    "rank": ("outscore.cli.around", "AroundRank"),
    "sequential": ("outscore.cli.around", "AroundSequential"),
    "replicate": ("outscore.cli.around", "AroundReplicate"),
    "power": ("outscore.cli.around", "AroundPower"),
    "advise": ("outscore.cli.around", "AroundAdvise"),
    "agree": ("outscore.cli.around", "AroundAgree"),
    "judge": ("outscore.cli.around", "AroundJudge"),
    "recheck": ("outscore.cli.around", "AroundRecheck"),
    "history": ("outscore.cli.history", "AroundHistory"),
}
"""The commands that do more than read, run and write: the module and class of what they do around it."""

_OF_OUTPUT = ("width", "decimals", "plain", "around", "all_rows", "cite", "raw_csv")
"""Options of the output that ``--help`` leaves to ``--help-all``."""

WHOLE = "outscore.help"
"""In the context of click: whether every option is shown."""

_VERBOSE = {"-v", "--verbose", "-hv", "-vh", "--help-all"}

_READ = ("references", "items")
"""Options of verbs that are files to be read before it."""

NO_SYSTEMS = "no systems: give NAME=FILE for each, the baseline first"

_EXAMPLES = 3
_COLUMN = 23
"""Characters of the flags of an option in the help."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Call:
    """A command as it was typed.

    Attributes:
        verb: the class of the verb.
        chosen: its options by name.
        inputs, output, past: files, where the result goes, and the history that records it.
        words: those that stand before the files, by name.
        own: the other thing whose options the command has.
        other: whether the verb is the other one of the command.
    """

    verb: type[Options]
    chosen: dict[str, Any]
    inputs: Inputs
    output: Output
    past: HistoryOptions
    words: dict[str, str]
    own: Any = None
    other: bool = False

    @property
    def metrics(self) -> list[str]:
        """Those that were named."""
        return list(self.inputs.measures)


@dataclass(frozen=True)
class Other:
    """The other verb of a command, which answers where the option that asks for it is given.

    What both verbs take is one option, which reaches the other verb where it is typed: its own defaults hold.

    Attributes:
        module, name: of its class.
        asked_by: the name of the option that asks for it.
        about: what it is about, in messages.
    """

    module: str
    name: str
    asked_by: str
    about: str

    @property
    def verb(self) -> type[Options]:
        """Its class."""
        found: type[Options] = getattr(import_module(self.module), self.name)
        return found


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Around:
    """Whatever a command does around its verb: nothing but reading the files.

    A class that derives from it has the options of the command alone as its fields, declared as those of verbs are.
    """

    words: ClassVar[tuple[str, ...]] = ()
    """Names of the arguments that stand before the files."""

    lacks: ClassVar[tuple[str, ...]] = ()
    """Options of the output that change nothing of its results."""

    bare: ClassVar[bool] = False
    """Whether it answers where nothing is given."""

    other: ClassVar[Other | None] = None
    """The other verb that answers."""

    def check(self, call: Call) -> Call:
        """Refuses what cannot be, before anything is read.

        Raises:
            click.UsageError: it cannot.
        """
        if call.verb.files and not call.inputs.files:
            raise click.UsageError(NO_SYSTEMS)
        return call

    def read(self, call: Call) -> tuple[Any, ...]:
        """The arguments of the work: files, read."""
        return (call.inputs.read(),) if call.verb.files else ()

    def answer(self, call: Call) -> Any:
        """The result of the work, whose progress is shown."""
        data = self.read(call)
        with call.output.progress() as tell:
            made: Any = call.verb(**call.chosen, **({"progress": tell} if _has(call.verb, "progress") else {}))
            return made.answer(*data)

    def finish(self, call: Call, result: Any) -> None:
        """Writes the result."""
        call.output.write(result)


class VerbCommand(click.Command):
    """A command whose help has its options in groups, the rarer ones with ``--help-all`` alone.

    Args:
        name: as it is typed.
        cls: the class of its verb; ``around`` has what the command alone has.
        own: another class, whose options the command has too.
        about: what its help says, by default that of the verb.
        examples: commands, by default those of the verb.
    """

    def __init__(
        self,
        name: str,
        cls: type[Options],
        around: type[Around],
        *,
        own: type[Any] | None = None,
        about: str = "",
        examples: Sequence[str] = (),
    ) -> None:
        self.verb, self.around, self.own = cls, around, own
        self.examples = examples or cls.examples
        recorded = (HistoryOptions,) if _has(cls, "history") else ()
        read = (Inputs,) if _has(cls, "items") else ()
        self.parts = [one for one in (own, cls, *read, *recorded, around) if one is not None]
        own_options = [one for part in self.parts for one in on_command_line(part)]
        self.by_flags = {one.flags[0]: one for one in own_options}
        self.others = self._list_others()
        words = [click.Argument([word], metavar=word.upper()) for word in around.words]
        files = options("files") if cls.files else []
        made = made_options([*own_options, *self.others])
        super().__init__(
            name,
            callback=self._run,
            params=[*words, *files, *made, *options(*(one for one in OUTPUTS if one not in around.lacks))],
            help="\n\n".join(filter(None, (about or inspect.getdoc(cls), cls.files))),
            no_args_is_help=not around.bare,
        )

    def _list_others(self) -> list[DeclaredOption]:
        """The options that the other verb alone has; that which asks for it has no default."""
        other = self.around.other
        found = on_command_line(other.verb) if other else []
        return [
            replace(one, default=None) if other and one.name == other.asked_by else one
            for one in found
            if one.flags[0] not in self.by_flags
        ]

    def _run(self, **typed: Any) -> None:
        taken = {part: values_of(part, typed) for part in self.parts}
        chosen = taken[self.verb]
        given: dict[str, Any] = {name: chosen.pop(name) for name in _READ if name in chosen}
        given |= {"missing": chosen["missing"]} if "missing" in chosen else {}
        inputs = Inputs(
            files=tuple(typed.get("files") or ()),
            measures=tuple(typed.get("metrics") or ()),
            **given,
            **taken.get(Inputs, {}),
        )
        output = Output(**{name: typed[name] for name in Output.__dataclass_fields__ if name in typed})
        past = HistoryOptions(**taken.get(HistoryOptions, {}))
        words = {word: typed[word] for word in self.around.words}
        own = None if self.own is None else self.own(**taken[self.own])
        call = Call(verb=self.verb, chosen=chosen, inputs=inputs, output=output, past=past, words=words, own=own)
        call = self._ask_other(self.around.other, call, typed)
        if _has(call.verb, "checkpoint"):
            call.chosen["checkpoint"] = Path(f"{self.name}.cells")
        run(self.around(**taken[self.around]), call)

    def _ask_other(self, other: Other | None, call: Call, typed: Mapping[str, Any]) -> Call:
        """The same, of the other verb where its option is given.

        Raises:
            click.UsageError: an option of one verb beside the question of the other.
        """
        if other is None:
            return call
        context, flag = click.get_current_context(), f"--{other.asked_by}"
        if typed[other.asked_by] in (None, False):
            if stray := stray_flag(context, self.others):
                raise click.UsageError(f"{stray} is about {other.about}: give {flag} too")
            return call
        taken = on_command_line(other.verb)
        flags = {one.flags[0] for one in taken}
        parts = (self.verb, HistoryOptions) if other.verb.files else (self.verb, HistoryOptions, Inputs)
        strange = [one for part in parts for one in on_command_line(part) if one.flags[0] not in flags]
        files = () if other.verb.files else call.inputs.files
        if stray := next(iter(files), None) or stray_flag(context, strange):
            raise click.UsageError(f"{flag} asks for {other.about}: leave out {stray}")
        chosen = {}
        for one in (option for option in taken if option.name not in _READ):
            variable = self.by_flags.get(one.flags[0], one).variable
            if one in self.others or context.get_parameter_source(variable) is not ParameterSource.DEFAULT:
                chosen[one.name] = typed[variable]
        return replace(call, verb=other.verb, chosen=chosen, other=True)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not _VERBOSE.isdisjoint(args):
            ctx.meta[WHOLE] = True
        ctx.params["command_line"] = self._write_again(ctx, args)
        return super().parse_args(ctx, args)

    def _write_again(self, ctx: click.Context, args: list[str]) -> str:
        """The command as a shell takes it, without what changes no number: whoever works, the bytes are the same."""
        values, _, typed = self.make_parser(ctx).parse_args(list(args))
        words = ctx.command_path.split()
        for one in dict.fromkeys(typed):
            if (
                one.name not in (*OUTPUTS, "fail_unless")
                and getattr(getattr(one, "declared", None), "group", "") != "Work"
            ):
                given, flag = values[one.name], [max(one.opts, key=len)] if isinstance(one, click.Option) else []
                for word in given if isinstance(given, list | tuple) else [given]:
                    words += [*flag, *([word] if isinstance(word, str) else [])]
        return shlex.join(words)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = "Show this; --help-all has every option and example."
        return option

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        whole = bool(ctx.meta.get(WHOLE))
        groups: dict[str, list[tuple[str, str]]] = {group: [] for group in GROUPS}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None or not isinstance(parameter, click.Option):
                continue
            if isinstance(parameter, DeclaredClickOption):
                if whole or not parameter.declared.said.rare:
                    groups[parameter.declared.group].append((record[0], parameter.text(whole=whole)))
            elif whole or parameter.name not in _OF_OUTPUT:
                flags, text = record
                groups["Output"].append((flags, text if whole else text.partition("  [")[0]))
        for group, records in groups.items():
            if records:
                with formatter.section(group):
                    # one column for all groups
                    formatter.write_dl([(flags.ljust(_COLUMN), text) for flags, text in records])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        shown = self.examples if ctx.meta.get(WHOLE) else self.examples[:_EXAMPLES]
        with formatter.section("Examples"):
            for example in shown:
                formatter.write(f"  {example}\n")


def _has(cls: type[Options], name: str) -> bool:
    return any(one.name == name for one in declared(cls))


def command_of(name: str) -> VerbCommand:
    """The command of this name."""
    module, around = _AROUND.get(name, (__name__, "Around"))
    return VerbCommand(name, find_verb(name), getattr(import_module(module), around))


def run(around: Around, call: Call) -> None:
    """Checks, reads, runs, writes."""
    call = around.check(call)
    _check_stray_metric(call)
    chosen = dict(call.chosen)
    if (history := call.past.find_history()) is not None:
        chosen["history"] = history
    call = replace(call, chosen=chosen)
    around.finish(call, around.answer(call))


def _check_stray_metric(call: Call) -> None:
    """Refuses a metric among the files, which was to be joined to the others by a comma.

    Raises:
        click.UsageError: there is one.
    """
    about_metrics = any("--metric" in one.said.flags for one in declared(call.verb))
    alone = [one for one in call.inputs.files if about_metrics and one.isidentifier() and not exists(one)]
    if not alone:
        return
    from outscore.metrics import metrics

    if stray := next((one for one in alone if metrics.knows(one)), None):
        raise click.UsageError(
            f"{stray!r} is a metric, not a file: join metrics by commas, -m {','.join([*call.metrics, stray])}"
        )
