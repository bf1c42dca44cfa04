"""The XML that systems of continuous integration read says the same as the gate."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from outscore.base.errors import UsageError
from tests.cli.commandline import outscore, written
from tests.report.kinds import KINDS


def _cases(text: str) -> dict[str, str]:
    """Names of tests, and why they fail."""
    suite = ElementTree.fromstring(text.encode())
    found = {case.attrib["name"]: case.find("failure") for case in suite.iter("testcase")}
    said = {name: "" if failure is None else failure.attrib["message"] for name, failure in found.items()}
    assert suite.attrib["tests"] == str(len(said))
    assert suite.attrib["failures"] == str(sum(map(bool, said.values())))
    return said


def test_a_test_for_each_pair_fails_where_the_gate_does() -> None:
    result = KINDS["margins_of_many"]()
    gate = result.gate("not-worse")  # type: ignore[attr-defined]
    found = _cases(result.to("junit:gate=not-worse"))
    assert {name for name, why in found.items() if why} == {f"{one.system} not-worse on mean" for one in gate.failing}
    assert {name for name, why in found.items() if not why} == {f"{p.system} not-worse on mean" for p in gate.holding}
    assert gate.holding and gate.failing
    assert found["dill not-worse on mean"].startswith("worse, gain -0.1312, margin 0.05, p not worse")


def test_sequences_fail_by_their_decisions() -> None:
    result = KINDS["sequences_early_and_late"]()
    gate = result.gate("better")  # type: ignore[attr-defined]
    assert {why for why in _cases(result.to("junit:gate=better")).values() if why} == {s.decision for s in gate.failing}


def test_without_a_gate_nothing_fails_and_the_first_screen_is_there() -> None:
    for kind in ("two", "board"):
        result = KINDS[kind]()
        text = result.to("junit")
        assert _cases(text) == {result.command: ""}
        shown = ElementTree.fromstring(text.encode()).findtext("system-out")
        assert shown == result.to("terminal:columns=100,plain=true")
    with pytest.raises(UsageError, match="rank has no gates"):
        KINDS["board"]().to("junit:gate=better")


def test_the_command_line_gives_its_gate_to_the_file(tmp_path: Path) -> None:
    base = written(tmp_path / "base.seg", [str(i % 7) for i in range(50)])
    new = written(tmp_path / "new.seg", [str((i + 3) % 7) for i in range(50)])
    done = outscore("compare", base, new, "--fail-unless", "better", "-o", tmp_path / "found.xml")
    assert done.code == 1
    (why,) = _cases((tmp_path / "found.xml").read_text(encoding="utf-8")).values()
    assert why and why in done.err
