"""Several runs of each system: how much luck there is in a run, and what tests make of a few of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice, product
from typing import Any

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.rng import stream
from outscore.significance import Test, tests
from outscore.significance.confidence import needed_for_errors, selection_error
from outscore.significance.resamples import Resamples
from outscore.significance.runs import median_run
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.runs import RunsStudy
from outscore.studies.runs.shown import ALONE, CROSSED, POOLED, Row, RunsShown
from outscore.studies.runs.tuned import read_tuned, tuning_table
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import contrast_of

MOST_WAYS = 100_000
"""Ways to draw runs that are all gone through; of more, ``SAMPLED`` are drawn at random."""

SAMPLED = 20_000

_USUAL = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300)

Runs = tuple[int, ...]
"""Numbers of some runs of a system."""


def numbers_of_runs(wanted: str, most: int) -> list[int]:
    """How many runs are drawn of each system: those that are wanted, or the usual ones, up to ``most``.

    Args:
        wanted: numbers with commas; empty for 1, 2, 3, 5, 10, ... and ``most``.

    Raises:
        UsageError: no numbers from 1 on.
    """
    if not wanted.strip():
        return sorted({n for n in _USUAL if n < most} | {most})
    parts = [part.strip() for part in wanted.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise UsageError(f"--numbers {wanted!r}: expected numbers of runs from 1 on, as 1,3,5")
    return sorted({min(int(part), most) for part in parts})


def count_ways(runs: tuple[int, int], n: int) -> int:
    """In how many ways n runs of each of two systems can be drawn, without their order."""
    return math.comb(runs[0], n) * math.comb(runs[1], n)


def draw_runs(runs: tuple[int, int], n: int, first: int, number: int, most: int, seed: int) -> list[tuple[Runs, Runs]]:
    """Some draws of n runs of each of two systems, without replacement.

    All ways in turn where there are no more than ``most``, else random ones.

    Args:
        runs: how many each system has.
        first, number: which of the ways; of random draws only their number counts.
    """
    if count_ways(runs, n) <= most:
        every = product(combinations(range(runs[0]), n), combinations(range(runs[1]), n))
        return list(islice(every, first, first + number))
    draw = stream(seed, "drawn runs", n)
    return [
        (tuple(draw.permutation(runs[0])[:n].tolist()), tuple(draw.permutation(runs[1])[:n].tolist()))
        for _ in range(number)
    ]


def gains_of(system: Float, baseline: Float, n: int, seed: int) -> Float:
    """Gains of the mean scores of n runs of each system: of all draws, or of ``SAMPLED`` of them.

    Args:
        system, baseline: scores of the runs, signed so that more is better.
    """
    runs = len(system), len(baseline)
    if count_ways(runs, n) <= MOST_WAYS:
        means = [s[np.array(list(combinations(range(len(s)), n)))].mean(axis=1) for s in (system, baseline)]
        return np.asarray(np.subtract.outer(*means)).ravel()
    draw = stream(seed, "gains of drawn runs", n)
    means = [s[draw.random((SAMPLED, len(s))).argsort(axis=1)[:, :n]].mean(axis=1) for s in (system, baseline)]
    return np.asarray(means[0] - means[1])


@dataclass(frozen=True)
class DrawnPValues:
    """p-values of one test on several draws.

    Attributes:
        test: its label.
        p: one for each draw, None where it has no answer.
        refusal: why it refused the first draw that it refused; empty if it refused none.
    """

    test: str
    p: tuple[float | None, ...]
    refusal: str = ""

    def to_plain(self) -> dict[str, Any]:
        """As values that JSON can hold."""
        return {"test": self.test, "p": list(self.p), "refusal": self.refusal}


def answers(
    stats: Statistics,
    pair: tuple[int, int],
    draws: Sequence[tuple[Runs, Runs]],
    named: Sequence[Test],
    settings: Settings,
    seed: int,
) -> list[DrawnPValues]:
    """p-values of several tests on the same draws of runs, each draw with resamples of its own.

    Args:
        pair: numbers of the system and of the baseline.
        draws: runs of the system and of the baseline.
    """
    found: list[list[float | None]] = [[] for _ in named]
    refusals = [""] * len(named)
    seeds = stream(seed, "tests of drawn runs").integers(2**31, size=len(draws)).tolist()
    for chosen, own in zip(draws, seeds, strict=True):
        of_system, of_baseline = (stats.items[one][list(runs)] for one, runs in zip(pair, chosen, strict=True))
        seen = contrast_of(of_baseline, of_system, stats, replace(settings, seed=own))
        for number, test in enumerate(named):
            refusal = test.refuses(seen)
            refusals[number] = refusals[number] or refusal or ""
            found[number].append(test.run(seen).p_value if refusal is None else None)
    return [
        DrawnPValues(test.label, tuple(p), refusal) for test, p, refusal in zip(named, found, refusals, strict=True)
    ]


_AT_ONCE = 25  # draws of one cell


def grid(study: RunsStudy, material: Material) -> list[Spec]:
    """One cell for the systems under each metric, two for each pair, and one for every 25 draws of its runs."""
    if study.draws < 1:
        raise UsageError("--draws: at least one")
    if study.tuning:
        read_tuned(study.tuning, material)  # what is wrong with it is said before any work
    tests_named = [tests.make(name) for name in (study.pooled, study.test, study.alone)]
    assert len(tests_named) == 3, "a wrong name is refused before anything is done"
    if max(len(runs) for runs in material.runs.values()) < 2:
        raise UsageError(
            "no system has several runs: name them as SYSTEM='files*', or by a column of runs ('run' or 'seed')"
        )
    cells: list[Spec] = []
    for stats in material.by_metric:
        cells.append({"part": "systems", "metric": stats.name})
        for system, baseline in _pairs(study, stats):
            one = {"metric": stats.name, "system": system, "baseline": baseline}
            cells += [{"part": "gains", **one}, {"part": "single", **one}]
            runs = stats.runs[system], stats.runs[baseline]
            for n in numbers_of_runs(study.numbers, min(runs)):
                number = min(study.draws, count_ways(runs, n))
                cells += [
                    {"part": "p", **one, "n": n, "first": at, "number": min(_AT_ONCE, number - at)}
                    for at in range(0, number, _AT_ONCE)
                ]
    return cells


def cell(study: RunsStudy, material: Material, spec: Spec, seed: int) -> Found:
    """Scores and deviations of the systems; or gains, or p-values, of drawn runs of two of them."""
    stats = material.stats(spec["metric"])
    if spec["part"] == "systems":
        return {"systems": _systems(material, stats, seed)}
    pair = spec["system"], spec["baseline"]
    if spec["part"] == "gains":
        return {"numbers": _gains(study, stats, pair, material.settings.alpha, seed)}
    if spec["part"] == "single":
        return {"rows": _single(study, material, stats, pair, seed)}
    runs = stats.runs[pair[0]], stats.runs[pair[1]]
    chosen = draw_runs(runs, spec["n"], spec["first"], spec["number"], study.draws, seed)
    found = answers(stats, pair, chosen, _tests(study, spec["n"]), material.settings, seed)
    return {"tests": [one.to_plain() for one in found]}


def summary(study: RunsStudy, material: Material, cells: Cells) -> Summary:
    """Tables as the source's, the pictures, and what could not be had."""
    names = material.systems
    systems: list[Row] = []
    scores: list[Row] = []
    gains: list[Row] = []
    single: list[Row] = []
    p_values: dict[tuple[Any, ...], list[float | None]] = {}
    refused: list[str] = []
    for spec, found in cells:
        metric = spec["metric"]
        if spec["part"] == "systems":
            systems += [(metric, name, *row["numbers"]) for name, row in zip(names, found["systems"], strict=True)]
            scores += [
                (metric, name, run, score)
                for name, row in zip(names, found["systems"], strict=True)
                for run, score in zip(material.runs[name], row["scores"], strict=True)
            ]
            continue
        key = metric, f"{names[spec['system']]} against {names[spec['baseline']]}"
        if spec["part"] == "gains":
            gains += [(*key, *row) for row in found["numbers"]]
        elif spec["part"] == "single":
            runs = material.runs[names[spec["system"]]], material.runs[names[spec["baseline"]]]
            single += [(*key, what, runs[1][b], runs[0][a], gain, p) for what, b, a, gain, p in found["rows"]]
        else:
            for one in found["tests"]:
                p_values.setdefault((*key, spec["n"], _kind(study, spec["n"], one["test"])), []).extend(one["p"])
                refused += [one["refusal"]] if one["refusal"] else []
    shown = RunsShown(material.settings, dict(zip((p.name for p in material.by_metric), material.units, strict=True)))
    tables = shown.tables(systems, scores, gains, single, p_values)
    tuned = [tuning_table(read_tuned(study.tuning, material), systems, material)] if study.tuning else []
    return Summary(
        design=_design(study, material),
        tables=(*tuned, *tables),
        figures=shown.figures(),
        notes=tuple(_notes(refused, bool(gains))),
    )


def _pairs(study: RunsStudy, stats: Statistics) -> list[tuple[int, int]]:
    several = [number for number, runs in enumerate(stats.runs) if runs > 1]
    if study.pairs == "baseline":
        return [(system, 0) for system in several if system and 0 in several]
    return [(system, baseline) for i, baseline in enumerate(several) for system in several[i + 1 :]]


def _tests(study: RunsStudy, n: int) -> list[Test]:
    # with one run of each, pooling has nothing to pool and no test sees how runs vary
    return [tests.make(name) for name in ((study.alone,) if n == 1 else (study.pooled, study.test))]


def _kind(study: RunsStudy, n: int, label: str) -> str:
    return ALONE if n == 1 else POOLED if label == tests.make(study.pooled).label else CROSSED


def _gains(study: RunsStudy, stats: Statistics, pair: tuple[int, int], alpha: float, seed: int) -> list[list[Any]]:
    system, baseline = (stats.sign * stats.run_scores[one] for one in pair)
    gain, slack = stats.gain(*pair), stats.slack(*pair)
    deviation = float(np.sqrt(system.var(ddof=1) + baseline.var(ddof=1)))
    rows: list[list[Any]] = []
    for n in numbers_of_runs(study.numbers, min(len(system), len(baseline))):
        gains = gains_of(system, baseline, n, seed)
        low, lower, upper, high = np.quantile(gains, [alpha / 2, 0.25, 0.75, 1 - alpha / 2]).tolist()
        wrong = gains < -slack if gain >= 0 else gains > slack
        rows.append(
            [
                n,
                count_ways((len(system), len(baseline)), n),
                gain,
                low,
                lower,
                upper,
                high,
                float(wrong.mean()),
                deviation,
            ]
        )
    return rows


def _single(
    study: RunsStudy, material: Material, stats: Statistics, pair: tuple[int, int], seed: int
) -> list[list[Any]]:
    """The three scenarios of the source's Table 2: luck with the baseline, with neither, with the system."""
    system, baseline = (stats.sign * stats.run_scores[one] for one in pair)
    scenarios = {
        "high baseline, low system": (int(system.argmin()), int(baseline.argmax())),
        "median of both": (median_run(system), median_run(baseline)),
        "low baseline, high system": (int(system.argmax()), int(baseline.argmin())),
    }
    chosen = [((a,), (b,)) for a, b in scenarios.values()]
    found = answers(stats, pair, chosen, _tests(study, 1), material.settings, seed)[0].p
    return [
        [what, b, a, float(system[a] - baseline[b]), p]
        for (what, (a, b)), p in zip(scenarios.items(), found, strict=True)
    ]


def _design(study: RunsStudy, material: Material) -> str:
    runs = sorted({len(runs) for runs in material.runs.values()})
    many = f"{runs[0]} runs" if len(runs) == 1 else f"{runs[0]} to {runs[-1]} runs"
    return (
        f"{len(material.systems)} systems, {many} of each, {material.n_items:,} items; up to {study.draws} draws of "
        f"each number of runs. Tests: {ALONE}, {study.alone}; {POOLED}, {study.pooled}; {CROSSED}, {study.test}; "
        f"{material.settings.n_resamples} resamples."
    )


def _systems(material: Material, stats: Statistics, seed: int) -> list[Mapping[str, Any]]:
    """For each system its numbers in the order of the table, and the scores of its runs."""
    systems = Resamples(material.systems, [stats], 0, replace(material.settings, seed=seed))
    systems = systems.draw(needed_for_errors(systems))
    rows: list[Mapping[str, Any]] = []
    for number, name in enumerate(material.systems):
        scores = stats.run_scores[number]
        s_sel = selection_error(systems, 0, number)
        s_test = float(scores.std(ddof=1)) if len(scores) > 1 else None
        ratio = s_test / s_sel if s_test is not None and s_sel else None
        median = material.runs[name][median_run(scores)]
        ends = float(scores.min()), float(scores.max())
        rows.append(
            {
                "numbers": [len(scores), float(scores.mean()), s_sel, s_test, ratio, median, *ends],
                "scores": scores.tolist(),
            }
        )
    return rows


def _notes(refused: Sequence[str], pairs: bool) -> list[Note]:
    said = [
        Note(code="test_refused", text=f"a test has no answer: {why}", remedy="choose another by --pooled or --test")
        for why in dict.fromkeys(refused)
    ]
    if not pairs:
        said.append(
            Note(
                code="no_pair_with_runs",
                text="no two systems that are compared have several runs, so no gains of drawn runs are shown",
                remedy="give several runs of the first system, or --pairs all",
            )
        )
    return said
