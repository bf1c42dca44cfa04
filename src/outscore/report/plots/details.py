"""The smaller pictures of a comparison: resampled gains, scores of runs, gains on subsets of the test set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from outscore.base.errors import inflect
from outscore.report.numbers import interval, level, to_fixed
from outscore.report.plots.theme import BLUE, CONFIG, FAINT, INK, ORANGE, ROW, VEGA_LITE, WIDTH, draw_ends, title
from outscore.report.text import clean
from outscore.report.view import View
from outscore.results import Comparison, GainHistogram, Pair, Score

_MOST = 4
"""Pairs that have a panel of their own."""

_HEIGHT, _LOW_ROW = 140, 18


def details_charts(comparison: Comparison) -> Iterator[tuple[str, dict[str, Any]]]:
    """Headings and Vega-Lite specifications of all that the comparison has the numbers for."""
    view = View(comparison, None)
    for heading, spec in (
        ("The gain on resampled test sets", _distributions(view, comparison)),
        ("Scores of the runs", _runs(view)),
        *_draw_subsets(view, comparison),
    ):
        if spec is not None:
            schema = f"https://vega.github.io/schema/vega-lite/v{VEGA_LITE}.json"
            yield heading, {"$schema": schema, "config": CONFIG, **spec}


def _largest(view: View) -> list[Pair]:
    """The pairs of the largest gains, metric by metric in turn, in the order of the comparison."""
    turns = [
        (turn, pair)
        for metric in view.metrics
        for turn, pair in enumerate(sorted((p for p in view.pairs if p.metric == metric), key=lambda p: -abs(p.gain)))
    ]
    kept = [pair for _, pair in sorted(turns, key=lambda one: one[0])[:_MOST]]
    return [pair for pair in view.pairs if any(pair is one for one in kept)]


def _name(view: View, pair: Pair) -> str:
    metric = f", {view.label(pair.metric)}" if len(view.metrics) > 1 else ""
    return f"{view.name_of(pair)}{metric}"


def _describe_left_out(view: View, shown: int) -> str:
    return f"the {shown} largest of {len(view.pairs)} gains" if shown < len(view.pairs) else ""


def _distributions(view: View, comparison: Comparison) -> dict[str, Any] | None:
    held = comparison.details.histograms if comparison.details else ()
    found = {(h.system, h.baseline, h.metric): h for h in held}
    panels = [
        _distribution(view, pair, found[key])
        for pair in _largest(view)
        if (key := (pair.system, pair.baseline, pair.metric)) in found
    ]
    if not panels:
        return None
    drawn = sum(held[0].counts)
    return {
        "title": title(
            "How far chance in the choice of the test set moves the gain",
            f"{drawn:,} test sets resampled from the {held[0].resampled}; runs as they are",
            "orange: the observed gain; dark: no gain",
            _describe_left_out(view, len(panels)),
        ),
        "vconcat": panels,
        "spacing": 16,
    }


def _distribution(view: View, pair: Pair, found: GainHistogram) -> dict[str, Any]:
    bins = [
        {"from": low, "to": high, "share": count / sum(found.counts)}
        for low, high, count in zip(found.edges, found.edges[1:], found.counts, strict=False)
    ]
    x = {"type": "quantitative", "axis": {"title": f"Gain in {view.label(pair.metric)}", "grid": False}}

    def rule(at: float, colour: str) -> dict[str, Any]:
        return {
            "mark": {"type": "rule", "color": colour, "strokeWidth": 2},
            "data": {"values": [{"at": at}]},
            "encoding": {"x": {**x, "field": "at"}},
        }

    return {
        "title": {"text": _name(view, pair), "fontSize": 13, "offset": 4},
        "width": WIDTH,
        "height": _HEIGHT,
        "layer": [
            {
                "data": {"values": bins},
                "mark": {"type": "rect", "color": BLUE, "opacity": 0.6},
                "encoding": {
                    "x": {**x, "field": "from"},
                    "x2": {"field": "to"},
                    "y": {"field": "share", "type": "quantitative", "axis": {"title": "Proportion", "format": "%"}},
                    "y2": {"datum": 0},
                },
            },
            rule(0, INK),
            rule(pair.gain, ORANGE),
        ],
    }


def _runs(view: View) -> dict[str, Any] | None:
    if not view.several_runs:
        return None
    panels = [_runs_of(view, metric) for metric in view.metrics]
    return {
        "title": title("Scores of single runs, and their means", "points: runs; bars: means"),
        "vconcat": panels,
        "spacing": 16,
    }


def _runs_of(view: View, metric: str) -> dict[str, Any]:
    scores: Sequence[Score] = view.scores(metric)
    places = view.decimals(metric).score
    rows = [
        {"system": clean(s.system), "run": clean(run), "score": value, "text": to_fixed(value, places)}
        for s in scores
        for run, value in zip(s.runs, s.run_scores, strict=True)
    ]
    means = [{"system": clean(s.system), "score": s.score} for s in scores]
    y = {
        "field": "system",
        "type": "nominal",
        "sort": [clean(s.system) for s in scores],
        "axis": {"title": None, "ticks": False, "domain": False},
    }
    x = {"field": "score", "type": "quantitative", "scale": {"zero": False}, "axis": {"title": view.label(metric)}}
    tips = [{"field": "run"}, {"field": "text", "title": "score"}]
    return {
        "width": WIDTH,
        "height": {"step": ROW},
        "layer": [
            {
                "data": {"values": means},
                "mark": {"type": "tick", "color": ORANGE, "thickness": 3, "size": 18},
                "encoding": {"x": x, "y": y},
            },
            {
                "data": {"values": rows},
                "mark": {"type": "point", "filled": True, "size": 60, "color": BLUE, "opacity": 0.8},
                "encoding": {"x": x, "y": y, "tooltip": tips},
            },
        ],
    }


def _draw_subsets(view: View, comparison: Comparison) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """Gains by domain, by length, by cluster, as far as there are any."""
    if comparison.domains:
        yield "Gains by domain", _draw_by(view, [(d.domain, d, d.ci) for d in comparison.domains], "domain")
    held = comparison.details.parts if comparison.details else ()
    for by in dict.fromkeys(part.by for part in held):
        found = [(part.part, part, part.ci) for part in held if part.by == by]
        cut = comparison.details.n_clusters_left_out if comparison.details and by != "length" else 0
        yield (
            f"Gains by {clean(by)}",
            _draw_by(view, found, by, f"the largest; {cut} smaller ones are left out" if cut else ""),
        )


def _draw_by(
    view: View, found: Sequence[tuple[str, Any, tuple[float, float] | None]], by: str, cut: str = ""
) -> dict[str, Any]:
    shown = _largest(view)
    panels = []
    for pair in shown:
        key = pair.system, pair.baseline, pair.metric
        rows = [(part, one, ci) for part, one, ci in found if (one.system, one.baseline, one.metric) == key]
        if rows:
            panels.append(_gains_of(view, pair, rows))
    said = f"{level(view.result.alpha)} intervals where drawn, " if any(ci for _, _, ci in found) else ""
    return {
        "title": title(
            f"Is the gain the same for every {clean(by)}?",
            f"{said}each subset by itself, not corrected: a description",
            cut,
            _describe_left_out(view, len(panels)),
        ),
        "vconcat": panels,
        "spacing": 16,
    }


def _gains_of(view: View, pair: Pair, rows: Sequence[tuple[str, Any, tuple[float, float] | None]]) -> dict[str, Any]:
    places = view.decimals(pair.metric).gain
    ends = draw_ends([(one.gain, ci) for _, one, ci in rows])
    values = [
        {
            "part": f"{clean(part)} ({inflect(one.n_items, 'item')})",
            "gain": one.gain,
            "low": low,
            "high": high,
            "numbers": f"{to_fixed(one.gain, places, sign=True)} "
            f"{interval(ci, places, sign=True) if ci else ''}".strip(),
        }
        for (part, one, ci), (low, high) in zip(rows, ends, strict=True)
    ]
    names = [row["part"] for row in values]
    y = {"field": "part", "type": "nominal", "sort": names, "axis": {"title": None, "ticks": False, "domain": False}}
    x = {"type": "quantitative", "axis": {"title": f"Gain in {view.label(pair.metric)}, better to the right"}}
    intervals = {
        "mark": {"type": "rule", "color": BLUE, "strokeWidth": 2},
        "encoding": {"y": y, "x": {**x, "field": "low"}, "x2": {"field": "high"}},
    }
    return {
        "title": {"text": _name(view, pair), "fontSize": 13, "offset": 4},
        "width": WIDTH,
        "height": {"step": _LOW_ROW},
        "data": {"values": values},
        "layer": [
            {
                "mark": {"type": "rule", "color": INK},
                "data": {"values": [{"zero": 0}]},
                "encoding": {"x": {**x, "field": "zero"}},
            },
            {
                "mark": {"type": "rule", "color": FAINT, "strokeDash": [5, 4]},
                "data": {"values": [{"whole": pair.gain}]},
                "encoding": {"x": {**x, "field": "whole"}},
            },
            *([intervals] if any(row["low"] is not None for row in values) else []),
            {
                "mark": {"type": "point", "filled": True, "size": 60, "color": BLUE, "opacity": 1},
                "encoding": {
                    "y": y,
                    "x": {**x, "field": "gain"},
                    "tooltip": [{"field": "part"}, {"field": "numbers", "title": "gain"}],
                },
            },
        ],
    }
