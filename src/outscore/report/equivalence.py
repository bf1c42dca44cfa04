"""How the gains lie to their margins: the table, the words, and the line that says why a gate did not hold."""

from __future__ import annotations

import math
from collections.abc import Iterator

from outscore.report.model import Cell, Column, Footnote, Row, Table
from outscore.report.numbers import interval, level, p_text, to_fixed
from outscore.report.text import clean
from outscore.report.view import View, correction_label
from outscore.results import Comparison, Equivalence, Gate, Pair

_MOST = 3


def equivalence_table(view: View) -> Table | None:
    """Each pair against its margin: both claims with their p-values, and the gain that could have been found."""
    if not any(pair.equivalence for pair in view.pairs):
        return None
    several = view.other_pairs
    corrected = _is_corrected(view)

    def rows(metric: str) -> Iterator[Row]:
        places = view.decimals(metric).gain
        for pair in view.pairs:
            found = pair.equivalence
            if pair.metric == metric and found is not None:
                equivalent = (found.p_equivalent, found.p_equivalent_adjusted)[: 1 + corrected]
                not_worse = (found.p_not_worse, found.p_not_worse_adjusted)[: 1 + corrected]
                yield (
                    Cell(text=clean(pair.system)),
                    *((Cell(text=clean(pair.baseline)),) if several else ()),
                    Cell(text=_margin(found)),
                    Cell(text=to_fixed(pair.gain, places, sign=True), tail=interval(found.ci, places, sign=True)),
                    *(view.p_cell(p) for p in (*equivalent, *not_worse)),
                    Cell(text=to_fixed(found.detectable_gain, places)),
                )

    adjusted = [f"p {_correction(view)}"] * corrected
    numbers = ["p within", *adjusted, "p not worse", *adjusted, "Detects"]
    columns = (
        Column(header="System"),
        *((Column(header="Against"),) if several else ()),
        Column(header="Margin", align="right"),
        Column(header="Gain", tail=f"[{level(2 * view.result.alpha)} CI]", align="right"),
        *(Column(header=header, align="right") for header in numbers),
    )
    return Table(
        title="Against the margin",
        columns=columns,
        blocks=view.blocks(rows),
        footnotes=tuple(Footnote(text=line) for line in _footnotes(view)),
        naming=2 if several else 1,
    )


def describe_within_margin(pair: Pair) -> str:
    """Clause for a significant gain that is smaller than the margin; empty for others."""
    if pair.equivalence is None or "within_margin" not in pair.notes:
        return ""
    return f", a difference within the margin of {_margin(pair.equivalence)}"


def describe_against_margin(view: View, pair: Pair) -> str:
    """Clause for a gain that is not significant: the claims that were not shown, and the power."""
    found = pair.equivalence
    if found is None:
        return ""
    said = f"; equivalence within {_margin(found)} is not shown either ({_p_within(view, found)})"
    if pair.verdict == "underpowered" and found.power_at_margin is not None:
        chance = math.floor(100 * found.power_at_margin)  # never 80, which would be enough
        said += f", and a gain as large would have been found with a power of only {chance}%"
    return said


def describe_equivalence(view: View, pair: Pair, found: Equivalence) -> str:
    """The margin of an equivalence and the numbers behind it, for a sentence."""
    places = view.decimals(pair.metric).gain
    ends = f"{level(2 * view.result.alpha)} CI {interval(found.ci, places, sign=True)}"
    gain = f"gain {to_fixed(pair.gain, places, sign=True)}, {ends}"
    return f"within {_margin(found)}: {gain}, two one-sided tests, {_p_within(view, found)}"


def gate_line(result: Comparison, gate: Gate[Pair]) -> str:
    """One line that names the first pairs for which a gate does not hold, and why."""
    view, failing = View(result, None), gate.failing
    said = "; ".join(
        f"{view.name_of(p)} on {view.label(p.metric)}: {_reason(view, p, gate.condition)}" for p in failing[:_MOST]
    )
    more = f"; and {len(failing) - _MOST} more" if len(failing) > _MOST else ""
    return f"gate {gate.condition!r} does not hold: {said}{more}"


def _reason(view: View, pair: Pair, condition: str) -> str:
    found = pair.equivalence
    gain = to_fixed(pair.gain, view.decimals(pair.metric).gain, sign=True)
    if condition == "better" or found is None:
        p, name = pair.p_adjusted, view.p_header
    elif condition == "not-worse":
        p, name = found.p_not_worse_adjusted, "p not worse"
    else:
        p, name = found.p_equivalent_adjusted, "p within"
    margin = "" if found is None else f", margin {_margin(found)}"
    return f"{pair.verdict}, gain {gain}{margin}, {_p(view, p, name)}"


def _footnotes(view: View) -> Iterator[str]:
    yield "p within: null hypothesis, the gain is as large as the margin, on either side (two one-sided tests)."
    yield "p not worse: null hypothesis, the system is worse by the margin or more."
    methods = dict.fromkeys(p.equivalence.method for p in view.pairs if p.equivalence)
    yield f"By {', '.join(map(clean, methods))}, with the margin in the place of 0."
    if _is_corrected(view):
        yield f"p {_correction(view)}: corrected over the pairs, each claim a family of its own."
    power = "a power of 80% after the correction" if _is_corrected(view) else "a power of 80%"
    yield f"Detects: the smallest true gain that the test of the difference would find with {power}."


def _margin(found: Equivalence) -> str:
    return f"{found.margin:.3g}"


def _is_corrected(view: View) -> bool:
    return view.correction != "none" and len(view.pairs) > 1


def _correction(view: View) -> str:
    """The correction of the equivalences: that of the differences, Holm in the place of one that is only for those."""
    label = correction_label(view.correction)
    return "Holm" if label.endswith("max-T") else label


def _p_within(view: View, found: Equivalence) -> str:
    p = found.p_equivalent_adjusted
    corrected = f"{_correction(view)}-adjusted " if _is_corrected(view) and p is not None else ""
    return corrected + _p(view, p)


def _p(view: View, p: float | None, name: str = "p") -> str:
    """``p = 0.013``, ``p < 0.001`` or ``no p-value``."""
    text = p_text(p, view.result.alpha)
    return "no p-value" if p is None else f"{name} {text}" if text.startswith("<") else f"{name} = {text}"
