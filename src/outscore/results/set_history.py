"""The records of comparisons that were made before, and of a test set that they were made on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from outscore.results.declared import Shown, Writer

PROCEDURES = {
    "alpha-spending": "alpha spending",
    "lond": "LOND",
    "lord": "LORD++",
    "saffron": "SAFFRON",
    "addis": "ADDIS",
}
"""How papers spell the corrections over a history."""

CONTROLS = {"alpha-spending": "the probability of any false rejection"}
"""Error rate that a correction holds to alpha, where that is not the false-discovery rate."""


def describe_decision(rejected: bool | None) -> str:
    """Decision of a correction over the history, in a word or two."""
    return "–" if rejected is None else "difference" if rejected else "no difference shown"


def describe_promise(procedure: str, alpha: float) -> str:
    """Error rate that a correction controls, and its bound."""
    what = CONTROLS.get(procedure, "the false-discovery rate, the proportion of false among all rejections,")
    return f"{what} is held to {alpha:g}"


@dataclass(frozen=True, kw_only=True)
class KnownSet:
    """A test set, known again by its content.

    Attributes:
        digest: of its items and references, in any order; of its name, where the user gave one.
        name: of the test set.
        known_by: contents of the digest: ``name``, ``items and references``, ``references``, ``items`` or ``number of
            items``.
        n_items: how many items it has.
    """

    digest: str
    name: str
    known_by: str
    n_items: int


@dataclass(frozen=True, kw_only=True)
class RecordedComparison:
    """One use of a test set: two systems compared under one metric by one test.

    Attributes:
        test_set: digest of the test set; ``family``: the uses of it that are corrected together.
        system, baseline: names; ``system_digest``, ``baseline_digest``: of what the metric reads of their outputs.
        metric, signature, test, alternative, alpha, correction: as in ``Comparison``.
        cluster, strata: columns that say what was resampled together, or None.
        engine, seed, n_resamples: of the resampling; ``n_resamples`` is None where nothing was drawn.
        p_value, p_adjusted, gain, ci_low, ci_high, n_items: as in ``Pair``.
        version: of outscore; ``created``: when, in UTC (ISO 8601); ``who``: who asked.
        procedure: the correction over the history under which it was decided then, if any; ``level``: the level that
            it had; ``rejected``: whether its p-value was at most that.
    """

    test_set: str
    family: Annotated[str, Shown("family")]
    system: Annotated[str, Shown("")]
    baseline: Annotated[str, Shown("against")]
    system_digest: str
    baseline_digest: str
    metric: Annotated[str, Shown("metric")]
    signature: str
    test: str
    alternative: str
    cluster: str | None
    strata: str | None
    engine: str
    seed: int
    n_resamples: int | None
    alpha: float
    p_value: float | None
    p_adjusted: float | None
    correction: str
    gain: float | None
    ci_low: float | None
    ci_high: float | None
    n_items: int
    version: str
    created: str
    who: Annotated[str, Shown("who")]
    procedure: str | None = None
    level: float | None = None
    rejected: bool | None = None


@dataclass(frozen=True, kw_only=True)
class PairInHistory:
    """A pair of a comparison, as a use of the test set.

    Attributes:
        number: its place among the tests of its family, from 1; None where it has no p-value.
        seen_before: this very comparison was made before, so it is no new use.
        p_value: the one that counts: of a repeated use, that with more resamples.
        level: at which it is decided; ``rejected``: whether its null hypothesis is; None where nobody asked.
    """

    system: Annotated[str, Shown("")]
    baseline: Annotated[str, Shown("against")]
    metric: str
    family: Annotated[str, Shown("family")]
    number: int | None
    seen_before: bool
    p_value: Annotated[float | None, Shown("p", "p", level="level")]
    level: Annotated[float | None, Shown("level", "number")]
    rejected: bool | None


@dataclass(frozen=True, kw_only=True)
class SetHistory:
    """The history of its test set that a comparison found, and its own additions to it.

    Attributes:
        file: where the history is kept.
        test_set: the test set.
        before: uses before this comparison, by family.
        procedure: the correction over the history; None for none.
        pairs: one for each pair of the comparison, in their order.
    """

    file: str
    test_set: KnownSet
    before: Mapping[str, int]
    procedure: str | None
    pairs: tuple[PairInHistory, ...]

    def table(self, w: Writer, alpha: float) -> Any:
        """The decision on each pair over the history."""
        against = ("baseline",) if len({pair.baseline for pair in self.pairs}) > 1 else ()
        use = Shown("use", value=lambda p: "–" if p.number is None else f"{p.number}{' (again)' * p.seen_before}")
        decided = Shown("decision", value=lambda pair: describe_decision(pair.rejected))
        name = PROCEDURES.get(self.procedure or "", w.name(self.procedure))
        columns = ("system", *against, "family", use, "p_value", "level", decided)
        return w.table(
            f"Over all uses of this test set ({name})", self.pairs, columns, first=True,
            footnotes=self._about(alpha), naming=1 + len(against),
        )  # fmt: skip

    def _about(self, alpha: float) -> Iterator[str]:
        yield (
            "level: what raw p is held against, so that over all uses of a family, past and to come, "
            f"{describe_promise(self.procedure or '', alpha)}. A new use's system must not have been chosen by this "
            "test set."
        )
        if any(pair.seen_before for pair in self.pairs):
            yield "again: this very comparison was made before; it keeps its place and is no new use."
