"""The audit, run over what a comparison does by itself on data of many kinds, convicts nothing that prints no note."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

import outscore
from tests.examples import first

Given = tuple[Any, dict[str, Any]]
"""Data, and the options that say what they are."""

SIZES = (20, 50, 200, 2000)
ROUNDS, AGAIN = 300, 1000
NO_WARNING = frozenset(
    {
        "single_run",
        "not_exact",
        "saddlepoint",
        "decision_unstable",
        "alpha_unattainable",
        "p_and_interval",
        "runs_fixed",
        "test_set_fixed",
    }
)
"""Notes that do not say that a level or a coverage may be missed."""


def _documents(n: int, members: int) -> dict[str, Any]:
    return {"items": {"document": [f"d{i // members}" for i in range(n)]}, "cluster": "document"}


def right_or_wrong(rng: np.random.Generator, n: int) -> Given:
    easy = rng.beta(2, 1, n)
    return {s: (rng.random(n) < easy).astype(int).tolist() for s in ("base", "new")}, {"metrics": "accuracy"}


def marks(rng: np.random.Generator, n: int) -> Given:
    return {s: (rng.binomial(4, 0.5, n) + 1).tolist() for s in ("base", "new")}, {}


def normal(rng: np.random.Generator, n: int) -> Given:
    items = rng.normal(size=n)
    return {s: items + rng.normal(size=n) for s in ("base", "new")}, {}


def skewed(rng: np.random.Generator, n: int) -> Given:
    base = rng.normal(size=n)
    return {"base": base, "new": base + rng.exponential(size=n) - 1}, {}


def rare_gains(rng: np.random.Generator, n: int) -> Given:
    base = rng.integers(0, 10, n)
    moved = rng.choice([9, -1, 0], p=[0.01, 0.09, 0.9], size=n)
    moved[:3] = (1, -1, -1)  # there is always something to test
    return {"base": base.tolist(), "new": (base + moved).tolist()}, {}


def clusters(rng: np.random.Generator, n: int) -> Given:
    def system() -> Any:
        return rng.normal(size=n // 5).repeat(5) + rng.normal(size=n)

    return {s: system() for s in ("base", "new")}, _documents(n, 5)


def clusters_right_or_wrong(rng: np.random.Generator, n: int) -> Given:
    def system() -> list[int]:
        return [int(x) for x in rng.random(n) < rng.beta(2, 1, n // 5).repeat(5)]

    return {s: system() for s in ("base", "new")}, {"metrics": "accuracy", **_documents(n, 5)}


def unequal_clusters(rng: np.random.Generator, n: int) -> Given:
    """One cluster of half of the items of every forty, and others of two."""
    labels = [f"{i // 40} {max(0, i % 40 - 18) // 2}" for i in range(n)]
    numbers = np.unique(labels, return_inverse=True)[1]
    values = {s: (rng.normal(size=n)[numbers] + rng.normal(size=n)) for s in ("base", "new")}
    return values, {"items": {"document": labels}, "cluster": "document"}


def _counted(both: dict[str, tuple[Any, Any, Any]], **options: Any) -> Given:
    frames = [
        pl.DataFrame({"system": name, "item": np.arange(len(tp)), "tp": tp, "fp": fp, "fn": fn})
        for name, (tp, fp, fn) in both.items()
    ]
    return pl.concat(frames), options


def _f1(rng: np.random.Generator, n: int, kinds: Sequence[tuple[Any, float]]) -> Given:
    gold = 1 + rng.poisson(2, n)
    both = {}
    for name, (found, wrong) in zip(("base", "new"), kinds, strict=True):
        hits = rng.binomial(gold, found)
        both[name] = (hits, rng.poisson(wrong * gold), gold - hits)
    return _counted(both, metrics="f1")


def f1(rng: np.random.Generator, n: int) -> Given:
    return _f1(rng, n, [(0.7, 0.3), (0.7, 0.3)])


def f1_mirrored(rng: np.random.Generator, n: int) -> Given:
    return _f1(rng, n, [(0.45, 0.05), (0.9, 1.1)])


def f1_in_clusters(rng: np.random.Generator, n: int) -> Given:
    data, options = _f1(rng, n, [(rng.beta(2.8, 1.2, n // 5).repeat(5), 0.3) for _ in range(2)])
    documents = np.tile(np.arange(n) // 5, 2)
    return data.with_columns(cluster=pl.Series(documents).cast(pl.String)), options | {"cluster": "cluster"}


def precision_of_more_claims(rng: np.random.Generator, n: int) -> Given:
    both = {}
    for name, claims in (("base", 1), ("new", 5)):
        hits = rng.binomial(claims, 0.7, n)
        both[name] = (hits, claims - hits, np.zeros(n, dtype=int))
    return _counted(both, metrics="precision:average=micro")


def precision_of_few_claims(rng: np.random.Generator, n: int) -> Given:
    both = {}
    for name, often in (("base", 1.0), ("new", 0.05)):
        claims = rng.poisson(often, n)
        claims[0] += not claims.any()
        hits = rng.binomial(claims, 0.95)
        both[name] = (hits, claims - hits, np.zeros(n, dtype=int))
    return _counted(both, metrics="precision:average=micro")


def _texts(rng: np.random.Generator, n: int, metric: str) -> Given:
    references = [[f"w{w}" for w in rng.zipf(1.3, 5 + rng.poisson(12)) % 5000] for _ in range(n)]

    def output(words: list[str]) -> str:
        kept = [word if rng.random() < 0.7 else f"x{rng.integers(5000)}" for word in words if rng.random() < 0.95]
        return " ".join(kept or ["x"])

    data = {s: [output(words) for words in references] for s in ("base", "new")}
    return data, {"references": [" ".join(words) for words in references], "metrics": metric}


def bleu(rng: np.random.Generator, n: int) -> Given:
    return _texts(rng, n, "bleu")


def chrf(rng: np.random.Generator, n: int) -> Given:
    return _texts(rng, n, "chrf")


def ter(rng: np.random.Generator, n: int) -> Given:
    return _texts(rng, n, "ter")


def _runs(rng: np.random.Generator, n: int, numbers: tuple[int, int]) -> Given:
    items = rng.normal(size=n)

    def system(number: int) -> Any:
        return items + rng.normal(size=n) / 2 + rng.normal(size=(number, 1)) / np.sqrt(n) + rng.normal(size=(number, n))

    return {s: system(number) for s, number in zip(("base", "new"), numbers, strict=True)}, {}


def three_runs(rng: np.random.Generator, n: int) -> Given:
    return _runs(rng, n, (3, 3))


def runs_2_and_20(rng: np.random.Generator, n: int) -> Given:
    return _runs(rng, n, (20, 2))


def epochs_right_or_wrong(rng: np.random.Generator, n: int) -> Given:
    """Three answers of each system to each item, told apart by a column that real tools call epoch."""
    both = []
    for name in ("base", "new"):
        right = rng.binomial(1, rng.beta(2, 1, n)[:, None], (n, 3)).ravel()
        places = {"item": np.arange(n).repeat(3), "epoch": np.tile([1, 2, 3], n)}
        both.append(pl.DataFrame({"system": [name] * 3 * n, **places, "score": right}))
    return pl.concat(both), {}


def ranking(rng: np.random.Generator, n: int) -> Given:
    gold = [str(x) for x in rng.integers(0, 2, n)]
    gold[:2] = ["0", "1"]
    scores = {s: [f"{float(g) + rng.normal():.6f}" for g in gold] for s in ("base", "new")}
    return scores, {"references": gold, "metrics": "auc"}


DATA: tuple[Callable[[np.random.Generator, int], Given], ...] = (
    right_or_wrong, marks, normal, skewed, rare_gains, clusters, clusters_right_or_wrong, unequal_clusters, f1,
    f1_mirrored, f1_in_clusters, precision_of_more_claims, precision_of_few_claims, bleu, chrf, ter, three_runs,
    runs_2_and_20, epochs_right_or_wrong, ranking,
)  # fmt: skip
CHEAP = (right_or_wrong, normal, clusters, clusters_right_or_wrong, f1_in_clusters, three_runs)


def convicted(data: Any, options: dict[str, Any], rounds: int, seed: int) -> list[str]:
    found = outscore.audit(data, **options, rounds=rounds, seed=seed, n_resamples=999, jobs=1)
    return [
        f"{check.test} ({check.kind}): level {check.level} {check.verdict}, {check.ci_method} {check.coverage} "
        f"{check.coverage_verdict}"
        for check in found.checks
        if check.verdict == "too often" or check.coverage_verdict == "too low"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("n", first(SIZES, 50))
@pytest.mark.parametrize("drawn", first(DATA, *CHEAP), ids=lambda drawn: drawn.__name__)
def test_what_the_audit_convicts_prints_a_note(drawn: Callable[[np.random.Generator, int], Given], n: int) -> None:
    """A row is convicted by chance in one case of two hundred; twice, with other seeds, in one of 40,000."""
    data, options = drawn(np.random.default_rng(n), n)
    first = convicted(data, options, ROUNDS, 1)
    if not first:
        return
    again = convicted(data, options, AGAIN, 2)
    notes = {note.code for note in outscore.compare(data, **options).notes if not note.code.startswith("auto_")}
    assert not again or notes - NO_WARNING, again
