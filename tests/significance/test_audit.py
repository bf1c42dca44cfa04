"""Rounds of an audit: counted rightly, reproducible, and the same one by one."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

from outscore.base.rng import stream
from outscore.significance import tests
from outscore.significance.audit import LEVEL, AuditTally, audit, sum_tallies, verdict
from outscore.significance.nulls import null_versions
from tests.significance.test_nulls import pair_of

RNG = np.random.default_rng(1)


PAIR = pair_of(*RNG.normal(0, 1, (2, 1, 25)))


TESTS = [tests.make(name) for name in ("t", "bootstrap", "sign")]


PLANS = [(null, TESTS) for null in null_versions(PAIR)]


def test_tallies_are_those_of_plain_loops() -> None:
    found = audit(PLANS, rounds=range(23), seed=7, alpha=0.1)
    for (null, planned), of_plan in zip(PLANS, found, strict=True):
        for test, tally in zip(planned, of_plan, strict=True):
            rejections = covered = 0
            for number in range(23):
                version = null.version(stream(7, f"audit {null.purpose or null.name}", number))
                outcome = test.run(version)
                assert outcome.p_value is not None
                rejections += outcome.p_value <= 0.1
                if outcome.ci is not None:
                    covered += outcome.ci[0] <= 0 <= outcome.ci[1]
            assert (tally.rounds, tally.rejections, tally.unanswered) == (23, rejections, 0)
            if test.name == "t":
                assert (tally.intervals, tally.covered) == (23, covered)
                assert tally.methods == {"t interval"}


def test_rounds_add_up_whoever_does_them_and_seeds_change_them() -> None:
    whole = audit(PLANS, rounds=range(40), seed=3, alpha=0.2)
    assert sum_tallies(audit(PLANS, rounds=some, seed=3, alpha=0.2) for some in (range(15, 40), range(15))) == whole
    assert audit(PLANS, rounds=range(40), seed=4, alpha=0.2) != whole


def test_a_tally_is_the_same_after_json() -> None:
    for of_plan in audit(PLANS, rounds=range(3), seed=3, alpha=0.2):
        for tally in of_plan:
            assert AuditTally.of(json.loads(json.dumps(tally.to_plain()))) == tally


def test_a_test_without_an_answer_does_not_reject() -> None:
    constant = pair_of(np.zeros((1, 8)), np.ones((1, 8)))
    (resampled,) = (null for null in null_versions(constant) if null.name == "resampled")
    ((tally,),) = audit([(resampled, [tests.make("t")])], rounds=range(5), seed=0, alpha=0.05)
    assert tally == AuditTally(
        rounds=5, rejections=0, unanswered=5, intervals=5, covered=5, methods=frozenset({"degenerate"})
    )


@pytest.mark.parametrize("count", range(0, 200, 7))
def test_verdicts_are_those_of_the_binomial_test(count: int) -> None:
    said, (low, high) = verdict(count, 1000, 0.05)
    found = stats.binomtest(count, 1000).proportion_ci(LEVEL, method="exact")
    assert (low, high) == pytest.approx((found.low, found.high))
    one_sided = (1 - LEVEL) / 2
    if said == "too often":
        assert stats.binomtest(count, 1000, 0.05, "greater").pvalue < one_sided
    elif said == "too rarely":
        assert stats.binomtest(count, 1000, 0.05, "less").pvalue < one_sided
    else:
        assert said == "holds"
        assert low <= 0.05 <= high


def test_few_rounds_are_no_verdict() -> None:
    assert verdict(1, 20, 0.05)[0] == "unclear"
    assert verdict(50, 1000, 0.05)[0] == "holds"


@pytest.mark.parametrize(("errors", "of"), [(0, 12), (3, 40), (10, 10)])
def test_errors_whose_interval_ends_at_the_level_come_as_they_should(errors: int, of: int) -> None:
    low, high = verdict(errors, of, 0.5)[1]
    assert verdict(errors, of, high)[0] == "holds"
    assert verdict(errors, of, high * (1 + 1e-9))[0] == "too rarely"
    assert verdict(errors, of, low)[0] == ("unclear" if high >= 2 * low else "holds")
    assert verdict(errors, of, high / 2)[0] == ("unclear" if high / 2 >= low else "too often")
