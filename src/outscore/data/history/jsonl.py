"""Histories as text, one use a line, for teams that keep several."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterable, Iterator
from typing import Any

from outscore.base.errors import InputError
from outscore.results.history import KnownSet, RecordedComparison
from outscore.results.plain import from_plain

_FORMAT = {"format": "outscore history", "version": 1}
_REMEDY = "give a file that `outscore history --export` wrote"

UseOfSet = tuple[KnownSet, RecordedComparison]


def format_lines(uses: Iterable[UseOfSet]) -> Iterator[str]:
    """The lines of a file of uses, the format first; every number in full."""
    yield json.dumps(_FORMAT)
    for known, use in uses:
        plain = {"test_set": dataclasses.asdict(known), "use": dataclasses.asdict(use)}
        del plain["use"]["test_set"]
        yield json.dumps(plain, ensure_ascii=False, allow_nan=False)


def read(lines: Iterable[str], file: str) -> Iterator[UseOfSet]:
    """The uses of such a file.

    Raises:
        InputError: a line is not what ``format_lines`` writes; with its number.
    """
    for number, line in enumerate(lines, 1):
        if number == 1:
            if _parse(line, file, 1) != _FORMAT:
                raise InputError(f"is not {json.dumps(_FORMAT)}", file=file, line=1, remedy=_REMEDY)
        elif line.strip():
            yield _parse_use(_parse(line, file, number), file, number)


def _parse(line: str, file: str, number: int) -> dict[str, Any]:
    try:
        found = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        said = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise InputError(f"not JSON ({said})", file=file, line=number, remedy=_REMEDY) from None
    if not isinstance(found, dict):
        raise InputError("not a JSON object", file=file, line=number, remedy=_REMEDY)
    return found


def _parse_use(found: dict[str, Any], file: str, number: int) -> UseOfSet:
    try:
        known: KnownSet = from_plain(KnownSet, found.get("test_set"), "test_set")
        use: RecordedComparison = from_plain(RecordedComparison, _add_set(found, known), "use")
    except TypeError as error:
        raise InputError(f"not a use of a test set ({error})", file=file, line=number, remedy=_REMEDY) from None
    for name, value, ok in _ranges(known, use):
        if not ok:
            raise InputError(f"{name} is {repr(value)[:60]}, out of its range", file=file, line=number, remedy=_REMEDY)
    return known, use


def _add_set(found: dict[str, Any], known: KnownSet) -> Any:
    use = found.get("use")
    unknown = next((name for name in found if name not in ("test_set", "use")), None)
    if unknown is not None:
        raise TypeError(f"{unknown} is unknown")
    return {**use, "test_set": known.digest} if isinstance(use, dict) else use


def _ranges(known: KnownSet, use: RecordedComparison) -> Iterator[tuple[str, Any, bool]]:
    for name in ("p_value", "p_adjusted", "level"):
        value = getattr(use, name)
        yield name, value, value is None or 0 <= value <= 1
    yield "seed", use.seed, use.seed >= 0
    for name in ("gain", "ci_low", "ci_high"):
        value = getattr(use, name)
        yield name, value, value is None or math.isfinite(value)
    for count in (known.n_items, use.n_items, use.n_resamples or 0):  # SQLite holds no more
        yield "a number of items or resamples", count, 0 <= count < 2**63


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")
