"""``outscore rank --wins``, ``correlate`` and ``judge`` typed at a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from outscore import judge, read
from outscore.base.errors import InputError
from tests.cli.commandline import outscore, written


def outputs(folder: Path) -> str:
    """Six systems with human scores, a label for some items, and two metrics."""
    rng = np.random.default_rng(7)
    rows = ["system,item,human,marked,good,poor"]
    for s in range(6):
        for i in range(15):
            human = s / 3 + rng.normal()
            marked = f"{human:.3f}" if i % 3 == 0 else ""
            rows.append(f"s{s},{i},{human:.3f},{marked},{human + 0.3 * rng.normal():.3f},{rng.normal():.3f}")
    return str(written(folder / "t.csv", rows))


def test_correlate_ranks_the_metrics(tmp_path: Path) -> None:
    done = outscore("correlate", outputs(tmp_path), "--human", "human", "-m", "good,poor", "-n", "99", "-f", "json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["command"] == "correlate"
    values = {(c["metric"], c["level"], c["coefficient"]): c["value"] for c in found["correlations"]}
    assert values["good", "segment-by-item", "pearson"] > values["poor", "segment-by-item", "pearson"]
    assert [g["null"] for g in found["pairs"]] == [found["pairs"][0]["null"]] * 4


def test_judge_takes_labels_with_gaps(tmp_path: Path) -> None:
    file = outputs(tmp_path)
    done = outscore("judge", file, "--human", "marked", "--judge", "good", "-o", str(tmp_path / "r.json"), "-q")
    assert done.code == 0, done.err
    shown = outscore("show", str(tmp_path / "r.json"))
    assert "5 of 15 items labelled by humans, all by good." in " ".join(shown.out.split())
    full = outscore("show", str(tmp_path / "r.json"), "-v").out
    assert "prediction-powered, tuned" in " ".join(full.split())
    assert "Gains over s0 by method" in full


@pytest.mark.parametrize(
    "command",
    [("judge", "--judge", "good", "--human"), ("correlate", "--human"), ("compare", "-m"), ("score", "-m")],
)
def test_a_column_of_marks_for_gaps_is_said_to_be_no_numbers(command: tuple[str, ...], tmp_path: Path) -> None:
    """Where gaps are many the column looks like texts, and was said not to be there at all."""
    file = Path(outputs(tmp_path))
    rows = [row.split(",") for row in file.read_text(encoding="utf-8").splitlines()]
    marked = [",".join(cell or "-" for cell in row) for row in rows]
    done = outscore(command[0], str(written(tmp_path / "m.csv", marked)), *command[1:], "marked")
    assert done.code == 3
    assert "m.csv:3: column 'marked' holds '-', expected a number (60 of 90 cells are none)" in done.err
    assert "leave cells without a number empty" in done.err
    assert outscore("judge", str(file), "--human", "marked", "--judge", "good").code == 0


def test_humans_reads_ranks(tmp_path: Path) -> None:
    rows = ["system,item,annotator,rank", "a,1,x,1", "b,1,x,2", "a,2,x,1", "b,2,x,3", "a,2,y,2", "b,2,y,2"]
    done = outscore("rank", "--wins", str(written(tmp_path / "r.csv", rows)), "--lower", "-f", "csv")
    assert done.code == 0, done.err
    assert done.out.splitlines()[1].startswith("a,1.0,0.0122363346")


@pytest.mark.parametrize("command", [("rank", "--wins"), ("rank", "--preferences")])
@pytest.mark.parametrize("header", ["rank", "Rank", "human_rank"])
def test_ranks_are_lower_the_better_only_where_that_is_said(
    command: tuple[str, ...], header: str, tmp_path: Path
) -> None:
    """1 is the best rank nearly everywhere: the best system may not come out last without a word."""
    rows = [f"{s},{i},{r if i else 3 - r}" for i in range(5) for s, r in (("best", 1), ("worst", 2))]
    file = str(written(tmp_path / "r.csv", [f"system,item,{header}", *rows]))
    arguments = (*command, file, "-c", f"score={header}")
    done = outscore(*arguments)
    assert done.code == 2
    assert f"is 1 the best or the worst in column '{header}'? Add --lower" in done.err
    assert outscore(*arguments, "--lower", "-f", "sentence").out.startswith("best ")


def votes(folder: Path, *winners: str, sides: tuple[str, str] = ("A", "B")) -> str:
    """A judgment of two systems for each winner, whose sides change from row to row."""
    one, other = sides
    rows = [f"{i},{other},{one},{w}" if i % 2 else f"{i},{one},{other},{w}" for i, w in enumerate(winners)]
    return str(written(folder / "v.csv", ["item,system1,system2,winner", *rows]))


@pytest.mark.parametrize("command", [("rank", "--wins"), ("rank", "--preferences"), ("agree",)])
def test_names_that_are_words_for_places_are_asked_about(command: tuple[str, ...], tmp_path: Path) -> None:
    file = votes(tmp_path, "A", "A", "A", "B", "tie")
    done = outscore(*command, file)
    assert done.code == 3
    assert "v.csv:3: column 'winner' holds 'A', the name of the second system of the row" in done.err
    assert "2 of 5 rows" in done.err
    assert "add -c winner_name=winner, if places, -c winner_position=winner" in done.err


def test_the_column_says_names_or_places(tmp_path: Path) -> None:
    file = votes(tmp_path, "A", "A", "A", "A", "tie")
    won, leads = {}, {}
    for role in ("winner_name", "winner_position"):
        done = outscore("rank", "--wins", file, "-c", f"{role}=winner", "-f", "json")
        (pair,) = json.loads(done.out)["preferences"]
        won[role] = (pair["wins"], pair["ties"], pair["losses"])
        ranked = outscore("rank", "--preferences", file, "-c", f"{role}=winner", "-n", "20", "-f", "json")
        scores = {score["system"]: score["score"] for score in json.loads(ranked.out)["scores"]}
        leads[role] = scores["A"] - scores["B"] > 0.01
    assert leads == {"winner_name": True, "winner_position": False}
    assert won == {"winner_name": (4, 1, 0), "winner_position": (2, 1, 2)}


@pytest.mark.parametrize(
    ("winners", "line", "said"),
    [
        (("0", "0", "1"), 2, "holds 0 but never 2: 0 may be a tie, the second system, or the first one counted from 0"),
        (("tie", "0", ""), 3, "write the name of the system that won, or 1 for the first, 2 for the second and tie"),
        (("gpt", "1", "bert"), 3, "'1', a place in the row, and 'gpt', the name of a system (line 2)"),
        (("gpt", "tie", "model_b"), 4, "write names everywhere, or places everywhere"),
    ],
)
def test_a_column_of_winners_is_read_in_one_way(winners: tuple[str, ...], line: int, said: str, tmp_path: Path) -> None:
    done = outscore("rank", "--wins", votes(tmp_path, *winners, sides=("gpt", "bert")))
    assert done.code == 3
    assert f"v.csv:{line}: column 'winner' holds" in done.err
    assert said in done.err


@pytest.mark.parametrize("command", [("rank", "--wins"), ("rank", "--preferences")])
def test_a_rater_who_rates_an_output_twice_is_refused(command: tuple[str, ...], tmp_path: Path) -> None:
    rows = ["1,x,ann,5,a", "1,y,ann,2,a", "2,x,ann,3,a", "2,y,ann,4,a", "1,x,bob,4,a", "1,x,ann,1,b", "2,x,ann,,a"]
    file = str(written(tmp_path / "r.csv", ["item,system,rater,score,session", *rows]))
    done = outscore(*command, file)
    assert done.code == 3
    assert "r.csv:7: the rater 'ann' judges 'x' on the item '1' twice, first in line 2" in done.err
    assert "-c item=item+session" in done.err
    assert outscore(*command, file, "-c", "item=item+session", "-f", "csv").code == 0
    # a second mark tells them apart too, but no item: beside it stands one judgment alone
    marks = written(
        tmp_path / "m.csv", ["item,system,rater,score,fluency", *(r[:-1] + str(i % 3) for i, r in enumerate(rows))]
    )
    assert "-c item=item+NAME" in outscore(*command, str(marks)).err
    # without a column of raters nobody says that they are one
    plain = written(
        tmp_path / "p.csv", ["item,system,score", *(",".join(r.split(",")[i] for i in (0, 1, 3)) for r in rows)]
    )
    assert outscore(*command, str(plain), "-f", "csv").code == 0


def test_a_pair_may_be_judged_in_both_orders_and_not_twice_in_one(tmp_path: Path) -> None:
    rows = ["1,x,y,1,ann", "1,y,x,1,ann", "2,x,y,1,ann", "2,y,x,2,ann", "1,x,y,2,bob", "3,x,y,tie,ann", "3,y,x,tie,ann"]
    header = "item,system1,system2,winner,judge"
    done = outscore("rank", "--wins", str(written(tmp_path / "v.csv", [header, *rows])), "-f", "json")
    found = json.loads(done.out)
    (text,) = (note["text"] for note in found["notes"] if note["code"] == "judged_both_ways")
    assert text.startswith("3 times a rater judged the same two systems on the same item in both orders, 1 of 3 with")
    assert found["wins"][0]["n_judgments"] == 7
    done = outscore("rank", "--wins", str(written(tmp_path / "v.csv", [header, *rows, "2,x,y,2,ann"])))
    assert done.code == 3
    assert "v.csv:9: the rater 'ann' judges 'x' and 'y' on the item '2' twice, first in line 4" in done.err


def test_an_empty_winner_is_missing_and_no_tie(tmp_path: Path) -> None:
    file = votes(tmp_path, "gpt", "", "gpt", "bert", "none", "NA", "tie", sides=("gpt", "bert"))
    done = outscore("rank", "--wins", file, "-f", "json")
    found = json.loads(done.out)
    (pair,) = found["preferences"]
    assert (pair["system"], pair["wins"], pair["ties"], pair["losses"]) == ("bert", 1, 2, 2)
    assert {w["n_judgments"] for w in found["wins"]} == {5}
    ranked = json.loads(outscore("rank", "--preferences", file, "-n", "20", "-f", "json").out)
    for notes in (found["notes"], ranked["notes"]):
        assert "2 of 7 judgments have no winner in column 'winner'" in next(
            note["text"] for note in notes if note["code"] == "missing_winners"
        )


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["correlate", "FILE", "--human", "humn"], 2, "did you mean 'human'"),
        (["correlate", "FILE", "--human", "human", "--level", "systm"], 2, "did you mean 'system'"),
        (["correlate", "FILE"], 2, "--human"),
        (["judge", "FILE", "--human", "human"], 2, "name it with --judge"),
        (["judge", "FILE", "--judge", "human"], 2, "which column holds the human labels? There are 'human', "),
        (
            ["judge", "FILE", "--human", "human", "--judge", "marked"],
            3,
            "if they were swapped, --human marked --judge human",
        ),
        (["rank", "--wins", "FILE", "-c", "rater=nobody"], 2, "no column 'nobody'"),
        (["rank", "--wins", "FILE"], 3, "neither ratings nor preferences"),
        (["rank", "--wins", "FILE", "-c", "score=human", "--standardize"], 2, "-c rater=NAME"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(arguments: list[str], code: int, said: str, tmp_path: Path) -> None:
    done = outscore(*(outputs(tmp_path) if part == "FILE" else part for part in arguments))
    assert done.code == code
    assert said in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--elo",), "leave out --elo"),
        (("-n", "20"), "leave out -n"),
        (("--test", "t"), "leave out --test"),
        (("--plot", "x.svg"), "leave out --plot"),
        (("-r", "ref.txt"), "leave out -r"),
    ],
)
def test_what_belongs_to_a_ranking_is_refused_beside_wins(options: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = outscore("rank", "--wins", str(tmp_path / "t.csv"), *options)
    assert (done.code, said in done.err) == (2, True)


@pytest.mark.parametrize("llm", ["llm", "cost_usd"])
def test_a_judge_whose_systems_lack_items_names_only_the_ways_that_it_has(llm: str, tmp_path: Path) -> None:
    rows = [f"{s},{i},{i % 2 if i % 3 else ''},{i % 2}" for s in "abc" for i in range(30) if s == "a" or i > 2]
    human = "human" if llm == "llm" else "latency_ms"
    file = written(tmp_path / "t.csv", [f"system,item,{human},{llm}", *rows])
    done = outscore("judge", str(file), "--human", human, "--judge", llm)
    assert done.code == 3
    assert "lacks 3 of 30 items" in done.complaint
    assert done.complaint.endswith("; mend the file, or drop such items in all systems with --missing drop")
    asked = ("--human", human, "--judge", llm, "--missing", "drop", "-q")
    assert outscore("judge", str(file), *asked).code == 0
    with pytest.raises(InputError, match=r"; mend the file, or drop such items in all systems with .*drop"):
        judge(pd.read_csv(file), human=human, judge=llm)


def test_labels_of_one_system_whose_columns_are_not_named_are_asked_for(tmp_path: Path) -> None:
    file = written(tmp_path / "t.csv", ["item,expert,llm", *(f"q{i},{i % 2},{i % 3 % 2}" for i in range(9)), "r,,1"])
    done = outscore("judge", str(file))
    assert done.code == 2
    assert "name the human labels with --human, the judge's with --judge" in done.complaint
    assert outscore("judge", str(file), "--human", "expert", "--judge", "llm", "-q").code == 0


def test_a_column_human_with_a_dash_for_no_label_is_told_to_leave_it_empty(tmp_path: Path) -> None:
    file = written(tmp_path / "t.csv", ["system,item,human,judge", "a,1,1,1", "a,2,-,0", "a,3,0,0"])
    done = outscore("judge", str(file))
    assert done.code == 3
    assert "t.csv:3: column 'human' holds '-', expected a number" in done.complaint
    assert "leave it empty if it is missing" in done.complaint
    assert "--human" not in done.complaint
    with pytest.raises(InputError) as refused:
        read(file, measures=["human", "judge"])
    assert (refused.value.line, refused.value.column) == (3, "human")


def test_means_are_standardized_beside_wins_alone(tmp_path: Path) -> None:
    done = outscore("rank", str(tmp_path / "t.csv"), "--standardize")
    assert (done.code, "give --wins too" in done.err) == (2, True)


def test_the_old_name_leads_there() -> None:
    assert "no command 'humans'; did you mean 'rank --wins'?" in outscore("humans", "t.csv").err
