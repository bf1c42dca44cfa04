"""A leaderboard: the ranks that systems can have, who beats whom, mean ranks on blocks; and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from outscore.base.errors import inflect
from outscore.report.footnotes import format_note, samples_line
from outscore.report.in_history import decisions_table
from outscore.report.mean_ranks import mean_ranks_table
from outscore.report.model import Block, Cell, Column, Footnote, Row, Table
from outscore.report.numbers import Decimals, decimals_for, interval, level, p_text, to_digits, to_fixed
from outscore.report.text import clean
from outscore.report.view import View, arrow_of, correction_label, describe_coverage, test_label
from outscore.results import Leaderboard, Pair, Place

MOST_GAINS, MOST_SIGNS = 7, 24
"""Systems of which the gains of all pairs fit into a table, and signs in place of them."""

_MOST_NAMES = 6
_NO_JOINT_LEVEL, _OUT_OF_REACH = "no_joint_level", "family_out_of_reach"


def tables(result: Leaderboard, width: int | None) -> list[Table]:
    """The board, who beats whom under each metric, mean ranks where there are blocks, decisions over a history."""
    view = View(result, width)
    wins = [_wins(result, view, metric) for metric in view.metrics if len(result.board(metric)) <= MOST_SIGNS]
    ranks = [mean_ranks_table(result, view, one) for one in result.mean_ranks]
    decided = decisions_table(view, result.history)
    return [_board(result, view), *wins, *ranks, *([] if decided is None else [decided])]


def sentence(result: Leaderboard, width: int | None) -> str:
    """Who can lead, and how much of the order is known, ready for a paper."""
    return " ".join(sentences(result, width))


def sentences(result: Leaderboard, width: int | None) -> Iterator[str]:
    """The same, a sentence for each metric."""
    view = View(result, width)
    yield from (_describe_lead(result, view, metric) for metric in view.metrics)


def gain_decimals(result: Leaderboard, view: View, metric: str) -> Decimals:
    """Decimals of the scores and gains of one metric."""
    scores = view.scores(metric)
    return decimals_for(
        scores[0].unit,
        scores=[score.score for score in scores],
        gains=[pair.gain for pair in result.pairs if pair.metric == metric],
        width=view.width,
    )


def rank_range(place: Place) -> str:
    """``2–5``, or ``1``."""
    return _range(place.best, place.worst)


def sign_pairs(result: Leaderboard, metric: str) -> dict[tuple[str, str], tuple[float, Pair]]:
    """The gain of the first over the second of every two systems, in both orders, with its pair."""
    pairs = [pair for pair in result.pairs if pair.metric == metric]
    there = {(pair.system, pair.baseline): (pair.gain, pair) for pair in pairs}
    return there | {(pair.baseline, pair.system): (-pair.gain, pair) for pair in pairs}


def outcome(gain: float, pair: Pair) -> Literal["better", "worse", ""]:
    """``better`` or ``worse``, of the system whose gain it is; empty where that is open."""
    if pair.verdict not in ("better", "worse"):
        return ""
    return "better" if (pair.gain == gain) == (pair.verdict == "better") else "worse"


def claim(result: Leaderboard) -> str:
    """Claim of the rank sets, with their level."""
    if any(note.code == _NO_JOINT_LEVEL for note in result.notes):
        return f"not corrected for the number of pairs ({correction_label(result.correction)})"
    return f"together they hold all true ranks with {level(result.alpha)} confidence"


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def _board(result: Leaderboard, view: View) -> Table:
    tiers = max(place.tier for place in result.places) > 1
    first = view.scores(view.metrics[0])[0]
    score = "Score" if len(view.metrics) > 1 else f"{view.label(first.metric)} {arrow_of(first)}"
    columns = [
        Column(header="System"),
        Column(header=score, tail=f"[{level(result.alpha)} CI]", align="right"),
        Column(header="Rank", align="right"),
        Column(header="Rank set", align="right"),
        *([Column(header="Tier", align="right")] if tiers else []),
        Column(header="Letters"),
        Column(header="bootstrap", align="right", spare="elsewhere"),
        Column(header="first", align="right", spare="elsewhere"),
    ]

    def rows(metric: str) -> Iterator[Row]:
        scores = {score.system: score for score in view.scores(metric)}
        places = gain_decimals(result, view, metric).score
        for place in result.board(metric):
            found = scores[place.system]
            yield (
                Cell(text=clean(place.system)),
                Cell(text=to_fixed(found.score, places), tail=interval(found.ci, places)),
                Cell(text=str(place.rank)),
                Cell(text=rank_range(place)),
                *([Cell(text=str(place.tier))] if tiers else []),
                Cell(text=place.letters),
                Cell(text=_range(*place.bootstrap)),
                Cell(text=_format_proportion(place.first)),
            )

    systems = inflect(len(result.board(view.metrics[0])), "system")
    return Table(
        title=f"Which ranks can the {systems} have?",
        columns=tuple(columns),
        blocks=view.blocks(rows),
        footnotes=(
            *map(format_note, (note for note in result.notes if note.code == _OUT_OF_REACH)),
            *_about(result, view, tiers),
            *map(format_note, (note for note in result.notes if note.code != _OUT_OF_REACH)),
        ),
    )


def _format_proportion(value: float) -> str:
    """``< 1%`` rather than a zero that is none."""
    percent = 100 * value
    return "< 1%" if 0 < percent < 1 else "> 99%" if 99 < percent < 100 else f"{to_fixed(percent, 0)}%"


def _about(result: Leaderboard, view: View, tiers: bool) -> Iterator[Footnote]:
    """Footnotes on the meaning of the columns, then on how it was done."""
    yield Footnote(
        text="Rank set: from one plus the systems that are significantly better, to all but those that are worse; "
        f"{claim(result)}."
    )
    if tiers:
        yield Footnote(text="Tier: ends only where every system above significantly beats every one below.")
    yield Footnote(text="Letters: systems that share one do not differ significantly.")
    yield Footnote(
        text=f"bootstrap, first: ranks, and proportion of first places, in resampled sets of {_units(result)}. "
        "Descriptive only: each system by itself, and too narrow where systems are equally good.",
        about="bootstrap",
    )
    yield from (Footnote(text=text) for text in _describe_intervals(result, view))


def _describe_intervals(result: Leaderboard, view: View) -> Iterator[str]:
    yield from describe_tests(result, view)
    yield _size(result)
    yield from samples_line(result)
    methods = dict.fromkeys(clean(score.ci_method) for score in result.scores)
    yield f"{level(result.alpha)} intervals of scores, each by itself: {', '.join(methods)}."
    yield from _describe_ratings(result)
    for metric in view.metrics:
        signature = clean(view.scores(metric)[0].signature)
        if signature and signature != clean(metric):
            yield f"Signature of {view.label(metric)}: {signature}"


def describe_tests(result: Leaderboard, view: View) -> Iterator[str]:
    """How each two systems were compared, and corrected for how many there are."""
    over = inflect(len(result.pairs), "pair")
    under = f" under {len(view.metrics)} metrics" if len(view.metrics) > 1 else ""
    for label, null in dict.fromkeys((test_label(p.test, p.p_kind), p.null) for p in result.pairs):
        yield f"Test of each pair: {label}; two-sided. Null hypothesis: {clean(null).rstrip('.')}."
    joint = describe_coverage(result.correction, len(result.pairs))
    if result.correction == "none":
        yield f"No correction over {over}{under}{joint}."
        return
    yield f"Correction: {correction_label(result.correction)} over {over}{under}{joint}."


def _size(result: Leaderboard) -> str:
    provenance = result.provenance
    items = max(pair.n_items for pair in result.pairs)
    text = inflect(items, clean(result.unit))
    if result.kind == "scores" and provenance.n_clusters is not None:
        text += f" in {inflect(provenance.n_clusters, 'cluster')} ({clean(provenance.cluster or '')})"
    elif provenance.cluster:
        text += f" ({clean(provenance.cluster)})"
    if provenance.dropped:
        text += f", {len(provenance.dropped)} of {provenance.n_items_read} dropped"
    drawn = f"{provenance.n_resamples} resamples, engine {clean(provenance.engine)}"
    return f"{text}; {drawn}; seed {result.seed}; alpha {result.alpha:g}."


def _units(result: Leaderboard) -> str:
    clustered = result.kind == "scores" and result.provenance.n_clusters is not None
    return "clusters" if clustered else f"{clean(result.unit)}s"


def _describe_ratings(result: Leaderboard) -> Iterator[str]:
    if result.kind != "ratings":
        return
    tie = result.tie_parameter
    counted_as = "half a win for each" if tie is None else f"an outcome of their own (Davidson), ν {to_digits(tie)}"
    elo = any(score.unit == "Elo" for score in result.scores)
    means = "400 points are odds of 10 to 1" if elo else "a difference of 1 is odds of 2.72 to 1"
    yield f"Rating: Bradley-Terry, of wins over losses; {means}; the mean is {'1500' if elo else '0'}."
    yield f"{result.n_judgments} judgments, {result.n_ties} of them ties: {counted_as}."


def _wins(result: Leaderboard, view: View, metric: str) -> Table:
    """Every two systems: gains with p while they fit, then signs."""
    board = [place.system for place in result.board(metric)]
    pairs, places = sign_pairs(result, metric), gain_decimals(result, view, metric).gain
    gains = len(board) <= MOST_GAINS
    on = f" by {view.label(metric)}" if len(view.metrics) > 1 else ""

    def cell(row: int, column: int) -> Cell:
        if row == column or (gains and row > column):
            return Cell()
        gain, pair = pairs[board[row], board[column]]
        said = outcome(gain, pair)
        if not gains:
            return Cell(text={"better": "+", "worse": "−", "": "·"}[said])
        p = p_text(pair.p_adjusted, result.alpha)
        return Cell(text=to_fixed(gain, places, sign=True), tail=f"({p})", marks=_mark(result, pair), tone=said)

    columns = range(1, len(board)) if gains else range(len(board))
    rows = tuple(
        (Cell(text=clean(system)), Cell(text=str(row + 1)), *(cell(row, column) for column in columns))
        for row, system in enumerate(board[:-1] if gains else board)
    )
    heads = [Column(header=str(column + 1), align="right") for column in columns]
    said = (
        "Gain of the row over the column, with p after the correction; columns are numbered like the rows."
        if gains
        else "+: the row is significantly better than the column, −: worse, ·: open; numbered like the rows."
    )
    last = f" {len(board)}: {clean(board[-1])}." if gains else ""
    return Table(
        title=f"Who beats whom{on}?",
        columns=(Column(header="System"), Column(header="", align="right"), *heads),
        blocks=(Block(rows=rows),),
        footnotes=(*_daggers(result, rows), Footnote(text=f"{said}{last}")),
    )


def _mark(result: Leaderboard, pair: Pair) -> str:
    if pair.verdict not in ("better", "worse") or pair.p_adjusted is None:
        return ""
    return "‡" if pair.p_adjusted <= result.alpha / 5 else "†"


def _daggers(result: Leaderboard, rows: Sequence[Row]) -> Iterator[Footnote]:
    shown = {mark for row in rows for cell in row for mark in cell.marks}
    for mark, threshold in (("†", result.alpha), ("‡", result.alpha / 5)):
        if mark in shown:
            yield Footnote(mark=mark, text=f"p {correction_label(result.correction)} ≤ {threshold:g}.")


def _describe_lead(result: Leaderboard, view: View, metric: str) -> str:
    """Who can lead under one metric, and how many pairs are decided."""
    board, leaders = result.board(metric), result.leaders(metric)
    top = board[0]
    places = gain_decimals(result, view, metric)
    score = next(s for s in view.scores(metric) if s.system == top.system)
    best = f"{clean(top.system)} ({to_fixed(score.score, places.score)} {view.label(metric)})"
    others = len(leaders) - 1
    if not others:
        lead = f"{best} leads {inflect(len(board) - 1, 'other system')}"
    else:
        names = ", ".join(clean(name) for name in leaders if name != top.system) if others <= _MOST_NAMES else ""
        who = names or inflect(others, "other system")
        lead = f"{best} is first of {inflect(len(board), 'system')}, but {who} may be as good or better"
    pairs = [pair for pair in result.pairs if pair.metric == metric]
    held = sum(pair.verdict in ("better", "worse") for pair in pairs)
    tiers = max(place.tier for place in board)
    size = f"{max(pair.n_items for pair in pairs)} {clean(result.unit)}s"
    by = "without correction" if result.correction == "none" else f"after {correction_label(result.correction)}"
    joint = "" if "not corrected" in claim(result) else f", joint {level(result.alpha)} rank sets"
    return (
        f"{lead}; {held} of {inflect(len(pairs), 'pair')} differ at {result.alpha:g} {by}, in "
        f"{inflect(tiers, 'tier')} ({size}{joint})."
    )
