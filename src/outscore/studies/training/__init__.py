"""Systems that are trained on training sets drawn anew, and what the size of these sets does."""

from __future__ import annotations

from typing import Literal

from outscore.base.lazy import dataclass
from outscore.studies import FolderStudy, option, study


@study("training-sets")
@dataclass(frozen=True)
class TrainingSets(FolderStudy):
    """Outputs under other training sets: draws the sets, trains every system on each, collects the outputs.

    Training sets of each size are drawn from the items of one file, with replacement unless told otherwise, and written
    with a manifest that has a line for each training. With --run, a command is run for each line, with the names of
    files filled in: {train}, {index} (the numbers of the items, from 0), {test}, {output}, {seed}, {size}, {draw}.
    Outputs that are there are not made again. With --no-start nothing is run: any scheduler can do the lines of the
    manifest, each with --only. Without --train, what the manifest in --out holds is done or collected.

    All systems are trained on the same sets. Then the commands of other studies that compare the outputs are printed.

    Source: Berg-Kirkpatrick, Burkett and Klein 2012, §3.2.1.
    """

    question = "What would other training sets have given?"
    takes = "nothing"
    citation = "Berg-Kirkpatrick et al. 2012"
    example = (
        "outscore study training-sets --train train.conllu --test test.conllu --unit block --sizes 1000,4000 "
        "--out sets --run 'hmm=python hmm.py {train} {test} {output} {seed}'"
    )

    train: str = option("", "File that training sets are drawn from.", "Plain or gzip.")
    test: str = option("", "Test file that commands get as {test}.")
    unit: Literal["line", "block"] = option(
        "line", "Draw each line, or each block between blank ones.", "Blocks are sentences of CoNLL-U."
    )
    sizes: str = option("", "Items of a training set, with commas.", "Several sizes.", shown="all that there are")
    count: int = option(10, "Training sets of each size.")
    replace: bool = option(True, "Draw items with replacement.", "As the source does; without, none comes twice.")
    out: str = option("training-sets", "Folder of training sets, outputs and logs.", "And of the manifest.")
    run: str = option("", "Command that trains and answers.", "Or a file with a line NAME=COMMAND for each system.")
    start: bool = option(True, "Run the commands here, or write them down only.")
    only: int | None = option(None, "Do this line of the manifest alone.", "From 1.")
    gold: str = option("", "References for the printed commands.", shown="--test")
    measure: str = option("", "Metrics for the printed commands, with commas.", shown="of the references")


@study("training-size")
@dataclass(frozen=True)
class TrainingSize(FolderStudy):
    """How much does more training data buy, and how much of a score is luck with the training set, or the test set?

    Systems are named ``MODEL.SIZE``, as ``hmm.1000``, and have a run for each training set of that size, as
    ``outscore study training-sets`` makes them. The spread over training sets is the standard deviation of the scores
    of the runs; that over test items is the bootstrap standard error of a run, averaged over runs (s_test and s_sel of
    Clark et al. 2011). The first says how far another training set would have moved the score, the second another test
    set. Both together are the error of one trained system as a measurement of the method.

    Source: Berg-Kirkpatrick, Burkett and Klein 2012, §3.2.1, for the training sets; Clark et al. 2011, §3, for the
    spreads.
    """

    question = "How much does more training data buy, and how much of a score is luck?"
    citation = "Clark et al. 2011"
    example = "outscore study training-size -r gold.conllu 'hmm.1000=hmm.1000.*' 'hmm.4000=hmm.4000.*' --plot size.svg"

    times: float = option(1.96, "Standard deviations to each side of an interval.", "Of the picture.")
