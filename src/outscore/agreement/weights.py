"""How much two labels agree, from a table of one's own."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError, join
from outscore.data.columns import parse_numbers, texts
from outscore.data.readers.table import grid_of
from outscore.data.source import open_source

BY_DISTANCE = ("none", "linear", "quadratic", "radical", "ordinal", "ratio")
"""Weights that need no table."""
_FILE = re.compile(r".*\.(csv|tsv)(\.\w+)?", re.IGNORECASE)


def is_table(weights: str) -> bool:
    """Whether weights are the name of a table."""
    return _FILE.fullmatch(weights) is not None


def read_weights(file: str, labels: Sequence[str]) -> Float:
    """The credit ``(labels, labels)`` in a table with a row and a column for each label, 1 for the same.

    Raises:
        InputError: it lacks a label, or credit is not the same both ways, from 0 to 1, and 1 for the same label.
    """
    grid = grid_of(open_source(file), "table")
    first, *others = grid.columns
    rows = texts(grid.columns[first])
    if lacking := [label for label in labels if label not in rows or label not in others]:
        raise InputError(
            f"no credit for {join(lacking)}; there are rows of {join(rows)} and columns of {join(others)}",
            file=file,
            line=1,
            remedy="write a row and a column for each label",
        )
    of_rows = [rows.index(label) for label in labels]
    credit = np.stack([parse_numbers(grid, label)[of_rows] for label in labels], axis=1)
    if not ((credit >= 0) & (credit <= 1)).all() or (credit != credit.T).any() or (np.diag(credit) != 1).any():
        raise InputError(
            "found credit that is not from 0 to 1, 1 for the same label, and the same both ways",
            file=file,
            remedy="write how much two labels agree, as 1,0.5,0 in the first row of three labels in order",
        )
    return credit
