"""``mt_wmt22_de-en``: nine systems, two references, documents and domains, through the command line.

Oracles: sacrebleu's ``corpus_score``, and the scores that the organisers published.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from outscore.cli.main import main
from outscore.results.comparison import Comparison
from tests.examples import first

pytestmark = [pytest.mark.data, pytest.mark.slow]

SYSTEMS = (
    *("JDExploreAcademy", "LT22", "Lan-Bridge", "Online-A", "Online-B", "Online-G", "Online-W", "Online-Y", "PROMT"),
)
REFERENCES = {"A": ("A",), "B": ("B",), "both": ("A", "B")}


@pytest.fixture(scope="module")
def folder(unpacked: Callable[[str], Path]) -> Path:
    return unpacked("mt_wmt22_de-en")


@pytest.fixture(scope="module")
def compared(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Comparison]:
    """The result of all systems against the first, by references and options."""
    results = tmp_path_factory.mktemp("results")

    @cache
    def compare(which: str, metrics: str, *options: str, systems: tuple[str, ...] = SYSTEMS) -> Comparison:
        target = results / f"{which}.{len(list(results.iterdir()))}.json"
        references = [a for r in REFERENCES[which] for a in ("-r", f"{folder}/ref.{r}.txt")]
        files = [f"{folder}/{system}.txt" for system in systems]
        main(["compare", *references, *files, "-m", metrics, *options, "-o", str(target), "-q"])
        return Comparison.from_json(target.read_text(encoding="utf-8"))

    return compare


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def expected(folder: Path, which: str, system: str, oracle: BLEU | CHRF | TER) -> float:
    references = [lines(folder / f"ref.{r}.txt") for r in REFERENCES[which]]
    return float(oracle.corpus_score(lines(folder / f"{system}.txt"), references).score)


@pytest.mark.parametrize(("which", "some"), first([("A", len(SYSTEMS)), ("B", 4), ("both", 4)], ("both", 4)))
def test_bleu_and_chrf_are_sacrebleus(which: str, some: int, folder: Path, compared: Callable[..., Comparison]) -> None:
    found = scored(compared, which)
    scores = {(s.system, s.metric): s for s in found.scores}
    assert len(scores) == 2 * some
    for system in SYSTEMS[:some]:
        for name, oracle in (("bleu", BLEU()), ("chrf", CHRF())):
            score = scores[system, name]
            assert score.score == pytest.approx(expected(folder, which, system, oracle), abs=1e-9)
            assert score.signature == str(oracle.get_signature())


def scored(compared: Callable[..., Comparison], which: str) -> Comparison:
    """All systems by the first reference, some by the second and by both."""
    return compared(which, "bleu,chrf", "-n", "1000", systems=SYSTEMS if which == "A" else SYSTEMS[:4])


@pytest.mark.parametrize(("which", "suffix"), [("A", "A"), ("B", "B"), ("both", "all")])
def test_scores_are_those_that_the_organisers_published(
    which: str, suffix: str, data_root: Path, compared: Callable[..., Comparison]
) -> None:
    path = data_root / "data" / "mt_wmt22_de-en" / "published_automatic_scores.tsv"
    with path.open(encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f, delimiter="\t"))
    checked = 0
    for score in scored(compared, which).scores:
        for row in rows:
            if row["system"] == score.system and row["metric"] == f"{score.metric}-{suffix}":
                assert score.score == pytest.approx(float(row["score"]), abs=0.051)
                checked += 1
    assert checked == len(scored(compared, which).scores)


def test_every_system_is_compared_with_the_first_over_one_family(compared: Callable[..., Comparison]) -> None:
    found = scored(compared, "A")
    assert found.baseline == "JDExploreAcademy"
    assert len(found.pairs) == 16
    scores = {(s.system, s.metric): s.score for s in found.scores}
    for pair in found.pairs:
        assert pair.n_items == 1984
        assert pair.gain == pytest.approx(scores[pair.system, pair.metric] - scores[found.baseline, pair.metric])
        assert pair.ci is not None
        assert pair.ci[0] < pair.gain < pair.ci[1]
        assert (pair.test, pair.p_kind) == ("randomization:form=studentized", "monte-carlo")
        assert pair.n_resamples is not None
        assert pair.n_resamples >= 1000
        assert pair.p_value is not None
        assert pair.p_adjusted is not None
        assert pair.p_value <= pair.p_adjusted <= min(1, 16 * pair.p_value)
        # far worse: no exchange comes near
        if pair.system == "LT22":
            assert pair.p_value == 1 / (pair.n_resamples + 1)
    ordered = sorted(found.pairs, key=lambda p: p.p_value or 0)
    adjusted = [p.p_adjusted or 0 for p in ordered]
    assert adjusted == sorted(adjusted)


@pytest.mark.parametrize("format_", ["terminal", "latex", "json", "markdown", "csv"])
def test_the_table_names_every_system_and_rounds_every_score(
    format_: str, compared: Callable[..., Comparison], tmp_path: Path
) -> None:
    found = scored(compared, "A")
    saved, target = tmp_path / "result.json", tmp_path / "table.out"
    saved.write_text(found.to_json(), encoding="utf-8")
    main(["show", str(saved), "-f", format_, "-o", str(target), "-q"])
    text = target.read_text(encoding="utf-8")
    assert text == found.to(format_)
    for system in SYSTEMS:
        assert system in text
    for score in found.scores:
        assert (
            f"{score.score:.1f}" if format_ in ("terminal", "latex", "markdown") else f"{score.score!r}"[:14]
        ) in text
    if format_ == "latex":
        assert text.count(r"\begin{tabular") == text.count(r"\end{tabular") >= 1
        assert r"\toprule" in text
        plain = re.sub(r"(?m)^%.*$|^\\def\\numsign.*$", "", text)  # comments, and what defines \num without siunitx
        assert not re.search(r"(?<!\\)[#%_]", plain.replace("_{", "").replace("_\\", ""))


def test_documents_and_domains_come_from_the_items_file(folder: Path, compared: Callable[..., Comparison]) -> None:
    options = ("-n", "1000", "--items", f"{folder}/items.tsv")
    found = compared("A", "bleu", *options, "--cluster", "doc_id")
    plain = scored(compared, "A")
    assert found.provenance.cluster == "doc_id"
    assert found.provenance.n_clusters == 271
    by_system = {p.system: p for p in found.pairs}
    for pair in plain.pairs:
        if pair.metric == "bleu":
            clustered = by_system[pair.system]
            assert clustered.gain == pytest.approx(pair.gain, abs=1e-9)
            assert clustered.p_value is not None
            assert clustered.effect["n_clusters"] == 271
            assert isinstance(clustered.effect["design_effect"], float)
            assert 0.3 < clustered.effect["design_effect"] < 3
    domains = {d.bucket: d.n_items for d in found.buckets}
    assert domains == {"conversation": 462, "social": 515, "ecommerce": 501, "news": 506}
    assert len(found.buckets) == 4 * 8
    text = found.to("terminal:detail=full")
    assert "271 clusters" in text
    assert "271 clusters" in found.to("terminal")
    assert "ecommerce" in text


def test_a_domain_is_scored_on_its_own_segments(folder: Path, compared: Callable[..., Comparison]) -> None:
    found = compared("A", "bleu", "-n", "1000", "--items", f"{folder}/items.tsv", "--cluster", "doc_id")
    with (folder / "items.tsv").open(encoding="utf-8", newline="") as f:
        here = [i for i, row in enumerate(csv.DictReader(f, delimiter="\t")) if row["domain"] == "news"]
    reference, system = lines(folder / "ref.A.txt"), lines(folder / "PROMT.txt")
    news = next(d for d in found.buckets if d.bucket == "news" and d.system == "PROMT")
    score = BLEU().corpus_score([system[i] for i in here], [[reference[i] for i in here]]).score
    assert news.system_score == pytest.approx(score, abs=1e-9)


@pytest.mark.nightly
def test_ter_is_sacrebleus(folder: Path, compared: Callable[..., Comparison]) -> None:
    found = compared("A", "ter", "-n", "1000")
    scores = {s.system: s for s in found.scores}
    for system, score in scores.items():
        assert not score.higher_is_better
        assert score.score == pytest.approx(expected(folder, "A", system, TER()), abs=1e-9)
    for pair in found.pairs:
        assert pair.gain == pytest.approx(scores[found.baseline].score - scores[pair.system].score)
