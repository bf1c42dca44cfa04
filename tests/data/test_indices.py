"""Named axes of frames of pandas decide what rows and columns are, and levels of an index are columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

import outscore
from outscore.base.errors import InputError, OutscoreError

SCORES = {"bert": [0.1, 0.7, 0.4, 0.9, 0.3, 0.6], "gpt": [0.2, 0.5, 0.8, 0.9, 0.4, 0.8]}
LONG = pd.DataFrame(
    [(system, f"q{i}", score) for system, own in SCORES.items() for i, score in enumerate(own)],
    columns=["system", "item", "score"],
)
WIDE = pd.DataFrame(SCORES, index=[f"q{i}" for i in range(6)])


def means(frame: Any) -> dict[str, float]:
    return {one.system: round(one.score, 3) for one in outscore.score(frame).scores}


@pytest.mark.parametrize(
    "shaped",
    [
        lambda: LONG.set_index(["system", "item"]),
        lambda: LONG.set_index(["item", "system"]),
        lambda: LONG.set_index(["system", "item"], drop=False),
        lambda: LONG.set_index("system"),
        lambda: LONG.pivot(index="item", columns="system", values="score"),
        lambda: LONG.pivot(index="item", columns="system", values="score").reset_index(),
        lambda: LONG.pivot(index="system", columns="item", values="score"),
        lambda: LONG.pivot(index="system", columns="item", values="score").reset_index(),
        lambda: WIDE.T.rename_axis(columns="item"),
        lambda: WIDE.reset_index(drop=True).T.rename_axis(index="model", columns="item"),
        lambda: WIDE.reset_index(drop=True).rename_axis("item"),
    ],
)
def test_named_axes_say_what_rows_and_columns_are(shaped: Callable[[], pd.DataFrame]) -> None:
    assert means(shaped()) == {"bert": 0.5, "gpt": 0.6}


def test_items_in_columns_are_paired_by_their_names() -> None:
    turned = LONG.pivot(index="system", columns="item", values="score")
    gold = pd.DataFrame({"item": [f"q{5 - i}" for i in range(6)], "domain": list("xyxyxy")})
    found = outscore.compare(turned, items=gold, n_resamples=99)
    assert (found.scores[0].n_items, round(found.pairs[0].gain, 3)) == (6, 0.1)


def test_runs_gold_and_clusters_in_the_index_count() -> None:
    runs = pd.concat([LONG.assign(run=1), LONG.assign(run=2, score=LONG["score"] / 2)])
    assert [len(one.run_scores) for one in outscore.score(runs.set_index("run")).scores] == [2, 2]
    answers = pd.DataFrame({"item": [*"uvw"] * 2, "system": [*"aaabbb"], "output": [*"ppnnpn"], "gold": [*"ppnppn"]})
    assert means(answers.set_index("gold")) == {"a": 1.0, "b": 0.667}
    assert means(answers.set_index(["gold", "system"])) == {"a": 1.0, "b": 0.667}
    clustered = LONG.assign(cluster=[i // 2 for i in range(6)] * 2)
    columns, index = (
        outscore.compare(frame, cluster="cluster", n_resamples=99).to_dict()["pairs"]
        for frame in (clustered, clustered.set_index("cluster"))
    )
    assert columns == index


@pytest.mark.parametrize("labels", [[7, 8, 9], [*"rst"]])
def test_an_index_of_another_name_is_no_system(labels: list[Any]) -> None:
    frame = pd.DataFrame({"item": [*"xyz"], "a": [1, 0, 1], "b": [0, 0, 1]}, index=pd.Index(labels, name="hour"))
    assert means(frame) == {"a": 0.667, "b": 0.333}


def test_columns_that_are_counted_beside_named_rows_are_asked_about() -> None:
    turned = WIDE.reset_index(drop=True).T
    with pytest.raises(InputError, match=r"its columns are called 0, 1, 2 .* and its rows 'bert', 'gpt'.*rename_axis"):
        outscore.score(turned)
    assert means(turned.rename_axis(index="system", columns="item")) == {"bert": 0.5, "gpt": 0.6}
    assert list(means(turned.rename_axis(columns="system"))) == [*"012345"]


def test_an_index_and_a_column_of_one_name_must_agree() -> None:
    frame = LONG.set_index("item", drop=False)
    assert means(frame) == {"bert": 0.5, "gpt": 0.6}
    with pytest.raises(InputError, match="its index and its column 'item' have the same name"):
        outscore.score(frame.assign(item=range(12)))


@pytest.mark.parametrize(
    ("frame", "words", "mended"),
    [
        (WIDE.reset_index(drop=True), r"\.rename_axis\('item'\)", lambda f: f.rename_axis("item")),
        (WIDE.T.rename_axis("system"), r"\.rename_axis\(columns='item'\)", lambda f: f.rename_axis(columns="item")),
    ],
)
def test_frames_without_items_are_told_what_to_say_in_python(
    frame: Any, words: str, mended: Callable[[Any], Any]
) -> None:
    with pytest.raises(InputError, match=words) as caught:
        outscore.score(frame)
    assert "-c " not in str(caught.value)
    assert means(mended(frame)) == {"bert": 0.5, "gpt": 0.6}


def test_a_frame_of_systems_and_measures_is_told_what_to_drop() -> None:
    frame = WIDE.rename_axis("item").assign(length=range(6))
    with pytest.raises(InputError, match=r"\.drop\(columns=\['length'\]\)") as caught:
        outscore.score(frame)
    assert "-c " not in str(caught.value)
    assert means(frame.drop(columns=["length"])) == {"bert": 0.5, "gpt": 0.6}


def test_texts_alone_are_told_the_keyword_of_python() -> None:
    with pytest.raises(OutscoreError, match=r"in Python references="):
        outscore.score({"a": ["x y", "z"], "b": ["x", "z"]})
    with pytest.raises(OutscoreError, match=r"in Python references="):
        outscore.score({"a": ["x y", "z"], "b": ["x", "z"]}, metrics="accuracy")
