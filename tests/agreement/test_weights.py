"""Weights of near labels, beside irrCAC 0.4.4 (Python), which computed the numbers below."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from outscore.agreement import coefficients
from outscore.agreement.ratings import LabelTable
from outscore.base.errors import InputError, UsageError
from tests.oracles.test_oracle_agreement import estimated

ROWS = [
    *([3, 3, 3], [2, 3, 3], [1, 1, 1], [3, 3, 5], [2, 2, 1], [2, 2, 2], [3, 3, 5], [3, 5, 5], [5, 3, 3], [3, 5, 5]),
    *([1, 1, 2], [2, 2, 2], [3, 3, 2], [2, 2, 3], [3, 2, 2], [2, 2, 2], [2, 1, 1], [1, 1, 1], [3, 3, 3], [2, 2, 1]),
    *([3, 5, 5], [1, 1, 1], [5, 3, 5], [1, 1, 2], [1, 1, 1], [1, 1, 1], [2, 1, 2], [1, 1, 1], [5, 5, 5], [5, 5, 5]),
    *([5, 5, 5], [2, 2, 1], [1, 2, 1], [2, 2, 2], [3, 2, 1], [5, 3, 2], [2, 2, 2], [5, 2, 2], [1, 2, 2], [3, 2, 3]),
]
"""Ratings on a scale with a gap."""
EXPECTED = {
    "radical": {"gwet": 0.5485818384, "fleiss": 0.5123610211, "conger": 0.5138988053, "bennett": 0.5418980896},
    "ordinal": {"gwet": 0.7515350564, "fleiss": 0.7159647405, "conger": 0.7163467417, "bennett": 0.7422222222},
    "ratio": {"gwet": 0.7453993609, "fleiss": 0.7120278385, "conger": 0.7123986195, "bennett": 0.7356101242},
    "linear": {"gwet": 0.6397398121, "fleiss": 0.5918367347, "conger": 0.5928753181, "bennett": 0.6307692308},
    "quadratic": {"gwet": 0.7776832898, "fleiss": 0.7300884956, "conger": 0.7302973361, "bennett": 0.7676190476},
}
COHEN = {"radical": 0.5372933092, "ordinal": 0.7367402245, "ratio": 0.7541892634}
"""Of the first two columns; irrCAC's is called Conger's."""
PERCENT = {"radical": 0.7549017941, "ordinal": 0.9194444444, "ratio": 0.918819409}


def _table(columns: int, labels: tuple[str, ...] = ("1", "2", "3", "5")) -> LabelTable:
    codes = np.searchsorted([1, 2, 3, 5], np.array(ROWS)[:, :columns])
    return LabelTable(codes=codes, labels=labels, raters=tuple("abc"[:columns]))


@pytest.mark.parametrize("weights", EXPECTED)
def test_weights_give_the_coefficients_of_irrcac(weights: str) -> None:
    for name, value in EXPECTED[weights].items():
        assert estimated(f"{name}:weights={weights}", _table(3)).value == pytest.approx(value, abs=1e-9), name
    if weights in COHEN:
        assert estimated(f"cohen:weights={weights}", _table(2)).value == pytest.approx(COHEN[weights], abs=1e-9)
        assert estimated(f"percent:weights={weights}", _table(3)).value == pytest.approx(PERCENT[weights], abs=1e-9)


def test_ordinal_weights_go_by_the_order_of_the_numbers_and_not_of_the_labels() -> None:
    codes = np.array([3, 0, 2, 1])[_table(3).codes]
    shuffled = LabelTable(codes=codes, labels=("2", "5", "3", "1"), raters=("a", "b", "c"))
    assert estimated("gwet:weights=ordinal", shuffled).value == pytest.approx(EXPECTED["ordinal"]["gwet"], abs=1e-9)


def test_a_given_order_is_followed_where_it_is_not_that_of_the_numbers() -> None:
    """As scikit-learn's ``cohen_kappa_score`` with ``labels`` in that order; the same labels under other names."""
    given = LabelTable(codes=_table(2).codes, labels=("2", "5", "3", "1"), raters=("a", "b"), ordered=True)
    names = LabelTable(codes=_table(2).codes, labels=("L1", "L2", "L3", "L4"), raters=("a", "b"), ordered=True)
    for one in ("cohen:weights=linear", "cohen:weights=quadratic", "gwet:weights=ordinal"):
        assert estimated(one, given).value == pytest.approx(estimated(one, names).value, abs=1e-12)
    # an order that is that of the numbers keeps their distances, and ratios are of the numbers
    turned = LabelTable(codes=3 - _table(2).codes, labels=("5", "3", "2", "1"), raters=("a", "b"), ordered=True)
    plain = estimated("cohen:weights=quadratic", _table(2)).value
    assert estimated("cohen:weights=quadratic", turned).value == pytest.approx(plain, abs=1e-12)
    moved = LabelTable(
        codes=np.array([3, 0, 2, 1])[_table(3).codes], labels=("2", "5", "3", "1"), raters=("a", "b", "c")
    )
    for one in ("gwet:weights=ratio", "krippendorff:distance=ratio"):
        assert estimated(one, replace(moved, ordered=True)).value == estimated(one, moved).value


def test_ratios_need_numbers_that_are_not_negative() -> None:
    made = coefficients.make("gwet:weights=ratio")
    for labels in (("bad", "fair", "good", "best"), ("-1", "2", "3", "5")):
        ordered = LabelTable(codes=_table(3).codes, labels=labels, raters=("a", "b", "c"), ordered=True)
        assert "none of them negative" in str(made.refuses(ordered))
    assert made.refuses(_table(3)) is None


OWN = "label,a,b,c\na,1,0.5,0.2\nb,0.5,1,0.7\nc,0.2,0.7,1\n"
OF_OWN = {
    "gwet": 0.2440503966,
    "fleiss": 0.2362093352,
    "conger": 0.2415730337,
    "cohen": 0.2415730337,
    "bennett": 0.240625,
}
"""What irrCAC 0.4.4 (Python) gives with this matrix for the labels below."""


def _with_table(folder: Path, text: str) -> str:
    (folder / "credit.csv").write_text(text, encoding="utf-8")
    return str(folder / "credit.csv")


def _letters() -> LabelTable:
    pairs = ("aa", "ab", "bb", "cb", "cc", "ac", "bb", "ca", "aa", "bc")
    return LabelTable(
        codes=np.array([["abc".index(x) for x in pair] for pair in pairs]), labels=tuple("abc"), raters=("x", "y")
    )


def test_a_table_of_weights_gives_the_coefficients_of_irrcac(tmp_path: Path) -> None:
    file = _with_table(tmp_path, OWN)
    for name, value in OF_OWN.items():
        assert estimated(f"{name}:weights={file}", _letters()).value == pytest.approx(value, abs=1e-9), name
    turned = _with_table(tmp_path, "label,c,a,b\nb,0.7,0.5,1\nc,1,0.2,0.7\na,0.2,1,0.5\n")
    assert estimated(f"gwet:weights={turned}", _letters()).value == pytest.approx(OF_OWN["gwet"], abs=1e-9)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("label,a,b\na,1,0.5\nb,0.5,1\n", "no credit for 'c'"),
        (OWN.replace("b,0.5", "b,0.4"), "same both ways"),
        (OWN.replace("0.2", "1.2"), "not from 0 to 1"),
        (OWN.replace("c,0.2,0.7,1", "c,0.2,0.7,0"), "1 for the same label"),
        (OWN.replace("a,1,0.5", "a,1,much"), "'much'"),
    ],
)
def test_a_table_that_is_no_credit_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        estimated(f"cohen:weights={_with_table(tmp_path, text)}", _letters())


def test_a_word_that_is_no_weight_is_refused() -> None:
    with pytest.raises(UsageError, match="did you mean 'linear'"):
        coefficients.make("cohen:weights=linaer")


def test_weights_say_which_of_two_readings_of_a_name_is_meant() -> None:
    assert coefficients.make("ac2:weights=ordinal") == coefficients.make("gwet:weights=ordinal")
    assert coefficients.make("weighted_kappa:weights=radical") == coefficients.make("cohen:weights=radical")
    assert coefficients.make("ac2:weights=credit.csv") == coefficients.make("gwet:weights=credit.csv")
    with pytest.raises(UsageError, match=r"radical.*ordinal.*ratio or gwet:weights=TABLE.csv: say which"):
        coefficients.make("ac2")
    with pytest.raises(UsageError, match="'ratio', or a table"):
        coefficients.make("ac2:weights=best")
