"""What stands at the top of the checkout agrees with the package: how to cite it, and whose licences it carries."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import outscore

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PERMISSIVE = re.compile(r"\b(MIT|BSD|Apache|ISC|PSF|0BSD|Zlib|Unlicense|CC0)\b|Apache Software|-BSD-")
COPYLEFT = re.compile(r"\b[AL]?GPL", re.IGNORECASE)
ONLY_WHEN_ASKED = {"udtools"}
"""Copyleft, so in an extra of its own: nothing else brings it, and nothing of it is in the package."""


def licence_of(name: str) -> str:
    """What a distribution says of its licence."""
    # the protocol that it is typed with lacks what every message has
    found: Any = importlib.metadata.metadata(name)
    kinds = [text for text in found.get_all("Classifier") or [] if text.startswith("License ::")]
    return " ".join([found.get("License-Expression") or "", (found.get("License") or "")[:200], *kinds])


def names(requirements: list[str]) -> list[str]:
    return [found[0] for text in requirements if (found := re.match(r"[\w.-]+", text))]


def test_the_citation_says_the_version_the_licence_and_who() -> None:
    yaml = pytest.importorskip("yaml", reason="needs the extra: pip install 'outscore[docs]'")
    found = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    # what version 1.2.0 of the format asks for
    assert found["cff-version"] == "1.2.0"
    assert found["type"] == "software"
    assert found["message"]
    assert found["title"]
    assert all(set(author) & {"name", "family-names"} for author in found["authors"])
    assert found["version"] == outscore.__version__
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = ".dev" in found["version"]
    assert ("date-released" in found) != unreleased
    heading = "[Unreleased]" if unreleased else f"[{found['version']}] - {found['date-released']}"
    assert f"## {heading}\n" in changes
    assert found["license"] == PROJECT["license"]
    assert not set(found) - {
        "cff-version", "message", "type", "title", "abstract", "authors", "version", "date-released", "license",
        "keywords",
    }  # fmt: skip


def test_the_licence_is_the_one_that_is_declared() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert PROJECT["license"] == "Apache-2.0"
    assert re.search(r"Apache License\s+Version 2\.0, January 2004", text)


@pytest.mark.parametrize("name", names(PROJECT["dependencies"]))
def test_whatever_comes_with_the_package_is_permissive(name: str) -> None:
    licence = licence_of(name)
    assert PERMISSIVE.search(licence), f"{name}: {licence!r}"
    assert not COPYLEFT.search(licence), f"{name}: {licence!r}"


@pytest.mark.parametrize("extra", [extra for extra in PROJECT["optional-dependencies"] if extra not in ("all", "dev")])
def test_copyleft_comes_only_with_an_extra_of_its_own(extra: str) -> None:
    found = set()
    for name in names(PROJECT["optional-dependencies"][extra]):
        try:
            licence = licence_of(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # not every extra is installed for development
        if COPYLEFT.search(licence):
            found.add(name)
    assert found <= ONLY_WHEN_ASKED
    assert not found or len(PROJECT["optional-dependencies"][extra]) == 1


def test_all_extras_together_bring_no_copyleft() -> None:
    (whole,) = PROJECT["optional-dependencies"]["all"]
    extras = set(re.findall(r"[\w-]+", whole.partition("[")[2]))
    users = set(PROJECT["optional-dependencies"]) - {"all", "dev", "docs", "bench", "release"}
    assert extras == {one for one in users if not ONLY_WHEN_ASKED & {*names(PROJECT["optional-dependencies"][one])}}


def test_the_page_of_dependencies_names_each_with_its_extras() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w.-]+)` \|([^|]*)\|([^|]+)\|([^|]+)\|$", page, flags=re.MULTILINE)
    expected: dict[str, set[str]] = {name: set() for name in names(PROJECT["dependencies"])}
    for extra, requirements in PROJECT["optional-dependencies"].items():
        for name in names(requirements) if extra not in ("all", "dev", "docs", "bench", "release") else ():
            expected.setdefault(name, set()).add(extra)
    assert {name: set(re.findall(r"`([^`]+)`", extras)) for name, extras, _, _ in rows} == expected
    assert {name for name, _, _, licence in rows if COPYLEFT.search(licence)} == ONLY_WHEN_ASKED


def test_the_paper_has_the_parts_the_length_and_the_references_that_its_journal_asks_for() -> None:
    text = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    _, head, body = text.split("---\n", 2)
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= set(
        re.findall(r"^(\w+):", head, re.M)
    )
    assert {"Summary", "Statement of need", "References"} <= set(re.findall(r"^# (.*)$", body, re.MULTILINE))
    assert len(body.split()) < 1000
    known = re.findall(r"^@\w+\{(\w+),", (ROOT / "paper" / "paper.bib").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(known) == len(set(known))
    assert set(known) == set(re.findall(r"@(\w+)", body)), "every reference is cited, and every citation is a reference"
