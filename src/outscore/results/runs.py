"""The table of the spread over runs, and the names of single runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from outscore.results.declared import Shown, Writer
from outscore.results.result import Score


class OfRun(Protocol):
    """A record of one run of one system."""

    @property
    def system(self) -> str:
        """The name of the system."""

    @property
    def run(self) -> str:
        """The name of the run."""


def name_of_run(one: OfRun, among: Sequence[OfRun]) -> str:
    """The system, with the run where it has several of them."""
    several = sum(other.system == one.system for other in among) > 1
    return f"{one.system}, run {one.run}" if several else one.system


def table_of_runs(scores: Sequence[Score], w: Writer) -> Any:
    """Test-set selection, deviation between runs, range, median run (Clark et al. 2011)."""
    spread = Shown("min to max", value=lambda s: f"{w.score(s.run_min, s.metric)} to {w.score(s.run_max, s.metric)}")
    columns = ("system", "n_runs", "s_sel", "s_test", spread, "median_run")
    about = "s_sel: deviation by the choice of test items; s_test: deviation between runs."
    return w.table("Runs", scores, columns, footnotes=(about,))
