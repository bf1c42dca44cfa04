"""Tables and pictures of calibration on resampled test sets."""

from __future__ import annotations

from collections.abc import Sequence

from outscore.results.study import Axis, DataTable, Field, Figure, Layer
from outscore.studies.shared.calibration_bootstrap import FLAT, NORMAL, OWN, BootstrapTestSets
from outscore.studies.shared.judging import RIGHT, find_lowest, proportion_fields

_FOUND = "tests"
_LAWS = (
    Field(name="normal", title="Normal", kind="share"),
    Field(name="own", title="Pool", kind="share"),
)
_POOL = (
    Field(name="metric", title="Metric", kind="text"),
    Field(name="size", title="Test set", kind="text"),
    Field(name="spread", title="Gains τ"),
    Field(name="error", title="Error σ"),
    Field(name="ratio", title="τ/σ"),
    Field(name="normal", title="Normal", kind="share"),
    Field(name="own", title="Pool", kind="share"),
    Field(name="halved", title="gains halved", kind="share"),
    Field(name="doubled", title="doubled", kind="share"),
)


def tables_of(found: Sequence[BootstrapTestSets]) -> tuple[DataTable, ...]:
    """Bins of every metric and size, the pools, and what pictures are drawn from."""
    printed = [_printed(one) for one in found]
    keys = (Field(name="metric", title="Metric", kind="text"), Field(name="size", title="Test set", kind="text"))
    middle, what = Field(name="middle", title="Median p", kind="p"), Field(name="what", title="What", kind="text")
    drawn = [(one.stats.name, one.where, *row, _FOUND) for one in found for row in one.rows()]
    curves = [(one.stats.name, one.where, *row) for one in found for row in one.curves()]
    at = (found[0].how.low + found[0].how.high) / 2
    pools = DataTable(
        name="pools",
        title=f"What the laws say of p = {at:g}",
        fields=_POOL,
        rows=tuple((one.stats.name, one.where, *one.pool_row()) for one in found),
        about="τ: root mean square of the true gains of all pairs. σ: standard error of a gain on such a test set, by "
        "the jackknife, the median of the pairs. The proportion of right signs is a property of the pool of systems: "
        "the same p says less where systems are more alike; were gains of any size alike, it would be 1 - p of the "
        "winner.",
    )
    return (
        *printed,
        pools,
        DataTable(
            name="bins", title="All bins", fields=(*keys, *proportion_fields(), *_LAWS, middle, what),
            rows=tuple(drawn), printed=False,
        ),
        DataTable(
            name="curves",
            title="The laws",
            fields=(*keys, what, Field(name="middle", title="p", kind="p"), RIGHT),
            rows=tuple(curves),
            printed=False,
        ),
    )  # fmt: skip


def _printed(one: BootstrapTestSets) -> DataTable:
    return DataTable(
        name=f"{one.stats.name}, {one.where}",
        title=f"Right signs by p-value {one.named}",
        fields=(*proportion_fields(), *_LAWS),
        rows=tuple(row[:-1] for row in one.rows()),
        about="A bin holds its lower end, not its upper one. The interval knows that tests share systems and test "
        "sets; Wilson's takes them for independent. A tie counts as half right. Normal, Pool: what the true gains "
        "imply, taken for normal with their spread, and as they are.",
    )


def figure_of(metric: str, found: Sequence[BootstrapTestSets], design: str) -> Figure:
    """p against the proportion of right signs under one metric, one panel for each size."""
    first = found[0]
    share, said = first.window.right, None if first.pool is None else first.pool.promise(first.how.low, first.how.high)
    title = "How often the system that scores higher is the better one"
    if share is not None and said is not None and said.right is not None:
        title = f"At p ≈ {(first.how.low + first.how.high) / 2:g} the sign is right in {share:.0%} of tests"
        title += f"; the law of this pool of systems: {said.right:.0%}"
    return Figure(
        name=metric,
        title=title,
        subtitle=f"{design}\nBars: intervals over systems and test sets",
        where=("metric", metric),
        facet="size" if len(found) > 1 else "",
        x=Axis(
            title=f"p ({first.how.winner})",
            scale="log",
            domain=(min(one.least for one in found) / 1.3, 1.0 if first.how.claim == "two-sided" else 0.55),
        ),
        y=Axis(
            title="Right sign", percent=True, domain=(find_lowest(row[4:6] for one in found for row in one.rows()), 1.0)
        ),
        layers=(
            Layer(mark="line", table="curves", x="middle", y="right", colour="what", dashed=True),
            Layer(mark="interval", table="bins", x="middle", low="low", high="high", colour="what"),
            Layer(mark="point", table="bins", x="middle", y="right", colour="what"),
        ),
        colours=(_FOUND, OWN, NORMAL, FLAT[first.how.claim]),
    )
