"""The verbs: the only place that joins floors."""

from outscore.api.comparison import compare
from outscore.api.conversion import convert
from outscore.api.curves import curve
from outscore.api.inputs import read
from outscore.api.loading import load
from outscore.api.matrices import confusion
from outscore.api.scoring import score

__all__ = ["compare", "confusion", "convert", "curve", "load", "read", "score"]
