"""Coefficients of agreement from their definitions, in plain loops over units and pairs of ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, permutations

import numpy as np

from outscore.agreement.ratings import LabelTable

Rows = list[list[int | None]]
"""Labels 0 .. q - 1 by unit and rater, None where there is none."""

Credit = Callable[[int, int], float]


def same(one: int, other: int) -> float:
    return float(one == other)


def linear(q: int) -> Credit:
    return lambda one, other: 1 - abs(one - other) / (q - 1)


def quadratic(q: int) -> Credit:
    return lambda one, other: 1 - (one - other) ** 2 / (q - 1) ** 2


def there(row: Sequence[int | None]) -> list[int]:
    return [label for label in row if label is not None]


def observed(rows: Rows, credit: Credit) -> float:
    """The mean over units with two ratings of the share of ordered pairs that agree."""
    shares = []
    for row in map(there, rows):
        if len(row) > 1:
            pairs = list(permutations(row, 2))
            shares.append(sum(credit(one, other) for one, other in pairs) / len(pairs))
    return sum(shares) / len(shares)


def shares_of(rows: Rows, q: int) -> list[float]:
    """The mean over all units of the share of each label."""
    return [sum(there(row).count(k) / len(there(row)) for row in rows) / len(rows) for k in range(q)]


def corrected(agreed: float, chance: float) -> float:
    return (agreed - chance) / (1 - chance)


def fleiss(rows: Rows, q: int, credit: Credit = same) -> float:
    p = shares_of(rows, q)
    chance = sum(p[k] * p[m] * credit(k, m) for k in range(q) for m in range(q))
    return corrected(observed(rows, credit), chance)


def gwet(rows: Rows, q: int, credit: Credit = same) -> float:
    total = sum(credit(k, m) for k in range(q) for m in range(q))
    chance = total / (q * (q - 1)) * sum(p * (1 - p) for p in shares_of(rows, q))
    return corrected(observed(rows, credit), chance)


def bennett(rows: Rows, q: int, credit: Credit = same) -> float:
    chance = sum(credit(k, m) for k in range(q) for m in range(q)) / q**2
    return corrected(observed(rows, credit), chance)


def conger(rows: Rows, q: int, credit: Credit = same) -> float:
    """The chance agreement of every two raters from frequencies of their own, averaged over the pairs."""
    own = []
    for rater in range(len(rows[0])):
        given = [row[rater] for row in rows if row[rater] is not None]
        own.append([given.count(k) / len(given) for k in range(q)])
    by_pair = [
        sum(one[k] * other[m] * credit(k, m) for k in range(q) for m in range(q)) for one, other in combinations(own, 2)
    ]
    return corrected(observed(rows, credit), sum(by_pair) / len(by_pair))


def cohen(rows: Rows, q: int, credit: Credit = same) -> float:
    both = [(one, other) for one, other in rows if one is not None and other is not None]
    agreed = sum(credit(one, other) for one, other in both) / len(both)
    first, second = Counter(one for one, _ in both), Counter(other for _, other in both)
    chance = sum(first[k] * second[m] * credit(k, m) for k in range(q) for m in range(q)) / len(both) ** 2
    return corrected(agreed, chance)


def krippendorff(rows: Rows, numbers: Sequence[float], distance: str = "nominal") -> float:
    """1 - Do/De over all pairs of values, those of a unit with m ratings weighted by 1 / (m - 1)."""
    units = [there(row) for row in rows if len(there(row)) > 1]
    values = [label for unit in units for label in unit]
    n, count = len(values), Counter(values)

    def apart(c: int, k: int) -> float:
        x, y = numbers[c], numbers[k]
        if distance == "ordinal":
            between = sum(count[g] for g in range(min(c, k), max(c, k) + 1)) - (count[c] + count[k]) / 2
            return between**2 if c != k else 0.0
        if distance == "ratio":
            return ((x - y) / (x + y)) ** 2 if x + y else 0.0
        return {"nominal": float(c != k), "linear": abs(x - y), "interval": (x - y) ** 2}[distance]

    seen = sum(sum(apart(c, k) for c, k in permutations(unit, 2)) / (len(unit) - 1) for unit in units) / n
    expected = sum(apart(c, k) for c, k in permutations(values, 2)) / (n * (n - 1))
    return 1 - seen / expected


def ratings_of(rows: Rows, labels: Sequence[str], **more: bool) -> LabelTable:
    codes = np.array([[-1 if label is None else label for label in row] for row in rows])
    return LabelTable(codes=codes, labels=tuple(labels), raters=tuple(f"r{i}" for i in range(codes.shape[1])), **more)


def of_table(table: list[list[int]]) -> Rows:
    """Units of two raters from how many have each two labels."""
    return [[i, j] for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]


def drawn(
    rng: np.random.Generator, n: int, raters: int, shares: Sequence[float], noise: float, missing: float = 0
) -> Rows:
    """Raters who see the true label, guess instead with probability ``noise``, and leave out some units."""
    q = len(shares)
    truth, guess = rng.choice(q, n, p=shares), rng.choice(q, (n, raters), p=shares)
    labels = np.where(rng.random((n, raters)) < noise, guess, truth[:, None])
    gone = rng.random((n, raters)) < missing
    gone[gone.all(axis=1), 0] = False
    return [
        [None if g else int(label) for label, g in zip(row, out, strict=True)]
        for row, out in zip(labels, gone, strict=True)
    ]
