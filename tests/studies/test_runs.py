"""Several runs: scores and deviations, gains and p-values of drawn runs, and false alarms under no difference."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import outscore
from outscore import Findings
from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.engine.extreme import Alternative
from outscore.studies.runs import runs as runs_drawn
from outscore.studies.runs.laws import EqualSystems, probability_of_wrong_sign, sampled_size
from outscore.studies.runs.runs import draw_runs, gains_of, numbers_of_runs
from outscore.studies.runs.runs_size import TITLES, simulate
from tests.laws.support import least, most
from tests.oracles.support import Case, cases, family


def scores(*runs: int, n: int = 40, seed: int = 1) -> dict[str, Float]:
    """Systems with so many runs: each system has a level and preferences, each run deviates."""
    rng = np.random.default_rng(seed)
    return {
        f"s{number}": np.round(
            0.1 * number + 0.3 * rng.normal(size=n) + 0.1 * rng.normal(size=(r, 1)) + 0.5 * rng.normal(size=(r, n)), 3
        )
        for number, r in enumerate(runs)
    }


def study(data: object, **options: Any) -> Findings:
    return outscore.study("runs", data, **{"metrics": "mean", "n_resamples": 99, "jobs": 1, "draws": 9, **options})


def rows(found: Findings, table: str) -> list[dict[str, Any]]:
    found.check_whole()
    return [dict(row) for row in found.table(table).records()]


@cases("multi_run")
def test_scores_and_deviations_are_those_of_r(case: Case) -> None:
    """Oracle: R, family ``multi_run``; s_sel of a mean is the closed form that the bootstrap approaches."""
    values = np.array(case["input"]["scores"])
    found = rows(study({"a": values[0], "b": values[1]}, numbers="1"), "systems")
    for number, row in enumerate(found):
        expected = case["expected"][f"system{number}"]
        assert row["mean"] == pytest.approx(expected["mean"], rel=1e-6)
        assert row["s_test"] == pytest.approx(expected["s_test"], rel=1e-6)
        assert row["s_sel"] == pytest.approx(expected["s_sel_analytic_ddof0"], rel=1e-6)
        assert row["ratio"] == pytest.approx(expected["s_test"] / expected["s_sel_analytic_ddof0"], rel=1e-6)
        assert row["median_run"] == str(expected["median_run_index0"] + 1)
        assert (row["lowest"], row["highest"]) == pytest.approx(
            (min(expected["run_means"]), max(expected["run_means"]))
        )


@pytest.mark.parametrize("n", [1, 2, 3])
def test_gains_of_drawn_runs_are_those_of_a_plain_loop(n: int) -> None:
    data = scores(4, 3)
    row = next(row for row in rows(study(data, numbers="1,2,3"), "gains") if row["n"] == n)
    a, b = ([float(run.mean()) for run in data[name]] for name in ("s1", "s0"))
    gains = [
        sum(some) / n - sum(others) / n
        for some in itertools.combinations(a, n)
        for others in itertools.combinations(b, n)
    ]
    gain = sum(a) / 3 - sum(b) / 4
    assert row["ways"] == len(gains)
    assert row["gain"] == pytest.approx(gain)
    assert (row["low"], row["high"]) == pytest.approx(tuple(np.quantile(gains, [0.025, 0.975])))
    assert row["wrong"] == pytest.approx(sum(one * gain < 0 for one in gains) / len(gains))
    error = math.sqrt((stats.tvar(a) + stats.tvar(b)) / n)
    assert row["expected"] == pytest.approx(stats.norm.cdf(-abs(gain) / error))


def test_the_chances_of_a_decline_in_figure_2_follow_from_table_1() -> None:
    """Clark et al. 2011, Table 1: WMT 18.5 and 18.7 with deviations .1 and .2; BTEC 48.4 and 49.9 with .5 and .4."""
    wmt = [probability_of_wrong_sign(0.2, math.hypot(0.1, 0.2), n) for n in (1, 3, 5)]
    assert [round(chance, 3) for chance in wmt] == [0.186, 0.061, 0.023]
    assert probability_of_wrong_sign(1.5, math.hypot(0.5, 0.4), 1) == pytest.approx(0.0096, abs=5e-5)
    assert probability_of_wrong_sign(1, 0, 3) == 0


def test_many_ways_are_sampled_and_their_gains_have_the_same_law(monkeypatch: pytest.MonkeyPatch) -> None:
    """A two-sample Kolmogorov-Smirnov distance of 20,000 draws: false alarm 1e-6."""
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, 9))
    every = gains_of(a, b, 4, seed=0)
    monkeypatch.setattr(runs_drawn, "MOST_WAYS", 10)
    some = gains_of(a, b, 4, seed=0)
    assert every.size == math.comb(9, 4) ** 2
    assert some.size == runs_drawn.SAMPLED
    distance = max(
        abs(float((some <= x).mean() - (every <= x).mean())) for x in np.quantile(every, np.arange(0.1, 1, 0.1))
    )
    assert distance < math.sqrt(math.log(2e6) / (2 * some.size))


@pytest.mark.parametrize("n", [1, 2])
def test_p_values_of_drawn_runs_are_those_of_comparisons_of_these_runs(n: int) -> None:
    data = scores(3, 3)
    options = {"alone": "t", "test": "crossed", "pooled": "runs"}  # without resamples, so without a seed
    found = rows(study(data, numbers="1,2", **options), "p")
    plain: dict[str, list[float]] = {}
    for of_a in itertools.combinations(range(3), n):
        for of_b in itertools.combinations(range(3), n):
            chosen = {"s0": data["s0"][list(of_b)], "s1": data["s1"][list(of_a)]}
            for kind, test in {"one run each": "t"}.items() if n == 1 else _KINDS.items():
                pair = outscore.compare(chosen, metrics="mean", test=test, n_resamples=20).pairs[0]
                assert pair.p_value is not None
                plain.setdefault(kind, []).append(pair.p_value)
    here = {row["kind"]: row for row in found if row["n"] == n}
    assert set(here) == set(plain)
    for kind, p in plain.items():
        assert here[kind]["draws"] == 9
        assert here[kind]["median"] == pytest.approx(np.median(p))
        assert (here[kind]["low"], here[kind]["high"]) == pytest.approx(tuple(np.quantile(p, [0.025, 0.975])))
        assert here[kind]["significant"] == pytest.approx(np.mean(np.array(p) <= 0.05))


_KINDS = {"runs pooled": "runs", "runs and items": "crossed"}


def test_lucky_and_unlucky_single_runs_are_the_extremes_and_the_medians() -> None:
    data = scores(3, 5)
    found = rows(study(data, numbers="1", alone="t"), "single")
    a, b = (np.array([run.mean() for run in data[name]]) for name in ("s1", "s0"))
    medians = [int(np.flatnonzero(m == np.sort(m)[len(m) // 2])[0]) for m in (a, b)]
    chosen = [[int(a.argmin()), int(b.argmax())], medians, [int(a.argmax()), int(b.argmin())]]
    for row, (i, j) in zip(found, chosen, strict=True):
        assert (row["system_run"], row["baseline_run"]) == (str(i + 1), str(j + 1))
        assert row["gain"] == pytest.approx(a[i] - b[j])
        assert row["p"] == pytest.approx(stats.ttest_rel(data["s1"][i], data["s0"][j]).pvalue)


def test_gains_count_positive_where_lower_is_better() -> None:
    data = scores(3, 3)
    up, down = (rows(study(data, metrics=m, numbers="1,3"), "gains") for m in ("mean", "mean:lower=true"))
    for one, other in zip(up, down, strict=True):
        assert other["gain"] == pytest.approx(-one["gain"])
        assert (other["low"], other["high"]) == pytest.approx((-one["high"], -one["low"]))
        assert other["wrong"] == pytest.approx(one["wrong"])


def test_every_draw_is_made_once_where_there_are_few() -> None:
    parts = [draw_runs((4, 3), 2, first, 5, 18, seed=0) for first in (0, 5, 10, 15)]
    assert len({pair for part in parts for pair in part}) == 18
    some = draw_runs((9, 9), 4, 0, 50, 49, seed=3)
    assert len(some) == 50
    assert all(len(set(runs)) == 4 for pair in some for runs in pair)


def test_numbers_of_runs_end_with_all_of_them() -> None:
    assert numbers_of_runs("", 8) == [1, 2, 3, 5, 8]
    assert numbers_of_runs("", 2) == [1, 2]
    assert numbers_of_runs("1, 4,99", 8) == [1, 4, 8]


def test_systems_with_one_run_have_scores_but_no_pairs() -> None:
    found = study(scores(3, 1, 2), numbers="1,2")
    assert [row["s_test"] is None for row in rows(found, "systems")] == [False, True, False]
    assert {row["pair"] for row in rows(found, "gains")} == {"s2 against s0"}
    alone = study(scores(1, 3))
    assert {table.name for table in alone.tables} == {"systems", "scores"}
    assert "no_pair_with_runs" in {note.code for note in alone.notes}


def test_every_two_systems_are_compared_where_asked() -> None:
    found = study(scores(2, 2, 2), pairs="all", numbers="1,2")
    assert {row["pair"] for row in rows(found, "gains")} == {"s1 against s0", "s2 against s0", "s2 against s1"}
    assert {figure.name for figure in found.figures} == {"scores mean", "gains mean", "p mean"}


def test_clusters_and_several_metrics_are_taken_as_they_are() -> None:
    data = scores(2, 2, n=30)
    documents = [f"d{i // 3}" for i in range(30)]
    found = study(
        data, metrics=["mean", "mean:lower=true"], numbers="2", items={"document": documents}, cluster="document"
    )
    assert {row["metric"] for row in rows(found, "p")} == {"mean", "mean:lower=true"}
    plain = outscore.compare(
        data, metrics="mean", items={"document": documents}, cluster="document", test="crossed", n_resamples=20
    )
    row = next(row for row in rows(found, "p") if row["kind"] == "runs and items" and row["metric"] == "mean")
    assert row["median"] == pytest.approx(plain.pairs[0].p_value)


def test_a_test_that_refuses_is_a_note_and_no_number() -> None:
    found = study(scores(2, 2), numbers="2", pooled="mcnemar")
    row = next(row for row in rows(found, "p") if row["kind"] == "runs pooled")
    assert (row["draws"], row["median"], row["significant"]) == (0, None, None)
    assert "test_refused" in {note.code for note in found.notes}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"numbers": "1,x"}, "--numbers"),
        ({"numbers": "0"}, "--numbers"),
        ({"draws": 0}, "--draws"),
        ({"pooled": "no-such-test"}, "no-such-test"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        study(scores(2, 2), **options)


def test_single_runs_only_are_refused() -> None:
    with pytest.raises(UsageError, match="no system has several runs"):
        study(scores(1, 1))


# false alarms

ORACLE = {
    "AR_single_run": "single",
    "AR_pooled_pairswap": "pooled",
    "AR_MultEval_0.5.1_as_coded": "coded",
    "AR_itemblock_avg_runs": "items",
    "run_level_welch_t": "runs",
}
KNOWN = [
    (case["id"], key) for case in family("sim_type1_multi_run")["cases"] for key in ORACLE if key in case["expected"]
]


@pytest.mark.parametrize(("case_id", "key"), KNOWN)
def test_laws_of_false_alarms_are_those_of_the_oracles_simulation(case_id: str, key: str) -> None:
    """Oracle: numpy, 2,000 to 4,000 test sets; within four of its errors (1 in 16,000 each), with many relabellings."""
    case = next(case for case in family("sim_type1_multi_run")["cases"] if case["id"] == case_id)
    given, found = case["input"], case["expected"][key]
    null = EqualSystems(runs=max(given["R"], 2), ratio=given["rho"], share=given["shareC"])
    law = null.size(ORACLE[key], 99_999, 0.05, "two-sided")
    assert law is not None
    assert abs(found - law) <= 4 * math.sqrt(law * (1 - law) / given["reps"])


@pytest.mark.parametrize("runs", [2, 3, 4])
@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_the_variance_of_multevals_relabelling_is_that_of_all_its_relabellings(runs: int, share: float) -> None:
    """One item: all swaps and all permutations of its runs, by a plain loop; E d² = 1 and E dd' = ``share``."""
    diagonal = across = 0.0
    every = list(itertools.product(itertools.product((0, 1), repeat=runs), itertools.permutations(range(runs))))
    for swaps, order in every:
        back = [order.index(r) for r in range(runs)]
        moved = [swaps[order[r]] + swaps[back[r]] - 1 for r in range(runs)]
        diagonal += sum(m * m for m in moved)
        across += sum(moved[r] * moved[s] for r in range(runs) for s in range(runs) if r != s)
    variance = (diagonal + share * across) / len(every)
    null = EqualSystems(runs=runs, ratio=0.7, share=share)
    # of the sum over runs; the gain is the mean
    assert null.inflation("coded") == pytest.approx(math.sqrt(null.gain / (variance / runs**2)))


@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_the_size_of_a_sampled_p_value_is_that_of_a_plain_simulation(side: Alternative) -> None:
    """20,000 statistics with 39 relabellings each: within 4.9 errors, false alarm 1e-6."""
    rng = np.random.default_rng(3)
    statistic, relabelled = 1.7 * rng.normal(size=(20_000, 1)), rng.normal(size=(20_000, 39))
    reached = {
        "two-sided": abs(relabelled) >= abs(statistic),
        "greater": relabelled >= statistic,
        "less": relabelled <= statistic,
    }[side]
    found = float(((1 + reached.sum(axis=1)) / 40 <= 0.05).mean())
    law = sampled_size(1.7, 39, 0.05, side)
    assert abs(found - law) <= 4.9 * math.sqrt(law * (1 - law) / 20_000)
    assert sampled_size(1.0, 39, 0.05, side) == pytest.approx(0.05, abs=2e-4)


def test_made_scores_have_the_variances_that_are_meant() -> None:
    """200 systems of three runs; each mean square is χ² with hundreds of degrees of freedom: 6 errors."""
    null, rng = EqualSystems(runs=3, ratio=2.0, share=0.25), np.random.default_rng(2)
    found = [one for _ in range(100) for one in simulate(null, 50, rng)]
    by_run = np.array([one.mean(axis=1).var(ddof=1) for one in found])
    assert by_run.mean() == pytest.approx((2.0**2 + 0.375) / 50, rel=6 * math.sqrt(2 / 400))
    by_item = np.array([one.mean(axis=0).var(ddof=1) for one in found])
    assert by_item.mean() == pytest.approx(0.125 + 0.375 / 3, rel=6 * math.sqrt(2 / 9800))


@pytest.mark.slow
def test_pooled_runs_find_what_is_not_there_and_the_crossed_test_does_not() -> None:
    """60 test sets of ten identical runs: pooled rejects in 53 %, others at their level; 1e-6 each."""
    found = outscore.study("runs-size", runs="10", ratios="0", shares="1", rounds=60, items=60, relabellings=99, jobs=1)
    row = rows(found, "sizes")[0]
    assert least(0.53, 60) <= row["pooled"] <= most(0.53, 60)
    assert max(row["single"], row["items"]) <= most(0.05, 60)
    assert row["crossed"] <= most(0.06, 60)
    assert row["coded"] is None
    assert row["runs"] is None, "scores of identical runs have no variance"
    assert all(one.verdict == "cannot tell" for one in found.findings), "60 test sets cannot tell two points"
    assert {one.what.partition(":")[0] for one in found.findings} == {TITLES[n] for n in ("single", "pooled", "items")}


@pytest.mark.slow
def test_few_rounds_say_differs_or_cannot_tell_and_never_agrees() -> None:
    found = outscore.study("runs-size", runs="2", ratios="0,3", rounds=20, items=30, relabellings=39, jobs=1)
    assert len(found.findings) == 10
    for one in found.findings:
        assert isinstance(one.value, float) and isinstance(one.expected, float)
        near = abs(one.value - one.expected) <= 3.291 * math.sqrt(one.expected * (1 - one.expected) / 20)
        assert one.verdict == ("cannot tell" if near else "differs")
        assert bool(one.reason) != near


@pytest.mark.slow
@pytest.mark.parametrize("ratio", [0.0, 1.0])
def test_rates_of_the_study_are_those_of_theory(ratio: float) -> None:
    """300 test sets of 200 items: each of five rates within 4.9 errors and .01 for few items; false alarm 5e-6."""
    found = outscore.study("runs-size", runs="3", ratios=f"{ratio}", rounds=300, items=200)
    for one in found.findings:
        assert isinstance(one.value, float) and isinstance(one.expected, float)
        assert abs(one.value - one.expected) <= 4.9 * math.sqrt(one.expected * (1 - one.expected) / 300) + 0.01, (
            one.what
        )
    assert rows(found, "sizes")[0]["crossed"] <= most(0.065, 300)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"runs": "1,3"}, "--runs"),
        ({"runs": "2.5"}, "--runs"),
        ({"shares": "1.5"}, "--shares"),
        ({"ratios": "-1"}, "--ratios"),
        ({"relabellings": 5}, "--relabellings"),
        ({"rounds": 0}, "--rounds"),
    ],
)
def test_wrong_designs_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        outscore.study("runs-size", **options)


@pytest.fixture(scope="module")
def optimized(data_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """MultEval's example as text files."""
    folder = tmp_path_factory.mktemp("optimized")
    unpack = [sys.executable, str(data_root / "data" / "unpack.py"), "mt_multeval_opt", str(folder)]
    subprocess.run(unpack, check=True, capture_output=True)
    return folder


@pytest.mark.data
def test_multevals_example_has_the_deviations_and_p_values_that_it_prints(
    optimized: Path,
) -> None:
    """Oracle: MultEval 0.5.1 on these files, family ``multeval``; s_sel of 499 resamples has an error of 3 %."""
    files = [f"{name}={optimized}/{name}.opt*.txt" for name in ("baseline", "sys1")]
    data = outscore.read(files, references=str(optimized / "ref.0.txt"))
    found = study(data, metrics="bleu:tokenize=none", numbers="1,3", n_resamples=499)
    expected = {
        "baseline": (18.526807925458318, 0.05728017499123964),
        "sys1": (18.813470099815724, 0.29400089239150784),
    }
    for row in rows(found, "systems"):
        assert (row["mean"], row["s_test"]) == pytest.approx(expected[row["system"]], abs=1e-6)
        assert row["s_sel"] == pytest.approx(0.262, rel=0.13)
    all_runs = {row["kind"]: row["median"] for row in rows(found, "p") if row["n"] == 3}
    assert all_runs["runs pooled"] <= 0.01
    assert all_runs["runs and items"] == pytest.approx(0.22773593153388352, rel=1e-6)
    single = next(row for row in rows(found, "p") if row["n"] == 1)
    assert (single["low"], single["high"]) == (pytest.approx(0.002, abs=0.005), pytest.approx(0.88, abs=0.08))


# --- beside the tuning set ------------------------------------------------------------------------------------------


def tuned(folder: Path, data: dict[str, Float], **options: Any) -> Path:
    """The saved scores of a tuning set."""
    path = folder / "tuning.json"
    path.write_text(
        outscore.score(data, **{"metrics": "mean", "n_resamples": 50, **options}).to_json(), encoding="utf-8"
    )
    return path


def test_s_dev_stands_beside_s_test_with_the_median_of_the_tuning_set(tmp_path: Path) -> None:
    here, there = scores(5, 5), {name: runs[:, :12] for name, runs in scores(5, 5, seed=2).items()}
    found = study(here, numbers="1", tuning=str(tuned(tmp_path, there)))
    assert found.tables[0].name == "tuning"
    for row, beside in zip(rows(found, "tuning"), rows(found, "systems"), strict=True):
        test, dev = (data[row["system"]].mean(axis=1) for data in (here, there))
        assert row["s_dev"] == pytest.approx(dev.std(ddof=1))
        assert (row["mean"], row["s_sel"], row["s_test"]) == (beside["mean"], beside["s_sel"], beside["s_test"])
        assert row["p"] == pytest.approx(stats.pearsonr(test + dev, test - dev, alternative="greater").pvalue)
        chosen = int(np.argsort(dev)[2])
        assert (row["chosen"], row["score"]) == (str(chosen + 1), pytest.approx(test[chosen]))


def test_two_runs_have_no_p_of_their_spread(tmp_path: Path) -> None:
    data = scores(2, 2)
    found = study(data, numbers="1", tuning=str(tuned(tmp_path, scores(2, 2, seed=4))))
    assert [row["p"] for row in rows(found, "tuning")] == [None, None]


def test_scores_of_others_are_no_tuning_set(tmp_path: Path) -> None:
    data = scores(3, 3)
    with pytest.raises(UsageError, match="'s1' has runs '1', '2' there and '1', '2', '3' here; name both alike"):
        study(data, numbers="1", tuning=str(tuned(tmp_path, scores(3, 2))))
    with pytest.raises(UsageError, match="no score of 's1' by mean; score the same systems by the same -m"):
        study(data, numbers="1", tuning=str(tuned(tmp_path, {"s0": data["s0"]})))
