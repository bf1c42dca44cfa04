"""Printed counts: the four of a class, those of two systems on the same items, and a confusion matrix of labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import outscore
from outscore.agreement.inference import Spread, score_interval
from outscore.base.errors import InputError, UsageError
from outscore.results.result import Interval
from outscore.results.study import Finding
from outscore.significance.proportions import wilson
from outscore.significance.settings import Settings
from outscore.studies import Spec, Summary
from outscore.studies.shared.form import are_typed, parse_numbers, read_rows, split_typed

_OF_MATRIX = {
    "accuracy": "accuracy",
    "balanced_accuracy": "macro recall",
    "f1:average=macro": "macro F1",
    "f1:average=weighted": "weighted F1",
    "kappa": "kappa",
    "mcc": "MCC",
}
_MOST = 10**6
"""Items that a matrix is written out to."""


def spec_of_counts(typed: str) -> Spec:
    """The cell of four counts, or of a file with a confusion matrix.

    Raises:
        InputError: the file is no matrix of counts.
        UsageError: other than four counts.
    """
    if are_typed(typed):
        return {"kind": "counts", "counts": _four(typed, "--counts", "tp,fp,fn,tn", "5000,7,100,400000")}
    return {"kind": "matrix", **_read_matrix(Path(typed))}


def spec_of_two(typed: str) -> Spec:
    """The cell of the items that both, one, the other, and none of two systems have right.

    Raises:
        UsageError: other than four counts.
    """
    return {"kind": "two", "counts": _four(typed, "--right", "both,first,second,none", "312,40,22,126")}


def _four(typed: str, option: str, names: str, example: str) -> list[int]:
    values = parse_numbers(split_typed(typed), f"{option} ({names})", 0, math.inf)
    if len(values) != 4 or not all(value.is_integer() for value in values) or not sum(values):
        raise UsageError(f"{option} {typed!r}: expected four counts, {names}, as in {example}")
    return [int(value) for value in values]


def _read_matrix(file: Path) -> Spec:
    """Gold labels by row and predicted ones by column, both in one order."""
    header, *rows = read_rows(file)
    names = [cell.strip() for cell in header[1:]]
    for line, row in enumerate(rows, 2):
        if len(row) != len(header) or not all(cell.strip().isdecimal() for cell in row[1:]):
            raise InputError(f"{file}:{line}: expected a gold label and {len(names)} counts, found {','.join(row)!r}")
    gold = [row[0].strip() for row in rows]
    if gold != names or len(names) < 2:
        raise InputError(
            f"{file}: rows are {', '.join(gold)}, columns {', '.join(names)}: expected the same labels in the same "
            "order, a row for each gold label and a column for each predicted one"
        )
    counts = [[int(cell) for cell in row[1:]] for row in rows]
    if not 0 < (n := sum(map(sum, counts))) <= _MOST:
        raise InputError(f"{file}: {n:,} items; expected 1 to {_MOST:,}")
    return {"labels": names, "counts": counts}


def summarize_counts(spec: Spec, settings: Settings) -> Summary:
    """O'Connor 2015: a confusion matrix. F1 = 2J/(1 + J), J the proportion of right among all that either side has."""
    tp, fp, fn, tn = spec["counts"]
    n, level = tp + fp + fn + tn, 1 - settings.alpha
    jaccard = wilson(tp, tp + fp + fn, level) if tp + fp + fn else None
    found: list[tuple[str, float | None, Interval | None]] = [
        _proportion("precision", tp, tp + fp, level),
        _proportion("recall", tp, tp + fn, level),
        ("F1", 2 * tp / (2 * tp + fp + fn), (_f1(jaccard[0]), _f1(jaccard[1]))) if jaccard else ("F1", None, None),
        _proportion("accuracy", tp + tn, n, level),
        _kappa(tp, fp, fn, tn, level),
    ]
    return _summary(
        f"Of tp {tp:,}, fp {fp:,}, fn {fn:,}, tn {tn:,}: {n:,} items, taken for independent.",
        [Finding(what=what, value=value, ci=ci, reason=_WHY[what]) for what, value, ci in found],
    )


def summarize_matrix(spec: Spec, settings: Settings) -> Summary:
    """The scores of labels that have such a confusion matrix, with the intervals that ``score`` gives."""
    counts, labels = np.array(spec["counts"]), np.array(spec["labels"])
    gold, said = (np.repeat(labels[at], counts[counts > 0]).tolist() for at in np.nonzero(counts))
    scored = outscore.score({"system": said}, references=gold, metrics=",".join(_OF_MATRIX), alpha=settings.alpha)
    notes = "; ".join(dict.fromkeys(note.text for note in scored.notes if note.code == "rare_classes"))
    return _summary(
        f"Of {len(labels)} labels and {len(gold):,} items, taken for independent.",
        [
            Finding(what=name, value=one.score, ci=one.ci, reason=notes)
            for name, one in zip(_OF_MATRIX.values(), scored.scores, strict=True)
        ],
    )


_VERDICT = {"better": "the second is better", "worse": "the first is better"}
_WHICH = {"asymptotic": "The score test, χ² without correction.", "exact": "The exact test: few items, or few alike."}


def summarize_two(spec: Spec, settings: Settings) -> Summary:
    """The comparison of two systems' right answers, as ``compare`` makes it of the items."""
    right = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], spec["counts"], axis=0).T
    found = outscore.compare(
        {"first": right[0], "second": right[1]},
        metrics="accuracy",
        alpha=settings.alpha,
        alternative=settings.alternative,
    )
    (pair,) = found.pairs
    findings = [Finding(what="verdict", value=_VERDICT.get(pair.verdict, "not shown to differ"), kind="text")]
    findings += [Finding(what=f"accuracy of the {one.system}", value=one.score, ci=one.ci) for one in found.scores]
    findings += [
        Finding(what="gain of the second", value=pair.gain, ci=pair.ci),
        Finding(what="p of McNemar's test", value=pair.p_value, kind="p", reason=_WHICH[pair.p_kind]),
    ]
    both, first, second, none = spec["counts"]
    design = (
        f"Both have {both:,} items right, the first alone {first:,}, the second alone {second:,}, none {none:,}: "
        f"{right.shape[1]:,} items, taken for independent."
    )
    return _summary(design, findings)


def _summary(design: str, findings: Sequence[Finding]) -> Summary:
    return Summary(design=design, findings=tuple(findings), tables=(), figures=())


_WHY = {
    **dict.fromkeys(("precision", "recall", "accuracy"), "Wilson's interval."),
    "F1": "Wilson's interval of the proportion of right ones among all that the system or the gold labels have.",
    "kappa": "Of system and gold labels; score interval, as that of two annotators.",
}


def _f1(jaccard: float) -> float:
    return 2 * jaccard / (1 + jaccard)


def _proportion(name: str, x: int, n: int, level: float) -> tuple[str, float | None, Interval | None]:
    return (name, x / n, wilson(x, n, level)) if n else (name, None, None)


def _kappa(tp: int, fp: int, fn: int, tn: int, level: float) -> tuple[str, float | None, Interval | None]:
    p = np.array([[tp, fp], [fn, tn]]) / (n := tp + fp + fn + tn)
    rows, cols = p.sum(axis=1), p.sum(axis=0)
    if not (possible := 1 - float(rows @ cols)):
        return "kappa", None, None
    kappa, shares = 1 - (1 - float(np.trace(p))) / possible, (rows + cols) / 2
    by_label, scale = 2 * (shares - shares @ shares), n * possible**2
    known = Spread(
        guess=float(4 * rows.prod() * cols.prod() / scale),
        tilt=float(shares @ by_label**2 / 2 / scale) + 1 / n,
        clear=float(shares @ (possible - by_label) ** 2 / scale),
    )
    return "kappa", kappa, score_interval(kappa, known, level)
