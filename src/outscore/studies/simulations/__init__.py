"""Made data, where the truth is known: predictive values, power and coverage, ties, free choices."""

from __future__ import annotations

from outscore.base.lazy import dataclass
from outscore.studies import FolderStudy, option, study


@study("ppv")
@dataclass(frozen=True)
class PredictiveValueStudy(FolderStudy):
    """How many of a field's significant results are true? By formula, and by simulating a field.

    Of the hypotheses of a field some are true, R for each null one. All are tested; the predictive value is the
    proportion of true ones among the significant. The formula holds the power fixed while alpha falls, as if test sets
    grew; what the same test sets give stands beside it. The second part gives authors a free choice among several
    metrics, on test sets of several sizes.

    Source: Søgaard, Johannsen, Plank, Hovy and Martínez Alonso 2014, §4, equations 1 and 2, Figures 2 and 7;
    Ioannidis 2005.
    """

    question = "How many of a field's significant results are true?"
    takes = "nothing"
    citation = "Søgaard et al. 2014; Ioannidis 2005"
    example = "outscore study ppv --odds 0.1 --power 0.5 --plot ppv.svg"

    rounds: int = option(400_000, "Simulated hypotheses at each level and size.")
    odds: float = option(0.1, "True hypotheses for each null one: odds.", "R, not a probability.")
    power: float = option(0.5, "Power of the tests, 1 - β.")
    wanted: float = option(0.95, "The predictive value that is wanted.")
    levels: str = option("0.1,0.05,0.02,0.01,0.005,0.0025,0.001,0.0005", "Levels of significance, with commas.")
    items_each: int = option(100, "Items of each test set.")
    choices: int = option(2, "Metrics to choose from.")
    correlation: float = option(0.0, "Correlation of every two metrics.")
    effect: float = option(0.2, "True gain in standard deviations.", "Of the differences, in the second part.")
    sizes: str = option("25,50,100,200,400,800", "Sizes of test sets, with commas.", "In the second part.")


@study("power-size")
@dataclass(frozen=True)
class PowerSize(FolderStudy):
    """Does power by fake data come to what the formulas say, and does the interval of the bootstrap cover?

    Fake data of each size are made with the hoped-for gain, the test is run on each, and the significant ones are
    counted: the bootstrap, as in the source, McNemar's test, t tests and a test of two proportions. Beside it stands
    the power without simulation. The second part is the interval that the source takes from the bootstrap, mean ± 2
    standard deviations: how often it covers the true accuracy, exactly, beside Wald's, Wilson's and Clopper and
    Pearson's; and what becomes of it where the score is biased, as it is centred at the mean of the resampled scores.

    Source: O'Connor 2015 (slides: bootstrap test, power analysis); Connor 1987; Brown, Cai and DasGupta 2001.
    """

    question = "Does power by fake data come to what the formulas say, and does mean ± 2 sd cover?"
    takes = "nothing"
    citation = "O'Connor 2015 (lecture slides); Brown, Cai & DasGupta 2001"
    example = "outscore study power-size -n 999 --plot power.svg"

    rounds: int = option(10_000, "Fake data sets of each size.", "For tests that take no time.")
    sets: int = option(1000, "Fake data sets for the bootstrap.", "Of each size.")
    p10: float = option(0.1, "Proportion of items that only the system has right.")
    p01: float = option(0.05, "Proportion that only the baseline has right.", "Of items.")
    sizes: str = option("50,100,200,300,400,500", "Items of the fake data, with commas.")
    effect: float = option(0.5, "Gain in standard deviations, for the t tests.")
    t_sizes: str = option("10,20,30,40,50,64", "Items of the fake data of t tests, with commas.")
    covered: str = option("50,200", "Items at which coverage is drawn, with commas.")


@study("ties")
@dataclass(frozen=True)
class Ties(FolderStudy):
    """Level of a resampling test that counts > and not ≥, where scores are often the same.

    Two systems that are right equally often differ on few items. Resampled and permuted gains then often equal the
    observed one, and a test that leaves these ties out rejects too often; of identical systems it says p = 0. The rates
    are exact: all outcomes are gone through with their probabilities, and the bootstrap law of each is computed. The
    algorithm as printed is simulated beside them.

    Source: Berg-Kirkpatrick, Burkett and Klein 2012, Figure 1 (which counts > and says "at least"); Phipson and Smyth
    2010.
    """

    question = "What becomes of a test that does not count ties?"
    takes = "nothing"
    citation = "Berg-Kirkpatrick et al. 2012; Phipson & Smyth 2010"
    example = "outscore study ties --sizes 10,20,50,100 -n 999 --plot ties.svg"

    sizes: str = option("10,20,50,100,200,500", "Numbers of items, with commas.")
    disagreement: float = option(0.05, "Proportion on which just one system is right.", "Of items.")
    rounds: int = option(2000, "Simulated test sets of each size.", "For the algorithm as printed.")


@study("toys")
@dataclass(frozen=True)
class Toys(FolderStudy):
    """Two systems that are the same: how often is something significant, if there is something to choose?

    Normal data without any difference are tested again and again: once; with a free choice among metrics, random parts
    of the test set, sample sizes; with looks at growing data; by a bootstrap of few items; by a t test that ignores
    clusters. Beside it stand the law that gives the same number, and what the source printed. The last part adds data
    and counts what is significant no more.

    Source: Søgaard, Johannsen, Plank, Hovy and Martínez Alonso 2014, §2, §3.3 to §3.5 and Figure 2; Armitage,
    McPherson and Rowe 1969.
    """

    question = "How often is something significant where there is nothing, if there is something to choose?"
    takes = "nothing"
    citation = "Søgaard et al. 2014"
    example = "outscore study toys --rounds 20000 -n 999 --plot toys.svg"

    rounds: int = option(20_000, "Simulated data sets of each kind.")
    items_each: int = option(100, "Items of a data set.")
    levels: str = option("0.05,0.01", "Levels of significance, with commas.")
    sizes: str = option("10,20,30,50,100,200", "Items of the bootstrap, with commas.")
    growth: str = option("50,100,200,400,800", "Sizes of a growing sample, with commas.")
    gains: str = option("0,0.1,0.2", "True gains of the growing sample.", "In standard deviations of the differences.")
