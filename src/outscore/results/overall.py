"""All systems tested at once: how that is told, and the mean ranks of a test that goes by ranks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from outscore.results.declared import Shown, Writer
from outscore.results.naming import describe_test
from outscore.results.pairs import RANKS, Overall, Pair
from outscore.results.result import Result

_RANK = "mean_rank "
_DIFFERENCE = "critical_difference"
_NEMENYI = "Nemenyi"


def ranks_of(overalls: Sequence[Overall]) -> dict[str, dict[str, float]]:
    """The mean ranks of the systems under each metric, of tests that have them; rank 1 is the best."""
    found = {
        overall.metric: {
            name.removeprefix(_RANK): rank
            for name, rank in overall.effect.items()
            if name.startswith(_RANK) and isinstance(rank, float)
        }
        for overall in overalls
    }
    return {metric: ranks for metric, ranks in found.items() if ranks}


def mean_rank(ranks: Mapping[str, Mapping[str, float]]) -> Shown:
    """The column of mean ranks, of rows that begin with a score."""
    return Shown("mean rank", "fixed", value=lambda row: ranks.get(row[0].metric, {}).get(row[0].system, ""))


def better_by(pairs: Sequence[Pair]) -> Shown | None:
    """The column of how many ranks a system is better than its baseline, where pairs were tested by mean ranks."""
    if not any(RANKS in pair.effect for pair in pairs):
        return None

    def write(row: Any) -> Any:
        pair = row[1] if isinstance(row, tuple) else row
        return "" if pair is None else pair.effect.get(RANKS, pair.gain)  # left out where it is the gain

    return Shown("ranks better by", "fixed", value=write)


def tell_difference(overalls: Sequence[Overall], correction: str, w: Writer) -> Iterator[str]:
    """How far apart mean ranks must lie, where pairs were corrected by Nemenyi."""
    several = len(overalls) > 1
    for overall in overalls if correction == _NEMENYI else ():
        apart = overall.effect.get(_DIFFERENCE)
        if isinstance(apart, float):
            of = f" of {w.label(overall.metric)}" if several else ""
            yield f"{_NEMENYI}: any two systems differ whose mean ranks{of} lie {w.fixed(apart)} or more apart."


def describe_overall(result: Result, overall: Overall, w: Writer) -> str:
    """Whether all systems differ at all."""
    differ = overall.p_value is not None and overall.p_value <= result.alpha
    verb = "differ" if differ else "are not shown to differ"
    systems, units = w.count(overall.n_systems, "system"), w.count(overall.n_units, overall.unit)
    label = w.label(overall.metric)
    if ranks_of([overall]):
        label = "mean rank" if label == "mean" else f"mean rank by {label}"
    return f"The {systems} {verb} in {label} ({w.p(overall.p_value)}, {units})."


def describe_overall_test(overall: Overall) -> str:
    """The test of all systems in words."""
    return describe_test(overall.test, overall.p_kind)


def numbers_of(overall: Overall, w: Writer) -> str:
    """Its numbers by their names, but for those that stand with the systems."""
    apart = ranks_of([overall])
    said = {
        "systems": overall.n_systems,
        f"{overall.unit}s": overall.n_units,
        "statistic": overall.statistic,
        **{n: v for n, v in overall.effect.items() if not apart or not (n.startswith(_RANK) or n == _DIFFERENCE)},
    }
    return ", ".join(f"{name} {w.number(value, 4)}" for name, value in said.items() if value is not None)
