"""Writing files so that nothing is ever half-written."""

from __future__ import annotations

import os
from pathlib import Path

from outscore.base.errors import InputError


def write_whole(path: Path, content: str | bytes) -> None:
    """Writes beside the file and renames: readers see the old content or the new one, never a part.

    Raises:
        InputError: the folder is missing or cannot be written to.
    """
    import tempfile

    try:
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise InputError(f"cannot write here ({error.strerror})", file=str(path), remedy="name another place") from None
    try:
        # a file name that is not UTF-8 reaches us as lone surrogates; written as escapes they stay valid JSON
        raw = content if isinstance(content, bytes) else content.encode("utf-8", errors="backslashreplace")
        with os.fdopen(handle, "wb") as out:
            out.write(raw)
        Path(beside).chmod(0o666 & ~_umask())
        Path(beside).replace(path)
    except OSError as error:
        raise InputError(f"cannot write ({error.strerror})", file=str(path), remedy="name another place") from None
    finally:
        Path(beside).unlink(missing_ok=True)  # whatever stopped us, an interrupt too; after the renaming it is gone


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
