"""What the rows work on: real outputs of translation systems, written once, and where peers without a package are."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

N_SYSTEMS = 31
_WMT, _MULTEVAL = "mt_wmt22_de-en", "mt_multeval_opt"


@dataclass(frozen=True)
class Inputs:
    """Where the inputs of all rows are.

    Attributes:
        folder: holds the unpacked texts; made by ``unpacked``.
        peers: holds the peers that have no package on PyPI, a folder each, or None.
    """

    folder: Path
    peers: Path | None

    @classmethod
    def unpacked(cls, folder: Path, peers: Path | None) -> Inputs:
        """Unpacks the data sets into ``folder`` and writes the systems that are mixed from real ones."""
        data = Path(os.environ.get("OUTSCORE_DATA", Path(__file__).parents[2] / "shared")) / "data"
        for name in (_WMT, _MULTEVAL):
            command = [sys.executable, str(data / "unpack.py"), name, str(folder / name)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        result = cls(folder, peers)
        result._mix()
        return result

    @property
    def reference(self) -> Path:
        """Reference of 1,984 segments of WMT 2022 German-English."""
        return self.folder / _WMT / "ref.A.txt"

    @property
    def pair(self) -> tuple[Path, Path]:
        """Outputs of two systems that took part, the baseline first."""
        return self.folder / _WMT / "PROMT.txt", self.folder / _WMT / "Online-A.txt"

    @property
    def systems(self) -> list[Path]:
        """Outputs of 31 systems: the nine that took part, and 22 that take each segment from one of two of them."""
        return [*self._real, *sorted(self.folder.glob("mixed*.txt"))]

    @property
    def multeval(self) -> tuple[Path, dict[str, Path]]:
        """MultEval's example: the reference, and the pattern of the three runs of each system. sys2 is the baseline."""
        folder = self.folder / _MULTEVAL
        names = {"baseline": "baseline", "sys1": "sys1", "sys2": "baseline"}
        return folder / "ref.0.txt", {system: folder / f"{name}.opt*.txt" for system, name in names.items()}

    @property
    def _real(self) -> list[Path]:
        files = sorted((self.folder / _WMT).glob("*.txt"))
        return [file for file in files if not file.name.startswith(("ref.", "src."))]

    def _mix(self) -> None:
        draw = random.Random(1)
        texts = [file.read_text(encoding="utf-8").splitlines(keepends=True) for file in self._real]
        for number in range(N_SYSTEMS - len(texts)):
            two = draw.sample(texts, 2)
            mixed = "".join(draw.choice(segments) for segments in zip(*two, strict=True))
            (self.folder / f"mixed{number:02}.txt").write_text(mixed, encoding="utf-8", newline="\n")
