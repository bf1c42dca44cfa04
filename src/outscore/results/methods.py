"""How something was found, in words that several kinds of results share, and as the paragraph of a paper."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from outscore.results.buckets import tell_buckets
from outscore.results.declared import Writer
from outscore.results.details import describe_correction, describe_interval, describe_test
from outscore.results.pairs import Overall, Pair
from outscore.results.result import Result, Score

_MOST_NAMES = 4
_MOST_SCORES = 4
_MOST_SYSTEMS = 8
IDLE = " Nothing is resampled, whatever -n/--resamples is."
_DRAWING = ("posterior", "critical", "words", "curve")
"""Options whose numbers may be drawn."""


def describe_scores(scores: Sequence[Score], w: Writer) -> Iterator[str]:
    """Each score with its interval; of many systems the best and the last."""
    metrics = list(dict.fromkeys(score.metric for score in scores))
    for metric in metrics:
        of = [score for score in scores if score.metric == metric]
        if len(of) <= _MOST_SCORES:
            said = (f"{w.name(s.system)} scores {w.scored(s.score, metric)}{_by(s, w)}{_ends(s, w)}" for s in of)
            yield f"{'; '.join(said)}."
            continue
        best, *_, last = sorted(of, key=lambda s: s.score, reverse=of[0].higher_is_better is not False)
        ends = f"({w.scored(best.score, metric)}) and {w.name(last.system)} last ({w.score(last.score, metric)})"
        untested = "; whether they differ is not tested here: outscore rank" if metric == metrics[-1] else ""
        yield f"Of {w.count(len(of), 'system')} {w.name(best.system)} is first {ends}{untested}."


def _by(score: Score, w: Writer) -> str:
    """The metric, where it is no unit that stands behind the score."""
    return "" if w.label(score.metric) in w.scored(score.score, score.metric) else f" by {w.label(score.metric)}"


def _ends(score: Score, w: Writer) -> str:
    if score.ci is None or not all(map(math.isfinite, score.ci)):
        return ""
    low, high = (w.score(end, score.metric) for end in score.ci)
    return f" ({w.level()} CI {low} to {high})"


def describe_scoring(result: Result, w: Writer) -> str:
    """How the intervals of scores were made, and of what size the test set is, on one line."""
    methods = distinct((describe_interval(s.ci_method) for s in result.scores if s.ci is not None), w)
    made = f"{w.level()} intervals, each by itself: {', '.join(methods)}. " if methods else ""
    return f"{made}{end_with_size(result, w)}"


def end_with_size(result: Result, w: Writer) -> str:
    """The size of the test set; and that nothing is resampled, where a number of resamples was asked for."""
    return f"{describe_size(result, w)}.{IDLE if _is_idle(result) else ''}"


def _is_idle(result: Result) -> bool:
    """Whether a number of resamples was asked for that no number rests on."""
    if "n_resamples" not in result.changed_options or any(result.options.get(name) for name in _DRAWING):
        return False
    return not _holds_resamples({n: part for n, part in result.to_dict().items() if n not in ("options", "provenance")})


def _holds_resamples(part: Any) -> bool:
    """Whether some number in a record, as plain JSON, comes from resamples."""
    if isinstance(part, Mapping):
        return any(
            (name == "n_resamples" and value is not None)
            or (name.endswith("ci_method") and "bootstrap" in str(value))
            or _holds_resamples(value)
            for name, value in part.items()
        )
    return isinstance(part, list | tuple) and any(map(_holds_resamples, part))


def list_tests(result: Result, found: Sequence[Pair | Overall], w: Writer) -> Iterator[str]:
    """Each test in words, with its side, and with its metrics where those differ; of many the first."""
    metrics: dict[str, list[str]] = {}
    for one in found:
        if one.test:
            side = w.name(one.alternative) if isinstance(one, Pair) else ""
            clustered = result.provenance.n_clusters is not None
            said = ", ".join(filter(None, (w.name(describe_test(one.test, one.p_kind, clustered=clustered)), side)))
            metrics.setdefault(said, []).append(w.label(one.metric))
    differ = len({frozenset(of) for of in metrics.values()}) > 1
    for number, (said, of) in enumerate(metrics.items()):
        if number == _MOST_NAMES - 1 < len(metrics) - 1:
            yield f"{len(metrics) - number} other tests"
            return
        yield f"{said} ({', '.join(dict.fromkeys(of))})" if differ else said


def describe_size(result: Result, w: Writer) -> str:
    """Items, by metric or by system where they differ, with clusters, runs, samples and drops."""
    provenance = result.provenance
    counts: dict[int, list[str]] = {}
    metrics = dict.fromkeys(score.metric for score in result.scores)
    # systems with items of their own are told apart by name
    apart = any(len({score.n_items for score in result.scores if score.metric == m}) > 1 for m in metrics)
    for score in result.scores:
        counts.setdefault(score.n_items, []).append(w.name(score.system) if apart else w.label(score.metric))
    runs = sorted({len(score.runs) for score in result.scores})
    if len(counts) == 1:
        by_run = result.options.get("unit") == "run" and runs[-1] < 2
        text = w.count(next(iter(counts)), "run" if by_run else "item")
    else:
        each = (f"{w.count(n, 'item')} ({_some(list(dict.fromkeys(who)))})" for n, who in counts.items())
        text = ", ".join(each)
    own = sorted({p.n_items for p in getattr(result, "pairs", ()) if p.own_scores})
    if len(own) > 1:
        text = f"pairs of {own[0]:,} to {w.count(own[-1], 'item')}; {text}"
    several = {score.signature.partition("nrefs:")[2].partition("|")[0] for score in result.scores} - {"", "1"}
    text += f" with {max(several).replace('var', 'several')} references each" if several else ""
    if provenance.n_clusters is not None:
        text += f" in {w.count(provenance.n_clusters, 'cluster')}"
        text += f" ({w.name(provenance.cluster)})" if provenance.cluster else ""
    text += f", {runs[0]} to {runs[-1]} runs" if len(runs) > 1 else f", {runs[0]} runs" if runs and runs[0] > 1 else ""
    if provenance.dropped:
        text += f", {len(provenance.dropped):,} of {provenance.n_items_read:,} dropped"
    return text


def _some(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= _MOST_NAMES else f"{', '.join(names[:_MOST_NAMES])} ..."


def level_of_intervals(correction: str, tests: int) -> str:
    """The level of simultaneous intervals where the correction does not say it; empty where there are none."""
    name = correction.lower().replace("_", "-")
    if name.startswith("max"):
        return "by the same joint law"
    if name in ("sidak", "holm-sidak"):
        return f"at (1 - alpha)^(1/{tests})"
    return f"at 1 - alpha/{tests}" if name in ("holm", "bonferroni", "hochberg", "hommel") else ""


def coverage(correction: str, pairs: Sequence[Pair]) -> str:
    """Effect of the correction on the p-values and on the intervals of these pairs, if they have any."""
    name = describe_correction(correction)
    known = any(pair.ci is not None for pair in pairs)
    if correction == "none":
        return "neither p nor intervals are corrected" if known else "p is not corrected"
    if not known:
        return f"p by {name}"
    return f"p by {name}, intervals {'each by itself' if correction in ('bh', 'by') else 'simultaneous'}"


def describe_parts(correction: str, parts: Sequence[Any]) -> str:
    """The family of the intervals of gains on parts of the test set, if they have any, and how they hold together."""
    if correction in ("none", "bh", "by") or all(part.ci is None for part in parts):
        return "descriptive, each by itself"
    by = "Šidák" if "sidak" in correction else "Bonferroni"
    return f"each pair and metric a family, intervals by {by}"


def describe_pairs_of_tests(result: Result, pairs: Sequence[Pair], w: Writer) -> Iterator[str]:
    """Each test once, with its question and its null hypothesis; then floors of p that lie above alpha."""
    for test, kind, side, null, question in dict.fromkeys(
        (p.test, p.p_kind, p.alternative, p.null, p.question) for p in pairs if p.test
    ):
        asked = f" Question: {_end(w.name(question))}" if question.strip() else ""
        said = w.name(describe_test(test, kind, clustered=result.provenance.n_clusters is not None))
        yield f"Test: {said}, {w.name(side)} ({w.name(test)}).{asked} Null hypothesis: {_end(w.name(null))}"
    if pairs:
        yield "Gain: system minus baseline, signed so that positive is better."
    apart = len({pair.baseline for pair in pairs}) > 1
    floors: dict[tuple[str, float], list[str]] = {}
    for pair in pairs:
        if pair.p_min is not None and pair.p_min > result.alpha:
            who = w.name(pair.system) + (f" against {w.name(pair.baseline)}" if apart else "")
            floors.setdefault((pair.metric, pair.p_min), []).append(who)
    for (metric, floor), names in floors.items():
        who = ", ".join(names) if len(names) <= _MOST_NAMES else w.count(len(names), "pair")
        yield f"Smallest attainable {w.p(floor)} of {who} under {w.label(metric)}: alpha is out of reach."


def describe_design(result: Result, w: Writer) -> Iterator[str]:
    """Size, samples, resampling, seed, level, correction, signatures."""
    provenance = result.provenance
    pairs: Sequence[Pair] = getattr(result, "pairs", ())
    drawn = sorted({p.n_resamples for p in pairs if p.n_resamples is not None})
    if not pairs and any("bootstrap" in score.ci_method for score in result.scores):
        drawn = [provenance.n_resamples]
    said = [describe_size(result, w)]
    said += [f"{' or '.join(f'{n:,}' for n in drawn)} resamples, engine {w.name(provenance.engine)}"] if drawn else []
    said += [f"bootstrap within strata ({w.name(provenance.strata)})"] if provenance.strata else []
    said += [f"seed {result.seed}", f"alpha {result.alpha:g}"]
    correction = getattr(result, "correction", None)
    tests = sum(p.p_value is not None or p.p_adjusted is not None for p in pairs)
    if correction is not None and tests > 1:
        made = level_of_intervals(correction, tests) if any(pair.ci is not None for pair in pairs) else ""
        said.append(f"{w.count(tests, 'test')}: {w.name(coverage(correction, pairs))}{f', {made}' if made else ''}")
    yield f"{'; '.join(said)}."
    yield from describe_samples(result, w)


def describe_samples(result: Result, w: Writer) -> Iterator[str]:
    """How many samples of each item were averaged, by system where that differs; none where there is one of each."""
    samples = result.provenance.samples
    counts: dict[str, list[str]] = {}
    for system in dict.fromkeys(score.system for score in result.scores) if samples else ():
        fewest, most = samples.get(system, (1, 1))
        counts.setdefault(str(most) if fewest == most else f"{fewest} to {most}", []).append(w.name(system))
    if len(counts) == 1:
        yield f"samples: {next(iter(counts))} of each item, averaged."
    elif counts:
        parts = (f"{number} ({', '.join(systems)})" for number, systems in counts.items())
        yield f"samples of each item, averaged: {', '.join(parts)}."


def describe_intervals(result: Result, made: Mapping[str, Iterable[str]], w: Writer) -> Iterator[str]:
    """How the intervals of scores and of gains were made, and how to compute each metric again."""
    parts = [
        f"{what} {', '.join(names)}"
        for what, methods in made.items()
        if (names := distinct(map(describe_interval, methods), w))
    ]
    if parts:
        yield f"{w.level()} intervals: {'; '.join(parts)}."
    for metric in dict.fromkeys(score.metric for score in result.scores):
        found = distinct((s.signature for s in result.scores if s.metric == metric), w)
        if found and found != [w.name(metric)]:  # a name says all where all options are their defaults
            yield f"Signature of {w.label(metric)}: {'; '.join(found)}"


def distinct(texts: Iterable[str], w: Writer) -> list[str]:
    return list(dict.fromkeys(w.name(text) for text in texts if text.strip()))


def _end(text: str) -> str:
    """``text`` with a full stop, unless it ends in one."""
    text = text.strip()
    return text if not text or text[-1] in ".?!" else f"{text}."


def tell_paragraph(
    result: Result, pairs: Sequence[Pair], correction: str, w: Writer, against: str = ""
) -> Iterator[str]:
    """The sentences of a paper on data, metrics and the tests of these pairs."""
    yield from _tell_data(result, w, against)
    yield from _tell_tests(result, pairs, correction, w)
    yield from tell_buckets(getattr(result, "interactions", ()), correction, w)


def _tell_data(result: Result, w: Writer, against: str) -> Iterator[str]:
    """Which systems were compared, by which metrics, on what, with the signatures of the metrics."""
    systems = [name for name in dict.fromkeys(w.name(score.system) for score in result.scores) if name != against]
    named = join_names(systems) if len(systems) <= _MOST_SYSTEMS else w.count(len(systems), "system")
    metrics = join_names([w.label(metric) for metric in result.metrics])
    beside = f" with the baseline {against}" if against else ""
    yield f"We compared {named}{beside} by {metrics} on {describe_size(result, w)}."
    yield from (f"{line[:1].upper()}{line[1:]}" for line in describe_samples(result, w))
    for metric in result.metrics:
        found = distinct((s.signature for s in result.scores if s.metric == metric), w)
        if found and found != [w.name(metric)]:
            yield f"The signature of {w.label(metric)} is {'; '.join(found)}."


def _tell_tests(result: Result, pairs: Sequence[Pair], correction: str, w: Writer) -> Iterator[str]:
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


def join_names(names: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *first, last = names or [""]
    return f"{', '.join(first)} and {last}" if first else last
