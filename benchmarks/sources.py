#!/usr/bin/env python3
"""Runs every study of the sources on open data and writes docs/sources.md with its pictures.

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

from again.maker import Maker, Part, Section

import outscore
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
"""The parts of the page, in order, and the modules that make them; each is imported when it is made."""

_ROOT = Path(__file__).parents[1]
_HEAD = Path(__file__).parent / "again" / "head.md"
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
    texts = [part_text(name, maker, options.out) for name in wanted]
    write_whole(options.out / "sources.md", "".join([_HEAD.read_text(encoding="utf-8"), *texts]))
    print(f"{time.perf_counter() - start:.0f} s", file=sys.stderr)
    return 0


def part_text(name: str, maker: Maker, out: Path) -> str:
    """One part of the page in Markdown; its pictures are drawn into ``out``."""
    part: Part = import_module(f"again.{PARTS[name]}").part
    return "".join(text for section in part(maker) for text in _section(section, out))


def _section(section: Section, out: Path) -> Iterator[str]:
    yield f"\n## {section.title}\n\n{section.text.strip()}\n"
    for found, figure, file in section.pictures:
        outscore.plot(found, out / _PICTURES / file, figure=figure)
        title = next(one.title for one in found.figures if one.name == figure)
        yield f"\n![{title}]({_PICTURES}/{file})\n"
    for heading, found in section.results:
        yield f"\n### {heading}\n" if heading else ""
        yield f"\n{found.to_markdown().strip()}\n"


if __name__ == "__main__":
    sys.exit(main())
