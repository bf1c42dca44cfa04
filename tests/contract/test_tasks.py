"""The tasks of development: the workflows, the checks of a clone and the manual name those that there are."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
import tasks

from outscore.verbs import VERBS

ROOT = Path(tasks.__file__).parent
CALLERS = [
    *sorted((ROOT / ".github" / "workflows").glob("*.yml")),
    ROOT / ".ci" / "run",
    ROOT / ".pre-commit-config.yaml",
    ROOT / ".github" / "pull_request_template.md",
    ROOT / "CONTRIBUTING.md",
]


SERVICE = {"setup", "build", "publish"}
"""Tasks that check nothing of the code."""
LONG = {"slow", "nightly", "mutants"}
"""Tasks that take too long for every change."""


def called(file: Path) -> set[str]:
    """The tasks that a file calls."""
    found = re.findall(r"python tasks\.py((?: [a-z]+\b(?!:))*)", file.read_text(encoding="utf-8"))
    return {name for words in found for name in words.split()}


@pytest.mark.parametrize("file", CALLERS, ids=lambda file: file.name)
def test_whatever_calls_tasks_calls_those_that_there_are(file: Path) -> None:
    assert called(file), f"{file.name} calls no task"
    assert called(file) <= set(tasks.TASKS)


def test_contributors_are_told_of_every_task() -> None:
    lacking = set(tasks.TASKS) - called(ROOT / "CONTRIBUTING.md") - {"publish"}
    assert not lacking, f"CONTRIBUTING.md does not say what {', '.join(sorted(lacking))} is for"


def test_workflows_and_the_checks_of_a_clone_check_the_same() -> None:
    """The README's second command is the task `test`, which `.ci/run` takes from there."""
    workflows = set().union(*(called(file) for file in (ROOT / ".github" / "workflows").glob("*.yml")))
    here = called(ROOT / ".ci" / "run")
    assert workflows - SERVICE - LONG == (here | {"test"}) - LONG
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f".venv/bin/python -m {' '.join(tasks.PYTEST)}\n" in readme


def test_the_site_that_is_built_is_kept_by_the_workflow() -> None:
    jobs = (ROOT / ".github" / "workflows" / "checks.yml").read_text(encoding="utf-8")
    (folder,) = re.findall(r"OUTSCORE_SITE: \$\{\{ github\.workspace \}\}/(\w+)\n", jobs)
    assert f"          name: manual\n          path: {folder}\n" in jobs


def test_the_bill_of_a_release_names_what_is_installed_with_the_package() -> None:
    made = json.loads(tasks.bill(""))
    assert (made["bomFormat"], made["metadata"]["component"]["name"]) == ("CycloneDX", "outscore")
    found = {each["name"]: each["purl"] for each in made["components"]}
    assert found["numpy"] == f"pkg:pypi/numpy@{version('numpy')}"
    # which scipy and sacrebleu need, not we; and what only an extra or a contributor needs is no part of it
    assert "lxml" in found
    assert not {"outscore", "pandas", "pytest"} & set(found)


@pytest.mark.slow
def test_the_parts_of_a_night_are_all_tests_once() -> None:
    workflow = (ROOT / ".github" / "workflows" / "nightly.yml").read_text(encoding="utf-8")
    (listed,) = re.findall(r"part: \[(.*)\]", workflow)
    parts = listed.split(", ")
    collect = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "--collect-only", "-m", "", __file__]

    def collected(**part: str) -> list[str]:
        run = subprocess.run(
            collect, cwd=ROOT, env={**os.environ, **part}, capture_output=True, encoding="utf-8", check=True
        )
        return [line for line in run.stdout.splitlines() if "::" in line]

    shares = [collected(OUTSCORE_PART=part) for part in parts]
    assert sorted(name for share in shares for name in share) == sorted(collected(OUTSCORE_PART=""))
    assert {len(share) for share in shares} <= {len(shares[0]), len(shares[0]) - 1}


def test_an_unknown_task_runs_nothing_and_lists_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert tasks.main(["lint", "tset"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("no task 'tset'; there are:\nsetup ")


def test_the_tests_of_a_module_are_those_of_its_floor_that_name_it() -> None:
    found = tasks.tests_of([Path("src/outscore/metrics/evalb.py"), Path("tests/cli/test_score.py")])
    assert {"tests/metrics/test_evalb.py", "tests/cli/test_score.py"} <= set(found)
    assert not any(file.startswith("tests/power") for file in found)


@pytest.mark.parametrize(
    ("module", "said"), [("report/plots/judge.py", "judge"), ("results/replication.py", "replication")]
)
def test_the_tests_of_what_shows_hold_its_goldens_and_what_is_said(module: str, said: str) -> None:
    found = tasks.tests_of([Path("src/outscore") / module])
    assert {"tests/report/test_kinds.py", f"tests/report/test_{said}_report.py"} <= set(found)


@pytest.mark.parametrize("verb", VERBS)
def test_the_tests_of_a_verb_are_those_called_like_it_or_naming_it_and_its_numbers(verb: str) -> None:
    found = tasks.tests_of([Path("src/outscore/verbs") / verb / "run.py"])
    assert "tests/contract/test_seeded_numbers.py" in found
    of_it = [file for file in found if file.startswith(("tests/verbs/", "tests/cli/"))]
    assert 0 < len(of_it) <= tasks.FEW
    assert all(verb in file or verb in (ROOT / file).read_text(encoding="utf-8") for file in of_it)
