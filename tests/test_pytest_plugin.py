"""The pytest plugin, used in a small repository of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest_plugins = "pytester"

MODEL = "def answer(n):\n    return 'yes' if n % 5 else 'no'\n"
WORSE = "def answer(n):\n    return 'yes' if n % 3 == 0 else 'no'\n"
TESTS = """
import pytest
from model import answer

@pytest.fixture
def record(outscore):
    return outscore("baseline.csv", {options})

@pytest.mark.parametrize("n", range(30))
def test_question(record, n):
    record(f"q{{n:02}}", answer(n) == "yes"{columns})
"""
MARGIN = "margin=0.2, metrics='accuracy'"


@pytest.fixture(autouse=True)
def _forget_the_repository_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """pytester forgets all that a run imports: numpy cannot be imported twice, and classes that a registry has entered
    are made into dataclasses by their module, for the tests that come after these.
    """

    def forget(_: object) -> None:
        for name in ("model", "test_model"):
            sys.modules.pop(name, None)

    monkeypatch.setattr("_pytest.pytester.SysModulesSnapshot.restore", forget)


def _repository(pytester: pytest.Pytester, options: str = MARGIN, columns: str = "") -> None:
    pytester.makepyfile(model=MODEL, test_model=TESTS.format(options=options, columns=columns))


def _run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    # each run is that of a new process, but for its cost
    return pytester.runpytest_inprocess(
        "-p", "outscore.pytest_plugin", "-p", "no:randomly", "-rfs", "--tb=line", *arguments
    )


def _git(pytester: pytest.Pytester, *words: str) -> str:
    who = ("-c", "user.name=someone", "-c", "user.email=someone@example.org")
    return subprocess.run(
        ["git", *who, *words], cwd=pytester.path, check=True, capture_output=True, encoding="utf-8"
    ).stdout


def test_a_commit_that_makes_the_model_worse_fails(pytester: pytest.Pytester) -> None:
    _repository(pytester)
    assert _run(pytester, "--outscore-update").ret == 0
    lines = (pytester.path / "baseline.csv").read_text(encoding="utf-8").splitlines()
    assert lines[:4] == ["item,score", "q00,0", "q01,1", "q02,1"] and len(lines) == 31
    _git(pytester, "init", "-q")
    _git(pytester, "add", "model.py", "test_model.py", "baseline.csv")
    _git(pytester, "commit", "-q", "-m", "a model and its scores")
    done = _run(pytester)
    done.assert_outcomes(passed=31)
    done.stdout.fnmatch_lines(["now and baseline score alike on every item*"])
    assert "[103%]" not in done.stdout.str()

    (pytester.path / "model.py").write_text(WORSE, encoding="utf-8")
    _git(pytester, "commit", "-q", "-am", "a model that is worse")
    done = _run(pytester, "--junitxml=found.xml")
    assert done.ret == pytest.ExitCode.TESTS_FAILED
    done.assert_outcomes(passed=30, failed=1)
    done.stdout.fnmatch_lines(
        [
            "gate 'not-worse' does not hold: now on accuracy: worse, gain -0.467*",
            "*outscore: baseline.csv*",
            "baseline outscores now by 46.7 points of accuracy*",
            "outscore compare baseline=baseline.csv now=* --fail-unless=not-worse --margin=0.2 --metric=accuracy",
            "FAILED baseline.csv::not-worse*",
        ]
    )
    assert 'failures="1"' in (pytester.path / "found.xml").read_text(encoding="utf-8")
    # the baseline is a reviewed file: it changes on request alone
    assert _git(pytester, "status", "--porcelain", "baseline.csv") == ""


def test_the_command_that_goes_on_has_the_options_that_can_be_typed(pytester: pytest.Pytester) -> None:
    options = "margin=0.5, metrics=['accuracy', 'mean'], n_resamples=200, jobs=None"
    _repository(pytester, options=options)
    _run(pytester, "--outscore-update")
    _run(pytester).stdout.fnmatch_lines(["outscore compare * --margin=0.5 --metric=accuracy,mean --resamples=200"])


def test_columns_of_items_are_kept_and_used(pytester: pytest.Pytester) -> None:
    _repository(pytester, columns=", cluster=f'd{n // 4}'")
    _run(pytester, "--outscore-update")
    assert (pytester.path / "baseline.csv").read_text(encoding="utf-8").startswith("item,score,cluster\nq00,0,d0\n")
    done = _run(pytester)
    assert done.ret == 0
    done.stdout.fnmatch_lines(["*30 items in 8 clusters*"])


def test_what_cannot_be_compared_fails_and_says_why(pytester: pytest.Pytester) -> None:
    _repository(pytester)
    done = _run(pytester)
    assert done.ret == pytest.ExitCode.TESTS_FAILED
    done.stdout.fnmatch_lines(["no file baseline.csv: pytest --outscore-update writes it"])
    (pytester.path / "baseline.csv").write_text("item,score\nq00,0\nanother,1\n", encoding="utf-8")
    done = _run(pytester)
    assert done.ret == pytest.ExitCode.TESTS_FAILED
    done.stdout.fnmatch_lines(["*lacks 29 of 31 items*; pytest --outscore-update writes the file anew"])


@pytest.mark.parametrize(("missing", "items"), [("zero", 30), ("drop", 20), ("pairwise", 20)])
def test_items_that_one_side_lacks_are_treated_as_asked(pytester: pytest.Pytester, missing: str, items: int) -> None:
    _repository(pytester, f"margin=0.9, metrics='accuracy', missing={missing!r}")
    rows = [f"q{n:02},{int(n % 5 > 0)}\n" for n in range(20)]
    (pytester.path / "baseline.csv").write_text(f"item,score\n{''.join(rows)}", encoding="utf-8")
    done = _run(pytester)
    done.assert_outcomes(passed=31)
    done.stdout.fnmatch_lines([f"*two-sided. {items} items*", f"outscore compare *--missing={missing}*"])


def test_a_part_of_the_tests_is_not_compared(pytester: pytest.Pytester) -> None:
    _repository(pytester)
    _run(pytester, "--outscore-update")
    before = (pytester.path / "baseline.csv").read_bytes()
    for part in (["-k", "1"], ["test_model.py::test_question[3]"], ["--outscore-update", "-k", "1"]):
        done = _run(pytester, *part)
        assert done.ret == 0
        done.stdout.fnmatch_lines(["SKIPPED*baseline.csv*some tests were left out*"])
    assert (pytester.path / "baseline.csv").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("", "*needs to know what does not matter: add margin=NUMBER*"),
        ("fail_unless='best'", "*no gate 'best'*"),
        ("fail_unless='better', metrics='no_such'", "*no_such*"),
        ("margin=1, metrics='accuracy'", "*give 0.01 for 1 point"),
    ],
)
def test_rules_that_are_none_are_errors(pytester: pytest.Pytester, options: str, said: str) -> None:
    _repository(pytester, options)
    (pytester.path / "baseline.csv").write_text(
        "item,score\n" + "".join(f"q{n:02},1\n" for n in range(30)), encoding="utf-8"
    )
    done = _run(pytester)
    assert done.ret == pytest.ExitCode.TESTS_FAILED
    done.stdout.fnmatch_lines([said])


def test_an_item_is_recorded_once_and_as_a_number(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("n", range(2))
        def test_twice(outscore, n):
            outscore("baseline.csv", fail_unless="better")("the same", n)

        @pytest.mark.parametrize("score", [float("nan"), {"f1": 0.5}, None, "right"])
        def test_number(outscore, score):
            with pytest.raises(ValueError) as found:
                outscore("other.csv", fail_unless="better")("item", score)
            assert str(found.value) == f"the score of 'item' is {score}: record a number"
        """
    )
    done = _run(pytester)
    done.assert_outcomes(passed=6, failed=1)
    done.stdout.fnmatch_lines(["item 'the same' is recorded by *test_twice?0? and by *test_twice?1?"])


@pytest.mark.slow
def test_workers_of_xdist_record_for_one_comparison(pytester: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    _repository(pytester)
    _run(pytester, "--outscore-update")
    whole = (pytester.path / "baseline.csv").read_bytes()
    done = _run(pytester, "-n", "2", "-p", "xdist")
    done.assert_outcomes(passed=31)
    assert (pytester.path / ".pytest_cache/d/outscore/baseline.csv").read_bytes() == whole
    (pytester.path / "model.py").write_text(WORSE, encoding="utf-8")
    done = _run(pytester, "-n", "2", "-p", "xdist")
    assert done.ret == pytest.ExitCode.TESTS_FAILED
    done.assert_outcomes(passed=30, failed=1)


def test_the_plugin_loads_pytest_and_the_standard_library_alone() -> None:
    code = (
        "import sys, pytest\nbefore = set(sys.modules)\nimport outscore.pytest_plugin\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    loaded = {name for name in done.stdout.split() if name.partition(".")[0] not in sys.stdlib_module_names}
    assert loaded == {"outscore", "outscore.base", "outscore.pytest_plugin"}


def test_pytest_finds_the_plugin_by_its_entry_point() -> None:
    import tomllib

    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"outscore.pytest_plugin": "outscore.pytest_plugin"}


@pytest.mark.parametrize(("part", "said"), [((), "failed: 3, not run: 0)"), (("-x",), "failed: 1, not run: 9)")])
def test_a_baseline_is_not_written_of_tests_that_crashed(
    pytester: pytest.Pytester, part: tuple[str, ...], said: str
) -> None:
    _repository(pytester)
    _run(pytester, "--outscore-update")
    before = (pytester.path / "baseline.csv").read_bytes()
    crash = "def answer(n):\n    if 19 < n < 23:\n        raise RuntimeError\n    return 'yes'\n"
    (pytester.path / "model.py").write_text(crash, encoding="utf-8")
    done = _run(pytester, "--outscore-update", *part)
    assert done.ret == pytest.ExitCode.TESTS_FAILED
    done.stdout.fnmatch_lines([f"--outscore-update left baseline.csv as it was (tests that {said}"])
    assert (pytester.path / "baseline.csv").read_bytes() == before
    done = _run(pytester, *part)
    done.stdout.fnmatch_lines([f"*lacks * of 30 items*tests that {said[:-1]}"])
    done.stdout.no_fnmatch_line("*--outscore-update*")


def test_the_folder_of_a_baseline_is_made_or_the_test_fails(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_model=TESTS.format(options=MARGIN, columns="").replace("base", "sub/base"), model=MODEL)
    (pytester.path / "sub").write_text("", encoding="utf-8")
    done = _run(pytester, "--outscore-update")
    assert done.ret == pytest.ExitCode.TESTS_FAILED
    done.stdout.no_fnmatch_line("*INTERNALERROR*")
    (pytester.path / "sub").unlink()
    assert _run(pytester, "--outscore-update").ret == 0
    assert (pytester.path / "sub" / "baseline.csv").exists()
