"""Printed numbers: of runs, of p-values, of four counts, beside other programs and what the sources print."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from scipy import integrate, stats
from sklearn.metrics import cohen_kappa_score, f1_score, matthews_corrcoef, recall_score

import outscore
from outscore import Findings
from outscore.base.errors import OutscoreError

WMT, BTEC = "18.5,0.1,50 18.7,0.2,50", "48.4,0.5,300 49.9,0.4,300"
TABLE_2 = """set,TA (b),UA (b),SA (b)
Bio,0.3445,0.0430,0.3788
Chem,0.3569,0.2566,0.4515
Spoken,<0.001,<0.001,<0.001
Answers,<0.001,0.0143,<0.001
Emails,0.2020,<0.001,0.1622
Newsgrs,0.3965,0.0210,0.1238
Reviews,0.0020,0.0543,0.0585
Weblogs,0.2480,0.0024,0.2435
WSJ,0.4497,0.0024,0.2435
Twitter,0.4497,0.0924,0.1111
"""
"""p of the bootstrap in Table 2 of Søgaard et al. 2014."""


def wilson(x: int, n: int) -> tuple[float, float]:
    """As scipy has it."""
    found = stats.binomtest(x, n).proportion_ci(method="wilson")
    return float(found.low), float(found.high)


def values(found: Findings) -> dict[str, Any]:
    return {one.what: one.value for one in found.findings}


def test_gains_of_runs_have_the_wrong_sign_as_often_as_the_table_of_clark_implies() -> None:
    found = outscore.study("printed", runs=WMT, numbers="1,3,5,50")
    found.check_whole()
    said = values(found)
    wrong = [said[f"were the gain exactly this: wrong sign, runs of each: {n}"] for n in (1, 3, 5, 50)]
    assert wrong[:3] == pytest.approx([0.186, 0.061, 0.023], abs=5e-4) and wrong[3] < 1e-9
    assert said["were the gain exactly this: a run of B above one of A"] == pytest.approx(1 - wrong[0])
    welch = stats.ttest_ind_from_stats(18.5, 0.1, 50, 18.7, 0.2, 50, equal_var=False)
    assert said["p of it, ± taken as SD between runs (Welch's t)"] == pytest.approx(welch.pvalue, rel=1e-9)
    other = values(outscore.study("printed", runs=BTEC, numbers="1"))
    assert other["were the gain exactly this: wrong sign, runs of each: 1"] == pytest.approx(0.0096, abs=5e-5)


def screen(**options: Any) -> str:
    """The first screen in one line."""
    return " ".join(str(outscore.study("printed", **options)).split())


def test_what_follows_if_plus_minus_is_a_standard_error_stands_beside_it() -> None:
    runs = "base=70.5,0.4,3 ours=71.4,0.6,5"
    found = {one.what: one for one in outscore.study("printed", runs=runs, alpha=0.1).findings}
    as_errors = stats.ttest_ind_from_stats(71.4, 0.6 * 5**0.5, 5, 70.5, 0.4 * 3**0.5, 3, equal_var=False)
    assert found["p of it, were ± a standard error"].value == pytest.approx(as_errors.pvalue, rel=1e-9)
    gain = found["gain of ours over base, new runs on this test set"]
    base, own = 0.4**2 / 3, 0.6**2 / 5
    half = stats.t.ppf(0.95, (base + own) ** 2 / (base**2 / 2 + own**2 / 4)) * np.sqrt(base + own)
    assert gain.value == pytest.approx(0.9) and gain.ci == pytest.approx((0.9 - half, 0.9 + half))
    said = screen(runs=runs)
    assert said.startswith("Gain of ours over base, new runs on this test set: 0.9000 [0.02564, 1.774]; p of it, ±")
    assert "what other items would do is not in these numbers" in said
    assert "what other items would do" not in screen(runs="70.5,0.4,3,1.5 71.4,0.6,5,1.5"), "s_sel is of items"
    assert outscore.study("printed", runs=runs).sentence.startswith("Gain of ours over base")


@pytest.mark.parametrize("side", ["greater", "less"])
def test_the_test_of_runs_looks_to_its_side(side: Literal["greater", "less"]) -> None:
    said = values(outscore.study("printed", runs="18.5,0.4,5 18.7,0.2,7", alternative=side))
    peer = stats.ttest_ind_from_stats(18.7, 0.2, 7, 18.5, 0.4, 5, equal_var=False, alternative=side)
    named = f"p of it, ± taken as SD between runs (Welch's t), one-sided ({side})"
    assert said[named] == pytest.approx(peer.pvalue, rel=1e-9)


@pytest.mark.parametrize(("side", "sign"), [("greater", 1), ("less", -1)])
def test_what_a_one_sided_p_needs_is_one_sided_too(side: Literal["greater", "less"], sign: int, tmp_path: Path) -> None:
    file = tmp_path / "means.csv"
    file.write_text(
        f"system,score,se\na,0.70,0.02\nb,{0.70 + sign * 0.04},0.02\nc,{0.70 - sign * 0.04},0.02\n", encoding="utf-8"
    )
    found = outscore.study("printed", means=str(file), alternative=side, alpha=0.1)
    said, (b, c) = values(found), found.table("means").records()
    z = stats.norm.ppf(1 - 0.1 / 2)  # by Bonferroni over two
    needed = 1 - (0.04 / z) ** 2 / (2 * 0.02**2)
    assert b["needed"] == pytest.approx(needed) and c["needed"] is None
    assert b["finds"] == pytest.approx((z + stats.norm.ppf(0.8)) * 0.02 * 2**0.5)
    error = 0.02 * (2 * (1 - needed)) ** 0.5
    assert 2 * stats.norm.sf(0.04 / error) == pytest.approx(0.1), "p at that correlation is alpha"
    assert said[f"gain of b is shown, one-sided ({side})"] == f"if systems correlate over items by {needed:.2f} or more"
    assert said[f"gain of c is shown, one-sided ({side})"] == "at no correlation of the systems"
    assert f"p of b, unpaired, times 2, one-sided ({side})" in said


def test_p_of_drawn_runs_looks_to_its_side_too() -> None:
    runs = "48.4,0.5,30,.6 49.9,0.4,30,.6"
    high, low = (
        float(
            str(outscore.study("printed", runs=runs, numbers="5", alternative=side).table("p").records()[-1]["median"])
        )
        for side in ("less", "greater")
    )
    assert low < 0.05 and high == pytest.approx(1 - low)


def test_densities_integrate_to_one_around_the_expected_gain() -> None:
    found = outscore.study("printed", runs=WMT, numbers="1,4")
    rows = found.table("differences").records()
    for n, deviation in (("1", np.hypot(0.1, 0.2)), ("4", np.hypot(0.1, 0.2) / 2)):
        x, density = np.array([(row["x"], row["density"]) for row in rows if row["name"] == n], dtype=float).T
        assert integrate.trapezoid(density, x) == pytest.approx(1, abs=1e-4)
        assert integrate.trapezoid(density * x, x) == pytest.approx(0.2, abs=1e-4)
        assert np.sqrt(integrate.trapezoid(density * (x - 0.2) ** 2, x)) == pytest.approx(deviation, rel=2e-3)
    (expected,) = found.table("expected").records()
    assert expected["gain"] == pytest.approx(0.2)


def test_p_values_count_as_the_table_of_soegaard_supports(tmp_path: Path) -> None:
    file = tmp_path / "p.csv"
    file.write_text(TABLE_2, encoding="utf-8")
    said = values(outscore.study("printed", p_values=str(file)))
    counts = [said[f"data sets with p ≤ 0.05 by {name}"] for name in ("TA (b)", "UA (b)", "SA (b)")]
    assert counts == [3, 7, 2]
    assert said["data sets with p ≤ 0.05 by some metric"] == 8, "the source counts 9"
    assert said["data sets with p ≤ 0.05 by every metric"] == 2
    p = np.array([[float(cell.lstrip("<")) for cell in line.split(",")[1:]] for line in TABLE_2.splitlines()[1:]])
    assert said["the same by some metric, after Bonferroni over the metrics"] == int((3 * p.min(axis=1) <= 0.05).sum())
    ordered = np.sort(p.ravel())
    steps = np.maximum.accumulate(ordered * np.arange(30, 0, -1))
    assert said["left of all p-values after Holm over all of them"] == int((steps <= 0.05).sum())
    for name, column in zip(("TA (b)", "UA (b)"), p.T, strict=False):
        bonferroni = np.maximum.accumulate(np.sort(column) * np.arange(10, 0, -1))
        assert said[f"data sets on which the gain holds by {name}"] == (bonferroni <= 0.05).sum()
        assert said[f"data sets that hold by {name}"].startswith("'")


BARE = [".003", ".04", ".2", ".0004", "<.001"]


@pytest.mark.parametrize("text", [",".join(BARE), "\n".join(["p", *BARE]), "\n".join(BARE)])
def test_bare_p_values_are_data_sets_by_their_numbers(text: str, tmp_path: Path) -> None:
    file = tmp_path / "p.txt"
    file.write_text(text, encoding="utf-8")
    found = outscore.study("printed", p_values=text if "," in text else str(file))
    said = values(found)
    assert said["data sets with p ≤ 0.05 by p"] == 4
    assert said["data sets on which the gain holds by p"] == 3 and said["data sets that hold by p"] == "'1', '4', '5'"
    assert len(said) == 7, "with one metric there is nothing to choose"
    assert [row["holds"] for row in found.table("p").records()] == ["yes", "no", "no", "yes", "yes"]


def test_what_is_left_after_correction_is_named_and_so_marked(tmp_path: Path) -> None:
    file = tmp_path / "p.csv"
    file.write_text("set,acc,f1\na,.03,.2\nb,.004,.04\nc,.001,.02\n", encoding="utf-8")
    found = outscore.study("printed", p_values=str(file))
    assert [row["holds"] for row in found.table("p").records()] == ["no", "yes", "yes"]
    said = screen(p_values=str(file))
    assert said.startswith("Data sets that hold by acc: 'a', 'b', 'c'; data sets")
    assert (
        "6 printed p-values of 3 data sets, corrected by Holm and two-sided" in said
        and "on the side that was asked about, give half of each" in said
    )


def test_four_counts_say_which_is_which() -> None:
    assert "Of tp 45, fp 12, fn 9, tn 434: 500 items" in screen(counts="45,12,9,434")


def test_four_counts_give_the_metrics_of_the_slides_with_intervals() -> None:
    found = outscore.study("printed", counts="5000,7,100,400000")
    said = {one.what: one for one in found.findings}
    values_of = {name: said[name].value for name in ("precision", "recall", "accuracy", "F1")}
    assert values_of == pytest.approx(
        {"precision": 0.99860, "recall": 0.98039, "accuracy": 0.999736, "F1": 0.98941}, abs=1e-5
    )
    for name, x, n in (("precision", 5000, 5007), ("recall", 5000, 5100), ("accuracy", 405_000, 405_107)):
        assert said[name].ci == pytest.approx(wilson(x, n), rel=1e-9)
    low, high = wilson(5000, 5107)
    assert said["F1"].ci == pytest.approx((2 * low / (1 + low), 2 * high / (1 + high)), rel=1e-9)


@pytest.mark.parametrize("counts", [(20, 5, 10, 15), (50, 3, 2, 45), (0, 4, 5, 91), (1, 0, 0, 99), (5, 0, 3, 0)])
def test_kappa_of_counts_has_the_interval_of_two_annotators(counts: tuple[int, int, int, int]) -> None:
    said = outscore.study("printed", counts=",".join(map(str, counts)))
    (kappa,) = (one for one in said.findings if one.what == "kappa")
    gold, guessed = np.repeat([1, 0, 1, 0], counts), np.repeat([1, 1, 0, 0], counts)
    by_hand = outscore.agree({"system": guessed, "gold": gold}, coefficients="cohen").coefficients[0]
    assert kappa.ci == pytest.approx(by_hand.ci, abs=1e-9) and kappa.ci is not None and kappa.ci[0] < kappa.ci[1]
    assert kappa.value == pytest.approx(cohen_kappa_score(gold, guessed), abs=1e-12)


def test_a_confusion_matrix_has_the_scores_of_its_items(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text(",cat,dog,bird\ncat,50,3,2\ndog,4,40,6\nbird,1,5,60\n", encoding="utf-8")
    found = {one.what: one for one in outscore.study("printed", counts=str(tmp_path / "m.csv")).findings}
    gold = ["cat"] * 55 + ["dog"] * 50 + ["bird"] * 66
    said = [name for row in ((50, 3, 2), (4, 40, 6), (1, 5, 60)) for name in np.repeat(["cat", "dog", "bird"], row)]
    assert found["accuracy"].ci == pytest.approx(wilson(150, 171), rel=1e-9)
    for name, average in (("macro F1", "macro"), ("weighted F1", "weighted")):
        assert found[name].value == pytest.approx(f1_score(gold, said, average=average), abs=1e-12)
    assert found["macro recall"].value == pytest.approx(recall_score(gold, said, average="macro"), abs=1e-12)
    assert found["kappa"].value == pytest.approx(cohen_kappa_score(gold, said), abs=1e-12)
    assert found["MCC"].value == pytest.approx(matthews_corrcoef(gold, said), abs=1e-12)
    assert all(one.ci is not None and one.ci[0] < one.value < one.ci[1] for one in found.values())  # type: ignore[operator]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (",a,b\na,1,x\nb,2,3\n", "m.csv:2: expected a gold label and 2 counts, found 'a,1,x'"),
        (",a,b\na,1,2\nc,2,3\n", "rows are a, c, columns a, b: expected the same labels in the same order"),
        (",a,b\na,0,0\nb,0,0\n", "0 items; expected 1 to 1,000,000"),
    ],
)
def test_what_is_no_confusion_matrix_is_refused(rows: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text(rows, encoding="utf-8")
    with pytest.raises(OutscoreError) as caught:
        outscore.study("printed", counts=str(tmp_path / "m.csv"))
    assert said in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("right", "p", "verdict"),
    [
        ("80,10,4,6", stats.chi2.sf(36 / 14, 1), "not shown to differ"),
        ("80,30,4,6", stats.chi2.sf(26**2 / 34, 1), "the first is better"),
        ("80,4,30,6", stats.chi2.sf(26**2 / 34, 1), "the second is better"),
        ("3,0,4,0", stats.binomtest(4, 4).pvalue, "not shown to differ"),
    ],
)
def test_right_answers_of_two_systems_are_compared_as_their_items_are(right: str, p: float, verdict: str) -> None:
    found = {one.what: one for one in outscore.study("printed", right=right).findings}
    both, first, second, none = map(int, right.split(","))
    n = both + first + second + none
    assert found["verdict"].value == verdict
    assert found["p of McNemar's test"].value == pytest.approx(p, rel=1e-9)
    assert found["gain of the second"].value == pytest.approx((second - first) / n)
    assert found["accuracy of the first"].ci == pytest.approx(wilson(both + first, n), rel=1e-9)


def test_p_of_drawn_runs_shrinks_when_runs_are_pooled_and_not_over_runs_and_items() -> None:
    found = outscore.study("printed", runs="48.4,0.5,300,1.6 49.9,0.4,300,1.5", numbers="1,5,50", alike=0.5)
    found.check_whole()
    rows = {(row["n"], row["kind"]): row for row in found.table("p").records()}
    items = np.sqrt(1.6**2 + 1.5**2 - 1.6 * 1.5)
    for n, kind, error in (
        ("1", "one run each", items),
        ("5", "runs pooled", items / np.sqrt(5)),
        ("5", "runs and items", np.sqrt(items**2 + (0.5**2 + 0.4**2) / 5)),
        ("50", "runs and items", np.sqrt(items**2 + (0.5**2 + 0.4**2) / 50)),
    ):
        row = rows[n, kind]
        assert row["draws"] == 250
        assert row["median"] == pytest.approx(2 * stats.norm.sf(1.5 / error), rel=0.25)
        gains = 1.5 + np.hypot(0.5, 0.4) / np.sqrt(int(n)) * np.array([1.96, -1.96])
        ends = [float(str(row[end])) for end in ("low", "high")]
        assert error * stats.norm.isf(np.array(ends) / 2) == pytest.approx(gains, abs=0.2)
    assert float(str(rows["50", "runs pooled"]["high"])) < 1e-6
    assert float(str(rows["50", "runs and items"]["low"])) > 0.2
    assert float(str(rows["5", "runs, these items"]["significant"])) > 0.95
    assert [figure.name for figure in found.figures] == ["runs", "gains", "p"]
    plain = outscore.study("printed", runs=BTEC)
    assert [figure.name for figure in plain.figures] == ["runs", "gains"], "s_sel is needed"


def test_spread_on_the_test_set_is_compared_with_that_on_the_tuning_set() -> None:
    said = values(outscore.study("printed", runs="48.4,0.5,30,1.6,0.4 49.9,0.4,20,1.5,0"))
    assert said["p of s_test above s_dev, A"] == pytest.approx(stats.f.sf(1.5625, 29, 29), rel=1e-9)
    assert said["p of s_test above s_dev, B"] is None, "rounded to 0"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"runs": "48.4,0.5,300,0 49.9,0.4,300,1"}, "two systems"),
        ({"runs": "48.4,0.5,300,1,1,1 49.9,0.4,300,1"}, "two systems"),
        ({"runs": WMT, "alike": 1.0}, "--alike"),
        ({}, "--runs, --means, --p-values or --counts"),
        ({"runs": "48.4,0.5,300"}, "two systems"),
        ({"runs": "48.4,0.5,300 49.9,-1,300"}, "two systems"),
        ({"runs": "48.4,0.5,2.5 49.9,1,300"}, "two systems"),
        ({"runs": "48.4,0.5,1 49.9,1,300"}, "one run has no standard deviation"),
        ({"counts": "1,2,3"}, "four counts, tp,fp,fn,tn, as"),
        ({"counts": "1,2,3,x"}, "(tp,fp,fn,tn)"),
        ({"counts": "1,2,3,4", "alternative": "greater"}, "--alternative"),
        ({"p_values": ".03,.04", "alternative": "less"}, "--alternative"),
        ({"p_values": ".03,x"}, "value 2: 'x' is no p-value"),
        ({"p_values": ","}, "value 1: '' is no p-value"),
        ({"counts": "0,0,0,0"}, "four counts"),
        ({"right": "1,2,3"}, "four counts, both,first,second,none, as"),
        ({"counts": "1,2,3,x"}, "numbers"),
        ({"runs": WMT, "numbers": "0"}, "--numbers"),
        ({"p_values": "nowhere.csv"}, "nowhere.csv"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(options: dict[str, Any], said: str) -> None:
    with pytest.raises(OutscoreError) as caught:
        outscore.study("printed", **options)
    assert said in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("set,a\nx,0.5,0.1\n", "line 2: 2 p-values"),
        ("set,a\nx,0\n", "line 2: '0'"),
        ("set,a\nx,1.5\n", "line 2: '1.5'"),
        ("set,a\nx,maybe\n", "line 2: 'maybe'"),
        ("set,a\n", "expected a header"),
        ("", "expected a header"),
    ],
)
def test_a_table_of_p_values_is_refused_by_its_line(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "p.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(OutscoreError, match=said):
        outscore.study("printed", p_values=str(file))


def means(file: Path, text: str, **options: Any) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Findings by what they are of, and the rows of the table by system."""
    file.write_text(text, encoding="utf-8")
    found = outscore.study("printed", means=str(file), **options)
    found.check_whole()
    table = found.table("means")
    rows = [dict(zip((field.name for field in table.fields), row, strict=True)) for row in table.rows]
    return values(found), {str(row["system"]): row for row in rows}


def test_means_that_are_taken_for_independent_are_tested_as_scipy_does(tmp_path: Path) -> None:
    text = "model\tmean\tsd\titems\nbase\t27.1\t18\t400\n new\t29.9\t17\t300\nother\t25\t16\t200\n"
    said, rows = means(tmp_path / "m.tsv", text)
    assert "; p and intervals by Bonferroni over 2." in screen(means=str(tmp_path / "m.tsv"))
    for name, mean, sd, n in (("new", 29.9, 17, 300), ("other", 25, 16, 200)):
        peer = stats.ttest_ind_from_stats(mean, sd, n, 27.1, 18, 400, equal_var=False)
        row = rows[name]
        assert row["gain"] == pytest.approx(mean - 27.1)
        assert row["p"] == said[f"p of {name}, unpaired, times 2"] == pytest.approx(min(1, 2 * peer.pvalue), rel=1e-9)
        base, own = 18**2 / 400, sd**2 / n
        df = (base + own) ** 2 / (base**2 / 399 + own**2 / (n - 1))
        half = stats.t.ppf(1 - 0.0125, df) * np.sqrt(base + own)
        assert (row["low"], row["high"]) == pytest.approx((mean - 27.1 - half, mean - 27.1 + half))


def test_a_gain_is_shown_from_that_correlation_on_from_which_the_paired_test_finds_it(tmp_path: Path) -> None:
    rng, n, seen = np.random.default_rng(4), 40, set()
    for _ in range(30):
        base = rng.normal(0, 1, n)
        new = 0.6 * base + rng.normal(0.25, 0.8, n)
        text = "system,score,sd,n\n" + "".join(
            f"{name},{float(x.mean())!r},{float(x.std(ddof=1))!r},{n}\n" for name, x in (("base", base), ("new", new))
        )
        said, rows = means(tmp_path / "m.csv", text)
        needed = rows["new"]["needed"]
        paired = stats.ttest_rel(new, base)
        if needed is None:
            assert ("whatever" in said["gain of new is shown"]) == (paired.pvalue <= 0.05)
        else:
            assert (np.corrcoef(base, new)[0, 1] >= needed) == (paired.pvalue <= 0.05)
            seen.add(bool(paired.pvalue <= 0.05))
        # at the correlation that they have the interval is that of the paired test
        _, rows = means(tmp_path / "m.csv", text, alike=float(np.corrcoef(base, new)[0, 1]))
        ci = paired.confidence_interval()
        assert (rows["new"]["alike_low"], rows["new"]["alike_high"]) == pytest.approx((ci.low, ci.high))
        assert rows["new"]["anyhow_low"] <= min(ci.low, rows["new"]["low"])
    assert seen == {True, False}


def test_of_scores_from_0_to_1_the_number_of_items_bounds_the_error(tmp_path: Path) -> None:
    right = "system,accuracy,n\nbase,0.7,500\nnew,0.75,500\n"
    alone, _ = means(tmp_path / "m.csv", right)
    answers = np.repeat([1.0, 0.0], [350, 150])
    exact = right.replace("n\n", "n,sd\n", 1).replace("0.7,500", f"0.7,500,{float(answers.std(ddof=1))!r}")
    exact = exact.replace("0.75,500", f"0.75,500,{float(np.repeat([1.0, 0.0], [375, 125]).std(ddof=1))!r}")
    assert alone["p of new, unpaired"] == pytest.approx(
        means(tmp_path / "m.csv", exact)[0]["p of new, unpaired"], rel=1e-9
    )


def test_percentages_are_proportions_and_say_on_how_many_items_systems_may_disagree(tmp_path: Path) -> None:
    """Of right and wrong answers, the paired t test by hand with so many on which the two differ, and with more."""
    said, _ = means(tmp_path / "m.csv", "system,accuracy,n\nbase,83.1%,1000\nnew,84.2 %,1000\n")
    plain, _ = means(tmp_path / "m.csv", "system,mean,n\nbase,0.831,1000\nnew,0.842,1000\n")
    assert said == plain
    assert said["the same, right or wrong"].split(";")[0] == "if they disagree on at most 31 of 1,000 items"


@pytest.mark.parametrize(
    ("a", "b", "n"), [(77, 78, 100), (77, 80, 100), (77, 81, 100), (77, 90, 100), (771, 782, 1000)]
)
def test_answers_that_differ_are_counted_as_mcnemar_does(a: int, b: int, n: int, tmp_path: Path) -> None:
    """All tables with these margins, by scipy's χ² law."""
    p = {}
    for lost in range(min(a, n - b) + 1):
        d = 2 * lost + b - a
        p[d] = float(stats.chi2.sf((b - a) ** 2 / d, 1))
    shown = max((d for d, one in p.items() if one <= 0.05), default=None)
    said, _ = means(tmp_path / "m.csv", f"system,accuracy,n\nbase,{a / n},{n}\nnew,{b / n},{n}\n")
    most = f"if they disagree on at most {shown} of {n:,} items" if shown else "at no number of disagreements"
    assert said["the same, right or wrong"].split(";")[0] == most
    for d in (min(p), max(p)):
        assert next(value for what, value in said.items() if f", {d} differ" in what) == pytest.approx(min(1.0, p[d]))


@pytest.mark.parametrize(("a", "b", "n"), [("0.80", "0.84", 900), ("0.84", "0.8", 900), ("0.83", "0.84", 4000)])
def test_a_rounded_share_stands_for_all_counts_that_print_so(a: str, b: str, n: int, tmp_path: Path) -> None:
    """Every two counts, χ² by scipy: two places of 4,000 items leave 20 right answers to either side open."""
    most: dict[tuple[int, int], int] = {}
    xs, ys = ([k for k in range(n + 1) if abs(k / n - float(share)) <= 0.005 + 1e-9] for share in (a, b))
    for x, y in itertools.product(xs, ys):
        d = np.arange(abs(y - x), min(x + y, 2 * n - x - y) + 1, 2)
        shown = (d > 0) & (stats.chi2.sf((y - x) ** 2 / np.maximum(d, 1), 1) <= 0.05) & ((y > x) == (b > a))
        # with all that can differ the gain is shown: no number is too large
        most[x, y] = n if shown.all() else int(d[shown].max(initial=0))
    far = (xs[0], ys[-1]) if b > a else (xs[-1], ys[0])
    largest = min(most[far], sum(far), 2 * n - sum(far))
    least = min(most.values())
    said, _ = means(tmp_path / "m.csv", f"system,accuracy,n\nbase,{a},{n}\nnew,{b},{n}\n")
    ends, open_ = (f"{least:,} to {largest:,}", "") if least else (f"{largest:,}", ", or at no number")
    assert (
        said["the same, right or wrong"].split(";")[0]
        == f"if they disagree on at most {ends} of {n:,} items{open_} (rounded)"
    )


def test_a_share_of_all_items_is_shown_or_not_whatever_the_correlation(tmp_path: Path) -> None:
    """What does not vary correlates with nothing; the row was left out, and 'the same' followed on none."""
    far, _ = means(tmp_path / "m.csv", "system,accuracy,n\nbase,1.00,50\nnew,0.80,50\n")
    assert far["loss of new is shown"] == "whatever the correlation of the systems"
    near, _ = means(tmp_path / "m.csv", "system,accuracy,n\nbase,0.98,50\nnew,1.00,50\n")
    assert near["gain of new is shown"] == "at no correlation of the systems"


@pytest.mark.parametrize("header", ["f1", "Macro F-score", "kappa", "BLEU", "MCC"])
def test_what_is_no_mean_of_items_has_no_error_by_their_number(header: str, tmp_path: Path) -> None:
    with pytest.raises(
        OutscoreError, match=rf"m.csv:2: {header.lower()} is no mean over items.* add se, give --counts"
    ):
        means(tmp_path / "m.csv", f"system,{header},n\na,0.62,200\nb,0.7,200\n")
    with_error, _ = means(tmp_path / "m.csv", f"system,{header},se\na,0.62,0.02\nb,0.7,0.02\n")
    assert with_error["p of b, unpaired"] < 0.01
    means(tmp_path / "m.csv", "system,mean,n\na,0.62,200\nb,0.7,200\n")
    assert "as items score from 0 to 1 (not so F1, kappa, BLEU)" in screen(means=str(tmp_path / "m.csv"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("system,score,n\na,83.1,50\nb,84.2,50\n", "write 83.1 as 83.1% or 0.831"),
        ("system,score\na,0.5\nb,0.6\n", "m.csv:2: a score alone has no error"),
        ("system,bleu,n\na,27,500\nb,28,500\n", "m.csv:2: n, of scores beyond 0 to 1, has no error"),
        ("system,bleu,sd\na,27,5\nb,28,5\n", "m.csv:2: sd without n has no error"),
        ("system,score,se\na,0.5,x\nb,0.6,0.1\n", "m.csv:2: se 'x' is no number"),
        ("system,score,se\na,0.5,-1\nb,0.6,0.1\n", "m.csv:2: se '-1' is no number"),
        ("system,score,n\na,0.5,1\nb,0.6,10\n", "m.csv:2: 1 items of 'a'"),
        ("system,score,se\na,0.5,0.1\n", "a line for each of two systems"),
        ("system,bleu,chrf,se\na,1,2,3\nb,1,2,3\n", "one with the score"),
        ("system,score,se\na,0.5,0.1\nb,,0.1\n", "m.csv:3: no score of 'b'"),
        ("system,mean,n\na,82.9%,12,319\nb,84.2%,12,319\n", "m.csv:2: found 4 cells, expected 3 .write 1,319 as 1319."),
        ("system,mean,n\na,82.9%,1319\nb,84.2%\n", "m.csv:3: found 2 cells, expected 3"),
        ("system,accuracy\na,61.2 ± 1.8\nb,65.5 ± 1.7\n", "no number that it can be; write mean,se or mean,sd in col"),
        ("system,correct,total\na,30,50\nb,51,50\n", "m.csv:3: n, of scores beyond 0 to 1, has no error"),
    ],
)
def test_a_table_of_means_is_refused_with_the_reason(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text(text, encoding="utf-8")
    with pytest.raises(OutscoreError, match=said):
        outscore.study("printed", means=str(tmp_path / "m.csv"))


def test_items_that_are_correct_of_all_have_the_error_of_their_share(tmp_path: Path) -> None:
    counts, means = tmp_path / "counts.csv", tmp_path / "means.csv"
    counts.write_text("system,correct,total\na,1,50\nb,20,40\n", encoding="utf-8")
    of_items = [np.repeat([1, 0], [1, 49]), np.repeat([1, 0], [20, 20])]
    lines = [f"{name},{one.mean()},{stats.sem(one)},{len(one)}" for name, one in zip("ab", of_items, strict=True)]
    means.write_text("\n".join(["system,mean,se,n", *lines]) + "\n", encoding="utf-8")
    made, expected = (values(outscore.study("printed", means=str(file))) for file in (counts, means))
    assert made == pytest.approx(expected) and made["gain of b, unpaired"] == pytest.approx(0.48)


def test_a_comparison_of_such_a_table_says_where_it_goes(tmp_path: Path) -> None:
    file = tmp_path / "m.csv"
    file.write_text("system,score,se\na,0.5,0.1\nb,0.6,0.1\n", encoding="utf-8")
    with pytest.raises(
        OutscoreError, match=r"; of a mean for each system, see outscore study printed --means \S+m\.csv; else"
    ):
        outscore.read(str(file))
    file.write_text("system,one,two,three,four,five\na,1,2,3,4,5\nb,1,2,3,4,6\n", encoding="utf-8")
    with pytest.raises(OutscoreError) as board:
        outscore.read(str(file))
    assert "--means" not in str(board.value)
    file.write_text("system,score\na,0.5\na,0.7\nb,0.6\nb,0.5\n", encoding="utf-8")
    with pytest.raises(OutscoreError) as caught:
        outscore.read(str(file))
    assert "--means" not in str(caught.value)


@pytest.mark.parametrize(
    "made", ["baseline,87.9,0.5,1821\nours,88.2,0.3,1821\n", "baseline,.879,.005,1821\nours,.882,.003,1821\n"]
)
def test_deviations_between_runs_are_not_taken_for_those_of_items(tmp_path: Path, made: str) -> None:
    """With the number of items behind them they would make every gain significant."""
    file = tmp_path / "means.csv"
    file.write_text(f"system,mean,sd,n\n{made}", encoding="utf-8")
    with pytest.raises(OutscoreError, match=r"means.csv:2: sd 0.*between runs it is for --runs"):
        outscore.study("printed", means=str(file))
    file.write_text("system,mean,sd,n\nbaseline,87.9,32.6,1821\nours,88.2,31,1821\n", encoding="utf-8")
    outscore.study("printed", means=str(file))


def test_means_over_runs_are_compared_by_welch_and_not_by_items(tmp_path: Path) -> None:
    said, rows = means(tmp_path / "m.csv", "method,error,sd,seeds\nbase,4.26,0.05,5\nnew,11.39,3.35,4\n")
    welch = stats.ttest_ind_from_stats(4.26, 0.05, 5, 11.39, 3.35, 4, equal_var=False)
    assert said["p of new, unpaired"] == pytest.approx(welch.pvalue, rel=1e-9)
    assert not any("correlat" in what or "items" in str(value) for what, value in said.items())
    assert "needed" not in rows["new"]
    assert "Lower is better" in screen(means=str(tmp_path / "m.csv"))


def test_a_share_that_no_count_of_items_gives_is_named(tmp_path: Path) -> None:
    """83.5 % of 30 items cannot be printed: 25 of them are 83.3, 26 are 86.7."""
    said, _ = means(tmp_path / "m.csv", "system,accuracy,n\nbase,83.3%,30\nnew,83.5%,30\n")
    assert "no whole number of 30 right answers is 0.835" in said["the same, right or wrong"]
    assert not any("differ" in what for what in said)


def test_numbers_are_typed_with_blanks_or_semicolons_too() -> None:
    for typed in ("86 14 20 380", "86; 14;20;380"):
        assert values(outscore.study("printed", counts=typed)) == values(
            outscore.study("printed", counts="86,14,20,380")
        )
    assert values(outscore.study("printed", p_values=".04 .03 .01")) == values(
        outscore.study("printed", p_values=".04,.03,.01")
    )


def test_of_independent_data_sets_fisher_counts_more() -> None:
    said = values(outscore.study("printed", p_values=".04,.03,.20,.01,.06,.50,.02,.09"))
    assert said["data sets on which the gain holds by p"] == 0
    p = np.sort([0.04, 0.03, 0.20, 0.01, 0.06, 0.50, 0.02, 0.09])
    at_least = sum(stats.combine_pvalues(p[u:], "fisher").pvalue <= 0.05 for u in range(8))
    assert said["the same by p, at least, if the data sets share nothing (Fisher)"] == at_least == 4


def test_findings_stand_in_csv_before_the_tables() -> None:
    rows = outscore.study("printed", counts="86,14,20,380").rows()
    assert [row["what"] for row in rows] == ["precision", "recall", "F1", "accuracy", "kappa"]
    assert rows[0]["low"] < rows[0]["value"] == 0.86 < rows[0]["high"]


def test_what_such_a_size_can_show_stands_among_the_findings(tmp_path: Path) -> None:
    """Ratings around 3 are no per cent, and were refused with a small standard deviation."""
    said, _ = means(file := tmp_path / "m.csv", "system,mean,n,sd\nbase,3.1,200,1.2\nnew,3.4,200,1.3\n")
    errors = np.array([1.2, 1.3]) / np.sqrt(200)
    unit = stats.t.ppf(0.975, 199)
    assert said["least gain of new shown"] == pytest.approx(unit * np.hypot(*errors), rel=1e-6)
    least = unit * np.sqrt((errors**2).sum() - errors.prod())
    assert (
        f"correlate by 0.5 over items: {least:.4g}." in outscore.study("printed", means=str(file)).findings[-1].reason
    )


def test_p_values_are_combined_as_scipy_combines_them() -> None:
    p = [0.04, 0.03, 0.20, 0.01]
    said = values(outscore.study("printed", p_values=",".join(map(str, p))))
    for name in ("fisher", "stouffer"):
        what = f"p that no data set has a gain by p, if they share nothing ({name.title()})"
        assert said[what] == pytest.approx(stats.combine_pvalues(p, name).pvalue, rel=1e-9)
    assert said["p that no data set has a gain by p, whatever they share (Bonferroni)"] == pytest.approx(0.04)
    assert values(outscore.study("printed", p_values="1,1,.5"))
