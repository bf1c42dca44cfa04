"""Calibration across domains: p on one domain against the sign of the gain on the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError, join, suggestion
from outscore.base.notes import Note
from outscore.results.study import Finding, Value
from outscore.significance.statistics import Statistics
from outscore.studies.shared.bins import PairTests, SignProportion, estimate_proportions
from outscore.studies.shared.judging import (
    How,
    compare_pairs,
    compute_gains,
    errors,
    notes_on,
    proportion_row,
    right,
    signs,
    to_array,
)
from outscore.studies.shared.material import Material
from outscore.studies.shared.pools import Pool


def domains_of(material: Material, column: str, source: str) -> list[str]:
    """The domains that p is taken on: all, or the one that was named.

    Raises:
        UsageError: no such column or domain, only one domain, or one with less than two units.
    """
    labels = material.column(column, "--across")
    names = list(dict.fromkeys(labels))
    if len(names) < 2:
        raise UsageError(f"--across {column!r}: all items are of one domain ({names[0]!r}); it takes two or more")
    if source and source not in names:
        raise UsageError(f"--source {source!r}: no such domain{suggestion(source, names)}; there are {join(names)}")
    for name in names:
        if subset(material.by_metric[0], labels, name).design.n_units < 2:
            raise UsageError(f"--across {column!r}: {name!r} has a single item or cluster; it takes two or more")
    return [source] if source else names


def subset(stats: Statistics, labels: Sequence[str], name: str) -> Statistics:
    """The items of one domain."""
    items: Int = np.flatnonzero(np.asarray(labels, dtype=object) == name)
    return stats.restrict(items)


def compare_domain(
    material: Material, stats: Statistics, how: How, column: str, name: str, seed: int
) -> dict[str, Any]:
    """p of every two systems on one domain, and the signs of their gains on it."""
    p, ahead = compare_pairs(material, subset(stats, material.labels[column], name), how, seed)
    return {"p": p, "ahead": ahead}


@dataclass(frozen=True)
class Across:
    """One metric: p on each source, signs on all other domains.

    Attributes:
        material: every run a system of its own; ``stats``: the metric on all items.
        how: what was tested; ``column``: where the domains stand.
        found: of each source what its cell found.
    """

    material: Material
    stats: Statistics
    how: How
    column: str
    found: Mapping[str, Mapping[str, Any]]

    @cached_property
    def parts(self) -> dict[str, Statistics]:
        """The items of each domain."""
        labels = self.material.labels[self.column]
        return {name: subset(self.stats, labels, name) for name in dict.fromkeys(labels)}

    @cached_property
    def routes(self) -> list[tuple[str, str]]:
        """Source and target, each domain with each other one."""
        return [(source, target) for source in self.found for target in self.parts if target != source]

    @property
    def named(self) -> str:
        """As `` (bleu)`` where there are several metrics, else nothing."""
        return f" ({self.stats.name})" if len(self.material.by_metric) > 1 else ""

    def join_tests(self, routes: Sequence[tuple[str, str]]) -> PairTests:
        """The tests of some routes, which are as they are: other domains would be other questions."""
        p = to_array([self.found[source]["p"] for source, _ in routes])
        ahead = np.array([self.found[source]["ahead"] for source, _ in routes])
        there = np.stack([self._signs[target] for _, target in routes])
        return PairTests(len(self.material.systems), p, right(ahead, there), independent=False)

    def estimate_proportions(self, routes: Sequence[tuple[str, str]]) -> list[SignProportion]:
        """Of each bin, of the window, and of all tests."""
        judged = self.join_tests(routes)
        everything = ~np.isnan(judged.p)
        masks = [*judged.masks(self.how.bins), judged.select(self.how.low, self.how.high), everything]
        return estimate_proportions(judged, masks, 1 - self.material.settings.alpha)

    def predict(self, routes: Sequence[tuple[str, str]], low: float, high: float) -> float | None:
        """Proportion of equal signs, were the target more items of the source: see ``Pool.again``."""
        promises = [self._laws[route].promise(low, high) for route in routes if route in self._laws]
        mass = sum(one.mass for one in promises)
        return sum(one.mass * (one.right or 0.0) for one in promises) / mass if mass > 0 else None

    def rows(self, routes: Sequence[tuple[str, str]]) -> list[tuple[Value, ...]]:
        """The bins: ``share_fields``, the law, median p."""
        bins = self.how.bins
        found = self.estimate_proportions(routes)[: len(bins)]
        return [
            (*proportion_row(bins.name(n), share), self.predict(routes, *bins.ends(n)), share.middle)
            for n, share in enumerate(found)
        ]

    def route_row(self, source: str, target: str) -> tuple[Value, ...]:
        """One route: all tests, those of the window."""
        *_, window, everything = self.estimate_proportions([(source, target)])
        law = self.predict([(source, target)], 0.0, 1.0)
        ends = everything.ci or (None, None)
        return (source, target, everything.n, everything.ties, everything.right, *ends, law, window.n, window.right)

    @property
    def least(self) -> float:
        """Where the axis of p begins."""
        return float(min([0.01, *(p for found in self.found.values() for p in found["p"] if p is not None)]))

    def findings(self) -> list[Finding]:
        """The window and the rest, over all routes."""
        bins, (*of_bins, window, everything) = self.how.bins, self.estimate_proportions(self.routes)
        asked = [
            (self.how.window, (self.how.low, self.how.high), window),
            (f"p below {bins.edges[1]:g}", bins.ends(0), of_bins[0]),
            ("any p", (0.0, 1.0), everything),
        ]
        found = [
            Finding(
                what=f"same sign on another domain at {what}{self.named}",
                value=share.right,
                kind="share",
                ci=share.ci,
                expected=self.predict(self.routes, *ends),
                reason="expected: were the other domain more items of the same one" if share is window else "",
            )
            for what, ends, share in asked
            if share.right is not None
        ]
        steps = [share.right for share in of_bins if share.right is not None]
        falls = sum(a > b for a, b in pairwise(steps))
        said = f"{falls} of {len(steps) - 1}"
        return [*found, Finding(what=f"steps from bin to bin at which it falls{self.named}", value=said)]

    def notes(self) -> list[Note]:
        """The notes on the tests."""
        p = to_array([found["p"] for found in self.found.values()])
        return notes_on(self.material, self.how, p, errors(self.stats) == 0)

    @cached_property
    def _signs(self) -> dict[str, Float]:
        return {name: signs(held) for name, held in self.parts.items()}

    @cached_property
    def _errors(self) -> dict[str, Float]:
        return {name: errors(held) for name, held in self.parts.items()}

    @cached_property
    def _laws(self) -> dict[tuple[str, str], Pool]:
        found = {}
        for source, target in self.routes:
            differ = self._errors[source] > 0
            if differ.any():
                here, there = (self._errors[name][differ] for name in (source, target))
                found[source, target] = Pool.again(
                    compute_gains(self.parts[source])[differ], here, there, self.how.claim
                )
        return found
