"""``test``: one named test of any kind, of pairs, of independent samples or of several systems at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from outscore.verbs.declared import Option, verb
from outscore.verbs.options import (
    AllPairs,
    Alpha,
    Alternative,
    Baseline,
    Cache,
    Cluster,
    Engine,
    JointCorrection,
    Metrics,
    Missing,
    ReadingOptions,
    Resamples,
    Seed,
    WorkingOptions,
)

if TYPE_CHECKING:
    from outscore.results import Comparison
    from outscore.significance import Named

UnitOfNumbers = Annotated[
    Literal["run", "item"] | None,
    Option(
        "Of one number: the score of a run, or of an item.",
        "In a test of independent samples or of several systems; of plain numbers without ids each can be a run.",
        metavar="UNIT",
        default="run, if every system has several on the same items; else item",
    ),
]


@dataclass(frozen=True, kw_only=True)
class RunTest(ReadingOptions, WorkingOptions):
    """Run the test NAME on these systems; `outscore list tests` lists the tests and what each is for.

    A test of pairs is `outscore compare --test NAME`. Tests of independent samples and of several systems compare the
    scores of runs or of items, and systems may have items of their own. Of independent samples --correct auto is holm;
    tests of several systems have corrections of their own, and no side.
    """

    files = "Files are given as to `outscore compare`."
    examples = (
        "outscore test welch -r ref.txt base='hyps/base.run*' new='hyps/new.run*' -m bleu",
        "outscore test permutation:statistic=mean scores.csv --unit item",
        "outscore test wilcoxon base=a.seg new=b.seg",
    )
    given: ClassVar[Mapping[str, str]] = {
        "data": "as in ``compare``, or what ``read_apart`` gave; systems may have items of their own, unless the test "
        "is one of pairs.",
        "name": 'of the test, with options: ``"welch"``, ``"permutation:statistic=mean"``.',
    }
    raises: ClassVar[Mapping[str, str]] = {
        "UsageError": "an option is wrong, or the test refuses these data.",
        "InputError": "the data are wrong.",
        "Interrupted": "Ctrl-C; its ``result`` is of what had been done.",
    }

    missing: Missing = "error"
    metrics: Metrics = None
    baseline: Baseline = None
    all_pairs: AllPairs = False
    alternative: Alternative = "two-sided"
    unit: UnitOfNumbers = None
    cluster: Cluster = None
    n_resamples: Resamples = 10_000
    correction: JointCorrection = "auto"
    alpha: Alpha = 0.05
    engine: Engine = "cyclic"
    seed: Seed = 12345
    cache: Cache = None

    def run(self, data: Any, name: "str | Named") -> "Comparison":
        """Runs the test."""
        from outscore.verbs.test.run import test

        return test(data, name, self)


test = verb(RunTest, "test")
test.__test__ = False  # type: ignore[attr-defined]  # pytest: not a test of ours
