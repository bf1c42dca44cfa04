"""The toy study: simulations against loops, theory against tables, verdicts against both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import outscore
from outscore.base.errors import UsageError
from outscore.engine.weights import ATOM, bootstrap_counts
from outscore.studies.simulations import laws, simulated
from outscore.studies.simulations import toy_data as toys
from outscore.studies.simulations.simulated import PublishedNumber, SimulatedProportion

SMALL: dict[str, Any] = {
    "rounds": 400,
    "items_each": 40,
    "sizes": "10,30",
    "growth": "20,40",
    "gains": "0,0.3",
    "n_resamples": 199,
}


def test_one_test_and_two_metrics_are_t_tests_one_by_one() -> None:
    found, draw = toys.metrics(np.random.default_rng(5), 30, 12), np.random.default_rng(5)
    x, y = (draw.standard_normal((30, 2, 12)) for _ in range(2))
    for k in range(30):
        p, q = (float(stats.ttest_ind(data[k, 0], data[k, 1]).pvalue) for data in (x, y))
        assert found[toys.ONE][k] == pytest.approx(p, rel=1e-12)
        assert found[toys.INDEPENDENT][k] == pytest.approx(min(p, q), rel=1e-12)


def test_copies_have_the_correlation_that_the_law_takes() -> None:
    draw = np.random.default_rng(1)
    x = draw.standard_normal(200_000)
    for correlation, distort in toys.COPIES.values():
        assert np.corrcoef(x, distort(x, draw))[0, 1] == pytest.approx(correlation, abs=0.01)


def test_parts_are_the_halves_and_the_whole_one_by_one() -> None:
    found, draw = toys.simulate_subsets(np.random.default_rng(5), 20, 10), np.random.default_rng(5)
    metrics = [draw.standard_normal((20, 2, 10)) for _ in range(2)]
    for k in range(20):
        p = [
            [
                float(stats.ttest_ind(x[k, 0, part], x[k, 1, part]).pvalue)
                for part in (slice(10), slice(5), slice(5, 10))
            ]
            for x in metrics
        ]
        for name, used in ((toys.HALVES, (1, 2)), (toys.HALF_OR_WHOLE, (0, 1)), (toys.ALL_PARTS, (0, 1, 2))):
            assert found[name][k] == pytest.approx(min(p[0][i] for i in used), rel=1e-9)
            assert found[f"{name}, two metrics"][k] == pytest.approx(min(q[i] for q in p for i in used), rel=1e-9)


def test_sizes_are_quarters_one_by_one() -> None:
    found, draw = toys.sizes(np.random.default_rng(5), 20, 20), np.random.default_rng(5)
    x = draw.standard_normal((20, 2, 20))
    for k in range(20):
        p = min(float(stats.ttest_ind(x[k, 0, :n], x[k, 1, :n]).pvalue) for n in (5, 10, 15, 20))
        assert found[toys.SIZES][k] == pytest.approx(p, rel=1e-9)


@pytest.mark.slow
def test_p_goes_with_the_likeness_of_two_metrics_only_where_that_varies() -> None:
    found, draw = toys.correlate_copies(np.random.default_rng(7), 400, 12), np.random.default_rng(7)
    for name, varies in ((toys.FIXED, False), (toys.VARYING, True)):
        x = draw.standard_normal((400, 2, 12))
        level = draw.uniform(0.0, 1.0, (400, 1, 1)) if varies else np.full((400, 1, 1), 0.1)
        copy = x + level * draw.standard_normal(x.shape)
        rho = [float(stats.pearsonr(a.ravel(), b.ravel()).statistic) for a, b in zip(x, copy, strict=True)]
        p = [
            min(float(stats.ttest_ind(one, other).pvalue) for one, other in pair) for pair in zip(x, copy, strict=True)
        ]
        assert found[name] == pytest.approx(stats.pearsonr(rho, p).statistic, abs=1e-9)
    large = toys.correlate_copies(np.random.default_rng(1), 5000, 100)
    assert abs(large[toys.FIXED]) < 0.06
    assert large[toys.VARYING] > 0.1


def test_four_sizes_by_the_bootstrap_are_four_bootstraps_of_the_first_items() -> None:
    p = toys.choose_bootstrap_size(np.random.default_rng(3), 60, 20, 199, 5)[toys.SIZES_BOOTSTRAP]
    d = np.random.default_rng(3).standard_normal((20, 60))
    for k, place in ((0, 0), (55, 1)):
        column, found = d[:, k], []
        for n in (5, 10, 15, 20):
            atoms = -(-199 // ATOM)
            counts = [bootstrap_counts(n, 5, place * atoms + atom, f"{n} items") for atom in range(atoms)]
            means = np.concatenate(counts)[:199] @ column[:n] / n
            centre = column[:n].mean()
            found.append((np.sum(np.abs(means - centre) >= abs(centre) - 1e-12) + 1) / 200)
        assert p[k] == pytest.approx(min(found), rel=1e-12)


def test_clusters_are_paired_t_tests_of_items_and_of_means() -> None:
    found, draw = toys.clusters(np.random.default_rng(5), 10, 20), np.random.default_rng(5)
    shared, own = draw.standard_normal((10, 4, 1)), draw.standard_normal((10, 4, 5))
    d = np.sqrt(0.5) * (shared + own)
    for k in range(10):
        assert found[toys.IGNORED][k] == pytest.approx(float(stats.ttest_1samp(d[k].ravel(), 0).pvalue), rel=1e-9)
        assert found[toys.RESPECTED][k] == pytest.approx(
            float(stats.ttest_1samp(d[k].mean(axis=1), 0).pvalue), rel=1e-9
        )


def test_the_bootstrap_is_that_of_loops() -> None:
    n, resamples = 12, 40
    found, draw = toys.simulate_bootstrap(np.random.default_rng(5), 5, n, resamples, 9), np.random.default_rng(5)
    d = draw.standard_normal((n, 10))
    counts = np.concatenate([bootstrap_counts(n, 9, atom) for atom in range(-(-resamples // ATOM))])[:resamples]
    p = []
    for column in range(10):
        mean = sum(d[:, column]) / n
        beyond = 0
        for row in counts:
            moved = sum(w * x for w, x in zip(row, d[:, column], strict=True)) / n - mean
            beyond += abs(moved) >= abs(mean) - 1e-12
        p.append((beyond + 1) / (resamples + 1))
    assert found["bootstrap"] == pytest.approx(p[:5])
    assert found["bootstrap, two metrics"] == pytest.approx([min(p[k], p[k + 5]) for k in range(5)])


def test_looks_at_known_variance_come_to_the_table_of_armitage_mcpherson_and_rowe() -> None:
    # Journal of the Royal Statistical Society A 132:235 (1969), Table 2
    for k, expected in {1: 0.05, 2: 0.083, 3: 0.107, 4: 0.126, 5: 0.142, 10: 0.193}.items():
        assert 1 - laws.p_none(0.05, range(1, k + 1)) == pytest.approx(expected, abs=0.0005)


@pytest.mark.parametrize("level", [0.05, 0.01])
def test_two_looks_are_two_correlated_metrics(level: float) -> None:
    for correlation in (0.3, 0.7, 0.95):
        analyses = 1 - laws.p_none(level, (correlation**2, 1))
        assert analyses == pytest.approx(laws.p_any(level, 2, correlation), abs=1e-9)


def test_free_choice_comes_to_the_outside_numbers(data_root: Path) -> None:
    # scipy quadrature, see the file
    for case in json.loads((data_root / "oracle" / "free_choice_fpr.json").read_text(encoding="utf-8"))["cases"]:
        given = case["input"]
        found = [laws.p_any(level, given["k"], given["rho"]) for level in given["alphas"]]
        assert found == pytest.approx(case["expected"]["prob_min_p_le"], rel=1e-6)


def test_laws_are_those_of_normal_draws() -> None:
    # 4 errors of 200,000 draws: 6 false alarms in 100,000 for each of 7 numbers
    draw = np.random.default_rng(3)
    z = draw.standard_normal((200_000, 4))
    c = laws.critical(0.05)
    halves = (np.abs(z[:, :2]) > c).any(axis=1) | (np.abs(z[:, 0] + z[:, 1]) > c * np.sqrt(2))
    assert _share(halves).is_near(laws.p_subset_or_whole(0.05))
    for k, rho, shift in ((3, 0.6, 0.0), (2, 0.9, 1.0), (4, 0.0, 0.5)):
        own = np.sqrt(rho) * draw.standard_normal((200_000, 1)) + np.sqrt(1 - rho) * z[:, :k] + shift
        assert _share((np.abs(own) > c).any(axis=1)).is_near(laws.p_any(0.05, k, rho, shift))
    walk = z.cumsum(axis=1) + 0.3 * np.arange(1, 5)
    sure = np.abs(walk) / np.sqrt(np.arange(1, 5)) > c
    assert _share(sure[:, :-1].any(axis=1) & ~sure[:, -1]).is_near(laws.p_loss(0.05, (1, 2, 3, 4), 0.3))
    assert _share(~sure.any(axis=1)).is_near(laws.p_none(0.05, (1, 2, 3, 4), 0.3))
    assert _share(np.abs(z[:, 0] * np.sqrt(3)) > c).is_near(laws.p_inflated(0.05, 3.0))


def _share(hits: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> SimulatedProportion:
    return SimulatedProportion(hits=int(hits.sum()), rounds=len(hits))


def test_verdicts_are_computed() -> None:
    share = SimulatedProportion(hits=700, rounds=10_000)
    assert share.is_near(0.075) and not share.is_near(0.09)
    assert share.compare(0.075, 0.01) == "agrees", "half a point away, and 4.4 thousandths of error"
    assert share.compare(0.077, 0.01) == "cannot tell" and share.compare(0.09, 0.01) == "differs"

    def printed(value: float, unit: float, rounds: int | None = 1000) -> str:
        once = PublishedNumber(value=value, source="", unit=unit, rounds=rounds)
        return share.compare_printed(once, {0.019: 0.0199, 0.0975: 0.0975}.get(value, 0.07))

    assert printed(0.1, 0.001) == "differs", "three points are 3.7 errors"
    assert printed(0.085, 0.001) == "cannot tell" and printed(0.072, 0.001) == "agrees"
    assert printed(0.019, 0.001, None) == "differs", "what was computed has no error"
    assert printed(0.0975, 0.0001, None) == "agrees"
    once = PublishedNumber(value=0.1, source="", unit=0.001, rounds=1000)
    assert simulated.make_finding("x", share, expected=0.07, printed=once, differs="why").verdict == "differs"
    assert simulated.make_finding("x", share, expected=0.07, printed=once, differs="why").reason == "why"
    assert simulated.make_finding("x", share, expected=0.2).verdict == "differs"
    assert simulated.make_finding("x", share).verdict == ""
    assert SimulatedProportion(hits=0, rounds=100).error > 0


@pytest.mark.slow
def test_the_study_finds_the_same_with_any_number_of_jobs() -> None:
    one, two = (outscore.study("toys", jobs=jobs, seed=3, **SMALL) for jobs in (1, 2))
    assert one.to_json() == two.to_json()
    one.check_whole()
    assert {figure.name for figure in one.figures} == {"p", "correlation", "bootstrap"}
    lawless = [found.what for found in one.findings if found.expected is None]
    assert all(found.error for found in one.findings)
    assert len(lawless) == 3 and lawless[0] == "four sample sizes, by the bootstrap, p ≤ 0.05"


def test_published_numbers_stand_only_beside_the_sizes_of_the_source() -> None:
    other = outscore.study("toys", jobs=1, **SMALL)
    assert not [found for found in other.findings if "Søgaard" in found.source]
    same = outscore.study("toys", jobs=1, **{**SMALL, "items_each": 100})
    assert {found.published for found in same.findings if found.what == "one test, p ≤ 0.05"} == {0.048}


@pytest.mark.parametrize(
    "wrong",
    [
        {"rounds": 0},
        {"rounds": 1},
        {"rounds": 5001},
        {"items_each": 30},
        {"levels": "0.05,x"},
        {"levels": "0.9"},
        {"sizes": ""},
        {"growth": "50.5"},
        {"gains": "-1"},
    ],
)
def test_options_out_of_range_are_refused_in_one_line(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        outscore.study("toys", jobs=1, **wrong)
    assert "\n" not in str(caught.value)


@pytest.mark.nightly
def test_all_of_it_agrees_with_theory() -> None:
    # 4 errors each, and about 60 numbers: a false alarm in 250 seeds
    result = outscore.study("toys", jobs=2, rounds=20_000, n_resamples=999)
    for found in result.findings:
        assert "does not follow" not in found.reason, found
    said = {found.what: found.verdict for found in result.findings}
    assert said["noise of sd 0.1, p ≤ 0.05"] == said["10 % of values replaced, p ≤ 0.05"] == "differs"
    assert said["one test, p ≤ 0.05"] == said["two random halves, p ≤ 0.05"] == "agrees"
    assert said["two independent metrics, p ≤ 0.01"] == "differs"
