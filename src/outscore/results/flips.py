"""The items that decide: where two systems differ most, with both outputs and what differs in them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache, partial
from itertools import takewhile
from typing import Any

from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer
from outscore.results.details import DECIDING, Details, ItemGain, ItemText
from outscore.results.pairs import Pair

Piece = tuple[str, bool]
"""Words of a text, and whether the other text lacks them."""

_BARE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff\U00020000-\U0003ffff"
"""Characters of scripts that put no blanks between words."""
EVERY_FLIP = 1 << 62
"""So many flips are all that there are."""
_MOST_NAMED = 3
"""Items that the verdict names."""
_MOST_TOLD = 3
"""Pairs of which it says on how many items they differ."""
_WORDS = rf"[{_BARE}]|[^\s{_BARE}]+"  # compiled where it is used, which takes longer than all other patterns do


@dataclass(frozen=True, kw_only=True)
class Flip(ItemGain):
    """An item on which a system and its baseline differ.

    Attributes:
        system, baseline, metric: the pair.
        item: its id; ``labels``: what describes it, such as its document.
        influence: what the item adds to the gain, see ``ItemGain``: positive speaks for the system.
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


def choose_flips(details: Details, n: int, pairs: Sequence[Pair]) -> Iterator[Flip]:
    """So many items of each pair that differ most, as many that speak for its difference, which come first, as against
    it while there are such."""
    gained = {(pair.metric, pair.system, pair.baseline): pair.gain for pair in pairs}
    order = {pair: number for number, pair in enumerate(gained)}
    texts = {text.item: text for text in details.texts}
    by_pair: dict[tuple[str, str, str], list[ItemGain]] = {}
    for gain in details.items:
        by_pair.setdefault((gain.metric, gain.system, gain.baseline), []).append(gain)
    for pair, gains in sorted(by_pair.items(), key=lambda one: order.get(one[0], len(order))):
        better = sorted((g for g in gains if g.influence > 0), key=lambda g: -g.influence)
        worse = sorted((g for g in gains if g.influence < 0), key=lambda g: g.influence)
        one, other = (worse, better) if gained.get(pair, 0.0) < 0 else (better, worse)
        taken = max((n + 1) // 2, n - len(other))
        for gain in (*one[:taken], *other[: n - min(taken, len(one))]):
            yield _join(gain, texts.get(gain.item))


def _join(gain: ItemGain, text: ItemText | None) -> Flip:
    return Flip(
        **vars(gain),
        labels=text.labels if text else {},
        references=text.references if text else (),
        baseline_output=text.outputs.get(gain.baseline) if text else None,
        system_output=text.outputs.get(gain.system) if text else None,
    )


@lru_cache(maxsize=64)
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


def describe_flips(pairs: Sequence[Pair], flips: Sequence[Flip], w: Writer) -> Iterator[str]:
    """``new is ahead of base on 10 items and behind on 9; most of the difference comes from items 1, 5.``

    Of a few pairs of one metric, each in a sentence.
    """
    if len(pairs) > _MOST_TOLD or len({pair.metric for pair in pairs}) > 1:
        return
    for pair in pairs:
        of_pair = [flip for flip in flips if (flip.system, flip.baseline) == (pair.system, pair.baseline)]
        yield from _describe(pair, of_pair, w, alone=len(pairs) == 1)


def _describe(pair: Pair, flips: Sequence[Flip], w: Writer, *, alone: bool) -> Iterator[str]:
    """Why one pair differs; where there are others, items are said with their pair or not at all."""
    found, counts = pair.counts, ""
    if found is not None:
        ahead = f"{w.name(pair.system)} is ahead of {w.name(pair.baseline)} on {w.count(found.wins, 'item')}"
        counts = f"{ahead} and behind on {found.losses:,}"
        (size, *more) = {abs(flip.influence) for flip in flips} or {0.0}
        if_all_alike = size * abs(found.wins - found.losses)  # those that are not shown, too
        if size and not more and math.isclose(abs(pair.gain), if_all_alike, abs_tol=size / 1e6):
            yield f"{counts}, all of the same weight."
            return
    said = _weigh(pair, flips, w) if alone or counts else ""
    if counts:
        yield f"{counts}; {said}." if said else f"{counts}."
    elif said:
        yield f"{said[:1].upper()}{said[1:]}."


def _weigh(pair: Pair, flips: Sequence[Flip], w: Writer) -> str:
    """Whether a few of the items, without those that speak against them, make the difference or most of it."""
    with_it = [flip for flip in flips if flip.influence * pair.gain > 0]
    if not with_it:
        return ""
    ways = ((1.0, "without ", " there would be no difference"), (0.5, "most of the difference comes from ", ""))
    for least, before, behind in ways:
        for few in range(1, min(_MOST_NAMED, len(with_it)) + 1):
            if sum(flip.influence for flip in with_it[:few]) / pair.gain >= least:
                named = ", ".join(w.name(flip.item) for flip in with_it[:few])
                return f"{before}{'item' if few == 1 else 'items'} {named}{behind}"
    largest = with_it[0]
    share = w.percent(largest.influence / pair.gain)
    ahead = w.name(pair.system if pair.gain > 0 else pair.baseline)
    return f"no single item decides: item {w.name(largest.item)} does most for {ahead}, {share} of the difference"


def table_of_flips(flips: Sequence[Flip], pairs: Iterable[Pair], w: Writer, *, asked: bool, apart: bool) -> Any:
    """The items with both outputs side by side; ``[-words-]`` of the baseline, ``{+words+}`` of the system differ.

    Args:
        flips: as they are chosen.
        pairs: of them; their counts say how many there are.
        w: writes them.
        asked: they were asked for, and stand on the first screen.
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
    over = f" over {w.name(pair.baseline)}" if more and not apart else ""
    columns = (
        *names,
        "item",
        *(scores if scored else ()),
        "influence",
        *(_text_columns(flips, heads, w) if texts else ()),
    )
    return w.table(
        DECIDING, flips, columns, asked="--show-flips" * asked, naming=1 + len(names),
        footnotes=(
            f"Influence: how much the item adds to the gain{over}.",
            *_tell_choice(flips, pairs),
            *said,
        ),
    )  # fmt: skip


def _tell_choice(flips: Sequence[Flip], pairs: Iterable[Pair]) -> Iterator[str]:
    """Which items these are, where no item of either side weighs more than another."""
    if len(flips) < 2 or len({abs(flip.influence) for flip in flips}) > 1:
        return
    here = {(flip.system, flip.baseline, flip.metric) for flip in flips}
    counts = [pair.counts for pair in pairs if (pair.system, pair.baseline, pair.metric) in here]
    if sum(count.wins + count.losses for count in counts if count) == len(flips):
        yield "All weigh the same."
    else:
        yield "All weigh the same: these are the first of either side; --show-flips all shows all."


def _text_columns(flips: Sequence[Flip], heads: tuple[str, str], w: Writer) -> Iterator[Shown]:
    if any(flip.references for flip in flips):
        yield Shown(
            "reference", "prose", value=lambda flip: w.name(next(iter(flip.references), "")), spare="elsewhere",
            place=_place_in_reference,
        )  # fmt: skip
    for side, (head, marks) in enumerate(zip(heads, (("[-", "-]"), ("{+", "+}")), strict=True)):
        yield Shown(head, "prose", value=partial(_marked, side, marks, w), place=_place_of_difference)


def _marked(side: int, marks: tuple[str, str], w: Writer, flip: Flip) -> str:
    """The output of one of the two, with what the other one lacks marked."""
    return w.name(mark(flip.differing[side], *marks))


def _place_of_difference(flip: Flip) -> int:
    """Where the outputs begin to differ; what is before is the same in both."""
    same = (takewhile(lambda piece: not piece[1], pieces) for pieces in flip.differing)
    return min(sum(len(words) for words, _ in pieces) for pieces in same)


def _place_in_reference(flip: Flip) -> int:
    """Behind as much as it has in common with the system's output before that place."""
    reference, output = compare_texts(next(iter(flip.references), ""), flip.system_output or "")
    left, same, at = _place_of_difference(flip), 0, 0
    for words, differs in output:
        same += 0 if differs else min(len(words), left)
        left -= min(len(words), left)
    for words, differs in reference:
        if not differs and same <= len(words):
            return at + same
        same -= 0 if differs else len(words)
        at += len(words)
    return at
