"""How time and memory grow, and how near our figures are to what the machine allows.

Time in process of cyclic bootstrap, independent bootstrap and randomization against the units, the resamples, the
systems and the columns, over three decades each, with the exponents of the fitted powers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import workloads
from bounds import Load
from call import forget_peak, peak
from inputs import Inputs
from machine import Rates, best
from table import markdown, seconds, terminal

ENGINES = ("cyclic", "iid", "randomization")
VARIABLES: dict[str, tuple[int, ...]] = {
    "units": (100, 1_000, 10_000, 100_000),
    "resamples": (10_000, 100_000, 1_000_000, 10_000_000),
    "systems": (2, 20, 200, 2_000),
    "columns": (2, 20, 200, 2_000),
}
"""Columns are those of one system."""
FIXED = {
    "units": {"resamples": 2_000, "systems": 2, "columns": 2},
    "resamples": {"units": 200, "systems": 2, "columns": 2},
    "systems": {"units": 500, "resamples": 10_000, "columns": 2},
    "columns": {"units": 500, "resamples": 10_000, "systems": 2},
}
"""Against the units, a few more than 2,000 cyclic resamples are made: from twenty vectors, however many units."""


@dataclass(frozen=True)
class Curve:
    """Seconds and MiB of one engine against one variable.

    Attributes:
        sizes: values of the variable.
        wall_s, peak_mib: at each; memory is the peak above what was there before.
        bounds: least seconds that the machine allows at each.
    """

    engine: str
    variable: str
    sizes: tuple[int, ...]
    wall_s: tuple[float, ...]
    peak_mib: tuple[float, ...]
    bounds: tuple[float, ...]

    @property
    def exponent(self) -> float:
        """Power of the variable that fits best over all three decades."""
        return float(np.polyfit(np.log(self.sizes), np.log(self.wall_s), 1)[0])

    @property
    def last_exponent(self) -> float:
        """The same from the last decade, where what costs the same for any size no longer counts."""
        return float(np.log(self.wall_s[-1] / self.wall_s[-2]) / np.log(self.sizes[-1] / self.sizes[-2]))

    @property
    def plain(self) -> dict[str, Any]:
        return {**asdict(self), "exponent": self.exponent, "last_exponent": self.last_exponent}

    @property
    def cells(self) -> tuple[str, ...]:
        ends = f"{self.sizes[0]:,} to {self.sizes[-1]:,}"
        memory = " ".join(f"{mib:.0f}" for mib in self.peak_mib)
        near = f"{self.wall_s[-1] / self.bounds[-1]:.1f}"
        times = " ".join(seconds(each).replace(" ", "") for each in self.wall_s)
        exponents = f"{self.exponent:.2f}", f"{self.last_exponent:.2f}"
        return self.engine, f"{self.variable} {ends}", times, *exponents, memory, near


@dataclass(frozen=True)
class Limit:
    """One of our main figures beside the bound."""

    work: str
    wall_s: float
    bound: float

    @property
    def cells(self) -> tuple[str, ...]:
        return self.work, seconds(self.wall_s), seconds(self.bound), f"{self.wall_s / self.bound:.1f}"


@dataclass(frozen=True)
class Growth:
    """All of it."""

    rates: Rates
    curves: tuple[Curve, ...]
    limits: tuple[Limit, ...]

    @classmethod
    def measured(cls, inputs: Inputs) -> Growth:
        rates = Rates.measured()
        curves = [curve(engine, variable, rates) for engine in ENGINES for variable in VARIABLES]
        return cls(rates, tuple(curves), tuple(main_figures(inputs, rates)))

    @property
    def plain(self) -> dict[str, Any]:
        limits = [{**asdict(limit), "ratio": limit.wall_s / limit.bound} for limit in self.limits]
        return {"rates": asdict(self.rates), "limits": limits, "curves": [each.plain for each in self.curves]}

    def set(self, table: Callable[[Sequence[str], Sequence[Sequence[str]]], str]) -> str:
        """The three tables, drawn by ``table``."""
        rates = table(("what the machine does", "rate"), self.rates.rows)
        limits = table(("work, in process", "ours", "bound", "ours / bound"), [each.cells for each in self.limits])
        header = ("engine", "against", "time", "exponent", "in the last decade", "peak MiB", "ours / bound at the end")
        return "\n\n".join([rates, limits, table(header, [each.cells for each in self.curves])])

    @property
    def terminal(self) -> str:
        return self.set(lambda header, rows: terminal(header, rows, last=False))

    @property
    def markdown(self) -> str:
        return self.set(markdown)


def curve(engine: str, variable: str, rates: Rates) -> Curve:
    """Measures one engine against one variable."""
    sizes = VARIABLES[variable]
    if engine == "iid" and variable == "resamples":
        sizes = tuple(size // 10 for size in sizes)
    points = [_point(engine, {**FIXED[variable], variable: size}, rates) for size in sizes]
    wall, memory, bounds = zip(*points, strict=True)
    return Curve(engine, variable, sizes, wall, memory, bounds)


def _point(engine: str, size: dict[str, int], rates: Rates) -> tuple[float, float, float]:
    """Seconds, MiB and the bound at one size."""
    draw = np.random.default_rng(1)
    n, systems, columns = size["units"], size["systems"], size["columns"]
    groups = [draw.integers(1, 50, (n, columns)).astype(np.float64) for _ in range(systems)]
    resamples = size["resamples"]
    work = (
        workloads.randomization(groups, _ratio, resamples)
        if engine == "randomization"
        else workloads.bootstrap(groups, _ratio, resamples, "iid" if engine == "iid" else "cyclic", all_pairs=False)
    )
    forget_peak()
    before = peak()
    first = best(work, repeats=1)
    memory = peak() - before
    wall = min(first, best(work, repeats=3)) if first < 1.0 else first
    made = resamples if engine == "iid" else max(resamples, 20 * n)
    load = Load(engine, n, made, systems * columns, systems, systems - 1)
    return wall, memory, load.bound(rates)


def _ratio(sums: Any) -> Any:
    return sums[..., 0] / sums[..., 1]


def main_figures(inputs: Inputs, rates: Rates) -> list[Limit]:
    """The figures of the table that are resampling, without start-up and counting."""
    pair, score = workloads.bleu_statistics(inputs, inputs.pair)
    many, _ = workloads.bleu_statistics(inputs, inputs.systems)
    means = workloads.segment_scores(inputs)
    n = len(pair[0])
    # BLEU: the length of an output is its number of words, and that of the reference is shared; one logarithm of a
    # product of ratios and one exponential
    two, all_ = (2, 17, 2, 1, 2), (31, 249, 31, 465, 2)

    def of(work: str, call: Callable[[], float], engine: str, made: int, shape: tuple[int, ...]) -> Limit:
        _, columns, scores, pairs, functions = shape
        load = Load(engine, n, max(made, 20 * n) if engine != "iid" else made, columns, scores, pairs, functions)
        return Limit(work, best(call, repeats=3), load.bound(rates))

    bleu, cut = workloads.bootstrap, workloads.randomization
    return [
        of("BLEU pair, cyclic bootstrap 10^4", bleu(pair, score, 10**4), "cyclic", 10**4, two),
        of("BLEU pair, cyclic bootstrap 10^5", bleu(pair, score, 10**5), "cyclic", 10**5, two),
        of("BLEU pair, cyclic bootstrap 10^6", bleu(pair, score, 10**6), "cyclic", 10**6, two),
        of("BLEU pair, independent bootstrap 10^4", bleu(pair, score, 10**4, "iid"), "iid", 10**4, two),
        of("BLEU pair, randomization 10^5", cut(pair, score, 10**5), "randomization", 10**5, two),
        of("31 systems, BLEU, cyclic bootstrap 10^4", bleu(many, score, 10**4), "cyclic", 10**4, all_),
        of("31 systems, BLEU, cyclic bootstrap 10^6", bleu(many, score, 10**6), "cyclic", 10**6, all_),
        of(
            "31 systems, means, randomization 10^6",
            workloads.mean_randomization(means, 10**6),
            "randomization",
            10**6,
            (31, 31, 31, 465, 0),
        ),
    ]
