"""pass@k and pass^k against the enumeration of all ways to draw k samples, and against published numbers."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import outscore
from outscore.base.errors import InputError, UsageError
from outscore.base.items import Items
from outscore.metrics import metrics


def values(spec: str, n: list[int], c: list[int], names: tuple[str, str] = ("n_samples", "n_correct")) -> list[float]:
    """The value of each item."""
    columns = {name: np.array(counts, dtype=float) for name, counts in zip(names, (n, c), strict=True)}
    statistics = metrics.make(spec).statistics(Items(n=len(n), columns=columns))
    assert (statistics[:, 1] == 1).all()
    return list(statistics[:, 0])


@st.composite
def problems(draw: st.DrawFn) -> tuple[int, int, int]:
    n = draw(st.integers(1, 8))
    return n, draw(st.integers(0, n)), draw(st.integers(1, n))


@given(problem=problems())
def test_they_are_shares_of_all_ways_to_draw_k_samples(problem: tuple[int, int, int]) -> None:
    n, c, k = problem
    drawn = [[sample < c for sample in samples] for samples in combinations(range(n), k)]
    some, every = (Fraction(sum(map(how, drawn)), len(drawn)) for how in (any, all))
    assert values(f"pass_at_k:k={k}", [n], [c]) == [pytest.approx(float(some), abs=1e-12)]
    assert values(f"pass_hat_k:k={k}", [n], [c]) == [pytest.approx(float(every), abs=1e-12)]


def test_two_hundred_samples_lose_no_precision() -> None:
    """1 - C(n-c, k) / C(n, k) with exact binomials."""
    expected = 1 - Fraction(_choose(197, 100), _choose(200, 100))
    assert values("pass_at_k:k=100", [200], [3]) == [pytest.approx(float(expected), rel=1e-12)]


def _choose(n: int, k: int) -> int:
    result = 1
    for i in range(k):
        result = result * (n - i) // (i + 1)
    return result


def test_one_sample_is_the_share_of_right_ones() -> None:
    for spec in ("pass_at_k", "pass_hat_k"):
        assert values(spec, [4, 4, 2], [1, 4, 0]) == pytest.approx([0.25, 1, 0])


def test_items_may_have_different_numbers_of_samples_under_any_name() -> None:
    assert values("pass_at_k:k=2,n=tries,c=solved", [2, 5], [1, 0], ("tries", "solved")) == [1, 0]


@pytest.mark.parametrize("spec", ["pass_at_k:k=5", "pass_hat_k:k=5"])
def test_more_than_there_are_cannot_be_drawn(spec: str) -> None:
    message = r"k=5 needs 5 samples of every item, but item 2 has 4; choose a smaller k, or give more samples"
    with pytest.raises(InputError, match=message):
        values(spec, [5, 4], [1, 1])


@pytest.mark.parametrize(("n", "c"), [(3, 4), (3, -1)])
def test_impossible_counts_are_refused(n: int, c: int) -> None:
    with pytest.raises(InputError, match=f"item 1 has {c} of {n}; "):
        values("pass_at_k", [n], [c])


def test_k_is_one_or_more() -> None:
    for spec in ("pass_at_k:k=0", "pass_hat_k:k=-2"):
        with pytest.raises(UsageError, match="expected a whole number of 1 or more"):
            metrics.make(spec)


@pytest.mark.data
def test_pass_hat_k_of_tau_bench_is_the_published_one(data_root: Path) -> None:
    rows = (data_root / "data" / "agent_taubench_trials" / "trials.tsv").read_text(encoding="utf-8").splitlines()
    right: dict[str, list[float]] = {}
    for row in rows[1:]:
        task, _, reward, *_ = row.split("\t")
        right.setdefault(task, []).append(float(reward))
    n = [len(trials) for trials in right.values()]
    c = [int(sum(trials)) for trials in right.values()]
    found = [np.mean(values(f"pass_hat_k:k={k}", n, c)) for k in (1, 2, 3, 4)]
    assert len(n) == 50
    assert [round(float(value), 3) for value in found] == [0.420, 0.273, 0.220, 0.200]


def test_one_row_of_each_item_is_told_how_samples_are_given() -> None:
    """As the message says it, and as it is done then."""
    pd = pytest.importorskip("pandas")
    rows = [(s, f"q{i}", k, (i * k) % 3 == (s == "b")) for s in "ab" for i in range(9) for k in range(3)]
    several = pd.DataFrame(rows, columns=["system", "item", "k", "correct"]).astype({"correct": int})
    alone = several.assign(item=several["item"] + "." + several["k"].astype(str)).drop(columns="k")
    with pytest.raises(InputError, match=r"a row of the same id, and .*sample=COLUMN.*; or counts, n=NAME,c=NAME"):
        outscore.compare(alone, metrics="pass@2")
    by_rows = outscore.compare(several.rename(columns={"k": "sample"}), metrics="pass@2").pairs[0]
    counts = several.groupby(["system", "item"])["correct"].agg(["count", "sum"]).reset_index()
    by_counts = outscore.compare(counts, metrics="pass@2:n=count,c=sum").pairs[0]
    assert by_rows.gain == pytest.approx(by_counts.gain) and by_rows.n_items == 9
