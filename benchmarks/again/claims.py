"""Every claim of the five texts by a command: runs them, and puts the source's number beside what comes out."""

from __future__ import annotations

import json
import math
import os
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from again.clark import write_texts
from again.maker import Maker, Section
from outscore.studies.shared.form import Verdict, compare_numbers

_FILE = Path(__file__).with_name("claims.toml")
_TEXTS = ("Berg-Kirkpatrick", "Clark", "Søgaard", "Dror", "O'Connor")
_APART = " / "
_EXACT = 1e-6  # margins up to this are for floating point alone, and not shown
_NOTHING = 1e-300  # the smallest double stands for 0 in JSON


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One claim of a source; see the head of ``claims.toml``."""

    text: str
    where: str
    says: str
    command: str = ""
    take: str = ""
    error: str = ""
    printed: float | str | None = None
    margin: float = 0.0
    law: bool = False
    rounds: int = 0
    least: float | None = None
    most: float | None = None
    as_above: bool = False
    other: bool = False
    unpack: str = ""
    why: str = ""
    part: str = ""

    @property
    def computed(self) -> bool:
        """Whether a number is taken from the output of its command."""
        return bool(self.command and self.take)


def claims() -> list[Claim]:
    """All claims, in the order of the texts."""
    held = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return sorted((Claim(**one) for one in held["claim"]), key=lambda claim: _TEXTS.index(claim.text))


def part(maker: Maker) -> Iterator[Section]:
    """One table for each text."""
    with tempfile.TemporaryDirectory() as folder:
        found = run_all(claims(), maker.data, Path(folder))
    counts = {name: sum(said == name for _, _, said in found) for name in ("agrees", "differs", "cannot tell")}
    numbers = sum(counts.values())
    without = sum(not claim.command for claim, _, _ in found)
    rest = len(found) - numbers - without
    tables = "\n\n".join(f"### {text}\n\n{table_of([row for row in found if row[0].text == text])}" for text in _TEXTS)
    text = f"""
{len(found)} figures, tables, algorithms, formulas and claims of the five texts, each with the command that shows it
(DATA is the folder of the data sets; small files are those of `benchmarks/again/claims.toml`). Of {numbers} numbers
beside a printed one, a law, or a bound that the claim sets, {counts["agrees"]} agree, {counts["differs"]} differ and
{counts["cannot tell"]} cannot be told. {rest} have no number to compare, stand on other data, or in a section above;
{without} cannot be computed, for the reason beside them. *Other data*: both numbers stand there, and nothing follows.
*Law*: the number is not the source's; it follows from what the source says, or another program has it.
The margin stands behind the verdict: half of the last printed digit for what is computed (none: to the last digit, or
a count); two points, at most half of the number, for what the source simulated in a thousand rounds; one point beside a
level; and for Monte-Carlo numbers of ours what would not change what they say. A bound is what the claim says in words:
*smaller* is below 1, *most* is more than half, *significant* is p ≤ .05, *much the same* a distance of p below .01.

{tables}
"""
    yield Section(title="Every claim, by a command", text=text)


def run_all(wanted: Sequence[Claim], data: Path, folder: Path) -> list[tuple[Claim, Any, Verdict]]:
    """Each claim with the number that its command gives and the verdict; a command is run once."""
    for name, text in tomllib.loads(_FILE.read_text(encoding="utf-8"))["files"].items():
        (folder / name).write_text(text.lstrip("\n"), encoding="utf-8")
    for name in dict.fromkeys(claim.unpack for claim in wanted if claim.unpack):
        write_texts(data / name / "segments.tsv.gz", folder)
    answers: dict[str, Any] = {}
    found: list[tuple[Claim, Any, Verdict]] = []
    before = 0.0
    for claim in wanted:
        value: Any = None
        if claim.computed:
            if claim.command not in answers:
                answers[claim.command] = _run(claim.command, data, folder)
            value = take(answers[claim.command], claim.take)
        printed = found[-1][1] if claim.as_above else claim.printed
        error = float(take(answers[claim.command], claim.error) or 0.0) if claim.error else 0.0
        both = math.hypot(error, before) if claim.as_above else error
        found.append((claim, value, judge(claim, value, printed, both)))
        before = error
    return found


def take(record: Any, path: str) -> Any:
    """The value in a record: keys, places, and ``key=value`` of a list, with " / " between them.

    ``records`` are the rows of a table of a study, by the names of its columns.
    """
    for step in path.split(_APART):
        if step == "records":
            names = [field["name"] for field in record["fields"]]
            record = [dict(zip(names, row, strict=True)) for row in record["rows"]]
        elif isinstance(record, Mapping):
            record = record[step]
        elif step.isdigit():
            record = record[int(step)]
        else:
            key, _, wanted = step.partition("=")
            record = next(one for one in record if one[key] == wanted)
    return record


def judge(claim: Claim, value: Any, printed: float | str | None, error: float) -> Verdict:
    """The verdict on a claim: a number beside a printed one, or within a bound."""
    if value is None or claim.other:
        return ""
    if claim.least is not None or claim.most is not None:
        least, most = claim.least, claim.most
        fits = (least is None or value >= least) and (most is None or value <= most)
        return "agrees" if fits else "differs"
    if not isinstance(printed, (int, float)):
        return ""
    theirs = value * (1 - value) / claim.rounds if claim.rounds else 0.0
    return compare_numbers(value, printed, math.sqrt(error**2 + theirs), claim.margin)


def _run(command: str, data: Path, folder: Path) -> Any:
    words = [word.replace("DATA", str(data)) for word in shlex.split(command)]
    done = subprocess.run(
        [sys.executable, "-m", "outscore", *words[1:], "-f", "json", "-q"],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{command}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def table_of(rows: Sequence[tuple[Claim, Any, Verdict]]) -> str:
    """The rows of one text, in Markdown."""
    bar = "\\|"
    lines = ["| where | claim | command | printed | here | |", "|---|---|---|---:|---:|---|"]
    for claim, value, said in rows:
        bound = _bound(claim)
        printed = f"{'law ' if claim.law else ''}{_number(claim.printed)}" if bound is None else bound
        shown = f"[{claim.part}](sources.md#{_anchor(claim.part)})" if claim.part else _number(value)
        command = f"`{claim.command}`" if claim.command else "not computable"
        within = f" (± {claim.margin:.3g})" if said and claim.margin > _EXACT else ""
        compared = f"{said}{within}" if said else "other data" if claim.other else ""
        remark = ". ".join(part for part in (compared, claim.why) if part)
        cells = (claim.where, claim.says, command, printed, shown, remark)
        lines.append(f"| {' | '.join(cell.replace('|', bar) for cell in cells)} |")
    return "\n".join(line.replace("*", "\\*") if "`" not in line else line for line in lines)


def _bound(claim: Claim) -> str | None:
    if claim.least is not None:
        return f"≥ {claim.least:.4g}"
    return f"≤ {claim.most:.4g}" if claim.most is not None else "as above" if claim.as_above else None


def _number(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, (int, float)):
        return str(value)
    return "0" if abs(value) < _NOTHING else f"{value:.4g}"


def _anchor(heading: str) -> str:
    kept = "".join(letter for letter in heading.lower() if letter.isalnum() or letter in " -_")
    return kept.replace(" ", "-")
