"""The verbs: the only place that joins floors."""

from outscore.api.comparison import compare
from outscore.api.inputs import load, read

__all__ = ["compare", "load", "read"]
