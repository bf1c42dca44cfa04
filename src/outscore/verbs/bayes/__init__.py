"""``bayes``: outputs or scores of two or more systems in, what to believe of each pair out; nothing is tested."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from outscore.verbs.declared import Option, verb
from outscore.verbs.options import (
    DATA,
    AllPairs,
    Baseline,
    Cache,
    Cluster,
    Metrics,
    Missing,
    ReadingOptions,
    Seed,
    WorkingOptions,
)

if TYPE_CHECKING:
    from outscore.results import Posteriors
    from outscore.significance.bayes import Method

MethodName = Annotated[
    "str | Method",
    Option(
        "auto chooses and says why; dirichlet, t, sign ...",
        "auto goes by metric and design; dirichlet, t, bootstrap, sign, signed-rank, or beta for systems with items of "
        "their own; options as t:rho=0.1 or sign:strength=2.",
        metavar="NAME",
        group="Method",
    ),
]
Rope = Annotated[
    float,
    Option(
        "Gains from -WIDTH to WIDTH do not matter.",
        "They count as practically equivalent, in the unit of the gains. Choose it before seeing the data.",
        metavar="WIDTH",
    ),
]
Draws = Annotated[
    int,
    Option(
        "Draws from posteriors that are sampled.",
        flags=("-n", "--resamples", "n_resamples"),
        metavar="NUMBER",
        least=2,
        group="Method",
    ),
]
Credibility = Annotated[
    float,
    Option(
        "Credible intervals hold 1 - alpha.",
        "A chance above 1 - alpha is called likely.",
        metavar="NUMBER",
        group="Method",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Bayes(ReadingOptions, WorkingOptions):
    """Compute the posterior chances that a system is better than the baseline.

    For each system the posterior chances that it is better, within the ROPE (region of practical equivalence) and
    worse, with the posterior mean and a credible interval, under a model and a prior that are stated. Nothing is
    tested: these chances are no p-values.
    """

    files = "Files are given as to `outscore compare`."
    examples = (
        "outscore bayes scores.csv -m accuracy --rope 0.01",
        "outscore bayes -r ref.txt baseline=base.txt new=new.txt -m bleu --rope 0.3",
        "outscore bayes folds.csv --method t:rho=0.1 --rope 0.01",
        "outscore bayes data-sets.csv --method signed-rank --rope 0.01 --all-pairs",
    )
    given: ClassVar[Mapping[str, str]] = {"data": DATA}
    raises: ClassVar[Mapping[str, str]] = {
        "UsageError": "an option is wrong, or the method cannot answer for these data.",
        "InputError": "the data are wrong.",
    }

    missing: Missing = "error"
    metrics: Metrics = None
    baseline: Baseline = None
    all_pairs: AllPairs = False
    rope: Rope = 0.0
    cluster: Cluster = None
    method: MethodName = "auto"
    n_resamples: Draws = 10_000
    alpha: Credibility = 0.05
    seed: Seed = 12345
    cache: Cache = None

    def run(self, data: Any) -> "Posteriors":
        """Finds the posterior chances."""
        from outscore.verbs.bayes.run import bayes

        return bayes(data, self)


bayes = verb(Bayes, "bayes")
