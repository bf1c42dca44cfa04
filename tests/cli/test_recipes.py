"""Commands and arguments that a refusal says are run as they stand, and work on the files that were given."""

from __future__ import annotations

import json
import shlex
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.commandline import outscore


def means(*arguments: str | Path) -> dict[str, float]:
    """The scores that ``compare`` finds."""
    done = outscore("compare", *arguments, "-f", "json")
    assert done.code == 0, done.err
    return {one["system"]: one["score"] for one in json.loads(done.out)["scores"]}


def test_a_database_of_sqlite_is_read(tmp_path: Path) -> None:
    file = tmp_path / "it's mine.db"
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("create table scores (system, item, score)")
        rows = [(s, i, i % k) for s, k in (("a", 2), ("b", 3)) for i in range(12)]
        database.executemany("insert into scores values (?, ?, ?)", rows)
    assert means(file) == {"a": 0.5, "b": 1.0}


RIGHT = {"weak": [i % 3 == 0 for i in range(12)], "strong": [i % 4 != 0 for i in range(12)]}
"""4 and 9 of 12."""
MEANS = {"weak": 4 / 12, "strong": 9 / 12}


def log(path: Path, model: str, *, task: str = "sums", **settings: str) -> None:
    """A log of Inspect: JSON, or an archive."""
    header = {"version": 2, "status": "success", "eval": {"task": task, "model": model, "task_args": settings}}
    samples = [
        {"id": i, "epoch": 1, "input": "2+2", "scores": {"match": {"value": "C" if right else "I"}}}
        for i, right in enumerate(RIGHT[model])
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".json":
        path.write_text(json.dumps(header | {"samples": samples}), encoding="utf-8")
        return
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps(header))
        archive.writestr("summaries.json", json.dumps(samples))


def said(complaint: str, behind: str) -> list[str]:
    """The arguments at the end of a refusal, as a shell takes them apart."""
    return shlex.split(complaint.split(behind)[1])


@pytest.mark.parametrize("suffix", ["eval", "json"])
def test_a_folder_of_logs_is_named_by_the_pattern_of_its_logs(tmp_path: Path, suffix: str) -> None:
    folder = tmp_path / "my logs"
    for k, model in enumerate(RIGHT):
        log(folder / f"2026-01-0{k + 1}_sums_x.{suffix}", model)
    lists = folder / "eval-set.json"
    lists.write_text(json.dumps({"eval_set_id": "x", "tasks": [{"name": "t"}, {"name": "u"}]}), encoding="utf-8")
    for given in (folder, f"{folder}/", lists):
        done = outscore("compare", given)
        if given is not lists:  # what an eval set leaves is read whole
            assert done.code == 0, done.err
            continue
        assert done.code == 3
        assert means(*said(done.complaint, "each model is a system: ")) == MEANS


def test_repeated_logs_are_given_as_runs_by_their_names(tmp_path: Path) -> None:
    for k, model in enumerate(["weak", "strong", "weak", "strong"]):
        log(tmp_path / f"{k}, it's a log.eval", model)
    done = outscore("compare", f"{tmp_path}/*.eval")
    assert done.code == 2
    found = json.loads(outscore("compare", *said(done.complaint, "as runs: "), "-f", "json").out)
    assert {one["system"]: (one["score"], len(one["run_scores"])) for one in found["scores"]} == {
        system: (mean, 2) for system, mean in MEANS.items()
    }


def test_logs_of_other_settings_are_told_apart_by_them(tmp_path: Path) -> None:
    for k, (model, mode) in enumerate([("weak", "short"), ("weak", "long"), ("strong", "long"), ("strong", "short")]):
        log(tmp_path / f"{k}.eval", model, mode=mode)
    done = outscore("compare", f"{tmp_path}/*.eval")
    assert done.code == 2
    assert "their settings differ" in done.complaint and "mode='short'" in done.complaint
    arguments = said(done.complaint, "those of one setting, as ")
    assert [Path(one).stem for one in arguments] == ["0", "3"]
    assert means(*arguments) == MEANS


@pytest.mark.parametrize("below", ["", "org__model"])
def test_a_folder_of_the_harness_is_read_model_by_model(tmp_path: Path, below: str) -> None:
    for model, of in RIGHT.items():
        folder = tmp_path / "out" / model / below
        folder.mkdir(parents=True)
        (folder / "results_2026.json").write_text("{}", encoding="utf-8")
        rows = [
            {"doc_id": i, "doc": {}, "target": "4", "filtered_resps": ["4"], "filter": "none", "metrics": ["acc"]}
            | {"acc": float(right)}
            for i, right in enumerate(of)
        ]
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / "samples_sums_2026-01-02T03-04-05.6789.jsonl").write_text(text, encoding="utf-8")
    if below:  # the harness names a folder after the model, which is the same in both
        assert "'org__model' (run '1') is given twice" in outscore("compare", tmp_path / "out").complaint
    else:
        assert means(tmp_path / "out") == MEANS
    assert means(*(f"{model}={tmp_path / 'out' / model}" for model in RIGHT)) == MEANS


def test_commas_join_files_and_patterns_unless_a_file_is_called_so(tmp_path: Path) -> None:
    for name, number in (("a.seg", 1), ("b1.seg", 2), ("b2.seg", 6), ("c,d.seg", 9)):
        (tmp_path / name).write_text("".join(f"{number + i % 3}\n" for i in range(12)), encoding="utf-8")
    assert means(f"x={tmp_path}/a.seg,{tmp_path}/b*.seg", f"y={tmp_path}/c,d.seg") == {"x": 4.0, "y": 10.0}
    done = outscore("compare", f"x={tmp_path}/a.seg,{tmp_path}/none.seg", f"y={tmp_path}/c,d.seg")
    assert done.code == 3
    assert "no such file" in done.complaint


def test_a_log_without_settings_is_said_to_have_none(tmp_path: Path) -> None:
    log(tmp_path / "1.eval", "weak")
    log(tmp_path / "2.eval", "weak", mode="long")
    assert "their settings differ (none and \"mode='long'\")" in outscore("compare", f"{tmp_path}/*.eval").complaint


def test_of_one_model_there_are_no_logs_of_one_setting_to_compare(tmp_path: Path) -> None:
    """As where a log has the one before it among its settings: one log was proposed, and refused."""
    for day, mode in ((1, "short"), (2, "long")):
        log(tmp_path / f"2026-01-0{day}T10-00-00+00-00_sums_Ab{day}.eval", "weak", mode=mode)
    done = outscore("compare", str(tmp_path))
    assert "one setting" not in done.complaint
    assert (
        ": compare the newest with the one before by --against last, name them apart with NAME=FILE" in done.complaint
    )
    assert outscore("compare", str(tmp_path), "--against", "last", "-n", "200").code == 0
