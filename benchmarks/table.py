"""The figures of the rows as a table: for the terminal, as Markdown, and plain for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from measure import Cost
from rows import Row


@dataclass(frozen=True)
class Figure:
    """What was measured for a row.

    Attributes:
        ours, theirs: medians; None where the side failed or is absent.
        ratio: time of theirs divided by ours, the median over pairs of runs.
        runs: how often theirs was run.
        labels: what is to be known of the figure: a peer that was absent or run once; a failure.
    """

    row: Row
    ours: Cost | None = None
    theirs: Cost | None = None
    ratio: float | None = None
    runs: int = 0
    labels: tuple[str, ...] = ()

    @property
    def reached(self) -> bool | None:
        """Whether time and memory are as wanted; None where that cannot be said."""
        if self.ratio is None or self.ours is None:
            return None
        within = self.row.at_most_mib is None or (self.ours.peak_mib or 0.0) <= self.row.at_most_mib
        return within and (self.row.faster is None or self.ratio >= self.row.faster)

    @property
    def plain(self) -> dict[str, Any]:
        """For JSON."""
        row = self.row
        return {
            "key": row.key,
            "work": row.work,
            "in_process": row.in_process,
            "peer": row.peer.name,
            "ours": self.ours and asdict(self.ours),
            "theirs": self.theirs and asdict(self.theirs),
            "runs_of_theirs": self.runs,
            "ratio": self.ratio,
            "to_reach": {"times_faster": row.faster, "at_most_mib": row.at_most_mib},
            "reached": self.reached,
            "other_algorithm": row.algorithm or None,
            "labels": list(self.labels),
        }

    @property
    def cells(self) -> tuple[str, ...]:
        row = self.row
        work = row.work + (" (in process)" if row.in_process else "")
        remarks = "; ".join([*([row.algorithm] if row.algorithm else []), *self.labels])
        reached = {True: "yes", False: "no", None: "-"}[self.reached]
        reached += ", by the recorded figure" if self.theirs is not None and not self.runs else ""
        ratio = "-" if self.ratio is None else times(self.ratio)
        return work, row.peer.name, cost(self.theirs), cost(self.ours), ratio, goal(row), reached, remarks


HEADER = ("work", "peer", "theirs", "ours", "times faster", "to reach", "reached", "other algorithm; remarks")


def cost(measured: Cost | None) -> str:
    if measured is None:
        return "-"
    memory = "" if measured.peak_mib is None else f", {measured.peak_mib:,.0f} MiB"
    return seconds(measured.wall_s) + memory


def goal(row: Row) -> str:
    parts = [] if row.faster is None else [times(row.faster)]
    return ", ".join([*parts, *([] if row.at_most_mib is None else [f"at most {row.at_most_mib:.0f} MiB"])]) or "-"


def times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 20 else f"{ratio:.1f}"


def seconds(value: float) -> str:
    """Three digits and a unit."""
    scaled, unit = (value, "s") if value >= 1 else (value * 1e3, "ms") if value >= 1e-3 else (value * 1e6, "µs")
    return f"{scaled:.0f} {unit}" if scaled >= 100 else f"{scaled:.3g} {unit}"


def terminal(header: Sequence[str], rows: Sequence[Sequence[str]], last: bool = True) -> str:
    """Columns side by side; where ``last``, the last one stands on a line of its own below each row."""
    side = len(header) - 1 if last else len(header)
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(side)]
    lines = []
    for row in (header, *rows):
        lines.append("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip())
        if last and row[-1]:
            lines.append(f"    {row[-1]}")
    return "\n".join(lines)


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown."""
    rule = "|".join("---" for _ in header)
    body = [" | ".join(cell.replace("|", "\\|") for cell in row) for row in (header, *rows)]
    return "\n".join([f"| {body[0]} |", f"|{rule}|", *(f"| {line} |" for line in body[1:])])
