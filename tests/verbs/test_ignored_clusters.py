"""Clusters that nobody gave are noted by every verb that takes items as independent, no more often than by compare."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import outscore
from outscore.base.arrays import Float
from outscore.base.notes import Note
from outscore.results.result import Result
from tests.cli.commandline import outscore as command

DOCUMENTS, SIZE = 30, 10
N = DOCUMENTS * SIZE
DOCUMENT = [f"d{i // SIZE}" for i in range(N)]
ALIKE = 0.35
SETS = 100

Make = Callable[..., Result]


def answers(seed: int, systems: int, alike: float) -> dict[str, Float]:
    """Right or wrong; in each document a system is better or worse by at most so much."""
    draw = np.random.default_rng(seed)
    at = np.repeat(draw.uniform(-alike, alike, (systems, DOCUMENTS)), SIZE, axis=1)
    return {f"s{s}": (draw.random(N) < 0.5 + 0.3 * s / systems + at[s]).astype(float) for s in range(systems)}


def compare(seed: int, alike: float, systems: int = 2, **named: Any) -> Result:
    return outscore.compare(answers(seed, systems, alike), items={"document": DOCUMENT}, n_resamples=99, **named)


def rank(seed: int, alike: float, systems: int = 3, **named: Any) -> Result:
    return outscore.rank(answers(seed, systems, alike), items={"document": DOCUMENT}, n_resamples=99, **named)


def rank_five(seed: int, alike: float) -> Result:
    return rank(seed, alike, systems=5)


def rate(seed: int, alike: float, **named: Any) -> Result:
    """Preferences, of which each document leans to one of two systems."""
    draw = np.random.default_rng(seed)
    lean = np.repeat(draw.uniform(-alike, alike, DOCUMENTS), SIZE)
    winner = np.where(draw.random(N) < 0.6 + lean, "a", "b")
    given = {"item": range(N), "document": DOCUMENT, "system_a": "a", "system_b": "b", "winner": winner}
    return outscore.rank(pd.DataFrame(given), n_resamples=99, **named)


def replicate(seed: int, alike: float, **named: Any) -> Result:
    columns = {"document": DOCUMENT, "domain": ["news" if i < N / 2 else "talks" for i in range(N)]}
    table = pd.DataFrame({"item": range(N), **columns, **answers(seed, 3, alike)})
    return outscore.replicate(table, column="domain", metrics="mean", n_resamples=99, **named)


def replicate_apart(seed: int, alike: float, **named: Any) -> Result:
    parts = {
        name: pd.DataFrame({"item": range(N), "document": DOCUMENT, **answers(seed + k, 2, alike)})
        for k, name in enumerate(("news", "talks"))
    }
    return outscore.replicate(parts, metrics="mean", n_resamples=99, **named)


def plan(seed: int, alike: float, **named: Any) -> Result:
    return outscore.plan(answers(seed, 2, alike), items={"document": DOCUMENT}, effect=0.05, **named)


def agree(seed: int, alike: float, **named: Any) -> Result:
    """Three annotators of whom each errs more often in some documents."""
    draw = np.random.default_rng(seed)
    errs = np.repeat(0.35 + draw.uniform(-alike, alike, DOCUMENTS), SIZE)
    truth = draw.random(N) < 0.5
    raters = {f"r{r}": np.where(truth ^ (draw.random(N) < errs), "A", "B") for r in range(3)}
    table = pd.DataFrame({"item": range(N), "document": DOCUMENT, **raters})
    return outscore.agree(table, annotators=list(raters), n_resamples=9, **named)


def judge(seed: int, alike: float, **named: Any) -> Result:
    """A judge who errs on a tenth of the items; of the first half of each document there are human labels."""
    draw = np.random.default_rng(seed)
    parts = [
        pd.DataFrame({
            "system": name, "item": range(N), "document": DOCUMENT,
            "human": np.where(np.arange(N) % SIZE < SIZE / 2, right, np.nan),
            "llm": np.where(draw.random(N) < 0.1, 1 - right, right),
        })
        for name, right in answers(seed, 2, alike).items()
    ]  # fmt: skip
    return outscore.judge(pd.concat(parts, ignore_index=True), human="human", **named)


def noted_by(note: Note) -> bool:
    return note.code == "clusters_ignored"


def noted(found: Result) -> bool:
    return any(map(noted_by, found.notes))


@pytest.mark.parametrize(
    ("verb", "ignores"),
    [
        (rank, "the test ignores: p is too small"),
        (rate, "the test ignores: p is too small"),
        (replicate, "the test ignores: p is too small"),
        (replicate_apart, "the test ignores: p is too small"),
        pytest.param(plan, "the plan ignores: more items are needed", marks=pytest.mark.slow),
        (agree, "the intervals ignore: they are too narrow"),
        (judge, "the intervals ignore: they are too narrow"),
    ],
)
def test_documents_that_are_alike_and_were_not_given_are_noted(verb: Make, ignores: str) -> None:
    found = verb(1, ALIKE)
    (note,) = [note for note in found.notes if note.code == "clusters_ignored"]
    assert note.text.startswith("items of one 'document' are alike (design effect ") and note.text.endswith(ignores)
    assert note.remedy == "use --cluster document" and note.rank == "answer"
    assert not noted(verb(1, ALIKE, cluster="document"))


@pytest.mark.parametrize(("column", "values", "said"), [("group", 5, False), ("topic", 19, False), ("group", 20, True),
                                                        ("document", 5, True), ("topic", 2, False)])  # fmt: skip
def test_a_few_genres_are_subsets_and_no_clusters(column: str, values: int, said: bool) -> None:
    """Of documents each is one of many; and documents within genres are noted though these differ more."""
    draw = np.random.default_rng(4)
    of = np.arange(N) % values
    gains = draw.normal(size=values)[of] + draw.normal(size=N) * 0.5
    labels = {column: [f"v{k}" for k in of]}
    for verb in (outscore.compare, outscore.rank, outscore.score):
        assert noted(verb({"a": np.zeros(N), "b": gains}, items=labels)) is said
    if not said:
        within = {**labels, "passage": [f"{k}-{i // 50}" for i, k in enumerate(of)]}
        (note,) = (n for n in outscore.compare({"a": np.zeros(N), "b": gains}, items=within).notes if noted_by(n))
        assert note.remedy == "use --cluster passage"
        found = outscore.advise({"a": np.zeros(N), "b": gains}, items=within)
        assert found.provenance.cluster == "passage"


def test_of_annotators_the_note_holds_the_coefficient_in_clusters() -> None:
    found, told = agree(1, ALIKE), agree(1, ALIKE, cluster="document")
    main = next(c for c in told.to_dict()["coefficients"] if not c["coefficient"].startswith("percent"))
    (other,) = found.to_dict()["otherwise"]
    assert (other["how"], other["coefficient"]) == ("--cluster document", main)
    assert "too narrow. With --cluster document: Conger's κ = " in found.to("terminal:columns=1000")
    assert not told.to_dict()["otherwise"]


def test_what_is_claimed_beside_ignored_clusters_points_to_the_note() -> None:
    for verb in (rank, rate, replicate, plan, agree, judge):
        said = str(verb(1, ALIKE))
        assert "BUT see" in " ".join(said.split()), verb


@pytest.mark.slow
def test_documents_that_do_not_matter_are_noted_no_more_often_than_by_compare() -> None:
    """100 sets of items that are independent, in 30 documents of 10.

    By chance the largest design effect is above 1.1 in .33 of them where two systems are compared (.71: five). That of
    all pairs of five is in .22, of agreement in .25, of two data sets in .26, of a judge in .30.
    """
    rates = [
        sum(noted(verb(seed, 0.0)) for seed in range(SETS)) / SETS
        for verb in (compare, rank_five, replicate_apart, agree, judge)
    ]
    assert rates == pytest.approx([0.33, 0.22, 0.26, 0.25, 0.3], abs=0.02)
    assert max(rates[1:]) <= rates[0]


def test_a_belief_in_independent_items_is_refused_where_one_file_has_clusters(tmp_path: Path) -> None:
    for name, cluster in (("a", "cluster,"), ("b", "")):
        rows = [f"{name},{name}{i},{f'c{i // 2},' * bool(cluster)}{i % 2}" for i in range(12)]
        (tmp_path / f"{name}.csv").write_text("\n".join([f"system,item,{cluster}score", *rows, ""]), encoding="utf-8")
    done = command("compare", tmp_path / "a.csv", tmp_path / "b.csv", "--test", "fisher", "--posterior", "beta")
    assert "beta takes items as independent; use --cluster none to ignore clusters" in done.err
