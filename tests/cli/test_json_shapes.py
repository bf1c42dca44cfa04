"""JSON of any shape is read, with a note that names it; where it may be several, the options that say which are."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import re
from collections.abc import Callable
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
    "a list of objects": ("", json.dumps(ROWS)),
    "an indented list": ("", json.dumps(ROWS, indent=2)),
    "indented objects": (
        "",
        "".join(json.dumps(r, indent=1) + "\n" for r in ROWS),
    ),
    "one key with a list": ("rows inside, at 'results'", json.dumps({"v": 1, "results": ROWS})),
    "scores by system": (
        "an object of lists, whose positions are the items",
        json.dumps({s: list(map(int, v)) for s, v in SCORES.items()}),
    ),
    "scores by system and item": (
        "{system: {item: score}}",
        json.dumps({s: dict(zip(ITEMS, v, strict=True)) for s, v in SCORES.items()}),
    ),
    "columns": ("an object of columns", json.dumps({key: [row[key] for row in ROWS] for key in ROWS[0]})),
    "columns of pandas": (
        "a table column by column",
        json.dumps({key: {str(k): row[key] for k, row in enumerate(ROWS)} for key in ROWS[0]}),
    ),
    "split of pandas": (
        "a table of columns and data",
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
        "rows with their scores inside 'scores'",
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
    "averages of lm-eval": (
        {"results": {"t": {"acc,none": 0.5}}, "configs": {}, "versions": {}, "n-shot": {}},
        "samples_*.jsonl",
    ),
    "an eval set of Inspect": ({"eval_set_id": "x", "tasks": [{"name": "t"}, {"name": "u"}]}, "*.eval"),
    "a folder of Inspect": ({"a.eval": {"version": 2, "status": "success", "eval": {}}}, "*.eval"),
}
"""Files without any score of an item, and what to give instead."""


def scores(*arguments: str | Path) -> list[float]:
    done = outscore("compare", *arguments, "-f", "json")
    assert done.code == 0, done.err
    return [score["score"] for score in json.loads(done.out)["scores"]]


def notes(*arguments: str | Path) -> str:
    done = outscore("compare", *arguments, "-f", "json")
    assert done.code == 0, done.err
    return " ".join(note["text"] for note in json.loads(done.out)["notes"])


@pytest.mark.parametrize("name", BOTH)
def test_a_file_of_two_systems_is_read_and_named(tmp_path: Path, name: str) -> None:
    shape, text = BOTH[name]
    file = tmp_path / "all.json"
    file.write_text(text, encoding="utf-8")
    assert scores(file, "-m", "score") == [4 / 12, 9 / 12]
    assert shape in notes(file, "-m", "score")


@pytest.mark.parametrize("name", EACH)
def test_files_of_one_system_are_read_and_named(tmp_path: Path, name: str) -> None:
    shape, texts = EACH[name]
    found = []
    for system, text in texts.items():
        file = tmp_path / f"{system}.json"
        file.write_text(text, encoding="utf-8")
        found.append(f"{system}={file}")
    assert scores(*found) == [4 / 12, 9 / 12]
    assert shape in notes(*found)


PACKED: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


@pytest.mark.parametrize("suffix", PACKED)
def test_compressed_files_are_read_whatever_compressed_them(tmp_path: Path, suffix: str) -> None:
    _, text = BOTH["an indented list"]
    file = tmp_path / f"run.json.{suffix}"
    file.write_bytes(PACKED[suffix](text.encode()))
    assert scores(file) == [4 / 12, 9 / 12]
    file.write_bytes(PACKED[suffix](text.encode())[:-9])
    done = outscore("compare", file)
    assert (done.code, len(done.err.splitlines())) == (3, 1)
    assert "broken" in done.err


def test_zstd_is_read(tmp_path: Path) -> None:
    zstd = pytest.importorskip("backports.zstd")
    file = tmp_path / "run.jsonl.zst"
    file.write_bytes(zstd.compress(lines(ROWS).encode()))
    assert scores(file) == [4 / 12, 9 / 12]


@pytest.mark.parametrize("key", ["it's", 'the "best"', "a.b"])
def test_a_list_is_found_behind_a_key_of_any_name(tmp_path: Path, key: str) -> None:
    file = tmp_path / "all.json"
    file.write_text(json.dumps({"v": 1, "deeper": {key: ROWS}}), encoding="utf-8")
    assert scores(file) == [4 / 12, 9 / 12]


NESTED = {
    "results": {
        "samples": [{"qid": i, "metrics": {"f1": int(x), "n": 3}} for i, x in zip(ITEMS, SCORES["new"], strict=True)],
        "errors": [{"qid": "a"}, {"qid": "b"}],
    }
}


def test_an_unknown_object_prints_its_paths_and_the_option_that_reads_the_likeliest(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text(json.dumps(NESTED, indent=1), encoding="utf-8")
    said = outscore("score", file).err
    assert "'results.samples' (12 with 'qid', 'metrics.f1', 'metrics.n'), 'results.errors' (2 with 'qid')" in said
    option = re.search(r"--reader '(json:\S+)'", said)
    assert option is not None
    assert option[1] == "json:rows=results.samples,item=qid,score=metrics.f1"
    done = outscore("score", file, "--reader", option[1], "-f", "json")
    assert json.loads(done.out)["scores"][0]["score"] == 9 / 12


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("json:rows=results.nothing,item=qid", "nothing stands at rows=results.nothing"),
        ("json:rows=results.samples,item=qid,score=metrics.acc", "nothing stands at 'score=metrics.acc'"),
    ],
)
def test_a_path_that_leads_nowhere_is_named(tmp_path: Path, option: str, said: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(json.dumps(NESTED), encoding="utf-8")
    done = outscore("score", file, "--reader", option)
    assert done.code == 3
    assert said in done.err
    assert "rows stand at 'results.samples'" in done.err


def test_values_around_a_row_and_keys_on_the_way_are_values_of_it(tmp_path: Path) -> None:
    value = {s: [{"id": i, "trials": [int(x), 1]} for i, x in zip(ITEMS, of, strict=True)] for s, of in SCORES.items()}
    file = tmp_path / "x.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    option = "json:rows=*.*.trials,system=@1,item=^id,sample=@3,score=@"
    assert scores(file, "--reader", option) == pytest.approx([(4 / 12 + 1) / 2, (9 / 12 + 1) / 2])
    for both in ("^id+@3", "@3+^id"):
        option = f"json:rows=*.*.trials,system=@1,item={both},score=@"
        assert scores(file, "--reader", option) == pytest.approx([(4 / 12 + 1) / 2, (9 / 12 + 1) / 2])


def test_a_case_of_deepeval_without_metrics_is_an_item_without_score(tmp_path: Path) -> None:
    files = []
    for system in SCORES:
        value = deepeval(system, "test_results", "metrics_data")
        value["test_results"][5]["metrics_data"] = None
        files.append(tmp_path / f"{system}.json")
        files[-1].write_text(json.dumps(value), encoding="utf-8")
    done = outscore("compare", *files)
    assert done.code == 3
    assert "missing (NaN) for 1 item" in done.err
    assert scores(*files, "--missing", "drop") == [4 / 11, 8 / 11]


def test_systems_of_promptfoo_stand_as_in_its_configuration_whoever_answered_first(tmp_path: Path) -> None:
    named = [{**row, "promptIdx": 0 if str(row["id"]).startswith("base") else 10} for row in PROMPTFOO]
    found = []
    for at, rows in enumerate((named, named[::-1])):
        file = tmp_path / f"out{at}.jsonl"
        file.write_text(lines(rows), encoding="utf-8")
        done = outscore("compare", file, "-m", "correct", "-f", "json", "-q")
        (pair,) = json.loads(done.out)["pairs"]
        found.append((pair["baseline"], pair["system"], pair["gain"], pair["p_value"]))
    assert found[0] == found[1]
    assert found[0][0] == "base/0"


@pytest.mark.parametrize("label", ["", None])
def test_a_provider_of_promptfoo_without_a_label_is_called_by_its_id(label: str | None, tmp_path: Path) -> None:
    rows = [
        {
            **row,
            "promptIdx": int(k >= len(ITEMS)),
            "provider": {"id": f"openai:{'ab'[k >= len(ITEMS)]}", "label": label},
        }
        for k, row in enumerate(PROMPTFOO)
    ]
    (tmp_path / "out.jsonl").write_text(lines(rows), encoding="utf-8")
    (pair,) = json.loads(outscore("compare", tmp_path / "out.jsonl", "-m", "correct", "-f", "json").out)["pairs"]
    assert (pair["baseline"], pair["system"]) == ("openai:a/0", "openai:b/1")


def test_a_result_of_promptfoo_that_ended_in_an_error_has_no_score(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text(lines([{**PROMPTFOO[0], "failureReason": 2}, *PROMPTFOO[1:]]), encoding="utf-8")
    assert "missing (NaN) for 1 item" in outscore("compare", file, "-m", "correct").err
    assert scores(file, "-m", "correct", "--missing", "drop") == [3 / 11, 9 / 11]


def test_a_log_of_evals_by_metrics_gives_a_column_for_each(tmp_path: Path) -> None:
    files = []
    for system, of in SCORES.items():
        events = [
            {"event_id": 2 * k, "sample_id": i, "type": "sampling", "data": {"sampled": ["x"]}}
            | ({"type": "metrics", "data": {"score": int(of[k]), "choice": "A"}} if kind else {})
            for k, i in enumerate(ITEMS)
            for kind in (0, 1)
        ]
        files.append(tmp_path / f"{system}.jsonl")
        files[-1].write_text(lines([{"spec": {"completion_fns": [system]}}, *events]), encoding="utf-8")
    assert scores(*files) == [4 / 12, 9 / 12]


def test_a_log_of_evals_without_scores_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    events = [{"sample_id": i, "type": "sampling", "data": {"sampled": ["x"]}} for i in ITEMS]
    file.write_text(lines([{"spec": {"completion_fns": ["a"]}}, *events]), encoding="utf-8")
    done = outscore("compare", file)
    assert done.code == 3
    assert "without a score of any sample (its events: 'sampling')" in done.err


def test_an_experiment_of_braintrust_is_paired_by_its_inputs(tmp_path: Path) -> None:
    files = []
    for system, of in SCORES.items():
        rows = [
            {"id": f"{system}{k}", "experiment_id": system, "input": {"q": i}, "output": "o", "expected": "e"}
            | {"scores": {"Factuality": int(of[k]), "Levenshtein": 0.5}, "metadata": {}}
            for k, i in enumerate(ITEMS)
        ]
        files.append(tmp_path / f"{system}.jsonl")
        files[-1].write_text(lines(rows), encoding="utf-8")
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
    files = []
    for system, right in SCORES.items():
        for kind in ("score", "result"):
            (tmp_path / kind / system).mkdir(parents=True)
        file = tmp_path / "score" / system / "BFCL_v3_simple_score.json"
        counts = {"accuracy": sum(right) / 12, "correct_count": sum(right), "total_count": 12}
        failed = [{"id": i, "valid": False} for i, x in zip(ITEMS, right, strict=True) if not x]
        file.write_text(lines([counts, *failed]), encoding="utf-8")
        assert "BFCL_v3_simple_result.json" in outscore("compare", file).err
        every = tmp_path / "result" / system / "BFCL_v3_simple_result.json"
        every.write_text(lines([{"id": i, "result": "f()"} for i in ITEMS]), encoding="utf-8")
        files.append(f"{system}={file}")
    assert scores(*files) == [4 / 12, 9 / 12]
    every.write_text(lines([{"id": i, "result": "f()"} for i in ITEMS[1:]]), encoding="utf-8")
    assert "says 9 of 12 items are right, but with" in outscore("compare", *files).err


def test_rows_that_have_nested_values_beside_their_score_stay_rows(tmp_path: Path) -> None:
    rows = [{**row, "messages": [{"role": "user"}, {"role": "assistant"}], "spec": {"a": 1}} for row in ROWS]
    file = tmp_path / "t.jsonl"
    file.write_text(lines(rows), encoding="utf-8")
    assert scores(file) == [4 / 12, 9 / 12]


def test_systems_inside_items_are_asked_about(tmp_path: Path) -> None:
    file = tmp_path / "inside.json"
    file.write_text(json.dumps({f"q{i}": {"gpt": i % 2, "bert": 1} for i in range(8)}), encoding="utf-8")
    said = outscore("compare", file).err
    option = re.search(r"for \{item: \{system: score\}\} --reader '(\S+)'", said)
    assert option is not None
    assert scores(file, "--reader", option[1]) == [0.5, 1.0]


def test_lists_of_rows_are_systems_where_they_hold_the_same_items(tmp_path: Path) -> None:
    rows = {system: [{"item": i, "score": (i * k) % 2} for i in range(8)] for k, system in enumerate("xy", 1)}
    file = tmp_path / "lists.json"
    file.write_text(json.dumps(rows), encoding="utf-8")
    assert scores(file) == [0.5, 0.0]
    rows["y"][0]["item"] = 9
    file.write_text(json.dumps(rows), encoding="utf-8")
    assert "rows stand at 'x'" in outscore("compare", file).err


def test_keys_that_are_measures_are_no_systems(tmp_path: Path) -> None:
    files = []
    for system, of in SCORES.items():
        files.append(tmp_path / f"{system}.json")
        values = {"accuracy": dict(zip(ITEMS, map(int, of), strict=True)), "latency": dict.fromkeys(ITEMS, 3)}
        files[-1].write_text(json.dumps(values), encoding="utf-8")
    assert scores(*files, "-m", "accuracy") == [4 / 12, 9 / 12]


DETAILS = [{"id": i, "ok": int(x)} for i, x in zip(ITEMS, SCORES["new"], strict=True)]
INSIDE: dict[str, Any] = {
    "a score of the whole beside those of items": {"id": "r1", "score": 0.5, "details": DETAILS},
    "numbers by item beside other values": {
        "name": "r1",
        "date": {"y": 1},
        "per": {i: row["ok"] for i, row in zip(ITEMS, DETAILS, strict=True)},
    },
    "rows by task": [{"name": "t", "rows": DETAILS[:6]}, {"name": "u", "rows": DETAILS[6:]}],
    "samples in a list": [{"id": row["id"], "rewards": [row["ok"], row["ok"]]} for row in DETAILS],
    "verdicts by system": [{"id": row["id"], "by": {"a": {"ok": 0}, "b": {"ok": row["ok"]}}} for row in DETAILS],
}


@pytest.mark.parametrize("name", INSIDE)
def test_scores_inside_are_read_or_the_option_that_is_said_reads_them(tmp_path: Path, name: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(json.dumps(INSIDE[name]), encoding="utf-8")
    done = outscore("score", file, "-f", "json")
    if done.code:
        option = re.search(r"--reader '([^']+)'", done.err)
        assert option is not None, done.err
        done = outscore("score", file, "--reader", option[1], "-f", "json")
    assert json.loads(done.out)["scores"][-1]["score"] == 9 / 12


def test_descriptions_of_items_may_hold_lists_of_numbers(tmp_path: Path) -> None:
    items, file = tmp_path / "items.jsonl", tmp_path / "x.jsonl"
    items.write_text(
        lines([{"item": i, "domain": f"d{k % 2}", "vector": [0.1, k]} for k, i in enumerate(ITEMS)]), encoding="utf-8"
    )
    file.write_text(lines(ROWS), encoding="utf-8")
    done = outscore("compare", file, "--items", items, "-f", "json")
    assert done.code == 0, done.err


BY_TASK = {
    s: {"sums": {i: int(x) for i, x in zip(ITEMS[:5], of, strict=False)},
        "words": {i: int(x) for i, x in zip(ITEMS[5:], of[5:], strict=True)}}
    for s, of in SCORES.items()
}  # fmt: skip
NAMED: dict[str, Any] = {
    "systems, tasks, items": BY_TASK,
    "systems, tasks, lists": {s: {t: [*of.values()] for t, of in tasks.items()} for s, tasks in BY_TASK.items()},
    "tasks, systems, items and objects": {
        "results": {
            t: {s: {i: {"score": x, "time": 2.5} for i, x in BY_TASK[s][t].items()} for s in SCORES}
            for t in ("sums", "words")
        }
    },
    "systems with averages": {
        s: {"overall": 0.5, "per_item": dict(zip(ITEMS, map(int, of), strict=True))} for s, of in SCORES.items()
    },
    "systems with measures": {s: {"accuracy": [*map(int, of)], "len": [3] * 12} for s, of in SCORES.items()},
    "models with lists of rows": {
        "models": [{"name": s, "results": [{"q": k, "ok": x} for k, x in enumerate(of)]} for s, of in SCORES.items()]
    },
    "rows with lists of samples by system": [
        {"problem": f"p{k}", "completions": 5, "passes": {s: [int(of[k])] * 2 for s, of in SCORES.items()}}
        for k in range(12)
    ],
    "headers and rows": {
        "headers": ["item", *SCORES],
        "rows": [[i, int(SCORES["base"][k]), int(SCORES["new"][k])] for k, i in enumerate(ITEMS)],
    },
}


@pytest.mark.parametrize("name", NAMED)
def test_every_option_that_is_said_reads_systems_with_the_same_items(tmp_path: Path, name: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(json.dumps(NAMED[name]), encoding="utf-8")
    done = outscore("compare", file, "-f", "json")
    said = re.findall(r"(?:is a system|with|say so:) --reader '([^']+)'", done.err)
    assert bool(said) == (name != "headers and rows")
    read = [outscore("compare", file, "--reader", option, "-f", "json") for option in said] or [done]
    assert all(one.code == 0 for one in read)
    found = [{row["system"]: row["score"] for row in json.loads(one.out)["scores"][:2]} for one in read]
    assert {"base": 4 / 12, "new": 9 / 12} in found


def test_names_around_rows_may_be_of_tasks(tmp_path: Path) -> None:
    files = []
    for s, tasks in BY_TASK.items():
        suites = [{"name": t, "cases": [{"case_id": k, "ok": x} for k, x in enumerate(of.values())]}
                  for t, of in tasks.items()]  # fmt: skip
        files.append(tmp_path / f"{s}.json")
        files[-1].write_text(json.dumps({"suites": suites}), encoding="utf-8")
    option = re.search(r"if the names are of tasks, --reader '([^']+)'", outscore("compare", *files).err)
    assert option is not None
    assert scores(*files, "--reader", option[1]) == [4 / 12, 9 / 12]


@pytest.mark.parametrize("keys", ["accuracy f1 recall", "bleu chrf latency tokens", "eval_loss eval_f1 eval_runtime"])
def test_measures_of_systems_are_averages_and_no_items(tmp_path: Path, keys: str) -> None:
    measures = dict.fromkeys(keys.split(), 0.5)
    (tmp_path / "m.json").write_text(json.dumps({"base": measures, "new": measures}), encoding="utf-8")
    assert "found an object of averages (" in outscore("compare", tmp_path / "m.json").err
    report = {"a": measures, "b": measures, "accuracy": 0.5}
    (tmp_path / "r.json").write_text(json.dumps(report), encoding="utf-8")
    assert "item=@1" not in outscore("compare", tmp_path / "r.json").err


@pytest.mark.parametrize("keys", ["mmlu_acc squad_f1 xsum_rouge", "f1 f2 f3", "gsm8k toxicity arc"])
def test_tasks_with_a_measure_in_their_names_are_items(tmp_path: Path, keys: str) -> None:
    values = {key: 0.5 + k / 8 for k, key in enumerate(keys.split())}
    (tmp_path / "m.json").write_text(json.dumps({"base": values, "new": values}), encoding="utf-8")
    assert scores(tmp_path / "m.json") == [0.625, 0.625]


def _nested(system: str = "") -> str:
    names = [system] if system else list(SCORES)
    rows = [
        {"meta": {"uid": i} | ({} if system else {"model": s}), "eval": {"passed": SCORES[s][k]}}
        for s in names
        for k, i in enumerate(ITEMS)
    ]
    return lines(rows)


@pytest.mark.parametrize("of_each", [False, True])
def test_ids_that_stand_inside_objects_are_not_passed_over(tmp_path: Path, of_each: bool) -> None:
    (tmp_path / "both.jsonl").write_text(_nested(), encoding="utf-8")
    for system in SCORES:
        (tmp_path / f"{system}.jsonl").write_text(_nested(system), encoding="utf-8")
    files = ["base.jsonl", "new.jsonl"] if of_each else ["both.jsonl"]
    done = outscore("compare", *(tmp_path / one for one in files))
    option = "json:item=meta.uid,score=eval.passed" + ",system=meta.model" * (not of_each)
    assert done.code == 3 and "the ids stand inside objects" in done.err and f"--reader '{option}'" in done.err
    done = outscore("compare", *(tmp_path / one for one in files), "--reader", option, "-f", "csv")
    assert done.code == 0 and ",12," in done.out, done.err


def test_scores_deep_inside_rows_are_named_with_their_paths(tmp_path: Path) -> None:
    rows = [{"uid": i, "judge": {"verdict": {"rating": k % 5}, "model": "gpt"}} for k, i in enumerate(ITEMS)]
    for name in ("both.jsonl", "new.jsonl"):
        (tmp_path / name).write_text(lines(rows), encoding="utf-8")
    option = "--reader 'json:item=uid,score=judge.verdict.rating'"
    for files in (["both.jsonl"], ["both.jsonl", "new.jsonl"]):
        done = outscore("compare", *(tmp_path / one for one in files))
        assert done.code == 3 and option in done.err and "judge.model" in done.err


def test_categories_of_bfcl_are_joined(tmp_path: Path) -> None:
    for system, wrong in (("m1", 5), ("m2", 2)):
        for category in ("simple_python", "parallel"):
            ids = [f"{category}_{i}" for i in range(12)]
            counts = {"accuracy": 1 - wrong / 12, "correct_count": 12 - wrong, "total_count": 12}
            for kind, rows in (
                ("score", [counts, *({"id": i, "valid": False} for i in ids[:wrong])]),
                ("result", [{"id": i, "result": "f()"} for i in ids]),
            ):
                file = tmp_path / kind / system / f"BFCL_v4_{category}_{kind}.json"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(lines(rows), encoding="utf-8")
    of_system = [f"{one}={tmp_path}/score/{one}/*_score.json" for one in ("m1", "m2")]
    found = json.loads(outscore("compare", *of_system, "-f", "json").out)
    assert found["scores"][0]["n_items"] == 24 and "'parallel', 'simple_python' were joined" in json.dumps(found)


RUNS = {s: {f"seed{k}": dict(zip(ITEMS, map(int, of), strict=True)) for k in range(3)} for s, of in SCORES.items()}
SAMPLES = {s: {i: [int(x)] * 3 for i, x in zip(ITEMS, of, strict=True)} for s, of in SCORES.items()}


@pytest.mark.parametrize(
    ("value", "role"),
    [(RUNS, "item=@3,score=@,run=@2"), (SAMPLES, "item=@2,score=@,sample=@3")],
    ids=["runs", "samples"],
)
def test_keys_that_would_be_parts_of_items_are_offered_as_runs_or_samples(
    tmp_path: Path, value: Any, role: str
) -> None:
    file = tmp_path / "x.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    said = re.findall(r"--reader '([^']+)'", outscore("compare", file).err)
    assert [option.partition("system=@1,")[2] for option in said[:2]] == ["item=@2+@3,score=@", role]
    done = outscore("compare", file, "--reader", said[1], "-f", "json")
    assert json.loads(done.out)["pairs"][0]["n_items"] == len(ITEMS)


def test_parts_of_tasks_with_items_of_their_own_are_offered_as_items_only(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps(BY_TASK), encoding="utf-8")
    assert "run=@" not in outscore("compare", tmp_path / "x.json").err
