"""Reports: a result as text. Reads results and nothing else of ours; the only floor that rounds."""

from outscore.report.formats import format_for
from outscore.report.table import tables_of

__all__ = ["format_for", "tables_of"]
