"""Tables of promptfoo: the variables of a test in front, and behind them what each prompt and provider made of it."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.columns import ColumnTable, texts

_BEHIND = ("Status", "Score", "Named Scores")
_METRIC = "Metric: "
_PROVIDER = re.compile(r"\[([^\]]+)\]")
_CELL = re.compile(r"\s*\[(PASS|FAIL|ERROR)\](?:\s*\((-?\d+(?:\.\d+)?)\))?", re.IGNORECASE)
_PASSED = {"PASS": "1", "FAIL": "0"}


@dataclass(frozen=True)
class PromptCells:
    """The cells of one prompt and provider.

    Attributes:
        system: the name that promptfoo's JSON gives it, ``PROVIDER/NUMBER``.
        verdicts: PASS, FAIL, or something else for what has no score.
        scores: as text; empty where there is none.
        metrics: other scores by name.
    """

    system: str
    verdicts: Sequence[str]
    scores: Sequence[str]
    metrics: Mapping[str, Sequence[str]]


def number_prompts(header: Sequence[str]) -> list[str] | None:
    """The header with the place of each prompt in the names of its columns; None for a table of another kind.

    All prompts have columns of the same names behind that of their outputs.
    """
    starts = _starts(header)
    if not starts:
        return None
    which = [sum(start <= at for start in starts) - 1 for at in range(len(header))]
    return [name if k < 0 else f"{k}\t{name}" for name, k in zip(header, which, strict=True)]


def spread_prompts(grid: ColumnTable) -> ColumnTable:
    """The rows of a table whose header was numbered: one for each test and prompt."""
    apart = {name: name.partition("\t") for name in grid.columns}
    cells: dict[str, dict[str, list[str]]] = {}
    for name, (k, tab, own) in apart.items():
        if tab:
            cells.setdefault(k, {})[own] = texts(grid.columns[name])
    prompts = []
    for k, of in cells.items():
        metrics = {name.removeprefix(_METRIC): one for name, one in of.items() if name.startswith(_METRIC)}
        prompts.append(PromptCells(_name(next(iter(of)), k), of["Status"], of["Score"], metrics))
    return _spread(grid, [name for name, (_, tab, _) in apart.items() if not tab], prompts)


def spread_marked(grid: ColumnTable) -> ColumnTable:
    """The same of an older table, whose outputs begin with ``[PASS] (1.00)``; any other table as it is."""
    names = list(grid.columns)
    marked = [*itertools.takewhile(lambda name: _are_marked(grid, name), reversed(names))]  # behind the variables
    if not any(map(_PROVIDER.match, marked)):
        return grid  # verdicts of somebody else
    prompts = []
    for k, name in enumerate(reversed(marked)):
        found = [_CELL.match(cell) for cell in texts(grid.columns[name])]
        verdicts = [one[1].upper() if one else "" for one in found]
        scores = [one[2] or "" if one else "" for one in found]
        if not all(score for score, one in zip(scores, found, strict=True) if one):
            scores = [_PASSED.get(verdict, "") for verdict in verdicts]
        prompts.append(PromptCells(_name(name, str(k)), verdicts, scores, {}))
    return _spread(grid, names[: -len(prompts)], prompts)


def _are_marked(grid: ColumnTable, name: str) -> bool:
    """Whether each cell that is filled begins with a verdict."""
    if grid.typed or not any(grid.columns[name]):
        return False
    return all(_CELL.match(cell) for cell in texts(grid.columns[name]) if cell.strip())


def _starts(header: Sequence[str]) -> list[int]:
    """Where the columns of each prompt begin: that of its outputs, before its status and scores."""
    return [at for at in range(len(header)) if tuple(header[at + 1 : at + 1 + len(_BEHIND)]) == _BEHIND]


def _name(header: str, k: str) -> str:
    provider = _PROVIDER.match(header)
    return f"{provider[1] if provider else header}/{k}"  # as in its JSON


def _spread(grid: ColumnTable, variables: Sequence[str], prompts: Sequence[PromptCells]) -> ColumnTable:
    n = grid.n
    values = [texts(grid.columns[name]) for name in variables]
    items = ["/".join(row) if any(map(str.strip, row)) else "" for row in zip(*values, strict=True)] or [""] * n
    items = [item or str(row + 1) for row, item in enumerate(items)]
    columns: dict[str, list[str]] = {
        "system": [one.system for one in prompts for _ in range(n)],
        "item": items * len(prompts),
    }
    if len(set(items)) < n:  # tests that were repeated
        columns["sample"] = _count(items) * len(prompts)
    scored = [[s if v in _PASSED else "" for v, s in zip(p.verdicts, p.scores, strict=True)] for p in prompts]
    passed = [[_PASSED.get(verdict, "") for verdict in one.verdicts] for one in prompts]
    columns["score"] = [cell for of in scored for cell in of]
    pairs = [pair for p, s in zip(passed, scored, strict=True) for pair in zip(p, s, strict=True)]
    differ = any(x and float(x) != float(s or "nan") for x, s in pairs)
    if differ:
        columns["passed"] = [cell for of in passed for cell in of]
    for metric in dict.fromkeys(name for one in prompts for name in one.metrics):
        called = f"{_METRIC}{metric}" if metric in columns else metric
        columns[called] = [cell for one in prompts for cell in one.metrics.get(metric, [""] * n)]
    described = {f"var_{name}" if name in columns else name: of for name, of in zip(variables, values, strict=True)}
    text = f"{grid.file} holds a table of promptfoo, each prompt of a provider a system: {len(pairs)} rows were read"
    note = Note(
        code="rows_made",
        text=text + ", with their scores" * differ,
        remedy="-m passed takes what passed, PASS or FAIL" if differ else "",
    )
    line = grid.line
    return replace(
        grid,
        columns={**columns, **{name: of * len(prompts) for name, of in described.items()}},
        n=n * len(prompts),
        line=lambda row: line(row % n),
        described=frozenset(described),
        notes=(*grid.notes, note),
    )


def _count(items: Sequence[str]) -> list[str]:
    """How often each item has come until now."""
    seen: Counter[str] = Counter()
    found = []
    for item in items:
        seen[item] += 1
        found.append(str(seen[item]))
    return found
