"""A measure whose name says no direction is taken as higher-is-better, and this is said, with what turns it."""

from __future__ import annotations

import json
import random
import shlex
from pathlib import Path

import pytest

from outscore.data.measures import lower_by_name, says_direction
from tests.cli.commandline import outscore, written

FEWER = (
    "omissions misses fertility TTFT interventions severity mcd rtf keystrokes disfluencies oov downvotes leakage fn "
)
FEWER += (
    "regressions Fehler erreurs errores fp abandonment_rate unsupported_claims contradictions hallu skipped crashes "
)
FEWER += "timeouts mistranslations turns_to_solve invalid duplicates rejected off_topic jailbreaks attack_success_rate "
FEWER += "false_negatives Anzahl_Fehler taux_d'erreur contradictionRate gap deviation severity_score tonal-Fehlerrate "
KNOWN = (
    "score acc f1 bleu comet helpfulness win_rate pass@1 hits@10 P_10 rouge_l human_rating quality ROUGE-Lsum valid "
)


@pytest.mark.parametrize("name", FEWER.split())
def test_names_of_faults_say_that_less_is_better(name: str) -> None:
    assert lower_by_name(name)


@pytest.mark.parametrize("name", [*KNOWN.split(), "wer", "latency_ms", "MQM"])
def test_known_names_say_a_direction(name: str) -> None:
    assert says_direction(name)


@pytest.mark.parametrize("name", ["zork", "asr", "steps", "flags", "no_gap_model", "deviation_of_v2", "regression"])
def test_other_names_say_none(name: str) -> None:
    assert not says_direction(name)


def long(file: Path, *names: str) -> Path:
    dice = random.Random(1)
    rows = [f"{s},q{i},{','.join(str(dice.randint(0, 9)) for _ in names)}" for s in "ab" for i in range(30)]
    return written(file, [f"system,item,{','.join(names)}", *rows])


@pytest.mark.parametrize("asked", [(), ("-m", "asr"), ("-m", "speech=asr")])
def test_a_direction_that_no_name_says_is_told_with_the_option_that_turns_it(
    tmp_path: Path, asked: tuple[str, ...]
) -> None:
    file = long(tmp_path / "t.csv", "asr")
    text = "higher was taken as better for 'asr', though no name says so; else -m mean:column=asr,lower=true"
    found = json.loads(outscore("compare", file, *asked, "-f", "json").out)
    assert [note["text"] for note in found["notes"] if note["code"] == "direction_assumed"] == [text]
    assert text in " ".join(outscore("compare", file, *asked).out.split())
    for option, sign in ((text.partition("else ")[2], -1), ("-m mean:column=asr", 1)):
        other = json.loads(outscore("compare", file, *shlex.split(option), "-f", "json").out)
        assert other["pairs"][0]["gain"] == pytest.approx(sign * found["pairs"][0]["gain"])
        assert "direction_assumed" not in [note["code"] for note in other["notes"]]


def test_one_note_names_all_values_of_a_column_of_metrics(tmp_path: Path) -> None:
    rows = [
        f"{s},q{i},{m},{(i * 7 + len(m + s)) % 10}"
        for s in ("a", "bb")
        for i in range(9)
        for m in ("asr", "steps", "f1")
    ]
    file = written(tmp_path / "t.csv", ["system,item,metric,score", *rows])
    found = json.loads(outscore("compare", file, "-m", "asr,f1,steps", "-f", "json").out)
    (text,) = [note["text"] for note in found["notes"] if note["code"] == "direction_assumed"]
    assert text.startswith("higher was taken as better for 'asr', 'steps', though no name says so; else -m mean:")


def test_the_only_column_taken_as_the_score_is_said_to_be_better_when_higher(tmp_path: Path) -> None:
    files = [
        f"{s}={written(tmp_path / f'{s}.csv', ['item,asr', *(f'q{i},{i * k % 7}' for i in range(9))])}"
        for s, k in (("a", 2), ("b", 3))
    ]
    found = json.loads(outscore("compare", *files, "-f", "json").out)
    (text,) = [note["text"] for note in found["notes"] if note["code"] == "column_as_score"]
    assert (
        text == "'asr', the only column of numbers, was taken as the score, higher as better; else -m mean:lower=true"
    )
    other = json.loads(outscore("compare", *files, "-m", "mean:lower=true", "-f", "json").out)
    assert other["pairs"][0]["gain"] == pytest.approx(-found["pairs"][0]["gain"])
    assert "higher" not in next(note["text"] for note in other["notes"] if note["code"] == "column_as_score")


@pytest.mark.parametrize("name", KNOWN.split()[:5])
def test_nothing_is_said_of_measures_that_are_known(tmp_path: Path, name: str) -> None:
    found = json.loads(outscore("compare", long(tmp_path / "t.csv", name), "-f", "json").out)
    assert "direction_assumed" not in [note["code"] for note in found["notes"]]


def test_columns_that_are_picked_or_named_as_the_score_keep_their_direction(tmp_path: Path) -> None:
    """The worse system won where its column was picked out of a table, as messages say to pick it."""
    rows = [f"f{i}.wav,{20 + i},{3 + i % 5}.5,{2 + i % 4}.25" for i in range(30)]
    wide = written(tmp_path / "t.csv", ["Datei,Dauer,WER Alt,WER Neu", *rows])
    done = outscore("compare", f"{wide}#WER*", "-c", "item=Datei", "-f", "sentence")
    assert "WER Neu outscores WER Alt" in done.out and "lower is better" in done.out, done.err
    a, b = (
        written(tmp_path / f"{name}.csv", ["id,wer,dur", *(f"{i},{level + i % 7 / 100},{i}" for i in range(30))])
        for name, level in (("a", 0.2), ("b", 0.1))
    )
    done = outscore("compare", f"a={a}#wer", f"b={b}#wer", "-f", "sentence")
    assert "b outscores a" in done.out and "lower is better" in done.out, done.err
    asked = outscore("compare", a, b, "-c", "score=wer")
    assert (
        asked.code == 3 and "less of 'wer' is better, and as a score more would be; say -m mean:lower=true" in asked.err
    )
    for lower, better in (("true", "b"), ("false", "a")):
        done = outscore("compare", a, b, "-c", "score=wer", "-m", f"mean:lower={lower}", "-f", "sentence")
        assert done.out.startswith(f"{better} outscores"), done.err


def test_a_path_of_json_that_is_named_as_the_score_keeps_its_direction(tmp_path: Path) -> None:
    value = [{"utt": i, "hyps": [{"model": m, "wer": (k + i % 3) / 10} for k, m in enumerate("ab")]} for i in range(30)]
    file = tmp_path / "t.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    reader = "json:rows=*.hyps.*,system=model,item=^utt,score=wer"
    assert "which direction?" in outscore("compare", file, "--reader", reader).err
    done = outscore("compare", file, "--reader", reader, "-m", "mean:lower=true", "-f", "sentence")
    assert done.out.startswith("a outscores b"), done.err
