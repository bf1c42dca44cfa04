"""``missing="pairwise"``: each pair on the items that both have, as if they had been compared alone, in one family."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.errors import InputError, UsageError
from outscore.report import tables_of
from outscore.report.numbers import to_digits
from tests.cli.commandline import outscore as command

RNG = np.random.default_rng(8)
N = 60
GAPS = {"a": 0, "b": 12, "c": 0, "d": 30}
SCORES = {
    system: {f"q{i}": float(RNG.random() < q) for i in range(gap, N)}
    for (system, gap), q in zip(GAPS.items(), (0.5, 0.6, 0.8, 0.5), strict=True)
}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rows = [f"{s},{item},{value:g}" for s, scores in SCORES.items() for item, value in scores.items()]
    file = tmp_path / "scores.csv"
    file.write_text("\n".join(["system,item,score", *rows]) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("all_pairs", [False, True])
def test_every_pair_is_as_if_the_two_were_alone(all_pairs: bool) -> None:
    together = outscore.compare(SCORES, missing="pairwise", all_pairs=all_pairs)
    m = len(together.pairs)
    assert m == (6 if all_pairs else 3)
    for pair in together.pairs:
        two = {name: SCORES[name] for name in (pair.baseline, pair.system)}
        alone = outscore.compare(two, missing="drop").pairs[0]
        assert (pair.gain, pair.p_value, pair.n_items) == (alone.gain, alone.p_value, alone.n_items)
        # with Holm each interval covers 1 - alpha/m, so that all cover together (Bonferroni)
        corrected = outscore.compare(two, missing="drop", alpha=0.05 / m).pairs[0]
        assert pair.ci == pytest.approx(corrected.ci)


def test_p_values_are_corrected_by_holm() -> None:
    found = outscore.compare(SCORES, missing="pairwise", all_pairs=True)
    assert found.correction == "holm"
    worst, adjusted = 0.0, {}
    for rank, pair in enumerate(sorted(found.pairs, key=lambda p: p.p_value or 0.0)):
        worst = max(worst, min(1.0, (len(found.pairs) - rank) * (pair.p_value or 0.0)))
        adjusted[pair.system, pair.baseline] = worst
    assert {(p.system, p.baseline): p.p_adjusted for p in found.pairs} == pytest.approx(adjusted)


def test_scores_are_of_all_items_of_a_system_and_the_pair_holds_its_own() -> None:
    found = outscore.compare(SCORES, missing="pairwise")
    assert {s.system: s.n_items for s in found.scores} == {s: N - gap for s, gap in GAPS.items()}
    for score in found.scores:
        assert score.score == pytest.approx(np.mean(list(SCORES[score.system].values())))
    for pair in found.pairs:
        shared = SCORES[pair.system].keys() & SCORES[pair.baseline].keys()
        ours, theirs = (np.mean([SCORES[s][item] for item in shared]) for s in (pair.system, pair.baseline))
        assert pair.effect["score"] == pytest.approx(ours)
        assert pair.effect["baseline_score"] == pytest.approx(theirs)


def test_it_says_who_lacks_what_and_what_that_means(table: Path) -> None:
    done = command("compare", table, "--missing", "pairwise")
    assert "- of 60 items 'b' lacks 12, 'd' lacks 30" in done.out
    assert " items " in done.out
    said = " ".join(command("compare", table, "--missing", "pairwise", "-v").out.split())
    assert "of 60 items 'b' lacks 12, 'd' lacks 30" in said
    assert "from 30 items ('d' against 'a') to 60 ('c' against 'a')" in said
    assert "need not add up" in said
    assert "corrected by Holm" in said
    sentence = command("compare", table, "--missing", "pairwise", "--all-pairs", "-f", "sentence").out
    assert " pairs of " in sentence
    assert "pairs of 30 to 60 items; 60 items (a, c), 48 items (b), 30 items (d);" in said


def test_gains_and_scores_of_a_pair_are_of_the_items_that_both_have() -> None:
    kept = float(np.mean([SCORES["a"][item] for item in SCORES["d"]]))
    own, of_all = (float(np.mean(list(SCORES[name].values()))) for name in ("d", "a"))
    found = outscore.compare(SCORES, missing="pairwise")
    (shown,) = (table for table in tables_of(found) if table.title.startswith("Scores, and gains"))
    (row,) = (row for row in shown.rows if row[0].text == "d")
    gain = f"{own - kept:+.4f}"
    assert gain != f"{own - of_all:+.4f}"
    assert [cell.text for cell in row[1:4]] == [f"{own:.4f}", "30", gain]
    (effects,) = (table for table in tables_of(found) if table.title.startswith("Effect"))
    (row,) = (row for row in effects.rows if row[0].text == "d")
    assert f"score {to_digits(own)}, baseline score {to_digits(kept)}, " in row[1].text


def test_where_nothing_is_missing_it_changes_nothing() -> None:
    whole = {name: SCORES[name] for name in ("a", "c")} | {"e": SCORES["c"]}
    plain, by_pairs = outscore.compare(whole), outscore.compare(whole, missing="pairwise")
    assert by_pairs.changed_options == ("missing",)
    assert replace(by_pairs, options=plain.options, changed_options=()).to("json") == plain.to("json")


def test_pairs_of_as_many_items_are_not_said_to_differ_in_them() -> None:
    gaps = {name: {f"q{i}": float(i % 3) for i in range(8) if i != left} for left, name in enumerate("abc")}
    (note,) = (n for n in outscore.compare(gaps, missing="pairwise").notes if n.code == "pairwise_items")
    assert "on the items that both have, 6 items. Gains" in note.text


def test_of_two_systems_it_is_the_same_as_drop() -> None:
    two = {name: SCORES[name] for name in ("a", "b")}
    dropped, by_pairs = outscore.compare(two, missing="drop"), outscore.compare(two, missing="pairwise")
    assert replace(by_pairs, options=dropped.options).to("json") == dropped.to("json")


def test_missing_numbers_are_missing_items() -> None:
    rows = {"a": np.ones(N), "b": RNG.random(N), "c": RNG.random(N)}
    rows["b"][:7] = np.nan
    found = outscore.compare(rows, missing="pairwise", n_resamples=99)
    assert {p.system: p.n_items for p in found.pairs} == {"b": N - 7, "c": N}


def test_outputs_with_references_and_domains(tmp_path: Path) -> None:
    texts = [f"the {i} cats sat on mat {i % 7}" for i in range(N)]
    lines = {"ref": texts, "a": texts, "b": [t.replace("cats", "dogs") for t in texts], "c": texts[::-1]}
    gaps = {"ref": 0, "a": 0, "b": 10, "c": 0}
    for name, outputs in lines.items():
        column = "reference" if name == "ref" else "output"
        rows = [f"q{i},{text},{'xy'[i % 2]}" for i, text in enumerate(outputs) if i >= gaps[name]]
        (tmp_path / f"{name}.csv").write_text("\n".join([f"item,{column},domain", *rows]) + "\n", encoding="utf-8")
    done = command(
        "compare", "-r", tmp_path / "ref.csv", *(f"{s}={tmp_path / s}.csv" for s in "abc"), "-m", "bleu",
        "--missing", "pairwise", "-n", "100", "-f", "json",
    )  # fmt: skip
    found = json.loads(done.out)
    assert {p["system"]: p["n_items"] for p in found["pairs"]} == {"b": N - 10, "c": N}
    assert {(d["system"], d["bucket"]): d["n_items"] for d in found["buckets"]} == {
        ("b", "x"): 25, ("b", "y"): 25, ("c", "x"): 30, ("c", "y"): 30,
    }  # fmt: skip


def test_systems_without_a_common_item_are_named() -> None:
    data = {"a": SCORES["d"], "b": SCORES["d"], "c": {f"x{i}": 1.0 for i in range(9)}}
    with pytest.raises(InputError, match=r"'c' against 'a': .* no item id in common with"):
        outscore.compare(data, missing="pairwise")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"correction": "max-t"}, 'correction="max-t" needs resamples that all pairs share'),
        ({"interval": "max-t"}, 'interval="max-t" needs resamples that all pairs share'),
        ({"margin": "1%"}, "give a number"),
        ({"history": "looks.jsonl"}, "a history is of one test set"),
    ],
)
def test_what_needs_items_in_common_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        outscore.compare(SCORES, missing="pairwise", **options)


@pytest.mark.parametrize(
    "verb",
    [
        ("rank",), ("score",), ("advise", "--test", "auto"), ("compare", "--test", "welch"),
        ("convert",), ("sequential",), ("replicate", "--set", "item"), ("advise",),
    ],
)  # fmt: skip
def test_every_other_command_refuses_it_in_one_line(verb: tuple[str, ...], table: Path) -> None:
    done = command(*verb, table, "--missing", "pairwise")
    assert done.code == 2, done.err
    assert done.out == ""
    assert len(done.err.splitlines()) == 1 or "Usage" in done.err
    assert "pairwise" in done.err
