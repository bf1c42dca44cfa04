"""Items as people read them, whatever notation their outputs are in, and how many words they have."""

from __future__ import annotations

from outscore.base.notation.conllu import CONLLU, NO_HEAD, ParsedSentence, sentences
from outscore.base.notation.trees import TREE, on_one_line
from outscore.base.notation.trees import parse as parse_tree
from outscore.data.dataset import Dataset


def reference_text(text: str, notation: str) -> str:
    """A reference: the words of parsed sentences, a tree on one line, any other text as it is."""
    if notation == CONLLU:
        return " ".join(form for sentence in sentences(text) for form in sentence.forms)
    return on_one_line(text) if notation == TREE else text


def output_text(text: str, reference: str, notation: str) -> str:
    """An output: of parsed sentences the words that hang otherwise than in the reference, any other as references.

    ``dog ← saw (obj), gold: ← ran (nsubj)``: the word, its head and relation, and those of the reference.
    """
    if notation != CONLLU or not reference:
        return reference_text(text, notation)
    ours, gold = sentences(text), sentences(reference)
    if [sentence.forms for sentence in ours] != [sentence.forms for sentence in gold]:
        return reference_text(text, notation)
    wrong = [part for one, right in zip(ours, gold, strict=True) for part in _differences(one, right)]
    return "\n".join(wrong) or "as the reference"


def _differences(ours: ParsedSentence, gold: ParsedSentence) -> list[str]:
    return [
        f"{form} ← {_link(ours, i)}, gold: ← {_link(gold, i)}"
        for i, form in enumerate(ours.forms)
        if (ours.heads[i], ours.deprels[i]) != (gold.heads[i], gold.deprels[i])
    ]


def _link(sentence: ParsedSentence, word: int) -> str:
    head = sentence.heads[word]
    name = "root" if head == 0 else "none" if head == NO_HEAD else sentence.forms[head - 1]
    return f"{name} ({sentence.deprels[word]})"


def lengths_of(data: Dataset) -> tuple[float, ...]:
    """Words of each item in the first reference; none where there is no reference."""
    return tuple(float(len(words)) for words in reference_words(data))


def reference_words(data: Dataset) -> list[list[str]]:
    """The words of each item in the first reference; none where there is no reference."""
    first = next(iter(data.by_run.values()))
    return [split_words(text, data.notation) for text in first.references[0]] if first.references else []


def split_words(text: str, notation: str) -> list[str]:
    """The words of a text; of a parsed sentence or a tree those that it has."""
    if notation == CONLLU:
        return [form for sentence in sentences(text) for form in sentence.forms]
    return list(parse_tree(text).words) if notation == TREE else text.split()
