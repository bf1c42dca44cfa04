"""Numbers that are written otherwise are refused with a command that rewrites them; what looks alike is read."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.cli.commandline import outscore, written

DICE = random.Random(7)
SCORES = {s: [round(DICE.uniform(0.1, 0.9), 2) for _ in range(12)] for s in "ab"}
WHOLE = {s: [DICE.randint(200, 3999) for _ in range(12)] for s in "ab"}
LARGE = {s: [1000 * x + 5 for x in xs] for s, xs in WHOLE.items()}
GRADES = {s: [DICE.randint(1, 5) for _ in range(12)] for s in "ab"}
Numbers = dict[str, list[int]] | dict[str, list[float]]


def long(file: Path, values: Numbers, write: Callable[[float], str], mark: str = ",", name: str = "score") -> Path:
    head = mark.join(["system", "item", name])
    rows = [mark.join([s, f"q{i}", write(x)]) for s, xs in values.items() for i, x in enumerate(xs)]
    return written(file, [head, *rows])


def gain(file: Path, *more: str) -> float:
    done = outscore("compare", file, *more, "-f", "json")
    assert done.code == 0, done.err
    return float(json.loads(done.out)["pairs"][0]["gain"])


def wanted(values: Numbers) -> float:
    return (sum(values["b"]) - sum(values["a"])) / len(values["a"])


def shell(command: str, folder: Path) -> None:
    subprocess.run(command, shell=True, check=True, cwd=folder)


@pytest.mark.parametrize(
    ("values", "write", "mark", "before"),
    [
        (SCORES, lambda x: f"({x})", ",", "or nothing: "),
        (WHOLE, lambda x: f"{x}ms", ",", "in one unit: "),
        (SCORES, lambda x: f"{x} s", ";", "in one unit: "),
        (SCORES, lambda x: f"{1000 * x:.0f}ms" if x < 0.5 else f"{x}s", "\t", "in one unit: "),
        (SCORES, lambda x: f"${x}", ",", "number alone: "),
        *((WHOLE, lambda x, of=of: f"{x:,}".replace(",", of), ",", "thousands: ") for of in " \u202f\u00a0'"),
        (WHOLE, lambda x: f"{x:,}".replace(",", "."), ";", "if thousands, take it out: "),
        (WHOLE, lambda x: f"{x:,}".replace(",", "."), ",", "if thousands, take it out: "),
        (LARGE, lambda x: f"{x:,}".replace(",", "."), ",", "thousands: "),
        (GRADES, lambda x: "FEDCBA"[x], ",", "and F 0: "),
        (GRADES, lambda x: f"{x} - {['', 'Bad', 'Poor', 'Fair', 'Good', 'Excellent'][x]}", ",", "alone: "),
        (GRADES, lambda x: "★" * x + "☆" * (5 - x), ",", "stars: "),
    ],
)
def test_numbers_written_otherwise_are_refused_with_the_command_that_rewrites_them(
    tmp_path: Path, values: Numbers, write: Callable[[float], str], mark: str, before: str
) -> None:
    file = long(tmp_path / "t.csv", values, write, mark)
    said = outscore("compare", file)
    assert (said.code, len(said.err.splitlines())) == (3, 1)
    shell(said.err.partition(before)[2].partition(" > plain-t.csv")[0] + " > plain-t.csv", tmp_path)
    assert gain(tmp_path / "plain-t.csv") == pytest.approx(wanted(values))


def test_points_that_are_decimals_can_be_said_to_be(tmp_path: Path) -> None:
    file = long(tmp_path / "t.csv", WHOLE, lambda x: f"{x / 1000:.3f}" if x > 1000 else f"{x}")
    said = outscore("compare", file).err
    shell(said.partition("as many everywhere: ")[2].strip(), tmp_path)
    read = {s: [x / 1000 if x > 1000 else x for x in xs] for s, xs in WHOLE.items()}
    assert gain(tmp_path / "plain-t.csv") == pytest.approx(wanted(read))


@pytest.mark.parametrize(
    "write",
    [
        lambda x: "100" if x > 0.5 else f"{99 + x:.3f}",
        lambda x: f"{x:.3f}",
        lambda x: f"{1 + x:.3f}" if x > 0.5 else f"{100 * x:.0f}",
        lambda x: f"{1000 * x:.3f}",
        lambda x: f"{1 + x:.3f}" if x > 0.5 else "1234",
        lambda x: f"{1 + x:.3f}" if x > 0.5 else f"{200 + x:.2f}",
        lambda x: f"−{x}",
        lambda x: f"–{x}",
    ],
    ids=["per cent", "shares", "to 100", "hundreds", "whole thousands", "two decimals", "minus", "dash"],
)
def test_what_looks_like_thousands_or_is_a_minus_is_read(tmp_path: Path, write: Callable[[float], str]) -> None:
    read = {s: [float(write(x).replace("−", "-").replace("–", "-")) for x in xs] for s, xs in SCORES.items()}
    assert gain(long(tmp_path / "t.csv", SCORES, write)) == pytest.approx(wanted(read))


@pytest.mark.parametrize("cells", ["7b 13b", "350ms 1.2s", "1st 2nd", "A B", "(1) (2)", "★★ ★", "5-shot 0-shot"])
def test_descriptions_beside_scores_stay_descriptions(tmp_path: Path, cells: str) -> None:
    of = cells.split()
    rows = [f"{s},q{i},{x},{of[i % 2]}" for s, xs in SCORES.items() for i, x in enumerate(xs)]
    assert gain(written(tmp_path / "t.csv", ["system,item,score,kind", *rows])) == pytest.approx(wanted(SCORES))


@pytest.mark.parametrize("role", ["label=size", "score=verdict"])
def test_grades_in_capitals_are_read_beside_descriptions(tmp_path: Path, role: str) -> None:
    rows = [
        f"{s},q{i},7b,{'CORRECT' if x > 0.5 else 'INCORRECT'}" for s, xs in SCORES.items() for i, x in enumerate(xs)
    ]
    file = written(tmp_path / "t.csv", ["system,item,size,verdict", *rows])
    assert "-c score=verdict" in outscore("compare", file).err
    assert gain(file, "-c", role, "-c", "score=verdict") == pytest.approx(
        wanted({s: [float(x > 0.5) for x in xs] for s, xs in SCORES.items()})
    )


def test_an_empty_cell_stays_empty_where_units_are_taken_out(tmp_path: Path) -> None:
    file = written(tmp_path / "t.csv", ["item,base,new", *(f"q{i},{i}ms,{i + 1}ms" for i in range(9)), "q9,4ms,"])
    shell(outscore("compare", file).err.partition("in one unit: ")[2].partition("; -c")[0], tmp_path)
    assert (tmp_path / "plain-t.csv").read_text(encoding="utf-8").splitlines()[-1] == "q9,4,"


def test_comments_above_a_header_are_taken_out_by_the_command(tmp_path: Path) -> None:
    file = long(tmp_path / "t.csv", SCORES, str)
    written(file, ["# run 3", "# seed 4, later", *file.read_text(encoding="utf-8").splitlines()])
    shell(outscore("compare", file).err.partition("take all of them out: ")[2], tmp_path)
    assert gain(tmp_path / "without-t.csv") == pytest.approx(wanted(SCORES))


@pytest.mark.parametrize("head", ["#id,base,new", "# item,base,new"])
def test_a_header_may_begin_as_a_comment(tmp_path: Path, head: str) -> None:
    rows = [f"#{i},{x},{y}" for i, (x, y) in enumerate(zip(*SCORES.values(), strict=True))]
    name = head.partition(",")[0]
    assert gain(written(tmp_path / "t.csv", [head, *rows]), "-c", f"item={name}") == pytest.approx(wanted(SCORES))


PAIRS = [f"{x} {y}" for x, y in zip(*SCORES.values(), strict=True)]


@pytest.mark.parametrize(
    "lines",
    [
        ["item     base    new", *(f"q{i:<8}{pair.replace(' ', '    ')}" for i, pair in enumerate(PAIRS))],
        ["  item  base  new", *(f"  task {i}  {pair.replace(' ', '   ')}  " for i, pair in enumerate(PAIRS))],
        [f"q{i}: base={pair.replace(' ', ' new=')}" for i, pair in enumerate(PAIRS)],
        [f"q{i} base={pair.replace(' ', '  new=')}" for i, pair in enumerate(PAIRS)],
    ],
)
def test_lines_that_are_a_table_are_refused_with_the_command_that_makes_one(
    tmp_path: Path, lines: Sequence[str]
) -> None:
    said = outscore("compare", written(tmp_path / "t.txt", [*lines]))
    assert (said.code, "make a table of it: " in said.err) == (3, True)
    shell(said.err.partition("make a table of it: ")[2], tmp_path)
    (made,) = (file for file in tmp_path.iterdir() if file.suffix != ".txt")
    assert gain(made) == pytest.approx(wanted(SCORES))


@pytest.mark.parametrize("line", ["set x{0} = {0}", "The  answer  is {0}", "f(x={0}) y=3", "a=b c=d {0}"])
def test_texts_with_blanks_and_signs_are_texts(tmp_path: Path, line: str) -> None:
    texts = [line.format(i) for i in range(9)]
    file, gold = written(tmp_path / "a.txt", texts), written(tmp_path / "gold.txt", texts)
    assert outscore("score", file, "-r", gold).code == 0


@pytest.mark.parametrize("wide", [False, True])
def test_long_ids_are_offered_as_items(tmp_path: Path, *, wide: bool) -> None:
    ids = [str(1283746152637485900 + 7 * i) for i in range(12)]
    rows = [f"{s},{of},{x}" for s, xs in SCORES.items() for of, x in zip(ids, xs, strict=True)]
    rows = [f"{of},{pair.replace(' ', ',')}" for of, pair in zip(ids, PAIRS, strict=True)] if wide else rows
    file = written(tmp_path / "t.csv", ["tweet_id,base,new" if wide else "system,tweet_id,score", *rows])
    assert "; say -c item=tweet_id if it names the items" in outscore("compare", file).err
    assert gain(file, "-c", "item=tweet_id") == pytest.approx(wanted(SCORES))


def test_thousands_in_a_list_of_numbers_are_refused_with_the_command(tmp_path: Path) -> None:
    files = [written(tmp_path / f"{s}.txt", [f"{x:,}".replace(",", ".") for x in xs]) for s, xs in WHOLE.items()]
    said = outscore("compare", *files).err
    for file in files:
        shell(said.partition("take it out: ")[2].partition(";")[0].replace("a.txt", file.name), tmp_path)
    done = outscore("compare", *(tmp_path / f"plain-{file.name}" for file in files), "-f", "json")
    assert json.loads(done.out)["pairs"][0]["gain"] == pytest.approx(wanted(WHOLE))
