"""Optional libraries: imported when asked for, and named with their remedy when absent."""

from __future__ import annotations

import importlib
from typing import Any

from outscore.base.errors import MissingExtra


def require(module: str, what: str, extra: str) -> Any:
    """The module, imported.

    Raises:
        MissingExtra: it is not installed; the message names the command that installs it.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError:
        raise MissingExtra(f"{what} needs an extra: pip install 'outscore[{extra}]'") from None
