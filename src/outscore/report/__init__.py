"""Reports: a result as text. Reads results and nothing else of ours; the only floor that rounds."""

from outscore.report.formats import format_for
from outscore.report.screen import screen_of, tables_of

__all__ = ["format_for", "screen_of", "tables_of"]
