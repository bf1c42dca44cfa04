"""Digests of content, by which two test sets, two outputs or two comparisons are the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import PurePath

import numpy as np

from outscore.base.arrays import Float
from outscore.base.items import Items
from outscore.data.dataset import Dataset
from outscore.results.history import KnownSet, RecordedComparison


def set_of(data: Dataset, name: str | None = None) -> KnownSet:
    """The test set that systems were aligned on.

    Its digest is of item ids and references, whatever the order of items and of streams; of the name, where one is
    given. The outputs have no part in it, nor have labels, which may be added later.

    Args:
        data: the aligned items.
        name: of the test set, by the user.
    """
    n = len(data.items)
    if name is not None:
        return KnownSet(digest=_digest(["name", name]), name=name, known_by="name", n_items=n)
    references = data.references
    ids = [] if data.by_position else [data.items]
    files = (source.file for source in data.sources if source.role in ("reference", "references"))
    known_by = " and ".join([*(["items"] if ids else []), *(["references"] if references else [])])
    items = sorted(_digest([*(i[k] for i in ids), "\0", *sorted(r[k] for r in references)]) for k in range(n))
    return KnownSet(
        digest=_digest(["items", *items]),
        name=PurePath(next(files, "")).name,
        known_by=known_by or "number of items",
        n_items=n,
    )


def outputs_digest(runs: Iterable[Items], data: Dataset, columns: Sequence[str], texts: bool) -> str:
    """A digest of what a metric reads of a system, whatever the order of items and runs.

    Args:
        runs: the runs of the system.
        data: what they were aligned to.
        columns: the numbers that are read, if any.
        texts: whether the outputs are read.
    """
    return _digest(sorted(_run_digest(run, data, columns, texts) for run in runs))


def key_of(one: RecordedComparison) -> str:
    """Digest that tells a use of a test set from every other: the same key is the same use, and no new one.

    Names of systems have no part in it, nor have versions, and of what belongs to the resampling only what the p-value
    depends on: the seed where anything is drawn, but not how often, as more resamples only sharpen the same use. Two
    systems may change places where the test has two sides.
    """
    systems = [one.system_digest, one.baseline_digest]
    if one.alternative == "two-sided":
        systems.sort()
    drawn = [] if one.n_resamples is None else [one.engine, str(one.seed)]
    design = [one.cluster or "", one.strata or ""]
    return _digest([one.test_set, one.family, *systems, one.metric, one.test, one.alternative, *design, *drawn])


def _run_digest(run: Items, data: Dataset, columns: Sequence[str], texts: bool) -> str:
    read: list[Sequence[str]] = [] if data.by_position else [data.items]
    read += [run.outputs] if texts and run.outputs is not None else []
    read += [_format_all(run.columns[name]) for name in columns]
    # lines without ids are known by their references; without those, by their place alone
    placed = data.by_position and not run.references
    items = [
        _digest([str(k) if placed else "", *sorted(r[k] for r in run.references), "\0", *(part[k] for part in read)])
        for k in range(run.n)
    ]
    return _digest([*columns, "\0", *sorted(items)])


def _format_all(values: Float) -> list[str]:
    return [repr(float(value)) for value in np.asarray(values, dtype=np.float64)]


def _digest(parts: Iterable[str]) -> str:
    """SHA-256 of texts, each with its length before it, so that no two lists of texts run into one."""
    found = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", errors="surrogatepass")
        found.update(f"{len(raw)}:".encode())
        found.update(raw)
    return found.hexdigest()
