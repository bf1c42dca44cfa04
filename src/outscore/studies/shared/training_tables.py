"""Tables of training sets: how many there are, what came of them, whether chance drew them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from outscore.base.errors import inflect
from outscore.results.study import DataTable, Field, Finding, Value
from outscore.studies import Found, Spec
from outscore.studies.shared.training import expect_distinct

THERE, FAILED, MISSING, NONE = "there", "failed", "missing", "no command"
"""States of an output; the last of a training set that nothing is trained on."""

_STATES = (THERE, FAILED, MISSING)
_SURE = 4.0
"""Standard errors within which a number of distinct items agrees with theory: 6 of 100,000 do not by chance."""


def design(lines: Sequence[dict[str, Any]]) -> str:
    """How many sets there are, of what, for whom."""
    sets = {(line["size"], line["draw"]) for line in lines}
    sizes = sorted({size for size, _ in sets})
    systems = sorted({line["system"] for line in lines} - {""})
    how = "with" if lines[0]["replace"] else "without"
    trained = f", {inflect(len(systems), 'system')} on each" if systems else ""
    return (
        f"{inflect(len(sets), 'training set')} of {', '.join(f'{size:,}' for size in sizes)} items, drawn {how} "
        f"replacement from {lines[0]['of']:,}{trained}."
    )


def counts(lines: Sequence[dict[str, Any]], states: Sequence[str]) -> DataTable:
    """Training sets of each system and size, and the states of their outputs."""
    asked = Counter((line["system"], line["size"]) for line in lines)
    have = Counter((line["system"], line["size"], state) for line, state in zip(lines, states, strict=True))
    trained = any(system for system, _ in asked)
    outputs = tuple(Field(name=state, title=f"Outputs {state}", kind="count") for state in _STATES) if trained else ()
    return DataTable(
        name="trainings",
        title="Training sets",
        fields=(
            *((Field(name="system", title="System", kind="text"),) if trained else ()),
            Field(name="size", title="Items", kind="count"),
            Field(name="sets", title="Sets", kind="count"),
            *outputs,
        ),
        rows=tuple(
            (
                *((system,) if trained else ()),
                size,
                sets,
                *((have[system, size, state] for state in _STATES) if trained else ()),
            )
            for (system, size), sets in asked.items()
        ),
    )


def files(lines: Sequence[dict[str, Any]], states: Sequence[str]) -> DataTable:
    """A row for each line of the manifest."""
    rows: list[tuple[Value, ...]] = [
        (line["id"], line["system"], line["size"], line["draw"], line["seed"], line["train"], line["output"], state)
        for line, state in zip(lines, states, strict=True)
    ]
    return DataTable(
        name="files",
        title="Every training",
        fields=(
            Field(name="id", title="Training", kind="text"),
            Field(name="system", title="System", kind="text"),
            Field(name="size", title="Items", kind="count"),
            Field(name="draw", title="Draw", kind="count"),
            Field(name="seed", title="Seed", kind="count"),
            Field(name="train", title="Training set", kind="text"),
            Field(name="output", title="Output", kind="text"),
            Field(name="state", title="State", kind="text"),
        ),
        rows=tuple(rows),
        printed=False,
    )


def find_distinct(cells: Sequence[tuple[Spec, Found]]) -> list[Finding]:
    """Whether as many items come twice as chance has it, which is the law of drawing with replacement."""
    lines = [spec["line"] for spec, _ in cells]
    if not lines[0]["replace"]:
        return []
    found = []
    for size in dict.fromkeys(line["size"] for line in lines):
        of = {spec["line"]["draw"]: c["distinct"] for spec, c in cells if spec["line"]["size"] == size}
        expected, spread = expect_distinct(lines[0]["of"], size)
        error, value = spread / len(of) ** 0.5, sum(of.values()) / len(of)
        fits = abs(value - expected) <= _SURE * error + 1e-9 * expected
        what = f"Distinct items in a set of {size:,} (of {lines[0]['of']:,})"
        found.append(
            Finding(what=what, value=value, error=error, expected=expected, verdict="agrees" if fits else "differs")
        )
    return found
