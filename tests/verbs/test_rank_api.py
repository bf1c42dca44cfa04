"""``rank``: what its places, pairs and mean ranks say, and what it refuses."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import combinations, pairwise, permutations
from pathlib import Path
from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import outscore
from outscore.base.errors import InputError, UsageError
from outscore.base.notes import Note
from outscore.multiplicity.adjust import adjust
from outscore.results.leaderboard import Leaderboard
from outscore.significance.omnibus.friedman import FriedmanTest
from outscore.significance.wilcoxon import wilcoxon
from outscore.verbs.rank import boards
from outscore.verbs.rank.boards import NO_JOINT_LEVEL, ONE_TIER, RUNS_BY_HOLM, _groups, make_notes, mean_ranks, places
from tests.cli.commandline import written
from tests.verbs.flat import differing, near

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
    assert "Alike on every item: s1 and copy. (" in result.sentence
    two = outscore.rank({**data, "copy": data["s1"], "another": data["s2"]}, **FEW).sentence
    assert "Alike on every item: s1 and copy; s2 and another. (" in two or "s2 and another; s1 and copy. (" in two
    assert "Alike" not in outscore.rank(data, **FEW).sentence


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
    assert found.statistic == pytest.approx(stats.friedmanchisquare(*values).statistic)
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
    means = np.array([[9 + np.mean(values[b::3]) for values in data.values()] for b in range(3)])
    expected = stats.rankdata(-means, axis=1).mean(axis=0)
    high = {name: [9 + value for value in values] for name, values in data.items()}
    (above,) = outscore.rank(high, items=about, **FEW).mean_ranks
    assert dict(zip(above.systems, above.mean_ranks, strict=True)) == near(
        dict(zip(data, expected.tolist(), strict=True))
    )
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
    assert found.statistic == pytest.approx(stats.friedmanchisquare(*np.transpose(means)).statistic)
    for n, few in ((5, True), (6, False)):
        some = outscore.rank(dict([*sets.items()][:n]), **FEW)
        assert ("few_data_sets" in {note.code for note in some.notes}) == few
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


@pytest.mark.parametrize(
    ("n", "systems", "test", "remedy"),
    [
        (8, 5, "wilcoxon", "more items, or at most 6 pairs"),
        (8, 5, "sign", "more items, or at most 6 pairs"),
        (20, 12, "wilcoxon", "use --correct holm, by which it can be 0.00013"),
    ],
)
def test_a_board_out_of_reach_says_one_thing_that_helps(n: int, systems: int, test: str, remedy: str) -> None:
    """Cubes have tails so long that the joint law of 20 items reaches no level, where exact laws do."""
    draws = np.random.default_rng(0).normal(size=(systems, n)) ** 3
    data = {f"s{k}": (row - 100.0 * k).tolist() for k, row in enumerate(draws)}
    board = outscore.rank(data, test=test, n_resamples=1000)
    said = {note.code: note.remedy for note in board.notes}
    assert said["family_out_of_reach"] == remedy
    assert "p_and_interval" not in said
    assert not any("p_and_interval" in pair.notes for pair in board.pairs)
    if "holm" in remedy:
        followed = outscore.rank(data, test=test, correction="holm", n_resamples=1000)
    else:
        followed = outscore.rank({name: data[name] for name in list(data)[:4]}, test=test, n_resamples=1000)
    assert "family_out_of_reach" not in {note.code for note in followed.notes}
    assert any(pair.verdict in ("better", "worse") for pair in followed.pairs)


def test_auto_resamples_rank_too() -> None:
    found = outscore.rank(scores(3, n=60, step=1.0), n_resamples="auto")
    assert len(found.pairs) == 3


SCORES = np.array([[3.0, 1, 2, 2], [2, 1, 3, 3], [3, 2, 1, 1], [3, 1, 2, 2], [2, 3, 1, 1]])
"""Of four systems on five blocks, the last two alike."""


@pytest.mark.parametrize("alpha", [0.05, 0.7])
def test_mean_ranks_and_everything_after_them(alpha: float) -> None:
    found = mean_ranks("m", "domain", "abcd", SCORES, alpha)
    ranks = stats.rankdata(-SCORES, axis=1)
    means = ranks.mean(axis=0)
    order = [0, 2, 3, 1]
    chi2 = stats.friedmanchisquare(*SCORES.T).statistic
    f = 4 * chi2 / (5 * 3 - chi2)
    error = math.sqrt(4 * 5 / (6 * 5))
    every = [(i, j) for i, j in combinations(range(4), 2)]
    difference = stats.studentized_range.ppf(1 - alpha, 4, np.inf) / math.sqrt(2) * error
    gaps = [abs(means[i] - means[j]) for i, j in every]
    tail = [float(stats.studentized_range.sf(gap / error * math.sqrt(2), 4, np.inf)) for gap in gaps]
    alone = [wilcoxon(SCORES[:, i] - SCORES[:, j]).p for i, j in every]
    adjusted = adjust(alone, "holm").tolist()
    names = [("a", "b"), ("a", "c"), ("a", "d"), ("c", "b"), ("d", "b"), ("c", "d")]
    expected = {
        "metric": "m",
        "blocks": "domain",
        "n_blocks": 5,
        "null": FriedmanTest.null.replace("item", "block"),
        "statistic": chi2,
        "f": f,
        "df": 3,
        "df_blocks": 12,
        "p_kind": "exact",
        "kendall_w": chi2 / (5 * 3),
        "systems": tuple("abcd"[i] for i in order),
        "mean_ranks": tuple(means[i] for i in order),
        "groups": (("a", "c", "d", "b"),) if alpha == 0.05 else (("c", "d", "b"),),
        "gaps": [
            {"system": a, "other": b, "gap": gap, "p_wilcoxon": p}
            for (a, b), gap, p in zip(names, gaps, adjusted, strict=True)
        ],
    }
    got = {**vars(found), "gaps": [{**vars(gap)} for gap in found.gaps]}
    assert [gap.pop("p_nemenyi") for gap in got["gaps"]] == pytest.approx(tail, abs=1e-5)
    assert got.pop("critical_difference") == pytest.approx(difference, rel=1e-5)
    p = got.pop("p_value")
    assert not differing(got, expected)
    # every way to deal out the ranks of each block, of which two are tied
    sums = np.zeros((1, 4))
    for row in ranks.tolist():
        sums = (sums[:, None] + np.array(sorted(set(permutations(row))))).reshape(-1, 4)
    statistic = np.square(sums - 12.5).sum(axis=1)
    assert p == pytest.approx(np.mean(statistic >= np.square(ranks.sum(axis=0) - 12.5).sum() - 1e-9))


def test_blocks_without_order_have_p_1_and_none_are_apart() -> None:
    found = mean_ranks("m", "item", "ab", np.ones((3, 2)), 0.05)
    assert (found.p_value, found.p_kind, found.groups, found.f) == (1.0, "exact", (("a", "b"),), 0)
    assert [(gap.system, gap.other, gap.gap, gap.p_nemenyi, gap.p_wilcoxon) for gap in found.gaps] == [
        ("a", "b", 0, 1, 1)
    ]
    many = mean_ranks("m", "item", "abc", np.tile([3.0, 2, 1], (4000, 1)), 0.05)
    assert (many.p_value, many.p_kind, many.groups) == (math.ulp(0.0), "exact", ())
    assert {gap.p_nemenyi for gap in many.gaps} == {math.ulp(0.0)}
    wide = mean_ranks("m", "item", [*map(str, range(12))], np.random.default_rng(1).normal(size=(40, 12)), 0.05)
    assert wide.p_kind == "asymptotic"
    assert wide.p_value == pytest.approx(stats.f.sf(wide.f or 0, wide.df, wide.df_blocks))


@pytest.mark.parametrize(
    ("ranks", "groups"),
    [
        ([1.0, 2.0, 3.0], []),
        ([1.0, 1.9, 2.8], [(0, 2), (1, 3)]),
        ([1.0, 1.5, 1.9, 2.1, 3.5], [(0, 3), (1, 4)]),
        ([1.0, 1.5, 1.9], [(0, 3)]),
    ],
)
def test_groups_lie_less_than_the_difference_apart(ranks: list[float], groups: list[tuple[int, int]]) -> None:
    assert _groups(ranks, 1.0) == groups


def test_places_follow_from_scores_verdicts_and_resampled_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty resamples of three systems, lower is better; the first two differ by rounding alone."""
    drawn = {0: [2.0] * 30 + [1.0] * 30, 1: [2.0 + 1.5e-12] * 30 + [3.0] * 30, 2: [4.0] * 58 + [0.5] * 2}
    scores = [np.array([2.0, 2.0]), np.array([1.0, 3.0 + 1e-13]), np.array([4.0, 4.0])]
    held = Made(sign=-1.0, run_scores=scores, slack=lambda s, t: 1e-12 * (s != t), name="loss")
    made: Any = Made(by_metric=[Made(), held], systems=("x", "y", "z"), settings=Made(alpha=0.05))
    made.bootstrap_scores = lambda stats, s: np.add.outer([-0.1, 0.1], drawn[s])
    pairs: Any = [Made(pair=Made(system=s, baseline=b)) for s, b in ((1, 0), (2, 0), (2, 1))]
    found = places(made, 1, pairs, ["inconclusive", "worse", "worse"])
    # 30 times both are first, 28 times x alone, twice z
    common = {"metric": "loss", "rank": 1, "best": 1, "worst": 2, "tier": 1, "letters": "a"}
    last = {"metric": "loss", "rank": 3, "best": 3, "worst": 3, "tier": 2, "letters": "b"}
    expected = [
        {**common, "system": "x", "first": (15 + 28) / 60, "bootstrap": (1, 2)},
        {**common, "system": "y", "first": 15 / 60, "bootstrap": (1, 3)},
        {**last, "system": "z", "first": 2 / 60, "bootstrap": (1, 3)},
    ]
    assert not differing([vars(place) for place in found], expected)
    with monkeypatch.context() as less:  # no more than 31 are held
        less.setattr(boards, "_RANK_CELLS", 9 * 31)
        assert [p.first for p in places(made, 1, pairs, ["inconclusive", "worse", "worse"])] == near(
            [16 / 31, 15 / 31, 0]
        )
    assert boards._equalize(np.zeros((2, 2))).tolist() == [[0, 0], [0, 0]]
    turned = places(made, 1, pairs, ["inconclusive", "better", "better"])
    assert [(place.system, place.best, place.worst) for place in turned] == [("x", 2, 3), ("y", 2, 3), ("z", 1, 1)]
    assert make_notes(found, "holm", "auto", runs=True) == [RUNS_BY_HOLM]
    assert make_notes(found, "holm", "holm", runs=True) == make_notes(found, "holm", "auto", runs=False) == []
    assert make_notes([replace(p, tier=1, best=2) for p in found], "bh", "bh", runs=False) == [NO_JOINT_LEVEL, ONE_TIER]
    assert make_notes([replace(p, tier=1, best=1) for p in found], "holm", "holm", runs=False) == []


def test_every_metric_has_the_board_of_its_own_pairs() -> None:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"system": np.repeat([*"abc"], 40), "item": np.tile(np.arange(40), 3)})
    for metric, steps in (("x", (0, 1, 2)), ("y", (2, 0, 1)), ("z", (0, 0, 0))):
        frame[metric] = rng.normal(size=120) + np.repeat(steps, 40)
    whole = outscore.rank(frame, metrics=["x", "y", "z"], correction="none", **FEW)
    for metric, order in (("x", "cba"), ("y", "acb"), ("z", None)):
        alone = outscore.rank(frame, metrics=metric, correction="none", **FEW)
        assert whole.board(metric) == alone.board(metric)
        assert order is None or [(p.system, p.tier) for p in alone.places] == [*zip(order, (1, 2, 3), strict=True)]


@pytest.mark.parametrize("elo", [False, True])
def test_ratings_of_two_systems_by_hand(elo: bool) -> None:
    """Six of eight judgments are won, of four items: log odds of 3, and the t interval of what each item adds."""
    won = [2, 2, 1, 1]
    rows = [(i, "a", "b", "a" if n < w else "b") for i, w in enumerate(won) for n in range(2)]
    frame = pd.DataFrame(rows, columns=["item", "system1", "system2", "winner_name"])
    result = outscore.rank(frame, elo=elo, **FEW)
    (pair,) = result.pairs
    scale = 400 / math.log(10) if elo else 1.0
    sign = 1 if pair.system == "a" else -1
    assert pair.gain == pytest.approx(sign * scale * math.log(3))
    odds = 3.0**sign
    assert not differing(dict(pair.effect), {"odds": odds, "chance_preferred": odds / (1 + odds)})
    added = scale * 4 * (np.array(won) - 1.5) / (8 * 0.75 * 0.25)
    half = stats.t.ppf(0.975, 3) * added.std(ddof=1) / 2
    assert pair.ci == pytest.approx((pair.gain - half, pair.gain + half))
    assert [s.score for s in result.scores] == pytest.approx(
        [(1500 if elo else 0) + s * scale * math.log(3) / 2 for s in (1, -1)]
    )
    assert (result.unit, result.effect) == ("item", {"judgments": 8, "ties": 0, "items": 4, "tie_parameter": None})
    assert [s.n_items for s in result.scores] == [4, 4]
    assert len(outscore.rank(frame[frame["item"].isin([0, 2])], **FEW).pairs) == 1  # two items are enough
    with pytest.raises(UsageError, match="all judgments belong to one item"):
        outscore.rank(frame[frame["item"] == 2], **FEW)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            "ab ac ad ef eg eh ij",
            r"fall into 3 groups .*, 'a', 'b', 'c' and 1 more from 'e', 'f', 'g' and 1 more: there",
        ),
        ("ab bc cd da ef fg gh he ae", r"^'a', 'b', 'c' and 1 more never lost to or tied any other system"),
    ],
)
def test_systems_without_a_common_scale_are_named(rows: str, said: str) -> None:
    """The first of each two wins."""
    won = [(i, two[0], two[1], two[0]) for i, two in enumerate(rows.split())]
    frame = pd.DataFrame(won, columns=["item", "system1", "system2", "winner_name"])
    with pytest.raises(InputError, match=said):
        outscore.rank(frame, **FEW)


def near_each_other(seed: int) -> dict[str, list[float]]:
    """One system far ahead of eight that differ little."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=60)
    near = {f"s{i}": (base + rng.normal(size=60) - 0.12 * i).round(2).tolist() for i in range(8)}
    return {"top": (base + 3).round(2).tolist(), **near}


@pytest.mark.parametrize(("n", "lead_hangs"), [(99, True), (999, False)])
def test_a_decision_that_hangs_on_the_draws_changes_the_answer_where_it_is_about_who_may_be_first(
    n: int, lead_hangs: bool
) -> None:
    """Among thousands of pairs some always do; of the others their number is said, for the record."""
    result = outscore.rank(near_each_other(0), n_resamples=n)
    best = {place.system: place.best for place in result.board("mean")}
    apart = 0
    for pair in result.pairs:
        loser = pair.baseline if pair.gain > 0 else pair.system
        turns = best[loser] == (2 if pair.verdict in ("better", "worse") else 1)
        assert not ("decision_unstable" in pair.notes and not turns)
        assert not ("others_unstable" in pair.notes and turns)
        apart += "others_unstable" in pair.notes
    said = {note.code: note for note in result.notes}
    assert said["others_unstable"].text.startswith(
        f"other resamples could turn {apart} of 36 pairs, none of which decides"
    )
    assert said["others_unstable"].rank == "record"
    assert ("decision_unstable" in said) is lead_hangs
    assert ("BUT see !" in str(result)) is lead_hangs


@pytest.mark.parametrize(("who", "said"), [(0, ", BUT see !"), (4, ", see ! on 1 pair")])
def test_a_note_on_pairs_that_are_not_about_who_may_be_first_is_counted(who: int, said: str) -> None:
    rng = np.random.default_rng(0)
    scores = {f"s{i}": (rng.normal(size=60) - i).round(2).tolist() for i in range(6)}
    found = outscore.rank(scores)
    warned = replace(found.pairs[-1], system=f"s{who}", notes=("p_and_interval",))
    noted = replace(found, pairs=(*found.pairs[:-1], warned), notes=(Note(code="p_and_interval", text="so it is"),))
    first = " ".join(noted.to("terminal").partition("\n\n")[0].split())
    assert first.endswith(f"15 of 15 pairs differ (family-wise error 5%){said}.")
    assert "see !" not in noted.sentence


def test_after_automatic_draws_more_is_asked_of_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of this p the 99 % interval lies above alpha, but not that of twice as much confidence."""
    monkeypatch.setattr("outscore.verbs.rank.run.choose_sizes", lambda _: (99, 199))
    rng = np.random.default_rng(35)
    base = rng.normal(size=30)
    data = {"a": base, "b": base + rng.normal(0.35, 1, 30)}
    result = outscore.rank(data, test="randomization:exact=never", n_resamples="auto", seed=35)
    (pair,) = result.pairs
    assert "decision_unstable" not in pair.notes
    assert "decision_unstable" in {note.code for note in result.notes}


def test_all_that_hangs_after_automatic_draws_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outscore.verbs.rank.run.choose_sizes", lambda _: (99, 999))
    result = outscore.rank(near_each_other(0), n_resamples="auto")
    (note,) = [note for note in result.notes if note.code.endswith("unstable")]
    assert (note.code, note.text.partition(" pairs")[0]) == ("others_unstable", "other resamples could turn 3 of 36")


@pytest.mark.parametrize(
    ("gain", "verdict", "best", "safe"),
    [
        (0.5, "better", (1, 2), False),  # undecided, the baseline may be first
        (0.5, "better", (1, 3), True),
        (0.5, "better", (2, 1), True),
        (0.5, "inconclusive", (2, 1), False),
        (0.5, "inconclusive", (1, 2), True),
        (-0.5, "worse", (2, 1), False),
        (-0.5, "worse", (1, 2), True),
        (-2.0, "inconclusive", (1, 2), False),
        (2.0, "inconclusive", (2, 1), False),
        (0.0, "inconclusive", (2, 1), False),
        (None, "inconclusive", (1, 2), True),
    ],
)
def test_who_may_be_first_hangs_on_pairs_whose_lower_system_is_beaten_once_or_never(
    gain: float | None, verdict: str, best: tuple[int, int], safe: bool
) -> None:
    """``best`` of the system and of the baseline."""
    board: Any = [Made(system=name, metric="m", best=at) for name, at in zip(("new", "base"), best, strict=True)]
    pair: Any = Made(system="new", baseline="base", metric="m", gain=gain, verdict=verdict)
    assert boards.lead_is_safe(board, [pair]) == [safe]
