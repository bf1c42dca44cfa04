"""TER (Snover et al. 2006): sacrebleu's words, limits and counts; its edits, found faster.

Edits are counted when blocks of words may be shifted. The counts are sacrebleu's, limits and preferences included, but
found by other means: edit distances of all shifts at once tell which are worth aligning, and both are made of rows of
bits (Hyyrö 2003).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar, NamedTuple

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.base.limits import check_words
from outscore.metrics import metric, safe_ratio
from outscore.metrics.shared.sacre import SacreMetric

# limits of tercom (Snover) and of sacrebleu
_BLOCK = 10  # words of a block
_DISTANCE = 50  # words between a block and its match
_TRIED = 1000  # shifts; the round that reaches it makes none
_BEAM = 25  # words on each side of the diagonal of the edit matrix

_HELD = 1 << 20  # bytes of what matches in shifted texts, held at once


def count_shifted_edits(output: Sequence[str], reference: Sequence[str]) -> int:
    """Shifts of blocks, and insertions, deletions and substitutions of words, that make the output the reference.

    As long as it saves edits, the shift that saves most is made, within the limits above.
    """
    if not reference:
        return len(output)
    # one character for each word: what is read fastest; words that match nothing need no difference
    letters = {word: chr(i) for i, word in enumerate(dict.fromkeys(reference), 1)}
    text = "".join([letters.get(word, "\0") for word in output])
    search = _Search.of("".join([letters[word] for word in reference]), len(text))
    alignment = search.align(text)
    # shifts add no words, so what a bag of words lacks remains
    least = max(len(output), len(reference)) - sum([min(text.count(c), len(at)) for c, at in search.places.items()])
    made = tried = 0
    while alignment.edits > least:
        shifts = list(islice(search.shifts(text, alignment), _TRIED - tried))
        tried += len(shifts)
        if tried == _TRIED:
            break
        best = search.find_best(shifts, text, alignment.edits - 1)
        if best is None:
            break
        made += 1
        _, _, text, alignment = best
    return made + alignment.edits


class _Alignment(NamedTuple):
    """One way to edit a text into the reference.

    Attributes:
        edits: insertions, deletions and substitutions.
        used: ``(reference + 1,)``, the words of the text used up with each word of the reference; 0 before the first.
        wrong: ``(text + 1,)``, the next word of the text, from each on, that is deleted or substituted.
        missed: ``(reference + 1,)``, the next word of the reference, from each on, that is inserted or substituted.
    """

    edits: int
    used: list[int]
    wrong: list[int]
    missed: list[int]


_Shift = tuple[int, int, int]
"""Minus the length of a block, its start, its target; the order is that of preference: longer ones, then earlier."""


def _apply(shift: _Shift, text: str) -> str:
    minus_length, start, target = shift
    end = start - minus_length
    if target < start:
        return text[:target] + text[start:end] + text[target:start] + text[end:]
    if target <= end:  # from within the block, the target counts from where the block ends
        target += end - start
    return text[:start] + text[end:target] + text[start:end] + text[target:]


class _Row(NamedTuple):
    """Which cells of a row of the edit matrix are in the beam; bit ``j - 1`` stands for ``j`` reference words.

    Attributes:
        first: the first cell.
        inside: all from the first on.
        matching: those whose diagonal neighbour is in the beam.
        free: those inside that are not held.
        held: the first, if the cell above is the first of its row: it can only be a deletion.
        after: those that can only be insertions.
        beyond: those behind the beam.
        before: all others.
    """

    first: int
    inside: int
    matching: int
    free: int
    held: int
    after: int
    beyond: int
    before: int


@dataclass(frozen=True)
class _Search:
    """The tables needed to align texts of one length with one reference.

    Attributes:
        places: where each letter of the reference stands.
        bits: the same as bits of an integer; ``table``, as bytes of the letters in their order, which begins at 1.
        beam: the rows of the edit matrix.
    """

    reference: str
    places: Mapping[str, list[int]]
    bits: Mapping[str, int]
    table: np.ndarray[Any, np.dtype[np.uint8]]
    beam: Sequence[_Row]

    @classmethod
    def of(cls, reference: str, length: int) -> _Search:
        places: dict[str, list[int]] = {}
        for j, letter in enumerate(reference):
            places.setdefault(letter, []).append(j)
        bits = {letter: sum([1 << j for j in at]) for letter, at in places.items()}
        size = (len(reference) + 9) // 8
        rows = b"".join([of.to_bytes(size, "little") for of in (0, *bits.values())])
        table = np.frombuffer(rows, np.uint8).reshape(-1, size)
        return cls(reference, places, bits, table, _beam(length, len(reference)))

    def align(self, text: str) -> _Alignment:
        """The alignment with fewest edits; of several, from the end: match or substitution, deletion, insertion."""
        bits, rows = self.bits, []
        # one bit for each cell that is one more (less) than its left neighbour; all are, above the first word
        more, less = (1 << len(self.reference)) - 1, 0
        for letter, (first, inside, matching, free, held, after, beyond, before) in zip(text, self.beam, strict=True):
            match = bits.get(letter, 0) & matching
            more &= free
            less = less & inside | held
            level = (((match & more) + more) ^ more | match | less) & inside  # equal to the diagonal neighbour
            above_less = less | inside ^ (level | more)
            rows.append((level ^ match | after, above_less))
            step = above_less << 1 | first
            more = ((level & more) << 1 | ~(level | step)) & inside | beyond
            less = step & level & before
        return self._trace(text, rows)

    def distances(self, texts: Sequence[str]) -> list[int]:
        """Edits of texts of one length without a beam: rows stand side by side, two bits apart for carries."""
        n, size, read = len(texts[0]), self.table.shape[1], int.from_bytes
        width, half = size * len(texts), len(texts) // 2
        if half and n * width > _HELD:
            return self.distances(texts[:half]) + self.distances(texts[half:])
        letters = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), "<u4").reshape(-1, n)
        matches = self.table[letters.T].tobytes()
        first = read((b"\1" + bytes(size - 1)) * len(texts), "little")
        more = inside = first * ((1 << len(self.reference)) - 1)
        less, every = 0, inside << 1 | first
        for at in range(0, n * width, width):
            match = read(matches[at : at + width], "little")
            level = (match & more) + more ^ more | match | less
            step = ((level | more) ^ less) << 1 ^ every
            less, more = step & level, ((level & more) << 1 | ~(level | step)) & inside
        signs = [row.to_bytes(width, "little") for row in (more, less & inside)]
        counts = [[read(row[i : i + size]).bit_count() for i in range(0, width, size)] for row in signs]
        return [n + above - below for above, below in zip(*counts, strict=True)]

    def _trace(self, text: str, rows: Sequence[tuple[int, int]]) -> _Alignment:
        """Follows the rows of ``(insertion or deletion, deletion)`` back from the end."""
        reference = self.reference
        i, j = len(text), len(reference)
        used, wrong, missed = [0] * (j + 1), list(range(i + 1)), list(range(j + 1))
        edits, next_wrong, next_missed = 0, i, j
        while i and j:
            gap, deletion = rows[i - 1]
            bit = 1 << (j - 1)
            if not gap & bit:
                used[j] = i
                i, j = i - 1, j - 1
                if text[i] != reference[j]:
                    edits, next_wrong, next_missed = edits + 1, i, j
                wrong[i], missed[j] = next_wrong, next_missed
            elif deletion & bit:
                i -= 1
                edits, next_wrong = edits + 1, i
            else:
                used[j] = i
                j -= 1
                edits, next_missed = edits + 1, j
        return _Alignment(edits + i + j, used, wrong, missed)

    def shifts(self, text: str, alignment: _Alignment) -> Iterator[_Shift]:
        """The shifts to try: blocks with an error, to where the same words of the reference were missed."""
        reference, places = self.reference, self.places
        _, used, wrong, missed = alignment
        for start, letter in enumerate(text):
            begin, room = wrong[start] - start, min(_BLOCK, len(text) - start)
            if begin >= room:
                continue
            for place in places.get(letter, ()):
                aligned = used[place + 1] - 1
                if aligned == start or abs(place - start) > _DISTANCE:
                    continue
                shortest = max(begin, missed[place] - place) + 1
                longest = min(room, len(reference) - place)
                if aligned > start:  # a block does not move into itself
                    longest = min(longest, aligned - start)
                if shortest > longest:
                    continue
                same = 1
                while same < longest and text[start + same] == reference[place + same]:
                    same += 1
                for length in range(shortest, same + 1):
                    for target in dict.fromkeys(used[place : place + length + 1]):
                        yield -length, start, target

    def find_best(self, shifts: Sequence[_Shift], text: str, most: int) -> tuple[int, _Shift, str, _Alignment] | None:
        """The preferred one of the shifts after which fewest edits remain, unless these are more than ``most``.

        Returns:
            The edits, the shift, the shifted text, and its alignment.
        """
        if not shifts:
            return None
        texts = [_apply(shift, text) for shift in shifts]
        least = self.distances(texts)
        best: tuple[int, _Shift, str, _Alignment] | None = None
        # the beam may find more edits than the distance but never fewer: most often the first one is the best
        for bound, shift, shifted in sorted(one for one in zip(least, shifts, texts, strict=True) if one[0] <= most):
            if best is not None and best[:2] <= (bound, shift):
                break
            alignment = self.align(shifted)
            if best is None or (alignment.edits, shift) < best[:2]:
                best = alignment.edits, shift, shifted, alignment
        return None if best is None or best[0] > most else best


def _beam(length: int, reference_length: int) -> list[_Row]:
    """The rows of the edit matrix of a text of this length."""
    ratio = reference_length / max(length, 1)
    width = math.ceil(ratio / 2 + _BEAM) if ratio / 2 > _BEAM else _BEAM
    every = (1 << reference_length) - 1
    whole = _Row(1, every, every, every, 0, 0, 0, every)
    rows = []
    low_above, high_above = 0, reference_length + 1
    for i in range(1, length + 1):
        diagonal = math.floor(i * ratio)
        low = max(0, diagonal - width)
        high = reference_length + 1 if i == length else min(reference_length + 1, diagonal + width)
        if not low and min(high_above, high) > reference_length:
            rows.append(whole)
            continue
        first = 1 << max(low - 1, 0)
        inside = every & -first
        held = first if low == low_above > 0 else 0
        after = every >> high_above << high_above
        free, beyond = inside & ~held, every >> (high - 1) << (high - 1)
        rows.append(_Row(first, inside, free & ~after, free, held, after, beyond, every ^ beyond))
        low_above, high_above = low, high
    return rows


@metric("ter")
@dataclass(frozen=True)
class Ter(SacreMetric):
    """Edits (with block shifts) for each 100 reference words; lower is better.

    Statistics per segment: ``[edits to the nearest reference, mean reference length]``.

    Args:
        normalized: tercom's normalisation of the text.
        no_punct: leave punctuation out.
        asian_support: treat Asian characters one by one.
        case_sensitive: keep case.
    """

    also: ClassVar[tuple[str, ...]] = ("translation_edit_rate",)
    unit: ClassVar[str] = "TER 0-100"
    limits: ClassVar[tuple[float, float] | None] = (0.0, math.inf)
    citation: ClassVar[str] = "Snover et al. 2006, A Study of Translation Edit Rate"
    example: ClassVar[str] = "ter:normalized=true"

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    @property
    def higher_is_better(self) -> bool:
        return False

    def reference_implementation(self) -> Any:
        from sacrebleu.metrics.ter import TER

        return TER(
            normalized=self.normalized,
            no_punct=self.no_punct,
            asian_support=self.asian_support,
            case_sensitive=self.case_sensitive,
        )

    def score(self, sums: Float) -> Float:
        edits, length = sums[..., 0], sums[..., 1]
        # sacrebleu's rule for empty references: 0 when the output is empty too, else 1
        without_reference = np.where(edits > 0, 1.0, 0.0)
        score: Float = 100.0 * np.where(length > 0, safe_ratio(edits, length), without_reference)
        return score

    def ratio(self) -> tuple[Float, Float, float]:
        return np.array([1.0, 0.0]), np.array([0.0, 1.0]), 100.0

    def _count_segment(self, theirs: Any, output: str, references: Any) -> Sequence[float]:
        words, streams = output.split(), references["ref_words"]
        check_words(len(words), max(map(len, streams)))
        return [min(count_shifted_edits(words, r) for r in streams), sum(len(r) for r in streams) / len(streams)]
