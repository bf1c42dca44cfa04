"""Picks a method by the metric and the design, and says why."""

from __future__ import annotations

from outscore.base.notes import Note
from outscore.significance.bayes import PairMethod
from outscore.significance.bayes.bootstrap import BayesianBootstrap
from outscore.significance.bayes.student import BayesianT
from outscore.significance.bayes.table_law import PairedTable
from outscore.significance.gain import GainContrast


def choose(pair: GainContrast) -> tuple[PairMethod, Note]:
    """The method for a pair and the reason, by what was measured and how, never by its outcome."""
    if pair.clustered:
        return BayesianBootstrap(), _reason(
            "posterior_clusters", "items in clusters: whole clusters get random weights"
        )
    if pair.binary:
        return PairedTable(), _reason(
            "posterior_table", "right or wrong on each item, one run: a law of the paired table"
        )
    if pair.stats.plain_mean:
        return BayesianT(), _reason("posterior_t", "a mean of items: the Bayesian t")
    return BayesianBootstrap(), _reason(
        "posterior_corpus", "a score that is no mean of items: items get random weights"
    )


def _reason(code: str, text: str) -> Note:
    return Note(code=f"auto_{code}", text=f"posterior chosen: {text}", remedy="")
