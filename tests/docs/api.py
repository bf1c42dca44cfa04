"""The page of the public names: ``python -m tests.docs.api`` writes it from signatures and docstrings."""

from __future__ import annotations

import dataclasses
import inspect
import re
from typing import Any

import outscore
from outscore.results.result import Result
from tests.docs.words import DOCS

PAGE = DOCS / "api.md"

ABOUT = {
    "advise.md": "advise Advice audit Audit",
    "agree.md": "agree Agreement read_annotations",
    "formats.md": "read read_apart convert Items References",
    "history.md": "history check_history export_history import_history History Uses",
    "humans.md": "humans Humans read_judgments correlate Correlations",
    "judge.md": "judge Judgements",
    "metrics.md": "metric Metric",
    "power.md": "plan Power ppv PredictiveValue",
    "python.md": "InputError UsageError MissingExtra OutscoreError Interrupted load",
    "rank.md": "rank Leaderboard",
    "recheck.md": "recheck Recheck",
    "replicate.md": "replicate Replication",
    "report.md": "plot",
    "score.md": "score Scores",
    "sequential.md": "sequential Sequences Sequential follow",
    "studies.md": "study Findings",
    "which-test.md": "compare Comparison",
}
"""The page that has the question, the formulas and the sources of each name."""
OF_ALL = (
    *("sentence", "metrics", "rows", "to", "to_dict", "to_json", "from_json", "to_latex", "to_markdown"),
    *("to_pandas", "to_polars"),
)
"""What all results have for those who read them; the rest of ``Result`` is for reports and for verbs of others."""
PROVISIONAL = {"Findings", "Items", "Metric", "Sequential", "follow", "metric", "read_apart", "study"}
"""Names that may change in any release, as packages of others are still to show what they need."""

_SECTION = re.compile(r"^(Args|Attributes|Class attributes|Raises|Returns|Yields|Example):+$", re.MULTILINE)
_HEAD = """# Every public name

Made by `python -m tests.docs.api` from signatures and docstrings; `help(outscore.NAME)` has the same.

Shapes stand in brackets: `(items,)` is a number for each item, `(runs, items)` one for each run and item. Scores and
gains are in the unit of the metric, p-values and levels from 0 to 1, seeds whole numbers. Every error but `Interrupted`
is an `OutscoreError`. [Python](python.md) is the introduction.

**What may change.** Names without a mark are stable: from 1.0 on they change with a major version alone, and until then
only with a line in the [changes](../CHANGELOG.md). An old name is answered with the new one for a version.
*Provisional* names may change in any release, and so may all that is not on this page, but for what
[the page of metrics](metrics.md) and [contributing](../CONTRIBUTING.md) import. JSON has a `schema_version`, which
rises where a field changes or goes. A number that was wrong is mended in any release, and said first in the changes.
"""


def page() -> str:
    """The page as it is to be."""
    called: list[str] = []
    given: list[str] = []
    errors: list[str] = []
    for name in names():
        thing = getattr(outscore, name)
        is_error = inspect.isclass(thing) and issubclass(thing, Exception)
        (errors if is_error else given if inspect.isclass(thing) else called).append(_entry(name, thing))
    parts = ("Functions", called), ("Results, and what is given", given), ("Errors", errors)
    whole = _HEAD + "".join(f"\n## {title}\n\n" + "\n".join(entries) for title, entries in parts)
    common = "\n".join(f"- {_method(Result, name)}" for name in OF_ALL)
    return whole + f"\n## What all results have\n\n{common}\n"


def names() -> list[str]:
    """The public names that are no numbers."""
    return [name for name in outscore.__all__ if not name.startswith("__")]


def page_about(name: str) -> str:
    """Where the manual explains it."""
    return next(page for page, about in ABOUT.items() if name in about.split())


def parameters(thing: Any) -> list[str]:
    """What it takes, or, of a record, what it holds beside what all results hold."""
    if inspect.isclass(thing) and dataclasses.is_dataclass(thing):
        common = {
            f.name
            for base in inspect.getmro(thing)[1:]
            if dataclasses.is_dataclass(base)
            for f in dataclasses.fields(base)
        }
        return [f.name for f in dataclasses.fields(thing) if f.name not in common and not f.name.startswith("_")]
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return []
    return [one for one in inspect.signature(thing).parameters if one != "self"]


def methods(thing: Any) -> list[str]:
    """Methods and properties of a class, but for what all results have and what only reports ask for."""
    if not inspect.isclass(thing) or issubclass(thing, Exception):
        return []
    common = dir(Result) if issubclass(thing, Result) else ()
    kinds = (property, classmethod, staticmethod)
    return [
        name
        for name, value in list(vars(thing).items())
        if not name.startswith(("_", "describe_")) and name not in common and name not in parameters(thing)
        if inspect.isfunction(value) or isinstance(value, kinds)
    ]


def _method(thing: Any, name: str) -> str:
    value = inspect.getattr_static(thing, name)
    called = value.__func__ if isinstance(value, classmethod | staticmethod) else value
    takes = [] if isinstance(value, property) else [*inspect.signature(called).parameters][1:]
    shown = name if isinstance(value, property) else f"{name}({', '.join(takes)})"
    return f"`{shown}`: {_plain(' '.join((inspect.getdoc(called) or '').partition(chr(10) * 2)[0].split()))}"


def said(thing: Any) -> dict[str, str]:
    """The parts of its docstring: the words before the first section under an empty name."""
    parts = _SECTION.split(inspect.getdoc(thing) or "")
    return {"": parts[0].strip(), **dict(zip(parts[1::2], parts[2::2], strict=True))}


def _entry(name: str, thing: Any) -> str:
    parts = said(thing)
    mark = " (provisional)" if name in PROVISIONAL else ""
    lines = [f"### `{name}`{mark}", "", _plain(parts[""]), ""]
    points = [
        point
        for title in ("Args", "Attributes", "Class attributes", "Returns", "Raises")
        if title in parts
        for point in ("", f"{title}:", "", *_items(parts[title]))
    ]
    if found := methods(thing):
        points += ["", "Methods:", "", *(f"- {_method(thing, one)}" for one in found)]
    if points:
        lines += ["<details><summary>Arguments, fields, methods, errors</summary>", *points, "", "</details>", ""]
    if not isinstance(thing, type) or dataclasses.is_dataclass(thing):
        lines.append(f"Question, formula and source: [{page_about(name)}]({page_about(name)})\n")
    return "\n".join(lines)


def _items(text: str) -> list[str]:
    """A line for each indented point of a section."""
    points = re.split(r"\n(?=\S)", inspect.cleandoc(text))
    return [f"- {_plain(' '.join(point.split()))}" for point in points if point.strip()]


def _plain(text: str) -> str:
    return re.sub(r"``([^`]+)``", r"`\1`", text).replace("<", "\\<")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
