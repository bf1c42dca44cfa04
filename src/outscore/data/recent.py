"""The newest logs of each task among many, and those before them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePath

from outscore.base.errors import InputError, UsageError, join
from outscore.base.files import exists
from outscore.data.specs import expand

_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d)[-:](\d\d)[-:](\d\d)((?:\.\d{1,6})?)(?:([+-]\d\d)[-:]?(\d\d))?")
_LM_EVAL = re.compile(r"samples_(.+)_$")
_INSPECT = re.compile(r"_(.+)_[A-Za-z0-9]+(?:\.eval|\.json)$")


def find_last(files: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The log before the newest of each task in the folder of the newest of all, and the newest.

    Args:
        files: folders, patterns or files of logs of the lm-evaluation-harness or of Inspect, which have time and task
            in their names.

    Returns:
        ``last`` and ``new``, the logs of each, task by task.

    Raises:
        UsageError: a system is named.
        InputError: a name without time or task; a task with one log alone; last logs in several folders.
    """
    if named := next((file for file in files if "=" in file and not exists(file)), None):
        raise UsageError(f"--against last takes the folder of all logs, without a name: not {named!r}")
    by_task: defaultdict[str, list[tuple[datetime, str]]] = defaultdict(list)
    for log in dict.fromkeys(log for file in files for log in expand(file)):
        if not exists(log):
            raise InputError("no such file or folder", file=log, remedy="check the name and the directory you are in")
        task, time = _task_and_time(log)
        by_task[task].append((time, log))
    logs = {task: sorted(found, reverse=True) for task, found in by_task.items()}
    newest = max(found[0] for found in logs.values())[1]
    mine = {task: found for task, found in sorted(logs.items()) if _folder(found[0][1]) == _folder(newest)}
    if alone := [task for task, found in mine.items() if len(found) == 1]:
        raise InputError(
            f"there is no log of {join(alone)} before this one",
            file=mine[alone[0]][0][1],
            remedy="--against last needs two logs of each task; or give both: NAME=FILE NAME=FILE",
        )
    last, new = (tuple(found[place][1] for found in mine.values()) for place in (1, 0))
    if len(folders := dict.fromkeys(map(_folder, last))) > 1:
        raise InputError(
            f"the logs before it lie in several folders: {join(folders)}",
            file=newest,
            remedy="give both: NAME=FILE NAME=FILE",
        )
    return {"last": last, "new": new}


def is_dated(log: str) -> bool:
    """Whether a time stands in the name of a file."""
    return _TIME.search(PurePath(log).name) is not None


def _task_and_time(log: str) -> tuple[str, datetime]:
    name = PurePath(log).name
    if time := _TIME.search(name):
        found = _LM_EVAL.search(name[: time.start()]) or _INSPECT.match(name[time.end() :])
        if found:
            day, hour, minute, second, part, ahead, minutes = time.groups()
            zone = f"{ahead}:{minutes}" if ahead else "+00:00"
            fraction = part and part.ljust(7, "0")
            return found[1], datetime.fromisoformat(f"{day}T{hour}:{minute}:{second}{fraction}{zone}")
    raise InputError(
        "its name has no time and task, as logs have: samples_TASK_TIME.jsonl or TIME_TASK_ID.eval",
        file=log,
        remedy="--against last is for folders of logs; give the files themselves: NAME=FILE NAME=FILE",
    )


def _folder(log: str) -> str:
    return str(PurePath(log).parent)
