"""Transcripts with ids: which files they are, how they are paired, and what is wrong with them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import outscore
from outscore.base.errors import InputError
from outscore.data.read import read
from tests.cli.commandline import outscore as command

WORDS = ["he hoped there would be stew", "stuff it into you", "", "after early nightfall"]
IDS = ["1089-134686-0000", "1089-134686-0001", "1089-134686-0002", "1089-134687-0000"]
KALDI = [f"{one} {words}".strip() for one, words in zip(IDS, WORDS, strict=True)]
TRN = [f"{words} ({one})".strip() for one, words in zip(IDS, WORDS, strict=True)]


def _file(folder: Path, name: str, lines: list[str]) -> str:
    (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(folder / name)


@pytest.mark.parametrize(("name", "lines"), [("text", KALDI), ("hyp.trn", TRN), ("hyp.txt", TRN)])
def test_the_id_is_no_word(tmp_path: Path, name: str, lines: list[str]) -> None:
    (run,) = read([_file(tmp_path, name, lines)]).runs
    assert (run.ids, run.outputs) == (tuple(IDS), tuple(WORDS))
    assert run.source.reader == ("kaldi" if name == "text" else "trn")
    assert [note.code for note in run.notes] == ["utterance_ids"]


def test_utterances_are_paired_by_their_ids_across_formats(tmp_path: Path) -> None:
    system = _file(tmp_path, "hyp", [KALDI[i] for i in (3, 0, 2, 1)])
    data = outscore.read([system], references=[_file(tmp_path, "ref.trn", TRN)])
    assert outscore.score(data, metrics="wer").scores[0].score == 0.0


def test_reader_lines_takes_the_file_as_it_stands(tmp_path: Path) -> None:
    (run,) = read([_file(tmp_path, "text", KALDI)], reader="lines").runs
    assert (run.ids, run.outputs) == (None, tuple(KALDI))


@pytest.mark.parametrize(
    "lines",
    [
        ["the 1 cat", "the 2 dogs", "the 3 birds"],  # one word before all
        ["3 cats (2 grey)", "2 dogs (2 brown)", "3 cats (2 black)"],  # remarks in brackets
        ["1984 was", "2001 is", "1999 ends"],  # years, and few of them
        ["we met at 1.5 2.0 miles from here", "she ran 3.0 1.5 miles", "it took 2.0 1.0 days"],  # numbers in the text
        ["cats", "dogs", "birds"],
    ],
)
def test_texts_that_only_look_alike_stay_texts(tmp_path: Path, lines: list[str]) -> None:
    (run,) = read([_file(tmp_path, "sys.txt", lines)]).runs
    assert (run.source.reader, run.outputs) == ("lines", tuple(lines))


@pytest.mark.parametrize(
    ("name", "lines", "message"),
    [
        ("text", [*KALDI * 3, KALDI[0]], "text:5: found the id '1089-134686-0000' a second time, .*--reader lines"),
        ("a.trn", [*TRN, "no id"], r"a\.trn:5: found no id of an utterance, expected one as the last word"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, name: str, lines: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read([_file(tmp_path, name, lines)], reader=None if name == "a.trn" else "kaldi")


SCORED = [0.31, 0.82, 0.15, 0.64, 0.27, 0.93, 0.48, 0.71, 0.36, 0.59, 0.12, 0.85]


def test_a_number_a_line_beside_labels_ranks_the_items_and_is_no_id(tmp_path: Path) -> None:
    labels = _file(tmp_path, "labels.txt", [str(int(score > 0.5)) for score in SCORED])
    base = _file(tmp_path, "base.txt", [str(score) for score in SCORED])
    new = _file(tmp_path, "new.txt", [str(round(1 - score, 2)) for score in SCORED])
    done = command("score", "-m", "auc", "-r", labels, base, new, "-f", "json")
    assert done.code == 0
    assert re.findall(r'"score": ([\d.]+)', done.out) == ["1.0", "0.0"]
    assert "utterance_ids" not in done.out


@pytest.mark.parametrize(
    "answers",
    [
        [f"2024-05-{day:02}" for day in range(1, 13)],
        [f"{i}.37" for i in range(12)],
        [f"Q{i * i}" for i in range(12)],
        ["12-A", "3/4", "approx. 7", *(f"v{i}" for i in range(9))],
    ],
)
def test_answers_of_one_word_are_no_ids_of_empty_transcripts(tmp_path: Path, answers: list[str]) -> None:
    gold, right = _file(tmp_path, "gold.txt", answers), _file(tmp_path, "right.txt", answers)
    wrong = _file(tmp_path, "wrong.txt", [*answers[6:], *answers[:6]])
    done = command("score", "-m", "exact_match", "-r", gold, right, wrong, "-f", "json")
    assert done.code == 0
    assert re.findall(r'"score": ([\d.]+)', done.out) == ["1.0", "0.0"]
    assert "utterance_ids" not in done.out


def test_a_few_empty_transcripts_are_still_of_kaldi(tmp_path: Path) -> None:
    lines = [f"{one}{i} {'some words' if i < 3 else ''}" for one in IDS for i in range(5)]
    (run,) = read([_file(tmp_path, "hyp.txt", lines)]).runs
    assert (run.source.reader, (run.outputs or ())[:5]) == ("kaldi", ("some words",) * 3 + ("",) * 2)


def test_a_transcript_with_alternatives_is_refused_with_the_command_that_takes_the_first(tmp_path: Path) -> None:
    file = _file(
        tmp_path, "ref.trn", ["he { @ / uh } did { so / it } (a-1)", "{ yes / yeah } and/or { no (a-2)", "so (a-3)"]
    )
    done = command("score", _file(tmp_path, "hyp.trn", ["he did so (a-1)", "yes (a-2)", "so (a-3)"]), "-r", file)
    assert (done.code, done.err.count("\n")) == (3, 1)
    assert (
        "ref.trn:1: holds alternatives, { a / b }, of which sclite counts the best; give what sclite -o sgml"
        in done.err
    )
    found = re.search(r"sed -E '.*' \S+ > \S+", done.err)
    assert found
    if shutil.which("sed"):
        subprocess.run(found[0], shell=True, check=True, cwd=tmp_path)
        written = (tmp_path / "ref.first.trn").read_text(encoding="utf-8").splitlines()
        assert [" ".join(line.split()) for line in written] == ["he did so (a-1)", "yes and/or no (a-2)", "so (a-3)"]


SGML = """<SYSTEM title="hyp.ctm" ref_fname="ref.stm" hyp_fname="hyp.ctm" format="2.4">
<SPEAKER id="s1">
<PATH id="(s1-000)" word_cnt="4" labels="<o,f>" file="r1" R_T1="0.500" R_T2="2.000" word_aux="h_t1+t2,h_conf">
I,,"uh",0.100+0.300,0.900000:C,"the","the",0.600+0.800,0.900000:S,"cat","hat",1.000+1.200,0.900000:D,"sat",,,
</PATH>
</SPEAKER>
</SYSTEM>
"""
"""As sclite 2.10 (SCTK 2.4.12) writes it of CTM and STM files."""


def test_alignments_of_words_with_times_are_read(tmp_path: Path) -> None:
    (run,) = read([_file(tmp_path, "hyp.sgml", SGML.splitlines())]).runs
    assert (run.ids, run.outputs, run.references) == (("s1-000",), ("uh the hat",), (("the cat sat",),))
