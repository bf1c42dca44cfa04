"""Faults found in the tools of others, one section each: we do not have them.

All through the public ``compare``, or the registered tests where a fault lies deeper. No test here is random but for
fixed seeds; where a bound is statistical its false-alarm rate is written beside it.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.arrays import Float
from outscore.engine import runtime
from outscore.multiplicity.adjust import CORRECTIONS, adjust
from outscore.results.comparison import Comparison
from outscore.results.pairs import Pair
from outscore.significance import tests

RNG = np.random.default_rng(99)


@pytest.fixture(autouse=True)
def same_numbers_in_any_order() -> None:
    """Every test draws the same numbers, whatever ran before it in the same process."""
    RNG.bit_generator.state = np.random.default_rng(99).bit_generator.state


ITEM_TESTS = (
    "auto",
    "randomization",
    "randomization:exact=never",
    "bootstrap",
    "bootstrap:centre=boot_mean",
    "bootstrap:form=percentile",
    "bootstrap:form=studentized",
    "bootstrap:form=bbk",
    "t",
    "z:sigma=1",
    "sign",
    "sign:variant=midp",
    "wilcoxon",
    "wilcoxon:variant=normal",
    "multeval",
)
BINARY_TESTS = ("mcnemar", "mcnemar:variant=exact", "mcnemar:variant=midp", "mcnemar:variant=chi2-cc")
NO_PEER = ("rao",)
RUN_TESTS = ("crossed", "crossed:variant=conservative", "multibootstrap", "runs", "runs:variant=permutation")
DIRECTED = tuple(t for t in ITEM_TESTS if "bbk" not in t)
SAMPLED = tuple(t for t in DIRECTED if t.startswith(("bootstrap", "multeval")) or "never" in t)
TEXTS = ["the cat sat on the mat", "a dog ran over the hill", "it rains in the north", "we like green tea very much"]


def compared(base: Any, new: Any, test: str = "auto", **options: Any) -> Pair:
    return comparison(base, new, test, **options).pairs[0]


def comparison(base: Any, new: Any, test: str = "auto", **options: Any) -> Comparison:
    return outscore.compare({"base": base, "new": new}, test=test, **{"n_resamples": 199, **options})


def p(pair: Pair) -> float:
    assert pair.p_value is not None
    return pair.p_value


def width(pair: Pair) -> float:
    assert pair.ci is not None
    return pair.ci[1] - pair.ci[0]


def effect(pair: Pair, name: str) -> float:
    value = pair.effect[name]
    assert isinstance(value, float | int)
    return float(value)


def test_every_registered_test_is_looked_at() -> None:
    seen = {name.partition(":")[0] for name in (*ITEM_TESTS, *BINARY_TESTS, *RUN_TESTS, *NO_PEER)}
    assert set(tests.names()) <= seen


# --- identical systems called significant (strict >): sacrebleu, multeval, NLPStatTest -------------------------------


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("test", [*DIRECTED, *RUN_TESTS])
def test_identical_systems_have_p_one(test: str, alternative: str) -> None:
    scores = RNG.normal(size=(4, 12)) if test in RUN_TESTS else RNG.choice([0.1, 0.2, 0.3], size=12)
    pair = compared(scores, scores.copy(), test, alternative=alternative)
    assert (pair.p_value, pair.p_adjusted, pair.gain) == (1.0, 1.0, 0.0)
    assert "identical_outputs" in pair.notes


@pytest.mark.parametrize("test", ["auto", *BINARY_TESTS, *DIRECTED[1:]])
def test_identical_right_or_wrong_systems_have_p_one(test: str) -> None:
    right = RNG.integers(0, 2, size=30)
    assert compared(right, right.copy(), test, metrics="accuracy").p_value == 1.0


@pytest.mark.parametrize("correction", [*CORRECTIONS, "max-t"])
def test_identical_systems_stay_at_one_beside_others(correction: str) -> None:
    base = RNG.normal(size=40)
    result = outscore.compare(
        {"base": base, "same": base.copy(), "other": base + 0.5 + 0.1 * RNG.normal(size=40)},
        correction=correction,
        n_resamples=199,
    )
    by_name = {pair.system: pair for pair in result.pairs}
    assert by_name["same"].p_adjusted == 1.0
    assert (by_name["other"].p_adjusted or 1.0) < 0.05


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
@pytest.mark.parametrize("test", ["auto", "bootstrap", "randomization:exact=never"])
def test_identical_outputs_have_p_one(metric: str, test: str) -> None:
    result = outscore.compare(
        {"base": TEXTS, "new": list(TEXTS)}, references=TEXTS[::-1], metrics=metric, test=test, n_resamples=99
    )
    assert result.pairs[0].p_value == 1.0


@pytest.mark.parametrize("test", ["sign", "wilcoxon", "randomization", "randomization:exact=never", "bootstrap"])
def test_gains_that_tie_at_zero_are_not_significant(test: str) -> None:
    # as many wins as losses: the gain is 0 and every relabelling is at least as extreme
    base = np.array([0.1, 0.2, 0.3, 0.1, 0.2, 0.3])
    new = np.array([0.2, 0.1, 0.3, 0.2, 0.1, 0.3])
    assert p(compared(base, new, test)) == 1.0


# --- p = 0 printed: compare-mt, deepsig, testSigNLP, mt-metrics-eval, nlpstats, ranx, HELM, lmms-eval ----------------


@pytest.mark.parametrize("test", [*ITEM_TESTS, *RUN_TESTS])
def test_a_clear_gain_has_a_small_p_that_is_not_zero(test: str) -> None:
    shape = (5, 60) if test in RUN_TESTS else (60,)
    base = RNG.normal(size=shape)
    pair = compared(base, base + 1.0 + 0.5 * RNG.normal(size=shape), test)
    assert 0 < p(pair) <= 0.05
    assert pair.p_min is None or p(pair) >= pair.p_min * (1 - 1e-9)


@pytest.mark.parametrize("test", SAMPLED)
def test_sampled_p_values_are_at_least_one_over_the_number_of_resamples_and_one(test: str) -> None:
    base = RNG.normal(size=3000)
    pair = compared(base, base + 10.0 + 0.1 * RNG.normal(size=3000), test, n_resamples=99)
    assert pair.n_resamples is not None and pair.n_resamples >= 99
    assert p(pair) == (2 if "percentile" in test else 1) / (pair.n_resamples + 1)
    assert pair.p_error is not None and pair.p_error > 0


@pytest.mark.parametrize("test", ["t", "sign", "wilcoxon", "z:sigma=1", "auto"])
@pytest.mark.parametrize("format", ["terminal", "markdown", "latex", "sentence"])
def test_p_values_below_what_a_float_can_hold_are_printed_as_bounds(test: str, format: str) -> None:
    base = RNG.normal(size=3000)
    text = comparison(base, base + 10.0 + 0.1 * RNG.normal(size=3000), test).to(format)
    assert " .001" in text
    assert not re.search(r"p = 0?\.?0*[,)\s]", text)
    assert not re.search(r"[^.\d]0?\.000\b", text.replace("n 0.000", ""))


@pytest.mark.parametrize("test", ["t", "sign", "wilcoxon", "z:sigma=1"])
def test_saved_p_values_are_never_zero(test: str) -> None:
    base = RNG.normal(size=3000)
    assert p(compared(base, base + 10.0 + 0.1 * RNG.normal(size=3000), test)) > 0


# --- direction chosen from data, one-sided p: compare-mt, autorank, (in effect) sacrebleu ----------------------------

# its standard error is that of resamples, drawn for each system apart: p moves a little when they change places
DRAWN = {"multibootstrap": 5000}


def alike(test: str) -> float:
    """How near p must come when the systems change places, relatively."""
    return 0.15 if test in DRAWN else 1e-9


@pytest.mark.parametrize("test", [*DIRECTED, *RUN_TESTS])
def test_one_sided_p_follows_the_question_and_not_the_data(test: str) -> None:
    shape = (4, 40) if test in RUN_TESTS else (40,)
    base = RNG.normal(size=shape)
    worse = base - 0.3 + 0.5 * RNG.normal(size=shape)
    n = {"n_resamples": DRAWN.get(test, 199)}
    greater, less = (p(compared(base, worse, test, alternative=side, **n)) for side in ("greater", "less"))
    assert greater > 0.5 > less
    flipped = p(compared(worse, base, test, alternative="greater", **n))
    assert flipped == pytest.approx(less, rel=alike(test))


@pytest.mark.parametrize("test", BINARY_TESTS)
def test_one_sided_mcnemar_follows_the_question_and_not_the_data(test: str) -> None:
    base, worse = np.repeat([1, 1, 0], [12, 3, 25]), np.repeat([0, 1, 0, 1], [12, 3, 22, 3])
    greater, less = (
        p(compared(base, worse, test, alternative=side, metrics="accuracy")) for side in ("greater", "less")
    )
    assert greater > 0.5 > less


@pytest.mark.parametrize("test", ["auto", "t", "randomization", "bootstrap", "sign", "wilcoxon"])
def test_greater_means_better_also_where_lower_scores_are_better(test: str) -> None:
    base = RNG.normal(size=40) + 5
    better = base - 0.5 + 0.3 * RNG.normal(size=40)
    pair = compared(base, better, test, alternative="greater", metrics="mean:lower=true")
    assert pair.gain > 0
    assert p(pair) < 0.05


@pytest.mark.parametrize("test", [*DIRECTED, *RUN_TESTS])
def test_two_sided_p_does_not_depend_on_which_system_comes_first(test: str) -> None:
    shape = (4, 30) if test in RUN_TESTS else (30,)
    one = RNG.normal(size=shape)
    other = one + 0.2 + 0.5 * RNG.normal(size=shape)
    n = {"n_resamples": DRAWN.get(test, 199)}
    forth, back = compared(one, other, test, **n), compared(other, one, test, **n)
    assert p(forth) == pytest.approx(p(back), rel=alike(test))
    assert forth.gain == pytest.approx(-back.gain, rel=1e-12)


def test_the_form_that_follows_the_winner_says_so() -> None:
    base = RNG.normal(size=40)
    pair = compared(base, base - 1.0 + RNG.normal(size=40), "bootstrap:form=bbk", alternative="greater")
    assert p(pair) < 0.5
    assert "bbk_one_sided" in pair.notes
    assert "observed winner" in pair.alternative


# --- paired data resampled apart: deepsig, rliable, lm-eval, evalci ---------------------------------------------------


@pytest.mark.parametrize("form", ["shift", "percentile"])
def test_a_constant_gain_has_no_bootstrap_spread(form: str) -> None:
    base = RNG.integers(0, 100, size=50)
    pair = compared(base, base + 3, f"bootstrap:form={form}")
    assert effect(pair, "se") < 1e-12
    assert pair.gain == pytest.approx(3.0, rel=1e-12)
    assert pair.ci == pytest.approx((3.0, 3.0), rel=1e-12)


def test_a_constant_gain_in_decimals_has_no_spread() -> None:
    base = RNG.integers(0, 10, size=50) / 10
    pair = compared(base, base + 0.1)
    assert pair.test == "randomization"
    assert p(pair) == pytest.approx(2 * 0.5**50, rel=1e-9)


@pytest.mark.parametrize("test", ["sign", "wilcoxon"])
def test_rounding_errors_are_neither_wins_nor_losses(test: str) -> None:
    base = np.array([0.3] * 12 + [0.1, 0.5])
    new = np.array([0.1 + 0.2] * 12 + [0.5, 0.1])
    assert p(compared(base, new, test)) == 1.0


@pytest.mark.parametrize(
    ("n", "test", "least", "most"),
    [(2, "randomization", 0.5, 1.0), (6, "randomization", 2 / 2**6, 0.2), (50, "bootstrap", 1 / 2001, 0.01)],
)
def test_a_gain_without_spread_counts_by_its_own_p_value_and_not_by_its_rounding_errors(
    n: int, test: str, least: float, most: float
) -> None:
    rng = np.random.default_rng(0)
    base = rng.integers(0, 10, size=n) / 10
    other = base + rng.integers(-3, 5, size=n) / 10
    systems = {"base": base, "constant": base + 0.5, "other": other}
    constant = outscore.compare(systems, correction="max-t", n_resamples=1999, test=test).pairs[0]
    assert constant.p_adjusted is not None and constant.p_value is not None
    assert max(least, constant.p_value) <= constant.p_adjusted <= most


def test_a_constant_gain_of_a_corpus_score_has_no_spread() -> None:
    pandas = pytest.importorskip("pandas")
    edits = RNG.integers(0, 9, size=60) / 2  # of counts the ratio has no value below 0, and a gain of it some spread
    frame = pandas.DataFrame(
        {
            "system": ["base"] * 60 + ["new"] * 60,
            "item": [*range(60)] * 2,
            "edits": [*edits, *(edits + 1)],
            "words": [10] * 120,
        }
    )
    pair = outscore.compare(frame, metrics="ratio:num=edits,den=words", test="bootstrap", n_resamples=199).pairs[0]
    assert effect(pair, "se") < 1e-12
    assert width(pair) < 1e-12


@pytest.mark.parametrize("test", ["auto", "bootstrap", "bootstrap:form=studentized", "crossed"])
def test_the_interval_of_a_gain_profits_from_pairing(test: str) -> None:
    shape = (3, 80) if test == "crossed" else (80,)
    hard = RNG.normal(size=80)
    base, new = (hard + 0.2 * RNG.normal(size=shape) for _ in range(2))
    paired = compared(base, new, test)
    unpaired = 2 * 1.96 * math.sqrt((base.var() + new.var()) / 80)
    assert width(paired) < unpaired / 2


def test_systems_and_metrics_share_their_resamples() -> None:
    base = RNG.normal(size=40)
    copies = {"base": base, "x": base[::-1].copy(), "y": base[::-1].copy()}
    x, y = outscore.compare(copies, test="bootstrap", n_resamples=199).pairs
    assert (x.p_value, x.ci, dict(x.effect)) == (y.p_value, y.ci, dict(y.effect))


# --- runs treated as extra items: multeval, any tool that pools repeats -----------------------------------------------


@pytest.mark.parametrize("test", ["randomization", "t", "bootstrap", "sign", "wilcoxon", "z:sigma=1"])
def test_repeating_a_run_adds_no_evidence(test: str) -> None:
    base = RNG.normal(size=30)
    new = base + 0.2 + 0.6 * RNG.normal(size=30)
    once = compared(base, new, test)
    often = compared(np.tile(base, (6, 1)), np.tile(new, (6, 1)), test)
    drawn = 0.02 if test == "bootstrap" else 0.0  # items without ids are drawn in another order where more is known
    assert p(often) == pytest.approx(p(once), rel=1e-9, abs=drawn)
    assert width(often) == pytest.approx(width(once), rel=1e-9, abs=drawn)
    assert often.n_items == once.n_items == 30
    assert "runs_fixed" in often.notes


def test_the_default_does_not_believe_repeated_runs_more_than_one() -> None:
    base = RNG.normal(size=40)
    new = base + 0.2 + 0.6 * RNG.normal(size=40)
    once = compared(base, new, "t")
    often = compared(np.tile(base, (6, 1)), np.tile(new, (6, 1)))
    assert often.test == "crossed"
    assert p(often) >= p(once) * (1 - 1e-9)
    assert width(often) >= width(once) * (1 - 1e-9)


def test_the_test_that_pools_runs_warns_of_it() -> None:
    base = RNG.normal(size=40)
    new = base + 0.2 + 0.6 * RNG.normal(size=40)
    pooled = compared(np.tile(base, (6, 1)), np.tile(new, (6, 1)), "multeval", n_resamples=999)
    assert p(pooled) < p(compared(base, new, "t"))
    assert "multeval_pseudo_replication" in pooled.notes


# --- runs resampled inside items only: evalstats, any nested bootstrap ------------------------------------------------


def test_a_run_that_moves_all_items_together_counts_as_one_observation() -> None:
    # items agree to the last digit, runs differ: only the runs carry uncertainty, s²/R of each system
    runs = np.array([[0.0, 0.4, 0.8], [0.3, 0.7, 1.4]])
    items = np.arange(50) / 50
    base, new = (r[:, None] + items for r in runs)
    pair = compared(base, new)
    assert pair.test == "crossed"
    expected = math.sqrt(sum(float(r.var(ddof=1)) / 3 for r in runs))
    assert effect(pair, "se") == pytest.approx(expected, rel=1e-6)
    assert effect(pair, "share_of_variance_from_runs") == pytest.approx(1.0, abs=1e-6)
    assert p(pair) > 0.2


def test_runs_and_items_both_add_to_the_error_of_the_default() -> None:
    base, new = (RNG.normal(size=(4, 1)) * 0.3 + RNG.normal(size=60) + 0.2 * RNG.normal(size=(4, 60)) for _ in range(2))
    crossed, items, runs = (compared(base, new, test) for test in ("crossed", "t", "runs"))
    assert effect(crossed, "se") >= effect(items, "se")
    assert effect(crossed, "se") >= effect(runs, "se") * 0.99


def test_pairing_the_runs_in_another_order_changes_nothing() -> None:
    base, new = RNG.normal(size=(2, 4, 30))
    for test in ("auto", "crossed", "runs", "randomization", "t", "bootstrap"):
        straight, shuffled = compared(base, new, test), compared(base, new[[2, 0, 3, 1]], test)
        assert p(shuffled) == pytest.approx(p(straight), rel=1e-9), test
        assert shuffled.ci == pytest.approx(straight.ci, rel=1e-9), test


# --- correction wrong or misordered: deepsig, critdd ------------------------------------------------------------------


def several(order: Sequence[int], **options: Any) -> dict[str, Pair]:
    rng = np.random.default_rng(3)
    base = rng.normal(size=60)
    new = {f"s{k}": base + gain + rng.normal(size=60) for k, gain in enumerate([0.0, 0.9, 0.3, 0.5, 0.05])}
    systems = {"base": base, **{f"s{k}": new[f"s{k}"] for k in order}}
    return {pair.system: pair for pair in outscore.compare(systems, n_resamples=499, **options).pairs}


@pytest.mark.parametrize("test", ["t", "randomization:exact=never", "bootstrap"])
@pytest.mark.parametrize("correction", [*CORRECTIONS, "max-t"])
def test_corrected_p_values_belong_to_their_systems_in_any_order(correction: str, test: str) -> None:
    straight = several([0, 1, 2, 3, 4], correction=correction, test=test)
    shuffled = several([3, 0, 4, 2, 1], correction=correction, test=test)
    for name, pair in straight.items():
        assert shuffled[name].p_value == pytest.approx(p(pair), rel=1e-12), name
        assert shuffled[name].p_adjusted == pytest.approx(pair.p_adjusted, rel=1e-12), name


@pytest.mark.parametrize("correction", [*CORRECTIONS, "max-t"])
def test_corrected_p_values_are_larger_clipped_and_ordered(correction: str) -> None:
    pairs = sorted(several([0, 1, 2, 3, 4], correction=correction, test="t").values(), key=p)
    adjusted = np.array([pair.p_adjusted for pair in pairs], dtype=float)
    raw = np.array([p(pair) for pair in pairs])
    assert (adjusted >= raw).all()
    assert (adjusted <= 1).all()
    assert (np.diff(adjusted) >= 0).all()
    if correction in CORRECTIONS:
        np.testing.assert_allclose(adjusted, adjust(raw, correction), rtol=1e-12)


def test_more_comparisons_never_make_p_smaller() -> None:
    few, many = several([1, 2], test="t"), several([0, 1, 2, 3, 4], test="t")
    for name in few:
        assert (many[name].p_adjusted or 0) >= (few[name].p_adjusted or 0)


# --- standard error of the replicates' mean instead of their deviation: lighteval -------------------------------------


def test_more_resamples_do_not_shrink_the_standard_error() -> None:
    base = RNG.normal(size=100)
    new = base + RNG.normal(size=100)
    expected = float((new - base).std()) / 10
    for n_resamples in (1000, 16_000):
        # relative error of a deviation of 1,000 replicates 2.2 %: false alarm below 1e-6
        found = effect(compared(base, new, "bootstrap", n_resamples=n_resamples), "se")
        assert found == pytest.approx(expected, rel=0.12)


def test_the_selection_error_of_a_score_is_the_deviation_of_its_replicates() -> None:
    # relative error of a deviation of 2,000 replicates 1.6 %: false alarm below 1e-6
    clusters = {"cluster": [str(i) for i in range(100)]}
    base = RNG.normal(size=100)
    result = comparison(base, base + RNG.normal(size=100), items=clusters, cluster="cluster", n_resamples=2000)
    assert result.scores[0].s_sel == pytest.approx(float(base.std()) / 10, rel=0.09)


# --- resample size other than n: compare-mt (n/2), COMET (.4 n), openai/evals (half, without replacement) -------------


@pytest.mark.parametrize("n", [20, 300])
def test_resamples_are_as_large_as_the_test_set(n: int) -> None:
    # variance s²/n: n/2 draws would double it, .4 n make it 2.5 times, half without replacement leave it at 1.0 but
    # hypergeometric; relative error of a deviation of 10,000 replicates .7 %: false alarm below 1e-6
    base = RNG.normal(size=n)
    new = base + RNG.exponential(size=n)
    pair = compared(base, new, "bootstrap", n_resamples=10_000)
    assert effect(pair, "se") == pytest.approx(float((new - base).std()) / math.sqrt(n), rel=0.04)


def test_an_item_can_be_drawn_more_than_once() -> None:
    # one of 20 items holds everything: its count is Bin(20, 1/20), zero in 36 % of resamples, above one in 26 %
    base, new = np.zeros(20), np.eye(20)[0]
    pair = compared(base, new, "bootstrap:form=percentile", n_resamples=4000, alternative="greater")
    assert p(pair) == pytest.approx(0.95**20, abs=0.04)


# --- seed ignored, seed 0 = None: sacrebleu, rliable, mt-metrics-eval, ranx, inspect ----------------------------------


def scores_for_seeds() -> tuple[Float, Float]:
    rng = np.random.default_rng(8)
    base = rng.normal(size=70)
    return base, base + 0.15 + rng.normal(size=70)


@pytest.mark.parametrize("test", SAMPLED)
def test_every_seed_counts_and_zero_is_one_of_them(test: str) -> None:
    base, new = scores_for_seeds()
    by_seed = {seed: [compared(base, new, test, seed=seed, n_resamples=999) for _ in range(2)] for seed in range(4)}
    for first, second in by_seed.values():
        assert first == second
    assert len({pairs[0].p_value for pairs in by_seed.values()}) > 1
    assert by_seed[0][0].p_value != compared(base, new, test, n_resamples=999).p_value


def test_the_seed_is_saved_also_when_it_is_zero() -> None:
    result = comparison(*scores_for_seeds(), "bootstrap", seed=0)
    assert result.seed == 0
    assert json.loads(result.to_json())["seed"] == 0


@pytest.mark.parametrize(
    "test", ["auto", "bootstrap", "bootstrap:form=studentized", "randomization:exact=never", "multeval"]
)
def test_threads_and_blocks_change_no_byte_of_the_result(test: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    counts = np.random.default_rng(1).poisson([3.0, 1.0, 1.0], size=(3, 90, 3))
    frame = pandas.concat(
        pandas.DataFrame(c, columns=["tp", "fp", "fn"]).assign(system=f"s{k}", item=range(90))
        for k, c in enumerate(counts)
    )

    def saved(jobs: int) -> str:
        return outscore.compare(frame, metrics="fbeta", test=test, n_resamples=1000, jobs=jobs).to_json()

    plain = saved(1)
    assert saved(2) == plain
    for block in (16, 64):
        monkeypatch.setattr(runtime, "_LARGEST_BLOCK", block)
        for jobs in (1, 3):
            assert saved(jobs) == plain


def state() -> str:
    """numpy's global random state."""
    return repr([np.asarray(part).tolist() for part in np.random.get_state(legacy=True)])  # noqa: NPY002


def test_global_random_states_are_neither_read_nor_moved() -> None:
    results = []
    for seed in (1, 2):
        np.random.seed(seed)  # noqa: NPY002 (the state that must not matter)
        random.seed(seed)
        before = state(), random.getstate()
        results.append(comparison(*scores_for_seeds(), "bootstrap").to_json())
        results.append(comparison(*scores_for_seeds(), "randomization:exact=never").to_json())
        assert (state(), random.getstate()) == before
    assert results[:2] == results[2:]


# --- errors of averages over tasks pooled over documents: lm-eval up to 0.4.12 ----------------------------------------


def test_the_error_of_an_average_over_tasks_weighs_tasks_as_the_average_does() -> None:
    """Of 900 documents of one task and 48 of another, of which 90 % and 50 % are right.

    ``pooled_sample_stderr`` of lm_eval.api.metrics is of all documents as one sample, within tasks. It is the error of
    the average in which documents count alike, and was printed for that in which tasks do (``weight_by_size: false``)
    until 0.4.13 brought ``unweighted_mean_stderr``: here it is .0102, and the error .0368, of which the small task has
    nearly all.
    """
    sizes, right = (900, 48), (810, 24)
    values = np.concatenate([np.arange(n) < k for n, k in zip(sizes, right, strict=True)]).astype(float)
    shares = [k / n for n, k in zip(sizes, right, strict=True)]
    errors = [math.sqrt(share * (1 - share) / (n - 1)) for share, n in zip(shares, sizes, strict=True)]
    n_all = sum(sizes)
    within = sum((n - 1) * error**2 * n for n, error in zip(sizes, errors, strict=True)) / (n_all - len(sizes))
    pooled, unweighted = math.sqrt(within / n_all), math.sqrt(sum(error**2 for error in errors)) / len(errors)
    assert (round(pooled, 4), round(unweighted, 4)) == (0.0102, 0.0368)
    tasks = {"task": [name for name, n in zip("ab", sizes, strict=True) for _ in range(n)]}
    found = {}
    for metric in ("suite:column=score", "score"):
        (one,) = outscore.score({"new": values}, items=tasks, metrics=metric, interval="percentile").scores
        assert one.ci is not None
        found[metric] = one.score, (one.ci[1] - one.ci[0]) / 2 / 1.96
    score, error = found["suite:column=score"]
    assert score == pytest.approx(0.7)
    # 10,000 resamples: the ends of an interval vary by 1.2 % of its half; 6 % is beyond 5 standard errors
    assert error == pytest.approx(unweighted, rel=0.06)
    assert error > 3.4 * pooled
    # of all documents alike, which task they are of is drawn, too: a little more than within tasks
    score, error = found["score"]
    assert score == pytest.approx(834 / 948)
    assert pooled < error == pytest.approx(pooled, rel=0.12)


# --- cluster id ignored or wrong: lm-eval, luferrer (same draw for all), lmms-eval (few clusters) ---------------------


def clusters_of(n: int, members: int = 2) -> dict[str, list[str]]:
    return {"doc": [f"d{i // members}" for i in range(n)]}


def test_items_of_a_cluster_are_drawn_together() -> None:
    # +1 and -1 within every document: documents do not differ, items do
    d = np.tile([1.0, -1.0], 20)
    given = compared(np.zeros(40), d, "bootstrap", items=clusters_of(40), cluster="doc")
    ignored = compared(np.zeros(40), d, "bootstrap")
    assert effect(given, "se") == 0.0
    assert effect(ignored, "se") > 0.1


def test_clusters_are_drawn_apart_from_each_other() -> None:
    # variance of a mean of G documents is that of G independent draws; relative error 1.6 %: false alarm below 1e-6
    values = np.repeat(RNG.normal(size=30), 4)
    pair = compared(np.zeros(120), values, "bootstrap", items=clusters_of(120, 4), cluster="doc", n_resamples=4000)
    assert effect(pair, "se") == pytest.approx(float(values.std()) / math.sqrt(30), rel=0.09)


@pytest.mark.parametrize("test", ["t", "randomization", "randomization:exact=never", "bootstrap", "auto"])
def test_clusters_widen_what_is_known_of_dependent_items(test: str) -> None:
    shared = np.repeat(RNG.normal(size=15), 6) + 0.25 + 0.3 * RNG.normal(size=90)
    given = compared(np.zeros(90), shared, test, items=clusters_of(90, 6), cluster="doc", n_resamples=999)
    ignored = compared(np.zeros(90), shared, test, n_resamples=999)
    assert p(given) > p(ignored)
    assert width(given) > 1.5 * width(ignored)


@pytest.mark.parametrize("test", ["t", "randomization", "auto"])
def test_the_order_of_items_and_the_names_of_clusters_do_not_matter(test: str) -> None:
    d = np.repeat(RNG.normal(size=10), 3) + 0.2 * RNG.normal(size=30)
    order = RNG.permutation(30)
    plain = compared(np.zeros(30), d, test, items=clusters_of(30, 3), cluster="doc")
    renamed = {"doc": [f"{97 - int(clusters_of(30, 3)['doc'][i][1:]) * 7}" for i in order]}
    shuffled = compared(np.zeros(30), d[order], test, items=renamed, cluster="doc")
    assert p(shuffled) == pytest.approx(p(plain), rel=1e-9)
    assert shuffled.ci == pytest.approx(plain.ci, rel=1e-9)


def test_few_clusters_use_students_law_and_say_that_they_are_few() -> None:
    # four equal documents: t with 3 degrees of freedom on document means, not z (size .18) and not t(n - 1)
    means = np.array([0.1, 0.5, 0.4, 0.8])
    pair = compared(np.zeros(40), np.repeat(means, 10), "t", items=clusters_of(40, 10), cluster="doc")
    error = float(means.std(ddof=1)) / 2
    assert effect(pair, "df") == pytest.approx(3.0, rel=1e-6)
    assert effect(pair, "se") == pytest.approx(error, rel=1e-9)
    assert width(pair) == pytest.approx(2 * 3.182446305284263 * error, rel=1e-6)
    assert "few_clusters" in pair.notes


def test_clusters_that_matter_and_were_not_named_are_noted() -> None:
    values = np.repeat(RNG.normal(size=20), 5) + 0.2 * RNG.normal(size=100)
    pair = compared(np.zeros(100), values, "t", items=clusters_of(100, 5))
    assert "clusters_ignored" in pair.notes


@pytest.mark.parametrize("test", ["sign", "wilcoxon", "z:sigma=1", "multeval"])
def test_tests_that_cannot_use_clusters_say_so(test: str) -> None:
    pair = compared(np.zeros(20), RNG.normal(size=20), test, items=clusters_of(20), cluster="doc")
    assert "test_ignores_clusters" in pair.notes


# --- early stop without correction: mt-metrics-eval -------------------------------------------------------------------


@pytest.mark.parametrize("test", SAMPLED)
@pytest.mark.parametrize("gain", [0.0, 0.3, 3.0])
def test_all_resamples_are_drawn_whatever_they_show(test: str, gain: float) -> None:
    base = np.random.default_rng(4).normal(size=60)
    pair = compared(base, base + gain + np.random.default_rng(5).normal(size=60), test, n_resamples=777)
    # as many as there are in twenty whole blocks of 60, where weights are rotated
    asked = test == "multeval" or "studentized" in test
    assert pair.n_resamples == (777 if asked else 20 * 60)
    hits = p(pair) * (pair.n_resamples + 1) / (2 if "percentile" in test else 1)
    assert hits == pytest.approx(round(hits), abs=1e-9) or p(pair) == 1.0
    if p(pair) < 1.0:
        assert effect(pair, "exceedances") + 1 == pytest.approx(hits)
