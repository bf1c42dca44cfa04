"""The work of ``compare`` by a test of another kind than of pairs: the numbers of systems that may be apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from outscore.base.errors import UsageError
from outscore.data.collection import list_pairs
from outscore.multiplicity import adjust as corrections
from outscore.results.comparison import Comparison
from outscore.significance import Named
from outscore.significance.independent import IndependentTest
from outscore.significance.omnibus import OmnibusTest
from outscore.significance.settings import Settings
from outscore.verbs.compare import Compare
from outscore.verbs.compare.independent import (
    IndependentComparison,
    compare_all,
    correct_all,
    name_of,
    pair_record,
)
from outscore.verbs.compare.margins import margins_of
from outscore.verbs.compare.omnibus import MetricFinding, findings, overall_record, post_hoc_records
from outscore.verbs.compare.posterior import Beliefs, infer_samples
from outscore.verbs.declared import declared
from outscore.verbs.shared.inputs import align_apart_from, baseline_of, check_resamples, check_several
from outscore.verbs.shared.measured import runtime_of
from outscore.verbs.shared.naming import attribute, score_name
from outscore.verbs.shared.records import unique_notes
from outscore.verbs.shared.samples import SharedItems, Systems

_OF_PAIRS = ("margin", "by", "interval", "strata", "history", "flips", "words")
"""Options of tests of pairs."""


def compare_apart(data: Any, named: Named, asked: Compare) -> Comparison:
    """The comparison by a test of independent samples or of several systems."""
    n_resamples, alternative, unit = asked.n_resamples, asked.alternative, asked.unit
    _refuse_given(asked, named)
    if asked.missing == "pairwise":
        raise UsageError(f"--missing pairwise belongs to tests of pairs, and {named.name} is none: leave it out")
    if n_resamples == "auto":
        raise UsageError("-n auto belongs to tests of pairs; give a number of resamples")
    check_resamples(n_resamples)
    settings = Settings(
        alternative=alternative,
        alpha=asked.alpha,
        n_resamples=n_resamples,
        seed=asked.seed,
        engine=asked.engine,
        runtime=runtime_of(asked.jobs, asked.progress),
    )
    correction = "holm" if asked.correction == corrections.AUTO else asked.correction
    corrections.adjust([], correction)  # a wrong name is said before any work
    aligned = align_apart_from(data, references=asked.references, items=asked.items, missing=asked.missing)
    check_several(*aligned)
    kept = None if asked.cache is None else Path(asked.cache)
    systems = Systems([SharedItems.of(part, asked.metrics, asked.cluster, settings, kept) for part in aligned])
    first = baseline_of(systems.names, asked.baseline)
    if isinstance(named, IndependentTest):
        found = correct_all(compare_all(named, systems, first, unit, settings, all_pairs=asked.all_pairs), correction)
        answers: Sequence[IndependentComparison | MetricFinding] = found
        said = attribute((name_of(one, systems), one.notes) for one in found)
        pairs, overall = [pair_record(one, systems, critical=asked.critical) for one in found], []
    else:
        assert isinstance(named, OmnibusTest)
        if alternative != "two-sided":
            raise UsageError(f"--alternative {alternative}: {named.name} looks at all systems at once and has no side")
        answers = of_all = findings(named, systems, unit, settings)
        brought = [(each, pair) for each in of_all for pair in post_hoc_records(each, systems, first)]
        pairs = [pair for _, pair in brought]
        overall = [overall_record(each) for each in of_all]
        said = attribute((f"under {each.numbers.metric}", each.notes) for each in of_all)
        under = [f" under {pair.metric}" * (len(of_all) > 1) for pair in pairs]
        said += attribute(
            (f"{pair.system!r} against {pair.baseline!r}{metric}", each.numbers.note_limits(pair.ci))
            for (each, pair), metric in zip(brought, under, strict=True)
        )
        correction = next((each.outcome.pairs_method for each in of_all if each.outcome.pairs), "none")
    beliefs = _believe(asked, named, systems, first, settings)
    scores = systems.scores()
    said += attribute((score_name(record, len(systems.metrics)), extra) for record, extra in scores)
    source = systems.provenance(answers, settings, named.label, correction)
    return Comparison(
        baseline=systems.names[first],
        seed=asked.seed,
        alpha=asked.alpha,
        alternative=alternative,
        correction=correction,
        scores=tuple(record for record, _ in scores),
        pairs=tuple(pairs),
        overall=tuple(overall),
        posteriors=beliefs.records,
        notes=unique_notes([*systems.notes(), *said, *beliefs.notes]),
        provenance=replace(source, citations=tuple(dict.fromkeys([*source.citations, *beliefs.citations]))),
    )


def _believe(asked: Compare, named: Named, systems: Systems, first: int, settings: Settings) -> Beliefs:
    """The posteriors of the pairs that a test of independent samples compares, where they are asked for."""
    if asked.posterior is None:
        return Beliefs()
    if not isinstance(named, IndependentTest):
        raise UsageError(
            f"--posterior is about pairs of systems, and {named.name} about all at once: name another test"
        )
    part, place = (systems.parts[0], first) if len(systems.parts) == 1 else (systems.parts[first], 0)
    margins = margins_of(asked.margin, part.made.by_metric, place)
    pairs = list_pairs(range(len(systems.names)), first, all_pairs=asked.all_pairs)
    return infer_samples(asked.posterior, systems, pairs, margins, settings)


def _refuse_given(asked: Compare, named: Named) -> None:
    """Raises UsageError for an option that only tests of pairs have."""
    given = next((one for one in declared(Compare) if one.name in _OF_PAIRS and one.changes(asked)), None)
    if given is not None and given.name == "margin" and asked.posterior is not None:
        given = None  # the ROPE
    if given is not None:
        flag = next(iter(given.said.flags), f"--{given.name}")
        raise UsageError(f"{flag} belongs to tests of pairs, and {named.name} is none: leave it out")
