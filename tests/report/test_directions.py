"""Pictures of gains tell better from worse by form and colour, the same way everywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from outscore.report.plots import picture
from outscore.report.plots.theme import BLUE, ORANGE
from tests.report.kinds import KINDS


def dicts(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from dicts(each)


def test_better_points_right_and_worse_left_in_colours_of_their_own() -> None:
    spec = picture(KINDS["margins_of_many"]())
    scales = [json.dumps(one) for one in dicts(spec) if {"domain", "range"} <= one.keys()]
    shapes = next(json.loads(one) for one in scales if "triangle" in one)
    colours = next(json.loads(one) for one in scales if BLUE in one and ORANGE in one)
    shape, colour = (dict(zip(one["domain"], one["range"], strict=True)) for one in (shapes, colours))
    better, worse, open_ = shapes["domain"]
    assert (shape[better], shape[worse], shape[open_]) == ("triangle-right", "triangle-left", "circle")
    assert (colour[better], colour[worse]) == (BLUE, ORANGE)
    assert "better" in better
    assert "worse" in worse
