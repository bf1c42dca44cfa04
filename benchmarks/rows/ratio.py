"""Micro-F1 of 2,000 items: the exact law of randomization."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inputs import Inputs
from measure import Call

from rows.row import Peer, Recorded, Row

_FEW = 800  # items that the peer's exact test can do


def counts(n: int) -> tuple[Any, Any]:
    """True positives and errors ``(n, 2)`` of two systems that share three fifths of their items (fixed seed)."""
    import numpy as np

    draw = np.random.default_rng(1)

    def system(right: float) -> Any:
        return np.stack([draw.binomial(3, right, 2000), draw.binomial(2, 1 - right, 2000)], axis=1)

    a = system(0.7)
    return a[:n], np.where(draw.random((2000, 1)) < 0.4, system(0.72), a)[:n]


def ours(inputs: Inputs) -> Callable[[], float]:
    """Exact two-sided p-value; F1 = 2 tp / (2 tp + errors)."""
    import numpy as np
    from workloads import exact_randomization, pairing

    numerator, denominator = np.array([2.0, 0.0]), np.array([2.0, 1.0])

    def f1(sums: Any) -> Any:
        return sums @ numerator / (sums @ denominator)

    return exact_randomization(pairing(*counts(2000), f1, ratio=(numerator, denominator, 1.0)))


def rycolab_exact(inputs: Inputs) -> Callable[[], float]:
    from pairedpermtest.f1 import f1state, perm_test

    systems = [[f1state(*row) for row in rows.tolist()] for rows in counts(_FEW)]
    return lambda: float(perm_test(*systems))


def rycolab_sampled(inputs: Inputs) -> Callable[[], float]:
    from pairedpermtest.monte_carlo import perm_test_f1

    a, b = counts(2000)
    perm_test_f1(a, b, 10)  # compiles
    return lambda: float(perm_test_f1(a, b, 10_000))


ROWS = (
    Row(
        "f1-rycolab-exact",
        "micro-F1, 2,000 items, exact randomization",
        Call("rows.ratio:ours"),
        Peer(
            f"rycolab/paired-perm-test, exact, {_FEW} items only",
            Call("rows.ratio:rycolab_exact"),
            "pairedpermtest",
            Recorded(24.3, 5072, "paired-perm-test, 800 items"),
        ),
        None,
        None,
        "two dimensions instead of four",
        in_process=True,
    ),
    Row(
        "f1-rycolab-sampled",
        "micro-F1, 2,000 items, exact randomization",
        Call("rows.ratio:ours"),
        Peer(
            "rycolab/paired-perm-test, Monte Carlo 10,000",
            Call("rows.ratio:rycolab_sampled"),
            "pairedpermtest",
            Recorded(0.886, 251, "paired-perm-test, numba"),
        ),
        10,
        None,
        "exact law instead of sampling",
        in_process=True,
    ),
)
