"""The study that the manual shows is found by its entry point, in every process that works for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.docs import manual


@pytest.mark.slow
def test_third_party_study_of_the_manual_is_a_command(tmp_path: Path) -> None:
    blocks = [b for b in manual.blocks_of(manual.ROOT / "docs" / "studies.md") if "file" in b.options]
    by_file = {b.options["file"]: "\n".join(b.lines) + "\n" for b in blocks}
    project = tomllib.loads(by_file["pyproject.toml"])["project"]
    (module,) = (name for name in by_file if name.endswith(".py"))
    site = tmp_path / "site"
    info = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (site / module).write_text(by_file[module], encoding="utf-8")
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n", encoding="utf-8"
    )
    ((name, target),) = project["entry-points"]["outscore.studies"].items()
    (info / "entry_points.txt").write_text(f"[outscore.studies]\n{name} = {target}\n", encoding="utf-8")
    env = manual.environment(tmp_path)
    env["PYTHONPATH"] = os.pathsep.join([str(site), env["PYTHONPATH"]])

    def outscore(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "outscore", "study", *arguments]
        return subprocess.run(
            command, env=env, cwd=manual.ROOT / "examples", capture_output=True, encoding="utf-8", check=False
        )

    assert name in outscore().stdout
    runs = [f"{system}={system}.run1.txt" for system in ("baseline", "larger")]
    given = [name, "-r", "ref.txt", *runs, "-m", "bleu", "--draws", "25", "-f", "json"]
    several, alone = outscore(*given, "-j", "2"), outscore(*given, "-j", "1")
    assert (several.returncode, several.stderr) == (0, "")
    assert several.stdout == alone.stdout
    found = json.loads(several.stdout)
    assert (found["study"], found["n_cells"]) == ("halves:draws=25", 3)
    assert found["tables"][0]["rows"][0][1] == 25
    assert "--draws" in outscore(name, "--help").stdout
    env["PYTHONPATH"] = manual.environment(tmp_path)["PYTHONPATH"]
    assert outscore(name).returncode == 2, "without the distribution the study must not be known"
