"""Transcripts with the id of the utterance in each line: of Kaldi, before its words; of sclite (.trn), behind them."""

from __future__ import annotations

import re
from abc import abstractmethod
from shlex import quote
from typing import ClassVar

from outscore.base.errors import InputError
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.run import Run
from outscore.data.source import Source, drop_trailing_blank

_FEW = 3
_FEW_NUMBERS = 10
_ALTERNATIVES = re.compile(r"\{ ([^{}]* )?/ [^{}]*\}")
_OTHERS = " */[^{}]*[}]|[{]( *@)?"


@dataclass(frozen=True)
class Utterances(Reader):
    """One utterance a line with its id: outputs are paired by it, whatever the order of the lines."""

    priority: ClassVar[int] = 85
    roles: ClassVar[tuple[Role, ...]] = ("system", "reference")
    metric: ClassVar[str] = "wer"
    place: ClassVar[str]

    def sniff(self, head: Sniffed) -> bool:
        lines = [line for line in head.lines if line.strip()]
        parts = [found for line in lines if (found := self.split(line)) is not None]
        # Some transcripts are empty; where most are, dates, numbers or labels stand alone, an answer a line.
        if 2 * sum(bool(words) for _, words in parts) < len(parts):
            return False
        ids = [one for one, _ in parts]
        # Nearly all, not all: one bad line must end in an error. Words are not all different, nor with digits in all.
        marked = [one for one in dict.fromkeys(ids) if any(c.isdigit() for c in one)]
        least = _FEW_NUMBERS if all(one.isdigit() for one in marked) else _FEW
        return len(marked) >= max(least, 0.9 * len(lines))

    @abstractmethod
    def split(self, line: str) -> tuple[str, str] | None:
        """The id and the words of a line; None where there is no id."""

    def read(self, source: Source, context: Context) -> Content:
        seen: dict[str, str] = {}
        for at, line in enumerate(drop_trailing_blank(source.lines()), 1):
            found = self.split(line)
            if found is None or found[0] in seen:
                what = "no id of an utterance" if found is None else f"the id {found[0]!r} a second time"
                raise InputError(
                    f"found {what}, expected one as {self.place} of the line",
                    file=context.file,
                    line=at,
                    remedy="mend the line, or give --reader lines if the file holds no ids",
                )
            if _ALTERNATIVES.search(line):
                first = f"sed -E 's:{_OTHERS}::g' {quote(context.file)} > {quote(f'{context.stem}.first.trn')}"
                raise InputError(
                    "holds alternatives, { a / b }, of which sclite counts the best",
                    file=context.file,
                    line=at,
                    remedy=f"give what sclite -o sgml writes of it; or take the first, {first}",
                )
            seen[found[0]] = found[1]
        said = Note(
            code="utterance_ids",
            text=f"{self.place} of each line is taken for the id of the utterance ({self.name})",
            remedy="--reader lines takes it for a word",
        )
        return context.content_of(self.name, tuple(seen.values()), ids=tuple(seen), notes=(said,))


@reader("kaldi")
@dataclass(frozen=True)
class Kaldi(Utterances):
    """The id of the utterance before its words; no words is an empty transcript."""

    description: ClassVar[str] = "transcripts of Kaldi: the id of the utterance, then its words"
    example: ClassVar[str] = "84-12-0000 he hoped there would be stew\n84-12-0001 stuff it into you\n84-12-0002 he\n"
    place: ClassVar[str] = "the first word"

    def split(self, line: str) -> tuple[str, str] | None:
        name, _, words = line.strip(" \t").replace("\t", " ", 1).partition(" ")
        return (name, words.strip(" \t")) if name else None


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

    def split(self, line: str) -> tuple[str, str] | None:
        found = _BEHIND.fullmatch(line)
        return None if found is None else (found[2], found[1] or "")


_PATH = re.compile(r'<PATH\s((?:[^">]|"[^"]*")*)>(.*?)</PATH>', re.DOTALL)
_OF = re.compile(r'(\w+)="([^"]*)"')
_EDIT = re.compile(r'([CSDIU]),(?:"((?:[^"\\]|\\.)*)")?,(?:"((?:[^"\\]|\\.)*)")?[^:"]*(?::|$)')


@reader("sclite")
@dataclass(frozen=True)
class ScliteAlignment(Reader):
    """Alignments that ``sclite -o sgml`` writes: the words of reference and output, one against the other.

    Words that sclite counts as right are the same in both, whatever their case.
    """

    description: ClassVar[str] = "alignments of sclite (-o sgml): reference and output of each utterance"
    example: ClassVar[str] = (
        '<SYSTEM title="base" ref_fname="ref" hyp_fname="base">\n<SPEAKER id="84">\n'
        '<PATH id="(84-12)" word_cnt="3">\nC,"he","he":S,"hoped","hopped":D,"there",\n</PATH>\n</SPEAKER>\n'
        "</SYSTEM>\n"
    )
    priority: ClassVar[int] = 83
    roles: ClassVar[tuple[Role, ...]] = ("system",)
    metric: ClassVar[str] = "wer"

    def sniff(self, head: Sniffed) -> bool:
        return any(line.startswith("<PATH ") for line in head.lines) and any("<SYSTEM " in one for one in head.lines)

    def read(self, source: Source, context: Context) -> Content:
        texts: dict[str, tuple[str, str]] = {}
        for path in _PATH.finditer(source.text, 0, source.text.rfind("</PATH>") + 7):
            name, edits = dict(_OF.findall(path[1])).get("id", "").strip("()"), path[2].strip()
            found = list(_EDIT.finditer(edits))
            whole = "".join(edit[0] for edit in found) == edits
            if not name or name in texts or not whole:
                what = "an alignment that is cut off" if name and not whole else f"the id {name!r} a second time"
                raise InputError(
                    f"found {what}, expected C, S, D or I with both words",
                    file=context.file,
                    line=source.text.count("\n", 0, path.start()) + 1,
                    remedy="give what sclite wrote for one system, whole",
                )
            reference = " ".join(edit[2] for edit in found if edit[2])
            output = " ".join((edit[2] if edit[1] == "C" else edit[3]) or "" for edit in found if edit[3])
            texts[name] = (reference, output)
        if not texts:
            raise InputError("holds no aligned utterance", file=context.file, remedy="give what sclite -o sgml wrote")
        title = re.search(r'<SYSTEM\s[^<>]*title="([^"]+)"', source.text)
        run = Run(
            system=context.system or (title[1] if title else context.stem),
            run=context.run or "1",
            ids=tuple(texts),
            outputs=tuple(output for _, output in texts.values()),
            references=(tuple(reference for reference, _ in texts.values()),),
            source=context.source(self.name, len(texts)),
        )
        return Content(runs=(run,))
