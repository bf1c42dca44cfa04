"""The words that a shell offers for a value of an option, or for a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

_HEAD = 1 << 16


def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of the things that an option takes, columns of the tables that were typed before it, or files.

    Several names may stand behind each other with commas; a file may follow the name of its system.
    """
    from click.shell_completion import CompletionItem

    from outscore.cli.kinds import KINDS

    role, equals, _ = incomplete.rpartition("=")
    before, comma, word = incomplete.rpartition(",")
    takes = param.metavar or ""
    names: list[str] = []
    if "ROLE=" in takes and equals:
        before, comma, word = role, equals, incomplete.removeprefix(role + equals)
        names = [*_columns(ctx)]
    elif "COLUMN" in takes or param.name == "by" or _follows_role(ctx, param):
        names = [*_columns(ctx)]
    elif kind := next((kind for kind in KINDS.values() if set(kind.given.split()) & {*param.opts}), None):
        names = [*kind.things(), *(_columns(ctx) if "-m" in param.opts else ())]
    if names:
        return [CompletionItem(f"{before}{comma}{name}") for name in names if name.startswith(word)]
    takes_files = any(word in takes for word in ("FILE", "PATH", "DIR", "PATTERN"))
    return [CompletionItem(incomplete, type="file")] if takes_files else []


def _follows_role(ctx: click.Context, param: click.Parameter) -> bool:
    """Whether bash, to which = ends a word, asks for the column behind ``-c ROLE=``, and click takes it for a file."""
    columns = ctx.params.get("columns") or ()
    return (
        param.name == "files" and _files(ctx)[-1:] == ["="] and bool(columns) and "=" not in columns[len(columns) - 1]
    )


def _files(ctx: click.Context) -> list[str]:
    """The files that were typed; an option without its value leaves them among the words that were not parsed."""
    return [*(ctx.params.get("files") or ctx.args)]


def _columns(ctx: click.Context) -> Iterator[str]:
    """The names of columns that need no quotes, of the tables that were typed."""
    found: dict[str, None] = {}
    for typed in _files(ctx):
        for name in (typed, typed.partition("=")[2]):
            found |= dict.fromkeys(_header(Path(name.partition("#")[0])))
    return (name for name in found if name and quote(name) == name)


def _header(path: Path) -> list[str]:
    """The names of the columns of a table; none where it is none."""
    import gzip  # every command imports this module, and few need these
    import json

    from outscore.data.readers.table import head_rows

    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            lines = file.read(_HEAD).decode("utf-8-sig", "ignore").splitlines()
        if lines and lines[0].startswith("{"):
            return [*json.loads(lines[0])]
    except (OSError, ValueError, EOFError):
        return []
    suffix = Path(path.stem).suffix if path.suffix == ".gz" else path.suffix
    return head_rows(lines)[0] if lines and suffix in (".csv", ".tsv") else []
