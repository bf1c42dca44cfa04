"""Text files that are no texts a line are refused, and the command that the message names makes what is read right."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commandline import Done, outscore

TEXTS = ["the cat sat on the mat", 'fish & chips are "good"', "birds fly high in the sky", "he ate a red apple"]
OTHERS = ["a cat was sitting there", "fish with chips is fine", "birds are flying up high", "he has eaten an apple"]
XML_REFS = {"A": TEXTS, "B": OTHERS}
XML_HYPS = {"Online-A": TEXTS, "Online-B": OTHERS}


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;")


def sgml(kind: str, texts: list[str]) -> str:
    segments = "\n".join(f'<seg id="{i}"> {escaped(text)} </seg>' for i, text in enumerate(texts, 1))
    return f'<{kind} setid="x" srclang="any" trglang="en">\n<doc docid="d">\n{segments}\n</doc>\n</{kind}>\n'


def xml() -> str:
    def segments(texts: list[str]) -> str:
        return "".join(f'<seg id="{i}">{escaped(text)}</seg>\n' for i, text in enumerate(texts, 1))

    refs = "".join(f'<ref lang="en" translator="{who}"><p>{segments(t)}</p></ref>\n' for who, t in XML_REFS.items())
    hyps = "".join(f'<hyp system="{who}" language="en"><p>{segments(t)}</p></hyp>\n' for who, t in XML_HYPS.items())
    source = f'<src lang="de"><p>{segments(["ja"] * len(TEXTS))}</p></src>'
    return f'<?xml version="1.0"?>\n<dataset id="x">\n<doc id="d">{source}{refs}{hyps}</doc></dataset>\n'


def asked(done: Done) -> str:
    assert (done.code, done.out) == (3, "")
    assert len(done.err.splitlines()) == 1
    return done.err


def bleu(*arguments: str | Path) -> list[float]:
    done = outscore("score", "-m", "bleu", *arguments, "-f", "json")
    assert done.code == 0, done.err
    return [round(one["score"], 2) for one in json.loads(done.out)["scores"]]


def run(command: str) -> None:
    if command.startswith("python3 "):
        command = f'"{sys.executable}" {command.removeprefix("python3 ")}'
    elif shutil.which("sh") is None:
        pytest.skip("needs a shell of Unix")
    subprocess.run(command, shell=True, check=True)


@pytest.mark.parametrize("suffix", [".sgm", ".txt", ".sgm.gz"])
def test_sgml_of_wmt_is_refused_with_the_command_that_takes_its_segments(tmp_path: Path, suffix: str) -> None:
    for name, kind, texts in (("ref", "refset", TEXTS), ("a", "tstset", TEXTS), ("b", "tstset", OTHERS)):
        content = sgml(kind, texts).encode()
        (tmp_path / f"{name}{suffix}").write_bytes(gzip.compress(content) if suffix.endswith(".gz") else content)
    lines = {}
    for name in ("ref", "a", "b"):
        message = asked(outscore("score", tmp_path / f"{name}{suffix}", "-r", tmp_path / f"ref{suffix}"))
        if name != "ref":
            message = asked(outscore("score", tmp_path / f"{name}{suffix}"))
        assert f"{name}{suffix}: is SGML of WMT, expected a text a line" in message
        command = re.search(r"python3 -c \".*\"$", message.strip())
        assert command
        lines[name] = Path(re.findall(r"open\('([^']*)', 'w'", command[0])[0])
        run(command[0])
    assert lines["b"].read_text(encoding="utf-8").splitlines() == OTHERS
    assert bleu("-r", lines["ref"], lines["a"]) == [100.0]


def test_xml_of_wmt_is_refused_with_the_command_that_takes_one_system(tmp_path: Path) -> None:
    file = tmp_path / "wmt.xml"
    file.write_text(xml(), encoding="utf-8")
    for role, rest in (("ref", "the translator 'A', beside 'B'"), ("hyp", "the system 'Online-A', beside 'Online-B'")):
        given = ("-r", file) if role == "ref" else ()
        message = asked(outscore("score", file, *given))
        assert "wmt.xml: is XML of WMT, expected a text a line" in message
        assert rest in message
        command = re.search(r"python3 -c \".*\"$", message.strip())
        assert command
        run(command[0])
        made = Path(re.findall(r"open\('([^']*)', 'w'", command[0])[0])
        assert made.read_text(encoding="utf-8").splitlines() == TEXTS


def _tabbed(file: Path, *columns: list[str]) -> Path:
    file.write_text("".join("\t".join(row) + "\n" for row in zip(*columns, strict=True)), encoding="utf-8")
    return file


def test_ids_before_a_tab_are_asked_about(tmp_path: Path) -> None:
    ids = list("wxyz")
    ref = _tabbed(tmp_path / "ref.txt", ids, TEXTS)
    system = _tabbed(tmp_path / "sys.txt", ids[::-1], TEXTS[::-1])
    for file, given in ((ref, (ref, "-r", ref)), (system, (system,))):
        message = asked(outscore("score", *given))
        assert f"{file}:1: every line holds 1 tab, and no header says what the 2 columns are" in message
        command = re.search(r"with ids in front (\(.*?\) > [^;,]*)", message)
        assert command
        run(command[1])
    assert bleu("-r", tmp_path / "ref.tsv", tmp_path / "sys.tsv") == [100.0]


def test_references_between_tabs_are_asked_about(tmp_path: Path) -> None:
    ref = _tabbed(tmp_path / "ref", OTHERS, TEXTS)
    system = tmp_path / "sys.txt"
    system.write_text("".join(f"{text}\n" for text in TEXTS), encoding="utf-8")
    command = re.search(r"with several references (\(.*?\) > [^;,]*)", asked(outscore("score", system, "-r", ref)))
    assert command
    run(command[1])
    assert bleu("-r", tmp_path / "ref.tsv", system) == [100.0]


def test_one_column_can_be_cut_out(tmp_path: Path) -> None:
    system = _tabbed(tmp_path / "sys.txt", TEXTS, OTHERS, TEXTS)
    command = re.search(r"for one of the columns (cat .*? > [^;,]*)", asked(outscore("score", system)))
    assert command
    run(command[1])
    assert (tmp_path / "sys.column2.txt").read_text(encoding="utf-8").splitlines() == OTHERS


def test_tabs_of_the_text_stay_where_the_user_says_so_or_lines_differ(tmp_path: Path) -> None:
    tabbed = _tabbed(tmp_path / "a.txt", TEXTS, OTHERS)
    assert bleu("--reader", "lines", "-r", tabbed, tabbed) == [100.0]
    uneven = tmp_path / "b.txt"
    uneven.write_text("one two\tthree four\nfive six seven eight\n", encoding="utf-8")
    assert bleu("-r", uneven, uneven) == [100.0]
