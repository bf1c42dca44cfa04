"""The record of estimates from an automatic judge and some human labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer, flat_row, see_clusters
from outscore.results.details import describe_correction
from outscore.results.pictures import Bar, Chart, Intervals, Signs
from outscore.results.result import Interval, Result, kinds

_METHODS = {
    "prediction-powered": "prediction-powered, tuned",
    "prediction-powered:weight=1": "prediction-powered, weight 1",
    "labelled": "labelled items only",
    "rogan-gladen": "Rogan-Gladen",
    "judge": "judge alone, naive",
}
_MAIN = "prediction-powered"
_APART = "Scores and gains are estimated each by itself, so that they need not add up."
_LITTLE = 1.1  # times the labels: a judge that makes them worth less than that adds next to nothing
_MOST = 4
"""Systems that have a sentence each; more are counted."""

Side = Literal["better", "worse", "open"]


@dataclass(frozen=True, kw_only=True)
class JudgeEstimate:
    """One estimate of the mean human label of a system, or of its gain over the baseline.

    Attributes:
        system: the one judged; ``baseline``: what its gain is over, None for its score.
        method: ``prediction-powered`` (the weight of the judge tuned), ``prediction-powered:weight=1``, ``labelled``
            (human labels alone), ``rogan-gladen`` or ``judge`` (the judge alone).
        value: None where it is undefined; ``ci``: interval at level 1 - alpha.
        weight: weight of the judge, from 0 (ignored), in labels per unit of the judge; None where there is none.
        null: null hypothesis of ``p_value``, for gains of methods that heed the judge's error.
        n_labelled: items with a human label; ``n_items``: all items.
        worth: human labels that would give an interval as short by themselves, all at random.
        notes: codes of the notes that concern it.
    """

    system: Annotated[str, Shown("")]
    baseline: str | None
    method: str
    value: float | None
    ci: Interval | None
    weight: float | None
    null: str
    p_value: Annotated[float | None, Shown("p", "p")]
    p_adjusted: float | None
    n_labelled: int
    n_items: int
    worth: float | None
    notes: tuple[str, ...] = ()

    @property
    def named_method(self) -> Annotated[str, Shown("method")]:
        """How the method is called in tables."""
        return describe_method(self.method)

    @property
    def p(self) -> float | None:
        """The p-value that decides: after the correction where there is one."""
        return self.p_value if self.p_adjusted is None else self.p_adjusted

    def decide(self, alpha: float) -> Side:
        """The side that a gain was decided for."""
        if self.p is None or self.p > alpha or not self.value:
            return "open"
        return "better" if self.value > 0 else "worse"


@dataclass(frozen=True, kw_only=True)
class JudgeBias:
    """How far the judge is off where humans labelled too.

    Attributes:
        system, baseline: as of ``JudgeEstimate``.
        bias: mean of the judge's labels less those of humans, above 0 where the judge is too high; of a gain above 0
            where the judge favours the system.
        ci: interval that holds with those of all systems (all gains) at level 1 - alpha; None where it is undefined.
        n_labelled: items with a human label.
        same: the share of them of which both say the same; where runs or samples are averaged, have the same mean.
        chance: the share that would be the same if the judge gave as many rights at random (Cohen 1960); None of other
            labels than right or wrong, and of gains.
    """

    system: Annotated[str, Shown("")]
    baseline: str | None
    bias: Annotated[float, Shown("bias", "difference", ci="ci")]
    ci: Interval | None
    n_labelled: Annotated[int, Shown("labelled", "count")]
    same: Annotated[float, Shown("same", "fixed")]
    chance: float | None = None

    @property
    def shown(self) -> bool:
        """Whether its interval leaves out 0."""
        return self.ci is not None and (self.ci[0] > 0 or self.ci[1] < 0)


@kinds.register("judge")
@dataclass(frozen=True, kw_only=True, repr=False)
class Judgements(Result):
    """Scores and gains in human labels, from human labels of some items and a judge's of all.

    Attributes:
        human, judge: names of the columns.
        baseline: the system compared with.
        correction: over the gains of each method.
        estimates: of each score and gain, by each method.
        biases: of the judge, on the labelled items: on the score of each system, then on its gain.
    """

    human: str
    judge: str
    baseline: str
    correction: str
    estimates: tuple[JudgeEstimate, ...]
    biases: tuple[JudgeBias, ...] = ()
    command: str = "judge"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each estimate."""
        return [flat_row(found) for found in self.estimates]

    # --- how it is told -----------------------------------------------------------------------------------

    def _of(self, method: str, *, gains: bool) -> list[JudgeEstimate]:
        return [e for e in self.estimates if e.method == method and (e.baseline is not None) == gains]

    def verdict(self, w: Writer) -> Iterator[str]:
        """Is the judge off; who outscores the baseline in human labels, or one score; what the judge is worth."""
        gains = self._of(_MAIN, gains=True)
        found = gains or self._of(_MAIN, gains=False)
        yield from self._describe_bias(w)
        if not gains:
            said = (f"{w.name(e.system)}: {w.score(e.value)} by human labels{_ends(e, w)}" for e in found)
            yield f"{'; '.join(said)}."
        elif len(gains) <= _MOST:
            for found_gain in sorted(gains, key=lambda e: ("better", "worse", "open").index(e.decide(self.alpha))):
                yield self._describe_gain(found_gain, w)
        else:
            yield self._count(gains, w)
        yield from self._describe_alone(gains, w)
        worth = [e.worth for e in found if e.worth is not None]
        if all("few_labels" in e.notes for e in found):
            of = " for gains" * bool(gains)
            yield f"{w.name(self.judge)} is not used{of}: there are too few labelled errors to tell how far it errs."
        elif worth and all(e.worth is None or round(e.worth) <= e.n_labelled for e in found):
            yield f"{w.name(self.judge)} adds nothing: intervals are no narrower than by {_range(found)} human labels."
        elif worth:
            alone = " to ".join(dict.fromkeys(w.number(end, 2) for end in (min(worth), max(worth))))
            labels = f"human labels{' of a system' * (len({e.system for e in self.estimates}) > 1)}"
            judge, little = w.name(self.judge), max(worth) < _LITTLE * min(e.n_labelled for e in found)
            beside = f"{judge} adds next to nothing: with it" if little else f"With {judge}"
            yield f"{beside} {_range(found)} {labels} tell as much as {alone} do alone."

    def _describe_bias(self, w: Writer) -> Iterator[str]:
        """``llm alone is off: it scores new 0.061 above humans, the most of 2 systems; both say the ...``.

        Where it is not shown, the largest bias that the intervals allow is said.
        """
        of_scores = [one for one in self.biases if one.baseline is None]
        if not of_scores:
            return
        shown = [one for one in of_scores if one.shown]
        one = max(shown or of_scores, key=lambda one: abs(one.bias))
        side = f"{'below' if one.bias < 0 else 'above'} humans"
        off = f"{w.name(one.system)} {w.score(abs(one.bias))} {side}" if one.bias else "as humans do on average"
        said = f"it scores {off} where they labelled"
        said += f" ({w.level()} CI {w.ends(one.ci)})" if one.ci else ""
        said += f", the most of {w.count(len(of_scores), 'system')}" if len(of_scores) > 1 and one.bias else ""
        labels = sum(one.n_labelled for one in of_scores)
        if alike := sum(round(one.same * one.n_labelled) for one in of_scores):
            averaged = any(most > 1 for _, most in self.provenance.samples.values())
            same, of = ("have the same mean of samples", "cases") if averaged else ("say the same", "labels")
            said += f"; both {same} on {w.percent(alike / labels)} of {labels:,} {of}"
            chance = sum(one.n_labelled * (1.0 if one.chance is None else one.chance) for one in of_scores) / labels
            if chance < 1 and None not in [one.chance for one in of_scores]:
                kappa = w.fixed((alike / labels - chance) / (1 - chance), 2)
                said += f", by chance on {w.percent(chance)} (κ = {kappa})"
        most = max((abs(end) for one in of_scores for end in one.ci or ()), default=0.0)
        maybe = f", though it may be by as much as {w.score(most)}" if most else ""
        gain = max((abs(e.value or 0.0) for e in self._of(_MAIN, gains=True)), default=most)
        maybe += f", more than the {'gain' if len(of_scores) == 2 else 'largest gain'} found" if gain < most else ""
        whether = "alone is off" if shown else f"is not shown to be off{maybe}"
        yield f"{w.name(self.judge)} {whether}: {said}."

    def _describe_alone(self, gains: Sequence[JudgeEstimate], w: Writer) -> Iterator[str]:
        """``llm alone would have new outscore base by ...``, where the human labels do not show it."""
        sides = {gain.system: gain.decide(self.alpha) for gain in gains}
        alone = [
            e for e in self._of("judge", gains=True)
            if e.ci is not None and not e.ci[0] <= 0 <= e.ci[1] and sides.get(e.system) == "open"
        ]  # fmt: skip
        if not alone:
            return
        top = max(alone, key=lambda e: abs(e.value or 0.0))
        first, second = (w.name(name) for name in (top.system, self.baseline))
        first, second = (first, second) if (top.value or 0.0) > 0 else (second, first)
        more = f"; so with {w.count(len(alone) - 1, 'more system')}" if len(alone) > 1 else ""
        assert top.ci is not None
        ends = sorted(map(abs, top.ci))  # both are on the same side of 0
        said = f"{w.score(abs(top.value or 0.0))} ({w.level()} CI {w.ends((ends[0], ends[1]))})"
        would = f"{w.name(self.judge)} alone would have {first} outscore {second} by {said}"
        yield f"{would}, which the human labels do not show{more}."

    def _describe_gain(self, found: JudgeEstimate, w: Writer) -> str:
        """``new outscores base in correct by 0.156 (95% CI 0.097 to 0.215, p < .001).``"""
        system, baseline, human = w.name(found.system), w.name(self.baseline), w.name(self.human)
        side = found.decide(self.alpha)
        if side == "open":
            said = f"{w.gain(found.value)}{_ends(found, w)}"
            return f"{system} is not shown to differ from {baseline} in {human}: {said}."
        first, second = (system, baseline) if side == "better" else (baseline, system)
        return f"{first} outscores {second} in {human} by {self._size(found, w)}{see_clusters(w)}."

    def _size(self, found: JudgeEstimate, w: Writer) -> str:
        """How much the better one is better."""
        loss = (found.value or 0.0) < 0
        return f"{w.score(abs(found.value or 0.0))}{_ends(found, w, turned=loss)}"

    def _count(self, gains: Sequence[JudgeEstimate], w: Writer) -> str:
        sides = {side: [e for e in gains if e.decide(self.alpha) == side] for side in ("better", "worse", "open")}
        baseline, human, of = w.name(self.baseline), w.name(self.human), w.count(len(gains), "system")
        if better := sides["better"]:
            top = max(better, key=lambda e: e.value or 0.0)
            said = f"{len(better)} of {of} outscore {baseline} in {human}"
            said += f", most of all {w.name(top.system)}: by {self._size(top, w)}"
        else:
            said = f"None of {of} is shown to outscore {baseline} in {human}"
        for side, words in (("worse", "outscored by it"), ("open", "not shown to differ")):
            if number := len(sides[side]):
                said += f"; {number} {'is' if number == 1 else 'are'} {words}"
        return f"{said}{see_clusters(w)}."

    def views(self, w: Writer) -> Iterator[Any]:
        by_method = {(e.system, e.method, e.baseline is not None): e for e in self.estimates}
        main = [(by_method.get((system, _MAIN, False)), by_method.get((system, _MAIN, True)),
                 by_method.get((system, "judge", False)))
                for system in dict.fromkeys(e.system for e in self.estimates)]  # fmt: skip
        gains = any(gain is not None for _, gain, _ in main)
        columns = [Shown("", value=lambda row: (row[0] or row[1]).system)]
        if any(score is not None for score, *_ in main):
            columns.append(Shown(w.name(self.human), "coefficient", value=lambda row: _estimate(row[0]),
                                 ci=lambda row: row[0].ci))  # fmt: skip
        if gains:
            columns.append(Shown("gain", "difference", value=lambda row: _estimate(row[1]), ci=lambda row: row[1].ci,
                                 bar=True))  # fmt: skip
            columns.append(Shown("p", "p", value=lambda row: row[1].p if row[1] is not None else ""))
        if any(alone is not None for *_, alone in main):
            columns.append(Shown(f"{w.name(self.judge)} alone", "coefficient", value=lambda row: _estimate(row[2])))
        yield w.table(f"{w.name(self.human)}, by humans and by {w.name(self.judge)}", main, columns, first=True,
                      footnotes=(_APART,) * self._do_not_add_up(main, w), side=self._side)  # fmt: skip
        if self.biases:
            named = Shown("", value=lambda e: f"{e.system} over {e.baseline}" if e.baseline is not None else e.system)
            chance = Shown("by chance", "fixed", value=lambda e: "" if e.chance is None else e.chance)
            by_chance = (chance,) * any(one.chance is not None for one in self.biases)
            yield w.table(f"{w.name(self.judge)} less {w.name(self.human)} on labelled items", self.biases,
                          (named, "n_labelled", "bias", "same", *by_chance))  # fmt: skip
        counts = (
            Shown("weight", "coefficient", value=lambda e: "" if e.weight is None else e.weight),
            Shown("labelled", "count", value=lambda e: "" if e.method == "judge" else e.n_labelled),
            Shown("worth", "number", value=lambda e: "" if e.worth is None else e.worth),
        )
        if scores := [e for e in self.estimates if e.baseline is None]:
            score = Shown("score", "coefficient", value=lambda e: e.value, ci=lambda e: e.ci)
            yield w.table("Scores by method", scores, ("system", "named_method", score, *counts), naming=2)
        if gains:
            gain = Shown("gain", "difference", value=lambda e: e.value, ci=lambda e: e.ci)
            adjusted = Shown(f"p {describe_correction(self.correction)}", "p", value=lambda e: e.p_adjusted)
            corrected = (adjusted,) if self._n_tested > 1 and self.correction != "none" else ()
            yield w.table(f"Gains over {w.name(self.baseline)} by method",
                          [e for e in self.estimates if e.baseline is not None],
                          ("system", "named_method", gain, "p_value", *corrected, *counts), naming=2)  # fmt: skip

    def _do_not_add_up(self, rows: Sequence[tuple[JudgeEstimate | None, ...]], w: Writer) -> bool:
        """Whether a gain is written otherwise than the difference of the scores beside it."""
        known = {e.system: e.value for e, *_ in rows if e is not None and e.value is not None}
        base, sign = known.get(self.baseline), -1 if self.options.get("lower") else 1
        gains = [e for _, e, *_ in rows if e is not None and e.value is not None and e.system in known]
        return base is not None and any(w.gain(e.value) != w.gain(sign * (known[e.system] - base)) for e in gains)

    def charts(self, w: Writer) -> Iterator[Chart]:
        gains = [e for e in self.estimates if e.baseline is not None]
        shown = gains or list(self.estimates)
        what = f"Gain over {w.name(self.baseline)}" if gains else "Score"
        yield Chart(
            heading="Scores with the judge's help",
            title=self._find(shown, w),
            under=(f"{w.level()} intervals; the judge's own knows nothing of its errors",),
            same_scale=True,
            panels=tuple(
                Intervals(
                    heading=w.name(system), names="method", values="estimate", axis=f"{what} in {w.name(self.human)}",
                    signs=_SIGNS, zero=bool(gains), rows=tuple(_bar(e, w) for e in shown if e.system == system),
                )
                for system in dict.fromkeys(e.system for e in shown)
            ),
        )  # fmt: skip

    def _find(self, shown: Sequence[JudgeEstimate], w: Writer) -> str:
        """The human labels that the judge saves."""
        first = next(e for e in shown if e.method == _MAIN)
        alone = next((e for e in shown if e.method == "labelled" and e.system == first.system), first)
        if first.ci is None or alone.ci is None or first.worth is None:
            return f"{w.name(self.human)}, by humans and by {w.name(self.judge)}"
        labels = f"{first.n_labelled} human labels with {w.name(self.judge)}"
        return f"{labels} tell as much of {w.name(first.system)} as {w.fixed(first.worth, 0)} alone"

    def _side(self, row: tuple[JudgeEstimate | None, ...]) -> str:
        side = "open" if row[1] is None else row[1].decide(self.alpha)
        return "" if side == "open" else side

    @property
    def _n_tested(self) -> int:
        return len({e.system for e in self.estimates if e.p_value is not None})

    def how(self, w: Writer) -> str:
        found = self._of(_MAIN, gains=True) or self._of(_MAIN, gains=False)
        clusters = self.provenance.n_clusters
        within = "" if clusters is None else f" in {w.count(clusters, 'cluster')}"
        items = w.count(max((e.n_items for e in found), default=0), "item")
        several = f"; {self._coverage}" if self._n_tested > 1 else ""
        return (
            f"Prediction-powered inference, tuned, two-sided{several}. {_range(found)} of {items}{within} labelled "
            f"by humans, all by {w.name(self.judge)}."
        )

    @property
    def _coverage(self) -> str:
        if self.correction == "none":
            return "p not corrected"
        return f"p by {describe_correction(self.correction)} over {self._n_tested} gains, intervals each by itself"

    def method(self, w: Writer) -> Iterator[str]:
        yield self.how(w)
        yield "Labelled items are taken for a random sample of all items."
        if any(e.worth is not None for e in self.estimates):
            yield "Weight: of the judge, from 0 to 1. Worth: human labels that alone would tell as much."
        for null in dict.fromkeys(e.null for e in self.estimates if e.null):
            yield f"Null hypothesis: {w.name(null)}."
        if self._n_tested > 1:
            yield f"Correction: {describe_correction(self.correction)} over {self._n_tested} gains of each method."
        together = ", those of the judge's bias together" if len(self.biases) > 1 and self.correction != "none" else ""
        yield f"Intervals at {w.level()}, each by itself{together}; alpha {self.alpha:g}."

    def __repr__(self) -> str:
        systems = inflect(len({e.system for e in self.estimates}), "system")
        return f"<Judgements of {systems}: {self.human!r} by {self.judge!r}>"


def describe_method(method: str) -> str:
    """How a method is called in tables."""
    return _METHODS.get(method, method)


_SIGNS = Signs(
    field="method",
    colours={
        _METHODS["prediction-powered"]: "blue",
        _METHODS["labelled"]: "green",
        _METHODS["prediction-powered:weight=1"]: "faint",
        _METHODS["rogan-gladen"]: "purple",
        _METHODS["judge"]: "orange",
    },
)


def _bar(found: JudgeEstimate, w: Writer) -> Bar:
    gain = found.baseline is not None
    size = w.gain(found.value) if gain else w.score(found.value)
    ends = w.interval(found.ci, of="gain" if gain else "score")
    return Bar(name=w.name(found.named_method), value=found.value, ci=found.ci, written=f"{size} {ends}")


def _estimate(found: JudgeEstimate | None) -> float | str | None:
    """The estimate of a cell, which is empty where there is none."""
    return "" if found is None else found.value


def _range(found: Sequence[JudgeEstimate]) -> str:
    """How many items are labelled: ``60``, or ``56 to 60``."""
    few, many = min(e.n_labelled for e in found), max(e.n_labelled for e in found)
    return f"{few:,}" if few == many else f"{few:,} to {many:,}"


def _ends(found: JudgeEstimate, w: Writer, *, turned: bool = False) -> str:
    """``(95% CI 0.097 to 0.215, p < .001)``; the ends of a loss that is told as a gain of the other change places."""
    ci = found.ci if found.ci is None or not turned else (-found.ci[1], -found.ci[0])
    said = [] if ci is None else [f"{w.level()} CI {w.ends(ci)}"]
    said += [w.p(found.p)] if found.baseline is not None else []
    return f" ({', '.join(said)})" if said else ""
