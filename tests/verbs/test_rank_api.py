"""``rank``: what its places, pairs and mean ranks say, and what it refuses."""

from __future__ import annotations

import json
import math
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import outscore
from outscore.base.errors import InputError, UsageError
from outscore.results import Leaderboard
from tests.cli.commandline import written

FEW: dict[str, Any] = {"n_resamples": 199}


def scores(k: int = 5, n: int = 60, step: float = 0.25, seed: int = 1) -> dict[str, list[float]]:
    """Systems that share the difficulty of their items, each a step worse than the one before."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=n)
    return {f"s{i}": (base + rng.normal(size=n) - step * i).round(1).tolist() for i in range(k)}


def beaten(result: Leaderboard) -> set[tuple[str, str]]:
    """(winner, loser) of every significant pair."""
    found = set()
    for pair in result.pairs:
        if pair.p_adjusted is not None and pair.p_adjusted <= result.alpha and pair.gain:
            names = (pair.system, pair.baseline)
            found.add(names if pair.gain > 0 else names[::-1])
    return found


@pytest.mark.parametrize("step", [0.0, 0.15, 0.6])
@pytest.mark.parametrize("correction", ["auto", "holm"])
def test_rank_sets_tiers_and_letters_follow_from_the_corrected_pairs(step: float, correction: str) -> None:
    result = outscore.rank(scores(step=step), correction=correction, **FEW)
    won, board = beaten(result), result.board("mean")
    assert result.correction == ("max-t" if correction == "auto" else "holm")
    assert len(result.pairs) == 10
    for place in board:
        others = [other.system for other in board if other is not place]
        assert place.best == 1 + sum((other, place.system) in won for other in others)
        assert place.worst == 5 - sum((place.system, other) in won for other in others)
        assert place.best <= place.rank <= place.worst
    for a, b in combinations(board, 2):
        differ = (a.system, b.system) in won or (b.system, a.system) in won
        assert differ != bool(set(a.letters) & set(b.letters))
    for above, below in pairwise(board):
        cut = board.index(below)
        whole = all((x.system, y.system) in won for x in board[:cut] for y in board[cut:])
        assert (above.tier != below.tier) == whole
    assert result.leaders("mean") == tuple(place.system for place in board if place.best == 1)


def test_ranks_by_score_and_bootstrap_are_descriptive_columns() -> None:
    data = scores()
    result = outscore.rank(data, **FEW)
    means = {name: np.mean(values) for name, values in data.items()}
    assert [place.system for place in result.places] == sorted(means, key=lambda name: -means[name])
    assert [place.rank for place in result.places] == [1, 2, 3, 4, 5]
    assert sum(place.first for place in result.places) == pytest.approx(1)
    assert all(place.bootstrap[0] <= place.rank <= place.bootstrap[1] for place in result.places)


def test_holm_gives_the_pairs_of_compare() -> None:
    data = scores(4)
    ranked = outscore.rank(data, correction="holm", test="t", **FEW)
    compared = outscore.compare(data, all_pairs=True, correction="holm", test="t", **FEW)
    numbers = [(p.system, p.baseline, p.gain, p.p_value, p.p_adjusted, p.test, p.verdict) for p in ranked.pairs]
    assert numbers == [
        (p.system, p.baseline, p.gain, p.p_value, p.p_adjusted, p.test, p.verdict) for p in compared.pairs
    ]


def test_the_test_is_that_of_compare() -> None:
    few, many = outscore.rank(scores(2, n=9), **FEW), outscore.rank(scores(2), **FEW)
    assert (few.pairs[0].test, many.pairs[0].test) == ("randomization", "t")
    right = {name: [int(value > 0) for value in values] for name, values in scores(2).items()}
    assert outscore.rank(right, **FEW).pairs[0].test == "mcnemar"


def test_identical_systems_share_rank_letters_and_rank_set() -> None:
    data = scores(3, step=1.0)
    result = outscore.rank({**data, "copy": data["s1"]}, **FEW)
    places = {place.system: place for place in result.places}
    one, other = places["s1"], places["copy"]
    assert (one.rank, one.letters, one.best, one.worst) == (other.rank, other.letters, other.best, other.worst)
    assert one.rank == 2
    assert places["s2"].rank == 4
    (pair,) = (p for p in result.pairs if {p.system, p.baseline} == {"s1", "copy"})
    assert pair.p_adjusted == 1
    assert "identical_outputs" in {note.code for note in result.notes}


def test_the_order_in_which_systems_are_given_does_not_matter() -> None:
    data = scores(4)
    turned = dict(reversed(data.items()))
    one, other = (outscore.rank(d, correction="holm", **FEW).places for d in (data, turned))
    assert one == other


def test_lower_is_better_where_the_metric_says_so() -> None:
    data = scores(3, step=1.0)
    result = outscore.rank(data, metrics="mean:lower=true", **FEW)
    assert [place.system for place in result.places] == ["s2", "s1", "s0"]
    assert [place.tier for place in result.places] == [1, 2, 3]


def test_several_metrics_have_a_board_each_and_one_family() -> None:
    rng = np.random.default_rng(3)
    rows = {
        "system": [s for s in "abc" for _ in range(40)],
        "item": [str(i) for _ in "abc" for i in range(40)],
        "x": rng.normal(size=120).round(3),
        "y": rng.normal(size=120).round(3),
    }
    import pandas as pd

    result = outscore.rank(pd.DataFrame(rows), metrics=["x", "y"], correction="bonferroni", **FEW)
    assert len(result.pairs) == 6
    for pair in result.pairs:
        assert pair.p_value is not None
        assert pair.p_adjusted == pytest.approx(min(1, 6 * pair.p_value))
    assert {place.metric for place in result.places} == {"x", "y"}
    assert len(result.board("y")) == 3


def test_several_runs_are_ranked_by_crossed_tests_and_holm() -> None:
    rng = np.random.default_rng(0)
    data = {name: rng.normal(i, 1, (3, 40)).round(3) for i, name in enumerate("abc")}
    result = outscore.rank(data, **FEW)
    assert result.correction == "holm"
    assert {pair.test for pair in result.pairs} == {"crossed"}
    assert "runs_by_holm" in {note.code for note in result.notes}
    assert [place.system for place in result.places] == ["c", "b", "a"]
    with pytest.raises(UsageError, match="one run of each system"):
        outscore.rank(data, correction="max-t", **FEW)


def test_corrections_without_a_joint_level_are_marked() -> None:
    codes = {note.code for note in outscore.rank(scores(3), correction="bh", **FEW).notes}
    assert "no_joint_level" in codes
    assert "no_joint_level" not in {note.code for note in outscore.rank(scores(3), **FEW).notes}


def test_one_tier_with_decided_pairs_is_explained() -> None:
    result = outscore.rank(scores(4, step=0.15, n=150), **FEW)
    assert {place.tier for place in result.places} == {1}
    assert any(place.best > 1 for place in result.places)
    assert "one_tier" in {note.code for note in result.notes}


def test_two_systems_work_and_fewer_do_not() -> None:
    assert [p.tier for p in outscore.rank(scores(2, step=3.0), **FEW).places] == [1, 2]
    with pytest.raises(UsageError, match="one system"):
        outscore.rank(scores(1), **FEW)
    with pytest.raises(UsageError, match="one item"):
        outscore.rank({"a": [1.0], "b": [2.0]}, **FEW)


def test_missing_items_are_as_in_compare() -> None:
    data = {"a": {"1": 1.0, "2": 2.0, "3": 2.0}, "b": {"1": 1.5, "2": 0.0, "4": 1.0}}
    with pytest.raises(InputError):
        outscore.rank(data, **FEW)
    assert outscore.rank(data, missing="drop", **FEW).pairs[0].n_items == 2


@pytest.mark.parametrize("wrong", [{"correction": "holmes"}, {"elo": True}, {"alpha": 2.0}])
def test_wrong_options_are_refused_in_one_line(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as refusal:
        outscore.rank(scores(2), **{**FEW, **wrong})
    assert "\n" not in str(refusal.value)


def test_items_as_blocks_give_the_mean_ranks_of_scipy() -> None:
    data = scores(4, n=30)
    values = np.array(list(data.values()))
    (found,) = outscore.rank(data, blocks="item", **FEW).mean_ranks
    expected = stats.rankdata(-values, axis=0).mean(axis=1)
    assert dict(zip(found.systems, found.mean_ranks, strict=True)) == pytest.approx(
        dict(zip(data, expected.tolist(), strict=True))
    )
    assert found.chi2 == pytest.approx(stats.friedmanchisquare(*values).statistic)
    q = stats.studentized_range.ppf(0.95, 4, np.inf)
    assert found.critical_difference == pytest.approx(q / math.sqrt(2) * math.sqrt(4 * 5 / (6 * 30)), rel=1e-4)
    ranks = dict(zip(found.systems, found.mean_ranks, strict=True))
    together = {frozenset(pair) for group in found.groups for pair in combinations(group, 2)}
    for gap in found.gaps:
        assert gap.gap == pytest.approx(ranks[gap.other] - ranks[gap.system])
        assert (gap.gap < found.critical_difference) == (frozenset((gap.system, gap.other)) in together)


def test_the_column_domain_makes_blocks_unasked() -> None:
    data = scores(3, n=30)
    about = {"domain": ["x", "y", "z"] * 10, "genre": ["p"] * 15 + ["q"] * 15, "same": ["1"] * 30}
    unasked = outscore.rank(data, items=about, **FEW)
    (found,) = unasked.mean_ranks
    assert (found.blocks, found.n_blocks) == ("domain", 3)
    assert "depends_on_the_pool" in {note.code for note in unasked.notes}
    assert outscore.rank(data, items=about, blocks="genre", **FEW).mean_ranks[0].n_blocks == 2
    assert outscore.rank(data, items=about, blocks="none", **FEW).mean_ranks == ()
    with pytest.raises(UsageError, match="two blocks"):
        outscore.rank(data, items=about, blocks="same", **FEW)
    with pytest.raises(UsageError, match="no such column"):
        outscore.rank(data, items=about, blocks="genres", **FEW)


def test_data_sets_count_as_one_number_each(tmp_path: Path) -> None:
    sets, means = {}, []
    for name in "pqrstuv":
        data = scores(3, n=20, seed=ord(name))
        lines = ["system,item,score", *(f"{s},{i},{v}" for s, values in data.items() for i, v in enumerate(values))]
        sets[name] = outscore.read(str(written(tmp_path / f"{name}.csv", lines)))
        means.append([float(np.mean(values)) for values in data.values()])
    result = outscore.rank(sets, **FEW)
    assert result.unit == "data set"
    assert [score.score for score in result.scores] == pytest.approx(np.mean(means, axis=0))
    assert {pair.n_items for pair in result.pairs} == {7}
    (found,) = result.mean_ranks
    assert found.n_blocks == 7
    assert found.chi2 == pytest.approx(stats.friedmanchisquare(*np.transpose(means)).statistic)
    with pytest.raises(UsageError, match="every data set is a block"):
        outscore.rank(sets, blocks="domain", **FEW)


def test_a_saved_leaderboard_is_read_back_whole() -> None:
    result = outscore.rank(scores(3), blocks="item", **FEW)
    again = Leaderboard.from_json(result.to_json())
    assert again == result
    assert len(result.rows()) == 3
    broken = json.loads(result.to_json())
    broken["scores"] = broken["scores"][:1]
    with pytest.raises(InputError, match="not whole"):
        Leaderboard.from_json(json.dumps(broken))


def test_a_board_that_could_find_nothing_says_so_first() -> None:
    few = outscore.rank(scores(5, step=1.0), n_resamples=18)
    assert all(pair.verdict not in ("better", "worse") for pair in few.pairs)
    (note,) = (note for note in few.notes if note.code == "family_out_of_reach")
    assert "0.053" in note.text
    shown = few.to("terminal")
    assert "! no pair of this family" in shown
    enough = outscore.rank(scores(5, step=1.0), n_resamples=19)
    assert "family_out_of_reach" not in {note.code for note in enough.notes}


def test_sampled_p_at_their_floor_are_no_floor_of_the_board() -> None:
    data = scores(14, n=300, step=1.0)
    board = outscore.rank(data, test="randomization:exact=never", n_resamples=1000)
    assert all(pair.verdict in ("better", "worse") for pair in board.pairs)
    by_holm = outscore.rank(data, test="randomization:exact=never", n_resamples=1000, correction="holm")
    assert "family_out_of_reach" in {note.code for note in by_holm.notes}


def test_auto_resamples_rank_too() -> None:
    found = outscore.rank(scores(3, n=60, step=1.0), n_resamples="auto")
    assert len(found.pairs) == 3
