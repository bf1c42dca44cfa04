"""Findings built by hand, with everything that a study may hold."""

from __future__ import annotations

from dataclasses import replace

from outscore.base.notes import Note
from outscore.results.study import Axis, DataTable, Field, Figure, Finding, Findings, Layer, Value
from tests.report.builders import HOSTILE, two_systems

ROWS: tuple[tuple[Value, ...], ...] = (
    ("bleu", "same", 1234, 0.0534, 0.0004, 0.41239, 0.3, 0.5221),
    ("bleu", "different", 66, 1.0, 0.04999, 12.5, None, None),
    ("ter", "same", 0, None, None, None, 0.1, 0.2),
    ("ter", "different", 3, 0.5, 0.5, -0.00012345, -0.001, 0.001),
)
FIELDS = (
    Field(name="metric", title="Metric", kind="text"),
    Field(name="groups", title="Groups", kind="text"),
    Field(name="pairs", title="Pairs", kind="count"),
    Field(name="share", title="Share", kind="share"),
    Field(name="p", title="p", kind="p"),
    Field(name="gain", title="Gain (points)", low="low", high="high"),
    Field(name="low", title="low"),
    Field(name="high", title="high"),
)
FINDINGS = (
    Finding(
        what="Share of right signs", value=0.9234, kind="share", ci=(0.9, 0.95), expected=0.92, published=0.92,
        source="Berg-Kirkpatrick et al. 2012, Table 1", margin=0.0375, verdict="agrees",
    ),
    Finding(
        what="Gain at p = .05 (BLEU)", value=0.4123456, error=0.0123, published=0.28, source="ibid., Figure 4",
        verdict="differs", reason="these are other systems, on another test set",
    ),
    Finding(what="Level", value=0.0512, kind="share", error=0.0022, expected=0.05),
    Finding(what="Pairs", value=4321, kind="count"),
    Finding(what="p of the pair", value=0.00001, kind="p", published=0.049, source="ibid.", verdict=""),
    Finding(what="Order", value="same < different", kind="text", published="same < different", source="Figure 5"),
    Finding(what="Nothing to be found", value=None),
)  # fmt: skip


def findings() -> Findings:
    """Two tables, of which one is for files only, two pictures, and findings of every kind."""
    return Findings(
        study="gain:window=0.02",
        question="How large must a gain be?",
        design="6 pairs of 4 systems on 300 items, 1000 resamples.",
        n_cells=2,
        seed=12345,
        alpha=0.05,
        findings=FINDINGS,
        tables=(
            DataTable(name="gains", title="Gains", fields=FIELDS, rows=ROWS, about="Runs count as systems."),
            DataTable(name="hidden", title="Hidden", fields=FIELDS[:3], rows=tuple(r[:3] for r in ROWS), printed=False),
        ),
        figures=(
            Figure(
                name="gains",
                title="Gains grow",
                subtitle="4 rows",
                x=Axis(title="Pairs", scale="sqrt"),
                y=Axis(title="Gain (points)"),
                layers=(
                    Layer(mark="interval", table="gains", x="pairs", low="low", high="high", colour="groups"),
                    Layer(mark="point", table="gains", x="pairs", y="gain", colour="groups"),
                ),
                facet="metric",
                own_ranges=True,
            ),
            Figure(
                name="bars",
                title="Shares",
                subtitle="",
                x=Axis(title="Share of pairs", percent=True),
                y=Axis(title="", scale="names"),
                layers=(Layer(mark="bar", table="gains", x="share", y="metric", colour="groups"),),
                where=("groups", "different"),
                colours=("different", "same"),
            ),
        ),
        notes=(Note(code="few_pairs", text="3 pairs are few", remedy="take more systems"),),
        provenance=replace(two_systems().provenance, citations=("Berg-Kirkpatrick et al. 2012",)),
    )


def hostile_findings(names: tuple[str, ...] = HOSTILE) -> Findings:
    """The same with a hostile name wherever a name can stand."""
    made = findings()

    def name(i: int) -> str:
        return names[i % len(names)]

    rows = tuple((name(i), name(i + 1), *row[2:]) for i, row in enumerate(ROWS))
    fields = tuple(replace(field, title=name(i)) for i, field in enumerate(FIELDS))
    return replace(
        made,
        study=name(0),
        question=name(1),
        design=name(2),
        findings=tuple(
            replace(f, what=name(i), source=name(i + 1), reason=name(i + 2)) for i, f in enumerate(FINDINGS)
        ),
        tables=(
            replace(made.tables[0], title=name(3), about=name(4), fields=fields, rows=rows),
            replace(made.tables[1], rows=tuple(row[:3] for row in rows)),
        ),
        figures=(
            replace(made.figures[0], title=name(5), subtitle=name(7), x=Axis(title=name(6)), y=Axis(title=name(8))),
            replace(made.figures[1], title=name(9), where=("groups", name(2)), colours=(name(2), name(3))),
        ),
        notes=(Note(code="few", text=name(6), remedy=name(7)),),
    )
