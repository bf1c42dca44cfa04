"""Results of MTEB: a folder of tasks is a test set whose items are the tasks."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from outscore.base.errors import InputError
from outscore.data import read
from outscore.data.folders import files_of
from tests.cli.commandline import outscore

REVISION = "a" * 40
MODELS = {"base": [0.5, 0.25, 0.75, 0.5], "new": [0.75, 0.5, 0.75, 1.0]}


def task(name: str, score: float, **more: Any) -> dict[str, Any]:
    scores = {"test": [{"accuracy": score, "main_score": score, "hf_subset": "default", "languages": ["eng-Latn"]}]}
    return {"dataset_revision": "0", "task_name": name, "mteb_version": "2.26.24", "scores": scores} | more


@pytest.fixture
def results(tmp_path: Path) -> Path:
    for model, scores in MODELS.items():
        folder = tmp_path / "mteb" / f"org__{model}" / REVISION
        folder.mkdir(parents=True)
        meta = {"name": f"org/{model}", "revision": REVISION, "n_parameters": 1}
        (folder / "model_meta.json").write_text(json.dumps(meta), encoding="utf-8")
        for i, score in enumerate(scores):
            (folder / f"Task{i}.json").write_text(json.dumps(task(f"Task{i}", score), indent=2), encoding="utf-8")
    return tmp_path / "mteb"


@pytest.mark.parametrize(
    ("files", "systems"),
    [
        ("{}", ["org/base", "org/new"]),
        ("{}/*/*/*", ["org/base", "org/new"]),
        ("base={0}/org__base new={0}/org__new", ["base", "new"]),
        ("base={0}/org__base/*/*.json new={0}/org__new/*/*", ["base", "new"]),
    ],
)
def test_a_folder_of_tasks_is_a_test_set_whose_items_are_the_tasks(
    files: str, systems: list[str], results: Path
) -> None:
    done = outscore("compare", *files.format(results).split(), "-f", "json")
    found = json.loads(done.out)
    assert [(one["system"], one["score"]) for one in found["scores"]] == [*zip(systems, (0.5, 0.75), strict=True)]
    assert found["pairs"][0]["n_items"] == 4
    said = outscore("compare", *files.format(results).split()).out
    assert "each item is a task of MTEB with its main_score" in said
    assert "in 4 clusters" not in said


def test_without_a_description_of_the_model_the_folder_names_it(results: Path) -> None:
    for file in results.glob("*/*/model_meta.json"):
        file.unlink()
    assert [run.system for run in read([str(results)]).runs] == ["org__base", "org__new"]


def test_subsets_of_a_task_are_items_in_one_cluster_and_other_splits_are_named(results: Path) -> None:
    for file in results.glob("*/*/Task1.json"):
        value = json.loads(file.read_text(encoding="utf-8"))
        (row,) = value["scores"]["test"]
        value["scores"] = {"validation": [row], "test": [row | {"hf_subset": of} for of in ("en", "de")]}
        file.write_text(json.dumps(value), encoding="utf-8")
    run = read([str(results)]).runs[0]
    assert run.ids == ("Task0", "Task1/en", "Task1/de", "Task2", "Task3")
    assert run.labels == {"cluster": ("Task0", "Task1", "Task1", "Task2", "Task3")}
    assert {"split_left_out", "tasks_joined", "tasks_as_items"} <= {note.code for note in run.notes}
    one = str(next(results.glob("org__new/*/Task1.json")))
    assert read([one], reader="mteb:split=validation").runs[0].ids == ("Task1",)


def test_a_second_revision_of_a_model_is_to_be_named(results: Path) -> None:
    second = results / "org__base" / ("b" * 40)
    second.mkdir()
    (second / "model_meta.json").write_text(json.dumps({"name": "org/base", "revision": "b"}), encoding="utf-8")
    (second / "Task0.json").write_text(json.dumps(task("Task0", 1.0)), encoding="utf-8")
    done = outscore("compare", str(results))
    assert "'org/base' (run '1') is given twice" in done.err
    assert "name them apart" in done.err


def test_a_description_of_a_model_that_is_of_nobody_is_read_as_rows(tmp_path: Path) -> None:
    file = tmp_path / "model_meta.json"
    file.write_text(json.dumps([{"item": 1, "score": 0}, {"item": 2, "score": 1}]), encoding="utf-8")
    (run,) = read([str(file)]).runs
    assert run.ids == ("1", "2")
    assert "tasks_as_items" not in {note.code for note in run.notes}


def test_other_files_in_a_folder_are_no_results_and_the_files_that_are_named_are_there(tmp_path: Path) -> None:
    for system in "ab":
        (tmp_path / "x" / system / "deep").mkdir(parents=True)
        (tmp_path / "x" / system / "deep" / "1.csv").write_text("item,score\n1,0\n2,1\n", encoding="utf-8")
    with pytest.raises(InputError, match="is a directory, expected a file; give the files in its folders: "):
        read([str(tmp_path / "x")])
    remedy = files_of(str(tmp_path / "x")).partition(": ")[2]
    assert [run.system for run in read(shlex.split(remedy)).runs] == ["a", "b"]
