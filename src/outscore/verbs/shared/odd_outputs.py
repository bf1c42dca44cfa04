"""Outputs that may not be those of their items: many that are empty, that belong to other lines, or references."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import accumulate, pairwise

from outscore.base.errors import inflect, join
from outscore.base.items import MISSING, Absent
from outscore.base.notation import TEXT
from outscore.base.notes import Note
from outscore.data.columns import number
from outscore.data.dataset import Dataset
from outscore.metrics import Metric
from outscore.verbs.shared.reading import some_read_gold

_MANY = 0.01
"""Share of empty outputs from which on, with two at least, they are said."""
_NONE = {*MISSING, "-", "--"}
_MOST = 3
"""Systems that a note names."""

_GOLD = "gold|label|answer|(ground[._-]?)?truth"
_NAMED = re.compile(rf"(ref|reference|src|source|target|{_GOLD})s?([._-]?[a-z0-9])?")
_ALIKE = 20
"""Items from which on outputs equal to the references are hardly those of a system."""

_FARTHEST = 3
_BLOCKS = 10
_LINES = 20
_FEWEST_LINES = 10
_FEWEST_WORDS = 4
"""A line of fewer has too much in common with another, or nothing."""
_TIMES, _MORE = 2.0, 0.15
"""How much more a block has in common with other lines: so many times, and by so much."""
_AGREE = 0.9
"""Share of the lines of a block that must say it, too."""
_SPREAD = 40
_MOSTLY, _COPIED = 0.8, 0.95
_ALONE = 1.5
"""How much more lines of a file in disorder have in common with one reference than with the next best, and how much
more others have with their own than with that of another line."""
_LONG_WORD = 12
"""Mean length of words from which on a script has no blanks: pairs of letters stand for them."""
_HAN, _KANA = re.compile("[\u3400-\u9fff]"), re.compile("[\u3040-\u30ff]")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
"""Kana, Chinese characters, and letters of Thai, Lao, Burmese and Khmer."""
_OF_WORDS, _WORD_METRICS = ("13a", "intl", "none"), ("wer", "ter", "rouge1", "rouge2", "rougel")
_SEPARATED = 6
"""Mean length of what stands between blanks up to which these are words in such scripts, too."""
_LOOKED_AT = 200
"""References that tell the script."""
_STOPS, _APART = 20, 0.9
"""Full stops at ends of lines, and the share of them that stand apart in tokenized text."""

Words = Callable[[int], frozenset[str]]
"""The words of a line."""


def note_odd_outputs(metrics: Sequence[Metric], data: Dataset) -> tuple[Note, ...]:
    """Notes on systems that may be references, and on texts that some system lacks or has at another place."""
    found, outputs = _note_names(data), any(layer.outputs is not None for layer in data.all_runs)
    if outputs and data.references and data.notation == TEXT:
        found = (*_note_empty(data), *_note_misaligned(data), *found, *_note_numbers(data))
        if any(getattr(metric, "tokenize", "") == "13a" for metric in metrics):
            found = (*found, *_note_tokenized(data))
        found = (*found, *_note_unspaced(metrics, data))
    return found if found and (not data.references or some_read_gold(metrics, data)) else ()


def _note_names(data: Dataset) -> tuple[Note, ...]:
    """A note on systems called like references or sources, or equal to them: with -r they may have changed places."""
    named = _NAMED if data.references else re.compile(f"({_GOLD})s?")
    called = [system for system in data.systems if named.fullmatch(system.lower())]
    gold = [tuple(stream) for stream in data.references if len(stream) >= _ALIKE and len({*stream}) > 1]
    same = {system: None for (system, _), layer in data.by_run.items() if gold and tuple(layer.outputs or ()) in gold}
    said = [f"equal to the references on every item: {join(same)}"] * bool(same)
    said += [f"scored as a system, though called like references or sources: {join(called)}"] * bool(called)
    remedy = "check that the files of references and outputs did not change places"
    remedy = remedy if data.references else "if it holds the gold labels, give it by -r, in Python references="
    return (Note(code="called_reference", text="; ".join(said), remedy=remedy),) if said else ()


def _note_numbers(data: Dataset) -> tuple[Note, ...]:
    """A note on systems that answer with numbers alone where most references are none: these may be scores."""
    outputs = {system: layer.outputs or ("",) for (system, _), layer in data.by_run.items()}
    found = [system for system, texts in outputs.items() if all(map(_is_number, texts))]
    if not found or 2 * sum(map(_is_number, data.references[0])) >= len(data.items):
        return ()
    text = f"the numbers of {join(found, _MOST)} are taken for texts, not for scores"
    return (Note(code="numbers_as_labels", text=text, remedy="leave the references out to compare them as scores"),)


def _note_tokenized(data: Dataset) -> tuple[Note, ...]:
    """A note on texts that look as if they had been tokenized before, by what ends most of their lines."""
    texts = {"references": data.references[0]} | {s: of.outputs or () for (s, _), of in data.by_run.items()}
    stops = {name: [line[-2:-1] == " " for line in lines if line[-1:] == "."] for name, lines in texts.items()}
    found = [name for name, apart in stops.items() if sum(apart) >= max(_STOPS, _APART * len(apart))]
    if not found:
        return ()
    return (
        Note(
            code="tokenized_texts",
            text=f"the texts of {join(found, _MOST)} look tokenized, most lines end in ' .': BLEU tokenizes them again",
            remedy="give plain texts, or say -m bleu:tokenize=none",
        ),
    )


def _note_unspaced(metrics: Sequence[Metric], data: Dataset) -> tuple[Note, ...]:
    """A note on references without blanks between words, of which metrics of words take a line for one or two."""
    names = [m.name for m in metrics if getattr(m, "tokenize", "") in _OF_WORDS or m.name in _WORD_METRICS]
    gold = data.references[0] if names else ()
    text = " ".join(gold[:: max(1, len(gold) // _LOOKED_AT)])
    if not names or 2 * len(_UNSPACED.findall(text)) < len(text) or len(text) <= _SEPARATED * len(text.split()):
        return ()
    tokens = "ja-mecab" if _KANA.search(text) else "zh" if _HAN.search(text) else "char"
    said = f"-m bleu:tokenize={tokens}" if "bleu" in names else "-m cer" if "wer" in names else "-m chrf"
    return (
        Note(
            code="no_blanks",
            text=f"the references have no blanks between words, and {join(names)} takes what blanks separate for words",
            remedy=f"say {said}" + ("" if said == "-m chrf" else ", or -m chrf, which counts characters"),
        ),
    )


def _is_number(text: str) -> bool:
    return any(map(str.isdigit, text)) and number(text) is not None


def _note_empty(data: Dataset) -> tuple[Note, ...]:
    """A note on outputs that are empty, or a mark of none, as where generation failed, if a system has some of them."""
    of: dict[str, int] = dict.fromkeys(data.systems, 0)
    empty: list[tuple[str, int, str]] = []
    none = _NONE - {text.strip().lower() for stream in data.references for text in stream} | {""}
    for (system, _), layers in data.layers.items():
        for outputs in (layer.outputs or () for layer in layers):
            of[system] += len(outputs)
            marks = {t: t.strip() for t in {*outputs} if t.strip().lower() in none}
            gone = [(i, marks[t]) for i, t in enumerate(outputs) if t in marks and not isinstance(t, Absent)]
            empty += [(system, i, mark) for i, mark in gone]
    bare = set(data.items_without_gold(labels=True)) if empty else ()
    counts = Counter(system for system, i, _ in empty if i not in bare)
    many = {system: n for system, n in counts.most_common() if n >= max(2, _MANY * of[system])}
    said = [f"{n} of {of[system]} of {system!r}" for system, n in many.items()]
    if not said:
        return ()
    more = f", and some of {inflect(len(said) - _MOST, 'more system')}" if len(said) > _MOST else ""
    marked = sorted({mark for system, i, mark in empty if system in many and i not in bare})
    how = " or ".join(repr(mark) if mark else "empty" for mark in marked)
    return (
        Note(
            code="many_empty",
            text=f"outputs are {how} where the references are not: {', '.join(said[:_MOST])}{more}",
            remedy="check that they are answers and no failures of a run: each counts as a bad answer",
        ),
    )


def _note_misaligned(data: Dataset) -> tuple[Note, ...]:
    """A note on systems whose outputs match references a few lines away much better than their own, if there are any.

    So it is where a line was lost or added before them.
    """
    data = data.in_file_order()
    gold, n = data.references[0], len(data.items)
    split = _splitter(gold[:: max(1, n // _LINES)])
    theirs, said = _words_of(gold, split), []
    for (system, run), layer in data.by_run.items():
        ours = _words_of(layer.outputs or (), split)
        if not layer.outputs:
            continue
        named = f"{system!r}{f' (run {run!r})' if len(data.runs[system]) > 1 else ''}"
        word = "line" if data.by_position else "item"
        if by := _find_shift(ours, theirs, n):
            where = f"{inflect(abs(by), word)} {'later' if by > 0 else 'earlier'}"
            first, last = (f"{word} {data.items[i]}" for i in _ends(ours, theirs, by, n))
            end = "on" if last == f"{word} {data.items[-1]}" else f"to {last}"
            said.append(
                f"the outputs of {named} match the references {where} better than their own, from {first} {end}"
            )
        elif _is_disordered(ours, theirs, n):
            said.append(f"the outputs of {named} match the references of other {word}s better than their own, all over")
    if not said:
        return ()
    more = f"; so do those of {len(said) - _MOST} more" if len(said) > _MOST else ""
    return (
        Note(
            code="misaligned",
            text="; ".join(said[:_MOST]) + more,
            remedy="check that no line was lost or added, and give the outputs of the same items in the same order",
        ),
    )


def _find_shift(ours: Words, theirs: Words, n: int) -> int:
    """How many lines later the references of a part of the lines stand; earlier where it is negative, 0 for nowhere.

    Seen are blocks of lines spread over the file. Two must say the same and none the contrary; of a file so short that
    there is one, that one.
    """
    count = min(_BLOCKS, n // _FEWEST_LINES)
    size = min(_LINES, n // max(1, count))
    starts = (k * (n - size) // max(1, count - 1) for k in range(count))
    found = [by for start in starts if (by := _shift_of(ours, theirs, range(start, start + size), n))]
    best = max(found, key=found.count, default=0)
    return best if found.count(best) >= min(2, count) and all(best * by > 0 for by in found) else 0


def _shift_of(ours: Words, theirs: Words, block: range, n: int) -> int:
    """How many lines later the references of one block stand; 0 where they may be at their place.

    Lines whose reference stands twice in it say nothing.
    """
    times = Counter(map(theirs, block))
    lines = [i for i in block if len(ours(i)) >= _FEWEST_WORDS and times[theirs(i)] == 1]
    if 2 * len(lines) < len(block):
        return 0
    here = {i: _overlap(ours(i), theirs(i)) for i in lines}
    best, most = 0, 0.0
    for by in (*range(-_FARTHEST, 0), *range(1, _FARTHEST + 1)):
        there = {i: _overlap(ours(i), theirs(i + by)) for i in lines if 0 <= i + by < n}
        mean, own = sum(there.values()) / len(there), sum(here[i] for i in there) / len(there)
        agree = sum(value > here[i] for i, value in there.items())
        if mean > max(_TIMES * own, own + _MORE, most) and agree >= _AGREE * len(there):
            best, most = by, mean
    return best


def _ends(ours: Words, theirs: Words, by: int, n: int) -> tuple[int, int]:
    """Positions of the first and the last line of the part in which the others match better."""
    gains = [
        _overlap(ours(i), theirs(i + by)) - _overlap(ours(i), theirs(i)) if 0 <= i + by < n else 0 for i in range(n)
    ]
    sums = [0.0, *accumulate(gains)]
    least = list(accumulate(sums, min))
    end = max(range(len(sums)), key=lambda i: sums[i] - least[i])
    return sums.index(least[end]), n - 1 if end > n - _LINES else end - 1


def _is_disordered(ours: Words, theirs: Words, n: int) -> bool:
    """Whether lines spread over the file each match one reference elsewhere, and neither their own nor a second.

    Outputs that are references word by word were chosen among them, and wrongly.
    """
    lines = [i for i in range(0, n, max(1, n // _SPREAD)) if len(ours(i)) >= _FEWEST_WORDS]
    own = [_overlap(ours(i), theirs(i)) for i in lines]
    other = sum(_overlap(ours(i), theirs(j)) for i, j in pairwise(lines))
    if len(lines) < 2 * _FEWEST_LINES or sum(own) > _ALONE * other:
        return False
    holding: dict[str, list[int]] = {}
    for j in range(n):
        for word in theirs(j):
            holding.setdefault(word, []).append(j)
    rare = {word: where for word, where in holding.items() if len(where) <= max(3, n // _LINES)}
    first, second, found = [], [], set()
    for i in lines:
        near = Counter(j for word in ours(i) for j in rare.get(word, ())).most_common(_LINES)
        best = [*sorted(((_overlap(ours(i), theirs(j)), j) for j, _ in near), reverse=True), (0.0, i), (0.0, i)]
        first.append(best[0][0])
        second.append(best[1][0])
        found.add(best[0][1])
    agree = min(len(found), sum(value > at for value, at in zip(first, own, strict=True)))
    than = max(_TIMES * sum(own), sum(own) + _MORE * len(lines), _ALONE * sum(second))
    return agree >= _MOSTLY * len(lines) and than < sum(first) < _COPIED * len(lines)


def _overlap(some: frozenset[str], others: frozenset[str]) -> float:
    """Words in common, by Dice: 0 to 1."""
    return 2 * len(some & others) / (len(some) + len(others) or 1)


def _splitter(lines: Sequence[str]) -> Callable[[str], Iterable[str]]:
    """The function that makes words of lines such as these."""
    text = " ".join(lines)
    if len(text) <= _LONG_WORD * len(text.split()):
        return str.split
    return lambda line: map("".join, pairwise(line))


def _words_of(lines: Sequence[str], split: Callable[[str], Iterable[str]]) -> Words:
    return cache(lambda i: frozenset(split(lines[i].lower())))
