"""``outscore`` and ``python -m outscore``: a Ctrl-C is quiet before the rest of the program is even imported."""

import _signal  # type: ignore[import-not-found]  # signal makes enumerations of it first, which takes a while
import os


def run() -> None:
    """Runs the command line and exits."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, lambda *_: os._exit(130))
    from outscore.cli.main import main

    main()


if __name__ == "__main__":
    run()
