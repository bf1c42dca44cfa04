"""Ids that two files write otherwise, tasks that one system lacks, references without ids: said in plain words."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.commandline import outscore

ITEMS = [f"spk{i % 3}-utt{i:03}" for i in range(12)]
TEXTS = [f"the cat number {i} sat on mat {i % 5}" for i in range(12)]


def kaldi(path: Path, ids: list[str]) -> Path:
    path.write_text("".join(f"{i} {text}\n" for i, text in zip(ids, TEXTS, strict=True)), encoding="utf-8")
    return path


def table(path: Path, ids: list[str]) -> Path:
    path.write_text("".join(["item,score\n", *(f"{i},{k % 3}\n" for k, i in enumerate(ids))]), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ([i.upper() for i in ITEMS], "the ids differ only in case"),
        ([f"sums/{i}" for i in ITEMS], "the ids differ by 'sums/' before each of those here"),
        ([f"dev-{i}" for i in ITEMS[:9]], "the ids differ by 'dev-' before each of those here"),
    ],
)
def test_ids_that_are_written_otherwise_are_named_so(tmp_path: Path, other: list[str], said: str) -> None:
    done = outscore("compare", table(tmp_path / "a.csv", ITEMS), table(tmp_path / "b.csv", other))
    assert done.code == 3
    assert said in done.complaint
    assert "--missing" not in done.complaint, "no item would be left"


def test_ids_of_other_items_are_not_called_alike(tmp_path: Path) -> None:
    done = outscore(
        "compare", table(tmp_path / "a.csv", ITEMS), table(tmp_path / "b.csv", [f"x{i}" for i in range(12)])
    )
    assert done.code == 3
    assert "the ids differ" not in done.complaint


def log(path: Path, task: str, n: int) -> Path:
    """A log of Inspect; ids are 0, 1 ... in each task."""
    samples = [
        {"id": i, "epoch": 1, "input": "2+2", "scores": {"match": {"value": "CI"[(i * n + len(path.stem)) % 2]}}}
        for i in range(n)
    ]
    header = {"version": 2, "status": "success", "eval": {"task": task, "model": "m"}, "samples": samples}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(header), encoding="utf-8")
    return path


def test_a_system_without_one_of_the_tasks_is_the_one_that_lacks_it(tmp_path: Path) -> None:
    log(tmp_path / "weak" / "a.json", "sums", 8), log(tmp_path / "weak" / "b.json", "words", 9)
    systems = (f"weak={tmp_path}/weak/*", f"strong={log(tmp_path / 'strong' / 'aa.json', 'sums', 8)}")
    done = outscore("compare", *systems)
    assert done.code == 3
    assert "system 'strong' (run '1') lacks 9 of 17 items, all of 'words', 'words/0'" in done.complaint
    found = json.loads(outscore("compare", *systems, "--missing", "drop", "-f", "json").out)
    assert [one["n_items"] for one in found["scores"]] == [8, 8]


def test_plain_lines_of_references_beside_utterances_get_their_ids_by_the_command(tmp_path: Path) -> None:
    systems = [kaldi(tmp_path / name, ITEMS) for name in ("a.txt", "b.txt")]
    plain = tmp_path / "my ref.txt"
    plain.write_text("".join(f"{text}\n" for text in TEXTS), encoding="utf-8")
    done = outscore("compare", *systems, "-r", plain)
    assert done.code == 3
    assert "holds 12 plain lines" in done.complaint
    assert "column" not in done.complaint
    command = done.complaint.split("TEXT' (")[1].split(" does so if")[0]
    subprocess.run(command, shell=True, check=True)
    found = json.loads(outscore("compare", *systems, "-r", f"{plain}.ids", "-f", "json").out)
    assert [one["score"] for one in found["scores"]] == [0.0, 0.0], "word error rates of outputs that are right"


def test_references_that_the_systems_hold_need_no_file_of_plain_lines(tmp_path: Path) -> None:
    systems = [tmp_path / f"{name}.jsonl" for name in "ab"]
    for path in systems:
        rows = [{"id": i, "reference": t, "prediction": t} for i, t in zip(ITEMS, TEXTS, strict=True)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "ref.txt").write_text("".join(f"{text}\n" for text in TEXTS), encoding="utf-8")
    done = outscore("compare", *systems, "-r", tmp_path / "ref.txt")
    assert done.code == 3
    assert "make a table of it with the columns item and reference" in done.complaint
    assert "holds references of its own: leave -r out" in done.complaint


def test_a_gold_that_lacks_items_is_named_in_words(tmp_path: Path) -> None:
    gold = tmp_path / "gold.csv"
    gold.write_text("".join(["item,gold\n", *(f"{i},x\n" for i in ITEMS[1:])]), encoding="utf-8")
    system = tmp_path / "a.csv"
    system.write_text("".join(["item,output\n", *(f"{i},x\n" for i in ITEMS)]), encoding="utf-8")
    done = outscore("compare", f"a={system}", f"b={system}", gold)
    assert done.code == 3
    assert "the gold data lacks 1 of 12 items" in done.complaint


@pytest.mark.parametrize("name", ["inputs.question", "question", "text"])
def test_ids_of_traces_are_passed_over_for_texts_that_all_files_share(tmp_path: Path, name: str) -> None:
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for k, file in enumerate(files):
        rows = [f"{file.stem}{i}-x,What is {i}?,{(i + k) % 3 % 2}" for i in (range(12), range(11, -1, -1))[k]]
        file.write_text("\n".join([f"id,{name},score", *rows]) + "\n", encoding="utf-8")
    done = outscore("compare", *map(str, files), "-n", "200")
    assert f"-c item={name} joins them" in done.err
    assert "@row" not in done.err
    assert outscore("compare", *map(str, files), "-c", f"item={name}", "-n", "200").code == 0
