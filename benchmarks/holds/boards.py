"""Boards, families and several pairs: error and coverage of whole families, and whether a board finds what is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import outscore
from holds.cell import Cell
from outscore.base.arrays import Float

_POINT = "boards, families, several pairs"
_FEW: dict[str, Any] = {"n_resamples": 999, "progress": None}
_ALPHA = 0.05


def _systems(scores: Float) -> dict[str, list[float]]:
    return {f"s{i}": row.tolist() for i, row in enumerate(scores)}


def _metrics(rng: np.random.Generator, n: int, m: int, skewed: bool) -> Any:
    """Two equal systems under m independent metrics, as a table."""
    import pandas

    gains = rng.exponential(size=(m, n)) - 1 if skewed else rng.normal(size=(m, n))
    columns = {f"m{j}": np.concatenate([np.zeros(n), gain]) for j, gain in enumerate(gains)}
    return pandas.DataFrame({"system": ["a"] * n + ["b"] * n, "item": [*range(n)] * 2, **columns})


def _erring(result: Any) -> float:
    """Whether any corrected p of equal systems is at most alpha."""
    return float(any(p.p_adjusted is not None and p.p_adjusted <= _ALPHA for p in result.pairs))


def _covering(result: Any) -> float:
    """Whether all intervals hold the true gain, 0."""
    return float(all(p.ci is None or p.ci[0] <= 0 <= p.ci[1] for p in result.pairs))


def _of_metrics(n: int, m: int, skewed: bool, judge: Callable[[Any], float]) -> Callable[[np.random.Generator], float]:
    def run(rng: np.random.Generator) -> float:
        table = _metrics(rng, n, m, skewed)
        return judge(outscore.compare(table, metrics=[f"m{j}" for j in range(m)], correction="max-t", **_FEW))

    return run


def _of_board(n: int, k: int, judge: Callable[[Any], float]) -> Callable[[np.random.Generator], float]:
    return lambda rng: judge(outscore.rank(_systems(rng.normal(size=(k, n))), **_FEW))


def _rank_sets(n: int, k: int) -> Callable[[np.random.Generator], float]:
    """All true ranks of systems a tenth of a standard deviation apart lie in their sets."""

    def run(rng: np.random.Generator) -> float:
        scores = rng.normal(size=(k, n)) - 0.1 * np.arange(k)[:, None]
        places = outscore.rank(_systems(scores), **_FEW).places
        return float(all(p.best <= int(p.system[1:]) + 1 <= p.worst for p in places))

    return run


def _five(judge: Callable[[Any], float]) -> Callable[[np.random.Generator], float]:
    """Five equal systems against a sixth, by the default."""
    return lambda rng: judge(outscore.compare(_systems(rng.normal(size=(6, 100))), **_FEW))


def _contradiction(rng: np.random.Generator) -> float:
    """Some interval leaves out 0 although no corrected p is below alpha."""
    found = outscore.compare(_systems(rng.normal(size=(6, 100))), **_FEW)
    return float(not _erring(found) and not _covering(found))


def _disjoint(rng: np.random.Generator) -> float:
    """The share of pairs found among 14 systems far apart in BLEU, whose sampled p are all at their floor."""
    words = rng.integers(500, size=(150, 14))
    reference = [" ".join(f"w{w}" for w in line) for line in words]
    systems = {}
    for i in range(14):
        wrong = rng.random(words.shape) < 0.02 + 0.06 * i
        systems[f"s{i}"] = [" ".join(f"w{w}" for w in line) for line in np.where(wrong, 999, words)]
    found = outscore.rank(systems, references=reference, metrics="bleu", n_resamples=1000)
    return float(np.mean([p.p_adjusted is not None and p.p_adjusted <= _ALPHA for p in found.pairs]))


CELLS = (
    *(
        Cell(
            point=_POINT,
            name=f"{m} {'skewed' if skewed else 'normal'} metrics of two equal systems, {n} items, max-t",
            measure="family-wise error",
            nominal=_ALPHA,
            run=_of_metrics(n, m, skewed, _erring),
        )
        for m, sizes in ((4, (20, 30, 50, 100, 200)), (45, (30, 100)))
        for skewed in (False, True)
        for n in sizes
    ),
    *(
        Cell(
            point=_POINT, name=f"all pairs of {k} equal systems, {n} normal items", measure=measure, nominal=nominal,
            run=_of_board(n, k, judge),
        )
        for k in (4, 10)
        for n in (20, 30, 50, 100, 200, 500)
        for measure, nominal, judge in (
            ("family-wise error", _ALPHA, _erring), ("coverage of all gains", 0.95, _covering),
        )
    ),
    *(
        Cell(
            point=_POINT, name=f"rank sets of five systems, {n} items", measure="coverage of all ranks", nominal=0.95,
            run=_rank_sets(n, 5),
        )
        for n in (30, 100)
    ),
    Cell(point=_POINT, name="five equal systems against a sixth, default", measure="family-wise error", nominal=_ALPHA,
         run=_five(_erring)),
    Cell(point=_POINT, name="five equal systems against a sixth, default", measure="coverage of all gains",
         nominal=0.95, run=_five(_covering)),
    Cell(point=_POINT, name="five equal systems against a sixth, default",
         measure="interval without 0, no corrected p below .05", nominal=0.0, run=_contradiction),
    Cell(point=_POINT, name="14 systems far apart in BLEU, rank -n 1000", measure="share of pairs found", nominal=None,
         run=_disjoint, rounds=300),
)  # fmt: skip
