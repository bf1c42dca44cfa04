"""Our policy for inputs without information: the statistical half of the family ``degenerate_policy``."""

from __future__ import annotations

import math

import numpy as np
import pytest

from outscore.engine.exact import DiscreteLaw, flip_law
from outscore.engine.exact_bootstrap import bootstrap_sum_law
from outscore.engine.extreme import ALTERNATIVES, Alternative, tail_mass
from outscore.significance.discordant import DiscordantPairs
from outscore.significance.means import paired_t
from outscore.significance.two_samples import two_sample_law
from outscore.significance.wilcoxon import wilcoxon
from tests.oracles.support import family, on_lattice

CASES = {case["id"]: case for case in family("degenerate_policy")["cases"]}


def tail(law: DiscreteLaw, observed: float, alternative: Alternative = "two-sided") -> float:
    return tail_mass(law.support, law.mass, observed, alternative=alternative)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_identical_systems_have_p_one_everywhere(alternative: Alternative) -> None:
    case = CASES["identical_systems_paired"]
    (a, b), _ = on_lattice(case["input"]["a"], case["input"]["b"])
    d, expected = a - b, case["expected"]
    assert tail(flip_law(d), 0.0, alternative) == expected["permutation_p_all"]
    assert tail(bootstrap_sum_law(d), 0.0, alternative) == expected["bootstrap_p_all"]
    assert DiscordantPairs.of(d).p("exact", alternative) == expected["sign_p"]
    assert DiscordantPairs(0, 0).p("exact", alternative) == expected["mcnemar_p"]
    assert wilcoxon(d, alternative=alternative).p == expected["wilcoxon_p"]
    t = paired_t(d, alternative=alternative)
    assert (t.statistic, t.p, [t.low, t.high]) == (expected["t_statistic"], expected["t_p"], expected["ci"])
    assert t.degenerate == expected["warn"]


def test_constant_difference_has_infinite_t_but_an_honest_permutation_p() -> None:
    case = CASES["constant_nonzero_difference"]
    d, expected = np.array(case["input"]["a"]) - np.array(case["input"]["b"]), case["expected"]
    law, observed = flip_law(d), float(d.sum())
    assert tail(law, observed, "greater") == expected["permutation_p_greater"]
    assert tail(law, observed) == expected["permutation_p_two_sided"]
    boot = bootstrap_sum_law(d)
    assert tail(boot, 2 * observed, "greater") == expected["bootstrap_shift_p"]
    t = paired_t(d.astype(float))
    assert (str(t.statistic), t.p, t.degenerate) == (
        expected["t_statistic"],
        expected["t_p"],
        expected["warn"],
    )


def test_one_item_gives_a_permutation_p_and_no_t() -> None:
    case = CASES["n1"]
    (a, b), _ = on_lattice(case["input"]["a"], case["input"]["b"])
    law, observed = flip_law(a - b), float((a - b).sum())
    assert tail(law, observed, "greater") == case["expected"]["permutation_p_greater"]
    assert tail(law, observed) == case["expected"]["permutation_p_two_sided"]
    t = paired_t(a - b)
    assert math.isnan(t.statistic)
    assert t.degenerate == case["expected"]["warn"]


def test_no_discordant_pairs() -> None:
    expected = CASES["no_discordant_pairs"]["expected"]
    assert DiscordantPairs(0, 0).p("exact") == expected["mcnemar_exact_p"]
    assert DiscordantPairs(0, 0).p("chi2") == DiscordantPairs(0, 0).p("chi2-cc") == 1.0
    assert math.isnan(DiscordantPairs(0, 0).chi2())
    assert math.isnan(DiscordantPairs(0, 0).chi2(corrected=True))


def test_least_p_that_can_be_reached() -> None:
    n = CASES["min_attainable_p_two_sided"]["input"]["n_nonzero"]
    law = flip_law(np.arange(1, n + 1))
    least = CASES["min_attainable_p_two_sided"]["expected"]["signflip_min_two_sided"]
    assert tail(law, float(law.support.max())) == least
    runs = CASES["runs_min_p"]["input"]["R"]
    relabelled = two_sample_law(range(runs), range(runs, 2 * runs))
    expected = CASES["runs_min_p"]["expected"]["run_permutation_min_two_sided"]
    assert tail(relabelled, float(relabelled.support.max())) == pytest.approx(expected, rel=1e-12)
    n = CASES["mcnemar_min_p"]["input"]["n_discordant"]
    assert DiscordantPairs(2, n - 2).p_min("exact") == CASES["mcnemar_min_p"]["expected"]["exact_two_sided_min"]
