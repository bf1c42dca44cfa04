"""An option that a command does not have, and another has."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click

_MOST = 3


def explain(
    error: click.NoSuchOption, names: Iterable[str], find: Callable[[str], click.Command]
) -> click.NoSuchOption:
    """The same, which names the commands that have the option; unchanged where there are none.

    Args:
        error: as click found it.
        names: of all commands; ``find`` gives each of them.
    """
    having = [f"`outscore {name}`" for name in names if _has(find(name), error.option_name)]
    if not having:
        return error
    more = f" and {len(having) - _MOST} more have" if len(having) > _MOST else " has" if len(having) == 1 else " have"
    message = f"No such option {error.option_name!r}: {', '.join(having[:_MOST])}{more} it."
    return click.NoSuchOption(error.option_name, message, ctx=error.ctx)


def _has(command: click.Command, option: str) -> bool:
    return any(option in (*one.opts, *one.secondary_opts) for one in command.params)
