"""The record of a study: what was found beside what the source published, tables, and pictures as declarations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer
from outscore.results.pictures import Chart
from outscore.results.result import Interval, Result, Score, kinds

_DIGITS, _SHARE_PLACES = 4, 1
_SMALL_SHARE = 0.1
"""Below it, where levels and p-values lie, a share has one decimal more."""
_MOST_FIGURES = 4
"""Pictures of which the first screen says what they show."""
_FEW_FINDINGS = 12
"""Findings that stand on the first screen in their order; of more those that differ come first."""
_TONES = {"agrees": "better", "differs": "worse"}
_VERDICTS = {"agrees": ("agrees", "agree"), "differs": ("differs", "differ"), "cannot tell": ("cannot be told",) * 2}

Value = float | int | str | None
"""The value in a cell of a table."""

Kind = Literal["text", "count", "share", "p", "number"]
"""How a value is written: a proportion (``share``) as per cent, a p-value by its custom, a number with four
significant digits."""

Mark = Literal["point", "line", "band", "bar", "interval", "text", "x-rule", "y-rule"]
"""The form of rows in a layer: points, lines, a band or intervals from ``low`` to ``high``, bars, names or rules."""


@dataclass(frozen=True, kw_only=True)
class Field:
    """One column of a table.

    Attributes:
        name: short name for files; ``title``: heading, with the unit where there is one: ``gain (BLEU)``.
        kind: how its values are written.
        low, high: the columns that hold the ends of its interval, which then stand beside it; empty for none.
    """

    name: str
    title: str
    kind: Kind = "number"
    low: str = ""
    high: str = ""


@dataclass(frozen=True, kw_only=True)
class DataTable:
    """Rows of values.

    Attributes:
        name: short name; pictures refer to it.
        title: of the table.
        fields: its columns.
        rows: a value for each field.
        about: explanation for the reader, or nothing.
        printed: whether text formats show it; others stand in files and pictures only.
    """

    name: str
    title: str
    fields: tuple[Field, ...]
    rows: tuple[tuple[Value, ...], ...]
    about: str = ""
    printed: bool = True

    def records(self) -> list[dict[str, Value]]:
        """The rows by the names of the fields."""
        names = [field.name for field in self.fields]
        return [dict(zip(names, row, strict=True)) for row in self.rows]


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One axis of a picture.

    Attributes:
        title: with the unit.
        scale: ``linear``, ``log`` or ``sqrt``; or ``names`` for categories.
        percent: numbers are proportions.
        domain: its ends, where they are not those of the data.
    """

    title: str
    scale: Literal["linear", "log", "sqrt", "names"] = "linear"
    percent: bool = False
    domain: tuple[float, float] | None = None


@dataclass(frozen=True, kw_only=True)
class Layer:
    """One layer of a picture: rows of a table under one mark.

    Attributes:
        mark: shape that is drawn.
        table: name of the table.
        x, y: fields; a rule needs one of them.
        low, high: fields of the ends of a band or an interval: along y where the layer has an ``x``, else along x.
        colour: field whose values have colours of their own; empty for one colour.
        label: field of the text of a ``text`` layer.
        dashed: a broken line, for what is expected rather than found.
    """

    mark: Mark
    table: str
    x: str = ""
    y: str = ""
    low: str = ""
    high: str = ""
    colour: str = ""
    label: str = ""
    dashed: bool = False


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A picture as a declaration; the report draws it.

    Attributes:
        name: short name.
        title: the finding in a sentence; ``subtitle``: how it was found.
        x, y: axes.
        layers: from the back to the front.
        facet: field, in every table drawn, whose values get a panel each; empty for one panel.
        where: field, in every table drawn, and the value of the rows that are drawn; None for all rows.
        colours: the values that have colours, in order; empty for those of the data.
        own_ranges: whether the axes of each panel end where its own numbers do, for panels in different units.
    """

    name: str
    title: str
    subtitle: str
    x: Axis
    y: Axis
    layers: tuple[Layer, ...]
    facet: str = ""
    where: tuple[str, str] | None = None
    colours: tuple[str, ...] = ()
    own_ranges: bool = False


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One number, or one statement, beside what the source published.

    Attributes:
        what: name of the quantity in words, with its unit.
        value: of the quantity as found; ``kind``: how it is written.
        ci: its interval at level 1 - alpha; ``error``: its Monte-Carlo standard error; None where it has none.
        expected: value by a law; None where there is none.
        published: value in the source; None where it printed nothing of the kind.
        source: where it stands: author, year, table or section.
        margin: difference that was stated not to matter, in the unit of the value; None where nothing is compared.
        verdict: of the published number, or where there is none of the law: ``agrees`` (the interval of the difference
            lies inside the margin), ``differs``, ``cannot tell``; empty where the data are others.
        reason: why it differs, or what else must be known.
    """

    what: Annotated[str, Shown("", "prose")]
    value: Value
    kind: Kind = "number"
    ci: Interval | None = None
    error: float | None = None
    expected: Value = None
    published: Value = None
    source: Annotated[str, Shown("source", "prose")] = ""
    margin: float | None = None
    verdict: Literal["agrees", "differs", "cannot tell", ""] = ""
    reason: Annotated[str, Shown("remark", "prose")] = ""


@kinds.register("study")
@dataclass(frozen=True, kw_only=True, repr=False)
class Findings(Result):
    """The findings of a study; there are no scores in it, its tables hold what belongs to the question.

    Attributes:
        study: name of the study, with the options that differ from the defaults.
        question: of the study; empty where its findings are the answer.
        design: how it was done, in a sentence.
        n_cells: cells of its grid.
        findings: numbers beside the published ones.
        tables, figures: the rest.
    """

    verdict_leads: ClassVar[bool] = True

    study: str
    question: str
    design: str
    n_cells: int
    findings: tuple[Finding, ...]
    tables: tuple[DataTable, ...]
    figures: tuple[Figure, ...]
    scores: tuple[Score, ...] = ()
    command: str = "study"

    def table(self, name: str) -> DataTable:
        """The table of that name.

        Raises:
            KeyError: there is none.
        """
        return {table.name: table for table in self.tables}[name]

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each finding and each row of each table, with the name of the table first."""
        names = dict.fromkeys(field.name for table in self.tables for field in table.fields)
        of_tables = ((table.name, record) for table in self.tables for record in table.records())
        found: list[Mapping[str, Any]] = [{"table": name, **record} for name, record in of_tables]
        if self.findings:
            names = dict.fromkeys(("what", "value", "low", "high", *names))
            said = (("findings", one.what, one.value, *(one.ci or ())) for one in self.findings)
            found[:0] = [dict(zip(("table", *names), row, strict=False)) for row in said]
        return [{"table": row["table"], **{name: row.get(name) for name in names}} for row in found]

    def check_whole(self) -> None:
        """Raises TypeError where a row does not fit its table, or a picture draws what is not there.

        Names of tables, of the fields of a table, and of pictures tell them apart.
        """
        fields = {table.name: {field.name for field in table.fields} for table in self.tables}
        if len(fields) < len(self.tables) or len({figure.name for figure in self.figures}) < len(self.figures):
            raise TypeError("two tables or two pictures have one name")
        for table in self.tables:
            known = fields[table.name]
            if len(known) < len(table.fields):
                raise TypeError(f"two fields of the table {table.name!r} have one name")
            if not {end for field in table.fields for end in (field.low, field.high)} - {""} <= known:
                raise TypeError(f"the table {table.name!r} does not hold the ends of its intervals")
            if any(len(row) != len(table.fields) for row in table.rows):
                raise TypeError(f"a row of the table {table.name!r} has not as many values as there are fields")
        for figure in self.figures:
            for layer in figure.layers:
                used = {layer.x, layer.y, layer.low, layer.high, layer.colour, layer.label, figure.facet} - {""}
                used |= {figure.where[0]} if figure.where else set()
                if not used <= fields.get(layer.table, set()):
                    raise TypeError(f"the picture {figure.name!r} draws what the table {layer.table!r} does not hold")

    # --- how it is told -----------------------------------------------------------------------------------

    def verdict(self, w: Writer) -> Iterator[str]:
        """The question with how many answers agree, then what the pictures show; the findings if there is none."""
        if not self.question:
            found = [one for one in self.findings if one.kind not in ("share", "count")]
            told = ([w.name(one.what) + ":", write_value(one.value, one.kind, w), _tail(one, w)] for one in found)
            said = "; ".join(" ".join(filter(None, one)) for one in told)
            yield f"{said[:1].upper()}{said[1:]}."
            return
        judged: Counter[str] = Counter(found.verdict for found in self.findings if found.verdict)
        yield " ".join([w.name(self.question), *_count_verdicts(judged, w)])
        titles = dict.fromkeys(_end(w.name(figure.title)) for figure in self.figures)
        yield from list(titles)[:_MOST_FIGURES]

    def views(self, w: Writer) -> Iterator[Any]:
        """The findings beside the published numbers, then the tables that are to be printed, then the sources."""
        if self.findings:
            yield self._view_findings(w)
        first = not self.findings
        for table in self.tables:
            if table.printed:
                yield self._view_table(table, w, first=first)
                first = False
        sourced = [found for found in self.findings if found.source or found.reason]
        if sourced:
            published = Shown("published", "number", value=lambda found: write_value(found.published, found.kind, w))
            yield w.table("Sources and remarks", sourced, ("what", published, "source", "reason"))

    def _view_findings(self, w: Writer) -> Any:
        here = Shown("here", "number", value=lambda found: write_value(found.value, found.kind, w),
                     ci=lambda found: _tail(found, w), ci_title="[CI] or ± error")  # fmt: skip
        columns: list[str | Shown] = ["what", here]
        if any(found.expected is not None for found in self.findings):
            columns.append(Shown("law", "number", value=lambda found: write_value(found.expected, found.kind, w)))
        if any(found.published is not None or found.source for found in self.findings):
            columns.append(
                Shown("published", "number", value=lambda found: write_value(found.published, found.kind, w))
            )
        if any(found.verdict for found in self.findings):
            columns.append(Shown("verdict", value=lambda found: _write_verdict(found, w), marked=True))
        rows: Sequence[Finding] = self.findings
        if len(rows) > _FEW_FINDINGS:
            rows = sorted(rows, key=lambda found: found.verdict != "differs")
        title = w.name(self.question or "Findings")
        return w.table(title, rows, columns, first=True, side=lambda found: _TONES.get(found.verdict, ""))

    def _view_table(self, table: DataTable, w: Writer, *, first: bool) -> Any:
        beside = {end for field in table.fields for end in (field.low, field.high) if end}
        columns = [_column(field, w) for field in table.fields if field.name not in beside]
        about = (w.name(table.about),) if table.about else ()
        return w.table(w.name(table.title), table.records(), columns, first=first, footnotes=about)

    def charts(self, w: Writer) -> Iterator[Chart]:
        axes = Counter(_name_axes(figure, w) for figure in self.figures)
        for figure in self.figures:
            named = _name_axes(figure, w)
            words = tuple(w.name(line) for line in (figure.title, *figure.subtitle.split("\n")) if line)
            yield Chart(
                heading=f"{named}: {w.name(figure.name)}" if axes[named] > 1 else named, name=figure.name, words=words,
                arranged="alone", panels=(FigureOfStudy(findings=self, figure=figure),),
            )  # fmt: skip

    def how(self, w: Writer) -> str:
        return w.name(self.design)

    def method(self, w: Writer) -> Iterator[str]:
        if self.design:
            yield w.name(self.design)
        size = f"{w.count(self.n_cells, 'cell')}; seed {self.seed}; alpha {self.alpha:g}"
        yield f"Study {w.name(self.study)}: {size}; intervals at {w.level()}."

    def __repr__(self) -> str:
        return f"<Findings of {self.study}: {inflect(self.n_cells, 'cell')}, {inflect(len(self.tables), 'table')}>"


@dataclass(frozen=True, kw_only=True)
class FigureOfStudy:
    """One picture of a study, with the tables that it is drawn from."""

    findings: Findings
    figure: Figure


def _name_axes(figure: Figure, w: Writer) -> str:
    """``Gain by runs of each system``, or the one axis that has a title; else the name of the picture."""
    up, along = figure.y, figure.x
    if up.scale == "names":
        up, along = along, up
    first, second = w.name(up.title), w.name(along.title)
    # a word of capitals stays one
    second = second if second[:2].isupper() else second[:1].lower() + second[1:]
    said = " by ".join(part for part in (first, second) if part) or w.name(figure.name)
    # p stays small
    return said if said[1:2] == " " else said[:1].upper() + said[1:]


def write_value(value: Value, kind: Kind, w: Writer) -> str:
    """A value as its kind is written."""
    if value is None or isinstance(value, str):
        return w.number(value)
    if kind == "count":
        return f"{value:,.0f}"
    if kind == "share":
        return w.percent(value, _SHARE_PLACES if abs(value) >= _SMALL_SHARE else _SHARE_PLACES + 1)
    if kind == "p":
        return w.p(value, "").removeprefix(" = ").strip()
    return w.number(value, _DIGITS)


def _column(field: Field, w: Writer) -> Shown:
    """A column of a table of data, its interval beside it."""

    def beside(record: Mapping[str, Value]) -> str:
        ends = [write_value(record[end], field.kind, w) for end in (field.low, field.high)]
        return f"[{', '.join(ends)}]" if None not in (record[field.low], record[field.high]) else f"[{w.number(None)}]"

    return Shown(
        w.name(field.title),
        "text" if field.kind == "text" else "number",
        value=lambda record: write_value(record[field.name], field.kind, w),
        ci=beside if field.low else "",
    )


def _count_verdicts(judged: Counter[str], w: Writer) -> Iterator[str]:
    """How many numbers agree, differ, or cannot be told."""
    if judged:
        rest = [f"{judged[name]} {said[judged[name] > 1]}" for name, said in _VERDICTS.items() if judged[name]]
        numbers = w.count(judged.total(), "number")
        yield f"Of {numbers} beside a law or a published one {', '.join(rest)}."


def _write_verdict(found: Finding, w: Writer) -> str:
    """The verdict with its margin in the unit of the value, or in points of per cent."""
    if not found.verdict:
        return write_value(None, "text", w)
    if not found.margin:
        return found.verdict
    return f"{found.verdict} (± {found.margin * (100 if found.kind == 'share' else 1):.3g})"


def _tail(found: Finding, w: Writer) -> str:
    """The interval of a finding, or its error."""
    share = found.kind == "share"
    if found.ci is not None:
        ends = (w.percent(end, 1).rstrip("%") if share else w.number(end, _DIGITS) for end in found.ci)
        return f"[{', '.join(ends)}]"
    if found.error is None:
        return ""
    return f"±{w.percent(found.error, 2).rstrip('%')}" if share else f"±{w.number(found.error, 2)}"


def _end(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
