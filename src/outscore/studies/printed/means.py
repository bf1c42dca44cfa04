"""Printed means with their errors, and what can be said of their differences when the items are not to be had."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from outscore.base.errors import InputError
from outscore.engine.normal import normal_ppf
from outscore.results.result import Interval
from outscore.results.study import Finding
from outscore.significance.means import t_from
from outscore.significance.settings import Settings
from outscore.studies import Spec, Summary
from outscore.studies.shared.form import Row, columns, ends, number, p_value, table, text

_POWER = 0.8

_ROLES = {
    "system": ("system", "model", "name"),
    "n": ("n", "items", "n_items", "count"),
    "sd": ("sd", "std", "stdev"),
    "se": ("se", "stderr", "sem", "standard_error"),
}
"""Names of columns; whichever is left is the score."""


def spec_of_means(file: Path, alike: float) -> Spec:
    """The cell of a table with a line for each system, the baseline first.

    Raises:
        InputError: it cannot be read, or lacks what an error needs.
    """
    header, *lines = read_rows(file)
    names = [name.strip().lower() for name in header]
    places = {role: next((names.index(one) for one in known if one in names), None) for role, known in _ROLES.items()}
    scores = [k for k in range(len(names)) if k not in places.values()]
    if places["system"] is None or len(scores) != 1 or len(lines) < 2:
        raise InputError(
            f"{file}: expected a column system, one with the score, and se, or sd and n; and a line for each of two "
            "systems or more"
        )
    places["score"] = scores[0]
    systems = [
        _parse_system(
            {role: row[k].strip() for role, k in places.items() if k is not None and k < len(row)}, f"{file}:{line}"
        )
        for line, row in enumerate(lines, 2)
    ]
    return {"kind": "means", "systems": systems, "alike": alike}


def read_rows(file: Path) -> list[list[str]]:
    """The rows of a small table with commas, semicolons or tabs, without empty ones.

    Raises:
        InputError: it cannot be read, or has no line below its header.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: cannot be read: {error}") from None
    delimiter = next((one for one in "\t;" if one in (lines or [""])[0]), ",")
    rows = [row for row in csv.reader(lines, delimiter=delimiter) if any(cell.strip() for cell in row)]
    if len(rows) < 2 or len(rows[0]) < 2:
        raise InputError(f"{file}: expected a header with two columns or more, and lines below it")
    return rows


def _parse_system(cells: Mapping[str, str], where: str) -> tuple[str, float, float, float | None, bool]:
    """Name, score, standard error, degrees of freedom or None for the normal law, and whether the error is a bound."""
    found = {}
    for role, typed in cells.items():
        if role == "system" or not typed:
            continue
        try:
            found[role] = float(typed)
        except ValueError:
            found[role] = math.nan
        if not math.isfinite(found[role]) or (role != "score" and found[role] < 0):
            raise InputError(f"{where}: {role} {typed!r} is no number that it can be")
    score, n, name = found.get("score"), found.get("n"), cells["system"]
    if score is None:
        raise InputError(f"{where}: no score of {name!r}")
    if n is not None and not (n.is_integer() and n > 1):
        raise InputError(f"{where}: {n:g} items of {name!r}; an error takes two or more")
    df = None if n is None else n - 1
    if "se" in found:
        return name, score, found["se"], df, False
    if "sd" in found and n is not None:
        return name, score, found["sd"] / math.sqrt(n), df, False
    if n is not None and 0 <= score <= 1:
        # the variance of what lies between 0 and 1 is largest where all is 0 or 1 (Bhatia and Davis 2000)
        return name, score, math.sqrt(score * (1 - score) / (n - 1)), df, True
    lacks = "n, of scores beyond 0 to 1," if n is not None else "sd without n" if "sd" in found else "a score alone"
    raise InputError(
        f"{where}: {lacks} has no error, and nothing tells a gain of {name!r} from luck; add se, or sd and n (where "
        "scores go from 0 to 1 n alone bounds the error)"
    )


def summarize_means(spec: Spec, settings: Settings) -> Summary:
    """Differences with the first system: at correlation 0, at the one that is taken, and whatever it is."""
    first, *others = spec["systems"]
    bounded = any(one[4] for one in spec["systems"])
    rows: list[Row] = []
    findings: list[Finding] = []
    for one in others:
        row, found = _compare(first, one, spec["alike"], len(others), settings)
        rows.append(row)
        findings += found
    together = f", by Bonferroni over {len(others)}" if len(others) > 1 else ""
    about = (
        f"Gain and p: as if on different items{together}. At {spec['alike']:g}: if the systems correlate so over the "
        "items, which is not printed; anyhow: whatever the correlation is. Needed: that from which the interval leaves "
        f"out 0. Finds: the gain found with {_POWER:.0%} power, on different items."
    )
    fields = (
        text("system", "System"),
        *ends(number("gain", "Gain")),
        p_value("p", "p"),
        *ends(number("alike", f"at {spec['alike']:g}"), "alike_"),
        *ends(number("anyhow", "anyhow"), "anyhow_"),
        *columns("number", needed="needed", finds="finds"),
    )
    errors = "bounds on their errors, as scores lie between 0 and 1" if bounded else "their errors"
    return Summary(
        design=f"Of printed means and {errors}. A paired test, clusters, rank tests and other metrics need the scores "
        "of items.",
        findings=tuple(findings),
        tables=(table("means", f"Gains over {first[0]}", fields, rows, about=about),),
        figures=(),
    )


def _compare(
    base: Sequence[Any], one: Sequence[Any], alike: float, family: int, settings: Settings
) -> tuple[Row, Iterator[Finding]]:
    (_, a, s, df_a, _), (name, b, t, df_b, _) = base, one
    gain, scale, dfs = b - a, max(abs(a), abs(b)), [math.inf if df is None else df for df in (df_a, df_b)]
    level, least, welch = 1 - settings.alpha / family, min(dfs), _welch_df((s, t), dfs)

    def at(correlation: float, df: float) -> tuple[float, float, float]:
        error = math.sqrt(max(s * s + t * t - 2 * correlation * s * t, 0.0))
        found = t_from(gain, error, df, alternative=settings.alternative, level=level, scale=scale)
        return min(1.0, family * found.p), found.low, found.high

    p, low, high = at(0.0, welch)
    _, *likely = at(alike, least)
    _, *anyhow = at(-1.0, least)
    unit = t_from(0.0, 1.0, least, level=level).high
    needed = (s * s + t * t - (gain / unit) ** 2) / (2 * s * t) if s and t else math.nan
    finds = (unit + normal_ppf(_POWER)) * math.hypot(s, t)
    row = (name, gain, low, high, p, gain, *likely, gain, *anyhow, needed if -1 <= needed <= 1 else None, finds)
    return row, _say(name, gain, (low, high), p, needed)


def _say(name: str, gain: float, ci: Interval, p: float, needed: float) -> Iterator[Finding]:
    yield Finding(what=f"gain of {name}, unpaired", value=gain, ci=ci)
    yield Finding(what=f"p of {name}, unpaired", value=p, kind="p")
    shown = f"gain of {name} is shown"
    if needed > 1:
        yield Finding(what=shown, value="at no correlation of the systems", kind="text")
    elif needed < -1:
        yield Finding(what=shown, value="whatever the correlation of the systems", kind="text")
    elif not math.isnan(needed):
        yield Finding(what=shown, value=f"if systems correlate over items by {needed:.2f} or more", kind="text")


def _welch_df(errors: Sequence[float], dfs: Sequence[float]) -> float:
    """Of Welch and Satterthwaite."""
    below = sum(error**4 / df for error, df in zip(errors, dfs, strict=True))
    return sum(error**2 for error in errors) ** 2 / below if below else math.inf
