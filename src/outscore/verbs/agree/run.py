"""The work of ``agree``: labels to ratings, coefficients with their inference, who disagrees, record."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from shlex import quote
from typing import Any

import numpy as np

from outscore.agreement import MOST_LABELS, RatingMeasure, coefficients, notes
from outscore.agreement import AgreementCoefficient as Method
from outscore.agreement.chance import ENOUGH, make_guessing
from outscore.agreement.estimate import AgreementEstimate, estimates, influence, restrict
from outscore.agreement.inference import AgreementQuestion, Inference, inferences
from outscore.agreement.ratings import ENOUGH_UNITS, LabelTable
from outscore.base.arrays import Bool, Int
from outscore.base.errors import InputError, UsageError, join, no_column, suggestion
from outscore.base.installed import versions_of
from outscore.base.lazy import dataclass
from outscore.base.notes import INTERRUPTED, Note
from outscore.base.registry import split_specs
from outscore.data.annotations import Annotations, annotations_from
from outscore.data.columns import texts
from outscore.data.specs import natural
from outscore.engine.design import Design
from outscore.engine.intervals import mover
from outscore.results.agreement import Agreement, leading
from outscore.results.annotators import Coefficient, CoefficientOtherwise
from outscore.results.plain import finite_or_none
from outscore.results.result import Provenance
from outscore.significance.clusters import OF_INTERVALS, find_clusters, note_clusters
from outscore.significance.notes import CLUSTERS_IGNORED
from outscore.significance.settings import Settings
from outscore.verbs.agree import Agree
from outscore.verbs.agree.disagreements import disagreement
from outscore.verbs.shared.inputs import check_clusters, check_resamples
from outscore.verbs.shared.measured import runtime_of
from outscore.verbs.shared.naming import attribute

_DISPUTED = 5
"""Units with most disagreement that are kept where nobody said how many."""
_FEW = 30
_KAPPAS = ("cohen", "scott", "fleiss", "conger", "krippendorff")


def agree(data: Any, asked: Agree) -> Agreement:
    """The agreement that is asked for."""
    check_resamples(asked.n_resamples)
    if asked.test == "relabelling" and asked.cluster is not None:
        raise UsageError("relabelling takes units as independent of each other, and clusters are given; use test=auto")
    settings = Settings(
        alpha=asked.alpha,
        n_resamples=asked.n_resamples,
        seed=asked.seed,
        engine="iid",
        runtime=runtime_of(asked.jobs, asked.progress),
    )
    given = annotations_from(data, annotators=_parse_names(asked.annotators), columns=_parse_names(asked.columns))
    return _agree(given, asked, settings)


def _agree(given: Annotations, asked: Agree, settings: Settings, *, beside: bool = True) -> Agreement:
    """The same of labels that were read; ``beside``: with what notes advise to look for."""
    units, ratings = _ratings(given, asked.exchangeable or not given.named, texts(asked.labels), texts(asked.na))
    methods = _chosen(asked.coefficients, ratings)
    clusters, domains = (
        _column(given, name, option, units) for name, option in ((asked.cluster, "--cluster"), (asked.by, "--by"))
    )
    design = _design(ratings, clusters)
    measures = [method.measure(ratings) for method in methods]
    groups = _groups(domains)
    every = [*measures, *(restrict(measure, here) for _, here in groups for measure in measures)]
    large = [method.large_sample for method in methods] * (1 + len(groups))
    found, interrupted = estimates(every, large, design, None if asked.interval == "analytic" else settings.sampling)
    question = AgreementQuestion(
        interval=asked.interval,
        level=1 - asked.alpha,
        test=asked.test,
        sampling=settings.sampling,
        clusters=design.labels,
    )
    judged = _Judged(methods, ratings, design, question)
    records, rarest = _records(judged, found, groups)
    most = _DISPUTED if asked.disputed is None else asked.disputed
    apart = disagreement(ratings, methods, design, [given.units[u] for u in units], 1 - asked.alpha, most)
    said = _notes(judged, found, records, rarest, [INTERRUPTED] if interrupted else [])
    ignored = _ignored_clusters(given, units, measures, design) if clusters is None else []
    other: Iterable[CoefficientOtherwise] = ()
    if beside and not interrupted:
        main = methods[records.index(leading(records[: len(methods)]))]
        missing = notes.looking_missing(ratings) if any(note.code == "looks_missing" for note in said) else []
        alone = replace(asked, coefficients=main, by=None, disputed=0)
        other = _otherwise(given, alone, settings, missing, [name for name, _ in ignored[:1]])
    return Agreement(
        seed=asked.seed,
        alpha=asked.alpha,
        exchangeable=ratings.exchangeable,
        coefficients=tuple(records),
        annotators=apart.annotators,
        annotator_pairs=apart.pairs,
        labels=apart.labels,
        coincidences=apart.coincidences,
        disputes=apart.disputes,
        n_units=len(units),
        n_single=int((~ratings.pairable).sum()),
        n_annotators=len(ratings.raters),
        otherwise=tuple(other),
        notes=(*given.notes, *said, *note_clusters(ignored, OF_INTERVALS)),
        provenance=Provenance(
            libraries=versions_of("numpy", "scipy"),
            n_resamples=asked.n_resamples,
            test="none",
            inputs=given.sources,
            n_items_read=len(given.units),
            cluster=asked.cluster,
            n_clusters=design.n_units if asked.cluster else None,
            interval=asked.interval,
            citations=tuple(dict.fromkeys(method.citation for method in methods)),
        ),
    )


def _otherwise(
    given: Annotations, asked: Agree, settings: Settings, missing: Sequence[str], clusters: Sequence[str]
) -> Iterator[CoefficientOtherwise]:
    """The coefficient without the labels that look missing, and in the clusters that were not given."""
    named = f"--na {quote(','.join(missing))}"
    ways = [("looks_missing", named, replace(asked, na=(*asked.na, *missing)))] if missing else []
    ways += [(CLUSTERS_IGNORED.code, f"--cluster {quote(one)}", replace(asked, cluster=one)) for one in clusters]
    for code, how, other in ways:
        with suppress(InputError, UsageError):  # nothing is left, or a unit is in no cluster
            again = _agree(given, other, settings, beside=False)
            if INTERRUPTED not in again.notes:
                yield CoefficientOtherwise(note=code, how=how, coefficient=again.coefficients[0])


@dataclass(frozen=True)
class _Judged:
    """The ratings that all coefficients are taken of, with the methods, the design and the question asked."""

    methods: Sequence[Method]
    ratings: LabelTable
    design: Design
    asked: AgreementQuestion


def _parse_names(names: Sequence[str] | str) -> list[str]:
    return names.split(",") if isinstance(names, str) else list(names)


def _ratings(
    given: Annotations, exchangeable: bool, labels: Sequence[str], na: Sequence[str]
) -> tuple[Int, LabelTable]:
    """The units that have a label, and their ratings.

    Raises:
        UsageError: a label for missing ones that nobody gave.
        InputError: no unit with two labels, or one with a label outside the scheme.
    """
    stray = next((label for label in na if label not in given.labels), None)
    if stray is not None:
        raise UsageError(
            f"--na {stray}: no such label{suggestion(stray, given.labels)}; there are {join(given.labels, 12)}"
        )
    there = [label for label in given.labels if label not in na]
    outside = [label for label in there if labels and label not in labels]
    if outside:
        raise InputError(
            f"{join(outside)} among the labels, and not in --labels",
            remedy="name all labels of the scheme, or those that stand for missing ones with --na",
        )
    scheme = tuple(dict.fromkeys(labels)) or tuple(sorted(there, key=_sort_key))
    place = {label: k for k, label in enumerate(scheme)} | dict.fromkeys(na, -1)
    places = np.array([*(place[label] for label in given.labels), -1])
    by_name = sorted(range(len(given.annotators)), key=lambda rater: natural(given.annotators[rater]))
    codes = places[given.codes[:, by_name]]
    codes = codes if given.named else -np.sort(-codes, axis=1)
    units = np.flatnonzero((codes >= 0).any(axis=1))
    # by what was said of them, so that where they stand in the files is nothing to what is drawn and summed
    units = np.array(sorted(units.tolist(), key=given.units.__getitem__), dtype=np.int64)
    units = units[np.lexsort(codes[units].T)]
    ratings = LabelTable(
        codes=codes[units],
        labels=scheme,
        raters=tuple(given.annotators[rater] for rater in by_name),
        exchangeable=exchangeable,
        ordered=bool(labels),
    )
    if not ratings.pairable.any():
        raise InputError(
            "no unit has two labels: agreement takes two", remedy="check the columns of items and annotators"
        )
    return units, ratings


def _sort_key(label: str) -> tuple[float, str]:
    """Numbers by size, then texts by the alphabet."""
    try:
        return float(label), label
    except ValueError:
        return math.inf, label


def _chosen(wanted: Sequence[str | Method] | str | Method | None, ratings: LabelTable) -> list[Method]:
    """The coefficients that were asked for, or those that suit the number of annotators.

    Raises:
        UsageError: unknown, or not to be had of these ratings.
    """
    if wanted is None:
        two = len(ratings.raters) == 2
        persons = [] if ratings.exchangeable else ["cohen" if two else "conger"]
        wanted = ["percent", *persons, "scott" if two else "fleiss", "krippendorff", "gwet", "bennett"]
    several = [wanted] if isinstance(wanted, str | Method) else wanted
    methods = [
        method
        for one in several
        for method in ([one] if isinstance(one, Method) else map(coefficients.make, split_specs(one)))
    ]
    refusal = next((said for method in methods if (said := method.refuses(ratings))), None)
    if refusal:
        raise UsageError(refusal)
    return methods


def _column(given: Annotations, name: str | None, option: str, units: Int) -> tuple[str, ...] | None:
    """Values ``(units,)`` of a column that describes the units; None without a column.

    Raises:
        UsageError: no such column.
        InputError: a unit without a cluster.
    """
    if name is None:
        return None
    if name not in given.about:
        raise no_column(option, name, given.about, "the units")
    found = tuple(given.about[name][unit] for unit in units)
    if option == "--cluster":
        there = np.sort(units).tolist()
        check_clusters(
            name,
            [given.about[name][unit] for unit in there],
            [given.units[unit] for unit in there],
            free="no --cluster",
        )
    return found


def _design(ratings: LabelTable, clusters: tuple[str, ...] | None) -> Design:
    """Units, or clusters of them; units with a single label are resampled among themselves."""
    if clusters is not None:
        return Design.named(len(clusters), clusters)
    return Design(len(ratings.codes), None, None if ratings.pairable.all() else ratings.pairable.astype(np.int64))


def _ignored_clusters(
    given: Annotations, units: Int, measures: Sequence[RatingMeasure], design: Design
) -> list[tuple[str, float]]:
    """Clusters that were not given, by what units contribute to the coefficients."""
    about = {column: [values[unit] for unit in units] for column, values in given.about.items()}
    with np.errstate(all="ignore"):
        return find_clusters([[(influence(measure, design), about) for measure in measures]])


def _groups(domains: tuple[str, ...] | None) -> list[tuple[str, Bool]]:
    if domains is None:
        return []
    names = np.asarray(domains, dtype=object)
    return [(name, np.asarray(names == name)) for name in sorted(set(domains), key=natural) if name]


def _records(
    judged: _Judged, found: Sequence[AgreementEstimate], groups: Sequence[tuple[str, Bool]]
) -> tuple[list[Coefficient], float]:
    """The coefficients of all units, then of each group, compared with the first; and how many pairs of the rarest
    labels are expected by chance, where the fewest are.
    """
    k, asked = len(judged.methods), judged.asked
    everything = np.ones(len(judged.ratings.codes), dtype=np.bool_)
    records: list[Coefficient] = []
    rarest = [math.inf]
    for g, (name, here) in enumerate([("", everything), *groups]):
        own = found[g * k : (g + 1) * k]
        for i, made in enumerate(inferences(judged.methods, judged.ratings, here, own, asked)):
            record = _record(judged, judged.methods[i], own[i], made, name, here)
            rarest += [made.rarest] if math.isfinite(made.rarest) else []
            if g > 1:
                record = _compare(record, records[k + i])
            records.append(record)
    return records, min(rarest)


def _compare(record: Coefficient, first: Coefficient) -> Coefficient:
    """Beside the first group; their difference by both intervals (Zou & Donner 2008), which equal labels do not shrink.

    Groups are taken as independent: of clusters that lie in both, which move together, the interval is too wide.
    """
    record, value, other = replace(record, against=first.domain), record.value, first.value
    if value is None or other is None or record.ci is None or first.ci is None:
        return record if value is None or other is None else replace(record, gain=value - other)
    low, high = mover((record.ci[0], value, record.ci[1]), (first.ci[0], other, first.ci[1]))
    method = f"{record.ci_method}; MOVER of the difference"
    return replace(record, gain=value - other, gain_ci=(float(low), float(high)), ci_method=method)


def _record(
    judged: _Judged, method: Method, found: AgreementEstimate, made: Inference, domain: str, here: Bool
) -> Coefficient:
    ratings, design = judged.ratings, judged.design
    measure: RatingMeasure = method.measure(ratings)
    flat = found.value == 1  # what is left of an error is rounding
    n_units = int((ratings.pairable & here).sum())
    undefined = [notes.UNDEFINED.code] if n_units and not math.isfinite(found.value) else []
    without = [notes.NO_DISAGREEMENT] if flat and made.ends is None else []
    return Coefficient(
        coefficient=method.label,
        title=method.title,
        corrects=method.corrects,
        domain=domain,
        value=finite_or_none(found.value),
        observed=finite_or_none(found.observed),
        expected=finite_or_none(found.expected),
        parts="disagreement" if measure.disagreement else "agreement",
        ci=made.ends,
        ci_method=made.how,
        se=None if flat else finite_or_none(found.error),
        p_value=made.chance.p_value,
        p_method=made.chance.method,
        null=made.chance.null or method.null,
        null_se=finite_or_none(made.chance.error),
        n_units=n_units,
        n_clusters=len(np.unique(design.labels[here])) if design.labels is not None else None,
        notes=(*undefined, *without),
    )


def _name(record: Coefficient) -> str:
    """Name of a coefficient in a note, with its domain where it has one."""
    return f"{record.coefficient} of {record.domain!r}" if record.domain else record.coefficient


def _notes(
    judged: _Judged,
    found: Sequence[AgreementEstimate],
    records: Sequence[Coefficient],
    rarest: float,
    more: Sequence[Note],
) -> tuple[Note, ...]:
    ratings = judged.ratings
    codes = [(_name(record), record.notes) for record in records]
    said = attribute((name, [notes.UNDEFINED] if notes.UNDEFINED.code in of_it else []) for name, of_it in codes)
    without = [record.title for record in records if notes.NO_DISAGREEMENT in record.notes]
    said += [notes.no_disagreement(without)] if without else []
    if len(ratings.labels) <= MOST_LABELS:
        said += notes.note_labels(ratings, [r.value for r in records if r.coefficient in _KAPPAS and not r.domain])
        said += [notes.rare_labels(rarest, judged.asked)] if rarest < ENOUGH else []
    # a coefficient of a scale is one with an option
    by_t = [record for record in records if ":" in record.coefficient and "Fisher-z t" in record.ci_method]
    pairs = [make_guessing(ratings, method.measure(ratings), apart=False) for method in judged.methods if by_t]
    few = any(pair is not None and pair.graded and pair.few_differ for pair in pairs)
    if few or any(record.n_units < ENOUGH_UNITS for record in by_t):
        kappas_hold = few and judged.design.labels is None and len(ratings.labels) <= MOST_LABELS
        said.append(notes.few_disagreements(kappas_hold))
    said += notes.single_ratings(ratings)
    said += (notes.far_label if any(":" in m.label for m in judged.methods) else notes.numbers_as_nominal)(ratings)
    if min(n for r in records for n in (r.n_units, r.n_clusters) if n is not None) < _FEW:
        said.append(notes.FEW_UNITS)
    resampled = ["bootstrap" in record.ci_method for record in records]
    undefined = [math.isfinite(each.value) and bool(np.isnan(each.replicates).any()) for each in found]
    if any(shown and lacking for shown, lacking in zip(resampled, undefined, strict=True)):
        said.append(notes.SOME_UNDEFINED)
    return (*said, *more)
