"""From files and Python objects to aligned items."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from shlex import quote
from typing import Any, Literal, overload

from outscore.base.errors import InputError, UsageError, inflect, join, no_column, suggestion
from outscore.data.align import Missing
from outscore.data.collection import ONLY_COMPARE, PAIRWISE, Collection
from outscore.data.dataset import Dataset
from outscore.data.measures import measured_alike
from outscore.data.read import read as read_files
from outscore.engine.design import Design
from outscore.metrics import Metric

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
"""One file, or several."""


@overload
def read(
    files: Paths,
    *,
    references: Paths = (),
    items: str | None = None,
    reader: str | None = None,
    columns: Sequence[str] | str = (),
    missing: Missing = "error",
    exclude: Sequence[str] | str = (),
    measures: Sequence[str] | str = (),
) -> Dataset: ...


@overload
def read(
    files: Paths,
    *,
    references: Paths = (),
    items: str | None = None,
    reader: str | None = None,
    columns: Sequence[str] | str = (),
    missing: Literal["pairwise"],
    exclude: Sequence[str] | str = (),
    measures: Sequence[str] | str = (),
) -> Collection: ...


def read(
    files: Paths,
    *,
    references: Paths = (),
    items: str | None = None,
    reader: str | None = None,
    columns: Sequence[str] | str = (),
    missing: Missing | Literal["pairwise"] = "error",
    exclude: Sequence[str] | str = (),
    measures: Sequence[str] | str = (),
) -> Dataset | Collection:
    """Reads the files of systems, or a data frame, and aligns them on their items.

    Args:
        files: ``NAME=PATTERN`` (the files are the runs of NAME) or a file, the baseline first; tables may hold several,
            of which ``FILE#PATTERN`` picks some and ``NAME=FILE#PATTERN`` makes them the runs of NAME.
            Or what ``compare`` takes in place of files, with references and items of Python.
        references: files of references or gold labels, one stream each.
        items: a table that describes the items (document, domain ...), by id or in the order of the lines.
        reader: name of the reader; by content if None.
        columns: ``ROLE=NAME``: what columns of tables are for, where their names do not say it; ``NAME+NAME`` joins
            several. Roles: system, item, run, sample, metric, score, output, reference, cluster, domain, token, label;
            ``sample=@file`` makes the files of a system samples and not runs.
        missing: treatment of items that a system lacks or that have no number: ``error``, ``drop`` them for all, or
            score them ``zero``; ``pairwise`` leaves it to ``compare`` to take for each pair what both have.
        exclude: names of systems, or patterns of names, that are left out as if they had not been given.
        measures: metrics that will be asked for: in a table with a column for each of several things, columns of these
            names are measures of one system, and not systems.

    Returns:
        The aligned items, ready for ``compare``; with ``pairwise`` what only ``compare`` can align.

    Raises:
        InputError: a file is wrong; the message says where, what was found, and how to mend it.
        UsageError: the names are wrong.
    """
    found = _collect(files, references, items, reader, columns, exclude, measures, missing)
    if missing == PAIRWISE:
        return found
    return found.align(missing)


def read_apart(
    files: Paths,
    *,
    references: Paths = (),
    items: str | None = None,
    reader: str | None = None,
    columns: Sequence[str] | str = (),
    missing: Missing = "error",
    exclude: Sequence[str] | str = (),
    measures: Sequence[str] | str = (),
) -> tuple[Dataset, ...]:
    """Reads the files of systems that need no items in common, for tests of independent samples.

    Args:
        files, references, items, reader, columns, missing, exclude, measures: as in ``read``; items that other systems
            lack are no fault.

    Returns:
        One for each system, for tests of independent samples; or one for all of them where all have the same items.

    Raises:
        InputError, UsageError: as ``read``.
    """
    check_missing(missing)
    return _collect(files, references, items, reader, columns, exclude, measures, None).align_apart(missing)


def check_missing(missing: object) -> None:
    """Refuses pairwise items where systems must share theirs."""
    if missing == PAIRWISE:
        raise UsageError(ONLY_COMPARE)


def _collect(
    files: Paths,
    references: Paths,
    items: str | None,
    reader: str | None,
    columns: Sequence[str] | str,
    exclude: Sequence[str] | str,
    measures: Sequence[str] | str,
    missing: str | None,
) -> Collection:
    if _holds_data(files):
        said = {"reader": reader, "columns": columns}
        return _collect_objects(files, references, items, said, exclude, measures, missing)
    names, streams, chosen, out, measured = map(_list, (files, references, columns, exclude, measures))
    found = read_files(names, references=streams, items=items, reader=reader, columns=chosen, measures=measured)
    return found.without_systems(out) if out else found


def _list(given: Paths) -> list[str]:
    return [os.fspath(one) for one in ([given] if isinstance(given, str | os.PathLike) else given)]


def _holds_data(given: object) -> bool:
    """Whether these are rows or systems in Python, and no names of files."""
    first = given[0] if isinstance(given, list | tuple) and given else given
    # frames are known by their class, so that files need not load what reads them
    frame = any(hasattr(type(given), name) for name in ("columns", "__arrow_c_stream__"))
    return isinstance(first, Mapping) or (not isinstance(first, str | os.PathLike) and frame)


def _collect_objects(
    data: object,
    references: object,
    items: object,
    said: Mapping[str, object],
    exclude: Sequence[str] | str,
    measures: Sequence[str] | str,
    missing: str | None,
) -> Collection:
    """Data in Python that ``compare`` takes beside files, read as it does.

    Raises:
        UsageError: options that say how files are read.
    """
    given = [name for name, value in said.items() if value]
    if given:
        raise UsageError(
            f"{given[0]}= says how files are read, and no file was given; call the columns of a data frame by their "
            "roles, as with .rename(columns={'COLUMN': 'item'})"
        )
    gold = None if isinstance(references, tuple) and not references else references
    found = _collect_from(data, gold, items, missing=missing, measures=_list(measures))
    return found.without_systems(_list(exclude)) if exclude else found


def align_apart_from(data: object, *, references: object, items: object, missing: Missing) -> tuple[Dataset, ...]:
    """Read data as ``read_apart`` does, from anything that ``compare`` takes; systems may have items of their own."""
    if isinstance(data, tuple) and all(isinstance(part, Dataset) for part in data):
        return data
    if isinstance(data, Dataset | str | os.PathLike):
        return (align_from(data, references=references, items=items, missing=missing),)
    check_missing(missing)
    return _collect_from(data, references, items, missing=None).align_apart(missing)


def align_from(
    data: object, *, references: object, items: object, missing: Missing, labels: Sequence[str] | None = None
) -> Dataset:
    """The items of anything that ``compare`` takes, see there; ``labels`` names columns that hold such."""
    check_missing(PAIRWISE if isinstance(data, Collection) else missing)
    if isinstance(data, Dataset):
        if references is not None or items is not None:
            raise UsageError("references and items were given to read(); do not give them again")
        return data
    found = _collect_from(data, references, items, missing=missing, measures=labels or ())
    return found.align(missing, labels=labels is not None)


def pairwise_from(data: object, *, references: object, items: object) -> Collection:
    """Read data as ``read`` does with ``pairwise``, from anything that ``compare`` takes."""
    return _collect_from(data, references, items, missing=PAIRWISE)


def _collect_from(
    data: object, references: object, items: object, *, missing: str | None, measures: Sequence[str] = ()
) -> Collection:
    from outscore.data.references import collect_from

    return collect_from(data, references, items, missing=missing, measures=measures)


def design_of(data: Dataset, cluster: str | None, strata: str | None) -> Design:
    """The clusters and strata that columns of the data make.

    Args:
        cluster: column of items that are not independent; the column ``cluster`` unless said; ``none`` for none.
        strata: column of the strata that are resampled in fixed numbers; none unless said.

    Raises:
        UsageError: no such column, a cluster in several strata, or a stratum of one item or cluster.
        InputError: an item without a cluster.
    """
    clusters = label_column(data, cluster, "cluster", "--cluster")
    if clusters:
        files = {source.file for source in data.sources}
        check_clusters(*clusters, data.items, file=files.pop() if len(files) == 1 else None)
    parts = None if strata is None else label_column(data, strata, strata, "--strata")
    cluster, of_items = clusters or (None, None)
    stratum, strata_of_items = parts or (None, None)
    design = Design.named(len(data.items), of_items, strata_of_items, cluster=cluster, stratum=stratum)
    if parts:
        _check_strata(*parts, of_items)
    return design


def check_clusters(
    column: str, clusters: Sequence[str], items: Sequence[str], *, file: str | None = None, free: str = "--cluster none"
) -> None:
    """Refuses items without a cluster: together they would be one, whose items depend on each other.

    Args:
        column: the name of the column.
        clusters, items: the cluster and the id of each item.
        file: the file, where it is one.
        free: option that takes all items for independent.

    Raises:
        InputError: naming the items.
    """
    bare = [item for item, cluster in zip(items, clusters, strict=True) if not cluster.strip()]
    if bare:
        raise InputError(
            f"{len(bare)} of {inflect(len(items), 'item')} {'has' if len(bare) == 1 else 'have'} no {column!r}: "
            f"{join(bare, 3)}",
            file=file,
            remedy="fill the cells: an item that belongs to no other is a cluster of its own, under a name that no "
            f"other has, as its id; {free} takes all for independent",
        )


def _check_strata(column: str, strata: Sequence[str], clusters: Sequence[str] | None) -> None:
    """Refuses a stratum in which nothing can be resampled.

    Raises:
        UsageError: one of several strata holds one item, or one cluster.
    """
    held: dict[str, set[str | int]] = {}
    for i, stratum in enumerate(strata):
        held.setdefault(stratum, set()).add(i if clusters is None else clusters[i])
    single = next((stratum for stratum, units in held.items() if len(units) == 1), None)
    if single is not None and len(held) > 1:
        unit = "item" if clusters is None else "cluster"
        raise UsageError(
            f"--strata {column}: {single!r} holds one {unit}, which cannot be resampled; join small strata"
        )


def check_resamples(n_resamples: int | str) -> None:
    """Refuses a number of resamples that has no spread.

    Raises:
        UsageError: fewer than two, or ``auto`` where no p-value could say how many are enough.
    """
    if isinstance(n_resamples, str):
        raise UsageError(f"n_resamples={n_resamples!r}: expected a number, as there is no p-value to decide by")
    if n_resamples < 2:
        raise UsageError(f"n_resamples={n_resamples}: expected 2 or more")


def label_column(data: Dataset, wanted: str | None, default: str, option: str) -> tuple[str, tuple[str, ...]] | None:
    """The column of labels that an option names, or the one called ``default`` if there is one; ``none`` for none.

    Raises:
        UsageError: the named column is not there; those that are there are listed.
    """
    if wanted is not None and wanted.lower() == "none" and "none" not in data.labels:
        return None
    name: Any = wanted or (default if default in data.labels else None)
    if name is None:
        return None
    if name not in data.labels:
        raise no_column(option, name, data.labels)
    return name, data.labels[name]


def baseline_of(systems: Sequence[str], wanted: str | None) -> int:
    """The number of the system compared against: the one that is wanted, or the first.

    Raises:
        UsageError: no system has that name.
    """
    if wanted is None:
        return 0
    if wanted not in systems:
        raise UsageError(
            f"--baseline {wanted!r} is none of the systems{suggestion(wanted, systems)} "
            f"(there are: {join(systems, 12)})"
        )
    return systems.index(wanted)


def check_several(*parts: Dataset, lacks: str = "cannot be compared") -> None:
    """Refuses one system, and says what else in its file may have been meant for systems.

    Args:
        parts: the data, aligned apart where systems have items of their own.
        lacks: the thing that cannot be done with one.

    Raises:
        UsageError: there is one system.
    """
    if sum(len(part.systems) for part in parts) > 1:
        return
    (data,) = parts
    columns = list(next(iter(data.by_run.values())).columns)
    said = {note.code: f"; {note.text}" for note in data.notes}
    more = said.get("columns_describe", "")
    folders = {str(PurePath(source.file).parent) for source in data.sources if source.role == "system"}
    if "runs_made_otherwise" in said:
        more = f"{said['runs_made_otherwise']}: leave out its name"
    elif len(folders) > 1:
        more = f"; its files are in {join(sorted(folders), 3)}: give those of each system as NAME=PATTERN"
    if not more and len(columns) > 1:
        alike = measured_alike(columns)
        others = [f" -c label={quote(name)}" for name in columns if alike and name not in alike]
        ids = [name for name, cells in data.labels.items() if data.by_position and len({*cells}) == len(cells)]
        others += [f" -c item={quote(name)}" for name in ids[:1]]
        more = f"; its columns {join(columns, 3)} were taken for measures of it: -c system=@columns{''.join(others)} "
        more += f"if {join(alike, 3) if alike else 'they'} are systems"
    raise UsageError(f"one system ({data.systems[0]!r}) {lacks}: give at least two{more}")


def check_tasks(suite: Metric, data: Dataset, design: Design) -> None:
    """Refuses a suite whose tasks are the clusters: it takes its tasks as given, so that nothing would be drawn.

    Raises:
        UsageError: all items of a task are in one cluster.
    """
    task = getattr(suite, "task", "") or next((name for name in ("task", "domain") if name in data.labels), "")
    if design.labels is None or task not in data.labels:
        return
    of_task: dict[str, set[int]] = {}
    for name, cluster in zip(data.labels[task], design.labels.tolist(), strict=True):
        of_task.setdefault(name, set()).add(cluster)
    alone = next((name for name, clusters in of_task.items() if len(clusters) == 1), None)
    if alone is not None:
        raise UsageError(
            f"suite averages over these tasks, and all items of {task} {alone!r} are in one "
            f"{design.cluster or 'cluster'}, so that nothing else could come out: say --cluster none if the items are "
            f"drawn, -m mean --cluster {quote(task)} or outscore replicate --set {quote(task)} if the tasks are"
        )
