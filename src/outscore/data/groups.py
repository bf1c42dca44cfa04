"""Groups of systems from a file."""

from __future__ import annotations

from pathlib import Path

from outscore.base.errors import InputError


def read_groups(path: Path) -> dict[str, str]:
    """The group of each system: a line ``SYSTEM``, tab, ``GROUP`` for each; empty lines are passed over.

    Raises:
        InputError: the file cannot be read, a line is not of two columns, or a system stands there twice.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=str(path), remedy="check the path") from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8", file=str(path), remedy="save it as UTF-8") from None
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        system, tab, group = line.partition("\t")
        if not tab or not system.strip() or not group.strip() or "\t" in group:
            raise InputError(
                f"found {line[:60]!r}, expected SYSTEM, a tab, GROUP",
                file=str(path),
                line=number,
                remedy="mend the line",
            )
        if system in found:
            raise InputError(f"{system!r} stands here twice", file=str(path), line=number, remedy="remove one")
        found[system] = group.strip()
    return found
