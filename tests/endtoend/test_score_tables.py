"""``llm_gsm8k_zeroeval`` and ``multirun_pos_ewt`` as score tables: runs, clusters, domains; files and Python alike."""

from __future__ import annotations

import ast
import csv
import gzip
import math
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

import outscore
from outscore.cli.main import main
from outscore.results.comparison import Comparison

pytestmark = pytest.mark.data

SENTENCES = "ratio:num=right,den=total"


# llm_gsm8k_zeroeval: 1319 items, 43 systems, a wide table


@pytest.fixture(scope="module")
def gsm8k(data_root: Path) -> Path:
    return data_root / "data" / "llm_gsm8k_zeroeval"


@pytest.fixture(scope="module")
def answers(gsm8k: Path) -> dict[str, list[int]]:
    with gzip.open(gsm8k / "correct.csv.gz", "rt", encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f))
    return {system: [int(row[system]) for row in rows] for system in rows[0] if system != "item_id"}


@pytest.fixture(scope="module")
def graded(gsm8k: Path, tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    target = tmp_path_factory.mktemp("gsm8k") / "result.json"
    arguments = [str(gsm8k / "correct.csv.gz"), "-m", "accuracy", "--baseline", "gpt-4o-2024-08-06", "-n", "200"]
    arguments += ["--correct", "none"]
    main(["compare", *arguments, "-o", str(target), "-q"])
    return Comparison.from_json(target.read_text(encoding="utf-8"))


def test_accuracies_are_those_of_the_data_set(gsm8k: Path, graded: Comparison) -> None:
    with (gsm8k / "accuracies.tsv").open(encoding="utf-8", newline="") as f:
        expected = {row["system"]: float(row["acc_published"]) for row in csv.DictReader(f, delimiter="\t")}
    assert len(graded.scores) == len(expected) == 43
    for score in graded.scores:
        assert 100 * score.score == pytest.approx(expected[score.system], abs=0.00501)
        assert score.n_items == 1319


def test_p_values_are_mcnemars_by_hand(answers: dict[str, list[int]], graded: Comparison) -> None:
    base = answers[graded.baseline]
    assert len(graded.pairs) == 42
    for pair in graded.pairs:
        system = answers[pair.system]
        better = sum(s > b for s, b in zip(system, base, strict=True))
        worse = sum(s < b for s, b in zip(system, base, strict=True))
        law = scipy.stats.binom(better + worse, 0.5)
        small = min(better, worse)
        expected = float(scipy.stats.chi2.sf((better - worse) ** 2 / max(better + worse, 1), 1))
        assert pair.test == "mcnemar"
        assert pair.p_kind == "asymptotic"
        assert pair.p_value == pytest.approx(expected, rel=1e-9)
        assert pair.effect["p_exact"] == pytest.approx(min(1.0, 2 * float(law.cdf(small))), rel=1e-9)
        assert 1319 * pair.gain == pytest.approx(better - worse)


def test_holms_correction_is_over_all_systems(gsm8k: Path) -> None:
    data = outscore.read(str(gsm8k / "correct.csv.gz"))
    found = outscore.compare(data, metrics="accuracy", baseline="gpt-4o-2024-08-06", n_resamples=200, correction="holm")
    ordered = sorted(found.pairs, key=lambda p: p.p_value or 0)
    largest = 0.0
    for rank, pair in enumerate(ordered):
        largest = max(largest, min(1.0, (42 - rank) * (pair.p_value or 0)))
        assert pair.p_adjusted == pytest.approx(largest, rel=1e-12)


@pytest.mark.parametrize("kind", ["arrays", "pandas", "polars", "long pandas"])
def test_python_objects_give_the_numbers_of_the_file(
    kind: str, gsm8k: Path, answers: dict[str, list[int]], graded: Comparison
) -> None:
    some = ["gpt-4o-2024-08-06", "claude-3-haiku-20240307", "yi-large"]
    data: Any
    if kind == "arrays":
        data = {system: np.array(answers[system]) for system in some}
    elif kind == "pandas":
        pandas = pytest.importorskip("pandas")
        data = pandas.read_csv(gsm8k / "correct.csv.gz", index_col=0)[some]
    elif kind == "polars":
        polars = pytest.importorskip("polars")
        data = polars.read_csv(gzip.decompress((gsm8k / "correct.csv.gz").read_bytes())).select("item_id", *some)
    else:
        pandas = pytest.importorskip("pandas")
        wide = pandas.read_csv(gsm8k / "correct.csv.gz")[["item_id", *some]]
        data = wide.melt("item_id", var_name="system", value_name="score").sample(frac=1, random_state=1)
        data = data.sort_values("system", key=lambda c: c.map(some.index), kind="stable")
    found = outscore.compare(data, metrics="accuracy", n_resamples=200, correction="none")
    by_file = {p.system: p for p in graded.pairs}
    assert [p.system for p in found.pairs] == some[1:]
    for pair in found.pairs:
        assert pair.p_value == pytest.approx(by_file[pair.system].p_value, rel=1e-12)
        assert pair.gain == pytest.approx(by_file[pair.system].gain, rel=1e-12)
        assert pair.ci == pytest.approx(by_file[pair.system].ci, rel=1e-12)


# multirun_pos_ewt: 3 systems of 8 seeds, 2077 sentences in 316 documents of 5 genres


@pytest.fixture(scope="module")
def published(data_root: Path) -> dict[str, float]:
    text = next((data_root / "data" / "multirun_pos_ewt").glob("README*")).read_text(encoding="utf-8")
    found = re.search(r"Token accuracy: (\{.*?\})", text, re.S)
    assert found
    accuracies: dict[str, float] = ast.literal_eval(found[1])
    return accuracies


@pytest.fixture(scope="module")
def tagged(pos_sentences: Path, tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    target = tmp_path_factory.mktemp("pos") / "result.json"
    main(["compare", str(pos_sentences), "-m", SENTENCES, "-n", "1000", "-o", str(target), "-q"])
    return Comparison.from_json(target.read_text(encoding="utf-8"))


def test_token_accuracies_of_all_runs_are_those_of_the_data_set(
    tagged: Comparison, published: dict[str, float]
) -> None:
    assert [s.system for s in tagged.scores] == ["A", "B", "C"]
    for score in tagged.scores:
        assert score.runs == tuple(str(k) for k in range(8))
        for run, value in zip(score.runs, score.run_scores, strict=True):
            assert value == pytest.approx(published[f"{score.system}.seed{run}"], abs=0.0000501)
        assert score.s_test == pytest.approx(np.std(score.run_scores, ddof=1))


def test_runs_clusters_and_domains_are_all_used(tagged: Comparison) -> None:
    assert (tagged.provenance.cluster, tagged.provenance.n_clusters) == ("cluster", 316)
    assert {d.bucket: d.n_items for d in tagged.buckets} == {
        "weblog": 214,
        "email": 606,
        "newsgroup": 284,
        "answers": 438,
        "reviews": 535,
    }
    for pair in tagged.pairs:
        assert pair.test == "crossed"
        assert "clusters of items" in pair.question
        assert [answer.test for answer in pair.also] == ["randomization", "runs"]
        assert pair.effect["n_clusters"] == 316
        assert pair.n_items == 2077
        assert pair.p_value is not None
        assert pair.p_value < 1e-4  # B and C see neighbouring words: 4 to 5 points
        assert pair.gain > 0.03
    assert all(d.gain > 0 for d in tagged.buckets)


def test_ignored_documents_are_noticed(pos_sentences: Path) -> None:
    found = outscore.compare(
        outscore.read(str(pos_sentences)), metrics="mean:column=right", cluster="none", n_resamples=100
    )
    assert found.provenance.n_clusters is None
    note = next(n for n in found.notes if n.code == "clusters_ignored")
    assert "design effect" in note.text
    assert note.remedy == "use --cluster cluster"


def test_documents_widen_the_interval(pos_sentences: Path, tagged: Comparison) -> None:
    """Sentences of one document are alike: as 2077 independent items they would claim too much."""
    ignored = outscore.compare(outscore.read(str(pos_sentences)), metrics=SENTENCES, cluster="none", n_resamples=100)
    for clustered, plain in zip(tagged.pairs, ignored.pairs, strict=True):
        assert clustered.gain == pytest.approx(plain.gain, abs=1e-12)
        assert clustered.effect["se"] > plain.effect["se"]  # type: ignore[operator]


@pytest.mark.slow
def test_tokens_as_items_give_the_same_accuracies(
    pos_tokens: list[dict[str, str]], published: dict[str, float], tmp_path: Path
) -> None:
    """One row for each of 25 094 tokens and 2 x 2 runs, clustered by document."""
    columns = ["A.seed0", "A.seed1", "B.seed0", "B.seed1"]
    target = tmp_path / "tokens.csv"
    with target.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["system", "run", "item", "cluster", "domain", "score"])
        for column in columns:
            system, run = column.split(".seed")
            writer.writerows(
                [system, run, f"{t['sent']}-{t['tok']}", t["doc"], t["group"], int(t[column] == t["gold"])]
                for t in pos_tokens
            )
    found = outscore.compare(outscore.read(str(target)), metrics="accuracy", n_resamples=200)
    for score in found.scores:
        for run, value in zip(score.runs, score.run_scores, strict=True):
            assert value == pytest.approx(published[f"{score.system}.seed{run}"], abs=0.0000501)
    pair = found.pairs[0]
    assert (pair.test, pair.n_items, pair.effect["n_clusters"]) == ("crossed", 25094, 316)
    assert len(found.buckets) == 5
    tokens: dict[str, int] = defaultdict(int)
    for token in pos_tokens:
        tokens[token["group"]] += 1
    assert {d.bucket: d.n_items for d in found.buckets} == tokens


@pytest.mark.slow
def test_arrays_of_runs_and_frames_give_the_numbers_of_the_file(pos_sentences: Path) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    frame = pandas.read_csv(pos_sentences)
    frame["score"] = frame["right"] / frame["total"]
    short = frame.drop(columns=["right", "total"])
    by_frame = outscore.compare(short, metrics="mean", n_resamples=200)
    by_polars = outscore.compare(
        polars.DataFrame({c: short[c].to_list() for c in short}), metrics="mean", n_resamples=200
    )
    arrays = {
        system: part.pivot(index="seed", columns="item", values="score").sort_index(axis=1).to_numpy()
        for system, part in short.groupby("system")
    }
    first = short[(short["system"] == "A") & (short["seed"] == 0)].sort_values("item")
    described = {"cluster": list(first["cluster"]), "domain": list(first["domain"])}
    by_arrays = outscore.compare(arrays, metrics="mean", items=described, n_resamples=200)
    assert arrays["A"].shape == (8, 2077)
    for other in (by_polars, by_arrays):
        for one, two in zip(by_frame.pairs, other.pairs, strict=True):
            assert (two.system, two.test, two.n_items) == (one.system, one.test, one.n_items)
            for got, wanted in ((two.gain, one.gain), (two.p_value, one.p_value), (two.ci, one.ci)):
                assert got == pytest.approx(wanted, rel=1e-9)
        for mine, theirs in zip(by_frame.scores, other.scores, strict=True):
            assert theirs.run_scores == pytest.approx(mine.run_scores, rel=1e-12)
            assert theirs.s_sel == pytest.approx(mine.s_sel, rel=0.2)
            assert not math.isnan(theirs.score)
