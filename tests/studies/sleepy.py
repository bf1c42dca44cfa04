"""A study for tests: its cells sleep, keep a log, and kill their worker or fail where they are told to.

What makes a run other than the next goes through the environment, so that all runs have one name and one result:
``SLEEPY_LOG`` is a file that gets a line for each cell that is begun; ``SLEEPY_DEADLY`` the numbers of cells that kill
their worker, with commas, and ``SLEEPY_TOMBS`` a folder in which each of them leaves a file, so that it does so once
(every time where there is no such folder); ``SLEEPY_SECONDS`` is how long a cell takes.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from outscore.base.errors import UsageError
from outscore.results.study import Axis, DataTable, Field, Figure, Finding, Layer
from outscore.studies import Found, Spec, Study, Summary, option, study
from outscore.studies.shared.material import Material


@study("sleepy")
@dataclass(frozen=True)
class Sleepy(Study):
    """Do cells come to the same whoever does them?

    Source: Nobody 2026.
    """

    question = "Do cells come to the same whoever does them?"
    takes = "nothing"
    citation = "Nobody 2026"
    example = "outscore study sleepy --cells 3"

    cells: int = option(8, "Number of cells.")
    wrong: int | None = option(None, "The cell that cannot be done.")

    def grid(self, material: Material) -> list[Spec]:
        """Cells by number."""
        return [{"number": number} for number in range(self.cells)]

    def cell(self, material: Material, spec: Spec, seed: int) -> Found:
        """Three random numbers."""
        number = spec["number"]
        _log(f"{number} {os.getpid()}")
        time.sleep(float(os.environ.get("SLEEPY_SECONDS", "0.01")))
        if str(number) in os.environ.get("SLEEPY_DEADLY", "").split(","):
            _die(number)
        if number == self.wrong:
            raise UsageError("this cell cannot be done:\nmind the gap")
        return {"drawn": np.random.default_rng(seed).normal(size=3).tolist()}

    def summary(self, material: Material, cells: Sequence[tuple[Spec, Found]]) -> Summary:
        """The numbers as a table and a picture."""
        rows = tuple((spec["number"], float(np.mean(found["drawn"]))) for spec, found in cells)
        return Summary(
            design=f"{len(rows)} cells.",
            tables=(
                DataTable(
                    name="means",
                    title="Means",
                    fields=(Field(name="cell", title="Cell", kind="count"), Field(name="mean", title="Mean")),
                    rows=rows,
                ),
            ),
            figures=(
                Figure(
                    name="means",
                    title="Means of normal numbers lie around 0",
                    subtitle="one point a cell",
                    x=Axis(title="Cell"),
                    y=Axis(title="Mean"),
                    layers=(Layer(mark="point", table="means", x="cell", y="mean"),),
                ),
            ),
            findings=(Finding(what="Mean of all", value=float(np.mean([mean for _, mean in rows])), expected=0),),
        )


def _die(number: int) -> None:
    tomb = Path(os.environ["SLEEPY_TOMBS"], str(number)) if "SLEEPY_TOMBS" in os.environ else None
    if tomb is None or not tomb.exists():
        if tomb is not None:
            tomb.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def _log(line: str) -> None:
    path = os.environ.get("SLEEPY_LOG")
    if path:
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(handle, f"{line}\n".encode())
        os.close(handle)
