"""The pytest plugin: scores that tests record are held against a file of baseline scores when all tests have run.

Pytest loads it for everybody who has outscore, so that it imports nothing else before its fixture is used.
"""

from __future__ import annotations

import csv
import io
import math
import shlex
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import outscore as package  # a fixture has its name

if TYPE_CHECKING:
    from outscore.results.comparison import Comparison

_RECORDED = pytest.StashKey[list[tuple[str, dict[str, Any], str, float, dict[str, Any]]]]()
_UPDATE = "--outscore-update"

Recorder = Callable[..., None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("outscore").addoption(
        _UPDATE, action="store_true", help="write the scores that tests record as the new baseline files"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Session(config), "outscore-session")


@pytest.fixture
def outscore(request: pytest.FixtureRequest) -> Callable[..., Recorder]:
    """Names a file of baseline scores, and the rule by which recorded scores are held against it.

    ``outscore(FILE, fail_unless="not-worse", margin=0.02)`` gives a function ``record(item, score)``; columns of the
    item such as ``cluster="document 1"`` go behind the score. FILE is relative to that of the test; further keywords
    are those of ``outscore.compare``. One test may record all items, or each item may be a test of its own.
    """
    recorded = request.node.stash.setdefault(_RECORDED, [])

    def name(file: str, *, fail_unless: str = "not-worse", **options: Any) -> Recorder:
        from outscore.results.result import check_gate

        check_gate(fail_unless)
        if fail_unless != "better" and "margin" not in options:
            raise package.UsageError(
                f"fail_unless={fail_unless!r} needs to know what does not matter: add margin=NUMBER"
            )
        path = str(request.path.parent / file)

        def record(item: object, score: float, **columns: Any) -> None:
            try:
                number = float(score)
            except (TypeError, ValueError):
                number = math.nan
            if not math.isfinite(number):
                raise ValueError(f"the score of {item!r} is {score}: record a number")
            recorded.append((path, {"fail_unless": fail_unless, **options}, str(item), number, columns))

        return record

    return name


class _Session:
    """Gathers what tests record, in whatever process they ran, and gives a report for each baseline at the end."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._narrowed = bool(config.getoption("lf", False)) or any("::" in word for word in config.args)
        self._options: dict[str, dict[str, Any]] = {}
        self._rows: dict[str, dict[str, tuple[str, float, dict[str, Any]]]] = {}
        self._faults: dict[str, str] = {}
        self._ran: set[str] = set()
        self._partial = ""
        self._screens: list[tuple[str, str]] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if report.when == "teardown":
            # an attribute of a report goes from the workers of xdist to their parent
            report.outscore = item.stash.get(_RECORDED, [])  # type: ignore[attr-defined]
        return report

    def pytest_deselected(self) -> None:
        self._narrowed = True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._ran.add(report.nodeid)
        for file, options, item, score, columns in getattr(report, "outscore", ()):
            rows = self._rows.setdefault(file, {})
            if item in rows and rows[item][0] != report.nodeid:
                self._faults[file] = f"item {item!r} is recorded by {rows[item][0]} and by {report.nodeid}"
            if self._options.setdefault(file, options) != options:
                self._faults[file] = f"tests ask for different options: {self._options[file]} and {options}"
            rows[item] = (report.nodeid, score, columns)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if hasattr(self._config, "workerinput"):
            return
        left = session.testscollected - len(self._ran)
        if session.testsfailed or exitstatus != pytest.ExitCode.OK:  # a test that failed may have recorded more
            self._partial = f"tests that failed: {session.testsfailed}, not run: {left}"
        session.testscollected += len(self._rows)  # else they end at 101 %
        for file in sorted(self._rows):
            outcome, said = self._judge(Path(file))
            short, rule = _short(file, self._config), self._options[file]["fail_unless"]
            report = pytest.TestReport(f"{short}::{rule}", (short, None, rule), {}, outcome, said, "call")
            self._config.hook.pytest_runtest_logreport(report=report)
            if outcome == "failed" and session.exitstatus == pytest.ExitCode.OK:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for file, screen in self._screens:
            terminalreporter.section(f"outscore: {_short(file, self._config)}")
            terminalreporter.line(screen.rstrip())

    def _judge(self, file: Path) -> tuple[Any, Any]:
        """An outcome as pytest has it, and why."""
        from outscore.base.files import write_whole

        said, short = self._faults.get(str(file), ""), _short(str(file), self._config)
        if said:
            return "failed", said
        update = self._config.getoption(_UPDATE)
        if not update and not file.exists():
            return "failed", f"no file {short}: {self._partial or f'pytest {_UPDATE} writes it'}"
        if self._narrowed:
            return "skipped", (short, 0, "outscore: some tests were left out, which may have recorded other items")
        if update and file.suffix != ".csv":
            return "failed", f"{_UPDATE} writes files that end in .csv"
        if update and self._partial:
            return "failed", f"{_UPDATE} left {short} as it was ({self._partial})"
        now = file if update else self._folder() / f"{file.stem}.csv"
        try:
            now.parent.mkdir(parents=True, exist_ok=True)
            write_whole(now, self._to_csv(str(file)))
            if update:
                self._screens.append((str(file), f"{len(self._rows[str(file)])} scores written"))
                return "passed", ""
            result = self._compare(file, now)
            gate = result.gate(self._options[str(file)]["fail_unless"])
        except (package.OutscoreError, OSError) as error:
            anew = f"; {self._partial or f'pytest {_UPDATE} writes the file anew'}"
            return "failed", f"{error}{anew * (isinstance(error, package.InputError) and not update)}"
        files = [f"baseline={short}", f"now={_short(str(now), self._config)}"]
        screen = f"{result}\n\noutscore compare {shlex.join([*files, *_as_typed(self._options[str(file)])])}"
        self._screens.append((str(file), screen))
        from outscore.report.screen import gate_line

        return ("passed", "") if gate else ("failed", gate_line(result, gate))

    def _folder(self) -> Path:
        """Where what was recorded is kept, so that the command line can go on with it."""
        cache = getattr(self._config, "cache", None)  # users may switch it off
        return Path(tempfile.mkdtemp()) if cache is None else cache.mkdir("outscore")

    def _compare(self, file: Path, now: Path) -> Comparison:
        options = {name: value for name, value in self._options[str(file)].items() if name != "fail_unless"}
        read = package.read([f"baseline={file}", f"now={now}"], missing=options.get("missing", "error"))
        return package.compare(read, **options)

    def _to_csv(self, file: str) -> str:
        rows, written = self._rows[file], io.StringIO()
        columns = sorted({name for _, _, more in rows.values() for name in more})
        table = csv.writer(written, lineterminator="\n")
        table.writerow(["item", "score", *columns])
        for item in sorted(rows):
            _, score, more = rows[item]
            table.writerow([item, f"{score:g}" if score.is_integer() else repr(score), *map(more.get, columns)])
        return written.getvalue()


def _as_typed(options: dict[str, Any]) -> list[str]:
    """The options as the command line has them, where they are words or numbers."""
    from outscore.verbs.compare import Compare
    from outscore.verbs.declared import declared

    flags = {"fail_unless": "--fail-unless"} | {one.name: max(one.flags, key=len) for one in declared(Compare)}
    lists = {name: value if isinstance(value, list | tuple) else [value] for name, value in options.items()}
    plain = {name: value for name, value in lists.items() if {*map(type, value)} <= {str, int, float}}
    return [f"{flags[name]}={','.join(map(str, value))}" for name, value in plain.items() if name in flags]


def _short(file: str, config: pytest.Config) -> str:
    path = Path(file)
    return str(path.relative_to(config.rootpath) if path.is_relative_to(config.rootpath) else path)
