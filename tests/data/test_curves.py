"""Rows of steps, resamples and settings, which are no items, and ranks of systems, of which less is better."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commandline import Done, outscore

N = 20
SCORES = [(i * 7 % 11 / 11, i * 5 % 13 / 13) for i in range(N)]
NO_ITEMS = "and no items; give the table that has a score for each item"


def table(folder: Path, header: str, rows: Sequence[Sequence[Any]], name: str = "t.csv") -> str:
    file = folder / name
    file.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8")
    return str(file)


def compare(*words: str) -> Done:
    return outscore("compare", *words, "-n", "200", "-f", "json")


@pytest.mark.parametrize("name", ["step", "epoch", "global_step", "bootstrap", "resample", "k", "percentile"])
def test_rows_of_steps_and_resamples_are_no_items(name: str, tmp_path: Path) -> None:
    wide = table(tmp_path, f"{name},base,new", [(i, *scores) for i, scores in enumerate(SCORES)])
    long = [(system, i, scores[at]) for at, system in enumerate(("base", "new")) for i, scores in enumerate(SCORES)]
    files = [table(tmp_path, f"{name},acc", [(i, s[at]) for i, s in enumerate(SCORES)], f"{at}.csv") for at in (0, 1)]
    for done in (compare(wide), compare(table(tmp_path, f"model,{name},acc", long, "l.csv")), compare(*files)):
        assert done.code == 3
        assert f"each row is another {name!r}" in done.err
        assert NO_ITEMS in done.err
        assert "item=" not in done.err


@pytest.mark.parametrize("said", [(), ("-c", "system=@columns", "-c", "label=Step"), ("-c", "item=Step")])
def test_extremes_of_curves_are_no_systems(said: tuple[str, ...], tmp_path: Path) -> None:
    curves = [f"{run} - eval/acc{end}" for run in ("a", "b") for end in ("", "__MIN", "__MAX")]
    rows = [(i * 100, *(a, a, a), *(b, b, b)) for i, (a, b) in enumerate(SCORES)]
    done = compare(table(tmp_path, ",".join(["Step", *curves]), rows), *said)
    assert done.code == 3
    assert NO_ITEMS in done.err


def test_a_log_of_training_in_json_holds_no_items(tmp_path: Path) -> None:
    log = [{"epoch": i / 2, "step": i * 10, "eval_loss": a, "eval_accuracy": b} for i, (a, b) in enumerate(SCORES)]
    file = tmp_path / "trainer_state.json"
    file.write_text(json.dumps({"best_metric": 0.7, "log_history": log, "max_steps": 200}), encoding="utf-8")
    done = compare(f"a={file}", f"b={file}")
    assert done.code == 3
    assert NO_ITEMS in done.err
    assert "item=" not in done.err


@pytest.mark.parametrize(
    ("name", "of", "said"),
    [("date", "2024-05-{:02d}", "an item of its own"), ("iteration", "{}", "a repetition of its own, as of timings")],
)
def test_dates_and_repetitions_may_be_items_where_the_user_says_so(
    name: str, of: str, said: str, tmp_path: Path
) -> None:
    file = table(tmp_path, f"{name},base,new", [(of.format(i + 1), *scores) for i, scores in enumerate(SCORES)])
    assert f"if each is {said}, say -c item={name}" in compare(file).err
    assert compare(file, "-c", f"item={name}").code == 0


@pytest.mark.parametrize(
    ("header", "first", "said"),
    [
        ("id,step", lambda i: (f"q{i}", i), ("-c", "label=step")),
        ("city,epoch", lambda i: (f"c{i}", i + 1), ("-c", "item=city", "-c", "label=epoch")),
        ("item,k", lambda i: (f"q{i}", i), ("-c", "label=k")),
        ("name,percentile", lambda i: (f"n{i}", i), ("-c", "item=name", "-c", "label=percentile")),
        ("steps", lambda i: (i * 3 % 7,), ("-c", "item=@row", "-c", "label=steps")),
    ],
)
def test_items_with_steps_are_read(header: str, first: Any, said: tuple[str, ...], tmp_path: Path) -> None:
    file = table(tmp_path, f"{header},base,new", [(*first(i), *scores) for i, scores in enumerate(SCORES)])
    done = compare(file, *said)
    assert done.code == 0, done.err
    assert json.loads(done.out)["pairs"][0]["n_items"] == N


def test_ranks_are_no_scores_of_which_more_is_better(tmp_path: Path) -> None:
    ranks = [*permutations((1, 2, 3))][:4] * 5  # the first has 1 and 2, the last mostly 2 and 3
    done = compare(file := table(tmp_path, "item,a,b,c", [(i, *of) for i, of in enumerate(ranks)]))
    assert done.code == 3
    assert "add -m mean:lower=true if 1 is the best, or -c system=@columns if more is better" in done.err
    best, worst = "-m mean:lower=true", "-c system=@columns"
    found = [json.loads(compare(file, *shlex.split(said)).out)["pairs"][0]["gain"] for said in (best, worst)]
    assert found == [pytest.approx(-0.75), pytest.approx(0.75)]


def test_ranks_of_annotators_are_counted_as_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ranks = [*permutations((1, 2, 3))][:4]
    rows = [(who, i, *ranks[i % 4]) for who in ("ann", "bob") for i in range(12)]
    monkeypatch.chdir(tmp_path)
    table(tmp_path, "annotator,item,a,b,c", rows)
    done = compare("t.csv")
    assert done.code == 3
    first, second = re.findall(r"outscore (convert .*) && outscore (rank .*--lower);", done.err)[0]
    assert outscore(*shlex.split(first)).code == 0
    done = outscore(*shlex.split(second), "-f", "json")
    assert done.code == 0, done.err
    assert "a is expected to win most" in outscore(*shlex.split(second)).out


@pytest.mark.parametrize(
    "rows",
    [
        [(i % 5 + 1, i % 4 + 1, i % 3 + 1) for i in range(N)],  # ratings
        [(i % 2, 1 - i % 2) for i in range(N)],  # right and wrong
        [(1, 2, 3)] * 3,  # too few to tell
    ],
)
def test_ratings_and_marks_are_no_ranks(rows: Sequence[tuple[float, ...]], tmp_path: Path) -> None:
    done = compare(table(tmp_path, "item,a,b,c"[: 4 + 2 * len(rows[0])], [(f"q{i}", *of) for i, of in enumerate(rows)]))
    assert done.code == 0, done.err
