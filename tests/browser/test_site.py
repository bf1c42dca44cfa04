"""The manual's site for all readers: nothing that axe-core finds, each page at one width and scheme of four."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser.test_readers import violations
from tests.docs import manual
from tests.docs.test_site import of_the_site, site

__all__ = ["site"]

CUT = """() => { const all = document.querySelector('svg'), box = all.getBoundingClientRect();
  return [...all.querySelectorAll('text')].filter(one => {
    const its = one.getBoundingClientRect(), seen = its.width > 0 && one.getAttribute('opacity') !== '0';
    return seen && (its.left < box.left - 1 || its.right > box.right + 1 || its.bottom > box.bottom + 1);
  }).map(one => one.textContent); }"""
"""Words that a picture draws beyond its edge; what Vega leaves out has no opacity."""
GROUND = """() => { const img = document.querySelector('article img[src$=".svg"]'), of = getComputedStyle(img);
  return of.filter; }"""


@pytest.mark.slow
def test_no_picture_of_the_manual_is_cut_at_its_edge(browser: Any) -> None:
    page, found = browser.new_page(viewport={"width": 1400, "height": 1000}), {}
    for picture in sorted((manual.DOCS / "pictures").glob("*.svg")):
        page.goto(picture.as_uri())
        if cut := page.evaluate(CUT):
            found[picture.name] = cut
    page.close()
    assert found == {}


@of_the_site
def test_pictures_are_dark_where_the_page_is(site: Path, browser: Any) -> None:
    for scheme in ("light", "dark"):
        page = browser.new_page(color_scheme=scheme)
        page.goto((site / "power.html").as_uri())
        assert page.evaluate(GROUND).startswith("invert") == (scheme == "dark")
        page.close()


@of_the_site
@pytest.mark.slow
def test_axe_finds_nothing_on_the_site(site: Path, browser: Any) -> None:
    screens = [(width, scheme) for width in (390, 1280) for scheme in ("light", "dark")]
    kinds = [sorted(folder.glob("*.html")) for folder in (site, *site.rglob("*/")) if "_" not in folder.name]
    # pages of a folder are alike but for what they say, and a page takes a second: its first and last, and some between
    pages = [page for kind in kinds for page in (*kind[:-1:10], *kind[-1:])]
    asked = [(site / "index.html", screen) for screen in screens]
    asked += [(page, screens[number % 4]) for number, page in enumerate(pages)]
    found = {}
    for page, (width, scheme) in asked:
        opened = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        opened.goto(page.as_uri())
        if said := violations(opened):
            found[page.name, width, scheme] = said
        opened.close()
    assert found == {}
