"""Data: files and Python objects to runs, and runs to a dataset."""

from outscore.data.align import align
from outscore.data.collection import Collection
from outscore.data.dataset import Dataset
from outscore.data.read import read
from outscore.data.run import Gold, Run

__all__ = ["Collection", "Dataset", "Gold", "Run", "align", "read"]
