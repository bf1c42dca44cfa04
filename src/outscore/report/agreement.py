"""Agreement between annotators as tables: coefficients, annotators, labels, and units with most disagreement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from outscore.base.errors import inflect
from outscore.report.footnotes import format_note
from outscore.report.model import Block, Cell, Column, Footnote, Row, Table
from outscore.report.numbers import interval, level, to_fixed
from outscore.report.text import clean
from outscore.results import Agreement, Coefficient

_PLACES = 3
_MOST_LABELS = 10
"""Labels that stand beside each other in a table."""


def tables(result: Agreement, width: int | None) -> list[Table]:
    """The tables of a result about agreement, if it is one."""
    places = _PLACES if width is None else width
    tables = [_coefficients(result, places)]
    tables += [_pairs(result, places)] if result.annotator_pairs else []
    tables += [_annotators(result, places)] if result.annotators else []
    tables += [_labels(result, places)] if result.labels else []
    tables += [_others_table(result)] if result.coincidences and 1 < len(result.labels) <= _MOST_LABELS else []
    tables += [_disagreements_table(result, places)] if result.disputes else []
    return tables


def sentence(result: Agreement, width: int | None) -> str:
    """The agreement in words."""
    places = _PLACES if width is None else width
    whole = [c for c in result.coefficients if not c.domain]
    said = "; ".join(
        f"{c.title} = {to_fixed(c.value, places)}"
        + (f", {level(result.alpha)} CI {interval(c.ci, places)}" if c.ci is not None else "")
        for c in whole
    )
    over = inflect(result.n_units - result.n_single, "unit")
    confused = find_most_confused(result)
    most = f"; the labels most often confused are {clean(confused[0])} and {clean(confused[1])}" if confused else ""
    return f"Agreement of {_describe_raters(result)} on {over} with two labels or more: {said}{most}."


def find_most_confused(result: Agreement) -> tuple[str, str] | None:
    """The two labels that stand most often beside each other; None where no labels differ."""
    names = [label.label for label in result.labels]
    beside = result.coincidences
    found = max(
        ((beside[i][j] + beside[j][i], i, j) for i in range(len(beside)) for j in range(i)), default=(0.0, 0, 0)
    )
    return (names[found[2]], names[found[1]]) if found[0] > 0 else None


def _describe_raters(result: Agreement) -> str:
    return inflect(result.n_annotators, "exchangeable annotator" if result.exchangeable else "annotator")


def _coefficients(result: Agreement, places: int) -> Table:
    domains = list(dict.fromkeys(c.domain for c in result.coefficients))
    compared = any(c.against for c in result.coefficients)
    ends = f"[{level(result.alpha)} CI]"
    blocks = []
    for domain in domains:
        here = [c for c in result.coefficients if c.domain == domain]
        units = inflect(here[0].n_units, "unit")
        heading = f"{clean(domain)} ({units})" if domain else f"all ({units})" if len(domains) > 1 else ""
        blocks.append(Block(rows=tuple(_coefficient(c, places, compared) for c in here), metric=heading))
    columns = [
        Column(header="Coefficient"),
        Column(header="Value", tail=ends, align="right"),
        Column(header="Observed", align="right"),
        Column(header="By chance", align="right"),
    ]
    if compared:
        first = clean(next(c.against for c in result.coefficients if c.against))
        columns.append(Column(header=f"Less that of {first}", tail=ends, align="right"))
    return Table(
        title=f"Agreement of {_describe_raters(result)}",
        columns=tuple(columns),
        blocks=tuple(blocks),
        footnotes=tuple(_footnotes(result)),
    )


def _coefficient(found: Coefficient, places: int, compared: bool) -> Row:
    cells = (
        Cell(text=clean(found.title)),
        Cell(text=to_fixed(found.value, places), tail=interval(found.ci, places) if found.value is not None else ""),
        Cell(text=_format_component(found, found.observed, places)),
        Cell(text="" if found.coefficient.startswith("percent") else _format_component(found, found.expected, places)),
    )
    if not compared:
        return cells
    difference = Cell()
    if found.against:
        ends = interval(found.difference_ci, places, sign=True)
        difference = Cell(text=to_fixed(found.difference, places, sign=True), tail=ends)
    return (*cells, difference)


def _format_component(found: Coefficient, part: float | None, places: int) -> str:
    """Agreement; where only disagreement has a meaning, that, with a mark."""
    if part is None or found.parts == "agreement":
        return to_fixed(part, places)
    return to_fixed(1 - part, places) if found.coefficient == "krippendorff" else f"D {to_fixed(part, places)}"


def _footnotes(result: Agreement) -> Iterator[Footnote]:
    whole = [c for c in result.coefficients if not c.domain]
    for found in whole:
        yield Footnote(text=f"{found.title} corrects for {found.corrects}.")
    if any(c.parts == "disagreement" and c.coefficient != "krippendorff" for c in whole):
        yield Footnote(
            text="D: disagreement, in the units of the distance; the coefficient is 1 - observed / by chance."
        )
    provenance = result.provenance
    size = f"{inflect(result.n_units - result.n_single, 'unit')} with two labels or more"
    if provenance.n_clusters is not None:
        size += f" in {inflect(provenance.n_clusters, 'cluster')} ({clean(provenance.cluster)})"
    drawn = "" if provenance.interval == "analytic" else f"{provenance.n_resamples} resamples; seed {result.seed}; "
    yield Footnote(text=f"{size}; {drawn}alpha {result.alpha:g}.")
    methods = list(dict.fromkeys(c.ci_method for c in whole if c.ci_method))
    if methods:
        yield Footnote(text=f"{level(result.alpha)} intervals: {', '.join(map(clean, methods))}.")
    for note in result.notes:
        yield format_note(note)


def _pairs(result: Agreement, places: int) -> Table:
    binary = len(result.labels) == 2
    rows = tuple(
        (
            Cell(text=clean(pair.first)),
            Cell(text=clean(pair.second)),
            Cell(text=str(pair.n_units)),
            Cell(text=to_fixed(pair.agreement, places)),
            Cell(text=to_fixed(pair.kappa, places), tail=interval(pair.kappa_ci, places)),
            Cell(text=to_fixed(pair.kappa_max, places)),
            *((Cell(text=to_fixed(pair.prevalence, places)), Cell(text=to_fixed(pair.bias, places))) if binary else ()),
        )
        for pair in result.annotator_pairs
    )
    numbers = ["Largest κ", *(["Prevalence", "Bias"] if binary else [])]
    said = "Largest κ: what their frequencies of labels allow."
    indices = " Prevalence, bias: 0 where both labels are as frequent, and both annotators give them as often."
    return Table(
        title="Annotators in pairs",
        columns=(
            Column(header="Annotator"),
            Column(header="With"),
            Column(header="Units", align="right"),
            Column(header="Same label", align="right"),
            Column(header="Cohen's κ", tail=f"[{level(result.alpha)} CI]", align="right"),
            *(Column(header=header, align="right") for header in numbers),
        ),
        blocks=(Block(rows=rows),),
        footnotes=(Footnote(text=said + (indices if binary else "")),),
        naming=2,
    )


def _annotators(result: Agreement, places: int) -> Table:
    """Each annotator: agreement with the others, what the others reach without them, and the labels they give."""
    main = next((name for name in result.annotators[0].without if not name.startswith("percent")), None)
    titles = {c.coefficient: c.title for c in result.coefficients}
    labels = [label.label for label in result.labels] if len(result.labels) <= _MOST_LABELS else []
    heads = ["Labels", "Agrees with others", *([f"{titles[main]} without"] if main else []), *map(clean, labels)]
    rows = []
    for each in result.annotators:
        shares = [each.labels[label] / each.n_labels if each.n_labels else None for label in labels]
        cells = [str(each.n_labels), to_fixed(each.agreement, places)]
        cells += [to_fixed(each.without.get(main), places)] if main else []
        rows.append(_row(each.annotator, [*cells, *(to_fixed(share, places) for share in shares)]))
    notes = (
        (Footnote(text="Under the labels: the proportion of each among those that the annotator gave."),)
        if labels
        else ()
    )
    return Table(
        title="Annotators",
        columns=(Column(header="Annotator"), *(Column(header=head, align="right") for head in heads)),
        blocks=(Block(rows=tuple(rows)),),
        footnotes=notes,
    )


def _labels(result: Agreement, places: int) -> Table:
    rows = tuple(
        (
            *_row(label.label, [str(label.count), to_fixed(label.share, places), to_fixed(label.agreement, places)]),
            Cell(
                text=f"{clean(label.confused_with)} ({to_fixed(label.confused, places)})" if label.confused_with else ""
            ),
        )
        for label in result.labels
    )
    return Table(
        title="Labels",
        columns=(
            Column(header="Label"),
            Column(header="Given", align="right"),
            Column(header="Proportion", align="right"),
            Column(header="Agreement", align="right"),
            Column(header="Confused with"),
        ),
        blocks=(Block(rows=rows),),
        footnotes=(
            Footnote(
                text="Agreement: where one annotator gives the label, how often another gives it too; confused with: "
                "what others give most often instead, and how often."
            ),
        ),
    )


def _others_table(result: Agreement) -> Table:
    names = [label.label for label in result.labels]
    rows = tuple(
        _row(name, [to_fixed(value, 0 if float(value).is_integer() else 1) for value in row])
        for name, row in zip(names, result.coincidences, strict=True)
    )
    return Table(
        title="Labels against labels",
        columns=(Column(header="Label"), *(Column(header=clean(name), align="right") for name in names)),
        blocks=(Block(rows=rows),),
        footnotes=(Footnote(text=meaning(result)),),
    )


def meaning(result: Agreement) -> str:
    """Meaning of the numbers in the table of labels against labels."""
    if result.n_annotators == 2 and not result.exchangeable:
        first, second = (clean(each.annotator) for each in result.annotators)
        return f"Units by the label of {first} (rows) and of {second} (columns)."
    return "Pairs of labels of a unit, in both orders; a unit with m labels counts m times."


def _disagreements_table(result: Agreement, places: int) -> Table:
    rows = tuple(
        (
            Cell(text=clean(dispute.unit)),
            Cell(text=_describe_labels(dispute.labels, result.exchangeable)),
            Cell(text=to_fixed(dispute.disagreement, places)),
        )
        for dispute in result.disputes
    )
    return Table(
        title="Units with most disagreement",
        columns=(
            Column(header="Unit"),
            Column(header="Labels", prose=True),
            Column(header="Pairs that differ", align="right"),
        ),
        blocks=(Block(rows=rows),),
    )


def _describe_labels(labels: Mapping[str, str], exchangeable: bool) -> str:
    if exchangeable:
        return ", ".join(map(clean, labels.values()))
    return ", ".join(f"{clean(name)}: {clean(label)}" for name, label in labels.items())


def _row(name: str, cells: Sequence[str]) -> Row:
    return (Cell(text=clean(name)), *(Cell(text=text) for text in cells))
