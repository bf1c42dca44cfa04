"""From the analyst's choices to a confidence sequence that waits for its first item."""

from __future__ import annotations

from typing import Any, Literal, get_args

from outscore.base.errors import UsageError
from outscore.significance.sequential import ConfidenceSequence, marks_of
from outscore.significance.sequential.betting import Betting
from outscore.significance.sequential.mixture import Mixture

Method = Literal["auto", "betting", "mixture"]
Bounds = tuple[float, float] | None


def read_bounds(given: Any) -> Bounds:
    """The bounds as two numbers, also where they are given as on the command line: ``"0,100"``, ``"none"``.

    Raises:
        UsageError: they are something else.
    """
    if isinstance(given, str):
        given = None if given == "none" else given.split(",")
    if given is None:
        return None
    try:
        low, high = given
        return float(low), float(high)
    except (TypeError, ValueError):
        raise UsageError(f"bounds={given!r}: expected two numbers, the lowest score and the highest, or None") from None


def start(
    *,
    alpha: float = 0.05,
    margin: float | None = None,
    bounds: Bounds = (0.0, 1.0),
    method: Method = "auto",
    largest: int = 1,
    population: int | None = None,
    ends: bool = True,
) -> ConfidenceSequence:
    """A confidence sequence of the gain.

    Args:
        alpha: level of the whole sequence.
        margin: gains of less than this, either way, do not matter; in the unit of the scores.
        bounds: lowest and highest score that an item can have, known before the first one; None where there are none.
        method: ``betting``, also called ``auto``, needs bounds and holds for every number of items; ``mixture`` needs
            none and is asymptotic.
        largest: items in the largest cluster that can come.
        population: items of the whole test set, where the gain on that set is meant; None for new items.
        ends: False where only decisions are asked for, which is faster.

    Raises:
        UsageError: a value outside its range, or values that do not go together.
    """
    if not 0 < alpha < 1:
        raise UsageError(f"alpha={alpha}: expected a number between 0 and 1")
    if method not in get_args(Method):
        raise UsageError(f"method={method!r}: expected one of {', '.join(get_args(Method))}")
    if bounds is not None and not -float("inf") < bounds[0] < bounds[1] < float("inf"):
        raise UsageError(f"bounds={bounds[0]:g},{bounds[1]:g}: expected the lowest score, then a higher one")
    reach = None if bounds is None else bounds[1] - bounds[0]
    if margin is not None and not 0 < margin < (reach or float("inf")):
        raise UsageError(f"margin={margin:g}: expected more than 0 and less than the range of the scores")
    if largest < 1 or (population is not None and population < 1):
        raise UsageError("the largest cluster and the population have 1 item or more")
    marks = marks_of(margin)
    if method == "mixture":
        if population is not None:
            raise UsageError("a population needs the method betting, and so the bounds of the scores")
        return Mixture(alpha=alpha, marks=marks)
    if reach is None:
        raise UsageError(
            "no sequence holds for every number of items if scores have no bounds: give the lowest and highest score "
            "there can be (--bounds LOW,HIGH), or ask for --method mixture, which is asymptotic"
        )
    steps = {} if ends else {"steps": 0}
    return Betting(alpha=alpha, reach=reach, marks=marks, largest=largest, population=population, **steps)
