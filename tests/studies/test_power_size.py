"""The study of power by fake data: against loops, outside numbers and exact powers."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import outscore
from outscore.base.errors import UsageError
from outscore.significance.proportions import wilson
from outscore.studies.simulations import coverage, right_wrong
from outscore.studies.simulations import toy_data as toys
from tests.oracles.support import family

SMALL: dict[str, Any] = {
    "rounds": 400,
    "sets": 20,
    "sizes": "40,80",
    "t_sizes": "10,20",
    "covered": "30",
    "n_resamples": 99,
}


def test_coverage_is_the_sum_over_all_counts() -> None:
    n, accuracy = 12, 0.8
    wilson_covers = two_sd_covers = 0.0
    for x in range(n + 1):
        mass = math.comb(n, x) * accuracy**x * (1 - accuracy) ** (n - x)
        low, high = wilson(x, n)
        wilson_covers += mass * (low <= accuracy <= high)
        reach = 2 * math.sqrt(x / n * (1 - x / n) / n)
        two_sd_covers += mass * (x / n - reach <= accuracy <= x / n + reach)
    found = coverage.exact(n, accuracy, 0.95)
    assert found["Wilson"] == pytest.approx(wilson_covers, rel=1e-10)
    assert found[coverage.OCONNOR] == pytest.approx(two_sd_covers, rel=1e-10)


@pytest.mark.slow
def test_coverage_comes_to_the_outside_numbers() -> None:
    # numpy and scipy, see the file
    (case,) = [case for case in family("sim_other")["cases"] if case["id"] == "ci_coverage_power"]
    for key, expected in case["expected"]["accuracy_ci_coverage"].items():
        n, accuracy = int(key.split("_")[0][1:]), float(key.split("_")[1][1:])
        found = coverage.exact(n, accuracy, 0.95)
        assert found[coverage.OCONNOR] == pytest.approx(expected["oconnor_pm2sd"], abs=1e-9)
        assert found["Wald"] == pytest.approx(expected["wald"], abs=1e-9)
        assert found["Wilson"] == pytest.approx(expected["wilson"], abs=1e-9)
        assert found["Clopper-Pearson"] == pytest.approx(expected["clopper_pearson"], abs=1e-9)


def test_curves_are_the_coverage_point_by_point() -> None:
    points = coverage.curves(15, 0.95)
    for accuracy, name, value in points[::97]:
        assert value == pytest.approx(coverage.exact(15, accuracy, 0.95)[name], abs=1e-12)


def test_the_recipe_is_the_mean_and_two_deviations_of_resamples() -> None:
    draw, again = np.random.default_rng(4), np.random.default_rng(4)
    held = coverage.count_by_recipe(draw, 50, 20, 0.8, 30)
    expected = 0
    for right in again.binomial(20, 0.8, size=50):
        scores = again.binomial(20, right / 20, size=30) / 20
        mean = sum(scores) / 30
        sd = math.sqrt(sum((s - mean) ** 2 for s in scores) / 29)
        expected += mean - 2 * sd <= 0.8 <= mean + 2 * sd
    assert held == expected


def test_cells_of_rare_positives_add_up() -> None:
    cells = [coverage.count_rare(np.random.default_rng(seed), 200, 50) for seed in (1, 2)]
    found = coverage.add_sums(cells)
    t, u = (sum(cell["sums"][k] for cell in cells) / 400 for k in (0, 1))
    assert found.truth == pytest.approx(0.5)
    assert found.bias == pytest.approx(t) and found.ratio == pytest.approx(u / t)
    assert found.observed.rounds == 400 and 0.7 < found.observed.value < 0.95


def test_power_of_the_bootstrap_is_the_sum_over_all_answers() -> None:
    n, p10, p01 = 4, 0.5, 0.1
    rule = right_wrong.shift("two-sided", ties=True)
    expected = 0.0
    for answers in itertools.product((1, -1, 0), repeat=n):
        b, c = answers.count(1), answers.count(-1)
        expected += p10**b * p01**c * (1 - p10 - p01) ** (n - b - c) * (rule(b, c, n) <= 0.1)
    assert right_wrong.outcomes(n, p10, p01).proportion(rule, 0.1) == pytest.approx(expected, rel=1e-8)


def test_power_of_the_bootstrap_comes_to_an_outside_simulation() -> None:
    # 2,000 data sets: .4325; 4 errors
    (case,) = [case for case in family("sim_other")["cases"] if case["id"] == "ci_coverage_power"]
    power = right_wrong.outcomes(200, 0.1, 0.05).proportion(right_wrong.shift("two-sided", ties=True), 0.05)
    outside = case["expected"]["power_fake_data"]["n200_0.1_0.05"]["boot_shift_two_sided"]
    assert power == pytest.approx(outside, abs=4 * math.sqrt(0.43 * 0.57 / 2000))


@pytest.mark.parametrize("paired", [True, False])
def test_t_tests_of_fake_data_are_those_of_scipy(paired: bool) -> None:
    p = toys.t_with_gain(np.random.default_rng(2), 10, 8, 0.5, paired=paired)
    draw = np.random.default_rng(2)
    x = draw.standard_normal((10, 8) if paired else (10, 2, 8))
    for k in range(10):
        test = stats.ttest_1samp(x[k] + 0.5, 0) if paired else stats.ttest_ind(x[k, 0], x[k, 1] + 0.5)
        assert p[k] == pytest.approx(float(test.pvalue), rel=1e-9)


def test_the_study_is_near_all_powers_without_simulation() -> None:
    # 4 errors each: 6 false alarms in 100,000 for each of 12 numbers
    result = outscore.study("power-size", jobs=1, **SMALL)
    result.check_whole()
    rows = result.table("power").records()
    assert {row["test"] for row in rows} == {"bootstrap", "exact McNemar", "McNemar mid-p", "paired t", "two-sample t"}
    for row in rows:
        power, expected = row["power"], row["expected"]
        assert isinstance(power, float) and isinstance(expected, float)
        rounds = 20 if row["test"] == "bootstrap" else 400
        assert abs(power - expected) <= 4 * math.sqrt(expected * (1 - expected) / rounds), row
    said = {found.what: found for found in result.findings}
    oconnor = said["coverage of mean ± 2 sd of the bootstrap, 50 items, accuracy 0.9"]
    assert oconnor.expected == pytest.approx(0.879, abs=5e-4) and oconnor.verdict == "differs"
    assert said["power, two-sample t, gain of 1 sd, 20 items"].published == 0.8689528


@pytest.mark.slow
def test_jobs_change_no_byte() -> None:
    one, two = (outscore.study("power-size", jobs=jobs, **SMALL) for jobs in (1, 2))
    assert one.to_json() == two.to_json()


@pytest.mark.parametrize(
    "wrong",
    [
        {"p10": 0.0},
        {"p10": 0.99, "p01": 0.02},
        {"effect": 0.0},
        {"sets": 0},
        {"sizes": "2"},
        {"t_sizes": "x"},
        {"covered": "1"},
    ],
)
def test_options_out_of_range_are_refused_in_one_line(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        outscore.study("power-size", jobs=1, **wrong)
    assert "\n" not in str(caught.value)
