"""Expected wins, and wins of one system over another, where one wins nearly always and judgments come by items."""

from __future__ import annotations

from functools import partial

import numpy as np

import outscore
from holds.cell import Cell

POINT = "preferences"


def _covered(rng: np.random.Generator, *, items: int, votes: int, share: float, icc: float, systems: int) -> float:
    """Whether the interval of the first system's wins holds its chance, the same over each other system."""
    import pandas as pd

    strength = (1 - icc) / icc if icc else 0.0
    rows = []
    for item in range(items):
        chance = rng.beta(share * strength, (1 - share) * strength) if icc else share
        for other in range(1, systems):
            won = rng.random(votes) < chance
            rows += [(item, "s0", f"s{other}", "s0" if w else f"s{other}") for w in won]
    frame = pd.DataFrame(rows, columns=["item", "system1", "system2", "winner"])
    found = next(one for one in outscore.humans(frame).wins if one.system == "s0")
    return float(found.ci is not None and found.ci[0] <= share <= found.ci[1])


CELLS = tuple(
    Cell(
        point=POINT,
        name=f"expected wins of {share:.0%} over {systems - 1}, {items} items of {votes} votes"
        + (f" that agree by {icc:g}" if icc else ""),
        measure="coverage",
        nominal=0.95,
        run=partial(_covered, items=items, votes=votes, share=share, icc=icc, systems=systems),
        rounds=1000,
    )
    for items, votes, share, icc, systems in (
        (20, 1, 0.5, 0.0, 2),
        (20, 1, 0.95, 0.0, 2),
        (20, 5, 0.9, 0.3, 2),
        (50, 1, 0.95, 0.0, 2),
        (200, 1, 0.98, 0.0, 2),
        (10, 5, 0.8, 0.3, 4),
        (50, 5, 0.8, 0.3, 4),
    )
)
