"""What tests of reports share."""

from __future__ import annotations

import pytest

from outscore.report.html import page
from outscore.report.html.elements import Markup


@pytest.fixture
def light_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages without the program that draws: it takes seconds to be packed, and is the same on all of them."""
    monkeypatch.setattr(page, "program", lambda: Markup('<script type="text/plain" id="program"></script>'))
