"""The verbs: the only place that joins floors."""

from typing import TYPE_CHECKING

from outscore.base.lazy import lazily

if TYPE_CHECKING:
    from outscore.api.conversion import convert
    from outscore.api.loading import load
    from outscore.api.shared.inputs import read, read_apart
    from outscore.api.shared.sets import read_sets
    from outscore.api.watching.following import follow
    from outscore.api.watching.live import Sequential
    from outscore.data.annotations import read_annotations
    from outscore.data.judgments import read_judgments
else:
    __getattr__ = lazily(
        __name__,
        {
            "read_annotations": "outscore.data.annotations",
            "read_judgments": "outscore.data.judgments",
            "convert": "outscore.api.conversion",
            "read": "outscore.api.shared.inputs",
            "read_apart": "outscore.api.shared.inputs",
            "load": "outscore.api.loading",
            "read_sets": "outscore.api.shared.sets",
            "Sequential": "outscore.api.watching.live",
            "follow": "outscore.api.watching.following",
        },
    )

__all__ = [
    "Sequential",
    "convert",
    "follow",
    "load",
    "read",
    "read_annotations",
    "read_apart",
    "read_judgments",
    "read_sets",
]
