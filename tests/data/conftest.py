"""Files for the tests of readers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.data.files import Write


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file of these parts, one behind the other, and gives its name."""

    def to_file(name: str, *parts: str | bytes) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(part.encode() if isinstance(part, str) else part for part in parts))
        return str(path)

    return to_file
