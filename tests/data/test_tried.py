"""The table of formats: each file is read as what it is, with the numbers that it holds, or refused with the reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from outscore.data.readers import Sniffed, readers
from outscore.data.source import lines_of, open_source
from tests.cli.commandline import Done, outscore
from tests.contract.test_readers_contract import GENERAL
from tests.data.tried import IDS, PUT_IN, TOOL, TOOLS, TRIED, Tried

NAMED = {one.name: one for one in TRIED}


def given(one: Tried, folder: Path) -> tuple[list[str], list[str]]:
    """The files as words of a command, and those of systems or tables alone."""
    made = one.write(folder)
    words, systems = [], []
    for name, content in made.items():
        system, equals, file = name.rpartition("=")
        path = folder / file.lstrip("-+")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        if name.startswith("-"):
            words += ["-r", str(path)]
        elif not name.startswith("+"):
            words.append(f"{system}{equals}{path}")
            systems.append(str(path))
    return words, systems


def run(one: Tried, folder: Path) -> Done:
    return outscore(one.command, *given(one, folder)[0], *one.options, "-n", "200", "-f", "json")


def test_there_are_sixty_formats() -> None:
    assert len(NAMED) == len(TRIED) >= 60


@pytest.mark.parametrize("name", [name for name, one in NAMED.items() if not one.refused and one.command == "compare"])
def test_a_format_is_read_with_its_numbers(name: str, tmp_path: Path) -> None:
    done = run(NAMED[name], tmp_path)
    assert done.code == 0, done.err
    found, one = json.loads(done.out), NAMED[name]
    ordered = sorted(found["scores"], key=lambda score: "new" in score["system"])  # rows may end in any order
    base, new = (score["score"] for score in ordered)
    if one.printed is None:
        assert (base, new) == pytest.approx(one.means)
    else:
        for score, text in zip((base, new), one.printed, strict=True):
            digits = min(len(text.partition(".")[2]), 12)
            assert score * one.scale == pytest.approx(float(text), abs=0.5000001 * 10**-digits)
    assert found["pairs"][0]["n_items"] == len(IDS)
    assert found["pairs"][0]["gain"] == pytest.approx(base - new if one.less else new - base)


def test_a_number_of_a_tool_has_its_source() -> None:
    for one in TRIED:
        assert (one.printed is None) == (one.checked == PUT_IN), one.name
        assert one.made != TOOL or any(map(str.isdigit, one.name)), f"{one.name}: of which version?"


@pytest.mark.parametrize("name", [name for name, one in NAMED.items() if one.refused])
def test_a_format_without_scores_is_refused_with_the_reason(name: str, tmp_path: Path) -> None:
    done = run(NAMED[name], tmp_path)
    assert done.code == 3
    assert NAMED[name].refused in done.err


@pytest.mark.parametrize("name", [name for name, one in NAMED.items() if one.command == "rank"])
def test_votes_are_ranked(name: str, tmp_path: Path) -> None:
    done = run(NAMED[name], tmp_path)
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert [one["system"] for one in found["places"]] == ["new", "base"]
    assert [one["score"] for one in found["scores"]] == pytest.approx(NAMED[name].means)


@pytest.mark.parametrize("name", NAMED)
def test_no_file_is_claimed_by_two_readers_or_by_the_wrong_one(name: str, tmp_path: Path) -> None:
    one = NAMED[name]
    for file in given(one, tmp_path)[1]:
        source = open_source(file)
        binary = readers.find(one.reader).binary
        lines = () if binary else tuple(lines_of(source.data.decode("utf-8", "replace")))
        head = Sniffed(file=file, lines=lines, start=source.data[: 1 << 16], role="system")
        claimed = {
            other
            for other, cls in readers
            if "system" in cls.roles and (cls.binary or not binary) and readers.make(other).sniff(head)
        }
        own = claimed - GENERAL
        assert own <= {one.reader}
        assert one.reader in claimed | {"lines"}


@pytest.mark.parametrize("name", [name for name, one in NAMED.items() if one.command == "compare" and not one.refused])
def test_no_references_are_claimed_by_two_readers(name: str, tmp_path: Path) -> None:
    words, _ = given(NAMED[name], tmp_path)
    for file in [words[k + 1] for k, word in enumerate(words) if word == "-r"]:
        data = open_source(file).data
        head = Sniffed(file=file, lines=tuple(lines_of(data.decode())), start=data[: 1 << 16], role="reference")
        claimed = {other for other, cls in readers if "reference" in cls.roles and readers.make(other).sniff(head)}
        assert len(claimed - GENERAL) <= 1


@pytest.mark.parametrize("name", [name for name, one in NAMED.items() if one.errors])
def test_standard_errors_are_those_that_the_tool_printed(name: str, tmp_path: Path) -> None:
    """Theirs divide the variance by 11, ours by 12."""
    done = outscore("score", *given(NAMED[name], tmp_path)[0], *NAMED[name].options, "-f", "json")
    found = [one["s_sel"] * (12 / 11) ** 0.5 for one in json.loads(done.out)["scores"]]
    assert found == pytest.approx(NAMED[name].errors)


def test_files_of_tools_are_all_in_the_table(tmp_path: Path) -> None:
    written = {content for one in TRIED for content in one.write(tmp_path).values()}
    assert not [file for file in TOOLS.rglob("*") if file.is_file() and file.read_bytes() not in written]
