"""``plan`` and ``ppv``: what they answer, what they refuse, and that their results are saved whole."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.errors import UsageError
from outscore.results import Power, PredictiveValue, Result

RNG = np.random.default_rng(3)
BASE = RNG.normal(size=200)
PILOT = {"base": BASE, "new": BASE + RNG.normal(0.1, 0.5, 200)}
RUNS = {name: lift + RNG.normal(0, 0.05, (4, 1)) + RNG.normal(size=(4, 150)) for name, lift in (("a", 0.0), ("b", 0.1))}
CROSSED = "crossed:run=1,item=1,residual=1"
RIGHT = (RNG.random(200) < 0.6).astype(float)
ANSWERS = {"base": RIGHT, "new": np.where(RNG.random(200) < 0.2, 1.0, RIGHT)}


def plan(data: Any, **options: Any) -> Power:
    return outscore.plan(data, **({"simulations": 40, "n_resamples": 99} | options))


def codes(result: Result) -> set[str]:
    return {note.code for note in result.notes}


def test_a_plan_by_name_says_how_many_items_are_needed() -> None:
    found = outscore.plan("t:sd=0.3", effect=0.02)
    assert found.items_needed == 1768
    assert found.points[3].n == 1768
    assert (found.p_kind, found.items_range, found.points[0].sets) == ("asymptotic", None, None)


def test_few_sizes_stand_beside_one_another_and_many_below() -> None:
    few = plan("t:sd=0.3", effect=0.02).to("terminal:columns=80").splitlines()
    assert few[0] == "To find a gain of 0.02 with 80% power you need 1,768 items."
    assert [line.split() for line in few[2:4]] == [
        ["items", "442", "884", "1,326", "1,768", "2,652", "3,536"],
        ["power", "29%", "51%", "68%", "80%", "93%", "98%"],
    ]
    many = plan("t:sd=0.3", effect=0.02, sizes=range(442, 4420, 442)).to("terminal:columns=80").splitlines()
    assert [line.split() for line in many[2:5]] == [["items", "power"], ["442", "29%"], ["884", "51%"]]


def test_clusters_multiply_the_items_by_the_design_effect() -> None:
    plain, clustered = (outscore.plan("t:sd=0.3", effect=0.02, sizes=[900], design_effect=d) for d in (1.0, 1.8))
    assert plain.items_needed is not None
    assert clustered.items_needed == pytest.approx(1.8 * plain.items_needed, abs=1)
    assert clustered.points[0].power == outscore.plan("t:sd=0.3", effect=0.02, sizes=[500]).points[0].power


def test_means_are_shifted_and_answers_exchanged() -> None:
    assert "added to the gain" in plan(PILOT, effect=0.2, sizes=[50]).assumes
    found = plan(ANSWERS, effect=0.03, sizes=[50], metric="accuracy")
    assert "exchanged" in found.assumes
    assert found.test == "mcnemar"


def test_a_pilot_with_runs_is_taken_apart_unless_a_test_is_named() -> None:
    found = plan(RUNS, effect=0.1, sizes=[100, 400])
    assert (found.test, found.p_kind) == ("crossed t", "asymptotic")
    assert "pilot_of_few_runs" in codes(found)
    kept = plan(RUNS, effect=0.1, sizes=[100], test="randomization")
    assert (kept.test.partition(":")[0], kept.p_kind) == ("randomization", "monte-carlo")
    assert "the runs kept" in kept.assumes


def test_runs_are_weighed_against_items() -> None:
    rich = plan(RUNS, effect=0.2, cost_run=10, cost_item=1, budget=500)
    assert [d.cost for d in rich.designs] == [500.0] * len(rich.designs)
    assert max(rich.designs, key=lambda d: d.power).best
    least = plan(RUNS, effect=0.2, cost_run=10, cost_item=1)
    assert all(d.power >= 0.8 for d in least.designs)
    assert min(least.designs, key=lambda d: d.cost).best
    assert least.rows() == [d.__dict__ for d in least.designs]


def test_observed_power_is_refused_with_the_reason() -> None:
    gain = plan(PILOT, effect="pilot", sizes=[100]).effect
    for options in ({"effect": "observed"}, {"effect": "pilot", "sizes": [100, 200]}, {"effect": gain, "sizes": [200]}):
        with pytest.raises(UsageError, match=r"p-value in another form.*detectable gains"):
            plan(PILOT, **options)
    assert 200 not in [point.n for point in plan(PILOT, effect="pilot").points]
    assert 200 in [point.n for point in plan(PILOT, effect=gain / 2).points]


def test_the_gain_of_the_pilot_comes_with_a_warning() -> None:
    assert "pilot_gain" in codes(plan(PILOT, effect="pilot", sizes=[100]))
    assert "pilot_gain" not in codes(plan(PILOT, effect=0.1, sizes=[100]))


def test_where_no_size_is_enough_the_one_that_is_stands_beside() -> None:
    said = re.search(
        r"no size here has 80%; it takes about ([\d,]+) items", plan(PILOT, effect=0.1, sizes=[25, 50]).sentence
    )
    assert said
    enough = int(said[1].replace(",", ""))
    # of 400 test sets, six standard errors
    assert plan(PILOT, effect=0.1, sizes=[enough], simulations=400).points[0].power == pytest.approx(0.8, abs=0.12)
    alone, of_runs = plan(PILOT, effect=0.1, sizes=[25]).sentence, plan(RUNS, effect=0.1, sizes=[50, 5000]).sentence
    assert "no size here has 80%" in alone
    assert "no size here has 80%" in of_runs
    assert "it takes" not in alone + of_runs, "where runs differ, no number of items may be enough"


def test_a_curve_that_does_not_reach_the_target_says_so() -> None:
    found = plan(PILOT, effect=0.01, sizes=[20, 40])
    assert found.items_needed is None
    assert "power_not_reached" in codes(found)


@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        ("t:sd=0.3", {}, "the gain to be found is missing"),
        ("t:sd=0.3", {"effect": "pilot"}, "has no pilot"),
        ("t:sd=-1", {"effect": 0.1}, "above 0"),
        ("t", {"effect": 0.1}, "needs sd"),
        ("q:sd=1", {"effect": 0.1}, "unknown plan 'q'"),
        ("t:sd=1", {"effect": 0.1, "sizes": [1]}, "2 items or more"),
        ("t:sd=1", {"effect": 0.1, "target": 1.0}, "between 0 and 1"),
        ("t:sd=1", {"effect": 0.1, "cost_run": 1.0, "cost_item": 1.0}, "by crossed"),
        (CROSSED, {"effect": 1, "cost_run": 1.0}, "both costs"),
        (CROSSED, {"effect": 1, "cost_run": 9.0, "cost_item": 1.0, "budget": 3.0}, "does not pay"),
        ("mcnemar:p10=0.1,p01=0.05", {"effect": 0.2}, "leave one of them out"),
        ("two-proportions:baseline=0.9", {"effect": 0.2}, "leaves the range"),
        ("bleu", {"effect": 1, "test": "mcnemar", "sizes": [50]}, "mcnemar"),
        ("t:sd=1", {"effect": float("nan")}, "expected a number"),
        ("crossed:run=1,item=1,residual=1,runs=1", {"effect": 1}, "two of each"),
        ("mcnemar:baseline=0.9", {"effect": 0.2}, "from 0 to 1"),
        (PILOT, {}, "what gain is to be found"),
        (PILOT, {"effect": 0.1, "design_effect": 2.0}, "cluster="),
        ({**PILOT, "third": BASE}, {"effect": 0.1}, "two systems, not 3"),
    ],
)
def test_what_has_no_answer_is_refused_in_one_line(data: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        plan(data, **options)


EVERY: dict[str, Callable[[], Result]] = {
    "range": lambda: outscore.plan("mcnemar:baseline=0.8", effect=0.02, sizes=[1000]),
    "fake": lambda: plan("fake:p10=0.1,p01=0.05", sizes=[50, 100]),
    "pilot": lambda: plan(PILOT, effect=0.2, sizes=[50, 200]),
    "runs": lambda: plan(RUNS, effect=0.2, cost_run=10, cost_item=1, budget=500),
    "worth": lambda: outscore.ppv(odds=0.1, power=0.5, bias=0.1, teams=10, p=0.03),
    "bound": lambda: outscore.ppv(odds=2.0, p=0.5),
}


@pytest.mark.parametrize("name", EVERY)
def test_a_result_is_saved_whole_and_drawn_in_every_format(name: str) -> None:
    result = EVERY[name]()
    text = result.to_json()
    json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} in JSON"))
    assert type(result).from_json(text) == result
    for format_ in ("terminal", "markdown", "latex", "csv", "sentence"):
        assert result.to(format_)
    assert len(result.rows()) > 0
    assert repr(result).startswith("<P")


def test_a_pilot_of_identical_systems_never_rejects() -> None:
    found = plan({"base": BASE, "new": BASE}, effect="pilot", sizes=[50])
    assert (found.effect, found.points[0].power, found.points[0].detectable_gain) == (0.0, 0.0, None)
    assert (found.points[0].type_s, found.points[0].type_m) == (None, None)


def test_the_level_is_the_power_to_find_nothing() -> None:
    assert outscore.plan("t:sd=1", effect=0.0, sizes=[50]).points[0].power == pytest.approx(0.05, abs=1e-6)
    assert outscore.plan("t:sd=1", effect=0.0, sizes=[50]).items_needed is None


def test_jobs_change_no_byte() -> None:
    one, again, two = (
        plan(PILOT, effect=0.2, sizes=[50, 80], test="bootstrap", jobs=jobs).to_json() for jobs in (1, 1, 2)
    )
    assert one == again == two


@pytest.mark.slow
def test_kept_test_sets_serve_more_of_them_and_other_sizes(tmp_path: Path) -> None:
    how = {"effect": 0.2, "test": "bootstrap:exact=never", "jobs": 1}
    plan(PILOT, sizes=[50, 80], simulations=50, resume=tmp_path, **how)
    assert len(list(tmp_path.iterdir())) == 4
    found = plan(PILOT, sizes=[80, 120], simulations=75, resume=tmp_path, **how)
    assert len(list(tmp_path.iterdir())) == 4 + 4, "of 80 items one cell more, of 120 three"
    assert found.to_json() == plan(PILOT, sizes=[80, 120], simulations=75, **how).to_json()
    plan(PILOT, sizes=[50], simulations=25, resume=tmp_path, **{**how, "effect": 0.3})
    assert len(list(tmp_path.iterdir())) == 9


def test_an_interruption_leaves_the_test_sets_that_were_made(tmp_path: Path) -> None:
    def stop(what: str, done: int, of: int) -> None:
        if done == least:
            raise KeyboardInterrupt

    how = {"effect": 0.2, "sizes": [50, 80], "simulations": 50, "test": "t", "jobs": 1}
    least = 3
    with pytest.raises(outscore.Interrupted) as stopped:
        plan(PILOT, progress=stop, checkpoint=tmp_path / "power.cells", **how)
    found = stopped.value.result
    assert [point.sets for point in found.points] == [50, 25]
    assert "interrupted" in codes(found)
    assert plan(PILOT, resume=tmp_path / "power.cells", **how).to_json() == plan(PILOT, **how).to_json()
    least = 1
    with pytest.raises(KeyboardInterrupt, match="interrupted with 1 of 4 cells done"):
        plan(PILOT, progress=stop, **how)


def test_the_predictive_value_of_the_paper() -> None:
    found = outscore.ppv(odds=0.1, power=0.5, bias=0.1, teams=10, p=0.05)
    assert isinstance(found, PredictiveValue)
    assert [w.setting for w in found.worth] == ["plain", "bias", "teams"]
    assert found.worth[0].ppv == pytest.approx(0.5)
    assert found.worth[0].cutoff == pytest.approx(0.0026315789)
    assert found.worth[1].cutoff is None  # bias alone makes more false findings than there are true ones
    assert found.prior == pytest.approx(1 / 11)
    assert "odds, not a probability" in " ".join(found.to("terminal").split())
    assert "0.002632" in found.sentence
