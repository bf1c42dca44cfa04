"""CoNLL columns: one token a line, its tag in one of the columns, blank lines between sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from outscore.base.errors import InputError, UsageError, counted
from outscore.base.notation.tags import SPAN_TAG, TAGS
from outscore.data.columns import number
from outscore.data.readers import Content, Context, Head, Reader, Role, reader
from outscore.data.run import Gold, Run
from outscore.data.source import Source

_DOCUMENT = "-DOCSTART-"
_COMMENT = re.compile(r"#( |begin |end )")
_BLANKS = re.compile(r"[ \t]+")


@dataclass(frozen=True)
class _Sentence:
    """The cells of each token, and the number of the document it is in."""

    tokens: list[list[str]]
    document: int


@reader("conll")
@dataclass(frozen=True)
class Conll(Reader):
    """Tags of tokens, for example of named entities (CoNLL 2003) or parts of speech.

    A file of outputs without any references that ends in two columns of tags is what the script conlleval reads: gold
    tags and predicted tags.

    Args:
        tag: column of the tags, from 1; 0 is the last one.
        gold: column of the gold tags, from 1; 0 is ``tag`` in references, and in outputs as said above.
    """

    description: ClassVar[str] = "CoNLL columns: a token a line with its tag in the last column, blank lines between"
    example: ClassVar[str] = "EU B-ORG\nrejects O\nGerman B-MISC\ncalls O\n\nPeter B-PER\nBlackburn I-PER\n"
    priority: ClassVar[int] = 15
    roles: ClassVar[tuple[Role, ...]] = ("system", "reference")

    tag: int = 0
    gold: int = 0

    def __post_init__(self) -> None:
        if min(self.tag, self.gold) < 0:
            raise UsageError("reader option conll: expected columns from 1, or 0")

    def sniff(self, head: Head) -> bool:
        lines = [line for line in head.lines if not _is_break(line) and not _COMMENT.match(line)]
        if not lines or any(line.startswith("#begin document") for line in head.lines):
            return False
        split = _splitter(lines[0])
        rows = [split(line) for line in lines]
        width = len(rows[0])
        # Most rows, not all: one ragged row must end in an error. The first one tells tags from a header.
        whole = [row for row in rows if len(row) == width]
        if width < 2 or 2 * len(whole) <= len(rows) or not _is_tag(rows[0][-1]):
            return False
        if 2 * sum(bool(SPAN_TAG.fullmatch(row[-1])) for row in whole) > len(whole):
            # Sentences that are written as lines of tags begin with a tag.
            return 2 * sum(bool(SPAN_TAG.fullmatch(row[0])) for row in whole) < len(whole)
        has_sentences = any(not line.strip() for line in head.lines[:-1])
        if width > 3 or not has_sentences or 2 * sum(_is_tag(row[-1]) for row in whole) <= len(whole):
            return False
        # Marks, and words in scripts without capitals, end lines of text as well.
        capitals = [row[-1].isupper() for row in whole if any(map(str.isalpha, row[-1]))]
        return 2 * sum(capitals) > len(capitals)

    def read(self, source: Source, context: Context) -> Content:
        sentences = list(_sentences(source.lines(), context.file))
        if not sentences:
            raise InputError("found no token", file=context.file, remedy="write a token and its tag a line")
        width = len(sentences[0].tokens[0])
        if max(self.tag, self.gold) > width:
            raise InputError(
                f"has {width} columns, but column {max(self.tag, self.gold)} was asked for",
                file=context.file,
                remedy="count columns from 1",
            )
        described = {
            "tokens": tuple(" ".join(_one_word(token[0]) for token in s.tokens) for s in sentences),
            "length": tuple(str(len(s.tokens)) for s in sentences),
        }
        if len({s.document for s in sentences}) > 1:
            described["cluster"] = tuple(str(s.document) for s in sentences)
        origin = context.source(self.name, len(sentences))
        if context.role == "reference":
            gold = _column(sentences, self.gold or self.tag or width)
            return Content(golds=(Gold(references=(gold,), labels=described, notation=TAGS, source=origin),))
        gold_column = self.gold
        if not (self.gold or self.tag or context.has_references) and _is_conlleval(sentences):
            gold_column = width - 1
        run = Run(
            system=context.system or context.stem,
            run=context.run or "1",
            outputs=_column(sentences, self.tag or width),
            references=(_column(sentences, gold_column),) if gold_column else (),
            labels=described if gold_column else {},
            notation=TAGS,
            source=origin,
        )
        return Content(runs=(run,))


def _sentences(lines: Sequence[str], file: str) -> Iterator[_Sentence]:
    first = next((line for line in lines if not _is_break(line) and not _COMMENT.match(line)), "")
    split = _splitter(first)
    width = len(split(first))
    if width < 2:
        raise InputError(
            f"found {first[:60]!r}, expected a token and its tag", file=file, remedy="write at least two columns"
        )
    tokens: list[list[str]] = []
    document = 0
    for i, line in enumerate(lines):
        if _is_break(line):
            if tokens:
                yield _Sentence(tokens, document)
                tokens = []
            document += line.startswith(_DOCUMENT)
            continue
        cells = split(line)
        if not tokens and _COMMENT.match(line) and not (len(cells) == width and _is_tag(cells[-1])):
            continue  # a comment: the token '#' would have a tag
        if len(cells) != width or not all(cells[1:]):
            found = "an empty column" if len(cells) == width else counted(len(cells), "column")
            raise InputError(
                f"found {found}, expected {width} as for the first token",
                file=file,
                line=i + 1,
                remedy="give every token all columns, and a blank line after every sentence",
            )
        tokens.append(cells)
    if tokens:
        yield _Sentence(tokens, document)


def _is_break(line: str) -> bool:
    return not line.strip() or line.startswith(_DOCUMENT)


def _splitter(first: str) -> Callable[[str], list[str]]:
    """How lines like the first one are cut: at tabs, unless there are blanks inside the cells, too."""
    if "\t" in first and not any(" " in cell.strip() for cell in first.split("\t")):
        return lambda line: [cell.strip(" ") for cell in line.split("\t")]
    return lambda line: _BLANKS.split(line.strip(" \t"))


def _one_word(cell: str) -> str:
    """A cell as one of several that are joined by blanks."""
    return "_".join(cell.split()) or "_"


def _is_tag(cell: str) -> bool:
    """Whether it may be a tag: a span's, or a part of speech in capitals, or a mark; not ``(NP`` or a link ``0-1``."""
    if SPAN_TAG.fullmatch(cell):
        return True
    bracketed = len(cell.strip("()")) not in (0, len(cell))
    numeric = any(map(str.isdigit, cell)) and not any(map(str.isalpha, cell))
    return cell == cell.upper() and number(cell) is None and not bracketed and not numeric


def _is_conlleval(sentences: Sequence[_Sentence]) -> bool:
    """Whether the last two columns tag the same kind of spans: chunks beside entities are no gold tags of theirs."""
    rows = [token for s in sentences for token in s.tokens]
    if len(rows[0]) < 3 or not all(SPAN_TAG.fullmatch(cell) for row in rows for cell in row[-2:]):
        return False
    gold, predicted = ({row[i][2:] for row in rows} - {""} for i in (-2, -1))
    return not gold or not predicted or not gold.isdisjoint(predicted)


def _column(sentences: Sequence[_Sentence], column: int) -> tuple[str, ...]:
    """The tags of each sentence, joined by blanks."""
    return tuple(" ".join(_one_word(token[column - 1]) for token in s.tokens) for s in sentences)
