#!/usr/bin/env python3
"""Reads 500,000 score rows from CSV, beside Python's own csv module, and compares time and peak memory.

Both end with the same in memory: names of systems and items, and scores as numbers. Each run is a process of its own;
seconds are of the processor and leave the start-up out, peak memory is that above the start-up.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

OURS = """
from outscore.data import read
from outscore.data.readers import readers
readers.names()
start()
read([FILE])
"""
THEIRS = """
import csv
start()
systems, items, scores = [], [], []
with open(FILE, newline="", encoding="utf-8") as f:
    rows = csv.reader(f)
    next(rows)
    for system, item, score in rows:
        systems.append(system)
        items.append(item)
        scores.append(float(score))
"""
FRAME = """
import json, resource, sys, time
FILE = sys.argv[1]
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
def start():
    global seconds, before
    seconds, before = time.process_time(), peak()
{work}
print(json.dumps({{"cpu_s": time.process_time() - seconds, "peak_mib": peak() - before}}))
"""


def measured(work: str, file: Path) -> dict[str, float]:
    """Processor seconds and MiB of one reading."""
    command = [sys.executable, "-c", FRAME.format(work=work), str(file)]
    return dict(json.loads(subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=5, help="pairs of runs (default 5)")
    parser.add_argument("--json", type=Path, help="keep the figures here")
    arguments = parser.parse_args()
    draw = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scores.csv"
        with file.open("w", encoding="utf-8") as out:
            out.write("system,item,score\n")
            for system in range(10):
                out.writelines(f"system{system},item{i:06d},{draw.random():.4f}\n" for i in range(50_000))
        size = file.stat().st_size / 2**20
        pairs = [(measured(OURS, file), measured(THEIRS, file)) for _ in range(arguments.n)]
    middle = [{k: statistics.median(p[i][k] for p in pairs) for k in pairs[0][0]} for i in (0, 1)]
    ratio = statistics.median(ours["cpu_s"] / theirs["cpu_s"] for ours, theirs in pairs)
    found = {"file_mib": size, "ours": middle[0], "csv": middle[1], "time_ratio": ratio}
    found["peak_per_file"] = middle[0]["peak_mib"] / size
    print(f"file {size:.1f} MiB, 500,000 rows")
    for name, figures in zip(("outscore", "csv module"), middle, strict=True):
        print(f"{name:<11} {figures['cpu_s']:.2f} s, {figures['peak_mib']:.0f} MiB")
    print(f"time: {ratio:.2f} times the csv module (to reach: 2)")
    print(f"peak memory: {found['peak_per_file']:.1f} times the file (to reach: 5)")
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
