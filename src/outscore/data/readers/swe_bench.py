"""SWE-bench: which issues a model resolved, from the report of a run or of one instance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

import numpy as np

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.documents import Node, beginning, parse
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.run import Run
from outscore.data.source import Source

_COUNTED = {
    "incomplete": "without a prediction",
    "empty_patch": "with an empty patch",
    "error": "that ended in an error",
}


@reader("swe-bench")
@dataclass(frozen=True)
class SweBench(Reader):
    """``<model>.<run_id>.json``, or ``report.json`` of one instance; the column is ``resolved``, 0 or 1.

    Instances come from repositories, so the repository is the label ``cluster``. The system is named after the file,
    because model and run id cannot be told apart in it.

    Args:
        items: the denominator. ``total``: every instance of the data set, those without a prediction, with an empty
            patch or with an error count as unresolved; ``submitted``: every instance with a prediction; ``completed``:
            those whose tests were run.
    """

    description: ClassVar[str] = "SWE-bench: the report <model>.<run_id>.json of a run"
    example: ClassVar[str] = (
        '{"total_instances": 2, "submitted_ids": ["a__b-1", "a__b-2"], "completed_ids": ["a__b-1", "a__b-2"], '
        '"incomplete_ids": [], "empty_patch_ids": [], "resolved_ids": ["a__b-1"], "unresolved_ids": ["a__b-2"], '
        '"error_ids": [], "schema_version": 2}\n'
    )
    priority: ClassVar[int] = 4
    roles: ClassVar[tuple[Role, ...]] = ("system",)

    items: Literal["total", "submitted", "completed"] = "total"

    def sniff(self, head: Sniffed) -> bool:
        value, _ = beginning("\n".join(head.lines))
        if not isinstance(value, dict) or not value:
            return False
        first = next(iter(value.values()))
        return {"total_instances", "submitted_instances"} <= value.keys() or (
            {"resolved_ids", "submitted_ids"} <= value.keys() or (isinstance(first, dict) and "patch_exists" in first)
        )

    def read(self, source: Source, context: Context) -> Content:
        document = parse(source.text, context.file)
        notes: tuple[Note, ...] = ()
        part = ""
        if document.get("resolved_ids").missing:
            resolved = {id_: report.get("resolved").number() for id_, report in document.fields().items()}
            part = next(iter(resolved)) if len(resolved) == 1 else ""
        else:
            resolved, notes = _run_report(document, self.items)
        if not resolved:
            raise document.error("holds no instance", "check that the evaluation was run")
        run = Run(
            system=context.system or context.stem,
            run=context.run or "1",
            ids=tuple(resolved),
            columns={"resolved": np.array(list(resolved.values()))},
            labels={"cluster": tuple(id_.rpartition("-")[0] or id_ for id_ in resolved)},
            part=part,
            notes=notes,
            source=context.source(self.name, len(resolved)),
        )
        return Content(runs=(run,))


def _run_report(document: Node, items: str) -> tuple[dict[str, float], tuple[Note, ...]]:
    kinds = ("completed", "resolved", "unresolved", "empty_patch", "error", "incomplete", "submitted")
    ids = {kind: _ids(document.get(f"{kind}_ids")) for kind in kinds}
    both = sorted(ids["resolved"] & ids["unresolved"])
    if both:
        raise document.error(
            f"{inflect(len(both), 'instance')} both in resolved_ids and in unresolved_ids, first {both[0]!r}",
            "give the report of one run",
        )
    ran = ids["resolved"] | ids["unresolved"]
    if items == "total":
        chosen = ran | ids["completed"] | ids["empty_patch"] | ids["error"] | ids["incomplete"]
        total = document.get("total_instances").number()
        if len(chosen) != total:
            raise document.error(
                f"total_instances is {total:g}, but {inflect(len(chosen), 'instance')} are listed",
                "read those that were submitted with --reader swe-bench:items=submitted",
            )
    else:
        chosen = ids["submitted"] if items == "submitted" else ran
    return {id_: float(id_ in ids["resolved"]) for id_ in sorted(chosen)}, _notes(document.file, ids, chosen)


def _ids(node: Node) -> set[str]:
    return set() if node.missing else {one.text() for one in node.items()}


def _notes(file: str, ids: Mapping[str, set[str]], chosen: set[str]) -> tuple[Note, ...]:
    counts = {what: len(ids[kind] & chosen) for kind, what in _COUNTED.items()}
    found = [f"{n} {what}" for what, n in counts.items() if n]
    if not found:
        return ()
    return (
        Note(
            code="counted_as_unresolved",
            text=f"{file}: counted as unresolved although no tests were run: {', '.join(found)}",
            remedy="compare those that were run with --reader swe-bench:items=completed --missing drop",
        ),
    )
