"""CoNLL columns: one token a line, its tag in one of the columns, blank lines between sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from outscore.base.errors import InputError, UsageError, inflect, join
from outscore.base.lazy import dataclass
from outscore.base.notation.tags import SPAN_TAG, TAGS
from outscore.base.notes import Note
from outscore.data.columns import number
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.run import Gold, Questions, Run
from outscore.data.source import Source

_DOCUMENT = "-DOCSTART-"
_BLANKS = re.compile(r"[ \t]+")
_TOKEN_HEADERS = frozenset(("token", "tokens", "word", "words", "form", "text"))
_TAG_HEADER = re.compile(
    r"(tags?|labels?|gold|pred(icted|iction)?|(u|x)?pos|chunk|ner?|ner?[ _-]?tags?|(ne|nel)-.*|misc)", re.I
)
_SETTING = re.compile(r"#\s*[\w:.-]+\s*=")
"""A comment that may stand inside a sentence: ``# segment = 3``."""
_NOTHING = "_"


@dataclass(frozen=True)
class _Sentence:
    """The cells of each token, its line in the file, and the number of the document it is in."""

    tokens: list[list[str]]
    lines: list[int]
    document: int


@dataclass(frozen=True)
class _Layout:
    """How the lines of a file are to be read.

    Attributes:
        split: cuts a line into cells.
        width: cells of a token.
        header: the names of the columns, where the first line gives them.
    """

    split: Callable[[str], list[str]]
    width: int
    header: tuple[str, ...]

    def find(self, named: str, file: str) -> int:
        """The column of this number or name, from 1; 0 where none was named."""
        columns = {str(k): k for k in range(self.width + 1)}
        columns |= {name.lower(): k for k, name in enumerate(self.header, 1)}
        if named.lower() not in columns:
            raise InputError(
                f"has {self.width} columns, but column {named} was asked for",
                file=file,
                remedy=f"count columns from 1{', or name one of ' if self.header else ''}{join(self.header)}",
            )
        return columns[named.lower()]

    def is_comment(self, line: str) -> bool:
        """A line that begins with ``#`` and is no token: ``#`` itself would have a tag."""
        if not line.startswith("#"):
            return False
        cells = self.split(line)
        return not (_is_tag(cells[-1]) if len(cells) == self.width else SPAN_TAG.fullmatch(cells[-1]))


@reader("conll")
@dataclass(frozen=True)
class Conll(Reader):
    """Tags of tokens, for example of named entities (CoNLL 2003) or parts of speech.

    A file of outputs without any references that ends in two columns of tags is what the script conlleval reads: gold
    tags and predicted tags.

    Args:
        tag: column of the tags, from 1 or by its name in the header; 0 is the last one.
        gold: column of the gold tags, likewise; 0 is ``tag`` in references, and in outputs as said above.
    """

    description: ClassVar[str] = "CoNLL columns: a token a line with its tag in the last column, blank lines between"
    example: ClassVar[str] = "EU B-ORG\nrejects O\nGerman B-MISC\ncalls O\n\nPeter B-PER\nBlackburn I-PER\n"
    priority: ClassVar[int] = 15
    roles: ClassVar[tuple[Role, ...]] = ("system", "reference")

    tag: str = "0"
    gold: str = "0"

    def __post_init__(self) -> None:
        if self.tag.startswith("-") or self.gold.startswith("-"):
            raise UsageError("reader option conll: expected columns from 1, or 0")

    def sniff(self, head: Sniffed) -> bool:
        layout = _layout(head.lines)
        if layout is None or any(line.startswith("#begin document") for line in head.lines):
            return False
        if head.lines[0].startswith("# global.columns") and "DEPREL" in head.lines[0]:
            return False  # CoNLL-U Plus: trees, whatever stands in a further column
        width = layout.width
        lines = [line for line in head.lines if not _is_break(line) and not layout.is_comment(line)]
        rows = [layout.split(line) for line in lines]
        whole = [row for row in rows[bool(layout.header) :] if len(row) == width]
        elsewhere = range(1, width - (0 if layout.header else 1))
        first_is_tag = 2 * sum(bool(SPAN_TAG.fullmatch(row[0])) for row in whole) >= len(whole)
        of_spans = any(_has_spans([row[k] for row in whole]) for k in elsewhere)
        if of_spans and 2 * len(whole) > len(rows) and not first_is_tag:
            return True
        if layout.header or not rows:
            return False
        # Most rows, not all: one ragged row must end in an error. The first one tells tags from a header.
        nothing = any(SPAN_TAG.fullmatch(row[-1]) and row[-1] != "O" for row in whole)  # then _ stands where O should
        spans = [bool(SPAN_TAG.fullmatch(row[-1])) or (nothing and row[-1] == _NOTHING) for row in whole]
        if width < 2 or 2 * len(whole) <= len(rows) or not (_is_tag(rows[0][-1]) or spans[:1] == [True]):
            return False
        if 2 * sum(spans) > len(whole):
            return not first_is_tag  # sentences that are written as lines of tags begin with a tag
        has_sentences = any(not line.strip() for line in head.lines[:-1])
        if width > 3 or not has_sentences or 2 * sum(_is_tag(row[-1]) for row in whole) <= len(whole):
            return False
        # Marks, and words in scripts without capitals, end lines of text as well.
        capitals = [row[-1].isupper() for row in whole if any(map(str.isalpha, row[-1]))]
        return 2 * sum(capitals) > len(capitals)

    def read(self, source: Source, context: Context) -> Content:
        lines = source.lines()
        layout = _layout(lines)
        if layout is None or layout.width < 2:
            first = next((line for line in lines if line.strip()), "")
            raise InputError(
                f"found {first[:60]!r}, expected a token and its tag",
                file=context.file,
                remedy="write at least two columns",
            )
        sentences = list(_sentences(lines, layout, context.file))
        if not sentences:
            raise InputError("found no token", file=context.file, remedy="write a token and its tag a line")
        asked_tag, asked_gold = (layout.find(named, context.file) for named in (self.tag, self.gold))
        tag, is_gold = asked_tag or _tag_column(layout, sentences, context.file), context.role == "reference"
        described = {
            "tokens": tuple(" ".join(_join_words(token[0]) for token in s.tokens) for s in sentences),
            "length": tuple(str(len(s.tokens)) for s in sentences),
        }
        documents = len({s.document for s in sentences})
        if documents > 1:
            described["cluster"] = tuple(str(s.document) for s in sentences)
        begun = f"lines that begin with {_DOCUMENT} part {context.file} into {documents} documents"
        clustered = Note(
            code="documents_as_clusters",
            text=f"{begun}, the clusters of its sentences unless --cluster names others",
            remedy="--cluster none takes sentences for independent",
        )
        unused = Note(
            code="documents_not_used",
            text=f"{begun}, which are not used: only those of the gold are clusters",
            remedy="give them in the gold file too, or name clusters in --items FILE",
        )
        origin = context.source(self.name, len(sentences))
        asked = _tokens(sentences)
        if is_gold:
            gold = _column(sentences, asked_gold or tag, context.file)
            found = Gold(references=(gold,), labels=described, notation=TAGS, asked=asked, source=origin)
            return Content(golds=(found,), notes=(clustered,) if documents > 1 else ())
        gold_column = asked_gold
        if not (asked_gold or asked_tag or context.has_references or layout.header) and _is_conlleval(sentences):
            gold_column = layout.width - 1
        run = Run(
            system=context.system or context.stem,
            run=context.run or "1",
            outputs=_column(sentences, tag, context.file),
            references=(_column(sentences, gold_column, context.file),) if gold_column else (),
            labels=described if gold_column else {},
            notation=TAGS,
            notes=() if documents < 2 else (clustered,) if gold_column else (unused,),
            asked=asked,
            source=origin,
        )
        return Content(runs=(run,))


def _layout(lines: Sequence[str]) -> _Layout | None:
    """How the lines are cut, by the first that is surely no comment; None where there is none."""
    filled = [line for line in lines if not _is_break(line)]
    first = next((line for line in filled if not line.startswith("#")), filled[0] if filled else None)
    if first is None:
        return None
    split = _splitter(first)
    cells = split(first)
    named = cells[0].lower() in _TOKEN_HEADERS and all(_TAG_HEADER.fullmatch(cell) for cell in cells[1:])
    # A word may be called so and have such a tag; a header's names are nobody else's.
    again = any(split(line)[-1] == cells[-1] for line in filled if line is not first) if named else True
    return _Layout(split, len(cells), () if again else tuple(cells))


def _sentences(lines: Sequence[str], layout: _Layout, file: str) -> Iterator[_Sentence]:
    tokens: list[list[str]] = []
    numbers: list[int] = []
    document, header = 0, bool(layout.header)
    for i, line in enumerate(lines, 1):
        if _is_break(line):
            if tokens:
                yield _Sentence(tokens, numbers, document)
                tokens, numbers = [], []
            document += line.startswith(_DOCUMENT)
            continue
        if layout.is_comment(line) and (not tokens or _SETTING.match(line)):
            continue
        if header:
            header = False
            continue
        cells = layout.split(line)
        if len(cells) != layout.width or not all(cells[1:]):
            found = "an empty column" if len(cells) == layout.width else inflect(len(cells), "column")
            raise InputError(
                f"found {found}, expected {layout.width} as for the first token",
                file=file,
                line=i,
                remedy="give every token all columns, and a blank line after every sentence",
            )
        tokens.append(cells)
        numbers.append(i)
    if tokens:
        yield _Sentence(tokens, numbers, document)


def _tag_column(layout: _Layout, sentences: Sequence[_Sentence], file: str) -> int:
    """The column of the tags where none was named: the last one, unless it holds none and others do.

    Raises:
        InputError: a header over several columns of named entities; or tags that stand elsewhere.
    """
    last, rows = layout.width, [token for s in sentences for token in s.tokens]
    spans = [k + 1 for k in range(1, last) if _has_spans([row[k] for row in rows])]
    entities = [k for k in spans if layout.header and layout.header[k - 1].lower().startswith("ne")]
    filled = [row[-1] for row in rows if row[-1] != _NOTHING]
    # a system that finds nothing, or a level of tags that is not used: only who made the file knows
    empty = bool(spans and filled) and set(filled) == {"O"}
    tagged = filled and 2 * sum(map(_is_tag, filled)) > len(filled) and not empty
    if len(entities) < 2 and (last in spans or not spans or tagged):
        return last
    if len(spans) == 1 and not empty:
        return spans[0]
    named = ", ".join(f"{layout.header[k - 1]} ({k})" if layout.header else str(k) for k in spans)
    raise InputError(
        f"the last column ({last}) holds no span, and tags of spans stand in: {named}"
        if empty
        else f"tags of spans stand in several columns: {named}",
        file=file,
        line=sentences[0].lines[0] if not layout.header else 1,
        remedy=f"say which: --reader conll:tag={spans[0]}" + (f", or conll:tag={last}" if empty else ""),
    )


def _has_spans(cells: Sequence[str]) -> bool:
    """Whether a column tags spans: nothing else, and some span."""
    return all(SPAN_TAG.fullmatch(cell) or cell == _NOTHING for cell in cells) and any(
        cell not in ("O", _NOTHING) for cell in cells
    )


def _is_break(line: str) -> bool:
    return not line.strip() or line.startswith(_DOCUMENT)


def _splitter(first: str) -> Callable[[str], list[str]]:
    """How lines like the first one are cut: at tabs, unless there are blanks inside the cells, too."""
    if "\t" in first and not any(" " in cell.strip() for cell in first.split("\t")):
        return lambda line: [cell.strip(" ") for cell in line.split("\t")]
    return lambda line: _BLANKS.split(line.strip(" \t"))


def _join_words(cell: str) -> str:
    """A cell as one of several that are joined by blanks."""
    return "_".join(cell.split()) or "_"


def _tokens(sentences: Sequence[_Sentence]) -> Questions | None:
    """The tokens of each sentence: the first column, or the second behind numbers of tokens; None where it is tags."""
    column = int(all([t[0] for t in s.tokens] == [str(i + 1) for i in range(len(s.tokens))] for s in sentences))
    rows = [token for s in sentences for token in s.tokens]
    if column == len(rows[0]) - 1 or _has_spans([row[column] for row in rows]):
        return None
    tokens = tuple(tuple(token[column] for token in s.tokens) for s in sentences)
    return Questions(tokens=tokens, lines=tuple(tuple(s.lines) for s in sentences))


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


def _column(sentences: Sequence[_Sentence], column: int, file: str) -> tuple[str, ...]:
    """The tags of each sentence, joined by blanks.

    Raises:
        InputError: ``_`` among tags of spans.
    """
    found = tuple(" ".join(_join_words(token[column - 1]) for token in s.tokens) for s in sentences)
    tags = {token[column - 1] for s in sentences for token in s.tokens}
    if _NOTHING in tags and tags != {_NOTHING} and all(map(SPAN_TAG.fullmatch, tags - {_NOTHING})):
        line = next(n for s in sentences for n, t in zip(s.lines, s.tokens, strict=True) if t[column - 1] == _NOTHING)
        raise InputError(
            f"column {column} holds '_', expected O or the tag of a span",
            file=file,
            line=line,
            remedy="write O where there is no span, or name another column: --reader conll:tag=N",
        )
    return found
