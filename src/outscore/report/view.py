"""View of a result that every part of a report shares: metrics, decimals, note numbers, labels."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from outscore.report.numbers import Decimals, decimals_for
from outscore.report.text import clean
from outscore.results import Comparison, Pair, Result, Score

if TYPE_CHECKING:
    pass

_MEAN = re.compile(r"mean:column=([^,]+)(?:,(?:lower|tested)=true)+")


class View:
    """A result as the tables need it; where nothing was compared there are no pairs and no baseline.

    Args:
        result: the record.
        width: decimals asked for, or None for the custom of each unit.
    """

    def __init__(self, result: Result, width: int | None) -> None:
        self.result, self.width = result, width
        compared = result if isinstance(result, Comparison) else None
        self.pairs: tuple[Pair, ...] = compared.pairs if compared else ()
        self.baseline = compared.baseline if compared else None
        self.correction = compared.correction if compared else "none"

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics, in the order of the scores."""
        return tuple(dict.fromkeys(s.metric for s in self.result.scores))

    def scores(self, metric: str) -> list[Score]:
        """Scores under one metric, the baseline first if there is one."""
        found = [s for s in self.result.scores if s.metric == metric]
        return sorted(found, key=lambda s: s.system != self.baseline)

    @cached_property
    def other_pairs(self) -> tuple[Pair, ...]:
        """The pairs of which neither system is the baseline."""
        return tuple(p for p in self.pairs if p.baseline != self.baseline)

    def name_of(self, pair: Pair) -> str:
        """Name of a pair: its system alone, where all are compared with the baseline."""
        system = clean(pair.system)
        return f"{system} against {clean(pair.baseline)}" if self.other_pairs else system

    @cached_property
    def family(self) -> int:
        """How many p-values the correction was made over."""
        return sum(p.p_value is not None or p.p_adjusted is not None for p in self.pairs)

    @cached_property
    def corrected(self) -> bool:
        """Whether an adjusted p-value says more than the raw one."""
        if any(p.p_adjusted != p.p_value for p in self.pairs):
            return True
        return self.correction != "none" and self.family > 1

    @cached_property
    def several_runs(self) -> bool:
        """Whether any system has several runs."""
        return any(len(s.runs) > 1 for s in self.result.scores)

    def label(self, metric: str) -> str:
        """The metric as its unit spells it: ``BLEU`` for ``bleu`` in ``BLEU 0-100``, options kept.

        A mean of a column is called like the column; which way is better is said by its arrow.
        """
        mean = _MEAN.fullmatch(metric)
        if mean is not None and mean[1] not in self.metrics:
            return clean(mean[1])
        return spell_metric(metric, self.scores(metric)[0].unit)

    def decimals(self, metric: str) -> Decimals:
        """Decimals of the scores and gains of one metric, or of coefficients; the same in all tables."""
        return self._decimals[metric] if metric else decimals_for("0-1", width=self.width)

    @cached_property
    def _decimals(self) -> dict[str, Decimals]:
        return {
            m: decimals_for(
                self.scores(m)[0].unit,
                scores=[s.score for s in self.scores(m)],
                gains=[
                    number
                    for p in self.result.contrasts
                    if p.metric == m
                    for number in (p.gain, *(getattr(p, "ci", None) or ()))
                ],
                width=self.width,
            )
            for m in self.metrics
        }

    def decision(self, pair: Pair) -> Literal["better", "worse", ""]:
        """The side that a pair was decided for; where a saved result holds no verdict, what its p-value says."""
        if pair.verdict:
            return pair.verdict if pair.verdict in ("better", "worse") else ""  # type: ignore[return-value]
        p = pair.p_value if pair.p_adjusted is None else pair.p_adjusted
        if p is None or p > self.result.alpha or pair.gain == 0:
            return ""
        return "better" if pair.gain > 0 else "worse"


def spell_metric(metric: str, unit: str) -> str:
    """The metric as its unit spells it, options kept."""
    name, colon, options = clean(metric).partition(":")
    spelled = clean(unit).partition(" ")[0]
    return (spelled if spelled.casefold() == name.casefold() else name) + colon + options


def arrow_of(score: Score) -> str:
    """The direction of the metric."""
    return "↑" if score.higher_is_better else "↓"
