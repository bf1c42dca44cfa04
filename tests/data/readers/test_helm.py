"""per_instance_stats.json of HELM: splits, perturbations, trials, sub-splits, the name of the model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outscore.base.errors import InputError
from outscore.data import align, read
from outscore.data.run import Run


def stat(name: str, mean: float, split: str = "test", **more: Any) -> dict[str, Any]:
    sub = {"sub_split": more.pop("sub_split")} if "sub_split" in more else {}
    return {"name": {"name": name, "split": split, **sub}, "count": 1, "sum": mean, "mean": mean} | more


def entry(
    instance: str, stats: list[dict[str, Any]], trial: int = 0, perturbation: str | None = None
) -> dict[str, Any]:
    noise = {"perturbation": {"name": perturbation, "computed_on": "perturbed"}} if perturbation else {}
    return {"instance_id": instance, "train_trial_index": trial, "stats": stats, **noise}


def write(folder: Path, entries: list[dict[str, Any]], model: str | None = None) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "per_instance_stats.json").write_text(json.dumps(entries, indent=2), encoding="utf-8")
    if model:
        spec = {"name": "sums:model=x", "adapter_spec": {"method": "generation", "model": model}}
        (folder / "run_spec.json").write_text(json.dumps(spec), encoding="utf-8")
    return str(folder / "per_instance_stats.json")


def only(file: str, reader: str | None = None) -> Run:
    (run,) = read([file], reader=reader).runs
    return run


def test_statistics_are_columns_of_the_model_that_the_specification_names(tmp_path: Path) -> None:
    entries = [entry("id1", [stat("em", 1.0), stat("f1", 0.5)]), entry("id2", [stat("em", 0.0)])]
    run = only(write(tmp_path / "sums_a", entries, "org/a"))
    assert (run.system, run.run, run.ids, run.source.reader) == ("org/a", "0", ("id1", "id2"), "helm")
    assert list(run.columns["em"]) == [1, 0]
    np.testing.assert_array_equal(run.columns["f1"], [0.5, np.nan])
    assert run.notes == ()


def test_without_a_specification_the_folder_names_the_system(tmp_path: Path) -> None:
    file = write(tmp_path / "sums:model=a", [entry("id1", [stat("em", 1.0)])])
    assert only(file).system == "sums:model=a"
    (named,) = read([f"mine={file}"]).runs
    assert named.system == "mine"


def test_the_value_is_the_mean_or_the_sum_over_the_count(tmp_path: Path) -> None:
    without_mean = {"name": {"name": "em", "split": "test"}, "count": 4, "sum": 3.0}
    empty = {"name": {"name": "em", "split": "test"}, "count": 0, "sum": 0}
    run = only(write(tmp_path / "a", [entry("id1", [without_mean]), entry("id2", [empty])]))
    np.testing.assert_array_equal(run.columns["em"], [0.75, np.nan])


def test_trials_are_runs(tmp_path: Path) -> None:
    entries = [entry(f"id{i}", [stat("em", float(i == trial))], trial) for trial in (0, 1) for i in range(3)]
    found = read([write(tmp_path / "a", entries)]).runs
    assert [(run.run, list(run.columns["em"])) for run in found] == [("0", [1, 0, 0]), ("1", [0, 1, 0])]


def test_only_the_test_split_is_read_and_the_others_are_named(tmp_path: Path) -> None:
    entries = [entry("id1", [stat("em", 1.0)]), entry("id2", [stat("em", 0.0, "valid")])]
    file = write(tmp_path / "a", entries)
    run = only(file)
    assert run.ids == ("id1",)
    assert [note.code for note in run.notes] == ["split_left_out"]
    assert only(file, "helm:split=valid").ids == ("id2",)
    with pytest.raises(InputError, match="nothing is in the split 'train'; the file has 'test', 'valid'; "):
        read([file], reader="helm:split=train")


def test_validation_is_read_where_nothing_is_in_test(tmp_path: Path) -> None:
    run = only(write(tmp_path / "a", [entry("id2", [stat("em", 0.0, "valid")])]))
    assert (run.ids, run.notes) == (("id2",), ())


def test_perturbed_instances_are_items_on_demand_and_one_cluster_with_the_original(tmp_path: Path) -> None:
    entries = [
        entry("id1", [stat("em", 1.0)]),
        entry("id1", [stat("em", 0.0)], perturbation="typos"),
        entry("id2", [stat("em", 1.0)]),
    ]
    file = write(tmp_path / "a", entries)
    run = only(file)
    assert run.ids == ("id1", "id2")
    assert [note.code for note in run.notes] == ["perturbed_left_out"]
    whole = only(file, "helm:perturbed=true")
    assert whole.ids == ("id1", "id1/typos", "id2")
    assert whole.labels["cluster"] == ("id1", "id1", "id2")
    assert whole.notes == ()


def test_statistics_of_one_name_are_told_apart_by_sub_split(tmp_path: Path) -> None:
    stats = [stat("em", 1.0, sub_split="easy"), stat("em", 0.0, sub_split="hard"), stat("f1", 0.5, sub_split="easy")]
    run = only(write(tmp_path / "a", [entry("id1", stats)]))
    assert {name: list(values) for name, values in run.columns.items()} == {"em.easy": [1], "em.hard": [0], "f1": [0.5]}


def test_two_models_are_joined_by_instance(tmp_path: Path) -> None:
    a = write(tmp_path / "a", [entry("id1", [stat("em", 1.0)]), entry("id2", [stat("em", 0.0)])], "org/a")
    b = write(tmp_path / "b", [entry("id2", [stat("em", 1.0)]), entry("id1", [stat("em", 0.0)])], "org/b")
    data = align(read([a, b]).runs)
    assert data.items == ("id1", "id2")
    assert list(data.by_run["org/b", "0"].columns["em"]) == [0, 1]


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([entry("id1", [stat("em", 1)]), entry("id1", [stat("em", 0)])], r"\[1\]: the instance 'id1' is there twice"),
        ([entry("id1", [stat("em", 1), stat("em", 0)])], r"\[0\].stats\[1\]: the statistic 'em' is there twice"),
        ([entry("id1", [{"count": 1}])], r"\[0\].stats\[0\].name: found missing, expected an object"),
        ([entry("id1", [stat("em", 1) | {"mean": "high"}])], r"stats\[0\].mean: found a text, expected a number"),
        ([{"instance_id": "id1", "train_trial_index": 0}], r"\[0\].stats: found missing, expected a list"),
        ([entry("id1", [])], "nothing is in the split 'test'; the file has no statistics"),
        ([entry("id1", [stat("em", 1)]), "x"], r"\[1\]: found a text, expected an object"),
    ],
)
def test_bad_files_are_refused_with_the_place(tmp_path: Path, entries: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=f"{message}.*; "):
        read([write(tmp_path / "a", entries)])


def test_broken_json_is_refused_with_line_and_column(tmp_path: Path) -> None:
    file = Path(write(tmp_path / "a", [entry("id1", [stat("em", 1.0)])]))
    file.write_text(file.read_text(encoding="utf-8")[:-20], encoding="utf-8")
    with pytest.raises(InputError, match=r"per_instance_stats.json:\d+: broken JSON \(.*, column \d+\); "):
        read([str(file)])


def test_several_scenarios_are_one_run_whose_items_are_told_apart(tmp_path: Path) -> None:
    for model in ("a", "b"):
        for subject in ("algebra", "law"):
            folder = tmp_path / f"mmlu:subject={subject},model={model}"
            write(folder, [entry("id1", [stat("em", 1.0)]), entry("id2", [stat("em", 0.0)])])
    pattern = "{}=" + str(tmp_path) + "/*model={}/per_instance_stats.json"
    found = align(read([pattern.format(model, model) for model in ("a", "b")]).runs)
    assert found.runs == {"a": ("1",), "b": ("1",)}
    tasks = ("mmlu:subject=algebra", "mmlu:subject=law")
    assert found.items == tuple(f"{task}/id{i}" for task in tasks for i in (1, 2))
    assert found.labels["domain"] == (tasks[0], tasks[0], tasks[1], tasks[1])
