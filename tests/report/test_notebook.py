"""HTML for Jupyter: the verdict first, the first tables, one picture, the rest folded; texts stay texts."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser

import pytest

from outscore.report.screen import screen_of
from tests.report.builders import HOSTILE, hostile, several_runs
from tests.report.kinds import KINDS

VOID = ("img", "br")


class Balanced(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.open += [] if tag in VOID else [tag]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_whole_part_of_a_page_without_script(kind: str) -> None:
    result = KINDS[kind]()
    text = result.to("notebook")
    parser = Balanced()
    parser.feed(text)
    assert parser.open == []
    assert not {"script", "style", "link", "iframe"} & set(parser.seen)
    shown, _, folded = text.partition("<details>")
    screen = screen_of(result)
    assert shown.count("<table>") == len(screen.first)
    assert folded.count("<table>") == len(screen.tables) - len(screen.first)
    assert shown.count("<img") <= 1 and "<img" not in folded


def test_the_verdict_is_first_and_the_method_folded() -> None:
    made = several_runs()
    text = made.to("notebook")
    assert text.startswith(f"<div><p><b>{screen_of(made).verdict[0]}</b></p>")
    shown, _, folded = text.partition("<details><summary>Details</summary>")
    assert "Null hypothesis" in folded and "Null hypothesis" not in shown


def test_texts_from_outside_stay_texts() -> None:
    text = hostile(list(HOSTILE)).to("notebook")
    assert "<script" not in text and "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    for source in re.findall(r"base64,([^\"]+)", text):
        assert "<script" not in base64.b64decode(source).decode()
    assert "\x1b" not in text
