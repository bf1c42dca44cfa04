"""Empty cells of clusters are no cluster: items without one are refused, with what works."""

from __future__ import annotations

from pathlib import Path

import pytest

import outscore
from tests.cli.commandline import outscore as command

CLUSTERS = ["d1", "d1", "d2", "d2", "", "", "", "d3"]


def table(file: Path, clusters: list[str], column: str = "cluster") -> Path:
    rows = [f"{s},{i},{(i * k) % 5},{c}" for k, s in ((2, "a"), (3, "b")) for i, c in enumerate(clusters, 1)]
    file.write_text("\n".join([f"system,item,score,{column}", *rows]) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("verb", ["compare", "score", "rank", "advise"])
def test_items_without_a_cluster_are_refused_and_named(tmp_path: Path, verb: str) -> None:
    file = table(tmp_path / "t.csv", CLUSTERS)
    done = command(verb, file)
    assert (done.code, len(done.err.splitlines())) == (3, 1)
    assert f"{file}: 3 of 8 items have no 'cluster': '5', '6', '7'" in done.err


def test_what_the_message_offers_works(tmp_path: Path) -> None:
    file = table(tmp_path / "t.csv", CLUSTERS)
    assert "8 items. " in command("compare", file, "--cluster", "none").out
    own = [name or f"own{i}" for i, name in enumerate(CLUSTERS)]
    assert "8 items in 6 clusters" in command("compare", table(file, own)).out


def test_a_column_that_is_named_is_held_to_it_too_and_one_that_is_not_is_not(tmp_path: Path) -> None:
    file = table(tmp_path / "t.csv", CLUSTERS, "essay")
    assert command("compare", file).code == 0
    assert "have no 'essay'" in command("compare", file, "--cluster", "essay").err
    assert command("advise", file).code == 0  # which looks for clusters by itself


def test_clusters_of_units_and_of_preferences_are_held_to_it(tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    rows = [f"u{i},{'xy'[i % 2]},{'xy'[i % 3 % 2]},{c}" for i, c in enumerate(CLUSTERS)]
    labels.write_text("\n".join(["item,r1,r2,doc", *rows]) + "\n", encoding="utf-8")
    done = command("agree", labels, "--annotators", "r1,r2", "--cluster", "doc")
    assert "3 of 8 items have no 'doc': 'u4', 'u5', 'u6'" in done.err
    file = tmp_path / "pref.csv"
    rows = [f"{i},x,y,{'xy'[i % 3 > 0]},{c}" for i, c in enumerate(CLUSTERS)]
    file.write_text("\n".join(["item,system1,system2,winner,doc", *rows]) + "\n", encoding="utf-8")
    for verb in (("rank", "--wins", file), ("rank", "--preferences", file)):
        done = command(*verb, "--cluster", "doc")
        assert "3 of 8 items have no 'doc'" in done.err, verb


@pytest.mark.parametrize("missing", [None, float("nan"), ""])
def test_none_and_nan_are_no_cluster_either(missing: object) -> None:
    clusters = [name or missing for name in CLUSTERS]
    scores = {"a": [1.0, 2, 3, 4, 5, 6, 7, 8], "b": [2.0, 2, 4, 4, 6, 5, 7, 9]}
    with pytest.raises(outscore.InputError, match="3 of 8 items have no 'cluster'"):
        outscore.compare(scores, items={"cluster": clusters})
