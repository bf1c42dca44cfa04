"""Counting statistics: the same numbers on one core, on several, and from the cache."""

from __future__ import annotations

import importlib
import itertools
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.items import Items
from outscore.metrics import Metric, metrics
from outscore.verbs.shared import extraction
from outscore.verbs.shared.extraction import Cache, extract
from tests.examples import first

WORDS = ["the", "cat", "sat", "on", "a", "mat", "near", "old", "town", "."]


def texts(seed: int, n: int = 1300) -> list[str]:
    draw = np.random.default_rng(seed)
    return [" ".join(draw.choice(WORDS, draw.integers(1, 9))) for _ in range(n)]


def cells(n: int = 1300) -> list[Items]:
    references = (texts(0, n),)
    return [Items(n=n, outputs=texts(seed, n), references=references) for seed in (1, 2, 1)]


def alone(metric: Metric) -> list[Float]:
    """Every cell by itself, as the metric counts it."""
    return [metric.statistics(cell) for cell in cells()]


@pytest.mark.parametrize("name", first(["bleu", "chrf", "ter"], "bleu", others=pytest.mark.slow))
def test_cores_change_no_number(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extraction, "_WORTH", 0.0)
    metric = metrics.make(name)
    expected = alone(metric)
    for jobs in (1, 2):
        for got, wanted in zip(extract(metric, cells(), jobs=jobs), expected, strict=True):
            np.testing.assert_array_equal(got, wanted)


def test_score_columns_go_through_the_workers_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extraction, "_WORTH", 0.0)
    every = [Items(n=3, columns={"score": np.array([0.0, 1.0, k])}) for k in range(5)]
    for got, cell in zip(extract(metrics.make("mean"), every, jobs=2), every, strict=True):
        np.testing.assert_array_equal(got[:, 0], cell.columns["score"])


@pytest.mark.parametrize(
    ("jobs", "n", "seconds", "workers"),
    [(1, 5, 9.0, None), (2, 5, 0.375, None), (2, 5, 0.376, 2), (9, 5, 9.0, 4), (3, 2, 1.5, None), (3, 2, 1.6, 1)],
)
def test_processes_begin_where_the_first_piece_shows_that_they_pay(
    jobs: int, n: int, seconds: float, workers: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That is more than 1.5 s for those that are left, of which no more than there are pieces work."""
    begun: list[int] = []

    class Parallel:
        def __init__(self, n_jobs: int, **_: object) -> None:
            begun.append(n_jobs)

        def __call__(self, work: Iterable[tuple[Any, Any, Any]]) -> list[Any]:
            return [call(*given, **named) for call, given, named in work]

    monkeypatch.setattr("joblib.Parallel", Parallel)
    clock = itertools.count(0.0, seconds)
    monkeypatch.setattr(extraction, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    said: list[tuple[int, int]] = []
    pieces = [Items(n=3, columns={"score": np.array([0.0, 1.0, k])}) for k in range(n)]
    found = extract(metrics.make("mean"), pieces, jobs=jobs, progress=lambda _, done, of: said.append((done, of)))
    assert [values[:, 0].tolist() for values in found] == [[0.0, 1.0, float(k)] for k in range(n)]
    assert begun == ([] if workers is None else [workers])
    assert said == [(3 * k, 3 * n) for k in range(n + 1)]


def test_progress_counts_to_the_number_of_distinct_outputs() -> None:
    said: list[tuple[str, int, int]] = []
    extract(metrics.make("bleu"), cells(), progress=lambda *told: said.append(told))
    assert {what for what, _, _ in said} == {"bleu"}
    assert said[0][1] == 0
    assert said[-1][1] == said[-1][2] == len({(i, o) for c in cells() for i, o in enumerate(c.outputs or ())})


def test_the_cache_spares_the_second_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metric = metrics.make("bleu")
    first = extract(metric, cells(), cache=Cache(tmp_path / "deep" / "cache"))

    def refuse(self: Metric, items: Items) -> Float:
        raise AssertionError("counted again")

    monkeypatch.setattr(type(metric), "statistics", refuse)
    again = extract(metric, cells(), cache=Cache(tmp_path / "deep" / "cache"))
    for got, wanted in zip(again, first, strict=True):
        np.testing.assert_array_equal(got, wanted)
    with pytest.raises(AssertionError, match="counted again"):
        extract(metrics.make("bleu:lowercase=true"), cells(), cache=Cache(tmp_path / "deep" / "cache"))


@pytest.mark.parametrize("change", ["output", "reference", "label", "column"])
def test_the_cache_knows_everything_a_metric_reads(change: str, tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    metric = metrics.make("mean")
    plain = {"outputs": ["a", "b"], "references": (["a", "c"],), "labels": {"tokens": ["x", "y"]}}
    score = {"score": np.array([1.0, 2.0])}
    cell = Items(n=2, columns=score, **plain)  # type: ignore[arg-type]
    cache.save(metric, cell, np.ones((2, 2)))
    assert cache.load(metric, cell) is not None
    changed = {
        "output": {**plain, "outputs": ["ab", ""]},
        "reference": {**plain, "references": (["a"], ["c"])},
        "label": {**plain, "labels": {"tokens": ["xy", ""]}},
        "column": plain,
    }[change]
    columns = {"score": np.array([2.0, 1.0])} if change == "column" else score
    assert cache.load(metric, Items(n=2, columns=columns, **changed)) is None  # type: ignore[arg-type]


METRIC_OF_OTHERS = """
from dataclasses import dataclass
from outscore.metrics.mean import Mean
@dataclass(frozen=True)
class Theirs(Mean):
    def statistics(self, items):
        return super().statistics(items) * FACTOR
"""


@pytest.mark.parametrize("change", ["code", "version", "nothing"])
def test_what_changes_in_another_package_is_counted_anew(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its version and its code are no part of the metric's own repr."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    cell = Items(n=2, columns={"score": np.array([1.0, 2.0])})

    def count(factor: int, version: str) -> list[float]:
        for old in tmp_path.glob("*.dist-info/*"):
            old.unlink()
        info = tmp_path / f"theirs_{change}-{version}.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: theirs\nVersion: {version}\n", encoding="utf-8")
        entry = f"[outscore.metrics]\ntheirs = theirs_{change}\n"
        (info / "entry_points.txt").write_text(entry, encoding="utf-8")
        (tmp_path / f"theirs_{change}.py").write_text(f"{METRIC_OF_OTHERS}FACTOR = {factor}\n", encoding="utf-8")
        sys.modules.pop(f"theirs_{change}", None)
        importlib.invalidate_caches()
        theirs = importlib.import_module(f"theirs_{change}").Theirs()
        (found,) = extract(theirs, [cell], cache=Cache(tmp_path / "cache"))
        return [float(value) for value in found[:, 0]]

    assert count(1, "1.0") == [1.0, 2.0]
    assert count(3 if change == "code" else 1, "1.1" if change == "version" else "1.0")[1] in (2.0, 6.0)
    assert len(list((tmp_path / "cache").iterdir())) == (1 if change == "nothing" else 2)


def test_a_metric_of_no_file_is_counted_each_time(tmp_path: Path) -> None:
    """In a notebook nothing shows whether its code is still the same."""
    cell = Items(n=2, columns={"score": np.array([1.0, 2.0])})
    for factor in (1, 3):
        space: dict[str, Any] = {"FACTOR": factor, "__name__": "of_no_file"}
        sys.modules["of_no_file"] = ModuleType("of_no_file")
        exec(METRIC_OF_OTHERS, space)
        (found,) = extract(space["Theirs"](), [cell], cache=Cache(tmp_path))
        assert found[:, 0].tolist() == [factor, 2.0 * factor]
    del sys.modules["of_no_file"]


@pytest.mark.parametrize("damage", [b"", b"not numpy", b"\x93NUMPY\x01\x00v\x00{'descr': '|O'}"])
def test_a_damaged_cache_is_counted_anew(damage: bytes, tmp_path: Path) -> None:
    metric = metrics.make("chrf")
    first = extract(metric, cells(60), cache=Cache(tmp_path))
    for file in tmp_path.iterdir():
        file.write_bytes(damage)
    again = extract(metric, cells(60), cache=Cache(tmp_path))
    np.testing.assert_array_equal(again, first)
    assert Cache(tmp_path).load(metric, cells(60)[0]) is not None


def test_statistics_that_were_changed_or_are_of_others_are_counted_anew(tmp_path: Path) -> None:
    metric, (one, other, *_) = metrics.make("chrf"), cells()
    first = extract(metric, [one, other], cache=Cache(tmp_path))
    files = sorted(tmp_path.iterdir())
    whole = [file.read_bytes() for file in files]
    flipped = bytearray(whole[0])
    flipped[-3] ^= 1  # a bit of the last number: still a sound array
    files[0].write_bytes(flipped)
    files[1].write_bytes(whole[0])
    np.testing.assert_array_equal(extract(metric, [one, other], cache=Cache(tmp_path)), first)
    assert [file.read_bytes() for file in files] == whole


def test_a_cache_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(UsageError, match="cannot be made a directory"):
        Cache(tmp_path / "file" / "cache")


def test_compare_gives_the_same_result_with_a_cache(tmp_path: Path) -> None:
    systems = {"base": texts(1, 80), "new": texts(2, 80)}

    def call(**more: object) -> str:
        return outscore.compare(systems, references=texts(0, 80), metrics="bleu,ter", n_resamples=100, **more).to_json()  # type: ignore[arg-type]

    plain = call()
    assert call(cache=tmp_path) == plain
    assert len(os.listdir(tmp_path)) == 4  # noqa: PTH208  two metrics of two systems
    assert call(cache=str(tmp_path), jobs=1) == plain


def test_an_interruption_leaves_what_is_done_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metric, cache = metrics.make("bleu"), Cache(tmp_path)
    count, calls = type(metric).statistics, []

    def interrupted(self: Metric, items: Items) -> Float:
        calls.append(items.n)
        if len(calls) == 4:  # 1300 outputs are three portions: the second run has begun
            raise KeyboardInterrupt
        return count(self, items)

    monkeypatch.setattr(type(metric), "statistics", interrupted)
    with pytest.raises(KeyboardInterrupt):
        extract(metric, cells(), cache=cache)
    assert [cache.load(metric, cell) is not None for cell in cells()[:2]] == [True, False]
    extract(metric, cells(), cache=cache)
    assert sum(calls[4:]) == 1300, "the second run alone is counted; the third is the first again"
