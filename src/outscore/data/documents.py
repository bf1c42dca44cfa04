"""JSON documents: parsed with the place of every fault, and read by what is expected of each value."""

from __future__ import annotations

import json
import re
from typing import Any

from outscore.base import limits
from outscore.base.errors import InputError
from outscore.base.lazy import dataclass
from outscore.data.source import Source, drop_trailing_blank

_KINDS = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", type(None): "missing"}
_AS_WRITTEN = "give the file as the program wrote it"
_BROKEN = "copy the file again, or run the evaluation to its end"
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(")?|[\[\]{},]', re.DOTALL)


@dataclass(frozen=True)
class Node:
    """A value inside a JSON document.

    Attributes:
        value: the value; None where it is null or absent.
        file: name of the document, for messages.
        path: where it stands in the document: ``stats[3].name``; empty for the whole.
        line: line of the file, for formats of one document a line.
    """

    value: Any
    file: str
    path: str = ""
    line: int | None = None

    @property
    def missing(self) -> bool:
        """Null or absent."""
        return self.value is None

    def error(self, message: str, remedy: str = _AS_WRITTEN) -> InputError:
        """An error at this place."""
        where = f"{self.path}: " if self.path else ""
        return InputError(f"{where}{message}", file=self.file, line=self.line, remedy=remedy)

    def wrong(self, expected: str) -> InputError:
        """The error that this value is something else than ``expected``."""
        return self.error(f"found {_KINDS.get(type(self.value), 'a number')}, expected {expected}")

    def fields(self) -> dict[str, Node]:
        """The values of an object by key."""
        if not isinstance(self.value, dict):
            raise self.wrong("an object")
        dot = f"{self.path}." if self.path else ""
        return {key: Node(value, self.file, f"{dot}{key}", self.line) for key, value in self.value.items()}

    def get(self, key: str) -> Node:
        """One value of an object, ``missing`` if it has no such key."""
        if not isinstance(self.value, dict):
            raise self.wrong("an object")
        return Node(self.value.get(key), self.file, f"{self.path}.{key}" if self.path else key, self.line)

    def items(self) -> list[Node]:
        """The values of a list."""
        if not isinstance(self.value, list):
            raise self.wrong("a list")
        return [Node(value, self.file, f"{self.path}[{i}]", self.line) for i, value in enumerate(self.value)]

    def text(self) -> str:
        """The value as a text; whole numbers are texts too, because programs number their items."""
        if isinstance(self.value, bool) or not isinstance(self.value, str | int):
            raise self.wrong("a text")
        try:
            text = str(self.value)
            text.encode()
        except ValueError:  # a number of thousands of digits too
            raise self.error("half of a surrogate pair (\\ud800 to \\udfff) is no character", "mend the text") from None
        return text

    def number(self) -> float:
        """The value as a number; NaN if it is missing, 1 and 0 for true and false."""
        if self.missing:
            return float("nan")
        if not isinstance(self.value, int | float):
            raise self.wrong("a number")
        try:
            return float(self.value)
        except OverflowError:
            raise self.error("the number is too large", "mend the value") from None


def parse(text: str, file: str, line: int | None = None, *, remedy: str = _BROKEN) -> Node:
    """A JSON document.

    Args:
        text: the document.
        file: its name for messages.
        line: its line, where a file holds one document a line.
        remedy: the way to mend broken JSON.

    Raises:
        InputError: broken JSON, with line and column; an object that has a key twice.
    """
    try:
        return Node(json.loads(text, object_pairs_hook=_object), file, "", line)
    except _KeyTwiceError as error:
        message, at, remedy = f"an object has the key {error.key!r} twice", line, "keep one of the two"
    except json.JSONDecodeError as error:
        message, at = f"broken JSON ({error.msg}, column {error.colno})", line or error.lineno
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, thousands of brackets
        message, at, remedy = "cannot be read as JSON (a number with too many digits)", line, _AS_WRITTEN
        if isinstance(error, RecursionError):
            message = "cannot be read as JSON (too deeply nested)"
            if limits.allowed("depth") < limits.DEEPEST:
                remedy = f"{_AS_WRITTEN}, or allow it with {limits.raised('depth', limits.DEEPEST)}"
    raise InputError(message, file=file, line=at, remedy=remedy)


def parse_lines(source: Source) -> list[Node]:
    """The objects of a file with one JSON object a line.

    Raises:
        InputError: a line that is broken, blank, or no object.
    """
    found = []
    for number, line in enumerate(drop_trailing_blank(source.lines()), 1):
        if not line.strip():
            raise InputError("a blank line, expected one object a line", file=source.file, line=number, remedy="cut it")
        node = parse(line, source.file, number)
        if not isinstance(node.value, dict):
            raise node.wrong("one object a line")
        found.append(node)
    return found


def beginning(text: str) -> tuple[Any, bool]:
    """The first JSON value of a text that may be cut anywhere.

    Returns:
        The object or list, as far as it is complete, or None if there is none; and whether something follows it.
    """
    if text.lstrip()[:1] not in ("{", "["):
        return None, False
    open_: list[str] = []
    whole = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark[0] == '"':
            if token[1] is None:
                break
            continue
        whole = token.start() if mark == "," else token.end()
        if mark in "{[":
            open_.append("}" if mark == "{" else "]")
        elif mark in "}]":
            open_.pop()
        if not open_:
            break
    try:
        return json.loads(text[:whole] + "".join(reversed(open_))), bool(not open_ and text[whole:].strip())
    except (ValueError, RecursionError):
        return None, False


class _KeyTwiceError(ValueError):
    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(key)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        raise _KeyTwiceError(next(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]
    return found


def objects_in(text: str) -> list[Any]:
    """The JSON values that stand one after another in a text; none where one is broken."""
    decoder, at, found = json.JSONDecoder(), 0, []
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return []
        found.append(value)
    return found
