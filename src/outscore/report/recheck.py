"""Printed numbers of another program, made again and explained: a table, and in words."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.base.errors import inflect
from outscore.report.footnotes import join_remedy
from outscore.report.model import Block, Cell, Column, Footnote, Row, Table
from outscore.report.numbers import UNDEFINED, p_text, to_digits, to_fixed
from outscore.report.text import clean
from outscore.report.view import correction_label
from outscore.results import Reason, Recheck, Rechecked

_SCORE_PLACES = 2

_NAMES = {"half_width": "± 95%", "mean": "μ"}
"""Kinds of numbers in the words of the programs' own tables."""

_P_VALUES = ("both", "counted", "valid", "p", "least")

_RULES = {
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
    "one_tail": "It centres absolute differences and counts one tail; both tails of its draws, ties counted: p {both}.",
    "ties_left_out": "It leaves out draws just as far apart as the systems are; counted, p {counted}.",
    "identical": "The outputs are the same. No draw lies beyond a difference of 0, so that it prints the least p it "
    "can, {least}, as if this were significant; p is 1.",
    "drawing": "What is left, {rest}, is within chance ({drawn}).",
    "other_test": "What is left, {rest}, is the other test: {test}, of the null hypothesis that {null}{clusters}.",
    "no_p": "{test} has no p-value here.",
    "decision": "At {alpha} it says {theirs}; outscore says otherwise, with p {p} after the correction ({correction}, "
    "over {family} p-values).",
    "mean_of_redrawn": "Resampled scores are off by {bias} in the mean, their bias; outscore reports the score itself.",
    "half_width": "It is the same on both sides; outscore has [{low}, {high}] ({method}).",
    "other_metric": "MultEval has METEOR 1.3 or 1.4, another metric than 1.5, so that it cannot be made again.",
    "tercom": "tercom looks for shifts otherwise than sacrebleu does; {by} between them.",
    "runs_permuted": "It permutes runs for one side and inverts that for the other; by valid permutations p {valid}.",
    "runs_as_items": "It takes {runs} runs for {runs} times as many items; outscore ({test}) asks: {question}",
}
"""Sentence of each reason by its code; the manual lists the codes."""


def tables(result: Recheck, width: int | None) -> list[Table]:
    """Every printed number with the same by its rule, ours, and why."""
    places = _SCORE_PLACES if width is None else width
    several = len({one.system for one in result.numbers}) > 1
    metrics = dict.fromkeys((one.metric, one.printed_metric) for one in result.numbers)
    columns = (
        *((Column(header="System"),) if several else ()),
        Column(header="Number"),
        Column(header="Printed", align="right"),
        Column(header="Its rule", align="right"),
        Column(header="Ours", align="right"),
        Column(header="Why", prose=True),
    )

    def rows(metric: str, printed: str) -> Iterator[Row]:
        for one in result.numbers:
            if (one.metric, one.printed_metric) == (metric, printed):
                yield (
                    *((Cell(text=clean(one.system)),) if several else ()),
                    Cell(text=_NAMES.get(one.quantity, one.quantity)),
                    Cell(text=_format_printed(one, places)),
                    Cell(
                        text=_number(one.remade, one, places, beside=True),
                        tone="worse" if one.outcome == "differs" else "",
                    ),
                    Cell(text=_number(one.ours, one, places)),
                    Cell(text=clean(" ".join(_format_reason(reason, places) for reason in one.reasons))),
                )

    blocks = tuple(Block(metric=clean(printed), rows=tuple(rows(metric, printed))) for metric, printed in metrics)
    title = f"What {result.tool} printed, made again"
    naming = 2 if several else 1
    return [Table(title=title, columns=columns, blocks=blocks, footnotes=tuple(_footnotes(result)), naming=naming)]


def sentence(result: Recheck, width: int | None) -> str:
    """How many numbers could be made again, and whether conclusions change."""
    said = [f"{result.count('same')} of {inflect(len(result.numbers), 'number')} that {result.tool} printed come out"]
    for outcome, words in (
        ("within chance", "{} within chance"), ("differs", "{} otherwise"), ("not made", "{} cannot be made again"),
    ):  # fmt: skip
        found = result.count(outcome)
        said += [words.format(found)] if found else []
    text = f"{said[0]} just so by its own rule" + "".join(f", {part}" for part in said[1:])
    tested = [one for one in result.numbers if one.quantity == "p" and one.ours is not None]
    if not tested:
        return f"{text}."
    other = sum(any(reason.code in ("decision", "identical") for reason in one.reasons) for one in tested)
    return f"{text}; outscore concludes otherwise on {other} of {inflect(len(tested), 'p-value')}."


def _footnotes(result: Recheck) -> Iterator[Footnote]:
    drawn = ""
    if result.resamples is not None:
        known = {"option": "as given", "file": "as printed", "p-values": "as its p-values are multiples of 1 / "
                 f"{result.resamples + 1}"}  # fmt: skip
        how = known.get(result.resamples_from, "its default, as the file does not say")
        seed = "unseeded" if result.seed_of_tool is None else f"seed {result.seed_of_tool}"
        drawn = f"; {result.resamples} draws ({how}), {seed}"
    yield Footnote(text=f"Its rule: {_RULES[result.procedure]}{drawn}.")
    made = result.provenance
    clusters = f", clusters by {clean(made.cluster)}" if made.cluster else ""
    how = f"{made.n_resamples} resamples, seed {result.seed}{clusters}"
    tested = result.procedure not in ("scores", "interval")
    test, raw = (f"test {clean(made.test)}, ", "; p before any correction") if tested else ("", "")
    yield Footnote(text=f"Ours: what outscore finds on the same files ({test}{how}){raw}.")
    pairs = dict.fromkeys((n.printed_metric, n.metric) for n in result.numbers if n.remade is not None)
    if pairs:
        said = ", ".join(f"{clean(metric)} for {clean(printed)}" for printed, metric in pairs)
        yield Footnote(text=f"Metrics: {said}.")
    versions = ", ".join(f"{clean(name)} {clean(version)}" for name, version in made.libraries.items())
    yield Footnote(text=f"Made again with {versions}.")
    for note in result.notes:
        yield Footnote(text=f"Note: {join_remedy(note.text, note.remedy)}")


def _format_printed(one: Rechecked, places: int) -> str:
    """As it was printed; a number in full is shortened."""
    return clean(one.text) if len(one.text) <= _MOST_DIGITS else _number(one.printed, one, places)


_MOST_DIGITS = 10


def _number(value: float | None, one: Rechecked, places: int, *, beside: bool = False) -> str:
    """A number with the digits of the printed one; a p-value too where it is to be held ``beside`` it."""
    if value is None:
        return UNDEFINED
    _, point, digits = one.text.replace(",", ".").partition(".")
    short = len(one.text) <= _MOST_DIGITS
    if one.quantity == "p" and not (beside and short and value >= 0.5 * 10 ** -len(digits)):
        return p_text(value, places=4)
    return to_fixed(value, len(digits) if short and point else places)


def _format_reason(reason: Reason, places: int) -> str:
    """One reason in words; a reason of a later version by its code."""
    values = {name: _value(name, value, places) for name, value in reason.values.items()}
    given = reason.values
    if reason.code == "drawing":
        ours = "ours exact" if given.get("ours") is None else f"{given['ours']} of ours"
        values["drawn"] = f"{given.get('resamples')} of its draws, {ours}"
    elif reason.code == "other_test":
        values["clusters"] = f"; clusters by {given['cluster']}" if given.get("cluster") else ""
    try:
        return WORDS[reason.code].format(**values)
    except KeyError:
        return f"({reason.code})"


def _value(name: str, value: float | int | str | None, places: int) -> str:
    if name in _P_VALUES and (value is None or isinstance(value, float)):
        text = p_text(value, places=4)
        return text if text.startswith("<") or name in ("least",) else f"= {text}"
    if name == "correction":
        return correction_label(str(value))
    if name == "alpha" and isinstance(value, float):
        return f"{value:g}"
    if name in ("low", "high"):
        return to_fixed(value if isinstance(value, float) else None, places)
    return to_digits(value, 2) if isinstance(value, float) else UNDEFINED if value is None else str(value)
