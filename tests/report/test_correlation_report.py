"""What is told of metrics against humans: which agrees best, whether that is shown, and by how much."""

from __future__ import annotations

from dataclasses import replace

from outscore.base.notes import Note
from outscore.report import tables_of
from outscore.results.correlation import Correlation, CorrelationGain, Correlations
from tests.report.kinds.metrics_and_people import correlations


def first(result: Correlations) -> str:
    """The first screen on one line."""
    text = result.to("terminal:columns=80")
    assert len(text.splitlines()) <= 30
    return " ".join(text.split())


def of_systems(p: float, *, gain: float = -0.1411, notes: tuple[str, ...] = ()) -> Correlations:
    """Pearson over systems alone: chrF .787, COMET .928, and the test between them."""
    plain = correlations()
    (one,) = (g for g in plain.pairs if (g.level, g.coefficient) == ("system", "pearson"))
    return replace(
        plain,
        notes=tuple(Note(code=code, text="a note") for code in notes),
        correlations=plain.correlations[:2],
        pairs=(replace(one, gain=gain, ci=(-0.3, -0.05), p_value=p, p_adjusted=p, notes=notes),),
    )


def test_of_two_metrics_the_better_one_is_named_first_with_both_values_and_their_difference() -> None:
    said = first(of_systems(0.012))
    assert said.startswith(
        "comet agrees better with human than chrf: Pearson r over systems 0.928 against 0.787 "
        "(difference 0.141, 95% CI 0.050 to 0.300, p = .012)."
    )


def test_a_difference_that_is_not_shown_is_said_so() -> None:
    assert first(of_systems(0.07)).startswith("comet is not shown to agree better with human than chrf: Pearson r")


def test_a_note_that_changes_the_answer_is_pointed_to_where_a_difference_is_claimed() -> None:
    assert "p = .012), BUT see !. " in first(of_systems(0.012, notes=("few_to_exchange",)))
    assert "BUT" not in first(of_systems(0.3, notes=("few_to_exchange",)))


def test_every_metric_is_shown_with_what_it_lacks_of_the_best_of_its_coefficient() -> None:
    (table, *_) = tables_of(correlations())
    rows = [[cell.plain for cell in row] for row in table.rows]
    assert rows[0] == ["chrf!", "Pearson r", "0.787 [-0.887, 1.000]", "-0.141 [-1.730, +0.667]", ".25"]
    assert rows[1] == ["comet", "Pearson r", "0.928 [-0.056, 1.000]", "", ""]
    assert [block.heading for block in table.blocks] == ["Systems", "Segments, within items"]


def test_each_level_has_its_sentence_and_the_rest_is_counted() -> None:
    said = first(correlations())
    assert "Pearson r over systems 0.928 against 0.787" in said
    assert "Pearson r over segments within items 0.789 against 0.548" in said
    assert "In 0 of 4 comparisons, over all levels and coefficients, one metric is shown to agree better." in said


def test_the_best_of_three_is_told_with_those_that_it_is_shown_to_pass() -> None:
    plain = of_systems(0.012)
    third = replace(plain.correlations[0], metric="human", value=0.5)  # any name that has scores
    gain = plain.pairs[0]
    more = (
        replace(gain, metric="human", other="comet", p_value=0.6, p_adjusted=0.6),
        replace(gain, metric="human", other="chrf", p_value=0.001, p_adjusted=0.001),
    )
    three = replace(plain, correlations=(*plain.correlations, third), pairs=(gain, *more))
    said = first(three)
    assert said.startswith(
        "comet is nearest to human, Pearson r over systems 0.928 (95% CI -0.056 to 1.000); shown to agree better "
        "than chrf; not shown to agree better than human."
    )
    told_apart = replace(three, pairs=(gain, replace(more[0], p_adjusted=0.001), more[1]))
    assert first(told_apart).startswith("comet agrees best with human, Pearson r over systems 0.928 (95% CI")
    assert "shown to agree better than chrf and human." in first(told_apart)
    untested = replace(three, pairs=())
    assert first(untested).startswith(
        "comet is nearest to human, Pearson r over systems 0.928 (95% CI -0.056 to 1.000)."
    )


def test_a_correlation_that_is_undefined_is_not_made_up() -> None:
    plain = of_systems(0.012)
    nothing: list[Correlation] = [replace(c, value=None, ci=None) for c in plain.correlations]
    gains: tuple[CorrelationGain, ...] = ()
    assert first(replace(plain, correlations=tuple(nothing), pairs=gains)).startswith(
        "Pearson r over systems with human is undefined."
    )
