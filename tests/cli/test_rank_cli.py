"""``outscore rank`` as it is typed."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import outscore as api
from tests.cli.commandline import outscore, texts, written
from tests.verbs.flat import differing


@pytest.fixture
def table(tmp_path: Path) -> str:
    """Four systems on 60 items of three domains."""
    dice = random.Random(3)
    lines = ["system,item,score,domain"]
    for system, skill in (("ant", 0.0), ("bee", 0.02), ("cat", 1.0), ("dog", 2.0)):
        lines += [f"{system},{i},{round(dice.gauss(skill, 0.5), 1)},d{i % 3}" for i in range(60)]
    return str(written(tmp_path / "scores.csv", lines))


@pytest.fixture
def votes(tmp_path: Path) -> str:
    lines = ["question,left,right,better"]
    lines += [
        f"q{i},{a},{b},{w}" for i in range(12) for a, b, w in (("x", "y", "1"), ("y", "z", "2" if i % 3 else "1"))
    ]
    lines += [f"q{i},x,z,{'2' if i % 2 else 'tie'}" for i in range(12)]
    lines += ["q0,y,x,1"]
    return str(written(tmp_path / "votes.csv", lines))


_VOTES = ("-c", "item=question", "-c", "first=left", "-c", "second=right", "-c", "winner=better")


def as_json(*arguments: str) -> dict[str, Any]:
    done = outscore("rank", *arguments, "-n", "200", "-f", "json", "-q")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def test_a_table_is_ranked_with_mean_ranks_of_its_domains(table: str) -> None:
    found = as_json(table)
    assert [p["system"] for p in found["places"]] == ["dog", "cat", "bee", "ant"]
    assert [p["tier"] for p in found["places"]] == [1, 2, 3, 3]
    assert found["correction"] == "max-t"
    assert found["mean_ranks"][0]["n_blocks"] == 3
    assert not as_json(table, "--blocks", "none")["mean_ranks"]
    done = outscore("rank", table, "-n", "200", "-f", "sentence")
    assert done.out.startswith("dog (")
    assert "outscores all 3 other systems. 5 of 6 pairs differ" in done.out


def test_outputs_with_references_are_ranked(tmp_path: Path) -> None:
    found = as_json(*texts(tmp_path), "-m", "bleu,chrf")
    assert {p["metric"] for p in found["places"]} == {"bleu", "chrf"}
    assert len(found["pairs"]) == 2


def test_folders_of_data_sets_are_ranked_by_one_number_each(tmp_path: Path) -> None:
    for number in range(7):
        folder = tmp_path / f"set{number}"
        folder.mkdir()
        for system in ("a", "b", "c"):
            written(folder / f"{system}.seg", [str((i * number + ord(system)) % 9 / 8) for i in range(20)])
    found = as_json("--sets", str(tmp_path / "set*"), "a=a.seg", "b=b.seg", "c=c.seg")
    assert found["unit"] == "data set"
    assert found["mean_ranks"][0]["n_blocks"] == 7


ARENA = [
    "model_a,model_b,winner",
    *(["gpt,llama,model_a", "llama,gpt,model_a", "gpt,mist,tie", "llama,mist,model_a", "mist,gpt,model_b"] * 4),
]


def test_every_vote_without_an_id_is_one_of_its_own(tmp_path: Path) -> None:
    path = written(tmp_path / "arena.csv", ARENA)
    numbered = written(tmp_path / "numbered.csv", [f"{'id' if i == 0 else i},{row}" for i, row in enumerate(ARENA)])
    found = as_json("--preferences", str(path))
    assert found["provenance"]["n_items_read"] == 20
    for again in (as_json("--preferences", str(path), "-c", "item=@row"), as_json("--preferences", str(numbered))):
        assert not differing(again["scores"], found["scores"])
        assert not differing(again["pairs"], found["pairs"])


def test_a_frame_of_votes_is_ranked_as_its_file(tmp_path: Path) -> None:
    path = written(tmp_path / "arena.csv", ARENA)
    of_file = as_json("--preferences", str(path))
    of_frame = json.loads(api.rank(pd.read_csv(path)).to_json())
    assert of_frame["scores"] == of_file["scores"]
    assert [p["p_value"] for p in of_frame["pairs"]] == [p["p_value"] for p in of_file["pairs"]]


def test_votes_that_are_given_as_scores_are_called_what_they_are(tmp_path: Path) -> None:
    done = outscore("rank", str(written(tmp_path / "arena.csv", ARENA)))
    assert done.code == 3
    assert "use outscore rank --preferences FILE" in done.err


def test_preferences_are_ranked_by_ratings(votes: str) -> None:
    found = as_json("--preferences", votes, *_VOTES, "--elo")
    assert found["kind"] == "ratings"
    assert sum(s["score"] for s in found["scores"]) == pytest.approx(4500)
    assert found["effect"]["ties"] == 6
    assert as_json("--preferences", votes, *_VOTES, "--ties", "davidson")["effect"]["tie_parameter"] > 0


@pytest.mark.parametrize("figure", [None, "board", "wins", "ranks"])
def test_pictures_are_drawn_together_or_one_by_one(figure: str | None, table: str, tmp_path: Path) -> None:
    picture = tmp_path / "picture.json"
    chosen = [] if figure is None else ["--figure", figure]
    done = outscore("rank", table, "-n", "200", "--plot", str(picture), *chosen)
    assert done.code == 0, done.err
    assert done.err.count("wrote") == 1
    assert ("vconcat" in json.loads(picture.read_text(encoding="utf-8"))) == (figure is None)


def test_the_references_of_what_was_used_are_given(table: str) -> None:
    done = outscore("rank", table, "-n", "200", "--cite", "-q")
    for author in ("Mogstad", "Al Mohamad", "Piepho", "Friedman"):
        assert author in done.out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--figure", "wins", "TABLE"], "add --plot FILE"),
        (["--sets", "nothing*"], "matches 'nothing*'"),
        (["-q"], "no systems"),
        (["--preferences", "TABLE", "-r", "x"], "leave out the other files"),
        (["--elo", "TABLE"], "use --preferences"),
        (["--correct", "holmm", "TABLE"], "did you mean 'holm'"),
        (["--blocks", "genre", "TABLE"], "no such column"),
        (["--preferences", "TABLE", "-c", "score=item"], "every judgment is a tie"),
    ],
)
def test_mistakes_are_said_in_one_line(arguments: list[str], complaint: str, table: str) -> None:
    done = outscore("rank", *(table if a == "TABLE" else a for a in arguments))
    assert done.code in (2, 3)
    assert complaint in " ".join(done.err.split())
    assert "Traceback" not in done.err
