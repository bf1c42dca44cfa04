"""Transcripts of sclite (.trn): the words, then the id of the utterance in brackets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from outscore.data.readers import Sniffed, reader
from outscore.data.utterances import Utterances

_BEHIND = re.compile(r"(?:(.*\S)\s+|\s*)\(([^\s()]+)\)\s*")


@reader("trn")
@dataclass(frozen=True)
class Trn(Utterances):
    """The id of the utterance in brackets behind its words, as sclite reads and writes it."""

    description: ClassVar[str] = "transcripts of sclite (.trn): words, then the id of the utterance in brackets"
    example: ClassVar[str] = "there would be stew (84-12-0000)\nstuff it into you (84-12-0001)\nhe did (84-12-0002)\n"
    priority: ClassVar[int] = 84
    place: ClassVar[str] = "the last word (in brackets)"

    def sniff(self, head: Sniffed) -> bool:
        return head.suffix == ".trn" or super().sniff(head)

    def parts(self, line: str) -> tuple[str, str] | None:
        found = _BEHIND.fullmatch(line)
        return None if found is None else (found[2], found[1] or "")
