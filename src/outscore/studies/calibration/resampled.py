"""Calibration on test sets that are resampled from the items given, which are taken for all there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from outscore.base import limits
from outscore.base.arrays import Float
from outscore.base.errors import UsageError, inflect
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.rng import stream
from outscore.base.text import read_number
from outscore.jobs.tasks import check_cells
from outscore.results.study import DataTable, Figure, Finding, Layer, Value
from outscore.significance.nulls import DesignUnits
from outscore.significance.statistics import Statistics
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.calibration import Calibration
from outscore.studies.calibration.bins import NormalPool, PairTests, Pool, SignProportion, bound_proportion
from outscore.studies.calibration.judging import (
    RIGHT,
    SignsByP,
    check,
    compare_pairs,
    compute_gains,
    draw_signs,
    errors,
    grid_of_p,
    notes_on,
    proportion_fields,
    proportion_row,
    right,
    signs,
    summarize,
    to_array,
)
from outscore.studies.shared.form import METRIC, Verdict, columns, compare_numbers, hidden, p_value, table, text
from outscore.studies.shared.material import Material

OWN, NORMAL = "law of this pool", "law of a normal pool"
_UNIT = 200  # bytes of a unit that is drawn
_BATCH = 5  # test sets of one cell
_OF_LAW = 0.05  # margin of a proportion of right signs beside the law of a z test
_SIZE = "0.25"

FLAT = {"two-sided": "1 − p/2", "winner": "1 − p"}


def sizes_of(text: str, stats: Statistics) -> list[int]:
    """Units of the test sets from a list such as ``0.1,500``: proportions of all units, or numbers.

    Raises:
        UsageError: no such list, or fewer than two units.
    """
    n = stats.design.n_units
    try:
        given = [read_number(part) for part in text.split(",")]
    except ValueError:
        given = []
    if not given or any(not (0 < size < 1 or (size >= 2 and size == int(size))) for size in given):
        raise UsageError(f"--sizes {text!r}: expected proportions below 1 or numbers of items from 2 on, as 0.1,500")
    found = [round(size * n) if size < 1 else int(size) for size in given]
    few = next((text for text, size in zip(text.split(","), found, strict=True) if size < 2), None)
    if few is not None:
        raise UsageError(f"--sizes {few}: less than two of {inflect(n, 'unit')}")
    limits.check_memory(f"test sets of {max(found):,} units", _UNIT * max(found))
    return sorted(set(found))


def grid(study: Calibration, material: Material) -> list[Spec]:
    """One cell for each metric and some test sets of each size."""
    material = material.with_runs_apart
    check(study, material)
    check_cells(study.rounds / _BATCH)
    return [
        {"metric": stats.name, "size": size, "batch": batch}
        for stats in material.by_metric
        for size in sizes_of(study.sizes or _SIZE, stats)
        for batch in range(-(-study.rounds // _BATCH))
    ]


def cell(study: Calibration, material: Material, spec: Spec, seed: int) -> Found:
    """p and right signs of every two systems on some test sets; whole clusters, strata in proportion."""
    material = material.with_runs_apart
    stats, rounds = material.stats(spec["metric"]), []
    truth = signs(stats)
    for place in range(spec["batch"] * _BATCH, min(study.rounds, (spec["batch"] + 1) * _BATCH)):
        draw = stream(seed, "redrawn test set", place)
        units = [draw.choice(units, n) for units, n in _allot(stats, spec["size"])]
        items, design = DesignUnits(stats.design).chosen(np.concatenate(units))
        drawn = stats.replace_statistics([whole[:, items] for whole in stats.items], design)
        p, ahead = compare_pairs(material, drawn, study, int(draw.integers(2**31)))
        rounds.append({"p": p, "right": right(np.array(ahead), truth).tolist()})
    return {"rounds": rounds}


def summary(study: Calibration, material: Material, cells: Cells) -> Summary:
    """Proportions of right signs by p-value, beside the laws."""
    material = material.with_runs_apart
    rounds: dict[tuple[str, int], list[Mapping[str, Any]]] = {}
    for spec, found in cells:
        rounds.setdefault((spec["metric"], spec["size"]), []).extend(found["rounds"])
    made = []
    for (metric, size), some in rounds.items():
        p, agreed = to_array([one["p"] for one in some]), np.array([one["right"] for one in some])
        judged = PairTests(len(material.systems), p, agreed, independent=True)
        made.append(BootstrapTestSets(study, material, material.stats(metric), size, judged))
    sizes = ", ".join(dict.fromkeys(one.where for one in made))
    return summarize(made, f"{inflect(study.rounds, 'test set')} of {sizes}", tables_of, figures_of)


def _allot(stats: Statistics, size: int) -> list[tuple[Any, int]]:
    """The units of each stratum, and how many of them are drawn: in proportion, one at least."""
    strata, n = stats.design.strata_of_units, stats.design.n_units
    return [(units, max(1, round(size * len(units) / n)) if len(strata) > 1 else size) for units in strata]


@dataclass(frozen=True)
class BootstrapTestSets(SignsByP):
    """All test sets of one size under one metric.

    Attributes:
        size: units of a test set; ``judged``: the tests.
    """

    size: int
    judged: PairTests

    @property
    def named(self) -> str:
        """As ``(bleu, 500 items)``; the metric only where there are several."""
        return f"({self.stats.name}, {self.where})" if len(self.material.by_metric) > 1 else f"({self.where})"

    @property
    def where(self) -> str:
        """As ``500 items``."""
        return f"{self.size} {'clusters' if self.stats.design.labels is not None else 'items'}"

    @cached_property
    def errors(self) -> Float:
        """Standard error of the gain of every two systems on a test set of this size ``(pairs,)``."""
        n = self.stats.design.n_units
        # that on all units, which are taken for a sample there, and for all there is here
        return errors(self.stats) * float(np.sqrt((n - 1) / self.size))

    @cached_property
    def pool(self) -> Pool | None:
        """The true gains; None where no two systems differ."""
        differ = self.errors > 0
        return (
            Pool.of(compute_gains(self.stats)[differ], self.errors[differ], self.study.claim) if differ.any() else None
        )

    @cached_property
    def normal(self) -> NormalPool | None:
        """A normal law with the same spread of true gains around 0."""
        differ = self.errors > 0
        if not differ.any():
            return None
        spread = float(np.sqrt((compute_gains(self.stats)[differ] ** 2).mean()))
        return NormalPool(spread, self.errors[differ], self.study.claim)

    @cached_property
    def window(self) -> SignProportion:
        """The tests in the window."""
        return self._proportions[-1]

    @cached_property
    def _proportions(self) -> list[SignProportion]:
        return self.estimate(self.judged, self.masks(self.judged))

    def rows(self) -> list[tuple[Value, ...]]:
        """The bins with their laws: ``share_fields``, normal, own, median p."""
        bins, found = self.bins, []
        for place, signs_of in enumerate(self._proportions[:-1]):
            laws = [None if law is None else law.promise(*bins.ends(place)).right for law in (self.normal, self.pool)]
            found.append((*proportion_row(bins.name(place), signs_of), *laws, signs_of.middle))
        return found

    def curves(self) -> list[tuple[Value, ...]]:
        """The laws as curves: name, p, proportion of right signs."""
        at = grid_of_p(self.least, self.study.claim)
        half = 2 if self.study.claim == "two-sided" else 1
        laws = [(OWN, self.pool), (NORMAL, self.normal)]
        found: list[tuple[Value, ...]] = [
            (name, p, law.proportion_at(p)) for name, law in laws if law is not None for p in at
        ]
        return [*found, *((FLAT[self.study.claim], p, 1 - p / half) for p in at)]

    @property
    def least(self) -> float:
        """Where the axis of p begins."""
        known = self.judged.p[~np.isnan(self.judged.p)]
        return float(min([0.01, *known.tolist()]))

    def pool_row(self) -> tuple[Value, ...]:
        """Spread, typical standard error, ratio; the laws at the middle of the window, gains halved and doubled."""
        pool, normal = self.pool, self.normal
        if pool is None or normal is None:
            return (None,) * 7
        typical, middle = float(np.median(normal.errors)), (self.study.low + self.study.high) / 2
        scaled = [replace(pool, d=pool.d * by).proportion_at(middle) for by in (1.0, 0.5, 2.0)]
        return (normal.spread, typical, normal.spread / typical, normal.proportion_at(middle), *scaled)

    def findings(self) -> list[Finding]:
        """The right signs and the tests in the window, beside the law."""
        study, share, pool = self.study, self.window, self.pool
        if pool is None or share.right is None:
            return []
        promise = pool.promise(study.low, study.high)
        of, said = self.named, promise.right
        # over test sets, but no less than of as many independent tests: few tests may all be right
        least = 0.0 if said is None else (said * (1 - said) / share.n) ** 0.5
        error = max(least, share.error or 0.0)
        verdict: Verdict = "" if said is None else compare_numbers(share.right, said, error, _OF_LAW)
        most = bound_proportion(study.low, study.high, study.claim)
        return [
            Finding(
                what=f"right signs at {study.window} {of}",
                value=share.right,
                kind="share",
                ci=share.ci,
                error=error,
                expected=said,
                margin=_OF_LAW,
                verdict=verdict,
                reason="the law takes the test for a z test" if verdict == "differs" else "",
            ),
            Finding(
                what=f"tests with {study.window} {of}",
                value=share.n / int((~np.isnan(self.judged.p)).sum()),
                kind="share",
                expected=promise.mass,
                reason=f"of z tests in no pool of systems more than {100 * most:.1f}% are expected there",
            ),
        ]

    def notes(self) -> list[Note]:
        """The notes on the tests."""
        return notes_on(self, self.judged.p, self.errors == 0)


_FOUND = "tests"
_LAWS = columns("share", normal="Normal", own="Pool")
_POOLS = (
    METRIC,
    text("size", "Test set"),
    *columns("number", spread="Gains τ", error="Error σ", ratio="τ/σ"),
    *columns("share", normal="Normal", own="Pool", halved="gains halved", doubled="doubled"),
)


def tables_of(found: Sequence[BootstrapTestSets]) -> tuple[DataTable, ...]:
    """Bins of every metric and size, the pools, and what pictures are drawn from."""
    printed = [_printed(one) for one in found]
    keys = (METRIC, text("size", "Test set"))
    middle, what = p_value("middle", "Median p"), text("what", "What")
    drawn = [(one.stats.name, one.where, *row, _FOUND) for one in found for row in one.rows()]
    curves = [(one.stats.name, one.where, *row) for one in found for row in one.curves()]
    at = (found[0].study.low + found[0].study.high) / 2
    pools = table(
        "pools",
        f"What the laws say of p = {at:g}",
        _POOLS,
        [(one.stats.name, one.where, *one.pool_row()) for one in found],
        about="τ: root mean square of the true gains of all pairs. σ: standard error of a gain on such a test set, by "
        "the jackknife, the median of the pairs. The proportion of right signs is a property of the pool of systems: "
        "the same p says less where systems are more alike; were gains of any size alike, it would be 1 - p of the "
        "winner.",
    )
    return (
        *printed,
        pools,
        hidden("bins", "All bins", (*keys, *proportion_fields(), *_LAWS, middle, what), drawn),
        hidden("curves", "The laws", (*keys, what, p_value("middle", "p"), RIGHT), curves),
    )  # fmt: skip


def _printed(one: BootstrapTestSets) -> DataTable:
    return table(
        f"{one.stats.name}, {one.where}",
        f"Right signs by p-value {one.named}",
        (*proportion_fields(), *_LAWS),
        [row[:-1] for row in one.rows()],
        about="A bin holds its lower end, not its upper one. The interval knows that tests share systems and test "
        "sets; Wilson's takes them for independent. A tie counts as half right. Normal, Pool: what the true gains "
        "imply, taken for normal with their spread, and as they are.",
    )


def figures_of(found: Sequence[BootstrapTestSets], design: str) -> Iterator[Figure]:
    """p against the proportion of right signs under each metric, one panel for each size."""
    for metric in dict.fromkeys(one.stats.name for one in found):
        some = [one for one in found if one.stats.name == metric]
        first, study = some[0], some[0].study
        proportion = first.window.right
        said = None if first.pool is None else first.pool.promise(study.low, study.high).right
        title = "How often the system that scores higher is the better one"
        if proportion is not None and said is not None:
            title = f"At p ≈ {(study.low + study.high) / 2:g} the sign is right in {proportion:.0%} of tests"
            title += f"; the law of this pool of systems: {said:.0%}"
        yield draw_signs(
            study,
            metric,
            (title, f"{design}\nBars: intervals over systems and test sets", "p", "Right sign"),
            min(one.least for one in some),
            (row for one in some for row in one.rows()),
            Layer(mark="line", table="curves", x="middle", y="right", colour="what", dashed=True),
            (_FOUND, OWN, NORMAL, FLAT[study.claim]),
            "size" if len(some) > 1 else "",
        )
