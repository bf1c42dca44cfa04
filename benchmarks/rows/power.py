"""Power of McNemar's test at ten sizes of the test set."""

from __future__ import annotations

from collections.abc import Callable

from inputs import Inputs
from measure import Call

from rows.row import Peer, Recorded, Row

SIZES = range(500, 5001, 500)
P10, P01 = 0.062, 0.042  # power .2 at 500 items, .8 at 2,000


def ours(inputs: Inputs) -> Callable[[], float]:
    """Exact power; that of 2,000 items is the answer."""
    from outscore.power.plans.mcnemar import mcnemar_power

    return lambda: float(mcnemar_power(P10, P01, list(SIZES), method="exact").power[3])


def simulated(inputs: Inputs) -> Callable[[], float]:
    """As Card et al. (2020) do: 5,000 simulated tables for each size, and the share of them that are significant."""
    import numpy as np
    from statsmodels.stats.contingency_tables import mcnemar

    draw = np.random.default_rng(1)
    both, neither = 0.75, 1 - 0.75 - P10 - P01

    def work() -> float:
        power = []
        for n in SIZES:
            tables = draw.multinomial(n, [both, P10, P01, neither], size=5000).reshape(-1, 2, 2)
            power.append(np.mean([mcnemar(table).pvalue <= 0.05 for table in tables]))
        return float(power[3])

    return work


ROWS = (
    Row(
        "power",
        "McNemar power curve, ten sizes",
        Call("rows.power:ours"),
        Peer(
            "simulation as in Card et al. (2020), 5,000 tables a size, statsmodels' test",
            Call("rows.power:simulated"),
            "statsmodels",
            Recorded(2.36, None, "the same loop, re-typed"),
        ),
        100,
        None,
        "exact enumeration instead of simulation",
        in_process=True,
    ),
)
