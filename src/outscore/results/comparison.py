"""The records of a comparison, and the JSON of every result (a public contract, ``schema_version`` 1)."""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from outscore.base.errors import InputError, counted
from outscore.base.notes import Note
from outscore.base.registry import Registry

SCHEMA_VERSION = 1

formats: Registry[Any] = Registry("format", "outscore.report.formats", "outscore.formats")
"""Output formats, found by name; the report registers them, results only ask for them."""

Interval = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Score:
    """One system under one metric.

    Attributes:
        system, metric: names; ``signature`` says how to compute the metric again.
        unit: what the score is counted in.
        higher_is_better: direction of the metric.
        score: the corpus score; the mean of the run scores when there are several runs.
        ci: interval of the score at level 1 - alpha, or None where it is undefined.
        ci_method: how the interval was made.
        run_scores: the score of each run, in the order of ``runs``.
        s_sel: test-set selection, the mean over runs of the bootstrap standard deviation (Clark et al. 2011, §3.3).
        s_test: standard deviation over runs, ddof 1 (Clark et al. 2011, §3.1); None for one run.
        run_min, run_max: smallest and largest run score.
        median_run: name of the median run (index R // 2 of the sorted scores, the first with that score).
        n_items: items scored.
    """

    system: str
    metric: str
    signature: str
    unit: str
    higher_is_better: bool
    score: float
    ci: Interval | None
    ci_method: str
    runs: tuple[str, ...]
    run_scores: tuple[float, ...]
    s_sel: float | None
    s_test: float | None
    run_min: float
    run_max: float
    median_run: str
    n_items: int


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Another answer that stands beside the main one, with the question that it answers.

    Attributes:
        test: name of the test.
        question: what it answers, in words.
        p_value, p_kind, p_error: as in ``Pair``.
    """

    test: str
    question: str
    p_value: float | None
    p_kind: str
    p_error: float | None


@dataclass(frozen=True, kw_only=True)
class Pair:
    """One system against another, as a rule the baseline, under one metric.

    Attributes:
        system: the one judged; ``baseline``: the one that it is compared with.
        gain: score of the system minus score of the other, signed so that positive is better.
        ci: interval of the gain at level 1 - alpha, or None where it is undefined; ``ci_method`` says how it was made.
        test: name of the test; ``question``: what it answers; ``null``: its null hypothesis in words.
        alternative: ``two-sided``, ``greater`` (the system is better) or ``less``.
        p_value: raw p-value, never 0 from sampling; None where the test has no answer.
        p_kind: ``exact``, ``monte-carlo``, ``saddlepoint`` or ``asymptotic``.
        p_error: Monte-Carlo standard error of p; None unless sampled.
        p_min: smallest p-value that the test could have given on these data; None where it has no floor.
        p_adjusted: p after the correction over the family; ``p_value`` when there is none.
        n_items: items used; ``n_resamples``: resamples drawn, None where none were.
        effect: named effect sizes and counts.
        also: other answers, labelled with their questions.
        notes: codes of the notes that concern this pair.
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


@dataclass(frozen=True, kw_only=True)
class SourceFile:
    """One input: its name as given, what it was read as, and the digest of its bytes."""

    file: str
    role: str
    reader: str
    sha256: str
    n_items: int


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """Where the numbers come from.

    Attributes:
        version: of outscore; ``libraries``: versions of what it computed with.
        n_resamples, jobs, test, correction: as asked for.
        inputs: every file with its digest.
        n_items_read: items before dropping; ``dropped``: id to reason.
        n_clusters, cluster: clusters and the column they came from, or None.
        strata: the column of the strata that were redrawn in fixed numbers, or None.
        engine: how resamples were drawn, ``cyclic`` or ``iid``.
    """

    version: str
    libraries: Mapping[str, str]
    n_resamples: int
    test: str
    correction: str
    inputs: tuple[SourceFile, ...]
    n_items_read: int
    dropped: Mapping[str, str]
    cluster: str | None
    n_clusters: int | None
    strata: str | None = None
    engine: str = "iid"
    citations: tuple[str, ...] = ()


_ORDER = (
    *("schema_version", "command", "baseline", "seed", "alpha", "alternative", "correction"),
    *("kind", "x", "y", "classes", "scores", "pairs", "domains", "curves", "matrices", "notes", "provenance"),
)
"""What stands where in the JSON of a result."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Result(ABC):
    """What every result holds, and how it is drawn, saved and read again.

    ``rows()`` gives plain dictionaries; ``to_json``, ``to_latex``, ``to_markdown`` and ``to_pandas`` derive from the
    same record; ``outscore.load`` reads a saved one back.
    """

    seed: int
    alpha: float
    scores: tuple[Score, ...]
    notes: tuple[Note, ...] = ()
    provenance: Provenance
    command: str
    schema_version: int = SCHEMA_VERSION

    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """Flat dictionaries, ready for a data frame."""

    def check_whole(self) -> None:  # noqa: B027 (most results have nothing to check)
        """Raises TypeError where parts of a saved result do not belong together."""

    def to_dict(self) -> dict[str, Any]:
        """The public JSON contract as plain dictionaries; undefined numbers are None."""
        plain = dataclasses.asdict(self)
        return _without_nan({key: plain[key] for key in _ORDER if key in plain})  # type: ignore[no-any-return]

    def to_json(self) -> str:
        """Full precision, null for what is undefined, never NaN."""
        import json

        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str, *, file: str | None = None) -> Self:
        """The result that ``to_json`` wrote; of any kind, or of the kind that it is called on.

        Raises:
            InputError: not JSON, not such a result, or a schema version that is not known.
        """
        import json

        from outscore.results.plain import from_plain

        kinds = cls._kinds()
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            raise InputError(
                f"not JSON ({error.msg})", file=file, line=error.lineno, remedy="give a file saved by -o FILE.json"
            ) from None
        said = data.get("command") if isinstance(data, dict) else ""
        kind = next((k for k in kinds if getattr(k, "command", None) == said), None)
        if kind is None:
            names = " or ".join(k.__name__.lower() for k in kinds)
            raise InputError(f"not a saved {names}", file=file, remedy="give a file saved by -o FILE.json")
        if data.get("schema_version") != SCHEMA_VERSION:
            raise InputError(
                f"schema_version is {data.get('schema_version')!r}, expected {SCHEMA_VERSION}",
                file=file,
                remedy="make it again with this version",
            )
        try:
            saved: Self = from_plain(kind, data)
            saved.check_whole()
        except TypeError as error:
            raise InputError(
                f"the saved {kind.__name__.lower()} is not whole ({error})", file=file, remedy="make it again"
            ) from None
        return saved

    @classmethod
    def _kinds(cls) -> list[type[Self]]:
        """The kinds of results that this one stands for: itself, or all of them."""
        from outscore import results

        known = [getattr(results, name) for name in results.__all__]
        return [kind for kind in known if issubclass(kind, cls) and kind is not Result]

    def to(self, format: str, *, width: int | None = None) -> str:
        """This result in a registered format: ``terminal``, ``markdown``, ``latex``, ``json``, ``csv`` ...

        Args:
            format: name of the format.
            width: decimals of the scores; None for each metric's custom.
        """
        return str(formats.make(format).render(self, width=width))

    @property
    def sentence(self) -> str:
        """The result in words, ready for a paper."""
        return self.to("sentence").strip()

    def to_latex(self, *, width: int | None = None) -> str:
        """A booktabs table with its footnotes."""
        return self.to("latex", width=width)

    def to_markdown(self, *, width: int | None = None) -> str:
        """A Markdown table with its footnotes."""
        return self.to("markdown", width=width)

    def to_pandas(self) -> Any:
        """``rows()`` as a pandas data frame (extra ``pandas``)."""
        from outscore.base.extras import require

        return require("pandas", "to_pandas()", "pandas").DataFrame(self.rows())

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/plain": self.to("terminal"), "text/markdown": self.to("markdown")}


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison(Result):
    """All that a comparison found: scores, pairs against the baseline or of every two systems, notes and provenance."""

    baseline: str
    alternative: str
    correction: str
    pairs: tuple[Pair, ...]
    domains: tuple[DomainGain, ...] = ()
    command: str = "compare"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each pair, baseline score and system score included; ready for a data frame."""
        scores = {(s.system, s.metric): s.score for s in self.scores}
        rows = []
        for pair in self.pairs:
            row = dataclasses.asdict(pair)
            for name in ("effect", "also", "notes", "ci"):
                del row[name]
            row["baseline_score"] = scores[pair.baseline, pair.metric]
            row["system_score"] = scores[pair.system, pair.metric]
            row["ci_low"], row["ci_high"] = pair.ci or (None, None)
            row["notes"] = " ".join(pair.notes)
            rows.append(row)
        return rows

    def check_whole(self) -> None:
        """Raises TypeError where a pair has no scores."""
        measured = {(score.system, score.metric) for score in self.scores}
        for pair in self.pairs:
            if not {(pair.system, pair.metric), (pair.baseline, pair.metric)} <= measured:
                raise TypeError(f"no scores for the pair {pair.system!r} and {pair.baseline!r}")

    def __repr__(self) -> str:
        systems = len({s.system for s in self.scores})
        metrics = ", ".join(dict.fromkeys(s.metric for s in self.scores))
        pairs = counted(len(self.pairs), "pair")
        against = f"against {self.baseline!r}" if {p.baseline for p in self.pairs} <= {self.baseline} else "in pairs"
        return f"<Comparison of {systems} systems {against}: {metrics}; {pairs}>"


def _without_nan(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {k: _without_nan(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(v) for v in value]
    return value
