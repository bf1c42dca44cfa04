"""The lines that sacrebleu prints with --sentence-level, a score for each segment; corpus scores are of no use here."""

from __future__ import annotations

import re
from typing import ClassVar

import numpy as np

from outscore.base.errors import InputError
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.run import Run
from outscore.data.source import Source, drop_trailing_blank

_LINE = re.compile(r" *(BLEU|chrF|TER)[^|= ]*\|([^= ]+) = (-?\d+(?:\.\d+)?)(?![\d.])(.*)")
_JSON = re.compile(
    r'\s*[\[{][\[{\s]*"(?:name"\s*:\s*"(?:BLEU|chrF|TER)|system"\s*:.*?"(?:BLEU|chrF|TER)[^"]*"\s*:)', re.S
)
_REMEDY = "give the outputs and references, or what sacrebleu --sentence-level prints"


@reader("sacrebleu")
@dataclass(frozen=True)
class SacreBleu(Reader):
    """The lines that ``sacrebleu --sentence-level`` prints for one system: a score for each segment, by position.

    They become the column ``bleu``, ``chrf`` or ``ter``. Corpus scores, as text or JSON, are refused: they cannot be
    compared item by item.
    """

    description: ClassVar[str] = "sacrebleu: what --sentence-level prints"
    example: ClassVar[str] = (
        "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0 = 66.0\n"
        "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0 = 60.3\n"
    )
    priority: ClassVar[int] = 5
    roles: ClassVar[tuple[Role, ...]] = ("system",)

    def sniff(self, head: Sniffed) -> bool:
        if head.lines and head.lines[0].lstrip()[:1] in ("{", "["):
            return _JSON.match("\n".join(head.lines)) is not None
        lines = drop_trailing_blank(list(head.lines))
        return 2 * sum(_LINE.fullmatch(line) is not None for line in lines) > len(lines)

    def read(self, source: Source, context: Context) -> Content:
        if source.text.lstrip()[:1] in ("{", "["):
            raise InputError("holds scores of whole corpora, none of a segment", file=context.file, remedy=_REMEDY)
        lines = drop_trailing_blank(source.lines())
        found = [_LINE.fullmatch(line) for line in lines]
        matches = [match for match in found if match is not None]
        if len(matches) < len(found):
            bad = found.index(None)
            raise InputError(
                f"found {lines[bad][:60]!r}, expected METRIC|SIGNATURE = SCORE",
                file=context.file,
                line=bad + 1,
                remedy="give what sacrebleu --sentence-level prints, and nothing else",
            )
        kinds = {(match[1], match[2]) for match in matches}
        # the signatures of a corpus and of its segments differ for BLEU alone
        if len(matches) == 1 or len(kinds) > 1 or any("eff:no" in m[2] and m[1] == "BLEU" for m in matches):
            raise InputError("holds scores of whole corpora, none of a segment", file=context.file, remedy=_REMEDY)
        (name, signature) = next(iter(kinds))
        run = Run(
            system=context.system or context.stem,
            run=context.run or "1",
            columns={name.lower(): np.array([float(match[3]) for match in matches])},
            labels={"signature": (signature,) * len(matches)},
            notes=(_note(name, signature),),
            source=context.source(self.name, len(matches)),
        )
        return Content(runs=(run,))


def _note(name: str, signature: str) -> Note:
    return Note(
        code="sentence_scores",
        text=f"the mean of sentence-level {name} ({signature}) is not the {name} of the corpus",
        remedy=f"give the outputs and references to have that: -r REFERENCE -m {name.lower()}",
    )
