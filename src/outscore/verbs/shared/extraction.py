"""Statistics of many systems: equal outputs counted once, on the cores at hand, kept on disk when asked."""

from __future__ import annotations

import functools
import hashlib
import io
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from outscore.base import __version__
from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.files import write_whole
from outscore.base.installed import package_of
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.jobs import Progress
from outscore.metrics import Metric

_PORTION = 500  # distinct outputs that are counted between two signs of progress
_DIGEST = hashlib.sha256().digest_size
_WORTH = 1.5  # seconds of work still to do from which on it pays to start worker processes


@dataclass(frozen=True)
class Cache:
    """Statistics kept in a directory, found again by a digest of the metric and of all that it reads.

    Args:
        directory: made if it is not there; anybody may delete files in it.
    """

    directory: Path

    def __post_init__(self) -> None:
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"--cache {self.directory}: cannot be made a directory ({error.strerror})") from None

    def load(self, metric: Metric, run: Items) -> Float | None:
        """Load statistics ``(n, k)`` counted before; None if nothing was, or if the file is not as it was written."""
        path = self._file(metric, run)
        try:
            digest, kept = (whole := path.read_bytes())[:_DIGEST], whole[_DIGEST:]
            if digest != _digest(path, kept):
                return None
            found = np.load(io.BytesIO(kept), allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        sound = found.dtype == np.float64 and found.ndim == 2 and len(found) == run.n
        return found if sound and np.isfinite(found).all() else None

    def save(self, metric: Metric, run: Items, statistics: Float) -> None:
        """Keeps statistics for the next time."""
        buffer = io.BytesIO()
        np.save(buffer, statistics, allow_pickle=False)
        path, kept = self._file(metric, run), buffer.getvalue()
        write_whole(path, _digest(path, kept) + kept)

    def _file(self, metric: Metric, run: Items) -> Path:
        digest = hashlib.sha256()
        # the repr holds every option and all that the metric was prepared with
        for text in (__version__, repr(metric), metric.signature(run), *(_code_of(type(metric)) or ())):
            _add(digest.update, [text])
        for stream in (run.outputs or (), *run.references):
            _add(digest.update, stream)
        for name in sorted(run.columns):
            _add(digest.update, [name])
            digest.update(np.ascontiguousarray(run.columns[name], dtype=np.float64).tobytes())
        for name in sorted(run.labels):
            _add(digest.update, [name, *run.labels[name]])
        return self.directory / f"{metric.name}-{digest.hexdigest()[:40]}"


@functools.cache
def _code_of(metric: type[Metric]) -> tuple[str, ...] | None:
    """The code of a metric that is not of outscore: its package, and digests of the files of its classes.

    None where a class is of no file, as in a notebook: nothing shows whether it is still the same.
    """
    modules = {cls.__module__: None for cls in metric.__mro__}
    outside = [sys.modules[name] for name in modules if name.partition(".")[0] not in ("outscore", "builtins", "abc")]
    try:
        files = [Path(module.__file__ or "").read_bytes() for module in outside]
    except (AttributeError, OSError):
        return None
    package = package_of(metric.__module__) if outside else ""
    return package, *(hashlib.sha256(file).hexdigest() for file in files)


def _digest(path: Path, kept: bytes) -> bytes:
    """Of the statistics and of the name of their file, which is a digest of all that they were counted from."""
    return hashlib.sha256(path.name.encode() + kept).digest()


def extract(
    metric: Metric,
    runs: Sequence[Items],
    *,
    jobs: int = 1,
    cache: Cache | None = None,
    progress: Progress | None = None,
) -> list[Float]:
    """Statistics ``(n, k)`` of every run; the same whatever ``jobs`` and ``cache`` are.

    Args:
        metric: a prepared metric.
        runs: one run of one system each, all on the same items.
        jobs: processes that may work at once; they are started only when the work is long enough.
        cache: where to look first, and to leave what was counted; not asked where the metric's code is of no file.
        progress: called with (what, done, of).
    """
    counted = _Extraction(metric, jobs, progress)
    if cache is None or _code_of(type(metric)) is None:
        return counted.count_runs(runs)
    found = []
    for run in runs:
        statistics = cache.load(metric, run)
        if statistics is None:
            # one run after another, so that an interruption leaves those that are done in the cache
            (statistics,) = counted.count_runs([run])
            cache.save(metric, run, statistics)
        found.append(statistics)
    return found


class _Extraction:
    """Statistics counted so far by one metric: an output that an item has had before is not counted again."""

    def __init__(self, metric: Metric, jobs: int, progress: Progress | None) -> None:
        self.metric, self.jobs, self.progress = metric, jobs, progress
        self._number: dict[tuple[int, str], int] = {}
        self._blocks: list[Float] = []

    def count_runs(self, runs: Sequence[Items]) -> list[Float]:
        """Statistics of some runs, counted at once."""
        if any(run.outputs is None or run.columns for run in runs):
            return list(_map(self.metric, runs, self.jobs, self.progress))
        number, before = self._number, len(self._number)
        # item by item, so that a portion shares its references
        outputs = enumerate(zip(*(run.outputs or () for run in runs), strict=True))
        places = np.array([[number.setdefault((i, o), len(number)) for o in same] for i, same in outputs]).T
        fresh = list(number)[before:]
        portions = [_portion(runs[0], fresh[start : start + _PORTION]) for start in range(0, len(fresh), _PORTION)]
        self._blocks += _map(self.metric, portions, self.jobs, self.progress)
        statistics = np.concatenate(self._blocks)
        return [statistics[place] for place in places]


def _portion(run: Items, part: Sequence[tuple[int, str]]) -> Items:
    where = [i for i, _ in part]
    return Items(
        n=len(part),
        outputs=[output for _, output in part],
        references=tuple([stream[i] for i in where] for stream in run.references),
        labels={name: [values[i] for i in where] for name, values in run.labels.items()},
    )


def _map(metric: Metric, pieces: Sequence[Items], jobs: int, progress: Progress | None) -> Iterator[Float]:
    """Statistics of each piece, in order."""
    total, done = sum(piece.n for piece in pieces), 0

    def report() -> None:
        if progress is not None:
            progress(metric.title, done, total)

    report()
    for piece, statistics in zip(pieces, _each(metric, pieces, jobs), strict=True):
        yield statistics
        done += piece.n
        report()


def _each(metric: Metric, pieces: Sequence[Items], jobs: int) -> Iterator[Float]:
    start = time.perf_counter()
    for i, piece in enumerate(pieces):
        # whether processes pay is known after the first piece
        if i == 1 and jobs > 1 and not metric.in_process and (time.perf_counter() - start) * (len(pieces) - 1) > _WORTH:
            break
        yield metric.statistics(piece)
    else:
        return
    from joblib import Parallel, delayed

    rest = pieces[1:]
    workers = Parallel(n_jobs=min(jobs, len(rest)), return_as="generator", batch_size=1)
    yield from workers(delayed(metric.statistics)(piece) for piece in rest)


def _add(update: Callable[[bytes], None], texts: Sequence[str]) -> None:
    """Adds texts to a digest so that no other texts give the same bytes."""
    update(f"{len(texts)}:".encode())
    for text in texts:
        raw = text.encode()
        update(f"{len(raw)}:".encode())
        update(raw)
