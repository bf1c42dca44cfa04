"""Systems that are the same, and how often something is significant all the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from outscore.base.errors import UsageError
from outscore.results.study import Finding
from outscore.studies import Found, Spec, Study, Summary, option, study
from outscore.studies.shared import freedom, simulated, toys
from outscore.studies.shared.material import Material
from outscore.studies.shared.simulated import PublishedNumber, SimulatedProportion
from outscore.studies.shared.toy_tables import BINS, Shares, tables_and_figures

_BLOCK = 5000
_SAMPLES: Mapping[str, Callable[[np.random.Generator, int, int], toys.Found]] = {
    "metrics": toys.metrics,
    "parts": toys.simulate_subsets,
    "sizes": toys.sizes,
    "looks": toys.simulate_interim,
    "clusters": toys.clusters,
}
_WITH_BINS = (toys.ONE, toys.INDEPENDENT, toys.SIZES, f"{toys.SIZES}, two metrics")
_ITEMS, _ROUNDS = 100, 1000  # of the source
_ARMITAGE = {2: 0.083, 4: 0.126, 5: 0.142, 10: 0.193}


@study("toys")
@dataclass(frozen=True)
class Toys(Study):
    """Two systems that are the same: how often is something significant, if there is something to choose?

    Normal data without any difference are tested again and again: once; with a free choice among metrics, random parts
    of the test set, sample sizes; with looks at growing data; by a bootstrap of few items; by a t test that ignores
    clusters. Beside it stand the law that gives the same number, and what the source printed. The last part adds data
    and counts what is significant no more.

    Source: Søgaard, Johannsen, Plank, Hovy and Martínez Alonso 2014, §2, §3.3 to §3.5 and Figure 2; Armitage,
    McPherson and Rowe 1969.
    """

    question = "How often is something significant where there is nothing, if there is something to choose?"
    takes = "nothing"
    citation = "Søgaard et al. 2014"
    example = "outscore study toys --rounds 20000 -n 999 --plot toys.svg"

    rounds: int = option(20_000, "Simulated data sets of each kind.")
    items_each: int = option(_ITEMS, "Items of a data set.")
    levels: str = option("0.05,0.01", "Levels of significance, with commas.")
    sizes: str = option("10,20,30,50,100,200", "Items of the bootstrap, with commas.")
    growth: str = option("50,100,200,400,800", "Sizes of a growing sample, with commas.")
    gains: str = option("0,0.1,0.2", "True gains of the growing sample.", "In standard deviations of the differences.")

    def grid(self, material: Material) -> list[Spec]:
        """One cell for each kind of data, by blocks of rounds."""
        simulated.check_rounds(self.rounds)
        if self.items_each < 20 or self.items_each % 20:
            raise UsageError(
                f"--items-each {self.items_each}: expected a multiple of 20, as it is cut into quarters and clusters"
            )
        del material
        kinds: list[dict[str, str | int | float]] = [{"toy": name, "n": self.items_each} for name in _SAMPLES]
        kinds += [{"toy": "bootstrap", "n": n} for n in self._sizes]
        kinds += [{"toy": "growth", "gain": gain} for gain in self._gains]
        # a wrong option is refused before the work
        assert self._levels and self._growth, "lists of an option are never empty"
        return [
            {**kind, "block": block, "rounds": rounds}
            for kind in kinds
            for block, rounds in enumerate(simulated.blocks(self.rounds, _BLOCK))
        ]

    def cell(self, material: Material, spec: Spec, seed: int) -> Found:
        """How often the smallest p was significant, for each free choice and level."""
        draw = np.random.default_rng(seed)
        toy, rounds = spec["toy"], spec["rounds"]
        if toy == "growth":
            return {"hits": self._count_growing(toys.grow(draw, rounds, self._growth, spec["gain"]))}
        if toy == "bootstrap":
            p = toys.simulate_bootstrap(draw, rounds, spec["n"], material.settings.n_resamples, seed)
        else:
            p = _SAMPLES[toy](draw, rounds, spec["n"])
        hits = {name: [int((values <= level).sum()) for level in self._levels] for name, values in p.items()}
        binned = {
            name: np.histogram(1 - p[name], bins=BINS, range=(0, 1))[0][::-1].tolist()
            for name in _WITH_BINS
            if name in p
        }
        return {"hits": hits, "bins": binned}

    def summary(self, material: Material, cells: Sequence[tuple[Spec, Found]]) -> Summary:
        """The proportions beside theory and print, and pictures of them."""
        shares: Shares = {}
        bins: dict[str, list[int]] = {}
        for spec, found in cells:
            kind = spec["toy"], spec.get("n", spec.get("gain"))
            for name, hits in found["hits"].items():
                for level, hit in zip(self._levels, hits, strict=True):
                    key, new = (*kind, name, level), SimulatedProportion(hits=hit, rounds=spec["rounds"])
                    shares[key] = shares[key] + new if key in shares else new
            for name, counts in found.get("bins", {}).items():
                bins[name] = [a + b for a, b in zip(bins.get(name, [0] * BINS), counts, strict=True)]
        tables, figures = tables_and_figures(
            shares, bins, self._levels[0], self._sizes, self._gains, self._growth, self.items_each
        )
        resamples = f"bootstrap with {material.settings.n_resamples:,} resamples"
        return Summary(
            design=f"{self.rounds:,} simulated data sets of each kind, {self.items_each} items, {resamples}.",
            tables=tables,
            figures=figures,
            findings=tuple(self._findings(shares)),
        )

    def _count_growing(self, p: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> dict[str, list[int]]:
        """Counts by level: significant at each size, no more at the next one, and at some size but not at the last."""
        hits: dict[str, list[int]] = {}
        for level in self._levels:
            sure = p <= level
            for k, n in enumerate(self._growth):
                hits.setdefault(f"{n}", []).append(int(sure[:, k].sum()))
            for k, (n, more) in enumerate(pairwise(self._growth)):
                hits.setdefault(f"{n} to {more}", []).append(int((sure[:, k] & ~sure[:, k + 1]).sum()))
            hits.setdefault("last", []).append(int((sure[:, :-1].any(axis=1) & ~sure[:, -1]).sum()))
        return hits

    def _findings(self, shares: Shares) -> Iterator[Finding]:
        for level in self._levels:
            for toy, name, expected, said in _choices(level):
                printed = _find_published(name, level) if self.items_each == _ITEMS else None
                if printed is not None or level == self._levels[0]:
                    yield simulated.make_finding(
                        f"{name}, p ≤ {level:g}",
                        shares[toy, self.items_each, name, level],
                        expected=expected,
                        printed=printed,
                        reason=said if level == self._levels[0] else "",
                        differs=_differs(name, level),
                    )
        yield from self._find_by_size(shares, self._levels[0])

    def _find_by_size(self, shares: Shares, level: float) -> Iterator[Finding]:
        for k in toys.AUTO_SIZES:
            printed = PublishedNumber(value=_ARMITAGE[k], source="Armitage et al. 1969, Table 2", unit=0.001)
            yield simulated.make_finding(
                f"{k} looks at growing data, p ≤ {level:g}",
                shares["looks", self.items_each, f"{k} looks", level],
                expected=1 - freedom.p_none(level, range(1, k + 1)),
                printed=printed if level == 0.05 else None,
            )
        for n in self._sizes:
            yield simulated.make_finding(
                f"bootstrap of {n} items, p ≤ {level:g}",
                shares["bootstrap", n, "bootstrap", level],
                expected=freedom.bootstrap_size(level, n),
                approximate=0.1,
                reason="Expected: P(|t| > z √((n - 1)/n)) with n - 1 degrees of freedom, as if the resampled mean were "
                "normal, which holds to a tenth: the bootstrap has the variance with divisor n and no t."
                if n == self._sizes[0]
                else "",
            )
        effect = 1 + 4 * 0.5  # of clusters of 5 with a correlation of .5
        yield simulated.make_finding(
            f"t of {self.items_each} items in clusters of 5, clusters ignored, p ≤ {level:g}",
            shares["clusters", self.items_each, toys.IGNORED, level],
            expected=freedom.p_inflated(level, effect),
            approximate=0.1,
            reason="Items of a cluster have a correlation of .5, which makes the variance three times as large: more "
            "items do not help. Expected: for many clusters.",
        )
        yield simulated.make_finding(
            f"t of {self.items_each} items in clusters of 5, over clusters, p ≤ {level:g}",
            shares["clusters", self.items_each, toys.RESPECTED, level],
            expected=level,
        )
        for gain in self._gains if len(self._growth) > 1 else []:
            yield simulated.make_finding(
                f"significant with fewer than {self._growth[-1]} items and then no more, gain {gain:g} sd",
                shares["growth", gain, "last", level],
                expected=freedom.p_loss(level, self._growth, gain),
                reason="Tests that hold their level do this, too: it is no sign that they are unreliable."
                if gain == self._gains[0]
                else "",
            )

    @property
    def _levels(self) -> list[float]:
        found = simulated.numbers(self.levels, "--levels", 1e-6, 0.5)
        return list(dict.fromkeys(found))

    @property
    def _sizes(self) -> list[int]:
        return simulated.parse_integers(self.sizes, "--sizes", 5, 2000)

    @property
    def _growth(self) -> list[int]:
        return simulated.parse_integers(self.growth, "--growth", 5, 10_000)

    @property
    def _gains(self) -> list[float]:
        return list(dict.fromkeys(simulated.numbers(self.gains, "--gains", 0, 10)))


def _choices(level: float) -> Iterator[tuple[str, str, float, str]]:
    """Free choices: kind of data, name, what is expected, and what must be known."""
    yield "metrics", toys.ONE, level, "The source says that it should be smaller than the level: it equals it."
    for name, (correlation, _) in toys.COPIES.items():
        said = "Expected: two normal statistics with the correlation of both metrics." if name in _FIRST else ""
        yield "metrics", name, freedom.p_any(level, 2, correlation), said
    yield "metrics", toys.INDEPENDENT, freedom.p_any(level, 2), ""
    one = {
        toys.HALVES: freedom.p_any(level, 2),
        toys.HALF_OR_WHOLE: freedom.p_any(level, 2, math.sqrt(0.5)),
        toys.ALL_PARTS: freedom.p_subset_or_whole(level),
    }
    for name, expected in one.items():
        yield "parts", name, expected, _THREE if name == toys.HALVES else ""
    for name, expected in one.items():
        yield "parts", f"{name}, two metrics", 1 - (1 - expected) ** 2, ""
    four = 1 - freedom.p_none(level, (1, 2, 3, 4))
    yield "sizes", toys.SIZES, four, "The text of Figure 2 speaks of four sample sizes, its caption of several metrics."
    yield "sizes", f"{toys.SIZES}, two metrics", 1 - (1 - four) ** 2, ""


_FIRST = next(iter(toys.COPIES))
_THREE = "The source does not say between which parts there was a choice; 1,000 rounds can hardly tell."
_AT = {
    toys.ONE: ({0.05: 0.048, 0.01: 0.008}, "§3.3"),
    **{name: ({0.05: 0.1}, "§3.3") for name in list(toys.COPIES)[:4]},
    **{name: ({0.05: 0.095, 0.01: 0.027}, "§3.5") for name in (toys.HALVES, toys.HALF_OR_WHOLE, toys.ALL_PARTS)},
    **{
        f"{name}, two metrics": ({0.05: 0.162, 0.01: 0.037}, "§3.5")
        for name in (toys.HALVES, toys.HALF_OR_WHOLE, toys.ALL_PARTS)
    },
}


def _find_published(name: str, level: float) -> PublishedNumber | None:
    """The number that the source printed for a free choice; None where there is none."""
    where = "Søgaard et al. 2014"
    if name == toys.INDEPENDENT:  # computed, not simulated
        value = {0.05: (0.0975, 0.0001), 0.01: (0.019, 0.001)}.get(level)
        return None if value is None else PublishedNumber(value=value[0], source=f"{where}, §3.3", unit=value[1])
    values, place = _AT.get(name, ({}, ""))
    if level not in values:
        return None
    return PublishedNumber(value=values[level], source=f"{where}, {place}", unit=0.001, rounds=_ROUNDS)


def _differs(name: str, level: float) -> str:
    """Why a printed number differs."""
    if name in toys.COPIES and name != _FIRST:
        return "Not possible so either."
    if name == _FIRST:
        return (
            f"Not possible so: even two independent metrics give {freedom.p_any(level, 2):.2%}, and a copy with 10 % "
            "of noise is nearly the same metric."
        )
    if name == toys.INDEPENDENT:
        return f"The printed number is cut off, not rounded: 1 - (1 - {level:g})² = {freedom.p_any(level, 2):.2%}."
    return "So it was not meant, or the printed number is off." if name in _AT else ""
