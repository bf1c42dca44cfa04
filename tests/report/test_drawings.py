"""Pictures of a page: where marks stand, what an outlier does, and what is said of what is not drawn."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from outscore.report.html.charts import Ruler, draw_forests, draw_squares, scale_of
from outscore.report.plots import charts_of
from outscore.results.comparison import Comparison
from outscore.results.details import Details, SubsetGain
from outscore.results.pictures import Bar, Intervals
from tests.report.builders import check_golden, comparison, pair, score
from tests.report.kinds import KINDS

DRAWN = (
    *("two", "board", "with_details", "curves", "replicated_many"),
    *("humans", "confusions", "with_runs", "board_of_ten"),
)
"""Kinds whose pages have all sorts of drawings between them."""


def bar(name: str, value: float, low: float, high: float) -> Bar:
    return Bar(name=name, value=value, ci=(low, high), written=f"{value:+.1f}")


def forest(*bars: Bar) -> str:
    panel = Intervals(names="pair", values="gain", axis="Gain", zero=True, rows=bars)
    return str(draw_forests([panel], same_scale=False))


def test_a_scale_holds_all_rows_and_the_numbers_that_it_goes_through() -> None:
    ruler = scale_of([(1.0, 2.0), (1.5, 3.0)], through=(0.0,))
    assert ruler.low < 0
    assert ruler.high > 3
    assert ruler.ticks == pytest.approx([0, 1, 2, 3])
    assert [ruler.at(ruler.low), ruler.at(ruler.high), ruler.at(99)] == ["0%", "100%", "100%"]
    assert Ruler(0.0, 5.0).ticks == [0, 1, 2, 3, 4, 5]


def test_what_lies_far_from_the_others_leaves_the_scale_on_either_side_of_0() -> None:
    near = [{10.0 + i / 10} for i in range(9)]
    for far in (-12.0, 42.0):
        ruler = scale_of([*near, {far}])
        assert (ruler.low > 9, ruler.high < 12) == (True, True)


@pytest.mark.parametrize("rows", [[], [(math.inf, math.inf)], [(2.0, 2.0)], [(0.0, 0.0)]])
def test_a_scale_of_nothing_or_of_one_number_has_a_length(rows: list[tuple[float, float]]) -> None:
    ruler = scale_of(rows)
    assert ruler.high > ruler.low
    assert ruler.ticks


def test_an_outlier_does_not_flatten_the_other_rows() -> None:
    near = [bar(f"s{i}", 1.0, 0.5, 1.5) for i in range(9)]
    drawn = forest(*near, bar("far", 80.0, 60.0, 100.0))
    assert "1 row goes on beyond the picture" in drawn
    assert drawn.index('class="axis"') < drawn.index("beyond the picture")
    assert "+80.0" in drawn
    widths = [
        float(b) - float(a) for a, b in re.findall(r'<line x1="([\d.]+)%" x2="([\d.]+)%" y1="50%" y2="50%"', drawn)
    ]
    assert len(widths) == 10
    assert min(widths[:9]) > 20
    assert "beyond" not in forest(*near)


def test_one_sided_intervals_lead_to_the_edge_and_leave_their_values_in_sight() -> None:
    drawn = forest(*(bar(f"s{i}", float(i), i - 0.5, math.inf) for i in range(1, 5)))
    marks = re.findall(r'<svg x="([\d.]+)%" y="50%"', drawn)
    assert len(marks) == 8
    assert marks.count("100") == 4
    assert "beyond" not in drawn


def test_an_interval_has_an_arrow_on_the_side_where_it_goes_on() -> None:
    near = [bar(f"s{i}", 1.0, 0.5, 1.5) for i in range(9)]
    for far, at in ((bar("far", 1.0, 0.5, math.inf), "100%"), (bar("far", 1.0, -math.inf, 1.5), "0%")):
        arrows = re.findall(r'<svg x="(0%|100%)" y="50%"', forest(*near, far))
        assert arrows == [at]


def test_subsets_are_drawn_of_the_pairs_that_have_some() -> None:
    """The largest gains may be of pairs of which no subsets were kept."""
    names = [f"s{i}" for i in range(9)]
    made = comparison(
        [score("base", 27.0), *(score(n, 27.0) for n in names)],
        [pair(n, 9.0 - i, 0.001) for i, n in enumerate(names)],
    )
    part = SubsetGain(
        system="s8", baseline="base", metric="bleu", by="length", part="1-4", n_items=1500, gain=1.0, ci=None
    )
    (chart,) = [c for c in charts_of(replace(made, details=Details(parts=(part,)))) if c.heading == "Gains by length"]
    assert [panel.heading for panel in chart.panels] == ["s8"]
    assert "1-4 (1,500 items)" in str(draw_forests(chart.panels, same_scale=False))
    assert "not kept for 8 other gains" in chart.under


def test_all_pairs_of_many_systems_are_a_matrix_that_names_what_it_lacks() -> None:
    made = KINDS["all_of_many"]()
    assert isinstance(made, Comparison)
    chart = charts_of(made)[0]
    assert chart.heading == "Who beats whom"
    (squares,) = chart.panels
    drawn = str(draw_squares(squares))
    k = len(squares.names)
    assert drawn.count("<td class=") == k * k
    assert drawn.count('<td class="none">') == k
    fewer = charts_of(replace(made, pairs=made.pairs[:-1]))[0]
    assert "1 pair not compared" in fewer.under


@pytest.mark.parametrize("kind", DRAWN)
def test_the_body_of_a_page_has_the_tags_that_it_had(kind: str) -> None:
    """Each with its attributes, and the words of pictures; of scripts only that they are there."""
    read = _Tags()
    read.feed(KINDS[kind]().to("html"))
    check_golden(f"../kinds/{kind}.tags.txt", "\n".join([*read.tags, ""]))


@pytest.mark.parametrize("kind", ["two", "with_details", "clustered", "two_metrics"])
def test_the_part_of_a_notebook_has_the_tags_and_words_that_it_had(kind: str) -> None:
    read = _Tags(within=("body", "figure"))
    read.feed(KINDS[kind]().to("notebook"))
    check_golden(f"../kinds/{kind}.notebook.txt", "\n".join([*read.tags, ""]))


class _Tags(HTMLParser):
    """Tags of a body, a line each, with the words of figures; ``within`` are those that all stands in."""

    def __init__(self, within: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.tags: list[str] = []
        self._open: list[str] = [*within]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if "body" in self._open:
            told = [f"{name}={value!r}" for name, value in attrs if not (value or "").startswith("data:")]
            self.tags.append(" ".join([tag, *told]))
        if tag not in ("input", "meta", "link", "br", "wbr", "img"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "figure" in self._open and "script" not in self._open and data.strip():
            self.tags.append(" ".join(data.split()))
