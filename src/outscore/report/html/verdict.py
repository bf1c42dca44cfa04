"""Findings in plain words, for the top of the page: the numbers follow below it."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.base.errors import inflect
from outscore.report.equivalence import describe_equivalence, describe_within_margin
from outscore.report.html.elements import Markup, element, join
from outscore.report.kinds import room_of
from outscore.report.numbers import interval, level, p_text, to_fixed
from outscore.report.text import clean
from outscore.report.view import View, correction_label, disagreement
from outscore.results import Comparison, Findings, Pair, Result

_MOST = 4
"""Pairs that have a verdict each, and pictures of a study whose findings are listed; more are counted."""

_LONG = 140
"""Characters of a verdict that is read at a glance."""


def verdict_markup(result: Result) -> Markup:
    """One verdict, a list of a few, or a count of many."""
    said = [_emphasize(one) for one in verdicts(result)]
    # the question of a study stands above its answers
    first = [element("p", said.pop(0), class_="verdict")] if len(said) == 1 or isinstance(result, Findings) else []
    listed = [element("ul", *(element("li", one) for one in said), class_="verdict")] if said else []
    return join([*first, *listed])


def _emphasize(said: str) -> Markup:
    """A long sentence whose first part stands out."""
    lead, mark, rest = said.partition("; ")
    if len(said) <= _LONG or not mark:
        return join([said])
    return join([f"{lead}; ", element("span", rest, class_="rest")])


def verdicts(result: Result) -> Iterator[str]:
    """The verdict of each pair in words; of other results what the sentence for papers says."""
    if isinstance(result, Findings):
        judged = [found.verdict for found in result.findings if found.verdict]
        agree = (
            f"{judged.count('agrees')} of {inflect(len(judged), 'number')} agree with what was expected or published."
        )
        yield " ".join([clean(result.question), *([agree] if judged else [])])
        yield from (clean(figure.title) for figure in result.figures[:_MOST])
        return
    room = room_of(result)
    if hasattr(room, "sentences"):
        yield from room.sentences(result, None)
        return
    view = View(result, None)
    if not isinstance(result, Comparison) or not view.pairs:
        yield result.sentence or clean(result.command)
    elif len(view.pairs) > _MOST:
        yield _counts(view)
    else:
        for pair in view.pairs:
            yield _verdict(view, pair)


def _verdict(view: View, pair: Pair) -> str:
    system, baseline = clean(pair.system), clean(pair.baseline)
    places = view.decimals(pair.metric).gain
    metric = view.label(pair.metric)
    under = f" by {metric}" if len(view.metrics) > 1 else ""
    gain = f"{to_fixed(pair.gain, places, sign=True)} {metric}"
    numbers = _numbers(view, pair)
    if pair.verdict == "described":
        return f"{system} against {baseline}{under}: {gain} ({_interval(view, pair)}described, not tested)."
    said = view.decision(pair) or pair.verdict
    if said in ("better", "worse"):
        # gain and interval have the signs of the table, also of a loss and where a metric is better when low
        verb = "outscores" if said == "better" else "is worse than"
        return f"{system} {verb} {baseline}{under}: gain {gain}, beyond luck{describe_within_margin(pair)} ({numbers})."
    if said == "equivalent" and pair.equivalence is not None:
        return f"{system} is as good as {baseline}{under}: {describe_equivalence(view, pair, pair.equivalence)}."
    if "identical_outputs" in pair.notes:
        return f"{system} and {baseline} have the same outputs: there is nothing to compare{under}."
    found = (
        f"{system} against {baseline}{under}: a gain of {to_fixed(pair.gain, places, sign=True)} {metric} may be luck"
    )
    first = "Too few data to tell" if said == "underpowered" else "Inconclusive"
    return f"{first}. {found} ({numbers}{disagreement(pair)})."


def _numbers(view: View, pair: Pair) -> str:
    ends = _interval(view, pair)
    p = pair.p_value if pair.p_adjusted is None else pair.p_adjusted
    text = p_text(p, view.result.alpha)
    shown = "no p-value" if p is None else f"p {text}" if text.startswith("<") else f"p = {text}"
    return f"{ends}{shown}{f', {correction_label(view.correction)}' if view.corrected else ''}"


def _interval(view: View, pair: Pair) -> str:
    if pair.ci is None or pair.ci_method == "degenerate":
        return ""
    return f"{level(view.result.alpha)} interval {interval(pair.ci, view.decimals(pair.metric).gain, sign=True)}, "


def _counts(view: View) -> str:
    decided = [view.decision(pair) or pair.verdict for pair in view.pairs if pair.verdict != "described"]
    better, worse, equal = (decided.count(word) for word in ("better", "worse", "equivalent"))
    after = f" after {correction_label(view.correction)} correction" if view.corrected else ""
    if view.other_pairs:
        said = [f"Of {len(decided)} comparisons of two systems, {_are(better + worse)} decided{after}"]
    else:
        said = [f"Of {len(decided)} comparisons with {clean(view.baseline)}, {_are(better)} a gain beyond luck{after}"]
        said += [f"{_are(worse)} a loss beyond luck"] if worse else []
    said += [f"{_are(equal)} within the margin"] if equal else []
    rest = len(decided) - better - worse - equal
    said += [f"{rest} may be luck"] if rest else []
    return f"{'; '.join(said)}."


def _are(number: int) -> str:
    return "none is" if number == 0 else f"{number} {'is' if number == 1 else 'are'}"
