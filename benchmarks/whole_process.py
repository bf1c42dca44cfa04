#!/usr/bin/env python3
"""Times ``outscore compare`` against sacrebleu's paired tests as whole processes, and compares their peak memory.

Both score the same two systems of WMT 2022 de-en (1,984 segments) with BLEU and as many resamples. Each pair of runs
is made in turn; medians and the ratios of the pairs are printed, and kept as JSON when asked.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORK = {
    "BLEU pair, bootstrap 10^3": ("bootstrap", 1_000),
    "BLEU pair, bootstrap 10^4": ("bootstrap", 10_000),
    "BLEU pair, randomization 10^4": ("randomization", 10_000),
}
FLAGS = {"bootstrap": "--paired-bs", "randomization": "--paired-ar"}


def measured(command: list[str]) -> dict[str, float]:
    """Wall seconds, processor seconds and peak memory (MiB) of one process, as the operating system counts them."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} failed with exit code {process.returncode}")
    return {"wall_s": wall, "cpu_s": usage.ru_utime + usage.ru_stime, "peak_mib": usage.ru_maxrss / 1024}


def in_turn(ours: list[str], theirs: list[str], runs: int) -> dict[str, dict[str, float]]:
    """Medians of both commands and of their ratios pair by pair, after one warm-up of each."""
    measured(ours), measured(theirs)
    pairs = [(measured(ours), measured(theirs)) for _ in range(runs)]
    result = {}
    for i, who in enumerate(("ours", "theirs")):
        result[who] = {k: statistics.median(p[i][k] for p in pairs) for k in pairs[0][0]}
    result["ratio"] = {k: statistics.median(p[1][k] / p[0][k] for p in pairs) for k in pairs[0][0]}
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=5, help="pairs of runs (default 5)")
    parser.add_argument("--json", type=Path, help="keep the figures here")
    arguments = parser.parse_args()
    root = Path(os.environ.get("OUTSCORE_DATA", Path(__file__).parents[2] / "shared")) / "data"
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        unpack = [sys.executable, root / "unpack.py", "mt_wmt22_de-en", folder]
        subprocess.run(unpack, check=True, stdout=subprocess.DEVNULL)
        reference, base, new = (f"{folder}/{name}.txt" for name in ("ref.A", "PROMT", "Online-A"))
        for name, (test, resamples) in WORK.items():
            ours = [sys.executable, "-m", "outscore", "compare", "-r", reference, base, new, "-m", "bleu"]
            ours += ["--test", test, "-n", str(resamples), "-q"]
            theirs = [sys.executable, "-m", "sacrebleu", reference, "-i", base, new, "-m", "bleu"]
            theirs += [FLAGS[test], f"{FLAGS[test]}-n", str(resamples)]
            found[name] = in_turn(ours, theirs, arguments.n)
    print(f"{'work':32} {'':8} {'wall s':>8} {'cpu s':>8} {'peak MiB':>9}")
    for name, figures in found.items():
        for who, row in figures.items():
            label = {"ours": "outscore", "theirs": "sacrebleu", "ratio": "ratio"}[who]
            times = f"{row['wall_s']:8.2f} {row['cpu_s']:8.2f} {row['peak_mib']:9.0f}"
            print(f"{name if who == 'ours' else '':32} {label:9}{times}")
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
