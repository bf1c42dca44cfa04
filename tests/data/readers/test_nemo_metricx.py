"""Manifests of NeMo, and what MetricX writes: read as what they are, without any option."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commandline import outscore

SAID = ["the cat sat", "a dog ran fast", "he is slow", "red car"] * 5
HEARD = {
    "base": ["the cat", "a dog ran", "he is slow", "red cat"] * 5,
    "new": ["the cat sat", "a dog ran fast", "he", "red car"] * 5,
}
"""Per four utterances base has 3 errors in 12 words, and new has 2."""


def written(file: Path, rows: list[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def manifests(folder: Path) -> list[Path]:
    return [
        written(
            folder / f"{system}.json",
            [
                {"audio_filepath": f"/wav/{i:02}.wav", "duration": 3 + i / 8, "text": said, "pred_text": heard}
                for i, (said, heard) in enumerate(zip(SAID, texts, strict=True))
            ],
        )
        for system, texts in HEARD.items()
    ]


def result(*arguments: str | Path) -> dict[str, Any]:
    done = outscore("compare", *arguments, "-f", "json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


@pytest.mark.parametrize("named", [True, False])
def test_the_duration_of_an_utterance_is_no_score(tmp_path: Path, named: bool) -> None:
    files = manifests(tmp_path)
    found = result(*(f"{file.stem}={file}" if named else file for file in files))
    assert {score["metric"] for score in found["scores"]} == {"wer"}
    assert [score["score"] for score in found["scores"]] == [pytest.approx(3 / 12), pytest.approx(2 / 12)]


def test_manifests_are_paired_by_the_audio_file(tmp_path: Path) -> None:
    base, new = manifests(tmp_path)
    lines = new.read_text(encoding="utf-8").splitlines(keepends=True)
    before = result(base, new)["pairs"][0]["p_value"]
    new.write_text("".join(reversed(lines)), encoding="utf-8")
    assert result(base, new)["pairs"][0]["p_value"] == before


def test_a_manifest_without_predictions_is_one_of_references(tmp_path: Path) -> None:
    base, new = manifests(tmp_path)
    gold = written(
        tmp_path / "gold.json", [{"audio_filepath": f"/wav/{i:02}.wav", "text": said} for i, said in enumerate(SAID)]
    )
    for file in (base, new):
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        written(file, [{key: value for key, value in row.items() if key != "text"} for row in rows])
    assert [s["score"] for s in result("-r", gold, base, new)["scores"]] == [pytest.approx(1 / 4), pytest.approx(1 / 6)]


def test_parts_of_one_audio_file_are_told_apart_by_their_offset(tmp_path: Path) -> None:
    for file in manifests(tmp_path):
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        written(file, [{**row, "audio_filepath": "a.wav", "offset": i / 2} for i, row in enumerate(rows)])
    assert result(tmp_path / "base.json", tmp_path / "new.json")["pairs"][0]["n_items"] == 20


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"audio_filepath": "/wav/00.wav"}, ":2: '/wav/00.wav' was already in line 1"),
        ({"pred_text": 1.5}, ":2: pred_text: found a number, expected a text"),
        ({"audio_filepath": None}, ":2: has no 'audio_filepath'"),
    ],
)
def test_a_wrong_line_of_a_manifest_is_named(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    base, new = manifests(tmp_path)
    rows = [json.loads(line) for line in base.read_text(encoding="utf-8").splitlines()]
    rows[1] |= change
    done = outscore("compare", written(base, rows), new)
    assert done.code == 3
    assert f"{base}{says}" in done.err


def scored(file: Path, scores: list[float], **more: Any) -> Path:
    rows = [
        {
            "source": f"Satz {i}",
            "reference": f"the sentence {i}",
            "hypothesis": f"sentence {i}",
            "prediction": s,
            **more,
        }
        for i, s in enumerate(scores)
    ]
    return written(file, rows)


BAD, GOOD = [5.0 + i % 3 for i in range(20)], [1.0 + i % 4 for i in range(20)]


@pytest.mark.parametrize("more", [{}, {"reference": ""}, {"label": -1.5}], ids=["", "qe", "judged"])
def test_less_error_of_metricx_is_better(tmp_path: Path, more: dict[str, Any]) -> None:
    files = scored(tmp_path / "bad.jsonl", BAD, **more), scored(tmp_path / "good.jsonl", GOOD, **more)
    for found in (result(*files), result(*files, "-m", "metricx")):
        assert {score["higher_is_better"] for score in found["scores"]} == {False}
        assert found["pairs"][0]["gain"] == pytest.approx(sum(BAD) / 20 - sum(GOOD) / 20)
        assert "direction_assumed" not in [note["code"] for note in found["notes"]]


def test_the_hypotheses_that_metricx_scored_are_outputs(tmp_path: Path) -> None:
    found = result(scored(tmp_path / "a.jsonl", BAD), scored(tmp_path / "b.jsonl", GOOD), "-m", "chrf")
    assert found["pairs"][0]["p_value"] == 1.0


def test_a_column_called_metricx_is_lower_better_unless_its_sign_was_turned(tmp_path: Path) -> None:
    for sign, higher in ((1, False), (-1, True)):
        file = tmp_path / "t.csv"
        rows = [f"{s},q{i},{sign * x}" for s, xs in (("a", BAD), ("b", GOOD)) for i, x in enumerate(xs)]
        file.write_text("system,item,metricx\n" + "\n".join(rows) + "\n", encoding="utf-8")
        assert {s["higher_is_better"] for s in result(file)["scores"]} == {higher}


@pytest.mark.parametrize("score", [-1.5, 25.5])
def test_an_error_score_beyond_the_scale_is_named(tmp_path: Path, score: float) -> None:
    file = scored(tmp_path / "a.jsonl", [1.0, score])
    done = outscore("compare", file, scored(tmp_path / "b.jsonl", [1.0, 2.0]))
    assert f"{file}:2: 'prediction' is {score:g}, expected an error score from 0 to 25" in done.err


def test_labels_of_inference_are_no_error_scores(tmp_path: Path) -> None:
    rows = [{"id": i, "premise": "a", "hypothesis": "b", "label": i % 2, "prediction": (i // 2) % 2} for i in range(20)]
    found = result(written(tmp_path / "a.jsonl", rows), written(tmp_path / "b.jsonl", rows))
    assert {score["metric"] for score in found["scores"]} == {"accuracy"}


def test_what_comet_writes_is_compared_by_its_score(tmp_path: Path) -> None:
    for system, add in (("a", 0.0), ("b", 0.125)):
        segments = [{"src": "x", "mt": f"y z {i}", "ref": f"y {i}", "COMET": 0.5 + add + i / 64} for i in range(12)]
        (tmp_path / f"{system}.json").write_text(json.dumps({f"{system}.txt": segments}), encoding="utf-8")
    files = tmp_path / "a.json", tmp_path / "b.json"
    found = result(*files)
    assert {score["metric"] for score in found["scores"]} == {"comet"}
    assert found["pairs"][0]["gain"] == pytest.approx(0.125)
    assert {score["metric"] for score in result(*files, "-m", "bleu")["scores"]} == {"bleu"}
