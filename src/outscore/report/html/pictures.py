"""Which pictures belong to a result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from outscore.report.html.charts import Picture
from outscore.report.plots import chart_spec, charts, charts_of, picture
from outscore.report.text import clean
from outscore.results import Figure, Findings, Leaderboard, Result
from outscore.results.pictures import Chart

_OF_RANKS = {"board": "Ranks that the systems can have", "wins": "Who beats whom", "ranks": "Mean ranks"}
_HEADINGS = {
    "agree": "Which labels stand beside which",
    "confusion": "Which labels are taken for which",
    "correlate": "Metrics against human judgments",
    "curve": "Curves over all thresholds",
    "judge": "Scores with the judge's help",
    "power": "Power by size",
    "ppv": "Predictive value of a significant result",
    "replicate": "Gains on the data sets",
    "score": "Scores with their intervals",
    "sequential": "Item by item",
}


def pictures_of(result: Result) -> Iterator[Picture]:
    """All pictures of a result, the main one first; none where there are none of its kind."""
    by_name: dict[str, list[Chart]] = {}
    for chart in charts_of(result):
        by_name.setdefault(chart.name or chart.heading, []).append(chart)
    for same in by_name.values():
        words = tuple(word for chart in same for word in chart.words)
        yield Picture(heading=same[0].heading, spec=chart_spec(same), words=words)
    if by_name or result.command not in charts.names():
        return
    if isinstance(result, Findings):
        axes = Counter(map(_axes, result.figures))
        for figure in result.figures:
            alike = f": {clean(figure.name)}" if axes[_axes(figure)] > 1 else ""
            words = (clean(line) for line in (figure.title, *figure.subtitle.split("\n")) if line)
            spec = picture(result, figure=figure.name)
            yield Picture(heading=f"{_axes(figure)}{alike}", spec=spec, words=tuple(words))
        return
    if isinstance(result, Leaderboard):
        for name, heading in _OF_RANKS.items():
            if name != "ranks" or result.mean_ranks:
                yield Picture(heading=heading, spec=picture(result, figure=name))
        return
    yield Picture(heading=_HEADINGS.get(result.command, "In one picture"), spec=picture(result))


def _axes(figure: Figure) -> str:
    """``Gain by runs of each system``, or the one axis that has a title; else the name of the picture."""
    up, along = figure.y, figure.x
    if up.scale == "names":
        up, along = along, up
    first, second = clean(up.title), clean(along.title)
    # a word of capitals stays one
    second = second if second[:2].isupper() else second[:1].lower() + second[1:]
    said = " by ".join(part for part in (first, second) if part) or clean(figure.name)
    # p stays small
    return said if said[1:2] == " " else said[:1].upper() + said[1:]
