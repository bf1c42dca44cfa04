"""Segment scores of sacrebleu, comet-score and mt-metrics-eval."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

import outscore
from outscore.base.errors import InputError, UsageError
from outscore.data import read as read_files
from outscore.data.run import Run
from tests.verbs.flat import differing

REFERENCES = ["the cat sat on the mat", "a dog barked loudly", "nobody came to the small party"]
OUTPUTS = ["the cat sat on a mat", "a dog barked", "nobody came to a party"]


def runs_of(path: Path, **options: str) -> tuple[Run, ...]:
    return read_files([str(path)], **options).runs


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


# ---------------------------------------------------------------- sacrebleu


@pytest.fixture
def texts(tmp_path: Path) -> tuple[Path, Path]:
    ref = written(tmp_path / "ref.txt", "".join(f"{r}\n" for r in REFERENCES))
    return ref, written(tmp_path / "hyp.txt", "".join(f"{o}\n" for o in OUTPUTS))


def sacrebleu(texts: tuple[Path, Path], *arguments: str) -> str:
    ref, hyp = map(str, texts)
    command = [sys.executable, "-m", "sacrebleu", ref, "-i", hyp, *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout


@pytest.mark.parametrize(
    ("name", "arguments", "metric"),
    [
        ("bleu", ["-m", "bleu"], BLEU(effective_order=True)),
        ("bleu", ["-m", "bleu", "--short"], BLEU(effective_order=True)),
        ("chrf", ["-m", "chrf"], CHRF()),
        ("chrf", ["-m", "chrf", "--chrf-word-order", "2"], CHRF(word_order=2)),
        ("ter", ["-m", "ter"], TER()),
        ("ter", ["-m", "ter", "-f", "text"], TER()),
    ],
    ids=["bleu", "short", "chrf", "chrf++", "ter", "text"],
)
def test_what_sacrebleu_prints_for_segments_is_read(
    texts: tuple[Path, Path], tmp_path: Path, name: str, arguments: list[str], metric: BLEU | CHRF | TER
) -> None:
    printed = sacrebleu(texts, *arguments, "--sentence-level", "-w", "6")
    (run,) = runs_of(written(tmp_path / "system.txt", printed))
    expected = [metric.sentence_score(o, [r]).score for o, r in zip(OUTPUTS, REFERENCES, strict=True)]
    assert run.system == "system"
    assert list(run.columns) == [name]
    assert np.allclose(run.columns[name], expected, atol=1e-6)
    assert run.source.reader == "sacrebleu"
    assert run.labels["signature"][0] in printed
    assert run.labels["signature"][0] in run.notes[0].text


@pytest.mark.parametrize(
    "arguments",
    [
        "-m bleu",
        "-m ter -f text",
        *(
            pytest.param(printed, marks=pytest.mark.slow)
            for printed in (
                "-m bleu chrf ter",
                "-m bleu -f text",
                "-m bleu chrf -f text",
                "-m bleu --confidence --confidence-n 10",
                "-m bleu --confidence --confidence-n 10 -f text",
            )
        ),
    ],
)
def test_scores_of_a_corpus_are_refused_with_the_remedy(
    texts: tuple[Path, Path], tmp_path: Path, arguments: str
) -> None:
    path = written(tmp_path / "corpus.json", sacrebleu(texts, *arguments.split()))
    with pytest.raises(InputError, match=r"whole corpora.*; give the outputs.*--sentence-level"):
        runs_of(path)


def test_several_systems_in_one_json_are_refused(texts: tuple[Path, Path], tmp_path: Path) -> None:
    other = written(tmp_path / "other.txt", "".join(f"{o} !\n" for o in OUTPUTS))
    printed = sacrebleu(texts, str(other), "-m", "bleu", "chrf", "-f", "json")
    with pytest.raises(InputError, match="whole corpora"):
        runs_of(written(tmp_path / "corpus.json", printed))


def test_a_broken_line_of_sacrebleu_is_named(texts: tuple[Path, Path], tmp_path: Path) -> None:
    lines = sacrebleu(texts, "-m", "chrf", "--sentence-level").splitlines()
    path = written(tmp_path / "system.txt", "\n".join([lines[0], "oops", lines[2]]))
    with pytest.raises(InputError, match=r"system\.txt:2: found 'oops'"):
        runs_of(path)


def test_different_signatures_are_spoken_of(texts: tuple[Path, Path], tmp_path: Path) -> None:
    a = written(tmp_path / "a.txt", sacrebleu(texts, "-m", "chrf", "--sentence-level"))
    b = written(tmp_path / "b.txt", sacrebleu(texts, "-m", "chrf", "--chrf-lowercase", "--sentence-level"))
    assert not any(
        "signature" in n.text
        for n in outscore.read([f"a={a}", f"b={a}"]).notes
        if n.code not in ("sentence_scores", "runs_alike")
    )
    assert any("'signature' has different values" in n.text for n in outscore.read([str(a), str(b)]).notes)


# ---------------------------------------------------------------- comet


PRINTED = (
    "out/hyp1.en\tSegment 0\tscore: 0.9822\n"
    "out/hyp2.en\tSegment 0\tscore: 0.9599\n"
    "out/hyp1.en\tSegment 1\tscore: 0.5\n"
    "out/hyp2.en\tSegment 1\tscore: -0.25\n"
    "out/hyp1.en\tscore: 0.7411\n"
    "out/hyp2.en\tscore: 0.3550\n"
)


def test_printed_comet_scores_are_read_by_system_and_position(tmp_path: Path) -> None:
    first, second = runs_of(written(tmp_path / "comet.txt", PRINTED))
    assert (first.system, second.system) == ("hyp1", "hyp2")
    assert first.columns["comet"].tolist() == [0.9822, 0.5]
    assert second.columns["comet"].tolist() == [0.9599, -0.25]
    assert first.ids is None


def test_variances_and_lines_between_are_read_and_passed_over(tmp_path: Path) -> None:
    text = (
        "Global seed set to 1\nSegment 0\tscore: 0.5\tvariance: 0.01\nSegment 1\tscore: 0.6\tvariance: 0.02\n"
        "System score: 0.55\nPredictions saved in: x.json.\n"
    )
    (run,) = runs_of(written(tmp_path / "one.log", text))
    assert run.system == "one"
    assert {name: values.tolist() for name, values in run.columns.items()} == {
        "comet": [0.5, 0.6],
        "variance": [0.01, 0.02],
    }


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("out/hyp1.en\tSegment 1\tscore: none", r"comet\.txt:3: found .* expected FILE, Segment N"),
        ("out/hyp1.en\tSegment 1\tscore: 1_0", r"comet\.txt:3: found .* expected FILE, Segment N"),  # Python's 10
        ("out/hyp1.en\tSegment 1\tsco", r"comet\.txt:3: found .* expected FILE, Segment N"),
        ("out/hyp1.en\tSegment 2\tscore: 0.5", r"comet\.txt:3: found segment 2 of out/hyp1\.en, expected segment 1"),
        ("out/hyp1.en\tSegment 0\tscore: 0.5", r"comet\.txt:3: found segment 0 of out/hyp1\.en, expected segment 1"),
    ],
)
def test_a_broken_or_missing_segment_is_named(tmp_path: Path, line: str, says: str) -> None:
    lines = PRINTED.splitlines()
    lines[2] = line
    with pytest.raises(InputError, match=says):
        runs_of(written(tmp_path / "comet.txt", "\n".join(lines)))


def test_system_scores_alone_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "comet.txt", "hyp1.en\tscore: 0.7411\n")
    with pytest.raises(InputError, match=r"no score of a segment; run comet-score without --only_system"):
        runs_of(path, reader="comet")


def segments(n: int = 3, **more: object) -> list[dict[str, object]]:
    return [{"src": f"s{i}", "mt": f"m {i}", "ref": f"r {i}", "COMET": i / 4, **more} for i in range(n)]


@pytest.mark.parametrize("indent", [4, None])
def test_comet_json_brings_scores_outputs_and_references(tmp_path: Path, indent: int | None) -> None:
    content = {"hyp1.en": segments(errors=[{"text": "m", "severity": "minor"}]), "hyp2.en": segments(variance=0.5)}
    first, second = runs_of(written(tmp_path / "x.json", json.dumps(content, indent=indent)))
    assert (first.system, second.system) == ("hyp1", "hyp2")
    assert first.columns["comet"].tolist() == [0, 0.25, 0.5]
    assert (first.outputs, first.references) == (("m 0", "m 1", "m 2"), (("r 0", "r 1", "r 2"),))
    assert sorted(second.columns) == ["comet", "variance"]


def test_a_list_of_segments_is_one_system_named_after_the_file(tmp_path: Path) -> None:
    without = [{k: v for k, v in segment.items() if k != "ref"} for segment in segments()]
    (run,) = runs_of(written(tmp_path / "kiwi.json", json.dumps(without)))
    assert (run.system, run.references) == ("kiwi", ())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"hyp": [{"mt": "x", "COMET": 0.5}', "broken JSON"),
        ('{"hyp": [{"mt": "x", "COMET": 0.5}], "other": []}', "'other' holds no list of segments"),
        ('{"hyp": [{"mt": "x", "COMET": 0.5}, {"mt": "y"}]}', "have no number in common"),
        ('{"hyp": [{"mt": "x", "COMET": 0.5}, 7]}', "'hyp' holds no list of segments"),
    ],
)
def test_broken_comet_json_is_refused(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        runs_of(written(tmp_path / "x.json", text))


def test_a_file_of_two_systems_has_no_single_name(tmp_path: Path) -> None:
    path = written(tmp_path / "comet.txt", PRINTED)
    with pytest.raises(InputError, match=r"holds 2 systems .* but was given as 'new'"):
        read_files([f"new={path}"])


def test_printed_comet_and_its_json_compare_alike(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    scores = {name: rng.random(20).round(4).tolist() for name in ("hyp1.en", "hyp2.en")}
    lines = [f"{name}\tSegment {i}\tscore: {values[i]:.4f}" for i in range(20) for name, values in scores.items()]
    content = {name: [{"src": "s", "mt": "m", "COMET": v} for v in values] for name, values in scores.items()}
    printed = outscore.read(str(written(tmp_path / "a.txt", "\n".join(lines))))
    saved = outscore.read(str(written(tmp_path / "b.json", json.dumps(content))))
    found = [outscore.compare(data, metrics="comet") for data in (printed, saved)]
    # lines of one file have numbers, those of the other none: they are summed in different orders
    assert not differing(*(vars(one.pairs[0]) for one in found))


# ---------------------------------------------------------------- mt-metrics-eval

DOCS = "news doc1\nnews doc1\ntalks doc2\n"
SEGMENTS = "sysA 0.5\nsysA 0.25\nsysA None\nsysB 1\nsysB -2\nsysB 3e-1\n"


def data_set(folder: Path, docs: str = DOCS) -> tuple[Path, Path]:
    """A metric's and a human score file in the places that mt-metrics-eval gives them."""
    written(folder / "documents" / "en-de.docs", docs)
    metric = written(folder / "metric-scores" / "en-de" / "COMET-22-refA.refB.seg.score", SEGMENTS)
    return metric, written(folder / "human-scores" / "en-de.mqm.seg.score", SEGMENTS.replace(" ", "\t"))


def test_segment_scores_are_blocks_of_systems_with_domains_and_documents(tmp_path: Path) -> None:
    for path, column in zip(data_set(tmp_path), ("COMET-22", "mqm"), strict=True):
        first, second = runs_of(path)
        assert (first.system, second.system) == ("sysA", "sysB")
        assert list(first.columns) == [column]
        assert first.columns[column].tolist()[:2] == [0.5, 0.25]
        assert np.isnan(first.columns[column][2])
        assert second.columns[column].tolist() == [1, -2, 0.3]
        assert first.labels == {"domain": ("news", "news", "talks"), "cluster": ("doc1", "doc1", "doc2")}


def test_document_and_domain_scores(tmp_path: Path) -> None:
    data_set(tmp_path)
    docs = written(tmp_path / "human-scores" / "en-de.mqm.doc.score", "sysA 1\nsysA 2\nsysB 3\nsysB 4\n")
    (first, _) = runs_of(docs)
    assert first.labels == {"domain": ("news", "talks")}
    domains = written(
        tmp_path / "metric-scores" / "en-de" / "BLEU-refA.domain.score",
        "news sysA 1\ntalks sysA 2\ntalks sysB 4\nnews sysB 3\n",
    )
    first, second = runs_of(domains)
    assert first.ids == second.ids == ("news", "talks")
    assert second.columns["BLEU"].tolist() == [3, 4]


def test_names_that_say_nothing_give_the_column_score(tmp_path: Path) -> None:
    (first, _) = runs_of(written(tmp_path / "mine.score", SEGMENTS.replace("None", "0")))
    assert list(first.columns) == ["score"]
    assert not first.labels


def test_a_score_for_each_system_is_not_enough(tmp_path: Path) -> None:
    for name in ("BLEU-refA.sys.score", "mine.score"):
        path = written(tmp_path / name, "sysA 1\nsysB 2\n")
        with pytest.raises(InputError, match="one score for each system"):
            runs_of(path)


def test_a_system_without_any_score_is_left_out_and_named(tmp_path: Path) -> None:
    path = written(tmp_path / "en-de.mqm.seg.score", "sysA 1\nsysA 2\nrefB None\nrefB None\n")
    (run,) = runs_of(path)
    assert run.system == "sysA"
    assert [note.text for note in run.notes] == ["'refB' was left out: the file has no score of it"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("sysA 1\nsysA 2\nsysB 1\nsysB\n", r":4: found 'sysB', expected SYSTEM SCORE"),
        ("sysA 1\nsysA 2\nsysB 1\nsysB x\n", r":4: found 'sysB x'"),
        ("sysA 1\nsysA 2\nsysB 1\nnews sysB 1\n", r":4: found 'news sysB 1'"),
        ("sysA 1\n\nsysB 1\nsysB 2\n", r":2: found ''"),
        ("sysA 1\nsysA 2\nsysB 1\n", "'sysB' has 1 scores, expected 2"),
    ],
)
def test_a_broken_score_file_is_named(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        runs_of(written(tmp_path / "BLEU-refA.seg.score", text))


@pytest.mark.parametrize(
    ("docs", "says"), [("news doc1\n", "describes 1 items, but .* has 3"), ("news\n", r"docs:1: expected DOMAIN")]
)
def test_documents_that_do_not_fit_are_refused(tmp_path: Path, docs: str, says: str) -> None:
    path, _ = data_set(tmp_path, docs)
    with pytest.raises(InputError, match=says):
        runs_of(path)


def test_lines_of_numbers_in_a_score_file_stay_scores(tmp_path: Path) -> None:
    (run,) = runs_of(written(tmp_path / "a.score", "0.5\n0.25\n"))
    assert run.source.reader == "scores"


# ---------------------------------------------------------------- error scores in tables


def of_metricx(path: Path, worse: float, header: str = "source,hypothesis,reference,prediction") -> Path:
    others = {"source": "s", "hypothesis": path.stem, "reference": "r"}
    names = header.split(",")
    rows = (",".join(f"{others[n]}{i}" if n in others else f"{i % 7 / 2 + worse}" for n in names) for i in range(40))
    return written(path, "".join(f"{row}\n" for row in (header, *rows)))


@pytest.mark.parametrize("header", ["source,hypothesis,reference,prediction", "source,hypothesis,prediction"])
def test_what_metricx_predicts_is_an_error_score_in_a_table_too(tmp_path: Path, header: str) -> None:
    files = [of_metricx(tmp_path / "bad.csv", 1.25, header), of_metricx(tmp_path / "good.csv", 0.25, header)]
    pair = outscore.compare(outscore.read(files), metrics=["metricx"]).pairs[0]
    assert pair.system == "good"
    assert pair.gain == pytest.approx(1.0)
    with pytest.raises(InputError, match="lower is better"):
        outscore.read(files, columns=["score=prediction"])


def test_other_predictions_beside_hypotheses_stay_what_they_are(tmp_path: Path) -> None:
    file = of_metricx(tmp_path / "a.csv", -0.5)  # the sign is turned, or it is no MetricX
    with pytest.raises(InputError, match="say which one is"):
        runs_of(file)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_sign_of_a_column_mqm_says_which_is_better(tmp_path: Path, sign: int) -> None:
    files = []
    for name, points in (("bad", 5), ("good", 1)):
        rows = "".join(f"{i},{sign * points * (i % 3)}\n" for i in range(40))
        files.append(written(tmp_path / f"{name}.csv", f"id,mqm\n{rows}"))
    pair = outscore.compare(outscore.read(files), metrics=["mqm"]).pairs[0]
    assert pair.system == "good"
    assert pair.gain > 0


# ---------------------------------------------------------------- tables of COMET and MetricX


def table_of(path: Path, header: str, scores: tuple[float, ...]) -> Path:
    rows = zip(OUTPUTS, REFERENCES, scores, strict=True)
    return written(path, header + "".join(f"quelle {i},{o},{r},{x}\n" for i, (o, r, x) in enumerate(rows)))


@pytest.mark.parametrize("header", ["src,mt,ref,COMET\n", "src,translation,ref,COMET\n"])
def test_a_score_of_comet_in_a_table_is_read_where_it_is_named(header: str, tmp_path: Path) -> None:
    files = [table_of(tmp_path / f"{name}.csv", header, (0.5, 0.25, x)) for name, x in (("a", 0.3), ("b", 0.6))]
    found = outscore.score(outscore.read(files, measures="COMET"), metrics="COMET")
    assert {one.system: one.score for one in found.scores} == pytest.approx({"a": 0.35, "b": 0.45})


def test_the_translation_beside_a_score_of_comet_is_an_output(tmp_path: Path) -> None:
    runs = [
        run for name in "ab" for run in runs_of(table_of(tmp_path / f"{name}.csv", "src,mt,ref,COMET\n", (1, 0, 1)))
    ]
    assert [run.outputs for run in runs] == [tuple(OUTPUTS)] * 2
    (judged,) = runs_of(table_of(tmp_path / "judged.csv", "src,mt,ref,score\n", (1, 0, 1)))
    assert (judged.outputs, judged.columns["score"].tolist()) == (None, [1, 0, 1])
    wide = written(tmp_path / "w.csv", "src,mt,ours,ref\n" + "".join(f"q,{r} a,{r} b,{r}\n" for r in REFERENCES))
    assert [run.system for run in runs_of(wide)] == ["mt", "ours"]


def test_the_score_of_metricx_is_advised_before_a_metric_of_texts(tmp_path: Path) -> None:
    header = "source,hypothesis,reference,prediction\n"
    files = [table_of(tmp_path / f"{name}.csv", header, (0.5, 2.25, x)) for name, x in (("a", 0.3), ("b", 0.6))]
    with pytest.raises(UsageError, match="'metricx': -m mean:column=metricx,lower=true takes the scores, -m bleu"):
        outscore.compare(outscore.read(files))
