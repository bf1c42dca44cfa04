"""An audit as a table: what each test and interval did on each kind of null versions."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.base.errors import inflect
from outscore.report.footnotes import format_note
from outscore.report.model import Block, Cell, Column, Footnote, Row, Table
from outscore.report.numbers import UNDEFINED, interval, level, to_fixed
from outscore.report.text import clean
from outscore.results import Audit, Check

_PLACES = 3


def tables(result: Audit, width: int | None) -> list[Table]:
    """The table of an audit, if the result is one."""
    return [_table(result)]


def sentence(audit: Audit, width: int | None) -> str:
    """Finding of an audit in words: tests that hold their level, that do not, and that leave it open."""
    said: list[str] = []
    kept: list[str] = []
    unclear: list[str] = []
    for test in dict.fromkeys(check.test for check in audit.checks):
        checks = [c for c in audit.checks if c.test == test and c.level is not None]
        wrong = [c for c in checks if c.verdict == "too often"]
        if wrong:
            worst = max(wrong, key=lambda c: c.level or 0.0)
            kinds = ", ".join(dict.fromkeys(_kind(c) for c in wrong))
            said.append(
                f"{clean(test)} rejects too often ({kinds}): in {_format_proportion(worst.level)} of null versions "
                f"at worst, {interval(worst.level_ci, _PLACES)}, instead of {audit.alpha:g}"
            )
        elif any(c.verdict == "unclear" for c in checks):
            unclear.append(clean(test))
        elif checks:
            kept.append(clean(test))
    if kept:
        said.insert(0, f"the level of {audit.alpha:g} holds for {', '.join(kept)}")
    if unclear:
        said.append(f"{inflect(audit.rounds, 'round')} are too few to judge {', '.join(unclear)}")
    missed = [c for c in audit.checks if c.coverage_verdict == "too low"]
    if missed:
        worst = min(missed, key=lambda c: c.coverage or 0.0)
        said.append(
            f"the {level(audit.alpha)} intervals of {', '.join(dict.fromkeys(clean(c.test) for c in missed))} cover "
            f"the known gain in {_format_proportion(worst.coverage)} of versions at worst ({_kind(worst)})"
        )
    else:
        covered = [c.coverage_verdict for c in audit.checks if c.coverage is not None]
        if covered and all(verdict != "unclear" for verdict in covered):
            said.append(f"the {level(audit.alpha)} intervals cover as they should")
    told = " when it is not told of the clusters" if audit.clusters_ignored else ""
    size = f"{inflect(audit.rounds, 'null version')} of each kind"
    return f"{'; '.join(said or ['no test could be judged'])}{told} ({size})."


def _table(audit: Audit) -> Table:
    several = len({check.system for check in audit.checks}) > 1
    metrics = dict.fromkeys(check.metric for check in audit.checks)

    def rows(metric: str) -> Iterator[Row]:
        for check in audit.checks:
            if check.metric == metric:
                yield (
                    *((Cell(text=clean(check.system)),) if several else ()),
                    Cell(text=clean(check.test)),
                    Cell(text=_kind(check)),
                    _make_cell(check.level, check.level_ci),
                    _verdict(check.verdict),
                    _make_cell(check.coverage, check.coverage_ci),
                    _verdict(check.coverage_verdict),
                )

    ci = f"[{level(1 - audit.level)} CI]"
    columns = (
        *((Column(header="System"),) if several else ()),
        Column(header="Test"),
        Column(header="Null versions"),
        Column(header="Level", tail=ci, align="right"),
        Column(header="Verdict"),
        Column(header="Coverage", tail=ci, align="right"),
        Column(header="Verdict"),
    )
    blocks = tuple(Block(metric=clean(m) if len(metrics) > 1 else "", rows=tuple(rows(m))) for m in metrics)
    title = f"Tests and intervals on null versions of these data (against {clean(audit.checks[0].baseline)})"
    return Table(title=title, columns=columns, blocks=blocks, footnotes=tuple(_footnotes(audit)))


def _footnotes(audit: Audit) -> Iterator[Footnote]:
    yield Footnote(
        text=f"Level: proportion of null versions in which p ≤ {audit.alpha:g}, which it should be. Coverage: "
        f"proportion in which the {level(audit.alpha)} interval of the gain holds the gain that is there, which should "
        f"be {to_fixed(1 - audit.alpha, _PLACES).rstrip('0')}."
    )
    for kind, words in dict.fromkeys((_kind(c), c.versions) for c in audit.checks):
        yield Footnote(text=f"{kind}: {clean(words)}.")
    for test, null in dict.fromkeys((c.test, c.null) for c in audit.checks):
        yield Footnote(text=f"Null hypothesis of {clean(test)}: {clean(null)}.")
    methods = dict.fromkeys(clean(c.ci_method) for c in audit.checks if c.ci_method)
    if methods:
        yield Footnote(text=f"Intervals: {', '.join(methods)}.")
    made = audit.provenance
    clusters = ""
    if made.n_clusters is not None:
        ignored = ", which the tests are not told of" if audit.clusters_ignored else ""
        clusters = f"; {inflect(made.n_clusters, 'cluster')} ({clean(made.cluster)}){ignored}"
    yield Footnote(
        text=f"{inflect(audit.rounds, 'version')} of each kind{clusters}; {audit.alternative}; "
        f"{made.n_resamples} resamples where a test draws, engine {clean(made.engine)}; seed {audit.seed}; by chance "
        f"alone one row in {round(1 / (1 - audit.level))} lies outside."
    )
    for note in audit.notes:
        yield format_note(note)


def _kind(check: Check) -> str:
    return clean(check.kind).replace("_", " ")


def _make_cell(proportion: float | None, ends: tuple[float, float] | None) -> Cell:
    return Cell(text=_format_proportion(proportion), tail="" if proportion is None else interval(ends, _PLACES))


def _format_proportion(proportion: float | None) -> str:
    return to_fixed(proportion, _PLACES)


def _verdict(verdict: str | None) -> Cell:
    worse = verdict in ("too often", "too low")
    return Cell(text=UNDEFINED if verdict is None else clean(verdict), tone="worse" if worse else "")
