"""``study``: an empirical question about systems, metrics or tests, cell by cell."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from outscore.base.lazy import dataclass
from outscore.verbs.declared import Option, verb
from outscore.verbs.options import (
    DATA,
    Alpha,
    Alternative,
    Cache,
    Checkpoint,
    Cluster,
    Dask,
    Engine,
    Metrics,
    Missing,
    NumberOfResamples,
    ReadingOptions,
    Resume,
    Seed,
    Strata,
    WorkingOptions,
)
from outscore.verbs.replicate import Column

if TYPE_CHECKING:
    from outscore.results.study import Findings
    from outscore.studies import Study


Groups = Annotated[
    Mapping[str, str] | None,
    Option(
        "Groups of systems, as teams.",
        "A line SYSTEM, tab, GROUP for each.",
        python="the group of each system, such as its team; a system that is not named is a group of its own. Runs of "
        "one system are a group wherever a study looks at runs one by one.",
        metavar="FILE",
        group="Files",
    ),
]


@dataclass(frozen=True, kw_only=True)
class RunStudy(WorkingOptions):
    """Runs a study, one of those that take no data.

    Every cell gets a child of the seed.
    """

    reads: ClassVar[str] = ""

    n_resamples: NumberOfResamples = 10_000
    alpha: Alpha = 0.05
    alternative: Alternative = "two-sided"
    engine: Engine = "cyclic"
    seed: Seed = 12345
    dask: Dask = None
    resume: Resume = None
    checkpoint: Checkpoint = None

    def run(self, name: "str | Study", data: Any = None, **options: Any) -> "Findings":
        """Runs it, cell by cell."""
        from outscore.studies.shared.study.run import study

        return study(name, data, options, self)


@dataclass(frozen=True, kw_only=True)
class StudySystems(RunStudy, ReadingOptions):
    """Runs a study of systems."""

    files = "Files are given as to `outscore compare`."

    missing: Missing = "error"
    groups: Groups = None
    metrics: Metrics = None
    cluster: Cluster = None
    strata: Strata = None
    cache: Cache = None


@dataclass(frozen=True, kw_only=True)
class StudySets(StudySystems):
    """Runs a study.

    Every cell gets a child of the seed.
    """

    files = (
        "Files are given as to `outscore compare`. With --sets 'DIR/*' they lie in every folder of DIR, each a data "
        "set; with --set COLUMN a column tells the data sets apart."
    )
    given: ClassVar[Mapping[str, str]] = {
        "name": 'of a study, with options as in ``"gain:window=0.02"``, or a study.',
        "data": f"none for a study that takes nothing; else {DATA} For a study of data sets ``column`` tells them "
        "apart, or it is a mapping from their names to what ``compare`` takes.",
        "options": "those of the study, by name.",
    }
    raises: ClassVar[Mapping[str, str]] = {
        "UsageError": "no such study or option, or the study cannot be made of these data.",
        "InputError": "the data are wrong, or the folder.",
        "Interrupted": "Ctrl-C; the message says where the cells are kept.",
        "WorkersLostError": "workers die again and again; what is done is kept as after an interruption.",
    }

    column: Column = None


KINDS: Mapping[str, type[RunStudy]] = {
    "nothing": RunStudy,
    "systems": StudySystems,
    "runs": StudySystems,
    "sets": StudySets,
}
"""The options of a study, by what it takes."""

if TYPE_CHECKING:

    def study(name: str | Study, data: Any = None, **options: Any) -> Findings: ...

else:
    study = verb(StudySets, "study")
