"""Commands that are killed at any moment: no file is half-written, and the same command comes to the same bytes."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.commandline import environment
from tests.examples import examples
from tests.fuzz.calls import write_right

KILLS = 300
_FEW = ("-n", "2000")
COMMANDS: dict[str, tuple[str, ...]] = {
    "compare": ("compare", "-r", "ref.txt", "base.txt", "new.txt", "-m", "bleu,chrf", *_FEW, "-o", "out.json"),
    "page": ("compare", "table.csv", "-m", "score,acc", "--by", "domain", *_FEW, "-o", "out.html"),
    "rank": ("rank", "table.csv", "-m", "score", "-n", "300", "-o", "out.json"),
    "study": ("study", "all-pairs", "table.csv", "-m", "score", "--resume", "kept", *_FEW, "-o", "out.json"),
    "history": ("compare", "a.scores", "b.scores", *_FEW, "--history", "here.db", "-o", "out.json"),
    "convert": ("convert", "table.csv", "-o", "out.csv"),
}
_WAYS = ("nothing", "old")
"""Whether the file to be written is there before."""
OLD = b"old\n"


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform == "win32", reason="kills by signals")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_killed_anywhere_leaves_whole_files(name: str, tmp_path: Path) -> None:
    write_right(tmp_path)
    draw = random.Random(f"kills of {name}")
    out = tmp_path / COMMANDS[name][-1]
    start = time.monotonic()
    assert _run(name, tmp_path).wait() == 0
    took = time.monotonic() - start
    whole = out.read_bytes()
    stopped = 0
    for _ in range(examples(KILLS // len(COMMANDS))):
        old = draw.choice(_WAYS) == "old"
        out.unlink(missing_ok=True)
        if old:
            out.write_bytes(OLD)
        process = _run(name, tmp_path)
        time.sleep(took * draw.uniform(0.3, 1.05))
        process.send_signal(signal.SIGKILL)
        stopped += process.wait() == -signal.SIGKILL
        found = out.read_bytes() if out.exists() else b""
        if name == "history":  # which says how often the set was used before
            assert not found or found == OLD or json.loads(found)
            check = [sys.executable, "-m", "outscore", "history", "--history", "here.db", "--check"]
            done = subprocess.run(check, cwd=tmp_path, env=environment(), capture_output=True, check=False)
            assert done.returncode == 0, done.stderr
            continue
        assert found in (whole, OLD if old else b""), f"half-written: {found[:200]!r}"
        assert _run(name, tmp_path).wait() == 0
        assert out.read_bytes() == whole
    assert stopped, "it was never killed at work"


def _run(name: str, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "outscore", *COMMANDS[name]]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=folder, env=environment(), stdout=quiet, stderr=quiet)
