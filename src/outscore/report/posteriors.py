"""Posterior probabilities as a table and as a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from outscore.base.errors import inflect
from outscore.report.footnotes import list_numbered_notes
from outscore.report.model import Cell, Column, Footnote, Row, Table
from outscore.report.numbers import P_KINDS, interval, level, to_fixed
from outscore.report.text import clean
from outscore.report.view import View
from outscore.results import PairPosterior, Posteriors

_GAIN = "gain"
_PLACES = 3
_MOST = 4
_OUTCOMES = {"better": "better", "within": "within ROPE", "worse": "worse"}
_TONES: dict[str, Literal["better", "worse"]] = {"better": "better", "worse": "worse"}


def tables(result: Posteriors, width: int | None) -> list[Table]:
    """The table of what is believed of each pair, if the result has one."""
    view = View(result, width)
    several = any(p.baseline != result.baseline for p in result.posteriors)
    rope = any(p.rope or p.within for p in result.posteriors)
    blocks = view.blocks(lambda metric: (_row(view, p, several, rope) for p in result.posteriors if p.metric == metric))
    columns = [Column(header="System")]
    columns += [Column(header="Against")] if several else []
    columns += [Column(header="P(better)", align="right")]
    columns += [Column(header="P(within ROPE)", align="right")] if rope else []
    columns += [Column(header="P(worse)", align="right"), Column(header=f"Above {level(result.alpha)}")]
    mean = "Mean gain" if _is_about_gains(result) else "Mean"
    columns += [Column(header=mean, tail=f"[{level(result.alpha)} credible]", align="right")]
    rows = [row for block in blocks for row in block.rows]
    against = "" if several else f" against {clean(result.baseline)}"
    return [
        Table(
            title=f"Posterior probabilities{against}",
            columns=tuple(columns),
            blocks=blocks,
            footnotes=(*_footnotes(view, result), *list_numbered_notes(view, rows)),
            naming=2 if several else 1,
        )
    ]


def sentence(result: Posteriors, width: int | None) -> str:
    """Posteriors in words; of more than four pairs only how many are likely on which side."""
    view = View(result, width)
    believed = result.posteriors
    methods = dict.fromkeys(f"{clean(p.method)}, {P_KINDS[p.kind]}, {inflect(p.n_items, 'item')}" for p in believed)
    if len(believed) > _MOST:
        counts = [f"{sum(p.likely == outcome for p in believed)} {said}" for outcome, said in _OUTCOMES.items()]
        said = f"Of {len(believed)} pairs, {', '.join(counts)} with a probability above {level(result.alpha)}"
    else:
        said = "; ".join(_finding(view, p) for p in believed)
    return f"{said} ({'; '.join(methods)}; posterior probabilities, no test)."


def _finding(view: View, p: PairPosterior) -> str:
    named = f"{clean(p.system)} against {clean(p.baseline)} on {view.label(p.metric)}"
    if p.better is None:
        return f"{named}: no posterior"
    said = [f"better {_format_probability(p, p.better)}"]
    said += [f"within the ROPE (±{p.rope:g}) {_format_probability(p, p.within)}"] if p.rope or p.within else []
    said += [f"worse {_format_probability(p, p.worse)}"]
    about = "mean gain" if p.about == _GAIN else clean(p.about)
    places = _places(view, p)
    ends = f"{level(view.result.alpha)} credible {interval(p.ci, places, sign=True)}"
    return f"{named}: probabilities {', '.join(said)}; {about} {to_fixed(p.mean, places, sign=True)}, {ends}"


def _row(view: View, p: PairPosterior, several: bool, rope: bool) -> Row:
    places = _places(view, p)
    mean = Cell(text=to_fixed(p.mean, places, sign=True), tail=interval(p.ci, places, sign=True))
    return (
        Cell(text=clean(p.system), notes=view.notes_of(p)),
        *((Cell(text=clean(p.baseline)),) if several else ()),
        Cell(text=_format_probability(p, p.better)),
        *((Cell(text=_format_probability(p, p.within) if p.rope else to_fixed(p.within, _PLACES)),) if rope else ()),
        Cell(text=_format_probability(p, p.worse)),
        Cell(text=_OUTCOMES.get(p.likely, ""), tone=_TONES.get(p.likely, "")),
        mean,
    )


def _footnotes(view: View, result: Posteriors) -> Iterator[Footnote]:
    for metric in view.metrics:
        ropes = {p.rope for p in result.posteriors if p.metric == metric and p.rope}
        for rope in sorted(ropes):
            yield Footnote(text=f"ROPE of {view.label(metric)}: gains from -{rope:g} to +{rope:g}.")
    for method, kind, model, prior in dict.fromkeys((p.method, p.kind, p.model, p.prior) for p in result.posteriors):
        yield Footnote(text=f"Method: {clean(method)}, {P_KINDS[kind]}. Model: {clean(model)}. Prior: {clean(prior)}.")
    for about in dict.fromkeys(p.about for p in result.posteriors if p.about != _GAIN):
        yield Footnote(text=f"Mean: of the {clean(about)}, not of the gain.")
    sampled = [p for p in result.posteriors if p.error is not None]
    if sampled:
        error = to_fixed(max(p.error or 0.0 for p in sampled), 4)
        drawn = ", ".join(dict.fromkeys(str(p.n_draws) for p in sampled))
        yield Footnote(text=f"{drawn} draws; Monte-Carlo standard error of a probability at most {error}.")


def _is_about_gains(result: Posteriors) -> bool:
    return all(p.about == _GAIN for p in result.posteriors)


def _places(view: View, p: PairPosterior) -> int:
    return view.decimals(p.metric).gain if p.about == _GAIN else _PLACES


def _format_probability(p: PairPosterior, value: float | None) -> str:
    """A probability as it is printed: never 0.000 or 1.000, unless all belief lies on one number."""
    least = 10.0**-_PLACES
    if value is None or (p.ci is not None and p.ci[0] == p.ci[1]):
        return to_fixed(value, _PLACES)
    if value < least:
        return f"< {least:.{_PLACES}f}"
    return f"> {1 - least:.{_PLACES}f}" if value > 1 - least else to_fixed(value, _PLACES)
