"""What R gives for the data of ``r_packages.json``, put to our public surface: equal, or the difference is stated.

``in_r.R`` computes the values with base R, coin, multcomp, survey, lmerTest and clubSandwich, whose versions and calls
stand beside them in the file. They have 15 digits, so that closed forms are held to 1e-9; where R iterates or draws,
the tolerance is that of its algorithm and stands at the test.
"""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import outscore
from outscore.multiplicity.adjust import max_step_down
from tests.multiplicity.plain import max_single_step
from tests.oracles.support import HERE, family
from tests.peers.asked import apart, effect, p, paired, several

HELD = family("r_packages")
DATA: dict[str, Any] = HELD["data"]
SIDES = {"two.sided": "two-sided", "greater": "greater", "less": "less"}
near = partial(pytest.approx, rel=1e-9, abs=1e-12)


def of_r(name: str) -> Any:
    return HELD["values"][name]["value"]


PAIRED = {
    "t_paired": "t",
    "signed_ranks_exact": "wilcoxon",  # up to the cost that auto affords, R up to 50 pairs without ties
    "signed_ranks_normal": "wilcoxon:variant=normal",
    "signed_ranks_normal_cc": "wilcoxon:variant=normal-cc",
    "signed_ranks_drop_exact": "wilcoxon",  # zeros=drop is our default, coin's is Pratt's
    "signed_ranks_pratt_exact": "wilcoxon:zeros=pratt",
    "signed_ranks_drop_normal": "wilcoxon:variant=normal",
    "signed_ranks_pratt_normal": "wilcoxon:variant=normal,zeros=pratt",
}


@pytest.mark.parametrize(("name", "test"), PAIRED.items())
def test_pairs(name: str, test: str) -> None:
    """One-sided intervals have one end, as in R."""
    tied = name.startswith(("signed_ranks_drop", "signed_ranks_pratt"))
    new, base = (DATA[("tied_" if tied else "") + side] for side in ("new", "base"))
    for side, expected in of_r(name).items():
        found = paired(new, base, test, alternative=SIDES[side])
        assert p(found) == near(expected["p"]), side
        if test == "t":
            assert (effect(found, "statistic"), effect(found, "df")) == near((expected["statistic"], expected["df"]))
            assert found.ci == near(tuple(map(float, expected["ci"])))


def test_symmetry_of_pairs() -> None:
    """coin draws 100,000 sign flips, 5 standard errors of which are .0045; ours is exact, of whole numbers."""
    for side, expected in of_r("symmetry").items():
        found = paired(DATA["tied_new"], DATA["tied_base"], "randomization", alternative=SIDES[side])
        assert found.p_kind == "exact"
        assert p(found) == pytest.approx(expected["p"], abs=0.0045)


def test_right_and_wrong() -> None:
    """``mcnemar`` alone is mid-p, which R has not: the exact p less half the probability of what was observed."""
    (both, only_new), (only_base, neither) = DATA["discordant"]
    cells = (both, only_new, only_base, neither)
    new, base = (np.repeat(right, cells) for right in ([1, 1, 0, 0], [1, 0, 1, 0]))
    for name, variant in (("mcnemar", "chi2"), ("mcnemar_cc", "chi2-cc")):
        assert p(paired(new, base, f"mcnemar:variant={variant}")) == near(of_r(name)["p"])
    for side, expected in of_r("binomial").items():
        for test in ("mcnemar:variant=exact", "sign"):
            assert p(paired(new, base, test, alternative=SIDES[side])) == near(expected["p"])
    observed = math.comb(only_new + only_base, only_new) / 2 ** (only_new + only_base)
    midp = of_r("binomial")["two.sided"]["p"] - observed
    assert p(paired(new, base, "mcnemar:variant=midp")) == near(midp)
    assert p(paired(new, base, "mcnemar")) == near(of_r("mcnemar")["p"])


def test_a_share() -> None:
    answers = {"a": [1.0] * DATA["right"] + [0.0] * (DATA["of"] - DATA["right"])}
    for name, interval in (
        ("clopper_pearson", "clopper-pearson"),
        ("wilson", "wilson"),
        ("wilson_cc", "wilson:continuity=true"),
    ):
        assert outscore.score(answers, interval=interval).scores[0].ci == near(of_r("share")[name])


def test_two_shares() -> None:
    """``prop.test`` has Wald's interval of the difference, which may leave [-1, 1]; ours is Newcombe's."""
    x, y = DATA["x01"], DATA["y01"]
    for side, expected in of_r("fisher").items():
        assert p(apart(x, y, "fisher", alternative=SIDES[side])) == near(expected["p"])
    for key, test in (("plain", "chi2"), ("yates", "chi2:yates=true"), ("plain", "two-proportions")):
        expected = of_r("two_proportions")[key]
        found = apart(x, y, test)
        assert p(found) == near(expected["p"])
        assert effect(found, "statistic") ** (2 if test == "two-proportions" else 1) == near(expected["statistic"])
        (a, la, ua), (b, lb, ub) = ((s.score, *s.ci) for s in _shares(x, y))
        newcombe = (a - b - math.hypot(a - la, ub - b), a - b + math.hypot(ua - a, b - lb))
        assert found.ci == near(newcombe)
        assert found.ci != pytest.approx(expected["ci"], abs=0.01)


def _shares(*answers: Any) -> list[Any]:
    return [outscore.score({"a": list(map(float, one))}, interval="wilson").scores[0] for one in answers]


SAMPLES = {
    "welch": "welch",
    "student": "student",
    "permutation": "permutation:statistic=mean",
    "independence": "permutation:statistic=mean",
    "rank_sums_exact": "mann-whitney",
    "rank_sums_normal": "mann-whitney:variant=normal",
    "rank_sums_normal_cc": "mann-whitney:variant=normal-cc",
}


@pytest.mark.parametrize(("name", "test"), SAMPLES.items())
def test_independent_samples(name: str, test: str) -> None:
    for side, expected in of_r(name).items():
        found = apart(DATA["u"], DATA["w"], test, alternative=SIDES[side])
        assert p(found) == near(expected["p"]), side
        if "ci" in expected:
            assert (effect(found, "statistic"), effect(found, "df")) == near((expected["statistic"], expected["df"]))
            assert found.ci == near(tuple(map(float, expected["ci"])))


def test_the_default_permutation_is_of_welchs_t() -> None:
    """coin permutes the difference of the means; of the 462 labellings 26 have as large a one, 18 as large a t."""
    assert of_r("permutation")["two.sided"]["p"] == near(26 / 462)
    assert p(apart(DATA["u"], DATA["w"], "permutation")) == near(18 / 462)


@pytest.mark.parametrize(
    ("name", "test", "data"),
    [
        ("anova", "anova", "groups"),
        ("welch_anova", "welch-anova", "groups"),
        ("kruskal_wallis", "kruskal-wallis", "groups"),
        ("friedman", "friedman:law=chi2", "blocks"),
    ],
)
def test_several_systems(name: str, test: str, data: str) -> None:
    found, _ = several(DATA[data].values(), test)
    expected = of_r(name)
    assert (effect(found, "statistic"), p(found)) == near((expected["statistic"], expected["p"]))
    freedom = expected["df"] if isinstance(expected["df"], list) else [expected["df"]]
    assert [effect(found, key) for key in ("df", "df_within")[: len(freedom)]] == near(freedom)


def _tukey(data: str) -> dict[str, Any]:
    names = list(DATA[data])
    _, found = several(DATA[data].values(), "anova", unit="run")
    made = (*found.pairs, *found.other_pairs)
    return {f"{names[int(q.system[1])]}-{names[int(q.baseline[1])]}": q for q in made}


def test_all_pairs_of_equal_samples() -> None:
    """glht(mcp("Tukey")): the joint law of t is the studentized range. R integrates it at random, p to 1e-4 and the
    critical value to 1e-3.
    """
    found = _tukey("even")
    for pair, expected in of_r("tukey_even").items():
        assert found[pair].gain == near(expected["gain"])
        assert found[pair].p_adjusted == pytest.approx(expected["p"], abs=2e-4)
        assert found[pair].ci == pytest.approx(expected["ci"], abs=2e-3 * expected["se"])


def test_all_pairs_of_unequal_samples() -> None:
    """Ours is Tukey and Kramer's, as R's TukeyHSD: p a little above the joint law of multcomp, never below (Hayter)."""
    found = _tukey("groups")
    for pair, expected in of_r("tukey_hsd_uneven").items():
        assert found[pair].p_adjusted == pytest.approx(expected["p"], rel=1e-6)
        assert found[pair].ci == pytest.approx(expected["ci"], rel=1e-6)
        joint = of_r("tukey_uneven")[pair]["p"]
        assert joint < found[pair].p_adjusted < joint + 1e-3


def test_pairs_with_the_first_system_only() -> None:
    """Dunnett's law has no counterpart for independent samples: ours keeps the level for all pairs, R's for those with
    the first system, so that its p is smaller. ``max-t`` is refused, as there is no item to resample together.
    """
    found = _tukey("even")
    for pair, expected in of_r("dunnett_even").items():
        assert expected["p"] < found[pair].p_adjusted < expected["p"] + 0.13
    with pytest.raises(outscore.UsageError, match="holm"):
        outscore.compare(DATA["even"], test="student", unit="run", correction="max-t")


def test_a_family_of_paired_gains() -> None:
    """glht(parm(gains, cov)): R takes one joint law of t. Ours redraws the law of the largest gain, and takes every
    gain's own p and interval at the level that it leaves: 20,000 resamples know p to 4 % and ends to .001.
    """
    found = outscore.compare(DATA["family"], test="t", correction="max-t", n_resamples=20_000, seed=1).pairs
    for pair in found:
        expected = of_r("paired_family")[pair.system]
        assert (pair.gain, effect(pair, "se"), effect(pair, "statistic")) == near(
            (expected["gain"], expected["se"], expected["t"])
        )
        assert pair.p_adjusted == pytest.approx(expected["p"], rel=0.08)
        assert pair.ci == pytest.approx(expected["ci"], abs=0.002)


def test_several_metrics_of_the_same_pairs() -> None:
    """coin draws 100,000 sign flips of all metrics at once: 5 standard errors of the largest p are .008. The same law
    by all 4096 flips is equal to it. ``max-t`` has each metric's own exact p, and the dependence by resampling items:
    on twelve of them it agrees to .04.
    """
    expected, n = of_r("max_t_of_metrics"), len(DATA["metrics"]["m1"]) // 2
    gains = np.array([DATA["metrics"][m][:n] for m in ("m1", "m2", "m3")]) - [
        DATA["metrics"][m][n:] for m in ("m1", "m2", "m3")
    ]
    flips = np.array(list(product((1, -1), repeat=n)))
    scaled = gains / np.sqrt((gains**2).sum(axis=1, keepdims=True))
    observed, draws = np.abs(scaled.sum(axis=1)), np.abs(flips @ scaled.T)
    assert observed == near(np.abs(expected["t"]))
    for law, key in ((max_single_step, "single_step"), (max_step_down, "step_down")):
        assert law(observed, draws, complete=True) == pytest.approx(expected[key], abs=0.008)
    frame = pd.DataFrame({**DATA["metrics"], "system": ["new"] * n + ["base"] * n, "item": [*range(n), *range(n)]})
    found = outscore.compare(frame, metrics="m1,m2,m3", baseline="base", test="randomization", correction="max-t")
    assert [pair.p_adjusted for pair in found.pairs] == pytest.approx(expected["single_step"], abs=0.04)


@pytest.mark.parametrize("correction", ["bonferroni", "holm", "hochberg", "hommel", "bh", "by"])
def test_adjusted_p(correction: str) -> None:
    expected = of_r("adjusted")
    found = outscore.compare(DATA["family"], test="t", correction=correction).pairs
    assert [p(pair) for pair in found] == near(expected["raw"])
    key = correction.upper() if correction in ("bh", "by") else correction
    assert [pair.p_adjusted for pair in found] == near(expected[key])


@pytest.mark.parametrize(
    ("plan", "n", "gain", "side", "expected", "key"),
    [
        ("t:sd=0.5,strict=false", 50, 0.2, "two-sided", "power_t", "power"),
        ("t:sd=0.5", 50, 0.2, "two-sided", "power_t", "power_strict"),  # our default counts the wrong tail, too
        ("t:sd=0.5", 50, 0.2, "greater", "power_t", "power_one_sided"),
        ("t:sd=0.5,paired=false,strict=false", 50, 0.2, "two-sided", "power_t", "power_two_samples"),
        ("two-proportions:baseline=0.7,strict=false", 300, 0.1, "two-sided", "power_prop", "power"),
        ("two-proportions:baseline=0.7", 300, 0.1, "two-sided", "power_prop", "power_strict"),
    ],
)
def test_power(plan: str, n: int, gain: float, side: Any, expected: str, key: str) -> None:
    """Items are whole numbers here: R's rounded up."""
    found = outscore.plan(plan, effect=gain, sizes=[n], alternative=side)
    assert found.points[0].power == near(of_r(expected)[key])
    if key == "power":
        assert found.items_needed == math.ceil(of_r(expected)["n"])


def test_means_in_clusters() -> None:
    expected = of_r("cr2")
    data = {"baseline": np.zeros(len(DATA["gain"])), "system": np.array(DATA["gain"])}
    found = outscore.compare(data, items={"document": DATA["document"]}, cluster="document", test="t").pairs[0]
    keys = ("se", "statistic", "df")
    assert [found.gain, *(effect(found, key) for key in keys)] == near([expected[k] for k in ("gain", "se", "t", "df")])
    assert p(found) == near(expected["p"])
    assert found.ci == near(expected["ci"])


def _share_in(clusters: list[int], answers: list[int], interval: str = "logit") -> tuple[float, float]:
    items = {"document": clusters}
    found = outscore.score(
        {"a": answers}, items=items, cluster="document", metrics="accuracy", interval=interval
    ).scores[0].ci  # fmt: skip
    assert found is not None
    return found


def test_shares_in_clusters() -> None:
    """svyciprop(method = "logit") is ours where clusters are equal, or items stand alone. Else it has the linearized
    error with G - 1 degrees of freedom, ours CR2's with Satterthwaite's: plogis(qlogis(p) ± t SE/(p (1 - p))), SE and
    df from clubSandwich. Korn and Graubard's "beta" and "likelihood" have no counterpart: see the table of coverage on
    the page about intervals.
    """
    answers, clusters = DATA["answers"], DATA["document"]
    even = [k // 10 for k in range(len(DATA["even_answers"]))]
    assert _share_in(even, DATA["even_answers"]) == near(of_r("share_even_clusters")["logit"])
    assert _share_in(list(range(len(answers))), answers) == near(of_r("share_no_clusters")["logit"])
    cr2 = of_r("cr2_share")
    share = cr2["gain"]
    half = stats.t.ppf(0.975, cr2["df"]) * cr2["se"] / (share * (1 - share))
    middle = math.log(share / (1 - share))
    expected = [1 / (1 + math.exp(-end)) for end in (middle - half, middle + half)]
    ours = _share_in(clusters, answers)
    assert ours == near(expected)
    (low, high), r = ours, of_r("share_uneven_clusters")["logit"]
    assert (low, high) == pytest.approx(r, abs=0.01)
    assert low < r[0] < r[1] < high


def test_a_share_of_items_by_beta() -> None:
    """svyciprop(method = "beta") is Clopper and Pearson's of n - 1 items, as its error divides by n - 1."""
    answers = DATA["answers"]
    share, n = sum(answers) / len(answers), len(answers) - 1
    low = stats.beta.ppf(0.025, n * share, n * (1 - share) + 1)
    high = stats.beta.ppf(0.975, n * share + 1, n * (1 - share))
    assert of_r("share_no_clusters")["beta"] == near([low, high])
    ours = outscore.score({"a": answers}, metrics="accuracy", interval="clopper-pearson").scores[0].ci
    assert ours == pytest.approx((low, high), abs=0.004)


@pytest.mark.parametrize(("name", "most"), [("items", 0.002), ("clusters", 0.012)])
def test_ratios(name: str, most: float) -> None:
    """svyratio divides the squares of what units leave, x - R y, by 1 - 1/n for each; CR2 by 1 - w, w the unit's share
    of the y, with Satterthwaite's degrees of freedom for n - 1. Ours is wider.
    """
    unit = DATA["document"] if name == "clusters" else list(range(len(DATA["num"])))
    num, den = (np.bincount(np.unique(unit, return_inverse=True)[1], DATA[key]) for key in ("num", "den"))
    ratio, w = num.sum() / den.sum(), den / den.sum()
    squares = ((num - ratio * den) / den.sum()) ** 2
    u = w**2 / (1 - w)
    df = 1 / (w @ w + u.sum() ** 2 - u @ u)
    expected = of_r("ratio")[name]
    for given, error, freedom in (
        (expected["ci"], squares / (1 - 1 / w.size), w.size - 1),
        (None, squares / (1 - w), df),
    ):
        half = stats.t.ppf(0.975, freedom) * math.sqrt(error.sum())
        ends = (ratio - half, ratio + half)
        assert given is None or given == near(ends)
    frame = pd.DataFrame({key: DATA[key] for key in ("num", "den", "document")}).assign(system="a", item=range(35))
    made = {"metrics": "ratio:num=num,den=den", "interval": "delta"}
    found = outscore.score(frame, cluster="document" if name == "clusters" else "none", **made).scores[0]  # type: ignore[arg-type]
    assert found.score == near(expected["ratio"])
    assert found.ci == pytest.approx(ends, rel=1e-6)
    assert found.ci == pytest.approx(expected["ci"], abs=most)
    assert found.ci is not None
    assert found.ci[0] < expected["ci"][0] < expected["ci"][1] < found.ci[1]


def test_runs_crossed_with_items() -> None:
    """lmer(score ~ system + (1|item) + (1|system:item) + (1|system:run)) has the error of ``crossed``; REML stops near
    it, at 3e-6. Its degrees of freedom take one variance of runs, as ``variances=pooled``, and also count how poorly
    the residual v that is taken off is known: 1/df = 1/ours + (v/V)²/df of the residual, where V is the squared error.
    """
    runs = {name: np.array(scores) for name, scores in DATA["runs"].items()}
    expected = of_r("lmer_interaction")
    for test in ("crossed", "crossed:variances=pooled"):
        found = outscore.compare(runs, test=test).pairs[0]
        assert found.gain == near(expected["gain"])
        assert effect(found, "se") == pytest.approx(expected["se"], rel=1e-5)
        assert p(found) == pytest.approx(expected["p"], rel=1e-3)
    v, n_runs, n = 0.0, 4, 12
    for scores in runs.values():
        left = scores - scores.mean(axis=0) - scores.mean(axis=1, keepdims=True) + scores.mean()
        v += float((left**2).sum()) / ((n_runs - 1) * (n - 1)) / (n_runs * n)
    more = (v / effect(found, "se") ** 2) ** 2 / (2 * (n_runs - 1) * (n - 1))
    assert expected["df"] == pytest.approx(1 / (1 / effect(found, "df") + more), rel=1e-3)


def test_runs_without_an_interaction_of_systems_and_items() -> None:
    """lmer(score ~ system + (1|item) + (1|system:run)), as often written, takes the gain as equal on all items: its
    error is that of ``runs``, with one variance of runs and 2 (R - 1) degrees of freedom, and claims nothing of new
    items.
    """
    expected = of_r("lmer")
    found = outscore.compare({name: np.array(scores) for name, scores in DATA["runs"].items()}, test="runs").pairs[0]
    assert effect(found, "se") == pytest.approx(expected["se"], rel=1e-4)
    assert expected["df"] == pytest.approx(6, abs=1e-3)
    assert p(found) == pytest.approx(expected["p"], abs=1e-3)


def _same(found: Any, held: Any, where: str, rel: float, most: float) -> None:
    if isinstance(held, dict | list):
        keys = held if isinstance(held, dict) else range(len(held))
        assert len(found) == len(held), where
        for key in keys:
            _same(found[key], held[key], f"{where}/{key}", rel, most)
    else:
        assert found == (held if isinstance(held, str) else pytest.approx(held, rel=rel, abs=most)), where


@pytest.mark.slow
def test_the_values_are_those_of_r() -> None:
    """Where Rscript and the packages are there. Draws may differ by the version: 5 standard errors of 100,000."""
    program = shutil.which("Rscript")
    if program is None:
        pytest.skip("needs Rscript")
    made = subprocess.run(
        [program, HERE / "in_r.R", HERE / "r_packages.json"], capture_output=True, encoding="utf-8", check=False
    )
    if "there is no package called" in made.stderr:
        pytest.skip(made.stderr.strip().splitlines()[0])
    assert made.returncode == 0, made.stderr
    values = json.loads(made.stdout)["values"]
    assert values.keys() == HELD["values"].keys()
    for name, held in HELD["values"].items():
        drawn = name in ("symmetry", "max_t_of_metrics")
        rel, most = (2e-3, 5e-3) if held["package"] == "multcomp" else (1e-4, 0.0) if "lmer" in name else (1e-7, 1e-12)
        _same(values[name]["value"], held["value"], name, 0.0 if drawn else rel, 0.011 if drawn else most)
