"""p over cut-offs of a number known of each item, such as its length."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.errors import UsageError, inflect
from outscore.results.study import Axis, DataTable, Field, Figure, Finding, Layer, Value
from outscore.significance.confidence import plain_interval
from outscore.significance.gain import GainContrast
from outscore.significance.notes import ITEMS_ONLY
from outscore.significance.resamples import Resamples
from outscore.studies import Found, Spec, Study, Summary, option, study
from outscore.studies.shared.forking_paths import (
    Match,
    Which,
    analyse,
    make_matches,
    name_items,
    p_by_normal_law,
    refuse_ranked,
)
from outscore.studies.shared.material import Material
from outscore.studies.shared.rates import Rate, choice_findings

Side = Literal["up-to", "from", "both"]

LENGTH = "length"
_PANELS = 12
_PRINTED = 40
_WIDE = 20.0  # largest over smallest cut-off from which on the axis is logarithmic


@study("covariates")
@dataclass(frozen=True)
class Covariates(Study):
    """Effect of a cut-off on p: items up to each length, or to each value of a column of numbers.

    A gain on sentences of up to 22 words is one of many that could have been reported. All cut-offs are shown, with the
    gain and its interval at each; the systems' outputs are permuted item by item at random, the same way for all
    cut-offs, which gives p (randomization) and its two corrections over all cut-offs: Holm's, and the joint one by the
    largest gain of all cut-offs (step-down maximum). How often a free choice of the cut-off finds something where there
    is nothing is counted on null versions of these very data. All of it is exploration: a cut-off that was not chosen
    beforehand counts with the corrected p.

    Source: Søgaard et al. 2014, §3.5, Figure 6; Westfall and Young 1993.
    """

    question = "What does a cut-off do to p?"
    citation = "Søgaard et al. 2014"
    example = "outscore study covariates -r ref.txt base.txt new.txt -m bleu --plot lengths.svg"

    covariate: str = option("", "Column of numbers.", shown="words of the first reference")
    side: Side = option("up-to", "Items up-to a cut-off, from it on, or both.")
    cutoffs: int = option(20, "Number of cut-offs.", "At equal proportions of the items.")
    at: str = option("", "The cut-offs themselves, with commas.", "All items are one of them.")
    least: int = option(20, "Items that each cut-off must leave at least.")
    pairs: Which = option("baseline", "All with the baseline, or all pairs.")
    by: str = option("", "Column whose values are test sets, as genres.")
    versions: int = option(2000, "Null versions of each pair.", "On them false positives are counted.")

    def grid(self, material: Material) -> list[Spec]:
        """One cell for each metric and pair of systems."""
        if self.versions < 2 or self.cutoffs < 2 or self.least < 1:
            raise UsageError("--versions and --cutoffs are 2 or more, --least is 1 or more")
        pairs = make_matches(material, self.pairs, self.by)
        refuse_ranked(material)
        for pair in pairs:
            part, _, _ = pair.select(material, self.by)
            if len(self._make_analyses(self._values(part))) < 2:
                raise UsageError(
                    f"--least {self.least} leaves no cut-off but all of {part.n_items} items: give a smaller one"
                )
        return [{"metric": stats.name, **vars(pair)} for stats in material.by_metric for pair in pairs]

    def cell(self, material: Material, spec: Spec, seed: int) -> Found:
        """One pair under one metric at all cut-offs."""
        settings = replace(material.settings, seed=seed)
        alpha = settings.alpha
        part, system, baseline = _match(spec).select(material, self.by)
        stats = next(stats for stats in part.by_metric if stats.name == spec["metric"])
        where = self._make_analyses(self._values(part))
        looks = analyse([(stats, items) for _, _, items in where], system, baseline, settings, self.versions)
        rows = []
        for number, (side, cutoff, items) in enumerate(where):
            held = Resamples(part.systems, [stats.restrict(np.flatnonzero(items))], baseline, settings)
            ends = plain_interval(GainContrast(held, 0, system)) or (None, None)
            rows.append(
                {
                    "side": side,
                    "cutoff": cutoff,
                    "n": int(items.sum()),
                    "gain": GainContrast(held, 0, system).gain,
                    "low": _finite_or_none(ends[0]),
                    "high": _finite_or_none(ends[1]),
                    "p": float(looks.p[number]),
                    "holm": float(looks.holm[number]),
                    "joint": float(looks.joint[number]),
                }
            )
        return {
            "looks": rows,
            "whole": next(number for number, (_, _, items) in enumerate(where) if items.all()),
            "alone": Rate.mean(looks.rates_of_each(alpha)).value,
            "free": looks.rate_of_any(alpha).to_plain(),
            "after_holm": looks.rate_by_holm(alpha).to_plain(),
            "after_joint": looks.rate_by_joint_law(alpha).to_plain(),
            "normal": p_by_normal_law(looks.correlations, alpha, settings.alternative),
            "varies": bool((looks.draws != 0).any(axis=1).all()),
        }

    def summary(self, material: Material, cells: Sequence[tuple[Spec, Found]]) -> Summary:
        """p at all cut-offs, what is left after correction, and false positives of a free choice."""
        alpha = material.settings.alpha
        found = [(spec["metric"], _match(spec).name, cell) for spec, cell in cells]
        pairs = [(metric, pair, *_find_best(c, alpha)) for metric, pair, c in found]
        every = [
            (metric, pair, *(look[field.name] for field in _LOOK)) for metric, pair, c in found for look in c["looks"]
        ]
        rules: list[tuple[Value, ...]] = [(metric, pair, alpha, 0.0) for metric, pair, _ in found]
        return Summary(
            design=self._design(material),
            findings=tuple(_findings(found, alpha)),
            tables=(
                _pairs(pairs),
                DataTable(
                    name="cutoffs",
                    title=f"Every cut-off ({self.covariate or 'length in words'})",
                    fields=(_METRIC, _PAIR, *_LOOK),
                    rows=tuple(every),
                    about="Holm, joint: p corrected over all cut-offs of its pair and metric. Intervals are of each "
                    "cut-off by itself.",
                    printed=len(every) <= _PRINTED,
                ),
                DataTable(
                    name="alpha",
                    title="Level",
                    fields=(_METRIC, _PAIR, Field(name="alpha", title="alpha"), Field(name="zero", title="no gain")),
                    rows=tuple(rules),
                    printed=False,
                ),
            ),
            figures=tuple(
                figure
                for number, stats in enumerate(material.by_metric)
                for figure in self._figures(material, stats.name, material.units[number], found)
            ),
            notes=(ITEMS_ONLY,) if any(len(runs) > 1 for runs in material.runs.values()) else (),
        )

    def _values(self, material: Material) -> Float:
        if not self.covariate:
            if not material.lengths:
                raise UsageError(
                    "the items have no reference to tell their lengths from: name a column with --covariate"
                )
            values = np.array(material.lengths)
        else:
            values = _numbers(self.covariate, material.column(self.covariate, "--covariate"))
        if (values == values[0]).all():
            raise UsageError(f"{self.covariate or LENGTH} is {values[0]:g} for all items: there is nothing to cut")
        return values

    def _make_analyses(self, values: Float) -> list[tuple[str, float, Bool]]:
        """Side, cut-off and items of each analysis; all items are among them, once."""
        if self.at:
            chosen = np.unique(_numbers("--at", self.at.split(",")))
        else:
            # quantiles that are values of items
            shares = np.arange(self.cutoffs + 1) / self.cutoffs
            chosen = np.unique(np.quantile(values, shares, method="inverted_cdf"))
        sides: list[tuple[str, float, Bool]] = []
        if self.side != "from":
            ups = chosen[chosen < values.max()].tolist()
            sides += [("up to", cutoff, values <= cutoff) for cutoff in [*ups, float(values.max())]]
        if self.side != "up-to":
            downs = chosen[chosen > values.min()].tolist()
            whole = [float(values.min())] if self.side == "from" else []
            sides += [("from", cutoff, values >= cutoff) for cutoff in [*whole, *downs]]
        # cut-offs between which no item lies are one
        once: dict[bytes, tuple[str, float, Bool]] = {}
        for look in sides:
            once.setdefault(look[2].tobytes(), look)
        return [look for look in once.values() if look[2].sum() >= min(self.least, len(values))]

    def _design(self, material: Material) -> str:
        return (
            f"Cut-offs by {self.covariate or 'length in words'} at {name_items(material, self.by)}, randomization test "
            f"({material.settings.alternative}), {material.settings.n_resamples} permutations; {self.versions} null "
            "versions of each pair."
        )

    def _figures(
        self, material: Material, metric: str, unit: str, found: Sequence[tuple[str, str, Any]]
    ) -> list[Figure]:
        mine = [c for name, _, c in found if name == metric]
        alpha = material.settings.alpha
        some, left = (sum(min(look[p] for look in c["looks"]) <= alpha for c in mine) for p in ("p", "joint"))
        whole = sum(c["looks"][c["whole"]]["p"] <= alpha for c in mine)
        cuts = [look["cutoff"] for c in mine for look in c["looks"]]
        scale: Literal["linear", "log"] = "log" if min(cuts) > 0 and max(cuts) / min(cuts) >= _WIDE else "linear"
        # room for the points at both ends
        low, high = min(cuts), max(cuts)
        ends = (low / 1.05, high * 1.05) if scale == "log" else (low - (high - low) / 40, high + (high - low) / 40)
        x = Axis(title=f"Cut-off of {self.covariate or 'length (words)'}", scale=scale, domain=ends)
        colour = "side" if self.side == "both" else ""
        p = Figure(
            name=metric,
            title=f"Significant on all items: {whole} of {inflect(len(mine), 'pair')}, at some cut-off: {some}, "
            f"corrected: {left}",
            subtitle=f"{metric}. {self._design(material)}\nBroken curve: p corrected over all cut-offs; "
            f"broken line: p = {alpha:g}",
            where=("metric", metric),
            facet="pair" if len(mine) > 1 else "",
            x=x,
            y=Axis(title="p", scale="sqrt", domain=(0.0, 1.02)),
            layers=(
                Layer(mark="y-rule", table="alpha", y="alpha"),
                Layer(mark="line", table="cutoffs", x="cutoff", y="joint", colour=colour, dashed=True),
                Layer(mark="line", table="cutoffs", x="cutoff", y="p", colour=colour),
                Layer(mark="point", table="cutoffs", x="cutoff", y="p", colour=colour),
            ),
        )
        gains = Figure(
            name=f"{metric} gains",
            title=f"Gains change with the cut-off: {_span(mine)} ({unit})",
            subtitle=f"{metric}. {self._design(material)}\nIntervals of each cut-off by itself",
            where=("metric", metric),
            facet="pair" if len(mine) > 1 else "",
            x=x,
            y=Axis(title=f"Gain ({unit})"),
            layers=(
                Layer(mark="y-rule", table="alpha", y="zero"),
                Layer(mark="band", table="cutoffs", x="cutoff", low="low", high="high", colour=colour),
                Layer(mark="line", table="cutoffs", x="cutoff", y="gain", colour=colour),
            ),
        )
        return [p, gains] if len(mine) <= _PANELS else []


def _match(spec: Spec) -> Match:
    return Match(spec["system"], spec["baseline"], spec["part"])


def _numbers(name: str, texts: Sequence[str]) -> Float:
    values = np.empty(len(texts))
    for number, text in enumerate(texts):
        try:
            values[number] = float(text)
        except ValueError:
            values[number] = math.nan
        if not math.isfinite(values[number]):
            raise UsageError(f"{name}: expected numbers, got {text!r} (entry {number + 1})")
    return values


def _finite_or_none(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _span(cells: Sequence[Any]) -> str:
    gains = [look["gain"] for c in cells for look in c["looks"]]
    return f"{min(gains):.2g} to {max(gains):.2g}"


def _find_best(cell: Any, alpha: float) -> tuple[Value, ...]:
    looks = cell["looks"]
    best = min(looks, key=lambda look: look["p"])
    free = Rate(*cell["free"])
    return (
        looks[cell["whole"]]["p"],
        best["p"],
        f"{best['side']} {best['cutoff']:g}",
        min(look["holm"] for look in looks),
        min(look["joint"] for look in looks),
        free.value,
        *free.ends(alpha),
    )


def _findings(found: Sequence[tuple[str, str, Any]], alpha: float) -> list[Finding]:
    cells = [c for _, _, c in found]
    counts = [
        ("Pairs with p ≤ alpha on all items", [c["looks"][c["whole"]]["p"] for c in cells]),
        ("Pairs with p ≤ alpha at some cut-off", [min(look["p"] for look in c["looks"]) for c in cells]),
        ("Pairs left after Holm's correction", [min(look["holm"] for look in c["looks"]) for c in cells]),
        ("Pairs left after joint correction", [min(look["joint"] for look in c["looks"]) for c in cells]),
    ]
    made = [Finding(what=what, value=sum(p <= alpha for p in ps), kind="count") for what, ps in counts]
    return [*made, *choice_findings(cells, alpha, "some cut-off", _COARSE)]


_COARSE = "gains at the narrowest cut-offs take few values, so that a test cannot use up its level, or are not normal"

_PAIR = Field(name="pair", title="Pair", kind="text")
_METRIC = Field(name="metric", title="Metric", kind="text")
_LOOK = (
    Field(name="side", title="Items", kind="text"),
    Field(name="cutoff", title="cut-off"),
    Field(name="n", title="items", kind="count"),
    Field(name="gain", title="Gain", low="low", high="high"),
    Field(name="low", title="low"),
    Field(name="high", title="high"),
    Field(name="p", title="p", kind="p"),
    Field(name="holm", title="Holm", kind="p"),
    Field(name="joint", title="joint", kind="p"),
)


def _pairs(rows: Sequence[tuple[Value, ...]]) -> DataTable:
    return DataTable(
        name="pairs",
        title="The best cut-off of each pair",
        fields=(
            _METRIC,
            _PAIR,
            Field(name="whole", title="p, all items", kind="p"),
            Field(name="smallest", title="smallest p", kind="p"),
            Field(name="where", title="at", kind="text"),
            Field(name="holm", title="Holm", kind="p"),
            Field(name="joint", title="joint", kind="p"),
            Field(name="free", title="by luck", kind="share", low="low", high="high"),
            Field(name="low", title="low", kind="share"),
            Field(name="high", title="high", kind="share"),
        ),
        rows=tuple(rows),
        about="Holm, joint: the smallest p corrected over all cut-offs. By luck: null versions whose smallest p is at "
        "most alpha.",
    )
