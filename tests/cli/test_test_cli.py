"""``outscore compare --test`` with tests of other kinds than of pairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from outscore.results.result import formats
from outscore.significance import tests
from outscore.significance.independent import independent_tests
from outscore.significance.omnibus import omnibus_tests
from tests.cli.commandline import numbers, outscore, written
from tests.examples import first


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
    done = outscore("compare", *numbers(tmp_path), "--test", "welsh")
    assert (done.code, done.out) == (2, "")
    assert "unknown test 'welsh'; did you mean 'welch'?" in done.complaint


def test_names_and_options_are_checked_before_files_are_read() -> None:
    assert "did you mean 'welch'" in outscore("compare", "nowhere.csv", "--test", "welsh").complaint
    assert "has no option 'form'" in outscore("compare", "nowhere.csv", "--test", "welch:form=x").complaint
    assert "nowhere.csv" in outscore("compare", "nowhere.csv", "--test", "welch").complaint


def test_a_test_of_pairs_needs_the_same_items(tmp_path: Path) -> None:
    done = outscore("compare", apart(tmp_path), "--test", "t")
    assert done.code == 3
    assert "no item id in common" in done.complaint
    assert "outscore compare --test welch" in done.complaint
    for test, said in (("t", "t is a test of pairs"), ("auto", "auto chooses one of pairs")):
        done = outscore("compare", runs(tmp_path), "--test", test, "--unit", "run")
        assert (done.code, said in done.complaint) == (2, True)


def test_other_commands_say_what_a_test_of_another_kind_is_for(tmp_path: Path) -> None:
    done = outscore("rank", *numbers(tmp_path), "--test", "mann-whitney")
    assert (done.code, done.out) == (2, "")
    assert "is a test of independent samples, not of pairs; use: outscore compare --test mann-whitney" in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    "options",
    [
        ("--margin", "0.1"), ("--by", "x"), ("--interval", "t"), ("--strata", "x"), ("--history", "h.db"),
        ("--show-flips", "3"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["welch", "anova"])
def test_options_of_tests_of_pairs_are_refused(name: str, options: tuple[str, ...], tmp_path: Path) -> None:
    done = outscore("compare", runs(tmp_path), "--test", name, *options)
    assert (done.code, done.out) == (2, "")
    assert f"{options[0]} " in done.complaint
    assert f"belongs to tests of pairs, and {name} is none" in done.complaint


def test_a_history_of_the_environment_is_for_tests_that_can_be_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUTSCORE_HISTORY", str(tmp_path / "h.db"))
    assert outscore("compare", runs(tmp_path), "--test", "welch").code == 0
    assert not (tmp_path / "h.db").exists()


def test_a_gate_is_about_pairs(tmp_path: Path) -> None:
    done = outscore("compare", apart(tmp_path), "--test", "fisher", "--fail-unless", "better")
    assert (done.code, "gate 'better' does not hold" in done.err) == (1, True)
    rows = ["system,item,score", *(f"{s},{i},{int(i % k > 0)}" for k, s in enumerate("abc", 2) for i in range(20))]
    together = str(written(tmp_path / "together.csv", rows))
    done = outscore("compare", together, "--test", "cochran-q", "--fail-unless", "better")
    assert (done.code, "cochran-q has none" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        *(
            (name, f"compare --test {name}")
            for each in (tests, independent_tests, omnibus_tests)
            for name in each.names()
        ),
        ("ttest", "compare --test t"),
        ("t-test", "compare --test t"),
        ("paired-bs", "compare --test bootstrap"),
        ("sample-size", "power"),
        ("latex", "compare -f latex"),
        ("table", "compare -f latex"),
        ("printed", "study printed"),
    ],
)
def test_what_is_typed_as_a_command_and_is_none_leads_to_the_option(typed: str, meant: str) -> None:
    done = outscore(typed, "a.txt")
    assert (done.code, done.out) == (2, "")
    assert f"no command {typed!r}; did you mean '{meant}'?" in done.err


def test_the_old_name_leads_there() -> None:
    assert "no command 'test'; did you mean 'compare --test'?" in outscore("test", "welch", "t.csv").err


@pytest.mark.parametrize(
    ("name", "data"),
    first(
        [("fisher", apart), ("permutation", runs), ("anova", runs), ("kruskal-wallis", apart)],
        *(("fisher", apart), ("anova", runs)),
        others=pytest.mark.slow,
    ),
)
def test_every_format_draws_the_result_and_redraws_it(name: str, data: object, tmp_path: Path) -> None:
    assert callable(data)
    arguments = ["compare", data(tmp_path), "--test", name, "--all-pairs"]
    saved = tmp_path / "result.json"
    assert outscore(*arguments, "-o", saved, "-q").code == 0
    for each in formats.names():
        direct, again = outscore(*arguments, "-f", each), outscore("show", saved, "-f", each)
        assert (direct.code, again.code) == (0, 0), direct.err + again.err
        assert direct.out == again.out
        assert direct.out.strip()


def test_systems_with_items_of_their_own_are_counted_by_name(tmp_path: Path) -> None:
    done = outscore("compare", apart(tmp_path), "--test", "fisher")
    assert "33 items (base), 35 items (new), 37 items (third)" in " ".join(done.out.split())


def test_all_systems_at_once_are_a_table_and_a_sentence(tmp_path: Path) -> None:
    done = outscore("compare", runs(tmp_path), "--test", "anova")
    assert "All systems at once" in done.out
    assert " 3 tests: p by Tukey HSD, intervals simultaneous." in " ".join(done.out.split())
    sentence = outscore("compare", runs(tmp_path), "--test", "anova", "-f", "sentence").out
    assert sentence.startswith(("The 3 systems differ", "The 3 systems are not shown to differ"))
    (overall,) = json.loads(outscore("compare", runs(tmp_path), "--test", "anova", "-f", "json").out)["overall"]
    assert overall["test"] == "anova"


def test_without_pairs_the_rows_are_about_all_systems(tmp_path: Path) -> None:
    done = outscore("compare", apart(tmp_path), "--test", "kruskal-wallis", "-f", "csv")
    assert done.code == 0
    assert done.out.splitlines()[0].startswith(("metric,", "system,"))


def test_no_files_is_a_usage_error() -> None:
    done = outscore("compare", "--test", "welch")
    assert (done.code, "no systems" in done.err) == (2, True)
