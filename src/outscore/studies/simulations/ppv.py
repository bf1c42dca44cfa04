"""The worth of significant results of a whole field."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from outscore.base.arrays import Bool, Float, Int
from outscore.base.errors import UsageError
from outscore.power.ppv import ResearchField
from outscore.results.study import Axis, DataTable, Field, Figure, Finding, Layer, Value
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.shared.form import (
    columns,
    compare_numbers,
    count,
    hidden,
    number,
    parse_integers,
    parse_numbers,
    points,
    share,
    table,
    text,
)
from outscore.studies.shared.material import Material
from outscore.studies.simulations import PredictiveValueStudy, laws, simulated
from outscore.studies.simulations.laws import CERTAIN, FIXED, NEAR, SAME, Setting
from outscore.studies.simulations.simulated import PublishedNumber, SimulatedProportion

ONE, CHOICE, CORRECTED = "one metric", "the best of several", "the best of several, corrected"
"""The choices that authors may have."""

Rows = Sequence[tuple[Value, ...]]

_SHARE = Field(name="ppv", title="True", kind="share", low="low", high="high")
_REST = (_SHARE, *columns("share", low="low", high="high", expected="Expected"))
_COUNT = count("significant", "Significant")


def tables(by_level: Rows, by_size: Rows, lines: Rows, marks: Rows, alpha: float) -> tuple[DataTable, ...]:
    """By level and by size, which are printed, and what pictures need.

    Args:
        by_level: power, level, significant results, predictive value, its ends, expected.
        by_size: choice, items, the same.
        lines: power, level, expected; ``marks``: predictive values and the levels that belong to them.
    """
    level = number("level", "Level")
    part = text("part", "Power")
    return (
        table(
            "levels",
            "Predictive value by level",
            (part, level, _COUNT, *_REST),
            by_level,
            about="Power held: test sets grow as the level falls, as the formula has it.",
        ),
        table(
            "sizes",
            f"Predictive value at p ≤ {alpha:g}, with and without several metrics",
            (text("choice", "Authors report"), count("n", "Items"), _COUNT, *_REST),
            by_size,
        ),
        hidden("lines", "By formula", (part, level, _REST[-1]), lines),
        hidden("marks", "Wanted, and at alpha", (share("wanted", "Wanted"), number("cutoff", "Cut-off")), marks),
    )


def figures(
    by_level: Rows, by_size: Rows, wanted: float, cutoff: float | None, same: float | None
) -> tuple[Figure, ...]:
    """Predictive value by level (Søgaard et al. 2014, Figure 7), and by size with and without several metrics."""
    return _draw_by_level(by_level, wanted, cutoff, same), _draw_by_size(by_size)


def _draw_by_level(rows: Rows, wanted: float, cutoff: float | None, same: float | None) -> Figure:
    at = "none" if cutoff is None else f"p ≤ {cutoff:.2g}"
    then = "none" if same is None else f"p ≤ {same:.1g}"
    ends = [row[1] for row in rows if isinstance(row[1], float)]
    return Figure(
        name="level",
        title=f"{wanted:.0%} of significant results are true at {at} if the power is held, at {then} if not",
        subtitle="Points: simulated field, 95 % intervals; lines: formula\n"
        "Grey: the wanted value and its cut-off, and alpha and its value",
        x=Axis(title="Level of significance, alpha", scale="log", domain=(0.8 * min(ends), 1.25 * max(ends))),
        y=Axis(title="True among the significant", percent=True),
        layers=(
            Layer(mark="y-rule", table="marks", y="wanted"),
            Layer(mark="x-rule", table="marks", x="cutoff"),
            Layer(mark="line", table="lines", x="level", y="expected", colour="part"),
            *points("levels", "level", "ppv", "part"),
        ),
    )


def _draw_by_size(rows: Rows) -> Figure:
    worth = {(row[0], row[1]): row[3] for row in rows}
    largest = max(row[1] for row in rows if isinstance(row[1], int))
    one, best = worth[ONE, largest], worth[CHOICE, largest]
    title = "Free choice among metrics makes significant results worth less"
    if isinstance(one, float) and isinstance(best, float):
        title = f"{title}: {best:.0%}, not {one:.0%}" if best < one else "Free choice among metrics costs nothing here"
    return Figure(
        name="size",
        title=title,
        subtitle="Predictive value by test set size (the proportions named: the largest); lines: law; 95 % intervals",
        x=Axis(title="Items", scale="log", domain=_wide([row[1] for row in rows if isinstance(row[1], int)])),
        y=Axis(title="True among the significant", percent=True),
        layers=(
            Layer(mark="line", table="sizes", x="n", y="expected", colour="choice"),
            *points("sizes", "n", "ppv", "choice"),
        ),
        colours=(ONE, CHOICE, CORRECTED),
    )


def _wide(sizes: Sequence[int]) -> tuple[float, float]:
    return 0.9 * min(sizes), 1.1 * max(sizes)


_BLOCK = 200_000
_LEAST = 1e-9  # level
_WHERE = "Søgaard et al. 2014, §4"
_Counts = Mapping[tuple[str, float, str], Int]  # by part, level or size, and name: true, null, tests


def grid(study: PredictiveValueStudy, material: Material) -> list[Spec]:
    """Cells for each level, and for each size."""
    simulated.check_rounds(study.rounds)
    simulated.check_proportion(study.power, "--power")
    simulated.check_proportion(study.wanted, "--wanted")
    if not 0 <= study.correlation < 1 or study.choices < 1 or study.items_each < 3 or not study.effect > 0:
        raise UsageError(
            "--correlation lies from 0 to below 1, --choices is 1 or more, --items-each 3 or more, --effect above 0"
        )
    setting = _setting(study, material)
    if not study.power > setting.alpha:
        raise UsageError(f"--power {study.power:g}: expected more than alpha, {setting.alpha:g}")
    parts: list[tuple[str, float]] = [(part, level) for level in _list_levels(study, setting) for part in (FIXED, SAME)]
    parts += [(CERTAIN, setting.alpha), *(("sizes", n) for n in _sizes(study))]
    return simulated.in_blocks([{"part": part, "at": at} for part, at in parts], study.rounds, _BLOCK)


def cell(study: PredictiveValueStudy, material: Material, spec: Spec, seed: int) -> Found:
    """How many true and how many null hypotheses were significant."""
    draw, setting = np.random.default_rng(seed), _setting(study, material)
    part, at = spec["part"], spec["at"]
    true = np.asarray(draw.random(spec["rounds"]) < setting.field.prior)
    if part == "sizes":
        z, bound = _statistics(study, draw, true, at), laws.critical(setting.alpha)
        sure = {
            ONE: z[:, 0] >= bound,
            CHOICE: (z >= bound).any(axis=1),
            CORRECTED: (z >= laws.critical(setting.alpha / study.choices)).any(axis=1),
        }
    else:
        p = _p(study, draw, true, setting.shift(part, at))
        sure = {"all": p <= at, "near": (p > NEAR * at) & (p <= at)}
    return {name: [int((true & some).sum()), int((~true & some).sum())] for name, some in sure.items()}


def summary(study: PredictiveValueStudy, material: Material, cells: Cells) -> Summary:
    """Predictive values by formula and by simulation."""
    setting, counts = _setting(study, material), _add(cells)
    levels = sorted(_list_levels(study, setting), reverse=True)
    by_level: list[tuple[Value, ...]] = [
        (part, level, *_estimate_value(counts[part, level, "all"]), setting.ppv(part, level))
        for part in (FIXED, SAME)
        for level in levels
    ]
    by_size: list[tuple[Value, ...]] = [
        (name, n, *_estimate_value(counts["sizes", n, name]), _power_with_choice(study, name, n, setting.alpha))
        for n in _sizes(study)
        for name in (ONE, CHOICE, CORRECTED)
    ]
    grid = np.geomspace(levels[-1], levels[0], 60).tolist()
    lines = [(part, level, setting.ppv(part, level)) for part in (FIXED, SAME) for level in grid]
    cutoff, same = setting.field.cutoff(study.wanted), setting.cutoff(study.wanted)
    marks = [(study.wanted, cutoff), (setting.ppv(FIXED, setting.alpha), setting.alpha)]
    return Summary(
        design=f"{study.rounds:,} hypotheses at each level and size, R = {study.odds:g} (odds); t tests of "
        f"{study.items_each} items with power {study.power:g}; then the best of {study.choices} metrics "
        f"with a gain of {study.effect:g} sd.",
        tables=tables(by_level, by_size, lines, marks, setting.alpha),
        figures=figures(by_level, by_size, study.wanted, cutoff, same),
        findings=tuple(_findings(study, setting, counts)),
    )


def _sizes(study: PredictiveValueStudy) -> list[int]:
    return parse_integers(study.sizes, "--sizes", 2, 10**6)


def _setting(study: PredictiveValueStudy, material: Material) -> Setting:
    return Setting(odds=study.odds, power=study.power, items=study.items_each, alpha=material.settings.alpha)


def _list_levels(study: PredictiveValueStudy, setting: Setting) -> list[float]:
    """The levels that are given, alpha, and the cut-offs that could be given."""
    given = parse_numbers(study.levels, "--levels", _LEAST, 0.5)
    cutoffs = [setting.field.cutoff(study.wanted), setting.cutoff(study.wanted)]
    return list(dict.fromkeys([setting.alpha, *given, *(one for one in cutoffs if one and _LEAST <= one < 0.5)]))


def _p(study: PredictiveValueStudy, draw: np.random.Generator, true: Bool, shift: float) -> Float:
    """p of t tests of normal differences: a normal gain over the root of an independent χ²."""
    from scipy import special

    df = study.items_each - 1
    t = (draw.standard_normal(len(true)) + shift * true) / np.sqrt(draw.chisquare(df, len(true)) / df)
    return np.asarray(2 * special.stdtr(df, -np.abs(t)))


def _statistics(study: PredictiveValueStudy, draw: np.random.Generator, true: Bool, n: int) -> Float:
    """|z| of each metric ``(hypotheses, metrics)``, the variance being known."""
    shared = draw.standard_normal((len(true), 1))
    own = draw.standard_normal((len(true), study.choices))
    z = math.sqrt(study.correlation) * shared + math.sqrt(1 - study.correlation) * own
    return np.asarray(np.abs(z + study.effect * math.sqrt(n) * true[:, None]))


def _power_with_choice(study: PredictiveValueStudy, name: str, n: int, alpha: float) -> float:
    """The law of the second part."""
    k = 1 if name == ONE else study.choices
    level = alpha / k if name == CORRECTED else alpha
    found = laws.p_any(level, k, study.correlation, study.effect * math.sqrt(n))
    return ResearchField(odds=study.odds, power=found).ppv(laws.p_any(level, k, study.correlation))


def _findings(study: PredictiveValueStudy, setting: Setting, counts: _Counts) -> Iterator[Finding]:
    alpha, usual = setting.alpha, (study.odds, study.power, study.wanted, setting.alpha) == (0.1, 0.5, 0.95, 0.05)
    cutoff, same = setting.field.cutoff(study.wanted), setting.cutoff(study.wanted)
    printed = {0.05: (0.5, 0.01), 0.01: (5 / 6, 1e-9), 0.0025: (0.95, 0.01)} if usual else {}
    for part, told in ((FIXED, (alpha, 0.01, 0.0025, cutoff)), (SAME, (0.01, cutoff, same))):
        for level in sorted(_list_levels(study, setting), reverse=True):
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
        source="Søgaard et al. 2014, §1" if usual else "",
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
    yield _cutoff(study, FIXED, cutoff, usual, "R (1 - β) (1 - PPV)/PPV; the printed one is .05/20.")
    yield _cutoff(
        study, SAME, same, usual, f"The formula holds the power, so that test sets grow as the cut-off falls.{falls}"
    )
    yield from _tests(study, setting, counts, usual)


def _cutoff(study: PredictiveValueStudy, part: str, value: float | None, usual: bool, why: str) -> Finding:
    printed, unit = 0.0025, 0.0001
    return Finding(
        what=f"cut-off for a predictive value of {study.wanted:g}, {part}",
        value=value,
        published=printed if usual else None,
        source=_WHERE if usual else "",
        margin=unit / 2,
        verdict="" if not usual or value is None else compare_numbers(value, printed, 0.0, unit / 2),
        reason=why,
    )


def _tests(study: PredictiveValueStudy, setting: Setting, counts: _Counts, usual: bool) -> Iterator[Finding]:
    whys = (
        "The source has R + (1 - R) α: R taken for a probability, and the power for 1. By its equation 1 it is "
        "(R (1 - β) + α)/(1 + R).",
        "So it would be if every true effect were found.",
    )
    for part, power, why in zip((FIXED, CERTAIN), (study.power, 1.0), whys, strict=True):
        true, null, rounds = counts[part, setting.alpha, "all"].tolist()
        share = SimulatedProportion(hits=true + null, rounds=rounds)
        positives = ResearchField(odds=study.odds, power=power).positives(setting.alpha)
        yield Finding(
            what=f"tests for one significant result, power {power:g}",
            value=1 / share.value if share.hits else None,
            error=share.error / share.value**2 if share.hits else None,
            expected=1 / positives,
            published=7 if usual else None,
            source=_WHERE if usual else "",
            margin=0.5,
            verdict=compare_numbers(1 / positives, 7, 0.0, 0.5) if usual else "",
            reason=why if usual else "",
        )


def _add(cells: Cells) -> _Counts:
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
