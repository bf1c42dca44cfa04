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
from outscore.report.screen import screen_of
from outscore.results.comparison import Comparison
from tests.report.builders import all_pairs, comparison, pair, score, several_runs, two_systems

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


def method_of(made: Comparison) -> tuple[str, ...]:
    return screen_of(made).method


@given(st.integers(2, 9))
@settings()
def test_every_pair_stands_once_beside_its_two_systems(n: int) -> None:
    made = of_systems(n)
    main = [(row[0].text, "base", row[2].text) for row in tables_of(made)[0].rows if row[2].text]
    others = [t for t in tables_of(made) if t.title == OTHERS]
    listed = [(row[0].text, row[1].text, row[2].text) for t in others for row in t.rows]
    assert len(others) == (n > 2)
    assert main + listed == [(p.system, p.baseline, f"{p.gain:+.1f}") for p in made.pairs]


def test_the_main_table_is_coloured_and_marked_for_differences_from_the_baseline_only() -> None:
    scores = [score("base", 27.0), score("a", 26.5), score("b", 27.5)]
    odd = "zero_variance"  # changes the answer
    pairs = [pair("a", -0.5, 0.2), pair("b", 0.5, 0.2), pair("b", 1.0, 0.001, baseline="a", notes=(odd,))]
    for given_pairs in (pairs, pairs[::-1]):
        made = comparison(scores, given_pairs, notes=(Note(code=odd, text="odd"),))
        main = tables_of(made)[0]
        assert not [cell for row in main.rows for cell in row if cell.marks or cell.tone]
        (row,) = table(made, OTHERS).rows
        assert [cell.plain for cell in row] == ["b!", "a", "+1.0 [+0.7, +1.4]", ".001"]
        assert row[2].tone == "better"


def test_a_pair_is_marked_where_a_note_changes_its_answer_and_not_for_other_notes() -> None:
    made = all_pairs()
    assert not [cell for t in tables_of(made) for row in t.rows for cell in row if cell.marks]
    first = replace(made.pairs[0], notes=("clusters_ignored",))
    changing = Note(code="clusters_ignored", text="items are alike", remedy="give the clusters")
    made = replace(made, pairs=(first, *made.pairs[1:]), notes=(*made.notes, changing))
    assert [row[0].plain for row in tables_of(made)[0].rows if row[0].marks] == ["big!"]
    text = made.to("terminal:columns=80")
    assert text.index("! items are alike. Give the clusters.") < text.index("- one of them was made from the other")


def test_answers_and_effects_name_both_systems_of_a_pair() -> None:
    made = all_pairs()
    for title in ("Other tests", "Effect sizes"):
        shown = table(made, title)
        assert [c.header for c in shown.columns[:2]] == ["", "against"]
        assert shown.naming == 2
    assert [(row[0].text, row[1].text) for row in table(made, "Effect sizes").rows] == [
        (p.system, p.baseline) for p in made.pairs
    ]
    assert {(row[0].text, row[1].text) for row in table(made, "Other tests").rows} == {("distilled", "big")}
    assert "against" not in [c.header for t in tables_of(several_runs()) for c in t.columns]


def test_of_many_pairs_it_is_said_who_leads_and_who_is_last() -> None:
    assert screen_of(all_pairs()).verdict == (
        "big (28.8 BLEU) leads, shown to differ from all others; small (26.0) is last. "
        "5 of 6 pairs are shown to differ.",
        "big (59.9 TER) leads, shown to differ from all others; small (62.8) is last. "
        "5 of 6 pairs are shown to differ.",
    )
    assert screen_of(of_systems(5)).verdict == (
        "WMT22-System-04 (31.0 BLEU) leads, 4 others not shown to differ from it; base (27.0) is last. "
        "0 of 10 pairs are shown to differ.",
    )


def test_what_is_said_of_many_pairs_does_not_depend_on_which_system_is_named_first() -> None:
    made = all_pairs()
    turned = [
        replace(p, system=p.baseline, baseline=p.system, gain=-p.gain, ci=p.ci and (-p.ci[1], -p.ci[0]))
        for p in made.pairs
    ]
    again = replace(made, pairs=tuple(turned), scores=made.scores[::-1])
    assert sorted(screen_of(again).verdict) == sorted(screen_of(made).verdict)


def test_the_sentences_of_few_pairs_name_both_systems_of_each() -> None:
    said = screen_of(of_systems(3)).verdict
    assert [one.partition(":")[0] for one in said] == [
        "WMT22-System-01 is not shown to differ from base",
        "WMT22-System-02 is not shown to differ from base",
        "WMT22-System-02 is not shown to differ from WMT22-System-01",
    ]


def test_31_systems_stay_readable_a_line_for_each_pair() -> None:
    made = of_systems(31, p=0.0501)
    text = made.to("terminal:columns=80,detail=full,plain=true")
    part = text.split(f"{OTHERS}\n")[1].split("\n\nTests")[0]
    lines = part.splitlines()[1:]
    assert len(lines) == 435
    assert all(re.fullmatch(r"WMT22-System-\d\d  WMT22-System-\d\d +\S+ +\[.*\] +\.050", line) for line in lines)


def test_the_first_screen_of_31_systems_leaves_the_other_pairs_to_the_rest_and_says_so() -> None:
    text = of_systems(31).to("terminal:columns=80")
    assert OTHERS not in text
    assert "-v: pairs without the baseline," in text
    assert len(text.splitlines()) <= 40


@pytest.mark.parametrize("n", [3, 11, 12, 31])
def test_latex_breaks_long_tables_into_pages_and_loses_no_row(n: int) -> None:
    made = of_systems(n)
    text = made.to("latex:detail=full")
    bodies = re.findall(r"\\midrule\n(.*?)\\bottomrule", text, re.S)
    assert max(body.count("\\\\\n") for body in bodies) <= 45
    listed = [
        line.split(" & ")[:2]
        for caption, body in zip(re.findall(r"\\caption\{(.*)\}\\label", text), bodies, strict=True)
        if caption.startswith(OTHERS)
        for line in body.splitlines()
    ]
    assert listed == [[p.system, p.baseline] for p in made.pairs if p.baseline != "base"]
    assert bool(re.search(rf"caption\{{{OTHERS}.* \(continued\)", text)) == (n > 11)
    assert text.count("Paired") == text.count("% For the text") + 1


def test_where_tests_differ_few_pairs_are_named_and_many_counted() -> None:
    made = of_systems(9)
    changed = [replace(p, p_kind="exact") if (p.gain * 100) % 100 == 7 else p for p in made.pairs]
    made = replace(made, pairs=tuple(changed))
    assert [c.header for c in table(made, "Tests").columns][-1] == "test"
    said = " ".join(made.to("terminal:columns=60,detail=full").split("\n\nTests\n")[1].split())
    assert (
        "test: paired randomization (35 rows); "
        "paired randomization (exact law) (WMT22-System-08 against WMT22-System-07)."
    ) in said
    assert "test" not in [c.header for c in table(of_systems(9), "Tests").columns]


def test_raw_and_adjusted_p_have_a_table_where_they_say_more_than_the_first_one() -> None:
    assert [c.header for c in table(all_pairs(), "Tests").columns] == [
        "", "against", "p, each by itself", "p Holm", "test",
    ]  # fmt: skip
    plain = comparison([score("base", 1.0), score("a", 2.0)], [pair("a", 1.0, 0.5, p_error=None)])
    assert "Tests" not in [t.title for t in tables_of(plain)]


def test_floors_of_p_are_said_of_pairs_and_counted_where_they_are_many() -> None:
    few = of_systems(3)
    few = replace(few, pairs=tuple(replace(p, p_min=0.125) for p in few.pairs))
    who = "WMT22-System-01 against base, WMT22-System-02 against base, WMT22-System-02 against WMT22-System-01"
    assert f"Smallest attainable p = .12 of {who} under BLEU: alpha is out of reach." in method_of(few)
    many = of_systems(5)
    many = replace(many, pairs=tuple(replace(p, p_min=0.125) for p in many.pairs))
    floors = [line for line in method_of(many) if line.startswith("Smallest")]
    assert floors == ["Smallest attainable p = .12 of 10 pairs under BLEU: alpha is out of reach."]


def test_the_settings_say_how_resamples_were_drawn() -> None:
    said = (
        "3,003 items; 60,060 resamples, engine cyclic; bootstrap within strata (genre); seed 12345; alpha 0.05; "
        "12 tests: p by Holm, intervals simultaneous, at 1 - alpha/12."
    )
    assert said in method_of(all_pairs())
    assert "3,003 items; 10,000 resamples, engine iid; seed 12345; alpha 0.05." in method_of(two_systems())
    exact = comparison([score("base", 1.0), score("a", 2.0)], [pair("a", 1.0, 0.5, n_resamples=None)])
    assert "3,003 items; seed 12345; alpha 0.05." in method_of(exact)


@pytest.mark.parametrize(
    ("correction", "said"),
    [
        ("bonferroni", "p by Bonferroni, intervals simultaneous, at 1 - alpha/3"),
        ("sidak", "p by Šidák, intervals simultaneous, at (1 - alpha)^(1/3)"),
        ("max-t", "p by max-T, intervals simultaneous, by the same joint law"),
        ("bh", "p by Benjamini-Hochberg, intervals each by itself"),
        ("none", "neither p nor intervals are corrected"),
    ],
)
def test_it_is_said_what_the_correction_does_to_p_and_to_intervals(correction: str, said: str) -> None:
    made = replace(of_systems(3), correction=correction)
    assert any(line.endswith(f"; 3 tests: {said}.") for line in method_of(made))
    assert f"3 tests: {said.rpartition(', ')[0] if ', at' in said or ', by' in said else said}." in screen_of(made).how


def test_the_error_of_p_is_explained_where_it_is_shown() -> None:
    explained = "±: standard error of p from the resampling."

    def under(made: Comparison, title: str) -> list[str]:
        return list(table(made, title).footnotes)

    near = comparison([score("base", 1.0), score("a", 2.0)], [pair("a", 1.0, 0.0501)])
    assert explained in under(near, "Tests")
    assert explained not in under(two_systems(), "Tests")
    assert explained in under(several_runs(), "Other tests")
    assert explained not in under(several_runs(), "Tests")


def test_csv_tells_pairs_apart_by_both_systems() -> None:
    made = all_pairs()
    rows = list(csv.DictReader(io.StringIO(made.to("csv"))))
    values = {(s.system, s.metric): s.score for s in made.scores}
    assert [(r["system"], r["baseline"], r["metric"]) for r in rows] == [
        (p.system, p.baseline, p.metric) for p in made.pairs
    ]
    assert all(float(r["baseline_score"]) == values[r["baseline"], r["metric"]] for r in rows)
