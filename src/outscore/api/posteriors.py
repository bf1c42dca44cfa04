"""``bayes``: outputs or scores of two or more systems in, what to believe of each pair out; nothing is tested."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from outscore.api.named_tests.samples import SharedItems, Systems
from outscore.api.shared.alone import check_several
from outscore.api.shared.inputs import align_apart_from, align_from, baseline_of, check_resamples
from outscore.api.shared.naming import attribute, score_name
from outscore.api.shared.records import unique_notes
from outscore.base.errors import UsageError
from outscore.base.notes import INTERRUPTED, Note
from outscore.base.rng import DEFAULT_SEED
from outscore.data.align import Missing
from outscore.data.exports import OVERLAP
from outscore.engine.runtime import Runtime
from outscore.jobs import Progress, cores
from outscore.metrics import Metric
from outscore.results import PairPosterior, Posteriors
from outscore.significance.bayes import Evidence, Method, PairMethod, Posterior, SampleMethod, methods, notes
from outscore.significance.bayes.choose import choose
from outscore.significance.bayes.reweighted import Reweighted
from outscore.significance.gain import GainContrast
from outscore.significance.independent import IndependentSamples
from outscore.significance.settings import Settings

_FEWEST_DRAWS = 100
_CLOSE = 2.6  # Monte-Carlo errors: a probability so far away is on the other side once in a hundred times


def bayes(
    data: Any,
    *,
    metrics: Sequence[str | Metric] | str | Metric | None = None,
    references: Any = None,
    items: Any = None,
    baseline: str | None = None,
    method: str | Method = "auto",
    rope: float = 0.0,
    n_resamples: int = 10_000,
    seed: int = DEFAULT_SEED,
    alpha: float = 0.05,
    cluster: str | None = None,
    all_pairs: bool = False,
    missing: Missing = "error",
    jobs: int | None = None,
    cache: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Posteriors:
    """Compute the posterior probability that a system is better than the baseline, given a model and a prior.

    Args:
        data, metrics, references, items, baseline, all_pairs, missing: as in ``compare``.
        method: ``auto`` chooses by metric and design and says why; or a name with options: bootstrap, dirichlet,
            sign, signed-rank, t; or ``beta`` for systems that need not share their items.
        rope: half the width of the region of practical equivalence, in the unit of the gains; to be chosen beforehand.
        n_resamples: draws from posteriors that are sampled.
        seed: seed of the draws; 0 is a seed like any other.
        alpha: credible intervals hold 1 - alpha; a probability above 1 - alpha is called likely.
        cluster: column of items that are not independent; ``none`` to ignore one called ``cluster``.
        jobs: cores to use, by default all; they change no result.
        cache: directory in which counted statistics are kept for the next time.
        progress: called with (what, done, of).

    Raises:
        UsageError: an option is wrong, or the method cannot answer for these data.
        InputError: the data are wrong.
    """
    check_resamples(n_resamples)
    if n_resamples < _FEWEST_DRAWS:
        raise UsageError(f"n_resamples={n_resamples}: a posterior needs {_FEWEST_DRAWS} draws or more")
    if not 0 <= rope < math.inf:
        raise UsageError(f"rope={rope:g}: expected 0 or a number above 0, in the unit of the gains")
    runtime = Runtime(jobs=cores() if jobs is None else jobs, progress=progress)
    settings = Settings(alpha=alpha, n_resamples=n_resamples, seed=seed, runtime=runtime)
    named = method if isinstance(method, Method) else None if method == "auto" else methods.make(method)
    if isinstance(named, SampleMethod):
        read = align_apart_from(data, references=references, items=items, missing=missing)
    else:
        read = (align_from(data, references=references, items=items, missing=missing),)
    check_several(*read)
    kept = None if cache is None else Path(cache)
    systems = Systems([SharedItems.of(part, metrics, cluster, settings, kept) for part in read])
    first = baseline_of(systems.names, baseline)
    _check_units(rope, [m.metric for m in systems.parts[0].measured])
    order = [first, *(s for s in range(len(systems.names)) if s != first)]
    pairs = [(s, b) for i, b in enumerate(order if all_pairs else order[:1]) for s in order[i + 1 :]]
    if isinstance(named, SampleMethod):
        believed, interrupted = _infer_samples(named, systems, pairs, rope, settings), False
    else:
        assert named is None or isinstance(named, PairMethod)
        believed, interrupted = _infer_pairs(named, systems, pairs, rope)
    scores = systems.scores()
    made = systems.provenance([], settings, "none", "none")
    several = len(systems.metrics)
    said = attribute((each.describe(several), each.notes) for each in believed)
    said += attribute((score_name(record, several), extra) for record, extra in scores)
    said += [INTERRUPTED] if interrupted else []
    cited = [each.how.citation for each in believed]
    known = {note.code for each in believed for note in each.found.notes}
    read_notes = [n for n in systems.notes() if n.code != OVERLAP or notes.CORRELATION_IS_GIVEN.code not in known]
    return Posteriors(
        baseline=systems.names[first],
        seed=seed,
        alpha=alpha,
        scores=tuple(record for record, _ in scores),
        posteriors=tuple(each.record for each in believed),
        notes=unique_notes([*read_notes, *said]),
        provenance=replace(made, citations=tuple(dict.fromkeys([*made.citations, *cited]))),
    )


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
        unstable = (notes.UNSTABLE,) if self._unstable else ()
        return unique_notes([notes.NO_TEST, *self.said, *self.found.notes, *unstable])

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


def _infer_pairs(
    named: PairMethod | None, systems: Systems, pairs: Sequence[tuple[int, int]], rope: float
) -> tuple[list[_Believed], bool]:
    """Posteriors of the gains of pairs on the same items, by metric, and whether the user cut the drawing short."""
    (part,) = systems.parts
    reweighted = Reweighted(tuple(pairs), (rope,) * len(part.measured))
    asked = []
    for p in range(len(part.measured)):
        for system, baseline in pairs:
            pair = GainContrast(part.resamples, p, system, baseline)
            evidence = Evidence(pair=pair, rope=rope, reweighted=reweighted)
            how, reasons = (named, []) if named is not None else _chosen(evidence)
            if refusal := how.refuses(evidence):
                raise UsageError(refusal)
            asked.append((evidence, how, reasons))
    drawn = part.resamples.draw(need for evidence, how, _ in asked for need in how.draws(evidence))
    found = []
    for evidence, how, reasons in asked:
        pair = evidence.pair
        said = [*reasons, *([notes.RUNS_FIXED] if pair.has_runs else [])]
        of_samples = part.measured[pair.metric_index].metric.of_samples
        said += [notes.SINGLE_RUN] if not pair.has_runs and not of_samples else []
        names = systems.names[pair.system], systems.names[pair.baseline], pair.stats.name
        size, alpha = pair.n_items, pair.settings.alpha
        posterior = how.run(replace(evidence, pair=pair.on(drawn)))
        found.append(_Believed(*names, pair.gain, size, rope, alpha, how, posterior, tuple(said)))
    return found, drawn.interrupted


def _infer_samples(
    named: SampleMethod, systems: Systems, pairs: Sequence[tuple[int, int]], rope: float, settings: Settings
) -> list[_Believed]:
    """Posteriors of the gains of systems that need not share their items, by metric."""
    if any(part.design.cluster for part in systems.parts):
        raise UsageError(f"{named.name} takes items as independent; use --cluster none to ignore clusters")
    found = []
    for p in systems.metrics:
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
            said = (notes.SINGLE_RUN,)
            found.append(_Believed(*names, samples.gain, size, rope, settings.alpha, named, posterior, said))
    return found


def _chosen(evidence: Evidence) -> tuple[PairMethod, list[Note]]:
    how, reason = choose(evidence.pair)
    return how, [reason]


def _check_units(rope: float, chosen: Sequence[Metric]) -> None:
    units = list(dict.fromkeys(metric.unit for metric in chosen))
    if rope and len(units) > 1:
        raise UsageError(
            f"one ROPE of {rope:g} for gains in several units ({', '.join(units)}): name one metric with -m"
        )
