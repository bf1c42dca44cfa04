"""Metrics that say how outputs are, and not how good, stand beside the tests and cost them nothing."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.errors import UsageError
from outscore.report.plots import picture
from outscore.report.screen import screen_of
from outscore.results.comparison import Comparison
from outscore.results.leaderboard import Leaderboard

WORDS = ["the", "a", "cat", "dog", "sat", "on", "mat", "in", "big", "small", "red", "house", "tree"]


def texts() -> tuple[dict[str, list[str]], list[str]]:
    draw = random.Random(1)
    gold = [" ".join(draw.choice(WORDS) for _ in range(draw.randint(5, 12))) for _ in range(80)]

    def noisy(wrong: float, cut: float) -> list[str]:
        return [
            " ".join(w if draw.random() > wrong else draw.choice(WORDS) for w in line.split() if draw.random() > cut)
            for line in gold
        ]

    return {"base": noisy(0.6, 0.02), "new": noisy(0.1, 0.1)}, gold


def compared(*metrics: str, **choices: Any) -> Comparison:
    outputs, gold = texts()
    options: dict[str, Any] = {"n_resamples": 499, "correction": "bonferroni", **choices}
    return outscore.compare(outputs, references=gold, metrics=metrics, **options)


def test_a_length_beside_other_metrics_is_outside_the_family() -> None:
    found, alone = compared("bleu", "length_ratio"), compared("bleu")
    bleu, length = found.pairs
    assert bleu.p_adjusted == bleu.p_value == alone.pairs[0].p_value
    assert bleu.ci == alone.pairs[0].ci
    assert (length.verdict, length.p_value, length.p_adjusted, length.test) == ("described", None, None, "")
    assert length.ci is not None
    assert length.gain == pytest.approx(-0.08, abs=0.05)
    assert length.ci[0] < length.gain < length.ci[1]
    assert "described" in length.notes
    # of one test nothing is corrected
    assert "tests:" not in found.to("terminal:detail=full")
    assert " Described, not tested: length_ratio. " in screen_of(found).how


@pytest.mark.parametrize("metrics", [("length_ratio",), ("bleu", "length_ratio:tested=true")])
def test_it_is_tested_where_it_is_asked_for(metrics: tuple[str, ...]) -> None:
    found = compared(*metrics)
    assert all(pair.p_adjusted is not None for pair in found.pairs)
    assert found.pairs[-1].verdict == "lower"
    assert found.pairs[0].p_adjusted == pytest.approx(len(metrics) * (found.pairs[0].p_value or 0))


@pytest.mark.parametrize("column", ["tokens", "output_tokens", "num_words", "Length"])
def test_columns_of_lengths_describe(column: str) -> None:
    rng = np.random.default_rng(2)
    frame = {
        "system": ["base"] * 50 + ["new"] * 50,
        "item": [*range(50)] * 2,
        "score": rng.normal(size=100),
        column: rng.integers(100, 900, 100).astype(float),
    }
    data = pytest.importorskip("pandas").DataFrame(frame)
    score, length = outscore.compare(data, metrics=["score", column]).pairs
    assert (score.verdict != "described", length.verdict) == (True, "described")
    found = outscore.compare(data, metrics=["score", column])
    (note,) = [note for note in found.notes if note.code == "described"]
    named = note.remedy.partition("-m ")[2].partition(",")[0]
    assert named == f"mean:column={column}"
    asked = outscore.compare(data, metrics=["score", f"{named},tested=true"])
    assert note.remedy == f"name it alone, or -m {named},tested=true, to test it"
    assert asked.pairs[1].p_value is not None
    # described only, it claims no direction
    assert [note.code for note in (*found.notes, *asked.notes)].count("direction_assumed") == 1


@pytest.mark.parametrize("column", ["token_count", "word_count", "output_char_count"])
def test_counts_of_tokens_describe_too(column: str) -> None:
    draw = random.Random(1)
    rows = [
        {"system": s, "item": i, "score": draw.random(), column: draw.randint(10, 99)} for s in "ab" for i in range(20)
    ]
    found = outscore.compare(pytest.importorskip("pandas").DataFrame(rows), metrics=["score", column])
    assert [pair.p_value is None for pair in found.pairs] == [False, True]


def test_words_and_gates_pass_it_over() -> None:
    found = compared("bleu", "length_ratio", margin={"bleu": 1, "length_ratio": 0.1})
    plain = compared("bleu", "length_ratio")
    assert plain.gate("better") == compared("bleu").gate("better")
    assert {pair.metric for pair in found.gate("equivalent").failing} <= {"bleu"}
    assert "Described, not tested: length_ratio." in plain.sentence
    assert not any("length_ratio" in said for said in screen_of(plain).verdict)
    alone = compared("bleu", "length_ratio")
    alone = replace(alone, scores=alone.scores[2:], pairs=alone.pairs[1:])
    (said,) = screen_of(alone).verdict
    assert said.startswith("new against base: ")
    assert said.endswith("length_ratio, described and not tested.")
    assert "outscores base by" in str(picture(plain)["title"])
    assert Comparison.from_json(plain.to_json()) == plain
    assert plain.to_latex() and plain.to("html")


def test_options_of_a_column_are_asked_for_where_they_are_understood() -> None:
    import pandas as pd

    rows = [{"system": s, "item": str(i), "tokens": 10 + i, "quality": i} for s in "ab" for i in range(6)]
    with pytest.raises(UsageError, match="write mean:column=tokens,tested=true"):
        outscore.compare(pd.DataFrame(rows), metrics="tokens:tested=true")


def test_a_length_costs_the_ranks_of_other_metrics_nothing() -> None:
    outputs, gold = texts()
    outputs["other"] = [line.replace("cat", "dog") for line in outputs["new"]]
    both, alone = (
        outscore.rank(outputs, references=gold, metrics=metrics, n_resamples=499)
        for metrics in (("length_ratio", "bleu"), ("bleu",))
    )
    lengths, bleu = both.pairs[:3], both.pairs[3:]
    assert [(pair.verdict, pair.p_value, pair.p_adjusted) for pair in lengths] == [("described", None, None)] * 3
    assert [pair.p_adjusted for pair in bleu] == [pair.p_adjusted for pair in alone.pairs]
    assert [pair.ci for pair in bleu] == [pytest.approx(pair.ci) for pair in alone.pairs]
    assert both.board("bleu") == alone.board("bleu")
    assert screen_of(both).verdict == screen_of(alone).verdict
    assert (
        " 3 pairs: p by max-T" in screen_of(both).how and "Described, not tested: length_ratio." in screen_of(both).how
    )
    assert all(f"{score.score:.4f}" in both.to("terminal") for score in both.scores[:3])
    assert "Test of each pair: ," not in both.to("terminal:detail=full")
    assert both.to("html") and picture(both)


def test_lengths_on_several_data_sets_are_outside_the_family() -> None:
    draw = random.Random(1)
    rows = [
        {
            "domain": s,
            "system": name,
            "item": f"{s}{i}",
            "score": draw.gauss(name == "b", 1),
            "tokens": draw.gauss(9, 1),
        }
        for s in "uvwxyz"
        for name in "abc"
        for i in range(30)
    ]
    frame = pytest.importorskip("pandas").DataFrame(rows)
    both, alone = (outscore.replicate(frame, column="domain", metrics=m) for m in (("score", "tokens"), ("score",)))
    of_score = [gain for gain in both.set_gains if gain.metric == "score"]
    assert [gain.p_adjusted for gain in of_score] == [gain.p_adjusted for gain in alone.set_gains]
    assert [one.overall for one in both.replicated] == [*(one.overall for one in alone.replicated), (), ()]
    assert {gain.p_value for gain in both.set_gains if gain.metric == "tokens"} == {None}
    assert both.rankings == alone.rankings
    assert screen_of(both).verdict == screen_of(alone).verdict
    assert "corrected by Holm over 2" in both.to("terminal:detail=full")
    assert both.to("html") and picture(both)


@pytest.mark.parametrize("metric", ["length_ratio", "length_ratio:tested=true"])
def test_who_is_longer_outscores_nobody(metric: str) -> None:
    outputs, gold = texts()
    found = outscore.compare(outputs, references=gold, metrics=metric, baseline="new", n_resamples=499)
    assert (found.pairs[0].verdict, found.pairs[0].gain > 0) == ("higher", True)
    assert {score.higher_is_better for score in found.scores} == {None}
    ranked = outscore.rank(outputs, references=gold, metrics=metric, n_resamples=499)
    for result in (found, ranked):
        said = [*screen_of(result).verdict, str(picture(result)), result.to("terminal:detail=full")]
        assert "base scores higher than new by 0." in said[0] or "scores higher than the other system" in said[0]
        assert not any(word in one for one in said for word in ("outscore", "\u2191", "length_ratio  [", "better to"))
    assert type(found).from_json(found.to_json()) == found
    assert found.pairs[0].p_adjusted is not None and ranked.pairs[0].p_adjusted is not None
    assert not found.gate("better")
    others = outscore.compare(
        {**outputs, **{f"n{i}": outputs["new"] for i in range(5)}}, references=gold, metrics=metric
    )
    assert "are lower" in screen_of(others).verdict[0]
    assert "outscore" not in screen_of(others).verdict[0]


def test_longer_on_most_data_sets_outscores_nobody() -> None:
    draw = random.Random(1)
    rows = [
        {"domain": s, "system": name, "item": f"{s}{i}", "tokens": draw.gauss(30 if name == "b" else 20, 1)}
        for s in "uvwx"
        for name in "ab"
        for i in range(30)
    ]
    frame = pytest.importorskip("pandas").DataFrame(rows)
    found = outscore.replicate(frame, column="domain", metrics="mean:column=tokens")
    assert screen_of(found).verdict[0].startswith("b scores higher than a on at least 4 of 4 data sets")
    assert "direction_assumed" not in [note.code for note in found.notes]
    assert {score.higher_is_better for score in found.scores} == {None}
    less = outscore.compare(frame.drop(columns="domain"), metrics="mean:column=tokens,lower=true")
    assert (less.pairs[0].verdict, less.scores[0].higher_is_better) == ("worse", False)


def board_of(*metrics: str, systems: int = 3) -> Leaderboard:
    draw = random.Random(2)
    gold = [" ".join(draw.choices(WORDS, k=12)) for _ in range(60)]
    outputs = {f"s{i}": [" ".join(line.split()[: 12 - draw.randint(0, i)]) for line in gold] for i in range(systems)}
    return outscore.rank(outputs, references=gold, metrics=metrics, n_resamples=499)


def test_a_length_beside_other_metrics_has_no_rank_sets() -> None:
    beside, alone = board_of("bleu", "length_ratio"), board_of("length_ratio")
    assert all(place.rank_set and place.letters for place in (*beside.board("bleu"), *alone.places))
    assert {(place.rank_set, place.letters) for place in beside.board("length_ratio")} == {(None, "")}
    lines = [line for line in beside.to("terminal:columns=100").splitlines() if "  s" in line]
    assert len(lines) == 4 and all(line.rsplit(maxsplit=1)[1] in ("be", "–") for line in lines)


def test_signs_of_lengths_alone_say_higher_and_lower() -> None:
    text = " ".join(board_of("length_ratio", systems=8).to("terminal:detail=full").split())
    assert "+: the row scores higher than the column, −: lower than it, ·: not shown to differ" in text
    assert "outscore" not in text.partition("Test of each pair")[0]


@pytest.mark.parametrize(
    ("systems", "choices", "words"),
    [
        (2, {"alternative": "greater"}, ["new is not shown to score higher than base"]),
        (2, {"alternative": "less"}, ["base is not shown to score lower than new"]),
        (2, {"margin": 0.02}, ["a decrease of 0.02 length_ratio", "decrease as large as the margin"]),
        (2, {"margin": 0.05}, ["base is not lower than new by 0.05 length_ratio or more", ".25 not lower"]),
        (6, {"margin": 0.02}, ["a decrease of 0.02 length_ratio or more is not ruled out", "are not shown to differ"]),
    ],
)
def test_no_word_calls_a_length_better_or_worse(systems: int, choices: dict[str, Any], words: list[str]) -> None:
    outputs, gold = texts()
    few = {name: lines[:8] for name, lines in outputs.items()}
    if words[0].startswith("base"):
        few = dict(reversed(few.items()))
    first = next(iter(few))
    few |= {f"s{i}": [*few[first][1:], few[first][0]] for i in range(systems - 2)}
    found = outscore.compare(few, references=gold[:8], metrics="length_ratio", n_resamples=499, **choices)
    text = " ".join(found.to("terminal").split())
    assert all(word in text for word in words), text
    assert not {"better", "worse", "loss", "outscores"} & {*text.partition(" - ")[0].split()}, text
