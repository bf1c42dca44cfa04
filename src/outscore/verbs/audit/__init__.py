"""``audit``, in Python, and ``advise --test``: tests and intervals on null versions of the user's own data."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from outscore.base.lazy import dataclass
from outscore.verbs.declared import Option, verb
from outscore.verbs.options import (
    Alpha,
    Alternative,
    Baseline,
    Cache,
    Checkpoint,
    Cluster,
    Dask,
    IntervalName,
    Metrics,
    Missing,
    ReadingOptions,
    ResamplesOfEach,
    Resume,
    Seed,
    Strata,
    WorkingOptions,
)

if TYPE_CHECKING:
    from outscore.results.audit import Audit
    from outscore.significance import Test

TESTS = Option(
    "Measure these on null versions of the data.",
    "auto is that of compare; several by commas, as bootstrap:form=percentile,t. How often each rejects, and how often "
    "the interval of the gain holds what is there, where the systems are on a par.",
    python="``auto``, names with options joined by commas, or tests; each is measured on the same null versions.",
    metavar="NAME,...",
    group="Method",
    also=("audit", "tests"),
)
Rounds = Annotated[
    int, Option("Null versions of each kind, for --test.", metavar="NUMBER", least=1, group="Method", rare=True)
]
IgnoreClusters = Annotated[
    bool,
    Option(
        "Hide the clusters from the tests, to see the cost.",
        "Null versions are made by clusters all the same.",
        rare=True,
    ),
]


@dataclass(frozen=True, kw_only=True)
class AuditTest(ReadingOptions, WorkingOptions):
    """Can a test be trusted on these data?

    Null versions of the data are made, in which the systems are on a par and clusters, runs, ties and shapes are those
    of the data. On them the test should reject in a proportion alpha of cases, and the interval of the gain should hold
    what is there in a proportion 1 - alpha.
    """

    files = "Files are given as to `outscore compare`."
    given: ClassVar[Mapping[str, str]] = {"data": "as in ``compare``."}
    raises: ClassVar[Mapping[str, str]] = {
        "UsageError": "an option is wrong, or no test can be measured.",
        "InputError": "the data are wrong, or the folder.",
        "WorkersLostError": "workers die again and again; what is done is kept as after an interruption.",
        "Interrupted": "Ctrl-C; its ``result`` is of the rounds that were done, and a note says where the rest can go "
        "on.",
    }

    missing: Missing = "error"
    metrics: Metrics = None
    baseline: Baseline = None
    alternative: Alternative = "two-sided"
    cluster: Cluster = None
    ignore_clusters: IgnoreClusters = False
    test: Annotated["str | Test | Sequence[str | Test]", TESTS] = "auto"
    rounds: Rounds = 1000
    n_resamples: ResamplesOfEach = 999
    interval: IntervalName = "auto"
    alpha: Alpha = 0.05
    strata: Strata = None
    seed: Seed = 12345
    cache: Cache = None
    dask: Dask = None
    resume: Resume = None
    checkpoint: Checkpoint = None

    def run(self, data: Any) -> "Audit":
        """Measures the tests."""
        from outscore.verbs.audit.run import audit

        return audit(data, self)


audit = verb(AuditTest, "audit")
