"""Numbers that somebody chose, proportions and p-values with a level of their own, as results write them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from outscore.report import tables_of
from outscore.report.writer import ReportWriter
from outscore.results.audit import Audit
from outscore.results.history import Uses
from tests.report.kinds import KINDS

W = ReportWriter(KINDS["two"](), None)


@pytest.mark.parametrize(
    ("value", "unit", "metric", "text"),
    [
        (0.05, "", "", "0.05"),
        (1500, "", "", "1,500"),
        (0.02, "accuracy 0-1", "", "2 points of accuracy"),
        (0.01, "accuracy 0-1", "accuracy", "1 point of accuracy"),
        (1.25, "BLEU 0-100", "bleu:tokenize=char", "1.25 BLEU"),
        (1.25, "BLEU 0-100", "", "1.25 BLEU"),
        (0.35, "unit of the scores", "", "0.35"),
        (0.35, "units of the score", "mean", "0.35"),
        (None, "BLEU 0-100", "bleu", "–"),
        (float("inf"), "", "", "–"),
    ],
)
def test_a_chosen_number_has_its_own_digits_and_the_unit_of_its_metric(
    value: float | None, unit: str, metric: str, text: str
) -> None:
    assert W.given(value, unit, metric) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, ".000"), (0.0004, "< .001"), (0.05, ".050"), (0.9996, "> .999"), (1.0, "1.000"), (None, "–")],
)
def test_a_proportion_claims_no_certainty_that_is_none(share: float | None, text: str) -> None:
    audit = KINDS["audited"]()
    assert isinstance(audit, Audit)
    (first, *_) = audit.checks
    table = tables_of(replace(audit, checks=(replace(first, level=share, level_ci=None),)))[0]
    at = next(i for i, column in enumerate(table.columns) if column.header == "level")
    assert table.rows[0][at].text == text
    assert table.rows[0][at].tail == ("" if share is None else "[–]")


def test_p_has_the_digits_that_its_own_level_needs() -> None:
    """Both are .003 in three digits, but one lies above its level of .00345 and must not seem to lie below."""
    uses = KINDS["looked_at"]()
    assert isinstance(uses, Uses)
    entries = tuple(
        replace(use, level=0.00345, comparison=replace(use.comparison, p_value=p))
        for use, p in zip(uses.uses, (0.00344, 0.00346), strict=True)
    )
    table = next(t for t in tables_of(replace(uses, uses=entries)) if t.title == "Comparisons")
    at = next(i for i, column in enumerate(table.columns) if column.header == "p")
    assert [row[at].text for row in table.rows] == [".003", ".0035"]
