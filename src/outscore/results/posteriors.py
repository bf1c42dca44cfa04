"""The records of the posterior of each pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.results.declared import Shown, Writer
from outscore.results.result import Interval

_GAIN = "gain"
_MOST = 4
"""Pairs that have a sentence each; more are counted."""
_LIKELY = {"better": "better", "within": "within ROPE", "worse": "worse"}
_KINDS = {"exact": "exact", "monte-carlo": "Monte Carlo"}


@dataclass(frozen=True, kw_only=True)
class PairPosterior:
    """One system against another, as a rule the baseline, under one metric: probabilities, not p-values.

    Attributes:
        system: the one judged; ``baseline``: the one that it is compared with.
        gain: score of the system minus score of the other, signed so that positive is better.
        method: name of the method; ``model`` and ``prior`` say in words what it takes for given.
        rope: half the width of the region of practical equivalence, in the unit of the gain; 0 for none.
        better, within, worse: probabilities that the system is better, within the ROPE, and worse; they add up to 1.
            None where the method has no answer.
        kind: ``exact`` or ``monte-carlo``; ``error``: the largest Monte-Carlo standard error of the three.
        likely: ``better``, ``within`` or ``worse``, where that probability is above 1 - alpha, else the empty string.
        about: quantity of ``mean`` and ``ci``: ``gain``, or another difference in words.
        mean: posterior mean; ``ci``: equal-tailed credible interval at level 1 - alpha.
        n_items: items used; ``n_draws``: draws from the posterior, None where none were.
        effect: named numbers that belong to the method.
        notes: codes of the notes that concern this pair.
    """

    system: Annotated[str, Shown("")]
    baseline: Annotated[str, Shown("against")]
    metric: str
    gain: float
    method: str
    model: str
    prior: str
    rope: Annotated[float, Shown("ROPE", "given")]
    better: float | None
    within: float | None
    worse: float | None
    kind: str
    error: float | None
    likely: str
    about: str
    mean: float | None
    ci: Interval | None
    n_items: int
    n_draws: int | None
    effect: Mapping[str, float | int | str | None]
    notes: tuple[str, ...] = ()

    @property
    def p_better(self) -> Annotated[float | None, Shown("P(better)", "proportion")]:
        """Chance that the system is better, as it may be shown."""
        return self._open(self.better)

    @property
    def p_within(self) -> Annotated[float | None, Shown("P(within)", "proportion")]:
        """Chance that it is within the ROPE, as it may be shown."""
        return self._open(self.within) if self.rope else self.within

    @property
    def p_worse(self) -> Annotated[float | None, Shown("P(worse)", "proportion")]:
        """Chance that it is worse, as it may be shown."""
        return self._open(self.worse)

    def _open(self, chance: float | None) -> float | None:
        """The chance, never 0 or 1 unless all belief lies on one number: draws that are all on one side prove none."""
        if chance is None or (self.ci is not None and self.ci[0] == self.ci[1]):
            return chance
        return min(max(chance, 1e-12), 1 - 1e-12)


@dataclass(frozen=True)
class Beliefs:
    """The posteriors of all pairs under all metrics, what is to be said of them, and their sources."""

    records: tuple[PairPosterior, ...] = ()
    notes: tuple[Note, ...] = ()
    citations: tuple[str, ...] = ()


def tell_posteriors(pairs: Sequence[PairPosterior], baseline: str, w: Writer) -> Iterator[str]:
    """A sentence for each of few pairs, or for each metric."""
    if w.brief and 0 < len(pairs) <= 2 * _MOST:
        yield _tell_in_brief(pairs, baseline, w)
        return
    if len(pairs) <= _MOST:
        yield from (_finding(pair, w) for pair in pairs)
        return
    for metric in dict.fromkeys(pair.metric for pair in pairs):
        yield _count([pair for pair in pairs if pair.metric == metric], baseline, metric, w)


def _finding(pair: PairPosterior, w: Writer) -> str:
    """``new is better than base by BLEU with a probability of 98.0%.``"""
    system, baseline = w.name(pair.system), w.name(pair.baseline)
    on = "" if w.label(pair.metric) == "mean" else f" by {w.label(pair.metric)}"
    if pair.better is None:
        return f"{system} against {baseline}{on}: no posterior."
    margin = _margin(pair, w)
    by = f" by more than {margin}" if pair.rope else ""
    if pair.likely:
        chance = {"better": pair.p_better, "within": pair.p_within, "worse": pair.p_worse}[pair.likely]
        within = f"within {margin} of {baseline}" if pair.rope else f"as good as {baseline}"
        way = within if pair.likely == "within" else f"{pair.likely} than {baseline}{by}"
        return f"{system} is {way}{on} with a probability of {w.percent(chance, 1)}."
    ways = [f"better{by} with {w.percent(pair.p_better, 1)}"]
    if pair.rope or pair.within:
        ways.append(f"{'within it' if pair.rope else 'as good'} with {w.percent(pair.p_within, 1)}")
    said = f"{', '.join(ways)}, worse with {w.percent(pair.p_worse, 1)} probability"
    return f"{system} against {baseline}{on} is open: {said}."


def _tell_in_brief(pairs: Sequence[PairPosterior], baseline: str, w: Writer) -> str:
    """``Probability of being better than base: new 98.0% by BLEU, 95.0% by TER; larger 20.1%, 30.0%.``"""
    by_system: dict[str, list[PairPosterior]] = {}
    for pair in pairs:
        if pair.baseline == baseline:
            by_system.setdefault(pair.system, []).append(pair)
    metrics = {pair.metric for pair in pairs}
    within = w.brief < 2 and any(pair.rope for pair in pairs)
    told: list[str] = []
    for of in by_system.values():
        named = len(metrics) > 1 and (not told or {pair.metric for pair in of} != metrics)
        chances = (
            w.percent(pair.p_better, 1)
            + (f" and {w.percent(pair.p_within, 1)}" if within else "")
            + (f" by {w.label(pair.metric)}" if named else "")
            for pair in of
        )
        told.append(f"{w.name(of[0].system)} {', '.join(chances)}")
    rope = " by more than the margin" if any(pair.rope for pair in pairs) else ""
    rope += ", and within it" if within else ""
    than = w.name(baseline) if w.brief < 2 else "the baseline"
    return f"Probability of being better than {than}{rope}: {'; '.join(told)}."


def _margin(pair: PairPosterior, w: Writer) -> str:
    return w.margin(pair.rope, pair.metric) if pair.about == _GAIN else w.given(pair.rope)


def _count(pairs: Sequence[PairPosterior], baseline: str, metric: str, w: Writer) -> str:
    """``Of 7 systems 3 are better than base by BLEU with a probability above 95%, 2 worse; 2 are open.``"""
    on = "" if w.label(metric) == "mean" else f" by {w.label(metric)}"
    apart = {pair.baseline for pair in pairs} != {baseline}
    of = f"{w.count(len(pairs), 'pair')} of systems" if apart else w.count(len(pairs), "system")
    against = "" if apart else f" than {w.name(baseline)}"
    counts = {name: sum(pair.likely == name for pair in pairs) for name in _LIKELY}
    said = [f"{counts['better']} {_are(counts['better'])} better{against}", f"{counts['worse']} worse"]
    said += [f"{counts['within']} within the ROPE"] if any(pair.rope or pair.within for pair in pairs) else []
    open_ = len(pairs) - sum(counts.values())
    return f"Of {of}{on} {', '.join(said)}, with a probability above {w.level()}; {open_} {_are(open_)} open."


def table_of_posteriors(pairs: Sequence[PairPosterior], baseline: str, w: Writer) -> Any:
    """The probabilities of each pair, with the posterior mean."""
    apart = ("baseline",) if any(pair.baseline != baseline for pair in pairs) else ()
    ropes = ("rope",) if len({pair.rope for pair in pairs}) > 1 else ()
    within = ("p_within",) if any(pair.rope or pair.within for pair in pairs) else ()
    return w.table(
        "Posterior" if apart else f"Posterior against {w.name(baseline)}", pairs,
        ("system", *apart, "p_better", *within, "p_worse", *ropes, _mean_column(pairs, w),
         Shown(f"above {w.level()}", value=lambda pair: pair.likely, words=_LIKELY, spare="elsewhere")),
        first=True, naming=1 + len(apart), codes=lambda pair: pair.notes,
    )  # fmt: skip


def _mean_column(pairs: Sequence[PairPosterior], w: Writer) -> Shown:
    gains = all(pair.about == _GAIN for pair in pairs)
    return Shown("gain" if gains else "mean", "gain" if gains else "difference", value=lambda pair: pair.mean,
                 ci=lambda pair: pair.ci, ci_title=f"[{w.level()} credible]", bar=True)  # fmt: skip


def describe_posteriors(pairs: Sequence[PairPosterior], w: Writer) -> str:
    """The methods in one line: ``Posterior: t (exact), given model and prior. Within: gains up to ±1 point.``"""
    made = dict.fromkeys(f"{w.name(p.method)} ({_KINDS.get(p.kind, w.name(p.kind))})" for p in pairs)
    margins = dict.fromkeys(_margin(pair, w) for pair in pairs)
    one = len(margins) == 1 and any(pair.rope for pair in pairs)
    rope = f" Within: gains up to ±{next(iter(margins))}." if one else ""
    return f"Posterior: {', '.join(made)}, given model and prior.{rope}"


def explain_posteriors(pairs: Sequence[PairPosterior], w: Writer) -> Iterator[str]:
    """Model, prior, ROPE and draws."""
    for method, kind, model, prior in dict.fromkeys((p.method, p.kind, p.model, p.prior) for p in pairs):
        said = f"{w.name(method)}, {_KINDS.get(kind, w.name(kind))}"
        yield f"Posterior: {said}. Model: {w.name(model)}. Prior: {w.name(prior)}."
    for metric in dict.fromkeys(pair.metric for pair in pairs):
        for rope in sorted({pair.rope for pair in pairs if pair.metric == metric and pair.rope}):
            ends = f"gains from -{w.given(rope)} to {w.given(rope)}"
            yield f"ROPE (region of practical equivalence) of {w.label(metric)}: {ends}."
    for about in dict.fromkeys(pair.about for pair in pairs if pair.about != _GAIN):
        yield f"Mean: of the {w.name(about)}, not of the gain."
    sampled = [pair for pair in pairs if pair.error is not None]
    if sampled:
        error = w.number(max(pair.error or 0.0 for pair in sampled), 2)
        drawn = ", ".join(dict.fromkeys(f"{pair.n_draws:,}" for pair in sampled))
        yield f"{drawn} draws; Monte-Carlo standard error of a probability at most {error}."


def flatten_posterior(pair: PairPosterior) -> dict[str, Any]:
    """The posterior of a pair as columns of its row."""
    names = ("method", "rope", "better", "within", "worse", "likely", "error", "mean", "ci")
    return {f"posterior_{name}": getattr(pair, name) for name in names}


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
