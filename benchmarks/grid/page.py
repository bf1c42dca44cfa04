"""The page: what the cells say, in tables of Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from table import markdown

from grid.cell import Cell
from grid.family import Family
from grid.procedures import IN_WORDS, SILENT

Row = dict[str, Any]
Chosen = tuple[Cell, Row]

KINDS = {
    "pairs": "Two systems on the same items",
    "samples": "Two systems measured apart",
    "groups": "Four systems at once",
}
ALPHA = "0.05"
_SURE = 100

_ABOUT = """# Level, coverage and power of every test

Made by `python benchmarks/levels.py`; every number with its Monte-Carlo error is in [levels.json](levels.json).
{rounds}

Each family of data is drawn many times without a difference between the systems, at sizes from 10 to 1,000 items (or 3
to 50 runs of each system), and every registered test sees each data set. The **level** is how often p is .05 or less;
it should be 5 %. A test *fails* in a cell where it rejects more often than that by more than three Monte-Carlo errors,
at .05 or at .01; so that chance alone makes no failure, a cell that is just above is drawn again, with twice as many
data sets, and what counts are these. A test whose own null hypothesis is not true of a family is no failure there,
whatever it rejects: that is another null, in brackets. `auto` is what a comparison does when no test is named; it is
held to the claim of a gain on new items, and over new runs where there are several. A test that fails carries a note
at run time; a failure without one makes the command end with exit code 1.

**Power** is measured with an effect that a t (or F) test made for the family finds in 65 % of cases, beside the tests
of scipy and statsmodels with the same null hypothesis on the same data sets, and **coverage** is how often the interval
printed beside the test holds the true gain, without the effect and with it.
"""

_SUMMARY = """## In one table

For each test the families of data on which it holds its level at every size, and those on which it fails, with its
worst level in per cent and the size at which it has it: `auto` is what a comparison does when no test is named.
Families on which another null hypothesis than the test's own is true are left out. Folded below each table is the worst
level on every family: `5.2` holds, **10.3** (n = 10) fails, `(38)` is another null hypothesis, `-` does not apply. All
sizes, with power and coverage: [two systems on the same items](levels-pairs.md), [systems measured apart, and several
at once](levels-samples.md).
"""

_MOST = 4
"""Families on which a test fails that the readable table names."""

PAGES = {"levels-pairs": ("pairs",), "levels-samples": ("samples", "groups")}
"""Pages of the families, and the kinds of data on each."""

_FAMILIES = """# Levels, power and coverage: {title}

Made by `python benchmarks/levels.py`. [The page of levels](levels.md) says how, and has the summary. Levels are in per
cent: \\* fails, in brackets is another null hypothesis, ~ stands for fewer than {sure} data sets. Powers stand beside
that of the best peer that holds its level.
"""


_SHORT = """Both hold their level, the peer tests the same null hypothesis, and rejects more often on the same data
sets with an effect, by more than three errors of the difference. A peer whose measured level is above 5 %, though not
beyond error, is held to 5 %. Where all differences are the same, `t` has no p-value, and the 0 that a peer makes of a
division by 0 is none either. All in per cent. Where a test of ours rejects less often, that is by choice:

- a resample without variance counts against rejection in the studentized bootstrap;
- `wilcoxon` and `mann-whitney` take the exact law of tied ranks, which is conservative for right-or-wrong items and
  many ties, where peers take a normal approximation (`variant=normal` here) that no theorem holds to its level;
- `unpaired-bootstrap` studentizes, which costs power with few runs or few wrong items (`welch`, `form=shift`);
- `z` uses the deviation that it was given, not that of the data."""


def failing(cells: Iterable[Cell]) -> list[Chosen]:
    """Cells and tests that reject more often than their level allows."""
    return [(cell, row) for cell in cells for row in cell["tests"] if row["fails_at"]]


def unnoted(cells: Iterable[Cell]) -> list[Chosen]:
    """Failing tests that carry no note about it in most of the data sets in which there is anything to test."""
    return [
        (cell, row)
        for cell, row in failing(cells)
        if row["warned"] < 0.5 * (1 - row["notes"].get("identical_outputs", 0.0))
    ]


def outdone(cells: Iterable[Cell]) -> list[tuple[Cell, Row, dict[str, Any]]]:
    """Tests that hold their level in a cell where a peer that holds it too has more power, beyond three errors."""
    return [
        (cell, row, peer)
        for cell in cells
        for row in cell["tests"]
        if row["own_null"] and not row["fails_at"]
        for peer in row["peers"]
        if peer["holds"] and peer["difference"][0] < -3 * peer["difference"][1]
    ]


def page(cells: Sequence[Cell], absent: Sequence[str], rounds: Sequence[int]) -> str:
    """The summary."""
    null, effect = rounds
    said = (
        f"{null:,} data sets without an effect in a cell and {effect:,} with one{_elsewhere(cells, rounds)}; fewer, "
        "down to a hundredth, where one answer takes long. Resampling tests draw 999 times."
    )
    if absent:
        said += f" Peers that were not installed are missing: {', '.join(absent)}."
    parts = [_ABOUT.format(rounds=said), _SUMMARY]
    for kind, title in KINDS.items():
        own = [cell for cell in cells if cell["kind"] == kind]
        if own:
            parts.append(f"### {title}\n\n{_readable(own)}\n\n{folded('Every family', _summary(own))}")
    parts += [_shortfalls(cells), _failures(cells)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def pages(
    cells: Sequence[Cell], families: Sequence[Family], absent: Sequence[str], rounds: Sequence[int]
) -> dict[str, str]:
    """The summary and the pages of the families, by name."""
    made = {"levels": page(cells, absent, rounds)}
    for name, kinds in PAGES.items():
        title = " and ".join(KINDS[kind][0].lower() + KINDS[kind][1:] for kind in kinds)
        parts = [_FAMILIES.format(title=title, sure=_SURE).strip()]
        for family in (family for family in families if family.kind in kinds):
            own = [cell for cell in cells if (cell["kind"], cell["family"]) == (family.kind, family.name)]
            if own:
                parts.append(_family(family, sorted(own, key=lambda cell: int(cell["n"]))))
        made[name] = "\n\n".join(parts) + "\n"
    return made


def folded(title: str, body: str) -> str:
    """A part that is opened by a click."""
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


def _readable(cells: Sequence[Cell]) -> str:
    rows = []
    families = list(dict.fromkeys(cell["family"] for cell in cells))
    for test in _tests(cells):
        found = {f: [r for c in cells if c["family"] == f for r in _of(c, test) if r[1]["own_null"]] for f in families}
        worst = {f: _worst([r for r in of if r[1]["fails_at"]]) for f, of in found.items()}
        fails = [f"{f} {said}" for f, said in worst.items() if said != "-"]
        more = f"; {len(fails) - _MOST} more" if len(fails) > _MOST else ""
        holds = sum(bool(of) and worst[f] == "-" for f, of in found.items())
        rows.append((f"`{test}`", f"{holds} of {sum(map(bool, found.values()))}", "; ".join(fails[:_MOST]) + more))
    return markdown(("test", "holds on", "fails on"), rows)


def _elsewhere(cells: Sequence[Cell], rounds: Sequence[int]) -> str:
    """Where the numbers of data sets are others, and which."""
    others = {tuple(cell["rounds"]) for cell in cells} - {tuple(rounds)}
    said = [
        f"{null:,} and {effect:,} where there are at most "
        f"{max(cell['n'] for cell in cells if tuple(cell['rounds']) == (null, effect))} items"
        for null, effect in sorted(others, reverse=True)
    ]
    return f" ({'; '.join(said)})" if said else ""


def _summary(cells: Sequence[Cell]) -> str:
    families = list(dict.fromkeys(cell["family"] for cell in sorted(cells, key=lambda c: c["order"])))
    rows = []
    for test in _tests(cells):
        found = [[r for c in cells if c["family"] == f for r in _of(c, test)] for f in families]
        rows.append([f"`{test}`", *map(_worst, found)])
    return markdown(("test", *families), rows)


def _worst(found: Sequence[Chosen]) -> str:
    if not found:
        return "-"
    sure = [each for each in found if each[1]["fails_at"] or each[1]["rounds"] >= _SURE]
    cell, row = max(sure or found, key=lambda f: (bool(f[1]["fails_at"]), f[1][f"level_{ALPHA}"][0]))
    level = _percent(row[f"level_{ALPHA}"][0])
    if not row["own_null"]:
        return f"({level})"
    unnoted = "" if _notes(row) else ", no note"
    return f"**{level}** (n = {cell['n']}{unnoted})" if row["fails_at"] else level


def _notes(row: Row) -> str:
    """Codes of the notes that speak of the level, the most frequent first."""
    found = sorted((-share, code) for code, share in row["notes"].items() if code not in SILENT)
    return ", ".join(code for share, code in found if share <= -0.05)


def instead(cell: Cell, peer: dict[str, Any], unsound: frozenset[str] = frozenset()) -> str:
    """The test of ours to take in a cell: it holds its level there and has the power of the peer, within three errors.

    Rather one beside which the peer stands, and rather one that fails nowhere (not ``unsound``). The empty string where
    there is none.
    """
    beaten = [row["test"] for _, row, other in outdone([cell]) if other["peer"] == peer["peer"]]
    held = [row for row in cell["tests"] if row["own_null"] and not row["fails_at"] and row["test"] not in beaten]
    same = [row for row in held if any(p["peer"] == peer["peer"] for p in row["peers"])]
    for rows in (same, held):
        for only in (unsound, frozenset[str]()):
            best = max((row for row in rows if row["test"] not in only), key=lambda row: row["power"][0], default=None)
            if best and best["power"][0] >= peer["power"][0] - 3 * math.hypot(best["power"][1], peer["power"][1]):
                return str(best["test"])
    return ""


def _shortfalls(cells: Sequence[Cell]) -> str:
    unsound = frozenset(row["test"] for _, row in failing(cells))
    found = [
        (*each, instead(each[0], each[2], unsound))
        for each in sorted(outdone(cells), key=lambda each: float(each[2]["difference"][0]))
    ]
    head = "## Where a peer has more power\n\n"
    if not found:
        return f"{head}Nowhere."
    alone = sum(not ours for *_, ours in found)
    about = (
        f"{_SHORT}\n\nCells in which no test of ours that holds its level has the power of the peer: **{alone}**. In "
        "the others the last column names one that has it."
    )
    header = ("test", "family", "n", "its level", "power", "peer", "its level", "power", "difference", "ours instead")
    rows = [
        (
            f"`{row['test']}`", f"{cell['kind']}: {cell['family']}", str(cell["n"]), _percent(row[f"level_{ALPHA}"][0]),
            _percent(row["power"][0]), peer["peer"], _percent(peer["level"][0]), _percent(peer["power"][0]),
            _with_error(peer["difference"]), f"`{ours}`" if ours else "**none**",
        )
        for cell, row, peer, ours in found
    ]  # fmt: skip
    return f"{head}{about}\n\n{folded(f'{len(rows)} cells', markdown(header, rows))}"


def _failures(cells: Sequence[Cell]) -> str:
    found = failing(cells)
    head = "## Where a level fails, and the note that says so\n\n"
    if not found:
        return f"{head}Nowhere."
    about = (
        "Levels in per cent, with Monte-Carlo errors; beside each note, in how many of the data sets it was given. The "
        "last column is the level among the data sets that got no such note."
    )
    header = ("test", "family", "n", "at .05", "at .01", "notes", "without a note")
    order = sorted(found, key=lambda f: (f[1]["test"], f[0]["order"], f[0]["n"]))
    rows = [
        (
            f"`{row['test']}`", f"{cell['kind']}: {cell['family']}", str(cell["n"]), _with_error(row["level_0.05"]),
            _with_error(row["level_0.01"]), _shares(row), _alone(row),
        )
        for cell, row in order
    ]  # fmt: skip
    return f"{head}{about}\n\n{folded(f'{len(rows)} cells', markdown(header, rows))}"


def _shares(row: Row) -> str:
    found = sorted((-share, code) for code, share in row["notes"].items() if code not in SILENT)
    return ", ".join(f"{code} {-share:.0%}" for share, code in found) or "**none**"


def _alone(row: Row) -> str:
    return "-" if row["level_unwarned"] is None else _with_error(row["level_unwarned"])


def _family(family: Family, cells: Sequence[Cell]) -> str:
    sizes = [f"{cell['n']:,}" for cell in cells]
    holds = "; ".join(IN_WORDS[code] for code in sorted(family.holds))
    chosen = _choices(cells)
    parts = [
        f"Level, in per cent:\n\n{_grid(cells, sizes, _level)}",
        f"Power, in per cent, and that of the best peer:\n\n{_grid(cells, sizes, _power)}",
    ]
    covered = _grid(cells, sizes, _coverage)
    if covered:
        parts.append(f"Coverage of intervals, in per cent:\n\n{covered}")
    joined = "\n\n".join(parts)
    about = f"{family.words[0].upper()}{family.words[1:]}. True without the effect: {holds}.{chosen}"
    return f"## {KINDS[family.kind]}: {family.name}\n\n{about}\n\n{folded('Tables', joined)}"


def _choices(cells: Sequence[Cell]) -> str:
    """Which test a comparison takes by itself, from which size on."""
    steps: list[tuple[str, int]] = []
    for cell in cells:
        if cell["chosen"]:
            name = max(cell["chosen"], key=lambda each: cell["chosen"][each])
            if not steps or steps[-1][0] != name:
                steps.append((name, cell["n"]))
    return " `--test auto` takes " + ", ".join(f"`{t}` from {n} on" for t, n in steps) + "." if steps else ""


def _grid(cells: Sequence[Cell], sizes: Sequence[str], text: Callable[[Row], str]) -> str:
    rows = []
    for test in _tests(cells):
        found = [_of(cell, test) for cell in cells]
        line = [text(each[0][1]) if each else "-" for each in found]
        if any(each not in ("-", "") for each in line):
            rows.append([f"`{test}`", *line])
    return markdown(("test", *sizes), rows) if rows else ""


def _level(row: Row) -> str:
    level = _percent(row[f"level_{ALPHA}"][0])
    if not row["own_null"]:
        return f"({level})"
    return f"{level}\\*" if row["fails_at"] else level if row["rounds"] >= _SURE else f"~{level}"


def _power(row: Row) -> str:
    ours = _percent(row["power"][0])
    best = max((peer for peer in row["peers"] if peer["holds"]), key=lambda peer: peer["power"][0], default=None)
    return ours if best is None else f"{ours} / {_percent(best['power'][0])}"


def _coverage(row: Row) -> str:
    return _percent(row["coverage"][0]) if row.get("coverage") and row["own_interval"] else "-"


def _tests(cells: Sequence[Cell]) -> list[str]:
    return sorted({row["test"] for cell in cells for row in cell["tests"]})


def _of(cell: Cell, test: str) -> list[Chosen]:
    return [(cell, row) for row in cell["tests"] if row["test"] == test]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _with_error(rate: Sequence[float]) -> str:
    return f"{100 * rate[0]:.1f} ± {100 * rate[1]:.1f}"
