"""``outscore power`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.commandline import outscore, texts


@pytest.fixture
def pilot(tmp_path: Path) -> list[str]:
    rng = np.random.default_rng(1)
    base = rng.normal(size=120)
    for name, scores in (("base", base), ("new", base + rng.normal(0.1, 0.5, 120))):
        (tmp_path / f"{name}.seg").write_text("".join(f"{x:.4f}\n" for x in scores), encoding="utf-8")
    return [f"{name}={tmp_path / name}.seg" for name in ("base", "new")]


def test_a_design_by_name() -> None:
    done = outscore("power", "t:sd=0.3", "--effect", "0.02")
    assert done.code == 0
    assert done.out.startswith("To find a gain of 0.02 with 80% power you need 1,768 items.\n")


def test_a_range_says_what_it_is_of_on_the_first_screen_alone() -> None:
    plain, verbose = (outscore("power", "mcnemar:baseline=0.6", "--effect", "0.1", *more).out for more in ((), ("-v",)))
    for text in (plain, verbose):
        assert "power [range]" in text
        assert text.count("Range: from the least agreement to the most.") == 1
    assert "agreement=0.9 says it" in plain
    assert "Range" not in outscore("power", "mcnemar:baseline=0.6,agreement=0.9", "--effect", "0.1", "-v").out


def test_a_pilot(pilot: list[str]) -> None:
    options = ("--effect", "0.15", "--sizes", "50,150", "--simulations", "50", "-n", "99", "-f", "json")
    done = outscore("power", *pilot, *options)
    assert done.code == 0
    found = json.loads(done.out)
    assert [point["n"] for point in found["points"]] == [50, 150]
    assert found["pilot_items"] == 120
    assert found["p_kind"] == "monte-carlo"


def test_observed_power_is_refused(pilot: list[str]) -> None:
    done = outscore("power", *pilot, "--effect", "observed")
    assert done.code == 2
    assert "p-value in another form" in done.err
    assert len(done.err.splitlines()) == 1


def test_a_pilot_that_cannot_be_drawn_from_names_what_can_be_typed(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    rows = [f"{i},{i % 2},{(i + i // 20) % 2},{i % 3 // 2}" for i in range(60)]
    table.write_text("\n".join(["item,a,b,c", *rows]) + "\n", encoding="utf-8")
    done = outscore("power", table, "--effect", "0.1")
    assert done.complaint.endswith("of a table as 'FILE#a' 'FILE#b'")
    for effect, plan in (
        ("0.1", "mcnemar:baseline=0.5,agreement=0.6667"),  # 20 of 60 differ
        ("0.5", "mcnemar:baseline=0.5"),  # more than differ
    ):
        done = outscore("power", f"{table}#a", f"{table}#b", "--effect", effect, "--by", "exchange")
        assert done.code == 2
        design = done.complaint.partition(", with ")[2].partition(" ")[0]
        assert design == plan
        assert outscore("power", design, "--effect", effect).code == 0


def test_a_gain_larger_than_that_of_the_pilot_is_planned_without_it(tmp_path: Path) -> None:
    """Exchanging outputs makes no such gain: how often systems agree is taken from the pilot, or the spread."""
    table = tmp_path / "t.csv"
    rows = [f"{i},{i % 2},{(i + i // 20) % 2}" for i in range(60)]  # 20 of 60 differ, the gain is 0
    table.write_text("\n".join(["item,a,b", *rows]) + "\n", encoding="utf-8")

    def needed(*arguments: str) -> tuple[int, str]:
        done = outscore("power", *arguments, "-f", "json")
        assert done.code == 0, done.err
        found = json.loads(done.out)
        return found["items_needed"], found["assumes"]

    pilot = (f"{table}#a", f"{table}#b")
    items, assumes = needed(*pilot, "--effect", "0.1")
    assert assumes.startswith("of the pilot how often its systems agree and nothing else; ")
    assert items == needed(f"mcnemar:baseline=0.5,agreement={2 / 3}", "--effect", "0.1")[0]
    items, assumes = needed(*pilot, "--effect", "0.4")
    assert assumes.startswith("of the pilot how often its baseline is right and nothing else; ")
    assert items == needed("mcnemar:baseline=0.5", "--effect", "0.4")[0]
    done = outscore("power", *pilot, "--effect", "0.6")
    assert done.code == 2
    assert done.complaint.endswith("accuracy 1.1: expected a proportion from 0 to 1; a gain of 2 points is 0.02")


def test_a_corpus_score_is_planned_by_the_spread_of_its_items(tmp_path: Path) -> None:
    done = outscore("power", *texts(tmp_path), "-m", "bleu", "--effect", "60", "-f", "json")
    found = json.loads(done.out)
    assert found["assumes"].startswith("of the pilot the spread of its items and nothing else; ")
    assert abs(found["pilot_gain"]) < 60


def test_a_gain_larger_than_that_of_a_pilot_in_clusters_is_planned_by_their_spread(tmp_path: Path) -> None:
    """Of a mean the spread of sums of clusters is known; and what the refusal names gives the same number."""
    table = tmp_path / "t.csv"
    rows = [f"{i},d{i // 3},{i // 3 % 2},{(i // 3 + i // 6 % 3 // 2 + i // 50) % 2}" for i in range(180)]
    table.write_text("\n".join(["item,doc,a,b", *rows]) + "\n", encoding="utf-8")
    pilot = ("power", f"{table}#a", f"{table}#b", "--cluster", "doc", "--effect", "0.3")
    done = outscore(*pilot, "-f", "json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["assumes"].startswith("of the pilot the spread of its clusters and nothing else; ")
    a, b = (np.array([int(row.split(",")[k]) for row in rows]) for k in (2, 3))
    spread = (b - a).reshape(60, 3).mean(axis=1).std(ddof=1)
    items = outscore("power", f"t:sd={spread:.15g}", "--effect", "0.3", "--design-effect", "3", "-f", "json")
    assert found["items_needed"] == json.loads(items.out)["items_needed"]
    refused = outscore(*pilot, "--by", "exchange")
    assert refused.code == 2
    design = refused.complaint.partition(", with ")[2].partition(" in place of the files")[0]
    again = json.loads(outscore("power", *design.split(), "--effect", "0.3", "-f", "json").out)
    assert again["items_needed"] == pytest.approx(found["items_needed"], abs=1)
    assert "plan by" not in outscore(*pilot[:-1], "0.9").complaint  # more items than differ would have to


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("t:sd=0.3",), "--effect"),
        (("t:sd=0.3", "--effect", "much"), "neither a gain nor pilot"),
        (("t:sd=0.3", "--effect", "1", "--sizes", "10,x"), "whole numbers"),
        (("tt:sd=0.3", "--effect", "1"), "unknown plan 'tt'"),
        (("nothing.txt", "--effect", "1"), "nothing.txt"),
        (("t:sd=0.3", "--effect", "1", "--teams", "3"), "--teams is about the predictive value"),
        (("t:sd=0.3", "--odds", "0.1"), "leave out t:sd=0.3"),
        (("--odds", "0.1", "--effect", "1"), "leave out --effect"),
        (("--effect", "1"), "or --odds"),
        (("t:sd=0.3", "--effect", "1", "--power", "80"), "expected a number between 0 and 1, such as 0.8"),
        (("t:sd=inf", "--effect", "1"), "sd='inf': expected 0, or a number of 1e-150 to 1e150 in size"),
        (("t:sd=0.3", "--effect", "1", "--design-effect", "inf"), "'inf': expected 0, or a number of 1e-150 to 1e150"),
        (("t:sd=0.3", "--effect", "1", "--alpha", "1e-320"), "expected 0, or a number of 1e-150 to 1e150 in size"),
        (("t:sd=0.3", "--effect", "1", "--power", "0.04"), "--power 0.04: expected more than alpha, 0.05"),
        (("t:sd=0.3,skewness=1e9", "--effect", "1"), "items reject so often without a gain"),
        (("t:sd=0.3,skewness=nan", "--effect", "1"), "skewness=nan: expected a number"),
        (("t:sd=0.3", "--effect", "1", "--design-effect", "0.5"), "a design effect is 1 or more"),
        (("t:sd=0.3", "--effect", "1", "--n", "500"), "here it is --sizes or --resamples"),
        (("t:sd=0.3", "--effect", "1", "--items", "500"), "their number is --sizes 500"),
    ],
)
def test_mistakes_end_in_one_line(arguments: tuple[str, ...], words: str) -> None:
    done = outscore("power", *arguments)
    assert done.code in (2, 3)
    assert words in done.err


@pytest.mark.parametrize("level", ["1e-17", "1e-100", "1e-150"])
@pytest.mark.parametrize("plan", ["t:sd=1", "crossed:run=0.1,item=0.2,residual=0.3"])
def test_a_level_below_the_digits_of_a_number_is_still_computed_with(plan: str, level: str) -> None:
    done = outscore("power", plan, "--effect", "1", "--alpha", level, "--sizes", "2,1000,1000000000", "-f", "json")
    assert done.code == 0, done.err
    powers = [point["power"] for point in json.loads(done.out)["points"]]
    assert np.diff(powers).min() > -1e-9
    assert 0 <= powers[0] < 1e-6


def test_a_plan_by_formula_has_an_end_at_a_billion_items() -> None:
    # the law of the discordant pairs is thinned here; without that it takes a minute
    done = outscore("power", "mcnemar:p10=0.1,p01=0.09996", "--sizes", "1000000000", "-f", "json")
    assert done.code == 0, done.err
    (point,) = json.loads(done.out)["points"]
    assert point["power"] > 0.8
    assert point["detectable_gain"] == pytest.approx(2.8016 * (0.19996 / 1e9) ** 0.5, rel=1e-3)


def test_what_significance_is_worth() -> None:
    done = outscore("power", "--odds", "0.1", "--power", "0.5", "-f", "sentence")
    assert done.code == 0
    assert "true with probability 50%" in done.out
    assert "alpha must be 0.002632 or less" in done.out
    assert outscore("power", "--odds", "-1").code == 2


def test_every_number_that_it_rests_on_is_taken() -> None:
    typed = ("--odds", "0.25", "--power", "0.6", "--alpha", "0.01", "--bias", "0.1", "--teams", "5", "--wanted", "0.9")
    done = outscore("power", *typed, "--p", "0.03", "-f", "json")
    found = json.loads(done.out)
    asked = {"odds": 0.25, "power": 0.6, "alpha": 0.01, "bias": 0.1, "teams": 5, "wanted": 0.9, "p": 0.03}
    assert found["options"] == asked
    assert [one["setting"] for one in found["worth"]] == ["plain", "bias", "teams"]


def test_the_old_name_leads_there() -> None:
    assert "no command 'ppv'; did you mean 'power --odds'?" in outscore("ppv", "--odds", "0.1").err
