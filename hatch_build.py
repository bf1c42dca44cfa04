"""The wheel as small as it can be: hatchling compresses at the middle level, and has no setting for it."""

import zipfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SmallestWheel(BuildHookInterface):  # type: ignore[type-arg]
    """Compresses a finished wheel again."""

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        file = Path(artifact_path)
        part = file.with_suffix(".part")
        with zipfile.ZipFile(file) as made, zipfile.ZipFile(part, "w") as smallest:
            for entry in made.infolist():
                smallest.writestr(entry, made.read(entry), compresslevel=9)
        part.replace(file)
