"""Systems in groups whose members are alike, with known means: what the studies of gains are tested on."""

from __future__ import annotations

import numpy as np

from outscore.base.arrays import Float


def grouped(
    n: int, groups: int = 2, members: int = 4, alike: float = 0.8, step: float = 0.05, seed: int = 1
) -> tuple[dict[str, Float], dict[str, str]]:
    """Scores of ``members`` systems in each group on ``n`` items, and the group of each system.

    Args:
        alike: share of the variance of an item that a group has in common.
        step: from one mean to the next; groups take turns, so that their means overlap.
    """
    rng = np.random.default_rng(seed)
    scores, group_of = {}, {}
    for g in range(groups):
        common = rng.normal(size=n) * np.sqrt(alike)
        for m in range(members):
            name = f"g{g}m{m}"
            noise = rng.normal(size=n) * np.sqrt(1 - alike)
            scores[name] = common + noise + step * (groups * m + g)
            group_of[name] = f"g{g}"
    return scores, group_of
