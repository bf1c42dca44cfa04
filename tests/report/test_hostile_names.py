"""No name, whatever it holds, breaks a format: structure stays, control characters do not get out."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from outscore.base.text import clean
from outscore.report import tables_of
from outscore.report.text import width_of, wrap
from outscore.results.comparison import Comparison
from tests.examples import examples
from tests.report.builders import equivalence, hostile

NAMES = st.text(max_size=40) | st.text(alphabet="\\{}[]&%$#_^~|<>`*\"'-=+@ \t\r\n\x1b\x00!名e\u0301", max_size=40)
FEW = settings(max_examples=examples(60))


def named(name: str) -> Comparison:
    """Two systems, against a baseline and each other, under a metric that is named by ``name`` too."""
    made = hostile([f"{name}x", name])
    made = replace(made, pairs=(*made.pairs, replace(made.pairs[1], baseline=f"{name}x", test="sign")))
    return replace(
        made,
        correction=name,
        scores=tuple(replace(s, metric=name, unit=name) for s in made.scores),
        pairs=tuple(
            replace(p, metric=name, verdict=name, equivalence=equivalence(0.2, 0.1, method=name)) for p in made.pairs
        ),
        buckets=tuple(replace(d, metric=name) for d in made.buckets),
    )


def controls(text: str) -> list[str]:
    return [c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]


@given(NAMES)
@example("\x1b[31mred")
@example("[x]")
@example("*")
@example("\\")
@FEW
def test_latex_rows_keep_their_cells_and_braces(name: str) -> None:
    made = named(name)
    text = made.to("latex:detail=full")
    assert not controls(text)
    tables = tables_of(made)
    for body, table in zip(re.findall(r"\\toprule\n(.*?)\\bottomrule", text, re.S), tables, strict=True):
        lines = [line for line in body.splitlines() if line != r"\midrule"]
        short = table.shorten("footnote")
        right = [i for i, column in enumerate(short.columns) if column.align == "right"]
        columns = len(short.columns) + sum(any(row[i].tail for row in short.rows) for i in right)
        assert len(lines) == 1 + len(table.rows)
        for line in lines:
            assert line.endswith(r" \\")
            assert len(re.findall(r"(?<!\\)&", line)) == columns - 1
            assert not re.match(r"\s*[\[*]", line)
    printed = "\n".join(line for line in text.splitlines() if not line.startswith(("% To know", "% Method")))
    bare = re.sub(r"\\[\\{}$%&#_]", "", printed)
    assert bare.count("{") == bare.count("}")
    assert bare.count("$") % 2 == 0
    # _ ^ # and ~ are left only in mathematics, and in the environment's own commands.
    ours = re.sub(r"\$[^$]*\$|^.def.*|^.begin.*", "", bare, flags=re.M)
    assert not re.search(r"[#^_~]", ours)


@given(NAMES)
@example("a|b\\|c")
@example("`|`")
@FEW
def test_markdown_tables_keep_their_columns(name: str) -> None:
    made = named(name)
    text = made.to_markdown()
    assert not controls(text)
    assert "<" not in text
    tokens = MarkdownIt("gfm-like", {"linkify": False}).enable("table").parse(text)
    cells_of = [t.type for t in tokens if t.type in ("tr_open", "td_open", "th_open", "table_open")]
    tables = tables_of(made)
    assert cells_of.count("table_open") == len(tables)
    assert cells_of.count("tr_open") == sum(1 + len(t.rows) for t in tables)
    assert cells_of.count("td_open") == sum(len(t.rows) * len(t.columns) for t in tables)
    shown = {c.type for t in tokens for c in t.children or ()}
    assert shown <= {"text", "strong_open", "strong_close", "text_special", "softbreak"}


@given(NAMES)
@example("=1+1")
@example('"\n')
@FEW
def test_csv_keeps_its_columns_and_starts_no_formula(name: str) -> None:
    text = named(name).to("csv")
    assert not controls(text)
    rows = list(csv.reader(io.StringIO(text)))
    assert len(rows) == 4
    assert len({len(row) for row in rows}) == 1
    for row in rows[1:]:
        for header, value in zip(rows[0], row, strict=True):
            if header in ("system", "baseline", "metric", "test", "question", "null"):
                assert not re.match(r" *[=+@-]", value)


@given(NAMES, st.sampled_from([20, 33, 80, 200]))
@FEW
def test_terminal_lines_fit_and_hold_no_escape(name: str, columns: int) -> None:
    text = named(name).to(f"terminal:columns={columns}")
    assert not controls(text)
    assert max(width_of(line) for line in text.split("\n")) <= columns


@given(st.text())
def test_clean_is_one_line_without_controls_and_stays_so(text: str) -> None:
    once = clean(text)
    assert not controls(once)
    assert "\n" not in once
    assert clean(once) == once


@given(NAMES, st.integers(10, 40), st.integers(0, 4))
@FEW
def test_wrap_loses_nothing_but_blanks(text: str, width: int, hang: int) -> None:
    lines = wrap(clean(text), width, hang)
    assert "".join("".join(lines).split()) == "".join(clean(text).split())
    assert all(width_of(line) <= width for line in lines)
