"""Several runs of each system: how much luck there is in a run, and what tests make of a few of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from outscore.base.errors import UsageError
from outscore.base.notes import Note
from outscore.significance import Test, tests
from outscore.significance.confidence import needed_for_errors, selection_error
from outscore.significance.resamples import Resamples
from outscore.significance.runs import median_run
from outscore.significance.statistics import Statistics
from outscore.studies import Found, Spec, Study, Summary, option, study
from outscore.studies.shared.material import Material
from outscore.studies.shared.runs_drawn import answers, count_ways, draw_runs, gains_of, numbers_of_runs
from outscore.studies.shared.runs_shown import ALONE, CROSSED, POOLED, Row, RunsShown

_AT_ONCE = 25  # draws of one cell


@study("runs")
@dataclass(frozen=True)
class RunsStudy(Study):
    """How much luck is in a run of training or optimization, and how many runs does it take to be sure of a gain?

    For each system the mean score of its runs, s_sel (how far the score would vary with other items), s_test (how far
    it varies between runs) and the median run. For each pair of systems with several runs: which gains n runs of each
    would have shown, how often the wrong sign; and which p-values, by pooled randomization as the source does it, and
    beside it by a test that is valid for new runs and new items. Runs are drawn without replacement. The deviation on
    the tuning set, s_dev, is s_test of the outputs on the tuning set: give these to a study of their own.

    Source: Clark, Dyer, Lavie and Smith 2011, Tables 1 and 2, Figures 1 and 2.
    """

    question = "How much of a gain is luck of single runs, and how many runs does it take to be sure?"
    takes = "runs"
    citation = "Clark et al. 2011"
    example = "outscore study runs -r ref.txt baseline='baseline.run*.txt' new='new.run*.txt' -m bleu --plot runs.svg"

    pairs: Literal["baseline", "all"] = option("baseline", "All with the baseline, or all pairs.")
    numbers: str = option("", "Numbers of runs drawn of each system.", "With commas.", shown="1, 2, 3, 5, 10 ... all")
    draws: int = option(250, "Draws of each number of runs.", "All ways where there are fewer.")
    pooled: str = option("multeval", "Test that takes runs for extra items.")
    test: str = option("crossed", "Test over new runs and new items.")
    alone: str = option("randomization:exact=never", "Test of one run of each system.")

    def grid(self, material: Material) -> list[Spec]:
        """One cell for the systems under each metric, two for each pair, and one for every 25 draws of its runs."""
        if self.draws < 1:
            raise UsageError("--draws: at least one")
        tests_named = [tests.make(name) for name in (self.pooled, self.test, self.alone)]
        assert len(tests_named) == 3, "a wrong name is refused before anything is done"
        if max(len(runs) for runs in material.runs.values()) < 2:
            raise UsageError(
                "no system has several runs: name them as SYSTEM='files*', or by a column of runs ('run' or 'seed')"
            )
        cells: list[Spec] = []
        for stats in material.by_metric:
            cells.append({"part": "systems", "metric": stats.name})
            for system, baseline in self._pairs(stats):
                one = {"metric": stats.name, "system": system, "baseline": baseline}
                cells += [{"part": "gains", **one}, {"part": "single", **one}]
                runs = stats.runs[system], stats.runs[baseline]
                for n in numbers_of_runs(self.numbers, min(runs)):
                    number = min(self.draws, count_ways(runs, n))
                    cells += [
                        {"part": "p", **one, "n": n, "first": at, "number": min(_AT_ONCE, number - at)}
                        for at in range(0, number, _AT_ONCE)
                    ]
        return cells

    def cell(self, material: Material, spec: Spec, seed: int) -> Found:
        """Scores and deviations of the systems; or gains, or p-values, of drawn runs of two of them."""
        stats = next(stats for stats in material.by_metric if stats.name == spec["metric"])
        if spec["part"] == "systems":
            return {"systems": _systems(material, stats, seed)}
        pair = spec["system"], spec["baseline"]
        if spec["part"] == "gains":
            return {"numbers": self._gains(stats, pair, material.settings.alpha, seed)}
        if spec["part"] == "single":
            return {"rows": self._single(material, stats, pair, seed)}
        runs = stats.runs[pair[0]], stats.runs[pair[1]]
        chosen = draw_runs(runs, spec["n"], spec["first"], spec["number"], self.draws, seed)
        found = answers(stats, pair, chosen, self._tests(spec["n"]), material.settings, seed)
        return {"tests": [one.to_plain() for one in found]}

    def summary(self, material: Material, cells: Sequence[tuple[Spec, Found]]) -> Summary:
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
                    p_values.setdefault((*key, spec["n"], self._kind(spec["n"], one["test"])), []).extend(one["p"])
                    refused += [one["refusal"]] if one["refusal"] else []
        shown = RunsShown(
            material.settings, dict(zip((p.name for p in material.by_metric), material.units, strict=True))
        )
        return Summary(
            design=self._design(material),
            tables=shown.tables(systems, scores, gains, single, p_values),
            figures=shown.figures(),
            notes=tuple(_notes(refused, bool(gains))),
        )

    def _pairs(self, stats: Statistics) -> list[tuple[int, int]]:
        several = [number for number, runs in enumerate(stats.runs) if runs > 1]
        if self.pairs == "baseline":
            return [(system, 0) for system in several if system and 0 in several]
        return [(system, baseline) for i, baseline in enumerate(several) for system in several[i + 1 :]]

    def _tests(self, n: int) -> list[Test]:
        # with one run of each, pooling has nothing to pool and no test sees how runs vary
        return [tests.make(name) for name in ((self.alone,) if n == 1 else (self.pooled, self.test))]

    def _kind(self, n: int, label: str) -> str:
        return ALONE if n == 1 else POOLED if label == tests.make(self.pooled).label else CROSSED

    def _gains(self, stats: Statistics, pair: tuple[int, int], alpha: float, seed: int) -> list[list[Any]]:
        system, baseline = (stats.sign * stats.run_scores[one] for one in pair)
        gain, slack = stats.gain(*pair), stats.slack(*pair)
        deviation = float(np.sqrt(system.var(ddof=1) + baseline.var(ddof=1)))
        rows: list[list[Any]] = []
        for n in numbers_of_runs(self.numbers, min(len(system), len(baseline))):
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

    def _single(self, material: Material, stats: Statistics, pair: tuple[int, int], seed: int) -> list[list[Any]]:
        """The three scenarios of the source's Table 2: luck with the baseline, with neither, with the system."""
        system, baseline = (stats.sign * stats.run_scores[one] for one in pair)
        scenarios = {
            "high baseline, low system": (int(system.argmin()), int(baseline.argmax())),
            "median of both": (median_run(system), median_run(baseline)),
            "low baseline, high system": (int(system.argmax()), int(baseline.argmin())),
        }
        chosen = [((a,), (b,)) for a, b in scenarios.values()]
        found = answers(stats, pair, chosen, self._tests(1), material.settings, seed)[0].p
        return [
            [what, b, a, float(system[a] - baseline[b]), p]
            for (what, (a, b)), p in zip(scenarios.items(), found, strict=True)
        ]

    def _design(self, material: Material) -> str:
        runs = sorted({len(runs) for runs in material.runs.values()})
        many = f"{runs[0]} runs" if len(runs) == 1 else f"{runs[0]} to {runs[-1]} runs"
        return (
            f"{len(material.systems)} systems, {many} of each, {material.n_items} items; up to {self.draws} draws of "
            f"each number of runs. Tests: {ALONE}, {self.alone}; {POOLED}, {self.pooled}; {CROSSED}, {self.test}; "
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
