"""Whatever a command does around its verb: what it refuses, what it reads, which of two questions it answers."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from shlex import quote
from typing import Annotated, Any, ClassVar, Literal

import click
from click.core import ParameterSource

import outscore
from outscore.base.errors import InputError
from outscore.base.files import exists, is_folder
from outscore.base.lazy import dataclass
from outscore.cli.command import NO_SYSTEMS, Around, Call, Other
from outscore.cli.inputs import Annotators, ReaderOfLabels, Sets, without_environment
from outscore.cli.streams import print_now
from outscore.cli.typed import DeclaredClickOption
from outscore.verbs.declared import Option

Columns = Annotated[
    tuple[str, ...],
    Option(
        "Of a table: item=question_id, label=answer.",
        "What a column is for, where its name does not say it: annotator=worker; item=document+sentence joins two.",
        flags=("-c", "--column", "columns"),
        metavar="ROLE=NAME",
        repeat=True,
        group="Files",
    ),
]
FailUnless = Annotated[
    Literal["better", "not-worse", "equivalent"] | None,
    Option(
        "Exit code 1 unless better, not-worse, equivalent.",
        "This is to hold for every system and metric; the last two need --margin.",
        metavar="CONDITION",
        words={
            **dict.fromkeys(("noninferior", "non-inferior", "noninferiority", "non-inferiority"), "not-worse"),
            **dict.fromkeys(("superior", "superiority", "greater", "significant", "win", "wins", "gain"), "better"),
            **dict.fromkeys(("equal", "equivalence", "same", "tost", "within-margin"), "equivalent"),
        },
    ),
]
Against = Annotated[
    Literal["last"] | None,
    Option(
        "The newest logs against those before them.",
        "FILE is a folder of logs of the lm-evaluation-harness or of Inspect: the newest of each task, called new, and "
        "the one before it, called last.",
        group="Files",
        rare=True,
    ),
]
Preferences = Annotated[
    bool,
    Option(
        "FILE is a table of judgments.",
        "Preferences ([item,] system1, system2, winner), or ratings (system, item, score [, rater]) taken as "
        "preferences.",
        group="Files",
    ),
]
Wins = Annotated[
    bool,
    Option(
        "Of judgments: expected wins, means, sign tests.",
        "In place of ratings, which need a common scale: means of ratings over items, the share of decided judgments "
        "that each system wins, and the sign test over items of every two, by Holm.",
        also=("humans", "expected-wins"),
    ),
]
Figure = Annotated[
    Literal["board", "wins", "ranks"] | None,
    Option(
        "What --plot draws.",
        "The rank sets, who beats whom, or mean ranks with their critical difference.",
        group="Output",
        default="all",
        rare=True,
    ),
]


@dataclass(frozen=True, kw_only=True)
class Gated(Around):
    """Beside a result its gate: the command ends with 1 where a condition does not hold."""

    fail_unless: FailUnless = None

    def check(self, call: Call) -> Call:
        """Refuses a gate about a margin that is not given, too."""
        if self.fail_unless in ("not-worse", "equivalent") and call.chosen["margin"] is None:
            raise click.UsageError(
                f"--fail-unless {self.fail_unless} needs to know what does not matter: add --margin NUMBER"
            )
        return super().check(call)

    def finish(self, call: Call, result: Any) -> None:
        """Writes the result, and says and ends with 1 where the gate does not hold."""
        super().finish(replace(call, output=replace(call.output, gate=self.fail_unless)), result)
        if self.fail_unless and not (gate := result.gate(self.fail_unless)):
            click.echo(f"outscore: {self.tell(result, gate)}", err=True)
            sys.exit(1)

    def tell(self, result: Any, gate: Any) -> str:
        """One line that says why the gate does not hold."""
        from outscore.report.screen import gate_line

        return gate_line(result, gate)


@dataclass(frozen=True, kw_only=True)
class AroundCompare(Gated):
    """Systems on the same items, or apart: how files are read goes by the test."""

    against: Against = None

    def check(self, call: Call) -> Call:
        """Says what is wrong with the names of tests and methods before any file is read."""
        call = super().check(call)
        if self.against:
            call = replace(call, inputs=replace(call.inputs, files=_newest_and_last(call.inputs.files)))
        _check_posterior(call.chosen["posterior"])
        if _of_pairs(call):
            paged = any(name.partition(":")[0] == "html" for name in call.output.formats.values())
            flips = call.chosen["flips"] or ("auto" if paged else 0)
            output = replace(call.output, all_rows=call.output.all_rows or flips == "all")
            return replace(call, output=output, chosen={**call.chosen, "flips": flips})
        # a history that the environment names is meant for tests that can be recorded
        return replace(call, past=without_environment(click.get_current_context(), call.past))

    def read(self, call: Call) -> tuple[Any, ...]:
        """Systems as the test takes them."""
        return super().read(call) if _of_pairs(call) else (call.inputs.read_apart(),)


def _newest_and_last(files: tuple[str, ...]) -> tuple[str, ...]:
    """The two systems among these logs, after a line on stderr that names the files of each."""
    from outscore.data.specs import find_last, spell

    found = tuple(spell(system, logs) for system, logs in find_last(files).items())
    click.echo("".join(f"outscore: compares {system}\n" for system in found), err=True, nl=False)
    return found


def _check_posterior(method: str | None) -> None:
    """Raises UsageError for a method that there is not."""
    if method not in (None, "auto"):
        from outscore.significance.bayes import methods

        methods.make(method)


def _of_pairs(call: Call) -> bool:
    """Whether the test is one of pairs.

    Raises:
        UsageError: there is no such test, or it has no such option.
    """
    from outscore.significance import Test
    from outscore.significance.choose import make_test

    return call.chosen["test"] == "auto" or isinstance(make_test(call.chosen["test"]), Test)


@dataclass(frozen=True, kw_only=True)
class AroundRank(Around):
    """Data sets, or judgments, in place of systems."""

    other: ClassVar[Other | None] = Other("outscore.verbs.humans", "ScoreByHumans", "wins", "expected wins")

    sets: Sets = ()
    preferences: Preferences = False
    wins: Wins = False
    figure: Figure = None

    def check(self, call: Call) -> Call:
        """Refuses files that do not go together, and a name of a picture without one."""
        inputs = call.inputs
        if not self.sets and not inputs.files:
            raise click.UsageError("no systems: give NAME=FILE for each, tables with --sets, or --preferences FILE")
        if self._judged and (self.sets or inputs.references or inputs.items or inputs.reader):
            flag = "--wins" if self.wins else "--preferences"
            raise click.UsageError(f"{flag} reads one table of judgments: leave out the other files")
        if self.wins and (call.output.pictured or self.figure):
            raise click.UsageError(f"--wins has no picture: leave out {'-o' if call.output.drawn else '--plot'}")
        call.output.check_figure(self.figure)
        if self.sets or self._judged:
            # a history that the environment names is meant for commands that can record
            return replace(call, past=without_environment(click.get_current_context(), call.past))
        return call

    def read(self, call: Call) -> tuple[Any, ...]:
        """Systems, data sets or judgments."""
        if not self._judged:
            return (call.inputs.read_sets(self.sets) if self.sets else call.inputs.read(),)
        return (outscore.read_judgments(call.inputs.files, columns=call.inputs.columns),)

    @property
    def _judged(self) -> bool:
        """Whether the file is a table of judgments."""
        return self.preferences or self.wins

    def finish(self, call: Call, result: Any) -> None:
        """Draws the picture that was named, and writes the result."""
        call.output.write(result, self.figure or "")


@dataclass(frozen=True, kw_only=True)
class AroundSequential(Gated):
    """A running evaluation on stdin is followed; a finished one is replayed."""

    def check(self, call: Call) -> Call:
        """Refuses what a stream has no use for, too."""
        call = super().check(call)
        if _is_stream(call):
            stray = ["-r"] if call.inputs.references else []
            stray += [flag for name, flag in _OF_FILES.items() if call.chosen[name]]
            stray += ["--items"] if call.inputs.items else []
            stray += ["--order"] if call.chosen["order"] == "random" else []
            stray += ["--orders"] if call.chosen["orders"] else []
            if stray:
                raise click.UsageError(f"{', '.join(stray)}: not for a stream, which is two scores a line as they come")
        return call

    def answer(self, call: Call) -> Any:
        """The stream on stdin, each interim analysis said on stderr when it comes; or files, replayed."""
        if not _is_stream(call):
            return super().answer(call)
        from outscore.report.screen import analysis_line

        asked = call.verb(**call.chosen)
        tell = None if call.output.quiet else lambda analysis: print_now(analysis_line(analysis), err=True)
        with call.output.keep_interrupted():
            chosen = {name: call.chosen[name] for name in _OF_STREAMS}
            return asked.sign(lambda: outscore.follow(sys.stdin, file="stdin", tell=tell, **chosen))

    def tell(self, result: Any, gate: Any) -> str:
        """The decisions that the gate does not allow."""
        return f"not {gate.condition} ({', '.join(f'{one.system}: {one.decision}' for one in gate.failing)})"


_OF_FILES = {"metrics": "-m", "baseline": "--baseline", "cluster": "--cluster"}
_OF_STREAMS = ("alpha", "margin", "bounds", "method", "population", "every", "stop")


def _is_stream(call: Call) -> bool:
    return call.inputs.files == ("-",)


@dataclass(frozen=True, kw_only=True)
class AroundReplicate(Around):
    """Data sets by their folders or tables, or told apart by a column."""

    sets: Sets = ()

    def check(self, call: Call) -> Call:
        """Refuses data sets that are named twice, or not at all."""
        files = call.inputs.files
        if self.sets and call.chosen["column"]:
            raise click.UsageError("--sets and --set both say what the data sets are: give one of them")
        if not self.sets and not files:
            raise click.UsageError(f"{NO_SYSTEMS}, or tables with --sets")
        folder = next((file for file in files if is_folder(file)), None)
        if folder:
            from outscore.data.specs import pattern_beside

            inside = quote(pattern_beside(folder.rstrip("/") if self.sets else f"{folder}/"))
            raise click.UsageError(f"{folder!r} is a folder: quote the pattern of the data sets, --sets {inside}")
        return call

    def read(self, call: Call) -> tuple[Any, ...]:
        """Data sets, or one of which a column tells several apart."""
        return (call.inputs.read_sets(self.sets) if self.sets else call.inputs.read(),)


@dataclass(frozen=True, kw_only=True)
class AroundPower(Around):
    """A design, or a pilot; or nothing but the odds, for the predictive value."""

    lacks: ClassVar[tuple[str, ...]] = ("around", "decimals", "plain")
    other: ClassVar[Other | None] = Other(
        "outscore.verbs.power.ppv", "PredictValue", "odds", "the predictive value of significant results"
    )

    def check(self, call: Call) -> Call:
        """Refuses to plan of nothing."""
        if call.verb.files and not call.inputs.files:
            raise click.UsageError(
                "no design and no files: name a design, such as t:sd=0.3, the files of a pilot, or --odds"
            )
        if (described := call.inputs.items or "").isdecimal() and not exists(described):
            raise click.UsageError(f"--items is a file that describes the items; their number is --sizes {described}")
        return call

    def read(self, call: Call) -> tuple[Any, ...]:
        """The design as it is written, or the pilot."""
        return (call.inputs.files[0],) if _is_design(call.inputs.files) else super().read(call)


def _is_design(files: tuple[str, ...]) -> bool:
    """Whether a design is named, or misspelt: ``NAME:OPTION=...`` is no way to write a file."""
    if len(files) != 1 or exists(files[0]):
        return False
    from outscore.power.plans import plans

    name, colon, _ = files[0].partition(":")
    return plans.knows(name) or bool(colon and "=" not in name)


@dataclass(frozen=True, kw_only=True)
class AroundAdvise(Around):
    """Commands in place of calls in Python; or tests that are measured."""

    lacks: ClassVar[tuple[str, ...]] = ("plot", "around", "decimals", "plain")
    other: ClassVar[Other | None] = Other("outscore.verbs.audit", "AuditTest", "test", "tests that are measured")

    def check(self, call: Call) -> Call:
        """Keeps the files and options as they were typed, too."""
        call = super().check(call)
        typed = [*call.inputs.files, *_recover_options(click.get_current_context())]
        return call if call.other else replace(call, chosen={**call.chosen, "arguments": typed})


def _recover_options(context: click.Context) -> Iterator[str]:
    """The options about the data that the user gave, as words of a command line."""
    for parameter in context.command.params:
        given = context.get_parameter_source(str(parameter.name))
        of_data = isinstance(parameter, DeclaredClickOption) and parameter.declared.group != "Work"
        if of_data and given not in (ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP):
            value = context.params[str(parameter.name)]
            for each in value if parameter.multiple else [value]:
                yield from (parameter.opts[0], str(each))


@dataclass(frozen=True, kw_only=True)
class AroundAgree(Around):
    """Labels in place of systems."""

    lacks: ClassVar[tuple[str, ...]] = ("around", "plain")

    columns: Columns = ()
    annotators: Annotators = None
    reader: ReaderOfLabels = None

    def check(self, call: Call) -> Call:
        """Leaves it to the reader to refuse files, and none."""
        return call

    def read(self, call: Call) -> tuple[Any, ...]:
        """Labels of annotators."""
        who = [] if self.annotators is None else [part.strip() for part in self.annotators.split(",")]
        return (outscore.read_annotations(call.inputs.files, annotators=who, columns=self.columns, reader=self.reader),)


@dataclass(frozen=True, kw_only=True)
class AroundJudge(Around):
    """Columns of labels in place of systems: those that are named are read."""

    def read(self, call: Call) -> tuple[Any, ...]:
        """Systems with both columns."""
        named = tuple(name for name in (call.chosen["human"] or "human", call.chosen["judge"]) if name is not None)
        try:
            found: Any = replace(call.inputs, measures=named, missing="pairwise").read()
            return (found.align(call.inputs.missing, labels=True),)
        except InputError as error:
            if call.chosen["human"] is not None or error.line is None or error.column == "human":
                raise
            raise click.UsageError(f"name the human labels with --human, the judge's with --judge; {error}") from None


@dataclass(frozen=True, kw_only=True)
class AroundRecheck(Around):
    """Printed numbers, and the outputs that were scored."""

    words: ClassVar[tuple[str, ...]] = ("printed",)
    lacks: ClassVar[tuple[str, ...]] = ("plot", "around", "plain")

    def check(self, call: Call) -> Call:
        """Refuses to read the standard input twice, and a table of means alone, which a study judges."""
        if call.words["printed"] == "-" and "-" in (*call.inputs.files, *call.inputs.references):
            raise click.UsageError("the standard input can be read once: name a file for all but one of them")
        if not call.inputs.files:
            said = f"{NO_SYSTEMS}; of means: outscore study printed --means"
            raise click.UsageError(f"{said} {quote(call.words['printed'])}")
        return call

    def read(self, call: Call) -> tuple[Any, ...]:
        """The name of the printed file, and the outputs."""
        return call.words["printed"], call.inputs.read()
