"""What a reader can do with the page of a comparison in a browser."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import outscore
from outscore.results.comparison import Comparison
from tests.browser.conftest import Opened

WORDS = ["the", "cat", "sat", "on", "a", "mat", "dog", "ran", "far", "away"]


def texts(seed: int, n: int = 60) -> list[str]:
    draw = np.random.default_rng(seed)
    return [" ".join(draw.choice(WORDS, draw.integers(3, 12))) for _ in range(n)]


@pytest.fixture(scope="module")
def compared() -> Comparison:
    """Ten systems of which items, clusters, domains and histograms are kept."""
    gold = texts(1)
    systems = {
        f"system {k}": [g if i % (k + 2) else t for i, (g, t) in enumerate(zip(gold, texts(k + 2), strict=True))]
        for k in range(10)
    }
    items = {"document": [f"d{i // 4}" for i in range(60)], "domain": ["news", "talks"] * 30}
    return outscore.compare(
        systems, references=[gold], metrics=["chrf"], items=items, cluster="document", flips="auto", n_resamples=200
    )


def test_a_page_is_whole_and_silent_and_asks_for_nothing(compared: Comparison, opened: Callable[..., Opened]) -> None:
    found = opened(compared)
    headings = found.page.locator("h2").all_text_contents()
    assert headings[0] == "Scores, and gains over system 0"
    assert headings[1].startswith("Gain by domain (")
    assert headings[2:6] == ["More pictures", "More tables", "Notes", "Items that gained and lost most"]
    assert headings[-1] == "Data"
    assert found.page.locator("figure").count() == 4 + 1  # gains, resampled, domain, length, document
    assert (found.said, found.asked) == ([], [])


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
def test_no_part_is_wider_than_a_phone(compared: Comparison, opened: Callable[..., Opened], dark: bool) -> None:
    found = opened(compared, width=390, dark=dark)
    assert found.page.evaluate("document.documentElement.scrollWidth") == 390
    assert found.said == []


@pytest.mark.slow
def test_a_heading_sorts_its_column_by_mouse_and_by_key(compared: Comparison, opened: Callable[..., Opened]) -> None:
    page = opened(compared).page
    column = "#table-0 tbody tr td:nth-child(2)"
    before = page.locator(column).all_text_contents()
    button = page.locator("#table-0 .sort").nth(1)
    button.click()
    numbers = [float(text.split()[0]) for text in page.locator(column).all_text_contents()]
    assert numbers == sorted(numbers)
    assert page.locator("#table-0 th[aria-sort]").get_attribute("aria-sort") == "ascending"
    button.press("Enter")
    numbers = [float(text.split()[0]) for text in page.locator(column).all_text_contents()]
    assert numbers == sorted(numbers, reverse=True)
    assert page.locator("#table-0 th[aria-sort]").get_attribute("aria-sort") == "descending"
    assert sorted(before) == sorted(page.locator(column).all_text_contents())


@pytest.mark.slow
def test_names_of_a_long_table_sort_too(compared: Comparison, opened: Callable[..., Opened]) -> None:
    page = opened(compared).page
    button = page.locator("#table-0 .sort").nth(0)
    assert button.text_content() == "name"
    button.click()
    button.click()
    names = page.locator("#table-0 tbody tr th").all_text_contents()
    assert len(names) == 10
    assert names == sorted(names, reverse=True)


@pytest.mark.slow
def test_rows_and_items_are_found_by_their_words(compared: Comparison, opened: Callable[..., Opened]) -> None:
    found = opened(compared)
    page = found.page
    page.fill("#table-0-filter", "SYSTEM 3")
    assert found.shown("#table-0 tbody tr") == 1
    assert page.locator("#table-0-filter").locator("xpath=ancestor::p").locator(".count").text_content() == (
        "1 of 10 rows"
    )
    page.fill("#table-0-filter", "")
    assert found.shown("#table-0 tbody tr") == 10
    page.locator("nav a[href='#items']").click()
    first = found.shown(".item")
    page.select_option("#item-pair", index=1)
    assert set(page.locator(".item:not(.away)").evaluate_all("all => all.map(e => e.dataset.pair)")) == {"1"}
    item = page.locator(".item:not(.away) b").first.text_content()
    page.fill("#item-search", "no such words")
    assert found.shown(".item") == 0
    assert page.locator("#item-count").text_content() == "0 items"
    page.fill("#item-search", item)
    assert 1 <= found.shown(".item") <= first


@pytest.mark.slow
def test_tab_reaches_every_control_and_shows_where_it_is(compared: Comparison, opened: Callable[..., Opened]) -> None:
    found = opened(compared)
    page = found.page
    wanted = page.locator("a[href], button, input, select, summary, [tabindex='0']").filter(visible=True).count()
    page.evaluate("window.reached = new Set(); window.bare = []")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    # Chromium goes through all of them in one call for each key; the end is where nothing has the focus
    for _ in range(wanted + 5):
        page.evaluate(
            """() => { const e = document.activeElement; if (e === document.body) return; window.reached.add(e);
            const s = getComputedStyle(e); if (s.outlineStyle === 'none') window.bare.push(e.outerHTML); }"""
        )
        page.keyboard.press("Tab")
    assert page.evaluate("window.reached.size") >= wanted
    assert page.evaluate("window.bare") == []
    page.evaluate("document.querySelector('.skip').focus()")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


@pytest.mark.slow
def test_the_data_come_out_of_the_page_as_they_went_in(
    compared: Comparison, opened: Callable[..., Opened], tmp_path: Path
) -> None:
    found = opened(compared)
    found.page.locator("nav a[href='#data']").click()
    with found.page.expect_download() as waiting:
        found.page.locator("#data a[download]").press("Enter")
    waiting.value.save_as(tmp_path / "data")
    assert json.loads(gzip.decompress((tmp_path / "data").read_bytes())) == compared.to_dict()
    assert found.said == []


@pytest.mark.slow
def test_paper_has_all_rows_and_the_first_items_of_the_chosen_pair(
    compared: Comparison, opened: Callable[..., Opened]
) -> None:
    page = (found := opened(compared)).page
    page.locator("nav a[href='#items']").click()
    page.select_option("#item-pair", index=1)
    page.fill("#table-0-filter", "system 3")
    page.emulate_media(media="print")
    assert found.shown("#table-0 tbody tr") == 10
    assert 0 < found.shown(".item") <= 6
    assert found.shown(".item[data-pair='1']") == found.shown(".item")
    assert found.shown("nav") == 0


def contrast(first: list[float], second: list[float]) -> float:
    """WCAG 2.1, relative luminance and contrast ratio."""

    def luminance(colour: list[float]) -> float:
        r, g, b = (c / 12.92 if (c := v / 255) <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for v in colour[:3])
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
def test_every_text_stands_out_from_its_ground(compared: Comparison, opened: Callable[..., Opened], dark: bool) -> None:
    """At least 4.5 to 1 in light and dark, WCAG 2.1 AA."""
    page = opened(compared, dark=dark).page
    colours = page.evaluate(
        """() => { const s = getComputedStyle(document.documentElement), p = document.createElement('p');
        document.body.append(p); const rgb = (n) => { p.style.color = s.getPropertyValue('--' + n);
        return getComputedStyle(p).color.match(/[\\d.]+/g).map(Number); };
        return Object.fromEntries(['ink','faint','link','better','worse','paper','card'].map((n) => [n, rgb(n)])); }"""
    )
    for ground in ("paper", "card"):
        for text in ("ink", "faint", "link", "better", "worse"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)


@pytest.mark.slow
def test_a_comparison_without_pairs_has_a_page_too(compared: Comparison, opened: Callable[..., Opened]) -> None:
    found = opened(replace(compared, pairs=(), details=None, buckets=()))
    assert found.page.locator("table").count() > 0
    assert found.said == []
