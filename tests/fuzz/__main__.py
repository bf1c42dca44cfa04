"""``python -m tests.fuzz``: makes broken calls, and shows those that ended in no answer and no clear line."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.fuzz.calls import write_right
from tests.fuzz.test_verbs import call

_SECONDS, _BYTES = 60, 1_000_000_000
"""The most that a call may take."""


class TooLongError(BaseException):
    """A call goes on and on; no handler of the program takes it for a failure of its own."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.partition(": ")[2])
    parser.add_argument("--calls", type=int, default=50_000, help="how many (default 50,000)")
    parser.add_argument("--first", type=int, default=0, help="number of the first, to go on where another ended")
    parser.add_argument("--seed", default="long", help="a text; every call has a stream of its own (default long)")
    parser.add_argument("--verb", default="", help="calls of this verb alone (default all)")
    options = parser.parse_args(arguments)
    os.environ["OUTSCORE_CACHE"] = "0"
    codes: Counter[str] = Counter()
    signal.signal(signal.SIGALRM, _stop)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "right").mkdir()
        right = write_right(Path(folder, "right"))
        for number in range(options.first, options.first + options.calls):
            seed, here, before = f"{options.seed} {number}", Path(folder, str(number)), _memory()
            with _at_most(_SECONDS):
                try:
                    codes[str(call(seed, right, here, options.verb))] += 1
                except (Exception, TooLongError) as error:  # noqa: BLE001  whatever it is, it is counted
                    codes[type(error).__name__] += 1
                    print(f"{type(error).__name__}: {seed}: {str(error)[:1000]}", flush=True)
            shutil.rmtree(here, ignore_errors=True)
            if _memory() > max(before, _BYTES):
                codes["too much memory"] += 1
                print(f"memory: {seed}: {_memory() / 1e9:.1f} GB", flush=True)
            if number % 1000 == 999:
                print(f"{number + 1}: {dict(codes)}, {time.process_time():.0f} s", file=sys.stderr, flush=True)
    print(dict(codes))
    return int(bool(set(codes) - {"0", "1", "2", "3", "4"}))


def _stop(*_: object) -> None:
    raise TooLongError(f"more than {_SECONDS} seconds")


@contextlib.contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def _memory() -> int:
    """The most bytes that this process held so far."""
    import resource  # which Windows lacks

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    sys.exit(main())
