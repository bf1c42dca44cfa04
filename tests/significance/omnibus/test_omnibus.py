"""Tests of several systems at once: what all of them keep."""

from __future__ import annotations

import math
import re
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from outscore.base.arrays import Float
from outscore.base.registry import spell
from outscore.significance.omnibus import Groups, OmnibusFinding, OmnibusTest, anova, omnibus_tests
from outscore.significance.omnibus.friedman import rank_gaps
from outscore.significance.omnibus.kruskal_wallis import dunn, kruskal_wallis
from outscore.significance.settings import Settings
from tests.examples import first

NAMES = ["anova", "cochran-q", "friedman", "kruskal-wallis", "welch-anova"]


VARIANTS = [*NAMES, *(f"cochran-q:law={law}" for law in ("permutation", "chi2")),
            *(f"friedman:law={law}" for law in ("permutation", "f", "chi2")),
            "friedman:ties=uncorrected", "friedman:pairs=holm"]  # fmt: skip


UNPAIRED = ("anova", "kruskal-wallis", "welch-anova")


def of_runs(*runs: list[float], alpha: float = 0.05) -> Groups:
    values = tuple(np.array(r, dtype=float) for r in runs)
    names = tuple("abcdefgh"[: len(runs)])
    return Groups(names=names, values=values, unit="run", blocks=False, settings=Settings(alpha=alpha))


def of_items(matrix: Float, **options: int) -> Groups:
    names = tuple("abcdefghij"[: matrix.shape[1]])
    made = Settings(**options)  # type: ignore[arg-type]
    return Groups(names=names, values=tuple(matrix.T.astype(float)), unit="item", blocks=True, settings=made)


def some(name: str) -> Groups:
    rng = np.random.default_rng(4)
    if name.startswith(UNPAIRED):
        return of_runs(*(rng.normal(shift, 1, n).tolist() for shift, n in ((0, 5), (1, 4), (0.5, 6))))
    matrix = rng.random((12, 3)) < (0.4, 0.6, 0.8)
    return of_items(matrix.astype(float))


@pytest.mark.parametrize("name", VARIANTS)
def test_every_test_says_what_it_tests_and_answers(name: str) -> None:
    test: OmnibusTest = omnibus_tests.make(name)
    assert spell(test) == test.label == name
    for said in (test.null, test.applies, test.needs, type(test).__doc__ or ""):
        assert len(said.split()) >= 5
    assert re.search(r"\b(19|20)\d\d\b", test.citation)
    groups = some(name)
    assert test.refuses(groups) is None
    assert test.question(groups).endswith("?") or "?" in test.question(groups)
    found = test.run(groups)
    assert found.p_value is not None
    assert 0 < found.p_value <= 1
    assert (found.p_error is not None) == (found.p_kind == "monte-carlo") == (found.n_resamples is not None)
    assert all(v is None or isinstance(v, str) or math.isfinite(v) for v in found.effect.values())
    assert bool(found.pairs) == bool(found.pairs_method)
    assert found == test.run(groups)


def test_all_registered_tests_are_measured_here() -> None:
    assert omnibus_tests.names() == NAMES


@pytest.mark.parametrize("name", VARIANTS)
def test_equal_numbers_have_p_1(name: str) -> None:
    groups = of_runs([1.0] * 4, [1.0] * 4, [1.0] * 4) if name.startswith(UNPAIRED) else of_items(np.ones((5, 3)))
    found = omnibus_tests.make(name).run(groups)
    assert found.p_value == 1
    assert "identical_outputs" in {n.code for n in found.notes}


@pytest.mark.parametrize("name", VARIANTS)
def test_the_order_of_the_systems_does_not_matter(name: str) -> None:
    test, groups = omnibus_tests.make(name), some(name)
    turned = Groups(names=groups.names[::-1], values=groups.values[::-1], unit=groups.unit, blocks=groups.blocks,
                    settings=groups.settings)  # fmt: skip
    there, back = test.run(groups), test.run(turned)
    assert there.p_value is not None
    assert back.p_value == pytest.approx(there.p_value, rel=1e-9, abs=5 * (there.p_error or 0))
    last = len(groups.names) - 1
    mirrored = {(last - p.system, last - p.baseline): p for p in back.pairs}
    for pair in there.pairs:
        other = mirrored[pair.baseline, pair.system]
        assert other.gain == pytest.approx(-pair.gain)
        assert other.p_adjusted == pytest.approx(pair.p_adjusted)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_large_difference_is_found_and_the_pairs_point_to_the_better_system(name: str) -> None:
    rng = np.random.default_rng(5)
    if name.startswith(UNPAIRED):
        groups = of_runs(*(rng.normal(shift, 1, 8).tolist() for shift in (0.0, 0.0, 9.0)))
    else:
        groups = of_items((rng.random((40, 3)) < (0.3, 0.3, 0.98)).astype(float))
    found = omnibus_tests.make(name).run(groups)
    assert found.p_value is not None
    assert found.p_value < 0.001
    for pair in found.pairs:
        assert (pair.system == 2) == (pair.p_adjusted < 0.05 and pair.gain > 0)


def test_refusals_say_what_to_use() -> None:
    runs, items = of_runs([1.0, 2.0], [2.0, 3.0]), of_items(np.eye(3))
    for name in NAMES:
        refusal = omnibus_tests.make(name).refuses(items if name in UNPAIRED else runs)
        assert refusal is not None
        assert name in refusal
        assert "use " in refusal
    assert "friedman" in (omnibus_tests.make("cochran-q").refuses(of_items(np.full((3, 2), 0.5))) or "")
    single = of_runs([1.0], [2.0], [1.5])
    for name in UNPAIRED:
        assert omnibus_tests.make(name).refuses(single)
    assert "anova" in (omnibus_tests.make("welch-anova").refuses(of_runs([1.0], [2.0, 3.0])) or "")


def test_very_different_variances_are_noted() -> None:
    codes = {n.code for n in omnibus_tests.make("anova").run(of_runs([1, 1.1, 1.2], [0, 5, 9])).notes}
    assert codes == {"unequal_spread"}


def test_pairs_come_in_order() -> None:
    rng = np.random.default_rng(17)
    groups = list(rng.normal(size=(4, 5)))
    expected = list(combinations(range(4), 2))
    for pairs in (anova.tukey(groups), anova.games_howell(groups), dunn(groups)):
        assert [(d.baseline, d.system) for d in pairs] == expected
    assert [(g.first, g.second) for g in rank_gaps(np.stack(groups, axis=1))] == expected


@pytest.mark.slow
@pytest.mark.parametrize("method", first(["tukey", "games_howell", "dunn", "nemenyi"], "dunn", "nemenyi"))
def test_pairs_hold_the_family_wise_level_where_nothing_differs(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # 600 replicates of 5 systems; binomial quantile 1e-6 over the level (Games-Howell is known to reach .06 at n = 6)
    monkeypatch.setattr(anova, "range_quantile", lambda *_: 1.0)  # the intervals cost more than all else
    pairs = {"tukey": anova.tukey, "games_howell": anova.games_howell, "dunn": dunn}
    rng, some_rejected = np.random.default_rng(15), 0
    for _ in range(600):
        if method == "nemenyi":
            p = [g.p_nemenyi for g in rank_gaps(rng.normal(size=(10, 5)))]
        else:
            p = [d.p_adjusted for d in pairs[method](list(rng.normal(size=(5, 6))))]
        some_rejected += min(p) <= 0.05
    assert some_rejected <= stats.binom.isf(1e-6, 600, 0.06 if method == "games_howell" else 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["anova", "welch-anova", "kruskal-wallis"])
@pytest.mark.parametrize("runs", [3, 5, 10])
def test_levels_over_normal_runs(name: str, runs: int) -> None:
    # 4,000 replicates; binomial quantile 1e-6 over the nominal level (Welch's F is approximate: .005 more)
    rng, rejected = np.random.default_rng(13), 0
    functions = {"anova": anova.analyse_one_way, "welch-anova": anova.welch_one_way, "kruskal-wallis": kruskal_wallis}
    for _ in range(4000):
        rejected += functions[name](list(rng.normal(size=(4, runs)))).p <= 0.05
    nominal = 0.06 if name == "welch-anova" else 0.05
    assert rejected <= stats.binom.isf(1e-6, 4000, nominal)


def test_a_p_too_small_for_a_number_is_the_smallest_number_and_not_zero() -> None:
    found = OmnibusFinding(p_value=0.0, p_kind="asymptotic")
    assert 0 < found.p_value < 1e-300  # type: ignore[operator]
