"""``outscore humans``, ``correlate`` and ``judge`` typed at a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

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
    assert [g["null"] for g in found["gains"]] == [found["gains"][0]["null"]] * 4


def test_judge_takes_labels_with_gaps(tmp_path: Path) -> None:
    file = outputs(tmp_path)
    done = outscore("judge", file, "--human", "marked", "--judge", "good", "-o", str(tmp_path / "r.json"), "-q")
    assert done.code == 0, done.err
    shown = outscore("show", str(tmp_path / "r.json"))
    assert "prediction-powered, tuned" in shown.out
    assert "Gains over s0" in shown.out


def test_humans_reads_ranks(tmp_path: Path) -> None:
    rows = ["system,item,annotator,rank", "a,1,x,1", "b,1,x,2", "a,2,x,1", "b,2,x,3", "a,2,y,2", "b,2,y,2"]
    done = outscore("humans", str(written(tmp_path / "r.csv", rows)), "--lower", "-f", "csv")
    assert done.code == 0, done.err
    assert done.out.splitlines()[1].startswith("a,1.0,3,2,")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["correlate", "FILE", "--human", "humn"], 2, "did you mean 'human'"),
        (["correlate", "FILE", "--human", "human", "--level", "systm"], 2, "did you mean 'system'"),
        (["correlate", "FILE"], 2, "--human"),
        (["judge", "FILE", "--human", "human"], 2, "name it with --judge"),
        (["judge", "FILE", "--human", "human", "--judge", "marked"], 3, "let the judge score every item"),
        (["humans", "FILE", "-c", "rater=nobody"], 2, "no column 'nobody'"),
        (["humans", "FILE"], 3, "neither ratings nor preferences"),
        (["humans", "FILE", "-c", "score=human", "--standardize"], 2, "-c rater=NAME"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(arguments: list[str], code: int, said: str, tmp_path: Path) -> None:
    done = outscore(*(outputs(tmp_path) if part == "FILE" else part for part in arguments))
    assert done.code == code
    assert said in done.err
    assert "Traceback" not in done.err
