"""METEOR is that of the jar run on files: statistics segment by segment, scores of segments and of the corpus."""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.errors import InputError, MissingExtra, UsageError
from outscore.base.items import Items
from outscore.metrics import meteor, metrics
from outscore.metrics.meteor import Meteor
from tests.contract.cases.generation import needs_meteor
from tests.examples import first
from tests.metrics.translations import columns

english = pytest.mark.slow
"""A process for English first reads the paraphrases, for ten seconds."""


@pytest.fixture(autouse=True)
def _java() -> None:
    needs_meteor()


REFERENCE = ["the cat sat on the mat .", 'He didn\'t go; it rained "all" day', "a | b ||| c", "", "x", "|||| y"]
SECOND = ["a dog", "He stayed since it rained", "b", "", "y z", "| y"]
OUTPUT = ["the cat sat on the mat .", "He did not go since it rained all day.", "a ||| b | c", "some", "", "y |||"]


def run(folder: Path, outputs: Sequence[str], references: Sequence[Sequence[str]], *options: str) -> list[str]:
    """What the jar prints for files."""
    together = [line for lines in zip(*references, strict=True) for line in lines]
    for name, lines in (("out", outputs), ("ref", together)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    count = ["-r", str(len(references))] if len(references) > 1 else []
    command = ["java", "-Xmx2G", "-jar", str(meteor.find_jar("")), "out", "ref", *count, *options]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, encoding="utf-8").stdout.splitlines()


def numbers(lines: list[str]) -> Any:
    return np.array([[float(number) for number in line.split()] for line in lines])


def statistics(metric: Meteor, outputs: Sequence[str], *references: Sequence[str]) -> Any:
    return metric.statistics(Items(n=len(outputs), outputs=outputs, references=references))


@pytest.mark.slow
@pytest.mark.parametrize(("language", "norm"), [pytest.param("en", True, marks=pytest.mark.nightly), ("da", False)])
def test_statistics_are_those_of_files_whatever_the_texts_hold(language: Any, norm: bool, tmp_path: Path) -> None:
    """With -norm against two references, of which the jar takes the better one; without it against one, in a language
    that has no paraphrases to be read.
    """
    references = [REFERENCE, SECOND] if norm else [REFERENCE]
    found = statistics(Meteor(language=language, norm=norm), OUTPUT, *references)
    expected = numbers(run(tmp_path, OUTPUT, references, "-l", language, "-ssOut", *["-norm"] * norm))
    perfect = 0
    assert expected[perfect, -3] == 1
    expected[perfect, -3] = 0
    np.testing.assert_array_equal(found, expected)


@english
def test_a_missing_reference_is_not_scored() -> None:
    both = statistics(Meteor(), ["zzz", "zzz"], ["the cat", "the cat"], ["", "dogs bark at it"])
    assert both[:, 1].tolist() == [2, 2]
    assert statistics(Meteor(), ["zzz"], [""], [""])[0, 1] == 0


@english
def test_newlines_are_blanks() -> None:
    broken, whole = statistics(Meteor(), ["the cat\r\nsat\n", "the cat  sat "], ["a cat\nsat", "a cat sat"])
    np.testing.assert_array_equal(broken, whole)


@pytest.mark.slow
@pytest.mark.data
def test_real_segments_against_the_jar_on_files(data_root: Path, tmp_path: Path) -> None:
    texts = columns(data_root)
    outputs, references = texts["sys:baseline.opt0"], texts["ref:0"]
    metric = Meteor()
    found = statistics(metric, outputs, references)
    printed = run(tmp_path, outputs, [references], "-l", "en", "-norm")
    assert printed[0] == "Meteor version: 1.5"
    segments = [float(line.rpartition("\t")[2]) for line in printed if line.startswith("Segment ")]
    np.testing.assert_allclose(metric.score(found), segments, rtol=1e-12, atol=1e-12)
    corpus = float(printed[-1].removeprefix("Final score:"))
    assert float(metric.score(found.sum(axis=0))) == pytest.approx(corpus, rel=1e-12)
    # 0.4923 in MultEval's own regression test is of an older METEOR with other parameters
    assert corpus == pytest.approx(0.2932, abs=5e-5)


@english
def test_systems_are_compared_by_all_metrics_of_generated_text(tmp_path: Path) -> None:
    files = {"ref": REFERENCE, "bad": OUTPUT, "good": [*REFERENCE[:3], "", "z", "y"]}
    for name, lines in files.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    names = ["meteor", "rouge:type=rougeL,stemmer=true", "wer", "cer", "mer", "wil", "length_ratio", "squad_em"]
    runs = [str(tmp_path / "bad.txt"), str(tmp_path / "good.txt")]
    data = outscore.read(runs, references=str(tmp_path / "ref.txt"))
    found = outscore.compare(data, metrics=",".join(names), n_resamples=200)
    assert list(dict.fromkeys(score.metric for score in found.scores)) == names
    for name in ("meteor", "wer", "wil"):
        alone = metrics.make(name)
        expected = alone.score(alone.statistics(Items(n=6, outputs=OUTPUT, references=(REFERENCE,))).sum(axis=0))
        assert found.scores[2 * names.index(name)].score == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.parametrize("language", ["da", "pt"])
def test_languages_with_the_parameters_for_all(language: Any, tmp_path: Path) -> None:
    outputs, references = ["en kat sad der .", "det regner nu"], ["en kat sidder der .", "det regnede"]
    metric = Meteor(language=language, norm=False)
    found = statistics(metric, outputs, references)
    printed = run(tmp_path, outputs, [references], "-l", language)
    assert found.shape == (2, 23)
    assert float(metric.score(found.sum(axis=0))) == pytest.approx(float(printed[-1].split()[-1]), rel=1e-12)


def test_only_texts_that_match_whole_have_no_chunks() -> None:
    """None of these words is a function word; a chunk is a run of words in the order of the reference."""
    outputs = ["gatto nero", "gatto nero cane", "nero gatto", "gatto nero"]
    references = ["gatto nero", "gatto nero", "gatto nero", "gatto nero cane"]
    found = statistics(Meteor(language="it", norm=False), outputs, references)
    assert found[:, -3].tolist() == [0, 1, 2, 1]


@pytest.mark.parametrize("language", first(["cz", "de", "es", "fr", "ru"], "de", others=pytest.mark.slow))
def test_tuned_parameters_are_those_of_the_jar(language: Any, tmp_path: Path) -> None:
    """With an empty table of paraphrases beside the jar: the counts are drawn, and the jar itself scores them."""
    jar = tmp_path / "meteor-1.5.jar"
    shutil.copy(meteor.find_jar(""), jar)
    with pytest.raises(InputError, match=f"no paraphrases of '{language}'.*; name the jar of the full METEOR"):
        statistics(Meteor(language=language, jar=str(jar)), ["a"], ["a"])
    (tmp_path / "data").mkdir()
    with gzip.open(tmp_path / "data" / f"paraphrase-{language}.gz", "wb"):
        pass
    metric = Meteor(language=language, jar=str(jar))
    assert statistics(metric, ["a b c ."], ["a d c ."]).shape == (1, 23)
    draw = np.random.default_rng(1)
    for _ in range(5):
        matches = draw.integers(0, 9, 16)
        lengths = [200, 210, 90, 95]
        words = matches.reshape(-1, 2).sum(axis=0)
        metric._assert_same_score(np.array([*lengths, *matches, 7, *words], dtype=float))


@pytest.mark.parametrize("wrong", [-1e-8, 1e-8])
def test_a_wrong_score_of_ours_would_be_noticed(wrong: float) -> None:
    class Wrong(Meteor):
        def score(self, sums: Any) -> Any:
            return super().score(sums) + wrong

    with pytest.raises(AssertionError, match="is not the jar's"):
        statistics(Wrong(language="it", norm=False), ["il gatto"], ["un gatto"])


def test_one_process_serves_all_calls_and_another_takes_over_when_it_died() -> None:
    metric = Meteor(language="it", norm=False)
    before = statistics(metric, ["il gatto"], ["un gatto"])
    (process,) = (process for key, process in meteor._processes.items() if "it" in key)
    np.testing.assert_array_equal(statistics(metric, ["il gatto"], ["un gatto"]), before)
    assert process in meteor._processes.values()
    process._java.kill()
    process._java.wait()
    with pytest.raises(InputError, match="the METEOR process ended: no message; give it more memory"):
        statistics(metric, ["il gatto"], ["un gatto"])
    assert process not in meteor._processes.values()
    np.testing.assert_array_equal(statistics(metric, ["il gatto"], ["un gatto"]), before)


def test_what_java_says_is_passed_on(tmp_path: Path) -> None:
    broken = tmp_path / "meteor.jar"
    broken.write_bytes(b"no jar")
    with pytest.raises(InputError, match=r"the METEOR process ended: .*(jar|zip)"):
        statistics(Meteor(jar=str(broken), language="it", norm=False), ["a"], ["a"])


def test_processes_end_with_python(tmp_path: Path) -> None:
    code = (
        "from outscore.base.items import Items; from outscore.metrics import metrics;"
        "from outscore.metrics import meteor;"
        "metrics.make('meteor:language=it,norm=false').statistics(Items(n=1, outputs=['a'], references=(['a'],)));"
        "print(next(iter(meteor._processes.values()))._java.pid)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, encoding="utf-8")
    assert done.stderr == ""
    assert not Path(f"/proc/{int(done.stdout)}").exists()


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("meteor:language=da", "expected norm=false beside it"),
        ("meteor:language=xx", "expected one of en, cz"),
        ("meteor:memory=lots", "expected a size such as 2G"),
    ],
)
def test_options_that_cannot_be_are_refused(spec: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        metrics.make(spec)


def test_a_jar_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for metric in (Meteor(jar="no.jar"), Meteor()):
        monkeypatch.setenv(meteor.VARIABLE, "no.jar")
        with pytest.raises(InputError, match=r"there is no METEOR jar 'no.jar'; name it by meteor:jar=PATH"):
            statistics(metric, ["a"], ["a"])


def test_the_variable_names_the_jar(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    jar = tmp_path / "my.jar"
    jar.touch()
    monkeypatch.setenv(meteor.VARIABLE, str(jar))
    assert meteor.find_jar("") == jar
    signature = Meteor().signature(Items(n=1, outputs=["a"], references=(["a"], ["b"])))
    assert signature == "meteor|nrefs:2|lang:en|norm:yes|task:rank|jar:my"


def test_without_the_package_or_java_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingExtra, match=r"needs Java on the PATH: install a Java runtime .*outscore\[meteor\]"):
        statistics(Meteor(memory="3G"), ["a"], ["a"])
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"jar and Java: pip install 'outscore\[meteor\]', or name a jar"):
        statistics(Meteor(memory="3G"), ["a"], ["a"])
