"""The site of the manual: it builds without a warning, holds every page, and names everything that is registered."""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import outscore
from outscore.cli.main import COMMANDS
from outscore.data.readers import readers
from outscore.metrics import metrics
from outscore.multiplicity import adjust
from outscore.significance.choose import all_tests
from outscore.significance.interval import intervals
from outscore.studies import studies
from tests.docs import manual

INDEX = manual.DOCS / "index.md"

of_the_site = pytest.mark.nightly
"""``python tasks.py docs`` runs these on the site that it has built."""


def listed() -> list[Path]:
    """The pages on the lists of the front page, of which its tables of contents are made."""
    items = re.findall(r"^- .*", INDEX.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = re.findall(r"\[[^\]]+\]\(([^)#:\s]+)\)", "\n".join(items))
    return [(manual.DOCS / target).resolve() for target in found]


def built(source: Path, out: Path) -> subprocess.CompletedProcess[str]:
    """What Sphinx says of a build in which every warning is an error."""
    pytest.importorskip("myst_nb", reason="needs the extra: pip install 'outscore[docs]'")
    pytest.importorskip("furo", reason="needs the extra: pip install 'outscore[docs]'")
    options = ["-q", "-W", "--keep-going", "-j", "auto", "-d", str(out / "doctrees"), "-b", "html"]
    return subprocess.run(
        [sys.executable, "-m", "sphinx", *options, str(source), str(out / "html")],
        env={name: value for name, value in os.environ.items() if not name.startswith("OUTSCORE_")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site in OUTSCORE_SITE, or one built from a copy of the checkout, so that nothing is written into it."""
    if done_before := os.environ.get("OUTSCORE_SITE"):
        return Path(done_before)
    folder = tmp_path_factory.mktemp("site")
    for name in ("docs", "src", "tests"):
        skipped = shutil.ignore_patterns("__pycache__", "reference", "_build")
        shutil.copytree(manual.ROOT / name, folder / name, ignore=skipped)
    for path in manual.ROOT.iterdir():
        if path.suffix in (".md", ".cff") or path.name == "LICENSE":
            shutil.copyfile(path, folder / path.name)
    done = built(folder / "docs", folder / "out")
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "out" / "html"


def said(page: Path) -> str:
    """The words of a page."""
    return html.unescape(re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8")))


def test_every_page_is_on_one_list_of_the_front_page() -> None:
    notebooks = [path for path in manual.DOCS.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts]
    pages = {*manual.PAGES, *notebooks} - {INDEX}
    pages |= {manual.ROOT / name for name in ("CHANGELOG.md", "CITATION.cff", "SECURITY.md", "LICENSE")}
    found = listed()
    assert set(found) == pages, "a page is missing in docs/index.md, or is there and does not exist"
    assert len(found) == len(set(found))


def test_what_is_run_is_counted() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.docs.manual"], cwd=manual.ROOT, capture_output=True, encoding="utf-8", check=True
    )
    match = re.fullmatch(r"(\d+) commands and (\d+) blocks of Python on (\d+) pages\n", done.stdout)
    assert match
    commands = sum(
        line.startswith("$ ")
        for page in manual.PAGES
        for block in manual.blocks_of(page)
        if block.language == "console"
        for line in block.lines
    )
    assert int(match[1]) >= commands > 200
    assert int(match[3]) == len(manual.PAGES)


@of_the_site
def test_every_test_has_a_page_with_its_null_hypothesis_levels_and_source(site: Path) -> None:
    for name, (_, cls) in all_tests().items():
        page = said(site / "reference" / "tests" / f"{name}.html")
        for text in (
            cls.null,
            cls.applies,
            cls.needs,
            cls.citation,
            f"outscore compare --test {name}",
            "Level and coverage",
        ):
            assert text in page, f"{name}: {text!r} is not on its page"


@of_the_site
def test_a_test_names_the_outside_numbers_that_hold_it(site: Path) -> None:
    page = said(site / "reference" / "tests" / "mcnemar.html")
    assert "sign_mcnemar" in page
    assert "R binom.test / mcnemar.test" in page
    assert "wilcoxon_signed_rank" not in page
    assert "wilcoxon_signed_rank" in said(site / "reference" / "tests" / "wilcoxon.html")


@of_the_site
@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("metrics", metrics.names()),
        ("intervals", intervals.names()),
        ("readers", readers.names()),
        ("studies", studies.names()),
        ("corrections", adjust.names()),
        ("commands", [f"outscore {name}" for name in COMMANDS]),
    ],
)
def test_everything_has_a_heading_on_the_page_of_its_kind(site: Path, page: str, names: list[str]) -> None:
    text = (site / "reference" / f"{page}.html").read_text(encoding="utf-8")
    headings = {html.unescape(re.sub(r"<[^>]+>", "", found)) for found in re.findall(r"<h2>(.*?)<a ", text)}
    assert set(names) <= headings


@of_the_site
def test_every_public_name_is_described(site: Path) -> None:
    text = (site / "reference" / "python.html").read_text(encoding="utf-8")
    anchors = set(re.findall(r'id="outscore\.(\w+)"', text))
    assert anchors >= {name for name in outscore.__all__ if not name.startswith("__")}


@of_the_site
def test_the_pages_of_the_project_are_in_it(site: Path) -> None:
    folder = site / "reference" / "project"
    assert f"outscore {outscore.__version__}" in said(site / "index.html")
    heading = "Unreleased" if ".dev" in outscore.__version__ else outscore.__version__
    assert f"[{heading}]" in said(folder / "changelog.html")
    assert "Apache License" in said(folder / "license.html")
    text = (site / "index.html").read_text(encoding="utf-8")
    assert 'href="reference/project/security.html"' in text
    for link in re.findall(r'href="([^"#:?]+\.html)(?:#[^"]*)?"', text):
        assert (site / link).exists(), f"the front page links to {link}"
