"""A row of the table: a piece of work, a peer that does it, and what is to be reached."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

from inputs import Inputs
from measure import Side


@dataclass(frozen=True)
class Recorded:
    """A figure of a peer that was measured earlier and elsewhere: 2 cores with AVX-512, 24 GB, Python 3.11.

    Attributes:
        wall_s: seconds; ``peak_mib``: peak memory, or None.
        settings: version and settings of the peer.
    """

    wall_s: float
    peak_mib: float | None
    settings: str


@dataclass(frozen=True)
class Peer:
    """The other side of a row.

    Attributes:
        name: program, version where it is fixed, and settings.
        side: what is run.
        needs: module to be found, or a file below the folder of peers where it contains a slash.
        recorded: stands in, and is labelled so, where the peer is absent.
    """

    name: str
    side: Side
    needs: str = "sacrebleu"
    recorded: Recorded | None = None

    def found(self, inputs: Inputs) -> bool:
        if "/" not in self.needs:
            return importlib.util.find_spec(self.needs) is not None
        return inputs.peers is not None and Path(inputs.peers / self.needs).exists()


@dataclass(frozen=True)
class Row:
    """One comparison of the table.

    Attributes:
        key: short name, for ``--only``.
        work: what both sides do.
        ours: our side.
        peer: the other side.
        faster: how many times faster ours is to be, or None where nothing is promised.
        at_most_mib: memory that ours is to stay within, or None.
        algorithm: the other algorithm that the gain comes from, or empty where it is the same one.
        in_process: without start-up and reading.
    """

    key: str
    work: str
    ours: Side
    peer: Peer
    faster: float | None
    at_most_mib: float | None = None
    algorithm: str = ""
    in_process: bool = False
