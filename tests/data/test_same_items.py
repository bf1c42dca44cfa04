"""Files that share ids or lines, but speak of other items, are refused with the first item that differs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commandline import Done, outscore
from tests.data.readers.test_inspect_log import HEADER, archive, log, sample

Change = Callable[[int], dict[str, Any]]
N = 12


def logged(folder: Path, name: str, task: str, change: Change = lambda i: {}) -> str:
    """A log of a model of this name: ``What is i+1?`` and its answer, unless an item is changed."""
    rows = [
        sample(i, input=f"What is {i}+1?", target=str(i + 1), scores={"match": {"value": "CI"[i % 3 == 0]}}) | change(i)
        for i in range(N)
    ]
    header = HEADER | {"eval": {"task": task, "model": f"org/{name}"}}
    path = folder / f"{name}.eval"
    path.write_bytes(archive(log(rows, header)))
    return str(path)


def compared(*files: str, metric: str = "match") -> Done:
    return outscore("compare", *files, "-m", metric, "-n", "200", "-j", "1", "-f", "sentence")


def refused(done: Done) -> str:
    assert (done.code, done.out, len(done.err.splitlines())) == (3, "", 1)
    return done.err


def test_another_task_with_the_same_ids_is_refused(tmp_path: Path) -> None:
    base = logged(tmp_path, "base", "sums")
    said = refused(compared(base, logged(tmp_path, "new", "plus", lambda i: {"input": f"Add 1 to {i}."})))
    assert said.startswith(
        f"outscore: error: {tmp_path}/new.eval: item '0' has the input 'Add 1 to 0.', but 'What is 0+1?' in {base} "
        "(of task 'plus' here and 'sums' there); give logs of one task"
    )


@pytest.mark.parametrize("task", ["sums", "plus"])
def test_a_target_that_differs_is_refused_whatever_the_task_is_called(task: str, tmp_path: Path) -> None:
    base = logged(tmp_path, "base", "sums")
    said = refused(compared(base, logged(tmp_path, "new", task, lambda i: {"target": "0"} if i == 7 else {})))
    assert f"{tmp_path}/new.eval: item '7' has the target '0', but '8' in {base}" in said


@pytest.mark.parametrize(
    ("task", "change"),
    [
        ("sums", lambda i: {"input": f"Think step by step. {i} and 1 is?"}),  # one task, another template
        ("sums.v2", lambda i: {}),  # another name for the same
        ("sums.v2", lambda i: {"input": "2 plus 1, please?"} if i == 2 else {}),  # few inputs are worded otherwise
        ("sums", lambda i: {"target": None}),  # a log that does not say it
        ("sums", lambda i: {"input": [{"role": "user", "content": f"What is {i}+1?", "id": "x9"}]}),
    ],
)
def test_the_same_questions_may_be_put_in_other_words(task: str, change: Change, tmp_path: Path) -> None:
    done = compared(logged(tmp_path, "base", "sums"), logged(tmp_path, "new", task, change))
    assert done.code == 0, done.err


def test_choices_may_stand_in_another_order(tmp_path: Path) -> None:
    base = logged(tmp_path, "base", "sums", lambda i: {"target": "A"})
    assert compared(base, logged(tmp_path, "new", "sums", lambda i: {"target": "BC"[i % 2]})).code == 0
    said = refused(compared(base, logged(tmp_path, "new", "sums", lambda i: {"target": "B", "input": "Which?"})))
    assert "item '0' has the target 'B', but 'A'" in said


def test_tasks_of_one_system_may_have_equal_ids(tmp_path: Path) -> None:
    files = []
    for name in ("base", "new"):
        folder = tmp_path / name
        folder.mkdir()
        logged(folder, "a", "sums")
        logged(folder, "b", "products", lambda i: {"input": f"{i}*1?", "target": str(i)})
        files.append(f"{name}={folder}/*.eval")
    done = compared(*files)
    assert (done.code, "24 items" in done.out) == (0, True)
    logged(tmp_path / "new", "b", "products", lambda i: {"input": f"{i}*2?", "target": str(2 * i)})
    assert "item '1' has the target '2', but '1' in" in refused(compared(*files))


def segments(folder: Path, name: str, **changes: Any) -> str:
    rows = [
        {"src": f"satz {i}", "mt": f"{name} {i}", "ref": f"line {i}", "COMET": (i % 5 + len(name)) / 10} | changes
        for i in range(N)
    ]
    path = folder / f"{name}.json"
    path.write_text(json.dumps({f"out/{name}.txt": rows}), encoding="utf-8")
    return str(path)


def test_translations_of_another_source_are_refused(tmp_path: Path) -> None:
    base = segments(tmp_path, "base")
    assert compared(base, segments(tmp_path, "new"), metric="comet").code == 0
    said = refused(compared(base, segments(tmp_path, "new", src="anders"), metric="comet"))
    assert f"new.json: item '1' has source 'anders' for system 'new' but 'satz 0' for system 'base' ({base})" in said
    said = refused(compared(base, segments(tmp_path, "new", ref="other"), metric="comet"))
    assert "item '1' has the reference 'other' for system 'new' but 'line 0'" in said


def test_scores_of_xcomet_are_not_compared_with_those_of_other_models(tmp_path: Path) -> None:
    spans = [{"text": "x", "confidence": 0.5, "severity": "minor", "start": 1, "end": 2}]
    both = [segments(tmp_path, "base", errors=spans), segments(tmp_path, "new", errors=[])]
    assert compared(*both, metric="comet").code == 0
    rows = json.loads(Path(both[1]).read_text(encoding="utf-8"))
    del rows["out/new.txt"][0]["errors"]  # as it writes a segment without any
    Path(both[1]).write_text(json.dumps(rows), encoding="utf-8")
    assert compared(*both, metric="comet").code == 0
    said = refused(compared(both[0], segments(tmp_path, "new"), metric="comet"))
    assert f"new.json: holds scores of a model of COMET that finds no spans of errors, but {both[0]} holds" in said
