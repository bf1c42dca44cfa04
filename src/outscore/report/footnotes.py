"""The lines under the main table: what was tested, on what, with what; then every note with its remedy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from outscore.base.errors import counted
from outscore.report.model import Footnote
from outscore.report.numbers import level, p_text
from outscore.report.text import clean, superscript
from outscore.report.view import View, correction_label, test_label


def footnotes(view: View, *, marks: str, bold: bool) -> tuple[Footnote, ...]:
    """All footnotes of the main table.

    Args:
        view: the result.
        marks: the daggers that the table shows; only these are explained.
        bold: whether the table shows a best score in bold.
    """
    return tuple(_footnotes(view, marks, bold))


def _footnotes(view: View, marks: str, bold: bool) -> Iterator[Footnote]:
    alpha = view.result.alpha
    for mark, threshold in (("†", alpha), ("‡", alpha / 5)):
        if mark in marks:
            yield Footnote(mark=mark, text=f"{view.p_header} ≤ {threshold:g} against the baseline.")
    if bold:
        text = "Bold: best score of its metric; only differences from the baseline were tested."
        yield Footnote(text=text, about="bold")
    if view.pairs:
        yield Footnote(text="Gain: system minus baseline, signed so that positive is better.")
    yield from (Footnote(text=line) for line in _tests(view))
    yield Footnote(text=f"{_size(view)}; {_settings(view)}.")
    yield from (Footnote(text=line) for line in _intervals(view))
    yield from (Footnote(text=line) for line in _floors(view))
    for signature in _signatures(view):
        yield Footnote(text=signature)
    for note in sorted(view.result.notes, key=lambda note: view.note_numbers.get(note.code, 0)):
        number = view.note_numbers.get(note.code)
        said = _joined(note.text, note.remedy)
        yield Footnote(text=f"Note: {said}") if number is None else Footnote(mark=superscript((number,)), text=said)


def _tests(view: View) -> Iterator[str]:
    """Each test once, with its null hypothesis; its question too where other answers stand beside it."""
    pairs = view.pairs
    also = any(pair.also for pair in pairs)
    for label, alternative, null, question in dict.fromkeys(
        (test_label(p.test, p.p_kind), p.alternative, p.null, p.question) for p in pairs
    ):
        asked = f" Question: {_sentence(question)}" if also and question.strip() else ""
        yield f"Test: {label}; {clean(alternative)}.{asked} Null hypothesis: {_sentence(null)}"


def _size(view: View) -> str:
    """Items, by metric where they differ, with clusters and drops."""
    provenance = view.result.provenance
    counts: dict[int, list[str]] = {}
    for score in view.result.scores:
        counts.setdefault(score.n_items, []).append(view.label(score.metric))
    if len(counts) == 1:
        text = counted(next(iter(counts)), "item")
    else:
        parts = (f"{counted(n, 'item')} ({', '.join(dict.fromkeys(who))})" for n, who in counts.items())
        text = ", ".join(parts)
    if provenance.n_clusters is not None:
        text += f" in {counted(provenance.n_clusters, 'cluster')}"
        text += f" ({clean(provenance.cluster)})" if provenance.cluster else ""
    if provenance.dropped:
        text += f", {len(provenance.dropped)} of {provenance.n_items_read} dropped"
    return text


def _settings(view: View) -> str:
    """Resamples, seed, alpha, correction and family."""
    drawn = sorted({p.n_resamples for p in view.pairs if p.n_resamples is not None})
    if not view.pairs and any("bootstrap" in score.ci_method for score in view.result.scores):
        drawn = [view.result.provenance.n_resamples]
    said = [f"{' or '.join(map(str, drawn))} resamples"] if drawn else []
    said += [f"seed {view.result.seed}", f"alpha {view.result.alpha:g}"]
    over = counted(view.family, "p-value")
    if view.pairs and view.correction == "none":
        said.append(f"no correction over {over}")
    elif view.pairs:
        said.append(f"correction: {correction_label(view.correction)} over {over}")
    return "; ".join(said)


def _intervals(view: View) -> Iterator[str]:
    """How the intervals were made."""
    made = (
        ("scores", [s.ci_method for s in view.result.scores] + [d.ci_method for d in view.domain_scores]),
        ("gains", [p.ci_method for p in view.pairs]),
    )
    parts = [f"{what} {', '.join(names)}" for what, methods in made if (names := _distinct(methods))]
    if parts:
        yield f"{level(view.result.alpha)} intervals: {'; '.join(parts)}."


def _floors(view: View) -> Iterator[str]:
    """Pairs that could not have come out significant at all."""
    alpha = view.result.alpha
    for pair in view.pairs:
        if pair.p_min is not None and pair.p_min > alpha:
            who = f"{clean(pair.system)} under {view.label(pair.metric)}"
            yield f"Smallest attainable p of {who}: {p_text(pair.p_min, alpha)}; alpha is out of reach."


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


def _joined(text: str, remedy: str) -> str:
    remedy = _sentence(remedy)
    return f"{_sentence(text)} {remedy[:1].upper()}{remedy[1:]}".strip()
