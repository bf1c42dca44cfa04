"""From pairs of systems to their outcomes and intervals: by the named test, or by the one that suits each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.registry import options_of, spell
from outscore.data.dataset import Dataset
from outscore.metrics import Metric
from outscore.significance import Outcome, Test, notes, outcomes_of
from outscore.significance.choose import choose, make_paired
from outscore.significance.clusters import find_ignored_clusters, note_clusters
from outscore.significance.confidence import needed_for_score
from outscore.significance.gain import GainContrast
from outscore.significance.interval import IntervalMethod
from outscore.significance.resamples import Resamples
from outscore.verbs.shared.measured import Measured
from outscore.verbs.shared.records import JudgedPair


def find_descriptive(measured: Sequence[Measured]) -> list[int]:
    """The numbers of the metrics that describe beside others that do not, and are no claims then."""
    found = [p for p, m in enumerate(measured) if m.metric.descriptive]
    return found if len(found) < len(measured) else []


def judge(
    pairs: Sequence[GainContrast],
    named: Test | None,
    measured: Sequence[Measured],
    resamples: Resamples,
    method: IntervalMethod | None = None,
    *,
    beside: bool = True,
    before: Sequence[JudgedPair] = (),
) -> tuple[list[JudgedPair], Resamples]:
    """The outcomes of pairs, and the resamples with all that their tests needed, drawn once.

    Args:
        pairs: of the systems that ``resamples`` holds.
        named: the test asked for; None for the one that suits each pair.
        measured: the metrics; those that describe beside others get no test.
        method: the interval asked for, if any.
        beside: give the answers of the tests that stand beside the chosen one, too.
        before: the same with fewer resamples, if so many were not enough.

    Raises:
        UsageError: the named test cannot answer.
    """
    described = find_descriptive(measured)
    asked = [
        _asked(pair, None, beside=False) if pair.metric_index in described else _asked(pair, named, beside=beside)
        for pair in pairs
    ]
    tested = [one for one in asked if one.pair.metric_index not in described]
    questions = [(test, one.pair) for one in tested for test in (one.test, *one.beside)]
    known = [
        one for j in before if j.pair.metric_index not in described for one in (j.outcome, *(o for _, o in j.beside))
    ]
    answers, resamples = outcomes_of(questions, resamples, known)
    left = iter(answers)
    found = []
    for one in asked:
        metric = measured[one.pair.metric_index].metric
        pair = one.pair.on(resamples)
        reasons = (*one.reasons, *_note_unmatched(pair, measured[one.pair.metric_index]))
        if one.pair.metric_index in described:
            judged = JudgedPair(pair, one.test, _describe(metric), (), ())
        else:
            outcome = next(left)
            judged = JudgedPair(pair, one.test, outcome, tuple((t, next(left)) for t in one.beside), reasons)
        found.append(replace(judged, of_samples=metric.of_samples, direction=metric.direction, method=method))
    return found, resamples


def _note_unmatched(pair: GainContrast, of: Measured) -> tuple[Note, ...]:
    """The note on outputs that are never a gold label, where those of both systems are none, and not the same."""
    systems = list(of.runs)
    outputs = {of.never_gold[systems[s]][1] for s in (pair.system, pair.baseline) if systems[s] in of.never_gold}
    differ = len(outputs) == 2 and pair.identical
    return tuple(note for note in of.notes if differ and note.code == "never_gold")


def draw_for_intervals(
    judged: Sequence[JudgedPair], scores: Sequence[tuple[int, int]], resamples: Resamples, method: IntervalMethod | None
) -> tuple[list[JudgedPair], Resamples]:
    """The pairs with all drawn that their intervals need, and those of scores, by numbers of metric and system."""
    needs = [need for j in judged for need in j.needed]
    needs += [need for p, s in scores for need in needed_for_score(resamples, p, s, method)]
    resamples = resamples.draw(needs)
    return [j.on(resamples) for j in judged], resamples


@dataclass(frozen=True)
class _Asked:
    """A pair with the test that is to be run, those beside it, and why."""

    pair: GainContrast
    test: Test
    beside: tuple[Test, ...]
    reasons: tuple[Note, ...]


def _asked(pair: GainContrast, named: Test | None, *, beside: bool) -> _Asked:
    if named is None:
        choice = choose(pair)
        others = tuple(test for test in choice.beside if beside and test.refuses(pair) is None)
        reasons: tuple[Note, ...] = (choice.reason,)
        if pair.has_runs and min(pair.n_runs) < 2:
            reasons += (notes.ONE_HAS_RUNS,)
        return _Asked(pair, choice.test, others, reasons)
    if refusal := named.refuses(pair):
        raise UsageError(refusal)
    return _Asked(pair, named, (), ())


def _describe(metric: Metric) -> Outcome:
    """The outcome of a metric that describes: no test was made."""
    can = any(option.name == "tested" for option in options_of(metric))
    note = notes.note_descriptive(spell(replace(metric, tested=True)) if can else "")  # type: ignore[call-arg]
    return Outcome(p_value=None, p_kind="", notes=(note,))


def named_test(test: str | Test) -> Test | None:
    """The test asked for; None leaves the choice to the metric, the design and the number of items."""
    if isinstance(test, Test):
        return test
    return None if test == "auto" else make_paired(test)


def find_ignored(resamples: Resamples, aligned: Dataset) -> str | None:
    """The column of clusters that was not used and matters most, if there is one."""
    return next((column for column, _ in find_ignored_clusters(resamples, aligned.labels)), None)


def note_ignored_clusters(resamples: Resamples, aligned: Dataset) -> tuple[Note, ...]:
    """A note on the column of clusters that was not used and matters most, if there is one."""
    return note_clusters(find_ignored_clusters(resamples, aligned.labels))
