"""How often tests of several runs find a difference that is not there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.rng import stream
from outscore.engine.design import Design
from outscore.metrics.mean import Mean
from outscore.results.study import Axis, DataTable, Field, Figure, Finding, Layer, Value
from outscore.significance import tests
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from outscore.studies import Found, Spec, Study, Summary, option, study
from outscore.studies.shared.material import Material
from outscore.studies.shared.runs_laws import EqualSystems

_AT_ONCE = 25  # rounds of one cell
_ERRORS = 4  # Monte-Carlo errors that a rate may lie from its law
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


@study("runs-size")
@dataclass(frozen=True)
class RunsSize(Study):
    """How often do tests of several runs find a difference that is not there? Systems, runs and items are made.

    Two systems with the same expected score: a run has a level of its own, a system has a preference for each item that
    all its runs share, and each run deviates on each item; all are normal. Six tests are really run on each test set:
    randomization of one run of each; of all runs pooled, run by run, as in the source; the same as MultEval 0.5.1 codes
    it; of items with the runs averaged; Welch's t of the runs' scores; crossed t over runs and items. Theory for many
    items stands beside them.

    Source: Clark, Dyer, Lavie and Smith 2011, §4.1, describe pooled randomization and publish no such rates.
    """

    question = "How often do tests of several runs find a difference that is not there?"
    takes = "nothing"
    citation = "Clark et al. 2011"
    example = "outscore study runs-size --runs 3,10 --ratios 0,1 --rounds 1000"

    items: int = option(500, "Items of each test set.")
    runs: str = option("3,10", "Runs of each system, with commas.")
    ratios: str = option("0,1,2", "Deviation of a run's level.", "In standard errors of a difference of two runs.")
    shares: str = option("0.5", "Proportion of variance that runs have in common.", "Of the items' variance.")
    rounds: int = option(300, "Test sets of each design.")
    relabellings: int = option(199, "Permutations of each randomization test.", "Independent ones; -n changes nothing.")
    coded: int = option(5, "Most runs for MultEval's permutation as coded.", "Which is slow.")

    def grid(self, material: Material) -> list[Spec]:
        """One cell for every 25 test sets of a design."""
        if self.items < 2 or self.rounds < 1 or self.relabellings < 19:
            raise UsageError("--items 2 or more, --rounds 1 or more, --relabellings 19 or more")
        return [
            {"runs": d.runs, "ratio": d.ratio, "share": d.share, "first": at, "rounds": min(_AT_ONCE, self.rounds - at)}
            for d in self._designs()
            for at in range(0, self.rounds, _AT_ONCE)
        ]

    def cell(self, material: Material, spec: Spec, seed: int) -> Found:
        """For each procedure the test sets on which it rejects, and those on which it has an answer."""
        null = EqualSystems(runs=spec["runs"], ratio=spec["ratio"], share=spec["share"])
        named = {name: tests.make(test) for name, test in _TESTS.items() if self._is_tried(name, null)}
        rejected, answered = dict.fromkeys(named, 0), dict.fromkeys(named, 0)
        draw = stream(seed, "runs-size")
        for _ in range(spec["rounds"]):
            both = simulate(null, self.items, draw)
            settings = replace(
                material.settings, n_resamples=self.relabellings, engine="iid", seed=int(draw.integers(2**31))
            )
            whole, first = pairing(*both, settings), pairing(both[0][:1], both[1][:1], settings)
            for name, test in named.items():
                p = test.run(first if name == SINGLE else whole).p_value
                answered[name] += p is not None
                rejected[name] += p is not None and p <= material.settings.alpha + _ROUNDING
        return {"rejected": rejected, "answered": answered}

    def summary(self, material: Material, cells: Sequence[tuple[Spec, Found]]) -> Summary:
        """The rates of all designs, with what theory says, and a picture over the deviation of runs."""
        settings = material.settings
        rates: list[tuple[Value, ...]] = []
        wide: list[tuple[Value, ...]] = []
        findings: list[Finding] = []
        for null in self._designs():
            of_design = [found for spec, found in cells if (spec["runs"], spec["ratio"], spec["share"]) == _key(null)]
            row: dict[str, float | None] = {}
            for name, title in TITLES.items():
                answered = sum(found["answered"].get(name, 0) for found in of_design)
                if not answered:
                    continue
                row[name] = rate = sum(found["rejected"][name] for found in of_design) / answered
                error = math.sqrt(rate * (1 - rate) / answered)
                law = null.size(name, self.relabellings, settings.alpha, settings.alternative)
                rates.append((_stats(null), title, null.ratio, rate, error, max(rate - error, 0.0), rate + error, law))
                findings += [] if law is None else [_finding(null, title, rate, law, answered)]
            wide.append((null.runs, null.ratio, null.share, *(row.get(name) for name in TITLES)))
        return Summary(
            design=f"{self.rounds} test sets of {self.items} items for each design, two systems without a difference; "
            f"{self.relabellings} permutations; standard error of a rate of 5%: "
            f"{100 * math.sqrt(0.05 * 0.95 / self.rounds):.2g} points.",
            tables=(
                _table("sizes", "How often a true null hypothesis is rejected", _WIDE, wide, _about(settings.alpha)),
                _table("rates", "Every rate", _RATES, rates),
                _table("laws", "What theory says", _LAWS, self._laws(settings)),
                _table("level", "The level", _LEVEL, [(name, settings.alpha) for name in {row[0]: 1 for row in rates}]),
            ),
            figures=(self._figure(wide),),
            findings=tuple(findings),
        )

    def _is_tried(self, name: str, null: EqualSystems) -> bool:
        """Whether a procedure is tried: not a slow one on many runs, nor one on scores of runs that are all equal."""
        if name == CODED:
            return null.runs <= self.coded
        return name != RUNS or null.ratio > 0 or null.share < 1

    def _designs(self) -> list[EqualSystems]:
        runs = [int(number) for number in _numbers(self.runs, "--runs", low=2, high=math.inf, whole=True)]
        ratios = _numbers(self.ratios, "--ratios", low=0, high=math.inf)
        shares = _numbers(self.shares, "--shares", low=0, high=1)
        return [EqualSystems(runs=r, ratio=ratio, share=share) for share in shares for r in runs for ratio in ratios]

    def _laws(self, settings: Settings) -> list[tuple[Value, ...]]:
        """The rates that theory gives, over all deviations of runs."""
        designs = self._designs()
        ratios = np.linspace(0, max(null.ratio for null in designs), _POINTS)
        by_metric = {(null.runs, null.share): _stats(null) for null in designs}
        rows: list[tuple[Value, ...]] = []
        for (runs, share), stats in by_metric.items():
            for name, title in TITLES.items():
                for null in [EqualSystems(runs=runs, ratio=ratio, share=share) for ratio in ratios.tolist()]:
                    if not self._is_tried(name, null):
                        continue
                    law = null.size(name, self.relabellings, settings.alpha, settings.alternative)
                    rows += [] if law is None else [(stats, title, null.ratio, law)]
        return rows

    def _figure(self, wide: Sequence[tuple[Value, ...]]) -> Figure:
        columns = {name: 3 + number for number, name in enumerate(TITLES)}
        ends = {name: [v for row in wide if isinstance(v := row[columns[name]], float)] for name in (POOLED, CROSSED)}
        said = {name: _format_range(min(v), max(v)) for name, v in ends.items()}
        far = max(null.ratio for null in self._designs()) or 1.0
        return Figure(
            name="sizes",
            title=f"Pooling runs finds what is not there in {said[POOLED]} of cases, the crossed t in {said[CROSSED]}",
            subtitle="Points: simulation, with one standard error; broken: theory for many items, and the level",
            x=Axis(title="Deviation of runs, in errors of a paired difference", domain=(-0.09 * far, 1.09 * far)),
            y=Axis(title="Rejections of a true null hypothesis", percent=True),
            layers=(
                Layer(mark="y-rule", table="level", y="alpha"),
                Layer(mark="line", table="laws", x="ratio", y="rate", colour="procedure", dashed=True),
                Layer(mark="interval", table="rates", x="ratio", low="low", high="high", colour="procedure"),
                Layer(mark="point", table="rates", x="ratio", y="rate", colour="procedure"),
            ),
            facet="panel",
            colours=tuple(TITLES.values()),
        )


_ROUNDING = 1e-9

_PROCEDURE = Field(name="procedure", title="Test", kind="text")
_RATIO = Field(name="ratio", title="run deviation")
_PANEL = Field(name="panel", title="Design", kind="text")
_WIDE = (
    Field(name="n", title="R", kind="count"),
    _RATIO,
    Field(name="share", title="stable", kind="share"),
    *(Field(name=name, title=title, kind="share") for name, title in TITLES.items()),
)
_RATES = (
    _PANEL,
    _PROCEDURE,
    _RATIO,
    Field(name="rate", title="Rejected", kind="share"),
    Field(name="error", title="error", kind="share"),
    Field(name="low", title="low", kind="share"),
    Field(name="high", title="high", kind="share"),
    Field(name="law", title="Theory", kind="share"),
)
_LAWS = (_PANEL, _PROCEDURE, _RATIO, Field(name="rate", title="Theory", kind="share"))
_LEVEL = (_PANEL, Field(name="alpha", title="alpha", kind="share"))


def _table(
    name: str, title: str, fields: tuple[Field, ...], rows: Sequence[tuple[Value, ...]], about: str = ""
) -> DataTable:
    return DataTable(name=name, title=title, fields=fields, rows=tuple(rows), about=about, printed=bool(about))


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


def pairing(baseline: Float, system: Float, settings: Settings) -> GainContrast:
    """Two systems by their item scores ``(runs, items)`` as a test sees them."""
    statistics = [np.stack([scores, np.ones_like(scores)], axis=-1) for scores in (baseline, system)]
    stats = Statistics("mean", statistics, Mean().score, Design(baseline.shape[1]), per_item=True)
    return GainContrast(Resamples(("baseline", "system"), [stats], 0, settings), 0, 1)


def _finding(null: EqualSystems, title: str, rate: float, law: float, answered: int) -> Finding:
    # by the error of the law, as a rate of 0 has none
    error = math.sqrt(law * (1 - law) / answered)
    near = abs(rate - law) <= _ERRORS * error
    return Finding(
        what=f"{title}: R = {null.runs}, run deviation {null.ratio:g}, {100 * null.share:g}% stable",
        value=rate,
        kind="share",
        error=error,
        expected=law,
        verdict="agrees" if near else "differs",
        reason="" if near else f"more than {_ERRORS} standard errors from the law for many items",
    )


def _stats(null: EqualSystems) -> str:
    return f"{null.runs} runs, {100 * null.share:g}% stable"


def _key(null: EqualSystems) -> tuple[int, float, float]:
    return null.runs, null.ratio, null.share


def _numbers(text: str, name: str, *, low: float, high: float, whole: bool = False) -> list[float]:
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        found = []
    if not found or any(not low <= x <= high or (whole and x != int(x)) for x in found):
        kind = "whole numbers" if whole else "numbers"
        ends = f"from {low:g} on" if high == math.inf else f"from {low:g} to {high:g}"
        raise UsageError(f"{name} {text!r}: expected {kind} {ends}, with commas")
    return list(dict.fromkeys(found))
