"""The samples of EleutherAI's lm-evaluation-harness: one task of one model."""

from __future__ import annotations

import re
from dataclasses import field
from pathlib import Path, PurePath
from typing import Any, ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError, join
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.documents import Node, beginning, parse, parse_lines
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.run import Run
from outscore.data.source import Source, open_source, unpacked_name

_FILE = re.compile(r"samples_(.+)_\d{4}-\d\d-\d\dT[\d.-]+\.jsonl")
_RATES = ("word_perplexity", "byte_perplexity", "bits_per_byte")
_HASHES = ("doc_hash", "prompt_hash")
_RECORD = frozenset(
    (
        *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
        *(*_HASHES, "target_hash"),
    )
)

Pair = tuple[tuple[str, ...], str]
"""References and output of an item, as a corpus metric of the harness keeps them."""


@reader("lm-eval")
@dataclass(frozen=True)
class LmEval(Reader):
    """``samples_<task>_<date>.jsonl`` as ``lm_eval --log_samples`` writes it: a line for each document and filter.

    Args:
        texts: outputs and references are read beside the scores, for metrics that score texts or labels: those that a
            corpus metric of the task keeps (BLEU, F1, MCC), else the answers after the first filter and the targets.
            By default they are read only for tasks without any score per item.
        filter: the filter whose texts are read, where there are several.
    """

    description: ClassVar[str] = "lm-evaluation-harness: samples_<task>_<date>.jsonl of lm_eval --log_samples"
    example: ClassVar[str] = (
        '{"doc_id": 0, "doc": {"q": "2+2"}, "target": "4", "arguments": {}, "resps": [["4"]], "filtered_resps": ["4"], '
        '"filter": "none", "metrics": ["exact_match"], "exact_match": 1.0}\n'
    )
    priority: ClassVar[int] = 1
    with_texts: ClassVar[str] = "lm-eval:texts=true"
    roles: ClassVar[tuple[Role, ...]] = ("system",)

    texts: bool = False
    filter: str = ""

    def sniff(self, head: Sniffed) -> bool:
        return any(_is_sample(beginning(line)[0]) for line in head.lines[:20])

    def read(self, source: Source, context: Context) -> Content:
        name = unpacked_name(PurePath(context.file).name)
        match = _FILE.fullmatch(name)
        task = match[1] if match else context.stem
        folder = PurePath(context.file).parent.name if match else ""
        samples = _Documents()
        for sample in parse_lines(source):
            samples.add(sample)
        with_texts = self.texts or not samples.numbers
        outputs, references = samples.texts(self.filter) if with_texts else (None, ())
        labels = {key: samples.label(key) for key in _HASHES}
        run = Run(
            system=context.system or folder or context.stem,
            run=context.run or "1",
            ids=tuple(f"{task}/{doc}" if match else doc for doc in samples.first),
            outputs=outputs,
            references=references,
            columns=samples.columns(),
            labels=({"domain": (task,) * len(samples.first)} if match else {})
            | {key: found for key, found in labels.items() if any(found)},
            part=task,
            part_guessed=match is None,
            test=_test_of(PurePath(context.file), task) if match else (),
            made_by=(folder,) if folder else (),
            notes=samples.notes(task, self.filter, with_texts=with_texts),
            source=context.source(self.name, len(samples.first)),
        )
        return Content(runs=(run,))


@dataclass
class _Documents:
    """The documents of a file, from all of its lines.

    Attributes:
        first: the first line of each document, in order.
        seen: the line of each document and filter.
        numbers: columns by name, each a number by document.
        pairs: references and output by document, of each metric that keeps them; ``filters`` are theirs.
        left_out: metrics whose values have no meaning for one item.
    """

    first: dict[str, Node] = field(default_factory=dict)
    seen: dict[tuple[str, str], Node] = field(default_factory=dict)
    numbers: dict[str, dict[str, float]] = field(default_factory=dict)
    pairs: dict[str, dict[str, Pair]] = field(default_factory=dict)
    filters: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, None] = field(default_factory=dict)

    def add(self, sample: Node) -> None:
        """One line: the values of all metrics for a document, after one filter."""
        doc = sample.get("doc_id").text()
        filter_ = sample.get("filter")
        kind = "none" if filter_.missing else filter_.text()
        before = self.seen.setdefault((doc, kind), sample)
        if before is not sample:
            raise sample.error(
                f"document {doc} (filter {kind!r}) was already in line {before.line}",
                "a rerun wrote into the same file: keep the lines of one run",
            )
        self.first.setdefault(doc, sample)
        listed = sample.get("metrics")
        names = (
            [n for n in sample.fields() if n not in _RECORD] if listed.missing else [n.text() for n in listed.items()]
        )
        for name in names:
            column = name if kind == "none" else f"{name}.{kind}"
            self.filters[column] = kind
            self._metric(doc, name, column, sample.get(name))

    def columns(self) -> dict[str, Float]:
        """The columns, NaN where a document has no value."""
        return {
            name: np.array([values.get(doc, np.nan) for doc in self.first], dtype=np.float64)
            for name, values in self.numbers.items()
        }

    def label(self, key: str) -> tuple[str, ...]:
        """A text of the first line of each document."""
        found = [sample.get(key) for sample in self.first.values()]
        return tuple("" if node.missing else node.text() for node in found)

    def texts(self, filter_: str) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """Outputs and streams of references: those that a metric keeps, else the answers and targets.

        Raises:
            InputError: several filters, none of which is ``filter_``.
        """
        kinds = list(dict.fromkeys(kind for _, kind in self.seen))
        if filter_ not in kinds and len(kinds) > 1:
            raise next(iter(self.first.values())).error(
                f"the texts after {len(kinds)} filters differ: {join(kinds)}",
                f"say which are meant: --reader lm-eval:texts=true,filter={kinds[-1]}",
            )
        kind = filter_ if filter_ in kinds else kinds[0]
        kept = next((pairs for column, pairs in self.pairs.items() if self.filters[column] == kind), None)
        if kept is None:
            of_kind = {doc: sample for (doc, of), sample in self.seen.items() if of == kind}
            kept = {doc: ((sample.get("target").text(),), _answer(sample)) for doc, sample in of_kind.items()}
        lacking = next((sample for doc, sample in self.first.items() if doc not in kept), None)
        if lacking is not None:
            raise lacking.error(f"has no text after the filter {kind!r}, other documents have one")
        pairs = [kept[doc] for doc in self.first]
        count = max(len(references) for references, _ in pairs)
        streams = tuple(tuple(r[i] if i < len(r) else "" for r, _ in pairs) for i in range(count))
        return tuple(output for _, output in pairs), streams

    def notes(self, task: str, filter_: str, *, with_texts: bool) -> tuple[Note, ...]:
        """The notes on what was left out."""
        notes = []
        if self.left_out:
            notes.append(
                Note(
                    code="metric_left_out",
                    text=f"task {task!r}: {join(self.left_out)} cannot be read item by item",
                    remedy="compare another metric of the task",
                )
            )
        first = next(iter(self.seen), ("", ""))[1]
        kinds = set(self.filters.values())
        kept = next((pairs for name, pairs in self.pairs.items() if self.filters[name] == (filter_ or first)), {})
        unread = [name for name, pairs in self.pairs.items() if not with_texts or pairs != kept]
        if unread:
            notes.append(
                Note(
                    code="texts_left_out",
                    text=f"task {task!r}: {join(unread)} have no score per item, and their texts were not read",
                    remedy="read them with --reader lm-eval:texts=true"
                    f"{f',filter={self.filters[unread[0]]}' if len(kinds) > 1 else ''} and score them with -m",
                )
            )
        return tuple(notes)

    def _metric(self, doc: str, name: str, column: str, value: Node) -> None:
        several = value.value if isinstance(value.value, list) else None
        if name == "brier_score" and several is not None:
            score = _brier(several)
            if score is None:
                self.left_out[column] = None
            else:
                self._number(doc, column, score)
        elif name == "perplexity" and several is None:
            # the harness keeps the log-likelihood under this name and takes exp(-mean) at the end
            self._number(doc, f"{column}.loglik", value.number())
            self._number(doc, f"{column}.tokens", 1.0)
        elif value.missing or isinstance(value.value, int | float):
            self._number(doc, column, value.number())
        elif several and len(several) == 2 and name in _RATES:
            for part, number in zip(("loglik", "tokens"), value.items(), strict=True):
                self._number(doc, f"{column}.{part}", number.number())
        elif several and all(isinstance(v, bool) for v in several):
            self._number(doc, f"{column}.sum", float(sum(several)))
            self._number(doc, f"{column}.count", float(len(several)))
        elif several and (pair := _pair(value)) is not None:
            self.pairs.setdefault(column, {})[doc] = pair
        else:
            self.left_out[column] = None

    def _number(self, doc: str, column: str, number: float) -> None:
        self.numbers.setdefault(column, {})[doc] = number


def _test_of(samples: PurePath, task: str) -> tuple[str, ...]:
    """The version of the task and the examples in its prompts, of the results that were written with the samples."""
    date = unpacked_name(samples.name).removesuffix(".jsonl").removeprefix(f"samples_{task}_")
    beside = Path(samples.parent, f"results_{date}.json")
    if not beside.is_file():
        return ()
    try:
        results = parse(open_source(str(beside)).text, str(beside))
        said = {name: results.get(key).get(task) for key, name in (("versions", "version"), ("n-shot", "n-shot"))}
        return tuple(f"{name} {node.value}" for name, node in said.items() if not node.missing)
    except InputError:
        return ()  # the samples stand for themselves


def _is_sample(value: Any) -> bool:
    if not isinstance(value, dict) or "doc_id" not in value:
        return False
    return isinstance(value.get("doc"), dict) or "filtered_resps" in value


def _brier(value: list[Any]) -> float | None:
    """Brier's score of a document from ``[gold class, probabilities]``; None where the harness cut the probabilities.

    It prints an array of numpy for the probabilities, which leaves out the middle of more than a thousand.
    """
    if len(value) != 2 or not isinstance(value[0], int):
        return None
    gold, probabilities = value
    if isinstance(probabilities, str):
        probabilities = probabilities.strip("[]").split()
    try:
        found = np.array(probabilities, dtype=float)
    except (TypeError, ValueError):
        return None
    if found.ndim != 1 or not 0 <= gold < len(found):
        return None
    found[gold] -= 1.0
    return float(np.sum(found**2))


def _pair(value: Node) -> Pair | None:
    """``[references, output]`` of BLEU and the like, or ``[gold label, label]`` of F1 and MCC."""
    parts = [v.items() if isinstance(v.value, list) else [v] for v in value.items()]
    if len(parts) != 2 or len(parts[1]) != 1 or not parts[0]:
        return None
    if not all(isinstance(v.value, str | int) and not isinstance(v.value, bool) for part in parts for v in part):
        return None
    return tuple(v.text() for v in parts[0]), parts[1][0].text()


def _answer(sample: Node) -> str:
    answers = sample.get("filtered_resps").items()
    if len(answers) != 1:
        raise sample.error(
            f"filtered_resps holds {len(answers)} values, expected one answer",
            "multiple choice has no text: read the task without texts=true",
        )
    return answers[0].text()
