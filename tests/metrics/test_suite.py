"""The average over tasks is the one that leaderboards print, and its error that of drawn items in fixed tasks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.errors import InputError, UsageError

SIZES = {"arc": 40, "boolq": 25, "gsm": 90}
TASKS = [task for task, n in SIZES.items() for _ in range(n)]
GROUPS = ["math" if task == "gsm" else "qa" for task in TASKS]
FLOORS = {"arc": 0.25, "boolq": 0.5, "gsm": 0.0}
WEIGHTS = {"arc": 2.0, "boolq": 1.0, "gsm": 3.0}


def _answers(seed: int = 1) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    columns = {"floor": [FLOORS[t] for t in TASKS], "weight": [WEIGHTS[t] for t in TASKS]}
    rows: dict[str, list[Any]] = {
        "system": [],
        "item": [],
        "score": [],
        "task": [],
        "group": [],
        "floor": [],
        "weight": [],
    }
    for system, p in (("base", 0.5), ("new", 0.65)):
        right = (rng.random(len(TASKS)) < p).astype(float)
        rows["system"] += [system] * len(TASKS)
        rows["item"] += [f"i{k}" for k in range(len(TASKS))]
        rows["score"] += right.tolist()
        rows["task"] += TASKS
        rows["group"] += GROUPS
        for name, values in columns.items():
            rows[name] += values
    return rows


def _means(rows: dict[str, Any], system: str) -> dict[str, float]:
    return {
        task: float(
            np.mean([s for s, t, y in zip(rows["score"], rows["task"], rows["system"], strict=True)
                     if t == task and y == system])
        )
        for task in SIZES
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "average"),
    [
        ("", lambda m: np.mean(list(m.values()))),
        (",weight=weight", lambda m: sum(WEIGHTS[t] * m[t] for t in m) / 6),
        (",group=group", lambda m: ((m["arc"] + m["boolq"]) / 2 + m["gsm"]) / 2),
        (",group=group,weight=weight", lambda m: ((2 * m["arc"] + m["boolq"]) / 3 + m["gsm"]) / 2),
        (",floor=floor", lambda m: np.mean([(m[t] - FLOORS[t]) / (1 - FLOORS[t]) for t in m])),
        (",floor=floor,top=2", lambda m: np.mean([(m[t] - FLOORS[t]) / (2 - FLOORS[t]) for t in m])),
    ],
)
def test_each_average_is_that_of_the_leaderboards(options: str, average: Any) -> None:
    pytest.importorskip("pandas")
    import pandas as pd

    rows = _answers()
    found = outscore.score(pd.DataFrame(rows), metrics=f"suite:column=score{options}", n_resamples=100)
    for score in found.scores:
        assert score.score == pytest.approx(average(_means(rows, score.system)))


def test_the_error_is_that_of_items_drawn_in_fixed_tasks() -> None:
    """An average of the means of three tasks: the variance is the sum of theirs over nine."""
    rng = np.random.default_rng(3)
    base = np.concatenate([rng.normal(mean, 1, n) for mean, n in zip((0, 5, 50), SIZES.values(), strict=True)])
    new = base + rng.normal(0.3, 1, len(base))
    found = outscore.compare({"base": base, "new": new}, metrics="suite", items={"task": TASKS}, n_resamples=2000)
    (pair,) = found.pairs
    d = new - base
    variance = sum(d[np.array(TASKS) == task].var(ddof=1) / n for task, n in SIZES.items()) / 9
    assert pair.ci is not None
    assert (pair.ci[1] - pair.ci[0]) / 2 == pytest.approx(1.97 * np.sqrt(variance), rel=0.03)
    # the spread between tasks is in no interval: each is as it is
    assert all(s.ci is not None and s.ci[1] - s.ci[0] < 1 for s in found.scores)


def test_what_is_no_task_is_refused() -> None:
    scores = {"base": [0.0, 1, 1], "new": [1.0, 1, 0]}
    with pytest.raises(InputError, match="names of tasks or groups in a column 'task'"):
        outscore.compare(scores, metrics="suite")
    with pytest.raises(InputError, match="task 'a' is in several groups"):
        outscore.compare(scores, metrics="suite:group=group", items={"task": ["a", "a", "b"], "group": ["x", "y", "y"]})


@pytest.mark.parametrize("weights", [{"arc": -1.0, "boolq": 1.0, "gsm": 3.0}, dict.fromkeys(SIZES, 0.0)])
def test_a_weight_below_zero_or_none_above_it_is_refused(weights: dict[str, float]) -> None:
    pytest.importorskip("pandas")
    import pandas as pd

    rows = _answers()
    rows["weight"] = [weights[task] for task in rows["task"]]
    with pytest.raises(InputError, match="must be 0 or more, and not all 0"):
        outscore.score(pd.DataFrame(rows), metrics="suite:column=score,weight=weight", n_resamples=100)


def test_tasks_that_are_clusters_are_refused_as_nothing_would_be_drawn() -> None:
    """The error of the average was 0 by construction: p was 1 beside gains that are the same sign on every task."""
    items = {"task": TASKS, "half": [f"{task} {k % 2}" for k, task in enumerate(TASKS)]}
    rng = np.random.default_rng(3)
    scores = {"base": rng.normal(0, 1, len(TASKS)), "new": rng.normal(0.5, 1, len(TASKS))}
    with pytest.raises(UsageError, match=r"in one task, so that nothing else .*-m mean --cluster task"):
        outscore.compare(scores, metrics="suite", items=items, cluster="task")
    (pair,) = outscore.compare(scores, metrics="suite", items=items, cluster="half").pairs
    assert pair.ci is not None and pair.ci[0] < pair.gain < pair.ci[1]


def test_a_suite_does_not_say_that_its_tasks_are_pooled() -> None:
    rng = np.random.default_rng(3)
    scores = {"base": rng.normal(0, 1, len(TASKS)), "new": rng.normal(0.5, 1, len(TASKS))}
    for metrics, said in (("suite", False), ("mean", True)):
        found = outscore.compare(scores, metrics=metrics, items={"task": TASKS})
        assert any(note.code == "tasks_joined" for note in found.notes) == said
        assert not said or any("-m suite:task=task" in note.remedy for note in found.notes)
