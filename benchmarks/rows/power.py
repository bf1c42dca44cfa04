"""Power of McNemar's test at ten sizes of the test set, and power from pilots of answers and of scores."""

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


def pilot(inputs: Inputs, scores: bool = False, simulations: int | None = None) -> Callable[[], float]:
    """Power to find .02 by a pilot of 2,000 items, at five sizes; that of 4,000 is the answer."""
    import numpy as np

    import outscore

    draw = np.random.default_rng(3)
    difficulty, noise = draw.normal(size=2000), draw.normal(size=(2, 2000))
    latent = difficulty + 0.5 * noise + np.array([[0.25], [0.4]])
    base, new = 0.5 + 0.1 * latent if scores else (latent > 0).astype(float)
    sizes = (500, 1000, 2001, 4000, 8000)
    return lambda: float(
        outscore.plan({"base": base, "new": new}, effect=0.02, sizes=sizes, simulations=simulations).points[3].power
    )


def pilot_of_scores(inputs: Inputs) -> Callable[[], float]:
    """The same by scores, whose gains have a standard deviation of .07."""
    return pilot(inputs, scores=True)


def simulated_pilot(inputs: Inputs) -> Callable[[], float]:
    """Our simulation by name, 1,000 test sets of each size."""
    return pilot(inputs, simulations=1000)


def simulated_pilot_of_scores(inputs: Inputs) -> Callable[[], float]:
    """The same by scores."""
    return pilot(inputs, scores=True, simulations=1000)


def _of_pilot(key: str, work: str, ours: str, theirs: str, algorithm: str) -> Row:
    peer = Peer("1,000 simulated test sets of each size, as 0.1.0 does", Call(f"rows.power:{theirs}"), "outscore")
    return Row(key, work, Call(f"rows.power:{ours}"), peer, 90, None, algorithm, in_process=True)


ROWS = (
    _of_pilot(
        "pilot-answers",
        "power from a pilot of 2,000 answers, five sizes",
        "pilot",
        "simulated_pilot",
        "exact law of McNemar's test",
    ),
    _of_pilot(
        "pilot-scores",
        "power from a pilot of 2,000 scores, five sizes",
        "pilot_of_scores",
        "simulated_pilot_of_scores",
        "noncentral t, mended for skewness",
    ),
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
