"""Power by fake data, and the coverage of the interval that goes with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from outscore.base.errors import UsageError
from outscore.power.plans.fake import FakeData, FakeItems
from outscore.power.plans.mcnemar import mcnemar_power
from outscore.power.plans.t import TDesign, van_belle_items
from outscore.power.plans.two_proportions import two_proportions_power
from outscore.power.simulation import simulate
from outscore.results.study import Axis, DataTable, Field, Figure, Finding, Layer
from outscore.significance import tests
from outscore.significance.discordant import DiscordantPairs, Method
from outscore.significance.independent.proportions import two_proportions
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.shared.form import (
    POINT,
    columns,
    compare_numbers,
    count,
    hidden,
    parse_integers,
    points,
    share,
    table,
    text,
)
from outscore.studies.shared.material import Material
from outscore.studies.simulations import PowerSize, coverage, right_wrong, simulated
from outscore.studies.simulations import toy_data as toys
from outscore.studies.simulations.simulated import PublishedNumber, SimulatedProportion

RIGHT_WRONG, NUMBERS = "right or wrong", "numbers"
CLOSED = {
    "bootstrap": (RIGHT_WRONG, "bootstrap"),
    "exact": (RIGHT_WRONG, "exact McNemar"),
    "midp": (RIGHT_WRONG, "McNemar mid-p"),
    "paired": (NUMBERS, "paired t"),
    "two-sample": (NUMBERS, "two-sample t"),
}
"""Tests by name: the picture that they stand in, and what they are called there."""

Powers = Sequence[tuple[str, str, int, SimulatedProportion, float | None]]
Curves = Sequence[tuple[int, float, str, float]]

_SHOWN = (coverage.OCONNOR, "Wilson")


def tables(powers: Powers, curves: Curves, level: float) -> tuple[DataTable, ...]:
    """Power by test and size, which is printed, and coverage by items and accuracy."""
    ends = ("low", "high", "expected")
    return (
        table(
            "power",
            "Power by fake data",
            (
                *columns("text", answers="Answers", test="Test"),
                count("n", "Items"),
                Field(name="power", title="Power", kind="share", low="low", high="high"),
                *(share(name, name.capitalize()) for name in ends),
            ),
            [(kind, test, n, s.value, *s.ends, expected) for kind, test, n, s, expected in powers],
            about="Power: proportion of fake data sets, ± 2 errors. Expected: without simulation; of the bootstrap by "
            "the exact law of each outcome.",
        ),
        hidden(
            "coverage",
            "Coverage of the true accuracy",
            (
                text("items", "Items"),
                share("accuracy", "Accuracy"),
                text("interval", "Interval"),
                share("coverage", "Coverage"),
            ),
            [(f"{n} items", at, name, value) for n, at, name, value in curves],
        ),
        hidden(
            "shown",
            "Those that are drawn",
            (
                text("items", "Items"),
                share("accuracy", "Accuracy"),
                text("interval", "Interval"),
                *columns("share", coverage="Coverage", level="Level"),
            ),
            [(f"{n} items", at, name, value, level) for n, at, name, value in curves if name in _SHOWN],
        ),
    )


def figures(powers: Powers, curves: Curves, level: float) -> tuple[Figure, ...]:
    """Power against items, and coverage against accuracy."""
    return *(_power(powers, kind) for kind in (RIGHT_WRONG, NUMBERS)), _coverage(curves, level)


def _power(powers: Powers, kind: str) -> Figure:
    here = [row for row in powers if row[0] == kind]
    far = [s for _, _, _, s, expected in here if expected is not None and not s.is_near(expected)]
    within = "within its error" if not far else f"but for {len(far)} of {len(here)} points"
    return Figure(
        name="power" if kind == RIGHT_WRONG else "t",
        title=f"Power by fake data is the power without simulation, {within}",
        subtitle="Points: proportion of fake data sets that were significant, ± 2 errors; lines: exact or noncentral t",
        where=("answers", kind),
        x=Axis(title="Items"),
        y=Axis(title="Power", percent=True, domain=(0.0, 1.0)),
        layers=(
            Layer(mark="line", table="power", x="n", y="expected", colour="test"),
            *points("power", "n", "power", "test"),
        ),
    )


def _coverage(curves: Curves, level: float) -> Figure:
    least = {name: min(value for _, at, one, value in curves if one == name and at <= 0.9) for name in _SHOWN}
    two_sd, wilson = (least[name] for name in _SHOWN)
    return Figure(
        name="coverage",
        title=f"Up to an accuracy of 90%, mean ± 2 sd covers as little as {two_sd:.0%}, Wilson {wilson:.0%}",
        subtitle=f"Exact coverage of the true accuracy, nominal {level:.0%} (broken)",
        x=Axis(title="True accuracy", percent=True, domain=(0.7, 1.0)),
        y=Axis(title="Coverage", percent=True, domain=(0.7, 1.0)),
        layers=(
            Layer(mark="line", table="shown", x="accuracy", y="level", dashed=True),
            Layer(mark="line", table="shown", x="accuracy", y="coverage", colour="interval"),
        ),
        facet="items",
        colours=_SHOWN,
    )


_BLOCK, _FEW = 5000, 200
_R_T = (20, 1.0)  # n and delta of the example of power.t.test
_R_RATES = (500, 0.75, 0.8)  # n and rates, power.prop.test
_RULE_OF_THUMB = 0.02  # two points: the rule rounds 15.7 to 16
_FIRST_ORDER = 0.5  # the law of a multiple holds to the first order; half of it is enough to centre an interval
_PRINTED = {"t": 0.8689528, "rates": 0.4733395}
_POINTS = ((50, 0.9), (200, 0.98))  # items and accuracy at which coverage is told


def grid(study: PowerSize, material: Material) -> list[Spec]:
    """Cells for each test and size, and for coverage."""
    simulated.check_rounds(min(study.rounds, study.sets))
    if not (study.p10 > 0 and study.p01 > 0 and study.p10 + study.p01 < 1 and 0 < study.effect <= 100):
        raise UsageError("--p10 and --p01 lie above 0 and together below 1, and --effect between 0 and 100")
    del material
    quick: list[dict[str, str | int]] = [{"part": "mcnemar", "n": n} for n in _sizes(study)]
    quick += [{"part": part, "n": n} for part in ("paired", "two-sample") for n in _t_sizes(study)]
    quick += [{"part": "R, t", "n": _R_T[0]}, {"part": "R, rates", "n": _R_RATES[0]}]
    quick += [{"part": "interval", "n": n, "of": place} for place, (n, _) in enumerate(_POINTS)]
    quick += [{"part": "centre", "n": coverage.RARE_ITEMS}]
    drawn = [{"part": "bootstrap", "n": n} for n in _sizes(study)]
    exact: list[Spec] = [{"part": "law", "n": n} for n in _sizes(study)]
    return [
        *exact,
        *simulated.in_blocks(quick, study.rounds, _BLOCK),
        *simulated.in_blocks(drawn, study.sets, _FEW),
        *({"part": "coverage", "n": n} for n in _covered(study)),
    ]


def cell(study: PowerSize, material: Material, spec: Spec, seed: int) -> Found:
    """How many were significant, or covered."""
    part, n, alpha = spec["part"], spec["n"], material.settings.alpha
    draw, rounds = np.random.default_rng(seed), spec.get("rounds", 0)
    if part == "law":
        everything = right_wrong.outcomes(n, study.p10, study.p01)
        return {"power": everything.proportion(right_wrong.shift("two-sided", ties=True), alpha)}
    if part == "coverage":
        return {"rows": coverage.curves(n, 1 - alpha)}
    if part == "interval":
        held = coverage.count_by_recipe(draw, rounds, *_POINTS[spec["of"]], material.settings.n_resamples)
        return {"hits": {f"interval {spec['of']}": held}}
    if part == "centre":
        return coverage.count_rare(draw, rounds, min(material.settings.n_resamples, coverage.ENOUGH))
    if part == "bootstrap":
        plan = FakeData(p10=study.p10, p01=study.p01)
        items = FakeItems(plan, study.p10 - study.p01)
        settings = replace(material.settings, seed=seed)
        test = tests.make("bootstrap")
        tally = simulate(items, n, test, effect=items.effect, sets=range(rounds), settings=settings)
        return {"hits": {"bootstrap": tally.rejections}}
    return {"hits": _quick(study, draw, part, n, rounds, alpha)}


def _quick(study: PowerSize, draw: np.random.Generator, part: str, n: int, rounds: int, alpha: float) -> dict[str, int]:
    """Significant ones of so many fake data sets."""
    if part == "mcnemar":
        counts = draw.multinomial(n, [study.p10, study.p01, 1 - study.p10 - study.p01], size=rounds)
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
    gain = _R_T[1] if part == "R, t" else study.effect
    return {part: int((toys.t_with_gain(draw, rounds, n, gain, paired=part == "paired") <= alpha).sum())}


def summary(study: PowerSize, material: Material, cells: Cells) -> Summary:
    """Powers beside their formulas, and coverage."""
    alpha = material.settings.alpha
    counted: list[tuple[tuple[str, int], int, int]] = []
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
            counted += [((name, spec["n"]), hits, spec["rounds"]) for name, hits in found["hits"].items()]
    shares = simulated.add_proportions(counted)
    rows = [(*_name(study, name), n, s, _compute_power(study, name, n, alpha, laws)) for (name, n), s in shares.items()]
    powers = sorted((row for row in rows if row[0]), key=lambda row: list(CLOSED.values()).index(row[:2]))
    return Summary(
        design=f"{study.rounds:,} fake data sets of each size, {study.sets:,} for the bootstrap with "
        f"{material.settings.n_resamples:,} resamples; tests at {alpha:g}; the system alone is right on "
        f"{study.p10:g}, the baseline alone on {study.p01:g} of the items; gain of {study.effect:g} sd for t tests.",
        tables=tables(powers, curves, 1 - alpha),
        figures=figures(powers, curves, 1 - alpha),
        findings=tuple(_findings(study, shares, laws, centre, alpha)),
    )


def _name(study: PowerSize, name: str) -> tuple[str, str]:
    """The picture that a test stands in, or nothing, and what it is called there."""
    return CLOSED.get(name, ("", name))


def _compute_power(study: PowerSize, name: str, n: int, alpha: float, laws: dict[int, float]) -> float | None:
    """The power without simulation."""
    if name == "bootstrap":
        return laws[n]
    if name in ("exact", "midp"):
        method: Method = "exact" if name == "exact" else "midp"
        return float(mcnemar_power(study.p10, study.p01, n, method=method, alpha=alpha).power[0])
    if name == "R, rates":
        return two_proportions_power(_R_RATES[2], _R_RATES[1], n, alpha=alpha).power
    if name in ("paired", "two-sample", "R, t"):
        design = TDesign(sd=1.0, paired=name == "paired", alpha=alpha)
        return design.power(n, _R_T[1] if name == "R, t" else study.effect).power
    return None


def _sizes(study: PowerSize) -> list[int]:
    return parse_integers(study.sizes, "--sizes", 5, 1000)


def _t_sizes(study: PowerSize) -> list[int]:
    return parse_integers(study.t_sizes, "--t-sizes", 3, 5000)


def _covered(study: PowerSize) -> list[int]:
    return parse_integers(study.covered, "--covered", 5, 5000)


def _findings(
    study: PowerSize,
    shares: dict[tuple[str, int], SimulatedProportion],
    laws: dict[int, float],
    centre: Sequence[coverage.Sums],
    alpha: float,
) -> Iterator[Finding]:
    told = {
        name: _middle(_sizes(study) if kind == RIGHT_WRONG else _t_sizes(study)) for name, (kind, _) in CLOSED.items()
    }
    told |= {"R, t": _R_T[0], "R, rates": _R_RATES[0]}
    for (name, n), proportion in shares.items():
        if told.get(name) != n:
            continue
        printed = _PRINTED["rates" if "rates" in name else "t"] if name.startswith("R") and alpha == 0.05 else None
        yield simulated.make_finding(
            f"power, {_SAID[name]}, {n} items",
            proportion,
            expected=_compute_power(study, name, n, alpha, laws),
            approximate=0.02 if name == "R, rates" else 0.0,
            printed=None
            if printed is None
            else PublishedNumber(
                value=printed, source=f"R, power.{'prop' if 'rates' in name else 't'}.test", unit=2e-4
            ),
            reason="Expected: the sum over all outcomes of the exact bootstrap law." if name == "bootstrap" else "",
        )
    yield _rule_of_thumb(study.effect, alpha)
    for place, (n, accuracy) in enumerate(_POINTS):
        yield from _covers(study, shares[f"interval {place}", n], n, accuracy, 1 - alpha)
    yield from _find_centred(centre)


def _covers(study: PowerSize, share: SimulatedProportion, n: int, accuracy: float, level: float) -> Iterator[Finding]:
    exact = coverage.exact(n, accuracy, level)
    law = exact[coverage.OCONNOR]
    yield Finding(
        what=f"coverage of mean ± 2 sd of the bootstrap, {n} items, accuracy {accuracy:g}",
        value=share.value,
        kind="share",
        error=share.error,
        expected=law,
        published=0.95,
        source="O'Connor 2015, slides: bootstrap test",
        margin=POINT,
        verdict=compare_numbers(law, 0.95, 0.0, POINT),
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
    return Finding(
        what=f"power of a two-sample t with 16/Δ² = {rule:.4g} items of each group, Δ = {effect:g}",
        value=power,
        kind="share",
        published=0.8,
        source="van Belle 2008, 2.1",
        margin=_RULE_OF_THUMB,
        verdict=compare_numbers(power, 0.8, 0.0, _RULE_OF_THUMB) if alpha == 0.05 else "",
        reason="A rule for tests at .05; by the noncentral t law, within two points.",
    )


def _find_centred(cells: Sequence[coverage.Sums]) -> Iterator[Finding]:
    rare = coverage.add_sums(cells)
    yield Finding(
        what="bias of the mean of resampled F1 scores, as a multiple of the bias of F1 itself, rare positives",
        value=rare.ratio,
        error=rare.ratio_error,
        expected=2,
        margin=_FIRST_ORDER,
        verdict=compare_numbers(rare.ratio, 2, rare.ratio_error, _FIRST_ORDER),
        reason=f"{coverage.RARE_ITEMS} items, F1 {rare.truth:.3f}, bias {rare.bias:.4f}: resampling adds the bias once "
        "more, so an interval belongs around the observed score. Twice holds to the first order.",
    )
    for name, covered in (("mean of the resampled scores", rare.resampled), ("observed score", rare.observed)):
        yield simulated.make_finding(f"coverage of ± 2 sd around the {name}, F1 of rare positives", covered)
