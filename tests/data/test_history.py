"""The file of a history: writers take turns, what is committed stays, and damage is said and touches nothing."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from outscore.base.errors import InputError
from outscore.data.history import jsonl
from outscore.data.history.store import key_of, open_history
from outscore.results.history import KnownSet, RecordedComparison
from tests.cli.commandline import environment

SET = KnownSet(digest="0" * 64, name="ref.txt", known_by="references", n_items=10)
LOOK = RecordedComparison(
    test_set=SET.digest,
    family="bleu",
    system="new",
    baseline="base",
    system_digest="a",
    baseline_digest="b",
    metric="bleu",
    signature="nrefs:1",
    test="randomization",
    alternative="two-sided",
    cluster=None,
    strata=None,
    engine="cyclic",
    seed=12345,
    n_resamples=1000,
    alpha=0.05,
    p_value=0.02,
    p_adjusted=0.04,
    correction="holm",
    gain=1.5,
    ci_low=0.1,
    ci_high=2.9,
    n_items=10,
    version="0",
    created="2026-01-01T00:00:00+00:00",
    who="me",
)


def add(path: Path, *uses: RecordedComparison) -> list[bool]:
    with open_history(path, new=True) as store, store.transaction():
        return store.add(SET, uses)


def kept(path: Path) -> list[RecordedComparison]:
    with open_history(path) as store:
        return [one.comparison for one in store.list_uses()]


def test_a_look_is_read_as_it_was_written(tmp_path: Path) -> None:
    odd = replace(
        LOOK, system="\x1b[31m'; DROP TABLE use; --\x00é", seed=2**80, n_resamples=None, p_value=None, ci_low=None
    )
    assert add(tmp_path / "h.db", LOOK, odd) == [True, True]
    assert kept(tmp_path / "h.db") == [LOOK, odd]


@pytest.mark.parametrize(
    "same",
    [
        {"system": "renamed", "who": "you", "version": "9"},
        {"n_resamples": 500},
        {"system_digest": "b", "baseline_digest": "a"},
        {"signature": "nrefs:1|version:3"},
    ],
    ids=["names", "fewer resamples", "places changed", "another version"],
)
def test_the_same_comparison_is_no_new_look(same: dict[str, object], tmp_path: Path) -> None:
    add(tmp_path / "h.db", LOOK)
    assert add(tmp_path / "h.db", replace(LOOK, **same)) == [False]  # type: ignore[arg-type]
    assert kept(tmp_path / "h.db") == [LOOK]


@pytest.mark.parametrize(
    "other",
    [
        {"seed": 0},
        {"metric": "chrf"},
        {"family": "all"},
        {"test": "bootstrap"},
        {"system_digest": "c"},
        {"alternative": "greater"},
        {"cluster": "document"},
        {"engine": "iid"},
    ],
    ids=lambda other: next(iter(other)),
)
def test_another_comparison_is_a_new_look(other: dict[str, object], tmp_path: Path) -> None:
    add(tmp_path / "h.db", LOOK)
    assert add(tmp_path / "h.db", replace(LOOK, **other)) == [True]  # type: ignore[arg-type]


def test_a_seed_makes_no_new_look_where_nothing_is_drawn(tmp_path: Path) -> None:
    exact = replace(LOOK, n_resamples=None)
    add(tmp_path / "h.db", exact)
    assert add(tmp_path / "h.db", replace(exact, seed=7, engine="iid")) == [False]


def test_places_matter_where_the_test_has_one_side(tmp_path: Path) -> None:
    greater = replace(LOOK, alternative="greater")
    add(tmp_path / "h.db", greater)
    assert add(tmp_path / "h.db", replace(greater, system_digest="b", baseline_digest="a")) == [True]


def test_more_resamples_sharpen_a_look_in_its_place(tmp_path: Path) -> None:
    add(tmp_path / "h.db", LOOK, replace(LOOK, seed=1))
    sharper = replace(LOOK, n_resamples=100_000, p_value=0.0199)
    assert add(tmp_path / "h.db", sharper) == [False]
    assert kept(tmp_path / "h.db") == [sharper, replace(LOOK, seed=1)]


def test_a_sharper_look_takes_the_place_wholly(tmp_path: Path) -> None:
    add(
        tmp_path / "h.db", replace(LOOK, gain=0.5, ci_low=0.1, ci_high=0.9, procedure="lord", level=0.02, rejected=True)
    )
    turned = replace(
        LOOK, system="old", baseline="new", system_digest=LOOK.baseline_digest, baseline_digest=LOOK.system_digest,
        gain=-0.5, ci_low=-0.8, ci_high=-0.2, alpha=0.2, correction="none", n_resamples=100_000,
    )  # fmt: skip
    assert add(tmp_path / "h.db", turned) == [False]
    assert kept(tmp_path / "h.db") == [turned]


def test_what_is_imported_changes_no_look_that_is_there(tmp_path: Path) -> None:
    add(tmp_path / "h.db", LOOK)
    with open_history(tmp_path / "h.db") as store, store.transaction():
        assert store.add(SET, [replace(LOOK, n_resamples=100_000, p_value=0.9)], sharpen=False) == [False]
    assert kept(tmp_path / "h.db") == [LOOK]


def test_many_may_begin_one_history_at_once(tmp_path: Path) -> None:
    def begun(number: int) -> None:
        with open_history(tmp_path / f"h{number // 8}.db", new=True) as store:
            assert store.list_uses() == []

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(begun, range(160)))


def test_what_fails_halfway_leaves_nothing(tmp_path: Path) -> None:
    add(tmp_path / "h.db", LOOK)
    with pytest.raises(ZeroDivisionError), open_history(tmp_path / "h.db") as store, store.transaction():
        store.add(SET, [replace(LOOK, seed=1)])
        raise ZeroDivisionError
    assert kept(tmp_path / "h.db") == [LOOK]


def test_an_error_after_which_nothing_is_left_to_take_back_is_told_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), open_history(tmp_path / "h.db", new=True) as store, store.transaction():
        store.add(SET, [LOOK])
        store.connection.execute("ROLLBACK")  # as SQLite does on a full disk
        raise ZeroDivisionError
    assert kept(tmp_path / "h.db") == []


WRITER = """
import sys
from dataclasses import replace
from pathlib import Path
from tests.data.test_history import LOOK, SET
from outscore.data.history.store import open_history
file, log, me, n = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
with log.open("a", buffering=1) as done:
    for k in range(len(log.read_text().splitlines()), n):
        with open_history(file, new=True) as store, store.transaction():
            store.add(SET, [replace(LOOK, system_digest=f"{me}-{k}")])
        done.write(f"{me}-{k}\\n")
"""


def start(file: Path, log: Path, me: int, n: int) -> subprocess.Popen[bytes]:
    root = str(Path(__file__).parents[2])
    env = environment()
    env["PYTHONPATH"] = os.pathsep.join((env["PYTHONPATH"], root))
    return subprocess.Popen([sys.executable, "-c", WRITER, str(file), str(log), str(me), str(n)], env=env)


@pytest.mark.slow
@pytest.mark.parametrize(("writers", "uses", "kills"), [(3, 25, 2), pytest.param(8, 200, 12, marks=pytest.mark.slow)])
def test_writers_at_once_lose_nothing_though_some_are_killed(
    writers: int, uses: int, kills: int, tmp_path: Path
) -> None:
    file = tmp_path / "h.db"
    logs = [tmp_path / f"{me}.log" for me in range(writers)]
    for log in logs:
        log.touch()
    running = [start(file, log, me, uses) for me, log in enumerate(logs)]
    rng = random.Random(0)
    for _ in range(kills):
        before = _written(logs)
        until = time.monotonic() + 60
        while _written(logs) == before and time.monotonic() < until:
            time.sleep(0.005)  # somebody has begun to write
        time.sleep(rng.random() / 20)
        victim = rng.randrange(writers)
        running[victim].send_signal(signal.SIGKILL)
        running[victim].wait()
        said = set(logs[victim].read_text(encoding="utf-8").split())
        assert said <= {one.system_digest for one in kept(file)}, "committed, and lost"
        running[victim] = start(file, logs[victim], victim, uses)
    assert [process.wait(timeout=300) for process in running] == [0] * writers
    expected = {f"{me}-{k}" for me in range(writers) for k in range(uses)}
    found = [one.system_digest for one in kept(file)]
    assert set(found) == expected
    assert len(found) == len(expected)
    with open_history(file) as store:
        assert store.faults() == []


def _written(logs: list[Path]) -> int:
    return sum(log.read_text(encoding="utf-8").count("\n") for log in logs)


@pytest.mark.parametrize("where", ["head", "page", "cut", "text", "name"])
def test_a_damaged_file_is_said_in_one_line_and_left_as_it_is(where: str, tmp_path: Path) -> None:
    path = tmp_path / "h.db"
    add(path, *(replace(LOOK, seed=seed) for seed in range(200)))
    raw = bytearray(path.read_bytes())
    if where == "head":
        raw[:16] = b"garbage........."
    elif where == "page":
        raw[4096 * 2 : 4096 * 2 + 2000] = os.urandom(2000)
    elif where == "name":
        raw[:4096] = raw[:4096].replace(b"CREATE TABLE use", b"CREATE TABLE \x87se")
    elif where == "cut":
        raw = raw[: len(raw) // 2]
    else:
        raw = bytearray(b"a diary\n" * 100)
    path.write_bytes(raw)
    with pytest.raises(InputError) as caught:
        add(path, LOOK)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    assert "left as it is" in str(caught.value)
    assert path.read_bytes() == bytes(raw)


def test_the_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE use (id INTEGER)")
    with pytest.raises(InputError, match="another program"):
        add(path, LOOK)


def test_a_history_of_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "h.db"
    add(path, LOOK)
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 3")
    with pytest.raises(InputError, match="later version"):
        kept(path)


def test_a_missing_history_is_not_made_by_reading(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such history"):
        kept(tmp_path / "h.db")
    assert not list(tmp_path.iterdir())


def test_a_change_by_hand_is_found(tmp_path: Path) -> None:
    path = tmp_path / "h.db"
    add(path, LOOK)
    with sqlite3.connect(path) as other:
        other.execute("UPDATE use SET family = 'another'")
    with open_history(path) as store:
        (fault,) = store.faults()
    assert "changed" in fault


def test_a_value_of_the_wrong_type_is_found(tmp_path: Path) -> None:
    path = tmp_path / "h.db"
    add(path, LOOK)
    with sqlite3.connect(path) as other:
        other.execute("UPDATE use SET p_value = 'small'")
    with pytest.raises(InputError, match="'small' as p_value"):
        kept(path)


def test_text_carries_every_look_in_full() -> None:
    uses = [(SET, LOOK), (SET, replace(LOOK, p_value=1 / 3, system="a\u2028b\x85", n_resamples=None))]
    assert list(jsonl.read(list(jsonl.format_lines(uses)), "f")) == uses


BAD_LINES = {
    "not JSON": "{",
    "not a JSON object": "[]",
    "use.p_value is a str": '"p_value": 0.02>>"p_value": "0.02"',
    "p_value is 2.0": '"p_value": 0.02>>"p_value": 2.0',
    "use.colour is unknown": '"family": "bleu">>"family": "bleu", "colour": "red"',
    "not JSON (NaN": '"gain": 1.5>>"gain": NaN',
    "gain is inf": '"gain": 1.5>>"gain": 1e999',
    "seed is -1": '"seed": 12345>>"seed": -1',
}


@pytest.mark.parametrize("said", BAD_LINES)
def test_a_wrong_line_is_named(said: str) -> None:
    head, line = jsonl.format_lines([(SET, LOOK)])
    old, _, new = BAD_LINES[said].partition(">>")
    wrong = line.replace(old, new) if new else old
    assert wrong != line
    with pytest.raises(InputError) as caught:
        list(jsonl.read([head, line, wrong], "uses.jsonl"))
    assert str(caught.value).startswith("uses.jsonl:3: ")
    assert said in str(caught.value)


def test_a_file_of_something_else_is_refused_at_its_first_line() -> None:
    with pytest.raises(InputError, match=r"f:1: .*outscore history --export"):
        list(jsonl.read(['{"id": 1}'], "f"))


def test_keys_do_not_run_into_one_another() -> None:
    assert key_of(replace(LOOK, family="ab", metric="c")) != key_of(replace(LOOK, family="a", metric="bc"))


def test_whatever_was_found_is_known_to_be_changed(tmp_path: Path) -> None:
    path = tmp_path / "h.db"
    for name, value in {"p_value": 0.001, "gain": 9.0, "n_items": 3, "version": "9", "test_set": "other"}.items():
        path.unlink(missing_ok=True)
        add(path, replace(LOOK, n_resamples=99, gain=1))
        add(path, replace(LOOK, n_resamples=999, gain=2.0))  # sharper, in its place
        with open_history(path) as store:
            store.decide(1, "lond", 0.01, True)  # which is no part of what was found
            assert store.faults() == []
        _execute(path, f"UPDATE use SET {name} = ?", value)
        with open_history(path) as store:
            assert "comparison 1 was changed after it was recorded" in store.faults(), name


def test_a_history_of_before_keeps_no_digest_of_what_was_found(tmp_path: Path) -> None:
    path = tmp_path / "h.db"
    add(path, LOOK)
    _execute(path, "DROP TABLE content")
    with open_history(path) as store:
        assert store.faults() == []
    add(path, replace(LOOK, seed=LOOK.seed + 1))
    _execute(path, "UPDATE use SET gain = 7.5")
    with open_history(path) as store:
        assert store.faults() == ["comparison 2 was changed after it was recorded"]


def _execute(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)
