"""Every pair of systems on every data set by every metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.errors import UsageError, inflect
from outscore.multiplicity import adjust as corrections
from outscore.results.plain import finite_or_none
from outscore.results.study import Axis, DataTable, Figure, Finding, Layer, Value
from outscore.significance import Test
from outscore.significance.choose import make_paired
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import Resamples
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.gain import AllPairs
from outscore.studies.shared.form import columns, share, table
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import p_values

_UNKNOWN = np.nan


def grid(study: AllPairs, material: Material) -> list[Spec]:
    """One cell for each data set and metric."""
    if len(material.systems) < 2:
        raise UsageError(f"one system ({material.systems[0]!r}) has no pairs: give at least two")
    if study.correct == corrections.MAX_T:
        raise UsageError("--correct max-t is for one data set: outscore compare --all-pairs; here use holm")
    corrections.adjust([], study.correct)  # an unknown name is said before any work
    _make_test(study.test)
    return [{"set": name, "metric": stats.name} for name, one in material.sets.items() for stats in one.by_metric]


def cell(study: AllPairs, material: Material, spec: Spec, seed: int) -> Found:
    """Gains and p-values of all pairs, the later of two systems against the earlier."""
    del seed  # all data sets draw from the seed of the study, as ``compare`` and ``replicate`` do
    (stats,) = material.by_metric
    systems = Resamples(material.systems, [stats], 0, material.settings, all_pairs=True)
    return {
        "items": material.n_items,
        "scores": [float(runs.mean()) for runs in stats.run_scores],
        "gains": [stats.gain(*pair) for pair in systems.pairs],
        "p": p_values([GainContrast(systems, 0, *pair) for pair in systems.pairs], _make_test(study.test), systems),
    }


def summary(study: AllPairs, material: Material, cells: Cells) -> Summary:
    """How many pairs are decided on each data set by each metric, and all of them."""
    alpha = material.settings.alpha
    p = np.array([found["p"] for _, found in cells], dtype=np.float64)
    gains = np.array([found["gains"] for _, found in cells])
    adjusted = _adjust(study, p)
    decided = adjusted <= alpha
    rows = [
        (spec["set"], spec["metric"], found["items"], p.shape[1], int((raw <= alpha).sum()), int(sure.sum()),
         float(sure.mean()))
        for (spec, found), raw, sure in zip(cells, p, decided, strict=True)
    ]  # fmt: skip
    pairs = list(_rows(study, material, cells, gains, p, adjusted, decided))
    sets, metrics = (list(dict.fromkeys(spec[key] for spec, _ in cells)) for key in ("set", "metric"))
    words = _words(study, material, len(sets), len(metrics), p.shape[1])
    return Summary(
        design=f"{words}.",
        tables=(_grid_table(rows), _pairs_table(pairs)),
        figures=(_figure(decided, words, metrics),),
        findings=tuple(_findings(cells, metrics, decided, gains)),
    )


def _adjust(study: AllPairs, p: Float) -> Float:
    """Corrected p-values of cells and their pairs; those that are unknown stay so, outside the family."""
    found = np.full(p.shape, _UNKNOWN)
    families = [slice(None)] if study.family == "everything" else list(range(len(p)))
    for family in families:
        some = p[family]
        known = ~np.isnan(some)
        corrected = np.full(some.shape, _UNKNOWN)
        corrected[known] = corrections.adjust(some[known], study.correct)
        found[family] = corrected
    return found


def _rows(
    study: AllPairs, material: Material, cells: Cells, gains: Float, p: Float, adjusted: Float, decided: Bool
) -> Iterator[tuple[Value, ...]]:
    """The long table."""
    if study.pairs == "none":
        return
    names = material.systems
    order = [(s, b) for b in range(len(names)) for s in range(b + 1, len(names))]
    for c, (spec, found) in enumerate(cells):
        scores = found["scores"]
        for i, (s, b) in enumerate(order):
            if study.pairs == "all" or decided[c, i]:
                key = (spec["set"], spec["metric"], names[s], names[b], scores[s], scores[b])
                yield (*key, float(gains[c, i]), finite_or_none(p[c, i]), finite_or_none(adjusted[c, i]))


def _words(study: AllPairs, material: Material, sets: int, metrics: int, pairs: int) -> str:
    """How it was done."""
    family = "all together" if study.family == "everything" else "by data set and metric"
    how = "not corrected" if study.correct == "none" else f"corrected {family} ({study.correct})"
    settings = material.settings
    return (
        f"{inflect(pairs, 'pair')} of {len(material.systems)} systems on {inflect(sets, 'data set')} by "
        f"{inflect(metrics, 'metric')}, test {study.test} ({settings.alternative}), {settings.n_resamples} "
        f"resamples where it draws, p {how}"
    )


def _make_test(test: str) -> Test | None:
    """The test by its name; None leaves the choice to each pair."""
    return None if test == "auto" else make_paired(test)


def _grid_table(rows: Sequence[tuple[Value, ...]]) -> DataTable:
    return table(
        "grid",
        "Pairs that are decided",
        (
            *columns("text", set="Data set", metric="Metric"),
            *columns("count", items="Items", pairs="Pairs", significant="p ≤ alpha", decided="corrected"),
            share("share", "Proportion"),
        ),
        rows,
        about="Decided: the corrected p is at most alpha.",
    )


def _pairs_table(rows: Sequence[tuple[Value, ...]]) -> DataTable:
    return table(
        "pairs",
        "All pairs",
        (
            *columns("text", set="Data set", metric="Metric", system="System", baseline="Against"),
            *columns("number", score="Score", baseline_score="Its score", gain="Gain"),
            *columns("p", p="p", p_adjusted="p corrected"),
        ),
        rows,
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


def _findings(cells: Cells, metrics: Sequence[str], decided: Bool, gains: Float) -> Iterator[Finding]:
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
