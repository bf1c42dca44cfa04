"""Studentized randomization of scores of sums against loops in plain Python, and what it does at the edges."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import outscore
from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.metrics import metrics
from outscore.significance import EXACT, MONTE_CARLO, Outcome, gain, tests
from outscore.significance.gain import GainContrast
from outscore.significance.notes import IDENTICAL
from outscore.significance.settings import Settings
from outscore.significance.studentized_sums import StudentizedSums
from tests.laws.support import corpus_stats, experiment, f1_stats, settings
from tests.significance.test_studentized import root, slopes, whole_counts

STUDENTIZED = tests.make("randomization:form=studentized")


def mirrored(rng: np.random.Generator, n: int) -> tuple[Float, Float]:
    """Precision and recall .90 and .45 against .45 and .90: counts (tp, fp, fn) of two systems with equal F1."""
    gold = 1 + rng.poisson(2, n)
    found = rng.binomial(gold, 0.45), rng.binomial(gold, 0.9)
    wrong = rng.poisson(0.05 * gold), rng.poisson(1.1 * gold)
    new, base = (np.stack([tp, fp, gold - tp], axis=1).astype(float) for tp, fp in zip(found, wrong, strict=True))
    return new, base


COUNTS = st.tuples(*[st.integers(0, 4)] * 3)


ROWS = st.lists(st.tuples(COUNTS, COUNTS), min_size=2, max_size=7)


SIDES = ("two-sided", "greater", "less")


def f1_pair(new: Float, base: Float, given: Settings, labels: Any = None) -> GainContrast:
    return GainContrast(experiment(f1_stats([base[None], new[None]], labels), settings=given), 0, 1)


def f1_of(rows: Sequence[Sequence[float]]) -> tuple[float, list[float]]:
    """F1 of rows (tp, fp, fn), and what each row adds to it to first order."""
    top = sum(2 * tp for tp, _, _ in rows)
    bottom = sum(2 * tp + fp + fn for tp, fp, fn in rows)
    if bottom == 0:
        return 0.0, [0.0 for _ in rows]
    score = top / bottom
    return score, [(2 * tp - score * (2 * tp + fp + fn)) / bottom for tp, fp, fn in rows]


def t_of(new: Sequence[Sequence[float]], base: Sequence[Sequence[float]]) -> float | None:
    """The gain over its standard error; None where there is no error."""
    (score, adds), (other, added) = f1_of(new), f1_of(base)
    error = math.sqrt(sum((x - y) ** 2 for x, y in zip(adds, added, strict=True)))
    return (score - other) / error if error > 1e-6 else None


def slow_p(new: Float, base: Float, side: str) -> float:
    """The share of all exchanges whose t is as extreme; sets without an error are."""
    seen = t_of(new.tolist(), base.tolist())
    score, other = f1_of(new.tolist())[0], f1_of(base.tolist())[0]
    if seen is None:
        seen = 0.0 if score == other else math.copysign(math.inf, score - other)
    exceedances = 0
    for exchanged in itertools.product((False, True), repeat=len(new)):
        first = [b if moved else a for a, b, moved in zip(new.tolist(), base.tolist(), exchanged, strict=True)]
        second = [a if moved else b for a, b, moved in zip(new.tolist(), base.tolist(), exchanged, strict=True)]
        t = t_of(first, second)
        slack = 0.0 if math.isinf(seen) else 1e-8 * max(1.0, abs(seen))
        if t is None:
            exceedances += 1
        elif side == "two-sided":
            exceedances += abs(t) >= abs(seen) - slack
        else:
            exceedances += t >= seen - slack if side == "greater" else t <= seen + slack
    return float(exceedances / 2 ** len(new))


@given(ROWS, st.sampled_from(SIDES))
def test_few_units_are_enumerated_as_loops_do_it(rows: list[Any], side: Any) -> None:
    new, base = (np.array([pair[i] for pair in rows], dtype=np.float64) for i in range(2))
    if np.array_equal(new, base):
        return
    found = STUDENTIZED.run(f1_pair(new, base, settings(99, 1, side)))
    assert found.p_kind == EXACT
    assert found.p_value == pytest.approx(slow_p(new, base, side), abs=1e-12)


def test_many_units_are_sampled_near_the_law_of_all_exchanges() -> None:
    new, base = mirrored(np.random.default_rng(3), 13)
    sampling = settings(40_000, 5)
    sampled = tests.make("randomization:form=studentized,exact=never").run(f1_pair(new, base, sampling))
    exact = STUDENTIZED.run(f1_pair(new, base, sampling))
    assert (sampled.p_kind, exact.p_kind) == (MONTE_CARLO, EXACT)
    assert sampled.p_error is not None
    assert sampled.p_value == pytest.approx(exact.p_value, abs=5 * sampled.p_error)


def bleu_like(rng: np.random.Generator, n: int) -> tuple[Float, Float]:
    """Statistics of BLEU of two systems: matches and totals of four orders, and both lengths."""
    length = rng.integers(5, 40, n)
    systems = []
    for skill in (0.6, 0.58):
        own = length + rng.integers(-3, 4, n)
        totals = np.stack([np.maximum(own - order, 0) for order in range(4)], axis=1)
        matches = rng.binomial(totals, skill ** np.arange(1, 5))
        systems.append(np.concatenate([matches, totals, own[:, None], length[:, None]], axis=1).astype(float))
    return systems[1], systems[0]


def test_many_columns_follow_the_errors_of_all_relabelled_sets() -> None:
    # false alarm: the sampling error of 2 x 20,000 resamples is below .004 at four deviations
    score = metrics.make("bleu").score
    for seed in range(6):
        new, base = bleu_like(np.random.default_rng(seed), 120)
        given_settings = settings(20_000, seed)
        pair = GainContrast(experiment(corpus_stats([base[None], new[None]], score), settings=given_settings), 0, 1)
        held = pair.studentized_sums
        assert held.follows
        drawn = held.draw(given_settings.sampling, "two-sided").series(0)
        exceedances = drawn.count_as_extreme(0, 1, "two-sided", positive=held.t >= 0)
        found = STUDENTIZED.run(pair)
        assert found.p_value == pytest.approx((exceedances.total + 1) / (exceedances.drawn + 1), abs=0.006)


@pytest.mark.parametrize("seed", [1, 2])
def test_pairs_of_a_board_keep_no_statistics_and_have_the_same_p(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = {"bleu": bleu_like(np.random.default_rng(seed), 60), "f1": mirrored(np.random.default_rng(seed), 60)}
    for name, (new, base) in kinds.items():
        both = [base[None], new[None]]
        stats = corpus_stats(both, metrics.make("bleu").score) if name == "bleu" else f1_stats(both)
        found = []
        for few in (0, 1):
            monkeypatch.setattr(gain, "_FEW_PAIRS", few)
            pair = GainContrast(experiment(stats, settings=settings(200, seed)), 0, 1)
            found.append(STUDENTIZED.run(pair))
            kept = [one for one in vars(pair).values() if isinstance(one, StudentizedSums)]
            assert len(kept) == few
        assert found[0].p_kind == MONTE_CARLO
        assert found[0] == found[1]


def test_the_standard_error_is_that_of_the_jackknife_to_first_order() -> None:
    new, base = mirrored(np.random.default_rng(0), 400)
    pair = f1_pair(new, base, settings(99, 1))
    spread = np.sqrt(399 / 400 * ((pair.without_units - pair.without_units.mean()) ** 2).sum())
    assert pair.studentized_sums.t == pytest.approx(pair.gain / spread, rel=0.01)


def run(new: Float, base: Float, **changes: Any) -> Outcome:
    return STUDENTIZED.run(f1_pair(new, base, replace(settings(500, 1), **changes)))


def test_the_statistic_is_in_the_outcome_with_the_sign_of_the_gain() -> None:
    new, base = mirrored(np.random.default_rng(1), 60)
    there, back = run(new, base), run(base, new)
    assert there.effect["statistic"] == pytest.approx(-back.effect["statistic"])  # type: ignore[operator]
    one, other = run(new, base, alternative="greater").p_value, run(base, new, alternative="less").p_value
    assert one == other


def test_systems_without_spread_reject_only_by_the_exchanges_that_keep_it() -> None:
    new, base = np.tile([2.0, 0.0, 1.0], (8, 1)), np.tile([1.0, 0.0, 2.0], (8, 1))
    found = run(new, base)
    assert found.effect["statistic"] == math.inf
    assert found.p_value == pytest.approx(2 / 2**8)


def test_identical_systems_have_p_one() -> None:
    rows = mirrored(np.random.default_rng(1), 40)[0]
    assert run(rows, rows).p_value == 1.0


def test_clusters_are_exchanged_whole() -> None:
    new, base = mirrored(np.random.default_rng(2), 60)
    labels = np.repeat(np.arange(10), 6)
    summed = [rows.reshape(10, 6, 3).sum(axis=1) for rows in (new, base)]
    together = STUDENTIZED.run(f1_pair(new, base, settings(99, 1), labels))
    assert together.p_kind == EXACT
    assert together.p_value == run(*summed).p_value


def test_a_ratio_is_relabelled_by_its_two_sums_alone() -> None:
    new, base = mirrored(np.random.default_rng(4), 50)
    pair = f1_pair(new, base, settings(99, 1))
    assert StudentizedSums.of(pair.stats, 1, 0).a.shape == (50, 2)
    assert not pair.studentized_sums.follows


def test_runs_are_averaged_first() -> None:
    rng = np.random.default_rng(5)
    (a, b), (c, d) = mirrored(rng, 12), mirrored(rng, 12)
    stats = f1_stats([np.stack([b, d]), np.stack([a, c])])
    found = STUDENTIZED.run(GainContrast(experiment(stats, settings=settings(99, 1)), 0, 1))
    assert found.p_value == run(a + c, b + d).p_value
    assert "runs_fixed" in {note.code for note in found.notes}


def test_rankings_have_no_standard_error_of_sums() -> None:
    rng = np.random.default_rng(0)
    gold = ["1" if right else "0" for right in rng.random(40) < 0.5]
    systems = {name: rng.random(40) for name in ("base", "new")}
    with pytest.raises(UsageError, match="needs a score of sums, which auc is not; use form=plain"):
        outscore.compare(systems, references=gold, metrics="auc", test="randomization:form=studentized")


def test_the_default_studentizes_where_the_systems_predict_different_amounts() -> None:
    rng = np.random.default_rng(0)
    gold = [" ".join(rng.choice(["B-X", "O", "O"], 9)) for _ in range(400)]
    other = [" ".join(rng.choice(["B-X", "O"], 9)) for _ in range(400)]
    tags = {"base": gold[1:] + gold[:1], "new": other}
    for metric, test in (("token_accuracy", "randomization"), ("ner", "randomization:form=studentized")):
        pair = outscore.compare(tags, references=gold, metrics=metric, n_resamples=99).pairs[0]
        assert pair.test == test


def t_of_root(a: Float, b: Float) -> tuple[float, float]:
    """The gain and its standard error: what units add to it to first order, less their mean."""
    adds = a @ slopes(a.sum(axis=0)) - b @ slopes(b.sum(axis=0))
    gain = float(root(a.sum(axis=0)) - root(b.sum(axis=0)))
    return gain, math.sqrt(float(((adds - adds.mean()) ** 2).sum()))


@pytest.mark.parametrize("side", ALTERNATIVES)
@pytest.mark.parametrize("seed", range(3))
def test_studentized_exchanges_of_a_score_that_is_no_ratio_are_enumerated(seed: int, side: Alternative) -> None:
    a, b = whole_counts(7, seed)
    a[3] = b[3]
    pair = GainContrast(experiment(corpus_stats([b[None], a[None]], root), settings=settings(99, 0, side)), 0, 1)
    gain, error = t_of_root(a, b)
    seen, hits = gain / error, 0
    for moved in product((False, True), repeat=7):
        there = np.array(moved)[:, None]
        other, wide = t_of_root(np.where(there, b, a), np.where(there, a, b))
        t = other / wide
        hits += {"two-sided": abs(t) >= abs(seen) - 1e-7, "greater": t >= seen - 1e-7, "less": t <= seen + 1e-7}[side]
    found = tests.make("randomization:form=studentized").run(pair)
    assert found.p_kind == EXACT and found.p_value == pytest.approx(hits / 128)
    assert found.p_min == pytest.approx((2 if side == "two-sided" else 1) * 0.5 ** int((a != b).any(axis=1).sum()))
    assert found.effect["statistic"] == pytest.approx(seen, rel=1e-6)
    drawn = tests.make("randomization:form=studentized,exact=never").run(
        GainContrast(experiment(corpus_stats([b[None], a[None]], root), settings=settings(1999, 0, side)), 0, 1)
    )
    assert drawn.p_kind == MONTE_CARLO and drawn.p_value == pytest.approx(hits / 128, abs=0.06)


def test_f1_beside_itself_shows_no_gain_when_studentized() -> None:
    rows = np.random.default_rng(3).integers(0, 4, (1, 9, 3)).astype(float)
    pair = GainContrast(experiment(f1_stats([rows, rows]), settings=settings(9)), 0, 1)
    assert pair.studentized_sums.t == 0.0
    found = tests.make("randomization:form=studentized").run(pair)
    assert (found.p_value, found.p_min, found.notes) == (1.0, 1.0, (IDENTICAL,))
