"""Pages of studies, leaderboards and other results in a browser: whole, silent, by keyboard, on paper, on a phone."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.results.result import Result
from tests.browser.conftest import Opened
from tests.browser.test_page import texts

pytestmark = pytest.mark.slow  # test_page opens a page by default

Open = Callable[..., Opened]


def systems(number: int = 12, n: int = 80) -> dict[str, list[str]]:
    """Systems of which each copies a little more of the reference than the one before."""
    gold = texts(1, n)
    return {
        f"system-{k}": [
            g if i % (number + 2) < k else t for i, (g, t) in enumerate(zip(gold, texts(k + 2, n), strict=True))
        ]
        for k in range(number)
    }


def _rank() -> Result:
    blocks = {"domain": ["news", "talks", "mail", "law"] * 20}
    return outscore.rank(
        systems(), references=[texts(1, 80)], metrics=["chrf", "bleu"], items=blocks, blocks="domain", n_resamples=200
    )


def _study() -> Result:
    return outscore.study("gain", systems(8), references=[texts(1, 80)], metrics="chrf", n_resamples=100, jobs=1)


def _replicate() -> Result:
    draw = np.random.default_rng(5)
    sets = {f"set-{k}": {"base": draw.normal(0, 1, 40), "new": draw.normal(0.6, 1, 40)} for k in range(12)}
    return outscore.replicate(sets, n_resamples=199)


def _power() -> Result:
    return outscore.plan("mcnemar:baseline=0.8,agreement=0.9", effect=0.02, sizes=[500, 1000, 2000, 4000])


def _agree() -> Result:
    draw = np.random.default_rng(6)
    labels = [[str(x) for x in draw.choice(["yes", "no", "perhaps so"], 60)] for _ in range(3)]
    return outscore.agree(dict(zip(("anna", "ben", "cleo"), labels, strict=True)), n_resamples=200)


SYNTHETIC = {"rank": _rank, "study": _study, "replicate": _replicate, "power": _power, "agree": _agree}


@functools.cache
def made(name: str) -> Result:
    return SYNTHETIC[name]()


def overflow(page: Any) -> int:
    """How much wider than the screen the page is."""
    return int(page.evaluate("document.scrollingElement.scrollWidth - document.documentElement.clientWidth"))


def held(result: Result, opened: Open) -> None:
    """What every page keeps, whatever is on it."""
    for width, dark in ((1280, False), (390, True)):
        found = opened(result, width=width, dark=dark)
        assert (found.said, found.asked) == ([], [])
        assert overflow(found.page) == 0
        assert found.page.locator("figure").count() > 0
        assert found.page.locator("#tables table").count() > 0
    assert len(result.to("html").encode()) < 1_200_000


@pytest.mark.parametrize("name", SYNTHETIC)
def test_a_page_is_whole_and_silent_asks_for_nothing_and_fits_a_phone(name: str, opened: Open) -> None:
    held(made(name), opened)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["bleu", "chrf"])
def test_the_same_of_a_leaderboard_of_real_systems(metric: str, data_root: Path, opened: Open) -> None:
    data = outscore.read(f"{data_root}/data/mt_wmt22_de-en/segments.tsv.gz")
    held(outscore.rank(data, metrics=[metric], cluster="doc_id", n_resamples=200), opened)


@pytest.mark.slow
def test_the_same_of_26_language_models_and_of_a_study_of_real_systems(data_root: Path, opened: Open) -> None:
    models = outscore.read(f"{data_root}/data/llm_mmlu_pro/predictions.tsv.gz", columns="domain=category")
    ranks = outscore.rank(models, metrics=["accuracy"], n_resamples=200)
    assert len(ranks.places) == 26
    held(ranks, opened)
    translations = outscore.read(f"{data_root}/data/mt_wmt22_de-en/segments.tsv.gz")
    held(outscore.study("gain", translations, metrics="bleu", n_resamples=100, jobs=1), opened)


def test_ranks_sort_as_numbers_and_within_their_metric(opened: Open) -> None:
    page = opened(made("rank")).page
    page.locator("#table-0 .sort").nth(1).click()  # by names
    page.locator("#table-0 .sort").nth(0).click()
    for body in (1, 2):
        column = page.locator(f"#table-0 tbody:nth-of-type({body}) tr:not(.block) th")
        numbers = [float(text.split()[0]) for text in column.all_text_contents()]
        assert len(numbers) == 12
        assert numbers == sorted(numbers)
        # the heading of a metric stays on top
        assert page.locator(f"#table-0 tbody:nth-of-type({body}) tr").first.get_attribute("class") == "block"


def test_rows_of_a_leaderboard_are_found_by_their_words(opened: Open) -> None:
    found = opened(made("rank"))
    page = found.page
    rows = "#table-0 tbody tr:not(.block)"
    assert found.shown(rows) == 24
    page.fill("#table-0-filter", "SYSTEM-11")
    assert found.shown(rows) == 2
    assert page.locator(".table .count").first.text_content() == "2 of 24 rows"
    page.emulate_media(media="print")
    assert found.shown(rows) == 24


@pytest.mark.parametrize("name", ["rank", "study"])
def test_tab_reaches_every_control(name: str, opened: Open) -> None:
    found = opened(made(name))
    page = found.page
    wanted = page.locator("a[href], button, input, select, summary, [tabindex='0']").filter(visible=True).count()
    page.evaluate("window.reached = new Set(); window.bare = []")
    for _ in range(wanted + 5):
        page.keyboard.press("Tab")
        page.evaluate(
            """() => { const e = document.activeElement; if (e === document.body) return; window.reached.add(e);
            if (getComputedStyle(e).outlineStyle === 'none') window.bare.push(e.outerHTML); }"""
        )
    assert page.evaluate("window.reached.size") >= wanted
    assert page.evaluate("window.bare") == []


@pytest.mark.parametrize("name", ["rank", "study"])
def test_a_page_that_is_opened_for_print_holds_all_its_pictures_and_tables(name: str, opened: Open) -> None:
    found = opened(made(name))
    page = found.page
    figures, tables = page.locator("figure").count(), page.locator("#tables table").count()
    page.emulate_media(media="print")
    assert found.shown("figure svg") >= figures
    assert found.shown("#tables table") == tables
    assert found.shown("nav") == found.shown(".live") == 0
    # A4 without its margins
    page.set_viewport_size({"width": 718, "height": 1000})
    assert all(width <= 718 for width in page.locator(".chart svg").evaluate_all("all => all.map(e => e.clientWidth)"))
    assert len(page.pdf(format="A4")) > 20_000


def test_what_goes_on_to_the_right_fades_until_its_end_is_seen(opened: Open) -> None:
    found = opened(made("rank"), width=240)
    page = found.page
    box = "document.getElementById('table-0').parentElement"
    found.until(f"{box}.classList.contains('more')")
    page.evaluate(f"{box}.scrollLeft = {box}.scrollWidth")
    found.until(f"!{box}.classList.contains('more')")
    # the names stay in sight
    cell = page.locator("#table-0 tbody tr:not(.block) th").first.bounding_box()
    assert cell is not None
    assert 0 <= cell["x"] < 100


def test_the_question_of_a_study_stands_above_its_answers(opened: Open) -> None:
    page = opened(made("study")).page
    assert page.locator("h1").text_content().startswith("How large must a gain be")
    assert page.locator("ul.verdict li").count() == page.locator("figure").count()
