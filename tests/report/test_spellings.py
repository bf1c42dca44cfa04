"""What has a name of its own is spelled as papers spell it, and by none of the others' names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from outscore.report.numbers import View
from outscore.report.screen import screen_of
from outscore.results.comparison import Comparison
from outscore.results.history import Uses
from tests.report.builders import comparison, score
from tests.report.kinds import KINDS

SPELLED = {
    "alpha-spending": ("alpha spending", "the probability of any false rejection"),
    "lond": ("LOND", "the false-discovery rate"),
    "lord": ("LORD++", "the false-discovery rate"),
    "saffron": ("SAFFRON", "the false-discovery rate"),
    "addis": ("ADDIS", "the false-discovery rate"),
}


@pytest.mark.parametrize("procedure", SPELLED)
def test_a_correction_over_a_history_is_spelled_as_in_papers_with_what_it_holds(procedure: str) -> None:
    looks = KINDS["looked_at_whole"]()
    assert isinstance(looks, Uses)
    looks = replace(looks, procedure=procedure)
    name, held = SPELLED[procedure]
    screen = screen_of(looks)
    assert f" Level: by {name}, so that over all uses of a family {held}" in screen.how
    assert screen.verdict[-1].startswith(f"Under {name} at 0.1, ")


@pytest.mark.parametrize(
    ("correction", "name"),
    [("bonferroni", "Bonferroni"), ("sidak", "Šidák"), ("holm", "Holm"), ("holm-sidak", "Holm-Šidák"),
     ("hochberg", "Hochberg"), ("hommel", "Hommel"), ("bh", "Benjamini-Hochberg"), ("by", "Benjamini-Yekutieli"),
     ("max-t", "max-T"), ("max-t-step-down", "step-down max-T")],
)  # fmt: skip
def test_a_correction_is_spelled_as_in_papers(correction: str, name: str) -> None:
    made = KINDS["margins_of_many"]()
    assert isinstance(made, Comparison)
    screen = screen_of(replace(made, correction=correction))
    (tests,) = (table for table in screen.tables if table.title == "Tests")
    assert f"p {name}" in [column.header for column in tests.columns]
    assert f": p by {name}, intervals" in screen.how


@pytest.mark.parametrize(
    ("test", "name"),
    [("mcnemar", "McNemar (exact law)"), ("mcnemar:variant=midp", "McNemar mid-p"),
     ("mcnemar:variant=exact", "McNemar, exact"),
     ("t", "paired t (exact law)"), ("wilcoxon", "Wilcoxon signed ranks (exact law)"),
     ("elsewhere:x=1", "elsewhere:x=1 (exact law)")],
)  # fmt: skip
def test_a_test_is_spelled_as_in_papers(test: str, name: str) -> None:
    made = KINDS["two"]()
    assert isinstance(made, Comparison)
    screen = screen_of(replace(made, pairs=(replace(made.pairs[0], test=test),)))
    assert screen.how.startswith(f"{name[:1].upper()}{name[1:]}, two-sided. ")
    assert any(line.startswith(f"Test: {name}, two-sided ({test}).") for line in screen.method)


@pytest.mark.parametrize(
    ("letter", "written"),
    [("α", r"$\alpha$"), ("κ", r"$\kappa$"), ("π", r"$\pi$"), ("τ", r"$\tau$"), ("ω", r"$\omega$"), ("²", "$^{2}$"),
     ("⁻", None), ("−", "$-$"), ("→", r"$\to$"), ("≤", r"$\leq$"), ("≥", r"$\geq$"), ("∞", r"$\infty$"),
     ("±", r"$\pm$"), ("×", r"$\times$")],
)  # fmt: skip
def test_letters_and_signs_of_statistics_have_their_command_in_latex(letter: str, written: str | None) -> None:
    looks = KINDS["looked_at"]()
    assert isinstance(looks, Uses)
    (one, *_) = looks.test_sets
    shown = replace(looks, test_sets=(replace(one, test_set=replace(one.test_set, name=f"wmt {letter} set")),))
    assert f"wmt {letter if written is None else written} set" in shown.to_latex()


def test_a_mean_is_called_like_its_column_unless_another_metric_is() -> None:
    cost, less = "cost", "mean:column=cost,lower=true"
    for metrics, labels in (((less,), ["cost"]), ((less, cost), ["mean (column=cost,lower=true)", "cost"])):
        made = comparison([score("a", 4.5, metric=name, unit="mean") for name in metrics], [])
        assert [View(made, None).label(name) for name in made.metrics] == labels
