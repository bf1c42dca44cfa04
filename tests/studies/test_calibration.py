"""The study ``calibration``: bins, shares and their intervals, the laws of a pool, redrawn test sets, domains."""

from __future__ import annotations

import csv
import itertools
import json
import math
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

import outscore
from outscore.base.errors import UsageError
from outscore.results.study import Findings
from outscore.studies.calibration.bins import Bins, NormalPool, PairTests, Pool, bound_proportion, estimate_proportions

BBK = ((0.00125, 0.0025), (0.0025, 0.005), (0.005, 0.01), (0.01, 0.02), (0.02, 0.04), (0.04, 0.08))
"""The bins of Berg-Kirkpatrick et al. 2012, Table 1."""

SIMULATED = {
    # τ/σ: right in [.04, .06], Φ(1.645 τ/√(σ² + τ²)), share of pairs there, right in the bins above
    0.5: (0.76763, 0.76901, 0.04698, (0.9032, 0.8841, 0.8666, 0.8362, 0.8015, 0.7571)),
    1.0: (0.87888, 0.87760, 0.05580, (0.9801, 0.9717, 0.9580, 0.9389, 0.9087, 0.8658)),
    1.64: (0.92146, 0.91990, 0.05628, (0.9938, 0.9891, 0.9812, 0.9699, 0.9463, 0.9104)),
    2.0: (0.92945, 0.92938, 0.05305, (0.9955, 0.9913, 0.9853, 0.9750, 0.9551, 0.9196)),
    3.0: (0.94183, 0.94067, 0.04315, (0.9972, 0.9945, 0.9892, 0.9810, 0.9652, 0.9321)),
    10.0: (0.94960, 0.94915, 0.01528, (0.9978, 0.9958, 0.9920, 0.9844, 0.9703, 0.9410)),
}
"""Two million simulated tests for each spread, by a plain numpy program (one-sided p of the winner)."""


# bins and shares


def test_a_bin_holds_its_lower_end_and_not_its_upper_one() -> None:
    bins = Bins.of("0.01,0.05", "--bins")
    p = np.array([0.0, 0.0099, 0.01, 0.0499, 0.05, 1.0, math.nan])
    assert bins.assign(p).tolist() == [0, 0, 1, 1, 2, 2, -1]
    assert [bins.name(n) for n in range(len(bins))] == ["0-0.01", "0.01-0.05", "0.05-1"]


@pytest.mark.parametrize("text", ["", "a", "0.5,0.1", "0.1,0.1", "-0.1", "2"])
def test_bins_that_do_not_grow_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--bins"):
        Bins.of(text, "--bins")


def _plain_shares(judged: PairTests, mask: Any, level: float) -> tuple[float, tuple[float, float], tuple[float, float]]:
    """Share, Wilson interval and the interval that knows of systems and test sets, by loops from the definition."""
    pairs = list(itertools.combinations(range(judged.n_systems), 2))
    tests = [(s, pair, judged.right[s, n]) for s in range(len(mask)) for n, pair in enumerate(pairs) if mask[s, n]]
    share = sum(right for *_, right in tests) / len(tests)

    def jackknife(groups: int, inside: Any) -> float:
        without = []
        for g in range(groups):
            left = [right for s, pair, right in tests if not inside(g, s, pair)]
            if left:
                without.append(sum(left) / len(left))
        mean = sum(without) / len(without)
        return float((len(without) - 1) / len(without) * sum((one - mean) ** 2 for one in without))

    variance = jackknife(judged.n_systems, lambda g, s, pair: g in pair)
    variance += jackknife(len(mask), lambda g, s, pair: g == s)

    def wilson(n: float) -> tuple[float, float]:
        z = scipy.stats.norm.isf((1 - level) / 2)
        roots = np.roots([1 + z**2 / n, -2 * share - z**2 / n, share**2])
        low, high = sorted(float(root.real) for root in roots)
        return low, high

    df = min(judged.n_systems, len(mask)) - 1
    wide = scipy.stats.t.isf((1 - level) / 2, df) / scipy.stats.norm.isf((1 - level) / 2)
    worth = max(1.0, variance / (share * (1 - share) / len(tests))) * wide**2
    return share, wilson(len(tests)), wilson(max(1.0, len(tests) / worth))


def test_shares_and_intervals_are_those_of_their_slow_twin() -> None:
    draw = np.random.default_rng(3)
    p, right = draw.random((7, 15)), draw.choice([0.0, 0.5, 1.0], (7, 15), p=[0.2, 0.1, 0.7])
    judged = PairTests(6, p, right, independent=True)
    bins = Bins.of("0.3,0.6", "--bins")
    for mask, found in zip(judged.masks(bins), estimate_proportions(judged, judged.masks(bins), 0.9), strict=True):
        share, wilson, ci = _plain_shares(judged, mask, 0.9)
        assert found.right == pytest.approx(share)
        assert found.wilson == pytest.approx(wilson)
        assert found.ci == pytest.approx(ci)
        assert found.ties == int((right[mask] == 0.5).sum())


def test_intervals_know_that_pairs_share_systems_and_test_sets() -> None:
    draw = np.random.default_rng(4)
    first, second = np.triu_indices(12, 1)
    luck = draw.normal(size=(40, 12))
    right = (luck[:, first] + luck[:, second] + draw.normal(size=(40, 66)) > -1).astype(float)
    judged = PairTests(12, np.full((40, 66), 0.03), right, independent=True)
    (found,) = estimate_proportions(judged, [judged.select(0.0, 1.0)], 0.95)
    assert found.ci is not None
    assert found.wilson is not None
    assert found.ci[1] - found.ci[0] > 1.5 * (found.wilson[1] - found.wilson[0])


@pytest.mark.slow
def test_intervals_over_systems_and_test_sets_cover() -> None:
    # 300 pools of 10 systems on 10 test sets, level 90 %: the jackknife is conservative; 4 sd below 90 % is 83 %
    draw, covered = np.random.default_rng(5), 0
    first, second = np.triu_indices(10, 1)
    for _ in range(300):
        skill, day = draw.normal(size=10), draw.normal(size=(10, 1))
        latent = 0.6 * (skill[first] + skill[second]) + 0.5 * day + draw.normal(size=(10, 45))
        judged = PairTests(10, np.full((10, 45), 0.5), (latent > -1).astype(float), independent=True)
        (found,) = estimate_proportions(judged, [judged.select(0.0, 1.0)], 0.9)
        truth = scipy.stats.norm.cdf(1 / math.sqrt(2 * 0.36 + 0.25 + 1))
        covered += found.ci is not None and found.ci[0] <= truth <= found.ci[1]
    assert covered / 300 > 0.83


def test_without_tests_there_is_no_share() -> None:
    judged = PairTests(3, np.full((2, 3), 0.5), np.ones((2, 3)), independent=True)
    none, everything = estimate_proportions(judged, [judged.select(0.0, 0.1), judged.select(0.0, 1.0)], 0.95)
    assert (none.n, none.right, none.ci) == (0, None, None)
    assert (everything.right, everything.ci) == (1.0, None)  # all right: nothing tells how tests depend on each other


# the laws


@pytest.mark.parametrize("ratio", SIMULATED)
def test_a_normal_pool_is_as_simulated(ratio: float) -> None:
    law = NormalPool(ratio * 0.7, np.full(3, 0.7), "winner")
    right, theory, share, bins = SIMULATED[ratio]
    z = scipy.stats.norm.isf(0.05)
    assert law.proportion_at(0.05) == pytest.approx(theory, abs=1e-5)
    assert law.proportion_at(0.05) == pytest.approx(scipy.stats.norm.cdf(z * ratio / math.sqrt(1 + ratio**2)), abs=1e-9)
    window = law.promise(0.04, 0.06)
    n = 2_000_000 * share
    assert window.mass == pytest.approx(share, abs=4 * math.sqrt(share / 2_000_000))
    assert window.right == pytest.approx(right, abs=4 * math.sqrt(right * (1 - right) / n))
    for ends, said in zip(BBK, bins, strict=True):
        assert law.promise(*ends).right == pytest.approx(said, abs=0.005)


def test_ninety_two_per_cent_is_a_spread_of_164_hundredths() -> None:
    # 869 of 942, Berg-Kirkpatrick et al. 2012, §4.2
    assert NormalPool(1.64, np.ones(1), "winner").proportion_at(0.05) == pytest.approx(869 / 942, abs=0.005)
    # 942 of some 4,000 p-values cannot lie between .04 and .06
    assert bound_proportion(0.04, 0.06, "winner") == pytest.approx(0.078, abs=0.001)
    assert 2 * bound_proportion(0.04, 0.06, "winner") < 942 / 4005


@pytest.mark.parametrize("claim", ["winner", "two-sided"])
def test_a_mixture_is_as_simulated(claim: Any) -> None:
    # 4 standard errors: a false alarm once in some thousand seeds
    draw, n = np.random.default_rng(6), 400_000
    gains, errors = np.array([0.0, 0.3, -1.0, 2.5]), np.array([1.0, 0.5, 0.8, 1.0])
    pair = draw.integers(4, size=n)
    seen = gains[pair] + errors[pair] * draw.normal(size=n)
    p = scipy.stats.norm.sf(np.abs(seen) / errors[pair]) * (1 if claim == "winner" else 2)
    right = np.where(gains[pair] == 0, 0.5, (seen > 0) == (gains[pair] > 0))
    law = Pool.of(gains, errors, claim)
    for low, high in ((0.0, 0.01), (0.04, 0.06), (0.2, 0.4)):
        inside = (p >= low) & (p <= high)
        found, said = right[inside].mean(), law.promise(low, high)
        assert said.mass == pytest.approx(inside.mean(), abs=4 * math.sqrt(inside.mean() / n))
        assert said.right == pytest.approx(found, abs=4 * math.sqrt(0.25 / inside.sum()))
    narrow = law.promise(0.0499, 0.0501).right
    assert law.proportion_at(0.05) == pytest.approx(narrow, abs=1e-3)


def test_the_sign_on_a_second_test_set_is_foretold_from_the_first() -> None:
    # a pool of two kinds of pairs, which no normal law fits; the fit sees the first test set only
    draw = np.random.default_rng(7)
    gains = np.where(draw.random(4000) < 0.5, 0.3, 5.0) * draw.normal(size=4000)
    errors, others = np.ones(4000), np.full(4000, 0.7)
    law = Pool.again(gains + draw.normal(size=4000), errors, others, "winner")
    truth = np.repeat(gains, 100)
    one, two = truth + draw.normal(size=400_000), truth + 0.7 * draw.normal(size=400_000)
    p = scipy.stats.norm.sf(np.abs(one))
    for low, high in ((0.04, 0.06), (0.01, 0.02), (0.0, 1.0)):
        inside = (p >= low) & (p <= high)
        same = (np.sign(one) == np.sign(two))[inside].mean()
        assert law.promise(low, high).right == pytest.approx(same, abs=0.04)


# redrawn test sets


def _table(folder: Path, scores: dict[str, Any], **columns: Any) -> str:
    """A long table of scores."""
    path = folder / "scores.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["system", "item", "score", *columns])
        for system, values in scores.items():
            writer.writerows(
                [system, f"i{n}", value, *(column[n] for column in columns.values())] for n, value in enumerate(values)
            )
    return str(path)


def _scores(systems: int = 6, items: int = 60, seed: int = 1) -> dict[str, Any]:
    draw = np.random.default_rng(seed)
    skill = draw.normal(0, 0.2, systems)
    return {f"s{k}": np.round(skill[k] + draw.normal(size=items), 6) for k in range(systems)}


def _number(value: Any) -> float:
    assert isinstance(value, int | float)
    return float(value)


def _run(data: Any, **options: Any) -> Findings:
    return outscore.study("calibration", data, metrics="mean", jobs=1, test="t", **options)


def test_the_table_counts_what_the_cells_found(tmp_path: Path) -> None:
    scores = _scores()
    found = _run(scores, sizes="20", rounds=7, bins="0.1,0.4", resume=tmp_path)
    cells = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(tmp_path.iterdir())]
    tests = [
        (p, right) for cell in cells for one in cell["found"]["rounds"] for p, right in zip(*one.values(), strict=True)
    ]
    assert len(tests) == 7 * 15
    rows = found.table("mean, 20 items").records()
    for row, (low, high) in zip(rows, ((0, 0.1), (0.1, 0.4), (0.4, 1.1)), strict=True):
        inside = [right for p, right in tests if low <= p < high]
        assert row["tests"] == len(inside)
        assert row["right"] == pytest.approx(sum(inside) / len(inside))
    assert found.n_cells == 2


def test_a_population_of_copies_has_the_p_and_sign_of_itself() -> None:
    # one item many times: whatever is drawn, the gain is the true one, and no test has an answer
    found = _run({"a": np.ones(50), "b": np.zeros(50), "c": np.zeros(50)}, sizes="10", rounds=2)
    assert {note.code for note in found.notes} >= {"no_p", "identical_pairs"}
    last = found.table("mean, 10 items").records()[-1]
    assert (last["tests"], last["ties"], last["right"]) == (2, 2, 0.5)  # b and c are one system


@pytest.mark.slow
def test_shares_of_a_normal_pool_follow_its_law() -> None:
    # 4 standard errors over test sets: a false alarm once in some thousand seeds
    draw = np.random.default_rng(11)
    n, items, spread = 14, 4000, 0.06
    scores = {f"s{k:02d}": draw.normal(0, spread) + draw.normal(size=items) for k in range(n)}
    found = _run(scores, sizes="400", rounds=40, claim="winner", low=0.02, high=0.1)
    right, share = found.findings
    assert right.verdict == "agrees"
    assert abs(_number(right.value) - _number(right.expected)) < 4 * _number(right.error)
    assert _number(share.value) == pytest.approx(_number(share.expected), rel=0.2)
    # the simple formula with the pool's root mean square gain and the standard error of a difference of two means
    means = [float(np.mean(values)) for values in scores.values()]
    gains = [a - b for a, b in itertools.combinations(means, 2)]
    tau, sigma = math.sqrt(np.mean(np.square(gains))), math.sqrt(2 / 400)
    row = found.table("pools").records()[0]
    assert row["spread"] == pytest.approx(tau, rel=1e-9)
    assert row["error"] == pytest.approx(sigma, rel=0.03)
    z = scipy.stats.norm.isf(0.06)
    assert row["normal"] == pytest.approx(scipy.stats.norm.cdf(z * tau / math.hypot(tau, sigma)), abs=0.003)
    assert _number(row["halved"]) < _number(row["own"])


def test_a_test_set_has_whole_clusters_and_as_many_of_each_stratum(tmp_path: Path) -> None:
    scores = _scores(3, 60)
    documents = [f"d{n // 4}" for n in range(60)]
    parts = ["x" if n < 40 else "y" for n in range(60)]
    path = _table(tmp_path, scores, document=documents, part=parts)
    found = _run(outscore.read(path), sizes="6", rounds=3, cluster="document", strata="part")
    assert "test sets of 6 clusters" in found.design
    # σ from cluster means within strata, by loops
    errors = []
    for first, second in itertools.combinations(scores, 2):
        d = np.array(scores[first]) - np.array(scores[second])
        sums = [float(d[n : n + 4].mean()) for n in range(0, 60, 4)]
        squares = sum((one - np.mean(some)) ** 2 for some in (sums[:10], sums[10:]) for one in some)
        errors.append(math.sqrt(squares / 15 / 6))
    assert found.table("pools").records()[0]["error"] == pytest.approx(float(np.median(errors)), rel=1e-6)


def test_runs_are_systems() -> None:
    draw = np.random.default_rng(2)
    found = _run({"a": draw.normal(size=(3, 40)), "b": draw.normal(size=(2, 40))}, sizes="20", rounds=2)
    assert "10 pairs of 5 systems" in found.design


# domains


def _domains(items: int) -> list[str]:
    return [("news", "mail", "web")[n % 3] for n in range(items)]


def test_across_is_its_slow_twin(tmp_path: Path) -> None:
    scores, domains = _scores(7, 90), _domains(90)
    found = _run(outscore.read(_table(tmp_path, scores, domain=domains)), across="domain", bins="0.1,0.5")
    parts = {
        name: {
            s: np.array([v for v, d in zip(values, domains, strict=True) if d == name]) for s, values in scores.items()
        }
        for name in ("news", "mail", "web")
    }
    expected: dict[tuple[str, str, int], list[bool]] = defaultdict(list)
    for source, target in itertools.permutations(parts, 2):
        for a, b in itertools.combinations(scores, 2):
            p = scipy.stats.ttest_rel(parts[source][a], parts[source][b]).pvalue
            here = parts[source][a].mean() > parts[source][b].mean()
            there = parts[target][a].mean() > parts[target][b].mean()
            expected[source, target, 0 if p < 0.1 else 1 if p < 0.5 else 2].append(here == there)
    rows = found.table("bins").records()
    assert len(rows) == 6 * 3
    for number, row in enumerate(rows):
        tests = expected[str(row["source"]), str(row["what"]), number % 3]
        assert (row["tests"], row["ties"]) == (len(tests), 0)
        assert row["right"] == (pytest.approx(sum(tests) / len(tests)) if tests else None)
    together = found.table("together").records()
    assert [row["tests"] for row in together] == [
        sum(len(some) for (_, _, at), some in expected.items() if at == number) for number in range(3)
    ]


def test_one_source_gives_the_published_table(tmp_path: Path) -> None:
    data = outscore.read(_table(tmp_path, _scores(7, 90), domain=_domains(90)))
    found = _run(data, across="domain", source="mail", bins="0.1,0.5")
    table = found.table("mean, from mail")
    assert table.printed
    assert [field.title for field in table.fields] == ["p on mail", "tests", "news", "web"]
    everything = _run(data, across="domain", bins="0.1,0.5").table("mean, from mail")
    assert everything.rows == table.rows


def test_the_law_of_one_domain_holds_where_domains_are_none(tmp_path: Path) -> None:
    # domains by lot: signs agree as often as the law says; over seeds the difference has sd 0.02
    draw = np.random.default_rng(8)
    scores = {f"s{k:02d}": draw.normal(0, 0.08) + draw.normal(size=1200) for k in range(16)}
    found = _run(outscore.read(_table(tmp_path, scores, domain=_domains(1200))), across="domain", claim="winner")
    everything = found.findings[2]
    assert _number(everything.value) == pytest.approx(_number(everything.expected), abs=0.08)


def test_far_away_signs_are_a_toss(tmp_path: Path) -> None:
    # skills on the other domain have nothing to do with those here: 4 sd of 190 dependent pairs
    draw = np.random.default_rng(9)
    scores = {
        f"s{k:02d}": np.concatenate([draw.normal(0, 1) + draw.normal(size=200) for _ in range(2)]) for k in range(20)
    }
    domains = ["here"] * 200 + ["far"] * 200
    found = _run(outscore.read(_table(tmp_path, scores, domain=domains)), across="domain", source="here")
    everything = found.findings[2]
    assert everything.value == pytest.approx(0.5, abs=0.3)
    assert _number(everything.expected) > 0.9


# what it refuses


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"sizes": "x"}, "--sizes"),
        ({"sizes": "1"}, "--sizes"),
        ({"sizes": "2.5"}, "--sizes"),
        ({"sizes": "0.001"}, "less than two"),
        ({"rounds": 1}, "--rounds"),
        ({"low": 0.5, "high": 0.1}, "--low"),
        ({"bins": "2"}, "--bins"),
        ({"source": "news"}, "--across"),
        ({"across": "domain", "sizes": "10"}, "--sizes"),
        ({"across": "domian"}, "domain"),
        ({"across": "domain", "source": "nws"}, "news"),
        ({"across": "document"}, "single item"),
    ],
)
def test_what_cannot_be_done_is_said(options: dict[str, Any], says: str, tmp_path: Path) -> None:
    documents = [f"d{n}" for n in range(60)]
    data = outscore.read(_table(tmp_path, _scores(3), domain=_domains(60), document=documents))
    with pytest.raises(UsageError, match=says):
        _run(data, cluster="none", **options)


def test_one_system_is_refused() -> None:
    with pytest.raises(UsageError, match="pairs"):
        _run({"a": np.arange(20.0)})


def test_a_corpus_metric_is_tested_by_bootstrap() -> None:
    words = ["the", "cat", "sat", "on", "a", "mat", "and", "ate", "fish"]
    draw = np.random.default_rng(10)
    references = [" ".join(draw.choice(words, 8)) for _ in range(40)]
    systems = {
        f"s{k}": [" ".join(w for w in line.split() if draw.random() > 0.1 * k) for line in references]
        for k in range(1, 4)
    }
    found = outscore.study(
        "calibration", systems, references=references, metrics="bleu", jobs=1, sizes="20", rounds=2, n_resamples=200
    )
    assert sum(_number(row["tests"]) for row in found.table("bleu, 20 items").records()) == 6
