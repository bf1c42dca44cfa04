"""The worth of significant results of a whole field."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from outscore.base.arrays import Bool, Float, Int
from outscore.base.errors import UsageError
from outscore.power.ppv import ResearchField
from outscore.results.study import Finding, Value
from outscore.studies import Found, Spec, Study, Summary, option, study
from outscore.studies.shared import freedom, simulated
from outscore.studies.shared.fields import CERTAIN, FIXED, NEAR, SAME, Setting
from outscore.studies.shared.material import Material
from outscore.studies.shared.ppv_pictures import CHOICE, CORRECTED, ONE, figures, tables
from outscore.studies.shared.simulated import PublishedNumber, SimulatedProportion

_BLOCK = 200_000
_WHERE = "Søgaard et al. 2014, §4"
_Counts = Mapping[tuple[str, float, str], Int]  # by part, level or size, and name: true, null, tests


@study("ppv")
@dataclass(frozen=True)
class PredictiveValueStudy(Study):
    """How many of a field's significant results are true? By formula, and by simulating a field.

    Of the hypotheses of a field some are true, R for each null one. All are tested; the predictive value is the
    proportion of true ones among the significant. The formula holds the power fixed while alpha falls, as if test sets
    grew; what the same test sets give stands beside it. The second part gives authors a free choice among several
    metrics, on test sets of several sizes.

    Source: Søgaard, Johannsen, Plank, Hovy and Martínez Alonso 2014, §4, equations 1 and 2, Figures 2 and 7;
    Ioannidis 2005.
    """

    question = "How many of a field's significant results are true?"
    takes = "nothing"
    citation = "Søgaard et al. 2014; Ioannidis 2005"
    example = "outscore study ppv --odds 0.1 --power 0.5 --plot ppv.svg"

    rounds: int = option(400_000, "Simulated hypotheses at each level and size.")
    odds: float = option(0.1, "True hypotheses for each null one: odds.", "R, not a probability.")
    power: float = option(0.5, "Power of the tests, 1 - β.")
    wanted: float = option(0.95, "The predictive value that is wanted.")
    levels: str = option("0.1,0.05,0.02,0.01,0.005,0.0025,0.001,0.0005", "Levels of significance, with commas.")
    items_each: int = option(100, "Items of each test set.")
    choices: int = option(2, "Metrics to choose from.")
    correlation: float = option(0.0, "Correlation of every two metrics.")
    effect: float = option(0.2, "True gain in standard deviations.", "Of the differences, in the second part.")
    sizes: str = option("25,50,100,200,400,800", "Sizes of test sets, with commas.", "In the second part.")

    def grid(self, material: Material) -> list[Spec]:
        """Cells for each level, and for each size."""
        simulated.check_rounds(self.rounds)
        simulated.check_proportion(self.power, "--power")
        simulated.check_proportion(self.wanted, "--wanted")
        if not 0 <= self.correlation < 1 or self.choices < 1 or self.items_each < 3 or not self.effect > 0:
            raise UsageError(
                "--correlation lies from 0 to below 1, --choices is 1 or more, --items-each 3 or more, --effect above 0"
            )
        setting = self._setting(material)
        if not self.power > setting.alpha:
            raise UsageError(f"--power {self.power:g}: expected more than alpha, {setting.alpha:g}")
        parts: list[tuple[str, float]] = [
            (part, level) for level in self._list_levels(setting) for part in (FIXED, SAME)
        ]
        parts += [(CERTAIN, setting.alpha), *(("sizes", n) for n in self._sizes)]
        return [
            {"part": part, "at": at, "block": block, "rounds": rounds}
            for part, at in parts
            for block, rounds in enumerate(simulated.blocks(self.rounds, _BLOCK))
        ]

    def cell(self, material: Material, spec: Spec, seed: int) -> Found:
        """How many true and how many null hypotheses were significant."""
        draw, setting = np.random.default_rng(seed), self._setting(material)
        part, at = spec["part"], spec["at"]
        true = np.asarray(draw.random(spec["rounds"]) < setting.field.prior)
        if part == "sizes":
            z, bound = self._statistics(draw, true, at), freedom.critical(setting.alpha)
            sure = {
                ONE: z[:, 0] >= bound,
                CHOICE: (z >= bound).any(axis=1),
                CORRECTED: (z >= freedom.critical(setting.alpha / self.choices)).any(axis=1),
            }
        else:
            p = self._p(draw, true, setting.shift(part, at))
            sure = {"all": p <= at, "near": (p > NEAR * at) & (p <= at)}
        return {name: [int((true & some).sum()), int((~true & some).sum())] for name, some in sure.items()}

    def summary(self, material: Material, cells: Sequence[tuple[Spec, Found]]) -> Summary:
        """Predictive values by formula and by simulation."""
        setting, counts = self._setting(material), _add(cells)
        levels = sorted(self._list_levels(setting), reverse=True)
        by_level: list[tuple[Value, ...]] = [
            (part, level, *_estimate_value(counts[part, level, "all"]), setting.ppv(part, level))
            for part in (FIXED, SAME)
            for level in levels
        ]
        by_size: list[tuple[Value, ...]] = [
            (name, n, *_estimate_value(counts["sizes", n, name]), self._power_with_choice(name, n, setting.alpha))
            for n in self._sizes
            for name in (ONE, CHOICE, CORRECTED)
        ]
        grid = np.geomspace(levels[-1], levels[0], 60).tolist()
        lines = [(part, level, setting.ppv(part, level)) for part in (FIXED, SAME) for level in grid]
        cutoff, same = setting.field.cutoff(self.wanted), setting.cutoff(self.wanted)
        return Summary(
            design=f"{self.rounds:,} hypotheses at each level and size, R = {self.odds:g} (odds); t tests of "
            f"{self.items_each} items with power {self.power:g}; then the best of {self.choices} metrics "
            f"with a gain of {self.effect:g} sd.",
            tables=tables(by_level, by_size, lines, self.wanted, cutoff, setting.alpha),
            figures=figures(by_level, by_size, self.wanted, cutoff, same),
            findings=tuple(self._findings(setting, counts)),
        )

    @property
    def _sizes(self) -> list[int]:
        return simulated.parse_integers(self.sizes, "--sizes", 2, 10**6)

    def _setting(self, material: Material) -> Setting:
        return Setting(odds=self.odds, power=self.power, items=self.items_each, alpha=material.settings.alpha)

    def _list_levels(self, setting: Setting) -> list[float]:
        """The levels that are given, alpha, and the cut-offs."""
        given = simulated.numbers(self.levels, "--levels", 1e-9, 0.5)
        cutoffs = [setting.field.cutoff(self.wanted), setting.cutoff(self.wanted)]
        return list(dict.fromkeys([setting.alpha, *given, *(one for one in cutoffs if one is not None and one < 0.5)]))

    def _p(self, draw: np.random.Generator, true: Bool, shift: float) -> Float:
        """p of t tests of normal differences: a normal gain over the root of an independent χ²."""
        from scipy import special

        df = self.items_each - 1
        t = (draw.standard_normal(len(true)) + shift * true) / np.sqrt(draw.chisquare(df, len(true)) / df)
        return np.asarray(2 * special.stdtr(df, -np.abs(t)))

    def _statistics(self, draw: np.random.Generator, true: Bool, n: int) -> Float:
        """|z| of each metric ``(hypotheses, metrics)``, the variance being known."""
        shared = draw.standard_normal((len(true), 1))
        own = draw.standard_normal((len(true), self.choices))
        z = math.sqrt(self.correlation) * shared + math.sqrt(1 - self.correlation) * own
        return np.asarray(np.abs(z + self.effect * math.sqrt(n) * true[:, None]))

    def _power_with_choice(self, name: str, n: int, alpha: float) -> float:
        """The law of the second part."""
        k = 1 if name == ONE else self.choices
        level = alpha / k if name == CORRECTED else alpha
        found = freedom.p_any(level, k, self.correlation, self.effect * math.sqrt(n))
        return ResearchField(odds=self.odds, power=found).ppv(freedom.p_any(level, k, self.correlation))

    # --- beside what was printed ---------------------------------------------------------------------------

    def _findings(self, setting: Setting, counts: _Counts) -> Iterator[Finding]:
        alpha, usual = setting.alpha, (self.odds, self.power, self.wanted, setting.alpha) == (0.1, 0.5, 0.95, 0.05)
        cutoff, same = setting.field.cutoff(self.wanted), setting.cutoff(self.wanted)
        printed = {0.05: (0.5, 0.01), 0.01: (5 / 6, 1e-9), 0.0025: (0.95, 0.01)} if usual else {}
        for part, told in ((FIXED, (alpha, 0.01, 0.0025, cutoff)), (SAME, (0.01, cutoff, same))):
            for level in sorted(self._list_levels(setting), reverse=True):
                if level in told:
                    value, unit = printed.get(level, (None, 0.0)) if part == FIXED else (None, 0.0)
                    yield simulated.make_finding(
                        f"true among the significant, p ≤ {level:.4g}, {part}",
                        _simulate_proportion(counts[part, level, "all"]),
                        expected=setting.ppv(part, level),
                        printed=None if value is None else PublishedNumber(value=value, source=_WHERE, unit=unit),
                    )
        false = 1 - setting.field.ppv(alpha)
        yield Finding(
            what=f"false among the significant, p ≤ {alpha:g}, by formula",
            value=false,
            kind="share",
            published="more than half" if usual else None,
            source="Søgaard et al. 2014, abstract" if usual else "",
            verdict="" if not usual else "agrees" if false > 0.5 + 1e-12 else "differs",
            reason="Equation 2 gives exactly one half." if usual else "",
        )
        yield simulated.make_finding(
            f"true among those with p from {NEAR * alpha:g} to {alpha:g}",
            _simulate_proportion(counts[FIXED, alpha, "near"]),
            expected=setting.proportion_near(),
            reason="What is just significant is worth less than all that is significant together.",
        )
        falls = "" if cutoff is None else f" On the same ones it is {setting.power_at(SAME, cutoff):.2g} there."
        yield self._cutoff(FIXED, cutoff, usual, "R (1 - β) (1 - PPV)/PPV; the printed one is .05/20.")
        yield self._cutoff(
            SAME, same, usual, f"The formula holds the power, so that test sets grow as the cut-off falls.{falls}"
        )
        yield from self._tests(setting, counts, usual)

    def _cutoff(self, part: str, value: float | None, usual: bool, why: str) -> Finding:
        fits = value is not None and abs(value - 0.0025) <= 0.00005
        return Finding(
            what=f"cut-off for a predictive value of {self.wanted:g}, {part}",
            value=value,
            published=0.0025 if usual else None,
            source=_WHERE if usual else "",
            verdict="" if not usual else "agrees" if fits else "differs",
            reason=why,
        )

    def _tests(self, setting: Setting, counts: _Counts, usual: bool) -> Iterator[Finding]:
        whys = (
            "The source has R + (1 - R) α: R taken for a probability, and the power for 1. By its equation 1 it is "
            "(R (1 - β) + α)/(1 + R).",
            "So it would be if every true effect were found.",
        )
        for part, power, why in zip((FIXED, CERTAIN), (self.power, 1.0), whys, strict=True):
            true, null, rounds = counts[part, setting.alpha, "all"].tolist()
            share = SimulatedProportion(hits=true + null, rounds=rounds)
            positives = ResearchField(odds=self.odds, power=power).positives(setting.alpha)
            checks = [share.agrees_with(positives), *([abs(1 / positives - 7) <= 0.5] if usual else [])]
            yield Finding(
                what=f"tests for one significant result, power {power:g}",
                value=1 / share.value if share.hits else None,
                error=share.error / share.value**2 if share.hits else None,
                expected=1 / positives,
                published=7 if usual else None,
                source=_WHERE if usual else "",
                verdict=simulated.verdict(checks),
                reason=why if usual else "",
            )


def _add(cells: Sequence[tuple[Spec, Found]]) -> _Counts:
    counts: dict[tuple[str, float, str], Int] = {}
    for spec, found in cells:
        for name, pair in found.items():
            key = spec["part"], spec["at"], name
            counts[key] = counts.get(key, np.zeros(3, dtype=np.int64)) + np.array([*pair, spec["rounds"]])
    return counts


def _simulate_proportion(counts: Int) -> SimulatedProportion:
    """True ones among the significant."""
    true, null, _ = counts.tolist()
    return SimulatedProportion(hits=true, rounds=max(true + null, 1))


def _estimate_value(counts: Int) -> tuple[int, float | None, float | None, float | None]:
    """Significant results, the proportion of true ones, and its interval."""
    share, n = _simulate_proportion(counts), int(counts[:2].sum())
    return (n, share.value, *share.ends) if n else (0, None, None, None)
