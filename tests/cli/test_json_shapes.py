"""JSON of another shape than lines is named for what it is, and the command that is said makes lines of it."""

from __future__ import annotations

import gzip
import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commandline import outscore

ITEMS = [f"q{i}" for i in range(12)]
SCORES = {"base": [i % 3 == 0 for i in range(12)], "new": [i % 4 != 0 for i in range(12)]}
"""4 and 9 of 12."""
ROWS = [
    {"system": s, "item": i, "score": int(score)}
    for s, of_system in SCORES.items()
    for i, score in zip(ITEMS, of_system, strict=True)
]
PROMPTFOO = [
    {
        "id": f"{s}-{i}",
        "promptIdx": 0,
        "testIdx": k,
        "provider": {"id": "file://p.js", "label": s},
        "vars": {"q": i},
        "score": int(SCORES[s][k]),
        "success": SCORES[s][k],
        "failureReason": 0,
        "namedScores": {"correct": int(SCORES[s][k])},
        "latencyMs": 5,
    }
    for s in SCORES
    for k, i in enumerate(ITEMS)
]


def deepeval(system: str, cases: str, metrics: str) -> dict[str, Any]:
    return {
        cases: [
            {"name": i, "success": True, metrics: [{"name": "Match", "score": float(SCORES[system][k]), "reason": "r"}]}
            for k, i in enumerate(ITEMS)
        ]
    }


def lines(rows: list[Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


BOTH: dict[str, tuple[str, str]] = {
    "a list of objects": ("a list of objects", json.dumps(ROWS)),
    "an indented list": ("a list of objects over 122 lines", json.dumps(ROWS, indent=2)),
    "indented objects": (
        "objects one after another over 120 lines",
        "".join(json.dumps(r, indent=1) + "\n" for r in ROWS),
    ),
    "one key with a list": ("an object whose 'results' is a list of objects", json.dumps({"v": 1, "results": ROWS})),
    "scores by system": ("{system: [score, score]}", json.dumps({s: list(map(int, v)) for s, v in SCORES.items()})),
    "scores by system and item": (
        "{system: {item: score}}",
        json.dumps({s: dict(zip(ITEMS, v, strict=True)) for s, v in SCORES.items()}),
    ),
    "columns": ("an object of columns", json.dumps({key: [row[key] for row in ROWS] for key in ROWS[0]})),
    "columns of pandas": (
        "as pandas' to_json writes it",
        json.dumps({key: {str(k): row[key] for k, row in enumerate(ROWS)} for key in ROWS[0]}),
    ),
    "split of pandas": (
        "orient='split'",
        json.dumps(
            {"columns": list(ROWS[0]), "index": [*range(len(ROWS))], "data": [list(row.values()) for row in ROWS]}
        ),
    ),
    "promptfoo": ("promptfoo's output", json.dumps({"evalId": "e", "results": {"version": 3, "results": PROMPTFOO}})),
    "results of promptfoo": ("results of promptfoo", lines(PROMPTFOO)),
}
"""Files of both systems: what they are called, and their text."""

EACH: dict[str, tuple[str, dict[str, str]]] = {
    "scores by item": (
        "a number for each key, as {item: score}",
        {s: json.dumps(dict(zip(ITEMS, map(int, v), strict=True))) for s, v in SCORES.items()},
    ),
    "rows by item": (
        "an object of objects, as {item: {name: value}}",
        {
            s: json.dumps({i: {"score": int(x), "answer": "a"} for i, x in zip(ITEMS, v, strict=True)})
            for s, v in SCORES.items()
        },
    ),
    "numbers": ("a list of numbers", {s: json.dumps(list(map(int, v))) for s, v in SCORES.items()}),
    "nested rows": (
        "the scores stand inside 'scores'",
        {
            s: lines([{"item": i, "scores": {"em": int(x)}} for i, x in zip(ITEMS, v, strict=True)])
            for s, v in SCORES.items()
        },
    ),
    "deepeval": ("deepeval's result", {s: json.dumps(deepeval(s, "test_results", "metrics_data")) for s in SCORES}),
    "a test run of deepeval": (
        "a test run of deepeval",
        {s: json.dumps({"metricsScores": [], **deepeval(s, "testCases", "metricsData")}) for s in SCORES},
    ),
    "tau-bench": (
        "results of tau-bench",
        {
            s: json.dumps(
                {
                    "tasks": [],
                    "simulations": [
                        {"id": f"x{k}", "task_id": i, "trial": 0, "seed": 7, "reward_info": {"reward": float(x)}}
                        for k, (i, x) in enumerate(zip(ITEMS, v, strict=True))
                    ],
                }
            )
            for s, v in SCORES.items()
        },
    ),
    "OpenAI's evals": (
        "a log of OpenAI's evals",
        {
            s: lines(
                [
                    {"spec": {"completion_fns": [s]}},
                    *(
                        {"event_id": k, "sample_id": i, "type": "match", "data": {"correct": x}}
                        for k, (i, x) in enumerate(zip(ITEMS, v, strict=True))
                    ),
                ]
            )
            for s, v in SCORES.items()
        },
    ),
}
"""Files of one system each."""

NOTHING = {
    "averages of lm-eval": ({"results": {"t": {"acc,none": 0.5}}, "configs": {}, "versions": {}}, "samples_*.jsonl"),
    "an eval set of Inspect": ({"eval_set_id": "x", "tasks": [{"name": "t"}, {"name": "u"}]}, "*.eval"),
    "a folder of Inspect": ({"a.eval": {"version": 2, "status": "success", "eval": {}}}, "*.eval"),
}
"""Files without any score of an item, and what to give instead."""


def named(file: Path, shape: str) -> str:
    """The command of jq that a refusal says."""
    done = outscore("compare", file)
    assert (done.code, done.out, len(done.err.splitlines())) == (3, "", 1)
    assert shape in done.err
    found = re.search(r"(gzip -dc .* \| )?jq -c .*\.rows\.jsonl'?", done.err)
    assert found is not None, done.err
    return found[0]


def made(command: str) -> Path:
    """What the command makes."""
    if shutil.which("jq") is None:
        pytest.skip("needs jq")
    subprocess.run(command, shell=True, check=True)  # as a user types it
    (rows,) = shlex.split(command.rpartition("> ")[2])
    return Path(rows)


def scores(*arguments: str | Path) -> list[float]:
    done = outscore("compare", *arguments, "-f", "json")
    assert done.code == 0, done.err
    return [score["score"] for score in json.loads(done.out)["scores"]]


@pytest.mark.parametrize("name", BOTH)
def test_a_file_of_two_systems_is_named_and_the_command_makes_rows(tmp_path: Path, name: str) -> None:
    shape, text = BOTH[name]
    file = tmp_path / "all.json"
    file.write_text(text, encoding="utf-8")
    assert scores(made(named(file, shape)), *(("-m", "score") if "promptfoo" in name else ())) == [4 / 12, 9 / 12]


@pytest.mark.parametrize("name", EACH)
def test_files_of_one_system_are_named_and_the_command_makes_rows(tmp_path: Path, name: str) -> None:
    shape, texts = EACH[name]
    found = []
    for system, text in texts.items():
        file = tmp_path / f"{system}.json"
        file.write_text(text, encoding="utf-8")
        found.append(f"{system}={made(named(file, shape))}")
    assert scores(*found) == [4 / 12, 9 / 12]


@pytest.mark.parametrize("name", ["my run.json", "it's.json", "run.json.gz", 'all "of" them.jsonl.gz', "$HOME.json"])
def test_the_command_works_whatever_the_file_is_called_and_if_it_is_compressed(tmp_path: Path, name: str) -> None:
    shape, text = BOTH["an indented list"]
    file = tmp_path / name
    file.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    assert scores(made(named(file, shape))) == [4 / 12, 9 / 12]


@pytest.mark.parametrize("key", ["it's", 'the "best"', "a.b"])
def test_the_command_takes_a_list_out_of_a_key_of_any_name(tmp_path: Path, key: str) -> None:
    file = tmp_path / "all.json"
    file.write_text(json.dumps({"v": 1, key: ROWS}), encoding="utf-8")
    assert scores(made(named(file, "is a list of objects"))) == [4 / 12, 9 / 12]


def test_a_case_of_deepeval_without_metrics_is_an_item_without_score(tmp_path: Path) -> None:
    files = []
    for system in SCORES:
        value = deepeval(system, "test_results", "metrics_data")
        value["test_results"][5]["metrics_data"] = None
        (tmp_path / f"{system}.json").write_text(json.dumps(value), encoding="utf-8")
        files.append(made(named(tmp_path / f"{system}.json", "deepeval's result")))
    done = outscore("compare", *files)
    assert done.code == 3
    assert "missing (NaN) for 1 item" in done.err
    assert scores(*files, "--missing", "drop") == [4 / 11, 8 / 11]


def test_a_log_of_evals_by_metrics_gives_a_column_for_each(tmp_path: Path) -> None:
    files = []
    for system, of in SCORES.items():
        events = [
            {"event_id": 2 * k, "sample_id": i, "type": "sampling", "data": {"sampled": ["x"]}}
            | ({"type": "metrics", "data": {"score": int(of[k]), "choice": "A"}} if kind else {})
            for k, i in enumerate(ITEMS)
            for kind in (0, 1)
        ]
        file = tmp_path / f"{system}.jsonl"
        file.write_text(lines([{"spec": {"completion_fns": [system]}}, *events]), encoding="utf-8")
        files.append(made(named(file, "a log of OpenAI's evals")))
    assert scores(*files) == [4 / 12, 9 / 12]


def test_a_log_of_evals_without_scores_has_no_command(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    events = [{"sample_id": i, "type": "sampling", "data": {"sampled": ["x"]}} for i in ITEMS]
    file.write_text(lines([{"spec": {"completion_fns": ["a"]}}, *events]), encoding="utf-8")
    done = outscore("compare", file)
    assert (done.code, "jq" in done.err) == (3, False)
    assert "without a score of any sample (events of the kinds 'sampling')" in done.err


def test_an_experiment_of_braintrust_is_paired_by_its_inputs(tmp_path: Path) -> None:
    files = []
    for system, of in SCORES.items():
        rows = [
            {"id": f"{system}{k}", "experiment_id": system, "input": {"q": i}, "output": "o", "expected": "e"}
            | {"scores": {"Factuality": int(of[k]), "Levenshtein": 0.5}, "metadata": {}}
            for k, i in enumerate(ITEMS)
        ]
        file = tmp_path / f"{system}.jsonl"
        file.write_text(lines(rows), encoding="utf-8")
        files.append(made(named(file, "an experiment of Braintrust")))
    assert scores(*files, "-m", "Factuality") == [4 / 12, 9 / 12]


@pytest.mark.parametrize("name", NOTHING)
def test_files_that_hold_no_items_are_named_with_what_does(tmp_path: Path, name: str) -> None:
    value, instead = NOTHING[name]
    file = tmp_path / "x.json"
    file.write_text(json.dumps(value, indent=2), encoding="utf-8")
    done = outscore("compare", file)
    assert done.code == 3
    assert instead in done.err
    assert "jq -c" not in done.err


def test_scores_of_bfcl_are_joined_with_the_results_that_name_all_items(tmp_path: Path) -> None:
    found = []
    for system, right in SCORES.items():
        for kind in ("score", "result"):
            (tmp_path / kind / system).mkdir(parents=True)
        file = tmp_path / "score" / system / "BFCL_v3_simple_score.json"
        counts = {"accuracy": sum(right) / 12, "correct_count": sum(right), "total_count": 12}
        failed = [{"id": i, "valid": False} for i, x in zip(ITEMS, right, strict=True) if not x]
        file.write_text(lines([counts, *failed]), encoding="utf-8")
        every = tmp_path / "result" / system / "BFCL_v3_simple_result.json"
        every.write_text(lines([{"id": i, "result": "f()"} for i in ITEMS]), encoding="utf-8")
        done = outscore("compare", file)
        assert "the scores of BFCL, which name only the items that failed" in done.err
        command = re.search(r"make lines of both: (jq .*)", done.err)
        assert command is not None
        found.append(f"{system}={made(command[1])}")
    assert scores(*found) == [4 / 12, 9 / 12]


def test_rows_that_have_nested_values_beside_their_score_stay_rows(tmp_path: Path) -> None:
    rows = [{**row, "messages": [{"role": "user"}, {"role": "assistant"}], "spec": {"a": 1}} for row in ROWS]
    file = tmp_path / "t.jsonl"
    file.write_text(lines(rows), encoding="utf-8")
    assert scores(file) == [4 / 12, 9 / 12]


def test_systems_inside_items_and_lists_of_systems_have_commands(tmp_path: Path) -> None:
    file = tmp_path / "inside.json"
    file.write_text(json.dumps({f"q{i}": {"gpt": i % 2, "bert": 1} for i in range(8)}), encoding="utf-8")
    said = outscore("compare", file).err
    assert "{item: {system: score}} or {system: {item: score}}" in said
    assert scores(made(said.split("make lines of it: ")[1].split("; or, ")[0])) == [0.5, 1.0]
    rows = {system: [{"item": i, "score": (i * k) % 2} for i in range(8)] for k, system in enumerate("xy", 1)}
    file = tmp_path / "lists.json"
    file.write_text(json.dumps(rows), encoding="utf-8")
    said = outscore("compare", file).err
    assert "to read the first alone: " in said
    assert scores(made(said.split("make lines of it: ")[1].split("; or, ")[0])) == [0.5, 0.0]
