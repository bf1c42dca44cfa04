"""A grid of all pairs: the p-values of ``compare``, one correction over all of them, and cells that others can use."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.errors import UsageError
from outscore.multiplicity.adjust import adjust
from tests.cli.commandline import outscore as command

RNG = np.random.default_rng(7)
SYSTEMS = ("a", "b", "c", "d")
N = 60


def data_set(shift: float, n: int = N) -> dict[str, list[float]]:
    difficulty = RNG.normal(size=n)
    return {
        name: np.round(difficulty + shift * place + RNG.normal(size=n), 3).tolist()
        for place, name in enumerate(SYSTEMS)
    }


SETS = {"flat": data_set(0.0), "steep": data_set(1.0), "long": data_set(0.3, 90)}


def grid(sets: Mapping[str, Any] = SETS, **options: Any) -> outscore.Findings:
    how: dict[str, Any] = {"jobs": 1, "n_resamples": 500, **options}
    return outscore.study("all-pairs", sets, **how)


def records(found: outscore.Findings, table: str) -> list[dict[str, Any]]:
    return [dict(row) for row in found.table(table).records()]


def column(found: outscore.Findings, name: str, table: str = "pairs") -> list[Any]:
    return [row[name] for row in records(found, table)]


@pytest.mark.parametrize("test", ["auto", "bootstrap:exact=never", "randomization:exact=never", "wilcoxon"])
def test_p_is_that_of_compare_on_each_data_set(test: str) -> None:
    rows = {(r["set"], r["system"], r["baseline"]): r for r in records(grid(test=test), "pairs")}
    assert len(rows) == 3 * 6
    for name, one in SETS.items():
        pairs = outscore.compare(one, all_pairs=True, test=test, n_resamples=500, correction="none", jobs=1).pairs
        assert len(pairs) == 6
        for pair in pairs:
            row = rows[name, pair.system, pair.baseline]
            assert (row["gain"], row["p"]) == (pair.gain, pair.p_value)
            assert row["score"] - row["baseline_score"] == pytest.approx(row["gain"])


def test_all_pairs_of_all_data_sets_are_one_family_unless_each_is_its_own() -> None:
    raw = grid(correct="none")
    p = column(raw, "p")
    assert column(raw, "p_adjusted") == p
    assert column(grid(), "p_adjusted") == adjust(p, "holm").tolist()
    assert column(grid(correct="bh"), "p_adjusted") == adjust(p, "bh").tolist()
    each = column(grid(family="each"), "p_adjusted")
    assert each == [q for start in (0, 6, 12) for q in adjust(p[start : start + 6], "holm").tolist()]


def test_the_table_of_the_grid_counts_decided_pairs() -> None:
    found = grid()
    for row in records(found, "grid"):
        here = [r for r in records(found, "pairs") if r["set"] == row["set"]]
        assert (row["items"], row["pairs"]) == (len(SETS[row["set"]]["a"]), 6)
        assert row["significant"] == sum(r["p"] <= 0.05 for r in here)
        assert row["decided"] == sum(r["p_adjusted"] <= 0.05 for r in here)
        assert row["share"] == row["decided"] / 6
    assert column(found, "decided", "grid")[1] == 6, "a shift of one standard deviation is found"
    assert column(found, "decided", "grid")[0] == 0


def test_pairs_that_are_decided_everywhere_agree_in_direction() -> None:
    turned = {"up": SETS["steep"], "down": dict(zip(SYSTEMS, reversed(SETS["steep"].values()), strict=True))}
    for sets, alike in (({"one": SETS["steep"], "two": SETS["steep"]}, 1.0), (turned, 0.0)):
        (found,) = (one for one in grid(sets).findings if "alike on all 2" in one.what)
        assert found.value == alike


@pytest.mark.parametrize(("pairs", "rows"), [("all", 18), ("none", 0)])
def test_the_long_table_holds_the_rows_that_are_wanted(pairs: str, rows: int) -> None:
    assert len(grid(pairs=pairs).table("pairs").rows) == rows
    decided = [r for r in records(grid(), "pairs") if r["p_adjusted"] <= 0.05]
    assert records(grid(pairs="decided"), "pairs") == decided


def test_cells_serve_other_corrections_more_data_sets_and_no_other_test(tmp_path: Path) -> None:
    def files() -> set[str]:
        return {path.name for path in tmp_path.iterdir()}

    two = {name: SETS[name] for name in ("flat", "steep")}
    grid(two, resume=tmp_path)
    first = files()
    assert len(first) == 2
    assert grid(two, resume=tmp_path, correct="bonferroni", family="each", pairs="decided").n_cells == 2
    assert files() == first
    assert grid(resume=tmp_path).to_json() == grid().to_json()
    assert len(files()) == 3
    assert first < files()
    grid(two, resume=tmp_path, test="t")
    assert len(files()) == 5


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [2, 3])
def test_processes_change_no_byte(jobs: int) -> None:
    assert grid(jobs=jobs).to_json() == grid().to_json()


def test_several_runs_are_judged_as_compare_does() -> None:
    runs = {name: RNG.normal(place / 2, 1, (3, N)) for place, name in enumerate("ab")}
    (row,) = records(grid({"one": runs}), "pairs")
    (pair,) = outscore.compare(runs, n_resamples=500, jobs=1).pairs
    assert (row["gain"], row["p"]) == (pair.gain, pair.p_value)


def test_a_table_is_one_data_set_or_several_by_a_column(tmp_path: Path) -> None:
    rows = ["system,item,score,part,domain"]
    for name in SYSTEMS:
        rows += [
            f"{name},{i},{x},{'even' if i % 2 == 0 else 'odd'},d{i % 3}" for i, x in enumerate(SETS["steep"][name])
        ]
    table, plain = tmp_path / "t.csv", tmp_path / "p.csv"
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    plain.write_text("\n".join(line.rpartition(",")[0].rpartition(",")[0] for line in rows) + "\n", encoding="utf-8")

    def sets(*arguments: str | Path) -> list[str]:
        target = tmp_path / "found.csv"
        done = command("study", "all-pairs", *arguments, "-n", "50", "-j", "1", "-o", target, "-q")
        assert done.code == 0, done.err
        lines = [line.split(",") for line in target.read_text(encoding="utf-8").splitlines()]
        at = lines[0].index("set")
        return list(dict.fromkeys(line[at] for line in lines[1:] if line[0] != "findings"))

    assert sets(table) == ["d0", "d1", "d2"]
    assert sets(table, "--set", "part") == ["even", "odd"]
    assert sets(plain) == ["all items"]
    assert sets("--sets", table, "--sets", plain) == ["t", "p"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"correct": "max-t"}, "--correct max-t is for one data set"),
        ({"correct": "hlom"}, "unknown correction 'hlom'; did you mean 'holm'"),
        ({"test": "nothing"}, "unknown test 'nothing'"),
        ({"test": "mcnemar"}, "mcnemar"),
    ],
)
def test_what_cannot_be_asked_for_is_said(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        grid(**options)


def test_one_system_has_no_pairs_and_other_studies_no_column() -> None:
    with pytest.raises(UsageError, match="has no pairs"):
        grid({"one": {"a": [1.0, 2.0]}})
    with pytest.raises(UsageError, match="the study 'gain' is about one data set"):
        outscore.study("gain", SETS["flat"], column="domain")
