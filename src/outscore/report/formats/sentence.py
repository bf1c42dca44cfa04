"""The result in words, ready for a paper."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from outscore.base.errors import inflect
from outscore.report.equivalence import describe_against_margin, describe_equivalence, describe_within_margin
from outscore.report.formats import format_
from outscore.report.kinds import room_of
from outscore.report.numbers import interval, level, p_text, to_fixed
from outscore.report.overall import overall_sentences
from outscore.report.text import clean
from outscore.report.view import View, correction_label, disagreement, test_label
from outscore.results import (
    Comparison,
    Pair,
    Result,
    Score,
)

_MOST = 4


@format_("sentence")
@dataclass(frozen=True)
class SentenceFormat:
    """One sentence for each pair, or each score; for more than four one that counts them. Never the word "equal"."""

    suffixes: ClassVar[tuple[str, ...]] = ()
    has_notes: ClassVar[bool] = False

    def render(self, result: Result, *, width: int | None = None) -> str:
        """Plain text on one line; ``width`` decimals."""
        room = room_of(result)
        if hasattr(room, "sentence"):
            return f"{room.sentence(result, width)}\n"
        view = View(result, width)
        pairs = view.pairs
        if not isinstance(result, Comparison):
            return f"{_scores(view)}\n"
        said = "".join(f"{text[:1].upper()}{text[1:]}. " for text in overall_sentences(view))
        if len(pairs) > _MOST:
            return f"{said}{_count(view)}\n"
        if not pairs:
            return f"{said.rstrip()}\n"
        method = "; ".join(dict.fromkeys(_method(view, p) for p in pairs if p.verdict != "described"))
        return f"{said}{'; '.join(_finding(view, p) for p in pairs)} ({method}).\n"


def _finding(view: View, pair: Pair) -> str:
    scores = {s.system: s.score for s in view.scores(pair.metric)}
    if pair.own_scores is not None:  # on the items of this pair, of which the gain is
        scores |= dict(zip((pair.system, pair.baseline), pair.own_scores, strict=True))
    places = view.decimals(pair.metric)
    unit = view.label(pair.metric)
    system, baseline = clean(pair.system), clean(pair.baseline)
    p = pair.p_value if pair.p_adjusted is None else pair.p_adjusted
    corrected = f"{correction_label(view.correction)}-adjusted " if view.corrected else ""
    text = p_text(p, view.result.alpha)
    shown = "no p-value" if p is None else f"p {text}" if text.startswith("<") else f"p = {text}"
    shows_interval = pair.ci is not None and pair.ci_method != "degenerate"  # one point says nothing of uncertainty
    ends = f", {level(view.result.alpha)} CI {interval(pair.ci, places.gain, sign=True)}" if shows_interval else ""
    numbers = f"gain {to_fixed(pair.gain, places.gain, sign=True)}{ends}, {corrected}{shown}"
    if pair.verdict == "described":
        theirs, ours = (to_fixed(scores[s], places.score) for s in (pair.baseline, pair.system))
        gain = to_fixed(pair.gain, places.gain, sign=True)
        return f"{system} has {ours} {unit} and {baseline} {theirs}: gain {gain}{ends}, described and not tested"
    theirs, ours = (to_fixed(scores[s], places.score) for s in (pair.baseline, pair.system))
    if view.decision(pair):
        return f"{system} scores {ours} {unit} against {theirs} of {baseline}: {numbers}{describe_within_margin(pair)}"
    if pair.verdict == "equivalent" and pair.equivalence is not None:
        said = describe_equivalence(view, pair, pair.equivalence)
        return f"{system} ({ours} {unit}) is equivalent to {baseline} ({theirs}) {said}"
    claim = f"{system} ({ours} {unit}) is not shown to differ from {baseline} ({theirs})"
    return f"{claim}: {numbers}{disagreement(pair)}{describe_against_margin(view, pair)}"


def _method(view: View, pair: Pair) -> str:
    sampled = f", {pair.n_resamples} resamples" if pair.n_resamples else ""
    runs = {len(s.runs) for s in view.result.scores if s.system in (pair.system, pair.baseline)}
    count = f", {'/'.join(str(r) for r in sorted(runs))} runs" if max(runs) > 1 else ""
    test = f"{test_label(pair.test, pair.p_kind)}, {clean(pair.alternative)}"
    return f"{test}, {_size(view, pair.n_items)}{count}{sampled}"


def _size(view: View, items: int) -> str:
    """How many items, and how many units they make where they are not independent."""
    clusters = view.result.provenance.n_clusters
    return inflect(items, "item") + ("" if clusters is None else f" in {inflect(clusters, 'cluster')}")


def _scores(view: View) -> str:
    """The scores with their intervals; only the range of each metric where they are many."""
    scores = view.result.scores
    said = []
    for metric in view.metrics:
        found, unit, places = view.scores(metric), view.label(metric), view.decimals(metric).score
        if len(scores) > _MOST:
            low, high = (to_fixed(end(s.score for s in found), places) for end in (min, max))
            said.append(f"{inflect(len(found), 'system')} from {low} to {high} {unit}")
        else:
            said += [f"{clean(s.system)} scores {to_fixed(s.score, places)} {unit}{_ends(view, s)}" for s in found]
    methods = dict.fromkeys(s.ci_method for s in scores if s.ci is not None)
    runs = max(len(s.runs) for s in scores)
    size = _size(view, max(s.n_items for s in scores)) + (f", {runs} runs" if runs > 1 else "")
    return f"{'; '.join(said)} ({'; '.join([*map(clean, methods), size])})."


def _ends(view: View, score: Score) -> str:
    if score.ci is None:
        return ""
    return f", {level(view.result.alpha)} CI {interval(score.ci, view.decimals(score.metric).score)}"


def _count(view: View) -> str:
    tested = [p for p in view.pairs if p.p_adjusted is not None]
    with_baseline = [p for p in tested if p.baseline == view.baseline]
    found = [p for p in with_baseline if view.mark(p)]
    better = sum(view.decision(p) == "better" for p in found)
    at = f"significant at {view.result.alpha:g}"
    at += f" after {correction_label(view.correction)} correction" if view.corrected else ""
    if view.other_pairs:
        number = sum(bool(view.mark(p)) for p in tested)
        systems = len({s.system for s in view.result.scores})
        under = f" under {len(view.metrics)} metrics" if len(view.metrics) > 1 else ""
        said = f"Of {len(tested)} comparisons between {systems} systems{under}, {_are(number)} {at}"
        said += f"; with {clean(view.baseline)}, {len(found)} of {len(with_baseline)}"
    else:
        said = f"Of {len(with_baseline)} comparisons with {clean(view.baseline)}, {_are(len(found))} {at}"
    tests = "; ".join(dict.fromkeys(test_label(p.test, p.p_kind) for p in tested))
    fewest, most = (end((p.n_items for p in tested), default=0) for end in (min, max))
    size = (f"{fewest} to " if fewest < most else "") + _size(view, most)
    counts = [f"{better} better", f"{len(found) - better} worse"]
    if any(p.equivalence for p in with_baseline):
        others = Counter(p.verdict for p in with_baseline)
        counts += [f"{others[v]} {v}" for v in ("equivalent", "inconclusive", "underpowered")]
    return f"{said} ({', '.join(counts)}; {tests}; {size})."


def _are(number: int) -> str:
    return f"{number} {'is' if number == 1 else 'are'}"
