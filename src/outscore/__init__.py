"""Does system A really outscore system B, or is it luck?

The verbs and the result types, loaded when first used::

    import outscore
    result = outscore.compare({"base": scores_a, "new": scores_b})
    print(result.to("terminal"))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from outscore.api import compare, confusion, convert, curve, load, read, score
    from outscore.base.errors import InputError, MissingExtra, OutscoreError, UsageError
    from outscore.base.items import Items
    from outscore.metrics import Metric, metric
    from outscore.results import Comparison, Confusion, Curves, Scores

__version__ = "0.1.0"

_PLACES = {
    "compare": "outscore.api",
    "score": "outscore.api",
    "convert": "outscore.api",
    "curve": "outscore.api",
    "confusion": "outscore.api",
    "read": "outscore.api",
    "load": "outscore.api",
    "Comparison": "outscore.results",
    "Scores": "outscore.results",
    "Curves": "outscore.results",
    "Confusion": "outscore.results",
    "Items": "outscore.base.items",
    "Metric": "outscore.metrics",
    "metric": "outscore.metrics",
    "OutscoreError": "outscore.base.errors",
    "UsageError": "outscore.base.errors",
    "InputError": "outscore.base.errors",
    "MissingExtra": "outscore.base.errors",
}

__all__ = [
    "Comparison",
    "Confusion",
    "Curves",
    "InputError",
    "Items",
    "Metric",
    "MissingExtra",
    "OutscoreError",
    "Scores",
    "UsageError",
    "__version__",
    "compare",
    "confusion",
    "convert",
    "curve",
    "load",
    "metric",
    "read",
    "score",
]


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    raise AttributeError(f"module 'outscore' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
