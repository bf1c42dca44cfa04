"""How test sets are resampled, as a user asks for it: engines, just enough, strata, all pairs.

False alarms of random tests are 1e-6 unless said; seeds are fixed.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

import outscore
from outscore.base.errors import UsageError
from outscore.significance import Outcome
from outscore.significance.gain import GainContrast
from outscore.significance.randomization import Randomization
from outscore.verbs.shared import family

SAMPLED = ["bootstrap:exact=never", "bootstrap:form=percentile,exact=never", "randomization:exact=never"]


def scores(n: int = 150, gain: float = 0.1, systems: int = 2, seed: int = 1) -> dict[str, list[float]]:
    rng = np.random.default_rng(seed)
    base = rng.normal(size=n)
    return {f"s{k}": (base + k * gain + 0.7 * rng.normal(size=n)).round(3).tolist() for k in range(systems)}


def with_ids(scored: dict[str, list[float]]) -> pd.DataFrame:
    """Items that are known by their ids are drawn in one order, whatever systems there are."""
    return pd.DataFrame({"item": range(150), **scored})


@pytest.mark.parametrize("test", SAMPLED)
def test_engines_agree_within_their_errors(test: str) -> None:
    found = [outscore.compare(scores(), test=test, n_resamples=20_000, engine=e).pairs[0] for e in ("cyclic", "iid")]
    one, two = found
    assert one.p_value is not None and two.p_value is not None
    assert one.p_error is not None and two.p_error is not None
    assert abs(one.p_value - two.p_value) < 5 * math.hypot(one.p_error, two.p_error)
    assert two.n_resamples == 20_000
    assert one.n_resamples is not None and one.n_resamples >= 20_000


@pytest.mark.parametrize("engine", ["cyclic", "iid"])
@pytest.mark.parametrize("test", SAMPLED)
def test_the_seed_decides_and_the_cores_do_not(test: str, engine: Any) -> None:
    made = {
        (seed, jobs): outscore.compare(scores(), test=test, n_resamples=9000, seed=seed, engine=engine, jobs=jobs)
        for seed in (0, 5)
        for jobs in (1, 3)
    }
    assert made[0, 1].to_json() == made[0, 3].to_json()
    assert made[5, 1].to_json() == made[5, 3].to_json()
    one, other = (made[seed, 1].pairs[0] for seed in (0, 5))
    assert (one.p_value, one.effect) != (other.p_value, other.effect)


@pytest.mark.parametrize("test", SAMPLED)
def test_a_further_system_or_metric_changes_no_other_p(test: str) -> None:
    data = scores(systems=3)
    few = outscore.compare(with_ids({name: data[name] for name in ("s0", "s1")}), test=test, n_resamples=5000)
    many = outscore.compare(with_ids(data), test=test, n_resamples=5000)
    if test.startswith("bootstrap"):  # randomization leaves out items on which nobody differs
        assert few.pairs[0].p_value == many.pairs[0].p_value


def test_an_unknown_engine_is_named() -> None:
    with pytest.raises(UsageError, match="engine='gpu': expected one of cyclic, iid"):
        outscore.compare(scores(), engine="gpu")  # type: ignore[arg-type]


# --- just enough ----------------------------------------------------------------------------------------------------


def test_auto_stops_where_the_decision_is_clear() -> None:
    clear = outscore.compare(scores(gain=1.0), test="bootstrap:exact=never", n_resamples="auto").pairs[0]
    assert clear.n_resamples is not None
    assert clear.n_resamples < 12_000
    assert "decision_unstable" not in clear.notes


@pytest.mark.slow
def test_auto_goes_on_where_the_decision_is_close() -> None:
    # a gain whose p lies within a thousandth of alpha
    data = scores()
    p = outscore.compare(data, test="bootstrap:exact=never", n_resamples=1_000_000).pairs[0].p_value
    assert p is not None
    close = outscore.compare(data, test="bootstrap:exact=never", n_resamples="auto", alpha=p + 0.0015)
    assert close.pairs[0].n_resamples is not None
    assert 40_000 <= close.pairs[0].n_resamples < 1_000_000
    assert "decision_unstable" not in close.pairs[0].notes
    never = outscore.compare(data, test="bootstrap:exact=never", n_resamples="auto", alpha=p)
    assert never.pairs[0].n_resamples is not None
    assert never.pairs[0].n_resamples >= 1_000_000
    assert "decision_unstable" in {note.code for note in never.notes}


@pytest.mark.slow
def test_auto_looks_at_corrected_decisions_too() -> None:
    # two pairs with nearly the same p: alone clear at alpha, twice it close to alpha
    data = scores(systems=2)
    data["copy"] = [x + 1e-3 * (i % 2) for i, x in enumerate(data["s1"])]
    p = outscore.compare(data, test="bootstrap:exact=never", n_resamples=1_000_000).pairs[0].p_value
    assert p is not None
    alone = outscore.compare(
        {k: data[k] for k in ("s0", "s1")}, test="bootstrap:exact=never", n_resamples="auto", alpha=2 * p
    )
    both = outscore.compare(data, test="randomization:exact=never", n_resamples="auto", alpha=2 * p, correction="holm")
    assert alone.pairs[0].n_resamples is not None and both.pairs[0].n_resamples is not None
    assert both.pairs[0].n_resamples > alone.pairs[0].n_resamples


@pytest.mark.parametrize("verb", [outscore.compare, outscore.rank])
def test_auto_goes_on_from_what_it_has(verb: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exact p are computed once, draws are kept, and the answer is that of as many resamples at once."""
    monkeypatch.setattr(family, "AUTO_SIZES", (300, 600, 900))
    asked: list[int] = []

    def count(self: Randomization, pair: GainContrast) -> Outcome | None:
        asked.append(pair.settings.n_resamples)
        return directly(self, pair)

    directly = Randomization.compute_directly
    monkeypatch.setattr(Randomization, "compute_directly", count)
    options: Any = {"test": "randomization", "seed": 5}
    data = {name: [round(10 * x) / 10 for x in values] for name, values in scores(n=60, systems=3).items()}
    data["s2"] = [x + 0.1 for x in data["s2"]]
    at_once = verb(data, n_resamples=900, **options)
    (alpha, *_) = sorted(pair.p_adjusted for pair in at_once.pairs)
    at_once = verb(data, n_resamples=900, alpha=alpha, **options)
    asked.clear()
    found = verb(data, n_resamples="auto", alpha=alpha, **options)
    assert found.pairs == at_once.pairs
    assert asked == [300] * len(found.pairs)
    assert found.provenance.n_resamples == 900
    assert "decision_unstable" in {note.code for note in found.notes}


def test_auto_draws_nothing_for_exact_answers() -> None:
    found = outscore.compare(scores(), test="randomization", n_resamples="auto").pairs[0]
    assert found.p_kind == "exact"
    assert found.n_resamples is None


def test_auto_is_refused_where_there_is_no_decision() -> None:
    with pytest.raises(UsageError, match="no p-value to decide by"):
        outscore.score(scores(), n_resamples="auto")  # type: ignore[arg-type]


# --- strata ---------------------------------------------------------------------------------------------------------


def stratified(n: int = 120, seed: int = 3) -> tuple[dict[str, list[float]], dict[str, list[str]]]:
    """Two systems whose difference depends on the genre."""
    rng = np.random.default_rng(seed)
    genre = np.array(["news", "chat", "law"])[np.arange(n) % 3]
    base = rng.normal(size=n)
    shift = np.select([genre == "news", genre == "chat"], [2.0, -1.5], 0.1)
    return {"a": base.tolist(), "b": (base + shift + 0.3 * rng.normal(size=n)).tolist()}, {"genre": genre.tolist()}


@pytest.mark.parametrize("engine", ["cyclic", "iid"])
def test_a_bootstrap_within_strata_has_the_variance_within_strata(engine: Any) -> None:
    data, items = stratified()
    d = np.array(data["b"]) - np.array(data["a"])
    genre = np.array(items["genre"])
    within = math.sqrt(sum(d[genre == g].var() * (genre == g).sum() for g in set(genre))) / len(d)
    found = outscore.compare(data, items=items, strata="genre", test="bootstrap", n_resamples=20_000, engine=engine)
    pair = found.pairs[0]
    # a standard deviation of 20,000 draws: relative error .5 %, some more for cyclic ones
    assert pair.effect["se"] == pytest.approx(within, rel=0.04)
    assert pair.ci is not None
    assert pair.ci[1] - pair.ci[0] == pytest.approx(2 * 1.96 * within, rel=0.08)
    assert pair.ci_method == "delta method interval"
    assert found.provenance.strata == "genre"
    plain = outscore.compare(data, items=items, test="bootstrap", n_resamples=20_000, engine=engine).pairs[0]
    assert plain.ci is not None
    assert plain.ci[1] - plain.ci[0] > 3 * (pair.ci[1] - pair.ci[0])


def test_tests_that_know_no_strata_say_so() -> None:
    data, items = stratified()
    found = outscore.compare(data, items=items, strata="genre", test="t")
    assert "test_ignores_strata" in found.pairs[0].notes
    found = outscore.compare(data, items=items, strata="genre", test="randomization")
    assert "test_ignores_strata" not in found.pairs[0].notes


def test_strata_keep_clusters_whole() -> None:
    data, items = stratified()
    items["document"] = [f"{g}{i // 12}" for i, g in enumerate(items["genre"])]
    found = outscore.compare(data, items=items, cluster="document", strata="genre", test="bootstrap")
    assert found.provenance.n_clusters == 30
    items["document"][0] = items["document"][1]
    with pytest.raises(UsageError, match="lies in several strata"):
        outscore.compare(data, items=items, cluster="document", strata="genre")


def test_scores_have_intervals_within_strata() -> None:
    data, items = stratified()
    data = {"diff": (np.array(data["b"]) - np.array(data["a"])).tolist()}
    within, plain = (outscore.score(data, items=items, strata=s).scores[0].ci for s in ("genre", None))
    assert within is not None and plain is not None
    assert plain[1] - plain[0] > 3 * (within[1] - within[0])


def test_a_stratum_in_which_nothing_can_be_redrawn_is_refused() -> None:
    data = {"a": [0.0, 1.0] * 4, "b": [1.0, 0.0] * 4}
    said = "strata=\"genre\": 'law' holds one item, which cannot be resampled; join small strata"
    with pytest.raises(UsageError, match=said):
        outscore.compare(data, items={"genre": ["news"] * 7 + ["law"]}, strata="genre")
    items = {"genre": ["news"] * 6 + ["law"] * 2, "document": list("abcdefgg")}
    with pytest.raises(UsageError, match="'law' holds one cluster"):
        outscore.compare(data, items=items, strata="genre", cluster="document")
    assert outscore.compare(data, items={"genre": ["news"] * 8}, strata="genre").pairs[0].p_value == 1


@pytest.mark.parametrize(("each", "said"), [(2, True), (9, True), (10, False)])
def test_small_strata_are_said_to_vary_too_little(each: int, said: bool) -> None:
    data, _ = stratified(60)
    genre = ["few"] * each + ["many"] * (60 - each)
    for test in ("auto", "bootstrap"):
        found = outscore.compare(data, items={"genre": genre}, strata="genre", test=test)
        assert ("small_strata" in [note.code for note in found.notes]) == said


# --- all pairs ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("test", ["auto", *SAMPLED])
def test_all_pairs_are_every_two_systems_once(test: str) -> None:
    data = scores(systems=4)
    found = outscore.compare(data, test=test, all_pairs=True, baseline="s2", n_resamples=4000)
    assert {frozenset((p.system, p.baseline)) for p in found.pairs} == {
        frozenset(pair) for pair in itertools.combinations(data, 2)
    }
    assert len(found.pairs) == 6
    assert [p.system for p in found.pairs if p.baseline == "s2"] == ["s0", "s1", "s3"]
    gains = {name: float(np.mean(values)) for name, values in data.items()}
    for pair in found.pairs:
        assert pair.gain == pytest.approx(gains[pair.system] - gains[pair.baseline], abs=1e-12)
    assert all(p.p_adjusted is not None and p.p_value is not None and p.p_adjusted >= p.p_value for p in found.pairs)


@pytest.mark.parametrize("test", SAMPLED[:2])
def test_a_pair_has_the_same_answer_among_all_pairs_as_alone(test: str) -> None:
    data = scores(systems=3)
    every = outscore.compare(with_ids(data), test=test, all_pairs=True, n_resamples=4000, correction="none")
    pair = next(p for p in every.pairs if (p.system, p.baseline) == ("s2", "s1"))
    (alone,) = outscore.compare(with_ids({k: data[k] for k in ("s1", "s2")}), test=test, n_resamples=4000).pairs
    assert (pair.gain, pair.p_value, pair.p_error, pair.ci) == (alone.gain, alone.p_value, alone.p_error, alone.ci)


@pytest.mark.parametrize("correction", ["holm", "max-t"])
def test_all_pairs_are_corrected_together(correction: str) -> None:
    data = scores(systems=4, gain=0.1)
    every = outscore.compare(data, test="bootstrap:exact=never", all_pairs=True, correction=correction)
    few = outscore.compare(data, test="bootstrap:exact=never", correction=correction)
    p_every = {(p.system, p.baseline): p.p_adjusted or 0.0 for p in every.pairs}
    assert all(p_every[p.system, p.baseline] >= (p.p_adjusted or 0.0) for p in few.pairs)
    assert any(p_every[p.system, p.baseline] > (p.p_adjusted or 0.0) for p in few.pairs)


@pytest.mark.parametrize(
    ("rare", "metric", "said"),
    [
        *((14, "f1", True), (15, "f1", False), (4, "f1:average=micro", False), (4, "recall:average=micro", False)),
        *((3, "mcc", True), (14, "mcc", True), (15, "mcc", False)),
        *((5, "balanced_accuracy", True), (14, "balanced_accuracy", True), (15, "balanced_accuracy", False)),
    ],
)
def test_an_average_over_classes_with_few_gold_items_says_so(rare: int, metric: str, said: bool) -> None:
    """150 sets of 100 items, two classes of 3 of them: .86 of the default intervals of equal systems hold 0.

    250 sets of 100 items, right in .9, those of the rarer of two classes in .6 of the cases: with 3, 5, 8, 10, 15 and
    20 of these mcc .85, .91, .91, .90, .91, .95; balanced accuracy .96, .94, .92, .92, .93, .94. (each
    +- .02).
    """
    gold = ["common"] * 40 + ["rare"] * rare
    data = {"a": ["common"] * len(gold), "b": [*gold[1:], "common"]}
    found = outscore.compare(data, references=gold, metrics=metric, n_resamples=99)
    assert ("rare_classes" in [note.code for note in found.notes]) == said


@pytest.mark.parametrize(
    ("options", "idle"),
    [
        ({"n_resamples": 500}, True),
        ({}, False),
        ({"n_resamples": 500, "interval": "bca"}, False),
        ({"n_resamples": 500, "test": "bootstrap:exact=never"}, False),
    ],
)
def test_a_number_of_resamples_that_nothing_rests_on_is_said_to_change_nothing(
    options: dict[str, Any], idle: bool
) -> None:
    data = {"a": [1, 0, 0, 1, 1, 0] * 20, "b": [1, 1, 0, 1, 0, 1] * 20}
    found: list[Any] = [outscore.compare(data, **options)]
    if "test" not in options:
        found.append(outscore.score(data, **options))
    for one in found:
        assert ("Nothing is resampled, whatever -n/--resamples is." in one.to("terminal:columns=1000")) == idle


@pytest.mark.parametrize("asked", ["cyclic", "iid"])
@pytest.mark.parametrize(
    ("test", "drawn"),
    [
        ("randomization:exact=never", "cyclic"),
        ("bootstrap:exact=never", "cyclic"),
        ("unpaired-bootstrap", "cyclic"),
        ("permutation", "iid"),
        ("multeval", "iid"),
    ],
)
def test_the_engine_that_is_said_is_the_one_that_drew(test: str, drawn: str, asked: Any) -> None:
    wanted = drawn if asked == "cyclic" else "iid"
    found = outscore.compare(scores(), test=test, n_resamples=999, engine=asked)
    assert found.provenance.engine == wanted
    assert f"resamples, engine {wanted};" in " ".join(found.to("terminal:detail=full").split())


@pytest.mark.parametrize(("metric", "drawn"), [("mean", "cyclic"), ("iqm", "iid")])
def test_scores_that_are_no_functions_of_sums_are_drawn_one_by_one_and_said_to_be(metric: str, drawn: str) -> None:
    data = scores(systems=3)
    few: dict[str, Any] = {"metrics": metric, "n_resamples": 999}
    for found in (outscore.score(data, interval="percentile", **few), outscore.rank(data, **few)):
        assert found.provenance.engine == drawn
        assert f"resamples, engine {drawn};" in " ".join(found.to("terminal:detail=full").split())
    both = outscore.compare(data, test="randomization:exact=never", metrics=["mean", "iqm"], n_resamples=999)
    assert "resamples, engine cyclic or iid;" in " ".join(both.to("terminal:detail=full").split())
