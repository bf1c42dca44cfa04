"""Scores of dependency parsers: F1 of words, and those of the CoNLL 2018 shared task as udtools counts them.

Where a system has the words of the gold, its words are compared one by one. Where it has split the text otherwise,
udtools aligns them by their characters, as in the shared task (Zeman et al. 2018).
"""

from __future__ import annotations

import io
import unicodedata
from abc import abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.installed import require
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.base.notation import NotationError
from outscore.base.notation.conllu import CONLLU, NO_HEAD, ParsedSentence, sentences
from outscore.metrics import metric
from outscore.metrics.shared.columns import RatioOfSums
from outscore.metrics.shared.labels import OfTags

Counts = tuple[int, int, int]
"""Right words, gold words, system words."""

# fmt: off
_TAGS = frozenset((
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM",
    "VERB", "X",
))
# fmt: on
_SCORED, _LEFT_OUT = "dep", "punct"  # udtools counts content words for BLEX: dep is such a relation, punct is not


@dataclass(frozen=True)
class WordF1(RatioOfSums):
    """F1 of words, 0-100: twice the right ones over those of the gold and those of the system."""

    reads: ClassVar[str] = CONLLU
    limits: ClassVar[tuple[float, float] | None] = (0.0, 100.0)

    @abstractmethod
    def counts(self, gold: str, system: str) -> Counts:
        """The counts of one item."""

    def statistics(self, items: Items) -> Float:
        if items.outputs is None:
            raise InputError(f"{self.name} reads parses, but the systems hold none", remedy="give CoNLL-U files")
        if len(items.references) != 1:
            raise InputError(
                f"{self.name} compares with one gold parse, but there are {len(items.references)}",
                remedy="add -r GOLD.conllu, once",
            )
        pairs = zip(items.references[0], items.outputs, strict=True)
        return np.array([self.counts(gold, system) for gold, system in pairs], dtype=np.float64).reshape(-1, 3)

    def ratio(self) -> tuple[Float, Float, float]:
        return np.array([2.0, 0.0, 0.0]), np.array([0.0, 1.0, 1.0]), 100.0


@dataclass(frozen=True)
class WordByWord(WordF1, OfTags):
    """A score that looks at each word alone.

    Of words of one part of speech it is the proportion of the gold's words, whatever the system takes them for.

    Args:
        punct: count punctuation too.
    """

    punct: bool = True

    @abstractmethod
    def answers(self, sentence: ParsedSentence) -> list[tuple[int, str]]:
        """The answer that must be right of each word: its head, 0 where heads do not matter, and a label."""

    def counts(self, gold: str, system: str) -> Counts:
        golds, systems = _sentences(gold, self.name), _sentences(system, self.name)
        if not _have_same_words(golds, systems):
            return self._count_aligned(golds, systems)
        right = total = 0
        for g, s in zip(golds, systems, strict=True):
            pairs = zip(self.answers(g), self.answers(s), self._choose_words(g), strict=True)
            same = [a == b for a, b, counted in pairs if counted]
            right, total = right + sum(same), total + len(same)
        return right, total, total

    def gold_tags(self, items: Items) -> list[list[str]]:
        return [[tag for s in _sentences(text, self.name) for tag in s.upos] for text in items.references[0]]

    def _choose_words(self, gold: ParsedSentence) -> Sequence[bool]:
        return [
            self._tag in ("", tag)
            and (self.punct or not (tag == "PUNCT" or (tag not in _TAGS and _is_punctuation(form))))
            for form, tag in zip(gold.forms, gold.upos, strict=True)
        ]

    def _count_aligned(self, golds: Sequence[ParsedSentence], systems: Sequence[ParsedSentence]) -> Counts:
        """The counts where words differ: our answers go into the columns that udtools compares for BLEX.

        A system's word is left out with the gold word that it is aligned with; one that is aligned with none, if its
        form is punctuation.
        """
        scored = [[_SCORED if counted else _LEFT_OUT for counted in self._choose_words(g)] for g in golds]
        found = evaluate(
            "".join(
                _columns(g, self.answers(g), relations, "gold") for g, relations in zip(golds, scored, strict=True)
            ),
            "".join(_columns(s, self.answers(s), [_SCORED] * len(s.forms), "system") for s in systems),
            f"{self.name} of words that the gold splits otherwise",
            forest=True,
        )
        right, words = found["BLEX"], found["Words"]
        if self._tag:
            return right.correct, right.gold_total, right.gold_total
        if self.punct:
            return right.correct, right.gold_total, right.system_total
        punctuation = sum(_is_punctuation(form) for s in systems for form in s.forms)
        left_out = words.correct - right.aligned_total + punctuation - found["UPOS"].correct
        return right.correct, right.gold_total, right.system_total - left_out


def evaluate(gold: str, system: str, what: str, *, forest: bool = False) -> Any:
    """udtools' scores of an item by name, each with ``correct``, ``gold_total`` and ``system_total``.

    Args:
        gold, system: blocks of CoNLL-U.
        what: what needs it, for the message where udtools is not installed.
        forest: a sentence may have several roots, which the shared task did not allow.

    Raises:
        MissingExtra: udtools is not installed.
        InputError: udtools refuses a sentence.
    """
    udeval = require("udtools.udeval", what, "ud")
    loaded = [_load(udeval, text, whose, forest) for text, whose in ((gold, "gold"), (system, "system's"))]
    try:
        return udeval.evaluate(*loaded)
    except udeval.UDError as error:
        raise _refusal_error(error, f"the system's words of {_beginning(gold)}") from None


@lru_cache(maxsize=1 << 12)
def _load(udeval: Any, text: str, whose: str, forest: bool) -> Any:
    try:
        return udeval.load_conllu(io.StringIO(text.rstrip("\n") + "\n\n"), whose, {"multiple_roots_okay": forest})
    # DEPS that are none, heads that are none, and chains too deep for its recursion end in errors that are not its own
    except (udeval.UDError, ValueError, IndexError, RecursionError) as error:
        raise _refusal_error(error, f"the {whose} tree of {_beginning(text)}") from None


def _refusal_error(error: Exception, which: str) -> InputError:
    reason = (str(error).splitlines() or [type(error).__name__])[0]
    return InputError(
        f"udtools cannot read {which} ({reason})",
        remedy="mend it: every sentence needs one root, and heads without cycles",
    )


def _beginning(text: str) -> str:
    forms = [columns[1] for line in text.split("\n") if len(columns := line.split("\t")) > 1]
    return repr(" ".join(forms[:6]))


def _sentences(text: str, what: str) -> tuple[ParsedSentence, ...]:
    try:
        return sentences(text)
    except NotationError as error:
        raise InputError(f"{what} reads CoNLL-U: {error}, in {text[:40]!r}", remedy="give CoNLL-U files") from None


def _have_same_words(golds: Sequence[ParsedSentence], systems: Sequence[ParsedSentence]) -> bool:
    return len(golds) == len(systems) and all(
        g.texts == s.texts and g.sizes == s.sizes and (len(g.texts) == len(g.forms) or g.forms == s.forms)
        for g, s in zip(golds, systems, strict=True)
    )


@lru_cache(maxsize=1 << 12)
def _is_punctuation(form: str) -> bool:
    return all(unicodedata.category(character).startswith("P") for character in form)


def read_heads(sentence: ParsedSentence, what: str) -> tuple[int, ...]:
    """The heads of a sentence.

    Raises:
        InputError: a word has none.
    """
    if NO_HEAD in sentence.heads:
        word = sentence.forms[sentence.heads.index(NO_HEAD)]
        raise InputError(
            f"{what} compares heads, but {word!r} in {' '.join(sentence.forms[:6])!r} has none ('_')",
            remedy="give parsed files, or take upos",
        )
    return sentence.heads


def _columns(sentence: ParsedSentence, answers: Sequence[tuple[int, str]], relations: Sequence[str], whose: str) -> str:
    """A sentence whose LEMMA is the label to compare and whose UPOS is equal only for aligned punctuation."""
    lines, number = [], 0
    for text, size in zip(sentence.texts, sentence.sizes, strict=True):
        if size > 1:
            lines.append(f"{number + 1}-{number + size}\t{text}" + "\t_" * 8)
        for _ in range(size):
            form, (head, label), relation = sentence.forms[number], answers[number], relations[number]
            number += 1
            tag = "punctuation" if _is_punctuation(form) else whose
            lines.append(f"{number}\t{form}\t={label}\t{tag}\t_\t_\t{head}\t{relation}\t_\t_")
    return "\n".join(lines) + "\n\n"


@metric("las")
@dataclass(frozen=True)
class Las(WordByWord):
    """Labelled attachment score: words with the right head and relation, 0-100; F1 where systems split the text.

    Statistics per item: ``[right words, gold words, system words]``.

    Args:
        punct: count punctuation too.
        subtypes: compare whole relations (``nmod:poss``), not their universal part alone (``nmod``).
    """

    unit: ClassVar[str] = "LAS 0-100"
    citation: ClassVar[str] = "Buchholz and Marsi 2006, CoNLL-X Shared Task; Zeman et al. 2018, CoNLL 2018 Shared Task"
    example: ClassVar[str] = "las:subtypes=true"

    subtypes: bool = False

    def answers(self, sentence: ParsedSentence) -> list[tuple[int, str]]:
        relations = sentence.deprels if self.subtypes else [r.partition(":")[0] for r in sentence.deprels]
        return list(zip(read_heads(sentence, self.name), relations, strict=True))


@metric("uas")
@dataclass(frozen=True)
class Uas(WordByWord):
    """Unlabelled attachment score: words with the right head, 0-100; F1 where systems split the text themselves.

    Statistics per item: ``[right words, gold words, system words]``.

    Args:
        punct: count punctuation too.
    """

    unit: ClassVar[str] = "UAS 0-100"
    citation: ClassVar[str] = "Buchholz and Marsi 2006, CoNLL-X Shared Task; Zeman et al. 2018, CoNLL 2018 Shared Task"
    example: ClassVar[str] = "uas:punct=false"

    def answers(self, sentence: ParsedSentence) -> list[tuple[int, str]]:
        return [(head, "") for head in read_heads(sentence, self.name)]


@metric("upos")
@dataclass(frozen=True)
class Upos(WordByWord):
    """Words with the right universal part of speech, 0-100; F1 where systems split the text themselves.

    In CoNLL-X files it is the coarse tag, CPOSTAG. Statistics per item: ``[right words, gold words, system words]``.

    Args:
        punct: count punctuation too.
    """

    unit: ClassVar[str] = "UPOS 0-100"
    citation: ClassVar[str] = "Zeman et al. 2018, CoNLL 2018 Shared Task"
    example: ClassVar[str] = "upos:punct=false"

    def answers(self, sentence: ParsedSentence) -> list[tuple[int, str]]:
        return [(0, tag) for tag in sentence.upos]


# fmt: off
Name = Literal[
    "LAS", "UAS", "CLAS", "MLAS", "BLEX", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "Words", "Tokens", "Sentences",
    "ELAS", "EULAS",
]
# fmt: on


@dataclass(frozen=True)
class Official(WordF1):
    """One of udtools' scores; all of them are counted at once and kept."""

    extra: ClassVar[str] = "ud"
    citation: ClassVar[str] = "Zeman et al. 2018, CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to UD"

    @property
    @abstractmethod
    def official_name(self) -> str:
        """udtools' name of it."""

    def counts(self, gold: str, system: str) -> Counts:
        return _all_counts(gold, system)[get_args(Name).index(self.official_name)]

    def signature(self, items: Items) -> str:
        return f"{self.label}|udtools:{require('udtools', self.name, self.extra).__version__}"


@lru_cache(maxsize=1 << 16)
def _all_counts(gold: str, system: str) -> tuple[Counts, ...]:
    scores = evaluate(gold, system, "a score of the CoNLL 2018 shared task")
    return tuple((s.correct, s.gold_total, s.system_total) for s in (scores[name] for name in get_args(Name)))


@metric("ud")
@dataclass(frozen=True)
class Ud(Official):
    """Any score of the CoNLL 2018 and IWPT 2020 shared tasks by its name there, as F1, 0-100.

    Statistics per item: ``[right, in the gold, in the system]``, of words, tokens, sentences or enhanced relations.

    Args:
        metric: LAS, UAS, CLAS, MLAS, BLEX, UPOS, XPOS, UFeats, AllTags, Lemmas, Words, Tokens, Sentences, ELAS or
            EULAS.
    """

    unit: ClassVar[str] = "F1 0-100"
    example: ClassVar[str] = "ud:metric=UFeats"

    metric: Name = "LAS"

    @property
    def official_name(self) -> str:
        return self.metric


@metric("clas")
@dataclass(frozen=True)
class Clas(Official):
    """Content-word labelled attachment score (Nivre and Fang 2017), 0-100.

    Statistics per item: ``[right, gold, system]`` words whose relation is that of a content word.
    """

    unit: ClassVar[str] = "CLAS 0-100"
    citation: ClassVar[str] = "Nivre and Fang 2017, Universal Dependency Evaluation"
    example: ClassVar[str] = "clas"

    official_name = "CLAS"


@metric("mlas")
@dataclass(frozen=True)
class Mlas(Official):
    """Morphology-aware labelled attachment score, 0-100: CLAS with tags, features and function words right as well.

    Statistics per item: ``[right, gold, system]`` words whose relation is that of a content word.
    """

    unit: ClassVar[str] = "MLAS 0-100"
    example: ClassVar[str] = "mlas"

    official_name = "MLAS"


@metric("blex")
@dataclass(frozen=True)
class Blex(Official):
    """Bilexical dependency score, 0-100: CLAS with the lemma right as well.

    Statistics per item: ``[right, gold, system]`` words whose relation is that of a content word.
    """

    unit: ClassVar[str] = "BLEX 0-100"
    example: ClassVar[str] = "blex"

    official_name = "BLEX"
