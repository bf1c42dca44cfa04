"""Findings in plain words, for the top of the page: the numbers follow below it."""

from __future__ import annotations

from outscore.report.html.elements import Markup, element, join
from outscore.report.screen import Screen
from outscore.results.result import Result

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
    lead, mark, rest = said.partition("; ")
    if len(said) <= _LONG or not mark:
        return join([said])
    return join([f"{lead}; ", element("span", rest, class_="rest")])
