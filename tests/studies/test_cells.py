"""Cells in a folder: each belongs to one study, seed and material, and what was changed is done again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import outscore
from outscore.base.errors import Interrupted, MissingExtra, OutscoreError, UsageError
from outscore.jobs.workers import Workers, WorkersLostError
from outscore.studies import Found, Spec, Study, Summary, option
from outscore.studies.shared.material import Material
from tests.studies.sleepy import Sleepy

CELLS = Sleepy().cells


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "log"
    path.write_text("", encoding="utf-8")
    monkeypatch.setenv("SLEEPY_LOG", str(path))
    monkeypatch.setenv("SLEEPY_SECONDS", "0")
    return path


def n_done(log: Path) -> int:
    """Cells done since it was asked for the last time."""
    found = len(log.read_text(encoding="utf-8").splitlines())
    log.write_text("", encoding="utf-8")
    return found


def run(study: Study | None = None, **options: Any) -> outscore.Findings:
    return outscore.study(study or Sleepy(), jobs=1, **options)


def test_kept_cells_are_not_done_again_and_come_to_the_same(log: Path, tmp_path: Path) -> None:
    first = run(resume=tmp_path / "cells")
    assert n_done(log) == CELLS
    assert run(resume=tmp_path / "cells").to_json() == first.to_json() == run().to_json()
    assert n_done(log) == CELLS, "only the run without a folder did cells"


@pytest.mark.parametrize(
    ("study", "options"),
    [
        (Sleepy(), {"seed": 3}),
        (Sleepy(), {"n_resamples": 20}),
        (Sleepy(), {"alpha": 0.1}),
        (Sleepy(), {"alternative": "greater"}),
        (Sleepy(), {"engine": "iid"}),
        (Sleepy(wrong=100), {}),
    ],
    ids=str,
)
def test_cells_made_otherwise_are_not_taken(study: Study, options: dict[str, Any], log: Path, tmp_path: Path) -> None:
    run(resume=tmp_path / "cells")
    n_done(log)
    run(study, resume=tmp_path / "cells", **options)
    assert n_done(log) == CELLS
    run(study, resume=tmp_path / "cells", **options)
    assert n_done(log) == 0


def test_a_cell_draws_the_same_whatever_cells_there_are_beside_it() -> None:
    few, many = run(Sleepy(cells=3)).table("means").rows, run(Sleepy(cells=12)).table("means").rows
    assert many[:3] == few
    assert len({mean for _, mean in many}) == 12
    assert run(Sleepy(cells=3), seed=1).table("means").rows != few


WHOLE = '{"work": "sleepy", "spec": {"number": 0}, "found": {"drawn": [1.0, 2.0, 3.0]}}\n'


@pytest.mark.parametrize(
    "text",
    [
        "",
        WHOLE[:30],
        "[]",
        "{}",
        "null",
        "\x00",
        WHOLE.replace("sleepy", "other"),
        WHOLE.replace('"number": 0', '"number": 1'),
        WHOLE.replace('{"drawn": [1.0, 2.0, 3.0]}', "[1]"),
        WHOLE.replace('"found"', '"lost"'),
    ],
)
def test_a_changed_cell_is_done_again_and_said(text: str, log: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cells"
    first = run(resume=folder)
    (changed,) = (
        path for path in folder.iterdir() if json.loads(path.read_text(encoding="utf-8"))["spec"] == {"number": 0}
    )
    whole = changed.read_bytes()
    n_done(log)
    changed.write_text(text, encoding="utf-8")
    again = run(resume=folder)
    (note,) = (note for note in again.notes if note.code == "cells_redone")
    assert changed.name in note.text and note.text.startswith("1 kept cell in ")
    assert n_done(log) == 1 and changed.read_bytes() == whole
    assert replace(again, notes=first.notes).to_json() == first.to_json() == run(resume=folder).to_json()


def test_cells_of_other_data_under_a_name_are_not_believed(log: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cells"
    run(resume=folder)
    one, other, *_ = sorted(folder.iterdir())
    one.write_bytes(other.read_bytes())
    n_done(log)
    assert [note.code for note in run(resume=folder).notes] == ["cells_redone"] and n_done(log) == 1


def test_a_cell_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    run(resume=tmp_path / "cells")
    assert all(path.name.startswith("sleepy-") and path.suffix == ".json" for path in (tmp_path / "cells").iterdir())
    assert len(list((tmp_path / "cells").iterdir())) == CELLS


@dataclass(frozen=True)
class Stopped(Sleepy):
    """Ctrl-C comes in a cell, or in the summary."""

    at: int = option(-1, "The cell.")

    def cell(self, material: Material, spec: Spec, seed: int) -> Found:
        if spec["number"] == self.at:
            raise KeyboardInterrupt
        return super().cell(material, spec, seed)

    def summary(self, material: Material, cells: Sequence[tuple[Spec, Found]]) -> Summary:
        raise KeyboardInterrupt


def test_an_interruption_keeps_the_cells_and_says_where(log: Path, tmp_path: Path) -> None:
    checkpoint = tmp_path / "some cells"
    with pytest.raises(Interrupted) as stop:
        run(Stopped(at=5), checkpoint=checkpoint)
    assert str(stop.value) == f"interrupted with 5 of 8 cells done; go on with --resume '{checkpoint}'"
    n_done(log)
    with pytest.raises(Interrupted, match="interrupted with 8 of 8 cells done"):
        run(Stopped(at=-1), resume=checkpoint)
    with pytest.raises(Interrupted, match=r"interrupted with 5 of 8 cells done$"):
        run(Stopped(at=5))
    with pytest.raises(Interrupted, match=r"interrupted with 0 of 8 cells done$"):
        run(Stopped(at=0), checkpoint=tmp_path / "none")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("kind", [MissingExtra, WorkersLostError])
def test_workers_that_fail_midway_leave_the_cells_that_were_done(
    kind: type[OutscoreError], log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = Workers.results

    def fail(self: Workers, task: Any, parts: Any) -> Iterator[Any]:
        yield from islice(results(self, task, parts), 3)
        raise kind("the workers of the Dask cluster cannot import outscore: install it there")

    checkpoint = tmp_path / "some"
    with monkeypatch.context() as broken, pytest.raises(kind) as stop:
        broken.setattr(Workers, "results", fail)
        run(checkpoint=checkpoint)
    assert str(stop.value).endswith(f"install it there; 3 of 8 cells done; go on with --resume {checkpoint}")
    n_done(log)
    run(resume=checkpoint)
    assert n_done(log) == 5


def test_an_interruption_that_can_keep_nothing_is_still_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(Interrupted, match=r"interrupted with 5 of 8 cells done, which could not be kept: .*file/x"):
        run(Stopped(at=5), checkpoint=tmp_path / "file" / "x")


@dataclass(frozen=True)
class Twice(Sleepy):
    """A cell stands in the grid twice."""

    def grid(self, material: Material) -> list[Spec]:
        return [{"number": 1, "of": "a"}, {"of": "a", "number": 1}]


def test_a_study_whose_cells_cannot_be_told_apart_is_a_fault() -> None:
    with pytest.raises(ValueError, match=r"'sleepy' has the cell .* twice in its grid"):
        run(Twice())


@dataclass(frozen=True)
class Undefined(Sleepy):
    """A cell that finds NaN, which JSON does not know."""

    def cell(self, material: Material, spec: Spec, seed: int) -> Found:
        return {"drawn": [float("nan")]}


def test_a_cell_says_none_for_what_is_undefined() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        run(Undefined())


def test_what_cannot_be_asked_for_is_said() -> None:
    with pytest.raises(UsageError, match="study 'sleepy' has no option 'sells'"):
        outscore.study("sleepy", sells=3)
    with pytest.raises(UsageError, match="takes no data: leave out the files"):
        outscore.study("sleepy", {"a": [1.0], "b": [2.0]})
    with pytest.raises(UsageError, match="takes no data: leave out the files"):
        outscore.study("sleepy", "a.csv")
    with pytest.raises(UsageError, match="unknown study 'slepy'; did you mean 'sleepy'"):
        outscore.study("slepy")
    assert outscore.study("sleepy:cells=3").n_cells == outscore.study("sleepy", cells=3).n_cells == 3
    assert outscore.study("sleepy:cells=3").study == "sleepy:cells=3"


def test_progress_counts_what_was_kept_and_what_is_done(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    run(resume=tmp_path / "cells", progress=lambda *said: told.append(said))
    assert told == [("sleepy", done, 8) for done in range(9)]
    told.clear()
    run(resume=tmp_path / "cells", progress=lambda *said: told.append(said))
    assert told == [("sleepy", 8, 8)]
