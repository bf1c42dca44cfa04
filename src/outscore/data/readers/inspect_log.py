"""Inspect (UK AI Security Institute): logs of one task, as ``.eval`` archives or as JSON."""

from __future__ import annotations

import codecs
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from outscore.base import limits
from outscore.base.arrays import Float
from outscore.base.errors import InputError, inflect, join
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.documents import Node, beginning, parse
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.run import Questions, Run
from outscore.data.source import Source, zstd_library

_ZIP = b"PK\x03\x04"
_ZSTD = 93
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_SAMPLE = re.compile(r"samples/.*_epoch_\d+(/sample)?\.json")
_SHORT = 100
_COMPARED = 500
_AGAIN = "copy the file again, or run the evaluation to its end"


@reader("inspect")
@dataclass(frozen=True)
class InspectLog(Reader):
    """A log of Inspect: an item for each of its samples, a sample of the answer for each epoch, a column per scorer.

    The grades C, P, I and N are 1, 0.5, 0 and 0. Short metadata of the samples are labels. ``.eval`` archives need the
    extra ``inspect`` before Python 3.14, where they are compressed with zstd.
    """

    description: ClassVar[str] = "Inspect: .eval and .json logs"
    example: ClassVar[str] = (
        '{"version": 2, "status": "success", "eval": {"task": "sums", "model": "a/b"}, '
        '"samples": [{"id": 1, "epoch": 1, "input": "2+2", "scores": {"match": {"value": "C"}}}]}\n'
    )
    priority: ClassVar[int] = 2
    roles: ClassVar[tuple[Role, ...]] = ("system",)
    extra: ClassVar[str] = "inspect"
    binary: ClassVar[bool] = True

    def sniff(self, head: Sniffed) -> bool:
        if head.start.startswith(_ZIP):
            return head.suffix == ".eval" or b"_journal/" in head.start or b"_epoch_1" in head.start
        value, _ = beginning(head.start.removeprefix(codecs.BOM_UTF8).decode(errors="ignore"))
        return isinstance(value, dict) and isinstance(value.get("eval"), dict) and {"version", "status"} <= value.keys()

    def read(self, source: Source, context: Context) -> Content:
        if source.data.startswith(_ZIP):
            header, samples = _Archive(source).log()
        else:
            header = parse(source.text, context.file)
            samples = [] if header.get("samples").missing else header.get("samples").items()
        if not samples:
            raise header.error("the log holds no samples", "run the evaluation to its end")
        epochs: dict[str, dict[str, Node]] = {}
        for sample in samples:
            epoch = "1" if sample.get("epoch").missing else sample.get("epoch").text()
            item = sample.get("id").text()
            if item in epochs.setdefault(epoch, {}):
                raise sample.error(f"the sample {item!r} is there twice in epoch {epoch}", "keep one of the two")
            epochs[epoch][item] = sample
        left_out: dict[str, None] = {}
        numbers = [_columns(list(rows.values()), left_out) for rows in epochs.values()]
        names = dict.fromkeys(name for columns in numbers for name in columns if name not in left_out)
        labels = _labels([sample for rows in epochs.values() for sample in rows.values()])
        notes = _notes(header, samples, left_out)
        model = context.system or header.get("eval").get("model").text()
        task = "" if header.get("eval").get("task").missing else header.get("eval").get("task").text()
        made_by = (header.get("eval").get("model").text(), *_settings(header))
        runs = []
        for (epoch, rows), columns in zip(epochs.items(), numbers, strict=True):
            nothing = np.full(len(rows), np.nan)
            runs.append(
                Run(
                    system=model,
                    run=context.run or "1",
                    sample=epoch if len(epochs) > 1 else "",
                    part=task,
                    made_by=made_by,
                    asked=Questions(
                        task=task,
                        inputs=tuple(_flat(row.get("input").value) for row in rows.values()),
                        targets=tuple(_flat(row.get("target").value) for row in rows.values()),
                    ),
                    ids=tuple(rows),
                    columns={name: columns.get(name, nothing) for name in names},
                    labels={name: tuple(by_item.get(item, "") for item in rows) for name, by_item in labels.items()},
                    notes=notes,
                    source=context.source(self.name, len(rows)),
                )
            )
        return Content(runs=tuple(runs))


class _Archive:
    """The entries of a ``.eval`` archive, of which nothing is believed."""

    def __init__(self, source: Source) -> None:
        self.file, self._data = source.file, source.data
        self._broken: tuple[type[Exception], ...] = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError)
        self._broken += (ValueError, RuntimeError)  # text that is not UTF-8, encrypted entries
        self._size = 0
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(source.data))
        except self._broken as error:
            raise self._fault(f"is a broken zip archive ({error})") from None
        self._names = self._zip.namelist()
        limits.check("members", len(self._names), "the archive", self.file)

    def log(self) -> tuple[Node, list[Node]]:
        """The header and the samples, in summary where the log has summaries."""
        header = next((name for name in ("header.json", "_journal/start.json") if name in self._names), None)
        if header is None:
            raise self._fault("has no header.json, expected a log of Inspect")
        if "summaries.json" in self._names:
            return self._json(header), self._json("summaries.json").items()
        return self._json(header), [self._json(name) for name in self._names if _SAMPLE.fullmatch(name)]

    def _json(self, name: str) -> Node:
        entry = self._zip.getinfo(name)
        self._size += entry.file_size
        limits.check_unpacked(self._size, len(self._data), self.file)
        zstd = self._zstd if entry.compress_type == _ZSTD else None
        try:
            text = self._unpack(entry, zstd).decode()
        except self._broken as error:
            raise self._fault(f"{name} cannot be unpacked ({error})") from None
        return parse(text, f"{self.file}:{name}")

    @cached_property
    def _zstd(self) -> Any:
        """The library of zstd, of the standard one from Python 3.14 on."""
        library = zstd_library("a log that is compressed with zstd", "inspect")
        self._broken = (*self._broken, library.ZstdError)
        return library

    def _unpack(self, entry: zipfile.ZipInfo, zstd: Any) -> bytes:
        """The bytes of an entry, never more than were declared, whatever the compressed data make."""
        if zstd is None:
            with self._zip.open(entry) as stream:
                return stream.read(entry.file_size)
        # archive readers unpack all of a zstd entry before they look at its size
        name, extra = struct.unpack_from("<2H", self._data, entry.header_offset + 26)
        start = entry.header_offset + 30 + name + extra
        packed = self._data[start : start + entry.compress_size]
        found: bytes = zstd.ZstdDecompressor().decompress(packed, max_length=entry.file_size)
        if zlib.crc32(found) != entry.CRC:
            raise zipfile.BadZipFile(f"bad CRC-32 of {entry.filename!r}")
        return found

    def _fault(self, message: str) -> InputError:
        return InputError(message, file=self.file, remedy=_AGAIN)


def _columns(samples: Sequence[Node], left_out: dict[str, None]) -> dict[str, Float]:
    """The scores of one epoch by scorer, NaN where a sample has none or ended in an error."""
    found: dict[str, Float] = {}
    for i, sample in enumerate(samples):
        failed = not sample.get("error").missing
        scores = sample.get("scores")
        for scorer, score in ({} if scores.missing else scores.fields()).items():
            value = score.get("value")
            parts = {scorer: value}
            if isinstance(value.value, dict):
                parts = {f"{scorer}.{key}": part for key, part in value.fields().items()}
            for name, part in parts.items():
                grade = _grade(part)
                if grade is None:
                    left_out[name] = None
                    continue
                found.setdefault(name, np.full(len(samples), np.nan))[i] = np.nan if failed else grade
    return found


def _grade(node: Node) -> float | None:
    """The number that Inspect itself takes a score for, None if it is no number."""
    if not isinstance(node.value, str):
        return None if isinstance(node.value, list | dict) else node.number()
    text = node.value if node.value in _GRADES else node.value.lower()
    try:
        return _GRADES[text] if text in _GRADES else float(text)
    except ValueError:
        return None


def _labels(samples: Sequence[Node]) -> dict[str, dict[str, str]]:
    """Short metadata and the length of the input in characters, by name and item."""
    found: dict[str, dict[str, str]] = {"length": {}}
    long: set[str] = set()
    for sample in samples:
        item = sample.get("id").text()
        metadata = sample.get("metadata")
        found["length"].setdefault(item, str(_length(sample.get("input").value)))
        for key, node in ({} if metadata.missing else metadata.fields()).items():
            if isinstance(node.value, str | int | float) and len(str(node.value)) <= _SHORT:
                found.setdefault(f"metadata.{key}" if key == "length" else key, {}).setdefault(item, str(node.value))
            elif not node.missing:
                long.add(key)
    return {name: values for name, values in found.items() if name not in long}


def _settings(header: Node) -> list[str]:
    """The arguments that the task was given, ``name=value``."""
    given = header.get("eval").get("task_args")
    return [] if given.missing else [f"{name}={node.value!r}"[:_SHORT] for name, node in given.fields().items()]


def _flat(value: Any) -> str:
    """The beginning of an input or target as one text: summaries cut long ones, and messages have ids of their own."""
    if isinstance(value, list):
        return "\n".join(map(_flat, value))[:_COMPARED]
    if isinstance(value, Mapping):
        return _flat(value.get("content", value.get("text")))
    return "" if value is None else str(value)[:_COMPARED]


def _length(value: Any) -> int:
    """Characters of an input: a text, or messages whose content is a text or a list of parts."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list):
        return sum(_length(part) for part in value)
    return _length(value.get("content", value.get("text"))) if isinstance(value, Mapping) else 0


def _notes(header: Node, samples: Sequence[Node], left_out: Mapping[str, None]) -> tuple[Note, ...]:
    notes = []
    status = header.get("status")
    failed = sum(not sample.get("error").missing for sample in samples)
    if failed == len(samples) > 0:
        raise InputError(
            f"all {inflect(failed, 'sample')} ended in an error, and none has a score",
            file=header.file,
            remedy="finish them with inspect eval-retry",
        )
    if status.value != "success":
        notes.append(
            Note(
                code="log_incomplete",
                text=f"{header.file}: the status of the evaluation is {status.value or 'started'!r}, not 'success'; "
                f"it holds {inflect(len(samples), 'sample')}",
                remedy="finish it with inspect eval-retry",
            )
        )
    if failed:
        notes.append(
            Note(
                code="samples_failed",
                text=f"{header.file}: {failed} of {len(samples)} samples ended in an error and have no score",
                remedy="finish them with inspect eval-retry, or leave them out of all systems with --missing drop",
            )
        )
    if left_out:
        notes.append(
            Note(
                code="score_left_out",
                text=f"{join(left_out)} are no numbers (lists or texts) and were not read",
                remedy="let the scorer give a number, a grade or a dictionary of them",
            )
        )
    return tuple(notes)
