"""Human judgments in words: who is preferred to whom, and whether that is shown."""

from __future__ import annotations

import pandas as pd
import pytest

import outscore
from outscore.report import screen_of
from outscore.results.humans import Humans


def judged(*winners: tuple[str, str, str]) -> Humans:
    rows = [{"item": i, "system1": a, "system2": b, "winner": won} for i, (a, b, won) in enumerate(winners)]
    return outscore.humans(pd.DataFrame(rows))


@pytest.mark.parametrize("order", [("new", "old"), ("old", "new")])
def test_of_two_systems_the_preferred_one_is_said_to_be_so(order: tuple[str, str]) -> None:
    """Whatever is named first in the data."""
    result = judged(*[(*order, "new")] * 14, *[(*order, "old")] * 2, *[(*order, "tie")] * 4)
    said, table = result.sentence, screen_of(result).first[0]
    assert said.startswith("new is preferred to old in 88% of 16 decided judgments (95% CI ")
    assert "p = .004" in said
    assert [cell.text for cell in table.rows[0]] == ["new", "old", "14", "4", "2", "88%", ".004"]
    low, high = (float(end.strip("[]% ")) for end in table.rows[0][5].tail.split(","))
    assert 50 < low < 88 < high


def test_a_preference_that_is_not_shown_is_claimed_for_neither() -> None:
    result = judged(*[("new", "old", "new")] * 5, *[("new", "old", "old")] * 4)
    said = "new is not shown to be preferred to old or the other way round: 56% of 9 decided judgments"
    assert result.sentence.startswith(said)


def test_ties_alone_decide_nothing() -> None:
    assert judged(*[("new", "old", "tie")] * 5).sentence.startswith("No judgment decides between new and old.")
    of_three = judged(*[(a, b, "tie") for a in "ab" for b in "bc" if a != b])
    assert of_three.sentence.startswith("No judgment decides between two systems.")


def test_pairs_that_differ_are_named_the_better_one_first() -> None:
    pairs = [("a", "b", "b"), ("a", "c", "c"), ("b", "c", "c"), ("b", "c", "b")]
    result = judged(*pairs * 12)
    assert "2 of 3 pairs of systems differ: b over a and c over a." in result.sentence
    board = screen_of(result).first[0]
    shares = [float(row[1].text.strip("%")) for row in board.rows]
    assert shares == sorted(shares, reverse=True)


def test_raters_and_pairs_by_items_stand_behind_the_first_screen() -> None:
    rows = [(s, i, r, s == "b") for s in "ab" for i in range(6) for r in ("x", "y")]
    result = outscore.humans(pd.DataFrame(rows, columns=["system", "item", "rater", "score"]))
    tables = {table.title: table for table in screen_of(result).tables}
    assert [row[0].text for row in tables["Raters"].rows] == ["x", "y"]
    assert [cell.text for cell in tables["Sign tests"].rows[0][:4]] == ["b", "a", "6", "0"]
    assert not tables["Raters"].first and not tables["Sign tests"].first


def test_no_preference_is_shown_where_the_judgments_of_one_item_outweigh_all_others() -> None:
    """The sign test counts 11 items to 1; of all judgments 11 are for new and 12 for old."""
    rows = [
        {"item": min(i, 11), "system1": "new", "system2": "old", "winner": "new" if i < 11 else "old"}
        for i in range(23)
    ]
    found = outscore.humans(pd.DataFrame(rows))
    (pair,) = found.preferences
    assert pair.p_value is not None
    assert pair.p_value < 0.05
    assert "is not shown to be preferred" in found.to("sentence")
