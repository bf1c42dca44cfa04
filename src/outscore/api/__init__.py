"""The verbs: the only place that joins floors."""

from typing import TYPE_CHECKING

from outscore.base.lazy import lazily

if TYPE_CHECKING:
    from outscore.api.comparison import compare
    from outscore.api.conversion import convert
    from outscore.api.curves import curve
    from outscore.api.inputs import read
    from outscore.api.loading import load
    from outscore.api.matrices import confusion
    from outscore.api.scoring import score
else:
    __getattr__ = lazily(
        __name__,
        {
            "compare": "outscore.api.comparison",
            "convert": "outscore.api.conversion",
            "curve": "outscore.api.curves",
            "read": "outscore.api.inputs",
            "load": "outscore.api.loading",
            "confusion": "outscore.api.matrices",
            "score": "outscore.api.scoring",
        },
    )

__all__ = ["compare", "confusion", "convert", "curve", "load", "read", "score"]
