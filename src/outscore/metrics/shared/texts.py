"""How the metrics of generated texts read outputs and references."""

from __future__ import annotations

from outscore.base.errors import InputError
from outscore.base.items import Items


class WithoutTextsError(InputError):
    """A metric reads outputs, and there are only scores."""


def pairs(items: Items, metric: str) -> list[tuple[str, tuple[str, ...]]]:
    """The output of each item with its references.

    An empty reference beside another one is a missing reference, and is left out. Where all are empty, one stays: the
    right output is empty.

    Raises:
        InputError: there are no outputs, or no references.
    """
    if items.outputs is None:
        raise WithoutTextsError(f"{metric} reads texts, but the systems hold scores", remedy="give output files")
    if not items.references:
        raise InputError(f"{metric} needs references", remedy="add -r REFERENCE_FILE, in Python references=")
    together = zip(*items.references, strict=True)
    return [(o, tuple(r for r in rs if r) or ("",)) for o, rs in zip(items.outputs, together, strict=True)]


def reference_count(items: Items) -> str:
    """The number of references of each item for a signature, ``var`` where items differ, as sacrebleu writes it."""
    counts = {sum(map(bool, references)) or 1 for references in zip(*items.references, strict=True)}
    return str(counts.pop()) if len(counts) == 1 else "var"
