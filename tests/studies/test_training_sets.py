"""``training-sets``: what is drawn and written, what is run, what goes wrong, and how it goes on."""

from __future__ import annotations

import hashlib
import json
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore import Findings
from outscore.base.errors import InputError, UsageError
from outscore.studies.training.commands import draw_items, expect_distinct, items_of, trainers_of
from tests.cli import commandline

PYTHON = f"{shlex.quote(sys.executable)} -I -S"  # no packages, which take longer to find than all that is done
COPY = "import shutil, sys; shutil.copy(sys.argv[1], sys.argv[2])"


def write(text: str) -> str:
    return f"{PYTHON} -c {shlex.quote(text)}"


COPIER = f"{write(COPY)} {{train}} {{output}}"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("train.txt").write_text("".join(f"sentence {i}\n" for i in range(20)), encoding="utf-8")
    Path("test.txt").write_text("a\nb\n", encoding="utf-8")
    return tmp_path


def made(**options: Any) -> Findings:
    shared: dict[str, Any] = {"train": "train.txt", "sizes": "5", "count": 2, "out": "sets"}
    return outscore.study("training-sets", jobs=1, **{**shared, **options})


def manifest(out: str = "sets") -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(out, "manifest.jsonl").read_text(encoding="utf-8").splitlines()]


def bytes_in(folder: str | Path) -> dict[str, bytes]:
    """All that is in a folder but for what trainings said and what they were stopped in."""
    files = [f for f in Path(folder).rglob("*") if f.is_file() and "logs" not in f.parts]
    return {str(f.relative_to(folder)): f.read_bytes() for f in files if not any(p[0] == "." for p in f.parts[1:])}


def states(result: Findings) -> dict[Any, Any]:
    return {row["id"]: row["state"] for row in result.table("files").records()}


def test_a_set_holds_the_items_that_its_index_names(place: Path) -> None:
    made(run=COPIER)
    source = Path("train.txt").read_text(encoding="utf-8").splitlines()
    for line in manifest():
        numbers = [int(number) for number in Path(line["index"]).read_text(encoding="utf-8").split()]
        assert Path(line["train"]).read_text(encoding="utf-8").splitlines() == [source[n] for n in numbers]
        assert len(numbers) == line["size"] == 5
        for name in ("index", "train"):
            assert hashlib.sha256(Path(line[name]).read_bytes()).hexdigest() == line["sha256"][name]
        assert Path(line["output"]).read_bytes() == Path(line["train"]).read_bytes()


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(place: Path) -> None:
    made(out="sets", run=COPIER)
    first = bytes_in("sets")
    Path("sets").rename("kept")
    made(out="sets", run=COPIER)
    assert bytes_in("sets") == first
    made(out="other", run=COPIER, seed=0)
    assert Path("other/sets/5.1.index").read_bytes() != first["sets/5.1.index"]


@pytest.mark.slow
def test_more_sizes_systems_and_sets_leave_those_that_are_there_as_they_are(place: Path) -> None:
    made(run=f"a={COPIER}")
    before = {name: content for name, content in bytes_in("sets").items() if name.endswith((".index", ".txt"))}
    times = {name: Path("sets", name).stat().st_mtime_ns for name in before}
    made(run=f"b={COPIER}\na={COPIER}", sizes="3,5", count=4)
    assert bytes_in("sets").items() >= before.items()
    assert {name: Path("sets", name).stat().st_mtime_ns for name in before} == times
    assert len(manifest()) == 2 * 2 * 4


def test_all_systems_are_trained_on_the_same_sets_with_the_same_seeds(place: Path) -> None:
    made(run=f"a={COPIER}\nb={COPIER}")
    of = {name: [(x["train"], x["seed"]) for x in manifest() if x["system"] == name] for name in "ab"}
    assert of["a"] == of["b"]
    assert len({seed for _, seed in of["a"]}) == 2


def test_draws_with_replacement_repeat_items_and_draws_without_do_not(place: Path) -> None:
    made(sizes="20", out="with")
    assert len(set(Path("with/sets/20.1.index").read_text(encoding="utf-8").split())) < 20
    made(sizes="19", out="without", replace=False)
    assert len(set(Path("without/sets/19.1.index").read_text(encoding="utf-8").split())) == 19
    with pytest.raises(UsageError, match="as many items"):
        made(sizes="21", replace=False, out="none")
    with pytest.raises(UsageError, match="every set of 20 is the whole"):
        made(sizes="20", replace=False, out="none")


def test_items_drawn_with_replacement_follow_the_occupancy_law() -> None:
    # every number has the same chance, and as many are distinct as the law says; false alarms: 6e-5 for each of two
    n, size, draws = 30, 40, 400
    samples = [draw_items(7, size, draw, n, True) for draw in range(draws)]
    mean, sd = expect_distinct(n, size)
    found = float(np.mean([len(set(sample.tolist())) for sample in samples]))
    assert abs(found - mean) < 4 * sd / draws**0.5
    counts = np.bincount(np.concatenate(samples), minlength=n)
    expected = draws * size / n
    chi2 = float(((counts - expected) ** 2 / expected).sum())
    assert chi2 < 68  # 1 - 6e-5 quantile of chi-squared with 29 degrees of freedom


@pytest.mark.parametrize(("n", "size"), [(1, 1), (1, 3), (2, 2), (3, 4), (4, 3)])
def test_the_occupancy_law_is_that_of_all_samples(n: int, size: int) -> None:
    # the slow twin: every sample there is
    samples = np.stack(np.meshgrid(*[np.arange(n)] * size), -1).reshape(-1, size)
    distinct = [len(set(row.tolist())) for row in samples]
    assert expect_distinct(n, size) == pytest.approx((np.mean(distinct), np.std(distinct)), abs=1e-6)


@pytest.mark.parametrize(
    ("data", "unit", "items"),
    [
        (b"a\n\nb", "line", [b"a\n", b"\n", b"b\n"]),
        (b"a\rb\xe2\x80\xa8c\r\n", "line", [b"a\rb\xe2\x80\xa8c\r\n"]),
        (b"# 1\na\n\n\n \nb\nc", "block", [b"# 1\na\n\n", b"b\nc\n\n"]),
        (b"", "block", []),
    ],
)
def test_items_are_lines_or_blocks(data: bytes, unit: Any, items: list[bytes]) -> None:
    assert items_of(data, unit) == items


def test_outputs_that_are_there_are_not_made_again(place: Path) -> None:
    log = write(
        "import sys, pathlib; pathlib.Path('log').open('a').write('x'); pathlib.Path(sys.argv[2]).write_text('1')"
    )
    made(run=f"{log} {{train}} {{output}}")
    made(run=f"{log} {{train}} {{output}}")
    assert Path("log").read_text(encoding="utf-8") == "xx"
    Path("sets/outputs/system.5.1.txt").unlink()
    made(train="", sizes="", resume="cells")
    assert Path("log").read_text(encoding="utf-8") == "xxx"
    # kept cells of a study do not stand for outputs that are gone
    Path("sets/outputs/system.5.1.txt").unlink()
    assert set(states(made(train="", sizes="", resume="cells")).values()) == {"there"}
    assert Path("log").read_text(encoding="utf-8") == "xxxx"
    shutil.rmtree("sets")
    assert set(states(made(run=f"{log} {{train}} {{output}}", resume="cells")).values()) == {"there"}


def test_what_is_there_with_other_content_is_left_and_refused(place: Path) -> None:
    made(run=COPIER)
    with pytest.raises(InputError, match=r"holds another training 'system\.5\.1'"):
        made(run=f"{COPIER} --more")
    Path("train.txt").write_text("".join(f"other {i}\n" for i in range(20)), encoding="utf-8")
    before = bytes_in("sets")
    with pytest.raises(InputError, match="is there with other content"):
        made(run=COPIER)
    assert bytes_in("sets") == before
    Path("sets/sets/5.1.txt").write_text("spoilt\n", encoding="utf-8")
    Path("sets/outputs/system.5.1.txt").unlink()
    assert states(made(train=""))["system.5.1"] == "failed"


def test_a_training_that_fails_is_said_in_one_line_and_tried_again(place: Path) -> None:
    text = (
        "import sys, pathlib\n"
        "if sys.argv[3] == '2' and not pathlib.Path('mended').exists(): print('no memory'); sys.exit(7)\n"
        "pathlib.Path(sys.argv[2]).write_text(sys.argv[3])"
    )
    command = f"{write(text)} {{train}} {{output}} {{draw}}"
    found = made(run=command, count=3, resume="cells")
    assert states(found) == {"system.5.1": "there", "system.5.2": "failed", "system.5.3": "there"}
    (note,) = [note for note in found.notes if note.code == "training_failed"]
    assert note.text.startswith("system.5.2: exit code 7 of ")
    assert Path("sets/logs/system.5.2.1.log").read_text(encoding="utf-8").strip() == "no memory"
    assert "sets/logs/system.5.2.1.log" in note.text
    Path("mended").touch()
    assert set(states(made(run=command, count=3, resume="cells")).values()) == {"there"}


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("no-such-program {train} {output}", "cannot start 'no-such-program'"),
        (f"{write('pass')} {{train}} {{output}}", "no output came from"),
        (f"{write('import os; os.kill(os.getpid(), 9)')} {{train}} {{output}}", "killed by signal 9"),
        (
            f"{write('import sys; open(sys.argv[2], chr(119)).write(chr(49)); sys.exit(1)')} {{train}} {{output}}",
            "exit code 1",
        ),
    ],
)
def test_wrong_commands_leave_no_output(place: Path, command: str, why: str) -> None:
    found = made(run=command, count=1)
    assert why in found.notes[0].text
    assert list(Path("sets/outputs").iterdir()) == []


@pytest.mark.parametrize(
    ("run", "why"),
    [
        ("train {train}", r"no \{output\}"),
        ("train {output}", r"no \{train\} or \{index\}"),
        ("train {train} {output}", r"no \{test\}"),
        ("train {train} {test} {outptu}", r"\{outptu\} is no place; did you mean 'output'"),
        ("{train} {test} {output}", "the program itself"),
        ("a=x {train} {test} {output}\nA=y {train} {test} {output}", "two commands are named 'A'"),
        ("x {train} {test} {output}\ny {train} {test} {output}", "write NAME=COMMAND"),
        ("x '{train} {test} {output}", "cannot be read as a shell does"),
        ("sh -c 'train {train} {test} > {output}'", "a shell would read names of files as code"),
        ("env A=1 bash -ec 'train {train} {test} > {output}'", "a shell would read names of files as code"),
        ("# {train}\n\n", "holds no command"),
    ],
)
def test_commands_that_cannot_be_right_are_refused_before_anything_is_done(place: Path, run: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        made(run=run, test="test.txt")
    assert not Path("sets").exists()


def test_a_command_for_a_test_set_needs_one(place: Path) -> None:
    with pytest.raises(UsageError, match="needs --test FILE"):
        made(run="x {train} {test} {output}")
    with pytest.raises(InputError, match="no file of commands"):
        made(run="train.sh")


def test_names_of_files_are_never_read_as_code(place: Path) -> None:
    out = "-o $(touch hacked) ;`touch hacked` 'q\" [a]*=?&\\ é\n"
    Path("t $(touch hacked);[1].txt").write_text("x\n" * 4, encoding="utf-8")
    shell = 'sh -c \'cat "$1" > "$2"\' sh {train} {output}'
    found = made(
        train="t $(touch hacked);[1].txt", out=out, run=f"a={shell}\nb={COPIER}", gold="t $(touch hacked);[1].txt"
    )
    assert set(states(found).values()) == {"there"}
    assert not Path("hacked").exists()
    assert Path(out, "outputs", "a.5.1.txt").exists()
    for line in manifest(out):
        assert shlex.split(line["shell"]) == line["command"]


@pytest.mark.parametrize("out", ["a#b", "", "a\0b"])
def test_folders_that_no_command_could_name_are_refused(place: Path, out: str) -> None:
    with pytest.raises(UsageError, match="--out"):
        made(out=out)


def test_braces_can_be_written(place: Path) -> None:
    (trainer,) = trainers_of("x {{train}} {train} {output} {print $1}", False)
    assert trainer.fill({"train": "T", "output": "O"}) == ["x", "{train}", "T", "O", "{print", "$1}"]


@pytest.mark.parametrize("place_of", ["in order", "there again"])
def test_lines_of_the_manifest_can_be_done_anywhere(place: Path, place_of: str) -> None:
    made(run=f"a={COPIER}\nb={COPIER}")
    wanted = bytes_in("sets")
    Path("sets").rename("first")
    found = made(run=f"a={COPIER}\nb={COPIER}", start=False)
    assert set(states(found).values()) == {"missing"}
    (note,) = [note for note in found.notes if note.code == "outputs_missing"]
    assert "--only N" in note.remedy
    for number in range(1, 5) if place_of == "in order" else (4, 2, 3, 1, 1):
        assert commandline.outscore("study", "training-sets", "--out", "sets", "--only", str(number), "-q").code == 0
    collected = outscore.study("training-sets", out="sets", start=False, jobs=1)
    assert set(states(collected).values()) == {"there"}
    made(run=f"a={COPIER}\nb={COPIER}", start=False)
    assert bytes_in("sets") == wanted


def test_a_single_line_that_fails_ends_with_an_exit_code(place: Path) -> None:
    made(run=f"{write('raise SystemExit(3)')} {{train}} {{output}}", start=False)
    done = commandline.outscore("study", "training-sets", "--out", "sets", "--only", "2", "-q")
    assert done.code == 3
    assert "system.5.2: exit code 3" in done.complaint
    for wrong in (["sets", "--only", "9"], ["nowhere"], ["sets", "--only", "1", "--train", "train.txt"]):
        assert commandline.outscore("study", "training-sets", "--out", *wrong).code == 2


def test_the_shell_line_of_the_manifest_does_the_same(place: Path) -> None:
    made(run=COPIER, start=False)
    for line in manifest():
        subprocess.run(line["shell"], shell=True, check=True)
    assert set(states(outscore.study("training-sets", out="sets", jobs=1)).values()) == {"there"}


def test_the_printed_commands_work_as_printed(place: Path) -> None:
    Path("gold of [all].txt").write_text("".join(f"sentence {i}\n" for i in range(5)), encoding="utf-8")
    out = "sets [1] of 'mine'"
    found = made(run=f"a={COPIER}\nb={COPIER}", gold="gold of [all].txt", measure="chrf", sizes="5", out=out)
    commands = [str(row["command"]) for row in found.table("next").records()]
    assert Path(out, "next.sh").read_text(encoding="utf-8") == "".join(f"{command}\n" for command in commands)
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == "outscore"
        done = commandline.outscore(*arguments, "-n", "20", "-j", "1", "-f", "json", "-q")
        assert done.code == 0, done.err
        said = json.loads(done.out)
        assert said["study"] == arguments[1]
        assert "chrf" in str(said["tables"])


def test_sets_without_commands_say_so(place: Path) -> None:
    found = made()
    assert [row["id"] for row in found.table("files").records()] == ["5.1", "5.2"]
    assert [note.code for note in found.notes] == ["no_command"]
    assert [line["command"] for line in manifest()] == [None, None]


@pytest.mark.parametrize("sizes", ["0", "-1", "ten", "5,5", ","])
def test_sizes_that_are_none_are_refused(place: Path, sizes: str) -> None:
    with pytest.raises(UsageError, match="--sizes"):
        made(sizes=sizes)


@pytest.mark.slow
def test_work_that_is_killed_in_the_middle_goes_on_to_the_same_bytes(place: Path) -> None:
    slow = write("import shutil, sys, time; time.sleep(.15); shutil.copy(sys.argv[1], sys.argv[2])")
    command = f"{slow} {{train}} {{output}}"
    made(run=command, count=6)
    wanted = bytes_in("sets")
    Path("sets").rename("whole")
    arguments = ["--train", "train.txt", "--sizes", "5", "--count", "6", "--out", "sets", "--run", command, "-j", "1"]
    with subprocess.Popen([sys.executable, "-m", "outscore", "study", "training-sets", *arguments, "-q"]) as work:
        begun = time.monotonic()
        while not list(Path().glob("sets/outputs/system.*")) and time.monotonic() < begun + 60:
            time.sleep(0.02)
        work.send_signal(signal.SIGKILL)
    assert 0 < len(list(Path().glob("sets/outputs/system.*"))) < 6
    made(run=command, count=6)
    assert bytes_in("sets") == wanted
