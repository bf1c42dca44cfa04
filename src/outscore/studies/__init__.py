"""Studies: empirical questions about systems, metrics and tests, one study a file.

A study is a grid of cells, each a pure function of what it is given and a seed; a summary makes of them tables,
pictures and numbers beside those that its source published. ``outscore study NAME`` appears by itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from outscore.base.notes import Note
from outscore.base.registry import Registry, spell
from outscore.jobs import Found as Found
from outscore.jobs import Spec as Spec
from outscore.results.study import DataTable, Figure, Finding
from outscore.studies.shared.material import Material
from outscore.verbs.declared import Option

Takes = Literal["systems", "runs", "sets", "nothing"]
"""The material that a study takes: outputs or scores of systems, or nothing at all.

Systems may have several runs, or stand on several data sets.
"""


@dataclass(frozen=True, kw_only=True)
class Summary:
    """The summary of a study.

    Attributes:
        design: how it was done, in a sentence: sizes, resamples, tests.
        findings, tables, figures, notes: see ``Findings``.
    """

    design: str
    tables: tuple[DataTable, ...]
    figures: tuple[Figure, ...]
    findings: tuple[Finding, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Study(ABC):
    """One study.

    Class attributes:
        question: in a sentence that ends in a question mark.
        takes: kind of data.
        citation: the source.
        example: a command that runs it, for its help text.
    """

    name: ClassVar[str]
    question: ClassVar[str]
    takes: ClassVar[Takes] = "systems"
    citation: ClassVar[str]
    example: ClassVar[str] = ""

    @property
    def label(self) -> str:
        """Its name with the options that differ from the defaults."""
        return spell(self)

    @property
    def of_cells(self) -> str:
        """The key that tells its cells from others: its label, unless some of its options are for the summary alone."""
        return self.label

    @abstractmethod
    def grid(self, material: Material) -> list[Spec]:
        """The cells, in order.

        Raises:
            UsageError: the study cannot be made of this material; the message says what it needs.
        """

    @abstractmethod
    def cell(self, material: Material, spec: Spec, seed: int) -> Found:
        """The finding of one cell: a pure function, done by any process in any order, or twice."""

    def part(self, material: Material, spec: Spec) -> Material:
        """The part of the material given to a cell; all of it, where that is not too much for every worker to hold."""
        del spec
        return material

    @abstractmethod
    def summary(self, material: Material, cells: Sequence[tuple[Spec, Found]]) -> Summary:
        """The summary of all cells, which come in the order of the grid."""


def option(default: Any, help: str, more: str = "", shown: str = "") -> Any:
    """A field of a study that is an option of its command.

    Args:
        default: its default.
        help: one line, a sentence of at most 51 characters.
        more: whatever else is to be said, which ``--help`` leaves to ``--help-all``.
        shown: what is taken by default, where the default itself does not say it.
    """
    return field(default=default, metadata={"option": Option(help, more, default=shown)})


studies: Registry[Study] = Registry("study", "outscore.studies", "outscore.studies")
study = studies.register
