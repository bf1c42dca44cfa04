"""Studies: empirical questions about systems, metrics and tests, a folder for those of one idea.

A study is a grid of cells, each a pure function of what it is given and a seed; a summary makes of them tables,
pictures and numbers beside those that its source published. ``outscore study NAME`` appears by itself. The opening of a
folder declares its studies: what they ask, and their options; the work stands beside it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import field
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from outscore.base.lazy import dataclass
from outscore.base.registry import Registry, spell
from outscore.jobs import Found as Found
from outscore.jobs import Spec as Spec
from outscore.verbs.declared import Option

if TYPE_CHECKING:
    from outscore.base.notes import Note
    from outscore.results.study import DataTable, Figure, Finding
    from outscore.studies.shared.material import Material

Takes = Literal["systems", "runs", "sets", "nothing"]
"""The material that a study takes: outputs or scores of systems, or nothing at all.

Systems may have several runs, or stand on several data sets.
"""

Cells = Sequence[tuple[Spec, Found]]
"""The cells that are done, in the order of the grid."""

Claim = Literal["two-sided", "winner"]
"""The claim that p is of: that the systems differ, or that the one which scored higher is better.

The latter is claimed as if that system had been named beforehand, which halves p (Berg-Kirkpatrick et al. 2012, §2.1).
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

    @property
    def asked(self) -> str:
        """Its question, where that depends on the options."""
        return self.question

    @property
    def of_given_order(self) -> bool:
        """Whether its question is about the order in which the files have the items."""
        return False

    @property
    def drawn_as(self) -> str:
        """The name that the seeds of its cells depend on."""
        return self.name

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
    def summary(self, material: Material, cells: Cells) -> Summary:
        """The summary of all cells, which come in the order of the grid."""


@dataclass(frozen=True)
class FolderStudy(Study):
    """A study whose work stands in a module beside its declaration, which is imported when there is work to do.

    The functions ``grid``, ``cell`` and ``summary`` of that module take the study first.
    """

    @property
    def work(self) -> str:
        """The module: called like the study, unless its options choose among several."""
        return self.name.replace("-", "_")

    @property
    def _work(self) -> ModuleType:
        return import_module(f"{type(self).__module__}.{self.work}")

    def grid(self, material: Material) -> list[Spec]:
        found: list[Spec] = self._work.grid(self, material)
        return found

    def cell(self, material: Material, spec: Spec, seed: int) -> Found:
        found: Found = self._work.cell(self, material, spec, seed)
        return found

    def summary(self, material: Material, cells: Cells) -> Summary:
        found: Summary = self._work.summary(self, material, cells)
        return found


def option(default: Any, help: str, more: str = "", shown: str = "") -> Any:
    """A field of a study that is an option of its command.

    Args:
        default: its default.
        help: one line, a sentence of at most 51 characters.
        more: whatever else is to be said, which ``--help`` leaves to ``--help-all``.
        shown: what is taken by default, where the default itself does not say it.
    """
    return field(default=default, metadata={"option": Option(help, more, default=shown)})


FOLDERS = {
    "all-pairs": "gain",
    "metrics": "choices",
    "tests": "choices",
    "covariates": "choices",
    "sample-size": "choices",
    "runs-size": "runs",
    "training-sets": "training",
    "training-size": "training",
    "ppv": "simulations",
    "power-size": "simulations",
    "ties": "simulations",
    "toys": "simulations",
}
"""The folder of each study that is not in one of its own name."""

studies: Registry[Study] = Registry("study", "outscore.studies", "outscore.studies", families=FOLDERS)
study = studies.register
