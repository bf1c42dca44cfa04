"""Every pair of systems on every data set by every metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.errors import UsageError, inflect
from outscore.multiplicity import adjust as corrections
from outscore.results.study import Axis, DataTable, Field, Figure, Finding, Layer, Value
from outscore.significance import Test
from outscore.significance.gain import GainContrast
from outscore.significance.kinds import make_paired
from outscore.significance.resamples import Resamples
from outscore.studies import Found, Spec, Study, Summary, option, study
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import p_values

_UNKNOWN = np.nan


@study("all-pairs")
@dataclass(frozen=True)
class AllPairs(Study):
    """Which systems differ, on which data sets and by which metrics? Every two systems, a test each.

    A cell is one data set under one metric, with the resamples that all its pairs share: those of
    `outscore compare --all-pairs` on that data set with the same seed, so that its p-values are the same. They are
    corrected over everything together, or by data set and metric.

    Source: Demšar 2006, §3.2 (several data sets); Holm 1979 (the correction).
    """

    question = "Which systems differ, on which data sets and by which metrics?"
    takes = "sets"
    citation = "Demšar 2006; Holm 1979"
    example = "outscore study all-pairs scores.csv --set domain -m accuracy --resume cells --plot decided.svg"

    test: str = option("auto", "Test of each pair, as in compare.")
    correct: str = option(
        "holm",
        "Correction: holm, bh, none ...",
        "bonferroni, hochberg, hommel, sidak, holm-sidak, by.",
    )
    family: Literal["everything", "each"] = option("everything", "Corrected together: everything, or each cell.")
    pairs: Literal["all", "decided", "none"] = option("all", "Rows of the table in files: all, decided, none.")

    @property
    def of_cells(self) -> str:
        return replace(self, correct="holm", family="everything", pairs="all").label

    def grid(self, material: Material) -> list[Spec]:
        """One cell for each data set and metric."""
        if len(material.systems) < 2:
            raise UsageError(f"one system ({material.systems[0]!r}) has no pairs: give at least two")
        if self.correct == corrections.MAX_T:
            raise UsageError("--correct max-t is for one data set: outscore compare --all-pairs; here use holm")
        corrections.adjust([], self.correct)  # an unknown name is said before any work
        _make_test(self.test)
        return [{"set": name, "metric": stats.name} for name, one in material.sets.items() for stats in one.by_metric]

    def part(self, material: Material, spec: Spec) -> Material:
        """One data set under one metric."""
        one = material.sets[spec["set"]]
        return replace(one, by_metric=tuple(stats for stats in one.by_metric if stats.name == spec["metric"]))

    def cell(self, material: Material, spec: Spec, seed: int) -> Found:
        """Gains and p-values of all pairs, the later of two systems against the earlier."""
        del seed  # all data sets draw from the seed of the study, as ``compare`` and ``replicate`` do
        (stats,) = material.by_metric
        systems = Resamples(material.systems, [stats], 0, material.settings, all_pairs=True)
        return {
            "items": material.n_items,
            "scores": [float(runs.mean()) for runs in stats.run_scores],
            "gains": [stats.gain(*pair) for pair in systems.pairs],
            "p": p_values([GainContrast(systems, 0, *pair) for pair in systems.pairs], _make_test(self.test), systems),
        }

    def summary(self, material: Material, cells: Sequence[tuple[Spec, Found]]) -> Summary:
        """How many pairs are decided on each data set by each metric, and all of them."""
        alpha = material.settings.alpha
        p = np.array([found["p"] for _, found in cells], dtype=np.float64)
        gains = np.array([found["gains"] for _, found in cells])
        adjusted = self._adjust(p)
        decided = adjusted <= alpha
        rows = [
            (spec["set"], spec["metric"], found["items"], p.shape[1], int((raw <= alpha).sum()), int(sure.sum()),
             float(sure.mean()))
            for (spec, found), raw, sure in zip(cells, p, decided, strict=True)
        ]  # fmt: skip
        pairs = list(self._rows(material, cells, gains, p, adjusted, decided))
        sets, metrics = (list(dict.fromkeys(spec[key] for spec, _ in cells)) for key in ("set", "metric"))
        words = self._words(material, len(sets), len(metrics), p.shape[1])
        return Summary(
            design=f"{words}.",
            tables=(_grid_table(rows), _pairs_table(pairs)),
            figures=(_figure(decided, words, metrics),),
            findings=tuple(_findings(cells, metrics, decided, gains)),
        )

    def _adjust(self, p: Float) -> Float:
        """Corrected p-values of cells and their pairs; those that are unknown stay so, outside the family."""
        found = np.full(p.shape, _UNKNOWN)
        families = [slice(None)] if self.family == "everything" else list(range(len(p)))
        for family in families:
            some = p[family]
            known = ~np.isnan(some)
            corrected = np.full(some.shape, _UNKNOWN)
            corrected[known] = corrections.adjust(some[known], self.correct)
            found[family] = corrected
        return found

    def _rows(
        self,
        material: Material,
        cells: Sequence[tuple[Spec, Found]],
        gains: Float,
        p: Float,
        adjusted: Float,
        decided: Bool,
    ) -> Iterator[tuple[Value, ...]]:
        """The long table."""
        if self.pairs == "none":
            return
        names = material.systems
        order = [(s, b) for b in range(len(names)) for s in range(b + 1, len(names))]
        for c, (spec, found) in enumerate(cells):
            scores = found["scores"]
            for i, (s, b) in enumerate(order):
                if self.pairs == "all" or decided[c, i]:
                    key = (spec["set"], spec["metric"], names[s], names[b], scores[s], scores[b])
                    yield (*key, float(gains[c, i]), _none_if_unknown(p[c, i]), _none_if_unknown(adjusted[c, i]))

    def _words(self, material: Material, sets: int, metrics: int, pairs: int) -> str:
        """How it was done."""
        family = "all together" if self.family == "everything" else "by data set and metric"
        how = "not corrected" if self.correct == "none" else f"corrected {family} ({self.correct})"
        settings = material.settings
        return (
            f"{inflect(pairs, 'pair')} of {len(material.systems)} systems on {inflect(sets, 'data set')} by "
            f"{inflect(metrics, 'metric')}, test {self.test} ({settings.alternative}), {settings.n_resamples} "
            f"resamples where it draws, p {how}"
        )


def _make_test(test: str) -> Test | None:
    """The test by its name; None leaves the choice to each pair."""
    return None if test == "auto" else make_paired(test)


def _none_if_unknown(p: float) -> float | None:
    return None if np.isnan(p) else float(p)


def _grid_table(rows: Sequence[tuple[Value, ...]]) -> DataTable:
    return DataTable(
        name="grid",
        title="Pairs that are decided",
        fields=(
            Field(name="set", title="Data set", kind="text"),
            Field(name="metric", title="Metric", kind="text"),
            Field(name="items", title="Items", kind="count"),
            Field(name="pairs", title="Pairs", kind="count"),
            Field(name="significant", title="p ≤ alpha", kind="count"),
            Field(name="decided", title="corrected", kind="count"),
            Field(name="share", title="Proportion", kind="share"),
        ),
        rows=tuple(rows),
        about="Decided: the corrected p is at most alpha.",
    )


def _pairs_table(rows: Sequence[tuple[Value, ...]]) -> DataTable:
    return DataTable(
        name="pairs",
        title="All pairs",
        fields=(
            Field(name="set", title="Data set", kind="text"),
            Field(name="metric", title="Metric", kind="text"),
            Field(name="system", title="System", kind="text"),
            Field(name="baseline", title="Against", kind="text"),
            Field(name="score", title="Score"),
            Field(name="baseline_score", title="Its score"),
            Field(name="gain", title="Gain"),
            Field(name="p", title="p", kind="p"),
            Field(name="p_adjusted", title="p corrected", kind="p"),
        ),
        rows=tuple(rows),
        about="The gain is that of the system over the one it stands against; positive is better.",
        printed=False,
    )


def _figure(decided: Bool, words: str, metrics: Sequence[str]) -> Figure:
    return Figure(
        name="decided",
        title=f"{int(decided.sum()):,} of {decided.size:,} gains are decided",
        subtitle=words.replace(", test", "\nTest", 1),
        x=Axis(title="Pairs that are decided", percent=True, domain=(0.0, 1.0)),
        y=Axis(title="", scale="names"),
        layers=(Layer(mark="point", table="grid", x="share", y="set", colour="metric"),),
        colours=tuple(metrics),
    )


def _findings(
    cells: Sequence[tuple[Spec, Found]], metrics: Sequence[str], decided: Bool, gains: Float
) -> Iterator[Finding]:
    """Over all data sets: how many tests decide, and how many pairs are decided everywhere in the same direction."""
    for metric in metrics:
        here = [c for c, (spec, _) in enumerate(cells) if spec["metric"] == metric]
        yield Finding(what=f"pairs that are decided ({metric})", value=float(decided[here].mean()), kind="share")
        if len(here) > 1:
            signs = np.sign(gains[here])
            same = decided[here].all(axis=0) & (signs == signs[0]).all(axis=0)
            yield Finding(
                what=f"pairs that are decided alike on all {len(here)} data sets ({metric})",
                value=float(same.mean()),
                kind="share",
            )
