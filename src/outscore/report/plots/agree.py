"""Labels of annotators against each other, as shaded squares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from outscore.base.errors import UsageError
from outscore.report.numbers import interval, level, to_fixed
from outscore.report.plots import chart
from outscore.report.plots.theme import INK, SKY, title
from outscore.report.text import clean
from outscore.results import Agreement

_CELL = 52


@chart("agree")
@dataclass(frozen=True)
class AgreementChart:
    """Which labels stand beside which, shaded by the proportion of the row."""

    def draw(self, result: Agreement) -> dict[str, Any]:
        """One square for every two labels.

        Raises:
            UsageError: there are too many labels for a picture.
        """
        if not result.coincidences:
            raise UsageError(f"there is no picture of {len(result.labels)} labels; leave out --plot")
        names = [clean(label.label) for label in result.labels]
        rows = [
            {"one": one, "other": other, "pairs": value, "share": value / sum(values) if sum(values) else 0.0}
            for one, values in zip(names, result.coincidences, strict=True)
            for other, value in zip(names, values, strict=True)
        ]
        two = result.n_annotators == 2 and not result.exchangeable
        first, second = (clean(a.annotator) for a in result.annotators) if two else ("One annotator", "Another")
        ends = {"type": "nominal", "sort": names}
        return {
            "title": title(
                _finding(result),
                _coefficient(result),
                clean(result.describe_coincidences()),
                "shade is the proportion of the row",
            ),
            "data": {"values": rows},
            "width": {"step": _CELL},
            "height": {"step": _CELL},
            "encoding": {
                "x": {"field": "other", **ends, "axis": {"title": second, "labelAngle": -40}},
                "y": {"field": "one", **ends, "axis": {"title": first}},
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
                        "text": {"field": "pairs", "type": "quantitative", "format": ",.0f"},
                        "color": {"value": INK},
                    },
                },
            ],
        }


def _finding(result: Agreement) -> str:
    confused = result.most_confused
    if confused is None:
        return "No two labels of a unit differ"
    return f"Most often confused: {clean(confused[0])} and {clean(confused[1])}"


def _coefficient(result: Agreement) -> str:
    """The first coefficient that corrects for chance, with its interval."""
    whole = [c for c in result.coefficients if not c.domain]
    found = next((c for c in whole if not c.coefficient.startswith("percent")), whole[0])
    ends = f", {level(result.alpha)} CI {interval(found.ci, 2)}" if found.ci is not None else ""
    return f"{found.title} = {to_fixed(found.value, 2)}{ends}"
