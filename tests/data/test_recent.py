"""The newest logs of a folder, and those before them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from outscore.base.errors import InputError, UsageError
from outscore.data.specs import find_last
from tests.cli.commandline import outscore

OLD, NEW, NEWER = "2026-01-09T10-00-00.000005", "2026-01-10T09-00-00.5", "2026-01-10T09-00-00.6"


def log(folder: Path, task: str, time: str, right: str = "1100") -> str:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"samples_{task}_{time}.jsonl"
    rows = ({"doc_id": i, "doc": {}, "target": "1", "arguments": {}, "resps": [["1"]], "filtered_resps": ["1"],
             "filter": "none", "metrics": ["acc"], "acc": float(one)} for i, one in enumerate(right))  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_of_each_task_the_newest_and_the_one_before(tmp_path: Path) -> None:
    first = [log(tmp_path / "a", task, OLD) for task in ("x_1", "x_10")]
    second = [log(tmp_path / "b", task, NEW) for task in ("x_1", "x_10")]
    log(tmp_path / "c", "other", OLD)  # a task that the newest run does not have
    assert find_last([str(tmp_path)]) == {"last": tuple(first), "new": tuple(second)}
    third = [log(tmp_path / "b", task, NEWER) for task in ("x_1", "x_10")]
    assert find_last([f"{tmp_path}/b", f"{tmp_path}/a"]) == {"last": tuple(second), "new": tuple(third)}


def test_times_of_several_zones_and_names_of_inspect(tmp_path: Path) -> None:
    names = ["2026-01-09T23-00-00-05-00_task_one_Ab1.eval", "2026-01-10T03-30-00+00-00_task_one_Cd2.eval"]
    for name in names:
        (tmp_path / name).write_bytes(b"")
    assert find_last([str(tmp_path)]) == {"last": (f"{tmp_path}/{names[1]}",), "new": (f"{tmp_path}/{names[0]}",)}


def empty(folder: Path, *names: str) -> list[str]:
    """Logs of Inspect of which only the names matter."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_bytes(b"")
    return [str(folder / name) for name in names]


def test_logs_of_inspect_lie_in_folders_of_a_folder(tmp_path: Path) -> None:
    """As with inspect eval --log-dir logs/MODEL; the harness has such folders, too."""
    [old] = empty(tmp_path / "small" / "deep", "2026-01-09T10-00-00+00-00_sums_Ab1.eval")
    [new] = empty(tmp_path / "large", "2026-01-10T10-00-00+00-00_sums_Cd2.json")
    assert find_last([str(tmp_path)]) == {"last": (old,), "new": (new,)}


def test_an_evaluation_that_was_finished_later_is_not_compared_with_itself(tmp_path: Path) -> None:
    """The log of inspect eval-retry has the id of the one that broke off, which stays."""
    broken, whole = empty(tmp_path, *(f"2026-01-10T{hour}-00-00+00-00_sums_Cd2.eval" for hour in (10, 11)))
    with pytest.raises(InputError, match="no log of 'sums' before this one") as raised:
        find_last([str(tmp_path)])
    assert whole in str(raised.value) and broken not in str(raised.value)
    [old] = empty(tmp_path, "2026-01-09T10-00-00+00-00_sums_Ab1.eval")
    assert find_last([str(tmp_path)]) == {"last": (old,), "new": (whole,)}


def test_logs_of_one_second_are_not_guessed_to_be_older_and_newer(tmp_path: Path) -> None:
    """As inspect eval --model a,b writes them: their order was that of ids, which are drawn."""
    time = "2026-01-10T10-00-00+00-00_sums"
    both = empty(tmp_path, f"{time}_Ab1.eval", f"{time}_Cd2.eval")
    with pytest.raises(InputError, match="of 'sums' have the same time") as raised:
        find_last([str(tmp_path)])
    assert all(log in str(raised.value) for log in both)
    [new] = empty(tmp_path, "2026-01-11T10-00-00+00-00_sums_Ef3.eval")
    with pytest.raises(InputError, match="of 'sums' have the same time"):  # which of both is the one before?
        find_last([new, *both])


def test_what_has_no_log_before_it_is_refused(tmp_path: Path) -> None:
    for task, time in (("x", OLD), ("x", NEW), ("y", NEW)):
        log(tmp_path, task, time)
    with pytest.raises(InputError, match="no log of 'y' before this one"):
        find_last([str(tmp_path)])
    log(tmp_path / "b", "y", OLD)
    with pytest.raises(InputError, match="several folders"):
        find_last([str(tmp_path)])


@pytest.mark.parametrize(("name", "says"), [("scores.txt", "has no time and task"), ("none", "no such file or folder")])
def test_other_files_are_refused(tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "scores.txt").write_text("1\n", encoding="utf-8")
    with pytest.raises(InputError, match=says):
        find_last([str(tmp_path / name)])
    with pytest.raises(UsageError, match="without a name"):
        find_last([f"a={tmp_path / name}"])


def test_two_logs_of_one_model_are_refused_with_what_compares_them(tmp_path: Path) -> None:
    for time in (OLD, NEW):
        log(tmp_path / "m", "x", time)
    done = outscore("compare", str(tmp_path))
    assert done.code == 2
    assert "compare the newest with the one before by --against last, name them apart" in done.complaint


def test_the_command_compares_them_and_says_which(tmp_path: Path) -> None:
    last, new = log(tmp_path, "x", OLD, "1100110011"), log(tmp_path, "x", NEW, "1111111011")
    done = outscore("compare", str(tmp_path), "--against", "last", "-f", "json")
    pair = json.loads(done.out)["pairs"][0]
    assert (pair["system"], pair["baseline"], pair["gain"]) == ("new", "last", pytest.approx(0.3))
    assert done.err.splitlines()[:2] == [f"outscore: compares last={last}", f"outscore: compares new={new}"]
