"""``compare`` by tests of other kinds than of pairs, of systems that share their items or not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import outscore
from outscore.base.errors import InputError, UsageError
from outscore.results.comparison import Comparison
from outscore.results.pairs import Pair
from outscore.significance.independent.permutation import Permutation
from tests.cli.commandline import outscore as command
from tests.cli.commandline import written

RNG = np.random.default_rng(8)
A, B, C = RNG.normal(0.5, 0.1, 40).round(2), RNG.normal(0.55, 0.2, 30).round(2), RNG.normal(0.6, 0.1, 40).round(2)
RUNS = {name: RNG.normal(mu, 0.2, (4, 25)) for name, mu in (("base", 0.5), ("new", 0.6), ("third", 0.55))}


def lone(result: Comparison) -> Pair:
    (pair,) = result.pairs
    return pair


def codes(result: Comparison) -> set[str]:
    return {note.code for note in result.notes}


def test_systems_need_not_share_their_items() -> None:
    result = outscore.compare({"a": A, "b": B}, test="welch")
    pair, expected = lone(result), stats.ttest_ind(B, A, equal_var=False)
    assert pair.p_value == pytest.approx(expected.pvalue)
    interval = expected.confidence_interval()
    assert pair.ci == pytest.approx((interval.low, interval.high))
    assert pair.gain == pytest.approx(B.mean() - A.mean())
    assert (pair.n_items, pair.effect["n_system"], pair.effect["n_baseline"], pair.effect["unit"]) == (
        70,
        30,
        40,
        "item",
    )
    assert [(s.system, s.n_items) for s in result.scores] == [("a", 40), ("b", 30)]
    assert "paired_data" not in codes(result)
    assert pair.verdict == ("better" if expected.pvalue <= 0.05 else "inconclusive")


def test_the_same_items_are_said_to_be_no_independent_samples() -> None:
    result = outscore.compare({"a": A, "c": C}, test="welch")
    assert "paired_data" in codes(result)
    assert lone(result).notes.count("paired_data") == 1
    assert lone(result).n_items == 40


def test_items_that_some_systems_share_are_said_too(tmp_path: Path) -> None:
    rows = [
        "system,item,score",
        *(f"a,{i},{i % 2}" for i in range(20)),
        *(f"b,{i},{i % 3 > 0:d}" for i in range(15, 40)),
    ]
    data = outscore.read_apart(str(written(tmp_path / "t.csv", rows)))
    assert [len(part.items) for part in data] == [20, 25]
    result = outscore.compare(data, test="fisher", metrics="accuracy")
    assert "paired_data" in codes(result)
    table = [[sum(i % 3 > 0 for i in range(15, 40)), 25 - sum(i % 3 > 0 for i in range(15, 40))], [10, 10]]
    assert lone(result).p_value == pytest.approx(stats.fisher_exact(np.array(table))[1])
    apart = [row for row in rows if not row.startswith("b,1")]
    result = outscore.compare(
        outscore.read_apart(str(written(tmp_path / "u.csv", apart))), test="fisher", metrics="accuracy"
    )
    assert "paired_data" not in codes(result)


def test_gold_data_are_cut_to_the_items_of_a_system_and_no_item_vanishes(tmp_path: Path) -> None:
    gold = ["item,reference", *(f"q{i},{'yn'[i % 2]}" for i in range(6))]
    out = ["system,item,output", *(f"a,q{i},y" for i in range(3)), *(f"b,q{i},y" for i in range(3, 6))]
    references = str(written(tmp_path / "gold.csv", gold))
    systems = str(written(tmp_path / "out.csv", out))
    data = outscore.read_apart(systems, references=references)
    result = outscore.compare(data, test="fisher", metrics="accuracy")
    assert [s.score for s in result.scores] == pytest.approx([2 / 3, 1 / 3])
    written(tmp_path / "gold.csv", [*gold, "q6,y"])
    with pytest.raises(InputError, match="lacks 1 of 4 items, 'q6'"):
        outscore.read_apart(systems, references=references)


def test_runs_are_the_unit_where_every_system_has_several() -> None:
    result = outscore.compare(RUNS, test="welch", correction="none")
    for pair in result.pairs:
        expected = stats.ttest_ind(RUNS[pair.system].mean(axis=1), RUNS["base"].mean(axis=1), equal_var=False)
        assert pair.p_value == pytest.approx(expected.pvalue)
        assert (pair.effect["unit"], pair.effect["n_system"], pair.n_items) == ("run", 4, 25)
    assert {"test_set_fixed", "few_runs"} <= codes(result)
    assert "paired_data" not in codes(result), "runs of one test set are independent of each other"


def test_items_are_averaged_over_runs_where_they_are_the_unit() -> None:
    data = {"a": RUNS["base"], "b": RUNS["new"][:3]}
    pair = lone(outscore.compare(data, test="welch", unit="item"))
    expected = stats.ttest_ind(RUNS["new"][:3].mean(axis=0), RUNS["base"].mean(axis=0), equal_var=False)
    assert pair.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert {"runs_fixed", "paired_data"} <= set(pair.notes)


def test_plain_numbers_can_stand_for_runs() -> None:
    result = outscore.compare({"a": A, "c": C}, test="mann-whitney", unit="run")
    assert lone(result).effect["unit"] == "run"
    assert "test_set_fixed" in codes(result)
    assert not {"paired_data", "single_run"} & codes(result)
    assert f"{len(A)} runs.)" in result.to("sentence")
    assert f"{len(A)} items" not in result.to("methods")
    with pytest.raises(UsageError, match='unit="run" needs several runs'):
        outscore.compare({"a": {"x": 1.0, "y": 2.0}, "b": {"x": 1.0, "y": 0.0}}, test="welch", unit="run")


def test_runs_on_different_test_sets_are_not_compared() -> None:
    data = {"a": RUNS["base"], "b": RUNS["new"][:, :20]}
    with pytest.raises(UsageError, match='unit="run" compares runs on one test set'):
        outscore.compare(data, test="welch", unit="run")
    assert lone(outscore.compare(data, test="welch")).effect["unit"] == "item"


def test_a_corpus_score_has_no_items_of_its_own() -> None:
    texts = {"a": ["a b c d", "e f g h"], "b": ["a b c d", "e f g x"]}
    with pytest.raises(UsageError, match="bleu is no mean of items"):
        outscore.compare(texts, test="welch", references=["a b c d", "e f g h"], metrics="bleu")


def test_decimals_that_are_equal_tie_across_systems() -> None:
    """0.1 + 0.2 of one file and 0.30 of another are one value, although they lie on different grids."""
    x, y = [0.1 + 0.2, 0.5, 0.7, 0.25], [0.3, 0.5, 0.6]
    ours = lone(outscore.compare({"a": y, "b": x}, test="mann-whitney"))
    assert ours.statistic == stats.mannwhitneyu([30, 50, 70, 25], [30, 50, 60]).statistic


def test_lower_is_better_turns_the_samples() -> None:
    up = lone(outscore.compare({"a": A, "b": B}, test="welch", alternative="greater"))
    down = lone(outscore.compare({"a": A, "b": B}, test="welch", metrics="mean:lower=true", alternative="greater"))
    assert up.p_value is not None
    assert down.p_value == pytest.approx(1 - up.p_value)
    assert down.gain == pytest.approx(-up.gain)


def test_corrections_run_over_all_pairs() -> None:
    result = outscore.compare({"a": A, "b": B, "c": C}, test="welch", all_pairs=True, correction="bonferroni")
    assert [(p.system, p.baseline) for p in result.pairs] == [("b", "a"), ("c", "a"), ("c", "b")]
    for pair in result.pairs:
        assert pair.p_value is not None
        assert pair.p_adjusted == pytest.approx(min(1.0, 3 * pair.p_value))
    other = outscore.compare({"a": A, "b": B, "c": C}, test="welch", baseline="c")
    assert [p.system for p in other.pairs] == ["a", "b"]


def test_a_test_of_pairs_has_no_unit_and_needs_the_same_items(tmp_path: Path) -> None:
    data = {"a": A, "c": C}
    with pytest.raises(UsageError, match="and of several systems; wilcoxon is a test of pairs"):
        outscore.compare(data, test="wilcoxon", unit="item")
    rows = ["system,item,score", *(f"a,{i},{i % 2}" for i in range(20)), *(f"b,{i},{i % 3}" for i in range(20))]
    together = outscore.read_apart(str(written(tmp_path / "t.csv", rows)))
    assert len(outscore.compare(together, test="wilcoxon").pairs) == 1
    apart = outscore.read_apart(str(written(tmp_path / "u.csv", [row for row in rows if not row.startswith("b,1")])))
    with pytest.raises(UsageError, match="these have items of their own: name another"):
        outscore.compare(apart, test="wilcoxon")


def test_other_verbs_point_to_compare_for_other_kinds() -> None:
    with pytest.raises(UsageError, match=r"welch is a test of independent samples.*outscore compare --test welch"):
        outscore.rank({"a": A, "c": C}, test="welch")
    with pytest.raises(UsageError, match=r"anova is a test of several systems.*outscore compare --test anova"):
        outscore.rank({"a": A, "c": C}, test="anova")
    with pytest.raises(UsageError, match="unknown test 'wilcoxn'; did you mean 'wilcoxon'"):
        outscore.compare({"a": A, "c": C}, test="wilcoxn")


def test_an_instance_is_as_good_as_a_name() -> None:
    made = outscore.compare({"a": A[:6], "b": B[:5]}, test=Permutation(statistic="mean"))
    named = outscore.compare({"a": A[:6], "b": B[:5]}, test="permutation:statistic=mean")
    assert made == named
    assert lone(made).test == "permutation:statistic=mean"


def test_what_makes_no_sense_is_refused_in_one_line() -> None:
    data = {"a": A, "b": B}
    for options, said in (
        ({"test": "fisher"}, "fisher needs numbers that are right or wrong"),
        ({"test": "welch", "correction": "max-t"}, '"max-t" belongs to tests of pairs'),
        ({"test": "welch", "n_resamples": "auto"}, 'n_resamples="auto" belongs to tests of pairs'),
        ({"test": "welch", "missing": "pairwise"}, 'missing="pairwise" belongs to tests of pairs'),
        ({"test": "welch", "unit": "items"}, "expected one of run, item"),
        ({"test": "welch", "baseline": "x"}, "baseline='x' is none of the systems"),
        ({"test": "anova", "alternative": "greater"}, "has no side"),
        ({"test": "welsh"}, "did you mean 'welch'"),
    ):
        with pytest.raises(UsageError, match=said):
            outscore.compare(data, **options)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="give at least two"):
        outscore.compare({"a": A}, test="welch")


def test_several_systems_are_tested_at_once() -> None:
    result = outscore.compare(RUNS, test="anova")
    (overall,) = result.overall
    expected = stats.f_oneway(*(runs.mean(axis=1) for runs in RUNS.values()))
    assert overall.p_value == pytest.approx(expected.pvalue)
    assert overall.statistic == pytest.approx(expected.statistic)
    assert (overall.n_systems, overall.n_units, overall.unit) == (3, 12, "run")
    tukey = stats.tukey_hsd(*(runs.mean(axis=1) for runs in RUNS.values()))
    names = list(RUNS)
    for pair in result.pairs:
        i, j = names.index(pair.system), names.index(pair.baseline)
        assert pair.p_value is None
        assert pair.p_adjusted == pytest.approx(float(tukey.pvalue[i, j]), rel=1e-6)
        assert pair.gain == pytest.approx(float(tukey.statistic[i, j]))
    assert result.correction == "Tukey HSD"
    assert {p.verdict for p in result.pairs} <= {"better", "worse", "inconclusive"}


def test_pairs_of_several_systems_are_against_the_baseline_where_it_is_one_of_them() -> None:
    first, last = outscore.compare(RUNS, test="anova"), outscore.compare(RUNS, test="anova", baseline="third")
    assert {(p.system, p.baseline) for p in last.pairs} >= {("base", "third"), ("new", "third")}
    turned = {(p.baseline, p.system): p for p in first.pairs}
    for pair in last.pairs:
        same = turned.get((pair.system, pair.baseline))
        if same is not None:
            assert pair.gain == pytest.approx(-same.gain)
            assert pair.ci == pytest.approx(tuple(-end for end in reversed(same.ci or ())))


@pytest.mark.parametrize("test", ["anova", "welch-anova", "welch"])
def test_intervals_beyond_what_a_gain_can_be_are_noted(test: str) -> None:
    # two runs of accuracy each: of a and c the interval by any of the three ends beyond 1, of a and b it does not
    runs = {"c": [[1, 1, 1, 1], [1, 1, 1, 0]], "a": [[0, 0, 0, 0], [0, 0, 0, 1]], "b": [[0, 0, 0, 0], [0, 1, 0, 0]]}
    found = outscore.compare(runs, test=test, all_pairs=test == "welch", alpha=0.2)
    ends = {(pair.system, pair.baseline): pair.ci for pair in found.pairs}
    noted = {(p.system, p.baseline) for p in found.pairs if "interval_beyond_limits" in p.notes}
    assert noted == {pair for pair, ci in ends.items() if ci is not None and max(map(abs, ci)) > 1}
    assert ("a", "c") in noted
    assert ("b", "a") not in noted
    (note,) = (note for note in found.notes if note.code == "interval_beyond_limits")
    assert note.text.endswith(" ('a' against 'c', 'b' against 'c')")
    (numbers,) = (outscore.compare({s: [[10 * v for v in run] for run in of] for s, of in runs.items()}, test=test),)
    assert "interval_beyond_limits" not in codes(numbers)  # of any numbers no limits are known


def test_blocks_are_the_items_that_all_systems_share() -> None:
    items = {name: runs[0] for name, runs in RUNS.items()}
    result = outscore.compare(items, test="friedman:law=chi2")
    (overall,) = result.overall
    assert overall.p_value == pytest.approx(stats.friedmanchisquare(*items.values()).pvalue)
    assert (overall.unit, overall.n_units) == ("item", 25)
    assert "paired_data" not in codes(result)


def test_a_saved_result_is_read_again() -> None:
    for made in (
        outscore.compare(RUNS, test="anova"),
        outscore.compare({"a": A, "b": B}, test="permutation", n_resamples=99),
    ):
        assert Comparison.from_json(made.to_json()) == made


def test_systems_of_other_metrics_by_default_are_told_to_name_one(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("system,item,output,reference\na,1,x,x\na,2,x,y\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("system,item,score\nb,3,0.1\nb,4,0.2\n", encoding="utf-8")
    done = command("compare", tmp_path / "a.csv", tmp_path / "b.csv", "--test", "welch")
    assert "have different metrics by default, [('accuracy',), ('mean',)]: name one with -m" in done.complaint


def test_a_column_with_the_name_of_a_metric_is_meant_where_a_system_has_no_texts(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        "system,item,output,reference,chrf\na,1,x y,x z,0.5\na,2,x,y,0.25\n", encoding="utf-8"
    )
    (tmp_path / "b.csv").write_text("system,item,chrf\nb,1,0.75\nb,2,0.5\n", encoding="utf-8")
    done = command("score", tmp_path / "a.csv", tmp_path / "b.csv", "-m", "chrf", "-f", "csv")
    assert (done.code, "0.375" in done.out, "0.625" in done.out) == (0, True, True)


def test_lines_are_runs_only_where_all_systems_have_lines() -> None:
    data = {"a": [0.1, 0.5, 0.7, 0.9], "b": {"q1": 0.2, "q2": 0.4, "q3": 0.9}}
    with pytest.raises(UsageError, match="needs several runs of a system, but each has one"):
        outscore.compare(data, test="welch", unit="run")
