"""Tables of the predictive value of a significant result."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.report.footnotes import format_note
from outscore.report.model import Block, Cell, Column, Footnote, Table
from outscore.report.numbers import UNDEFINED, to_digits, to_fixed
from outscore.results import PpvOfSetting, PredictiveValue

_PLACES = 3
_SHOWN = (0.05, 0.01, 0.005, 0.0025, 0.001, 0.0001)


def tables(result: PredictiveValue, width: int | None) -> list[Table]:
    """The tables of predictive values, if the result has them."""
    return [_value_table(result), _curve(result)]


def sentence(found: PredictiveValue, width: int | None) -> str:
    """Predictive value of a significant result, in words."""
    plain = found.worth[0]
    said = [
        f"with odds of {odds_text(found)}, power {found.power:g} and alpha {found.alpha:g}, a significant "
        f"result is true with probability {to_fixed(plain.ppv, _PLACES)}"
    ]
    said += [f"{to_fixed(worth.ppv, _PLACES)} {_setting(found, worth)}" for worth in found.worth[1:]]
    said.append(f"for {to_fixed(found.wanted, 2)} the cut-off is {cutoff_text(plain)}")
    if found.risk is not None:
        said.append(
            f"given p = {found.p:g} itself, the null hypothesis has a probability of at least "
            f"{to_fixed(found.risk, _PLACES)}"
        )
    return f"{'; '.join(said)}."


def odds_text(found: PredictiveValue) -> str:
    """``0.1 (1 true effect for 10 null ones)``."""
    if found.odds < 1:
        return f"{found.odds:g} (1 true effect for {1 / found.odds:.3g} null ones)"
    return f"{found.odds:g} ({found.odds:g} true for 1 null)"


def cutoff_text(worth: PpvOfSetting) -> str:
    """The cut-off; ``–`` where no alpha is small enough."""
    return UNDEFINED if worth.cutoff is None else to_digits(worth.cutoff, 4)


def _value_table(found: PredictiveValue) -> Table:
    rows = tuple(
        (
            Cell(text=_setting(found, worth) or "plain"),
            Cell(text=to_fixed(worth.ppv, _PLACES)),
            Cell(text=to_fixed(1 - worth.ppv, _PLACES)),
            Cell(text=cutoff_text(worth)),
        )
        for worth in found.worth
    )
    return Table(
        title=f"Predictive value of p ≤ {found.alpha:g}",
        columns=(
            Column(header="Setting"),
            Column(header="True", align="right"),
            Column(header="False", align="right"),
            Column(header=f"Cut-off for {to_fixed(found.wanted, 2)}", align="right"),
        ),
        blocks=(Block(rows=rows),),
        footnotes=tuple(_footnotes(found)),
    )


def _footnotes(found: PredictiveValue) -> Iterator[Footnote]:
    yield Footnote(
        text=f"R = {odds_text(found)}: odds, not a probability; before the test a hypothesis is true with probability "
        f"{to_fixed(found.prior, _PLACES)}."
    )
    yield Footnote(
        text="True: the probability that a significant result is true, the positive predictive value "
        f"(1 - β) R / ((1 - β) R + α), with power 1 - β = {found.power:g}. {to_fixed(found.positives, _PLACES)} "
        "of all tests come out significant."
    )
    yield Footnote(text="Cut-off: the alpha at which it has the wanted value, the power being held fixed.")
    if any(worth.cutoff is None for worth in found.worth):
        yield Footnote(text=f"{UNDEFINED}: no alpha is small enough.")
    if found.p is not None:
        risk = (
            "the bound says nothing from 1/e on" if found.risk is None else f"at least {to_fixed(found.risk, _PLACES)}"
        )
        yield Footnote(
            text=f"Probability of the null hypothesis given p = {found.p:g} itself, and not p ≤ alpha: {risk}."
        )
    for note in found.notes:
        yield format_note(note)


def _curve(found: PredictiveValue) -> Table:
    columns = [Column(header="Alpha", align="right"), Column(header="True", align="right")]
    columns += [
        Column(header=_setting(found, worth).capitalize(), align="right")
        for worth in found.worth
        if worth.setting != "plain"
    ]
    rows = tuple(
        tuple(
            Cell(text=text)
            for text in (
                f"{point.alpha:g}",
                to_fixed(point.ppv, _PLACES),
                *(to_fixed(value, _PLACES) for value in (point.ppv_bias, point.ppv_teams) if value is not None),
            )
        )
        for point in found.curve
        if point.alpha in (*_SHOWN, found.alpha)
    )
    return Table(
        title="The same by alpha",
        columns=tuple(columns),
        blocks=(Block(rows=rows),),
        footnotes=(Footnote(text=f"{len(rows)} of {len(found.curve)} values of alpha; -f csv has all."),),
    )


def _setting(found: PredictiveValue, worth: PpvOfSetting) -> str:
    if worth.setting == "bias":
        return f"with bias {found.bias:g}"
    return f"with {found.teams} teams" if worth.setting == "teams" else ""
