"""Items of texts that systems cut otherwise than the gold: of parses, the finest stretches where all end a sentence.

Parsers that start from raw text find sentences and words of their own. A head stays within its sentence, so whatever is
counted in such a stretch is independent of the others, and the sums are those of the whole files (Zeman et al. 2018).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import numpy as np

from outscore.base.arrays import Int
from outscore.base.errors import InputError, inflect, join
from outscore.base.lazy import dataclass
from outscore.base.notation import TEXT
from outscore.base.notation.conllu import CONLLU, sentence
from outscore.base.notes import Note
from outscore.data.run import Gold, Run

_CLUSTERS = ("cluster", "document", "doc", "doc_id", "document_id")
_LINE = "line"  # label by which the reader says where each sentence begins
_SHOWN = 20
CTM = "ctm"
_SAID = {CONLLU: ("CoNLL-U", "CoNLL-U"), CTM: ("CTM", "STM")}
_IGNORED = re.compile("IGNORE_?TIME_?SEGMENT_?IN_?SCORING", re.I)


def resegment(runs: tuple[Run, ...], golds: list[Gold]) -> tuple[tuple[Run, ...], list[Gold]]:
    """Runs and gold data on common stretches of the text; sentences stay as they are where there is no gold parse.

    Raises:
        InputError: a file beside CoNLL-U or CTM files is none, or has other characters or recordings than the gold; the
            message says where they first differ.
    """
    kind = next((run.notation for run in runs if run.notation in _SAID), None)
    if kind is None:
        return runs, golds
    outputs, gold_form = _SAID[kind]
    trees = [gold for gold in golds if gold.references]
    holders: list[Run | Gold] = [*trees, *runs]
    other = next((holder for holder in holders if holder.notation != kind), None)
    if other is not None:
        raise InputError(
            f"holds {other.notation}, but other files hold {outputs}",
            file=other.source.file,
            remedy=f"give all systems as {outputs}, and the gold as {gold_form} by -r",
        )
    if not trees:
        return tuple(replace(run, labels={}, notation=TEXT if kind == CTM else kind) for run in runs), golds
    if kind == CTM and trees[1:]:
        raise InputError("is a second STM file", file=trees[1].source.file, remedy="give one, with all recordings")
    if kind == CTM:
        return _place_words(runs, trees[0], golds)
    first, *others = files = _unify_order(holders)
    for file in others:
        if file.text != first.text:
            raise _difference(file, first)
    common = reduce(np.intersect1d, [file.ends for file in files])
    stretches = first.stretches(common)
    names = first.holder.ids or tuple(str(i + 1) for i in range(first.holder.n))
    starts = [names[stretch.start] for stretch in stretches]
    ids = tuple(
        f"{name}+{len(stretch) - 1}" if len(stretch) > 1 else name
        for name, stretch in zip(starts, stretches, strict=True)
    )
    streams = {id(file.holder): file.join(common) for file in files}
    new_runs = [replace(run, ids=ids, outputs=streams[id(run)], labels={}) for run in runs]
    if len(stretches) < first.holder.n:
        note = Note(
            code="resegmented",
            text=f"{first.holder.n} gold sentences became {len(stretches)} items, each ending where the gold and all "
            "systems end a sentence: other systems beside these would give other items, with the same scores",
        )
        new_runs[0] = new_runs[0].with_notes(note)
    new_golds = [_group(gold, names, stretches, ids, streams.get(id(gold))) for gold in golds]
    return tuple(new_runs), new_golds


def _place_words(runs: tuple[Run, ...], gold: Gold, golds: list[Gold]) -> tuple[tuple[Run, ...], list[Gold]]:
    """Each word in the first segment, from that of the word before on, which ends behind its middle; or in the last."""
    spans = [tuple(map(float, span.split())) for span in gold.labels["times"]]
    channels: dict[str, list[int]] = {}
    for row in sorted(range(gold.n), key=lambda row: spans[row][0]):
        channels.setdefault(gold.labels["channel"][row].lower(), []).append(row)
    ids, ignored = gold.ids or (), {row for row, text in enumerate(gold.references[0]) if _IGNORED.search(text)}

    def pick(stream: Sequence[str]) -> tuple[str, ...]:
        return tuple([one for row, one in enumerate(stream) if row not in ignored])

    placed = []
    for run in runs:
        said, outside = [list[str]() for _ in ids], 0
        for channel, words, middles in zip(run.ids or (), run.outputs or (), run.labels["times"], strict=True):
            if channel not in channels:
                raise InputError(
                    f"found words of {channel!r}, expected a recording and channel of {gold.source.file}, "
                    f"{join(channels, 3)}",
                    file=run.source.file,
                    remedy="name them alike, give the whole STM file, or leave these words out",
                )
            rows, at = channels[channel], 0
            for word, middle in zip(words.split(" "), map(float, middles.split()), strict=False):
                while at + 1 < len(rows) and middle >= spans[rows[at]][1]:
                    at += 1
                begin, end = spans[rows[at]]
                outside += rows[at] not in ignored and not begin <= middle < end
                said[rows[at]].append(word)
        note = Note(
            code="resegmented",
            text=f"{inflect(outside, 'word')} of {run.source.file} outside all segments of {gold.source.file} count in "
            "the next one of their channel, or in the last, as sclite counts them",
        )
        new = replace(run, ids=pick(ids), outputs=pick([" ".join(one) for one in said]), labels={}, notation=TEXT)
        placed.append(new.with_notes(note) if outside else new)
    labels = {name: pick(of) for name, of in gold.labels.items() if name != "times"}
    new_gold = replace(gold, ids=pick(ids), references=(pick(gold.references[0]),), labels=labels, notation=TEXT)
    return tuple(placed), [new_gold if one is gold else one for one in golds]


@dataclass(frozen=True)
class _SegmentedFile:
    """The sentences of one file in the common order.

    Attributes:
        holder: where they come from.
        rows: their places in the file.
        blocks: the sentences.
        text: all their characters without spaces.
        ends: where in it each sentence ends.
    """

    holder: Run | Gold
    rows: Sequence[int]
    blocks: Sequence[str]
    text: str
    ends: Int

    def stretches(self, common: Int) -> list[range]:
        """The sentences that make each stretch."""
        last = (np.searchsorted(self.ends, common) + 1).tolist()
        return [range(a, b) for a, b in zip([0, *last], last, strict=False)]

    def join(self, common: Int) -> tuple[str, ...]:
        """The sentences of each stretch as one text."""
        return tuple("\n\n".join(self.blocks[i] for i in stretch) for stretch in self.stretches(common))

    def line(self, at: int) -> int | None:
        """The line in the file of the token that holds this character; None behind the last one, or if not known."""
        number = int(np.searchsorted(self.ends, at, side="right"))
        if number == len(self.blocks) or _LINE not in self.holder.labels:
            return None
        parsed = sentence(self.blocks[number])
        ends = np.cumsum([len(text) for text in parsed.texts]) + self.ends[number] - sum(map(len, parsed.texts))
        token = int(np.searchsorted(ends, at, side="right"))
        return int(self.holder.labels[_LINE][self.rows[number]]) + parsed.lines[token]


def _unify_order(holders: Sequence[Run | Gold]) -> list[_SegmentedFile]:
    """The files by their sentence ids if all have the same ones, else as they are."""
    ids = holders[0].ids
    same = ids is not None and all(set(holder.ids or ()) == set(ids) for holder in holders)
    files = []
    for holder in holders:
        rows: Sequence[int] = range(holder.n)
        if same and ids is not None and holder.ids is not None:
            place = {name: row for row, name in enumerate(holder.ids)}
            rows = [place[name] for name in ids]
        stream = holder.outputs or () if isinstance(holder, Run) else holder.references[0]
        blocks = [stream[row] for row in rows]
        texts = ["".join(sentence(block).texts) for block in blocks]
        files.append(_SegmentedFile(holder, rows, blocks, "".join(texts), np.cumsum([len(text) for text in texts])))
    return files


def _difference(file: _SegmentedFile, gold: _SegmentedFile) -> InputError:
    both = zip(file.text, gold.text, strict=False)
    at = next((i for i, (a, b) in enumerate(both) if a != b), min(len(file.text), len(gold.text)))
    found, expected = (repr(f.text[at : at + _SHOWN]) if f.text[at:] else "the end of the text" for f in (file, gold))
    line = gold.line(at)
    where = gold.holder.source.file if line is None else f"{gold.holder.source.file}:{line}"
    return InputError(
        f"the text is not that of the gold: found {found}, expected {expected} ({where})",
        file=file.holder.source.file,
        line=file.line(at),
        remedy="parse the same text, and leave its characters as they are",
    )


def _group(
    gold: Gold, names: Sequence[str], stretches: Sequence[range], ids: tuple[str, ...], stream: tuple[str, ...] | None
) -> Gold:
    """Gold data of the stretches from those of the sentences ``names``."""
    known = gold.ids or (tuple(names) if gold.n == len(names) else ())
    place = {name: row for row, name in enumerate(known)}
    if not place.keys() >= set(names):
        return gold
    ordered = {k: [values[place[n]] for n in names] for k, values in gold.labels.items() if k != _LINE}
    labels = {k: _label(k, [[values[i] for i in stretch] for stretch in stretches]) for k, values in ordered.items()}
    return replace(gold, ids=ids, references=gold.references if stream is None else (stream,), labels=labels)


def _label(name: str, groups: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The label of each stretch from those of its sentences."""
    if name == "length" and all(value.isdecimal() for group in groups for value in group):
        return tuple(str(sum(map(int, group))) for group in groups)
    if name == "tokens":
        return tuple(" ".join(group) for group in groups)
    if name in _CLUSTERS:
        return _unite(groups)
    return tuple(group[0] for group in groups)


def _unite(groups: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Clusters of the stretches; those that a stretch has parts of are made one, named after the first of them."""
    within = {name: name for group in groups for name in group}

    def root(name: str) -> str:
        while within[name] != name:
            name = within[name]
        return name

    for group in groups:
        for name in group[1:]:
            within[root(name)] = root(group[0])
    return tuple(root(group[0]) for group in groups)
