"""Every verb on broken files and with options that are none: an answer, or one clear line; never a traceback."""

from __future__ import annotations

import contextlib
import random
import shutil
from pathlib import Path

import pytest

from tests.cli.commandline import outscore
from tests.examples import examples
from tests.fuzz.calls import COMMANDS, write_right, write_wrong

CALLS = 4_000
PARTS = 8
ANSWERED, EXPECTED = (0, 1), (2, 3, 4)


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return write_right(tmp_path_factory.mktemp("right"))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_broken_input_is_answered_or_refused_in_one_line(
    part: int, right: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUTSCORE_CACHE", "0")
    codes = []
    for number in range(examples(CALLS // PARTS)):
        codes.append(call(f"{part} {number}", right, tmp_path / str(number)))
    assert set(codes) & set(EXPECTED), "nothing was refused: the files are not broken enough"


@pytest.mark.slow
def test_the_commands_answer_where_nothing_is_broken(
    right: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUTSCORE_CACHE", "0")
    monkeypatch.chdir(tmp_path)
    for name, content in right.items():
        Path(name).write_bytes(content)
    refused = {tuple(typed[:2]): done.err for typed in COMMANDS if (done := outscore(*typed)).code not in ANSWERED}
    # a saved result holds no items, and the printed results no names
    assert set(refused) == {("compare", "saved.json"), ("recheck", "printed.json")}, refused


def call(seed: str, right: dict[str, bytes], folder: Path, verb: str = "") -> int:
    """The exit code of the command that the seed draws; it fails where what came out is no answer and no clear line."""
    draw = random.Random(f"fuzz of verbs {seed}")
    folder.mkdir()
    typed = write_wrong(folder, right, draw, verb)
    with contextlib.chdir(folder):
        done = outscore(*typed)
    said = f"{seed}: {typed}: {done.code}: {done.err[-600:]!r}"
    assert done.code in (*ANSWERED, *EXPECTED), said
    assert "Traceback" not in done.err, said
    if done.code in (3, 4) and "--check" not in typed:
        assert done.complaint.startswith("outscore: "), said
        assert len(done.complaint) > len("outscore: error: "), said
    shutil.rmtree(folder)
    return done.code
