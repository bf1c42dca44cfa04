"""Data: files and Python objects to runs, and runs to a dataset.

What readers give (``run``, ``collection``) is for this floor; the others meet a ``Dataset``.
"""

from outscore.data.align import align
from outscore.data.dataset import Dataset
from outscore.data.read import read

__all__ = ["Dataset", "align", "read"]
