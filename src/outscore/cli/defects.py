"""A defect: written to a file that can be sent, and said in one line, which names the package that it is of."""

from __future__ import annotations

import os
import platform
import shlex
import sys
import tempfile
import traceback
from collections.abc import Sequence

from outscore import __version__
from outscore.base.installed import package_of


def write_report(error: Exception, typed: Sequence[str]) -> str:
    """Writes what is needed to find the defect to a file of the temporary folder, and gives the line that says so.

    The file holds the command, versions and the traceback; nothing of the data but the names of files, and what the
    message of the error quotes.
    """
    said = f"defect: {type(error).__name__}: {' '.join(str(error).split())[:200]}"
    modules = dict.fromkeys(frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__))
    package = next(filter(None, map(package_of, reversed(modules))), "")
    to = f" to the authors of {package}" if package else ""
    text = "\n".join([
        f"{package or 'outscore'} met a case that it does not handle. This file says where; please read it before you",
        "send it on, as names of files, and what the last line quotes, are in it.",
        "",
        f"outscore {__version__}, Python {platform.python_version()}, {platform.platform()}",
        f"command: {shlex.join(['outscore', *typed])}",
        "",
        *traceback.format_exception(error),
    ])  # fmt: skip
    try:
        handle, path = tempfile.mkstemp(prefix="outscore-defect-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as out:
            out.write(text)
    except OSError:
        sys.stderr.write(f"{text}\n")
        return f"{said}; please report it{to} with the lines above"
    return f"{said}; please report it{to} with {shlex.quote(path)}; --debug shows the traceback"
