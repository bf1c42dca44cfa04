"""The ``outscore`` command: finds the subcommand, and turns errors into one line and an exit code."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal takes longer to import
import atexit
import contextlib
import gc
import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import click

from outscore import __version__
from outscore.base import limits
from outscore.base.errors import OutscoreError, flags, hides_interrupt
from outscore.base.installed import said_of
from outscore.base.text import clean
from outscore.cli.streams import ReaderLeftError
from outscore.verbs import VERBS, verbs_of_others

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from types import FrameType

GROUPS = {
    "Compare": {
        "compare": "Does a system outscore the baseline? Tests and posteriors.",
        "rank": "Which ranks can systems have? Rank sets, ratings, human wins.",
        "score": "Scores with intervals; ROC curves, confusion matrices.",
        "sequential": "When could the evaluation have stopped? Anytime-valid.",
        "replicate": "On how many data sets does the gain hold, and on which?",
    },
    "Plan": {
        "power": "How many items find a gain? What is a significant result worth?",
        "advise": "Which test suits the data? Can it be trusted there?",
    },
    "People and judges": {
        "agree": "Do annotators agree beyond chance? Who disagrees, and on what?",
        "judge": "Can a judge be trusted? Scores by it and some human labels.",
        "correlate": "Metrics against human judgments: which agrees better?",
    },
    "Check": {
        "recheck": "What sacrebleu or MultEval printed, made again and explained.",
        "history": "How often a test set was used, and what holds after all of it.",
    },
    "Research": {
        "study": "Empirical studies. What a paper printed: study printed.",
    },
    "Files": {
        "convert": "Whatever can be read, as one long table.",
        "show": "A saved result in any format, without computing.",
        "list": "Metrics, tests, intervals, readers ...: all, or one in full.",
        "demo": "Example files, their comparison, and the command that did it.",
    },
}
"""Every command with the line that the help says of it; with its name it fits 80 columns."""

COMMANDS = {name: said for commands in GROUPS.values() for name, said in commands.items()}


def find_command(name: str) -> click.Command:
    """The command of this name: that of a verb is made of what the verb declares."""
    if name in VERBS or name not in COMMANDS:
        from outscore.cli.command import command_of

        return command_of(name)
    command: click.Command = import_module(f"outscore.cli.{name}").command
    return command


def _others() -> dict[str, EntryPoint]:
    """The verbs of other packages, but for those with the name of a command of ours."""
    return {name: point for name, point in verbs_of_others().items() if name not in COMMANDS}


def _about(name: str, point: EntryPoint) -> str:
    """The first line of a verb of another package, and that package; or why it cannot be loaded."""
    from outscore.cli.kinds import summary
    from outscore.verbs.declared import find_verb

    try:
        return f"{summary(find_verb(name))}{f' (of {said})' if (said := said_of(point)) else ''}"
    except OutscoreError as error:
        return f"{str(error)[:1].upper()}{str(error)[1:]}."


class LazyCommands(click.Group):
    """Subcommands are imported when they are run, so that ``--help`` costs nothing."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *_others()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS and cmd_name not in _others():
            return None
        try:
            return find_command(cmd_name)
        except OutscoreError:
            if ctx.resilient_parsing:  # the shell asks for what there is
                return None
            raise

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS and args[0] not in _others():
            from outscore.cli.elsewhere import suggest_command

            names = self.list_commands(ctx)
            near = suggest_command(args[0], names, find_command)
            ctx.fail(f"no command {args[0]!r}{near} (there are: {', '.join(names)})")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        others = {name: _about(name, point) for name, point in _others().items()}
        longest = max(map(len, (*COMMANDS, *others)))
        for title, commands in (*GROUPS.items(), *((("Of other packages", others),) if others else ())):
            with formatter.section(title):
                # one column for all groups
                formatter.write_dl([(name.ljust(longest), said) for name, said in commands.items()])


@click.group(
    cls=LazyCommands,
    context_settings={
        "help_option_names": ["-h", "--help", "--help-all"],
        "max_content_width": 100,
        "auto_envvar_prefix": "OUTSCORE",
    },
    epilog="""\b
Examples:
  outscore compare -r ref.txt baseline=base.txt new=new.txt -m bleu,chrf
  outscore rank -r ref.txt 'systems/*.txt' -m bleu,chrf -f latex""",
)
@click.version_option(__version__, "-V", "--version", prog_name="outscore")
def group() -> None:
    """Does system A really outscore system B, or is it luck?"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line and exits.

    0 done, 1 by a gate or --strict, 2 usage, 3 input data, 4 a missing extra, 70 a defect, 130 interrupted.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    typed, raised = _take_limits([word for word in words if word != _DEBUG])
    _prepare()
    seen: list[int] = []
    try:
        code = _run(typed, raised, seen)
    except Exception as error:
        if seen or hides_interrupt(error):
            code = _print_error("interrupted", _INTERRUPTED)
        elif _DEBUG in words:
            raise
        else:
            from outscore.cli.defects import write_report

            code = _print_error(write_report(error, typed), 70)
    if arguments is None:
        _ignore_interrupts(code)
    if code:
        sys.exit(code)


def _prepare() -> None:
    """Threads, garbage and standard streams of a process that does one command."""
    # one thread for each of our own is faster than the library's, and leaves the choice to --jobs; numpy reads it once
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # garbage is looked for seldom (outscore.cli), and not through everything at the end
    atexit.register(gc.freeze)
    if "_OUTSCORE_COMPLETE" in os.environ:
        import_module("outscore.cli.shells")
    for standard in (sys.stdout, sys.stderr):
        if isinstance(standard, io.TextIOWrapper):
            escaping = "backslashreplace"  # a terminal without Unicode still gets its table
            if standard.isatty() or "PYTHONIOENCODING" in os.environ:
                standard.reconfigure(errors=escaping)
            else:
                # in a file or a pipe the bytes are those of -o FILE, which may be read back, whatever the system's
                # own encoding and line ends are
                standard.reconfigure(encoding="utf-8", errors=escaping, newline="\n")


@contextlib.contextmanager
def _noted_in(seen: list[int]) -> Iterator[None]:
    """Every Ctrl-C is noted beside the error that it raises, in whose place C code may give another."""

    def note(number: int, frame: FrameType | None) -> None:
        seen.append(number)
        _signal.default_int_handler(number, frame)

    before = _signal.getsignal(_signal.SIGINT)
    try:
        if callable(before):  # it is not ignored
            with contextlib.suppress(ValueError):  # of a thread, which is sent none
                _signal.signal(_signal.SIGINT, note)
        yield
    finally:
        if _signal.getsignal(_signal.SIGINT) is note:
            _signal.signal(_signal.SIGINT, before)


def _ignore_interrupts(code: int) -> None:
    """From here on the process only tidies up, where a Ctrl-C would show the traceback of whatever it meets.

    After an interrupted command workers may be slow to end: a second Ctrl-C ends it all at once.
    """
    exec("")  # else Python ends as if killed where the Ctrl-C came out of a text that was run, as dataclasses are
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL if code == _INTERRUPTED else _signal.SIG_IGN)


def _take_limits(words: list[str]) -> tuple[list[str], list[str]]:
    """The words without those of ``--limit``, which may stand anywhere, and what it raises."""
    typed, raised = [], []
    given = iter(words)
    for word in given:
        if word == limits.OPTION:
            raised.append(next(given, ""))
        elif word.startswith(f"{limits.OPTION}="):
            raised.append(word.partition("=")[2])
        else:
            typed.append(word)
    return typed, raised


def _run(typed: list[str], raised: Sequence[str], seen: list[int]) -> int:
    """The exit code of a command; failures that a user can cause are one line."""
    try:
        with flags(), limits.raise_to(raised), _noted_in(seen):
            _check_dashes(typed)
            group.main(args=typed, prog_name="outscore", standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt) as error:
        return _print_error(str(error) or str(error.__cause__ or "") or "interrupted", _INTERRUPTED)
    except click.NoSuchOption as error:
        from outscore.cli.elsewhere import explain

        return _show(explain(error, [*COMMANDS, *_others()], find_command))
    except click.ClickException as error:
        return _show(error)
    except click.exceptions.Exit as error:
        return error.exit_code
    except OutscoreError as error:
        with flags():
            # it may be what became of a Ctrl-C, or be met by what keeps the work that was done before it
            code = _INTERRUPTED if seen else error.exit_code
            return _print_error(f"{'interrupted; ' * bool(seen)}error: {error}", code)
    except ReaderLeftError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except MemoryError:
        return _print_error("error: not enough memory; compare fewer systems at once, or fewer --resamples", 3)
    return 0


def _check_dashes(typed: Sequence[str]) -> None:
    """Refuses the name of an option after a single dash.

    Raises:
        UsageError: ``-ref``, which click would read as ``-r ef``.
    """
    words = typed[1 : typed.index("--")] if "--" in typed else typed[1:]
    single = [word for word in words if re.fullmatch("-[a-z][a-z-]{2,}", word)]
    if single and typed[0] in COMMANDS:
        from outscore.cli.elsewhere import explain_dash

        command = find_command(typed[0])
        said = next((said for word in single if (said := explain_dash(word, command))), "")
        if said:
            raise click.UsageError(said)


_INTERRUPTED = 130
_DEBUG = "--debug"
"""Anywhere among the words: a defect shows its traceback instead of a file with it."""


def _show(error: click.ClickException) -> int:
    """The help where nothing was typed after a command, else one line as of all other errors."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return error.exit_code
    said = error.format_message()
    if isinstance(error, click.NoSuchOption) and error.ctx and said.endswith("'."):
        said += f" All there are: {error.ctx.command_path} --help-all"
    return _print_error(f"error: {said}", error.exit_code)


def _print_error(message: str, code: int) -> int:
    click.echo(f"outscore: {clean(' '.join(message.split()))}", err=True)
    return code


if __name__ == "__main__":
    main()
