"""Data sets as users have them: unpacked into text files and score tables."""

from __future__ import annotations

import csv
import gzip
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Rows = list[dict[str, str]]


@pytest.fixture(scope="session")
def unpacked(data_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a translation set's plain text files."""
    made: dict[str, Path] = {}

    def unpack(name: str) -> Path:
        if name not in made:
            made[name] = tmp_path_factory.mktemp(name)
            subprocess.run(
                [sys.executable, str(data_root / "data" / "unpack.py"), name, str(made[name])],
                check=True,
                capture_output=True,
            )
        return made[name]

    return unpack


@pytest.fixture(scope="session")
def oracle(data_root: Path) -> Callable[[str], dict[str, Any]]:
    """The cases of one family of outside results, by id."""

    def cases(family: str) -> dict[str, Any]:
        path = data_root / "oracle" / f"{family}.json"
        if not path.exists():
            pytest.skip(f"{path} is not there")
        return {case["id"]: case["expected"] for case in json.loads(path.read_text(encoding="utf-8"))["cases"]}

    return cases


@pytest.fixture(scope="session")
def ter_table(data_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """MultEval's integer TER statistics of every segment and run as a long table."""
    target = tmp_path_factory.mktemp("ter") / "edits.csv"
    with target.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["system", "run", "item", "edits", "ref_words"])
        for system in ("baseline", "sys1"):
            for run in range(3):
                source = data_root / "oracle" / "data" / f"multeval_{system}_run{run}.tsv"
                if not source.exists():
                    pytest.skip(f"{source} is not there")
                with source.open(encoding="utf-8", newline="") as counts:
                    for i, row in enumerate(csv.DictReader(counts, delimiter="\t")):
                        writer.writerow([system, run, i, row["ter_edits"], row["ter_words"]])
    return target


@pytest.fixture(scope="session")
def pos_tokens(data_root: Path) -> Rows:
    """Every token of ``multirun_pos_ewt`` with the predictions of three systems of eight runs."""
    with gzip.open(
        data_root / "data" / "multirun_pos_ewt" / "tokens.tsv.gz", "rt", encoding="utf-8", newline="\n"
    ) as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.fixture(scope="session")
def pos_sentences(pos_tokens: Rows, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Right and all tokens of every sentence, run and system: a long table with documents and genres."""
    columns = [c for c in pos_tokens[0] if ".seed" in c]
    right: dict[tuple[str, str], int] = defaultdict(int)
    total: dict[str, int] = defaultdict(int)
    about: dict[str, tuple[str, str]] = {}
    for row in pos_tokens:
        sentence, gold = row["sent"], row["gold"]
        total[sentence] += 1
        about[sentence] = (row["doc"], row["group"])
        for column in columns:
            right[column, sentence] += row[column] == gold
    target = tmp_path_factory.mktemp("pos") / "sentences.csv"
    with target.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["system", "seed", "item", "cluster", "domain", "right", "total"])
        for column in columns:
            system, seed = column.split(".seed")
            writer.writerows([system, seed, s, *about[s], right[column, s], n] for s, n in total.items())
    return target
