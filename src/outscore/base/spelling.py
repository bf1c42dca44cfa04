"""How a message names an option: by its flag to who typed a command, by its argument to who called a function.

Messages are written with flags, as ``--missing drop``. ``OutscoreError`` spells them as Python does, as
``missing="drop"``, unless a command runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

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
        *(
            "gives",
            "has",
            "if",
            "in",
            "instead",
            "is",
            "keeps",
            "lies",
            "must",
            "needs",
            "of",
            "on",
            "or",
            "says",
            "see",
        ),
        *("takes", "that", "the", "they", "to", "when", "where", "which", "with", "without"),
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
