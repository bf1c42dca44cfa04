"""Output of comet-score, printed or written by --to_json: a score for each segment."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from outscore.base.errors import InputError
from outscore.base.lazy import dataclass
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.run import Questions, Run
from outscore.data.source import Source
from outscore.data.specs import stems

_SEGMENT = re.compile(r"(?:(.+)\t)?Segment (\d{1,9})((?:\t\w+: \S+)+)")
_BEGUN = re.compile(r"(?:.+\t)?Segment \d+\t")
_VALUE = re.compile(r"\t(\w+): (\S+)")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_JSON = re.compile(r'\s*(?:\[|\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[)\s*\{.*?"(?:mt|COMET)"\s*:', re.S)


@reader("comet")
@dataclass(frozen=True)
class Comet(Reader):
    """Segment scores of one or more systems, by position; as JSON with the outputs and references.

    They become the column ``comet``, and further numbers columns of their own names. A system is named after the file
    that was scored. Scores of whole systems are passed over.
    """

    description: ClassVar[str] = "COMET: what comet-score prints, or writes with --to_json"
    example: ClassVar[str] = (
        "hyp1.en\tSegment 0\tscore: 0.9822\nhyp2.en\tSegment 0\tscore: 0.9599\nhyp1.en\tscore: 0.9822\n"
    )
    priority: ClassVar[int] = 5
    roles: ClassVar[tuple[Role, ...]] = ("system",)
    metric: ClassVar[str] = "mean:column=comet"

    def sniff(self, head: Sniffed) -> bool:
        if head.lines and head.lines[0].lstrip()[:1] in ("{", "["):
            return _JSON.match("\n".join(head.lines)) is not None
        return any(_BEGUN.match(line) for line in head.lines)

    def read(self, source: Source, context: Context) -> Content:
        if source.text.lstrip()[:1] in ("{", "["):
            systems = _objects(source.text, context.file)
        else:
            systems = _parse_segments(source.lines(), context.file)
        own = stems([file or context.stem for file in systems])
        names = [context.system] if context.system and len(own) == 1 else own
        runs = []
        for name, (file, segments) in zip(names, systems.items(), strict=True):
            keys = [key for key in segments[0] if all(_is_number(segment.get(key)) for segment in segments)]
            if not keys:
                raise InputError(
                    f"the segments of {file or name!r} have no number in common",
                    file=context.file,
                    remedy="give what comet-score printed or wrote, whole",
                )
            texts = {key: _texts(segments, key) for key in ("mt", "ref", "src")}
            spans = any("errors" in segment for segment in segments)  # which it leaves out where it finds none
            model = "XCOMET, which finds spans of errors" if spans else "a model of COMET that finds no spans of errors"
            runs.append(
                Run(
                    system=name,
                    run=context.run or "1",
                    outputs=texts["mt"],
                    references=() if texts["ref"] is None else (texts["ref"],),
                    labels={} if texts["src"] is None else {"source": texts["src"]},
                    asked=None if texts["mt"] is None else Questions(metric=model),
                    columns={key.lower(): np.array([segment[key] for segment in segments], float) for key in keys},
                    source=context.source(self.name, len(segments)),
                )
            )
        return Content(runs=tuple(runs))


Segments = Sequence[Mapping[str, Any]]


def _parse_segments(lines: Sequence[str], file: str) -> dict[str, Segments]:
    """The segments of each scored file; what is said between them is passed over."""
    found: dict[str, list[dict[str, float]]] = {}
    for i, line in enumerate(lines):
        match = _SEGMENT.fullmatch(line)
        if match is None and not _BEGUN.match(line):
            continue
        of_file = found.setdefault((match and match[1]) or "", [])
        values = {key: _number(text) for key, text in _VALUE.findall(match[3])} if match else {"": None}
        numbers = {"comet" if key == "score" else key: value for key, value in values.items() if value is not None}
        if match is None or len(numbers) < len(values):
            raise InputError(
                f"found {line[:60]!r}, expected FILE, Segment N and score: X between tabs",
                file=file,
                line=i + 1,
                remedy="mend the line",
            )
        if int(match[2]) != len(of_file):
            raise InputError(
                f"found segment {match[2]} of {match[1] or 'the system'}, expected segment {len(of_file)}",
                file=file,
                line=i + 1,
                remedy="give all segments, each once and in order",
            )
        of_file.append(numbers)
    if not found:
        raise InputError("holds no score of a segment", file=file, remedy="run comet-score without --only_system")
    return dict(found)


def _objects(text: str, file: str) -> dict[str, Segments]:
    """The segments of each scored file, from JSON."""
    try:
        data = json.loads(text, parse_int=float)
        if _SURROGATE.search(text):
            json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise InputError(
            f"broken JSON ({error})", file=file, line=line, remedy="give what --to_json wrote, whole"
        ) from None
    found = {"": data} if isinstance(data, list) else data
    if not found:
        raise InputError("holds no segments", file=file, remedy="give what comet-score --to_json wrote")
    for name, segments in found.items():
        if not isinstance(segments, list) or not segments or not all(isinstance(s, dict) for s in segments):
            raise InputError(
                f"{name or 'it'!r} holds no list of segments, expected objects with COMET, mt and ref",
                file=file,
                remedy="give what comet-score --to_json wrote",
            )
    return dict(found)


def _texts(segments: Segments, key: str) -> tuple[str, ...] | None:
    """The texts of all segments, or None where some segment has none."""
    texts = tuple(segment[key] for segment in segments if isinstance(segment.get(key), str))
    return texts if len(texts) == len(segments) else None


def _number(text: str) -> float | None:
    try:
        return None if "_" in text else float(text)  # Python takes 1_0 for ten
    except ValueError:
        return None


def _is_number(value: object) -> bool:
    return isinstance(value, float)  # whole numbers were parsed as such
