"""Rules within verbs at their limits: what audits find, posteriors say, data sets share and histories allow."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import outscore
from outscore.base.errors import InputError, UsageError
from outscore.results.audit import Check
from outscore.significance import tests
from outscore.significance.audit import verdict
from outscore.significance.bayes import Posterior
from outscore.verbs.audit import run as audits
from outscore.verbs.compare.posterior import _Believed
from outscore.verbs.history.kept import _out_of_reach
from outscore.verbs.replicate.run import _where
from outscore.verbs.shared.sets import round_to_integers
from tests.verbs.flat import differing, near

FEW: dict[str, Any] = {"n_resamples": 199}


@pytest.mark.parametrize(
    ("rejections", "covered", "intervals"), [(0, 95, 100), (14, 80, 100), (5, 100, 100), (1, 0, 0)]
)
def test_a_check_has_shares_of_rounds_and_of_intervals(rejections: int, covered: int, intervals: int) -> None:
    pair = Made(system=1, baseline=0, stats=Made(name="m"))
    systems: Any = Made(systems=("old", "new"), settings=Made(alpha=0.05))
    test: Any = Made(label="t", null="none")
    tally: Any = Made(
        rejections=rejections, rounds=100, intervals=intervals, covered=covered, unanswered=2, methods={"t", "a"}
    )
    for holds in (True, False):
        null: Any = Made(pair=pair, holds=holds, name="permuted", words="as they are")
        word, ends = verdict(rejections, 100, 0.05)
        missed, (low, high) = verdict(intervals - covered, intervals, 0.05) if intervals else ("", (0.0, 1.0))
        expected = {
            "system": "new",
            "baseline": "old",
            "metric": "m",
            "test": "t",
            "null": "none",
            "kind": "permuted",
            "versions": "as they are",
            "rounds": 100,
            "rejections": rejections if holds else None,
            "level": rejections / 100 if holds else None,
            "level_ci": ends if holds else None,
            "verdict": word if holds else None,
            "unanswered": 2,
            "ci_method": "a, t",
            "intervals": intervals,
            "coverage": covered / intervals if intervals else None,
            "coverage_ci": (1 - high, 1 - low) if intervals else None,
            "coverage_verdict": {"too often": "too low", "too rarely": "too high"}.get(missed, missed)
            if intervals
            else None,
        }
        assert not differing(vars(audits._check(systems, null, test, tally)), expected)


def test_an_audit_names_what_is_wrong_and_what_is_not() -> None:
    blank = Check(**dict.fromkeys(Check.__dataclass_fields__))  # type: ignore[arg-type]

    def check(test: str, level: str = "holds", coverage: str = "holds", unanswered: int = 0) -> Check:
        return replace(blank, test=test, verdict=level, coverage_verdict=coverage, unanswered=unanswered)

    for checks, expected in (
        ([check("t")], []),
        ([check("t", "too often"), check("sign"), check("t")], [("level_too_high", "use --test sign, of which")]),
        (
            [check("t", "too often"), check("a", coverage="too low")],
            [("level_too_high", "audit others too"), ("coverage_too_low", "give more")],
        ),
        ([check("t", "too rarely"), check("a")], [("level_too_low", "")]),
        ([check("t"), check("a", "unclear")], [("few_rounds", "")]),
        ([check("t"), check("a", coverage="unclear", unanswered=1)], [("few_rounds", ""), ("unanswered", "")]),
    ):  # fmt: skip
        found = [*audits._notes_of(checks)]
        assert [note.code for note in found] == [code for code, _ in expected]
        assert all(note.remedy.startswith(words) for note, (_, words) in zip(found, expected, strict=True))


@pytest.mark.parametrize(
    ("different", "mean", "binary", "sampled"),
    [
        (14, True, False, False),
        (15, True, False, True),
        (15, True, True, False),
        (20, False, False, True),
        (21, False, False, False),
        (21, True, False, True),
    ],
)
def test_an_audit_draws_where_exact_laws_are_heavy(different: int, mean: bool, binary: bool, sampled: bool) -> None:
    pair: Any = Made(stats=Made(plain_mean=mean, ratio=None), n_different=different, binary=binary)
    asked = tests.make("randomization")
    assert (audits._sampling(asked, pair) != asked) == sampled
    assert audits._sampling(tests.make("t"), pair) == tests.make("t")


def test_ignored_clusters_need_clusters() -> None:
    with pytest.raises(UsageError, match="there are no clusters to ignore"):
        outscore.audit({"a": [1, 2, 3], "b": [2, 3, 1]}, rounds=1, ignore_clusters=True)
    with pytest.raises(UsageError, match="no test: name one"):
        outscore.audit({"a": [1, 2, 3], "b": [2, 3, 1]}, rounds=1, test=[])


@pytest.mark.parametrize(
    ("better", "error", "likely", "unstable"),
    [
        (0.951, 0.001, "better", True),
        (0.953, 0.001, "better", False),
        (0.947, 0.001, "", False),
        (0.948, 0.001, "", True),
        (0.95, 0.0, "", False),
        (0.951, None, "better", False),
    ],
)
def test_what_is_likely_and_what_another_seed_could_turn(
    better: float, error: float | None, likely: str, unstable: bool
) -> None:
    found = Posterior(better=better, within=0.0, worse=1 - better, error=error, n_draws=9, mean=0.3, ci=(0.1, 0.5))
    how: Any = Made(label="t", model="normal", prior=lambda rope: f"flat {rope}", about="the gain")
    one = _Believed("new", "old", "m", 0.4, 7, 0.2, 0.05, how, found, ())
    record = one.record
    assert (record.likely, "unstable" in "".join(record.notes)) == (likely, unstable)
    expected = {
        "system": "new",
        "baseline": "old",
        "metric": "m",
        "gain": 0.4,
        "n_items": 7,
        "rope": 0.2,
        "prior": "flat 0.2",
    }
    expected |= {
        "better": better,
        "within": 0.0,
        "worse": 1 - better,
        "error": error,
        "n_draws": 9,
        "mean": 0.3,
        "ci": (0.1, 0.5),
    }
    assert {name: getattr(record, name) for name in expected} == expected
    assert (one.describe(1), one.describe(2)) == ("'new' against 'old'", "'new' against 'old' under m")


def test_posteriors_of_every_pair_and_their_limits() -> None:
    rng = np.random.default_rng(1)
    data = {name: rng.normal(i, 1, 40) for i, name in enumerate("abc")}
    every = outscore.compare(data, posterior="t", all_pairs=True, baseline="b", n_resamples=100)
    assert [(p.system, p.baseline) for p in every.posteriors] == [("a", "b"), ("c", "b"), ("c", "a")]
    assert [p.gain for p in every.posteriors] == near([data[s].mean() - data[b].mean() for s, b in ("ab", "cb", "ca")])
    assert len(outscore.compare(data, posterior="auto", n_resamples=100).posteriors) == 2
    (t,) = outscore.compare(
        {name: data[name] for name in "ab"}, posterior="t", margin=0.2, n_resamples=100, alpha=0.1
    ).posteriors
    gains = data["b"] - data["a"]
    law = stats.t(39, gains.mean(), gains.std(ddof=1) / math.sqrt(40))
    assert (t.worse, t.within, t.better) == near((law.cdf(-0.2), law.cdf(0.2) - law.cdf(-0.2), law.sf(0.2)))
    assert t.ci == near((law.ppf(0.05), law.ppf(0.95)))
    for margin, n in ((-0.1, 100), (math.inf, 100), (math.nan, 100), (None, 99)):
        with pytest.raises(UsageError, match=r"expected a number above 0|draws or more"):
            outscore.compare(data, posterior="auto", margin=margin, n_resamples=n)


@pytest.mark.parametrize(
    ("level", "rejected", "resamples", "least", "beyond"),
    [
        (0.01, False, 99, None, False),
        (0.0099, False, 99, None, True),
        (0.0099, True, 99, None, False),
        (None, False, 99, None, False),
        (0.03, False, None, 0.03, False),
        (0.03, False, 99, 0.031, True),
        (0.001, False, None, None, False),
    ],
)
def test_levels_of_a_history_may_be_out_of_reach(
    level: Any, rejected: bool, resamples: Any, least: Any, beyond: bool
) -> None:
    pair, one = Made(n_resamples=resamples, p_min=least), Made(level=level, rejected=rejected)
    assert _out_of_reach(pair, one) == beyond  # type: ignore[arg-type]


def test_names_of_data_sets_in_notes() -> None:
    gains: list[Any] = [
        Made(metric=m, data_set=d, system=s) for m in ("x", "y") for d in ("p", "q") for s in ("u", "v")
    ]
    assert _where(gains[:4], gains) == ["under x"]
    assert _where([g for g in gains if g.data_set == "q"], gains) == ["on q"]
    assert _where([g for g in gains if g.system == "v"], gains) == ["for v"]
    assert _where([gains[0], gains[3]], gains) == ["u on p", "v on q"]


def test_replications_count_and_combine_data_sets() -> None:
    """Four data sets of twelve items, gains by t; the last of one item each is no test, and speaks for no gain."""
    rng = np.random.default_rng(2)
    rows, gains = [], {}
    for name, n, lift in (("p", 12, 1.5), ("q", 14, -0.2), ("r", 16, 1.0), ("s", 1, 0.5)):
        a, b = rng.normal(size=n), rng.normal(size=n) + lift
        gains[name] = b - a
        rows += [
            {"system": s, "item": f"{name}{i}", "set": name, "score": v}
            for s, vs in (("a", a), ("b", b))
            for i, v in enumerate(vs)
        ]
    result = outscore.replicate(pd.DataFrame(rows), column="set", test="t", alternative="greater", **FEW)
    means = np.array([values.mean() for values in gains.values()])
    p = [float(stats.ttest_1samp(v, 0, alternative="greater").pvalue) if len(v) > 1 else 1.0 for v in gains.values()]
    (one,) = result.replicated
    assert (one.n_sets, one.n_ahead, one.gain) == (4, int((means > 0).sum()), near(means.mean()))
    half = stats.t.ppf(0.975, 3) * means.std(ddof=1) / 2
    assert one.ci == near((means.mean() - half, means.mean() + half))
    across = {answer.test: answer for answer in one.overall}
    assert across["sign"].p_value == near(stats.binomtest(int((means > 0).sum()), 4).pvalue)
    assert across["wilcoxon"].p_value == near(stats.wilcoxon(means, method="exact").pvalue)
    assert across["fisher"].p_value == near(stats.combine_pvalues(p, "fisher").pvalue)
    capped = [min(x, 199 / 200) if x == 1 else x for x in p]
    weights = np.sqrt([12, 14, 16, 1])
    assert across["stouffer"].p_value == near(stats.combine_pvalues(capped, "stouffer", weights=weights).pvalue)
    assert across["simes"].p_value == near(min(4 * x / (i + 1) for i, x in enumerate(sorted(p))))
    shown = [(g.data_set, g.n_items, g.p_value, g.p_holm) for g in result.set_gains]
    order = sorted(range(4), key=lambda i: p[i])
    holm = dict(
        zip(order, np.maximum.accumulate([min(1, (4 - k) * p[i]) for k, i in enumerate(order)]).tolist(), strict=True)
    )
    sizes = (12, 14, 16, 1)
    for i, (name, items, raw, adjusted) in enumerate(shown):
        assert (name, items) == ("pqrs"[i], sizes[i])
        assert (raw, adjusted) == (near((p[i], holm[i])) if i < 3 else (None, None)) or i == 3
        assert i < 3 or (raw, adjusted) == (None, None)
    assert {"few_data_sets", "one_number_each"} <= {note.code for note in result.notes}
    assert [(s.system, s.n_items) for s in result.scores] == [("a", 43), ("b", 43)]
    assert result.rankings == ()


def test_the_curve_of_predictive_values() -> None:
    found = outscore.ppv(odds=0.5, power=0.8, alpha=0.03)
    levels = [0.1, 0.05, 0.02, 0.01, 0.005, 0.0025, 0.001, 0.0005, 0.0002, 0.0001, 0.03]
    levels += [10 ** (-k / 10) for k in range(11, 40)]
    assert [point.alpha for point in found.curve] == sorted(set(levels), reverse=True)
    for point in found.curve:
        assert point.ppv == near(0.8 * 0.5 / (0.8 * 0.5 + point.alpha))
    assert (found.worth[0].ppv, found.worth[0].cutoff) == near((0.4 / 0.43, 0.4 * 0.05 / 0.95))
    assert (found.provenance.n_items_read, found.provenance.n_resamples) == (0, 0)
    assert (found.positives, found.prior, found.seed) == near(((0.4 + 0.03) / 1.5, 1 / 3, 0))
    for alpha in (0.0, 1.0):
        with pytest.raises(UsageError, match="expected a number between 0 and 1"):
            outscore.ppv(odds=0.5, alpha=alpha)


@pytest.mark.parametrize(
    ("kinds", "items", "shown"),
    [(2, 4, True), (2, 3, False), (1, 8, False), (20, 40, True), (21, 42, False)],
)
def test_advice_names_columns_that_break_the_gain_down(kinds: int, items: int, shown: bool) -> None:
    rng = np.random.default_rng(1)
    data = {name: rng.normal(size=items) for name in "ab"}
    facts = outscore.advise(data, items={"genre": [f"g{i % kinds}" for i in range(items)]}).facts
    found = [(f.low, f.high) for f in facts if f.name == "domains"]
    assert found == ([(kinds, kinds)] if shown else [])


def test_numbers_beside_labels_of_right_and_wrong() -> None:
    """0.5 is no label; 0 and 1 are, whatever they are written like, and numbers beyond are no chances."""
    gold = ["0", "1", "1", "0"]
    for outputs, refused in (
        (["0", "0.5", "1", "1"], True),
        (["0", "1.0", "1", "1"], False),
        (["0", "", "1", "1"], False),
        (["0", "0.5", "1.5", "1"], False),
        (["0", "0.5", "-0.1", "1"], False),
    ):
        if refused:
            with pytest.raises(
                InputError, match=r"'a' are numbers between 0 and 1, as '0\.5', and the gold labels 0 and 1"
            ):
                outscore.score({"a": outputs}, references=[gold], metrics="accuracy", **FEW)
        else:
            outscore.score({"a": outputs}, references=[gold], metrics="accuracy", **FEW)


@pytest.mark.parametrize(
    ("smallest", "said"),
    [(9, "2 of 3 strata, the smallest of 8"), (10, "1 of 3 strata, the smallest of 8"), (None, "")],
)
def test_strata_are_small_below_ten(smallest: int | None, said: str) -> None:
    sizes = [10, 12, 11] if smallest is None else [8, smallest, 12]
    genre = [name for name, n in zip("xyz", sizes, strict=True) for _ in range(n)]
    scores = {name: np.random.default_rng(i).normal(size=len(genre)) for i, name in enumerate("ab")}
    found = outscore.compare(scores, items={"genre": genre}, strata="genre", **FEW).notes
    assert [note.text.endswith(f" ({said})") for note in found if note.code == "small_strata"] == [True] * bool(said)


@pytest.mark.parametrize(("rare", "more"), [(3, ""), (4, " and 1 more"), (0, "")])
def test_classes_are_rare_below_fifteen(rare: int, more: str) -> None:
    gold = [f"r{i}" for i in range(rare) for _ in range(14 - i)] + ["x"] * 15 + ["y"] * 16
    found = outscore.score({"a": gold}, references=[gold], metrics="f1:average=macro", **FEW).notes
    named = ", ".join(f"'r{i}' with {14 - i}" for i in sorted(range(rare), reverse=True)[:3])
    texts = [note.text for note in found if note.code == "rare_classes"]
    assert [f"({named}{more})" in text for text in texts] == ([True] if rare else [])


@pytest.mark.parametrize(("systems", "more"), [(3, ""), (4, "; and 1 more runs have some")])
def test_items_left_out_are_counted_by_run_up_to_half_of_them(systems: int, more: str) -> None:
    """Trees over other words than those of the gold tree have no brackets in common with it."""
    tree = "(S (A {}) (B b) (C c))"
    gold, other = [tree.format("a")] * 4, tree.format("x")
    outputs = {f"s{i}": [other, *gold[:2], other] for i in range(systems)}
    found = outscore.score(outputs, references=[gold], metrics="evalb", **FEW).notes
    (text,) = (note.text for note in found if note.code == "left_out_by_metric")
    assert text.endswith(f"'s0' has 2 of 4: '1', '4'; 's1' has 2 of 4: '1', '4'; 's2' has 2 of 4: '1', '4'{more}")
    more_items = outscore.score({"s0": [other] * 4 + gold}, references=[gold * 2], metrics="evalb", **FEW)
    assert "'s0' has 4 of 8: '1', '2', '3' and 1 more" in str([note.text for note in more_items.notes])
    with pytest.raises(InputError, match=r"leaves out 3 of 4 items of 's0' \(run '1'\), first '1'"):
        outscore.score({**outputs, "s0": [other, other, gold[0], other]}, references=[gold], metrics="evalb", **FEW)


def test_independent_samples_of_items_runs_and_pairs() -> None:
    """Welch's test by scipy: of items averaged over runs, or of runs, every two, signed so that more is better."""
    rng = np.random.default_rng(3)
    runs = {name: rng.normal(i, 1, (n, 8)).round(2) for i, (name, n) in enumerate({"a": 2, "b": 3, "c": 4}.items())}
    axes: list[tuple[Any, int]] = [("item", 0), ("run", 1)]
    for unit, axis in axes:
        means = {name: -values.mean(axis=axis) for name, values in runs.items()}
        made = outscore.compare(
            runs,
            test="welch",
            unit=unit,
            all_pairs=True,
            baseline="b",
            metrics="mean:lower=true",
            correction="bonferroni",
            **FEW,
        )
        assert [(p.system, p.baseline) for p in made.pairs] == [("a", "b"), ("c", "b"), ("c", "a")]
        for pair in made.pairs:
            x, y = means[pair.system], means[pair.baseline]
            law = stats.ttest_ind(x, y, equal_var=False)
            assert (pair.gain, pair.p_value) == near((x.mean() - y.mean(), law.pvalue))
            assert pair.p_adjusted == near(min(1, 3 * float(law.pvalue)))
            assert pair.ci == near(tuple(law.confidence_interval(1 - 0.05 / 3)))
            assert (pair.effect["n_system"], pair.effect["n_baseline"], pair.effect["unit"]) == (len(x), len(y), unit)
            assert (pair.n_items, pair.verdict == "better") == (8, law.pvalue < 0.05 / 3 and x.mean() > y.mean())
        said = {note.code for note in made.notes}
        assert ({"test_set_fixed", "few_runs"} <= said) == (unit == "run")
        assert ({"runs_fixed", "paired_data"} <= said) == (unit == "item")
    five = {name: rng.normal(i, 1, (5, 4)) for i, name in enumerate("ab")}
    assert "few_runs" not in {note.code for note in outscore.compare(five, test="welch", **FEW).notes}
    assert outscore.compare(five, test="welch", **FEW).pairs[0].effect["unit"] == "run"
    alone = outscore.compare({"a": five["a"][:1], "b": five["b"]}, test="welch", **FEW)
    assert alone.pairs[0].effect["unit"] == "item"
    assert "single_run" not in {note.code for note in alone.notes}
    ids = {name: {f"q{i}": float(v) for i, v in enumerate(values[0])} for name, values in five.items()}
    assert "single_run" in {note.code for note in outscore.compare(ids, test="welch", **FEW).notes}
    with pytest.raises(UsageError, match="needs several runs of a system"):
        outscore.compare(ids, test="welch", unit="run", **FEW)


def test_what_is_no_number_of_resamples_and_no_second_system() -> None:
    with pytest.raises(UsageError, match="n_resamples='many': expected a number"):
        outscore.compare({"a": [1, 2], "b": [2, 1]}, n_resamples="many")  # type: ignore[arg-type]
    frame = pd.DataFrame({"system": "a", "item": range(3), "x": [1, 2, 3], "y": [3, 2, 1]})
    for columns, said in ((["x", "y"], "; its columns 'x', 'y' were taken for measures of it"), (["x"], "$")):
        with pytest.raises(UsageError, match=f"one system .'a'. cannot be compared: give at least two{said}"):
            outscore.compare(frame[["system", "item", *columns]])


def test_samples_of_items_may_be_of_different_numbers() -> None:
    rows = [(i, k, int((i + k) % 3 == 0)) for i in range(6) for k in range(3 if i % 2 else 5)]
    frame = pd.DataFrame([("a", *row) for row in rows], columns=["system", "item", "sample", "score"])
    by_item = [[v for j, _, v in rows if j == i] for i in range(6)]
    chances = [1 - math.comb(len(v) - sum(v), 2) / math.comb(len(v), 2) for v in by_item]
    (found,) = outscore.score(frame, metrics="pass_at_k:k=2", **FEW).scores
    assert found.score == near(np.mean(chances))
    frame["score"] = [0.5 if i == 1 else float(v) for i, v in enumerate(frame["score"])]
    with pytest.raises(InputError, match=r"but item '0' has 0\.5; give 0/1 scores"):
        outscore.score(frame, metrics="pass_at_k:k=2", **FEW)


def test_systems_of_equal_mean_ranks_are_inconclusive() -> None:
    data = {"a": [1.0, 2, 1, 2], "b": [2.0, 1, 2, 1], "c": [0.0, 0, 0, 0]}
    found = outscore.compare(data, test="friedman", all_pairs=True, **FEW).pairs
    assert {(p.system, p.baseline): (p.gain, p.verdict) for p in found}["b", "a"] == (0.0, "inconclusive")


def test_small_gains_of_ranks_are_decided_too() -> None:
    rng = np.random.default_rng(1)
    data = {name: 0.1 * i + rng.uniform(0, 0.1, 30) for i, name in enumerate("abc")}
    found = outscore.compare(data, test="friedman", **FEW).pairs
    assert {(p.system, p.verdict) for p in found} == {("b", "better"), ("c", "better")}
    turned = outscore.compare(data, test="friedman", metrics="mean:lower=true", **FEW).pairs
    assert {(p.system, p.verdict) for p in turned} == {("b", "worse"), ("c", "worse")}
    shown = outscore.compare({name: data[name] for name in "ab"}, margin="10%", **FEW).pairs[0].equivalence
    assert shown is not None
    assert shown.margin == near(0.1 * data["a"].mean())


def test_scores_that_differ_by_rounding_are_made_equal() -> None:
    for size in (1e-6, 1.0, 1e6):
        found = round_to_integers(size * np.array([0.1 + 0.2, 0.3, 0.3 + 1e-9, -0.3]), size)
        assert (found[0] == found[1], found[1] < found[2], found[3] == -found[1]) == (True, True, True)
    assert round_to_integers(np.zeros(2), 0.0).tolist() == [0, 0]
