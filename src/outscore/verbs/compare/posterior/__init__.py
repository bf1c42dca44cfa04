"""``compare --posterior``: beside the test of each pair its posterior, under a model and a prior that are stated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.results.posteriors import PairPosterior
from outscore.significance.settings import Settings

if TYPE_CHECKING:
    from outscore.significance.bayes import Method
    from outscore.significance.resamples import Resamples
    from outscore.verbs.shared.samples import Systems


@dataclass(frozen=True)
class Beliefs:
    """The posteriors of all pairs under all metrics, what is to be said of them, and their sources."""

    records: tuple[PairPosterior, ...] = ()
    notes: tuple[Note, ...] = ()
    citations: tuple[str, ...] = ()


def infer_pairs(
    method: str | Method | None, resamples: Resamples, margins: Sequence[float] | None
) -> tuple[Beliefs, Resamples]:
    """The posteriors of pairs on the same items, and the resamples with what was drawn for them.

    Args:
        method: None where no posterior is asked for.
        resamples: of all systems and metrics.
        margins: the ROPE of each metric; None for none.

    Raises:
        UsageError: there is no such method, or it cannot answer for these data.
    """
    if method is None:
        return Beliefs(), resamples
    from outscore.verbs.compare.posterior.run import infer_pairs

    return infer_pairs(method, resamples, margins or [0.0] * len(resamples.by_metric))


def infer_samples(
    method: str | Method,
    systems: Systems,
    pairs: Sequence[tuple[int, int]],
    margins: Sequence[float] | None,
    settings: Settings,
) -> Beliefs:
    """The posteriors of systems that need not share their items.

    Raises:
        UsageError: there is no such method, or it cannot answer for these data.
    """
    from outscore.verbs.compare.posterior.run import infer_samples

    return infer_samples(method, systems, pairs, margins or [0.0] * len(systems.metrics), settings)
