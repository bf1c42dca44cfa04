"""A plan as tables: the power curve, and runs against items."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.base.errors import inflect
from outscore.report.footnotes import format_note
from outscore.report.model import Block, Cell, Column, Footnote, Row, Table
from outscore.report.numbers import P_KINDS, UNDEFINED, Decimals, decimals_for, interval, to_digits, to_fixed
from outscore.report.text import clean
from outscore.results import Power, PowerPoint

_PLACES = 3
_LEAST_PROPORTION = 0.0005


def tables(result: Power, width: int | None) -> list[Table]:
    """The tables of a plan, if the result is one."""
    return [*([_designs(result)] if result.designs else []), _curve(result, width)]


def sentence(power: Power, width: int | None) -> str:
    """Numbers of items that give the power asked for, in words."""
    gain = f"a gain of {format_effect(power)}"
    said = [f"{items_text(power)} for {_percent(power.target)} power to find {gain} ({clean(power.test)})"]
    if power.items_needed is None:
        best = max(power.points, key=lambda point: point.power)
        fewest = min(power.points, key=lambda point: point.n)
        if fewest.power >= power.target:
            best, rest = fewest, f"fewer may do for {_percent(power.target)}"
        elif best.power >= power.target:
            rest = f"the sizes here do not tell where {_percent(power.target)} begins"
        else:
            rest = f"no size here has {_percent(power.target)}"
        said = [
            f"the power to find {gain} is {_format_proportion(best.power)} with {count(best.n)} {power.sizes} "
            f"({clean(power.test)}); {rest}"
        ]
    chosen = next((design for design in power.designs if design.best), None)
    if chosen is not None:
        for_it = "most power for the budget" if power.budget is not None else "cheapest"
        said.append(
            f"{for_it}: {chosen.runs} runs of each system on {count(chosen.items)} items, power "
            f"{_format_proportion(chosen.power)}, cost {_money(chosen.cost)}"
        )
    return f"{'; '.join(said)}."


def format_effect(power: Power) -> str:
    """The gain to be found, with its unit."""
    unit = power.unit.partition(" ")[0]
    named = unit.casefold() == power.metric.partition(":")[0].casefold() or (not power.metric and unit.isupper())
    return f"{power.effect:.4g} {clean(unit) if named else ''}".strip()


def items_text(power: Power) -> str:
    """``1,949 items are needed``, with the range where they are interpolated."""
    if power.items_needed is None:
        return ""
    needed = count(power.items_needed)
    if power.items_range is None:
        return f"{needed} {power.sizes} are needed"
    low, high = (UNDEFINED if end is None else count(end) for end in power.items_range)
    return f"about {needed} {power.sizes} [{low}, {high}] are needed"


def count(number: float) -> str:
    """Items in thousands: ``12,400``."""
    return f"{round(number):,}"


def _curve(power: Power, width: int | None) -> Table:
    ranged = any(point.power_ci for point in power.points)
    detectable = any(point.detectable_gain is not None for point in power.points)
    places = decimals_for(power.unit, gains=[power.effect, *(p.detectable_gain for p in power.points)], width=width)
    tail = "" if not ranged else "[99% CI]" if power.p_kind == "monte-carlo" else "[range]"
    columns = (
        Column(header=power.sizes.capitalize(), align="right"),
        Column(header="Power", tail=tail, align="right"),
        Column(header="Type M", align="right"),
        Column(header="Type S", align="right"),
        *((Column(header=f"Detectable at {_percent(power.target)}", align="right"),) if detectable else ()),
    )
    rows = tuple(_row(power, point, places, detectable) for point in power.points)
    on = f" ({clean(power.metric)})" if power.metric else ""
    title = f"Power to find a gain of {format_effect(power)}{on}"
    return Table(
        title=title, columns=columns, blocks=(Block(rows=rows),), footnotes=tuple(_footnotes(power, detectable))
    )


def _row(power: Power, point: PowerPoint, places: Decimals, detectable: bool) -> Row:
    return (
        Cell(text=count(point.n)),
        Cell(
            text=_format_proportion(point.power),
            tail=interval(point.power_ci, _PLACES) if point.power_ci else "",
            tone="better" if point.power >= power.target else "",
        ),
        Cell(text=to_fixed(point.type_m, 2)),
        Cell(text=_small(point.type_s)),
        *((Cell(text=to_fixed(point.detectable_gain, places.gain)),) if detectable else ()),
    )


def _footnotes(power: Power, detectable: bool) -> Iterator[Footnote]:
    if power.items_needed is not None:
        text = items_text(power)
        yield Footnote(text=f"{text[:1].upper()}{text[1:]} for {_percent(power.target)} power.")
    yield Footnote(text="Power: the probability that the test rejects its null hypothesis where the gain is this one.")
    yield Footnote(
        text="Type M: how many times too large significant gains are on average. Type S: proportion of them with the "
        "wrong sign."
    )
    if detectable:
        yield Footnote(text=f"Detectable: the smallest gain that is found with {_percent(power.target)} power.")
    kind = P_KINDS.get(power.p_kind, clean(power.p_kind))
    made = ", simulated" if power.p_kind == "monte-carlo" else f", {kind}"
    yield Footnote(
        text=f"Test: {clean(power.test)}{made}; {power.alternative}; alpha {power.alpha:g}. Null hypothesis: "
        f"{clean(power.null)}."
    )
    yield Footnote(text=f"Taken for granted: {clean(power.assumes)}.")
    if power.pilot_items is not None:
        yield Footnote(
            text=f"Pilot: {clean(power.system)} against {clean(power.baseline)}, {inflect(power.pilot_items, 'item')}, "
            f"gain {to_digits(power.pilot_gain)}."
        )
    sets = power.points[0].sets
    if sets is not None:
        resamples = power.provenance.n_resamples
        yield Footnote(
            text=f"{inflect(sets, 'simulated test set')} of each size; {resamples} resamples where the test draws, "
            f"engine {clean(power.provenance.engine)}; seed {power.seed}. Intervals: {power.range_is}."
        )
    elif power.range_is:
        yield Footnote(text=f"Range: {power.range_is}.")
    for note in power.notes:
        yield format_note(note)


def _designs(power: Power) -> Table:
    rows = tuple(
        (
            Cell(text=str(design.runs)),
            Cell(text=count(design.items)),
            Cell(text=_money(design.cost)),
            Cell(text=_format_proportion(design.power), bold=design.best, marks="†" if design.best else ""),
        )
        for design in power.designs
    )
    if power.budget is not None:
        title = f"Runs against items for a budget of {_money(power.budget)}"
        best = "Most power for the budget"
    else:
        title, best = f"Runs against items for {_percent(power.target)} power", "Cheapest"
    return Table(
        title=title,
        columns=(
            Column(header="Runs of each system", align="right"),
            Column(header="Items", align="right"),
            Column(header="Cost", align="right"),
            Column(header="Power", align="right"),
        ),
        blocks=(Block(rows=rows),),
        footnotes=(
            Footnote(mark="†", text=f"{best}."),
            Footnote(text="Cost: that of the runs of both systems, and of the items once."),
        ),
    )


def _money(amount: float) -> str:
    return f"{amount:,.6g}"


def _percent(proportion: float) -> str:
    return f"{100 * proportion:g}%"


def _format_proportion(proportion: float) -> str:
    return to_fixed(proportion, _PLACES)


def _small(proportion: float | None) -> str:
    small = proportion is not None and 0 < proportion < _LEAST_PROPORTION
    return f"< {2 * _LEAST_PROPORTION:.3f}" if small else to_fixed(proportion, _PLACES)
