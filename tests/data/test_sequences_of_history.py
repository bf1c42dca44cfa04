"""What is counted in the file of a history, and where corrections stand: always what all of its uses give."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from outscore.data.history.store import Store, open_history
from outscore.multiplicity.online import PROCEDURES
from outscore.results.history import RecordedComparison
from outscore.verbs.history.kept import levels_of
from outscore.verbs.history.sequences import UsesByFamily
from tests.data.test_history import LOOK, SET, add

NEW = ("use_in_order", "use_decided", "sequence", "so_far", "use_added", "use_sharpened", "use_moved", "use_removed")


def make_old(path: Path) -> None:
    """Takes out of a history what earlier versions did not keep in it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for name in reversed(NEW):
            (kind,) = connection.execute("SELECT type FROM sqlite_master WHERE name = ?", (name,)).fetchone()
            connection.execute(f"DROP {kind} {name}")
        connection.execute("CREATE INDEX use_by_set ON use (test_set, family)")


def draw_use(draw: random.Random, k: int) -> RecordedComparison:
    p = draw.choice([None, 0.25, 0.5, 0.0, draw.random(), draw.random() / 1000, draw.random() / 1000])
    return replace(LOOK, family=draw.choice(["bleu", "chrf"]), system_digest=f"s{k}", p_value=p)


def check_place(path: Path, uses: list[RecordedComparison], procedure: str | None, alpha: float) -> None:
    """Adds uses; numbers, levels and counts are those of all uses together."""
    with open_history(path, new=True) as store, store.transaction():
        before = store.list_uses()
        found = UsesByFamily(store, SET.digest)
        assert list(found.uses.items()) == list(Counter(one.comparison.family for one in before).items())
        assert found.last == (before[-1].id if before else 0)
        for family in ("bleu", "chrf"):
            decided = {(u.procedure, u.alpha) for u in (o.comparison for o in before) if u.family == family}
            others = {one for one in decided if one[0] is not None} - {("lond", alpha)}
            assert found.decided_otherwise([family], "lond", alpha) == bool(others)
        store.add(SET, uses)
        expected = levels_of(store.list_uses(), procedure, alpha)
        there = [store.find(use) for use in uses]
        for family in {one.comparison.family for one in there}:
            asked = [o.id for o in there if o.comparison.family == family and o.comparison.p_value is not None]
            placed = found.place(family, asked, procedure, alpha) if asked else {}
            assert {i: placed[i] for i in asked} == {i: expected[i] for i in asked}
            for i in asked:
                if procedure is not None:
                    store.decide(i, procedure, expected[i][1] or 0.0, rejected=False)


@pytest.mark.parametrize("seed", range(6))
def test_uses_are_placed_as_if_all_were_read(seed: int, tmp_path: Path) -> None:
    draw, path, uses = random.Random(seed), tmp_path / "h.db", list[RecordedComparison]()
    for step in range(40):
        batch = [draw_use(draw, len(uses) + k) for k in range(draw.randrange(1, 6))]
        batch += draw.sample(uses, min(len(uses), draw.randrange(3)))
        if step % 4 == 3:  # sharper, some of them without a p-value as yet
            batch += [
                replace(use, n_resamples=10_000 + step, p_value=draw.random() / 50) for use in draw.sample(uses, 2)
            ]
        check_place(path, batch, draw.choice([None, *PROCEDURES]), draw.choice([0.05, 0.1]))
        uses += [use for use in batch if use not in uses]
        if step == 20:
            make_old(path)
    with open_history(path) as store:
        assert store.faults() == []


@pytest.mark.parametrize("name", PROCEDURES)
def test_what_others_wrote_is_counted(name: str, tmp_path: Path) -> None:
    """An earlier version adds uses, a hand takes some out."""
    path, draw = tmp_path / "h.db", random.Random(name)
    check_place(path, [draw_use(draw, k) for k in range(30)], name, 0.05)
    columns = "family, test_set, " + ", ".join(
        f for f in vars(LOOK) if f not in ("family", "test_set", "system_digest", "p_value")
    )
    hands = (
        f"INSERT INTO use (key, system_digest, p_value, {columns}) SELECT key || 'x', 'x', 1e-9, {columns} FROM use",
        "DELETE FROM use WHERE id % 5 = 2",
        "DELETE FROM use WHERE key LIKE '%x' OR id % 7 = 0",
        "UPDATE use SET p_value = 1e-8 WHERE id = 1",
        "UPDATE use SET family = 'bleu' WHERE id < 5",
    )
    for k, statement in enumerate(hands):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement)
        check_place(path, [draw_use(draw, 100 + k)], name, 0.05)


@pytest.mark.parametrize("change", ["n = n + 1", "time = 3", "found = zeroblob(length(found))", "last = last - 1"])
def test_what_is_kept_of_a_correction_is_used_only_as_it_was_written(change: str, tmp_path: Path) -> None:
    path, draw = tmp_path / "h.db", random.Random(3)
    check_place(path, [replace(draw_use(draw, k), family="bleu") for k in range(30)], "addis", 0.05)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE so_far SET {change}")
    check_place(path, [replace(draw_use(draw, 30), family="bleu", p_value=0.3)], "addis", 0.05)


def test_counts_that_are_wrong_are_found(tmp_path: Path) -> None:
    path = tmp_path / "h.db"
    add(path, LOOK)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE sequence SET n = 2")
    with open_history(path) as store:
        assert store.faults() == ["the counts of uses were changed"]


def test_a_new_use_costs_no_more_where_many_were_before(tmp_path: Path) -> None:
    steps: dict[int, dict[str | None, int]] = {10: {}, 5000: {}}
    for many, found in steps.items():
        path = tmp_path / f"{many}.db"
        add(path, *(replace(LOOK, system_digest=f"s{k}", p_value=0.4) for k in range(many)))
        with open_history(path) as store:
            for name in (None, *PROCEDURES):
                place_new(store, name, f"first {name}")
                count: list[None] = []
                store.connection.set_progress_handler(partial(count.append, None), 100)
                place_new(store, name, f"second {name}")
                store.connection.set_progress_handler(None, 0)
                found[name] = len(count)
    few, most = steps.values()
    assert all(most[name] <= few[name] + 3 for name in few), "hundreds of steps of SQLite"


def place_new(store: Store, name: str | None, system: str) -> None:
    """Adds a use, in a transaction of its own, and places it."""
    use = replace(LOOK, system_digest=system, p_value=0.4)
    with store.transaction():
        found = UsesByFamily(store, SET.digest)
        found.decided_otherwise(["bleu"], name or "lond", 0.05)
        store.add(SET, [use])
        id_ = store.find(use).id
        assert found.place("bleu", [id_], name, 0.05)[id_][0] == id_ == found.uses["bleu"] + 1


@pytest.mark.parametrize("name", [None, "lond", "saffron"])
def test_an_old_use_is_counted_from_the_nearer_end(name: str | None, tmp_path: Path) -> None:
    uses = [replace(LOOK, system_digest=f"s{k}", p_value=0.4) for k in range(2000)]
    path, steps = tmp_path / "h.db", []
    add(path, *uses)
    with open_history(path) as store:
        place_new(store, name, "new")
        for k in (10, 1000, 1990):
            with store.transaction():
                found, count = UsesByFamily(store, SET.digest), list[None]()
                store.connection.set_progress_handler(partial(count.append, None), 100)
                assert found.place("bleu", [k + 1], name, 0.05)[k + 1][0] == k + 1
                store.connection.set_progress_handler(None, 0)
                steps.append(len(count))
    assert max(steps[0], steps[2]) < 10 < steps[1]
