"""Tables and pictures of calibration across domains."""

from __future__ import annotations

from collections.abc import Sequence

from outscore.results.study import Axis, DataTable, Field, Figure, Layer, Value
from outscore.studies.shared.calibration_across import Across
from outscore.studies.shared.judging import find_lowest, proportion_fields

ANOTHER = "another domain"
_APART = 0.03  # how far intervals of several domains stand apart, in units of log10 p
_METRIC = Field(name="metric", title="Metric", kind="text")
_WHAT = Field(name="what", title="Sign on", kind="text")
_AT = Field(name="at", title="p", kind="p")
_LAW = Field(name="law", title="One domain", kind="share")
_ROUTES = (
    Field(name="source", title="p on", kind="text"),
    Field(name="target", title="Sign on", kind="text"),
    Field(name="tests", title="tests", kind="count"),
    Field(name="ties", title="ties", kind="count"),
    Field(name="right", title="Same sign", kind="share", low="low", high="high"),
    Field(name="low", title="low", kind="share"),
    Field(name="high", title="high", kind="share"),
    Field(name="law", title="One domain", kind="share"),
    Field(name="window", title="in the window", kind="count"),
    Field(name="right_window", title="Same sign there", kind="share"),
)


def tables_of(found: Sequence[Across]) -> tuple[DataTable, ...]:
    """For each metric: bins over all routes, each source as in the published table, the routes; and for pictures."""
    keys = (_METRIC, Field(name="source", title="p on", kind="text"), _WHAT)
    middle = Field(name="middle", title="Median p", kind="p")
    bins = [
        (one.stats.name, source, target, *row, _offset(one, target, row[-1]))
        for one in found
        for source, target in one.routes
        for row in one.rows([(source, target)])
    ]
    return (
        *(table for one in found for table in _printed(one)),
        _make_hidden(
            "bins",
            "All bins of all pairs of domains",
            (*keys, *proportion_fields("Same sign"), _LAW, middle, _AT),
            bins,
        ),
        _make_hidden(
            "together", "All bins", (_METRIC, _WHAT, *proportion_fields("Same sign"), _LAW, _AT), _pool(found)
        ),
    )


def _make_hidden(name: str, title: str, fields: tuple[Field, ...], rows: Sequence[tuple[Value, ...]]) -> DataTable:
    return DataTable(name=name, title=title, fields=fields, rows=tuple(rows), printed=False)


def _pool(found: Sequence[Across]) -> list[tuple[Value, ...]]:
    return [(one.stats.name, ANOTHER, *row) for one in found for row in one.rows(one.routes)]


def _offset(one: Across, target: str, middle: Value) -> float | None:
    """Where an interval is drawn, so that those of several targets do not cover each other."""
    if not isinstance(middle, float):
        return None
    names = list(one.parts)
    return middle * float(10.0 ** (_APART * (names.index(target) - (len(names) - 1) / 2)))


def _printed(one: Across) -> list[DataTable]:
    name, targets = one.stats.name, list(one.parts)
    together = DataTable(
        name=f"{name}, {ANOTHER}",
        title=f"Same sign on another domain, by p-value: {len(one.routes)} ordered pairs of domains{one.named}",
        fields=(*proportion_fields("Same sign"), _LAW),
        rows=tuple(row[:-1] for row in one.rows(one.routes)),
        about="A bin holds its lower end, not its upper one. The interval knows that tests share systems; Wilson's "
        "takes them for independent. A tie counts as half the same sign. One domain: were the target more items of the "
        "source; it is the law of the gains that suits the source best, and the sign on the target is luck too.",
    )
    routes = DataTable(
        name=f"{name}, routes",
        title=f"Each domain with each other one{one.named}",
        fields=_ROUTES,
        rows=tuple(one.route_row(*route) for route in one.routes),
        about=f"The window: {one.how.window}.",
    )
    return [together, *(_by_bin(one, source, targets) for source in one.found), routes]


def _by_bin(one: Across, source: str, targets: Sequence[str]) -> DataTable:
    """As in Berg-Kirkpatrick et al. 2012, Table 1: a row for each bin of p on the source, a column for each target."""
    others = [target for target in targets if target != source]
    columns = [one.estimate_proportions([(source, target)])[: len(one.how.bins)] for target in others]
    rows = [
        (one.how.bins.name(n), columns[0][n].n, *(column[n].right for column in columns))
        for n in range(len(one.how.bins))
    ]
    return DataTable(
        name=f"{one.stats.name}, from {source}",
        title=f"p on {source} against the same sign elsewhere{one.named}",
        fields=(
            Field(name="p", title=f"p on {source}", kind="text"),
            Field(name="tests", title="tests", kind="count"),
            *(Field(name=f"right_{n}", title=target, kind="share") for n, target in enumerate(others)),
        ),
        rows=tuple(rows),
        printed=len(one.found) == 1,
    )


def figure_of(one: Across, design: str) -> Figure:
    """p on a domain against the proportion of equal signs: on each other domain of one source, or on all together."""
    *_, window, _ = one.estimate_proportions(one.routes)
    said = one.predict(one.routes, one.how.low, one.how.high)
    single = len(one.found) == 1
    drawn = [row for routes in ([[r] for r in one.routes] if single else [one.routes]) for row in one.rows(routes)]
    table = "bins" if single else "together"
    title = "How often the sign on one domain is that on another"
    if window.right is not None and said is not None:
        title = f"At p ≈ {(one.how.low + one.how.high) / 2:g}, {window.right:.0%} of the signs are the same on another "
        title += f"domain; were it the same domain, {said:.0%}"
    on = f"p on {next(iter(one.found))}" if single else "p on a domain"
    return Figure(
        name=one.stats.name,
        title=title,
        subtitle=f"{design}\nBars: intervals over systems; broken line, through the bins: were both one domain",
        where=("metric", one.stats.name),
        x=Axis(
            title=f"{on} ({one.how.winner})",
            scale="log",
            domain=(one.least / 1.3, 1.0 if one.how.claim == "two-sided" else 0.55),
        ),
        y=Axis(title="Same sign on another domain", percent=True, domain=(find_lowest(row[4:6] for row in drawn), 1.0)),
        layers=(
            Layer(mark="line", table=table, x="at", y="law", colour="what", dashed=True),
            Layer(mark="interval", table=table, x="at", low="low", high="high", colour="what"),
            Layer(mark="point", table=table, x="at", y="right", colour="what"),
        ),
        colours=(ANOTHER, *one.parts),
    )
