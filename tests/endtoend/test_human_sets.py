"""Human judgments of open data sets: published means and rankings, and metrics against humans."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats as st

from tests.cli.commandline import outscore
from tests.endtoend.test_every_set import table


def run(*arguments: str, folder: Path) -> dict[str, Any]:
    file = folder / "result.json"
    done = outscore(*arguments, "-o", str(file), "-q")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


@pytest.mark.slow
def test_direct_assessment_of_wmt22_gives_the_published_means(data_root: Path, tmp_path: Path) -> None:
    folder = data_root / "data" / "mt_wmt22_de-en"
    lines = (folder / "published_da_ranking.txt").read_text(encoding="utf-8").splitlines()
    published = {words[-1]: float(words[1]) for words in map(str.split, lines)}
    scores = str(folder / "da_segment_scores.tsv.gz")
    found = run("rank", "--wins", scores, "-c", "score=z", folder=tmp_path)
    means = {s["system"]: s["score"] for s in found["scores"]}
    assert means.keys() == published.keys()
    for system, value in published.items():
        assert round(means[system], 3) == value
    items = {s["system"]: s["n_items"] for s in found["scores"]}
    assert items["Lan-Bridge"] == 1799


@pytest.mark.slow
def test_rouge_against_the_experts_of_summeval(data_root: Path, tmp_path: Path) -> None:
    folder = data_root / "data" / "summ_summeval"
    found = run(
        *("correlate", str(folder / "outputs.tsv.gz"), "-c", "item=doc", "-c", "output=summary"),
        *("-m", "fluency,coherence", "--human", "relevance", "-n", "60"),
        *("--level", "system,segment,segment-by-item,segment-by-system", "--coefficient", "pearson,spearman,kendall"),
        folder=tmp_path,
    )
    rows = table(folder / "outputs.tsv.gz")
    systems = list(dict.fromkeys(row["system"] for row in rows))
    grids = {
        name: np.array([[float(r[name]) for r in rows if r["system"] == s] for s in systems])
        for name in ("fluency", "coherence", "relevance")
    }
    peers: dict[str, Any] = {"pearson": st.pearsonr, "spearman": st.spearmanr, "kendall": st.kendalltau}
    human = grids["relevance"]
    for c in found["correlations"]:
        x, of = grids[c["metric"]], peers[c["coefficient"]]
        pairs = {
            "system": [(x.mean(axis=1).round(9), human.mean(axis=1).round(9))],
            "segment": [(x.ravel(), human.ravel())],
            "segment-by-item": list(zip(x.T, human.T, strict=True)),
            "segment-by-system": list(zip(x, human, strict=True)),
        }[c["level"]]
        known = [of(a, b)[0] for a, b in pairs if np.ptp(a) > 0 and np.ptp(b) > 0]
        assert c["value"] == pytest.approx(np.mean(known), abs=1e-9)
        assert c["n_groups"] == len(known)


@pytest.mark.slow
def test_error_weights_of_experts_against_learned_and_counted_scores(data_root: Path, tmp_path: Path) -> None:
    folder = data_root / "data" / "mt_wmt21_en-de"
    texts, penalties = table(folder / "segments.tsv.gz"), table(folder / "mqm_segment_scores.tsv.gz")
    mqm = {(r["system"], r["seg_id"]): r["mqm"] for r in penalties}
    systems = [name.partition(":")[2] for name in texts[0] if name.startswith("sys:")]
    with (tmp_path / "t.csv").open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["system", "item", "output", "reference", "mqm"])
        for row in texts:
            for system in systems:
                if (system, row["seg_id"]) in mqm:
                    score = mqm[system, row["seg_id"]]
                    out.writerow([system, row["seg_id"], row[f"sys:{system}"], row["ref:A"], score])
    found = run(
        *("correlate", str(tmp_path / "t.csv"), "--human", "mean:column=mqm,lower=true", "-m", "chrf,bleu"),
        *("--level", "segment", "--coefficient", "pearson", "-n", "50", "--test", "perm-systems"),
        folder=tmp_path,
    )
    values = {c["metric"]: c["value"] for c in found["correlations"]}
    assert 0.05 < values["bleu"] < 0.3
    assert 0.05 < values["chrf"] < 0.3
    means = {s["system"]: s["score"] for s in found["scores"] if "mqm" in s["metric"]}
    published = {"Facebook-AI": 1.05, "HuaweiTSC": 1.38, "Online-W": 1.46, "UEdin": 1.51, "VolcTrans-GLAT": 1.04}
    assert {name: round(means[name], 2) for name in published} == published


def test_factuality_by_a_judge_of_entailment(data_root: Path, tmp_path: Path) -> None:
    # the metric knows all items; of the human scores every fifth is kept
    rows = table(data_root / "data" / "iaa_xsum_factuality" / "scores.tsv.gz")
    items = sorted({r["bbcid"] for r in rows})
    rng = np.random.default_rng(5)
    kept = {item for item in items if rng.random() < 0.2}
    with (tmp_path / "t.csv").open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["system", "item", "faithful", "entailment"])
        for r in rows:
            out.writerow([r["system"], r["bbcid"], r["Faithful"] if r["bbcid"] in kept else "", r["Entailment"]])
    found = run("judge", str(tmp_path / "t.csv"), "--human", "faithful", "--judge", "entailment", folder=tmp_path)
    true = {s: np.mean([float(r["Faithful"]) for r in rows if r["system"] == s]) for s in {r["system"] for r in rows}}
    inside = {"prediction-powered": 0, "judge": 0}
    for e in found["estimates"]:
        if e["baseline"] is None and e["method"] in inside:
            inside[e["method"]] += e["ci"][0] <= true[e["system"]] <= e["ci"][1]
    assert inside["prediction-powered"] == 4
    assert inside["judge"] < 4
