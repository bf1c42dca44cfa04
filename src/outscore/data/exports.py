"""Tables that programs export, and folds of a cross-validation, which are no independent items."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import replace
from pathlib import PurePath
from shlex import quote

import numpy as np

from outscore.base.errors import InputError, join
from outscore.base.notes import Note
from outscore.data.choices import ColumnChoice
from outscore.data.columns import ITEM, OUTPUT, RUN, SAMPLE, SYSTEM, ColumnTable, number, numbers, roles_of, texts
from outscore.data.measures import QUALITY, parse_measure
from outscore.data.prompt_tables import spread_marked
from outscore.data.source import unpacked_name

LANGFUSE = "langfuse_scores"
_OF_SCORES = frozenset(("id", "name", "value"))
_TRACES = ("traceId", "trace_id")
_DATASET_ITEMS = ("datasetItemId", "dataset_item_id")
_KEPT = frozenset((*SYSTEM, *RUN, *SAMPLE, "domain", "cluster"))
_RAGAS = frozenset(("user_input", "response", "reference"))
_INSPECT = frozenset(("sample_id", "eval_id", "log", "id", "epoch"))
_TRANSLATED = frozenset(("src", "mt"))
_HUMAN_EVAL = frozenset(("task_id", "completion", "passed"))


def apply_export(grid: ColumnTable, choices: Sequence[ColumnChoice]) -> ColumnTable:
    """The table with the columns of a tool under the names of their roles, unless the user says what they are.

    Raises:
        InputError: an export that says too little or too much, with the command that makes rows of it.
    """
    said = {choice.role for choice in choices}
    if set(grid.columns) >= _OF_SCORES and not said & {"item", "metric", "score"}:
        return _langfuse(grid, {name for choice in choices for name in choice.names})
    if set(grid.columns) >= _RAGAS and not said & {"output", "reference", "label"}:
        _refuse_ragas(grid)
    if set(grid.columns) >= _INSPECT and "item" not in said:
        _refuse_samples_of_inspect(grid)
    grid = spread_marked(grid)
    if _is_metricx(grid):
        if any("prediction" in choice.names for choice in choices):
            error = "'prediction' is what MetricX predicts of each hypothesis, an error score: lower is better"
            raise grid.error(error, remedy="take it with -m metricx, or -m mean:column=metricx if higher is better")
        names = {"prediction": "metricx"} | ({} if "system" in said else {"system_id": "system"})
        columns = {names.get(name, name): cells for name, cells in grid.columns.items()}
        return replace(grid, columns=columns, described=grid.described | {"label"})  # which people judged
    if set(grid.columns) >= _TRANSLATED and "output" not in said and _has_one_translation(grid):
        columns = {"output" if name == "mt" else name: cells for name, cells in grid.columns.items()}
        return replace(grid, columns=columns)
    if set(grid.columns) >= _HUMAN_EVAL and not said & {"item", "sample"}:
        return _number_samples(grid)
    return grid


def _is_metricx(grid: ColumnTable) -> bool:
    """Whether ``prediction`` is the error score that MetricX predicts of a hypothesis, from 0 to 25."""
    if not {"hypothesis", "prediction"} <= set(grid.columns) or not {"source", "reference"} & set(grid.columns):
        return False
    parsed = numbers(grid.columns["prediction"], typed=grid.typed)
    fits = np.all((parsed.values >= 0) & (parsed.values <= 25)) and np.any(parsed.values % 1)
    return bool(fits) and not parsed.bad and not {"premise", "metricx"} & set(grid.columns)


def _has_one_translation(grid: ColumnTable) -> bool:
    """Whether ``mt`` is the output of one system, as in tables made of COMET's JSON: beside a score no other texts."""
    roles = roles_of(list(grid.columns), grid.described)
    rest = [name for name in roles.rest if name not in _TRANSLATED]
    scores = [name for name in rest if (said := parse_measure(name)) and said.kind == QUALITY]
    numeric = all(not numbers(grid.columns[name], typed=grid.typed).bad for name in rest)
    return roles.output is None and "score" not in rest and bool(scores) and numeric


def twice_in_header(header: Sequence[str], second: Sequence[str], file: str) -> str:
    """Remedy for a header that has a name more than once; ``second`` is the line behind it."""
    stem = _stem(file, ".csv", ".tsv")
    if header[0].lower() not in ITEM and _is_grid(header[1:], second[1:]):
        first = zip((header[0], second[0]), ("system", "run"), strict=True)
        names = ", ".join(repr(name or role) for name, role in first)
        long = f"{stem}.long.csv"
        program = (
            f"import pandas as pd; t = pd.read_csv({file!r}, header=[0, 1], index_col=0); "
            f"t.columns.names = [{names}]; t.index.name = 'item'; "
            f"t.unstack().rename('score').reset_index().to_csv({long!r}, index=False)"
        )
        shell = quote(program) if set(program) & set('$`\\"!') else f'"{program}"'
        return f"these are two lines of header, as pandas writes a pivot; make rows of them: python3 -c {shell}"
    return "give every column its own name"


def _is_grid(header: Sequence[str], second: Sequence[str]) -> bool:
    """Whether every name of the header has the same several names below it."""
    below: dict[str, list[str]] = {}
    for name, other in zip(header, second, strict=False):
        below.setdefault(name, []).append(other)
    parts = list(below.values())
    return len(header) == len(second) and len(parts[0]) > 1 and all(p == parts[0] for p in parts) and all(parts[0])


def _langfuse(grid: ColumnTable, named: Set[str]) -> ColumnTable:
    """Scores of Langfuse: the id is of the score, which no two runs share, and the trace, or better what it is of, the
    item; beside them the columns that the user named.
    """
    item = next((name for name in (*_DATASET_ITEMS, *_TRACES) if name in grid.columns), None)
    if item is None:
        return grid
    columns = {"item": grid.columns[item], "metric": grid.columns["name"], "score": grid.columns["value"]}
    columns |= {name: cells for name, cells in grid.columns.items() if name.lower() in _KEPT or name in named}
    unread = [name for name in grid.columns if name not in (item, "name", "value") and name not in columns]
    note = Note(
        code=LANGFUSE,
        text=f"scores of Langfuse (without {join(unread)}): {item!r} is taken for the item, 'name' for the metric and "
        "'value' for the score",
        remedy="say it otherwise with -c item=COLUMN -c metric=COLUMN -c score=COLUMN"
        if item in _DATASET_ITEMS
        else "where each run has traces of its own, add a column datasetItemId, which the API names for each traceId "
        "in the datasetRunItems of api/public/datasets/DATASET/runs/RUN",
    )
    return replace(grid, columns=columns, notes=(*grid.notes, note))


def _refuse_ragas(grid: ColumnTable) -> None:
    if any(name.lower() in OUTPUT for name in grid.columns):
        return
    others = [name for name in grid.columns if name not in _RAGAS]
    metric = next((name for name in others if not numbers(grid.columns[name], typed=grid.typed).bad), "METRIC")
    raise grid.error(
        "is a result of Ragas, where 'response' is the output and 'reference' a gold beside scores",
        remedy=f"say so: -c item=user_input -c output=response -m {quote(metric)}",
    )


def _refuse_samples_of_inspect(grid: ColumnTable) -> None:
    scores = [name for name in grid.columns if name.startswith("score_")]
    rows = list(zip(texts(grid.columns["id"]), texts(grid.columns["epoch"]), strict=True))
    grades = [name for name in scores if numbers(grid.columns[name], typed=grid.typed).bad]
    if len(set(rows)) == len(rows) and len(grades) < len(scores):
        return
    logs = dict.fromkeys(texts(grid.columns["log"]))
    why = f"grades of {join(grades, 3)}" if grades else f"samples of {len(logs)} logs"
    where = dict.fromkeys(str(PurePath(log).parent / f"*{PurePath(log).suffix}") for log in logs)
    raise grid.error(
        f"is a table of samples that Inspect made of its logs, with {why}",
        remedy=f"give the logs that its column 'log' names: outscore compare {' '.join(map(quote, where))}",
    )


def _number_samples(grid: ColumnTable) -> ColumnTable:
    """Results of HumanEval: those of a task are its samples, and nothing but their order tells them apart."""
    tasks = texts(grid.columns["task_id"])
    if len(set(tasks)) == len(tasks) or any(name.lower() in SAMPLE for name in grid.columns):
        return grid
    seen: Counter[str] = Counter()
    numbers = []
    for task in tasks:
        seen[task] += 1
        numbers.append(str(seen[task]))
    text = f"{grid.file} holds {len(tasks)} results of {len(seen)} tasks: those of a task were numbered as its samples"
    return replace(
        grid, columns={**grid.columns, "sample": numbers}, notes=(*grid.notes, Note(code="rows_made", text=text))
    )


def _stem(file: str, *suffixes: str) -> str:
    stem = unpacked_name(file)
    for suffix in suffixes:
        stem = stem.removesuffix(suffix)
    return stem


OVERLAP = "folds_overlap"
_FOLD = re.compile(r"(cv[ _.-]?)?(fold|split)([ _.-]?(id|no|nr|number))?", re.IGNORECASE)
_NAMED = re.compile(r"(cv[ _.-]?)?(fold|split)[ _.-]?\d+", re.IGNORECASE)
_OF_SPLIT = re.compile(r"split\d+_test_(.+)")
_MOST_FOLDS = 20


def note_folds(grid: ColumnTable, choices: Sequence[ColumnChoice]) -> ColumnTable:
    """The table with a note where its items are folds, whose scores hang together.

    Raises:
        InputError: results of a search over candidates, with the command that makes rows of their folds.
    """
    _refuse_search(grid, choices)
    item, run = (next((choice.names for choice in choices if choice.role == role), ()) for role in ("item", "run"))
    fold = next((name for name in (*item, *run) if _FOLD.fullmatch(name) and name in grid.columns), "")
    kind, names = ("run", run) if fold in run else ("item", item)
    own = roles_of(list(grid.columns), grid.described).item
    sets = [n for n in item or [own or ""] if n in grid.columns and n.lower() not in (fold.lower(), *RUN, *SAMPLE)]
    rows = [*zip(*(texts(grid.columns[name]) for name in (*sets, fold)), strict=True)] if fold else []
    several = 1 < len({row[:-1] for row in rows}) < len({*rows})  # and each has folds
    if "fit_time" in grid.columns and any(name.startswith("test_") for name in grid.columns):
        why, count = "'fit_time' and 'test_...' are columns of scikit-learn's cross_validate", grid.n
    elif fold and (several or kind == "item"):
        why, count = f"-c {kind}={quote('+'.join(names))}", len(set(texts(grid.columns[fold])))
    elif not item and own is not None and all(_NAMED.fullmatch(str(cell)) for cell in grid.columns[own]):
        ids = dict.fromkeys(texts(grid.columns[own]))
        why, count = f"they are called {join(ids, 2)}", len(ids)
    else:
        return grid
    k = count if 2 <= count <= _MOST_FOLDS else 10
    of, rest = (quote("+".join(some)) for some in (sets, (name for name in names if name not in sets)))
    errs = "errs, as systems share them, too" if kind == "run" else "finds differences too often"
    note = Note(
        code=OVERLAP,
        text=f"the {kind}s are folds of a cross-validation ({why}), whose training sets overlap: a test that takes "
        f"them for independent {kind}s {errs}",
        remedy=f"average the folds of each {of}, which is then called item: -c item={of} -c sample={rest}"
        if several
        else f"judge the same files with outscore compare --posterior t:rho={1 / k:.4g} (rho = n_test/n_total, "
        f"1/{k} for {k} folds), which reckons with it",
    )
    return replace(grid, notes=(*grid.notes, note))


def _refuse_search(grid: ColumnTable, choices: Sequence[ColumnChoice]) -> None:
    splits = [name for name in grid.columns if _OF_SPLIT.fullmatch(name)]
    if "params" not in grid.columns or not splits or choices:
        return
    stem = unpacked_name(grid.file).removesuffix(".csv")
    rows = f"{stem}.folds.csv"
    metrics = list(dict.fromkeys(name.partition("_test_")[2] for name in splits))
    folds = len(splits) // len(metrics)
    program = (
        f"import pandas as pd; t = pd.read_csv({grid.file!r}); "
        "r = t.melt('params', [c for c in t if c[:5] == 'split' and '_test_' in c], value_name='score'); "
        "r[['item', 'metric']] = r.pop('variable').str.split('_test_', n=1, expand=True); "
        f"r.rename(columns=dict(params='system')).to_csv({rows!r}, index=False)"
    )
    shell = quote(program) if set(program) & set('$`\\"!') else f'"{program}"'
    raise grid.error(
        f"holds results of a search over parameters (scikit-learn's cv_results_): {grid.n} candidates, each with the "
        f"scores of {folds} folds",
        remedy=f"make rows of the folds: python3 -c {shell}; and judge them with their correlation: outscore compare "
        f"{quote(rows)} -m {quote(metrics[0])} --posterior t:rho={1 / max(folds, 2):.4g}",
    )


_PAIRS = re.compile(r"[^\s=,;:]+:?((\s+[^\s=,;:]+)=[+-]?[\d.]+)+\s*")
_FEWEST_LINES = 3


def check_layout(lines: Sequence[str], file: str) -> None:
    """Refuses a table that is no CSV: columns aligned by blanks, or lines as ``q1: base=0.4 new=0.5``.

    Raises:
        InputError: with the command that makes a table of it.
    """
    filled = [line.strip() for line in lines if line.strip()]
    if len(filled) < _FEWEST_LINES or any("\t" in line or "," in line for line in filled):
        return
    names = {tuple(re.findall(r"\s([^\s=]+)=", line)) for line in filled}
    rows = [re.split(" {2,}", line) for line in filled]
    below, source, stem = [cell for row in rows[1:] for cell in row[1:]], quote(file), quote(PurePath(file).stem)
    if len(names) == 1 and all(map(_PAIRS.fullmatch, filled)):
        what, header = "names and numbers stand in each line", quote(",".join(["item", *names.pop()]))
        shell = f"(echo {header}; sed -E 's/:? +[^ =]+=/,/g' {source}) > {stem}.csv"
    elif (
        {*map(len, rows)} == {len(rows[0])} != {1}
        and all(number(cell) is None for cell in rows[0])
        and all(number(cell) is not None for cell in below)
    ):
        what, shell = "blanks separate the columns", rf"sed -E 's/^ +| +$//g; s/ {{2,}}/\t/g' {source} > {stem}.tsv"
    else:
        return
    raise InputError(
        f"{what}, expected commas, semicolons or tabs between cells",
        file=file,
        line=1,
        remedy=f"make a table of it: {shell}",
    )
