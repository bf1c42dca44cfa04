"""The record of an audit: tests and intervals measured on null versions of the user's own data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer, flat_row
from outscore.results.details import describe_test
from outscore.results.methods import join_names
from outscore.results.result import Interval, Result, Score, kinds

_WORDS = {
    "too often": "rejects too often",
    "too low": "coverage too low",
    "unclear": "unclear",
    "too rarely": "rejects too rarely",
    "too high": "coverage too high",
    "holds": "holds",
}
"""Verdicts on level and coverage, the worst first."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """One test, and the interval that stands beside it, on one kind of null versions.

    Attributes:
        system, baseline, metric: the pair whose data were changed.
        test: name of the test; ``null``: its null hypothesis in words.
        kind: ``permuted``, ``centred``, ``resampled``, ``new_runs`` or ``new_runs_and_items``; ``versions``: in words.
        rounds: null versions made.
        rejections: how often p was at most alpha; None for ``resampled``, where there is a gain to be found.
        level: their proportion, with its interval ``level_ci``; what it should be is alpha.
        verdict: ``holds``, ``too often``, ``too rarely`` or, with too few rounds, ``unclear``; None without a level.
        unanswered: versions for which the test had no p-value; they count as not rejected.
        ci_method: name of the interval of the gain, or of several.
        intervals: versions that had one.
        coverage: proportion of those that hold the gain that is there, with its interval ``coverage_ci``.
        coverage_verdict: ``holds``, ``too low``, ``too high`` or ``unclear``; None without an interval.
    """

    system: str
    baseline: str
    metric: str
    test: str
    null: str
    kind: str
    versions: str
    rounds: Annotated[int, Shown("rounds", "count")]
    rejections: Annotated[int | None, Shown("rejections", "count")]
    level: float | None
    level_ci: Interval | None
    verdict: Annotated[str | None, Shown("level")]
    unanswered: Annotated[int, Shown("without p", "count")]
    ci_method: str
    intervals: Annotated[int, Shown("intervals", "count")]
    coverage: float | None
    coverage_ci: Interval | None
    coverage_verdict: Annotated[str | None, Shown("coverage")]

    @property
    def named_kind(self) -> str:
        """The kind of null versions in words."""
        return self.kind.replace("_", " ")

    @property
    def said(self) -> Annotated[str, Shown("verdict", "prose")]:
        """The worse of both verdicts in a few words."""
        both = (self.verdict, self.coverage_verdict)
        return next((words for one, words in _WORDS.items() if one in both), "–")

    @property
    def codes(self) -> tuple[str, ...]:
        """Codes of the notes that say what is wrong with it."""
        high = ("level_too_high",) if self.verdict == "too often" else ()
        return high + (("coverage_too_low",) if self.coverage_verdict == "too low" else ())


@kinds.register("audit")
@dataclass(frozen=True, kw_only=True, repr=False)
class Audit(Result):
    """The error rates of tests and intervals on null versions of the data; there are no scores in it.

    Attributes:
        alternative: of the tests.
        rounds: null versions of each kind that were made.
        level: of the intervals of what was measured.
        clusters_ignored: the versions keep their clusters, but the tests were not told of them.
        checks: of each test on each kind of version: its level, and the coverage of its interval.
    """

    alternative: str
    rounds: int
    level: float
    clusters_ignored: bool
    checks: tuple[Check, ...]
    scores: tuple[Score, ...] = ()
    command: str = "audit"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each check."""
        return [flat_row(check) for check in self.checks]

    # --- how it is told -----------------------------------------------------------------------------------

    def verdict(self, w: Writer) -> Iterator[str]:
        alpha = f"{w.given(100 * self.alpha)}%"
        kept, high, unclear = self._judged
        missed = [c for c in self.checks if c.coverage_verdict == "too low"]
        if high:
            worst = max(high, key=lambda c: c.level or 0.0)
            yield (
                f"{_capital(self._tests(high, w))} {'reject' if len(high) > 1 else 'rejects'} too often: in up to "
                f"{w.percent(worst.level, 1)} of null versions ({self._ci(worst.level_ci, w)}), where {alpha} are "
                "allowed."
            )
        if missed:
            worst = min(missed, key=lambda c: c.coverage or 0.0)
            just_named = {c.test for c in missed} == {c.test for c in high}
            whose = "Its" if len(high) == 1 else "Their"
            beside = "" if just_named else f" beside {self._tests(missed, w)}"
            yield (
                f"{whose if just_named else 'The'} {w.level()} intervals{beside} hold the known gain in as few as "
                f"{w.percent(worst.coverage, 1)} ({self._ci(worst.coverage_ci, w)})."
            )
        if kept:
            yield f"The level of {alpha} holds for {self._tests(kept, w)}."
        if unclear:
            open_ = [
                f"{self._named(c.test, w)} (rejects in up to {w.percent(c.level, 1)}, {self._ci(c.level_ci, w)})"
                for c in unclear
            ]
            yield f"{w.count(self.rounds, 'round')} are too few to judge {join_names(open_)}."
        if all(c.level is None for c in self.checks):
            yield "No test could be judged."
        covered = [c.coverage_verdict for c in self.checks if c.coverage is not None]
        if covered and not missed and "unclear" not in covered:
            yield f"The {w.level()} intervals cover as they should."
        if self.clusters_ignored:
            yield "In all of this the tests are not told of the clusters."

    @property
    def _judged(self) -> tuple[list[Check], list[Check], list[Check]]:
        """Of each test the check with the highest level: of those that hold it, reject too often, and are unclear."""
        kept: list[Check] = []
        high: list[Check] = []
        unclear: list[Check] = []
        for test in dict.fromkeys(check.test for check in self.checks):
            checks = [c for c in self.checks if c.test == test and c.level is not None]
            wrong = [c for c in checks if c.verdict == "too often"]
            open_ = any(c.verdict == "unclear" for c in checks)
            if checks:
                group = high if wrong else unclear if open_ else kept
                group.append(max(wrong or checks, key=lambda c: c.level or 0.0))
        return kept, high, unclear

    def _named(self, test: str, w: Writer) -> str:
        """The test in words."""
        clustered = self.provenance.n_clusters is not None and not self.clusters_ignored
        return w.name(describe_test(test, clustered=clustered))

    def _tests(self, checks: Sequence[Check], w: Writer) -> str:
        return join_names(list(dict.fromkeys(self._named(check.test, w) for check in checks)))

    def _ci(self, ci: Interval | None, w: Writer) -> str:
        low, high = ci or (None, None)
        return f"{w.given(100 * self.level)}% CI {w.percent(low, 1)} to {w.percent(high, 1)}"

    def views(self, w: Writer) -> Iterator[Any]:
        title = f"Tests and intervals on null versions of these data (against {w.name(self.checks[0].baseline)})"
        ci = f"[{w.given(100 * self.level)}% CI]"
        level = Shown("level", "proportion", value=lambda c: c.level, ci=lambda c: c.level_ci, ci_title=ci)
        coverage = Shown("coverage", "proportion", value=lambda c: c.coverage, ci=lambda c: c.coverage_ci, ci_title=ci)
        several = [len({getattr(c, name) for c in self.checks}) > 1 for name in ("system", "metric")]

        def name(check: Check) -> str:
            pair = (name for name, of in zip((check.system, check.metric), several, strict=True) if of)
            return ", ".join([*pair, check.named_kind])

        test = Shown("test", "prose", value=lambda check: self._named(check.test, w))
        yield w.table(
            title, self.checks, (test, level, coverage, "said"), first=True, by_metric=False,
            group=name, codes=lambda check: check.codes,
        )  # fmt: skip
        counts = ("rounds", "rejections", "unanswered", "verdict", "intervals", "coverage_verdict")
        yield w.table("Counts", self.checks, (test, *counts), by_metric=False, group=name)

    def how(self, w: Writer) -> str:
        clusters = ""
        if self.provenance.n_clusters is not None:
            ignored = ", which the tests are not told of" if self.clusters_ignored else ""
            clusters = (
                f", in {w.count(self.provenance.n_clusters, 'cluster')} ({w.name(self.provenance.cluster)}){ignored}"
            )
        return f"{w.count(self.rounds, 'null version')} of each kind{clusters}; {w.name(self.alternative)}."

    def method(self, w: Writer) -> Iterator[str]:
        yield (
            f"Level: proportion of null versions in which p ≤ {self.alpha:g}, which it should be. Coverage: proportion "
            f"in which the {w.level()} interval of the gain holds the gain that is there, which should be "
            f"{w.given(1 - self.alpha)}."
        )
        for kind, words in dict.fromkeys((c.named_kind, c.versions) for c in self.checks):
            yield f"{_capital(w.name(kind))}: {w.name(words)}."
        for test, null in dict.fromkeys((c.test, c.null) for c in self.checks):
            said = self._named(test, w)
            code = "" if said == test else f" ({w.name(test)})"
            yield f"Null hypothesis of {said}{code}: {w.name(null)}."
        methods = dict.fromkeys(w.name(c.ci_method) for c in self.checks if c.ci_method)
        if methods:
            yield f"Intervals: {', '.join(methods)}."
        source = self.provenance
        yield (
            f"{self.how(w)[:-1]}; {source.n_resamples:,} resamples where a test draws, engine {w.name(source.engine)}; "
            f"seed {self.seed}. By chance alone one row in {w.given(1 / (1 - self.level), digits=3)} lies outside."
        )

    def __repr__(self) -> str:
        tests = ", ".join(dict.fromkeys(check.test for check in self.checks))
        return f"<Audit of {tests}: {inflect(len(self.checks), 'check')} of {inflect(self.rounds, 'round')}>"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
