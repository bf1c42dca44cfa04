"""The command line: what was typed becomes a verb with its options, and its result a report."""

from __future__ import annotations

import _thread
import gc
import sys
import warnings
from typing import Any

from outscore.base.errors import BrokenPackage
from outscore.base.text import clean

# what a command makes is hardly ever garbage in cycles: looking for it seldom saves a tenth of the imports that follow
gc.set_threshold(100_000)

_show_unraisable, _show_warning = sys.unraisablehook, warnings.showwarning


def _repeat_interrupt(lost: sys.UnraisableHookArgs) -> None:
    """A Ctrl-C in a callback from which no error comes out, as each import has one, comes again after it."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        # of a thread, which waits for this one to be out of the callback
        _thread.start_new_thread(_thread.interrupt_main, ())
    else:
        _show_unraisable(lost)


def _warn(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
    """A warning of ours is one line, without the place in the source where it is said."""
    if issubclass(category, BrokenPackage):
        sys.stderr.write(f"outscore: warning: {clean(message)}\n")
    else:
        _show_warning(message, category, *where, **more)


sys.unraisablehook, warnings.showwarning = _repeat_interrupt, _warn
