"""Comparisons that may be stopped at any time: interim analyses as tables and lines, the decisions in words."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.base.errors import inflect
from outscore.report.model import Block, Cell, Column, Footnote, Row, Table
from outscore.report.numbers import UNDEFINED, Decimals, decimals_for, interval, level, p_text, to_digits, to_fixed
from outscore.report.text import clean
from outscore.results import InterimAnalysis, Sequence, Sequences, StoppingTimes

_KINDS = {"exact": "valid at every number of items", "asymptotic": "asymptotic"}


def tables(result: Sequences, width: int | None) -> list[Table]:
    """A table of interim analyses for each sequence of a result, and one of stopping times, if it has any."""
    stops = [s for s in result.sequences if s.stops is not None]
    return [*(_analyses_table(result, s, width) for s in result.sequences), *([_stops(result, stops)] if stops else [])]


def format_line(look: InterimAnalysis) -> str:
    """One interim analysis as a line: ``n 200  gain +0.040 [-0.012, +0.093]  p 0.210  undecided``."""
    ends = interval(None if look.low is None or look.high is None else (look.low, look.high), 3, sign=True)
    return f"n {look.n}  gain {to_fixed(look.gain, 3, sign=True)} {ends}  p {p_text(look.p_value)}  {look.decision}"


def sentence(result: Sequences, width: int | None) -> str:
    """The decisions, ready for a paper."""
    return " ".join(_sentence(result, s, width) for s in result.sequences)


def _analyses_table(result: Sequences, sequence: Sequence, width: int | None) -> Table:
    places = _places(result, sequence, width)
    columns = (
        Column(header="Items", align="right"),
        Column(header="Gain", tail=f"[{level_of(sequence)} sequence]", align="right"),
        Column(header="p", align="right"),
        Column(header="e", align="right"),
        Column(header="Decision"),
    )
    rows = (_row(look, sequence, places) for look in sequence.looks)
    return Table(
        title=f"{heading(result, sequence)}, item by item",
        columns=columns,
        blocks=(Block(rows=tuple(rows)),),
        footnotes=tuple(_footnotes(result, sequence, places)),
    )


def heading(result: Sequences, sequence: Sequence) -> str:
    """Which systems a sequence is about, and by which metric where there are several."""
    several = len({s.metric for s in result.sequences}) > 1
    on = f" on {clean(sequence.metric)}" if several else ""
    return f"{clean(sequence.system)} against {clean(sequence.baseline)}{on}"


def _row(look: InterimAnalysis, sequence: Sequence, places: Decimals) -> Row:
    decided = look.n == sequence.decided_at
    return (
        Cell(text=str(look.n)),
        Cell(text=to_fixed(look.gain, places.gain, sign=True), tail=_ends(look, places)),
        Cell(text=p_text(look.p_value, sequence.alpha)),
        Cell(text=_e_text(look.e_value)),
        Cell(text=f"{look.decision}, decided" if decided else look.decision),
    )


def level_of(sequence: Sequence) -> str:
    """The level of a sequence; a share of one has no end of decimals."""
    return f"{100 * (1 - sequence.alpha):.4g}%"


def _ends(look: InterimAnalysis, places: Decimals) -> str:
    return interval(None if look.low is None or look.high is None else (look.low, look.high), places.gain, sign=True)


def _e_text(value: float) -> str:
    """Evidence has a size and no decimals that matter."""
    if value < 0.01:
        return "< 0.01"
    return f"{value:.1e}" if value >= 10_000 else to_digits(value, 3)


def _places(result: Sequences, sequence: Sequence, width: int | None) -> Decimals:
    unit = next(s.unit for s in result.scores if s.metric == sequence.metric)
    if sequence.bounds == (0.0, 1.0):
        unit = "share 0-1"
    scores = [s.score for s in result.scores if s.metric == sequence.metric]
    return decimals_for(unit, scores=scores, gains=[look.gain for look in sequence.looks], width=width)


def _footnotes(result: Sequences, sequence: Sequence, places: Decimals) -> Iterator[Footnote]:
    if sequence.decided_at is not None:
        share = f" ({100 * sequence.decided_at / sequence.n_items:.0f}%)" if result.order != "stream" else ""
        at = f"after {sequence.decided_at} of {inflect(sequence.n_items, 'item')}{share}"
        yield Footnote(text=f"Decision: {sequence.decision} {at}.")
    else:
        yield Footnote(text=f"Decision: {sequence.decision} after all {inflect(sequence.n_items, 'item')}.")
    for pair in result.pairs:
        if (pair.system, pair.baseline, pair.metric) == (sequence.system, sequence.baseline, sequence.metric):
            p = "no p-value" if pair.p_value is None else f"p {p_text(pair.p_value, result.alpha)}"
            ends = f"{level(result.alpha)} CI {interval(pair.ci, places.gain, sign=True)}"
            yield Footnote(text=f"Fixed-n answer with all items: {clean(pair.test)}, {p}, {ends}.")
    about = [f"Sequence: {sequence.method}, {_KINDS.get(sequence.kind, clean(sequence.kind))}"]
    if sequence.bounds is not None:
        about.append(f"scores from {sequence.bounds[0]:g} to {sequence.bounds[1]:g}")
    if result.margin is not None:
        about.append(f"margin {result.margin:g}")
    if sequence.population is not None:
        about.append(f"the whole test set has {inflect(sequence.population, 'item')}")
    if sequence.n_units < sequence.n_items:
        about.append(f"{inflect(sequence.n_units, 'cluster')}, each taken whole")
    shares = f", its share of {result.alpha:g}" if sequence.alpha != result.alpha else ""
    about += [f"alpha {sequence.alpha:.3g}{shares}", f"order {result.order}"]
    yield Footnote(text=f"{'; '.join(about)}. Null hypothesis: {clean(sequence.null)}.")


def _stops(result: Sequences, sequences: list[Sequence]) -> Table:
    headers = ("orders", "decided", "better", "worse", "equivalent", "10%", "50%", "90%")
    several = len({s.metric for s in result.sequences}) > 1
    return Table(
        title="How many items would have been enough? Random orders of the same items",
        columns=(Column(header="System"), *(Column(header=h, align="right") for h in headers)),
        blocks=(
            Block(
                rows=tuple(
                    (
                        Cell(text=clean(s.system) + (f" on {clean(s.metric)}" if several else "")),
                        *(Cell(text=text) for text in _make_stop_cells(s.stops)),
                    )
                    for s in sequences
                    if s.stops is not None
                )
            ),
        ),
        footnotes=(
            Footnote(text="10%, 50%, 90%: items by which so many of the orders had decided; – where fewer did."),
        ),
    )


def _make_stop_cells(stops: StoppingTimes) -> tuple[str, ...]:
    counts = (stops.orders, stops.decided, stops.better, stops.worse, stops.equivalent)
    times = (stops.n10, stops.n50, stops.n90)
    return (*map(str, counts), *(UNDEFINED if n is None else str(n) for n in times))


_VERBS = {
    "better": "outscores",
    "worse": "is worse than",
    "equivalent": "is equivalent within the margin to",
    "not-worse": "is not worse by the margin than",
    "undecided": "is not decided against",
}


def finding(sequence: Sequence) -> str:
    """Decision of a sequence, or that there was none, and after how many items."""
    verb = _VERBS.get(sequence.decision, clean(sequence.decision))
    n = inflect(_find_deciding(sequence).n, "item")
    return f"{clean(sequence.system)} {verb} {clean(sequence.baseline)} after {n}"


def _find_deciding(sequence: Sequence) -> InterimAnalysis:
    return next((k for k in sequence.looks if k.n == sequence.decided_at), sequence.looks[-1])


def _sentence(result: Sequences, sequence: Sequence, width: int | None) -> str:
    places, look = _places(result, sequence, width), _find_deciding(sequence)
    ends = f"{level_of(sequence)} confidence sequence {_ends(look, places)}"
    p = p_text(look.p_value, sequence.alpha)
    return (
        f"{finding(sequence)}: gain {to_fixed(look.gain, places.gain, sign=True)}, {ends}, "
        f"anytime-valid p {p if p.startswith('<') else f'= {p}'} ({clean(sequence.method)}, {clean(sequence.metric)})."
    )
