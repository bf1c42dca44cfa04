"""Errors that are meant for the user: one clear line each, with the exit code the command line gives them.

Messages name options by their flags, as ``--missing drop``. ``OutscoreError`` spells them as Python does, as
``missing="drop"``, unless a command runs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from outscore.base.text import clean

_as_flags = [False]
"""Whether a command runs: for the whole process, as its threads raise errors, too."""

ARGUMENTS = {
    "-c": "columns",
    "-f": "format",
    "-j": "jobs",
    "-k": "coefficients",
    "-m": "metrics",
    "-n": "n_resamples",
    "-o": "output",
    "-r": "references",
    "--coefficient": "coefficients",
    "--all": "all_rows",
    "--column": "columns",
    "--check": "check_whole",
    "--correct": "correction",
    "--import": "import_from",
    "--level": "levels",
    "--limit": "OUTSCORE_LIMIT",
    "--metric": "metrics",
    "--power": "target",
    "--reference": "references",
    "--resamples": "n_resamples",
    "--set": "column",
    "--show-flips": "flips",
    "--show-words": "words",
}
"""Arguments of flags that are not called like them."""

SWITCHES = frozenset(
    {
        *("--all-pairs", "--check", "--cite", "--elo", "--exchangeable", "--ignore-clusters", "--lower"),
        *("--all", "--plain", "--preferences", "--raw-csv", "--standardize", "--stop", "--strict"),
        *("--confusion", "--critical", "--verbose", "--wins"),
    }
)
"""Flags without a value."""

_WORDS = frozenset(
    {
        *("a", "and", "are", "as", "at", "belongs", "both", "by", "can", "column", "differs", "draws", "for", "from"),
        *("gives", "has", "if", "in", "instead", "is", "keeps", "lies", "must", "needs", "of", "on", "or", "says"),
        *("see", "takes", "that", "the", "they", "to", "when", "where", "which", "with", "without"),
    }
)
"""Words of a sentence, which are no value of the flag before them."""
_ASIDE = r", in Python \w+=| \(in Python [^)]*\)"
_FLAG = (  # compiled when a message is spelt: --help spells none
    r"`[^`]*`|\boutscore [a-z]+ [^;]*"  # commands to type stay
    r"|(?<![\w/-])(?:-[a-z]/)?(?P<flag>--[a-z][a-z-]*(?!\w)|-[cfjkmnor](?![\w-]))"
    r"(?:[ =](?P<value>'[^']*'|\"[^\"]*\"|[^\s;()'\"]*[^\s;:(),.'\"]))?"
)


@contextmanager
def flags() -> Iterator[None]:
    """Within it messages name options by their flags, as a command does."""
    before, _as_flags[0] = _as_flags[0], True
    try:
        yield
    finally:
        _as_flags[0] = before


def spell(message: str) -> str:
    """The message with its options named as its reader types them."""
    return message if _as_flags[0] else re.sub(_FLAG, _in_python, re.sub(_ASIDE, "", message))


def _in_python(found: re.Match[str]) -> str:
    flag, value = found["flag"], found["value"]
    if flag is None:
        return found[0]
    name = ARGUMENTS.get(flag, flag.lstrip("-").replace("-", "_"))
    if flag in SWITCHES:
        return f"{name}=True{'' if value is None else f' {value}'}"
    if value is None or value in _WORDS:
        return f"{name}={'' if value is None else f' {value}'}"
    if value[0] in "'\"" or not value.strip("ABCDEFGHIJKLMNOPQRSTUVWXYZ_,.") or re.fullmatch(r"-?[\d.]+", value):
        said = value  # quoted already, a word for what is meant, or a number
    else:
        said = f'"{value}"'
    return f"{name}=[{said}]" if name == "columns" else f"{name}={said}"


_MOST_KNOWN = 12


class OutscoreError(Exception):
    """Base of all errors that tell the user what to mend; ``exit_code`` is what the command line returns."""

    exit_code = 3

    def __str__(self) -> str:
        """The message; options are named as whoever reads it types them, see ``spelling``."""
        return spell(super().__str__())


class UsageError(OutscoreError):
    """The call itself is wrong: an unknown name, a value outside its range, options that exclude each other."""

    exit_code = 2


class InputError(OutscoreError):
    """The data are wrong.

    Args:
        message: the found and the expected, in words.
        file: the file it was found in, as the user named it.
        line: 1-based line in that file.
        remedy: how to mend it.
        column: of the table, in which a value is wrong.
        item: position of the item that the message calls ``item N``, counted from 0, where N is ``item + 1``.
    """

    exit_code = 3

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        remedy: str | None = None,
        column: str = "",
        item: int | None = None,
    ) -> None:
        self.file, self.line, self.remedy, self.column, self.item = file, line, remedy, column, item
        where = "" if file is None else clean(file) if line is None else f"{clean(file)}:{line}"
        text = f"{where}: {message}" if where else message
        super().__init__(f"{text}; {remedy}" if remedy else text)

    def with_id(self, ids: Sequence[str]) -> str:
        """The message with the id of the item in place of its number; ``ids`` are of all items."""
        text = str(self.args[0])
        return text if self.item is None else text.replace(f"item {self.item + 1}", f"item {ids[self.item]!r}", 1)


class MissingExtra(OutscoreError):  # noqa: N818 (it names what is missing, as users say it)
    """An optional library or program is not there; the message names the command that installs it."""

    exit_code = 4


class BrokenPackage(UserWarning):
    """Another package offers what cannot be loaded."""


class Interrupted(KeyboardInterrupt):
    """The user stopped the work; ``message`` says how far it came.

    Attributes:
        result: of what had been done, with a note that says so; None where that is nothing.
    """

    def __init__(self, message: str = "interrupted", result: Any = None) -> None:
        self.result = result
        super().__init__(message)


def hides_interrupt(error: BaseException) -> bool:
    """Whether a Ctrl-C is what it came from: by Python, while classes are made, or by what tidies up after it."""
    behind: list[BaseException | None] = [error]
    for one in behind:
        if one is not None:
            behind += [each for each in (one.__cause__, one.__context__) if each not in behind]
    return any(isinstance(one, KeyboardInterrupt) for one in behind)


def suggestion(name: str, known: Iterable[str]) -> str:
    """``; did you mean 'x'?`` for the known name nearest to a misspelt one, or the empty string."""
    import difflib  # only mistakes need it

    every = list(known)
    alike = next((other for other in every if other.lower() == name.lower()), None)
    if alike is not None:
        return f"; did you mean {alike!r}?"
    begun = [other for other in every if len(name) > 2 and other.lower().startswith(name.lower())]
    if len(begun) == 1:
        return f"; did you mean {begun[0]!r}?"
    lower = {other.lower(): other for other in reversed(every)}
    near = [lower[other] for other in difflib.get_close_matches(name.lower(), lower, n=5, cutoff=0.6)]
    if not near:
        return ""
    # of names as near, the one with more of the letters: 'blue' and 'bluey' are 'bleu' rather than 'blex'
    typed = Counter(name.lower())

    def likeness(other: str) -> tuple[float, float]:
        ratio = difflib.SequenceMatcher(None, other.lower(), name.lower()).ratio()
        return round(ratio, 9), (typed & Counter(other.lower())).total() / len(other)

    return f"; did you mean {max(near, key=likeness)!r}?"


def no_column(option: str, name: str, known: Iterable[str], kind: str = "the items") -> UsageError:
    """The error for a column that does not describe the items, or what else ``kind`` says: those that do are named."""
    names = list(known)
    remedy = "add one to the table" if kind != "the items" else "add one to the table, or give it with --items FILE"
    said = f"columns of {kind}: {join(names)}" if names else f"no column describes {kind}: {remedy}"
    return UsageError(f"{option} {name!r}: no such column{suggestion(name, names)} ({said})")


def list_known(known: Iterable[str], kinds: str) -> str:
    """`` (there are: a, b)`` behind a word that is none of them; of many the command that lists them."""
    names = list(known)
    said = f"there are: {', '.join(names)}" if len(names) <= _MOST_KNOWN else f"all: outscore list {kinds}"
    return f" ({said})"


def join(names: Iterable[str], most: int = 5) -> str:
    """A list of names for a message, cut after ``most``: ``'a', 'b' and 3 more``."""
    names = list(names)
    head = ", ".join(repr(n) for n in names[:most])
    return head if len(names) <= most else f"{head} and {len(names) - most} more"


def begin(text: str) -> str:
    """A text for a message, cut where it is long."""
    return text if len(text) <= 40 else f"{text[:40]}…"


def inflect(count: int, word: str) -> str:
    """``1 item``, ``3003 items``."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
