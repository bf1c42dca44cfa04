"""What sacrebleu prints, made by running it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def sacrebleu(
    target: Path, references: list[Path], systems: list[Path], *options: str, seed: str | None = None
) -> Path:
    """The standard output of ``python -m sacrebleu`` in ``target``."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("SACREBLEU")} | {"NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "sacrebleu", *map(str, references), "-i", *map(str, systems), *options],
        env=env if seed is None else env | {"SACREBLEU_SEED": seed},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stdout, done.stderr
    target.write_text(done.stdout, encoding="utf-8")
    return target
