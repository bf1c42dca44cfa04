"""Words with their times, and the segments that are their references, as sclite of NIST reads them (.ctm and .stm)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import ClassVar

from outscore.base.errors import InputError
from outscore.base.lazy import dataclass
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.segmentation import CTM
from outscore.data.source import Source, unpacked_name

_TIME = r"(\d+(?:\.\d+)?)"
_CTM = re.compile(rf"\S+\s+\S+\s+{_TIME}\s+{_TIME}\s+(?=\S*[^\W\d])\S++(\s+\S++){{0,3}}\s*")
"""Recording, channel, begin, duration, word, and perhaps a confidence, a type and a speaker."""
_STM = re.compile(rf"\S+\s+\S+\s+\S+\s+{_TIME}\s+{_TIME}\s++.*[^\W\d].*")
"""Recording, channel, speaker, begin, end, perhaps a label in angle brackets, and the words."""
_TIMES = re.compile(f"{_TIME} {_TIME}")
_KINDS = {
    "system": (".ctm", 2, "recording, channel, begin, duration and word of a CTM file"),
    "reference": (".stm", 3, "recording, channel, speaker, begin, end and words of an STM file, each segment once"),
}
_SGML = "give what sclite -o sgml writes for each system"
_REMEDY = "mend the line; or give CTM files of the systems, and the STM file of their segments by -r"
_FEW = 3
_NO_WORDS = ("@", "<eps>")


@reader("ctm")
@dataclass(frozen=True)
class Ctm(Reader):
    """Words with their times (.ctm), and as references segments with theirs (.stm), in which sclite places the words.

    ``@`` and ``<eps>`` are no words. Without references an item is all words of a recording and channel.
    """

    description: ClassVar[str] = "words with times of sclite (.ctm); as references segments (.stm)"
    example: ClassVar[str] = "2345 A 0.20 0.31 uh 0.98\n2345 A 0.55 0.20 huh 0.71\n2345 A 2.20 0.25 dog 0.93\n"
    priority: ClassVar[int] = 82
    roles: ClassVar[tuple[Role, ...]] = ("system", "reference")
    metric: ClassVar[str] = "wer"

    def sniff(self, head: Sniffed) -> bool:
        lines = [line for line in head.lines if line.strip() and not line.startswith(";;") and "<ALT" not in line]
        for form in (_CTM, _STM):
            found = [times for line in lines if (times := form.fullmatch(line))]
            exact = [times for times in found if "." in times[1] and "." in times[2]]  # whole numbers may be ranks
            if len(exact) >= max(_FEW, 0.9 * len(lines)):
                return True
        return head.suffix in (".ctm", ".stm")

    def read(self, source: Source, context: Context) -> Content:
        suffix, at, expected = _KINDS[context.role]
        given = unpacked_name(context.file.lower())
        misplaced = given.endswith((".ctm", ".stm")) and not given.endswith(suffix)
        said: dict[str, list[list[str]]] = {}
        for line, text in enumerate(source.lines(), 1):
            cells = re.split("[ \t]+", text.strip(" \t"))
            if cells == [""] or text.startswith(";;"):
                continue
            item = "-".join(cells[:2]).lower() if suffix == ".ctm" else "-".join((*cells[:2], *cells[3:5]))
            several = "<ALT" in text.upper() or {"{", "/", "}"} <= {*cells}
            timed = _TIMES.fullmatch(" ".join(cells[at : at + 2])) and len(cells) >= 5
            if several or misplaced or not timed or (suffix == ".stm" and item in said):
                found, remedy = f"found {' '.join(cells)[:40]!r}, expected {expected}", _REMEDY
                if several:
                    found, remedy = "holds alternatives, of which sclite counts the best", _SGML
                raise InputError(found, file=context.file, line=line, remedy=remedy)
            said.setdefault(item, []).append(cells)
        if suffix == ".stm":
            rows = [row for (row,) in said.values()]
            texts = tuple(" ".join(row[5 + "".join(row[5:6]).startswith("<") :]) for row in rows)
            labels = {
                "channel": tuple("-".join(row[:2]) for row in rows),
                "speaker": tuple(row[2] for row in rows),
                "times": tuple(" ".join(row[3:5]) for row in rows),
            }
        else:
            words = [
                sorted((row for row in of if row[4] not in _NO_WORDS), key=lambda row: float(row[2]))
                for of in said.values()
            ]
            texts = tuple(" ".join(row[4] for row in of) for of in words)
            labels = {"times": tuple(" ".join(str(float(row[2]) + float(row[3]) / 2) for row in of) for of in words)}
        content = context.content_of(self.name, texts, ids=tuple(said), notation=CTM)
        return replace(
            content,
            runs=tuple(replace(run, labels=labels) for run in content.runs),
            golds=tuple(replace(gold, labels=labels) for gold in content.golds),
        )
