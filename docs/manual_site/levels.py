"""What was measured of a test, out of ``levels.json``."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from manual_site import text

_SURE = 100
"""Data sets from which on a level says something; cells with fewer count only where there is nothing else."""

_ABOUT = """Worst level over all sizes, in per cent, at a level of 5: **bold** fails (the number of items or runs is
beside it), brackets are another null hypothesis than the test's own, - does not apply. Coverage is that of the interval
printed beside the test without options, at the size where it was worst, in per cent; it should be 95.
:doc:`All sizes, power and peers </levels>`."""

Row = tuple[dict[str, Any], dict[str, Any]]


class Levels:
    """The measurements of every test."""

    def __init__(self, root: Path) -> None:
        self.cells = json.loads((root / "docs" / "levels.json").read_text(encoding="utf-8"))["cells"]

    def of(self, name: str) -> str:
        """Two tables in one: families of data by variants of the test, and the coverage of the first; with a legend."""
        rows = [(c, row) for c in self.cells for row in c["tests"] if row["test"].partition(":")[0] == name]
        if not rows:
            return ""
        variants = sorted({row["test"] for _, row in rows})
        families = list(dict.fromkeys(cell["family"] for cell, _ in rows))
        heads = ["data", *(text.code(variant.partition(":")[2] or variant) for variant in variants), "coverage"]
        body = []
        for family in families:
            here = [(cell, row) for cell, row in rows if cell["family"] == family]
            by_variant = [[pair for pair in here if pair[1]["test"] == variant] for variant in variants]
            body.append([text.escaped(family), *map(_worst, by_variant), _coverage(by_variant[0])])
        return f"{text.table(heads, body)}\n\n{_ABOUT}"

    def fails(self, name: str) -> list[str]:
        """Families of data on which the test, as it is without options, rejects too often at some size."""
        rows = ((cell, row) for cell in self.cells for row in cell["tests"] if row["test"] == name)
        return list(dict.fromkeys(cell["family"] for cell, row in rows if row["own_null"] and row["fails_at"]))

    def others(self, name: str) -> list[str]:
        """Families of data on which its null hypothesis is not that of equal expected scores, which is true of them."""
        rows = ((cell, row) for cell in self.cells for row in cell["tests"] if row["test"] == name)
        return list(dict.fromkeys(cell["family"] for cell, row in rows if not row["own_null"]))

    def refusals(self, name: str) -> list[str]:
        """What the test says where it does not answer, each once."""
        said = (reason for cell in self.cells for test, reason in cell["refused"].items() if test == name)
        return list(dict.fromkeys(said))


def _worst(found: Iterable[Row]) -> str:
    found = list(found)
    if not found:
        return "\\-"
    sure = [each for each in found if each[1]["fails_at"] or each[1]["rounds"] >= _SURE]
    cell, row = max(sure or found, key=lambda each: (bool(each[1]["fails_at"]), each[1]["level_0.05"][0]))
    level = f"{100 * row['level_0.05'][0]:.1f}"
    if not row["own_null"]:
        return f"({level})"
    return f"**{level}** (n = {cell['n']})" if row["fails_at"] else level


def _coverage(found: Iterable[Row]) -> str:
    shares = [row["coverage"][0] for _, row in found if row.get("coverage") and row["own_null"]]
    return f"{100 * min(shares):.1f}" if shares else "\\-"
