"""The base of every result, its gate, and its JSON (a public contract, ``schema_version`` 2), saved and loaded."""

from __future__ import annotations

import dataclasses
import math
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Annotated, Any, ClassVar, Generic, Self, TypeVar

from outscore.base import __version__
from outscore.base.errors import InputError, UsageError, suggestion
from outscore.base.installed import require
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.registry import Registry
from outscore.results.declared import Shown, Writer
from outscore.results.details import ItemList
from outscore.results.pictures import Chart
from outscore.results.plain import from_plain

SCHEMA_VERSION = 2
"""Rises where a field changes or goes; 1 was that of 0.1.0."""

formats: Registry[Any] = Registry(
    *("format", "outscore.report.formats", "outscore.formats"),
    elsewhere={
        **dict.fromkeys(("text", "txt", "table", "plain"), "that is terminal, which is the default"),
        **dict.fromkeys(("svg", "png", "pdf"), "a picture is asked by --plot FILE"),
        "md": "that is markdown",
    },
)
"""Output formats, found by name; the report registers them, results only ask for them."""

Interval = tuple[float, float]
"""Low and high end; that of a one-sided interval is infinite on one side."""


@dataclass(frozen=True, kw_only=True)
class Score:
    """One system under one metric.

    Attributes:
        system, metric: names; ``signature`` says how to compute the metric again.
        unit: of measurement.
        higher_is_better: direction of the metric; None where neither is better, as of lengths.
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

    system: Annotated[str, Shown("")]
    metric: str
    signature: str
    unit: str
    higher_is_better: bool | None
    score: Annotated[float, Shown("score", "score", ci="ci", of_metric=True, best=True)]
    ci: Interval | None
    ci_method: str
    runs: tuple[str, ...]
    run_scores: tuple[float, ...]
    s_sel: Annotated[float | None, Shown("s_sel", "amount")]
    s_test: Annotated[float | None, Shown("s_test", "amount")]
    run_min: float
    run_max: float
    median_run: Annotated[str, Shown("median run")]
    n_items: Annotated[int, Shown("items", "count")]

    @property
    def n_runs(self) -> Annotated[int, Shown("runs", "whole")]:
        """Number of runs."""
        return len(self.runs)


def table_of_runs(scores: Sequence[Score], w: Writer) -> Any:
    """Test-set selection, deviation between runs, range, median run (Clark et al. 2011)."""
    spread = Shown("min to max", value=lambda s: f"{w.score(s.run_min, s.metric)} to {w.score(s.run_max, s.metric)}")
    columns = ("system", "n_runs", "s_sel", "s_test", spread, "median_run")
    about = "s_sel: deviation by the choice of test items; s_test: deviation between runs."
    return w.table("Runs", scores, columns, footnotes=(about,))


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
    """The provenance of the numbers.

    Attributes:
        version: of outscore; ``libraries``: versions of what it computed with, packages of its metrics and tests too.
        n_resamples, test, correction: as asked for; resamples that were drawn, where that was interrupted.
        inputs: every file with its digest.
        n_items_read: items before dropping; ``dropped``: id to reason.
        n_clusters, cluster: clusters and the column they came from, or None.
        strata: the column of the strata that were resampled in fixed numbers, or None.
        samples: fewest and most samples of an item, which were averaged, by system; empty where each was answered once.
        engine: how resamples were drawn, ``cyclic``, ``iid`` or ``cyclic or iid``; as asked for where none were.
        interval: as asked for; ``command_line``: what was typed but for what changes no number, empty from Python.
    """

    version: str = __version__
    libraries: Mapping[str, str]
    n_resamples: int = 0
    test: str = ""
    correction: str = "none"
    inputs: tuple[SourceFile, ...] = ()
    n_items_read: int = 0
    dropped: Mapping[str, str] = dataclasses.field(default_factory=dict)
    cluster: str | None = None
    n_clusters: int | None = None
    strata: str | None = None
    engine: str = "iid"
    interval: str = "auto"
    citations: tuple[str, ...] = ()
    samples: Mapping[str, tuple[int, int]] = dataclasses.field(default_factory=dict)
    command_line: str = ""


_ORDER = (
    *("schema_version", "command", "baseline", "seed", "alpha", "alternative", "correction", "correction_reason"),
    *("systems", "facts", "use", "avoid", "steps", "rounds", "level", "clusters_ignored", "checks"),
    *("margin", "order", "sequences", "places", "mean_ranks", "effect"),
    *("kind", "scores", "overall", "pairs", "posteriors", "buckets", "interactions", "details"),
    *("curves", "matrices"),
    *("human", "judge", "resampled", "standardized", "correlations", "estimates", "biases"),
    *("wins", "preferences", "raters"),
    *("plan", "assumes", "test", "null", "p_kind", "metric", "unit", "sizes", "gain", "target", "range_is", "points"),
    *("items_needed", "items_range", "system", "pilot_items", "pilot_gain", "designs", "budget"),
    *("odds", "prior", "power", "positives", "bias", "teams", "wanted", "worth", "curve", "p", "risk"),
    *("tool", "layout", "procedure", "resamples", "resamples_from", "seed_of_tool", "numbers"),
    *("data_sets", "replicated", "set_gains", "rankings"),
    *("exchangeable", "n_annotators", "n_units", "n_single", "coefficients", "annotators", "annotator_pairs"),
    *("labels", "coincidences", "disputes", "otherwise"),
    *("study", "question", "design", "n_cells", "findings", "tables", "figures"),
    *("history", "file", "test_sets", "uses"),
    *("options", "changed_options", "words", "runs_needed", "notes", "provenance"),
)
"""The order of the fields in the JSON of a result; what is not named here stands before the notes."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Result(ABC):
    """Base of every result: the fields that all of them hold, and how they are drawn, saved and read again.

    ``rows()`` gives plain dictionaries; ``to_json``, ``to_latex``, ``to_markdown``, ``to_pandas`` and ``to_polars``
    derive from the same record, printing it shows the first screen; ``outscore.load`` reads a saved one back.
    """

    verdict_leads: ClassVar[bool] = False
    """Whether the first sentence of the verdict stands above a list of the others."""

    pictures_need: ClassVar[Mapping[str, str]] = {}
    """Names of pictures that it may lack, and how to get them."""

    seed: int
    alpha: float
    scores: tuple[Score, ...]
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """Those that it was made with by name, without the data and what changes no number."""

    changed_options: tuple[str, ...] = ()
    """Names of those that differ from the defaults."""

    notes: tuple[Note, ...] = ()
    provenance: Provenance
    command: str
    schema_version: int = SCHEMA_VERSION

    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """Flat dictionaries, ready for a data frame."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics, in the order of the scores."""
        return tuple(dict.fromkeys(score.metric for score in self.scores))

    @property
    def contrasts(self) -> Sequence[Any]:
        """Records with a ``metric`` and a ``gain``, whose sizes decide how gains are rounded."""
        return ()

    @abstractmethod
    def verdict(self, w: Writer) -> Iterator[str]:
        """The answer in sentences, what matters most first; what somebody may paste into a paper."""

    @abstractmethod
    def views(self, w: Writer) -> Iterator[Any]:
        """Its tables; those of the first screen say so."""

    def beside(self, note: Note, w: Writer) -> str:
        """The numbers that a note leads to, where they were computed on the way; empty where not."""
        return ""

    def charts(self, w: Writer) -> Iterator[Chart]:
        """Its pictures, the main one first."""
        return iter(())

    def listed_items(self) -> ItemList:
        """Single items for a page, where they were kept."""
        return ItemList()

    @abstractmethod
    def how(self, w: Writer) -> str:
        """How it was tested, on one line."""

    @abstractmethod
    def method(self, w: Writer) -> Iterator[str]:
        """All that is to be said of how it was done, a line each."""

    def paragraph(self, w: Writer) -> Iterator[str]:
        """The same as sentences of a paper."""
        return self.method(w)

    def check_whole(self) -> None:  # noqa: B027 (most results have nothing to check)
        """Raises TypeError where parts of a saved result do not belong together."""

    def to_dict(self) -> dict[str, Any]:
        """The public JSON contract as plain dictionaries; undefined numbers are None."""
        plain = dataclasses.asdict(self)
        known = [key for key in _ORDER if key in plain]
        before = known.index("notes")
        own = [key for key in plain if key not in _ORDER]
        order = (*known[:before], *own, *known[before:])
        return _replace_nan({key: plain[key] for key in order})  # type: ignore[no-any-return]

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

        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            at, why = getattr(error, "lineno", None), getattr(error, "msg", "brackets or digits without end")
            raise InputError(f"not JSON ({why})", file=file, line=at, remedy=_REMEDY) from None
        # before the kind: that of another version may have another name here
        whole = isinstance(data, dict) and data.keys() >= {"command", "provenance"}
        if whole and (version := data.get("schema_version")) != SCHEMA_VERSION:
            found = f"schema_version is {version!r}, expected {SCHEMA_VERSION}"
            raise InputError(found, file=file, remedy="make it again with this version")
        said = data.get("command") if isinstance(data, dict) else ""
        kind = kinds.find(said) if isinstance(said, str) and kinds.knows(said) else None
        if kind is None and isinstance(said, str) and said:
            raise InputError(f"a result of {said!r}, which no package here knows", file=file, remedy="install its own")
        if kind is None or not issubclass(kind, cls):
            raise InputError(f"not a saved {cls.__name__.lower()}", file=file, remedy=_REMEDY)
        try:
            saved: Self = from_plain(kind, data)
            _ = [saved.options[name] for name in saved.changed_options]
            saved.check_whole()
        except (TypeError, KeyError) as error:
            found = f"the saved {kind.__name__.lower()} is not whole ({error})"
            raise InputError(found, file=file, remedy="make it again") from None
        return saved

    def to(self, format: str, *, decimals: int | None = None) -> str:
        """This result in a registered format: ``terminal``, ``markdown``, ``latex``, ``json``, ``csv`` ...

        Args:
            format: name of the format.
            decimals: of the scores; None for each metric's custom.
        """
        return str(formats.make(format).render(self, decimals=decimals))

    @property
    def sentence(self) -> str:
        """The result in words, ready for a paper."""
        return self.to("sentence").strip()

    def to_latex(self, *, decimals: int | None = None) -> str:
        """A booktabs table with its footnotes."""
        return self.to("latex", decimals=decimals)

    def to_markdown(self, *, decimals: int | None = None) -> str:
        """A Markdown table with its footnotes."""
        return self.to("markdown", decimals=decimals)

    def to_pandas(self) -> Any:
        """``rows()`` as a pandas data frame (extra ``pandas``)."""
        return require("pandas", "to_pandas()", "pandas").DataFrame(self.rows())

    def to_polars(self) -> Any:
        """``rows()`` as a polars data frame (extra ``polars``)."""
        # columns may begin with empty cells, and hold whole numbers and others
        return require("polars", "to_polars()", "polars").DataFrame(self.rows(), infer_schema_length=None, strict=False)

    def __str__(self) -> str:
        """The first screen."""
        return self.to("terminal").rstrip("\n")

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/plain": self.to("terminal"), "text/html": self.to("notebook")}


kinds: Registry[Result] = Registry("kind of result", "outscore.results", "outscore.results", {
    "advise": "advice", "agree": "agreement", "compare": "comparison", "correlate": "correlation",
    "rank": "leaderboard", "replicate": "replication", "score": "scores", "sequential": "sequences",
})  # fmt: skip
"""The kinds of results by the command that makes them."""


def _replace_nan(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {k: _replace_nan(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_replace_nan(v) for v in value]
    return value


GATES = ("better", "not-worse", "equivalent")

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Gate(Generic[T]):
    """Whether a condition holds for all systems and metrics; false in ``if`` where it does not.

    Attributes:
        condition: ``better``, ``not-worse`` or ``equivalent``.
        failing: the pairs, or sequences, for which it does not hold; ``holding``: those for which it does.
    """

    condition: str
    failing: tuple[T, ...]
    holding: tuple[T, ...]

    @classmethod
    def of(cls, condition: str, judged: Iterable[T], holds: Callable[[T], bool]) -> Gate[T]:
        """The gate that each of ``judged`` passes where ``holds`` says so."""
        told: dict[bool, list[T]] = {True: [], False: []}
        for one in judged:
            told[holds(one)].append(one)
        return cls(condition=condition, failing=tuple(told[False]), holding=tuple(told[True]))

    def __bool__(self) -> bool:
        return not self.failing

    def __iter__(self) -> Any:
        raise TypeError("a gate holds or does not; the pairs for which it does not are in its .failing")


def check_gate(condition: str) -> None:
    """Raises UsageError where there is no such condition."""
    if condition not in GATES:
        raise UsageError(f"no gate {condition!r}{suggestion(condition, GATES)} (there are: {', '.join(GATES)})")


_REMEDY = "give a file saved by -o FILE.json"


def load(source: str | os.PathLike[str] | IO[str]) -> Result:
    """A result of any kind that was saved as JSON.

    Args:
        source: a path, or an open text file.

    Raises:
        InputError: the file is missing, or is not a saved result of this ``schema_version``; others are not converted.
    """
    if not isinstance(source, str | os.PathLike):
        return Result.from_json(source.read(), file="-")
    try:
        text = Path(source).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read ({error.strerror})", file=str(source), remedy=_REMEDY) from None
    except UnicodeDecodeError:
        raise InputError("not UTF-8 text", file=str(source), remedy=_REMEDY) from None
    return Result.from_json(text, file=str(source))
