"""Item ids that two files write otherwise: in other case, or with something before them."""

from __future__ import annotations

from collections.abc import Collection, Iterable


def difference(ids: Collection[str], others: Collection[str]) -> str:
    """How the ids of one file differ from those of another with none in common, where that is all; else empty."""
    if not ids or not others or not set(ids).isdisjoint(others):
        return ""
    if _meet((item.casefold() for item in ids), (item.casefold() for item in others)):
        return "the ids differ only in case: write them alike"
    if _meet((item.strip() for item in ids), (item.strip() for item in others)):
        return "the ids differ only in blanks around them: write them alike"
    for long, short, where in ((ids, others, "here"), (others, ids, "there")):
        low, high = min(long), max(long)  # what these begin with, all between them do
        end = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
        prefix = low[:end] if len(long) > 1 else ""
        for end in range(len(prefix), 0, -1):
            if _meet((item[end:] for item in long), short):
                return f"the ids differ by {prefix[:end]!r} before each of those {where}: write them alike"
    return ""


def gone(lacking: Collection[str], held: Collection[str]) -> list[str]:
    """The tasks of which a file has no item, where it lacks nothing else: ids of joined tasks are ``task/id``."""
    tasks = {item.partition("/")[0]: None for item in lacking if "/" in item}
    whole = [task for task in tasks if not any(item.startswith(f"{task}/") for item in held)]
    apart = tuple(f"{task}/" for task in whole)
    return whole if whole and held and all(item.startswith(apart) for item in lacking) else []


def _meet(ids: Iterable[str], others: Iterable[str]) -> bool:
    """Whether most of the fewer ids are among the others."""
    some, more = set(ids), set(others)
    return 2 * len(some & more) > min(len(some), len(more))
