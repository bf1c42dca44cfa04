"""The record of what another program printed, made again by its rule and set beside ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Annotated, Any

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer
from outscore.results.details import describe_correction
from outscore.results.result import Result, Score, kinds

_MOST_DIGITS = 10
_FEW = 4
"""Reasons that stand on the first screen."""
_MOST_PLACES = 3
_SHORT = 8
"""Numbers that stand on the first screen one by one."""
_P_VALUES = ("both", "counted", "valid", "p", "least")
_OTHERWISE = ("decision", "identical")
"""Reasons by which a conclusion changes."""
_LEVEL, _BOLD = 0.05, 0.01
"""Of the intervals of other programs, and of a p-value that claims more than is usual."""
_QUANTITIES = {"half_width": "± 95%", "mean": "μ"}

REMADE = ("same", "within chance", "differs", "not made")
"""The verdicts on a printed number that was made again by its program's own rule."""


@dataclass(frozen=True, kw_only=True)
class Reason:
    """Why two numbers agree or differ.

    Attributes:
        code: which reason; ``WORDS`` has the words, and the manual lists them.
        values: the numbers and names that belong to it.
    """

    code: str
    values: Mapping[str, float | int | str | None] = field(default_factory=dict)

    def describe(self, w: Writer) -> str:
        """The reason in words; of a later version by its code."""
        given = self.values
        values = {name: _write(name, value, w) for name, value in given.items()}
        if self.code == "drawing":
            ours = "ours exact" if given.get("ours") is None else f"{given['ours']} of ours"
            values["drawn"] = f"{given.get('resamples')} of its draws, {ours}"
        elif self.code == "other_test":
            values["clusters"] = f"; clusters by {given['cluster']}" if given.get("cluster") else ""
        try:
            return w.name(WORDS[self.code].format(**values))
        except KeyError:
            return w.name(f"({self.code})")


@dataclass(frozen=True, kw_only=True)
class Rechecked:
    """One printed number.

    Attributes:
        system: as it is called here; ``printed_system``: as it was printed.
        metric: the metric that made it again, with its options; ``printed_metric``: as it was printed.
        quantity: ``score``, ``p``, ``mean`` and ``half_width`` of resampled scores, ``s_sel`` or ``s_opt``.
        printed: the number; ``text``: as it stands in the file.
        remade: by the program's own rule; None where it could not be made.
        outcome: ``same`` to the last digit printed, ``within chance`` of other draws, ``differs``, or ``not made``.
        ours: the number that outscore has in its place; None where it has nothing.
        reasons: why the three agree or differ, in the order in which they are told.
    """

    system: Annotated[str, Shown("")]
    printed_system: str
    metric: str
    printed_metric: str
    quantity: Annotated[str, Shown("number", words=_QUANTITIES)]
    printed: float
    text: str
    remade: float | None
    outcome: Annotated[str, Shown("made again")]
    ours: float | None
    reasons: tuple[Reason, ...]

    def explain(self, w: Writer, *, brief: bool = False) -> str:
        """Its reasons in words; in brief that by which a conclusion changes, if there is one."""
        changing = [reason for reason in self.reasons if brief and reason.code in _OTHERWISE]
        return " ".join(reason.describe(w) for reason in changing or self.reasons)

    @property
    def otherwise(self) -> bool:
        """Whether a conclusion changes."""
        return any(reason.code in _OTHERWISE for reason in self.reasons)

    def write_printed(self, w: Writer) -> str:
        """As it was printed; a number in full is shortened."""
        return w.name(self.text) if self._short else w.fixed(self.printed)

    def write(self, value: float | None, w: Writer, *, beside: bool = False) -> str:
        """A number with the digits of the printed one; a p-value too where it is to be held ``beside`` it."""
        _, point, digits = self.text.replace(",", ".").partition(".")
        told = beside and self._short and value is not None and value >= 0.5 * 10 ** -len(digits)
        if self.quantity == "p" and not told:
            return w.p(value, "")
        return w.fixed(value, len(digits) if self._short and point else None)

    @property
    def _short(self) -> bool:
        return len(self.text) <= _MOST_DIGITS


@dataclass(frozen=True, kw_only=True)
class _OfSystem:
    """The printed numbers of one system under one metric."""

    system: Annotated[str, Shown("")]
    printed_metric: str
    numbers: tuple[Rechecked, ...]

    def find(self, quantity: str) -> Rechecked | None:
        return next((one for one in self.numbers if one.quantity == quantity), None)

    @property
    def made_again(self) -> Annotated[str, Shown("made again")]:
        """``4 same``, or how many came out in each way."""
        counts = ((sum(one.outcome == outcome for one in self.numbers), outcome) for outcome in REMADE)
        return ", ".join(f"{n} {outcome}" for n, outcome in counts if n)


@dataclass(frozen=True)
class _Reasoned:
    """Numbers that are odd for one reason."""

    where: Annotated[str, Shown("")]
    number: Annotated[str, Shown("number")]
    why: Annotated[str, Shown("why", "prose")]


@kinds.register("recheck")
@dataclass(frozen=True, kw_only=True, repr=False)
class Recheck(Result):
    """The printed numbers of one file, each made again and explained.

    Attributes:
        tool: ``sacrebleu`` or ``MultEval``; ``layout``: how it had printed them.
        procedure: ``scores``, ``interval``, ``bootstrap``, ``randomization`` or ``multeval``.
        resamples: how many that program drew, given, printed, or taken from its p-values; None where it drew none.
        resamples_from: ``option``, ``file``, ``default`` or ``p-values``.
        seed_of_tool: under which its draws were made again; None for unseeded.
        numbers: in the order of the file.
    """

    tool: str
    layout: str
    procedure: str
    resamples: int | None
    resamples_from: str
    seed_of_tool: int | None
    numbers: tuple[Rechecked, ...]
    scores: tuple[Score, ...] = ()
    command: str = "recheck"

    def count(self, outcome: str) -> int:
        """How many of the printed numbers came out so, see ``REMADE``."""
        return sum(one.outcome == outcome for one in self.numbers)

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each printed number; ``reasons`` are codes."""
        return [
            {
                **{name: getattr(one, name) for name in ("system", "metric", "quantity", "printed", "text")},
                **{name: getattr(one, name) for name in ("remade", "outcome", "ours")},
                "reasons": " ".join(reason.code for reason in one.reasons),
            }
            for one in self.numbers
        ]

    # --- how it is told -----------------------------------------------------------------------------------

    def verdict(self, w: Writer) -> Iterator[str]:
        """How many numbers could be made again, and whether conclusions change."""
        n, tool = len(self.numbers), w.name(self.tool)
        same, chance = self.count("same"), self.count("within chance")
        differs, not_made = self.count("differs"), self.count("not made")
        said = [f"{same} of {w.count(n, 'number')} that {tool} printed {'comes' if same == 1 else 'come'} out the same"]
        said += [f"{chance} within chance of other draws"] if chance else []
        said += [f"{differs} {'differs' if differs == 1 else 'differ'}"] if differs else []
        said += [f"{not_made} cannot be made again"] if not_made else []
        if same == n:
            said = [f"All {w.count(n, 'number')} that {tool} printed come out the same"] if n > 1 else [
                f"The number that {tool} printed comes out the same"]  # fmt: skip
        yield f"{said[0]} by its own rule{''.join(f', {part}' for part in said[1:])}."
        tested = [one for one in self.numbers if one.quantity == "p" and one.ours is not None]
        if tested:
            other = sum(one.otherwise for one in tested)
            n, which = len(tested), "the p-value" if len(tested) == 1 else f"the {len(tested)} p-values"
            at = f"at alpha {w.given(self.alpha)}"
            alike = f"outscore draws the same conclusion{'s' * (n > 1)} from {which} {at}."
            yield f"outscore concludes otherwise on {other} of {w.count(n, 'p-value')} {at}." if other else alike
            bold = [one for one in tested if one.printed <= _BOLD < self.alpha and not one.otherwise]
            held = sum(one.ours is not None and one.ours <= _BOLD for one in bold)
            if held < len(bold):
                yield f"The stronger claim, p ≤ {_BOLD:g}, is borne out for {held} of {w.count(len(bold), 'p-value')}."

    def views(self, w: Writer) -> Iterator[Any]:
        systems = ("system",) if len({one.system for one in self.numbers}) > 1 else ()
        naming = len(systems) + 1

        def group(one: Rechecked) -> str:
            return one.printed_metric

        other = "" if self.alpha == _LEVEL else f", outscore's {w.level()}"

        def name(one: Rechecked) -> str:
            return _QUANTITIES.get(one.quantity, one.quantity) + (other if one.quantity == "half_width" else "")

        quantity = Shown("number", value=name)
        columns = (
            *systems,
            quantity,
            Shown("printed", "whole", value=lambda one: one.write_printed(w)),
            Shown("by its rule", "whole", value=lambda one: one.write(one.remade, w, beside=True)),
            "outcome",
            Shown("outscore", "whole", value=lambda one: one.write(one.ours, w)),
        )
        title, short = f"What {w.name(self.tool)} printed, made again", len(self.numbers) <= _SHORT
        every = w.table("Every number" if not short else title, self.numbers, columns, first=short, group=group,
                        naming=naming)  # fmt: skip
        brief = w.table(title, self._made, (*systems, *self._brief(w)), first=True,
                        group=lambda row: row.printed_metric, naming=len(systems))  # fmt: skip
        yield every if short else brief
        odd = self._odd(w)
        if odd:
            more = (f"{len(odd) - _FEW} more: -v",) if len(odd) > _FEW else ()
            yield w.table("What is not the same, and why", odd[:_FEW], ("where", "number", "why"), first=True,
                          by_metric=False, footnotes=more, naming=2)  # fmt: skip
        if not short:
            yield every
        told = Shown("why", "prose", value=lambda one: one.explain(w))
        yield w.table("Why numbers agree or differ", self.numbers, (*systems, quantity, told), group=group,
                      naming=naming)  # fmt: skip

    def _brief(self, w: Writer) -> Iterator[str | Shown]:
        """Columns of the first screen: score and p as printed, by its rule where that is another, and ours."""

        def column(title: str, quantity: str, write: Callable[[Rechecked], str]) -> Shown:
            def value(row: _OfSystem) -> str:
                found = row.find(quantity)
                return "" if found is None else write(found)

            return Shown(title, "whole", value=value)

        for quantity in ("score", "p"):
            here = [one for one in self.numbers if one.quantity == quantity and one.remade is not None]
            if here:
                yield column(quantity, quantity, lambda one: one.write_printed(w))
            if any(one.outcome == "differs" for one in here):
                yield column("by its rule", quantity, lambda one: one.write(one.remade, w, beside=True))
            if here and quantity == "p":
                yield column("outscore's p", quantity, lambda one: one.write(one.ours, w))
        yield "made_again"

    @property
    def _made(self) -> list[_OfSystem]:
        """The numbers that could be made again, system by system; all, where none could."""
        known = {one.printed_metric for one in self.numbers if one.outcome != "not made"}
        found: dict[tuple[str, str], list[Rechecked]] = {}
        for one in self.numbers:
            if one.printed_metric in known or not known:
                found.setdefault((one.printed_metric, one.system), []).append(one)
        return [
            _OfSystem(system=system, printed_metric=metric, numbers=tuple(numbers))
            for (metric, system), numbers in found.items()
        ]

    def _odd(self, w: Writer) -> list[_Reasoned]:
        """Numbers that are not the same or conclude otherwise; those that have the reason in common together."""
        odd = [one for one in self.numbers if one.outcome in ("differs", "not made") or one.otherwise]
        found: dict[str, list[Rechecked]] = {}
        for one in sorted(odd, key=lambda one: (not one.otherwise, one.outcome == "not made")):
            found.setdefault(one.explain(w, brief=True), []).append(one)
        systems = {one.system for one in self.numbers}
        lines = []
        for why, alike in found.items():
            metrics = dict.fromkeys(one.printed_metric for one in alike)
            every = {one.system for one in alike} == systems
            where = metrics if every else dict.fromkeys(f"{one.system} {one.printed_metric}" for one in alike)
            more = f" and {len(where) - _MOST_PLACES} more" if len(where) > _MOST_PLACES else ""
            numbers = dict.fromkeys(_QUANTITIES.get(one.quantity, one.quantity) for one in alike)
            named = "all" if len(numbers) > _MOST_PLACES else ", ".join(numbers)
            lines.append(_Reasoned(", ".join(list(where)[:_MOST_PLACES]) + more, named, why))
        return lines

    def how(self, w: Writer) -> str:
        return f"Its rule:{self._drawn(w) or ' nothing is drawn'}. outscore: {self._ours(w)}."

    def _drawn(self, w: Writer) -> str:
        if self.resamples is None:
            return ""
        multiples = f"as its p-values are multiples of 1 / {self.resamples + 1:,}"
        known = {"option": "as given", "file": "as printed", "p-values": multiples}
        how = known.get(self.resamples_from, "its default, as the file does not say")
        seed = "unseeded" if self.seed_of_tool is None else f"seed {self.seed_of_tool}"
        return f" {w.count(self.resamples, 'draw')} ({how}), {seed}"

    def _ours(self, w: Writer) -> str:
        made = self.provenance
        clusters = f", clusters by {w.name(made.cluster)}" if made.cluster else ""
        how = f"{w.count(made.n_resamples, 'resample')}, seed {self.seed}{clusters}"
        tested = self.procedure not in ("scores", "interval")
        return f"test {w.name(made.test)}, {how}; p before any correction" if tested else how

    def method(self, w: Writer) -> Iterator[str]:
        drawn = self._drawn(w)
        yield f"Its rule: {RULES[self.procedure]}{f';{drawn}' if drawn else ''}."
        yield f"outscore: what it finds on the same files ({self._ours(w)})."
        pairs = dict.fromkeys((n.printed_metric, n.metric) for n in self.numbers if n.remade is not None)
        if pairs:
            yield f"Metrics: {', '.join(f'{w.name(metric)} for {w.name(printed)}' for printed, metric in pairs)}."
        versions = (f"{w.name(name)} {w.name(version)}" for name, version in self.provenance.libraries.items())
        yield f"Made again with {', '.join(versions)}."

    def __repr__(self) -> str:
        made = len(self.numbers) - self.count("not made") - self.count("differs")
        return f"<Recheck of {self.tool}: {made} of {inflect(len(self.numbers), 'number')} made again>"


def _write(name: str, value: float | int | str | None, w: Writer) -> str:
    if name in _P_VALUES and (value is None or isinstance(value, float)):
        return w.p(value, "" if name == "least" else "p")
    if name == "correction":
        return describe_correction(str(value))
    if name == "alpha" and isinstance(value, float):
        return w.given(value)
    if name in ("low", "high"):
        return w.fixed(value if isinstance(value, float) else None)
    return w.number(value, 2) if value is None or isinstance(value, float) else str(value)


RULES = {
    "scores": "corpus scores, nothing drawn",
    "interval": "mean μ of the scores of resampled test sets, and half the distance of those a fortieth from "
    "either end",
    "bootstrap": "P(|d*| - mean of |d*| > |d|), where d is the difference of scores and d* that on a resampled "
    "test set",
    "randomization": "P(|d*| > |d|), where d is the difference of scores and d* that after random permutations of "
    "outputs",
    "multeval": "all runs pooled, outputs permuted run by run, draws beyond the difference counted; deviations of "
    "resampled scores (s_sel) and between runs (s_opt)",
}
"""Rule of each procedure."""

WORDS = {
    "same_score": "The corpus score of these files.",
    "same_mean": "The same draws.",
    "same_half_width": "The same draws.",
    "same_p": "Its rule on the same draws gives it.",
    "same_by_chance": "The same comes of other draws, or other outputs, than its own.",
    "same_from_other_draws": "It drew without a seed; its rule gives the same from draws of ours.",
    "same_s_opt": "The same deviation between runs.",
    "found_options": "It is that of {metric}; the file names no options.",
    "numpy_1": "Made under NumPy 1, which computes resampled scores in double precision.",
    "no_rule": "No rule is known that makes it.",
    "other_texts": "The options are those it names, so it had other outputs or references.",
    "other_texts_or_options": "It had other outputs or references, or other options (tokenizer, case): name those with "
    "-m.",
    "other_references": "It had {theirs} references of each item, {ours} were given.",
    "other_version": "It was made by sacrebleu {theirs}, and again by {ours}.",
    "other_score": "Its score, or the baseline's, is not that of these files, so that its draws cannot be had again.",
    "other_draws": "Its draws were others than {resamples} under seed {seed}: another seed (SACREBLEU_SEED), another "
    "number of them, or items in another order.",
    "unseeded": "It drew without a seed; {resamples} other draws agree within chance.",
    "beyond_chance": "{resamples} other draws do not come near it: it had far fewer, or other outputs.",
    "one_tail": "It centres absolute differences and counts one tail; both tails of its draws, ties counted: {both}.",
    "ties_left_out": "It leaves out draws just as far apart as the systems are; counted, {counted}.",
    "identical": "The outputs are the same. No draw lies beyond a difference of 0, so that it prints the least p it "
    "can, {least}, as if this were significant; p is 1.",
    "drawing": "What is left, {rest}, is within chance ({drawn}).",
    "other_test": "What is left, {rest}, is the other test: {test}, of the null hypothesis that {null}{clusters}.",
    "no_p": "{test} has no p-value here.",
    "decision": "At {alpha} it says {theirs}; outscore says otherwise, with {p} after the correction ({correction}, "
    "over {family} p-values).",
    "mean_of_redrawn": "Resampled scores are off by {bias} in the mean, their bias; outscore reports the score itself.",
    "half_width": "It is the same on both sides; outscore has [{low}, {high}] ({method}).",
    "other_metric": "MultEval has METEOR 1.3 or 1.4, another metric than 1.5, so that it cannot be made again.",
    "tercom": "tercom looks for shifts otherwise than sacrebleu does; {by} between them.",
    "runs_permuted": "It permutes runs for one side and inverts that for the other; by valid permutations {valid}.",
    "runs_as_items": "It takes {runs} runs for {runs} times as many items; outscore ({test}) asks: {question}",
}
"""Sentence of each reason by its code; the manual lists the codes."""
