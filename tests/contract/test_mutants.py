"""The faults that are put into the source to try the tests: each kind is made, those listed as harmless are there."""

from __future__ import annotations

import ast
import os
import time
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tests.mutants.faults import KINDS, faults
from tests.mutants.forked import HungError, Say, forked
from tests.mutants.kept import CAUGHT, EQUIVALENT, SURVIVED, Kept, Mutant, Outcome, drawn, equivalents, mutants_of
from tests.mutants.readers import readers_of
from tests.mutants.table import table

SOURCE = Path(__file__).parents[2] / "src"
MODULE = """
LIMIT = 3

class Gain:
    def row(self, system, baseline):
        low, high = self.ci
        if low < LIMIT - 1:
            return system.score - baseline.score, min(low, -high) * 2
        return f"{system} and {baseline}", sorted([low, self.ci[0]])
"""
MADE = {
    ("columns", "low, self.ci[0]", "self.ci[0], low"),
    ("words", "f'{system}', f'{baseline}'", "f'{baseline}', f'{system}'"),
    ("ends", "low, high", "high, low"),
    ("ends", "self.ci[0]", "self.ci[1]"),
    ("systems", "system", "baseline"),
    ("signs", "system.score - baseline.score", "system.score + baseline.score"),
    ("signs", "-high", "+high"),
    ("operators", "min(low, -high) * 2", "min(low, -high) / 2"),
    ("comparisons", "low < LIMIT - 1", "low <= LIMIT - 1"),
    ("ones", "LIMIT - 1", "LIMIT - 0"),
    ("constants", "3", "4"),
    ("extremes", "min", "max"),
}


forking = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be copied here")


@pytest.mark.parametrize("kind", KINDS)
def test_faults_of_each_kind_are_made(kind: str) -> None:
    made = {(fault.kind, fault.was, fault.now) for fault in faults(ast.parse(MODULE))}
    wanted = {fault for fault in MADE if fault[0] == kind}
    assert wanted
    assert wanted <= made


def test_each_fault_changes_the_module_and_is_where_it_says() -> None:
    plain = ast.unparse(ast.parse(MODULE))
    for number, fault in enumerate(faults(ast.parse(MODULE))):
        tree = ast.parse(MODULE)
        same = faults(tree)[number]
        same.apply()
        assert ast.unparse(tree) != plain, fault
        compile(tree, "module", "exec")
        same.undo()
        assert ast.unparse(tree) == plain, fault
        assert fault.scope == ("" if fault.line == 2 else "Gain.row")


def test_what_is_among_several_has_no_order() -> None:
    """Nobody could tell: what would be put there is the same."""
    tree = ast.parse("def f(x):\n    return x in ('a', 'b') or isinstance(x, (str, bytes)) or x.startswith(('a', 'b'))")
    assert not faults(tree)


def test_a_number_so_large_that_one_more_is_the_same_is_no_place_for_a_fault() -> None:
    assert not faults(ast.parse("LARGE = 1e300"))
    assert faults(ast.parse("LARGE = 1e15"))


READ = """
ENOUGH = 5
TWICE = 2 * ENOUGH

class Gain:
    level: float = 0.9

    def few(self):
        return self.n < TWICE

    def ends(self, share=0.5):
        return self.level * share

def idle():
    return 0
"""


@pytest.mark.parametrize(
    ("line", "readers"),
    [
        (2, [("outscore/gain.py", "Gain.few"), ("outscore/other.py", "also")]),
        (3, [("outscore/gain.py", "Gain.few")]),
        (6, [("outscore/gain.py", "Gain.ends"), ("outscore/other.py", "every")]),
        (11, [("outscore/gain.py", "Gain.ends")]),
    ],
)
def test_what_is_made_on_import_is_read_by_functions(line: int, readers: list[tuple[str, str]], tmp_path: Path) -> None:
    """A constant by what names it or what is made of it, here and elsewhere; a field also by what asks for all."""
    (tmp_path / "outscore").mkdir()
    (tmp_path / "outscore" / "gain.py").write_text(READ, encoding="utf-8")
    other = "from outscore.gain import ENOUGH\n\ndef also():\n    return ENOUGH\n\n"
    other += "def every(thing):\n    return fields(thing)\n"
    (tmp_path / "outscore" / "other.py").write_text(other, encoding="utf-8")
    assert readers_of(tmp_path, "outscore/gain.py", line) == readers


def test_faults_keep_their_names_when_lines_are_added(tmp_path: Path) -> None:
    (tmp_path / "outscore").mkdir()
    file = tmp_path / "outscore" / "gain.py"
    file.write_text(MODULE, encoding="utf-8")
    before = _mutants(tmp_path)
    file.write_text(f"OTHER = 'x'\n{MODULE}", encoding="utf-8")
    after = _mutants(tmp_path)
    assert [m.key for m in after] == [m.key for m in before]
    assert len({m.key for m in before}) == len(before)
    assert drawn(after, 5, 1) != drawn(after, 5, 2)
    assert [m.key for m in drawn(after, 5, 1)] == [m.key for m in drawn(before, 5, 1)]


def test_a_fault_is_listed_as_harmless_once() -> None:
    listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["same"]
    times = Counter(key for group in listed for key in group["mutants"])
    assert [key for key, number in times.items() if number > 1] == []


@pytest.mark.slow
def test_every_fault_that_is_listed_as_harmless_is_one_of_the_source() -> None:
    """Whoever changes the line that it was in looks at it again."""
    known = equivalents()
    files = {key.split(" ")[0] for key in known}
    made = {m.key for file in files for m in mutants_of(SOURCE, file, KINDS)}
    assert known.keys() <= made
    assert all(known.values())


def test_what_is_kept_counts_only_for_the_source_that_it_was_made_from(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    outcome = Outcome("a fault", "outscore/gain.py", "signs", 3, "digest", CAUGHT, by="a test")
    kept.put(outcome)
    assert Kept(tmp_path).get("a fault", "digest") == outcome
    assert kept.get("a fault", "another") is None
    assert list(kept) == [outcome]


def test_the_table_leaves_harmless_faults_out_of_the_share() -> None:
    mutants = [Mutant("outscore/metrics/x.py", i, "signs", "f", i, "a", "b", f"fault {i}") for i in range(5)]
    outcomes = {
        m.key: Outcome(m.key, m.path, m.kind, m.line, "digest", SURVIVED if m.index == 3 else CAUGHT)
        for m in mutants[:4]
    }
    lines = table(mutants, outcomes, {"fault 4": "nothing is done with it"}).splitlines()
    assert lines[3] == "| metrics | all | 5 | 4 | 1 | 3 | 1 | 75.0% [30.1, 95.4] |"
    assert "- survived, line 3: `fault 3`" in lines
    assert lines[-2:] == ["- nothing is done with it", "    - `fault 4`"]


@forking
def test_a_copy_of_the_process_may_do_what_it_likes() -> None:
    here: list[int] = []

    def work(say: Say) -> None:
        here.append(1)
        say([len(here), "said"])

    assert forked(work, 20) == [[1, "said"]]
    assert not here


@forking
@pytest.mark.slow
def test_a_copy_that_hangs_is_ended_and_one_that_fails_says_why() -> None:
    def sleep(say: Say) -> None:
        say("asleep")
        time.sleep(60)

    def work(say: Say) -> None:
        say("at work")
        while True:
            pass

    def fail(say: Say) -> None:
        raise ValueError("no such luck")

    for hang, said in ((sleep, "asleep"), (work, "at work")):
        with pytest.raises(HungError) as hung:
            forked(hang, 0.5)
        assert hung.value.said == [said]
    with pytest.raises(RuntimeError, match="no such luck"):
        forked(fail, 20)


def _mutants(folder: Path) -> list[Mutant]:
    return mutants_of(folder, "outscore/gain.py", KINDS)
