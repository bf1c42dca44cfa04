"""The page of questions answers each in one form, and the tree from data to test is what ``advise`` says."""

from __future__ import annotations

import re

import pytest

import outscore
from tests.docs import manual, tree
from tests.docs.tree import LEAVES, Leaf

QUESTIONS = manual.DOCS / "questions.md"
MOST = 10
"""Lines of a first screen, wrapped ones included."""


def test_thirty_questions_have_a_command_its_first_screen_and_words_for_the_paper() -> None:
    parts = re.split(r"^### ", QUESTIONS.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    assert len(parts) >= 30
    for part in parts:
        title, _, body = part.partition("\n")
        assert title.endswith("?"), title
        assert "\nPaper: " in body, title
    for block in manual.blocks_of(QUESTIONS):
        if block.language == "console":
            shown = manual.commands_of(block)[-1].shown
            assert 0 < len(shown) <= MOST, block.start


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.row.replace(" ", "-"))
def test_each_leaf_of_the_tree_is_what_advise_says(leaf: Leaf) -> None:
    given = dict(leaf.data())
    (found,) = outscore.advise(given.pop("data"), **given).use
    assert found.test.startswith(leaf.test)
    page = (manual.DOCS / "which-test.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| {leaf.row}.*? \| (.*?) \|", page, flags=re.MULTILINE)
    assert f"`{leaf.test}`" in row


def test_the_tree_is_drawn_from_its_leaves() -> None:
    assert tree.draw() == tree.PICTURE.read_text(encoding="utf-8"), "python -m tests.docs.tree draws it again"
