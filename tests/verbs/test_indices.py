"""The index of pandas: the same labels are matched, in whatever order; none shared is said; some shared is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import outscore
from outscore.base.errors import InputError

RNG = np.random.default_rng(6)
N = 30
GOLD = RNG.integers(0, 2, N)
BASE = np.where(RNG.random(N) < 0.6, GOLD, 1 - GOLD)
NEW = np.where(RNG.random(N) < 0.8, GOLD, 1 - GOLD)
ORDER = RNG.permutation(N)
NAMES = {"counts": range(N), "names": [f"q{i}" for i in range(N)], "numbers": np.arange(N) + 100}


def series(values: Any, kind: str = "counts") -> pd.Series[Any]:
    return pd.Series(values, index=pd.Index(NAMES[kind]) if kind != "counts" else None)


def gain(*args: Any, **kwargs: Any) -> float:
    return outscore.compare(*args, metrics="accuracy", n_resamples=99, **kwargs).pairs[0].gain


EXPECTED = float(np.mean(NEW == GOLD) - np.mean(BASE == GOLD))


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("shuffled", ["none", "system", "gold", "both"])
def test_the_same_labels_are_matched_in_whatever_order(kind: str, shuffled: str) -> None:
    base, new, gold = (series(values, kind) for values in (BASE, NEW, GOLD))
    new = new.iloc[ORDER] if shuffled in ("system", "both") else new
    gold = gold.iloc[ORDER[::-1]] if shuffled in ("gold", "both") else gold
    assert gain({"base": base, "new": new}, references=gold) == pytest.approx(EXPECTED)


@pytest.mark.parametrize("kind", ["names", "numbers"])
def test_wide_frames_are_matched_with_series_of_gold(kind: str) -> None:
    frame = pd.DataFrame({"base": series(BASE, kind), "new": series(NEW, kind)})
    assert gain(frame, references=series(GOLD, kind).iloc[ORDER]) == pytest.approx(EXPECTED)


def test_runs_and_sets_of_references_are_matched_too() -> None:
    texts = [f"w{i} x" for i in range(N)]
    runs = [pd.Series(texts), pd.Series(texts).iloc[ORDER]]
    references = [pd.Series(texts).iloc[ORDER[::-1]], pd.Series(texts)]
    found = outscore.score({"a": runs}, references=references, metrics="exact_match")
    assert found.scores[0].run_scores == (1.0, 1.0)


@pytest.mark.parametrize("kind", NAMES)
def test_descriptions_are_matched_too(kind: str) -> None:
    scores = {"base": series(BASE, kind), "new": series(NEW, kind)}
    domains = series(np.where(GOLD == 1, "x", "y"), kind)
    plain = outscore.compare({"base": BASE, "new": NEW}, items={"domain": list(domains)}, n_resamples=99)
    for items in ({"domain": domains.iloc[ORDER]}, pd.DataFrame({"domain": domains}).iloc[ORDER]):
        found = outscore.compare(scores, items=items, n_resamples=99)
        assert [d.gain for d in found.buckets] == [d.gain for d in plain.buckets]


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("as_", [list, np.asarray, tuple])
def test_what_has_no_labels_stands_beside_labels_by_position(kind: str, as_: Any) -> None:
    base, new = series(BASE, kind), series(NEW, kind)
    assert gain({"base": base, "new": new}, references=as_(GOLD)) == pytest.approx(EXPECTED)
    assert gain({"base": base, "new": as_(NEW)}, references=series(GOLD, kind)) == pytest.approx(EXPECTED)


@pytest.mark.parametrize("who", ["system", "gold", "all with labels", "items"])
def test_a_list_beside_rows_in_another_order_is_refused_with_both_ways(who: str) -> None:
    def ask(turned: Any) -> float:
        base, new, gold = (turned(series(values)) for values in (BASE, NEW, GOLD))
        if who == "system":
            return gain({"base": base, "new": list(NEW)}, references=list(GOLD))
        if who == "gold":
            return gain({"base": list(BASE), "new": list(NEW)}, references=gold)
        if who == "items":
            return gain({"base": base, "new": new}, references=gold, items={"domain": list("xy" * (N // 2))})
        return gain({"base": base, "new": list(NEW)}, references=gold)

    with pytest.raises(InputError, match="its index counts rows in another order") as raised:
        ask(lambda s: s.iloc[::-1])
    assert ".sort_index()" in str(raised.value)
    assert ".reset_index(drop=True)" in str(raised.value)
    assert ask(lambda s: s.iloc[::-1].sort_index()) == pytest.approx(EXPECTED)
    ask(lambda s: s.iloc[::-1].reset_index(drop=True))


def test_a_part_of_the_rows_in_their_own_order_stands_beside_a_list() -> None:
    some = pd.Series(BASE, index=RNG.permutation(10 * N)[:N])  # as a split into training and test set leaves it
    assert gain({"base": some, "new": list(NEW)}, references=list(GOLD)) == pytest.approx(EXPECTED)


@pytest.mark.parametrize("kind", ["counts", "names"])
def test_what_has_no_labels_beside_two_orders_is_refused(kind: str) -> None:
    with pytest.raises(InputError, match="ids"):
        gain({"base": series(BASE, kind), "new": series(NEW, kind).iloc[ORDER]}, references=list(GOLD))


@pytest.mark.parametrize("missing", ["error", "drop"])
def test_slices_of_one_long_series_go_by_position_with_a_note(missing: Any) -> None:
    long = pd.Series(np.r_[BASE, NEW, GOLD])
    data = {"base": long[:N], "new": long[N : 2 * N]}
    found = outscore.compare(data, references=long[2 * N :], metrics="accuracy", n_resamples=99, missing=missing)
    assert found.pairs[0].gain == pytest.approx(EXPECTED)
    assert "index_by_position" in [note.code for note in found.notes]


def test_plain_counts_say_nothing_and_name_nothing() -> None:
    found = outscore.compare({"base": pd.Series(BASE), "new": pd.Series(NEW)}, n_resamples=99)
    assert "index_by_position" not in [note.code for note in found.notes]
    assert outscore.compare({"base": BASE, "new": NEW}, n_resamples=99).pairs == found.pairs


def test_labels_shared_in_part_are_refused_with_both_ways() -> None:
    long = pd.Series(np.r_[BASE, NEW].astype(float))
    data = {"base": long[:N], "new": long[5 : N + 5]}
    with pytest.raises(InputError, match="only a part of its labels") as raised:
        outscore.compare(data)
    assert "missing='drop'" in str(raised.value)
    assert "reset_index(drop=True)" in str(raised.value)
    assert len(outscore.compare(data, missing="drop", n_resamples=99).provenance.dropped) == 10


@pytest.mark.parametrize(
    ("starts", "named"),
    [
        ((0, 100, 15), ["data['c']: its index shares only a part", "data['a']: "]),
        ((100, 0, 15), ["data['c']: its index shares only a part", "data['b']: "]),
        ((0, 15, 100), ["data['b']: its index shares only a part", "data['a']: "]),
    ],
)
def test_of_three_the_two_are_named_whose_labels_do_not_fit(starts: tuple[int, ...], named: list[str]) -> None:
    data = {name: pd.Series(BASE, index=range(s, s + N)) for name, s in zip("abc", starts, strict=True)}
    with pytest.raises(InputError) as raised:
        outscore.compare(data, n_resamples=99)
    assert all(words in str(raised.value) for words in named), raised.value


def test_a_third_with_other_labels_than_two_in_another_order_is_named() -> None:
    data = {"a": pd.Series(BASE), "b": pd.Series(BASE).iloc[ORDER], "c": pd.Series(BASE, index=range(100, 100 + N))}
    with pytest.raises(InputError, match=r"data\['c'\]: its index shares no label with that of data\['a'\]"):
        outscore.compare(data, n_resamples=99)


def test_a_label_twice_is_refused() -> None:
    twice = pd.Series([1.0, 2.0, 3.0], index=["x", "x", "y"])
    with pytest.raises(InputError, match="duplicate id 'x'"):
        outscore.score({"a": twice})


def test_rows_of_a_long_frame_are_counted_by_its_index_not_named() -> None:
    frame = pd.DataFrame({"system": ["base"] * N + ["new"] * N, "score": np.r_[BASE, NEW].astype(float)})
    frame.index = pd.Index(list(frame.index))  # as filtering leaves it
    found = outscore.compare(frame, n_resamples=99)
    assert found.pairs[0].gain == pytest.approx(float(np.mean(NEW) - np.mean(BASE)))
    assert "index_by_position" in [note.code for note in found.notes]


def test_independent_samples_need_no_label_in_common() -> None:
    long = pd.Series(np.r_[BASE, NEW].astype(float))
    data = {"base": long[:N], "new": long[N + 5 :]}
    found = outscore.compare(data, test="welch", unit="item")
    assert found.pairs[0].p_value is not None
