"""The commands that stand for those of other programs run."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.docs import manual
from tests.docs.typed import typed

PAGE = manual.DOCS / "elsewhere.md"
OURS = list(dict.fromkeys(re.findall(r"(?<!\\)\| `(outscore [^`]*)` \|", PAGE.read_text(encoding="utf-8"))))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example files, logs of lm-evaluation-harness as the manual shows them, and two of Inspect."""
    place = tmp_path_factory.mktemp("elsewhere") / "examples"
    shutil.copytree(manual.ROOT / "examples", place, ignore=shutil.ignore_patterns("__pycache__"))
    for block in manual.blocks_of(manual.DOCS / "llm.md"):
        if (file := place / block.options.get("file", "")).suffix == ".jsonl":
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("\n".join(block.lines) + "\n", encoding="utf-8")
    (place / "logs").mkdir()
    for name, shift in (("small", 1), ("large", 2)):
        samples = [
            {
                "id": f"q{i}",
                "epoch": epoch,
                "input": f"question {i}",
                "target": "4",
                "metadata": {"passage": f"p{i // 3}"},
                "scores": {"match": {"value": "CI"[(i * epoch + i) % (2 + shift) == 0]}},
            }
            for i in range(30)
            for epoch in (1, 2)
        ]
        log = {"version": 2, "status": "success", "eval": {"task": "sums", "model": name}, "samples": samples}
        (place / "logs" / f"{name}.json").write_text(json.dumps(log), encoding="utf-8")
    return place


def test_every_program_has_its_commands() -> None:
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    assert len(sections) >= 9
    for section in sections:
        rows = [row for row in section.splitlines() if row.startswith("| ")][1:]
        assert rows
        assert all(re.search(r"\| `outscore ", row) for row in rows), section


@pytest.mark.slow
@pytest.mark.parametrize("command", OURS)
def test_our_command_runs(command: str, place: Path, tmp_path: Path) -> None:
    code, printed = typed(command, place, manual.environment(tmp_path))
    assert code == 0, printed
    assert printed
