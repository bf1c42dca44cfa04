"""Studies in every format: as they were, with numbers as their kind is written, and names that stay text."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import outscore
from outscore.base.errors import InputError, UsageError
from outscore.report import tables_of
from outscore.report.plots import SUFFIXES, escape_names, picture, render
from outscore.report.plots.theme import DASH, SERIES, log_ticks
from outscore.report.text import width_of
from outscore.results.study import Axis, DataTable, Field, Figure, Finding, Findings, Kind, Layer, Value
from tests.cli.commandline import outscore as command
from tests.examples import examples, first
from tests.report.builders import check_golden
from tests.report.findings import FIELDS, ROWS, findings, hostile_findings

FORMATS = {
    "terminal": "txt",
    "markdown": "md",
    "latex": "tex",
    "json": "json",
    "csv": "csv",
    "sentence": "sentence.txt",
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(("case", "made"), [("study", findings()), ("hostile_study", hostile_findings())])
def test_reports_stay_as_they_were(name: str, case: str, made: Findings) -> None:
    text = made.to("terminal:columns=100" if name == "terminal" else name)
    check_golden(f"{case}.{FORMATS[name]}", text)


@pytest.mark.parametrize("columns", [30, 80, 200])
def test_lines_fit_the_terminal(columns: int) -> None:
    for made in (findings(), hostile_findings()):
        text = made.to(f"terminal:columns={columns}")
        assert max(width_of(line) for line in text.splitlines()) <= columns
        assert not [c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Zl", "Zp")]


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (None, "number", "–"),
        (1234567.0, "count", "1,234,567"),
        (0.0534, "share", "5.34%"),
        (0.534, "share", "53.4%"),
        (1, "share", "100.0%"),
        (0.0004, "p", "< .001"),
        (0.0321, "p", ".032"),
        (1.0, "p", "1"),
        (0.41239, "number", "0.4124"),
        (-0.00012345, "number", "−0.0001234"),
        ("a\tb", "text", r"a\tb"),
    ],
)
def test_values_are_written_as_their_kind_is(value: Value, kind: Kind, text: str) -> None:
    fields = (Field(name="x", title="x", kind=kind),)
    table = DataTable(name="values", title="Values", fields=fields, rows=((value,),))
    ((row,),) = (t.rows for t in tables_of(replace(findings(), tables=(table,), figures=())) if t.title == "Values")
    assert row[0].plain.replace("-", "−") == text


def test_hidden_tables_stand_in_files_only() -> None:
    made = findings()
    titles = [table.title for table in tables_of(made)]
    assert titles == ["How large must a gain be?", "Gains", "Sources and remarks"]
    assert "Hidden" not in made.to("terminal") + made.to("latex")
    rows = list(csv.DictReader(io.StringIO(made.to("csv"))))
    assert [row["table"] for row in rows] == ["findings"] * len(made.findings) + ["gains"] * 4 + ["hidden"] * 4
    assert json.loads(made.to_json())["tables"][1]["name"] == "hidden"


def test_sources_remarks_and_the_size_of_the_study_stand_below() -> None:
    text = " ".join(findings().to("terminal:columns=200,detail=full").split())
    assert "Gain at p = .05 (BLEU) 0.2800 ibid., Figure 4 these are other systems, on another test set" in text
    assert "Share of right signs 92.0% Berg-Kirkpatrick et al. 2012, Table 1" in text
    assert "3 pairs are few. Take more systems." in text
    assert "Study gain:window=0.02: 2 cells; seed 12345; alpha 0.05" in text


def test_the_first_screen_has_the_question_the_answers_and_the_numbers_beside_published_ones() -> None:
    text = findings().to("terminal:columns=80")
    said = " ".join(text.split())
    assert said.startswith(
        "How large must a gain be? Of 2 numbers beside a law or a published one 1 agrees, 1 differs. Gains grow. "
        "Shares."
    )
    assert "0.4123 – 0.2800 differs (BLEU) ±0.012" in said, "the number here, what was expected, what was published"
    assert "6 pairs of 4 systems on 300 items, 1000 resamples. -v: gains, sources and remarks, method, notes." in said
    assert "- 3 pairs are few" in text.splitlines()
    assert "bleu" not in text, "other tables with -v"
    assert len(text.splitlines()) <= 25


def test_of_many_findings_those_that_differ_come_first() -> None:
    few = findings()
    more = tuple(Finding(what=f"number {i}", value=i / 7, verdict="agrees") for i in range(60))
    (table, *_) = tables_of(replace(few, findings=(*more, few.findings[1])))
    assert table.rows[0][0].text == "Gain at p = .05 (BLEU)"
    assert table.rows[1][0].text == "number 0"
    assert [row[0].text for row in tables_of(few)[0].rows] == [found.what for found in few.findings]
    assert len(replace(few, findings=(*more, few.findings[1])).to("terminal:columns=80").splitlines()) <= 40


def test_a_verdict_has_a_colour() -> None:
    tones = {row[0].text: [cell.tone for cell in row if cell.tone] for row in tables_of(findings())[0].rows}
    assert tones["Share of right signs"] == ["better"]
    assert tones["Gain at p = .05 (BLEU)"] == ["worse"]
    assert tones["Level"] == []


NAMES = st.text(max_size=30) | st.text(alphabet="\\{}[]&%$#_^~|<>`*\"'-=+@ \t\r\n\x1b\x00!名e\u0301", max_size=30)


@given(st.tuples(*[NAMES] * 3))
@settings(max_examples=examples(40))
def test_no_name_breaks_a_format(names: tuple[str, ...]) -> None:
    made = hostile_findings(names)
    latex = made.to_latex()
    bare = re.sub(r"\\[\\{}$%&#_]", "", latex)
    assert bare.count("{") == bare.count("}")
    assert "<" not in made.to_markdown()
    tokens = MarkdownIt("gfm-like", {"linkify": False}).enable("table").parse(made.to_markdown())
    assert [t.type for t in tokens].count("table_open") == len(tables_of(made))
    assert len({len(row) for row in csv.reader(io.StringIO(made.to("csv")))}) == 1
    for name in FORMATS:
        if name != "json":  # which escapes them
            assert not [c for c in made.to(name) if c != "\n" and unicodedata.category(c) in ("Cc", "Zl", "Zp")]
    assert Findings.from_json(made.to_json()).to_json() == made.to_json()
    json.dumps(picture(made), allow_nan=False)


@pytest.mark.parametrize("made", [findings(), hostile_findings()], ids=["plain", "hostile"])
def test_a_saved_study_is_shown_as_it_was_without_computing(made: Findings, tmp_path: Path) -> None:
    saved = tmp_path / "study.json"
    saved.write_text(made.to_json(), encoding="utf-8")
    assert isinstance(outscore.load(saved), Findings)
    assert outscore.load(saved) == made
    for name in FORMATS:
        assert command("show", saved, "-f", name).out.rstrip("\n") == made.to(name).rstrip("\n")
    done = command("show", saved, "-f", "csv", "--plot", tmp_path / "x.json", "-q")
    assert (done.code, done.err) == (0, "")
    assert json.loads((tmp_path / "x.json").read_text(encoding="utf-8")) == picture(made)


BROKEN: dict[str, Any] = {
    "a short row": {"tables": (replace(findings().tables[0], rows=(ROWS[0][:-1],)), findings().tables[1])},
    "a field twice": {
        "tables": (replace(findings().tables[0], fields=(*FIELDS[:-1], FIELDS[0])), findings().tables[1])
    },
    "an end that is not there": {
        "tables": (replace(findings().tables[0], fields=(*FIELDS[:5], replace(FIELDS[5], low="no"), *FIELDS[6:])),)
    },
    "a table twice": {"tables": findings().tables * 2},
    "a picture twice": {"figures": findings().figures * 2},
    "a picture of nothing": {"tables": findings().tables[1:]},
    "a facet that is not there": {"figures": (replace(findings().figures[0], facet="no"),)},
    "a picture where nothing is": {"figures": (replace(findings().figures[0], where=("no", "x")),)},
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_saved_study_that_is_not_whole_is_refused(fault: str) -> None:
    with pytest.raises(InputError, match="the saved findings is not whole"):
        outscore.Findings.from_json(replace(findings(), **BROKEN[fault]).to_json())


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("tables", 0, "fields", 0, "kind"), "prose"),
        (("figures", 0, "layers", 0, "mark"), "pie"),
        (("figures", 0, "x", "scale"), "cubic"),
        (("findings", 0, "verdict"), "perhaps"),
        (("tables", 0, "rows", 0, 0), [1]),
        (("figures", 0, "where"), ["one"]),
    ],
)
def test_words_that_a_study_does_not_know_are_refused(place: tuple[str | int, ...], value: Any) -> None:
    data = json.loads(findings().to_json())
    at = data
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = value
    with pytest.raises(InputError, match="the saved findings is not whole"):
        Findings.from_json(json.dumps(data))


def layers(spec: dict[str, Any]) -> list[dict[str, Any]]:
    inside = [layer for key in ("vconcat", "concat", "layer") for part in spec.get(key, []) for layer in layers(part)]
    return inside or [spec]


def one(figure: Figure, rows: tuple[tuple[Value, ...], ...] = ROWS) -> list[dict[str, Any]]:
    """The layers of one picture of a table with these rows."""
    table = DataTable(name="gains", title="", fields=FIELDS, rows=rows)
    return layers(picture(replace(findings(), tables=(table,), figures=(figure,))))


def figure(*drawn: Layer, **more: Any) -> Figure:
    plain = {"name": "f", "title": "t", "subtitle": "", "x": Axis(title="x"), "y": Axis(title="y")}
    return Figure(**{**plain, **more}, layers=drawn)


def test_a_value_has_one_colour_in_all_pictures_of_a_study() -> None:
    both = figure(Layer(mark="point", table="gains", x="pairs", y="gain", colour="groups"))
    alone = replace(both, name="g", where=("groups", "different"))
    made = replace(findings(), figures=(both, alone), tables=findings().tables[:1])
    for spec in (picture(made), picture(made, figure="g")):
        for layer in layers(spec):
            scale = layer["encoding"]["color"]["scale"]
            colours = dict(zip(scale["domain"], scale["range"], strict=True))
            assert colours.items() <= {"same": SERIES[0], "different": SERIES[1]}.items()
    assert layers(picture(made, figure="g"))[0]["encoding"]["color"]["scale"]["domain"] == ["different"]


def test_rows_that_lack_a_value_are_not_drawn() -> None:
    (layer,) = one(figure(Layer(mark="interval", table="gains", x="pairs", low="low", high="high")))
    assert len(layer["data"]["values"]) == 3
    (layer,) = one(figure(Layer(mark="point", table="gains", x="pairs", y="gain"), x=Axis(title="", scale="log")))
    assert [row["pairs"] for row in layer["data"]["values"]] == [1234, 66, 3], "0 is nowhere on a logarithmic axis"
    infinite = tuple((*row[:5], float("inf"), *row[6:]) for row in ROWS)
    (layer,) = one(figure(Layer(mark="point", table="gains", x="pairs", y="gain")), infinite)
    assert not layer["data"]["values"]


def test_intervals_lie_along_the_axis_of_numbers() -> None:
    names = Axis(title="", scale="names")
    (upright,) = one(figure(Layer(mark="interval", table="gains", x="metric", low="low", high="high"), x=names))
    (lying,) = one(figure(Layer(mark="interval", table="gains", y="metric", low="low", high="high"), y=names))
    assert {key: upright["encoding"][key]["field"] for key in ("x", "y", "y2")} == {
        "x": "metric", "y": "low", "y2": "high",
    }  # fmt: skip
    assert {key: lying["encoding"][key]["field"] for key in ("y", "x", "x2")} == {
        "y": "metric", "x": "low", "x2": "high",
    }  # fmt: skip
    assert lying["encoding"]["y"]["scale"]["domain"] == ["bleu", "ter"]


def test_colours_at_one_name_stand_side_by_side() -> None:
    bars = Layer(mark="bar", table="gains", x="share", y="metric", colour="groups")
    (layer,) = one(figure(bars, y=Axis(title="", scale="names")))
    assert layer["encoding"]["yOffset"]["field"] == "groups"
    assert layer["encoding"]["x"]["scale"]["zero"] is True
    (layer,) = one(figure(replace(bars, colour="metric"), y=Axis(title="", scale="names")))
    assert "yOffset" not in layer["encoding"]


def test_intervals_over_one_number_stand_apart_and_lines_stay() -> None:
    rows = tuple((metric, groups, n, 0.1, 0.1, 1.0, 0.5, 1.5) for metric in "ab" for groups in "xyz" for n in (1, 2))
    interval = Layer(mark="interval", table="gains", x="pairs", low="low", high="high", colour="groups")
    drawing = figure(interval, Layer(mark="line", table="gains", x="pairs", y="gain", colour="groups"))
    intervals, line = one(drawing, rows)
    assert {row["groups"]: row["_shift"] for row in intervals["data"]["values"]} == {"x": -5, "y": 0, "z": 5}
    assert "xOffset" in intervals["mark"]
    assert "xOffset" not in line["mark"]
    (alone,) = one(figure(interval), tuple(row for row in rows if row[1] == "x"))
    assert "xOffset" not in alone["mark"]


def test_intervals_over_names_are_not_moved_off_them() -> None:
    rows = tuple((metric, groups, 1, 0.1, 0.1, 1.0, 0.5, 1.5) for metric in "ab" for groups in "xyz")
    interval = Layer(mark="interval", table="gains", x="metric", low="low", high="high", colour="groups")
    (layer,) = one(figure(interval, x=Axis(title="", scale="names")), rows)
    assert "_shift" not in layer["data"]["values"][0]


def test_texts_stand_beside_their_numbers_and_above_their_names() -> None:
    text = Layer(mark="text", table="gains", x="pairs", label="metric")
    (beside,) = one(figure(text))
    assert {row["_side"] for row in beside["data"]["values"]} == {"left", "right"}
    (above,) = one(figure(replace(text, x="", y="gain")))
    assert above["mark"]["dy"] == -10


def test_what_is_a_line_and_no_point_is_a_dash_in_the_legend() -> None:
    point = Layer(mark="point", table="gains", x="pairs", y="gain", colour="groups")
    drawing = figure(point, Layer(mark="line", table="hidden", x="pairs", y="pairs", colour="groups"))
    tables = (
        DataTable(name="gains", title="", fields=FIELDS, rows=ROWS[:1]),
        DataTable(name="hidden", title="", fields=FIELDS[:3], rows=tuple(row[:3] for row in ROWS)),
    )
    points, _ = layers(picture(replace(findings(), tables=tables, figures=(drawing,))))
    scale = points["encoding"]["shape"]["scale"]
    assert scale["domain"] == ["same", "different"]
    assert scale["range"] == ["circle", DASH]


def test_only_what_lies_beyond_an_axis_is_cut() -> None:
    point = Layer(mark="point", table="gains", x="pairs", y="gain")
    for end, cut in ((20.0, False), (5.0, True)):
        (layer,) = one(figure(point, y=Axis(title="", domain=(-1.0, end))))
        assert layer["mark"].get("clip", False) is cut


def test_a_field_may_have_any_name() -> None:
    made = findings()
    fields = tuple(replace(f, name="a.b[c]") if f.name == "gain" else f for f in FIELDS)
    drawing = figure(Layer(mark="point", table="gains", x="pairs", y="a.b[c]"))
    made = replace(made, tables=(replace(made.tables[0], fields=fields),), figures=(drawing,))
    (layer,) = layers(picture(made))
    key = layer["encoding"]["y"]["field"]
    assert re.fullmatch(r"\w+", key)
    assert [row[key] for row in layer["data"]["values"]] == [0.41239, 12.5, -0.00012345]


@given(st.floats(1e-6, 1e6), st.floats(1.05, 1e8))
@settings()
def test_ticks_of_a_logarithmic_axis_can_be_read(low: float, ratio: float) -> None:
    ticks = log_ticks(low, low * ratio)
    assert 1 <= len(ticks) <= 10
    assert ticks == sorted(set(ticks))
    assert all(low <= tick <= low * ratio for tick in ticks)


def test_only_the_picture_that_is_asked_for_is_drawn() -> None:
    assert len(picture(findings())["vconcat"]) == 2
    assert picture(findings(), figure="bars")["title"]["text"] == "Shares"
    with pytest.raises(UsageError, match=r"has no picture 'bras'; did you mean 'bars'\? \(it has: gains, bars\)"):
        picture(findings(), figure="bras")
    with pytest.raises(UsageError, match="there is no picture"):
        picture(replace(findings(), figures=()))


class Tags(HTMLParser):
    """The tags of a page, and what its scripts hold."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: dict[str, list[str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.setdefault(self.tags[-1][0] if self.tags else "", []).append(data)


EVIL = ("</script><img src=x onerror=alert(1)>", "<!--<script>", "\u2028*/]]>", "{{title}} {policy}")


@pytest.mark.parametrize("suffix", first(SUFFIXES, ".json", ".svg", others=pytest.mark.slow))
def test_every_picture_is_drawn_with_names_that_stay_text(suffix: str, tmp_path: Path) -> None:
    if suffix != ".json":
        pytest.importorskip("vl_convert", reason="needs the extra: pip install 'outscore[report]'")
    path = tmp_path / f"x{suffix}"
    outscore.plot(hostile_findings(), path)
    starts = {".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF", ".json": b"{", ".html": b"<!DOCTYPE html>"}
    assert path.read_bytes().startswith(starts[suffix])
    if suffix == ".svg":
        assert not [e for e in ElementTree.parse(path).iter() if e.tag.endswith("script")]


def test_a_live_page_fetches_nothing_and_no_name_is_a_tag() -> None:
    pytest.importorskip("vl_convert", reason="needs the extra: pip install 'outscore[report]'")
    spec = picture(hostile_findings(EVIL))
    page = str(render(spec, ".html"))
    found = Tags()
    found.feed(page)
    assert [tag for tag, _ in found.tags] == [
        "html", "head", "meta", "meta", "meta", "title", "style", "script", "body", "div", "noscript", "script",
        "script",
    ]  # fmt: skip
    assert not [attributes for _, attributes in found.tags if {"src", "href"} & attributes.keys()]
    (policy,) = (a["content"] for _, a in found.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in str(policy)
    data = page.partition('id="chart">')[2].partition("</script>")[0]
    assert not set("<>&\u2028\u2029") & set(data)
    assert json.loads(data) == escape_names(spec)
    assert "onerror" in data
    assert "vegaEmbed" in page.partition('id="chart">')[2]
    again = str(render(spec, ".html"))
    assert again == page


def test_a_finding_alone_is_a_table_too() -> None:
    made = replace(findings(), tables=(), figures=(), findings=(Finding(what="x", value=1.0),))
    assert "x" in made.to("terminal")
    bare = replace(made, findings=())
    assert "How large must a gain be?" in bare.to("terminal")
    assert all(name in bare.to("markdown") for name in ("2 cells", "seed 12345"))
