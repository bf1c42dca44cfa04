#!/usr/bin/env python3
"""Pairs of systems that ``rank`` tells apart, beside a studentized bootstrap max-T from sacrebleu's own statistics.

The peer shares nothing with the engine but the edits of TER, which sacrebleu needs an hour to count. Each draw of items
gives every gain of every metric with its error by the delta method in that draw; p of a gain is the share of draws
whose largest studentized deviation reaches it (Westfall and Young 1993). ``--mixtures`` adds systems that take each
segment from one of two others.

The data are the news systems of WMT 2021, as a git directory: https://github.com/wmt-conference/wmt21-news-systems.
"""

from __future__ import annotations

import argparse
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

import outscore
from outscore.metrics.ter import count_shifted_edits

Floats = NDArray[np.float64]
METRICS = ("bleu", "chrf", "ter", "chrf:word_order=2", "bleu:lowercase=yes")
ALPHA, AT_ONCE, STEP = 0.05, 50, 1e-5


def read(repository: Path, pair: str) -> tuple[dict[str, list[str]], list[str]]:
    """Outputs by system, and reference A, of a language pair."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(repository), *arguments]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode("utf-8")

    def lines(path: str) -> list[str]:
        return git("show", f"HEAD:{path}").rstrip("\n").split("\n")

    listed = git("ls-tree", "-r", "--name-only", "HEAD", "txt/system-outputs").split()
    names = [name for name in listed if f".{pair}.hyp." in name]
    target = pair.partition("-")[2]
    systems = {name.partition(".hyp.")[2].removesuffix(f".{target}"): lines(name) for name in names}
    return systems, lines(f"txt/references/newstest2021.{pair}.ref.A.{target}")


def mix(systems: dict[str, list[str]], count: int, seed: int) -> dict[str, list[str]]:
    """The systems, and ``count`` more that take each segment from one of two of them."""
    draw, names, found = np.random.default_rng(seed), list(systems), dict(systems)
    for i in range(count):
        two = [systems[names[k]] for k in draw.choice(len(names), 2, replace=False)]
        found[f"mixture {i}"] = [two[which][j] for j, which in enumerate(draw.integers(0, 2, len(two[0])))]
    return found


def count(metric: str, texts: Sequence[str], reference: Sequence[str]) -> Floats:
    """Statistics of each segment, ``(n, k)``."""
    if metric == "ter":
        words = TER()
        split = [[words._preprocess_segment(text).split() for text in side] for side in (texts, reference)]
        return np.array([(count_shifted_edits(a, b), len(b)) for a, b in zip(*split, strict=True)], dtype=float)
    order = 2 if "order" in metric else 0
    peer: Any = CHRF(word_order=order) if metric.startswith("chrf") else BLEU(lowercase="lowercase" in metric)
    return np.array(peer._extract_corpus_statistics(list(texts), [list(reference)]), dtype=float)


def score(metric: str, sums: Floats) -> Floats:
    """Scores of sums of statistics ``(..., k)``."""
    if metric == "ter":
        return 100 * sums[..., 0] / sums[..., 1]
    if metric.startswith("bleu"):
        lengths, right, claimed = sums[..., :2], sums[..., 2:6], sums[..., 6:10]
        brevity = np.exp(np.minimum(0, 1 - lengths[..., 1] / lengths[..., 0]))
        return 100 * brevity * np.exp(np.log(right / claimed).mean(-1))
    parts = sums.reshape(*sums.shape[:-1], -1, 3)
    precision = (parts[..., 2] / parts[..., 0]).mean(-1)
    recall = (parts[..., 2] / parts[..., 1]).mean(-1)
    return 500 * precision * recall / (4 * precision + recall)


def gradient(metric: str, sums: Floats) -> Floats:
    """Slope of the score in each statistic, by differences."""
    slopes = np.empty_like(sums)
    for i in range(sums.shape[-1]):
        width = np.maximum(np.abs(sums[..., i]) * STEP, STEP / 10)
        above, below = sums.copy(), sums.copy()
        above[..., i] += width
        below[..., i] -= width
        slopes[..., i] = (score(metric, above) - score(metric, below)) / (2 * width)
    return slopes


def gains(statistics: dict[str, Floats], weights: Floats) -> tuple[Floats, Floats]:
    """Gains of all pairs and their errors, each ``(draws, metrics, pairs)``, with items so often as ``weights`` say.

    Args:
        statistics: by metric, ``(systems, items, k)``.
        weights: ``(draws, items)``.
    """
    found: tuple[list[Floats], list[Floats]] = [], []
    for metric, counts in statistics.items():
        systems, items, k = counts.shape
        sums = (weights @ counts.transpose(1, 0, 2).reshape(items, -1)).reshape(len(weights), systems, k)
        of_system, slopes = score(metric, sums), gradient(metric, sums)
        first, second = np.triu_indices(systems, 1)
        variance = np.empty((len(weights), len(first)))
        for draw, weight in enumerate(weights):
            parts = np.einsum("sik,sk->si", counts, slopes[draw])
            parts -= (parts @ weight / items)[:, None]
            products = (parts * weight) @ parts.T
            own = products.diagonal()
            variance[draw] = own[first] + own[second] - 2 * products[first, second]
        found[0].append(of_system[:, first] - of_system[:, second])
        found[1].append(np.sqrt(np.maximum(variance, 0)))
    gain, error = (np.stack(parts, axis=1) for parts in found)
    return gain, error


def max_t(statistics: dict[str, Floats], draws: int, seed: int) -> tuple[Floats, Floats]:
    """Single-step p of every gain, flat, and the largest studentized deviations ``(draws,)``."""
    items = next(iter(statistics.values())).shape[1]
    gain, error = gains(statistics, np.ones((1, items)))
    draw, largest = np.random.default_rng(seed), np.empty(draws)
    for start in range(0, draws, AT_ONCE):
        weights = draw.multinomial(items, np.full(items, 1 / items), size=min(AT_ONCE, draws - start)).astype(float)
        again, spread = gains(statistics, weights)
        largest[start : start + len(weights)] = np.abs((again - gain) / spread).reshape(len(weights), -1).max(1)
    reached = np.searchsorted(np.sort(largest), np.abs(gain / error).ravel(), side="left")
    return (1 + draws - reached) / (1 + draws), largest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repository", type=Path, help="git directory of wmt21-news-systems")
    parser.add_argument("--pair", default="zh-en", help="languages (default zh-en)")
    parser.add_argument("--metrics", default=";".join(METRICS), help="of the board, separated by semicolons")
    parser.add_argument("--mixtures", type=int, default=0, help="systems to add (default 0)")
    parser.add_argument("--draws", type=int, default=100_000, help="of the peer (default 10^5)")
    parser.add_argument("--seed", type=int, default=7, help="of the mixtures and the draws")
    arguments = parser.parse_args()
    systems, reference = read(arguments.repository, arguments.pair)
    systems, metrics = mix(systems, arguments.mixtures, arguments.seed), arguments.metrics.split(";")
    found = outscore.rank(systems, references=reference, metrics=metrics)
    ours = sum(pair.p_adjusted <= ALPHA for pair in found.pairs)
    verdicts = ", ".join(f"{verdict} {n}" for verdict, n in Counter(pair.verdict for pair in found.pairs).items())
    print(
        f"{len(systems)} systems, {len(reference)} items, {len(found.pairs)} gains: {ours} by p; {verdicts}", flush=True
    )
    statistics = {m: np.stack([count(m, texts, reference) for texts in systems.values()]) for m in metrics}
    p, largest = max_t(statistics, arguments.draws, arguments.seed)
    print(f"peer: {int(np.sum(p <= ALPHA))} of {len(p)}, critical value {np.quantile(largest, 1 - ALPHA):.3f}")


if __name__ == "__main__":
    main()
