"""The manual's site for all readers: nothing that axe-core finds, each page at one width and scheme of four."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser.test_readers import violations
from tests.docs.test_site import of_the_site, site

__all__ = ["site"]


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
