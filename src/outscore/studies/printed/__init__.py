"""Numbers that a paper printed: what can be had from them when its outputs cannot."""

from __future__ import annotations

from outscore.base.lazy import dataclass
from outscore.studies import FolderStudy, option, study


@study("printed")
@dataclass(frozen=True)
class Printed(FolderStudy):
    """Numbers that a paper printed, and what follows from them: of runs, means, p-values, counts.

    With --runs, mean, standard deviation between runs and number of runs of two systems: how far gains of n runs of
    each scatter on this test set, and the test over new runs (Welch's t), also as if the deviations were standard
    errors. With s_sel behind them (mean,sd,runs,s_sel): the p-values that draws of n runs from such a pool have, with
    runs pooled, over runs, and over runs and items. With s_dev behind that, whether runs vary more on the test set than
    on the tuning set.

    With --means, a table of means with their errors, a line for each system, the baseline first: gains as if on
    different items, at the correlation of --alike and at any, and the correlation from which a gain is shown.

    With --p-values, a table of data sets by metrics: what a free choice of the metric adds, what is left of it after
    correction, and on how many data sets the gain holds with certainty 1 - alpha. With --counts, the four counts of a
    class, or a file with a confusion matrix (rows gold, columns predicted, both with their labels): its metrics with
    their intervals. With --right, on how many items both, one, the other and none of two systems are right: the gain
    with its interval, and McNemar's test.

    Source: Clark, Dyer, Lavie and Smith 2011, Tables 1 and 2, Figures 1 and 2; Søgaard et al. 2014, Tables 2 and 3;
    Dror et al. 2017; O'Connor 2015.
    """

    question = "What follows from the numbers that were printed?"
    takes = "nothing"
    citation = "Clark et al. 2011; Søgaard et al. 2014; O'Connor 2015 (lecture slides)"
    example = "outscore study printed --runs '48.4,0.5,300 49.9,0.4,300' --plot runs.svg"

    runs: str = option("", "Of two systems: [NAME=]mean,sd,runs for each.", "sd: between runs, as MultEval's s_test.")
    numbers: str = option("1,3,5,50", "Numbers of runs of each, with commas.")
    alike: float = option(
        0.5, "Correlation of both systems over the items.", "It is not printed; for --means and p of drawn runs."
    )
    means: str = option("", "File: system, score, and se, or sd and n.", "CSV; n alone for scores from 0 to 1.")
    p_values: str = option(
        "", "File: a line a data set, a column a metric.", "With a header; or p alone, also typed as .03,.04."
    )
    counts: str = option("", "tp,fp,fn,tn of a class; or a file: the matrix.")
    right: str = option("", "Of two systems: both,first,second,none right.")

    @property
    def asked(self) -> str:
        return ""  # its findings are the answer
