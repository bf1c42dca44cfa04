"""The page of the sources: made by ``benchmarks/sources.py``, whoever does the cells, and still what it makes."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.docs.manual import ROOT, words_of

PAGE = ROOT / "docs" / "sources.md"
CLAIMS = ROOT / "docs" / "sources-claims.md"
COMMAND = ROOT / "benchmarks" / "sources.py"
HEAD = ROOT / "benchmarks" / "again" / "head.md"
CHEAP = "oconnor"
HOW = {"one process": ("--jobs", "1"), "two processes": ("--jobs", "2"), "dask": ("--jobs", "2", "--dask", "local")}


def made(folder: Path, *arguments: str | Path, only: str = CHEAP) -> dict[str, bytes]:
    """What the command writes into a folder."""
    pytest.importorskip("vl_convert", reason="needs the extra: pip install 'outscore[report]'")
    done = subprocess.run(
        [sys.executable, str(COMMAND), "--only", only, "--out", str(folder), *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory, data_root: Path) -> tuple[Path, dict[str, bytes]]:
    """One part, made by one process."""
    folder = tmp_path_factory.mktemp("plain")
    return folder, made(folder, *HOW["one process"])


@pytest.mark.nightly
@pytest.mark.parametrize("part", ["claims", CHEAP])
def test_the_page_says_what_is_made_now(part: str, tmp_path: Path, data_root: Path) -> None:
    """Each part stands there once, as it is made today; nothing of an older state stands beside it."""
    folder, files = tmp_path, made(tmp_path, only=part)
    page = CLAIMS if part == "claims" else PAGE
    kept = page.read_text(encoding="utf-8")
    text = files[page.name].decode().removeprefix(HEAD.read_text(encoding="utf-8"))
    assert text.startswith(("\n## ", "# Sources"))
    assert text in kept, "run benchmarks/sources.py again"
    headings = [line for line in kept.splitlines() if line.startswith("## ")]
    assert len(headings) == len(set(headings)), "a section stands there twice"
    for name in re.findall(r"\]\((pictures/[\w.-]+)\)", text):
        assert words_of(folder / name) == words_of(ROOT / "docs" / name)


def claims_of_the_texts() -> Any:
    """The module that holds the claims; benchmarks are no package of the installation."""
    sys.path.insert(0, str(COMMAND.parent))
    try:
        return importlib.import_module("again.claims")
    finally:
        sys.path.remove(str(COMMAND.parent))


def test_every_claim_has_a_command_a_section_or_a_reason() -> None:
    headings = re.findall(r"^## (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    claims = claims_of_the_texts().claims()
    assert len(claims) > 200, "every figure, table, algorithm, formula and claim"
    for claim in claims:
        assert claim.part in ("", *headings), f"no section {claim.part!r}"
        assert claim.take or claim.part or claim.why, f"nothing is shown of {claim.says!r}"
        assert claim.command or claim.why, f"neither a command nor a reason: {claim.says!r}"
        assert claim.printed is None or claim.take, f"nothing stands beside {claim.printed!r}"


QUICK = ("study printed --counts", "--test z:sigma=0.25", "study printed --runs '18.5", "bleu:max_order=1")
LONG = ("-m meteor", "summ_summeval", "study calibration", "study gain", "study runs-size", "study tests", "0000")
"""Studies of pairs, and ten thousand resamples or more: most of the time that all claims take."""


@pytest.mark.slow
def test_quick_claims_come_out_as_the_page_has_them(tmp_path: Path) -> None:
    wanted = [claim for claim in claims_of_the_texts().claims() if any(part in claim.command for part in QUICK)]
    assert {claim.text for claim in wanted} == {"Clark", "Dror", "O'Connor"}
    hold(wanted, tmp_path, tmp_path)


@pytest.mark.slow
def test_every_fifth_claim_but_the_longest_comes_out_as_the_page_has_it(tmp_path: Path, data_root: Path) -> None:
    every = [claim for claim in claims_of_the_texts().claims() if claim.computed and not claim.as_above]
    wanted = [claim for claim in every if not any(part in claim.command for part in LONG)][::5]
    assert len(wanted) > 20
    hold(wanted, data_root / "data", tmp_path)


def hold(wanted: list[Any], data: Path, folder: Path) -> None:
    module, text = claims_of_the_texts(), CLAIMS.read_text(encoding="utf-8")
    for row in module.run_all(wanted, data, folder):
        assert module.table_of([row]).splitlines()[-1] in text, row[0].says


@pytest.mark.nightly
@pytest.mark.parametrize("how", ["two processes", "dask"])
def test_the_page_is_the_same_whoever_works(how: str, plain: tuple[Path, dict[str, bytes]], tmp_path: Path) -> None:
    if how == "dask" and importlib.util.find_spec("distributed") is None:
        pytest.skip("needs the extra: pip install 'outscore[dask]'")
    assert made(tmp_path, *HOW[how]) == plain[1]


@pytest.mark.nightly
def test_the_page_is_the_same_from_kept_cells(plain: tuple[Path, dict[str, bytes]], tmp_path: Path) -> None:
    first = made(tmp_path / "first", "--resume", tmp_path / "cells")
    for path in list((tmp_path / "cells").iterdir())[::2]:
        path.unlink()
    assert made(tmp_path / "second", "--resume", tmp_path / "cells") == first == plain[1]


def test_the_page_has_its_head_and_pictures() -> None:
    if not PAGE.exists():
        pytest.skip("docs/sources.md is not there yet")
    text = PAGE.read_text(encoding="utf-8")
    assert text.startswith(HEAD.read_text(encoding="utf-8"))
    shown = re.findall(r"\]\((pictures/[\w.-]+)\)", text)
    assert shown
    for name in shown:
        assert (ROOT / "docs" / name).exists(), f"{name} is not there"


def test_a_part_that_is_none_and_data_that_are_not_there_are_said(tmp_path: Path) -> None:
    for arguments, said in (
        (["--only", "nobody"], "no part 'nobody'"),
        (["--data", "nowhere"], "nowhere is no folder"),
    ):
        done = subprocess.run(
            [sys.executable, str(COMMAND), "--out", str(tmp_path), *arguments],
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 2
        assert said in done.stderr
    assert not list(tmp_path.iterdir())
