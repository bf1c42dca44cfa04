"""Scores with their errors, and gains over a baseline, where other programs print means: evaluate, Inspect, lm-eval."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import outscore
from outscore.base.errors import InputError, join

_Given = Sequence[Any] | np.ndarray[Any, Any]


def compute(
    *, predictions: _Given, references: _Given, baseline: _Given | None = None, **options: Any
) -> dict[str, float]:
    """Scores as ``compute`` of a module of Hugging Face's ``evaluate`` gives them, each with its interval.

    Args:
        predictions: an output for each item.
        references: its reference, or a list of several.
        baseline: outputs of a system that may be outscored.
        options: of ``outscore.compare``: ``metrics="f1"``, ``items={"cluster": [...]}`` ...

    Returns:
        By the name of the metric the score, with ``_low`` and ``_high`` the ends of its interval; beside a baseline
        ``_gain``, ``_gain_low``, ``_gain_high`` and ``_p`` too.

    Raises:
        InputError: no metric reads the references, or items have different numbers of them.
    """
    from outscore.verbs.shared.inputs import align_from
    from outscore.verbs.shared.meant_metrics import metrics_from
    from outscore.verbs.shared.reading import references_not_read

    references = list(references.tolist() if isinstance(references, np.ndarray) else references)
    several = bool(references) and isinstance(references[0], list | tuple)
    if several and len({len(one) for one in references}) > 1:
        raise InputError("items have different numbers of references", remedy="give every item as many")
    options |= {"references": [list(stream) for stream in zip(*references, strict=True)] if several else references}
    data = align_from(
        {"new": predictions}, references=options["references"], items=options.get("items"), missing="drop"
    )
    for unread in references_not_read(metrics_from(options.get("metrics"), data), data):
        raise InputError(unread.text, remedy=unread.remedy)
    if baseline is None:
        result: Any = outscore.score({"new": predictions}, **options)
    else:
        result = outscore.compare({"baseline": baseline, "new": predictions}, **options)
    found: dict[str, float | None] = {}
    for one in result.scores:
        if one.system == "new":
            found |= _with_ends(one.metric, one.score, one.ci)
    for pair in () if baseline is None else result.pairs:
        found |= _with_ends(f"{pair.metric}_gain", pair.gain, pair.ci) | {f"{pair.metric}_p": pair.p_adjusted}
    return {name: value for name, value in found.items() if value is not None}


def _with_ends(name: str, value: float, ends: Sequence[float] | None) -> dict[str, float | None]:
    low, high = ends or (None, None)
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def clustered_error(scores: Sequence[tuple[float, Any]]) -> float:
    """The standard error of a mean of items in clusters: an aggregation for a task of the lm-evaluation-harness.

    Args:
        scores: score and cluster of each item, as ``process_results`` of the task gives them.
    """
    from outscore.significance.means import clusters_of

    values, clusters = zip(*scores, strict=True)
    labels = np.array([str(one) for one in clusters])
    return float(clusters_of(np.array(values, dtype=np.float64), labels).se_cr2)


def gain_over(baseline: str, *, cluster: str = "", column: str = "") -> Callable[..., Any]:
    """A metric for Inspect: the gain over a log on the items of both, with interval and p; epochs are averaged.

    Args:
        baseline: the log of the same task that is to be outscored.
        cluster: metadata of samples that belong together, as a passage; no interval where some sample has none.
        column: the score in the log; by default the only one. Scores of other scorers are not compared with it.

    Raises:
        InputError: the log cannot be read, or has no such score; before anything is evaluated.
        TypeError: Inspect is older than 0.3.242: a metric saw only what a reducer made of epochs, as their maximum.
    """
    from inspect_ai.scorer import metric, value_to_float

    (old, scorer, key), as_number = _scores_in(baseline, column), value_to_float()

    def compare(scores: Sequence[Any]) -> Mapping[str, float]:
        epochs: dict[str, list[float]] = {}
        for one in (one for one in scores if one.scorer in (None, scorer)):
            value = one.score.value
            number = as_number(value.get(key, np.nan) if isinstance(value, Mapping) else value)
            epochs.setdefault(str(one.sample_id), []).append(number)
        known = {str(one.sample_id): one.sample_metadata or {} for one in scores}
        names = {name for of_one in known.values() for name in of_one}
        if cluster and scores and cluster not in names:  # no error: it would lose what was evaluated
            warnings.warn(f"no sample has metadata {cluster!r}; there are {join(sorted(names))}", stacklevel=2)
        of = {item: "" if found.get(cluster) is None else str(found[cluster]) for item, found in known.items()}
        rows = [(old[item], float(np.mean(new)), of[item]) for item, new in epochs.items() if item in old]
        rows = [row for row in rows if np.isfinite(row[:2]).all()]
        if not rows:
            return dict.fromkeys(("gain", "low", "high", "p"), np.nan) | {"items": 0.0}
        before, now, clusters = (list(column) for column in zip(*rows, strict=True))
        items = {"cluster": clusters if all(clusters) else ["all"] * len(rows)} if cluster else None
        pair = outscore.compare({"baseline": before, "new": now}, items=items).pairs[0]
        low, high = pair.ci or (np.nan, np.nan)
        p = np.nan if pair.p_value is None else pair.p_value
        return {"gain": pair.gain, "low": low, "high": high, "p": p, "items": float(len(rows))}

    made: Callable[..., Any] = metric(name="gain_over", scores="unreduced")(lambda **_: compare)
    return made(baseline=baseline, cluster=cluster, column=column)  # type: ignore[no-any-return]


def _scores_in(log: str, column: str) -> tuple[dict[str, float], str, str]:
    """The score of each item in a log, averaged over epochs; its scorer; its key among those of the scorer."""
    data = outscore.read([log])
    layers = next(iter(data.layers.values()))
    column = column or (next(iter(layers[0].columns)) if len(layers[0].columns) == 1 else "")
    if column not in layers[0].columns:
        raise InputError(
            f"{f'no score {column!r}' if column else 'several scores'}; there are {join(layers[0].columns)}",
            file=log,
            remedy="name one: column=NAME",
        )
    means = np.mean([layer.columns[column] for layer in layers], axis=0)
    scorer, _, key = column.partition(".")
    return dict(zip(data.items, means.tolist(), strict=True)), scorer, key
