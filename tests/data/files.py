"""How tests of readers write files: the fixture ``write`` of this folder."""

from __future__ import annotations

from collections.abc import Callable

Write = Callable[..., str]
"""Name in the folder of the test, and what the file holds, to its path."""
