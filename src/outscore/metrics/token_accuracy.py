"""Accuracy of tags, token by token; also on words that training has not seen."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Literal, Self

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError, inflect
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import check_option, metric
from outscore.metrics.shared.columns import RatioOfSums
from outscore.metrics.shared.labels import OfTags

_EXPECTED = "all; or unseen or seen, together with vocabulary=FILE or seen=LABEL"


@metric("token_accuracy")
@dataclass(frozen=True)
class TokenAccuracy(RatioOfSums, OfTags):
    """Proportion of tokens with the right tag, 0-1; an item is a sentence, its tags separated by blanks.

    Statistics per item: ``[right, tokens]``. Without any token the score is 0.

    Args:
        words: ``all`` tokens, or those whose form is ``unseen`` or ``seen`` in training.
        vocabulary: file of the forms of training, one a line; of lines with several columns the first counts, of
            CoNLL-U the second. The forms of the test items are their label ``tokens``, separated by blanks.
        seen: label that says it instead, 1 or 0 for each token, separated by blanks.
        _known: the forms of the test items that training has, found by ``prepare``.
    """

    also: ClassVar[tuple[str, ...]] = ("tagging_accuracy", "token_acc", "pos_accuracy")
    unit: ClassVar[str] = "share 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    citation: ClassVar[str] = "share of tokens with the right tag"
    example: ClassVar[str] = "token_accuracy"

    words: Literal["all", "unseen", "seen"] = "all"
    vocabulary: str = ""
    seen: str = ""
    _known: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        sources = bool(self.vocabulary) + bool(self.seen)
        check_option(sources == (self.words != "all"), self, "words", _EXPECTED)

    def prepare(self, runs: Sequence[Items]) -> tuple[Self, ...]:
        for run in runs:
            # here the numbers of the items in a message are those of the whole test set
            _tags(run, self.name)
        if not self.vocabulary:
            return (self,)
        forms = {form for run in runs for text in self._label(run, "tokens") for form in text.split()}
        return (replace(self, _known=tuple(sorted(forms & _forms(self.vocabulary)))),)

    def statistics(self, items: Items) -> Float:
        if self.vocabulary and self._known is None:
            return self.prepare([items])[0].statistics(items)
        gold, predicted = _tags(items, self.name)
        rows = []
        for right, given, counts in zip(gold, predicted, self._counts(items, gold), strict=True):
            hits = [r == g for r, g, c in zip(right, given, counts, strict=True) if c and self._tag in ("", r)]
            rows.append([sum(hits), len(hits)])
        return np.array(rows, dtype=np.float64)

    def gold_tags(self, items: Items) -> list[list[str]]:
        return _tags(items, self.name)[0]

    def ratio(self) -> tuple[Float, Float, float]:
        return np.array([1.0, 0.0]), np.array([0.0, 1.0]), 1.0

    def _counts(self, items: Items, gold: Sequence[Sequence[str]]) -> Iterator[Iterable[bool]]:
        """Item by item, which of its tokens count."""
        if self.words == "all":
            yield from ([True] * len(tags) for tags in gold)
            return
        name = self.seen or "tokens"
        known = frozenset(("1",) if self.seen else self._known or ())
        for i, (text, tags) in enumerate(zip(self._label(items, name), gold, strict=True)):
            tokens = text.split()
            if len(tokens) != len(tags):
                raise InputError(
                    f"{self.name}: item {i + 1} has {inflect(len(tags), 'tag')}, but {len(tokens)} in {name!r}",
                    item=i,
                    remedy="give one for each token, separated by blanks",
                )
            if self.seen and not set(tokens) <= {"0", "1"}:
                raise InputError(
                    f"{self.name}: item {i + 1} has {text!r} in {name!r}",
                    item=i,
                    remedy="write 1 for seen and 0 for unseen",
                )
            yield [(token in known) == (self.words == "seen") for token in tokens]

    def _label(self, items: Items, name: str) -> Sequence[str]:
        if name not in items.labels:
            raise InputError(
                f"{self.label} needs a column {name!r} that describes the items",
                remedy=f"give a table with it by --items: {'1 or 0' if self.seen else 'the form'} of each token, "
                "separated by blanks",
            )
        return items.labels[name]


def _tags(items: Items, of: str) -> tuple[list[list[str]], list[list[str]]]:
    """Gold and predicted tags of every item, as many of both.

    Raises:
        InputError: no tags, or not as many.
    """
    if items.outputs is None or len(items.references) != 1:
        raise InputError(
            f"{of} compares tags with one file of gold tags, but there are "
            f"{'no tags' if items.outputs is None else len(items.references)}",
            remedy="give files of tags, and one -r GOLD_FILE",
        )
    gold, predicted = ([text.split() for text in texts] for texts in (items.references[0], items.outputs))
    for i, (right, given) in enumerate(zip(gold, predicted, strict=True)):
        if len(right) != len(given):
            raise InputError(
                f"{of}: item {i + 1} has {inflect(len(given), 'tag')} in the output, but {len(right)} in the gold data",
                item=i,
                remedy="give one tag for each token, separated by blanks",
            )
    return gold, predicted


def _forms(file: str) -> set[str]:
    """The words in a file of a vocabulary, or in the first column of a training file (CoNLL-U: the second).

    Raises:
        InputError: the file cannot be read, or there is no word in it.
    """
    remedy = "name a file with one word of the training data a line"
    try:
        data = Path(file).read_bytes()
        text = (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("not UTF-8 text", file=file, remedy=remedy) from None
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or "damaged"
        raise InputError(f"cannot read ({reason})", file=file, remedy=remedy) from None
    lines = text.split("\n")
    if "\t" in text:
        # lines without a tab are comments, or empty ones between sentences
        rows = [line.split("\t") for line in lines if "\t" in line]
        words = {row[1] if len(row) == 10 and row[0].isdigit() else row[0] for row in rows} - {""}
    else:
        words = {word for line in lines for word in line.split()[:1]}
    if not words:
        raise InputError("there is no word in it", file=file, remedy=remedy)
    return words
