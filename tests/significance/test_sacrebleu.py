"""sacrebleu's rules made again: equal to the installed sacrebleu bit for bit, whatever blocks the draws come in."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest

from outscore.base.arrays import Float
from outscore.base.items import Items
from outscore.metrics.bleu import Bleu
from outscore.metrics.chrf import Chrf
from outscore.metrics.shared.sacre import SacreMetric
from outscore.metrics.ter import Ter
from outscore.significance import sacrebleu as rule
from outscore.significance.sacrebleu import randomization
from tests.cli.commandline import BASE, NEW, REFERENCES

significance = pytest.importorskip("sacrebleu.significance")


METRICS: tuple[SacreMetric, ...] = (Bleu(), Chrf(), Chrf(word_order=2), Ter())


N = 53  # no multiple of a word of bits


def counted(metric: SacreMetric, outputs: list[str]) -> Float:
    return metric.statistics(Items(n=N, outputs=outputs[:N], references=(REFERENCES[:N],)))


def scorer(metric: SacreMetric) -> rule.Scorer:
    theirs = metric.reference_implementation()

    def score(sums: Any) -> Any:
        return theirs._compute_score_from_stats(sums).score

    return score


def theirs(metric: SacreMetric, kind: str, n: int, seed: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    made = metric.reference_implementation()
    systems = [("Baseline", BASE[:N]), ("new", NEW[:N])]
    _, scores = significance.PairedTest(systems, {"M": made}, [REFERENCES[:N]], test_type=kind, n_samples=n)()
    (name,) = (name for name in scores if name != "System")
    return scores[name]


@pytest.mark.parametrize("cells", [2**24, 32 * N * 3])
@pytest.mark.parametrize("seed", ["12345", "1"])
@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.label)
def test_its_bootstrap_is_made_again(
    metric: SacreMetric, seed: str, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rule, "_CELLS", cells)
    expected = theirs(metric, "bs", 300, seed, monkeypatch)
    base, new = counted(metric, BASE), counted(metric, NEW)
    found = rule.bootstrap(base, new, scorer(metric), 300, int(seed))
    assert (found.p_value, found.mean, found.half_width) == (expected[1].p_value, expected[1].mean, expected[1].ci)
    assert rule.interval(base, scorer(metric), 300, int(seed)) == (expected[0].mean, expected[0].ci)


@pytest.mark.parametrize("cells", [2**24, 32 * N * 3])
@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.label)
def test_its_randomization_is_made_again(metric: SacreMetric, cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule, "_CELLS", cells)
    expected = theirs(metric, "ar", 1000, "12345", monkeypatch)
    found = rule.randomization(counted(metric, BASE), counted(metric, NEW), scorer(metric), 1000, 12345)
    assert found.p_value == expected[1].p_value


def test_ties_that_it_leaves_out_are_counted_beside() -> None:
    """One edit on three of six items: of all 2^6 exchanges those with |d*| as large as |d| are a quarter."""
    base = np.array([[1.0, 10.0], [1.0, 10.0], [1.0, 10.0], [0.0, 10.0], [0.0, 10.0], [0.0, 10.0]])
    new = np.array([[0.0, 10.0]] * 6)
    found = rule.randomization(base, new, lambda sums: float(100 * sums[0] / sums[1]), 4000, 12345)
    assert found.p_value == 1 / 4001
    assert found.with_ties == pytest.approx(0.25, abs=0.03)  # 4 standard errors
    same = rule.bootstrap(base, base, lambda sums: float(100 * sums[0] / sums[1]), 200, 12345)
    assert same.p_value == 1 / 201
    assert same.with_ties == same.two_sided == 1


def test_what_sacrebleu_randomizes_is_held_against_the_difference_of_both_scores() -> None:
    """Exchanging the one item keeps the systems as far apart, which it does not count; four items by enumeration."""

    def score(sums: Float) -> float:
        return float(100 * sums[0] / sums[1])

    one = randomization(np.array([[3.0, 10.0]]), np.array([[4.0, 10.0]]), score, 99, 1)
    assert (one.p_value, one.with_ties) == (1 / 100, 1.0)
    base, new = np.array([[3.0, 10.0], [2.0, 8.0], [6.0, 7.0], [1.0, 6.0]]), np.array([[7.0, 10.0]] * 4)
    gaps = []
    for kept in product([True, False], repeat=4):
        chosen = np.array(kept)[:, None]
        gaps.append(
            abs(score(np.where(chosen, new, base).sum(axis=0)) - score(np.where(chosen, base, new).sum(axis=0)))
        )
    share = sum(gap > gaps[0] for gap in gaps) / 16
    assert 0 < share < 1
    found = randomization(base, new, score, 4000, 12345)
    assert found.p_value == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 4000) + 1 / 4000)
