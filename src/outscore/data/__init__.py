"""Data: files and Python objects to runs, and runs to aligned items."""

from outscore.data.align import align
from outscore.data.read import Collection, read
from outscore.data.run import Aligned, Gold, Run

__all__ = ["Aligned", "Collection", "Gold", "Run", "align", "read"]
