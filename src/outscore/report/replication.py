"""Gains on several data sets: how many hold, what all say together, one by one, ranks; and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from outscore.base.errors import inflect
from outscore.report.footnotes import format_note
from outscore.report.model import Block, Cell, Column, Footnote, Row, Table
from outscore.report.numbers import UNDEFINED, Decimals, decimals_for, interval, level, p_text, to_digits, to_fixed
from outscore.report.text import clean
from outscore.report.view import View, correction_label
from outscore.results import AcrossSets, Ranking, Replicated, Replication, SetGain

_MOST_NAMES = 6
_MOST_CLAIMS = 4
_TESTS = {"wilcoxon": "Wilcoxon", "sign": "sign", "fisher": "Fisher", "stouffer": "Stouffer", "simes": "Simes"}
_VERBS = {"greater": "outscores", "less": "scores below"}
_PLURALS = {"greater": "outscore", "less": "score below"}
_INDEPENDENT = ("fisher", "stouffer")


def tables(result: Replication, width: int | None) -> list[Table]:
    """The tables of a replication, if the result is one."""
    view = View(result, width)
    tested = [_sets_table(result, view)] if _is_tested(result) else []
    return [
        _counts(result, view),
        _across_table(result, view),
        *tested,
        *(_ranks(result, view, r) for r in result.rankings),
    ]


def sentence(result: Replication, width: int | None) -> str:
    """On how many data sets the gains hold, ready for a paper."""
    return " ".join(sentences(result, width))


def sentences(result: Replication, width: int | None) -> Iterator[str]:
    """The same, a sentence for each gain, or for each metric where gains are many."""
    view = View(result, width)
    if len(result.replicated) <= _MOST_CLAIMS:
        yield from (_claim(result, view, one) for one in result.replicated)
        return
    for metric in view.metrics:
        found = [one for one in result.replicated if one.metric == metric]
        under = f" under {view.label(metric)}" if len(view.metrics) > 1 else ""
        yield f"{_claims(result, found)}{under}."


def gain_decimals(result: Replication, view: View, metric: str) -> Decimals:
    """Decimals of the scores and gains of one metric on all data sets."""
    here = [gain for gain in result.set_gains if gain.metric == metric]
    return decimals_for(
        view.scores(metric)[0].unit,
        scores=[score for gain in here for score in (gain.baseline_score, gain.system_score)],
        gains=[gain.gain for gain in here],
        width=view.width,
    )


def _is_tested(result: Replication) -> bool:
    return any(gain.p_value is not None for gain in result.set_gains)


def _counts(result: Replication, view: View) -> Table:
    ahead = "ahead on" if result.alternative == "greater" else "behind on"
    columns = [
        Column(header="System"),
        Column(header="Mean gain", tail=f"[{level(result.alpha)} CI]", align="right"),
        Column(header=ahead, align="right"),
    ]
    if _is_tested(result):
        columns += [
            Column(header="holds on at least", align="right"),
            Column(header="if independent", align="right"),
            Column(header="Holds on", spare="footnote"),
        ]

    def rows(metric: str) -> Iterator[Row]:
        places = gain_decimals(result, view, metric).gain
        for one in result.replicated:
            if one.metric == metric:
                cells: Row = (
                    Cell(text=clean(one.system)),
                    Cell(text=to_fixed(one.mean_gain, places, sign=True), tail=interval(one.ci, places, sign=True)),
                    Cell(text=f"{one.n_ahead} of {one.n_sets}"),
                )
                if _is_tested(result):
                    cells += (
                        Cell(text=_number(one.count)),
                        Cell(text=_number(one.count_independent)),
                        Cell(text=_names(one.holds_on)),
                    )
                yield cells

    claim = "better" if result.alternative == "greater" else "worse"
    sets = inflect(len(result.data_sets), "data set")
    return Table(
        title=f"On how many of {sets} is a system {claim} than {clean(result.baseline)}?",
        columns=tuple(columns),
        blocks=view.blocks(rows),
        footnotes=(
            *(Footnote(text=text) for text in _about(result, view)),
            *(format_note(note, where=_describe_where(result, note.code)) for note in result.notes),
        ),
    )


def _about(result: Replication, view: View) -> Iterator[str]:
    side = "the system is better" if result.alternative == "greater" else "the system is worse"
    if _is_tested(result):
        yield (
            f"holds on at least: so many data sets, with {level(result.alpha)} confidence, whatever their dependence "
            f"(partial conjunction, Bonferroni); p one-sided, {side}. Holm says which."
        )
        yield "if independent: the same by Fisher, for data sets that have nothing in common."
    yield (
        "Mean gain: over data sets, each with the same weight, with a t interval over data sets. Gain: system minus "
        f"baseline, signed so that positive is better; seed {result.seed}; alpha {result.alpha:g}."
    )
    tests = dict.fromkeys(gain.test for gain in result.set_gains if gain.test)
    if tests:
        yield f"Test on each data set: {', '.join(map(clean, tests))}."
    for metric in view.metrics:
        signature = clean(view.scores(metric)[0].signature)
        if signature and signature != clean(metric):
            yield f"Signature of {view.label(metric)}: {signature}"


def _describe_where(result: Replication, code: str) -> str:
    """The gains that a note is about, unless it is about all of them or about the whole."""
    gains = [gain for gain in result.set_gains if code in gain.notes]
    if not gains or len(gains) == len(result.set_gains):
        return ""
    for field, word in (("metric", "under"), ("data_set", "on"), ("system", "for")):
        named = dict.fromkeys(str(getattr(gain, field)) for gain in gains)
        if len(gains) == sum(getattr(gain, field) in named for gain in result.set_gains):
            return f"{word} {_names(tuple(named))}: "
    return f"{_names(tuple(dict.fromkeys(f'{gain.system} on {gain.data_set}' for gain in gains)))}: "


def _names(names: Sequence[str]) -> str:
    """The first few names; how many more there are."""
    shown = ", ".join(clean(name) for name in names[:_MOST_NAMES])
    more = len(names) - _MOST_NAMES
    return f"{shown} and {more} more" if more > 0 else shown


def _number(count: int | None) -> str:
    return UNDEFINED if count is None else str(count)


def _across_table(result: Replication, view: View) -> Table:
    tests = list(dict.fromkeys(answer.test for one in result.replicated for answer in one.across))
    several = len(result.replicated) > 1
    columns = (Column(header="System"), *(Column(header=_TESTS[test], align="right") for test in tests))

    def rows(metric: str) -> Iterator[Row]:
        for one in result.replicated:
            if one.metric == metric:
                found = {answer.test: answer for answer in one.across}
                yield (
                    Cell(text=clean(one.system)),
                    *(view.p_cell(found[t].p_adjusted if t in found else None) for t in tests),
                )

    holm = f", each column corrected by Holm over {len(result.replicated)}" if several else ""
    return Table(
        title=f"All data sets together: p{holm}",
        columns=columns,
        blocks=view.blocks(rows),
        footnotes=tuple(Footnote(text=text) for text in _describe_tests(result, tests)),
    )


def _describe_tests(result: Replication, tests: Sequence[str]) -> Iterator[str]:
    """Sentences on the tests, grouped by their null hypothesis."""
    answers = [answer for one in result.replicated for answer in one.across]
    for null, side in dict.fromkeys((answer.null, answer.alternative) for answer in answers):
        names = [test for test in tests if any(a.test == test and a.null == null for a in answers)]
        shown = ", ".join(_TESTS[name] for name in names)
        yield f"{shown} ({clean(side)}): null hypothesis: {clean(null)}."
    yield "Wilcoxon and sign take each data set for one number; the others combine the p-values of the data sets."
    if any(test in _INDEPENDENT for test in tests):
        yield "Fisher, Stouffer (weights: √items): for independent data sets; Simes also for positively related ones."
    floors = [a.p_min for a in answers if a.p_min is not None and a.p_min > result.alpha]
    if floors:
        yield f"Smallest attainable p of Wilcoxon and sign: {p_text(min(floors), result.alpha)}; alpha is out of reach."


def _sets_table(result: Replication, view: View) -> Table:
    several = len(result.replicated) > 1
    columns = [
        Column(header="Data set"),
        Column(header="items", align="right"),
        Column(header="Gain", tail=f"[{level(result.alpha)} CI]", align="right"),
        Column(header="p", align="right"),
        Column(header="p Holm", align="right"),
    ]
    joint = _joint(result)
    if joint:
        columns.append(Column(header=joint, align="right"))

    def row(gain: SetGain, places: int) -> Row:
        shown = gain.ci is None or gain.ci[0] > 0 or gain.ci[1] < 0
        holds = gain.p_holm is not None and gain.p_holm <= result.alpha and shown
        p = view.p_cell(gain.p_value)
        cells: Row = (
            Cell(text=clean(gain.data_set)),
            Cell(text=str(gain.n_items)),
            Cell(
                text=to_fixed(gain.gain, places, sign=True),
                tail=interval(gain.ci, places, sign=True),
                marks="†" if holds else "",
                tone="" if not holds else "better" if gain.gain > 0 else "worse",
            ),
            p,
            view.p_cell(gain.p_holm),
        )
        return (*cells, view.p_cell(gain.p_adjusted)) if joint else cells

    blocks = []
    for one in result.replicated:
        places = gain_decimals(result, view, one.metric).gain
        gains = [g for g in result.set_gains if (g.system, g.metric) == (one.system, one.metric)]
        on = f" on {view.label(one.metric)}" if len(view.metrics) > 1 else ""
        name = f"{clean(one.system)}{on}" if several else ""
        blocks.append(Block(metric=name, rows=tuple(row(gain, places) for gain in gains)))
    notes = [Footnote(text="p: one-sided. p Holm: over the data sets of a system and metric.")]
    if any(cell.marks for block in blocks for cells in block.rows for cell in cells):
        notes.insert(0, Footnote(mark="†", text=f"the gain holds here: p Holm ≤ {result.alpha:g}."))
    if joint:
        notes.append(Footnote(text=f"{joint}: over {_family(result)}."))
    return Table(title="Data set by data set", columns=tuple(columns), blocks=tuple(blocks), footnotes=tuple(notes))


def _joint(result: Replication) -> str:
    """The heading of the p-values corrected over everything, where they say more than Holm over the data sets."""
    if all(gain.p_adjusted in (gain.p_holm, gain.p_value) for gain in result.set_gains):
        return ""
    return f"p {correction_label(result.correction)} of all"


def _family(result: Replication) -> str:
    size = sum(gain.p_adjusted is not None for gain in result.set_gains)
    return f"{inflect(size, 'gain')}, all systems, metrics and data sets together"


def _ranks(result: Replication, view: View, ranking: Ranking) -> Table:
    on = f" by {view.label(ranking.metric)}" if len(view.metrics) > 1 else ""
    headers = ("mean rank", "before the baseline by", "p Nemenyi", "p Holm")
    rows = [
        (
            Cell(text=clean(one.system)),
            Cell(text=to_fixed(one.mean_rank, 2)),
            Cell(text="" if one.gap is None else to_fixed(one.gap, 2, sign=True)),
            Cell() if one.gap is None else view.p_cell(one.p_nemenyi),
            Cell() if one.gap is None else view.p_cell(one.p_holm),
        )
        for one in sorted(ranking.ranks, key=lambda one: one.mean_rank)
    ]
    law = "all orders" if ranking.p_kind == "exact" else f"F with {ranking.df} and {ranking.df_blocks} df"
    f = "" if ranking.f is None else f", Iman-Davenport F {to_digits(ranking.f)}"
    said = (
        f"Friedman: p {_p(ranking.p_value, result.alpha)} ({law}); χ² {to_digits(ranking.chi2)}{f}, "
        f"Kendall's W {to_fixed(ranking.kendall_w, 2)}. Null hypothesis: {clean(ranking.null)}.",
        f"Nemenyi: any two systems differ whose mean ranks lie {to_fixed(ranking.critical_difference, 2)} or "
        "more apart. Holm: over the systems against the baseline.",
    )
    return Table(
        title=f"Mean ranks on {inflect(ranking.n_sets, 'data set')}{on}",
        columns=(Column(header="System"), *(Column(header=header, align="right") for header in headers)),
        blocks=(Block(rows=tuple(rows)),),
        footnotes=tuple(Footnote(text=text) for text in said),
    )


def _p(p: float, alpha: float) -> str:
    """``< 0.001`` or ``= 0.013``."""
    text = p_text(p, alpha)
    return text if text.startswith("<") else f"= {text}"


def _claim(result: Replication, view: View, one: Replicated) -> str:
    """One system under one metric in a sentence."""
    places = gain_decimals(result, view, one.metric).gain
    on = f" under {view.label(one.metric)}" if len(view.metrics) > 1 else ""
    system, baseline = clean(one.system), clean(one.baseline)
    of = f"{one.n_sets} data sets"
    mean = f"mean gain {to_fixed(one.mean_gain, places, sign=True)}"
    wilcoxon = next((answer for answer in one.across if answer.test == "wilcoxon"), None)
    across = (
        ""
        if wilcoxon is None
        else f"; Wilcoxon across data sets{_describe_adjustment(result)} p {_rank_p(result, wilcoxon)}"
    )
    ahead = "ahead of" if result.alternative == "greater" else "behind"
    verb = _VERBS[result.alternative]
    if one.count is None:
        return f"{system} is {ahead} {baseline} on {one.n_ahead} of {of}{on} ({mean}){across}."
    by = f"(Bonferroni partial conjunction, alpha {result.alpha:g})"
    if one.count == 0:
        shown = f"{system} is not shown to {_PLURALS[result.alternative]} {baseline} on any of {of}{on} {by}"
    else:
        shown = f"{system} {verb} {baseline} on at least {one.count} of {of}{on} {by}: {_names(one.holds_on)}"
    independent = f"on at least {one.count_independent}" if one.count_independent else "on none"
    return f"{shown}; {independent} if they are independent (Fisher); {mean}{across}."


def _describe_adjustment(result: Replication) -> str:
    return ", Holm-adjusted," if len(result.replicated) > 1 else ""


def _rank_p(result: Replication, answer: AcrossSets) -> str:
    return f"{_p(answer.p_adjusted, result.alpha)} ({clean(answer.alternative)})"


def _claims(result: Replication, claims: Sequence[Replicated]) -> str:
    """Many systems under one metric in a sentence."""
    baseline, of = clean(result.baseline), inflect(len(result.data_sets), "data set")
    most = max(claims, key=lambda one: (one.count or 0, one.mean_gain))
    if most.count is None:
        side = 1 if result.alternative == "greater" else -1
        found = [
            one
            for one in claims
            if side * one.mean_gain > 0
            and any(a.test == "wilcoxon" and a.p_adjusted <= result.alpha for a in one.across)
        ]
        verb = (_VERBS if len(found) == 1 else _PLURALS)[result.alternative]
        return (
            f"Of {inflect(len(claims), 'system')}, {len(found)} {verb} {baseline} over {of} "
            f"(Wilcoxon, two-sided, Holm, alpha {result.alpha:g})"
        )
    some = [one for one in claims if one.count]
    best = f"; {clean(most.system)} on at least {most.count} of {of}" if most.count else ""
    by = f"(Bonferroni partial conjunction, alpha {result.alpha:g})"
    verb = (_VERBS if len(some) == 1 else _PLURALS)[result.alternative]
    return f"Of {inflect(len(claims), 'system')}, {len(some)} {verb} {baseline} on one data set or more{best} {by}"
