"""Confusion matrices as shaded squares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from outscore.report.plots import chart
from outscore.report.plots.theme import INK, SKY, title
from outscore.report.text import clean
from outscore.results import Confusion, Matrix

_CELL = 44


@chart("confusion")
@dataclass(frozen=True)
class ConfusionChart:
    """Gold labels by predicted labels, shaded by the proportion of the gold label."""

    def draw(self, confusion: Confusion) -> dict[str, Any]:
        """One panel for each system and run."""
        panels = [_panel(confusion.classes, matrix) for matrix in confusion.matrices]
        return {
            "title": title(
                "Which labels are taken for which", "numbers are items; shade is the proportion of the gold row"
            ),
            "hconcat": panels,
            "spacing": 24,
        }


def _panel(classes: tuple[str, ...], matrix: Matrix) -> dict[str, Any]:
    rows = []
    for gold, counts in zip(classes, matrix.counts, strict=True):
        total = sum(counts)
        rows += [
            {"gold": clean(gold), "predicted": clean(name), "items": count, "share": count / total if total else 0.0}
            for name, count in zip(classes, counts, strict=True)
        ]
    names = [clean(name) for name in classes]
    ends = {"type": "nominal", "sort": names}
    return {
        "title": {"text": clean(matrix.system), "fontSize": 13},
        "data": {"values": rows},
        "width": {"step": _CELL},
        "height": {"step": _CELL},
        "encoding": {
            "x": {"field": "predicted", **ends, "axis": {"title": "Predicted", "labelAngle": -40}},
            "y": {"field": "gold", **ends, "axis": {"title": "Gold"}},
        },
        "layer": [
            {
                "mark": "rect",
                "encoding": {
                    "color": {
                        "field": "share",
                        "type": "quantitative",
                        "scale": {"domain": [0, 1], "range": ["#ffffff", SKY], "interpolate": "rgb"},
                        "legend": {"title": "proportion", "format": "%"},
                    }
                },
            },
            {
                "mark": {"type": "text"},
                "encoding": {
                    "text": {"field": "items", "type": "quantitative"},
                    "color": {"value": INK},
                },
            },
        ],
    }
