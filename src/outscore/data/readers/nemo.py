"""Manifests of NVIDIA NeMo and of the Open ASR Leaderboard: audio files with what was said and what was understood."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from outscore.base.lazy import dataclass
from outscore.data.documents import Node, parse_lines
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.run import Gold, Run
from outscore.data.source import Source

_AUDIO, _SAID, _UNDERSTOOD = "audio_filepath", "text", "pred_text"


@reader("nemo")
@dataclass(frozen=True)
class Nemo(Reader):
    """A line for each utterance: ``pred_text`` is the output, ``text`` the reference, ``duration`` describes the item.

    The audio file names the utterance, with ``offset`` where one file holds several. A manifest without ``pred_text``
    is one of references.
    """

    description: ClassVar[str] = "manifests of NeMo and the Open ASR Leaderboard: audio_filepath, text, pred_text"
    example: ClassVar[str] = (
        '{"audio_filepath": "84-0.wav", "duration": 3.2, "text": "he hoped", "pred_text": "he hopped"}\n'
        '{"audio_filepath": "84-1.wav", "duration": 1.9, "text": "stuff it", "pred_text": "stuff it"}\n'
    )
    priority: ClassVar[int] = 6
    roles: ClassVar[tuple[Role, ...]] = ("system", "reference")
    metric: ClassVar[str] = "wer"

    def sniff(self, head: Sniffed) -> bool:
        return any({_AUDIO, _SAID} <= _keys(line) or {_AUDIO, _UNDERSTOOD} <= _keys(line) for line in head.lines[:20])

    def read(self, source: Source, context: Context) -> Content:
        rows = parse_lines(source)
        ids = _ids(rows)
        origin = context.source(self.name, len(rows))
        references = _texts(rows, _SAID)
        labels = {"duration": tuple(_number(row.get("duration")) for row in rows)}
        labels = {name: cells for name, cells in labels.items() if any(cells)}
        if context.role == "reference" or not any(_UNDERSTOOD in row.value for row in rows):
            if references is None:
                raise rows[0].error(f"has no {_SAID!r}, expected what was said", "give it in every line")
            return Content(golds=(Gold(ids=ids, references=(references,), labels=labels, source=origin),))
        outputs = _texts(rows, _UNDERSTOOD)
        assert outputs is not None
        run = Run(
            system=context.system or context.stem,
            run=context.run or "1",
            ids=ids,
            outputs=outputs,
            references=() if references is None else (references,),
            labels=labels,
            source=origin,
        )
        return Content(runs=(run,))


def _keys(line: str) -> set[str]:
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError):
        return set()
    return set(value) if isinstance(value, dict) else set()


def _ids(rows: list[Node]) -> tuple[str, ...]:
    seen: dict[str, Node] = {}
    for row in rows:
        audio, offset = row.get(_AUDIO), row.get("offset")
        if audio.missing:
            raise row.error(f"has no {_AUDIO!r}, expected the file of the utterance", "mend the line")
        name = audio.text() if not offset.value else f"{audio.text()}@{offset.number():g}"
        before = seen.setdefault(name, row)
        if before is not row:
            raise row.error(f"{name!r} was already in line {before.line}", "keep one of the two")
    return tuple(seen)


def _texts(rows: list[Node], key: str) -> tuple[str, ...] | None:
    """The texts under a key in all rows; None where no row has it."""
    if not any(key in row.value for row in rows):
        return None
    for row in rows:
        if key not in row.value:
            raise row.error(f"has no {key!r}, which other lines have", "give it in every line")
    return tuple("" if (cell := row.get(key)).missing else cell.text() for row in rows)


def _number(cell: Node) -> str:
    return "" if cell.missing else f"{cell.number():g}"
