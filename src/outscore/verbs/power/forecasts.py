"""Power curves as records, from plans that are computed and from simulated test sets."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from outscore.base import limits
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.jobs import Found, Spec
from outscore.jobs.tasks import Executor, Job, Tasks, blocks, check_cells
from outscore.power.plans import Closed, Question, smallest
from outscore.power.plans.crossed import RUNS, Costs, CrossedPlan, power_of
from outscore.power.simulation import LEVEL, PowerTally, SimulationSource, items_needed, simulate, sum_tallies, test_for
from outscore.results.power import Power, PowerPoint, RunsAndItems
from outscore.results.result import Provenance
from outscore.significance import MONTE_CARLO, Test
from outscore.significance.crossed import Variances
from outscore.significance.settings import Settings

NOT_REACHED = Note(
    code="power_not_reached",
    text="the simulated curve does not cross the wanted power between these sizes",
    remedy="give other --sizes",
)
UNKNOWN_AGREEMENT = Note(
    code="unknown_agreement",
    text="how often the systems agree is not known (agreement=0.9 says it): the power is that of the least agreement "
    "that the accuracies allow",
    remedy="give the agreement of a pilot: mcnemar:baseline=...,agreement=...",
)
UNANSWERED = Note(
    code="unanswered",
    text="on some simulated test sets the test had no p-value: that counts as no rejection",
    remedy="",
)

_SIMULATION = ("Card et al. 2020", "Gelman & Carlin 2014")
_GROWTH = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
_SIZES = (100, 200, 500, 1000, 2000, 5000)
_MANY_RUNS = (100, 200, 500, 1000)
_LEAST = 2.0
_AT_ONCE = 25  # test sets of one cell
_ITEM = 200  # bytes of an item of a test set


@dataclass(frozen=True)
class PlanQuestion:
    """A question of a plan: the effect, the sizes (None for those around the answer), and how the work is done."""

    question: Question
    sizes: tuple[int, ...] | None
    settings: Settings
    provenance: Provenance
    executor: Executor


def compute(
    made: Closed, asked: PlanQuestion, *, design_effect: float, costs: Costs | None, clusters: str = ""
) -> Power:
    """The curve of a plan whose power is known.

    Args:
        design_effect: how many items are worth one independent item.
        costs: to weigh runs against items.
        clusters: of so many items each, if the variances are of these.

    Raises:
        UsageError: there are costs, and no runs.
    """
    question = asked.question
    if costs is not None and not isinstance(made, CrossedPlan):
        raise UsageError("runs are weighed against items by crossed, or with a pilot of several runs of each system")
    least = made.items(question)
    needed = None if least is None else math.ceil(least * design_effect)
    points = [_point(made, n, max(n / design_effect, _LEAST), question) for n in asked.sizes or _choose_sizes(needed)]
    ranged = any(point.power_ci for point in points)
    designs: tuple[RunsAndItems, ...] = ()
    if costs is not None and isinstance(made, CrossedPlan):
        designs = divide(made.variances, question, costs, design_effect)
    more = _find_runs(made, question, design_effect) if needed is None and isinstance(made, CrossedPlan) else None
    return replace(
        _power(asked),
        plan=made.label,
        assumes=made.assumes + _describe_units(design_effect, clusters),
        test=made.procedure,
        null=made.null,
        p_kind=made.kind,
        unit=made.unit,
        sizes=made.sizes,
        range_is="from the least agreement to the most" if ranged else "",
        points=tuple(points),
        items_needed=needed,
        designs=designs,
        budget=costs.budget if costs else None,
        runs_needed=more,
        notes=(UNKNOWN_AGREEMENT,) if ranged else (),
    )


def _describe_units(design_effect: float, clusters: str) -> str:
    if design_effect == 1:
        return ""
    if clusters:
        return f"; these variances are of a {clusters.removesuffix('s')} of {design_effect:.3g} items"
    return f"; every {design_effect:.3g} items count as one"


def simulate_power(
    source: SimulationSource,
    asked: PlanQuestion,
    named: Test | None,
    sets: int,
    *,
    detectable: Callable[[int, float], float | None] | None = None,
) -> Power:
    """The curve of a test on simulated test sets.

    Args:
        source: makes them.
        named: the test; None for the one that suits such data.
        sets: of each size.
        detectable: from items and power to the smallest gain, where it is known.

    Raises:
        UsageError: the test refuses such data.
        TooMuchError: the test sets would not fit into memory.
        Interrupted: Ctrl-C before there were test sets of every size.
    """
    question, settings = asked.question, asked.settings
    sizes = asked.sizes
    assert sizes, "asked for with sizes"
    check_items(max(sizes), asked.executor.workers.jobs)
    amount = f"{sets:,} simulated test sets of each size"
    check_cells(len(sizes) * sets / _AT_ONCE, amount)
    limits.check("resamples", sets, amount)
    test, refusal = test_for(source, min(sizes), named, settings)
    if refusal is not None:
        raise UsageError(refusal)
    work = Job(
        kind="power curve",
        name="power",
        label=_describe(source, test, asked),
        task=partial(_sets, source, test, question.effect, settings),
        digest=lambda spec: "",
        amount=amount,
    )
    # block by block through all sizes, so that an interruption leaves something of each
    grid = [{"items": n, **block} for block in blocks("sets", sets, _AT_ONCE) for n in sizes]
    cells = Tasks(work, settings.seed, grid)
    tell = asked.executor.progress

    def show(what: str, done: int, of: int) -> None:
        if tell is not None:
            tell(f"{what} by {amount} (--simulations)", done, of)

    said = cells.run_most(replace(asked.executor, progress=show))
    done = {n: [PowerTally.of(found) for spec, found in cells.list_done() if spec["items"] == n] for n in sizes}
    if not all(done.values()):
        raise cells.stop(asked.executor)
    tallies = [sum_tallies(of_size) for of_size in done.values()]
    points = [
        PowerPoint(
            n=n,
            power=tally.power_at_size.power,
            power_ci=tally.interval,
            type_s=tally.power_at_size.type_s(question.effect),
            type_m=tally.power_at_size.type_m(question.effect),
            detectable_gain=None if detectable is None else detectable(n, question.target),
            sets=tally.sets,
            mean_gain=tally.gains / tally.sets,
        )
        for n, tally in zip(sizes, tallies, strict=True)
    ]
    needed, ends = items_needed(sizes, [p.power for p in points], [t.interval for t in tallies], question.target)
    found = [] if needed is not None else [NOT_REACHED]
    found += [UNANSWERED] if any(tally.unanswered for tally in tallies) else []
    found += said
    cited = dict.fromkeys((*asked.provenance.citations, *_SIMULATION, test.citation))
    return replace(
        _power(asked),
        test=test.label,
        null=test.null,
        p_kind=MONTE_CARLO,
        range_is=f"{LEVEL:.0%} Monte-Carlo interval",
        points=tuple(points),
        items_needed=needed,
        items_range=ends,
        notes=tuple(found),
        provenance=replace(asked.provenance, test=test.label, citations=tuple(cited)),
    )


def check_items(number: int, jobs: int = 1) -> None:
    """Refuses test sets that do not fit into memory."""
    limits.check_memory(f"simulated test sets of {number:,} items", _ITEM * number * jobs)


def _sets(
    source: SimulationSource, test: Test, effect: float, settings: Settings, given: None, spec: Spec, own_seed: int
) -> Found:
    """The cell of some test sets; each has a seed of its own, so that more sets begin with those of fewer."""
    del given, own_seed
    return simulate(source, spec["items"], test, effect=effect, sets=range(*spec["sets"]), settings=settings).to_plain()


def _describe(source: SimulationSource, test: Test, asked: PlanQuestion) -> str:
    """Key of a simulation: its source, the settings and the test."""
    chosen = asked.settings
    how = [chosen.alternative, chosen.alpha, chosen.n_resamples, chosen.engine, asked.question.effect, test.label]
    return repr((source.identity, how))


def _find_runs(made: CrossedPlan, question: Question, items_of_unit: float) -> RunsAndItems | None:
    """A larger number of runs with which some number of items has the wanted power; None where none was found."""
    free = Costs(run=0, item=1)
    more = (runs for runs in (*RUNS, *_MANY_RUNS) if runs > made.runs)
    return next(_divisions(made.variances, question, free, items_of_unit, more), None)


def divide(variances: Variances, question: Question, costs: Costs, items_of_unit: float) -> tuple[RunsAndItems, ...]:
    """Runs against items: what each number of runs reaches for the budget, or costs to reach the target.

    Args:
        items_of_unit: items that are worth one independent item, or the mean size of a cluster.

    Raises:
        UsageError: the budget does not reach for two runs and two items, or nothing reaches the target.
    """
    found = list(_divisions(variances, question, costs, items_of_unit))
    if not found:
        short = "the budget does not pay for two runs of each system and two items"
        raise UsageError(short if costs.budget is not None else "no number of runs and items reaches the wanted power")
    best = min(found, key=lambda d: d.cost) if costs.budget is None else max(found, key=lambda d: (d.power, -d.cost))
    return tuple(replace(d, best=d is best) for d in found)


def _divisions(
    variances: Variances, question: Question, costs: Costs, items_of_unit: float, several: Iterable[int] = RUNS
) -> Iterator[RunsAndItems]:
    def power(runs: int, items: int) -> float:
        units = max(items / items_of_unit, _LEAST)
        found = power_of(variances, question.effect, runs, units, question.alpha, question.alternative, gains=False)
        return found.power

    for runs in several:
        if costs.budget is None:
            items = smallest(lambda n, runs=runs: power(runs, n) >= question.target)  # type: ignore[misc]
        else:
            items = costs.affordable(runs)
        if items is not None and items >= _LEAST:
            yield RunsAndItems(
                runs=runs, items=items, cost=costs.compute(runs, items), power=power(runs, items), best=False
            )


def _point(made: Closed, n: int, worth: float, question: Question) -> PowerPoint:
    chance = made.power(worth, question)
    return PowerPoint(
        n=n,
        power=chance.power,
        power_ci=made.range(worth, question),
        type_s=chance.type_s(question.effect),
        type_m=chance.type_m(question.effect),
        detectable_gain=made.detectable(worth, question),
        sets=None,
        mean_gain=None,
    )


def _choose_sizes(needed: int | None) -> tuple[int, ...]:
    """Sizes around the one that is needed."""
    if needed is None:
        return _SIZES
    return tuple(sorted({max(2, math.ceil(needed * growth)) for growth in _GROWTH}))


def _power(asked: PlanQuestion) -> Power:
    """A record of what was asked for, still without an answer."""
    question = asked.question
    return Power(
        seed=asked.settings.seed,
        alpha=question.alpha,
        plan="",
        assumes="",
        test="",
        null="",
        p_kind="",
        alternative=question.alternative,
        metric="",
        unit="",
        sizes="items",
        gain=question.effect,
        target=question.target,
        range_is="",
        points=(),
        items_needed=None,
        items_range=None,
        provenance=asked.provenance,
    )
