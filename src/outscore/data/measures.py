"""Meaning of a column of numbers by its header: how good an output is, or something beside that."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import takewhile
from shlex import quote

from outscore.base.lazy import dataclass
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
_QUALITY_ALONE = frozenset(("grade", "best", "worst"))
"""Names that do so only where they are the whole header: ``best-of-8`` is a system."""
_SPENT = {
    *("latency", "duration", "time", "runtime", "elapsed", "seconds", "cost", "price", "memory"),
    *("ms", "msec", "milliseconds", "sec", "secs", "usd"),
}
"""Costs of which less is better, as a rule; of lengths and sizes nobody can say."""
_SPENT |= {"ttft", "dauer", "laufzeit", "latenz", "kosten", "latence", "temps", "durée", "coût", "latencia", "tiempo"}
_COSTS = _SPENT | {
    *("tokens", "token", "words", "chars", "characters", "length", "len", "size", "bytes", "flops", "params"),
    "parameters",
}
_FAULTS = frozenset(
    (
        *("wer", "cer", "ter", "mer", "wil", "per", "der", "eer", "fpr", "fnr", "hter", "ppl", "nll", "bpb", "bpc"),
        *("mae", "mse", "rmse", "mape", "bpd", "fid", "ece", "perplexity", "crossentropy", "loss", "losses"),
        *("error", "errors"),
        *("edits", "distance", "distances", "toxicity", "regret", "surprisal", "violation", "violations", "failure"),
        *("failures", "mistake", "mistakes", "hallucination", "hallucinations", "hallucinated", "wrong", "incorrect"),
        *("fail", "fails", "failed", "refused", "refusal", "refusals", "unsafe", "toxic", "penalty", "penalties"),
        *("harm", "harmfulness", "risk", "bias", "unfairness", "misclassified", "misclassifications", "kl"),
        *("divergence", "dissimilarity", "complaint", "complaints", "omission", "omissions", "misses", "interventions"),
        *("severity", "disfluency", "disfluencies", "downvotes", "leakage", "leaks", "regressions", "keystrokes"),
        *("contradiction", "contradictions", "clashes", "timeouts", "crashes", "mistranslation", "mistranslations"),
        *("deletions", "insertions", "substitutions", "abandonment", "jailbreaks", "jailbroken", "typos", "hallu"),
        *("rejections", "rejected", "skipped", "invalid", "duplicates", "deviation", "deviations", "oov"),
        *("fehler", "fehlerrate", "fehlerquote", "fehleranzahl", "falsch", "verlust", "erreur", "erreurs", "perte"),
        *("errore", "errori", "errores", "fallos", "mcd", "rtf", "fertility", "gap", "fn", "fp", "fps", "fns"),
    )
)
"""Last words of headers that count or measure what is wrong: less is better."""
_FAULTS_ALONE = frozenset(
    (
        *("mer", "wil", "per", "der", "bpd", "ece", "fid", "penalty", "kl", "mcd", "rtf", "fertility", "gap", "fp"),
        *("fn", "fps", "fns", "deviation", "deviations", "skipped", "invalid", "oov", "hallu"),
    )
)
"""Those of them that mean something else behind other words."""
_FAULTY_RATES = frozenset(
    (
        *("error", "errors", "failure", "fail", "violation", "hallucination", "miss", "toxicity", "crash", "mistake"),
        *("wrong", "incorrect", "failed", "refusal", "refused", "hallucinated", "unsafe", "toxic"),
        *("false positive", "false negative", "false alarm", "false acceptance", "false rejection", "match error"),
        *("leakage", "omission", "contradiction", "oov", "timeout", "jailbreak", "rejection", "abandonment"),
        *(
            "severity",
            "skipped",
            "invalid",
            "duplicate",
            "hallu",
            "leak",
            "attack success",
            "disfluency",
            "mistranslation",
        ),
    )
)
"""Words that make a rate, a count or a score, which may be of anything, one of errors."""
_FAULTY_PHRASES = {
    *("lower is better", "cross entropy", "negative log likelihood", "neg log likelihood", "bits per byte"),
    *("attack success", "off topic", "unsupported claims", "false positives", "false negatives", "false alarms"),
}
_UNTIL = re.compile(r"(time|turns|steps|tries|attempts|seconds|minutes|days) to .+")
"""Counts of what it takes until something is done."""
_TURNED = frozenset(("neg", "negative", "minus", "inverse", "inverted", "no", "non", "not", "1"))
"""First words that turn the sign: scikit-learn's ``neg_mean_squared_error`` is better when higher."""
_SIGNED = frozenset(("metricx", "mqm", "brier"))
"""Words for scores of errors from 0, less is better, which some files keep with the sign turned."""
_BELIEFS = frozenset(("confidence", "conf", "prob", "probability", "logprob", "logprobs", "loglikelihood", "entropy"))
SPREADS = frozenset(("std", "stdev", "stddev", "sd", "stderr", "sem", "variance", "ci", "pvalue"))
_PLACES = frozenset(("rank", "position", "timestamp", "date", "year", "datetime", "created", "idx", "id", "uuid"))
_ITEMS = re.compile(
    "(item|sent|sentence|seg|segment|utt|line|row|doc|document|task|question|query|q|example|sample|problem|case)"
    "_?(ids?|idx|index|no|nr|num|number)|[gpu]u?id"
)
_WHOLE = frozenset(
    (
        *("mean", "average", "avg", "median", "overall", "total", "sum", "min", "max", "count", "n", "var", "se"),
        *("support", "weight", "numerator", "denominator", "low", "high", "lower", "upper", "p", "p_value", "order"),
        *("fold", "step", "iteration", "difficulty", "level", "diff", "delta", "difference", "gain", "hops", "turns"),
        *("row", "line", "number", "no", "num", "month", "day", "temperature", "top_p", "ref_len", "hyp_len"),
        *("freq", "frequency", "age", "hash", "checksum", "version", "batch", "shard", "chunk", "page", "chapter"),
        *("paragraph", "winner", "votes", "lr", "learning_rate", "threshold", "turn", "class", "zip"),
        *("zipcode", "hour", "minute", "week", "quarter", "depth", "width", "height", "offset", "start", "end"),
        *("answer_index", "gold_index", "correct_index", "target_index", "label_index", "pred_index"),
        *("attempt", "attempts", "completions", "retries", "session", "cohort", "layer", "batch_size", "out_of"),
        *("possible", "maximum", "full_marks", "full_score", "max_points", "max_score", "max_marks", "points_possible"),
        "total_count",
    )
)
"""Names that say it only where they are the whole header: ``mean-pooling`` may be a system, ``majority`` often is."""
_BESIDE = frozenset(
    (
        *("human", "humans", "mos", "dmos", "cmos", "points", "agreement", "kappa", "iaa", "consensus", "judge"),
        *("prior", "similarity", "overlap", "rater", "annotator", "worker", "user", "assessor", "participant"),
        *("respondent", "speaker", "complexity", "readability", "flesch", "fkgl", "popularity", "ambiguity"),
        *("hardness", "rarity", "arity", "familiarity", "novelty", "severity", "importance", "priority", "density"),
        *("block", "section", "sentence", "option", "choice", "ctx", "pos", "bin", "bucket", "decile", "quantile"),
        *("quartile", "snr", "f0", "pitch", "niveau", "schwierigkeit", "komplexität", "länge", "laenge", "alter"),
        *("jahr", "seite", "abschnitt", "häufigkeit", "gewicht", "difficulté", "complexité", "longueur", "année"),
        *("poids", "dificultad", "complejidad", "longitud", "edad", "difficoltà", "lunghezza", "moeilijkheid"),
        "lengte",
    )
)
"""Names that as often describe the items, or measure one system, as they are systems: beside others they are asked
about."""
_DESCRIBES_LAST = frozenset(
    (
        *("complexity", "difficulty", "popularity", "ambiguity", "hardness", "rarity", "readability", "familiarity"),
        *("db", "hz", "khz"),
    )
)
_AVERAGES = frozenset(("mean", "avg", "average", "median", "max", "min", "total", "sum", "std", "mittel", "mittlere"))
_COUNTED = re.compile(
    r"(?i)(#\s*|(n|nr|num|number)[ _]+|(no\.?|count)[ _]+of[ _]+|anzahl[ _]+|nombre[ _]+de?[ _]+)(of[ _]+)?[^\W\d].*"
)
_COUNTED_IN_CAPITALS = re.compile("n[A-Z][a-z]{2,}s")
_WEIGHTS = re.compile("((sample|item|instance|importance|survey|case|row|document|question)_)?weights?")
_HIGHER = frozenset(
    (
        *("quality", "helpful", "preference", "preferred", "win", "wins", "winrate", "pass", "passes", "solved", "hit"),
        *("hits", "match", "matches", "matched", "agreement", "approval", "approved", "accepted", "good", "goodness"),
        *("satisfaction", "utility", "similarity", "overlap", "kappa", "iou", "dice", "psnr", "ssim", "auroc", "elo"),
        *("points", "completeness", "completed", "completion", "clarity", "informativeness", "naturalness", "return"),
        *("usefulness", "safety", "truthfulness", "truthful", "honesty", "coverage", "validity", "valid", "ap", "r2"),
        *("upvotes", "likes", "stars", "compliance", "speedup", "throughput", "mcc", "dcg", "mos", "sari", "gleu"),
        *("right", "ok", "answered", "human", "humans", "judge", "judgment", "judgement", "genauigkeit", "exactitude"),
        *("precisión", "précision", "exactitud", "punkte", "returns", "value", "usability", "understandability"),
        *("grade", "best", "rprec", "bpref", "cider", "spice", "moverscore", "bartscore", "unieval"),
    )
)
"""Other words of measures of which more is better, which may be names of systems, too."""
_AT = re.compile(r"(?:.*_)?(p|r|hits?|top|mc|at|k)_?\d+")
_INDICES = frozenset(("index", "idx", "id", "position", "pos", "number", "no"))
_CHOSEN = frozenset(("answer", "gold", "correct", "target", "label", "pred", "prediction", "choice", "option"))
_UNITS = {"ms", "us", "ns", "s", "sec", "secs", "min", "mins", "usd", "kb", "mb", "gb", "low", "high", "used"}
_UNITS_ONLY_BEHIND = _COSTS | SPREADS
_FIRST = frozenset(("rank", "std", "ci", "num", "latency", "duration"))
_NO_WORD = re.compile(r"[\W_]+")
_WORDS = re.compile(r"[A-Z]?[a-z]+\d*|[A-Z]+(?![a-z])\d*|\d+")
_LENGTH = re.compile(r"[\W_]+(px|pixels?|mm|cm|km|deg|degrees?)\W*$", re.IGNORECASE)
_LAST = _COSTS | _BELIEFS | SPREADS | _PLACES


@dataclass(frozen=True)
class Said:
    """Meaning of a header: ``QUALITY`` or ``ASIDE``, by which word, and the rest of the header."""

    kind: str
    word: str
    rest: str


def parse_measure(header: str) -> Said | None:
    """Meaning of the numbers below a header; None for a name that says nothing of them, as those of systems do."""
    name = header.strip().lower()
    words = [word.lower() for word in _WORDS.findall(header)]
    if not words:
        return None
    if name in _LAST or {name, fold(header)} & _WHOLE or _ITEMS.fullmatch(fold(header)):
        return Said(ASIDE, name, "")
    if name in NUMBERS or name in _QUALITY | _QUALITY_ALONE:
        return Said(QUALITY, name, "")
    bare = words[:-1] if len(words) > 1 and words[-1] in _UNITS and words[-2] in _UNITS_ONLY_BEHIND else words
    if bare[-1] in _LAST:
        return Said(ASIDE, bare[-1], " ".join(bare[:-1]))
    if words[0] in _FIRST:
        return Said(ASIDE, words[0], " ".join(words[1:]))
    fault = _fault(header)
    if fault:
        return fault
    known = [word for word in words if word in _QUALITY]
    if either_sign(header):
        words = _split_words(header)
        known = [word for word in words if word in _SIGNED]
    if not known:
        return None
    rest = [word for word in words if word not in known]
    return Said(QUALITY, " ".join(known), " ".join(rest))


def lower_by_name(header: str) -> bool:
    """Whether a header says that less is better; case and what stands between words make no difference.

    ``mqm`` says it too, points of errors, although files of WMT give them a minus.
    """
    if fold(header) == "mqm" or _fault(header):
        return True
    said = parse_measure(header)
    return said is not None and said.word in _FAULTS | _SPENT and not _is_turned(_split_words(header))


def says_direction(header: str) -> bool:
    """Whether a header says of which numbers it has more are better, or fewer: ``helpfulness``, not ``leakage_v2``."""
    if lower_by_name(header) or either_sign(header) or costs_by_name(header):
        return True
    said = parse_measure(header)
    words = {*_split_words(header), *(word.lower() for word in _WORDS.findall(header))}
    return (said is not None and said.kind == QUALITY) or bool(words & _HIGHER) or bool(_AT.fullmatch(fold(header)))


def either_sign(header: str) -> bool:
    """Whether a header names scores of errors whose direction their sign tells."""
    words = _split_words(header)
    return not _SIGNED.isdisjoint(words) and not _is_turned(words) and "skill" not in words


def fold(header: str) -> str:
    """A header in lower case, with one ``_`` for whatever stands between its words."""
    return "_".join(_split_words(header))


def _split_words(header: str) -> list[str]:
    return _NO_WORD.sub(" ", header.lower()).split()


def _is_turned(words: Sequence[str]) -> bool:
    return bool(words) and words[0] in _TURNED


def _fault(header: str) -> Said | None:
    """The words at the end of a header that measure what is wrong, whose less is better; None where there are none."""
    header = _LENGTH.sub("", header)
    if _UNTIL.fullmatch(" ".join(_split_words(header))):
        return Said(QUALITY, fold(header), "")
    capitals = [word.lower() for word in _WORDS.findall(header)]
    for words in (_split_words(header), capitals):
        ends = [" ".join(words[-n:]) for n in (3, 2, 1) if n <= len(words)]
        found = next((end for end in ends if end in _FAULTY_PHRASES), "")
        if not found and not _is_turned(words) and "pass fail" not in ends:
            found = next((end for end in ends if _is_fault(end, len(words))), "")
        if found:
            return Said(QUALITY, found, " ".join(words[: -len(found.split())]))
    return None


def _is_fault(end: str, words: int) -> bool:
    """Whether the end of a header of so many words measures what is wrong."""
    of, _, last = end.rpartition(" ")
    if not of:
        return end in _FAULTS and (words == 1 or end not in _FAULTS_ALONE)
    return last in ("rate", "rates", "ratio", "count", "counts", "score") and of in _FAULTY_RATES


def costs_by_name(header: str) -> bool:
    """Whether a header says that it is what an output costs, how long it is, or its rank: more may be worse."""
    said = parse_measure(header)
    return said is not None and said.word in _COSTS | {"rank", "position"}


def is_aside(header: str) -> bool:
    """Whether a header says that its numbers are a cost, a place or a belief, not how good an output is."""
    said = parse_measure(header)
    return said is not None and said.kind == ASIDE


def may_describe(header: str) -> bool:
    """Whether a column of numbers of this name, beside systems, may as well describe the items or measure one system.

    Names of which systems are called by others are among them: ``human`` is asked about.
    """
    plain = fold(header)
    start, _, end = plain.partition("_")
    begin, _, last = plain.rpartition("_")
    bare = [*([end] if start in _AVERAGES else ()), *([begin] if last in _AVERAGES else ())]
    of = {form for one in (plain, *bare) for form in (one, one.removesuffix("s")) if len(form) > 1}
    name = header.strip()
    counted = _COUNTED.fullmatch(name) or _COUNTED_IN_CAPITALS.fullmatch(name)
    return bool(counted) or last in _DESCRIBES_LAST or weighs(header) or not of.isdisjoint(_BESIDE | _WHOLE)


def weighs(header: str) -> bool:
    """Whether a header says that its numbers are the weights of the items."""
    return _WEIGHTS.fullmatch(fold(header)) is not None


def names_a_place(header: str) -> bool:
    """Whether a header says where the gold, or what was answered, stands among the choices: ``answer_index``."""
    words = fold(" ".join(_WORDS.findall(header))).split("_")
    return len(words) > 1 and words[-1] in _INDICES and not _CHOSEN.isdisjoint(words[:-1])


def only_systems(headers: Iterable[str]) -> bool | None:
    """Whether columns of numbers are systems: True, False for measures of one system, None where both may be meant.

    They are systems where no header speaks of its numbers, or all of them say the same of several things:
    ``base_acc``, ``new_acc``. They are measures where every header speaks of its numbers.
    """
    said = [parse_measure(header) for header in headers]
    if not any(said):
        return True
    if not all(said):
        return None
    kinds = {(one.kind, one.word) for one in said if one is not None}
    rests = {one.rest for one in said if one is not None}
    return len(kinds) == 1 and len(rests) == len(said) > 1 and "" not in rests


def only_measures(names: Collection[str]) -> bool:
    """Whether most names are measures of one thing: ``accuracy``, ``f1``; not of several: ``mmlu_acc``, ``xsum_f1``."""
    rests = [one.rest for name in names if (one := parse_measure(name))]
    return len(names) > 1 and 2 * len(rests) > len(names) and ("" in rests or 2 * len({*rests}) <= len(rests))


def common_measure(headers: Sequence[str]) -> str:
    """Measure of columns of systems: ``score``, or a fault, cost or place if all say so: ``base_wer``, ``new_wer``.

    The direction is in that word, and would be lost with it; a cost before numbers, as ``rank_8``, is a setting.
    """
    said, names = [parse_measure(header) for header in headers], [_split_words(header) for header in headers]
    words, ends = {one.word for one in said if one is not None}, {name[-1] for name in names if name}
    found = [words.pop().replace(" ", "_")] if all(said) and len(words) == 1 else []
    if len(names) > 1:
        start = [of_all[0] for of_all in takewhile(lambda of_all: len({*of_all}) == 1, zip(*names, strict=False))]
        found += ["_".join(start), *start[:1], *(ends if len(ends) == 1 else ())]
    known = [lower_by_name, either_sign, *([] if all(end[0].isdigit() for end in ends) else [costs_by_name])]
    return next((one for one in found if any(says(one) for says in known)), "score")


def measured_alike(headers: Iterable[str]) -> list[str]:
    """The headers that say the same of several things, as ``base_acc`` and ``new_acc`` beside ``base_f1``; or none."""
    said = {name: one for name in headers if (one := parse_measure(name)) and one.kind == QUALITY and one.rest}
    alike = ([name for name in said if said[name].word == one.word] for one in said.values())
    return next((names for names in alike if len(names) > 1 and only_systems(names)), [])


def only_numbers(name: str) -> Note:
    """Note that a column was taken as the score because it is the only one of numbers."""
    return Note(
        code="column_as_score",
        text=f"{name!r}, the only column of numbers, was taken as the score",
        remedy=f"say so with -c score={quote(name)}, or name another column",
    )
