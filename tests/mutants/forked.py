"""Work in a copy of this process, which may fail, hang, or change whatever it likes."""

from __future__ import annotations

import contextlib
import json
import math
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

Say = Callable[[Any], None]


class HungError(Exception):
    """The copy did not end in time; ``said`` is what it had said until then."""

    def __init__(self, said: list[Any]) -> None:
        super().__init__()
        self.said = said


def forked(work: Callable[[Say], None], seconds: float) -> list[Any]:
    """What ``work`` says, each as JSON, in a copy of this process.

    Raises:
        HungError: it did not end after ``seconds`` of work, or as many times as long as others want each core.
        RuntimeError: it ended with an exception.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os._exit(_child(work, writing, seconds))
    os.close(writing)
    ended, text, status = False, b"", 0
    beside = max(os.getloadavg()[0] / (os.cpu_count() or 1), 1)
    try:
        ended, text = _read(reading, time.monotonic() + beside * seconds)
        if ended:
            status = os.waitpid(child, 0)[1]
    finally:
        os.close(reading)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what it has left behind, or itself
        if not ended:
            os.waitpid(child, 0)
    said = [json.loads(line) for line in text.split(b"\n")[:-1]]
    if not ended or os.waitstatus_to_exitcode(status) == -signal.SIGXCPU:
        raise HungError(said)
    if os.waitstatus_to_exitcode(status) == 1:
        raise RuntimeError(said[-1] if said else "no word")
    return said


def _child(work: Callable[[Say], None], writing: int, seconds: float) -> int:
    import resource  # only where processes can be copied

    def say(what: Any) -> None:
        os.write(writing, json.dumps(what).encode() + b"\n")

    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), resource.RLIM_INFINITY))
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    try:
        work(say)
    except BaseException:  # noqa: BLE001  nothing may come back to what the parent was doing
        with contextlib.suppress(BrokenPipeError):  # nobody listens any more
            say(traceback.format_exc())
        return 1
    finally:
        sys.settrace(None)
        os.close(writing)
    return 0


def _read(pipe: int, until: float) -> tuple[bool, bytes]:
    """Whether the other side closed it in time, and what it wrote."""
    parts: list[bytes] = []
    while (left := until - time.monotonic()) > 0:
        if select.select([pipe], [], [], left)[0]:
            part = os.read(pipe, 1 << 16)
            if not part:
                return True, b"".join(parts)
            parts.append(part)
    return False, b"".join(parts)
