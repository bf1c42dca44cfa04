"""Comparisons of every two systems: each pair is shown once, under the two names that it belongs to."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outscore.base.notes import Note
from outscore.report import tables_of
from outscore.report.model import Table
from outscore.results import Comparison
from tests.report.builders import all_pairs, comparison, grid, pair, score, several_runs, two_systems

OTHERS = "Pairs without the baseline"


def of_systems(n: int, *, p: float = 0.2) -> Comparison:
    """Every two of n systems, ``base`` the first; the gain of system i against j is i + j / 100."""
    names = ["base", *(f"WMT22-System-{i:02d}" for i in range(1, n))]
    pairs = [
        pair(names[i], i + j / 100, p, baseline=names[j], effect={"d_z": 0.1}) for j, i in combinations(range(n), 2)
    ]
    return comparison([score(name, 27.0 + i) for i, name in enumerate(names)], pairs, correction="holm")


def table(made: Comparison, title: str) -> Table:
    (found,) = (t for t in tables_of(made) if t.title.startswith(title))
    return found


def notes_under(made: Comparison, title: str) -> list[str]:
    return [f"{n.mark} {n.text}".lstrip() for n in table(made, title).footnotes]


@given(st.integers(2, 9))
@settings()
def test_every_pair_stands_once_beside_its_two_systems(n: int) -> None:
    made = of_systems(n)
    main = [(row[0].text, "base", row[2].text) for row in tables_of(made)[0].rows if row[2].text]
    others = [t for t in tables_of(made) if t.title == OTHERS]
    listed = [(row[0].text, row[1].text, row[2].text) for t in others for row in t.rows]
    assert len(others) == (n > 2)
    assert main + listed == [(p.system, p.baseline, f"{p.gain:+.2f}") for p in made.pairs]


def test_the_main_table_is_marked_for_differences_from_the_baseline_only() -> None:
    scores = [score("base", 27.0), score("a", 26.5), score("b", 27.5)]
    pairs = [pair("a", -0.5, 0.2), pair("b", 0.5, 0.2), pair("b", 1.0, 0.001, baseline="a", notes=("odd",))]
    for given_pairs in (pairs, pairs[::-1]):
        made = comparison(scores, given_pairs, notes=(Note(code="odd", text="odd"),))
        main = tables_of(made)[0]
        assert not [cell for row in main.rows for cell in row if cell.marks or cell.notes or cell.tone]
        assert not [n for n in main.footnotes if n.mark]
        (row,) = table(made, OTHERS).rows
        assert [cell.plain for cell in row] == ["b¹", "a", "+1.00‡ [+0.65, +1.36]", "0.001"]
        assert row[2].tone == "better"
        assert notes_under(made, OTHERS)[0] == "‡ p ≤ 0.01."
        assert notes_under(made, OTHERS)[-1] == "¹ odd."


def test_a_note_stands_under_each_table_that_refers_to_it() -> None:
    made = all_pairs()
    assert "¹ one of them was made from the other. Think." in notes_under(made, OTHERS)
    assert not [n for n in notes_under(made, "Against") if n.startswith("¹")]
    first = replace(made.pairs[0], notes=("odd",))
    made = replace(made, pairs=(first, *made.pairs[1:]))
    assert [n for n in notes_under(made, "Against") if n.startswith("¹")]


def test_bold_is_not_said_to_be_untested_where_it_was() -> None:
    assert [n.text for n in tables_of(all_pairs())[0].footnotes if n.about == "bold"] == [
        "Bold: best score of its metric; the marks are about differences from the baseline."
    ]
    assert "only differences from the baseline were tested" in grid().to_markdown()


def test_answers_and_effects_name_both_systems_of_a_pair() -> None:
    made = all_pairs()
    for title in ("Other tests", "Effect sizes"):
        shown = table(made, title)
        assert [c.header for c in shown.columns[:2]] == ["System", "Against"]
    assert [(row[0].text, row[1].text) for row in table(made, "Effect sizes").rows] == [
        (p.system, p.baseline) for p in made.pairs
    ]
    assert {(row[0].text, row[1].text) for row in table(made, "Other tests").rows} == {("distilled", "big")}
    assert "Against" not in [c.header for t in tables_of(several_runs()) for c in t.columns]


def test_the_sentence_counts_all_pairs_and_those_with_the_baseline() -> None:
    assert all_pairs().sentence == (
        "Of 12 comparisons between 4 systems under 2 metrics, 10 are significant at 0.05 after Holm correction; "
        "with base, 4 of 6 (2 better, 2 worse; randomization, Monte Carlo; randomization, exact law; 3003 items)."
    )
    assert of_systems(5).sentence.startswith(
        "Of 10 comparisons between 5 systems, 0 are significant at 0.05 after Holm correction; with base, 0 of 4 ("
    )
    assert grid().sentence.startswith("Of 9 comparisons with base, 5 are significant at 0.05 after max-T correction (")


def test_the_sentence_of_few_pairs_names_both_systems_of_each() -> None:
    said = of_systems(3).sentence
    assert said.count("is not shown to differ from base") == 2
    assert "WMT22-System-02 (29.0 BLEU) is not shown to differ from WMT22-System-01 (28.0)" in said


def test_31_systems_stay_readable_a_line_for_each_pair() -> None:
    made = of_systems(31, p=0.0501)
    text = made.to("terminal:columns=80")
    part = text.split(f"{OTHERS}\n")[1].split("Gain: System minus Against")[0]
    lines = [line for line in part.splitlines() if line.startswith("WMT22")]
    assert len(lines) == len(part.splitlines()) - 4 == 435
    assert all(re.fullmatch(r"WMT22-System-\d\d  WMT22-System-\d\d +\S+ +\[.*\] +0\.050 +0\.050", ln) for ln in lines)


@pytest.mark.parametrize("n", [3, 11, 12, 31])
def test_latex_breaks_long_tables_into_pages_and_loses_no_row(n: int) -> None:
    made = of_systems(n)
    text = made.to_latex()
    bodies = re.findall(r"\\midrule\n(.*?)\\bottomrule", text, re.S)
    assert max(body.count("\\\\\n") for body in bodies) <= 45
    listed = [
        line.split(" & ")[:2]
        for caption, body in zip(re.findall(r"\\caption\{(.*)\}", text), bodies, strict=True)
        if caption.startswith(OTHERS)
        for line in body.splitlines()
    ]
    assert listed == [[p.system, p.baseline] for p in made.pairs if p.baseline != "base"]
    assert (f"\\caption{{{OTHERS} (continued)}}" in text) == (n > 11)
    assert text.count("Gain: System minus Against") == 1


def test_where_tests_differ_few_pairs_are_named_and_many_counted() -> None:
    made = of_systems(9)
    changed = [replace(p, p_kind="exact") if (p.gain * 100) % 100 == 7 else p for p in made.pairs]
    text = replace(made, pairs=tuple(changed)).to("terminal:columns=80")
    said = " ".join(text.split(f"{OTHERS}\n")[1].split())
    assert (
        "Test: randomization, Monte Carlo (27 rows); "
        "randomization, exact law (WMT22-System-08 against WMT22-System-07)."
    ) in said


def test_floors_of_p_are_said_of_pairs_and_counted_where_they_are_many() -> None:
    few = of_systems(3)
    few = replace(few, pairs=tuple(replace(p, p_min=0.125) for p in few.pairs))
    who = "WMT22-System-01 against base, WMT22-System-02 against base, WMT22-System-02 against WMT22-System-01"
    assert f"Smallest attainable p of {who} under BLEU: 0.125; alpha is out of reach." in notes_under(few, "Against")
    many = of_systems(5)
    many = replace(many, pairs=tuple(replace(p, p_min=0.125) for p in many.pairs))
    floors = [n for n in notes_under(many, "Against") if n.startswith("Smallest")]
    assert floors == ["Smallest attainable p of 10 pairs under BLEU: 0.125; alpha is out of reach."]


def test_the_settings_say_how_resamples_were_drawn() -> None:
    said = "3003 items; 60060 resamples, engine cyclic; bootstrap within strata (genre); seed 12345; alpha 0.05;"
    assert [n for n in notes_under(all_pairs(), "Against") if n.startswith(said)]
    assert [n for n in notes_under(two_systems(), "Against") if "10000 resamples, engine iid; seed 12345" in n]
    exact = comparison([score("base", 1.0), score("a", 2.0)], [pair("a", 1.0, 0.5, n_resamples=None)])
    assert [n for n in notes_under(exact, "Against") if n.startswith("3003 items; seed 12345;")]


def test_the_error_of_p_is_explained_where_it_is_shown() -> None:
    explained = "±: standard error of p from the resampling."
    near = comparison([score("base", 1.0), score("a", 2.0)], [pair("a", 1.0, 0.0501)])
    assert explained in notes_under(near, "Against")
    assert explained not in notes_under(two_systems(), "Against")
    assert explained in notes_under(several_runs(), "Other tests")
    assert explained not in notes_under(several_runs(), "Against")


def test_csv_tells_pairs_apart_by_both_systems() -> None:
    made = all_pairs()
    rows = list(csv.DictReader(io.StringIO(made.to("csv"))))
    values = {(s.system, s.metric): s.score for s in made.scores}
    assert [(r["system"], r["baseline"], r["metric"]) for r in rows] == [
        (p.system, p.baseline, p.metric) for p in made.pairs
    ]
    assert all(float(r["baseline_score"]) == values[r["baseline"], r["metric"]] for r in rows)
