"""CoNLL-U, CoNLL-U Plus and CoNLL-X: parsed sentences, with documents and sentence ids in comments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from outscore.base.errors import InputError
from outscore.base.lazy import dataclass
from outscore.base.notation import NotationError
from outscore.base.notation.conllu import COLUMNS, CONLLU, ParsedSentence, sentence
from outscore.data.columns import is_known
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.run import Gold, Run
from outscore.data.source import Source

_ID = re.compile(r"\d+([-.]\d+)?", re.ASCII)
_GLOBAL = re.compile(r"#\s*global\.columns\s*=\s*(.*)")
_COMMENT = re.compile(r"#\s*(newdoc|sent_id|(?:meta::)?(?:genre|domain))\b(?:\s+id)?\s*+(?:=\s*+(.*))?")


@reader("conllu")
@dataclass(frozen=True)
class Conllu(Reader):
    """One item a sentence; comments are not part of it. Sentences are known by their ids if all have one."""

    description: ClassVar[str] = "CoNLL-U or CoNLL-X: parsed sentences, one word a line in ten columns"
    example: ClassVar[str] = (
        "# sent_id = s1\n"
        "1\tBirds\tbird\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_\n"
        "2\tsing\tsing\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
    )
    priority: ClassVar[int] = 15
    roles: ClassVar[tuple[Role, ...]] = ("system", "reference")

    def sniff(self, head: Sniffed) -> bool:
        if head.suffix in (".conllu", ".conllx", ".conllup") or (head.lines and _GLOBAL.match(head.lines[0])):
            return True
        if head.lines and sum(map(is_known, head.lines[0].split(","))) >= 2:
            return False  # CSV with sentences in its cells
        rows = [line.split("\t") for line in head.lines if line.strip() and not line.startswith("#")][:50]
        words = [len(row) == COLUMNS and _ID.fullmatch(row[0]) is not None for row in rows]
        # The header of a table has as many columns as its rows; a broken first word has not.
        header = bool(rows) and len(rows[0]) == COLUMNS and not words[0]
        return 2 * sum(words) > len(words) and not header

    def read(self, source: Source, context: Context) -> Content:
        blocks = tuple(_blocks(_ten_columns(source.lines())))
        if not blocks:
            raise InputError("holds no sentence", file=context.file, remedy="give a file in CoNLL-U")
        parsed = [_parse(block, context.file) for block in blocks]
        outputs = tuple(block.text for block in blocks)
        origin = context.source(self.name, len(blocks))
        described = [block.parse_comments() for block in blocks]
        ids = tuple(d["sent_id"] for d in described if d.get("sent_id"))
        known = ids if len(set(ids)) == len(blocks) else None
        lines = tuple(str(block.start) for block in blocks)
        if context.role == "reference":
            labels = {"line": lines, **_labels(described, parsed)}
            gold = Gold(ids=known, references=(outputs,), labels=labels, notation=CONLLU, source=origin)
            return Content(golds=(gold,))
        run = Run(
            system=context.system or context.stem,
            run=context.run or "1",
            ids=known,
            outputs=outputs,
            labels={"line": lines},
            notation=CONLLU,
            source=origin,
        )
        return Content(runs=(run,))


@dataclass(frozen=True)
class _SentenceLines:
    """The comments before a sentence, its lines as one text, and the number of the first of these in the file."""

    comments: tuple[str, ...]
    text: str
    start: int

    def parse_comments(self) -> dict[str, str]:
        """The comments by their keys: ``sent_id``, ``newdoc`` (empty if it has no id), ``domain``."""
        found = {}
        for comment in self.comments:
            if match := _COMMENT.fullmatch(comment.rstrip()):
                key = match[1] if match[1] in ("newdoc", "sent_id") else "domain"
                found[key] = match[2] or ""
        return found


_NAMES = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")


def _ten_columns(lines: Sequence[str]) -> Sequence[str]:
    """The lines of CoNLL-U Plus with the columns of CoNLL-U, ``_`` for those that it lacks; other lines as they are."""
    said = _GLOBAL.match(lines[0]) if lines else None
    if said is None:
        return lines
    at = {name: i for i, name in enumerate(said[1].split())}
    rows = ((line, line.split("\t")) for line in lines)
    return [
        "\t".join(row[at[name]] if name in at else "_" for name in _NAMES)
        if len(row) == len(at) and not line.startswith("#")
        else line
        for line, row in rows
    ]


def _blocks(lines: Sequence[str]) -> Iterator[_SentenceLines]:
    comments: list[str] = []
    words: list[str] = []
    for number, line in enumerate([*lines, ""], 1):
        if line.startswith("#") and not words:
            comments.append(line)
        elif line.strip():
            words.append(line)
        elif words:
            yield _SentenceLines(tuple(comments), "\n".join(words), number - len(words))
            comments, words = [], []


def _parse(block: _SentenceLines, file: str) -> ParsedSentence:
    try:
        return sentence(block.text)
    except NotationError as error:
        raise InputError(
            str(error), file=file, line=block.start + error.line, remedy="mend the line, or have the file written again"
        ) from None


def _labels(described: Sequence[dict[str, str]], parsed: Sequence[ParsedSentence]) -> dict[str, tuple[str, ...]]:
    labels = {
        "length": tuple(str(len(s.forms)) for s in parsed),
        "tokens": tuple(" ".join(form.replace(" ", "\u00a0") for form in s.forms) for s in parsed),
    }
    documents, domains, document, domain, number = [], [], "", "", 0
    for comments in described:
        if "newdoc" in comments:
            number += 1
            document, domain = comments["newdoc"] or str(number), ""
        domain = comments.get("domain", domain)
        documents.append(document)
        domains.append(domain)
    if len(set(documents)) > 1:
        labels["cluster"] = tuple(documents)
    if any(domains):
        labels["domain"] = tuple(domains)
    return labels
