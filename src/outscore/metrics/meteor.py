"""METEOR 1.5 (Denkowski & Lavie 2014): statistics from its own jar, scores of ours, checked against it.

One Java process for each way of calling the jar answers line by line, and stays open for the next call.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError, MissingExtra
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.metrics import Metric, check_option, metric, safe_ratio
from outscore.metrics.shared.columns import pairs, reference_count

VARIABLE = "OUTSCORE_METEOR_JAR"
_INSTALL = "pip install 'outscore[meteor]'"
_PORTION = 20  # lines whose answers fit into a pipe, so that neither side waits for the other
_END = "END"  # no command of METEOR: its answer, an error, ends the answers to the lines before


def find_jar(named: str) -> Path:
    """The jar that is named, else that of the environment variable, else the one inside pycocoevalcap.

    Raises:
        InputError: no file has the name.
        MissingExtra: none is named and the package is not installed.
    """
    named = named or os.environ.get(VARIABLE, "")
    if named:
        if not Path(named).is_file():
            raise InputError(f"there is no METEOR jar {named!r}", remedy=f"name it by meteor:jar=PATH or {VARIABLE}")
        return Path(named).absolute()
    package = importlib.util.find_spec("pycocoevalcap")
    for folder in (package and package.submodule_search_locations) or ():
        jar = Path(folder) / "meteor" / "meteor-1.5.jar"
        if jar.is_file():
            return jar
    raise MissingExtra(f"meteor needs the METEOR 1.5 jar and Java: {_INSTALL}, or name a jar with meteor:jar=PATH")


def answers(arguments: Sequence[str], lines: Sequence[str]) -> list[str]:
    """The answers of ``java ARGUMENTS`` to the lines, from a process that stays open for the next call.

    Raises:
        InputError: the process ended; the message is its own.
        MissingExtra: there is no Java.
    """
    key = tuple(arguments)
    with _lock:
        if key not in _processes:
            _processes[key] = _Process(key)
        try:
            return _processes[key].answers(lines)
        except BaseException:
            # interrupted between question and answer, it would answer the next call with what belongs to this one
            _processes.pop(key).close()
            raise


class _Process:
    def __init__(self, arguments: tuple[str, ...]) -> None:
        java = shutil.which("java")
        if java is None:
            raise MissingExtra(
                f"meteor needs Java on the PATH: install a Java runtime (the METEOR jar comes with {_INSTALL})"
            )
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (it lives as long as the process)
        self._java = subprocess.Popen(
            [java, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            encoding="utf-8",
            errors="replace",
        )

    def answers(self, lines: Sequence[str]) -> list[str]:
        found: list[str] = []
        for start in range(0, len(lines), _PORTION):
            try:
                found += self._answers(lines[start : start + _PORTION])
            except OSError:
                raise self._end_error() from None
        return found

    def _answers(self, lines: Sequence[str]) -> list[str]:
        assert self._java.stdin is not None
        assert self._java.stdout is not None
        self._java.stdin.writelines(f"{line}\n" for line in (*lines, _END))
        self._java.stdin.flush()
        found: list[str] = []
        for answer in self._java.stdout:
            if answer.startswith("Error"):
                return found
            found.append(answer.strip())
        raise self._end_error()

    def close(self) -> None:
        self._java.kill()
        self._java.wait()
        with contextlib.suppress(OSError):
            # what was written and never read is not worth a message
            self._java.communicate()
        self._errors.close()

    def _end_error(self) -> InputError:
        self._java.wait()
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", errors="replace").splitlines()
        own = [line for line in said if line.strip() and not line.startswith("\t")] or ["no message"]
        return InputError(
            f"the METEOR process ended: {own[-1]}", remedy="give it more memory, as meteor:memory=4G, or another jar"
        )


_processes: dict[tuple[str, ...], _Process] = {}
_lock = threading.Lock()


@atexit.register
def _close_all() -> None:
    while _processes:
        _processes.popitem()[1].close()


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
            " ||| ".join(["SCORE", *map(self._encode, references), self._encode(output)])
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
            f"|jar:{find_jar(self.jar).stem}"
        )

    @property
    def _parameters(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        return _TUNED.get(self.language, _UNTUNED)

    def _call(self) -> list[str]:
        jar = find_jar(self.jar)
        paraphrases = jar.parent / "data" / f"paraphrase-{self.language}.gz"
        if self.language in _TUNED and not paraphrases.is_file():
            raise InputError(
                f"METEOR has no paraphrases of {self.language!r}: there is no {paraphrases}",
                remedy="name the jar of the full METEOR 1.5 download by meteor:jar=PATH",
            )
        norm = ["-norm"] if self.norm else []
        return [f"-Xmx{self.memory}", "-jar", str(jar), "-", "-", "-stdio", "-l", self.language, *norm]

    def _encode(self, text: str) -> str:
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
