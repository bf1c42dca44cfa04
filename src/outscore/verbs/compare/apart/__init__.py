"""``compare`` by a test of independent samples or of several systems at once: systems may have items of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from outscore.results.comparison import Comparison
    from outscore.significance import Named
    from outscore.verbs.compare import Compare


def compare_apart(data: Any, named: Named, asked: Compare) -> Comparison:
    """The comparison by such a test, of the scores of runs or of items."""
    from outscore.verbs.compare.apart.run import compare_apart

    return compare_apart(data, named, asked)
