"""JSON documents: the beginning of a cut one, and errors that name the place."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.base.errors import InputError
from outscore.data.documents import beginning, parse

SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-99, 99), st.text('ab"\\{}[],é', max_size=5))
VALUES = st.recursive(
    SCALARS, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text("xy", max_size=2), inner))
)
DOCUMENTS = VALUES.filter(lambda value: isinstance(value, dict | list))


def begins(part: Any, whole: Any) -> bool:
    """Whether ``part`` is ``whole`` cut somewhere: only the last value of each level may be cut."""
    if isinstance(part, dict) and isinstance(whole, dict):
        keys = list(whole)[: len(part)]
        complete = all(part.get(key) == whole[key] for key in keys[:-1])
        return list(part) == keys and complete and all(begins(part[key], whole[key]) for key in keys[-1:])
    if isinstance(part, list) and isinstance(whole, list):
        complete = part[:-1] == whole[: max(0, len(part) - 1)]
        return len(part) <= len(whole) and complete and all(map(begins, part[-1:], whole[len(part) - 1 : len(part)]))
    return bool(part == whole)


@given(document=DOCUMENTS, indent=st.sampled_from([None, 1]), data=st.data())
def test_the_beginning_is_what_is_complete(document: Any, indent: int | None, data: st.DataObject) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=data.draw(st.booleans()))
    assert beginning(text) == (document, False)
    assert beginning(text + '\n{"next": 1}') == (document, True)
    part, more = beginning(text[: data.draw(st.integers(1, len(text)))])
    assert not more
    assert begins(part, document)


@given(text=st.one_of(st.text(), st.text('{}[],:"\\1a ')))
def test_any_text_has_a_beginning_or_none(text: str) -> None:
    assert beginning(text)[0] is None or text.lstrip()[:1] in ("{", "[")


@pytest.mark.parametrize("text", ["[" * 65536, '{"a":' * 10000])
def test_deep_nesting_is_no_document(text: str) -> None:
    assert beginning(text) == (None, False)


def test_errors_name_the_place() -> None:
    node = parse('{"a": [{"b": 1}, {"b": "x"}]}', "f.json")
    values = [one.get("b") for one in node.get("a").items()]
    assert values[0].number() == 1
    with pytest.raises(InputError, match=r"f.json: a\[1\].b: found a text, expected a number; "):
        values[1].number()
    with pytest.raises(InputError, match=r"f.json:2: broken JSON \(.*column 4\); "):
        parse('{"a":\n 1 x}', "f.json")


def test_null_and_absent_are_missing_and_no_number() -> None:
    node = parse('{"a": null, "c": true}', "f.json")
    assert node.get("a").missing
    assert math.isnan(node.get("a").number())
    assert math.isnan(node.get("b").number())
    assert node.get("c").number() == 1
