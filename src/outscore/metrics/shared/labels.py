"""Class labels: which classes there are, and who is confused with whom; and scores of words that have one tag."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Self

import numpy as np

from outscore.base.arrays import Array, Bool, Int
from outscore.base.errors import InputError, inflect
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import Metric

MOST_CLASSES = 1000  # statistics grow with the classes; more than these are texts and not labels

_PARSED = 0.9  # proportion of labels of several lines from which on they are parses and no labels


def read_labels(items: Items, of: str, *, some_have_none: bool = False) -> tuple[list[str], list[str]]:
    """Gold and predicted label of every item, without blanks around them.

    Raises:
        InputError: no labels, several gold labels for an item, or none for some item, unless such there may be.
    """
    if items.outputs is None or not items.references:
        lacking = "predictions" if items.outputs is None else "gold labels"
        raise InputError(
            f"{of} compares predictions with gold labels, but there are no {lacking}",
            remedy="give files of predictions, and -r GOLD_FILE, in Python references=",
        )
    if len(items.references) > 1:
        raise InputError(
            f"{of} takes one gold label for each item, but there are {len(items.references)} files or columns of them",
            remedy="give one; accuracy takes several",
        )
    gold = [label.strip() for label in items.references[0]]
    # a name may hold a line break, a sentence in CoNLL-U is made of them
    if sum("\n" in label for label in gold) > _PARSED * len(gold):
        raise InputError(
            f"{of} takes one label for each item, but the gold holds parsed sentences or texts of several lines",
            remedy="give a table of labels; parses have metrics of their own: -m las,uas,upos",
        )
    if "" in gold and not some_have_none:
        raise InputError(
            f"{of} needs a gold label for every item, but item {gold.index('') + 1} has none",
            item=gold.index(""),
            remedy="fill it in, or leave the item out of all files",
        )
    return gold, [label.strip() for label in items.outputs]


def escape(name: str) -> str:
    """A class as an option can name it: options end at a comma."""
    return name.replace("%", "%25").replace(",", "%2C")


def unescape(name: str) -> str:
    """The text that an option stands for."""
    return name.replace("%2C", ",").replace("%25", "%")


def read_label_sets(items: Items, of: str, separator: str) -> tuple[list[frozenset[str]], list[frozenset[str]]]:
    """Gold and predicted labels of every item, which may have several, or none; ``separator`` as an option has it.

    Raises:
        InputError: see ``read_labels``.
    """
    gold, predicted = (
        [frozenset(part.strip() for part in cell.split(unescape(separator))) - {""} for cell in cells]
        for cells in read_labels(items, of, some_have_none=True)
    )
    return gold, predicted


def count_in_sets(
    gold: Sequence[frozenset[str]], predicted: Sequence[frozenset[str]], classes: Sequence[str]
) -> tuple[Array, Array, Array]:
    """True positives, false positives and false negatives, ``(items, classes)``; ``(items, 1)`` without classes."""
    pairs = [(g & p, p - g, g - p) for g, p in zip(gold, predicted, strict=True)]
    if not classes:
        tp, fp, fn = np.array([[len(part) for part in parts] for parts in pairs]).T[..., None]
        return tp, fp, fn
    found = np.array([[[name in part for name in classes] for part in parts] for parts in pairs])
    return found[:, 0], found[:, 1], found[:, 2]


def gold_classes(runs: Sequence[Items], of: str, separator: str = "") -> tuple[str, ...]:
    """The classes that occur in the gold labels, sorted; of items with several, what stands between separators.

    Raises:
        InputError: see ``read_labels``.
    """
    if separator:
        return tuple(sorted({label for run in runs for one in read_label_sets(run, of, separator)[0] for label in one}))
    return tuple(sorted({label for run in runs for label in read_labels(run, of)[0]}))


def find_classes(runs: Sequence[Items], of: str, separator: str = "") -> tuple[str, ...]:
    """The gold classes, which must be few enough to count each of them in every item.

    Raises:
        InputError: they are not; or see ``read_labels``.
    """
    classes = gold_classes(runs, of, separator)
    if len(classes) > MOST_CLASSES:
        raise InputError(
            f"{of} reads class labels, but {inflect(runs[0].n, 'item')} have {len(classes)} different gold labels "
            f"(at most {MOST_CLASSES})",
            remedy="use accuracy or exact_match",
        )
    return classes


def one_hot(labels: Sequence[str], classes: Sequence[str]) -> Bool:
    """Which class each label is, ``(labels, classes)``; a label outside of the classes is none of them."""
    found: Bool = _places(labels, classes)[:, None] == np.arange(len(classes))
    return found


def confusion(items: Items, classes: Sequence[str]) -> Int:
    """The confusion matrix ``(gold, predicted)`` over ``classes``, in their order.

    An item counts in it if both of its labels are among the classes: to see every item, give all labels that occur.

    Raises:
        InputError: see ``read_labels``.
    """
    size = len(classes) + 1
    gold, predicted = (_places(labels, classes) for labels in read_labels(items, "a confusion matrix"))
    cells = np.bincount(gold * size + predicted, minlength=size**2).reshape(size, size)
    return cells[:-1, :-1]


def has_counts(items: Items, names: Sequence[str]) -> bool:
    """Whether counts are read from columns: they were asked for, they are all there, or there are no predictions."""
    asked = not {*names} <= {"tp", "fp", "fn", "tn"}
    return asked or items.outputs is None or all(name in items.columns for name in names)


def _places(labels: Sequence[str], classes: Sequence[str]) -> Int:
    """The place of each label among the classes; one past the last for a label that is none of them."""
    place = {name: i for i, name in enumerate(classes)}
    return np.array([place.get(label, len(place)) for label in labels], dtype=np.int64)


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
