"""Agreement as tables: numbers as they are in the record, and names that stay text."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import outscore
from outscore.report import tables_of
from outscore.results.agreement import Agreement
from tests.report.builders import HOSTILE


def hostile() -> Agreement:
    rng = np.random.default_rng(1)
    names = [name for name in HOSTILE if name.strip() == name]
    data = {name: [str(x) for x in rng.choice(names, 40)] for name in names[:3]}
    return outscore.agree(data, n_resamples=50)


@pytest.mark.parametrize("name", ["terminal", "markdown", "latex", "csv", "json", "sentence"])
def test_hostile_names_are_harmless_in_every_format(name: str) -> None:
    text = hostile().to(name)
    assert "\x1b" not in text
    assert "Conger" in text


def test_disagreement_on_a_scale_is_not_shown_as_agreement() -> None:
    data = {"a": ["1", "2", "5", "4"] * 5, "b": ["1", "3", "5", "5"] * 5}
    result = outscore.agree(data, coefficients="krippendorff:distance=interval,krippendorff,percent", n_resamples=50)
    rows = {row[0].text: row for row in tables_of(result)[0].rows}
    interval, nominal, percent = result.coefficients
    assert rows["Krippendorff's α (interval)"][2].text == f"D {interval.observed:.3f}"
    assert rows["Krippendorff's α"][2].text == f"{1 - (nominal.observed or 0):.3f}" == rows["Percent agreement"][2].text
    assert rows["Percent agreement"][3].text == ""
    assert percent.value == pytest.approx(0.5)


def test_a_group_without_two_labels_for_a_unit_has_no_value() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": ["x", "y", "x", "y"], "b": ["x", "x", None, None], "g": ["1", "1", "2", "2"]})
    result = outscore.agree(frame, annotators="a,b", by="g", n_resamples=50, coefficients="krippendorff")
    assert [c.value is None for c in result.coefficients] == [False, False, True]
    assert result.coefficients[2].notes == ()
    assert "–" in result.to("terminal")


def test_pairs_and_annotators_are_left_out_of_slots() -> None:
    data = {"a": ["x", "y"] * 10, "b": ["x", "y", "y", "y"] * 5}
    titles = [table.title for table in tables_of(outscore.agree(data, n_resamples=50))]
    slots = [table.title for table in tables_of(outscore.agree(data, exchangeable=True, n_resamples=50))]
    assert "Annotators in pairs" in titles
    assert "Annotators" in titles
    assert slots[0] == "Agreement of 2 exchangeable annotators"
    assert not {"Annotators in pairs", "Annotators"} & set(slots)


def verdict(data: dict[str, list[str]], **options: object) -> str:
    """The first screen up to the table, on one line."""
    text = outscore.agree(data, n_resamples=200, **options).to("terminal:columns=80")  # type: ignore[arg-type]
    assert len(text.splitlines()) <= 25
    return " ".join(text.partition("\n\n")[0].split())


def test_the_verdict_says_whether_they_agree_better_than_chance() -> None:
    alike = ["x", "y", "z", "x"] * 10
    rng = np.random.default_rng(5)
    guessed = [str(label) for label in rng.choice(["x", "y", "z"], 40)]
    good = verdict({"a": alike, "b": [*alike[:36], "y", "z", "x", "y"]})
    assert good.startswith("2 annotators agree better than by chance: Cohen's κ = 0.842 (95% CI")
    assert "90.0% of pairs of labels are the same" in good
    poor = verdict({"a": alike, "b": guessed})
    assert poor.startswith("2 annotators are not shown to agree better than by chance: Cohen's κ =")
    opposite = verdict({"a": ["x", "y"] * 20, "b": ["y", "x"] * 19 + ["x", "y"]})
    assert opposite.startswith("2 annotators agree less than by chance: Cohen's κ = -0.900")
    same = ["no"] * 54 + ["yes"] * 6
    table = pd.DataFrame({"item": range(60), "doc": [k // 3 for k in range(60)], "a": same, "b": same})
    clusters = outscore.agree(table, annotators=["a", "b"], cluster="doc", n_resamples=200)
    assert "cannot be judged against chance, there is neither p nor an interval: Cohen's κ = 1.000" in clusters.to(
        "sentence"
    )


def test_the_paragraph_for_a_paper_counts_resamples_where_intervals_have_them() -> None:
    labels = {"a": ["x", "y"] * 20, "b": ["y", "x"] + ["x", "y"] * 19}
    score = outscore.agree(labels, coefficients="cohen", n_resamples=200).to("methods")
    assert "intervals are made by score; the seed is 12345." in score
    both = outscore.agree(labels, interval="bca", n_resamples=200).to("methods")
    assert "intervals are made by BCa bootstrap over 200 resamples; the seed is 12345." in both


def test_groups_are_called_by_the_column_of_the_user() -> None:
    labels = [str(k % 3) for k in range(60)]
    table = pd.DataFrame({"item": range(60), "maker": [f"m{k % 2}" for k in range(60)], "a": labels, "b": labels[::-1]})
    text = outscore.agree(table, annotators="a,b", by="maker", n_resamples=99).to("markdown:detail=full")
    assert "Cohen's κ by maker" in text
    assert "| maker |" in text
    assert "domain" not in text


@pytest.mark.parametrize(
    ("p", "ci", "little"),
    [
        (0.001, (0.068, 0.125), True),
        (0.001, (0.2, 0.666), True),
        (0.001, (0.2, 0.667), False),  # what was measured may be enough
        (0.2, (0.068, 0.125), False),  # not even better than chance
        (0.001, (-0.4, -0.1), False),
        (0.001, None, False),
    ],
)
def test_agreement_that_lies_below_what_conclusions_need_is_called_too_little(
    p: float, ci: tuple[float, float] | None, little: bool
) -> None:
    """By the interval and not by the estimate."""
    found = outscore.agree({"a": list("xyxyy"), "b": list("xyxyx")}, coefficients="cohen", n_resamples=100)
    value = 0.3 if ci is None else sum(ci) / 2
    changed = replace(found, coefficients=(replace(found.coefficients[0], value=value, p_value=p, ci=ci),))
    words = "2 annotators agree better than by chance, but too little to rely on (below 0.667, Krippendorff 2004): "
    assert changed.sentence.startswith(words) is little
    assert ("from 0.667 on tentative conclusions" in " ".join(changed.to("terminal:detail=full").split())) is little


@pytest.mark.parametrize(
    ("ci", "enough"),
    [
        ((0.667, 0.9), "tentative conclusions (0.667 or more"),
        ((0.799, 0.9), "tentative conclusions (0.667 or more"),
        ((0.8, 0.9), "firm conclusions (0.8 or more"),
        ((0.666, 0.9), ""),  # what was measured may be too little
    ],
)
def test_agreement_that_lies_above_what_conclusions_need_is_called_enough(ci: tuple[float, float], enough: str) -> None:
    found = outscore.agree({"a": list("xyxyy"), "b": list("xyxyx")}, coefficients="cohen", n_resamples=100)
    changed = replace(found, coefficients=(replace(found.coefficients[0], value=0.85, p_value=0.001, ci=ci),))
    words = f", enough for {enough}, Krippendorff 2004)" if enough else ""
    assert changed.sentence.startswith(f"2 annotators agree better than by chance{words}: Cohen's κ = 0.850")
    shown = " ".join(changed.to("terminal:detail=full").split())
    assert ("from 0.667 on tentative conclusions" in shown) == bool(enough)


@pytest.mark.parametrize(
    ("p", "ci", "shown", "apart"),
    [
        (0.05, (0.01, 0.3), True, False),
        (0.04, (-0.01, 0.3), False, True),
        (0.06, (0.01, 0.3), False, True),
        (0.06, (-0.01, 0.3), False, False),
        (None, (0.01, 0.3), True, False),
        (0.04, None, True, False),
        (None, None, False, False),
    ],
)
def test_agreement_is_claimed_where_neither_p_nor_the_interval_leaves_it_open(
    p: float | None, ci: tuple[float, float] | None, shown: bool, apart: bool
) -> None:
    found = outscore.agree({"a": list("xyxyy"), "b": list("xyxyx")}, coefficients="cohen", n_resamples=100)
    said = replace(found, coefficients=(replace(found.coefficients[0], p_value=p, ci=ci),)).sentence
    assert said.startswith("2 annotators agree better than by chance") is shown
    assert (", p and interval disagree)" in said) is apart


def test_the_verdict_names_who_agrees_least_of_three() -> None:
    alike = ["x", "y", "z", "x"] * 10
    other = ["y", "z", "x", "x"] * 10
    said = verdict({"ann": alike, "bob": [*alike[:-1], "y"], "cy": [*other[:-2], *alike[-2:]]})
    assert "; ann and cy agree least (Cohen's κ = " in said or "; bob and cy agree least (Cohen's κ = " in said
    assert ", not tested)" in said
    assert "agree least" not in verdict({"ann": alike, "bob": other}), "two are no choice"


def test_the_verdict_says_whether_domains_differ() -> None:
    pandas = pytest.importorskip("pandas")
    labels = ["x", "y", "z", "x"] * 10
    frame = pandas.DataFrame({"a": labels * 2, "b": [*labels, *labels[1:], "x"], "g": ["good"] * 40 + ["poor"] * 40})
    first = outscore.agree(frame, annotators="a,b", by="g", n_resamples=200).to("terminal:columns=80")
    assert "lower in poor than in good (95% CI" in " ".join(first.split())
    _, domains, every, *_ = tables_of(outscore.agree(frame, annotators="a,b", by="g", n_resamples=200))
    assert domains.title == "Cohen's κ by g"
    assert [[cell.text for cell in row[:2]] for row in domains.rows] == [["good", "40"], ["poor", "40"]]
    assert [block.heading for block in every.blocks] == ["good (40 units)", "poor (40 units)"]
    assert {len(block.rows) for block in every.blocks} == {6}, "every coefficient"
    frame["b"] = [*labels[:38], "y", "x"] * 2
    first = outscore.agree(frame, annotators="a,b", by="g", n_resamples=200).to("terminal:columns=80")
    assert "is not shown to differ from that of good in poor (" in " ".join(first.split())
    assert len(first.splitlines()) <= 40


def test_of_two_labels_none_are_told_to_be_confused_most() -> None:
    yes, no = ["yes"] * 30 + ["no"] * 30, ["yes"] * 25 + ["no"] * 35
    assert "most often confused" not in outscore.agree({"a": yes, "b": no}, n_resamples=99).sentence
    three = outscore.agree({"a": [*yes, "?"], "b": [*no, "no"]}, n_resamples=99).sentence
    assert "The labels most often confused are" in three
