"""The points of curves are what counting says, at every threshold, and their bands hold them."""

from __future__ import annotations

from typing import Any, Literal

import pytest

import outscore
from outscore.results.curves import Decision

NUMBERS = [2.5, 2.5, 1.7, 0.9, 0.9, 0.9, 0.4, -0.3, -0.3, -1.1, -1.8]
GOLD = ["yes", "no", "yes", "yes", "no", "no", "yes", "no", "no", "yes", "no"]


def counted(kind: str, threshold: float | None) -> list[float | None]:
    """Coordinates by loops: what is above the threshold is taken as positive, all of it where there is none."""
    taken = [threshold is None or number > threshold for number in NUMBERS]
    pairs = list(zip(taken, (gold == "yes" for gold in GOLD), strict=True))
    tp, fp, fn, tn = (pairs.count(one) for one in ((True, True), (True, False), (False, True), (False, False)))
    precision = tp / (tp + fp) if tp + fp else None
    recall, false_alarms = tp / (tp + fn), fp / (fp + tn)
    at: dict[str, list[float | None]] = {"roc": [false_alarms, recall], "pr": [recall, precision]}
    return at.get(kind, [precision, recall, (tp + tn) / len(pairs)])


@pytest.mark.parametrize("kind", ["roc", "pr", "threshold"])
def test_points_are_counted_at_every_threshold(kind: Literal["roc", "pr", "threshold"]) -> None:
    metric = "auc:positive=yes" if kind == "roc" else "average_precision:positive=yes"
    found = outscore.score({"s": NUMBERS}, references=GOLD, metrics=metric, curve=kind, n_resamples=99)
    (curve,) = found.curves or ()
    assert [point.threshold for point in curve.points] == [*sorted(set(NUMBERS), reverse=True), None]
    for point in curve.points:
        values: list[Any] = [getattr(point, at) for at in "xyz"[: 3 if kind == "threshold" else 2]]
        assert values == pytest.approx(counted(kind, point.threshold))
        for value, ends in zip(values, (point.x_ci, point.y_ci), strict=False):
            assert (ends is None) == (value is None)
            assert value is None or (ends is not None and 0 <= ends[0] <= value <= ends[1] <= 1)
        if isinstance(point, Decision):
            here = [gold for number, gold in zip(NUMBERS, GOLD, strict=True) if number == point.threshold]
            assert point.at == (here.count("yes"), here.count("no"))
    # the last points take all or nothing, and vary no more
    last = curve.points[-1].x_ci if kind == "pr" else curve.points[-1].y_ci
    assert last == pytest.approx((1.0, 1.0))
