"""MultEval's own example: three systems of three optimizer runs, 2,489 segments, 10,000 resamples and exchanges."""

from __future__ import annotations

import sys

from inputs import Inputs
from measure import Command

from rows.row import Peer, Recorded, Row

MAIN = "multeval/bin/multeval/MultEval.class"
"""The peer is built below the folder of peers: its classes in ``bin``, the archives it needs in ``lib``."""

_ONCE = "equal outputs counted once, cyclic resampling"


def outscore(metrics: str) -> Command:
    def line(inputs: Inputs) -> list[str]:
        reference, systems = inputs.multeval
        named = [f"{name}={runs}" for name, runs in systems.items()]
        command = [sys.executable, "-m", "outscore", "compare", "-r", str(reference), *named, "-q"]
        return [*command, "-m", f"bleu:tokenize=none,{metrics}", "--test", "multeval", "-n", "10000"]

    return Command(line)


def multeval(metrics: str, wall_s: float, peak_mib: float, settings: str = "") -> Peer:
    def line(inputs: Inputs) -> list[str]:
        reference, systems = inputs.multeval
        root = (inputs.peers or inputs.folder) / "multeval"
        command = ["java", "-Dfile.encoding=UTF8", "-Xmx2g", "-cp", f"{root / 'bin'}:{root / 'lib'}/*"]
        command += ["multeval.MultEval", "eval", "--refs", str(reference), "--metrics", metrics]
        flags = {"baseline": "--hyps-baseline", "sys1": "--hyps-sys1", "sys2": "--hyps-sys2"}
        for name, runs in systems.items():
            command += [flags[name], " ".join(str(file) for file in sorted(runs.parent.glob(runs.name)))]
        return command

    recorded = Recorded(wall_s, peak_mib, f"MultEval of 2014, 2 threads{settings}")
    return Peer(f"MultEval, {metrics}", Command(line), MAIN, recorded)


ROWS = (
    Row(
        "multeval",
        "MultEval's example, BLEU and length, 10^4 + 10^4",
        outscore("length_ratio"),
        multeval("bleu length", 11.06, 477),
        8,
        None,
        _ONCE,
    ),
    Row(
        "multeval-ter",
        "the same with TER",
        outscore("ter,length_ratio"),
        multeval("bleu ter length", 20.97, 531),
        2,
        None,
        _ONCE,
    ),
    Row(
        "multeval-meteor",
        "the same with METEOR",
        outscore("meteor:norm=false,ter,length_ratio"),
        multeval("bleu meteor ter length", 136.7, 961, "; METEOR without its paraphrases"),
        3,
        None,
        _ONCE,
    ),
)
