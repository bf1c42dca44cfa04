"""Bracketed trees: one a line, as EVALB reads them, or indented over several lines, as the Penn Treebank has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from outscore.base.errors import InputError, inflect
from outscore.base.lazy import dataclass
from outscore.base.notation import NotationError
from outscore.base.notation.trees import TREE, on_one_line, parse
from outscore.base.notes import Note
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.source import Source, drop_trailing_blank


@dataclass(frozen=True)
class _Piece:
    """A part of the file that should be one tree: its text and the line, from 0, on which it begins."""

    text: str
    line: int


@reader("trees")
@dataclass(frozen=True)
class Trees(Reader):
    """Trees aligned by position.

    In a file with one tree a line an empty line is a sentence without a parse, and so is a broken tree of a system.
    """

    description: ClassVar[str] = "bracketed constituency trees, one a line or indented over several (.mrg)"
    example: ClassVar[str] = "(TOP (S (NP (DT the) (NN cat)) (VP (VBD sat))))\n(TOP (NP (NN rain)))\n"
    roles: ClassVar[tuple[Role, ...]] = ("system", "reference")

    def sniff(self, head: Sniffed) -> bool:
        if head.suffix in (".mrg", ".ptb"):
            return True
        pieces = [piece for piece in _pieces(head.lines) if on_one_line(piece.text) not in ("", "(())")]
        # Most, not all: one broken tree must end in an error or a note, not in trees that are taken for sentences.
        return 2 * sum(_is_tree(piece.text) for piece in pieces) > len(pieces)

    def read(self, source: Source, context: Context) -> Content:
        lines = source.lines()
        pieces = _pieces(drop_trailing_blank(lines) if context.role == "reference" else lines)
        texts: list[str] = []
        failed: list[InputError] = []
        for piece in pieces:
            texts.append(on_one_line(piece.text))
            try:
                if not parse(piece.text).words:
                    texts[-1] = ""
            except NotationError as error:
                failed.append(_error(f"broken tree: {error}", context.file, piece.line + error.line))
                texts[-1] = ""
        without = [piece for piece, text in zip(pieces, texts, strict=True) if not text]
        if context.role == "reference" and without:
            raise next(iter(failed), _error("no tree in the gold file", context.file, without[0].line))
        if context.role != "reference" and 2 * len(failed) > len(pieces):
            raise failed[0]
        notes = _notes(without, len(failed), len(pieces), context.file)
        return context.content_of(self.name, tuple(texts), notation=TREE, notes=notes)


def _pieces(lines: Sequence[str]) -> list[_Piece]:
    """The trees of a file: its lines, or what begins with a bracket in column 1 if the lines after it are indented."""
    first = [line for line in lines if line.startswith("(")]
    indented = any(line[:1].isspace() and line.strip() for line in lines)
    if not (indented and any(line.count("(") > line.count(")") for line in first)):
        return [_Piece(line, number) for number, line in enumerate(lines)]
    begins = [i for i, line in enumerate(lines) if line.startswith("(")]
    ends = [*begins[1:], len(lines)]
    stray = next((i for i, line in enumerate(lines[: begins[0]]) if line.strip()), None)
    head = [] if stray is None else [_Piece("\n".join(lines[stray : begins[0]]), stray)]
    return head + [_Piece("\n".join(lines[i:j]), i) for i, j in zip(begins, ends, strict=True)]


def _is_tree(text: str) -> bool:
    """Whether the text is a tree with a word and a constituent; ``(applause)`` in a subtitle is none."""
    try:
        tree = parse(text)
    except NotationError:
        return False
    return bool(tree.words and tree.brackets)


def _error(found: str, file: str, line: int) -> InputError:
    return InputError(
        f"{found}, expected a tree like (S (NP (NN rain)) (VP (VBZ falls)))",
        file=file,
        line=line + 1,
        remedy="mend the tree, or take the sentence out of all files",
    )


def _notes(without: Sequence[_Piece], broken: int, n: int, file: str) -> tuple[Note, ...]:
    if not without:
        return ()
    how = f" ({inflect(broken, 'broken tree')})" if broken else ""
    return (
        Note(
            code="no_parse",
            text=f"{file} has no parse for {len(without)} of {inflect(n, 'sentence')}{how}, first in line "
            f"{without[0].line + 1}: as in EVALB they are left out of the sums of this system",
            remedy="give them a flat tree, (TOP (X (DT the) ...)), so that their brackets count as missed",
        ),
    )
