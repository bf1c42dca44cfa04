"""The pictures that belong to a result, for its page."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.report.html.charts import Picture
from outscore.report.plots import chart_spec, charts_of
from outscore.results.pictures import Chart
from outscore.results.result import Result


def pictures_of(result: Result) -> Iterator[Picture]:
    """All pictures of a result, the main one first; those of one name together."""
    by_name: dict[str, list[Chart]] = {}
    for chart in charts_of(result):
        by_name.setdefault(chart.name or chart.heading, []).append(chart)
    for same in by_name.values():
        words = tuple(word for chart in same for word in chart.words)
        yield Picture(heading=same[0].heading, spec=chart_spec(same), words=words)
