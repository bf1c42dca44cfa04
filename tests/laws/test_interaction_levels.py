"""Two equal systems in buckets: how often the test whether their gain differs between buckets says that it does.

False alarms: ``most`` fails a right program with probability 1e-6. The rates of a thousand simulations each stand in
``docs/buckets.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.arrays import Float
from outscore.results.comparison import Comparison
from tests.examples import first
from tests.laws.support import ALPHA, least, most, repeated

Rng = np.random.Generator
FEW: dict[str, Any] = {"n_resamples": 399, "interval": "t"}


def named(sizes: list[int]) -> list[str]:
    """The bucket of each item."""
    return [f"b{i}" for i, size in enumerate(sizes) for _ in range(size)]


def in_column(sizes: list[int], draw: Callable[[Rng, int, int], Float], per_cluster: int = 1) -> Any:
    """Equal systems whose buckets are a column; ``draw`` gives the gains of a bucket by its number and size."""

    def simulate(rng: Rng) -> Comparison:
        gains = np.concatenate([np.repeat(draw(rng, i, size), per_cluster) for i, size in enumerate(sizes)])
        gains = gains + (rng.normal(0, 0.5, len(gains)) if per_cluster > 1 else 0.0)
        base = rng.normal(size=len(gains))
        items = {"kind": list(np.repeat(named(sizes), per_cluster))}
        if per_cluster > 1:
            items["document"] = [f"d{i // per_cluster}" for i in range(len(gains))]
        cluster = "document" if per_cluster > 1 else None
        return outscore.compare(
            {"a": base, "b": base + gains}, items=items, by="kind", test="t", cluster=cluster, **FEW
        )

    return simulate


def normal(rng: Rng, i: int, size: int) -> Float:
    return rng.normal(size=size)


def spreading(rng: Rng, i: int, size: int) -> Float:
    return rng.normal(0, 1 + i / 2, size)


def skewed(rng: Rng, i: int, size: int) -> Float:
    return rng.exponential(1, size) - 1


def spreading_skewed(rng: Rng, i: int, size: int) -> Float:
    return (1 + i / 2) * skewed(rng, i, size)


def rarely(rng: Rng, i: int, size: int) -> Float:
    return rng.choice([-1.0, 0.0, 1.0], size, p=[0.03, 0.94, 0.03])


def across_clusters(rng: Rng) -> Comparison:
    """Each of 40 documents has items in all of four buckets, and a gain of its own in each, and in all."""
    shared = rng.normal(0, 1, (40, 1, 1)) + rng.normal(0, 0.5, (40, 4, 1))
    gains = (shared + rng.normal(0, 1, (40, 4, 3))).ravel()
    base = rng.normal(size=len(gains))
    items = {"kind": [f"b{i // 3 % 4}" for i in range(480)], "document": [f"d{i // 12}" for i in range(480)]}
    return outscore.compare({"a": base, "b": base + gains}, items=items, by="kind", test="t", cluster="document", **FEW)


WORDS = np.array([f"w{i}" for i in range(400)])
RANKS = 1 / np.arange(1, 401)
LIKELY = RANKS / RANKS.sum()


def texts(by: str) -> Callable[[Rng], Comparison]:
    """Two translations that have each word of the reference with the same probability, which falls with its rank."""

    def simulate(rng: Rng) -> Comparison:
        lengths = rng.integers(4, 40, 120)
        references = [rng.choice(400, size, p=LIKELY) for size in lengths]

        def translate(numbers: Any) -> str:
            kept = rng.random(len(numbers)) < 0.85 - 0.3 * numbers / 400
            return " ".join(WORDS[np.where(kept, numbers, rng.choice(400, len(numbers)))])

        systems = {name: [translate(one) for one in references] for name in "ab"}
        plain = [" ".join(WORDS[one]) for one in references]
        return outscore.compare(
            systems, references=plain, metrics="bleu", by=by, test="bootstrap", n_resamples=399, interval="jackknife",
        )  # fmt: skip

    return simulate


TAGS = ("NOUN", "VERB", "ADJ", "DET", "X")


def parses(folder: Path) -> Callable[[Rng], Comparison]:
    """Two taggers that err as often, the more so in hard sentences and on rare tags."""

    def simulate(rng: Rng) -> Comparison:
        sizes = rng.integers(4, 20, 60)
        gold = [rng.choice(5, size, p=[0.35, 0.25, 0.2, 0.15, 0.05]) for size in sizes]
        hard = rng.beta(2, 6, 60)

        def tag(numbers: Any, error: float) -> Any:
            wrong = rng.random(len(numbers)) < error * (1 + numbers / 2)
            return np.where(wrong, (numbers + 1) % 5, numbers)

        def write(name: str, sentences: list[Any]) -> str:
            lines = (
                "\n".join(f"{i}\tw\t_\t{TAGS[t]}\t_\t_\t{i - 1}\tdep\t_\t_" for i, t in enumerate(one, 1))
                for one in sentences
            )
            path = folder / f"{name}.conllu"
            path.write_text("\n\n".join(lines) + "\n\n", encoding="utf-8")
            return str(path)

        files = [f"{name}={write(name, [tag(*one) for one in zip(gold, hard, strict=True)])}" for name in "ab"]
        data = outscore.read(files, references=[write("gold", gold)])
        return outscore.compare(data, metrics="upos", by="pos", n_resamples=399)

    return simulate


def answers(rng: Rng, systems: int = 7) -> dict[str, Float]:
    """Equal systems that answer easy questions more often."""
    easy = rng.beta(1, 1, 200)
    return {f"s{i}": np.asarray(rng.random(200) < easy, dtype=np.float64) for i in range(systems)}


def by_others(rng: Rng) -> Comparison:
    return outscore.compare(answers(rng), metrics="accuracy", by="difficulty", **FEW, correction="none")


CASES: Mapping[str, tuple[Any, float]] = {
    "column": (in_column([20, 50, 100, 300], normal), ALPHA),
    "column, unequal variances": (in_column([20, 50, 100, 300], spreading), ALPHA),
    "column, skewed": (in_column([20, 50, 100, 300], skewed), ALPHA),
    "column, skewed and unequal": (in_column([20, 20, 20, 20, 20], spreading_skewed), 0.10),
    "column, 20 beside 2000": (in_column([20, 2000], skewed), ALPHA),
    "column, five of 10 that seldom differ": (in_column([10] * 5, rarely), ALPHA),
    "column, large": (in_column([200, 300, 1000], skewed), 0.06),
    "clusters in buckets": (in_column([10, 15, 20], normal, per_cluster=6), ALPHA),
    "clusters in buckets, skewed": (in_column([10, 15, 20], skewed, per_cluster=6), ALPHA),
    "clusters across buckets": (across_clusters, ALPHA),
    "length": (texts("length:parts=4"), 0.06),
    "frequency": (texts("frequency:word=mean,parts=3"), 0.06),
}
"""The level that the rate of each is held against: above .05 where the test is known to be off."""


def rejects(found: Comparison) -> bool:
    p = found.interactions[0].p_value
    return p is not None and p <= ALPHA


QUICK = ("column", "column, five of 10 that seldom differ")
SLOW = ("column, skewed", "clusters across buckets", "length")
"""Of each kind one; the others are nightly."""


@pytest.mark.parametrize(
    "case",
    [
        *first([case for case in CASES if case not in SLOW], *QUICK),
        *(pytest.param(case, marks=pytest.mark.slow) for case in SLOW),
    ],
)
@repeated(30, 200, 1000)
def test_the_test_of_buckets_holds_its_level(case: str, reps: int) -> None:
    simulate, level = CASES[case]
    rng = np.random.default_rng(24)
    rate = sum(rejects(simulate(rng)) for _ in range(reps)) / reps
    assert rate <= most(level, reps)


@repeated(None, 200, 1000)
def test_the_test_of_parts_of_speech_holds_its_level(reps: int, tmp_path: Path) -> None:
    rng, simulate = np.random.default_rng(25), parses(tmp_path)
    rate = sum(rejects(simulate(rng)) for _ in range(reps)) / reps
    assert rate <= most(ALPHA, reps)


@repeated(None, 200, 1000)
def test_the_test_of_difficulty_by_other_systems_holds_its_level(reps: int) -> None:
    rng = np.random.default_rng(26)
    rate = sum(rejects(by_others(rng)) for _ in range(reps)) / reps
    assert rate <= most(ALPHA, reps)


def test_buckets_made_of_what_the_compared_systems_scored_find_differences_of_equal_systems() -> None:
    # the reason why difficulty is refused without five other systems: a half of the buckets is where one was wrong
    rng, reps, found = np.random.default_rng(27), 20, 0
    for _ in range(reps):
        systems = dict(list(answers(rng).items())[:2])
        items = {"right": ["right" if one else "wrong" for one in systems["s0"]]}
        found += rejects(outscore.compare(systems, items=items, metrics="accuracy", by="right", **FEW))
    assert found / reps >= least(0.95, reps)


@repeated(30, 300)
def test_the_test_of_buckets_finds_a_difference(reps: int) -> None:
    # two buckets of 60 whose gains are 0.7 deviations apart: Welch's t has a power of .97
    simulate = in_column([60, 60], lambda rng, i, size: rng.normal(0.7 * i, 1, size))
    rng = np.random.default_rng(28)
    assert sum(rejects(simulate(rng)) for _ in range(reps)) / reps >= least(0.93, reps)
