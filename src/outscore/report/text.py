"""Text that comes from outside, made harmless and of known width."""

from __future__ import annotations

import unicodedata

JOINERS = "\u200c\u200d"
"""Format characters that scripts and emoji need; every other one can hide or reorder what a reader sees."""

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def clean(text: object) -> str:
    """One line without control characters: breaks become blanks, the rest of them U+FFFD.

    Escape sequences stay visible as text, so that two names that differ never look the same by being cut.
    """
    return "".join(_harmless(c) for c in str(text))


def _harmless(char: str) -> str:
    if char in "\n\r\t\v\f\x85\u2028\u2029":
        return " "
    category = unicodedata.category(char)
    return "\ufffd" if category in ("Cc", "Cs") or (category == "Cf" and char not in JOINERS) else char


def superscript(numbers: tuple[int, ...]) -> str:
    """``(1, 12)`` as ``¹,¹²``."""
    return ",".join(str(n).translate(_SUPERSCRIPTS) for n in numbers)


def cells(text: str) -> int:
    """How many columns of a terminal ``text`` takes; wide East Asian characters take two."""
    from rich.cells import cell_len

    return cell_len(text)


def pad(text: str, width: int, align: str = "left") -> str:
    """``text`` filled with blanks to ``width`` columns of a terminal."""
    blanks = " " * max(0, width - cells(text))
    return blanks + text if align == "right" else text + blanks


def wrap(text: str, width: int, hang: int = 0) -> list[str]:
    """``text`` in lines of at most ``width`` columns, broken at blanks, else in words; nothing is cut off.

    Args:
        text: one paragraph.
        width: columns of the terminal.
        hang: blanks before every line but the first.
    """
    lines, line = [], ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line.strip() else line + word
        if cells(joined) <= width:
            line = joined
            continue
        if line.strip():
            lines.append(line)
            line = " " * hang
        rest = word
        while cells(line + rest) > width:
            head = _fitting(rest, width - cells(line))
            lines.append(line + head)
            rest, line = rest[len(head) :], " " * hang
        line += rest
    return [*lines, line] if line.strip() or not lines else lines


def _fitting(word: str, width: int) -> str:
    """The longest head of ``word`` that fits, at least a character; it ends in a separator if one is near."""
    end = 1
    while end < len(word) and cells(word[: end + 1]) <= width:
        end += 1
    near = max((i + 1 for i in range(end // 2, end) if word[i] in "|/,;:_-"), default=end)
    return word[:near]
