"""How often tests of several runs find a difference that is not there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.rng import stream
from outscore.results.study import Axis, Figure, Finding, Layer, Value
from outscore.significance import tests
from outscore.significance.settings import Settings
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.runs import RunsSize
from outscore.studies.runs.laws import EqualSystems
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
from outscore.studies.shared.pairs import contrast_of_scores

_AT_ONCE = 25  # rounds of one cell
_MARGIN = 0.02  # of a rate beside a law that holds for many items
_POINTS = 25

SINGLE, POOLED, CODED, ITEMS, RUNS, CROSSED = "single", "pooled", "coded", "items", "runs", "crossed"
TITLES = {
    SINGLE: "one run each",
    POOLED: "runs pooled",
    CODED: "MultEval as coded",
    ITEMS: "items only",
    RUNS: "runs only (Welch)",
    CROSSED: "crossed t",
}
"""The procedures, in the order of the table."""

_TESTS = {
    SINGLE: "randomization:exact=never",
    POOLED: "multeval",
    CODED: "multeval:as_coded=true",
    ITEMS: "randomization:exact=never",
    RUNS: "runs",
    CROSSED: "crossed",
}


def grid(study: RunsSize, material: Material) -> list[Spec]:
    """One cell for every 25 test sets of a design."""
    if study.items < 2 or study.rounds < 1 or study.relabellings < 19:
        raise UsageError("--items 2 or more, --rounds 1 or more, --relabellings 19 or more")
    return [
        {"runs": d.runs, "ratio": d.ratio, "share": d.share, "first": at, "rounds": min(_AT_ONCE, study.rounds - at)}
        for d in _designs(study)
        for at in range(0, study.rounds, _AT_ONCE)
    ]


def cell(study: RunsSize, material: Material, spec: Spec, seed: int) -> Found:
    """For each procedure the test sets on which it rejects, and those on which it has an answer."""
    null = EqualSystems(runs=spec["runs"], ratio=spec["ratio"], share=spec["share"])
    named = {name: tests.make(test) for name, test in _TESTS.items() if _is_tried(study, name, null)}
    rejected, answered = dict.fromkeys(named, 0), dict.fromkeys(named, 0)
    draw = stream(seed, "runs-size")
    for _ in range(spec["rounds"]):
        both = simulate(null, study.items, draw)
        settings = replace(
            material.settings, n_resamples=study.relabellings, engine="iid", seed=int(draw.integers(2**31))
        )
        whole, first = contrast_of_scores(*both, settings), contrast_of_scores(both[0][:1], both[1][:1], settings)
        for name, test in named.items():
            p = test.run(first if name == SINGLE else whole).p_value
            answered[name] += p is not None
            rejected[name] += p is not None and p <= material.settings.alpha + _ROUNDING
    return {"rejected": rejected, "answered": answered}


def summary(study: RunsSize, material: Material, cells: Cells) -> Summary:
    """The rates of all designs, with what theory says, and a picture over the deviation of runs."""
    settings = material.settings
    rates: list[tuple[Value, ...]] = []
    wide: list[tuple[Value, ...]] = []
    findings: list[Finding] = []
    for null in _designs(study):
        of_design = [found for spec, found in cells if (spec["runs"], spec["ratio"], spec["share"]) == _key(null)]
        row: dict[str, float | None] = {}
        for name, title in TITLES.items():
            answered = sum(found["answered"].get(name, 0) for found in of_design)
            if not answered:
                continue
            row[name] = rate = sum(found["rejected"][name] for found in of_design) / answered
            error = math.sqrt(rate * (1 - rate) / answered)
            law = null.size(name, study.relabellings, settings.alpha, settings.alternative)
            rates.append((_name(null), title, null.ratio, rate, error, max(rate - error, 0.0), rate + error, law))
            findings += [] if law is None else [_finding(null, title, rate, law, answered)]
        wide.append((null.runs, null.ratio, null.share, *(row.get(name) for name in TITLES)))
    return Summary(
        design=f"{study.rounds} test sets of {study.items} items for each design, two systems without a difference; "
        f"{study.relabellings} permutations; standard error of a rate of 5%: "
        f"{100 * math.sqrt(0.05 * 0.95 / study.rounds):.2g} points.",
        tables=(
            table("sizes", "How often a true null hypothesis is rejected", _WIDE, wide, _about(settings.alpha)),
            hidden("rates", "Every rate", _RATES, rates),
            hidden("laws", "What theory says", _LAWS, _laws(study, settings)),
            hidden("level", "The level", _LEVEL, [(name, settings.alpha) for name in {row[0]: 1 for row in rates}]),
        ),
        figures=(_figure(study, wide),),
        findings=tuple(findings),
    )


def _is_tried(study: RunsSize, name: str, null: EqualSystems) -> bool:
    """Whether a procedure is tried: not a slow one on many runs, nor one on scores of runs that are all equal."""
    if name == CODED:
        return null.runs <= study.coded
    return name != RUNS or null.ratio > 0 or null.share < 1


def _designs(study: RunsSize) -> list[EqualSystems]:
    runs = parse_integers(study.runs, "--runs", 2, 1000)
    ratios = list(dict.fromkeys(parse_numbers(study.ratios, "--ratios", 0, math.inf)))
    shares = list(dict.fromkeys(parse_numbers(study.shares, "--shares", 0, 1)))
    return [EqualSystems(runs=r, ratio=ratio, share=share) for share in shares for r in runs for ratio in ratios]


def _laws(study: RunsSize, settings: Settings) -> list[tuple[Value, ...]]:
    """The rates that theory gives, over all deviations of runs."""
    designs = _designs(study)
    ratios = np.linspace(0, max(null.ratio for null in designs), _POINTS)
    named = {(null.runs, null.share): _name(null) for null in designs}
    rows: list[tuple[Value, ...]] = []
    for (runs, stable), panel in named.items():
        for name, title in TITLES.items():
            for null in [EqualSystems(runs=runs, ratio=ratio, share=stable) for ratio in ratios.tolist()]:
                if not _is_tried(study, name, null):
                    continue
                law = null.size(name, study.relabellings, settings.alpha, settings.alternative)
                rows += [] if law is None else [(panel, title, null.ratio, law)]
    return rows


def _figure(study: RunsSize, wide: Sequence[tuple[Value, ...]]) -> Figure:
    columns = {name: 3 + number for number, name in enumerate(TITLES)}
    ends = {name: [v for row in wide if isinstance(v := row[columns[name]], float)] for name in (POOLED, CROSSED)}
    said = {name: _format_range(min(v), max(v)) for name, v in ends.items()}
    far = max(null.ratio for null in _designs(study)) or 1.0
    return Figure(
        name="sizes",
        title=f"Pooling runs finds what is not there in {said[POOLED]} of cases, the crossed t in {said[CROSSED]}",
        subtitle="Points: simulation, with one standard error; broken: theory for many items, and the level",
        x=Axis(title="Deviation of runs, in errors of a paired difference", domain=(-0.09 * far, 1.09 * far)),
        y=Axis(title="Rejections of a true null hypothesis", percent=True),
        layers=(
            Layer(mark="y-rule", table="level", y="alpha"),
            Layer(mark="line", table="laws", x="ratio", y="rate", colour="procedure", dashed=True),
            *points("rates", "ratio", "rate", "procedure"),
        ),
        facet="panel",
        colours=tuple(TITLES.values()),
    )


_ROUNDING = 1e-9

_PROCEDURE = text("procedure", "Test")
_RATIO = number("ratio", "run deviation")
_PANEL = text("panel", "Design")
_WIDE = (count("n", "R"), _RATIO, share("share", "stable"), *(share(name, title) for name, title in TITLES.items()))
_RATES = (
    _PANEL,
    _PROCEDURE,
    _RATIO,
    *columns("share", rate="Rejected", error="error", low="low", high="high", law="Theory"),
)
_LAWS = (_PANEL, _PROCEDURE, _RATIO, share("rate", "Theory"))
_LEVEL = (_PANEL, share("alpha", "alpha"))


def _format_range(low: float, high: float) -> str:
    ends = dict.fromkeys(f"{100 * end:.0f}" for end in (low, high))
    return f"{' to '.join(ends)}%"


def _about(alpha: float) -> str:
    return (
        f"A valid test rejects in {100 * alpha:g}%. R: runs of each system. Run deviation: standard deviation of a "
        "run's level, in standard errors of a paired difference of two runs. Stable: proportion of the items' variance "
        "that all runs of a system have in common."
    )


def simulate(null: EqualSystems, items: int, draw: np.random.Generator) -> tuple[Float, Float]:
    """Scores ``(runs, items)`` of two systems without a difference."""
    first, second = (
        null.ratio / math.sqrt(items) * draw.normal(size=(null.runs, 1))
        + math.sqrt(null.share / 2) * draw.normal(size=items)
        + math.sqrt((1 - null.share) / 2) * draw.normal(size=(null.runs, items))
        for _ in range(2)
    )
    return first, second


def _finding(null: EqualSystems, title: str, rate: float, law: float, answered: int) -> Finding:
    # by the error of the law, as a rate of 0 has none
    error = math.sqrt(law * (1 - law) / answered)
    verdict = compare_numbers(rate, law, error, _MARGIN)
    return Finding(
        what=f"{title}: R = {null.runs}, run deviation {null.ratio:g}, {100 * null.share:g}% stable",
        value=rate,
        kind="share",
        error=error,
        expected=law,
        margin=_MARGIN,
        verdict=verdict,
        reason="the law is for many items" if verdict == "differs" else "",
    )


def _name(null: EqualSystems) -> str:
    return f"{null.runs} runs, {100 * null.share:g}% stable"


def _key(null: EqualSystems) -> tuple[int, float, float]:
    return null.runs, null.ratio, null.share
