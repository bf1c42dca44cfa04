"""Confidence sequences: how the gain and what is known of it change item by item, and where the decision fell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from outscore.base.errors import inflect
from outscore.report.numbers import interval, p_text, to_fixed
from outscore.report.plots import axes, chart
from outscore.report.plots.marks import DASHES
from outscore.report.plots.theme import BLUE, FAINT, GREEN, INK, ORANGE, WIDTH, title
from outscore.report.text import clean
from outscore.report.writer import ReportWriter
from outscore.results import Axis, InterimAnalysis, Sequence, Sequences

_MOST = 8
_HEIGHT = 170
_PLACES = 3
_COLOURS = {"better": BLUE, "worse": ORANGE, "equivalent": GREEN, "not-worse": GREEN}


@chart("sequential")
@dataclass(frozen=True)
class SequentialChart:
    """One panel for each sequence: gains at the interim analyses, the band that holds the true gain, the decision."""

    def draw(self, result: Sequences) -> dict[str, Any]:
        """Panels below one another, of many sequences the first."""
        shown = result.sequences[:_MOST]
        left_out = len(result.sequences) - len(shown)
        level = ReportWriter(result, None).level(shown[0].alpha / result.alpha)
        band = f"Band: {level} confidence sequence, which holds at all interim analyses together"
        margin = "" if result.margin is None else f"; broken lines: the margin of {result.margin:g}"
        return {
            "title": title(
                _title(result, shown),
                f"{band}{margin}",
                f"{inflect(left_out, 'other sequence')} left out" if left_out else "",
            ),
            "vconcat": [_panel(result, sequence, alone=len(shown) == 1) for sequence in shown],
            "spacing": 18,
        }


def _title(result: Sequences, shown: tuple[Sequence, ...]) -> str:
    w = ReportWriter(result, None)
    decided = [s for s in shown if s.decided_at is not None]
    if len(shown) == 1 or not decided:
        return (
            result.describe_decision(shown[0], w)
            if len(shown) == 1
            else f"None of {len(shown)} sequences came to a decision"
        )
    first = min(decided, key=lambda s: s.decided_at or 0)
    return f"{len(decided)} of {len(shown)} decided; first: {result.describe_decision(first, w)}"


def _heading(result: Sequences, sequence: Sequence) -> str:
    """Which systems a panel is about, and by which metric where there are several."""
    several = len({s.metric for s in result.sequences}) > 1
    on = f" on {clean(sequence.metric)}" if several else ""
    return f"{clean(sequence.system)} against {clean(sequence.baseline)}{on}"


def _panel(result: Sequences, sequence: Sequence, *, alone: bool) -> dict[str, Any]:
    looks = [look for look in sequence.looks if look.n]
    x = {"field": "n", **axes.numbers(Axis(title="Items so far", scale="log"), [k.n for k in looks], grid=False)}
    gains = {"type": "quantitative", "axis": {"title": f"Gain in {clean(sequence.metric)}", "grid": True}}
    known = [{"n": k.n, "low": k.low, "high": k.high} for k in looks if k.low is not None]
    colour = _COLOURS.get(sequence.decision, FAINT)
    return {
        **({} if alone else {"title": {"text": _heading(result, sequence), "fontSize": 13}}),
        "width": WIDTH,
        "height": _HEIGHT,
        "layer": [
            {
                # between two analyses the sequence is no wider than at the first of them
                "data": {"values": known},
                "mark": {"type": "area", "orient": "vertical", "interpolate": "step-after", "opacity": 0.2},
                "encoding": {
                    "x": x,
                    "y": {"field": "low", **gains},
                    "y2": {"field": "high"},
                    "color": {"value": colour},
                },
            },
            *(_describe_across(gain, broken=bool(gain)) for gain in _levels(result)),
            *([_decision(sequence, x)] if sequence.decided_at else []),
            {
                "data": {"values": [_row(look) for look in looks]},
                "mark": {"type": "line", "strokeWidth": 2, "color": colour, "point": {"color": colour, "size": 46}},
                "encoding": {
                    "x": x,
                    "y": {"field": "gain", **gains},
                    "tooltip": [
                        {"field": "n", "title": "items"},
                        {"field": "numbers", "title": "gain"},
                        {"field": "p"},
                        {"field": "decision"},
                    ],
                },
            },
        ],
    }


def _levels(result: Sequences) -> list[float]:
    """The gains that a decision is about."""
    return [0.0] if result.margin is None else [0.0, -result.margin, result.margin]


def _describe_across(gain: float, *, broken: bool) -> dict[str, Any]:
    look = {"color": FAINT, "strokeDash": DASHES} if broken else {"color": INK, "strokeWidth": 1.2}
    return {
        "data": {"values": [{"gain": gain}]},
        "mark": {"type": "rule", **look},
        "encoding": {"y": {"field": "gain", "type": "quantitative"}},
    }


def _decision(sequence: Sequence, x: dict[str, Any]) -> dict[str, Any]:
    """A line where the decision fell, with its words."""
    late = sequence.decided_at and sequence.decided_at > sequence.looks[-1].n / 2
    side = {"align": "right", "dx": -5} if late else {"align": "left", "dx": 5}
    return {
        "data": {"values": [{"n": sequence.decided_at, "said": f"{sequence.decision} after {sequence.decided_at:,}"}]},
        "encoding": {"x": x},
        "layer": [
            {"mark": {"type": "rule", "color": FAINT, "strokeDash": DASHES}},
            {
                "mark": {"type": "text", "baseline": "top", "color": INK, "fontSize": 11, **side},
                "encoding": {"y": {"value": 3}, "text": {"field": "said"}},
            },
        ],
    }


def _row(look: InterimAnalysis) -> dict[str, Any]:
    ends = interval(None if look.low is None or look.high is None else (look.low, look.high), _PLACES, sign=True)
    return {
        "n": look.n,
        "gain": look.gain,
        "numbers": f"{to_fixed(look.gain, _PLACES, sign=True)} {ends}",
        "p": p_text(look.p_value),
        "decision": look.decision,
    }
