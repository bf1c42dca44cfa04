"""Pictures for papers: as wide as a column, in greys, without a title, of every kind of result that has one."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import outscore
from outscore.report.plots import charts_of, render_column
from outscore.results.result import Result
from tests.examples import first
from tests.report.kinds import KINDS

pytest.importorskip("vl_convert", reason="needs the extra: pip install 'outscore[report]'")

DRAWN = {name: make for name, make in KINDS.items() if any(not chart.of_page for chart in charts_of(make()))}
FEW = ("two_metrics", "board", "with_runs", "planned", "agreement", "confusions")


def drawn(result: Result, figure: str = "") -> str:
    made = render_column(result, ".svg", figure)
    assert isinstance(made, str)
    return made


def colours(svg: str) -> set[str]:
    return set(re.findall(r"#[0-9a-f]{6}\b", svg))


@pytest.mark.parametrize("kind", first(DRAWN, *(k for k in FEW if k in DRAWN), "judged", others=pytest.mark.slow))
def test_it_is_as_wide_as_a_column_and_in_greys(kind: str) -> None:
    svg = drawn(DRAWN[kind]())
    root = ET.fromstring(svg)
    assert root.get("width", "").endswith("pt")
    assert 100 < float(root.get("width", "")[:-2]) <= 240.01
    assert all(colour[1:3] == colour[3:5] == colour[5:7] for colour in colours(svg)), colours(svg)
    chart = next(chart for chart in charts_of(DRAWN[kind]()) if not chart.of_page)
    assert not chart.title or chart.title not in svg


def test_names_and_numbers_are_there_and_the_finding_is_left_to_the_caption() -> None:
    result = KINDS["two_metrics"]()
    svg = drawn(result)
    said = [text.text for text in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert {"birch", "cedar"} <= set(said)
    assert any((text or "").startswith("+0.200 [") for text in said)
    assert charts_of(result)[0].title not in svg


def test_letters_are_of_eight_points_however_long_a_name_is() -> None:
    scores = {name: [0.1 * i + 0.01 * k for i in range(20)] for k, name in enumerate(("base", "new", "n" * 30))}
    svg = drawn(outscore.compare(scores))
    width, whole = (float(found) for found in re.findall(r'width="([\d.]+)pt".*?viewBox="0 0 ([\d.]+)', svg)[0])
    assert 12 * width / whole > 5


@pytest.mark.parametrize("kind", first(["confusions", "board", "judged"], "confusions", others=pytest.mark.slow))
def test_it_is_the_same_every_time(kind: str) -> None:
    assert drawn(KINDS[kind]()) == drawn(KINDS[kind]())


def test_a_named_picture_is_drawn_alone() -> None:
    board = KINDS["board"]()
    assert drawn(board, "wins") != drawn(board) == drawn(board, "board")
    assert "row better" in drawn(board, "wins")
    with pytest.raises(outscore.UsageError, match="has no picture 'no'"):
        drawn(board, "no")


@pytest.mark.parametrize(("suffix", "head"), [(".svg", b"<svg"), (".pdf", b"%PDF"), (".png", b"\x89PNG")])
def test_a_file_is_written_by_its_suffix(suffix: str, head: bytes, tmp_path: Path) -> None:
    file = tmp_path / f"picture{suffix}"
    outscore.plot(KINDS["two_metrics"](), file, column=True)
    assert file.read_bytes().startswith(head)
    if suffix == ".png":
        assert 900 < int.from_bytes(file.read_bytes()[16:20], "big") <= 1000


@pytest.mark.parametrize("suffix", [".json", ".html"])
def test_other_suffixes_hold_no_picture_of_a_column(suffix: str, tmp_path: Path) -> None:
    with pytest.raises(outscore.UsageError, match=r"ends in \.svg, \.pdf, \.png"):
        outscore.plot(KINDS["two_metrics"](), tmp_path / f"picture{suffix}", column=True)
