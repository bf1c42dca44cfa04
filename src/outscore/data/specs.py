"""Specifications of systems, ``NAME=PATTERN`` or ``FILE``, as names and files; and the newest logs among many."""

from __future__ import annotations

import glob
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from fnmatch import fnmatchcase
from pathlib import PurePath

from outscore.base.errors import InputError, UsageError, join
from outscore.base.files import exists, is_folder
from outscore.base.lazy import dataclass
from outscore.data.folders import find_scores, logs_pattern
from outscore.data.source import STDIN, split_part, unpacked_name

_SEPARATORS = re.compile(r"([/._\-]+)")
_SUFFIX = re.compile(r"(?<=.)\.[A-Za-z]+$")


@dataclass(frozen=True, kw_only=True)
class SystemFile:
    """One file of systems, and what the user said of it.

    Attributes:
        file: its name.
        system: the name of its system, or None when a bare file was given, which may name its systems itself.
        run: the name of its run among those of the system; None for a single file.
        select: pattern of the systems to pick from the file, or None for all that it holds.
    """

    file: str
    system: str | None = None
    run: str | None = None
    select: str | None = None


def _files_of(text: str) -> tuple[SystemFile, ...]:
    """The files behind ``NAME=PATTERN`` (one system, a run per file) or ``FILE`` (a system per file), in natural order.

    ``NAME=PATTERN,PATTERN`` joins the files of several patterns, unless the comma is part of the name of a file.
    ``FILE#PATTERN`` picks systems from a file that holds several; with a name they are the runs of that system.
    ``FILE::PART`` picks a table or a sheet, or the rows of a query.

    Raises:
        UsageError: the name or the pattern is empty.
        InputError: the pattern matches no file.
    """
    head, part = split_part(text)
    if part and exists((whole := _files_of(head))[0].file):
        part, select = (part, None) if " " in part else _split_selection(part)
        return tuple(replace(one, file=f"{one.file}::{part}", select=select) for one in whole)
    name, equals, pattern = text.partition("=")
    if not equals or text == STDIN or exists(text):
        file, select = _split_selection(text)
        return tuple(SystemFile(file=f, select=select) for f in expand(file))
    if not exists(pattern):
        pattern = pattern.strip()
    if not name.strip() or not pattern:
        lacks = "file" if name.strip() else "name"
        raise UsageError(f"{text!r} has no {lacks}; write NAME=FILE or NAME='PATTERN', without blanks around =")
    pattern, select = _split_selection(pattern)
    files = tuple(file for part in _split_commas(pattern) for file in expand(part))
    runs: tuple[str | None, ...] = (None,) if len(files) == 1 else run_names(files)
    return tuple(
        SystemFile(file=file, system=name.strip(), run=run, select=select)
        for file, run in zip(files, runs, strict=True)
    )


def pattern_beside(file: str) -> str:
    """``DIR/*.csv``, the pattern of the files that lie beside one and end as it does."""
    folder, name = os.path.split(file)
    return os.path.join(folder, f"*{os.path.splitext(name)[1]}")  # noqa: PTH118, PTH122  as typed


def spell(system: str, files: Iterable[str]) -> str:
    """``NAME=FILE,FILE`` of the files of one system; for a comma in a name stands what matches it."""
    return f"{system}={','.join(file.replace(',', '?') for file in files)}"


def _split_selection(pattern: str) -> tuple[str, str | None]:
    """A file or pattern of files, and what stands behind its ``#``."""
    file, mark, select = pattern.rpartition("#")
    return (file, select) if mark and file and select and not exists(pattern) else (pattern, None)


def _split_commas(pattern: str) -> list[str]:
    """The files or patterns that commas join; all of it where a file is called so, or some part is no file."""
    parts = pattern.split(",")
    if len(parts) == 1 or exists(pattern) or not all(part and (glob.has_magic(part) or exists(part)) for part in parts):
        return [pattern]
    return parts


def parse_systems(texts: Iterable[str]) -> tuple[SystemFile, ...]:
    """The files of all systems of a call.

    Raises:
        UsageError: nothing was given, or a name was given twice.
        InputError: a pattern matches no file.
    """
    given = [_files_of(text) for text in texts]
    if not given:
        raise UsageError("no system outputs were given; write NAME=FILE for each system")
    names = [files[0].system for files in given if files[0].system is not None]
    again = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if again is not None:
        raise UsageError(f"the system {again!r} is given twice; give its runs as one pattern: {again}='FILES*'")
    return tuple(file for files in given for file in files)


def expand(pattern: str) -> tuple[str, ...]:
    """The files of a pattern in natural order (``opt2`` before ``opt10``), or the file itself.

    A folder of logs of Inspect, JSON too, is the pattern of its logs; one of the lm-evaluation-harness
    or of HELM, or of several of their models, is the files with scores in it.

    Raises:
        InputError: the pattern matches no file.
    """
    pattern = os.path.expanduser(pattern)  # noqa: PTH111  the name must stay as typed, Path would rewrite it
    if pattern == STDIN or not glob.has_magic(pattern) or exists(pattern):
        return _logs(pattern) or find_scores(pattern) or (pattern,)
    try:
        found = [f for f in glob.glob(pattern, recursive=True) if not is_folder(f)]  # noqa: PTH207  as typed
    except (ValueError, OSError, re.error):
        found = []
    if not found:
        quoted = len(pattern) > 1 and pattern[0] == pattern[-1] == "'"  # as cmd.exe hands it on
        raise InputError(
            f"no file matches the pattern {pattern!r}",
            remedy="this shell takes only double quotes away"
            if quoted
            else "check the path and the directory you are in",
        )
    return tuple(sorted(found, key=natural))


def _logs(folder: str) -> tuple[str, ...]:
    """The logs of Inspect in a folder, beside which an eval set has files of its own; empty if there are none."""
    if not os.path.isdir(folder):  # noqa: PTH112  the name may hold what no path can
        return ()
    name = os.path.basename(logs_pattern(folder) or "")  # noqa: PTH119
    return tuple(sorted(glob.glob(os.path.join(glob.escape(folder), name)), key=natural)) if name else ()  # noqa: PTH118, PTH207


def natural(text: str) -> list[str | tuple[int, str]]:
    """A sort key by which numbers inside names sort as numbers, however long they are."""
    parts = enumerate(re.split(r"([0-9]+)", text))
    return [(len(part.lstrip("0")), part.lstrip("0")) if i % 2 else part for i, part in parts]


def run_names(files: Sequence[str]) -> tuple[str, ...]:
    """Short names for the runs of one system: the part by which the file names differ, else 1, 2, ..."""
    parts = [_SEPARATORS.split(unpacked_name(f).replace(os.sep, "/")) for f in files]
    shortest = min(len(p) for p in parts)
    head = next((i for i in range(shortest) if len({p[i] for p in parts}) > 1), shortest)
    rest = [p[head:] for p in parts]
    shortest = min(len(p) for p in rest)
    tail = next((i for i in range(shortest) if len({p[-1 - i] for p in rest}) > 1), shortest)
    names = ["".join(p[: len(p) - tail]).strip("/._-") for p in rest]
    if "" in names or len(set(names)) < len(names):
        return tuple(str(i + 1) for i in range(len(files)))
    return tuple(names)


def match_names(names: Iterable[str], pattern: str) -> list[str]:
    """The names that a pattern picks: the one that is spelt exactly like it, else all that match it."""
    names = list(dict.fromkeys(names))
    return [pattern] if pattern in names else [name for name in names if fnmatchcase(name, pattern)]


def stems(files: Sequence[str]) -> tuple[str, ...]:
    """A system name for each bare file: without directory, ``.gz`` and suffix, unless two would be the same.

    ``sys.A`` and ``sys.B`` keep their suffix, and so does ``base.opt0``: a suffix has letters only.
    """
    plain = ["stdin" if f == STDIN else unpacked_name(PurePath(f).name) or f for f in files]
    short = [_SUFFIX.sub("", name) for name in plain]
    return tuple(s if short.count(s) == 1 else name for s, name in zip(short, plain, strict=True))


_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d)[-:](\d\d)[-:](\d\d)((?:\.\d{1,6})?)(?:([+-]\d\d)[-:]?(\d\d))?")
_LM_EVAL = re.compile(r"samples_(.+)_()$")
_INSPECT = re.compile(r"_(.+)_([A-Za-z0-9]+)(?:\.eval|\.json)$")  # the same id when it is evaluated again for errors


def find_last(files: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The log before the newest of each task in the folder of the newest of all, and the newest.

    Args:
        files: folders, however deep, patterns or files of logs of the lm-evaluation-harness or of Inspect, which have
            time and task in their names.

    Returns:
        ``last`` and ``new``, the logs of each, task by task.

    Raises:
        UsageError: a system is named.
        InputError: a name without time or task; a task with one log alone, or with two of one time; last logs in
            several folders.
    """
    if named := next((file for file in files if "=" in file and not exists(file)), None):
        raise UsageError(f"--against last takes the folder of all logs, without a name: not {named!r}")
    by_task: defaultdict[str, dict[str, tuple[datetime, str]]] = defaultdict(dict)
    for log in dict.fromkeys(one for file in files for found in expand(file) for one in _below(found)):
        if not exists(log):
            raise InputError("no such file or folder", file=log, remedy="check the name and the directory you are in")
        task, evaluation, time = _parse_log(log)
        by_task[task][evaluation] = max((time, log), by_task[task].get(evaluation, (time, log)))
    logs = {task: sorted(found.values(), reverse=True) for task, found in by_task.items()}
    newest = max(found[0] for found in logs.values())[1]
    mine = {task: found for task, found in sorted(logs.items()) if _folder(found[0][1]) == _folder(newest)}
    if alone := [task for task, found in mine.items() if len(found) == 1]:
        raise InputError(
            f"there is no log of {join(alone)} before this one",
            file=mine[alone[0]][0][1],
            remedy="--against last needs two logs of each task; or give both: NAME=FILE NAME=FILE",
        )
    for task, found in mine.items():
        if len({time for time, _ in found[:3]}) < len(found[:3]):
            raise InputError(
                f"logs of {task!r} have the same time: {join([log for _, log in found[:3]])}",
                remedy="say which is new: last=FILE new=FILE; several models are compared without --against last",
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


def _below(file: str) -> tuple[str, ...]:
    """The logs of Inspect in folders of a folder, however deep; else the file itself."""
    folders = sorted(glob.glob(f"{glob.escape(file)}/**/", recursive=True)) if is_folder(file) else []  # noqa: PTH207
    return tuple(log for folder in folders for log in _logs(folder)) or (file,)


def _parse_log(log: str) -> tuple[str, str, datetime]:
    """Task, evaluation and time in the name of a log."""
    name = PurePath(log).name
    if time := _TIME.search(name):
        found = _LM_EVAL.search(name[: time.start()]) or _INSPECT.match(name[time.end() :])
        if found:
            day, hour, minute, second, part, ahead, minutes = time.groups()
            zone = f"{ahead}:{minutes}" if ahead else "+00:00"
            fraction = part and part.ljust(7, "0")
            return found[1], found[2] or log, datetime.fromisoformat(f"{day}T{hour}:{minute}:{second}{fraction}{zone}")
    raise InputError(
        "its name has no time and task, as logs have: samples_TASK_TIME.jsonl or TIME_TASK_ID.eval",
        file=log,
        remedy="--against last is for folders of logs; give the files themselves: NAME=FILE NAME=FILE",
    )


def _folder(log: str) -> str:
    return str(PurePath(log).parent)
