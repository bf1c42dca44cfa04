"""The metric of ours that a printed metric is, by its name and the signature beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from outscore.base.registry import split_specs
from outscore.metrics import Metric, metrics
from outscore.metrics.bleu import Bleu
from outscore.metrics.chrf import Chrf
from outscore.metrics.ratio import LengthRatio
from outscore.metrics.shared.sacre import SacreMetric
from outscore.metrics.ter import Ter

_CHRF = re.compile(r"chrF(\d*)(\+*)")
_SMOOTH = re.compile(r"(exp|floor|add-k|none)(?:\[([\d.]+)\])?")
_OF_MULTEVAL: dict[str, tuple[Metric, float]] = {
    "BLEU": (Bleu(tokenize="none"), 1.0),
    "TER": (Ter(case_sensitive=True), 1.0),
    "Length": (LengthRatio(tested=True), 100.0),
}


def metric_of_multeval(name: str, asked: Mapping[str, Metric]) -> tuple[Metric, float] | None:
    """The metric, and what its score is multiplied by; None for METEOR, of which MultEval has another version."""
    known = _OF_MULTEVAL.get(name)
    return None if known is None else (asked.get(known[0].name, known[0]), known[1])


def metric_of_sacrebleu(name: str, options: Mapping[str, str], asked: Mapping[str, Metric]) -> SacreMetric | None:
    """The metric with the options of its signature; those asked for win. None for a name that is none of its metrics.

    Args:
        name: as it was printed, ``chrF2++``.
        options: the signature as option to value; empty where there is none.
        asked: metrics of the user by name.
    """
    chrf = _CHRF.fullmatch(name)
    key = "chrf" if chrf else name.lower()
    wanted = asked.get(key)
    if isinstance(wanted, SacreMetric):
        return wanted
    lower = options.get("case") == "lc"
    if key == "bleu":
        smooth = _SMOOTH.fullmatch(options.get("smooth", options.get("s", "exp")))
        return Bleu(
            tokenize=_tokenizer(options.get("tok", "13a")),
            smooth=smooth[1] if smooth else "exp",  # type: ignore[arg-type]
            smooth_value=float(smooth[2]) if smooth and smooth[2] else None,
            lowercase=lower,
            effective_order=options.get("eff") == "yes",
        )
    if chrf:
        return Chrf(
            char_order=_parse_int(options.get("nc"), 6),
            word_order=_parse_int(options.get("nw"), len(chrf[2])),
            beta=_parse_int(chrf[1], 2),
            lowercase=lower,
            whitespace=options.get("space", options.get("s")) == "yes",
            eps_smoothing=options.get("eff") == "no",
        )
    if key == "ter":
        return Ter(
            normalized=options.get("norm", options.get("nr")) == "yes",
            no_punct=options.get("punct", options.get("pn")) == "no",
            asian_support=options.get("asian", options.get("as")) == "yes",
            case_sensitive=options.get("case") == "mixed",
        )
    return None


def name_metrics(named: Sequence[str | Metric] | str | Metric | None) -> dict[str, Metric]:
    """Metrics by name, made from what the user wrote.

    Raises:
        UsageError: an unknown metric or option.
    """
    specs = [named] if isinstance(named, str | Metric) else named or ()
    found = [one for spec in specs for one in ([spec] if isinstance(spec, Metric) else split_specs(spec))]
    made = [one if isinstance(one, Metric) else metrics.make(one) for one in found]
    return {one.name: one for one in made}


def variants(metric: SacreMetric) -> Iterator[SacreMetric]:
    """The same metric under other options that users set, the likeliest first."""
    if isinstance(metric, Bleu):
        for lowercase in (metric.lowercase, not metric.lowercase):
            for tokenize in dict.fromkeys((metric.tokenize, "none", "intl", "13a", "char", "zh")):
                yield replace(metric, lowercase=lowercase, tokenize=tokenize)
        for smooth in ("none", "floor", "add-k"):
            yield replace(metric, smooth=smooth)
    elif isinstance(metric, Chrf):
        yield replace(metric, lowercase=not metric.lowercase)
        yield replace(metric, whitespace=not metric.whitespace)
        yield replace(metric, eps_smoothing=not metric.eps_smoothing)
    elif isinstance(metric, Ter):
        yield replace(metric, case_sensitive=not metric.case_sensitive)
        yield replace(metric, normalized=not metric.normalized)
        yield replace(metric, no_punct=not metric.no_punct)


def _tokenizer(said: str) -> str:
    """sacrebleu writes the versions of some tokenizers behind their names."""
    return next((name for name in ("ja-mecab", "ko-mecab") if said.startswith(name)), said)


def _parse_int(said: str | None, otherwise: int) -> int:
    return int(said) if said and said.isdecimal() and len(said) < 4 else otherwise
