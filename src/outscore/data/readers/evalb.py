"""EVALB's printed report: its table of sentences holds all the counts that its scores are made of."""

from __future__ import annotations

import re
from typing import ClassVar

import numpy as np

from outscore.base.errors import InputError, inflect
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.run import Run
from outscore.data.source import Source

_HEADER = re.compile(r"\s*Sent\.\s+Matched\s+Bracket\s+Cross\s+Correct Tag\s*")
_RULE = re.compile(r"={20,}")
_ROW = re.compile(r"\s*" + r"\s+".join([r"(\d{1,9})"] * 3 + [r"\S+"] * 2 + [r"(\d{1,9})"] * 6 + [r"\S+"]) + r"\s*")
_MESSAGE = re.compile(r"\s*\d+ : .*")
_COLUMNS = ("length", "status", "matched", "gold_brackets", "test_brackets", "crossing", "words", "tags")


@reader("evalb")
@dataclass(frozen=True)
class EvalbReport(Reader):
    """One system's counts by sentence, aligned by position; those of sentences that EVALB skipped are zeros."""

    description: ClassVar[str] = "EVALB's printed report: bracket counts of each sentence"
    example: ClassVar[str] = (
        "  Sent.                        Matched  Bracket   Cross        Correct Tag\n"
        " ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy\n"
        "============================================================================\n"
        "   1    4    0   75.00  75.00     3      4    4      0      4     4   100.00\n"
        "============================================================================\n"
    )
    priority: ClassVar[int] = 15
    roles: ClassVar[tuple[Role, ...]] = ("system",)

    def sniff(self, head: Sniffed) -> bool:
        return any(_HEADER.fullmatch(line) for line in head.lines[:20])

    def read(self, source: Source, context: Context) -> Content:
        rows: list[list[int]] = []
        for number, line in _table(source.lines(), context.file):
            row = _ROW.fullmatch(line)
            if row and int(row[1]) == len(rows) + 1:
                rows.append([int(count) for count in row.groups()[1:]])
            elif row or not _MESSAGE.fullmatch(line):
                raise InputError(
                    f"found {line.strip()[:60]!r}, expected the 12 numbers of sentence {len(rows) + 1}",
                    file=context.file,
                    line=number,
                    remedy="give the whole report, printed without -d",
                )
        if not rows:
            raise InputError(
                "the table has no sentences", file=context.file, remedy="give the whole report that EVALB printed"
            )
        counts = np.array(rows, dtype=np.float64)
        skipped = counts[:, 1] != 0
        counts[skipped, 2:] = 0
        run = Run(
            system=context.system or context.stem,
            run=context.run or "1",
            columns=dict(zip(_COLUMNS, counts.T, strict=True)),
            notes=_notes(int(skipped.sum()), len(rows), context.file),
            source=context.source(self.name, len(rows)),
        )
        return Content(runs=(run,))


def _table(lines: list[str], file: str) -> list[tuple[int, str]]:
    """The numbered lines of the table, between the first double rules."""
    rules = [i for i, line in enumerate(lines) if _RULE.fullmatch(line.strip())]
    if not rules:
        raise InputError(
            "no table of sentences, expected one under a line of ====",
            file=file,
            remedy="give the whole report that EVALB printed",
        )
    end = rules[1] if len(rules) > 1 else len(lines)
    return [(i + 1, lines[i]) for i in range(rules[0] + 1, end) if lines[i].strip()]


def _notes(skipped: int, n: int, file: str) -> tuple[Note, ...]:
    if not skipped:
        return ()
    return (
        Note(
            code="evalb_skipped",
            text=f"EVALB left {skipped} of {inflect(n, 'sentence')} out of the sums of {file}: no parse or other words",
            remedy="give them a flat tree with the words of the gold tree, so that their brackets count as missed",
        ),
    )
