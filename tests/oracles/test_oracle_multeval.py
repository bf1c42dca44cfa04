"""MultEval 0.5.1 (Java, built without METEOR) and numpy on the same sufficient statistics: family ``multeval``.

The statistics are counts derived from public data and stay in the data set (``oracle/data/*.tsv``). Every number is
computed by the real way: statistics into a Panel, tests by name, and the public ``compare`` where a metric reads such
columns. Tolerance of sampled p-values: four standard errors, theirs and ours (6e-5 false alarms each; seeds are fixed).
"""

from __future__ import annotations

import csv
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.arrays import Float
from outscore.engine import intervals
from outscore.engine.design import Design
from outscore.engine.exact import flip_law
from outscore.engine.extreme import Alternative, tail_mass
from outscore.metrics.bleu import Bleu
from outscore.metrics.mean import Mean
from outscore.metrics.ratio import Ratio
from outscore.significance import Outcome, tests
from outscore.significance.confidence import selection_error
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import BOOTSTRAP, Resamples
from outscore.significance.runs import median_run
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from tests.examples import first

pytestmark = pytest.mark.data

METRICS = ("BLEU", "TER", "Length")
# n-grams attempted and matched; reference lengths; edits over reference words; output over reference length
COLUMNS = {
    "BLEU": ["a1", "ref", "m1", "m2", "m3", "m4", "a1", "a2", "a3", "a4"],
    "TER": ["ter_edits", "ter_words"],
    "Length": ["hyplen", "reflen"],
}
TER = Ratio(num="ter_edits", den="ter_words", scale=100.0, lower=True)
LENGTH = Ratio(num="hyplen", den="reflen", scale=100.0)
RESAMPLES = 10_000


@dataclass(frozen=True)
class Data:
    """The family with the folder that its paths start from."""

    folder: Path
    cases: dict[str, dict[str, Any]]

    def table(self, file: str) -> dict[str, Float]:
        with (self.folder / file).open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines, delimiter="\t"))
        return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}

    def runs(self, files: list[str], metric: str) -> Float:
        """Statistics ``(runs, items, k)``."""
        tables = [self.table(file) for file in files]
        return np.stack([np.stack([t[c] for c in COLUMNS[metric]], axis=-1) for t in tables])

    def experiment(self, systems: list[list[str]], settings: Settings) -> Resamples:
        by_metric = []
        for metric in METRICS:
            statistics = [self.runs(files, metric) for files in systems]
            how = {"BLEU": Bleu(smooth="none"), "TER": TER, "Length": LENGTH}[metric]
            by_metric.append(
                Statistics(
                    metric,
                    statistics,
                    how.score,
                    Design(statistics[0].shape[1]),
                    higher_is_better=how.higher_is_better,
                    ratio=how.ratio(),
                )
            )
        return Resamples([str(s) for s in range(len(systems))], by_metric, 0, settings)


@pytest.fixture(scope="module")
def data(data_root: Path) -> Data:
    loaded = json.loads((data_root / "oracle" / "multeval.json").read_text(encoding="utf-8"))
    return Data(data_root / "oracle", {case["id"]: case for case in loaded["cases"]})


def both(data: Data, n_resamples: int = RESAMPLES, alternative: Alternative = "two-sided") -> Resamples:
    given = data.cases["two_systems_all_runs"]["input"]
    return data.experiment(
        [given["baseline"], given["sys1"]], Settings(n_resamples=n_resamples, alternative=alternative)
    )


@pytest.fixture(scope="module")
def all_runs(data: Data) -> Resamples:
    return both(data)


def within(p: float | None, expected: float, theirs: int, ours: int = RESAMPLES) -> bool:
    """Four standard errors of both, plus the one that is added to both counts."""
    assert p is not None
    spread = max(p * (1 - p), expected * (1 - expected))
    return abs(p - expected) <= 4 * math.sqrt(spread * (1 / theirs + 1 / ours)) + 1 / ours


def run(whole: Resamples, metric: str, name: str) -> Outcome:
    pair = GainContrast(whole, METRICS.index(metric), 1)
    test = tests.make(name)
    assert test.refuses(pair) is None
    return test.run(pair)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("system", ["baseline", "sys1"])
def test_run_scores_their_mean_deviation_and_median(data: Data, system: str, metric: str) -> None:
    case = data.cases[f"system_{system}"]
    expected = case["expected"][metric]
    whole = data.experiment([case["input"]["runs"]], Settings(n_resamples=RESAMPLES))
    stats = whole.by_metric[METRICS.index(metric)]
    scores = stats.run_scores[0]
    np.testing.assert_allclose(scores, expected["run_scores"], atol=1e-6, rtol=0)
    np.testing.assert_allclose(scores, expected["multeval_java_run_scores"], atol=1e-6, rtol=0)
    assert scores.mean() == pytest.approx(expected["avg"], abs=1e-6)
    assert scores.std(ddof=1) == pytest.approx(expected["s_test_s_opt"], abs=1e-6)
    assert median_run(scores) == expected["median_run_index"]
    pooled = stats.score(stats.rows[0].sum(axis=(0, 1)))
    assert float(pooled) == pytest.approx(expected["pooled_score_all_runs_concatenated"], abs=1e-6)
    without = stats.without_units[0]
    errors = np.sqrt((without.shape[1] - 1) * without.var(axis=1))
    np.testing.assert_allclose(errors, expected["jackknife_se_per_run"], rtol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("system", ["baseline", "sys1"])
def test_selection_error_is_multevals_within_a_hundredth(data: Data, system: str) -> None:
    # Monte-Carlo error of a mean of three standard deviations: ours .2 %, cyclic resamples included; theirs .2 %
    case = data.cases[f"system_{system}"]
    whole = data.experiment([case["input"]["runs"]], Settings(n_resamples=400_000))
    for p, metric in enumerate(METRICS):
        expected = case["expected"][metric]
        found = selection_error(whole, p, 0)
        assert found == pytest.approx(expected["s_sel_numpy_B50000"], rel=0.01), metric
        assert found == pytest.approx(expected["multeval_java_s_sel_B20000"], rel=expected["s_sel_mc_tolerance_rel"])


@pytest.mark.parametrize("metric", METRICS)
def test_gain_of_the_pooled_statistics(data: Data, all_runs: Resamples, metric: str) -> None:
    expected = data.cases["two_systems_all_runs"]["expected"]["pooled_abs_diff"][metric]
    assert abs(GainContrast(all_runs, METRICS.index(metric), 1).pooled_gain) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("metric", first(METRICS, "Length", others=pytest.mark.slow))
@pytest.mark.parametrize(
    ("name", "key"), [("randomization:exact=never", "AR_itemblock_runs_jointly"), ("multeval", "AR_pairswap_valid")]
)
def test_randomization_of_all_runs(data: Data, all_runs: Resamples, metric: str, name: str, key: str) -> None:
    expected = data.cases["two_systems_all_runs"]["expected"]
    found = run(all_runs, metric, name)
    assert within(found.p_value, expected[key][metric]["p_ge"], expected["MC_K"]), found.p_value


@pytest.mark.slow
@pytest.mark.parametrize("metric", METRICS)
def test_pooled_randomization_as_multeval_codes_it(data: Data, all_runs: Resamples, metric: str) -> None:
    expected = data.cases["two_systems_all_runs"]["expected"]
    found = run(all_runs, metric, "multeval:as_coded=true")
    assert within(found.p_value, expected["AR_multeval_bug_replica_numpy_K20000"][metric]["p_gt"], 20_000)
    assert within(found.p_value, expected["multeval_java_p"][metric], expected["MC_K"])


@pytest.mark.parametrize("metric", METRICS)
def test_tests_of_runs(data: Data, all_runs: Resamples, metric: str) -> None:
    expected = data.cases["two_systems_all_runs"]["expected"]["run_level_welch_on_run_scores"][metric]
    welch = run(all_runs, metric, "runs")
    assert welch.p_value == pytest.approx(expected["p"], rel=1e-6)
    assert abs(float(welch.effect["statistic"] or 0)) == pytest.approx(abs(expected["t"]), rel=1e-6)
    assert welch.effect["df"] == pytest.approx(expected["df"], rel=1e-6)
    permuted = run(all_runs, metric, "runs:variant=permutation")
    assert permuted.p_value == pytest.approx(expected["exact_run_permutation_p"], rel=1e-9)
    pair = GainContrast(all_runs, METRICS.index(metric), 1)
    # theirs is baseline minus system, unsigned; ours is signed so that more is better
    oriented = expected["diff_of_means"] * (1 if metric == "TER" else -1)
    assert pair.gain == pytest.approx(oriented, abs=1e-9)


def test_the_default_over_runs_and_items_does_not_claim_what_pooling_claims(all_runs: Resamples) -> None:
    # pooled .0002 for BLEU, over runs and items .23
    assert (run(all_runs, "BLEU", "multeval").p_value or 0) < 0.001
    assert (run(all_runs, "BLEU", "crossed").p_value or 0) > 0.1


SINGLE = [(run_number, metric) for run_number in range(3) for metric in METRICS]


def single(data: Data, number: int, alternative: Alternative = "two-sided") -> tuple[Resamples, dict[str, Any]]:
    case = data.cases[f"single_run_{number}"]
    files = [[case["input"]["baseline"]], [case["input"]["sys1"]]]
    return data.experiment(files, Settings(n_resamples=RESAMPLES, alternative=alternative)), case["expected"]


@pytest.mark.parametrize(("number", "metric"), first(SINGLE, (0, "TER"), others=pytest.mark.slow))
def test_randomization_of_one_run(data: Data, number: int, metric: str) -> None:
    whole, expected = single(data, number)
    for name in ("randomization:exact=never", "multeval"):
        found = run(whole, metric, name)
        assert within(found.p_value, expected["AR"][metric]["p_ge"], expected["MC_K"]), name
    coded = run(whole, metric, "multeval:as_coded=true")
    assert within(coded.p_value, expected["AR"][metric]["p_gt"], expected["MC_K"])
    assert within(coded.p_value, expected["multeval_java_p"][metric], expected["MC_K"])


@pytest.mark.parametrize(("number", "metric"), first(SINGLE, (1, "BLEU"), others=pytest.mark.slow))
def test_paired_bootstrap_of_one_run(data: Data, number: int, metric: str) -> None:
    whole, expected = single(data, number)
    theirs = expected["paired_bootstrap"][metric]
    pair = GainContrast(whole, METRICS.index(metric), 1)
    sign = -pair.stats.sign  # theirs is baseline minus system
    assert pair.gain == pytest.approx(sign * theirs["delta"], abs=1e-6)
    draws = sign * pair.drawing([BOOTSTRAP]).bootstrap_values
    assert draws.std(ddof=1) == pytest.approx(theirs["boot_se"], rel=0.035)  # 4 standard errors of a deviation
    assert draws.mean() == pytest.approx(theirs["boot_mean"], abs=4 * theirs["boot_se"] * math.sqrt(1.5e-4))
    low, high = (intervals.percentile(draws).low, intervals.percentile(draws).high)
    # the 2.5 % quantile of 10,000 draws has a standard error of .027 deviations; theirs of .019
    assert [low, high] == pytest.approx(theirs["ci95_percentile"], abs=0.14 * theirs["boot_se"])
    jackknife = pair.without_units
    n = len(jackknife)
    error = math.sqrt((n - 1) / n * float(((jackknife - jackknife.mean()) ** 2).sum()))
    assert error == pytest.approx(expected["jackknife_se_of_difference"][metric], rel=1e-3)
    both_sides = run(whole, metric, "bootstrap")
    assert within(both_sides.p_value, theirs["p_two_sided_shift"], 20_000)
    side: Alternative = "greater" if pair.gain > 0 else "less"
    one, _ = single(data, number, side)
    shift, percentile = run(one, metric, "bootstrap"), run(one, metric, "bootstrap:form=percentile")
    assert within(shift.p_value, theirs["p_one_sided_shift_ge"], 20_000)
    assert within(percentile.p_value, theirs["p_one_sided_pct_le0"], 20_000)


TOYS = ["toy_h1_r3_5,3,2", "toy_h2_r3_5,3,2,7,1,6", "toy_h2_r2_5,3,2,7", "toy_h3_r1_5,3,9", "toy_h2_r1_4,7"]


def toy(data: Data, name: str, n_resamples: int) -> tuple[Resamples, dict[str, Any]]:
    case = data.cases[name]
    shape = case["input"]["runs"], case["input"]["hyps"]
    a, b = (np.array(case["input"][key], dtype=float).reshape(shape) for key in ("a_run_major", "b_run_major"))
    statistics = [np.stack([s, np.ones_like(s)], axis=-1) for s in (b, a)]
    stats = Statistics("mean", statistics, Mean().score, Design(shape[1]), per_item=True)
    return Resamples(["b", "a"], [stats], 0, Settings(n_resamples=n_resamples)), case["expected"]


@pytest.mark.parametrize("name", TOYS)
def test_toys_have_the_exact_law_of_valid_swaps(data: Data, name: str) -> None:
    whole, expected = toy(data, name, 40_000)
    found = tests.make("multeval").run(GainContrast(whole, 0, 1)).p_value
    assert within(found, expected["exact_valid_pairswap_p_ge"]["float"], 10**9, 40_000)
    b, a = (whole.by_metric[0].items[s][..., 0].ravel() for s in (0, 1))
    law, observed = flip_law(a - b), abs(float((a - b).sum()))
    for key, slack in (("exact_valid_pairswap_p_ge", 0.5), ("exact_valid_pairswap_p_gt", -0.5)):
        assert tail_mass(law.support, law.mass, observed, slack=slack) == pytest.approx(expected[key]["float"])


@pytest.mark.parametrize("name", first(TOYS, TOYS[2], others=pytest.mark.slow))
def test_toys_have_the_exact_law_that_multeval_computes(data: Data, name: str) -> None:
    whole, expected = toy(data, name, 100_000)
    found = tests.make("multeval:as_coded=true").run(GainContrast(whole, 0, 1)).p_value
    assert within(found, expected["exact_multeval_0_5_1_as_coded_p_gt"]["float"], 10**9, 100_000)
    assert found == pytest.approx(expected["multeval_java_K400000"], abs=2 * expected["mc_tolerance_abs"])


def test_compare_reads_the_counts_of_other_tools(data: Data, tmp_path: Path) -> None:
    for file in sorted((data.folder / "data").glob("multeval_*_run*.tsv")):
        table = data.table(f"data/{file.name}")
        kept = [name for name in table if name != "ref"]  # a column of that name is read as references
        lines = ["\t".join(kept), *("\t".join(str(int(table[c][i])) for c in kept) for i in range(len(table["a1"])))]
        (tmp_path / file.name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    read = outscore.read([f"{s}={tmp_path}/multeval_{s}_run*.tsv" for s in ("baseline", "sys1")])
    result = outscore.compare(read, metrics=[TER, LENGTH], n_resamples=2000)
    for score in result.scores:
        metric = "TER" if score.metric.startswith("ratio:num=ter") else "Length"
        expected = data.cases[f"system_{score.system}"]["expected"][metric]
        np.testing.assert_allclose(score.run_scores, expected["run_scores"], atol=1e-6, rtol=0)
        assert score.s_test == pytest.approx(expected["s_test_s_opt"], abs=1e-6)
        # 2,000 resamples: the mean of three standard deviations has an error of about 1 %, 4 of them
        assert score.s_sel == pytest.approx(expected["s_sel_numpy_B50000"], rel=0.05)
        assert score.runs.index(score.median_run) == expected["median_run_index"]
    assert {pair.test for pair in result.pairs} == {"crossed"}


def test_systems_with_the_same_runs_are_identical(data: Data) -> None:
    files = data.cases["two_systems_all_runs"]["input"]["sys1"]
    whole = data.experiment([files, files], Settings(n_resamples=200))
    for metric in METRICS:
        for name in ("crossed", "runs", "randomization", "bootstrap", "multeval"):
            assert run(whole, metric, name).p_value == 1.0, (metric, name)
