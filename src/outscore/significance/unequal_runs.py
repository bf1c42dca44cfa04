"""Notes on runs in different numbers, and on variances of runs that are pooled."""

from __future__ import annotations

from collections.abc import Sequence

from outscore.base.notes import Note

_UNEQUAL_RUNS = {2: (".04", ".05", ".09"), 3: (".05", ".05", ".07"), 4: (".04", ".05", ".06")}
"""Largest levels of a nominal .05 by the smaller number of runs, up to 20 on the other side: where the runs of that
system vary half as much as those of the other, alike, and twice as much."""
POOLED_RUNS = Note(
    code="pooled_runs",
    text=(
        "one variance of runs is taken for both systems: where runs of the system with fewer runs vary twice as much, "
        "a 5 % test rejects in 26 % of cases for 2 runs against 20, 9 % for 2 against 2"
    ),
    remedy="use --test crossed, which takes the variances apart",
)


def of_unequal_runs(runs: Sequence[int], *, pooled: bool = False) -> tuple[Note, ...]:
    """The notes on the level where the systems have different numbers of runs, few of one of them."""
    if pooled:
        return (POOLED_RUNS,)
    if len(set(runs)) == 1 or min(runs) not in _UNEQUAL_RUNS:
        return ()
    half, alike, twice = _UNEQUAL_RUNS[min(runs)]
    text = (
        f"different numbers of runs: the level of a 5 % test is at most {alike} where runs of both systems vary alike, "
        f"{half} where those of the system with fewer runs vary half as much, {twice} twice as much"
    )
    return (Note(code="unequal_runs", text=text, remedy="give as many runs of each system, or five of each at least"),)
