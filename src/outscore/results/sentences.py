"""Findings on pairs of systems, in sentences: who outscores whom, by how much, and what is not shown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Literal

from outscore.results.declared import Writer
from outscore.results.history import PROCEDURES, SetHistory
from outscore.results.methods import join_names as _join
from outscore.results.pairs import DECIDED, RANKS, Pair
from outscore.results.result import Result, Score

MOST_SYSTEMS = 4
"""Systems that have a sentence each; more are counted."""
_MOST_NAMES = 3
INCONCLUSIVE = "inconclusive"
_BY = "\0"
"""The place of a metric in a sentence."""
_MOST_TIMES = 1000
"""A test set so many times as large is nothing that one could collect."""

_DIFFER = ("to differ", "from")
_SIDES = {"greater": ("to be better", "than"), "less": ("to be worse", "than")}
"""A claim that is not shown, by the side of the tests."""
_NEUTRAL = {
    "outscore": "score higher than", "to be better": "to score higher", "to be worse": "to score lower",
    "worse": "lower", "loss": "decrease", "Losses": "Decreases",
}  # fmt: skip

Decision = Literal["better", "worse", "higher", "lower", "equivalent", "described", "open"]
_ORDER: tuple[Decision, ...] = ("better", "worse", "higher", "lower", "equivalent", "open", "described")


def decision(pair: Pair, alpha: float) -> Decision:
    """The side that a pair was decided for; where a saved result holds no verdict, what its p-value says."""
    if pair.verdict in _ORDER:
        return pair.verdict
    if pair.verdict or pair.p is None or pair.p > alpha or pair.gain == 0:
        return "open"
    return "better" if pair.gain > 0 else "worse"


def arrow_of(score: Score) -> str:
    """The direction of the metric, if it has one."""
    return "" if score.higher_is_better is None else "↑" if score.higher_is_better else "↓"


def outscores(result: Result, metric: str, *, plural: bool = False) -> str:
    """The verb for a system above another; by a metric without a better direction it wins nothing."""
    verb = word_by(result, "outscore", metric)
    return verb if plural else verb.replace("score", "scores")


def word_by(result: Result, word: str, *metrics: str) -> str:
    """The word of what is better or worse by some metrics, or a neutral one where none of them has a direction."""
    directed = any(s.higher_is_better is not None for s in result.scores if s.metric in metrics)
    return word if directed else _NEUTRAL.get(word, word)


def describe_pairs(result: Result, pairs: Sequence[Pair], w: Writer) -> Iterator[str]:
    """A sentence for each two systems, all metrics in it, those that differ first; of many one for each metric."""
    by_systems: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        by_systems.setdefault((pair.system, pair.baseline), []).append(pair)
    if len(by_systems) > MOST_SYSTEMS or w.brief > 1:
        yield from _count(result, pairs, w)
        return
    found = [(decisions, each) for each in by_systems.values() for decisions in [_by_decision(each, result.alpha)]]
    found.sort(key=lambda one: min(map(_ORDER.index, one[0])))
    left = [of["open"] for of, _ in found if _ruled_out(result, of.get("open", ()), w)]
    for decisions, each in found:
        alone = decisions.get("open", ()) if len(left) == 1 else ()
        yield f"{_sentence(result, decisions, each, w)} {_ruled_out(result, alone, w)}".strip()
    last = [_ruled_out(result, [pair for of in left for pair in of], w)] if len(left) > 1 else []
    feared = [pair for _, each in found for pair in each if _is_feared(pair, result.alpha)]
    if feared and w.brief:
        by_metric = {pair.metric: [p for p in feared if p.metric == pair.metric] for pair in feared}
        said = (f"{_margin(of[0], w)} or more ({w.count(len(of), 'pair')})" for of in by_metric.values())
        last.append(f"{word_by(result, 'Losses', *by_metric)} are not ruled out of {_join(list(said))}.")
    if last:
        yield " ".join(last)


def tell_taken_back(result: Result, w: Writer) -> Iterator[str]:
    """The differences that the correction over the history does not show, though the test by itself does."""
    if not isinstance(history := getattr(result, "history", None), SetHistory):
        return
    pairs: Sequence[Pair] = getattr(result, "pairs", ())
    claimed = {(p.system, p.baseline, p.metric) for p in pairs if decision(p, result.alpha) in DECIDED}
    told = [
        f"{w.name(p.system)} against {w.name(p.baseline)}{f' by {w.label(p.metric)}' * (len(result.metrics) > 1)} "
        f"({w.p(p.p_value, level=p.level)}, level {w.number(p.level)})"
        for p in history.pairs
        if p.rejected is False and (p.system, p.baseline, p.metric) in claimed
    ]
    if told:
        name = PROCEDURES.get(history.procedure or "", w.name(history.procedure))
        more = f"; and {len(told) - _MOST_NAMES} more" if len(told) > _MOST_NAMES else ""
        listed = "; ".join(told[:_MOST_NAMES])
        yield f"But over all uses of this test set ({name}) no difference is shown: {listed}{more}."


def _by_decision(pairs: Sequence[Pair], alpha: float) -> dict[Decision, list[Pair]]:
    found: dict[Decision, list[Pair]] = {}
    for pair in pairs:
        found.setdefault(decision(pair, alpha), []).append(pair)
    tested = [one for one in _ORDER if one in found and (one != "described" or len(found) == 1)]
    return {one: found[one] for one in tested}


def _sentence(result: Result, decisions: dict[Decision, list[Pair]], pairs: Sequence[Pair], w: Writer) -> str:
    """``new outscores base by 1.4 BLEU (95% CI 0.5 to 2.3, p = .003).``"""
    system, baseline = w.name(pairs[0].system), w.name(pairs[0].baseline)
    if all("identical_outputs" in pair.notes for pair in pairs):
        if any("never_gold" in pair.notes for pair in pairs):
            return f"No output of {system} or {baseline} is one of the gold labels: they could not be told apart."
        return f"{system} and {baseline} score alike on every item: there is nothing to tell apart."
    said: list[str] = []
    who = system
    for found, of in decisions.items():
        if found in DECIDED:
            above, below = (who, baseline) if found in ("better", "higher") else (baseline, system)
            by = _join(_by(result, p, w, i) for i, p in enumerate(of))
            said.append(f"{above} {outscores(result, of[0].metric)} {below} by {by}")
        elif found == "equivalent":
            said.append(f"{who} is equivalent to {baseline} {_join(_within(result, p, w) for p in of)}")
        elif found == "described":
            gains = _join(f"{w.gain(p.gain, p.metric)} {w.label(p.metric)}" for p in of)
            said.append(f"{who} against {baseline}: {gains}, described and not tested")
        else:
            said += _leave_open(result, of, w, who, baseline)
        who = system if found in ("worse", "lower") else "it"
    feared = [] if w.brief else [p for p in pairs if _is_feared(p, result.alpha)]
    if feared:
        loss = word_by(result, "loss", *(p.metric for p in feared))
        first = f"a {loss} of {_loss_as_large(feared[0], w, ' is not ruled out')}"
        said.append(", nor one of ".join([first, *(_loss_as_large(p, w) for p in feared[1:])]))
    if past := [] if w.brief else [p for p in pairs if _is_past_margin(p, result.alpha)]:
        said.append(f"the loss is larger than the margin of {_join([_margin(p, w) for p in past])}")
    decided = [pair for said_of, of in decisions.items() if said_of in DECIDED for pair in of]
    return f"{'; '.join(said)}{_warning(decided, w)}."


def is_not_worse(pair: Pair, alpha: float) -> bool:
    """Whether a pair that was not decided is shown not to be worse by its margin or more."""
    p = _loss(pair)
    return decision(pair, alpha) == "open" and p is not None and p <= alpha


def word_for(result: Result, pair: Pair) -> str:
    """The verdict as a table has it, with what the margin adds to it."""
    if decision(pair, result.alpha) == "open":
        return f"not {word_by(result, 'worse', pair.metric)}" if is_not_worse(pair, result.alpha) else INCONCLUSIVE
    return f"{pair.verdict}, within margin" if "within_margin" in pair.notes else pair.verdict


def _loss(pair: Pair) -> float | None:
    """The p-value of a loss as large as the margin: after the correction where there is one."""
    found = pair.equivalence
    if found is None:
        return None
    return found.p_not_worse if found.p_not_worse_adjusted is None else found.p_not_worse_adjusted


def _leave_open(result: Result, pairs: Sequence[Pair], w: Writer, who: str, baseline: str) -> Iterator[str]:
    """``new is not worse than base by 0.5 BLEU or more (p < .001)``, ``it is not shown to differ: +0.4 BLEU (...)``."""
    held = [p for p in pairs if is_not_worse(p, result.alpha)]
    shown = ", ".join(_open(result, p, w, i) for i, p in enumerate(pairs))
    verb, before = _SIDES.get(pairs[0].alternative, _DIFFER)
    verb, worse = (word_by(result, word, *(p.metric for p in pairs)) for word in (verb, "worse"))
    if held:
        yield f"{who} is not {worse} than {baseline} by {_join([_loss_as_large(p, w) for p in held])}"
        if not (w.brief and all(_is_in_table(result, pair) for pair in pairs)):
            yield f"it is not shown {verb}: {shown}"
    else:
        yield f"{who} is not shown {verb}{'' if who == 'it' else f' {before} {baseline}'}: {shown}"


def _is_feared(pair: Pair, alpha: float) -> bool:
    """Whether a loss as large as the margin is not ruled out of a pair, be it shown to be worse or not."""
    p = _loss(pair)
    open_ = decision(pair, alpha) in ("open", "worse") and not _is_past_margin(pair, alpha)
    return open_ and p is not None and p > alpha


def _is_past_margin(pair: Pair, alpha: float) -> bool:
    """Whether a pair is shown to be worse by more than the margin: its whole interval lies beyond."""
    beyond = pair.equivalence is not None and pair.ci is not None and pair.ci[1] < -pair.equivalence.margin
    return beyond and decision(pair, alpha) == "worse"


def _loss_as_large(pair: Pair, w: Writer, said: str = "") -> str:
    """``0.5 BLEU or more (p < .001)``."""
    return f"{_margin(pair, w)} or more{said} ({w.p(_loss(pair))})"


def _margin(pair: Pair, w: Writer) -> str:
    return w.margin(pair.equivalence.margin if pair.equivalence else 0.0, pair.metric)


def _by(result: Result, pair: Pair, w: Writer, place: int) -> str:
    """How much the better one is better, in the metric's unit, with its interval on the same side."""
    loss = pair.gain < 0
    ends = w.bound(pair.ci)
    ends = (-ends[1], -ends[0]) if loss and ends else ends
    found = pair.equivalence if "within_margin" in pair.notes else None
    margin = f", within the margin of {w.margin(found.margin, pair.metric)}" if found else ""
    return f"{_size(pair, w)} ({_numbers(result, pair, ends, w, place)}{margin})"


def _size(pair: Pair, w: Writer, *, sign: bool = False) -> str:
    """The gain in the metric's unit; of a test of mean ranks, whose p is not about gains, the difference of these."""
    ranks = pair.effect.get(RANKS)
    if isinstance(ranks, float):
        return f"{'+' if sign and ranks > 0 else ''}{w.fixed(ranks if sign else abs(ranks))} in mean rank"
    return w.unit(pair.metric, pair.gain if sign else abs(pair.gain), sign=sign)


def _open(result: Result, pair: Pair, w: Writer, place: int) -> str:
    said = f"{_size(pair, w, sign=True)} ({_numbers(result, pair, w.bound(pair.ci), w, place)}"
    if "p_and_interval" in pair.notes and not (w.brief and _is_in_table(result, pair)):
        said += ", p and interval disagree"
        said += ": p is of ranks or signs, the interval of the mean" * ("not_a_test_of_the_mean" in pair.notes)
    return f"{said})"


def _within(result: Result, pair: Pair, w: Writer) -> str:
    found = pair.equivalence
    if found is None:
        return f"by {w.label(pair.metric)}"
    # the interval is of one test: beside a p that is corrected over several it would speak of another level
    alone = found.ci and not w.brief and not getattr(result, "corrected", False)
    ends = f"{w.level(2)} CI {w.ends(found.ci, pair.metric)}, " if alone else ""
    p = w.p(found.p_equivalent if found.p_equivalent_adjusted is None else found.p_equivalent_adjusted)
    return f"within {w.margin(found.margin, pair.metric)} ({ends}{p})"


def _numbers(result: Result, pair: Pair, ends: tuple[float, float] | None, w: Writer, place: int) -> str:
    """``95% CI 0.5 to 2.3, p = .003``; the level is said once."""
    if w.brief and _is_in_table(result, pair):
        return w.p(pair.p)
    level = "" if place else f"{w.level()} CI "
    beside = f"{level}{w.ends(ends, pair.metric)}, " if ends and pair.ci_method != "degenerate" else ""
    return f"{lower_first(result, pair.metric)}{beside}{w.p(pair.p)}"


def _is_in_table(result: Result, pair: Pair) -> bool:
    """Whether the first table has its gain, interval and p."""
    return pair.baseline == getattr(result, "baseline", None)


def lower_first(result: Result, metric: str) -> str:
    """That lower is better, where it is, before the numbers of a gain."""
    return "lower is better; " * any(s.metric == metric and s.higher_is_better is False for s in result.scores)


def _ruled_out(result: Result, pairs: Sequence[Pair], w: Writer) -> str:
    """The gains that tests which show nothing could have found, by design; with a margin what ruling it out takes."""
    known = [(p, gain) for p in pairs if (gain := _detectable(p)) is not None and math.isfinite(gain)]
    if not known:
        return ""
    largest = dict(sorted(((p.metric, gain) for p, gain in known), key=lambda one: one[1]))
    gains = _join([w.unit(metric, largest[metric], up=True) for metric in dict.fromkeys(p.metric for p, _ in known)])
    whose = "With these runs this" if any(len(score.runs) > 1 for score in result.scores) else "This"
    said = f"{whose} test set finds gains of {gains} or more with 80% power"
    needed = [
        *((p.items_needed, "item", p) for p, _ in known if p.items_needed and _is_within_reach(p, p.items_needed, w)),
        *((p.runs_needed, "run", p) for p, _ in known if p.runs_needed),
    ]
    if needed:
        several = len({(p.system, p.baseline) for p in pairs}) > 1  # of whom the nearest to being shown is told
        size, unit, pair = (min if several else max)(needed, key=lambda one: one[0])
        each = " each" if unit == "run" else ""
        takes = f"about {w.about(size, unit)}{each}"
        if pair.equivalence:
            loss = f"{word_by(result, 'loss', pair.metric)} of {_margin(pair, w)}"
            return f"To rule out a {loss} with 80% power, if the systems are alike, takes {takes}."
        said += f"; a gain of {w.unit(pair.metric, abs(pair.gain), digits=4)} would take {takes}"
    return "" if any(pair.equivalence for pair, _ in known) else f"{said}."


def _is_within_reach(pair: Pair, items: int, w: Writer) -> bool:
    """Whether somebody could collect so many items, for a gain that is not written as 0."""
    seen = pair.equivalence or w.unit(pair.metric, abs(pair.gain)) != w.unit(pair.metric, 0.0)
    return items <= _MOST_TIMES * pair.n_items and bool(seen)


def _detectable(pair: Pair) -> float | None:
    """Where a margin was given, it is known of each pair, and said of those that were too few."""
    found = pair.equivalence
    if pair.detectable_gain is not None or found is None or found.detectable_gain is None:
        return pair.detectable_gain
    return found.detectable_gain if found.detectable_gain > found.margin else None


def _count(result: Result, pairs: Sequence[Pair], w: Writer) -> Iterator[str]:
    """A sentence for each metric; one for all of which it says the same, where there is little room."""
    told: dict[tuple[str, str], list[Pair]] = {}
    for said, of in _count_by_metric(result, pairs, w):
        told.setdefault((said, "" if w.brief > 1 else of[0].metric), []).extend(of)
    for (said, _), of in told.items():
        metrics = [w.label(metric) for metric in dict.fromkeys(pair.metric for pair in of)]
        by = "" if metrics == ["mean"] == [w.label(metric) for metric in result.metrics] else f" by {_join(metrics)}"
        yield f"{said.replace(_BY, by)}{_warning(of, w)}."


def _count_by_metric(result: Result, pairs: Sequence[Pair], w: Writer) -> Iterator[tuple[str, list[Pair]]]:
    """Who leads, who cannot be told from the leader, who is last: the same whatever is named first."""
    for metric in dict.fromkeys(pair.metric for pair in pairs):
        of = [pair for pair in pairs if pair.metric == metric]
        scores = sorted((s for s in result.scores if s.metric == metric), key=lambda s: s.score)
        if scores[0].higher_is_better is not False:
            scores.reverse()
        found = [decision(pair, result.alpha) for pair in of]
        if set(found) == {"described"}:
            continue
        baselines = {pair.baseline for pair in of}
        if len(baselines) == 1:
            yield _against_one(result, of, scores, w), of
            continue
        differ = sum(one in DECIDED for one in found)
        if w.brief > 1 and not differ:
            yield f"None of {w.count(len(of), 'pair')} is shown to differ{_BY}", of
            continue
        first = scores[0].system
        level = {
            p.system if p.baseline == first else p.baseline
            for p in of
            if first in (p.system, p.baseline) and decision(p, result.alpha) not in DECIDED
        }
        scored, last_score = (f" ({w.scored(scores[0].score, metric)})", f" ({w.score(scores[-1].score, metric)})")
        if w.brief > 1:  # the table has them
            scored = last_score = ""
        of_metric = "" if scored and w.label(metric) in scored else _BY
        leads = f"{w.name(first)}{scored} leads{of_metric}"
        alike = (
            f"{_names(sorted(level), w)} not shown to differ from it" if level else "shown to differ from all others"
        )
        last = f"{w.name(scores[-1].system)}{last_score} is last"
        shown = f"{differ} of {w.count(len(of), 'pair')} {'is' if differ == 1 else 'are'} shown to differ"
        if equivalent := [p for p in of if decision(p, result.alpha) == "equivalent"]:
            verb = "is" if len(equivalent) == 1 else "are"
            shown += f", {len(equivalent)} {verb} equivalent within {_margin(equivalent[0], w)}"
        yield f"{leads}, {alike}; {last}. {shown}", of


def _against_one(result: Result, pairs: Sequence[Pair], scores: Sequence[Score], w: Writer) -> str:
    """``Of 24 systems 10 outscore base by BLEU, first of all x by 5.2 BLEU (...); 3 are outscored by it ...``"""
    baseline = w.name(pairs[0].baseline)
    found: dict[str, list[Pair]] = {side: [p for p in pairs if decision(p, result.alpha) == side] for side in _ORDER}
    said, outscore = [], outscores(result, scores[0].metric, plural=True)
    above, below = ("higher", "lower") if scores[0].higher_is_better is None else ("better", "worse")
    if found[above]:
        top = max(found[above], key=lambda p: p.gain)
        by = "" if w.brief > 1 else f" by {_by(result, top, w, 0)}"
        most = (
            f", most of all {w.name(top.system)}{by and ':'}{by}"
            if len(found[above]) > 1
            else f": {w.name(top.system)}{by}"
        )
        verb = outscores(result, scores[0].metric, plural=len(found[above]) > 1)
        said.append(f"{len(found[above])} of {w.count(len(pairs), 'system')} {verb} {baseline}{_BY}{most}")
    else:
        said.append(f"None of {w.count(len(pairs), 'system')} is shown to {outscore} {baseline}{_BY}")
    for side, words in (
        (below, "outscored by it" if below == "worse" else "lower"),
        ("equivalent", "equivalent to it"),
        ("open", "not shown to differ"),
    ):
        if of := found[side]:
            known = len(of) > _MOST_NAMES or (w.brief > 1 and len(of) == len(pairs))
            named = "" if known else f" ({_names([p.system for p in of], w)})"
            within = f" within {_margin(of[0], w)}" if side == "equivalent" and of[0].equivalence else ""
            said.append(f"{len(of)} {'is' if len(of) == 1 else 'are'} {words}{within}{named}")
    if held := [p for p in found["open"] if is_not_worse(p, result.alpha)]:
        said.append(
            f"{len(held)} of these {'is' if len(held) == 1 else 'are'} not {below} by {_margin(held[0], w)} or more"
        )
    if feared := [p for p in pairs if _is_feared(p, result.alpha)]:
        who = w.count(len(feared), "system") if len(feared) > _MOST_NAMES else _names([p.system for p in feared], w)
        joined, whom = (f"{said.pop()}, and ", "") if feared == found["open"] and not held else ("", f" for {who}")
        loss = f"{word_by(result, 'loss', feared[0].metric)} of {_margin(feared[0], w)}"
        said.append(f"{joined}a {loss} or more is not ruled out{whom}")
    if past := [p for p in pairs if _is_past_margin(p, result.alpha)]:
        who = w.count(len(past), "system") if len(past) > _MOST_NAMES else _names([p.system for p in past], w)
        said.append(f"the loss of {who} is larger than {_margin(past[0], w)}")
    return "; ".join(said)


def _warning(pairs: Sequence[Pair], w: Writer) -> str:
    """Where a note may turn what is said of one of them."""
    return ", BUT see !" if any(w.warned(pair.notes) for pair in pairs) else ""


def _names(systems: Sequence[str], w: Writer) -> str:
    if len(systems) > _MOST_NAMES:
        return f"{len(systems)} others"
    return _join([w.name(system) for system in systems])
