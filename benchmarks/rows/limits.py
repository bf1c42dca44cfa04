"""Where the engine ends: boards of hundreds of systems, arenas of votes, F1 boards, and what a start costs."""

from __future__ import annotations

import csv
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

from inputs import Inputs
from measure import Command

from rows.row import Peer, Row

OLD = "outscore-0.1.0/src"
"""Where 0.1.0 is checked out, below the folder of peers."""


def board(draw: random.Random, systems: int, items: int) -> list[list[object]]:
    """Right and wrong answers of systems of different strength to items of different difficulty."""
    hard = [draw.gauss(0, 1) for _ in range(items)]
    strong = [draw.gauss(0, 0.3) for _ in range(systems)]
    rows = [
        [f"s{s:03}", i, int(strong[s] + hard[i] + draw.gauss(0, 1) > 0)] for s in range(systems) for i in range(items)
    ]
    return [["system", "item", "score"], *rows]


def arena(draw: random.Random, models: int, battles: int) -> list[list[object]]:
    """Votes between two of the models, a fifth of them ties."""
    strong = [draw.gauss(0, 1) for _ in range(models)]
    rows: list[list[object]] = []
    for battle in range(battles):
        a, b = draw.sample(range(models), 2)
        wins = draw.random() < 1 / (1 + 2.718281828 ** (strong[b] - strong[a]))
        rows.append(
            [battle, f"m{a:03}", f"m{b:03}", "tie" if draw.random() < 0.2 else "model_a" if wins else "model_b"]
        )
    return [["item", "model_a", "model_b", "winner"], *rows]


def labels(draw: random.Random, systems: int, items: int) -> list[list[object]]:
    """Labels of two classes, which each system has right a little more often than the one before."""
    gold = [int(draw.random() < 0.3) for _ in range(items)]
    rows = [
        [f"s{s:02}", i, gold[i] if draw.random() < 0.75 + 0.005 * s else 1 - gold[i], gold[i]]
        for s in range(systems)
        for i in range(items)
    ]
    return [["system", "item", "output", "gold"], *rows]


def _file(inputs: Inputs, name: str, rows: Callable[..., list[list[object]]], *size: int) -> str:
    path = inputs.folder / name
    if not path.exists():
        with path.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows(rows(random.Random(1), *size))
    return str(path)


def _answers(inputs: Inputs) -> list[str]:
    files = [inputs.folder / "base.scores", inputs.folder / "new.scores"]
    for file, share in zip(files, (0.6, 0.63), strict=True):
        draw = random.Random(share)
        lines = [f"{int(draw.random() < share)}\n" for _ in range(2000)]
        file.write_text("".join(lines), encoding="utf-8")
    return [str(file) for file in files]


def _votes(inputs: Inputs, name: str, votes: int) -> str:
    return _file(inputs, name, arena, 130, votes)


def _few_votes(inputs: Inputs) -> list[str]:
    return ["rank", "--preferences", _votes(inputs, "arena.csv", 10_000), "-q"]


_OURS = (sys.executable, "-m", "outscore")


def _of_old(arguments: Callable[[Inputs], list[str]]) -> Command:
    def line(inputs: Inputs) -> list[str]:
        path = os.pathsep.join([str(Path(inputs.peers or "") / OLD), os.environ.get("PYTHONPATH", "")])
        return ["env", f"PYTHONPATH={path}", *_OURS, *arguments(inputs)]

    return Command(line)


def _sides(arguments: Callable[[Inputs], list[str]]) -> tuple[Command, Peer]:
    """The same command line of this version and of 0.1.0."""
    ours = Command(lambda inputs: [*_OURS, *arguments(inputs)])
    return ours, Peer("0.1.0, the same command", _of_old(arguments), f"{OLD}/outscore/__init__.py")


def _row(key: str, work: str, arguments: Callable[[Inputs], list[str]], faster: float, at_most_mib: float) -> Row:
    return Row(key, work, *_sides(arguments), faster, at_most_mib)


def _bleu(key: str, who: str, draws: int, systems: int) -> Row:
    """BLEU of the first systems, a pair or a board, where the default was mended and is not to cost much more."""
    verb = "compare" if systems == 2 else "rank"

    def line(inputs: Inputs) -> list[str]:
        files = map(str, inputs.systems[:systems])
        return [verb, "-r", str(inputs.reference), *files, "-m", "bleu", "-n", str(draws), "-q"]

    return _row(key, f"BLEU of {who}, 1,984 segments, {draws:,} resamples", line, 1 / 1.3, 1000)


_NUMPY = Peer("python -c 'import numpy'", Command(lambda inputs: [sys.executable, "-c", "import numpy"]), "numpy")

ROWS = (
    _row(
        "limit-board-100",
        "100 systems, 2,000 answers, all 4,950 pairs, max-T of 10^4",
        lambda inputs: ["rank", _file(inputs, "board100.csv", board, 100, 2000), "-q"],
        6.75,
        500,
    ),
    _row(
        "limit-board-300",
        "300 systems, 2,000 answers, all 44,850 pairs, max-T of 10^4",
        lambda inputs: ["rank", _file(inputs, "board300.csv", board, 300, 2000), "-q"],
        6.75,
        1500,
    ),
    _row(
        "limit-arena-1e4",
        "10^4 votes on 130 models, ratings and rank sets",
        _few_votes,
        2.6,
        600,
    ),
    Row(
        "limit-arena-1.5e6",
        "1.5 million votes on 130 models, ratings and rank sets",
        Command(lambda inputs: [*_OURS, "rank", "--preferences", _votes(inputs, "votes.csv", 1_500_000), "-q"]),
        Peer("0.1.0, 10^4 votes only", _of_old(_few_votes), f"{OLD}/outscore/__init__.py"),
        2.6,
        600,
        "errors by 10,000 groups of votes",
    ),
    _row(
        "limit-f1",
        "30 systems, F1 of 2,000 labels, 40,000 resamples",
        lambda inputs: ["rank", _file(inputs, "labels.csv", labels, 30, 2000), "-m", "f1", "-n", "40000", "-q"],
        33,
        500,
    ),
    *(_bleu(f"limit-pair-1e{len(str(draws)) - 1}", "two systems", draws, 2) for draws in (1000, 10_000)),
    _bleu("limit-board-31", "31 systems", 1000, 31),
    Row(
        "limit-start",
        "compare two files of 2,000 answers",
        Command(lambda inputs: [*_OURS, "compare", *_answers(inputs)]),
        _NUMPY,
        0.5,
    ),
    Row(
        "limit-help",
        "--help",
        Command(lambda inputs: [*_OURS, "--help"]),
        _NUMPY,
        1.0,
    ),
)
