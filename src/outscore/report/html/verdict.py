"""Findings in plain words, for the top of the page: the numbers follow below it."""

from __future__ import annotations

import re

from outscore.report.html.elements import Markup, element, join
from outscore.report.screen import Screen
from outscore.results.result import Result

_PART = re.compile(r"; |(?<=[\w)])\. (?=[A-Z\d])")
"""Where the first part of a verdict ends: a clause, or a sentence."""
_LONG = 140
"""Characters of a verdict that is read at a glance."""


def verdict_markup(result: Result, screen: Screen) -> Markup:
    """The first sentence as the heading of the page, the others as a list below it."""
    first, *others = [_emphasize(one) for one in screen.verdict] or [Markup("Results")]
    kind = "question" if result.verdict_leads else None
    listed = element("ul", *(element("li", one) for one in others), class_="verdict") if others else Markup()
    return join([element("h1", first, class_=kind), listed])


def _emphasize(said: str) -> Markup:
    """A long sentence whose first part stands out."""
    ends = _PART.search(said)
    if len(said) <= _LONG or ends is None:
        return join([said])
    return join([said[: ends.end()], element("span", said[ends.end() :], class_="rest")])
