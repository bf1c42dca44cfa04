"""Rankings as JSON, ``{query: {document: score}}``: the command that is said makes a run of TREC of them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.commandline import outscore

QUERIES = [f"q{i:02}" for i in range(14)]


def ranked(query: int, shift: int, *, pool: bool) -> dict[str, float]:
    """Ten documents of a query, all of one pool or each of its own, the right one not far from the top."""
    scores = {f"d{k}": round(1 / (1 + (k * 3 + query + shift) % 10), 4) for k in range(10)}
    return scores if pool else {f"{doc}-{query}": score for doc, score in scores.items()}


def refused(file: Path, *arguments: str | Path) -> str:
    done = outscore("compare", file, *arguments)
    assert (done.code, done.out, len(done.err.splitlines())) == (3, "", 1)
    return done.err


@pytest.mark.skipif(shutil.which("jq") is None, reason="the command needs jq")
@pytest.mark.parametrize("pool", [True, False])
@pytest.mark.parametrize("name", ["dense.json", "my run's.json"])
def test_the_command_makes_a_run_that_is_compared(name: str, pool: bool, tmp_path: Path) -> None:
    qrels, base = tmp_path / "qrels.txt", tmp_path / "base.run"
    docs = [list(ranked(i, 0, pool=pool)) for i in range(len(QUERIES))]
    qrels.write_text("".join(f"{q} 0 {docs[i][i % 5]} 1\n" for i, q in enumerate(QUERIES)), encoding="utf-8")
    lines = [
        f"{q} Q0 {doc} 0 {score} base\n"
        for i, q in enumerate(QUERIES)
        for doc, score in ranked(i, 1, pool=pool).items()
    ]
    base.write_text("".join(lines), encoding="utf-8")
    file = tmp_path / name
    file.write_text(json.dumps({q: ranked(i, 0, pool=pool) for i, q in enumerate(QUERIES)}), encoding="utf-8")
    said = refused(file, base, "-r", qrels)
    assert "{query: {document: score}}" in said
    assert ("{system: {item: score}}" in said) == pool, "documents of one pool may be items, too"
    command = re.search(r"jq -r .*$", said)
    assert command is not None
    subprocess.run(command[0], shell=True, check=True)
    run = file.with_suffix(".run")
    assert run.read_text(encoding="utf-8").split("\n")[0].split()[:3] == ["q00", "Q0", docs[0][0]]
    done = outscore("compare", base, run, "-r", qrels, "-m", "mrr", "-n", "200", "-f", "json")
    assert done.code == 0, done.err
    systems = [score["system"] for score in json.loads(done.out)["scores"]]
    assert systems == ["base", file.stem.replace(" ", "_")]


def systems(n: int, items: int) -> Mapping[str, Mapping[str, float]]:
    return {f"s{k}": {f"i{i}": (i + k) % 3 for i in range(items)} for k in range(n)}


def test_a_few_systems_with_the_same_items_are_no_queries(tmp_path: Path) -> None:
    file = tmp_path / "scores.json"
    file.write_text(json.dumps(systems(3, 40)), encoding="utf-8")
    done = outscore("compare", file, "-n", "200", "-f", "json")
    assert done.code == 0, done.err
    assert [score["system"] for score in json.loads(done.out)["scores"]] == ["s0", "s1", "s2"]
    assert "{system: {item: score}}: 120 rows were read" in done.out


def test_where_both_readings_are_possible_both_commands_are_said(tmp_path: Path) -> None:
    file = tmp_path / "scores.json"
    file.write_text(json.dumps(systems(12, 40)), encoding="utf-8")
    said = refused(file)
    assert "as {system: {item: score}} or {query: {document: score}}" in said
    assert "for {system: {item: score}} --reader 'json:rows=*.*,system=@1,item=@2,score=@'; for documents" in said
    done = outscore("compare", file, "--reader", "json:rows=*.*,system=@1,item=@2,score=@", "-n", "200", "-f", "json")
    assert len(json.loads(done.out)["scores"]) == 12
