"""The records of a comparison."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from outscore.base.errors import UsageError, inflect
from outscore.results.details import Details
from outscore.results.gates import Gate, check_gate
from outscore.results.result import Interval, Result, kinds
from outscore.results.set_history import SetHistory


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Another answer that stands beside the main one, with the question that it answers.

    Attributes:
        test: name of the test.
        question: that it answers, in words.
        p_value, p_kind, p_error: as in ``Pair``.
    """

    test: str
    question: str
    p_value: float | None
    p_kind: str
    p_error: float | None


@dataclass(frozen=True, kw_only=True)
class Equivalence:
    """How a gain lies to a margin that was fixed beforehand; None stands for what these data cannot tell.

    Attributes:
        margin: the largest gain or loss that does not matter, in the metric's own unit.
        method: the procedure, as a rule that of the interval of the gain.
        p_equivalent: of the null hypothesis that the gain is as large as the margin, on either side; the larger of two
            one-sided p-values.
        p_not_worse: of the null hypothesis that the system is worse by the margin or more.
        p_equivalent_adjusted, p_not_worse_adjusted: after the correction, each over its own family.
        ci: interval of the gain at level 1 - 2 alpha by the same procedure.
        detectable_gain: smallest true gain that the difference test would find with a power of 80 %.
        power_at_margin: its power to find a true gain as large as the margin.
    """

    margin: float
    method: str
    p_equivalent: float | None
    p_equivalent_adjusted: float | None
    p_not_worse: float | None
    p_not_worse_adjusted: float | None
    ci: Interval | None
    detectable_gain: float | None
    power_at_margin: float | None


@dataclass(frozen=True, kw_only=True)
class Pair:
    """One system against another, as a rule the baseline, under one metric.

    Attributes:
        system: the one judged; ``baseline``: the one that it is compared with.
        gain: score of the system minus score of the other, signed so that positive is better.
        ci: interval of the gain at level 1 - alpha, or None where it is undefined; ``ci_method`` says how it was made.
        test: name of the test; ``question``: what it answers; ``null``: its null hypothesis in words. Empty where the
            metric describes.
        alternative: ``two-sided``, ``greater`` (the system is better), ``less``, or what the test does instead.
        p_value: raw p-value, never 0 from sampling; None where the test has no answer.
        p_kind: ``exact``, ``monte-carlo``, ``saddlepoint`` or ``asymptotic``.
        p_error: Monte-Carlo standard error of p; None unless sampled.
        p_min: smallest p-value that the test could have given on these data; None where it has no floor.
        p_adjusted: p after the correction over the family; ``p_value`` when there is none.
        n_items: items used; ``n_resamples``: resamples drawn, None where none were.
        effect: named effect sizes and counts.
        also: outcomes of other tests, labelled with their questions.
        notes: codes of the notes that concern this pair.
        verdict: ``better``, ``worse``, ``equivalent``, ``inconclusive``, ``underpowered``, or ``described`` for a
            metric that is no claim; empty in results of versions that gave none.
        equivalence: where a margin was given.
    """

    system: str
    baseline: str
    metric: str
    gain: float
    ci: Interval | None
    ci_method: str
    test: str
    question: str
    null: str
    alternative: str
    p_value: float | None
    p_kind: str
    p_error: float | None
    p_min: float | None
    p_adjusted: float | None
    n_items: int
    n_resamples: int | None
    effect: Mapping[str, float | int | str | None]
    also: tuple[Answer, ...] = ()
    notes: tuple[str, ...] = ()
    verdict: str = ""
    equivalence: Equivalence | None = None

    @property
    def own_scores(self) -> tuple[float, float] | None:
        """Scores of the system and of the baseline on the items of this pair, where pairs have items of their own."""
        system, baseline = self.effect.get("score"), self.effect.get("baseline_score")
        if isinstance(system, int | float) and isinstance(baseline, int | float):
            return system, baseline
        return None


@dataclass(frozen=True, kw_only=True)
class Overall:
    """All systems under one metric, tested at once.

    Attributes:
        test, question, null: as in ``Pair``; p_value, p_kind, p_error, n_resamples likewise.
        unit: of one number, a ``run`` or an ``item``; ``n_units``: the items that all
            share, or the numbers of all systems together.
        effect: named numbers that belong to the test (statistic, degrees of freedom, mean ranks).
        notes: codes of the notes that concern this answer.
    """

    metric: str
    test: str
    question: str
    null: str
    p_value: float | None
    p_kind: str
    p_error: float | None
    n_resamples: int | None
    n_systems: int
    n_units: int
    unit: str
    effect: Mapping[str, float | int | str | None]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class DomainGain:
    """The gain within one domain: descriptive, outside the corrected family."""

    system: str
    baseline: str
    metric: str
    domain: str
    n_items: int
    baseline_score: float
    system_score: float
    gain: float
    ci: Interval | None


@kinds.register("compare")
@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison(Result):
    """All that a comparison found: scores, pairs against the baseline or of every two systems, notes and provenance.

    ``details`` are for reports, which show subsets of the test set and single items; None where not asked for.
    ``history`` is what was compared on the same test set before; None where no history is kept.
    """

    baseline: str
    alternative: str
    correction: str
    pairs: tuple[Pair, ...]
    overall: tuple[Overall, ...] = ()
    domains: tuple[DomainGain, ...] = ()
    details: Details | None = None
    history: SetHistory | None = None
    command: str = "compare"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each pair, baseline score and system score included; ready for a data frame.

        Where all systems were tested at once and no pairs were, it is one for each metric.
        """
        if not self.pairs:
            return [_flatten_overall(overall) for overall in self.overall]
        scores = {(s.system, s.metric): s.score for s in self.scores}
        rows = []
        for pair in self.pairs:
            row = dataclasses.asdict(pair)
            for name in ("effect", "also", "notes", "ci", "equivalence"):
                del row[name]
            row["baseline_score"] = scores[pair.baseline, pair.metric]
            row["system_score"] = scores[pair.system, pair.metric]
            row["ci_low"], row["ci_high"] = pair.ci or (None, None)
            row["notes"] = " ".join(pair.notes)
            row |= _flatten_margin(pair.equivalence)
            rows.append(row)
        return rows

    def to_dict(self) -> dict[str, Any]:
        """The public JSON contract as plain dictionaries; ``history`` and ``details`` are there only where kept."""
        plain = super().to_dict()
        return {key: value for key, value in plain.items() if key not in ("history", "details") or value is not None}

    def gate(self, condition: str) -> Gate[Pair]:
        """Whether a condition holds for all systems and metrics; ``failing`` are the pairs for which it does not.

        Metrics that describe have no part in it. Identical outputs are not worse, and equivalent, however few they are:
        where nothing has changed nothing fails.

        Args:
            condition: ``better`` (a significant gain), ``not-worse`` (better, or worse by less than the margin) or
                ``equivalent`` (within the margin on both sides); all after the correction.

        Raises:
            UsageError: there is no such condition, or the comparison was made without what it needs.
        """
        check_gate(condition)
        pairs = [pair for pair in self.pairs if pair.verdict != "described"]
        if condition == "better" and not all(pair.verdict for pair in pairs):
            raise UsageError("this result was saved by a version that gave no verdicts: make it again")
        if condition != "better" and not all(pair.equivalence for pair in pairs):
            raise UsageError(f"the gate {condition!r} needs a margin: compare with --margin")
        failing = tuple(pair for pair in pairs if not self._holds(condition, pair))
        return Gate(condition=condition, failing=failing)

    def _holds(self, condition: str, pair: Pair) -> bool:
        found = pair.equivalence
        if condition == "better" or found is None:
            return pair.verdict == "better"
        if "identical_outputs" in pair.notes or (condition == "not-worse" and pair.verdict == "better"):
            return True
        p = found.p_not_worse_adjusted if condition == "not-worse" else found.p_equivalent_adjusted
        return p is not None and p <= self.alpha

    def check_whole(self) -> None:
        """Raises TypeError where a pair has no scores."""
        measured = {(score.system, score.metric) for score in self.scores}
        for pair in self.pairs:
            if not {(pair.system, pair.metric), (pair.baseline, pair.metric)} <= measured:
                raise TypeError(f"no scores for the pair {pair.system!r} and {pair.baseline!r}")

    def __repr__(self) -> str:
        systems = len({s.system for s in self.scores})
        metrics = ", ".join(dict.fromkeys(s.metric for s in self.scores))
        pairs = inflect(len(self.pairs), "pair")
        against = f"against {self.baseline!r}" if {p.baseline for p in self.pairs} <= {self.baseline} else "in pairs"
        return f"<Comparison of {systems} systems {against}: {metrics}; {pairs}>"


def _flatten_overall(overall: Overall) -> dict[str, Any]:
    """A flat dictionary of an answer about all systems."""
    row = dataclasses.asdict(overall)
    effect = row.pop("effect")
    return {**row, "notes": " ".join(overall.notes), **effect}


def _flatten_margin(found: Equivalence | None) -> dict[str, Any]:
    """The columns of a row that a margin adds."""
    if found is None:
        return {}
    row = dataclasses.asdict(found)
    row["equivalence_method"] = row.pop("method")
    row["equivalence_low"], row["equivalence_high"] = row.pop("ci") or (None, None)
    return row
