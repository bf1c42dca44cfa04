"""Other simulations of the oracle (numpy): what the library computes of the family ``sim_other``.

False dominance of almost stochastic order stands in tests/significance/independent/test_aso.py; the two rows with
unequal variances do not say how unequal, nor do those of micro-F1 say how items are drawn (tests/laws/test_coverage.py
has a law of its own). The rest of the family is about what an analyst does with the tests (choosing among metrics,
halves and sample sizes after the fact, p-values on other data), which needs studies, not functions.
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from scipy import stats

from outscore.base.arrays import Bool, Float
from outscore.engine.exact_bootstrap import bootstrap_sum_law
from outscore.multiplicity.adjust import adjust
from outscore.significance import tests
from outscore.significance.discordant import DiscordantPairs
from outscore.significance.means import t_from
from outscore.significance.proportions import PROPORTION_INTERVALS
from tests.laws.support import binary_pairing, discordant, p_of, settings
from tests.multiplicity.plain import max_single_step
from tests.oracles.support import family

TOYS, OTHERS, INTERVALS = (case["expected"] for case in family("sim_other")["cases"])
FWER: dict[str, Any] = OTHERS["multiple_metrics_fwer"]
N, THEIRS, OURS = 60, 3000, 1500  # items and replicates; the items follow from the power of one uncorrected test


def test_independent_choices_are_sidaks_law() -> None:
    for k, expected in TOYS["analytic_indep"].items():
        found = [adjust([alpha] * int(k), "sidak")[0] for alpha in (0.05, 0.01)]
        assert found == pytest.approx(expected)


def test_the_number_of_items_is_that_of_the_power_of_one_test() -> None:
    # five cells of 3,000 replicates: mean .632, standard error .004
    error = 0.3 * math.sqrt(N)
    edge = stats.t.isf(0.025, N - 1)
    power = stats.nct.sf(edge, N - 1, error) + stats.nct.cdf(-edge, N - 1, error)
    theirs = [cell["power_metric0_effect0.3sd"]["uncorrected"] for cell in FWER.values()]
    assert np.mean(theirs) == pytest.approx(power, abs=4 * math.sqrt(0.23 / (THEIRS * len(theirs))))


def rejections(differences: Float, flips: Float) -> dict[str, Bool]:
    """Whether each of m metrics is rejected at 5 % by t-tests of shared sign flips, corrected in each way."""
    n = len(differences)
    mean = differences.mean(axis=0)
    second = (differences**2).mean(axis=0)

    def t(means: Float) -> Float:
        return np.asarray(np.abs(means) / np.sqrt((second - means**2) / (n - 1)))

    observed = t(mean)
    raw = 2 * stats.t.sf(observed, n - 1)
    found = {name: adjust(raw, name) <= 0.05 for name in ("bonferroni", "holm")}
    return {
        "uncorrected": raw <= 0.05,
        **found,
        "maxT_single_step": max_single_step(observed, t(flips @ differences / n)) <= 0.05,
    }


@pytest.mark.slow
@pytest.mark.parametrize("cell", FWER)
def test_family_wise_errors_and_power_of_several_metrics(cell: str) -> None:
    # 8 numbers for each cell, four standard errors of both simulations: 6e-5 false alarms for each number
    m, rho = (float(v) for v in re.findall(r"[\d.]+", cell))
    rng = np.random.default_rng(7)
    flips = rng.choice([-1.0, 1.0], (499, N))
    families, powers = [], []
    for _ in range(OURS):
        shared = rng.normal(size=(N, 1))
        d = math.sqrt(rho) * shared + math.sqrt(1 - rho) * rng.normal(size=(N, int(m)))
        families.append({name: bool(r.any()) for name, r in rejections(d, flips).items()})
        d[:, 0] += 0.3
        powers.append({name: bool(r[0]) for name, r in rejections(d, flips).items()})
    for key, found in (("FWER", families), ("power_metric0_effect0.3sd", powers)):
        for name, expected in FWER[cell][key].items():
            measured = float(np.mean([one[name] for one in found]))
            spread = max(expected * (1 - expected), measured * (1 - measured))
            # resamples shared by all replicates move the size of max-T by .004
            slack = 4 * math.sqrt(spread * (1 / THEIRS + 1 / OURS)) + (0.004 if name.startswith("maxT") else 0)
            assert abs(measured - expected) <= slack, f"{key} {name}: {measured} not {expected}"


def accuracy_ends(x: int, n: int) -> dict[str, tuple[float, float]]:
    """Intervals of an accuracy of x right out of n, by the functions and by the law of all resamples."""
    found = {name: PROPORTION_INTERVALS[name](x, n, 0.95) for name in ("wald", "wilson", "clopper-pearson")}
    law = bootstrap_sum_law(np.repeat([1, 0], [x, n - x])).scale(1 / n)
    low, high = law.quantile(0.025), law.quantile(0.975)
    centre, sd = law.mean(), law.sd()
    return {
        **found,
        "percentile-bootstrap-ideal": (low, high),
        "basic-bootstrap-ideal": (2 * x / n - high, 2 * x / n - low),
        "oconnor-pm2sd": (centre - 2 * sd, centre + 2 * sd),
    }


@pytest.mark.parametrize("cell", INTERVALS["accuracy_ci_coverage"])
def test_coverage_of_intervals_of_an_accuracy(cell: str) -> None:
    # no false alarm: summed over the binomial law. Ends that equal the true accuracy cover it or not by rounding alone
    n, p = (float(v) for v in re.findall(r"[\d.]+", cell))
    names = list(accuracy_ends(1, 2))
    inside, at_the_end = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
    for x in range(int(n) + 1):
        mass = float(stats.binom.pmf(x, int(n), p))
        for name, (low, high) in accuracy_ends(x, int(n)).items() if mass > 1e-13 else ():
            nearest = min(p - low, high - p)
            inside[name] += mass * (nearest > 1e-12)
            at_the_end[name] += mass * (abs(nearest) <= 1e-12)
    for key, expected in INTERVALS["accuracy_ci_coverage"][cell].items():
        name = key.replace("_", "-")
        assert inside[name] - 1e-9 <= expected <= inside[name] + at_the_end[name] + 1e-9, name


@pytest.mark.slow
@pytest.mark.parametrize("cell", INTERVALS["power_fake_data"])
def test_power_on_right_or_wrong_items(cell: str) -> None:
    # theirs 2,000 replicates; ours are sums over the trinomial law, of the bootstrap 800 replicates
    n, better, worse = (float(v) for v in re.findall(r"[\d.]+", cell))
    power = dict.fromkeys(("mcnemar_exact", "mcnemar_midp", "t"), 0.0)
    cells = discordant(int(n), better, worse)
    for b, c, mass in cells:
        variance = (b + c - (b - c) ** 2 / n) / (n - 1)
        power["mcnemar_exact"] += mass * (DiscordantPairs(b, c).p("exact") <= 0.05)
        power["mcnemar_midp"] += mass * (DiscordantPairs(b, c).p() <= 0.05)
        power["t"] += mass * (t_from((b - c) / n, math.sqrt(variance / n), n - 1).p <= 0.05)
    rng = np.random.default_rng(9)
    drawn = rng.multinomial(int(n), [better, worse, 1 - better - worse], 800)
    bootstrap = tests.make("bootstrap")
    found = [p_of(bootstrap, binary_pairing(int(b), int(c), int(n), settings(999))) <= 0.05 for b, c, _ in drawn]
    power["boot_shift_two_sided"] = float(np.mean(found))
    for name, expected in INTERVALS["power_fake_data"][cell].items():
        ours = 1 / 800 if name.startswith("boot") else 0.0
        slack = 4 * math.sqrt(expected * (1 - expected) * (1 / 2000 + ours))
        assert power[name] == pytest.approx(expected, abs=slack), name
