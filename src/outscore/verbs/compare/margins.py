"""The margin of each metric: the largest gain or loss that does not matter, as the user says it."""

from __future__ import annotations

import math
import re
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
    names = [stats.name for stats in by_metric]
    try:
        return _margins(asked, by_metric, names, baseline)
    except UsageError:
        meant = _meant(asked, names) if isinstance(asked, str) else None
        if meant is None:
            raise
        raise UsageError(f"--margin {asked}: write --margin {meant}") from None


def _meant(asked: str, names: Sequence[str]) -> str | None:
    """The same as margins are typed, where another separator, or another name for the only metric, hides them."""
    text = asked.strip()
    split = re.split(r"[\s,;]+", text)
    equals = re.sub(r"\s*[:=\s]\s*(?=\.?\d)", "=", text)
    tries = [",".join(re.split(r"[\s,;]+(?=[^\W\d])", equals))]
    tries.append(tries[0].lower())
    if len(names) == 1:
        tries += [text.replace(",", "."), re.split(r"[:=\s]+", text)[-1]]
    elif len(split) == len(names):
        tries.append(",".join(f"{name}={one}" for name, one in zip(names, split, strict=True)))
    if _named(text, names) is not None:
        return None
    for one in tries:
        named = _named(one, names)
        if named is not None:
            return ",".join([one, *(f"{name}=NUMBER" for name in names if name not in named and _ALL not in named)])
    return None


def _named(text: str, names: Sequence[str]) -> set[str] | None:
    """The metrics that this gives margins above 0 for; None where it does not say so."""
    try:
        by_name = _group_by_name(text)
        known = {name if name == _ALL else _metric_of(name, names) for name in by_name}
    except UsageError:
        return None
    numbers = [_number(margin) for margin in by_name.values()]
    return known if all(number is not None and 0 < number < math.inf for number in numbers) else None


def _margins(asked: Margin, by_metric: Sequence[Statistics], names: Sequence[str], baseline: int) -> list[float]:
    by_name = _group_by_name(asked)
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
