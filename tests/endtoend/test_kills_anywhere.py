"""Commands that are killed at any moment: no file is half-written, and the same command comes to the same bytes."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.cli.commandline import environment
from tests.examples import examples
from tests.fuzz.calls import write_right

KILLS = 300
USES = 300
_FEW = ("-n", "2000")
_TEXTS = ("-r", "ref.txt", "base.txt", "new.txt", "-m", "bleu,chrf", *_FEW)
_TABLE = ("table.csv", "-m", "score", *_FEW)
_CELLS = ("--sizes", "20,30", "--simulations", "40", "-n", "200")
_SCORES = ("a.scores", "b.scores", "--test", "bootstrap:exact=never", *_FEW)
COMMANDS: dict[str, tuple[str, ...]] = {
    "compare": ("compare", *_TEXTS, "-o", "out.json"),
    "cache": ("compare", *_TEXTS, "--cache", "kept", "-o", "out.json"),
    "page": ("compare", *_TABLE, "--by", "domain", "-o", "out.html"),
    "rank": ("rank", *_TABLE, "-o", "out.json"),
    "page of rank": ("rank", *_TABLE, "-o", "out.html"),
    "study": ("study", "all-pairs", *_TABLE, "--resume", "kept", "-o", "out.json"),
    "page of study": ("study", "all-pairs", *_TABLE, "--resume", "kept", "-o", "out.html"),
    "power": ("power", "fake:sd=1", "--effect", "0.5", *_CELLS, "-j", "1", "--resume", "kept", "-o", "out.json"),
    "history": ("compare", *_SCORES, "-o", "out.json", "--history", "here.db", "--seed"),
    "import": ("history", "--history", "kept/here.db", "--import", "many.jsonl"),
    "export": ("history", "--history", "many.db", "--export", "out.jsonl"),
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
    _write_uses(tmp_path)
    draw = random.Random(f"kills of {name}")
    out, kept = tmp_path / next((w for w in COMMANDS[name] if w.startswith("out.")), "none"), tmp_path / "kept"
    kept.mkdir()
    start = time.monotonic()
    assert _run(name, tmp_path).wait() == 0
    took = time.monotonic() - start
    whole = out.read_bytes() if name != "import" else b""
    happened: Counter[str] = Counter()
    kills, number = examples(KILLS // len(COMMANDS)), 0
    while happened["killed at work"] < kills:
        number += 1
        assert number < 10 * kills, "it is hardly ever killed at work"
        old = draw.choice(_WAYS) == "old"
        out.unlink(missing_ok=True)
        if old:
            out.write_bytes(OLD)
        if draw.random() < 0.7:  # else the work of before is met
            shutil.rmtree(kept)
            kept.mkdir()
        happened["killed at work" if _kill(name, tmp_path, number, took, draw) else "had ended"] += 1
        happened["a part beside it"] += sum(1 for file in tmp_path.rglob(".*.part"))
        found = out.read_bytes() if out.exists() else b""
        happened["written" if found not in (b"", OLD) else "not written"] += 1
        if name == "history":  # which says how often the set was used before
            assert not found or found == OLD or json.loads(found)
            _check(tmp_path, "here.db")
            assert _run(name, tmp_path, number).wait() == 0
            assert _export(tmp_path, "here.db").count(b"\n") == number + 2, "a use is lost, or there are two of it"
        elif name == "import":
            if (kept / "here.db").exists():
                n = _check(tmp_path, "kept/here.db")
                assert n in (0, USES), "half of them"
                happened["written"] += n > 0
            assert _run(name, tmp_path).wait() == 0
            assert _export(tmp_path, "kept/here.db") == (tmp_path / "many.jsonl").read_bytes()
        else:
            assert found in (whole, OLD if old else b""), f"half-written: {found[:200]!r}"
            assert _run(name, tmp_path).wait() == 0
            assert out.read_bytes() == whole
        for part in tmp_path.rglob(".*.part"):
            part.unlink()
    print(f"{name}: {dict(happened)}")  # noqa: T201  for the table of docs/faults.md


def _kill(name: str, folder: Path, number: int, took: float, draw: random.Random) -> bool:
    """Kills a command at any moment, or as soon as it has written anything; was it at work?"""
    before = _seen(folder)
    process = _run(name, folder, number)
    if draw.random() < 0.5:
        time.sleep(took * draw.uniform(0.3, 1.05))
    else:
        while _seen(folder) == before and process.poll() is None:
            time.sleep(0.001)
        time.sleep(draw.choice([0, 0, 0.001, 0.01]))
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


def _seen(folder: Path) -> list[str]:
    """Names of the files that are there."""
    return sorted(str(file) for file in folder.rglob("*"))


def _write_uses(folder: Path) -> None:
    """A text of many uses, and a history that holds them."""
    head, one = (folder / "uses.jsonl").read_text(encoding="utf-8").splitlines()
    found = json.loads(one)
    lines = [head]
    for seed in range(USES):
        found["use"] |= {"seed": seed, "n_resamples": 99}
        lines.append(json.dumps(found, ensure_ascii=False))
    (folder / "many.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    _outscore(folder, "history", "--history", "many.db", "--import", "many.jsonl")


def _check(folder: Path, history: str) -> int:
    """How many uses the history holds, all as they were recorded."""
    said = _outscore(folder, "history", "--history", history, "--check")
    return int(said.partition(": ")[2].split()[0].replace(",", ""))


def _export(folder: Path, history: str) -> bytes:
    _outscore(folder, "history", "--history", history, "--export", "exported.jsonl")
    return (folder / "exported.jsonl").read_bytes()


def _outscore(folder: Path, *typed: str) -> str:
    command = [sys.executable, "-m", "outscore", *typed]
    done = subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, encoding="utf-8", check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _run(name: str, folder: Path, number: int = 0) -> subprocess.Popen[bytes]:
    more = [str(number)] if name == "history" else []
    command = [sys.executable, "-m", "outscore", *COMMANDS[name], *more]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=folder, env=environment(), stdout=quiet, stderr=quiet)
