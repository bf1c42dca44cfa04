"""The action of the repository: its steps are run here as a runner runs them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.docs.manual import environment

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


@pytest.fixture(scope="module")
def action() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")
    found: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    return found


def test_every_input_reaches_a_step_by_its_environment(action: dict[str, Any]) -> None:
    """Written into the script itself, whatever a pull request calls a file would be run."""
    steps = action["runs"]["steps"]
    given = {value for step in steps for value in step["env"].values()}
    assert given == {f"${{{{ inputs.{name} }}}}" for name in action["inputs"]}
    for step in steps:
        assert "${{" not in step["run"]
        assert all(name in step["run"] for name in step["env"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        ({"candidate": "new.seg"}, 0, "::notice title=outscore::candidate outscores baseline by 0.01333 (95%25 CI"),
        (
            {"candidate": "base.seg"},
            1,
            "::error title=outscore::outscore: gate 'better' does not hold: candidate on mean",
        ),
        (
            {"candidate": "new.seg", "fail-unless": "not-worse", "margin": "0.1", "arguments": "--alpha 0.01 -n 100"},
            0,
            "::notice title=outscore::candidate outscores baseline by 0.01333 (99%25 CI",
        ),
        ({"candidate": "no such.seg; exit 5"}, 3, "::error title=outscore::outscore: error: no such.seg; exit 5"),
    ],
    ids=["better", "the same", "with a margin", "no file"],
)
def test_the_steps_say_what_the_gate_says(
    given: dict[str, str], code: int, said: str, action: dict[str, Any], tmp_path: Path
) -> None:
    step = action["runs"]["steps"][-1]
    inputs = {name: str(one.get("default", "")) for name, one in action["inputs"].items()}
    inputs |= {"baseline": "base.seg", "output": str(tmp_path / "result"), **given}
    values = {name: inputs[value.split(".")[1].split(" ")[0]] for name, value in step["env"].items()}
    env = environment(tmp_path) | values | {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    (tmp_path / "result").mkdir()
    for of_another_run in ("result.json", "result.html", "result.xml"):
        (tmp_path / "result" / of_another_run).write_text("", encoding="utf-8")
    # as a runner calls the shell `bash`
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    done = subprocess.run(
        command, cwd=EXAMPLES, env={**os.environ, **env}, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == code, done.stderr
    assert done.stdout.splitlines()[-1].startswith(said)
    written = {file.name for file in (tmp_path / "result").iterdir()}
    if code == 3:
        assert not written
        return
    assert written == {"result.json", "result.html", "result.xml"}
    assert "| baseline |" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert ElementTree.parse(tmp_path / "result" / "result.xml").getroot().attrib["failures"] == str(code)
