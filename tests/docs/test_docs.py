"""The manual is a test: every command in it is run, and everything that can be asked for is in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from outscore.base.notes import Note
from outscore.base.registry import Registry, options_of
from outscore.cli.kinds import documentation
from outscore.cli.main import COMMANDS, find_command
from outscore.data.readers import readers
from outscore.metrics import metrics
from outscore.multiplicity import adjust
from outscore.results.result import formats
from outscore.significance import notes
from outscore.significance.choose import KINDS
from tests.docs import manual

SOURCE = manual.ROOT / "src" / "outscore"


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return {manual.name_of(page): page.read_text(encoding="utf-8") for page in manual.PAGES}


@pytest.fixture(scope="module")
def docs(pages: dict[str, str]) -> str:
    return "\n".join(pages[manual.name_of(page)] for page in manual.PAGES if page.is_relative_to(manual.DOCS))


NEWCOMER = (
    "README.md",
    "CONTRIBUTING.md",
    "index.md",
    "quick-start.md",
    "reading-the-table.md",
    "python.md",
)
"""Pages that run by default; each of the others takes seconds, and all of them minutes."""
RUN = [
    pytest.param(page, id=manual.name_of(page), marks=() if manual.name_of(page) in NEWCOMER else pytest.mark.slow)
    for page in manual.PAGES
]


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are typed into a POSIX shell")
@pytest.mark.parametrize("page", RUN)
def test_commands_of_the_page_print_what_it_shows(page: Path, tmp_path: Path) -> None:
    wrong = manual.run_page(page, tmp_path)
    assert not wrong, "\n\n".join(wrong) + "\n\n(OUTSCORE_DOCS_UPDATE=1 writes what is printed now into the page)"


def test_wildcards_stand_for_any_lines() -> None:
    assert manual.fits(["a", "...", "d"], ["a", "b", "c", "d"])
    assert manual.fits(["a", "..."], ["a"])
    assert not manual.fits(["a", "...", "d"], ["a", "b", "c"])
    assert not manual.fits(["a"], ["a", "b"])
    assert manual.fits(["x|version:1.0"], ["x|version:2.6.0"])


def test_renewing_keeps_what_was_left_out() -> None:
    printed = ["head 2", "x", "Runs", "r 9", "y", "tail"]
    assert manual.renewed(["head 1", "...", "Runs", "r 1", "..."], printed) == ["head 2", "...", "Runs", "r 9", "..."]
    assert manual.renewed(["old"], printed) == printed


def test_links_between_pages_lead_somewhere(pages: dict[str, str]) -> None:
    for page in manual.PAGES:
        name = manual.name_of(page)
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", pages[name]):
            assert (page.parent / target).exists(), f"{name} links to {target}"
        for target, part in re.findall(r"\]\(([^)#:\s]*)#([^)]*)\)", pages[name]):
            there = (page.parent / target).resolve() if target else page
            assert part in _anchors(there.read_text(encoding="utf-8")), f"{name} links to {target}#{part}"


def _anchors(text: str) -> set[str]:
    """The names by which links lead to headings."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _registered(registry: Registry[object]) -> list[str]:
    # registrations of this distribution only: an installed plug-in has its own manual
    return [name for name, cls in registry if cls.__module__.partition(".")[0] == "outscore"]


def test_pages_hold_no_template_that_was_not_filled(pages: dict[str, str]) -> None:
    """Pages that are made have their numbers by calls, which are to be gone from what is read."""
    unfilled = {name: re.findall(r"\bat\.[a-z_]+\(f?\".*", text) for name, text in pages.items()}
    assert not {name: found for name, found in unfilled.items() if found}


def test_pages_agree_on_what_more_than_one_of_them_says(pages: dict[str, str]) -> None:
    years = {name: set(re.findall(r"O'Connor.{0,50}?\b(20\d\d)", text, re.S)) for name, text in pages.items()}
    assert set().union(*years.values()) == {"2015"}
    pooled = r"5 % test rejects (?:in )?([\d a-z]+) %"
    of_errata = set(re.findall(pooled, pages["errata.md"]))  # of runs that are taken for more items
    assert of_errata
    assert of_errata <= set(re.findall(pooled, pages["faults.md"]))


@pytest.mark.parametrize("kind", ["metrics", *KINDS, "readers", "formats"])
def test_everything_registered_is_in_the_manual(kind: str, docs: str) -> None:
    others: dict[str, Registry[Any]] = {"metrics": metrics, "readers": readers, "formats": formats}
    registry = others.get(kind) or next(tests for name, tests in KINDS.items() if name == kind)
    names = _registered(registry)
    assert names
    for name in names:
        assert re.search(rf"`{name}\b", docs), f"{name} ({kind}) is not in the manual"
        said = documentation(registry.find(name))
        for field in options_of(registry.find(name)):
            assert re.search(rf"^ *{field.name}\b.*:|[`:,]{field.name}\b", f"{said}\n{docs}", re.M), (
                f"option {field.name} of {name} is neither where it is declared nor in the manual"
            )


def test_every_correction_is_in_the_manual(docs: str) -> None:
    for name in adjust.names():
        assert f"`{name}`" in docs, f"correction {name} is not in the manual"


def test_every_note_is_in_the_manual(docs: str) -> None:
    codes = {note.code for note in vars(notes).values() if isinstance(note, Note)}
    for file in SOURCE.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        codes |= set(re.findall(r'\bcode="(\w+)"', text))
        codes |= {f"auto_{code}" for code in re.findall(r'\b_reason\(\s*"(\w+)"', text)}
    assert {"few_items", "auto_crossed", "mixed_scale"} <= codes
    missing = sorted(code for code in codes if f"`{code}`" not in docs)
    assert not missing, f"notes that the manual does not explain: {missing}"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_in_the_manual_and_says_what_its_options_do(name: str, docs: str) -> None:
    assert f"outscore {name}" in docs
    for parameter in find_command(name).params:
        assert getattr(parameter, "help", None) or parameter.param_type_name == "argument", f"{name} {parameter.name}"


@pytest.mark.slow
def test_third_party_metric_of_the_manual_is_found_by_its_entry_point(tmp_path: Path) -> None:
    blocks = [b for b in manual.blocks_of(manual.ROOT / "docs" / "metrics.md") if "file" in b.options]
    by_file = {b.options["file"]: "\n".join(b.lines) for b in blocks}
    project = tomllib.loads(by_file["pyproject.toml"])["project"]
    (module,) = (name for name in by_file if name.endswith(".py"))
    site = tmp_path / "site"
    info = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (site / module).write_text(by_file[module], encoding="utf-8")
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n", encoding="utf-8"
    )
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in entries.items())
        for group, entries in project["entry-points"].items()
    )
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    env = manual.environment(tmp_path)
    env["PYTHONPATH"] = os.pathsep.join([str(site), env["PYTHONPATH"]])
    (name,) = project["entry-points"]["outscore.metrics"]
    examples = manual.ROOT / "examples"
    runs = [f"{s}={examples / f'{s}.run1.txt'}" for s in ("baseline", "larger")]
    arguments = ["-m", "outscore", "compare", "-r", str(examples / "ref.txt"), *runs, "-m", name, "-f", "csv"]
    done = subprocess.run([sys.executable, *arguments], env=env, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert name in done.stdout
    unknown = subprocess.run(
        [sys.executable, *arguments],
        env=manual.environment(tmp_path),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert unknown.returncode == 2, "without the distribution the metric must not be known"
