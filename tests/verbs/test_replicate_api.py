"""Gains on several data sets: each tested as ``compare`` tests it, the counts by their definition, one number each."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import outscore
from outscore.base.arrays import Float
from outscore.base.errors import InputError, UsageError
from outscore.results.replication import Replication
from outscore.verbs.shared.sets import read_sets
from tests.cli.commandline import written
from tests.oracles.support import family
from tests.report.builders import HOSTILE

GAINS = (0.5, 0.4, 0.35, 0.1, 0.0, -0.2)


def scores(seed: int, gain: float, n: int = 60) -> dict[str, list[float]]:
    """Two systems on n items with a gain of so many standard deviations of the difference."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=n)
    new = base + rng.normal(gain, 1.0, size=n)
    return {"base": base.round(2).tolist(), "new": new.round(2).tolist()}


def sets(gains: tuple[float, ...] = GAINS) -> dict[str, dict[str, list[float]]]:
    return {f"set{i}": scores(i, gain) for i, gain in enumerate(gains)}


RESULT = outscore.replicate(sets(), n_resamples=999)
(ONE,) = RESULT.replicated


def slow_count(p: list[float], alpha: float, combination: str) -> int:
    """The largest u of which every H^{v/n}, v <= u, is rejected, each by its own definition."""
    ordered, n, found = sorted(p), len(p), 0
    for u in range(1, n + 1):
        if combination == "bonferroni":
            value = (n - u + 1) * ordered[u - 1]
        else:
            value = float(stats.combine_pvalues(ordered[u - 1 :], "fisher").pvalue)
        if value > alpha:
            break
        found = u
    return found


def slow_holm(p: list[float]) -> list[float]:
    order, adjusted, floor = sorted(range(len(p)), key=lambda i: p[i]), [0.0] * len(p), 0.0
    for rank, i in enumerate(order):
        floor = max(floor, min(1.0, (len(p) - rank) * p[i]))
        adjusted[i] = floor
    return adjusted


def slow_wilcoxon(gains: list[float]) -> float:
    """Over all signs of the ranks of gains that differ in size and from 0."""
    ranks = stats.rankdata(np.abs(gains))
    observed = abs(sum(r * math.copysign(1, g) for r, g in zip(ranks, gains, strict=True)))
    sums = [abs(sum(r * s for r, s in zip(ranks, signs, strict=True))) for signs in product((1, -1), repeat=len(gains))]
    return float(np.mean([value >= observed - 1e-9 for value in sums]))


def values(result: Replication, name: str) -> list[Any]:
    return [getattr(gain, name) for gain in result.set_gains]


def answer(result: Replication, test: str, number: int = 0) -> Any:
    return next(a for a in result.replicated[number].overall if a.test == test)


def test_every_data_set_is_tested_as_compare_tests_it_on_the_side_of_the_claim() -> None:
    for gain in RESULT.set_gains:
        alone = outscore.compare(sets()[gain.data_set], n_resamples=999, alternative="greater")
        (pair,) = alone.pairs
        assert (gain.gain, gain.p_value, gain.test) == (pair.gain, pair.p_value, pair.test)
        # an interval that holds with those of the other five
        joint = outscore.compare(sets()[gain.data_set], n_resamples=999, alternative="greater", alpha=0.05 / 6)
        assert gain.ci == pytest.approx(joint.pairs[0].ci)
        assert gain.system_score - gain.baseline_score == pytest.approx(gain.gain)


def test_the_counts_are_those_of_the_definition() -> None:
    p = values(RESULT, "p_value")
    assert ONE.count == slow_count(p, 0.05, "bonferroni") > 0
    assert ONE.count_independent == slow_count(p, 0.05, "fisher")
    np.testing.assert_allclose(values(RESULT, "p_holm"), slow_holm(p), rtol=1e-12)
    assert ONE.holds_on == tuple(g.data_set for g, q in zip(RESULT.set_gains, slow_holm(p), strict=True) if q <= 0.05)
    assert len(ONE.holds_on) == ONE.count
    assert sum(q <= 0.05 for q in ONE.p_counts) == ONE.count


def test_combinations_are_scipys() -> None:
    p = values(RESULT, "p_value")
    assert answer(RESULT, "fisher").p_value == pytest.approx(stats.combine_pvalues(p, "fisher").pvalue)
    weights = np.sqrt(values(RESULT, "n_items"))
    assert answer(RESULT, "stouffer").p_value == pytest.approx(stats.combine_pvalues(p, "stouffer", weights).pvalue)
    assert answer(RESULT, "simes").p_value == pytest.approx(min(6 * v / (i + 1) for i, v in enumerate(sorted(p))))


def test_gains_are_one_number_for_each_data_set_in_the_tests_across_them() -> None:
    gains = values(RESULT, "gain")
    wilcoxon, sign = answer(RESULT, "wilcoxon"), answer(RESULT, "sign")
    assert wilcoxon.p_value == pytest.approx(slow_wilcoxon(gains))
    assert wilcoxon.p_min == sign.p_min == 2 / 2**6
    wins = sum(g > 0 for g in gains)
    assert sign.p_value == pytest.approx(stats.binomtest(wins, 6).pvalue)
    assert (ONE.n_ahead, ONE.n_sets) == (wins, 6)
    low, high = stats.t.interval(0.95, 5, np.mean(gains), stats.sem(gains))
    assert ONE.gain == pytest.approx(np.mean(gains))
    assert ONE.ci == pytest.approx((low, high))


def test_the_other_side_is_the_same_claim_of_the_exchanged_systems() -> None:
    exchanged = {name: {"new": one["new"], "base": one["base"]} for name, one in sets().items()}
    found = outscore.replicate(exchanged, n_resamples=999, alternative="less")
    assert found.baseline == "new"
    (one,) = found.replicated
    assert (one.count, one.count_independent, one.n_ahead) == (ONE.count, ONE.count_independent, ONE.n_ahead)
    assert one.holds_on == ONE.holds_on
    assert one.gain == pytest.approx(-ONE.gain)
    np.testing.assert_allclose(values(found, "p_value"), values(RESULT, "p_value"), rtol=1e-9)
    assert "scores below" in found.sentence


def test_metrics_where_less_is_better_are_turned() -> None:
    found = outscore.replicate(sets(), n_resamples=999, metrics="mean:lower=true", baseline="new")
    assert found.replicated[0].holds_on == ONE.holds_on


def test_folders_tables_and_a_column_give_what_a_mapping_gives(tmp_path: Path) -> None:
    lines = ["system,item,topic,score"]
    for name, systems in sets().items():
        folder = tmp_path / "folders" / name
        folder.mkdir(parents=True)
        (tmp_path / "tables").mkdir(exist_ok=True)
        rows = [f"{system},{name}-{i},{name},{v}" for system, column in systems.items() for i, v in enumerate(column)]
        written(tmp_path / "tables" / f"{name}.csv", [lines[0], *rows])
        lines += rows
        for system, scored in systems.items():
            written(folder / f"{system}.seg", [str(v) for v in scored])
    table = written(tmp_path / "all.csv", lines)
    ways: dict[str, tuple[Any, str | None]] = {
        "folders": (read_sets([str(tmp_path / "folders" / "*")], ["base=base.seg", "new.seg"]), None),
        "tables": (read_sets([str(tmp_path / "tables" / "*.csv")]), None),
        "column": (outscore.read(str(table)), "topic"),
    }
    for data, column in ways.values():
        found = outscore.replicate(data, column=column, n_resamples=999)
        assert found.data_sets == RESULT.data_sets
        for name in ("gain", "p_value", "ci"):  # their items are in another order where they have ids
            np.testing.assert_allclose(values(found, name), values(RESULT, name), rtol=1e-12)
    assert len(outscore.replicate(ways["folders"][0], n_resamples=99).provenance.inputs) == 12


def test_clusters_stay_whole_within_each_data_set() -> None:
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(4)
    shift = {"a": np.repeat(rng.normal(1, 1, 15), 4), "b": np.repeat(rng.normal(0, 1, 15), 4)}
    rows = [
        {
            "system": system,
            "item": f"{s}{i}",
            "set": s,
            "document": f"{s}{i // 4}",
            "score": float(d) * (system == "new"),
        }
        for s, values in shift.items()
        for system in ("base", "new")
        for i, d in enumerate(values)
    ]
    frame = pandas.DataFrame(rows)
    whole = outscore.replicate(frame, column="set", cluster="document", n_resamples=999)
    for gain in whole.set_gains:
        alone = outscore.compare(
            frame[frame["set"] == gain.data_set], cluster="document", n_resamples=999, alternative="greater"
        )
        assert gain.p_value == pytest.approx(alone.pairs[0].p_value, rel=1e-9)
    assert whole.provenance.n_clusters == 30


def demsar() -> tuple[dict[str, dict[str, float]], dict[str, Any]]:
    """Demšar's Table 6 as one number for each system and data set, and what he found."""
    case = next(c for c in family("friedman_nemenyi")["cases"] if c["id"] == "demsar2006_table6")
    table = np.array(case["input"]["datasets_by_systems"])
    names = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
    return {
        name: {f"d{i}": float(v) for i, v in enumerate(column)} for name, column in zip(names, table.T, strict=True)
    }, case["expected"]


def test_one_number_for_each_data_set_ranks_demsars_systems_as_he_does() -> None:
    data, expected = demsar()
    found = outscore.replicate(data_frame(data), column="item")
    (ranking,) = found.rankings
    assert [round(one.mean_rank, 3) for one in ranking.ranks] == [3.143, 2.0, 2.893, 1.964]
    np.testing.assert_allclose([one.mean_rank for one in ranking.ranks], expected["mean_ranks"])
    assert ranking.critical_difference == pytest.approx(expected["CD05"], abs=0.001)
    table = np.array(list(map(list, (one.values() for one in data.values())))).T
    # his χ² of 9.28 is not corrected for ties, the one here is, as scipy's
    assert ranking.statistic == pytest.approx(stats.friedmanchisquare(*table.T).statistic)
    named = outscore.compare(data_frame(data), test="friedman")
    assert ranking.p_value == pytest.approx(named.overall[0].p_value)
    nemenyi = {pair.system: pair.p_adjusted for pair in named.pairs if pair.baseline == "C4.5"}
    for rank in ranking.ranks[1:]:
        assert rank.gap == pytest.approx(ranking.ranks[0].mean_rank - rank.mean_rank)
        assert rank.p_nemenyi == pytest.approx(nemenyi[rank.system])
    assert all(p is None for p in values(found, "p_value"))
    assert {one.count for one in found.replicated} == {None}
    assert {"one_number_each", "depends_on_the_pool"} <= {note.code for note in found.notes}
    for number, one in enumerate(found.replicated):
        gains = [g.gain for g in found.set_gains if g.system == one.system]
        theirs = stats.wilcoxon(np.round(gains, 6), method="auto").pvalue
        if len(set(np.abs(np.round(gains, 6)))) == 14:  # scipy's exact law knows no ties
            assert answer(found, "wilcoxon", number).p_value == pytest.approx(theirs)


def data_frame(data: dict[str, dict[str, float]]) -> Any:
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(
        [{"system": s, "item": i, "score": v} for s, column in data.items() for i, v in column.items()]
    )


def test_gains_that_differ_by_rounding_alone_tie() -> None:
    data = {"base": {"a": 0.1, "b": 0.2, "c": 0.7}, "new": {"a": 0.3, "b": 0.4, "c": 0.6}}
    found = outscore.replicate(data_frame(data), column="item")
    # |gains| .2, .2, .1: ranks 2.5, 2.5, 1
    assert answer(found, "wilcoxon").statistic == 5.0
    assert "few_data_sets" in {note.code for note in found.notes}


def test_two_items_of_a_data_set_are_tested_and_one_is_a_number() -> None:
    two = {"base": [0.0, 0.0], "new": [1.0, 2.0]}
    found = outscore.replicate({"one": {name: made[:1] for name, made in two.items()}, "two": two}, n_resamples=99)
    assert values(found, "p_value") == [None, 0.25]
    assert [gain.test == "" for gain in found.set_gains] == [True, False]


def test_a_data_set_on_which_nothing_differs_speaks_for_no_gain() -> None:
    data = sets((0.5, 0.5, 0.5))
    data["same"] = {"base": data["set0"]["base"], "new": data["set0"]["base"]}
    found = outscore.replicate(data, n_resamples=999, correction="max-t")
    last = found.set_gains[-1]
    assert (last.gain, last.p_value, last.p_adjusted) == (0.0, 1.0, 1.0)
    assert "identical_outputs" in last.notes
    assert found.replicated[0].count == 3
    assert answer(found, "stouffer").p_value < 0.01
    assert "and p = 1 (on same)" in " ".join(found.to("terminal:detail=full").split())


def test_notes_say_which_systems_or_gains_they_are_about() -> None:
    data = sets((0.5, 0.5, 0.5))
    for one in data.values():
        one["copy"] = one["base"]
    notes = {note.code: note.text for note in outscore.replicate(data, n_resamples=99).notes}
    assert notes["identical_outputs"].endswith("and p = 1 (for copy)")
    data["set1"]["new"] = data["set1"]["base"]
    data["set2"]["copy"] = data["set2"]["new"]
    notes = {note.code: note.text for note in outscore.replicate(data, n_resamples=99).notes}
    assert notes["identical_outputs"].endswith("(copy on set0, new on set1, copy on set1)")


def test_the_joint_correction_stacks_independent_draws_of_all_data_sets() -> None:
    found = outscore.replicate(sets(), n_resamples=999, correction="max-t")
    p, joint = values(found, "p_value"), values(found, "p_adjusted")
    differences = [np.subtract(one["new"], one["base"]) for one in sets().values()]
    t = [float(d.mean() / (d.std() / math.sqrt(60))) for d in differences]
    expected = [max(1 - float(stats.norm.cdf(t[i])) ** 6, p[i]) for i in range(6)]
    # redrawn means of 60 items against the normal law: four errors of 999 resamples, and a little for the tails
    np.testing.assert_allclose(joint, expected, atol=4 * math.sqrt(0.25 / 999) + 0.01)
    again = outscore.replicate(sets(), n_resamples=999, correction="max-t")
    assert values(again, "p_adjusted") == joint


def test_the_family_is_all_systems_metrics_and_data_sets() -> None:
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(2)
    rows = [
        {"system": s, "item": f"{d}{i}", "domain": d, "x": float(rng.normal()), "y": float(rng.normal())}
        for s in ("base", "p", "q")
        for d in ("u", "v")
        for i in range(40)
    ]
    found = outscore.replicate(pandas.DataFrame(rows), metrics=["x", "y"], n_resamples=199, correction="bonferroni")
    assert len(found.set_gains) == 8
    for gain in found.set_gains:
        assert gain.p_adjusted == pytest.approx(min(1.0, 8 * (gain.p_value or 0)))
    assert len(found.replicated) == 4
    wilcoxon = [answer(found, "wilcoxon", i).p_value for i in range(4)]
    np.testing.assert_allclose([answer(found, "wilcoxon", i).p_adjusted for i in range(4)], slow_holm(wilcoxon))
    assert "counts_apart" in {note.code for note in found.notes}
    assert [ranking.metric for ranking in found.rankings] == ["x", "y"]


def test_the_sentence_says_on_how_many_data_sets() -> None:
    assert ONE.count == 3
    by = "with 95% confidence (set0, set1, set2)"
    assert RESULT.sentence.startswith(f"new outscores base on at least 3 of 6 data sets {by}")
    assert "p by Holm and intervals simultaneous; partial conjunction by Bonferroni" in RESULT.sentence
    none = outscore.replicate(sets((0.0, 0.0, -0.5)), n_resamples=999)
    assert "new is not shown to outscore base on any of 3 data sets" in none.sentence


def test_a_saved_replication_is_read_back_and_drawn_in_every_format() -> None:
    again = outscore.Replication.from_json(RESULT.to_json())
    assert again == RESULT
    for name in ("terminal", "markdown", "csv"):
        assert "set3" in again.to(name)
    assert "3 of 6" in again.to("latex")  # its first table alone
    assert len(RESULT.rows()) == 6
    broken = replace(RESULT, set_gains=(replace(RESULT.set_gains[0], data_set="elsewhere"),))
    with pytest.raises(InputError, match="not whole"):
        outscore.Replication.from_json(broken.to_json())


def test_names_stay_text() -> None:
    data = {
        name: {"base": one["base"], HOSTILE[0]: one["new"]} for name, one in zip(HOSTILE, sets().values(), strict=False)
    }
    found = outscore.replicate(data, n_resamples=99)
    assert "\x1b" not in found.to("terminal")
    assert "<script>" not in found.to("markdown")
    assert "\\input{x}" not in found.to("latex")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"data": {"one": scores(1, 0.0)}}, "there is 1: use outscore compare"),
        ({"data": {"base": [1.0, 2.0], "new": [2.0, 3.0]}}, "'base' is no data set"),
        ({"data": scores(1, 0.0), "column": "topic"}, "column='topic': no such column"),
        ({"alternative": "two-sided"}, "expected one of greater, less"),
        ({"n_resamples": "auto"}, "expected a number"),
        ({"correction": "hlom"}, "did you mean 'holm'"),
        ({"references": ["x"]}, "give them to read"),
        ({"data": {n: {"base": s["base"]} for n, s in sets().items()}}, "one system"),
        ({"data": {n: {"base": [s["base"], s["new"]], "new": s["new"]} for n, s in sets().items()},
          "correction": "max-t"}, "one run of each system"),
        ({"data": {n: {"base": s["base"], "new": s["new"], "more": [s["base"], s["new"]]} for n, s in sets().items()},
          "correction": "max-t"}, "one run of each system"),
    ],
)  # fmt: skip
def test_wrong_calls_are_refused_with_a_remedy(arguments: dict[str, Any], message: str) -> None:
    called: dict[str, Any] = {"data": sets(), "n_resamples": 99}
    with pytest.raises(UsageError, match=message):
        outscore.replicate(**(called | arguments))  # type: ignore[call-arg]


@pytest.mark.parametrize(("items", "tested"), [(1, False), (2, True), (3, True)])
def test_a_data_set_of_two_items_is_tested_and_one_of_a_single_item_is_not(items: int, tested: bool) -> None:
    data = {f"set{i}": scores(i, 0.5, items) for i in range(6)}
    found = outscore.replicate(data, n_resamples=99)
    assert {gain.p_value is not None for gain in found.set_gains} == {tested}


def test_data_sets_hold_the_same_systems() -> None:
    data = sets((0.1, 0.2))
    data["set1"]["third"] = data["set1"]["new"]
    with pytest.raises(InputError, match="do not hold the same systems: 'third' in one of them"):
        outscore.replicate(data)
    data["set0"]["fourth"] = data["set0"]["new"]
    with pytest.raises(InputError, match='or leave out what some lack: exclude="fourth" exclude="third"'):
        outscore.replicate(data)
    swapped: dict[str, dict[str, list[float]]] = sets((0.1, 0.2))
    swapped["set1"] = dict(reversed(swapped["set1"].items()))
    found = outscore.replicate(swapped, n_resamples=99)
    np.testing.assert_allclose(
        values(found, "gain"), values(outscore.replicate(sets((0.1, 0.2)), n_resamples=99), "gain")
    )


def test_gains_of_identical_scores_are_no_gains() -> None:
    zeros: Float = np.zeros(3)
    data = {s: {f"d{i}": float(v) for i, v in enumerate(zeros)} for s in ("base", "new", "third")}
    found = outscore.replicate(data_frame(data), column="item")
    assert answer(found, "wilcoxon").p_value == answer(found, "sign").p_value == 1.0
    assert found.rankings[0].p_value == 1.0


@pytest.mark.parametrize(
    "metric", ["f1", *(pytest.param(m, marks=pytest.mark.slow) for m in ("precision", "recall", "f1:average=weighted"))]
)
def test_classes_are_those_of_each_data_set(metric: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    alone = {}
    rows = []
    for name, classes in (("two", "xy"), ("three", "uvw"), ("mixed", "xu")):
        gold = rng.choice(list(classes), 60)
        outputs = {
            s: np.where(rng.random(60) < p, gold, rng.choice(list(classes), 60)) for s, p in (("a", 0.6), ("b", 0.8))
        }
        alone[name] = outscore.compare(
            {s: o.tolist() for s, o in outputs.items()}, references=gold.tolist(), metrics=metric
        )
        rows += [f"{name},{name}{i},{gold[i]},{outputs['a'][i]},{outputs['b'][i]}" for i in range(60)]
    table = str(written(tmp_path / "t.csv", ["task,item,gold,a,b", *rows]))
    data = outscore.read([table])
    by_set = {g.data_set: g for g in outscore.replicate(data, column="task", metrics=metric).set_gains}
    by_domain = {g.bucket: g for g in outscore.compare(data, by="task", metrics=metric).buckets}
    scores = {(s.bucket, s.system): s.score for s in outscore.score(data, by="task", metrics=metric).buckets}
    for name, found in alone.items():
        (pair,) = found.pairs
        assert by_set[name].gain == pytest.approx(pair.gain)
        assert by_domain[name].gain == pytest.approx(pair.gain)
        assert [scores[name, s.system] for s in found.scores] == pytest.approx([s.score for s in found.scores])


def test_where_p_rejects_and_the_interval_holds_0_the_gain_is_not_shown() -> None:
    # nine of ten items gain a little and one loses much: the sign test rejects, the interval of the mean does not
    torn = {"base": [0.0] * 10, "new": [1.0] * 9 + [-40.0]}
    clear = {"base": [0.0] * 10, "new": [1.0, 1.5] * 5}
    found = outscore.replicate({"torn": torn, "clear": clear, "more": clear}, test="sign")
    by_set = {gain.data_set: gain for gain in found.set_gains}
    assert {name: gain.p_holm <= 0.05 for name, gain in by_set.items() if gain.p_holm} == dict.fromkeys(by_set, True)
    assert by_set["torn"].ci is not None
    assert by_set["torn"].ci[0] < 0
    (one,) = found.replicated
    assert (one.holds_on, one.count, one.count_independent) == (("clear", "more"), 2, 2)
    assert {name for name, gain in by_set.items() if "p_and_interval" in gain.notes} == {"torn"}
    assert any(note.code == "p_and_interval" and note.text.endswith("(on torn)") for note in found.notes)
    assert "on at least 2 of 3 data sets" in found.sentence
    rows = {line.split()[0]: line for line in found.to("terminal").splitlines() if line.startswith(tuple(by_set))}
    assert {name for name, row in rows.items() if "holds" in row} == {"clear", "more"}


def test_too_few_resamples_for_holm_over_the_data_sets_are_said() -> None:
    few, enough = (
        outscore.replicate(sets((1.5,) * 20), test="randomization:exact=never", n_resamples=n) for n in (199, 400)
    )
    (note,) = (note for note in few.notes if note.rank == "answer")
    assert note.code == "family_out_of_reach"
    assert note.text.startswith("20 gains had the smallest p that 199 resamples give, which Holm over 20 data sets")
    assert "-n 400 or more" in note.remedy
    assert few.replicated[0].count == 0
    assert enough.replicated[0].count == 20
    assert "answer" not in {note.rank for note in enough.notes}
