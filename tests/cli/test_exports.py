"""Tables that tools export: what can be read is, with a note; what cannot is named with a recipe that works."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commandline import outscore

SCORES = {"base": [int(i % 3 == 0) for i in range(12)], "new": [int(i % 4 != 0) for i in range(12)]}
"""4 and 9 of 12."""
MEANS = [4 / 12, 9 / 12]
LANGFUSE = ("id", "timestamp", "name", "value", "traceId", "source", "dataType")


def table(file: Path, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> Path:
    with file.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([header, *rows])
    return file


def compared(*arguments: str | Path) -> dict[str, Any]:
    done = outscore("compare", *arguments, "-n", "200", "-f", "json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def means(*arguments: str | Path) -> list[float]:
    return [score["score"] for score in compared(*arguments)["scores"]]


def recipe(pattern: str, *arguments: str | Path) -> str:
    """What a refusal says is to be done."""
    done = outscore("compare", *arguments)
    assert (done.code, done.out, len(done.err.splitlines())) == (3, "", 1)
    found = re.search(pattern, done.err)
    assert found is not None, done.err
    return found[1]


def langfuse(folder: Path, system: str, traces: str, *, metrics: Sequence[str] = ("right",), more: str = "") -> Path:
    """Scores as Langfuse exports them, in an order of their own; ids are of the scores and in no two files the same."""
    header = [*LANGFUSE, *([more] if more else [])]
    rows: list[list[Any]] = [
        [
            f"{system}{m}{k}",
            f"2025-01-{k + 1:02}",
            m,
            v,
            f"{traces}{k}",
            "EVAL",
            "NUMERIC",
            *([f"i{k}"] if more else []),
        ]
        for m in metrics
        for k, v in enumerate(SCORES[system])
    ]
    return table(folder / f"{system}.csv", header, rows if system == "base" else rows[::-1])


def test_scores_of_langfuse_are_paired_by_trace_and_not_by_score(tmp_path: Path) -> None:
    found = compared(*(langfuse(tmp_path, system, "t") for system in SCORES))
    assert [score["score"] for score in found["scores"]] == MEANS
    assert found["pairs"][0]["n_items"] == 12
    (note,) = (note for note in found["notes"] if note["code"] == "langfuse_scores")
    assert note["text"] == (
        "scores of Langfuse (without 'id', 'timestamp', 'source', 'dataType'): 'traceId' is taken for the item, 'name' "
        "for the metric and 'value' for the score"
    )


def test_several_scores_of_langfuse_are_several_metrics(tmp_path: Path) -> None:
    files = [langfuse(tmp_path, system, "t", metrics=("right", "kind")) for system in SCORES]
    assert means(*files, "-m", "kind") == MEANS


def test_items_of_a_data_set_in_langfuse_go_before_traces(tmp_path: Path) -> None:
    files = [langfuse(tmp_path, system, f"t{system}", more="datasetItemId") for system in SCORES]
    assert means(*files) == MEANS


def test_traces_of_each_run_of_langfuse_are_refused_with_where_items_are(tmp_path: Path) -> None:
    files = [langfuse(tmp_path, system, f"t{system}") for system in SCORES]
    done = outscore("compare", *files)
    assert done.code == 3
    assert "no item id in common" in done.err
    assert "add a column datasetItemId, which the API names for each traceId in the datasetRunItems of" in done.err
    assert compared(*files, "-c", "item=timestamp", "-c", "score=value")["pairs"][0]["n_items"] == 12


@pytest.mark.parametrize("named", ["", "base="])
def test_a_result_of_ragas_is_named_with_options_that_read_it(named: str, tmp_path: Path) -> None:
    header = ("user_input", "retrieved_contexts", "response", "reference", "faithfulness", "relevancy")
    files = [
        table(tmp_path / f"{s}.csv", header, [(f"q{k}", "[]", "x", "y", v, 1 - v) for k, v in enumerate(of)])
        for s, of in SCORES.items()
    ]
    options = recipe(r"a result of Ragas, .*; say so: (.*)", f"{named}{files[0]}").split()
    assert means(f"base={files[0]}", f"new={files[1]}", *options) == MEANS


def test_samples_of_several_logs_of_inspect_are_named_with_the_logs(tmp_path: Path) -> None:
    header = ("sample_id", "eval_id", "log", "id", "epoch", "score_match", "score_f1")
    rows = [
        (f"{s}{k}", s, f"logs of {s}/{s}.eval", k, 1, "IC"[v], v) for s, of in SCORES.items() for k, v in enumerate(of)
    ]
    file = table(tmp_path / "samples.csv", header, rows)
    assert recipe(r"with grades of 'score_match'; give the logs .*: (outscore .*)", file) == (
        "outscore compare 'logs of base/*.eval' 'logs of new/*.eval'"
    )
    numbers = [(*row[:5], row[6]) for row in rows]
    file = table(tmp_path / "numbers.csv", [*header[:5], header[6]], numbers)
    assert recipe(r"with samples of 2 logs; give the logs .*: (outscore .*)", file)
    alone = [
        f"{s}={table(tmp_path / f'{s}.csv', [*header[:5], header[6]], [row for row in numbers if row[1] == s])}"
        for s in SCORES
    ]
    assert means(*alone, "-m", "score_f1") == MEANS


def test_samples_of_human_eval_are_numbered(tmp_path: Path) -> None:
    found = []
    for system, right in SCORES.items():
        file = tmp_path / f"{system}.jsonl_results.jsonl"
        rows = [
            {"task_id": f"HumanEval/{k}", "completion": "x", "result": "y", "passed": bool(v and sample)}
            for sample in range(2)
            for k, v in enumerate(right)
        ]
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        found.append(f"{system}={file}")
    assert means(*found, "-m", "pass_at_k:k=1") == pytest.approx([m / 2 for m in MEANS])
    assert means(*found, "-m", "pass_at_k:k=2") == pytest.approx(MEANS)


BEHIND = ("Status", "Score", "Named Scores", "Metric: tone", "Grader Reason", "Comment")


def test_a_table_of_promptfoo_has_a_system_for_each_prompt_and_provider(tmp_path: Path) -> None:
    header = ["Description", "label", *(cell for s in SCORES for cell in (f"[{s}] Say {{{{q}}}}", *BEHIND))]
    rows = [
        [
            "",
            f"q{k}",
            *(cell for of in SCORES.values() for cell in ("x", "PASS" if of[k] else "FAIL", of[k], "", 0.5, "", "")),
        ]
        for k in range(len(SCORES["base"]))
    ]
    file = table(tmp_path / "out.csv", header, rows)
    assert means(file) == pytest.approx(MEANS)
    assert means(file, "-m", "tone") == pytest.approx((0.5, 0.5))
    assert [one["system"] for one in compared(file)["scores"]] == [f"{s}/{k}" for k, s in enumerate(SCORES)]


def test_what_passed_is_read_beside_the_scores_of_promptfoo_and_errors_have_none(tmp_path: Path) -> None:
    header = ["q", *("[a] Say {{q}}", *BEHIND[:3]), *("[b] Say {{q}}", *BEHIND[:3])]
    rows = [[f"q{k}", "x", "PASS", 0.75, "", "x", "FAIL" if k % 2 else "PASS", k / 8, ""] for k in range(6)]
    file = table(tmp_path / "out.csv", header, rows)
    assert means(file) == pytest.approx((0.75, 15 / 48))
    assert means(file, "-m", "passed") == pytest.approx((1.0, 0.5))
    failed = table(tmp_path / "failed.csv", header, [*rows, ["q9", "x", "ERROR", 0.0, "", "x", "PASS", 1.0, ""]])
    assert "'score' is missing (NaN) for 1 item of system 'a/0'" in outscore("compare", str(failed)).err
    twice = table(tmp_path / "twice.csv", header, rows + rows)
    assert means(twice) == pytest.approx((0.75, 15 / 48))


def test_a_table_of_outputs_that_begin_with_a_verdict_is_read_by_it(tmp_path: Path) -> None:
    header = ["question", "expected", *(f"[openai:{s}] Say {{{{q}}}}" for s in SCORES)]
    marks = {True: "[PASS] (1.00) yes", False: "[FAIL] (0.00) no\n---\nyes"}
    rows = [[f"q{k}", "yes", *(marks[bool(of[k])] for of in SCORES.values())] for k in range(len(SCORES["base"]))]
    assert means(table(tmp_path / "out.csv", header, rows)) == pytest.approx(MEANS)
    bare = [[cell.replace(" (1.00)", "").replace(" (0.00)", "") for cell in row] for row in rows]
    assert means(table(tmp_path / "bare.csv", header, bare)) == pytest.approx(MEANS)


def test_other_tables_with_such_words_are_no_tables_of_promptfoo(tmp_path: Path) -> None:
    rows = [(s, k, "[PASS]" if x else "[FAIL]", x) for s, of in SCORES.items() for k, x in enumerate(of)]
    assert means(table(tmp_path / "long.csv", ("system", "item", "verdict", "score"), rows)) == pytest.approx(MEANS)
    last = [(s, k, x, verdict) for s, k, verdict, x in rows]
    assert means(table(tmp_path / "last.csv", ("system", "item", "score", "verdict"), last)) == pytest.approx(MEANS)
    named = [(s, k, "PASS" if x else "FAIL", x) for s, k, _, x in rows]
    assert means(table(tmp_path / "named.csv", ("system", "item", "Status", "Score"), named)) == pytest.approx(MEANS)


def test_two_lines_of_header_are_named_with_the_command_that_makes_rows(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    rows = [(s, k, run, v) for s, of in SCORES.items() for k, v in enumerate(of) for run in (1, 2)]
    frame = pandas.DataFrame(rows, columns=["system", "item", "run", "score"])
    file = tmp_path / "pivot.csv"
    frame.pivot_table(index="item", columns=["system", "run"], values="score").to_csv(file)
    command = recipe(r"two lines of header, .*; make rows of them: (python3 -c .*)", file)
    subprocess.run(command.replace("python3", sys.executable, 1), shell=True, check=True)
    found = compared(tmp_path / "pivot.long.csv")
    assert [(score["score"], len(score["runs"])) for score in found["scores"]] == [(m, 2) for m in MEANS]


def test_other_names_that_come_twice_are_to_be_told_apart(tmp_path: Path) -> None:
    file = table(tmp_path / "t.csv", ("item", "base", "new", "new"), [(k, 1, 0, 1) for k in range(4)])
    assert recipe("(give every column its own name)", file)
