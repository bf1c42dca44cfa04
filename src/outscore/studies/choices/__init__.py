"""Free choices among analyses: of a metric, of a test, of a cut-off, of the size of the sample."""

from __future__ import annotations

from typing import Literal

from outscore.base.lazy import dataclass
from outscore.studies import FolderStudy, option, study

Which = Literal["baseline", "all"]
"""Which pairs: each system against the first one, or every two."""


@dataclass(frozen=True)
class FreeChoice(FolderStudy):
    """A study of what a free choice among analyses of the same pairs does to p."""

    pairs: Which = option("baseline", "All with the baseline, or all pairs.")
    by: str = option("", "Column whose values are test sets, as genres.")
    versions: int = option(2000, "Null versions of each pair.", "On them false positives are counted.")


@study("metrics")
@dataclass(frozen=True)
class Metrics(FreeChoice):
    """Effect of the choice of a metric on p: every pair under every metric given.

    The smallest p of several metrics is significant more often than alpha where nothing is to be found, the less the
    metrics are correlated the more often. That is counted on null versions of these very data: the two systems' outputs
    are permuted item by item at random, the same way under all metrics. The same permutations give p (randomization)
    and its two corrections over the metrics of a pair: Holm's, and the joint one by the largest gain of all metrics
    (step-down maximum), which uses that metrics are alike.

    Source: Søgaard et al. 2014, §3.3, Tables 2 and 3; Westfall and Young 1993.
    """

    question = "What does the choice of a metric do to p?"
    citation = "Søgaard et al. 2014"
    example = "outscore study metrics -r ref.txt base.txt new.txt -m bleu -m chrf -m ter --plot metrics.svg"


@study("tests")
@dataclass(frozen=True)
class Tests(FolderStudy):
    """Test beside test on the same pairs: how far their p-values lie apart, and how many pairs each decides.

    Every two systems are compared by every test named, and by what ignores that both answered the same items: a z test
    of independent samples, "the other score lies outside the interval of this one", "the intervals do not overlap". All
    errors are the jackknife's of the same items, so that the rules differ in nothing but the pairing.

    With --repeats the first test is done again with other seeds: how far its p moves, and how far pairs that are tested
    on the same resamples move together.

    Source: Berg-Kirkpatrick, Burkett and Klein 2012, §2.1, footnotes 1 to 3 and 5, and §5; Søgaard et al. 2014, §2.
    """

    question = "Does it matter which test is taken?"
    citation = "Berg-Kirkpatrick et al. 2012; Søgaard et al. 2014"
    example = "outscore study tests -r ref.txt 'system*.txt' -m bleu --plot tests.svg"

    tests: str = option(
        "bootstrap bootstrap:form=percentile bootstrap:centre=boot_mean randomization t",
        "Tests, with blanks; the first is compared with.",
        "One that refuses a pair is left out, and said.",
        shown="bootstraps, randomization, t",
    )
    repeats: int = option(0, "Seeds with which the first test is done again.", "For the noise of resampling.")


@study("covariates")
@dataclass(frozen=True)
class Covariates(FreeChoice):
    """Effect of a cut-off on p: items up to each length, or to each value of a column of numbers.

    A gain on sentences of up to 22 words is one of many that could have been reported. All cut-offs are shown, with the
    gain and its interval at each; the systems' outputs are permuted item by item at random, the same way for all
    cut-offs, which gives p (randomization) and its two corrections over all cut-offs: Holm's, and the joint one by the
    largest gain of all cut-offs (step-down maximum). How often a free choice of the cut-off finds something where there
    is nothing is counted on null versions of these very data. All of it is exploration: a cut-off that was not chosen
    beforehand counts with the corrected p.

    Source: Søgaard et al. 2014, §3.5, Figure 6; Westfall and Young 1993.
    """

    question = "What does a cut-off do to p?"
    citation = "Søgaard et al. 2014"
    example = "outscore study covariates -r ref.txt base.txt new.txt -m bleu --plot lengths.svg"

    covariate: str = option("", "Column of numbers.", shown="words of the first reference")
    side: Literal["up-to", "from", "both"] = option("up-to", "Items up-to a cut-off, from it on, or both.")
    cutoffs: int = option(20, "Number of cut-offs.", "At equal proportions of the items.")
    at: str = option("", "The cut-offs themselves, with commas.", "All items are one of them.")
    least: int = option(20, "Items that each cut-off must leave at least.")


@study("sample-size")
@dataclass(frozen=True)
class SampleSize(FreeChoice):
    """Effect of the size of the sample on p: p as items come in, and on subsets of the items.

    The sample grows in equal steps, in random order or as given. Whoever tests at each step and stops at the first
    small p finds something where there is nothing far more often than alpha: counted on null versions of these data,
    beside the normal law of Armitage, McPherson and Rowe 1969. Two answers hold at all steps together: p corrected
    jointly over the steps (step-down maximum), and the e-value of a confidence sequence, which may be looked at after
    every item (means of items only). Then random subsets of the items, without replacement: the proportion of them
    on which the test is significant, which is its power at that size and nothing else; on all items it is 0 or 1.

    Source: Søgaard et al. 2014, §3.4, Figures 3 to 5, Table 4.
    """

    question = "What does the size of the sample do to p?"
    citation = "Søgaard et al. 2014"
    example = "outscore study sample-size -r ref.txt base.txt new.txt -m bleu --plot sizes.svg"

    steps: int = option(10, "Steps in which the sample grows.")
    order: Literal["random", "given"] = option("random", "Order of the items: random, or as they are given.")
    fractions: str = option("0.1,0.25,0.5,0.75,1", "Proportions of items of subsamples, with commas.")
    subsamples: int = option(100, "Subsamples of each proportion.")
    lowest: float = option(0.0, "Lowest score that an item can have.", "For the answer at any time.")
    highest: float = option(1.0, "Highest score that an item can have.", "For the answer at any time.")

    @property
    def of_given_order(self) -> bool:
        return self.order == "given"
