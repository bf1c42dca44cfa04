"""From a saved result back to its record."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

from outscore.base.errors import InputError
from outscore.results import Result

_REMEDY = "give a file saved by -o FILE.json"


def load(source: str | os.PathLike[str] | IO[str]) -> Result:
    """A result saved as JSON: the ``Comparison`` or the ``Scores`` that it was.

    Args:
        source: a path, or an open text file.

    Raises:
        InputError: the file is missing, or is not a saved result.
    """
    if not isinstance(source, str | os.PathLike):
        return Result.from_json(source.read(), file="-")
    try:
        text = Path(source).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read ({error.strerror})", file=str(source), remedy=_REMEDY) from None
    except UnicodeDecodeError:
        raise InputError("not UTF-8 text", file=str(source), remedy=_REMEDY) from None
    return Result.from_json(text, file=str(source))
