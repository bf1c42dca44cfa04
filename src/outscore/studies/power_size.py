"""Power by fake data, and the coverage of the interval that goes with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from outscore.base.errors import UsageError
from outscore.power.plans.fake import FakeData, FakeItems
from outscore.power.plans.mcnemar import mcnemar_power
from outscore.power.plans.t import TDesign, van_belle_items
from outscore.power.plans.two_proportions import two_proportions_power
from outscore.power.simulation import simulate
from outscore.results.study import Finding
from outscore.significance import tests
from outscore.significance.discordant import DiscordantPairs, Method
from outscore.significance.independent.proportions import two_proportions
from outscore.studies import Found, Spec, Study, Summary, option, study
from outscore.studies.shared import coverage, right_wrong, simulated, toys
from outscore.studies.shared.material import Material
from outscore.studies.shared.power_pictures import CLOSED, RIGHT_WRONG, figures, tables
from outscore.studies.shared.simulated import PublishedNumber, SimulatedProportion, Verdict

_BLOCK, _FEW = 5000, 200
_R_T = (20, 1.0)  # n and delta of the example of power.t.test
_R_RATES = (500, 0.75, 0.8)  # n and rates, power.prop.test
_PRINTED = {"t": 0.8689528, "rates": 0.4733395}
_POINTS = ((50, 0.9), (200, 0.98))  # items and accuracy at which coverage is told


@study("power-size")
@dataclass(frozen=True)
class PowerSize(Study):
    """Does power by fake data come to what the formulas say, and does the interval of the bootstrap cover?

    Fake data of each size are made with the hoped-for gain, the test is run on each, and the significant ones are
    counted: the bootstrap, as in the source, McNemar's test, t tests and a test of two proportions. Beside it stands
    the power without simulation. The second part is the interval that the source takes from the bootstrap, mean ± 2
    standard deviations: how often it covers the true accuracy, exactly, beside Wald's, Wilson's and Clopper and
    Pearson's; and what becomes of it where the score is biased, as it is centred at the mean of the resampled scores.

    Source: O'Connor 2015 (slides: bootstrap test, power analysis); Connor 1987; Brown, Cai and DasGupta 2001.
    """

    question = "Does power by fake data come to what the formulas say, and does mean ± 2 sd cover?"
    takes = "nothing"
    citation = "O'Connor 2015 (lecture slides); Brown, Cai & DasGupta 2001"
    example = "outscore study power-size -n 999 --plot power.svg"

    rounds: int = option(10_000, "Fake data sets of each size.", "For tests that take no time.")
    sets: int = option(1000, "Fake data sets for the bootstrap.", "Of each size.")
    p10: float = option(0.1, "Proportion of items that only the system has right.")
    p01: float = option(0.05, "Proportion that only the baseline has right.", "Of items.")
    sizes: str = option("50,100,200,300,400,500", "Items of the fake data, with commas.")
    effect: float = option(0.5, "Gain in standard deviations, for the t tests.")
    t_sizes: str = option("10,20,30,40,50,64", "Items of the fake data of t tests, with commas.")
    covered: str = option("50,200", "Items at which coverage is drawn, with commas.")

    def grid(self, material: Material) -> list[Spec]:
        """Cells for each test and size, and for coverage."""
        simulated.check_rounds(min(self.rounds, self.sets))
        if not (self.p10 > 0 and self.p01 > 0 and self.p10 + self.p01 < 1 and self.effect > 0):
            raise UsageError("--p10 and --p01 lie above 0 and together below 1, and --effect above 0")
        del material
        quick: list[dict[str, str | int]] = [{"part": "mcnemar", "n": n} for n in self._sizes]
        quick += [{"part": part, "n": n} for part in ("paired", "two-sample") for n in self._t_sizes]
        quick += [{"part": "R, t", "n": _R_T[0]}, {"part": "R, rates", "n": _R_RATES[0]}]
        quick += [{"part": "interval", "n": n, "of": place} for place, (n, _) in enumerate(_POINTS)]
        quick += [{"part": "centre", "n": coverage.RARE_ITEMS}]
        drawn = [{"part": "bootstrap", "n": n} for n in self._sizes]
        exact: list[Spec] = [{"part": "law", "n": n} for n in self._sizes]
        return [
            *exact,
            *(
                {**kind, "block": block, "rounds": rounds}
                for kinds, total, size in ((quick, self.rounds, _BLOCK), (drawn, self.sets, _FEW))
                for kind in kinds
                for block, rounds in enumerate(simulated.blocks(total, size))
            ),
            *({"part": "coverage", "n": n} for n in self._covered),
        ]

    def cell(self, material: Material, spec: Spec, seed: int) -> Found:
        """How many were significant, or covered."""
        part, n, alpha = spec["part"], spec["n"], material.settings.alpha
        draw, rounds = np.random.default_rng(seed), spec.get("rounds", 0)
        if part == "law":
            everything = right_wrong.outcomes(n, self.p10, self.p01)
            return {"power": everything.proportion(right_wrong.shift("two-sided", ties=True), alpha)}
        if part == "coverage":
            return {"rows": coverage.curves(n, 1 - alpha)}
        if part == "interval":
            held = coverage.count_by_recipe(draw, rounds, *_POINTS[spec["of"]], material.settings.n_resamples)
            return {"hits": {f"interval {spec['of']}": held}}
        if part == "centre":
            return coverage.count_rare(draw, rounds, min(material.settings.n_resamples, coverage.ENOUGH))
        if part == "bootstrap":
            plan = FakeData(p10=self.p10, p01=self.p01)
            items = FakeItems(plan, self.p10 - self.p01)
            settings = replace(material.settings, seed=seed)
            test = tests.make("bootstrap")
            tally = simulate(items, n, test, effect=items.effect, sets=range(rounds), settings=settings)
            return {"hits": {"bootstrap": tally.rejections}}
        return {"hits": self._quick(draw, part, n, rounds, alpha)}

    def _quick(self, draw: np.random.Generator, part: str, n: int, rounds: int, alpha: float) -> dict[str, int]:
        """Significant ones of so many fake data sets."""
        if part == "mcnemar":
            counts = draw.multinomial(n, [self.p10, self.p01, 1 - self.p10 - self.p01], size=rounds)
            some, times = np.unique(counts[:, :2], axis=0, return_counts=True)
            methods: tuple[Method, ...] = ("exact", "midp")
            sure = {m: np.array([DiscordantPairs(b, c).p(m) <= alpha for b, c in some.tolist()]) for m in methods}
            return {method: int(times[rejected].sum()) for method, rejected in sure.items()}
        if part == "R, rates":
            _, *rates = _R_RATES
            right = np.stack([draw.binomial(n, rate, size=rounds) for rate in rates], axis=1)
            some, times = np.unique(right, axis=0, return_counts=True)
            found = np.array([two_proportions(x, n, y, n, method="z")[1] <= alpha for x, y in some.tolist()])
            return {part: int(times[found].sum())}
        gain = _R_T[1] if part == "R, t" else self.effect
        return {part: int((toys.t_with_gain(draw, rounds, n, gain, paired=part == "paired") <= alpha).sum())}

    def summary(self, material: Material, cells: Sequence[tuple[Spec, Found]]) -> Summary:
        """Powers beside their formulas, and coverage."""
        alpha = material.settings.alpha
        shares: dict[tuple[str, int], SimulatedProportion] = {}
        laws: dict[int, float] = {}
        centre: list[coverage.Sums] = []
        curves: list[tuple[int, float, str, float]] = []
        for spec, found in cells:
            if spec["part"] == "law":
                laws[spec["n"]] = found["power"]
            elif spec["part"] == "coverage":
                curves += [(spec["n"], accuracy, name, covered) for accuracy, name, covered in found["rows"]]
            elif spec["part"] == "centre":
                centre.append(found)
            else:
                for name, hits in found["hits"].items():
                    key, new = (name, spec["n"]), SimulatedProportion(hits=hits, rounds=spec["rounds"])
                    shares[key] = shares[key] + new if key in shares else new
        rows = [(*self._name(name), n, s, self._compute_power(name, n, alpha, laws)) for (name, n), s in shares.items()]
        powers = sorted((row for row in rows if row[0]), key=lambda row: list(CLOSED.values()).index(row[:2]))
        return Summary(
            design=f"{self.rounds:,} fake data sets of each size, {self.sets:,} for the bootstrap with "
            f"{material.settings.n_resamples:,} resamples; tests at {alpha:g}; the system alone is right on "
            f"{self.p10:g}, the baseline alone on {self.p01:g} of the items; gain of {self.effect:g} sd for t tests.",
            tables=tables(powers, curves, 1 - alpha),
            figures=figures(powers, curves, 1 - alpha),
            findings=tuple(self._findings(shares, laws, centre, alpha)),
        )

    def _name(self, name: str) -> tuple[str, str]:
        """The picture that a test stands in, or nothing, and what it is called there."""
        return CLOSED.get(name, ("", name))

    def _compute_power(self, name: str, n: int, alpha: float, laws: dict[int, float]) -> float | None:
        """The power without simulation."""
        if name == "bootstrap":
            return laws[n]
        if name in ("exact", "midp"):
            method: Method = "exact" if name == "exact" else "midp"
            return float(mcnemar_power(self.p10, self.p01, n, method=method, alpha=alpha).power[0])
        if name == "R, rates":
            return two_proportions_power(_R_RATES[2], _R_RATES[1], n, alpha=alpha).power
        if name in ("paired", "two-sample", "R, t"):
            design = TDesign(sd=1.0, paired=name == "paired", alpha=alpha)
            return design.power(n, _R_T[1] if name == "R, t" else self.effect).power
        return None

    @property
    def _sizes(self) -> list[int]:
        return simulated.parse_integers(self.sizes, "--sizes", 5, 1000)

    @property
    def _t_sizes(self) -> list[int]:
        return simulated.parse_integers(self.t_sizes, "--t-sizes", 3, 5000)

    @property
    def _covered(self) -> list[int]:
        return simulated.parse_integers(self.covered, "--covered", 5, 5000)

    # --- beside theory and print ---------------------------------------------------------------------------

    def _findings(
        self,
        shares: dict[tuple[str, int], SimulatedProportion],
        laws: dict[int, float],
        centre: Sequence[coverage.Sums],
        alpha: float,
    ) -> Iterator[Finding]:
        told = {
            name: _middle(self._sizes if kind == RIGHT_WRONG else self._t_sizes) for name, (kind, _) in CLOSED.items()
        }
        told |= {"R, t": _R_T[0], "R, rates": _R_RATES[0]}
        for (name, n), share in shares.items():
            if told.get(name) != n:
                continue
            printed = _PRINTED["rates" if "rates" in name else "t"] if name.startswith("R") and alpha == 0.05 else None
            yield simulated.make_finding(
                f"power, {_SAID[name]}, {n} items",
                share,
                expected=self._compute_power(name, n, alpha, laws),
                approximate=0.02 if name == "R, rates" else 0.0,
                printed=None
                if printed is None
                else PublishedNumber(
                    value=printed, source=f"R, power.{'prop' if 'rates' in name else 't'}.test", unit=2e-4
                ),
                reason="Expected: the sum over all outcomes of the exact bootstrap law." if name == "bootstrap" else "",
            )
        yield _rule_of_thumb(self.effect, alpha)
        for place, (n, accuracy) in enumerate(_POINTS):
            yield from self._covers(shares[f"interval {place}", n], n, accuracy, 1 - alpha)
        yield from _find_centred(centre)

    def _covers(self, share: SimulatedProportion, n: int, accuracy: float, level: float) -> Iterator[Finding]:
        exact = coverage.exact(n, accuracy, level)
        right = share.agrees_with(exact[coverage.OCONNOR], 0.01)
        yield Finding(
            what=f"coverage of mean ± 2 sd of the bootstrap, {n} items, accuracy {accuracy:g}",
            value=share.value,
            kind="share",
            error=share.error,
            expected=exact[coverage.OCONNOR],
            published=0.95,
            source="O'Connor 2015, slides: bootstrap test",
            verdict=simulated.verdict([right, exact[coverage.OCONNOR] >= 0.95]),
            reason="Expected: exact, for infinitely many resamples. By the normal law ± 2 sd has .954, which it "
            "does not reach near 0 and 1, and with few items."
            if n == _POINTS[0][0]
            else "",
        )
        others = ", ".join(f"{name} {value:.1%}" for name, value in exact.items() if name != coverage.OCONNOR)
        yield Finding(
            what=f"coverage of Wilson's interval, {n} items, accuracy {accuracy:g}, exact",
            value=exact["Wilson"],
            kind="share",
            reason=f"All: {others}.",
        )


def _middle(sizes: Sequence[int]) -> int:
    return sizes[(len(sizes) - 1) // 2]


_SAID = {
    "exact": "exact McNemar test",
    "midp": "McNemar mid-p",
    "bootstrap": "bootstrap test (the recipe of the source)",
    "paired": "paired t",
    "two-sample": "two-sample t",
    "R, t": f"two-sample t, gain of {_R_T[1]:g} sd",
    "R, rates": f"two proportions, {_R_RATES[1]:g} and {_R_RATES[2]:g}",
}


def _rule_of_thumb(effect: float, alpha: float) -> Finding:
    """16/Δ² items of each group for 80 %."""
    rule = van_belle_items(effect, 1.0)
    power = TDesign(sd=1.0, paired=False, alpha=alpha).power(rule, effect).power
    fits: Verdict = "agrees" if abs(power - 0.8) <= 0.02 else "differs"
    return Finding(
        what=f"power of a two-sample t with 16/Δ² = {rule:.4g} items of each group, Δ = {effect:g}",
        value=power,
        kind="share",
        published=0.8,
        source="van Belle 2008, 2.1",
        verdict=fits if alpha == 0.05 else "",
        reason="A rule for tests at .05; by the noncentral t law, within two points.",
    )


def _find_centred(cells: Sequence[coverage.Sums]) -> Iterator[Finding]:
    rare = coverage.add_sums(cells)
    yield Finding(
        what="bias of the mean of resampled F1 scores, as a multiple of the bias of F1 itself, rare positives",
        value=rare.ratio,
        error=rare.ratio_error,
        expected=2,
        verdict="agrees" if abs(rare.ratio - 2) <= max(simulated.ERRORS * rare.ratio_error, 0.5) else "differs",
        reason=f"{coverage.RARE_ITEMS} items, F1 {rare.truth:.3f}, bias {rare.bias:.4f}: resampling adds the bias once "
        "more, so an interval belongs around the observed score. Twice holds to the first order.",
    )
    for name, share in (("mean of the resampled scores", rare.resampled), ("observed score", rare.observed)):
        yield simulated.make_finding(f"coverage of ± 2 sd around the {name}, F1 of rare positives", share)
