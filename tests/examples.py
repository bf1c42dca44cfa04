"""How much of a property or of a list of cases is tried: some in the suite of every change, all at night."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import hypothesis
import pytest


def examples(number: int) -> int:
    """Of ``number`` random examples the share of the profile that is loaded, in a hundred; at least four."""
    return min(number, max(4, number * hypothesis.settings().max_examples // 100))


@contextmanager
def at(case: object) -> Iterator[None]:
    """One of many cases of a test, which is named where it fails: a test for each costs more than what it does."""
    try:
        yield
    except Exception as error:
        error.add_note(f"at {case}")
        raise


def first(cases: Iterable[Any], *chosen: Any, others: pytest.MarkDecorator = pytest.mark.nightly) -> list[Any]:
    """Cases of a parametrization: those chosen as they are, the others marked."""
    cases = list(cases)
    assert set(chosen) <= set(cases), f"no such cases: {set(chosen) - set(cases)}"
    return [
        case if case in chosen else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=others)
        for case in cases
    ]
