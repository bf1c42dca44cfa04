"""The paragraph of a paper that says how systems were compared: data, metrics, tests, corrections, intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from outscore.results.declared import Writer
from outscore.results.methods import describe_samples, describe_size, distinct, level_of_intervals
from outscore.results.naming import describe_correction, describe_interval, describe_test
from outscore.results.pairs import Pair
from outscore.results.result import Result

_MOST_NAMES = 8


def tell_data(result: Result, w: Writer, against: str = "") -> Iterator[str]:
    """Which systems were compared, by which metrics, on what, with the signatures of the metrics."""
    systems = [name for name in dict.fromkeys(w.name(score.system) for score in result.scores) if name != against]
    named = join_names(systems) if len(systems) <= _MOST_NAMES else w.count(len(systems), "system")
    metrics = join_names([w.label(metric) for metric in result.metrics])
    beside = f" with the baseline {against}" if against else ""
    yield f"We compared {named}{beside} by {metrics} on {describe_size(result, w)}."
    yield from (f"{line[:1].upper()}{line[1:]}" for line in describe_samples(result, w))
    for metric in result.metrics:
        found = distinct((s.signature for s in result.scores if s.metric == metric), w)
        if found and found != [w.name(metric)]:
            yield f"The signature of {w.label(metric)} is {'; '.join(found)}."


def tell_tests(result: Result, pairs: Sequence[Pair], correction: str, w: Writer) -> Iterator[str]:
    """How pairs were tested and corrected, and how the intervals of their gains were made."""
    tested: dict[tuple[str, str, str, str], dict[str, None]] = {}
    for pair in pairs:
        if pair.test:
            tested.setdefault((pair.test, pair.p_kind, pair.alternative, pair.null), {})[w.label(pair.metric)] = None
    for (test, kind, side, null), metrics in tested.items():
        said = w.name(describe_test(test, kind, clustered=result.provenance.n_clusters is not None))
        of = f" in {join_names(list(metrics))}" if len(tested) > 1 else ""
        drawn = sorted({p.n_resamples for p in pairs if p.test == test and p.n_resamples is not None})
        resampled = f" with {' or '.join(f'{n:,}' for n in drawn)} resamples" if drawn else ""
        yield (
            f"Differences{of} were tested by {said}, {w.name(side)}{resampled}, at a level of {result.alpha:g}. "
            f"The null hypothesis is that {w.name(null).strip().rstrip('.')}."
        )
    yield from _tell_correction(result, pairs, correction, w)


def _tell_correction(result: Result, pairs: Sequence[Pair], correction: str, w: Writer) -> Iterator[str]:
    n = sum(p.p_value is not None or p.p_adjusted is not None for p in pairs)
    if n > 1:
        by = f"corrected by {w.name(describe_correction(correction))}" if correction != "none" else "not corrected"
        yield f"p-values of the {n} tests are {by}."
    methods = distinct((describe_interval(p.ci_method) for p in pairs if p.ci is not None), w)
    if methods:
        joint = n > 1 and correction not in ("none", "bh", "by")
        level = level_of_intervals(correction, n) if joint else ""
        each = f"simultaneous{f' ({level})' if level else ''}" if joint else "each by itself"
        made = ", ".join(methods)
        several = f"The {w.level()} intervals of gains ({made}) are {each}."
        yield several if n > 1 else f"The gain has a {w.level()} interval ({made})."
    scores = distinct((describe_interval(s.ci_method) for s in result.scores if s.ci is not None), w)
    if scores:
        yield f"Scores have {w.level()} intervals of their own ({', '.join(scores)})."


def join_names(names: Sequence[str]) -> str:
    """``a, b and c``."""
    *first, last = names or [""]
    return f"{', '.join(first)} and {last}" if first else last
