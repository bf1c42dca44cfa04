"""Writing files so that nothing is ever half-written, and nothing that is no plain file is replaced by one."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from outscore.base.errors import InputError, UsageError


def exists(path: str | Path) -> bool:
    """Is there such a file or folder? What cannot be the name of one, as it is too long, is none."""
    return os.path.exists(path)  # noqa: PTH110  that of pathlib raises


def is_folder(path: str | Path) -> bool:
    """Is there such a folder?"""
    return os.path.isdir(path)  # noqa: PTH112  that of pathlib raises


def check_no_file(function: str, reads: str, names: Sequence[str], given: Sequence[Any]) -> None:
    """Refuses the name of a file where data are expected, and says how the function is called with it.

    Args:
        function: the one that was called; ``reads``: the one that makes data of files.
        names: of its parameters; ``given``: their values, as far as there are any.

    Raises:
        UsageError: ``data`` is the name of a file.
    """
    data = dict(zip(names, given, strict=False)).get("data")
    if isinstance(data, str | os.PathLike):
        words = [f"outscore.{reads}({str(data)!r})" if one is data else repr(one) for one in given]
        called = f"outscore.{function}({', '.join(words)})"
        raise UsageError(f"{function}() takes data, not the name of a file: {called}")


_TRIES, _PAUSE = (10 if sys.platform == "win32" else 1), 0.1
"""How often a file is renamed, and seconds between: on Windows not while anybody has it open, as scanners have."""

_FULL = (errno.EFBIG, errno.ENOSPC, errno.EDQUOT)


def write_whole(path: Path, content: str | bytes) -> None:
    """Writes beside a file and renames: readers see the old content or the new one, never a part.

    A symbolic link stays, and the file that it points to is written; a file that was there keeps its mode and, where
    that is allowed, its owner and group. A device or a pipe is written into, as there is nothing to keep whole.

    Raises:
        InputError: the folder is missing or cannot be written to, or links lead in a circle.
    """
    # a file name that is not UTF-8 reaches us as lone surrogates; written as escapes they stay valid JSON
    raw = content if isinstance(content, bytes) else content.encode("utf-8", errors="backslashreplace")
    try:
        before = _status(path)
        if before is not None and not os.access(path, os.W_OK):  # a rename would pass by what its owner protects
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        if before is None or stat.S_ISREG(before.st_mode):
            _rename_into(Path(os.path.realpath(path)), raw, before)
        else:
            with path.open("wb") as out:  # a directory is refused here
                out.write(raw)
    except OSError as error:
        here = "" if error.errno in _FULL else " here"
        said = f"cannot write{here} ({error.strerror})"
        raise InputError(said, file=str(path), remedy="name another place") from None


def _status(path: Path) -> os.stat_result | None:
    """Mode and owner of what is there; None where there is nothing."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _rename_into(path: Path, raw: bytes, before: os.stat_result | None) -> None:
    import tempfile

    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(raw)
        if before is not None and hasattr(os, "chown"):
            with contextlib.suppress(PermissionError):  # only root gives files away
                os.chown(beside, before.st_uid, before.st_gid)
        # after the owner, as a change of the owner takes bits of the mode away
        Path(beside).chmod(0o666 & ~_umask() if before is None else stat.S_IMODE(before.st_mode))
        _rename(Path(beside), path)
    finally:
        Path(beside).unlink(missing_ok=True)  # whatever stopped us, an interrupt too; after the renaming it is gone


def _rename(beside: Path, path: Path) -> None:
    for left in reversed(range(_TRIES)):
        try:
            beside.replace(path)
            return
        except PermissionError:
            if not left:
                raise
            time.sleep(_PAUSE)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
