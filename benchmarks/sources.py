#!/usr/bin/env python3
"""Runs every study of the sources on open data and writes docs/sources*.md with their pictures.

The same bytes come out for any number of jobs, with and without Dask, and after an interruption with --resume.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

from again.claims import claims
from again.maker import Maker, Part, Section

import outscore
from outscore import Findings
from outscore.base.files import write_whole

PARTS = {
    "berg-kirkpatrick": "berg_kirkpatrick",
    "calibration": "calibration",
    "training-sets": "training_sets",
    "soegaard": "soegaard",
    "clark": "clark",
    "oconnor": "oconnor",
    "claims": "claims",
}
"""The parts, in order, and the modules that make them; each is imported when it is made."""

CLAIMS = "claims"
"""The part that has a page of its own."""

_ROOT = Path(__file__).parents[1]
_HEAD = Path(__file__).parent / "again" / "head.md"
_HEAD_OF_CLAIMS = """# Sources: claim by claim

Made by `python benchmarks/sources.py`. [The studies of the five texts](sources.md) stand on a page of their own.
"""
_PICTURES = "pictures"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, metavar="DIR", help="the data sets (default: OUTSCORE_DATA/data)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--dask", metavar="ADDRESS|FILE|local", help="work on a Dask cluster")
    parser.add_argument("--resume", type=Path, metavar="DIR", help="keep cells here, and take those that are there")
    parser.add_argument("--only", metavar="PART,...", help=f"these parts: {', '.join(PARTS)}")
    parser.add_argument("--out", type=Path, default=_ROOT / "docs", metavar="DIR", help="where to (default: docs)")
    options = parser.parse_args(arguments)
    wanted = options.only.split(",") if options.only else list(PARTS)
    strange = [name for name in wanted if name not in PARTS]
    if strange:
        parser.error(f"no part {strange[0]!r} (there are: {', '.join(PARTS)})")
    data = options.data or Path(os.environ.get("OUTSCORE_DATA", ""), "data")
    if not data.is_dir():
        parser.error(f"{data} is no folder: name the data sets by --data or OUTSCORE_DATA")
    maker = Maker(data.resolve(), options.jobs, options.dask, options.resume)
    (options.out / _PICTURES).mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    if texts := [part_text(name, maker, options.out) for name in wanted if name != CLAIMS]:
        write_whole(options.out / "sources.md", "".join([_HEAD.read_text(encoding="utf-8"), *texts]))
    if CLAIMS in wanted:
        write_whole(options.out / "sources-claims.md", f"{_HEAD_OF_CLAIMS}{part_text(CLAIMS, maker, options.out)}")
    print(f"{time.perf_counter() - start:.0f} s", file=sys.stderr)
    return 0


def part_text(name: str, maker: Maker, out: Path) -> str:
    """One part of the page in Markdown; its pictures are drawn into ``out``."""
    part: Part = import_module(f"again.{PARTS[name]}").part
    return "".join(text for section in part(maker) for text in _section(section, out))


def _section(section: Section, out: Path) -> Iterator[str]:
    yield f"\n## {section.title}\n\n{section.text.strip()}\n"
    commands = dict.fromkeys(claim.command for claim in claims() if claim.part == section.title and claim.command)
    if commands:
        yield f"\nBy command: {'; '.join(f'`{command}`' for command in commands)}.\n"
    for found, figure, file in section.pictures:
        drawn = in_words(found)
        number = next(number for number, one in enumerate(found.figures) if one.name == figure)
        outscore.plot(drawn, out / _PICTURES / file, figure=drawn.figures[number].name)
        yield f"\n![{drawn.figures[number].title}]({_PICTURES}/{file})\n"
    for heading, found in section.results:
        yield f"\n### {heading}\n" if heading else ""
        yield f"\n<details><summary>Tables</summary>\n\n{in_words(found).to_markdown().strip()}\n\n</details>\n"


_WORDS = {
    "ratio:num=correct_las,den=gold_words+sys_words,scale=200": "LAS",
    "ratio:num=correct_uas,den=gold_words+sys_words,scale=200": "UAS",
    "ratio:num=matched,den=gold_brackets+test_brackets,scale=200": "F1",
    "ratio:num=right,den=words": "right/words",
    "ratio:num=right,den=total,scale=100": "accuracy, %",
}
"""What metrics by columns are called; the head of the page has the definitions."""


def in_words(found: Findings) -> Findings:
    """The same with metrics by columns called as people call them, in tables and along axes."""
    text = found.to_json()
    said = [word for spelled, word in _WORDS.items() if spelled in text]
    for spelled, word in _WORDS.items():
        text = text.replace(spelled, word)
    named = Findings.from_json(text.replace("units of the ratio", said[0] if len(said) == 1 else "points"))
    assert isinstance(named, Findings)
    return named


if __name__ == "__main__":
    sys.exit(main())
