"""The first screen: the answer first, one table, what changes the answer, how it was tested, and no more."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import outscore
from outscore.base.notes import Note
from outscore.report.layout import align
from outscore.report.model import Block, Cell, Column, Table
from outscore.report.screen import screen_of, tell_in_brief, typed
from outscore.results.comparison import Comparison
from outscore.results.declared import Writer
from outscore.results.pairs import Otherwise
from outscore.results.result import Result
from outscore.results.scores import Scores
from tests.examples import examples
from tests.report.builders import (
    all_pairs,
    check_golden,
    comparison,
    equivalence,
    grid,
    pair,
    score,
    several_runs,
    two_systems,
    verdicts,
)
from tests.report.kinds import KINDS
from tests.report.test_changed import changed

NAMES = ("Meta-Llama-3-8B-Instruct", "Mistral-7B-Instruct-v0.2", "Phi-3-mini-4k-instruct")
OF_COMPARISONS = [kind for kind, make in KINDS.items() if isinstance(make(), Comparison | Scores)]


def terminal(made: Result, **options: object) -> str:
    spelled = ",".join(f"{name}={str(value).lower()}" for name, value in {"columns": 80, **options}.items())
    return made.to(f"terminal:{spelled}")


def many(n: int = 60, **changes: object) -> Comparison:
    """``n`` systems against ``base``, of which the scores fall."""
    names = [f"system-{i:02}" for i in range(n)]
    pairs = [pair(name, 5.0 - i / 10, 0.0001 if i < 30 else 0.4) for i, name in enumerate(names)]
    made = comparison([score("base", 27.0), *(score(name, 32.0 - i / 10) for i, name in enumerate(names))], pairs)
    return replace(made, **changes)  # type: ignore[arg-type]


# --- what is said -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", OF_COMPARISONS)
def test_it_begins_with_the_verdict_and_says_the_table_then_notes_then_how(kind: str) -> None:
    made = KINDS[kind]()
    screen = screen_of(made)
    text = " ".join(made.to("terminal:columns=80,plain=true").split())
    verdict = next(v for v in (tell_in_brief(made, None, brief) for brief in range(3)) if " ".join(v) in text)
    parts = [*verdict, *[f"! {note.text}" for note in screen.notes if note.rank == "answer"], screen.how]
    places = [text.index(" ".join(part.split())) for part in parts if part]
    assert places == sorted(places)
    assert places[0] == 0
    assert f"{screen.how} -v: " in text


@pytest.mark.parametrize("kind", OF_COMPARISONS)
def test_no_word_says_equal_or_luck(kind: str) -> None:
    made = KINDS[kind]()
    for text in (made.to("terminal:detail=full"), made.to("markdown"), made.to("latex"), made.to("sentence")):
        assert not re.search(r"\b(equal|luck|as good as|no difference between)\b", text)


def test_a_gain_has_its_unit_its_interval_and_its_p() -> None:
    assert screen_of(two_systems()).verdict == ("big outscores base by 0.5 BLEU (95% CI 0.1 to 0.8, p = .013).",)


@pytest.mark.parametrize(
    ("side", "gain", "ci", "said", "ends"),
    [
        ("greater", 1.5, (0.5, 100.0), "95% CI 0.5 or more", "[+0.5, ∞)"),
        ("less", 1.5, (-100.0, 2.5), "95% CI 2.5 or less", "(-∞, +2.5]"),
        ("less", -1.5, (-100.0, -0.5), "base outscores new by 1.5 BLEU (95% CI 0.5 or more", "(-∞, -0.5]"),
    ],
)
def test_the_end_of_which_a_one_sided_test_says_nothing_is_open(
    side: str, gain: float, ci: tuple[float, float], said: str, ends: str
) -> None:
    of = pair("new", gain, 0.01, ci=ci, alternative=side)
    made = comparison([score("base", 27.0), score("new", 28.5)], [of], alternative=side)
    assert said in made.to("sentence")
    assert ends in terminal(made)
    assert made.to_dict()["pairs"][0]["ci"] == list(ci)


def test_proportions_are_told_in_points_of_the_metric_and_means_have_no_unit() -> None:
    said = " ".join(screen_of(grid()).verdict)
    assert "1.9 points of accuracy (" in said
    (said,) = screen_of(KINDS["two"]()).verdict
    assert said.startswith("birch is not shown to differ from ash: -0.00202 (95% CI ")


def test_what_was_shown_is_said_first_whatever_was_named_first() -> None:
    scores = [score("base", 27.0), *(score(name, 27.0) for name in "abc")]
    pairs = [pair("a", 0.1, 0.5), pair("b", -1.0, 0.001), pair("c", 1.0, 0.001)]
    for given_pairs in (pairs, pairs[::-1]):
        said = screen_of(comparison(scores, given_pairs)).verdict
        assert [one.partition(" by ")[0].partition(":")[0] for one in said] == [
            "c outscores base",
            "base outscores b",
            "a is not shown to differ from base",
        ]


def test_metrics_that_decide_otherwise_stand_in_one_sentence_that_says_who() -> None:
    _, said, _ = screen_of(grid()).verdict
    assert said.startswith("base outscores no-dropout by 1.29 BLEU (")
    assert "; no-dropout is not shown to differ from base: 0.0 points of accuracy (p = 1)" in said


def test_it_is_said_of_each_metric_that_is_better_when_low() -> None:
    first, *_ = screen_of(grid()).verdict
    assert "1.4 TER (lower is better; " in first
    assert first.count("lower is better") == 1


def test_that_a_metric_is_better_when_low_stands_before_p_where_there_is_no_interval() -> None:
    found = outscore.compare({"a": [1.0] * 5, "b": [2.0] * 5}, metrics="mean:lower=true", test="randomization")
    assert "-1.000 (lower is better; p = .062)." in found.sentence


def test_below_a_table_of_gains_it_is_said_what_they_mean_where_less_is_better() -> None:
    assert "\nTER ↓: a gain above 0 is a lower score.\n" in terminal(grid())
    assert "a lower score" not in terminal(two_systems())
    assert "a lower score" not in terminal(outscore.score({"base": [0.1, 0.2]}, metrics="mean:lower=true"))


def test_beside_what_is_not_shown_stands_what_could_have_been() -> None:
    """By design: not from the gain that was seen; the gain itself has the items that it needs.

    Gains of 0.60 would not be found where 0.61 is the least: what is said to be found is rounded up.
    """
    scores = [score("base", 27.0), score("a", 27.2)]
    found = pair("a", 0.2, 0.4, verdict="inconclusive", detectable_gain=0.61, items_needed=12345)
    (said,) = screen_of(comparison(scores, [found])).verdict
    assert said.endswith(
        " This test set finds gains of 0.7 BLEU or more with 80% power; a gain of 0.2 BLEU would take about 12,000 "
        "items."
    )
    (said,) = screen_of(comparison(scores, [replace(found, verdict="better", p_adjusted=0.001)])).verdict
    assert "power" not in said


def test_of_several_systems_what_could_be_found_is_said_once_with_the_gain_nearest_to_it() -> None:
    scores = [score("base", 27.0), score("a", 27.2), score("b", 27.4)]
    found = [
        pair(name, gain, 0.4, verdict="inconclusive", detectable_gain=least, items_needed=items)
        for name, gain, least, items in (("a", 0.2, 0.5, 12000), ("b", 0.4, 0.7, 4000))
    ]
    *said, last = screen_of(comparison(scores, found)).verdict
    assert not any("power" in one for one in said)
    assert last == (
        "This test set finds gains of 0.7 BLEU or more with 80% power; a gain of 0.4 BLEU would take about 4,000 items."
    )


def test_the_size_that_a_gain_would_take_is_left_out_where_nobody_could_collect_it_or_the_gain_is_none() -> None:
    scores = [score("base", 27.0), score("a", 27.2)]
    found = pair("a", 0.2, 0.4, verdict="inconclusive", detectable_gain=0.61)
    for gain, times, said in ((0.2, 1000, True), (0.2, 1001, False), (0.0001, 10, False)):
        one = replace(found, gain=gain, items_needed=times * found.n_items)
        (sentence,) = screen_of(comparison(scores, [one])).verdict
        assert "BLEU or more with 80% power" in sentence
        assert ("would take" in sentence) is said


def test_of_several_runs_the_runs_that_a_gain_would_take_are_said() -> None:
    scores = [score("base", 27.0), score("a", 27.2)]
    found = pair("a", 0.2, 0.4, verdict="inconclusive", detectable_gain=0.61, runs_needed=8)
    (said,) = screen_of(comparison(scores, [found])).verdict
    assert said.endswith("; a gain of 0.2 BLEU would take about 8 runs each.")


def gains(*means: float) -> dict[str, list[float]]:
    """A baseline of 40 items, and systems whose gains over it have these means."""
    base = [i % 7 / 10 for i in range(40)]
    named = {f"s{k}": [x + mean + (0.1 if i % 2 else -0.1) for i, x in enumerate(base)] for k, mean in enumerate(means)}
    return {"base": base, **named}


def test_of_a_system_that_is_not_worse_by_the_margin_it_is_said_before_what_is_open() -> None:
    found = outscore.compare(gains(0.028), margin=0.03)
    said = "s0 is not worse than base by 0.03 or more (p < .001); it is not shown to differ: +0.02800 ("
    assert found.sentence.startswith(said)
    assert re.search(r"\.088  +not worse$", found.to("terminal"), re.MULTILINE)
    assert found.pairs[0].verdict == "inconclusive"  # what machines read has the words that it had


def test_what_the_margin_leaves_open_is_said_of_a_loss_that_is_shown_too() -> None:
    found = outscore.compare(gains(-0.05), margin=0.03)
    assert "; a loss of 0.03 or more is not ruled out (p = .89)." in found.sentence
    assert re.search(r" worse$", found.to("terminal"), re.MULTILINE)
    assert "inconclusive" not in found.to("terminal")


def test_a_loss_that_is_shown_to_be_beyond_the_margin_is_said_to_be() -> None:
    found = outscore.compare(gains(-0.3), margin=0.03).sentence
    assert "; the loss is larger than the margin of 0.03." in found
    assert "ruled out" not in found
    for gain, margin in ((0.3, 0.03), (-0.3, 0.5), (-0.05, 0.03)):
        assert "larger" not in outscore.compare(gains(gain), margin=margin).sentence


def test_a_loss_within_the_margin_has_both_words() -> None:
    found = outscore.compare(gains(-0.05), margin=0.1)
    assert re.search(r" worse, within margin$", found.to("terminal"), re.MULTILINE)
    assert "not ruled out" not in found.sentence


def test_what_is_inconclusive_is_explained_below_the_table() -> None:
    screen = " ".join(outscore.compare(gains(-0.01, 0.2), margin=0.03).to("terminal").split())
    assert "inconclusive: no difference is shown, and a loss as large as the margin is not ruled out." in screen


def test_of_many_systems_it_is_counted_what_the_margin_decided() -> None:
    found = outscore.compare(gains(0.3, 0.3, 0.3, 0.001, -0.028), margin=0.04).sentence
    assert "1 is equivalent to it within 0.04 (s3)" in found
    assert "1 is not shown to differ (s4), and a loss of 0.04 or more is not ruled out." in found
    found = outscore.compare(gains(0.3, 0.3, -0.3, 0.001, -0.028), margin=0.04).sentence
    assert ", and a loss of 0.04 or more is not ruled out; the loss of s2 is larger than 0.04." in found
    found = outscore.compare(gains(0.3, 0.6, 0.9, 0.001), margin=0.04, all_pairs=True).sentence
    assert "9 of 10 pairs are shown to differ, 1 is equivalent within 0.04." in found


def test_an_interval_of_one_equivalence_does_not_stand_beside_a_p_of_several() -> None:
    alone = outscore.compare(gains(0.01), margin=0.1).sentence
    assert re.search(r"s0 is equivalent to base within 0.1 \(90% CI \S+ to \S+, p < .001\)", alone)
    several = outscore.compare(gains(0.01, 0.005), margin=0.1)
    assert "s0 is equivalent to base within 0.1 (p < .001)." in several.sentence
    full = " ".join(several.to("terminal:detail=full").split())
    assert "corrected over the pairs, each claim a family of its own; the intervals are not." in full
    assert "(90% CI " in outscore.compare(gains(0.01, 0.005), margin=0.1, correction="none").sentence


def test_of_a_margin_in_per_cent_it_is_said_of_what() -> None:
    found = outscore.compare(gains(0.028), margin="10%")
    for text in (found.to("terminal"), found.to("terminal:detail=full"), found.sentence):
        assert "Margin: 10% of base's score." in " ".join(text.split())
    assert "Margin" not in outscore.compare(gains(0.028), margin=0.03).to("terminal")
    by_metric = outscore.compare(gains(0.028), margin={"mean": "10%"})
    assert "Margin: mean=10%, per cent of base's score." in " ".join(by_metric.to("terminal").split())


def test_where_a_loss_as_large_as_the_margin_is_not_ruled_out_it_is_said() -> None:
    found = outscore.compare(gains(0.0), margin=0.02)
    assert "; a loss of 0.02 or more is not ruled out (p = .11)." in found.sentence
    assert "not worse" not in found.to("terminal")


def test_of_many_systems_those_that_are_not_worse_are_counted() -> None:
    found = outscore.compare(gains(0.028, 0.025, -0.01, 0.2, 0.3), margin=0.03)
    assert "; 3 are not shown to differ (s0, s1 and s2); 2 of these are not worse by 0.03 or more; a " in found.sentence
    assert "; a loss of 0.03 or more is not ruled out for s2." in found.sentence


def test_a_verdict_that_a_note_may_turn_points_to_it() -> None:
    made = two_systems()
    changing = Note(code="clusters_ignored", text="items are alike", remedy="give the clusters")
    noted = replace(made, pairs=(replace(made.pairs[0], notes=(changing.code,)),), notes=(changing,))
    assert screen_of(noted).verdict[0].endswith("p = .013), BUT see !.")
    assert "BUT see !" not in screen_of(made).verdict[0]
    # what is pasted into a paper has no screen to point to
    assert "see !" not in noted.sentence
    assert noted.sentence.endswith(".) But items are alike.")
    assert "But items are alike." in noted.to("latex").partition("For the text: ")[2].partition("\n")[0]
    assert "But" not in made.sentence


def test_of_many_against_one_it_is_said_how_many_and_who_most_of_all() -> None:
    (said,) = screen_of(many()).verdict
    assert said == (
        "30 of 60 systems outscore base by BLEU, most of all system-00: by 5.00 BLEU (95% CI 4.65 to 5.36, p < .001); "
        "30 are not shown to differ."
    )


def test_more_sets_of_outputs_that_are_alike_are_said_to_be_so() -> None:
    found = pair("copy", 0.0, 1.0, notes=("identical_outputs",))
    (said,) = screen_of(comparison([score("base", 27.0), score("copy", 27.0)], [found])).verdict
    assert said == "copy and base score alike on every item: there is nothing to tell apart."


# --- how much of it ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [two_systems, several_runs, verdicts])
def test_an_ordinary_result_takes_25_lines_at_most(make: object) -> None:
    assert callable(make)
    assert len(terminal(make()).splitlines()) <= 25


def three_by_two(seed: int, rename: dict[str, str] = {}) -> pd.DataFrame:  # noqa: B006 (read alone)
    """Scores of three systems in documents, in which items are alike."""
    rng = np.random.default_rng(seed)
    documents = np.repeat(rng.normal(size=12), 4)
    rows = {name: rng.normal(size=48) + documents * share for name, share in zip(NAMES, (0.0, 0.6, 0.9), strict=True)}
    table = [
        {"system": name, "item": i, "document": i // 4, "fluency": v + 0.3 * (name == NAMES[1]), "all": float(v > -0.4)}
        for name, values in rows.items()
        for i, v in enumerate(values.tolist())
    ]
    return pd.DataFrame(table).replace({"system": rename})


def with_long_names(**options: Any) -> Comparison:
    table = three_by_two(1, {NAMES[2]: "a-system-with-a-name-of-forty-four-characters"})
    table = table.rename(columns={"all": "a_rather_long_name_of_a_metric"}).assign(genre=table["document"] % 3)
    return outscore.compare(
        table, metrics=["fluency", "a_rather_long_name_of_a_metric"], **{"n_resamples": 100, **options}
    )


def test_a_verdict_names_its_gains_as_long_as_they_have_room() -> None:
    text = " ".join(terminal(with_long_names(by="genre", cluster="document", n_resamples=10_000)).split())
    assert f"{NAMES[1]} is not shown to differ from {NAMES[0]}: +0.468 fluency (p = .17)" in text


@pytest.mark.parametrize(
    "options",
    [
        {"all_pairs": True, "margin": 0.05, "correction": "holm"},
        {"margin": 0.5, "posterior": "auto", "by": "genre", "correction": "none", "alternative": "less"},
        {"all_pairs": True, "cluster": "document", "by": "genre", "alpha": 0.01, "flips": 5},
        {"all_pairs": True, "by": "genre", "flips": 3, "alternative": "less"},
        {"all_pairs": True, "by": "genre", "flips": 5, "correction": "none"},
    ],
    ids=[
        "margin, all pairs",
        "margin, posterior, buckets, one side",
        "clusters, buckets, flips",
        "buckets, flips, one side",
        "buckets, flips, no correction",
    ],
)
def test_three_systems_by_two_metrics_take_25_lines_and_what_is_asked_for_beside_them_40(
    options: dict[str, Any],
) -> None:
    """What of the verdict the table has too goes first; the verdict, what changes it and what was asked for stay."""
    lines = terminal(with_long_names(**options)).splitlines()
    assert len(lines) <= (40 if {"by", "flips", "posterior"} & set(options) else 25)
    assert max(map(len, lines)) <= 80
    assert {"fluency ↑", "a_rather_long_name_of_a_metric ↑"} <= set(lines)
    text = " ".join(lines)
    assert ("Probability of being better" in text) is ("posterior" in options)
    assert ("gain by genre" in text.lower()) is ("by" in options)
    assert ("Items that differ most" in lines) is ("flips" in options)
    assert any(line.startswith(("! ", "- ")) for line in lines)


@pytest.mark.parametrize("metrics", [("bleu",), ("bleu", "chrf")])
def test_items_that_were_asked_for_are_shown_with_less_of_their_texts(metrics: tuple[str, ...]) -> None:
    """Five long texts: they have fewer lines each before any of the five leaves; of two metrics some of each stay."""
    rng = np.random.default_rng(5)
    words = [f"word{i}" for i in range(400)]
    references = [" ".join(rng.choice(words, 40)) for _ in range(40)]

    def system(kept: float) -> list[str]:
        return [" ".join(w for w in text.split() if rng.random() < kept) for text in references]

    systems = {"base": system(0.9), "new": system(0.8)}
    made = outscore.compare(systems, references=[references], metrics=list(metrics), flips=5, n_resamples=200)
    screen = terminal(made)
    of_each = [[flip.item for flip in made.flips(5) if flip.metric == metric] for metric in metrics]
    below = screen.split("Items that differ most")[1]
    shown = [line.split()[0] for line in below.splitlines() if line[:1].isdigit()]
    assert shown == (of_each[0] if len(metrics) == 1 else [item for of in of_each for item in (*of[:2], of[-1])])
    assert ("more: --all" in below) is (len(metrics) > 1)
    assert len(screen.splitlines()) <= 40


@pytest.mark.parametrize("seed", range(12))
def test_three_systems_by_two_metrics_take_25_lines_whatever_is_noted(seed: int) -> None:
    """Small samples on the edge, names of models: p and interval disagree, draws decide, clusters matter."""
    made = outscore.compare(three_by_two(seed), metrics=["fluency", "all"], n_resamples=99, test="auto")
    lines = terminal(made).splitlines()
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 80
    assert sum("power" in line for line in lines) <= 1, "what could have been found is said once"
    shown = sum(line.startswith("! ") for line in lines)
    changing = [note for note in made.notes if note.rank == "answer"]
    assert 0 < shown == len(changing) or any(line.endswith(" notes: -v") for line in lines)


def test_of_clusters_the_gains_that_turn_come_first() -> None:
    scores = [score(name, 27.0) for name in ("base", "a", "b")]
    notes = ("clusters_ignored",)
    other = [Otherwise(note=notes[0], how="--cluster doc", gain=1.0, ci=(-1, 3), p_value=p) for p in (0.001, 0.3)]
    pairs = [pair(name, 1.0, 0.001, notes=notes, otherwise=one) for name, one in zip(("a", "b"), other, strict=True)]
    made = replace(comparison(scores, pairs), notes=(Note(code=notes[0], text="items are alike"),))
    screen = screen_of(made)
    assert screen.computed == set(screen.notes)
    (said,) = (note.remedy for note in screen.notes)
    assert said.startswith("With --cluster doc: b +1.0 BLEU (-1.0 to 3.0, p = .30); a +1.0 BLEU")


@pytest.mark.parametrize("n", [5, 25, 60, 200])
def test_no_result_takes_more_than_40_lines_unless_all_is_asked_for(n: int) -> None:
    assert len(terminal(many(n)).splitlines()) <= 40
    assert sum(line.startswith("system-") for line in terminal(many(n), all=True).splitlines()) == n


def test_quiet_is_the_first_table_alone() -> None:
    made = several_runs()
    text = terminal(made, detail="table", plain=True)
    assert text in terminal(made, plain=True)
    assert text.splitlines()[0].split()[:2] == ["BLEU", "↑"]
    assert "outscores" not in text
    assert not any(note.text in text for note in made.notes)


def test_all_of_it_has_every_table_note_and_line_of_the_method() -> None:
    made = several_runs()
    screen = screen_of(made)
    text = terminal(made, detail="full", columns=300)
    assert [line for line in text.splitlines() if line in {table.title for table in screen.tables}] == [
        table.title for table in screen.tables
    ]
    for line in screen.method:
        assert line in text
    for note in made.notes:
        assert note.text.rstrip(".") in text
        assert not note.remedy or note.remedy[1:] in text


def test_the_last_line_says_what_more_there_is() -> None:
    assert terminal(several_runs(), columns=200).endswith("  -v: runs, tests, other tests, method, notes.\n")
    assert "notes" not in terminal(two_systems(), columns=200).splitlines()[-1]


# --- notes ------------------------------------------------------------------------------------------------


def noted(*codes: str) -> Comparison:
    return replace(two_systems(), notes=tuple(Note(code=c, text=f"about {c}", remedy=f"mend {c}") for c in codes))


def test_notes_stand_by_their_rank() -> None:
    """First what changes the answer, with its remedy; what limits the claim in one line; the rest is left to -v."""
    text = terminal(noted("described", "few_runs", "clusters_ignored"))
    assert "! about clusters_ignored. Mend clusters_ignored.\n- about few_runs\n" in text
    assert "described" not in text
    full = terminal(noted("described", "few_runs", "clusters_ignored"), detail="full")
    places = [full.index(f"about {code}. Mend {code}.") for code in ("clusters_ignored", "few_runs", "described")]
    assert places == sorted(places)


def test_no_note_is_said_twice() -> None:
    made = noted("few_runs", "few_runs", "clusters_ignored", "clusters_ignored")
    for text in (terminal(made), terminal(made, detail="full"), made.to("markdown"), made.to("latex")):
        assert text.count("bout few") == text.count("bout clusters") == 1


def test_many_notes_are_counted_and_not_lost() -> None:
    text = terminal(noted("clusters_ignored", "zero_variance", *(f"limit_{i}" for i in range(9))))
    assert text.count("\n! ") == 2
    assert text.count("\n- about") == 3
    assert "\n- 6 more notes: -v\n" in text


@pytest.mark.parametrize("columns", range(60, 100))
def test_no_line_ends_within_a_number_and_what_it_belongs_to(columns: int) -> None:
    verdict = terminal(grid(), columns=columns).partition("\n\n")[0]
    assert not re.search(r"(\bp|[=<]|\bCI|\d%|\d to)\n|\d\n(to|BLEU|TER|points)\b|see\n!", verdict), verdict


def test_a_long_note_is_cut_at_a_clause_and_says_that_it_goes_on() -> None:
    start = "the run-to-run variance of these systems, of which there are three each"
    text = f"{start}, is known only poorly here, so all the intervals of scores and gains are wide, and p is large"
    made = replace(two_systems(), notes=(Note(code="few_runs", text=text),))
    lines = terminal(made).splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("- "))
    assert lines[at : at + 2] == [
        f"- {start}, is",
        "  known only poorly here, so all the intervals of scores and gains are ...",
    ]
    made = replace(two_systems(), notes=(Note(code="few_runs", text=f"{start}, is known poorly"),))
    assert "...\n" not in terminal(made)
    names = "'a-system-with-a-name' against 'another-system'"
    long = f"{names}, {names}: the differences are skewed for so few items that a mean says little of them"
    made = replace(two_systems(), notes=(Note(code="few_runs", text=long),))
    assert "differences are skewed" in " ".join(terminal(made).split())


# --- side by side -----------------------------------------------------------------------------------------


def two_metrics() -> Comparison:
    """Two systems under two metrics, which have the same rows."""
    made = grid()
    kept = ("base", "transformer-big")
    return replace(
        made,
        scores=tuple(s for s in made.scores if s.system in kept and s.metric != "accuracy"),
        pairs=tuple(p for p in made.pairs if p.system in kept and p.metric != "accuracy"),
    )


def test_metrics_stand_side_by_side_where_they_fit_and_else_below_one_another() -> None:
    wide, narrow = terminal(two_metrics(), columns=120), terminal(two_metrics(), columns=80)
    (head,) = (line for line in wide.splitlines() if "BLEU ↑" in line and "CI]" in line)
    assert re.split(r"  +", head.strip()) == [
        "BLEU ↑ [95% CI]", "gain [95% CI]", "p", "TER ↓ [95% CI]", "gain [95% CI]", "p",
    ]  # fmt: skip
    (row,) = (line for line in wide.splitlines() if line.startswith("transformer-big  "))
    assert row.split()[1] == "28.8" and " 59.9 [" in row
    lines = narrow.splitlines()
    assert lines.index("BLEU ↑") < lines.index("TER ↓")
    assert sum(line.startswith("transformer-big  ") for line in lines) == 2
    tall = terminal(under(2, *(f"system-{i}" for i in range(9))), columns=120).splitlines()
    assert sum(line.startswith("system-0 ") for line in tall) == 1


def test_metrics_with_other_rows_are_never_put_side_by_side() -> None:
    made = two_metrics()
    fewer = replace(made, scores=made.scores[:-1], pairs=made.pairs[:-1])
    lines = terminal(fewer, columns=200).splitlines()
    assert "BLEU ↑" in lines and "TER ↓" in lines


ANSWERS = ("few_to_exchange", "labels_joined", "looks_missing", "mixed_scale", "paired_data", "zero_variance")
CLAIMS = ("few_items", "few_runs", "small_pilot")


@pytest.mark.parametrize("rows", [4, 8, 12, 22, 31])
def test_notes_have_the_lines_that_the_table_leaves(rows: int) -> None:
    """Of answers more is said than of claims, one that has no room is counted, and long ones end in dots."""

    def noted(code: str, words: int) -> Note:
        said = " ".join(f"{code[:3]}{i}{',' * (i % 9 == 8)}" for i in range(words))
        return Note(code=code, text=f"{code} (in words): {said}", remedy="do otherwise")

    shown = []
    for answers, claims, words in ((0, 3, 30), (1, 3, 60), (2, 1, 9), (4, 2, 40), (6, 0, 60)):
        notes = [*(noted(code, words) for code in ANSWERS[:answers]), *(noted(code, words) for code in CLAIMS[:claims])]
        shown.append(terminal(many(rows, notes=tuple(notes))))
    check_golden(f"notes_beside.{rows}.txt", "\n".join(shown))


def test_three_systems_by_two_metrics_spare_words_and_names_and_notes_in_their_order() -> None:
    """Names and metrics of so many characters, so many notes, gains of so many digits."""
    other = Otherwise(note="clusters_ignored", how="--cluster doc", gain=1.0, ci=(-1, 3), p_value=0.3)
    shown = []
    for long, longer, answers, claims, beside, digits in (
        (60, 40, 1, 0, False, 0),
        (30, 40, 4, 2, True, 0),
        (30, 6, 4, 0, True, 0),
        (20, 6, 1, 0, True, 5),
        (20, 6, 1, 0, True, 7),
    ):
        names = [f"{('sys' + '-with-a-long-name' * 4)[:long]}{i}" for i in range(2)]
        metrics = [f"{('metric' + '-of-a-long-name' * 4)[:longer]}{i}" for i in range(2)]
        more: dict[str, Any] = {"notes": (other.note,), "otherwise": other} if beside else {}
        more |= {"verdict": "equivalent", "equivalence": equivalence(0.002, 0.001)} if digits else {}
        gains = [(name, metric, (1.0 - i * 0.7) * 10**digits, (0.001, 0.3)[(i + j) % 2])
                 for j, metric in enumerate(metrics) for i, name in enumerate(names)]  # fmt: skip
        scores = [score(name, 27.0, metric=metric) for metric in metrics for name in ("base", *names)]
        made = comparison(scores, [pair(name, gain, p, metric=metric, **more) for name, metric, gain, p in gains])
        said = [Note(code=other.note, text="items are alike")] * beside
        said += [Note(code=code, text=" ".join([code] * 12)) for code in (*ANSWERS[:answers], *CLAIMS[:claims])]
        shown.append(terminal(replace(made, notes=tuple(said))))
    assert max(len(text.splitlines()) for text in shown) <= 25
    check_golden("spared.txt", "\n".join(shown))


def test_a_verdict_has_no_intervals_where_notes_would_have_no_room_beside_them() -> None:
    plain = json.loads(KINDS["two_metrics"]().to_json())
    lines = terminal(Result.from_json(json.dumps(changed(plain, {"copies of f1": 3})))).splitlines()
    assert len(lines) <= 40
    assert lines[0].endswith("(p = .035); it is not shown to")
    assert {"- what columns_describe says", "- 2 more notes: -v"} <= set(lines)


@pytest.mark.parametrize("kind", ["with_regions", "with_words", "posterior_of_many", "scores"])
def test_several_tables_share_the_first_screen(kind: str) -> None:
    """What has no room stands there by its title."""
    plain = json.loads(KINDS[kind]().to_json())
    name = (plain["scores"] or plain["posteriors"])[-1]["system"]
    shown = [Result.from_json(json.dumps(changed(plain, {f"copies of {name}": n}))) for n in (9, 14, 40)]
    check_golden(f"several.{kind}.txt", "\n".join(made.to("terminal:columns=80") for made in shown))


def test_tables_of_uneven_metrics_that_fit_are_left_whole() -> None:
    few, more = listed(2).blocks[0], listed(8).blocks[0]
    table = replace(listed(1), blocks=(replace(few, metric="m"), replace(more, metric="n")))
    assert table.cut_to(10) == table
    assert len(table.cut_to(9).rows) < 10


# --- long tables ------------------------------------------------------------------------------------------


def listed(n: int, blocks: int = 1) -> Table:
    return Table(
        title="x",
        columns=(Column(header="rank", align="right"), Column(header="system"), Column(header="score", align="right")),
        blocks=tuple(
            Block(metric=f"m{b}" if blocks > 1 else "", rows=tuple(
                (Cell(text=str(i)), Cell(text=f"s{i}"), Cell(text=f"0.{i:03}")) for i in range(n)
            ))
            for b in range(blocks)
        ),
    )  # fmt: skip


@given(st.integers(1, 90), st.integers(3, 50), st.integers(1, 3), st.integers(0, 120))
@settings(max_examples=examples(100))
def test_a_cut_table_keeps_top_bottom_and_neighbours_and_counts_the_rest(
    n: int, most: int, blocks: int, near: int
) -> None:
    table = listed(n, blocks).cut_to(most, f"s{near}")
    if n * blocks <= most:
        assert table == listed(n, blocks)
    for block in table.blocks:
        at = [int(row[0].text) if row[0].text else None for row in block.rows]
        assert at[0] == 0
        assert at[-1] == n - 1
        if near < n:
            assert set(range(max(0, near - 2), min(n, near + 3))) <= set(at)
        # what is left out is counted where it was
        place = 0
        for row in block.rows:
            if row[0].text:
                assert int(row[0].text) == place
                place += 1
            else:
                gone = re.fullmatch(r"\.\.\. ([\d,]+) more: --all", row[1].text)
                assert gone is not None
                assert int(gone[1].replace(",", "")) >= 2
                place += int(gone[1].replace(",", ""))
        assert place == n


def test_the_system_that_is_asked_for_is_shown_with_its_neighbours() -> None:
    plain, around = terminal(many()), terminal(many(), around="system-40")
    shown = [line.split()[0] for line in around.splitlines() if re.match(r"system-\d\d ", line)]
    assert {f"system-{i}" for i in range(38, 43)} <= set(shown)
    assert "system-40" not in plain
    assert len(around.splitlines()) <= 40
    assert re.search(r"^\.\.\. \d+ more: --all$", plain, re.M)


def test_an_option_is_shown_as_it_is_typed() -> None:
    assert typed({"document": "cluster", "trial": "run"}) == "document:cluster,trial:run"
    assert [typed(value) for value in (None, ["a", "b"], 0.05, "t")] == ["none", "a,b", 0.05, "t"]
    made = replace(two_systems(), options={"alpha": 0.1, "seed": 1}, changed_options=("alpha",))
    assert screen_of(made).method[-1] == "Options: alpha=0.1."


def under(metrics: int, *systems: str) -> Comparison:
    """Systems beside ``base`` under metrics that decide alike."""
    names = [f"metric-{i}" for i in range(metrics)]
    scores = [score(name, 27.0, metric=metric) for metric in names for name in ("base", *systems)]
    return comparison(scores, [pair(name, 0.4, 0.3, metric=metric) for metric in names for name in systems])


def test_intervals_of_scores_and_middles_of_names_leave_before_metrics_do() -> None:
    shown = terminal(under(5, *(f"system-{i}-of-a-name{'-that-is-long' * 3}" for i in range(3)))).splitlines()
    assert len(shown) <= 40
    assert [line for line in shown if line.endswith(" ↑")] == [f"metric-{i} ↑" for i in range(5)]
    assert [line.split()[1:3] for line in shown if line.startswith("system-0")] == [["27.0", "+0.4"]] * 5


def test_metrics_share_the_room_for_systems_before_one_of_them_leaves() -> None:
    shown = terminal(under(6, *(f"system-{i}" for i in range(8)))).splitlines()
    assert [line for line in shown if line.endswith(" ↑")] == [f"metric-{i} ↑" for i in range(5)]
    assert shown.count("... 6 more: --all") == 5 and "... 1 more: --all" in shown


@pytest.mark.parametrize("metrics", [5, 30])
def test_metrics_for_which_there_is_no_room_are_counted(metrics: int) -> None:
    shown = terminal(under(metrics, "one", "two", "three"))
    assert len(shown.splitlines()) <= 40
    told = re.findall(r"^(?:metric-\d+ ↑|\.\.\. (\d+) more: --all)$", shown, re.M)
    assert told.count("") + sum(map(int, filter(None, told))) == metrics
    assert all(told[-1:]) is (metrics > 5)


def test_what_stands_alone_in_a_row_is_wrapped_within_the_table() -> None:
    said = " ".join(["word"] * 12)
    rows = ((Cell(text="s"), Cell(text="x" * 20), Cell(text="1")), (Cell(), Cell(text=said), Cell()))
    columns = (Column(header="a"), Column(header="b"), Column(header="c", align="right"))
    table = Table(title="x", columns=columns, blocks=(Block(rows=rows),))
    lines = list(align(table, [3, 20, 5], False, lambda piece, cell: piece, 0))
    assert max(map(len, lines[1:])) <= 3 + 2 + 20 + 2 + 5
    assert " ".join(" ".join(lines[2:]).split()) == said
    assert {len(line) - len(line.lstrip()) for line in lines[2:]} == {3 + 2}


# --- bars -------------------------------------------------------------------------------------------------


def bars(*spans: tuple[float, float, float], width: int = 21) -> list[str]:
    """Bars of one block, as they stand at the right of its rows."""
    rows = tuple((Cell(text=f"s{i}"), Cell(text="x", span=span)) for i, span in enumerate(spans))
    table = Table(title="x", columns=(Column(header="a"), Column(header="b")), blocks=(Block(rows=rows),))
    lines = list(align(table, [3, 3], False, lambda piece, cell: piece, width))
    return [line[3 + 2 + 3 + 2 :] for line in lines[1:]]


def test_bars_are_drawn_to_one_scale_with_0_in_it() -> None:
    assert bars((-10, 0, 10), (0, 5, 10), (-10, -5, -2)) == [
        "----------o----------",
        "          +----o-----",
        "-----o--- |",
    ]
    # all on one side: 0 is where the scale begins or ends
    assert bars((5, 7.5, 10)) == ["|         -----o-----"]
    assert bars((-10, -7.5, -5)) == ["-----o-----         |"]


SPAN = st.tuples(*[st.floats(-50, 50) for _ in range(3)]).map(lambda ends: tuple(sorted(ends)))


@given(st.lists(SPAN, min_size=1, max_size=6), st.integers(12, 36))
def test_a_bar_holds_its_value_between_its_ends_and_touches_0_as_its_interval_does(
    spans: list[tuple[float, float, float]], width: int
) -> None:
    low, high = min(0.0, *(span[0] for span in spans)), max(0.0, *(span[2] for span in spans))
    if low == high:
        return
    step = (high - low) / (width - 1)
    for span, bar in zip(spans, bars(*spans, width=width), strict=True):
        assert len(bar) <= width
        drawn = [i for i, char in enumerate(bar) if char in "-+o"]
        assert drawn == list(range(drawn[0], drawn[-1] + 1))
        for end, place in zip(span, (drawn[0], bar.index("o"), drawn[-1]), strict=True):
            assert abs(low + place * step - end) <= 0.5001 * step


def test_bars_stand_where_there_is_room_and_not_where_plain_text_is_asked_for() -> None:
    made = two_systems()
    assert re.search(r"\.013  \|? *-+o-+$", terminal(made), re.M)
    assert not re.search(r"-o-", terminal(made, plain=True))
    assert not re.search(r"-o-", terminal(made, columns=60))
    without = [line.partition("  |")[0].rstrip() for line in terminal(made).splitlines()]
    assert without == terminal(made, plain=True).splitlines()


def test_where_metrics_stand_side_by_side_there_is_no_bar_that_could_be_of_either() -> None:
    assert not re.search(r"-o-", terminal(two_metrics(), columns=200))


def test_plain_text_takes_no_character_beyond_what_is_said() -> None:
    text = terminal(all_pairs(), plain=True)
    assert "|" not in text
    assert "\x1b" not in text


def test_what_another_package_says_is_obeyed_by_no_terminal() -> None:
    """A verdict that does not clean the names in it."""

    class Raw(Comparison):
        def verdict(self, w: Writer) -> Iterator[str]:
            yield "\x1b[31mnew\x1b[0m leads\nfor now."

    found = outscore.compare({"a": [0.0, 1.0, 2.0], "b": [1.0, 1.0, 4.0]})
    object.__setattr__(found, "__class__", Raw)
    for name in ("terminal", "sentence", "markdown", "latex", "html", "junit"):
        assert not set("\x1b\r") & set(found.to(name)), name
    assert found.sentence.startswith(r"\x1b[31mnew\x1b[0m leads\nfor now.")
