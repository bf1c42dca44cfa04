"""Sentences of results whose conditions few data meet, each with numbers and names that are all different."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from outscore.base.notes import Note
from outscore.report.screen import Screen, screen_of
from outscore.results.agreement import Agreement
from outscore.results.audit import Audit
from outscore.results.comparison import Comparison
from outscore.results.details import describe_test
from outscore.results.leaderboard import Leaderboard
from outscore.results.pairs import Otherwise
from outscore.results.power import Power, RunsAndItems
from outscore.results.replication import Replication
from outscore.results.result import Result
from outscore.results.scores import Scores
from outscore.results.sequences import Sequences
from tests.report.kinds import KINDS, rare


def kind(name: str, of: type[Any], **changes: Any) -> Any:
    """A result of the collection with some fields of its own."""
    plain = KINDS[name]()
    assert isinstance(plain, of)
    return replace(plain, **changes)


def said(result: Result) -> str:
    return " ".join(screen_of(result).verdict)


def headings(screen: Screen, title: str) -> list[str]:
    (table,) = (table for table in screen.tables if table.title == title)
    return [column.header for column in table.columns]


# --- agreement --------------------------------------------------------------------------------------------------------


def in_domains(*gains: tuple[str, float | None, tuple[float, float] | None], others: bool = False) -> Agreement:
    """Two annotators on ``news`` and on domains that are compared with it."""
    plain = kind("agreement_of_two", Agreement)
    whole, distance, news, talk = plain.coefficients
    compared = [replace(talk, domain=domain, gain=gain, gain_ci=ci) for domain, gain, ci in gains]
    more = [replace(distance, domain="news")] if others else []
    result: Agreement = replace(plain, coefficients=(whole, distance, news, *more, *compared))
    return result


@pytest.mark.parametrize(
    ("domain", "sentence"),
    [
        (("talk", 0.0713, (0.0012, 0.1431)), "is 0.071 higher in talk than in news (95% CI 0.001 to 0.143)"),
        (("talk", -0.0713, (-0.1431, -0.0012)), "is 0.071 lower in talk than in news (95% CI 0.001 to 0.143)"),
        (
            ("talk", 0.0713, (-0.0212, 0.1431)),
            "is not shown to differ from that of news in talk (+0.071, 95% CI -0.021 to 0.143)",
        ),
        (("talk", -0.0713, None), "is not shown to differ from that of news in talk (-0.071)"),
        (("talk", None, None), "is not shown to differ from that of news in talk (undefined)"),
    ],
)
def test_a_domain_is_compared_with_the_first_one(domain: tuple[Any, Any, Any], sentence: str) -> None:
    assert f"Cohen's κ {sentence}." in said(in_domains(domain)).replace("\u2212", "-")


def test_domains_that_are_not_shown_to_differ_share_a_clause_after_those_that_do() -> None:
    result = in_domains(("talk", 0.02, None), ("web", 0.0713, (0.0012, 0.1431)), ("mail", 0.03, None))
    assert (
        "is 0.071 higher in web than in news (95% CI 0.001 to 0.143); "
        "is not shown to differ from that of news in talk (+0.020) and mail (+0.030)."
    ) in said(result)


def test_coefficients_by_domain_are_named_before_their_values() -> None:
    screen = screen_of(in_domains(("talk", 0.0713, (0.0012, 0.1431)), others=True))
    assert headings(screen, "All coefficients by domain") == ["coefficient", "value", "less that of news"]


# --- confusion --------------------------------------------------------------------------------------------------------


def test_errors_are_counted_over_all_runs() -> None:
    plain = kind("confusions", Scores)
    ash, _, _ = plain.matrices
    again = replace(ash, run="2", counts=((11, 9, 1), (0, 17, 3), (2, 4, 13)))
    one = replace(plain, scores=plain.scores[:1], matrices=(ash, again))
    assert said(one).endswith("; most often wrong: neg taken for neu (12 of 47 over 2 runs).")


# --- ranks ------------------------------------------------------------------------------------------------------------


def test_mean_ranks_say_how_many_pairs_differ_by_each_test() -> None:
    plain = kind("board", Leaderboard)
    (ranks,) = plain.mean_ranks
    first, second, third = ranks.gaps
    gaps = (first, replace(second, p_nemenyi=0.021, p_wilcoxon=0.031), replace(third, p_wilcoxon=0.041))
    result = replace(plain, mean_ranks=(replace(ranks, gaps=gaps, p_kind="asymptotic"),))
    method = " ".join(screen_of(result).method)
    assert "Friedman: p = .50 (F with 4 and 5 df); χ² 3" in method
    assert "1 of 3 pairs differ by Nemenyi, 2 by Wilcoxon with Holm" in method


def test_friedmans_f_of_data_sets_has_the_freedom_of_systems_and_then_of_blocks() -> None:
    plain = kind("replicated", Replication)
    (ranking,) = plain.rankings
    result = replace(plain, rankings=(replace(ranking, p_kind="asymptotic"),))
    assert "(F with 2 and 4 df); χ² 5.64, Iman-Davenport F 31" in " ".join(screen_of(result).method)


# --- sequences --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("decision", "sentence"),
    [
        ("better", "birch outscores ash after"),
        ("worse", "ash outscores birch after"),
        ("equivalent", "birch is equivalent to ash within 0.1 after"),
        ("not-worse", "birch is not worse than ash by 0.1 or more after"),
        ("undecided", "birch is not shown to differ from ash after"),
    ],
)
def test_each_decision_of_a_sequence_names_the_system_and_the_baseline(decision: str, sentence: str) -> None:
    plain = kind("sequence", Sequences)
    (one,) = plain.sequences
    result = replace(plain, margin=0.1, sequences=(replace(one, decision=decision),))
    assert said(result).startswith(sentence)


# --- comparisons, boards, posteriors and audits -----------------------------------------------------------------------


def test_a_note_stands_with_the_numbers_that_it_leads_to() -> None:
    plain = kind("two", Comparison)
    other = Otherwise(
        note="clusters_ignored", how="the documents as clusters", gain=0.11, ci=(-0.04, 0.26), p_value=0.3
    )
    changing = Note(code="clusters_ignored", text="items are alike", remedy="give the clusters")
    pairs = (replace(plain.pairs[0], otherwise=other), *plain.pairs[1:])
    note = screen_of(replace(plain, pairs=pairs, notes=(changing,))).notes[0]
    assert note.remedy == "With the documents as clusters: birch +0.11000 (-0.04000 to 0.26000, p = .30)."
    assert screen_of(replace(plain, notes=(changing,))).notes[0].remedy == "give the clusters"


def test_of_many_metrics_those_who_may_be_first_by_all_are_named_in_the_order_of_the_first() -> None:
    plain = kind("board", Leaderboard, mean_ranks=())
    cedar, ash, birch = (next(p for p in plain.places if p.system == name) for name in ("cedar", "ash", "birch"))
    orders = [(cedar, ash, birch), (ash, cedar, birch), (cedar, ash, birch), (birch, cedar, ash), (cedar, birch, ash)]
    metrics = [f"m{number}" for number in range(len(orders))]
    result = replace(
        plain,
        scores=tuple(replace(score, metric=metric) for metric in metrics for score in plain.scores),
        pairs=tuple(replace(pair, metric=metric) for metric in metrics for pair in plain.pairs),
        places=tuple(
            replace(place, metric=metric, rank=rank, best=1 if place is not birch else rank)
            for metric, order in zip(metrics, orders, strict=True)
            for rank, place in enumerate(order, 1)
        ),
    )
    assert said(result).startswith(
        "Of 3 systems cedar leads most often: by 3 of 5 metrics. cedar and ash may be first by every metric. "
    )


@pytest.mark.parametrize(
    ("better", "ci", "shown"), [(1.0, (0.02, 0.09), "> .999"), (0.0, (0.02, 0.09), "< .001"), (1.0, (0.05, 0.05), "1")]
)
def test_no_chance_is_certain_unless_all_belief_lies_on_one_number(
    better: float, ci: tuple[float, float], shown: str
) -> None:
    plain = kind("posterior", Comparison)
    one = replace(plain.posteriors[0], better=better, ci=ci)
    table = next(t for t in screen_of(replace(plain, posteriors=(one,))).tables if t.title.startswith("Posterior"))
    place = [column.header for column in table.columns].index("P(better)")
    assert table.rows[0][place].text.startswith(shown)


def test_tests_that_hold_their_level_are_listed_in_their_order() -> None:
    plain = kind("audited_and_kept", Audit)
    checks = tuple(replace(plain.checks[0], test=test, verdict="holds") for test in ("t", "wilcoxon", "sign"))
    assert "holds for paired t, Wilcoxon signed ranks and sign test." in said(replace(plain, checks=checks))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("crossed", "crossed t over runs and items"),
        ("runs", "Welch t over runs"),
        ("multibootstrap", "multi-bootstrap"),
        ("friedman", "Friedman"),
        ("cochran-q", "Cochran Q"),
        ("kruskal-wallis", "Kruskal-Wallis"),
        ("anova", "one-way ANOVA"),
        ("welch-anova", "Welch ANOVA"),
        ("student", "Student t"),
        ("welch", "Welch t"),
        ("mann-whitney", "Mann-Whitney"),
        ("brunner-munzel", "Brunner-Munzel"),
        ("fisher", "Fisher, exact"),
        ("chi2", "chi-squared"),
        ("aso", "almost stochastic order"),
    ],
)
def test_tests_are_called_as_papers_call_them(name: str, words: str) -> None:
    assert describe_test(name) == words


def test_no_metric_is_said_to_agree_better_where_p_and_the_interval_disagree() -> None:
    led = rare.correlations_led()
    assert "comet agrees better with human than chrf" in led.sentence
    first, *more = led.pairs
    split = replace(led, pairs=(replace(first, ci=(-0.2731, 0.0193)), *more))
    assert "comet is not shown to agree better with human than chrf" in split.sentence
    assert "p = .041, p and interval disagree)" in split.sentence


def test_that_scores_are_not_tested_is_said_once_after_those_of_all_metrics() -> None:
    many = kind("scores_of_many", Scores)
    both = replace(many, scores=(*many.scores, *(replace(score, metric="f1") for score in many.scores)))
    first, second = both.sentence.split(". (")[0].split(". ")
    assert first.endswith("dill last (0.3000)")
    assert second.endswith("dill last (0.3000); whether they differ is not tested here: outscore rank")


def test_the_runs_that_would_be_enough_stand_behind_the_power_that_is_wanted() -> None:
    enough = RunsAndItems(runs=9, items=150, cost=1.0, power=0.8, best=True)
    plan = kind("planned_fake", Power, runs_needed=enough)
    assert (
        "no number of items has 80% with these runs: take 9 runs of each system, which need 150 items" in plan.sentence
    )
