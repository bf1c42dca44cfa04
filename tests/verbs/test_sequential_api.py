"""``Sequential`` in a loop, ``follow`` on a stream, ``sequential`` on finished scores: one answer."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import outscore
from outscore.base.arrays import Float
from outscore.base.errors import InputError, UsageError
from outscore.results.sequences import InterimAnalysis, Sequences
from outscore.significance.sequential.mixture import Method
from outscore.verbs.sequential.following import follow
from outscore.verbs.sequential.live import (
    ASYMPTOTIC_SEQUENCE,
    GAIN_MOVED,
    WHOLE_TEST_SET,
    check_every,
    check_scores,
    find_final,
    make_analyses,
    marks_from,
    sequence_notes,
)
from outscore.verbs.sequential.run import _find_end
from tests.verbs.flat import differing


def path_of(**parts: list[float]) -> Any:
    """A path of these numbers after each unit."""
    return Made(**{name: np.array(part) for name, part in parts.items()})


def two(n: int = 400, seed: int = 1, better: float = 0.12) -> tuple[Float, Float]:
    """Right-or-wrong scores of a system and of a baseline that it beats on some items."""
    rng = np.random.default_rng(seed)
    baseline = (rng.random(n) < 0.6).astype(float)
    system = np.where(rng.random(n) < better, 1.0, baseline)
    return system, np.where(rng.random(n) < 0.02, 1 - baseline, baseline)


def test_a_loop_may_stop_when_it_is_decided() -> None:
    system, baseline = two()
    running = outscore.Sequential()
    assert (running.state.n, running.state.gain, running.state.decision) == (0, None, "undecided")
    state = running.state
    for a, b in zip(system, baseline, strict=True):
        state = running.update(a, b)
        if state.decision != "undecided":
            break
    assert state.decision == "better"
    assert state.n == running.decided_at
    assert state.n < 400
    assert state.ci is not None and state.ci[0] >= 0
    assert state.p_value <= 0.05 <= 20 / state.e_value


def test_the_strongest_evidence_so_far_is_kept_from_within_an_array() -> None:
    """It is largest in the middle, after wins and before as many losses."""
    scores = np.repeat([1.0, 0.0, 0.0], [30, 40, 1])
    one_by_one, at_once = outscore.Sequential(), outscore.Sequential()
    states = [one_by_one.update(a, 1 - a) for a in scores.tolist()]
    at_once.update(scores[:-1], 1 - scores[:-1])
    state = at_once.update(scores[-1], 1 - scores[-1])
    assert state.p_value == pytest.approx(1 / max(s.e_value for s in states))
    assert state.p_value == pytest.approx(states[-1].p_value) and state.e_value < 1 / state.p_value


def test_arrays_are_items_in_their_order() -> None:
    system, baseline = two()
    at_once, running = outscore.Sequential(margin=0.02), outscore.Sequential(margin=0.02)
    states = [running.update(a, b) for a, b in zip(system, baseline, strict=True)]
    last = at_once.update(system, baseline)
    assert last.decision == states[-1].decision
    assert at_once.decided_at == running.decided_at
    for name in ("gain", "ci", "p_value", "e_value"):
        assert getattr(last, name) == pytest.approx(getattr(states[-1], name), rel=1e-9)
    assert last.gain == pytest.approx(float((system - baseline).mean()))
    assert at_once.update([], []) == last


def test_the_largest_evidence_within_an_array_is_kept_for_the_next_one() -> None:
    rise, fall = np.repeat([1.0, 0.0], [20, 20]), np.repeat([0.0, 1.0], [20, 20])
    at_once, running = outscore.Sequential(), outscore.Sequential()
    at_once.update(rise, fall)
    least = min(running.update(a, b).p_value for a, b in zip(rise, fall, strict=True))
    assert at_once.update(0.5, 0.5).p_value == pytest.approx(least, rel=1e-9)
    assert least < 0.01 < 1 / at_once.state.e_value


@settings(max_examples=10)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40), st.sampled_from(["betting", "mixture"]))
def test_saved_and_pickled_comparisons_go_on_as_if_nothing_had_been(
    items: list[tuple[bool, bool]], method: Method
) -> None:
    running = outscore.Sequential(0.1, margin=0.2, method=method)
    for a, b in items:
        running.update(float(a), float(b))
    for again in (outscore.Sequential.from_json(running.to_json()), pickle.loads(pickle.dumps(running))):
        assert again.decided_at == running.decided_at
        assert again.to_json() == running.to_json()
        one, other = (
            s.update([1.0, 1.0], [0.0, 1.0]) for s in (again, outscore.Sequential.from_json(running.to_json()))
        )
        assert one.p_value == pytest.approx(other.p_value)
        assert one.n == len(items) + 2


def test_clusters_are_taken_whole() -> None:
    rng = np.random.default_rng(5)
    running = outscore.Sequential(largest_cluster=10)
    for _ in range(60):
        size = int(rng.integers(1, 11))
        state = running.update(np.full(size, float(rng.random() < 0.8)), np.full(size, float(rng.random() < 0.3)))
    alone = outscore.Sequential()
    assert state.n > 60
    assert json.loads(running.to_json())["sizes"] == [s for _, s in running._units]
    with pytest.raises(InputError, match="cluster of 11 items"):
        running.update(np.ones(11), np.ones(11))
    # ten equal items say as much as one, not as ten
    assert alone.update(np.ones(10), np.zeros(10)).p_value < 0.05
    assert outscore.Sequential(largest_cluster=10).update(np.ones(10), np.zeros(10)).p_value == 1.0


@pytest.mark.parametrize(
    ("system", "baseline", "says"),
    [
        (1.5, 0.0, "item 3 has the score 1.5, outside 0 to 1"),
        (math.nan, 0.0, "item 3 has no score"),
        ([0.0, 1.0], [1.0], "do not pair"),
        ([[1.0]], [[0.0]], "do not pair"),
        ([0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], "population of 5"),
    ],
)
def test_scores_that_cannot_be_are_refused_and_change_nothing(system: object, baseline: object, says: str) -> None:
    running = outscore.Sequential(population=5)
    before = running.update([1.0, 0.0], [0.0, 0.0])
    with pytest.raises(InputError, match=says):
        running.update(system, baseline)
    assert running.state == before


def test_what_is_not_saved_by_us_is_refused() -> None:
    for text in ("", "[]", "{}", '{"gains": [1], "sizes": [1], "other": 2}'):
        with pytest.raises(InputError, match="not a saved Sequential"):
            outscore.Sequential.from_json(text)


def test_a_replay_is_the_loop(tmp_path: Path) -> None:
    system, baseline = two()
    found = outscore.sequential({"base": baseline, "new": system}, every=50)
    running = outscore.Sequential()
    (sequence,) = found.sequences
    states = {s.n: s for s in (running.update(a, b) for a, b in zip(system, baseline, strict=True))}
    assert [analysis.n for analysis in sequence.analyses if analysis.n != sequence.decided_at] == list(
        range(50, 401, 50)
    )
    for analysis in sequence.analyses:
        assert analysis.p_value == pytest.approx(states[analysis.n].p_value)
        assert analysis.ci == pytest.approx(states[analysis.n].ci)
        assert analysis.decision == states[analysis.n].decision
    assert sequence.decided_at == running.decided_at
    # the answer with all items is that of compare
    fixed = outscore.compare({"base": baseline, "new": system}, correction="none")
    assert found.pairs == fixed.pairs
    assert found.scores == fixed.scores
    assert len(found.rows()) == len(sequence.analyses)
    assert Sequences.from_json(found.to_json()) == found
    assert repr(found) == "<Sequences against 'base': 1 sequence; better>"


def test_several_systems_share_the_level() -> None:
    system, baseline = two()
    found = outscore.sequential({"base": baseline, "a": system, "b": baseline}, alpha=0.05)
    alone = outscore.sequential({"base": baseline, "a": system}, alpha=0.025)
    assert found.correction == "bonferroni"
    assert [s.alpha for s in found.sequences] == [0.025, 0.025]
    assert found.sequences[0].analyses == alone.sequences[0].analyses
    same = found.sequences[1]
    assert (same.decision, same.analyses[-1].p_value) == ("undecided", 1.0)
    assert any(note.code == "identical_outputs" for note in found.notes)


@pytest.mark.slow
def test_many_systems_are_counted_by_their_decisions() -> None:
    """With the first that was decided, whose numbers are the ones of the table."""
    rng = np.random.default_rng(0)
    systems = {f"s{i}": (rng.random(100) < 0.3 + 0.1 * i).astype(int).tolist() for i in range(7)}
    found = outscore.sequential(systems)
    won = [s for s in found.sequences if s.decision == "better"]
    first = min(won, key=lambda s: s.decided_at or 0)
    counted = f"{len(won)} outscoring s0, {6 - len(won)} not shown to differ from s0"
    said = (
        f"Of 6 systems by mean: {counted}. First decided: {first.system} outscores s0 after {first.decided_at} of 100"
    )
    assert found.sentence.startswith(said)
    assert 0 < len(won) < 6


@pytest.mark.slow
def test_random_orders_tell_how_many_items_were_enough() -> None:
    system, baseline = two()
    data = {"base": baseline, "new": system}
    found = outscore.sequential(data, order="random", orders=15, seed=3)
    again = outscore.sequential(data, order="random", orders=15, seed=3)
    other = outscore.sequential(data, order="random", orders=15, seed=4)
    assert found == again
    stops, others = found.sequences[0].stops, other.sequences[0].stops
    assert stops is not None and stops != others
    assert stops.better == stops.decided == stops.orders == 15
    assert stops.n10 is not None and stops.n50 is not None and stops.n90 is not None
    assert stops.n10 <= stops.n50 <= stops.n90 <= 400
    assert not any(note.code == "given_order" for note in found.notes)
    # with no order deciding there are no times
    nothing = outscore.sequential({"base": baseline, "new": baseline[::-1]}, orders=5).sequences[0].stops
    assert nothing is not None and nothing.n10 is None


def test_looks_end_with_the_decision_where_that_is_asked_for() -> None:
    system, baseline = two()
    found = outscore.sequential({"base": baseline, "new": system}, stop=True).sequences[0]
    assert found.analyses[-1].n == found.decided_at
    assert found.analyses[-1].n < found.n_items


def test_clusters_of_the_data_arrive_whole() -> None:
    system, baseline = two(300)
    items = {"document": [f"d{i % 60}" for i in range(300)]}
    found = outscore.sequential({"base": baseline, "new": system}, items=items, cluster="document").sequences[0]
    assert (found.n_units, found.n_items) == (60, 300)
    running = outscore.Sequential(largest_cluster=5)
    for d in range(60):
        state = running.update(system[d::60], baseline[d::60])
    assert found.analyses[-1].p_value == pytest.approx(state.p_value)
    assert found.analyses[-1].gain == pytest.approx(state.gain)


@pytest.mark.parametrize(("method", "normal"), [("betting", False), ("mixture", True)])
def test_notes_on_laws_that_the_sequence_does_not_use_are_left_out(method: Any, normal: bool) -> None:
    rng = np.random.default_rng(3)
    base = rng.uniform(0, 0.5, 120)
    data = {"base": base, "new": base + 0.5 * (rng.random(120) < 0.08)}
    clusters = {"cluster": [f"c{i // 10}" for i in range(120)]}
    bounds = None if normal else (0.0, 1.0)
    laws = {"skewed", "few_differences"}, {"few_clusters", "few_differences"}
    for items, of_law in zip((None, clusters), laws, strict=True):
        fixed = {note.code for note in outscore.compare(data, items=items).notes}
        assert fixed >= of_law | {"single_run"}
        found = outscore.sequential(data, items=items, method=method, bounds=bounds)
        codes = {note.code for note in found.notes}
        assert codes & of_law == (of_law if normal else set())
        assert "single_run" in codes
        assert {code for pair in found.pairs for code in pair.notes} <= codes
    alike = {"base": np.zeros(120), "new": np.repeat(rng.uniform(0, 1, 12), 10)}
    ignored = outscore.sequential(alike, items={"document": clusters["cluster"]}, method=method, bounds=bounds)
    assert "clusters_ignored" in {note.code for note in ignored.notes}


def test_p_is_corrected_as_the_level_of_each_of_several_sequences_is() -> None:
    draw = np.random.default_rng(4)
    base, noise = (draw.random(400) < 0.5).astype(float), draw.random((2, 400))
    data = {"base": base, "near": np.where(noise[0] < 0.2, 1, base), "same": np.where(noise[1] < 0.3, 1 - base, base)}
    found = outscore.sequential(data)
    rows = found.rows()
    assert rows and all(row["p_adjusted"] == min(1, 2 * row["p_value"]) for row in rows)
    near, same = found.sequences
    assert (near.decision, same.decision) == ("better", "undecided") and near.alpha == 0.025
    assert found.p_adjusted(near, near.deciding) <= 0.05
    text = " ".join(str(found).split())
    shown = f"{found.p_adjusted(near, near.deciding):.3f}"[1:]
    assert f"anytime-valid p = {shown})" in text and "2 share alpha 0.05, p corrected (Bonferroni)" in text
    alone = outscore.sequential({name: data[name] for name in ("base", "near")})
    assert all(row["p_adjusted"] == row["p_value"] for row in alone.rows())


def test_notes_say_what_the_sequence_rests_on() -> None:
    system, baseline = two(600, better=0.02)
    data = {"base": baseline, "new": system}
    codes = {note.code for note in outscore.sequential(data, population=700).notes}
    assert {"whole_test_set", "given_order"} <= codes
    # the gain of a whole set is where its sequence closes, clusters of unequal size or not
    items = {"document": [str(i % 7 * (i % 3)) for i in range(600)]}
    closed = outscore.sequential(data, items=items, cluster="document", population=600)
    assert "gain_moved" not in {note.code for note in closed.notes}
    assert (closed.sequences[0].analyses[-1].ci or (0, 0))[0] == pytest.approx(closed.pairs[0].gain)
    # once the items left cannot bring a gain of 0 back, p says so, too
    least = outscore.sequential({"a": [0.0, 1.0] * 20 + [0.0], "b": [1.0, 0.0] * 20 + [1.0]}, population=41)
    assert (least.sequences[0].decision, least.sequences[0].analyses[-1].p_value < 1e-9) == ("better", True)
    mixture = outscore.sequential(data, bounds=None, method="mixture")
    assert "asymptotic_sequence" in {note.code for note in mixture.notes}
    assert mixture.sequences[0].method == "mixture"
    # a test set whose second half undoes the first
    sorted_set = outscore.sequential({"base": [0.0] * 100 + [1.0] * 100, "new": [1.0] * 100 + [0.0] * 100})
    (moved,) = [note for note in sorted_set.notes if note.code == "gain_moved"]
    assert moved.text.startswith("items do not stand in random order here ") and moved.remedy == "use --order random"
    for analysis in sorted_set.sequences[0].analyses:
        assert analysis.ci is not None and analysis.gain is not None
        assert analysis.ci[0] <= analysis.gain <= analysis.ci[1]
    last = sorted_set.sequences[0].analyses[-1]
    assert last.observed == 0
    assert last.ci is not None and last.gain == last.ci[0]
    rng = np.random.default_rng(1)
    steady = outscore.sequential({"base": np.full(150, 0.5), "new": 0.51 + 0.01 * rng.random(150)})
    assert "steady_gain" in {note.code for note in steady.notes}


@pytest.mark.parametrize(("spread", "steady"), [(1.5, False), (1.4, True)])
def test_a_gain_is_steady_where_its_product_with_the_reach_is_above_twice_the_variance(
    spread: float, steady: bool
) -> None:
    """Scores from 4 to 10 reach over 6: 0.75 of gain beside 2.25, or less, of variance."""
    new = [6.5 + 0.75 + spread * (-1) ** i for i in range(8)]
    found = outscore.sequential({"base": [6.5] * 8, "new": new}, bounds=(4, 10))
    assert ("steady_gain" in {note.code for note in found.notes}) is steady


def test_without_bounds_a_sequence_is_asked_for_by_name() -> None:
    data = {"base": [0.0, 3.0], "new": [1.0, 7.0]}
    for asked in (
        lambda: outscore.Sequential(bounds=None),
        lambda: outscore.sequential(data, bounds=None),
        lambda: outscore.follow(["0\t1"], bounds=None),
    ):
        with pytest.raises(UsageError, match=r'give the lowest and highest .* method="mixture", which is asymptotic'):
            asked()
    running = outscore.Sequential(bounds=None, method="mixture")
    running.update([7.0, 1.0], [3.0, 0.0])
    assert [note.code for note in running.notes] == ["asymptotic_sequence"]


def test_bounds_are_taken_as_the_messages_and_the_command_line_spell_them() -> None:
    with pytest.raises(InputError, match='or bounds="none" method="mixture"'):
        outscore.Sequential().update(7.0, 3.0)
    asked: Any = "none"
    assert outscore.Sequential(bounds=asked, method="mixture").update(7.0, 3.0).gain == 4.0
    data = {"base": [0.0, 3.0], "new": [1.0, 7.0]}
    for asked in ("0,10", [0, 10], np.array([0.0, 10.0])):
        assert outscore.sequential(data, bounds=asked).sequences[0].bounds == (0.0, 10.0)
        assert outscore.follow(["0\t1"], bounds=asked).sequences[0].bounds == (0.0, 10.0)
    for asked in ("low,high", "0", (1,), 5):
        for call in (outscore.Sequential, partial(outscore.sequential, data), partial(outscore.follow, ["0\t1"])):
            with pytest.raises(UsageError, match="expected two numbers, the lowest score and the highest, or None"):
                call(bounds=asked)


def test_the_e_value_is_half_of_both_sides_together() -> None:
    """Five items won: ∫ (1 + λ)^5 dλ = 63/6 and ∫ (1 - λ)^5 dλ = 1/6 over (0, 1)."""
    state = outscore.Sequential().update(np.ones(5), np.zeros(5))
    assert state.e_value == pytest.approx((63 / 6 + 1 / 6) / 2, rel=1e-9)


def test_a_margin_allows_to_say_equivalent_and_not_worse() -> None:
    rng = np.random.default_rng(3)
    baseline = (rng.random(3000) < 0.7).astype(float)
    system = np.where(rng.random(3000) < 0.1, (rng.random(3000) < 0.7).astype(float), baseline)
    found = outscore.sequential({"base": baseline, "new": system}, margin=0.06)
    decisions = [analysis.decision for analysis in found.sequences[0].analyses]
    assert "equivalent" in decisions
    assert found.gate("equivalent") and found.gate("not-worse")
    assert not found.gate("better")
    assert found.gate("better").failing == found.sequences
    with pytest.raises(UsageError, match="needs a margin"):
        outscore.sequential({"base": baseline, "new": system}).gate("equivalent")


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"metrics": "bleu", "references": ["a b c d"] * 3}, UsageError, "score of all items together"),
        ({"every": 0}, UsageError, "every=0"),
        ({"order": "sorted"}, UsageError, "order='sorted'"),
        ({"population": 2}, UsageError, "there are 3 items already"),
    ],
)
def test_what_no_sequence_can_answer_is_refused(options: dict[str, object], error: type[Exception], says: str) -> None:
    texts = "references" in options
    data = {"a": ["a b c d"] * 3, "b": ["a b c e"] * 3} if texts else {"a": [1.0, 0.0, 1.0], "b": [1.0, 1.0, 1.0]}
    with pytest.raises(error, match=says):
        outscore.sequential(data, **options)  # type: ignore[arg-type]


def test_scores_out_of_bounds_name_their_item() -> None:
    with pytest.raises(InputError, match="item 2 of 'b' has the score 71, outside 0 to 1; give the lowest"):
        outscore.sequential({"a": [0.5, 0.2], "b": [0.5, 71.0]})
    assert outscore.sequential({"a": [0.5, 0.2], "b": [0.5, 71.0]}, bounds=(0, 100)).sequences[0].bounds == (0, 100)


def lines(n: int = 400) -> Iterator[str]:
    for a, b in zip(*two(n), strict=True):
        yield f"{b:g}\t{a:g}\n"


def test_a_stream_is_the_loop_and_is_read_no_further() -> None:
    source, told = lines(), list[InterimAnalysis]()
    found = follow(source, stop=True, tell=told.append)
    running = outscore.Sequential()
    running.update(*two())
    (sequence,) = found.sequences
    assert sequence.decided_at == running.decided_at == sequence.n_items
    assert len(list(source)) == 400 - sequence.n_items
    assert tuple(told) == sequence.analyses
    assert found.pairs == () and found.scores[0].ci is None
    assert Sequences.from_json(found.to_json()) == found


def test_a_stream_names_its_systems() -> None:
    objects = (json.dumps({"old": 0.5, "new": 0.75}) for _ in range(3))
    assert follow(objects).sequences[0].system == "new"
    found = follow(["old\tnew\n", "0\t1\n", "1\t1\n"])
    assert (found.baseline, found.sequences[0].system, found.sequences[0].analyses[-1].gain) == ("old", "new", 0.5)
    assert follow(["0\t1\n"]).baseline == "baseline"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("0.5\n", "in:2: found '0.5'"),
        ("\n", "in:2: found a blank line"),
        ("1\tx\n", "in:2: found '1\\\\tx'"),
        ("1\tnan\n", "in:2: found"),
        ("1\t2\n", "in:2: item 2 has the score 2"),
        ("{1\n", "in:2: found '{1'"),
        ('{"a": 1}\n', "in:2: found"),
        ('{"a": 1, "b": true}\n', "in:2: keys 'a', 'b', expected 'baseline' and 'system'"),
        ('{"baseline": 1, "system": true}\n', "in:2: found"),
    ],
)
def test_a_wrong_line_is_named(wrong: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        follow(["0\t1\n", wrong], file="in")


def test_a_stream_without_scores_is_refused() -> None:
    with pytest.raises(InputError, match="there are no scores"):
        follow([])


def test_an_interrupt_keeps_what_is_done() -> None:
    def interrupted() -> Iterator[str]:
        yield from ["0\t1\n"] * 7
        raise KeyboardInterrupt

    with pytest.raises(outscore.Interrupted) as stop:
        follow(interrupted())
    found = stop.value.result
    assert found.sequences[0].n_items == 7
    assert [note.code for note in found.notes] == ["interrupted"]


@pytest.mark.slow
def test_a_replay_of_gsm8k_decides_early_as_the_whole_set_does(data_root: Path) -> None:
    table = str(data_root / "data" / "llm_gsm8k_zeroeval" / "correct.csv.gz")
    names = ("gpt-3.5-turbo-0125", "gpt-4o-mini-2024-07-18", "claude-3-haiku-20240307", "Meta-Llama-3-8B-Instruct")
    data = outscore.read([f"{table}#{name}" for name in names])
    found = outscore.sequential(data, metrics="accuracy", order="random", orders=20)
    mini, haiku, llama = found.sequences
    assert [s.decision for s in found.sequences] == ["better", "better", "undecided"]
    assert [p.p_value is not None and p.p_value < 0.001 for p in found.pairs] == [True, True, False]
    assert (mini.decided_at, haiku.decided_at, llama.decided_at) == (78, 228, None)
    for sequence, pair in zip(found.sequences, found.pairs, strict=True):
        last = sequence.analyses[-1]
        assert last.ci is not None
        assert last.ci[0] < pair.gain < last.ci[1]
        assert last.gain == pytest.approx(pair.gain)


def test_interim_analyses_fall_at_one_two_and_five() -> None:
    series, sevens = marks_from(None), marks_from(7)
    assert [n for n in range(1, 10_001) if series(n - 1, n)] == [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]
    assert [n for n in range(1, 30) if sevens(n - 1, n)] == [7, 14, 21, 28]
    assert (series(8, 9), series(9, 60), series(60, 60), series(99, 100), series(20, 49)) == (
        False,
        True,
        False,
        True,
        False,
    )
    for every, refused in ((1, False), (None, False), (0, True)):
        if refused:
            with pytest.raises(UsageError, match="every=0: expected 1 item or more"):
                check_every(every)
        else:
            check_every(every)


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ([30, 10, 20, 50, 40, 60, 80, 70, 100, 90], (10, 50, 90)),
        ([5, None, 7], (5, 7, None)),
        ([None, None], (None, None, None)),
        ([9], (9, 9, 9)),
    ],
)
def test_items_by_which_a_share_of_orders_has_ended(times: list[int | None], expected: tuple[int | None, ...]) -> None:
    assert tuple(_find_end(times, share) for share in (0.1, 0.5, 0.9)) == expected


def test_scores_at_the_bounds_are_scores() -> None:
    check_scores(np.array([0.0, 1.0]), (0.0, 1.0))
    for bad, said in (
        (-0.1, "item 5 of 'new' has the score -0.1, outside 0 to 1"),
        (1.1, "item 5 of 'new' has the score 1.1"),
    ):
        with pytest.raises(InputError, match=said):
            check_scores(np.array([0.5, bad]), (0.0, 1.0), first=4, who="new")
    check_scores(np.array([-9.0]), None)
    with pytest.raises(InputError, match="item 1 has no score"):
        check_scores(np.array([math.inf, 1.0]), None)
    with pytest.raises(InputError, match="item 6 of 'new' has no score"):
        check_scores(np.array([0.5, 1.0, math.nan]), None, first=4, who="new")
    assert find_final(["undecided", "better", "worse"], [3, 6, 9]) == ("better", 6)
    assert find_final(["undecided", "not-worse"], [3, 6])[1] is None


def test_analyses_of_a_path_keep_its_largest_evidence() -> None:
    path = path_of(gain=[0.5, 2.0, 0.1], low=[-1, -1, 0.2], high=[1, 1, math.inf], log_e=[-1.0, 2.0, 800.0])
    made = make_analyses(path, np.array([2, 4, 6]), ["undecided", "undecided", "better"], [0, 1, 2])
    found = [(a.n, a.gain, a.observed, a.ci, a.p_value, a.e_value, a.decision) for a in made]
    assert not differing(
        found,
        [
            (2, 0.5, 0.5, (-1, 1), 1.0, math.exp(-1), "undecided"),
            (4, 1.0, 2.0, (-1, 1), math.exp(-2), math.exp(2), "undecided"),
            (6, 0.2, 0.1, None, math.exp(-700), math.exp(700), "better"),
        ],
    )
    (best,) = make_analyses(path, np.array([2, 4, 6]), ["undecided"] * 3, [0], best=3.0)
    assert best.p_value == pytest.approx(math.exp(-3))
    assert [note.code for note in sequence_notes("mixture", 9, made)] == [
        n.code for n in (ASYMPTOTIC_SEQUENCE, WHOLE_TEST_SET, GAIN_MOVED)
    ]
    assert sequence_notes("betting", None, made[:1]) == []


def test_a_cluster_of_the_largest_size_is_taken_and_bounds_are_those_of_gains() -> None:
    running = outscore.Sequential(largest_cluster=3, bounds=(1.0, 4.0), population=6)
    assert (running.state.ci, running.state.p_value, running.state.e_value) == ((-3, 3), 1, 1)
    assert running.update([4.0] * 3, [1.0] * 3).n == 3
    with pytest.raises(InputError, match="a cluster of 4 items, but largest_cluster=3"):
        outscore.Sequential(largest_cluster=3).update([1.0] * 4, [1.0] * 4)
    assert running.update([4.0] * 3, [1.0] * 3).n == 6
    with pytest.raises(InputError, match="more items than the population of 6"):
        running.update([4.0], [1.0])
    with pytest.raises(InputError, match="item 7 has the score 5"):
        running.update([5.0], [1.0])


def test_a_gain_of_a_metric_of_which_lower_is_better_says_so() -> None:
    """As compare does: beside ``new outscores base by 0.467`` nothing said that its scores are the lower ones."""
    base = np.random.default_rng(4).random(300) / 2 + 0.5
    metric = "mean:column=delay,lower=true"
    table = pytest.importorskip("pandas").DataFrame({
        "item": [*range(300)] * 2, "system": ["base"] * 300 + ["new"] * 300, "delay": [*base, *(base / 3)],
    })  # fmt: skip
    told = [verb(table, metrics=metric).to("terminal:columns=80") for verb in (outscore.compare, outscore.sequential)]
    for text in told:
        assert "delay (lower is better; 95%" in " ".join(text.split())
        assert "delay ↓: a gain above 0 is a lower score." in text
    higher = outscore.sequential(table, metrics="mean:column=delay").to("terminal:columns=80")
    assert "lower" not in higher.partition("\n- ")[0]
