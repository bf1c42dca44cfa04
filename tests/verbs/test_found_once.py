"""What is dear is found once for a pair, however many notes are added to it afterwards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import outscore
from outscore.significance.contrast import Contrast
from outscore.significance.interval import Found
from outscore.significance.interval.student import TInterval

FOUND: list[str] = []


@dataclass(frozen=True)
class Counting(TInterval):
    """The t interval, which says when it is asked for."""

    name = "t"

    def find(self, estimate: Contrast) -> Found:
        FOUND.append(estimate.what)
        return super().find(estimate)


def test_each_gain_and_each_score_has_its_interval_found_once() -> None:
    FOUND.clear()
    rng = np.random.default_rng(3)
    data = {name: rng.normal(size=40).tolist() for name in ("a", "b", "c")}
    outscore.compare(data, metrics="mean", interval=Counting(), margin=0.5)
    assert sorted(FOUND) == ["gain"] * 2 + ["score"] * 3
