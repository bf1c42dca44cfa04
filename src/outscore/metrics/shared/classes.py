"""Class labels: which classes there are, who is confused with whom, and scores averaged over classes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from outscore.base.arrays import Bool, Float, Int
from outscore.base.errors import InputError, UsageError, counted, shown, suggestion
from outscore.base.items import Items
from outscore.metrics import Metric, check_option, safe_ratio
from outscore.metrics.shared.averaged import Averaged
from outscore.metrics.shared.columns import column

MOST_CLASSES = 1000  # statistics grow with the classes; more than these are texts and not labels

_PARSED = 0.9  # share of labels of several lines from which on they are parses and no labels


def labelled(items: Items, of: str) -> tuple[list[str], list[str]]:
    """Gold and predicted label of every item, without blanks around them.

    Raises:
        InputError: no labels, several gold labels for an item, or none for some item.
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
    if "" in gold:
        raise InputError(
            f"{of} needs a gold label for every item, but item {gold.index('') + 1} has none",
            item=gold.index(""),
            remedy="fill it in, or leave the item out of all files",
        )
    return gold, [label.strip() for label in items.outputs]


def gold_classes(cells: Sequence[Items], of: str) -> tuple[str, ...]:
    """The classes that occur in the gold labels, sorted.

    Raises:
        InputError: see ``labelled``.
    """
    return tuple(sorted({label for cell in cells for label in labelled(cell, of)[0]}))


def few_classes(cells: Sequence[Items], of: str) -> tuple[str, ...]:
    """The gold classes, which must be few enough to count each of them in every item.

    Raises:
        InputError: they are not; or see ``labelled``.
    """
    classes = gold_classes(cells, of)
    if len(classes) > MOST_CLASSES:
        raise InputError(
            f"{of} reads class labels, but {counted(cells[0].n, 'item')} have {len(classes)} different gold labels "
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
        InputError: see ``labelled``.
    """
    size = len(classes) + 1
    gold, predicted = (_places(labels, classes) for labels in labelled(items, "a confusion matrix"))
    cells = np.bincount(gold * size + predicted, minlength=size**2).reshape(size, size)
    return cells[:-1, :-1]


def counted_elsewhere(items: Items, names: Sequence[str]) -> bool:
    """Whether counts are read from columns: they were asked for, they are all there, or there are no predictions."""
    asked = not {*names} <= {"tp", "fp", "fn", "tn"}
    return asked or items.outputs is None or all(name in items.columns for name in names)


@dataclass(frozen=True)
class ClassMetric(Metric):
    """A score of one class, averaged over the classes of the gold labels.

    The score of a class is a ratio of sums of its true positives, false positives and false negatives. A domain, or one
    data set of several, is scored by itself, over the classes that its own gold labels have.
    """

    of_labels: ClassVar[bool] = True

    average: Literal["macro", "weighted", "micro", "each"] = "macro"
    of: str = ""
    tp: str = "tp"
    fp: str = "fp"
    fn: str = "fn"
    _classes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_option("," not in self.of, self, "of", "the name of a class, a comma in it written %2C")
        check_option(not self.of or self.average == "macro", self, "average", "no average together with of=CLASS")

    @abstractmethod
    def of_class(self) -> tuple[Float, Float]:
        """Weights ``(3,)`` of ``[tp, fp, fn]`` in the numerator and in the denominator of the score of a class."""

    def prepared(self, cells: Sequence[Items]) -> tuple[Self, ...]:
        if self._from_columns(cells[0]):
            return (self,)
        if self.average == "micro":
            return (replace(self, _classes=gold_classes(cells, self.name)),)
        if self.of:
            return (replace(self, _classes=(self._among(gold_classes(cells, self.name)),)),)
        classes = few_classes(cells, self.name)
        if self.average == "each":
            return tuple(replace(self, average="macro", of=_written(c), _classes=(c,)) for c in classes)
        return (replace(self, _classes=classes),)

    def statistics(self, items: Items) -> Float:
        if self._from_columns(items):
            return np.stack([column(items, c, self.name) for c in (self.tp, self.fp, self.fn)], axis=-1)
        if self.average == "each":
            raise UsageError(f"{self.label} is one metric for each class: take them from prepared()")
        gold, predicted = labelled(items, self.name)
        if self.average == "micro":
            right = np.array([g == p for g, p in zip(gold, predicted, strict=True)])[:, None]
            return _triples(right, ~right, ~right)
        classes = self._classes or self.prepared([items])[0]._classes
        is_gold, is_predicted = one_hot(gold, classes), one_hot(predicted, classes)
        return _triples(is_gold & is_predicted, is_predicted & ~is_gold, is_gold & ~is_predicted)

    def score(self, sums: Float) -> Float:
        classes = sums.shape[-1] // 3
        all_classes = np.ones(classes)
        counts = sums.reshape(-1, 3)  # products with flat tables take a fraction of the time of those with stacks
        numerator, denominator = self.of_class()
        scores = safe_ratio(counts @ numerator, counts @ denominator).reshape(*sums.shape[:-1], classes)
        if self.average == "weighted":
            gold = (counts[:, 0] + counts[:, 2]).reshape(scores.shape)
            return safe_ratio((gold * scores) @ all_classes, gold @ all_classes)
        mean: Float = scores @ all_classes / classes
        return mean

    def score_of_part(self, statistics: Float) -> Callable[[Float], Float]:
        averaged = self.averaged()
        return self.score if averaged is None else averaged.of_part(statistics).score

    def averaged(self) -> Averaged | None:
        if self.average != "macro" or len(self._classes) < 2:
            return None
        return Averaged(*self.of_class(), gold=np.array([1.0, 0.0, 1.0]), names=self._classes)

    def ratio(self) -> tuple[Float, Float, float] | None:
        """The score as a ratio where there is one row of counts: columns, micro, or one class."""
        if self.average == "each" or (self.average != "micro" and len(self._classes) > 1):
            return None
        return (*self.of_class(), 1.0)

    def signature(self, items: Items) -> str:
        if self._from_columns(items):
            return f"{self.label}|counts:{self.tp},{self.fp},{self.fn}"
        return self.label if self.of else f"{self.label}|average:{self.average}|classes:{len(self._classes)}"

    def _from_columns(self, items: Items) -> bool:
        return (
            not self.of and self.average in ("macro", "micro") and counted_elsewhere(items, (self.tp, self.fp, self.fn))
        )

    def _among(self, classes: tuple[str, ...]) -> str:
        """The class that ``of`` names."""
        wanted = self.of.replace("%2C", ",").replace("%25", "%")
        if wanted not in classes:
            raise UsageError(
                f"{self.name}:of={self.of}: no gold label is {wanted!r}{suggestion(wanted, classes)} "
                f"(there are {shown(classes)})"
            )
        return wanted


def _written(name: str) -> str:
    """A class as the option ``of`` can name it: options end at a comma."""
    return name.replace("%", "%25").replace(",", "%2C")


def _places(labels: Sequence[str], classes: Sequence[str]) -> Int:
    """The place of each label among the classes; one past the last for a label that is none of them."""
    place = {name: i for i, name in enumerate(classes)}
    return np.array([place.get(label, len(place)) for label in labels], dtype=np.int64)


def _triples(tp: Bool, fp: Bool, fn: Bool) -> Float:
    return np.stack([tp, fp, fn], axis=-1).reshape(len(tp), -1).astype(np.float64)
