"""The command of a verb, made of the class that declares it: its options, its help, and its work."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import click

from outscore.cli.history_options import HistoryOptions
from outscore.cli.inputs import Inputs
from outscore.cli.options import OUTPUTS, WRITTEN, options
from outscore.cli.output import Output
from outscore.cli.typed import DeclaredClickOption, made_options, values_of
from outscore.verbs.declared import GROUPS, Options, declared, find_verb

_AROUND = {
    "compare": ("outscore.cli.compare", "AroundCompare"),
    "rank": ("outscore.cli.rank", "AroundRank"),
    "power": ("outscore.cli.power", "AroundPower"),
    "agree": ("outscore.cli.agree", "AroundAgree"),
    "judge": ("outscore.cli.judge", "AroundJudge"),
    "sequential": ("outscore.cli.sequential", "AroundSequential"),
    "recheck": ("outscore.cli.recheck", "AroundRecheck"),
    "advise": ("outscore.cli.advise", "AroundAdvise"),
    "replicate": ("outscore.cli.replicate", "AroundReplicate"),
    "history": ("outscore.cli.history", "AroundHistory"),
}
"""The commands that do more than read, run and write: the module and class of what they do around it."""

_OF_OUTPUT = ("width", "decimals", "plain", "around", "all_rows", "static", "cite")
"""Options of the output that ``--help`` leaves to ``--help-all``."""

WHOLE = "outscore.help-all"
"""In the context of click: whether every option is shown."""

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
    """

    verb: type[Options]
    chosen: dict[str, Any]
    inputs: Inputs
    output: Output
    past: HistoryOptions
    words: dict[str, str]
    own: Any = None

    @property
    def metrics(self) -> list[str]:
        """Those that were named."""
        return list(self.inputs.measures)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Around:
    """Whatever a command does around its verb: nothing but reading the files.

    A class that derives from it has the options of the command alone as its fields, declared as those of verbs are.
    """

    words: ClassVar[tuple[str, ...]] = ()
    """Names of the arguments that stand before the files."""

    drawn: ClassVar[bool] = True
    """Whether there is a picture of the result."""

    bare: ClassVar[bool] = False
    """Whether it answers where nothing is given."""

    def check(self, call: Call) -> Call:
        """Refuses what cannot be, before anything is read.

        Raises:
            click.UsageError: it cannot.
        """
        if call.verb.files and not call.inputs.files:
            raise click.UsageError("no systems: give NAME=FILE for each, the baseline first")
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
        words = [click.Argument([word], metavar=word.upper()) for word in around.words]
        files = options("files") if cls.files else []
        made = [option for part in self.parts for option in made_options(part)]
        super().__init__(
            name,
            callback=self._run,
            params=[*words, *files, *made, *options(*(OUTPUTS if around.drawn else WRITTEN)), _help_all()],
            help="\n\n".join(filter(None, (about or inspect.getdoc(cls), cls.files))),
            no_args_is_help=not around.bare,
        )

    def _run(self, **typed: Any) -> None:
        taken = {part: values_of(part, typed) for part in self.parts}
        chosen = taken[self.verb]
        given: dict[str, Any] = {name: chosen.pop(name) for name in ("references", "items") if name in chosen}
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
        if _has(self.verb, "checkpoint"):
            chosen["checkpoint"] = Path(f"{self.name}.cells")
        own = None if self.own is None else self.own(**taken[self.own])
        call = Call(verb=self.verb, chosen=chosen, inputs=inputs, output=output, past=past, words=words, own=own)
        run(self.around(**taken[self.around]), call)

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


def _help_all() -> click.Option:
    return click.Option(
        ["--help-all"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_show_all,
        help="Show every option and example.",
    )


def _show_all(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        context.meta[WHOLE] = True
        click.echo(context.get_help(), color=context.color)
        context.exit()


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
    alone = [one for one in call.inputs.files if about_metrics and one.isidentifier() and not Path(one).exists()]
    if not alone:
        return
    from outscore.metrics import metrics

    if stray := next((one for one in alone if metrics.knows(one)), None):
        raise click.UsageError(
            f"{stray!r} is a metric, not a file: join metrics by commas, -m {','.join([*call.metrics, stray])}"
        )
