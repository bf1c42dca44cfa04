"""Pages for all readers: nothing that axe-core finds, the answer on the first screen, and few whole sheets of paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import outscore
from outscore.results.comparison import Comparison
from outscore.results.result import Result
from tests.browser.conftest import Opened
from tests.browser.test_other_pages import SYNTHETIC, made
from tests.browser.test_page import texts

pytestmark = pytest.mark.slow  # test_page opens a page by default

Open = Callable[..., Opened]
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
A4 = {"format": "A4", "margin": {"top": "15mm", "bottom": "15mm", "left": "12mm", "right": "12mm"}}


def compared(data_root: Path, number: int, *, all_pairs: bool = False) -> Comparison:
    """Systems of WMT 2024 by two metrics, with all that a page shows."""
    table = f"{data_root}/data/mt_wmt24_en-de_domains/segments.tsv.gz"
    rest = outscore.read(table).systems[number:]
    data = outscore.read(table, exclude=rest)
    return outscore.compare(data, metrics=["bleu", "chrf"], flips="auto", n_resamples=200, all_pairs=all_pairs)


def violations(page: Any) -> list[str]:
    """What axe-core finds where everything is unfolded."""
    page.evaluate("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate(f"axe.run(document, {{runOnly: {{type: 'tag', values: {RULES}}}}})")
    assert found["passes"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]


def clean(result: Result, opened: Open) -> None:
    for width in (390, 1280):
        for dark in (False, True):
            assert violations(opened(result, width=width, dark=dark).page) == []


def sheets(page: Any) -> int:
    """How many sheets of paper a page takes."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(**A4)))


@pytest.mark.parametrize("name", SYNTHETIC)
def test_axe_finds_nothing(name: str, opened: Open) -> None:
    clean(made(name), opened)


def test_axe_finds_what_is_wrong(opened: Open) -> None:
    page = opened(made("agree")).page
    page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=\"data:,\">')")
    assert [one.partition(":")[0] for one in violations(page)] == ["image-alt"]


def test_three_systems_by_two_metrics_are_read_at_once_and_take_eight_sheets(data_root: Path, opened: Open) -> None:
    result = compared(data_root, 3)
    assert len(result.to("html").encode()) < 400_000
    clean(result, opened)
    for width in (390, 1280):
        page = opened(result, width=width).page
        # the main table ends on the first screen, and none of its columns lies beyond the edge
        box = page.locator("table").first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 900
        assert box["x"] + box["width"] <= width
        watch = "new PerformanceObserver((list) => found(list.getEntries().reduce((sum, one) => sum + one.value, 0)))"
        shifts = f"new Promise((found) => {watch}.observe({{type: 'layout-shift', buffered: true}}))"
        shifted = page.evaluate(f"Promise.race([{shifts}, new Promise((f) => setTimeout(() => f(0), 500))])")
        assert shifted < 0.01
    assert sheets(opened(result).page) <= 8


def test_names_of_buckets_are_not_broken_and_a_long_picture_starts_on_the_sheet_of_its_title(opened: Open) -> None:
    data = {f"system {k}": [float((i * (k + 3)) % 17) for i in range(600)] for k in range(4)}
    items = {
        "document": [f"a document of long name {i // 10}" for i in range(600)],
        "kind": ["questions", "news"] * 300,
    }
    result = outscore.compare(data, items=items, cluster="document", by="kind", flips="auto", n_resamples=200)
    found = opened(result)
    figure = found.page.locator("figure").filter(has_text="questions")
    assert figure.count() == 1
    assert max(row.bounding_box()["height"] for row in figure.locator(".row").all()) < 48
    # beside the buckets that were asked for, all others are folded
    assert found.shown("figure") == 2
    # a picture of forty rows for each of three pairs would take sheets of its own
    found.page.emulate_media(media="print")
    figure = found.page.locator("figure").filter(has_text="document of")
    assert figure.locator(".row").count() > 40 and not figure.is_visible()
    assert found.page.get_by_text("120 rows, which are not printed").is_visible()
    page = opened(outscore.compare({name: data[name] for name in list(data)[:2]}, items=items, cluster="document",
                                   flips="auto", n_resamples=200)).page  # fmt: skip
    page.emulate_media(media="print")
    figure = page.locator("figure").filter(has_text="document of")
    assert figure.locator(".row").count() >= 30
    assert figure.evaluate("e => getComputedStyle(e).breakInside") == "auto"


def test_all_pairs_of_nine_systems_are_matrices_and_take_twelve_sheets(data_root: Path, opened: Open) -> None:
    result = compared(data_root, 9, all_pairs=True)
    found = opened(result)
    assert found.shown("table.matrix") == 2
    assert found.page.locator("table.matrix").first.locator("td.blue, td.orange, td.grid").count() == 9 * 8
    assert sheets(found.page) <= 12


def test_what_is_folded_is_unfolded_on_paper_and_by_its_link(opened: Open) -> None:
    found = opened(made("rank"))
    page = found.page
    assert found.shown("#tables table") == 0
    page.locator("nav a[href='#tables']").click()
    assert found.shown("#tables table") > 0
    page = opened(made("rank")).page
    page.emulate_media(media="print")
    assert page.locator("#methods").bounding_box()["height"] > 0


def test_the_head_of_a_long_table_is_on_every_sheet(opened: Open) -> None:
    data = {f"system {k}": [float((i * (k + 3)) % 17) for i in range(40)] for k in range(90)}
    page = opened(outscore.compare(data, n_resamples=50)).page
    page.emulate_media(media="print")
    assert page.locator("thead button, thead input").count() == 0
    assert page.evaluate("getComputedStyle(document.querySelector('thead')).display") == "table-header-group"


def test_the_baseline_stays_where_it_is_while_gains_are_sorted(opened: Open) -> None:
    result = outscore.compare({"base": texts(1), "b": texts(2), "a": texts(3)}, references=[texts(4)], metrics="chrf")
    page = opened(result).page
    for heading in (2, 2, 3):
        page.locator("#table-0 .sort").nth(heading - 1).click()
        assert page.locator("#table-0 tbody tr:not(.block) th").first.text_content().startswith("base")
