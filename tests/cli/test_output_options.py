"""Options of what is printed: how much, how wide, with how many decimals, and what a doubtful answer ends with."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .commandline import numbers, outscore, texts, written


@pytest.fixture
def few(tmp_path: Path) -> list[str]:
    """So few items that no outcome could reach alpha, which changes the answer."""
    rows = {"base": ["1", "2", "3", "4"], "new": ["3", "3", "5", "5"]}
    return [f"{name}={written(tmp_path / f'{name}.seg', lines)}" for name, lines in rows.items()]


def test_strict_ends_with_1_where_a_note_changes_the_answer(few: list[str]) -> None:
    plain, strict = outscore("compare", *few), outscore("compare", *few, "--strict")
    notes = plain.out.count("\n! ")
    assert notes
    assert (plain.code, plain.err, strict.code) == (0, "", 1)
    assert strict.out == plain.out
    assert strict.err == f"outscore: {notes} note{'s' * (notes > 1)} of those that change the answer (--strict)\n"


def test_strict_is_content_where_no_note_changes_the_answer(tmp_path: Path) -> None:
    done = outscore("compare", *texts(tmp_path), "-m", "bleu", "-n", "200", "--strict")
    assert "\n! " not in done.out
    assert (done.code, done.err) == (0, "")


def test_strict_writes_the_result_before_it_ends(few: list[str], tmp_path: Path) -> None:
    target = tmp_path / "r.json"
    done = outscore("compare", *few, "--strict", "-o", target, "-q")
    assert (done.code, done.out) == (1, "")
    assert outscore("show", target).out == outscore("compare", *few).out
    assert outscore("show", target, "--strict").code == 1


def test_quiet_prints_the_table_and_verbose_everything(tmp_path: Path) -> None:
    arguments = ("compare", *texts(tmp_path), "-m", "bleu,ter", "-n", "200", "--plain", "-w", "100")
    plain, quiet, verbose = (outscore(*arguments, *extra).out for extra in ([], ["-q"], ["-v"]))
    assert quiet in plain
    assert len(quiet.splitlines()) < len(plain.splitlines()) < len(verbose.splitlines())
    assert "Null hypothesis:" in verbose
    assert "Null hypothesis:" not in plain
    assert plain.splitlines()[0] == verbose.splitlines()[0]
    assert plain.splitlines()[0] not in quiet


def test_a_file_holds_the_whole_even_where_the_screen_is_quiet(tmp_path: Path) -> None:
    target = tmp_path / "r.md"
    assert outscore("compare", *numbers(tmp_path), "-o", target, "-q").code == 0
    assert "Null hypothesis:" in target.read_text(encoding="utf-8")


def test_every_file_that_is_asked_for_is_written(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("r.json", "r.html", "r.svg")]
    options = [word for file in files for word in ("-o", file)]
    done = outscore("rank", *numbers(tmp_path), *options)
    assert done.code == 0, done.err
    assert sorted(line for line in done.err.splitlines() if line.startswith("wrote ")) == sorted(
        f"wrote {file}" for file in files
    )
    begun = [file.read_text(encoding="utf-8")[:5] for file in files]
    assert begun == ['{\n "s', "<!DOC", "<svg "]
    wrong = outscore("rank", *numbers(tmp_path), "-o", tmp_path / "new.json", "-o", "r.xyz")
    assert wrong.code == 2 and "r.xyz: suffix '.xyz'" in wrong.err
    assert not (tmp_path / "new.json").exists()


def test_whichever_file_is_named_first_a_picture_can_be_chosen_and_a_page_has_what_it_shows(tmp_path: Path) -> None:
    kinds = {"r.html": "<!DOC", "r.svg": "<svg ", "r.json": '{\n "s'}
    for order in (("r.html", "r.svg"), ("r.svg", "r.html"), ("r.json", "r.svg")):
        files = [tmp_path / name for name in order]
        done = outscore("rank", *numbers(tmp_path), "--figure", "wins", "-o", files[0], "-o", files[1])
        assert done.code == 0, done.err
        assert [file.read_text(encoding="utf-8")[:5] for file in files] == [kinds[name] for name in order]
    alone = outscore("rank", *numbers(tmp_path), "--figure", "wins", "-o", tmp_path / "alone.svg")
    assert (tmp_path / "alone.svg").read_bytes() == (tmp_path / "r.svg").read_bytes(), alone.err


def test_no_file_is_overwritten_by_its_own_picture_and_what_one_of_them_has_is_not_missed(tmp_path: Path) -> None:
    asked = ("compare", *texts(tmp_path), "-m", "bleu", "-n", "200", "--show-words", "1")
    kept, drawn = tmp_path / "r.json", tmp_path / "r.svg"
    assert outscore(*asked, "-o", drawn, "-o", kept).err == f"wrote {drawn}\nwrote {kept}\n"
    two = outscore(*asked, "-o", drawn, "-o", tmp_path / "r.csv")
    assert f"note: {drawn}, {tmp_path / 'r.csv'} lack what --show-words lists; " in two.err
    before = kept.read_bytes()
    assert outscore("show", kept, "-o", drawn, "-o", kept).code == 3
    assert kept.read_bytes() == before


@pytest.mark.parametrize(
    ("to", "here", "by"), [("r.csv", "", ""), ("r.tex", ", or here -v,", ""), ("r.svg", "", ""), ("", "", "sentence")]
)
def test_what_an_output_lacks_of_what_was_asked_for_is_said(to: str, here: str, by: str, tmp_path: Path) -> None:
    asked = ("compare", *texts(tmp_path), "-m", "bleu", "-n", "200", "--show-flips", "1", "--show-words", "1")
    file = tmp_path / to
    where = ("-o", file) if to else ("-f", by)
    wanted = f"note: {file if to else by} lacks what --show-words, --show-flips lists; "
    assert outscore(*asked, *where).complaint == f"{wanted}.html, .json, .md, .txt, .xml{here} have it"
    assert "note:" not in outscore(*asked, *where, "-q").err
    assert "note:" not in outscore(*asked[:-4], *where).err


def test_an_output_without_tables_needs_no_cell_of_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a large board they would take longer than its rows."""
    monkeypatch.setattr("outscore.report.writer._ShownColumn", None)
    done = outscore("compare", *texts(tmp_path), "-m", "bleu", "-n", "200", "--show-words", "1", "-f", "csv")
    assert (done.code, done.err.count("lacks what --show-words lists; ")) == (0, 1)


@pytest.mark.parametrize("suffix", [".html", ".json", ".md", ".txt", ".xml", ".tex"])
def test_of_an_output_that_has_it_nothing_is_said(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"r{suffix}"
    more = ["-v"] * (suffix == ".tex")
    done = outscore("compare", *texts(tmp_path), "-m", "bleu", "-n", "200", "--show-words", "1", "-o", file, *more)
    assert done.err == f"wrote {file}\n"
    assert "0.481" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_width_is_that_of_the_lines(width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("compare", *texts(tmp_path), "-m", "bleu,ter,chrf", "-n", "200")
    done = outscore(*arguments, "-w", str(width), "-v")
    assert max(map(len, done.out.splitlines())) <= width
    monkeypatch.setenv("COLUMNS", str(width))
    assert outscore(*arguments, "-v").out == done.out


def test_decimals_are_those_of_scores_gains_and_intervals(tmp_path: Path) -> None:
    done = outscore("compare", *texts(tmp_path), "-m", "bleu", "-n", "200", "--decimals", "3", "-q")
    (row,) = (line for line in done.out.splitlines() if line.startswith("new "))
    assert len(re.findall(r"(?<![\d.])[+-]?\d+\.\d{3}(?!\d)", row)) == 6


def test_a_long_table_is_shown_whole_or_around_a_system_where_that_is_asked_for(tmp_path: Path) -> None:
    rows = [f"s{k:02},{i},{(i * (k + 2)) % 11 + k / 9}" for k in range(60) for i in range(12)]
    table = written(tmp_path / "t.csv", ["system,item,score", *rows])

    def listed(*options: str) -> list[str]:
        out = outscore("compare", table, "-n", "100", "--plain", *options).out
        return re.findall(r"^(s\d\d)!? ", out, re.M)

    plain = listed()
    assert len(plain) < 40
    assert set(listed("--around", "s40")) >= {*plain[:5], "s38", "s39", "s40", "s41", "s42", "s59"}
    assert listed("--all") == [f"s{k:02}" for k in range(60)]


def test_a_system_that_nobody_has_is_said_to_be_none(tmp_path: Path) -> None:
    done = outscore("compare", *numbers(tmp_path), "--around", "nwe")
    assert done.code == 0
    assert done.err == "outscore: --around: no system is called 'nwe'; did you mean 'new'?\n"
    assert outscore("compare", *numbers(tmp_path), "--around", "new").err == ""
    assert outscore("compare", *numbers(tmp_path), "--around", "nwe", "-f", "csv").err == ""
