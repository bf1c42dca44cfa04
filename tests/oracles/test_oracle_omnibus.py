"""Several systems at once against R (aov, oneway.test, kruskal.test, TukeyHSD, friedman.test, ptukey), Demšar 2006."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from outscore.significance.omnibus import Groups, anova, friedman, omnibus_tests
from outscore.significance.omnibus.kruskal_wallis import kruskal_wallis
from outscore.significance.settings import Settings
from tests.oracles.support import Case, agree, cases, close, family


@cases("anova_runs")
def test_one_way_over_runs(case: Case) -> None:
    groups = [np.array(runs) for runs in case["input"]["groups_runs"]]
    f, welch, h = anova.analyse_one_way(groups), anova.welch_one_way(groups), kruskal_wallis(groups)
    parts = anova.run_variance(groups)
    found: dict[str, Any] = {
        "F": f.statistic,
        "p": f.p,
        "df": [f.df, f.df_within],
        "welch_F": welch.statistic,
        "welch_df": [welch.df, welch.df_within],
        "welch_p": welch.p,
        "kw_H": h.statistic,
        "kw_p": h.p,
        "var_within": parts.within,
        "var_between_anova": parts.between,
        "tukey_p": {f"{d.system + 1}-{d.baseline + 1}": d.p_adjusted for d in anova.tukey(groups)},
    }
    agree(case, found)


@cases("anova_runs")
def test_the_named_tests_give_the_same_numbers(case: Case) -> None:
    values = tuple(np.array(runs) for runs in case["input"]["groups_runs"])
    names = tuple("abcdef"[: len(values)])
    groups = Groups(names=names, values=values, unit="run", blocks=False, settings=Settings())
    expected = case["expected"]
    for name, key in (("anova", "p"), ("welch-anova", "welch_p"), ("kruskal-wallis", "kw_p")):
        found = omnibus_tests.make(name).run(groups)
        assert found.p_value is not None
        assert close(found.p_value, expected[key], 1e-6), name
    tukey = {f"{d.system + 1}-{d.baseline + 1}": d.p_adjusted for d in omnibus_tests.make("anova").run(groups).pairs}
    for pair, p in expected["tukey_p"].items():
        assert close(tukey[pair], p, 1e-6, 1e-9), pair


@cases("friedman_nemenyi")
def test_friedman_and_what_follows_it(case: Case) -> None:
    values = np.array(case["input"]["datasets_by_systems"])
    n, k = values.shape
    corrected, plain = friedman.friedman(values), friedman.friedman(values, ties="uncorrected")
    gaps, control = friedman.rank_gaps(values), friedman.compare_to_control(values, 0)
    found: dict[str, Any] = {
        "mean_ranks_best_is_1": list(corrected.mean_ranks),
        "friedman_chi2_tie_corrected": corrected.chi2,
        "df": corrected.df,
        "p": corrected.p_chi2,
        "friedman_chi2_uncorrected_demsar": plain.chi2,
        "iman_davenport_F": corrected.f,
        "p_iman_davenport": corrected.p_f,
        "pairs": [f"{i}-{j}" for i, j in combinations(range(k), 2)],
        "z": [g.z for g in gaps],
        "p_unadjusted": [g.p for g in gaps],
        "p_holm_all_pairs": [g.p_holm for g in gaps],
        "p_nemenyi": [g.p_nemenyi for g in gaps],
        "nemenyi_CD_05": friedman.critical_difference(n, k),
        "nemenyi_CD_10": friedman.critical_difference(n, k, 0.90),
        "vs_control0_p_holm": control.p_holm.tolist(),
        "vs_control0_bonferroni_dunn": control.p_bonferroni_dunn.tolist(),
        "kendall_W": corrected.kendall_w,
        # Demšar's own table
        "mean_ranks": list(corrected.mean_ranks),
        "chi2_uncorrected": plain.chi2,
        "FF_uncorrected": plain.f,
        "p_FF": plain.p_f,
        "CD05": friedman.critical_difference(n, k),
    }
    agree(case, found)


def test_demsars_table_is_as_printed() -> None:
    case = next(c for c in family("friedman_nemenyi")["cases"] if c["id"] == "demsar2006_table6")
    printed, values = case["published"], np.array(case["input"]["datasets_by_systems"])
    plain = friedman.friedman(values, ties="uncorrected")
    np.testing.assert_allclose(plain.mean_ranks, printed["mean_ranks"], atol=5e-4)
    assert round(plain.chi2, 2) == printed["chi2"]
    assert round(plain.f, 2) == printed["FF"]
    assert round(friedman.critical_difference(14, 4), 2) == printed["CD_05_nemenyi"]
