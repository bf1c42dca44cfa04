"""Accuracy on 10,000 items: exact laws of randomization and of the bootstrap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inputs import Inputs
from measure import Call

from rows.row import Peer, Recorded, Row

EXACT = "exact law instead of sampling"


def answers() -> tuple[Any, Any]:
    """Right or wrong for two systems on 10,000 items: 80 % right, a fifth redrawn for each (fixed seed)."""
    import numpy as np

    draw = np.random.default_rng(1)
    common = draw.random(10_000) < 0.8
    a, b = (np.where(draw.random(10_000) < 0.2, draw.random(10_000) < right, common) for right in (0.79, 0.82))
    return a.astype(int), b.astype(int)


def our_pairing() -> Callable[[], Any]:
    import numpy as np
    from workloads import pairing

    a, b = (np.stack([right, np.ones_like(right)], axis=1) for right in answers())
    return pairing(a, b, lambda sums: sums[..., 0] / sums[..., 1], per_item=True)


def our_randomization(inputs: Inputs) -> Callable[[], float]:
    """Exact two-sided p-value."""
    from workloads import exact_randomization

    return exact_randomization(our_pairing())


def our_bootstrap(inputs: Inputs) -> Callable[[], float]:
    """Share of gains of at most 0 in infinitely many resamples, and their 95 % interval."""
    from outscore.engine.extreme import tail_mass
    from outscore.significance.laws import bootstrap_law

    pair = our_pairing()

    def work() -> float:
        seen = pair()
        law = bootstrap_law(seen)
        assert law is not None
        law.quantile(0.025), law.quantile(0.975)
        return tail_mass(law.support, law.mass, 0.0, alternative="less", slack=seen.slack)

    return work


def scipy_randomization(inputs: Inputs) -> Callable[[], float]:
    from scipy.stats import permutation_test

    pair = answers()

    def gain(x: Any, y: Any, axis: int) -> Any:
        return y.mean(axis=axis) - x.mean(axis=axis)

    def work() -> float:
        found = permutation_test(
            pair, gain, permutation_type="samples", vectorized=True, n_resamples=10_000, batch=100, rng=1
        )
        return float(found.pvalue)

    return work


def scipy_bootstrap(inputs: Inputs) -> Callable[[], float]:
    from scipy.stats import bootstrap

    a, b = answers()

    def gain(x: Any, y: Any, axis: int) -> Any:
        return y.mean(axis=axis) - x.mean(axis=axis)

    def work() -> float:
        found = bootstrap(
            (a, b), gain, paired=True, vectorized=True, method="percentile", n_resamples=10_000, batch=100, rng=1
        )
        return float((found.bootstrap_distribution <= 0).mean())

    return work


def rycolab(inputs: Inputs) -> Callable[[], float]:
    from pairedpermtest.accuracy_polymul import perm_test_polymul

    a, b = answers()
    return lambda: float(perm_test_polymul(a, b))


_WORK = "accuracy, 10,000 items, exact "

ROWS = (
    Row(
        "accuracy-scipy-randomization",
        _WORK + "randomization",
        Call("rows.right_wrong:our_randomization"),
        Peer("scipy permutation_test, 10,000", Call("rows.right_wrong:scipy_randomization"), "scipy"),
        5000,
        None,
        EXACT,
        in_process=True,
    ),
    Row(
        "accuracy-scipy-bootstrap",
        _WORK + "bootstrap",
        Call("rows.right_wrong:our_bootstrap"),
        Peer("scipy bootstrap, percentile, 10,000", Call("rows.right_wrong:scipy_bootstrap"), "scipy"),
        500,
        None,
        EXACT,
        in_process=True,
    ),
    Row(
        "accuracy-rycolab",
        _WORK + "randomization",
        Call("rows.right_wrong:our_randomization"),
        Peer(
            "rycolab/paired-perm-test, exact, tails pruned",
            Call("rows.right_wrong:rycolab"),
            "pairedpermtest",
            Recorded(0.031, None, "paired-perm-test, polynomial products"),
        ),
        20,
        None,
        "binomial law in place of products of polynomials",
        in_process=True,
    ),
)
