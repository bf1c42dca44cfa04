"""What the sections of the page are made with: studies run in one way, and pictures put beside the page."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import outscore
from outscore import Findings


@dataclass(frozen=True)
class Section:
    """One section of the page.

    Attributes:
        title: its heading.
        text: paragraphs in Markdown: what the source did, what is done here on which data, what came out.
        results: studies whose findings and printed tables stand below the text, each with a heading of its own, which
            may be empty.
        pictures: of a study, by the name of the figure, with the name of the file.
    """

    title: str
    text: str
    results: Sequence[tuple[str, Findings]] = ()
    pictures: Sequence[tuple[Findings, str, str]] = ()


Part = Callable[["Maker"], Iterator[Section]]


@dataclass(frozen=True)
class Maker:
    """How studies are run for the page.

    Attributes:
        data: the folder of the data sets.
        jobs, dask, resume: as in ``outscore.study``; they change no result.
    """

    data: Path
    jobs: int = 2
    dask: str | None = None
    resume: Path | None = None

    def study(self, name: str, data: Any = None, **options: Any) -> Findings:
        """Runs a study; what it takes is said on stderr."""
        start = time.perf_counter()
        found = outscore.study(name, data, jobs=self.jobs, dask=self.dask, resume=self.resume, progress=None, **options)
        print(f"{name}: {found.n_cells} cells, {time.perf_counter() - start:.0f} s", file=sys.stderr)
        return found
