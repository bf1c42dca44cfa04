"""Base of BLEU, chrF and TER: statistics as sacrebleu counts them, vectorised scores of ours, checked against it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError, MissingExtra
from outscore.base.installed import versions_of
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import Metric
from outscore.metrics.shared.columns import pairs, reference_count

Pair = tuple[str, tuple[str, ...]]
"""An output and its references."""

_PART = 1 << 18  # characters that are counted at once


@dataclass(frozen=True)
class SacreMetric(Metric):
    """A metric whose statistics are those of sacrebleu, segment by segment."""

    @abstractmethod
    def reference_implementation(self) -> Any:
        """sacrebleu's own object with the same options.

        It is imported in there: where a metric is a column by name all metrics are loaded, and sacrebleu takes 0.1 s.
        """

    def statistics(self, items: Items) -> Float:
        texts = pairs(items, self.name)
        theirs = None if self._counted_here else self._theirs()
        statistics = np.concatenate([self._rows(part, theirs) for part in split_texts(texts)])
        if theirs is not None:
            self._assert_same_score(theirs, statistics)
        return statistics

    @property
    def _counted_here(self) -> bool:
        """Whether all is counted here, equal to sacrebleu by test: importing it takes half as long as counting."""
        return False

    def signature(self, items: Items) -> str:
        if (ours := self._signature) and (version := versions_of("sacrebleu").get("sacrebleu")):
            return f"nrefs:{reference_count(items)}|{ours}|version:{version}"
        theirs = self._theirs()
        count = reference_count(items)
        theirs.num_refs = -1 if count == "var" else int(count)  # -1 is what sacrebleu writes as var
        return str(theirs.get_signature())

    @property
    def _signature(self) -> str:
        """sacrebleu's signature between references and version, where it is known without importing it."""
        return ""

    def _rows(self, texts: Sequence[Pair], theirs: Any) -> Float:
        """Statistics of outputs with their references, a row for each; a metric with a faster way has it here."""
        # the semi-public methods on which sacrebleu's own significance tests stand; references are prepared once
        prepared: dict[tuple[str, ...], Any] = {}
        rows = []
        for output, references in texts:
            if references not in prepared:
                segments = [theirs._preprocess_segment(r) for r in references]
                prepared[references] = theirs._extract_reference_info(segments)
            rows.append(self._count_segment(theirs, theirs._preprocess_segment(output), prepared[references]))
        return np.array(rows, dtype=np.float64)

    def _count_segment(self, theirs: Any, output: str, references: Any) -> Sequence[float]:
        """Statistics of one segment, both sides as sacrebleu prepared them."""
        counted: Sequence[float] = theirs._compute_segment_statistics(output, references)
        return counted

    def _theirs(self) -> Any:
        try:
            return self.reference_implementation()
        except (ImportError, RuntimeError) as error:
            # sacrebleu's tokenizers for Japanese, Korean and sentence pieces need libraries that it names at the end
            library = str(error).split()[-1]
            raise MissingExtra(f"{self.label} needs a library: pip install '{library}'") from None
        except OSError as error:
            raise InputError(f"{self.label} cannot load its model ({error})", remedy="use another tokenizer") from None

    def _assert_same_score(self, theirs: Any, statistics: Float) -> None:
        sums = statistics.sum(axis=0)
        expected = theirs._compute_score_from_stats(sums.tolist()).score
        ours = float(self.score(sums))
        if not abs(ours - expected) <= 1e-9 * max(1.0, abs(expected)):
            raise AssertionError(f"{self.label}: our corpus score {ours!r} is not sacrebleu's {expected!r}")


def split_texts(texts: Sequence[Pair]) -> list[Sequence[Pair]]:
    """The texts in parts of so many characters, so that memory is bounded."""
    characters = np.cumsum([len(output) + sum(map(len, references)) for output, references in texts])
    cuts = (np.flatnonzero(np.diff(characters // _PART)) + 1).tolist()
    return [texts[start:end] for start, end in pairwise([0, *cuts, len(texts)])]
