"""Words with their times in the segments of a reference: where sclite places them, and what is wrong with the files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from outscore.base.errors import InputError
from outscore.data.read import read
from tests.cli.commandline import outscore as command

STM = [
    ";; a comment",
    "r1 A s1 0.50 2.00 <o,f> the cat sat",
    "r1 A s2 3.00 4.00 <o,m> on a mat",
    "r1 A s3 4.00 5.00 IGNORE_TIME_SEGMENT_IN_SCORING",
    "",
    "r1 A s1 6.00 8.00 and slept well",
    "r2 B s1 0.00 2.00 <o,f> hello there",
]
CTM = [
    ";; a comment",
    "r1 A 0.10 0.20 uh 0.9",  # before the first segment
    "r1 A 0.60 0.20 the 0.9",
    "r1 A 1.00 0.20 cat 0.9 lex s1",
    "r1 A 1.90 0.30 sat 0.9",  # its middle is behind the first segment
    "r1 a 3.10 0.10 on 0.9",
    "r1 A 3.30 0.10 @",
    "r1 A 3.35 0.10 <eps> 0.9",
    "r1 A 4.20 0.10 noise 0.9",  # ignored
    "r1 A 4.00 0.10 noise",
    "r1 A 5.20 0.10 noise",  # between two segments
    "r1 A 6.60 0.10 slept",
    "r1 A 6.20 0.10 and",
    "r1 A 9.20 0.10 well",  # behind the last segment
]
OUTPUTS = ("uh the cat", "sat on", "noise and slept well", "")


def _file(folder: Path, name: str, lines: list[str]) -> str:
    (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(folder / name)


def test_words_are_counted_in_the_segments_in_which_sclite_places_them(tmp_path: Path) -> None:
    ref, hyp = _file(tmp_path, "ref.stm", STM), _file(tmp_path, "hyp.ctm", CTM)
    found = read([hyp], references=[ref])
    (run,), (gold,) = found.runs, found.golds
    assert run.outputs == OUTPUTS
    assert run.ids == gold.ids == ("r1-A-0.50-2.00", "r1-A-3.00-4.00", "r1-A-6.00-8.00", "r2-B-0.00-2.00")
    assert gold.references == (("the cat sat", "on a mat", "and slept well", "hello there"),)
    assert gold.labels == {"channel": ("r1-A", "r1-A", "r1-A", "r2-B"), "speaker": ("s1", "s2", "s1", "s1")}
    (note,) = run.notes
    assert note.code == "resegmented"
    assert note.text.startswith(f"4 words of {hyp} outside all segments of {ref} count in the next one")


def test_the_error_rate_is_that_of_sclite(tmp_path: Path) -> None:
    """Inserted uh, sat and noise, deleted sat, a, mat, hello and there: 8 of 11 words, 72.7 by sclite."""
    ref, hyp = _file(tmp_path, "ref.stm", STM), _file(tmp_path, "hyp.ctm", CTM)
    right = [f"r1 A {at} 0.1 {word}" for at, word in zip((1.0, 1.1, 1.2), ("the", "cat", "sat"), strict=True)]
    done = command("compare", hyp, _file(tmp_path, "new.ctm", right), "-r", ref, "-m", "wer", "-f", "json")
    assert done.code == 0
    assert [one["score"] for one in json.loads(done.out)["scores"]] == pytest.approx([8 / 11, 8 / 11])


def test_segments_of_speakers_are_clusters(tmp_path: Path) -> None:
    ref, hyp = _file(tmp_path, "ref.stm", STM), _file(tmp_path, "hyp.ctm", CTM)
    done = command("score", hyp, "-r", ref, "-m", "wer", "--cluster", "speaker", "-f", "json")
    assert done.code == 0
    assert '"n_clusters": 2' in done.out


def test_files_are_known_by_their_lines(tmp_path: Path) -> None:
    found = read([_file(tmp_path, "hyp.txt", CTM)], references=[_file(tmp_path, "ref.txt", STM)])
    assert found.runs[0].outputs == OUTPUTS


def test_words_may_be_numbers(tmp_path: Path) -> None:
    ref = _file(tmp_path, "ref.stm", ["r 1 s 0 2 5 6"])
    (run,) = read([_file(tmp_path, "hyp.ctm", ["r 1 0 1 5", "r 1 1 1 7 0.5"])], references=[ref]).runs
    assert run.outputs == ("5 7",)


@pytest.mark.parametrize("name", ["hyp.ctm", "ref.stm"])
@pytest.mark.parametrize("line", ["r1 A * * <ALT_BEGIN>", "r1 A s 8.0 9.0 { um / uh } well"])
def test_alternatives_are_refused(tmp_path: Path, name: str, line: str) -> None:
    lines = {"hyp.ctm": CTM, "ref.stm": STM} | {name: [*(CTM if name == "hyp.ctm" else STM), line]}
    hyp, ref = (_file(tmp_path, file, of) for file, of in lines.items())
    done = command("score", hyp, "-r", ref, "-m", "wer")
    assert (done.code, done.err.count("\n")) == (3, 1)
    place = f"{tmp_path / name}:{len(lines[name])}"
    assert done.err == (
        f"outscore: error: {place}: holds alternatives, of which sclite counts the best; give what sclite -o sgml "
        "writes for each system\n"
    )


@pytest.mark.parametrize(
    ("hyp", "ref", "message"),
    [
        ([*CTM, "r1 A 9.5 well"], STM, r"hyp\.ctm:15: found 'r1 A 9\.5 well', expected recording, channel, begin, dur"),
        ([*CTM, "r1 A 9.5 0.1"], STM, r"hyp\.ctm:15: found 'r1 A 9\.5 0\.1', expected"),
        (CTM, [*STM, "r1 A s1 x 9.0 well"], r"ref\.stm:8: found .*, expected recording, channel, speaker, begin, end"),
        (CTM, [*STM, STM[1]], r"ref\.stm:8: found .*, expected .*, each segment once; mend the line"),
        (
            [*CTM, "r3 A 0.1 0.1 so"],
            STM,
            r"hyp\.ctm: found words of 'r3-a', expected a recording and channel of .*ref\.stm, 'r2-b', 'r1",
        ),
        (STM, STM, r"hyp\.ctm:2: found .*, expected recording, channel, begin, duration and word of a CTM file; mend"),
        (CTM, CTM, r"ref\.stm:2: found .*, expected .* give CTM files of the systems, and the STM file of their segm"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, hyp: list[str], ref: list[str], message: str) -> None:
    files = _file(tmp_path, "hyp.ctm", hyp), _file(tmp_path, "ref.stm", ref)
    with pytest.raises(InputError, match=message):
        read(files[:1], references=files[1:])


def test_other_files_beside_them_are_refused(tmp_path: Path) -> None:
    hyp, ref = _file(tmp_path, "hyp.ctm", CTM), _file(tmp_path, "ref.stm", STM)
    trn = _file(tmp_path, "ref.trn", ["the cat sat (r1-1)", "on a mat (r1-2)", "and slept well (r1-3)"])
    for files, references, other in (([hyp], [trn], trn), ([hyp, trn], [ref], trn)):
        done = command("score", *files, "-r", *references, "-m", "wer")
        assert done.code == 3
        assert done.err == (
            f"outscore: error: {other}: holds text, but other files hold CTM; give all systems as CTM, and the gold as "
            "STM by -r\n"
        )
    done = command("score", hyp, "-r", ref, "-r", ref, "-m", "wer")
    assert done.err == f"outscore: error: {ref}: is a second STM file; give one, with all recordings\n"
    assert command("score", ref, "-r", ref, "-m", "wer").err.startswith(f"outscore: error: {ref}:2: found ")
