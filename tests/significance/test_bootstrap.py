"""The bootstrap of a pair: its forms against numpy's own index sampling and counted laws, and what it says."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import outscore
from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.engine.extreme import Alternative
from outscore.significance import Outcome, tests
from outscore.significance.gain import GainContrast
from tests.laws.support import pairing, settings
from tests.significance.pairs import A, B, every_side, verdict


def resampled(a: Float, b: Float, seed: int, n: int = 20000) -> tuple[Float, Float]:
    """Redrawn mean differences and their standard errors, with numpy's own index sampling."""
    d = b - a
    drawn = d[np.random.default_rng(seed).integers(0, len(d), (n, len(d)))]
    return drawn.mean(axis=1), drawn.std(axis=1) / math.sqrt(len(d))


@every_side
@pytest.mark.parametrize("form", ["shift", "percentile", "studentized"])
def test_the_forms_of_the_bootstrap(form: str, alternative: Alternative) -> None:
    means, errors = resampled(A, B, 3)
    gain = (B - A).mean()
    assert gain > 0
    if form == "shift":
        tails = {
            "greater": means - gain >= gain,
            "less": means - gain <= gain,
            "two-sided": np.abs(means - gain) >= gain,
        }
        expected = np.mean(tails[alternative])
    elif form == "percentile":
        below, above = np.mean(means <= 0), np.mean(means >= 0)
        expected = {"greater": below, "less": above, "two-sided": 2 * min(below, above)}[alternative]
    else:
        t, observed = (means - gain) / errors, gain / ((B - A).std() / math.sqrt(25))
        tails = {"greater": t >= observed, "less": t <= observed, "two-sided": np.abs(t) >= observed}
        expected = np.mean(tails[alternative])
    found = verdict(A, B, f"bootstrap:form={form}", alternative=alternative, n_resamples=20000)
    assert found.p_value is not None
    # two estimates from 20 000 draws each, 5 standard errors; the doubled form has twice the error
    error = math.sqrt(2 * max(expected * (1 - expected), 1e-4) / 20000)
    assert abs(found.p_value - expected) < 5 * error * (2 if form == "percentile" else 1)
    assert (found.p_kind, found.n_resamples) == ("monte-carlo", 20000)


def test_the_bootstrap_counts_ties_and_adds_one() -> None:
    """With two values the law is binomial: p must be that of >=, not of >."""
    b = np.array([1.0, 0.0] * 4)
    law = scipy.stats.binom(8, 0.5)
    # |mean* - 1/2| >= 1/2: all eight the same
    exact = verdict(np.zeros(8), b, "bootstrap")
    assert exact.p_kind == "exact"
    assert exact.p_value == pytest.approx(2 * law.pmf(8), rel=1e-12)
    found = verdict(np.zeros(8), b, "bootstrap:exact=never", n_resamples=50000)
    assert found.p_error is not None
    assert found.p_value == pytest.approx(2 * law.pmf(8), abs=5 * found.p_error)
    constant = verdict(np.zeros(8), np.ones(8), "bootstrap", n_resamples=99)
    assert constant.n_resamples is not None
    assert constant.p_value == 1 / (constant.n_resamples + 1)
    assert "zero_variance" in constant.notes


def test_berg_kirkpatricks_figure_counts_strictly_and_for_the_winner() -> None:
    b = np.array([1.0, 0.0, 0.0, 0.0])
    law = scipy.stats.binom(4, 0.25)
    strict = verdict(np.zeros(4), b, "bootstrap:form=bbk", n_resamples=50000)
    assert strict.p_value == pytest.approx(law.sf(2), abs=0.003)  # more than twice the gain: 3 of 4 or more
    assert verdict(b, np.zeros(4), "bootstrap:form=bbk", n_resamples=50000).p_value == strict.p_value
    assert "bbk_one_sided" in strict.notes
    assert strict.alternative == "one-sided for the observed winner, strict (>)"
    hits, drawn = strict.effect["exceedances"], strict.n_resamples
    assert isinstance(hits, int) and drawn is not None
    assert strict.p_value == hits / drawn, "s/b, as printed"
    same = verdict(b, b, "bootstrap:form=bbk", n_resamples=99)
    assert same.p_value == pytest.approx(0, abs=1e-300) and {"bbk_one_sided", "identical_outputs"} <= set(same.notes)


@pytest.mark.slow
def test_what_is_said_of_berg_kirkpatricks_figure_is_what_it_does() -> None:
    result = outscore.compare({"a": A, "b": B}, test="bootstrap:form=bbk", n_resamples=999)
    for said in map(result.to, ("terminal", "sentence", "html")):
        assert "one-sided for the observed winner, strict (" in " ".join(said.split())
        assert "Carlo, two-sided" not in said and "Carlo; two-sided" not in said


def test_the_bootstrap_redraws_whole_clusters() -> None:
    labels = [f"c{i // 5}" for i in range(25)]
    sums = (B - A).reshape(5, 5).mean(axis=1)
    found = verdict(A, B, "bootstrap", items={"cluster": labels}, n_resamples=20000)
    drawn = sums[np.random.default_rng(0).integers(0, 5, (20000, 5))].mean(axis=1)
    assert found.effect["se"] == pytest.approx(drawn.std(), rel=0.05)


def test_centre_at_the_mean_of_the_resamples_belongs_to_shift() -> None:
    assert verdict(A, B, "bootstrap:centre=boot_mean").p_value == pytest.approx(
        verdict(A, B, "bootstrap").p_value, abs=0.02
    )
    with pytest.raises(UsageError, match="boot_mean"):
        verdict(A, B, "bootstrap:form=bbk,centre=boot_mean")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("seed", range(1, 5))
def test_a_studentized_bootstrap_is_not_fooled_by_orders_without_a_match(seed: int) -> None:
    """BLEU of word salad has no match in the highest order: an undefined standard error must not count as a hit."""
    rng = np.random.default_rng(seed)
    ref, a, b = ([" ".join(rng.permutation(list("abcdefghijkl"))[:9]) for _ in range(12)] for _ in range(3))
    found = outscore.compare(
        {"a": a, "b": b}, references=ref, metrics="bleu", test="bootstrap:form=studentized", n_resamples=999
    )
    plain = outscore.compare({"a": a, "b": b}, references=ref, metrics="bleu", test="bootstrap", n_resamples=999)
    shift, p = plain.pairs[0].p_value, found.pairs[0].p_value
    assert shift is not None
    assert shift > 0.05
    assert p is None or p > 0.01
    for interval in (found.pairs[0].ci, *(s.ci for s in found.scores)):
        assert interval is None or interval[0] < interval[1]


def test_a_studentized_bootstrap_of_runs_is_that_of_all_their_items_together() -> None:
    """Also where the mean of the runs' ratios is not the ratio of all runs, which is what is redrawn."""
    rng = np.random.default_rng(4)
    rows: dict[str, list[object]] = {"system": [], "run": [], "item": [], "num": [], "den": []}
    for system, runs in (("base", (1, 1)), ("new", (1, 40))):  # a run of long answers outweighs the other
        for run, length in enumerate(runs):
            den = length * rng.integers(2, 9, 40)
            num = rng.binomial(den, 0.3 + 0.3 * run * (system == "new"))
            for item in range(40):
                for name, value in zip(rows, (system, run, item, num[item], den[item]), strict=True):
                    rows[name].append(value)
    summed = pd.DataFrame(rows).groupby(["system", "item"], as_index=False)[["num", "den"]].sum()
    found = [
        outscore.compare(data, metrics="ratio:num=num,den=den", test="bootstrap:form=studentized", n_resamples=999)
        for data in (pd.DataFrame(rows), summed)
    ]
    assert found[0].pairs[0].gain != pytest.approx(found[1].pairs[0].gain, rel=0.1)
    assert found[0].pairs[0].p_value == found[1].pairs[0].p_value


@given(values=st.lists(st.integers(-99, 99), min_size=2, max_size=3, unique=True), n=st.integers(3, 9))
def test_resamples_of_equal_differences_count_against_a_studentized_rejection(values: list[int], n: int) -> None:
    d = [values[0] / 7] * (n - len(values) + 1) + [value / 7 for value in values[1:]]
    found = outscore.compare(
        {"b": [0.0] * n, "s": d}, test="bootstrap:form=studentized", alternative="greater", n_resamples=4000
    )
    (pair,) = found.pairs
    # resamples that hold the first value alone have no spread
    share = ((n - len(values) + 1) / n) ** n
    assert pair.p_value is not None
    assert pair.p_value >= share - 5 * math.sqrt(share / 4000)


def codes_of(outcome: Outcome) -> set[str]:
    return {note.code for note in outcome.notes}


def differing(n: int, different: int) -> GainContrast:
    """So many items, of which so many differ, by amounts that are not skewed."""
    d = np.zeros((1, n))
    d[0, :different] = np.resize([1.0, -0.9], different)
    return pairing(d, np.zeros((1, n)), settings(49))


@pytest.mark.parametrize("n", [29, 30, 199, 200])
@pytest.mark.parametrize("form", ["shift", "percentile", "studentized", "bbk"])
def test_a_bootstrap_says_how_few_items_it_has(n: int, form: str) -> None:
    for different in (19, 20):
        found = codes_of(tests.make(f"bootstrap:form={form}").run(differing(n, different)))
        assert ("few_items" in found) == (n < 30)
        assert ("under_200_items" in found) == (30 <= n < 200 and form != "studentized")
        assert ("rare_differences" in found) == (different < 20)
        assert ("bbk_one_sided" in found) == (form == "bbk")


@pytest.mark.parametrize(("clusters", "few"), [(29, True), (30, False)])
def test_few_clusters_are_fewer_than_thirty(clusters: int, few: bool) -> None:
    labels = np.arange(2 * clusters) % clusters
    d = np.random.default_rng(1).normal(size=(1, 2 * clusters))
    pair = pairing(d, 0 * d, settings(49), labels)
    for name in ("t", "bootstrap"):
        found = codes_of(tests.make(name).run(pair))
        assert ("few_clusters" in found) == few and "under_200_items" not in found
    runs = pairing(np.concatenate([d, d + 0.1]), np.concatenate([0 * d, d / 2]), settings(49), labels)
    assert ("few_clusters" in codes_of(tests.make("crossed").run(runs))) == few
