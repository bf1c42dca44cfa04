"""The same items in another order, in files of the same names, give the same bytes, whatever draws from them.

Tables have their rows shuffled, but for one of each system at the top, as systems are listed in the order of their
first rows; plain lines move together in all files of a length. Where the order is the question, it changes the answer.
"""

from __future__ import annotations

import json
import random
import shutil
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from tests.cli.commandline import outscore as run
from tests.contract.test_seeded_numbers import EXAMPLES, INVOCATIONS, TWO, make_tables

OF_ORDER = {
    "study size": INVOCATIONS["study size"],
    "study domain": INVOCATIONS["study domain"],
    "sequential, as given": ("sequential", "scores.csv#small", "scores.csv#large", "-m", "accuracy"),
    "sample size, as given": (
        "study", "sample-size", "base=base.seg", "new=new.seg", "-n", "99", "--versions", "20", "--subsamples", "2",
        "--order", "given",
    ),
}  # fmt: skip
FURTHER: dict[str, tuple[str, ...]] = {
    "by a column": ("compare", "scores.csv", "-m", "accuracy", "--by", "domain", "-n", "200"),
    "by length": ("compare", *TWO, "-m", "chrf", "--by", "length", "-n", "200"),
    "words": ("compare", *TWO, "-m", "bleu", "--show-words=5", "-n", "200"),
    "friedman": ("compare", "shared-task.csv", "-m", "mean", "--test", "friedman", "-n", "200"),
    "samples": ("compare", "samples.csv", "-m", "pass-at-k:k=3", "-n", "200"),
    "rows as items": ("rank", "--preferences", "preferences.csv", "-c", "item=@row", "-n", "200"),
    "wins": ("rank", "--wins", "preferences.csv"),
    "sample size": tuple("random" if word == "given" else word for word in OF_ORDER["sample size, as given"]),
    "random parts": (*INVOCATIONS["study size"], "--pick", "random"),
    "random domains": (*INVOCATIONS["study domain"], "--pick", "random"),
    "data sets": ("study", "all-pairs", "scores.csv", "--set", "domain", "-m", "accuracy", "-n", "200"),
}
LIKE_OTHERS = ("compare, another seed", "compare, plain relabelling", "power", "study gain", *OF_ORDER)
LAWS = {name: call for name, call in {**INVOCATIONS, **FURTHER}.items() if name not in LIKE_OTHERS}
QUICK = ("compare f1", "test independent", "judge", "rows as items", "wins")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The examples, and the same with their items in another order."""
    root, rng = tmp_path_factory.mktemp("order"), random.Random(5)
    shutil.copytree(EXAMPLES, root / "given")
    make_tables(root / "given" / "made")
    shutil.copytree(root / "given", root / "shuffled")
    by_length = defaultdict(list)
    for file in sorted((root / "shuffled").rglob("*.*")):
        if file.suffix in (".csv", ".tsv"):
            shuffle_rows(file, rng)
        elif file.suffix in (".txt", ".seg"):
            by_length[len(lines_of(file))].append(file)
    for files in by_length.values():
        order = rng.sample(range(len(lines_of(files[0]))), len(lines_of(files[0])))
        for file in files:
            write(file, [lines_of(file)[i] for i in order])
    return root / "given", root / "shuffled"


def lines_of(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


def write(file: Path, lines: Sequence[str]) -> None:
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def shuffle_rows(file: Path, rng: random.Random) -> None:
    head, *rows = lines_of(file)
    names, mark = head.replace("\t", ",").split(","), "\t" if file.suffix == ".tsv" else ","
    systems = [row.split(mark)[names.index("system")] for row in rows] if "system" in names else []
    order = rng.sample(range(len(rows)), len(rows))
    first = [next(i for i in order if systems[i] == system) for system in dict.fromkeys(systems)]
    write(file, [head, *(rows[i] for i in [*first, *(i for i in order if i not in first)])])


def answers(folders: tuple[Path, Path], call: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    found = []
    for folder in folders:
        monkeypatch.chdir(folder)
        done = run(*(word.replace("{made}", "made") for word in call), "-f", "json")
        assert done.code == 0, done.err
        found.append(json.loads(done.out, object_hook=lambda part: part | {"sha256": ""}))
    return found


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in LAWS]
)
def test_the_order_of_items_changes_nothing(
    name: str, folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    given, shuffled = answers(folders, LAWS[name], monkeypatch)
    assert given == shuffled


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_ORDER)
def test_it_changes_the_answer_where_it_is_the_question(
    name: str, folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    given, shuffled = answers(folders, OF_ORDER[name], monkeypatch)
    assert given != shuffled


def test_names_places_and_runs_in_another_order_change_signs_alone(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folders[0])
    options: dict[str, Any] = {"metrics": "accuracy", "test": "bootstrap:exact=never", "n_resamples": 300}
    rng = np.random.default_rng(2)
    scores = {name: rng.binomial(1, share, 90).tolist() for name, share in (("x", 0.6), ("y", 0.7), ("z", 0.75))}
    first = outscore.compare(scores, all_pairs=True, **options).pairs
    other = outscore.compare({f"new {name}": scores[name] for name in "zxy"}, all_pairs=True, **options).pairs
    p = {frozenset((one.system, one.baseline)): (one.p_value, abs(one.gain)) for one in first}
    assert {frozenset((one.system[4:], one.baseline[4:])): (one.p_value, abs(one.gain)) for one in other} == p
    runs = [f"tuned.run{k}.txt" for k in (1, 2, 3)]
    found = [
        outscore.compare(
            outscore.read(["base=baseline.run*.txt", f"new={','.join(files)}"], references="ref.txt"),
            metrics="bleu",
            test="multibootstrap",
            n_resamples=200,
        )
        for files in (runs, runs[::-1])
    ]
    assert found[0].pairs == found[1].pairs and found[0].scores == found[1].scores


def test_items_without_ids_are_known_by_their_references_then_by_all_that_there_is() -> None:
    """Another system changes nothing where references tell items apart, and no item can be taken for another."""
    rng = np.random.default_rng(3)
    gold = [f"w{i} v{i % 7}" for i in range(60)]
    texts = {
        name: [line if rng.random() < 0.6 else f"w{rng.integers(60)}" for line in gold] for name in ("a", "b", "c")
    }
    few, more = (
        outscore.compare(
            {k: texts[k] for k in names}, references=gold, metrics="chrf", test="bootstrap", n_resamples=200
        )
        for names in ("ab", "abc")
    )
    assert few.pairs[0].p_value == more.pairs[0].p_value
    order = rng.permutation(60)
    labels = {name: [str(x) for x in rng.integers(3, size=60)] for name in ("gold", "a", "b")}
    one, other = (
        outscore.compare(
            {k: [labels[k][i] for i in rows] for k in "ab"}, references=[labels["gold"][i] for i in rows],
            metrics="f1", test="bootstrap", n_resamples=200,
        )
        for rows in (range(60), order)
    )  # fmt: skip
    assert one.pairs == other.pairs
