"""Almost stochastic order of the scores of 5 + 5 and 30 + 30 runs, 1,000 bootstrap resamples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inputs import Inputs
from measure import Call

from rows.row import Peer, Recorded, Row


def scores(runs: int) -> tuple[Any, Any]:
    """Scores of the runs of two systems, a little apart (fixed seed)."""
    import numpy as np

    draw = np.random.default_rng(1)
    return draw.normal(0.72, 0.02, runs), draw.normal(0.71, 0.02, runs)


def _ours(runs: int) -> Callable[[], float]:
    from outscore.significance.independent.aso import almost_stochastic_order

    a, b = scores(runs)
    return lambda: float(almost_stochastic_order(a, b).eps_min)


def _deepsig(runs: int) -> Callable[[], float]:
    from deepsig import aso

    a, b = scores(runs)
    return lambda: float(aso(a, b, show_progress=False, seed=1))


def ours_5(inputs: Inputs) -> Callable[[], float]:
    """Upper bound of the violation ratio."""
    return _ours(5)


def ours_30(inputs: Inputs) -> Callable[[], float]:
    return _ours(30)


def deepsig_5(inputs: Inputs) -> Callable[[], float]:
    return _deepsig(5)


def deepsig_30(inputs: Inputs) -> Callable[[], float]:
    return _deepsig(30)


ROWS = tuple(
    Row(
        f"aso-{runs}",
        f"almost stochastic order, {runs} + {runs} scores",
        Call(f"rows.order:ours_{runs}"),
        Peer(
            "deepsig 1.2.8, 1,000 resamples",
            Call(f"rows.order:deepsig_{runs}"),
            "deepsig",
            Recorded(seconds, None, "deepsig 1.2.8"),
        ),
        500,
        None,
        "all resamples sorted at once",
        in_process=True,
    )
    for runs, seconds in ((5, 3.14), (30, 3.32))
)
