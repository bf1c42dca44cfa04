"""``humans``, ``correlate`` and ``judge`` from Python: what they take, what they give, and what they refuse."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import outscore
from outscore.base.errors import InputError, UsageError
from outscore.results.correlation import Correlations
from outscore.results.humans import Humans
from outscore.results.judge import Judgements
from outscore.results.result import Result
from outscore.significance.discordant import DiscordantPairs
from outscore.significance.means import satterthwaite
from outscore.significance.prediction_powered import mean_t
from outscore.significance.preferences import win_proportions
from tests.cli import commandline
from tests.verbs.flat import differing, near

NAN = float("nan")

RATINGS = [
    # system, item, rater, rating
    *(("a", "1", "x", 2.0), ("b", "1", "x", 4.0), ("a", "1", "y", 3.0), ("b", "1", "y", 3.0)),
    *(("a", "2", "x", 5.0), ("b", "2", "x", 1.0), ("a", "3", "x", 1.0), ("b", "3", "x", 4.0)),
    *(("a", "4", "y", 2.0), ("b", "4", "y", 5.0), ("b", "5", "y", 4.0)),
]


def table(path: Path, rows: list[tuple[Any, ...]], header: str) -> str:
    path.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8")
    return str(path)


def ratings(folder: Path, rows: list[tuple[Any, ...]] = RATINGS) -> Any:
    return outscore.read_judgments(table(folder / "r.csv", rows, "system,item,rater,rating"))


def test_what_is_no_file_is_refused_by_its_kind_with_the_functions_that_take_it(tmp_path: Path) -> None:
    """A data frame has no truth value, and a file called ``system``, its first column, is not what is missing."""
    frame = pd.DataFrame({"system": ["a", "b"], "item": ["1", "1"], "score": [1, 2]})
    for given in (frame, [frame], [str(tmp_path / "r.csv"), frame]):
        with pytest.raises(
            UsageError, match=r"given a DataFrame: give names of files, or a data frame itself to humans"
        ):
            outscore.read_judgments(cast(Any, given))
    frame.to_csv(tmp_path / "r.csv", index=False)
    assert outscore.read_judgments([tmp_path / "r.csv"]).systems == ("a", "b")


def ends(wins: Any, losses: Any, alpha: float) -> tuple[float, float] | None:
    """Wilson's interval of the mean proportion won of each opponent, one unit after the other."""
    units = [u for u in range(len(wins)) if (wins[u] + losses[u]).any()]
    others = [k for k in range(wins.shape[1]) if (wins[:, k] + losses[:, k]).any()]
    if len(units) < 2:
        return None
    decided = {k: sum(wins[u, k] + losses[u, k] for u in units) for k in others}
    won = {k: sum(wins[u, k] for u in units) / decided[k] for k in others}
    share, judgments = sum(won.values()) / len(won), sum(decided.values())
    held = [sum(wins[u, k] + losses[u, k] for k in others) / judgments for u in units]
    variance = 0.0
    for u, h in zip(units, held, strict=True):
        part = sum((wins[u, k] - won[k] * (wins[u, k] + losses[u, k])) / decided[k] for k in others) / len(others)
        variance += part**2 / (1 - h)
    n = min(share * (1 - share) / variance if variance > 1e-20 else 1 / sum(h**2 for h in held), judgments)
    t = stats.t.ppf(1 - alpha / 2, satterthwaite(np.array(held)))
    roots = np.roots([n + t * t, -(2 * n * share + t * t), n * share**2])  # n (share - p)² = t² p (1 - p)
    return float(min(roots.real)), float(max(roots.real))


@pytest.mark.parametrize(
    ("standardize", "lower", "cluster", "alpha"),
    [
        (False, False, None, 0.05),
        (True, False, None, 0.3),
        (False, True, "document", 0.3),
        (True, True, "document", 0.05),
    ],
)
def test_every_record_of_ratings(standardize: bool, lower: bool, cluster: str | None, alpha: float) -> None:
    """Loops over ratings: some missing, an item of one rater, a rater with one rating and one who is always alike."""
    rows = [(s, i, r, v) for s, i, r, v in RATINGS if s in "ab"]
    rows += [
        ("c", "1", "x", 5.0),
        ("c", "2", "x", 2.0),
        ("c", "2", "y", 4.0),
        ("c", "6", "x", NAN),
        ("a", "6", "x", 3.0),
    ]
    rows += [
        ("d", "7", "z", 3.0),
        ("a", "7", "w", 2.0),
        ("b", "7", "w", 2.0),
        ("c", "7", "w", 2.0),
        ("a", "3", "v", 2.0),
        ("c", "3", "v", 2.5),
    ]
    frame = pd.DataFrame(rows, columns=["system", "item", "rater", "rating"])
    about = {"1": "p", "2": "p", "3": "q", "4": "q", "5": "r", "6": "r", "7": "s"}
    frame["document"] = [about[i] for i in frame["item"]]
    options: dict[str, Any] = {"standardize": standardize, "lower": lower, "cluster": cluster, "alpha": alpha}
    result = outscore.humans(frame, correction="bonferroni", **options)
    known: list[Any] = [row for row in rows if row[3] == row[3]]
    of = {r: [v for _, _, who, v in known if who == r] for r in "vwxyz"}
    deviations: dict[str, Any] = {
        r: float(np.std(values, ddof=1)) if len(values) > 1 else None for r, values in of.items()
    }
    assert not differing(
        [vars(r) for r in result.raters],
        [{"rater": r, "n_ratings": len(v), "mean": sum(v) / len(v), "deviation": deviations[r]} for r, v in of.items()],
    )
    if standardize:
        known = [(s, i, r, (v - np.mean(of[r])) / deviations[r]) for s, i, r, v in known if deviations[r]]
    items = [*about]
    unit = {i: "pqrs".index(about[i]) if cluster else items.index(i) for i in items}
    found = {}
    for s in "abcd":
        own = {
            i: np.mean([v for t, j, _, v in known if (t, j) == (s, i)])
            for i in items
            if any((t, j) == (s, i) for t, j, *_ in known)
        }
        clusters = np.array([about[i] for i in own]) if cluster else None
        made = mean_t(np.array([*own.values()]), clusters, 1 - alpha) if len(own) > 1 else None
        mean = np.mean([*own.values()]) if own else NAN
        found[s] = (mean, (made.low, made.high) if made and np.isfinite(made.se) else None, len(own))
    got = {s.system: (s.score, s.ci, s.n_items) for s in result.scores}
    assert repr(got["d"]) == ("(nan, None, 0)" if standardize else "(3.0, None, 1)")
    assert not differing({**got, "d": 0}, {**found, "d": 0})
    assert {(s.metric, s.unit, s.higher_is_better, s.ci_method) for s in result.scores} == {
        (
            "rating z" if standardize else "rating",
            "rating",
            not lower,
            "CR2 t interval" if cluster else "t interval of items",
        )
    }
    wins, ties = np.zeros((max(unit.values()) + 1, 4, 4)), np.zeros((4, 4))
    for (s, i, r, v), (t, j, q, w) in itertools.permutations(known, 2):
        if (i, r) == (j, q):
            wins[unit[i], "abcd".index(s), "abcd".index(t)] += (v < w) if lower else (v > w)
            ties["abcd".index(s), "abcd".index(t)] += v == w
    total, shares = wins.sum(axis=0), win_proportions(wins.sum(axis=0))
    expected = [
        {
            "system": s,
            "expected_wins": None if np.isnan(shares[k]).all() else np.nanmean(shares[k]),
            "ci": ends(wins[:, k], wins[:, :, k], alpha),
            "n_judgments": sum(t == s for t, *_ in known),
            "n_items": found[s][2],
        }
        for k, s in enumerate("abcd")
    ]
    assert not differing([vars(w) for w in result.wins], expected)
    pairs = []
    for a, b in itertools.combinations(range(3), 2):
        signs = np.sign(wins[:, a, b] - wins[:, b, a])
        p = DiscordantPairs.of(signs).p("exact")
        pairs.append(
            {
                "system": "abcd"[a],
                "other": "abcd"[b],
                "wins": total[a, b],
                "ties": ties[a, b],
                "losses": total[b, a],
                "share": shares[a, b],
                "ci": ends(wins[:, a, [b]], wins[:, b, [a]], alpha),
                "p_value": p,
                "p_adjusted": min(1, 3 * p),
                "items_won": (signs > 0).sum(),
                "items_lost": (signs < 0).sum(),
            }
        )
    null = f"on {'clusters (document)' if cluster else 'items'} where one of the two is preferred more often, "
    null += "it is as likely to be either"
    assert not differing([vars(p) for p in result.preferences], [{**pair, "null": null} for pair in pairs])
    assert result.provenance.n_clusters == (4 if cluster else None)
    said = {note.code: note.text for note in result.notes}
    assert said["missing_ratings"] == "1 of 22 ratings are no numbers and were left out: 1 of 'c'"
    if standardize:
        assert "'w', 'z' gave one rating" in said["raters_without_spread"]
        assert "these raters are left out" in said["raters_without_spread"]
    if not standardize:
        assert said["rated_items_differ"].endswith("'d' on 1, 'a' on 6")


@pytest.mark.parametrize("systems", [4, 5])
def test_missing_ratings_are_counted_by_system(systems: int) -> None:
    rows = [(f"s{k}", i, NAN if (i == 0 and k < systems) else 1.0 + (k + i) % 3) for k in range(6) for i in range(4)]
    frame = pd.DataFrame(rows, columns=["system", "item", "rating"])
    said = {note.code: note.text for note in outscore.humans(frame).notes}
    named = ", ".join(f"1 of 's{k}'" for k in range(4)) + (" and 1 systems more" if systems == 5 else "")
    assert said["missing_ratings"] == f"{systems} of 24 ratings are no numbers and were left out: {named}"
    assert said["rated_items_differ"].endswith(f"'s0' on 3, 's{systems}' on 4")


@pytest.mark.parametrize(("ties", "noted"), [(3, False), (4, True)])
def test_wins_that_rest_on_fewer_than_half_of_the_judgments_say_both_numbers(ties: int, noted: bool) -> None:
    winners = ["a", "b", "a", *["tie"] * ties]
    frame = pd.DataFrame({"item": range(len(winners)), "system1": "a", "system2": "b", "winner": winners})
    said = {note.code: note.text for note in outscore.humans(frame).notes}
    assert ("few_decided" in said) == noted
    if noted:
        assert said["few_decided"].startswith("3 of 7 judgments are decided; the other 4 are ties")


def test_as_many_items_that_are_others_differ_too() -> None:
    frame = pd.DataFrame({"system": [*"aabb"], "item": [1, 2, 2, 3], "rating": [1, 2, 3, 4], "rater": [*"xyxx"]})
    result = outscore.humans(frame)
    assert next(n.text for n in result.notes if n.code == "rated_items_differ").endswith(
        "'a' on 2, 'b' on 2, 1 of them shared"
    )
    assert (result.preferences, result.wins[0].expected_wins, result.wins[0].ci) == ((), None, None)
    alike = frame.assign(item=[1, 2, 1, 2], rater="x")
    assert "rated_items_differ" not in [note.code for note in outscore.humans(alike).notes]
    with pytest.raises(UsageError, match="no column names the raters to standardize by"):
        outscore.humans(frame.drop(columns="rater"), standardize=True)


def test_preferences_have_wins_of_all_judgments_and_no_scale() -> None:
    rows = [
        (1, "a", "b", "a"),
        (1, "b", "a", "a"),
        (2, "a", "b", "tie"),
        (3, "a", "b", "b"),
        (3, "b", "c", "tie"),
        (4, "a", "d", "a"),
        (4, "a", "d", "tie"),
    ]
    frame = pd.DataFrame(rows, columns=["item", "system1", "system2", "winner_name"])
    result = outscore.humans(frame)
    pairs = [
        (p.system, p.other, p.wins, p.ties, p.losses, p.share, p.items_won, p.items_lost) for p in result.preferences
    ]
    assert pairs == [("a", "b", 2, 1, 1, 2 / 3, 1, 1), ("a", "d", 1, 1, 0, 1.0, 1, 0), ("b", "c", 0, 1, 0, None, 0, 0)]
    assert [(w.n_judgments, w.n_items) for w in result.wins] == [(6, 4), (5, 3), (1, 1), (2, 1)]
    assert [w.expected_wins for w in result.wins] == [near(5 / 6), near(1 / 3), None, 0]
    assert (result.scores, result.human, result.provenance.n_resamples) == ((), "", 0)
    assert [p.ci is None for p in result.preferences] == [False, True, True]  # one item, or none, says nothing
    with pytest.raises(UsageError, match="preferences have no scale to be standardized"):
        outscore.humans(frame, standardize=True)


def test_arena_names_of_columns_and_winners_are_known(tmp_path: Path) -> None:
    first, second = "model_a", "model_b"
    rows = [(1, "a", "b", first), (2, "a", "b", second), (3, "b", "a", "tie (bothbad)"), (4, "b", "a", first)]
    file = table(tmp_path / "p.csv", rows, "question_id,model_a,model_b,winner")
    (pair,) = outscore.humans(outscore.read_judgments(file)).preferences
    assert (pair.wins, pair.ties, pair.losses) == (1, 1, 2)


COLLIDING = [("A", "B"), ("1", "2"), ("0", "1"), ("left", "right"), ("model_a", "model_b"), ("a", "b"), ("2", "tie")]


@pytest.mark.parametrize(("one", "other"), COLLIDING)
def test_a_system_called_like_a_place_is_asked_about(one: str, other: str) -> None:
    """By name it wins five of five, by place two or three: nobody but the user knows which is meant."""
    frame = pd.DataFrame(
        {"item": range(5), "system1": [one, other] * 2 + [other], "system2": [other, one] * 2 + [one], "winner": one}
    )
    with pytest.raises(InputError, match=r'\["winner_name=winner"\], .*winner_position=winner'):
        outscore.humans(frame)
    with pytest.raises(InputError, match="by names than by places"):
        outscore.rank(frame, n_resamples=9)
    for found in (
        outscore.humans(frame, columns=["winner_name=winner"]),
        outscore.humans(frame.rename(columns={"winner": "winner_name"})),
    ):
        assert {w.system: w.expected_wins for w in found.wins} == {one: 1.0, other: 0.0}


@pytest.mark.parametrize(("one", "other"), COLLIDING[:-1])
def test_names_in_the_order_of_places_need_no_answer(one: str, other: str) -> None:
    """Either reading gives the same winners here."""
    frame = pd.DataFrame({"item": range(4), "system1": one, "system2": other, "winner": [one, other, one, one]})
    (pair,) = outscore.humans(frame).preferences
    assert (pair.wins, pair.ties, pair.losses) == (3, 0, 1)


def test_places_are_taken_where_names_are_impossible() -> None:
    """3 meets 1 and the winner is 2: that is no name, so the column holds places, also where a 1 or 2 is a name."""
    frame = pd.DataFrame(
        {"item": range(4), "system1": [1, 2, 3, 1], "system2": [2, 1, 1, 3], "winner": [1.0, 1.0, 2.0, None]}
    )
    found = outscore.humans(frame)
    assert [(p.system, p.other, p.wins, p.losses) for p in found.preferences] == [("1", "2", 1, 1), ("1", "3", 1, 0)]
    assert [note.text for note in found.notes if note.code == "missing_winners"] == [
        "1 of 4 judgments has no winner in column 'winner', which is no tie: left out"
    ]


def test_clusters_are_the_units_of_the_sign_test(tmp_path: Path) -> None:
    rows = [(i, "a", "b", "a" if i % 4 else "b", f"d{i // 4}") for i in range(24)]
    file = table(tmp_path / "p.csv", rows, "item,system1,system2,winner,document")
    (pair,) = outscore.humans(outscore.read_judgments(file), cluster="document").preferences
    assert (pair.items_won, pair.items_lost) == (6, 0)
    with pytest.raises(UsageError, match="columns of the items: 'item', 'system1'"):
        outscore.humans(outscore.read_judgments(file), cluster="passage")


@pytest.mark.parametrize(
    ("rows", "header", "said"),
    [
        ([("a", 1)], "system,item", "neither ratings nor preferences.*roles first and second"),
        ([("a", 2)], "system,rating", "no column names the items"),
        ([(1, "a", "a", "a")], "item,system1,system2,winner", "judged against itself"),
        ([(1, "a", "b", "c")], "item,system1,system2,winner", "'winner' holds 'c'"),
        ([(1, "a", "b", "")], "item,system1,system2,winner", "'winner' names no winner"),
        ([("a", 1, "good")], "system,item,rating", "expected a number"),
    ],
)
def test_tables_of_other_kinds_are_refused(tmp_path: Path, rows: list[tuple[Any, ...]], header: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        outscore.read_judgments(table(tmp_path / "t.csv", rows, header))


def judged(seed: int = 1, systems: int = 7, items: int = 12) -> dict[str, Any]:
    """A table of human scores and two metrics, as columns."""
    rng = np.random.default_rng(seed)
    quality = np.repeat(rng.normal(size=systems), items)
    columns: dict[str, Any] = {
        "system": [f"s{i}" for i in range(systems) for _ in range(items)],
        "item": [f"i{j}" for _ in range(systems) for j in range(items)],
        "document": [f"d{j // 3}" for _ in range(systems) for j in range(items)],
    }
    for name, noise in (("human", 0.3), ("good", 0.5), ("poor", 3.0)):
        columns[name] = (quality + noise * rng.normal(size=quality.size)).round(4)
    return columns


def read(folder: Path, columns: dict[str, Any]) -> Any:
    return outscore.read(table(folder / "t.csv", list(zip(*columns.values(), strict=True)), ",".join(columns)))


def test_the_same_seed_gives_the_same_bytes_and_saved_results_come_back(tmp_path: Path) -> None:
    data = read(tmp_path, judged())
    first, second = (outscore.correlate(data, human="human", n_resamples=60, cluster="document") for _ in range(2))
    assert first.to_json() == second.to_json()
    assert Result.from_json(first.to_json()) == first


def translated() -> dict[str, Any]:
    """Four systems, each better than the one before, their words and human scores on eight items."""
    rng = np.random.default_rng(2)
    words = ["one", "two", "red", "blue", "dog", "cat", "sees", "the"]
    columns: dict[str, Any] = {"system": [], "item": [], "output": [], "reference": [], "human": []}
    for system, item in itertools.product(range(4), range(8)):
        reference = [words[i] for i in np.random.default_rng(item).integers(0, 8, 9)]
        output = [w if rng.random() < 0.5 + 0.1 * system else "x" for w in reference]
        values = (f"s{system}", item, " ".join(output), " ".join(reference), round(system + rng.normal(), 3))
        for column, value in zip(columns.values(), values, strict=True):
            column.append(value)
    return columns


def test_a_corpus_metric_is_scored_as_a_corpus_in_every_resample(tmp_path: Path) -> None:
    columns = translated()
    data = read(tmp_path, columns)
    found = outscore.correlate(data, human="human", metrics="bleu", n_resamples=20, levels="system", test="none")
    bleu = [s.score for s in outscore.score(data, metrics="bleu", n_resamples=20).scores]
    human = np.reshape(columns["human"], (4, 8)).mean(axis=1)
    assert found.correlations[0].value == pytest.approx(np.corrcoef(bleu, human)[0, 1])


def test_scores_of_whole_systems_that_are_exchanged_are_noted(tmp_path: Path) -> None:
    data = read(tmp_path, translated())
    cases: Any = (("perm-both", "system", 1), ("perm-both", "segment", 0), ("perm-systems", "system", 0))
    for test, levels, said in cases:
        found = outscore.correlate(data, human="human", metrics="bleu,chrf", n_resamples=9, levels=levels, test=test)
        assert [note.code for note in found.notes].count("whole_systems_exchanged") == said
        assert all(("whole_systems_exchanged" in gain.notes) == said for gain in found.pairs)


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"levels": "systems"}, "no level 'systems'; did you mean 'system'"),
        ({"coefficients": "tau"}, "no coefficient 'tau'"),
        ({"test": "t"}, "test='t'"),
        ({"resample": "all"}, "resample='all'"),
        ({"correction": "holms"}, "unknown correction"),
        ({"test": "williams"}, "Williams' test is for Pearson"),
        ({"human": "people"}, "people"),
    ],
)
def test_wrong_choices_of_correlate_are_refused(tmp_path: Path, choices: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        outscore.correlate(read(tmp_path, judged()), **{"human": "human", **choices})


def test_two_systems_have_no_correlation(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="level segment-by-item compares systems"):
        outscore.correlate(read(tmp_path, judged(systems=2)), human="human", levels="segment-by-item")


def labelled(folder: Path, seed: int = 1, n: int = 300, share: float = 0.3) -> Any:
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n):
        hard, known = rng.normal(), rng.random() < share
        for system, quality in (("base", 0.0), ("new", 0.4)):
            right = int(quality + hard + 0.5 * rng.normal() > 0)
            rows.append((system, i, right if known else "", right if rng.random() < 0.85 else 1 - right))
    return outscore.read(table(folder / "l.csv", rows, "system,item,correct,llm"))


@pytest.mark.parametrize(("human", "judge"), [("human", "judge"), ("correct", "llm"), ("y_true", "gpt")])
def test_the_labels_and_the_judge_of_one_system_are_no_systems(tmp_path: Path, human: str, judge: str) -> None:
    """The columns that the user names are labels and a judge's, whatever they are called and without a ``system``."""
    rows = [(i, int(i % 5 > 1), int(i % 4 > 0) if i % 3 == 0 else "") for i in range(60)]
    file = table(tmp_path / "new.csv", rows, f"item,{judge},{human}")
    with_system = table(tmp_path / "s.csv", [("new", *row) for row in rows], f"system,item,{judge},{human}")
    expected = outscore.judge(outscore.read(with_system), human=human, judge=judge).estimates
    for options in ([f"--human={human}", f"--judge={judge}"], [f"--human={human}"]):
        done = commandline.outscore("judge", file, *options, "-f", "json")
        assert done.code == 0, done.err
        assert cast("Judgements", Result.from_json(done.out)).estimates == expected
    found = outscore.judge(pd.read_csv(file), human=human, judge=judge).estimates
    assert [replace(e, system="new") for e in found] == list(expected)
    read = outscore.read(file, measures=[human, judge])
    assert outscore.judge(read, human=human, judge=judge).estimates == expected


def test_labels_that_were_read_as_a_system_are_told_how_to_be_read(tmp_path: Path) -> None:
    file = table(tmp_path / "l.csv", [(1, 1, 1), (2, 0, ""), (3, 1, 0)], "item,llm,people")
    with pytest.raises(UsageError, match=r"'people' was read as a system; .* measures=\['people', 'llm'\]"):
        outscore.judge(outscore.read(file, missing="drop"), human="people", judge="llm")


@pytest.mark.parametrize("name", ["label", "gold", "pred"])
def test_a_column_that_means_something_else_by_its_name_is_said_to_be_called_so(tmp_path: Path, name: str) -> None:
    file = table(tmp_path / "l.csv", [("a", 1, 1, 1), ("a", 2, 0, 1)], f"system,item,llm,{name}")
    with pytest.raises(UsageError, match=f"'{name}' means outputs or references by its name: call it otherwise"):
        outscore.judge(outscore.read(file), human=name, judge="llm")


def test_labels_with_marks_for_gaps_in_a_frame_are_said_to_be_no_numbers() -> None:
    frame = pd.DataFrame(
        {"system": ["a"] * 5, "item": range(5), "human": ["-", "-", "1", "-", "0"], "llm": [1, 0] * 2 + [1]}
    )
    with pytest.raises(InputError, match=r"column 'human' holds '-', expected a number .*leave cells"):
        outscore.judge(frame, human="human")


def test_what_a_judge_must_have(tmp_path: Path) -> None:
    data = labelled(tmp_path)
    with pytest.raises(UsageError, match="no column 'right'"):
        outscore.judge(data, human="right")
    with pytest.raises(UsageError, match="expected one of error, drop"):
        outscore.judge(data, human="correct", missing="zero")  # type: ignore[arg-type]
    gaps = outscore.read(table(tmp_path / "g.csv", [("a", 1, 1, ""), ("a", 2, 0, 1)], "system,item,correct,llm"))
    with pytest.raises(InputError, match="has no number for some items"):
        outscore.judge(gaps, human="correct")
    rows = [("a", 1, 1, 1), ("a", 2, "", 1), ("a", 3, "", 0)]
    one = outscore.read(table(tmp_path / "o.csv", rows, "system,item,correct,llm"))
    with pytest.raises(InputError, match="fewer than two items"):
        outscore.judge(one, human="correct")


def results(folder: Path) -> dict[str, Humans | Correlations | Judgements]:
    return {
        "humans": outscore.humans(ratings(folder)),
        "correlate": outscore.correlate(
            read(folder, judged()), human="human", n_resamples=30, coefficients="accuracy,kendall"
        ),
        "judge": outscore.judge(labelled(folder), human="correct"),
    }


def test_every_result_is_drawn_in_every_format_and_comes_back(tmp_path: Path) -> None:
    for name, result in results(tmp_path).items():
        assert result.command == name
        assert Result.from_json(result.to_json()) == result
        assert "NaN" not in result.to_json()
        json.loads(result.to_json())
        for format in ("terminal", "markdown", "latex", "csv", "sentence"):
            assert result.to(format).strip(), (name, format)
        assert len({len(row) for row in result.rows()}) == 1
        assert repr(result).startswith("<")
