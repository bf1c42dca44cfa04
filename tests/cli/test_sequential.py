"""``outscore sequential``: replays of files, streams on stdin, every format, gates and exit codes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from outscore.results.result import formats
from tests.cli.commandline import in_a_process, outscore, texts, written

WON = b"".join(b"0\t1\n" for _ in range(40))


def table(folder: Path, n: int = 300) -> Path:
    """Two systems on items in documents, the second one clearly better."""
    rng = np.random.default_rng(5)
    rows = [
        f"{system},{i},{int(rng.random() < share)},d{i // 3}"
        for system, share in (("base", 0.5), ("new", 0.8))
        for i in range(n)
    ]
    return written(folder / "t.csv", ["system,item,score,document", *rows])


@pytest.mark.parametrize(
    "more",
    [
        pytest.param([], marks=pytest.mark.slow),
        ["--cluster", "document", "--orders", "3"],
        pytest.param(["--margin", "0.1", "--bounds", "none", "--method", "mixture"], marks=pytest.mark.slow),
    ],
)
@pytest.mark.slow
def test_every_format_draws_a_replay_and_draws_it_again(more: list[str], tmp_path: Path) -> None:
    saved = tmp_path / "s.json"
    assert outscore("sequential", table(tmp_path), "-m", "accuracy", *more, "-o", saved, "-q").code == 0
    for name in formats.names():
        direct = outscore("sequential", table(tmp_path), "-m", "accuracy", *more, "-f", name)
        again = outscore("show", saved, "-f", name)
        assert (direct.code, again.code) == (0, 0), direct.err + again.err
        assert again.out == direct.out


def test_the_table_says_where_the_decision_fell_and_what_all_items_say(tmp_path: Path) -> None:
    done = outscore("sequential", table(tmp_path), "-m", "accuracy", "--order", "random", "--seed", "2", "-v")
    found = json.loads(
        outscore("sequential", table(tmp_path), "-m", "accuracy", "--order", "random", "--seed", "2", "-f", "json").out
    )
    at = found["sequences"][0]["decided_at"]
    assert f"new outscores base after {at} of 300 items" in " ".join(done.out.split())
    assert re.search(rf"^ +{at} .* better, decided", done.out, re.MULTILINE)
    assert re.search(r"^Fixed-n tests of all items\n.*\nnew .*\] +< \.001  McNemar ", done.out, re.MULTILINE)
    assert "given_order" not in {note["code"] for note in found["notes"]}
    assert found["command"] == "sequential"


def test_looks_come_as_often_as_asked(tmp_path: Path) -> None:
    found = json.loads(outscore("sequential", table(tmp_path), "-m", "accuracy", "--every", "100", "-f", "json").out)
    (sequence,) = found["sequences"]
    assert {100, 200, 300} | {sequence["decided_at"]} == {analysis["n"] for analysis in sequence["analyses"]}
    stopped = json.loads(outscore("sequential", table(tmp_path), "-m", "accuracy", "--stop", "-f", "json").out)
    assert stopped["sequences"][0]["analyses"][-1]["n"] == sequence["decided_at"]


def test_decimals_are_those_asked_for(tmp_path: Path) -> None:
    done = outscore("sequential", table(tmp_path), "-m", "accuracy", "--decimals", "5", "-f", "sentence")
    assert re.search(r"by 0\.\d{5} accuracy \(95% confidence sequence 0\.\d{5} to 0\.\d{5},", done.out)


def test_a_stream_is_followed_look_by_look_and_stops() -> None:
    done = outscore("sequential", "-", "--stop", stdin=WON)
    assert done.code == 0
    assert done.err.splitlines() == ["n 8  gain +1.000 [+0.051, +1.000]  p .035  better"]
    assert "order\nstream. 8 items." in done.out
    quiet = outscore("sequential", "-", "-q", stdin=WON)
    assert (quiet.code, quiet.err) == (0, "")
    assert re.match(r" +8 .* better, decided", quiet.out.splitlines()[1])
    assert outscore("sequential", "-", stdin=WON).out.startswith("system outscores baseline after 8 of 40 items, by 1")


def test_a_stream_and_a_replay_have_a_picture(tmp_path: Path) -> None:
    for given, data in ((("-",), WON), ((table(tmp_path), "-m", "accuracy"), b"")):
        picture = tmp_path / f"{len(given)}.json"
        assert outscore("sequential", *given, "--plot", picture, "-q", stdin=data).code == 0
        spec = json.loads(picture.read_text(encoding="utf-8"))
        assert " outscores " in spec["title"]["text"]
        assert len(spec["vconcat"]) == 1


def test_a_pipe_ends_the_evaluation_that_feeds_it(tmp_path: Path) -> None:
    done = in_a_process("sequential", "-", "--stop", "-f", "sentence", "-q", stdin=WON)
    assert done.code == 0
    assert done.out.startswith("system outscores baseline after 8 items, by 1.000 (")


@pytest.mark.parametrize(("gate", "code"), [("better", 0), ("not-worse", 0), ("equivalent", 1)])
def test_a_gate_that_does_not_hold_ends_with_1(gate: str, code: int) -> None:
    done = outscore("sequential", "-", "-q", "--margin", "0.05", "--fail-unless", gate, stdin=WON)
    assert done.code == code
    assert done.err == ("" if code == 0 else "outscore: not equivalent (system: better)\n")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["-m", "bleu"], 2, "score of all items together"),
        (["-m", "accuracy", "--bounds", "1,0"], 2, "bounds=1,0"),
        (["-m", "accuracy", "--bounds", "low"], 2, "'low' is neither LOW,HIGH nor none"),
        (["-m", "mean", "--bounds", "0,0.5"], 3, "outside 0 to 0.5"),
        (["-m", "accuracy", "--margin", "3"], 2, "margin=3"),
        (["-m", "accuracy", "--fail-unless", "equivalent"], 2, "add --margin"),
        (["-m", "accuracy", "--population", "10"], 2, "there are 300 items already"),
    ],
)
def test_what_is_wrong_is_one_line(arguments: list[str], code: int, says: str, tmp_path: Path) -> None:
    files = texts(tmp_path) if "bleu" in arguments else (table(tmp_path),)
    done = outscore("sequential", *files, *arguments)
    assert (done.code, done.out) == (code, "")
    assert says in done.err


@pytest.mark.parametrize(
    ("stdin", "arguments", "code", "says"),
    [
        (b"0\t1\n0 1\n", [], 3, "stdin:2: found '0 1'"),
        (b"0\t1\n0\t7\n", [], 3, "stdin:2: item 2 has the score 7"),
        (b"0\t1\n0\t1_0\n", [], 3, "stdin:2: found '0\\t1_0', expected the score"),  # Python's 10
        (b'{"a": 0, "b": "1_0"}\n', [], 3, "stdin:1: found"),
        (b"", [], 3, "no scores"),
        (b"0\t1\n", ["-m", "accuracy"], 2, "-m: not for a stream"),
        (b"0\t1\n", ["--orders", "3"], 2, "--orders: not for a stream"),
    ],
)
def test_a_wrong_stream_is_one_line(stdin: bytes, arguments: list[str], code: int, says: str) -> None:
    done = outscore("sequential", "-", *arguments, "-q", stdin=stdin)
    assert (done.code, done.out) == (code, "")
    assert says in done.complaint
