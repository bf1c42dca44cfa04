"""The packages installed beside this one, by the folders that installers leave on the path; and optional ones.

``importlib.metadata`` says the same, but its parsers take longer to import than a comparison takes to compute.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from outscore.base.errors import MissingExtra

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


LIBRARIES = ("numpy", "scipy", "sacrebleu")
"""Of our own dependencies those that numbers may depend on."""


def versions_of(*distributions: str) -> dict[str, str]:
    """The versions of these distributions, in this order, without those that are not installed."""
    known: dict[str, str] = {}
    for folder in _folders(".dist-info"):
        name, _, version = os.path.basename(folder).removesuffix(".dist-info").partition("-")
        known.setdefault(name.lower(), version)
    found = {name: known.get(name.lower().replace("-", "_")) or _version_by_metadata(name) for name in distributions}
    return {name: version for name, version in found.items() if version}


def entry_points_of(group: str) -> list[EntryPoint]:
    """The entry points of a group that the packages on the path offer."""
    if not _is_offered(f"[{group}]"):
        return []
    from importlib.metadata import entry_points

    return list(entry_points(group=group))


def _is_offered(heading: str) -> bool:
    """Whether a package offers anything under a heading that begins so."""
    sought = heading.encode()
    return any(sought in _bytes(f"{folder}/entry_points.txt") for folder in _folders(".dist-info", ".egg-info"))


def package_of(module: str) -> str:
    """``name version`` of another package that offers something of ours from this module; empty where none does."""
    if not _is_offered("[outscore."):
        return ""
    from importlib.metadata import distributions

    top = module.partition(".")[0]
    offered = (point for each in distributions() for point in each.entry_points if point.group.startswith("outscore."))
    return next((said_of(point) for point in offered if point.module.partition(".")[0] == top), "")


def packages_of(things: Iterable[object]) -> dict[str, str]:
    """The versions of the other packages that offer the classes of these things."""
    modules = dict.fromkeys(type(thing).__module__ for thing in things)
    found = (package_of(module) for module in modules if not module.startswith("outscore."))
    return {name: version for name, _, version in (said.partition(" ") for said in found) if name}


def said_of(point: EntryPoint) -> str:
    """``name version`` of the package of an entry point, empty where it has none."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else ""


def _version_by_metadata(distribution: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _folders(*suffixes: str) -> Iterator[str]:
    """The entries that describe a distribution, in the order of the path."""
    for place in sys.path:
        try:
            folder = os.path.abspath(place)
            found = _find_described(folder, os.stat(folder).st_mtime_ns)
        except OSError:
            continue
        yield from (path for path in found if path.endswith(suffixes))


@functools.lru_cache(maxsize=64)
def _find_described(folder: str, changed: int) -> tuple[str, ...]:
    """The entries that describe distributions in a folder ``changed`` last at that time; every result asks for it."""
    return tuple(f"{folder}/{name}" for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info")))


def _bytes(file: str) -> bytes:
    """The bytes of a file, none where there is no file; every command asks for those of every package."""
    try:
        opened = os.open(file, os.O_RDONLY)
    except OSError:
        return b""
    try:
        return os.read(opened, os.fstat(opened).st_size)
    except OSError:
        return b""
    finally:
        os.close(opened)


def require(module: str, what: str, extra: str) -> Any:
    """The module, imported.

    Raises:
        MissingExtra: it is not installed; the message names the command that installs it.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError:
        raise MissingExtra(f"{what} needs an extra: pip install 'outscore[{extra}]'") from None
