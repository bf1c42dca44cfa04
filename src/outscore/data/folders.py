"""Folders that are given where files are expected: which of their files to give, and how to join them."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from shlex import quote

_DEEPEST = 4
_MOST = 10_000
"""Entries that are looked at: a home directory is no answer to a slip."""
_SAMPLES = "samples_*.jsonl"
_FEW = 3


def files_of(folder: str) -> str:
    """Say which files to give instead of a folder."""
    plain = folder.rstrip(f"/{os.sep}") or folder
    found = _walk(Path(plain))
    samples = [path for path in found if path.match(_SAMPLES)]
    if samples:
        return _format_lm_eval(plain, samples)
    here = [path for path in found if len(path.parts) == 1]
    if pattern := logs_pattern(plain, here):
        return f"give its logs, of which each model is a system: {quote(pattern)}"
    if not here and found:
        inside = sorted({path.parts[0] for path in found})[:2]
        logs = [logs_pattern(f"{plain}/{one}") for one in inside]
        depths = [min(len(path.parts) for path in found if path.parts[0] == one) for one in inside]
        below = [f"{plain}/{one}{'/*' * (depth - 1)}" for one, depth in zip(inside, depths, strict=True)]
        patterns = [log or pattern for log, pattern in zip(logs, below, strict=True)]
        if any(logs):
            return f"give the logs of one of its folders: {' or '.join(map(quote, patterns))}"
        parts = '{item: (input_filename | split("/")[-1]), system: (input_filename | split("/")[-2])}'
        joined = _join_items(plain, [path for path in found if len(path.parts) == 2], "*/*.json", parts)
        return f"give the files in its folders: {' '.join(map(_format_name, inside, patterns))}{joined}"
    joined = _join_items(plain, here, "*.json", "{item: input_filename}")
    suffix = Counter(path.suffix for path in here).most_common(1)
    several = len({path.suffix for path in here}) > 1
    files = quote(f"{plain}/*{suffix[0][0] if several else ''}")
    return f"give its files: {files} if each is a system, NAME={files} if they are runs of one{joined}"


def _join_items(folder: str, files: Sequence[Path], pattern: str, names: str) -> str:
    """The command that joins files of JSON that may hold an item each; empty where the first does not look so."""
    if len(files) < _FEW or any(path.suffix != ".json" for path in files):
        return ""
    try:
        import json

        value = json.loads(Path(folder, files[0]).read_bytes())
    except (OSError, ValueError, RecursionError):
        return ""
    if not isinstance(value, dict) or any(isinstance(one, list | dict) for one in value.values()):
        return ""
    if not any(isinstance(one, int | float) for one in value.values()):
        return ""
    command = f"jq -c {quote(f'{names} + .')} {quote(folder)}/{pattern} > {quote(f'{folder}.jsonl')}"
    return f"; if each holds an item, join them: {command}"


_WHOLE = (_SAMPLES, "per_instance_stats.json")


def find_scores(folder: str) -> tuple[str, ...]:
    """The files with scores that the lm-evaluation-harness, HELM or MTEB left in a folder, however deep."""
    if not os.path.isdir(folder):  # noqa: PTH112  the name may hold what no path can
        return ()
    found = _walk(Path(folder))
    kinds = ([str(Path(folder, path)) for path in found if path.match(kind)] for kind in _WHOLE)
    return tuple(next((files for files in kinds if files), ())) or tuple(_tasks_of_mteb(folder, found))


def _tasks_of_mteb(folder: str, found: Sequence[Path]) -> list[str]:
    """The results of tasks of MTEB, which are called by their tasks, and say their version at the beginning."""
    files = [Path(folder, path) for path in found if path.suffix == ".json" and not path.match("model_meta.json")]

    def is_result(file: Path) -> bool:
        with suppress(OSError), file.open("rb") as stream:
            return b'"mteb_version"' in stream.read(_START)
        return False

    # one look is enough where the folder holds something else
    return [str(file) for file in files if is_result(file)] if any(map(is_result, files[:_LOOKS])) else []


_START, _LOOKS = 1 << 10, 20


def logs_pattern(folder: str, files: Sequence[Path] = ()) -> str | None:
    """The pattern of Inspect's logs in a folder; None where there are none."""
    names = [path.name for path in files or _walk(Path(folder), 1)]
    start = "" if folder in ("", ".") else f"{folder}/"
    if any(name.endswith(".eval") for name in names):
        return f"{start}*.eval"
    own = r"\d.*\.json" if {"eval-set.json", "logs.json"} & set(names) else r"\d{4}-\d\d-\d\dT\d\d-\d\d-.*_.*\.json"
    return f"{start}[0-9]*.json" if any(re.fullmatch(own, name) for name in names) else None


def format_as_runs(files: Mapping[str, Sequence[str]]) -> str:
    """The arguments that make the files of each system its runs; for a comma in a name stands what matches it."""
    lists = {system: ",".join(one.replace(",", "?") for one in of) for system, of in files.items()}
    return " ".join(quote(f"{system}={joined}") for system, joined in lists.items())


def _format_lm_eval(folder: str, samples: Sequence[Path]) -> str:
    """Sample files of the lm-evaluation-harness: one folder for each model, however deep."""
    depth = {len(path.parts) for path in samples}
    name = PurePath(folder).name or "NAME"
    if depth == {1}:
        return f"give the samples of its model with a name: {_format_name(name, f'{folder}/{_SAMPLES}')}"
    systems = dict.fromkeys(path.parts[0] for path in samples)
    below = "/".join(["*"] * (min(depth) - 2)) + ("/" if min(depth) > 2 else "")
    if len(systems) == 1:
        return f"give the samples of its model with a name: {_format_name(name, f'{folder}/*/{below}{_SAMPLES}')}"
    said = " ".join(_format_name(system, f"{folder}/{system}/{below}{_SAMPLES}") for system in systems)
    return f"give the samples of each model: {said}"


def _format_name(name: str, pattern: str) -> str:
    return f"{quote(name)}={quote(pattern)}"


def _walk(folder: Path, deepest: int = _DEEPEST) -> list[Path]:
    """Files below a folder, in order, relative to it; those that are hidden, or below others too deep, are left out."""
    found: list[Path] = []
    seen = 0
    for where, folders, files in os.walk(folder):
        inside = PurePath(where).relative_to(folder)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if len(inside.parts) + 1 >= deepest:
            folders.clear()
        seen += len(files) + len(folders)
        found += [Path(inside, name) for name in sorted(files) if not name.startswith(".")]
        if seen > _MOST:
            break
    return found
