"""Random valid files of every format, with what must come out of them; one file for each kind of task.

A file here fills ``FILES``, keyed by the name of a reader. Its writers follow the definition of the format, and know
nothing of the readers.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from hypothesis import strategies as st

from outscore.base.notation import TEXT
from outscore.data.readers import Role


@dataclass(frozen=True, kw_only=True)
class Held:
    """What one run of a system, or one set of gold data, must hold.

    Attributes:
        system, run: names; empty for gold data. ``sample``: empty where each item has one answer.
        columns: numbers by name; None is a missing one.
        ids, outputs, references, labels, notation: as in ``Run`` and ``Gold``.
    """

    system: str = ""
    run: str = ""
    sample: str = ""
    ids: tuple[str, ...] | None = None
    outputs: tuple[str, ...] | None = None
    references: tuple[tuple[str, ...], ...] = ()
    columns: Mapping[str, tuple[float | None, ...]] = field(default_factory=dict)
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notation: str = TEXT


@dataclass(frozen=True, kw_only=True)
class File:
    """A valid file.

    Attributes:
        name: what it is called, as far as the format needs it; its stem is ``sys``.
        lines: its lines without their ends, for formats that are text; one may hold line breaks within a cell.
        data: its bytes, for formats that are not.
        role: what it is given as.
        runs, golds: what must come out.
    """

    name: str
    lines: tuple[str, ...] = ()
    data: bytes = b""
    role: Role = "system"
    runs: tuple[Held, ...] = ()
    golds: tuple[Held, ...] = ()

    def bytes(self, end: str = "\n", *, closed: bool = True, mark: bool = False) -> bytes:
        """The whole file.

        Args:
            end: what ends a line.
            closed: the last line has an end too.
            mark: a byte-order mark comes first.
        """
        if not self.lines:
            return self.data
        return ("\ufeff" * mark + end.join(self.lines) + end * closed).encode()


FILES: dict[str, st.SearchStrategy[File]] = {}


def files_of(reader: str) -> st.SearchStrategy[File]:
    """Valid files of the format of a reader."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    assert reader in FILES, (
        f"no valid files of the reader {reader!r}: write a strategy of them into a module of tests/contract/files/ "
        f"and enter it as FILES[{reader!r}]"
    )
    return FILES[reader]


WORDS = ["the", "cat", "sat", ".", "1.5", "Ünï", "日本", "a-b", '"q"', "'", "=1+1", "e\u0301", "🙂", "#", ",", "{", "("]
BLANKS = [" ", " ", " ", "  ", "\u00a0", "\u2028", "\u0085", "\x0b", "\x0c", "\x1c"]


# strategies are made once: to make one, and to check that it is one, takes longer than to draw from it
@cache
def words() -> st.SearchStrategy[str]:
    """Words in any script, without anything that might be a blank."""
    anything = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=6)
    return st.one_of(st.sampled_from(WORDS), anything)


@cache
@st.composite
def texts(draw: st.DrawFn, smallest: int = 0) -> str:
    """Words with blanks of all kinds between them, on one line."""
    found = draw(_some_words(smallest))
    return "".join(word + draw(_BLANK) for word in found[:-1]) + "".join(found[-1:])


_BLANK = st.sampled_from(BLANKS)


@cache
def _some_words(smallest: int) -> st.SearchStrategy[list[str]]:
    return st.lists(words(), min_size=smallest, max_size=5)


@cache
def anything() -> st.SearchStrategy[str]:
    """Texts, now and then with line breaks, tabs, quotes, control characters."""
    return st.one_of(
        texts(),
        st.text(max_size=8),
        st.sampled_from(["a\u2028b\u0085c", "a\nb", "a\r\nb\r", "\t", 'say "no"', "\\n", "\0"]),
    )


@cache
def numbers() -> st.SearchStrategy[float]:
    """Numbers, many of them equal."""
    return st.one_of(
        st.sampled_from([0.0, 0.25, 0.5, 1.0, 100.0]),
        st.integers(-3, 10**6).map(float),
        st.floats(allow_nan=False, allow_infinity=False),
    )


@st.composite
def columns(draw: st.DrawFn, n: int) -> tuple[float | None, ...]:
    """Numbers of ``n`` items; the first is there, of the others a few are missing."""
    return (draw(numbers()), *(draw(_MISSING) for _ in range(n - 1)))


_MISSING = st.one_of(*[numbers()] * 3, st.none())


@cache
def names(smallest: int = 1, largest: int = 5) -> st.SearchStrategy[list[str]]:
    """Different words."""
    return st.lists(words(), min_size=smallest, max_size=largest, unique=True)
