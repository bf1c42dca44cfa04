"""``outscore show`` draws a saved comparison exactly as ``compare`` would have drawn it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from outscore.results.result import formats
from tests.cli.commandline import in_a_process, numbers, outscore, texts, written
from tests.examples import first

SHAPES = ["texts", "numbers", "one item", "runs", "clusters", "identical"]


def arguments_of(shape: str, folder: Path) -> list[str]:
    """Comparisons that differ in what their results hold."""
    if shape == "texts":
        return [*texts(folder), "-m", "bleu,ter"]
    if shape == "numbers":
        return [*numbers(folder), "--correct", "none", "--alternative", "greater"]
    if shape == "one item":
        return [f"a={written(folder / 'a.seg', ['1'])}", f"b={written(folder / 'b.seg', ['2'])}"]
    if shape == "runs":
        for k in range(4):
            written(folder / f"r{k}.seg", [str((i * (k + 2)) % 5) for i in range(30)])
        return [f"base={folder}/r[01].seg", f"new={folder}/r[23].seg"]
    if shape == "clusters":
        rows = [f"{s},{i},{i * k % 3 % 2},d{i // 3},g{i % 2}" for k, s in ((1, "a"), (2, "b")) for i in range(30)]
        return [str(written(folder / "t.csv", ["system,item,score,document,domain", *rows])), "--cluster", "document"]
    base = numbers(folder)[0]
    return [base, base.replace("base=", "copy=")]


@pytest.mark.parametrize("shape", first(SHAPES, "numbers", others=pytest.mark.slow))
def test_every_format_is_redrawn_as_it_was(shape: str, tmp_path: Path) -> None:
    arguments = arguments_of(shape, tmp_path)
    saved = tmp_path / "result.json"
    arguments += ["-n", "100", "--show-flips", "auto"]  # which pages show, and are kept for them in any case
    assert outscore("compare", *arguments, "-o", saved, "-q").code == 0
    for name in formats.names():
        for extra in ([], ["--decimals", "4", "-w", "60", "-v"], ["--all", "--plain"]):
            direct = outscore("compare", *arguments, "-f", name, *extra)
            again = outscore("show", saved, "-f", name, *extra)
            assert (direct.code, again.code) == (0, 0)
            assert (again.out, again.err) == (direct.out, direct.err), name


def test_show_reads_from_stdin_and_writes_files(tmp_path: Path) -> None:
    saved = outscore("compare", *numbers(tmp_path), "-f", "json").out
    again = outscore("show", "-", "-f", "json", stdin=saved.encode())
    assert (again.code, again.out) == (0, saved)
    target = tmp_path / "table.tex"
    done = outscore("show", "-", "-o", target, stdin=saved.encode())
    assert done.err == f"wrote {target}\n"
    assert target.read_text(encoding="utf-8") == outscore("compare", *numbers(tmp_path), "-f", "latex").out


def test_show_draws_one_of_several_pictures(tmp_path: Path) -> None:
    rows = [f"{s},{i},{i * k % 7}" for k, s in enumerate("abcd", 1) for i in range(30)]
    table, saved = written(tmp_path / "t.csv", ["system,item,score", *rows]), tmp_path / "board.json"
    assert outscore("rank", table, "-n", "100", "-o", saved, "-q").code == 0
    for figure in ("board", "wins"):
        first, again = tmp_path / "first.json", tmp_path / "again.json"
        assert outscore("rank", table, "-n", "100", "-q", "--plot", first, "--figure", figure).code == 0
        assert outscore("show", saved, "-q", "--plot", again, "--figure", figure).code == 0
        assert again.read_bytes() == first.read_bytes()
    assert "add --plot FILE" in outscore("show", saved, "--figure", "wins").err
    wrong = outscore("show", saved, "--plot", tmp_path / "x.json", "--figure", "win")
    assert wrong.code == 2 and "did you mean 'wins'? (it has: board, wins)" in wrong.err


def test_a_page_of_a_comparison_draws_its_pictures_without_an_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.html"
    monkeypatch.setitem(sys.modules, "vl_convert", None)  # as if the extra were not installed
    done = outscore("compare", *numbers(tmp_path), "-o", page)
    assert (done.code, done.err) == (0, f"wrote {page}\n")
    assert "<figure>" in page.read_text(encoding="utf-8")


def test_the_default_of_show_is_the_terminal(tmp_path: Path) -> None:
    saved = tmp_path / "result.json"
    outscore("compare", *numbers(tmp_path), "-o", saved, "-q")
    assert outscore("show", saved).out == outscore("show", saved, "-f", "terminal").out


def test_show_computes_nothing(tmp_path: Path) -> None:
    """A changed number is shown as it stands in the file, and the inputs need not be there."""
    saved = tmp_path / "result.json"
    arguments = numbers(tmp_path)
    outscore("compare", *arguments, "-o", saved, "-q")
    for argument in arguments:
        Path(argument.partition("=")[2]).unlink()
    data = json.loads(saved.read_text(encoding="utf-8"))
    data["pairs"][0]["p_value"] = 0.1234567
    saved.write_text(json.dumps(data), encoding="utf-8")
    done = in_a_process("show", saved, "-f", "csv")
    assert done.code == 0, done.err
    assert "0.1234567" in done.out


def test_show_takes_cite_and_quiet(tmp_path: Path) -> None:
    saved = tmp_path / "result.json"
    outscore("compare", *texts(tmp_path), "-m", "chrf", "-n", "50", "-o", saved, "-q")
    assert "Popovi" in outscore("show", saved, "--cite").out
    done = outscore("show", saved, "-o", tmp_path / "t.md", "-q")
    assert (done.code, done.out, done.err) == (0, "", "")


def test_an_output_that_is_a_picture_holds_it_alone(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert", reason="needs the extra: pip install 'outscore[report]'")
    picture = tmp_path / "gain.svg"
    done = outscore("compare", *numbers(tmp_path), "-n", "100", "-o", picture)
    assert (done.code, done.out, done.err) == (0, "", f"wrote {picture}\n")
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    # a format that is named is that of the file, whatever its suffix
    assert outscore("compare", *numbers(tmp_path), "-n", "100", "-o", picture, "-f", "csv").code == 0
    assert picture.read_text(encoding="utf-8").startswith("system,")


def test_what_has_no_picture_says_so(tmp_path: Path) -> None:
    done = outscore("advise", *numbers(tmp_path), "-o", tmp_path / "advice.pdf")
    assert (done.code, done.out) == (2, "")
    assert "there is no picture of what `outscore advise` gives" in done.complaint
