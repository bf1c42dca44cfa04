"""What a page leaves out for want of room: it says so, and where the rest is."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import pytest

from outscore.base.notes import Note
from outscore.report.html import limits
from outscore.report.html.charts import Picture, pictures_markup
from outscore.results import Comparison, Details, ItemGain, ItemText
from tests.report.builders import comparison, pair, score, two_systems

pytestmark = pytest.mark.usefixtures("light_pages")


def small_picture(name: str) -> Picture:
    return Picture(heading=name, spec={"title": name, "data": {"values": [{"x": 1}]}, "mark": "point"})


def with_item(text: str) -> Comparison:
    key = {"system": "big", "baseline": "base", "metric": "bleu"}
    item = ItemGain(**key, item="7", influence=0.1, baseline_score=None, system_score=None)
    said = ItemText(item="7", labels={}, references=(text,), outputs={})
    return replace(two_systems(), details=Details(items=(item,), texts=(said,)))


def with_names_of_length(n: int) -> Comparison:
    names = [letter * n for letter in "abcd"]
    scores = [score("base", 27.0), *(score(name, 27.0 + i) for i, name in enumerate(names))]
    return comparison(scores, [pair(name, 1.0 + i, 0.001 * i) for i, name in enumerate(names, 1)])


def test_pictures_share_their_room(monkeypatch: pytest.MonkeyPatch) -> None:
    _, (spec,) = pictures_markup([small_picture("one")], static=False)
    monkeypatch.setattr(limits, "PICTURES", 3 * limits.size(str(spec)))
    made, live = pictures_markup([small_picture(f"picture {i}") for i in range(9)], static=False)
    assert 1 < len(live) < 5
    assert f"{9 - len(live)} pictures left out to keep the page small: picture {len(live)}, " in made


def test_a_long_text_ends_with_how_much_is_left_out() -> None:
    page = unescape(with_item("a" * (limits.LONGEST + 1_234)).to("html"))
    assert f"{'a' * limits.LONGEST} … (1,234 more characters)" in page
    assert "a more characters" not in unescape(with_item("a" * limits.LONGEST).to("html"))


def test_items_are_left_out_and_counted_only_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    made = with_item("gold")
    assert made.details is not None
    (one,) = made.details.items
    many = replace(made, details=replace(made.details, items=tuple(replace(one, item=f"q{i}") for i in range(40))))
    assert "left out to keep the page small" not in many.to("html")
    monkeypatch.setattr(limits, "ITEMS", 5_000)
    page = many.to("html")
    shown = page.count('class="item better"')
    assert 1 < shown < 39
    assert f"{40 - shown} more items left out to keep the page small" in page


def test_notes_beyond_the_list_are_counted_at_its_end() -> None:
    notes = tuple(Note(code=f"n{i}", text=f"note number {i}") for i in range(limits.LISTED + 2))
    page = replace(two_systems(), notes=notes).to("html")
    last = page.index(f"note number {limits.LISTED - 1}".capitalize())
    assert last < page.index("And 2 more notes, which the data hold.")


def test_no_page_is_larger_than_its_limit_while_data_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The data stay from some limit on, soon after it has room for them; a long verdict takes room too."""
    made = with_names_of_length(900)
    whole = len(made.to("html").encode())
    monkeypatch.setattr(limits, "PAGE", 0)
    bare = len(made.to("html").encode())
    seen: list[bool] = []
    for most in range(bare, whole + 10_000, 500):
        monkeypatch.setattr(limits, "PAGE", most)
        page = made.to("html")
        seen.append('id="packed"' in page)
        assert len(page.encode()) <= most
        assert seen[-1] == ("All numbers in full precision" in page)
    assert seen == sorted(seen)
    assert seen[-1]
    assert not seen[0]
