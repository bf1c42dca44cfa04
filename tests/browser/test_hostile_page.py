"""Names, texts, ids, labels and notes stay texts in a browser, whatever they hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from outscore.base.notes import Note
from outscore.results.comparison import Comparison
from outscore.results.details import Details, GainHistogram, ItemGain, ItemText, SubsetGain
from outscore.results.result import Provenance, SourceFile
from tests.browser.conftest import Opened
from tests.browser.payloads import PAYLOADS
from tests.report.builders import hostile
from tests.report.findings import hostile_findings

pytestmark = pytest.mark.slow  # test_page opens a page by default


def everywhere(payloads: tuple[str, ...]) -> Comparison:
    """A comparison in which every text from outside is one of these."""
    made = hostile(payloads)
    first, *_ = payloads
    keys = [{"system": name, "baseline": "base", "metric": "bleu"} for name in payloads]
    edges, counts = (0.0, 0.1, 0.2), (5, 5)
    details = Details(
        histograms=tuple(GainHistogram(**key, edges=edges, counts=counts, resampled="items") for key in keys),
        parts=tuple(
            SubsetGain(**key, by=n, part=n, n_items=2, gain=0.1, ci=None) for key, n in zip(keys, payloads, strict=True)
        ),
        items=tuple(
            ItemGain(**key, item=n, influence=0.1, baseline_score=None, system_score=None)
            for key, n in zip(keys, payloads, strict=True)
        ),
        texts=tuple(ItemText(item=n, labels={n: n}, references=(n, n), outputs={n: n, "base": n}) for n in payloads),
    )
    where: Provenance = replace(
        made.provenance,
        libraries=dict.fromkeys(payloads, first),
        inputs=tuple(SourceFile(file=n, role=n, reader=n, sha256=n, n_items=1) for n in payloads),
        dropped=dict(zip(payloads, payloads, strict=True)),
        cluster=first,
        strata=first,
        citations=payloads,
    )
    notes = tuple(Note(code=n, text=n, remedy=n) for n in payloads)
    return replace(made, details=details, provenance=where, notes=notes, correction=first)


def spied(found: Opened) -> None:
    """Nothing ran, nothing was fetched, nothing was complained about, and nothing but ours is on the page."""
    page = found.page
    assert (found.said, found.asked) == ([], [])
    tags = set(page.evaluate("[...document.querySelectorAll('body *')].map((e) => e.localName)"))
    assert not tags & {"iframe", "object", "embed", "form", "base", "video", "math", "marquee", "template", "link"}
    # clicks on what looks like a link to a program
    links = page.evaluate("[...document.querySelectorAll('[href]')].map((e) => e.getAttribute('href'))")
    assert all(link.startswith(("#", "data:application/gzip")) for link in links)
    handlers = page.evaluate(
        "[...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames()).filter((n) => n.startsWith('on'))"
    )
    assert handlers == []


def test_there_are_enough_payloads() -> None:
    assert len(set(PAYLOADS)) >= 50


def test_hostile_texts_stay_texts_everywhere(opened: Callable[..., Opened]) -> None:
    found = opened(everywhere(PAYLOADS))
    # ``hit`` exists nowhere: calling it would be an error in the console
    assert found.page.evaluate("typeof window.hit") == "undefined"
    spied(found)
    assert "<script>hit(1)</script>" in found.page.locator("#table-0").text_content()
    assert "<img src=x onerror=hit(9)>" in found.page.locator("#notes").text_content()


def test_hostile_names_stay_names_in_the_pictures_of_a_study(opened: Callable[..., Opened]) -> None:
    for number in range(0, len(PAYLOADS), 20):
        found = opened(hostile_findings(PAYLOADS[number : number + 20]))
        spied(found)
