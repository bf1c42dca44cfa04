"""Bracketing F1 of constituency trees as EVALB counts it (Sekine & Collins 1997), and its parameter files."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from outscore.base.arrays import Array, Float, Int
from outscore.base.errors import InputError, suggestion
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.base.notation import NotationError
from outscore.base.notation.trees import TREE, Tree, parse
from outscore.metrics import check_option, metric
from outscore.metrics.shared.columns import RatioOfSums, column

_CUT = re.compile(r"[^-=]*")
_QUOTES = frozenset("'\"/")

OTHER_WORDS = 1
"""The status of a sentence whose words are not those of the gold tree."""


@dataclass(frozen=True)
class Rules:
    """The rules of which brackets count and what is equal.

    Attributes:
        labelled: labels must agree; otherwise only spans.
        deleted: labels that are passed over; above a word, the word with them.
        deleted_words: words that are passed over.
        uncounted: labels whose words are no part of the length of a sentence.
        quotes: labels of quotation marks that one tree may have as a word and the other may pass over.
        same_labels: pairs of labels that are equal.
        same_words: pairs of words that are equal.
    """

    labelled: bool = True
    deleted: frozenset[str] = frozenset()
    deleted_words: frozenset[str] = frozenset()
    uncounted: frozenset[str] = frozenset()
    quotes: frozenset[str] = frozenset()
    same_labels: frozenset[frozenset[str]] = frozenset()
    same_words: frozenset[frozenset[str]] = frozenset()

    @cached_property
    def deleted_brackets(self) -> frozenset[str]:
        """Labels of constituents that are passed over: the deleted ones and those equal to them."""
        return self.deleted.union(*(pair for pair in self.same_labels if pair & self.deleted))

    def same_label(self, one: str, other: str) -> bool:
        """Whether two labels are equal."""
        return one == other or frozenset((one, other)) in self.same_labels

    def same_word(self, one: str, other: str) -> bool:
        """Whether two words are equal."""
        return one == other or frozenset((one, other)) in self.same_words

    def keeps(self, tree: Tree) -> list[bool]:
        """Whether each word of the tree is counted."""
        terminals = zip(tree.words, tree.tags, strict=True)
        return [tag not in self.deleted and word not in self.deleted_words for word, tag in terminals]


COLLINS = Rules(
    deleted=frozenset(("TOP", "-NONE-", ",", ":", "``", "''", ".")),
    uncounted=frozenset(("-NONE-",)),
    same_labels=frozenset((frozenset(("ADVP", "PRT")),)),
)
"""The rules of COLLINS.prm, which most published scores are counted with."""


class Counts(NamedTuple):
    """EVALB's counts of one sentence, under the names of the columns.

    Attributes:
        matched: brackets that both trees have.
        gold_brackets, test_brackets: brackets of each tree.
        crossing: brackets of the test tree that cross one of the gold tree.
        words: words that are compared.
        tags: words with the same label in both trees.
        length: words of the gold tree.
        status: 0; 1 if the words differ; 2 if the test tree has none. Such a sentence is left out of all sums.
    """

    matched: int
    gold_brackets: int
    test_brackets: int
    crossing: int
    words: int
    tags: int
    length: int
    status: int


def count(gold: Tree, test: Tree, rules: Rules) -> Counts:
    """The counts of one sentence."""
    length = sum(tag not in rules.uncounted for tag in gold.tags)
    kept, kept_test = rules.keeps(gold), rules.keeps(test)
    if not any(kept_test):
        return Counts(0, 0, 0, 0, 0, 0, length, 2)
    if sum(kept) != sum(kept_test):
        _restore_quotes(gold, kept, test, kept_test, rules)
    pairs = [list(itertools.compress(stream, mask)) for stream, mask in ((gold.words, kept), (test.words, kept_test))]
    if len(pairs[0]) != len(pairs[1]) or not all(map(rules.same_word, *pairs)):
        return Counts(0, 0, 0, 0, 0, 0, length, OTHER_WORDS)
    tags = map(rules.same_label, itertools.compress(gold.tags, kept), itertools.compress(test.tags, kept_test))
    ours, theirs = _brackets(gold, kept, rules), _brackets(test, kept_test, rules)
    return Counts(
        matched=_count_matches(ours, theirs, rules),
        gold_brackets=len(ours),
        test_brackets=len(theirs),
        crossing=_crossing(ours, theirs),
        words=len(pairs[0]),
        tags=sum(tags),
        length=length,
        status=0,
    )


def read_rules(file: str) -> Rules:
    """The rules of one of EVALB's parameter files (``.prm``).

    Raises:
        InputError: the file cannot be read, or holds something that is no parameter.
    """
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise InputError(
            f"cannot be read ({reason})", file=file, remedy="name one of EVALB's parameter files, as COLLINS.prm"
        ) from None
    found: dict[str, set[frozenset[str]]] = {name: set() for name in _VALUES}
    numbers = {"LABELED": 1, "DISC_ONLY": 0}
    for number, line in enumerate(text.splitlines(), 1):
        name, *values = line.split() or [""]
        if not name or line.startswith("#") or name in _WITHOUT_EFFECT:
            continue
        if name in numbers and values in (["0"], ["1"]):
            numbers[name] = int(values[0])
        elif name in _VALUES and len(values) == _VALUES[name]:
            found[name].add(frozenset(values))
        else:
            raise _no_parameter(name, values, file, number)
    if numbers["DISC_ONLY"]:
        raise InputError("DISC_ONLY 1 is about trees that cross themselves", file=file, remedy="set it to 0")
    single = {name: frozenset(value for values in found[name] for value in values) for name in found}
    return Rules(
        labelled=bool(numbers["LABELED"]),
        deleted=single["DELETE_LABEL"],
        deleted_words=single["DELETE_WORD"],
        uncounted=single["DELETE_LABEL_FOR_LENGTH"],
        quotes=single["QUOTE_LABEL"],
        same_labels=frozenset(found["EQ_LABEL"]),
        same_words=frozenset(found["EQ_WORD"]),
    )


# parameters with the number of their values; those without effect say how EVALB prints and when it gives up
_VALUES = {
    "DELETE_LABEL": 1,
    "DELETE_LABEL_FOR_LENGTH": 1,
    "DELETE_WORD": 1,
    "QUOTE_LABEL": 1,
    "EQ_LABEL": 2,
    "EQ_WORD": 2,
}
_WITHOUT_EFFECT = ("DEBUG", "MAX_ERROR", "CUTOFF_LEN")


def _no_parameter(name: str, values: list[str], file: str, line: int) -> InputError:
    known = [*_VALUES, *_WITHOUT_EFFECT, "LABELED", "DISC_ONLY"]
    if name not in known:
        message = f"{name[:40]!r} is no parameter{suggestion(name, known)}"
    elif name in _VALUES:
        message = f"{name} has {len(values)} values, expected {_VALUES[name]}"
    else:
        message = f"{name} is {' '.join(values)[:40]!r}, expected 0 or 1"
    return InputError(message, file=file, line=line, remedy="see EVALB's COLLINS.prm")


def _restore_quotes(gold: Tree, kept: list[bool], test: Tree, kept_test: list[bool], rules: Rules) -> None:
    """Counts a passed-over quotation mark where the other tree has it as a word, lest the lengths differ."""

    def quotes(tree: Tree) -> list[int]:
        terminals = zip(tree.words, tree.tags, strict=True)
        return [i for i, (word, tag) in enumerate(terminals) if tag in rules.quotes and word in _QUOTES]

    ours = quotes(gold)
    for theirs in quotes(test):
        place = sum(kept_test[:theirs])
        before = list(itertools.accumulate(kept, initial=0))
        for our in ours:
            mine, other = gold.tags[our], test.tags[theirs]
            if before[our] != place or mine == other or (mine in rules.deleted) == (other in rules.deleted):
                continue
            if mine in rules.deleted:
                kept[our] = True
                before = list(itertools.accumulate(kept, initial=0))
            else:
                kept_test[theirs] = True


def _brackets(tree: Tree, kept: list[bool], rules: Rules) -> list[tuple[str, int, int]]:
    """Constituents over the kept words, without function tags; those that are empty or deleted are gone."""
    before = list(itertools.accumulate(kept, initial=0))
    cut = ((_CUT.match(label)[0], before[start], before[end]) for label, start, end in tree.brackets)  # type: ignore[index]
    return [(label, start, end) for label, start, end in cut if start < end and label not in rules.deleted_brackets]


def _count_matches(gold: list[tuple[str, int, int]], test: list[tuple[str, int, int]], rules: Rules) -> int:
    """Brackets in common; each is matched once, with the first that is free."""
    free: dict[tuple[int, int], list[str]] = {}
    for label, start, end in test:
        free.setdefault((start, end), []).append(label)
    matched = 0
    for label, start, end in gold:
        labels = free.get((start, end), [])
        for i, other in enumerate(labels):
            if not rules.labelled or rules.same_label(label, other):
                del labels[i]
                matched += 1
                break
    return matched


def _crossing(gold: list[tuple[str, int, int]], test: list[tuple[str, int, int]]) -> int:
    spans = {(start, end) for _, start, end in gold}
    return sum(any(a < start < b < end or start < a < end < b for a, b in spans) for _, start, end in test)


_COUNTS = {
    "f1": ("matched", "gold_brackets", "test_brackets"),
    "precision": ("matched", "test_brackets"),
    "recall": ("matched", "gold_brackets"),
    "tagging": ("tags", "words"),
    "exact": ("matched", "gold_brackets", "test_brackets"),
    "crossing": ("crossing",),
    "no_crossing": ("crossing",),
    "two_or_less": ("crossing",),
}
"""The counts that each measure is made of."""

_OF_SENTENCE: dict[str, Callable[..., Array]] = {
    "exact": lambda matched, gold, test: (matched == gold) & (gold == test),
    "crossing": lambda crossing: crossing,
    "no_crossing": lambda crossing: crossing == 0,
    "two_or_less": lambda crossing: crossing <= 2,
}
"""The value of one sentence under the measures that are means over sentences."""


@metric("evalb")
@dataclass(frozen=True)
class Evalb(RatioOfSums):
    """Labelled bracketing F1 over all sentences, 0-100, and the other numbers of EVALB's summary.

    Statistics per item: ``[matched, gold brackets, test brackets]`` for F1, else numerator and denominator of the
    measure. A sentence whose words are not those of the gold tree, or that has no parse, is left out (all zeros), as
    EVALB leaves it out. Items without trees may bring the counts as the columns of EVALB's table.

    Args:
        measure: f1, precision, recall; exact (proportion of trees without any error); crossing (crossing brackets per
            sentence, lower is better), no_crossing, two_or_less (proportion of sentences with at most so many); tagging
            (proportion of right tags).
        parameters: one of EVALB's parameter files; by default the rules of COLLINS.prm.
        labelled: whether labels must agree; by default as the parameters say.
        cutoff: leave out sentences of more words; 0 for none.
    """

    also: ClassVar[tuple[str, ...]] = ("parseval", "bracketing_f1")
    unit: ClassVar[str] = "F1 0-100"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 100.0)
    citation: ClassVar[str] = "Sekine & Collins 1997, EVALB; Black et al. 1991, PARSEVAL"
    example: ClassVar[str] = "evalb:labelled=false"
    reads: ClassVar[str] = TREE
    leaves_out: ClassVar[str] = "sentences with other words than the gold tree"

    measure: Literal["f1", "precision", "recall", "exact", "crossing", "no_crossing", "two_or_less", "tagging"] = "f1"
    parameters: str = ""
    labelled: bool | None = None
    cutoff: int = 0

    def __post_init__(self) -> None:
        check_option(self.cutoff >= 0, self, "cutoff", "a number of words, or 0 for all sentences")
        if self.measure != "f1":
            # the class has the unit of F1, the object that of its own measure
            share = f"{self.measure.replace('_', ' ')} 0-100"
            object.__setattr__(self, "unit", "brackets per sentence" if self.measure == "crossing" else share)
        if self.measure == "crossing":
            object.__setattr__(self, "limits", None)

    @property
    def higher_is_better(self) -> bool:
        return self.measure != "crossing"

    def statistics(self, items: Items) -> Float:
        names = _COUNTS[self.measure]
        counts = self._counts(items, (*names, "length") if self.cutoff else names)
        parts: list[Array] = [counts[name] for name in names]
        if self.measure in _OF_SENTENCE:
            parts = [_OF_SENTENCE[self.measure](*parts), np.ones(items.n)]
        counted = counts["status"] == 0
        if self.cutoff:
            counted &= counts["length"] <= self.cutoff
        rows: Float = np.stack(parts, axis=-1) * counted[:, None]
        return rows

    def ratio(self) -> tuple[Float, Float, float]:
        if self.measure == "f1":
            return np.array([2.0, 0.0, 0.0]), np.array([0.0, 1.0, 1.0]), 100.0
        return np.array([1.0, 0.0]), np.array([0.0, 1.0]), 1.0 if self.measure == "crossing" else 100.0

    def find_left_out(self, items: Items, statistics: Float) -> Int:
        if items.outputs is None:
            return super().find_left_out(items, statistics)
        nothing = np.flatnonzero(~statistics.any(axis=1))
        golds, outputs, rules = items.references[0], items.outputs, self._rules()
        status = [count(parse(golds[i]), parse(outputs[i]), rules).status for i in nothing.tolist()]
        where: Int = nothing[np.array(status) == OTHER_WORDS]
        return where

    def signature(self, items: Items) -> str:
        if items.outputs is None:
            return self.label
        rules, version = "COLLINS.prm", ""
        if self.parameters:
            path = Path(self.parameters)
            rules, version = path.name, f"|sha256:{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"
        labelled = "yes" if self._rules().labelled else "no"
        return f"measure:{self.measure}|params:{rules}{version}|labelled:{labelled}|cutoff:{self.cutoff or 'no'}"

    def _rules(self) -> Rules:
        rules = read_rules(self.parameters) if self.parameters else COLLINS
        return rules if self.labelled is None else replace(rules, labelled=self.labelled)

    def _counts(self, items: Items, needed: tuple[str, ...]) -> Mapping[str, Float]:
        """The counts by name, of the trees or as another program counted them."""
        if items.outputs is not None:
            return self._count_trees(items)
        if not items.columns:
            raise InputError(
                "evalb reads trees, or the counts that EVALB printed, but there are none",
                remedy="give files of trees and -r GOLD_FILE, or EVALB's reports",
            )
        found = {name: column(items, name, self.name) for name in needed}
        return found | {
            "status": column(items, "status", self.name) if "status" in items.columns else np.zeros(items.n)
        }

    def _count_trees(self, items: Items) -> Mapping[str, Float]:
        if len(items.references) != 1:
            found = f"there are {len(items.references)}" if items.references else "there are none"
            raise InputError(f"evalb compares with one file of gold trees, but {found}", remedy="give one -r GOLD_FILE")
        rules = self._rules()
        golds: dict[str, Tree] = {}
        rows = []
        for i, (output, gold) in enumerate(zip(items.outputs or (), items.references[0], strict=True)):
            if gold not in golds:
                golds[gold] = _tree(gold, i, "reference")
            rows.append(count(golds[gold], _tree(output, i, "output"), rules))
        return dict(zip(Counts._fields, np.array(rows, dtype=np.float64).T, strict=True))


def _tree(text: str, item: int, role: str) -> Tree:
    try:
        return parse(text)
    except NotationError as error:
        raise InputError(
            f"the {role} of item {item + 1} is no tree: {error}",
            item=item,
            remedy="give bracketed trees, an empty text for a sentence without a parse",
        ) from None
