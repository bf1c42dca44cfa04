"""Names from papers and other programs: they get the thing, or the name that it has here, and never a guess."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import outscore as package
from outscore import UsageError, compare
from outscore.agreement import coefficients
from outscore.base.registry import Registry
from outscore.metrics import metrics
from outscore.multiplicity.adjust import ALSO, adjust, names
from outscore.power.plans import plans
from outscore.significance import tests as paired_tests
from outscore.significance.choose import make_paired, make_test
from outscore.significance.independent import independent_tests
from outscore.significance.interval import intervals
from outscore.significance.omnibus import omnibus_tests
from tests.cli.commandline import BASE, NEW, REFERENCES, outscore

REGISTRIES = (metrics, paired_tests, independent_tests, omnibus_tests, intervals, coefficients, plans)
SCORES = {"a": [0.1, 0.5, 0.3, 0.9], "b": [0.2, 0.7, 0.3, 0.8]}


@pytest.mark.parametrize(
    ("typed", "label"),
    [
        ("bleu-4", "bleu"),
        ("BLEU", "bleu"),
        ("bleu_2", "bleu:max_order=2"),
        ("rouge1", "rouge"),
        ("ROUGE-L", "rouge:type=rougeL"),
        ("rougeLsum", "rouge:type=rougeLsum"),
        ("macro-f1", "f1"),
        ("f1-score", "f1"),
        ("micro_f1", "f1:average=micro"),
        ("F0.5", "fbeta:beta=0.5"),
        ("acc", "accuracy"),
        ("exact-match", "exact_match"),
        ("chrF++", "chrf:word_order=2"),
        ("chrf2++:lowercase=true", "chrf:word_order=2,lowercase=true"),
        ("pass@10", "pass_at_k:k=10"),
        ("nDCG@5", "ndcg:cutoff=5"),
    ],
)
def test_a_metric_by_the_name_that_others_give_it(typed: str, label: str) -> None:
    assert metrics.make(typed).label == label


@pytest.mark.parametrize(
    ("typed", "label"),
    [
        *((name, "t") for name in ("ttest", "t-test", "paired_t", "paired-t", "ttest_rel", "t:")),
        ("wilcoxon-signed-rank", "wilcoxon"),
        ("approximate-randomization", "randomization"),
        ("paired_bootstrap:form=percentile", "bootstrap:form=percentile"),
        ("mcnemar-exact", "mcnemar:variant=exact"),
        ("sign_test", "sign"),
    ],
)
def test_a_test_of_pairs_by_the_name_that_others_give_it(typed: str, label: str) -> None:
    assert make_paired(typed).label == label


@pytest.mark.parametrize(
    ("typed", "label"),
    [("nemenyi", "friedman"), ("mannwhitneyu", "mann-whitney"), ("Kruskal", "kruskal-wallis"), ("chi-squared", "chi2")],
)
def test_a_test_of_any_kind_by_the_name_that_others_give_it(typed: str, label: str) -> None:
    assert make_test(typed).label == label


@pytest.mark.parametrize(
    ("make", "typed", "says"),
    [
        (metrics.make, "em", "'em' may be exact_match or squad_em"),
        (metrics.make, "spbleu", "'spbleu' may be bleu:tokenize=flores101 or bleu:tokenize=flores200"),
        (metrics.make, "pearson", "correlations are made by outscore correlate"),
        (metrics.make, "comet", "give a table of its scores"),
        (make_test, "ttest", "'ttest' may be t, student or welch"),
        (make_test, "ttest_ind", "'ttest_ind' may be student or welch"),
        (make_paired, "permutation", "--test randomization is; for that one: outscore compare --test permutation"),
        (make_paired, "student", "not of pairs; --test t is; for that one: outscore compare --test student"),
        (make_paired, "nemenyi", "several systems at once, not of pairs; use: outscore compare --test friedman"),
        (make_test, "larger", "unknown test 'larger': the side is asked by --alternative (all: outscore list tests)"),
        (make_paired, "tost", "equivalence is asked by --margin of compare"),
        (make_paired, "t:d=0.5", "has no option 'd'; that is --effect of power"),
        (make_paired, "bootstrap:n=1000", "has no option 'n'; that is --resamples "),
        (coefficients.make, "kappa", "'kappa' may be cohen, conger or fleiss"),
        (coefficients.make, "weighted-kappa", "may be cohen:weights=linear, cohen:weights=quadratic"),
        (intervals.make, "score", "'score' may be tango or wilson"),
        (plans.make, "t:d=0.5", "has no option 'd'; that is --effect in standard deviations, beside t:sd=1"),
        (plans.make, "mcnemar:n=100", "has no option 'n'; that is --sizes "),
    ],
)
def test_what_may_be_several_things_or_none_is_an_error_that_names_them(make: Any, typed: str, says: str) -> None:
    with pytest.raises(UsageError) as error:
        make(typed)
    assert says in f"{error.value} ", error.value


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: str(registry.kind))
def test_every_name_of_others_leads_to_a_thing_that_can_be_made(registry: Registry[Any]) -> None:
    """Its options are real ones, and it is not the name of another entry."""
    for own, cls in registry:
        for called in vars(cls).get("also", ()):
            name = re.sub(r"{\w+}", "3", called.partition(":")[0])
            assert not registry.knows(name), called
            meant = [one for one in registry.meanings(name) if one.partition(":")[0] == own]
            assert meant, called
            if not any("=..." in one for one in meant) and registry is not plans:
                assert registry.make(meant[0]).name == own


def test_corrections_of_others_lead_to_ours() -> None:
    assert set(ALSO.values()) <= set(names())
    for typed, own in (("fdr", "bh"), ("Benjamini-Hochberg", "bh"), ("bonf", "bonferroni"), ("maxT", "max-t")):
        with pytest.raises(UsageError, match=f"did you mean '{own}'"):
            adjust([0.1], typed)


def test_a_column_is_taken_before_the_metric_that_others_call_so(tmp_path: Path) -> None:
    assert "b is not shown to differ from a" in outscore("compare", _table("em", tmp_path), "-m", "em").out


def test_a_metric_that_is_made_elsewhere_is_told_beside_columns_too(tmp_path: Path) -> None:
    done = outscore("compare", _table("score2", tmp_path), "-m", "comet")
    assert "give a table of its scores, and the name of their column" in done.complaint
    assert done.complaint.count(",") < 5, "no list of forty metrics"


def test_a_slip_in_the_name_of_a_system_of_a_table_is_told_the_nearest(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("item,gpt-4o,llama,zephyr\n1,0.1,0.2,0.3\n2,0.2,0.2,0.4\n", encoding="utf-8")
    assert "did you mean 'gpt-4o'?" in outscore("compare", f"{file}#gpt4o", f"{file}#llama").err


def test_a_column_of_humans_that_there_is_not_is_no_metric(tmp_path: Path) -> None:
    for more in ((), ("-m", "score2")):
        done = outscore("correlate", _table("score2", tmp_path), "--human", "human", *more)
        assert done.complaint.endswith("--human 'human': no such column (there are: 'score2')")


def test_a_slip_in_the_name_of_a_column_is_no_metric(tmp_path: Path) -> None:
    assert "did you mean 'acc_norm'" in outscore("compare", _table("acc_norm", tmp_path), "-m", "acc").complaint


def _table(column: str, folder: Path) -> Path:
    path = folder / "scores.csv"
    rows = [f"{system},{i},{int(i % k == 0)}" for system, k in (("a", 2), ("b", 3)) for i in range(20)]
    path.write_text("\n".join([f"system,item,{column}", *rows]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("compare --equivalence 1", "'--equivalence': here it is --margin."),
        ("compare --n-bootstrap 100", "here it is --resamples."),
        ("compare --bootstrap", "here it is --test or --resamples."),
        ("compare --ci 95", "here it is --interval or --alpha."),
        ("compare --pairs", "here it is --all-pairs."),
        ("compare --json", "here it is --format."),
        ("compare --hyp a", "here it is an argument, NAME=FILE."),
        ("compare --correction holm", "here it is --correct."),
        ("compare --effect 1", "`outscore power` has it."),
        ("rank --margin 1", "`outscore compare`, `outscore sequential` have it."),
        ("power a b --margin 1", "takes --effect MARGIN --alternative greater, of right or wrong answers with margin:"),
        ("rank --equivalence 1", "`outscore compare` has it as --margin."),
        ("agree --weights linear", "here it is --coefficient."),
        ("compare --zzz 1", "No such option '--zzz'."),
        ("compare --margn 1", "did you mean '--margin'?"),
        ("convert -f parquet", "'-f': here it is --output FILE.csv|.tsv|.jsonl|.parquet."),
        ("judge a.csv --human x --missing zero", "did you mean 'drop'?"),
        ("judge a.csv --human x --missing pairwise", "did you mean 'drop'?"),
        ("rank a.csv --missing pairwise", "order no systems: use compare --all-pairs for each pair, additive or drop"),
        ("rank a.csv --missing irt", "did you mean 'additive'?"),
    ],
)
def test_an_option_of_another_program_or_command_is_named_as_it_is_here(typed: str, says: str) -> None:
    done = outscore(*typed.split())
    assert (done.code, says in done.err) == (2, True), done.err


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        ({"effect": 1}, r"compare\(\) has no option 'effect'; power\(\) has it"),
        ({"n_boot": 100}, "did you mean 'n_resamples'"),
        ({"equivalence": 1}, "did you mean 'margin'"),
        ({"metric": "mean"}, "did you mean 'metrics'"),
        ({"ci": 95}, "did you mean 'interval' or 'alpha'"),
        ({"coefficients": "cohen"}, r"agree\(\)"),
        ({"margn": 1}, "did you mean 'margin'"),
    ],
)
def test_a_keyword_of_another_function_names_it(chosen: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        compare(SCORES, **chosen)


def test_one_sided_names_both_sides() -> None:
    with pytest.raises(UsageError, match="did you mean 'greater' or 'less'"):
        compare(SCORES, alternative="one-sided")  # type: ignore[arg-type]


def test_texts_are_scored_by_the_name_that_others_use() -> None:
    texts = {"base": BASE, "new": NEW}
    theirs, ours = (package.score(texts, references=REFERENCES, metrics=name) for name in ("BLEU-4", "bleu"))
    assert [one.score for one in theirs.scores] == [one.score for one in ours.scores]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("-ref", "ref.txt"), "-r or --reference"),
        (("-reference", "ref.txt"), "-r or --reference"),
        (("-metric", "bleu"), "-m or --metric"),
        (("-out", "x.csv"), "-o or --output"),
        (("-test", "t"), "--test"),
        (("-verbose",), "-v or --verbose"),
    ],
)
def test_a_name_after_one_dash_is_not_read_as_a_letter_and_its_value(typed: tuple[str, ...], meant: str) -> None:
    done = outscore("compare", *typed, "a.txt", "b.txt")
    assert (done.code, done.out) == (2, "")
    assert done.complaint == f"outscore: error: {typed[0]}: a name of several letters has two dashes; write {meant}"


def test_letters_with_their_values_are_read_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, lines in (("ref", REFERENCES), ("a", BASE), ("-metric", NEW)):
        Path(name).write_text("\n".join(lines), encoding="utf-8")
    done = outscore("compare", "-rref", "-mter", "-fcsv", "-n99", "a", "--", "-metric")
    assert done.code == 0, done.err
    assert "-metric,a,ter," in done.out


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: package.compare("a.csv"), "outscore.compare(outscore.read('a.csv'))"),
        (lambda: package.rank(Path("a.csv")), "outscore.rank(outscore.read('a.csv'))"),
        (lambda: package.study("gain", "a.csv"), "outscore.study('gain', outscore.read('a.csv'))"),
        (lambda: package.recheck("p.txt", "a.csv"), "outscore.recheck('p.txt', outscore.read('a.csv'))"),
        (lambda: package.agree("a.csv"), "outscore.agree(outscore.read_annotations('a.csv'))"),
        (lambda: package.humans("a.csv"), "outscore.humans(outscore.read_judgments('a.csv'))"),
        (lambda: package.plan("a.csv"), "outscore.plan(outscore.read('a.csv'))"),
        (lambda: package.convert("a.csv"), "outscore.convert(outscore.read('a.csv'))"),
        (lambda: package.judge("a.csv", human="x"), "outscore.judge(outscore.read('a.csv'))"),
    ],
)
def test_the_name_of_a_file_in_place_of_data_is_told_by_the_function_that_was_called(call: Any, says: str) -> None:
    called = says.removeprefix("outscore.").partition("(")[0]
    with pytest.raises(UsageError, match="takes data") as found:
        call()
    assert str(found.value) == f"{called}() takes data, not the name of a file: {says}"
