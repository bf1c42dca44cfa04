"""The manual is written in plain words, in sentences that are read once."""

from __future__ import annotations

import re

import pytest

from tests.docs import words

LONGEST = 22
"""Mean number of words of a page's sentences."""
SCREENS, SCREEN = 15, 60
"""Screens of a page that are not folded, and lines of one."""
LARGEST = 150_000
HARDEST = 60
"""Flesch's reading ease: below it a text is "fairly difficult"."""


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return words.pages()


def test_the_readme_is_short_and_plain() -> None:
    text = (words.DOCS.parent / "README.md").read_text(encoding="utf-8")
    assert text.count("\n") < 80
    assert text.count("```sh") == 2
    assert not words.left_out(text.replace("really outscore", ""))


def test_pages_leave_out_words_that_the_field_says_otherwise(pages: dict[str, str]) -> None:
    found = {name: words.left_out(text) for name, text in pages.items()}
    assert not {name: said for name, said in found.items() if said}


def test_pages_are_readable(pages: dict[str, str]) -> None:
    hard = {name: one for name, text in pages.items() if (one := words.readability(text)).sentence > LONGEST}
    hard |= {name: one for name, text in pages.items() if (one := words.readability(text)).ease < HARDEST}
    assert not hard


def test_pages_that_a_program_makes_are_not_counted(pages: dict[str, str]) -> None:
    assert not {"levels.md", "sources.md"} & pages.keys()
    assert {"index.md", "tutorials/mt.md"} <= pages.keys()


def test_no_page_is_a_heap() -> None:
    for path in (one for one in words.DOCS.rglob("*.md") if not {"_build", "reference"} & {*one.parts}):
        text = path.read_text(encoding="utf-8")
        opened = re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL)
        assert len(text.encode()) <= LARGEST, path.name
        assert opened.count("\n") <= SCREENS * SCREEN, path.name


def test_every_picture_says_what_it_shows() -> None:
    pages = {path.name: path.read_text(encoding="utf-8") for path in words.DOCS.rglob("*.md")}
    short = [
        (name, alt)
        for name, text in pages.items()
        for alt in re.findall(r"!\[([^\]]*)\]\(", text)
        if len(alt.split()) < 7
    ]
    assert not short


def test_faults_are_found_in_prose_and_not_in_code() -> None:
    text = "# Title\n\nThe test looks at `worth`\nvery easily.\n\n```text\nvery redrawn\n```\n"
    assert [each.partition(":")[0] for each in words.left_out(text)] == ["retired", "boast", "boast"]


def test_readability_is_that_of_flesch() -> None:
    text = (
        "# Title of a page\n\nThe cat sat on the mat. It is\nlong, e.g. here (Clark et al. 2011):\n\n```text\nno\n```\n"
    )
    found = words.readability(text)
    # 6 + 9 words in two sentences, each of one syllable
    assert (found.lines, found.sentence) == (3, 7.5)
    assert found.ease == pytest.approx(206.835 - 1.015 * 7.5 - 84.6)
