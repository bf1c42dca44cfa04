"""View of a result that every part of a report shares: metrics, decimals, labels."""

from __future__ import annotations

import re
from functools import cached_property

from outscore.base.text import clean
from outscore.report.numbers import Decimals, decimals_for
from outscore.results.result import Result, Score

_MEAN = re.compile(r"mean:column=([^,]+)(?:,(?:lower|tested)=true)+")


class View:
    """A result as tables and pictures need it.

    Args:
        result: the record.
        width: decimals asked for, or None for the custom of each unit.
        brief: see ``outscore.results.declared.Writer``.
    """

    def __init__(self, result: Result, width: int | None, *, brief: int = 0) -> None:
        self.result, self.width, self.brief = result, width, brief

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics, in the order of the scores."""
        return self.result.metrics

    def scores(self, metric: str) -> list[Score]:
        """Scores under one metric."""
        return self._grouped.get(metric, [])

    @cached_property
    def _grouped(self) -> dict[str, list[Score]]:
        found: dict[str, list[Score]] = {}
        for score in self.result.scores:
            found.setdefault(score.metric, []).append(score)
        return found

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
                    for number in {p.gain, *(getattr(p, "ci", None) or ())}
                ],
                width=self.width,
            )
            for m in self.metrics
        }


def spell_metric(metric: str, unit: str) -> str:
    """The metric as its unit spells it, with its options: ``chrF (word_order=2)``."""
    name, _, options = clean(metric).partition(":")
    spelled = clean(unit).partition(" ")[0]
    own = spelled if spelled.casefold() == name.casefold() else name
    return f"{own} ({options})" if options else own


def arrow_of(score: Score) -> str:
    """The direction of the metric."""
    return "↑" if score.higher_is_better else "↓"
