"""How long the items are, as far as their references tell."""

from __future__ import annotations

from outscore.base.notation.conllu import CONLLU, sentences
from outscore.base.notation.trees import TREE
from outscore.base.notation.trees import parse as parse_tree
from outscore.data.dataset import Dataset


def lengths_of(data: Dataset) -> tuple[float, ...]:
    """Words of each item in the first reference; none where there is no reference."""
    first = next(iter(data.by_run.values()))
    if not first.references:
        return ()
    return tuple(float(_words(text, data.notation)) for text in first.references[0])


def _words(text: str, notation: str) -> int:
    if notation == CONLLU:
        return sum(len(sentence.forms) for sentence in sentences(text))
    return len(parse_tree(text).words) if notation == TREE else len(text.split())
