"""``convert``: whatever can be read, as the one long table that every command reads."""

from __future__ import annotations

from typing import Any

from outscore.base.files import check_no_file
from outscore.data.align import Missing
from outscore.data.write import LongTable, long_table
from outscore.verbs.shared.inputs import align_from


def convert(data: Any, *, references: Any = None, items: Any = None, missing: Missing = "error") -> LongTable:
    """The data as one long table: a row for each item of each run of each system.

    Args:
        data, references, items, missing: as in ``compare``; one system is enough.

    Returns:
        A table with ``columns`` by name, ``to("csv")`` (or tsv, jsonl, parquet), and ``notes``.

    Raises:
        UsageError: an option is wrong.
        InputError: the data are wrong.
    """
    check_no_file("convert", "read", ["data"], [data])
    return long_table(align_from(data, references=references, items=items, missing=missing))
