"""Notations: how structured outputs are written as one text for each item.

Readers check them, with file and line; metrics take them apart; ``outscore convert`` writes them into any table. One
notation is one file here. A notation raises ``NotationError`` for a text that is none of its kind.
"""

from __future__ import annotations

TEXT = "text"


class NotationError(ValueError):
    """A text that is not written in the notation it should be in; the message says what was found and expected.

    Args:
        message: one line.
        line: line within the text, from 0, where a text of several lines is wrong.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        self.line = line
        super().__init__(message)
