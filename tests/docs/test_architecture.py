"""The page of the house names what there is: floors, rooms, modules, classes, and where a new thing goes."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.docs import house, manual

ROOT = manual.ROOT
SOURCE = ROOT / "src" / "outscore"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PACKAGES = {".".join(("outscore", *file.parent.relative_to(SOURCE).parts)) for file in SOURCE.glob("*/**/__init__.py")}


def section(title: str) -> str:
    """The part of the page under a heading."""
    (found,) = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, flags=re.MULTILINE | re.DOTALL)
    return str(found)


def test_every_package_is_on_its_page() -> None:
    assert set(re.findall(r"^\| `([\w.]+)` \|", house.page(), flags=re.MULTILINE)) == PACKAGES
    assert house.page() == house.PAGE.read_text(encoding="utf-8"), "python -m tests.docs.house writes it"


def test_the_picture_is_that_of_the_code() -> None:
    assert house.draw() == house.PICTURE.read_text(encoding="utf-8"), "python -m tests.docs.house draws it anew"


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(outscore(?:\.\w+)+)`", PAGE))))
def test_what_is_named_is_there(name: str) -> None:
    assert find_spec(name) is not None


def test_every_class_that_is_named_is_there() -> None:
    text = "\n".join(file.read_text(encoding="utf-8") for file in SOURCE.rglob("*.py"))
    named = set(re.findall(r"`([A-Z][A-Za-z]+)`", PAGE))
    assert len(named) > 8
    assert not {name for name in named if not re.search(rf"^class {name}\b", text, flags=re.MULTILINE)}


def test_a_new_thing_goes_where_its_kind_is() -> None:
    places = re.findall(r"`([\w/]+)/NAME\.py`(?:, `@(\w+)`)?", section("Where the next thing goes"))
    assert len(places) > 8
    for folder, decorator in places:
        opening = SOURCE / folder / "__init__.py"
        assert opening.is_file(), folder
        assert not decorator or re.search(rf"^{decorator} = ", opening.read_text(encoding="utf-8"), flags=re.MULTILINE)


def test_a_newcomer_reads_it_in_minutes() -> None:
    assert len(PAGE.splitlines()) <= 160
    assert len(re.findall(r"^\| [^|]+ \| [^|]+ \|$", section("Words"), flags=re.MULTILINE)) <= 34
    assert (Path(ROOT) / "docs" / "index.md").read_text(encoding="utf-8").count("](architecture.md)") == 1
