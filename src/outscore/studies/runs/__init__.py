"""Several runs of each system: the luck in a run, and what tests of runs find."""

from __future__ import annotations

from typing import Literal

from outscore.base.lazy import dataclass
from outscore.studies import FolderStudy, option, study


@study("runs")
@dataclass(frozen=True)
class RunsStudy(FolderStudy):
    """How much luck is in a run of training or optimization, and how many runs does it take to be sure of a gain?

    For each system the mean score of its runs, s_sel (how far the score would vary with other items), s_test (how far
    it varies between runs) and the median run. For each pair of systems with several runs: which gains n runs of each
    would have shown, how often the wrong sign; and which p-values, by pooled randomization as the source does it, and
    beside it by a test that is valid for new runs and new items. Runs are drawn without replacement. With scores of the
    same runs on the tuning set, s_dev beside s_test, and the run that is the median there with its score here.

    Source: Clark, Dyer, Lavie and Smith 2011, Tables 1 and 2, Figures 1 and 2.
    """

    question = "How much of a gain is luck of single runs, and how many runs does it take to be sure?"
    takes = "runs"
    citation = "Clark et al. 2011"
    example = "outscore study runs -r ref.txt baseline='baseline.run*.txt' new='new.run*.txt' -m bleu --plot runs.svg"

    pairs: Literal["baseline", "all"] = option("baseline", "All with the baseline, or all pairs.")
    numbers: str = option("", "Numbers of runs drawn of each system.", "With commas.", shown="1, 2, 3, 5, 10 ... all")
    draws: int = option(250, "Draws of each number of runs.", "All ways where there are fewer.")
    pooled: str = option("multeval", "Test that takes runs for extra items.")
    test: str = option("crossed", "Test over new runs and new items.")
    alone: str = option("randomization:exact=never", "Test of one run of each system.")
    tuning: str = option(
        "", "Saved scores of the same runs on the tuning set.", "By `outscore score ... -o FILE.json`."
    )


@study("runs-size")
@dataclass(frozen=True)
class RunsSize(FolderStudy):
    """How often do tests of several runs find a difference that is not there? Systems, runs and items are made.

    Two systems with the same expected score: a run has a level of its own, a system has a preference for each item that
    all its runs share, and each run deviates on each item; all are normal. Six tests are really run on each test set:
    randomization of one run of each; of all runs pooled, run by run, as in the source; the same as MultEval 0.5.1 codes
    it; of items with the runs averaged; Welch's t of the runs' scores; crossed t over runs and items. Theory for many
    items stands beside them.

    Source: Clark, Dyer, Lavie and Smith 2011, §4.1, describe pooled randomization and publish no such rates.
    """

    question = "How often do tests of several runs find a difference that is not there?"
    takes = "nothing"
    citation = "Clark et al. 2011"
    example = "outscore study runs-size --runs 3,10 --ratios 0,1 --rounds 1000"

    items: int = option(500, "Items of each test set.")
    runs: str = option("3,10", "Runs of each system, with commas.")
    ratios: str = option("0,1,2", "Deviation of a run's level.", "In standard errors of a difference of two runs.")
    shares: str = option("0.5", "Proportion of variance that runs have in common.", "Of the items' variance.")
    rounds: int = option(300, "Test sets of each design.")
    relabellings: int = option(199, "Permutations of each randomization test.", "Independent ones; -n changes nothing.")
    coded: int = option(5, "Most runs for MultEval's permutation as coded.", "Which is slow.")
