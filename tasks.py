#!/usr/bin/env python3
"""The tasks of development: ``python tasks.py lint types``. CI, the workflows and people run the same ones.

Each task runs with the Python that runs this file, whose environment ``setup`` fills. Further arguments behind ``--``
go to the last task: ``python tasks.py test -- -k bleu``.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parent
PYTEST = ("pytest", "-n", "2")
FEW = 8
MANY = "many"
"""The profile of Hypothesis, in ``tests/conftest.py``, with all examples."""
GOLDENS = {Path("tests/report/test_kinds.py"), Path("tests/report/test_changed.py")}
SEEDED = Path("tests/contract/test_seeded_numbers.py")

Task = Callable[[Sequence[str]], None]


def setup(more: Sequence[str]) -> None:
    """Installs the package as it stands here, with all extras and what development needs."""
    _python("pip", "install", "-q", "-c", "constraints.txt", "-e", ".[all,dev]", *more)


def lint(more: Sequence[str]) -> None:
    """Style, and that each floor imports only those below it."""
    _python("ruff", "check", *more)
    _python("ruff", "format", "--check")
    _run(_program("lint-imports"))


def types(more: Sequence[str]) -> None:
    """Types."""
    _python("mypy", *more)


def quick(more: Sequence[str]) -> None:
    """Lint, types, and the quick tests of the files that differ from main: for the time of writing."""
    lint(())
    # beside the tests: either takes half a minute at worst
    typed = subprocess.Popen((sys.executable, "-m", "mypy"), cwd=ROOT)
    try:
        if files := tests_of(_changed()):
            # two processes take longer to start than a few files to run
            both = PYTEST[1:] if len(files) > FEW else ()
            _python("pytest", *both, "-q", "-x", "-m", "not slow and not data and not nightly", *files, *more)
    finally:
        code = typed.wait()
    if code:
        raise subprocess.CalledProcessError(code, typed.args)


def test(more: Sequence[str]) -> None:
    """The tests of every change: neither the slow nor the nightly ones."""
    _python(*PYTEST, *more)


def slow(more: Sequence[str]) -> None:
    """The slow tests, and those that need the data sets."""
    _python(*PYTEST, "-m", "(slow or data) and not nightly", "--durations=10", *more)


def nightly(more: Sequence[str]) -> None:
    """All tests there are, with many more random examples: hours."""
    _python(*PYTEST, "-m", "", "--durations=50", f"--hypothesis-profile={MANY}", *more)


def goldens(more: Sequence[str]) -> None:
    """Writes what results and reports should look like anew, and shows the difference."""
    _python("pytest", "-q", "tests/report", *more, OUTSCORE_GOLDEN="write")
    _run("git", "--no-pager", "diff", "--word-diff", "--unified=1", "--", "tests/golden")


def docs(more: Sequence[str]) -> None:
    """The site of the manual, every warning an error, and the tests of what it holds; kept in OUTSCORE_SITE."""
    _python("tests.docs.manual")
    kept = os.environ.get("OUTSCORE_SITE")
    with contextlib.nullcontext(kept) if kept else tempfile.TemporaryDirectory() as site:
        _python("sphinx", "-q", "-W", "--keep-going", "-j", "auto", "-b", "html", "docs", site, *more)
        print(f"{len(list(Path(site).rglob('*.html')))} pages of the site", flush=True)
        _python("pytest", "-q", "-m", "", "tests/docs/test_site.py", "tests/browser/test_site.py", OUTSCORE_SITE=site)


def pages(more: Sequence[str]) -> None:
    """Writes what the commands of the manual print into its pages, and shows the difference."""
    _python("pytest", "-q", "-m", "not nightly", "tests/docs", *more, OUTSCORE_DOCS_UPDATE="1")
    _run("git", "diff", "--stat", "--", "docs", "README.md")


def levels(more: Sequence[str]) -> None:
    """Measures level, coverage and power of every test; goes on where it stopped with ``-- --resume DIR``."""
    _run(sys.executable, "benchmarks/levels.py", *more)


def mutants(more: Sequence[str]) -> None:
    """Puts small faults into the source and counts which the tests catch; goes on where it stopped; ``-- --help``."""
    _python("tests.mutants", *more)


def bench(more: Sequence[str]) -> None:
    """Times the work against other programs (extra ``bench``)."""
    _run(sys.executable, "benchmarks/run.py", *more)


def workflows(more: Sequence[str]) -> None:
    """Checks the workflows, and the action."""
    _run(_program("zizmor"), "--offline", "--quiet", ".github", "action.yml", *more)


def build(more: Sequence[str]) -> None:
    """Builds the package, checks its description, and writes what it needs into ``bill/outscore.cdx.json``."""
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    _python("build", *more)
    _python("twine", "check", "--strict", *map(str, sorted((ROOT / "dist").iterdir())))
    (ROOT / "bill").mkdir(exist_ok=True)
    (ROOT / "bill" / "outscore.cdx.json").write_text(bill(), encoding="utf-8")


def bill(extra: str = "all") -> str:
    """A bill of materials (CycloneDX): every package that ours needs here with an extra, and the one installed."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    found: dict[str, dict[str, str]] = {}
    waiting, seen = [("outscore", extra)], set[tuple[str, str]]()
    while waiting:
        name, of = waiting.pop()
        if (name, of) in seen:
            continue
        seen.add((name, of))
        package = metadata.distribution(name)
        known = {"type": "library", "name": name, "version": package.version}
        found[name] = {**known, "purl": f"pkg:pypi/{name}@{package.version}"}
        for needed in map(Requirement, package.requires or ()):
            if needed.marker is None or needed.marker.evaluate({"extra": of}):
                waiting += [(canonicalize_name(needed.name), other) for other in ("", *needed.extras)]
    ours = found.pop("outscore")
    whole = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "metadata": {"component": ours}}
    return json.dumps({**whole, "components": [found[name] for name in sorted(found)]}, indent=1) + "\n"


def publish(more: Sequence[str]) -> None:
    """Signs what was built and uploads it: for the workflow of releases, which has the right to."""
    files = [str(file) for file in sorted((ROOT / "dist").iterdir())]
    _python("pypi_attestations", "sign", *files)
    _python("twine", "upload", "--non-interactive", "--attestations", *files, *more)


TASKS: dict[str, Task] = {
    task.__name__: task
    for task in (
        *(setup, lint, types, quick, test, slow, nightly, goldens, docs, pages, levels, mutants),
        *(bench, workflows, build, publish),
    )
}


def main(arguments: Sequence[str]) -> int:
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    names, more = arguments[:cut], arguments[cut + 1 :]
    unknown = [name for name in names if name not in TASKS]
    if unknown or not names:
        if unknown:
            print(f"no task {unknown[0]!r}; there are:", file=sys.stderr)
        for name, task in TASKS.items():
            print(f"{name:10} {task.__doc__}", file=sys.stderr)
        return 2
    for name in names:
        print(f"== {name}", flush=True)
        start = time.perf_counter()
        try:
            TASKS[name](more if name == names[-1] else ())
        except subprocess.CalledProcessError as error:
            print(f"== {name} failed: {' '.join(map(str, error.cmd))}", file=sys.stderr)
            return 1
        print(f"== {name}: {time.perf_counter() - start:.0f} s", flush=True)
    return 0


def _python(module: str, *arguments: str, **variables: str) -> None:
    _run(sys.executable, "-m", module, *arguments, **variables)


def _run(*command: str, **variables: str) -> None:
    subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}, check=True)


def _program(name: str) -> str:
    """A program of the environment, whether or not that was activated."""
    return shutil.which(name, path=str(Path(sys.executable).parent)) or name


def _changed() -> list[Path]:
    """Files that differ from main, or from the last commit on main itself, and new ones."""

    def listed(*command: str) -> list[str]:
        return subprocess.run(
            ("git", *command), cwd=ROOT, check=True, capture_output=True, text=True, encoding="utf-8"
        ).stdout.split()

    base = listed("merge-base", "main", "HEAD")[0]
    names = {*listed("diff", "--name-only", base), *listed("ls-files", "--others", "--exclude-standard")}
    return [Path(name) for name in sorted(names)]


def tests_of(changed: Sequence[Path]) -> list[str]:
    """Test files that were changed themselves, those of the floor that name a changed module, else those of verbs that
    do; for a result the goldens of what shows, and those there and of reports that import it, else those that name it;
    of a verb, those that are called like it or its module, else those that name it, and its numbers.
    """
    found = {file for file in changed if file.name.startswith("test_") and (ROOT / file).exists()}
    for file in changed:
        if file.suffix == ".py" and file.parts[0] == "src":
            floor, name = file.parts[2], file.parent.name if file.stem == "__init__" else file.stem
            if floor == "verbs":
                found |= _tests_of_verb(Path(file.parts[3]).stem, name)
            elif floor == "results":
                shown = _tests("results", "report")
                found |= {*GOLDENS, *(_naming(f".{name} import", shown) or _naming(name, shown))}
            else:
                found |= GOLDENS if floor == "report" else set()
                found |= _naming(name, _tests(floor)) or _naming(name, _tests("verbs", "cli"))
    return [file.as_posix() for file in sorted(found)]


def _tests_of_verb(verb: str, module: str) -> set[Path]:
    doors = _tests("verbs", "cli")
    called = [one for one in doors if {verb, module} & {*one.stem.split("_")[1:]}]
    return {SEEDED, *(called or _naming(f'"{verb}"', doors))}


def _naming(name: str, tests: Sequence[Path]) -> set[Path]:
    return {one for one in tests if name in one.stem or name in (ROOT / one).read_text(encoding="utf-8")}


def _tests(*floors: str) -> list[Path]:
    return [one.relative_to(ROOT) for floor in floors for one in (ROOT / "tests" / floor).rglob("test_*.py")]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
