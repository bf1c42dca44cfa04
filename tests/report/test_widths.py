"""Widths without rich and shutil are the widths that they give."""

from __future__ import annotations

import os
import shutil
import sys
import unicodedata

import pytest
from rich.cells import cell_len

from outscore.report.text import _NARROW, terminal_columns, width_of


def test_every_character_that_is_taken_for_narrow_has_one_column() -> None:
    narrow = [chr(code) for code in range(sys.maxunicode + 1) if _NARROW.fullmatch(chr(code))]
    assert len(narrow) > 1000
    assert {cell_len(char) for char in narrow} == {1}
    assert not {unicodedata.category(char) for char in narrow} & {"Cc", "Cf", "Mn", "Me", "Mc"}


@pytest.mark.parametrize(
    "text",
    [
        *("", "Gain [95% CI]", "BLEU ↑ ‡ ±0.3 ─", "日本", "e\u0301", "👩‍👩‍👧", "a\u00adb", "\x1b[1m"),
        *("👍🏽", "☁️", "❤️‍🔥", "1️⃣", "🇩🇪", "x\ufe0f", "x\u200d", "\u200by", "한글", "\u1100\u1161\u11a8", "ｶﾞ", "　Ａ"),
        *("नमस्ते", "ก็", "தமிழ்", "שָׁלוֹם", "🫠"),
    ],
)
def test_widths_are_those_of_rich(text: str) -> None:
    assert width_of(text) == cell_len(text)


@pytest.mark.parametrize("said", [None, "", "0", "-5", "x", "37", "200"])
def test_the_width_of_the_terminal_is_that_of_shutil(said: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    if said is not None:
        monkeypatch.setenv("COLUMNS", said)
    assert terminal_columns() == shutil.get_terminal_size((80, 24)).columns


def test_the_terminal_is_asked_for_its_width(monkeypatch: pytest.MonkeyPatch) -> None:
    termios = pytest.importorskip("termios")
    monkeypatch.delenv("COLUMNS", raising=False)
    reader, writer = os.openpty()
    with os.fdopen(writer, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "__stdout__", terminal)
        termios.tcsetwinsize(writer, (24, 64))
        assert terminal_columns() == 64
    os.close(reader)
