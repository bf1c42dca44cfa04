"""Data that were read and are not aligned: of all systems together, or of every pair on the items that both have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal, TypeVar

import numpy as np

from outscore.base import limits
from outscore.base.errors import InputError, UsageError, inflect, join, suggestion
from outscore.base.lazy import dataclass
from outscore.data.align import Missing, align
from outscore.data.common import group_by_system
from outscore.data.dataset import Dataset
from outscore.data.gaps import widen
from outscore.data.run import Gold, Run
from outscore.data.specs import match_names

T = TypeVar("T")

PAIRWISE: Literal["pairwise"] = "pairwise"
ONLY_COMPARE = (
    "--missing pairwise is for compare, where each pair can have items of its own, and correlate; everything else "
    "needs the same items for all systems (gains of different items make no order): use --missing additive, or drop"
)


@dataclass(frozen=True)
class Collection:
    """All that was read.

    Attributes:
        runs: of all systems in the order given, the first the baseline.
        golds: references and descriptions of the items.
    """

    runs: tuple[Run, ...]
    golds: tuple[Gold, ...]

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """Names in the order given."""
        return tuple(dict.fromkeys(run.system for run in self.runs))

    def without_systems(self, patterns: Sequence[str]) -> Collection:
        """The same without the systems whose names match one of the patterns.

        Raises:
            UsageError: a pattern that matches no system, or no system is left.
        """
        matched = {pattern: match_names(self.systems, pattern) for pattern in patterns}
        for pattern, names in matched.items():
            if not names:
                raise UsageError(
                    f"--exclude {pattern!r} is none of the systems{suggestion(pattern, self.systems)} "
                    f"(there are: {join(self.systems)})"
                )
        out = {system for names in matched.values() for system in names}
        if out == set(self.systems):
            raise UsageError(f"--exclude leaves none of {inflect(len(self.systems), 'system')}")
        return Collection(tuple(run for run in self.runs if run.system not in out), self.golds)

    def align(self, missing: Missing, *, labels: bool = False) -> Dataset:
        """All systems on the same items, see ``align``."""
        return align(self.runs, self.golds, missing=missing, labels=labels)

    def align_apart(self, missing: Missing) -> tuple[Dataset, ...]:
        """Each system on items of its own; or one for all where all have the same items.

        Gold data are cut to the items of the system. An item that no system has stays in, so that it is missed.
        """
        by_name = group_by_system(self.runs)
        have = {_ids(runs) or runs[0].n for runs in by_name.values()}
        if len(have) < 2:
            try:
                return (self.align(missing),)
            except InputError:
                if _ids(self.runs):
                    raise
        return tuple(self._only(name).align(missing) for name in by_name)

    def align_all(self) -> Dataset | None:
        """All systems on the same items, where that is the same: two systems, or nothing is missing; else None.

        Raises:
            InputError: two systems do not fit together.
        """
        if len(self.systems) < 3:
            return self.align("drop")
        try:
            found = self.align("error")
        except InputError:
            return None  # whatever it is, it is said of the pair that it concerns
        if found.items_without_output():
            return None
        numbers = (values for cell in found.all_runs for values in cell.columns.values())
        return found if all(np.isfinite(values).all() for values in numbers) else None

    def pair(self, system: str, baseline: str) -> Dataset:
        """The two systems on the items that both have, the baseline first.

        Raises:
            InputError: they have none in common, or do not fit together.
        """
        try:
            return self._align_own(baseline, system)
        except InputError as error:
            raise InputError(f"{system!r} against {baseline!r}: {error}") from None

    def align_with_gaps(self) -> Dataset:
        """All systems on every item that one of them has; numbers that are missing are NaN.

        Raises:
            InputError: systems that do not fit together.
        """
        return align(widen(self.runs), self.golds, keep_gaps=True)

    def align_system(self, system: str) -> Dataset:
        """One system on all items that it has."""
        return self._align_own(system)

    @cached_property
    def lacking(self) -> Mapping[str, int]:
        """How many of all items each system lacks, or has no score for, in some run; of those that lack any."""
        own = {system: self.n_items - len(self.align_system(system).items) for system in self.systems}
        return {system: n for system, n in own.items() if n}

    @cached_property
    def n_items(self) -> int:
        """How many items the systems have together."""
        return len(_ids(self.runs))

    def _align_own(self, *systems: str) -> Dataset:
        """These systems on the items that all of them have."""
        found = self._only(*systems).align("drop")
        # that a system lacks an item is said once, of all pairs together
        dropped = any("system" not in why for why in found.dropped.values())
        return found if dropped else found.without_notes("dropped_items")

    def _only(self, *systems: str) -> Collection:
        """These systems, with gold data of the items that one of them has, or no system at all."""
        runs = tuple(run for name in systems for run in self.runs if run.system == name)
        own = _ids(runs)
        others = _ids(self.runs) - own if own else frozenset[str]()
        return Collection(runs, tuple(part for gold in self.golds if (part := gold.without(others)).n))


def _ids(runs: Iterable[Run]) -> frozenset[str]:
    """The ids of all items of some runs; none where they have no ids."""
    return frozenset[str]().union(*(run.ids or () for run in runs))


def check_pairs(n: int, *, all_pairs: bool, metrics: int = 1) -> None:
    """Refuses more pairs of n systems under the metrics than the limit."""
    limits.check("pairs", metrics * (n * (n - 1) // 2 if all_pairs else n - 1), f"{n:,} systems")


def list_pairs(systems: Sequence[T], baseline: int, *, all_pairs: bool, metrics: int = 1) -> list[tuple[T, T]]:
    """The pairs that are compared: each system with the baseline, or with every one before it; it is first.

    Raises:
        InputError: more pairs under the metrics than the limit.
    """
    check_pairs(len(systems), all_pairs=all_pairs, metrics=metrics)
    order = [systems[baseline], *(s for i, s in enumerate(systems) if i != baseline)]
    return [(s, b) for i, b in enumerate(order if all_pairs else order[:1]) for s in order[i + 1 :]]
