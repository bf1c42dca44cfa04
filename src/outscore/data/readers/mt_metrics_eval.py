"""Score files of the WMT metrics task, as mt-metrics-eval keeps them."""

from __future__ import annotations

import math
import re
from pathlib import Path, PurePath
from typing import ClassVar

import numpy as np

from outscore.base.errors import InputError
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.columns import number
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.run import Run
from outscore.data.source import Source, drop_trailing_blank, open_source, unpacked_name

LEVELS = ("sys", "domain", "doc", "seg")
_PAIR = r"[a-z]{2,3}(?:_[A-Za-z]+)?-[a-z]{2,3}(?:_[A-Za-z]+)?"
_HUMAN = re.compile(rf"({_PAIR})\.(.+)")


@reader("mt-metrics-eval")
@dataclass(frozen=True)
class MtMetricsEval(Reader):
    """A block of lines ``SYSTEM SCORE`` for each system; ``None`` is a missing score. Items go by position.

    The file name says the metric, which names the column, and the level: segments, documents, or domains with lines
    ``DOMAIN SYSTEM SCORE``. Where the data set has a file of documents, segments are labelled with ``domain`` and
    ``cluster`` (their document), and documents with ``domain``.
    """

    description: ClassVar[str] = "mt-metrics-eval: NAME-REF.seg.score, SRC-TGT.NAME.seg.score"
    example: ClassVar[str] = "Online-A 0.8132\nOnline-A 0.7751\nOnline-B 0.8011\nOnline-B None\n"
    priority: ClassVar[int] = 25
    roles: ClassVar[tuple[Role, ...]] = ("system",)

    def sniff(self, head: Sniffed) -> bool:
        rows = [line.split() for line in head.lines]
        fitting = [len(row) in (2, 3) and number(row[-1]) is not None and number(row[0]) is None for row in rows]
        return head.suffix == ".score" and 2 * sum(fitting) > len(fitting)

    def read(self, source: Source, context: Context) -> Content:
        rows = [line.split() for line in drop_trailing_blank(source.lines())]
        name = _Name.of(context.file)
        width = 3 if name.level == "domain" or (name.level == "" and len(rows[0]) == 3) else 2
        blocks: dict[str, dict[str, float]] = {}
        for i, row in enumerate(rows):
            value = number(row[-1]) if len(row) == width else None
            if value is None:
                raise InputError(
                    f"found {' '.join(row)[:60]!r}, expected {'DOMAIN ' * (width == 3)}SYSTEM SCORE",
                    file=context.file,
                    line=i + 1,
                    remedy="write two words and the number or None" if width == 3 else "write a name and a number",
                )
            block = blocks.setdefault(row[-2], {})
            item = row[0] if width == 3 else str(len(block) + 1)
            if item in block:
                raise InputError(
                    f"{row[-2]!r} has a second score for {item!r}",
                    file=context.file,
                    line=i + 1,
                    remedy="give each once",
                )
            block[item] = value
        items = tuple(dict.fromkeys(item for block in blocks.values() for item in block))
        if name.level == "sys" or len(items) == 1:
            raise InputError(
                "holds one score for each system: there are no items to compare on",
                file=context.file,
                remedy="give the scores of segments (.seg.score) or documents (.doc.score)",
            )
        short = next((system for system, block in blocks.items() if len(block) < len(items)), None)
        if short is not None:
            raise InputError(
                f"{short!r} has {len(blocks[short])} scores, expected {len(items)} as for others",
                file=context.file,
                remedy="give every system a score for every item, None where it is missing",
            )
        labels = _labels(name, context.file, len(items))
        scored = {system: block for system, block in blocks.items() if not all(map(math.isnan, block.values()))}
        notes = tuple(_note_unscored(system) for system in blocks if system not in scored)
        runs = [
            Run(
                system=context.system if context.system and len(blocks) == 1 else system,
                run=context.run or "1",
                ids=items if width == 3 else None,
                columns={name.metric: np.array([block[item] for item in items])},
                labels=labels,
                notes=notes,
                source=context.source(self.name, len(items)),
            )
            for system, block in (scored or blocks).items()
        ]
        return Content(runs=tuple(runs))


@dataclass(frozen=True)
class _Name:
    """The parts of the name of a score file: the metric (else ``score``), the level, the language pair."""

    metric: str
    level: str
    pair: str

    @classmethod
    def of(cls, file: str) -> _Name:
        path = PurePath(file)
        stem, _, level = unpacked_name(path.name).removesuffix(".score").rpartition(".")
        if level not in LEVELS:
            return cls("score", "", "")
        human = _HUMAN.fullmatch(stem)
        if human:
            return cls(human[2], level, human[1])
        return cls(stem.rpartition("-")[0] or stem, level, path.parent.name)


def _labels(name: _Name, file: str, n: int) -> dict[str, tuple[str, ...]]:
    """Domain and document of the items, from ``documents/SRC-TGT.docs`` of the data set, if it is there."""
    places = (Path(file).parent.parent, Path(file).parent.parent.parent)
    docs = next((d for p in places if (d := p / "documents" / f"{name.pair}.docs").is_file()), None)
    if docs is None or name.level not in ("seg", "doc") or not name.pair:
        return {}
    rows = [line.split() for line in drop_trailing_blank(open_source(str(docs)).lines())]
    bad = next((i for i, row in enumerate(rows) if len(row) != 2), None)
    if bad is not None:
        raise InputError("expected DOMAIN DOCUMENT", file=str(docs), line=bad + 1, remedy="write two words")
    if name.level == "doc":
        rows = list({row[1]: row for row in reversed(rows)}.values())[::-1]
    if len(rows) != n:
        raise InputError(
            f"describes {len(rows)} items, but {file} has {n}", file=str(docs), remedy="give files of one test set"
        )
    domain, document = (tuple(column) for column in zip(*rows, strict=True))
    return {"domain": domain, "cluster": document} if name.level == "seg" else {"domain": domain}


def _note_unscored(system: str) -> Note:
    return Note(code="system_without_scores", text=f"{system!r} was left out: the file has no score of it")
