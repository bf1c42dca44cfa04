"""Calibration across domains: p on one domain against the sign of the gain on the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError, join, suggestion
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.specs import natural
from outscore.results.study import DataTable, Figure, Finding, Layer, Value
from outscore.significance.statistics import Statistics
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.calibration import Calibration
from outscore.studies.calibration.bins import PairTests, Pool, SignProportion
from outscore.studies.calibration.judging import (
    SignsByP,
    check,
    compare_pairs,
    compute_gains,
    draw_signs,
    errors,
    notes_on,
    proportion_fields,
    proportion_row,
    right,
    signs,
    summarize,
    to_array,
)
from outscore.studies.shared.form import METRIC, columns, count, ends, hidden, p_value, share, table, text
from outscore.studies.shared.material import Material


def domains_of(material: Material, column: str, source: str) -> list[str]:
    """The domains that p is taken on: all, or the one that was named.

    Raises:
        UsageError: no such column or domain, only one domain, or one with less than two units.
    """
    labels = material.column(column, "--across")
    names = sorted(set(labels), key=natural)
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


def grid(study: Calibration, material: Material) -> list[Spec]:
    """One cell for each metric and domain that p is taken on."""
    material = material.with_runs_apart
    check(study, material)
    domains = domains_of(material, study.across, study.source)
    return [{"metric": stats.name, "from": name} for stats in material.by_metric for name in domains]


def cell(study: Calibration, material: Material, spec: Spec, seed: int) -> Found:
    """p of every two systems on one domain, and the signs of their gains on it."""
    material = material.with_runs_apart
    part = subset(material.stats(spec["metric"]), material.labels[study.across], spec["from"])
    p, ahead = compare_pairs(material, part, study, seed)
    return {"p": p, "ahead": ahead}


def summary(study: Calibration, material: Material, cells: Cells) -> Summary:
    """Proportions of equal signs by p-value, beside the law of one domain."""
    material = material.with_runs_apart
    found = [
        Across(study, material, stats, {spec["from"]: found for spec, found in cells if spec["metric"] == stats.name})
        for stats in material.by_metric
    ]
    parts, units = found[0].parts, "items" if found[0].stats.design.labels is None else "clusters"
    sizes = ", ".join(f"{name} {part.design.n_units}" for name, part in parts.items())
    return summarize(found, f"{len(parts)} domains ({sizes} {units})", tables_of, figures_of)


@dataclass(frozen=True)
class Across(SignsByP):
    """One metric: p on each source, signs on all other domains.

    Attributes:
        found: of each source what its cell found.
    """

    found: Mapping[str, Mapping[str, Any]]

    @cached_property
    def parts(self) -> dict[str, Statistics]:
        """The items of each domain."""
        labels = self.material.labels[self.study.across]
        return {name: subset(self.stats, labels, name) for name in sorted(set(labels), key=natural)}

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
        return self.estimate(judged, [*self.masks(judged), ~np.isnan(judged.p)])

    def predict(self, routes: Sequence[tuple[str, str]], low: float, high: float) -> float | None:
        """Proportion of equal signs, were the target more items of the source: see ``Pool.again``."""
        promises = [self._laws[route].promise(low, high) for route in routes if route in self._laws]
        mass = sum(one.mass for one in promises)
        return sum(one.mass * (one.right or 0.0) for one in promises) / mass if mass > 0 else None

    def rows(self, routes: Sequence[tuple[str, str]]) -> list[tuple[Value, ...]]:
        """The bins: ``share_fields``, the law, median p."""
        bins = self.bins
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
        bins, (*of_bins, window, everything) = self.bins, self.estimate_proportions(self.routes)
        asked = [
            (self.study.window, (self.study.low, self.study.high), window),
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
        return notes_on(self, p, errors(self.stats) == 0)

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
                    compute_gains(self.parts[source])[differ], here, there, self.study.claim
                )
        return found


ANOTHER = "another domain"
_APART = 0.03  # how far intervals of several domains stand apart, in units of log10 p
_WHAT = text("what", "Sign on")
_AT = p_value("at", "p")
_SIGNS = (*proportion_fields("Same sign"), share("law", "One domain"))
_ROUTES = (
    *columns("text", source="p on", target="Sign on"),
    *columns("count", tests="tests", ties="ties"),
    *ends(share("right", "Same sign")),
    share("law", "One domain"),
    count("window", "in the window"),
    share("right_window", "Same sign there"),
)


def tables_of(found: Sequence[Across]) -> tuple[DataTable, ...]:
    """For each metric: bins over all routes, each source as in the published table, the routes; and for pictures."""
    keys = (METRIC, text("source", "p on"), _WHAT)
    middle = p_value("middle", "Median p")
    bins = [
        (one.stats.name, source, target, *row, _offset(one, target, row[-1]))
        for one in found
        for source, target in one.routes
        for row in one.rows([(source, target)])
    ]
    return (
        *(table for one in found for table in _printed(one)),
        hidden("bins", "All bins of all pairs of domains", (*keys, *_SIGNS, middle, _AT), bins),
        hidden(
            "together",
            "All bins",
            (METRIC, _WHAT, *_SIGNS, _AT),
            [(one.stats.name, ANOTHER, *row) for one in found for row in one.rows(one.routes)],
        ),
    )


def _offset(one: Across, target: str, middle: Value) -> float | None:
    """Where an interval is drawn, so that those of several targets do not cover each other."""
    if not isinstance(middle, float):
        return None
    names = list(one.parts)
    return middle * float(10.0 ** (_APART * (names.index(target) - (len(names) - 1) / 2)))


def _printed(one: Across) -> list[DataTable]:
    name, targets = one.stats.name, list(one.parts)
    together = table(
        f"{name}, {ANOTHER}",
        f"Same sign on another domain, by p-value: {len(one.routes)} ordered pairs of domains{one.named}",
        _SIGNS,
        [row[:-1] for row in one.rows(one.routes)],
        about="A bin holds its lower end, not its upper one. The interval knows that tests share systems; Wilson's "
        "takes them for independent. A tie counts as half the same sign. One domain: were the target more items of the "
        "source; it is the law of the gains that suits the source best, and the sign on the target is luck too.",
    )
    routes = table(
        f"{name}, routes",
        f"Each domain with each other one{one.named}",
        _ROUTES,
        [one.route_row(*route) for route in one.routes],
        about=f"The window: {one.study.window}.",
    )
    return [together, *(_by_bin(one, source, targets) for source in one.found), routes]


def _by_bin(one: Across, source: str, targets: Sequence[str]) -> DataTable:
    """As in Berg-Kirkpatrick et al. 2012, Table 1: a row for each bin of p on the source, a column for each target."""
    others = [target for target in targets if target != source]
    columns = [one.estimate_proportions([(source, target)])[: len(one.bins)] for target in others]
    rows = [(one.bins.name(n), columns[0][n].n, *(column[n].right for column in columns)) for n in range(len(one.bins))]
    return table(
        f"{one.stats.name}, from {source}",
        f"p on {source} against the same sign elsewhere{one.named}",
        (
            text("p", f"p on {source}"),
            count("tests", "tests"),
            *(share(f"right_{n}", target) for n, target in enumerate(others)),
        ),
        rows,
        printed=len(one.found) == 1,
    )


def figures_of(found: Sequence[Across], design: str) -> Iterator[Figure]:
    """p on a domain against the proportion of equal signs: on each other domain of one source, or on all together."""
    for one in found:
        study, (*_, window, _) = one.study, one.estimate_proportions(one.routes)
        said = one.predict(one.routes, study.low, study.high)
        single = len(one.found) == 1
        drawn = [row for routes in ([[r] for r in one.routes] if single else [one.routes]) for row in one.rows(routes)]
        title = "How often the sign on one domain is that on another"
        if window.right is not None and said is not None:
            title = f"At p ≈ {(study.low + study.high) / 2:g}, {window.right:.0%} of the signs are the same on another "
            title += f"domain; were it the same domain, {said:.0%}"
        subtitle = f"{design}\nBars: intervals over systems; broken line, through the bins: were both one domain"
        on = f"p on {next(iter(one.found))}" if single else "p on a domain"
        held = "bins" if single else "together"
        yield draw_signs(
            study,
            one.stats.name,
            (title, subtitle, on, "Same sign on another domain"),
            one.least,
            drawn,
            Layer(mark="line", table=held, x="at", y="law", colour="what", dashed=True),
            (ANOTHER, *one.parts),
        )
