"""Logs of Inspect: archives compressed with zstd or deflate, JSON, epochs, grades, errors, hostile archives."""

from __future__ import annotations

import importlib
import io
import json
import struct
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outscore.base.errors import InputError, MissingExtra
from outscore.data import align, read
from outscore.data.run import Run
from outscore.metrics import metrics
from tests.cli.commandline import outscore

if sys.version_info >= (3, 14):
    zstd_zipfile: Any = zipfile
else:
    zstd_zipfile = pytest.importorskip("backports.zstd.zipfile")

HEADER = {"version": 2, "status": "success", "eval": {"task": "sums", "model": "org/a"}}


def sample(id_: int | str, epoch: int = 1, **changes: Any) -> dict[str, Any]:
    """A row of summaries.json."""
    row = {
        "id": id_,
        "epoch": epoch,
        "input": "What is 2+2?",
        "target": "4",
        "metadata": {},
        "scores": {"match": {"value": "C"}},
        "completed": True,
    }
    return row | changes


def archive(entries: dict[str, Any], method: str = "zstd") -> bytes:
    data = io.BytesIO()
    how = zstd_zipfile.ZIP_ZSTANDARD if method == "zstd" else zipfile.ZIP_DEFLATED
    with (zstd_zipfile if method == "zstd" else zipfile).ZipFile(data, "w", how) as archive_:
        for name, content in entries.items():
            archive_.writestr(name, content if isinstance(content, bytes) else json.dumps(content, indent=2))
    return data.getvalue()


def log(samples: list[dict[str, Any]], header: dict[str, Any] | None = None) -> dict[str, Any]:
    """The entries of a log."""
    return {"_journal/start.json": HEADER, "summaries.json": samples, "header.json": header or HEADER}


def write(folder: Path, content: bytes, name: str = "log.eval") -> str:
    (folder / name).write_bytes(content)
    return str(folder / name)


def runs(folder: Path, samples: list[dict[str, Any]], header: dict[str, Any] | None = None) -> tuple[Run, ...]:
    return read([write(folder, archive(log(samples, header)))]).runs


@pytest.mark.parametrize("method", ["zstd", "deflate"])
def test_an_archive_is_read_whatever_its_compression(tmp_path: Path, method: str) -> None:
    rows = [sample("s1"), sample("s2", scores={"match": {"value": "I"}})]
    (run,) = read([write(tmp_path, archive(log(rows), method))]).runs
    assert (run.system, run.run, run.ids, run.source.reader) == ("org/a", "1", ("s1", "s2"), "inspect")
    assert list(run.columns["match"]) == [1, 0]
    assert run.labels["length"] == ("12", "12")
    assert run.notes == ()


def test_a_json_log_holds_the_same(tmp_path: Path) -> None:
    document = {**HEADER, "samples": [sample(1), sample(2, scores={"match": {"value": "P"}})]}
    (run,) = read([write(tmp_path, json.dumps(document).encode(), "log.json")]).runs
    assert (run.system, run.ids) == ("org/a", ("1", "2"))
    assert list(run.columns["match"]) == [1, 0.5]


def test_without_summaries_the_samples_are_read(tmp_path: Path) -> None:
    entries = {
        "_journal/start.json": {"version": 2, "eval": HEADER["eval"]},
        "samples/x/a_epoch_1.json": sample("x/a"),
        "samples/b_epoch_1/sample.json": sample("b", scores={"match": {"value": "I"}}),
        "samples/b_epoch_1/events/0.json": [],
    }
    (run,) = read([write(tmp_path, archive(entries))]).runs
    assert run.ids == ("x/a", "b")
    assert list(run.columns["match"]) == [1, 0]
    assert [note.code for note in run.notes] == ["log_incomplete"]
    assert "'started'" in run.notes[0].text


def test_epochs_are_samples(tmp_path: Path) -> None:
    values = {1: "CI", 2: "CC", 3: "II"}
    rows = [
        sample(f"s{i}", epoch, scores={"match": {"value": value}})
        for epoch, grades in values.items()
        for i, value in enumerate(grades)
    ]
    found = runs(tmp_path, rows)
    assert [(run.run, run.sample) for run in found] == [("1", "1"), ("1", "2"), ("1", "3")]
    assert [list(run.columns["match"]) for run in found] == [[1, 0], [1, 1], [0, 0]]
    file = str(tmp_path / "log.eval")
    assert [run.sample for run in read([f"A={file}"]).runs] == ["1", "2", "3"]


def test_files_of_a_pattern_keep_their_epochs_apart(tmp_path: Path) -> None:
    for name in ("x", "y"):
        write(tmp_path, archive(log([sample("s", 1), sample("s", 2)])), f"{name}.eval")
    found = read([f"A={tmp_path}/*.eval"]).runs
    assert [(run.run, run.sample) for run in found] == [("x", "1"), ("x", "2"), ("y", "1"), ("y", "2")]


@pytest.mark.parametrize(
    ("value", "number"),
    [("C", 1), ("P", 0.5), ("I", 0), ("N", 0), (True, 1), (0.25, 0.25), ("0.75", 0.75), ("Yes", 1), (None, np.nan)],
)
def test_grades_are_the_numbers_that_inspect_takes_them_for(tmp_path: Path, value: object, number: float) -> None:
    (run,) = runs(tmp_path, [sample("s", scores={"judge": {"value": value}})])
    np.testing.assert_array_equal(run.columns["judge"], [number])


def test_a_dictionary_is_a_column_for_each_key(tmp_path: Path) -> None:
    rows = [sample(1, scores={"judge": {"value": {"style": "C", "facts": 3}}}), sample(2, scores={})]
    (run,) = runs(tmp_path, rows)
    np.testing.assert_array_equal(run.columns["judge.style"], [1, np.nan])
    np.testing.assert_array_equal(run.columns["judge.facts"], [3, np.nan])


@pytest.mark.parametrize("value", [[1, 2], "excellent", {"deep": {"er": 1}}])
def test_scores_that_are_no_numbers_are_left_out_and_named(tmp_path: Path, value: object) -> None:
    rows = [sample(1, scores={"match": {"value": 1}, "odd": {"value": value}}), sample(2, scores={"odd": {"value": 1}})]
    (run,) = runs(tmp_path, rows)
    assert [note.code for note in run.notes] == ["score_left_out"]
    assert "'odd" in run.notes[0].text
    assert "match" in run.columns


def test_a_log_in_which_all_samples_failed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="all 2 samples ended in an error, and none has a score; finish them"):
        runs(tmp_path, [sample(k, error="timeout", scores={}) for k in (1, 2)], {**HEADER, "status": "error"})


def test_failed_samples_have_no_score_and_are_reported(tmp_path: Path) -> None:
    header = {**HEADER, "status": "error"}
    (run,) = runs(tmp_path, [sample(1), sample(2, error="timeout"), sample(3, scores=None)], header)
    np.testing.assert_array_equal(run.columns["match"], [1, np.nan, np.nan])
    assert [note.code for note in run.notes] == ["log_incomplete", "samples_failed"]
    assert "1 of 3 samples" in run.notes[1].text


def test_short_metadata_are_labels_and_clusters_are_clusters(tmp_path: Path) -> None:
    meta = [{"cluster": "c1", "level": 3, "length": "long", "essay": "x" * 900, "nested": {"a": 1}}, {"cluster": "c2"}]
    data = align(runs(tmp_path, [sample(i, metadata=m) for i, m in enumerate(meta)]))
    assert data.labels["cluster"] == ("c1", "c2")
    assert data.labels["level"] == ("3", "")
    assert data.labels["metadata.length"] == ("long", "")
    assert set(data.labels) == {"cluster", "level", "length", "metadata.length"}


def test_the_length_of_messages_is_that_of_their_texts(tmp_path: Path) -> None:
    messages = [
        {"role": "system", "content": "abc"},
        {"role": "user", "content": [{"type": "text", "text": "de"}, {"type": "image", "image": "data"}]},
    ]
    (run,) = runs(tmp_path, [sample(1, input=messages)])
    assert run.labels["length"] == ("5",)


def test_epochs_are_the_trials_of_pass_hat_k(tmp_path: Path) -> None:
    rows = [
        sample(i, epoch, scores={"score": {"value": g}})
        for i, grades in enumerate(["CCI", "CCC"])
        for epoch, g in enumerate(grades, 1)
    ]
    counts = {run.sample: run.columns["score"] for run in runs(tmp_path, rows)}
    metric = metrics.make("pass_hat_k:k=2")
    assert metric.of_samples
    np.testing.assert_array_equal(sum(counts.values()), [2, 3])


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="zstd is in the standard library")
def test_without_the_extra_the_command_that_installs_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path, archive(log([sample(1)])))
    deflated = write(tmp_path, archive(log([sample(1)]), "deflate"), "deflated.eval")
    plain = importlib.import_module

    def without(name: str, package: str | None = None) -> Any:
        if name.startswith("backports"):
            raise ModuleNotFoundError(name)
        return plain(name, package)

    monkeypatch.setattr(importlib, "import_module", without)
    with pytest.raises(MissingExtra, match=r"pip install 'outscore\[inspect\]'"):
        read([file])
    assert read([deflated]).runs[0].n == 1


BROKEN: list[tuple[str, Callable[[], bytes], str]] = [
    ("cut", lambda: archive(log([sample(1)]))[:200], "is a broken zip archive"),
    ("no header", lambda: archive({"summaries.json": [], "_journal/summaries/1.json": []}), "has no header.json"),
    ("no samples", lambda: archive(log([])), "the log holds no samples"),
    ("broken JSON", lambda: archive(log([]) | {"summaries.json": b"[{]"}), r"summaries.json:1: broken JSON"),
    ("no list", lambda: archive(log([]) | {"summaries.json": {}}), "found an object, expected a list"),
    ("no text", lambda: archive(log([]) | {"summaries.json": b"\xff\xfe\x00"}), "summaries.json cannot be unpacked"),
    ("no model", lambda: archive(log([sample(1)], {"status": "success", "eval": {}})), "eval.model: found missing"),
    ("twice", lambda: archive(log([sample(1), sample(1)])), r"\[1\]: the sample '1' is there twice in epoch 1"),
    ("no id", lambda: archive(log([{"epoch": 1}])), r"\[0\].id: found missing, expected a text"),
    ("bad scores", lambda: archive(log([sample(1, scores=[1])])), r"scores: found a list, expected an object"),
]


@pytest.mark.parametrize(("content", "message"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_broken_logs_are_refused_with_a_remedy(tmp_path: Path, content: Callable[[], bytes], message: str) -> None:
    with pytest.raises(InputError, match=f"{message}.*; "):
        read([write(tmp_path, content())])


@pytest.mark.parametrize("method", ["zstd", "deflate"])
def test_damaged_data_are_refused(tmp_path: Path, method: str) -> None:
    content = bytearray(archive(log([sample(i) for i in range(50)]), method))
    at = content.index(b"summaries.json") + len(b"summaries.json")
    content[at + 20 : at + 60] = bytes(40)
    with pytest.raises(InputError, match=r"summaries.json.*; "):
        read([write(tmp_path, bytes(content))])


def _declared(content: bytes, name: bytes, size: int) -> bytes:
    """The archive with another uncompressed size in its directory."""
    changed = bytearray(content)
    entry = changed.rindex(name) - 46
    assert changed[entry : entry + 4] == b"PK\x01\x02"
    changed[entry + 24 : entry + 28] = struct.pack("<I", size)
    return bytes(changed)


@pytest.mark.parametrize("method", ["zstd", "deflate"])
def test_absurd_sizes_are_refused(tmp_path: Path, method: str) -> None:
    content = _declared(archive(log([sample(1)]), method), b"summaries.json", 3 << 30)
    with pytest.raises(InputError, match=r"unpacks to more than 3,2.* --limit unpacked=BYTES"):
        read([write(tmp_path, content)])


@pytest.mark.parametrize("method", ["zstd", "deflate"])
def test_no_more_is_unpacked_than_was_declared(tmp_path: Path, method: str) -> None:
    bomb = archive(log([]) | {"summaries.json": b"[" + b" " * (32 << 20) + b"]"}, method)
    file = write(tmp_path, _declared(bomb, b"summaries.json", 50))
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=r"summaries.json.*; "):
            read([file])
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


def task(folder: Path, name: str, samples: list[dict[str, Any]], model: str = "org/a") -> str:
    header = {**HEADER, "eval": {"task": name, "model": model}}
    file = f"{model.replace('/', '-')}_{name}_{len(list(folder.iterdir()))}.eval"
    return write(folder, archive(log(samples, header)), file)


def test_several_tasks_are_one_run_whose_items_are_told_apart(tmp_path: Path) -> None:
    """Both tasks call their items 1 and 2, so that two runs of one task would look the same."""
    grades = {"sums": ("C", "I"), "words": ("I", "I")}
    for model in ("org/a", "org/b"):
        for name, values in grades.items():
            task(tmp_path, name, [sample(i + 1, scores={"match": {"value": v}}) for i, v in enumerate(values)], model)
    found = align(read([f"{tmp_path}/*.eval"]).runs)
    assert found.systems == ("org/a", "org/b")
    assert found.runs["org/a"] == ("1",)
    assert found.items == ("sums/1", "sums/2", "words/1", "words/2")
    assert found.by_run["org/b", "1"].columns["match"].tolist() == [1, 0, 0, 0]
    assert found.labels["domain"] == ("sums", "sums", "words", "words")
    assert [note.code for note in found.notes] == ["tasks_joined"]


def test_a_folder_of_logs_is_all_its_logs(tmp_path: Path) -> None:
    """What an eval set leaves beside its logs is no log, so that the folder's files as a pattern end in an error."""
    logs = tmp_path / "logs"
    logs.mkdir()
    for model in ("org/a", "org/b"):
        for name in ("sums", "words"):
            task(logs, name, [sample(1), sample(2)], model)
    for name in ("eval-set.json", "logs.json"):
        (logs / name).write_text("{}", encoding="utf-8")
    whole = align(read([str(logs)]).runs)
    assert whole.items == ("sums/1", "sums/2", "words/1", "words/2")
    assert whole.systems == ("org/a", "org/b")
    alone = tmp_path / "alone"
    alone.mkdir()
    task(alone, "sums", [sample(1)])
    assert [run.system for run in read([f"mine={alone}"]).runs] == ["mine"]


def test_epochs_of_several_tasks_stay_samples(tmp_path: Path) -> None:
    for name in ("sums", "words"):
        task(tmp_path, name, [sample(i, epoch) for epoch in (1, 2) for i in (1, 2, 3)])
    found = align(read([f"{tmp_path}/*.eval"]).runs)
    assert found.runs == {"org/a": ("1",)}
    assert found.sample_counts["org/a", "1"].tolist() == [2] * 6


def test_other_epochs_of_another_task_are_refused(tmp_path: Path) -> None:
    task(tmp_path, "sums", [sample(i, epoch) for epoch in (1, 2) for i in (1, 2)])
    task(tmp_path, "words", [sample(i) for i in (1, 2)])
    with pytest.raises(InputError, match="has one answer to each item of 'words', but 2 samples"):
        read([f"{tmp_path}/*.eval"])


def test_logs_of_one_task_are_runs(tmp_path: Path) -> None:
    for _ in range(2):
        task(tmp_path, "sums", [sample(1), sample(2)])
    found = align(read([f"A={tmp_path}/*.eval"]).runs)
    assert len(found.runs["A"]) == 2
    assert found.items == ("1", "2")


def test_a_log_that_names_no_task_is_read(tmp_path: Path) -> None:
    (run,) = runs(tmp_path, [sample(1)], {**HEADER, "eval": {"model": "org/a"}})
    assert run.part == ""


def made(folder: Path, name: str, model: str, task: str = "sums", **arguments: Any) -> str:
    header = {**HEADER, "eval": {"task": task, "model": model, "task_args": arguments}}
    return write(folder, archive(log([sample(1), sample(2)], header)), name)


@pytest.mark.parametrize(
    ("other", "named"),
    [({"model": "org/b"}, "'org/a', 'org/b'"), ({"model": "org/a", "shots": 5}, "'org/a', 'org/a shots=5'")],
)
def test_runs_of_other_models_or_settings_under_one_name_are_named(
    tmp_path: Path, other: dict[str, Any], named: str
) -> None:
    made(tmp_path, "a1.eval", "org/a")
    made(tmp_path, "a2.eval", **other)
    runs = read([f"a={tmp_path}/a*.eval"]).runs
    assert [[note.code for note in run.notes] for run in runs] == [["runs_made_otherwise"]] * 2
    assert f"the files of 'a' are of {named}" in runs[0].notes[0].text


def test_other_settings_of_another_task_are_no_other_model(tmp_path: Path) -> None:
    made(tmp_path, "a1.eval", "org/a", "sums", shots=5)
    made(tmp_path, "a2.eval", "org/a", "products")
    (run,) = read([f"a={tmp_path}/a*.eval"]).runs
    assert [note.code for note in run.notes] == ["tasks_joined"]


def scored(folder: Path, name: str, *scorers: str) -> str:
    """A log of 6 samples with these scorers."""
    samples = [sample(i, scores={scorer: {"value": "CI"[i % 2]} for scorer in scorers}) for i in range(6)]
    header = HEADER | {"eval": {"task": "sums", "model": f"org/{name}"}}
    return write(folder, archive(log(samples, header)), f"{name}.eval")


def test_logs_without_a_common_scorer_are_refused_by_their_scorers(tmp_path: Path) -> None:
    files = [scored(tmp_path, "a", "match", "includes"), scored(tmp_path, "b", "multi")]
    for more in ((), ("-m", "match")):
        done = outscore("compare", *files, *more)
        assert done.code == 3
        assert f"no scorer is in all: 'org/a' has 'match', 'includes' ({files[0]})" in done.complaint
        assert f"'org/b' has 'multi' ({files[1]})" in done.complaint


def test_logs_of_several_models_under_one_name_are_named_where_nothing_is_left_to_compare(tmp_path: Path) -> None:
    scored(tmp_path, "a", "match"), scored(tmp_path, "b", "match")
    done = outscore("compare", f"x={tmp_path}/*.eval")
    assert done.code == 2
    assert (
        "the files of 'x' are of 'org/a', 'org/b', and were taken for runs of one system: leave out" in done.complaint
    )


def test_a_scorer_that_only_some_logs_have_is_no_metric_of_another_name(tmp_path: Path) -> None:
    files = [scored(tmp_path, "a", "match", "includes"), scored(tmp_path, "b", "includes")]
    done = outscore("compare", *files, "-m", "match")
    assert done.code == 2
    assert "'match' is not there for 'org/b'; columns of all: 'includes'" in done.complaint
    assert "did you mean" not in done.err


@pytest.mark.parametrize("verb", ["compare", "score"])
def test_a_model_with_one_epoch_here_and_several_there_is_given_twice(tmp_path: Path, verb: str) -> None:
    for folder, epochs in (("one", 1), ("four", 4)):
        for model in ("weak", "strong"):
            header = HEADER | {"eval": {"task": "sums", "model": model}}
            rows = [sample(k, epoch) for k in range(3) for epoch in range(1, epochs + 1)]
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / f"{model}.eval").write_bytes(archive(log(rows, header)))
    done = outscore(verb, tmp_path / "one", tmp_path / "four", "-m", "match")
    assert done.code == 2
    assert "given twice" in done.complaint and "NAME=FILE" in done.complaint
