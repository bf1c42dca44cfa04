"""Results that sacrebleu 2 prints of whole corpora: JSON, tables, LaTeX, and lines of one system."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from outscore.base.errors import InputError
from outscore.data.printed.records import REMEDY, Number, PrintedFile, PrintedRow, Procedure, Quantity, number
from outscore.data.source import Source, lines_of

_METRIC = r"(?:BLEU|chrF\d*\+*|TER)"
_LINE = re.compile(
    rf" *({_METRIC})(?:\|(\S+))? = (-?[\d.]+)(?: \(μ = (-?[\d.]+) ± (-?[\d.]+)\))?(?: .*)?"
)  # fmt: skip
_CELL = re.compile(r"(-?[\d.]+)(?: \((-?[\d.]+) ± ([\d.]+)\))?(?: \(p = ([\d.]+)\)\*?)?")
_TEST = re.compile(r"Paired (bootstrap resampling|approximate randomization) test with (\d{1,9}) ")
_SIGNATURE = re.compile(rf" - ({_METRIC}) +(\S+:\S+)")
_LONG = {"#": "nrefs", "c": "case", "e": "eff", "v": "version", "rs": "seed"}
_BASELINE = "Baseline: "


def read(text: str, source: Source) -> PrintedFile:
    """Read sacrebleu's results of whole corpora.

    Raises:
        InputError: it is not what sacrebleu prints.
    """
    if text.lstrip()[:1] in ("{", "["):
        return _parse_json(text, source)
    lines = lines_of(text)
    singles = [match for line in lines if (match := _LINE.fullmatch(line.rstrip())) is not None]
    if singles:
        return _parse_lines(singles, source)
    table = [*_grid(lines)] or [*_booktabs(lines)]
    if not table:
        raise InputError("is neither sacrebleu's output nor MultEval's", file=source.file, remedy=REMEDY)
    return _parse_table(table, text, source, "LaTeX" if "\\toprule" in text else "table")


def _parse_json(text: str, source: Source) -> PrintedFile:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        said = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise InputError(f"not JSON ({said})", file=source.file, line=line, remedy=REMEDY) from None
    entries = found if isinstance(found, list) else [found]
    if not entries or not all(isinstance(one, dict) for one in entries):
        raise InputError("holds no objects of sacrebleu", file=source.file, remedy=REMEDY)
    if all("name" in one and "score" in one for one in entries):
        return _parse_scores(entries, source)
    if all("system" in one for one in entries):
        return _parse_systems(entries, source)
    raise InputError("its objects have neither 'system' nor 'name' and 'score'", file=source.file, remedy=REMEDY)


def _parse_scores(entries: Sequence[Mapping[str, Any]], source: Source) -> PrintedFile:
    """One system under one metric or several."""
    rows, signatures = [], {}
    for one in entries:
        metric = str(one["name"])
        numbers = _numbers(
            {"score": _format(one["score"]), "mean": _format(one.get("confidence_mean")),
             "half_width": _format(one.get("confidence_var"))}, source, metric,
        )  # fmt: skip
        rows.append(PrintedRow(system="", metric=metric, numbers=numbers))
        signatures[metric] = _options(str(one.get("signature", "")))
    return _make_file(source, "JSON", rows, signatures)


def _parse_systems(entries: Sequence[Mapping[str, Any]], source: Source) -> PrintedFile:
    """Several systems, with a paired test or without."""
    rows = []
    for one in entries:
        for metric, values in one.items():
            if metric == "system":
                continue
            if isinstance(values, dict):
                keys: dict[Quantity, str] = {"score": "score", "p": "p_value", "mean": "mean", "half_width": "ci"}
                said = {what: _format(values.get(key)) for what, key in keys.items()}
                numbers = _numbers(said, source, metric, whole=True)
            else:
                numbers = _numbers({"score": str(values)}, source, metric)
            rows.append(PrintedRow(system=_name(str(one["system"])), metric=str(metric), numbers=numbers))
    return _make_file(source, "JSON", rows, {})


def _parse_lines(singles: Iterable[re.Match[str]], source: Source) -> PrintedFile:
    rows, signatures = [], {}
    for match in singles:
        numbers = _numbers({"score": match[3], "mean": match[4], "half_width": match[5]}, source, match[1])
        rows.append(PrintedRow(system="", metric=match[1], numbers=numbers))
        signatures[match[1]] = _options(match[2] or "")
    return _make_file(source, "lines", rows, signatures)


def _parse_table(table: Sequence[Sequence[str]], text: str, source: Source, layout: str) -> PrintedFile:
    header, *body = table
    metrics = [re.sub(r"(?<! ) *\(μ ± 95\\?% CI\)", "", name).strip() for name in header[1:]]
    rows = []
    for cells in body:
        if len(cells) != len(header):
            raise InputError(
                f"a row has {len(cells)} cells, expected {len(header)}", file=source.file, remedy="save the whole table"
            )
        for metric, cell in zip(metrics, cells[1:], strict=True):
            match = _CELL.fullmatch(cell)
            if match is None:
                raise InputError(f"found {cell[:60]!r}, expected a score", file=source.file, remedy=REMEDY)
            said: dict[Quantity, str | None] = {
                "score": match[1], "p": match[4], "mean": match[2], "half_width": match[3],
            }  # fmt: skip
            rows.append(PrintedRow(system=_name(cells[0]), metric=metric, numbers=_numbers(said, source, metric)))
    signatures = {match[1]: _options(match[2]) for match in _SIGNATURE.finditer(text)}
    test = _TEST.search(text)
    return _make_file(source, layout, rows, signatures, test)


def _make_file(
    source: Source,
    layout: str,
    rows: Sequence[PrintedRow],
    signatures: Mapping[str, Mapping[str, str]],
    test: re.Match[str] | None = None,
) -> PrintedFile:
    options = [one for one in signatures.values() if one]
    drawn = next(
        (n for o in options for key in ("bs", "ar") if (n := o.get(key, "")).isdecimal() and len(n) < 10), None
    )
    return PrintedFile(
        tool="sacrebleu",
        layout=layout,
        procedure=_procedure(rows, options, test),
        rows=tuple(rows),
        signatures=signatures,
        n_resamples=int(drawn) if drawn else None if test is None else int(test[2]),
        seed=next((one["seed"] for one in options if "seed" in one), None),
        source=source,
    )


def _procedure(
    rows: Sequence[PrintedRow], options: Sequence[Mapping[str, str]], test: re.Match[str] | None
) -> Procedure:  # fmt: skip
    """The test that the text names, or the signature; of JSON, which names none, what is there tells it."""
    tested = any("p" in row.numbers for row in rows)
    with_means = any("mean" in row.numbers for row in rows)
    if not tested:
        return "interval" if with_means else "scores"
    if test is not None:
        return "bootstrap" if test[1].startswith("bootstrap") else "randomization"
    if any("ar" in one for one in options):
        return "randomization"
    return "bootstrap" if with_means else "randomization"


def _grid(lines: Iterable[str]) -> Iterator[list[str]]:
    """The rows of a table in frames; a row whose first cell is empty goes on with the one before."""
    held: list[str] = []
    for line in lines:
        if not line.startswith(("│", "╞", "├", "╘")):
            continue
        if line[0] != "│":
            if held:
                yield held
            held = []
            continue
        cells = [cell.strip() for cell in line.strip("│").split("│")]
        held = cells if not held else [f"{a} {b}".strip() for a, b in zip(held, cells, strict=False)]


def _booktabs(lines: Sequence[str]) -> Iterator[list[str]]:
    """The rows of a LaTeX table."""
    inside = False
    for line in lines:
        if line.strip() in ("\\toprule", "\\bottomrule"):
            inside = line.strip() == "\\toprule"
        elif inside and line.rstrip().endswith("\\\\"):
            cells = re.split(r"(?<!\\)&", line.rstrip().removesuffix("\\\\"))
            yield [_unescape(cell).strip() for cell in cells]


def _unescape(text: str) -> str:
    text = text.replace("\\textasciitilde{}", "~").replace("\\^{}", "^").replace("\\textbackslash{}", "\\")
    return re.sub(r"\\([&%$#_{}])", r"\1", text)


def _name(said: str) -> str:
    return said.strip().removeprefix(_BASELINE)


def _format(value: Any) -> str | None:
    """A number of JSON as text; None for null."""
    return None if value is None or isinstance(value, bool) else repr(value) if isinstance(value, float) else str(value)


def _numbers(
    said: Mapping[Quantity, str | None], source: Source, metric: str, *, whole: bool = False
) -> dict[Quantity, Number]:
    found: dict[Quantity, Number] = {}
    for what, text in said.items():
        if text is None:
            continue
        one = number(text, whole=whole)
        if one is None:
            raise InputError(f"found {text[:60]!r} under {metric}, expected a number", file=source.file, remedy=REMEDY)
        found[what] = one
    return found


def _options(signature: str) -> dict[str, str]:
    """A signature, long or short, as option to value."""
    pairs = (part.partition(":") for part in signature.split("|"))
    return {_LONG.get(key, key): value for key, colon, value in pairs if colon}
