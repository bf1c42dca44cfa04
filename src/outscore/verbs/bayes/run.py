"""The work of ``bayes``: the posterior of each pair by the method that suits it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from outscore.base.errors import UsageError
from outscore.base.notes import INTERRUPTED, Note
from outscore.data.exports import OVERLAP
from outscore.metrics import Metric
from outscore.results import PairPosterior, Posteriors
from outscore.significance.bayes import Evidence, Method, PairMethod, Posterior, SampleMethod, methods, notes
from outscore.significance.bayes.choose import choose
from outscore.significance.bayes.reweighted import Reweighted
from outscore.significance.gain import GainContrast
from outscore.significance.independent import IndependentSamples
from outscore.significance.settings import Settings
from outscore.verbs.bayes import Bayes
from outscore.verbs.shared.inputs import align_apart_from, align_from, baseline_of, check_resamples, check_several
from outscore.verbs.shared.measuring import runtime_of
from outscore.verbs.shared.naming import attribute, score_name
from outscore.verbs.shared.records import unique_notes
from outscore.verbs.shared.samples import SharedItems, Systems

_FEWEST_DRAWS = 100
_CLOSE = 2.6  # Monte-Carlo errors: a probability so far away is on the other side once in a hundred times


def bayes(data: Any, asked: Bayes) -> Posteriors:
    """The posterior probabilities that are asked for."""
    method, rope, all_pairs, n_resamples = asked.method, asked.rope, asked.all_pairs, asked.n_resamples
    check_resamples(n_resamples)
    if n_resamples < _FEWEST_DRAWS:
        raise UsageError(f"n_resamples={n_resamples}: a posterior needs {_FEWEST_DRAWS} draws or more")
    if not 0 <= rope < math.inf:
        raise UsageError(f"rope={rope:g}: expected 0 or a number above 0, in the unit of the gains")
    settings = Settings(alpha=asked.alpha, n_resamples=n_resamples, seed=asked.seed, runtime=runtime_of(asked))
    given = {"references": asked.references, "items": asked.items, "missing": asked.missing}
    named = method if isinstance(method, Method) else None if method == "auto" else methods.make(method)
    read = align_apart_from(data, **given) if isinstance(named, SampleMethod) else (align_from(data, **given),)
    check_several(*read)
    kept = None if asked.cache is None else Path(asked.cache)
    systems = Systems([SharedItems.of(part, asked.metrics, asked.cluster, settings, kept) for part in read])
    first = baseline_of(systems.names, asked.baseline)
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
        seed=asked.seed,
        alpha=asked.alpha,
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
