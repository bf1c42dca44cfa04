"""Family-wise error of corrections under the complete null hypothesis, through the public ``compare``.

False alarms: 1e-6 for each bound (see ``support``).
"""

from __future__ import annotations

import numpy as np
import pytest

import outscore
from outscore.base.arrays import Float
from tests.laws.support import ALPHA, least, most, repeated


def correlated(rng: np.random.Generator, n: int, m: int, rho: float) -> Float:
    """Normal scores of m metrics that share a part, ``(m, n)``."""
    return np.asarray(np.sqrt(rho) * rng.normal(size=n) + np.sqrt(1 - rho) * rng.normal(size=(m, n)))


def any_rejected(p_adjusted: list[float | None]) -> bool:
    return min(p for p in p_adjusted if p is not None) <= ALPHA


def family_wise(correction: str, reps: int, *, n: int = 100, m: int = 5, rho: float = 0.9, seed: int = 0) -> float:
    """Share of comparisons of two equal systems under m metrics in which anything is rejected."""
    rng = np.random.default_rng(seed)
    wrong = 0
    for k in range(reps):
        frame = {name: {f"m{j}": row for j, row in enumerate(correlated(rng, n, m, rho))} for name in ("base", "new")}
        result = outscore.compare(
            table(frame), metrics=[f"m{j}" for j in range(m)], test="t", n_resamples=499, correction=correction, seed=k
        )
        wrong += any_rejected([pair.p_adjusted for pair in result.pairs])
    return wrong / reps


def table(systems: dict[str, dict[str, Float]]) -> object:
    """A data frame with one row for each system and item."""
    pandas = pytest.importorskip("pandas")
    parts = []
    for name, columns in systems.items():
        n = len(next(iter(columns.values())))
        parts.append(pandas.DataFrame({"system": [name] * n, "item": [str(i) for i in range(n)], **columns}))
    return pandas.concat(parts, ignore_index=True)


@pytest.mark.parametrize("correction", ["holm", "max-t"])
@repeated(60, 250)
@pytest.mark.slow
def test_corrections_hold_the_family_wise_error_over_correlated_metrics(correction: str, reps: int) -> None:
    # true rates: holm .025 to .04, max-t .05 to .06 (oracle ``sim_other``: .025 and .052 at n = 100, rho = .9)
    assert family_wise(correction, reps) <= most({"holm": 0.04, "max-t": 0.06}[correction], reps)


@repeated(60, 250)
@pytest.mark.slow
def test_without_a_correction_the_family_wise_error_is_that_of_a_free_choice(reps: int) -> None:
    # five independent metrics: 1 - .95^5 = .226
    assert family_wise("none", reps, rho=0.0) >= least(0.2, reps)


@pytest.mark.nightly
@pytest.mark.parametrize(("m", "rho", "holm", "max_t"), [(5, 0.9, 0.0253, 0.0523), (10, 0.0, 0.055, 0.0563)])
def test_family_wise_errors_are_those_of_the_oracle(m: int, rho: float, holm: float, max_t: float) -> None:
    # oracle ``sim_other`` (3,000 replications, n = 100): 4 standard errors, theirs and ours, and .01 for the bootstrap
    # instead of flips; false alarms: 1e-4 at most, seeds are fixed
    reps = 800
    for correction, expected, slack in (("holm", holm, 0.0), ("max-t", max_t, 0.01)):
        measured = family_wise(correction, reps, m=m, rho=rho, seed=3)
        spread = 4 * np.sqrt(expected * (1 - expected) * (1 / 3000 + 1 / reps))
        assert abs(measured - expected) <= spread + slack, (correction, measured)


@repeated(None, 60)
def test_the_joint_correction_wins_power_over_holm_where_metrics_are_correlated(reps: int) -> None:
    # no law but an order on the same data: .285 against .447 for m = 10, rho = .9
    rng = np.random.default_rng(12)
    rejected = dict.fromkeys(("holm", "max-t"), 0)
    for k in range(reps):
        base, new = correlated(rng, 100, 10, 0.9), correlated(rng, 100, 10, 0.9)
        new[0] += 0.4
        frame = table(
            {"base": {f"m{j}": r for j, r in enumerate(base)}, "new": {f"m{j}": r for j, r in enumerate(new)}}
        )
        for correction in rejected:
            result = outscore.compare(
                frame, metrics=[f"m{j}" for j in range(10)], test="t", n_resamples=499, correction=correction, seed=k
            )
            p = result.pairs[0].p_adjusted
            assert p is not None
            rejected[correction] += p <= ALPHA
    assert rejected["max-t"] > rejected["holm"]


def equal_systems(rng: np.random.Generator, n: int, k: int) -> dict[str, list[float]]:
    return {f"s{i}": row.tolist() for i, row in enumerate(rng.normal(size=(k, n)))}


@pytest.mark.slow
def test_the_joint_law_holds_the_family_wise_error_at_twenty_items() -> None:
    # all pairs of seven equal systems by t: .04 with standard errors of resamples; with fixed ones (0.1.0) .16
    rng, reps, wrong = np.random.default_rng(5), 400, 0
    for _ in range(reps):
        found = outscore.compare(
            equal_systems(rng, 20, 7), all_pairs=True, test="t", n_resamples=499, correction="max-t"
        )
        wrong += any_rejected([pair.p_adjusted for pair in found.pairs])
    assert wrong / reps <= most(0.05, reps)


@pytest.mark.slow
def test_the_intervals_of_a_family_cover_together_by_default() -> None:
    # five equal systems against a sixth: .95; each by itself (0.1.0) .77
    rng, reps, missed = np.random.default_rng(6), 300, 0
    for _ in range(reps):
        found = outscore.compare(equal_systems(rng, 100, 6), test="t", n_resamples=499)
        missed += any(pair.ci is not None and not pair.ci[0] <= 0 <= pair.ci[1] for pair in found.pairs)
    assert missed / reps <= most(0.05, reps)


@pytest.mark.parametrize(("n", "correction"), [(19, "holm"), (20, "max-t")])
def test_p_and_interval_of_a_family_agree_from_either_side_of_the_border(n: int, correction: str) -> None:
    rng = np.random.default_rng(7)
    for _ in range(10):
        systems = equal_systems(rng, n, 6)
        systems["s5"] = [value + 1.2 for value in systems["s5"]]
        found = outscore.compare(systems, test="t", n_resamples=499)
        assert found.correction == correction
        for pair in found.pairs:
            assert pair.ci is not None
            assert pair.p_adjusted is not None
            out = pair.ci[0] > 0 or pair.ci[1] < 0
            # Holm steps down and intervals do not: they may hold 0 where it rejects
            assert not out or pair.p_adjusted <= ALPHA
            assert correction == "holm" or out == (pair.p_adjusted <= ALPHA)


@pytest.mark.parametrize("kind", ["apart", pytest.param("shared clusters", marks=pytest.mark.slow)])
@repeated(None, 300)
def test_the_intervals_of_all_domains_cover_together(kind: str, reps: int) -> None:
    # eight domains of 24 items under two equal systems: at most .05; each by itself 1 - .95^8 = .34. Clusters of eight
    # items have one in each domain, so that the gains of domains hang together.
    rng, missed = np.random.default_rng(8), 0
    items = {"domain": [f"d{i % 8}" for i in range(192)]}
    items |= {} if kind == "apart" else {"cluster": [f"c{i // 8}" for i in range(192)]}
    for _ in range(reps):
        shared = 0.0 if kind == "apart" else np.repeat(rng.normal(size=(2, 24)), 8, axis=1)
        base, new = rng.normal(size=(2, 192)) + shared
        found = outscore.compare({"base": base, "new": new}, items=items, n_resamples=999)
        missed += any(gain.ci is not None and not gain.ci[0] <= 0 <= gain.ci[1] for gain in found.buckets)
    assert missed / reps <= most(0.05, reps)


@pytest.mark.slow
def test_the_intervals_of_a_family_cover_together_in_unequal_clusters() -> None:
    # all pairs of three equal systems; three of 40 clusters hold two thirds of the items: .97, each by itself .77
    rng, reps, missed = np.random.default_rng(9), 150, 0
    sizes = [90] * 3 + [4] * 37
    items = {"cluster": [f"c{i}" for i, size in enumerate(sizes) for _ in range(size)]}
    for _ in range(reps):
        systems = {s: np.repeat(rng.normal(0, 0.65, 40), sizes) + rng.normal(0, 0.76, sum(sizes)) for s in "abc"}
        found = outscore.compare(systems, items=items, all_pairs=True, n_resamples=999)
        assert found.correction == "max-t"
        missed += any(pair.ci is not None and not pair.ci[0] <= 0 <= pair.ci[1] for pair in found.pairs)
    assert missed / reps <= most(0.05, reps)


@pytest.mark.slow
@pytest.mark.parametrize(("sizes", "held"), [([90] * 3 + [4] * 37, 0.75), ([10] * 30, 0.90)])
def test_intervals_by_max_t_do_not_hold_together_where_clusters_count_like_few(sizes: list[int], held: float) -> None:
    # as the note max_t_in_clusters says; three equal systems, all pairs, clusters alike within
    rng, reps, missed = np.random.default_rng(11), 150, 0
    items = {"cluster": [f"c{i}" for i, size in enumerate(sizes) for _ in range(size)]}
    for _ in range(reps):
        systems = {
            s: np.repeat(rng.normal(0, 0.65, len(sizes)), sizes) + rng.normal(0, 0.76, sum(sizes)) for s in "abc"
        }
        found = outscore.compare(systems, items=items, all_pairs=True, n_resamples=999, interval="max-t", test="t")
        assert "max_t_in_clusters" in {note.code for note in found.notes} or held > 0.8
        missed += any(pair.ci is not None and not pair.ci[0] <= 0 <= pair.ci[1] for pair in found.pairs)
    assert least(1 - held, reps) <= missed / reps <= most(1 - held, reps)
