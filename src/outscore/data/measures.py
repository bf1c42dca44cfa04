"""What the header of a column of numbers says of them: how good an output is, or something beside that."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from outscore.base.notes import Note
from outscore.data.columns import NUMBERS

QUALITY, ASIDE = "quality", "aside"

_QUALITY = frozenset(
    (
        *("score", "scores", "acc", "accuracy", "correct", "em", "f1", "precision", "recall", "auc", "mrr", "ndcg"),
        *("map", "bleu", "chrf", "ter", "rouge", "rouge1", "rouge2", "rougel", "meteor", "bertscore", "bleurt"),
        *("comet", "metricx", "xcomet", "wer", "cer", "mer", "bpc", "ppl", "perplexity", "loss", "nll", "mse", "mae"),
        *("rmse", "reward", "rating", "passed", "success", "resolved", "faithfulness", "relevance", "relevancy"),
        *("coherence", "consistency", "fluency", "adequacy", "helpfulness", "harmlessness", "correctness"),
        *("toxicity", "groundedness", "factuality", "mqm", "esa"),
    )
)
"""Words that name a measure of an output."""
_COSTS = frozenset(
    (
        *("latency", "duration", "time", "runtime", "elapsed", "seconds", "cost", "price", "tokens", "token", "words"),
        *("chars", "characters", "length", "len", "size", "bytes", "memory", "flops", "params", "parameters"),
    )
)
_LOWER = frozenset(
    (
        "mqm",  # points of errors, unless they were given a minus
        *("ter", "wer", "cer", "mer", "loss", "nll", "perplexity", "ppl", "error", "errors", "mse", "mae", "rmse"),
        *("edits", "latency", "duration", "time", "runtime", "elapsed", "seconds", "cost", "price", "memory"),
    )
)
"""Columns of these names are, as a rule, better when lower; a mean takes higher as better unless told otherwise."""
ERROR_SCORES = ("metricx", "brier_score")
"""Scores of errors from 0, lower better, which some files keep with the sign turned."""
_BELIEFS = frozenset(("confidence", "conf", "prob", "probability", "logprob", "logprobs", "loglikelihood", "entropy"))
_SPREADS = frozenset(("std", "stdev", "stddev", "sd", "stderr", "sem", "variance", "ci", "pvalue"))
_PLACES = frozenset(("rank", "position", "timestamp", "date", "year", "datetime", "created", "idx", "id", "uuid"))
_WHOLE = frozenset(
    (
        *("mean", "average", "avg", "median", "overall", "total", "sum", "min", "max", "count", "n", "var", "se"),
        *("support", "weight", "numerator", "denominator", "low", "high", "lower", "upper", "p", "p_value", "order"),
        *("fold", "step", "iteration", "difficulty", "level", "diff", "delta", "difference", "gain", "hops", "turns"),
        *("row", "line", "number", "no", "num", "month", "day", "temperature", "top_p", "ref_len", "hyp_len"),
    )
)
"""Names that say it only where they are the whole header: ``mean-pooling`` may be a system."""
_UNITS = frozenset(("ms", "us", "ns", "s", "sec", "secs", "min", "mins", "usd", "kb", "mb", "gb", "low", "high"))
_UNITS_ONLY_BEHIND = _COSTS | _SPREADS
_FIRST = frozenset(("rank", "std", "ci", "num", "latency", "duration"))
_WORDS = re.compile(r"[A-Z]?[a-z]+\d*|[A-Z]+(?![a-z])\d*|\d+")
_LAST = _COSTS | _BELIEFS | _SPREADS | _PLACES


@dataclass(frozen=True)
class Said:
    """What a header says: ``QUALITY`` or ``ASIDE``, by which word, and the rest of the header."""

    kind: str
    word: str
    rest: str


def said_by(header: str) -> Said | None:
    """What a header says of its numbers; None for a name that says nothing of them, as those of systems do."""
    name = header.strip().lower()
    words = [word.lower() for word in _WORDS.findall(header)]
    if not words:
        return None
    if name in _WHOLE or name in _LAST:
        return Said(ASIDE, name, "")
    if name in NUMBERS or name in _QUALITY:
        return Said(QUALITY, name, "")
    bare = words[:-1] if len(words) > 1 and words[-1] in _UNITS and words[-2] in _UNITS_ONLY_BEHIND else words
    if bare[-1] in _LAST:
        return Said(ASIDE, bare[-1], " ".join(bare[:-1]))
    if words[0] in _FIRST:
        return Said(ASIDE, words[0], " ".join(words[1:]))
    known = [word for word in words if word in _QUALITY]
    if not known:
        return None
    rest = [word for word in words if word not in _QUALITY]
    return Said(QUALITY, " ".join(known), " ".join(rest))


def lower_by_name(header: str) -> bool:
    """Whether a header says that lower is better."""
    said = said_by(header)
    return header.lower() in _LOWER or (said is not None and said.word in _LOWER)


def costs_by_name(header: str) -> bool:
    """Whether a header says that it counts what an output costs, or how long it is: more may be worse."""
    said = said_by(header)
    return said is not None and said.word in _COSTS


def aside(header: str) -> bool:
    """Whether a header says that its numbers are a cost, a place or a belief, not how good an output is."""
    said = said_by(header)
    return said is not None and said.kind == ASIDE


def only_systems(headers: Iterable[str]) -> bool | None:
    """Whether columns of numbers are systems: True, False for measures of one system, None where both may be meant.

    They are systems where no header speaks of its numbers, or all of them say the same of several things:
    ``base_acc``, ``new_acc``. They are measures where every header speaks of its numbers.
    """
    said = [said_by(header) for header in headers]
    if not any(said):
        return True
    if not all(said):
        return None
    kinds = {(one.kind, one.word) for one in said if one is not None}
    rests = {one.rest for one in said if one is not None}
    return len(kinds) == 1 and len(rests) == len(said) > 1 and "" not in rests


def only_numbers(name: str) -> Note:
    """What is said where a column was taken as the score because it is the only one of numbers."""
    return Note(
        code="column_as_score",
        text=f"{name!r}, the only column of numbers, was taken as the score",
        remedy=f"say so with -c score={name}, or name another column",
    )
