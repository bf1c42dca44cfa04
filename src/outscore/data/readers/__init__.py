"""Readers: one file format each, known by its content or by ``--reader NAME``.

A reader is one file here with ``@reader("name")``, or one with those that share its code, or a class that another
package offers by the entry point ``outscore.readers``. It is a frozen dataclass; its fields are its options.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import PurePath
from typing import ClassVar, Literal

from outscore.base.lazy import dataclass
from outscore.base.notation import TEXT
from outscore.base.notes import Note
from outscore.base.registry import Registry
from outscore.data.choices import ColumnChoice
from outscore.data.run import Gold, Run
from outscore.data.source import Source, unpacked_name
from outscore.results.result import SourceFile

Role = Literal["system", "reference", "items"]


@dataclass(frozen=True, kw_only=True)
class Sniffed:
    """The beginning of a file, by which a reader knows whether it can read it.

    Attributes:
        file: name as given.
        lines: the first lines, without line ends, about 64 KB of them; none where the file is no text.
        start: the first bytes, by which binary formats are known.
        role: what the user gave the file as.
        has_references: references are given, so that system files hold texts or labels, not scores.
    """

    file: str
    lines: tuple[str, ...]
    start: bytes = b""
    role: Role = "system"
    has_references: bool = False

    @property
    def suffix(self) -> str:
        """Lower-case suffix, without that of what compressed it: ``.tsv`` for ``x.tsv.gz``; empty if there is none."""
        return PurePath(unpacked_name(self.file.lower())).suffix


@dataclass(frozen=True, kw_only=True)
class Context:
    """Everything that is known of a file besides its text.

    Attributes:
        file: name as given, for messages.
        stem: name of the system when neither the command line nor the file has one.
        sha256: digest of the stored bytes.
        role: what the user gave the file as.
        system: the name that the user gave (``NAME=FILE``), or None.
        run: name of this file among several of one system, or None.
        has_references: references are given.
        choices: what the user says of the columns of tables.
        measures: words of the metrics that the user asks for.
        select: pattern of the systems that the user picked from the file (``FILE#PATTERN``), or None.
        alone: no file names any system, so the columns of a gold table must be the systems.
    """

    file: str
    stem: str
    sha256: str
    role: Role = "system"
    system: str | None = None
    run: str | None = None
    has_references: bool = False
    choices: tuple[ColumnChoice, ...] = ()
    measures: frozenset[str] = frozenset()
    select: str | None = None
    alone: bool = False

    def source(self, reader: str, n_items: int, role: str | None = None) -> SourceFile:
        """The record of this file for the provenance."""
        return SourceFile(file=self.file, role=role or self.role, reader=reader, sha256=self.sha256, n_items=n_items)

    def content_of(
        self,
        reader: str,
        texts: tuple[str, ...],
        *,
        ids: tuple[str, ...] | None = None,
        notation: str = TEXT,
        notes: tuple[Note, ...] = (),
    ) -> Content:
        """The content of a file that holds a text for each item: references, or the outputs of one system.

        Args:
            notes: of the outputs.
        """
        origin = self.source(reader, len(texts))
        if self.role == "reference":
            return Content(golds=(Gold(ids=ids, references=(texts,), notation=notation, source=origin),))
        run = Run(
            system=self.system or self.stem,
            run=self.run or "1",
            ids=ids,
            outputs=texts,
            notation=notation,
            notes=notes,
            source=origin,
        )
        return Content(runs=(run,))


@dataclass(frozen=True, kw_only=True)
class Content:
    """The content of one file.

    Attributes:
        runs, golds: its systems, its references and descriptions.
        followed: the choices of the user that fitted this table; ``headers`` are its columns.
        notes: what a reader of the result must know of a file that holds no system to say it of.
    """

    runs: tuple[Run, ...] = ()
    golds: tuple[Gold, ...] = ()
    followed: frozenset[ColumnChoice] = frozenset()
    headers: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Reader(ABC):
    """One file format.

    Class attributes:
        description: one line for the list of readers.
        example: the beginning of such a file.
        priority: readers are asked in this order, smallest first.
        roles: what such a file can be given as.
        metric: what its files are about, where no metric is named: ``mean:column=comet``.
        with_texts: the reader with the options by which it reads outputs too, if its files hold them beside scores.
        extra: the extra of this package that brings the library it needs, if any.
        binary: the format is no text; only such readers are asked about files that are none.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    example: ClassVar[str]
    priority: ClassVar[int] = 50
    roles: ClassVar[tuple[Role, ...]] = ("system", "reference", "items")
    metric: ClassVar[str] = ""
    with_texts: ClassVar[str] = ""
    extra: ClassVar[str] = ""
    binary: ClassVar[bool] = False

    @abstractmethod
    def sniff(self, head: Sniffed) -> bool:
        """Whether a file that begins like this is of this format; right files with one bad line are, too."""

    @abstractmethod
    def read(self, source: Source, context: Context) -> Content:
        """The content of a file: ``source.text``, or ``source.data`` for binary formats.

        Raises:
            InputError: with file and line, what was found, what was expected and how to mend it.
        """


_FAMILIES = {
    "arrow": "parquet",
    "duckdb": "database",
    "giza": "pharaoh",
    "inspect": "inspect_log",
    "kaldi": "transcripts",
    "numpy": "arrays",
    "qrels": "trec",
    "sclite": "transcripts",
    "sqlite": "database",
    "trec-eval": "trec",
    "trn": "transcripts",
}
"""The readers that are not in a module of their own name, with that in which they are."""

readers: Registry[Reader] = Registry("reader", "outscore.data.readers", "outscore.readers", families=_FAMILIES)
reader = readers.register
