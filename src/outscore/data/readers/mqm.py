"""MQM ratings of translations as Google and WMT publish them: an error a line, with its category and severity."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from outscore.base.errors import join
from outscore.base.lazy import dataclass
from outscore.data.columns import ColumnTable, texts
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.readers.table import grid_of
from outscore.data.run import Run
from outscore.data.source import Source

_NEEDED = ("system", "rater", "category", "severity")
_SEGMENTS = ("globalsegid", "global_seg_id", "seg_id", "docsegid", "doc_seg_id")
_DOCUMENTS = ("doc", "document", "docid")


@reader("mqm")
@dataclass(frozen=True)
class MqmRatings(Reader):
    """The column ``mqm``: points of errors of a segment, lower is better, by the scheme of Freitag et al. (2021).

    Points are summed for each rater, and averaged over the raters of a segment. The document is the label ``cluster``.

    Args:
        major: points of a major error.
        minor: points of a minor one.
        punctuation: points of a minor one of the category Fluency/Punctuation.
        untranslated: points of the category Non-translation.
        critical: points of a critical error, for schemes that have it; by default there is none.
    """

    description: ClassVar[str] = "MQM ratings: system, doc, seg_id, rater, category, severity, an error a line"
    example: ClassVar[str] = (
        "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
        "A\td1\t1\t1\tr1\tJa\tNo\tAccuracy/Mistranslation\tMajor\nB\td1\t1\t1\tr1\tJa\tYes\tno-error\tno-error\n"
    )
    priority: ClassVar[int] = 14
    roles: ClassVar[tuple[Role, ...]] = ("system",)
    metric: ClassVar[str] = "mean:column=mqm"

    major: float = 5.0
    minor: float = 1.0
    punctuation: float = 0.1
    untranslated: float = 25.0
    critical: float | None = None

    def sniff(self, head: Sniffed) -> bool:
        header = {cell.strip().lower() for cell in head.lines[0].split("\t")} if head.lines else set()
        return header.issuperset(_NEEDED) and not header.isdisjoint(_SEGMENTS)

    def read(self, source: Source, context: Context) -> Content:
        grid = grid_of(source, self.name)
        named = {name.lower(): name for name in grid.columns}
        segments = [name for name in _SEGMENTS if name in named]
        if lacking := [*(name for name in _NEEDED if name not in named), *(() if segments else ("seg_id",))]:
            said = f"no column {join(lacking)}; found {join(grid.columns)}"
            raise grid.error(said, remedy="give the file with its header, as it was published")
        document = next((texts(grid.columns[named[name]]) for name in _DOCUMENTS if name in named), [""] * grid.n)
        segment = texts(grid.columns[named[segments[0]]])
        system, rater = (texts(grid.columns[named[name]]) for name in ("system", "rater"))
        points: dict[str, dict[tuple[str, str], dict[str, float]]] = {}
        for row in range(grid.n):
            item = (document[row], segment[row])
            of_raters = points.setdefault(system[row], {}).setdefault(item, {})
            of_raters[rater[row]] = of_raters.get(rater[row], 0.0) + self._points(grid, named, row)
        runs = []
        for name, items in points.items():
            ids = tuple("/".join(filter(None, item)) for item in items)
            runs.append(
                Run(
                    system=context.system if context.system and len(points) == 1 else name,
                    run=context.run or "1",
                    ids=ids,
                    columns={"mqm": np.array([np.mean(list(of.values())) for of in items.values()])},
                    labels={"cluster": tuple(of for of, _ in items)} if any(document) else {},
                    source=context.source(self.name, len(ids)),
                )
            )
        return Content(runs=tuple(runs))

    def _points(self, grid: ColumnTable, named: dict[str, str], row: int) -> float:
        severity, category = (str(grid.columns[named[name]][row]).strip().lower() for name in ("severity", "category"))
        if category.startswith("non-translation") and severity not in ("no-error", "neutral"):
            return self.untranslated
        if severity == "minor" and category.startswith("fluency/punctuation"):
            return self.punctuation
        known = {"no-error": 0.0, "neutral": 0.0, "minor": self.minor, "major": self.major}
        known |= {} if self.critical is None else {"critical": self.critical}
        if severity not in known:
            raise grid.error(
                f"the severity is {severity!r}, expected one of {join(known)}",
                row,
                "say what a critical error costs: --reader mqm:critical=25" if severity == "critical" else "mend it",
            )
        return known[severity]
