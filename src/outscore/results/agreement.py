"""The record of the agreement between annotators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.results.annotators import (
    Annotator,
    AnnotatorPair,
    Coefficient,
    CoefficientOtherwise,
    LabelAgreement,
    UnitDisagreement,
)
from outscore.results.declared import Shown, Writer, flat_row, see_clusters
from outscore.results.methods import join_names
from outscore.results.pictures import Chart, Squares
from outscore.results.result import Result, Score, kinds

_FEW = 3
"""Domains that the verdict names."""
_LEAST, _FIRM = 0.667, 0.8
"""Agreement from which tentative conclusions may be drawn, and firm ones (Krippendorff 2004, p. 241)."""
_MOST_LABELS = 10
"""Labels that stand beside each other in a table."""


@dataclass(frozen=True, kw_only=True)
class _Beside:
    """Numbers beside a label, by label."""

    counts: tuple[float, ...]


@kinds.register("agree")
@dataclass(frozen=True, kw_only=True, repr=False)
class Agreement(Result):
    """How well annotators agree, who disagrees with whom and on what; there are no scores in it.

    Attributes:
        exchangeable: the columns are slots and not persons, so nothing is said of single annotators.
        coefficients: for all units, then for each domain.
        annotators, annotator_pairs: empty where they are exchangeable; pairs also where there are very many.
        labels: of the scheme, in their order.
        coincidences: ``coincidences[i][j]``: labels i that stand beside a label j in a unit. Of two annotators, units
            by the first one's label and the second one's; of more, pairs of labels in both orders, where a unit with m
            labels counts m times. Empty where labels are too many.
        disputes: the units with most disagreement.
        n_units: units with a label; ``n_single``: those with one label only, which show no agreement.
        n_annotators: annotators, or slots.
        otherwise: what notes advise to look for, where it was computed on the way.
    """

    exchangeable: bool
    coefficients: tuple[Coefficient, ...]
    annotators: tuple[Annotator, ...]
    annotator_pairs: tuple[AnnotatorPair, ...]
    labels: tuple[LabelAgreement, ...]
    coincidences: tuple[tuple[float, ...], ...]
    disputes: tuple[UnitDisagreement, ...]
    n_units: int
    n_single: int
    n_annotators: int
    otherwise: tuple[CoefficientOtherwise, ...] = ()
    scores: tuple[Score, ...] = ()
    command: str = "agree"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each coefficient, of all units and of each domain."""
        return [flat_row(coefficient) for coefficient in self.coefficients]

    def check_whole(self) -> None:
        """Raises TypeError where the table of labels does not fit the labels."""
        size = len(self.labels)
        if self.coincidences and [len(row) for row in self.coincidences] != [size] * size:
            raise TypeError(f"the table of labels is not {size} x {size}")

    # --- how it is told -----------------------------------------------------------------------------------

    @property
    def _whole(self) -> list[Coefficient]:
        """The coefficients of all units."""
        return [c for c in self.coefficients if not c.domain]

    @property
    def most_confused(self) -> tuple[str, str] | None:
        """The two labels that stand most often beside each other; None where no labels differ."""
        names = [label.label for label in self.labels]
        beside = self.coincidences
        found = max(
            ((beside[i][j] + beside[j][i], i, j) for i in range(len(beside)) for j in range(i)), default=(0.0, 0, 0)
        )
        return (names[found[2]], names[found[1]]) if found[0] > 0 else None

    def describe_coincidences(self) -> str:
        """Meaning of the numbers in the table of labels against labels."""
        if self.n_annotators == 2 and not self.exchangeable:
            first, second = (each.annotator for each in self.annotators)
            return f"Units by the label of {first} (rows) and of {second} (columns)."
        return "Pairs of labels of a unit, in both orders; a unit with m labels counts m times."

    def _raters(self, w: Writer) -> str:
        return w.count(self.n_annotators, "exchangeable annotator" if self.exchangeable else "annotator")

    def verdict(self, w: Writer) -> Iterator[str]:
        """Whether they agree beyond chance, and where they do not: domains, labels, annotators."""
        main = leading(self._whole)
        yield f"{self._raters(w)} {self._describe_agreement(main, w)}{see_clusters(w, 'looks_missing')}."
        between = [c for c in self.coefficients if c.against and c.coefficient == main.coefficient]
        if 0 < len(between) <= _FEW:
            yield f"{w.name(main.title)} {'; '.join(_describe_differences(between, w))}."
        confused = self.most_confused if len(self.labels) > 2 else None  # of two each stands beside the other
        said = f"The labels most often confused are {w.name(confused[0])} and {w.name(confused[1])}" if confused else ""
        pairs = [p for p in self.annotator_pairs if p.kappa is not None]
        if len({p.kappa for p in pairs}) > 1:
            apart = min(pairs, key=lambda p: p.kappa or 0)
            both = f"{w.name(apart.first)} and {w.name(apart.second)}"
            kappa = f"(Cohen's κ = {w.score(apart.kappa)}, not tested)"
            said = f"{said}; {both} agree least {kappa}" if said else f"Least agreement: {both} {kappa}"
        if said:
            yield f"{said}."

    def _describe_agreement(self, main: Coefficient, w: Writer) -> str:
        percent = next((c for c in self._whole if c.coefficient == "percent"), None)
        if main is percent:
            ends = "" if main.ci is None else f" ({w.level()} CI {' to '.join(w.percent(end, 1) for end in main.ci)})"
            return f"give the same label in {w.percent(main.value, 1)} of pairs{ends}; chance is not corrected for"
        said = self._describe_value(main, w)
        also = "" if percent is None else f"; {w.percent(percent.value, 1)} of pairs of labels are the same"
        return f"{_beyond_chance(main, self.alpha)}: {said}{also}"

    def _describe_value(self, main: Coefficient, w: Writer) -> str:
        numbers = [f"{w.level()} CI {w.ends(main.ci)}"] if main.ci is not None else []
        numbers += [w.p(main.p_value)] if main.p_value is not None else []
        numbers += ["p and interval disagree"] if len(set(_rejections(main, self.alpha))) > 1 else []
        beside = f" ({', '.join(numbers)})" if numbers else ""
        return f"{w.name(main.title)} = {w.score(main.value)}{beside}"

    def beside(self, note: Note, w: Writer) -> str:
        found = [one for one in self.otherwise if one.note == note.code]
        return "".join(f"With {w.name(one.how)}: {self._describe_value(one.coefficient, w)}." for one in found)

    def views(self, w: Writer) -> Iterator[Any]:
        domains = [c for c in self.coefficients if c.domain]
        compared = next((c.against for c in domains if c.against), None)

        def heading(c: Coefficient) -> str:
            return f"{c.domain or 'all'} ({w.count(c.n_units, 'unit')})" if domains else ""

        observed = Shown("observed", "number", value=lambda c: _part(c, c.observed, w))
        chance = replace(observed, title="by chance", value=lambda c: "" if _is_raw(c) else _part(c, c.expected, w))
        columns = ("title", "value", observed, *((chance,) if not all(map(_is_raw, self._whole)) else ()))
        yield w.table(f"Agreement of {self._raters(w)}", self._whole, columns, first=True)
        if domains:
            less = Shown(f"less that of {w.name(compared)}", "difference", ci=lambda c: c.gain_ci,
                         value=lambda c: c.gain if c.against else "")  # fmt: skip
            beside = (less,) if compared is not None else ()
            main = leading(self._whole)
            of_main = [c for c in domains if c.coefficient == main.coefficient]
            by = w.name(self.options.get("by") or "domain")
            group = Shown(by, value=lambda c: w.name(c.domain))
            yield w.table(f"{w.name(main.title)} by {by}", of_main, (group, "n_units", "value", *beside), first=True)
            if len(of_main) < len(domains):
                yield w.table(f"All coefficients by {by}", domains, ("title", "value", *beside), group=heading)
        yield w.table("Standard errors and tests", self.coefficients, ("title", observed, chance, "se", "p_value"),
                      group=heading)  # fmt: skip
        if self.annotator_pairs:
            yield w.table("Annotators in pairs", self.annotator_pairs,
                          ("first", "second", "n_units", "agreement", "kappa", "kappa_max"), naming=2,
                          footnotes=("Largest κ: what their frequencies of labels allow.",))  # fmt: skip
        if self.annotators:
            yield self._annotators_table(w)
        if self.labels:
            confused = Shown("confused with", value=lambda label: _describe_confused(label, w))
            about = ("Agreement: where one annotator gives the label, how often another gives it too; confused with: "
                     "what others give most often instead, and how often.")  # fmt: skip
            yield w.table("Labels", self.labels, ("label", "count", "share", "agreement", confused), footnotes=(about,))
        if self.coincidences and 1 < len(self.labels) <= _MOST_LABELS:
            counts = [Shown(w.name(label.label), "number", value=lambda row, i=i: _count(row[1].counts[i], w))  # type: ignore[misc]
                      for i, label in enumerate(self.labels)]  # fmt: skip
            rows = [(label, _Beside(counts=row)) for label, row in zip(self.labels, self.coincidences, strict=True)]
            yield w.table("Labels against labels", rows, ("label", *counts),
                          footnotes=(w.name(self.describe_coincidences()),))  # fmt: skip
        if self.disputes:
            given = Shown("labels", "prose", value=lambda dispute: self._describe_labels(dispute.labels, w))
            asked = "--disputed" * ("disputed" in self.changed_options)
            yield w.table("Units with most disagreement", self.disputes, ("unit", given, "disagreement"), asked=asked)

    def _annotators_table(self, w: Writer) -> Any:
        """Each annotator by itself: how often he agrees, what he changes, which labels he gives."""
        main = next((name for name in self.annotators[0].without if not name.startswith("percent")), None)
        title = next((c.title for c in self.coefficients if c.coefficient == main), "")
        labels = [label.label for label in self.labels] if len(self.labels) <= _MOST_LABELS else []
        without = Shown(f"{w.name(title)} without", "coefficient", value=lambda a: a.without.get(main))
        shares = [Shown(w.name(label), "coefficient", value=lambda a, label=label: _share(a, label))  # type: ignore[misc]
                  for label in labels]  # fmt: skip
        about = "Under the labels: the proportion of each among those that the annotator gave."
        columns = ("annotator", "n_labels", "agreement", *((without,) if main is not None else ()), *shares)
        return w.table("Annotators", self.annotators, columns, footnotes=(about,) if labels else ())

    def charts(self, w: Writer) -> Iterator[Chart]:
        """Which labels stand beside which, shaded by the proportion of the row."""
        if not self.coincidences:
            return
        names = tuple(w.name(label.label) for label in self.labels)
        two = self.n_annotators == 2 and not self.exchangeable
        first, second = (w.name(a.annotator) for a in self.annotators) if two else ("One annotator", "Another")
        confused = self.most_confused
        main = leading(self._whole)
        ends = "" if main.ci is None else f", {w.level()} CI [{w.fixed(main.ci[0], 2)}, {w.fixed(main.ci[1], 2)}]"
        yield Chart(
            heading="Which labels stand beside which",
            title="No two labels of a unit differ" if confused is None else
            f"Most often confused: {w.name(confused[0])} and {w.name(confused[1])}",
            under=(
                f"{main.title} = {w.fixed(main.value, 2)}{ends}",
                w.name(self.describe_coincidences()),
                "shade is the proportion of the row",
            ),
            arranged="alone",
            panels=(
                Squares(
                    names=names, down="one", across="other", titles=(first, second), text="pairs", share="share",
                    rows=tuple(
                        {"one": one, "other": other, "pairs": n, "share": n / sum(values) if sum(values) else 0.0}
                        for one, values in zip(names, self.coincidences, strict=True)
                        for other, n in zip(names, values, strict=True)
                    ),
                ),
            ),
        )  # fmt: skip

    def _describe_labels(self, labels: Mapping[str, str], w: Writer) -> str:
        if self.exchangeable:
            return ", ".join(map(w.name, labels.values()))
        return ", ".join(f"{w.name(name)}: {w.name(label)}" for name, label in labels.items())

    def how(self, w: Writer) -> str:
        return " ".join([*self._intervals(w), f"{self._size(w)}."])

    def _intervals(self, w: Writer) -> Iterator[str]:
        methods = dict.fromkeys(w.name(c.ci_method) for c in self._whole if c.ci_method)
        methods |= {"MOVER of differences": None} if any(c.gain_ci for c in self.coefficients) else {}
        if methods:
            yield f"{w.level()} intervals: {', '.join(methods)}."

    def _size(self, w: Writer) -> str:
        size = f"{w.count(self.n_units - self.n_single, 'unit')} with two labels or more"
        provenance = self.provenance
        if provenance.n_clusters is not None:
            size += f" in {w.count(provenance.n_clusters, 'cluster')} ({w.name(provenance.cluster)})"
        return size

    def method(self, w: Writer) -> Iterator[str]:
        for found in self._whole:
            yield f"{w.name(found.title)} corrects for {w.name(found.corrects)}."
        if "Krippendorff" in _beyond_chance(leading(self._whole), self.alpha):
            yield (f"Enough or too little: the whole interval; from {_LEAST} on tentative conclusions may be drawn, "
                   f"from {_FIRM} on firm ones (Krippendorff 2004, Content Analysis, p. 241).")  # fmt: skip
        if any(c.parts == "disagreement" and c.coefficient != "krippendorff" for c in self._whole):
            yield "D: disagreement, in the units of the distance; the coefficient is 1 - observed / by chance."
        yield from self._nulls(w)
        drawn = self.provenance.interval != "analytic"
        settings = f"{self.provenance.n_resamples:,} resamples; seed {self.seed}; " if drawn else ""
        yield f"{self._size(w)}; {settings}alpha {self.alpha:g}."
        yield from self._intervals(w)

    def _nulls(self, w: Writer) -> Iterator[str]:
        nulls: dict[str, list[str]] = {}
        for found in self._whole:
            if found.p_value is not None:
                by = f" (p by {w.name(found.p_method)})" if found.p_method else ""
                nulls.setdefault(f"{w.name(found.null)}{by}", []).append(w.name(found.title))
        yield from (f"Null hypothesis of {', '.join(titles)}: {null}." for null, titles in nulls.items())

    def paragraph(self, w: Writer) -> Iterator[str]:
        named = join_names([w.name(found.title) for found in self._whole])
        yield f"We measured the agreement of {self._raters(w)} on {self._size(w)} by {named}."
        for found in self._whole:
            yield f"{w.name(found.title)} corrects for {w.name(found.corrects)}."
        yield from self._nulls(w)
        drawn = f" over {self.provenance.n_resamples:,} resamples"
        methods = dict.fromkeys(w.name(c.ci_method) + drawn * ("bootstrap" in c.ci_method) for c in self._whole)
        if made := join_names([name for name in methods if name]):
            yield f"{w.level()} intervals are made by {made}; the seed is {self.seed}."

    def __repr__(self) -> str:
        whole = [c for c in self.coefficients if not c.domain]
        return (
            f"<Agreement of {inflect(self.n_annotators, 'annotator')} on {inflect(self.n_units, 'unit')}: "
            f"{', '.join(c.coefficient for c in whole)}>"
        )


def leading(found: Sequence[Coefficient]) -> Coefficient:
    """The first coefficient that corrects for chance; where none does, the first."""
    return next((c for c in found if not _is_raw(c)), found[0])


def _is_raw(found: Coefficient) -> bool:
    """Whether it does not correct for chance."""
    return found.coefficient.startswith("percent")


def _beyond_chance(main: Coefficient, alpha: float) -> str:
    """Whether they agree beyond chance: only where neither p nor the interval leaves it open."""
    if main.value is None:
        return "cannot be judged, what chance gives is full agreement"
    rejected = _rejections(main, alpha)
    if not rejected:
        return "cannot be judged against chance, there is neither p nor an interval"
    if not all(rejected):
        return "are not shown to agree better than by chance"
    if main.value < 0:
        return "agree less than by chance"
    enough = ""
    if _too_little(main, alpha):
        enough = f", but too little to rely on (below {_LEAST}, Krippendorff 2004)"
    elif main.ci is not None and main.ci[0] >= _LEAST:
        kind, least = ("firm", _FIRM) if main.ci[0] >= _FIRM else ("tentative", _LEAST)
        enough = f", enough for {kind} conclusions ({least} or more, Krippendorff 2004)"
    return f"agree better than by chance{enough}"


def _too_little(main: Coefficient, alpha: float) -> bool:
    """Whether agreement beyond chance lies, with all of its interval, below what conclusions need."""
    return main.ci is not None and all(_rejections(main, alpha)) and main.ci[0] > 0 and main.ci[1] < _LEAST


def _rejections(main: Coefficient, alpha: float) -> list[bool]:
    """Whether p, and whether the interval, rejects agreement by chance; without what there is not."""
    by_p = [] if main.p_value is None else [main.p_value <= alpha]
    return by_p if main.ci is None else [*by_p, not _holds_0(main.ci)]


def _holds_0(ci: tuple[float, float]) -> bool:
    return ci[0] <= 0 <= ci[1]


def _describe_differences(found: Sequence[Coefficient], w: Writer) -> Iterator[str]:
    """``is 0.071 higher in talk than in news (95% CI 0.001 to 0.143)``; those that are not shown in one clause."""
    other = w.name(found[0].against)
    level = []
    for each in found:
        domain, ci, gain = w.name(each.domain), each.gain_ci, each.gain
        if gain is None:
            level.append(f"{domain} (undefined)")
        elif ci is None or _holds_0(ci):
            ends = "" if ci is None else f", {w.level()} CI {w.ends(ci)}"
            level.append(f"{domain} ({w.gain(gain)}{ends})")
        else:
            low, high = ci if gain > 0 else (-ci[1], -ci[0])
            side = "higher" if gain > 0 else "lower"
            size = w.score(abs(gain))
            yield f"is {size} {side} in {domain} than in {other} ({w.level()} CI {w.ends((low, high))})"
    if level:
        *most, last = level
        where = f"{', '.join(most)} and {last}" if most else last
        yield f"is not shown to differ from that of {other} in {where}"


def _part(found: Coefficient, part: float | None, w: Writer) -> str:
    """Agreement; where only disagreement has a meaning, that, with a mark."""
    if part is None or found.parts == "agreement":
        return w.score(part)
    return w.score(1 - part) if found.coefficient == "krippendorff" else f"D {w.score(part)}"


def _describe_confused(label: LabelAgreement, w: Writer) -> str:
    return f"{w.name(label.confused_with)} ({w.score(label.confused)})" if label.confused_with else ""


def _share(annotator: Annotator, label: str) -> float | None:
    return annotator.labels[label] / annotator.n_labels if annotator.n_labels else None


def _count(value: float, w: Writer) -> str:
    """A count of pairs, in whole numbers where it is one."""
    return w.number(int(value) if float(value).is_integer() else value)
