"""The methods paragraph: how the numbers were made, in words for a paper."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.base.errors import inflect
from outscore.report.footnotes import samples_line
from outscore.report.numbers import P_KINDS, level
from outscore.report.text import clean
from outscore.report.view import View, correction_label
from outscore.report.writer import ReportWriter
from outscore.results import Comparison, Findings, Leaderboard, Result


def methods(result: Result) -> str:
    """A paragraph that names data, metrics, tests with their null hypotheses, corrections, intervals, seed, version."""
    return " ".join(_sentences(result))


def _sentences(result: Result) -> Iterator[str]:
    if isinstance(result, Findings):
        yield f"{clean(result.question)} {clean(result.design)}"
    if result.scores:
        yield from _describe_scoring(result)
    if isinstance(result, Comparison):
        yield from _describe_tests(View(result, None), result)
    if isinstance(result, Leaderboard):
        w = ReportWriter(result, None)
        yield from result.describe_tests(w)
        yield (
            "Ranks of a system go from one plus the systems that beat it to all but those that it beats; "
            f"{result.claim(w)}."
        )
    source = result.provenance
    yield from (line[0].upper() + line[1:] for line in samples_line(result))
    if source.cluster is not None:
        yield f"Items were treated in {inflect(source.n_clusters or 0, 'cluster')} by {clean(source.cluster)}."
    if source.strata is not None:
        yield f"Test sets were resampled within the strata of {clean(source.strata)}."
    if source.dropped:
        yield f"{inflect(len(source.dropped), 'item')} of {source.n_items_read} were left out."
    libraries = ", ".join(f"{clean(name)} {clean(version)}" for name, version in source.libraries.items())
    yield f"Computed with outscore {clean(source.version)} ({libraries}), seed {result.seed}."


def _describe_scoring(result: Result) -> Iterator[str]:
    systems = dict.fromkeys(score.system for score in result.scores)
    runs = max(len(score.runs) for score in result.scores)
    metrics = dict.fromkeys(
        clean(s.metric) + (f" ({clean(s.signature)})" if s.signature not in ("", s.metric) else "")
        for s in result.scores
    )
    several = f" with up to {inflect(runs, 'run')} each" if runs > 1 else ""
    yield (
        f"{inflect(len(systems), 'system')}{several} were scored on {inflect(result.scores[0].n_items, 'item')} by "
        f"{'; '.join(metrics)}."
    )


def _describe_tests(view: View, result: Comparison) -> Iterator[str]:
    kinds = dict.fromkeys((p.test, p.p_kind, p.alternative, p.null, p.n_resamples) for p in view.pairs if p.test)
    for test, kind, side, null, resamples in kinds:
        drawn = f" of {resamples:,} resamples" if resamples else ""
        yield (
            f"Gains were tested by {clean(test)} ({P_KINDS.get(kind, clean(kind))}{drawn}, {clean(side)}); null "
            f"hypothesis: {clean(null)}."
        )
    if view.corrected:
        yield (
            f"p-values were corrected by {correction_label(result.correction)} over {view.family} hypotheses at level "
            f"{result.alpha:g}."
        )
    intervals = dict.fromkeys(clean(pair.ci_method) for pair in view.pairs if pair.ci is not None)
    if intervals:
        yield (
            f"Intervals of gains cover {level(result.alpha)} ({', '.join(intervals)}); a difference is claimed where p "
            f"is at most {result.alpha:g} and the interval leaves out 0."
        )
