"""Results that MultEval prints: its table, as text or LaTeX, and the lines of its log, which round less."""

from __future__ import annotations

import re
from collections.abc import Iterator

from outscore.base.errors import InputError
from outscore.data.printed.records import Number, PrintedFile, PrintedRow, Quantity, number
from outscore.data.source import Source, lines_of

_HEADER = re.compile(r"(?:Number of optimizer runs )?n=(\d+)\s+(\S.*\(s_sel/s_opt/p\).*)")
_METRIC = re.compile(r"(\S+) \(s_sel/s_opt/p\)")
_CELL = re.compile(r"(-?\d+[.,]\d+) \((\d+[.,]\d+|NaN)/(\d+[.,]\d+|NaN|\*)/(-|\d+[.,]\d+|NaN)\)")
_RESULT = re.compile(
    r"RESULT: (.+?): (\w+): (AVG|STDDEV|RESAMPLED_STDDEV_AVG|P_VALUE): (\d+[.,]\d+)\s*"
)  # fmt: skip
_OF_LOG: dict[str, Quantity] = {"AVG": "score", "RESAMPLED_STDDEV_AVG": "s_sel", "STDDEV": "s_opt", "P_VALUE": "p"}
_LATEX = "\\overline{s}_{\\text{sel}}"
_BLOCK = re.compile(r"\s*\\multirow\{\d+\}\{\*\}\{(.+?)(?<! ) *\$\\\w+\$\}")
_REMEDY = "give the table that MultEval printed, its header and rows as they are"

Found = dict[tuple[str, str], dict[Quantity, Number]]


def sniff(text: str) -> bool:
    """Whether MultEval printed it."""
    return "(s_sel/s_opt/p)" in text or _LATEX in text or _RESULT.search(text) is not None


def read(text: str, source: Source) -> PrintedFile:
    """Read MultEval's results; where its log is there too, numbers of the log, which have more digits.

    Raises:
        InputError: a row is not what MultEval prints.
    """
    lines = lines_of(text)
    found: Found = {}
    layout = "LaTeX" if _LATEX in text else "table"
    for system, metric, numbers in _latex(lines, source) if _LATEX in text else _table(lines, source):
        found[system, metric] = numbers
    for match in (one for line in lines if (one := _RESULT.fullmatch(line)) is not None):
        layout = "log"
        if (logged := number(match[4])) is not None:
            found.setdefault((match[1], match[2]), {})[_OF_LOG[match[3]]] = logged
    rows = tuple(
        PrintedRow(system=system, metric=metric, numbers=numbers) for (system, metric), numbers in found.items()
    )
    return PrintedFile(tool="MultEval", layout=layout, procedure="multeval", rows=rows, seed="none", source=source)


def _table(lines: list[str], source: Source) -> Iterator[tuple[str, str, dict[Quantity, Number]]]:
    metrics: list[str] = []
    for line_number, line in enumerate(lines, 1):
        header = _HEADER.match(line)
        if header is not None:
            metrics = _METRIC.findall(header[2])
            continue
        cells = [*_CELL.finditer(line)]
        if not metrics or not cells:
            continue
        if len(cells) != len(metrics):
            raise InputError(
                f"found {len(cells)} cells, expected {len(metrics)}", file=source.file, line=line_number, remedy=_REMEDY
            )
        name = line[: cells[0].start()].strip()
        for metric, cell in zip(metrics, cells, strict=True):
            yield name, metric, _numbers(cell[1], cell[2], cell[3], cell[4])


def _latex(lines: list[str], source: Source) -> Iterator[tuple[str, str, dict[Quantity, Number]]]:
    metric = ""
    for line_number, line in enumerate(lines, 1):
        block = _BLOCK.match(line)
        if block is not None:
            metric = block[1]
        if not metric or "&" not in line or not line.rstrip().endswith("\\\\"):
            continue
        _, *cells = [cell.strip() for cell in line.rstrip().removesuffix("\\\\").split("&")]
        if len(cells) != 5:
            raise InputError(
                f"found {len(cells)} cells, expected system, Avg, s_sel, s_Test and p", file=source.file,
                line=line_number, remedy=_REMEDY,
            )  # fmt: skip
        yield cells[0].replace("\\_", "_"), metric, _numbers(*cells[1:])


def _numbers(score: str, s_sel: str, s_opt: str, p: str) -> dict[Quantity, Number]:
    said: dict[Quantity, str] = {"score": score, "s_sel": s_sel, "s_opt": s_opt, "p": p}
    return {what: one for what, text in said.items() if (one := number(text)) is not None}
