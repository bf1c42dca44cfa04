"""Versions and entry points by folders are those that importlib.metadata knows."""

from __future__ import annotations

from importlib.metadata import distribution, distributions, entry_points
from pathlib import Path

import pytest

from outscore.base.installed import entry_points_of, versions_of


def test_versions_are_those_of_the_metadata() -> None:
    names = {found.metadata["Name"] for found in distributions()}
    assert {"numpy", "scipy", "sacrebleu"} <= names
    assert versions_of(*names) == {name: distribution(name).version for name in names}
    assert list(versions_of("scipy", "numpy")) == ["scipy", "numpy"]


def test_what_is_not_installed_has_no_version() -> None:
    assert list(versions_of("no-such-distribution", "numpy")) == ["numpy"]


def test_entry_points_are_those_of_the_metadata() -> None:
    groups = entry_points().groups
    assert "console_scripts" in groups
    assert {group: entry_points_of(group) for group in groups} == {g: list(entry_points(group=g)) for g in groups}
    assert entry_points_of("outscore.no_such_group") == []


@pytest.mark.parametrize("suffix", [".dist-info", ".egg-info"])
def test_entry_points_of_any_folder_of_the_path_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    folder = tmp_path / f"loud-1.0{suffix}"
    folder.mkdir()
    kind = "METADATA" if suffix == ".dist-info" else "PKG-INFO"
    (folder / kind).write_text("Metadata-Version: 2.1\nName: loud\nVersion: 1.0\n", encoding="utf-8")
    (folder / "entry_points.txt").write_text("[outscore.things]\nshout = loud:Shout\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path / "missing"))
    assert [(point.name, point.value) for point in entry_points_of("outscore.things")] == [("shout", "loud:Shout")]
    assert versions_of("loud") == {"loud": "1.0"}
