"""One headless Chromium for all tests of pages; without it they are skipped, or fail where everything is required."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from outscore.results.result import Result


@dataclass
class Opened:
    """A page that was opened from a file.

    Attributes:
        page: of Playwright.
        said: what it wrote to the console, and errors; ``asked``: addresses that it asked for beside its own.
    """

    page: Any
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def until(self, true: str) -> None:
        """Waits until an expression is true; the page's own policy forbids it to be evaluated inside the page."""
        end = time.monotonic() + 60
        while not self.page.evaluate(true):
            assert time.monotonic() < end, f"never true: {true}"
            self.page.wait_for_timeout(20)

    def shown(self, selector: str) -> int:
        """How many of these a reader sees."""
        return int(self.page.locator(selector).filter(visible=True).count())


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, by Playwright from PyPI; the program itself comes from the system."""
    needed = bool(os.environ.get("OUTSCORE_DATA_REQUIRED"))
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        (pytest.fail if needed else pytest.skip)("playwright is not installed")
    if program is None:
        (pytest.fail if needed else pytest.skip)("chromium is not installed")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Opens the page of a result: width and colours of the screen as keywords."""
    contexts = []

    def open_(result: Result, *, width: int = 1280, dark: bool = False) -> Opened:
        path = tmp_path / "report.html"
        path.write_text(result.to("html"), encoding="utf-8")
        colours = "dark" if dark else "light"
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=colours)
        contexts.append(context)
        page = context.new_page()
        found = Opened(page)
        page.on("console", lambda message: found.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: found.said.append(f"error: {error}"))
        own = ("file:", "data:", "blob:")
        page.on("request", lambda asked: found.asked.extend([asked.url] * (not asked.url.startswith(own))))
        page.goto(path.as_uri())
        return found

    yield open_
    for context in contexts:
        context.close()
