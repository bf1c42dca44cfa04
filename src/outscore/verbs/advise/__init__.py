"""``advise``: which test and interval suit the data, which do not and why, and the command to run."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from outscore.base.lazy import dataclass
from outscore.verbs.declared import Option, verb
from outscore.verbs.options import (
    Alpha,
    Alternative,
    Baseline,
    Cache,
    Cluster,
    Metrics,
    Missing,
    ReadingOptions,
    Strata,
    WorkingOptions,
)

if TYPE_CHECKING:
    from outscore.results.advice import Advice

Arguments = Annotated[
    Sequence[str] | None,
    Option(
        "the words that name the data on a command line; the steps are then commands, else calls in Python.",
        group="Output",
        only="python",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Advise(ReadingOptions, WorkingOptions):
    """Which test suits the data, which to avoid and why, and what to run.

    The advice rests on the metric, the design, the number of items and the shape of the differences, never on a p-value
    or on who is ahead: it is the same when the systems change places. Where no cluster is named, a column that seems to
    be one and makes items depend on each other is taken, and said.
    """

    files = (
        "Files are given as to `outscore compare`. With --test the tests that it names are measured on null versions "
        "of the data, in which the systems are on a par: is their level what it should be here?"
    )
    examples = (
        "outscore advise scores.csv -m accuracy",
        "outscore advise -r ref.txt base='base.run*' new='new.run*' -m bleu,chrf",
        "outscore advise scores.csv -m accuracy --cluster document --test auto,mcnemar",
        "outscore advise base=a.seg new=b.seg -f markdown -o advice.md",
        "outscore advise scores.csv --cluster document --ignore-clusters --test mcnemar",
        "outscore advise -r ref.txt base='base.run*' new='new.run*' -m bleu --test crossed,randomization,multeval",
    )
    given: ClassVar[Mapping[str, str]] = {"data": "as in ``compare``."}
    raises: ClassVar[Mapping[str, str]] = {"UsageError": "an option is wrong.", "InputError": "the data are wrong."}

    missing: Missing = "error"
    metrics: Metrics = None
    baseline: Baseline = None
    alternative: Alternative = "two-sided"
    cluster: Cluster = None
    alpha: Alpha = 0.05
    strata: Strata = None
    cache: Cache = None
    arguments: Arguments = None

    def run(self, data: Any) -> "Advice":
        """Gives the advice."""
        from outscore.verbs.advise.run import advise

        return advise(data, self)


advise = verb(Advise, "advise")
