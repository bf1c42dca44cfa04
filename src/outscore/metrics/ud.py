"""The scores of the CoNLL 2018 shared task (Zeman et al. 2018), as udtools counts them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal, get_args

from outscore.base.extras import require
from outscore.base.items import Items
from outscore.metrics import metric
from outscore.metrics.shared.dependency import Counts, WordF1, evaluated

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
    scores = evaluated(gold, system, "a score of the CoNLL 2018 shared task")
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
    limits: ClassVar[tuple[float, float] | None] = (0.0, 100.0)
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
    limits: ClassVar[tuple[float, float] | None] = (0.0, 100.0)
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
    limits: ClassVar[tuple[float, float] | None] = (0.0, 100.0)
    example: ClassVar[str] = "mlas"

    official_name = "MLAS"


@metric("blex")
@dataclass(frozen=True)
class Blex(Official):
    """Bilexical dependency score, 0-100: CLAS with the lemma right as well.

    Statistics per item: ``[right, gold, system]`` words whose relation is that of a content word.
    """

    unit: ClassVar[str] = "BLEX 0-100"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 100.0)
    example: ClassVar[str] = "blex"

    official_name = "BLEX"
