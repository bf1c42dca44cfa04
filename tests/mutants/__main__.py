"""``python -m tests.mutants``: puts faults into the source, one at a time, and counts which the tests catch."""

from __future__ import annotations

import argparse
import compileall
import os
import py_compile
import shlex
import shutil
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

import pytest

from tests.mutants.cover import Cover
from tests.mutants.faults import ARITHMETIC, KINDS, SWAPS
from tests.mutants.kept import CAUGHT, TIMED_OUT, Kept, Mutant, digest, drawn, equivalents, mutants_of
from tests.mutants.serve import Server, importable
from tests.mutants.table import table

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
SHOWN = ("results", "report")
"""Packages whose faults are swaps; elsewhere they are arithmetic."""
COMPUTED = ("engine", "metrics", "multiplicity", "significance")
_NET_OF_REPORTS = ("results", "report", "cli", "verbs", "contract", "studies")
_NET_OF_NUMBERS = ("oracles", "contract", "peers", "laws", "verbs", "cli")


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    chosen = _chosen(options)
    if options.list:
        print("\n".join(mutant.key for mutant in chosen))
        return 0
    kept = Kept(options.keep)
    if not options.table and not hasattr(os, "fork"):
        sys.exit("mutants are tried in copies of a process, which this system does not make: use Linux or macOS")
    if not options.table:
        ended = _try(chosen, kept, options)
        if ended:
            return ended
    print(table(chosen, {o.key: o for m in chosen if (o := kept.get(m.key, digest(SOURCE / m.path)))}, equivalents()))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.partition(": ")[2])
    parser.add_argument(
        "--package", default=",".join((*SHOWN, *COMPUTED)), help="folders of src/outscore, commas between them"
    )
    parser.add_argument(
        "--kinds",
        help=f"swaps, arithmetic, or some of {', '.join(KINDS)}; swaps in {' and '.join(SHOWN)}, else arithmetic",
    )
    parser.add_argument("--sample", type=int, metavar="N", help="so many of each package at random, not all")
    parser.add_argument("--seed", type=int, default=12345, help="of the sample (default 12345)")
    parser.add_argument("--only", metavar="TEXT", default="", help="those whose names hold the text")
    parser.add_argument("--minutes", type=float, default=55, help="begin no more after so long (default 55)")
    parser.add_argument("--patience", type=float, default=120, metavar="SECONDS", help="of work for one mutant")
    parser.add_argument("--again", action="store_true", help="try those that were not caught once more")
    parser.add_argument("--tests", help="folders of tests, commas between them; the nearest ones of each package")
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "mutants", metavar="DIR", help="outcomes go here")
    parser.add_argument("--list", action="store_true", help="name the mutants and try none")
    parser.add_argument("--table", action="store_true", help="print the table of what is kept and try none")
    return parser


def _chosen(options: argparse.Namespace) -> list[Mutant]:
    groups = {"swaps": SWAPS, "arithmetic": ARITHMETIC}
    chosen = []
    for package in options.package.split(","):
        kinds = options.kinds or ("swaps" if package in SHOWN else "arithmetic")
        wanted = groups.get(kinds, tuple(kinds.split(",")))
        paths = [file.relative_to(SOURCE).as_posix() for file in sorted((SOURCE / "outscore" / package).rglob("*.py"))]
        if not paths or not set(wanted) <= set(KINDS):
            sys.exit(f"there is no package {package!r} of sources, or no kind of faults among {', '.join(wanted)}")
        found = [m for path in paths for m in mutants_of(SOURCE, path, wanted) if options.only in m.key]
        chosen += found if options.sample is None else drawn(found, options.sample, options.seed)
    return chosen


def _try(chosen: Sequence[Mutant], kept: Kept, options: argparse.Namespace) -> int:
    """Tries what has no outcome yet; the exit code of pytest where it could not even begin."""
    known = equivalents()
    todo = []
    for mutant in chosen:
        done = kept.get(mutant.key, digest(SOURCE / mutant.path))
        again = options.again and done is not None and done.outcome not in (CAUGHT, TIMED_OUT)
        if mutant.key not in known and (done is None or again):
            todo.append(mutant)
    todo.sort(key=lambda mutant: (not mutant.scope, mutant.path))  # what needs all modules anew takes longest
    print(f"{len(chosen)} mutants, {len(todo)} to be tried", flush=True)
    if not todo:
        return 0
    nets = options.tests.split(",") if options.tests else _nets({m.package for m in todo})
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder).resolve() / "src"
        shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        compileall.compile_dir(copy, quiet=1, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
        for beside in ROOT.iterdir():
            if beside.name != "src":
                (copy.parent / beside.name).symlink_to(beside)
        importable(copy)
        plain = [*_plain(), f"--basetemp={folder}/tmp"]
        cover, until = Cover(options.keep, copy), time.monotonic() + 60 * options.minutes
        with os.fdopen(os.dup(sys.stderr.fileno()), "w", encoding="utf-8") as told:  # pytest takes the other
            server = Server(todo, kept, cover, copy, plain, until=until, patience=options.patience, told=_teller(told))
            ended = pytest.main([*plain, *(f"tests/{net}" for net in nets)], plugins=[server])
    return 0 if ended in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) else int(ended)


def _nets(packages: set[str]) -> list[str]:
    """Folders of the tests that are meant to hold these packages."""
    nets: dict[str, None] = {}
    for package in sorted(packages):
        near = _NET_OF_REPORTS if package in SHOWN else (package, *_NET_OF_NUMBERS)
        nets |= dict.fromkeys(net for net in near if (ROOT / "tests" / net).is_dir())
    return list(nets)


def _plain() -> list[str]:
    """How pytest is asked for the default suite, quietly, with nothing that tells more of a failure than that it is."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        words = shlex.split(tomllib.load(file)["tool"]["pytest"]["ini_options"]["addopts"])
    own = [word for word in words if not word.startswith("-r")]
    quiet = ["-q", "--tb=native", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts="]
    return [*own, *quiet, f"--rootdir={ROOT}", "-c", str(ROOT / "pyproject.toml")]


def _teller(stream: TextIO) -> Callable[[str], None]:
    return lambda line: print(line, file=stream, flush=True) if line else None


if __name__ == "__main__":
    sys.exit(main())
