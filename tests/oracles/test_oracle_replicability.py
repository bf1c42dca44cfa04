"""Replicability against scipy, R metap and the authors' published example; rank sets against R; ranks against numpy."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from outscore.multiplicity import ranks, replicability
from outscore.multiplicity.adjust import adjust
from outscore.significance.means import paired_t
from tests.multiplicity.plain import significantly_better
from tests.oracles.support import Case, agree, cases

COMBINATIONS: tuple[replicability.Combination, ...] = ("bonferroni", "fisher", "stouffer")


@cases("partial_conjunction")
def test_on_how_many_data_sets(case: Case) -> None:
    p = case["input"]["p_one_sided"]
    levels = {"0.05": 0.05, "0.01": 0.01}
    combined, normal = replicability.fisher(p), replicability.stouffer(p)
    found: dict[str, Any] = {
        "fisher_combined": {"chisq": combined.statistic, "df": 2 * len(p), "p": combined.p},
        "stouffer": {"z": normal.statistic, "p": normal.p},
        "simes_p": replicability.simes(p).p,
        "bonferroni_min_p": min(1.0, len(p) * min(p)),
        "holm_rejected_05": list(replicability.replicability(p).identified),
        "naive_count_05": sum(one <= 0.05 for one in p),
    }
    for name in COMBINATIONS:
        one = replicability.replicability(p, combination=name)
        found[f"pc_p_{name}_u"] = one.p.tolist()
        found[f"pc_p_{name}_u_monotone"] = one.p_monotone.tolist()
        found[f"khat_{name}"] = {
            key: replicability.replicability(p, alpha=alpha, combination=name).count for key, alpha in levels.items()
        }
    assert found["bonferroni_min_p"] == replicability.replicability(p).p[0]
    agree(case, found)


@cases("rank_sets")
def test_rank_sets_of_paired_t_tests(case: Case) -> None:
    table = np.array(case["input"]["items_by_systems"])
    k = table.shape[1]
    pairs = list(combinations(range(k), 2))
    tests = [paired_t(table[:, i] - table[:, j]) for i, j in pairs]
    p = adjust([t.p for t in tests], "holm")
    gains = np.array([t.estimate for t in tests])
    better = significantly_better(k, pairs, gains, p, case["input"]["alpha"])
    sets = ranks.rank_sets(better)
    means = table.mean(axis=0)
    found = {
        "means": means.tolist(),
        "pairs": [f"{i}-{j}" for i, j in pairs],
        "p": [t.p for t in tests],
        "p_holm": p.tolist(),
        "rank_lower_best_possible": list(sets.best),
        "rank_upper_worst_possible": list(sets.worst),
        "best_set": list(sets.leaders),
        "indistinguishable_from_leader": np.flatnonzero(~better[means.argmax()]).tolist(),
    }
    agree(case, found)


@cases("rank_bootstrap")
def test_ranks_of_redrawn_scores(case: Case) -> None:
    found = ranks.bootstrap_ranks(np.array(case["input"]["bootstrap_scores_B_by_K"]))
    answer = {
        "rank_ci95": [list(ends) for ends in found.intervals],
        "mean_rank": found.mean.tolist(),
        "prob_best_ties_split": found.first.tolist(),
        "prob_i_beats_j": found.beats.tolist(),
    }
    agree(case, answer)
