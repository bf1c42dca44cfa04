#!/usr/bin/env python3
"""Power of the default beside the best peer that is valid there, in the same sets: how often each finds the gain."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from holds.ratios import _pair
from inputs import Inputs
from scipy import stats

import outscore
from outscore.base.arrays import Float

ALPHA, DRAWS = 0.05, 199
Sets = Iterator[tuple[float, float]]
"""p of the default and of the peer, for each set."""


def _p(a: object, b: object, **options: object) -> float:
    return float(outscore.compare({"a": a, "b": b}, **{"n_resamples": DRAWS, **options}).pairs[0].p_value)


def answers(n: int, rounds: int) -> Sets:
    """Right and wrong answers, right together for the most part; the peer is t of the differences."""
    for i in range(rounds):
        draw = np.random.default_rng([n, i])
        both, apart = draw.random(n) < 0.5, draw.random(n) < 0.4
        a, b = (np.where(apart, draw.random(n) < share, both).astype(float) for share in (0.35, 0.7))
        yield _p(a, b), stats.ttest_rel(b, a).pvalue


def clusters(size: int, rounds: int) -> Sets:
    """Twenty clusters; the peer is t of their means."""
    for i in range(rounds):
        draw = np.random.default_rng([7, i])
        of_item = np.repeat(np.arange(20), size)
        gain = 0.35 + 0.5 * draw.normal(size=20)[of_item] + draw.normal(size=20 * size)
        a = draw.normal(size=20 * size)
        means = [gain[of_item == cluster].mean() for cluster in range(20)]
        p = _p(a, a + gain, items={"doc": of_item.tolist()}, cluster="doc")
        yield p, stats.ttest_1samp(means, 0).pvalue


def runs(of_a: int, of_b: int, rounds: int) -> Sets:
    """Runs of two systems whose spread differs, on 50 items; the peer is Welch's t of their means."""
    for i in range(rounds):
        draw = np.random.default_rng([8, of_a, of_b, i])
        skill = draw.normal(size=50)
        a = skill + 0.7 * draw.normal(size=(of_a, 1)) + 0.1 * draw.normal(size=(of_a, 50))
        b = 1.3 + skill + draw.normal(size=(of_b, 1)) + 0.1 * draw.normal(size=(of_b, 50))
        yield _p(a, b), stats.ttest_ind(a.mean(1), b.mean(1), equal_var=False).pvalue


def bleu(segments: int, rounds: int) -> Sets:
    """Two systems of WMT 2022 in some of their segments; the peer relabels them plainly."""
    with TemporaryDirectory() as folder:
        inputs = Inputs.unpacked(Path(folder), None)
        texts = [file.read_text(encoding="utf-8").splitlines() for file in inputs._real]
        reference = inputs.reference.read_text(encoding="utf-8").splitlines()
    for i in range(rounds):
        draw = np.random.default_rng([9, i])
        two = draw.choice(len(texts), 2, replace=False)
        chosen = draw.choice(len(reference), segments, replace=False)
        a, b = ([texts[k][j] for j in chosen] for k in two)
        given = {"references": [reference[j] for j in chosen], "n_resamples": 999}
        yield _p(a, b, **given), _p(a, b, **given, test="randomization")


def f1(recall: tuple[float, float], rounds: int) -> Sets:
    """Micro F1 in 150 items where both claim as many falsely; the peer relabels them plainly."""

    def system(draw: np.random.Generator, gold: Float, share: float) -> Float:
        right = draw.binomial(gold, share)
        return np.stack([2.0 * right, right + draw.poisson(0.3 * gold) + gold], axis=1)

    for i in range(rounds):
        draw = np.random.default_rng([11, i])
        gold = 1 + draw.poisson(2, 150)
        a, b = (system(draw, gold, share) for share in recall)
        yield _pair(a, b).p_value, _pair(a, b, test="randomization").p_value


CASES: dict[str, Callable[[int], Sets]] = {
    "0/1 answers to 20 items, t": lambda rounds: answers(20, rounds),
    "0/1 answers to 50 items, t": lambda rounds: answers(50, rounds),
    "0/1 answers to 200 items, t": lambda rounds: answers(200, rounds),
    "20 clusters of 10, t of means": lambda rounds: clusters(10, rounds),
    "3 and 3 runs, Welch": lambda rounds: runs(3, 3, rounds),
    "5 and 5 runs, Welch": lambda rounds: runs(5, 5, rounds),
    "3 and 5 runs, Welch": lambda rounds: runs(3, 5, rounds),
    "5 and 10 runs, Welch": lambda rounds: runs(5, 10, rounds),
    "BLEU of 150 segments, plain randomization": lambda rounds: bleu(150, rounds),
    "F1 equal, plain randomization": lambda rounds: f1((0.6, 0.6), rounds),
    "F1 with a gain, plain randomization": lambda rounds: f1((0.55, 0.63), rounds),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=500, help="sets of each case (default 500)")
    parser.add_argument("--only", default="", help="cases whose names hold this")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    for name, sets in CASES.items():
        if arguments.only in name:
            found = np.array(list(sets(arguments.rounds))) <= ALPHA
            apart = found[:, 0].astype(float) - found[:, 1]
            ours, peer = found.mean(0)
            error = apart.std(ddof=1) / len(apart) ** 0.5
            print(f"{name}: {ours:.3f} beside {peer:.3f}, {ours - peer:+.3f} ± {error:.3f}", flush=True)


if __name__ == "__main__":
    main()
