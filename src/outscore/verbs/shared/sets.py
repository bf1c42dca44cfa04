"""Several data sets with the same systems: as folders, as tables, as a column of one table, or as a mapping.

Their evidence together is combined p-values, gains as one number each, and the ranks of systems on each.
"""

from __future__ import annotations

import glob
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from shlex import quote
from typing import Any

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError, UsageError, join
from outscore.base.files import exists, is_folder
from outscore.base.lazy import dataclass
from outscore.data.align import Missing
from outscore.data.collection import PAIRWISE, Collection
from outscore.data.dataset import Dataset
from outscore.data.specs import match_names, natural, pattern_beside, stems
from outscore.engine.design import Design
from outscore.engine.extreme import Alternative
from outscore.engine.runtime import Runtime
from outscore.metrics import Metric
from outscore.multiplicity.replicability import fisher, simes, stouffer
from outscore.results.plain import finite_or_none
from outscore.results.result import Provenance
from outscore.results.set_gains import AcrossSets, MeanRank, Ranking
from outscore.significance import ASYMPTOTIC, EXACT
from outscore.significance.discordant import DiscordantPairs, Sign
from outscore.significance.interval import IntervalMethod
from outscore.significance.omnibus import block_ranks, permutation_p
from outscore.significance.omnibus.friedman import FriedmanTest, compare_to_control, critical_difference, friedman
from outscore.significance.p_values import clip_tiny, range_p
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.wilcoxon import Wilcoxon, wilcoxon
from outscore.verbs.shared.inputs import align_from, check_missing, label_column, read
from outscore.verbs.shared.measured import Measured, Measurements
from outscore.verbs.shared.records import JudgedPair, provenance

WHOLE = "all items"
"""The name of a data set that has none."""

ITEM = "item"
"""The column that makes every item a data set of its own."""


@dataclass(frozen=True)
class MeasuredSet:
    """One of several data sets.

    Attributes:
        name: of the data set.
        data: what it was read from, which may hold other data sets too.
        design: its sampling units.
        measured: every metric on them.
        labels: columns that describe its items.
    """

    name: str
    data: Dataset
    design: Design
    measured: tuple[Measured, ...]
    labels: Mapping[str, Sequence[str]]

    @property
    def single(self) -> bool:
        """It holds one unit, as a rule one number for each system: nothing can be tested on it."""
        return self.design.n_units < 2

    def resamples(self, baseline: int, settings: Settings) -> Resamples:
        """Its numbers, ready for tests and intervals; nothing is drawn yet."""
        return Resamples(self.data.systems, [m.stats for m in self.measured], baseline, settings)


def read_sets(
    patterns: Sequence[str],
    files: Sequence[str] = (),
    *,
    references: Sequence[str] = (),
    items: str | None = None,
    reader: str | None = None,
    columns: Sequence[str] = (),
    missing: Missing = "error",
    exclude: Sequence[str] = (),
    measures: Sequence[str] = (),
) -> dict[str, Dataset]:
    """Reads several data sets: folders that hold files of the same names, or tables that hold all systems.

    Args:
        patterns: of folders, in which ``files``, ``references`` and ``items`` lie; or of tables.
        files, references, items, reader, columns, missing, exclude, measures: as in ``read``.

    Returns:
        The data sets by the names of the folders or tables, ready for ``replicate``.

    Raises:
        InputError: no folder or table matches, two have the same name, or a file is wrong.
        UsageError: tables and names of files in folders together, or a folder without them.
    """
    check_missing(missing)
    paths = [path for pattern in patterns for path in _matches(pattern)]
    found: dict[str, Collection] = {}
    for path, name in zip(paths, stems(paths), strict=True):
        if name in found:
            raise InputError(f"two data sets are called {name!r}", file=path, remedy="give each data set once")
        folder = is_folder(path)
        if folder and not files:
            raise UsageError(
                f"{path} is a folder: give the files in it too, NAME=FILE for each system, or quote the pattern of the "
                f"data sets in it, --sets {quote(pattern_beside(f'{path}/'))}"
            )
        if not folder and (files or references or items):
            beside = pattern_beside(path)
            unquoted = any(fnmatchcase(file, beside) for file in files)
            raise UsageError(
                f"{path} is a table, which holds all systems: leave out the other files"
                + (f", or quote the pattern of all these tables, --sets {quote(beside)}" if unquoted else "")
            )
        found[name] = read(
            [_prefix_folder(path, file) for file in files] if folder else [path],
            references=[_prefix_folder(path, file) for file in references],
            items=None if items is None else _prefix_folder(path, items),
            reader=reader,
            columns=columns,
            missing=PAIRWISE,
            measures=measures,
        )

    def leave_out(one: Collection) -> Dataset:
        apart = [p for p in exclude if match_names(one.systems, p) or p not in known]
        return (one.without_systems(apart) if apart else one).align(missing)

    known = {p for p in exclude if any(match_names(one.systems, p) for one in found.values())}
    return {name: leave_out(one) for name, one in found.items()}


def provenance_of_sets(
    sets: Sequence[MeasuredSet], judged: Sequence[JudgedPair], settings: Settings, test: str, correction: str,
    method: IntervalMethod | None = None,
) -> Provenance:  # fmt: skip
    """Where the numbers of all data sets come from; what was left out is named with its data set."""
    first = sets[0]
    parts = list({id(one.data): (one.name, one.data) for one in sets}.values())
    data = Dataset.joined(parts) if len(parts) > 1 else first.data
    found = provenance(data, first.measured, judged, settings, test, correction, first.design, method)
    return replace(found, n_clusters=sum(one.design.n_units for one in sets) if first.design.cluster else None)


def _matches(pattern: str) -> list[str]:
    if exists(pattern):
        return [pattern]
    found = sorted(glob.glob(pattern), key=natural)  # noqa: PTH207  as typed
    if not found:
        raise InputError(f"no folder and no file matches {pattern!r}", remedy="check the path")
    return [path.rstrip(f"/{os.sep}") for path in found]


def _prefix_folder(folder: str, file: str) -> str:
    """``NAME=FILE`` or ``FILE`` in a folder."""
    bare = "=" not in file or exists(Path(folder, file))
    name, equals, pattern = ("", "", file) if bare else file.partition("=")
    return f"{name}{equals}{glob.escape(folder) if glob.has_magic(pattern) else folder}/{pattern}"


def data_sets_from(
    data: Any,
    column: str | None,
    *,
    references: Any,
    items: Any,
    missing: Missing,
    metrics: Sequence[str | Metric] | str | Metric | None,
    cluster: str | None,
    strata: str | None,
    runtime: Runtime,
    cache: Path | None,
    several: bool = True,
) -> list[MeasuredSet]:
    """All data sets, measured; there may be one, and no word of what it is, unless ``several`` are wanted.

    Raises:
        UsageError: too few, metrics that are not the same on all, or no word of what the data sets are.
        InputError: a data set lacks a system.
    """

    def measure(name: str, aligned: Dataset) -> MeasuredSet:
        made = Measurements.of(aligned, metrics, runtime, cluster=cluster, strata=strata, cache=cache)
        return MeasuredSet(name, made.data, made.design, made.measured, made.data.labels)

    if column is None and isinstance(data, Mapping):
        if references is not None or items is not None:
            raise UsageError("references and items belong to one data set: give them to read() for each")
        parts = {str(name): _align(name, one, missing) for name, one in data.items()}
        found = [measure(name, one) for name, one in _order_systems(parts).items()]
    else:
        aligned = align_from(data, references=references, items=items, missing=missing)
        whole = measure(WHOLE, aligned)
        found = [whole] if column is None and "domain" not in aligned.labels and not several else _split(whole, column)
    if not found:
        raise UsageError("there is no data set: give at least one")
    if several and len(found) < 2:
        raise UsageError(f"a gain is replicated on several data sets, but there is {len(found)}: use outscore compare")
    labels = {tuple(m.stats.name for m in one.measured) for one in found}
    if len(labels) > 1:
        raise UsageError(f"the data sets have different metrics by default, {sorted(labels)}: name one with -m")
    return found


def _align(name: object, data: Any, missing: Missing) -> Dataset:
    if not isinstance(data, Dataset | Mapping) and not hasattr(data, "columns"):
        raise UsageError(
            f"{name!r} is no data set: replicate() takes a mapping from names of data sets to what compare() takes, or "
            "one table with column="
        )
    return align_from(data, references=None, items=None, missing=missing)


def _order_systems(parts: Mapping[str, Dataset]) -> Mapping[str, Dataset]:
    """The same data sets, with their systems in the order of the first."""
    first, wanted = next(iter((name, one.systems) for name, one in parts.items()), ("", ()))
    every = [set(one.systems) for one in parts.values()]
    for name, one in parts.items():
        apart = set(wanted) ^ set(one.systems)
        if apart:
            both = set.intersection(*every)
            out = " ".join(f"--exclude {quote(system)}" for system in sorted(set().union(*every) - both))
            raise InputError(
                f"data sets {first!r} and {name!r} do not hold the same systems: {join(sorted(apart))} in one of them",
                remedy="give every data set all systems"
                + (f", or leave out what some lack: {out}" if len(both) > 1 else ""),
            )
    return {name: one.with_systems(wanted) for name, one in parts.items()}


def _split(whole: MeasuredSet, column: str | None) -> list[MeasuredSet]:
    """The data sets that a column of the items tells apart."""
    aligned = whole.data
    if column == ITEM and ITEM not in aligned.labels:
        values = aligned.items
    else:
        labels = label_column(aligned, column, "domain", "--set")
        if labels is None:
            raise UsageError(
                "what the data sets are is not said: name their column with --set, or their folders with --sets"
            )
        values = labels[1]
    told = f"-c item={quote(str(column))} "  # if the column is the item, the data sets are the items
    said = (replace(n, remedy=f"{n.remedy} --set item") if told in n.remedy else n for n in aligned.notes)
    aligned = replace(aligned, notes=tuple(said))
    names = np.asarray(values, dtype=str)
    found = []
    for name in sorted(set(values), key=natural):
        here = np.flatnonzero(names == name)
        each = tuple(replace(m, stats=m.stats.restrict(here)) for m in whole.measured)
        about = {column: [of[i] for i in here] for column, of in aligned.labels.items()}
        found.append(MeasuredSet(name, aligned, whole.design.restrict(here), each, about))
    return found


_NO_EFFECT = "the system outscores the baseline on no data set"
_NO_LOSS = "the baseline outscores the system on no data set"
_GRID = 1e-10  # scores and gains that differ by less than this fraction of the largest score tie


def round_to_integers(values: Float, largest: float) -> Float:
    """Whole numbers in place of scores or gains, so that those tie which differ by rounding alone."""
    return np.asarray(np.rint(values / (_GRID * largest))) if largest > 0 else np.zeros_like(values)


def combine(p: Sequence[float], sizes: Sequence[int], side: Alternative, n_resamples: int) -> list[AcrossSets]:
    """One-sided p-values of the data sets ``(n,)``, combined by Fisher, Stouffer (weights: √items) and Simes.

    For Stouffer a p-value of 1 becomes B/(B + 1), as far from 1 as a sampled one from 0: it would outweigh all others.
    """
    null = _NO_EFFECT if side == "greater" else _NO_LOSS
    below_one = [n_resamples / (n_resamples + 1) if one == 1 else one for one in p]
    found = {"fisher": fisher(p), "stouffer": stouffer(below_one, np.sqrt(sizes)), "simes": simes(p)}
    return [
        AcrossSets(
            test=name, null=null, alternative=side, statistic=finite_or_none(one.statistic), p_value=clip_tiny(one.p),
            p_kind=ASYMPTOTIC, p_min=None, p_adjusted=clip_tiny(one.p),
        )
        for name, one in found.items()
    ]  # fmt: skip


def assess_gains(gains: Float, largest: float) -> list[AcrossSets]:
    """Wilcoxon's test and the sign test of the gains on the data sets ``(n,)``, two-sided (Demšar 2006).

    Args:
        largest: the largest score, which says what rounding is.
    """
    rounded = round_to_integers(gains, largest)
    ranks, signs = wilcoxon(rounded), DiscordantPairs.of(rounded)
    sign_p = signs.p("exact")
    return [
        AcrossSets(
            test="wilcoxon", null=Wilcoxon.null, alternative="two-sided", statistic=ranks.w_plus, p_value=ranks.p,
            p_kind=ranks.p_kind, p_min=ranks.p_min,
            p_adjusted=ranks.p,
        ),
        AcrossSets(
            test="sign", null=Sign.null, alternative="two-sided", statistic=float(signs.b), p_value=sign_p,
            p_kind=EXACT, p_min=signs.p_min("exact"), p_adjusted=sign_p,
        ),
    ]  # fmt: skip


def ranking(metric: str, systems: Sequence[str], scores: Float, baseline: int, alpha: float) -> Ranking:
    """Friedman's test of systems by their scores ``(sets, systems)``, signed so that more is better.

    The p-value is that of all orders within data sets where they can be enumerated, else of Iman and Davenport's F. The
    pairs with the baseline come with Nemenyi's and Holm's p-values.
    """
    values = round_to_integers(scores, float(np.abs(scores).max()))
    n, k = values.shape
    found = friedman(values)
    exact = 1.0 if found.degenerate else permutation_p(block_ranks(values))
    holm = iter(compare_to_control(values, baseline).p_holm.tolist())
    of_baseline, error = found.mean_ranks[baseline], math.sqrt(k * (k + 1) / (6 * n))

    def rank(number: int) -> MeanRank:
        mean = found.mean_ranks[number]
        if number == baseline:
            return MeanRank(system=systems[number], mean_rank=mean, gap=None, p_nemenyi=None, p_holm=None)
        gap = of_baseline - mean
        nemenyi = clip_tiny(range_p(abs(gap) / error * math.sqrt(2), k, math.inf))
        return MeanRank(
            system=systems[number], mean_rank=mean, gap=gap, p_nemenyi=nemenyi, p_holm=clip_tiny(next(holm))
        )

    return Ranking(
        metric=metric, null=FriedmanTest.null.replace("item", "data set"), n_sets=n, statistic=found.chi2,
        f=finite_or_none(found.f), df=found.df, df_blocks=found.df_blocks,
        p_value=clip_tiny(found.p_f if exact is None else exact),
        p_kind=ASYMPTOTIC if exact is None else EXACT, kendall_w=found.kendall_w,
        critical_difference=critical_difference(n, k, 1 - alpha), ranks=tuple(rank(number) for number in range(k)),
    )  # fmt: skip
