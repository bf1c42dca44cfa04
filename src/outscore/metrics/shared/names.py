"""Names that users give to metrics, ``chrf2=chrf:order=2``: apart from the metrics themselves."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from outscore.base.errors import UsageError, join
from outscore.base.registry import options_of, split_specs
from outscore.metrics import Metric, metrics


def split_names(text: str, columns: Collection[str] = ()) -> list[tuple[str, str]]:
    """The metrics of a comma list, each with the name that it is given, or the empty string.

    Args:
        text: ``bleu,chrf2=chrf:order=2`` gives ``("", "bleu")`` and ``("chrf2", "chrf:order=2")``.
        columns: names of columns, which may be metrics too and may hold an equals sign.

    Raises:
        UsageError: a name, or what it names, is empty.
    """
    return [_split(spec, columns) for spec in _split_list(text, columns)]


def keep_title(metric: Metric, ready: Sequence[Metric]) -> tuple[Metric, ...]:
    """The metrics that one was prepared to, by the name that it was given.

    Raises:
        UsageError: one name was given to a metric that is several.
    """
    if metric.title == metric.label:
        return tuple(ready)
    if len(ready) > 1:
        raise UsageError(
            f"{metric.title}={metric.label} is {len(ready)} metrics, and has one name: name each of "
            f"{join(one.label for one in ready)}"
        )
    return tuple(one.named(metric.title) for one in ready)


def check_titles(chosen: Sequence[Metric]) -> None:
    """Refuses two metrics of one name.

    Raises:
        UsageError: there are two.
    """
    titles = [metric.title for metric in chosen]
    twice = next((title for title in titles if titles.count(title) > 1), None)
    if twice is None:
        return
    called = list(dict.fromkeys(metric.label for metric in chosen if metric.title == twice))
    if len(called) == 1:
        raise UsageError(f"metric {twice!r} is given twice")
    raise UsageError(f"two metrics are called {twice!r}: {join(called)}; give each a name of its own, NAME=METRIC")


def _split_list(text: str, columns: Collection[str]) -> list[str]:
    found: list[str] = []
    for spec in split_specs(text):
        # what stands behind a metric with options is either an option of it or another metric with a name
        first, *more = spec.split(",")
        found.append(first)
        for part in more:
            found[-1:] = [found[-1], part] if _names_another(part, found[-1], columns) else [f"{found[-1]},{part}"]
    return found


def _names_another(part: str, before: str, columns: Collection[str]) -> bool:
    key, _, value = (piece.strip() for piece in part.partition("="))
    meant = value.partition(":")[0].strip()
    bare = _split(before, columns)[1].partition(":")[0]
    own = {option.name for one in metrics.meanings(bare) for option in options_of(metrics.find(one))}
    return key not in own and (meant in columns or metrics.knows(meant) or bool(metrics.meanings(meant)))


def _split(spec: str, columns: Collection[str]) -> tuple[str, str]:
    head, colon, options = spec.partition(":")
    name, equals, meant = head.partition("=")
    if not equals or spec in columns:
        return "", spec
    name, meant = name.strip(), f"{meant.strip()}{colon}{options}"
    if not name or not meant:
        raise UsageError(f"{spec!r} is no metric with a name: write NAME=METRIC, such as chrf2=chrf:order=2")
    return name, meant
