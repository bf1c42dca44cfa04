"""MultEval's printed numbers made again: its draws have no seed, so that what it sampled agrees within chance."""

from __future__ import annotations

import math
from collections.abc import Iterator

from outscore.base.errors import InputError
from outscore.data.printed.records import Number, PrintedRow, Quantity
from outscore.metrics import Metric
from outscore.results.comparison import Comparison
from outscore.results.pairs import Pair
from outscore.results.recheck import Reason, Rechecked
from outscore.verbs.recheck.records import ERRORS, Given, MadeAgain, Ours, decision, metric_of_multeval, tolerate_chance

_DEFAULT = 10_000
_ORDER: tuple[Quantity, ...] = ("score", "s_sel", "s_opt", "p")
_AS_CODED, _VALID = "multeval:as_coded=true", "multeval"
_ENOUGH_TO_PERMUTE = 3
"""Runs from which on a permutation need not be its own inverse."""


def remake(given: Given) -> MadeAgain:
    """Every number of the file by MultEval's rule and by ours.

    Raises:
        InputError: no metric of the file can be made again.
    """
    meant = {
        name: found for name in given.printed.metrics if (found := metric_of_multeval(name, given.metrics)) is not None
    }
    if not meant:
        raise InputError(
            f"holds {', '.join(given.printed.metrics)} alone", file=given.printed.source.file,
            remedy="MultEval's BLEU, TER and Length can be made again",
        )  # fmt: skip
    metrics = [metric for metric, _ in meant.values()]
    ours = given.compute_ours(metrics)
    n = given.asked.tool_resamples or _DEFAULT
    tested = any("p" in row.numbers for row in given.printed.rows) and len(given.data.systems) > 1
    coded, valid = (
        (Ours(given.compare(metrics, name, n_resamples=n)) if tested else None) for name in (_AS_CODED, _VALID)
    )
    numbers: list[Rechecked] = []
    for row in given.printed.rows:
        found = meant.get(row.metric)
        numbers += _unmade(row, given) if found is None else _row(row, *found, given, ours, coded, valid, n)
    source = "default" if given.asked.tool_resamples is None else "option"
    return MadeAgain(numbers=tuple(numbers), ours=ours.result, resamples=n, resamples_from=source)


def _unmade(row: PrintedRow, given: Given) -> Iterator[Rechecked]:
    for quantity in (one for one in _ORDER if one in row.numbers):
        number = row.numbers[quantity]
        yield Rechecked(
            system=given.systems[row.system], printed_system=row.system, metric=row.metric, printed_metric=row.metric,
            quantity=quantity, printed=number.value, text=number.text, remade=None, outcome="not made", ours=None,
            reasons=(Reason(code="other_metric", values={"metric": row.metric}),),
        )  # fmt: skip


def _row(
    row: PrintedRow,
    metric: Metric,
    scale: float,
    given: Given,
    ours: Ours,
    coded: Ours | None,
    valid: Ours | None,
    n: int,
) -> Iterator[Rechecked]:
    """The numbers of one system under one metric."""
    system, label = given.systems[row.system], metric.label
    record = ours.score(system, label)
    own = {"score": record.score, "s_sel": record.s_sel, "s_opt": record.s_test}
    for quantity in (one for one in _ORDER if one in row.numbers):
        number = row.numbers[quantity]
        reasons: list[Reason] = []
        if quantity == "p":
            by_rule, mine = (None if one is None else one.pair(system, label) for one in (coded, ours))
            remade = None if by_rule is None else by_rule.p_value
            shown = None if mine is None else mine.p_value
            slack = 0.0 if remade is None else tolerate_chance(remade, n, n)
            if mine is not None and remade is not None:
                sound = None if valid is None else valid.pair(system, label)
                reasons = [*_explain_p(number, mine, sound, given, ours, n)]
        else:
            value = own[quantity]
            remade = shown = None if value is None else scale * value
            # a standard deviation of n draws has a relative error of 1 / √(2n)
            slack = ERRORS * abs(remade or 0.0) / math.sqrt(n) if quantity == "s_sel" else 0.0
        outcome, why = _compare(quantity, number, remade, slack, label, n)
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
            ours=shown,
            reasons=(why, *reasons),
        )


def _compare(
    quantity: Quantity, number: Number, remade: float | None, slack: float, label: str, n: int
) -> tuple[str, Reason]:
    """Outcome of making a number again, as ``same`` or ``differs``, and the reason."""
    if remade is None:
        return "not made", Reason(code="no_rule", values={"procedure": "multeval"})
    if number.is_of(remade):
        return "same", Reason(code="same_from_other_draws" if quantity in ("p", "s_sel") else f"same_{quantity}")
    if number.is_of(remade, slack=slack):
        return "within chance", Reason(code="unseeded", values={"seed": None, "resamples": n})
    if label.startswith("ter"):
        return "differs", Reason(code="tercom", values={"by": remade - number.value})
    if quantity in ("p", "s_sel"):
        return "differs", Reason(code="beyond_chance", values={"resamples": n})
    return "differs", Reason(code="other_texts_or_options")


def _explain_p(number: Number, mine: Pair, valid: Pair | None, given: Given, ours: Ours, n: int) -> Iterator[Reason]:
    """The way from MultEval's p-value to ours."""
    if "identical_outputs" in mine.notes:
        yield Reason(code="identical", values={"least": 1 / (n + 1)})
        return
    runs = len(given.data.runs[mine.system])
    if valid is not None and runs >= _ENOUGH_TO_PERMUTE:
        yield Reason(code="runs_permuted", values={"valid": valid.p_value})
    if runs > 1:
        yield Reason(code="runs_as_items", values={"test": mine.test, "question": mine.question, "runs": runs})
    if isinstance(ours.result, Comparison):
        other = decision(number, mine, given.asked.alpha, ours.result.correction, len(ours.result.pairs))
        if other is not None:
            yield other
