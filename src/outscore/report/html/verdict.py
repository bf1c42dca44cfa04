"""Findings in plain words, for the top of the page: the numbers follow below it."""

from __future__ import annotations

from outscore.report.html.elements import Markup, element, join
from outscore.report.screen import Screen
from outscore.results.result import Result

_LONG = 140
"""Characters of a verdict that is read at a glance."""


def verdict_markup(result: Result, screen: Screen) -> Markup:
    """One verdict, or a list of a few."""
    said = [_emphasize(one) for one in screen.verdict]
    # the question of a study stands above its answers
    first = [element("p", said.pop(0), class_="verdict")] if len(said) == 1 or result.verdict_leads else []
    listed = [element("ul", *(element("li", one) for one in said), class_="verdict")] if said else []
    return join([*first, *listed])


def _emphasize(said: str) -> Markup:
    """A long sentence whose first part stands out."""
    lead, mark, rest = said.partition("; ")
    if len(said) <= _LONG or not mark:
        return join([said])
    return join([f"{lead}; ", element("span", rest, class_="rest")])
