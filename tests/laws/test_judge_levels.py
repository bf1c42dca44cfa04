"""Estimates from human labels and a judge, 95 % nominal, over new items: rare one-sided errors, errors by documents.

Each rate must lie within a binomial quantile at 1e-6 of the level named beside it (false alarms: 1e-6 for each).
0.1.0 covered .74 to .90 where a bound of .93 stands.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import outscore
from outscore.base.arrays import Array, Float
from outscore.results.judge import JudgeEstimate
from tests.examples import first
from tests.laws.support import ALPHA, least, most, repeated

TRIALS = 400


def table(systems: dict[str, tuple[Float, Float]], labelled: Array, documents: Array) -> list[dict[str, Any]]:
    """Rows of right and judged ``(items,)`` by system."""
    return [
        {"system": system, "item": str(i), "document": str(documents[i]), "llm": judged[i]}
        | ({"correct": right[i]} if labelled[i] else {"correct": None})
        for system, (right, judged) in systems.items()
        for i in range(len(labelled))
    ]


def judged(rows: list[dict[str, Any]], **options: Any) -> dict[tuple[str, bool], JudgeEstimate]:
    found = outscore.judge(pd.DataFrame(rows), human="correct", judge="llm", **options)
    return {(e.method, e.baseline is None): e for e in found.estimates}


def covers(found: JudgeEstimate, true: float) -> bool:
    return found.ci is not None and found.ci[0] <= true <= found.ci[1]


@pytest.mark.slow
def test_rare_one_sided_errors_of_a_judge_keep_coverage_and_level() -> None:
    """A judge takes 3 % of all items for right that are wrong, of one system; 50 of 1500 items are labelled."""
    items = 1500
    rng = np.random.default_rng(18)
    held: dict[str, list[bool]] = {"prediction-powered": [], "rogan-gladen": []}
    rejected = []
    for _ in range(TRIALS):
        right = {name: (rng.random(items) < 0.7).astype(float) for name in ("base", "new")}
        fooled = np.where((right["new"] == 0) & (rng.random(items) < 0.03 / 0.3), 1.0, right["new"])
        systems = {"base": (right["base"], right["base"]), "new": (right["new"], fooled)}
        found = judged(table(systems, rng.permutation(items) < 50, np.arange(items)))
        for method, counts in held.items():
            counts.append(covers(found[method, True], 0.7))
        p = found["prediction-powered", False].p_value
        rejected.append(p is not None and p <= ALPHA)
    for method, counts in held.items():
        assert np.mean(counts) >= least(0.93, TRIALS), method
    assert np.mean(rejected) <= most(ALPHA, TRIALS)


@pytest.mark.slow
@pytest.mark.parametrize(("share", "by_documents"), [(0.95, False), (0.9, False), (0.95, True)])
def test_labels_that_are_nearly_all_right_keep_coverage(share: float, by_documents: bool) -> None:
    """100 of 1000 items are labelled, or 10 of 50 documents of 20; the judge takes 2 % of all items for right.

    Student's t of the share itself covered .86, .89 and .89: often fewer labels are wrong than there should be.
    """
    rng = np.random.default_rng(95)
    documents = np.repeat(np.arange(50), 20)
    held = []
    for _ in range(TRIALS):
        hard = rng.beta(9 * share, 9 * (1 - share), 50)[documents] if by_documents else np.full(1000, share)
        right = (rng.random(1000) < hard).astype(float)
        fooled = np.where((right == 0) & (rng.random(1000) < 0.02 / (1 - share)), 1.0, right)
        labelled = documents < 10 if by_documents else rng.permutation(1000) < 100
        found = judged(
            table({"base": (right, fooled)}, labelled, documents), cluster="document" if by_documents else None
        )
        held.append(covers(found["prediction-powered", True], share))
    assert np.mean(held) >= least(0.93, TRIALS)


@pytest.mark.slow
def test_errors_that_come_by_documents_keep_coverage() -> None:
    """60 documents of 10, a third of them labelled; in some documents the judge is fooled by wrong answers."""
    rng = np.random.default_rng(5)
    documents = np.repeat(np.arange(60), 10)
    held: dict[str, list[bool]] = {"prediction-powered": [], "rogan-gladen": []}
    for _ in range(TRIALS):
        right = (rng.random(600) < np.where(rng.random(60) < 0.5, 0.3, 0.7)[documents]).astype(float)
        fooled = np.where((rng.random(60) < 0.4)[documents] & (rng.random(600) < 0.7), 1.0, right)
        found = judged(table({"base": (right, fooled)}, documents < 20, documents), cluster="document")
        for method, counts in held.items():
            counts.append(covers(found[method, True], 0.5))
    for method, counts in held.items():
        assert np.mean(counts) >= least(0.93, TRIALS), method


def test_a_note_counts_too_few_labelled_disagreements() -> None:
    rng = np.random.default_rng(1)
    right = (rng.random(200) < 0.6).astype(float)
    llm = right.copy()
    llm[:2] = 1 - llm[:2]
    rows = table({"base": (right, llm)}, np.arange(200) < 40, np.arange(200) // 4)
    for cluster, counts in ((None, "base: 2 of 40"), ("document", "base: 1 of 10")):
        import pandas as pd

        found = outscore.judge(pd.DataFrame(rows), human="correct", judge="llm", cluster=cluster)
        note = next(note for note in found.notes if note.code == "few_labels")
        assert counts in note.text
        tuned, alone, full, corrected, _ = found.estimates
        assert (tuned.weight, tuned.value, tuned.ci) == (0.0, alone.value, alone.ci)
        assert "few_labels" in tuned.notes
        assert "few_labels" in full.notes
        assert "few_labels" not in alone.notes
        assert corrected.ci is not None
        assert corrected.ci[1] - corrected.ci[0] > 0.1


def test_labels_without_an_error_leave_room_for_errors() -> None:
    right, known = np.ones(200), np.arange(200) < 40
    rows = table({"base": (right, right), "new": (right, right)}, known, np.arange(200) // 4)
    for cluster, n in ((None, 40), ("document", 10)):
        found = judged(rows, cluster=cluster)
        score, gain = found["prediction-powered", True], found["prediction-powered", False]
        # Wilson's interval of n right of n; Tango's of no difference in n
        assert score.ci == pytest.approx((n / (n + 1.959964**2), 1), rel=1e-6)
        assert gain.ci is not None
        assert gain.ci[1] == pytest.approx(1.959964**2 / (n + 1.959964**2), rel=1e-4)
        assert gain.ci[0] == pytest.approx(-gain.ci[1])
        assert gain.p_value == 1


def test_labels_alone_get_the_interval_that_the_same_labels_get_as_scores() -> None:
    rng = np.random.default_rng(3)
    right, known, documents = (rng.random(200) < 0.9).astype(float), np.arange(200) < 60, np.arange(200) // 5
    rows = table({"base": (right, right)}, known, documents)
    labels = [
        {"system": "base", "item": row["item"], "score": row["correct"], "document": row["document"]}
        for row in rows
        if row["correct"] is not None
    ]
    import pandas as pd

    for cluster in (None, "document"):
        (score,) = outscore.score(pd.DataFrame(labels), cluster=cluster).scores
        found = judged(rows, cluster=cluster)
        for method in ("labelled", "prediction-powered"):
            assert found[method, True].ci == pytest.approx(score.ci)


def test_intervals_of_shares_keep_between_0_and_1() -> None:
    right, known = np.ones(200), np.arange(200) < 40
    right[3] = 0
    llm = (np.arange(200) % 9 > 0).astype(float)
    rows = table({"base": (right, llm), "new": (right, llm)}, known, np.arange(200))
    found = judged(rows)
    assert found["labelled", True].value == 0.975
    for (_, of_score), e in found.items():
        if e.ci is not None and e.value is not None:
            assert (0 if of_score else -1) <= e.ci[0] <= e.value <= e.ci[1] <= 1, e
    # what goes from 1 to 5 has no such limits
    fives = [row | {"llm": 5 * row["llm"], "correct": row["correct"] and 5 * row["correct"]} for row in rows]
    scale = judged(fives)["labelled", True]
    assert scale.ci is not None
    assert scale.ci[1] > 5


def test_labels_of_some_samples_only_are_counted() -> None:
    import pandas as pd

    items = np.arange(60)
    right = (items % 3 > 0).astype(float)
    rows = [
        row | {"trial": str(k), "correct": row["correct"] if k == 0 or int(row["item"]) < 20 else None}
        for k in range(2)
        for row in table({"base": (right, right)}, items < 30, items)
    ]
    found = outscore.judge(pd.DataFrame(rows), human="correct", judge="llm")
    (note,) = (note for note in found.notes if note.code == "partly_labelled")
    assert "(base: 10)" in note.text
    assert found.estimates[0].n_labelled == 20


@pytest.mark.parametrize(
    ("high", "low"), first([(0.1, 0.25), (0.03, 0.0), (0.0, 0.0)], (0.1, 0.25), others=pytest.mark.slow)
)
@repeated(None, 1000)
def test_the_bias_of_a_judge_is_covered(high: float, low: float, reps: int) -> None:
    """A judge takes some right answers for wrong and some wrong ones for right; 60 of 300 items are labelled."""
    rng, missed, items = np.random.default_rng(19), 0, 300
    for _ in range(reps):
        right = (rng.random(items) < 0.6).astype(float)
        fooled = np.where(rng.random(items) < np.where(right == 1, low, high), 1 - right, right)
        rows = table({"new": (right, fooled)}, rng.permutation(items) < 60, np.arange(items))
        (one,) = outscore.judge(pd.DataFrame(rows), human="correct", judge="llm").biases
        assert one.ci is not None
        missed += not one.ci[0] <= 0.4 * high - 0.6 * low <= one.ci[1]
    assert missed / reps <= most(ALPHA, reps)


@pytest.mark.nightly
def test_rare_errors_of_a_judge_that_gives_probabilities_keep_the_level() -> None:
    """All of its numbers differ from the labels, but 4 % of one system's are far off: 100 of 500 items are labelled."""
    items, rejected = 500, []
    rng = np.random.default_rng(21)
    for _ in range(TRIALS):
        hard = rng.normal(size=items)
        right = {name: (hard + rng.normal(size=items) < 0.74).astype(float) for name in ("base", "new")}
        fooled = np.where((right["new"] == 0) & (rng.random(items) < 0.04 / 0.3), 1.0, right["new"])
        systems = {
            name: (right[name], 0.05 + 0.9 * said + rng.normal(0, 0.02, items))
            for name, said in (("base", right["base"]), ("new", fooled))
        }
        p = judged(table(systems, rng.permutation(items) < 100, np.arange(items)))["prediction-powered", False].p_value
        rejected.append(p is not None and p <= ALPHA)
    assert np.mean(rejected) <= most(0.06, TRIALS)


@pytest.mark.parametrize(("large", "few"), [(4, True), (6, False)])
def test_few_large_errors_among_small_ones_are_few_labels(large: int, few: bool) -> None:
    rng = np.random.default_rng(1)
    right = (np.arange(200) % 2).astype(float)
    llm = 0.1 + 0.8 * right + rng.normal(0, 0.02, 200)
    llm[:large] = 1 - llm[:large]
    found = outscore.judge(
        pd.DataFrame(table({"base": (right, llm)}, np.arange(200) < 60, np.arange(200))), human="correct", judge="llm"
    )
    assert ("few_labels" in [note.code for note in found.notes]) == few


@pytest.mark.slow
@pytest.mark.parametrize(
    ("share", "items", "labelled", "systems"),
    [(0.9, 500, 50, 3), (0.95, 500, 30, 2), (0.97, 1000, 100, 5), (0, 1000, 50, 2)],
)
def test_labels_of_a_random_sample_are_seldom_said_to_differ(
    share: float, items: int, labelled: int, systems: int
) -> None:
    """At its level of .01, of right or wrong and of counts of which 80 % are 0 (by Welch's t in .11 to .35)."""
    rng, trials, said = np.random.default_rng(31), 200, 0
    for _ in range(trials):
        counts = rng.choice([0.0, 1, 5, 10, 25], (systems, items), p=[0.8, 0.1, 0.06, 0.03, 0.01])
        llm = (rng.random((systems, items)) < share).astype(float) if share else counts
        right = np.where(rng.random(llm.shape) < 0.9, llm, rng.permuted(llm, axis=1))
        of = {f"s{k}": (right[k], llm[k]) for k in range(systems)}
        rows = table(of, rng.permutation(items) < labelled, np.arange(items))
        found = outscore.judge(pd.DataFrame(rows), human="correct", judge="llm")
        said += "labelled_differ" in [note.code for note in found.notes]
    assert said / trials <= most(0.01, trials)
