"""McNemar's test and the sign test: the law of the pairs that differ."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import outscore
from outscore.base.errors import UsageError
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.significance import discordant
from outscore.significance.discordant import DiscordantPairs
from tests.significance.pairs import RIGHT_A, RIGHT_B, A, B, every_side, verdict

counts = st.integers(0, 12)


sides = st.sampled_from(ALTERNATIVES)


@given(b=counts, c=counts, alternative=sides)
def test_exact_and_midp_by_summing_the_binomial(b: int, c: int, alternative: Alternative) -> None:
    n = b + c
    mass = [Fraction(math.comb(n, k), 2**n) for k in range(n + 1)]
    upper, lower = sum(mass[b:]), sum(mass[: b + 1])
    if alternative == "two-sided":
        exact = min(Fraction(1), 2 * min(upper, lower))
        mid = Fraction(1) if b == c else exact - mass[b]
    else:
        exact = upper if alternative == "greater" else lower
        mid = exact - mass[b] / 2
    assert DiscordantPairs(b, c).p("exact", alternative) == pytest.approx(float(exact))
    assert DiscordantPairs(b, c).p("midp", alternative) == pytest.approx(float(mid))


@given(b=counts, c=counts, alternative=sides, method=st.sampled_from(["exact", "midp", "chi2", "chi2-cc"]))
def test_no_split_of_the_pairs_beats_the_attainable_p(
    b: int, c: int, alternative: Alternative, method: discordant.Method
) -> None:
    found = DiscordantPairs(b, c)
    every = [DiscordantPairs(k, b + c - k).p(method, alternative) for k in range(b + c + 1)]
    assert found.p_min(method, alternative) == pytest.approx(min(every), rel=1e-12)
    mirrored: Alternative = {"greater": "less", "less": "greater"}.get(alternative, "two-sided")  # type: ignore[assignment]
    assert DiscordantPairs(c, b).p(method, mirrored) == pytest.approx(found.p(method, alternative))


def test_mcnemar_refuses_nonsense() -> None:
    with pytest.raises(UsageError, match="negative"):
        DiscordantPairs(-1, 2)
    with pytest.raises(UsageError, match="method"):
        DiscordantPairs(1, 2).p("x")  # type: ignore[arg-type]


@pytest.mark.parametrize(("b", "c"), [(0, 0), (1, 0), (0, 1), (2, 2), (9, 3), (3, 9)])
def test_odds_of_discordant_pairs_have_the_ends_of_their_share(b: int, c: int) -> None:
    found, n = DiscordantPairs(b, c), b + c
    assert math.isnan(found.chi2()) if n == 0 else found.chi2() == pytest.approx((b - c) ** 2 / n)
    ratio, odds_low, odds_high = found.odds_ratio()
    assert math.isnan(ratio) if n == 0 else ratio == (b / c if c else math.inf)
    low, high = (0.0, 1.0) if n == 0 else tuple(stats.binomtest(b, n).proportion_ci(0.95, "exact"))
    assert odds_low == pytest.approx(low / (1 - low) if low < 1 else math.inf)
    assert odds_high == pytest.approx(high / (1 - high) if high < 1 else math.inf)
    if n:
        assert found.chi2(corrected=True) == pytest.approx(max(abs(b - c) - 1, 0) ** 2 / n)


@pytest.mark.parametrize("n", [999, 1000, 1001])
def test_a_mid_p_of_many_pairs_leaves_out_half_of_what_was_seen(n: int) -> None:
    b = n // 2 - 20
    law = stats.binom(n, 0.5)
    assert DiscordantPairs(b, n - b).p("midp") == pytest.approx(float(2 * law.cdf(b) - law.pmf(b)), rel=1e-9)
    assert DiscordantPairs(b, n - b).p("exact") == pytest.approx(float(2 * law.cdf(b)), rel=1e-9)
    less = DiscordantPairs(b, n - b).p("midp", "less")
    assert less == pytest.approx(float(law.cdf(b) - law.pmf(b) / 2), rel=1e-9)


@every_side
def test_mcnemar_exact_is_the_binomial_of_the_discordant_items(alternative: Alternative) -> None:
    better, worse = int((RIGHT_B > RIGHT_A).sum()), int((RIGHT_B < RIGHT_A).sum())
    theirs = scipy.stats.binomtest(better, better + worse, 0.5, alternative=alternative).pvalue
    ours = verdict(RIGHT_A, RIGHT_B, "mcnemar:variant=exact", alternative=alternative)
    assert ours.p_value == pytest.approx(theirs, rel=1e-9)
    assert (ours.effect["wins"], ours.effect["losses"]) == (better, worse)
    # the other ways to the same number
    for same in ("sign", "randomization"):
        assert verdict(RIGHT_A, RIGHT_B, same, alternative=alternative).p_value == pytest.approx(theirs, rel=1e-9)


@every_side
def test_mcnemar_midp_counts_half_of_the_observed(alternative: Alternative) -> None:
    better, worse = int((RIGHT_B > RIGHT_A).sum()), int((RIGHT_B < RIGHT_A).sum())
    law = scipy.stats.binom(better + worse, 0.5)
    greater = float(law.sf(better) + law.pmf(better) / 2)
    less = float(law.cdf(better - 1) + law.pmf(better) / 2)
    expected = {"greater": greater, "less": less, "two-sided": 2 * min(greater, less)}[alternative]
    ours = verdict(RIGHT_A, RIGHT_B, "mcnemar:variant=midp", alternative=alternative)
    assert ours.p_value == pytest.approx(expected, rel=1e-9)
    assert ours.effect["p_exact"] == verdict(RIGHT_A, RIGHT_B, "mcnemar:variant=exact", alternative=alternative).p_value


@every_side
def test_sign_is_the_binomial_of_wins_and_losses(alternative: Alternative) -> None:
    a, b = np.round(A, 0), np.round(B, 0)
    wins, losses = int((b > a).sum()), int((b < a).sum())
    assert wins + losses < 25
    theirs = scipy.stats.binomtest(wins, wins + losses, 0.5, alternative=alternative).pvalue
    ours = verdict(a, b, "sign", alternative=alternative)
    assert ours.p_value == pytest.approx(theirs, rel=1e-9)
    assert (ours.effect["wins"], ours.effect["losses"], ours.effect["ties"]) == (wins, losses, 25 - wins - losses)
    assert ours.p_min == pytest.approx((2 if alternative == "two-sided" else 1) * 0.5 ** (wins + losses))


def test_a_board_has_the_numbers_of_its_pairs_alone() -> None:
    """Counts by one product and odds by scipy, beside each pair by itself."""
    answers = {f"s{i:02}": (np.random.default_rng(i).random(70) < 0.4 + i / 40).astype(float) for i in range(10)}
    board = outscore.rank(answers, n_resamples=99, jobs=1).pairs
    assert len(board) == 45
    for pair in board[::7]:
        alone = outscore.compare({name: answers[name] for name in (pair.baseline, pair.system)}, jobs=1).pairs[0]
        assert (alone.p_value, alone.effect["wins"]) == (pair.p_value, pair.effect["wins"])
        for name in ("odds_ratio", "odds_ratio_ci_low", "odds_ratio_ci_high"):
            assert pair.effect[name] == pytest.approx(alone.effect[name], rel=1e-12)


@pytest.mark.parametrize("side", ["two-sided", "greater"])
def test_auto_keeps_its_level_at_one_in_ten(side: Alternative) -> None:
    """By every split of every number that differ, of 20 items; at .05 and below it stays the score test."""

    def auto(b: int, c: int, alpha: float) -> float | None:
        answers = {"a": [0.0] * b + [1.0] * (20 - b), "b": [1.0] * (20 - c) + [0.0] * c}
        found = outscore.compare(answers, alpha=alpha, alternative=side, n_resamples=99).pairs[0]
        assert (found.effect["wins"], found.effect["losses"]) == (b, c)
        return found.p_value

    rejects = np.zeros(21)
    for differ in range(1, 14):
        law = scipy.stats.binom(differ, 0.5)
        rejects[differ] = sum(law.pmf(b) for b in range(differ + 1) if (auto(b, differ - b, 0.1) or 0) <= 0.1)
    levels = [float(scipy.stats.binom(20, share).pmf(range(21)) @ rejects) for share in (0.1, 0.15, 0.18, 0.2, 0.26)]
    assert max(levels) <= 0.112
    assert auto(2, 0, 0.1) == DiscordantPairs(2, 0).p("exact", side)
    assert auto(2, 0, 0.05) == DiscordantPairs(2, 0).p("chi2", side)
