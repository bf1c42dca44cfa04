"""The predictive value by alpha, as in Søgaard et al. 2014, Figure 7."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from outscore.report.numbers import to_fixed
from outscore.report.plots import chart
from outscore.report.plots.theme import BLUE, FAINT, GREEN, INK, ORANGE, WIDTH, title
from outscore.report.writer import ReportWriter
from outscore.results import PredictiveValue

_HEIGHT = 280
_NAMES = {"ppv": "no bias, one team", "ppv_bias": "with bias {}", "ppv_teams": "with {} teams"}


@chart("ppv")
@dataclass(frozen=True)
class PredictiveValueChart:
    """The predictive value of a significant result by alpha, on a logarithmic scale; the cut-off for the wanted one."""

    def draw(self, found: PredictiveValue) -> dict[str, Any]:
        """One line for each setting."""
        names = {
            "ppv": _NAMES["ppv"],
            "ppv_bias": _NAMES["ppv_bias"].format(found.bias),
            "ppv_teams": _NAMES["ppv_teams"].format(found.teams),
        }
        rows = [
            {"alpha": point.alpha, "value": value, "setting": names[key]}
            for point in found.curve
            for key, value in (("ppv", point.ppv), ("ppv_bias", point.ppv_bias), ("ppv_teams", point.ppv_teams))
            if value is not None
        ]
        x = {
            "field": "alpha",
            "type": "quantitative",
            "scale": {"type": "log", "nice": False},
            "axis": {"title": "Alpha", "values": [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1], "format": "~g"},
        }
        y = {
            "field": "value",
            "type": "quantitative",
            "scale": {"domain": [0, 1]},
            "axis": {"title": "Probability that a significant result is true", "format": "%"},
        }
        plain, w = found.worth[0], ReportWriter(found, None)
        return {
            "title": title(
                f"At alpha {found.alpha:g}, {to_fixed(100 * plain.ppv, 0)} in 100 significant results are true",
                f"R = {found.odds:g} ({found.describe_odds(w)}), power {found.power:g}; odds, not a probability",
                f"the cut-off for {100 * found.wanted:g} in 100 is {w.number(plain.cutoff, 4)}",
            ),
            "width": WIDTH,
            "height": _HEIGHT,
            "data": {"values": rows},
            "layer": [
                _rule({"value": plain.ppv}, {"y": y}),
                *([_rule({"alpha": plain.cutoff}, {"x": x})] if _is_drawn(found, plain.cutoff) else []),
                {
                    "mark": {"type": "line", "strokeWidth": 2},
                    "encoding": {
                        "x": x,
                        "y": y,
                        "color": {
                            "field": "setting",
                            "type": "nominal",
                            "scale": {"domain": list(names.values()), "range": [BLUE, ORANGE, GREEN]},
                            "legend": None,
                        },
                    },
                },
                {
                    "mark": {"type": "text", "align": "left", "dx": 6, "color": INK},
                    "data": {"values": _ends(rows)},
                    "encoding": {"x": {"value": WIDTH}, "y": y, "text": {"field": "setting"}},
                },
            ],
        }


def _is_drawn(found: PredictiveValue, cutoff: float | None) -> bool:
    return cutoff is not None and found.curve[-1].alpha <= cutoff <= found.curve[0].alpha and math.isfinite(cutoff)


def _rule(at: dict[str, Any], encoding: dict[str, Any]) -> dict[str, Any]:
    return {
        "mark": {"type": "rule", "color": FAINT, "strokeDash": [5, 4]},
        "data": {"values": [at]},
        "encoding": encoding,
    }


def _ends(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The point of each line at the largest alpha, where its name stands."""
    largest = max(row["alpha"] for row in rows)
    return [row for row in rows if row["alpha"] == largest]
