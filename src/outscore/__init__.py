"""Does system A really outscore system B, or is it luck?

The verbs and the result types, loaded when first used::

    import outscore
    result = outscore.compare({"base": scores_a, "new": scores_b})
    print(result.to("terminal"))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from outscore.base.lazy import lazily

if TYPE_CHECKING:
    from outscore.api import compare, confusion, convert, curve, load, read, score
    from outscore.base.errors import InputError, MissingExtra, OutscoreError, UsageError
    from outscore.base.items import Items
    from outscore.metrics import Metric, metric
    from outscore.results import Comparison, Confusion, Curves, Scores
else:
    __getattr__ = lazily(
        __name__,
        {
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
        },
    )

__version__ = "0.1.0"

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


def __dir__() -> list[str]:
    return __all__
