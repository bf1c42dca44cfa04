"""Layouts that users of no known tool have: read at once, or the option that the message names reads them.

They were invented by somebody who did not know the readers; each is of the same two systems, which are right on 8
and 14 of 20 items.
"""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commandline import outscore

N = 20
RIGHT = {"llama": [int(i % 5 < 2) for i in range(N)], "qwen": [int(i % 10 < 7) for i in range(N)]}
GAIN = 0.3
LABELS = [("yes", "no", "maybe")[i % 3] for i in range(N)]
SAID = {
    system: [label if right else "?" for label, right in zip(LABELS, of_system, strict=True)]
    for system, of_system in RIGHT.items()
}


def table(rows: list[list[Any]], delimiter: str = ",") -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return text.getvalue()


def lines(rows: list[Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def every() -> list[tuple[str, int, int]]:
    return [(system, i, right) for system, of_system in RIGHT.items() for i, right in enumerate(of_system)]


READ: dict[str, dict[str, str]] = {
    "predictions of systems beside the labels": {
        "a.json": json.dumps({"experiment": "v3", "labels": LABELS, "predictions": SAID})
    },
    "the same as numbers": {
        "a.json": json.dumps(
            {"targets": [0] * N, "preds": {s: [1 - right for right in of] for s, of in RIGHT.items()}, "accuracy": 0.5}
        )
    },
    "scores of systems beside the ids": {"a.json": json.dumps({"ids": [*range(N)], "scores": RIGHT})},
    "scores and ids beside a mean": {
        f"{s}.json": json.dumps({"model": s, "n": N, "mean": 0.5, "scores": of, "ids": [f"e{i}" for i in range(N)]})
        for s, of in RIGHT.items()
    },
    "outputs of systems beside the gold of a row": {
        "a.json": json.dumps(
            [
                {"id": i, "text": "t", "gold": LABELS[i], "outputs": {s: of[i] for s, of in SAID.items()}}
                for i in range(N)
            ]
        )
    },
    "items of seeds": {
        f"{s}.json": json.dumps({f"seed_{k}": {f"i{i}": x for i, x in enumerate(of)} for k in (1, 2)})
        for s, of in RIGHT.items()
    },
    "an index beside sentences": {
        "gold.tsv": table([["index", "sentence", "label"], *([i, f"s{i}", x] for i, x in enumerate(LABELS))], "\t")
    }
    | {f"{s}.tsv": table([["index", "prediction"], *map(list, enumerate(of))], "\t") for s, of in SAID.items()},
}
"""Files that are read as they are."""

ASKED: dict[str, dict[str, str]] = {
    "responses of a question": {
        "a.json": json.dumps(
            [
                {
                    "question_id": i + 80,
                    "responses": [{"model": s, "text": "-", "rating": of[i]} for s, of in RIGHT.items()],
                }
                for i in range(N)
            ]
        )
    },
    "items of tasks": {
        f"{s}.json": json.dumps(
            {
                "config": {"model": s},
                "tasks": [
                    {"task": t, "items": [{"id": f"{t}{i}", "pred": of[i], "gold": LABELS[i]} for i in range(k, N, 2)]}
                    for k, t in enumerate(("boolq", "rte"))
                ],
            }
        )
        for s, of in SAID.items()
    },
    "objects for output and score": {
        f"{s}.jsonl": lines(
            [
                {"input": {"q": i}, "output": {"answer": "a"}, "score": {"value": x, "reason": "-"}}
                for i, x in enumerate(of)
            ]
        )
        for s, of in RIGHT.items()
    },
    "numbers of systems on tasks": {
        "a.json": json.dumps({f"t{i}": {s: {"accuracy": of[i], "n": 9} for s, of in RIGHT.items()} for i in range(N)})
    },
    "measures of systems inside": {
        "a.jsonl": lines(
            [{"id": i, "results": {s: {"f1": of[i], "latency_ms": 9} for s, of in RIGHT.items()}} for i in range(N)]
        )
    },
    "measures in a list": {
        f"{s}.jsonl": lines(
            [
                {"dialogue_id": f"d{i}", "messages": [{"role": "u"}], "evals": [{"name": "helpful", "value": x}]}
                for i, x in enumerate(of)
            ]
        )
        for s, of in RIGHT.items()
    },
    "tasks of a model": {
        "a.json": json.dumps(
            {
                "results": [
                    {"model": s, "tasks": [{"task": f"t{i}", "right": x} for i, x in enumerate(of)]}
                    for s, of in RIGHT.items()
                ]
            }
        )
    },
    "rows of systems without ids": {
        "a.json": json.dumps({s: [{"answer": "-", "score": x} for x in of] for s, of in RIGHT.items()})
    },
    "seeds in headers": {
        "a.csv": table(
            [["item", *(f"{s}_seed{k}" for s in RIGHT for k in (1, 2))]]
            + [[i, *(of[i] + k / 100 for of in RIGHT.values() for k in (0, i % 2))] for i in range(N)]
        )
    },
}
"""Files that the last option or systems of the message read."""

TOLD: dict[str, tuple[dict[str, str], list[str], str]] = {
    "a log of measures": (
        {
            "a.csv": table(
                [["time", "run_name", "example_id", "metric_name", "metric_value"]]
                + [
                    [f"10:00:{k}", s, i, m, x]
                    for k, (s, i, x) in enumerate(every())
                    for m, x in (("em", x), ("tokens", k))
                ]
            )
        },
        ["-c", "system=run_name", "-c", "metric=metric_name", "-c", "score=metric_value", "-m", "em"],
        "; say what 'run_name', 'metric_name' tell apart",
    ),
    "semicolons and other languages": (
        {"a.csv": table([["Frage", "Modell", "Punkte"], *([i, s, x] for s, i, x in every())], ";")},
        ["-c", "item=Frage", "-c", "system=Modell", "-c", "score=Punkte"],
        "-c system=COLUMN -c item=COLUMN",
    ),
}
"""Files whose columns only a person can name: the message, and the options that follow from it."""


def written(files: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(folder)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [*files]


def gain(*words: str) -> float:
    done = outscore("compare", *words, "-f", "json")
    assert done.code == 0, done.err
    return float(json.loads(done.out)["pairs"][0]["gain"])


@pytest.mark.parametrize("name", READ)
def test_a_layout_is_read(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert gain(*written(READ[name], tmp_path, monkeypatch)) == pytest.approx(GAIN)


@pytest.mark.parametrize("name", ASKED)
def test_the_option_that_is_named_reads_a_layout(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = written(ASKED[name], tmp_path, monkeypatch)
    refused = outscore("compare", *files)
    assert refused.code == 3
    if options := re.findall(r"--reader '[^']*'", refused.err):
        assert gain(*files, *shlex.split(options[-1])) == pytest.approx(GAIN)
    else:
        systems = re.search(r"give (.*) if they are runs", refused.err)
        assert systems is not None, refused.err
        assert gain(*shlex.split(systems[1])) == pytest.approx(GAIN)


@pytest.mark.parametrize("name", TOLD)
def test_a_message_names_the_roles_that_columns_may_have(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, options, said = TOLD[name]
    names = written(files, tmp_path, monkeypatch)
    refused = outscore("compare", *names)
    assert refused.code == 3
    assert said in refused.err
    assert gain(*names, *options) == pytest.approx(GAIN)


def test_votes_under_headers_of_words_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [[i, *(("old", "new") if i % 2 else ("new", "old")), ("Model B", "Model A")[i % 4 == 0]] for i in range(12)]
    names = written({"v.csv": table([["ID", "Model A", "Model B", "Preferred"], *rows])}, tmp_path, monkeypatch)
    assert "rank --preferences" in outscore("compare", *names).err
    done = outscore("rank", "--preferences", *names, "-f", "sentence")
    assert done.code == 0
    assert done.out.startswith("new")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.md", "| item | base | new |\n|---|:---:|--:|\n| q 1 | 0 | 1 |\n|q2|1| 1|\n| q3 | 0.5 | 0 |\n"),
        ("t.csv", '"item", "base", "new"\n"q 1", 0, 1\n"q2", 1, 1\n"q3", 0.5, 0\n'),
    ],
)
def test_the_command_that_is_named_makes_a_table(
    name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written({name: text}, tmp_path, monkeypatch)
    command = re.search(r": (sed .* > (\S+))$", outscore("compare", name).complaint)
    assert command is not None
    subprocess.run(command[1], shell=True, check=True)
    assert gain(command[2]) == pytest.approx(0.5 / 3)


def test_lists_of_labels_are_told_how_they_are_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"system": s, "item": i, "prediction": ["a", "b"], "gold": ["a"]} for s in RIGHT for i in range(N)]
    names = written({"a.jsonl": lines(rows)}, tmp_path, monkeypatch)
    assert (
        "in one text, as 'a;b', in the gold too, and score them by -m 'f1:separator=;'"
        in outscore("compare", *names).err
    )


def test_a_list_of_one_answer_is_told_how_it_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        f"{s}.json": json.dumps([{"id": i, "output": [x], "gold": LABELS[i]} for i, x in enumerate(of)])
        for s, of in SAID.items()
    }
    names = written(files, tmp_path, monkeypatch)
    said = outscore("compare", *names, "-m", "accuracy").err
    option = re.search(r"if each holds one answer, take it with (--reader '[^']+'); if labels, write", said)
    assert option is not None, said
    assert gain(*names, "-m", "accuracy", *shlex.split(option[1])) == pytest.approx(GAIN)


def test_the_only_numbers_may_be_named_as_their_column_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        f"{s}.csv": table([["index", "question", "hit"], *([i, "?", x] for i, x in enumerate(of))])
        for s, of in RIGHT.items()
    }
    names = written(files, tmp_path, monkeypatch)
    assert gain(*names, "-m", "hit") == gain(*(f"{n[:-4]}={n}" for n in names)) == pytest.approx(GAIN)
    assert gain(*(f"{n[:-4]}={n}" for n in names), "-m", "hit") == pytest.approx(GAIN)
