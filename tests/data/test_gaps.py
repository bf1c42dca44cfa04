"""Errors of what is missing: whose it is, in which file, of which items, and remedies that work."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commandline import outscore
from tests.data.readers.test_inspect_log import HEADER, archive, log
from tests.data.readers.test_inspect_log import sample as answer
from tests.data.readers.test_lm_eval import sample as document
from tests.data.readers.test_lm_eval import write as write_task

FAST = ("-n", "200", "-j", "1", "-f", "sentence")


def scores(folder: Path, name: str, rows: Sequence[dict[str, Any]]) -> str:
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def numbered(value: float, n: int = 30, holes: Sequence[int] = (), name: str = "score") -> list[dict[str, Any]]:
    return [{"id": f"q{i}", name: None if i in holes else (i % 7 + value) / 10, "judge": i % 3} for i in range(n)]


def tasks(folder: Path, hole: bool = False) -> list[str]:
    """Two models on three tasks of the lm-evaluation-harness, only two of which have accuracies."""
    found = []
    for name, wrong in (("base", 3), ("new", 5)):
        for task in ("nli", "qa"):
            rows = [document(i, acc=float(i % wrong > 0)) for i in range(20)]
            if hole and task == "qa":
                rows[4] = document(4, acc=None)
            write_task(folder, rows, name, task)
        write_task(folder, [document(i, exact_match=float(i % wrong > 0)) for i in range(10)], name, "sums")
        found.append(f"{name}={folder}/{name}/*")
    return found


def test_tasks_that_do_not_have_a_metric_are_named_with_those_that_have_it(tmp_path: Path) -> None:
    files = tasks(tmp_path)
    done = outscore("compare", *files, "-m", "acc", *FAST)
    assert done.code == 3
    assert done.err == (
        "outscore: error: system 'base' (run '1') has 'acc' for 'nli', 'qa', but not for 'sums' (10 items); "
        "--missing drop compares 'nli', 'qa' alone\n"
    )
    done = outscore("compare", *files, "-m", "acc", *FAST, "--missing", "drop")
    assert (done.code, "40 items" in done.out) == (0, True)


def test_a_domain_that_one_system_alone_lacks_may_be_scored_zero(tmp_path: Path) -> None:
    rows = [{"id": f"q{i}", "f1": i % 4, "judge": 1, "domain": "xy"[i % 2]} for i in range(20)]
    holes = [{**row, "f1": None} if row["domain"] == "y" else row for row in rows]
    files = [f"a={scores(tmp_path, 'a', rows)}", f"b={scores(tmp_path, 'b', holes)}"]
    done = outscore("compare", *files, "-m", "f1", *FAST)
    assert "is missing (NaN) for 10 items of system 'b' (run '1'): 'q1', " in done.err
    assert "score them 0 with --missing zero if no answer is a wrong answer, or, if they were lost by" in done.err
    files[0] = f"a={scores(tmp_path, 'a', holes)}"
    done = outscore("compare", *files, "-m", "f1", *FAST)
    assert "system 'a' (run '1') has 'f1' for 'x', but not for 'y' (10 items); --missing drop compares" in done.err


def test_a_document_without_a_number_is_named_beside_tasks_without_the_metric(tmp_path: Path) -> None:
    done = outscore("compare", *tasks(tmp_path, hole=True), "-m", "acc", *FAST)
    assert "not for 'sums' (10 items), and for 1 item of these: 'qa/4'; --missing drop" in done.err


def test_a_log_of_inspect_with_samples_that_failed_is_named_with_them(tmp_path: Path) -> None:
    for name in ("base", "new"):
        marks = [{"match": {"value": "CI"[i % 2]}, "f1": {"value": i / 30}} for i in range(30)]
        if name == "new":
            marks[3] = marks[11] = {}
        rows = [answer(f"q{i:02}", scores=mark, error=None if mark else "timed out") for i, mark in enumerate(marks)]
        (tmp_path / f"{name}.eval").write_bytes(archive(log(rows)))
    files = [f"{name}={tmp_path}/{name}.eval" for name in ("base", "new")]
    done = outscore("compare", *files, "-m", "match", *FAST)
    assert done.code == 3
    assert done.err == (
        f"outscore: error: {tmp_path}/new.eval: 'match' is missing (NaN) for 2 items of system 'new' (run '1'): "
        "'q03', 'q11' (2 of 30 samples ended in an error and have no score); finish them with inspect eval-retry; or "
        "mend the file, score them 0 with --missing zero if no answer is a wrong answer, or, if they were lost by "
        "chance, drop such items in all systems with --missing drop\n"
    )
    for way, items in (("drop", 28), ("zero", 30)):
        done = outscore("compare", *files, "-m", "match", *FAST, "--missing", way)
        assert (done.code, f"{items} items" in done.out) == (0, True)


def test_of_several_metrics_the_first_that_lacks_a_number_is_named(tmp_path: Path) -> None:
    rows = [{"id": f"q{i}", "f1": None if i == 2 else i, "judge": None if i == 5 else i} for i in range(9)]
    files = [f"{name}={scores(tmp_path, name, rows)}" for name in "ab"]
    for first, other, item in (("judge", "f1", "q5"), ("mean:column=f1", "judge", "q2")):
        done = outscore("compare", *files, "-m", f"{first},{other}", *FAST)
        assert f"is missing (NaN) for 1 item of system 'a' (run '1'): {item!r}, and " in done.err


def test_a_zero_is_not_offered_where_it_would_be_the_best_score(tmp_path: Path) -> None:
    scores(tmp_path, "a", numbered(0, name="wer"))
    scores(tmp_path, "b", numbered(1, holes=[4], name="wer"))
    files = (f"a={tmp_path}/a.jsonl", f"b={tmp_path}/b.jsonl")
    done = outscore("compare", *files, "-m", "mean:column=wer,lower=true", *FAST)
    assert done.code == 3
    assert done.err.endswith("'q4'; mend the file, or drop such items in all systems with --missing drop\n")


@pytest.mark.parametrize("holes", [[4], []])
def test_of_three_systems_pairs_of_their_own_items_are_offered(holes: list[int], tmp_path: Path) -> None:
    rows = {"a": numbered(0), "b": numbered(1, holes=holes), "c": numbered(2, n=30 if holes else 29)}
    files = [scores(tmp_path, name, of) for name, of in rows.items()]
    done = outscore("compare", *files, "-m", "mean", *FAST)
    assert done.code == 3
    assert "take for each pair what both have with --missing pairwise of compare or correlate" in done.err
    assert outscore("compare", *files, "-m", "mean", *FAST, "--missing", "pairwise").code == 0
    done = outscore("compare", *(files[i] for i in ((0, 1) if holes else (0, 2))), "-m", "mean", *FAST)
    assert "--missing drop" in done.err
    assert "--missing pairwise" not in done.err, "of two systems it is the same"


@pytest.mark.parametrize("missing", ["error", "drop", "zero", "pairwise"])
def test_ids_of_which_each_model_has_its_own_are_shown(missing: str, tmp_path: Path) -> None:
    rows = {model: [{"id": f"{model}-{i}", "score": i % 3} for i in range(30)] for model in ("gpt", "llama")}
    files = [scores(tmp_path, model, of) for model, of in rows.items()]
    done = outscore("compare", *files, *FAST, "--missing", missing)
    assert done.code == 3
    assert done.err == (
        f"outscore: error: {files[1]}: system 'llama' (run '1') has no item id in common with system 'gpt' (run '1') "
        f"in {files[0]}: 'llama-0', 'llama-1', 'llama-2' and 27 more here, 'gpt-0', 'gpt-1', 'gpt-2' and 27 more "
        "there; give each item the same id in all files, or say which column has it: -c item=COLUMN, or -c item=@row "
        "where all hold the same items in the same order; answers to different items are compared by outscore "
        "compare --test welch and its kind\n"
    )
    assert outscore("compare", *files, *FAST, "-c", "item=@row").code == 0
    assert outscore("compare", "--test", "welch", *files, "-f", "sentence").code == 0


def test_a_system_without_any_number_is_not_told_to_drop_all_items(tmp_path: Path) -> None:
    files = [scores(tmp_path, "a", numbered(0)), scores(tmp_path, "b", numbered(1, holes=range(30)))]
    done = outscore("compare", *files, "-m", "mean", *FAST)
    assert done.code == 3
    assert "--missing" not in done.err


def failing(folder: Path, name: str, status: str, fails: Sequence[int], n: int = 30) -> str:
    rows = [answer(f"q{i:02}", error="timed out" if i in fails else None) for i in range(n)]
    header = HEADER | {"status": status, "eval": {"task": "sums", "model": f"org/{name}"}}
    (folder / f"{name}.eval").write_bytes(archive(log(rows, header)))
    return str(folder / f"{name}.eval")


def test_why_numbers_are_missing_is_told_with_the_error(tmp_path: Path) -> None:
    files = [failing(tmp_path, "base", "success", []), failing(tmp_path, "new", "error", [3])]
    done = outscore("compare", *files, *FAST)
    assert (done.code, len(done.err.splitlines())) == (3, 1)
    assert (
        "1 item of system 'org/new' (run '1'): 'q03' (the status of the evaluation is 'error', not 'success'; it holds "
        "30 samples; 1 of 30 samples ended in an error and have no score); finish it with inspect eval-retry; or mend "
        "the file, score them 0 with --missing zero"
    ) in done.err


def test_why_items_are_missing_is_told_with_the_error(tmp_path: Path) -> None:
    files = [failing(tmp_path, "base", "success", []), failing(tmp_path, "new", "cancelled", [], n=20)]
    done = outscore("compare", *files, *FAST)
    assert (done.code, len(done.err.splitlines())) == (3, 1)
    assert (
        f"which {files[0]} has (the status of the evaluation is 'cancelled', not 'success'; it holds 20 samples); "
        "finish it with inspect eval-retry; or mend the file"
    ) in done.err
    done = outscore("compare", *reversed(files), *FAST)
    assert "'cancelled'" in done.err, "also where the log that is not whole stands first"
