"""``follow``: two systems compared while their scores are being written, line by line."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from hashlib import sha256

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.installed import versions_of
from outscore.base.lazy import dataclass
from outscore.base.notes import INTERRUPTED, Note
from outscore.base.rng import DEFAULT_SEED
from outscore.results.result import Provenance, Score, SourceFile
from outscore.results.sequences import InterimAnalysis, Sequence, Sequences
from outscore.significance.sequential.mixture import Bounds, Method, read_bounds
from outscore.verbs.declared import check_whole
from outscore.verbs.sequential.live import Sequential, check_every, marks_from, sequence_notes

_INTERRUPTED = Note(code=INTERRUPTED.code, text="the stream was interrupted: the result holds the items that had come")


def follow(
    lines: Iterable[str],
    *,
    file: str = "-",
    alpha: float = 0.05,
    margin: float | None = None,
    bounds: Bounds = (0.0, 1.0),
    method: Method = "auto",
    population: int | None = None,
    every: int | None = None,
    stop: bool = False,
    tell: Callable[[InterimAnalysis], None] | None = None,
) -> Sequences:
    """Compares two systems while their scores are being written, one pair of scores a line.

    Args:
        lines: ``baseline TAB system``, or JSON objects with the score of the baseline first; a first line of two names
            is a header. ``file`` is what messages call them.
        alpha, margin, bounds, method, population: as in ``Sequential``.
        every: items between interim analyses; at 10, 20, 50, 100 ... unless said.
        stop: read no further after a final decision.
        tell: called with each interim analysis.

    Returns:
        What is known at the end.

    Raises:
        UsageError: an option is wrong.
        InputError: a line is wrong, or there is none.
        Interrupted: Ctrl-C; its ``result`` is of what had been done.
    """
    check_every(every)
    bounds = read_bounds(bounds)
    running = Sequential(alpha, margin, bounds, method, population)
    stream = ScoreStream(lines, file)
    analyses, sums, found = _watch(stream, running, file, marks_from(every), stop, tell or (lambda analysis: None))
    last = running.state
    if last.gain is None:
        raise InputError("there are no scores", file=file, remedy="write a line for each item")
    found += sequence_notes(running.sequence.name, population, analyses)
    base, name = stream.names
    result = Sequences(
        seed=DEFAULT_SEED,
        alpha=alpha,
        baseline=base,
        margin=margin,
        order="stream",
        correction="none",
        scores=tuple(_score(s, total, last.n) for s, total in zip(stream.names, sums.tolist(), strict=True)),
        sequences=(
            Sequence(
                system=name,
                baseline=base,
                metric="score",
                method=running.sequence.name,
                kind=running.sequence.kind,
                null=running.sequence.null,
                alpha=alpha,
                bounds=bounds,
                population=population,
                n_items=last.n,
                n_units=last.n,
                analyses=tuple(analyses),
                decision=running.decision,
                decided_at=running.decided_at,
            ),
        ),
        notes=tuple(found),
        provenance=Provenance(
            libraries=versions_of("numpy"),
            test=running.sequence.name,
            inputs=(SourceFile(file=file, role="scores", reader="stream", sha256=stream.sha256, n_items=last.n),),
            n_items_read=last.n,
            citations=(running.sequence.citation,),
        ),
    )
    return check_whole(result)


def _watch(
    stream: ScoreStream,
    running: Sequential,
    file: str,
    due: Callable[[int, int], bool],
    stop: bool,
    tell: Callable[[InterimAnalysis], None],
) -> tuple[list[InterimAnalysis], Float, list[Note]]:
    """The interim analyses up to the end, an interruption, or a final decision to stop at; with the sums of scores."""
    analyses, sums, found = [], np.zeros(2), []
    try:
        for pair in stream:
            n, was_open = running.state.n, running.decided_at is None
            try:
                state = running.update(pair[1], pair[0])
            except InputError as error:
                raise InputError(str(error), file=file, line=stream.n_lines) from None
            sums += pair
            ends = was_open and running.decided_at is not None
            if ends or due(n, state.n):
                analyses.append(state)
                tell(state)
            if ends and stop:
                break
    except KeyboardInterrupt:
        found.append(_INTERRUPTED)
    if running.state not in analyses:
        analyses.append(running.state)
    return analyses, sums, found


def _score(system: str, total: float, n: int) -> Score:
    """A mean without an interval: a fixed-n interval would not hold after a stop."""
    mean = total / n
    return Score(
        system=system,
        metric="score",
        signature="score",
        unit="units of the score",
        higher_is_better=True,
        score=mean,
        ci=None,
        ci_method="",
        runs=("1",),
        run_scores=(mean,),
        s_sel=None,
        s_test=None,
        run_min=mean,
        run_max=mean,
        median_run="1",
        n_items=n,
    )


_EXPECTED = "the score of the baseline, a tab and the score of the system, or a JSON object of two scores"


@dataclass
class ScoreStream:
    """Reads ``baseline TAB system``, or JSON objects with two keys, the baseline's first.

    A first line of two names, or the keys, name the systems.

    Attributes:
        lines: where the lines come from; ``file``: what messages call it.
        names: of the baseline and of the system, known after the first pair.
        n_lines: lines read.
    """

    lines: Iterable[str]
    file: str = "-"
    names: tuple[str, str] = ("baseline", "system")
    n_lines: int = 0
    _digest: object = field(default_factory=sha256)

    def __iter__(self) -> Iterator[tuple[float, float]]:
        """Scores ``(baseline, system)``.

        Raises:
            InputError: a line holds something else; the message names it.
        """
        for line in self.lines:
            self.n_lines += 1
            self._digest.update(line.encode("utf-8", errors="surrogateescape"))  # type: ignore[attr-defined]
            pair = self._pair(line)
            if pair is not None:
                yield pair

    @property
    def sha256(self) -> str:
        """Digest of what was read so far."""
        return str(self._digest.hexdigest())  # type: ignore[attr-defined]

    def _pair(self, line: str) -> tuple[float, float] | None:
        if line.lstrip().startswith("{"):
            return self._parse_object(line)
        fields = line.strip("\r\n").split("\t")
        if len(fields) != 2:
            raise self._wrong(line)
        if self.n_lines == 1 and not any(_is_number(field) for field in fields) and all(f.strip() for f in fields):
            self.names = (fields[0].strip(), fields[1].strip())
            return None
        return self._score(fields[0], line), self._score(fields[1], line)

    def _parse_object(self, line: str) -> tuple[float, float]:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            raise self._wrong(line) from None
        if len(found) != 2:
            raise self._wrong(line)
        if self.n_lines == 1:
            first, second = found
            self.names = (first, second)
        if set(found) != set(self.names):
            raise InputError(
                f"keys {', '.join(map(repr, found))}, expected {' and '.join(map(repr, self.names))}",
                file=self.file,
                line=self.n_lines,
                remedy="write the same two keys on every line",
            )
        baseline, system = (self._score(found[name], line) for name in self.names)
        return baseline, system

    def _score(self, value: object, line: str) -> float:
        if isinstance(value, bool) or not _is_number(value):
            raise self._wrong(line)
        return float(value)  # type: ignore[arg-type]

    def _wrong(self, line: str) -> InputError:
        text = line.strip("\r\n")
        found = repr(text[:60]) if text.strip() else "a blank line"
        return InputError(
            f"found {found}, expected {_EXPECTED}",
            file=self.file,
            line=self.n_lines,
            remedy="an item without a score is one that both systems skip, or that scores 0",
        )


def _is_number(value: object) -> bool:
    if isinstance(value, str) and "_" in value:
        return False  # Python takes 1_0 for ten
    try:
        return math.isfinite(float(value))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
