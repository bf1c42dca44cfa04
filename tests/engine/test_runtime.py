"""Blocks, threads, progress and interruptions change no number."""

from __future__ import annotations

import math
import threading
import time
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

from outscore.base import limits
from outscore.base.arrays import Float
from outscore.base.rng import stream
from outscore.engine import runtime
from outscore.engine.design import Design
from outscore.engine.draws import Accumulator
from outscore.engine.resampling import bootstrap
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import Sampling
from outscore.engine.weights import ATOM


@pytest.fixture(autouse=True)
def share_all_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """More than one job means threads from the first part on."""
    monkeypatch.setattr(runtime, "_WORTH", -math.inf)
    monkeypatch.setattr(runtime, "_WORTH_PART", 0.0)


def numbers(runtime: Runtime, resamples: int = 530) -> tuple[Float, bool]:
    def task(atoms: range) -> Float:
        return np.concatenate([stream(1, "test", atom).random(ATOM) for atom in atoms])

    return runtime.resample("test", task, resamples, 10)


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("block", [None, 1, 16, 48, 512, 10_000])
def test_blocks_and_threads_change_no_byte(block: int | None, jobs: int) -> None:
    plain, _ = numbers(Runtime())
    found, interrupted = numbers(Runtime(jobs=jobs, block=block))
    assert found.tobytes() == plain.tobytes()
    assert found.shape == (530,)
    assert not interrupted


@pytest.mark.parametrize("resamples", [1, 15, 16, 17, 1000])
def test_more_resamples_continue_the_same_draws(resamples: int) -> None:
    few, many = numbers(Runtime(), resamples)[0], numbers(Runtime(), 1000)[0]
    assert len(few) == resamples
    np.testing.assert_array_equal(few, many[:resamples])


def test_memory_is_bounded_by_blocks() -> None:
    seen: list[int] = []

    def task(atoms: range) -> Float:
        seen.append(len(atoms) * ATOM)
        return np.zeros(len(atoms) * ATOM)

    Runtime().resample("test", task, 10_000, 1_000_000)
    assert max(seen) == ATOM
    assert sum(seen) == 10_000


@pytest.mark.parametrize(("allowed", "fits"), [(16_959, False), (16_960, True)])
def test_resamples_must_fit_twice_into_memory(allowed: int, fits: bool) -> None:
    """530 of two doubles, and once more where they are joined."""
    with limits.raise_to([f"memory={allowed}"]), nullcontext() if fits else pytest.raises(limits.TooMuchError):
        Runtime().resample("test", lambda atoms: np.zeros((len(atoms) * ATOM, 2)), 530, 10)


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_is_told_of_every_block_in_order(jobs: int) -> None:
    told: list[tuple[str, int, int]] = []
    numbers(Runtime(jobs=jobs, block=160, progress=lambda *what: told.append(what)))
    assert told == [("test", done, 530) for done in (160, 320, 480, 530)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interruption_keeps_an_unbroken_prefix(jobs: int) -> None:
    def stop(_: str, done: int, __: int) -> None:
        if done >= 320:
            raise KeyboardInterrupt

    found, interrupted = numbers(Runtime(jobs=jobs, block=160, progress=stop))
    assert interrupted
    np.testing.assert_array_equal(found, numbers(Runtime())[0][:320])


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interruption_inside_a_block_loses_that_block_only(jobs: int) -> None:
    def task(atoms: range) -> Float:
        if atoms.start >= 20:
            raise KeyboardInterrupt
        return np.concatenate([stream(1, "test", atom).random(ATOM) for atom in atoms])

    found, interrupted = Runtime(jobs=jobs, block=160).resample("test", task, 530, 10)
    assert interrupted
    np.testing.assert_array_equal(found, numbers(Runtime())[0][:320])


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interruption_before_the_first_block_is_passed_on(jobs: int) -> None:
    def task(_: range) -> Float:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Runtime(jobs=jobs, block=16).resample("test", task, 100, 10)


def test_what_is_wanted_whole_is_never_a_part_of_it() -> None:
    def stop(_: str, done: int, __: int) -> None:
        if done >= 320:
            raise KeyboardInterrupt

    made = Runtime(block=160, progress=stop, whole=True)
    with pytest.raises(KeyboardInterrupt):
        numbers(made)
    rows, sampling = np.arange(20.0).reshape(10, 2), Sampling(1000, 1, made, "iid")
    with pytest.raises(KeyboardInterrupt):
        bootstrap([rows], lambda sums: np.stack([s[:, 0] for s in sums]), Design(10), sampling, Accumulator.nothing())


def test_other_errors_are_not_swallowed() -> None:
    def task(atoms: range) -> Float:
        if atoms.start > 0:
            raise ZeroDivisionError
        return np.zeros(len(atoms) * ATOM)

    for jobs in (1, 2):
        with pytest.raises(ZeroDivisionError):
            Runtime(jobs=jobs, block=16).resample("test", task, 100, 10)


def test_work_is_done_by_one_thread_unless_more_are_asked_for() -> None:
    assert (Runtime().jobs, Runtime().whole, Runtime().block) == (1, False, None)


@pytest.mark.parametrize(
    ("seconds", "parts", "alone"),
    [
        (0.2, 40, 1),  # the first part says already how much there is to do
        (0.012, 40, 2),  # the first may have warmed up
        (0.012, 11, 2),
        (0.012, 10, 10),  # from the third on less than 0.1 s
        (0.009, 1000, 1000),  # each so short that threads stand in each other's way
        (9.0, 3, 3),
    ],
)
def test_threads_share_what_takes_long(seconds: float, parts: int, alone: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    now, here = [0.0], threading.current_thread()

    def task(part: int) -> tuple[int, bool]:
        if threading.current_thread() is here:
            now[0] += seconds
        return part, threading.current_thread() is here

    monkeypatch.setattr(runtime, "time", SimpleNamespace(perf_counter=lambda: now[0], monotonic=time.monotonic))
    done = list(Runtime(jobs=2).run("test", task, range(parts), [1] * parts))
    assert done == [(part, part < alone) for part in range(parts)]
