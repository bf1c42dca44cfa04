"""Draws the house as a picture of floors, rooms and arrows, and lists its rooms; ``python -m tests.docs.house``.

Floors come from the contract of import-linter, rooms from the folders, arrows from the imports. What a floor
reaches over another has no arrow of its own.
"""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from xml.sax.saxutils import escape

from tests.contract.sources import nodes_of, syntax_of

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "outscore"
PICTURE = ROOT / "docs" / "pictures" / "house.svg"
PAGE = ROOT / "docs" / "packages.md"

_WIDTH, _MARGIN, _GAP, _LINE, _ROW = 860, 20, 16, 15, 44
_LETTER = 6.3
_COLUMNS = 7
_PLACES = {
    "cli": (0, 0, 7), "studies": (1, 0, 6), "verbs": (2, 0, 6), "report": (2, 6, 7),
    "agreement": (3, 0, 2), "multiplicity": (3, 2, 3.5), "power": (3, 3.5, 5), "significance": (4, 0, 5),
    "engine": (5, 0, 2.5), "metrics": (5, 2.5, 5), "data": (5, 5, 6), "jobs": (6, 0, 2.5), "results": (6, 5, 7),
    "base": (7, 0, 7),
}  # fmt: skip
"""Row, and first and last edge in columns, so that no arrow crosses a box."""


def read_floors() -> list[str]:
    """Packages from the top to the ground."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = next(one["layers"] for one in settings["contracts"] if one["type"] == "layers")
    return [name.removeprefix("outscore.") for layer in layers for name in re.split(r" [|:] ", layer)]


def find_rooms(floor: str) -> list[str]:
    """The folders of a floor."""
    return sorted(file.parent.name for file in (SOURCE / floor).glob("*/__init__.py"))


def find_arrows() -> set[tuple[str, str]]:
    """Which floor imports which."""
    floors = read_floors()
    found = set()
    for floor in floors:
        for file in (SOURCE / floor).rglob("*.py"):
            for node in nodes_of(file):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                found |= {(floor, name.split(".")[1]) for name in names if name.startswith("outscore.")}
    return {(one, other) for one, other in found if one != other and other in floors}


def reduce(arrows: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Arrows without those that others make together."""
    reach = set(arrows)
    while more := {(a, d) for a, b in reach for c, d in arrows if b == c} - reach:
        reach |= more
    return {(a, b) for a, b in arrows if not any((a, c) in reach and (c, b) in reach for c in {d for _, d in reach})}


def page() -> str:
    """The page of the packages, floor by floor, each in the words of its docstring."""
    rows = [
        (
            ".".join(file.parent.relative_to(SOURCE.parent).parts),
            str(ast.get_docstring(syntax_of(file))).splitlines()[0],
        )
        for floor in read_floors()
        for file in sorted((SOURCE / floor).rglob("__init__.py"))
    ]
    head = """# Floors and rooms

Made by `python -m tests.docs.house` from the docstrings of the packages, from the command line down to the base.
[The house](architecture.md) has them as a picture.

| package | what is in it |
|---|---|
"""
    return head + "".join(f"| `{name}` | {said.replace('``', '`')} |\n" for name, said in rows)


def draw() -> str:
    """The picture as SVG."""
    boxes: dict[str, tuple[float, float, float, float]] = {}
    texts, top = [], float(_MARGIN)
    column = (_WIDTH - 2 * _MARGIN + _GAP) / _COLUMNS
    for row in range(1 + max(row for row, _, _ in _PLACES.values())):
        edges = {floor: (first, last) for floor, (at, first, last) in _PLACES.items() if at == row}
        widths = {floor: (last - first) * column - _GAP for floor, (first, last) in edges.items()}
        lines = {floor: _wrap(find_rooms(floor), int(width / _LETTER) - 2) for floor, width in widths.items()}
        height = _LINE * (1 + max(map(len, lines.values()))) + 12
        for floor, width in widths.items():
            left = _MARGIN + edges[floor][0] * column
            boxes[floor] = (left, top, width, height)
            texts.append(f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}"/>')
            for number, line in enumerate((floor, *lines[floor])):
                kind = ' class="floor"' if number == 0 else ""
                at = top + _LINE * (number + 1)
                texts.append(f'<text x="{left + width / 2:.1f}" y="{at:.1f}"{kind}>{escape(line)}</text>')
        top += height + _ROW
    lines_drawn = [_arrow(boxes[one], boxes[other]) for one, other in sorted(reduce(find_arrows()))]
    return "\n".join(
        (_HEAD.format(width=_WIDTH, height=f"{top - _ROW + _MARGIN:.0f}"), *lines_drawn, *texts, "</svg>\n")
    )


def _wrap(words: list[str], letters: int) -> list[str]:
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) + 3 <= letters:
            lines[-1] += f" · {word}"
        else:
            lines.append(word)
    return lines


def _arrow(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> str:
    """From the lower edge of one box to the upper edge of another, as straight down as both allow."""
    low, high = max(one[0], other[0]) + 12, min(one[0] + one[2], other[0] + other[2]) - 12
    start = end = (low + high) / 2
    if low > high:
        start, end = (
            min(max(end, one[0] + 12), one[0] + one[2] - 12),
            min(max(start, other[0] + 12), other[0] + other[2] - 12),
        )
    return f'<path d="M{start:.1f} {one[1] + one[3]:.1f} L{end:.1f} {other[1] - 2:.1f}"/>'


_HEAD = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">
<title>The floors of outscore, the rooms on each, and which floor imports which</title>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0 0 L8 4 L0 8 z" fill="#888" stroke="none"/></marker></defs>
<style>
svg {{ background: #fff }}
rect {{ fill: #f2f5f9; stroke: #4a6785; rx: 4 }}
path {{ stroke: #888; fill: none; marker-end: url(#head) }}
text {{ font: 11px sans-serif; fill: #333; text-anchor: middle }}
.floor {{ font-weight: bold; font-size: 13px; fill: #1d3557 }}
</style>"""


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8", newline="\n")
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
