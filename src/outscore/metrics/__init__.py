"""Metrics: items to per-item statistics that add, and sums of statistics to scores.

A metric is a class with ``@metric("name")``, in a file of its own here, in that of its family, which ``_FAMILIES`` then
tells, or in another package that offers it by the entry point ``outscore.metrics``. It is a frozen dataclass; its
fields are its options.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from typing import ClassVar, Self

import numpy as np

from outscore.base.arrays import Bool, Float, Int
from outscore.base.errors import UsageError
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.base.registry import Registry, spell


@dataclass(frozen=True)
class Metric(ABC):
    """One metric with its options.

    Class attributes:
        unit: what the score is counted in, e.g. ``BLEU 0-100`` or ``share 0-1``.
        citation: author, year and title of the source.
        example: a name with options that can be typed after ``-m``.
        also: what others call it, see ``Registry``.
        per_item: the score is the mean of one number per item, so tests of means apply; the statistics are then
            ``[weight * value, weight]``.
        extra: the extra of this package that brings the library it needs, if any.
        reads: the notation of the outputs that it reads (``base.notation``): text, conllu, tree, links ...
        of_samples: the metric reads all samples of an item at once, as columns ``n_samples`` and ``n_correct``; where
            nothing is called a sample, the runs of a system are taken as such, and it has one run.
        in_process: the statistics may not be counted in worker processes, for example because one outside program
            serves all calls.
        limits: the lowest and the highest score that there can be, infinite where there is none; None where neither is.
        leaves_out: what ``find_left_out`` leaves out, in words.
        ranked: the score is of the order of the items by the last of their statistics, and no function of sums:
            ``score_weighted`` takes the place of ``score``.
        of_labels: it compares labels, of which an empty one is as a rule a missing one, see ``needs_gold``.
        few_of_class: from so many gold items of each class on, its intervals cover as they say.
    """

    name: ClassVar[str]
    unit: ClassVar[str]
    citation: ClassVar[str]
    example: ClassVar[str]
    also: ClassVar[tuple[str, ...]] = ()
    per_item: ClassVar[bool] = False
    extra: ClassVar[str] = ""
    reads: ClassVar[str] = "text"
    of_samples: ClassVar[bool] = False
    in_process: ClassVar[bool] = False
    limits: ClassVar[tuple[float, float] | None] = None
    leaves_out: ClassVar[str] = ""
    ranked: ClassVar[bool] = False
    of_labels: ClassVar[bool] = False
    few_of_class: ClassVar[int] = 15

    # no part of the metric: the same numbers, cache and equality whatever it is called
    _title: str = field(default="", kw_only=True, repr=False, compare=False)

    @property
    def needs_gold(self) -> bool:
        """Whether an empty gold is a missing one."""
        return self.of_labels

    def prepare(self, runs: Sequence[Items]) -> tuple[Metric, ...]:
        """The metric made ready for these data, before any statistics are counted.

        Args:
            runs: the items of every system and run.

        Returns:
            As a rule the metric itself; one that must know all classes keeps them in a field whose name begins with
            ``_`` (such fields are no options), one that stands for several scores returns them all.
        """
        return (self,)

    @property
    def higher_is_better(self) -> bool:
        """Which way is better; gains are signed so that positive is better."""
        return True

    @property
    def descriptive(self) -> bool:
        """It says how outputs are, not how good: beside other metrics its gains are shown and not tested."""
        return False

    @property
    def direction(self) -> bool | None:
        """Whether higher is better; None where neither is: then a gain is higher or lower, and nobody outscores."""
        return None if self.descriptive else self.higher_is_better

    @property
    def label(self) -> str:
        """The metric with the options that differ from the defaults, as it can be typed again."""
        return spell(self)

    @property
    def title(self) -> str:
        """Its name in tables, JSON, margins and histories: the one that the user gave it, else its label."""
        return self._title or self.label

    def named(self, title: str) -> Self:
        """The same metric by another name; its numbers and its signature stay."""
        return replace(self, _title=title)

    @abstractmethod
    def statistics(self, items: Items) -> Float:
        """Sufficient statistics ``(items, k)`` of one run; each row depends on its own item alone.

        Raises:
            InputError: the items do not hold what the metric needs; the message says what and how to give it.
        """

    @abstractmethod
    def score(self, sums: Float) -> Float:
        """Corpus scores ``(...)`` from sums of statistics ``(..., k)``."""

    def score_segments(self, statistics: Float) -> Float:
        """Scores ``(...)`` of single segments with statistics ``(..., k)``, as they are correlated with others."""
        return self.score(statistics)

    def score_weighted(self, statistics: Float, weights: Float) -> Float:
        """Corpus scores ``(...)`` of items with statistics ``(items, k)`` that count ``weights (..., items)`` times."""
        return self.score(weights @ statistics)

    def ratio(self) -> tuple[Float, Float, float] | None:
        """``(numerator, denominator, scale)``: weights ``(k,)`` such that score = scale * sums@num / sums@den.

        None where the score is no ratio of two sums. It is what exact randomization of ratios needs.
        """
        return None

    def as_average(self) -> Averaged | None:
        """The score as a mean of ratios, one for each class; None where it is no such mean, or of a single class."""
        return None

    def gold_items(self, statistics: Float) -> Iterable[tuple[str, int]]:
        """The classes of statistics ``(items, k)`` with their gold items, or answers if fewer; of no average."""
        return ()

    def error_by_chance(self, statistics: Float) -> tuple[float, float]:
        """The least error of statistics ``(items, k)`` on Fisher's scale times √items, and the most degrees of freedom.

        The error is that of answers that have nothing to do with the gold; 0 where it is unknown.
        """
        return 0.0, float("inf")

    def score_of_part(self, statistics: Float) -> Callable[[Float], Float]:
        """The function ``score`` of some items with these statistics ``(items, k)``, as if they were all there are."""
        averaged = self.as_average()
        return self.score if averaged is None else averaged.restrict(statistics).score

    def find_left_out(self, items: Items, statistics: Float) -> Int:
        """Positions of the items that this run has an answer for and that its score passes over all the same."""
        return np.empty(0, dtype=np.int64)

    def signature(self, items: Items) -> str:
        """Everything that a reader needs to compute the same number again."""
        return self.label


_FAMILIES = {
    **dict.fromkeys(("accuracy", "exact_match", "win_rate", "iqm", "optimality_gap"), "mean"),
    "aer": "alignment",
    **dict.fromkeys(("length_ratio", "perplexity"), "ratio"),
    **dict.fromkeys(("pass_at_k", "pass_hat_k"), "pass_k"),
    **dict.fromkeys(("auc", "average_precision"), "ranked"),
    **dict.fromkeys(("ndcg", "map", "mrr", "ir"), "retrieval"),
    **dict.fromkeys(("f1", "fbeta", "precision", "recall"), "classes"),
    **dict.fromkeys(("kappa", "mcc"), "beyond_chance"),
    **dict.fromkeys(("las", "uas", "upos", "ud", "clas", "mlas", "blex"), "dependency"),
    **dict.fromkeys(("pk", "windowdiff"), "segmentation"),
    "corpus_sari": "sari",
    **dict.fromkeys(("squad_em", "squad_f1"), "squad"),
    **dict.fromkeys(("cer", "mer", "wil"), "wer"),
}
"""The metrics that share a file, with its name."""

_ELSEWHERE = {
    **dict.fromkeys(("pearson", "spearman", "kendall", "correlation"), "correlations are made by outscore correlate"),
    **dict.fromkeys(
        ("comet", "bleurt", "bertscore", "metricx", "moverscore", "bartscore", "gpt4", "llmjudge"),
        "it is not made here; give a table of its scores, and the name of their column",
    ),
}
"""Scores that are not counted here, with the way to them."""

metrics: Registry[Metric] = Registry("metric", "outscore.metrics", "outscore.metrics", _FAMILIES, _ELSEWHERE)
metric = metrics.register


def safe_ratio(numerator: Float, denominator: Float, empty: float = 0.0) -> Float:
    """``numerator / denominator``, and ``empty`` where the denominator is 0 (stated, never NaN)."""
    out: Float = np.full(np.broadcast(numerator, denominator).shape, empty)
    np.divide(numerator, denominator, out=out, where=denominator != 0)
    return out


def check_option(holds: bool, metric: Metric, option: str, expected: str) -> None:
    """Refuses an option whose value no score can be made from.

    Raises:
        UsageError: it does not hold.
    """
    if not holds:
        raise UsageError(f"{metric.name}:{option}={getattr(metric, option)}: expected {expected}")


@dataclass(frozen=True)
class Averaged:
    """How the score of each class is made from its own columns, which all classes have alike, one after another.

    Attributes:
        above, below: weights ``(c,)`` of the columns of a class in the numerator and in the denominator of its score.
        gold: weights ``(c,)`` that count its gold items.
        scale: what the mean of the ratios is multiplied by.
        weighted: whether the statistics of items are multiplied by weights, so that they count no items.
        present: which classes count ``(m,)``; by default all.
        names: of all classes.
    """

    above: Float
    below: Float
    gold: Float
    scale: float = 1.0
    weighted: bool = False
    present: Bool | None = None
    names: tuple[str, ...] = ()

    def sums(self, statistics: Float) -> tuple[Float, Float]:
        """Numerators and denominators ``(..., m)`` of the classes that count, from statistics ``(..., m * c)``."""
        classes = self._classes(statistics)
        return classes @ self.above, classes @ self.below

    def score(self, sums: Float) -> Float:
        """Scores ``(...)`` of sums of statistics; 0 where no class counts."""
        above, below = self.sums(sums)
        ratios = np.divide(above, below, out=np.zeros(below.shape), where=below != 0)
        return np.asarray(self.scale * ratios.sum(axis=-1) / max(ratios.shape[-1], 1))

    def weights(self, columns: int) -> tuple[Float, Float, float] | None:
        """As ``Statistics.ratios`` has it, for so many columns; None where no class counts."""
        classes = np.eye(columns // len(self.above))
        counting = classes if self.present is None else classes[:, self.present]
        m = counting.shape[1]
        above, below = (
            np.einsum("im,c->icm", counting, weights).reshape(columns, m) for weights in (self.above, self.below)
        )
        return (above, below, self.scale / m) if m else None

    def gold_items(self, statistics: Float) -> Int:
        """How many items have each class that counts in their gold ``(m,)``; from statistics ``(items, m * c)``.

        Of weighted ones, as how many of equal weights they count.
        """
        gold = self._classes(statistics) @ self.gold
        effective = gold.sum(axis=0) ** 2, (gold**2).sum(axis=0)
        return np.rint(safe_ratio(*effective)).astype(int) if self.weighted else np.asarray((gold > 0).sum(axis=0))

    def effective(self, statistics: Float) -> tuple[Float, Float] | None:
        """As how many items of equal weights those with each class count ``(m,)``, and their mean weight (Kish 1965).

        None without weights.
        """
        if not self.weighted:
            return None
        weights = np.abs(self._classes(statistics)).max(axis=-1)
        sums, squares = weights.sum(axis=0), (weights**2).sum(axis=0)
        return safe_ratio(sums**2, squares), safe_ratio(squares, sums)

    @property
    def counting(self) -> tuple[str, ...]:
        """The names ``(m,)`` of the classes that count."""
        present = self.present
        return (
            self.names if present is None else tuple(n for n, there in zip(self.names, present, strict=True) if there)
        )

    def restrict(self, statistics: Float) -> Self:
        """The same mean over the classes that some items with these statistics have in their gold."""
        return replace(self, present=replace(self, present=None).gold_items(statistics) > 0)

    def _classes(self, statistics: Float) -> Float:
        classes = statistics.reshape(*statistics.shape[:-1], -1, len(self.above))
        return classes if self.present is None else classes[..., self.present, :]
