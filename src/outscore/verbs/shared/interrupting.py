"""Results of interrupted work: a verb never gives a part for the whole, but raises an exception that holds the part."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from outscore.base.errors import Interrupted
from outscore.base.notes import INTERRUPTED
from outscore.results.result import Result

P = ParamSpec("P")
R = TypeVar("R", bound=Result)


def interruptible(verb: Callable[P, R]) -> Callable[P, R]:
    """The verb, which raises ``Interrupted`` with its result where that is of work that was interrupted."""

    @wraps(verb)
    def whole(*args: P.args, **kwargs: P.kwargs) -> R:
        result = verb(*args, **kwargs)
        stopped = next((note for note in result.notes if note.code == INTERRUPTED.code), None)
        if stopped is not None:
            goes_on = f"; {stopped.remedy}" if "--resume" in stopped.remedy else ""
            raise Interrupted(f"interrupted{goes_on}", result)
        return result

    return whole
