"""From a pair of systems to its outcome: by the named test, or by the one that suits it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from outscore.api.shared.panels import Measured
from outscore.api.shared.records import JudgedPair
from outscore.base.errors import UsageError
from outscore.base.notes import Note
from outscore.base.registry import options_of, spelled
from outscore.data.dataset import Dataset
from outscore.metrics import Metric
from outscore.significance import Outcome, Test, notes
from outscore.significance.choose import choose
from outscore.significance.clusters import ignored_clusters
from outscore.significance.experiment import Experiment, PairedComparison
from outscore.significance.kinds import make_paired


def describing(measured: Sequence[Measured]) -> list[int]:
    """The numbers of the metrics that describe beside others that do not, and are no claims then."""
    found = [p for p, m in enumerate(measured) if m.metric.descriptive]
    return found if len(found) < len(measured) else []


def or_described(pair: PairedComparison, named: Test | None, measured: Sequence[Measured]) -> JudgedPair:
    """The outcome of a pair, or its gain alone under a metric that describes beside others."""
    index = pair.panel_index
    return described(pair, measured[index].metric) if index in describing(measured) else judge(pair, named)


def described(pair: PairedComparison, metric: Metric) -> JudgedPair:
    """A pair under a metric that describes: its gain and interval without a test."""
    can = any(option.name == "tested" for option in options_of(metric))
    note = notes.described(spelled(replace(metric, tested=True)) if can else "")  # type: ignore[call-arg]
    return JudgedPair(pair, choose(pair).test, Outcome(p_value=None, p_kind="", notes=(note,)), (), ())


def judge(pair: PairedComparison, named: Test | None) -> JudgedPair:
    """The outcome of the named test, or of the chosen one with its reason and the answers beside it."""
    if named is None:
        choice = choose(pair)
        beside = tuple((t, t.run(pair)) for t in choice.beside if t.refuses(pair) is None)
        reasons: tuple[Note, ...] = (choice.reason,)
        if pair.has_runs and min(pair.n_runs) < 2:
            reasons += (notes.ONE_HAS_RUNS,)
        return JudgedPair(pair, choice.test, choice.test.run(pair), beside, reasons)
    refusal = named.refuses(pair)
    if refusal:
        raise UsageError(refusal)
    return JudgedPair(pair, named, named.run(pair), (), ())


def named_test(test: str | Test) -> Test | None:
    """The test asked for; None leaves the choice to the metric, the design and the number of items."""
    if isinstance(test, Test):
        return test
    return None if test == "auto" else make_paired(test)


def ignoring_clusters(experiment: Experiment, aligned: Dataset) -> tuple[Note, ...]:
    """A note on the column of clusters that was not used and matters most, if there is one."""
    return tuple(
        Note(
            code=notes.CLUSTERS_IGNORED.code,
            text=f"{notes.CLUSTERS_IGNORED.text} (column {column!r}: design effect {effect:.2f})",
            remedy=f"--cluster {column}",
        )
        for column, effect in ignored_clusters(experiment, aligned.labels)
    )[:1]
