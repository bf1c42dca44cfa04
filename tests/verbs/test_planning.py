"""``plan`` and ``ppv``: what they answer, what they refuse, and that their results are saved whole."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import outscore
from outscore.base.errors import UsageError
from outscore.results.power import Power
from outscore.results.ppv import PredictiveValue
from outscore.results.result import Result

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


def test_the_test_of_a_pilot_in_clusters_is_called_by_what_it_is() -> None:
    options: dict[str, Any] = {"effect": 0.1, "sizes": [100], "simulations": 5, "test": "t"}
    for clusters, named in (
        ({"cluster": [f"c{i // 4}" for i in range(200)]}, "Cluster-robust t (CR2)"),
        ({}, "Paired t"),
    ):
        found = plan(PILOT, items=clusters or None, **options)
        assert f"{named}, two-sided, alpha 0.05." in found.sentence
        assert f"Test: {named[0].lower()}{named[1:]}, simulated" in found.to("terminal:detail=full,columns=200")


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


def test_a_pilot_is_answered_by_the_law_of_its_test_unless_simulations_are_named() -> None:
    for data, effect, law in (
        (ANSWERS, 0.03, "the exact law of McNemar"),
        (PILOT, 0.2, "the noncentral t law"),
    ):
        computed, simulated = (
            outscore.plan(data, effect=effect, sizes=[100], simulations=n, jobs=1) for n in (None, 40)
        )
        assert computed.p_kind in ("exact", "asymptotic")
        assert simulated.p_kind == "monte-carlo"
        assert computed.test == simulated.test
        assert f"power by {law}" in computed.sentence
        assert law not in simulated.sentence
        assert (computed.points[0].sets, simulated.points[0].sets) == (None, 40)
        assert computed.points[0].power == pytest.approx(simulated.points[0].power, abs=0.4)
        assert "pilot_of_few_runs" not in codes(computed)
    assert outscore.plan("fake:p10=0.2,p01=0.1", sizes=[5], test="sign").points[0].sets == 1000


@pytest.mark.parametrize("effect", [0.05, 0.1])
def test_the_power_of_a_pilot_is_the_same_whether_its_sizes_were_chosen_or_not(effect: float) -> None:
    for point in outscore.plan(PILOT, effect=effect).points:
        (alone,) = outscore.plan(PILOT, effect=effect, sizes=[point.n]).points
        assert point.power == pytest.approx(alone.power, rel=1e-9)


@pytest.mark.parametrize("weights", ["equal", "unequal"])
def test_a_pilot_is_planned_for_the_test_that_its_comparison_chooses(weights: str) -> None:
    """A mean of items that do not weigh the same is tested by plain randomization, and so are its simulated sets."""
    draw = np.random.default_rng(4)
    items = np.arange(60)
    weight = np.full(60, 2.0) if weights == "equal" else draw.integers(1, 5, 60).astype(float)
    columns = {
        "system": np.repeat(["base", "new"], 60),
        "item": np.tile(items, 2),
        "score": np.concatenate([draw.normal(0, 1, 60), draw.normal(0.5, 1, 60)]),
        "weight": np.tile(weight, 2),
    }
    metric = "mean:column=score,weight=weight"
    data = pd.DataFrame(columns)
    comparison = outscore.compare(data, metrics=metric)
    assert plan(data, metric=metric, effect=0.2, sizes=[50]).test == comparison.pairs[0].test


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
    gain = plan(PILOT, effect="pilot", sizes=[100]).gain
    for options in ({"effect": "observed"}, {"effect": "pilot", "sizes": [100, 200]}, {"effect": gain, "sizes": [200]}):
        with pytest.raises(UsageError, match=r"p-value in another form.*detectable gains"):
            plan(PILOT, **options)
    assert 200 not in [point.n for point in plan(PILOT, effect="pilot").points]
    assert 200 in [point.n for point in plan(PILOT, effect=gain / 2).points]


def test_the_gain_of_the_pilot_comes_with_a_warning() -> None:
    assert "pilot_gain" in codes(plan(PILOT, effect="pilot", sizes=[100]))
    assert "pilot_gain" not in codes(plan(PILOT, effect=0.1, sizes=[100]))


def test_the_size_beside_goes_by_the_power_where_the_detectable_gain_is_below_the_wanted_one() -> None:
    made = plan(PILOT, effect=0.1, sizes=[25, 50])
    before, most = made.points
    near = replace(most, n=4000, power=0.75, detectable_gain=0.099)
    few = replace(before, n=2000, power=0.45, detectable_gain=0.099 * math.sqrt(2))
    assert "you need about 4,500 items" in replace(made, points=(few, near)).sentence
    assert "you need" not in replace(made, points=(few, replace(near, power=0.03))).sentence


def test_the_size_beside_goes_by_simulated_power_where_the_test_finds_less_than_its_standard_error_promises() -> None:
    made = plan(PILOT, effect=0.1, sizes=[25, 50])
    before, most = made.points
    few = replace(before, n=2000, power=0.35, detectable_gain=0.116 * math.sqrt(2))
    most = replace(most, n=4000, power=0.6, power_ci=(0.57, 0.63), detectable_gain=0.116)
    enough = [math.ceil(4000 * (2.80159 / (stats.norm.ppf(power) + 1.95996)) ** 2) for power in (0.6, 0.63, 0.57)]
    assert enough == [6409, 5978, 6880], "by the standard error 5,382 would do"
    said = replace(made, points=(few, most)).sentence
    assert "you need about 6,400 items (99% Monte-Carlo interval 5,977 to 6,879)" in said
    unsure = replace(made, points=(few, replace(most, power_ci=(0.04, 1.0)))).sentence
    assert re.search(r"about 5,400 items \(99% Monte-Carlo interval \d+ or more\)", unsure), "what is promised is in it"


@pytest.mark.parametrize("effect", [1e-300, 1e-200, 1e-100, 1e-9])
def test_of_a_gain_that_is_all_but_nothing_no_number_of_items_is_said(effect: float) -> None:
    for source in ("t:sd=1", PILOT):
        said = plan(source, effect=effect).sentence
        assert "; no size here has 80%. (" in said
    assert "you need about 790,000,000,000,000 items;" in plan("t:sd=1", effect=1e-7).to("terminal:columns=200")


def test_where_no_size_is_enough_the_one_that_is_stands_beside() -> None:
    made = plan(PILOT, effect=0.1, sizes=[50, 100], simulations=400)
    said = re.search(r"with 80% power you need about ([\d,]+) items", made.sentence)
    assert said
    enough = int(said[1].replace(",", ""))
    # of 400 test sets, six standard errors
    assert plan(PILOT, effect=0.1, sizes=[enough], simulations=400).points[0].power == pytest.approx(0.8, abs=0.12)
    alone, of_runs = plan(PILOT, effect=0.1, sizes=[25]).sentence, plan(RUNS, effect=0.1, sizes=[50, 5000]).sentence
    assert "no size here has 80%" in alone
    assert "no number of items has 80% with these runs" in of_runs
    assert "you need" not in alone + of_runs, "where runs differ, no number of items may be enough"


def test_where_no_number_of_items_is_enough_more_runs_are_named() -> None:
    parts = "crossed:run=1,item=300,residual=100"
    few = plan(parts, effect=1.0)
    assert few.items_needed is None and few.runs_needed is not None
    runs, items = few.runs_needed.runs, few.runs_needed.items
    assert f"no number of items has 80% with these runs: take {runs} runs of each system, which need {items:,}" in (
        few.sentence
    )
    enough = plan(f"{parts},runs={runs}", effect=1.0)
    assert (enough.items_needed, enough.runs_needed) == (items, None)
    assert plan(f"{parts},runs=15", effect=1.0).items_needed is None, "of the runs that are weighed, the fewest"
    assert plan(parts, effect=0.0).runs_needed is None
    most = plan("crossed:run=50,item=1,residual=1", effect=1.0).runs_needed
    assert most is not None and most.runs == 1000
    doubled = plan(parts, effect=1.0, design_effect=2).runs_needed
    assert doubled is not None and doubled.items == pytest.approx(2 * items, abs=2)


def test_simulated_power_alone_tells_what_size_is_enough_where_it_keeps_to_the_root_law() -> None:
    made = plan("bleu", effect=2.0, sizes=[100, 200], simulations=400)
    said = re.search(r"with 80% power you need about ([\d,]+) items", made.sentence)
    assert said and made.points[0].detectable_gain is None
    enough = int(said[1].replace(",", ""))
    # the scale of a segment's gain is half of b0, its variance 2 (b0/2)² (1 - p0) + what the location adds
    z = float(stats.norm.ppf(0.975) + stats.norm.ppf(0.8))
    assert enough == pytest.approx((z / 2.0) ** 2 * (2 * 12.9**2 * 0.87 + 4.0 * 0.13 / 0.87), rel=0.25)
    before, most = made.points
    assert before.power_ci is not None
    off = replace(before, power_ci=(0.9, 0.95))
    assert "it takes" not in replace(made, points=(off, most)).sentence


def test_where_the_agreement_is_not_known_the_items_are_the_most_that_are_needed() -> None:
    ranged, known = plan("mcnemar:baseline=0.8", effect=0.05), plan("mcnemar:baseline=0.8,agreement=0.9", effect=0.05)
    needed = f"{ranged.items_needed:,.0f} items"
    assert f"you need at most {needed}, by how often the systems agree." in ranged.sentence
    assert "at most" not in known.sentence


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
        ({**PILOT, "third": BASE}, {"effect": 0.1}, "not 3: .* as 'FILE#base' 'FILE#new'$"),
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
    assert (found.gain, found.points[0].power, found.points[0].detectable_gain) == (0.0, 0.0, None)
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


def test_sizes_around_the_one_that_is_needed_or_of_the_pilot() -> None:
    never = plan("t:sd=1", effect=0.0)
    assert [point.n for point in never.points] == [100, 200, 500, 1000, 2000, 5000]
    needed = plan("t:sd=0.3", effect=0.1)
    n = needed.items_needed
    assert n == 73
    assert [point.n for point in needed.points] == [19, 37, 55, 73, 110, 146]
    assert [point.n for point in plan("t:sd=1", effect=5.0).points] == [2, 3, 5, 6] == [*map(int, (2, 3, 5, 6))]
    assert [point.n for point in plan("fake:p10=0.5,p01=0", simulations=1).points] == [100, 200, 500, 1000, 2000, 5000]
    assert [point.n for point in plan(PILOT, effect=0.3, simulations=1).points] == [50, 100, 200, 400, 800]
    gain = float(PILOT["new"].mean() - PILOT["base"].mean())
    for by, sizes in (
        (1.009, [50, 100, 400, 800]),
        (0.989, [50, 100, 200, 400, 800]),
        (1.011, [50, 100, 200, 400, 800]),
    ):
        assert [point.n for point in plan(PILOT, effect=by * gain, simulations=1).points] == sizes


def sizes_around(needed: int | None) -> list[int]:
    assert needed is not None
    return [math.ceil(needed * growth) for growth in (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)]


def test_sizes_of_a_pilot_whose_law_is_known_stand_around_the_one_that_is_needed() -> None:
    """Unless they are smaller than those on which the law of t was held to be near enough."""
    exact = outscore.plan(ANSWERS, effect=0.03)
    assert exact.items_needed is not None
    assert [point.n for point in exact.points][3] == exact.items_needed
    of_pilot = [50, 100, 200, 400, 800]
    easy = outscore.plan(PILOT, effect=3.0)
    assert [point.n for point in easy.points] == of_pilot
    hard = outscore.plan(PILOT, effect=0.05)
    assert [point.n for point in hard.points][3] == hard.items_needed
    assert min(point.n for point in hard.points) > 50
    equal = outscore.plan(PILOT, effect=0.099)
    assert equal.items_needed is not None
    assert [point.n for point in equal.points] == [50, 99, 148, 197, 296, 394] == sizes_around(int(equal.items_needed))


def test_numbers_at_their_limits() -> None:
    """The least that may be asked for, and what is beyond it."""
    found = plan("t:sd=1", effect=0.1, sizes=[2, 9, 2], target=0.5)
    assert ([point.n for point in found.points], found.target) == ([2, 9], 0.5)
    assert plan("fake:p10=0.2,p01=0.1", sizes=[5], simulations=1).points[0].sets == 1
    for options, said in (
        ({"sizes": [1, 50]}, "2 items or more"),
        ({"sizes": []}, "2 items or more"),
        ({"target": 0.0}, "between 0 and 1"),
        ({"target": 1.0}, "between 0 and 1"),
        ({"design_effect": 0.9}, "a design effect is 1 or more"),
        ({"budget": 5.0}, "both costs"),
        ({"cost_item": 5.0}, "both costs"),
    ):
        with pytest.raises(UsageError, match=said):
            plan("t:sd=1", **{"effect": 0.1, **options})


def test_computed_points_by_their_formula() -> None:
    """Every two items count as one: noncentral t of half the items, and so many more of them are needed."""
    found = plan("t:sd=1", effect=0.5, sizes=[3, 40], design_effect=2.0)
    for point, units in zip(found.points, (2, 20), strict=True):
        df, shift = units - 1, 0.5 * math.sqrt(units)
        edge = stats.t.ppf(0.975, df)
        assert point.power == pytest.approx(stats.nct.sf(edge, df, shift) + stats.nct.cdf(-edge, df, shift), rel=1e-4)
        assert (point.sets, point.mean_gain, point.power_ci) == (None, None, None)
    alone = plan("t:sd=1", effect=0.5)
    assert (alone.items_needed, found.items_needed) == (34, 68)
    assert found.assumes.endswith("; every 2 items count as one")
    assert plan("t:sd=1", effect=0.5, design_effect=1.01).items_needed == math.ceil(34 * 1.01)
    ranged = plan("mcnemar:baseline=0.8", effect=0.05, sizes=[3, 100])
    assert ranged.range_is == "from the least agreement to the most"
    assert "unknown_agreement" in codes(ranged)


def test_simulated_points_are_means_of_their_sets() -> None:
    found = plan("fake:p10=0.5,p01=0.25", sizes=[40], simulations=30)
    assert found.points[0].mean_gain == pytest.approx(0.25, abs=0.12)  # six standard errors
    assert "unanswered" not in codes(found)


@pytest.mark.parametrize(("items", "small"), [(99, True), (100, False)])
def test_a_pilot_is_small_below_a_hundred_items(items: int, small: bool) -> None:
    found = plan({name: values[:items] for name, values in PILOT.items()}, effect=0.3, sizes=[20], simulations=1)
    assert ("small_pilot" in codes(found)) == small
    assert (found.pilot_items, found.system, found.baseline) == (items, "new", "base")
    assert found.pilot_gain == pytest.approx((PILOT["new"] - PILOT["base"])[:items].mean())
    turned = plan(
        {name: values[:items] for name, values in PILOT.items()}, effect=0.3, sizes=[20], simulations=1, baseline="new"
    )
    assert (turned.system, turned.baseline) == ("base", "new")


@pytest.mark.parametrize(("runs", "few"), [((4, 6), True), ((5, 5), False), ((6, 4), True)])
def test_a_pilot_has_few_runs_below_five(runs: tuple[int, int], few: bool) -> None:
    rng = np.random.default_rng(1)
    pilot = {name: rng.normal(size=(n, 120)) + i for i, (name, n) in enumerate(zip("ab", runs, strict=True))}
    found = plan(pilot, effect=1.0, sizes=[50])
    assert ("pilot_of_few_runs" in codes(found)) == few
    assert found.p_kind == "asymptotic"
    assert "small_pilot" not in codes(found)
    clustered = plan(
        pilot, effect=1.0, sizes=[240], items={"document": [f"{i // 2}" for i in range(120)]}, cluster="document"
    )
    assert "these variances are of a document of 2 items" in clustered.assumes
    if not few:
        return
    # the printed plan with twice the variance is that of the pilot with nothing else changed
    (remedy,) = (note.remedy for note in clustered.notes if note.code == "pilot_of_few_runs")
    command = remedy.partition("outscore power ")[2].split()
    assert command[1:] == ["--design-effect", "2", "--effect", "1"]
    assert command[0].endswith("runs=4")
    run = float(command[0].partition("run=")[2].partition(",")[0])
    same = plan(command[0].replace(f"run={run:g}", f"run={run / 2:g}"), effect=1.0, sizes=[240], design_effect=2.0)
    assert same.points[0].power == pytest.approx(clustered.points[0].power, abs=0.01)


def test_runs_and_items_that_pay_best() -> None:
    """By the power of each division: the best of a budget, the cheaper of equals; the cheapest that is enough."""
    rich = plan(CROSSED, effect=1, cost_run=1.0, cost_item=1.0, budget=100.0)
    assert all(d.cost <= 100 and d.items >= 2 for d in rich.designs)
    assert [d.best for d in rich.designs].count(True) == 1
    assert next(d.power for d in rich.designs if d.best) == max(d.power for d in rich.designs)
    least = plan(CROSSED, effect=1, cost_run=1.0, cost_item=1.0)
    assert next(d.cost for d in least.designs if d.best) == min(d.cost for d in least.designs)
    for d in least.designs:
        made = plan(f"{CROSSED},runs={d.runs}", effect=1, sizes=[d.items, d.items - 1])
        assert made.points[1].power == pytest.approx(d.power)
        assert made.points[0].power < 0.8 <= d.power
    assert least.budget is None
    assert rich.budget == 100


def test_of_a_table_of_many_the_pilot_that_is_named_has_the_baseline_that_was_given() -> None:
    many = {name: [0.0, 1.0, 1.0] * 9 for name in ("a", "b", "c")}
    with pytest.raises(UsageError, match=r"as 'FILE#c' 'FILE#a'$"):
        outscore.plan(many, metric="mean", effect=0.1, baseline="c")


@pytest.mark.parametrize(
    ("effect", "runs"), [(0.5, 100), (0.3, 200), (0.2, 500), (0.15, 1000), (0.126, 1000), (0.124, None)]
)
def test_up_to_a_thousand_runs_are_named_where_items_alone_are_never_enough(effect: float, runs: int | None) -> None:
    """Runs of variance 1: by the normal law it takes 2 (1.96 + .84)² / effect² of each system, or 15.7 / effect²."""
    found = plan("crossed:run=1,item=300,residual=100", effect=effect).runs_needed
    assert (found and found.runs) == runs


@pytest.mark.parametrize(
    ("effect", "needed", "sizes"),
    [(0.178, 199, [50, 100, 150, 199, 299, 398]), (0.179, 197, [50, 99, 148, 197, 296, 394]),
     (0.18, 195, [50, 100, 200, 400, 800])],
)  # fmt: skip
def test_sizes_stand_around_the_answer_unless_one_is_below_a_quarter_of_the_pilot(
    effect: float, needed: int, sizes: list[int]
) -> None:
    draw = np.random.default_rng(1)
    base = draw.normal(size=200)
    found = outscore.plan({"base": base, "new": base + draw.normal(0.2, 1, 200)}, effect=effect, test="t")
    assert found.items_needed == needed
    assert [point.n for point in found.points] == sizes


def test_a_size_that_hangs_on_how_often_systems_agree_is_said_to_be_the_most() -> None:
    said = " ".join(outscore.plan("mcnemar:baseline=0.8", effect=0.02).to("terminal:columns=80").split())
    assert re.search(r"you need at most [\d,]+ items, by how often the systems agree\.", said)


def test_a_pilot_says_on_what_it_hangs_and_while_it_is_simulated_how_to_shorten_it() -> None:
    told: list[str] = []
    found = plan(PILOT, effect=0.05, sizes=[100], progress=lambda what, done, of: told.append(what))
    assert {what for what in told if "power" in what} == {
        "power by 40 simulated test sets of each size (--simulations)"
    }
    for made in (found, outscore.plan(PILOT, effect=0.3)):
        assert made.assumes.endswith("; other pairs of systems can need several times as many, or as few")
