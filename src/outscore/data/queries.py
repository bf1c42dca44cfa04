"""Lines about documents, gathered by the query that they belong to."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from outscore.base.errors import InputError
from outscore.base.notation import NotationError

_BLANKS = re.compile(r"[ \t]+")


def cells_of(line: str) -> list[str]:
    """Split a line at blanks and tabs; names of documents may hold blanks of other kinds."""
    return [cell for cell in _BLANKS.split(line) if cell]


@dataclass
class Queries:
    """A text for each query, in the order in which queries first appear; their lines may be anywhere in the file.

    Attributes:
        file: name for messages.
        check: raises ``NotationError`` for a text that is none of the notation.
    """

    file: str
    check: Callable[[str], object]
    _lines: dict[str, list[str]] = field(default_factory=dict)
    _numbers: dict[str, list[int]] = field(default_factory=dict)

    def add(self, query: str, line: str, number: int) -> None:
        """One more line of a query, from line ``number`` of the file."""
        self._lines.setdefault(query, []).append(line)
        self._numbers.setdefault(query, []).append(number)

    def texts(self) -> dict[str, str]:
        """The text of each query.

        Raises:
            InputError: there is none, or one is not as it should be; the message names file and line.
        """
        if not self._lines:
            raise InputError("holds no line about a document", file=self.file, remedy="give a file with some")
        texts = {query: "\n".join(lines) for query, lines in self._lines.items()}
        for query, text in texts.items():
            try:
                self.check(text)
            except NotationError as error:
                line = self._numbers[query][error.line]
                raise InputError(
                    f"query {query!r}: {error}", file=self.file, line=line, remedy="mend the line, or leave it out"
                ) from None
        return texts
