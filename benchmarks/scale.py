#!/usr/bin/env python3
"""Measures a grid of all pairs, serially, in two processes and on two Dask workers, and writes docs/scale-measured.md.

Score tables of 30 systems on 20 data sets are made with a fixed seed, each with the columns of five metrics; the study
``all-pairs`` tests all 435 pairs on every data set by every metric, with 10^4 resamples that the pairs of a cell share:
by the bootstrap and by exchanges alone, which is the lightest work, in which being told what to do weighs most. Every
way is run in processes of its own, in turn; medians are written. The results must be the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from machine import description

import outscore
from outscore.base.files import write_whole
from outscore.verbs.shared.sets import read_sets

PAGE = Path(__file__).parents[1] / "docs" / "scale-measured.md"
HEADING = "# Measured on two workers"
METRICS = ("accuracy", "chrf", "comet", "rating", "ratio:num=edits,den=length,scale=100,lower=true")
WAYS = {
    "one process": "serial",
    "two commands, half of the data sets each": "halves",
    "`--jobs 2`": "jobs",
    "`--jobs 2 --dask local`": "local",
    "`--dask FILE`": "file",
}
TESTS = ("bootstrap", "randomization:exact=never")
_PATIENCE = 60.0

Found = dict[tuple[str, str], list[dict[str, Any]]]
"""For each test and way, what each run found."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--systems", type=int, default=30)
    parser.add_argument("--sets", type=int, default=20)
    parser.add_argument("--items", type=int, default=2000, help="items of each data set (default 2000)")
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=3, help="how often each way is run (default 3)")
    parser.add_argument("--wide", type=int, default=500, help="systems of one large cell (default 500; 0: none)")
    parser.add_argument("--out", type=Path, default=PAGE, metavar="FILE", help=f"the page (default docs/{PAGE.name})")
    parser.add_argument("--one", nargs=3, metavar=("TEST", "WAY", "DIR"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.one:
        test, way, folder = options.one
        print(json.dumps(once(test, way, Path(folder), options.resamples)))
        return 0
    write_whole(options.out, measured(options))
    return 0


def measured(options: argparse.Namespace) -> str:
    """The page."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        tables(folder, options.systems, options.sets, options.items)
        found: Found = {(test, way): [] for test in TESTS for way in WAYS.values()}
        for repeat in range(options.repeats):
            for (test, way), runs in found.items():
                run = _halves if way == "halves" else partial(_apart, way)
                runs.append(run(test, folder, options.resamples))
                print(f"{repeat + 1}. {test}, {way}: {runs[-1]}", file=sys.stderr)
        for test in TESTS:
            digests = {run["digest"] for way in WAYS.values() if way != "halves" for run in found[test, way]}
            if len(digests) != 1:
                raise SystemExit(f"the results of {test} differ: {digests}")
    wide = None
    if options.wide:
        with tempfile.TemporaryDirectory() as place:
            tables(Path(place), options.wide, 1, options.items, columns=1)
            wide = _apart("wide", TESTS[-1], Path(place), options.resamples)
            print(f"wide: {wide}", file=sys.stderr)
    return section_of(options, found, wide)


def section_of(options: argparse.Namespace, found: Found, wide: Mapping[str, Any] | None) -> str:
    """What was measured, in Markdown."""
    pairs = options.systems * (options.systems - 1) // 2
    every = [run for runs in found.values() for run in runs]
    rows = []
    for (test, way), runs in found.items():
        name = next(name for name, of_name in WAYS.items() if of_name == way)
        least, cpu_of_one = _median(found[test, "halves"], "wall"), _median(found[test, "serial"], "cpu")
        wall, cpu, peak, own = (_median(runs, key) for key in ("wall", "cpu", "worker_mib", "own_mib"))
        rows.append(
            f"| {f'`{test}`' if way == 'serial' else ''} | {name} | {wall:.1f} "
            f"| {'' if way == 'serial' else f'{wall / least - 1:+.0%}'} | {cpu:.1f} "
            f"| {cpu / cpu_of_one - 1:+.0%} | {own:.0f} | {f'{peak:.0f}' if peak else ''} |"
        )
    lines = [
        HEADING,
        "",
        f"Made by `python benchmarks/scale.py` on {description()}; {_runs(options.repeats)} of each "
        f"way, in turn; load of the machine by others beforehand {_median(every[:1], 'load'):.1f}.",
        "",
        f"{options.systems} systems, {options.sets} data sets of {options.items:,} items, {len(METRICS)} metrics: "
        f"{options.sets * len(METRICS)} cells of {pairs} pairs, {options.sets * len(METRICS) * pairs:,} tests "
        f"of each kind, with {options.resamples:,} resamples where they draw. Reading the tables took "
        f"{_median(every, 'read'):.0f} s each time, which the figures leave out. All ways gave the same bytes.",
        "",
        "| test | way | seconds | beside two commands | CPU seconds | beside one process | MiB, command "
        "| MiB, largest worker |",
        "|---|---|---|---|---|---|---|---|",
        *rows,
        "",
        "*Beside two commands*: the seconds of the clock over those of two commands at the same time that know nothing "
        "of each other, less one: what it costs to be started, to be sent the data and to send results, on a machine "
        "whose two cores other programs use too. *Beside one process*: the same of the processors' seconds. "
        "`--dask FILE` works on a scheduler and two workers that were there before, `local` starts its own.",
    ]
    if wide is not None:
        n = options.wide * (options.wide - 1) // 2
        lines += [
            "",
            f"One cell of {options.wide:,} systems ({n:,} pairs, {options.items:,} items, one metric, "
            f"`{TESTS[-1]}`): {wide['cpu']:.0f} CPU seconds, {wide['cpu'] / n * 1e6:.0f} µs a pair, "
            f"{wide['own_mib']:,.0f} MiB at its peak with the table in memory.",
        ]
    return "\n".join(lines) + "\n\n"


def once(test: str, way: str, folder: Path, n_resamples: int) -> dict[str, Any]:
    """One run, in this process: seconds, memory, and what tells its result."""
    load = os.getloadavg()[0]
    start = time.perf_counter()
    sets = read_sets([str(folder / "*.csv")])
    read = time.perf_counter() - start
    metrics = METRICS[:1] if way == "wide" else METRICS
    with cluster(folder) if way == "file" else nullcontext(()) as workers:
        before = _cpu(workers)
        start = time.perf_counter()
        found = outscore.study(
            "all-pairs",
            sets,
            metrics=list(metrics),
            test=test,
            pairs="none" if way == "wide" else "all",
            n_resamples=n_resamples,
            jobs=1 if way in ("serial", "wide", "file") else 2,
            dask={"local": "local", "file": str(folder / "scheduler.json")}.get(way),
        )
        wall = time.perf_counter() - start
        # children that have ended are counted by the system, those that wait for more work and the cluster here
        alive = [*workers, *(() if workers else _children())]
        cpu = _cpu(alive) - before
        peak = max((_peak(pid) for pid in alive), default=0.0)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return {
        "wall": wall,
        "cpu": cpu,
        "read": read,
        "load": load,
        "own_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "worker_mib": max(peak, ended if way == "local" else 0.0),
        "digest": hashlib.sha256(found.to_json().encode()).hexdigest(),
    }


def tables(folder: Path, systems: int, sets: int, items: int, columns: int = 6) -> None:
    """Tables of scores of systems of different strength and items of different difficulty."""
    names = ("accuracy", "chrf", "comet", "rating", "edits", "length")[:columns]
    for number in range(sets):
        rng = np.random.default_rng([12345, number])
        strength = rng.normal(0, 0.3, systems)[:, None]
        length = np.broadcast_to(5 + rng.poisson(18, items), (systems, items))
        latent = strength + rng.normal(0, 1, items) + rng.normal(0, 1, (systems, items))
        made = {
            "accuracy": (latent > 0).astype(int),
            "chrf": np.round(100 / (1 + np.exp(-latent)), 3),
            "comet": np.round(0.8 + 0.05 * latent, 4),
            "rating": np.clip(np.round(3 + latent), 1, 5).astype(int),
            "edits": np.minimum(rng.poisson(length * 0.5 / (1 + np.exp(latent))), length),
            "length": length,
        }
        values = [made[name].ravel().tolist() for name in names]
        with (folder / f"set{number:02d}.csv").open("w", encoding="utf-8") as out:
            out.write(f"system,item,{','.join(names)}\n")
            for row, numbers in enumerate(zip(*values, strict=True)):
                out.write(f"s{row // items:03d},{row % items},{','.join(map(str, numbers))}\n")


@contextmanager
def cluster(folder: Path) -> Iterator[Sequence[int]]:
    """A scheduler and two workers, as on a cluster; the numbers of the workers' processes."""
    file = folder / "scheduler.json"
    file.unlink(missing_ok=True)
    # as the page advises
    light = {"DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False", "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s"}
    env = os.environ | light
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": env}
    dask = [sys.executable, "-m", "dask"]
    parts = [["scheduler", "--port", "0", "--no-dashboard", "--host", "127.0.0.1"]]
    parts += [["worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"]] * 2
    started: list[subprocess.Popen[bytes]] = []
    try:
        for part in parts:
            started.append(subprocess.Popen([*dask, *part, "--scheduler-file", str(file)], **quiet))
            end = time.monotonic() + _PATIENCE
            while not file.exists() and time.monotonic() < end:
                time.sleep(0.1)
        _wait_for_workers(file)
        yield [one.pid for one in started[1:]]
    finally:
        for one in reversed(started):
            one.terminate()
            one.wait()


def _wait_for_workers(file: Path) -> None:
    from distributed import Client

    with Client(scheduler_file=str(file), set_as_default=False) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(2, timeout=_PATIENCE)


def _apart(way: str, test: str, folder: Path, n_resamples: int) -> dict[str, Any]:
    """One run, in a process of its own."""
    line = [sys.executable, __file__, "--one", test, way, str(folder), "--resamples", str(n_resamples)]
    env = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(line, stdout=subprocess.PIPE, env=env, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _halves(test: str, folder: Path, n_resamples: int) -> dict[str, Any]:
    """Two runs at the same time, each on half of the data sets; the clock is that of the later one."""
    files = sorted(folder.glob("*.csv"))
    parts = [folder / "first", folder / "second"]
    for part, some in zip(parts, (files[::2], files[1::2]), strict=True):
        part.mkdir(exist_ok=True)
        for file in some:
            (part / file.name).unlink(missing_ok=True)
            (part / file.name).symlink_to(file)
    with ThreadPoolExecutor() as pool:
        one, other = pool.map(lambda part: _apart("serial", test, part, n_resamples), parts)
    return {**one, **{key: max(one[key], other[key]) for key in ("wall", "own_mib")}, "cpu": one["cpu"] + other["cpu"]}


def _cpu(workers: Sequence[int]) -> float:
    """Processor seconds of this process, of its children that have ended, and of these workers."""
    own = sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
    return float(own + sum(_of_worker(pid) for pid in workers))


def _children() -> list[int]:
    """Processes that this one has started and that are still there."""
    found = [path.read_text(encoding="utf-8").split() for path in Path("/proc/self/task").glob("*/children")]
    return [int(pid) for pids in found for pid in pids]


def _of_worker(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak(pid: int) -> float:
    """Largest memory of a process so far, in MiB."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="utf-8"))
    return int(found[1]) / 1024 if found else 0.0


def _runs(repeats: int) -> str:
    return "one run" if repeats == 1 else f"medians of {repeats} runs"


def _median(found: Sequence[Mapping[str, Any]], key: str) -> float:
    return statistics.median(one[key] for one in found)


if __name__ == "__main__":
    sys.exit(main())
