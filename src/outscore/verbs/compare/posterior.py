"""``compare --posterior``: beside the test of each pair its posterior, under a model and a prior that are stated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.multiplicity.adjust import AUTO
from outscore.results.posteriors import Beliefs, PairPosterior
from outscore.significance.bayes import (
    NO_TEST,
    RUNS_FIXED,
    UNSTABLE,
    Evidence,
    Method,
    PairMethod,
    Posterior,
    Reweighted,
    SampleMethod,
    methods,
)
from outscore.significance.bayes.bootstrap import BayesianBootstrap
from outscore.significance.bayes.student import BayesianT
from outscore.significance.bayes.table_law import PairedTable
from outscore.significance.gain import GainContrast
from outscore.significance.independent import IndependentSamples
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.verbs.shared.naming import attribute
from outscore.verbs.shared.records import unique_notes
from outscore.verbs.shared.samples import Systems

_FEWEST_DRAWS = 100
_CLOSE = 2.6  # Monte-Carlo errors: a probability so far away is on the other side once in a hundred times


@dataclass(frozen=True)
class _Believed:
    """One pair under one metric, the method and its posterior; ``said`` is what must be known besides."""

    system: str
    baseline: str
    metric: str
    gain: float
    n_items: int
    rope: float
    alpha: float
    how: Method
    found: Posterior
    said: tuple[Note, ...]

    def describe(self, metrics: int) -> str:
        """Name of the pair in a note: both systems, and the metric where there are several ``metrics``."""
        name = f"{self.system!r} against {self.baseline!r}"
        return name if metrics == 1 else f"{name} under {self.metric}"

    @property
    def notes(self) -> tuple[Note, ...]:
        """Everything a reader must know of this pair."""
        unstable = (UNSTABLE,) if self._unstable else ()
        return unique_notes([NO_TEST, *self.said, *self.found.notes, *unstable])

    @property
    def record(self) -> PairPosterior:
        """The public record."""
        found = self.found
        return PairPosterior(
            system=self.system,
            baseline=self.baseline,
            metric=self.metric,
            gain=self.gain,
            method=self.how.label,
            model=self.how.model,
            prior=self.how.prior(self.rope),
            rope=self.rope,
            better=found.better,
            within=found.within,
            worse=found.worse,
            kind=found.kind,
            error=found.error,
            likely=next((name for name, p in self._probabilities.items() if p > 1 - self.alpha), ""),
            about=self.how.about,
            mean=found.mean,
            ci=found.ci,
            n_items=self.n_items,
            n_draws=found.n_draws,
            effect=found.effect,
            notes=tuple(note.code for note in self.notes),
        )

    @property
    def _probabilities(self) -> dict[str, float]:
        every = {"better": self.found.better, "within": self.found.within, "worse": self.found.worse}
        return {name: p for name, p in every.items() if p is not None}

    @property
    def _unstable(self) -> bool:
        """Whether another seed could move a probability across 1 - alpha."""
        error = self.found.error
        return error is not None and any(abs(c - 1 + self.alpha) < _CLOSE * error for c in self._probabilities.values())


def infer_pairs(
    method: str | Method, resamples: Resamples, margins: Sequence[float] | None
) -> tuple[Beliefs, Resamples]:
    """The posteriors of pairs on the same items, and the resamples with what was drawn for them.

    Args:
        method: a name, ``auto`` among them, or the method itself.
        resamples: of all systems and metrics.
        margins: the ROPE of each metric; None for none.

    Raises:
        UsageError: there is no such method, or it cannot answer for these data.
    """
    ropes = margins or [0.0] * len(resamples.by_metric)
    named = None if method == AUTO else method if isinstance(method, Method) else methods.make(method)
    if not (named is None or isinstance(named, PairMethod)):
        raise UsageError(
            f"--posterior {named.name} is for systems with items of their own: name a test of independent samples too, "
            "as --test fisher"
        )
    _check_draws(resamples.settings)
    reweighted = Reweighted(tuple(resamples.pairs), tuple(ropes))
    asked = []
    for p, rope in enumerate(ropes):
        for pair in (GainContrast(resamples, p, *pair) for pair in resamples.pairs):
            evidence = Evidence(pair=pair, rope=rope, reweighted=reweighted)
            how, reasons = (named, []) if named is not None else _chosen(evidence)
            if refusal := how.refuses(evidence):
                raise UsageError(refusal)
            asked.append((evidence, how, reasons))
    drawn = resamples.draw(need for evidence, how, _ in asked for need in how.draws(evidence))
    found = []
    for evidence, how, reasons in asked:
        pair = evidence.pair
        said = [*reasons, *([RUNS_FIXED] if pair.has_runs else [])]
        names = resamples.systems[pair.system], resamples.systems[pair.baseline], pair.stats.name
        posterior = how.run(replace(evidence, pair=pair.on(drawn)))
        alpha = pair.settings.alpha
        found.append(_Believed(*names, pair.gain, pair.n_items, evidence.rope, alpha, how, posterior, tuple(said)))
    return _collect(found, len(ropes)), drawn


def infer_samples(
    method: str | Method,
    systems: Systems,
    pairs: Sequence[tuple[int, int]],
    margins: Sequence[float] | None,
    settings: Settings,
) -> Beliefs:
    """The posteriors of systems that need not share their items, by metric.

    Raises:
        UsageError: there is no such method, or it cannot answer for these data.
    """
    ropes = margins or [0.0] * len(systems.metrics)
    named = method if isinstance(method, Method) or method == AUTO else methods.make(method)
    if not isinstance(named, SampleMethod):
        label = named.name if isinstance(named, Method) else named
        raise UsageError(
            f"--posterior {label} is for systems on the same items, and a test of independent samples for any: use "
            "beta, or a test of pairs"
        )
    _check_draws(settings)
    if any(part.design.cluster for part in systems.parts):
        raise UsageError(f"{named.name} takes items as independent; use --cluster none to ignore clusters")
    found = []
    for p, rope in zip(systems.metrics, ropes, strict=True):
        numbers = systems.numbers(p, "item", blocks=False)
        for system, baseline in pairs:
            samples = IndependentSamples(
                system=numbers.values[system],
                baseline=numbers.values[baseline],
                unit="item",
                settings=settings,
                shared=numbers.shared,
            )
            if refusal := named.refuses(samples):
                raise UsageError(refusal)
            names = systems.names[system], systems.names[baseline], numbers.metric
            size, posterior = systems.n_items(system, baseline), named.run(samples, rope)
            found.append(_Believed(*names, samples.gain, size, rope, settings.alpha, named, posterior, ()))
    return _collect(found, len(systems.metrics))


def _collect(found: Sequence[_Believed], metrics: int) -> Beliefs:
    return Beliefs(
        records=tuple(each.record for each in found),
        notes=tuple(attribute((each.describe(metrics), each.notes) for each in found)),
        citations=tuple(dict.fromkeys(each.how.citation for each in found)),
    )


def _check_draws(settings: Settings) -> None:
    if settings.n_resamples < _FEWEST_DRAWS:
        raise UsageError(f"-n {settings.n_resamples}: a posterior needs {_FEWEST_DRAWS} draws or more")


def _chosen(evidence: Evidence) -> tuple[PairMethod, list[Note]]:
    how, reason = choose(evidence.pair)
    return how, [reason]


def choose(pair: GainContrast) -> tuple[PairMethod, Note]:
    """The method for a pair and the reason, by what was measured and how, never by its outcome."""
    if pair.clustered:
        return BayesianBootstrap(), _reason(
            "posterior_clusters", "items in clusters: whole clusters get random weights"
        )
    if pair.binary:
        return PairedTable(), _reason(
            "posterior_table", "right or wrong on each item, one run: a law of the paired table"
        )
    if pair.stats.plain_mean:
        return BayesianT(), _reason("posterior_t", "a mean of items: the Bayesian t")
    return BayesianBootstrap(), _reason(
        "posterior_corpus", "a score that is no mean of items: items get random weights"
    )


def _reason(code: str, text: str) -> Note:
    return Note(code=f"auto_{code}", text=f"posterior chosen: {text}", remedy="")
