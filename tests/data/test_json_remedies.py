"""JSON whose rows nobody can tell: the option that the refusal prints, pasted, reads all of them."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commandline import outscore

RIGHT = {"base": [int(i % 3 == 0) for i in range(12)], "new": [int(i % 4 != 0) for i in range(12)]}


def in_tasks(right: Sequence[int]) -> Any:
    parts = {"arith": right[:6], "logic": right[6:]}
    tasks = {name: {"n": 6, "items": [{"qid": k, "hit": x} for k, x in enumerate(of)]} for name, of in parts.items()}
    return {"meta": {"ts": 1}, "results": tasks}


def in_tasks_without_ids(right: Sequence[int]) -> Any:
    return {"results": {name: {"rows": [{"hit": x} for x in of]} for name, of in (("a", right[:6]), ("b", right[6:]))}}


def of_cases(right: Sequence[int]) -> Any:
    return [
        {
            "case": {"name": f"c{i}", "suite": "s"},
            "outcome": {"status": ("fail", "pass")[x], "duration": i},
            "attempt": 1,
        }
        for i, x in enumerate(right)
    ]


def of_completions(right: Sequence[int]) -> Any:
    return [{"task_id": f"t{i}", "completions": [{"text": "c", "passed": bool(x)}] * 2} for i, x in enumerate(right)]


def of_traces(right: Sequence[int]) -> Any:
    scored = [[{"name": "helpful", "value": x}, {"name": "safe", "value": x}] for x in right]
    return {"data": [{"traceId": f"t{i}", "input": {"q": "q"}, "scores": of} for i, of in enumerate(scored)]}


def of_completions_inside(right: Sequence[int]) -> Any:
    return {"model": "x", "data": of_completions(right)}


SHAPES = (in_tasks, in_tasks_without_ids, of_cases, of_completions, of_completions_inside, of_traces)


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_printed_reads_all_items(shape: Any, tmp_path: Path) -> None:
    files = []
    for name, right in RIGHT.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(shape(right)), encoding="utf-8")
        files.append(f"{name}={tmp_path / name}.json")
    assert_remedied(files, *(["-m", "helpful"] if shape is of_traces else []), n_items=12)


def test_what_is_printed_reads_runs_of_systems(tmp_path: Path) -> None:
    runs = {name: {"runs": [{"seed": k, "scores": right} for k in (1, 2)]} for name, right in RIGHT.items()}
    (tmp_path / "t.json").write_text(json.dumps(runs), encoding="utf-8")
    assert_remedied([str(tmp_path / "t.json")], n_items=12, which=-1)
    tasks = {name: in_tasks(right)["results"]["arith"] for name, right in RIGHT.items()}
    (tmp_path / "t.json").write_text(json.dumps(tasks), encoding="utf-8")
    assert_remedied([str(tmp_path / "t.json")], n_items=6, which=-1)


def per_system(inside: Any, name: str = "model", more: Mapping[str, Any] = {}) -> Any:
    return [{name: system, **more, "out": inside(right)} for system, right in RIGHT.items()]


BY_ID = [
    lambda right: right,
    lambda right: [{"id": f"q{i}", "score": x} for i, x in enumerate(right)],
    lambda right: [{"q": f"q{i}", "ok": bool(x)} for i, x in enumerate(right)],
    lambda right: {f"q{i}": x for i, x in enumerate(right)},
    lambda right: {f"q{i}": [x, x] for i, x in enumerate(right)},
]


@pytest.mark.parametrize("inside", BY_ID)
@pytest.mark.parametrize("around", [lambda rows: rows, lambda rows: {"date": "today", "runs": rows}])
def test_all_scores_of_a_system_in_one_row_are_of_that_system(inside: Any, around: Any, tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    for more in ({}, {"cost": {"usd": "much"}}):
        file.write_text(json.dumps(around(per_system(inside, more=more))), encoding="utf-8")
        assert_remedied([str(file)], n_items=12)


def test_lists_of_a_name_may_be_of_a_system(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(json.dumps(per_system(lambda right: right, "name")), encoding="utf-8")
    assert_remedied([str(tmp_path / "t.json")], n_items=12, which=1)


def test_samples_of_systems_keep_their_system(tmp_path: Path) -> None:
    rows = [{"model": s, "id": f"q{i}", "of": [x] * 3} for s, right in RIGHT.items() for i, x in enumerate(right)]
    (tmp_path / "t.json").write_text(json.dumps(rows), encoding="utf-8")
    assert_remedied([str(tmp_path / "t.json")], n_items=12)


@pytest.mark.skipif(shutil.which("jq") is None, reason="the command needs jq")
@pytest.mark.parametrize("key", ["id", "q"])
@pytest.mark.parametrize("kind", ["inside", "list", "lines"])
def test_objects_of_systems_beside_each_other_are_laid_flat(
    key: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    base, new = RIGHT.values()
    rows = [{key: f"q{i}", "base": {"ok": bool(base[i])}, "new": {"ok": bool(new[i])}} for i in range(12)]
    file = Path("t.jsonl" if kind == "lines" else "t.json")
    text = (
        "\n".join(map(json.dumps, rows)) if kind == "lines" else json.dumps({"all": rows} if kind[0] == "i" else rows)
    )
    file.write_text(text, encoding="utf-8")
    refused = outscore("compare", str(file))
    assert refused.code == 3
    subprocess.run(re.findall(r"jq .*", refused.err)[0], shell=True, check=True)
    found = json.loads(outscore("compare", f"flat-{file}", "-n", "99", "-f", "json").out)["pairs"][0]
    assert (found["n_items"], found["gain"]) == (12, pytest.approx(5 / 12))


def test_objects_of_measures_are_not_cut_to_the_first(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    rows = [{"id": f"q{i}", "bleu": {"score": i % 3}, "chrf": {"score": i % 4}} for i in range(12)]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert "each row holds an object of 'bleu', 'chrf'" in outscore("compare", f"a={file}", f"b={file}").err
    rows = [{"id": f"q{i}", "input": {"text": "t"}, "scores": {"acc": i % 2}} for i in range(12)]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert outscore("compare", f"a={file}", f"b={file}", "-n", "99").code == 0


@pytest.mark.skipif(shutil.which("jq") is None, reason="the command needs jq")
@pytest.mark.parametrize("nested", [False, True])
def test_files_of_an_item_each_are_joined(nested: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for i in range(12):
        of = {name: right[i] for name, right in RIGHT.items()}
        files = {f"res/{name}/q{i}.json": {"score": x} for name, x in of.items()} if nested else {f"res/q{i}.json": of}
        for file, one in files.items():
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            Path(file).write_text(json.dumps(one), encoding="utf-8")
    refused = outscore("compare", "res")
    assert refused.code == 3
    subprocess.run(re.findall(r"join them: (jq .*)", refused.err)[0], shell=True, check=True)
    found = json.loads(outscore("compare", "res.jsonl", "-n", "99", "-f", "json").out)["pairs"][0]
    assert (found["n_items"], found["gain"]) == (12, pytest.approx(5 / 12))


@pytest.mark.parametrize("turned", [False, True])
def test_a_matrix_of_systems_and_items_is_read(turned: bool, tmp_path: Path) -> None:
    scores = [*zip(*RIGHT.values(), strict=True)] if turned else [*RIGHT.values()]
    whole = {"systems": [*RIGHT], "items": [f"q{i}" for i in range(12)], "scores": scores}
    (tmp_path / "t.json").write_text(json.dumps(whole), encoding="utf-8")
    found = json.loads(outscore("compare", str(tmp_path / "t.json"), "-n", "99", "-f", "json").out)["pairs"][0]
    assert (found["n_items"], found["gain"]) == (12, pytest.approx(5 / 12))


def test_totals_beside_the_scores_of_items_are_named(tmp_path: Path) -> None:
    numbers = {f"q{i}": x for i, x in enumerate(RIGHT["new"])}
    (tmp_path / "t.json").write_text(json.dumps(numbers | {"total": 12, "accuracy": 0.75}), encoding="utf-8")
    assert (
        "leave 'total', 'accuracy' out if the others are items; else give" in outscore("score", tmp_path / "t.json").err
    )
    (tmp_path / "t.json").write_text(json.dumps(numbers), encoding="utf-8")
    assert outscore("score", tmp_path / "t.json").code == 0


def test_lists_side_by_side_are_not_joined(tmp_path: Path) -> None:
    lists = {
        name: [{"qid": i, "hit": x} for i, x in enumerate(RIGHT["new"][:n])] for name, n in (("kept", 9), ("again", 3))
    }
    (tmp_path / "t.json").write_text(json.dumps({"results": lists, "n": 9}), encoding="utf-8")
    assert outscore("score", tmp_path / "t.json").err.endswith("--reader 'json:rows=results.kept,item=qid,score=hit'\n")


def test_texts_beside_grades_may_be_the_outputs(tmp_path: Path) -> None:
    rows = [{"case": {"name": f"c{i}"}, "check": {"cached": "no"}, "reply": "a b"} for i in range(9)]
    (tmp_path / "t.json").write_text(json.dumps(rows), encoding="utf-8")
    (tmp_path / "gold.txt").write_text("a b\n" * 9, encoding="utf-8")
    said = ("-m", "accuracy", "-n", "99", "-c", "output=reply")
    assert outscore("score", tmp_path / "t.json", "-r", tmp_path / "gold.txt", *said).code == 0


def test_votes_inside_objects_are_to_be_flattened(tmp_path: Path) -> None:
    rows = [{"prompt_id": i, "left": {"model": "x"}, "verdict": {"winner": "left"}} for i in range(9)]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for verb in ("compare", "rank"):
        assert "'left', 'verdict' hold lists or objects; flatten" in outscore(verb, tmp_path / "t.jsonl").err


def test_a_distance_is_one_in_pixels_too(tmp_path: Path) -> None:
    for name, right in RIGHT.items():
        rows = "".join(f"im{i},{x}.5\n" for i, x in enumerate(right))
        (tmp_path / f"{name}.csv").write_text(f"image,distance_px\n{rows}", encoding="utf-8")
    files = [str(tmp_path / f"{name}.csv") for name in RIGHT]
    asked = outscore("compare", *files, "-c", "item=image").err
    metric = re.findall(r"-m ([^ ;]+);", asked)[0]
    done = outscore("compare", *files, "-c", "item=image", "-m", metric, "-n", "99", "-f", "json")
    assert json.loads(done.out)["pairs"][0]["gain"] == pytest.approx(-5 / 12)


def test_own_counts_of_tasks_are_measures(tmp_path: Path) -> None:
    files = []
    for name, right in RIGHT.items():
        rows = [{"task": f"t{i}", "accuracy": x, "correct_count": 5 * x, "total_count": 5} for i, x in enumerate(right)]
        files.append(f"{name}={tmp_path / name}.jsonl")
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert outscore("compare", *files).err.endswith("name one with -m, as in -m accuracy\n")
    done = outscore("compare", *files, "-m", "accuracy", "-n", "99", "-f", "json")
    assert json.loads(done.out)["pairs"][0]["gain"] == pytest.approx(5 / 12)


def assert_remedied(files: Sequence[str], *more: str, n_items: int, which: int = 0) -> None:
    """A comparison is refused, and with the option that is printed it has all items and the mean of each system."""
    refused = outscore("compare", *files)
    assert refused.code == 3
    option = re.findall(r"--reader (?:'[^']+'|[^ ;]+)", refused.err)[which]
    done = outscore("compare", *files, *shlex.split(option), *more, "-n", "99", "-f", "json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert {pair["n_items"] for pair in found["pairs"]} == {n_items}
    means = {name: sum(right[:n_items]) / n_items for name, right in RIGHT.items()}
    for score in found["scores"]:
        assert score["score"] == pytest.approx(means[score["system"]])
