"""``outscore score``: the scores of ``compare``, for one system or several, and nothing about pairs."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from pathlib import Path

import numpy as np
import pytest

import outscore as package
from outscore.base.errors import InputError, UsageError
from outscore.results.comparison import Comparison
from outscore.results.result import _ORDER, formats, kinds
from outscore.results.scores import Scores
from tests.cli.commandline import numbers, outscore, texts, written
from tests.examples import first


def table(folder: Path, n: int = 120) -> Path:
    """Two systems on items with documents and domains."""
    rng = np.random.default_rng(5)
    rows = [
        f"{system},{i},{int(rng.random() < share)},d{i // 6},{'xy'[i % 2]}"
        for system, share in (("a", 0.5), ("b", 0.7))
        for i in range(n)
    ]
    return written(folder / "t.csv", ["system,item,score,document,domain", *rows])


def runs(folder: Path) -> list[str]:
    for k in range(4):
        written(folder / f"r{k}.seg", [str((i * (k + 2)) % 5) for i in range(60)])
    return [f"base={folder}/r[01].seg", f"new={folder}/r[23].seg"]


def arguments_of(shape: str, folder: Path) -> list[str]:
    if shape == "texts":
        return [*texts(folder), "-m", "bleu,ter", "-n", "200"]
    if shape == "numbers":
        return [*numbers(folder)]
    if shape == "runs":
        return runs(folder)
    return [str(table(folder)), "--cluster", "document"]


@pytest.mark.parametrize("shape", ["texts", "numbers", "runs", "clusters"])
def test_scores_are_those_of_compare(shape: str, tmp_path: Path) -> None:
    arguments = arguments_of(shape, tmp_path)
    scores = json.loads(outscore("score", *arguments, "-f", "json").out)
    compared = json.loads(outscore("compare", *arguments, "-f", "json").out)
    assert scores["scores"] == compared["scores"]
    assert (scores["command"], scores["schema_version"]) == ("score", 2)
    assert scores["provenance"]["inputs"] == compared["provenance"]["inputs"]


@pytest.mark.parametrize(
    "shape", first(["texts", "numbers", "runs", "clusters"], "texts", "runs", others=pytest.mark.slow)
)
def test_every_format_draws_scores_without_pairs_and_redraws_them(shape: str, tmp_path: Path) -> None:
    arguments = arguments_of(shape, tmp_path)
    saved = tmp_path / "scores.json"
    assert outscore("score", *arguments, "-o", saved, "-q").code == 0
    for name in formats.names():
        direct = outscore("score", *arguments, "-f", name)
        again = outscore("show", saved, "-f", name)
        assert (direct.code, again.code) == (0, 0), direct.err + again.err
        assert again.out == direct.out
        assert not {"Gain", "baseline", "Bold", "†", "correction:"} & set(direct.out.replace("\n", " ").split(" "))


def test_one_system_is_enough(tmp_path: Path) -> None:
    _, reference, _, new = texts(tmp_path)
    done = outscore("score", "-r", reference, new, "-m", "chrf")
    assert (done.code, done.err) == (0, "")
    assert "Against" not in done.out
    assert done.out.splitlines()[-1].startswith("new scores ") or "new scores " in done.out


def test_a_score_within_a_domain_is_that_of_its_items_alone(tmp_path: Path) -> None:
    path = table(tmp_path)
    whole = package.score(package.read(str(path)), metrics="accuracy", cluster="document")
    assert [(d.bucket, d.system) for d in whole.buckets] == [("x", "a"), ("x", "b"), ("y", "a"), ("y", "b")]
    for domain in "xy":
        lines = path.read_text(encoding="utf-8").splitlines()
        part = written(tmp_path / f"{domain}.csv", [lines[0], *(line for line in lines if line.endswith(f",{domain}"))])
        alone = package.score(package.read(str(part)), metrics="accuracy", cluster="document", by="none")
        here = [d for d in whole.buckets if d.bucket == domain]
        assert [(d.score, d.ci, d.n_items) for d in here] == [(s.score, s.ci, s.n_items) for s in alone.scores]
    done = outscore("score", path, "-m", "accuracy", "--cluster", "document")
    assert "Score by domain" in done.out
    assert "Score by domain" not in outscore("score", path, "-m", "accuracy", "--by", "none").out


def test_clusters_that_are_ignored_are_spoken_of(tmp_path: Path) -> None:
    rows = [f"a,{i},{(i // 10) % 2},d{i // 10}" for i in range(100)]
    path = written(tmp_path / "t.csv", ["system,item,score,document", *rows])
    ignored = package.score(package.read(str(path)))
    assert any(note.code == "clusters_ignored" and note.remedy == "use --cluster document" for note in ignored.notes)
    used = package.score(package.read(str(path)), cluster="document")
    assert not any(note.code == "clusters_ignored" for note in used.notes)
    assert used.scores[0].ci is not None
    assert ignored.scores[0].ci is not None
    assert np.diff(used.scores[0].ci) > np.diff(ignored.scores[0].ci)


def test_resamples_are_spoken_of_where_they_were_drawn(tmp_path: Path) -> None:
    assert "200 resamples" in outscore("score", *arguments_of("texts", tmp_path), "--interval", "bca", "-v").out
    assert "resamples" not in outscore("score", *arguments_of("numbers", tmp_path), "-v").out


def test_rows_are_flat_and_one_for_each_score(tmp_path: Path) -> None:
    found = package.score({"a": [[1.0, 2, 3], [2.0, 2, 4]], "b": [[1.0, 1, 1], [1.0, 2, 1]]}, n_resamples=100)
    rows = found.rows()
    assert [(r["system"], r["n_runs"]) for r in rows] == [("a", 2), ("b", 2)]
    assert all(v is None or isinstance(v, str | int | float) for r in rows for v in r.values())
    assert (rows[0]["ci_low"], rows[0]["ci_high"]) == found.scores[0].ci
    assert found.to_pandas().shape[0] == 2
    read = list(csv.DictReader(io.StringIO(found.to("csv"))))
    assert [float(r["score"]) for r in read] == [s.score for s in found.scores]
    assert repr(found) == "<Scores of 2 systems: mean>"


def test_a_saved_result_is_what_it_was(tmp_path: Path) -> None:
    data = {"a": [1.0, 0.0, 1.0, 1.0], "b": [1.0, 1.0, 0.0, 1.0]}
    described = {"domain": ["x", "x", "y", "y"]}
    for made in (package.score(data, items=described), package.compare(data, items=described)):
        path = tmp_path / "r.json"
        path.write_text(made.to_json(), encoding="utf-8")
        assert package.load(path) == made
    with pytest.raises(InputError, match="not a saved comparison;"):
        Comparison.from_json(package.score(data).to_json())
    with pytest.raises(InputError, match="not a saved scores;"):
        Scores.from_json(package.compare(data).to_json())


def test_of_many_scores_the_first_and_the_last_are_said_and_that_nothing_was_tested() -> None:
    found = package.score({f"s{i}": [float(i), i + 1.0, i + 3.0] for i in range(6)})
    assert found.sentence == (
        "Of 6 systems s5 is first (6.333) and s0 last (1.333); whether they differ is not tested here: outscore rank. "
        "(95% intervals, each by itself: t interval. 3 items.)"
    )


def test_the_first_by_a_metric_is_the_lowest_where_low_is_better() -> None:
    found = package.score({f"s{i}": [float(i), i + 1.0] for i in range(5)}, metrics="mean:lower=true")
    assert found.sentence.startswith("Of 5 systems s0 is first (0.500) and s4 last (4.500); ")


def test_several_runs_cite_their_source(tmp_path: Path) -> None:
    assert "Clark" in outscore("score", *runs(tmp_path), "--cite").out


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (["--alpha", "2"], 2, "alpha=2.0"),
        (["-m", "nope"], 2, "unknown metric 'nope'"),
        (["--test", "t"], 2, "No such option"),
        (["--cluster", "nope"], 2, "no such column"),
        (["-f", "nope"], 2, "unknown format"),
        (["-m", "bleu"], 3, "bleu"),
    ],
)
def test_what_is_wrong_is_one_line(options: list[str], code: int, says: str, tmp_path: Path) -> None:
    done = outscore("score", *numbers(tmp_path), *options)
    assert (done.code, done.out) == (code, "")
    assert says in done.complaint


def test_the_api_refuses_impossible_settings() -> None:
    for wrong in ({"alpha": 0}, {"n_resamples": 1}, {"seed": -1}, {"jobs": 0}):
        with pytest.raises(UsageError):
            package.score({"a": [1.0, 2.0]}, **wrong)  # type: ignore[arg-type]


def test_cores_change_no_number(tmp_path: Path) -> None:
    arguments = arguments_of("texts", tmp_path)
    assert outscore("score", *arguments, "-j", "1").out == outscore("score", *arguments, "-j", "2").out


OURS = [kind for kind in kinds.names() if kinds.find(kind).__module__.startswith("outscore.")]


@pytest.mark.parametrize("kind", OURS)
def test_no_field_of_a_result_is_lost_in_its_json(kind: str) -> None:
    assert {field.name for field in dataclasses.fields(kinds.find(kind))} <= set(_ORDER)


def test_one_item_has_a_score_and_no_interval() -> None:
    found = package.score({"a": [0.5]})
    assert (found.scores[0].score, found.scores[0].ci) == (0.5, None)
    assert found.sentence == "a scores 0.5000 by mean. (1 item.)"
