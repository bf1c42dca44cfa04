"""``follow``: two systems compared while their scores are being written."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.installed import versions_of
from outscore.base.notes import INTERRUPTED, Note
from outscore.base.rng import DEFAULT_SEED
from outscore.data.stream import ScoreStream
from outscore.results.result import Provenance, Score, SourceFile
from outscore.results.sequences import InterimAnalysis, Sequence, Sequences
from outscore.significance.sequential.start import Bounds, Method, read_bounds
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
