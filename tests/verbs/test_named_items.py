"""Errors name an item by its id, where the data have ids; notes fit the test and the units that they speak of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import outscore
from outscore.base.errors import InputError
from tests.cli.commandline import outscore as command


@pytest.mark.parametrize(
    ("metric", "cell", "says"),
    [
        ("accuracy", "7", "from 0 to 1, but item 'q9' has 7"),
        ("win_rate", "7", "from 0 to 1, but item 'q9' has 7"),
        ("pass_at_k:k=1", "0.5", "right (1) or wrong (0), but item 'q9' has 0.5"),
    ],
)
def test_a_number_that_a_metric_refuses_is_that_of_an_id(metric: str, cell: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    rows = [f"{s},q{i},{k},{cell if (s, i, k) == ('b', 9, 1) else i % 2}" for s in "ab" for i in (7, 9) for k in (0, 1)]
    file.write_text("system,item,sample,score\n" + "\n".join(rows) + "\n", encoding="utf-8")
    done = command("compare", file, "-m", metric)
    assert (done.code, says in done.err) == (3, True), done.err


def test_without_ids_an_item_is_named_by_its_place() -> None:
    with pytest.raises(InputError, match="but item 2 has 7"):
        outscore.compare({"a": [0.0, 1.0, 1.0], "b": [1.0, 7.0, 0.0]}, metrics="accuracy")


def notes(done: Any, code: str) -> list[str]:
    assert done.code == 0, done.err
    return [f"{n['text']}. {n['remedy']}" for n in json.loads(done.out)["notes"] if n["code"] == code]


def test_randomization_is_not_told_to_be_used_where_it_is_the_test(tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_text("a b c d\n" * 12, encoding="utf-8")
    (tmp_path / "base.txt").write_text("a b c\n" * 12, encoding="utf-8")
    files = ("-r", tmp_path / "ref.txt", f"a={tmp_path}/base.txt", f"b={tmp_path}/ref.txt", "-m", "wer", "-f", "json")
    (said,) = notes(command("compare", *files), "zero_variance")
    assert said.startswith("the difference is the same on every item: p stands, as it needs no variance")
    assert "randomization" not in said
    (said,) = notes(command("compare", *files, "--test", "bootstrap"), "zero_variance")
    assert said.startswith("the difference is the same on every item: a t or bootstrap p-value means nothing")
    assert said.endswith("use --test randomization, which is exact where outputs are exchangeable")


def test_of_clusters_that_do_not_vary_the_note_says_clusters() -> None:
    base = [i / 50 for i in range(24)]
    data = {"a": base, "b": [score + 0.25 for score in base]}
    documents = {"document": [f"d{i // 4}" for i in range(24)]}
    found = outscore.compare(data, metrics="mean", items=documents, cluster="document", n_resamples=200)
    (note,) = [note for note in found.notes if note.code == "zero_variance"]
    assert "the same on every cluster:" in note.text
