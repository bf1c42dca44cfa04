"""A recheck: the question, with data and settings, the metric that a printed name means, and numbers made again."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from outscore.base.lazy import dataclass
from outscore.base.registry import split_specs
from outscore.data.dataset import Dataset
from outscore.data.printed.records import Number, PrintedFile
from outscore.metrics import Metric, metrics
from outscore.metrics.bleu import Bleu
from outscore.metrics.chrf import Chrf
from outscore.metrics.ratio import LengthRatio
from outscore.metrics.shared.sacre import SacreMetric
from outscore.metrics.ter import Ter
from outscore.results.comparison import Comparison
from outscore.results.pairs import DECIDED, Pair
from outscore.results.recheck import Reason, Rechecked
from outscore.results.result import Score
from outscore.results.scores import Scores
from outscore.significance import Test
from outscore.verbs.compare import compare
from outscore.verbs.recheck import RecheckNumbers
from outscore.verbs.score import score

_OF_BOTH = ("seed", "alpha", "cluster", "jobs", "cache", "progress", "n_resamples")


@dataclass(frozen=True, kw_only=True)
class Given:
    """A printed file with the outputs and settings by which its numbers can be made again.

    Attributes:
        printed: contents of the file.
        data: the outputs of the systems it is about, in its order.
        systems: name in the file to name here.
        metrics: those that the user named, by name.
        tool_seed: of the program; None for unseeded.
        asked: options of the verb.
    """

    printed: PrintedFile
    data: Dataset
    systems: dict[str, str]
    metrics: dict[str, Metric]
    tool_seed: int | None
    asked: RecheckNumbers

    @property
    def baseline(self) -> str:
        """The first system of the file, as it is called here."""
        return self.data.systems[0]

    def compute_ours(self, metrics: Sequence[Metric]) -> Ours:
        """Compare the systems where the file compares them, else score them."""
        if self.printed.procedure in ("scores", "interval") or len(self.data.systems) < 2:
            return Ours(score(self.data, metrics=metrics, **self._how))
        return Ours(self.compare(metrics, self.asked.test))

    def compare(self, metrics: Sequence[Metric], test: str | Test, **how: Any) -> Comparison:
        """All systems against the baseline of the file, by one test."""
        return compare(self.data, metrics=metrics, test=test, baseline=self.baseline, **{**self._how, **how})

    @property
    def _how(self) -> dict[str, Any]:
        """Options of ``compare`` and ``score`` alike."""
        return {name: getattr(self.asked, name) for name in _OF_BOTH}


@dataclass(frozen=True)
class Ours:
    """The comparison, or the scores, that outscore makes of the same outputs."""

    result: Comparison | Scores

    def score(self, system: str, metric: str) -> Score:
        return next(one for one in self.result.scores if (one.system, one.metric) == (system, metric))

    def pair(self, system: str, metric: str) -> Pair | None:
        pairs = self.result.pairs if isinstance(self.result, Comparison) else ()
        return next((one for one in pairs if (one.system, one.metric) == (system, metric)), None)


@dataclass(frozen=True, kw_only=True)
class MadeAgain:
    """All numbers of a file; ``ours`` is the comparison beside them."""

    numbers: tuple[Rechecked, ...]
    ours: Comparison | Scores
    resamples: int | None = None
    resamples_from: str = "default"


ERRORS = 4.0
"""Standard errors within which two sampled numbers agree: 6 in 100,000 lie farther apart by chance."""


def tolerate_chance(p: float, *resamples: int) -> float:
    """How far apart chance may bring p-values drawn so often, each counted with the one that is added."""
    spread = max(p * (1 - p), 1 / (min(resamples) + 1))
    return ERRORS * math.sqrt(spread * sum(1 / n for n in resamples)) + 1 / (min(resamples) + 1)


def explain_rest(like: float, pair: Pair, resamples: int, cluster: str | None) -> Reason | None:
    """Reason why our p-value differs from a sound one of the program's draws; None where they are the same.

    Args:
        like: two-sided, ties counted, from its draws.
        pair: ours.
        resamples: how many it drew.
        cluster: column of the clusters of ours.
    """
    if pair.p_value is None:
        return Reason(code="no_p", values={"test": pair.test})
    rest = pair.p_value - like
    if rest == 0:
        return None
    ours = () if pair.n_resamples is None else (pair.n_resamples,)
    if abs(rest) <= tolerate_chance(like, resamples, *ours):
        return Reason(code="drawing", values={"rest": rest, "resamples": resamples, "ours": pair.n_resamples})
    return Reason(code="other_test", values={"rest": rest, "test": pair.test, "null": pair.null, "cluster": cluster})


def decision(printed: Number, pair: Pair, alpha: float, correction: str, family: int) -> Reason | None:
    """Whether the reader of the printed number concludes otherwise than ours; None where both agree."""
    ours = pair.p_adjusted
    if ours is None or (printed.value <= alpha) == (pair.verdict in DECIDED):
        return None
    return Reason(
        code="decision",
        values={
            "alpha": alpha, "theirs": "a difference" if printed.value <= alpha else "none", "p": ours,
            "correction": correction, "family": family,
        },
    )  # fmt: skip


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
