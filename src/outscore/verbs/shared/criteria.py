"""Criteria by which items fall into buckets: a column, the length of the reference, how frequent its words are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, pairwise

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import UsageError, join, suggestion
from outscore.base.lazy import dataclass
from outscore.data.dataset import Dataset
from outscore.data.source import open_source
from outscore.data.specs import natural
from outscore.metrics.shared.columns import number
from outscore.metrics.shared.ngrams import cut_13a
from outscore.verbs.shared.reading import lengths_of, reference_words

NONE = "(none)"
"""The bucket of the items of which a column says nothing."""

_COMPUTED = ("length", "frequency", "pos", "difficulty")
_MOST_NUMBERS = 12  # numbers of a column, of which each is a bucket of its own; more are cut into parts
_LEAST_OTHERS = 5

Named = tuple[str, Int]
"""A bucket by its name, with the numbers of its items."""


@dataclass(frozen=True)
class Criterion:
    """One criterion as it was asked for.

    Attributes:
        name: ``length``, ``frequency``, ``pos``, ``difficulty``, or a column.
        column: it is a column of the data.
        edges: where numbers are cut, each the lowest of its bucket; by default ``parts`` buckets of as many items.
        word: whose frequency is that of a reference: that of its ``rarest`` word, or the ``mean`` of all.
        train: file whose words are counted; by default those of the references.
        wins: on which share of the buckets a system scores higher is asked for, too; each value of a column is one.
    """

    name: str
    column: bool = False
    edges: tuple[float, ...] = ()
    parts: int = 5
    word: str = "rarest"
    train: str = ""
    wins: bool = False

    @classmethod
    def parse(cls, asked: str, columns: Sequence[str]) -> Criterion:
        """The criterion of that name, with options behind a colon: ``length:edges=10+20``; a column goes before.

        Raises:
            UsageError: neither a column nor a criterion, or an option that it has not.
        """
        if asked in columns:
            return cls(asked, column=True)
        name, _, text = asked.partition(":")
        known = [one for one in _COMPUTED if one not in columns]
        if name not in columns and name not in known:
            have = f"the columns {join(columns)}" if columns else "no column that describes the items"
            one = ", and one criterion at a time is taken" if "," in asked else ""
            raise UsageError(
                f"--by {asked!r}: no such column{one}{suggestion(name, [*columns, *known])}; there are "
                f"{join(known)} and {have}"
            )
        options = dict(_split(part, asked) for part in text.split(",")) if text else {}
        made: dict[str, object] = {}
        for key, value in options.items():
            if key not in _OPTIONS or (key in ("word", "train") and name != "frequency") or name == "pos":
                has = {"pos": (), "frequency": tuple(_OPTIONS)}.get(name, ("edges", "parts", "wins"))
                raise UsageError(f"--by {asked!r}: {name} has no option {key!r} (it has: {', '.join(has) or 'none'})")
            try:
                made[key] = _OPTIONS[key](value)
            except ValueError as error:
                raise UsageError(f"--by {asked!r}: {key}={value}: expected {error}") from None
        return cls(name, column=name in columns, **made)  # type: ignore[arg-type]

    def split_items(self, data: Dataset) -> list[Named]:
        """The items in buckets, without systems: by a column, by length or by frequency.

        Raises:
            UsageError: there is nothing to go by.
        """
        if self.column:
            return self._split_column(data.labels[self.name])
        values = self._count_words(data)
        return self.cut(values, " words" if self.name == "length" else "×")

    def split_by_others(self, scores: Sequence[Float], metric: str) -> list[Named]:
        """The items in buckets by the mean score of systems that are not compared.

        Args:
            scores: of each other system ``(items,)``.
            metric: whose scores they are.

        Raises:
            UsageError: too few systems.
        """
        if len(scores) < _LEAST_OTHERS:
            raise UsageError(
                f"--by difficulty needs a column of that name, or the scores of {_LEAST_OTHERS} systems beside the two "
                f"that are compared, and there are {len(scores)}: buckets made of what the compared systems scored "
                "find differences between equal systems every time; give more systems, or --by COLUMN"
            )
        return self.cut(np.mean(scores, axis=0), f" {metric} of others")

    def cut(self, values: Float, unit: str = "") -> list[Named]:
        """Buckets of numbers, the lowest first, that of no number last."""
        known = np.flatnonzero(np.isfinite(values))
        found = list(self._cut_at_edges(values, known, unit) if self.edges else self._cut_parts(values, known, unit))
        rest = np.flatnonzero(~np.isfinite(values))
        return [*found, (NONE, rest)] if len(rest) else found

    def _cut_at_edges(self, values: Float, known: Int, unit: str) -> Iterator[Named]:
        place = np.searchsorted(self.edges, values[known], side="right")
        ends = [f"{edge:g}" for edge in self.edges]
        names = [f"<{ends[0]}", *(f"[{low},{high})" for low, high in pairwise(ends)), f"≥{ends[-1]}"]
        for number_of, name in enumerate(names):
            yield f"{name}{unit}", known[place == number_of]

    def _cut_parts(self, values: Float, known: Int, unit: str) -> Iterator[Named]:
        if not len(known):
            return
        steps = np.linspace(0, 1, self.parts + 1)[1:-1]
        edges = np.unique(np.quantile(values[known], steps, method="higher"))
        place = np.searchsorted(edges, values[known], side="left")
        for part in np.unique(place):
            here = known[place == part]
            yield f"{_name_range(float(values[here].min()), float(values[here].max()))}{unit}", here

    def _split_column(self, texts: Sequence[str]) -> list[Named]:
        said = [text for text in texts if text.strip()]
        if self.edges or (len(set(said)) > _MOST_NUMBERS and not self.wins):  # each task by itself
            values = np.array([number(text) for text in texts])
            if said and np.isfinite([number(text) for text in said]).all():
                return self.cut(values)
            if self.edges:
                wrong = next(text for text in said if not np.isfinite(number(text)))
                raise UsageError(f"--by {self.name}:edges=...: the column holds {wrong!r}, which is no number")
        names = np.array([text if text.strip() else NONE for text in texts], dtype=object)
        found = sorted(set(names.tolist()), key=lambda name: (name == NONE, natural(name)))
        return [(name, np.flatnonzero(names == name)) for name in found]

    def _count_words(self, data: Dataset) -> Float:
        """The words of each reference, or how often its words are seen."""
        if not data.references:
            raise UsageError(f"--by {self.name} counts words of references, and there are none: give a column")
        if self.name == "length":
            return np.array(lengths_of(data))
        words = reference_words(data) if data.notation != "text" else list(map(cut_13a, data.references[0]))
        training = map(cut_13a, open_source(self.train).lines()) if self.train else words
        counts = Counter(chain.from_iterable(training))
        choose: Callable[[list[int]], float] = min if self.word == "rarest" else _mean
        return np.array([choose([counts[word] for word in of]) if of else np.nan for of in words], dtype=np.float64)


def _name_range(low: float, high: float) -> str:
    """``5–12`` of whole numbers, ``-0.25 to 1.5`` of others."""
    first, last = f"{low:.4g}", f"{high:.4g}"
    plain = low.is_integer() and high.is_integer() and low >= 0
    return first if first == last else f"{first}–{last}" if plain else f"{first} to {last}"


def _mean(counts: list[int]) -> float:
    """The geometric mean, that of words not seen taken as once less: frequencies span orders of magnitude."""
    return float(np.expm1(np.mean(np.log1p(counts))))


def _split(part: str, asked: str) -> tuple[str, str]:
    key, equals, value = part.partition("=")
    if not equals:
        raise UsageError(f"--by {asked!r}: {part!r} is no option; write NAME:option=value,option=value")
    return key.strip(), value.strip()


def _edges(text: str) -> tuple[float, ...]:
    edges = tuple(number(one) for one in text.split("+"))
    if not np.isfinite(edges).all() or list(edges) != sorted(set(edges)):
        raise ValueError("rising numbers, as 10+20+40")
    return edges


def _parts(text: str) -> int:
    if not text.isdigit() or int(text) < 2:
        raise ValueError("a whole number, 2 or more")
    return int(text)


def _word(text: str) -> str:
    if text not in ("rarest", "mean"):
        raise ValueError("rarest or mean")
    return text


def _wins(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError("true or false")
    return text == "true"


_OPTIONS: Mapping[str, Callable[[str], object]] = {
    "edges": _edges, "parts": _parts, "word": _word, "train": str, "wins": _wins,
}  # fmt: skip
