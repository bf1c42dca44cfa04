"""Texts from outside: nothing in them moves a cursor, turns a line round or computes, and nothing of them is lost."""

from __future__ import annotations

import codecs
import re
import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from outscore.base.text import JOINERS, clean, disarm, rearm

CELLS = st.text(alphabet="'=+-@ \t\r\nab1.e＝", max_size=6)


@given(st.text())
@example("".join(map(chr, [*range(32), *range(127, 160)])))
@example("\u202a\u202e\u2066\u2069\u200e\u200f\ufeff\xad\u2028\udcff")
@example("\x1b]0;title\x07\x1b[2J\x9b31m")
def test_what_has_power_over_a_line_stands_as_an_escape(text: str) -> None:
    shown = clean(text)
    assert not {unicodedata.category(c) for c in shown if c not in JOINERS} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    # nothing is lost: where no backslash was there before, the escapes give the text back
    if "\\" not in text:
        assert re.sub(r"\\([nrt]|x..|u....|U.{8})", lambda m: codecs.decode(m[0], "unicode_escape"), shown) == text
    assert clean(shown) == shown


def test_letters_that_need_joiners_keep_them() -> None:
    assert clean("می\u200cخواهم 👩\u200d🔬 naïve\u00a0x") == "می\u200cخواهم 👩\u200d🔬 naïve\u00a0x"


@given(CELLS)
@example("'=x")
@example("-1e5")
@example("a;=x")
@example(";'-5;")
def test_a_disarmed_cell_begins_no_formula_and_comes_back(cell: str) -> None:
    safe = disarm(cell)
    assert rearm(safe) == cell
    if not re.fullmatch(r"[+-]?[\d.]+(e[+-]?\d+)?", safe):
        assert not re.match(r" *[-=+@\t\r\n＝]", safe)
        assert not re.search(r"[;\t](?:[=+@＝]|-\w)", safe), "a program that splits at another separator"


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers())
def test_numbers_stay_numbers(number: float) -> None:
    assert disarm(repr(number)) == repr(number)
