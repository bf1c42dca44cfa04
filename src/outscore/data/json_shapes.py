"""JSON that is no lines of rows: what it is called, and the command that makes rows of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from shlex import quote
from typing import Any

from outscore.base.errors import join
from outscore.base.lazy import dataclass
from outscore.data.columns import OUTPUT, is_known
from outscore.data.source import logs_pattern


@dataclass(frozen=True)
class Shape:
    """Shape of a JSON value, in words.

    Attributes:
        name: ``a list of objects``.
        jq: the program of jq that makes a row of every score; or None where the file holds none.
        instead: what to give in its place, where it holds none; ``{logs}`` and ``{samples}`` are patterns of files.
        beside: what the path of another file has in place of what a pattern finds: ``jq`` reads that one, and this one
            as ``$rows``.
        first: it is the first line of such a file, not the whole.
        others: in words what else it may hold, and the program for that.
        ranks: it holds rankings of documents; None where it may, beside what ``jq`` is for.
    """

    name: str
    jq: str | None = None
    instead: str = ""
    beside: tuple[str, str] | None = None
    first: bool = False
    ranks: bool | None = False
    others: tuple[tuple[str, str], ...] = ()

    def remedy(self, file: str) -> str:
        """Remedy for such a file: the command that makes rows of it, or what to give in its place."""
        if self.jq is None:
            folder = str(PurePath(file).parent)
            logs = (logs_pattern(folder) or "LOGS/*.eval") if "{logs}" in self.instead else ""
            samples = quote(str(PurePath(folder, "samples_*.jsonl")))
            return self.instead.replace("{logs}", quote(logs)).replace("{samples}", samples)
        if self.ranks:
            return f"make a run of TREC of it: {_run_of(file)}"
        if self.beside:
            stem = file.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".json")
            rows, other = quote(f"{stem}.rows.jsonl"), re.sub(*self.beside, file)
            return f"make lines of both: jq -c --slurpfile rows {quote(file)} '{self.jq}' {quote(other)} > {rows}"
        more = "".join(f"; or, {words}: {jq(program, file)}" for words, program in self.others)
        lines = f"make lines of it: {jq(self.jq, file)}{more}"
        return lines if self.ranks is False else f"{lines}; or, of documents ranked for queries: {_run_of(file)}"


def _run_of(file: str) -> str:
    """The command that writes ``{query: {document: score}}`` as a run of TREC, tagged by the name of the file."""
    stem = file.removesuffix(".gz").removesuffix(".json")
    tag = json.dumps("_".join(PurePath(stem).name.split()), ensure_ascii=False)[1:-1]
    line = f'"\\($q) Q0 \\(.key) 0 \\(.value) {tag}"'
    program = f"to_entries[] | .key as $q | .value | to_entries[] | {line}"
    return jq(program, file, raw=f"{stem}.run")


_BY_SYSTEM = "to_entries[] | .key as $s | .value | to_entries[] | {system: $s, item: .key, score: .value}"
_PAIRS = "to_entries[] | {item: .key, score: .value}"
_ITEMS = "to_entries[] | {item: .key} + .value"
_TRANSPOSED = (
    "[to_entries[] | .key as $c | .value | to_entries[] | {r: .key, v: {($c): .value}}] | group_by(.r)[] | map(.v) "
    "| add"
)
_SPLIT = ".columns as $c | .data[] | [$c, .] | transpose | map({(.[0]): .[1]}) | add"
_PROMPTFOO = (
    '{system: "\\(.provider.label // .provider.id) p\\(.promptIdx)", item: (.vars | tojson), sample: .testIdx, '
    "score: (if .failureReason == 2 then null else .score end)} + .namedScores"
)
_LOGS = "give its logs, of which each model is a system: {logs}"
_EVALS = "a log of OpenAI's evals"


def _deepeval(cases: str, metrics: str) -> str:
    """A row for each case and metric; the score is null where a case that ended in an error has no metrics."""
    return (
        f"([{cases}[] | (.{metrics} // [])[].name] | unique) as $names | {cases}[] as $t | $names[] as $n | "
        f"{{item: $t.name, metric: $n, score: (first(($t.{metrics} // [])[] | select(.name == $n) | .score) // null)}}"
    )


_TOOLS: tuple[tuple[frozenset[str], Shape], ...] = (
    (frozenset(("evalId", "results")), Shape("promptfoo's output", f".results.results[] | {_PROMPTFOO}")),
    (frozenset(("promptIdx", "testIdx", "provider")), Shape("results of promptfoo", _PROMPTFOO, first=True)),
    (frozenset(("test_results",)), Shape("deepeval's result", _deepeval(".test_results", "metrics_data"))),
    (
        frozenset(("testCases", "metricsScores")),
        Shape("a test run of deepeval", _deepeval(".testCases", "metricsData")),
    ),
    (
        frozenset(("testRunData",)),
        Shape("the latest test run of deepeval", _deepeval(".testRunData.testCases", "metricsData")),
    ),
    (
        frozenset(("results", "configs", "versions")),
        Shape(
            "the averages of the lm-evaluation-harness",
            instead="give the samples beside it, which --log_samples writes: NAME={samples}",
        ),
    ),
    (
        frozenset(("eval_set_id", "tasks")),
        Shape("the list of an eval set of Inspect", instead=_LOGS),
    ),
    (
        frozenset(("simulations", "tasks")),
        Shape("results of tau-bench", ".simulations[] | {item: .task_id, sample: .trial, score: .reward_info.reward}"),
    ),
    (
        frozenset(("spec",)),
        Shape(_EVALS, instead="give the whole log, with a line for each of its events", first=True),
    ),
    (
        frozenset(("id", "input", "scores", "experiment_id")),
        Shape(
            "an experiment of Braintrust",
            'select(.is_root != false) | (.input | if type == "string" then . else tojson end) as $i | '
            "(.scores // {} | to_entries[]) | {item: $i, metric: .key, score: .value}",
            first=True,
        ),
    ),
    (
        frozenset(("accuracy", "correct_count", "total_count")),
        Shape(
            "the scores of BFCL, which name only the items that failed",
            beside=(r"(^|(?<=/))score(?=/)|(?<=_)score(?=[^/]*$)", "result"),
            jq=".id as $i | {item: $i, score: (if any($rows[]; .id == $i) then 0 else 1 end)}",
            first=True,
        ),
    ),
)
"""Files of tools, by keys that all of them have together at the top."""


def tool_of(value: Any, *, first: bool = False) -> Shape | None:
    """The tool that writes such a file, or files whose first line is such an object."""
    if not isinstance(value, dict):
        return None
    if value and all(isinstance(one, dict) and {"eval", "status", "version"} <= set(one) for one in value.values()):
        return Shape("the list of a folder of Inspect's logs", instead=_LOGS)
    row = any(is_known(key) for key in value)  # one key alone may be anybody's
    found = (shape for keys, shape in _TOOLS if keys <= set(value) and (len(keys) > 2 or not row))
    return next((shape for shape in found if shape.first >= first), None)


def tool_of_lines(values: Iterable[Any]) -> Shape | None:
    """The tool that writes a file of such lines, by the first of them."""
    values = list(values)
    tool = tool_of(values[0], first=True) if values else None
    return _classify_events(values[1:]) if tool is not None and tool.name == _EVALS else tool


def _classify_events(events: Iterable[Any]) -> Shape:
    """A log of OpenAI's evals by the events that it holds: matches, or metrics of samples."""
    scored: dict[str, dict[str, None]] = {}
    for event in events:
        if isinstance(event, dict) and "sample_id" in event and isinstance(event.get("data"), dict):
            found = scored.setdefault(str(event.get("type")), {})
            found |= dict.fromkeys(name for name, one in event["data"].items() if isinstance(one, int | float))
    if "correct" in scored.get("match", {}):
        row = "{item: .sample_id, score: (.data.correct | if . then 1 else 0 end)}"
        return Shape(_EVALS, f'select(.type == "match") | {row}', first=True)
    if scored.get("metrics"):
        row = '{item: .sample_id} + (.data | map_values(select(type == "number" or type == "boolean")))'
        return Shape(_EVALS, f'select(.type == "metrics") | {row}', first=True)
    kinds = f"events of the kinds {join(scored)}" if scored else "no events of samples"
    return Shape(
        f"{_EVALS} without a score of any sample ({kinds})",
        instead="write rows with item and score from what it holds, or log the matches of the samples",
        first=True,
    )


def shape_of(value: Any) -> Shape | None:
    """Shape of a JSON value that is the whole file; None for a row, which an object with known keys is."""
    if isinstance(value, list):
        return _list(value)
    if not isinstance(value, dict):
        return None
    tool = tool_of(value)
    return tool if tool is not None else _object(value)


def _list(value: list[Any]) -> Shape:
    if value and not _are_all(value, dict):
        if _are_all(value, (int, float, bool)):
            return Shape("a list of numbers", _PAIRS)
        if _are_all(value, str):
            return Shape("a list of texts", "to_entries[] | {item: .key, output: .value}")
        if _are_all(value, list):
            return Shape("a list of lists", instead="write an object with names for its values for each")
        return Shape("a list", ".[]")
    tool = tool_of_lines(value)
    if tool is not None and tool.jq is not None:
        return Shape(f"a list, each {tool.name}", f".[] | {tool.jq}")
    return Shape("a list of objects", ".[]")


_SCORED = frozenset(("score", *OUTPUT))


def _object(value: dict[str, Any]) -> Shape | None:
    if any(isinstance(one, int | float | str) and name.lower() in _SCORED for name, one in value.items()):
        return None
    inner = list(value.values())
    tables = [key for key, one in value.items() if isinstance(one, list) and len(one) > 1 and _are_all(one, dict)]
    if {"columns", "data"} <= set(value) and isinstance(value["data"], list):
        return Shape("a table as pandas' orient='split' writes it", _SPLIT)
    if len(tables) == 1:
        return Shape(f"an object whose {tables[0]!r} is a list of objects", f".{json.dumps(tables[0])}[]")
    if tables:
        return _classify_lists(value, tables)
    named = any(is_known(key) for key in value)
    if inner and _are_all(inner, list):
        if named:
            return Shape("an object of columns", _TRANSPOSED)
        return Shape("an object of lists, as {system: [score, score]}", _BY_SYSTEM)
    if inner and _are_all(inner, dict):
        if named and len({frozenset(one) for one in inner}) == 1:
            return Shape("a table as pandas' to_json writes it, column by column", _TRANSPOSED)
        scores = all(_are_all(one.values(), (int, float, bool)) for one in inner)
        if scores and not any(is_known(key) for one in inner for key in one):
            return _classify_scores(inner)
        return Shape("an object of objects, as {item: {name: value}}", _ITEMS)
    if named:
        return None
    if inner and _are_all(inner, (int, float, bool, type(None))):
        return Shape("an object with a number for each key, as {item: score}", _PAIRS)
    if inner and _are_all(inner, str):
        return Shape("an object with a text for each key, as {item: output}", _PAIRS.replace("score", "output"))
    return Shape("an object", ".")


def _classify_lists(value: dict[str, Any], tables: list[str]) -> Shape:
    """Lists of rows: of a system each where nothing else stands beside them, and no row names its own."""
    name, first = f"an object with the lists {join(tables)}", f".{json.dumps(tables[0])}[]"
    if len(tables) < len(value) or any("system" in row for key in tables for row in value[key]):
        return Shape(name, first)
    each = "to_entries[] | .key as $s | .value[] | {system: $s} + ."
    return Shape(name, each, others=(("to read the first alone", first),))


_MANY = 10


def _classify_scores(inner: list[dict[str, Any]]) -> Shape:
    """Systems have items in common, and queries few documents; many of them with all in common may be either."""
    every = frozenset[str]().union(*inner)
    most = max(map(len, inner))
    if len(inner) > 1 and len(every) > 2 * most:
        return Shape("an object of objects, as {query: {document: score}}", _BY_SYSTEM, ranks=True)
    if len(every) < len(inner) and all(len(one) == len(every) for one in inner):
        may = "an object of objects, as {item: {system: score}} or {system: {item: score}}"
        ranks = None if len(inner) >= _MANY else False
        may += " or {query: {document: score}}" if ranks is None else ""
        return Shape(may, _ITEMS, others=(("if systems hold items", _BY_SYSTEM),), ranks=ranks)
    if len(inner) < _MANY and all(len(one) == len(every) for one in inner):
        return Shape("an object of objects, as {system: {item: score}}", _BY_SYSTEM)
    both = "an object of objects, as {system: {item: score}} or {query: {document: score}}"
    return Shape(both, _BY_SYSTEM, ranks=None)


def objects_in(text: str, most: int = 3) -> Iterator[Any]:
    """The JSON values that stand one after another in a text, until one is broken."""
    decoder, at = json.JSONDecoder(), 0
    for _ in range(most):
        at += len(text[at:]) - len(text[at:].lstrip())
        if at >= len(text):
            return
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield value


def nested_scores(rows: Iterable[Mapping[str, Any]]) -> str | None:
    """A key whose values are objects with numbers in every row."""
    rows = list(rows)
    for key in rows[0] if rows else ():
        cells = [row.get(key) for row in rows]
        if all(isinstance(cell, dict) and cell and _are_all(cell.values(), (int, float, type(None))) for cell in cells):
            return key
    return None


def _are_all(values: Iterable[Any], kinds: type | tuple[type, ...]) -> bool:
    return all(isinstance(value, kinds) for value in values)


_SUFFIXES = (".gz", ".jsonl", ".ndjson", ".json")


def jq(program: str, file: str, raw: str = "") -> str:
    """The command that writes what a program of jq makes of a file beside it, as ``.rows.jsonl`` or as ``raw`` text."""
    how = "jq -r" if raw else "jq -c"
    if file == "<stdin>":
        return f"{how} {quote(program)} before the pipe"
    stem = file
    for suffix in _SUFFIXES:
        stem = stem.removesuffix(suffix)
    rows = quote(raw or f"{stem}.rows.jsonl")
    if file.endswith(".gz"):
        return f"gzip -dc {_quote(file)} | {how} {quote(program)} > {rows}"
    return f"{how} {quote(program)} {_quote(file)} > {rows}"


def _quote(file: str) -> str:
    """The name of a file as a word of the shell that no program takes for an option."""
    return quote(f"./{file}" if file.startswith("-") else file)
