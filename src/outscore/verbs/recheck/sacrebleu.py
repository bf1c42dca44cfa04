"""sacrebleu's printed numbers made again."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any

from outscore.base.arrays import Float
from outscore.base.errors import InputError, OutscoreError
from outscore.base.installed import versions_of
from outscore.base.lazy import dataclass
from outscore.base.rng import DEFAULT_SEED
from outscore.data.printed.records import Number, PrintedRow, Quantity
from outscore.metrics.shared.columns import reference_count
from outscore.metrics.shared.sacre import SacreMetric
from outscore.results.comparison import Comparison
from outscore.results.recheck import Reason, Rechecked
from outscore.results.result import Score
from outscore.significance import sacrebleu as rule
from outscore.verbs.recheck.records import (
    Given,
    MadeAgain,
    Ours,
    decision,
    explain_rest,
    metric_of_sacrebleu,
    tolerate_chance,
    variants,
)
from outscore.verbs.shared.extraction import Cache, extract
from outscore.verbs.shared.measured import runtime_of
from outscore.verbs.shared.reading import layers_of, one_answer_each

_DEFAULTS = {"bootstrap": 1000, "randomization": 10_000, "interval": 1000}
_USUAL = (*range(100, 1000, 100), *range(1000, 10_000, 500), *range(10_000, 100_001, 5000))
"""Numbers of resamples that people ask for."""

_ORDER: tuple[Quantity, ...] = ("score", "mean", "half_width", "p")


@dataclass(frozen=True)
class _Scored:
    """A printed metric with the outputs counted under it.

    Attributes:
        metric: with its options; ``found``: they were found by the scores, as the file does not name them.
        statistics: of each system, ``(items, k)``.
        score: sacrebleu's own, of summed statistics.
    """

    metric: SacreMetric
    found: bool
    statistics: Mapping[str, Float]
    score: rule.Scorer

    def find_score(self, system: str) -> float:
        return float(self.score(self.statistics[system].sum(axis=0)))


def remake(given: Given) -> MadeAgain:
    """Every number of the file by sacrebleu's rule and by ours.

    Raises:
        InputError: a system has several runs, or the file names a metric that sacrebleu does not have.
    """
    several = next((name for name in given.data.systems if len(given.data.runs[name]) > 1), None)
    if several is not None:
        raise InputError(
            f"system {several!r} has {len(given.data.runs[several])} runs; sacrebleu prints one number for each file",
            remedy="name the runs one by one: NAME=FILE for each",
        )
    scored = {name: _score(name, given) for name in given.printed.metrics}
    ours = given.compute_ours([one.metric for one in scored.values()])
    n, source = _resamples(given)
    numbers: list[Rechecked] = []
    for done, row in enumerate(given.printed.rows):
        numbers += _row(row, scored[row.metric], given, ours, n)
        if given.asked.progress is not None:
            given.asked.progress("making numbers again", done + 1, len(given.printed.rows))
    return MadeAgain(numbers=tuple(numbers), ours=ours.result, resamples=n, resamples_from=source)


def _score(name: str, given: Given) -> _Scored:
    options = given.printed.signatures.get(name, {})
    metric = metric_of_sacrebleu(name, options, given.metrics)
    if metric is None:
        raise InputError(
            f"names the metric {name!r}", file=given.printed.source.file, remedy="sacrebleu has BLEU, chrF and TER"
        )
    first = _count(metric, given, found=False)
    if metric.name in given.metrics or _fits(first, name, given):
        return first
    for variant in variants(metric):
        # a tokenizer whose library is not installed is passed over
        with contextlib.suppress(OutscoreError):
            other = _count(variant, given, found=True)
            if variant != metric and _fits(other, name, given):
                return other
    return first


def _count(metric: SacreMetric, given: Given, *, found: bool) -> _Scored:
    by_system = layers_of(metric, given.data)
    one_answer_each(given.data, "sacrebleu prints one number for each file")
    flat = [next(iter(runs.values()))[0] for runs in by_system.values()]
    kept = None if given.asked.cache is None else Cache(Path(given.asked.cache))
    runtime = runtime_of(given.asked.jobs, given.asked.progress)
    counts = extract(metric, flat, jobs=runtime.jobs, cache=kept, progress=runtime.progress)
    theirs = metric.reference_implementation()

    def score(sums: Any) -> Any:
        # as it is, since its precision is that of the sums
        return theirs._compute_score_from_stats(sums).score

    return _Scored(metric, found, dict(zip(by_system, counts, strict=True)), score)


def _fits(scored: _Scored, name: str, given: Given) -> bool:
    """Whether all printed scores of the metric come out."""
    rows = [row for row in given.printed.rows if row.metric == name and "score" in row.numbers]
    return all(row.numbers["score"].is_of(scored.find_score(given.systems[row.system])) for row in rows)


def _resamples(given: Given) -> tuple[int | None, str]:
    """How many resamples sacrebleu drew, and where that is known from."""
    printed = given.printed
    default = _DEFAULTS.get(printed.procedure)
    if default is None:
        return None, "default"
    if given.asked.tool_resamples is not None:
        return given.asked.tool_resamples, "option"
    if printed.n_resamples is not None:
        return printed.n_resamples, "file"
    whole = [row.numbers["p"].value for row in printed.rows if "p" in row.numbers and row.numbers["p"].decimals is None]
    # p is a count over n + 1, so that n + 1 is a multiple of every denominator
    step = lcm(*(Fraction(p).limit_denominator(1_000_001).denominator for p in whole)) if whole else 1
    if (default + 1) % step == 0:
        return default, "default"
    return next((n for n in _USUAL if (n + 1) % step == 0), max(1, step - 1)), "p-values"


def _row(row: PrintedRow, scored: _Scored, given: Given, ours: Ours, n: int | None) -> Iterator[Rechecked]:
    """The numbers of one system under one metric."""
    system, label = given.systems[row.system], scored.metric.label
    score, record = scored.find_score(system), ours.score(system, label)
    of_baseline = next((one for one in given.printed.rows if one.metric == row.metric), row)
    fits = all(
        one.numbers["score"].is_of(scored.find_score(given.systems[one.system]))
        for one in (row, of_baseline)
        if "score" in one.numbers
    )
    drawn, by_numpy_1 = (None, False) if n is None else _draw(row, scored, given, n)
    same_draws = fits and drawn is not None and _is_remade(row, drawn)
    for quantity in (one for one in _ORDER if one in row.numbers):
        number = row.numbers[quantity]
        remade = score if quantity == "score" else None if drawn is None else _choose_quantity(drawn, quantity)
        outcome, reasons = _compare(quantity, number, remade, scored, given, row.metric, n, fits=fits)
        if outcome == "same" and quantity != "score" and not same_draws:
            reasons = [Reason(code="same_by_chance")]
        if by_numpy_1 and outcome == "same" and quantity != "score":
            reasons.append(Reason(code="numpy_1"))
        mine: float | None = record.score
        if quantity == "mean":
            mine = None
            resampled = number.value if remade is None else remade
            reasons.append(Reason(code="mean_of_redrawn", values={"bias": resampled - score}))
        elif quantity == "half_width":
            mine = None if record.ci is None else (record.ci[1] - record.ci[0]) / 2
            reasons.append(_explain_interval(record))
        elif quantity == "p" and drawn is not None and n is not None:
            mine, more = _explain_p(number, drawn, system, label, given, ours, n)
            reasons += more
        yield Rechecked(
            system=system,
            printed_system=row.system,
            metric=label,
            printed_metric=row.metric,
            quantity=quantity,
            printed=number.value,
            text=number.text,
            remade=remade,
            outcome=outcome,
            ours=mine,
            reasons=tuple(reasons),
        )


def _draw(row: PrintedRow, scored: _Scored, given: Given, n: int) -> tuple[rule.Drawn, bool]:
    """Numbers of one system by sacrebleu's rule; and whether scores are computed as under NumPy 1 to fit the file."""
    procedure, tested = given.printed.procedure, "p" in row.numbers
    base, mine = (scored.statistics[name] for name in (given.baseline, given.systems[row.system]))
    # draws without a seed cannot be had again: ours are seeded, lest this report change from run to run
    alone = DEFAULT_SEED if given.tool_seed is None else given.tool_seed
    paired = given.tool_seed or DEFAULT_SEED
    if tested and procedure == "randomization":
        return rule.randomization(base, mine, scored.score, n, paired), False
    made = []
    for by_numpy_1 in (False, True):
        if tested:
            drawn = rule.bootstrap(base, mine, scored.score, n, paired, old_numpy=by_numpy_1)
        else:
            single = procedure == "interval"
            ends = rule.interval(mine, scored.score, n, alone, old_numpy=by_numpy_1, single=single)
            drawn = rule.Drawn(p_value=1.0, with_ties=1.0, two_sided=1.0, mean=ends[0], half_width=ends[1])
        if _is_remade(row, drawn):
            return drawn, by_numpy_1
        made.append(drawn)
    return made[0], False


def _is_remade(row: PrintedRow, drawn: rule.Drawn) -> bool:
    """Whether all that was printed of the draws comes out."""
    parts = [(row.numbers[name], _choose_quantity(drawn, name)) for name in _ORDER[1:] if name in row.numbers]
    return all(part is not None and number.is_of(part) for number, part in parts)


def _choose_quantity(drawn: rule.Drawn, quantity: str) -> float | None:
    return {"p": drawn.p_value, "mean": drawn.mean, "half_width": drawn.half_width}[quantity]


def _compare(
    quantity: Quantity,
    number: Number,
    remade: float | None,
    scored: _Scored,
    given: Given,
    name: str,
    n: int | None,
    *,
    fits: bool,
) -> tuple[str, list[Reason]]:
    """Outcome of making a number again, as ``same`` or ``differs``, and the reasons."""
    if remade is None:
        return "not made", [Reason(code="no_rule", values={"procedure": given.printed.procedure})]
    if number.is_of(remade):
        chosen = [Reason(code="found_options", values={"metric": scored.metric.label})] if scored.found else []
        return "same", [*(chosen if quantity == "score" else []), Reason(code=f"same_{quantity}")]
    if quantity == "score":
        return "differs", [*_other_texts(given, name)]
    if not fits:
        return "differs", [Reason(code="other_score")]
    if quantity != "p" or n is None:
        # how far means and intervals lie apart by chance has no law as plain as that of a proportion
        return "differs", [_other_draws(given, n)]
    near = abs(remade - number.value) <= tolerate_chance(remade, n, n) + (
        0 if number.decimals is None else 10**-number.decimals
    )
    return ("within chance" if near else "differs"), [
        _other_draws(given, n) if near else Reason(code="beyond_chance", values={"resamples": n})
    ]


def _other_draws(given: Given, n: int | None) -> Reason:
    unseeded = given.tool_seed is None or (given.tool_seed == 0 and given.printed.procedure != "interval")
    code = "unseeded" if unseeded else "other_draws"
    return Reason(code=code, values={"seed": given.tool_seed, "resamples": n})


def _other_texts(given: Given, name: str) -> Iterator[Reason]:
    """Why a score may not be that of these files, by what the signature says."""
    options = given.printed.signatures.get(name, {})
    installed = versions_of("sacrebleu").get("sacrebleu")
    here = str(reference_count(next(iter(given.data.by_run.values()))))
    if options.get("nrefs", here) != here:
        yield Reason(code="other_references", values={"theirs": options["nrefs"], "ours": here})
    if installed and options.get("version", installed) != installed:
        yield Reason(code="other_version", values={"theirs": options["version"], "ours": installed})
    yield Reason(code="other_texts" if options else "other_texts_or_options")


def _explain_interval(record: Score) -> Reason:
    low, high = record.ci or (None, None)
    return Reason(code="half_width", values={"low": low, "high": high, "method": record.ci_method})


def _explain_p(
    number: Number, drawn: rule.Drawn, system: str, label: str, given: Given, ours: Ours, n: int
) -> tuple[float | None, list[Reason]]:
    """Our p-value, and the way from sacrebleu's to it."""
    pair, found = ours.pair(system, label), ours.result
    if pair is None or not isinstance(found, Comparison):
        return None, []
    if "identical_outputs" in pair.notes:
        return pair.p_value, [Reason(code="identical", values={"least": 1 / (n + 1)})]
    reasons = []
    if given.printed.procedure == "bootstrap":
        reasons.append(Reason(code="one_tail", values={"both": drawn.two_sided}))
    elif drawn.with_ties != drawn.p_value:
        reasons.append(Reason(code="ties_left_out", values={"counted": drawn.with_ties}))
    more = (
        explain_rest(drawn.two_sided, pair, n, found.provenance.cluster),
        decision(number, pair, given.asked.alpha, found.correction, len(found.pairs)),
    )
    return pair.p_value, [*reasons, *(reason for reason in more if reason is not None)]
