"""The verbs: a folder for each, whose opening declares its options and whose ``run`` does the work."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from outscore.base.installed import entry_points_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

VERBS = {
    "compare": ("outscore.verbs.compare", "Compare"),
    "rank": ("outscore.verbs.rank", "Rank"),
    "score": ("outscore.verbs.score", "ScoreSystems"),
    "agree": ("outscore.verbs.agree", "Agree"),
    "judge": ("outscore.verbs.judge", "Judge"),
    "correlate": ("outscore.verbs.correlate", "Correlate"),
    "power": ("outscore.verbs.power", "PlanPower"),
    "sequential": ("outscore.verbs.sequential", "Replay"),
    "recheck": ("outscore.verbs.recheck", "RecheckNumbers"),
    "advise": ("outscore.verbs.advise", "Advise"),
    "replicate": ("outscore.verbs.replicate", "Replicate"),
    "history": ("outscore.verbs.history", "ListUses"),
}
"""Of each command the module and the class that declares its options."""


@functools.cache
def verbs_of_others() -> dict[str, EntryPoint]:
    """The verbs of other packages by name: the entry points ``outscore.verbs``."""
    return {point.name: point for point in entry_points_of("outscore.verbs") if point.name not in VERBS}
