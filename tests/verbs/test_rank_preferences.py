"""``rank`` of preferences: ratings, their units, and judgments that have none."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.errors import InputError, UsageError
from outscore.results.leaderboard import Leaderboard
from outscore.verbs.rank import contests
from tests.cli.commandline import written

Rows = list[tuple[Any, ...]]
FEW: dict[str, Any] = {"n_resamples": 199}


def votes(skill: dict[str, float], items: int = 30, seed: int = 2, ties: float = 0.2) -> Rows:
    """One judgment of every two systems on each item: (item, system1, system2, winner, topic)."""
    rng = np.random.default_rng(seed)
    rows: Rows = []
    for i in range(items):
        for a, b in combinations(skill, 2):
            won = a if rng.random() < 1 / (1 + math.exp(skill[b] - skill[a])) else b
            rows.append((f"q{i}", a, b, "tie" if rng.random() < ties else won, f"t{i // 3}"))
    return rows


def judged(rows: Rows, folder: Path) -> Any:
    lines = ["item,system1,system2,winner,topic", *(",".join(map(str, row)) for row in rows)]
    return outscore.read_judgments(str(written(folder / "votes.csv", lines)))


SKILL = {"weak": -1.0, "middle": 0.0, "strong": 1.0}


def test_preferences_are_ranked_by_their_ratings(tmp_path: Path) -> None:
    data = judged(votes(SKILL), tmp_path)
    result = outscore.rank(data, **FEW)
    assert result.kind == "ratings"
    assert [place.system for place in result.places] == ["strong", "middle", "weak"]
    ratings = {score.system: score.score for score in result.scores}
    assert sum(ratings.values()) == pytest.approx(0, abs=1e-9)
    assert (result.effect["judgments"], result.effect["items"]) == (90, 30)
    for pair in result.pairs:
        assert pair.gain == pytest.approx(ratings[pair.system] - ratings[pair.baseline])
        assert pair.effect["odds"] == pytest.approx(math.exp(pair.gain))
        assert pair.null == "the two systems have the same rating"
    elo = outscore.rank(data, elo=True, **FEW)
    for score in elo.scores:
        assert score.score == pytest.approx(1500 + 400 / math.log(10) * ratings[score.system])
        assert score.unit == "Elo"
    assert [p.letters for p in elo.places] == [p.letters for p in result.places]


def test_many_units_stand_in_groups_with_the_same_ratings_and_near_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = judged(votes(SKILL, 600), tmp_path)
    whole = outscore.rank(data, **FEW)
    monkeypatch.setattr(contests, "_GROUPS", 200)
    monkeypatch.setattr(contests, "_MOST_CELLS", 1000)
    grouped = outscore.rank(data, **FEW)
    assert "judged_in_groups" in {note.code for note in grouped.notes}
    assert "judged_in_groups" not in {note.code for note in whole.notes}
    assert grouped.effect == whole.effect
    for one, other in zip(grouped.scores, whole.scores, strict=True):
        assert one.score == pytest.approx(other.score, abs=1e-12)
        assert one.ci is not None
        assert other.ci is not None
        # four errors of a standard error of 200 groups
        assert one.ci[1] - one.ci[0] == pytest.approx(other.ci[1] - other.ci[0], rel=4 / math.sqrt(400))


def test_many_units_of_few_systems_stand_by_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = judged(votes(SKILL), tmp_path)
    whole = outscore.rank(data, **FEW)
    monkeypatch.setattr(contests, "_GROUPS", 7)
    assert outscore.rank(data, **FEW).scores == whole.scores


def p_of(result: Leaderboard) -> list[float | None]:
    return [pair.p_value for pair in result.pairs]


def test_clusters_of_prompts_are_the_units(tmp_path: Path) -> None:
    data = judged(votes(SKILL), tmp_path)
    items, topics = outscore.rank(data, **FEW), outscore.rank(data, cluster="topic", **FEW)
    assert [s.score for s in items.scores] == pytest.approx([s.score for s in topics.scores])
    assert p_of(items) != p_of(topics)
    assert {pair.n_items for pair in topics.pairs} == {10}
    assert (topics.unit, topics.provenance.cluster, topics.provenance.n_clusters) == ("cluster", "topic", 10)
    with pytest.raises(UsageError, match="no such column"):
        outscore.rank(data, cluster="topics", **FEW)


def test_ties_as_an_outcome_of_their_own(tmp_path: Path) -> None:
    result = outscore.rank(judged(votes(SKILL), tmp_path), ties="davidson", **FEW)
    tie = result.effect["tie_parameter"]
    assert isinstance(tie, float)
    assert tie > 0
    assert "ties:davidson" in result.scores[0].signature


def test_ties_need_wins_all_round_that_outnumber_them(tmp_path: Path) -> None:
    rows: Rows = [("1", "a", "b", "a", "t"), ("2", "a", "b", "tie", "t")]
    with pytest.raises(InputError, match="too few decided judgments beside the ties"):
        outscore.rank(
            judged([*rows, ("3", "b", "a", "tie", "t")] + [("4", "b", "c", "tie", "t")] * 2, tmp_path),
            ties="davidson",
            **FEW,
        )
    won: Rows = [("5", "a", "b", "b", "t"), ("6", "a", "b", "a", "t"), ("7", "a", "b", "b", "t")]
    found = outscore.rank(judged(rows + won, tmp_path), ties="davidson", **FEW)
    assert isinstance(found.effect["tie_parameter"], float)


def test_ratings_of_single_outputs_count_as_preferences(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    lines = ["system,item,rater,score"]
    lines += [f"{s},{i},r{r},{rng.normal(m):.1f}" for s, m in (("a", 0), ("b", 1)) for i in range(20) for r in "12"]
    data = outscore.read_judgments(str(written(tmp_path / "ratings.csv", lines)))
    assert outscore.rank(data, **FEW).places[0].system == "b"
    assert outscore.rank(data, lower=True, **FEW).places[0].system == "a"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("1", "a", "b", "a", "t"), ("2", "c", "d", "c", "t")], "2 groups that no judgment joins"),
        ([("1", "a", "b", "a", "t"), ("2", "b", "c", "c", "t"), ("3", "b", "c", "b", "t")], "'a' never lost to"),
        ([("1", "a", "b", "b", "t"), ("2", "b", "c", "c", "t"), ("3", "b", "c", "b", "t")], "'a' never beat or"),
        ([("1", "a", "b", "tie", "t"), ("2", "a", "b", "tie", "t")], "every judgment is a tie"),
    ],
)
def test_judgments_without_finite_ratings_are_refused_with_a_way_out(rows: Rows, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message) as refusal:
        outscore.rank(judged(rows, tmp_path), **FEW)
    assert ";" in str(refusal.value)


@pytest.mark.parametrize(
    "wrong", [{"metrics": "bleu"}, {"test": "t"}, {"blocks": "topic"}, {"strata": "topic"}, {"lower": True}]
)
def test_options_that_preferences_do_not_have_are_refused(wrong: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        outscore.rank(judged(votes(SKILL), tmp_path), **FEW, **wrong)
