"""Scores of words that can be counted by the part of speech that the gold gives them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import field, replace
from typing import Self

from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import Metric


@dataclass(frozen=True)
class OfTags(Metric):
    """A score of words, each of which has a tag in the gold.

    Args:
        _tag: count the words that have this tag alone; all words where it is empty.
    """

    _tag: str = field(default="", kw_only=True)

    @abstractmethod
    def gold_tags(self, items: Items) -> list[list[str]]:
        """The tags of the words of each item in the gold."""

    def of_tag(self, tag: str) -> Self:
        """The same score of the words that have this tag."""
        return replace(self, _tag=tag)
