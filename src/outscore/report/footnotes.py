"""The lines under the main table: what was tested, on what, with what; then every note with its remedy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from outscore.base.errors import inflect
from outscore.base.notes import Note
from outscore.report.model import Footnote, Row
from outscore.report.numbers import level, p_text
from outscore.report.text import clean, superscript
from outscore.report.view import View, correction_label, describe_coverage, test_label
from outscore.results import Result

_MOST_NAMES = 4


def footnotes(view: View, rows: Sequence[Row]) -> tuple[Footnote, ...]:
    """All footnotes of the main table with these rows; marks, boldness and notes are explained where they are shown."""
    return tuple(_footnotes(view, rows))


def _errors_of_p(rows: Sequence[Row]) -> Iterator[Footnote]:
    """Footnote on ±, where it is shown."""
    if any(cell.tail.startswith("±") for row in rows for cell in row):
        yield Footnote(text="±: standard error of p from the resampling.")


def _footnotes(view: View, rows: Sequence[Row]) -> Iterator[Footnote]:
    yield from _daggers(view, rows, " against the baseline")
    if any(cell.bold for row in rows for cell in row):
        about = "the marks are about differences from the baseline"
        only = "only differences from the baseline were tested"
        yield Footnote(text=f"Bold: best score of its metric; {about if view.other_pairs else only}.", about="bold")
    if view.pairs:
        yield Footnote(text="Gain: system minus baseline, signed so that positive is better.")
    yield from _errors_of_p(rows)
    yield from (Footnote(text=line) for line in _tests(view))
    yield Footnote(text=f"{_size(view)}; {_settings(view)}.")
    yield from (Footnote(text=line) for line in samples_line(view.result))
    yield from (Footnote(text=line) for line in _intervals(view))
    yield from (Footnote(text=line) for line in _floors(view))
    for signature in _signatures(view):
        yield Footnote(text=signature)
    for note in view.result.notes:
        if note.code not in view.note_numbers:
            yield format_note(note)
    yield from list_numbered_notes(view, rows)


def format_note(note: Note, *, number: int | None = None, where: str = "") -> Footnote:
    """A note with its remedy as a line under a table, by its number where rows refer to it."""
    text = f"{where}{join_remedy(note.text, note.remedy)}"
    if number is None:
        return Footnote(text=f"Note: {text}", note=note.code, where=where)
    return Footnote(mark=superscript((number,)), text=text, note=note.code, where=where)


def _daggers(view: View, rows: Sequence[Row], against: str) -> Iterator[Footnote]:
    marks = {mark for row in rows for cell in row for mark in cell.marks}
    for mark, threshold in (("†", view.result.alpha), ("‡", view.result.alpha / 5)):
        if mark in marks:
            yield Footnote(mark=mark, text=f"{view.p_header} ≤ {threshold:g}{against}.")


def list_numbered_notes(view: View, rows: Sequence[Row]) -> Iterator[Footnote]:
    """The notes that these rows refer to by number."""
    shown = {number for row in rows for cell in row for number in cell.notes}
    for note in view.result.notes:
        number = view.note_numbers.get(note.code)
        if number is not None and number in shown:
            yield format_note(note, number=number)


def _tests(view: View) -> Iterator[str]:
    """Each test once, with its null hypothesis; its question too where other tests stand beside it."""
    pairs = view.pairs
    also = any(pair.also for pair in pairs)
    for label, alternative, null, question in dict.fromkeys(
        (test_label(p.test, p.p_kind), p.alternative, p.null, p.question) for p in pairs if p.test
    ):
        asked = f" Question: {_sentence(question)}" if also and question.strip() else ""
        yield f"Test: {label}; {clean(alternative)}.{asked} Null hypothesis: {_sentence(null)}"


def _size(view: View) -> str:
    """Items, by metric or by system where they differ, with clusters and drops."""
    provenance = view.result.provenance
    counts: dict[int, list[str]] = {}
    # systems with items of their own are told apart by name
    apart = any(len({score.n_items for score in view.scores(metric)}) > 1 for metric in view.metrics)
    for score in view.result.scores:
        counts.setdefault(score.n_items, []).append(clean(score.system) if apart else view.label(score.metric))
    if len(counts) == 1:
        text = inflect(next(iter(counts)), "item")
    else:
        parts = (f"{inflect(n, 'item')} ({', '.join(dict.fromkeys(who))})" for n, who in counts.items())
        text = ", ".join(parts)
    if provenance.n_clusters is not None:
        text += f" in {inflect(provenance.n_clusters, 'cluster')}"
        text += f" ({clean(provenance.cluster)})" if provenance.cluster else ""
    if provenance.dropped:
        text += f", {len(provenance.dropped)} of {provenance.n_items_read} dropped"
    return text


def samples_line(result: Result) -> Iterator[str]:
    """How many samples of each item were averaged, by system where that differs; none where there is one of each."""
    samples = result.provenance.samples
    counts: dict[str, list[str]] = {}
    for system in dict.fromkeys(score.system for score in result.scores) if samples else ():
        fewest, most = samples.get(system, (1, 1))
        counts.setdefault(str(most) if fewest == most else f"{fewest} to {most}", []).append(clean(system))
    if len(counts) == 1:
        yield f"samples: {next(iter(counts))} of each item, averaged."
    elif counts:
        parts = (f"{number} ({', '.join(systems)})" for number, systems in counts.items())
        yield f"samples of each item, averaged: {', '.join(parts)}."


def _settings(view: View) -> str:
    """Resamples and how they were drawn, strata, seed, alpha, correction and family."""
    drawn = sorted({p.n_resamples for p in view.pairs if p.n_resamples is not None})
    if not view.pairs and any("bootstrap" in score.ci_method for score in view.result.scores):
        drawn = [view.result.provenance.n_resamples]
    engine, strata = view.result.provenance.engine, view.result.provenance.strata
    said = [f"{' or '.join(map(str, drawn))} resamples, engine {clean(engine)}"] if drawn else []
    said += [f"bootstrap within strata ({clean(strata)})"] if strata else []
    said += [f"seed {view.result.seed}", f"alpha {view.result.alpha:g}"]
    over, joint = inflect(view.family, "p-value"), describe_coverage(view.correction, view.family)
    if view.pairs and view.correction == "none":
        said.append(f"no correction over {over}{joint}")
    elif view.pairs:
        said.append(f"correction: {correction_label(view.correction)} over {over}{joint}")
    return "; ".join(said)


def _intervals(view: View) -> Iterator[str]:
    """How the intervals were made."""
    made = (
        ("scores", [s.ci_method for s in view.result.scores]),
        ("gains", [p.ci_method for p in view.pairs]),
    )
    parts = [f"{what} {', '.join(names)}" for what, methods in made if (names := _distinct(methods))]
    if parts:
        yield f"{level(view.result.alpha)} intervals: {'; '.join(parts)}."


def _floors(view: View) -> Iterator[str]:
    """Pairs that could not have come out significant at all; counted where those of one metric and floor are many."""
    alpha = view.result.alpha
    found: dict[tuple[str, str], list[str]] = {}
    for pair in view.pairs:
        if pair.p_min is not None and pair.p_min > alpha:
            found.setdefault((pair.metric, p_text(pair.p_min, alpha)), []).append(view.name_of(pair))
    for (metric, floor), names in found.items():
        who = ", ".join(names) if len(names) <= _MOST_NAMES else inflect(len(names), "pair")
        yield f"Smallest attainable p of {who} under {view.label(metric)}: {floor}; alpha is out of reach."


def _signatures(view: View) -> Iterator[str]:
    for metric in view.metrics:
        found = _distinct(s.signature for s in view.result.scores if s.metric == metric)
        if found and found != [clean(metric)]:  # a name says all where all options are their defaults
            yield f"Signature of {view.label(metric)}: {'; '.join(found)}"


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(clean(t) for t in texts if t.strip()))


def _sentence(text: str) -> str:
    """``text`` with a full stop, unless it ends in one."""
    text = clean(text).strip()
    return text if not text or text[-1] in ".?!" else f"{text}."


def join_remedy(text: str, remedy: str) -> str:
    """Join a note's text and its remedy, as sentences."""
    remedy = _sentence(remedy)
    return f"{_sentence(text)} {remedy[:1].upper()}{remedy[1:]}".strip()
