"""Bracketing F1 of constituency trees as EVALB counts it (Sekine & Collins 1997)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Array, Float, Int
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.base.notation import NotationError
from outscore.base.notation.trees import TREE, Tree, parse
from outscore.metrics import Metric, check_option, metric, safe_ratio
from outscore.metrics.shared.bracketing import COLLINS, OTHER_WORDS, Counts, Rules, count, read_rules
from outscore.metrics.shared.columns import column

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
class Evalb(Metric):
    """Labelled bracketing F1 over all sentences, 0-100, and the other numbers of EVALB's summary.

    Statistics per item: ``[matched, gold brackets, test brackets]`` for F1, else numerator and denominator of the
    measure. A sentence whose words are not those of the gold tree, or that has no parse, is left out (all zeros), as
    EVALB leaves it out. Items without trees may bring the counts as the columns of EVALB's table.

    Args:
        measure: f1, precision, recall; exact (share of trees without any error); crossing (crossing brackets per
            sentence, lower is better), no_crossing, two_or_less (share of sentences with at most so many); tagging
            (share of right tags).
        parameters: one of EVALB's parameter files; by default the rules of COLLINS.prm.
        labelled: whether labels must agree; by default as the parameters say.
        cutoff: leave out sentences of more words; 0 for none.
    """

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

    def score(self, sums: Float) -> Float:
        numerator, denominator, scale = self.ratio()
        return scale * safe_ratio(sums @ numerator, sums @ denominator)

    def ratio(self) -> tuple[Float, Float, float]:
        if self.measure == "f1":
            return np.array([2.0, 0.0, 0.0]), np.array([0.0, 1.0, 1.0]), 100.0
        return np.array([1.0, 0.0]), np.array([0.0, 1.0]), 1.0 if self.measure == "crossing" else 100.0

    def left_out(self, items: Items, statistics: Float) -> Int:
        if items.outputs is None:
            return super().left_out(items, statistics)
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
            return self._of_trees(items)
        if not items.columns:
            raise InputError(
                "evalb reads trees, or the counts that EVALB printed, but there are none",
                remedy="give files of trees and -r GOLD_FILE, or EVALB's reports",
            )
        found = {name: column(items, name, self.name) for name in needed}
        return found | {
            "status": column(items, "status", self.name) if "status" in items.columns else np.zeros(items.n)
        }

    def _of_trees(self, items: Items) -> Mapping[str, Float]:
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
