"""Every command of ``docs/replicate.md`` on the real data: published scores, counts, and ranks as scipy has them."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from outscore.multiplicity.adjust import adjust
from tests.cli.commandline import outscore
from tests.docs.manual import ROOT
from tests.endtoend.test_every_set import table

pytestmark = pytest.mark.data

PAGE = ROOT / "docs" / "replicate.md"
COMMANDS = dict(
    re.findall(r"^\| ([^|]+?) \| `(outscore [^`]+)` \|", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
)


def found(name: str, data_root: Path, folder: Path) -> dict[str, Any]:
    """What the command of the page gives, with few resamples."""
    program, *arguments = shlex.split(COMMANDS[name].replace("DATA/", f"{data_root / 'data'}/"))
    assert program == "outscore"
    done = outscore(*arguments, "-n", "1000", "-q", "-o", folder / "found.json")
    assert done.code == 0, done.err
    result: dict[str, Any] = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    return result


def counts(result: dict[str, Any]) -> dict[str, int]:
    return {one["system"]: one["count"] for one in result["replicated"]}


def gains_of(result: dict[str, Any], system: str) -> list[float]:
    return [gain["gain"] for gain in result["set_gains"] if gain["system"] == system]


def test_every_command_of_the_page_is_run_here() -> None:
    assert set(COMMANDS) == {
        "38 treebanks",
        "two parsers on 38 treebanks",
        "23 sets of MTEB",
        "reviews in six languages, and SST-2",
    }


def official_scores_of(result: dict[str, Any], data_root: Path) -> dict[tuple[str, str], float]:
    """LAS by treebank and parser, which is that of every gain."""
    rows = table(data_root / "data" / "multi_conll18_treebanks" / "official_scores.tsv")
    official = {(row["treebank"], row["system"]): float(row["LAS_F1"]) for row in rows}
    assert len(result["data_sets"]) == 38
    for gain in result["set_gains"]:
        assert gain["system_score"] == pytest.approx(official[gain["data_set"], gain["system"]], abs=0.000051)
        assert gain["baseline_score"] == pytest.approx(official[gain["data_set"], gain["baseline"]], abs=0.000051)
    return official


@pytest.mark.slow
def test_parsers_on_the_treebanks_of_conll_2018(data_root: Path, tmp_path: Path) -> None:
    result = found("38 treebanks", data_root, tmp_path)
    official = official_scores_of(result, data_root)
    assert len(result["set_gains"]) == 38 * 7
    held = counts(result)
    assert max(held.values()) == held["HIT-SCIR-18"] == held["TurkuNLP-18"] == 36
    assert held["BOUN"] == 1
    for one in result["replicated"]:
        p = [g["p_value"] for g in result["set_gains"] if g["system"] == one["system"]]
        assert one["count"] == int((adjust(p, "holm") <= 0.05).sum()) == len(one["holds_on"])
    scores = [[official[t, s] for s in dict.fromkeys(s for _, s in official)] for t in result["data_sets"]]
    (ranking,) = result["rankings"]
    assert ranking["statistic"] == pytest.approx(stats.friedmanchisquare(*np.transpose(scores)).statistic, abs=0.5)


@pytest.mark.slow
def test_two_parsers_on_the_treebanks_of_conll_2018(data_root: Path, tmp_path: Path) -> None:
    result = found("two parsers on 38 treebanks", data_root, tmp_path)
    official_scores_of(result, data_root)
    assert len(result["set_gains"]) == 38
    assert abs(counts(result)["HIT-SCIR-18"] - 28) <= 1  # with 10,000 resamples 28
    (one,) = result["replicated"]
    wilcoxon = next(a for a in one["overall"] if a["test"] == "wilcoxon")
    theirs = stats.wilcoxon(gains_of(result, "HIT-SCIR-18"), method="exact")
    assert wilcoxon["p_value"] == pytest.approx(theirs.pvalue, rel=1e-6)


def test_models_on_the_sets_of_mteb(data_root: Path, tmp_path: Path) -> None:
    result = found("23 sets of MTEB", data_root, tmp_path)
    rows = table(data_root / "data" / "multi_mteb_scores" / "scores.csv")
    scores = np.array([[float(value) for name, value in row.items() if name != "model"] for row in rows])
    (ranking,) = result["rankings"]
    assert scores.shape == (76, 23)
    assert ranking["statistic"] == pytest.approx(stats.friedmanchisquare(*scores).statistic)
    assert ranking["n_sets"] == 23
    ranks = stats.rankdata(-scores, axis=0).mean(axis=1)
    by_model = {row["model"]: rank for row, rank in zip(rows, ranks, strict=True)}
    for one in ranking["ranks"]:
        assert one["mean_rank"] == pytest.approx(by_model[one["system"]])
    better = 0
    for one in result["replicated"]:
        wilcoxon = next(a for a in one["overall"] if a["test"] == "wilcoxon")
        better += wilcoxon["p_adjusted"] <= 0.05 and one["gain"] > 0
        assert one["count"] is None
    assert better == 38


def test_classifiers_in_six_languages_and_on_sst2(data_root: Path, tmp_path: Path) -> None:
    result = found("reviews in six languages, and SST-2", data_root, tmp_path)
    right = {
        "marc-de": (0.9330, 0.9335),
        "marc-en": (0.9153, 0.9200),
        "marc-es": (0.9343, 0.9340),
        "marc-fr": (0.9263, 0.9333),
        "marc-ja": (0.9150, 0.9137),
        "marc-zh": (0.8705, 0.8680),
        "sst2": (0.8572, 0.8803),
    }
    for gain in result["set_gains"]:
        published = right[gain["data_set"]]
        assert (gain["baseline_score"], gain["system_score"]) == pytest.approx(published, abs=0.000051)
    (one,) = result["replicated"]
    assert (one["n_ahead"], one["count"], one["holds_on"]) == (4, 2, ["marc-fr", "sst2"])
