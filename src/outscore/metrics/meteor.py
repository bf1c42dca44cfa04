"""METEOR 1.5 (Denkowski & Lavie 2014): statistics from its own jar, scores of ours, checked against it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.metrics import Metric, check_option, metric, safe_ratio
from outscore.metrics.shared.jar import answers, found_jar
from outscore.metrics.shared.texts import pairs, reference_count

# alpha, beta, gamma, delta, and the weight of each stage of matching, as the jar has them for its default task, rank
_TUNED: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "en": ((0.85, 0.20, 0.60, 0.75), (1.0, 0.6, 0.8, 0.6)),
    "cz": ((0.95, 0.20, 0.60, 0.80), (1.0, 0.4, 0.0, 0.0)),
    "de": ((0.95, 1.00, 0.55, 0.55), (1.0, 0.8, 0.2, 0.0)),
    "es": ((0.65, 1.30, 0.50, 0.80), (1.0, 0.8, 0.6, 0.0)),
    "fr": ((0.90, 1.40, 0.60, 0.65), (1.0, 0.2, 0.4, 0.0)),
    "ru": ((0.75, 1.40, 0.70, 0.50), (1.0, 0.5, 0.5, 0.0)),
}
_UNTUNED = ((0.75, 1.40, 0.70, 0.50), (1.0, 0.5, 0.0, 0.0))

Language = Literal[
    "en", "cz", "de", "es", "fr", "ru", "da", "fi", "hu", "it", "nl", "no", "pt", "ro", "se", "tr"
]  # fmt: skip


@metric("meteor")
@dataclass(frozen=True)
class Meteor(Metric):
    """METEOR 1.5, 0-1: words matched exactly, by stem, synonym and paraphrase, less a penalty for their order.

    Statistics per segment: the 23 numbers that the jar prints with ``-ssOut``: ``[output length, reference length,
    function words of each, for each of four stages (content matches of output and reference, function-word matches of
    both), chunks, matched words of output and reference]``. Chunks are 0 where all words match in one chunk, as the jar
    sums them. Of several references the best one counts.

    Args:
        language: of the texts; its tuned parameters and its resources.
        norm: tokenize and lower-case, as ``-norm`` does; without it words are what blanks separate, case and all.
        jar: path of the jar; by default ``OUTSCORE_METEOR_JAR``, else the one inside pycocoevalcap.
        memory: most memory of the Java process, as Java writes it.
    """

    unit: ClassVar[str] = "METEOR 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    extra: ClassVar[str] = "meteor"
    citation: ClassVar[str] = (
        "Denkowski & Lavie 2014, Meteor Universal: Language Specific Translation Evaluation for Any Target Language"
    )
    example: ClassVar[str] = "meteor:norm=false"
    in_process: ClassVar[bool] = True

    language: Language = "en"
    norm: bool = True
    jar: str = ""
    memory: str = "2G"

    def __post_init__(self) -> None:
        known = self.language in _TUNED
        check_option(known or not self.norm, self, "language", "norm=false beside it: METEOR cannot tokenize it")
        check_option(re.fullmatch(r"\d+[kKmMgG]", self.memory) is not None, self, "memory", "a size such as 2G")

    def statistics(self, items: Items) -> Float:
        lines = [
            " ||| ".join(["SCORE", *map(self._on_the_wire, references), self._on_the_wire(output)])
            for output, references in pairs(items, self.name)
        ]
        rows = [[float(number) for number in answer.split()] for answer in answers(self._call(), lines)]
        statistics = np.array(rows)
        output, reference, chunks = statistics[:, 0], statistics[:, 1], statistics[:, -3]
        perfect = (statistics[:, -2] == output) & (statistics[:, -1] == reference) & (chunks == 1)
        statistics[perfect, -3] = 0.0
        self._assert_same_score(statistics.sum(axis=0))
        return statistics

    def score(self, sums: Float) -> Float:
        (alpha, beta, gamma, delta), weights = self._parameters
        of_kind = np.array([delta, 1.0 - delta])  # content words and function words
        function = sums[..., 2:4]
        lengths = np.stack([sums[..., :2] - function, function], axis=-1) @ of_kind
        stages = sums[..., 4:-3].reshape(*sums.shape[:-1], 4, 2, 2)
        matches = np.einsum("...skt,s,k->...t", stages, weights, of_kind)
        precision, recall = np.moveaxis(safe_ratio(matches, lengths), -1, 0)
        f_mean = safe_ratio(precision * recall, (1.0 - alpha) * recall + alpha * precision)
        fragmentation = safe_ratio(sums[..., -3], (sums[..., -2] + sums[..., -1]) / 2.0)
        return np.maximum(f_mean * (1.0 - gamma * fragmentation**beta), 0.0)

    def signature(self, items: Items) -> str:
        return (
            f"meteor|nrefs:{reference_count(items)}|lang:{self.language}|norm:{'yes' if self.norm else 'no'}|task:rank"
            f"|jar:{found_jar(self.jar).stem}"
        )

    @property
    def _parameters(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        return _TUNED.get(self.language, _UNTUNED)

    def _call(self) -> list[str]:
        jar = found_jar(self.jar)
        paraphrases = jar.parent / "data" / f"paraphrase-{self.language}.gz"
        if self.language in _TUNED and not paraphrases.is_file():
            raise InputError(
                f"METEOR has no paraphrases of {self.language!r}: there is no {paraphrases}",
                remedy="name the jar of the full METEOR 1.5 download by meteor:jar=PATH",
            )
        norm = ["-norm"] if self.norm else []
        return [f"-Xmx{self.memory}", "-jar", str(jar), "-", "-", "-stdio", "-l", self.language, *norm]

    def _on_the_wire(self, text: str) -> str:
        """The text on one line and without the mark that separates texts, so that it scores as it does in a file."""
        # -norm makes three words of the mark; without it the mark is part of a word, for which another one stands in
        mark = "| | |" if self.norm else "¦¦¦"
        return re.sub(r"[\r\n]", " ", text).replace("|||", mark)

    def _assert_same_score(self, sums: Float) -> None:
        # some builds of the jar answer twice: the score of each line and that of all
        theirs = float(answers(self._call(), [f"EVAL ||| {' '.join(map(str, sums.tolist()))}"])[-1])
        ours = float(self.score(sums))
        if not abs(ours - theirs) <= 1e-9:
            raise AssertionError(f"{self.label}: our corpus score {ours!r} is not the jar's {theirs!r}")
