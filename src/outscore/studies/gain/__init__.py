"""Every two systems: how large a gain must be before a test is sure of it, and which gains are decided."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from outscore.base.lazy import dataclass
from outscore.studies import Claim, FolderStudy, Spec, option, study

if TYPE_CHECKING:
    from outscore.studies.shared.material import Material

_QUESTIONS = {
    "size": "How does the gain that a test is sure of fall with the size of the test set?",
    "domain": "Is a test sure of the same gains in every domain?",
}


@study("gain")
@dataclass(frozen=True)
class GainStudy(FolderStudy):
    """How large must a gain be before a test is sure of it? By all pairs.

    Pairs of systems of one group (a team, a model trained several times) are told from others: their outputs are alike,
    so smaller gains are sure; with --classes each, every two groups make a class of their own, so that systems of
    several origins (shared tasks, models trained again) stand on one picture. The threshold at p = .05 is given twice:
    as the source does it, a quantile of the gains among the pairs whose p lies in a window, and by a curve fitted to
    all pairs, with an interval over systems. Runs of a system count as systems of one group. Why a threshold is small
    stands beside it: the correlation of the systems, item by item, and the standard error that it makes.

    With --at the rule of thumb is tried: of the pairs whose gain is near one that a paper reports, above it and below
    it, how many are significant.

    With --by size every two systems are tested on subsets of the test set: its first items, or random ones, with
    clusters kept whole. A power of n is fitted to the thresholds of the curve: its exponent is -1/2 where items are
    independent. The interval of the exponent holds for other systems and other items.

    With --by domain they are tested on as many items of each domain, with clusters kept whole. Each threshold is
    compared with the geometric mean of all domains, after bringing them to one size by the law of the root; the
    interval holds for other systems and other items of these domains, and p is corrected over the domains (Holm).

    Source: Berg-Kirkpatrick, Burkett and Klein 2012, §3.1 and §4.1.
    """

    question = "How large must a gain be before a test is sure of it?"
    citation = "Berg-Kirkpatrick et al. 2012"
    example = "outscore study gain -r ref.txt 'system*.txt' --groups teams.tsv -m bleu"

    by: Literal["whole", "size", "domain"] = option("whole", "On all items, on parts by size, or by domain.")
    test: str = option("bootstrap", "Test of each pair, or auto.")
    claim: Claim = option(
        "two-sided",
        "two-sided, or winner: as if named beforehand.",
        "winner: p of the system that scored higher.",
    )
    low: float = option(0.04, "Lower end of the window of p.")
    high: float = option(0.06, "Upper end of the window of p.")
    share: float = option(0.95, "Quantile of the gains in the window.")
    sizes: str = option(
        "",
        "Items of a part, or proportions: 100,0.5,all.",
        "Separated by commas; one number for domains.",
        shown="100, 200, 400 ..., or the smallest domain",
    )
    pick: Literal["first", "random"] = option("first", "The first items of the files, or random ones.")
    draws: int = option(1, "Random subsets of each size.", "Their pairs are put together.")
    domains: str = option("domain", "Column of the domains.")
    classes: Literal["related", "each"] = option(
        "related", "Pairs of one group and of two, or each two groups.", "Classes of one pair are in all pairs only."
    )
    at: str = option("", "Gains to try as a rule of thumb, with commas.", "Near: within a tenth of it.")

    @property
    def work(self) -> str:
        return self.by if self.by == "whole" else f"by_{self.by}"

    @property
    def asked(self) -> str:
        return _QUESTIONS.get(self.by, self.question)

    @property
    def of_given_order(self) -> bool:
        return self.by != "whole" and self.pick == "first"

    @property
    def drawn_as(self) -> str:
        return "gain" if self.by == "whole" else self.by


@study("all-pairs")
@dataclass(frozen=True)
class AllPairs(FolderStudy):
    """Which systems differ, on which data sets and by which metrics? Every two systems, a test each.

    A cell is one data set under one metric, with the resamples that all its pairs share: those of
    `outscore compare --all-pairs` on that data set with the same seed, so that its p-values are the same. They are
    corrected over everything together, or by data set and metric.

    Source: Demšar 2006, §3.2 (several data sets); Holm 1979 (the correction).
    """

    question = "Which systems differ, on which data sets and by which metrics?"
    takes = "sets"
    citation = "Demšar 2006; Holm 1979"
    example = "outscore study all-pairs scores.csv --set domain -m accuracy --resume cells --plot decided.svg"

    test: str = option("auto", "Test of each pair, as in compare.")
    correct: str = option(
        "holm",
        "Correction: holm, bh, none ...",
        "bonferroni, hochberg, hommel, sidak, holm-sidak, by.",
    )
    family: Literal["everything", "each"] = option("everything", "Corrected together: everything, or each cell.")
    pairs: Literal["all", "decided", "none"] = option("all", "Rows of the table in files: all, decided, none.")

    @property
    def of_cells(self) -> str:
        return replace(self, correct="holm", family="everything", pairs="all").label

    def part(self, material: Material, spec: Spec) -> Material:
        """One data set under one metric."""
        one = material.sets[spec["set"]]
        return replace(one, by_metric=tuple(stats for stats in one.by_metric if stats.name == spec["metric"]))
