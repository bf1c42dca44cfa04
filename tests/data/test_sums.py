"""Rows and numbers at either end that sum up the others are no items, in any language; what looks alike is one."""

from __future__ import annotations

import random
import shlex
import subprocess
from pathlib import Path
from statistics import fmean, stdev, variance

import pytest

from tests.cli.commandline import outscore, written

TASKS = ["mmlu", "arc", "boolq", "piqa", "drop", "race", "mbpp", "gsm", "xsum"]
BASE = [0.5, 0.25, 0.31, 0.77, 0.9, 0.12, 0.66, 0.43, 0.51]
NEW = [0.4, 0.35, 0.41, 0.67, 0.8, 0.22, 0.36, 0.53, 0.61]
ROWS = [f"{task},{a},{b}" for task, a, b in zip(TASKS, BASE, NEW, strict=True)]


def row(name: str, function: object, digits: int = 3) -> str:
    return f"{name},{function(BASE):.{digits}f},{function(NEW):.{digits}f}"  # type: ignore[operator]


PER_CENT = row("Score", lambda x: 100 * fmean(x), 1)


@pytest.mark.parametrize(
    "below",
    [
        [PER_CENT],
        [PER_CENT, row("Std. dev.", stdev)],
        [row("Overall", lambda x: 100 * fmean(x), 1)],
        [row("Mittelwert", fmean, 2), row("Varianz", variance)],
        [row("Moyenne", fmean), row("Écart-type", stdev)],
        [row("Promedio", fmean), row("Desviación estándar", stdev)],
        [row("Std._dev.", stdev)],
        [row("Gesamt", sum)],
    ],
    ids=lambda rows: " ".join(r.partition(",")[0] for r in rows),
)
def test_a_footer_is_no_item(tmp_path: Path, below: list[str]) -> None:
    done = outscore("compare", written(tmp_path / "t.csv", ["item,base,new", *ROWS, *below]))
    assert done.code == 3
    assert f"t.csv:11: the item {below[0].partition(',')[0]!r} is taken for a row that sums up the others" in done.err


@pytest.mark.parametrize(
    "last", ["media,0.5,0.8", "score,0.7,0.6", "Varianz,0.3,0.4", "range,0.7,0.5", "v. dev.,1,0", "sum,0,1"]
)
def test_a_last_item_that_sums_up_nothing_is_one_whatever_its_name(tmp_path: Path, last: str) -> None:
    done = outscore("compare", written(tmp_path / "t.csv", ["item,base,new", *ROWS, last]))
    assert (done.code, "10 items" in done.out) == (0, True)


DICE = random.Random(5)
RIGHT = [[float(DICE.random() < p) for _ in range(36)] + [0.0, 1.0] for p in (0.6, 0.5)]
SCORES = [[round(DICE.random(), 4) for _ in range(38)] for _ in "ab"]
GRADES = [[float(DICE.randint(1, 5)) for _ in range(37)] + [2.0] for _ in "ab"]


def lists(folder: Path, numbers: list[list[float]]) -> list[Path]:
    return [written(folder / f"{name}.txt", [*map(str, x)]) for name, x in zip("ab", numbers, strict=True)]


@pytest.mark.parametrize(
    ("numbers", "end"),
    [
        *((numbers, end) for numbers in (RIGHT, SCORES, GRADES) for end in (fmean, sum, lambda x: round(fmean(x), 3))),
        *((numbers, lambda x: round(100 * fmean(x), 2)) for numbers in (RIGHT, SCORES)),
    ],
)
@pytest.mark.parametrize("first", [False, True])
def test_a_sum_or_mean_at_the_end_of_a_list_of_numbers_is_no_item(
    tmp_path: Path, numbers: list[list[float]], end: object, *, first: bool
) -> None:
    sums = [end(x) for x in numbers]  # type: ignore[operator]
    whole = [[one, *x] if first else [*x, one] for one, x in zip(sums, numbers, strict=True)]
    files = lists(tmp_path, whole)
    said = outscore("compare", *files)
    assert said.code == 3
    assert (
        f"the {'first' if first else 'last'} number, {sums[0]:.6g}, is taken for one that sums up the others"
        in said.err
    )
    command = said.err.partition("as by ")[2].partition(";")[0]
    for file in files:
        subprocess.run(command.replace("a.txt", file.name), shell=True, check=True, cwd=tmp_path)
    done = outscore("compare", *(tmp_path / f"plain-{file.name}" for file in files))
    assert (done.code, "38 items" in done.out) == (0, True), shlex.quote(done.err)


@pytest.mark.parametrize("numbers", [RIGHT, SCORES, GRADES, [[0, 0, 1, 0, 0, 1, 1, 3], [0, 1, 0, 0, 0, 0, 1, 2]]])
def test_lists_of_numbers_without_a_sum_are_read_whole(tmp_path: Path, numbers: list[list[float]]) -> None:
    done = outscore("compare", *lists(tmp_path, numbers))
    assert (done.code, f"{len(numbers[0])} items" in done.out) == (0, True)


PARTS = ["{} subtotal", "Total {}", "Zwischensumme {}", "mean {}", "avg_{}", "{} (Ø)", "小計 {}"]


@pytest.mark.parametrize("name", PARTS)
def test_a_row_that_sums_up_a_group_is_no_item(name: str, tmp_path: Path) -> None:
    """Each group ended in a sum of its rows, and the sums were items: 109 for 60."""
    rows, innocent = [], []
    for group in ("News", "Chat"):
        values = [(40 + 7 * i % 23, 50 + 11 * i % 19) for i in range(10)]
        rows += [f"{group}-{i},{a},{b}" for i, (a, b) in enumerate(values)]
        sums = [sum(x) / (10 if name in PARTS[3:6] else 1) for x in zip(*values, strict=True)]
        innocent += [*rows[-10:], f"{name.format(group)},41,52"]
        rows.append(f"{name.format(group)},{sums[0]},{sums[1]}")
    done = outscore("compare", written(tmp_path / "t.csv", ["item,a,b", *rows]))
    assert done.code == 3 and "t.csv:12:" in done.err and "sums up the others" in done.err
    # the name alone is of an item, too, as its numbers sum up nothing
    done = outscore("compare", written(tmp_path / "t.csv", ["item,a,b", *innocent]), "-f", "sentence")
    assert done.code == 0 and "22 items" in done.out, done.err
