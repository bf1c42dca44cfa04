"""Human ratings and preferences as tables and as a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.base.errors import inflect
from outscore.report.footnotes import format_note
from outscore.report.model import Block, Cell, Column, Footnote, Row, Table
from outscore.report.numbers import interval, level, p_text, to_fixed
from outscore.report.text import clean
from outscore.report.view import correction_label
from outscore.results import Humans, Preference, Rater, Wins

_PLACES = 3
_MOST_RATERS = 20


def tables(result: Humans, width: int | None) -> list[Table]:
    """Expected wins, pairs of systems and raters, if the result has them."""
    places = _PLACES if width is None else width
    tables = [_wins(result, places)] if result.wins else []
    tables += [_pairs(result, places)] if result.preferences else []
    return [*tables, _raters(result, places)] if 0 < len(result.raters) <= _MOST_RATERS else tables


def sentence(result: Humans, width: int | None) -> str:
    """Who wins most, and how many pairs of systems differ."""
    places = _PLACES if width is None else width
    known = [w for w in result.wins if w.expected_wins is not None]
    best = max(known, key=lambda w: w.expected_wins or 0.0, default=None)
    held = sum(p.p_adjusted is not None and p.p_adjusted <= result.alpha for p in result.preferences)
    said = "no judgment decides between two systems"
    if best is not None:
        ends = f"{level(result.alpha)} CI {interval(best.ci, places)}"
        said = f"{clean(best.system)} is expected to win most, {to_fixed(best.expected_wins, places)}, {ends}"
    pairs = f"{held} of {inflect(len(result.preferences), 'pair')} of systems differ at {result.alpha:g}"
    corrected = "" if result.correction == "none" else f" after {correction_label(result.correction)} correction"
    return f"{said}; {pairs}{corrected} (sign test)."


def _wins(result: Humans, places: int) -> Table:
    def row(found: Wins) -> Row:
        wins = Cell(text=to_fixed(found.expected_wins, places), tail=interval(found.ci, places))
        return Cell(text=clean(found.system)), wins, Cell(text=str(found.n_judgments)), Cell(text=str(found.n_items))

    columns = (
        Column(header="System"),
        Column(header="Expected wins ↑", tail=f"[{level(result.alpha)} CI]", align="right"),
        Column(header="judgments", align="right"),
        Column(header="items", align="right"),
    )
    return Table(
        title="How often a system is preferred",
        columns=columns,
        blocks=(Block(rows=tuple(row(w) for w in result.wins)),),
        footnotes=tuple(_footnotes(result)),
    )


def _pairs(result: Humans, places: int) -> Table:
    def row(found: Preference) -> Row:
        counts = (found.wins, found.ties, found.losses)
        return (
            Cell(text=clean(found.system)),
            Cell(text=clean(found.other)),
            *(Cell(text=str(count)) for count in counts),
            Cell(text=to_fixed(found.share, places), tail=interval(found.ci, places)),
            Cell(text=p_text(found.p_value, result.alpha)),
            Cell(text=p_text(found.p_adjusted, result.alpha)),
        )

    columns = (
        Column(header="System"),
        Column(header="Against"),
        *(Column(header=header, align="right") for header in ("wins", "ties", "losses")),
        Column(header="Proportion", tail=f"[{level(result.alpha)} CI]", align="right"),
        Column(header="p", align="right"),
        Column(header=f"p {correction_label(result.correction)}", align="right"),
    )
    nulls = dict.fromkeys(p.null for p in result.preferences)
    return Table(
        title="Pairs of systems",
        columns=columns,
        blocks=(Block(rows=tuple(row(p) for p in result.preferences)),),
        footnotes=(
            Footnote(text="Proportion: wins over wins and losses."),
            *(Footnote(text=f"Test: sign test, exact. Null hypothesis: {clean(null)}.") for null in nulls),
        ),
        naming=2,
    )


def _raters(result: Humans, places: int) -> Table:
    def row(found: Rater) -> Row:
        numbers = (to_fixed(found.mean, places), to_fixed(found.deviation, places))
        return Cell(text=clean(found.rater)), Cell(text=str(found.n_ratings)), *(Cell(text=n) for n in numbers)

    columns = (
        Column(header="Rater"),
        *(Column(header=header, align="right") for header in ("ratings", "mean", "deviation")),
    )
    return Table(title="Raters", columns=columns, blocks=(Block(rows=tuple(row(r) for r in result.raters)),))


def _footnotes(result: Humans) -> Iterator[Footnote]:
    yield Footnote(text="Expected wins: the mean over the other systems of wins over wins and losses (Koehn 2012).")
    drawn = result.provenance.n_resamples
    clusters = result.provenance.cluster
    units = "items" if clusters is None else f"clusters ({clean(clusters)})"
    yield Footnote(text=f"{level(result.alpha)} percentile intervals over {drawn} resampled sets of {units}.")
    if not result.scores:
        for note in result.notes:
            yield format_note(note)
