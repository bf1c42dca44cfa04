"""AlpacaEval: preferences of a judge between a model and a baseline."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from outscore.base.errors import join
from outscore.base.lazy import dataclass
from outscore.data.documents import Node, beginning, parse
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.run import Run
from outscore.data.source import Source

_LEGIBLE = 40


@reader("alpaca-eval")
@dataclass(frozen=True)
class AlpacaEval(Reader):
    """``annotations.json``: the column ``preference``, 0 to 1 in favour of the model, and lengths in characters."""

    description: ClassVar[str] = "AlpacaEval: annotations.json of a model and a judge"
    example: ClassVar[str] = (
        '[{"instruction": "Say hi.", "dataset": "vicuna", "output_1": "Hi", "generator_1": "baseline", '
        '"output_2": "Hello!", "generator_2": "model", "annotator": "judge", "preference": 2}]\n'
    )
    priority: ClassVar[int] = 5
    roles: ClassVar[tuple[Role, ...]] = ("system",)

    def sniff(self, head: Sniffed) -> bool:
        value, _ = beginning("\n".join(head.lines))
        first = value[0] if isinstance(value, list) and value else None
        return isinstance(first, dict) and {"instruction", "output_1", "output_2"} <= first.keys()

    def read(self, source: Source, context: Context) -> Content:
        rows = parse(source.text, context.file).items()
        if not rows:
            raise parse("[]", context.file).error("holds no annotation", "check that the evaluation was run")
        labels = {
            "domain": [_optional(row, "dataset") for row in rows],
            # another baseline is another question: that the label differs between systems is said on joining
            "baseline": [_optional(row, "generator_1") for row in rows],
        }
        run = Run(
            system=context.system or _model(rows),
            run=context.run or "1",
            ids=_ids([row.get("instruction").text() for row in rows]),
            columns={
                "preference": np.array([_preference(row.get("preference")) for row in rows]),
                "model_chars": np.array([float(len(row.get("output_2").text())) for row in rows]),
                "baseline_chars": np.array([float(len(row.get("output_1").text())) for row in rows]),
            },
            labels={name: tuple(values) for name, values in labels.items() if any(values)},
            source=context.source(self.name, len(rows)),
        )
        return Content(runs=(run,))


def _model(rows: Sequence[Node]) -> str:
    models = list(dict.fromkeys(row.get("generator_2").text() for row in rows))
    if len(models) > 1:
        raise rows[0].error(f"generator_2 is {join(models)}, expected one model", "give one file for each model")
    return models[0]


def _ids(instructions: Sequence[str]) -> tuple[str, ...]:
    """The beginning of each instruction with a digest of the whole; one that comes again is numbered."""
    seen: Counter[str] = Counter()
    ids = []
    for instruction in instructions:
        digest = hashlib.sha256(instruction.encode()).hexdigest()[:8]
        seen[instruction] += 1
        again = f" ({seen[instruction]})" if seen[instruction] > 1 else ""
        ids.append(f"{' '.join(instruction.split())[:_LEGIBLE]} #{digest}{again}")
    return tuple(ids)


def _preference(node: Node) -> float:
    value = node.number()
    if value == 0:  # how old annotators write a tie
        return 0.5
    if not np.isnan(value) and not 1 <= value <= 2:
        raise node.error(f"found {value:g}, expected 1 (baseline) to 2 (model)", "mend the preference")
    return value - 1


def _optional(row: Node, key: str) -> str:
    node = row.get(key)
    return "" if node.missing else node.text()
