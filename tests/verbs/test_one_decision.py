"""A difference is claimed where p and the interval that is shown both say so, and everything follows that decision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import outscore
from outscore.report import tables_of
from outscore.report.plots import picture
from outscore.report.screen import screen_of
from outscore.results.comparison import Comparison

NOTE = "p_and_interval"
NAMES = ("base", "new")
P_ALONE = 1824  # a seed for which p is below .05 and the interval holds 0


def edits(seed: int) -> Comparison:
    """Edits per word on 60 items, by plain relabelling beside a BCa interval: two laws."""
    rng = np.random.default_rng(seed)
    words = rng.integers(5, 40, 60).astype(float)
    base = rng.poisson(0.5, 60) * rng.integers(1, 12, 60).astype(float)
    new = rng.poisson(0.35, 60) * rng.integers(1, 12, 60).astype(float)
    rows = [
        {"system": name, "item": item, "edits": values[item], "words": words[item]}
        for name, values in (("base", base), ("new", new))
        for item in range(60)
    ]
    table: dict[str, list[Any]] = {key: [row[key] for row in rows] for key in rows[0]}
    frame = pytest.importorskip("pandas").DataFrame(table)
    return outscore.compare(
        frame, metrics="ratio:num=edits,den=words,lower=true", test="randomization", interval="bca", n_resamples=999
    )


def shares(only: int, other: int, n: int = 100) -> Comparison:
    """0/1 answers to ``n`` items, of which each system alone gets so many right: mid-p beside Tango's interval."""
    new = np.r_[np.ones(only), np.zeros(n - only)]
    base = np.r_[np.zeros(only), np.ones(other), np.zeros(n - only - other)]
    data = {"base": base, "new": new}
    return outscore.compare(data, metrics="accuracy", test="mcnemar:variant=midp", interval="tango")


def leaves_out_zero(found: Comparison) -> bool:
    ends = found.pairs[0].ci
    assert ends is not None
    return ends[0] > 0 or ends[1] < 0


def test_either_law_alone_is_not_enough() -> None:
    kinds = set()
    for found in [*map(edits, (P_ALONE, *range(10))), shares(15, 6), shares(6, 15), shares(16, 4)]:
        (pair,) = found.pairs
        assert pair.p_adjusted is not None
        low = pair.p_adjusted <= 0.05
        kinds.add((low, leaves_out_zero(found)))
        assert (pair.verdict in ("better", "worse")) == (low and leaves_out_zero(found))
        assert (NOTE in pair.notes) == (low != leaves_out_zero(found))
        assert (NOTE in {note.code for note in found.notes}) == (NOTE in pair.notes)
    assert len(kinds) == 4  # each way of agreeing and of disagreeing


@pytest.mark.parametrize("alone", ["p", "interval"])
def test_words_notes_colours_pictures_and_gates_follow(alone: str) -> None:
    found = edits(P_ALONE) if alone == "p" else shares(15, 6)
    assert leaves_out_zero(found) == (alone == "interval")
    assert NOTE in found.pairs[0].notes
    assert "is not shown to differ from base" in found.sentence
    assert "p and interval disagree" in found.sentence
    assert "outscores" not in "".join(screen_of(found).verdict)
    assert "p and interval disagree" in "".join(screen_of(found).verdict)
    assert any(line.startswith("! ") and "disagree" in line for line in found.to("terminal").splitlines())
    cells = [cell for table in tables_of(found) for row in table.rows for cell in row]
    assert not any(cell.tone for cell in cells)
    assert {cell.marks for cell in cells} == {"", "!"}
    assert "outscores" not in str(picture(found))
    assert "'verdict': 'not decided'" in str(picture(found))
    assert not found.gate("better")
    assert "disagree" in found.to("terminal").replace("\n", " ")


@pytest.mark.parametrize(
    ("test", "n_large", "large", "small", "low"),
    [
        *[("sign", 8, -8.0, 1.0, True), ("wilcoxon", 8, -8.0, 1.0, True), ("mann-whitney", 8, -40.0, 6.0, True)],
        *[("sign", 30, 9.0, -0.5, False), ("wilcoxon", 14, 9.0, -0.5, False)],
    ],
)
def test_a_test_of_ranks_beside_an_interval_of_the_mean_says_that_they_judge_two_things(
    test: str, n_large: int, large: float, small: float, low: bool
) -> None:
    """Most items gain a little and some lose much: ranks differ, and the mean is not shown to; or the reverse."""
    base, size = np.arange(60) % 9, 1 + np.arange(60) / 100
    found = outscore.compare(
        {"base": base, "new": base + size * np.where(np.arange(60) < n_large, large, small)}, test=test
    )
    ((pair,), (note,)) = found.pairs, [one for one in found.notes if one.code == NOTE]
    assert (pair.verdict, (pair.p_adjusted or 1.0) <= 0.05, leaves_out_zero(found)) == ("inconclusive", low, not low)
    assert "p and interval disagree: p is of ranks or signs, the interval of the mean)" in found.sentence
    assert note.text.startswith("p judges ranks or signs, the interval the mean; ") and note.rank == "answer"
    assert "collect more items" not in note.remedy


def test_data_sets_of_one_number_say_it_of_wilcoxon_and_a_test_of_the_mean_does_not() -> None:
    sets = {f"d{i}": {"base": [1.0], "new": [-30.0 - i if i < 3 else 2.0 + i / 99]} for i in range(40)}
    (note,) = [one for one in outscore.replicate(sets, metrics="mean").notes if one.code == NOTE]
    assert note.text.startswith("p judges ranks or signs, the interval the mean; ")
    (note,) = [one for one in shares(15, 6).notes if one.code == NOTE]
    assert "different laws" in note.text


def test_a_claim_that_both_support_is_made_as_ever() -> None:
    found = shares(30, 4)
    assert found.gate("better")
    assert "outscores base" in "".join(screen_of(found).verdict)
    assert [cell.tone for cell in tables_of(found)[0].rows[1] if cell.tone] == ["better"]
    assert NOTE not in found.pairs[0].notes


def test_an_interval_of_one_point_has_no_say() -> None:
    """Every item gains as much: the interval is degenerate, and the exact test alone decides."""
    for n, word in ((4, "inconclusive"), (8, "better")):
        found = outscore.compare({"base": np.arange(n, dtype=float), "new": np.arange(n) + 1.0}, test="randomization")
        assert found.pairs[0].ci_method == "degenerate"
        assert found.pairs[0].verdict == word
        assert NOTE not in found.pairs[0].notes


def test_independent_samples_are_decided_alike() -> None:
    """Mann-Whitney's p beside Welch's interval of the means."""
    rng = np.random.default_rng(3)
    kinds = set()
    for _ in range(60):
        new, base = rng.exponential(1.6, 12) ** 2, rng.exponential(1.0, 14) ** 2
        found = outscore.compare({"base": base[:, None], "new": new[:, None]}, test="mann-whitney", unit="run")
        (pair,) = found.pairs
        low = (pair.p_adjusted or 1.0) <= 0.05
        kinds.add((low, leaves_out_zero(found)))
        assert not (pair.verdict in ("better", "worse") and not (low and leaves_out_zero(found)))
        assert (NOTE in pair.notes) == (low != leaves_out_zero(found))
    assert (True, False) in kinds


@pytest.mark.parametrize("test", ["mann-whitney", "brunner-munzel", "prob-better"])
def test_no_test_of_order_claims_the_side_that_the_means_alone_take(test: str) -> None:
    """Three of four new runs are better, the fourth is a failure: p speaks for the system, the mean against it."""
    rng = np.random.default_rng(0)
    base = rng.normal(size=200)
    new = np.where(rng.random(200) < 0.75, rng.normal(1, 0.3, 200), -8.0)
    for first, second in ((base, new), (new, base)):
        found = outscore.compare({"a": first[:, None], "b": second[:, None]}, test=test, unit="run")
        (pair,) = found.pairs
        assert pair.p_value is not None
        assert pair.p_value < 0.01
        assert leaves_out_zero(found)
        assert pair.verdict == "inconclusive"
        assert "not shown to differ" in found.sentence
        assert "not_a_test_of_the_mean" in pair.notes


def test_a_failed_gate_is_false() -> None:
    assert not shares(5, 5).gate("better")
    assert shares(30, 4).gate("better")
    with pytest.raises(TypeError, match="failing"):
        list(shares(5, 5).gate("better"))


def test_where_the_interval_holds_0_another_seed_turns_nothing() -> None:
    """The p-value on the edge of alpha is no note of its own: whatever it is, no difference is claimed."""
    rng = np.random.default_rng(5)
    base, noise = rng.normal(size=60), rng.normal(size=(3, 60))
    noise = (noise - noise.mean(axis=1)[:, None]) / noise.std(axis=1, ddof=1)[:, None]
    for shift, expected in ((0.318, [NOTE]), (0.325, ["decision_unstable"])):
        data = {"base": base} | {f"s{i}": base + noise[i] + gain for i, gain in enumerate((shift, 0.05, 0.02))}
        found = outscore.compare(data, metrics="mean", test="bootstrap", correction="holm", n_resamples=999)
        assert [code for code in found.pairs[0].notes if code in (NOTE, "decision_unstable")] == expected


@pytest.mark.parametrize(("loss", "claimed"), [(-9.0, True), (-30.0, False), (-80.0, False)])
def test_data_sets_of_one_number_are_claimed_by_wilcoxon_and_the_interval_together(loss: float, claimed: bool) -> None:
    gains = [*range(1, 12), loss]
    rows = [
        (system, f"d{i}", 50 + (gain if system == "new" else 0)) for i, gain in enumerate(gains) for system in NAMES
    ]
    frame = pytest.importorskip("pandas").DataFrame(rows, columns=["system", "item", "score"])
    found = outscore.replicate(frame, column="item")
    p = found.replicated[0].p_overall("wilcoxon")
    assert p is not None
    assert p <= 0.05
    assert ("new outscores base" in found.sentence) == claimed
    assert (NOTE in {note.code for note in found.notes}) != claimed
