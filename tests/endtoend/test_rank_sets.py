"""Leaderboards of open data sets against published rankings, win rates and tests."""

from __future__ import annotations

import csv
import gzip
import json
import math
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore as package
from tests.cli.commandline import outscore


def ranked(*arguments: str, folder: Path) -> dict[str, Any]:
    file = folder / "result.json"
    done = outscore("rank", *arguments, "-o", str(file), "-q")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def rows_of(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t" if ".tsv" in path.name else ",", quoting=csv.QUOTE_NONE))


@pytest.mark.slow
def test_a_board_of_26_language_models_falls_into_twelve_tiers(data_root: Path, tmp_path: Path) -> None:
    table = data_root / "data" / "llm_mmlu_pro" / "predictions.tsv.gz"
    found = ranked(str(table), "-n", "2000", "-c", "domain=category", folder=tmp_path)
    places = found["places"]
    assert [p["rank"] for p in places] == list(range(1, 27))
    assert (places[0]["system"], places[0]["worst"]) == ("Meta-Llama-3_1-70B-Instruct", 1)
    assert max(p["tier"] for p in places) == 12
    assert len(found["pairs"]) == 325
    assert found["mean_ranks"][0]["n_blocks"] == 14
    # fewer pairs are told apart by their ranks on 14 domains than by 11,999 items, and fewest by Nemenyi
    items, (by_domain,) = sum(p["verdict"] != "inconclusive" for p in found["pairs"]), found["mean_ranks"]
    signed, nemenyi = (sum(g[p] <= 0.05 for g in by_domain["gaps"]) for p in ("p_wilcoxon", "p_nemenyi"))
    assert nemenyi < signed < items


@pytest.mark.slow
def test_ratings_of_alpaca_eval_are_the_log_odds_of_its_win_rates(data_root: Path, tmp_path: Path) -> None:
    """Every model is judged against one reference only, so the ratings are known: the log odds of the win rates."""
    folder = data_root / "data" / "pref_alpaca_eval1"
    lines = [row for row in rows_of(folder / "preferences.tsv.gz") if row["preference"]]
    table = tmp_path / "votes.csv"
    with table.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["item", "system1", "system2", "winner"])
        said = {"1.0": "1", "0.0": "2", "0.5": "tie"}
        writer.writerows([r["item_id"], r["system"], r["baseline"], said[r["preference"]]] for r in lines)
    found = ranked("--preferences", str(table), "-n", "500", folder=tmp_path)
    ratings = {score["system"]: score["score"] for score in found["scores"]}
    with (folder / "published_leaderboard.csv").open(encoding="utf-8", newline="") as board:
        published = {r[""]: float(r["win_rate"]) / 100 for r in csv.DictReader(board)}
    shared = published.keys() & ratings.keys() - {"text_davinci_003"}
    assert len(shared) > 45
    for system in shared:
        share = published[system]
        gap = ratings[system] - ratings["text_davinci_003"]
        assert gap == pytest.approx(math.log(share / (1 - share)), abs=1e-6), system
    assert found["places"][0]["system"] == "gpt4_1106_preview"
    assert found["places"][0]["worst"] > 1  # the first place of the published board is not certain


def test_five_classifiers_on_54_data_sets(data_root: Path) -> None:
    folder = data_root / "data" / "multi_cv_folds"
    folds: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in rows_of(folder / "folds.csv.gz"):
        folds[row["classifier"], row["dataset"]].append(float(row["accuracy"]))
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    for (classifier, name), values in folds.items():
        scores[classifier][name] = float(np.mean(values))
    (found,) = package.rank(scores, blocks="item", n_resamples=500).mean_ranks
    reference = json.loads((folder / "reference_over_datasets.json").read_text(encoding="utf-8"))
    assert found.statistic == pytest.approx(reference["friedman"][0])
    assert found.critical_difference == pytest.approx(2.728 * math.sqrt(5 * 6 / (6 * 54)), rel=1e-3)  # Demšar Table 5
    assert found.systems[0] == "aode"


def test_direct_assessment_of_wmt22_ranks_fewer_systems_apart_than_published(data_root: Path, tmp_path: Path) -> None:
    """The organisers' rank-sum tests are one-sided, unpaired and uncorrected; on the 531 segments that all systems
    share, paired and corrected over 45 pairs, fewer differences hold."""
    folder = data_root / "data" / "mt_wmt22_de-en"
    found = ranked(
        str(folder / "da_segment_scores.tsv.gz"), "-m", "z", "--missing", "drop", "-n", "500", folder=tmp_path
    )
    lines = (folder / "published_wilcoxon_clusters.csv").read_text(encoding="utf-8").splitlines()
    published = [float(p) for line in lines[1:] for p in line.split()[1:]]
    theirs = sum(p <= 0.05 for p in published)
    ours = sum(p["verdict"] in ("better", "worse") for p in found["pairs"])
    assert 0 < ours < theirs
    assert found["places"][0]["system"] == "Lan-Bridge"
    assert {p["tier"] for p in found["places"]} == {1}
