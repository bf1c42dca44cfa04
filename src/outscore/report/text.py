"""Text of known width: columns, lines, sentences."""

from __future__ import annotations

import os
import re
import sys
from functools import lru_cache
from typing import TextIO

from outscore.base.text import clean

_NARROW = re.compile(
    r"[ -~\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03c9"  # Latin, Greek
    r"\u2010-\u2027\u2030-\u205e\u2070-\u209c\u2190-\u22ff\u2500-\u257f]*"  # marks, superscripts, mathematics, rules
)
"""Texts in which every character takes one column, which is nearly all that a report says."""

_JOINED = re.compile("\u200d.?|[\u1160-\u11ff\ud7b0-\ud7ff\u3164\uffa0\U0001f3fb-\U0001f3ff]")
"""Characters that stand in the place of another: behind a joiner, vowels and ends of Hangul, tones of skin."""
_EMOJI = re.compile("([#*0-9\xa9\xae\u203c-\u3299\U0001f000-\U0001faff])\ufe0f")
_WIDE = re.compile("[\u3000\uff01-\uff60\uffe0-\uffe6\U0001fa70-\U0001faff]")
"""Full width; and emoji, some of which are newer than what Python knows."""

_TOGETHER = re.compile(
    r" (?=[=<>] [-+.\d])|(?<=[=<>]) (?=[-+.\d])"  # p = .003
    r"|(?<=\d%) (?=CI\b)|(?<=\bCI) (?=[-+\d])|(?<=\d to) (?=[-+\d])"  # 95% CI 0.5 to 2.3
    r"|(?<=[\d%]) (?=[a-zA-Z%])|(?<=-v:) | (?=!)"  # 1.4 BLEU, BUT see !
)
"""Blanks at which no line ends."""
_HELD = "\0"
_NARROWEST = 40
"""Columns below which lines end at any blank."""


def width_of(text: str) -> int:
    """How many columns of a terminal ``text`` takes; wide East Asian characters take two."""
    if _NARROW.fullmatch(text):
        return len(text)
    text = _JOINED.sub("", text)
    return sum(map(_columns_of, text)) + [*map(_columns_of, _EMOJI.findall(text))].count(1)


@lru_cache(1 << 12)
def _columns_of(char: str) -> int:
    from unicodedata import category, east_asian_width

    if category(char) in ("Mn", "Me", "Mc", "Cf", "Cc", "Zl", "Zp") and char != "\u00ad":
        return 0
    return 2 if east_asian_width(char) == "W" or _WIDE.match(char) else 1


def terminal_columns(stream: TextIO | None = None) -> int:
    """The width of the terminal, by ``COLUMNS`` or by asking ``stream`` (standard output); 80 where there is none.

    ``shutil`` says the same and imports every way of compression.
    """
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said) > 0:
        return int(said)
    try:
        return os.get_terminal_size((stream or sys.__stdout__).fileno()).columns or 80  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):  # no standard output, a closed one, one that is no terminal
        return 80


def pad(text: str, width: int, align: str = "left") -> str:
    """``text`` filled with blanks to ``width`` columns of a terminal."""
    blanks = " " * max(0, width - width_of(text))
    return blanks + text if align == "right" else text + blanks


def wrap(text: str, width: int, hang: int = 0) -> list[str]:
    """``text`` in lines of at most ``width`` columns, broken at blanks, else in words; nothing is cut off.

    A number stays with what it belongs to: its name, its unit, the other end.

    Args:
        text: one paragraph.
        width: columns of the terminal.
        hang: blanks before every line but the first.
    """
    lines, line = [], ""
    for held in (text if width < _NARROWEST else _TOGETHER.sub(_HELD, text)).split(" "):
        word = held.replace(_HELD, " ")
        joined = f"{line} {word}" if line.strip() else line + word
        if width_of(joined) <= width:
            line = joined
            continue
        if line.strip():
            lines.append(line)
            line = " " * hang
        rest = word
        while width_of(line + rest) > width:
            head = _take_fitting(rest, width - width_of(line))
            lines.append(line + head)
            rest, line = rest[len(head) :], " " * hang
        line += rest
    return [*lines, line] if line.strip() or not lines else lines


def wrap_command(text: str, width: int) -> list[str]:
    """A command, or a line of one, in lines that a shell joins again: broken at blanks that are not quoted."""
    if width_of(text) <= width:
        return [text]
    whole, lines = text.removesuffix(" \\"), [""]
    for word in re.findall(r"""(?:'[^']*'|"[^"]*"|[^\s'"])+""", whole):
        if lines[-1] and width_of(f"{lines[-1]} {word} \\") > width:
            lines[-1] += " \\"
            lines.append(word)
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    lines[-1] += text[len(whole) :]
    return lines


def _take_fitting(word: str, width: int) -> str:
    """The longest head of ``word`` that fits, at least a character; it ends in a separator if one is near."""
    end = 1
    while end < len(word) and width_of(word[: end + 1]) <= width:
        end += 1
    near = max((i + 1 for i in range(end // 2, end) if word[i] in "|/,;:_-"), default=end)
    return word[:near]


def capital(text: str) -> str:
    """The text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def join_remedy(text: str, remedy: str) -> str:
    """Join a note's text and its remedy, as sentences."""
    remedy = _end(remedy)
    return f"{_end(text)} {remedy[:1].upper()}{remedy[1:]}".strip()


def _end(text: str) -> str:
    """``text`` with a full stop, unless it ends in one."""
    text = clean(text).strip()
    return text if not text or text[-1] in ".?!" else f"{text}."
