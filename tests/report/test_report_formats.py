"""Every format: goldens of whole reports, and the facts that they must hold."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass, replace
from typing import ClassVar
from unittest.mock import patch

import pytest

from outscore.base.errors import UsageError
from outscore.base.notes import Note
from outscore.base.text import rearm
from outscore.report import format_for, tables_of
from outscore.report.numbers import p_text
from outscore.report.screen import screen_of
from outscore.report.text import width_of
from outscore.results.comparison import Comparison
from outscore.results.result import formats
from tests.report.builders import ALL, check_golden, comparison, grid, hostile, pair, score, several_runs, two_systems

FORMATS = {"terminal": "txt", "markdown": "md", "latex": "tex", "json": "json", "csv": "csv"}
WIDTHS = (30, 80, 100, 200)


def at(columns: int, made: Comparison) -> str:
    return made.to(f"terminal:columns={columns}")


@pytest.mark.parametrize("case", ALL)
@pytest.mark.parametrize("name", [n for n in FORMATS if n != "terminal"])
def test_reports_stay_as_they_were(case: str, name: str) -> None:
    check_golden(f"{case}.{FORMATS[name]}", ALL[case]().to(name))


@pytest.mark.parametrize("case", ALL)
@pytest.mark.parametrize("columns", WIDTHS)
def test_terminals_stay_as_they_were(case: str, columns: int) -> None:
    check_golden(f"{case}.{columns}.txt", at(columns, ALL[case]()))


def test_score_gain_interval_and_p_stand_in_one_row() -> None:
    row = next(line for line in at(80, two_systems()).splitlines() if line.startswith("big  "))
    assert re.split(r"  +", row)[:4] == ["big", "27.8 [26.6, 29.0]", "+0.5 [+0.1, +0.8]", ".013"]


def test_the_baseline_is_first_and_not_compared_with_itself() -> None:
    made = two_systems()
    made = replace(made, scores=made.scores[::-1])
    first, second = tables_of(made)[0].rows
    assert (first[0].text, second[0].text) == ("base", "big")
    assert not any(cell.plain for cell in first[2:])


def test_direction_decides_arrow_and_best() -> None:
    blocks = {b.metric: b for b in tables_of(grid())[0].blocks}
    assert [b.heading for b in blocks.values()] == ["BLEU ↑", "TER ↓", "accuracy (0-1) ↑"]
    for block in blocks.values():
        assert [row[0].text for row in block.rows if row[1].bold] == ["transformer-big"]


def test_scores_that_print_alike_are_best_together_and_not_all() -> None:
    scores = [score("base", 27.0), score("a", 27.81), score("b", 27.79)]
    made = comparison(scores, [pair("a", 0.81, 0.1), pair("b", 0.79, 0.1)])
    assert [row[1].bold for row in tables_of(made)[0].rows] == [False, True, True]
    made = comparison([score("base", 27.0), score("a", 27.0001)], [pair("a", 0.0001, 1.0)])
    assert not any(row[1].bold for row in tables_of(made)[0].rows)


def test_the_side_of_a_difference_follows_the_adjusted_p() -> None:
    scores = [score("base", 27.0), score("a", 27.8), score("b", 26.0), score("c", 27.1)]
    pairs = [
        pair("a", 0.8, 0.001, p_adjusted=0.0099),
        pair("b", -1.0, 0.02, p_adjusted=0.049),
        pair("c", 0.1, 0.03, p_adjusted=0.0501),
    ]
    made = comparison(scores, pairs, correction="holm")
    assert [row[2].tone for row in tables_of(made)[0].rows] == ["", "better", "worse", ""]
    assert [said.partition(" by ")[0].partition(":")[0] for said in screen_of(made).verdict] == [
        "a outscores base",
        "base outscores b",
        "c is not shown to differ from base",
    ]


def test_the_p_that_decides_is_in_the_main_table_and_the_raw_one_in_its_own() -> None:
    def headers(made: Comparison, title: str) -> list[str]:
        return [c.header for t in tables_of(made) if t.title.startswith(title) for c in t.columns]

    assert headers(grid(), "Scores, and gains") == ["", "score", "gain", "p"]
    assert headers(grid(), "Tests")[:3] == ["", "p, each by itself", "p max-T"]
    assert "p Holm" not in headers(replace(two_systems(), correction="holm"), "Tests")
    for row, found in zip(tables_of(several_runs())[0].rows[1:], several_runs().pairs, strict=True):
        assert row[3].text == p_text(found.p_adjusted)


def test_runs_are_shown_where_there_are_several() -> None:
    assert "Runs" not in [t.title for t in tables_of(two_systems())]
    (runs,) = (t for t in tables_of(several_runs()) if t.title == "Runs")
    assert [c.header for c in runs.columns] == ["", "runs", "s_sel", "s_test", "min to max", "median run"]
    assert [c.plain for c in runs.rows[1]] == ["big", "3", "0.61", "0.21", "27.6 to 28.0", "seed1"]
    assert "3 runs" in screen_of(several_runs()).how


def test_notes_that_change_the_answer_mark_their_rows_and_stand_first() -> None:
    made = several_runs()
    changing = Note(code="zero_variance", text="its runs are all alike", remedy="look at them")
    bigger = replace(made.pairs[1], notes=(*made.pairs[1].notes, changing.code))
    made = replace(made, pairs=(made.pairs[0], bigger), notes=(*made.notes, changing))
    assert [row[0].plain for row in tables_of(made)[0].rows] == ["base", "big", "bigger!"]
    for format_ in ("terminal:columns=200,detail=full", "markdown"):
        text = made.to(format_).replace("**", "")
        places = [text.index(said) for said in ("! its runs are all alike. Look at them.", "3 runs leave few degrees")]
        assert places == sorted(places)
        assert "bigger!" in text.replace("\\!", "!")


def test_a_note_that_limits_a_claim_marks_no_row() -> None:
    made = comparison(
        [score("base", 1.0), score("a", 2.0)],
        [pair("a", 1.0, 0.5, notes=("n",))],
        notes=(Note(code="n", text="note", remedy=""),),
    )
    assert tables_of(made)[0].rows[1][0].plain == "a"
    assert "- note\n" in made.to("terminal")


def test_a_code_without_its_note_is_no_mark() -> None:
    made = comparison([score("base", 1.0), score("a", 2.0)], [pair("a", 1.0, 0.5, notes=("zero_variance",))])
    assert tables_of(made)[0].rows[1][0].plain == "a"


def test_all_of_it_says_what_was_done() -> None:
    text = " ".join(grid().to("terminal:columns=200,detail=full").split())
    for said in (
        "randomization of whole clusters, two-sided",
        "Null hypothesis: the two outputs of an item are exchangeable.",
        "3,003 items in 120 clusters (document), 2 of 3,005 dropped",
        "10,000 resamples, engine iid; seed 12345; alpha 0.05; 9 tests: p by max-T",
        "Signature of BLEU: bleu|version:1",
    ):
        assert said in text


def test_an_alpha_out_of_reach_is_said() -> None:
    made = comparison([score("base", 1.0), score("a", 2.0)], [pair("a", 1.0, 0.125, p_min=0.125, n_items=4)])
    for format_ in ("terminal:columns=100,detail=full", "markdown", "html"):
        assert "Smallest attainable p = .12 of a under BLEU: alpha is out of reach." in made.to(format_)


def test_other_answers_and_domains_have_tables_of_their_own() -> None:
    titles = [t.title for t in tables_of(several_runs())]
    assert "Other tests, each p by itself" in titles
    assert "Gain by domain (each pair and metric a family, intervals by Bonferroni)" in titles


def test_tests_are_a_column_only_where_they_differ_and_leave_it_first() -> None:
    assert "test" not in [c.header for t in tables_of(two_systems()) for c in t.columns]
    assert re.search(r"^ .* test$", grid().to("terminal:columns=200,detail=full"), re.M)
    narrow = grid().to("terminal:columns=45,detail=full").split("\n\nTests\n")[1]
    assert not re.search(r"^ .* test$", narrow, re.M)
    said = "test: paired randomization (BLEU, TER); McNemar mid-p (accuracy)."
    assert said in " ".join(narrow.split())


@pytest.mark.parametrize("case", ALL)
@pytest.mark.parametrize("columns", [20, 40, *WIDTHS])
@pytest.mark.parametrize("detail", ["brief", "full", "table"])
def test_no_line_is_wider_than_the_terminal_and_no_name_is_cut(case: str, columns: int, detail: str) -> None:
    made = ALL[case]()
    text = made.to(f"terminal:columns={columns},detail={detail},all=true")
    assert max(width_of(line) for line in text.splitlines()) <= columns
    assert not [line for line in text.splitlines() if line != line.rstrip()]
    if columns >= 200 or case != "hostile":
        assert all(s.system in text for s in made.scores if s.system.isprintable())


@pytest.mark.parametrize(("decimals", "shown"), [(0, ["28", "0"]), (3, ["27.760", "+0.451"])])
def test_decimals_are_those_of_scores_and_gains(decimals: int, shown: list[str]) -> None:
    row = tables_of(two_systems(), decimals)[0].rows[1]
    assert [row[1].text, row[2].text] == shown
    for format_ in ("terminal", "markdown", "html", "latex"):
        assert shown[0] in two_systems().to(format_, decimals=decimals)


def test_colour_is_off_unless_asked_for() -> None:
    assert "\x1b" not in two_systems().to("terminal:columns=80")
    coloured = two_systems().to("terminal:columns=80,color=true")
    assert "\x1b[1m27.8" in coloured
    # a painted piece is padded to its column
    plain = [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", coloured).splitlines()]
    assert plain == two_systems().to("terminal:columns=80").splitlines()


def test_colours_say_what_was_gained_and_what_was_lost() -> None:
    scores = [score("base", 27.0), score("up", 27.8), score("down", 26.0)]
    made = comparison(scores, [pair("up", 0.81, 0.001), pair("down", -1.04, 0.001)])
    lines = made.to("terminal:columns=100,color=true").splitlines()
    green, red = "\x1b[32m", "\x1b[31m"
    (gain,), (loss,) = ([line for line in lines if said in line and "[" in line] for said in ("+0.8 ", "-1.0 "))
    assert (green in gain, red in gain) == (True, False)
    assert (green in loss, red in loss) == (False, True)


def test_a_narrow_terminal_has_intervals_below_their_numbers_and_then_a_line_for_each_number() -> None:
    made = two_systems()
    lines = at(52, made).splitlines()
    assert "big   27.8 [26.6, 29.0]  +0.5 [+0.1, +0.8]  .013" in lines
    stacked = at(40, made)
    assert re.search(r"\nbig +27\.8 +\+0\.5 +\.013\n +\[26\.6, 29\.0\] +\[\+0\.1, \+0\.8\]\n", stacked)
    assert "\nbig\n  BLEU ↑: 27.8 [26.6, 29.0]\n  gain: +0.5 [+0.1, +0.8]\n  p: .013\n" in at(30, made)


def test_wide_characters_are_aligned() -> None:
    made = hostile(["名前システム", "plain"])
    rows = [line for line in at(100, made).splitlines() if line.startswith(("名前システム  ", "plain  "))][:2]
    assert width_of(rows[0].split("27.4")[0]) == width_of(rows[1].split("27.4")[0])


@pytest.mark.parametrize("case", ALL)
def test_json_reads_back_to_the_same_record(case: str) -> None:
    made = ALL[case]()
    assert Comparison.from_json(made.to("json")) == made


def test_json_and_markdown_hold_no_nan() -> None:
    nan = float("nan")
    made = comparison([score("base", nan, ci=(nan, nan)), score("a", 2.0)], [pair("a", nan, nan, p_error=nan)])
    assert json.loads(made.to("json"))["scores"][0]["score"] is None
    again = Comparison.from_json(made.to("json"))
    for name in FORMATS:
        assert not re.search(r"\bnan\b", made.to(name), re.I)
        again.to(name)


def test_csv_keeps_full_precision_and_disarms_formulas() -> None:
    names = ["=cmd|' /C calc'!A0", "+tuned", "-1+1", "@x", " =1", "'=x", "plain", "-1", "+2.5e3"]
    rows = list(csv.DictReader(io.StringIO(hostile([*names, "\t=1"]).to("csv"))))
    written = [row["system"] for row in rows]
    assert written == [*(f"'{name}" for name in names[:6]), *names[6:], r"\t=1"]
    assert [rearm(name) for name in written[:-1]] == names
    assert [row["system"] for row in csv.DictReader(io.StringIO(hostile(names).to("csv:raw=true")))] == names
    minus = comparison([score("base", 1.0), score("a", 0.9)], [pair("a", -1 / 3, 0.5, n_resamples=None)])
    (row,) = csv.DictReader(io.StringIO(minus.to("csv")))
    assert float(row["gain"]) == -1 / 3
    assert row["n_resamples"] == ""


def test_csv_puts_every_value_below_its_name() -> None:
    """Also where the first row has fewer names than the others, and where one lacks a name in the middle."""
    few, more = {"system": "a", "gain": 1}, {"system": "b", "level": 0.05, "gain": 2}

    with patch.object(Comparison, "rows", lambda self: [few, more]):
        text = comparison([score("base", 1.0)], []).to("csv")
    assert list(csv.DictReader(io.StringIO(text))) == [
        {"system": "a", "gain": "1", "level": ""},
        {"system": "b", "gain": "2", "level": "0.05"},
    ]


def test_latex_is_booktabs_without_vertical_rules() -> None:
    text = several_runs().to("latex:detail=full")
    for needed in (
        r"\toprule",
        r"\bottomrule",
        r"\textbf{\num{27.8}} & [\num{26.6}, \num{29.0}]",
        r"BLEU $\uparrow$ & [95\% CI]",
        r"\footnotesize",
    ):
        assert needed in text
    assert r"\TER" not in text
    assert not re.search(r"\\begin\{tabular\}\{[^\n]*\|", text)
    assert r"$s_{\mathrm{sel}}$ &" in text
    assert r"$s_{\mathrm{sel}}$: deviation" in text
    assert r"\num{-0.1} & [\num{-0.5}, \num{+0.2}]" in text


def test_latex_is_the_main_table_with_what_belongs_below_it_in_a_paper() -> None:
    made = several_runs()
    changing = Note(code="zero_variance", text="its runs are all alike", remedy="try --unit run")
    made = replace(made, notes=(*made.notes, changing))
    printed = [line for line in made.to_latex().splitlines() if line[:1] != "%"]
    assert printed.count(r"\end{tabular}") == 1
    below = printed[printed.index(r"\end{tabular}") :]
    assert any("3,003 items, 3 runs" in line for line in below)
    assert r"Its runs are all alike.\par" in below, "a mark that no number has would send readers looking for it"
    first = replace(made.pairs[0], notes=(*made.pairs[0].notes, changing.code))
    marked = replace(made, pairs=(first, *made.pairs[1:])).to_latex()
    assert r"$^{\dagger}$ Its runs are all alike.\par" in marked and marked.count(r"$^{\dagger}$") > 1
    assert "unit" not in " ".join(printed)
    for note in made.notes:
        assert made.to_latex().count(note.text[1:]) == made.to("latex:detail=full").count(note.text[1:]) == 1


def test_latex_escapes_every_metacharacter() -> None:
    text = hostile(['50% & $1 #2 a_b {c} ~ ^ \\input{x} <y> | "z" `q` [o] *s --x \x1b']).to_latex()
    assert (
        r"50\% \& \$1 \#2 a\_b \{c\} \textasciitilde{} \textasciicircum{} \textbackslash{}input\{x\} "
        r"\textless{}y\textgreater{} \textbar{} ''z'' \textasciigrave{}q\textasciigrave{} {[}o{]} {*}s -{}-x "
    ) in text
    assert r"\textbackslash{}x1b" in text
    assert "\x1b" not in text
    assert r"it's so\dots{}" in hostile(["it’s so…"]).to_latex()


def test_markdown_escapes_what_github_reads() -> None:
    text = hostile(["a|b`c`*d*_e_<script>&\nx"]).to_markdown()
    assert r"| a\|b\`c\`\*d\*\_e\_&lt;script&gt;&amp;\\nx |" in text
    assert "<script>" not in text


def test_the_verdict_is_in_every_text_report() -> None:
    made = two_systems()
    (said,) = screen_of(made).verdict
    assert made.to("terminal:columns=200").startswith(said)
    assert made.to("markdown").startswith(said)
    assert said.replace("%", r"\%") in made.to("latex")
    assert made.to("sentence").startswith(said)
    assert made.sentence.startswith(said)


def test_the_sentence_says_what_changes_the_answer_where_no_number_is_marked_either() -> None:
    said = [Note(code="misaligned", text="lines were lost"), Note(code="skewed", text="gains are skewed")]
    made = replace(two_systems(), notes=tuple(said))
    assert made.to("terminal").count("! lines were lost") == 1
    assert made.sentence.endswith(" But lines were lost.")
    assert "skewed" not in made.sentence


def test_the_sentence_says_once_that_p_and_interval_disagree() -> None:
    said = [Note(code="p_and_interval", text="p and the interval disagree about a gain of 0")]
    made = two_systems()
    pair = replace(
        made.pairs[0], verdict="not shown to differ", ci=(0.1, 0.9), p_adjusted=0.2, notes=("p_and_interval",)
    )
    told = replace(made, pairs=(pair, *made.pairs[1:]), notes=tuple(said)).sentence
    assert told.count("disagree") == 1 and "p and interval disagree" in told


@pytest.mark.parametrize(
    ("path", "name"),
    [("a.tex", "latex"), ("a.md", "markdown"), ("b/a.JSON", "json"), ("a.csv", "csv"), ("a.txt", "terminal")],
)
def test_format_for_goes_by_suffix(path: str, name: str) -> None:
    assert format_for(path) == name


@pytest.mark.parametrize("path", ["a.docx", "a", ".md"])
def test_format_for_lists_the_suffixes_it_knows(path: str) -> None:
    what = "suffix '.docx'" if path == "a.docx" else "no suffix"
    with pytest.raises(UsageError, match=rf"^{path}: {what}; an output file ends in \.csv, .*\.json, .*\.md, .*\.tex"):
        format_for(path)


def test_a_format_from_outside_is_a_class_and_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    # all that there are, so that none is entered for as long as this test only
    assert "json" in formats.names()
    monkeypatch.setattr(formats, "_classes", dict(formats._classes))

    @formats.register("gains")
    @dataclass(frozen=True)
    class Gains:
        suffixes: ClassVar[tuple[str, ...]] = (".gains",)
        joiner: str = " "

        def render(self, comparison: Comparison, *, decimals: int | None = None) -> str:
            rows = tables_of(comparison, decimals)[0].rows
            return "\n".join(self.joiner.join(cell.plain for cell in row).strip() for row in rows)

    assert format_for("x.gains") == "gains"
    assert two_systems().to("gains:joiner=;") == (
        "base;27.3 [26.1, 28.5];;\nbig;27.8 [26.6, 29.0];+0.5 [+0.1, +0.8];.013"
    )
