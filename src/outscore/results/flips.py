"""The items that decide: where two systems differ most, with both outputs and what differs in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer
from outscore.results.details import DECIDING, Details, ItemGain, ItemText
from outscore.results.pairs import Pair

Piece = tuple[str, bool]
"""Words of a text, and whether the other text lacks them."""

_BARE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff\U00020000-\U0003ffff"
"""Characters of scripts that put no blanks between words."""
_MOST_NAMED = 3
"""Items on either side that the verdict names."""
_WORDS = rf"[{_BARE}]|[^\s{_BARE}]+"  # compiled where it is used, which takes longer than all other patterns do


@dataclass(frozen=True, kw_only=True)
class Flip(ItemGain):
    """An item on which a system and its baseline differ.

    Attributes:
        system, baseline, metric: the pair.
        item: its id; ``labels``: what describes it, such as its document.
        influence: the gain minus what it would be without the item, in the metric's unit: positive speaks for the
            system.
        baseline_score, system_score: of the item alone, mean over runs; None where the metric has no such scores.
        references: texts or gold labels.
        baseline_output, system_output: of the median run; None where there are only scores.
    """

    labels: Mapping[str, str]
    references: tuple[str, ...]
    baseline_output: str | None
    system_output: str | None

    @property
    def differing(self) -> tuple[list[Piece], list[Piece]]:
        """Both outputs in pieces, the baseline's first, with those that the other one lacks."""
        return compare_texts(self.baseline_output or "", self.system_output or "")


def choose_flips(details: Details, n: int) -> Iterator[Flip]:
    """So many items of each pair that decide most, as many for the system as against it while there are such."""
    texts = {text.item: text for text in details.texts}
    by_pair: dict[tuple[str, str, str], list[ItemGain]] = {}
    for gain in details.items:
        by_pair.setdefault((gain.metric, gain.system, gain.baseline), []).append(gain)
    for gains in by_pair.values():
        better = sorted((g for g in gains if g.influence > 0), key=lambda g: -g.influence)
        worse = sorted((g for g in gains if g.influence < 0), key=lambda g: g.influence)
        taken = max((n + 1) // 2, n - len(worse))
        chosen = [*better[:taken], *worse[: n - min(taken, len(better))]]
        for gain in sorted(chosen, key=lambda g: -abs(g.influence)):
            yield _join(gain, texts.get(gain.item))


def _join(gain: ItemGain, text: ItemText | None) -> Flip:
    return Flip(
        **vars(gain),
        labels=text.labels if text else {},
        references=text.references if text else (),
        baseline_output=text.outputs.get(gain.baseline) if text else None,
        system_output=text.outputs.get(gain.system) if text else None,
    )


def compare_texts(one: str, other: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces, with those that the other one lacks."""
    parts = [list(re.finditer(_WORDS, text)) for text in (one, other)]
    words = [[part.group() for part in of] for of in parts]
    steps = SequenceMatcher(a=words[0], b=words[1], autojunk=False).get_opcodes()
    found = [(kind != "equal", (a, b), (c, d)) for kind, a, b, c, d in steps]
    return (
        list(_cut(one, parts[0], [(differs, span) for differs, span, _ in found])),
        list(_cut(other, parts[1], [(differs, span) for differs, _, span in found])),
    )


def _cut(text: str, parts: Sequence[re.Match[str]], runs: Sequence[tuple[bool, tuple[int, int]]]) -> Iterator[Piece]:
    """The text in runs of words that differ or do not; what stands between two of them does not."""
    at = 0
    for differs, (first, last) in runs:
        if first < last:
            start, end = parts[first].start(), parts[last - 1].end()
            yield from [(text[at:start], False)] if at < start else []
            yield text[start:end], differs
            at = end
    yield from [(text[at:], False)] if at < len(text) else []


def mark(pieces: Sequence[Piece], before: str, behind: str) -> str:
    """A text with marks before and behind what differs."""
    return "".join(f"{before}{words}{behind}" if differs else words for words, differs in pieces)


def describe_flips(pair: Pair, flips: Sequence[Flip], w: Writer) -> Iterator[str]:
    """``new is ahead of base on 10 items and behind on 9; most is decided by 1, 5 (for it) and 45 (against it).``"""
    system, found, counts = w.name(pair.system), pair.counts, ""
    if found is not None:
        ahead = f"{system} is ahead of {w.name(pair.baseline)} on {w.count(found.wins, 'item')}"
        counts = f"{ahead} and behind on {found.losses:,}"
    sides = (("for it" if counts else f"for {system}", 1), ("against it", -1))
    by = [(of, [w.name(flip.item) for flip in flips if side * flip.influence > 0][:_MOST_NAMED]) for of, side in sides]
    most = " and ".join(f"{', '.join(names)} ({of})" for of, names in by if names)
    most = f"{'item' if sum(len(names) for _, names in by) == 1 else 'items'} {most}" if most else ""
    if counts and len(flips) > 1 and len({_difference(flip) for flip in flips} - {None}) == 1:
        yield f"{counts}, each as much as any other."  # right or wrong: those that are shown are the first
    elif counts:
        yield f"{counts}; most is decided by {most}." if most else f"{counts}."
    elif most:
        yield f"Most is decided by {most}."


def _difference(flip: Flip) -> float | None:
    """How far the scores of an item lie apart, where it has scores of its own."""
    if flip.system_score is None or flip.baseline_score is None:
        return None
    return abs(flip.system_score - flip.baseline_score)


def table_of_flips(flips: Sequence[Flip], w: Writer, *, first: bool, apart: bool) -> Any:
    """The items with both outputs side by side; ``[-words-]`` of the baseline, ``{+words+}`` of the system differ.

    Args:
        flips: as they are chosen.
        w: writes them.
        first: they were asked for, and stand on the first screen.
        apart: pairs have other baselines.
    """
    (pair, *more) = {(flip.system, flip.baseline): flip for flip in flips}.values()
    names = ("system", *(("baseline",) if apart else ())) if more else ()
    texts = any(flip.system_output is not None for flip in flips)
    heads = ("output of the baseline", "output of the system") if more else (w.name(pair.baseline), w.name(pair.system))
    scored = not more and all(flip.system_score is not None for flip in flips)
    score, value = "score of " if texts else "", (lambda flip: flip.baseline_score, lambda flip: flip.system_score)
    scores = tuple(Shown(f"{score}{head}", "score", value=of) for head, of in zip(heads, value, strict=True))
    said = ("[-words-] that the system lacks, {+words+} that the baseline lacks.",) if texts else ()
    columns = (
        *names,
        "item",
        *(scores if scored else ()),
        "influence",
        *(_text_columns(flips, heads, w) if texts else ()),
    )
    return w.table(
        DECIDING, flips, columns, first=first, naming=1 + len(names),
        footnotes=("Influence: how much the item adds to the gain.", *said),
    )  # fmt: skip


def _text_columns(flips: Sequence[Flip], heads: tuple[str, str], w: Writer) -> Iterator[Shown]:
    if any(flip.references for flip in flips):
        yield Shown("reference", "prose", value=lambda flip: w.name(next(iter(flip.references), "")), spare="elsewhere")
    yield Shown(heads[0], "prose", value=lambda flip: w.name(mark(flip.differing[0], "[-", "-]")))
    yield Shown(heads[1], "prose", value=lambda flip: w.name(mark(flip.differing[1], "{+", "+}")))
