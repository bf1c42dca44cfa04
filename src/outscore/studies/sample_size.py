"""p while a sample grows, what repeated interim analyses do, and how often a subset of the items is enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from outscore.base.errors import UsageError, inflect
from outscore.base.rng import stream
from outscore.results.study import Axis, DataTable, Field, Figure, Finding, Layer, Value
from outscore.significance.notes import ITEMS_ONLY
from outscore.significance.sequential import GIVEN_ORDER
from outscore.significance.settings import Settings
from outscore.studies import Found, Spec, Study, Summary, option, study
from outscore.studies.shared.forking_paths import (
    Match,
    Which,
    analyse,
    equal_steps,
    make_matches,
    name_items,
    p_by_normal_law,
    refuse_ranked,
)
from outscore.studies.shared.growing import anytime, order_units, p_of_all, p_of_subset, pairing, steps_of
from outscore.studies.shared.growing_tables import (
    ANYTIME,
    JOINT,
    METRIC,
    PAIR,
    SMALLEST,
    peeking,
    ratios,
    steps_table,
    tabulate_proportions,
)
from outscore.studies.shared.material import Material
from outscore.studies.shared.rates import Rate, rate_finding

_PANELS = 12


@study("sample-size")
@dataclass(frozen=True)
class SampleSize(Study):
    """Effect of the size of the sample on p: p as items come in, and on subsets of the items.

    The sample grows in equal steps, in random order or as given. Whoever tests at each step and stops at the first
    small p finds something where there is nothing far more often than alpha: counted on null versions of these data,
    beside the normal law of Armitage, McPherson and Rowe 1969. Two answers hold at all steps together: p corrected
    jointly over the steps (step-down maximum), and the e-value of a confidence sequence, which may be looked at after
    every item (means of items only). Then random subsets of the items, without replacement: the proportion of them
    on which the test is significant, which is its power at that size and nothing else; on all items it is 0 or 1.

    Source: Søgaard et al. 2014, §3.4, Figures 3 to 5, Table 4.
    """

    question = "What does the size of the sample do to p?"
    citation = "Søgaard et al. 2014"
    example = "outscore study sample-size -r ref.txt base.txt new.txt -m bleu --plot sizes.svg"

    looks: int = option(10, "Steps in which the sample grows.")
    order: Literal["random", "given"] = option("random", "Order of the items: random, or as they are given.")
    fractions: str = option("0.1,0.25,0.5,0.75,1", "Proportions of items of subsamples, with commas.")
    subsamples: int = option(100, "Subsamples of each proportion.")
    pairs: Which = option("baseline", "All with the baseline, or all pairs.")
    by: str = option("", "Column whose values are test sets, as genres.")
    versions: int = option(2000, "Null versions of each pair.", "On them false positives are counted.")
    lowest: float = option(0.0, "Lowest score that an item can have.", "For the answer at any time.")
    highest: float = option(1.0, "Highest score that an item can have.", "For the answer at any time.")

    def grid(self, material: Material) -> list[Spec]:
        """For each metric and pair one cell of growing samples, and one for each proportion of the items."""
        if self.looks < 2 or self.versions < 2 or self.subsamples < 1 or not self.lowest < self.highest:
            raise UsageError(
                "--looks and --versions are 2 or more, --subsamples 1 or more, and --lowest is below --highest"
            )
        pairs = make_matches(material, self.pairs, self.by)
        refuse_ranked(material)
        for pair in pairs:
            units = pair.select(material, self.by)[0].by_metric[0].design.n_units
            if units < 2 * self.looks:
                raise UsageError(f"{units} items (clusters) are too few for {self.looks} steps: use fewer --looks")
        return [
            {"metric": stats.name, **vars(pair), "share": share}
            for stats in material.by_metric
            for pair in pairs
            for share in (None, *self._proportions())
        ]

    def cell(self, material: Material, spec: Spec, seed: int) -> Found:
        """One pair under one metric, growing or in parts."""
        settings = replace(material.settings, seed=seed)
        alpha = settings.alpha
        part, system, baseline = _match(spec).select(material, self.by)
        stats = next(stats for stats in part.by_metric if stats.name == spec["metric"])
        pair = pairing(stats, system, baseline, settings)
        if spec["share"] is not None:
            n = max(1, round(spec["share"] * pair.n_units))
            whole = n == pair.n_units
            return {"p": [p_of_all(pair)] if whole else [p_of_subset(pair, n, k) for k in range(self.subsamples)]}
        # one order for all pairs and metrics
        shuffled = stream(material.settings.seed, "order of items").permutation(pair.n_units)
        order = order_units(stats.design) if self.order == "given" else shuffled
        steps, masks = steps_of(stats.design, self.looks, order)
        found = analyse([(stats, mask) for mask in masks], system, baseline, settings, self.versions)
        # the last step is all items, which decide the same however they are resampled
        p = [*found.p[:-1].tolist(), p_of_all(pair)]
        always = anytime(pair, order, steps, (self.lowest, self.highest), self.versions)
        by_then = {
            SMALLEST: found.null_p,
            JOINT: found.null_joint,
            **({} if always is None else {ANYTIME: always.null_p}),
        }
        return {
            "n": [int(mask.sum()) for mask in masks],
            "gain": found.gains.tolist(),
            "p": p,
            "joint": np.maximum(found.joint, p).tolist(),
            "anytime": None if always is None else always.p,
            "kind": None if always is None else always.kind,
            "rates": {
                name: [found.rate(row).to_plain() for row in np.logical_or.accumulate(p <= alpha)]
                for name, p in by_then.items()
            },
            "varies": bool((found.draws != 0).any(axis=1).all()),
        }

    def summary(self, material: Material, cells: Sequence[tuple[Spec, Found]]) -> Summary:
        """Curves of p, false positives of looking again, and proportions of subsamples."""
        alpha = material.settings.alpha
        named = [(spec["metric"], _match(spec).name, spec["share"], c) for spec, c in cells]
        growing = [(metric, pair, c) for metric, pair, share, c in named if share is None]
        parts = [(metric, pair, share, c["p"]) for metric, pair, share, c in named if share is not None]
        steps = [
            (metric, pair, c["n"][k], c["gain"][k], c["p"][k], c["joint"][k], c["anytime"][k] if c["anytime"] else None)
            for metric, pair, c in growing
            for k in range(self.looks)
        ]
        by_look, looking = peeking([c for _, _, c in growing], self.looks, material.settings)
        rules: list[tuple[Value, ...]] = [(metric, pair, alpha) for metric, pair, _ in growing]
        notes = [ITEMS_ONLY] if any(len(runs) > 1 for runs in material.runs.values()) else []
        return Summary(
            design=self._design(material),
            findings=tuple(_findings(growing, material.settings)),
            tables=(
                ratios(parts, self._proportions(), alpha),
                steps_table(steps),
                by_look,
                looking,
                tabulate_proportions(parts, alpha),
                DataTable(
                    name="alpha",
                    title="Level",
                    fields=(METRIC, PAIR, Field(name="alpha", title="alpha")),
                    rows=tuple(rules),
                    printed=False,
                ),
            ),
            figures=tuple(self._figures(material, growing, parts, looking.rows)),
            notes=(*notes, *((GIVEN_ORDER,) if self.order == "given" else ())),
        )

    def _proportions(self) -> list[float]:
        try:
            shares = sorted({float(text) for text in self.fractions.split(",")})
        except ValueError:
            shares = []
        if not shares or not 0 < shares[0] <= shares[-1] <= 1:
            raise UsageError(f"--fractions {self.fractions!r}: expected proportions above 0 and up to 1, as 0.1,0.5,1")
        return shares

    def _design(self, material: Material) -> str:
        return (
            f"{name_items(material, self.by)} in {self.looks} steps ({self.order} order), randomization test "
            f"({material.settings.alternative}), {material.settings.n_resamples} permutations; {self.versions} null "
            f"versions and {inflect(self.subsamples, 'subsample')} of each proportion."
        )

    def _figures(
        self, material: Material, growing: Sequence[tuple[str, str, Any]], parts: Sequence[Any], looking: Sequence[Any]
    ) -> list[Figure]:
        alpha = material.settings.alpha
        made = []
        for stats in material.by_metric:
            mine = [c for metric, _, c in growing if metric == stats.name]
            if len(mine) > _PANELS:
                continue
            gone = sum(min(c["p"]) <= alpha < c["p"][-1] for c in mine)
            made.append(
                Figure(
                    name=stats.name,
                    title=f"Significant at some step and not on all items: {gone} of {inflect(len(mine), 'pair')}",
                    subtitle=f"{stats.name}. {self._design(material)}\nBroken curve: p corrected over all steps; "
                    f"broken line: p = {alpha:g}",
                    where=("metric", stats.name),
                    facet="pair" if len(mine) > 1 else "",
                    x=Axis(title="Items", domain=(0.0, 1.02 * max(n for c in mine for n in c["n"]))),
                    y=Axis(title="p", scale="sqrt", domain=(0.0, 1.02)),
                    layers=(
                        Layer(mark="y-rule", table="alpha", y="alpha"),
                        Layer(mark="line", table="steps", x="n", y="joint", dashed=True),
                        Layer(mark="line", table="steps", x="n", y="p"),
                        Layer(mark="point", table="steps", x="n", y="p"),
                    ),
                )
            )
        if looking:
            luck = 100 * looking[self.looks - 1][2]
            made.append(
                Figure(
                    name="peeking",
                    title=f"Looking {self.looks} times finds something in {luck:.1f} % of null versions",
                    subtitle=f"{self._design(material)}\nMeans over all pairs and metrics; broken line: normal law "
                    "(Armitage et al. 1969)",
                    x=Axis(title="Interim analyses so far", domain=(0.5, self.looks + 0.5)),
                    y=Axis(title=f"Null versions with p ≤ {alpha:g} by then", percent=True),
                    layers=(
                        Layer(mark="line", table="looking", x="looks", y="law", dashed=True),
                        Layer(mark="interval", table="looking", x="looks", low="low", high="high", colour="by"),
                        Layer(mark="point", table="looking", x="looks", y="rate", colour="by"),
                    ),
                )
            )
        some = [sum(p <= alpha for p in ps) / len(ps) for _, _, share, ps in parts if share < 1]
        if some:
            made.append(
                Figure(
                    name="subsamples",
                    title=f"Parts of the items are significant in {100 * min(some):.0f} to {100 * max(some):.0f} % "
                    "of draws",
                    subtitle=f"{self._design(material)}",
                    facet="metric" if len(material.by_metric) > 1 else "",
                    x=Axis(title="Proportion of the items", percent=True, domain=(0.0, 1.05)),
                    y=Axis(title=f"Subsamples with p ≤ {alpha:g}", percent=True, domain=(0.0, 1.02)),
                    layers=(
                        Layer(mark="line", table="subsamples", x="share", y="ratio", colour="pair"),
                        Layer(mark="interval", table="subsamples", x="share", low="low", high="high", colour="pair"),
                        Layer(mark="point", table="subsamples", x="share", y="ratio", colour="pair"),
                    ),
                )
            )
        return made


def _findings(growing: Sequence[tuple[str, str, Any]], settings: Settings) -> list[Finding]:
    alpha = settings.alpha
    cells = [c for _, _, c in growing]
    counts = [
        ("Pairs with p ≤ alpha on all items", sum(c["p"][-1] <= alpha for c in cells)),
        ("Pairs with p ≤ alpha at some step", sum(min(c["p"]) <= alpha for c in cells)),
        ("Pairs that lost it again with more items", sum(_is_lost(c["p"], alpha) for c in cells)),
        ("Pairs left after joint correction", sum(min(c["joint"]) <= alpha for c in cells)),
    ]
    if any(c["anytime"] for c in cells):
        found = sum(c["anytime"] is not None and c["anytime"][-1] <= alpha for c in cells)
        counts.append(("Pairs decided at any time (confidence sequence)", found))
    made = [Finding(what=what, value=value, kind="count") for what, value in counts]
    moving = [c for c in cells if c["varies"]]
    for name in (SMALLEST, JOINT, ANYTIME):
        some = [Rate(*c["rates"][name][-1]) for c in moving if name in c["rates"]]
        if not some:
            continue
        looks = len(moving[0]["p"])
        law = p_by_normal_law(equal_steps(looks), alpha, settings.alternative) if name == SMALLEST else alpha
        most = " (at most)" if name == ANYTIME else ""
        what = f"Null versions with p ≤ {alpha:g}, {looks} looks, {name}{most}"
        made.append(rate_finding(what, Rate.mean(some), law, at_most=bool(most), reason=_COARSE))
    return made


def _match(spec: Spec) -> Match:
    return Match(spec["system"], spec["baseline"], spec["part"])


def _is_lost(p: Sequence[float], alpha: float) -> bool:
    """Whether some step is significant and a later one is not."""
    return any(here <= alpha < there for k, here in enumerate(p) for there in p[k + 1 :])


_COARSE = "gains of the smallest samples take few values, so that a test cannot use up its level, or are not normal"
