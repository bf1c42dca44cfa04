"""The tables of samples that grow, and of subsets of the items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from outscore.results.study import DataTable, Field, Value
from outscore.significance.proportions import wilson
from outscore.significance.settings import Settings
from outscore.studies.shared.forking_paths import equal_steps, p_by_normal_law
from outscore.studies.shared.rates import Rate

ANSWERS = SMALLEST, JOINT, ANYTIME = "smallest p", "corrected jointly", "at any time"
"""Answers on a sample that grows: the smallest p so far, and two that hold at all steps together."""

_PRINTED = 40

PAIR = Field(name="pair", title="Pair", kind="text")
METRIC = Field(name="metric", title="Metric", kind="text")
_LOW, _HIGH = Field(name="low", title="low", kind="share"), Field(name="high", title="high", kind="share")


def ratios(parts: Sequence[Any], shares: Sequence[float], alpha: float) -> DataTable:
    """As Table 4 of Søgaard et al. 2014: a row for each pair and metric, a column for each proportion.

    Args:
        parts: metric, pair, share, and p of each subsample.
    """
    rows: dict[tuple[str, str], list[Value]] = {}
    for metric, pair, _, ps in parts:
        rows.setdefault((metric, pair), []).append(sum(p <= alpha for p in ps) / len(ps))
    return DataTable(
        name="ratios",
        title=f"Subsamples with p ≤ {alpha:g}",
        fields=(
            METRIC,
            PAIR,
            *(Field(name=f"share:{share:g}", title=f"{100 * share:g}% of items", kind="share") for share in shares),
        ),
        rows=tuple((*key, *values) for key, values in rows.items()),
        about="All items are one test set, tested with so many permutations that the answer is 0 or 100%.",
    )


def tabulate_proportions(parts: Sequence[Any], alpha: float) -> DataTable:
    """The same, a row for each proportion, with intervals (Wilson) where subsamples were drawn."""
    rows = [
        (
            metric,
            pair,
            share,
            len(ps),
            hits / len(ps),
            *(wilson(hits, len(ps), 1 - alpha) if share < 1 else (None,) * 2),
        )
        for metric, pair, share, ps in parts
        for hits in [sum(p <= alpha for p in ps)]
    ]
    ratio = Field(name="ratio", title="with p ≤ alpha", kind="share", low="low", high="high")
    fields = (
        METRIC,
        PAIR,
        Field(name="share", title="Proportion of the items", kind="share"),
        Field(name="subsamples", title="subsamples", kind="count"),
        ratio,
        _LOW,
        _HIGH,
    )
    return DataTable(
        name="subsamples", title="Subsamples of each proportion", fields=fields, rows=tuple(rows), printed=False
    )


def steps_table(rows: Sequence[tuple[Value, ...]]) -> DataTable:
    """p at each step: metric, pair, items, gain, p, p corrected jointly, p at any time."""
    return DataTable(
        name="steps",
        title="p while the sample grows",
        fields=(
            METRIC,
            PAIR,
            Field(name="n", title="items", kind="count"),
            Field(name="gain", title="Gain"),
            Field(name="p", title="p", kind="p"),
            Field(name="joint", title="joint", kind="p"),
            Field(name="anytime", title="at any time", kind="p"),
        ),
        rows=tuple(rows),
        about="joint: p corrected over all steps of its pair and metric. At any time: p of a confidence sequence, the "
        "smallest so far, which may be looked at after every item; for means of items.",
        printed=len(rows) <= _PRINTED,
    )


def peeking(cells: Sequence[Mapping[str, Any]], looks: int, settings: Settings) -> tuple[DataTable, DataTable]:
    """How often null versions were significant by each interim analysis: a row for each, and one for each point drawn.

    Args:
        cells: of one pair and metric each, with ``rates`` by interim analysis for every kind of answer; those in which
            nothing ``varies`` are left out.
    """
    alpha = settings.alpha
    drawn: list[tuple[Value, ...]] = []
    wide: list[list[Value]] = [[k + 1] for k in range(looks)]
    names = [name for name in ANSWERS if any(c["varies"] and name in c["rates"] for c in cells)]
    laws = [p_by_normal_law(equal_steps(k + 1), alpha, settings.alternative) for k in range(looks)]
    for name in names:
        some = [c["rates"][name] for c in cells if c["varies"] and name in c["rates"]]
        for k in range(looks):
            rate = Rate.mean(Rate(*rates[k]) for rates in some)
            law = laws[k] if name == SMALLEST else None
            drawn.append((k + 1, name, rate.value, *rate.ends(alpha), law))
            wide[k] += [rate.value, *rate.ends(alpha), *([law] if name == SMALLEST else [])]
    count, law_field = (
        Field(name="looks", title="analyses", kind="count"),
        Field(name="law", title="normal law", kind="share"),
    )
    columns = [
        field
        for name in names
        for field in (
            Field(name=name, title=name, kind="share", low=f"{name}, low", high=f"{name}, high"),
            Field(name=f"{name}, low", title="low", kind="share"),
            Field(name=f"{name}, high", title="high", kind="share"),
            *((law_field,) if name == SMALLEST else ()),
        )
    ]
    rate_field = Field(name="rate", title="significant", kind="share", low="low", high="high")
    return (
        DataTable(
            name="peeking",
            title=f"Null versions with p ≤ {alpha:g} at some interim analysis so far, mean over pairs and metrics",
            fields=(count, *columns),
            rows=tuple(tuple(row) for row in wide) if names else (),
            about="Normal law: of the smallest p of so many interim analyses at equal steps (Armitage et al. 1969).",
            printed=bool(names),
        ),
        DataTable(
            name="looking",
            title="The same, a row for each kind of answer",
            fields=(count, Field(name="by", title="by", kind="text"), rate_field, _LOW, _HIGH, law_field),
            rows=tuple(drawn),
            printed=False,
        ),
    )
