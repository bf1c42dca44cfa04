"""Text that comes from outside, made harmless for whatever shows it."""

from __future__ import annotations

import re

JOINERS = "\u200c\u200d"
"""Format characters that scripts and emoji need; every other one can hide or reorder what a reader sees."""

_FORMULA = r"(?:^(?='* *[-=+@\t\r\n＝＋－＠])|(?<=[;\t])(?='*(?:[=+@＝＋＠]|[-－]\w)))"
"""Where spreadsheets read a formula (OWASP, CSV Injection), behind any apostrophes; one may split cells at ; or tab."""
_NUMBER = r"(?ai)[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?"


def read_number(text: str) -> float:
    """A number of 1e-150 to 1e150, whose square can be computed with, or 0 or NaN.

    Raises:
        ValueError: it is none, or infinite, or beyond these.
    """
    found = float(text)
    if 0 < abs(found) < 1e-150 or abs(found) > 1e150:
        raise ValueError(f"{text!r}: expected 0, or a number of 1e-150 to 1e150 in size")
    return found


def clean(text: object) -> str:
    r"""One line, in which control characters, breaks and marks of direction stand as escapes, such as ``\x1b``.

    Nothing is cut out, so that two names that differ never look the same.
    """
    said = str(text)
    return said if said.isprintable() else "".join(map(_escape, said))


def _escape(char: str) -> str:
    import unicodedata  # for names that nobody gives as a rule

    category = unicodedata.category(char)
    hides = category in ("Cc", "Cs", "Zl", "Zp") or (category == "Cf" and char not in JOINERS)
    return char.encode("unicode_escape").decode() if hides else char


def disarm(cell: str) -> str:
    """A cell of CSV that is no formula: an apostrophe stands where one begins; numbers stay."""
    return cell if re.fullmatch(_NUMBER, cell) else re.sub(_FORMULA, "'", cell)


def rearm(cell: str) -> str:
    """The cell that ``disarm`` was given."""
    return re.sub(f"{_FORMULA}'", "", cell) if "'" in cell else cell
