"""MTEB: the result of one task, TASK.json in the folder of a revision of a model."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from outscore.base.errors import join
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.documents import Node, beginning, parse
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.run import Run
from outscore.data.source import Source, open_source

_META = "model_meta.json"
_REVISION = re.compile(r"[0-9a-f]{7,64}|no_revision_available|no_revision_specified|external")
_ARE_TASKS = Note(
    code="tasks_as_items",
    text="each item is a task of MTEB with its main_score (or a subset of one): n counts tasks, and what is found of "
    "them holds for tasks like these, whose own items are not in the files",
    remedy="where related tasks are no independent draws, judge few by ranks: outscore replicate FILES --set item",
)


@reader("mteb")
@dataclass(frozen=True)
class Mteb(Reader):
    """``MODEL/REVISION/TASK.json`` as ``mteb run`` writes it: an item for each task, or subset of one; ``main_score``.

    The subsets of a task, as its languages, are one cluster. The model is that of ``model_meta.json`` beside the file,
    else the folder; that file itself holds no scores.

    Args:
        split: the split to read; by default ``test``, or the only one; else each is an item.
    """

    description: ClassVar[str] = "MTEB: MODEL/REVISION/TASK.json, each task an item with its main_score"
    example: ClassVar[str] = (
        '{"dataset_revision": "1", "task_name": "Banking77", "mteb_version": "2.0.0", '
        '"scores": {"test": [{"main_score": 0.8, "hf_subset": "default", "languages": ["eng-Latn"]}]}}\n'
    )
    priority: ClassVar[int] = 5
    roles: ClassVar[tuple[Role, ...]] = ("system",)

    split: str = ""

    def sniff(self, head: Sniffed) -> bool:
        value, _ = beginning("\n".join(head.lines))
        return isinstance(value, dict) and (_is_meta(head.file, value) or {"mteb_version", "task_name"} <= value.keys())

    def read(self, source: Source, context: Context) -> Content:
        document = parse(source.text, context.file)
        if _is_meta(context.file, document.value):
            said = Note(code="gold_file", text=f"{_META} describes the model and holds no scores: it was not read")
            return Content(notes=(said,))
        task = document.get("task_name").text()
        splits = document.get("scores").fields()
        chosen, notes = self._splits(splits, document)
        found: dict[str, float] = {}
        for name in chosen:
            rows = splits[name].items()
            for row in rows:
                subset = row.get("hf_subset")
                names = [task, *([name] if len(chosen) > 1 else [])]
                names += [] if len(rows) == 1 or subset.missing else [subset.text()]
                if "/".join(names) in found:
                    raise row.error(f"{'/'.join(names)!r} is there twice", "keep one of the two")
                found["/".join(names)] = row.get("main_score").number()
        if not found:
            raise document.error("holds no score", "check that the evaluation of the task was run")
        model, revision = _model(Path(context.file))
        run = Run(
            system=context.system or model or context.stem,
            run=context.run or "1",
            ids=tuple(found),
            columns={"main_score": np.array(list(found.values()))},
            labels={"cluster": (task,) * len(found)} if len(found) > 1 else {},
            part=task,
            made_by=(model, revision),
            notes=(_ARE_TASKS, *notes),
            source=context.source(self.name, len(found)),
        )
        return Content(runs=(run,))

    def _splits(self, splits: dict[str, Node], document: Node) -> tuple[list[str], tuple[Note, ...]]:
        """The splits to read, and what is said of the others."""
        if self.split and self.split not in splits:
            raise document.error(
                f"nothing is in the split {self.split!r}; the file has {join(splits) or 'no split'}",
                "name another with --reader mteb:split=NAME",
            )
        chosen = [self.split] if self.split else ["test"] if "test" in splits else list(splits)
        others = [name for name in splits if name not in chosen]
        if not others:
            return chosen, ()
        note = Note(
            code="split_left_out",
            text=f"only the split {chosen[0]!r} was read, the file also has {join(others)}",
            remedy=f"read another with --reader mteb:split={others[0]}",
        )
        return chosen, (note,)


def _is_meta(file: str, value: Any) -> bool:
    """Whether a file is what MTEB writes of a model beside the results."""
    return Path(file).name == _META and isinstance(value, dict) and "revision" in value and "scores" not in value


def _model(file: Path) -> tuple[str, str]:
    """The model of a result and its revision: of the description beside it, else of the names of its folders."""
    folder, beside = file.parent, file.parent / _META
    revision = folder.name if _REVISION.fullmatch(folder.name) else ""
    if beside.is_file():
        name = parse(open_source(str(beside)).text, str(beside)).get("name")
        if not name.missing and name.value:
            return name.text(), revision
    return (folder.parent.name if revision else folder.name), revision
