"""The margin of each metric: the largest gain or loss that does not matter, as the user says it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from outscore.base.errors import UsageError, suggestion
from outscore.significance.statistics import Statistics
from outscore.verbs.compare import Margin

_ALL = ""


def margins_of(asked: Margin | None, by_metric: Sequence[Statistics], baseline: int) -> list[float] | None:
    """The margin of each metric in its own unit; None where none was asked for.

    Args:
        asked: one for all metrics, or by metric (also as text, ``bleu=0.5,chrf=1%``).
        by_metric: one for each metric.
        baseline: number of the system of whose score a per cent is taken.

    Raises:
        UsageError: a margin is no number above 0, names no metric, or is missing for one; or it is a per cent of a
            share, which could mean points.
    """
    if asked is None:
        return None
    by_name = _group_by_name(asked)
    names = [stats.name for stats in by_metric]
    if _ALL in by_name:
        return [_convert(by_name[_ALL], stats, baseline) for stats in by_metric]
    given = {_metric_of(name, names): margin for name, margin in by_name.items()}
    lacking = next((name for name in names if name not in given), None)
    if lacking is not None:
        raise UsageError(
            f"--margin says nothing of {lacking}: give {lacking}=NUMBER too, or one number for all metrics"
        )
    return [_convert(given[stats.name], stats, baseline) for stats in by_metric]


def _group_by_name(asked: Margin) -> Mapping[str, float | str]:
    """Margins by the names of metrics, or one for all."""
    if isinstance(asked, Mapping):
        return asked
    if not isinstance(asked, str) or "=" not in asked:
        return {_ALL: asked}
    found: dict[str, float | str] = {}
    name = ""
    for piece in asked.split(","):
        # options of a metric have commas and equals signs too: bleu:tokenize=intl,lowercase=true=0.5
        name += ("," if name else "") + piece
        metric, _, value = name.rpartition("=")
        if metric and _number(value) is not None:
            found[metric.strip()] = value
            name = ""
    if name:
        raise UsageError(f"--margin {name!r}: expected NUMBER, NUMBER% or METRIC=NUMBER,...")
    return found


def _metric_of(name: str, names: Sequence[str]) -> str:
    """The metric of this name, with its options or without where that is clear."""
    if name in names:
        return name
    plain = [known for known in names if known.partition(":")[0] == name]
    if len(plain) != 1:
        raise UsageError(
            f"--margin for {name!r}, which is none of the metrics{suggestion(name, names)} "
            f"(there are: {', '.join(names)})"
        )
    return plain[0]


def _convert(margin: float | str, stats: Statistics, baseline: int) -> float:
    value = _number(margin)
    if value is None or not 0 < value < math.inf:
        raise UsageError(f"--margin {margin}: expected a number above 0 in the unit of {stats.name}, or a per cent")
    if not str(margin).strip().endswith("%"):
        return value
    score = abs(float(stats.run_scores[baseline].mean()))
    if not score > 0:
        raise UsageError(
            f"--margin {margin} of a baseline whose {stats.name} is {score:g}: give it in the metric's unit"
        )
    if stats.limits == (0.0, 1.0) or all(stats.right_or_wrong):
        raise UsageError(
            f"--margin {margin}: {stats.name} is a share, and {margin} could be points or a part of the baseline's "
            f"score: give {value / 100:g} for {value:g} {'point' if value == 1 else 'points'}, or "
            f"{value / 100 * score:.4g} for {margin} of {score:.4g}"
        )
    return value / 100 * score


def _number(text: float | str) -> float | None:
    """The number before a per cent sign, if any."""
    try:
        return float(str(text).strip().removesuffix("%"))
    except ValueError:
        return None
