"""Folds of cross-validations: a note on what overlaps, and a search over parameters whose recipe is run."""

from __future__ import annotations

import contextlib
import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commandline import outscore

FIRST = (0.81, 0.83, 0.80, 0.84, 0.82, 0.83, 0.81, 0.84, 0.82, 0.81)
SECOND = (0.83, 0.84, 0.83, 0.84, 0.84, 0.84, 0.82, 0.86, 0.84, 0.83)


def cross_validated(folder: Path) -> list[str]:
    """What ``pandas.DataFrame(cross_validate(...)).to_csv`` writes."""
    files = []
    for name, scores in (("logistic", FIRST), ("bayes", SECOND)):
        rows = [f"{i},0.1{i},0.01,{score}" for i, score in enumerate(scores)]
        path = folder / f"{name}.csv"
        path.write_text("\n".join([",fit_time,score_time,test_accuracy", *rows, ""]), encoding="utf-8")
        files.append(str(path))
    return files


def codes(*arguments: str) -> list[str]:
    done = outscore(*arguments, "-f", "json")
    assert done.code == 0, done.err
    return [note["code"] for note in json.loads(done.out)["notes"]]


def long(folder: Path, item: str, first: str) -> str:
    rows = [f"{s},{first}{i},{v}" for s, of in (("a", FIRST), ("b", SECOND)) for i, v in enumerate(of)]
    path = folder / "long.csv"
    path.write_text("\n".join([f"system,{item},score", *rows, ""]), encoding="utf-8")
    return str(path)


def test_folds_of_a_cross_validation_are_no_independent_items(tmp_path: Path) -> None:
    files = cross_validated(tmp_path)
    done = outscore("compare", *files, "-m", "test_accuracy")
    said = " ".join(done.out.split())
    assert "the items are folds of a cross-validation" in said
    assert "outscore compare --posterior t:rho=0.1" in said
    asked = ("compare", *files, "-m", "test_accuracy", "--posterior")
    # of the test beside it that stays true
    assert {"folds_overlap", "correlation_is_given"} <= set(codes(*asked, "t:rho=0.1"))
    assert "correlation_is_given" not in codes(*asked, "t")
    assert "BUT see !" in said and "bayes!" in said
    believed = " ".join(outscore(*asked, "t:rho=0.1").out.split())
    assert "outscore compare --posterior" not in believed
    assert "too often. Go by the posterior, which reckons with it." in believed


@pytest.mark.parametrize(
    ("item", "first", "choice", "noted"),
    [
        ("item", "fold", (), True),
        ("item", "split_", (), True),
        ("fold", "", ("-c", "item=fold"), True),
        ("item", "", (), False),
        ("question", "", ("-c", "item=question"), False),
    ],
)
def test_folds_are_known_by_their_names(
    tmp_path: Path, item: str, first: str, choice: tuple[str, ...], noted: bool
) -> None:
    assert ("folds_overlap" in codes("compare", long(tmp_path, item, first), *choice, "-m", "score")) is noted


@pytest.mark.parametrize("name", [pytest.param("grid.csv", marks=pytest.mark.slow), "my grid.csv"])
def test_a_search_over_parameters_is_refused_with_a_recipe_that_works(tmp_path: Path, name: str) -> None:
    pytest.importorskip("pandas")
    splits = [f"split{i}_test_score" for i in range(5)]
    header = ["mean_fit_time", "std_fit_time", "param_C", "params", *splits, "mean_test_score", "rank_test_score"]
    rows = [
        ["0.1", "0.01", f"{c}", f"\"{{'C': {c}, 'kernel': 'rbf'}}\"", *map(str, scores[:5]), "0.8", "1"]
        for c, scores in ((1, FIRST), (10, SECOND))
    ]
    (tmp_path / name).write_text("\n".join(map(",".join, [header, *rows, []])), encoding="utf-8")
    with contextlib.chdir(tmp_path):
        done = outscore("compare", name)
        assert done.code == 3
        assert "2 candidates, each with the scores of 5 folds" in done.complaint
        recipe, judged = done.complaint.split("make rows of the folds: ")[1].split("; and judge them with their ")
        subprocess.run(recipe.replace("python3", shlex.quote(sys.executable), 1), shell=True, check=True)
        command = shlex.split(judged.split("outscore ")[1])
        found = json.loads(outscore(*command, "-f", "json").out)
    means = {one["system"]: one["score"] for one in found["scores"]}
    assert means == pytest.approx(
        {"{'C': 1, 'kernel': 'rbf'}": sum(FIRST[:5]) / 5, "{'C': 10, 'kernel': 'rbf'}": sum(SECOND[:5]) / 5}
    )
    assert "t:rho=0.2" in judged


@pytest.mark.parametrize("how", [("-c", "item=task+run+fold"), ("-c", "item=task", "-c", "run=run+fold")])
def test_folds_of_several_data_sets_are_to_be_averaged(tmp_path: Path, how: tuple[str, ...]) -> None:
    """They are no items of one, any two of which were correlated alike, and no runs that are each system's own."""
    folds = [(t, r, f) for t in range(9) for r in (1, 2) for f in range(5)]
    rows = [f"{s},t{t},{r},{f},{(7 * t + 3 * r + 5 * f + s * (t + f)) % 11}" for s in (0, 1) for t, r, f in folds]
    table = tmp_path / "folds.csv"
    table.write_text("\n".join(["system,task,run,fold,score", *rows, ""]), encoding="utf-8")
    done = outscore("rank", table, *how, "-f", "json")
    (note,) = (note for note in json.loads(done.out)["notes"] if note["code"] == "folds_overlap")
    assert note["text"].startswith(f"the {how[-1][:3].replace('ite', 'item')}s are folds of a cross-validation (-c ")
    said, _, command = note["remedy"].partition(": ")
    assert said == "average the folds of each task, which is then called item"
    told = command.split()
    assert told == ["-c", "item=task", "-c", "sample=run+fold"]
    for verb, *more in (("rank", "--blocks", "item"), ("compare",), ("replicate", "--set", "item")):
        assert "folds_overlap" not in codes(verb, str(table), *told, *more)
    if how[-1].startswith("item"):
        by_task, by_run = (codes("compare", str(table), *how, "--cluster", column) for column in ("task", "run"))
        assert "folds_overlap" not in by_task and "folds_overlap" in by_run
        of_sets = json.loads(outscore("replicate", table, *how, "--set", "task", "-f", "json").out)["notes"]
        (advised,) = (note["remedy"] for note in of_sets if note["code"] == "folds_overlap")
        assert "folds_overlap" not in codes("replicate", str(table), *advised.partition(": ")[2].split())
        assert "samples_as_items" not in (*codes("compare", str(table), *how), *by_task, *by_run)
    alone = tmp_path / "alone.csv"  # each question is in one fold: as many items as questions
    kept = ["system,task,run,fold,score", *(row for row in rows if ",1,0," in row), ""]
    alone.write_text("\n".join(kept), encoding="utf-8")
    assert "folds_overlap" not in codes("compare", str(alone), "-c", "item=task", "-c", "run=fold")
