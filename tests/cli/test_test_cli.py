"""``outscore test``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from outscore.results.result import formats
from tests.cli.commandline import numbers, outscore, written


def apart(folder: Path) -> str:
    rows = ["system,item,score"]
    for system, start, share in (("base", 0, 3), ("new", 40, 5), ("third", 80, 7)):
        rows += [f"{system},q{start + i},{int(i % share > 0)}" for i in range(30 + share)]
    return str(written(folder / "apart.csv", rows))


def runs(folder: Path) -> str:
    rows = ["system,run,item,score"]
    for system, gain in (("base", 0), ("new", 4), ("third", 2)):
        rows += [f"{system},{k},{i},{(i * 7 + k * 3 + gain) % 11}" for k in range(4) for i in range(20)]
    return str(written(folder / "runs.csv", rows))


def test_an_unknown_test_is_a_usage_error_with_a_suggestion(tmp_path: Path) -> None:
    done = outscore("test", "welsh", *numbers(tmp_path))
    assert (done.code, done.out) == (2, "")
    assert "unknown test 'welsh'; did you mean 'welch'?" in done.complaint


def test_names_and_options_are_checked_before_files_are_read() -> None:
    assert "did you mean 'welch'" in outscore("test", "welsh", "nowhere.csv").complaint
    assert "has no option 'form'" in outscore("test", "welch:form=x", "nowhere.csv").complaint
    assert "nowhere.csv" in outscore("test", "welch", "nowhere.csv").complaint


def test_a_test_of_pairs_prints_what_compare_prints(tmp_path: Path) -> None:
    files = numbers(tmp_path)
    for name in ("wilcoxon", "bootstrap:form=percentile"):
        commands = (("compare", *files, "--test", name), ("test", name, *files))
        compared, tested = (json.loads(outscore(*one, "-n", "200", "-f", "json").out) for one in commands)
        asked: dict[str, object] = {"options": {}, "changed_options": []}
        assert compared | asked == tested | asked


def test_a_test_of_pairs_needs_the_same_items(tmp_path: Path) -> None:
    done = outscore("test", "t", apart(tmp_path))
    assert done.code == 3
    assert "no item id in common" in done.complaint
    done = outscore("test", "t", runs(tmp_path), "--unit", "run")
    assert (done.code, "t is a test of pairs" in done.complaint) == (2, True)


def test_compare_says_which_command_a_test_of_another_kind_is_for(tmp_path: Path) -> None:
    done = outscore("compare", *numbers(tmp_path), "--test", "mann-whitney")
    assert (done.code, done.out) == (2, "")
    assert "mann-whitney is a test of independent samples, not of pairs; use: outscore test mann-whitney" in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "data"), [("fisher", apart), ("permutation", runs), ("anova", runs), ("kruskal-wallis", apart)]
)
def test_every_format_draws_the_result_and_redraws_it(name: str, data: object, tmp_path: Path) -> None:
    assert callable(data)
    arguments = ["test", name, data(tmp_path), "--all-pairs"]
    saved = tmp_path / "result.json"
    assert outscore(*arguments, "-o", saved, "-q").code == 0
    for each in formats.names():
        direct, again = outscore(*arguments, "-f", each), outscore("show", saved, "-f", each)
        assert (direct.code, again.code) == (0, 0), direct.err + again.err
        assert direct.out == again.out
        assert direct.out.strip()


def test_systems_with_items_of_their_own_are_counted_by_name(tmp_path: Path) -> None:
    done = outscore("test", "fisher", apart(tmp_path))
    assert "33 items (base), 35 items (new), 37 items (third)" in " ".join(done.out.split())


def test_all_systems_at_once_are_a_table_and_a_sentence(tmp_path: Path) -> None:
    done = outscore("test", "anova", runs(tmp_path))
    assert "All systems at once" in done.out
    assert " 3 tests: p by Tukey HSD, intervals simultaneous." in " ".join(done.out.split())
    sentence = outscore("test", "anova", runs(tmp_path), "-f", "sentence").out
    assert sentence.startswith(("The 3 systems differ", "The 3 systems are not shown to differ"))
    (overall,) = json.loads(outscore("test", "anova", runs(tmp_path), "-f", "json").out)["overall"]
    assert overall["test"] == "anova"


def test_without_pairs_the_rows_are_about_all_systems(tmp_path: Path) -> None:
    done = outscore("test", "kruskal-wallis", apart(tmp_path), "-f", "csv")
    assert done.code == 0
    assert done.out.splitlines()[0].startswith(("metric,", "system,"))


def test_no_files_is_a_usage_error() -> None:
    done = outscore("test", "welch")
    assert (done.code, "no systems" in done.err) == (2, True)
