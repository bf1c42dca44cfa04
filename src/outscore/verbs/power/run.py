"""The work of ``plan``: the power of a named design, or of one that is drawn from a pilot."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from outscore.base.errors import UsageError
from outscore.base.files import check_no_file
from outscore.base.installed import versions_of
from outscore.base.notes import Note
from outscore.engine.runtime import Runtime
from outscore.jobs.tasks import executor_of
from outscore.power.pilot import Pilot, Way, design_without_outputs, is_beyond
from outscore.power.plans import Closed, Plan, Question, plans
from outscore.power.plans.crossed import Costs, CrossedPlan
from outscore.power.plans.fake import Fake, FakeItems
from outscore.power.simulation import test_for
from outscore.results.power import Power
from outscore.results.result import Provenance
from outscore.significance import EXACT, Test
from outscore.significance.clusters import OF_PLAN, find_ignored_clusters, note_clusters
from outscore.significance.crossed import Variances, make_runs
from outscore.significance.gain import GainContrast
from outscore.significance.settings import Settings
from outscore.verbs.power import PlanPower
from outscore.verbs.power.forecasts import PlanQuestion, check_items, compute, simulate_power
from outscore.verbs.shared.inputs import align_from, baseline_of, check_resamples, check_several
from outscore.verbs.shared.judged import named_test
from outscore.verbs.shared.measured import Measurements
from outscore.verbs.shared.records import provenance, unique_notes

OBSERVED = (
    "power at the observed gain is the p-value in another form (p = .05 gives about 50 %, whatever the data): it says "
    "nothing new. Give the smallest gain that matters, --effect NUMBER; which gains such data can show stands in the "
    "column of detectable gains"
)

PILOT_GAIN = Note(
    code="pilot_gain",
    text="the gain is that of the pilot, which is itself uncertain, and too large where a good pilot made the plan",
    remedy="give the smallest gain that matters: --effect NUMBER",
)
SMALL_PILOT = Note(
    code="small_pilot",
    text="the pilot has fewer than 100 items (clusters), so what it says of their variance is rough",
    remedy="plan for more items than the curve asks for",
)
FAR_PILOT = Note(
    code="pilot_too_far",
    text=(
        "the pilot's gain is far larger than the wanted one, which makes the power too low here and the sizes too large"
    ),
    remedy="give a pilot of systems that are nearer to each other",
)
FEW_RUNS = Note(
    code="pilot_of_few_runs",
    text="a pilot with fewer than five runs of each system says little of the variance between runs",
    remedy="see what twice that variance does",
)

_SIMULATIONS = 1000
_SMALL = 100
_MATTERS = 1.1
_NEAR = 0.01  # of the pilot's gain: an effect so near to it was read off it
_SIZES = (100, 200, 500, 1000, 2000, 5000)
_GROWTH = (0.25, 0.5, 1.0, 2.0, 4.0)


def _describe_range(power: float, alpha: float) -> str:
    """Of a power, or of a design effect, that cannot be."""
    if 0 < power <= alpha < 1:
        return f"--power {power:g}: expected more than alpha, {alpha:g}"
    if 0 < power < 1:
        return "a design effect is 1 or more"
    return f"--power {power:g}: expected a number between 0 and 1, such as {power / 100 if 1 < power < 100 else 0.8:g}"


def plan(data: Any, options: PlanPower) -> Power:
    """The power that is asked for: the curve over numbers of items.

    After Ctrl-C it is that of the test sets that were made, and a note says where the rest can go on.
    """
    if options.effect == "observed":
        raise UsageError(OBSERVED)
    if options.effect is not None and not isinstance(options.effect, str) and not math.isfinite(options.effect):
        raise UsageError(f"--effect {options.effect}: expected a number in the metric's own unit")
    if not options.alpha < options.target < 1 or not options.design_effect >= 1:
        raise UsageError(_describe_range(options.target, options.alpha))
    if (options.simulations or 1) < 1 or (
        options.sizes is not None and (len(options.sizes) == 0 or min(options.sizes) < 2)
    ):
        raise UsageError("simulations are 1 or more, sizes 2 items or more")
    if (options.cost_run is None) != (options.cost_item is None) or (
        options.budget is not None and options.cost_item is None
    ):
        raise UsageError("to weigh runs against items give both costs: --cost-run and --cost-item")
    check_resamples(options.n_resamples)
    executor = executor_of(options.jobs, options.dask, options.resume, options.checkpoint, options.progress)
    runtime = Runtime(jobs=executor.workers.jobs, progress=options.progress)
    settings = Settings(
        options.alternative, options.alpha, options.n_resamples, options.seed, runtime=Runtime(whole=True)
    )
    if isinstance(data, str) and Path(data.partition(":")[0]).suffix:  # no design has one
        check_no_file("plan", "read", ["data"], [data])
    made = plans.make(data) if isinstance(data, str) else data
    costs = (
        None
        if options.cost_run is None or options.cost_item is None
        else Costs(run=options.cost_run, item=options.cost_item, budget=options.budget)
    )

    def ask(gain: float, several: Sequence[int] | None, where: Provenance) -> PlanQuestion:
        question = Question(effect=gain, alpha=options.alpha, alternative=options.alternative, target=options.target)
        return PlanQuestion(
            question, None if several is None else tuple(sorted(set(several))), settings, where, executor
        )

    if isinstance(made, Plan):
        if isinstance(options.effect, str):
            raise UsageError(f"{made.name} has no pilot: give --effect as a number")
        question = ask(made.effect(options.effect), options.sizes, _make_provenance(made, settings))
        return _plan_design(made, question, options.design_effect, costs, options.test, options.simulations)
    aligned = align_from(data, references=options.references, items=options.items, missing=options.missing)
    check_several(aligned, lacks="is no pilot")
    if len(aligned.systems) != 2:
        named = aligned.systems[baseline_of(aligned.systems, options.baseline)]
        other = next((name for name in aligned.systems if name != named), "SYSTEM")
        raise UsageError(
            f"a pilot has two systems, not {len(aligned.systems)}: give baseline and system, of a table as "
            f"'FILE#{named}' 'FILE#{other}'"
        )
    counted = Measurements.of(aligned, options.metric, runtime, cluster=options.cluster)
    if len(counted.metrics) != 1:
        raise UsageError("a plan is for one metric: name one with -m")
    aligned, design = counted.data, counted.design
    first = baseline_of(aligned.systems, options.baseline)
    (measured,) = counted.measured
    pair = GainContrast(counted.resamples(settings, first), 0, 1 - first)
    wanted = _choose_effect(options.effect, pair, options.sizes)
    where = provenance(aligned, [measured], [], settings, str(options.test), "none", design)
    if min(pair.n_runs) > 1 and options.test == "auto" and options.by == "auto":
        _refuse_costs(None, options.design_effect)
        found = compute(
            _make_crossed(pair),
            ask(wanted, options.sizes, where),
            design_effect=pair.n_items / pair.n_units,
            costs=costs,
            clusters=design.cluster or "clusters",
        )
    else:
        _refuse_costs(costs, options.design_effect)
        asked = ask(wanted, options.sizes, where)
        found = _plan_beyond(pair, options, asked) or _plan_by_items(pair, options, asked)
    alone = design.cluster is None
    ignored = note_clusters(find_ignored_clusters(pair.resamples, aligned.labels), OF_PLAN) if alone else ()
    return replace(
        found,
        plan="pilot",
        assumes=f"{found.assumes}; other pairs of systems can need several times as many, or as few",
        metric=measured.stats.name,
        unit=measured.metric.unit,
        system=aligned.systems[pair.system],
        baseline=aligned.systems[pair.baseline],
        pilot_items=pair.n_items,
        pilot_gain=pair.gain,
        notes=unique_notes([*aligned.notes, *ignored, *_note_pilot(pair, options, found), *found.notes]),
    )


def _plan_design(
    made: Plan,
    asked: PlanQuestion,
    design_effect: float,
    costs: Costs | None,
    test: str | Test,
    simulations: int | None,
) -> Power:
    """The power of a named design."""
    if isinstance(made, Closed):
        return compute(made, asked, design_effect=design_effect, costs=costs)
    assert isinstance(made, Fake), "plans are computed or simulated"
    _refuse_costs(costs, design_effect)
    source = FakeItems(made, asked.question.effect)
    named = named_test(made.named if test == "auto" else test)
    found = simulate_power(source, replace(asked, sizes=asked.sizes or _SIZES), named, simulations or _SIMULATIONS)
    return replace(found, plan=made.label, assumes=made.assumes, unit=made.unit)


def _plan_by_items(pair: GainContrast, options: PlanPower, asked: PlanQuestion) -> Power:
    """The power on test sets that are drawn from the items of a pilot."""
    wanted = asked.question.effect
    pilot = Pilot(pair, wanted, _choose_way(options.by, pair))
    several = replace(asked, sizes=tuple(sorted(set(asked.sizes or _sizes_of(pair, wanted)))))
    found = _plan_pilot(pilot, several, named_test(options.test), options.simulations, chosen=bool(options.sizes))
    far = (FAR_PILOT,) if pilot.inflation > _MATTERS else ()
    return replace(found, notes=(*far, *found.notes))


def _plan_pilot(
    pilot: Pilot, asked: PlanQuestion, named: Test | None, simulations: int | None, *, chosen: bool
) -> Power:
    """The power by the law of the test, where it is known and simulations are not asked for.

    Sizes that nobody has ``chosen`` then stand around the answer, unless some is smaller than the law was asked for.
    """
    assert asked.sizes, "asked for with sizes"
    check_items(min(asked.sizes))
    test, _ = test_for(pilot, min(asked.sizes), named, asked.settings)
    made = pilot.law(test, min(asked.sizes)) if simulations is None else None
    if made is None:
        found = simulate_power(pilot, asked, named, simulations or _SIMULATIONS, detectable=pilot.detectable)
        return replace(found, assumes=pilot.words)
    found = compute(made, asked if chosen else replace(asked, sizes=None), design_effect=1.0, costs=None)
    if min(point.n for point in found.points) < min(asked.sizes):
        found = compute(made, asked, design_effect=1.0, costs=None)
    law = f"the exact law of {made.procedure}" if made.kind == EXACT else "the noncentral t law"
    cited = dict.fromkeys((*asked.provenance.citations, test.citation, made.citation))
    return replace(
        found,
        assumes=f"{pilot.words}; {made.assumes}; power by {law}",
        test=test.label,
        null=test.null,
        provenance=replace(asked.provenance, test=test.label, citations=tuple(cited)),
    )


def _plan_beyond(pair: GainContrast, options: PlanPower, asked: PlanQuestion) -> Power | None:
    """The power by the plan of the test where the gain is larger than exchanging outputs makes; None elsewhere.

    Nor is there one where something else was asked for by name.
    """
    effect = asked.question.effect
    auto = options.by == options.test == "auto" and options.simulations is None
    if not auto or _choose_way("auto", pair) != "exchange" or not is_beyond(pair, effect):
        return None
    design = design_without_outputs(pair, effect)
    if design is None:
        return None
    made = plans.make(design[0])
    assert isinstance(made, Closed), "the laws of McNemar's test and of t are known"
    where = replace(asked.provenance, citations=tuple(dict.fromkeys((*asked.provenance.citations, made.citation))))
    found = compute(made, replace(asked, provenance=where), design_effect=pair.n_items / pair.n_units, costs=None)
    return replace(found, assumes=f"of the pilot {design[1]} and nothing else; {found.assumes}")


def _make_crossed(pair: GainContrast) -> CrossedPlan:
    """The design of a pilot with several runs, by its variance components."""
    parts = Variances.of(*(make_runs(pair, s) for s in (pair.system, pair.baseline)))
    return CrossedPlan(parts.run, parts.item, parts.residual, min(pair.n_runs))


def _choose_effect(effect: float | str | None, pair: GainContrast, sizes: Sequence[int] | None) -> float:
    """The gain to be found.

    Raises:
        UsageError: there is none, or it was read off the pilot for the pilot's own size.
    """
    if effect is None:
        raise UsageError(
            "what gain is to be found? Give the smallest one that matters in the metric's own unit, --effect NUMBER, "
            "or --effect pilot for that of the pilot"
        )
    gain = pair.gain if isinstance(effect, str) else effect
    if abs(gain - pair.gain) <= _NEAR * abs(pair.gain) and pair.n_items in (sizes or ()):
        raise UsageError(OBSERVED)
    return gain


def _sizes_of(pair: GainContrast, wanted: float) -> list[int]:
    """Fractions and multiples of the pilot's size; not that size itself where the gain is the pilot's."""
    own = abs(wanted - pair.gain) <= _NEAR * abs(pair.gain)
    return [max(2, round(pair.n_items * growth)) for growth in _GROWTH if not (own and growth == 1.0)]


def _choose_way(by: Literal["auto"] | Way, pair: GainContrast) -> Way:
    if by != "auto":
        return by
    return "shift" if pair.stats.plain_mean and not pair.binary else "exchange"


def _refuse_costs(costs: Costs | None, design_effect: float) -> None:
    if costs is not None:
        raise UsageError("runs are weighed against items by crossed, or with a pilot of several runs of each system")
    if design_effect != 1:
        raise UsageError("a design effect is for designs that are computed; for a pilot name its --cluster column")


def _note_pilot(pair: GainContrast, options: PlanPower, found: Power) -> Iterator[Note]:
    if options.effect == "pilot":
        yield PILOT_GAIN
    if pair.n_units < _SMALL:
        yield SMALL_PILOT
    if found.p_kind == "asymptotic" and 1 < min(pair.n_runs) < 5:
        yield replace(FEW_RUNS, remedy=f"{FEW_RUNS.remedy}: {_command_of_twice(pair, options, found)}")


def _command_of_twice(pair: GainContrast, options: PlanPower, found: Power) -> str:
    """The same plan with twice the variance between runs; runs and clusters are those of the pilot."""
    made, each = _make_crossed(pair), pair.n_items / pair.n_units
    design = f"run={2 * made.run:.3g},item={made.item:.3g},residual={made.residual:.3g},runs={made.runs}"
    clusters = f" --design-effect {each:.3g}" if each > 1 else ""
    sides = f" --alternative {options.alternative}" if options.alternative != "two-sided" else ""
    goal = f" --alpha {options.alpha:g}" * (options.alpha != 0.05) + f" --power {options.target:g}" * (
        options.target != 0.8
    )
    return f"outscore power crossed:{design}{clusters} --effect {found.gain:g}{sides}{goal}"


def _make_provenance(made: Plan, settings: Settings) -> Provenance:
    return Provenance(
        libraries=versions_of("numpy", "scipy"),
        n_resamples=settings.n_resamples,
        test=made.label,
        engine=settings.engine,
        citations=(made.citation,),
    )
