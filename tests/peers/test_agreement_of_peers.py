"""Agreement by chance as other tools have it: their numbers and their source, and why ours differ where they do."""

from __future__ import annotations

import pytest

import outscore
from outscore.results.annotators import Coefficient

Table = tuple[tuple[int, ...], ...]

COMMON: Table = ((20, 5), (10, 15))
THREE: Table = ((25, 6, 2), (4, 18, 5), (1, 3, 16))
RARE: Table = ((88, 4), (5, 3))

STATSMODELS = {
    # statsmodels 0.15.0, inter_rater.cohens_kappa: kappa, std_kappa0, pvalue_two_sided
    ("cohen", COMMON): (0.3999999999999999, 0.13856406460551018, 0.0038924171227786367),
    ("cohen", THREE): (0.6019900497512438, 0.07934015120855692, 3.262427943680282e-14),
    ("cohen:weights=linear", THREE): (0.6559139784946236, 0.08789130496920329, 8.471203332986074e-14),
    ("cohen:weights=quadratic", THREE): (0.7107736804049167, 0.11130660932878544, 1.705844888746222e-10),
}


def of_table(table: Table, name: str) -> Coefficient:
    pairs = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    data = {"a": [str(i) for i, _ in pairs], "b": [str(j) for _, j in pairs]}
    return outscore.agree(data, coefficients=name, n_resamples=2000, disputed=0).coefficients[0]


@pytest.mark.parametrize(("name", "table"), STATSMODELS)
def test_the_null_variance_of_kappa_is_that_of_statsmodels(name: str, table: Table) -> None:
    found = of_table(table, name)
    assert found.p_method == "null variance"
    wanted = STATSMODELS[name, table]
    assert (found.value, found.null_se, found.p_value) == pytest.approx(wanted, rel=1e-9)


def test_rare_labels_are_relabelled_where_statsmodels_takes_the_normal_law() -> None:
    """statsmodels 0.15.0: p = .00042 by the normal law, although .56 pairs of the rare label are expected by chance."""
    from scipy.stats import hypergeom

    found = of_table(RARE, "cohen")
    assert found.value == pytest.approx(0.35158501440922174)
    assert found.p_method == "relabelling"
    # given the labels of both, how many units get the rare one twice is hypergeometric: 3 or more of 8 and 7
    exact = float(hypergeom(100, 8, 7).sf(2))
    assert exact > 10 * 0.0004234658773912733
    assert found.p_value == pytest.approx(exact, abs=5 * (exact / 2000) ** 0.5 + 1 / 2001)


def test_the_standard_error_of_kappa_is_that_of_psych() -> None:
    """R psych 2.2.9, cohen.kappa: var.kappa."""
    found = of_table(RARE, "cohen")
    assert (found.se or 0) ** 2 == pytest.approx(0.0282770103098)
