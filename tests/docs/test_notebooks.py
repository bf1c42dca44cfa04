"""The notebooks of the manual run from the example files, and print and draw what they were kept with."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.docs import manual

NOTEBOOKS = sorted((manual.DOCS / "notebooks").glob("*.ipynb"))
_ADDRESS = re.compile(r"0x[0-9a-f]+")


def shown(cell: Any) -> list[str]:
    """What a cell prints, and the words and numbers of what it draws."""
    said: list[str] = []
    # the kernel sends what a cell prints in as many parts as its clock wants
    outputs = cell.get("outputs", ())
    said += "".join(output["text"] for output in outputs if output["output_type"] == "stream").splitlines()
    for output in outputs:
        data = output.get("data", {})
        if "image/svg+xml" in data:
            said += [text for text in ElementTree.fromstring(data["image/svg+xml"]).itertext() if text.strip()]
        else:
            said += _ADDRESS.sub("0x", data.get("text/plain", "")).splitlines()
    return said


def test_there_are_notebooks() -> None:
    assert [notebook.stem for notebook in NOTEBOOKS] == [
        "a-figure-of-a-source",
        "first-comparison",
        "judge-and-labels",
        "leaderboard",
        "planning",
        "several-seeds",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_the_notebook_shows_what_it_was_kept_with(
    notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import nbformat
    from nbclient import NotebookClient

    place = tmp_path / "examples"
    shutil.copytree(manual.ROOT / "examples", place, ignore=shutil.ignore_patterns("__pycache__"))
    for name, value in manual.environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    kept = nbformat.read(notebook, as_version=4)  # type: ignore[no-untyped-call]
    fresh = nbformat.read(notebook, as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(fresh, timeout=300, resources={"metadata": {"path": str(place)}}).execute()
    if manual.UPDATE:
        _write(fresh, notebook)
        return
    for old, new in zip(kept.cells, fresh.cells, strict=True):
        assert shown(new) == shown(old), f"{old.source}\n(OUTSCORE_DOCS_UPDATE=1 keeps what is shown now)"
    assert any("image/svg+xml" in output.get("data", {}) for cell in kept.cells for output in cell.get("outputs", ()))


def _write(fresh: Any, notebook: Path) -> None:
    """Keeps the notebook with what it shows now, and without when and where it was run."""
    import nbformat

    for cell in fresh.cells:
        cell.metadata.clear()
    fresh.metadata["language_info"] = {"name": "python"}
    nbformat.write(fresh, notebook)  # type: ignore[no-untyped-call]
