"""The work of ``correlate``: coefficients of all metrics, redrawn, tested in twos, recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.errors import UsageError, join, suggestion
from outscore.base.notes import Note
from outscore.data.align import Missing
from outscore.data.collection import PAIRWISE, Collection
from outscore.data.dataset import Dataset
from outscore.data.specs import natural
from outscore.metrics import Metric
from outscore.metrics import metrics as known_metrics
from outscore.multiplicity.adjust import CORRECTIONS, adjust
from outscore.results.correlation import Correlation, CorrelationGain, Correlations
from outscore.results.result import Provenance, Score
from outscore.significance import Outcome
from outscore.significance.coefficients import COEFFICIENTS, NamedEnds, calibrated_accuracy, intervals, note_by_chance
from outscore.significance.correlation import (
    LEVELS,
    MOST_PAIRS,
    NULLS,
    UNDEFINED_GROUPS,
    CorrelationCoefficient,
    Draw,
    MetricMeasure,
    What,
    draw_all,
    draws,
    note_coefficient,
    note_unpaired,
    permutation,
    run_williams,
)
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.verbs.correlate import Correlate
from outscore.verbs.shared.family import note_out_of_reach
from outscore.verbs.shared.inputs import align_from, check_resamples, pairwise_from
from outscore.verbs.shared.meant_metrics import metrics_from
from outscore.verbs.shared.measured import Measured, Measurements, measuring_notes, note_direction, runtime_of
from outscore.verbs.shared.naming import attribute
from outscore.verbs.shared.reading import fill_gaps
from outscore.verbs.shared.records import provenance, score_record, unique_notes

DEFAULT_LEVELS = ("system", "segment-by-item")
FEWEST = 3
"""Systems of which a correlation says anything."""

FEWER_LEVELS = Note(
    code="fewer_levels",
    text="fewer than three systems have no correlation of their own, nor within an item: all outputs are taken "
    "together (level segment) instead of system and segment-by-item",
    remedy="judge more systems; --resample items gives intervals for these systems alone",
)
_FEW_LACKING = 0.01
"""Outputs without a score by metrics, of all, up to which systems are scored on about the same items."""
_MOST = 4
"""Systems that a note names one by one."""

_PERMUTED: dict[str, What] = {"perm-systems": "systems", "perm-items": "items", "perm-both": "both"}

_SOURCES = {
    "pearson": "Pearson 1895",
    "spearman": "Spearman 1904",
    "kendall": "Kendall 1945",
    "kendall-c": "Stuart 1953",
    "accuracy": "Deutsch et al. 2023",
}


def correlate(data: Any, asked: Correlate) -> Correlations:
    """The correlations that are asked for."""
    human, metrics, levels, test, alpha = asked.human, asked.metrics, asked.levels, asked.test, asked.alpha
    check_resamples(asked.n_resamples)
    chosen = _coefficients(DEFAULT_LEVELS if levels is None else levels, asked.coefficients)
    _check(test, asked.correction, chosen)
    settings = Settings(
        asked.alternative, alpha, asked.n_resamples, asked.seed, runtime=runtime_of(asked.jobs, asked.progress)
    )
    aligned, known, gaps = _find_known(
        data, human, metrics, asked.missing, references=asked.references, items=asked.items
    )
    given, given_items = aligned.systems, aligned.items
    by_name = sorted(range(len(given)), key=lambda system: natural(given[system]))
    made = Measurements.of(
        # systems are drawn, too: their order in the files is nothing to it
        aligned.with_systems([given[system] for system in by_name]),
        [human, *_others(metrics, human, aligned)],
        settings.runtime,
        cluster=asked.cluster,
        cache=asked.cache,
    )
    aligned = made.data.without_notes("direction_assumed")  # the sign of a correlation says it
    design, wanted = made.design, made.metrics
    if known is not None:
        place = {item: i for i, item in enumerate(given_items)}
        known = known[:, by_name][:, :, [place[item] for item in aligned.items]]
    if levels is None and len(aligned.systems) < FEWEST:
        chosen, gaps = _coefficients("segment", asked.coefficients), [*gaps, FEWER_LEVELS]
    _check_sizes(aligned, chosen)
    if (ranked := next((metric for metric in wanted if metric.ranked), None)) is not None:
        raise UsageError(f"{ranked.label} ranks items: no segment has a score of its own; choose another metric")
    counted = made.measured
    scores = _scores(given, aligned, counted, known, settings)
    judged, *measured = (
        MetricMeasure(one.stats, None if known is None else known[min(p, 1)], one.metric)
        for p, one in enumerate(counted)
    )
    every = draw_all(judged)
    resampled: What = "both" if asked.resample == "auto" else asked.resample
    ends = {}
    for a, drawn in _resample_coefficients(measured, judged, chosen, resampled, settings).items():
        row, *rows = (a.scores(m, every) for m in (judged, *measured))
        whole = a.level == "system" and asked.resample == "auto"
        ends[a] = intervals(a.name, row, rows, drawn, alpha, left_out=whole)
    found = [_correlation(m, judged, a, every, ends[a][i, i], settings) for a in chosen for i, m in enumerate(measured)]
    tested = _test_all(measured, judged, chosen, test, settings)
    said = [*aligned.notes, *gaps, *measuring_notes(counted)]
    said += [note for _, more in found for note in more if note != UNDEFINED_GROUPS]
    said += attribute((f"{r.metric!r} ({r.level})", [n for n in more if n == UNDEFINED_GROUPS]) for r, more in found)
    said += attribute((f"{a.name!r} against {b.name!r} ({c.name}, {c.level})", o.notes) for a, b, c, o in tested)
    pairs = _make_records(tested, [record for record, _ in found], measured, ends, test, asked.correction, alpha)
    order = slice(None) if aligned.places is None else np.argsort(aligned.places)
    said += [*_find_floor(pairs, asked.correction, alpha), *note_unpaired(measured, judged, every, order)]
    said += note_direction(judged.name, [record for record, _ in found])
    return Correlations(
        seed=asked.seed,
        alpha=alpha,
        scores=scores,
        human=judged.name,
        resampled=resampled,
        alternative=asked.alternative,
        correction=asked.correction,
        correlations=tuple(record for record, _ in found),
        pairs=pairs,
        notes=unique_notes(said),
        provenance=_cite(
            provenance(aligned, counted, [], settings, test if tested else "none", asked.correction, design),
            *(chosen, test),
            moved=any("MOVER" in pair.ci_method for pair in pairs),
        ),
    )


def _find_known(
    data: Any, human: str | Metric, metrics: Any, missing: Any, *, references: Any, items: Any
) -> tuple[Dataset, Bool | None, list[Note]]:
    """The data, the outputs that were judged, and scored ``(2, systems, items)``, and a note on those that were not.

    Only by ``pairwise`` some may have none: else they are an error, or their items were left out.
    """
    if isinstance(data, Collection):
        aligned = data.align_with_gaps()
    elif missing != PAIRWISE or (isinstance(data, Dataset) and data.missing != "error"):
        told_before: Missing = "error" if missing == PAIRWISE else missing
        return align_from(data, references=references, items=items, missing=told_before), None, []
    elif isinstance(data, Dataset):
        aligned = align_from(data, references=references, items=items, missing="error")
    else:
        aligned = pairwise_from(data, references=references, items=items).align_with_gaps()
    wanted = metrics_from([human, *_others(metrics, human, aligned)], aligned)
    filled, known = fill_gaps(wanted, aligned)
    if known.all():
        return aligned, None, []
    # systems have the mean of what was judged, and by every metric the score of the same outputs, be they judged or not
    apart = np.stack([fill_gaps(some, aligned)[1] for some in (wanted[:1], wanted[1:])])
    whole = np.asarray(known.all(axis=0))
    gone = known.shape[1] - known.sum(axis=1)
    who = [f"{n} of {system!r}" for system, n in zip(aligned.systems, gone.tolist(), strict=True) if n]
    more = f" and of {len(who) - _MOST} systems more" if len(who) > _MOST else ""
    named = [item for item, there in zip(aligned.items, whole.tolist(), strict=True) if not there]
    lacking = float(1 - apart[1].mean())
    on = "those that are there, each on other items" if lacking else "all outputs"
    note = Note(
        code="outputs_left_out",
        text=f"{int((~known).sum())} of {known.size} outputs lack a number: metrics score systems on {on}, humans on "
        f"what they judged; segments leave them out ({', '.join(who[:_MOST])}{more}; items {join(named, 3)})",
        remedy="give all outputs, and leave the cell of what nobody judged empty; or leave out these items in all "
        "systems with --missing drop",
    )
    return filled, apart, [replace(note, code="outputs_missing") if lacking > _FEW_LACKING else note]


def _coefficients(levels: Sequence[str] | str, coefficients: Sequence[str] | str) -> list[CorrelationCoefficient]:
    """The coefficients that are asked for, level by level."""
    asked = []
    for what, names, known in (("level", levels, LEVELS), ("coefficient", coefficients, tuple(COEFFICIENTS))):
        split = [name.strip() for text in ([names] if isinstance(names, str) else names) for name in text.split(",")]
        wrong = next((name for name in split if name not in known), None)
        if wrong is not None or not split:
            raise UsageError(f"no {what} {wrong!r}{suggestion(wrong or '', known)} (there are: {', '.join(known)})")
        asked.append(list(dict.fromkeys(split)))
    return [CorrelationCoefficient(level, coefficient) for level in asked[0] for coefficient in asked[1]]  # type: ignore[arg-type]


def _check(test: str, correction: str, chosen: Sequence[CorrelationCoefficient]) -> None:
    if correction not in CORRECTIONS:
        adjust([], correction)  # says which there are
    if test == "williams" and any((a.level, a.name) != ("system", "pearson") for a in chosen):
        raise UsageError(
            "Williams' test is for Pearson correlations over independent systems: add --level system "
            "--coefficient pearson, or use --test perm-systems"
        )


def _others(metrics: Any, human: str | Metric, data: Dataset) -> list[Any]:
    """The metrics that are asked for, or every other column of numbers."""
    name = human if isinstance(human, str) else human.label
    columns = set.intersection(*(set(cell.columns) for cell in data.by_run.values()))
    if columns and not {name, _column(name)} & columns and not known_metrics.meanings(name.partition(":")[0]):
        data.check_numbers(name)
        near = suggestion(name, columns)
        raise UsageError(f"--human {name!r}: no such column{near} (there are: {join(sorted(columns))})")
    if metrics is not None:
        return [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    others = [c for c in next(iter(data.by_run.values())).columns if c in columns and c not in (name, _column(name))]
    if not others:
        raise UsageError(f"no metric beside {name!r}: name one with -m")
    return others


def _column(spec: str) -> str:
    options = dict(part.partition("=")[::2] for part in spec.partition(":")[2].split(","))
    return options.get("column", spec)


def _check_sizes(data: Dataset, chosen: Sequence[CorrelationCoefficient]) -> None:
    """Refuses levels that these data cannot have.

    Raises:
        UsageError: too few systems, or too many pairs to calibrate.
    """
    systems, items = len(data.systems), len(data.items)
    for coefficient in chosen:
        if systems < FEWEST and coefficient.level in ("system", "segment-by-item"):
            raise UsageError(
                f"level {coefficient.level} compares systems, and there "
                f"{'is one' if systems == 1 else f'are {systems}'} ({join(data.systems)}); use --level segment"
            )
        pairs = coefficient.n_pairs(systems, items)
        if coefficient.calibrated and pairs > MOST_PAIRS:
            other = "segment-by-item" if coefficient.level != "segment-by-item" else "system, or --coefficient kendall"
            raise UsageError(
                f"accuracy at level {coefficient.level} calibrates ties over {pairs:,} pairs, too "
                f"many to do again for every resample; use --level {other}"
            )


def _resample_coefficients(
    measured: Sequence[MetricMeasure],
    human: MetricMeasure,
    chosen: Sequence[CorrelationCoefficient],
    what: What,
    settings: Settings,
) -> dict[CorrelationCoefficient, Float]:
    """Coefficients ``(metrics, n_resamples)`` of resampled systems and items, the same for all."""
    found = {coefficient: np.empty((len(measured), settings.n_resamples)) for coefficient in chosen}
    for b, draw in enumerate(draws(len(human.segments), human.stats.design, what, settings)):
        rows = {c.level: [c.scores(m, draw) for m in (human, *measured)] for c in {c.level: c for c in chosen}.values()}
        for coefficient in chosen:
            judged, *scored = rows[coefficient.level]
            found[coefficient][:, b] = [coefficient.average(of_metric, judged, draw) for of_metric in scored]
        if settings.runtime.progress is not None:
            settings.runtime.progress("correlations", b + 1, settings.n_resamples)
    return found


def _correlation(
    metric: MetricMeasure,
    human: MetricMeasure,
    coefficient: CorrelationCoefficient,
    every: Draw,
    interval: NamedEnds,
    settings: Settings,
) -> tuple[Correlation, tuple[Note, ...]]:
    x, y = (coefficient.scores(m, every) for m in (metric, human))
    undefined = 0 if coefficient.calibrated else int(np.isnan(coefficient.values(x, y)).sum())
    value = coefficient.average(x, y)
    said = note_by_chance(x, y, settings) if coefficient.calibrated else ()
    said += note_coefficient(coefficient, len(metric.segments), undefined)
    record = Correlation(
        metric=metric.name,
        level=coefficient.level,
        coefficient=coefficient.name,
        value=value if np.isfinite(value) else None,
        ci=interval[0] if np.isfinite(value) else None,
        epsilon=calibrated_accuracy(x, y)[1] if coefficient.calibrated else None,
        n_groups=len(x) - undefined,
        n_undefined=undefined,
        group_size=int((~np.isnan(x) & ~np.isnan(y)).sum(axis=1).max()),
        notes=tuple(note.code for note in said),
    )
    return record, said


def _test_all(
    measured: Sequence[MetricMeasure],
    human: MetricMeasure,
    chosen: Sequence[CorrelationCoefficient],
    test: str,
    settings: Settings,
) -> list[tuple[MetricMeasure, MetricMeasure, CorrelationCoefficient, Outcome]]:
    """Every two metrics under every coefficient."""
    if test == "none":
        return []
    found = []
    for first, second in combinations(measured, 2):
        if test == "williams":
            found += [(first, second, a, run_williams(first, second, human, settings)) for a in chosen]
            continue
        outcomes = permutation(first, second, human, chosen, _PERMUTED[test], settings)
        found += [(first, second, a, outcome) for a, outcome in zip(chosen, outcomes, strict=True)]
    return sorted(found, key=lambda each: chosen.index(each[2]))


def _make_records(
    tested: Sequence[tuple[MetricMeasure, MetricMeasure, CorrelationCoefficient, Outcome]],
    found: Sequence[Correlation],
    measured: Sequence[MetricMeasure],
    ends: Mapping[CorrelationCoefficient, Mapping[tuple[int, int], NamedEnds]],
    test: str,
    correction: str,
    alpha: float,
) -> tuple[CorrelationGain, ...]:
    """The records of the tests, with p-values corrected over all of them."""
    values = {(c.metric, c.level, c.coefficient): c.value for c in found}
    adjusted = iter(adjust([o.p_value for *_, o in tested if o.p_value is not None], correction).tolist())
    gains = []
    for first, second, coefficient, outcome in tested:
        ours, theirs = (values[m.name, coefficient.level, coefficient.name] for m in (first, second))
        interval = ends[coefficient][measured.index(first), measured.index(second)]
        gains.append(
            CorrelationGain(
                metric=first.name,
                other=second.name,
                level=coefficient.level,
                coefficient=coefficient.name,
                gain=None if ours is None or theirs is None else ours - theirs,
                ci=interval[0],
                ci_method=interval[1],
                test=test,
                null=NULLS[test],
                p_value=outcome.p_value,
                p_kind=outcome.p_kind,
                p_error=outcome.p_error,
                p_min=outcome.p_min,
                p_adjusted=None if outcome.p_value is None else next(adjusted),
                n_resamples=outcome.n_resamples,
                notes=tuple(note.code for note in outcome.notes),
            )
        )
    return tuple(gains)


def _find_floor(pairs: Sequence[CorrelationGain], correction: str, alpha: float) -> tuple[Note, ...]:
    """A note where no difference could have come out significant after the correction, with so many resamples."""
    tested = [pair for pair in pairs if pair.p_value is not None]
    floors = [pair.p_min or 0.0 for pair in tested]
    if min(floors, default=1.0) > alpha:  # what each is told by itself
        return ()
    sampled = any(pair.n_resamples for pair in tested)
    return note_out_of_reach(
        float(adjust(floors, correction).min()), len(tested), alpha,
        sampled=sampled, floor=min(floors, default=1.0), more="systems or items",
    )  # fmt: skip


def _scores(
    given: Sequence[str], data: Dataset, counted: Sequence[Measured], known: Bool | None, settings: Settings
) -> tuple[Score, ...]:
    """The scores of all systems by the humans and by every metric, with intervals, on the outputs that it has."""

    def experiment(measure: int, system: int) -> tuple[Resamples, int]:
        if known is None or (own := known[min(measure, 1), system]).all():
            return whole, measure
        here, stats = np.flatnonzero(own), counted[measure].stats
        return Resamples(data.systems, [stats.restrict(here, stats.design.restrict(here))], 0, settings), 0

    whole = Resamples(data.systems, [one.stats for one in counted], 0, settings)
    each = [(p, one, data.systems.index(name)) for p, one in enumerate(counted) for name in given]
    found = ((*experiment(p, s), one, s) for p, one, s in each)
    return tuple(score_record(resamples, one, p, s)[0] for resamples, p, one, s in found)


def _cite(made: Provenance, chosen: Sequence[CorrelationCoefficient], test: str, *, moved: bool) -> Provenance:
    """The same with the sources of the coefficients, of MOVER, and of the test."""
    sources = [_SOURCES[a.name] for a in chosen]
    sources += ["Deutsch et al. 2021", *["Zou 2007"] * moved]
    sources += ["Williams 1959", "Steiger 1980"] if test == "williams" else ["Phipson & Smyth 2010"]
    return replace(made, citations=tuple(dict.fromkeys([*made.citations, *sources])))
