"""Commands for the user's shell that make rows of a file: they work whatever it is called, and if it is compressed."""

from __future__ import annotations

from shlex import quote

_SUFFIXES = (".gz", ".jsonl", ".ndjson", ".json")


def jq(program: str, file: str, raw: str = "") -> str:
    """The command that writes what a program of jq makes of a file beside it, as ``.rows.jsonl`` or as ``raw`` text."""
    how = "jq -r" if raw else "jq -c"
    if file == "<stdin>":
        return f"{how} {quote(program)} before the pipe"
    stem = file
    for suffix in _SUFFIXES:
        stem = stem.removesuffix(suffix)
    rows = quote(raw or f"{stem}.rows.jsonl")
    if file.endswith(".gz"):
        return f"gzip -dc {_named(file)} | {how} {quote(program)} > {rows}"
    return f"{how} {quote(program)} {_named(file)} > {rows}"


def _named(file: str) -> str:
    """The name of a file as a word of the shell that no program takes for an option."""
    return quote(f"./{file}" if file.startswith("-") else file)
