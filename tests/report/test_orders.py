"""What stands before what in sentences and drawings: parts of one text that could be put the other way round."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import Any

import outscore
from outscore.base.notes import Note
from outscore.report.formats.latex import escape
from outscore.report.html.charts import Ruler, draw_histogram, draw_ranks, draw_squares
from outscore.report.plots import charts_of, to_column
from outscore.report.plots.theme import BLUE, GREEN, ORANGE, PURPLE, SKY, YELLOW
from outscore.report.screen import screen_of
from outscore.report.writer import ReportWriter
from outscore.results.humans import Humans
from outscore.results.leaderboard import Leaderboard
from outscore.results.pictures import Histogram, Plane, RankBars, Squares
from outscore.results.replication import Replication
from outscore.results.sequences import Sequences
from tests.report.kinds import KINDS


def test_the_paragraph_of_a_plan_names_null_effect_target_and_items() -> None:
    text = outscore.plan("t:sd=1", effect=0.5).to("methods")
    assert (
        "its null hypothesis, the mean difference on new items is 0, is rejected where there is a gain of 0.5" in text
    )
    assert r"A power of 80\% takes 34 items." in text


def test_a_notebook_says_how_it_was_tested_before_what_is_folded() -> None:
    shown = outscore.compare({"a": [0.1, 0.5, 0.9], "b": [0.4, 0.6, 1.0]}, metrics="mean").to("notebook")
    assert 0 < shown.index("<p>Paired") < shown.index("<details>")


def test_a_notebook_warns_before_its_picture() -> None:
    shown = KINDS["two"]().to("notebook")
    assert 0 < shown.index("what clusters_ignored says") < shown.index("<img")


def test_the_size_of_judgments_has_clusters_before_raters() -> None:
    made = KINDS["humans"]()
    assert isinstance(made, Humans)
    held = replace(made, provenance=replace(made.provenance, n_clusters=7, cluster="document"))
    assert "20 items in 7 clusters (document), 2 raters" in held.to("terminal:columns=200,detail=full")


def test_a_picture_of_sequences_says_its_band_before_what_is_left_out() -> None:
    made = KINDS["sequence"]()
    assert isinstance(made, Sequences)
    many = replace(made, sequences=made.sequences * 40)
    (under,) = (chart.under for chart in charts_of(many))
    assert under[0].startswith("Band:") and re.fullmatch(r"\d+ other sequences left out", under[1])


def test_the_corner_of_a_matrix_names_rows_before_columns() -> None:
    rows = tuple({"gold": g, "said": s, "share": 0.5} for g in "xy" for s in "xy")
    panel = Squares(
        names=("x", "y"), rows=rows, down="said", across="gold", titles=("said", "meant"), share="share", text="share"
    )
    assert "said \\ meant" in str(draw_squares(panel))


def test_an_interval_beside_ranks_goes_from_its_low_to_its_high_end() -> None:
    row = {"system": "a", "value": 2.0, "said": "2", "low": 1.0, "high": 4.0, "rank": 1, "from": 1, "to": 1}
    other = {**row, "system": "b", "value": 0.0, "low": -1.0, "high": 1.0}
    drawn = str(draw_ranks(RankBars(rows=(row, other), tiers=(), axis="Score")))
    ends = [
        (float(a), float(b)) for a, b in re.findall(r'<line x1="([\d.]+)%" x2="([\d.]+)%" y1="50%" y2="50%"', drawn)
    ]
    (first, second) = ends[:2]
    assert first[0] < first[1] and second[0] < second[1] == first[0]


def test_signs_have_their_commands_in_latex() -> None:
    said = r"$\uparrow$ $\downarrow$ -- --- $\pm$ $\times$ $\leq$ $\geq$ $-$ $\to$ $\infty$"
    assert escape("↑ ↓ – — ± × ≤ ≥ − → ∞") == said


def test_superscripts_are_digits_in_latex() -> None:
    assert escape("x⁰¹²³⁴⁵⁶⁷⁸⁹") == "x" + "".join(f"$^{{{i}}}$" for i in range(10))


def test_numbers_stand_right_and_names_left_in_a_notebook() -> None:
    text = KINDS["two"]().to("notebook")
    assert '<td style="text-align: left">birch' in text
    assert re.search(r'<td style="text-align: right">-?[\d.]+', text)


def test_each_colour_has_its_grey_in_a_column() -> None:
    drawn: list[dict[str, Any]] = []

    def draw(spec: dict[str, Any]) -> str:
        drawn.append(spec)
        return '<svg width="100" height="100">'

    to_column({"range": [BLUE, ORANGE, GREEN, PURPLE, SKY, YELLOW]}, draw)
    assert drawn[0]["range"] == ["#262626", "#808080", "#5c5c5c", "#a3a3a3", "#bdbdbd", "#d6d6d6"]


def test_the_gain_on_data_sets_stands_before_what_to_see() -> None:
    made = KINDS["replicated"]()
    assert isinstance(made, Replication)
    warned = tuple(replace(gain, notes=("clusters_ignored",)) for gain in made.set_gains)
    holds = tuple(replace(one, count=1, holds_on=("a",)) for one in made.replicated)
    note = Note(code="clusters_ignored", text="items are alike", remedy="give the clusters")
    said = " ".join(screen_of(replace(made, set_gains=warned, replicated=holds, notes=(note,))).verdict)
    assert re.search(r"; mean gain [^;]+, BUT see !\.", said)


def test_the_paragraph_of_agreement_names_coefficient_and_chance_level_and_method() -> None:
    text = KINDS["agreement"]().to("methods")
    assert "Percent agreement corrects for nothing: raters who guess agree often" in text
    assert r"95\% intervals are made by BCa bootstrap over 10,000 resamples; the seed is 12345." in text


def test_those_near_the_best_rank_lie_less_than_the_critical_difference_behind_it() -> None:
    made = KINDS["board"]()
    assert isinstance(made, Leaderboard)
    (ranks,) = made.mean_ranks
    assert ranks.mean_ranks == (1.0, 2.5, 2.534)
    writer = ReportWriter(made, None)
    for difference, said in ((1.4, "no other lies"), (1.52, "1 other lies"), (2.0, "2 others lie")):
        assert said in replace(ranks, critical_difference=difference).verdict(writer, 0.05)


def test_bars_of_a_histogram_stand_side_by_side() -> None:
    ends = {"edges": (0.0, 1.0, 2.0, 4.0), "counts": (1, 2, 1), "spread": (0.5, 4.5)}
    drawn = str(draw_histogram(Histogram(heading="h", axis="a", observed=3.0, **ends)))  # type: ignore[arg-type]
    assert drawn.count('class="across"') == 2
    bars = [(float(x), float(w)) for x, w in re.findall(r'<rect x="([\d.]+)%" y="[^"]+" width="([\d.]+)%"', drawn)]
    assert len(bars) == 3
    for (x, wide), (following, _) in itertools.pairwise(bars):
        assert abs(x + wide - following) < 0.01


def test_claims_come_metric_by_metric_and_then_by_how_many_sets_they_hold_on() -> None:
    made = KINDS["replicated"]()
    assert isinstance(made, Replication)
    claims = tuple(
        replace(one, metric=metric, count=count)
        for metric in ("second", "first")
        for one, count in zip(made.replicated, (1, 3), strict=True)
    )
    ordered = replace(made, replicated=claims)._in_order(claims)
    assert [(one.metric, one.count) for one in ordered] == [("second", 3), ("second", 1), ("first", 3), ("first", 1)]


def test_ticks_are_no_farther_apart_than_they_need_be() -> None:
    assert Ruler(0.0, 5.0 * 2).ticks == [0, 2, 4, 6, 8, 10]


def test_a_picture_by_threshold_says_the_system_and_then_where_it_is_best() -> None:
    scores = [0.1, 0.4, 0.35, 0.8, 0.9, 0.2]
    found = outscore.score({"birch": scores}, references=list("001110"), metrics="auc", curve="threshold")
    (chart,) = (chart for chart in charts_of(found) if "threshold" in chart.heading)
    assert re.match(r"birch: accuracy is highest above 0\.\d+, \d", chart.title)
    above, below = chart.panels
    assert isinstance(above, Plane) and isinstance(below, Plane)
    assert {mark.signs.field for mark in above.marks if mark.signs} == {"of"}
    assert "taken" in {mark.signs.field for mark in below.marks if mark.signs}


def test_many_sequences_are_counted_by_baseline_and_margin() -> None:
    made = KINDS["sequence"]()
    assert isinstance(made, Sequences)
    (one,) = made.sequences
    many = tuple(replace(one, system=f"s{i}", decision="equivalent") for i in range(9))
    said = " ".join(screen_of(replace(made, margin=0.1, sequences=many)).verdict)
    assert "9 equivalent to ash within 0.1" in said
