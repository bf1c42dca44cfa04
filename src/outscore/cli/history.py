"""``outscore history``, beside its verb: which file, and what is done with it besides listing its uses."""

import sys
from pathlib import Path
from typing import Annotated, Any, ClassVar

import click

import outscore
from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.base.text import clean
from outscore.cli.command import Around, Call
from outscore.cli.streams import print_now
from outscore.verbs.declared import Option

_OF_LIST = {"test_set": "--test-set", "family": "--family", "correction": "--correct-history"}

HistoryToRead = Annotated[
    str | None,
    Option(
        "The history.",
        metavar="FILE",
        group="Files",
        default="OUTSCORE_HISTORY, if set",
        envvar="OUTSCORE_HISTORY",
    ),
]
ExportTo = Annotated[
    str | None,
    Option(
        "Write every use as text, for others to import.",
        metavar="FILE.jsonl",
        group="Files",
    ),
]
ImportFrom = Annotated[
    str | None,
    Option(
        "Add what was exported from another history.",
        "What is there already is left out.",
        flags=("--import", "import_from"),
        metavar="FILE.jsonl",
        group="Files",
    ),
]
Check = Annotated[
    bool,
    Option(
        "Is the file whole? Exit code 3 if not.",
        "And is everything in it as it was written?",
        flags=("--check", "check_whole"),
        group="Files",
    ),
]


@dataclass(frozen=True, kw_only=True)
class AroundHistory(Around):
    """A history that is listed, exported, added to or checked."""

    lacks: ClassVar[tuple[str, ...]] = ("plot", "around", "decimals", "plain")
    bare: ClassVar[bool] = True

    history: HistoryToRead = None
    export: ExportTo = None
    import_from: ImportFrom = None
    check_whole: Check = False

    def check(self, call: Call) -> Call:
        """Refuses to do two things at once, or anything without a history."""
        named = {"--export": self.export, "--import": self.import_from, "--check": self.check_whole}
        asked = [flag for flag, value in named.items() if value]
        if self.history is None:
            raise click.UsageError("which history? name it by --history FILE, or in OUTSCORE_HISTORY")
        if len(asked) > 1:
            raise click.UsageError(f"{' and '.join(asked)}: one at a time")
        stray = [flag for name, flag in _OF_LIST.items() if asked and call.chosen[name] is not None]
        if stray:
            raise click.UsageError(f"{', '.join(stray)}: for the list of uses, not for {asked[0]}")
        if self.export and Path(self.export).resolve() == Path(self.history).resolve():
            raise click.UsageError("the history would be overwritten by its own text: name another FILE.jsonl")
        return call

    def read(self, call: Call) -> tuple[Any, ...]:
        """The name of the history."""
        return (self.history,)

    def answer(self, call: Call) -> Any:
        """Its uses; None where something else was asked for, which is done and said."""
        assert self.history is not None, "checked"
        if self.export:
            n = inflect(outscore.export_history(self.history, self.export), "comparison")
            print_now(f"wrote {n} to {clean(self.export)}", err=True)
        elif self.import_from:
            added, there = outscore.import_history(self.history, self.import_from)
            print_now(f"added {inflect(added, 'comparison')}; {there} had been there", err=True)
        elif self.check_whole:
            _say_faults(self.history, *outscore.check_history(self.history))
        else:
            return super().answer(call)
        return None

    def finish(self, call: Call, result: Any) -> None:
        """Writes the list, if it was asked for."""
        if result is not None:
            super().finish(call, result)


def _say_faults(history: str, n: int, faults: list[str]) -> None:
    for fault in faults:
        print_now(f"{clean(history)}: {clean(fault)}", err=True)
    if faults:
        sys.exit(3)
    print_now(f"{clean(history)}: {inflect(n, 'comparison')}, all as they were recorded")
