"""One word for each pair, what it rests on, and the gates that rest on it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import outscore
from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.multiplicity.adjust import adjust, names
from outscore.report.formats.methods import bibtex
from outscore.results.comparison import Comparison
from outscore.results.pairs import Pair

RNG = np.random.default_rng(11)
BASE = RNG.normal(10, 1, 80)
WORDS = {"better", "worse", "equivalent", "inconclusive"}


def shifted(gain: float, spread: float, n: int = 80) -> Float:
    """A system whose differences have this very mean and deviation."""
    d = np.random.default_rng(5).normal(0, 1, n)
    return np.asarray(BASE[:n] + gain + spread * (d - d.mean()) / d.std(ddof=1))


def compared(system: Any, base: Any = BASE, **choices: Any) -> Comparison:
    return outscore.compare({"base": base, "new": system}, **{"n_resamples": 200, **choices})


def only(system: Any, base: Any = BASE, **choices: Any) -> Pair:
    return compared(system, base, **choices).pairs[0]


# the words

CASES = {
    "better": shifted(0.5, 1.0),
    "worse": shifted(-0.5, 1.0),
    "equivalent": shifted(0.01, 0.5),
    "inconclusive": shifted(0.12, 0.6),
}
WIDE = shifted(0.1, 2.0)
"""Inconclusive, and so few items that a gain as large as the margin would hardly have been found."""


@pytest.mark.parametrize("word", CASES)
def test_each_word_has_its_case(word: str) -> None:
    found = only(CASES[word], margin=0.2)
    assert found.verdict == word
    lies = found.equivalence
    assert lies is not None
    assert lies.p_equivalent is not None
    assert lies.power_at_margin is not None
    assert lies.detectable_gain is not None
    assert (word == "equivalent") == (lies.p_equivalent <= 0.05)
    assert (lies.power_at_margin < 0.8) == (lies.detectable_gain > 0.2)


def test_a_test_that_is_too_small_is_told_by_its_power_and_not_by_another_word() -> None:
    found = only(WIDE, margin=0.2)
    assert found.verdict == "inconclusive"
    assert found.equivalence is not None
    assert found.equivalence.power_at_margin is not None
    assert found.equivalence.power_at_margin < 0.8


@pytest.mark.parametrize("word", CASES)
def test_what_could_be_found_is_known_of_every_word_but_not_of_what_a_board_shows(word: str) -> None:
    found = only(CASES[word], margin=0.2)
    assert found.equivalence is not None
    assert found.detectable_gain == found.equivalence.detectable_gain
    others = {f"s{i}": shifted(0.01 * i, 0.5) for i in range(50)}
    board = outscore.compare({"base": BASE, "new": CASES[word], **others}, n_resamples=50, correction="none").pairs
    said = {pair.verdict for pair in board if pair.detectable_gain is not None}
    assert said == {"inconclusive"}


def test_details_tell_what_could_be_found_where_a_gain_is_shown() -> None:
    found = compared(CASES["better"])
    least = found.pairs[0].detectable_gain
    assert least == pytest.approx((stats.t.ppf(0.975, 79) + stats.t.ppf(0.8, 79)) / np.sqrt(80), rel=1e-9)
    said = "finds gains of 0.3172 or more with 80% power"
    assert said in " ".join(found.to("terminal:detail=full").split())
    assert "80%" not in str(found)
    assert compared(CASES["inconclusive"]).to("terminal:detail=full").count("80% power") == 1


@pytest.mark.parametrize("word", CASES)
def test_without_a_margin_nothing_is_equivalent(word: str) -> None:
    found = only(CASES[word])
    assert found.equivalence is None
    assert found.verdict == (word if word in ("better", "worse") else "inconclusive")


def test_the_word_equal_is_never_used() -> None:
    for system in CASES.values():
        for margin in (None, 0.2):
            found = compared(system, margin=margin)
            for format in ("terminal", "markdown", "latex", "csv", "json", "sentence"):
                assert "equal" not in found.to(format).lower()


def test_a_small_but_certain_gain_is_better_and_within_the_margin() -> None:
    found = compared(shifted(0.1, 0.2), margin=0.2)
    assert found.pairs[0].verdict == "better"
    assert "within_margin" in found.pairs[0].notes
    assert "within_margin" in {note.code for note in found.notes}
    assert "within the margin of 0.2" in found.sentence
    assert found.gate("better") and found.gate("not-worse") and found.gate("equivalent")
    assert "within_margin" not in only(shifted(0.3, 0.2), margin=0.2).notes


@pytest.mark.parametrize(("side", "word"), [("greater", "better"), ("less", "worse")])
def test_a_one_sided_test_can_say_one_side_only(side: str, word: str) -> None:
    said = {only(CASES[case], alternative=side).verdict for case in ("better", "worse")}
    assert said == {word, "inconclusive"}


def test_a_sign_test_that_goes_against_the_gain_does_not_decide() -> None:
    d = np.repeat([0.1, -1.0], [65, 15])  # many small wins, few large losses
    for test in ("sign", "wilcoxon"):
        found = only(BASE + d, test=test)
        assert found.p_adjusted is not None
        assert found.gain < 0
        assert found.p_adjusted <= 0.05
        assert found.verdict == "inconclusive"


def test_what_could_not_reach_alpha_is_inconclusive_and_noted() -> None:
    found = only(BASE[:5] + np.arange(1.0, 6.0), BASE[:5], test="randomization")
    assert found.p_min is not None
    assert found.p_min > 0.05
    assert found.verdict == "inconclusive"
    assert "alpha_unattainable" in found.notes
    assert only(BASE, BASE).verdict == "inconclusive"  # identical outputs: there was nothing to find


def test_the_verdict_goes_by_the_adjusted_p() -> None:
    t = stats.t.isf(0.02, 79)  # two-sided p = .04
    system = shifted(t / np.sqrt(80), 1.0)
    data = {"base": BASE, "new": system, "other": shifted(0.0, 1.0)}
    said = {c: outscore.compare(data, test="t", correction=c).pairs[0].verdict for c in ("none", "holm")}
    assert said == {"none": "better", "holm": "inconclusive"}


# the numbers


@pytest.mark.parametrize("correction", names())
def test_each_claim_is_a_family_of_its_own(correction: str) -> None:
    data = {"base": BASE, **{f"s{i}": shifted(0.05 * i, 0.7) for i in range(4)}}
    found = outscore.compare(data, margin=0.2, correction=correction, n_resamples=200)
    lies = [pair.equivalence for pair in found.pairs if pair.equivalence]
    by = "holm" if correction.startswith("max-t") else correction
    for claim in ("p_equivalent", "p_not_worse"):
        raw = [getattr(e, claim) for e in lies]
        assert [getattr(e, f"{claim}_adjusted") for e in lies] == pytest.approx(list(adjust(raw, by)))


def test_power_is_that_of_the_corrected_test() -> None:
    system = shifted(0.0, 1.0)
    one = only(system, margin=0.3).equivalence
    many = outscore.compare({"base": BASE, **{f"s{i}": system for i in range(5)}}, margin=0.3).pairs[0].equivalence
    assert one is not None
    assert many is not None
    se = 1.0 / np.sqrt(80)
    for e, alpha in ((one, 0.05), (many, 0.01)):
        critical = stats.t.isf(alpha / 2, 79)
        assert e.power_at_margin == pytest.approx(stats.t.sf(critical - 0.3 / se, 79), rel=1e-4)
        assert e.detectable_gain == pytest.approx((critical + stats.t.ppf(0.8, 79)) * se, rel=1e-4)


def test_an_error_rate_is_judged_in_the_direction_that_is_better() -> None:
    references, right, wrong = ["a b c d"] * 30, ["a b c d"] * 30, ["a b c d"] * 20 + ["a x c y"] * 10
    found = outscore.compare({"base": wrong, "new": right}, references=references, metrics="wer", margin=0.01)
    assert found.pairs[0].verdict == "better"
    back = outscore.compare({"base": right, "new": wrong}, references=references, metrics="wer", margin=0.01)
    assert back.pairs[0].verdict == "worse"
    ours, theirs = found.pairs[0].equivalence, back.pairs[0].equivalence
    assert ours is not None
    assert theirs is not None
    assert ours.p_not_worse is not None
    assert theirs.p_not_worse is not None
    assert ours.p_not_worse < 0.001
    assert theirs.p_not_worse > 0.99


# the margin


def margins(asked: Any, metrics: str = "bleu,chrf") -> list[float]:
    texts = {"base": ["a b c d e"] * 3 + ["x y z"], "new": ["a b c d e"] * 4}
    found = outscore.compare(
        texts, references=["a b c d e"] * 4, metrics=metrics.split(";"), margin=asked, n_resamples=20
    )
    return [pair.equivalence.margin for pair in found.pairs if pair.equivalence]


@pytest.mark.parametrize(
    ("asked", "metrics", "expected"),
    [
        (0.5, "bleu;chrf", [0.5, 0.5]),
        ("0.5", "bleu;chrf", [0.5, 0.5]),
        ("bleu=0.5,chrf=0.3", "bleu;chrf", [0.5, 0.3]),
        ("chrf=0.3, bleu=1e-1", "bleu;chrf", [0.1, 0.3]),
        ({"bleu": 1, "chrf": "0.3"}, "bleu;chrf", [1.0, 0.3]),
        ("bleu:tokenize=none,lowercase=true=0.4,chrf=2", "bleu:tokenize=none,lowercase=true;chrf", [0.4, 2.0]),
        ("bleu=0.4,chrf=2", "bleu:tokenize=none;chrf", [0.4, 2.0]),
    ],
)
def test_margins_are_given_for_all_metrics_or_by_name(asked: Any, metrics: str, expected: list[float]) -> None:
    assert margins(asked, metrics) == expected


def test_a_per_cent_is_one_of_the_baselines_score() -> None:
    found = compared(shifted(0.1, 1.0), margin="2%").pairs[0].equivalence
    assert found is not None
    assert found.margin == pytest.approx(0.02 * BASE.mean())
    below = compared(-BASE, -BASE + 0.5, margin="2%").pairs[0].equivalence
    assert below is not None
    assert below.margin == pytest.approx(0.02 * (BASE - 0.5).mean())


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (0, "above 0"),
        (-0.5, "above 0"),
        ("nan", "above 0"),
        (float("inf"), "above 0"),
        ("half", "above 0"),
        ("", "above 0"),
        ("mean=", "expected NUMBER"),
        ("accuracy=0.5", "write margin=0.5$"),
        ({"men": 0.5}, "did you mean 'mean'"),
        ({}, "says nothing of mean"),
    ],
)
def test_a_margin_that_is_none_is_said_before_any_work(asked: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        compared(CASES["better"], margin=asked)


def test_a_per_cent_of_nothing_and_a_share_above_1_are_refused() -> None:
    with pytest.raises(UsageError, match="in the metric's unit"):
        compared(np.ones(9), np.zeros(9), margin="5%")
    with pytest.raises(UsageError, match=r"below 1: give 0\.05 for 5 points"):
        compared(np.array([0.0, 1, 1, 0]), np.array([0.0, 1, 0, 1]), margin=5)
    with pytest.raises(UsageError, match=r"below 1$"):
        compared(np.array([0.0, 1, 1, 0]), np.array([0.0, 1, 0, 1]), margin=100)


@pytest.mark.parametrize("metric", ["accuracy", "mean"])
def test_a_per_cent_of_a_share_is_refused_with_both_numbers_that_it_could_be(metric: str) -> None:
    said = r"give 0\.02 for 2 points, or 0\.015 for 2% of 0\.75$"
    with pytest.raises(UsageError, match=said):
        compared(np.array([0.0, 1, 1, 0]), np.array([0.0, 1, 1, 1]), margin="2%", metrics=metric)


# the gates


def test_gates_name_the_pairs_that_fail() -> None:
    data = {"base": BASE, **CASES}
    found = outscore.compare(data, margin=0.2, correction="none")
    failing = {gate: {p.system for p in found.gate(gate).failing} for gate in ("better", "not-worse", "equivalent")}
    assert failing["better"] == set(CASES) - {"better"}
    assert failing["equivalent"] == set(CASES) - {"equivalent"}
    not_worse = {p.system for p in found.pairs if p.equivalence and (p.equivalence.p_not_worse or 1) <= 0.05}
    assert failing["not-worse"] == set(CASES) - not_worse
    assert {"better", "equivalent", "inconclusive"} <= not_worse


def test_what_has_not_changed_passes_every_gate_but_better() -> None:
    for scores in (BASE[:10], np.array([1.0, 0, 1, 1])):
        found = compared(scores, scores, margin=0.01)
        assert found.pairs[0].verdict != "equivalent"  # so few items do not show it
        assert found.gate("not-worse") and found.gate("equivalent")
        assert found.gate("better").failing == found.pairs


def test_gates_that_cannot_be_asked() -> None:
    found = compared(CASES["better"])
    assert found.gate("better").failing == ()
    for gate in ("not-worse", "equivalent"):
        with pytest.raises(UsageError, match="with margin="):
            found.gate(gate)
    with pytest.raises(UsageError, match="did you mean 'better'"):
        found.gate("bettr")


# saved results


def test_results_without_verdicts_are_still_read_and_drawn() -> None:
    plain = json.loads(compared(CASES["better"]).to_json())
    for pair in plain["pairs"]:
        del pair["verdict"], pair["equivalence"]
    old = Comparison.from_json(json.dumps(plain))
    assert (old.pairs[0].verdict, old.pairs[0].equivalence) == ("", None)
    assert old.to("terminal") == compared(CASES["better"]).to("terminal")
    with pytest.raises(UsageError, match="no verdicts"):
        old.gate("better")


def test_verdicts_survive_the_way_through_json_and_rows() -> None:
    found = compared(CASES["equivalent"], margin=0.2)
    assert Comparison.from_json(found.to_json()) == found
    pair, row = found.pairs[0], found.rows()[0]
    assert pair.equivalence is not None
    assert row["verdict"] == "equivalent"
    assert (row["equivalence_ci_low"], row["equivalence_ci_high"]) == pair.equivalence.ci
    assert row["margin"] == 0.2
    assert row["p_not_worse"] == pair.equivalence.p_not_worse
    assert "margin" not in compared(CASES["equivalent"]).rows()[0]
    empty = replace(pair.equivalence, ci=None)
    assert replace(found, pairs=(replace(pair, equivalence=empty),)).rows()[0]["equivalence_ci_low"] is None


def test_every_verdict_is_one_of_five_words() -> None:
    data = {"base": BASE.reshape(4, 20), "new": BASE.reshape(4, 20) + 0.1, "one": BASE[:20]}
    found = outscore.compare(data, margin=0.1, all_pairs=True, n_resamples=200)
    assert {pair.verdict for pair in found.pairs} <= WORDS


def test_the_sources_of_a_margin_are_cited() -> None:
    plain, real = compared(CASES["better"]), compared(CASES["better"], margin=0.1)
    assert set(real.provenance.citations) - set(plain.provenance.citations) == {"Schuirmann 1987"}
    shares = compared(np.tile([1.0, 0, 1, 1], 5), np.tile([0.0, 1, 0, 1], 5), margin=0.1)
    references = bibtex(shares.provenance.citations)
    assert "@article{schuirmann-1987," in references
    assert "@article{connor-1987," in references
