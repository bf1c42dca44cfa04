"""Folds of a cross-validation as scikit-learn writes them: no independent items, and a grid of candidates no table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from shlex import quote

from outscore.base.errors import shown
from outscore.base.notes import Note
from outscore.data.choices import ColumnChoice
from outscore.data.columns import ColumnTable, roles_of, texts

OVERLAP = "folds_overlap"
_FOLD = re.compile(r"(cv[ _.-]?)?(fold|split)([ _.-]?(id|no|nr|number))?", re.IGNORECASE)
_NAMED = re.compile(r"(cv[ _.-]?)?(fold|split)[ _.-]?\d+", re.IGNORECASE)
_OF_SPLIT = re.compile(r"split\d+_test_(.+)")
_MOST_FOLDS = 20


def folded(grid: ColumnTable, choices: Sequence[ColumnChoice]) -> ColumnTable:
    """The table with a note where its items are folds, whose scores hang together.

    Raises:
        InputError: results of a search over candidates, with the command that makes rows of their folds.
    """
    _refuse_search(grid, choices)
    item = next((choice.names for choice in choices if choice.role == "item"), ())
    fold = next((name for name in item if _FOLD.fullmatch(name) and name in grid.columns), None)
    own = roles_of(list(grid.columns), grid.described).item
    if "fit_time" in grid.columns and any(name.startswith("test_") for name in grid.columns):
        why, count = "'fit_time' and 'test_...' are columns of scikit-learn's cross_validate", grid.n
    elif fold is not None:
        why, count = f"-c item={'+'.join(item)}", len(set(texts(grid.columns[fold])))
    elif not item and own is not None and all(_NAMED.fullmatch(str(cell)) for cell in grid.columns[own]):
        ids = dict.fromkeys(texts(grid.columns[own]))
        why, count = f"they are called {shown(ids, 2)}", len(ids)
    else:
        return grid
    k = count if 2 <= count <= _MOST_FOLDS else 10
    note = Note(
        code=OVERLAP,
        text=f"the items are folds of a cross-validation ({why}), whose training sets overlap: a test that takes them "
        "for independent items finds differences too often",
        remedy=f"judge the same files with outscore bayes --method t:rho={1 / k:.4g} (rho = n_test/n_total, "
        f"1/{k} for {k} folds), which reckons with it",
    )
    return replace(grid, notes=(*grid.notes, note))


def _refuse_search(grid: ColumnTable, choices: Sequence[ColumnChoice]) -> None:
    splits = [name for name in grid.columns if _OF_SPLIT.fullmatch(name)]
    if "params" not in grid.columns or not splits or choices:
        return
    stem = grid.file.removesuffix(".gz").removesuffix(".csv")
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
        remedy=f"make rows of the folds: python3 -c {shell}; and judge them with their correlation: outscore bayes "
        f"{quote(rows)} -m {metrics[0]} --method t:rho={1 / max(folds, 2):.4g}",
    )
